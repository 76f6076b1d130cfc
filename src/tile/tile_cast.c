// SPDX-License-Identifier: Apache-2.0
// tile_cast of one element, in operations that back ends have.
//
// Note [Casts by way of float]
// What is rounded to fewer than 12 bits goes through float, rounded to odd: a
// result that isn't exact gets an odd last bit, which keeps it off all halves
// and whole units of the shorter format, so any second rounding is right
// (Boldo and Melquiond, 2008). The rounding itself works on the bits. What is
// rounded to float or double is rounded to nearest, compared with the operand,
// and moved to the neighbour where the mode wants that.
#include "base/panic.h"
#include "ir/form/cast.h"
#include "tile/tile_parts.h"

static const IrType type_i8 = {.kind = IR_TYPE_I8, .lanes = 1};
static const IrType type_i16 = {.kind = IR_TYPE_I16, .lanes = 1};
static const IrType type_f32 = {.kind = IR_TYPE_F32, .lanes = 1};
static const IrType type_f64 = {.kind = IR_TYPE_F64, .lanes = 1};

// -------------------------------------------------------------- small nodes

static IrNode *tile_cast_to(Lower *t, IrOp op, IrType type, IrNode *a) {
  return put_node(t, op, type, 1, a);
}

static IrNode *tile_cast_bits(Lower *t, IrNode *a, IrType type) {
  return ir_type_equal(a->type, type) ? a
                                      : tile_cast_to(t, IR_BITCAST, type, a);
}

static IrNode *cast_int(Lower *t, IrOp op, IrNode *a, uint64_t b) {
  return put_two(t, op, a, put_const(t, a->type, b));
}

static IrNode *cast_is(Lower *t, IrOp op, IrNode *a, uint64_t b) {
  return put_test(t, op, a, put_const(t, a->type, b));
}

// 2^exponent, from -1022 to 1023.
static IrNode *cast_power(Lower *t, IrType type, int exponent) {
  bool is_single = type.kind == IR_TYPE_F32;
  return put_const(t, type,
                   is_single ? (uint64_t)(exponent + 127) << 23
                             : (uint64_t)(exponent + 1023) << 52);
}

IrNode *cast_physical(Lower *t, IrNode *value) {
  if (!ir_type_is_narrow(value->type))
    return value;
  IrType type = ir_memory_type(value->type);
  return value->op == IR_CONST ? put_const(t, type, value->u.constant.bits)
                               : tile_cast_to(t, IR_BITCAST, type, value);
}

// An integer resized to `type`.
static IrNode *cast_resized(Lower *t, IrNode *value, IrType type,
                            bool is_signed) {
  uint32_t have = ir_type_bits(value->type), want = ir_type_bits(type);
  if (have == want)
    return value;
  return tile_cast_to(t,
                      want < have ? IR_TRUNC
                      : is_signed ? IR_SEXT
                                  : IR_ZEXT,
                      type, value);
}

// ----------------------------------------------------------------- formats

typedef struct {
  unsigned exponent_bits, mantissa_bits;
  int bias;
  uint32_t largest, infinity, nan; // magnitudes; infinity: what overflow gives
  bool stops;                      // overflow of any rounding is the largest
  bool has_nan;                    // else it is +largest
} CastFormat;

static CastFormat cast_format(const IrCast *cast) {
  bool overflows = cast->flags & CAST_OVERFLOWS;
  switch ((int)cast->to.kind) {
  case IR_TYPE_F16:
    return (CastFormat){5, 10, 15, 0x7bff, 0x7c00, 0x7e00, false, true};
  case IR_TYPE_BF16:
    return (CastFormat){8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0, false, true};
  case IR_TYPE_TF32:
    return (CastFormat){8, 10, 127, 0x3fbff, 0x3fc00, 0x3fe00, false, true};
  case IR_TYPE_E4M3:
    return (CastFormat){4, 3, 7, 0x7e, 0x7f, 0x7f, !overflows, true};
  case IR_TYPE_E5M2:
    return (CastFormat){5, 2, 15, 0x7b, 0x7c, 0x7e, !overflows, true};
  case IR_TYPE_E2M1: return (CastFormat){2, 1, 1, 7, 7, 7, true, false};
  case IR_TYPE_E2M3: return (CastFormat){2, 3, 1, 31, 31, 31, true, false};
  case IR_TYPE_E3M2: return (CastFormat){3, 2, 3, 31, 31, 31, true, false};
  default: HD_PANIC("type %d is not cast by its bits", cast->to.kind);
  }
}

// ---------------------------------------------------------- to f32 and ints

// 2^(bits - 127); 0 is the subnormal 2^-127.
static IrNode *cast_from_e8m0(Lower *t, IrNode *bits) {
  IrNode *power = cast_int(t, IR_SHL, bits, 23);
  power =
      put_select(t, cast_is(t, IR_EQ, bits, 0), put_i32(t, 0x400000), power);
  power = put_select(t, cast_is(t, IR_EQ, bits, 255), put_i32(t, 0x7fc00000),
                     power);
  return tile_cast_bits(t, power, type_f32);
}

// The fields moved into place; the multiplication, which is exact, corrects the
// exponent, also of subnormals.
static IrNode *cast_from_narrow(Lower *t, const IrCast *cast, IrNode *value) {
  IrNode *bits = cast_resized(t, value, put_type_i32, false);
  if (cast->from.kind == IR_TYPE_E8M0)
    return cast_from_e8m0(t, bits);
  IrCast as = {.to = cast->from};
  CastFormat f = cast_format(&as);
  unsigned width = f.exponent_bits + f.mantissa_bits;
  IrNode *magnitude = cast_int(t, IR_AND, bits, (1u << width) - 1);
  IrNode *sign = cast_int(t, IR_SHL, cast_int(t, IR_LSHR, bits, width), 31);
  IrNode *placed = cast_int(t, IR_SHL, magnitude, 23 - f.mantissa_bits);
  IrNode *real = put_two(t, IR_MUL, tile_cast_bits(t, placed, type_f32),
                         cast_power(t, type_f32, 127 - f.bias));
  real = put_two(t, IR_OR, tile_cast_bits(t, real, put_type_i32), sign);
  return tile_cast_bits(t, real, type_f32);
}

static bool cast_has_sign(const IrCast *cast, IrType type) {
  if (ir_type_is_packed_int(type))
    return type.kind < IR_TYPE_U1;
  return type.kind != IR_TYPE_BOOL && !cast->is_unsigned;
}

// Floats become f32 or f64 without loss, integers one of at least 32 bits.
static IrNode *cast_widened(Lower *t, const IrCast *cast, IrNode *value) {
  IrType from = cast->from;
  if (from.kind == IR_TYPE_F64 || from.kind == IR_TYPE_F32 ||
      from.kind == IR_TYPE_TF32)
    return value;
  if (ir_is_float_like(from))
    return ir_type_is_narrow(from) ? cast_from_narrow(t, cast, value)
                                   : tile_cast_to(t, IR_FCAST, type_f32, value);
  bool is_signed = cast_has_sign(cast, from);
  if (ir_type_bits(value->type) < 32)
    value = cast_resized(t, value, put_type_i32,
                         is_signed && !ir_type_is_packed_int(from));
  if (!ir_type_is_packed_int(from) || !is_signed)
    return value;
  uint32_t unused = 32 - ir_type_bits(from);
  return cast_int(t, IR_ASHR, cast_int(t, IR_SHL, value, unused), unused);
}

// -------------------------------------------------------------- to integers

static IrNode *cast_whole(Lower *t, const IrCast *cast, IrNode *value) {
  switch (cast->rounding) {
  case CAST_NEAREST: return tile_cast_to(t, IR_RINT, value->type, value);
  case CAST_UP: return tile_cast_to(t, IR_CEIL, value->type, value);
  case CAST_DOWN: return tile_cast_to(t, IR_FLOOR, value->type, value);
  case CAST_DEFAULT:
  case CAST_TO_ZERO:
  case CAST_ROUNDING_COUNT: break;
  }
  return value; // what follows cuts
}

static IrNode *cast_packed_bits(Lower *t, const IrCast *cast, IrNode *value) {
  uint32_t width = ir_type_bits(cast->to);
  return cast_int(t, IR_AND, cast_resized(t, value, type_i8, false),
                  (1u << width) - 1);
}

static IrNode *cast_clamped(Lower *t, const IrCast *cast, IrNode *value,
                            bool is_signed) {
  uint32_t width = ir_type_bits(cast->to);
  bool to_signed = cast_has_sign(cast, cast->to);
  int64_t most = (INT64_C(1) << (to_signed ? width - 1 : width)) - 1;
  int64_t least = to_signed ? -most - 1 : 0;
  if (!is_signed)
    return cast_int(t, IR_UMIN, value, (uint64_t)most);
  value = cast_int(t, IR_SMAX, value, (uint64_t)least);
  return cast_int(t, IR_SMIN, value, (uint64_t)most);
}

static IrNode *cast_to_int(Lower *t, const IrCast *cast, IrNode *value) {
  bool is_packed = ir_type_is_packed_int(cast->to);
  bool is_signed = cast_has_sign(cast, cast->from);
  if (ir_is_float_like(cast->from)) {
    value = cast_whole(t, cast, value);
    if (!is_packed)
      return tile_cast_to(t, cast->is_unsigned ? IR_FTOU : IR_FTOS, cast->to,
                          value);
    value = tile_cast_to(t, IR_FTOS, put_type_i32, value);
    is_signed = true;
  } else if (!is_packed) {
    return cast_resized(t, value, cast->to, is_signed);
  }
  bool wraps = (cast->flags & CAST_WRAPS) && !ir_is_float_like(cast->from);
  if (!wraps)
    value = cast_clamped(t, cast, value, is_signed);
  return cast_packed_bits(t, cast, value);
}

// --------------------------------------------------- to short floats: by bits

// f64 to f32, rounded to odd.
static IrNode *cast_odd_f64(Lower *t, IrNode *value) {
  IrNode *near = tile_cast_to(t, IR_FCAST, type_f32, value);
  IrNode *back = tile_cast_to(t, IR_FCAST, type_f64, near);
  IrNode *is_above =
      put_test(t, IR_FLT, tile_cast_to(t, IR_FABS, type_f64, value),
               tile_cast_to(t, IR_FABS, type_f64, back));
  IrNode *is_same = put_test(t, IR_FEQ, back, value);
  IrNode *bits = tile_cast_bits(t, near, put_type_i32);
  bits = put_select(t, is_above, cast_int(t, IR_SUB, bits, 1), bits);
  IrNode *odd = cast_int(t, IR_OR, bits, 1);
  bits = put_select(t, is_same, bits, odd);
  IrNode *is_nan = tile_cast_to(t, IR_ISNAN, put_bool, value);
  return put_select(t, is_nan, near, tile_cast_bits(t, bits, type_f32));
}

// Of 64 bits those that don't fit in a double only mark the last one.
static IrNode *cast_odd_int(Lower *t, IrNode *value, bool is_signed) {
  if (value->type.kind == IR_TYPE_I64) {
    IrNode *rest = cast_int(t, IR_AND, value, 0xfff);
    IrNode *mark = put_select(t, cast_is(t, IR_NE, rest, 0), put_i64(t, 0x1000),
                              put_i64(t, 0));
    IrNode *cut =
        put_two(t, IR_OR, cast_int(t, IR_AND, value, ~UINT64_C(0xfff)), mark);
    IrNode *high = cast_int(t, IR_ASHR, value, 52);
    IrNode *fits = cast_is(t, IR_EQ, high, 0);
    if (is_signed)
      fits = put_two(t, IR_OR, fits, cast_is(t, IR_EQ, high, UINT64_MAX));
    value = put_select(t, fits, value, cut);
  }
  return tile_cast_to(t, is_signed ? IR_STOF : IR_UTOF, type_f64, value);
}

static IrNode *cast_odd_f32(Lower *t, const IrCast *cast, IrNode *value) {
  if (!ir_is_float_like(cast->from))
    value = cast_odd_int(t, value, cast_has_sign(cast, cast->from));
  return value->type.kind == IR_TYPE_F64 ? cast_odd_f64(t, value) : value;
}

// Whether the magnitude is rounded up whatever is lost, a bool; NULL: never.
static IrNode *cast_goes_away(Lower *t, CastRounding rounding,
                              IrNode *is_negative) {
  if (rounding == CAST_DOWN)
    return is_negative;
  if (rounding == CAST_UP)
    return put_two(t, IR_XOR, is_negative, put_const(t, put_bool, 1));
  return NULL;
}

static bool cast_is_near(CastRounding rounding) {
  return rounding == CAST_DEFAULT || rounding == CAST_NEAREST;
}

// The bits of a normal number, cut; wrong for others.
static IrNode *cast_cut_normal(Lower *t, const CastFormat *f,
                               CastRounding rounding, IrNode *magnitude,
                               IrNode *away) {
  unsigned cut = 23 - f->mantissa_bits;
  IrNode *bits =
      cast_int(t, IR_SUB, magnitude, (uint64_t)(127 - f->bias) << 23);
  if (cast_is_near(rounding)) {
    IrNode *odd = cast_int(t, IR_AND, cast_int(t, IR_LSHR, magnitude, cut), 1);
    bits = put_two(t, IR_ADD, bits, odd);
    bits = cast_int(t, IR_ADD, bits, (1u << (cut - 1)) - 1);
  } else if (away) {
    bits =
        put_two(t, IR_ADD, bits,
                put_select(t, away, put_i32(t, (1 << cut) - 1), put_i32(t, 0)));
  }
  return cast_int(t, IR_LSHR, bits, cut);
}

// Likewise of a subnormal one, below 2^(1 - bias): a number of units.
static IrNode *cast_cut_subnormal(Lower *t, const CastFormat *f,
                                  CastRounding rounding, IrNode *magnitude,
                                  IrNode *away) {
  int scale = (int)f->mantissa_bits + f->bias - 1;
  IrNode *units = put_two(t, IR_MUL, tile_cast_bits(t, magnitude, type_f32),
                          cast_power(t, type_f32, scale));
  if (cast_is_near(rounding))
    units = tile_cast_to(t, IR_RINT, type_f32, units);
  else if (away)
    units =
        put_select(t, away, tile_cast_to(t, IR_CEIL, type_f32, units), units);
  return tile_cast_to(t, IR_FTOS, put_type_i32, units);
}

// What a number beyond the largest becomes. Infinity never stops, but where
// every overflow does.
static IrNode *cast_overflow(Lower *t, const CastFormat *f,
                             CastRounding rounding, IrNode *magnitude,
                             IrNode *away) {
  if (f->stops)
    return put_i32(t, f->largest);
  IrNode *infinity = put_i32(t, f->infinity);
  if (cast_is_near(rounding))
    return infinity;
  IrNode *is_infinite = cast_is(t, IR_EQ, magnitude, 0x7f800000);
  if (away)
    is_infinite = put_two(t, IR_OR, is_infinite, away);
  return put_select(t, is_infinite, infinity, put_i32(t, f->largest));
}

// An f32 as the bits of the format, in i32.
static IrNode *cast_short_bits(Lower *t, const CastFormat *f,
                               CastRounding rounding, IrNode *value) {
  IrNode *bits = tile_cast_bits(t, value, put_type_i32);
  IrNode *magnitude = cast_int(t, IR_AND, bits, 0x7fffffff);
  IrNode *is_negative = cast_is(t, IR_SLT, bits, 0);
  IrNode *away = cast_goes_away(t, rounding, is_negative);
  IrNode *result = cast_cut_normal(t, f, rounding, magnitude, away);
  if (f->bias < 127) { // else both formats have the same exponents
    IrNode *is_small =
        cast_is(t, IR_ULT, magnitude, (uint64_t)(128 - f->bias) << 23);
    IrNode *small = cast_cut_subnormal(t, f, rounding, magnitude, away);
    result = put_select(t, is_small, small, result);
  }
  // Numbers that are far too large wrap in the sum, so look at them, too.
  uint64_t beyond = (uint64_t)(127 + f->bias + 2) << 23;
  IrNode *is_over = put_test(t, IR_ULT, put_i32(t, f->largest), result);
  is_over = put_two(
      t, IR_OR, is_over,
      put_test(t, IR_ULE,
               put_i32(t, (int64_t)(beyond < 0x7f800000 ? beyond : 0x7f800000)),
               magnitude));
  result = put_select(t, is_over,
                      cast_overflow(t, f, rounding, magnitude, away), result);
  IrNode *is_nan = put_test(t, IR_ULT, put_i32(t, 0x7f800000), magnitude);
  unsigned width = f->exponent_bits + f->mantissa_bits;
  IrNode *sign = cast_int(t, IR_SHL, cast_int(t, IR_LSHR, bits, 31), width);
  if (f->has_nan)
    result = put_select(t, is_nan, put_i32(t, f->nan), result);
  result = put_two(t, IR_OR, result, sign);
  return f->has_nan ? result
                    : put_select(t, is_nan, put_i32(t, f->nan), result);
}

// A power of two of at least 2^-127, in i32.
static IrNode *cast_e8m0_bits(Lower *t, CastRounding rounding, IrNode *value) {
  IrNode *bits = tile_cast_bits(t, value, put_type_i32);
  IrNode *magnitude = cast_int(t, IR_AND, bits, 0x7fffffff);
  IrNode *code = cast_int(t, IR_LSHR, magnitude, 23);
  IrNode *rest = cast_int(t, IR_AND, magnitude, 0x7fffff);
  IrNode *is_small = cast_is(t, IR_EQ, code, 0);
  // Below 2^-126 the leading bit is one of the fraction: 2^-127.
  IrNode *least = put_select(t, is_small, put_i32(t, 0x400000), put_i32(t, 0));
  IrNode *half =
      put_select(t, is_small, put_i32(t, 0x200000), put_i32(t, 0x400000));
  IrNode *over = put_two(t, IR_SUB, rest, least); // may be negative: below all
  IrNode *goes_up = NULL;
  if (rounding == CAST_UP) {
    goes_up = cast_is(t, IR_NE, over, 0);
    goes_up = put_two(t, IR_AND, goes_up, put_test(t, IR_SLE, least, rest));
  } else if (cast_is_near(rounding)) {
    IrNode *is_odd = cast_is(t, IR_NE, cast_int(t, IR_AND, code, 1), 0);
    IrNode *is_tie = put_test(t, IR_EQ, over, half);
    goes_up = put_two(t, IR_OR, put_test(t, IR_SLT, half, over),
                      put_two(t, IR_AND, is_tie, is_odd));
  }
  if (goes_up)
    code = put_two(t, IR_ADD, code,
                   put_select(t, goes_up, put_i32(t, 1), put_i32(t, 0)));
  code = cast_int(t, IR_UMIN, code, 254);
  code = put_select(t, cast_is(t, IR_SLT, bits, 0), put_i32(t, 0), code);
  IrNode *is_nan = put_test(t, IR_ULT, put_i32(t, 0x7f800000), magnitude);
  return put_select(t, is_nan, put_i32(t, 255), code);
}

static IrNode *cast_to_short(Lower *t, const IrCast *cast, IrNode *value) {
  value = cast_odd_f32(t, cast, value);
  if (cast->to.kind == IR_TYPE_E8M0)
    return tile_cast_to(t, IR_TRUNC, type_i8,
                        cast_e8m0_bits(t, cast->rounding, value));
  CastFormat f = cast_format(cast);
  IrNode *bits = cast_short_bits(t, &f, cast->rounding, value);
  if (cast->to.kind == IR_TYPE_TF32)
    return tile_cast_bits(t, cast_int(t, IR_SHL, bits, 13), type_f32);
  bool is_half = cast->to.kind == IR_TYPE_F16 || cast->to.kind == IR_TYPE_BF16;
  bits = tile_cast_to(t, IR_TRUNC, is_half ? type_i16 : type_i8, bits);
  return ir_type_is_narrow(cast->to) ? bits : tile_cast_bits(t, bits, cast->to);
}

// ------------------------------------------------------- to float and double

typedef struct {
  IrNode *result;              // rounded to nearest
  IrNode *is_above, *is_below; // of the operand
} Rounded;

static Rounded cast_rounded_f64(Lower *t, IrNode *value) {
  Rounded r = {.result = tile_cast_to(t, IR_FCAST, type_f32, value)};
  IrNode *back = tile_cast_to(t, IR_FCAST, type_f64, r.result);
  r.is_above = put_test(t, IR_FLT, value, back);
  r.is_below = put_test(t, IR_FLT, back, value);
  return r;
}

// Compared as integers, but where the result is 2^63 (2^64), or above it.
static Rounded cast_rounded_int(Lower *t, IrNode *value, IrType to,
                                bool is_signed) {
  Rounded r = {.result =
                   tile_cast_to(t, is_signed ? IR_STOF : IR_UTOF, to, value)};
  value = cast_resized(t, value, put_type_i64, is_signed);
  IrNode *back =
      tile_cast_to(t, is_signed ? IR_FTOS : IR_FTOU, put_type_i64, r.result);
  IrNode *is_top =
      put_test(t, IR_FLE, cast_power(t, to, is_signed ? 63 : 64), r.result);
  IrOp less = is_signed ? IR_SLT : IR_ULT;
  r.is_above = put_two(t, IR_OR, is_top, put_test(t, less, value, back));
  r.is_below = put_select(t, is_top, put_const(t, put_bool, 0),
                          put_test(t, less, back, value));
  return r;
}

// To the neighbour on the side that the mode says.
static IrNode *cast_moved(Lower *t, CastRounding rounding, Rounded r,
                          IrType to) {
  IrType whole = to.kind == IR_TYPE_F64 ? put_type_i64 : put_type_i32;
  IrNode *bits = tile_cast_bits(t, r.result, whole);
  IrNode *is_negative = cast_is(t, IR_SLT, bits, 0);
  IrNode *shrunk = cast_int(t, IR_SUB, bits, 1);
  IrNode *grown = cast_int(t, IR_ADD, bits, 1);
  IrNode *is_wrong, *moved;
  if (rounding == CAST_TO_ZERO) {
    is_wrong = put_select(t, is_negative, r.is_below, r.is_above);
    moved = shrunk;
  } else if (rounding == CAST_UP) {
    is_wrong = r.is_below;
    moved = put_select(t, is_negative, shrunk, grown);
  } else {
    is_wrong = r.is_above;
    moved = put_select(t, is_negative, grown, shrunk);
  }
  return tile_cast_bits(t, put_select(t, is_wrong, moved, bits), to);
}

static IrNode *cast_to_long(Lower *t, const IrCast *cast, IrNode *value) {
  bool is_real = ir_is_float_like(cast->from);
  bool is_signed = cast_has_sign(cast, cast->from);
  uint32_t bits = ir_type_bits(cast->from);
  bool is_double = cast->to.kind == IR_TYPE_F64;
  if (is_real && value->type.kind == cast->to.kind)
    return value;
  if (is_real && is_double)
    return tile_cast_to(t, IR_FCAST, type_f64, value);
  bool is_exact = !is_real && bits <= (is_double ? 32 : 16);
  if (cast_is_near(cast->rounding) || is_exact)
    return is_real ? tile_cast_to(t, IR_FCAST, cast->to, value)
                   : tile_cast_to(t, is_signed ? IR_STOF : IR_UTOF, cast->to,
                                  value);
  Rounded r = is_real ? cast_rounded_f64(t, value)
                      : cast_rounded_int(t, value, cast->to, is_signed);
  return cast_moved(t, cast->rounding, r, cast->to);
}

// --------------------------------------------------------------------- all

// One operation does it.
static IrNode *cast_at_once(Lower *t, const IrCast *cast, IrNode *value) {
  bool is_plain =
      !ir_type_is_narrow(cast->from) && !ir_type_is_narrow(cast->to);
  if (!is_plain || !cast_is_near(cast->rounding) ||
      (cast->flags & CAST_OVERFLOWS) || !ir_is_float_like(cast->from) ||
      !ir_is_float_like(cast->to))
    return NULL;
  return tile_cast_to(t, IR_FCAST, cast->to, value);
}

static IrNode *tile_cast_value(Lower *t, const IrCast *cast, IrNode *value) {
  value = cast_physical(t, value);
  if (ir_type_equal(cast->from, cast->to))
    return value;
  IrNode *made = cast_at_once(t, cast, value);
  if (made)
    return made;
  value = cast_widened(t, cast, value);
  if (!ir_is_float_like(cast->to))
    return cast_to_int(t, cast, value);
  bool is_long = cast->to.kind == IR_TYPE_F32 || cast->to.kind == IR_TYPE_F64;
  return is_long ? cast_to_long(t, cast, value) : cast_to_short(t, cast, value);
}

IrNode *cast_number(Lower *t, IrType from, IrNode *value, IrType to) {
  IrCast cast = {.from = from, .to = to};
  return tile_cast_value(t, &cast, value);
}

IrNode *tile_cast_element(Lower *t, const IrNode *node, IrNode *value) {
  IrCast cast = ir_cast_of(t->kernel->module, node);
  return tile_cast_value(t, &cast, value);
}

// ----------------------------------------------------------------- no more

IrNode *cast_without_low(Lower *t, IrNode *value) {
  IrNode *bits = tile_cast_bits(t, cast_physical(t, value), put_type_i32);
  return tile_cast_bits(t, cast_int(t, IR_AND, bits, ~UINT64_C(0x1fff)),
                        type_f32);
}

static bool cast_node_physical(IrNode *node, void *context) {
  (void)context;
  node->type = ir_memory_type(node->type);
  if (ir_op_info(node)->form == FORM_ACCESS)
    node->u.access.type = ir_memory_type(node->u.access.type);
  return true;
}

void cast_all_physical(IrKernel *kernel) {
  ir_walk(&kernel->body, cast_node_physical, NULL);
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    kernel->vars.data[i].type = ir_memory_type(kernel->vars.data[i].type);
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    IrObject *object = kernel->objects.data[i];
    object->element = ir_memory_type(object->element);
  }
}
