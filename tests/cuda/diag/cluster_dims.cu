// SPDX-License-Identifier: Apache-2.0
// TEST: what counts in a cluster's dimensions needs them, and says so in words of CUDA
// REF: docs/reference/cuda.md#cooperative-groups
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void open(unsigned *out)
{
    auto cluster = cg::this_cluster();
    out[0] = cluster.num_blocks();
    out[1] = cluster.dim_blocks().x; //~ error HD0338: in a kernel without __cluster_dims__(x, y, z)
}

__global__ void __cluster_dims__(2) stated(unsigned *out)
{
    out[0] = cg::this_cluster().dim_blocks().x;
}
