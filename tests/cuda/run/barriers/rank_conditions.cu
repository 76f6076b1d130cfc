// SPDX-License-Identifier: Apache-2.0
// TEST: barriers under conditions that hold a rank: it cancels out, or the run stops
// REF: docs/reference/cuda.md#positions-barriers-warps
// NO-IR: only CUDA C tests in plain runs what HD0405 states
__device__ int back(int *s, int v)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    s[t] = v;
    __syncthreads();
    int other = s[n - 1 - t];
    __syncthreads();
    return other;
}

__global__ void both_sides(const int *x, int b, int e, int step, int *y)
{
    __shared__ int s[64];
    const int tid = threadIdx.x;
    int sum = 0;
    for (int t = b + tid; t < e + tid; t += step)
        sum += back(s, x[t]);
    y[tid] = sum;
}
// LAUNCH: both_sides --block 64 --grid 1 b=1 e=9 step=3 x[80]=iota y[64]=zeros
// OUT: y = 1 + 4 + 7 + 3 * (63 - np.arange(64))
// LAUNCH: both_sides --sanitize --block 64 --grid 1 b=1 e=9 step=3 x[80]=iota y[64]=zeros
// OUT: y = 1 + 4 + 7 + 3 * (63 - np.arange(64))

__global__ void strides(const int *x, int n, int up, int *y)
{
    __shared__ int s[64];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < up;
         i += gridDim.x * blockDim.x)
        sum += back(s, i < n ? x[i] : 0);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// LAUNCH: strides --block 64 --grid 2 n=300 up=320 x[300]=iota y[128]=zeros
// OUT: y = [sum(i for i in range(64 * b + 63 - t, 300, 128)) for b in range(2) for t in range(64)]
// LAUNCH: strides --block 64 --grid 2 n=300 up=300 x[300]=iota y[128]=zeros
// EXIT: 1
// STDERR: rank_conditions.cu:33:57: assertion failed: 'all threads of the block agree on this, which decides which threads get to a barrier (HD0405)'
// STDERR: block (0, 0, 0)
// LAUNCH: strides --sanitize --block 64 --grid 2 n=300 up=300 x[300]=iota y[128]=zeros
// EXIT: 1
// STDERR: rank_conditions.cu:33:57: error[HD0405]: 'uniform' states one value for all threads of the block, but there are several

__global__ void of_two_dimensions(int n, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.y * blockDim.x + threadIdx.x, sum = 0;
    int i = t;
    while (true) {
        if (i >= n)
            break;
        sum += back(s, i);
        i += 64;
    }
    y[t] = sum;
}
// LAUNCH: of_two_dimensions --block 16,4 --grid 1 n=128 y[64]=zeros
// OUT: y = 63 + 127 - 2 * np.arange(64)
// LAUNCH: of_two_dimensions --block 16,4 --grid 1 n=127 y[64]=zeros
// EXIT: 1
// STDERR: (HD0405)

__global__ void chosen(int n, int step, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    switch ((t + n * step) / 64) {
    case 0: y[t] = 7; break;
    case 1: y[t] = back(s, t); break;
    case 2: y[t] = back(s, 2 * t); break;
    }
}
// LAUNCH: chosen --block 64 --grid 1 n=0 step=64 y[64]=zeros
// OUT: y = 7
// LAUNCH: chosen --block 64 --grid 1 n=2 step=64 y[64]=zeros
// OUT: y = 126 - 2 * np.arange(64)
// LAUNCH: chosen --block 64 --grid 1 n=1 step=60 y[64]=zeros
// EXIT: 1
// STDERR: (HD0405)

__global__ void loaded_choice(int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    switch (x[0]) {
    case 0: y[t] = 7; break;
    case 1: y[t] = back(s, t);
    case 2: y[t] += back(s, 2 * t); break;
    default: x[1 + t] = back(s, t);
    }
}
// LAUNCH: loaded_choice --block 64 --grid 1 x[65]=full:0 y[64]=zeros
// OUT: y = 7
// LAUNCH: loaded_choice --block 64 --grid 1 x[65]=full:1 y[64]=zeros
// OUT: y = 3 * (63 - np.arange(64))

// Values differ, what they come to doesn't.
__global__ void not_zero(const float *f, int n, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (n + t)
        y[t] = back(s, t);
    while (f[t]) {
        y[t] += back(s, 1);
        break;
    }
}
// LAUNCH: not_zero --block 64 --grid 1 f[64]=full:2 n=1 y[64]=zeros
// OUT: y = 64 - np.arange(64)
// LAUNCH: not_zero --sanitize --block 64 --grid 1 f[64]=full:2 n=1 y[64]=zeros
// OUT: y = 64 - np.arange(64)
// LAUNCH: not_zero --block 64 --grid 1 f[64]=full:0 n=-3 y[64]=zeros
// EXIT: 1
// STDERR: (HD0405)
