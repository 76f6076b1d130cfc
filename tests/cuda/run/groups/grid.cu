// SPDX-License-Identifier: Apache-2.0
// TEST: the grid as a group: every member, sync between steps, split arrival
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void members(int *out)
{
    cg::grid_group g = cg::this_grid();
    int n = (int)g.num_threads(), i = (int)g.thread_rank(), k = 0;
    dim3 block = g.block_index(), thread = g.thread_index(), blocks = g.dim_blocks(), dim = g.group_dim();
    out[k++ * n + i] = (int)(g.size() + 10000 * g.num_blocks());
    out[k++ * n + i] = (int)g.block_rank();
    out[k++ * n + i] = block.x + 10 * block.y + 100 * block.z;
    out[k++ * n + i] = thread.x + 100 * thread.y;
    out[k++ * n + i] = blocks.x + 10 * blocks.y + 100 * blocks.z;
    out[k++ * n + i] = dim.x + 10 * dim.y + 100 * dim.z;
    out[k++ * n + i] = g.is_valid();
}

__global__ void steps(int *x, int *y, int rounds)
{
    auto g = cg::this_grid();
    int n = (int)g.size(), i = (int)cg::thread_rank(g);
    for (int r = 0; r < rounds; r++) {
        int v = x[(i + 33) % n] + r;
        g.sync();
        x[i] = v;
        auto token = g.barrier_arrive();
        int own = i & r;
        g.barrier_wait(std::move(token));
        y[i] += own;
    }
}
// PY: def members(bx, by, tx, ty):
// PY:     t = tx * ty
// PY:     n = bx * by * t
// PY:     i, b = np.arange(n) % t, np.arange(n) // t
// PY:     f = lambda v: np.full(n, v)
// PY:     x, y = b % bx, b // bx
// PY:     return np.concatenate([f(n + 10000 * bx * by), b, x + 10 * y, x * tx + i % tx + 100 * (y * ty + i // tx), f(bx + 10 * by + 100),
// PY:                            f(bx + 10 * by + 100), f(1)])
// PY: def steps(x, rounds):
// PY:     for r in range(rounds): x = np.roll(x, -33) + r
// PY:     return x
// LAUNCH: members out[672]=zeros --grid 3,2 --block 8,2
// OUT: out = members(3, 2, 8, 2)
// LAUNCH: steps x[128]=iota y[128]=zeros rounds=5 --grid 4 --block 32
// OUT: x = steps(in_x, rounds)
// OUT: y = sum(np.arange(128) & r for r in range(5))
