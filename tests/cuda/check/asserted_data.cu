// SPDX-License-Identifier: Apache-2.0
// TEST: assertions about what the host puts into memory are open, others are judged by runs
// REF: docs/errors/HD0705.md
// check-args: --block 32 --grid 1 --assume 32<=len(x) --assume 32<=len(y)
// check given: unknown HD0705 line @given the condition depends on the contents of memory when the kernel starts
// check told: proved
// check computed: bug HD0705 line @computed
// check stored: bug HD0705 line @stored
// check of_size: unknown HD0705 line @size a requirement on the launch
// check of_thread: unknown HD0705 line @fits
// check of_sum: bug HD0705 line @sum
// check beside: unknown HD0705 line @beside_input
// check beside: bug HD0601 line @race
#include <cassert>

__constant__ int most;

__global__ void given(const int *x, int *y)
{
    int v = x[threadIdx.x];
    assert(v >= 1 && v < most); //@given
    y[threadIdx.x] = v;
}

__global__ void told(const int *x, int *y)
{
    int v = x[threadIdx.x];
    assert(v == x[threadIdx.x]);
    if (v > 0)
        assert(v >= 1);
    y[threadIdx.x] = v;
}

__global__ void computed(const int *x, int *y)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    assert(s[31 - threadIdx.x] > 0); //@computed
    y[threadIdx.x] = x[threadIdx.x];
}

// The kernel has written what it asks for.
__global__ void stored(const int *x, int *y)
{
    y[threadIdx.x] = 0;
    assert(y[threadIdx.x] > 0); //@stored
    y[threadIdx.x] = x[threadIdx.x];
}

__global__ void of_size(const int *x, int *y, int n)
{
    assert(n > 0); //@size
    y[threadIdx.x] = x[threadIdx.x];
}

__global__ void of_thread(const int *x, int *y, int n)
{
    assert(threadIdx.x < n); //@fits
    y[threadIdx.x] = x[threadIdx.x];
}

// It is about what the kernel computes.
__global__ void of_sum(const int *x, int *y, int n)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    assert(s[31 - threadIdx.x] > 0 || n > 3); //@sum
    y[threadIdx.x] = x[threadIdx.x];
}

__global__ void beside(const int *x, int *y)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    y[threadIdx.x] = s[31 - threadIdx.x]; //@race
    assert(x[threadIdx.x] == 3);          //@beside_input
}
