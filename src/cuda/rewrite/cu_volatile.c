// SPDX-License-Identifier: Apache-2.0
// volatile: other threads see each access, in CUDA as in a kernel that spins on
// a flag. In shared memory accesses stay ordinary: code that relies on warps
// running in step is to be told as racy.
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

void cu_note_volatile(CuContext *cu, const CuValue *place) {
  const CuType *type = cu_plain(place->type);
  uint64_t size = cu_size(type);
  bool fits = (place->type->quals & CX_QUAL_VOLATILE) && place->is_lvalue &&
              place->expr && cu_is_arithmetic(type) && type->kind != CU_BOOL &&
              size <= 8;
  if (!fits ||
      (cu_spaces(cu, place->expr) & (CU_SPACE_SHARED | CU_SPACE_LOCAL)))
    return;
  map_put(cu->arena, &cu->notes.volatiles, MAP_KEY(place->expr), cu);
}

void cu_note_guess(CuContext *cu, const Expr *place) {
  map_put(cu->arena, &cu->notes.guesses, MAP_KEY(place), cu);
}

static bool is_volatile(const CuContext *cu, const Expr *expr) {
  return map_has(&cu->notes.volatiles, MAP_KEY(expr)) ||
         map_has(&cu->notes.guesses, MAP_KEY(expr));
}

static Expr *volatile_call(CuContext *cu, const char *word, Expr *place,
                           Expr *value) {
  Span span = place->span;
  Expr **args = ARENA_ARRAY(cu->arena, Expr *, 4);
  uint32_t n = 0;
  args[n++] = cu_address(cu, place, span);
  if (value)
    args[n++] = value;
  bool is_global = cu_spaces(cu, place) == CU_SPACE_GLOBAL;
  args[n++] = cu_word_expr(cu, "relaxed", span);
  if (!map_has(&cu->notes.guesses, MAP_KEY(place)))
    args[n++] =
        cu_word_expr(cu, is_global ? "system" : "system_unless_shared", span);
  return cu_call(cu, cu_word_expr(cu, word, span), args, n, span);
}

static void fix(CuContext *cu, Expr **slot);

static void fix_list(CuContext *cu, ExprList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    fix(cu, &list->data[i]);
}

// What is inside a place is read as ever.
static void fix_inside(CuContext *cu, Expr *expr) {
  if (expr->kind == EXPR_INDEX) {
    fix(cu, &expr->u.index.base);
    for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
      if (expr->u.index.subscripts[i].index)
        fix(cu, &expr->u.index.subscripts[i].index);
    }
  } else if (expr->kind == EXPR_MEMBER) {
    if (expr->u.member.is_arrow)
      fix(cu, &expr->u.member.base);
    else
      fix_inside(cu, expr->u.member.base);
  } else if (expr->kind == EXPR_UNARY) {
    fix(cu, &expr->u.unary.operand);
  }
}

// What was stored, as C++ has it: the place is read again. In a place that does
// something itself that can't be; then the store has no value.
static Expr *then_read(CuContext *cu, Expr *store, const Expr *place) {
  if (cu_has_effect(place))
    return store;
  Expr *again =
      volatile_call(cu, "atomic_load", cu_clone(cu, place, (Span){0, 0}), NULL);
  return cu_comma(cu, store, again, store->span);
}

static Expr *fix_assign(CuContext *cu, Expr *expr, bool is_wanted) {
  Expr *left = expr->u.assign.left;
  fix(cu, &expr->u.assign.right);
  fix_inside(cu, left);
  if (!is_volatile(cu, left))
    return expr;
  Expr *value = expr->u.assign.right;
  if (expr->u.assign.is_compound) {
    Expr *old = volatile_call(cu, "atomic_load",
                              cu_clone(cu, left, (Span){0, 0}), NULL);
    value = cu_binary(cu, expr->u.assign.op, old, value, expr->span);
  }
  Expr *store = volatile_call(cu, "atomic_store", left, value);
  return is_wanted ? then_read(cu, store, left) : store;
}

static Expr *fix_step(CuContext *cu, Expr *expr, bool is_wanted) {
  Expr *place = expr->u.unary.operand;
  fix_inside(cu, place);
  if (!is_volatile(cu, place))
    return expr;
  bool adds =
      expr->u.unary.op == UNARY_PRE_INC || expr->u.unary.op == UNARY_POST_INC;
  Expr *old =
      volatile_call(cu, "atomic_load", cu_clone(cu, place, (Span){0, 0}), NULL);
  Expr *one = cu_int_literal(cu, 1, expr->span);
  Expr *store = volatile_call(
      cu, "atomic_store", place,
      cu_binary(cu, adds ? BINARY_ADD : BINARY_SUB, old, one, expr->span));
  Expr *made = is_wanted ? then_read(cu, store, place) : store;
  bool is_before =
      expr->u.unary.op == UNARY_POST_INC || expr->u.unary.op == UNARY_POST_DEC;
  if (made == store || !is_before)
    return made;
  return cu_binary(cu, adds ? BINARY_SUB : BINARY_ADD, made,
                   cu_int_literal(cu, 1, expr->span), expr->span);
}

static void fix_operands(CuContext *cu, Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_BINARY:
    fix(cu, &expr->u.binary.left);
    fix(cu, &expr->u.binary.right);
    return;
  case EXPR_CONDITIONAL:
    fix(cu, &expr->u.conditional.condition);
    fix(cu, &expr->u.conditional.if_true);
    fix(cu, &expr->u.conditional.if_false);
    return;
  case EXPR_CAST: fix(cu, &expr->u.cast.operand); return;
  case EXPR_CALL: fix_list(cu, &expr->u.call.args); return;
  case EXPR_COMPOUND: fix(cu, &expr->u.compound.init); return;
  case EXPR_INIT_LIST:
    for (uint32_t i = 0; i < expr->u.init_list.n_items; i++)
      fix(cu, &expr->u.init_list.items[i].value);
    return;
  default: fix_inside(cu, expr);
  }
}

static void fix_wanted(CuContext *cu, Expr **slot, bool is_wanted) {
  Expr *expr = *slot;
  if (expr->kind == EXPR_ASSIGN) {
    *slot = fix_assign(cu, expr, is_wanted);
    return;
  }
  if (expr->kind == EXPR_UNARY && expr->u.unary.op >= UNARY_PRE_INC) {
    *slot = fix_step(cu, expr, is_wanted);
    return;
  }
  if (expr->kind == EXPR_COMMA) {
    uint32_t n = expr->u.list.count;
    for (uint32_t i = 0; i < n; i++)
      fix_wanted(cu, &expr->u.list.data[i], is_wanted && i + 1 == n);
    return;
  }
  if (expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS) {
    fix_inside(cu, expr->u.unary.operand);
    return;
  }
  fix_operands(cu, expr);
  if (is_volatile(cu, expr))
    *slot = volatile_call(cu, "atomic_load", expr, NULL);
}

static void fix(CuContext *cu, Expr **slot) {
  fix_wanted(cu, slot, true);
}

static void fix_effect(CuContext *cu, Expr **slot) {
  if (*slot)
    fix_wanted(cu, slot, false);
}

static void fix_optional(CuContext *cu, Expr **slot) {
  if (*slot)
    fix(cu, slot);
}

static void fix_body(CuContext *cu, Stmt *stmt) {
  if (stmt)
    cu_fix_volatile(cu, stmt);
}

static void fix_statement(CuContext *cu, Stmt *stmt) {
  switch ((int)stmt->kind) {
  case STMT_EXPR: fix_effect(cu, &stmt->u.expr); return;
  case STMT_RETURN: fix_optional(cu, &stmt->u.expr); return;
  case STMT_DECL:
    for (uint32_t i = 0; i < stmt->u.decls.count; i++) {
      if (stmt->u.decls.data[i]->kind == DECL_VAR)
        fix_optional(cu, &stmt->u.decls.data[i]->u.var.init);
    }
    return;
  case STMT_COMPOUND:
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
      cu_fix_volatile(cu, stmt->u.compound.items.data[i]);
    return;
  case STMT_IF:
    fix_optional(cu, &stmt->u.if_stmt.condition);
    fix_body(cu, stmt->u.if_stmt.then_stmt);
    fix_body(cu, stmt->u.if_stmt.else_stmt);
    return;
  case STMT_WHILE:
  case STMT_DO:
  case STMT_FOR:
    fix_body(cu, stmt->u.loop.init);
    fix_optional(cu, &stmt->u.loop.condition);
    fix_effect(cu, &stmt->u.loop.step);
    fix_body(cu, stmt->u.loop.body);
    return;
  case STMT_SWITCH:
    fix_optional(cu, &stmt->u.switch_stmt.condition);
    fix_body(cu, stmt->u.switch_stmt.body);
    return;
  default: return;
  }
}

void cu_fix_volatile(CuContext *cu, Stmt *body) {
  if (cu->notes.volatiles.count || cu->notes.guesses.count)
    fix_statement(cu, body);
}
