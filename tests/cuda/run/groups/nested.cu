// SPDX-License-Identifier: Apache-2.0
// TEST: tiles of tiles, generic groups by run-time size, groups handed to functions by reference and value
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <typename Group> __device__ int sum_of(const Group &g, int v)
{
    for (int d = g.size() / 2; d > 0; d /= 2)
        v += g.shfl_xor(v, d);
    return v;
}

__device__ int place(cg::thread_group g) { return (int)(g.thread_rank() + 100 * g.size()); }

__global__ void nested(const int *x, int run_time, int *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    auto two = cg::tiled_partition<2>(eight);
    cg::thread_block_tile<8> plain = eight;
    int i = block.thread_rank(), n = block.size(), v = x[i], k = 0;
    out[k++ * n + i] = sum_of(warp, v);
    out[k++ * n + i] = sum_of(eight, v);
    out[k++ * n + i] = sum_of(two, v);
    out[k++ * n + i] = (int)(eight.meta_group_rank() + 10 * eight.meta_group_size());
    out[k++ * n + i] = (int)(two.meta_group_rank() + 10 * two.meta_group_size());
    out[k++ * n + i] = cg::reduce(plain, v, cg::plus<int>());
    cg::thread_group generic = cg::tiled_partition(block, run_time);
    out[k++ * n + i] = place(generic);
    generic.sync();
    cg::thread_group quarter = cg::tiled_partition(generic, run_time / 4);
    out[k++ * n + i] = place(quarter);
    out[k++ * n + i] = place(block);
    out[k++ * n + i] = place(cg::this_thread());
}
// PY: def reference(x, size):
// PY:     i, n = np.arange(len(x)), len(x)
// PY:     sums = lambda k: np.repeat(x.reshape(-1, k).sum(1), k)
// PY:     q = size // 4
// PY:     return np.concatenate([sums(32), sums(8), sums(2), i % 32 // 8 + 40, i % 8 // 2 + 40, sums(8), i % size + 100 * size,
// PY:                            i % q + 100 * q, i + 100 * n, 0 * i + 100])
// LAUNCH: x[64]=iota run_time=16 out[640]=zeros --block 64 --grid 1
// LAUNCH: x[128]=iota run_time=32 out[1280]=zeros --block 128 --grid 1
// OUT: out = reference(in_x, run_time)
