// SPDX-License-Identifier: Apache-2.0
// TEST: tiles of several warps, 64 to 512 threads: ranks, sync, shfl, votes, reduce, scans
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <unsigned N> __global__ void tiles(const int *x, int *out)
{
    __shared__ cg::block_tile_memory<1024> scratch;
    __shared__ int s[1024];
    auto block = cg::this_thread_block(scratch);
    auto g = cg::tiled_partition<N>(block);
    int i = block.thread_rank(), n = block.size(), v = x[i] & 1023, k = 0;
    out[k++ * n + i] = g.thread_rank();
    out[k++ * n + i] = g.size();
    out[k++ * n + i] = g.meta_group_rank();
    out[k++ * n + i] = g.meta_group_size();
    s[i] = v;
    g.sync();
    out[k++ * n + i] = s[i / N * N + (N - 1 - g.thread_rank())];
    out[k++ * n + i] = g.shfl(v, N - 3);
    out[k++ * n + i] = (g.any(v > 1022) != 0) + 2 * (g.all(v > 5) != 0);
    out[k++ * n + i] = cg::reduce(g, v, cg::plus<int>());
    out[k++ * n + i] = cg::reduce(g, v, cg::less<int>());
    out[k++ * n + i] = cg::inclusive_scan(g, v);
    out[k++ * n + i] = cg::exclusive_scan(g, v);
    out[k++ * n + i] = cg::inclusive_scan(g, v, cg::greater<int>());
}
// PY: def reference(x, n):
// PY:     out = []
// PY:     v = (x & 1023).astype(np.int64)
// PY:     for b in range(0, len(x), n):
// PY:         p, r, one = v[b:b + n], np.arange(n), lambda w: np.full(n, w)
// PY:         sums = np.cumsum(p)
// PY:         out.append([r, one(n), one(b // n), one(len(x) // n), p[::-1], one(p[n - 3]),
// PY:                     one((p > 1022).any() + 2 * (p > 5).all()), one(p.sum()), one(p.min()), sums, sums - p,
// PY:                     np.maximum.accumulate(p)])
// PY:     return np.concatenate(np.array(out), axis=1).ravel()
// LAUNCH: tiles<64> x[512]=random:1 out[6144]=zeros --block 512 --grid 1
// OUT: out = reference(in_x, 64)
// LAUNCH: tiles<128> x[512]=random:2 out[6144]=zeros --block 512 --grid 1
// OUT: out = reference(in_x, 128)
// LAUNCH: tiles<256> x[512]=random:3 out[6144]=zeros --block 512 --grid 1
// OUT: out = reference(in_x, 256)
// LAUNCH: tiles<512> x[1024]=random:4 out[12288]=zeros --block 1024 --grid 1
// OUT: out = reference(in_x, 512)
