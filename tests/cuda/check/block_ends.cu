// SPDX-License-Identifier: Apache-2.0
// TEST: blocks of a cluster that end while others use their shared memory
// MODE: check
// check-args: --grid 4 --shared 512
// REF: docs/reference/cuda.md#cooperative-groups
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

template <bool MEETS> __device__ void swap(int *y) {
  __shared__ int s[64];
  cg::cluster_group cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  y[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
  if (MEETS)
    cluster.sync();
}
// check met: proved
// sanitize met: y[256]=zeros --grid 4
__global__ void __cluster_dims__(2) __launch_bounds__(64) met(int *y) {
  // heddle: requires 256 <= len(y)
  swap<true>(y);
}
// check unmet: bug HD0601 line @ends a block may end while another block uses its shared array 's'
// sanitize unmet: y[256]=zeros --grid 4
__global__ void __cluster_dims__(2) __launch_bounds__(64) unmet(int *y) {
  // heddle: requires 256 <= len(y)
  swap<false>(y);
} //@ends

// Memory that the launch sizes, two of its rows, and threads that leave early.
// check dynamic: bug HD0601 a block may end while another block uses its shared array
__global__ void __cluster_dims__(2) __launch_bounds__(64) dynamic(int *y, int n) {
  // heddle: requires n <= len(y)
  extern __shared__ int s[];
  cg::cluster_group cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  s[64 + threadIdx.x] = 1;
  cluster.sync();
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  int *other = cluster.map_shared_rank(&s[64], cluster.block_rank() ^ 1);
  y[i] = other[63 - threadIdx.x];
}
// check dynamic_met: proved
__global__ void __cluster_dims__(2) __launch_bounds__(64) dynamic_met(int *y, int n) {
  // heddle: requires n <= len(y)
  extern __shared__ int s[];
  cg::cluster_group cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  s[64 + threadIdx.x] = 1;
  cluster.sync();
  int i = blockIdx.x * 64 + threadIdx.x;
  int *other = cluster.map_shared_rank(&s[64], cluster.block_rank() ^ 1);
  if (i < n)
    y[i] = other[63 - threadIdx.x];
  cluster.barrier_wait(cluster.barrier_arrive());
}

__device__ void arrive_there(uint64_t *bar, unsigned rank) {
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, "
               "%1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, "
               "[there];\n}" ::"r"(at),
               "r"(rank)
               : "memory");
}
// Each block waits until the other one has read: nobody else need meet.
// check waited: proved
// sanitize waited: y[256]=zeros --grid 4
__global__ void __cluster_dims__(2) __launch_bounds__(64) waited(int *y) {
  // heddle: requires 256 <= len(y)
  __shared__ int s[64];
  __shared__ uint64_t bar;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&bar, 64);
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  y[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
  arrive_there(&bar, cluster.block_rank() ^ 1);
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
}
// The arrival itself may come when the other block has ended.
// check arrives_late: remark HD1091
// check arrives_late: bug HD0601 a block may end while another block uses its shared mbarrier 'bar'
__global__ void __cluster_dims__(2) __launch_bounds__(64) arrives_late(int *y) {
  // heddle: requires 256 <= len(y)
  __shared__ uint64_t bar;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&bar, 1);
  cluster.sync();
  if (threadIdx.x == 0)
    arrive_there(&bar, cluster.block_rank() ^ 1);
  y[blockIdx.x * 64 + threadIdx.x] = 1;
}
