// SPDX-License-Identifier: Apache-2.0
// TEST: words of 64 bits are mbarriers: by inline assembly, cuda::ptx, numbers of their addresses
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ static __forceinline__ void init_barrier(uint64_t *bar, int thread_count, int transaction_count)
{
    uint32_t bar_ptr = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(bar_ptr), "r"(thread_count + transaction_count));
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
constexpr int STAGES = 3;
__global__ void __launch_bounds__(96) ring(const float *x, float *y, int n)
{
    __shared__ alignas(128) float s[STAGES][64];
    __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            init_barrier(&full[i], 1, 0);
            init_barrier(&empty[i], 64, 0);
        }
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        if (threadIdx.x == 64) {
            for (int k = 0; k < n; k++) {
                int slot = k % STAGES;
                wait(&empty[slot], ((k / STAGES) & 1) ^ 1);
                expect_bytes(&full[slot], sizeof(s[slot]));
                bulk_load(s[slot], x + 64 * k, &full[slot], sizeof(s[slot]));
            }
        }
    } else {
        for (int k = 0; k < n; k++) {
            int slot = k % STAGES;
            wait(&full[slot], (k / STAGES) & 1);
            y[64 * k + threadIdx.x] = s[slot][63 - threadIdx.x] + 1;
            arrive(&empty[slot]);
        }
    }
}
// LAUNCH: ring x[640]=random:1 y[640]=zeros n=10 --block 96 --grid 1
// OUT: y = in_x.reshape(10, 64)[:, ::-1].ravel() + np.float32(1)

__device__ inline uint32_t smem_u32(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ inline void mbar_init(uint32_t bar, uint32_t n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(n)); }
__device__ inline void mbar_arrive(uint32_t bar) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory"); }
__device__ inline bool mbar_try(uint32_t bar, uint32_t phase)
{
    uint32_t done;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(bar), "r"(phase) : "memory");
    return done != 0;
}
__device__ inline void mbar_wait(uint32_t bar, uint32_t phase)
{
    while (!mbar_try(bar, phase)) {
    }
}
__global__ void by_number(int *y, int n)
{
    __shared__ uint64_t bars[2];
    __shared__ uint64_t sums[64];
    __shared__ int s[2][64];
    int t = threadIdx.x;
    const uint32_t base = smem_u32(bars);
    if (t == 0) {
        mbar_init(base, 64);
        mbar_init(base + 8, 64);
    }
    sums[t] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        uint32_t bar = base + (k & 1) * sizeof(uint64_t);
        s[k & 1][t] = t + k;
        mbar_arrive(bar);
        mbar_wait(bar, (k >> 1) & 1);
        sums[t] += s[k & 1][63 - t];
    }
    y[t] = (int)sums[t];
}
// LAUNCH: by_number y[64]=zeros n=5 --block 64 --grid 1
// OUT: y = sum(63 - np.arange(64) + k for k in range(5))

__global__ void by_ptx(const int *x, int *y, int n)
{
    __shared__ alignas(16) int s[64];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0)
        ptx::mbarrier_init(&bar, 64);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        uint64_t token;
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x + 64 * k, sizeof(s), &bar);
            token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof(s));
        } else {
            token = ptx::mbarrier_arrive(&bar);
        }
        while (!ptx::mbarrier_try_wait(&bar, token))
            ;
        y[64 * k + t] = s[63 - t] + 1;
        __syncthreads();
    }
}
// LAUNCH: by_ptx x[320]=random:1 y[320]=zeros n=5 --block 64 --grid 1
// OUT: y = in_x.reshape(5, 64)[:, ::-1].ravel() + 1

__global__ void by_state(int *y)
{
    __shared__ uint64_t bar[1];
    __shared__ int s[64];
    int t = threadIdx.x;
    uint32_t addr;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(addr) : "l"(bar));
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addr), "r"(64));
    __syncthreads();
    s[t] = t * 2;
    uint64_t state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(addr) : "memory");
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(addr), "l"(state) : "memory");
    y[t] = s[63 - t];
    __syncthreads();
    if (t == 0)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(addr));
}
// LAUNCH: by_state y[64]=zeros --block 64 --grid 1
// OUT: y = 2 * (63 - np.arange(64))

__device__ inline void arrive_cluster(uint64_t *bar, uint32_t cta)
{
    uint32_t addr = smem_u32(bar);
    asm volatile("{\n\t.reg .b32 remAddr32;\n\t"
                 "mapa.shared::cluster.u32  remAddr32, %0, %1;\n\t"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64  _, [remAddr32];\n\t}" ::"r"(addr), "r"(cta) : "memory");
}
__device__ inline void wait_cluster(uint64_t *bar, uint32_t phase)
{
    asm volatile("{\n\t.reg .pred P1;\n\tLAB_WAIT_%=:\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P1, [%0], %1;\n\t@!P1 bra.uni LAB_WAIT_%=;\n\t}" ::"r"(smem_u32(bar)), "r"(phase) : "memory");
}
__global__ void __cluster_dims__(2, 1, 1) swap_halves(const int *x, int *y)
{
    __shared__ uint64_t full;
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    uint32_t other = cluster.block_rank() ^ 1;
    int t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(&full)), "r"(64));
    asm volatile("fence.mbarrier_init.release.cluster;");
    cluster.sync();
    int *there = cluster.map_shared_rank(s, other);
    there[t] = x[blockIdx.x * 64 + t];
    arrive_cluster(&full, other);
    wait_cluster(&full, 0);
    y[blockIdx.x * 64 + t] = s[t];
    cluster.sync();
}
// LAUNCH: swap_halves x[256]=random:1 y[256]=zeros --block 64 --grid 4
// OUT: y = in_x.reshape(2, 2, 64)[:, ::-1].ravel()

__global__ void __cluster_dims__(2, 1, 1) read_other(const int *x, int *y)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    cluster.sync();
    uint32_t there, v;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(smem_u32(&s[63 - t])), "r"(cluster.block_rank() ^ 1));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(there));
    y[blockIdx.x * 64 + t] = v;
    cluster.sync();
}
// LAUNCH: read_other x[256]=random:1 y[256]=zeros --block 64 --grid 4
// OUT: y = in_x.reshape(2, 2, 64)[:, ::-1, ::-1].ravel()
