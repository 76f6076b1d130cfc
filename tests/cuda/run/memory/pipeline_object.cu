// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::pipeline of a block and of a thread: acquire, commit, wait, release, quit
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void unified(const int *x, int *y, int tiles)
{
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int s[stages][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = block.thread_rank(), sum = 0;
    for (int next = 0, k = 0; k < tiles; k++) {
        for (; next < tiles && next < k + stages; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[next % stages], x + next * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[k % stages][63 - t];
        pipe.consumer_release();
    }
    y[t] = sum;
}

__global__ void own(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[t], &x[t], cuda::aligned_size_t<4>(sizeof(int)), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    y[t] = s[t] + 1;
    pipe.consumer_release();
}
// LAUNCH: unified x[320]=iota y[64]=zeros tiles=5 --block 64 --grid 1
// OUT: y = in_x.reshape(5, 64).sum(0)[::-1]
// LAUNCH: own x[64]=iota y[64]=zeros --block 64 --grid 1
// OUT: y = in_x + 1
