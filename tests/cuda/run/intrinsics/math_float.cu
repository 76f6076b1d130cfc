// SPDX-License-Identifier: Apache-2.0
// TEST: the float functions of CUDA's mathematics compute what their names say
// REF: docs/reference/accuracy.md
#include <math.h>

#define PUT(v) out[k++ * n + i] = (v)

__global__ void functions(const float *x, const float *y, int n, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    if (i >= n)
        return;
    float a = x[i] * 1.8f - 0.9f, b = y[i] * 3.0f + 0.25f, s, c, whole;
    int e, q;
    PUT(sinf(a)), PUT(cosf(a)), PUT(tanf(a)), PUT(sinpif(a)), PUT(cospif(a));
    sincosf(b, &s, &c), PUT(s), PUT(c);
    sincospif(b, &s, &c), PUT(s), PUT(c);
    PUT(asinf(a)), PUT(acosf(a)), PUT(atanf(b)), PUT(atan2f(a, b));
    PUT(sinhf(a)), PUT(coshf(a)), PUT(tanhf(a)), PUT(asinhf(b)), PUT(acoshf(b + 1.0f)), PUT(atanhf(a));
    PUT(expf(a)), PUT(exp2f(a)), PUT(exp10f(a)), PUT(expm1f(a));
    PUT(logf(b)), PUT(log2f(b)), PUT(log10f(b)), PUT(log1pf(b));
    PUT(powf(b, a)), PUT(sqrtf(b)), PUT(rsqrtf(b)), PUT(cbrtf(a)), PUT(rcbrtf(b));
    PUT(hypotf(a, b)), PUT(rhypotf(a, b)), PUT(norm3df(a, b, a)), PUT(norm4df(a, b, a, b)), PUT(rnorm3df(a, b, a));
    PUT(floorf(b)), PUT(ceilf(b)), PUT(truncf(a)), PUT(rintf(b * 3)), PUT(nearbyintf(b)), PUT(roundf(b * 2));
    PUT(fmodf(b, 0.7f)), PUT(remainderf(b, 0.7f)), PUT(fmaf(a, b, a));
    PUT(fminf(a, b)), PUT(fmaxf(a, b)), PUT(fdimf(b, a)), PUT(fabsf(a)), PUT(copysignf(b, a));
    PUT(frexpf(b, &e)), PUT((float)e), PUT(modff(b, &whole)), PUT(whole), PUT(ldexpf(a, 5)), PUT(scalbnf(b, -3));
    PUT((float)ilogbf(b)), PUT(logbf(b)), PUT(remquof(b, 0.7f, &q)), PUT((float)(q & 7));
    PUT((float)lrintf(b * 9)), PUT((float)lroundf(b * 9)), PUT((float)llrintf(a * 99)), PUT((float)llroundf(b * 5));
    PUT(erff(a)), PUT(erfcf(a)), PUT(tgammaf(b)), PUT(lgammaf(b)), PUT(erfcxf(b)), PUT(normcdff(a));
    PUT((float)isnan(a / 0.0f - a / 0.0f)), PUT((float)isinf(a / 0.0f)), PUT((float)isfinite(a));
    PUT((float)signbit(a)), PUT(fdividef(a, b)), PUT(nextafterf(a, b)), PUT(erfinvf(a)), PUT(normcdfinvf(x[i]));
}
// PY: import math
// PY: def norm(t): return math.erfc(-t / math.sqrt(2)) / 2
// PY: def inverse(f, v, lo, hi):
// PY:     for _ in range(200):
// PY:         m = (lo + hi) / 2
// PY:         lo, hi = (m, hi) if f(m) < v else (lo, m)
// PY:     return m
// PY: def remquo(b, d):
// PY:     q = int(np.rint(b / d))
// PY:     return b - q * d, q & 7
// PY: def one(x, y):
// PY:     f = np.float32
// PY:     a, b = float(f(f(x * f(1.8)) - f(0.9))), float(f(f(y * f(3)) + f(0.25)))
// PY:     d, pi = float(f(0.7)), math.pi
// PY:     m, e = math.frexp(b)
// PY:     rnd = lambda t: math.floor(abs(t) + 0.5) * (1 if t >= 0 else -1)
// PY:     times = lambda t, k: float(f(t) * f(k))
// PY:     return [math.sin(a), math.cos(a), math.tan(a), math.sin(pi * a), math.cos(pi * a), math.sin(b), math.cos(b),
// PY:             math.sin(pi * b), math.cos(pi * b), math.asin(a), math.acos(a), math.atan(b), math.atan2(a, b),
// PY:             math.sinh(a), math.cosh(a), math.tanh(a), math.asinh(b), math.acosh(float(f(b + 1))), math.atanh(a),
// PY:             math.exp(a), 2**a, 10**a, math.expm1(a), math.log(b), math.log2(b), math.log10(b), math.log1p(b),
// PY:             b**a, math.sqrt(b), 1 / math.sqrt(b), np.cbrt(a), 1 / np.cbrt(b), math.hypot(a, b), 1 / math.hypot(a, b),
// PY:             math.sqrt(2 * a * a + b * b), math.sqrt(2 * a * a + 2 * b * b), 1 / math.sqrt(2 * a * a + b * b),
// PY:             math.floor(b), math.ceil(b), math.trunc(a), np.rint(times(b, 3)), np.rint(b), rnd(times(b, 2)),
// PY:             math.fmod(b, d), math.remainder(b, d), a * b + a, min(a, b), max(a, b), max(b - a, 0), abs(a),
// PY:             math.copysign(b, a), m, e, math.modf(b)[0], math.modf(b)[1], a * 32, b / 8, e - 1, e - 1, *remquo(b, d),
// PY:             np.rint(times(b, 9)), rnd(times(b, 9)), np.rint(times(a, 99)), rnd(times(b, 5)),
// PY:             math.erf(a), math.erfc(a), math.gamma(b), math.lgamma(b), math.exp(b * b) * math.erfc(b), norm(a),
// PY:             1, 1, 1, a < 0, a / b, np.nextafter(f(a), f(b)), inverse(math.erf, a, -6, 6), inverse(norm, float(x), -9, 9)]
// PY: def reference(x, y): return np.array([one(a, b) for a, b in zip(x, y)]).T.ravel()
// LAUNCH: n=200 x[200]=random:11 y[200]=random:12 out[15800]=zeros --grid 4 --block 64
// OUT: out = reference(in_x, in_y)
// TOL: 2e-6 1e-6
