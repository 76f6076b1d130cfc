// SPDX-License-Identifier: Apache-2.0
// Copies of expressions.
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_tree.h"

static Expr *clone(CuContext *cu, const Expr *expr, Span span) {
  return expr ? cu_clone(cu, expr, span) : NULL;
}

static void clone_list(CuContext *cu, ExprList *list, Span span) {
  Expr **data = ARENA_ARRAY(cu->arena, Expr *, list->count + 1);
  for (uint32_t i = 0; i < list->count; i++)
    data[i] = cu_clone(cu, list->data[i], span);
  list->data = data;
}

static void clone_subscripts(CuContext *cu, Expr *copy, Span span) {
  uint32_t n = copy->u.index.n_subscripts;
  Subscript *subscripts = ARENA_ARRAY(cu->arena, Subscript, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    subscripts[i] = copy->u.index.subscripts[i];
    subscripts[i].index = clone(cu, subscripts[i].index, span);
    subscripts[i].lo = clone(cu, subscripts[i].lo, span);
    subscripts[i].len = clone(cu, subscripts[i].len, span);
    if (span.end)
      subscripts[i].span = span;
  }
  copy->u.index.subscripts = subscripts;
}

static void clone_items(CuContext *cu, Expr *copy, Span span) {
  uint32_t n = copy->u.init_list.n_items;
  InitItem *items = ARENA_ARRAY(cu->arena, InitItem, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    items[i] = copy->u.init_list.items[i];
    items[i].value = clone(cu, items[i].value, span);
  }
  copy->u.init_list.items = items;
}

static void clone_name(CuContext *cu, const Expr *expr, Expr *copy) {
  CuName *name = map_get(&cu->output.named, MAP_KEY(expr));
  if (!name)
    return;
  cu_name_spelled(cu, name, &copy->u.name);
  map_put(cu->arena, &cu->output.named, MAP_KEY(copy), name);
}

static void clone_operands(CuContext *cu, const Expr *expr, Expr *copy,
                           Span span) {
  switch ((int)expr->kind) {
  case EXPR_NAME: clone_name(cu, expr, copy); return;
  case EXPR_UNARY:
    copy->u.unary.operand = cu_clone(cu, expr->u.unary.operand, span);
    return;
  case EXPR_BINARY:
    copy->u.binary.left = cu_clone(cu, expr->u.binary.left, span);
    copy->u.binary.right = cu_clone(cu, expr->u.binary.right, span);
    return;
  case EXPR_ASSIGN:
    copy->u.assign.left = cu_clone(cu, expr->u.assign.left, span);
    copy->u.assign.right = cu_clone(cu, expr->u.assign.right, span);
    return;
  case EXPR_CONDITIONAL:
    copy->u.conditional.condition =
        cu_clone(cu, expr->u.conditional.condition, span);
    copy->u.conditional.if_true =
        cu_clone(cu, expr->u.conditional.if_true, span);
    copy->u.conditional.if_false =
        cu_clone(cu, expr->u.conditional.if_false, span);
    return;
  case EXPR_COMMA: clone_list(cu, &copy->u.list, span); return;
  case EXPR_CAST:
    copy->u.cast.operand = cu_clone(cu, expr->u.cast.operand, span);
    return;
  case EXPR_SIZEOF_EXPR:
    copy->u.operand = cu_clone(cu, expr->u.operand, span);
    return;
  case EXPR_CALL:
    copy->u.call.callee = cu_clone(cu, expr->u.call.callee, span);
    clone_list(cu, &copy->u.call.args, span);
    return;
  case EXPR_INDEX:
    copy->u.index.base = cu_clone(cu, expr->u.index.base, span);
    clone_subscripts(cu, copy, span);
    return;
  case EXPR_MEMBER:
    copy->u.member.base = cu_clone(cu, expr->u.member.base, span);
    return;
  case EXPR_COMPOUND:
    copy->u.compound.init = cu_clone(cu, expr->u.compound.init, span);
    return;
  case EXPR_INIT_LIST: clone_items(cu, copy, span); return;
  default: return;
  }
}

static void keep_mark(CuContext *cu, Map *marked, const Expr *expr,
                      const Expr *copy) {
  if (map_has(marked, MAP_KEY(expr)))
    map_put(cu->arena, marked, MAP_KEY(copy), cu);
}

Expr *cu_clone(CuContext *cu, const Expr *expr, Span span) {
  Expr *copy = cu_new_expr(cu, expr->kind, expr->span);
  uint32_t id = copy->id;
  *copy = *expr;
  copy->id = id;
  if (span.end) {
    copy->span = span;
    copy->operator_span = span;
  }
  clone_operands(cu, expr, copy, span);
  keep_mark(cu, &cu->notes.volatiles, expr, copy);
  keep_mark(cu, &cu->notes.address_bits, expr, copy);
  return copy;
}
