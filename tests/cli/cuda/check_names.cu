// SPDX-License-Identifier: Apache-2.0
// TEST: check refuses values for names that its kernels don't have; --launch is what says the block
// RUN: heddle check %s scaled nn=3
// EXIT: 2
// STDERR-END: heddle: kernel 'scaled' has no parameter 'nn', did you mean 'n'?; it has: x, n, weight
// STDERR-NOT: HD0
// RUN: heddle check %s nn=3
// EXIT: 2
// STDERR: has a parameter 'nn'
// RUN: heddle check %s scaled n=3 weight=2
// STDOUT: scaled: proved
// RUN: heddle check %s weight=2 n=3
// STDOUT: scaled: proved
// STDOUT: other: proved
// RUN: heddle check %s other weight=2
// EXIT: 2
// STDERR: kernel 'other' has no parameter 'weight'
// RUN: heddle check %s --launch 'scaled<<<1,32>>>' n=3
// STDOUT: given by --launch
// STDOUT-NOT: --block
// RUN: heddle check %s scaled --block 32
// STDOUT: given by --block
__constant__ float weight;

// heddle: requires n <= len(x)
__global__ void scaled(float *x, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = weight;
}

__global__ void other(float *x)
{
    __requires(1 <= len(x));
    if (blockIdx.x == 0 && threadIdx.x == 0)
        x[0] = 1;
}
