// SPDX-License-Identifier: Apache-2.0
#include "base/float_bits.h"

#include "base/panic.h"
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A binary format narrower than double.
typedef struct {
  int exponent_bits, mantissa_bits;
  bool has_infinity; // else the top exponent holds numbers, and one NaN
  bool saturates;
} Layout;

static Layout layout_of(FloatFormat format) {
  switch ((int)format) {
  case FLOAT_F16: return (Layout){5, 10, true, false};
  case FLOAT_BF16: return (Layout){8, 7, true, false};
  case FLOAT_E4M3: return (Layout){4, 3, false, true};
  case FLOAT_E5M2: return (Layout){5, 2, true, true};
  default: HD_PANIC("format %d is not a narrow float", (int)format);
  }
}

static int bias_of(Layout f) {
  return (1 << (f.exponent_bits - 1)) - 1;
}

static uint64_t top_exponent(Layout f) {
  return ((uint64_t)1 << f.exponent_bits) - 1;
}

static uint64_t nan_bits(Layout f) {
  uint64_t mantissa = f.has_infinity ? (uint64_t)1 << (f.mantissa_bits - 1)
                                     : ((uint64_t)1 << f.mantissa_bits) - 1;
  return top_exponent(f) << f.mantissa_bits | mantissa;
}

static uint64_t largest_finite(Layout f) {
  // One below infinity; without infinities one below the only NaN.
  uint64_t infinity = top_exponent(f) << f.mantissa_bits;
  return f.has_infinity ? infinity - 1 : nan_bits(f) - 1;
}

static uint64_t overflow_bits(Layout f) {
  return f.saturates ? largest_finite(f) : largest_finite(f) + 1;
}

static uint64_t narrow_from_double(Layout f, double value) {
  uint64_t sign = (uint64_t)(signbit(value) != 0)
                  << (f.exponent_bits + f.mantissa_bits);
  if (isnan(value))
    return sign | nan_bits(f);
  if (isinf(value))
    return sign | overflow_bits(f);
  double magnitude = fabs(value);
  int exponent;
  frexp(magnitude, &exponent); // magnitude = m * 2^exponent, m in [0.5, 1)
  int smallest = 1 - bias_of(f);
  int scale = exponent - 1 > smallest ? exponent - 1 : smallest;
  // Units in the last place; the default rounding of nearbyint is ties to
  // even. Scaling by a power of two is exact here: nothing gets subnormal
  // that has more than mantissa_bits left.
  double units = nearbyint(ldexp(magnitude, f.mantissa_bits - scale));
  uint64_t whole = (uint64_t)units; // up to 2^(mantissa_bits + 1)
  uint64_t hidden = (uint64_t)1 << f.mantissa_bits;
  uint64_t bits = magnitude == 0 ? 0
                  : whole < hidden
                      ? whole
                      : ((uint64_t)(scale + bias_of(f)) << f.mantissa_bits) +
                            (whole - hidden);
  return sign | (bits > largest_finite(f) ? overflow_bits(f) : bits);
}

static double narrow_to_double(Layout f, uint64_t bits) {
  uint64_t exponent = bits >> f.mantissa_bits & top_exponent(f);
  uint64_t mantissa = bits & (((uint64_t)1 << f.mantissa_bits) - 1);
  bool is_negative = bits >> (f.exponent_bits + f.mantissa_bits) & 1;
  uint64_t magnitude = exponent << f.mantissa_bits | mantissa;
  double value;
  if (magnitude > largest_finite(f))
    value = f.has_infinity && mantissa == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    value = ldexp((double)mantissa, 1 - bias_of(f) - f.mantissa_bits);
  else
    value = ldexp((double)(mantissa + ((uint64_t)1 << f.mantissa_bits)),
                  (int)exponent - bias_of(f) - f.mantissa_bits);
  return is_negative ? -value : value;
}

uint64_t float_bits_from_double(FloatFormat format, double value) {
  uint64_t bits = 0;
  if (format == FLOAT_F64) {
    memcpy(&bits, &value, sizeof value);
  } else if (format == FLOAT_F32) {
    float single = (float)value;
    memcpy(&bits, &single, sizeof single);
  } else {
    bits = narrow_from_double(layout_of(format), value);
  }
  return bits;
}

double float_bits_to_double(FloatFormat format, uint64_t bits) {
  if (format == FLOAT_F64) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (format == FLOAT_F32) {
    float single;
    memcpy(&single, &bits, sizeof single);
    return single;
  }
  return narrow_to_double(layout_of(format), bits);
}

bool float_parse(const char *text, double *out) {
  if (isspace((unsigned char)*text))
    return false;
  char *end;
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  *out = strtod_l(text, &end, c_locale);
  freelocale(c_locale);
  if (end == text)
    return false;
  bool is_number = isdigit((unsigned char)end[-1]) || end[-1] == '.';
  end += is_number && (*end == 'f' || *end == 'F');
  return *end == 0 && !(is_number && isinf(*out));
}

double float_minimum_number(double a, double b) {
  return a == b ? (signbit(a) ? a : b) : fmin(a, b);
}

double float_maximum_number(double a, double b) {
  return a == b ? (signbit(a) ? b : a) : fmax(a, b);
}
