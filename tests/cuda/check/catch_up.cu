// SPDX-License-Identifier: Apache-2.0
// TEST: a pipeline that is kept full by a loop inside is proved; one stage too many, early releases and unwaited reads are told
// TIMEOUT: 120
// check-args: --block 128 --grid 1 --assume len(x)==128*n --assume len(y)==128
// check two: proved
// check three: proved
// check three_early: bug HD0601
// check three_unwaited: bug HD0601
// check three_unwaited: also HD1031
// check three_over: bug HD1033
// check three_less: bug HD0601
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

CATCH_UP(two, int, 2, 0, fetch < n && fetch < compute + 2, WAIT, READ(compute, 2), RELEASE)
CATCH_UP(three, int, 3, 0, fetch < n && fetch < compute + 3, WAIT, READ(compute, 3), RELEASE)
CATCH_UP(three_early, int, 3, 0, fetch < n && fetch < compute + 3, WAIT, RELEASE, READ(compute, 3))
CATCH_UP(three_unwaited, int, 3, 0, fetch < n && fetch < compute + 3, , READ(compute, 3), RELEASE)
CATCH_UP(three_over, int, 3, 0, fetch < n && fetch < compute + 4, WAIT, READ(compute, 3), RELEASE)
CATCH_UP(three_less, int, 3, 0, fetch < n && fetch < compute + 3, WAIT, READ(compute + 1, 3), RELEASE)
