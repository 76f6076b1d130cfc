// SPDX-License-Identifier: Apache-2.0
// TEST: isfinite, isinf and isnan take a __half
#include <cuda_fp16.h>
__global__ void k(const __half *x, int *out)
{
    __half v = x[threadIdx.x];
    out[threadIdx.x] = (isfinite(v) != 0) + 2 * (isinf(v) != 0) + 4 * (isnan(v) != 0);
}
// NVCC: there isfinite of a __half is ambiguous beside <cmath>
// LAUNCH: x[4]=list:1.5,inf,nan,-inf out[4]=zeros --grid 1 --block 4
// OUT: out = [1, 2, 4, 2]
