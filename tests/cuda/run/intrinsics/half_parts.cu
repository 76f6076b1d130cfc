// SPDX-License-Identifier: Apache-2.0
// TEST: halves: what takes one apart and two together, saturating and packed arithmetic
#include <cuda_fp16.h>

__global__ void parts(int *out)
{
    __half one = __double2half(1.0), half = __float2half(0.5f), three = __float2half(3.0f), minus = __float2half(-2.0f);
    __half nan = __short_as_half(0x7e00);
    __half2 a = __halves2half2(three, half), b = __floats2half2_rn(-2.0f, 1.0f), c = half2();
    __half_raw r;
    r.x = 0x3c00;
    __half2_raw rr = { 0x3c00, 0x4200 };
    int n = 0;
#define PUT(e) out[n++] = (int)((float)(e) * 64.0f);
#define BOTH(e) { __half2 v = e; PUT(v.x) PUT(v.y) }
    BOTH(__low2half2(a)) BOTH(__high2half2(a)) BOTH(__lows2half2(a, b)) BOTH(__highs2half2(a, b)) BOTH(__half2half2(three))
    BOTH(__lowhigh2highlow(a)) PUT(__low2half(a)) PUT(__high2half(a)) PUT((__half)r) BOTH((__half2)rr)
    out[n++] = __half_as_short(minus);
    out[n++] = __half_as_ushort(minus);
    float2 f = __half22float2(a);
    PUT(f.x) PUT(f.y)
    BOTH(__float22half2_rn(make_float2(1.5f, 2.5f))) BOTH(__float2half2_rn(4.0f))
    BOTH(__hadd2(a, b)) BOTH(__hsub2(a, b)) BOTH(__hmul2(a, b)) BOTH(__h2div(a, b)) BOTH(__hfma2(a, b, a)) BOTH(__hneg2(a)) BOTH(__habs2(b))
    BOTH(__hadd2_sat(a, b)) BOTH(__hsub2_sat(a, b)) BOTH(__hmul2_sat(a, b)) BOTH(__hfma2_sat(a, b, a)) BOTH(__hfma2_relu(a, b, a))
    BOTH(__hadd2_rn(a, b)) BOTH(__hsub2_rn(a, b)) BOTH(__hmul2_rn(a, b)) BOTH(__hcmadd(a, b, a))
    BOTH(__hmax2(a, b)) BOTH(__hmin2(a, b)) BOTH(__hmax2_nan(a, b)) BOTH(__hmin2_nan(a, b)) BOTH(a + b) BOTH(a - b) BOTH(a * b) BOTH(a / b) BOTH(-a) BOTH(+a)
    PUT(__hsub_sat(one, three)) PUT(__hmul_sat(one, half)) PUT(__hfma_sat(half, half, half)) PUT(__hadd_rn(one, half)) PUT(__hsub_rn(one, half))
    PUT(__hmul_rn(three, half)) PUT(__hfma_relu(minus, one, one)) PUT(__hmin_nan(one, minus)) PUT(__hmax_nan(one, minus))
    out[n++] = __hisnan(__hmin_nan(nan, one)) + 2 * __hisnan(__hmin(nan, one));
    __half2 d = a;
    d += b; BOTH(d)
    d -= a; BOTH(d)
    d *= a; BOTH(d)
    d /= b; BOTH(d)
    BOTH(d++) BOTH(++d) BOTH(d--) BOTH(--d)
    PUT(c.x)
}
// PY: def parts():
// PY:     a, b, clip = (3, 0.5), (-2, 1), lambda v: min(max(v, 0), 1)
// PY:     both = lambda f: [f(x, y) for x, y in zip(a, b)]
// PY:     rows = [3, 3, 0.5, 0.5, 3, -2, 0.5, 1, 3, 3, 0.5, 3, 3, 0.5, 1, 1, 3, -16384 / 64, 49152 / 64, 3, 0.5, 1.5, 2.5, 4, 4]
// PY:     for f in (lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / y, lambda x, y: x * y + x,
// PY:               lambda x, y: -x, lambda x, y: abs(y), lambda x, y: clip(x + y), lambda x, y: clip(x - y), lambda x, y: clip(x * y),
// PY:               lambda x, y: clip(x * y + x), lambda x, y: max(x * y + x, 0), lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y):
// PY:         rows += both(f)
// PY:     rows += [3 * -2 - 0.5 * 1 + 3, 3 * 1 + 0.5 * -2 + 0.5]
// PY:     for f in (max, min, max, min, lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / y, lambda x, y: -x, lambda x, y: x):
// PY:         rows += both(f)
// PY:     rows += [0, 0.5, 0.75, 1.5, 0.5, 1.5, 0, -2, 1, 1 / 64]
// PY:     rows += [1, 1.5, -2, 1, -6, 0.5, 3, 0.5, 3, 0.5, 5, 2.5, 5, 2.5, 3, 0.5, 0]
// PY:     return (np.array(rows) * 64).astype(int)
// LAUNCH: parts out[104]=zeros --block 1 --grid 1
// OUT: out = parts()

__global__ void functions(float *out)
{
    int i = threadIdx.x;
    __half v = __float2half((i + 1) * 0.0625f);
    __half2 w = make_half2(v, v);
#define ROW(k, f) out[(k) * 64 + i] = (float)h##f(v) == __high2float(h2##f(w)) ? (float)h##f(v) : -99.0f;
    ROW(0, sqrt) ROW(1, exp) ROW(2, exp2) ROW(3, exp10) ROW(4, log) ROW(5, log2) ROW(6, log10) ROW(7, sin) ROW(8, cos)
    ROW(9, floor) ROW(10, ceil) ROW(11, trunc) ROW(12, rint) ROW(13, rsqrt) ROW(14, rcp) ROW(15, tanh) ROW(16, tanh_approx)
}
// PY: def functions():
// PY:     v = (np.arange(64) + 1) / 16
// PY:     f = [np.sqrt, np.exp, np.exp2, lambda u: 10**u, np.log, np.log2, np.log10, np.sin, np.cos, np.floor, np.ceil, np.trunc, np.rint,
// PY:          lambda u: 1 / np.sqrt(u), lambda u: 1 / u, np.tanh, np.tanh]
// PY:     return np.concatenate([g(v) for g in f])
// LAUNCH: functions out[1088]=zeros --block 64 --grid 1
// OUT: out = functions()
// TOL: 2e-3 1e-3
