// SPDX-License-Identifier: Apache-2.0
// TEST: sums of blocks: with a barrier too few they race, with all of them they don't
// check-args: --block 256 --grid 4
// check volatile_tail: bug HD0601 line @volatile_tail
// check synced_tail: proved
// check no_sync_in_loop: bug HD0601 line @no_sync_in_loop
// check in_loop: proved
// check no_sync_after_load: bug HD0601
// check divided: bug HD0405 line @divided
// check shuffled: proved
// check shuffled_no_sync: bug HD0601
__global__ void volatile_tail(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ volatile float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 128; d > 32; d >>= 1) {
        if (t < d)
            s[t] = s[t] + s[t + d];
        __syncthreads();
    }
    if (t < 32) {
        s[t] = s[t] + s[t + 32];
        s[t] = s[t] + s[t + 16]; //@volatile_tail
        s[t] = s[t] + s[t + 8];
        s[t] = s[t] + s[t + 4];
        s[t] = s[t] + s[t + 2];
        s[t] = s[t] + s[t + 1];
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__global__ void synced_tail(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 128; d > 32; d >>= 1) {
        if (t < d)
            s[t] = s[t] + s[t + d];
        __syncthreads();
    }
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int d = 16; d > 0; d >>= 1) {
            s[t] = v;
            __syncwarp();
            v += s[t ^ d];
            __syncwarp();
        }
        if (t == 0)
            y[blockIdx.x] = v;
    }
}

__global__ void no_sync_in_loop(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d]; //@no_sync_in_loop
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__global__ void in_loop(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__global__ void no_sync_after_load(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__global__ void divided(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d) { //@divided
            s[t] += s[t + d];
            __syncthreads();
        }
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

__global__ void shuffled(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float v = warp_sum(i < n ? x[i] : 0);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = warp_sum(t < 8 ? part[t] : 0);
        if (t == 0)
            y[blockIdx.x] = v;
    }
}

__global__ void shuffled_no_sync(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 4 <= len(y)
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float v = warp_sum(i < n ? x[i] : 0);
    if (t % 32 == 0)
        part[t / 32] = v;
    if (t < 32) {
        v = warp_sum(t < 8 ? part[t] : 0);
        if (t == 0)
            y[blockIdx.x] = v;
    }
}
