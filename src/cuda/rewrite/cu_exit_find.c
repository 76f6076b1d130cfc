// SPDX-License-Identifier: Apache-2.0
// Where threads leave a kernel, or a function behind whose call no barrier is.
#include "cuda/rewrite/cu_exit_facts.h"

#include "cuda/form/cu_walk.h"

enum { MAX_CALLS = 16 }; // of functions in each other

StmtList cu_exit_list(const Stmt *stmt, Stmt **single) {
  if (stmt->kind == STMT_COMPOUND)
    return stmt->u.compound.items;
  return (StmtList){single, 1};
}

// if (c) return;  or  if (c) { …; return; }, in functions with a value
bool cu_exit_is_exit(const CuExitFacts *facts, const Stmt *stmt) {
  if (stmt->kind != STMT_IF || stmt->u.if_stmt.else_stmt ||
      cu_exit_barrier(facts, stmt) != CU_BARRIER_NONE)
    return false;
  Stmt *then_stmt = stmt->u.if_stmt.then_stmt;
  StmtList list = cu_exit_list(then_stmt, &then_stmt);
  if (list.count == 0 || list.data[list.count - 1]->kind != STMT_RETURN)
    return false;
  for (uint32_t i = 0; i + 1 < list.count; i++)
    if (cu_exit_has_return(list.data[i]))
      return false;
  return true;
}

typedef struct {
  CuWalk walk;
  const CuExitFacts *facts;
  bool leaves;
} LeaveWalk;

static void exit_find_look_at_call(CuWalk *walk, const Expr *expr) {
  LeaveWalk *at = (LeaveWalk *)walk;
  const Decl *function =
      expr->kind == EXPR_CALL
          ? cu_exit_function(at->facts->cu, cu_exit_callee(expr))
          : NULL;
  if (!function || at->leaves || at->facts->n_calls >= MAX_CALLS)
    return;
  CuExitFacts inner;
  cu_exit_facts_of_call(&inner, at->facts, function, &expr->u.call.args);
  StmtList items = function->u.function.body->u.compound.items;
  uint32_t tail = cu_exit_tail(&inner, items);
  at->leaves = cu_exit_find(&inner, items, tail) < tail;
}

// A call in the statement, behind which there is no barrier.
static bool leaves_in_call(const CuExitFacts *facts, const Stmt *stmt) {
  LeaveWalk at = {.walk = {.on_expr = exit_find_look_at_call}, .facts = facts};
  cu_walk_stmt(&at.walk, stmt);
  return at.leaves;
}

uint32_t cu_exit_find(const CuExitFacts *facts, StmtList items, uint32_t tail) {
  for (uint32_t i = 0; i < tail; i++) {
    const Stmt *stmt = items.data[i];
    if (cu_exit_is_exit(facts, stmt)
            ? cu_exit_varies(facts, stmt->u.if_stmt.condition)
            : cu_exit_barrier(facts, stmt) != CU_BARRIER_NONE &&
                  cu_exit_has_return(stmt))
      return i;
  }
  return tail > 0 && leaves_in_call(facts, items.data[tail - 1]) ? tail - 1
                                                                 : tail;
}
