// SPDX-License-Identifier: Apache-2.0
// TEST: a read of what the thread itself has stored is unknown where the others store the same value, and a bug where they store another one, or where it has stored nothing
// REF: docs/internals/check.md
// convert leaves out own, own_pointer, voted: in Heddle C equal values are a race, too
// check own: unknown HD0601
// check own: remark HD0693
// check own_pointer: unknown HD0601
// check voted: unknown HD0601
// check voted: remark HD0693
// check other_value: bug HD0601
// check not_own: bug HD0601
// check not_own: remark HD0693
// check later_value: bug HD0601
// check later_value: remark HD0693
__global__ void own(int *x, int n)
{
    __shared__ int first;
    first = n * blockIdx.x;
    x[threadIdx.x + blockIdx.x * blockDim.x] = first;
}

__global__ void own_pointer(float *x, int n)
{
    __shared__ float *row;
    row = x + n * blockIdx.x;
    if (n > 64)
        __syncthreads();
    if (threadIdx.x < n)
        row[threadIdx.x] = threadIdx.x;
}

__global__ void voted(unsigned char *keep, const int *x, int n)
{
    keep[blockIdx.x] = __syncthreads_and(x[threadIdx.x]);
    for (int k = 1; k < 4; k++)
        keep[blockIdx.x] = __syncthreads_and(keep[blockIdx.x] && x[n * k + threadIdx.x]);
}

__global__ void other_value(int *x)
{
    __shared__ int s;
    s = threadIdx.x;
    x[threadIdx.x] = s;
}

__global__ void not_own(int *x)
{
    __shared__ int s;
    if (threadIdx.x < 32)
        s = 5;
    x[threadIdx.x] = s;
}

__global__ void later_value(int *x)
{
    __shared__ int s;
    s = 5;
    x[threadIdx.x] = s;
    s = 6;
}

void launch(int *x, float *y, unsigned char *z, int n)
{
    own<<<4, 64>>>(x, n);
    own_pointer<<<4, 64>>>(y, n);
    voted<<<n, 64>>>(z, x, n);
    other_value<<<1, 64>>>(x);
    not_own<<<1, 64>>>(x);
    later_value<<<1, 64>>>(x);
}
