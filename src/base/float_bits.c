// SPDX-License-Identifier: Apache-2.0
#include "base/float_bits.h"

#include "base/bits.h"
#include "base/panic.h"
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
  OVERFLOW_IEEE,      // infinity
  OVERFLOW_SATURATES, // unless the caller wants infinity
  OVERFLOW_NEVER,     // the largest number, and NaN is that, too
} Overflow;

typedef struct {
  int exponent_bits, mantissa_bits;
  bool has_infinity; // else the top exponent holds numbers, and one NaN or none
  Overflow overflow;
  int unused_bits; // below the mantissa
} Layout;

static Layout layout_of(FloatFormat format) {
  switch (format) {
  case FLOAT_F16: return (Layout){5, 10, true, OVERFLOW_IEEE, 0};
  case FLOAT_BF16: return (Layout){8, 7, true, OVERFLOW_IEEE, 0};
  case FLOAT_TF32: return (Layout){8, 10, true, OVERFLOW_IEEE, 13};
  case FLOAT_F32: return (Layout){8, 23, true, OVERFLOW_IEEE, 0};
  case FLOAT_F64: return (Layout){11, 52, true, OVERFLOW_IEEE, 0};
  case FLOAT_E4M3: return (Layout){4, 3, false, OVERFLOW_SATURATES, 0};
  case FLOAT_E5M2: return (Layout){5, 2, true, OVERFLOW_SATURATES, 0};
  case FLOAT_E2M1: return (Layout){2, 1, false, OVERFLOW_NEVER, 0};
  case FLOAT_E2M3: return (Layout){2, 3, false, OVERFLOW_NEVER, 0};
  case FLOAT_E3M2: return (Layout){3, 2, false, OVERFLOW_NEVER, 0};
  case FLOAT_E8M0: break;
  }
  HD_PANIC("format %d has no mantissa", (int)format);
}

static int bias_of(Layout f) {
  return (1 << (f.exponent_bits - 1)) - 1;
}

static uint64_t top_exponent(Layout f) {
  return ((uint64_t)1 << f.exponent_bits) - 1;
}

// One below infinity; without infinities one below the only NaN, if any.
static uint64_t largest_finite(Layout f) {
  uint64_t infinity = top_exponent(f) << f.mantissa_bits;
  uint64_t ones = infinity | (((uint64_t)1 << f.mantissa_bits) - 1);
  return f.has_infinity                 ? infinity - 1
         : f.overflow == OVERFLOW_NEVER ? ones
                                        : ones - 1;
}

static uint64_t nan_bits(Layout f) {
  if (f.has_infinity)
    return top_exponent(f) << f.mantissa_bits | (uint64_t)1
                                                    << (f.mantissa_bits - 1);
  return f.overflow == OVERFLOW_NEVER ? largest_finite(f)
                                      : largest_finite(f) + 1;
}

// -------------------------------------------------------------- rounding

// A finite number: (negative) magnitude * 2^exponent.
typedef struct {
  uint64_t magnitude;
  int exponent;
  bool is_negative;
} Exact;

static Exact exact_of(double value) {
  Exact exact = {.is_negative = signbit(value) != 0};
  int exponent;
  double part = frexp(fabs(value), &exponent); // 0 or [0.5, 1)
  exact.magnitude = (uint64_t)ldexp(part, 53);
  exact.exponent = exponent - 53;
  return exact;
}

static bool rounds_away(FloatRounding rounding, bool is_negative) {
  return rounding == ROUND_NEAREST ||
         rounding == (is_negative ? ROUND_DOWN : ROUND_UP);
}

// The magnitude in units of 2^quantum. No more than 63 bits are left.
static uint64_t units_of(Exact x, int quantum, FloatRounding rounding) {
  if (x.exponent >= quantum)
    return x.magnitude << (x.exponent - quantum);
  int cut = quantum - x.exponent;
  if (!rounds_away(rounding, x.is_negative))
    return cut > 63 ? 0 : x.magnitude >> cut;
  if (cut > 64) // below half a unit
    return rounding != ROUND_NEAREST && x.magnitude != 0;
  uint64_t units = cut == 64 ? 0 : x.magnitude >> cut;
  uint64_t rest = x.magnitude << (64 - cut); // as a fraction of 2^64
  uint64_t half = (uint64_t)1 << 63;
  if (rounding == ROUND_NEAREST)
    return units + (rest > half || (rest == half && (units & 1)));
  return units + (rest != 0);
}

static uint64_t overflow_bits(Layout f, bool is_negative,
                              FloatRounding rounding, bool overflows,
                              bool is_infinite) {
  bool stops = f.overflow == OVERFLOW_NEVER ||
               (f.overflow == OVERFLOW_SATURATES && !overflows) ||
               (!is_infinite && !rounds_away(rounding, is_negative));
  return stops ? largest_finite(f) : largest_finite(f) + 1;
}

static uint64_t magnitude_bits(Layout f, Exact x, FloatRounding rounding,
                               bool overflows) {
  if (x.magnitude == 0)
    return 0;
  int smallest = 1 - bias_of(f), top = (int)bits_log2(x.magnitude) + x.exponent;
  if (top > bias_of(f) + 1)
    return overflow_bits(f, x.is_negative, rounding, overflows, false);
  int scale = top > smallest ? top : smallest;
  uint64_t units = units_of(x, scale - f.mantissa_bits, rounding);
  uint64_t hidden = (uint64_t)1 << f.mantissa_bits;
  uint64_t bits = units < hidden
                      ? units
                      : ((uint64_t)(scale + bias_of(f)) << f.mantissa_bits) +
                            units - hidden;
  return bits > largest_finite(f)
             ? overflow_bits(f, x.is_negative, rounding, overflows, false)
             : bits;
}

// Numbers below 2^-127, negative ones included, are the smallest.
static uint64_t power_bits(Exact x, FloatRounding rounding) {
  enum { BIAS = 127, MOST = 254 };

  if (x.magnitude == 0 || x.is_negative)
    return 0;
  int top = (int)bits_log2(x.magnitude) + x.exponent;
  uint64_t below = (uint64_t)1 << bits_log2(x.magnitude),
           rest = x.magnitude - below;
  if (top < -BIAS || top > BIAS)
    return top < 0 ? 0 : MOST;
  uint32_t bits = (uint32_t)(top + BIAS);
  bool goes_up = rounding == ROUND_UP && rest != 0;
  // Half way is 1.5 * 2^top; ties go to the even exponent.
  if (rounding == ROUND_NEAREST)
    goes_up = 2 * rest > below || (2 * rest == below && rest && bits % 2 == 1);
  return bits + (goes_up && bits < MOST);
}

static uint64_t exact_bits(FloatFormat format, Exact x, FloatRounding rounding,
                           bool overflows) {
  if (format == FLOAT_E8M0)
    return power_bits(x, rounding);
  Layout f = layout_of(format);
  uint64_t sign = (uint64_t)x.is_negative
                  << (f.exponent_bits + f.mantissa_bits);
  return (sign | magnitude_bits(f, x, rounding, overflows)) << f.unused_bits;
}

static uint64_t special_bits(FloatFormat format, double value, bool overflows) {
  enum { POWER_NAN = 255, POWER_MOST = 254 };

  bool is_negative = signbit(value) != 0;
  if (format == FLOAT_E8M0)
    return isnan(value) ? POWER_NAN : is_negative ? 0 : POWER_MOST;
  Layout f = layout_of(format);
  if (isnan(value) && f.overflow == OVERFLOW_NEVER)
    return nan_bits(f);
  uint64_t bits = isnan(value) ? nan_bits(f)
                               : overflow_bits(f, is_negative, ROUND_NEAREST,
                                               overflows, true);
  uint64_t sign = (uint64_t)is_negative << (f.exponent_bits + f.mantissa_bits);
  return (sign | bits) << f.unused_bits;
}

uint64_t float_bits_round(FloatFormat format, double value,
                          FloatRounding rounding, bool overflows) {
  return isfinite(value)
             ? exact_bits(format, exact_of(value), rounding, overflows)
             : special_bits(format, value, overflows);
}

uint64_t float_bits_of_integer(FloatFormat format, uint64_t magnitude,
                               bool is_negative, FloatRounding rounding,
                               bool overflows) {
  Exact exact = {magnitude, 0, is_negative && magnitude != 0};
  return exact_bits(format, exact, rounding, overflows);
}

uint64_t float_bits_from_double(FloatFormat format, double value) {
  uint64_t bits = 0;
  if (format == FLOAT_F64) {
    memcpy(&bits, &value, sizeof value);
  } else if (format == FLOAT_F32) {
    float single = (float)value;
    memcpy(&bits, &single, sizeof single);
  } else {
    bits = float_bits_round(format, value, ROUND_NEAREST, false);
  }
  return bits;
}

// -------------------------------------------------------------- widening

static double narrow_to_double(Layout f, uint64_t bits) {
  bits >>= f.unused_bits;
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
  if (format == FLOAT_E8M0)
    return bits == 255 ? NAN : ldexp(1.0, (int)bits - 127);
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
