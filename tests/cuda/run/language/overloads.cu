// SPDX-License-Identifier: Apache-2.0
// TEST: overloads by type, count, reference and const; default arguments; templates beside functions
__device__ int kind(int) { return 1; }
__device__ int kind(unsigned) { return 2; }
__device__ int kind(float) { return 3; }
__device__ int kind(double) { return 4; }
__device__ int kind(const int *) { return 5; }
__device__ int kind(float4) { return 6; }
__device__ int kind(long long) { return 7; }
template <class T> __device__ int kind(T *) { return 8; }
__device__ int kind(int, int b) { return 10 * b; }
__device__ float scale(float v, float by = 2.0f, int plus = 1) { return v * by + plus; }
__device__ void both(int a, int &sum, int *product = nullptr)
{
    sum += a;
    if (product)
        *product *= a;
}

__global__ void overloads(const int *x, int *out, float *f)
{
    int i = threadIdx.x, v = x[i], sum = 0, product = 1, k = 0, n = blockDim.x;
    short small = 3;
    unsigned char tiny = 4;
    out[k++ * n + i] = kind(v);
    out[k++ * n + i] = kind((unsigned)v);
    out[k++ * n + i] = kind(1.0f);
    out[k++ * n + i] = kind(v * 1.0);
    out[k++ * n + i] = kind(x);
    out[k++ * n + i] = kind(make_float4(1, 2, 3, 4));
    out[k++ * n + i] = kind(1LL);
    out[k++ * n + i] = kind(f);
    out[k++ * n + i] = kind(1, 2);
    out[k++ * n + i] = kind(small) + kind(tiny) + kind(true) + kind('c');
    out[k++ * n + i] = kind(v ? 1.0f : 2);
    both(v, sum);
    both(3, sum, &product);
    out[k++ * n + i] = sum + 100 * product;
    f[0 * n + i] = scale(v);
    f[1 * n + i] = scale(v, 3.0f);
    f[2 * n + i] = scale(v, 0.5f, 7);
}
// PY: def reference(x):
// PY:     c = [1, 2, 3, 4, 5, 6, 7, 8, 20, 4, 3]
// PY:     return np.concatenate([np.full(len(x), v) for v in c] + [x + 3 + 300])
// LAUNCH: x[32]=iota out[384]=zeros f[96]=zeros --block 32 --grid 1
// OUT: out = reference(in_x)
// OUT: f = np.concatenate([in_x * 2 + 1, in_x * 3 + 1, in_x / 2 + 7])
