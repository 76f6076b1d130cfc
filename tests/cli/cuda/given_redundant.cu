// SPDX-License-Identifier: Apache-2.0
// TEST: only a requirement of the file is said to be redundant, by others of the file; assumptions are listed as they are given
// RUN: heddle check %s none --no-search --assume 'n >= 1' --assume 'n >= 0' --assume '1 <= len(x)'
// STDOUT: none: proved
// STDERR-NOT: HD0692
// RUN: heddle check %s none --no-search --assume 'gridDim.x <= 7'
// STDOUT: gridDim.z == 1, gridDim.x <= 7)
// RUN: heddle check %s twice --no-search --assume 'm >= 2'
// STDERR: the requirement 'n >= 0' is redundant
// STDERR-NOT: requirement 'm
__global__ void none(int *x, int n)
{
    __requires(n <= len(x));
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        x[i] = 1;
}

__global__ void twice(int *x, int n, int m)
{
    __requires(n >= 3 && n >= 0 && m >= 1 && n <= len(x));
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        x[i] = 1;
}
