// SPDX-License-Identifier: Apache-2.0
// What a tile_cast makes of a number, for every pair of types.
#ifndef HD_IR_FORM_CAST_H
#define HD_IR_FORM_CAST_H

#include "ir/form/ir.h"

// numbers[0] of tile_cast.
typedef enum {
  CAST_DEFAULT, // nearest even to floats, toward zero to integers
  CAST_NEAREST,
  CAST_TO_ZERO,
  CAST_UP,
  CAST_DOWN,
  CAST_ROUNDING_COUNT
} CastRounding;

// Bits of numbers[1] of tile_cast.
enum { CAST_OVERFLOWS = 1, CAST_WRAPS = 2 };

typedef struct {
  IrType from, to;
  CastRounding rounding;
  uint32_t flags;
  bool is_unsigned; // integers that don't say it themselves
} IrCast;

IrCast ir_cast_of(const IrModule *module, const IrNode *node);

// Types that a cast goes between: numbers, to one that is no bool.
bool ir_casts_from(IrType type);
bool ir_casts_to(IrType type);
bool ir_is_float_like(IrType type); // floats, fp8, narrow floats

// The bits of the result; the bits of integers above their width are zero.
uint64_t ir_cast_bits(const IrCast *cast, uint64_t bits);

#endif
