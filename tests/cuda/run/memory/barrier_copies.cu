// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::memcpy_async bound to a cuda::barrier, by a thread and by a group
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void copies(const int *x, int *y, int tiles)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ alignas(16) int s[128];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    for (int k = 0; k < tiles; k++) {
        cuda::memcpy_async(block, s, x + k * 128, sizeof(int) * 64, bar);
        cuda::memcpy_async(&s[64 + threadIdx.x], &x[k * 128 + 64 + threadIdx.x], sizeof(int), bar);
        bar.arrive_and_wait();
        y[k * 64 + threadIdx.x] = s[threadIdx.x] + s[127 - threadIdx.x];
        block.sync();
    }
}
// LAUNCH: x[384]=random:1 y[192]=zeros tiles=3 --block 64 --grid 1
// OUT: y = np.concatenate([p[:64] + p[:63:-1] for p in in_x.reshape(3, 128)])
