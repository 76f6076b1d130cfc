// SPDX-License-Identifier: Apache-2.0
// TEST: of a bug that only odd sizes have, the report says which assumption excludes it
// RUN: heddle check %s rows --block 16,8
// EXIT: 1
// STDOUT: no bug with --assume 'width == gridDim.x * blockDim.x'
// RUN: heddle check %s rows --block 16,8 --assume 'width == gridDim.x * blockDim.x'
// EXIT: 0
// STDOUT: rows: unknown (1 unknown; 2 of 3 obligations proved
// RUN: heddle check %s pitched --block 16,8 --json
// EXIT: 1
// STDOUT: "assumption": "pitch >= width"
// RUN: heddle check %s racy --block 16,8
// EXIT: 1
// STDOUT-NOT: --assume
__global__ void rows(float *x, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * width + i] = i;
}

__global__ void pitched(float *x, int width, int height, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < width && j < height)
        x[j * pitch + i] = i;
}

__global__ void racy(float *x, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i % width] = threadIdx.y;
}
