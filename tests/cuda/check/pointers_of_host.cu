// SPDX-License-Identifier: Apache-2.0
// TEST: what pointers in variables of the file lead to is the host program's, so no run knows its size
// check of_member: unknown HD0702 line 18 the array that the pointer points into
// check of_constant: unknown HD0702 line 25 the array that the pointer points into
// check of_device: unknown HD0702 line 32 the array that the pointer points into
// check beside: bug HD0702 line 39
// check-args: --block 32
struct Rows { float *first; int n; };

__constant__ Rows rows;
__constant__ float *constant;
__device__ float *device;

__global__ void of_member(float *y)
{
   
    if (blockIdx.x == 0)
        y[threadIdx.x] = rows.first[threadIdx.x];
}

__global__ void of_constant(float *y)
{
    // heddle: requires 32 <= len(y)
    if (blockIdx.x == 0)
        y[threadIdx.x] = constant[threadIdx.x];
}

__global__ void of_device(float *y)
{
    // heddle: requires 32 <= len(y)
    if (blockIdx.x == 0)
        y[threadIdx.x] = device[threadIdx.x];
}

__global__ void beside(float *y)
{
    // heddle: requires 32 <= len(y)
    __shared__ float s[32];
    s[threadIdx.x + 1] = constant[threadIdx.x];
    __syncthreads();
    if (blockIdx.x == 0)
        y[threadIdx.x] = s[threadIdx.x];
}
