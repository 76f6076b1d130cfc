// SPDX-License-Identifier: Apache-2.0
// The bits of every floating-point type, and exact conversion to and from
// double: nearest, ties to even, unless another rounding is given. Overflow
// gives infinity; the types of 8 bits and fewer saturate to their largest
// finite number instead, as GPUs convert (E4M3 and those below have no infinity
// at all). NaN stays NaN, and is the largest number where there is none.
#ifndef HD_BASE_FLOAT_BITS_H
#define HD_BASE_FLOAT_BITS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  FLOAT_F16,
  FLOAT_BF16,
  FLOAT_F32,
  FLOAT_F64,
  FLOAT_E4M3,
  FLOAT_E5M2,
  FLOAT_TF32, // in 32 bits, whose low 13 are zero and ignored
  FLOAT_E2M1,
  FLOAT_E2M3,
  FLOAT_E3M2,
  FLOAT_E8M0, // 2^(bits - 127), from 2^-127 to 2^127, and NaN: no sign, no zero
} FloatFormat;

typedef enum {
  ROUND_NEAREST, // ties to even
  ROUND_TO_ZERO,
  ROUND_UP,
  ROUND_DOWN,
} FloatRounding;

uint64_t float_bits_from_double(FloatFormat format, double value);
double float_bits_to_double(FloatFormat format, uint64_t bits);

// Likewise, rounded in another way. Overflow follows IEEE 754: toward zero and
// away from the infinity of its sign it stops at the largest finite number.
// `overflows`: the types of 8 bits don't saturate: E5M2 has an infinity, E4M3
// its NaN. Other types don't look at it.
uint64_t float_bits_round(FloatFormat format, double value,
                          FloatRounding rounding, bool overflows);
// The same of an integer of 64 bits and a sign, rounded once.
uint64_t float_bits_of_integer(FloatFormat format, uint64_t magnitude,
                               bool is_negative, FloatRounding rounding,
                               bool overflows);

// Reads a C literal, "inf" or "nan", with an 'f' behind it or not, whatever
// locale the process has set. False if the text is anything else, or a number
// beyond the largest double (*out is infinite then).
bool float_parse(const char *text, double *out);

// minimumNumber and maximumNumber of IEEE 754-2019, section 9.6: the number
// where one operand is a NaN, and -0 is below +0. C leaves the zeros open.
double float_minimum_number(double a, double b);
double float_maximum_number(double a, double b);

#endif
