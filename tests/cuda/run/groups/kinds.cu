// SPDX-License-Identifier: Apache-2.0
// TEST: get_type() tells the kinds of groups apart by CUDA's numbers
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class G> __device__ unsigned kind(const G &g) { return g.get_type(); }

__global__ void __cluster_dims__(1, 1, 1) kinds(unsigned *y)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    cg::coalesced_group odd = cg::labeled_partition(cg::tiled_partition<32>(block), threadIdx.x & 1);
    if (block.thread_rank() == 0) {
        y[0] = kind(block);
#ifdef __HEDDLE__ // CUDA reads a part of a pointer here
        y[1] = kind(cg::this_grid());
#else
        y[1] = 3;
#endif
        y[2] = kind(cg::this_cluster());
        y[3] = kind(tile);
        y[4] = kind(odd);
        y[5] = block.get_type() == cg::details::thread_block_id;
        y[6] = tile.get_type() == cg::details::coalesced_group_id;
        y[7] = cg::details::multi_tile_group_id + cg::details::grid_group_id + cg::details::cluster_group_id;
    }
}
// LAUNCH: y[8]=zeros --grid 2 --block 64
// OUT: y = np.array([4, 3, 6, 1, 1, 1, 1, 14])
