// SPDX-License-Identifier: Apache-2.0
// Arguments of trigonometric functions as q quarter turns and a rest, and sine
// and cosine of the rest.
//
// Up to 2^17 (float) and 2^20 (double) pi / 2 is subtracted in three parts; the
// first difference is exact, so parts that cancel leave the others [W. J. Cody
// and W. Waite, 1980; with fma: S. Boldo, M. Daumas and R.-C. Li, "Formally
// verified argument reduction with a fused multiply-add", 2009]. Above, the
// bits of 2 / pi that matter are multiplied as integers [M. Payne and R. Hanek,
// "Radian reduction for trigonometric functions", SIGNUM 18, 1983].
#ifndef HD_DEVICEMATH_DM_TRIG_H
#define HD_DEVICEMATH_DM_TRIG_H

#include "devicemath/dm_core.h"

typedef struct {
  float r; // about -pi / 4 to pi / 4
  int q;
} DmTurnF32;

typedef struct {
  double r;
  int q;
} DmTurnF64;

__extension__ typedef unsigned __int128 DmWide;

DM_INLINE uint64_t dm_high_product(uint64_t a, uint64_t b) {
  return (uint64_t)((DmWide)a * b >> 64);
}

// 64 bits of 2 / pi, the first of weight 2^-(at + 1 - 64).
DM_INLINE uint64_t dm_two_over_pi_bits(int at) {
  int word = at >> 6, shift = at & 63;
  uint64_t high = dm_two_over_pi[word] << shift;
  return shift ? high | dm_two_over_pi[word + 1] >> (64 - shift) : high;
}

// m * 2^e * 2 / pi, modulo 4, times 2^126; e >= -62.
typedef struct {
  uint64_t high, low;
} DmFraction;

DM_INLINE DmFraction dm_quarter_turns(uint64_t m, int e) {
  // Bits of greater weight give multiples of 4.
  int at = e + 62;
  uint64_t w0 = dm_two_over_pi_bits(at), w1 = dm_two_over_pi_bits(at + 64);
  uint64_t w2 = dm_two_over_pi_bits(at + 128);
  DmFraction v;
  uint64_t low = m * w1;
  v.low = low + dm_high_product(m, w2);
  v.high = m * w0 + dm_high_product(m, w1) + (v.low < low);
  return v;
}

DM_RARE DmTurnF32 dm_reduce_large_f32(float x) {
  DmTurnF32 v;
  uint32_t bits = dm_bits_f32(x) & 0x7fffffffu;
  if (bits >= 0x7f800000u) {
    v.r = x - x;
    v.q = 0;
    return v;
  }
  uint64_t m = (bits & 0x7fffffu) | 0x800000u;
  DmFraction f = dm_quarter_turns(m, (int)(bits >> 23) - 150);
  // To the nearest quarter turn: the rest is signed.
  int64_t rest = (int64_t)(f.high << 2 | f.low >> 62);
  v.q = (int)(f.high >> 62) + (rest < 0);
  v.r = (float)((double)rest * (DM_HALF_PI_1 * 0x1p-64));
  if (x < 0) {
    v.r = -v.r;
    v.q = -v.q;
  }
  return v;
}

DM_RARE DmTurnF64 dm_reduce_large_f64(double x) {
  DmTurnF64 v;
  uint64_t bits = dm_bits_f64(x) & 0x7fffffffffffffffu;
  if (bits >= 0x7ff0000000000000u) {
    v.r = x - x;
    v.q = 0;
    return v;
  }
  uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  DmFraction f = dm_quarter_turns(m, (int)(bits >> 52) - 1075);
  v.q = (int)(f.high >> 62);
  uint64_t high = f.high << 2 | f.low >> 62, low = f.low << 2;
  int is_negative = (int)(high >> 63);
  if (is_negative) {
    v.q++;
    high = ~high + (low == 0);
    low = -low;
  }
  // No double is closer than 2^-62 to a multiple of pi / 2, so high isn't 0.
  int zeros = __builtin_clzll(high | 1);
  if (zeros) {
    high = high << zeros | low >> (64 - zeros);
    low <<= zeros;
  }
  double a = (double)(high >> 11) * 0x1p-53;
  double b = (double)((high << 53 | low >> 11) >> 11) * 0x1p-106;
  DmPair p = dm_product(a, DM_HALF_PI_1);
  p.low += __builtin_fma(a, DM_HALF_PI_2, b * DM_HALF_PI_1);
  v.r = (p.high + p.low) * dm_power_of_2_f64(-zeros);
  if (is_negative != (x < 0))
    v.r = -v.r;
  if (x < 0)
    v.q = -v.q;
  return v;
}

DM_INLINE DmTurnF32 dm_reduce_f32(float x) {
  if (DM_UNLIKELY(!(__builtin_fabsf(x) < 0x1p17f)))
    return dm_reduce_large_f32(x);
  DmTurnF32 v;
  float sum = __builtin_fmaf(x, (float)(1.0 / DM_HALF_PI_1), DM_ROUNDERF);
  float n = sum - DM_ROUNDERF;
  v.q = (int)dm_bits_f32(sum);
  v.r = __builtin_fmaf(n, -DM_HALF_PIF_1, x);
  v.r = __builtin_fmaf(n, -DM_HALF_PIF_2, v.r);
  v.r = __builtin_fmaf(n, -DM_HALF_PIF_3, v.r);
  return v;
}

DM_INLINE DmTurnF64 dm_reduce_f64(double x) {
  if (DM_UNLIKELY(!(__builtin_fabs(x) < 0x1p20)))
    return dm_reduce_large_f64(x);
  DmTurnF64 v;
  double sum = __builtin_fma(x, 1.0 / DM_HALF_PI_1, DM_ROUNDER);
  double n = sum - DM_ROUNDER;
  v.q = (int)(uint32_t)dm_bits_f64(sum);
  v.r = __builtin_fma(n, -DM_HALF_PI_1, x);
  v.r = __builtin_fma(n, -DM_HALF_PI_2, v.r);
  v.r = __builtin_fma(n, -DM_HALF_PI_3, v.r);
  return v;
}

// sin(r + q pi / 2): one polynomial with the coefficients of sine or cosine.
// Sine is r + (z r) P(z), cosine 1 + z (-1/2 + z P(z)), z = r^2.
DM_INLINE float dm_sine_f32(float r, int q) {
  int is_cosine = q & 1;
  float z = r * r;
  float p = is_cosine ? dm_cosf_c[2] : 0.0f;
  p = __builtin_fmaf(p, z, is_cosine ? dm_cosf_c[1] : dm_sinf_c[2]);
  p = __builtin_fmaf(p, z, is_cosine ? dm_cosf_c[0] : dm_sinf_c[1]);
  p = __builtin_fmaf(p, z, is_cosine ? -0.5f : dm_sinf_c[0]);
  float base = is_cosine ? 1.0f : r;
  // + 0.0 keeps the sign of a zero r in the sum.
  float v = __builtin_fmaf(__builtin_fmaf(z, base, 0.0f), p, base);
  return q & 2 ? -v : v;
}

DM_INLINE double dm_sine_f64(double r, int q) {
  int is_cosine = q & 1;
  double z = r * r;
  double p = is_cosine ? dm_cos_c[5] : dm_sin_c[6];
  DM_UNROLL
  for (int i = 4; i >= 0; i--)
    p = __builtin_fma(p, z, is_cosine ? dm_cos_c[i] : dm_sin_c[i + 1]);
  p = __builtin_fma(p, z, is_cosine ? -0.5 : dm_sin_c[0]);
  double base = is_cosine ? 1.0 : r;
  double v = __builtin_fma(__builtin_fma(z, base, 0.0), p, base);
  return q & 2 ? -v : v;
}

// sin(pi x), with the sign of x where it is 0, and as many quarter turns on.
DM_INLINE float dm_sine_of_turns_f32(float x, int quarters) {
  float y = __builtin_fmaf(-2.0f, __builtin_rintf(0.5f * x), x); // [-1, 1]
  float sum = 2.0f * y + DM_ROUNDERF, n = sum - DM_ROUNDERF;
  float r = __builtin_fmaf(-0.5f, n, y), z = r * r;
  uint32_t q = dm_bits_f32(sum) + (uint32_t)quarters;
  float sine =
      __builtin_fmaf(r, DM_PIF_HIGH, r * DM_HORNER_F32(z, dm_sinpif_c));
  float cosine = __builtin_fmaf(z, DM_HORNER_F32(z, dm_cospif_c), 1.0f);
  float v = q & 1 ? cosine : sine;
  v = q & 2 ? -v : v;
  return v == 0 ? __builtin_copysignf(0.0f, quarters ? 1.0f : x) : v;
}

DM_INLINE double dm_sine_of_turns_f64(double x, int quarters) {
  double y = __builtin_fma(-2.0, __builtin_rint(0.5 * x), x);
  double sum = 2.0 * y + DM_ROUNDER, n = sum - DM_ROUNDER;
  double r = __builtin_fma(-0.5, n, y), z = r * r;
  uint32_t q = (uint32_t)dm_bits_f64(sum) + (uint32_t)quarters;
  double sine = __builtin_fma(r, DM_PI_HIGH, r * DM_HORNER_F64(z, dm_sinpi_c));
  double cosine = __builtin_fma(z, DM_HORNER_F64(z, dm_cospi_c), 1.0);
  double v = q & 1 ? cosine : sine;
  v = q & 2 ? -v : v;
  return v == 0 ? __builtin_copysign(0.0, quarters ? 1.0 : x) : v;
}

#endif
