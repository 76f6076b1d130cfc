// SPDX-License-Identifier: Apache-2.0
// Exponentials that other functions build on. The argument is split into n ln2
// + r, |r| <= ln2 / 2, n ln2 being subtracted in two parts [W. J. Cody and
// W. Waite, Software Manual for the Elementary Functions, 1980].
#ifndef HD_DEVICEMATH_DM_EXP_H
#define HD_DEVICEMATH_DM_EXP_H

#include "devicemath/dm_core.h"

// A result before scaling: v * 2^n.
typedef struct {
  double v;
  int n;
} DmScaledF64;

// Of arguments below 2^21.
DM_INLINE int dm_round_f32(float sum, float *n) {
  *n = sum - DM_ROUNDERF;
  return (int)(dm_bits_f32(sum) - dm_bits_f32(DM_ROUNDERF));
}

DM_INLINE int dm_round_f64(double sum, double *n) {
  *n = sum - DM_ROUNDER;
  return (int)(uint32_t)dm_bits_f64(sum);
}

// 2^x: one instruction of a GPU, with an error of 2 ULP.
DM_INLINE float dm_exp2_any_f32(float x) {
#ifdef __NVPTX__
  return __nvvm_ex2_approx_f(x);
#else
  float n;
  int count = dm_round_f32(x + DM_ROUNDERF, &n);
  float r = x - n;
  float p = __builtin_fmaf(DM_HORNER_F32(r, dm_exp2f_c), r, 1.0f);
  if (x != x)
    return x + x;
  if (x >= 128.0f)
    return DM_INFF;
  return x < -151.0f ? 0.0f : dm_scale_f32(p, count);
#endif
}

// 2^x of -2^23 < x < 2^23 or infinite x, zero below 2^-126.
DM_INLINE float dm_exp2_unit_f32(float x) {
#ifdef __NVPTX__
  return __nvvm_ex2_approx_ftz_f(x);
#else
  return dm_exp2_any_f32(x);
#endif
}

// 1 / x of 2^-126 < x < 2^126: an instruction, too, with an error of 1 ULP.
DM_INLINE float dm_reciprocal_f32(float x) {
#ifdef __NVPTX__
  float v;
  __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(x));
  return v;
#else
  return 1.0f / x;
#endif
}

// x within [0, 1], NaN to 0: part of the instruction before on a GPU.
DM_INLINE float dm_saturate_f32(float x) {
#ifdef __NVPTX__
  return __nvvm_saturate_f(x);
#else
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
#endif
}

// 2^(x (high + low)) for any x. The integer is kept to exponents of normal
// numbers, -126 to 127; where that leaves much, the power of the rest is
// infinite, zero or scales a result to a subnormal one, and NaN stays NaN.
DM_INLINE float dm_power_f32(float x, float high, float low) {
  const float span = 253.0f, zero = 126.0f, least = DM_ROUNDERF + 1.0f;
  float at = dm_saturate_f32(__builtin_fmaf(x, high / span, zero / span));
  float sum = __builtin_fmaf(at, span, least);
  float r = __builtin_fmaf(x, high, least + zero - sum);
  r = __builtin_fmaf(x, low, r);
  return dm_exp2_unit_f32(r) * dm_from_bits_f32(dm_bits_f32(sum) << 23);
}

DM_INLINE float dm_exp_f32(float x) {
  return dm_power_f32(x, DM_LOG2_EF_HIGH, DM_LOG2_EF_LOW);
}

// e^(x + low).
DM_INLINE DmScaledF64 dm_exp_parts_f64(double x, double low) {
  DmScaledF64 e;
  double n;
  e.n = dm_round_f64(__builtin_fma(x, DM_LOG2_E_HIGH, DM_ROUNDER), &n);
  double r = __builtin_fma(n, -DM_LN2_HIGH, x);
  r = __builtin_fma(n, -DM_LN2_LOW, r) + low;
  double p = __builtin_fma(DM_HORNER_F64(r, dm_exp_c), r, 1.0);
  e.v = __builtin_fma(p, r, 1.0);
  return e;
}

// e^x of any x.
DM_INLINE double dm_exp_any_f64(double x) {
  DmScaledF64 e = dm_exp_parts_f64(x, 0.0);
  if (DM_UNLIKELY(!(__builtin_fabs(x) <= 700.0))) {
    if (x != x)
      return x + x;
    if (x > 710.0)
      return DM_INF;
    return x < -746.0 ? 0.0 : dm_scale_f64(e.v, e.n);
  }
  return dm_scale_normal_f64(e.v, e.n);
}

// e^x - 1 of 2^-p <= e^x <= 2^p, p = 1000: 2^n r + (2^n - 1) is almost exact.
DM_INLINE double dm_expm1_small_f64(double x) {
  double n;
  int count = dm_round_f64(__builtin_fma(x, DM_LOG2_E_HIGH, DM_ROUNDER), &n);
  double r = __builtin_fma(n, -DM_LN2_HIGH, x);
  r = __builtin_fma(n, -DM_LN2_LOW, r);
  double rest = DM_HORNER_F64(r, dm_exp_c) * (r * r);
  double scale = dm_power_of_2_f64(count);
  return __builtin_fma(rest, scale, __builtin_fma(r, scale, scale - 1.0));
}

// 2^x within 2^-34, of |x| <= 1000; in double for functions of float.
DM_INLINE double dm_exp2_short(double x) {
  double n;
  int count = dm_round_f64(x + DM_ROUNDER, &n);
  double r = x - n;
  double p = __builtin_fma(DM_HORNER_F64(r, dm_exp2_short_c), r, 1.0);
  return dm_scale_normal_f64(p, count);
}

// 2^(x.high + x.low), |x.high| <= 2100.
DM_INLINE DmScaledF64 dm_exp2_parts(DmPair x) {
  DmScaledF64 e;
  double n;
  e.n = dm_round_f64(x.high + DM_ROUNDER, &n);
  double r = x.high - n + x.low;
  e.v = __builtin_fma(DM_HORNER_F64(r, dm_exp2_c), r, 1.0);
  return e;
}

#endif
