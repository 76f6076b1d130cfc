// SPDX-License-Identifier: Apache-2.0
// erf, erfc. Above 1/2, erfc is e^(-x^2) / (1 + 2x) times a polynomial in
// (x - 4) / (x + 4) [M. Shepherd and J. Laframboise, 1981].
#include "devicemath/devicemath.h"
#include "devicemath/dm_exp.h"

float hdm_erf_f32(float x) {
  float a = __builtin_fabsf(x), z = a * a, v;
  if (a >= 1.0f) { // 1 - e^-Q
    float u = a > 4.0f ? 3.0f : a - 1.0f;
    v = 1.0f - dm_exp_f32(-DM_HORNER_F32(u, dm_erf_logf_c));
  } else {
    v = __builtin_fmaf(a, DM_HORNER_F32(z, dm_erff_c), a);
  }
  return __builtin_copysignf(v, x);
}

float hdm_erfc_f32(float x) {
  double a = (double)(__builtin_fabsf(x) > 10.5f ? 10.5f : __builtin_fabsf(x));
  double e = dm_exp2_short(a * a * -DM_LOG2_E_HIGH);
  // One division for (a - 2) / (a + 2) and 1 / (1 + 2a).
  double above = a + 2.0, twice = __builtin_fma(2.0, a, 1.0);
  double inverse = 1.0 / (above * twice);
  double t = (a - 2.0) * twice * inverse;
  double v = DM_HORNER_F64(t, dm_erfcx_short_c) * (above * inverse) * e;
  return (float)(x < 0 ? 2.0 - v : v);
}

// erf(a), 0 <= a < 1.
DM_INLINE double dm_erf_small_f64(double a) {
  return __builtin_fma(a, DM_HORNER_F64(a * a, dm_erf_c), a);
}

// erfc(a), a >= 1/2.
DM_INLINE double dm_erfc_large_f64(double a) {
  a = a > 28.0 ? 28.0 : a;
  DmPair square = dm_product(a, a);
  DmScaledF64 e = dm_exp_parts_f64(-square.high, -square.low);
  double above = a + 4.0, t = (a - 4.0) / above;
  // The quotient's rounding would show where the polynomial is steep.
  double missing = __builtin_fma(-t, above, a - 4.0);
  missing = __builtin_fma(-t, a - (above - 4.0), missing);
  t += missing / above;
  double p = DM_HORNER_F64(t, dm_erfcx_c) / __builtin_fma(2.0, a, 1.0);
  return dm_scale_f64(e.v * p, e.n);
}

double hdm_erf_f64(double x) {
  double a = __builtin_fabs(x);
  double v;
  if (a >= 1.0)
    v = a > 6.0 ? 1.0 : 1.0 - dm_erfc_large_f64(a);
  else
    v = dm_erf_small_f64(a);
  return __builtin_copysign(v, x);
}

double hdm_erfc_f64(double x) {
  double a = __builtin_fabs(x);
  if (a >= 0.5) {
    double v = dm_erfc_large_f64(a);
    return x < 0 ? 2.0 - v : v;
  }
  return 1.0 - __builtin_copysign(dm_erf_small_f64(a), x);
}
