// SPDX-License-Identifier: Apache-2.0
// TEST: barriers by other names: references, pointers, elements of arrays that functions get; tokens that are assigned
// RACECHECK: threads meet at mbarriers
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void meet(barrier *b) { b->arrive_and_wait(); }
__device__ void meet_at(barrier &b) { b.wait(b.arrive()); }
__device__ int number(barrier *b, int v)
{
    meet(b);
    return v;
}

__global__ void names(int *y)
{
    __shared__ barrier bar, bars[2], grid[2][2];
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, blockDim.x);
        for (int i = 0; i < 2; i++)
            init(&bars[i], blockDim.x);
        init(&grid[1][1], blockDim.x);
    }
    __syncthreads();
    int v = t;
    for (int k = 0; k < 4; k++) {
        barrier &now = bars[k % 2];
        barrier *later = &bars[(k + 1) % 2];
        s[t] = v;
        now.arrive_and_wait();
        v = s[(t + 1) % 64];
        later->arrive_and_wait();
    }
    meet(&bar);
    s[t] = number(bars + 1, v);
    meet_at(bar);
    v = s[63 - t];
    barrier *last = bars;
    last[1].arrive_and_wait();
    auto *handle = cuda::device::barrier_native_handle(grid[1][1]);
    (void)handle;
    s[t] = v;
    meet(&grid[1][1]);
    y[t] = s[t ^ 1];
}
// LAUNCH: names y[64]=zeros --block 64 --grid 1
// OUT: y = [(63 - (t ^ 1) + 4) % 64 for t in range(64)]

__global__ void assigned(int *y)
{
    __shared__ barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    s[t] = t;
    barrier::arrival_token token;
    if (t == 0)
        token = cuda::device::barrier_arrive_tx(bar, 1, 0);
    else
        token = bar.arrive();
    bar.wait(std::move(token));
    y[t] = s[63 - t];
}
// LAUNCH: assigned y[64]=zeros --block 64 --grid 1
// OUT: y = 63 - np.arange(64)

__device__ void produce(barrier ready[], barrier filled[], float *buffer, const float *in, int tiles)
{
    for (int i = 0; i < tiles; i++) {
        ready[i % 2].arrive_and_wait();
        buffer[i % 2 * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
        barrier::arrival_token token = filled[i % 2].arrive();
    }
}

__device__ void consume(barrier ready[], barrier filled[], float *buffer, float *out, int tiles)
{
    barrier::arrival_token first = ready[0].arrive();
    barrier::arrival_token second = ready[1].arrive();
    for (int i = 0; i < tiles; i++) {
        filled[i % 2].arrive_and_wait();
        out[i * 32 + threadIdx.x - 32] = 2 * buffer[i % 2 * 32 + 63 - threadIdx.x];
        barrier::arrival_token token = ready[i % 2].arrive();
    }
}

__global__ void roles(const float *in, float *out, int tiles)
{
    __shared__ barrier bars[4];
    __shared__ float buffer[64];
    if (threadIdx.x < 4)
        init(bars + threadIdx.x, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32)
        produce(bars, bars + 2, buffer, in, tiles);
    else
        consume(bars, bars + 2, buffer, out, tiles);
}
// LAUNCH: roles in[160]=random:1 out[160]=zeros tiles=5 --block 64 --grid 1
// OUT: out = 2 * in_in.reshape(5, 32)[:, ::-1].ravel()
