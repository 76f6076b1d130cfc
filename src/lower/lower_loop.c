// SPDX-License-Identifier: Apache-2.0
// C loops that are not counted: loop { leave unless condition; body; step }.
#include "lower/lower_internal.h"

static bool is_never(const TExpr *condition) {
  return condition && condition->kind == TEXPR_CONST &&
         condition->u.value.u == 0;
}

// do { … } while (0)
static void lower_once(Lowering *lw, const TStmt *stmt) {
  IrNode *block = lower_open_block(lw);
  ControlScope scope = {
      .parent = lw->control, .break_target = block, .continue_target = block};
  lw->control = &scope;
  lower_stmt(lw, stmt->u.loop.body);
  lw->control = scope.parent;
  lower_close_block(lw, block);
}

// What runs after the body also runs after `continue`.
static void lower_body_in_block(Lowering *lw, const TStmt *stmt,
                                ControlScope *scope) {
  IrNode *block = lower_open_block(lw);
  scope->continue_target = block;
  lower_stmt(lw, stmt->u.loop.body);
  lower_close_block(lw, block);
}

static void lower_turn(Lowering *lw, const TStmt *stmt, IrNode *loop) {
  ControlScope scope = {.parent = lw->control, .break_target = loop};
  lw->control = &scope;
  bool is_post_tested = stmt->u.loop.is_post_tested;
  const TExpr *condition = stmt->u.loop.condition, *step = stmt->u.loop.step;
  if (condition && !is_post_tested)
    lower_exit_unless(lw, condition, loop);
  lower_claims(lw, &stmt->u.loop.claims, true);
  if (step || is_post_tested) {
    lower_body_in_block(lw, stmt, &scope);
  } else {
    scope.continue_target = loop;
    scope.is_next_turn = true;
    lower_stmt(lw, stmt->u.loop.body);
  }
  if (step && !lower_is_ended(lw))
    (void)lower_expr(lw, step);
  if (condition && is_post_tested && !lower_is_ended(lw))
    lower_exit_unless(lw, condition, loop);
  lw->control = scope.parent;
}

int32_t lower_unroll(uint32_t unroll) {
  return unroll == UNROLL_FULL ? -1 : (int32_t)unroll;
}

static void lower_general(Lowering *lw, const TStmt *stmt) {
  IrNode *loop = lower_emit(lw, IR_LOOP, ir_scalar(IR_TYPE_VOID), NULL, 0);
  loop->u.loop.unroll = lower_unroll(stmt->u.loop.unroll);
  IrRegion *before = lower_enter(lw, loop, 0);
  lower_turn(lw, stmt, loop);
  lower_strip_tail(&loop->regions[0], loop, true);
  lower_leave(lw, before);
}

void lower_loop(Lowering *lw, const TStmt *stmt) {
  if (stmt->u.loop.is_post_tested && is_never(stmt->u.loop.condition)) {
    lower_once(lw, stmt);
    return;
  }
  if (lower_counted_loop(lw, stmt, lower_unroll(stmt->u.loop.unroll)))
    return;
  lower_stmt(lw, stmt->u.loop.init);
  if (!lower_is_ended(lw))
    lower_general(lw, stmt);
}
