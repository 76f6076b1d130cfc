// SPDX-License-Identifier: Apache-2.0
// TEST: only the leader has what its group gets by a shuffle; --sanitize takes it
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int count_up(int *counter)
{
    auto active = cg::coalesced_threads();
    int before;
    if (active.thread_rank() == 0)
        before = atomicAdd(counter, active.size());
    return active.shfl(before, 0) + active.thread_rank();
}

__global__ void keep_odd(int n, const int *x, int *kept, int *counter)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 2)
        kept[count_up(counter)] = x[i];
}

__global__ void by_mask(int n, const int *x, int *kept, int *counter)
{
    int i = threadIdx.x;
    if (i < n && x[i] % 2) {
        unsigned mask = __activemask();
        int leader = __ffs(mask) - 1, before;
        if (i == leader)
            before = atomicAdd(counter, __popc(mask));
        before = __shfl_sync(mask, before, leader);
        kept[before + __popc(mask & ((1u << i) - 1))] = x[i];
    }
}
// ALSO: --sanitize
// LAUNCH: keep_odd n=20 x[20]=iota kept[10]=zeros counter[1]=zeros --grid 1 --block 32
// LAUNCH: by_mask n=20 x[20]=iota kept[10]=zeros counter[1]=zeros --grid 1 --block 32
// OUT: kept = np.arange(10) * 2 + 1
// OUT: counter = np.array([10])
