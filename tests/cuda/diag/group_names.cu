// SPDX-License-Identifier: Apache-2.0
// TEST: a header that is included isn't named as what declares an unknown name
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void waits(int *x)
{
    cg::thread_block g = cg::this_thread_block();
    cg::synchronize(g); //~ error HD0301: 'cg::synchronize' is not declared
    //~^ note: CUDA's <cooperative_groups.h> doesn't have it, either: sync(g) waits for the group
    cg::sync(g);
    x[cg::thread_rank(g)] = cg::group_size(g);
}
