// SPDX-License-Identifier: Apache-2.0
// TEST: for (T x : range): classes with begin() and end(), functions of these names, arrays, views, names of the body that are called begin and end
struct Count {
    int lo, hi;
    struct Iterator {
        int at;
        __device__ int operator*() const { return at; }
        __device__ Iterator &operator++()
        {
            ++at;
            return *this;
        }
        __device__ bool operator!=(const Iterator &other) const { return at != other.at; }
    };
    __device__ Iterator begin() const { return Iterator{lo}; }
    __device__ Iterator end() const { return Iterator{hi}; }
};

template <class T> struct View {
    T *data;
    int n;
    __device__ T *begin() { return data; }
    __device__ T *end() { return data + n; }
};

// for (auto i : spread(n)): all threads of the grid share the work.
template <class T> struct Spread {
    T n;
    struct Iterator {
        T at, step;
        __device__ T operator*() { return at; }
        __device__ void operator++() { at += step; }
        __device__ bool operator!=(Iterator last) { return at < last.at; }
    };
    __device__ Iterator begin()
    {
        return {T(blockIdx.x * blockDim.x + threadIdx.x), T(gridDim.x * blockDim.x)};
    }
    __device__ Iterator end() { return {n, 0}; }
};
template <class T> __device__ Spread<T> spread(T n) { return {n}; }

namespace lists {
struct Three {
    int v[3];
};
__device__ int *begin(Three &t) { return t.v; }
__device__ int *end(Three &t) { return t.v + 3; }
} // namespace lists

struct Point {
    int x, y;
};

__global__ void ranges(const float *x, float *y, int n)
{
    float sum = 0, begin = 1, end = 2;
    for (int i : Count{1, n})
        sum += x[i] * begin;
    View<const float> view{x, n};
    for (auto v : view)
        sum += v * end;
    View<float> mine{y + 4 * threadIdx.x, 4};
    for (float &v : mine) {
        if (v > 100)
            continue;
        v = v + sum;
        if (threadIdx.x == 3)
            break;
    }
}
// LAUNCH: ranges x[5]=iota y[16]=iota n=5 --block 4 --grid 1
// PY: def ranges():
// PY:     y = np.arange(16, dtype=np.float32) + 30
// PY:     y[13:] -= 30
// PY:     return y
// OUT: y = ranges()

__global__ void shared_work(const float *x, float *y, int n)
{
    for (auto i : spread(unsigned(n)))
        for (auto k : Count{0, 3})
            y[i] += x[i] * k;
}
// LAUNCH: shared_work x[50]=iota y[50]=zeros n=50 --block 8 --grid 3
// OUT: y = 3 * in_x

__global__ void others(int *out)
{
    lists::Three three = {{1, 2, int(threadIdx.x)}};
    Point points[2] = {{1, 2}, {int(threadIdx.x), 4}};
    int sum = 0, table[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (int &v : three)
        v *= 10;
    for (int v : three)
        sum += v;
    for (auto [a, b] : points)
        sum += 1000 * a * b;
    for (auto &row : table)
        for (int &v : row)
            v += sum;
    for (int k = 0; int v : table[1])
        sum += v * k++;
    out[threadIdx.x] = sum;
}
// LAUNCH: others out[8]=zeros --block 8 --grid 1
// PY: def others(i):
// PY:     s = 30 + 10 * i + 2000 + 4000 * i
// PY:     return s + (s + 5) + 2 * (s + 6)
// OUT: out = others(np.arange(8))
