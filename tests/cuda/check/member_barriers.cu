// SPDX-License-Identifier: Apache-2.0
// TEST: barriers that are members of an object in dynamic memory are proved; a stage that is freed too early is told
// check-args: --block 128 --grid 1 --shared 1072 --assume len(x)==64*n --assume len(y)==128
// check right: proved
// check early: bug HD0601
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

struct Storage {
    barrier full[2], empty[2];
};

#define KERNEL(NAME, FIRST, SECOND)                                                          \
    __global__ void NAME(const int *x, int *y, int n)                                        \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        extern __shared__ __align__(16) char memory[];                                       \
        __shared__ int rows[2][64];                                                          \
        auto &s = *reinterpret_cast<Storage *>(memory);                                      \
        int t = threadIdx.x, sum = 0;                                                        \
        if (t == 0)                                                                          \
            for (int i = 0; i < 2; i++) {                                                    \
                init(&s.full[i], 64);                                                        \
                init(&s.empty[i], 64);                                                       \
            }                                                                                \
        __syncthreads();                                                                     \
        if (t < 64)                                                                          \
            for (int k = 0; k < n; k++) {                                                    \
                s.empty[k % 2].wait_parity((k / 2 & 1) ^ 1);                                 \
                rows[k % 2][t] = x[k * 64 + t];                                              \
                s.full[k % 2].arrive();                                                      \
            }                                                                                \
        else                                                                                 \
            for (int k = 0; k < n; k++) {                                                    \
                s.full[k % 2].wait_parity(k / 2 & 1);                                        \
                FIRST;                                                                       \
                SECOND;                                                                      \
            }                                                                                \
        y[t] = sum;                                                                          \
    }

KERNEL(right, sum += rows[k % 2][127 - t], s.empty[k % 2].arrive())
KERNEL(early, s.empty[k % 2].arrive(), sum += rows[k % 2][127 - t])
