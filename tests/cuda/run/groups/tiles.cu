// SPDX-License-Identifier: Apache-2.0
// TEST: tiles of one warp, 1 to 32 threads: ranks, exchanges, votes, matches
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <unsigned N> __global__ void tiles(const int *x, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<N> g = cg::tiled_partition<N>(block);
    int i = block.thread_rank(), n = block.size(), v = x[i] & 1023, all, k = 0;
    out[k++ * n + i] = g.thread_rank();
    out[k++ * n + i] = g.size() + g.num_threads() * 100;
    out[k++ * n + i] = g.meta_group_rank();
    out[k++ * n + i] = g.meta_group_size();
    out[k++ * n + i] = g.shfl(v, N / 2);
    out[k++ * n + i] = g.shfl_up(v, 1);
    out[k++ * n + i] = g.shfl_down(v, N / 4 + 1);
    out[k++ * n + i] = g.shfl_xor(v, N - 1);
    out[k++ * n + i] = g.any(v > 1000) + 2 * g.all(v > 20);
    out[k++ * n + i] = (int)g.ballot(v & 1);
    out[k++ * n + i] = (int)g.match_any(v & 3);
    out[k++ * n + i] = (int)g.match_all(v >> 9, all);
    out[k++ * n + i] = all;
    g.sync();
    cg::sync(g);
    out[k++ * n + i] = (int)(cg::thread_rank(g) + 100 * cg::group_size(g));
}
// PY: def part(p, n, rank, total):
// PY:     r = np.arange(n)
// PY:     pick = lambda j: np.where((j >= 0) & (j < n), p[np.clip(j, 0, n - 1)], p)
// PY:     bits = lambda t: int(sum(1 << k for k in range(n) if t[k]))
// PY:     one = lambda v: np.full(n, v)
// PY:     same = ((p >> 9) == (p[0] >> 9)).all()
// PY:     rows = [r, one(101 * n), one(rank), one(total), one(p[n // 2]), pick(r - 1), pick(r + n // 4 + 1), p[::-1],
// PY:             one((p > 1000).any() + 2 * (p > 20).all()), one(bits(p & 1)),
// PY:             np.array([bits((p & 3) == (p[j] & 3)) for j in r]), one(2**n - 1 if same else 0), one(int(same)), r + 100 * n]
// PY:     return np.array(rows, np.int64)
// PY: def reference(x, n):
// PY:     v, total = (x & 1023).astype(np.int64), len(x) // n
// PY:     out = np.concatenate([part(v[b:b + n], n, b // n, total) for b in range(0, len(x), n)], axis=1)
// PY:     return out.ravel().astype(np.uint32).view(np.int32)
// LAUNCH: tiles<1> x[64]=random:1 out[896]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 1)
// LAUNCH: tiles<2> x[64]=random:2 out[896]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 2)
// LAUNCH: tiles<4> x[64]=random:3 out[896]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 4)
// LAUNCH: tiles<8> x[64]=random:4 out[896]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 8)
// LAUNCH: tiles<16> x[64]=random:5 out[896]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 16)
// LAUNCH: tiles<32> x[64]=random:6 out[896]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 32)
// LAUNCH: tiles<32> x[64]=full:5 out[896]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 32)
