// SPDX-License-Identifier: Apache-2.0
#include "cli/scalar.h"

#include "base/float_bits.h"
#include "base/panic.h"

#include <math.h>
#include <string.h>

bool scalar_is_float(HdType type) {
  return type >= HD_F16 && type <= HD_E5M2;
}

bool scalar_is_signed(HdType type) {
  return type >= HD_I8 && type <= HD_I64;
}

static FloatFormat format_of(HdType type) {
  switch ((int)type) {
  case HD_F16: return FLOAT_F16;
  case HD_BF16: return FLOAT_BF16;
  case HD_F32: return FLOAT_F32;
  case HD_E4M3: return FLOAT_E4M3;
  case HD_E5M2: return FLOAT_E5M2;
  default: return FLOAT_F64;
  }
}

static double scalar_to_real(const HdArg *value) {
  if (value->kind == HD_ARG_FLOAT)
    return value->real;
  return value->kind == HD_ARG_UINT ? (double)(uint64_t)value->integer
                                    : (double)value->integer;
}

// The number as an integer's sign and bits; false if it has a fraction.
static bool scalar_to_integer(const HdArg *value, bool *is_negative,
                              uint64_t *bits) {
  if (value->kind != HD_ARG_FLOAT) {
    *bits = (uint64_t)value->integer;
    *is_negative = value->kind == HD_ARG_INT && value->integer < 0;
    return true;
  }
  double real = value->real;
  if (real != trunc(real) || real < -9223372036854775808.0 ||
      real >= 18446744073709551616.0)
    return false;
  *is_negative = real < 0;
  *bits = *is_negative ? (uint64_t)(int64_t)real : (uint64_t)real;
  return true;
}

static bool store_integer(HdType type, const HdArg *value, void *to) {
  bool is_negative;
  uint64_t bits;
  size_t size = hd_type_size(type);
  if (!scalar_to_integer(value, &is_negative, &bits))
    return false;
  uint64_t all = size == 8 ? UINT64_MAX : ((uint64_t)1 << size * 8) - 1;
  uint64_t high = type == HD_BOOL ? 1 : scalar_is_signed(type) ? all >> 1 : all;
  if (is_negative ? !scalar_is_signed(type) || ~bits > high // ~x is -x - 1
                  : bits > high)
    return false;
  memcpy(to, &bits, size); // little-endian
  return true;
}

bool scalar_store(HdType type, const HdArg *value, void *to) {
  HD_ASSERT(hd_type_size(type) > 0); // not HD_STRUCT
  if (!scalar_is_float(type))
    return store_integer(type, value, to);
  uint64_t bits =
      float_bits_from_double(format_of(type), scalar_to_real(value));
  memcpy(to, &bits, hd_type_size(type));
  return true;
}

HdArg scalar_load(HdType type, const void *from) {
  HD_ASSERT(hd_type_size(type) > 0); // not HD_STRUCT
  uint64_t bits = 0;
  size_t size = hd_type_size(type);
  memcpy(&bits, from, size);
  if (scalar_is_float(type))
    return HD_FLOAT(float_bits_to_double(format_of(type), bits));
  if (!scalar_is_signed(type))
    return HD_UINT(bits);
  int shift = 64 - (int)size * 8;
  return HD_INT((int64_t)(bits << shift) >> shift);
}
