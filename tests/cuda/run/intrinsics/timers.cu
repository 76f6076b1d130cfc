// SPDX-License-Identifier: Apache-2.0
// TEST: the registers of time: one clock in nanoseconds, in halves and whole, that no thread sees run back
#include <cstdint>
#include <cuda/ptx>
__device__ __forceinline__ uint64_t globaltimer() {
    uint64_t t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}
__device__ uint32_t timer_lo() {
    uint32_t t;
    asm volatile("mov.u32 %0, %globaltimer_lo;" : "=r"(t));
    return t;
}
__device__ uint64_t timer_halves() {
    uint32_t hi, lo, again;
    do {
        asm volatile("mov.u32 %0, %%globaltimer_hi;\n\t"
                     "mov.u32 %1, %%globaltimer_lo;\n\t"
                     "mov.u32 %2, %%globaltimer_hi;" : "=r"(hi), "=r"(lo), "=r"(again));
    } while (hi != again);
    return (uint64_t)hi << 32 | lo;
}
__device__ void wait_ns(unsigned ns) {
    uint64_t begin = globaltimer();
    while (globaltimer() - begin < ns)
        ;
}
__global__ void timers(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t begin = globaltimer();
    uint32_t low = timer_lo();
    wait_ns(20000);
    uint64_t middle = timer_halves();
    __syncthreads();
    uint64_t end = cuda::ptx::get_sreg_globaltimer();
    unsigned c0, c1, c2;
    asm volatile("mov.u32 %0, %clock;" : "=r"(c0));
    asm volatile("mov.u32 %0, %clock_hi;" : "=r"(c1));
    long long c;
    asm volatile("mov.u64 %0, %clock64;" : "=l"(c));
    asm volatile("mov.u32 %0, %clock;" : "=r"(c2));
    uint64_t halves = (uint64_t)cuda::ptx::get_sreg_globaltimer_hi() << 32 | cuda::ptx::get_sreg_globaltimer_lo();
    uint64_t d = (uint64_t)cuda::ptx::get_sreg_clock_hi() << 32 | cuda::ptx::get_sreg_clock();
    uint64_t far = 1ull << 33;          // a half may run over between two reads
    int near = halves - end + far < 2 * far && d - c + far < 2 * far && cuda::ptx::get_sreg_clock64() >= c;
    out[i] = 32 * near + (end - begin >= 20000) + 2 * (middle >= begin && end >= middle) +
             4 * (low - (uint32_t)begin < 1000000000u) + 8 * (c2 - c0 < 0x80000000u) +
             16 * ((unsigned)(c >> 32) - c1 <= 1);
}
// LAUNCH: out[128]=zeros --block 64 --grid 2
// LAUNCH: out[128]=zeros --block 64 --grid 2 --schedule 3
// LAUNCH: out[128]=zeros --block 64 --grid 2 --sanitize
// OUT: out = 63
