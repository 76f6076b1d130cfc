// SPDX-License-Identifier: Apache-2.0
// TEST: barriers of a cluster in two halves, and its registers, in inline assembly
// REF: docs/reference/cuda.md#inline-assembly
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

__global__ void __cluster_dims__(2) rotate(const int *x, int *y)
{
    __shared__ int s[32];
    int i = blockIdx.x * 32 + threadIdx.x;
    auto c = cg::this_cluster();
    s[threadIdx.x] = x[i];
    arrive();
    int own = 2 * threadIdx.x;
    wait();
    int v = c.map_shared_rank(s, c.block_rank() ^ 1)[threadIdx.x];
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
    s[threadIdx.x] = 0;
    y[i] = v + own;
}
// LAUNCH: rotate x[128]=random:1 y[128]=zeros --block 32 --grid 4
// OUT: y = in_x.reshape(2, 2, 32)[:, ::-1].reshape(128) + np.tile(2 * np.arange(32), 4)

__global__ void __cluster_dims__(2) registers(int *y)
{
    int rank, size, x, n;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(n));
    y[blockIdx.x * 32 + threadIdx.x] = rank + 10 * size + 100 * x + 1000 * n;
    asm volatile("griddepcontrol.launch_dependents;");
}
// LAUNCH: registers y[128]=zeros --block 32 --grid 4
// OUT: y = np.repeat([2020, 2121, 2020, 2121], 32)
