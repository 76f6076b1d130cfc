// SPDX-License-Identifier: Apache-2.0
// Conditions around barriers that threads which have left must not evaluate.
//
// Note [Votes about barriers]
// while (x[k] > 0) { …; sync(this_block()); }  becomes
//     while (true) {
//         bool own = active && x[k] > 0;
//         bool goes_on = any(this_block(), own);
//         assert(!active || own == goes_on);
//         if (!goes_on)
//             break;
//         …
//     }
// In CUDA, active threads that disagree would be an error at the barrier. A
// step that all can make is made by all, for (;; k++): then they have k alike.
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_tree.h"
#include "cuda/rewrite/cu_exit_rewrite.h"

static CuName *add_bool(CuExits *cx, CuLine *line, const char *wanted,
                        Expr *value, Span span) {
  CuContext *cu = cx->cu;
  const TypeSyntax *type =
      cu_emit_type(cu, cu_basic(&cu->types, CU_BOOL), span);
  return cu_exit_add_variable(cx, line, wanted, type, value, span);
}

static CuName *add_vote(CuExits *cx, CuLine *line, Expr *own_value,
                        const char *wanted) {
  CuContext *cu = cx->cu;
  Span span = own_value->span;
  own_value = cu_exit_without_statement(own_value);
  CuName *own = add_bool(
      cx, line, "own",
      cu_binary(cu, BINARY_LOG_AND, cu_exit_active(cx, span), own_value, span),
      span);
  CuName *vote = add_bool(
      cx, line, wanted,
      cu_word_call(cu, "any", cu_word_call(cu, "this_block", NULL, NULL, span),
                   cu_name_expr(cu, own, span), span),
      span);
  Expr *agrees = cu_binary(cu, BINARY_EQ, cu_name_expr(cu, own, span),
                           cu_name_expr(cu, vote, span), span);
  Expr *is_gone = cu_unary(cu, UNARY_NOT, cu_exit_active(cx, span), span);
  Expr *claim = cu_binary(cu, BINARY_LOG_OR, is_gone, agrees, span);
  VEC_PUSH(
      cu->arena, &line->out,
      cu_expr_stmt(cu, cu_word_call(cu, "assert", claim, NULL, span), span));
  return vote;
}

Expr *cu_exit_vote(CuExits *cx, CuLine *line, Expr *condition) {
  condition = cu_exit_hoist_from(cx, line, condition);
  if (cu_exit_is_pure(&cx->facts, condition))
    return condition;
  CuName *vote = add_vote(cx, line, condition, "goes_on");
  return cu_name_expr(cx->cu, vote, condition->span);
}

Expr *cu_exit_vote_out(CuExits *cx, CuLine *line, Expr *condition) {
  condition = cu_exit_hoist_from(cx, line, condition);
  Span span = condition->span;
  Expr *stays = cu_unary(cx->cu, UNARY_NOT, condition, span);
  CuName *vote = add_vote(cx, line, stays, "stays");
  return cu_unary(cx->cu, UNARY_NOT, cu_name_expr(cx->cu, vote, span), span);
}

static void add_way_out(CuExits *cx, CuLine *line, Expr *condition) {
  CuContext *cu = cx->cu;
  Span span = condition->span;
  condition = cu_exit_hoist_from(cx, line, condition);
  CuName *vote = add_vote(cx, line, condition, "goes_on");
  Stmt *leave = cu_new_stmt(cu, STMT_IF, span, span);
  leave->u.if_stmt.condition =
      cu_unary(cu, UNARY_NOT, cu_name_expr(cu, vote, span), span);
  leave->u.if_stmt.then_stmt = cu_new_stmt(cu, STMT_BREAK, span, span);
  VEC_PUSH(cu->arena, &line->out, leave);
}

static Stmt *endless(CuExits *cx, const CuLine *body, Expr *step, Span span) {
  Stmt *loop = cu_new_stmt(cx->cu, step ? STMT_FOR : STMT_WHILE, span, span);
  if (!step)
    loop->u.loop.condition = cu_bool_expr(cx->cu, true, span);
  loop->u.loop.step = step;
  loop->u.loop.body = cu_block(cx->cu, &body->out, span);
  return loop;
}

// { init; loop without it }
static Stmt *with_init(CuExits *cx, const Stmt *loop) {
  Stmt *rest = cu_copy_stmt(cx->cu, loop);
  rest->u.loop.init = NULL;
  Stmt **pair = ARENA_ARRAY(cx->cu->arena, Stmt *, 2);
  pair[0] = loop->u.loop.init;
  pair[1] = rest;
  return cu_exit_rewrite_list(cx, (StmtList){pair, 2}, loop->span);
}

Stmt *cu_exit_vote_loop(CuExits *cx, Stmt *loop) {
  CuContext *cu = cx->cu;
  if (loop->u.loop.init && loop->u.loop.init->kind != STMT_EMPTY)
    return with_init(cx, loop);
  CuStmtVec all = {0};
  Stmt *body = loop->u.loop.body;
  StmtList list = cu_exit_list(body, &body);
  Expr *step = loop->u.loop.step, *condition = loop->u.loop.condition;
  bool is_shared = step && cu_exit_is_pure_step(&cx->facts, step) &&
                   !cu_exit_sets(body, step);
  if (!condition) // as long as anybody is there
    condition = cu_bool_expr(cu, true, loop->span);
  for (uint32_t i = 0; i < list.count; i++)
    VEC_PUSH(cu->arena, &all, list.data[i]);
  if (step && !is_shared)
    VEC_PUSH(cu->arena, &all, cu_expr_stmt(cu, step, step->span));
  StmtList items = {all.data, all.count};
  CuLine line = {.items = &items, .end = items.count};
  if (loop->kind != STMT_DO)
    add_way_out(cx, &line, condition);
  cu_exit_rewrite_line(cx, &line);
  if (loop->kind == STMT_DO)
    add_way_out(cx, &line, condition);
  return endless(cx, &line, is_shared ? step : NULL, loop->span);
}
