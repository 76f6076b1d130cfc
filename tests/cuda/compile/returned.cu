// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: behind an early return, shuffles and votes of the warp name lanes of those that are left: without a search, and in a loop without a vote for each turn
__global__ void guarded(const int *x, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i];
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffff, v, o);
    unsigned bits = __ballot_sync(0xffffffff, v > 1);
    out[i] = __reduce_add_sync(0xffffffff, v + (int)bits);
}
// DUMP: guarded --stage ptx --target sm_80
// CHECK: vote.sync.ballot.b32 {{.*}}, -1
// CHECK-NOT: popc
// CHECK-NOT: redux
// CHECK-COUNT-5: shfl.sync.idx.b32 {{.*}}, 31, %r
// CHECK-NOT: shfl.sync
// CHECK: vote.sync.ballot.b32 {{.*}}, %r
// CHECK: redux.sync.add.s32 {{.*}}, %r
// CHECK-NOT: redux
// DUMP: guarded --stage ptx --target sm_90a
// CHECK: vote.sync.ballot.b32 {{.*}}, -1
// CHECK-NOT: popc
// CHECK-NOT: redux
// CHECK-COUNT-5: shfl.sync.idx.b32 {{.*}}, 31, %r
// CHECK-NOT: shfl.sync
// CHECK: vote.sync.ballot.b32 {{.*}}, %r
// CHECK: redux.sync.add.s32 {{.*}}, %r
// CHECK-NOT: redux
// DUMP: guarded --stage ptx --target sm_100a
// CHECK: vote.sync.ballot.b32 {{.*}}, -1
// CHECK-NOT: popc
// CHECK-NOT: redux
// CHECK-COUNT-5: shfl.sync.idx.b32 {{.*}}, 31, %r
// CHECK-NOT: shfl.sync
// CHECK: vote.sync.ballot.b32 {{.*}}, %r
// CHECK: redux.sync.add.s32 {{.*}}, %r
// CHECK-NOT: redux
