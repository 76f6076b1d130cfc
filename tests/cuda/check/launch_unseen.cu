// SPDX-License-Identifier: Apache-2.0
// TEST: a grid whose declaration isn't seen may have rows, one that is a number has none
// check of_header: bug HD0601 line 16
// check of_member: bug HD0601 line 22
// check of_auto: bug HD0601 line 28
// check of_result: bug HD0601 line 34
// check of_number: proved
// check of_quotient: proved
// check of_axis: proved
// check-args: --assume '32<=len(y)'
#include "config.h"

__global__ void of_header(float *y)
{
    if (blockIdx.x == 0)
        y[threadIdx.x] = blockIdx.y;
}

__global__ void of_member(float *y)
{
    if (blockIdx.x == 0)
        y[threadIdx.x] = blockIdx.y;
}

__global__ void of_auto(float *y)
{
    if (blockIdx.x == 0)
        y[threadIdx.x] = blockIdx.y;
}

__global__ void of_result(float *y)
{
    if (blockIdx.x == 0)
        y[threadIdx.x] = blockIdx.y;
}

__global__ void of_number(float *y)
{
    if (blockIdx.x == 0)
        y[threadIdx.x] = blockIdx.y;
}

__global__ void of_quotient(float *y)
{
    if (blockIdx.x == 0)
        y[threadIdx.x] = blockIdx.y;
}

__global__ void of_axis(float *y)
{
    if (blockIdx.x == 0)
        y[threadIdx.x] = blockIdx.y;
}

int in_blocks(int n) { return (n + 31) / 32; }

void launch(float *y, int n, const Config &config)
{
    auto grid = config.grid;
    auto blocks = in_blocks(n);
    dim3 plane(n, 2);
    of_header<<<grid_of_header, 32>>>(y);
    of_member<<<config.grid, 32>>>(y);
    of_auto<<<grid, 32>>>(y);
    of_result<<<grid_for(n), 32>>>(y);
    of_number<<<n, 32>>>(y);
    of_quotient<<<blocks, 32>>>(y);
    of_axis<<<plane.x, 32>>>(y);
}
