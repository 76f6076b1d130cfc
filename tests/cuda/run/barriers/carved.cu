// SPDX-License-Identifier: Apache-2.0
// TEST: casts of dynamic shared memory, and of an array of bytes, give barriers
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ static __forceinline__ void init_barrier(uint64_t *bar, int thread_count)
{
    uint32_t bar_ptr = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(bar_ptr), "r"(thread_count));
}
__device__ static __forceinline__ void expect_bytes(uint64_t *bar, uint32_t bytes)
{
    uint32_t bar_ptr = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;\n" ::"r"(bar_ptr), "r"(bytes));
}
__device__ static __forceinline__ void arrive(uint64_t *bar)
{
    uint32_t mbar_ptr = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];\n" : : "r"(mbar_ptr) : "memory");
}
__device__ static __forceinline__ void wait(uint64_t *bar, int kPhaseBit)
{
    uint32_t mbar_ptr = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("{\n"
                 ".reg .pred                P1;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1                       bra.uni DONE;\n"
                 "bra.uni                   LAB_WAIT;\n"
                 "DONE:\n"
                 "}\n" ::"r"(mbar_ptr), "r"(kPhaseBit));
}
__device__ static __forceinline__ void bulk_load(void *dst, const void *src, uint64_t *bar, uint32_t bytes)
{
    uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(dst));
    uint32_t mbar = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(src), "r"(bytes), "r"(mbar) : "memory");
}

template <int STAGES> __global__ void __launch_bounds__(96) ring(const float *x, float *y, int n)
{
    constexpr uint32_t STAGE_BYTES = 64 * sizeof(float);
    extern __shared__ __align__(1024) uint8_t smem[];
    float *rows = reinterpret_cast<float *>(smem);
    auto bars = reinterpret_cast<uint64_t *>(smem + STAGES * STAGE_BYTES);
    uint64_t *full = bars, *empty = bars + STAGES, *done = &bars[2 * STAGES];
    int *notes = (int *)(smem + STAGES * STAGE_BYTES + (2 * STAGES + 1) * sizeof(uint64_t));
    if (threadIdx.x == 0) {
        notes[0] = 7;
        for (int i = 0; i < STAGES; ++i) {
            init_barrier(&full[i], 1);
            init_barrier(empty + i, 64);
        }
        init_barrier(done, 64);
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        if (threadIdx.x == 64) {
            int parity = 0, stage = 0;
            for (int k = 0; k < n; ++k) {
                wait(&empty[stage], parity ^ 1);
                expect_bytes(&full[stage], STAGE_BYTES);
                bulk_load(rows + stage * 64, x + 64 * k, &full[stage], STAGE_BYTES);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % STAGES], (k / STAGES) & 1);
            y[64 * k + threadIdx.x] = rows[k % STAGES * 64 + 63 - threadIdx.x] + notes[0];
            arrive(&empty[k % STAGES]);
        }
        arrive(done);
        wait(bars + 2 * STAGES, 0);
        y[64 * (n - 1) + threadIdx.x] += y[64 * (n - 2) + 63 - threadIdx.x];
    }
}
template __global__ void ring<3>(const float *, float *, int);
// PY: def turned(x): return x.reshape(10, 64)[:, ::-1].ravel() + np.float32(7)
// LAUNCH: 'ring<3>' x[640]=random:1 y[640]=zeros n=10 --block 96 --grid 1 --shared 840
// OUT: y = np.concatenate([turned(in_x)[:576], turned(in_x)[576:] + turned(in_x)[512:576][::-1]])

__device__ void meet(barrier *bars, int k)
{
    bars[k % 2].arrive_and_wait();
}
// cuda::barrier, in an array of bytes; a function finds them for itself.
__device__ void last_meeting()
{
    extern __shared__ __align__(16) unsigned char memory[];
    reinterpret_cast<barrier *>(memory + 256)->arrive_and_wait();
}
__global__ void classes(int *y, int n)
{
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ __align__(16) char buffer[64];
    int *row = reinterpret_cast<int *>(memory);
    barrier *bars = (barrier *)(buffer + 16), *last = reinterpret_cast<barrier *>(&memory[256]);
    int t = threadIdx.x, sum = 0;
    if (t < 2)
        init(bars + t, 64);
    if (t == 0)
        init(last, blockDim.x);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        row[t] = t * k;
        meet(bars, 2 * k);
        sum += row[63 - t];
        meet(bars, 2 * k + 1);
    }
    row[t] = sum;
    last_meeting();
    y[t] = row[63 - t];
}
// LAUNCH: classes y[64]=zeros n=4 --block 64 --grid 1 --shared 264
// OUT: y = np.arange(64) * 6

__global__ void one(int *y)
{
    extern __shared__ int numbers[];
    uint64_t &bar = *reinterpret_cast<uint64_t *>(numbers + 64);
    int t = threadIdx.x;
    if (t == 0)
        ptx::mbarrier_init(&bar, 64);
    __syncthreads();
    numbers[t] = t;
    auto token = ptx::mbarrier_arrive(&bar);
    while (!ptx::mbarrier_try_wait(&bar, token))
        ;
    y[t] = numbers[63 - t];
}
// LAUNCH: one y[64]=zeros --block 64 --grid 1 --shared 264
// OUT: y = 63 - np.arange(64)
