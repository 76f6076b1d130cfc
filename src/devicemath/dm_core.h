// SPDX-License-Identifier: Apache-2.0
// What every file of the device math library stands on: bits of numbers,
// polynomials, scaling by powers of two.
//
// The library is C without a C library, and only with operations that IEEE 754
// defines exactly (+ - * / sqrt fma, rounding, comparison): the same source
// gives the same bits on every target, and so its errors are measured on the
// host. Two instructions are exceptions for the sake of speed: 2^x and 1 / x
// of float (dm_exp.h). It relies on no contraction (-ffp-contract=off).
#ifndef HD_DEVICEMATH_DM_CORE_H
#define HD_DEVICEMATH_DM_CORE_H

#include "devicemath/dm_coefficients.h"
#include <stdint.h>

#define DM_INLINE              static inline __attribute__((always_inline, unused))
// Out of line, where few arguments lead.
#define DM_RARE                static __attribute__((noinline, cold, unused))
#define DM_UNLIKELY(condition) __builtin_expect((condition), 0)

#define DM_INF  __builtin_inf()
#define DM_INFF __builtin_inff()
#define DM_NAN  __builtin_nan("")
#define DM_NANF __builtin_nanf("")
#define DM_LN2  (DM_LN2_HIGH + DM_LN2_LOW)

#ifdef __clang__
#define DM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define DM_UNROLL _Pragma("GCC unroll 32")
#endif

// Adding and taking off again rounds to the nearest integer, whose low bits
// are then those of the sum.
#define DM_ROUNDER  0x1.8p52
#define DM_ROUNDERF 0x1.8p23f

DM_INLINE uint32_t dm_bits_f32(float v) {
  uint32_t bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  return bits;
}

DM_INLINE float dm_from_bits_f32(uint32_t bits) {
  float v;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}

DM_INLINE uint64_t dm_bits_f64(double v) {
  uint64_t bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  return bits;
}

DM_INLINE double dm_from_bits_f64(uint64_t bits) {
  double v;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}

// c[0] + c[1] x + … + c[n - 1] x^(n - 1), of constants.
DM_INLINE float dm_horner_f32(float x, const float *c, int n) {
  float sum = c[n - 1];
  DM_UNROLL
  for (int i = n - 2; i >= 0; i--)
    sum = __builtin_fmaf(sum, x, c[i]);
  return sum;
}

DM_INLINE double dm_horner_f64(double x, const double *c, int n) {
  double sum = c[n - 1];
  DM_UNROLL
  for (int i = n - 2; i >= 0; i--)
    sum = __builtin_fma(sum, x, c[i]);
  return sum;
}

#define DM_COUNT(array)     ((int)(sizeof(array) / sizeof((array)[0])))
#define DM_HORNER_F32(x, c) dm_horner_f32((x), (c), DM_COUNT(c))
#define DM_HORNER_F64(x, c) dm_horner_f64((x), (c), DM_COUNT(c))

// 2^n of exponents of normal numbers.
DM_INLINE float dm_power_of_2_f32(int n) {
  return dm_from_bits_f32(((uint32_t)n + 127u) << 23);
}

DM_INLINE double dm_power_of_2_f64(int n) {
  return dm_from_bits_f64((uint64_t)((uint32_t)n + 1023u) << 52);
}

// v * 2^n where the result is normal.
DM_INLINE float dm_scale_normal_f32(float v, int n) {
  return dm_from_bits_f32(dm_bits_f32(v) + ((uint32_t)n << 23));
}

DM_INLINE double dm_scale_normal_f64(double v, int n) {
  return dm_from_bits_f64(dm_bits_f64(v) + ((uint64_t)(uint32_t)n << 52));
}

// v * 2^n, v about 1, n at most twice the format's exponents; rounds once.
DM_INLINE float dm_scale_f32(float v, int n) {
  int half = n >> 1;
  return v * dm_power_of_2_f32(half) * dm_power_of_2_f32(n - half);
}

DM_INLINE double dm_scale_f64(double v, int n) {
  int half = n >> 1;
  return v * dm_power_of_2_f64(half) * dm_power_of_2_f64(n - half);
}

// A number as the sum of two, the second at most half a last place of the
// first [T. J. Dekker, "A floating-point technique for extending the available
// precision", Numer. Math. 18, 1971].
typedef struct {
  double high, low;
} DmPair;

// a + b, |a| >= |b| or a = 0.
DM_INLINE DmPair dm_sum_ordered(double a, double b) {
  DmPair v;
  v.high = a + b;
  v.low = a - v.high + b;
  return v;
}

// a + b [D. Knuth, TAOCP 2, 4.2.2].
DM_INLINE DmPair dm_sum(double a, double b) {
  DmPair v;
  v.high = a + b;
  double part = v.high - a;
  v.low = a - (v.high - part) + (b - part);
  return v;
}

DM_INLINE DmPair dm_product(double a, double b) {
  DmPair v;
  v.high = a * b;
  v.low = __builtin_fma(a, b, -v.high);
  return v;
}

#endif
