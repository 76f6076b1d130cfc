// SPDX-License-Identifier: Apache-2.0
// TEST: rings of asynchronous copies are proved, and what is wrong with them is told
// check-args: --block 64 --grid 1 --assume len(x)==64*tiles --assume len(y)==64
// check two: proved
// check two_early: bug HD0601
// check two_early: also HD1031
// check two_unsynced: bug HD0601
// check stages: proved
// check stages_short: bug HD0601
// check stages_short: also HD1031
// check stages_late: bug HD0601
// check stages_unsynced: bug HD0601
// check own_stages: proved
// check own_stages_short: bug HD0601
// check own_stages_short: also HD1031
// check own_elements: proved
// check own_elements_unwaited: bug HD0601
// check group_stages: proved
// check group_stages_short: bug HD0601
// check by_barrier: proved
// check by_barrier_unwaited: bug HD0601
// check by_barrier_unwaited: also HD1031
// check by_barrier_refilled: bug HD0601
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>
namespace cg = cooperative_groups;

// Double buffering: the next tile is under way while this one is read.
template <int PRIOR, bool SYNC> __device__ void double_buffer(const float *x, float *y, int tiles)
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
        __pipeline_wait_prior(PRIOR);
        __syncthreads();
        sum += s[k & 1][63 - t];
        if (SYNC)
            __syncthreads();
    }
    y[t] = sum;
}
__global__ void two(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    double_buffer<1, true>(x, y, tiles);
}
__global__ void two_early(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    double_buffer<2, true>(x, y, tiles);
}
__global__ void two_unsynced(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    double_buffer<1, false>(x, y, tiles);
}

// N slots, N - 1 of them under way.
template <int N, int PRIOR, int AHEAD, bool SYNC> __device__ void ring(const float *x, float *y, int tiles)
{
    __shared__ float s[N][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < AHEAD; k++) {
        if (k < tiles)
            __pipeline_memcpy_async(&s[k][t], &x[k * 64 + t], sizeof(float));
        __pipeline_commit();
    }
    for (int k = 0; k < tiles; k++) {
        int next = k + AHEAD;
        if (SYNC)
            __syncthreads();
        if (next < tiles)
            __pipeline_memcpy_async(&s[next % N][t], &x[next * 64 + t], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(PRIOR);
        __syncthreads();
        sum += s[k % N][63 - t];
    }
    y[t] = sum;
}
__global__ void stages(const float *x, float *y, int tiles)
{
    __requires(tiles <= 1000);
    ring<4, 3, 3, true>(x, y, tiles);
}
__global__ void stages_short(const float *x, float *y, int tiles)
{
    __requires(tiles <= 1000);
    ring<4, 4, 3, true>(x, y, tiles);
}
__global__ void stages_late(const float *x, float *y, int tiles)
{
    __requires(tiles <= 1000);
    ring<3, 3, 3, true>(x, y, tiles);
}
__global__ void stages_unsynced(const float *x, float *y, int tiles)
{
    __requires(tiles <= 1000);
    ring<4, 3, 3, false>(x, y, tiles);
}

// cuda::pipeline of one thread.
template <int PRIOR> __device__ void own_ring(const float *x, float *y, int tiles)
{
    __shared__ float s[3][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    auto pipe = cuda::make_pipeline();
    for (int k = 0; k < 2; k++) {
        pipe.producer_acquire();
        if (k < tiles)
            cuda::memcpy_async(&s[k][t], &x[k * 64 + t], sizeof(float), pipe);
        pipe.producer_commit();
    }
    for (int k = 0; k < tiles; k++) {
        pipe.producer_acquire();
        if (k + 2 < tiles)
            cuda::memcpy_async(&s[(k + 2) % 3][t], &x[(k + 2) * 64 + t], sizeof(float), pipe);
        pipe.producer_commit();
        cuda::pipeline_consumer_wait_prior<PRIOR>(pipe);
        __syncthreads();
        sum += s[k % 3][63 - t];
        __syncthreads();
        pipe.consumer_release();
    }
    y[t] = sum;
}
__global__ void own_stages(const float *x, float *y, int tiles)
{
    __requires(tiles <= 1000);
    own_ring<2>(x, y, tiles);
}
__global__ void own_stages_short(const float *x, float *y, int tiles)
{
    __requires(tiles <= 1000);
    own_ring<3>(x, y, tiles);
}

// What a thread has copied for itself needs no barrier.
template <bool WAIT> __device__ void own(const float *x, float *y, int tiles)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &x[t], sizeof(float), pipe);
    pipe.producer_commit();
    for (int k = 0; k + 1 < tiles; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[(k + 1) % 2][t], &x[(k + 1) * 64 + t], sizeof(float), pipe);
        pipe.producer_commit();
        if (WAIT)
            pipe.consumer_wait();
        sum += s[k % 2][t];
        pipe.consumer_release();
    }
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    y[t] = sum + s[(tiles - 1) % 2][t];
}
__global__ void own_elements(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    own<true>(x, y, tiles);
}
__global__ void own_elements_unwaited(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    own<false>(x, y, tiles);
}

// Copies of the block.
template <int PRIOR> __device__ void group_ring(const float *x, float *y, int tiles)
{
    __shared__ float s[3][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    float sum = 0.0f;
    cg::memcpy_async(block, s[0], x, sizeof(float) * 64);
    cg::memcpy_async(block, s[1], x + 64, sizeof(float) * 64);
    for (int k = 0; k + 2 < tiles; k++) {
        cg::memcpy_async(block, s[(k + 2) % 3], x + (k + 2) * 64, sizeof(float) * 64);
        cg::wait_prior<PRIOR>(block);
        sum += s[k % 3][63 - t];
        block.sync();
    }
    cg::wait(block);
    y[t] = sum + s[(tiles - 2) % 3][63 - t] + s[(tiles - 1) % 3][63 - t];
}
__global__ void group_stages(const float *x, float *y, int tiles)
{
    __requires(tiles >= 2 && tiles <= 1000);
    group_ring<2>(x, y, tiles);
}
__global__ void group_stages_short(const float *x, float *y, int tiles)
{
    __requires(tiles >= 2 && tiles <= 1000);
    group_ring<3>(x, y, tiles);
}

// Copies that a barrier waits for.
template <bool WAIT, bool SYNC> __device__ void barrier_ring(const float *x, float *y, int tiles)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
    __shared__ float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    float sum = 0.0f;
    if (t == 0) {
        init(&bar[0], 64);
        init(&bar[1], 64);
    }
    block.sync();
    cuda::memcpy_async(block, s[0], x, sizeof(float) * 64, bar[0]);
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            cuda::memcpy_async(block, s[(k + 1) % 2], x + (k + 1) * 64, sizeof(float) * 64, bar[(k + 1) % 2]);
        if (WAIT)
            bar[k % 2].arrive_and_wait();
        else
            (void)bar[k % 2].arrive();
        sum += s[k % 2][63 - t];
        if (SYNC)
            block.sync();
    }
    y[t] = sum;
}
__global__ void by_barrier(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    barrier_ring<true, true>(x, y, tiles);
}
__global__ void by_barrier_unwaited(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    barrier_ring<false, true>(x, y, tiles);
}
__global__ void by_barrier_refilled(const float *x, float *y, int tiles)
{
    __requires(tiles >= 1 && tiles <= 1000);
    barrier_ring<true, false>(x, y, tiles);
}
