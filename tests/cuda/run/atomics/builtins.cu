// SPDX-License-Identifier: Apache-2.0
// TEST: __nv_atomic_* with every order and scope word
__global__ void builtins(const int *x, int *s, unsigned *u, float *f, int *seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_atomic_fetch_add(&s[0], x[i], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(&s[1], 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_sub(&s[2], x[i], __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_min(&s[3], x[i], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(&s[4], x[i], __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_and(&u[0], ~(1u << i % 32), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_or(&u[1], 1u << i % 32, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_xor(&u[2], (unsigned)x[i], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&s[5], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(&f[0], 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    int expected = 0;
    if (__nv_atomic_compare_exchange_n(&s[6], &expected, 9, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE,
                                       __NV_THREAD_SCOPE_DEVICE))
        seen[0] = 1;
    else if (expected != 9)
        seen[1] = 1;
    __nv_atomic_exchange_n(&s[7], 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    if (i == 0)
        __nv_atomic_store_n(&s[8], 42, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    int now = __nv_atomic_load_n(&s[8], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    if (now != 0 && now != 42)
        seen[2] = 1;
}
// PY: def sums(x): return np.array([x.sum(), len(x), -x.sum(), min(0, x.min()), x.max(), 2 * len(x), 9, 5, 42])
// LAUNCH: x[128]=iota s[9]=zeros u[3]=full:4294967295 f[1]=zeros seen[3]=zeros --grid 2 --block 64
// OUT: s = sums(in_x)
// OUT: u = np.array([0, 2**32 - 1, 2**32 - 1 ^ int(np.bitwise_xor.reduce(in_x))])
// OUT: f = 64
// OUT: seen = np.array([1, 0, 0])
