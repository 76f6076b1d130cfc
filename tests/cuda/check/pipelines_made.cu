// SPDX-License-Identifier: Apache-2.0
// TEST: pipelines of functions, of tiles and several at once are proved; what is wrong with them is told
// check-args: --block 128 --grid 1 --assume len(x)==128*n --assume len(y)==128
// check one_function: proved
// check one_function_early: bug HD0601
// check twice: proved
// check several: proved
// check several_mixed: bug HD0601
// check tiles: proved
// check tiles_other: bug HD0601
// check tile_roles: proved
// check tile_roles_early: bug HD0601
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using block_pipeline = cuda::pipeline<cuda::thread_scope_block>;
using block_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;

template <bool EARLY> __device__ int sums(const int *x, int n)
{
    __shared__ block_state state;
    __shared__ int s[2][128];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[0], x, sizeof(int) * 128, pipe);
    pipe.producer_commit();
    for (int k = 1; k < n; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, s[k % 2], x + k * 128, sizeof(int) * 128, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        if (EARLY)
            pipe.consumer_release();
        sum += s[(k - 1) % 2][127 - t];
        if (!EARLY)
            pipe.consumer_release();
    }
    pipe.consumer_wait();
    sum += s[(n - 1) % 2][127 - t];
    pipe.consumer_release();
    return sum;
}

#define KERNEL(NAME)                                                                         \
    __global__ void NAME(const int *x, int *y, int n)

KERNEL(one_function)
{
    __requires(n >= 1 && n <= 1000);
    y[threadIdx.x] = sums<false>(x, n);
}
KERNEL(one_function_early)
{
    __requires(n >= 1 && n <= 1000);
    y[threadIdx.x] = sums<true>(x, n);
}
KERNEL(twice)
{
    __requires(n >= 1 && n <= 1000);
    int first = sums<false>(x, n);
    y[threadIdx.x] = first + sums<false>(x, 1);
}

__device__ void fetch(block_pipeline &pipe, const cg::thread_block &block, int *to, const int *from)
{
    pipe.producer_acquire();
    cuda::memcpy_async(block, to, from, sizeof(int) * 128, pipe);
    pipe.producer_commit();
}

// Each row goes through two pipelines.
#define SEVERAL(FIRST)                                                                       \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        __shared__ block_state states[2];                                                    \
        __shared__ int s[2][128], r[2][128];                                                 \
        auto block = cg::this_thread_block();                                                \
        auto a = cuda::make_pipeline(block, &states[0]);                                     \
        auto b = cuda::make_pipeline(block, &states[1]);                                     \
        int t = threadIdx.x, sum = 0;                                                        \
        for (int k = 0; k < n; k++) {                                                        \
            fetch(a, block, s[k % 2], x + k * 128);                                          \
            fetch(b, block, r[k % 2], x + k * 128);                                          \
            FIRST.consumer_wait();                                                           \
            sum += s[k % 2][127 - t];                                                        \
            a.consumer_release();                                                            \
            b.consumer_wait();                                                               \
            sum += r[k % 2][127 - t];                                                        \
            b.consumer_release();                                                            \
        }                                                                                    \
        y[t] = sum;                                                                          \
    }

KERNEL(several)
SEVERAL(a)
KERNEL(several_mixed)
SEVERAL(b)

// Each warp has a pipeline of its own.
#define TILES(STAGE)                                                                         \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        __shared__ block_state states[4];                                                    \
        __shared__ int s[4][2][32];                                                          \
        auto tile = cg::tiled_partition<32>(cg::this_thread_block());                        \
        int which = tile.meta_group_rank(), sum = 0;                                         \
        auto pipe = cuda::make_pipeline(tile, &states[which]);                               \
        for (int k = 0; k < n; k++) {                                                        \
            pipe.producer_acquire();                                                         \
            cuda::memcpy_async(tile, s[which][k % 2], x + k * 128 + which * 32, 128, pipe);  \
            pipe.producer_commit();                                                          \
            pipe.consumer_wait();                                                            \
            sum += s[which][STAGE][31 - tile.thread_rank()];                                 \
            pipe.consumer_release();                                                         \
        }                                                                                    \
        y[threadIdx.x] = sum;                                                                \
    }

KERNEL(tiles)
TILES(k % 2)
KERNEL(tiles_other)
TILES((k + 1) % 2)

#define TILE_ROLES(FIRST, SECOND)                                                            \
    {                                                                                        \
        __requires(n >= 1 && n <= 1000);                                                     \
        __shared__ block_state states[4];                                                    \
        __shared__ int s[2][4];                                                              \
        auto tile = cg::tiled_partition<32>(cg::this_thread_block());                        \
        int which = threadIdx.x / 32, sum = 0;                                               \
        auto pipe = cuda::make_pipeline(tile, &states[which], 1);                            \
        if (tile.thread_rank() == 0)                                                         \
            for (int k = 0; k < n; k++) {                                                    \
                pipe.producer_acquire();                                                     \
                s[k % 2][which] = x[k];                                                      \
                pipe.producer_commit();                                                      \
            }                                                                                \
        else                                                                                 \
            for (int k = 0; k < n; k++) {                                                    \
                pipe.consumer_wait();                                                        \
                FIRST;                                                                       \
                SECOND;                                                                      \
            }                                                                                \
        y[threadIdx.x] = sum;                                                                \
    }

KERNEL(tile_roles)
TILE_ROLES(sum += s[k % 2][which], pipe.consumer_release())
KERNEL(tile_roles_early)
TILE_ROLES(pipe.consumer_release(), sum += s[k % 2][which])
