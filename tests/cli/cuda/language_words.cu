// SPDX-License-Identifier: Apache-2.0
// TEST: what is a word of Heddle C has its own name in messages about CUDA C, and among arrays to save
__device__ int warps[4];

__global__ void sync(int *group)
{
    group[threadIdx.x] = 1;
    warps[threadIdx.x % 4] = 100;
}
// RUN: heddle run %s sync 'group[4]=zeros' --grid 1 --block 4 --print group --print warps
// STDOUT: group = [1 1 1 1]
// STDOUT: warps = [100 100 100 100]

__global__ void outside(int *shared, int group)
{
    shared[threadIdx.x + group] = 1;
}
// RUN: heddle run %s outside 'shared[5]=zeros' group=1 --grid 1 --block 8
// EXIT: 1
// STDERR: outside of array 'shared'
// STDERR: writes shared[5], 'shared' has 5 elements

template <typename T, int N> __global__ void typed(T *x)
{
    x[threadIdx.x + N] = 1;
}
// RUN: heddle run %s 'typed<float,4>' 'x[5]=zeros' --grid 1 --block 2
// EXIT: 1
// STDERR: of kernel 'typed<float, 4>' writes x[5]
