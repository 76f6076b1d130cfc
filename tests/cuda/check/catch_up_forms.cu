// SPDX-License-Identifier: Apache-2.0
// TEST: a loop inside that keeps a pipeline full is followed however it says when there is room
// TIMEOUT: 120
// check-args: --block 128 --grid 1 --assume len(x)==128*n --assume len(y)==128
// check sizes: proved
// check sizes_less: bug HD0601
// check minimum: proved
// check turned: proved
// check steps: proved
// check steps_over: bug HD1033
// check steps_other: bug HD0601
// check from_two: proved
// check from_two_early: bug HD0601
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

#define BLOCK(STAGES)                                                                        \
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;          \
    __shared__ int s[STAGES][128];                                                           \
    auto block = cg::this_thread_block();                                                    \
    auto pipe = cuda::make_pipeline(block, &state);                                          \
    int t = threadIdx.x, sum = 0

// The loop of CUDA's guide: each turn first fetches all that there is room for.
#define CATCH_UP(NAME, T, STAGES, START, WHILE, WAIT, FIRST, SECOND)                \
    __global__ void NAME(const int *x, int *y, T n)                                          \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        BLOCK(STAGES);                                                                       \
        T compute, fetch;                                                                    \
        for (compute = fetch = START; compute < n; ++compute) {                              \
            for (; WHILE; ++fetch) {                                                         \
                pipe.producer_acquire();                                                     \
                cuda::memcpy_async(block, s[fetch % STAGES], x + fetch * 128, 512, pipe);  \
                pipe.producer_commit();                                                      \
            }                                                                                \
            WAIT;                                                                            \
            FIRST;                                                                           \
            SECOND;                                                                          \
        }                                                                                    \
        y[t] = sum;                                                                          \
    }
#define READ(SLOT, STAGES) sum += s[(SLOT) % STAGES][127 - t]
#define WAIT pipe.consumer_wait()
#define RELEASE pipe.consumer_release()

CATCH_UP(sizes, size_t, 4, 0, fetch < n && fetch < (compute + 4), WAIT, READ(compute, 4), RELEASE)
CATCH_UP(sizes_less, size_t, 4, 0, fetch < n && fetch < (compute + 4), WAIT, READ(compute + 3, 4), RELEASE)
CATCH_UP(minimum, unsigned, 4, 0, fetch < min(n, compute + 4), WAIT, READ(compute, 4), RELEASE)
CATCH_UP(turned, int, 2, 0, fetch < compute + 2 && fetch < n, WAIT, READ(compute, 2), RELEASE)
CATCH_UP(from_two, int, 2, 2, fetch < n && fetch < compute + 2, WAIT, READ(compute, 2), RELEASE)
CATCH_UP(from_two_early, int, 2, 2, fetch < n && fetch < compute + 2, WAIT, RELEASE, READ(compute, 2))

// Every turn commits a stage, behind the end empty ones; counters of columns
// go on beside those of stages.
#define STEPS(NAME, MORE, SLOT)                                                              \
    __global__ void NAME(const int *x, int *y, int n)                                        \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        BLOCK(3);                                                                            \
        const int step = 128, end = 128 * n;                                                 \
        for (int a = 0, ahead = 0, i = 0, stage = 0; a < end; a += step, ++i) {              \
            for (; ahead < a + step * MORE; ahead += step, ++stage) {                        \
                pipe.producer_acquire();                                                     \
                if (ahead < end)                                                             \
                    cuda::memcpy_async(block, s[stage % 3], x + ahead, 512, pipe);           \
                pipe.producer_commit();                                                      \
            }                                                                                \
            WAIT;                                                                            \
            sum += s[(SLOT) % 3][127 - t];                                                   \
            RELEASE;                                                                         \
        }                                                                                    \
        y[t] = sum;                                                                          \
    }
STEPS(steps, 3, i)
STEPS(steps_over, 4, i)
STEPS(steps_other, 3, i + 2)
