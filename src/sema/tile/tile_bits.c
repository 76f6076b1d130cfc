// SPDX-License-Identifier: Apache-2.0
// The bits of elements in other types, random numbers, and printing.
#include "sema/tile.h"

static TExpr *tile_bits_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- bits ---

static bool bits_have_size(const BuiltinCall *call, const Type *type,
                           Span span) {
  if (type->kind != TY_BOOL)
    return true;
  SEMA_ERROR(call->cx, span, bad_operand, DS(call->name), NT(call->cx, type));
  return false;
}

static bool fails_regroup(const BuiltinCall *call, const Type *from,
                          const Type *to, const char *problem) {
  SEMA_ERROR(call->cx, call->span, tile_bits, DS(call->name),
             NT(call->cx, from), NT(call->cx, to), DS(problem));
  return false;
}

// bitcast(T, t): elements of the same size.
TExpr *tile_rule_bitcast(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2))
    return tile_bits_poison(call);
  const Type *element = tile_named_element(call);
  TExpr *value = tile_row(cx, check_value(cx, call->args->data[1]));
  if (!element || expr_is_poison(value))
    return tile_bits_poison(call);
  const Type *from = type_underlying(type_tile_element(value->type));
  if (!tile_is_element(from))
    return builtin_refuse_type(call, 1, value->type, "a tile or a number");
  if (!bits_have_size(call, from, value->span) ||
      !bits_have_size(call, element, call->args->data[0]->span))
    return tile_bits_poison(call);
  if (!is_tile(value) && type_is_narrow(element)) {
    SEMA_ERROR(cx, call->span, narrow_place, NT(cx, element),
               DS("elements of tiles, which the bits of a number aren't"));
    return tile_bits_poison(call);
  }
  if (type_bits(from) != type_bits(element)) {
    fails_regroup(call, value->type, element,
                  sema_format(cx, "their elements have %u and %u bits",
                              type_bits(from), type_bits(element)));
    return tile_bits_poison(call);
  }
  return tile_build(call, type_tile_of(cx->types, value->type, element), &value,
                    1, NULL);
}

static const char *regroup_problem(const BuiltinCall *call, const Type *from,
                                   const Type *to, uint64_t row) {
  SemaContext *cx = call->cx;
  bool is_pack = call->builtin->id == BI_TILE_PACK;
  uint32_t have = type_bits(from), want = type_bits(to);
  if (is_pack ? have >= want : have <= want)
    return sema_format(cx, "'%s' makes %s elements", call->name,
                       is_pack ? "larger" : "smaller");
  bool divides = have % want == 0 || want % have == 0;
  if (!divides && (have > 32 || want > 32))
    return sema_format(cx,
                       "%u bits are not a multiple of %u: convert to elements "
                       "of 32 bits or fewer before",
                       have > want ? have : want, have > want ? want : have);
  if (row % want != 0)
    return sema_format(cx, "a row has %u bits, which are not a multiple of %u",
                       (unsigned)row, want);
  return NULL;
}

// The extent of the last axis with elements of another size; 0: reported.
static uint32_t regrouped_extent(const BuiltinCall *call, const Type *type,
                                 const Type *to) {
  const Type *from = type->u.tile.element;
  uint32_t last = type->u.tile.extents[type->u.tile.rank - 1];
  uint64_t row = (uint64_t)last * type_bits(from);
  const char *problem = regroup_problem(call, from, to, row);
  if (!problem)
    return (uint32_t)(row / type_bits(to));
  fails_regroup(call, type, to, problem);
  return 0;
}

// pack(T, t), unpack(T, t): along the last axis, little endian.
TExpr *tile_rule_regroup(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  int64_t extents[TYPE_MAX_TILE_RANK];
  if (!builtin_takes(call, 2, 2))
    return tile_bits_poison(call);
  const Type *element = tile_named_element(call);
  TExpr *value = tile_argument(call, 1);
  if (!element || !value ||
      !bits_have_size(call, value->type->u.tile.element, value->span) ||
      !bits_have_size(call, element, call->args->data[0]->span))
    return tile_bits_poison(call);
  uint32_t rank = value->type->u.tile.rank;
  for (uint32_t i = 0; i < rank; i++)
    extents[i] = value->type->u.tile.extents[i];
  extents[rank - 1] = regrouped_extent(call, value->type, element);
  const Type *type =
      extents[rank - 1]
          ? tile_make_type(cx, call->span,
                           sema_format(cx, "the result of '%s'", call->name),
                           element, rank, extents, NULL)
          : NULL;
  return type ? tile_build(call, type, &value, 1, NULL)
              : tile_bits_poison(call);
}

// --- random numbers ---

// random_bits(seed, offset): the results have the shape of both.
TExpr *tile_rule_random(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2))
    return tile_bits_poison(call);
  TExpr **values = builtin_values(call);
  const Type *wide = sema_basic(cx, TY_ULONG);
  for (uint32_t i = 0; values && i < 2; i++) {
    values[i] = tile_row(cx, values[i]);
    const Type *element = type_underlying(type_tile_element(values[i]->type));
    if (!type_is_integer(element) || element->kind == TY_BOOL)
      return builtin_refuse_type(call, i, values[i]->type,
                                 "an integer or a tile of integers");
    values[i] = tile_convert_elements(cx, values[i], wide);
  }
  const Type *type =
      values ? tile_common_shape(cx, call->name, values, 2, wide, call->span)
             : NULL;
  if (!type)
    return tile_bits_poison(call);
  for (uint32_t i = 0; i < 2; i++)
    values[i] = tile_broadcast(cx, values[i], type);
  bool is_bits = call->builtin->id == BI_TILE_RANDOM_BITS;
  const Type *element = sema_basic(cx, is_bits ? TY_UINT : TY_FLOAT);
  return tile_build(call, type_tile_of(cx->types, type, element), values, 2,
                    NULL);
}

// --- printing ---

TExpr *tile_rule_print(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1))
    return tile_bits_poison(call);
  TExpr *value = tile_row(cx, check_value(cx, call->args->data[0]));
  if (expr_is_poison(value))
    return value;
  const Type *element = type_underlying(type_tile_element(value->type));
  if (!tile_holds(cx, element))
    return builtin_refuse_type(call, 0, value->type, "a tile or a number");
  TExpr *print = tile_build(call, sema_basic(cx, TY_VOID), &value, 1, NULL);
  print->u.builtin.text = sema_source_text(cx, call->args->data[0]->span);
  return print;
}
