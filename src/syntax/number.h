// SPDX-License-Identifier: Apache-2.0
// What the text of a number means.
#ifndef HD_SYNTAX_NUMBER_H
#define HD_SYNTAX_NUMBER_H

#include "diag/diag.h"
#include "syntax/ast.h"

typedef struct {
  const char *text; // without separators; shortened if there is a problem
  // Why it is no number, with the code that says so (whose arguments are `text`
  // and this); NULL: it is one.
  const char *problem;
  DiagId problem_id;
  bool is_float;
  // Integers:
  uint64_t value;
  uint8_t base;    // 2, 8, 10, 16
  uint8_t n_longs; // 0, 1, 2
  bool is_unsigned;
  // Floats: as Expr.u.float_lit.
  double float_value;
  const char *digits;
  FloatSuffix suffix;
} NumberValue;

// `text` is a pp-number, `length` bytes.
NumberValue number_read(Arena *arena, const char *text, size_t length);

#endif
