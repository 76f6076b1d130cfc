// SPDX-License-Identifier: Apache-2.0
// The conversions of a printf format, as the IR allows them: flags, a width
// and a precision of at most three digits or '*' each, no '%s' or '%n'.
#ifndef HD_IR_FORM_FORMAT_H
#define HD_IR_FORM_FORMAT_H

#include "ir/form/ir.h"

enum { IR_FORMAT_MOST = 999 };

typedef struct {
  const char *begin; // the '%'
  size_t length;     // up to and with the letter
  char letter;       // '%' for a literal per cent sign, which takes no operand
  IrTypeKind type;   // I32, I64, F64 or PTR
  // '*': so many operands, I32 of at most IR_FORMAT_MOST in size, stand before
  // the value.
  uint32_t n_stars;
} IrFormatPart;

// Finds the next conversion at or after `*at` and moves `*at` behind it. False
// at the end of the text; `part->letter` is 0 when the conversion is not
// allowed.
bool ir_format_next(const char **at, IrFormatPart *part);

#endif
