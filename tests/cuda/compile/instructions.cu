// SPDX-License-Identifier: Apache-2.0
// TEST: common forms become the one instruction that they are
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void shuffles(int *x)
{
    x[threadIdx.x] = __shfl_down_sync(0xffffffff, x[threadIdx.x], 3);
}
// DUMP: shuffles --stage ptx --target sm_90a --block 64
// CHECK-LABEL: .entry shuffles
// CHECK-COUNT-1: shfl.sync.down.b32
// CHECK-NOT: shfl
// CHECK-NOT: vote
// CHECK: ret

__global__ void barriers(int *x)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}
// DUMP: barriers --stage ptx --target sm_90a --block 64
// CHECK-LABEL: .entry barriers
// CHECK: bar.sync 0
// CHECK-NOT: bar.
// CHECK: ret

__global__ void hints(const float *__restrict__ x, float *__restrict__ y)
{
    y[threadIdx.x] = __ldg(&x[threadIdx.x]);
}
// DUMP: hints --stage ptx --target sm_90a --block 64
// CHECK-LABEL: .entry hints
// CHECK: ld.global.nc
// CHECK: st.global

__global__ void wide(const float4 *x, float4 *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}
// DUMP: wide --stage ptx --target sm_90a --block 64
// CHECK-LABEL: .entry wide
// CHECK: ld.global{{.*}}.v4.b32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32

__global__ void sums(int *x)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    x[threadIdx.x] = cg::reduce(warp, x[threadIdx.x], cg::plus<int>());
}
// DUMP: sums --stage ptx --target sm_90a --block 64
// CHECK-LABEL: .entry sums
// CHECK: redux.sync.add
// CHECK-NOT: shfl
// CHECK: ret

__global__ void counts(unsigned *x)
{
    atomicAdd(&x[threadIdx.x & 3], 1u);
}
// DUMP: counts --stage ptx --target sm_90a --block 64
// CHECK-LABEL: .entry counts
// CHECK-NOT: atom.cas
// CHECK: atom.global.add.u32
// CHECK: ret

__global__ void votes(unsigned *x)
{
    x[threadIdx.x] = __ballot_sync(0xffffffff, x[threadIdx.x] > 3) + __popc(x[64]) + __clz((int)x[65]);
}
// DUMP: votes --stage ptx --target sm_90a --block 64
// CHECK-LABEL: .entry votes
// CHECK-COUNT-1: vote.sync.ballot.b32
// CHECK-NOT: shfl
// CHECK: ret
