// SPDX-License-Identifier: Apache-2.0
// The bits of every floating-point type, and exact conversion to and from
// double: nearest, ties to even. Overflow gives infinity; the fp8 types
// saturate to their largest finite number instead, as GPUs convert (E4M3 has no
// infinity at all), and keep NaN.
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
} FloatFormat;

uint64_t float_bits_from_double(FloatFormat format, double value);
double float_bits_to_double(FloatFormat format, uint64_t bits);

// Reads a C literal, "inf" or "nan", with an 'f' behind it or not, whatever
// locale the process has set. False if the text is anything else, or a number
// beyond the largest double (*out is infinite then).
bool float_parse(const char *text, double *out);

// minimumNumber and maximumNumber of IEEE 754-2019, section 9.6: the number
// where one operand is a NaN, and -0 is below +0. C leaves the zeros open.
double float_minimum_number(double a, double b);
double float_maximum_number(double a, double b);

#endif
