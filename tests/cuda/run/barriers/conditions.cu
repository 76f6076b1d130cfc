// SPDX-License-Identifier: Apache-2.0
// TEST: barriers under conditions that all threads have alike, though nothing shows it: values from memory
// REF: docs/reference/cuda.md#positions-barriers-warps
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// As solvers do it: the residual is read again in each turn.
__global__ void halve(float *r, float tolerance, int most, int *turns)
{
    cg::grid_group grid = cg::this_grid();
    int k = 0;
    float old = *r;
    cg::sync(grid);
    while (old > tolerance * tolerance && k <= most) {
        if (grid.thread_rank() == 0)
            *r = old * 0.5f;
        cg::sync(grid);
        old = *r;
        cg::sync(grid);
        k++;
    }
    turns[grid.thread_rank()] = k;
}
// LAUNCH: halve --block 64 --grid 3 r[1]=full:9 tolerance=0.1 most=20 turns[192]=zeros
// OUT: turns = 10
// OUT: r = 9 / 1024
// LAUNCH: halve --block 64 --grid 3 r[1]=full:9 tolerance=0.1 most=3 turns[192]=zeros
// OUT: turns = 4

__device__ int reversed(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    int other = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return other;
}

// Rows of a sparse matrix; the loop's bounds are loaded.
__global__ void rows(const int *begin, const int *x, int *y)
{
    __shared__ int s[64];
    int sum = 0;
    for (int i = 8 * begin[blockIdx.x]; i < 8 * begin[blockIdx.x + 1]; i += 4)
        sum += reversed(s, x[i]) + (int)threadIdx.x;
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// LAUNCH: rows --block 64 --grid 2 begin[3]=iota x[32]=iota y[128]=zeros
// OUT: y = [16 * b + 4 + 2 * t for b in range(2) for t in range(64)]

__global__ void chosen(const int *mode, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int v = mode[0] > 3 ? reversed(s, t) : t;
    if (mode[1] > 3 && reversed(s, t) != 63 - t)
        v = -1;
    bool is_odd = mode[2] <= 3 || reversed(s, t) % 2;
    y[t] = v + 100 * is_odd;
}
// LAUNCH: chosen --block 64 --grid 1 mode[3]=full:2 y[64]=zeros
// OUT: y = np.arange(64) + 100
// LAUNCH: chosen --block 64 --grid 1 mode[3]=full:9 y[64]=zeros
// OUT: y = [63 - t + 100 * ((63 - t) % 2) for t in range(64)]

__global__ void leaves(const int *x, int last, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 100; k++) {
        if (x[k] == last)
            break;
        if (x[k] == 3)
            continue;
        sum += x[k] * reversed(s, t);
    }
    y[t] = sum;
}
// LAUNCH: leaves --block 64 --grid 1 x[12]=iota last=10 y[64]=zeros
// OUT: y = (sum(range(10)) - 3) * (63 - np.arange(64))

#define TURNS(c)                          \
    while (c) {                           \
        if (threadIdx.x == 0)             \
            x[1]++;                       \
        __syncthreads();                  \
        int now = x[1];                   \
        __syncthreads();                  \
        if (now == x[2] + 3)                 \
            break;                        \
    }

__global__ void in_a_macro(volatile int *x, int *y)
{
    TURNS(x[0] > 2)
    y[threadIdx.x] = x[1];
}
// LAUNCH: in_a_macro --block 64 --grid 1 x[3]=full:5 y[64]=zeros
// OUT: y = 8

__global__ void as_often(const int *x, int last, int *y)
{
    __shared__ int s[64];
    int i = 0, v = threadIdx.x;
    do {
        v = reversed(s, v + 1);
        i++;
    } while (x[i] < last);
    y[threadIdx.x] = v;
}
// LAUNCH: as_often --block 64 --grid 1 x[9]=iota last=4 y[64]=zeros
// OUT: y = np.arange(64) + 4

// The threads' values differ, what they come to doesn't.
__global__ void positive(const int *x, int first, int *y)
{
    __shared__ int s[64];
    if (x[first + threadIdx.x] > 0)
        y[threadIdx.x] = reversed(s, x[first + threadIdx.x]);
}
// LAUNCH: positive --block 64 --grid 1 x[65]=iota first=1 y[64]=zeros
// OUT: y = 64 - np.arange(64)
// LAUNCH: positive --block 64 --grid 1 x[65]=full:-5 first=1 y[64]=zeros
// OUT: y = 0
// LAUNCH: positive --sanitize --block 64 --grid 1 x[65]=iota first=0 y[64]=zeros
// EXIT: 1
// STDERR: error[HD0405]: 'uniform' states one value for all threads of the block, but there are several
// STDERR: thread 0 of block (0, 0, 0) has 0
