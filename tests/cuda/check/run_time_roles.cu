// SPDX-License-Identifier: Apache-2.0
// TEST: how many threads produce may be a number of the launch; what is wrong with such roles is told
// check-args: --block 128 --grid 1 --assume len(x)==128*n --assume len(y)==128
// check first: proved
// check first_early: bug HD0601
// check first_unwaited: bug HD0601
// check first_unwaited: also HD1031
// check last: proved
// check last_early: bug HD0601
// check others: bug HD1034
// check others: also HD0601
#include <cooperative_groups.h>
#include <cuda/pipeline>
using cuda::pipeline_role;

#define KERNEL(NAME) __global__ void NAME(const int *x, int *y, int n, int some)

#define ROLES(NAME, IS_PRODUCER, COPIES, PRODUCES, WAIT, FIRST, SECOND)                      \
    KERNEL(NAME)                                                                             \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000 && some >= 1 && some < 128);                          \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;           \
        __shared__ int s[2][128];                                                            \
        auto block = cooperative_groups::this_thread_block();                                \
        int t = threadIdx.x, sum = 0;                                                        \
        const auto role = (IS_PRODUCER) ? pipeline_role::producer : pipeline_role::consumer; \
        auto pipe = cuda::make_pipeline(block, &state, role);                                \
        if (PRODUCES) {                                                                      \
            for (int k = 0; k < n; k++) {                                                    \
                pipe.producer_acquire();                                                     \
                if (COPIES)                                                                  \
                    for (int i = 0; i < 128; i++)                                            \
                        cuda::memcpy_async(&s[k % 2][i], x + k * 128 + i, 4, pipe);          \
                pipe.producer_commit();                                                      \
            }                                                                                \
        } else {                                                                             \
            for (int k = 0; k < n; k++) {                                                    \
                WAIT;                                                                        \
                FIRST;                                                                       \
                SECOND;                                                                      \
            }                                                                                \
            y[t] = sum;                                                                      \
        }                                                                                    \
    }
#define READ sum += s[k % 2][127 - t]
#define IS_ROLE role == pipeline_role::producer
ROLES(first, t < some, t == 0, IS_ROLE, pipe.consumer_wait(), READ, pipe.consumer_release())
ROLES(first_early, t < some, t == 0, IS_ROLE, pipe.consumer_wait(), pipe.consumer_release(), READ)
ROLES(first_unwaited, t < some, t == 0, IS_ROLE, , READ, pipe.consumer_release())
ROLES(last, t >= some, t == 127, IS_ROLE, pipe.consumer_wait(), READ, pipe.consumer_release())
ROLES(last_early, t >= some, t == 127, IS_ROLE, pipe.consumer_wait(), pipe.consumer_release(), READ)
ROLES(others, t < some, t == some, !(IS_ROLE), pipe.consumer_wait(), READ, pipe.consumer_release())
