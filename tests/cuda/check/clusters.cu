// TEST: clusters of one dimension are launched with grids of one dimension
// REF: docs/reference/cuda.md#cooperative-groups
// check-args: --block 128 --assume 'gridDim.x == 2' --assume 'len(y) == 256'
// check exchanged: proved
// check exchanged_early: bug HD0601 line @early
// check any_size: proved
// check beyond: bug HD0705 line @beyond the cluster has a block of this rank
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) exchanged(float *y)
{
    __shared__ float s[128];
    auto c = cg::this_cluster();
    s[threadIdx.x] = c.block_rank();
    c.sync();
    float *other = c.map_shared_rank(s, c.block_rank() ^ 1);
    y[blockIdx.x * 128 + threadIdx.x] = other[127 - threadIdx.x];
    c.sync();
}

__global__ void __cluster_dims__(2, 1, 1) exchanged_early(float *y)
{
    __shared__ float s[128];
    auto c = cg::this_cluster();
    s[threadIdx.x] = c.block_rank(); //@early
    __syncthreads();
    float *other = c.map_shared_rank(s, c.block_rank() ^ 1);
    y[blockIdx.x * 128 + threadIdx.x] = other[127 - threadIdx.x];
    c.sync();
}

__global__ void any_size(float *y)
{
    __shared__ float s[128];
    auto c = cg::this_cluster();
    s[threadIdx.x] = c.block_rank();
    c.sync();
    float *next = c.map_shared_rank(s, (c.block_rank() + 1) % c.num_blocks());
    y[blockIdx.x * 128 + threadIdx.x] = next[127 - threadIdx.x];
    c.sync();
}

__global__ void __cluster_dims__(2, 1, 1) beyond(float *y)
{
    __shared__ float s[128];
    auto c = cg::this_cluster();
    s[threadIdx.x] = c.block_rank();
    c.sync();
    float *next = c.map_shared_rank(s, c.block_rank() + 1); //@beyond
    y[blockIdx.x * 128 + threadIdx.x] = next[127 - threadIdx.x];
    c.sync();
}
