// SPDX-License-Identifier: Apache-2.0
// TEST: what orders a barrier's initialisation before its uses by other threads
// MODE: check
// check-args: --grid 2
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

// check met: proved
__global__ void __launch_bounds__(128) met(int *out) {
  // heddle: requires 128 <= len(out)
  __shared__ barrier b;
  __shared__ int s[128];
  if (threadIdx.x == 0)
    init(&b, 128);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  b.arrive_and_wait();
  if (blockIdx.x == 0)
    out[threadIdx.x] = s[127 - threadIdx.x];
}
// check unmet: bug HD0601 line @used other @made 'b' may be used before it is initialised
// sanitize unmet: out[128]=zeros --grid 1
// sanitize met: out[128]=zeros --grid 1
__global__ void __launch_bounds__(128) unmet(int *out) {
  // heddle: requires 128 <= len(out)
  __shared__ barrier b;
  __shared__ int s[128];
  if (threadIdx.x == 0)
    init(&b, 128); //@made
  s[threadIdx.x] = threadIdx.x;
  b.arrive_and_wait(); //@used
  if (blockIdx.x == 0)
    out[threadIdx.x] = s[127 - threadIdx.x];
}
// The warp of the thread that initialises meets, others don't.
// check half_met: bug HD0601 line @used_by_warps other @made_by_0 'b' may be used before it is initialised
__global__ void __launch_bounds__(128) half_met() {
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, 128); //@made_by_0
  if (threadIdx.x < 32)
    __syncwarp();
  b.arrive_and_wait(); //@used_by_warps
}
// A warp that uses its own barrier needs no more than its own meeting.
// check of_warp: proved
__global__ void __launch_bounds__(128) of_warp() {
  __shared__ barrier b[4];
  cg::thread_block_tile<32> warp =
      cg::tiled_partition<32>(cg::this_thread_block());
  if (warp.thread_rank() == 0)
    init(&b[warp.meta_group_rank()], 32);
  warp.sync();
  b[warp.meta_group_rank()].arrive_and_wait();
}
// check of_warp_unmet: bug HD0601 may be used before it is initialised
__global__ void __launch_bounds__(128) of_warp_unmet() {
  __shared__ barrier b[4];
  cg::thread_block_tile<32> warp =
      cg::tiled_partition<32>(cg::this_thread_block());
  if (warp.thread_rank() == 0)
    init(&b[warp.meta_group_rank()], 32);
  b[warp.meta_group_rank()].arrive_and_wait();
}
// check all_of_them: proved
// check all_of_them: remark HD0693 several threads initialise mbarrier 'b'
__global__ void __launch_bounds__(64) all_of_them() {
  __shared__ barrier b;
  init(&b, 64);
  __syncthreads();
  b.arrive_and_wait();
}

__device__ void make(uint64_t *bar, int n) {
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(n));
}
__device__ void arrive(uint64_t *bar) {
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at)
               : "memory");
}
__device__ void wait(uint64_t *bar, int phase) {
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 "
               "p, [%0], %1;\n@p bra D;\nbra W;\nD:\n}" ::"r"(at),
               "r"(phase));
}
// A ring of slots by words, with what meets and without.
template <bool MEETS>
__device__ void ring(const int *x, int *y, int n) {
  __shared__ int s[2][32];
  __shared__ uint64_t full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; i++) {
      make(&full[i], 32);
      make(&empty[i], 32);
    }
  }
  if (MEETS)
    __syncthreads();
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int k = 0; k < n; k++) {
      wait(&empty[k % 2], (k / 2 & 1) ^ 1);
      s[k % 2][lane] = x[k * 32 + lane];
      arrive(&full[k % 2]);
    }
  } else {
    for (int k = 0; k < n; k++) {
      wait(&full[k % 2], k / 2 & 1);
      y[k * 32 + lane] = s[k % 2][31 - lane];
      arrive(&empty[k % 2]);
    }
  }
}
// heddle: requires n <= 1000 && 32 * n <= len(x) && 32 * n <= len(y)
// check ring_met: proved
__global__ void __launch_bounds__(64)
    ring_met(const int *__restrict__ x, int *__restrict__ y, int n) {
  if (blockIdx.x == 0)
    ring<true>(x, y, n);
}
// heddle: requires n <= 1000 && 32 * n <= len(x) && 32 * n <= len(y)
// check ring_unmet: bug HD0601 may be used before it is initialised
__global__ void __launch_bounds__(64)
    ring_unmet(const int *__restrict__ x, int *__restrict__ y, int n) {
  if (blockIdx.x == 0)
    ring<false>(x, y, n);
}
// What a copy counts on is a use, too.
// check copied: proved
__global__ void __launch_bounds__(64) copied(const int *x) {
  // heddle: requires 64 <= len(x)
  __shared__ alignas(16) int s[64];
  __shared__ uint64_t b;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&b, 1);
  __syncthreads();
  if (threadIdx.x == 32) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x, 256, &b);
    (void)ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                         ptx::space_shared, &b, 256);
  }
  while (!ptx::mbarrier_try_wait_parity(&b, 0)) {
  }
}
// The thread that initialises goes on with it before the others come.
// check own_first: proved
__global__ void __launch_bounds__(64) own_first(const int *x) {
  // heddle: requires 64 <= len(x)
  __shared__ alignas(16) int s[64];
  __shared__ uint64_t b;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&b, 1);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x, 256, &b);
    (void)ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                         ptx::space_shared, &b, 256);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&b, 0)) {
  }
}
// check copied_unmet: bug HD0601 may be used before it is initialised
__global__ void __launch_bounds__(64) copied_unmet(const int *x) {
  // heddle: requires 64 <= len(x)
  __shared__ alignas(16) int s[64];
  __shared__ uint64_t b;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&b, 1);
  if (threadIdx.x == 32) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x, 256, &b);
    (void)ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                         ptx::space_shared, &b, 256);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&b, 0)) {
  }
}
__device__ void arrive_there(uint64_t *bar, unsigned rank) {
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, "
               "%1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, "
               "[there];\n}" ::"r"(at),
               "r"(rank)
               : "memory");
}
// A barrier of another block is ready behind a meeting of the cluster only.
// check remote: proved
__global__ void __launch_bounds__(32) __cluster_dims__(2, 1, 1) remote() {
  __shared__ uint64_t b;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&b, 1);
  cg::this_cluster().sync();
  if (threadIdx.x == 0) {
    arrive_there(&b, cg::this_cluster().block_rank() ^ 1);
  }
  while (!ptx::mbarrier_try_wait_parity(&b, 0)) {
  }
  cg::this_cluster().sync();
}
// check remote_unmet: bug HD0601 may be used before it is initialised
__global__ void __launch_bounds__(32) __cluster_dims__(2, 1, 1) remote_unmet() {
  __shared__ uint64_t b;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&b, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_there(&b, cg::this_cluster().block_rank() ^ 1);
  }
  while (!ptx::mbarrier_try_wait_parity(&b, 0)) {
  }
  cg::this_cluster().sync();
}

// The barriers that are initialised have to be there.
// check beyond: bug HD0702 line @beyond mbarrier 'made' is initialised outside of its array
// sanitize beyond: out[1]=zeros --grid 1
__global__ void __launch_bounds__(64) beyond(int *out) {
  __shared__ barrier made[4];
  if (threadIdx.x < 4)
    init(made + threadIdx.x + 1, 64); //@beyond
  __syncthreads();
}
// check before: proved
// sanitize before: out[64]=zeros --grid 1
__global__ void __launch_bounds__(64) before(int *out) {
  __shared__ barrier made[4];
  if (threadIdx.x >= 8 && threadIdx.x < 12)
    init(made + threadIdx.x - 8, 64);
  __syncthreads();
  made[3].arrive_and_wait();
}
// Nothing else is done with it, by one thread and by all.
// check alone: proved
__global__ void __launch_bounds__(64) alone() {
  __shared__ uint64_t b;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&b, 64);
}
