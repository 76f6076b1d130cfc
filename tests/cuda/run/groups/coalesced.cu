// SPDX-License-Identifier: Apache-2.0
// TEST: coalesced threads of branches: members, exchanges by rank, votes, matches
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void coalesced(const int *x, int *out)
{
    int i = threadIdx.x, n = blockDim.x, v = x[i], lane = i % 32, k = 0, all;
    if (lane % 3 == 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        out[k++ * n + i] = g.thread_rank();
        out[k++ * n + i] = g.size() + 100 * g.num_threads();
        out[k++ * n + i] = g.meta_group_rank() + 10 * g.meta_group_size();
        out[k++ * n + i] = g.shfl(v, 4);
        out[k++ * n + i] = g.shfl_up(v, 2);
        out[k++ * n + i] = g.shfl_down(v, 3);
        out[k++ * n + i] = g.any(v == 4) + 2 * g.all(v < 100);
        out[k++ * n + i] = (int)g.ballot(v & 1);
        out[k++ * n + i] = (int)g.match_any(v & 1);
        out[k++ * n + i] = (int)g.match_all(lane < 0, all) + all;
        g.sync();
        out[k++ * n + i] = (int)cg::group_size(g);
    }
}
// PY: def reference(x):
// PY:     out = np.zeros((11, len(x)), np.int64)
// PY:     for w in range(0, len(x), 32):
// PY:         at = np.arange(w + 1, w + 32, 3)
// PY:         p, m = x[at], len(at)
// PY:         r, bits = np.arange(m), lambda t: sum(1 << k for k in range(m) if t[k])
// PY:         pick = lambda j: np.where((j >= 0) & (j < m), p[np.clip(j, 0, m - 1)], p)
// PY:         out[:, at] = [r, 0 * r + 101 * m, 0 * r + 10, 0 * r + p[4], pick(r - 2), pick(r + 3),
// PY:                       0 * r + (p == 4).any() + 2 * (p < 100).all(), 0 * r + bits(p & 1),
// PY:                       [bits((p & 1) == (q & 1)) for q in p], 0 * r + 2**m, 0 * r + m]
// PY:     return out.ravel()
// LAUNCH: x[64]=iota out[704]=zeros --block 64 --grid 1
// OUT: out = reference(in_x)
