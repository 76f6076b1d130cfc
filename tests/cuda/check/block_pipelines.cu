// SPDX-License-Identifier: Apache-2.0
// TEST: pipelines of a block are proved, also where some threads only produce; what is wrong with them is told
// check-args: --block 128 --grid 1 --assume len(x)==128*tiles --assume len(y)==128
// check unified: proved
// check unified_unwaited: bug HD0601
// check unified_released_early: bug HD0601
// check unified_not_released: bug HD0601
// check primed: proved
// check halves: proved
// check halves_released_early: bug HD0601
// check halves_not_acquired: bug HD0601
// check halves_not_acquired: also HD1034
// check warps: proved
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

#define KERNEL(NAME)                                                                         \
    __global__ void NAME(const float *x, float *y, int tiles)

// Each stage is filled and emptied by all threads.
#define UNIFIED(WAIT, READ, RELEASE)                                                         \
    {                                                                                        \
        __requires(tiles >= 1 && tiles <= 1000);                                             \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;           \
        __shared__ float s[2][128];                                                          \
        auto block = cg::this_thread_block();                                                \
        auto pipe = cuda::make_pipeline(block, &state);                                      \
        int t = block.thread_rank();                                                         \
        float sum = 0.0f;                                                                    \
        pipe.producer_acquire();                                                             \
        cuda::memcpy_async(block, s[0], x, sizeof(float) * 128, pipe);                       \
        pipe.producer_commit();                                                              \
        for (int k = 1; k < tiles; k++) {                                                    \
            pipe.producer_acquire();                                                         \
            cuda::memcpy_async(block, s[k % 2], x + k * 128, sizeof(float) * 128, pipe);     \
            pipe.producer_commit();                                                          \
            WAIT;                                                                            \
            READ;                                                                            \
            RELEASE;                                                                         \
        }                                                                                    \
        pipe.consumer_wait();                                                                \
        sum += s[(tiles - 1) % 2][127 - t];                                                  \
        pipe.consumer_release();                                                             \
        y[t] = sum;                                                                          \
    }

KERNEL(unified)
UNIFIED(pipe.consumer_wait(), sum += s[(k - 1) % 2][127 - t], pipe.consumer_release())
KERNEL(unified_unwaited)
UNIFIED(, sum += s[(k - 1) % 2][127 - t], pipe.consumer_release())
KERNEL(unified_released_early)
UNIFIED(pipe.consumer_wait(), pipe.consumer_release(), sum += s[(k - 1) % 2][127 - t])
KERNEL(unified_not_released)
UNIFIED(pipe.consumer_wait(), sum += s[(k - 1) % 2][127 - t], )

// All stages are filled first, each is refilled when it is empty.
KERNEL(primed)
{
    __requires(tiles >= 1 && tiles <= 1000);
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
    __shared__ float s[4][128];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = block.thread_rank();
    float sum = 0.0f;
    for (int k = 0; k < 3; k++) {
        pipe.producer_acquire();
        if (k < tiles)
            cuda::memcpy_async(block, s[k], x + k * 128, sizeof(float) * 128, pipe);
        pipe.producer_commit();
    }
    for (int k = 0; k < tiles; k++) {
        pipe.producer_acquire();
        if (k + 3 < tiles)
            cuda::memcpy_async(block, s[(k + 3) % 4], x + (k + 3) * 128, sizeof(float) * 128, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += s[k % 4][127 - t];
        pipe.consumer_release();
    }
    y[t] = sum;
}

// The first half copies, the second one adds.
#define HALVES(ACQUIRE, FIRST, SECOND)                                                       \
    {                                                                                        \
        __requires(tiles >= 1 && tiles <= 1000);                                             \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;           \
        __shared__ float s[3][64];                                                           \
        auto block = cg::this_thread_block();                                                \
        const auto role = block.thread_rank() < 64 ? cuda::pipeline_role::producer           \
                                                   : cuda::pipeline_role::consumer;          \
        auto pipe = cuda::make_pipeline(block, &state, role);                                \
        int t = threadIdx.x;                                                                 \
        float sum = 0.0f;                                                                    \
        if (role == cuda::pipeline_role::producer) {                                         \
            for (int k = 0; k < tiles; k++) {                                                \
                ACQUIRE;                                                                     \
                cuda::memcpy_async(&s[k % 3][t], &x[k * 64 + t], sizeof(float), pipe);       \
                pipe.producer_commit();                                                      \
            }                                                                                \
        } else {                                                                             \
            for (int k = 0; k < tiles; k++) {                                                \
                pipe.consumer_wait();                                                        \
                FIRST;                                                                       \
                SECOND;                                                                      \
            }                                                                                \
            y[t] = sum;                                                                      \
        }                                                                                    \
    }

KERNEL(halves)
HALVES(pipe.producer_acquire(), sum += s[k % 3][127 - t], pipe.consumer_release())
KERNEL(halves_released_early)
HALVES(pipe.producer_acquire(), pipe.consumer_release(), sum += s[k % 3][127 - t])
KERNEL(halves_not_acquired)
HALVES(, sum += s[k % 3][127 - t], pipe.consumer_release())

// One warp copies, three add.
KERNEL(warps)
{
    __requires(tiles >= 1 && tiles <= 1000);
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ float s[2][32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto pipe = cuda::make_pipeline(block, &state, 32);
    float sum = 0.0f;
    if (warp.meta_group_rank() == 0) {
        for (int k = 0; k < tiles; k++) {
            pipe.producer_acquire();
            cuda::memcpy_async(warp, s[k % 2], x + k * 32, cuda::aligned_size_t<16>(128), pipe);
            pipe.producer_commit();
        }
    } else {
        for (int k = 0; k < tiles; k++) {
            pipe.consumer_wait();
            sum += s[k % 2][31 - warp.thread_rank()];
            pipe.consumer_release();
        }
        y[threadIdx.x] = sum;
    }
}

// check halves_not_acquired: remark HD1091
