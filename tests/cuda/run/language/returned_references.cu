// SPDX-License-Identifier: Apache-2.0
// TEST: references that functions give: to one of several, to elements behind tests, to the object by other names
// REF: docs/reference/cuda.md#language
struct V2 {
    float x, y;
};

__device__ V2 &pick(V2 &a, V2 &b, bool second) { return second ? b : a; }

__device__ V2 &operator-=(V2 &a, V2 b)
{
    a.x = a.x - b.x;
    a.y = a.y - b.y;
    return a;
}

template <int N> struct Row {
    int d[N];
    __device__ int &at(int i)
    {
        if (i >= N)
            i = N - 1;
        return d[i];
    }
    __device__ int &last()
    {
        int at = N;
        while (at > 1 && d[at - 1] == 0)
            at--;
        return d[at - 1];
    }
};

// Each turns into the derived class in a way of its own.
template <class D> struct Shape {
    __device__ D &derived() { return static_cast<D &>(*this); }
    __device__ D &scale(int by)
    {
        D &d = static_cast<D &>(*this);
        d.side *= by;
        return d;
    }
    __device__ D &grow(int by)
    {
        derived().side += by;
        return derived();
    }
    __device__ D &turn()
    {
        for (int i = 0; i < 2; i++)
            static_cast<D *>(this)->turns++;
        return *static_cast<D *>(this);
    }
};
struct Square : Shape<Square> {
    int side, turns = 0;
    __device__ Square(int side) : side(side) {}
};

// `mutable` members change in const objects, whoever has them.
struct Counted {
    mutable int hits = 0;
    int v;
    __device__ Counted(int v) : v(v) {}
    __device__ int get() const
    {
        ++hits;
        return v;
    }
};
__device__ int twice(const Counted &c) { return c.get() + c.get(); }

__global__ void references(int *out)
{
    int i = threadIdx.x, k = 0;
    V2 a = {1, 2}, b = {3, 4};
    pick(a, b, i % 2).x = 50;
    out[k++ * 32 + i] = a.x * 100 + b.x;
    (a -= b).y += 9;
    (b -= a).y++;
    out[k++ * 32 + i] = a.y * 100 + b.y;
    Row<4> row = {{1, 2, 0, 0}};
    row.at(1) += 10;
    row.at(9) = i;
    out[k++ * 32 + i] = row.d[1] * 100 + row.d[3];
    row.last() = 77;
    out[k++ * 32 + i] = row.d[1] * 100 + row.d[3];
    Row<4> rows[2] = {{{1, 2, 3, 4}}, {{5, 6, 7, 8}}};
    rows[i % 2].at(2) = 9;
    out[k++ * 32 + i] = rows[0].d[2] * 10 + rows[1].d[2];
    Square s(i);
    out[k++ * 32 + i] = s.scale(2).grow(3).turn().side + 1000 * s.turns;
    const Counted c(i);
    int sum = twice(c) + c.get();
    out[k++ * 32 + i] = sum + 1000 * c.hits;
}
// PY: i = np.arange(32)
// PY: odd = i % 2 == 1
// PY: y = np.where(odd, 700 + 4 + 1 - 7, 700 + 4 + 1 - 7)
// LAUNCH: out[224]=zeros --block 32 --grid 1
// LAUNCH: out[224]=zeros --block 32 --grid 1 --sanitize
// OUT: out = np.concatenate([np.where(odd, 150, 5003), y, 1200 + i, np.where(i == 0, 7700, 1277), np.where(odd, 39, 97), 2 * i + 2003, 3 * i + 3000])
