// SPDX-License-Identifier: Apache-2.0
// TEST: waits of pipelines with a limit; copies that a barrier waits for
// NVCC: the limits are no times
#include <cuda/barrier>
#include <cuda/pipeline>

struct Limit {};

__global__ void limits(const int *x, int *out)
{
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    int i = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[i], &x[i], sizeof(int), pipe);
    if (i == 0)
        init(&b, 64);
    __syncthreads();
    cuda::pipeline_producer_commit(pipe, b);
    b.arrive_and_wait();
    int n = pipe.consumer_wait_for(Limit()) + 2 * pipe.consumer_wait_until(Limit());
    pipe.consumer_release();
    auto token = b.arrive();
    while (!b.try_wait_until(token, Limit()))
        ;
    (void)b.arrive();
    while (!b.try_wait_parity_until(false, Limit()))
        ;
    token = b.arrive();
    while (!b.try_wait(token))
        ;
    out[i] = s[i] + 100 * n;
}
// LAUNCH: limits x[64]=iota out[64]=zeros --block 64 --grid 1
// OUT: out = np.arange(64) + 300
