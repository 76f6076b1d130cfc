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

bool check_is_literal_part(const Expr *expr) {
  while (expr->kind == EXPR_MEMBER && !expr->u.member.is_arrow)
    expr = expr->u.member.base;
  return expr->kind == EXPR_COMPOUND;
}
