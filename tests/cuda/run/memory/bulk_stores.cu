// SPDX-License-Identifier: Apache-2.0
// TEST: bulk copies from shared memory in each spelling: cuda::device::experimental, cuda::ptx, inline assembly
// REF: docs/reference/cuda.md#inline-assembly
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;

__global__ void one_more(int *data, size_t offset)
{
    __shared__ alignas(16) int tile[256];
    __shared__ barrier bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(tile, data + offset, sizeof(tile), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        tile[i] += 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(data + offset, tile, sizeof(tile));
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}
// LAUNCH: one_more data[512]=iota offset=256 --block 64 --grid 1
// OUT: data = in_data + (np.arange(512) >= 256)

__device__ void store(void *to, const void *from, uint32_t bytes)
{
    uint32_t at = __cvta_generic_to_shared(from);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int N> __device__ void wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

// The buffer before is read while this one is filled.
__global__ void two(int *y, int n)
{
    __shared__ alignas(128) int s[2][64];
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0)
            wait_read<1>();
        __syncthreads();
        s[k % 2][threadIdx.x] = k * 64 + threadIdx.x;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0)
            store(y + k * 64, s[k % 2], sizeof(s[0]));
    }
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void by_ptx(int *y, int n)
{
    __shared__ alignas(128) int s[64];
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = k * 64 + threadIdx.x;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + k * 64, s, sizeof(s));
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
// LAUNCH: two y[448]=zeros n=7 --block 64 --grid 1
// LAUNCH: by_ptx y[448]=zeros n=7 --block 64 --grid 1
// OUT: y = np.arange(448)
