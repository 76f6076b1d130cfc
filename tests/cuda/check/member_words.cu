// SPDX-License-Identifier: Apache-2.0
// TEST: words that are mbarriers in an object laid over dynamic memory are proved; a stage that is freed too early is told
// check-args: --block 128 --grid 1 --shared 1072 --assume len(x)==64*n --assume len(y)==128
// check right: proved
// check early: bug HD0601
// check nested: proved
// check nested_early: bug HD0601
#include <cstdint>

__device__ inline uint32_t smem_u32(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ inline void mbar_init(uint64_t *bar, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(bar)), "r"(n)); }
__device__ inline void mbar_arrive(uint64_t *bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem_u32(bar)) : "memory"); }
__device__ inline void mbar_wait(uint64_t *bar, int parity)
{
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(smem_u32(bar)), "r"(parity));
}

template <int STAGES> struct Storage {
    alignas(128) int rows[STAGES][64];
    alignas(8) uint64_t full[STAGES], empty[STAGES];
};
template <int STAGES> struct Pipes {
    uint64_t full[STAGES], empty[STAGES];
};
template <int STAGES> struct Nested {
    Pipes<STAGES> pipes;
    uint64_t turns;
    alignas(128) int rows[STAGES][64];
};

#define KERNEL(NAME, STORAGE, FULL, EMPTY, FIRST, SECOND)                                        \
    __global__ void NAME(const int *x, int *y, int n)                                            \
    {                                                                                            \
        __requires(n >= 1 && n <= 1000);                                                         \
        constexpr int ST = 2;                                                                    \
        extern __shared__ __align__(128) uint8_t memory[];                                       \
        STORAGE<ST> &s = *reinterpret_cast<STORAGE<ST> *>(memory);                               \
        uint64_t *full = FULL, *empty = EMPTY;                                                   \
        int t = threadIdx.x, sum = 0;                                                            \
        if (t == 0) {                                                                            \
            for (int i = 0; i < ST; i++) {                                                       \
                mbar_init(&full[i], 64);                                                         \
                mbar_init(&EMPTY[i], 64);                                                        \
            }                                                                                    \
        }                                                                                        \
        __syncthreads();                                                                         \
        if (t < 64)                                                                              \
            for (int k = 0; k < n; k++) {                                                        \
                mbar_wait(&empty[k % ST], (k / ST & 1) ^ 1);                                     \
                s.rows[k % ST][t] = x[k * 64 + t];                                               \
                mbar_arrive(&FULL[k % ST]);                                                      \
            }                                                                                    \
        else                                                                                     \
            for (int k = 0; k < n; k++) {                                                        \
                mbar_wait(&full[k % ST], k / ST & 1);                                            \
                FIRST;                                                                           \
                SECOND;                                                                          \
            }                                                                                    \
        y[t] = sum;                                                                              \
    }
#define READ sum += s.rows[k % ST][127 - t]
#define FREE mbar_arrive(&empty[k % ST])

KERNEL(right, Storage, s.full, s.empty, READ, FREE)
KERNEL(early, Storage, s.full, s.empty, FREE, READ)
KERNEL(nested, Nested, s.pipes.full, s.pipes.empty, READ, FREE)
KERNEL(nested_early, Nested, s.pipes.full, s.pipes.empty, FREE, READ)
