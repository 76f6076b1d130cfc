// SPDX-License-Identifier: Apache-2.0
// TEST: early returns that can't be rewritten are told, and threads that disagree about a barrier; uniform ones need no rewriting
// check-args: --block 64 --grid 1
// check counted: unknown HD0702
// check breaks: unknown HD0705
// check inside: unknown HD0702
// check uniform: proved
// check loads_header: unknown HD0705
// check perhaps: bug HD0515
// check leaves_function: bug HD0515
__global__ void counted(int *x, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    x[t] = __syncthreads_count(t > 3);
}

__global__ void breaks(int *x, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    for (int k = 0; k < 4; k++) {
        __syncthreads();
        if (x[t] == k)
            break;
    }
}

__device__ void meet(int *x)
{
    x[threadIdx.x] += 1;
    __syncthreads();
}

__global__ void inside(int *x, int n)
{
    if (threadIdx.x >= n)
        return;
    meet(x);
}

__global__ void uniform(int n)
{
    __shared__ int s[64];
    if (n < 3)
        return;
    s[threadIdx.x] = 1;
    __syncthreads();
}

__global__ void loads_header(int *x, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    int m = x[t];
    for (int k = 0; k < m; k++)
        __syncthreads();
}

__global__ void perhaps(int *x, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    x[t] = t > 3 ? __syncthreads_count(t) : 0;
}

__device__ void leave(int *x)
{
    if (x[0] > threadIdx.x)
        return;
    __syncthreads();
}

__global__ void leaves_function(int *x, int n)
{
    if (threadIdx.x >= n)
        return;
    leave(x);
}
