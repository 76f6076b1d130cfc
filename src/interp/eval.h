// SPDX-License-Identifier: Apache-2.0
// Operations on scalars, exactly as ops.def says.
//
// A scalar is held in 64 bits: integers zero-extended, bool 0 or 1, floats as
// their IEEE bits, pointers as addresses.
#ifndef HD_INTERP_EVAL_H
#define HD_INTERP_EVAL_H

#include "ir/form/ir.h"

static inline uint64_t eval_mask(uint32_t bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline int64_t eval_signed(uint64_t value, uint32_t bits) {
  if (bits >= 64)
    return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((value ^ sign) - sign);
}

// Any scalar operation of the table without attributes. `from` is the type of
// operand 0 and `to` that of the result; operands that don't exist are 0.
uint64_t eval_scalar(IrOp op, IrTypeKind from, IrTypeKind to, uint64_t a,
                     uint64_t b, uint64_t c);

// The parts of it, by the kind of operand 0.
uint64_t eval_int(IrOp op, uint32_t bits, uint64_t a, uint64_t b);
// dot4, its kin and dot2.
uint64_t eval_dot(IrOp op, uint64_t sum, uint64_t a, uint64_t b);
uint64_t eval_float(IrOp op, IrTypeKind kind, uint64_t a, uint64_t b,
                    uint64_t c);
float eval_math_f32(IrOp op, float a, float b);
double eval_math_f64(IrOp op, double a, double b);
uint64_t eval_convert(IrOp op, IrTypeKind from, IrTypeKind to, uint64_t a);

// Exact value of a float's bits, and rounding to nearest even.
double eval_to_double(IrTypeKind kind, uint64_t bits);
uint64_t eval_from_double(IrTypeKind kind, double value);

// The new value of memory that holds `old` after an atomic operation.
uint64_t eval_rmw(IrRmw rmw, IrTypeKind kind, uint64_t old, uint64_t value);

#endif
