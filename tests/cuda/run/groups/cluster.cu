// SPDX-License-Identifier: Apache-2.0
// TEST: clusters by __cluster_dims__: every member of cluster_group, memory of other blocks
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2, 1) members(int *out)
{
    cg::cluster_group c = cg::this_cluster();
    int n = gridDim.x * gridDim.y * blockDim.x, k = 0;
    int at = (blockIdx.x + gridDim.x * blockIdx.y) * blockDim.x + threadIdx.x;
    dim3 block = c.block_index(), thread = c.thread_index(), blocks = c.dim_blocks(), threads = c.dim_threads();
    out[k++ * n + at] = c.block_rank() + 100 * c.num_blocks();
    out[k++ * n + at] = c.thread_rank() + 1000 * c.num_threads();
    out[k++ * n + at] = c.size() == c.num_threads();
    out[k++ * n + at] = block.x + 10 * block.y + 100 * block.z;
    out[k++ * n + at] = thread.x + 100 * thread.y + 1000 * thread.z;
    out[k++ * n + at] = blocks.x + 10 * blocks.y + 100 * blocks.z;
    out[k++ * n + at] = threads.x + 100 * threads.y + 10000 * threads.z;
    cg::grid_group g = cg::this_grid();
    dim3 clusters = g.dim_clusters(), own = g.cluster_index();
    out[k++ * n + at] = clusters.x + 10 * clusters.y + 100 * clusters.z;
    out[k++ * n + at] = own.x + 10 * own.y + 100 * own.z;
    out[k++ * n + at] = (int)(g.cluster_rank() + 100 * g.num_clusters());
}

__global__ void __cluster_dims__(4, 1, 1) ring(const int *x, int *y)
{
    __shared__ int s[32];
    auto c = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = x[i];
    c.sync();
    int *next = c.map_shared_rank(s, (c.block_rank() + 1) % c.num_blocks());
    int v = next[t] + 1000 * (int)c.query_shared_rank(next);
    cg::cluster_group::arrival_token token = c.barrier_arrive();
    v += t;
    c.barrier_wait(std::move(token));
    s[t] = 0;
    y[i] = v;
}

__global__ void __cluster_dims__(2) histogram(const int *x, int n, int *bins)
{
    __shared__ int part[16];
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x < 16)
        part[threadIdx.x] = 0;
    c.sync();
    for (int i = c.thread_rank(); i < n; i += c.num_threads())
        atomicAdd(c.map_shared_rank(&part[(x[i] & 31) % 16], (x[i] & 31) / 16), 1);
    c.barrier_arrive();
    c.barrier_wait();
    if (threadIdx.x < 16)
        bins[c.block_rank() * 16 + threadIdx.x] = part[threadIdx.x];
}
// PY: def members(gx, gy, t):
// PY:     n = gx * gy * t
// PY:     i, b = np.arange(n) % t, np.arange(n) // t
// PY:     x, y = b % gx, b // gx
// PY:     r = x % 2 + 2 * (y % 2)
// PY:     f = lambda v: np.full(n, v)
// PY:     cx, cy = gx // 2, gy // 2
// PY:     return np.concatenate([r + 400, r * t + i + 4000 * t, f(1), x % 2 + 10 * (y % 2),
// PY:                            x % 2 * t + i + 100 * (y % 2), f(2 + 20 + 100), f(2 * t + 200 + 10000),
// PY:                            f(cx + 10 * cy + 100), x // 2 + 10 * (y // 2), x // 2 + cx * (y // 2) + 100 * cx * cy])
// PY: def ring(x):
// PY:     p = x.reshape(-1, 4, 32)
// PY:     return (np.roll(p, -1, 1) + 1000 * np.array([1, 2, 3, 0])[None, :, None] + np.arange(32)).ravel()
// LAUNCH: members out[2560]=zeros --grid 4,2 --block 32
// OUT: out = members(4, 2, 32)
// LAUNCH: ring x[256]=iota y[256]=zeros --grid 8 --block 32
// OUT: y = ring(in_x)
// LAUNCH: histogram n=500 x[500]=random:1 bins[32]=zeros --grid 2 --block 64
// OUT: bins = np.bincount(in_x & 31, minlength=32)
