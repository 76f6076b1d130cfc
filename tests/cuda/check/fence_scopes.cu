// SPDX-License-Identifier: Apache-2.0
// TEST: a fence of the block's scope orders nothing for other blocks
// REF: docs/reference/synchronization.md
// check-args: --block 32 --grid 2 --assume '4 <= len(cell)'
// check too_narrow: bug HD0601 line @narrow_write other @narrow_read
__device__ int ready;
__global__ void too_narrow(int *cell)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        cell[0] = 7; //@narrow_write
        __threadfence_block();
        atomicExch(&ready, 1);
    } else if (atomicAdd(&ready, 0)) {
        __threadfence_block();
        cell[1] = cell[0]; //@narrow_read
    }
}
// One narrow fence is enough to lose it.
// check half_narrow: bug HD0601 line @half_write other @half_read
__device__ int half;
__global__ void half_narrow(int *cell)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        cell[0] = 7; //@half_write
        __threadfence();
        atomicExch(&half, 1);
    } else if (atomicAdd(&half, 0)) {
        __threadfence_block();
        cell[1] = cell[0]; //@half_read
    }
}
// check wide: proved
__device__ int told;
__global__ void wide(int *cell)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        cell[0] = 7;
        __threadfence();
        atomicExch(&told, 1);
        __threadfence_block();
    } else if (atomicAdd(&told, 0)) {
        __threadfence();
        cell[1] = cell[0];
    }
}
// Both threads are of one block.
// check within: unknown HD0601 atomic
__global__ void within(int *cell)
{
    __shared__ int flag, value;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 7;
        __threadfence_block();
        atomicExch(&flag, 1);
    } else if (threadIdx.x == 1 && atomicAdd(&flag, 0)) {
        __threadfence_block();
        cell[blockIdx.x] = value;
    }
}
