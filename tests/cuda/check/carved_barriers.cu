// SPDX-License-Identifier: Apache-2.0
// TEST: barriers that casts make of dynamic memory are proved; a stage that is freed too early and data on a barrier's bytes are told
// check-args: --block 128 --grid 1 --shared 1072 --assume len(x)==64*n --assume len(y)==128
// check words: proved
// check words_early: bug HD0601
// check stages: proved
// check stages_early: bug HD0601
// check classes: proved
// check classes_early: bug HD0601
// check on_barriers: unknown HD0702
// check on_members: bug HD0702
// check beside_barriers: proved
#include <cstdint>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ inline uint32_t smem_u32(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ inline void mbar_init(uint64_t *bar, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(bar)), "r"(n)); }
__device__ inline void mbar_arrive(uint64_t *bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem_u32(bar)) : "memory"); }
__device__ inline void mbar_wait(uint64_t *bar, int parity)
{
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(smem_u32(bar)), "r"(parity));
}
enum { ST = 2 };
constexpr int BYTES = ST * 64 * sizeof(int);

// full: one arrival by one thread; empty: one by each of 64.
#define WORDS(NAME, FIRST, SECOND)                                                               \
    __global__ void NAME(const int *x, int *y, int n)                                            \
    {                                                                                            \
        __requires(n >= 1 && n <= 1000);                                                         \
        extern __shared__ __align__(128) uint8_t memory[];                                       \
        int *rows = reinterpret_cast<int *>(memory);                                             \
        uint64_t *full = reinterpret_cast<uint64_t *>(memory + BYTES), *empty = full + ST;       \
        int t = threadIdx.x, sum = 0;                                                            \
        if (t == 0) {                                                                            \
            for (int i = 0; i < ST; i++) {                                                       \
                mbar_init(&full[i], 32);                                                         \
                mbar_init(empty + i, 64);                                                        \
            }                                                                                    \
        }                                                                                        \
        __syncthreads();                                                                         \
        if (t < 32)                                                                              \
            for (int k = 0; k < n; k++) {                                                        \
                mbar_wait(&empty[k % ST], (k / ST & 1) ^ 1);                                     \
                rows[k % ST * 64 + t] = x[k * 64 + t];                                           \
                rows[k % ST * 64 + 32 + t] = x[k * 64 + 32 + t];                                 \
                mbar_arrive(&full[k % ST]);                                                      \
            }                                                                                    \
        else if (t >= 64)                                                                        \
            for (int k = 0; k < n; k++) {                                                        \
                mbar_wait(&full[k % ST], k / ST & 1);                                            \
                FIRST;                                                                           \
                SECOND;                                                                          \
            }                                                                                    \
        y[t] = sum;                                                                              \
    }
#define READ sum += rows[k % ST * 64 + 127 - t]
#define FREE mbar_arrive(&empty[k % ST])
WORDS(words, READ, FREE)
WORDS(words_early, FREE, READ)

// The barriers stand first; the stage and the parity are counted.
#define STAGES(NAME, FIRST, SECOND)                                                              \
    __global__ void NAME(const int *x, int *y, int n)                                            \
    {                                                                                            \
        __requires(n >= 1 && n <= 1000);                                                         \
        extern __shared__ __align__(128) uint8_t memory[];                                       \
        auto full = reinterpret_cast<uint64_t *>(memory);                                        \
        auto empty = reinterpret_cast<uint64_t *>(memory + ST * sizeof(uint64_t));               \
        int *rows = reinterpret_cast<int *>(memory + 128);                                       \
        int t = threadIdx.x, sum = 0, stage = 0, parity = 0;                                     \
        if (t < ST) {                                                                            \
            mbar_init(&full[t], 64);                                                             \
            mbar_init(&empty[t], 64);                                                            \
        }                                                                                        \
        __syncthreads();                                                                         \
        for (int k = 0; k < n; k++) {                                                            \
            if (t < 64) {                                                                        \
                mbar_wait(&empty[stage], parity ^ 1);                                            \
                rows[stage * 64 + t] = x[k * 64 + t];                                            \
                mbar_arrive(&full[stage]);                                                       \
            } else {                                                                             \
                mbar_wait(&full[stage], parity);                                                 \
                FIRST;                                                                           \
                SECOND;                                                                          \
            }                                                                                    \
            if (++stage == ST) {                                                                 \
                stage = 0;                                                                       \
                parity ^= 1;                                                                     \
            }                                                                                    \
        }                                                                                        \
        y[t] = sum;                                                                              \
    }
#define READ_STAGE sum += rows[stage * 64 + 127 - t]
#define FREE_STAGE mbar_arrive(&empty[stage])
STAGES(stages, READ_STAGE, FREE_STAGE)
STAGES(stages_early, FREE_STAGE, READ_STAGE)

#define CLASSES(NAME, FIRST, SECOND)                                                             \
    __global__ void NAME(const int *x, int *y, int n)                                            \
    {                                                                                            \
        __requires(n >= 1 && n <= 1000);                                                         \
        extern __shared__ __align__(128) uint8_t memory[];                                       \
        int *rows = reinterpret_cast<int *>(memory);                                             \
        barrier *bars = reinterpret_cast<barrier *>(memory + BYTES);                             \
        int t = threadIdx.x, sum = 0;                                                            \
        if (t == 0)                                                                              \
            for (int i = 0; i < 2 * ST; i++)                                                     \
                init(&bars[i], 64);                                                              \
        __syncthreads();                                                                         \
        barrier *empty = bars + ST;                                                              \
        if (t < 64)                                                                              \
            for (int k = 0; k < n; k++) {                                                        \
                empty[k % ST].wait_parity((k / ST & 1) ^ 1);                                     \
                rows[k % ST * 64 + t] = x[k * 64 + t];                                           \
                (void)bars[k % ST].arrive();                                                     \
            }                                                                                    \
        else                                                                                     \
            for (int k = 0; k < n; k++) {                                                        \
                bars[k % ST].wait_parity(k / ST & 1);                                            \
                FIRST;                                                                           \
                SECOND;                                                                          \
            }                                                                                    \
        y[t] = sum;                                                                              \
    }
#define FREE_CLASS (void)empty[k % ST].arrive()
CLASSES(classes, READ, FREE_CLASS)
CLASSES(classes_early, FREE_CLASS, READ)

// Data that reaches the bytes of a barrier, or ends before them.
#define BESIDE(NAME, N)                                                                          \
    __global__ void NAME(const int *x, int *y, int n)                                            \
    {                                                                                            \
        extern __shared__ __align__(128) uint8_t memory[];                                       \
        int *rows = reinterpret_cast<int *>(memory);                                             \
        uint64_t *bar = reinterpret_cast<uint64_t *>(memory + BYTES);                            \
        int t = threadIdx.x;                                                                     \
        if (t == 0)                                                                              \
            mbar_init(bar, 128);                                                                 \
        __syncthreads();                                                                         \
        if (t < N)                                                                               \
            rows[t + 64] = t;                                                                    \
        mbar_arrive(bar);                                                                        \
        mbar_wait(bar, 0);                                                                       \
        y[t] = rows[127 - t % 64];                                                               \
    }
BESIDE(beside_barriers, 64)
BESIDE(on_barriers, 65)

struct Storage {
    int rows[128];
    uint64_t bar;
};
__global__ void on_members(const int *x, int *y, int n)
{
    __shared__ Storage s;
    int *rows = s.rows;
    int t = threadIdx.x;
    if (t == 0)
        mbar_init(&s.bar, 128);
    __syncthreads();
    rows[t + 1] = t;
    mbar_arrive(&s.bar);
    mbar_wait(&s.bar, 0);
    y[t] = t;
}
