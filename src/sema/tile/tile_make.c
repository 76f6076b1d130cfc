// SPDX-License-Identifier: Apache-2.0
// Tiles from nothing, choices between tiles, and casts.
#include "sema/tile.h"

static TExpr *tile_make_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

TExpr *tile_rule_arange(const BuiltinCall *call) {
  if (!builtin_takes(call, 1, 1))
    return tile_make_poison(call);
  const Type *type = tile_extents(call, 0, 0, sema_basic(call->cx, TY_INT));
  return type ? tile_build(call, type, NULL, 0, NULL) : tile_make_poison(call);
}

// full(value, d…)
TExpr *tile_rule_full(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1 + TYPE_MAX_TILE_RANK))
    return tile_make_poison(call);
  TExpr *value = check_value(cx, call->args->data[0]);
  if (expr_is_poison(value))
    return value;
  const Type *element = type_underlying(value->type);
  if (!tile_is_movable(element))
    return builtin_refuse_type(call, 0, value->type, "a number");
  if (!tile_check_element(cx, value->span, element))
    return tile_make_poison(call);
  const Type *type = tile_extents(call, 1, 0, element);
  return type ? tile_broadcast(cx, build_convert(cx, value, element), type)
              : tile_make_poison(call);
}

const Type *tile_named_type(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const Expr *expr = call->args->data[0];
  Symbol *symbol =
      expr->kind == EXPR_NAME ? sema_scope_find(cx, expr->u.name) : NULL;
  const Type *type = NULL;
  if (expr->kind == EXPR_TYPE)
    type = sema_resolve_element(cx, expr->u.type, NULL).type;
  else if (symbol && symbol->kind == SYMBOL_TYPE)
    type = symbol->type.type;
  else if (symbol && symbol->kind == SYMBOL_POISON)
    return NULL;
  if (!type) {
    SEMA_ERROR(cx, expr->span, embedded_argument, DU(1), DS(call->name),
               DS("a type"));
    return NULL;
  }
  return type_is_poison(type) ? NULL : type_underlying(type);
}

const Type *tile_named_element(const BuiltinCall *call) {
  const Type *type = tile_named_type(call);
  if (!type || tile_is_element(type))
    return type;
  SEMA_ERROR(call->cx, call->args->data[0]->span, tile_element,
             NT(call->cx, type));
  return NULL;
}

// What zeros and ones are made of; NULL: reported.
static TExpr *filling_value(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const Type *element = tile_named_type(call);
  bool is_ones = call->builtin->id == BI_TILE_ONES;
  if (!element || !tile_check_element(cx, call->args->data[0]->span, element))
    return NULL;
  if (tile_is_element(element)) {
    TExpr *one = build_int(cx, sema_basic(cx, TY_INT), is_ones, call->span);
    return build_convert(cx, one, element);
  }
  if (!is_ones)
    return tile_zero_struct(cx, element, call->span);
  tile_refuse_struct_operand(cx, call->args->data[0]->span, element,
                             call->name);
  return NULL;
}

// zeros(T, d…), ones(T, d…)
TExpr *tile_rule_filled(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1 + TYPE_MAX_TILE_RANK))
    return tile_make_poison(call);
  TExpr *value = filling_value(call);
  const Type *type = value ? tile_extents(call, 1, 0, value->type) : NULL;
  return type ? tile_broadcast(cx, value, type) : tile_make_poison(call);
}

// where(condition, a, b)
TExpr *tile_rule_where(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 3, 3))
    return tile_make_poison(call);
  TExpr **values = builtin_values(call);
  if (!values)
    return tile_make_poison(call);
  values[0] = tile_to_bool(cx, tile_row(cx, values[0]));
  const Type *element = expr_is_poison(values[0])
                            ? NULL
                            : tile_common_element(cx, call->name, values + 1, 2,
                                                  true, call->span);
  const Type *type = element ? tile_common_shape(cx, call->name, values, 3,
                                                 element, call->span)
                             : NULL;
  if (!type)
    return tile_make_poison(call);
  for (uint32_t i = 1; i < 3; i++)
    values[i] =
        tile_broadcast(cx, tile_convert_elements(cx, values[i], element), type);
  values[0] = tile_broadcast(
      cx, values[0], type_tile_of(cx->types, type, sema_basic(cx, TY_BOOL)));
  return tile_build(call, type, values, 3, NULL);
}

// --- diagonals ---

// eye(T, n)
TExpr *tile_rule_eye(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  int64_t extents[2];
  Span spans[2];
  if (!builtin_takes(call, 2, 2))
    return tile_make_poison(call);
  const Type *element = tile_named_element(call);
  if (!element || !tile_constant(call, 1, "an extent of a tile", &extents[0]))
    return tile_make_poison(call);
  extents[1] = extents[0];
  spans[0] = spans[1] = call->args->data[1]->span;
  const Type *type = tile_make_type(cx, call->span, "the result of 'eye'",
                                    element, 2, extents, spans);
  return type ? tile_build(call, type, NULL, 0, NULL) : tile_make_poison(call);
}

// tril(t[, k]), triu(t[, k]): zeros above or below diagonal k of the last two
// axes.
TExpr *tile_rule_triangle(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const Type *wide = sema_basic(cx, TY_LONG);
  if (!builtin_takes(call, 1, 2))
    return tile_make_poison(call);
  TExpr *args[2] = {tile_argument(call, 0), NULL};
  if (!args[0])
    return tile_make_poison(call);
  if (args[0]->type->u.tile.rank < 2) {
    SEMA_ERROR(cx, args[0]->span, tile_matrix, DU(1), DS(call->name),
               NT(cx, args[0]->type));
    return tile_make_poison(call);
  }
  args[1] =
      call->args->count == 2
          ? tile_scalar(cx, check_value(cx, call->args->data[1]), wide,
                        sema_format(cx, "the diagonal of '%s'", call->name))
          : build_int(cx, wide, 0, call->span);
  return expr_is_poison(args[1])
             ? args[1]
             : tile_build(call, args[0]->type, args, 2, NULL);
}
