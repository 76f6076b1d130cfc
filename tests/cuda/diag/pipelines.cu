// SPDX-License-Identifier: Apache-2.0
// TEST: pipelines and barriers that have no counterpart are refused, each with its reason
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
namespace cg = cooperative_groups;

using block_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;

__global__ void in_a_loop(int *y, int n)
{
    __shared__ block_state state;
    auto block = cg::this_thread_block();
    for (int i = 0; i < n; i++)
        auto pipe = cuda::make_pipeline(block, &state); //~ error HD1150: this way to make a pipeline of a block; call make_pipeline() in the kernel that declares the shared state, once for each state, and not in a loop
}

__global__ void twice(int *y)
{
    __shared__ block_state state;
    auto block = cg::this_thread_block();
    auto first = cuda::make_pipeline(block, &state);
    auto second = cuda::make_pipeline(block, &state); //~ error HD1150: this way to make a pipeline of a block
}

__global__ void of_a_tile(int *y)
{
    __shared__ block_state state;
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto pipe = cuda::make_pipeline(tile, &state); //~ error HD1150: a pipeline of a part of the block; make it for the block, or of one thread
}

__device__ void use(cuda::pipeline<cuda::thread_scope_block> &pipe)
{
    pipe.producer_acquire(); //~ error HD1150: a pipeline that may be one of several; use each in the kernel that makes it
}

__global__ void several(int *y)
{
    __shared__ block_state one, other;
    auto block = cg::this_thread_block();
    auto a = cuda::make_pipeline(block, &one);
    auto b = cuda::make_pipeline(block, &other);
    use(a);
    b.producer_acquire();
}
