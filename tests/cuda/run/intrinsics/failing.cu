// SPDX-License-Identifier: Apache-2.0
// TEST: a failed assert and __trap stop the launch with a message
// NVCC: the launch fails
#include <cassert>

__global__ void wrong(int n, int *out)
{
    assert(threadIdx.x < n && "too many threads");
    out[threadIdx.x] = 1;
}

__global__ void traps(int *out)
{
    if (threadIdx.x == 3)
        __trap();
    out[threadIdx.x] = 1;
}
// LAUNCH: wrong n=3 out[8]=zeros --block 8 --grid 1
// EXIT: 1
// STDERR: assertion failed
// LAUNCH: traps out[8]=zeros --block 8 --grid 1
// EXIT: 1
// STDERR: trap
