// SPDX-License-Identifier: Apache-2.0
// Arithmetic on constants, exactly as the target computes.
//
// Values are TValues of arithmetic or enum type. Integers wrap where C leaves
// it open and `problem` says so; floating-point results are rounded to their
// type, to nearest even.
#ifndef HD_SEMA_TYPE_CONSTANTS_H
#define HD_SEMA_TYPE_CONSTANTS_H

#include "sema/type/typed.h"

typedef enum {
  FOLD_OK,
  FOLD_OVERFLOW,      // a signed result does not fit; the value wrapped
  FOLD_DIVIDE_BY_ZERO // no value
} FoldProblem;

// The value of type `from` converted to `to`: as C converts, out-of-range
// floats saturate and NaN becomes 0. *is_exact (may be NULL): nothing was lost.
TValue value_convert(const Type *to, const Type *from, TValue value,
                     bool *is_exact);

// TOP_NEG, TOP_BIT_NOT, TOP_NOT (of bool).
TValue value_unary(TOp op, const Type *type, TValue value,
                   FoldProblem *problem);

// Comparisons give a bool. Shift counts have the type `right_type`; elsewhere
// both operands have type `type`.
TValue value_binary(TOp op, const Type *type, TValue left,
                    const Type *right_type, TValue right, FoldProblem *problem);

// The number of a type that is no pointer, from its bits.
TValue value_of_bits(const Type *type, uint64_t bits);

// The value as text: "-3", "4294967295", "0.5", "true".
const char *value_text(Arena *arena, const Type *type, TValue value);

// Writes the bytes that the value has in memory, little-endian.
void value_store(const Type *type, TValue value, uint8_t *bytes);

// The nearest value of a floating-point type, to even; one rounding.
double value_round(const Type *type, double value);

bool value_is_zero(const Type *type, TValue value);

#endif
