// SPDX-License-Identifier: Apache-2.0
// TEST: early returns, also of functions, that can't be rewritten are told, and threads that disagree about a barrier; uniform ones need no rewriting
// check-args: --block 64 --grid 1
// check counted: unknown HD0702
// check breaks: unknown HD0705
// check inside: unknown HD0702
// check uniform: proved
// check loads_header: unknown HD0705
// check perhaps: bug HD0515
// check leaves_function: proved
// check leaves_twice: bug HD0515
// check chosen_by_all: proved
// check leaves_alone: proved
// check leaves_before_more: bug HD0405
// check leaves_and_writes: bug HD0405
// check leaves_and_races: bug HD0601 line @race
// check counts_turns: unknown HD0705
// check more_turns: bug HD0705
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
    // heddle: requires 1 <= len(x)
    if (threadIdx.x >= n)
        return;
    leave(x);
}

// Who has left the first call comes to the barrier of the second.
__global__ void leaves_twice(int *x, int n)
{
    if (threadIdx.x >= n)
        return;
    leave(x);
    leave(x);
}

__global__ void chosen_by_all(int *x, int n, int flag)
{
    // heddle: requires n <= len(x)
    int t = threadIdx.x;
    if (t >= n)
        return;
    x[t] = flag > 3 ? __syncthreads_count(t) : 0;
}

__device__ int neighbour(int *s, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return 0;
    s[t] = t;
    __syncthreads();
    return s[n - 1 - t];
}

__device__ void reversed(int *s, int *x, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t] = t;
    __syncthreads();
    x[t] = s[n - 1 - t];
}

__global__ void leaves_alone(int *x, int n)
{
    // heddle: requires 64 <= len(x)
    __shared__ int s[64];
    if (n > 64)
        return;
    reversed(s, x, n);
}

// Who has left the call goes on before the others come to the barrier.
__global__ void leaves_and_writes(int *x, int n)
{
    // heddle: requires 64 <= len(x) && n <= 64
    __shared__ int s[64];
    reversed(s, x, n);
    x[threadIdx.x] = 1;
}

__global__ void leaves_before_more(int *x, int n)
{
    // heddle: requires 64 <= len(x) && n <= 64
    __shared__ int s[64];
    int v = neighbour(s, n);
    __syncthreads();
    x[threadIdx.x] = v;
}

__device__ void too_early(int *s, int *x, int n)
{
    int t = threadIdx.x;
    if (t >= n) {
        x[t] = s[0];
        return;
    }
    s[t] = t; //@race
    __syncthreads();
    x[t] = s[n - 1 - t];
}

__global__ void leaves_and_races(int *x, int n)
{
    // heddle: requires 64 <= len(x)
    __shared__ int s[64];
    if (n > 64)
        return;
    too_early(s, x, n);
}

// The vote takes the place of what is stated.
__global__ void counts_turns(int *x, int n)
{
    // heddle: requires 64 <= len(x)
    int t = threadIdx.x;
    if (t >= n)
        return;
    for (unsigned k = t; k < t + 4; k++)
        __syncthreads();
    x[t] = 1;
}

__global__ void more_turns(int *x, int n)
{
    // heddle: requires 64 <= len(x)
    int t = threadIdx.x;
    if (t >= n)
        return;
    for (unsigned k = t; k < n; k += 32)
        __syncthreads();
    x[t] = 1;
}
