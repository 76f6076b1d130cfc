// SPDX-License-Identifier: Apache-2.0
// Calls that hold a barrier under ?:, && and ||: the choice becomes an if in
// front of the statement, with a variable for its value.
//     y = c ? f() : e;  becomes  T met; if (c) met = f(); else met = e; y =
//     met;
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_walk.h"
#include "cuda/rewrite/cu_exit_rewrite.h"

typedef struct {
  CuWalk walk;
  const CuExitFacts *facts;
  Expr *found; // the outermost
} ChoiceWalk;

static bool holds_barrier(const CuExitFacts *facts, const Expr *expr) {
  return cu_exit_expr_barrier(facts, expr) != CU_BARRIER_NONE;
}

static bool is_logical(const Expr *expr) {
  return expr->kind == EXPR_BINARY && (expr->u.binary.op == BINARY_LOG_AND ||
                                       expr->u.binary.op == BINARY_LOG_OR);
}

static void exit_choice_look_at(CuWalk *walk, const Expr *expr) {
  ChoiceWalk *at = (ChoiceWalk *)walk;
  if (at->found)
    return;
  bool is_choice =
      (expr->kind == EXPR_CONDITIONAL &&
       (holds_barrier(at->facts, expr->u.conditional.if_true) ||
        holds_barrier(at->facts, expr->u.conditional.if_false))) ||
      (is_logical(expr) && holds_barrier(at->facts, expr->u.binary.right));
  if (is_choice)
    at->found = (Expr *)(uintptr_t)expr;
}

// name = value;  without a name:  value;
static Stmt *make_arm(CuContext *cu, CuName *name, Expr *value) {
  Span span = value->span;
  if (name)
    value = cu_assign(cu, cu_name_expr(cu, name, span), value, span);
  return cu_expr_stmt(cu, value, span);
}

static void add_if(CuExits *cx, CuLine *line, Expr *condition, Stmt *then_stmt,
                   Stmt *else_stmt) {
  Span span = condition->span;
  Stmt *made = cu_new_stmt(cx->cu, STMT_IF, span, span);
  made->u.if_stmt.condition = condition;
  made->u.if_stmt.then_stmt = then_stmt;
  made->u.if_stmt.else_stmt = else_stmt;
  cu_exit_rewrite_item(cx, line, made);
}

// bool met = false; if (a) met = b;  or  bool met = true; if (!a) met = b;
static CuName *lower_logical(CuExits *cx, CuLine *line, const Expr *expr) {
  CuContext *cu = cx->cu;
  Span span = expr->span;
  bool is_or = expr->u.binary.op == BINARY_LOG_OR;
  Expr *left = expr->u.binary.left;
  CuName *name = cu_exit_add_variable(
      cx, line, "met", cu_emit_type(cu, cu_basic(&cu->types, CU_BOOL), span),
      cu_bool_expr(cu, is_or, span), span);
  add_if(cx, line, is_or ? cu_unary(cu, UNARY_NOT, left, left->span) : left,
         make_arm(cu, name, expr->u.binary.right), NULL);
  return name;
}

// NULL: the choice has no value.
static CuName *lower_conditional(CuExits *cx, CuLine *line, const Expr *expr,
                                 const CuType *type) {
  CuContext *cu = cx->cu;
  Span span = expr->span;
  CuName *name = NULL;
  if (!cu_is(type, CU_VOID))
    name = cu_exit_add_variable(cx, line, "met", cu_emit_type(cu, type, span),
                                NULL, span);
  add_if(cx, line, expr->u.conditional.condition,
         make_arm(cu, name, expr->u.conditional.if_true),
         make_arm(cu, name, expr->u.conditional.if_false));
  return name;
}

static Expr *exit_choice_find(const CuExits *cx, const Stmt *stmt) {
  ChoiceWalk at = {.walk = {.on_expr = exit_choice_look_at},
                   .facts = &cx->facts};
  cu_walk_stmt(&at.walk, stmt);
  return at.found;
}

// The choice itself is copied, as its place gets another expression.
static void exit_choice_lower(CuExits *cx, CuLine *line, Stmt *stmt,
                              Expr *choice) {
  CuContext *cu = cx->cu;
  bool is_tail = cx->is_tail;
  const CuType *type = map_get(&cu->notes.choices, MAP_KEY(choice));
  Expr copy = *choice;
  cx->is_tail = is_tail && stmt->kind == STMT_EXPR && stmt->u.expr == choice;
  CuName *name = NULL;
  if (copy.kind != EXPR_CONDITIONAL)
    name = lower_logical(cx, line, &copy);
  else if (type)
    name = lower_conditional(cx, line, &copy, type);
  else
    cx->has_failed = true;
  cx->is_tail = is_tail;
  if (!name)
    return;
  cu_exit_guard_name(&cx->facts, name->wanted);
  cu_exit_become_name(cu, choice, name);
}

bool cu_exit_lower_choices(CuExits *cx, CuLine *line, Stmt *stmt) {
  bool any = false;
  for (Expr *choice;
       !cx->has_failed && (choice = exit_choice_find(cx, stmt));) {
    exit_choice_lower(cx, line, stmt, choice);
    any = true;
  }
  return any;
}
