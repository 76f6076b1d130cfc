// SPDX-License-Identifier: Apache-2.0
// TEST: lanes are counted modulo 32 or the width in a warp that has fewer
// REF: docs/reference/cuda.md#positions-barriers-warps
// convert leaves out sources, left: ranks are counted modulo the threads that are there
// LAUNCH: sources from=40 out[44]=zeros --block 44 --grid 1
// LAUNCH: sources from=-24 out[44]=zeros --block 44 --grid 1
// OUT: out = np.arange(44) // 32 * 32 + 8
__global__ void sources(int from, int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, from);
}
// LAUNCH: tiles out[44]=zeros --block 44 --grid 1
// OUT: out = np.arange(44) // 8 * 8 + 3
__global__ void tiles(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 11, 8);
}
// LAUNCH: left out[44]=zeros --block 44 --grid 1
// OUT: out = np.where(np.arange(44) == 43, 0, np.arange(44) // 32 * 32 + 8)
__global__ void left(int *out)
{
    if (threadIdx.x == 43)
        return;
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 40);
}
