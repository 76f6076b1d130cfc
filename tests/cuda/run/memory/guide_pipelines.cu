// SPDX-License-Identifier: Apache-2.0
// TEST: offsets of stages in an array, pipelines of dynamic shared memory, of two roles, and named without their scope
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// Batches are fetched as early as there is room.
template <size_t STAGES> __global__ void together(int *out, const int *in, size_t n_batches)
{
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    extern __shared__ int shared[];
    size_t begin[STAGES];
    for (int s = 0; s < STAGES; ++s)
        begin[s] = s * block.size();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, STAGES> state;
    cuda::pipeline pipe = cuda::make_pipeline(block, &state);
    auto first = [&](size_t batch) -> int {
        return block.group_index().x * block.size() + grid.size() * batch;
    };
    for (size_t batch = 0, fetched = 0; batch < n_batches; ++batch) {
        for (; fetched < n_batches && fetched < batch + STAGES; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, shared + begin[fetched % STAGES], in + first(fetched),
                               sizeof(int) * block.size(), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        int rank = block.thread_rank();
        out[first(batch) + rank] = 2 * shared[begin[batch % STAGES] + block.size() - 1 - rank];
        pipe.consumer_release();
    }
}

// One half of the threads fetches, the other one computes: by parity of the rank.
#define HALVES(CONDITION, FIRST, SECOND)                                                           \
    {                                                                                              \
        auto block = cg::this_thread_block();                                                      \
        const cuda::pipeline_role role = CONDITION ? cuda::pipeline_role::FIRST                    \
                                                   : cuda::pipeline_role::SECOND;                  \
        const int half = block.size() / 2, i = block.thread_rank() / 2;                            \
        __shared__ int shared[3][256];                                                             \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;                 \
        cuda::pipeline pipe = cuda::make_pipeline(block, &state, role);                            \
        for (size_t batch = 0, fetched = 0; batch < n_batches; ++batch) {                          \
            for (; fetched < n_batches && fetched < batch + 3; ++fetched)                          \
                if (role == cuda::pipeline_role::producer) {                                       \
                    pipe.producer_acquire();                                                       \
                    cuda::memcpy_async(&shared[fetched % 3][i], &in[fetched * half + i], 4, pipe); \
                    pipe.producer_commit();                                                        \
                }                                                                                  \
            if (role == cuda::pipeline_role::consumer) {                                           \
                pipe.consumer_wait();                                                              \
                out[batch * half + i] = 2 * shared[batch % 3][half - 1 - i];                       \
                pipe.consumer_release();                                                           \
            }                                                                                      \
        }                                                                                          \
    }

__global__ void even(int *out, const int *in, size_t n_batches)
HALVES(block.thread_rank() % 2 == 0, producer, consumer)
__global__ void odd(int *out, const int *in, size_t n_batches)
HALVES(threadIdx.x & 1, producer, consumer)
__global__ void not_odd(int *out, const int *in, size_t n_batches)
HALVES(!(threadIdx.x & 1), producer, consumer)
__global__ void odd_consumes(int *out, const int *in, size_t n_batches)
HALVES(threadIdx.x % 2, consumer, producer)

template __global__ void together<2>(int *, const int *, size_t);
// LAUNCH: together in[512]=iota out[512]=zeros n_batches=4 --block 64 --grid 2 --shared 512
// OUT: out = 2 * in_in.reshape(-1, 64)[:, ::-1].reshape(-1)
// LAUNCH: even in[512]=iota out[512]=zeros n_batches=8 --block 128 --grid 1
// LAUNCH: odd in[512]=iota out[512]=zeros n_batches=8 --block 128 --grid 1
// LAUNCH: not_odd in[512]=iota out[512]=zeros n_batches=8 --block 128 --grid 1
// LAUNCH: odd_consumes in[512]=iota out[512]=zeros n_batches=8 --block 128 --grid 1
// OUT: out = 2 * in_in.reshape(-1, 64)[:, ::-1].reshape(-1)
