// SPDX-License-Identifier: Apache-2.0
// TEST: members that are pointers to shared memory, to the thread's own variables, or to several kinds, and members that are references
struct Tile {
    float *p;
    int ld;
    __device__ float &operator()(int i, int j) { return p[i * ld + j]; }
    __device__ float at(int i, int j) const { return p[i * ld + j]; }
};

template <class T, int N> struct Sum {
    T *partial;
    __device__ Sum(T *shared) : partial(shared) {}
    __device__ T operator()(T v)
    {
        partial[threadIdx.x] = v;
        __syncthreads();
        for (int s = N / 2; s > 0; s >>= 1) {
            if (threadIdx.x < s)
                partial[threadIdx.x] += partial[threadIdx.x + s];
            __syncthreads();
        }
        return partial[0];
    }
};

template <int N> struct Scan {
    struct Storage {
        int value[N];
    };
    Storage &storage;
    __device__ Scan(Storage &s) : storage(s) {}
    __device__ int inclusive(int v)
    {
        storage.value[threadIdx.x] = v;
        __syncthreads();
        for (int d = 1; d < N; d *= 2) {
            int add = threadIdx.x >= d ? storage.value[threadIdx.x - d] : 0;
            __syncthreads();
            storage.value[threadIdx.x] += add;
            __syncthreads();
        }
        return storage.value[threadIdx.x];
    }
};

__global__ void tiles(const float *x, float *y)
{
    __shared__ float a[64], b[64];
    Tile s{a, 8}, t{b, 8};
    int i = threadIdx.x / 8, j = threadIdx.x % 8;
    s(i, j) = x[threadIdx.x];
    t(j, i) = 2 * x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s.at(j, i) + 100 * t.at(i, j);
}
// LAUNCH: tiles x[64]=iota y[64]=zeros --block 64 --grid 1
// OUT: y = in_x.reshape(8, 8).T.ravel() * 201

__global__ void sums(const float *x, float *y)
{
    __shared__ float partial[64];
    Sum<float, 64> sum(partial);
    float all = sum(x[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    float squares = sum(all * threadIdx.x);
    y[blockIdx.x * 64 + threadIdx.x] = all + squares;
}
// LAUNCH: sums x[128]=iota y[128]=zeros --block 64 --grid 2
// OUT: y = np.repeat(in_x.reshape(2, 64).sum(1) * (1 + 63 * 32), 64)

__global__ void scans(const int *x, int *y)
{
    typedef Scan<64> S;
    __shared__ typename S::Storage storage;
    y[threadIdx.x] = S(storage).inclusive(x[threadIdx.x]);
}
// LAUNCH: scans x[64]=iota y[64]=zeros --block 64 --grid 1
// OUT: y = np.cumsum(in_x)

// The same class for global and shared memory, and a class for both.
struct Pair {
    const float *from;
    float *to;
};
__device__ void move(Pair p, int i, int k) { p.to[i] = p.from[k] + 1; }
__global__ void mixed(float *x)
{
    __shared__ float a[64];
    Pair in = {x, a}, out = {a, x};
    move(in, threadIdx.x, threadIdx.x);
    __syncthreads();
    move(out, threadIdx.x, 63 - threadIdx.x);
}
// LAUNCH: mixed x[64]=iota --block 64 --grid 1
// OUT: x = in_x[::-1] + 2

struct Rows {
    float *row[2];
    __device__ Rows(float *a, float *b)
    {
        row[0] = a;
        row[1] = b;
    }
};
__global__ void rows(const float *x, float *y)
{
    __shared__ float a[32], b[32];
    Rows r(a, b);
    r.row[0][threadIdx.x] = x[threadIdx.x];
    r.row[1][threadIdx.x] = x[threadIdx.x + 32];
    __syncthreads();
    y[threadIdx.x] = r.row[0][31 - threadIdx.x] - r.row[1][threadIdx.x];
}
// LAUNCH: rows x[64]=iota y[32]=zeros --block 32 --grid 1
// OUT: y = in_x[31::-1] - in_x[32:]

// Of one thread alone.
struct Window {
    float *values;
    int n;
};
__device__ float total(const Window &w)
{
    float t = 0;
    for (int i = 0; i < w.n; i++)
        t += w.values[i];
    return t;
}
struct Counter {
    int &n;
    const int &step;
    __device__ void add() { n += step; }
    __device__ Counter &twice()
    {
        add();
        add();
        return *this;
    }
};
struct Adder {
    float &sum;
    __device__ Adder(float &s) : sum(s) {}
    __device__ void operator+=(float v) { sum += v; }
};
__global__ void own(const float *x, float *y, int n)
{
    float near[3], sum = 0;
    int i = threadIdx.x, count = 10;
    for (int k = 0; k < 3; k++)
        near[k] = x[i + k];
    Window w;
    w.values = near;
    w.n = 3;
    Adder adder(sum);
    adder += total(w);
    w.values[1] = 50;
    adder += total(w);
    Counter c{count, n};
    c.twice().add();
    y[i] += sum + 1000 * count;
}
// LAUNCH: own x[34]=iota y[32]=iota n=7 --block 32 --grid 1
// OUT: y = np.arange(32) * (3 + 2 + 1) + 3 + 2 + 50 + 1000 * 31
