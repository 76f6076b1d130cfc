// SPDX-License-Identifier: Apache-2.0
// TEST: 64-bit atomics, signed and unsigned, in all scopes
__global__ void wide(const long long *x, unsigned long long *u, long long *s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long v = x[i];
    atomicAdd(&u[0], v);
    atomicAdd_system(&u[1], v);
    atomicMin(&u[2], v);
    atomicMax(&u[3], v);
    atomicAnd(&u[4], v);
    atomicOr(&u[5], v);
    atomicXor(&u[6], v);
    atomicMin(&s[0], x[i]);
    atomicMax(&s[1], x[i]);
    atomicMin_system(&s[2], x[i]);
    atomicMax_system(&s[3], x[i]);
    atomicAnd(&s[4], x[i]);
    atomicOr(&s[5], x[i]);
    atomicXor(&s[6], x[i]);
    if (blockIdx.x == 0) {
        atomicAdd_block(&u[7], v);
        atomicXor_block(&u[8], v);
        atomicMin_block(&s[7], x[i]);
    }
    atomicCAS(&u[9], 1ull, v == 0 ? 2ull : 3ull);
    atomicExch(&u[10], 77ull);
}
// PY: def unsigned(x, first):
// PY:     v = x.view(np.uint64)
// PY:     f = np.bitwise_and.reduce, np.bitwise_or.reduce, np.bitwise_xor.reduce
// PY:     ones = np.uint64(2**64 - 1)
// PY:     return np.array([v.sum() - np.uint64(1), v.sum() - np.uint64(1), v.min(), ones, f[0](v), ones, f[2](v) ^ ones,
// PY:                      first.sum() - np.uint64(1), f[2](first) ^ ones, ones, 77], np.uint64)
// PY: def signed(x, first):
// PY:     f = np.bitwise_and.reduce, np.bitwise_or.reduce, np.bitwise_xor.reduce
// PY:     m = min(-1, x.min())
// PY:     return np.array([m, max(-1, x.max()), m, max(-1, x.max()), f[0](x), -1, ~f[2](x), min(-1, first.min())])
// LAUNCH: x[128]=random:5 u[11]=full:18446744073709551615 s[8]=full:-1 --grid 2 --block 64
// OUT: u = unsigned(in_x, in_x[:64].view(np.uint64))
// OUT: s = signed(in_x, in_x[:64])
