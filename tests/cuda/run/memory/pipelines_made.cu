// SPDX-License-Identifier: Apache-2.0
// TEST: pipelines made in functions, loops and branches, of states in arrays, classes and dynamic memory, of tiles, and passed to functions
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using block_pipeline = cuda::pipeline<cuda::thread_scope_block>;
template <unsigned char S> using block_state = cuda::pipeline_shared_state<cuda::thread_scope_block, S>;

// Reads n rows of 64 numbers as early as it can.
template <int S> __device__ int weighted(const int *x, int n)
{
    __shared__ block_state<S> state;
    __shared__ int s[S][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int k = 0, next = 0; k < n; k++) {
        for (; next < n && next < k + S; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[next % S], x + next * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[k % S][63 - t] * (k + 1);
        pipe.consumer_release();
    }
    block.sync();
    return sum;
}

__global__ void in_functions(const int *x, int *y, int n)
{
    int t = threadIdx.x;
    if (n % 2)
        y[t] = weighted<3>(x, n);
    else
        y[t] = weighted<2>(x, n - 1);
    y[64 + t] = weighted<3>(x + 64, n - 1);
}

__global__ void in_a_loop(const int *x, int *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i * 64 + threadIdx.x] = weighted<3>(x, i);
}

// Half of the threads produce; a stage is left that nobody consumes.
__global__ void roles_in_a_loop(const int *x, int *y, int n)
{
    __shared__ block_state<2> state;
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    for (int row = 0; row < n; row++) {
        auto role = t % 2 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
        auto pipe = cuda::make_pipeline(block, &state, role);
        int sum = 0;
        for (int k = 0; k <= row; k++)
            if (role == cuda::pipeline_role::producer) {
                pipe.producer_acquire();
                s[k % 2][t] = x[k * 64 + t];
                pipe.producer_commit();
            } else if (k < row) {
                pipe.consumer_wait();
                sum += s[k % 2][63 - t] * (k + 1);
                pipe.consumer_release();
            }
        y[row * 64 + t] = sum;
        block.sync();
    }
}

// --- states

struct Stages {
    int first;
    block_state<2> states[2];
    int rows[2][64];
};

__device__ void fetch(block_pipeline &pipe, const cg::thread_block &block, int *to, const int *from)
{
    pipe.producer_acquire();
    cuda::memcpy_async(block, to, from, sizeof(int) * 64, pipe);
    pipe.producer_commit();
}
template <class P> __device__ int take(P &pipe, const int *from)
{
    pipe.consumer_wait();
    int value = from[63 - threadIdx.x];
    pipe.consumer_release();
    return value;
}
__device__ void twice(block_pipeline &a, block_pipeline &b, const int (*from)[64], int *out)
{
    *out = 10 * take(a, from[0]);
    *out += take(b, from[1]);
}

__global__ void in_a_class(const int *x, int *y, int n)
{
    __shared__ Stages stages;
    auto block = cg::this_thread_block();
    block_pipeline a = cuda::make_pipeline(block, &stages.states[0]);
    block_pipeline b = cuda::make_pipeline(block, stages.states + 1);
    for (int k = 0; k < n; k += 2) {
        fetch(a, block, stages.rows[0], x + k * 64);
        fetch(b, block, stages.rows[1], x + k * 64 + 64);
        int sum = 0;
        twice(a, b, stages.rows, &sum);
        y[k * 32 + threadIdx.x] = sum;
        block.sync();
    }
    bool is_last = a.quit();
    if (is_last)
        y[0] += 0;
}

// A pipeline of three stages beside one of two, in memory that the launch gives.
__global__ void dynamic(const int *x, int *y, int n)
{
    extern __shared__ __align__(8) char memory[];
    auto *one = reinterpret_cast<block_state<3> *>(memory);
    auto *other = reinterpret_cast<block_state<2> *>(memory + sizeof(*one));
    int *rows = reinterpret_cast<int *>(memory + sizeof(*one) + sizeof(*other));
    auto block = cg::this_thread_block();
    auto a = cuda::make_pipeline(block, one);
    auto b = cuda::make_pipeline(block, other);
    auto both = [&a, &b, rows](int k) { return take(a, rows + k % 3 * 64) - take(b, rows + (3 + k % 2) * 64); };
    int t = threadIdx.x;
    fetch(a, block, rows, x);
    for (int k = 0; k < n; k++) {
        if (k + 1 < n)
            fetch(a, block, rows + (k + 1) % 3 * 64, x + (k + 1) * 64);
        fetch(b, block, rows + (3 + k % 2) * 64, x + (n - 1 - k) * 64);
        y[k * 64 + t] = both(k);
    }
}

// --- tiles

template <class Tile, unsigned char S> __device__ int of_tile(const Tile &tile, cuda::pipeline_shared_state<cuda::thread_scope_block, S> *state, int (*s)[32],
                                                          const int *x, int n)
{
    auto pipe = cuda::make_pipeline(tile, state);
    int rank = tile.thread_rank(), last = tile.size() - 1, sum = 0;
    for (int k = 0; k < n; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(tile, s[k % S], x + k * tile.size(), sizeof(int) * tile.size(), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum = sum * 3 + s[k % S][last - rank];
        pipe.consumer_release();
    }
    return sum;
}

__global__ void tiles(const int *x, int *y, int n)
{
    __shared__ block_state<2> states[4];
    __shared__ int s[4][2][32];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int which = tile.meta_group_rank(), t = threadIdx.x;
    y[t] = of_tile(tile, &states[which], s[which], x + 32 * which, n + which);
    block.sync();
    auto small = cg::tiled_partition<16>(tile);
    __shared__ block_state<2> more[8];
    __shared__ int rows[8][2][32];
    y[128 + t] = of_tile(small, &more[t / 16], rows[t / 16], x + t / 16, n);
}

// One lane of four produces in each tile.
__global__ void roles_of_tiles(const int *x, int *y, int n)
{
    __shared__ block_state<2> states[4], unused[4];
    __shared__ int s[2][128];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x, rank = tile.thread_rank(), sum = 0;
    auto role = cuda::pipeline_role::consumer;
    if (rank % 4 == 0)
        role = cuda::pipeline_role::producer;
    auto pipe = cuda::make_pipeline(tile, &states[t / 32], role);
    auto counted = cuda::make_pipeline(tile, &unused[t / 32], 1);
    (void)counted;
    for (int k = 0; k < n; k++)
        if (rank % 4 == 0) {
            pipe.producer_acquire();
            s[k % 2][t] = x[k * 128 + t];
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += s[k % 2][t / 32 * 32 + 28 - rank / 4 * 4];
            pipe.consumer_release();
        }
    y[t] = sum;
}

// PY: def rows(x): return x.reshape(-1, 64)[:, ::-1].astype(np.int64)
// PY: def weighted(x, n): return (rows(x)[:n] * np.arange(1, n + 1)[:, None]).sum(0)
// PY: def tiled(x, size, begins, counts):
// PY:     y = []
// PY:     for begin, n in zip(begins, counts):
// PY:         sums = np.zeros(size, np.int64)
// PY:         for k in range(n):
// PY:             sums = sums * 3 + x[begin + k * size: begin + k * size + size][::-1]
// PY:         y.append(sums)
// PY:     return np.concatenate(y)
// PY: def lanes(x, n):
// PY:     t = np.arange(128)
// PY:     sums = x.reshape(-1, 128)[:n].astype(np.int64).sum(0)[t // 32 * 32 + 28 - t % 32 // 4 * 4]
// PY:     return np.where(t % 4 == 0, 0, sums)
// LAUNCH: in_functions x[640]=random:1 y[128]=zeros n=9 --block 64 --grid 1
// OUT: y = np.concatenate([weighted(in_x, 9), weighted(in_x[64:], 8)])
// LAUNCH: in_functions x[640]=random:1 y[128]=zeros n=8 --block 64 --grid 1
// OUT: y = np.concatenate([weighted(in_x, 7), weighted(in_x[64:], 7)])
// LAUNCH: in_a_loop x[640]=random:1 y[640]=zeros n=10 --block 64 --grid 1
// OUT: y = np.concatenate([weighted(in_x, i) for i in range(10)])
// LAUNCH: roles_in_a_loop x[640]=random:1 y[640]=zeros n=10 --block 64 --grid 1
// OUT: y = np.concatenate([weighted(in_x, i) * (np.arange(64) % 2 == 0) for i in range(10)])
// LAUNCH: in_a_class x[640]=random:1 y[320]=zeros n=10 --block 64 --grid 1
// OUT: y = (10 * rows(in_x)[::2] + rows(in_x)[1::2]).reshape(-1)
// LAUNCH: dynamic x[640]=random:1 y[640]=zeros n=10 --block 64 --grid 1 --shared 1424
// OUT: y = (rows(in_x) - rows(in_x)[::-1]).reshape(-1)
// LAUNCH: tiles x[640]=random:1 y[256]=zeros n=4 --block 128 --grid 1
// OUT: y = np.concatenate([tiled(in_x, 32, [0, 32, 64, 96], [4, 5, 6, 7]), tiled(in_x, 16, range(8), [4] * 8)])
// LAUNCH: roles_of_tiles x[640]=random:1 y[128]=zeros n=5 --block 128 --grid 1
// OUT: y = lanes(in_x, 5)
