// SPDX-License-Identifier: Apache-2.0
// TEST: dump takes --block where no kernel is named
// RUN: heddle dump %s --stage ir --block 16,4
// STDOUT: block 16 4 1
__global__ void fill(int *x)
{
    x[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}
// RUN: heddle dump %s --stage ir
// STDOUT: block 16 16 1
