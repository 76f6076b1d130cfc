// SPDX-License-Identifier: Apache-2.0
// TEST: references: parameters, results, locals, elements, shared memory, const references to temporaries
__device__ void swap(int &a, int &b)
{
    int t = a;
    a = b;
    b = t;
}

__device__ int &larger(int &a, int &b) { return a > b ? a : b; }
__device__ const float &pick(const float *p, int k) { return p[k]; }
template <class T> __device__ void order(T &a, T &b)
{
    if (b < a) {
        T t = a;
        a = b;
        b = t;
    }
}
__device__ int read(const int &v) { return v + 1; }
__device__ void fill(int (&a)[3], int v) { a[0] = a[1] = a[2] = v; }
struct Pair {
    int first, second;
};
__device__ void bump(Pair &p) { p.second++; }

__global__ void references(const int *x, const float *f, int *out, float *g)
{
    __shared__ int s[64];
    int i = threadIdx.x, n = blockDim.x, a = x[i], b = 20, k = 0;
    int &slot = s[i];
    slot = a;
    __syncthreads();
    order(a, b);
    out[k++ * n + i] = a + 100 * b;
    larger(a, b) = -1;
    out[k++ * n + i] = a + 100 * b;
    swap(a, b);
    out[k++ * n + i] = a;
    int both[3];
    fill(both, read(5) + read(slot));
    int &last = both[2];
    last += 3;
    out[k++ * n + i] = both[0] + both[2];
    Pair p = {1, s[63 - i]};
    Pair &q = p;
    bump(q);
    auto &[one, two] = p;
    two += one;
    out[k++ * n + i] = p.second;
    int &target = out[k++ * n + i];
    target = 5;
    target += slot;
    g[i] = pick(f, i) + 1.0f;
}
// PY: def reference(x):
// PY:     a, b = np.minimum(x, 20), np.maximum(x, 20)
// PY:     tie = a == b
// PY:     a2, b2 = np.where(tie, a, a), np.where(tie, -1, -1)
// PY:     return np.concatenate([a + 100 * b, a2 + 100 * b2, b2, 2 * (6 + x + 1) + 3, x[::-1] + 2, x + 5])
// LAUNCH: references x[64]=iota f[64]=random:2 out[384]=zeros g[64]=zeros --block 64 --grid 1
// OUT: out = reference(in_x)
// OUT: g = in_f + np.float32(1)

// What a row is called stays that row when its index changes.
__global__ void rows(int *x)
{
    int t[3][2] = {{1, 2}, {3, 4}, {5, 6}}, i = 0;
    auto &first = t[i];
    int(&second)[2] = t[i + 1];
    const int(*third)[2] = t + 2;
    i = 2;
    second[0] += 10;
    x[threadIdx.x] = first[0] + 10 * second[1] + 100 * t[1][0] + 10000 * (*third)[1];
}
// LAUNCH: rows x[4]=zeros --block 4 --grid 1
// OUT: x = 1 + 40 + 1300 + 60000

// A reference to const rows takes rows that aren't const.
__device__ int corners(const int (&t)[3][2], int k) { return t[0][k] + 100 * t[2][1 - k]; }
__global__ void const_rows(int *x)
{
    int t[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    t[2][0] += threadIdx.x;
    const int(&same)[3][2] = t;
    t[0][1] += 10;
    x[threadIdx.x] = corners(t, 1) + 10000 * same[0][1];
}
// LAUNCH: const_rows x[4]=zeros --block 4 --grid 1
// OUT: x = 12 + 100 * (5 + np.arange(4)) + 120000
