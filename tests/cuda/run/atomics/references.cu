// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::atomic and cuda::atomic_ref: loads, stores, read-modify-write, comparisons, fences
#include <cuda/atomic>

__global__ void references(const int *x, int *s, unsigned *u, int *seen)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> inside;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        inside.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    inside.fetch_add(x[i], cuda::memory_order_relaxed);
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_device> total(s[0]), most(s[1]), once(s[2]), last(s[3]);
    total.fetch_add(x[i]);
    total -= 1;
    most.fetch_max(x[i], cuda::memory_order_relaxed);
    int expected = 0;
    if (once.compare_exchange_strong(expected, 1, cuda::memory_order_acq_rel))
        seen[0] = 1;
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> bits(u[0]);
    bits.fetch_or(1u << i % 32);
    bits.fetch_xor(0u);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    if (threadIdx.x == 0) {
        last.fetch_add(inside.load(cuda::memory_order_acquire));
        seen[1] = once.load();
        cuda::atomic_ref<int, cuda::thread_scope_device> place(s[4 + blockIdx.x]);
        place.exchange(inside.load());
    }
}
// PY: def sums(x): return np.array([x.sum() - len(x), x.max(), 1, x.sum(), x[:64].sum(), x[64:].sum()])
// LAUNCH: x[128]=iota s[6]=zeros u[1]=zeros seen[2]=zeros --grid 2 --block 64
// OUT: s = sums(in_x)
// OUT: u = 2**32 - 1
// OUT: seen = 1
