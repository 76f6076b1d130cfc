// SPDX-License-Identifier: Apache-2.0
// TEST: memcpy_async_tx: the phase of the barrier ends when its bytes have landed
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#cooperative-groups
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device;

__global__ void tiles(const int *x, int *y, int n)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ barrier bars[2];
    if (threadIdx.x == 0) {
        init(&bars[0], blockDim.x);
        init(&bars[1], blockDim.x);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cde::memcpy_async_tx(s[0], x, cuda::aligned_size_t<16>(sizeof(s[0])), bars[0]);
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0 && k + 1 < n)
            cde::memcpy_async_tx(s[(k + 1) % 2], x + 64 * (k + 1), cuda::aligned_size_t<16>(sizeof(s[0])), bars[(k + 1) % 2]);
        barrier &now = bars[k % 2];
        barrier::arrival_token token;
        if (threadIdx.x == 0)
            token = cde::barrier_arrive_tx(now, 1, sizeof(s[0]));
        else
            token = now.arrive();
        now.wait(std::move(token));
        y[64 * k + threadIdx.x] = s[k % 2][63 - threadIdx.x] + 1;
        __syncthreads();
    }
}
// LAUNCH: tiles x[320]=random:1 y[320]=zeros n=5 --block 64 --grid 1
// OUT: y = in_x.reshape(5, 64)[:, ::-1].ravel() + 1
