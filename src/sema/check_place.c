// SPDX-License-Identifier: Apache-2.0
// Values that need a place: arrays inside values, as in f().a[i] (C17 6.2.4),
// and compound literals (6.5.2.5). They get a temporary of the block, which is
// filled where the value is evaluated.
#include "sema/context.h"

TExpr *check_materialise(SemaContext *cx, TExpr **place) {
  TExpr **value = place;
  while ((*value)->kind == TEXPR_MEMBER) {
    TExpr *copy = ARENA_NEW(cx->arena, TExpr);
    *copy = **value;
    copy->is_lvalue = true;
    *value = copy;
    value = &copy->u.member.base;
  }
  TVar *temporary = build_variable(cx, TVAR_LOCAL, "temporary", (*value)->type,
                                   (*value)->span);
  declare_check_size(cx, temporary);
  VEC_PUSH(cx->arena, &cx->body->temporaries, temporary);
  TExpr *fill = build_expr(cx, TEXPR_ASSIGN, (*value)->type, (*value)->span);
  fill->u.binary.left = build_var(cx, temporary, (*value)->span);
  fill->u.binary.right = *value;
  *value = build_var(cx, temporary, (*value)->span);
  return fill;
}

TExpr *check_after_fill(SemaContext *cx, TExpr *fill, TExpr *value) {
  if (expr_is_poison(value))
    return value;
  TExpr *comma = build_expr(cx, TEXPR_COMMA, value->type, value->span);
  comma->u.binary.left = fill;
  comma->u.binary.right = value;
  return comma;
}

const Expr *check_literal_below(const Expr *expr) {
  for (;;) {
    if (expr->kind == EXPR_MEMBER && !expr->u.member.is_arrow)
      expr = expr->u.member.base;
    else if (expr->kind == EXPR_INDEX)
      expr = expr->u.index.base;
    else
      return expr->kind == EXPR_COMPOUND ? expr : NULL;
  }
}

TExpr *check_literal_place(SemaContext *cx, QualType type, TExpr *value,
                           Span span) {
  bool is_array = type_is(type.type, TY_ARRAY);
  TVar *object = build_variable(cx, is_array ? TVAR_ARRAY : TVAR_LOCAL,
                                "literal", type.type, span);
  object->is_address_taken = true;
  declare_check_size(cx, object);
  if (!cx->unevaluated)
    VEC_PUSH(cx->arena, &cx->body->temporaries, object);
  TExpr *fill = build_expr(cx, TEXPR_ASSIGN, type.type, span);
  fill->u.binary.left = build_var(cx, object, span);
  fill->u.binary.right = value;
  TExpr *place = build_var(cx, object, span);
  place->is_const_place = type.is_const;
  TExpr *pointer =
      is_array ? convert_array_address(cx, place) : build_addr(cx, place, span);
  return build_deref(cx, check_after_fill(cx, fill, pointer), span);
}
