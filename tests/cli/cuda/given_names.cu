// SPDX-License-Identifier: Apache-2.0
// TEST: what is wrong with an assumption, a kernel's name or a size is told of that, and sizes are computed as CUDA code does
// RUN: heddle check %s copy --assume 'gridDim.w == 1'
// EXIT: 1
// STDERR: 'dim3' has no member 'w'
// STDERR: = note: in the assumption 'gridDim.w == 1'
// RUN: heddle check %s copy --assume 'n <='
// EXIT: 1
// STDERR: the assumption 'n <=' (expected an expression, found the end)
// STDERR-NOT: = note: in
// RUN: heddle run %s 'filled<flaot, 3>' 'x[4]=zeros' --grid 1 --block 4
// EXIT: 1
// STDERR: 'flaot' is not declared
// STDERR: = note: in the kernel's name 'filled<flaot, 3>'
// STDERR-NOT: given_names.cu:1
// RUN: heddle run %s 'coloured<Colour::none>' 'x[4]=zeros' --grid 1 --block 4
// EXIT: 1
// STDERR: 'Colour::none' is not declared
// RUN: heddle run %s 'coloured<Colour::blue>' 'x[4]=zeros' --grid 1 --block 4 --print x
// PRINTS: x = [2 2 2 2]
// RUN: heddle convert %s 'filled<float>'
// EXIT: 1
// STDERR: = note: in the kernel's name 'filled<float>'
// RUN: heddle check %s each
// STDOUT: each: unknown (open: a template that the file never launches with constant arguments
// RUN: heddle run %s --launch 'copy<<<(n + blockDim.x - 1) / blockDim.x, std::min(2, 4), gridDim.x>>>' n=3 'x[3]=zeros' --print x
// PRINTS: x = [1 2 3]
// RUN: heddle run %s --launch 'copy<<<cuda::ceil_div(n, 2), dim3(2)>>>' n=3 'x[3]=zeros' --print x
// PRINTS: x = [1 2 3]
// RUN: heddle run %s copy --grid '(n + blockDim.x - 1) / blockDim.x' n=3 'x[3]=zeros'
// EXIT: 2
// STDERR: 'blockDim.x' isn't known here; give it with --block
// RUN: heddle run %s --launch 'copy<<<gridDim.x, 2>>>' n=3 'x[3]=zeros'
// EXIT: 2
// STDERR: 'gridDim.x' isn't known here
__global__ void copy(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i + 1;
}

template <typename T, int N> __global__ void filled(T *x)
{
    x[threadIdx.x] = N;
}

template <typename F> __global__ void each(F f)
{
    f(threadIdx.x);
}

void host(int *x)
{
    each<<<1, 32>>>([=] __device__(int i) { x[i] = i; });
}

enum class Colour { red, blue = 2 };
template <Colour C> __global__ void coloured(int *x)
{
    x[threadIdx.x] = (int)C;
}
