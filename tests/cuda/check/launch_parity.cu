// SPDX-License-Identifier: Apache-2.0
// TEST: a size that is guessed, but that no launch of the file can have, makes no bug
// REF: docs/guide/cuda.md#checking
// check odd: unknown HD0601 the file has no launch with that size
// check both: unknown HD0601 line @both
// check never: bug HD0601

// Right if blocks have `size` threads: 256 are guessed, which isn't odd.
__global__ void odd(int *x, int size)
{
    x[blockIdx.x * size + threadIdx.x] = threadIdx.x + 1000 * blockIdx.x;
}

__global__ void both(int *x, int size)
{
    __requires(size * gridDim.x <= len(x));
    x[blockIdx.x * size + threadIdx.x] = threadIdx.x + 1000 * blockIdx.x; //@both
}

// Wrong for all sizes, and not launched.
__global__ void never(int *x, int size)
{
    x[size] = threadIdx.x + 1000 * blockIdx.x;
}

void launch(int *x, int n, int size)
{
    dim3 grid, block;
    grid.x = n;
    if (size % 2 == 1) {
        block.x = size;
        odd<<<grid, block>>>(x, size);
        both<<<grid, block>>>(x, size);
    } else {
        both<<<n, size>>>(x, size);
    }
}
