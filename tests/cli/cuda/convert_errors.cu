// SPDX-License-Identifier: Apache-2.0
// TEST: convert tells the errors of kernels at their places in the .cu, as check does, and converts the others
// REF: docs/reference/command.md#heddle-convert
// RUN: heddle convert %s -o all.hd; status=$?; grep '^kernel' all.hd; exit $status
// EXIT: 1
// STDOUT: kernel void fine(
// STDOUT: kernel void also(
// STDOUT-NOT: kernel void outside(
// STDOUT-NOT: kernel void fixed(
// STDERR: error[HD0701]: subscript 7 of 's' is outside [0, 4)
// STDERR: convert_errors.cu:50:7
// STDERR: error[HD0811]: the number of blocks of a cluster is 0
// STDERR: convert_errors.cu:55:18
// STDERR: error[HD0307]: '%' can't combine 'float' and 'int'
// STDERR: convert_errors.cu:62:12
// STDERR: error[HD0312]: x[0] can't be changed
// STDERR: convert_errors.cu:67:5
// STDERR: error[HD0515]
// STDERR: convert_errors.cu:73:9
// STDERR: kernels with errors are left out
// STDERR-NOT: please report
// RUN: heddle convert %s outside
// EXIT: 1
// STDERR: convert_errors.cu:50:7
// STDERR-NOT: please report
// STDERR-NOT: HD0811
// Two kernels have the error of a function that they call:
// RUN: sed -n '/^__device__ float half/,$p' %s > called.cu; heddle convert called.cu -o called.hd; status=$?; grep '^kernel' called.hd; exit $status
// EXIT: 1
// STDERR: error[HD0307]
// STDERR: called.cu:3:12
// STDOUT: kernel void third
// STDOUT-NOT: kernel void first
// STDOUT-NOT: kernel void second
// Structs of all kernels are one, whose members hold what any of them puts there:
// RUN: heddle convert %S/../../cuda/run/language/spans.cu -o spans.hd && heddle check spans.hd --rules-only
// EXIT: 0
__global__ void fine(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

__global__ void outside(int *x)
{
    __shared__ int s[4];
    s[threadIdx.x % 4] = 1;

    s[7] = 3;
    x[0] = s[0];
}

__global__ void
__cluster_dims__(0) in_no_cluster(int *x)
{
    x[0] = 1;
}

__global__ void rest(float *x)
{
    x[0] = x[1] % 3;
}

__global__ void fixed(const int *x)
{
    x[0] = 3;
}

__global__ void unlike(int *x, int n)
{
    if (threadIdx.x < 16)
        __syncthreads();
    x[threadIdx.x] = 1;
}

__global__ void also(int *x)
{
    x[threadIdx.x] = 1;
}

__device__ float half(float v)
{
    return v % 2;
}

__global__ void first(float *x)
{
    x[0] = half(x[0]);
}

__global__ void second(float *x)
{
    x[1] = half(x[1]);
}

__global__ void third(float *x)
{
    x[1] = 1;
}
