// SPDX-License-Identifier: Apache-2.0
// TEST: pipelines and barriers that have no counterpart are refused, each with its reason
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
namespace cg = cooperative_groups;

using block_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;

// Who produces may change from turn to turn.
__global__ void in_a_loop(int *y, int n)
{
    __shared__ block_state state;
    auto block = cg::this_thread_block();
    for (int i = 0; i < n; i++) {
        auto role = y[threadIdx.x] ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
        auto pipe = cuda::make_pipeline(block, &state, role); //~ error HD1150: roles in a pipeline that is made in a loop; make it before the loop, or let constants and a comparison of block.thread_rank() decide who produces
    }
}

__device__ int made(const cg::thread_block &block, block_state *state)
{
    auto pipe = cuda::make_pipeline(block, state);
    pipe.producer_acquire();
    return 1;
}

__global__ void first_without_a_loop(int *y, int n)
{
    __shared__ block_state state;
    auto block = cg::this_thread_block();
    y[0] = made(block, &state);
    for (int i = 0; i < n; i++)
        y[i] = made(block, &state); //~ error HD1150: a pipeline that is made again and again; call the function that makes it in the loop only
}

__global__ void perhaps(int *y, int n)
{
    __shared__ block_state state;
    auto block = cg::this_thread_block();
    int i = n > 3 ? (cuda::make_pipeline(block, &state), 1) : 2; //~ error HD1150: a pipeline that is made on some paths only; call make_pipeline() in a statement of its own
}

__global__ void of_some_threads(int *y)
{
    __shared__ block_state state;
    auto some = cg::coalesced_threads();
    auto pipe = cuda::make_pipeline(some, &state); //~ error HD1150: a pipeline of this group; make it for the block, a tile, or of one thread
}

__device__ void use(cuda::pipeline<cuda::thread_scope_block> &pipe)
{
    pipe.producer_acquire();
}

struct Reader {
    cuda::pipeline<cuda::thread_scope_block> pipe;
    __device__ void acquire()
    {
        pipe.producer_acquire(); //~ error HD1150: a pipeline that may be one of several; keep each in a variable that make_pipeline() initialises, and pass it to functions by reference
    }
};

__global__ void several(int *y)
{
    __shared__ block_state one, other;
    auto block = cg::this_thread_block();
    auto a = cuda::make_pipeline(block, &one);
    auto b = cuda::make_pipeline(block, &other);
    use(a);
    b.producer_acquire();
    Reader reader = {cuda::make_pipeline(block, &one)};
    reader.acquire();
}
