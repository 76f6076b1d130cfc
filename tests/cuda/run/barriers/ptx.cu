// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::ptx: mbarriers of native handles, bulk copies, fences of the copy engine
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#cooperative-groups
#include <cuda/barrier>
#include <cuda/ptx>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;

static_assert(sizeof(ptx::sem_release_t) + sizeof(ptx::sem_acquire_t) + sizeof(ptx::sem_relaxed_t) > 0, "orders");
static_assert(sizeof(ptx::scope_cta_t) + sizeof(ptx::scope_cluster_t) > 0, "scopes");
static_assert(sizeof(ptx::space_global_t) + sizeof(ptx::space_shared_t) + sizeof(ptx::space_cluster_t) > 0, "spaces");

__global__ void tiles(const int *x, int *y, int n)
{
    __shared__ alignas(16) int s[64];
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    s[threadIdx.x] = 0;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    auto *handle = cuda::device::barrier_native_handle(bar);
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x + 64 * k, sizeof(s), handle);
            (void)ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, handle, sizeof(s));
        } else {
            (void)ptx::mbarrier_arrive(handle);
        }
        while (!ptx::mbarrier_try_wait_parity(handle, k & 1))
            ;
        y[64 * k + threadIdx.x] = s[63 - threadIdx.x] + 1;
        __syncthreads();
    }
}
// LAUNCH: tiles x[320]=random:1 y[320]=zeros n=5 --block 64 --grid 1
// OUT: y = in_x.reshape(5, 64)[:, ::-1].ravel() + 1

__global__ void spellings(int *y)
{
    __shared__ barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    auto *b = cuda::device::barrier_native_handle(bar);
    if (t == 0)
        ptx::mbarrier_init(b, 2 * blockDim.x);
    ptx::fence_proxy_async();
    __syncthreads();
    s[t] = t;
    auto token = ptx::mbarrier_arrive(b, 2);
    while (!ptx::mbarrier_test_wait(b, token))
        ;
    int v = s[63 - t];
    (void)ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, b);
    (void)ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, b, 1);
    while (!ptx::mbarrier_test_wait_parity(b, 1))
        ;
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, b, 1))
        ;
    s[t] = v;
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, b, 0);
    auto next = ptx::mbarrier_arrive(b, 2);
    while (!ptx::mbarrier_try_wait(b, next))
        ;
    y[t] = s[t ^ 1];
}
// LAUNCH: spellings y[64]=zeros --block 64 --grid 1
// OUT: y = 63 - (np.arange(64) ^ 1)
