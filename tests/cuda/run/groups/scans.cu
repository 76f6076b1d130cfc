// SPDX-License-Identifier: Apache-2.0
// TEST: inclusive and exclusive scans of tiles and coalesced groups, with functors and lambdas
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void scans(const int *x, int *out, float *floats)
{
    auto block = cg::this_thread_block();
    auto g = cg::tiled_partition<8>(block);
    int i = block.thread_rank(), n = block.size(), v = x[i], k = 0;
    out[k++ * n + i] = cg::inclusive_scan(g, v);
    out[k++ * n + i] = cg::exclusive_scan(g, v);
    out[k++ * n + i] = cg::inclusive_scan(g, v % 5, cg::greater<int>());
    out[k++ * n + i] = cg::inclusive_scan(g, v, cg::bit_xor<int>());
    out[k++ * n + i] = cg::inclusive_scan(g, v + 1, [](int a, int b) { return (a * b) % 1009; });
    out[k++ * n + i] = cg::exclusive_scan(g, v, cg::plus<int>());
    int w = cg::exclusive_scan(g, 1 << g.thread_rank(), cg::bit_or<int>());
    out[k++ * n + i] = g.thread_rank() > 0 ? w : 0;
    floats[i] = cg::inclusive_scan(g, v * 0.5f);
    if (i % 3 == 0) {
        auto some = cg::coalesced_threads();
        out[k * n + i] = cg::inclusive_scan(some, v);
    }
}
// PY: def scan(f, p):
// PY:     r = [p[0]]
// PY:     for v in p[1:]: r.append(f(r[-1], v))
// PY:     return r
// PY: def reference(x):
// PY:     out = np.zeros((8, len(x)), np.int64)
// PY:     for b in range(0, len(x), 8):
// PY:         p = x[b:b + 8].astype(np.int64)
// PY:         s = np.cumsum(p)
// PY:         out[:7, b:b + 8] = [s, s - p, np.maximum.accumulate(p % 5), scan(lambda a, c: a ^ c, p),
// PY:                             scan(lambda a, c: a * c % 1009, p + 1), s - p, (1 << np.arange(8)) - 1]
// PY:     for w in range(0, len(x), 32):
// PY:         at = np.array([j for j in range(w, w + 32) if j % 3 == 0])
// PY:         out[7, at] = np.cumsum(x[at])
// PY:     return out.ravel()
// LAUNCH: x[64]=iota out[512]=zeros floats[64]=zeros --block 64 --grid 1
// OUT: out = reference(in_x)
// OUT: floats = np.concatenate([np.cumsum(p) / 2 for p in in_x.reshape(-1, 8)])
