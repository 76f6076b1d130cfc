// SPDX-License-Identifier: Apache-2.0
// TEST: __byte_perm with every selector form, and funnel shifts whose distance wraps or is clamped
__global__ void permute(const unsigned *x, const unsigned *y, const unsigned *s, int n, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[0 * n + i] = __byte_perm(x[i], y[i], s[i] & 0x7777);
        out[1 * n + i] = __funnelshift_l(x[i], y[i], s[i] % 100);
        out[2 * n + i] = __funnelshift_lc(x[i], y[i], s[i] % 100);
        out[3 * n + i] = __funnelshift_r(x[i], y[i], s[i] % 100);
        out[4 * n + i] = __funnelshift_rc(x[i], y[i], s[i] % 100);
        out[5 * n + i] = __byte_perm(x[i], y[i], 0x0123) ^ __byte_perm(x[i], 0, 0x4440);
    }
}
// PY: def perm(x, y, s):
// PY:     both = int(x) | int(y) << 32
// PY:     return sum((both >> 8 * (s >> 4 * k & 7) & 255) << 8 * k for k in range(4))
// PY: def reference(x, y, s, n):
// PY:     out = np.zeros((6, n), np.uint64)
// PY:     for i in range(n):
// PY:         lo, hi, d, m = int(x[i]), int(y[i]), int(s[i]) % 100, 0xffffffff
// PY:         both, c = hi << 32 | lo, min(d, 32)
// PY:         out[:, i] = [perm(lo, hi, int(s[i]) & 0x7777), (both << (d & 31)) >> 32 & m, (both << c) >> 32 & m,
// PY:                      both >> (d & 31) & m, both >> c & m, perm(lo, hi, 0x0123) ^ perm(lo, 0, 0x4440)]
// PY:     return out.ravel()
// LAUNCH: n=300 x[300]=random:1 y[300]=random:2 s[300]=random:3 out[1800]=zeros --grid 3 --block 128
// OUT: out = reference(in_x, in_y, in_s, n)
