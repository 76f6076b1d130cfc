// SPDX-License-Identifier: Apache-2.0
// TEST: names of cooperative groups by using-directives, using-declarations, full names and aliases
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

using namespace cooperative_groups;
using cooperative_groups::thread_block_tile;
typedef thread_block_tile<4> Quad;
using Warp = cooperative_groups::thread_block_tile<32, thread_block>;

template <class G> __device__ int first(G &g, int v) { return g.shfl(v, 0); }

__device__ int by_value(Quad q, int v) { return reduce(q, v, plus<int>()); }

__global__ void spellings(const int *x, int *y)
{
    thread_block b = this_thread_block();
    Warp w = tiled_partition<32>(b);
    Quad q = tiled_partition<4>(b);
    int i = b.thread_rank(), n = b.size();
    sync(b);
    y[0 * n + i] = first(w, x[i]);
    y[1 * n + i] = by_value(q, x[i]);
    y[2 * n + i] = ::cooperative_groups::reduce(w, x[i], ::cooperative_groups::greater<int>{});
    y[3 * n + i] = group_size(q) + thread_rank(w) * 10;
    if (const auto &g = this_thread_block(); g.thread_rank() == 0)
        y[4 * n] = 1;
}
// PY: def reference(x):
// PY:     spread = lambda f, k: np.repeat([f(p) for p in x.reshape(-1, k)], k)
// PY:     return np.concatenate([spread(lambda p: p[0], 32), spread(np.sum, 4), spread(np.max, 32),
// PY:                            4 + np.arange(len(x)) % 32 * 10, (np.arange(len(x)) == 0).astype(int)])
// LAUNCH: x[64]=iota y[320]=zeros --block 64 --grid 1
// OUT: y = reference(in_x)
