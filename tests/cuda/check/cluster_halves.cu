// SPDX-License-Identifier: Apache-2.0
// TEST: the halves of a cluster's barrier that no token joins order as much as they do in CUDA
// REF: docs/reference/cuda.md#cooperative-groups
// check-args: --grid 2 --assume 'len(y) == 128'
// check members: proved
// check late: bug HD0601 line @late
// check named: proved
// check functions: proved
// check wrapped: proved
// check between: bug HD0601 line @between
// check assembly: proved
// check two_ways: proved
// check alone: bug HD1011 line @alone
// check unmet: bug HD1012 line @unmet
// check twice: bug HD1015 line @twice
// check sometimes: bug HD1013 line @sometimes
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define KERNEL __global__ void __cluster_dims__(2) __launch_bounds__(64)
#define READ_OTHER(c)                                                          \
    int *other = c.map_shared_rank(s, c.block_rank() ^ 1);                     \
    y[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];                     \
    c.sync()

__device__ void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
__device__ void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
__device__ void cluster_meet()
{
    cluster_arrive();
    cluster_wait();
}

// A function around a half.
__device__ void begin_half(int *place, int value)
{
    *place = value;
    cluster_arrive();
}

KERNEL members(int *y)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x;
    c.barrier_arrive();
    c.barrier_wait();
    READ_OTHER(c);
}

KERNEL late(int *y)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    c.barrier_arrive();
    s[threadIdx.x] = threadIdx.x; //@late
    c.barrier_wait();
    READ_OTHER(c);
}

KERNEL named(int *y)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x;
    auto token = c.barrier_arrive();
    c.barrier_wait();
    READ_OTHER(c);
}

KERNEL functions(int *y)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = i;
        cluster_arrive();
        cluster_wait();
        int v = c.map_shared_rank(s, c.block_rank() ^ 1)[threadIdx.x];
        y[blockIdx.x * 64 + threadIdx.x] = v;
        cluster_meet();
    }
}

KERNEL wrapped(int *y)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    begin_half(&s[threadIdx.x], threadIdx.x);
    cluster_wait();
    READ_OTHER(c);
}

KERNEL between(int *y)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    s[threadIdx.x] = 1;
    cluster_arrive();
    s[threadIdx.x] = 2; //@between
    cluster_wait();
    READ_OTHER(c);
}

KERNEL assembly(int *y)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    s[threadIdx.x] = 1;
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
    READ_OTHER(c);
}

KERNEL two_ways(int *y, int n)
{
    __shared__ int s[64];
    auto c = cg::this_cluster();
    s[threadIdx.x] = 1;
    __cluster_barrier_arrive();
    if (n > 3)
        __cluster_barrier_wait();
    else
        c.barrier_wait();
    READ_OTHER(c);
}

KERNEL alone(int *y)
{
    cg::this_cluster().barrier_arrive(); //@alone
}

KERNEL unmet(int *y)
{
    cg::this_cluster().barrier_wait(); //@unmet
}

KERNEL twice(int *y)
{
    auto c = cg::this_cluster();
    c.barrier_arrive();
    c.barrier_arrive(); //@twice
    c.barrier_wait();
}

KERNEL sometimes(int *y, int n)
{
    auto c = cg::this_cluster();
    if (n > 3)
        c.barrier_arrive(); //@sometimes
    c.barrier_wait();
}
