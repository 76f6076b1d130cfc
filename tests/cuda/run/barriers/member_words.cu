// SPDX-License-Identifier: Apache-2.0
// TEST: words that are mbarriers in objects: of shared memory, laid over dynamic memory, in other objects
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

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

template <int BM, int QSIZE> struct SMem {
    alignas(128) float A[QSIZE][BM];
    alignas(8) uint64_t full[QSIZE], empty[QSIZE];
    int space[4];
};

template <int BM, int QSIZE> __global__ void __launch_bounds__(96) ring(const float *x, float *y, int n)
{
    extern __shared__ __align__(128) uint8_t smem[];
    SMem<BM, QSIZE> &s = *reinterpret_cast<SMem<BM, QSIZE> *>(smem);
    uint64_t *full = s.full, *empty = s.empty;
    if (threadIdx.x == 0) {
        s.space[3] = 7;
        for (int i = 0; i < QSIZE; ++i) {
            init_barrier(&full[i], 1);
            init_barrier(&empty[i], BM);
        }
    }
    __syncthreads();
    if (threadIdx.x >= BM) {
        if (threadIdx.x == BM) {
            int p = 0, qidx = 0;
            for (int k = 0; k < n; ++k, ++qidx) {
                if (qidx == QSIZE) {
                    qidx = 0;
                    p ^= 1;
                }
                wait(&empty[qidx], p ^ 1);
                expect_bytes(&full[qidx], sizeof(s.A[0]));
                bulk_load(s.A[qidx], x + BM * k, &full[qidx], sizeof(s.A[0]));
            }
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % QSIZE], (k / QSIZE) & 1);
            y[BM * k + threadIdx.x] = s.A[k % QSIZE][BM - 1 - threadIdx.x] + s.space[3];
            arrive(&empty[k % QSIZE]);
        }
    }
}
template __global__ void ring<64, 3>(const float *, float *, int);
// LAUNCH: 'ring<64, 3>' x[640]=random:1 y[640]=zeros n=10 --block 96 --grid 1 --shared 896
// OUT: y = in_x.reshape(10, 64)[:, ::-1].ravel() + np.float32(7)

struct Meeting {
    int turns;
    uint64_t bar;
};
struct Block {
    int row[64];
    Meeting meeting[2];
    uint64_t count;
};

// One by one, in an array of objects of an object, and behind a pointer.
__global__ void nested(int *y, int n)
{
    __shared__ Block block;
    Meeting *second = &block.meeting[1];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        ptx::mbarrier_init(&block.meeting[0].bar, 64);
        ptx::mbarrier_init(&second->bar, 64);
        second->turns = n;
        block.count = 5;
    }
    __syncthreads();
    for (int k = 0; k < block.meeting[1].turns; k++) {
        block.row[t] = t * k;
        arrive(&block.meeting[0].bar);
        wait(&block.meeting[0].bar, k & 1);
        sum += block.row[63 - t];
        arrive(&block.meeting[1].bar);
        wait(&second->bar, k & 1);
    }
    y[t] = sum + (int)block.count;
}
// LAUNCH: nested y[64]=zeros n=4 --block 64 --grid 1
// OUT: y = (63 - np.arange(64)) * 6 + 5
