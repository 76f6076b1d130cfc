// SPDX-License-Identifier: Apache-2.0
// Conversions between tiles: which elements fit which, and broadcasting.
#include "sema/tile.h"

#include "base/panic.h"
#include "sema/type/constants.h"
#include <math.h>

// --- nothing is lost ---

// Bits of the significand, with the implicit one.
static uint32_t significand_bits(const Type *type) {
  switch ((int)type->kind) {
  case TY_FP8_E4M3: return 4;
  case TY_FP8_E5M2: return 3;
  case TY_HALF:
  case TY_TF32: return 11;
  case TY_BFLOAT16: return 8;
  case TY_FLOAT: return 24;
  case TY_DOUBLE: return 53;
  default: return 0;
  }
}

// Of integers the bits of the largest value.
static uint32_t value_bits(const Type *type) {
  return type_bits(type) - (type_is_signed(type) ? 1 : 0);
}

static bool is_floating_lossless(const Type *from, const Type *to) {
  if (type_is_fp8(from))
    return !type_is_fp8(to) || from == to;
  if (type_is_fp8(to) || from->kind > to->kind)
    return from == to;
  return from == to || to->kind > TY_BFLOAT16;
}

// Every number of a packed type is looked at.
static bool is_packed_lossless(const Type *from, const Type *to) {
  if (to->kind == TY_BOOL)
    return false;
  for (uint32_t bits = 0; bits < 1u << type_bits(from); bits++) {
    bool is_exact = true;
    TValue value =
        value_convert(to, from, value_of_bits(from, bits), &is_exact);
    bool is_nan = type_is_float_like(from) &&
                  isnan(value_of_bits(from, bits).f) &&
                  !(type_is_float_like(to) && isnan(value.f));
    if (!is_exact || is_nan)
      return false;
  }
  return true;
}

static bool is_narrow_lossless(const Type *from, const Type *to) {
  if (type_is_packed(from))
    return is_packed_lossless(from, to);
  if (from->kind == TY_TF32)
    return to->kind == TY_FLOAT || to->kind == TY_DOUBLE;
  if (to->kind != TY_TF32)
    return false;
  return type_is_integer(from)
             ? value_bits(from) <= significand_bits(to)
             : from->kind != TY_FLOAT && from->kind != TY_DOUBLE;
}

static bool is_lossless(const Type *from, const Type *to) {
  if (from == to)
    return true;
  if (from->kind == TY_BOOL)
    return !type_is_narrow(to) || is_packed_lossless(from, to);
  if (type_is_narrow(from) || type_is_narrow(to))
    return is_narrow_lossless(from, to);
  bool is_int = type_is_integer(from);
  if (is_int && type_is_integer(to))
    return to->kind != TY_BOOL && value_bits(from) <= value_bits(to) &&
           (type_is_signed(to) || !type_is_signed(from));
  if (is_int)
    return value_bits(from) <= significand_bits(to);
  return !type_is_integer(to) && is_floating_lossless(from, to);
}

// Floats are rounded, but stay finite; numbers that were written without a
// point stay what they are.
static bool constant_fits(const TExpr *constant, const Type *to) {
  bool is_exact = true;
  const Type *from = type_underlying(constant->type);
  TValue value = value_convert(to, from, constant->u.value, &is_exact);
  if (is_exact || type_is_integer(from) || type_is_integer(to))
    return is_exact;
  return isfinite(value.f) || !isfinite(constant->u.value.f);
}

// --- changing type ---

TExpr *tile_convert_elements(SemaContext *cx, TExpr *value,
                             const Type *element) {
  HD_ASSERT(tile_is_movable(element));
  if (value->kind != TEXPR_BROADCAST || !is_tile(value))
    return build_convert(cx, value,
                         type_tile_of(cx->types, value->type, element));
  TExpr *inner = tile_convert_elements(cx, value->u.operand, element);
  return tile_broadcast(cx, inner,
                        type_tile_of(cx->types, value->type, element));
}

TExpr *tile_broadcast(SemaContext *cx, TExpr *value, const Type *to) {
  HD_ASSERT(expr_is_poison(value) ||
            type_underlying(type_tile_element(value->type)) ==
                type_underlying(type_tile_element(to)));
  if (value->type == to || expr_is_poison(value))
    return value;
  TExpr *expr = build_expr(cx, TEXPR_BROADCAST, to, value->span);
  expr->u.operand = value;
  return expr;
}

// --- as stores do ---

// The scalar that a value repeats, if it is one.
static const TExpr *repeated(const TExpr *value) {
  while (value->kind == TEXPR_BROADCAST)
    value = value->u.operand;
  return value;
}

static bool check_kept(SemaContext *cx, const TExpr *value, const Type *element,
                       const char *what) {
  const TExpr *scalar = repeated(value);
  const Type *from = type_underlying(type_tile_element(value->type));
  if (expr_is_const(scalar)) {
    if (constant_fits(scalar, element))
      return true;
    SEMA_ERROR(cx, value->span, tile_constant, DS(what),
               DS(value_text(cx->arena, scalar->type, scalar->u.value)),
               NT(cx, element));
    return false;
  }
  if (is_lossless(from, element))
    return true;
  const char *name = sema_type_name(cx, element);
  SEMA_ERROR(cx, value->span, tile_loses, DS(what), NT(cx, from), DS(name),
             DS(name));
  return false;
}

static bool check_broadcasts(SemaContext *cx, const TExpr *value,
                             const Type *to, const char *what) {
  const Type *from = value->type;
  if (!is_tile(value))
    return true;
  uint32_t rank = from->u.tile.rank, to_rank = to->u.tile.rank;
  if (rank > to_rank) {
    SEMA_ERROR(cx, value->span, tile_store_rank, DS(what), NT(cx, from),
               NT(cx, to), DU(rank), DU(to_rank));
    return false;
  }
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t have = from->u.tile.extents[i];
    uint32_t axis = to_rank - rank + i, want = to->u.tile.extents[axis];
    if (have == 1 || have == want)
      continue;
    SEMA_ERROR(cx, value->span, tile_store_shape, DS(what), NT(cx, from),
               NT(cx, to), DU(axis), DU(have), DU(want));
    return false;
  }
  return true;
}

// Structs become themselves only.
static bool becomes_element(const Type *from, const Type *to) {
  from = type_underlying(from);
  return from == to || (tile_is_element(from) && tile_is_element(to));
}

TExpr *tile_assign(SemaContext *cx, TExpr *value, const Type *to,
                   const char *what) {
  const Type *element = to->u.tile.element;
  value = tile_row(cx, value);
  if (expr_is_poison(value) || value->type == to)
    return value;
  if (!becomes_element(type_tile_element(value->type), element)) {
    SEMA_ERROR(cx, value->span, cannot_convert, DS(what), NT(cx, value->type),
               NT(cx, to));
    return build_poison(cx, value->span);
  }
  if (!check_broadcasts(cx, value, to, what) ||
      !check_kept(cx, value, element, what))
    return build_poison(cx, value->span);
  return tile_broadcast(cx, tile_convert_elements(cx, value, element), to);
}

TExpr *tile_scalar(SemaContext *cx, TExpr *value, const Type *element,
                   const char *what) {
  const Type *from = type_underlying(value->type);
  if (expr_is_poison(value))
    return value;
  if (!becomes_element(from, element)) {
    SEMA_ERROR(cx, value->span, cannot_convert, DS(what), NT(cx, value->type),
               NT(cx, element));
    return build_poison(cx, value->span);
  }
  return check_kept(cx, value, element, what)
             ? build_convert(cx, value, element)
             : build_poison(cx, value->span);
}

// --- common types ---

static const Type *refuse_mix(SemaContext *cx, const char *op, const Type *a,
                              const Type *b, Span span) {
  bool are_halves = type_is_floating(a) && type_is_floating(b);
  if (are_halves)
    SEMA_ERROR(cx, span, mixed_halves, NT(cx, a), NT(cx, b));
  else
    SEMA_ERROR(cx, span, tile_mixed, DS(op), NT(cx, a), NT(cx, b));
  return NULL;
}

// The wider of one kind; a bool is of any kind.
static const Type *wider(SemaContext *cx, const char *op, const Type *a,
                         const Type *b, Span span) {
  if (a == b || b->kind == TY_BOOL)
    return a;
  if (a->kind == TY_BOOL)
    return b;
  if (type_lacks_arithmetic(a) || type_lacks_arithmetic(b))
    return refuse_mix(cx, op, a, b, span);
  if (type_is_floating(a) || type_is_floating(b)) {
    const Type *common = convert_common_type(cx, a, b);
    return common ? common : refuse_mix(cx, op, a, b, span);
  }
  if (type_is_signed(a) != type_is_signed(b))
    return refuse_mix(cx, op, a, b, span);
  return a->kind > b->kind ? a : b;
}

static const Type *value_element(const TExpr *value) {
  return type_underlying(type_tile_element(value->type));
}

static bool are_elements(SemaContext *cx, const char *op, TExpr **values,
                         uint32_t count, bool is_moved) {
  for (uint32_t i = 0; i < count; i++) {
    const Type *element = value_element(values[i]);
    if (tile_is_element(element) &&
        (is_moved || !type_lacks_arithmetic(element)))
      continue;
    if (type_lacks_arithmetic(element))
      SEMA_ERROR(cx, values[i]->span, tile_no_arithmetic, NT(cx, element),
                 DS(op));
    else if (is_tile(values[i]) && tile_is_movable(element))
      tile_refuse_struct_operand(cx, values[i]->span, element, op);
    else
      SEMA_ERROR(cx, values[i]->span, bad_operand, DS(op),
                 NT(cx, values[i]->type));
    return false;
  }
  return true;
}

// A scalar adopts the tiles' type if it fits; a constant must.
static const Type *adopted_by(SemaContext *cx, const char *op,
                              const TExpr *scalar, const Type *common,
                              Span span) {
  const Type *type = value_element(scalar);
  if (expr_is_const(scalar)) {
    if (constant_fits(scalar, common))
      return common;
    SEMA_ERROR(cx, scalar->span, tile_constant,
               DS(sema_format(cx, "operand of '%s'", op)),
               DS(value_text(cx->arena, scalar->type, scalar->u.value)),
               NT(cx, common));
    return NULL;
  }
  return is_lossless(type, common) ? common : wider(cx, op, common, type, span);
}

// The one struct that all values have; NULL: they aren't all of one.
static const Type *common_struct(TExpr **values, uint32_t count) {
  const Type *first = value_element(values[0]);
  for (uint32_t i = 1; i < count; i++)
    if (value_element(values[i]) != first)
      return NULL;
  return type_is(first, TY_STRUCT) ? first : NULL;
}

const Type *tile_common_element(SemaContext *cx, const char *op, TExpr **values,
                                uint32_t count, bool is_moved, Span span) {
  const Type *common = NULL;
  for (uint32_t i = 0; i < count; i++)
    values[i] = tile_row(cx, values[i]);
  common = is_moved ? common_struct(values, count) : NULL;
  if (common)
    return tile_check_element(cx, values[0]->span, common) ? common : NULL;
  if (!are_elements(cx, op, values, count, is_moved))
    return NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_tile(values[i]))
      continue;
    const Type *element = value_element(values[i]);
    common = common ? wider(cx, op, common, element, span) : element;
    if (!common)
      return NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (is_tile(values[i]))
      continue;
    if (!common)
      common = value_element(values[i]);
    common = adopted_by(cx, op, values[i], common, span);
    if (!common)
      return NULL;
  }
  return common;
}

static bool merge_extent(SemaContext *cx, const char *op, const Type *type,
                         uint32_t axis, uint32_t have, int64_t *extent,
                         const Type *first, Span span) {
  if (have == 1 || have == *extent)
    return true;
  if (*extent == 1) {
    *extent = have;
    return true;
  }
  SEMA_ERROR(cx, span, tile_shapes, DS(op), NT(cx, first), NT(cx, type),
             DU(axis), DD(*extent), DD(have));
  return false;
}

const Type *tile_common_shape(SemaContext *cx, const char *op, TExpr **values,
                              uint32_t count, const Type *element, Span span) {
  int64_t extents[TYPE_MAX_TILE_RANK];
  const Type *first = NULL;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_tile(values[i]) && values[i]->type->u.tile.rank > rank) {
      first = values[i]->type;
      rank = first->u.tile.rank;
    }
  for (uint32_t i = 0; i < rank; i++)
    extents[i] = first->u.tile.extents[i];
  for (uint32_t i = 0; i < count; i++) {
    const Type *type = values[i]->type;
    uint32_t own = is_tile(values[i]) ? type->u.tile.rank : 0;
    for (uint32_t k = 0; k < own; k++)
      if (!merge_extent(cx, op, type, rank - own + k, type->u.tile.extents[k],
                        &extents[rank - own + k], first, span))
        return NULL;
  }
  return tile_make_type(cx, span, sema_format(cx, "the result of '%s'", op),
                        element, rank, extents, NULL);
}

const Type *tile_unify(SemaContext *cx, const char *op, TExpr **values,
                       uint32_t count, bool is_moved, Span span) {
  const Type *element =
      tile_common_element(cx, op, values, count, is_moved, span);
  const Type *type =
      element ? tile_common_shape(cx, op, values, count, element, span) : NULL;
  for (uint32_t i = 0; type && i < count; i++)
    values[i] =
        tile_broadcast(cx, tile_convert_elements(cx, values[i], element), type);
  return type;
}

bool tile_is_among(SemaContext *cx, TExpr **values, uint32_t count) {
  bool is_any = false;
  for (uint32_t i = 0; i < count; i++) {
    values[i] = tile_row(cx, values[i]);
    is_any |= is_tile(values[i]);
  }
  return is_any;
}
