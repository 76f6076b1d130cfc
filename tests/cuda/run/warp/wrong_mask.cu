// SPDX-License-Identifier: Apache-2.0
// TEST: a mask that doesn't name exactly the threads that are there stops the launch
// NVCC: CUDA leaves it undefined
__global__ void too_many(int *out)
{
    int i = threadIdx.x;
    if (i < 16)
        out[i] = __shfl_sync(0x0001ffff, i, 0);
    __syncthreads();
}

__global__ void too_few(int *out)
{
    int i = threadIdx.x;
    out[i] = (int)__ballot_sync(0x0000ffff, i & 1);
}

__global__ void whole_in_branch(int *out)
{
    int i = threadIdx.x;
    if (i & 1)
        out[i] = __shfl_xor_sync(0xffffffff, i, 2);
    __syncthreads();
}
// LAUNCH: too_many out[32]=zeros --block 32 --grid 1
// LAUNCH: too_few out[32]=zeros --block 32 --grid 1
// EXIT: 1
// STDERR: assertion failed: 'the_mask_names_the_threads_here'
// LAUNCH: whole_in_branch out[32]=zeros --block 32 --grid 1
// EXIT: 1
// STDERR: wrong_mask.cu:22:18: assertion failed: 'all threads of the warp get here together'
