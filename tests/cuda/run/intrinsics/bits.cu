// SPDX-License-Identifier: Apache-2.0
// TEST: counting, finding, reversing and permuting bits, of 32 and 64
__global__ void bits(const unsigned *x, const unsigned long long *y, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned u = x[i] >> (i % 32);
    unsigned long long w = y[i] >> (i % 64);
    out[0 * n + i] = __clz((int)u);
    out[1 * n + i] = __clzll((long long)w);
    out[2 * n + i] = __ffs((int)(u << (i % 7)));
    out[3 * n + i] = __ffsll((long long)(w << (i % 11)));
    out[4 * n + i] = __popc(u);
    out[5 * n + i] = __popcll(w);
    out[6 * n + i] = (int)__brev(u);
    out[7 * n + i] = (int)(__brevll(w) >> 32);
    out[8 * n + i] = (int)(__brevll(w) & 0xffffffffu);
    out[9 * n + i] = __clz(0) + __ffs(0) + __clzll(0) + __ffsll(0);
}
// PY: def reference(x, y, n):
// PY:     out = np.zeros((10, n), np.int64)
// PY:     for i in range(n):
// PY:         u = int(x[i]) >> (i % 32)
// PY:         w = int(y[i]) >> (i % 64)
// PY:         a, b = (u << (i % 7)) & 0xffffffff, (w << (i % 11)) & (2**64 - 1)
// PY:         r, q = int(f"{u:032b}"[::-1], 2), int(f"{w:064b}"[::-1], 2)
// PY:         out[:, i] = [32 - u.bit_length(), 64 - w.bit_length(), (a & -a).bit_length(), (b & -b).bit_length(),
// PY:                      bin(u).count("1"), bin(w).count("1"), r, q >> 32, q & 0xffffffff, 96]
// PY:     return out.ravel()
// LAUNCH: n=200 x[200]=random:1 y[200]=random:2 out[2000]=zeros --grid 2 --block 128
// OUT: out = reference(in_x, in_y, n)
