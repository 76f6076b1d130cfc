// SPDX-License-Identifier: Apache-2.0
// TEST: indices past the arrays are bugs where sizes are known, unknown where they aren't
// check-args: --block 128
// check no_guard: bug HD0702
// check guard: proved
// check halo: bug HD0702
// check clamped: proved
// check sizes_unknown: unknown HD0702
// check shared_past: bug HD0702
__global__ void no_guard(const float *x, float *y, int n)
{
    // heddle: requires n == len(x) && n == len(y) && gridDim.x == (n + 127) / 128
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}

__global__ void guard(const float *x, float *y, int n)
{
    // heddle: requires n == len(x) && n == len(y)
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}

__global__ void halo(const float *x, float *y, int n)
{
    // heddle: requires n == len(x) && n == len(y)
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] + x[i + 1];
}

__global__ void clamped(const float *x, float *y, int n)
{
    // heddle: requires n == len(x) && n == len(y)
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] + x[min(i + 1, n - 1)];
}

__global__ void sizes_unknown(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}

__global__ void shared_past(float *y)
{
    // heddle: requires 128 <= len(y) && gridDim.x == 1
    __shared__ float s[127];
    s[threadIdx.x] = 1.0f;
    y[threadIdx.x] = s[threadIdx.x];
}
