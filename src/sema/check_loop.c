// SPDX-License-Identifier: Apache-2.0
// C's loops, and where control falls out of statements.
#include "sema/context.h"

// --- loops ---

uint32_t check_unroll(SemaContext *cx, const UnrollPragma *unroll) {
  if (!unroll->is_present)
    return 0;
  if (!unroll->count)
    return UNROLL_FULL;
  int64_t count;
  if (!check_const_int(cx, unroll->count, "the count of an unroll pragma",
                       &count))
    return 0;
  if (count >= 1 && count <= 4096)
    return (uint32_t)count;
  SEMA_ERROR(cx, unroll->count->span, clause_value,
             DS("the count of an unroll pragma"), DD(count),
             DS("it must be between 1 and 4096"));
  return 0;
}

static TStmt *check_init(SemaContext *cx, const Stmt *init) {
  if (!init)
    return NULL;
  if (init->kind != STMT_DECL)
    return check_stmt(cx, init);
  StmtBuilder items = {0};
  for (uint32_t i = 0; i < init->u.decls.count; i++)
    declare_local(cx, init->u.decls.data[i], &items);
  return items.list.count == 1 ? items.list.data[0]
                               : build_block(cx, &items, init->span);
}

static TStmt *check_body(SemaContext *cx, const Stmt *body, bool is_dead) {
  Jump jump = {.outer = cx->body->jump, .kind = JUMP_LOOP};
  cx->body->jump = &jump;
  cx->unevaluated += is_dead;
  TStmt *result = check_block(cx, body);
  cx->unevaluated -= is_dead;
  cx->body->jump = jump.outer;
  return result;
}

static TExpr *check_loop_step(SemaContext *cx, const Expr *step) {
  if (!step)
    return NULL;
  TExpr *value = check_expr(cx, step);
  return expr_is_poison(value) ? NULL : convert_to_value(cx, value);
}

// What is left of a loop that never runs.
static TStmt *only_init(SemaContext *cx, const TStmt *loop) {
  StmtBuilder items = {0};
  if (loop->u.loop.init)
    VEC_PUSH(cx->arena, &items.list, loop->u.loop.init);
  return build_block(cx, &items, loop->span);
}

TStmt *check_loop(SemaContext *cx, const Stmt *stmt) {
  TStmt *result = build_stmt(cx, TSTMT_LOOP, stmt->span);
  bool is_do = stmt->kind == STMT_DO;
  result->u.loop.is_post_tested = is_do;
  result->u.loop.unroll = check_unroll(cx, &stmt->u.loop.unroll);
  sema_scope_push(cx, &cx->body->scope);
  bool is_dead = false;
  if (!is_do) {
    result->u.loop.init = check_init(cx, stmt->u.loop.init);
    TExpr *condition = stmt->u.loop.condition
                           ? check_condition(cx, stmt->u.loop.condition)
                           : NULL;
    is_dead = condition && expr_is_const(condition) && !condition->u.value.u;
    bool is_forever = condition && expr_is_const(condition) && !is_dead;
    result->u.loop.condition = is_forever ? NULL : condition;
    cx->unevaluated += is_dead;
    result->u.loop.step = check_loop_step(cx, stmt->u.loop.step);
    cx->unevaluated -= is_dead;
  }
  result->u.loop.body = check_body(cx, stmt->u.loop.body, is_dead);
  if (is_do)
    result->u.loop.condition = check_condition(cx, stmt->u.loop.condition);
  sema_scope_pop(cx, &cx->body->scope);
  return is_dead ? only_init(cx, result) : result;
}

// --- where control goes on ---

static bool has_break(const TStmt *stmt);

static bool block_has_break(const TStmt *block) {
  for (uint32_t i = 0; i < block->u.block.n_stmts; i++)
    if (has_break(block->u.block.stmts[i]))
      return true;
  return false;
}

// A break of the loop or switch that `stmt` is in.
static bool has_break(const TStmt *stmt) {
  if (!stmt)
    return false;
  if (stmt->kind == TSTMT_BLOCK)
    return block_has_break(stmt);
  if (stmt->kind == TSTMT_IF)
    return has_break(stmt->u.if_.if_true) || has_break(stmt->u.if_.if_false);
  return stmt->kind == TSTMT_BREAK;
}

static bool switch_falls_through(const TStmt *stmt) {
  const TStmt *body = stmt->u.switch_.body;
  bool has_default = false;
  for (uint32_t i = 0; i < stmt->u.switch_.n_cases; i++)
    has_default |= stmt->u.switch_.cases[i].is_default;
  if (!has_default || has_break(body) || body->u.block.n_stmts == 0)
    return true;
  return stmt_falls_through(body->u.block.stmts[body->u.block.n_stmts - 1]);
}

static bool loop_falls_through(const TStmt *stmt) {
  const TExpr *condition = stmt->u.loop.condition;
  bool is_forever =
      !condition || (expr_is_const(condition) && condition->u.value.u != 0);
  return !is_forever || has_break(stmt->u.loop.body);
}

static bool is_trap(const TExpr *expr) {
  return expr && expr->kind == TEXPR_BUILTIN && expr->u.builtin.id == BI_TRAP;
}

bool stmt_falls_through(const TStmt *stmt) {
  switch (stmt->kind) {
  case TSTMT_BLOCK:
    for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++)
      if (!stmt_falls_through(stmt->u.block.stmts[i]))
        return false;
    return true;
  case TSTMT_IF:
    return !stmt->u.if_.if_false || stmt_falls_through(stmt->u.if_.if_true) ||
           stmt_falls_through(stmt->u.if_.if_false);
  case TSTMT_LOOP: return loop_falls_through(stmt);
  case TSTMT_SWITCH: return switch_falls_through(stmt);
  case TSTMT_EXPR: return !is_trap(stmt->u.expr);
  case TSTMT_BREAK:
  case TSTMT_CONTINUE:
  case TSTMT_RETURN: return false;
  case TSTMT_DECL:
  case TSTMT_GROUP:
  case TSTMT_WITH:
  case TSTMT_STAGE:
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR: return true;
  }
  return true;
}
