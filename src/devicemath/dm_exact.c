// SPDX-License-Identifier: Apache-2.0
// fmod, remainder, nextafter (of 16-bit floats, too), ldexp, ilogb.
#include "devicemath/devicemath.h"
#include "devicemath/dm_core.h"

#define REAL     float
#define BITS     uint32_t
#define NAME(f)  f##_f32
#define TRUNC    __builtin_truncf
#define FMA      __builtin_fmaf
#define FABS     __builtin_fabsf
#define COPYSIGN __builtin_copysignf
#define MANTISSA 23
#define TOP      127
#include "devicemath/dm_exact.def"

#undef REAL
#undef BITS
#undef NAME
#undef TRUNC
#undef FMA
#undef FABS
#undef COPYSIGN
#undef MANTISSA
#undef TOP

#define REAL     double
#define BITS     uint64_t
#define NAME(f)  f##_f64
#define TRUNC    __builtin_trunc
#define FMA      __builtin_fma
#define FABS     __builtin_fabs
#define COPYSIGN __builtin_copysign
#define MANTISSA 52
#define TOP      1023
#include "devicemath/dm_exact.def"

// A step in the order of numbers is one in their bits.
uint16_t hdm_nextafter_16(uint16_t x, uint16_t y, uint16_t infinity) {
  int a = x & 0x7fff, b = y & 0x7fff;
  if (a > infinity || b > infinity)
    return 0x7fff; // NaN
  if (x == y || (a | b) == 0)
    return y;
  if (a == 0)
    return (uint16_t)((y & 0x8000) | 1);
  int is_negative = x >> 15;
  int is_up = (is_negative ? -a : a) < (y >> 15 ? -b : b);
  return (uint16_t)(is_up != is_negative ? x + 1 : x - 1);
}
