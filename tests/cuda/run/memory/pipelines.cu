// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::pipeline of a block: with all threads, by number of producers, by role; passed to functions
// ALSO: --sanitize
// ALSO: --schedule 7
// RACECHECK: threads meet at mbarriers
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

// Classic double buffering: priming, a loop, and what is left.
__global__ void unified(const int *x, int *y, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ alignas(16) int s[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = block.thread_rank(), sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[0], x, sizeof(int) * 64, pipe);
    pipe.producer_commit();
    for (int k = 1; k < tiles; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, s[k % 2], x + k * 64, cuda::aligned_size_t<16>(sizeof(int) * 64), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += s[(k - 1) % 2][63 - t];
        pipe.consumer_release();
    }
    pipe.consumer_wait();
    sum += s[(tiles - 1) % 2][63 - t];
    pipe.consumer_release();
    y[t] = sum;
    (void)pipe.quit();
}

using block_pipeline = cuda::pipeline<cuda::thread_scope_block>;

__device__ void fill(block_pipeline &pipe, int *slot, const int *from, int t)
{
    pipe.producer_acquire();
    cuda::memcpy_async(slot + t, from + t, sizeof(int), pipe);
    cuda::memcpy_async(slot + 32 + t, from + 32 + t, sizeof(int), pipe);
    pipe.producer_commit();
}

__device__ int empty(block_pipeline &pipe, const int *slot, int t)
{
    pipe.consumer_wait();
    int v = slot[63 - t];
    pipe.consumer_release();
    return v;
}

// The first warp copies.
__global__ void numbered(const int *x, int *y, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    __shared__ int s[3][64];
    auto block = cg::this_thread_block();
    constexpr size_t producers = 32;
    auto pipe = cuda::make_pipeline(block, &state, producers);
    int t = block.thread_rank();
    if (t < producers) {
        for (int k = 0; k < tiles; k++)
            fill(pipe, s[k % 3], x + k * 64, t);
    } else {
        int sum = 0;
        for (int k = 0; k < tiles; k++)
            sum += empty(pipe, s[k % 3], t - 32);
        y[t - 32] = sum;
    }
}

// Roles by what is computed from the rank: which threads produce differs, the
// result doesn't.
#define BY_ROLE(IS_PRODUCER, RANK)                                                              \
    {                                                                                           \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;              \
        __shared__ int s[4][64];                                                                \
        auto block = cg::this_thread_block();                                                   \
        const cuda::pipeline_role role =                                                        \
            IS_PRODUCER ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;        \
        auto pipe = cuda::make_pipeline(block, &state, role);                                   \
        int r = RANK;                                                                           \
        if (role == cuda::pipeline_role::producer) {                                            \
            for (int k = 0; k < tiles; k++) {                                                   \
                pipe.producer_acquire();                                                        \
                cuda::memcpy_async(&s[k % 4][r], &x[k * 64 + r], sizeof(int), pipe);            \
                pipe.producer_commit();                                                         \
            }                                                                                   \
        } else {                                                                                \
            int sum = 0;                                                                        \
            for (int k = 0; k < tiles; k++) {                                                   \
                pipe.consumer_wait();                                                           \
                sum += s[k % 4][63 - r];                                                        \
                pipe.consumer_release();                                                        \
            }                                                                                   \
            y[r] = sum;                                                                         \
        }                                                                                       \
    }

__global__ void lower_half(const int *x, int *y, int tiles)
BY_ROLE(threadIdx.x < 64, threadIdx.x % 64)
__global__ void upper_half(const int *x, int *y, int tiles)
BY_ROLE(block.thread_rank() >= 64, threadIdx.x % 64)
__global__ void even(const int *x, int *y, int tiles)
BY_ROLE(block.thread_rank() % 2 == 0, threadIdx.x / 2)

// Two pipelines in one kernel, the first result feeds the second.
__global__ void two(const int *x, int *y, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> one;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> other;
    __shared__ int s[64], r[2][64];
    auto block = cg::this_thread_block();
    auto a = cuda::make_pipeline(block, &one);
    auto b = cuda::make_pipeline(block, &other);
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < tiles; k += 2) {
        a.producer_acquire();
        cuda::memcpy_async(block, s, x + k * 64, sizeof(int) * 64, a);
        a.producer_commit();
        b.producer_acquire();
        if (k + 1 < tiles)
            cuda::memcpy_async(block, r[k / 2 % 2], x + k * 64 + 64, sizeof(int) * 64, b);
        b.producer_commit();
        a.consumer_wait();
        sum += s[63 - t];
        a.consumer_release();
        b.consumer_wait();
        if (k + 1 < tiles)
            sum += r[k / 2 % 2][63 - t];
        b.consumer_release();
    }
    y[t] = sum;
}
// LAUNCH: unified x[320]=iota y[64]=zeros tiles=5 --block 64 --grid 1
// LAUNCH: unified x[64]=iota y[64]=zeros tiles=1 --block 64 --grid 1
// LAUNCH: numbered x[640]=iota y[64]=zeros tiles=10 --block 96 --grid 1
// LAUNCH: numbered x[128]=iota y[64]=zeros tiles=2 --block 96 --grid 1
// LAUNCH: lower_half x[640]=iota y[64]=zeros tiles=10 --block 128 --grid 1
// LAUNCH: upper_half x[640]=iota y[64]=zeros tiles=10 --block 128 --grid 1
// LAUNCH: even x[640]=iota y[64]=zeros tiles=10 --block 128 --grid 1
// LAUNCH: two x[448]=iota y[64]=zeros tiles=7 --block 64 --grid 1
// OUT: y = in_x.reshape(-1, 64).sum(0)[::-1]
