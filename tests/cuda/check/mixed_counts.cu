// SPDX-License-Identifier: Apache-2.0
// TEST: a barrier of an array with several counts waits for its own; too many are a deadlock, too few a race
// check-args: --block 64 --grid 1 --assume len(x)==n --assume len(y)==64
// check apart: proved
// check together: unknown HD1033 the threads that arrive on it
// check too_many: bug HD1033
// check too_few: bug HD0601
// check too_few: remark HD1090
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

#define KERNEL(NAME, DECLARED, FULL, EMPTY, FIRST, SECOND)                                   \
    __global__ void NAME(const int *x, int *y, int n)                                        \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        __shared__ barrier DECLARED;                                                         \
        __shared__ int s;                                                                    \
        int t = threadIdx.x, sum = 0;                                                        \
        if (t == 0) {                                                                        \
            init(&FULL, FIRST);                                                              \
            init(&EMPTY, SECOND);                                                            \
        }                                                                                    \
        __syncthreads();                                                                     \
        if (t == 0) {                                                                        \
            for (int k = 0; k < n; k++) {                                                    \
                EMPTY.wait_parity((k & 1) ^ 1);                                              \
                s = x[k];                                                                    \
                FULL.arrive();                                                               \
            }                                                                                \
        } else {                                                                             \
            for (int k = 0; k < n; k++) {                                                    \
                FULL.wait_parity(k & 1);                                                     \
                sum += s;                                                                    \
                EMPTY.arrive();                                                              \
            }                                                                                \
        }                                                                                    \
        y[t] = sum;                                                                          \
    }

KERNEL(apart, full; __shared__ barrier empty, full, empty, 1, 63)
KERNEL(together, bars[2], bars[0], bars[1], 1, 63)
KERNEL(too_many, bars[2], bars[0], bars[1], 1, 64)
KERNEL(too_few, bars[2], bars[0], bars[1], 1, 62)
