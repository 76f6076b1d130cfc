// SPDX-License-Identifier: Apache-2.0
// TEST: roles of a pipeline that branches, functions, switches, bits, data or the launch decide
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using cuda::pipeline_role;

// Producers, n of the 128 threads, add their numbers to each stage; all others
// see the sum of each batch.
#define KERNEL(NAME, ROLE)                                                            \
    __global__ void NAME(const int *x, int *y, int batches, int m)                    \
    {                                                                                 \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;    \
        __shared__ int s[3][128];                                                     \
        auto block = cg::this_thread_block();                                         \
        auto warp = cg::tiled_partition<32>(block);                                   \
        int t = threadIdx.x, sum = 0;                                                 \
        for (int i = t; i < 3 * 128; i += 128)                                        \
            s[i / 128][i % 128] = 0;                                                  \
        block.sync();                                                                 \
        pipeline_role role = pipeline_role::consumer;                                 \
        ROLE;                                                                         \
        auto pipe = cuda::make_pipeline(block, &state, role);                         \
        for (int k = 0; k < batches; k++) {                                           \
            if (role == pipeline_role::producer) {                                    \
                pipe.producer_acquire();                                              \
                s[k % 3][t] = x[k * 128 + t];                                         \
                pipe.producer_commit();                                               \
            } else {                                                                  \
                pipe.consumer_wait();                                                 \
                for (int i = 0; i < 128; i++)                                         \
                    sum += s[k % 3][i] * (i + 1);                                     \
                pipe.consumer_release();                                              \
            }                                                                         \
        }                                                                             \
        y[t] = role == pipeline_role::producer ? -1 : sum;                            \
        warp.sync();                                                                  \
    }

__device__ bool is_first(int t, int m) { return t < m; }
__device__ pipeline_role role_of(int t, int m)
{
    if (t % 8 < 3)
        return pipeline_role::producer;
    return t == m ? pipeline_role::producer : pipeline_role::consumer;
}
template <int PRODUCERS> __device__ pipeline_role among(int t)
{
    return t < PRODUCERS ? pipeline_role::producer : pipeline_role::consumer;
}
constexpr auto producer = pipeline_role::producer, consumer = pipeline_role::consumer;

KERNEL(branch, if (t < 32) role = producer; else role = consumer)
KERNEL(either, role = t < 32 || t >= 96 ? producer : consumer)
KERNEL(both, role = t >= 32 && t < 96 ? producer : consumer)
KERNEL(variable, const bool is_one = !(t & 1); if (is_one) role = producer)
KERNEL(later, const auto first = t < 32 ? producer : consumer; role = first; if (t == 100) role = producer)
KERNEL(called, role = role_of(t, m))
KERNEL(asked, role = is_first(t, m) ? producer : consumer)
KERNEL(constant, role = among<48>(t))
KERNEL(cases, switch (warp.meta_group_rank()) { case 1: case 3: role = producer; break; default: break; })
KERNEL(by_warp, role = warp.meta_group_rank() == 2 ? producer : consumer)
KERNEL(lanes, role = warp.thread_rank() % 4 == 1 ? producer : consumer)
KERNEL(looped, for (int i = 0; i < m; i++) if (t == i * 5) role = producer)
KERNEL(by_data, if (x[t] % 3 == 0) role = producer)
KERNEL(by_block, role = t < 16 * (int)(blockIdx.x + 1) ? producer : consumer)

// A number of producers that only the launch knows, or each block for itself.
__global__ void number(const int *x, int *y, int batches, int m)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][128];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, n = m + blockIdx.x, sum = 0;
    auto pipe = cuda::make_pipeline(block, &state, n);
    for (int k = 0; k < batches; k++)
        if (t < n) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[k % 2][t], &x[k * 128 + t], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            for (int i = 0; i < n; i++)
                sum += s[k % 2][i] * (i + 1);
            pipe.consumer_release();
        }
    y[blockIdx.x * 128 + t] = t < n ? -1 : sum;
}

// PY: def sums(x, batches, is_one):
// PY:     is_one = np.asarray(is_one)
// PY:     rows = x.reshape(-1, 128)[:batches] * is_one
// PY:     return np.where(is_one, -1, (rows * np.arange(1, 129)).sum())
// PY: t = np.arange(128)
// LAUNCH: branch x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t < 32)
// LAUNCH: either x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, (t < 32) | (t >= 96))
// LAUNCH: both x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, (t >= 32) & (t < 96))
// LAUNCH: variable x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t % 2 == 0)
// LAUNCH: later x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, (t < 32) | (t == 100))
// LAUNCH: called x[1280]=random:1 y[128]=zeros batches=10 m=77 --block 128 --grid 1
// OUT: y = sums(in_x, 10, (t % 8 < 3) | (t == 77))
// LAUNCH: asked x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// LAUNCH: asked x[1280]=random:1 y[128]=zeros batches=10 m=127 --block 128 --grid 1
// LAUNCH: asked x[1280]=random:1 y[128]=zeros batches=1 m=127 --block 128 --grid 1
// LAUNCH: asked x[1280]=random:1 y[128]=zeros batches=3 m=50 --block 128 --grid 1
// OUT: y = sums(in_x, batches, t < m)
// LAUNCH: constant x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t < 48)
// LAUNCH: cases x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t // 32 % 2 == 1)
// LAUNCH: by_warp x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t // 32 == 2)
// LAUNCH: lanes x[1280]=random:1 y[128]=zeros batches=10 m=1 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t % 4 == 1)
// LAUNCH: looped x[1280]=random:1 y[128]=zeros batches=10 m=20 --block 128 --grid 1
// OUT: y = sums(in_x, 10, (t % 5 == 0) & (t < 100))
// LAUNCH: by_data x[1280]=iota y[128]=zeros batches=10 m=20 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t % 3 == 0)
// LAUNCH: by_block x[1280]=random:1 y[128]=zeros batches=10 m=20 --block 128 --grid 1
// OUT: y = sums(in_x, 10, t < 16)
// LAUNCH: number x[1280]=random:1 y[384]=zeros batches=10 m=30 --block 128 --grid 3
// OUT: y = np.concatenate([sums(in_x, 10, t < 30 + b) for b in range(3)])
