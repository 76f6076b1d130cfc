// SPDX-License-Identifier: Apache-2.0
#include "ir/form/cast.h"

#include "ir/form/float_format.h"
#include <math.h>

IrCast ir_cast_of(const IrModule *module, const IrNode *node) {
  return (IrCast){.from = ir_element_type(module, node->args[0]->type),
                  .to = ir_element_type(module, node->type),
                  .rounding = (CastRounding)node->u.tile.numbers[0],
                  .flags = (uint32_t)node->u.tile.numbers[1],
                  .is_unsigned = node->flags & NODE_UNSIGNED};
}

// ------------------------------------------------------------------ types

bool ir_is_float_like(IrType type) {
  if (type.lanes != 1)
    return false;
  return (type.kind >= IR_TYPE_F16 && type.kind <= IR_TYPE_E8M0);
}

bool ir_casts_to(IrType type) {
  return type.lanes == 1 && (ir_is_float_like(type) || ir_type_is_int(type) ||
                             ir_type_is_packed_int(type));
}

bool ir_casts_from(IrType type) {
  return ir_casts_to(type) || (type.kind == IR_TYPE_BOOL && type.lanes == 1);
}

static bool cast_is_signed(const IrCast *cast, IrType type) {
  if (type.kind == IR_TYPE_BOOL || type.kind >= IR_TYPE_U1)
    return false;
  return type.kind >= IR_TYPE_S1 || !cast->is_unsigned;
}

// --------------------------------------------------------------- integers

// -2^63 to 2^64 - 1: what all integers have.
typedef struct {
  uint64_t magnitude;
  bool is_negative;
} Whole;

static Whole whole_of(const IrCast *cast, uint64_t bits) {
  uint32_t width = ir_type_bits(cast->from);
  uint64_t sign = UINT64_C(1) << (width - 1);
  uint64_t rest = width < 64 ? bits & ((sign << 1) - 1) : bits;
  if (!cast_is_signed(cast, cast->from) || !(rest & sign))
    return (Whole){rest, false};
  return (Whole){(sign - (rest & (sign - 1))), true};
}

static uint64_t cast_low_bits(IrType type, uint64_t bits) {
  uint32_t width = ir_type_bits(type);
  return width < 64 ? bits & ((UINT64_C(1) << width) - 1) : bits;
}

static uint64_t whole_bits(IrType type, Whole x) {
  return cast_low_bits(type,
                       x.is_negative ? UINT64_C(0) - x.magnitude : x.magnitude);
}

static uint64_t whole_saturated(const IrCast *cast, Whole x) {
  uint32_t width = ir_type_bits(cast->to);
  bool is_signed = cast_is_signed(cast, cast->to);
  uint64_t most = is_signed     ? (UINT64_C(1) << (width - 1)) - 1
                  : width == 64 ? UINT64_MAX
                                : (UINT64_C(1) << width) - 1;
  uint64_t least = is_signed ? most + 1 : 0; // the magnitude
  uint64_t limit = x.is_negative ? least : most;
  if (x.magnitude > limit)
    x.magnitude = limit;
  return whole_bits(cast->to, x);
}

static uint64_t cast_int_to_int(const IrCast *cast, Whole x) {
  bool wraps =
      !ir_type_is_packed_int(cast->to) || (cast->flags & CAST_WRAPS) != 0;
  return wraps ? whole_bits(cast->to, x) : whole_saturated(cast, x);
}

// ------------------------------------------------------------------ floats

static FloatRounding float_rounding(CastRounding rounding) {
  switch (rounding) {
  case CAST_DEFAULT:
  case CAST_NEAREST: return ROUND_NEAREST;
  case CAST_TO_ZERO: return ROUND_TO_ZERO;
  case CAST_UP: return ROUND_UP;
  case CAST_DOWN: return ROUND_DOWN;
  case CAST_ROUNDING_COUNT: break;
  }
  HD_PANIC("there is no rounding %d", (int)rounding);
}

static double rounded_to_whole(CastRounding rounding, double value) {
  switch (rounding) {
  case CAST_NEAREST: return nearbyint(value);
  case CAST_UP: return ceil(value);
  case CAST_DOWN: return floor(value);
  case CAST_DEFAULT:
  case CAST_TO_ZERO:
  case CAST_ROUNDING_COUNT: break;
  }
  return trunc(value);
}

static uint64_t cast_float_to_int(const IrCast *cast, double value) {
  if (isnan(value))
    return 0;
  value = rounded_to_whole(cast->rounding, value);
  double magnitude = fabs(value);
  Whole x = {.is_negative = value < 0};
  x.magnitude = magnitude < 0x1p64 ? (uint64_t)magnitude : UINT64_MAX;
  return whole_saturated(cast, x);
}

uint64_t ir_cast_bits(const IrCast *cast, uint64_t bits) {
  bool overflows = cast->flags & CAST_OVERFLOWS;
  if (!ir_is_float_like(cast->from)) {
    Whole x = whole_of(cast, bits);
    return ir_is_float_like(cast->to)
               ? float_bits_of_integer(
                     ir_float_format(cast->to), x.magnitude, x.is_negative,
                     float_rounding(cast->rounding), overflows)
               : cast_int_to_int(cast, x);
  }
  if (ir_type_equal(cast->from, cast->to))
    return bits;
  double value = float_bits_to_double(ir_float_format(cast->from), bits);
  if (!ir_is_float_like(cast->to))
    return cast_float_to_int(cast, value);
  return float_bits_round(ir_float_format(cast->to), value,
                          float_rounding(cast->rounding), overflows);
}
