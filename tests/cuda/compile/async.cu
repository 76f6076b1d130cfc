// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: asynchronous copies of CUDA are cp.async in PTX, with the waits that the program has
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>
namespace cg = cooperative_groups;

// DUMP: ring --stage ptx --target sm_80
// DUMP: ring --stage ptx --target sm_90a
// CHECK: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4
// CHECK: cp.async.commit_group
// CHECK: cp.async.wait_group 1
// CHECK: bar.sync 0
// CHECK-NOT: st.shared
__global__ void ring(const float *x, float *y, int tiles)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    __pipeline_memcpy_async(&s[0][t], &x[t], sizeof(float));
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            __pipeline_memcpy_async(&s[(k + 1) & 1][t], &x[(k + 1) * 64 + t], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[k & 1][63 - t];
        __syncthreads();
    }
    y[t] = sum;
}

// What is outstanding is counted at compile time.
// DUMP: own --stage ptx --target sm_90a
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
// CHECK: cp.async.commit_group
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
// CHECK: cp.async.commit_group
// CHECK: cp.async.wait_group 1
// CHECK: cp.async.wait_group 0
// CHECK-NOT: cp.async.wait_group
__global__ void own(const float4 *x, float4 *y)
{
    __shared__ float4 s[2][64];
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &x[t], sizeof(float4), pipe);
    pipe.producer_commit();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[1][t], &x[64 + t], sizeof(float4), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    y[t] = s[0][t];
    pipe.consumer_release();
    pipe.consumer_wait();
    y[64 + t] = s[1][t];
    pipe.consumer_release();
}

// Each thread's copies hold its phase open.
// DUMP: stages --stage ptx --target sm_80
// DUMP: stages --stage ptx --target sm_90a
// CHECK: mbarrier.init.shared
// CHECK: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4
// CHECK: cp.async.mbarrier.arrive.shared.b64
// CHECK: mbarrier.arrive.shared
// CHECK-NOT: st.shared
__global__ void stages(const float *x, float *y, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ float s[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state, 64);
    int t = threadIdx.x;
    if (t < 64) {
        for (int k = 0; k < tiles; k++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[k % 2][t], &x[k * 64 + t], sizeof(float), pipe);
            pipe.producer_commit();
        }
    } else {
        for (int k = 0; k < tiles; k++) {
            pipe.consumer_wait();
            y[k * 64 + t - 64] = s[k % 2][127 - t];
            pipe.consumer_release();
        }
    }
}

// Bytes that no cp.async moves are loaded and stored.
// DUMP: pairs --stage ptx --target sm_90a
// CHECK-NOT: cp.async.c
// CHECK: st.shared
__global__ void pairs(const char *x, char *y)
{
    __shared__ char s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    int t = threadIdx.x;
    cuda::memcpy_async(&s[t], &x[t], 1, bar);
    bar.arrive_and_wait();
    y[t] = s[63 - t];
}
