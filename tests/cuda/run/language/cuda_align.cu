// SPDX-License-Identifier: Apache-2.0
// TEST: __CUDA_ALIGN__ is __align__, as in headers of CUDA's own
// NVCC: CUDA 13's cuda_fp16.h undefines the macro at its end
// LAUNCH: k --block 1 --grid 1 x[2]=zeros
// OUT: x = [16, 16]
#include <cuda_fp16.h>
struct __CUDA_ALIGN__(16) Three { float a, b, c; };
__global__ void k(int *x)
{
    x[0] = sizeof(Three);
    x[1] = alignof(Three);
}
