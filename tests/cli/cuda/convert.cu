// SPDX-License-Identifier: Apache-2.0
// TEST: convert gives all kernels of a file, or one, readable, or says what is wrong
// RUN: heddle convert %S/convert.cuh
// GOLDEN: convert.txt
// RUN: heddle convert %s wrong
// EXIT: 1
// STDERR: error[HD0301]: 'nowhere' is not declared
// STDOUT-NOT: kernel
// RUN: heddle convert %s -o %t/some.hd && cat %t/some.hd
// EXIT: 1
// STDERR: kernels with errors are left out
// RUN: heddle convert %s; heddle convert %s right -o %t/right.hd && heddle check %t/right.hd
// EXIT: 0
// STDOUT: kernel void right(float x[n], int n, constexpr int block_dim_x = 256)
// STDOUT: right: proved
// STDOUT: // Nothing here launches these templates; named, they are converted: 'filled<…>'
// STDERR: kernels with errors are left out
// RUN: heddle convert %s 'filled<float, 3>'
// STDOUT: kernel void filled_float_3(float *x)
// RUN: heddle convert %s filled
// EXIT: 2
// STDERR: 'filled' needs its arguments
// RUN: heddle convert %s nothing
// EXIT: 2
// STDERR-END: no kernel 'nothing'; there is: wrong, right, filled
// RUN: heddle convert %s right -o /nowhere/right.hd
// EXIT: 2
// STDERR: can't write '/nowhere/right.hd': no such file or folder
// RUN: cp %s same.cu; heddle convert same.cu right -o ./same.cu
// EXIT: 2
// STDERR: '-o ./same.cu' would overwrite the file that is converted
// RUN: echo 'int main() { return 0; }' > none.cu; heddle convert none.cu
// EXIT: 2
// STDERR: none.cu has no kernel
// RUN: echo 'template <int N> __global__ void k(int *p) { *p = N; }' > open.cu; heddle convert open.cu
// EXIT: 2
// STDERR: kernel templates of open.cu need their arguments, since the file launches none: name 'k<…>'
// RUN: echo 'kernel void k() threads(1) {}' > k.hd; heddle convert k.hd
// EXIT: 2
// STDERR: k.hd is Heddle C already, by its name; --language cuda overrides this
__global__ void wrong(float *x)
{
    x[0] = nowhere;
}

__global__ void right(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1;
}

template <typename T, int N> __global__ void filled(T *x)
{
    x[threadIdx.x] = N;
}
