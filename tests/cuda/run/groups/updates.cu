// SPDX-License-Identifier: Apache-2.0
// TEST: reduce_store_async, reduce_update_async and the _update scans
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

__global__ void stores(const int *x, int *stored, int *updated)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int i = block.thread_rank();
    if (i == 0)
        total.store(5);
    block.sync();
    cg::reduce_store_async(warp, &stored[warp.meta_group_rank()], x[i], cg::plus<int>());
    cg::reduce_update_async(warp, total, x[i], cg::plus<int>());
    cuda::atomic_ref<int, cuda::thread_scope_device> most(updated[1]);
    cg::reduce_update_async(warp, most, x[i], cg::greater<int>());
    block.sync();
    if (i == 0)
        updated[0] = total.load();
}

__global__ void tickets(const int *x, int *place, int *counter)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*counter);
    int i = threadIdx.x, want = x[i] % 3;
    int at = cg::exclusive_scan_update(warp, all, want, cg::plus<int>());
    for (int k = 0; k < want; k++)
        place[at + k] += 1;
}

__global__ void ends(const int *x, int *seen, int *counter)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*counter);
    int upto = cg::inclusive_scan_update(tile, all, x[threadIdx.x] + 1);
    atomicAdd(&seen[upto - 1], 1);
}
// LAUNCH: stores x[64]=iota stored[2]=zeros updated[2]=zeros --block 64 --grid 1
// OUT: stored = in_x.reshape(2, 32).sum(1)
// OUT: updated = np.array([in_x.sum() + 5, 63])
// LAUNCH: tickets x[64]=iota place[64]=zeros counter[1]=zeros --block 64 --grid 1
// OUT: place = (np.arange(64) < (in_x % 3).sum()).astype(int)
// OUT: counter = (in_x % 3).sum()
// LAUNCH: ends x[64]=zeros seen[64]=zeros counter[1]=zeros --block 64 --grid 1
// OUT: seen = 1
// OUT: counter = 64
