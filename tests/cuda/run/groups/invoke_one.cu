// SPDX-License-Identifier: Apache-2.0
// TEST: invoke_one and invoke_one_broadcast: one thread of the group runs the function
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int draw(int *counter, int step) { return atomicAdd(counter, step); }

__global__ void once(const int *x, int *counter, int *seen, int *same)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int i = block.thread_rank();
    cg::invoke_one(tile, [=]() { atomicAdd(&counter[0], 1); });
    int ticket = cg::invoke_one_broadcast(tile, draw, &counter[1], 10);
    seen[i] = tile.shfl(ticket, 0) == ticket;
    if (x[i] % 2) {
        auto active = cg::coalesced_threads();
        int v = cg::invoke_one_broadcast(active, [=]() { return atomicAdd(&counter[2], 1); });
        same[i] = active.shfl(v, 3) == v;
        cg::invoke_one(active, draw, &counter[3], 5);
    }
}
// LAUNCH: x[64]=iota counter[4]=zeros seen[64]=zeros same[64]=zeros --block 64 --grid 1
// OUT: counter = np.array([4, 40, 2, 10])
// OUT: seen = 1
// OUT: same = in_x % 2
