// SPDX-License-Identifier: Apache-2.0
#include "sema/type/constants.h"

#include "base/float_bits.h"
#include "base/panic.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

// --- floating-point formats ---

static FloatFormat float_format(const Type *type) {
  switch ((int)type->kind) {
  case TY_HALF: return FLOAT_F16;
  case TY_BFLOAT16: return FLOAT_BF16;
  case TY_FLOAT: return FLOAT_F32;
  case TY_FP8_E4M3: return FLOAT_E4M3;
  case TY_FP8_E5M2: return FLOAT_E5M2;
  case TY_TF32: return FLOAT_TF32;
  case TY_FP4_E2M1: return FLOAT_E2M1;
  case TY_FP6_E2M3: return FLOAT_E2M3;
  case TY_FP6_E3M2: return FLOAT_E3M2;
  case TY_FP8_E8M0: return FLOAT_E8M0;
  default: break;
  }
  HD_ASSERT(type->kind == TY_DOUBLE);
  return FLOAT_F64;
}

double value_round(const Type *type, double value) {
  FloatFormat format = float_format(type);
  return float_bits_to_double(format, float_bits_from_double(format, value));
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

static bool is_signed_number(const Type *type) {
  return type_is_signed(type) ||
         (type->kind >= TY_INT1_P && type->kind <= TY_INT7_P);
}

static TValue float_to_integer(const Type *to, double value, bool *is_exact) {
  TValue out = {.i = 0};
  *is_exact = false;
  if (isnan(value))
    return out;
  double whole = trunc(value);
  int bits = (int)type_bits(to);
  bool is_signed = is_signed_number(to);
  double high = ldexp(1.0, is_signed ? bits - 1 : bits); // exclusive
  double low = is_signed ? -high : 0.0;
  if (whole >= high)
    out.u = is_signed ? (UINT64_MAX >> (64 - bits)) >> 1
                      : UINT64_MAX >> (64 - bits);
  else if (whole < low)
    out.i = is_signed ? (int64_t)low : 0;
  else if (is_signed)
    out.i = (int64_t)whole;
  else
    out.u = (uint64_t)whole;
  *is_exact = whole == value && whole < high && whole >= low;
  return out;
}

static double integer_to_float(const Type *to, const Type *from, TValue value) {
  bool is_negative = is_signed_number(from) && value.i < 0;
  FloatFormat format = float_format(to);
  uint64_t bits =
      float_bits_of_integer(format, is_negative ? 0 - value.u : value.u,
                            is_negative, ROUND_NEAREST, false);
  return float_bits_to_double(format, bits);
}

static bool is_same_integer(const Type *to, TValue a, const Type *from,
                            TValue b) {
  bool a_negative = is_signed_number(to) && a.i < 0;
  bool b_negative = is_signed_number(from) && b.i < 0;
  return a.u == b.u && a_negative == b_negative;
}

// Integers beyond the range of a packed type become its least or largest
// number.
static TValue constants_saturated(const Type *to, const Type *from,
                                  TValue value) {
  int64_t most = (INT64_C(1) << (type_bits(to) - is_signed_number(to))) - 1;
  int64_t least = is_signed_number(to) ? -most - 1 : 0;
  bool is_negative = is_signed_number(from) && value.i < 0;
  if (is_negative ? value.i < least : value.u > (uint64_t)most)
    value.i = is_negative ? least : most;
  return value;
}

TValue value_convert(const Type *to, const Type *from, TValue value,
                     bool *is_exact) {
  bool exact = true;
  TValue out = value;
  bool from_float = type_is_float_like(from);
  bool to_integer = type_is_integer(to) || type_is_packed_int(to);
  if (type_underlying(to)->kind == TY_BOOL) {
    out.u = from_float ? value.f != 0.0 : value.u != 0;
    exact = from_float ? (value.f == 0.0 || value.f == 1.0) : value.u <= 1;
  } else if (to_integer && from_float) {
    out = float_to_integer(to, value.f, &exact);
  } else if (type_is_packed_int(to)) {
    out = constants_saturated(to, from, value);
    exact = is_same_integer(to, out, from, value);
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

TValue value_of_bits(const Type *type, uint64_t bits) {
  TValue value = {.u = bits};
  uint32_t unused = 64 - type_bits(type);
  if (type_is_float_like(type))
    value.f = float_bits_to_double(float_format(type), bits);
  else if (is_signed_number(type))
    value.i = (int64_t)(bits << unused) >> unused;
  return value;
}

// --- text and bytes ---

const char *value_text(Arena *arena, const Type *type, TValue value) {
  if (type_underlying(type)->kind == TY_BOOL)
    return value.u ? "true" : "false";
  if (type_is_float_like(type))
    return arena_printf(arena, "%.9g", value.f);
  if (type_is_integer(type) && !type_is_signed(type))
    return arena_printf(arena, "%llu", (unsigned long long)value.u);
  return arena_printf(arena, "%lld", (long long)value.i);
}

void value_store(const Type *type, TValue value, uint8_t *bytes) {
  uint64_t bits = value.u;
  type = type_underlying(type);
  if (type_is_float_like(type))
    bits = float_bits_from_double(float_format(type), value.f);
  else if (type_is_packed_int(type))
    bits &= (UINT64_C(1) << type_bits(type)) - 1;
  for (uint64_t i = 0; i < type->size_bytes; i++)
    bytes[i] = (uint8_t)(bits >> (8 * i));
}

bool value_is_zero(const Type *type, TValue value) {
  if (type_is_float_like(type))
    return value.f == 0.0;
  return value.u == 0;
}
