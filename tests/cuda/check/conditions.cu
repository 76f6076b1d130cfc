// SPDX-License-Identifier: Apache-2.0
// TEST: conditions around barriers: what differs by construction is refused, what is loaded is proved, refuted or left open, and never taken for proved
// check-args: --block 64 --grid 1
// check by_rank: bug HD0515
// check by_rank_too: bug HD0515
// check by_turns: bug HD0405 line @by_turns
// check by_atomic: bug HD0515
// check by_shuffle: bug HD0515
// check by_choice: bug HD0515
// check read_only: proved
// check loaded: unknown HD0405 this decides which threads get to a barrier, and may differ between threads
// check written: unknown HD0405 the value comes from memory
// check differs: bug HD0405 line @differs a barrier needs one value for all threads of
// check turns_differ: bug HD0405 line @turns
// check own_shared: bug HD0405 line @shared
// check both_sides: unknown HD0405 line @sides
__global__ void by_rank(int *x)
{
    if (threadIdx.x < 16)
        __syncthreads();
}

__global__ void by_rank_too(const int *x)
{
    // heddle: requires 64 <= len(x)
    if (threadIdx.x < 16 && x[0] > 3)
        __syncthreads();
}

__global__ void by_turns(const int *x, int n)
{
    for (int i = threadIdx.x; i < n; i += 64) //@by_turns
        __syncthreads();
}

__global__ void by_atomic(int *x)
{
    // heddle: requires 1 <= len(x)
    if (atomicAdd(x, 1) == 63)
        __syncthreads();
}

__global__ void by_shuffle()
{
    int first = __shfl_sync(0xffffffff, threadIdx.x, 0);
    if (first == 0)
        __syncthreads();
}

__global__ void by_choice(const int *x)
{
    // heddle: requires 1 <= len(x)
    int v = 0;
    if (threadIdx.x == 0)
        v = x[0];
    if (v)
        __syncthreads();
}

__global__ void read_only(const int *__restrict__ x, int *y)
{
    // heddle: requires 1 <= len(x) && 64 <= len(y)
    __shared__ int s[64];
    if (x[0] > 3) {
        s[threadIdx.x] = 1;
        __syncthreads();
        y[threadIdx.x] = s[63 - threadIdx.x];
    }
}

__global__ void loaded(int *x)
{
    // heddle: requires 65 <= len(x)
    __shared__ int s[64];
    int v = x[64];
    x[threadIdx.x] = v;
    if (x[64] > v) {
        s[threadIdx.x] = 1;
        __syncthreads();
    }
}

// In the phase of the load, thread 0 writes what is read.
__global__ void written(int *x)
{
    // heddle: requires 2 <= len(x)
    int k = 0;
    while (x[0] > k && k < 3) {
        __syncthreads();
        if (threadIdx.x == 0)
            x[0] = x[1];
        __syncthreads();
        k++;
    }
}

__global__ void differs(const int *x)
{
    // heddle: requires 64 <= len(x)
    if (x[threadIdx.x] > 0) //@differs
        __syncthreads();
}

__global__ void turns_differ(const int *x)
{
    // heddle: requires 64 <= len(x)
    for (int k = 0; k < x[threadIdx.x] && k < 9; k++) //@turns
        __syncthreads();
}

__global__ void own_shared()
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (s[threadIdx.x] > 4) //@shared
        __syncthreads();
}

__device__ bool meet()
{
    __syncthreads();
    return true;
}

__global__ void both_sides(int *x)
{
    // heddle: requires 65 <= len(x)
    if (x[0] > 3 && meet()) //@sides
        x[1 + threadIdx.x] = 5;
}
