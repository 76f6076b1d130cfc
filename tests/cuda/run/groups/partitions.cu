// SPDX-License-Identifier: Apache-2.0
// TEST: labeled and binary partitions of tiles and coalesced groups, then a switch over the labels
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void labels(const int *x, int *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int i = block.thread_rank(), n = block.size(), label = x[i] % 3, k = 0;
    auto part = cg::labeled_partition(warp, label);
    out[k++ * n + i] = part.thread_rank() + 100 * part.size();
    out[k++ * n + i] = part.meta_group_rank() + 100 * part.meta_group_size();
    out[k++ * n + i] = cg::reduce(part, x[i], cg::plus<int>());
    int v = 0;
    switch (label) {
    case 0: v = part.shfl(x[i], 0); break;
    case 1: v = part.shfl_down(x[i], 1); break;
    default: v = (int)part.ballot(x[i] & 4); break;
    }
    part.sync();
    out[k++ * n + i] = v;
    auto half = cg::binary_partition(warp, x[i] % 5 < 2);
    out[k++ * n + i] = half.thread_rank() + 100 * half.size();
    out[k++ * n + i] = half.meta_group_size();
    out[k++ * n + i] = cg::reduce(half, x[i], cg::greater<int>());
    auto small = cg::tiled_partition<16>(block);
    auto sixteenth = cg::labeled_partition(small, (long long)x[i] % 2);
    out[k++ * n + i] = sixteenth.thread_rank() + 100 * sixteenth.size();
    auto again = cg::labeled_partition(half, label == 1);
    out[k++ * n + i] = again.thread_rank() + 100 * again.size();
}
// PY: def groups(keys, size):
// PY:     for b in range(0, len(keys), size):
// PY:         own = keys[b:b + size]
// PY:         for key in sorted(set(own), key=own.index):
// PY:             yield key, np.array([b + j for j in range(size) if own[j] == key]), sorted(set(own), key=own.index)
// PY: def reference(x):
// PY:     out = np.zeros((9, len(x)), np.int64)
// PY:     for key, at, keys in groups(list(x % 3), 32):
// PY:         p, m = x[at], len(at)
// PY:         r = np.arange(m)
// PY:         v = [0 * r + p[0], np.r_[p[1:], p[-1:]], 0 * r + sum(1 << j for j in r if p[j] & 4)][key]
// PY:         out[[0, 2, 3], at[:, None]] = np.array([r + 100 * m, 0 * r + p.sum(), v]).T
// PY:         out[1, at] = keys.index(key) + 100 * len(keys)
// PY:     for key, at, _ in groups(list(x % 5 < 2), 32):
// PY:         r = np.arange(len(at))
// PY:         out[[4, 5, 6], at[:, None]] = np.array([r + 100 * len(at), 0 * r + 2, 0 * r + x[at].max()]).T
// PY:     for row, keys, size in (7, list(x % 2), 16), (8, [(a, b) for a, b in zip(x % 5 < 2, x % 3 == 1)], 32):
// PY:         for _, at, _ in groups(keys, size):
// PY:             out[row, at] = np.arange(len(at)) + 100 * len(at)
// PY:     return out.ravel()
// LAUNCH: x[64]=iota out[576]=zeros --block 64 --grid 1
// OUT: out = reference(in_x)
