// SPDX-License-Identifier: Apache-2.0
// pow, cbrt, hypot.
#include "devicemath/devicemath.h"
#include "devicemath/dm_exp.h"
#include "devicemath/dm_log.h"

DM_INLINE int dm_is_integer(double y) {
  return __builtin_rint(y) == y;
}

DM_INLINE int dm_is_odd(double y) {
  return __builtin_fabs(y) < 0x1p53 && dm_is_integer(y) &&
         !dm_is_integer(0.5 * y);
}

// Where x is zero, infinite or NaN, or y is [ISO C, F.10.4.4]. Floats, too.
DM_RARE double dm_pow_edge(double x, double y) {
  if (y == 0 || x == 1.0)
    return 1.0;
  if (x != x || y != y)
    return x + y;
  double a = __builtin_fabs(x);
  if (__builtin_fabs(y) == DM_INF)
    return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0) ? DM_INF : 0.0;
  double v = (a == 0) == (y < 0) ? DM_INF : 0.0;
  return dm_bits_f64(x) >> 63 && dm_is_odd(y) ? -v : v;
}

// log2(a) as a pair of floats, of finite positive a: as dm_log2_pair.
DM_INLINE void dm_log2_pair_f32(float a, float *high, float *low) {
  DmSplitF32 v = dm_split_f32(a);
  float f = v.m - 1.0f, d = v.m + 1.0f;
  float d_low = v.m - (d - 1.0f);
  float inverse = dm_reciprocal_f32(d);
  float s = f * inverse;
  float s_low = inverse * __builtin_fmaf(-s, d_low, __builtin_fmaf(-s, d, f));
  float z = s * s;
  float z_low = __builtin_fmaf(2.0f * s, s_low, __builtin_fmaf(s, s, -z));
  float tail = z * DM_HORNER_F32(z, dm_log2f_tail_c);
  float c = DM_LOG2_CUBEF_HIGH + tail;
  float c_low = DM_LOG2_CUBEF_HIGH - c + tail + DM_LOG2_CUBEF_LOW;
  float w = z * c;
  float w_low = __builtin_fmaf(z, c_low, z_low * c) + __builtin_fmaf(z, c, -w);
  float g = DM_LOG2_LINEF_HIGH + w;
  float g_low = DM_LOG2_LINEF_HIGH - g + w + (w_low + DM_LOG2_LINEF_LOW);
  float r = s * g;
  float r_low = __builtin_fmaf(s, g_low, s_low * g) + __builtin_fmaf(s, g, -r);
  float sum = v.e + r;
  r_low += v.e - sum + r;
  *high = sum + r_low;
  *low = sum - *high + r_low;
}

DM_INLINE int dm_is_odd_f32(float y) {
  return __builtin_fabsf(y) < 0x1p24f && __builtin_rintf(y) == y &&
         __builtin_rintf(0.5f * y) != 0.5f * y;
}

float hdm_pow_f32(float x, float y) {
  float a = __builtin_fabsf(x);
  if (DM_UNLIKELY(dm_is_log_edge_f32(a) || !(__builtin_fabsf(y) < DM_INFF)))
    return (float)dm_pow_edge((double)x, (double)y);
  float high, low;
  dm_log2_pair_f32(a, &high, &low);
  float t = __builtin_fminf(__builtin_fmaxf(y * high, -300.0f), 300.0f);
  // Where t was kept small the rest is large, of its sign.
  float t_low = __builtin_fmaf(y, low, __builtin_fmaf(y, high, -t));
  float n = __builtin_rintf(t);
  n = __builtin_fminf(__builtin_fmaxf(n, -126.0f), 127.0f);
  float v = dm_exp2_unit_f32(t - n + t_low) * dm_power_of_2_f32((int)n);
  if (x < 0)
    v = dm_is_odd_f32(y) ? -v : __builtin_rintf(y) == y ? v : DM_NANF;
  return v;
}

double hdm_pow_f64(double x, double y) {
  double a = __builtin_fabs(x);
  if (DM_UNLIKELY(dm_is_log_edge_f64(a) || !(__builtin_fabs(y) < DM_INF)))
    return dm_pow_edge(x, y);
  DmPair log = dm_log2_pair(a);
  DmPair t = dm_product(y, log.high);
  t.low = __builtin_fma(y, log.low, t.low);
  if (DM_UNLIKELY(!(__builtin_fabs(t.high) < 1200.0))) // low may be NaN
    t = (DmPair){__builtin_copysign(1200.0, t.high), 0.0};
  DmScaledF64 e = dm_exp2_parts(t);
  double v = dm_scale_f64(e.v, e.n);
  if (x < 0)
    v = dm_is_odd(y) ? -v : dm_is_integer(y) ? v : DM_NAN;
  return v;
}

// 1 / cbrt(m), 1 <= m < 8: a guess from the bits divided by 3, then
// h = 1 - m y^3 and y (1 - h)^(-1/3) as a series.
DM_INLINE double dm_inverse_cbrt(double m) {
  uint32_t guess = 0x54a1f400u - dm_bits_f32((float)m) / 3;
  double y = (double)dm_from_bits_f32(guess);
  for (int i = 0; i < 2; i++) {
    double h = __builtin_fma(-m * y, y * y, 1.0);
    double p = __builtin_fma(h, 14.0 / 81, 2.0 / 9);
    y = __builtin_fma(y * h, __builtin_fma(h, p, 1.0 / 3), y);
  }
  return y;
}

// x = m 2^(3 n), 1 <= m < 8, of normal x.
DM_INLINE double dm_split_cube(double x, int *n) {
  uint64_t bits = dm_bits_f64(x) & 0x7fffffffffffffffu;
  int exponent = (int)(bits >> 52);
  *n = exponent / 3 - 341; // 341 = 1023 / 3
  return dm_from_bits_f64(bits - ((uint64_t)(uint32_t)(3 * *n) << 52));
}

float hdm_cbrt_f32(float x) {
  if (DM_UNLIKELY(x == 0 || !(__builtin_fabsf(x) < DM_INFF)))
    return x + x;
  int n;
  double m = dm_split_cube((double)x, &n);
  double y = dm_inverse_cbrt(m);
  float v = (float)dm_scale_normal_f64(m * y * y, n);
  return __builtin_copysignf(v, x);
}

double hdm_cbrt_f64(double x) {
  if (DM_UNLIKELY(x == 0 || !(__builtin_fabs(x) < DM_INF)))
    return x + x;
  int n, is_tiny = __builtin_fabs(x) < 0x1p-1022;
  double m = dm_split_cube(is_tiny ? x * 0x1p54 : x, &n);
  double y = dm_inverse_cbrt(m), v = m * y * y;
  DmPair square = dm_product(v, v);
  double excess = __builtin_fma(square.high, v, -m) + square.low * v;
  v = __builtin_fma(-excess, (1.0 / 3) * (y * y), v);
  v = dm_scale_normal_f64(v, is_tiny ? n - 18 : n);
  return __builtin_copysign(v, x);
}

float hdm_hypot_f32(float x, float y) {
  if (DM_UNLIKELY(__builtin_fabsf(x) == DM_INFF ||
                  __builtin_fabsf(y) == DM_INFF))
    return DM_INFF;
  double a = (double)x, b = (double)y;
  return (float)__builtin_sqrt(__builtin_fma(a, a, b * b));
}

double hdm_hypot_f64(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (DM_UNLIKELY(a == DM_INF || b == DM_INF))
    return DM_INF;
  double high = a > b ? a : b, low = a > b ? b : a;
  double scale = high > 0x1p500 ? 0x1p-600 : high < 0x1p-400 ? 0x1p600 : 1.0;
  high *= scale;
  low *= scale;
  return __builtin_sqrt(__builtin_fma(high, high, low * low)) * (1.0 / scale);
}
