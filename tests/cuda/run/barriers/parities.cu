// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::barrier by parities and expected bytes; aligned sizes
#include <cuda/barrier>

template <cuda::thread_scope Scope>
__device__ void meet(cuda::barrier<Scope> &b, bool parity)
{
    (void)b.arrive();
    if (parity)
        b.wait_parity(true);
    else
#ifdef __HEDDLE__ // no public member in CUDA 13
        while (!b.try_wait_parity(false))
            continue;
#else
        b.wait_parity(false);
#endif
}

__global__ void parities(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ int s[64];
    int i = threadIdx.x;
    if (i == 0)
        init(&b, 64);
    __syncthreads();
    s[i] = i;
    meet(b, false);
    int other = s[63 - i];
    meet(b, true);
    s[i] = other;
    if (i == 0)
        cuda::device::barrier_expect_tx(b, 0);
    auto token = cuda::device::barrier_arrive_tx(b, 1, 0);
    b.wait(std::move(token));
    out[i] = s[i ^ 1] + 1000 * (int)cuda::aligned_size_t<16>::align;
}
// LAUNCH: parities out[64]=zeros --block 64 --grid 1
// OUT: out = 16000 + 63 - (np.arange(64) ^ 1)
