// SPDX-License-Identifier: Apache-2.0
// TEST: a kernel without a launch in the file that never asks for its block, or not along an axis, may be meant for one block there: races between blocks are unknown there, those of a block are bugs
// REF: docs/internals/check.md
// convert leaves out added, shifted, by_rows: that there is one block is said of the launch
// check added: unknown HD0601 line @added several blocks, and no launch in the file says how many
// check shifted: unknown HD0601 line @shifted several blocks
// check by_rows: unknown HD0601 line @by_rows several blocks
// check both: bug HD0601 line @both
// check inside: bug HD0601 line @inside
// check asks: bug HD0601 line @asks
// check launched: bug HD0601 line @launched
// check of_two: bug HD0601 line @of_two
__global__ void added(float *x)
{
    x[threadIdx.x] += 1; //@added
}

__global__ void shifted(int *x)
{
    __shared__ int s[32][9];
    if (threadIdx.x < 32 && threadIdx.y < 9)
        s[threadIdx.x][threadIdx.y] = x[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32 && threadIdx.y < 8)
        x[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][threadIdx.y + 1] + 1; //@shifted
}

// One block in x.
__global__ void by_rows(float *x)
{
    x[blockIdx.y * blockDim.x + threadIdx.x] += 1; //@by_rows
}

// It asks for both.
__global__ void both(float *x)
{
    x[blockIdx.y * blockDim.x + threadIdx.x] += blockIdx.x; //@both
}

__global__ void inside(float *x)
{
    x[threadIdx.x / 2] += 1; //@inside
}

__global__ void asks(float *x)
{
    x[threadIdx.x] += blockIdx.x; //@asks
}

__global__ void launched(float *x)
{
    x[threadIdx.x] += 1; //@launched
}

// It is never launched with one.
__global__ void of_two(float *x)
{
    __builtin_assume(gridDim.x == 2);
    x[threadIdx.x] += 1; //@of_two
}

void go(float *x, int blocks)
{
    launched<<<blocks, 64>>>(x);
}
