// SPDX-License-Identifier: Apache-2.0
// TEST: cuRAND, fragments of matrices and shuffles without _sync are named as not supported, at their call
// REF: docs/reference/cuda.md#what-isnt-supported
#include <curand_kernel.h>
#include <mma.h>
using namespace nvcuda;

__global__ void draw(curandState *states, float *y)
{
    y[threadIdx.x] = curand_uniform(&states[threadIdx.x]);  //~ error HD1150: random numbers of cuRAND; pass them in an array
}

__global__ void product(half *a)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
    wmma::load_matrix_sync(f, a, 16);  //~ error HD1150: fragments of matrices (nvcuda::wmma)
}

__global__ void legacy(int *x)
{
    x[threadIdx.x] = __shfl_down(x[threadIdx.x], 1);  //~ error HD1150: write '__shfl_down_sync' with the mask of threads
}
