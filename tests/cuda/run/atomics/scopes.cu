// SPDX-License-Identifier: Apache-2.0
// TEST: CAS, Exch, Inc and Dec with _block and _system, for each width
__global__ void scopes(int *s, unsigned *u, unsigned long long *l, float *f)
{
    int i = threadIdx.x;
    atomicCAS_block(&s[0], 0, 5);
    atomicCAS_system(&s[1], 0, 6);
    atomicExch_system(&s[2], 7);
    atomicExch_block(&s[3], 8);
    atomicInc_block(&u[0], 9u);
    atomicInc_system(&u[1], 100u);
    atomicDec_block(&u[2], 9u);
    atomicDec_system(&u[3], 100u);
    atomicCAS_system(&u[4], 0u, 11u);
    atomicCAS_block(&l[0], 0ull, 1ull << 40);
    atomicCAS_system(&l[1], 0ull, 2ull << 40);
    atomicExch_block(&l[2], 3ull << 40);
    atomicExch_system(&l[3], 4ull << 40);
    atomicAdd_block(&l[4], (unsigned long long)i << 32);
    atomicExch_system(&f[0], 1.5f);
    atomicSub_block(&s[4], i);
    atomicSub_system(&u[5], 1u);
}

__global__ void exchanges(int *s, int *seen)
{
    int i = threadIdx.x;
    int expected = 0, desired = i + 1, old;
    if (__nv_atomic_compare_exchange(&s[0], &expected, &desired, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                     __NV_THREAD_SCOPE_BLOCK))
        atomicAdd(&seen[0], 1);
    __nv_atomic_exchange(&s[1], &desired, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    if (old == 0)
        atomicAdd(&seen[1], 1);
    int nine = 9, got;
    __nv_atomic_store(&s[2], &nine, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_load(&s[2], &got, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    if (got == 9)
        atomicAdd(&seen[2], 1);
}
// LAUNCH: scopes s[5]=zeros u[6]=zeros l[5]=zeros f[1]=zeros --block 64 --grid 1
// OUT: s = np.array([5, 6, 7, 8, -2016])
// OUT: u = np.array([4, 64, 6, 37, 11, 2**32 - 64])
// OUT: l = np.array([1 << 40, 2 << 40, 3 << 40, 4 << 40, 2016 << 32])
// OUT: f = 1.5
// LAUNCH: exchanges s[3]=zeros seen[3]=zeros --block 64 --grid 1
// OUT: seen = np.array([1, 1, 64])
