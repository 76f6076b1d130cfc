// SPDX-License-Identifier: Apache-2.0
// TEST: barriers that are classes around a word are proved like words; a stage that is freed too early, a parity that is wrong, a barrier that nobody initialises are told
// check-args: --block 64 --grid 1 --assume len(x)==32*n --assume len(y)==32
// check right: proved
// check passed: proved
// check early: bug HD0601
// check parity: bug HD0601
// check forgotten: bug HD1018
// check elements: proved
// check elements_early: bug HD0601
// check elements_other: bug HD1030
// check elements_overlaid: unknown HD0702
#include <cstdint>

struct Barrier {
    uint64_t word;

    __device__ void init(int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(n)); }
    __device__ void arrive() { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory"); }
    __device__ void wait(int parity)
    {
        asm volatile("{\n.reg .pred P1;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(address()), "r"(parity) : "memory");
    }

  private:
    __device__ uint32_t address() { return static_cast<uint32_t>(__cvta_generic_to_shared(&word)); }
};
struct Both {
    Barrier full[2], empty[2];
    __device__ void init(int n)
    {
        for (int i = 0; i < 2; i++) {
            full[i].init(n);
            empty[i].init(n);
        }
    }
};

#define RING(NAME, FIRST, PARITY, BEFORE, BEHIND)                        \
    __global__ void NAME(const int *x, int *y, int n)                    \
    {                                                                    \
        __requires(n >= 1 && n <= 1000);                                 \
        __shared__ int rows[2][32];                                      \
        __shared__ Barrier full[2], empty[2];                            \
        int t = threadIdx.x, sum = 0;                                    \
        if (t == 0)                                                      \
            for (int i = 0; i < 2; i++) {                                \
                full[i].init(32);                                        \
                FIRST;                                                   \
            }                                                            \
        __syncthreads();                                                 \
        if (t < 32) {                                                    \
            for (int i = 0; i < n; i++) {                                \
                empty[i % 2].wait(i / 2 & 1 ^ 1);                        \
                rows[i % 2][t] = x[i * 32 + t];                          \
                full[i % 2].arrive();                                    \
            }                                                            \
        } else {                                                         \
            for (int i = 0; i < n; i++) {                                \
                full[i % 2].wait(PARITY);                                \
                BEFORE;                                                  \
                sum += rows[i % 2][63 - t];                              \
                BEHIND;                                                  \
            }                                                            \
            y[t - 32] = sum;                                             \
        }                                                                \
    }
RING(right, empty[i].init(32), i / 2 & 1, , empty[i % 2].arrive())
RING(early, empty[i].init(32), i / 2 & 1, empty[i % 2].arrive(), )
RING(parity, empty[i].init(32), i / 2 & 1 ^ 1, , empty[i % 2].arrive())
RING(forgotten, , i / 2 & 1, , empty[i % 2].arrive())

__device__ int take(Barrier *full, Barrier &empty, const int *row, int i)
{
    full[i % 2].wait(i / 2 & 1);
    int v = row[i % 2 * 32];
    empty.arrive();
    return v;
}
__global__ void passed(const int *x, int *y, int n)
{
    __requires(n >= 1 && n <= 1000);
    __shared__ int rows[2][32];
    __shared__ Both b;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        b.init(32);
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < n; i++) {
            Barrier &full = b.full[i % 2];
            b.empty[i % 2].wait(i / 2 & 1 ^ 1);
            rows[i % 2][t] = x[i * 32 + t];
            full.arrive();
        }
    } else {
        for (int i = 0; i < n; i++)
            sum += take(b.full, b.empty[i % 2], &rows[0][63 - t], i);
        y[t - 32] = sum;
    }
}

struct Stage {
    int row[32];
    Barrier full, empty;
};
#define STAGES(NAME, BEFORE, BEHIND, MORE)                             \
    __global__ void NAME(const int *x, int *y, int n)                  \
    {                                                                  \
        __requires(n >= 1 && n <= 1000);                               \
        __shared__ Stage stages[2];                                    \
        int t = threadIdx.x, sum = 0;                                  \
        if (t == 0)                                                    \
            for (Stage &s : stages) {                                  \
                s.full.init(32);                                       \
                s.empty.init(32);                                      \
            }                                                          \
        __syncthreads();                                               \
        if (t < 32) {                                                  \
            for (int i = 0; i < n; i++) {                              \
                stages[i % 2].empty.wait(i / 2 & 1 ^ 1);               \
                stages[i % 2].row[t] = x[i * 32 + t];                  \
                stages[i % 2].full.arrive();                           \
            }                                                          \
        } else {                                                       \
            for (int i = 0; i < n; i++) {                              \
                Stage &s = stages[i % 2];                              \
                s.full.wait(i / 2 & 1);                                \
                BEFORE;                                                \
                sum += s.row[63 - t];                                  \
                BEHIND;                                                \
            }                                                          \
            y[t - 32] = sum;                                           \
        }                                                              \
        MORE;                                                          \
    }
STAGES(elements, , s.empty.arrive(), )
STAGES(elements_early, s.empty.arrive(), , )
STAGES(elements_other, , stages[i + 1 & 1].empty.arrive(), )
STAGES(elements_overlaid, , s.empty.arrive(), if (t == 63) ((int *)stages)[33] = 0)
