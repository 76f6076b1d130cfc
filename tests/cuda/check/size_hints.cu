// SPDX-License-Identifier: Apache-2.0
// TEST: of an array whose size nobody says, the reason names what bounds the index
// check first: unknown HD0702 --assume 'n <= len(x)'
// check plane: unknown HD0702 --assume 'w * h <= len(x)'
// check one: unknown HD0702 --assume '1 <= len(x)'
// check block: unknown HD0702 --assume '64 <= len(x)'
// check tile: unknown HD0702 --assume '1600 <= len(x)'
// check constant: unknown HD0702 --assume '4194304 <= len(x)'
// check exact: unknown HD0702 --assume 'k + 1 <= len(x)'
// check all: unknown HD0702 --assume 'gridDim.x * 64 <= len(x)'
// check blocks: unknown HD0702 --assume 'gridDim.x <= len(x)'
// check under: unknown HD0702 --assume '1 <= len(x)'
// check unclear: unknown HD0702 --assume '1024 <= len(x)', if that is enough
// check-args: --block 64
__global__ void first(int rounds, int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += rounds;
}

__global__ void plane(int rounds, int w, int h, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i < w && j < h)
        x[j * w + i] = rounds;
}

__global__ void one(int n, float *x)
{
    if (threadIdx.x == 0)
        atomicAdd(x, n);
}

__global__ void block(int n, float *x)
{
    atomicAdd(&x[threadIdx.x], n);
}

__global__ void tile(float *x)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (i < 40 && j < 40)
        x[i * 40 + j] = 1.0f;
}

__global__ void constant(float *x)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (i < 2048 && j < 2048)
        x[i * 2048 + j] = 1.0f;
}

__global__ void exact(unsigned k, float *x)
{
    if (threadIdx.x == 0)
        atomicAdd(&x[k], 1.0f);
}

__global__ void all(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

__global__ void blocks(float *x)
{
    if (threadIdx.x == 0)
        x[blockIdx.x] = 1.0f;
}

// `n` would do, too.
__global__ void under(int n, float *x)
{
    if ((int)threadIdx.x < n)
        atomicAdd(x, 1.0f);
}

__global__ void unclear(float *x)
{
    if (threadIdx.x == 0)
        x[blockIdx.y * gridDim.x + blockIdx.x] = 1.0f;
}
