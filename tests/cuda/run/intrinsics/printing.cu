// SPDX-License-Identifier: Apache-2.0
// TEST: printf from kernels, assert that holds
// NVCC: compares arrays, not what is printed
#include <cassert>
#include <cstdio>

__global__ void hello(int n, int *out)
{
    int i = threadIdx.x;
    assert(i < n);
    if (i == 2)
        printf("thread %d of %u: %5.2f %s %c 0x%08x %llu%%\n", i, blockDim.x, i * 0.5, "text", 'c', 255u, 1ull << 40);
    out[i] = i;
}
// LAUNCH: hello n=4 out[4]=zeros --block 4 --grid 1
// PRINTS: thread 2 of 4:  1.00 text c 0x000000ff 1099511627776%

template <class T> __global__ void named(T *out)
{
    out[0] = sizeof(__func__);
    printf("%s %s in line %d\n", __func__, __FUNCTION__, __LINE__);
}
// LAUNCH: named<int> out[1]=zeros --block 1 --grid 1
// PRINTS: named named in line 21
// OUT: out = 6
