// SPDX-License-Identifier: Apache-2.0
// TEST: atomics on int and unsigned in global memory: every operation, every scope
#define SCOPES(k, op, value) \
    op(&s[3 * k], value); \
    op##_block(&s[3 * k + 1], value); \
    op##_system(&s[3 * k + 2], value)

template <class T> __device__ void all(T *s, T v)
{
    SCOPES(0, atomicAdd, v);
    SCOPES(1, atomicSub, v);
    SCOPES(2, atomicMin, v);
    SCOPES(3, atomicMax, v);
    SCOPES(4, atomicAnd, v | 0xff);
    SCOPES(5, atomicOr, v & 0xff0f);
    SCOPES(6, atomicXor, v);
}

__global__ void integers(const int *x, int *signed_sums, unsigned *unsigned_sums)
{
    all(signed_sums, x[threadIdx.x]);
    all(unsigned_sums, (unsigned)x[threadIdx.x]);
}
// PY: def reference(x):
// PY:     w = x.astype(np.int64)
// PY:     one = [w.sum(), -w.sum(), min(x.min(), 0), max(x.max(), 0), 0, np.bitwise_or.reduce(w & 0xff0f), np.bitwise_xor.reduce(w)]
// PY:     return np.repeat(np.array(one), 3)
// LAUNCH: x[64]=random:1 signed_sums[21]=zeros unsigned_sums[21]=zeros --block 64 --grid 1
// OUT: signed_sums = reference(in_x)
// OUT: unsigned_sums = reference(in_x.view(np.uint32))
