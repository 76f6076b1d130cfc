// SPDX-License-Identifier: Apache-2.0
// asin, acos, atan, atan2.
#include "devicemath/devicemath.h"
#include "devicemath/dm_core.h"

// atan(t), 0 <= t <= 1.
DM_INLINE float dm_atan_f32(float t) {
  float z = t * t;
  return __builtin_fmaf(t * z, DM_HORNER_F32(z, dm_atanf_c), t);
}

DM_INLINE double dm_atan_f64(double t) {
  double z = t * t;
  return __builtin_fma(t * z, DM_HORNER_F64(z, dm_atan_c), t);
}

float hdm_atan_f32(float x) {
  float a = __builtin_fabsf(x);
  float v = dm_atan_f32(a > 1.0f ? 1.0f / a : a);
  if (a > 1.0f)
    v = DM_HALF_PIF_1 - (v - DM_HALF_PIF_2);
  return __builtin_copysignf(v, x);
}

double hdm_atan_f64(double x) {
  double a = __builtin_fabs(x);
  double v = dm_atan_f64(a > 1.0 ? 1.0 / a : a);
  if (a > 1.0)
    v = DM_HALF_PI_1 - (v - DM_HALF_PI_2);
  return __builtin_copysign(v, x);
}

// Of the quotient that is at most 1, then by octant.
float hdm_atan2_f32(float y, float x) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  if (DM_UNLIKELY(x != x || y != y))
    return x + y;
  int is_steep = b > a, is_left = (int)(dm_bits_f32(x) >> 31);
  float low = is_steep ? a : b, high = is_steep ? b : a;
  // 0 / 0 and inf / inf
  float v = dm_atan_f32(low == high ? (float)(high != 0) : low / high);
  float base = is_steep ? DM_HALF_PIF_1 : is_left ? DM_PIF_HIGH : 0.0f;
  float rest = is_steep ? DM_HALF_PIF_2 : is_left ? DM_PIF_LOW : 0.0f;
  v = base + ((is_steep != is_left ? -v : v) + rest);
  return __builtin_copysignf(v, y);
}

double hdm_atan2_f64(double y, double x) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (DM_UNLIKELY(x != x || y != y))
    return x + y;
  int is_steep = b > a, is_left = (int)(dm_bits_f64(x) >> 63);
  double low = is_steep ? a : b, high = is_steep ? b : a;
  double v = dm_atan_f64(low == high ? (double)(high != 0) : low / high);
  double base = is_steep ? DM_HALF_PI_1 : is_left ? DM_PI_HIGH : 0.0;
  double rest = is_steep ? DM_HALF_PI_2 : is_left ? DM_PI_LOW : 0.0;
  v = base + ((is_steep != is_left ? -v : v) + rest);
  return __builtin_copysign(v, y);
}

// s + rest is asin(a), or above 1/2: asin(sqrt((1 - a) / 2)), which is half of
// pi / 2 - asin(a).
DM_INLINE float dm_asin_f32(float a, float *rest) {
  float z = a > 0.5f ? 0.5f * (1.0f - a) : a * a;
  float s = a > 0.5f ? __builtin_sqrtf(z) : a;
  *rest = s * z * DM_HORNER_F32(z, dm_asinf_c);
  return s;
}

DM_INLINE double dm_asin_f64(double a, double *rest) {
  double z = a > 0.5 ? 0.5 * (1.0 - a) : a * a;
  double s = a > 0.5 ? __builtin_sqrt(z) : a;
  *rest = s * z * DM_HORNER_F64(z, dm_asin_c);
  return s;
}

float hdm_asin_f32(float x) {
  float a = __builtin_fabsf(x), rest, s = dm_asin_f32(a, &rest);
  float v = s + rest;
  if (a > 0.5f) // the first difference is exact where v is near 1/2
    v = __builtin_fmaf(-2.0f, s, DM_HALF_PIF_1) -
        __builtin_fmaf(2.0f, rest, -DM_HALF_PIF_2);
  return __builtin_copysignf(v, x);
}

double hdm_asin_f64(double x) {
  double a = __builtin_fabs(x), rest, s = dm_asin_f64(a, &rest);
  double v = s + rest;
  if (a > 0.5)
    v = __builtin_fma(-2.0, s, DM_HALF_PI_1) -
        __builtin_fma(2.0, rest, -DM_HALF_PI_2);
  return __builtin_copysign(v, x);
}

float hdm_acos_f32(float x) {
  float rest, s = dm_asin_f32(__builtin_fabsf(x), &rest), v = s + rest;
  if (x > 0.5f)
    return 2.0f * v;
  if (x < -0.5f)
    return DM_PIF_HIGH - __builtin_fmaf(2.0f, v, -DM_PIF_LOW);
  return DM_HALF_PIF_1 - (__builtin_copysignf(v, x) - DM_HALF_PIF_2);
}

double hdm_acos_f64(double x) {
  double rest, s = dm_asin_f64(__builtin_fabs(x), &rest), v = s + rest;
  if (x > 0.5)
    return 2.0 * v;
  if (x < -0.5)
    return DM_PI_HIGH - __builtin_fma(2.0, v, -DM_PI_LOW);
  return DM_HALF_PI_1 - (__builtin_copysign(v, x) - DM_HALF_PI_2);
}
