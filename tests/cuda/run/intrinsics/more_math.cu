// SPDX-License-Identifier: Apache-2.0
// TEST: norms of arrays, classification, quiet NaNs, powers of two, limits and float spellings of std
#include <cfloat>
#include <cmath>
#include <limits>

__global__ void more(const float *x, int n, float *out, double *wide, int *facts)
{
    int i = threadIdx.x, k = 0, j = 0, m = 0;
    float v[3] = {x[i], x[(i + 1) % n], 0.5f};
    double d[3] = {x[i], x[(i + 1) % n], 0.5};
    out[k++ * n + i] = normf(3, v);
    out[k++ * n + i] = rnormf(3, v);
    out[k++ * n + i] = rnorm4df(v[0], v[1], v[2], 1.0f);
    out[k++ * n + i] = scalblnf(v[0], 3L) + std::abs(-v[1]) + std::sqrt(v[0]) + std::fmax(v[0], v[1]);
    out[k++ * n + i] = std::pow(v[0], 2.0f) + std::floor(v[1] * 9) + std::fma(v[0], 2.0f, 1.0f);
    wide[j++ * n + i] = norm(3, d);
    wide[j++ * n + i] = rnorm(3, d);
    wide[j++ * n + i] = rnorm4d(d[0], d[1], d[2], 1.0);
    wide[j++ * n + i] = scalbln(d[0], -2L) + std::pow(d[0], 2);
    facts[m++ * n + i] = isnan(nanf("")) + 2 * isnan(nan("")) + 4 * __isnanf(v[0]) + 8 * __isinff(INFINITY);
    facts[m++ * n + i] = isfinite(v[2]) + 2 * __finitef(v[0]) + 4 * __finite(d[0]) + 8 * (__signbitf(-v[0]) != 0);
    facts[m++ * n + i] = (std::numeric_limits<float>::max() == FLT_MAX) + 2 * (std::numeric_limits<int>::lowest() < 0) +
                         4 * (std::numeric_limits<double>::epsilon() == DBL_EPSILON) +
                         8 * isinf(std::numeric_limits<float>::infinity());
}
// PY: def arrays(x):
// PY:     a, b = x.astype(float), np.roll(x, -1).astype(float)
// PY:     s = a * a + b * b
// PY:     r = [np.sqrt(s + 0.25), 1 / np.sqrt(s + 0.25), 1 / np.sqrt(s + 1.25)]
// PY:     return a, b, r
// PY: def singles(x):
// PY:     a, b, r = arrays(x)
// PY:     nine = (np.roll(x, -1) * np.float32(9)).astype(float)
// PY:     return np.concatenate(r + [8 * a + b + np.sqrt(a) + np.maximum(a, b), a * a + np.floor(nine) + 2 * a + 1])
// PY: def doubles(x):
// PY:     a, b, r = arrays(x)
// PY:     return np.concatenate(r + [a / 4 + a * a])
// LAUNCH: x[64]=random:1 n=64 out[320]=zeros wide[256]=zeros facts[192]=zeros --block 64 --grid 1
// OUT: out = singles(in_x)
// OUT: wide = doubles(in_x)
// OUT: facts = np.repeat([11, 15, 15], 64)
// TOL: 1e-6
