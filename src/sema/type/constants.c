// SPDX-License-Identifier: Apache-2.0
#include "sema/type/constants.h"

#include "base/text.h"
#include <math.h>
#include <string.h>

// --- floating-point formats ---

typedef struct {
  int fraction_bits, min_exponent;
  double largest;
  bool saturates; // has no infinity in conversions
} FloatFormat;

static const FloatFormat *float_format(TypeKind kind) {
  static const FloatFormat half = {10, -14, 65504.0, false};
  static const FloatFormat bfloat16 = {7, -126, 0x1.fep127, false};
  static const FloatFormat e4m3 = {3, -6, 448.0, true};
  static const FloatFormat e5m2 = {2, -14, 57344.0, true};
  if (kind == TY_HALF)
    return &half;
  if (kind == TY_BFLOAT16)
    return &bfloat16;
  if (kind == TY_FP8_E4M3)
    return &e4m3;
  return kind == TY_FP8_E5M2 ? &e5m2 : NULL;
}

// Rounds to nearest even in one step, subnormals included.
static double round_to_format(const FloatFormat *format, double value) {
  if (value == 0.0 || isnan(value))
    return value;
  double limit = format->saturates ? format->largest : HUGE_VAL;
  if (isinf(value))
    return copysign(limit, value);
  int exponent;
  frexp(value, &exponent);
  exponent--;
  if (exponent < format->min_exponent)
    exponent = format->min_exponent;
  int quantum = exponent - format->fraction_bits;
  double rounded = ldexp(nearbyint(ldexp(value, -quantum)), quantum);
  return fabs(rounded) > format->largest ? copysign(limit, value) : rounded;
}

double value_round(const Type *type, double value) {
  if (type->kind == TY_DOUBLE)
    return value;
  if (type->kind == TY_FLOAT)
    return (double)(float)value;
  return round_to_format(float_format(type->kind), value);
}

// --- integers ---

// Wraps to the width of the type and extends to 64 bits by its sign.
static TValue wrap_integer(const Type *type, uint64_t bits) {
  TValue value = {.u = bits};
  type = type_underlying(type);
  if (type->kind == TY_BOOL) {
    value.u = bits != 0;
    return value;
  }
  uint32_t unused = 64 - type_bits(type);
  value.u = bits << unused;
  if (type_is_signed(type))
    value.i = value.i >> unused;
  else
    value.u >>= unused;
  return value;
}

static TValue float_to_integer(const Type *to, double value, bool *is_exact) {
  TValue out = {.i = 0};
  *is_exact = false;
  if (isnan(value))
    return out;
  double whole = trunc(value);
  int bits = (int)type_bits(to);
  bool is_signed = type_is_signed(to);
  double high = ldexp(1.0, is_signed ? bits - 1 : bits); // exclusive
  double low = is_signed ? -high : 0.0;
  if (whole >= high)
    out.u = is_signed ? (UINT64_MAX >> (65 - bits)) : UINT64_MAX >> (64 - bits);
  else if (whole < low)
    out.i = is_signed ? (int64_t)low : 0;
  else if (is_signed)
    out.i = (int64_t)whole;
  else
    out.u = (uint64_t)whole;
  *is_exact = whole == value && whole < high && whole >= low;
  return out;
}

// The double nearest to `magnitude` from below with a sticky last bit, so that
// rounding it again to a much narrower format rounds only once.
static double integer_to_odd(uint64_t magnitude) {
  int shift = 0;
  uint64_t sticky = 0;
  while (magnitude >> 53) {
    sticky |= magnitude & 1;
    magnitude >>= 1;
    shift++;
  }
  return ldexp((double)(magnitude | sticky), shift);
}

static double integer_to_float(const Type *to, const Type *from, TValue value) {
  bool is_signed = type_is_signed(from);
  if (to->kind == TY_DOUBLE)
    return is_signed ? (double)value.i : (double)value.u;
  if (to->kind == TY_FLOAT)
    return is_signed ? (double)(float)value.i : (double)(float)value.u;
  bool is_negative = is_signed && value.i < 0;
  double wide = integer_to_odd(is_negative ? 0 - value.u : value.u);
  return value_round(to, is_negative ? -wide : wide);
}

static bool is_same_integer(const Type *to, TValue a, const Type *from,
                            TValue b) {
  bool a_negative = type_is_signed(to) && a.i < 0;
  bool b_negative = type_is_signed(from) && b.i < 0;
  return a.u == b.u && a_negative == b_negative;
}

TValue value_convert(const Type *to, const Type *from, TValue value,
                     bool *is_exact) {
  bool exact = true;
  TValue out = value;
  bool from_float = type_is_floating(from) || type_is_fp8(from);
  if (type_underlying(to)->kind == TY_BOOL) {
    out.u = from_float ? value.f != 0.0 : value.u != 0;
    exact = from_float ? (value.f == 0.0 || value.f == 1.0) : value.u <= 1;
  } else if (type_is_integer(to) && from_float) {
    out = float_to_integer(to, value.f, &exact);
  } else if (type_is_integer(to)) {
    out = wrap_integer(to, value.u);
    exact = is_same_integer(to, out, from, value);
  } else if (from_float) {
    out.f = value_round(to, value.f);
    exact = out.f == value.f || isnan(value.f);
  } else {
    out.f = integer_to_float(to, from, value);
    bool back = false;
    TValue again = float_to_integer(from, out.f, &back);
    exact = back && again.u == value.u;
  }
  if (is_exact)
    *is_exact = exact;
  return out;
}

// --- operators ---

TValue value_unary(TOp op, const Type *type, TValue value,
                   FoldProblem *problem) {
  *problem = FOLD_OK;
  if (op == TOP_NOT) {
    value.u = value.u == 0;
    return value;
  }
  if (op == TOP_BIT_NOT)
    return wrap_integer(type, ~value.u);
  if (type_is_floating(type)) {
    value.f = -value.f;
    return value;
  }
  TValue out = wrap_integer(type, 0 - value.u);
  if (type_is_signed(type) && value.i < 0 && out.i < 0)
    *problem = FOLD_OVERFLOW;
  return out;
}

static bool constants_compare(TOp op, int order, bool is_unordered) {
  switch ((int)op) {
  case TOP_EQ: return order == 0 && !is_unordered;
  case TOP_NE: return order != 0 || is_unordered;
  case TOP_LT: return order < 0 && !is_unordered;
  case TOP_LE: return order <= 0 && !is_unordered;
  case TOP_GT: return order > 0 && !is_unordered;
  default: return order >= 0 && !is_unordered;
  }
}

static TValue compare_values(TOp op, const Type *type, TValue a, TValue b) {
  int order;
  bool unordered = false;
  if (type_is_floating(type)) {
    order = (a.f > b.f) - (a.f < b.f);
    unordered = isnan(a.f) || isnan(b.f);
  } else if (type_is_signed(type)) {
    order = (a.i > b.i) - (a.i < b.i);
  } else {
    order = (a.u > b.u) - (a.u < b.u);
  }
  TValue out = {.u = constants_compare(op, order, unordered)};
  return out;
}

static TValue float_binary(TOp op, const Type *type, double a, double b) {
  TValue out = {.f = 0.0};
  switch ((int)op) {
  case TOP_ADD: out.f = a + b; break;
  case TOP_SUB: out.f = a - b; break;
  case TOP_MUL: out.f = a * b; break;
  default: out.f = a / b; break;
  }
  out.f = value_round(type, out.f);
  return out;
}

static TValue constants_divide(TOp op, const Type *type, TValue a, TValue b,
                               FoldProblem *problem) {
  TValue out = {.i = 0};
  if (b.u == 0) {
    *problem = FOLD_DIVIDE_BY_ZERO;
    return out;
  }
  if (!type_is_signed(type)) {
    out.u = op == TOP_DIV ? a.u / b.u : a.u % b.u;
    return out;
  }
  if (b.i == -1) {
    TValue negated = wrap_integer(type, 0 - a.u);
    *problem = a.i < 0 && negated.i < 0 ? FOLD_OVERFLOW : FOLD_OK;
    if (op == TOP_DIV)
      out = negated;
    return out;
  }
  out.i = op == TOP_DIV ? a.i / b.i : a.i % b.i;
  return out;
}

static TValue constants_shift(TOp op, const Type *type, TValue a,
                              TValue count) {
  uint32_t bits = type_bits(type);
  uint32_t n = (uint32_t)(count.u & (bits - 1));
  if (op == TOP_SHL)
    return wrap_integer(type, a.u << n);
  TValue out = a;
  if (type_is_signed(type))
    out.i = a.i >> n;
  else
    out.u = a.u >> n;
  return out;
}

static TValue add_sub_mul(TOp op, const Type *type, TValue a, TValue b,
                          FoldProblem *problem) {
  int64_t wide;
  uint64_t bits;
  bool overflow;
  if (op == TOP_ADD) {
    overflow = __builtin_add_overflow(a.i, b.i, &wide);
    bits = a.u + b.u;
  } else if (op == TOP_SUB) {
    overflow = __builtin_sub_overflow(a.i, b.i, &wide);
    bits = a.u - b.u;
  } else {
    overflow = __builtin_mul_overflow(a.i, b.i, &wide);
    bits = a.u * b.u;
  }
  TValue out = wrap_integer(type, bits);
  if (type_is_signed(type) && (overflow || out.i != wide))
    *problem = FOLD_OVERFLOW;
  return out;
}

TValue value_binary(TOp op, const Type *type, TValue left,
                    const Type *right_type, TValue right,
                    FoldProblem *problem) {
  (void)right_type;
  *problem = FOLD_OK;
  if (op >= TOP_EQ)
    return compare_values(op, type, left, right);
  if (type_is_floating(type))
    return float_binary(op, type, left.f, right.f);
  TValue out = left;
  switch ((int)op) {
  case TOP_DIV:
  case TOP_REM: return constants_divide(op, type, left, right, problem);
  case TOP_SHL:
  case TOP_SHR: return constants_shift(op, type, left, right);
  case TOP_BIT_AND: out.u = left.u & right.u; return out;
  case TOP_BIT_OR: out.u = left.u | right.u; return out;
  case TOP_BIT_XOR: out.u = left.u ^ right.u; return out;
  default: return add_sub_mul(op, type, left, right, problem);
  }
}

// --- text and bytes ---

const char *value_text(Arena *arena, const Type *type, TValue value) {
  if (type_underlying(type)->kind == TY_BOOL)
    return value.u ? "true" : "false";
  if (type_is_floating(type) || type_is_fp8(type))
    return arena_printf(arena, "%.9g", value.f);
  if (type_is_integer(type) && !type_is_signed(type))
    return arena_printf(arena, "%llu", (unsigned long long)value.u);
  return arena_printf(arena, "%lld", (long long)value.i);
}

// The bits of a value that its format holds exactly.
static uint64_t format_bits(const FloatFormat *format, int exponent_bits,
                            double value) {
  uint64_t sign = signbit(value) ? 1 : 0;
  uint64_t all_ones = (1u << exponent_bits) - 1;
  uint64_t exponent, fraction;
  double magnitude = fabs(value);
  if (isnan(value) || isinf(value)) {
    exponent = all_ones;
    fraction = isnan(value) ? 1u << (format->fraction_bits - 1) : 0;
    if (format->largest == 448.0) // e4m3 has one NaN, all ones
      fraction = 7;
  } else {
    int e = 0;
    frexp(magnitude, &e);
    bool is_normal = magnitude != 0.0 && e - 1 >= format->min_exponent;
    int scale = is_normal ? e - 1 : format->min_exponent;
    uint64_t units = (uint64_t)ldexp(magnitude, format->fraction_bits - scale);
    exponent = is_normal ? (uint64_t)(scale - format->min_exponent + 1) : 0;
    fraction = units & ((1u << format->fraction_bits) - 1);
  }
  return sign << (exponent_bits + format->fraction_bits) |
         exponent << format->fraction_bits | fraction;
}

void value_store(const Type *type, TValue value, uint8_t *bytes) {
  uint64_t bits = value.u;
  type = type_underlying(type);
  if (type->kind == TY_FLOAT) {
    float single = (float)value.f;
    uint32_t word;
    memcpy(&word, &single, sizeof(word));
    bits = word;
  } else if (float_format(type->kind)) {
    const FloatFormat *format = float_format(type->kind);
    int exponent_bits = (int)type->size_bytes * 8 - 1 - format->fraction_bits;
    bits = format_bits(format, exponent_bits, value.f);
  }
  for (uint64_t i = 0; i < type->size_bytes; i++)
    bytes[i] = (uint8_t)(bits >> (8 * i));
}

bool value_is_zero(const Type *type, TValue value) {
  if (type_is_floating(type) || type_is_fp8(type))
    return value.f == 0.0;
  return value.u == 0;
}
