// SPDX-License-Identifier: Apache-2.0
// log, log2, log10, log1p.
#include "devicemath/dm_log.h"
#include "devicemath/devicemath.h"

float hdm_log_f32(float x) {
  DmSplitF32 v = dm_split_f32(x);
  float f = v.m - 1.0f;
  float p = __builtin_fmaf(DM_HORNER_F32(f, dm_logf_c), f * f, f);
  p = __builtin_fmaf(v.e, (float)DM_LN2_HIGH, p);
  return dm_log_result_f32(v, p);
}

double hdm_log_f64(double x) {
  if (DM_UNLIKELY(dm_is_log_edge_f64(x)))
    return dm_log_edge_f64(x);
  return dm_log_normal_f64(x);
}

float hdm_log2_f32(float x) {
  DmSplitF32 v = dm_split_f32(x);
  float f = v.m - 1.0f;
  float p =
      __builtin_fmaf(f, DM_LOG2_EF_HIGH, f * DM_HORNER_F32(f, dm_log2f_c));
  return dm_log_result_f32(v, p + v.e);
}

float hdm_log10_f32(float x) {
  DmSplitF32 v = dm_split_f32(x);
  float f = v.m - 1.0f;
  float p =
      __builtin_fmaf(f, DM_LOG10_EF_HIGH, f * DM_HORNER_F32(f, dm_log10f_c));
  p = __builtin_fmaf(v.e, DM_LOG10_2F_LOW, p);
  p = __builtin_fmaf(v.e, DM_LOG10_2F_HIGH, p);
  return dm_log_result_f32(v, p);
}

// ln(m) as a pair, times 1 / ln(base) as a pair, plus e * unit.
DM_INLINE double dm_log_in_base(double x, double high, double low,
                                double unit_high, double unit_low) {
  DmSplitF64 v = dm_split_f64(x);
  double f = v.m - 1.0;
  double rest = dm_log1p_low(f);
  DmPair p = dm_product(f, high);
  p.low += __builtin_fma(f, low, rest * high);
  DmPair sum = dm_sum_ordered(v.e * unit_high, p.high);
  p.low = __builtin_fma(v.e, unit_low, p.low);
  return sum.high + (sum.low + p.low);
}

double hdm_log2_f64(double x) {
  if (DM_UNLIKELY(dm_is_log_edge_f64(x)))
    return dm_log_edge_f64(x);
  return dm_log_in_base(x, DM_LOG2_E_HIGH, DM_LOG2_E_LOW, 1.0, 0.0);
}

double hdm_log10_f64(double x) {
  if (DM_UNLIKELY(dm_is_log_edge_f64(x)))
    return dm_log_edge_f64(x);
  return dm_log_in_base(x, DM_LOG10_E_HIGH, DM_LOG10_E_LOW, DM_LOG10_2_HIGH,
                        DM_LOG10_2_LOW);
}

// 1 + x = 2^e (1 + f); 2^-e x + (2^-e - 1) gives f without the rounding of
// 1 + x. The result has the sign of x, zeros too.
float hdm_log1p_f32(float x) {
  float u = 1.0f + x;
  if (DM_UNLIKELY(dm_is_log_edge_f32(u)))
    return dm_log_edge_f32(u);
  uint32_t above = (dm_bits_f32(u) - 0x3f2aaaabu) & 0xff800000u;
  // 2^-128 is subnormal.
  float scale = 0.25f * dm_from_bits_f32(0x40800000u - above);
  float f = __builtin_fmaf(x, scale, scale - 1.0f);
  float e = (float)((int32_t)above >> 23);
  float p = __builtin_fmaf(DM_HORNER_F32(f, dm_logf_c), f * f, f);
  return __builtin_copysignf(__builtin_fmaf(e, (float)DM_LN2_HIGH, p), x);
}

double hdm_log1p_f64(double x) {
  double u = 1.0 + x;
  if (DM_UNLIKELY(dm_is_log_edge_f64(u)))
    return dm_log_edge_f64(u);
  uint32_t above =
      ((uint32_t)(dm_bits_f64(u) >> 32) - 0x3fe6a09eu) & 0xfff00000u;
  double scale = 0.25 * dm_from_bits_f64((uint64_t)(0x40100000u - above) << 32);
  DmPair f = dm_sum(x * scale, scale - 1.0);
  double v = dm_log_sum((double)((int32_t)above >> 20), f.high, f.low);
  return __builtin_copysign(v, x);
}
