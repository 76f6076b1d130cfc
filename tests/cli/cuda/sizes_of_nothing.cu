// SPDX-License-Identifier: Apache-2.0
// TEST: a value for a parameter that the kernel hasn't is an error, always
// RUN: heddle run %s 'p[4]=zeros' n=64 --block 4
// STDERR: kernel 'k' has no parameter 'n'
// EXIT: 2
__global__ void k(int *p)
{
    p[threadIdx.x] = 1;
}
