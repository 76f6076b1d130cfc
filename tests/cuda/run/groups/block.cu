// SPDX-License-Identifier: Apache-2.0
// TEST: every member of thread_block, and the functions that say the same
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reversed(const cg::thread_block &g, int *s, int v)
{
    s[g.thread_rank()] = v;
    g.sync();
    int r = s[g.size() - 1 - g.thread_rank()];
    cg::sync(g);
    return r;
}

__global__ void members(const int *x, int *out)
{
    __shared__ int s[256];
    cg::thread_block g = cg::this_thread_block();
    int i = g.thread_rank(), n = gridDim.x * g.num_threads(), k = 0;
    int at = (int)(blockIdx.x * g.num_threads()) + i;
    dim3 block = g.group_index(), thread = g.thread_index(), dim = g.dim_threads(), old = g.group_dim();
    out[k++ * n + at] = reversed(g, s, x[at]);
    out[k++ * n + at] = block.x + 100 * block.y + 10000 * block.z;
    out[k++ * n + at] = thread.x + 100 * thread.y + 10000 * thread.z;
    out[k++ * n + at] = dim.x + 100 * dim.y + 10000 * dim.z;
    out[k++ * n + at] = old.x == dim.x && old.y == dim.y && old.z == dim.z;
    out[k++ * n + at] = g.size() == g.num_threads() && cg::group_size(g) == g.size();
    out[k++ * n + at] = cg::thread_rank(g);
    s[i] = x[at] + 1;
    cg::thread_block::arrival_token token = g.barrier_arrive();
    int own = i * 2;
    g.barrier_wait(std::move(token));
    out[k++ * n + at] = s[(i + 1) % g.size()] + own;
}
// PY: def reference(x, bx, by, bz):
// PY:     n = bx * by * bz
// PY:     i, b = np.arange(len(x)) % n, np.arange(len(x)) // n
// PY:     p = x.reshape(-1, n)
// PY:     full = lambda v: np.full(len(x), v)
// PY:     return np.concatenate([p[:, ::-1].ravel(), b, i % bx + 100 * (i // bx % by) + 10000 * (i // bx // by),
// PY:                            full(bx + 100 * by + 10000 * bz), full(1), full(1), i, np.roll(p, -1, 1).ravel() + 1 + 2 * i])
// LAUNCH: x[192]=iota out[1536]=zeros --grid 2 --block 96
// OUT: out = reference(in_x, 96, 1, 1)
// LAUNCH: x[180]=iota out[1440]=zeros --grid 3 --block 5,4,3
// OUT: out = reference(in_x, 5, 4, 3)
