// SPDX-License-Identifier: Apache-2.0
// TEST: high halves of products, 24-bit products, sums of absolute differences, averages without overflow
__global__ void products(const int *x, const int *y, const long long *v, const long long *w, int n,
                         int *out, long long *wide)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = x[i], b = y[i];
    out[0 * n + i] = __mulhi(x[i], y[i]);
    out[1 * n + i] = (int)__umulhi(a, b);
    out[2 * n + i] = __mul24(x[i], y[i]);
    out[3 * n + i] = (int)__umul24(a, b);
    out[4 * n + i] = (int)__sad(x[i], y[i], b);
    out[5 * n + i] = (int)__usad(a, b, a);
    out[6 * n + i] = __hadd(x[i], y[i]);
    out[7 * n + i] = (int)__uhadd(a, b);
    out[8 * n + i] = __rhadd(x[i], y[i]);
    out[9 * n + i] = (int)__urhadd(a, b);
    wide[0 * n + i] = __mul64hi(v[i], w[i]);
    wide[1 * n + i] = (long long)__umul64hi((unsigned long long)v[i], (unsigned long long)w[i]);
}
// PY: def signed24(a):
// PY:     a &= 0xffffff
// PY:     return a - (1 << 24) if a >> 23 else a
// PY: def reference(x, y, n):
// PY:     out = np.zeros((10, n), object)
// PY:     for i in range(n):
// PY:         s, t = int(x[i]), int(y[i])
// PY:         a, b = s & 0xffffffff, t & 0xffffffff
// PY:         out[:, i] = [s * t >> 32, a * b >> 32, signed24(s) * signed24(t), (a & 0xffffff) * (b & 0xffffff),
// PY:                      abs(s - t) + b, abs(a - b) + a, s + t >> 1, a + b >> 1, s + t + 1 >> 1, a + b + 1 >> 1]
// PY:     return (out.ravel() & 0xffffffff).astype(np.uint32).view(np.int32)
// PY: def reference64(v, w):
// PY:     s = [(int(a), int(b)) for a, b in zip(v, w)]
// PY:     m = 2**64 - 1
// PY:     both = [a * b >> 64 for a, b in s] + [(a & m) * (b & m) >> 64 for a, b in s]
// PY:     return np.array([a & m for a in both], np.uint64).view(np.int64)
// LAUNCH: n=150 x[150]=random:1 y[150]=random:2 v[150]=random:3 w[150]=random:4 out[1500]=zeros wide[300]=zeros --grid 2 --block 96
// OUT: out = reference(in_x, in_y, n)
// OUT: wide = reference64(in_v, in_w)
