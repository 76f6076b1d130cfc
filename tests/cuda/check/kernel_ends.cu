// SPDX-License-Identifier: Apache-2.0
// TEST: threads with only the kernel's end before them are not missed by whole warps
// check-args: --block 64 --grid 1
// check guarded: bug HD0603 line @last 'the value of an absent lane' is read before it has a value
// check nested: proved
// check strided: proved
// check counted: proved
// check with_break: proved
// check in_function: proved
// check then_or_else: bug HD0705 line @other
// check more_behind: bug HD0705 line @behind
// check more_in_outer: bug HD0705 line @outer
// check in_a_turn: bug HD0705 line @turn
// check turn_goes_on: bug HD0705 line @on
__global__ void guarded(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x)
    // heddle: requires n <= len(y)
    int i = threadIdx.x;
    if (i < n) {
        int v = x[i];
        __syncwarp();
        v += __shfl_down_sync(0xffffffff, v, 1);
        y[i] = v; //@last
    }
}
__global__ void nested(int *y, int n, int m)
{
    // heddle: requires n <= len(y)
    int i = threadIdx.x;
    if (i < n) {
        y[i] = 1;
        if (i % 3 < m) {
            __syncwarp();
            y[i] = 2;
        }
    }
}
__global__ void strided(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x)
    // heddle: requires n <= len(y)
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int v = x[i];
        __syncwarp();
        y[i] = v;
    }
}
__global__ void counted(int *y)
{
    // heddle: requires 64 <= len(y)
    int s = 0;
    for (int i = 0; i < threadIdx.x; i++) {
        __syncwarp();
        y[threadIdx.x] = ++s;
    }
}
__global__ void with_break(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    int i = threadIdx.x;
    while (true) {
        if (i >= n)
            break;
        __syncwarp();
        y[threadIdx.x] = i;
        i += 64;
    }
}
__device__ void body(int *y, int n)
{
    if (threadIdx.x >= n)
        return;
    __syncwarp();
    y[threadIdx.x] = 1;
}
__global__ void in_function(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    if (n > 3)
        body(y, n);
}
__global__ void then_or_else(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    if (threadIdx.x < n)
        __syncwarp(); //@other
    else
        y[threadIdx.x] = 1;
}
__global__ void more_behind(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    if (threadIdx.x < n)
        __syncwarp(); //@behind
    y[threadIdx.x] = 1;
}
__global__ void more_in_outer(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    if (threadIdx.x < n) {
        if (threadIdx.x % 2 == 0)
            __syncwarp(); //@outer
        y[threadIdx.x] = 1;
    }
}
__global__ void in_a_turn(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    for (int i = 0; i < n; i++)
        if (threadIdx.x % 32 > i) {
            y[threadIdx.x] = i;
            __syncwarp(); //@turn
        }
}
__global__ void turn_goes_on(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    for (int i = threadIdx.x; i < n; i++) {
        if (i % 2)
            continue;
        y[threadIdx.x] = i;
        __syncwarp(); //@on
    }
}
