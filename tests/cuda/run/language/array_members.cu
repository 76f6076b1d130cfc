// SPDX-License-Identifier: Apache-2.0
// TEST: members that are arrays, of numbers and of objects, begin as their initialisers and constructors say
// REF: docs/reference/cuda.md#language
struct Item {
    int x;
    __device__ Item() : x(7) {}
    __device__ Item(int x) : x(x) {}
};

struct Sums {
    float acc[4] = {0};
    int n;
    __device__ Sums(int n) : n(n) {}
};

struct Table {
    int m[2][3] = {{1, 2, 3}, {4}};
    int rest[3] = {};
    Item items[3];
    __device__ Table() {}
};

struct Listed {
    int d[4];
    Item items[2];
    __device__ Listed(int v) : d{v, v + 1}, items{Item(v), 9} {}
};

template <int N> struct Both {
    int d[N]{};
    struct Part {
        int a = 1, b = 2;
    } parts[N];
    __device__ Both() = default;
    __device__ explicit Both(int v) { d[1] = v; }
};

struct Inside {
    Listed listed;
    Both<3> both;
    __device__ Inside(int v) : listed(v), both(v + 1) {}
};

struct Zeros {
    float4 v[2];
    float s[2][2];
    Item after[2];
    __device__ Zeros() : v{}, s() {}
};

__global__ void arrays(int *out)
{
    int i = threadIdx.x, k = 0;
    Sums sums(i);
    sums.acc[1] += 3;
    out[k++ * 32 + i] = sums.acc[1] + sums.acc[3] + sums.n;
    Table t;
    out[k++ * 32 + i] = t.m[1][0] * 1000 + t.m[0][1] * 100 + (t.m[1][2] + t.rest[2]) * 10 + t.items[2].x;
    Listed l(i);
    out[k++ * 32 + i] = l.d[1] + 100 * l.d[3] + 1000 * l.items[0].x + 100000 * l.items[1].x;
    Both<3> plain, given(i);
    out[k++ * 32 + i] = plain.d[1] + given.d[1] * 10 + given.d[2] + given.parts[2].b * 1000 + plain.parts[0].a;
    Inside inside(i);
    out[k++ * 32 + i] = inside.both.d[1] + 100 * inside.listed.items[1].x;
    Zeros z;
    z.v[1].y = 3;
    out[k++ * 32 + i] = z.v[1].x + z.v[1].y + z.s[1][1] + z.after[1].x;
    Sums several[2] = {Sums(i), 4};
    Table tables[2];
    out[k++ * 32 + i] = several[1].n * 10 + several[0].acc[2] + tables[1].m[0][2] + tables[1].items[1].x;
}
// PY: i = np.arange(32)
// LAUNCH: out[224]=zeros --block 32 --grid 1
// LAUNCH: out[224]=zeros --block 32 --grid 1 --sanitize
// OUT: out = np.concatenate([i + 3, 0 * i + 4207, i + 1 + 1000 * i + 900000, 10 * i + 2001, i + 901, 0 * i + 10, 0 * i + 50])
