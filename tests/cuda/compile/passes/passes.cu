// SPDX-License-Identifier: Apache-2.0
// TEST: the IR behind each pass for CUDA C++, which reads back the same
// REF: docs/internals/passes.md#passes
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
// DUMP: whole --stage ir --after simplify_again
// GOLDEN: before_whole.txt
// ROUNDTRIP: ir --after lowering
// DUMP: whole --stage ir --after decide_whole
// GOLDEN: decide_whole.txt
// ROUNDTRIP: ir --after lowering
__global__ void whole(int *y)
{
    if (y[0] > 0)
        y[threadIdx.x] = __shfl_xor_sync(0xffffffff, y[threadIdx.x], 1);
}

// DUMP: claims --stage ir --after test_claims
// GOLDEN: test_claims.txt
// ROUNDTRIP: ir --after lowering
__global__ void claims(const int *x, int b, int e, int *y)
{
    for (int t = b + threadIdx.x; t < e + threadIdx.x; t += 3) {
        y[threadIdx.x] += x[t];
        __syncthreads();
    }
}

// DUMP: polls --stage ir --after decide_joins
// GOLDEN: before_polls.txt
// ROUNDTRIP: ir --after lowering
// DUMP: polls --stage ir --after wait_polls
// GOLDEN: wait_polls.txt
// ROUNDTRIP: ir --after lowering
// DUMP: polls --stage ir --after track_inits
// GOLDEN: track_inits.txt
// ROUNDTRIP: ir --after lowering
__global__ void polls(void)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0)
        init(&b, 64);
    __syncthreads();
    (void)b.arrive();
    while (!b.try_wait_parity(false))
        continue;
}

// DUMP: ends --stage ir --after track_ends
// GOLDEN: track_ends.txt
// ROUNDTRIP: ir --after lowering
__global__ void __cluster_dims__(2) ends(int *y)
{
    __shared__ int s[4];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x & 3] = threadIdx.x;
    cluster.sync();
    y[threadIdx.x] = *cluster.map_shared_rank(&s[1], 1);
}

// The second warp of a block of 48 threads has no lane 20.
// DUMP: lanes block_dim_x=48 --stage ir --after track_ends
// GOLDEN: before_lanes.txt
// ROUNDTRIP: ir --after lowering
// DUMP: lanes block_dim_x=48 --stage ir --after follow_lanes
// GOLDEN: follow_lanes.txt
// ROUNDTRIP: ir --after lowering
__global__ void lanes(int *y)
{
    int i = threadIdx.x;
    y[i] = __shfl_sync(0xffffffff, i, 20);
}

// DUMP: refers --stage ir --after simplify
// GOLDEN: before_name_own.txt
// ROUNDTRIP: ir --after lowering
// DUMP: refers --stage ir --after name_own
// GOLDEN: name_own.txt
// ROUNDTRIP: ir --after lowering
struct Element {
    int *at;
    __device__ void operator=(int value) { *at = value; }
};

struct Pair {
    int values[2];
    __device__ Element operator[](int i) { return Element{&values[i]}; }
};

__global__ void refers(int *y)
{
    Pair pair;
    pair[1] = 3;
    y[threadIdx.x] = pair.values[1];
}
