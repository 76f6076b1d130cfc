// SPDX-License-Identifier: Apache-2.0
// TEST: the threads of __launch_bounds__ lie in as many dimensions as the kernel asks for
// check turned: proved
// check rows: proved
// check line: proved
// check turned_wrong: bug HD0601
__global__ __launch_bounds__(256) void turned(const float *x, float *y)
{
    // heddle: requires 256 <= len(x)
    // heddle: requires 256 <= len(y) && gridDim.x == 1
    __shared__ float s[16][17];
    s[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    y[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

__global__ __launch_bounds__(128) void rows(const float *x, float *y)
{
    // heddle: requires 128 <= len(x)
    // heddle: requires 128 <= len(y) && gridDim.x == 1
    __shared__ float s[4][32];
    s[threadIdx.y][threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    y[threadIdx.y * 32 + threadIdx.x] = s[3 - threadIdx.y][31 - threadIdx.x];
}

__global__ __launch_bounds__(64) void line(const float *x, float *y)
{
    // heddle: requires 64 <= len(x)
    // heddle: requires 64 <= len(y) && gridDim.x == 1
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ __launch_bounds__(256) void turned_wrong(const float *x, float *y)
{
    // heddle: requires 256 <= len(x)
    // heddle: requires 256 <= len(y) && gridDim.x == 1
    __shared__ float s[16][17];
    s[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    y[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
