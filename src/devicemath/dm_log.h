// SPDX-License-Identifier: Apache-2.0
// Logarithms that other functions build on: x = 2^e m, m about 1.
#ifndef HD_DEVICEMATH_DM_LOG_H
#define HD_DEVICEMATH_DM_LOG_H

#include "devicemath/dm_core.h"

typedef struct {
  float e, m; // 2/3 <= m < 4/3
  float x;    // not subnormal
} DmSplitF32;

typedef struct {
  double e, m; // sqrt(1/2) <= m < sqrt(2)
} DmSplitF64;

// Of finite positive numbers.
DM_INLINE DmSplitF32 dm_split_f32(float x) {
  DmSplitF32 v;
  int is_tiny = x < 0x1p-126f;
  v.x = is_tiny ? x * 0x1p23f : x;
  uint32_t bits = dm_bits_f32(v.x);
  uint32_t above = (bits - 0x3f2aaaabu) & 0xff800000u;
  v.m = dm_from_bits_f32(bits - above);
  v.e = __builtin_fmaf((float)(int32_t)above, 0x1p-23f, is_tiny ? -23.0f : 0);
  return v;
}

DM_INLINE DmSplitF64 dm_split_f64(double x) {
  DmSplitF64 v;
  int is_tiny = x < 0x1p-1022;
  uint64_t bits = dm_bits_f64(is_tiny ? x * 0x1p52 : x);
  uint32_t above =
      ((uint32_t)(bits >> 32) - 0x3fe6a09eu) & 0xfff00000u; // of sqrt(1/2)
  v.m = dm_from_bits_f64(bits - ((uint64_t)above << 32));
  v.e = (double)((int32_t)above >> 20) - (is_tiny ? 52 : 0);
  return v;
}

// The result where x isn't positive and finite.
DM_INLINE float dm_log_edge_f32(float x) {
  return x == 0 ? -DM_INFF : __builtin_fmaf(x, DM_INFF, DM_INFF);
}

DM_INLINE double dm_log_edge_f64(double x) {
  return x == 0 ? -DM_INF : __builtin_fma(x, DM_INF, DM_INF);
}

DM_INLINE int dm_is_log_edge_f32(float x) {
  return dm_bits_f32(x) - 1 >= 0x7f7fffffu;
}

DM_INLINE int dm_is_log_edge_f64(double x) {
  return dm_bits_f64(x) - 1 >= 0x7fefffffffffffffu;
}

// `v` but where x isn't positive and finite; without branches. There a GPU's
// approximation is exact.
DM_INLINE float dm_log_result_f32(DmSplitF32 parts, float v) {
#ifdef __NVPTX__
  float edge = __nvvm_lg2_approx_ftz_f(parts.x);
#else
  float edge = dm_log_edge_f32(parts.x);
#endif
  return dm_is_log_edge_f32(parts.x) ? edge : v;
}

// ln(1 + f) = f + low: through s = f / (2 + f), ln(1 + f) = 2 atanh(s) and
// 2 s = f - s f.
DM_INLINE double dm_log1p_low(double f) {
  double s = f / (2.0 + f);
  double z = s * s;
  return -s * (f - z * DM_HORNER_F64(z, dm_log_c));
}

// e ln2 + ln(1 + f + low).
DM_INLINE double dm_log_sum(double e, double f, double low) {
  double rest = dm_log1p_low(f) + __builtin_fma(e, DM_LN2_LOW, low);
  // e times the high part is exact; f may be as large.
  DmPair sum = dm_sum_ordered(e * DM_LN2_HIGH, f);
  return sum.high + (sum.low + rest);
}

// ln(x) of positive finite x.
DM_INLINE double dm_log_normal_f64(double x) {
  DmSplitF64 v = dm_split_f64(x);
  return dm_log_sum(v.e, v.m - 1.0, 0.0);
}

// log2(x) within 2^-44, of normal x; in double for functions of float.
DM_INLINE double dm_log2_short(double x) {
  uint64_t bits = dm_bits_f64(x);
  uint32_t above = ((uint32_t)(bits >> 32) - 0x3fe6a09eu) & 0xfff00000u;
  double m = dm_from_bits_f64(bits - ((uint64_t)above << 32));
  double s = (m - 1.0) / (m + 1.0);
  double z = s * s;
  double p = s * __builtin_fma(DM_HORNER_F64(z, dm_log2_short_c), z,
                               DM_LOG2_LINE_HIGH);
  return (double)((int32_t)above >> 20) + p;
}

// log2(x) within 2^-66, of positive finite x: with s = (m - 1) / (m + 1) as a
// pair, the two first terms of the series in s are pairs too.
DM_INLINE DmPair dm_log2_pair(double x) {
  DmSplitF64 v = dm_split_f64(x);
  double f = v.m - 1.0, d = v.m + 1.0;
  double d_low = v.m - (d - 1.0);
  double inverse = 1.0 / d;
  double s = f * inverse;
  double s_low = inverse * __builtin_fma(-s, d_low, __builtin_fma(-s, d, f));
  DmPair z = dm_product(s, s);
  z.low = __builtin_fma(2.0 * s, s_low, z.low);
  DmPair c = dm_sum_ordered(DM_LOG2_CUBE_HIGH,
                            z.high * DM_HORNER_F64(z.high, dm_log2_tail_c));
  c.low += DM_LOG2_CUBE_LOW;
  DmPair w = dm_product(z.high, c.high);
  w.low += __builtin_fma(z.high, c.low, z.low * c.high);
  DmPair g = dm_sum_ordered(DM_LOG2_LINE_HIGH, w.high);
  g.low += w.low + DM_LOG2_LINE_LOW;
  DmPair r = dm_product(s, g.high);
  r.low += __builtin_fma(s, g.low, s_low * g.high);
  DmPair sum = dm_sum_ordered(v.e, r.high);
  return dm_sum_ordered(sum.high, sum.low + r.low);
}

#endif
