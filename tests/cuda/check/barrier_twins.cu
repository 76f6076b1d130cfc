// SPDX-License-Identifier: Apache-2.0
// TEST: twins of kernels with cuda::barrier, one of each pair wrong
// check-args: --block 64 --grid 1
// check leaves: proved
// check leaves_silently: bug HD1033
// check reads_early: bug HD0601
// check asks: proved
// check asks_another: bug HD0601
// check roles: proved
// check roles_unready: bug HD0601
// check bulk_unexpected: bug HD1033
// sanitize bulk_unexpected: x[64]=iota y[64]=zeros --block 64 --grid 1
// sanitize leaves: y[64]=zeros turns=7 --block 64 --grid 1
// sanitize leaves_silently: y[64]=zeros turns=7 --block 64 --grid 1
// sanitize reads_early: y[64]=zeros --block 64 --grid 1
// sanitize asks: y[64]=zeros turns=5 --block 64 --grid 1
// sanitize asks_another: y[64]=zeros turns=5 --block 64 --grid 1
// sanitize roles: in[128]=iota out[128]=zeros --block 64 --grid 1
// sanitize roles_unready: in[128]=iota out[128]=zeros --block 64 --grid 1
#include <cuda/barrier>
#include <cuda/std/chrono>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void leaves(int *y, int turns)
{
    // heddle: requires 64 <= len(y)
    __shared__ barrier bar;
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        if (k == 3 && t >= 32) {
            bar.arrive_and_drop();
            return;
        }
        bar.arrive_and_wait();
    }
    y[t] = turns;
}

// The others wait for an arrival that doesn't come any more.
__global__ void leaves_silently(int *y, int turns)
{
    // heddle: requires 64 <= len(y)
    __shared__ barrier bar;
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        if (k == 3 && t >= 32)
            return;
        bar.arrive_and_wait();
    }
    y[t] = turns;
}

// Who drops doesn't wait: what the others wrote isn't there yet.
__global__ void reads_early(int *y)
{
    // heddle: requires 64 <= len(y)
    __shared__ barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    s[t] = t;
    if (t < 16)
        bar.arrive_and_drop();
    else
        bar.arrive_and_wait();
    y[t] = s[63 - t];
}

__global__ void asks(int *y, int turns)
{
    // heddle: requires 64 <= len(y)
    __shared__ barrier bar;
    __shared__ int s[2][64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        s[k % 2][t] = k;
        auto token = bar.arrive();
        while (!bar.try_wait_for(std::move(token), cuda::std::chrono::microseconds(5)))
            ;
        y[t] = s[k % 2][63 - t];
    }
}

// A single question isn't a wait.
__global__ void asks_another(int *y, int turns)
{
    // heddle: requires 64 <= len(y)
    __shared__ barrier bar;
    __shared__ int s[2][64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        s[k % 2][t] = k;
        auto token = bar.arrive();
        bool is_over = bar.try_wait_for(std::move(token), cuda::std::chrono::microseconds(5));
        y[t] = s[k % 2][63 - t] + is_over;
        bar.wait(std::move(token));
    }
}

__device__ void produce(barrier ready[], barrier filled[], float *buffer, const float *in)
{
    for (int i = 0; i < 4; i++) {
        ready[i % 2].arrive_and_wait();
        buffer[i % 2 * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
        barrier::arrival_token token = filled[i % 2].arrive();
    }
}

__device__ void consume(barrier ready[], barrier filled[], float *buffer, float *out)
{
    barrier::arrival_token first = ready[0].arrive();
    barrier::arrival_token second = ready[1].arrive();
    for (int i = 0; i < 4; i++) {
        filled[i % 2].arrive_and_wait();
        out[i * 32 + threadIdx.x - 32] = buffer[i % 2 * 32 + 63 - threadIdx.x];
        barrier::arrival_token token = ready[i % 2].arrive();
    }
}

// It says that it is ready before it has read.
__device__ void consume_unready(barrier ready[], barrier filled[], float *buffer, float *out)
{
    barrier::arrival_token first = ready[0].arrive();
    barrier::arrival_token second = ready[1].arrive();
    for (int i = 0; i < 4; i++) {
        filled[i % 2].arrive_and_wait();
        barrier::arrival_token token = ready[i % 2].arrive();
        out[i * 32 + threadIdx.x - 32] = buffer[i % 2 * 32 + 63 - threadIdx.x];
    }
}

__global__ void roles(const float *in, float *out)
{
    // heddle: requires 128 <= len(in) && 128 <= len(out)
    __shared__ barrier bars[4];
    __shared__ float buffer[64];
    if (threadIdx.x < 4)
        init(bars + threadIdx.x, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32)
        produce(bars, bars + 2, buffer, in);
    else
        consume(bars, bars + 2, buffer, out);
}

__global__ void roles_unready(const float *in, float *out)
{
    // heddle: requires 128 <= len(in) && 128 <= len(out)
    __shared__ barrier bars[4];
    __shared__ float buffer[64];
    if (threadIdx.x < 4)
        init(bars + threadIdx.x, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32)
        produce(bars, bars + 2, buffer, in);
    else
        consume_unready(bars, bars + 2, buffer, out);
}

// The phase expects no bytes: it never ends.
__global__ void bulk_unexpected(const int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 64 <= len(y)
    __shared__ alignas(16) int s[64];
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::device::memcpy_async_tx(s, x, cuda::aligned_size_t<16>(sizeof(s)), bar);
    bar.arrive_and_wait();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
