// SPDX-License-Identifier: Apache-2.0
// TEST: overflow for large sizes is trusted not to happen; blocks that write one place
// check products: unknown HD0702
// check always: bug HD0704 line @always
// check always: also HD0601
// check one_place: unknown HD0601 every block writes the same element of 'out'; in the runs they stored equal values
// check every_block: unknown HD0601 in the runs they stored equal values
// check every_block_copies: remark HD0693
// check every_block_copies: unknown HD0702
// check every_block_differs: bug HD0601 block 1 writes out[
// check own_places: unknown HD0702
// check grid_stride: unknown HD0702
// check grid_stride_racy: bug HD0601
__global__ void products(float *x, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i < w && j < h)
        x[j * w + i] = 1;
}

__global__ void always(float *x)
{
    x[(int)threadIdx.x * 100000000] += 1; //@always
}

__global__ void one_place(const float *x, float *out)
{
    if (threadIdx.x == 0)
        out[0] = 2 * x[0];
}

__global__ void every_block(const float *x, float *out)
{
    out[threadIdx.x] = 2 * x[threadIdx.x];
}

__global__ void every_block_copies(const float *x, float *out)
{
    out[threadIdx.x] = x[threadIdx.x];
}

__global__ void every_block_differs(const float *x, float *out)
{
    out[threadIdx.x] = x[threadIdx.x] + blockIdx.x;
}

__global__ void own_places(const float *x, float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x];
}

// n + a stride doesn't wrap: n is at most 2^60.
__global__ void grid_stride(float *x, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= 2;
}

__global__ void grid_stride_racy(float *x, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i + 1 < n; i += gridDim.x * blockDim.x)
        x[i] = x[i + 1];
}
