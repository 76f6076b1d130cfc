// SPDX-License-Identifier: Apache-2.0
// TEST: roles by bits of the rank are proved; where those that produce are others than those that copy, it is told
// check-args: --block 128 --grid 1 --assume len(x)==64*n --assume len(y)==128
// check by_shift: proved
// check by_mask: proved
// check by_not: proved
// check turned: bug HD1034
#include <cooperative_groups.h>
#include <cuda/pipeline>
using cuda::pipeline_role;

#define KERNEL(NAME, CONDITION, PRODUCES)                                                    \
    __global__ void NAME(const int *x, int *y, int n)                                        \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;           \
        __shared__ int s[2][64];                                                             \
        auto block = cooperative_groups::this_thread_block();                                \
        int t = threadIdx.x;                                                                 \
        for (int k = t; k < 128; k += 128)                                                   \
            s[k / 64][k % 64] = 0;                                                           \
        block.sync();                                                                        \
        const auto role = (CONDITION) ? pipeline_role::producer : pipeline_role::consumer;   \
        auto pipe = cuda::make_pipeline(block, &state, role);                                \
        if (PRODUCES) {                                                                      \
            for (int k = 0; k < n; k++) {                                                    \
                pipe.producer_acquire();                                                     \
                if (t < 64)                                                                  \
                    cuda::memcpy_async(&s[k % 2][t], x + k * 64 + t, 4, pipe);               \
                pipe.producer_commit();                                                      \
            }                                                                                \
        } else {                                                                             \
            int sum = 0;                                                                     \
            for (int k = 0; k < n; k++) {                                                    \
                pipe.consumer_wait();                                                        \
                sum += s[k % 2][t % 64];                                                     \
                pipe.consumer_release();                                                     \
            }                                                                                \
            y[t] = sum;                                                                      \
        }                                                                                    \
    }

KERNEL(by_shift, (t >> 6) == 0, role == pipeline_role::producer)
KERNEL(by_mask, (t & 63) != 0, role == pipeline_role::producer)
KERNEL(by_not, !(t & 31), role == pipeline_role::producer)
KERNEL(turned, t < 32, t >= 32)
