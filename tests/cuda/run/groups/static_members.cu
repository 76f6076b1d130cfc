// SPDX-License-Identifier: Apache-2.0
// TEST: members that are asked of a group's class; the size of a tile is a constant
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class Tile>
__device__ int half_of(const Tile &tile)
{
    constexpr int n = Tile::size() / 2;
    return n;
}

__global__ void members(int *out)
{
    __shared__ int turned[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int own[tile.size()];
    for (int i = 0; i < tile.num_threads(); i++)
        own[i] = i * i;
    turned[cg::thread_block::num_threads() - 1 - cg::thread_block::thread_rank()] = own[tile.thread_rank()];
    cg::thread_block::sync();
    out[cg::grid_group::thread_rank()] = turned[cg::thread_block::thread_index().x] + 1000 * half_of(tile) +
        100000 * (int)cg::thread_block_tile<4>::size();
}
// LAUNCH: out[128]=zeros --block 64 --grid 2
// OUT: out = (15 - np.arange(128) % 16) ** 2 + 8000 + 400000
