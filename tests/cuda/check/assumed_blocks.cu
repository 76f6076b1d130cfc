// SPDX-License-Identifier: Apache-2.0
// TEST: an array may be known to have an element for each block or thread of the grid
// REF: docs/reference/cuda.md#sizes-and-conditions
// check-args: --block 64
// check sums: proved
// check threads: proved
// check equal: proved
// check rows: proved
// check too_few: bug HD0702 line @one_more len(x)=1
// check both: proved
// check own_name: proved

// heddle: requires gridDim.x <= len(out)
__global__ void sums(float *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1.0f;
}

// heddle: requires gridDim.x * 64 <= len(x)
__global__ void threads(float *x)
{
    if (blockIdx.y == 0)
        x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

__global__ void equal(float *x)
{
    __requires(len(x) == gridDim.x * blockDim.x);
    if (blockIdx.y == 0)
        x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

// heddle: requires gridDim.y <= len(x)
__global__ void rows(float *x)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        x[blockIdx.y] = 1.0f;
}

// heddle: requires gridDim.x <= len(x)
__global__ void too_few(float *x)
{
    if (threadIdx.x == 0 && blockIdx.y == 0)
        x[blockIdx.x + 1] = 1.0f; //@one_more
}

// heddle: requires n <= len(x) && gridDim.x < len(x)
__global__ void both(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.y == 0)
        x[i] = 1.0f;
}

// heddle: requires gridDim.x <= len(x)
__global__ void own_name(float *x, int len_x)
{
    int len_x_2 = len_x;
    if (threadIdx.x == 0 && blockIdx.y == 0)
        x[blockIdx.x] = len_x_2;
}
