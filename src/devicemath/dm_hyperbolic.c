// SPDX-License-Identifier: Apache-2.0
// sinh, cosh, tanh, asinh, acosh, atanh. Those of float that are rarely
// critical are computed in double, where short code is accurate enough.
#include "devicemath/devicemath.h"
#include "devicemath/dm_exp.h"
#include "devicemath/dm_log.h"

// e^a +- e^-a over 2, 0 <= a <= 100. 2^r and 2^-r share the even and odd half
// of their polynomial.
DM_INLINE double dm_half_sum_short(double a, double sign) {
  double n;
  int count = dm_round_f64(__builtin_fma(a, DM_LOG2_E_HIGH, DM_ROUNDER), &n);
  double r = __builtin_fma(a, DM_LOG2_E_HIGH, -n), z = r * r;
  const double *c = dm_exp2_short_c; // from x on
  double odd =
      r * __builtin_fma(__builtin_fma(__builtin_fma(c[6], z, c[4]), z, c[2]), z,
                        c[0]);
  double even = __builtin_fma(
      __builtin_fma(__builtin_fma(c[5], z, c[3]), z, c[1]), z, 1.0);
  double up = dm_scale_normal_f64(even + odd, count - 1);
  double down = dm_scale_normal_f64(even - odd, -count - 1);
  return __builtin_fma(sign, down, up);
}

float hdm_sinh_f32(float x) {
  float a = __builtin_fabsf(x), z = a * a, v;
  if (a >= 1.0f)
    v = (float)dm_half_sum_short(a > 100.0f ? 100.0 : (double)a, -1.0);
  else // NaN too
    v = __builtin_fmaf(a * z, DM_HORNER_F32(z, dm_sinhf_c), a);
  return __builtin_copysignf(v, x);
}

float hdm_cosh_f32(float x) {
  float a = __builtin_fabsf(x);
  if (DM_UNLIKELY(x != x))
    return x + x;
  return (float)dm_half_sum_short(a > 100.0f ? 100.0 : (double)a, 1.0);
}

// e^a / 2, a >= 0.
DM_INLINE double dm_half_exp(double a) {
  DmScaledF64 e = dm_exp_parts_f64(a > 800.0 ? 800.0 : a, 0.0);
  return dm_scale_f64(e.v, e.n - 1);
}

double hdm_sinh_f64(double x) {
  double a = __builtin_fabs(x), z = a * a, v;
  if (a < 1.0) {
    v = __builtin_fma(a * z, DM_HORNER_F64(z, dm_sinh_c), a);
  } else {
    double half = dm_half_exp(a);
    v = half - 0.25 / half;
  }
  return __builtin_copysign(v, x);
}

double hdm_cosh_f64(double x) {
  double half = dm_half_exp(__builtin_fabs(x));
  return half + 0.25 / half;
}

float hdm_tanh_f32(float x) {
  float a = __builtin_fabsf(x), z = a * a, v;
  if (a >= 0.55f) {
    float e = dm_power_f32(a, 2.0f * DM_LOG2_EF_HIGH, 2.0f * DM_LOG2_EF_LOW);
    v = __builtin_fmaf(-2.0f, dm_reciprocal_f32(1.0f + e), 1.0f);
  } else { // NaN too
    v = __builtin_fmaf(a * z, DM_HORNER_F32(z, dm_tanhf_c), a);
  }
  return __builtin_copysignf(v, x);
}

// t / (t + 2), t = e^2a - 1.
double hdm_tanh_f64(double x) {
  double a = __builtin_fabs(x);
  double t = dm_expm1_small_f64(a > 20.0 ? 40.0 : 2.0 * a);
  return __builtin_copysign(t / (t + 2.0), x);
}

float hdm_asinh_f32(float x) {
  float a = __builtin_fabsf(x);
  if (a < 0x1p-12f)
    return __builtin_copysignf(__builtin_fmaf(-1.0f / 6 * a, a * a, a), x);
  if (DM_UNLIKELY(!(a < DM_INFF)))
    return x + x;
  double wide = (double)a;
  double u = wide + __builtin_sqrt(__builtin_fma(wide, wide, 1.0));
  return __builtin_copysignf((float)(DM_LN2 * dm_log2_short(u)), x);
}

float hdm_acosh_f32(float x) {
  if (DM_UNLIKELY(!(x >= 1.0f && x < DM_INFF)))
    return x > 1.0f ? x : DM_NANF;
  double wide = (double)x;
  double u = wide + __builtin_sqrt(__builtin_fma(wide, wide, -1.0));
  return (float)(DM_LN2 * dm_log2_short(u));
}

float hdm_atanh_f32(float x) {
  float a = __builtin_fabsf(x);
  if (a < 0x1p-12f)
    return __builtin_fmaf(1.0f / 3 * x, x * x, x);
  if (DM_UNLIKELY(!(a < 1.0f)))
    return a == 1.0f ? __builtin_copysignf(DM_INFF, x) : DM_NANF;
  double wide = (double)x;
  double q = (1.0 + wide) / (1.0 - wide);
  return (float)(0.5 * DM_LN2 * dm_log2_short(q));
}

// asinh(a) = ln(1 + (a + a^2 / (1 + sqrt(1 + a^2)))).
double hdm_asinh_f64(double x) {
  double a = __builtin_fabs(x), v;
  if (DM_UNLIKELY(!(a < 0x1p30))) {
    if (!(a < DM_INF))
      return x + x;
    DmSplitF64 parts = dm_split_f64(a);
    v = dm_log_sum(parts.e + 1.0, parts.m - 1.0, 0.0);
  } else {
    double z = a * a;
    v = hdm_log1p_f64(a + z / (1.0 + __builtin_sqrt(1.0 + z)));
  }
  return __builtin_copysign(v, x);
}

// acosh(1 + t) = ln(1 + (t + sqrt(2 t + t^2))).
double hdm_acosh_f64(double x) {
  if (DM_UNLIKELY(!(x < 0x1p30))) {
    if (!(x < DM_INF))
      return x + x;
    DmSplitF64 parts = dm_split_f64(x);
    return dm_log_sum(parts.e + 1.0, parts.m - 1.0, 0.0);
  }
  if (DM_UNLIKELY(x < 1.0))
    return DM_NAN;
  double t = x - 1.0;
  return hdm_log1p_f64(t + __builtin_sqrt(__builtin_fma(t, t, 2.0 * t)));
}

double hdm_atanh_f64(double x) {
  double a = __builtin_fabs(x);
  if (DM_UNLIKELY(!(a < 1.0)))
    return a == 1.0 ? __builtin_copysign(DM_INF, x) : DM_NAN;
  double v = 0.5 * hdm_log1p_f64(2.0 * a / (1.0 - a));
  return __builtin_copysign(v, x);
}
