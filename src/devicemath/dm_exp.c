// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10, expm1, sigmoid.
#include "devicemath/dm_exp.h"
#include "devicemath/devicemath.h"

float hdm_exp_f32(float x) {
  return dm_exp_f32(x);
}

double hdm_exp_f64(double x) {
  return dm_exp_any_f64(x);
}

float hdm_exp2_f32(float x) {
  return dm_exp2_any_f32(x);
}

double hdm_exp2_f64(double x) {
  DmPair whole = {x, 0.0};
  DmScaledF64 e = dm_exp2_parts(whole);
  if (DM_UNLIKELY(!(__builtin_fabs(x) <= 1020.0))) {
    if (x != x)
      return x + x;
    if (x >= 1024.0)
      return DM_INF;
    return x < -1076.0 ? 0.0 : dm_scale_f64(e.v, e.n);
  }
  return dm_scale_normal_f64(e.v, e.n);
}

float hdm_exp10_f32(float x) {
  return dm_power_f32(x, DM_LOG2_10F_HIGH, DM_LOG2_10F_LOW);
}

double hdm_exp10_f64(double x) {
  double n;
  int count = dm_round_f64(__builtin_fma(x, DM_LOG2_10_HIGH, DM_ROUNDER), &n);
  double r = __builtin_fma(n, -DM_LOG10_2_HIGH, x);
  r = __builtin_fma(n, -DM_LOG10_2_LOW, r);
  double p = __builtin_fma(DM_HORNER_F64(r, dm_exp10_c), r, 1.0);
  if (DM_UNLIKELY(!(__builtin_fabs(x) <= 307.0))) {
    if (x != x)
      return x + x;
    if (x > 309.0)
      return DM_INF;
    return x < -324.0 ? 0.0 : dm_scale_f64(p, count);
  }
  return dm_scale_normal_f64(p, count);
}

// 2^n (e^r - 1) + (2^n - 1); 2^n r + (2^n - 1) is almost exact.
float hdm_expm1_f32(float x) {
  float n;
  int count = dm_round_f32(__builtin_fmaf(x, DM_LOG2_EF_HIGH, DM_ROUNDERF), &n);
  float r = __builtin_fmaf(n, -DM_LN2F_HIGH, x);
  r = __builtin_fmaf(n, -DM_LN2F_LOW, r);
  float rest = DM_HORNER_F32(r, dm_expm1f_c) * (r * r);
  if (DM_UNLIKELY(!(__builtin_fabsf(x) <= 86.0f)))
    return x < 0 ? -1.0f : dm_exp_f32(x);
  float scale = dm_power_of_2_f32(count);
  float v = __builtin_fmaf(rest, scale, __builtin_fmaf(r, scale, scale - 1.0f));
  return __builtin_copysignf(v, x); // the sign of zero would be lost
}

double hdm_expm1_f64(double x) {
  if (DM_UNLIKELY(!(__builtin_fabs(x) <= 690.0)))
    return x < 0 ? -1.0 : dm_exp_any_f64(x);
  return __builtin_copysign(dm_expm1_small_f64(x), x);
}

// The exponential of a negative number can't overflow.
float hdm_sigmoid_f32(float x) {
  float e = dm_exp_f32(-__builtin_fabsf(x));
  return (x < 0 ? e : 1.0f) * dm_reciprocal_f32(1.0f + e);
}

double hdm_sigmoid_f64(double x) {
  double e = dm_exp_any_f64(-__builtin_fabs(x));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}
