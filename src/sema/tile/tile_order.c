// SPDX-License-Identifier: Apache-2.0
// Prefixes and orders along one axis, and counts.
#include "sema/tile.h"

#include <string.h>

static TExpr *tile_order_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// A tile of numbers: bools only where they are counted.
static TExpr *numbers_argument(const BuiltinCall *call, bool takes_bool) {
  SemaContext *cx = call->cx;
  TExpr *value = tile_argument(call, 0);
  if (!value)
    return NULL;
  const Type *element = value->type->u.tile.element;
  if (type_lacks_arithmetic(element))
    SEMA_ERROR(cx, value->span, tile_no_arithmetic, NT(cx, element),
               DS(call->name));
  else if (!type_is_arithmetic(element) ||
           (element->kind == TY_BOOL && !takes_bool))
    SEMA_ERROR(cx, value->span, bad_operand, DS(call->name), NT(cx, element));
  else
    return value;
  return NULL;
}

// axis, or reverse(axis)
bool tile_directed_axis(const BuiltinCall *call, const Expr *expr,
                        uint32_t rank, TTileArgs *tile) {
  const Expr *callee = expr->kind == EXPR_CALL ? expr->u.call.callee : NULL;
  tile->is_reverse = callee && callee->kind == EXPR_NAME &&
                     strcmp(callee->u.name, "reverse") == 0 &&
                     expr->u.call.args.count == 1;
  if (tile->is_reverse)
    expr = expr->u.call.args.data[0];
  return tile_axis(call, expr, rank, &tile->axis);
}

// cumsum(t, axis), cumsum(t, reverse(axis))
TExpr *tile_rule_prefixes(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  TTileArgs tile = {0};
  if (!builtin_takes(call, 2, 2))
    return tile_order_poison(call);
  TExpr *value = numbers_argument(call, true);
  if (!value || !tile_directed_axis(call, call->args->data[1],
                                    value->type->u.tile.rank, &tile))
    return tile_order_poison(call);
  const Type *element = tile_sum_element(cx, value->type->u.tile.element);
  return tile_build(call, type_tile_of(cx->types, value->type, element), &value,
                    1, &tile);
}

// sort(t[, axis])
TExpr *tile_rule_sort(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  TTileArgs tile = {0};
  if (!builtin_takes(call, 1, 2))
    return tile_order_poison(call);
  TExpr *value = numbers_argument(call, false);
  uint32_t rank = value ? value->type->u.tile.rank : 0;
  tile.axis = rank - 1;
  if (!value || (call->args->count == 2 &&
                 !tile_axis(call, call->args->data[1], rank, &tile.axis)))
    return tile_order_poison(call);
  const Type *type = value->type;
  if (call->builtin->id == BI_TILE_ARGSORT)
    type = type_tile_of(cx->types, type, sema_basic(cx, TY_INT));
  return tile_build(call, type, &value, 1, &tile);
}

// histogram(t, n)
TExpr *tile_rule_histogram(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2))
    return tile_order_poison(call);
  TExpr *value = numbers_argument(call, false);
  if (value && !type_is_integer(value->type->u.tile.element))
    return builtin_refuse_type(call, 0, value->type, "a tile of integers");
  const Type *type =
      value ? tile_extents(call, 1, 0, sema_basic(cx, TY_INT)) : NULL;
  return type ? tile_build(call, type, &value, 1, NULL)
              : tile_order_poison(call);
}
