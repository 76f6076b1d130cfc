// SPDX-License-Identifier: Apache-2.0
// TEST: the double functions of CUDA's mathematics compute what their names say
// REF: docs/reference/accuracy.md
#include <math.h>

#define PUT(v) out[k++ * n + i] = (v)

__global__ void functions(const double *x, const double *y, int n, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    if (i >= n)
        return;
    double a = x[i] * 1.8 - 0.9, b = y[i] * 3.0 + 0.25, s, c, whole;
    int e, q;
    PUT(sin(a)), PUT(cos(a)), PUT(tan(a)), PUT(sinpi(a)), PUT(cospi(a));
    sincos(b, &s, &c), PUT(s), PUT(c);
    sincospi(b, &s, &c), PUT(s), PUT(c);
    PUT(asin(a)), PUT(acos(a)), PUT(atan(b)), PUT(atan2(a, b));
    PUT(sinh(a)), PUT(cosh(a)), PUT(tanh(a)), PUT(asinh(b)), PUT(acosh(b + 1.0)), PUT(atanh(a));
    PUT(exp(a)), PUT(exp2(a)), PUT(exp10(a)), PUT(expm1(a));
    PUT(log(b)), PUT(log2(b)), PUT(log10(b)), PUT(log1p(b));
    PUT(pow(b, a)), PUT(sqrt(b)), PUT(rsqrt(b)), PUT(cbrt(a)), PUT(rcbrt(b));
    PUT(hypot(a, b)), PUT(rhypot(a, b)), PUT(norm3d(a, b, a)), PUT(norm4d(a, b, a, b)), PUT(rnorm3d(a, b, a));
    PUT(floor(b)), PUT(ceil(b)), PUT(trunc(a)), PUT(rint(b * 3)), PUT(nearbyint(b)), PUT(round(b * 2));
    PUT(fmod(b, 0.7)), PUT(remainder(b, 0.7)), PUT(fma(a, b, a));
    PUT(fmin(a, b)), PUT(fmax(a, b)), PUT(fdim(b, a)), PUT(fabs(a)), PUT(copysign(b, a));
    PUT(frexp(b, &e)), PUT((double)e), PUT(modf(b, &whole)), PUT(whole), PUT(ldexp(a, 5)), PUT(scalbn(b, -3));
    PUT((double)ilogb(b)), PUT(logb(b)), PUT(remquo(b, 0.7, &q)), PUT((double)(q & 7));
    PUT((double)lrint(b * 9)), PUT((double)lround(b * 9)), PUT((double)llrint(a * 99)), PUT((double)llround(b * 5));
    PUT(erf(a)), PUT(erfc(a)), PUT(tgamma(b)), PUT(lgamma(b)), PUT(erfcx(b)), PUT(normcdf(a));
    PUT((double)isnan(a / 0.0 - a / 0.0)), PUT((double)isinf(a / 0.0)), PUT((double)isfinite(a));
    PUT((double)signbit(a)), PUT(a / b), PUT(nextafter(a, b)), PUT(erfinv(a)), PUT(normcdfinv(x[i]));
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
// PY:     f = np.float64
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
// TOL: 1e-13 1e-14
