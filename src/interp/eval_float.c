// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic, each operation rounded once to nearest even.
#include "base/panic.h"
#include "interp/eval.h"
#include "ir/form/float_format.h"
#include <math.h>
#include <string.h>

static float as_f32(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

static uint64_t f32_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double as_f64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t f64_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

double eval_to_double(IrTypeKind kind, uint64_t bits) {
  if (kind == IR_TYPE_F32)
    return as_f32(bits);
  if (kind == IR_TYPE_F64)
    return as_f64(bits);
  return float_bits_to_double(ir_float_format(ir_scalar(kind)), bits);
}

uint64_t eval_from_double(IrTypeKind kind, double value) {
  if (kind == IR_TYPE_F64)
    return f64_bits(value);
  return float_bits_from_double(ir_float_format(ir_scalar(kind)), value);
}

// ------------------------------------------------------------------- fma
// Note [fma of narrow types]: the product of two 11-bit numbers is exact in
// double, but adding c may round, and rounding again to the narrow type may go
// the wrong way when the first result lies exactly between two numbers.
// Rounding the sum to odd instead (an inexact result gets an odd last bit)
// keeps it off those points (Boldo and Melquiond, "Emulation of FMA and
// correctly rounded sums", 2008).

static double sum_to_odd(double x, double y) {
  double sum = x + y;
  double y_part = sum - x;
  double error = (x - (sum - y_part)) + (y - y_part);
  uint64_t bits = f64_bits(sum);
  if (error == 0 || isnan(error) || isinf(sum) || bits & 1)
    return sum;
  bool away = (error > 0) == (sum > 0);
  return as_f64(away ? bits + 1 : bits - 1);
}

static uint64_t eval_float_fused(IrTypeKind kind, uint64_t a, uint64_t b,
                                 uint64_t c) {
  if (kind == IR_TYPE_F32)
    return f32_bits(fmaf(as_f32(a), as_f32(b), as_f32(c)));
  if (kind == IR_TYPE_F64)
    return f64_bits(fma(as_f64(a), as_f64(b), as_f64(c)));
  double product = eval_to_double(kind, a) * eval_to_double(kind, b);
  return eval_from_double(kind, sum_to_odd(product, eval_to_double(kind, c)));
}

// The halves of `a` and `b`, the lower ones first.
static uint64_t eval_float_dot(uint64_t sum, uint64_t a, uint64_t b) {
  for (uint32_t at = 0; at < 32; at += 16) {
    uint64_t x = (a >> at & 0xffff) << 16, y = (b >> at & 0xffff) << 16;
    sum = eval_float_fused(IR_TYPE_F32, x, y, sum);
  }
  return sum;
}

// ----------------------------------------------------------- by the bits

static uint64_t sign_bit(IrTypeKind kind) {
  return UINT64_C(1) << (ir_type_bits(ir_scalar(kind)) - 1);
}

// The neighbour of `a` towards `b`, in the type itself.
static uint64_t eval_float_neighbour(IrTypeKind kind, uint64_t a, uint64_t b) {
  double x = eval_to_double(kind, a), y = eval_to_double(kind, b);
  uint64_t sign = sign_bit(kind);
  if (isnan(x) || isnan(y))
    return eval_from_double(kind, NAN);
  if (x == y)
    return b;
  if (x == 0)
    return (y < 0 ? sign : 0) | 1;
  bool grows = (y > x) == (x > 0);
  return grows ? a + 1 : a - 1;
}

static bool float_test(IrOp op, IrTypeKind kind, uint64_t a, uint64_t b) {
  double x = eval_to_double(kind, a), y = eval_to_double(kind, b);
  switch ((int)op) {
  case IR_FEQ: return x == y;
  case IR_FNE: return x != y;
  case IR_FLT: return x < y;
  case IR_FLE: return x <= y;
  case IR_ISNAN: return isnan(x);
  case IR_ISINF: return isinf(x);
  case IR_ISFINITE: return isfinite(x);
  default: HD_PANIC("%s is not a test of floats", ir_op_table[op].text);
  }
}

// ------------------------------------------------------------ arithmetic

// Double holds every narrow operand exactly, and has more than twice the
// digits of half and bfloat16: rounding these results twice can't go wrong.
static double arithmetic_f64(IrOp op, double a, double b) {
  switch ((int)op) {
  case IR_ADD: return a + b;
  case IR_SUB: return a - b;
  case IR_MUL: return a * b;
  case IR_FDIV:
  case IR_FAST_DIV: return a / b;
  default: return eval_math_f64(op, a, b);
  }
}

static float arithmetic_f32(IrOp op, float a, float b) {
  switch ((int)op) {
  case IR_ADD: return a + b;
  case IR_SUB: return a - b;
  case IR_MUL: return a * b;
  case IR_FDIV:
  case IR_FAST_DIV: return a / b;
  default: return eval_math_f32(op, a, b);
  }
}

// Narrow types: + - * / sqrt and rounding through double, which is exact
// enough; mathematics as the function of float, then rounded.
static uint64_t eval_float_narrow(IrOp op, IrTypeKind kind, uint64_t a,
                                  uint64_t b) {
  double x = eval_to_double(kind, a), y = eval_to_double(kind, b);
  bool is_exact = op == IR_ADD || op == IR_SUB || op == IR_MUL ||
                  op == IR_FDIV || op == IR_SQRT || op == IR_FREM ||
                  op == IR_REMAINDER || op == IR_LDEXP;
  double result = is_exact ? arithmetic_f64(op, x, y)
                           : (double)arithmetic_f32(op, (float)x, (float)y);
  return eval_from_double(kind, result);
}

uint64_t eval_float(IrOp op, IrTypeKind kind, uint64_t a, uint64_t b,
                    uint64_t c) {
  uint64_t sign = sign_bit(kind);
  switch ((int)op) {
  case IR_FMA: return eval_float_fused(kind, a, b, c);
  case IR_FDOT2: return eval_float_dot(a, b, c);
  case IR_NEG: return a ^ sign;
  case IR_FABS: return a & ~sign;
  case IR_COPYSIGN: return (a & ~sign) | (b & sign);
  case IR_SIGNBIT: return (a & sign) != 0;
  case IR_NEXTAFTER: return eval_float_neighbour(kind, a, b);
  case IR_FEQ:
  case IR_FNE:
  case IR_FLT:
  case IR_FLE:
  case IR_ISNAN:
  case IR_ISINF:
  case IR_ISFINITE: return float_test(op, kind, a, b);
  case IR_ILOGB: return (uint32_t)ilogb(eval_to_double(kind, a));
  case IR_LDEXP: {
    int n = (int)eval_signed(b, 32);
    if (kind == IR_TYPE_F32)
      return f32_bits(ldexpf(as_f32(a), n));
    return eval_from_double(kind, ldexp(eval_to_double(kind, a), n));
  }
  default: break;
  }
  if (kind == IR_TYPE_F32)
    return f32_bits(arithmetic_f32(op, as_f32(a), as_f32(b)));
  if (kind == IR_TYPE_F64)
    return f64_bits(arithmetic_f64(op, as_f64(a), as_f64(b)));
  return eval_float_narrow(op, kind, a, b);
}
