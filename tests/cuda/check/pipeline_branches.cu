// SPDX-License-Identifier: Apache-2.0
// TEST: roles that branches, functions, switches and the launch decide are proved; a stage that is released too early, or filled by others than those that produce, is told
// check-args: --block 128 --grid 1 --assume len(x)==64*n --assume len(y)==128
// check branch: proved
// check branch_early: bug HD0601
// check branch_turned: bug HD1034
// check branch_turned: bug HD0601
// check either: proved
// check either_early: bug HD0601
// check called: proved
// check called_unwaited: bug HD0601
// check cases: proved
// check cases_early: bug HD0601
// check by_warp: proved
// check by_warp_unwaited: bug HD0601
// check lanes: proved
// check lanes_early: bug HD0601
#include <cooperative_groups.h>
#include <cuda/pipeline>
using cuda::pipeline_role;
constexpr auto producer = pipeline_role::producer, consumer = pipeline_role::consumer;

#define KERNEL(NAME, ROLE, PRODUCES, ACQUIRE, WAIT, FIRST, SECOND)                           \
    __global__ void NAME(const int *x, int *y, int n)                                        \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;           \
        __shared__ int s[2][64];                                                             \
        auto block = cooperative_groups::this_thread_block();                                \
        auto warp = cooperative_groups::tiled_partition<32>(block);                          \
        int t = threadIdx.x;                                                                 \
        for (int k = t; k < 128; k += 128)                                                   \
            s[k / 64][k % 64] = 0;                                                           \
        block.sync();                                                                        \
        pipeline_role role = consumer;                                                       \
        ROLE;                                                                                \
        auto pipe = cuda::make_pipeline(block, &state, role);                                \
        if (PRODUCES) {                                                                      \
            for (int k = 0; k < n; k++) {                                                    \
                ACQUIRE;                                                                     \
                if (t < 64)                                                                  \
                    cuda::memcpy_async(&s[k % 2][t], x + k * 64 + t, 4, pipe);               \
                pipe.producer_commit();                                                      \
            }                                                                                \
        } else {                                                                             \
            int sum = 0;                                                                     \
            for (int k = 0; k < n; k++) {                                                    \
                WAIT;                                                                        \
                FIRST;                                                                       \
                SECOND;                                                                      \
            }                                                                                \
            y[t] = sum;                                                                      \
        }                                                                                    \
        warp.sync();                                                                         \
    }

__device__ pipeline_role role_of(int t)
{
    if (t % 8 < 3)
        return producer;
    return t == 77 ? producer : consumer;
}

#define ACQUIRE pipe.producer_acquire()
#define WAIT pipe.consumer_wait()
#define READ sum += s[k % 2][63 - t % 64]
#define RELEASE pipe.consumer_release()
#define PRODUCES role == producer
#define BRANCH if (t < 32) role = producer; else role = consumer
#define EITHER role = t < 32 || t >= 96 ? producer : consumer
#define CALLED role = role_of(t)
#define CASES switch (t / 32) { case 1: case 3: role = producer; break; default: break; }
#define BY_WARP if (warp.meta_group_rank() == 1) role = producer
#define LANES role = warp.thread_rank() % 4 == 1 ? producer : consumer

KERNEL(branch, BRANCH, PRODUCES, ACQUIRE, WAIT, READ, RELEASE)
KERNEL(branch_early, BRANCH, PRODUCES, ACQUIRE, WAIT, RELEASE, READ)
KERNEL(branch_turned, BRANCH, t >= 32, ACQUIRE, WAIT, READ, RELEASE)
KERNEL(either, EITHER, PRODUCES, ACQUIRE, WAIT, READ, RELEASE)
KERNEL(either_early, EITHER, PRODUCES, ACQUIRE, WAIT, RELEASE, READ)
KERNEL(called, CALLED, PRODUCES, ACQUIRE, WAIT, READ, RELEASE)
KERNEL(called_unwaited, CALLED, PRODUCES, ACQUIRE, , READ, RELEASE)
KERNEL(cases, CASES, PRODUCES, ACQUIRE, WAIT, READ, RELEASE)
KERNEL(cases_early, CASES, PRODUCES, ACQUIRE, WAIT, RELEASE, READ)
KERNEL(by_warp, BY_WARP, PRODUCES, ACQUIRE, WAIT, READ, RELEASE)
KERNEL(by_warp_unwaited, BY_WARP, PRODUCES, ACQUIRE, , READ, RELEASE)
KERNEL(lanes, LANES, PRODUCES, ACQUIRE, WAIT, READ, RELEASE)
KERNEL(lanes_early, LANES, PRODUCES, ACQUIRE, WAIT, RELEASE, READ)
