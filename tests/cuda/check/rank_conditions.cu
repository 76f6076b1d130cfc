// SPDX-License-Identifier: Apache-2.0
// TEST: conditions around barriers in which a rank cancels out are proved, and those in which it doesn't are bugs with a witness
// check-args: --block 64 --grid 1
// check both_sides: proved
// check one_side: bug HD0405 line @one_side
// check other_step: bug HD0405 line @other_step
// check rounded: proved
// check rounded_less: bug HD0405 line @less
// check as_it_is: bug HD0405 line @as_it_is
// check required: proved
// check unsigned_up: proved
// check grid_stride: proved
// check grid_stride_down: bug HD0405 line @down
// check left_in_the_middle: bug HD0405 line @middle
// check left_together: proved
// check chosen: proved
// check chosen_apart: bug HD0405 line @apart
// check loaded_choice: proved
// check loaded_apart: bug HD0405 line @loaded
// check whole_parts: proved
// check parts: bug HD0405 line @parts
// check other_parts: bug HD0405 line @other_parts
// check from_turns: bug HD0515
// check from_one: bug HD0515
__device__ float back(float *s, float v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    float other = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return other;
}

__global__ void both_sides(int b, int e, int step)
{
    // heddle: requires 1 <= step
    __shared__ float s[64];
    const int tid = threadIdx.x;
    float sum = 0;
    for (int t = b * 64 + tid; t < e * 64 + tid; t += step)
        sum += back(s, t);
}

__global__ void one_side(int b, int e)
{
    __shared__ float s[64];
    const int tid = threadIdx.x;
    float sum = 0;
    for (int t = b + tid; t < e; t += 64) //@one_side
        sum += back(s, t);
}

__global__ void other_step(int e)
{
    __shared__ float s[64];
    const int tid = threadIdx.x;
    float sum = 0;
    for (int t = tid; t < e + tid; t += 1 + tid % 2) //@other_step
        sum += back(s, t);
}

__global__ void rounded(const float *x, int n)
{
    // heddle: requires n <= len(x)
    __shared__ float s[64];
    const int up = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
    float sum = 0;
    for (int i = threadIdx.x; i < up; i += blockDim.x)
        sum += back(s, i < n ? x[i] : 0);
}

__global__ void rounded_less(const float *x, int n)
{
    // heddle: requires n <= len(x)
    __shared__ float s[64];
    const int up = (n + 31) / 32 * 32;
    float sum = 0;
    for (int i = threadIdx.x; i < up; i += blockDim.x) //@less
        sum += back(s, i < n ? x[i] : 0);
}

__global__ void as_it_is(const float *x, int n)
{
    // heddle: requires n <= len(x)
    __shared__ float s[64];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) //@as_it_is
        sum += back(s, x[i]);
}

__global__ void required(const float *x, int n)
{
    // heddle: requires n <= len(x) && n % 64 == 0
    __shared__ float s[64];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += back(s, x[i]);
}

__global__ void unsigned_up(unsigned n)
{
    __shared__ float s[64];
    const unsigned up = (n + 63) & ~63u;
    float sum = 0;
    for (unsigned i = threadIdx.x; i < up; i += blockDim.x)
        sum += back(s, i);
}

__global__ void grid_stride(int n)
{
    __shared__ float s[64];
    const int up = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < up;
         i += gridDim.x * blockDim.x)
        sum += back(s, i);
}

__global__ void grid_stride_down(int n)
{
    __shared__ float s[64];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x;
         i < n; //@down
         i += gridDim.x * blockDim.x)
        sum += back(s, i);
}

__global__ void left_in_the_middle(int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    float sum = 0;
    while (true) {
        if (i >= n) //@middle
            break;
        sum += back(s, i);
        i += 64;
    }
}

__global__ void left_together(int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    float sum = 0;
    while (true) {
        if (i >= n * 64)
            break;
        sum += back(s, i);
        i += 64;
    }
}

__global__ void chosen(int n)
{
    // heddle: requires 0 <= n && n < 9
    __shared__ float s[64];
    float v = 1;
    switch ((threadIdx.x + 64 * n) / 64) {
    case 1: v = back(s, 3); break;
    case 2: v = back(s, v); break;
    }
}

__global__ void chosen_apart(int n)
{
    // heddle: requires 0 <= n && n < 9
    __shared__ float s[64];
    float v = 1;
    switch ((threadIdx.x + 60 * n) / 64) { //@apart
    case 1: v = back(s, 3); break;
    case 2: v = back(s, v); break;
    }
}

// Nothing is written while it is read.
__global__ void loaded_choice(const int *__restrict__ x, float *y)
{
    // heddle: requires 1 <= len(x) && 64 <= len(y)
    __shared__ float s[64];
    float v = 1;
    switch (x[0]) {
    case 1: v = back(s, 3); break;
    case 2: v = back(s, v); break;
    }
    y[threadIdx.x] = v;
}

__global__ void loaded_apart(const int *x)
{
    // heddle: requires 64 <= len(x)
    __shared__ float s[64];
    float v = 1;
    switch (x[threadIdx.x]) { //@loaded
    case 1: v = back(s, 3); break;
    case 2: v = back(s, v); break;
    }
}

// By which way a thread came is no value that could cancel out.
__global__ void from_turns()
{
    int v = 0;
    for (int k = 0; k < threadIdx.x; k++)
        v += k;
    if (v > 100000)
        __syncthreads();
}

__global__ void from_one(const int *x, int n)
{
    // heddle: requires 1 <= len(x)
    int v = n;
    if (threadIdx.x == 0)
        v = x[0];
    if (v > threadIdx.x)
        __syncthreads();
}

// A part for each row of the block, as long as n has as much: `?:` is a value.
__global__ void whole_parts(const float *x, int n)
{
    // heddle: requires n <= len(x) && n % 64 == 0 && 1 <= n && gridDim.x * 64 <= n
    __shared__ float s[64];
    const int first = (blockIdx.x * 64 + threadIdx.x) / 8 * 8;
    const int end = n < first + 8 ? n : first + 8;
    float sum = 0;
    for (int i = first; i < end; i += 2)
        sum += back(s, x[i]);
}

__global__ void parts(const float *x, int n)
{
    // heddle: requires n <= len(x)
    __shared__ float s[64];
    const int first = (blockIdx.x * 64 + threadIdx.x) / 8 * 8;
    const int end = n < first + 8 ? n : first + 8;
    float sum = 0;
    for (int i = first; i < end; i += 2) //@parts
        sum += back(s, x[i]);
}

__global__ void other_parts(const float *x, int n)
{
    // heddle: requires n <= len(x)
    __shared__ float s[64];
    float sum = 0;
    for (int i = 0; i < (threadIdx.x < 32 ? n : n + 1); i++) //@other_parts
        sum += back(s, i);
}
