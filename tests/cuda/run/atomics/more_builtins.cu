// SPDX-License-Identifier: Apache-2.0
// TEST: __nv_atomic_ functions without a result, and the rest of cuda::atomic
#include <cuda/atomic>

__global__ void builtins(int *a, int *out)
{
    int i = threadIdx.x;
    __nv_atomic_sub(&a[0], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_and(&a[1], ~(1 << i), __NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_CLUSTER);
    __nv_atomic_or(&a[2], 1 << i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_xor(&a[3], 3 << i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_min(&a[4], -i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(&a[5], i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&out[i], i + 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);
}
// PY: def builtins():
// PY:     x = 3
// PY:     for i in range(30):
// PY:         x ^= 3 << i
// PY:     return np.array([-30, 0, (1 << 30) - 1, x, -29, 29])
// LAUNCH: builtins a[6]=iota out[30]=zeros --block 30 --grid 1
// OUT: a = builtins()
// OUT: out = np.arange(30) + 5

__global__ void members(int *a, int *out)
{
    int i = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> r0(a[0]), r1(a[1]), r2(a[2]), r3(a[3]), r4(a[4]), r5(a[5]);
    r0.fetch_sub(2);
    r1.fetch_and(~(1 << i), cuda::memory_order_release);
    r2.fetch_min(-i, cuda::memory_order_consume);
    r3 |= 1 << i;
    r4 &= ~(2 << i);
    r5 ^= 1 << i;
    cuda::std::memory_order order = cuda::memory_order_relaxed;
    out[i] = order;
    for (int seen = a[0] * 0; !r0.compare_exchange_weak(seen, seen + 1);)
        continue;
    if (i == 0)
        out[0] = r0.is_lock_free();
}
// LAUNCH: members a[6]=full:7 out[16]=zeros --block 16 --grid 1
// OUT: a = np.array([7 - 32 + 16, 0, -15, 65535, 1, 65528])
// OUT: out = np.eye(16, dtype=int)[0]
