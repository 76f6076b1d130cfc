// SPDX-License-Identifier: Apache-2.0
// Conversions, atomics, and the choice of the right evaluator.
#include "interp/eval.h"
#include "base/panic.h"
#include <math.h>
#include <string.h>

static uint32_t eval_bits_of(IrTypeKind kind) {
  return ir_type_bits(ir_scalar(kind));
}

static bool eval_is_float(IrTypeKind kind) {
  return kind >= IR_TYPE_F16 && kind <= IR_TYPE_E5M2;
}

// ----------------------------------------------------------- conversions

// A magnitude of 64 bits as a double that rounds to any narrower float as the
// integer itself would: bits beyond 53 only set the last one (round to odd).
static double magnitude_to_double(uint64_t magnitude) {
  if (magnitude >> 53 == 0)
    return (double)magnitude;
  uint64_t sticky = (magnitude & 0x7ff) != 0;
  return ldexp((double)(magnitude >> 11 | sticky), 11);
}

static uint64_t eval_int_to_float(IrTypeKind to, uint64_t magnitude,
                                  bool is_negative) {
  if (to == IR_TYPE_F64) { // the C conversion rounds once
    double value = (double)magnitude;
    return eval_from_double(to, is_negative ? -value : value);
  }
  double value = magnitude_to_double(magnitude);
  return eval_from_double(to, is_negative ? -value : value);
}

static uint64_t signed_to_float(IrTypeKind from, IrTypeKind to, uint64_t a) {
  int64_t value = eval_signed(a, eval_bits_of(from));
  uint64_t magnitude =
      value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
  return eval_int_to_float(to, magnitude, value < 0);
}

static uint64_t float_to_signed(double value, uint32_t bits) {
  double limit = ldexp(1.0, (int)bits - 1);
  if (isnan(value))
    return 0;
  if (value >= limit)
    return eval_mask(bits) >> 1;
  if (value < -limit)
    return UINT64_C(1) << (bits - 1);
  return (uint64_t)(int64_t)value & eval_mask(bits);
}

static uint64_t float_to_unsigned(double value, uint32_t bits) {
  if (isnan(value) || value <= 0)
    return 0;
  if (value >= ldexp(1.0, (int)bits))
    return eval_mask(bits);
  return (uint64_t)value;
}

uint64_t eval_convert(IrOp op, IrTypeKind from, IrTypeKind to, uint64_t a) {
  uint32_t bits = eval_bits_of(to);
  switch (ir_convert_op(op)) {
  case IR_TRUNC: return a & eval_mask(bits);
  case IR_ZEXT: return a;
  case IR_SEXT:
    return (uint64_t)eval_signed(a, eval_bits_of(from)) & eval_mask(bits);
  case IR_STOF: return signed_to_float(from, to, a);
  case IR_UTOF: return eval_int_to_float(to, a, false);
  case IR_FTOS: return float_to_signed(eval_to_double(from, a), bits);
  case IR_FTOU: return float_to_unsigned(eval_to_double(from, a), bits);
  case IR_FCAST:
    return from == to ? a : eval_from_double(to, eval_to_double(from, a));
  case IR_BITCAST: break; // machine_bitcast
  }
  HD_PANIC("%s converts no numbers", ir_op_table[op].text);
}

// -------------------------------------------------------------- atomics

static IrOp operation_of(IrRmw rmw, bool for_float) {
  switch (rmw) {
  case RMW_ADD: return IR_ADD;
  case RMW_SUB: return IR_SUB;
  case RMW_SMIN: return for_float ? IR_FMIN : IR_SMIN;
  case RMW_SMAX: return for_float ? IR_FMAX : IR_SMAX;
  case RMW_UMIN: return IR_UMIN;
  case RMW_UMAX: return IR_UMAX;
  case RMW_AND: return IR_AND;
  case RMW_OR: return IR_OR;
  case RMW_XOR: return IR_XOR;
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  HD_PANIC("atomic operation %d is not an operation of the table", (int)rmw);
}

uint64_t eval_rmw(IrRmw rmw, IrTypeKind kind, uint64_t old, uint64_t value) {
  if (rmw == RMW_EXCH)
    return value;
  if (rmw == RMW_INC)
    return old >= value ? 0 : old + 1;
  if (rmw == RMW_DEC)
    return old == 0 || old > value ? value : old - 1;
  IrOp op = operation_of(rmw, eval_is_float(kind));
  if (eval_is_float(kind))
    return eval_float(op, kind, old, value, 0);
  return eval_int(op, eval_bits_of(kind), old, value);
}

// ------------------------------------------------------------------- all

uint64_t eval_scalar(IrOp op, IrTypeKind from, IrTypeKind to, uint64_t a,
                     uint64_t b, uint64_t c) {
  if (ir_op_table[op].family == FAMILY_CONVERT)
    return eval_convert(op, from, to, a);
  if (op == IR_PTR_ADD)
    return a + b;
  if (op == IR_PTR_DIFF)
    return a - b;
  if (eval_is_float(from))
    return eval_float(op, from, a, b, c);
  if (op == IR_DOT4 || op == IR_DOT4_S || op == IR_DOT4_U || op == IR_DOT2)
    return eval_dot(op, a, b, c);
  return eval_int(op, eval_bits_of(from), a, b);
}
