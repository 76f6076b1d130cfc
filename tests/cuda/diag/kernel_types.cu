// SPDX-License-Identifier: Apache-2.0
// TEST: kernels return nothing and have the parameters that they name
__global__ int counts(int *x) //~ error HD0814: kernel 'counts' must return void
{
    return x[0];
}

__global__ void any(int n, ...) //~ error HD0814: kernel 'any' takes any arguments (...)
{
}

template <typename T> __global__ T typed(T *x) //~ error HD0814: kernel 'typed<float>' must return void
{
    return x[0];
}

template __global__ float typed<float>(float *x);

__global__ void right(int *x)
{
    x[0] = 1;
}
