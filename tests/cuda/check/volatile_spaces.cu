// SPDX-License-Identifier: Apache-2.0
// TEST: volatile accesses of shared memory that a function or a conversion gave race, those of global memory are atomics
// check-args: --block 64 --grid 1
// check converted: bug HD0601 line @converted
// check from_function: bug HD0601 line @step
// check synced: proved
// check second_call: bug HD0601 line @twice
// check second_call_synced: proved
// check global_flag: proved
template <class T>
struct Dynamic {
    __device__ operator T *()
    {
        __shared__ T words[128];
        return words;
    }
};

__device__ void step(volatile int *p, int t, int d)
{
    p[t] = p[t] + p[t + d]; //@step
}

__device__ int twice(volatile int *p, int i)
{
    int old = p[i];
    p[i] = 2 * old; //@twice
    return old;
}

__device__ int *words()
{
    __shared__ int w[128];
    return w;
}

__global__ void converted(const int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 1 <= len(y)
    int *s = Dynamic<int>(), t = threadIdx.x;
    s[t] = x[t];
    s[t + 64] = 0;
    __syncthreads();
    if (t < 32) {
        volatile int *v = s;
        v[t] = v[t] + v[t + 16]; //@converted
    }
    if (t == 0)
        y[0] = s[0];
}

__global__ void synced(const int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 1 <= len(y)
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 64] = 0;
    __syncthreads();
    volatile int *v = s;
    int other = v[t + 16];
    __syncthreads();
    v[t] = v[t] + other;
    if (t == 0)
        y[0] = s[0];
}

__global__ void from_function(const int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 1 <= len(y)
    int *s = words(), t = threadIdx.x;
    s[t] = x[t];
    s[t + 64] = 0;
    __syncthreads();
    if (t < 32)
        step(s, t, 16);
    if (t == 0)
        y[0] = s[0];
}

// The first call has global memory.
__global__ void second_call(int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 64 <= len(y)
    __shared__ int s[64];
    int own[2] = {1, 2}, t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    y[t] = twice(x, t) + twice(s, t / 2) + twice(own, 1);
}

__global__ void second_call_synced(int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 64 <= len(y)
    __shared__ int s[64];
    int own[2] = {1, 2}, t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    y[t] = twice(x, t) + twice(s, 63 - t) + twice(own, 1);
}

__global__ void global_flag(volatile int *flag, int *y)
{
    // heddle: requires 1 <= len(flag) && 64 <= len(y)
    if (threadIdx.x == 0)
        *flag = 1;
    y[threadIdx.x] = *flag;
}
