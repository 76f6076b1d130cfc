// SPDX-License-Identifier: Apache-2.0
// TEST: atomics of bfloat16 and of pairs of them: no update is lost
// NVCC: NumPy has no such type
#include <cuda_bf16.h>

__global__ void bfloats(int n, __nv_bfloat16 *b, __nv_bfloat162 *b2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(&b[i % 2], __float2bfloat16(1.0f));
    atomicAdd(&b2[0], __floats2bfloat162_rn(1.0f, -0.5f));
}
// LAUNCH: bfloats n=200 b[2]=zeros b2[1]=zeros --grid 2 --block 128
// OUT: b = np.array([100, 100])
// OUT: b2 = np.array([[200, -100]])
