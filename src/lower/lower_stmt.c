// SPDX-License-Identifier: Apache-2.0
// Statements.
#include "lower/lower_internal.h"

// Note [Early exits]. After `if (c) return;` or `if (c) continue;` the rest of
// the block is lowered into the other branch. Where the block's end is the end
// of what is left, the exit is then superfluous, and a guard at the start of a
// kernel costs no masks beyond its own.
enum { MAX_GUARDS = 24 };

static bool leaves_early(const IrRegion *region) {
  const IrNode *last = region->last;
  if (!last || last->op != IR_EXIT)
    return false;
  IrOp target = last->u.exit.target->op;
  return last->u.exit.is_continue || target == IR_BLOCK || target == IR_CALL;
}

// The branch of the last node in which the rest of a block may stand.
static IrRegion *guarded_rest(const Lowering *lw) {
  IrNode *last = lw->region->last;
  if (!last || last->op != IR_IF)
    return NULL;
  for (int i = 0; i < 2; i++)
    if (leaves_early(&last->regions[i]) && !leaves_early(&last->regions[!i]))
      return &last->regions[!i];
  return NULL;
}

// Who isn't in the rest may have left the kernel.
static void note_return(const IrRegion *rest) {
  IrNode *branch = rest->owner;
  int rest_number = rest == &branch->regions[1];
  if (branch->regions[!rest_number].last->flags & NODE_RETURNS)
    branch->flags |= rest_number ? NODE_THEN_RETURNS : NODE_ELSE_RETURNS;
}

static void lower_block(Lowering *lw, const TStmt *stmt) {
  IrRegion *before = lw->region;
  uint32_t n_guards = lw->n_guards;
  uint32_t n_pipelines = lw->pipelines.count;
  for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++) {
    if (lower_is_ended(lw) || lw->has_failed)
      break; // what follows is never reached
    lower_stmt(lw, stmt->u.block.stmts[i]);
    IrRegion *rest = guarded_rest(lw);
    if (stmt->u.block.stmts[i]->kind != TSTMT_IF || !rest ||
        lw->n_guards == MAX_GUARDS)
      continue;
    lw->n_guards++;
    note_return(rest);
    lw->region = rest;
  }
  lower_drain(lw, n_pipelines);
  lw->n_guards = n_guards;
  lower_leave(lw, before);
}

// ---------------------------------------------------------------------- if

enum { MAX_CONJUNCTS = 16 };

typedef struct {
  const TExpr *conjuncts[MAX_CONJUNCTS];
  uint32_t count;
} Conjunction;

// The parts of a && b && c, left to right; false if there are too many.
static bool find_conjuncts(const TExpr *condition, Conjunction *out) {
  if (condition->kind == TEXPR_AND)
    return find_conjuncts(condition->u.binary.left, out) &&
           find_conjuncts(condition->u.binary.right, out);
  if (out->count == MAX_CONJUNCTS)
    return false;
  out->conjuncts[out->count++] = condition;
  return true;
}

static IrNode *lower_stmt_open_if(Lowering *lw, IrNode *condition,
                                  IrRegion **before) {
  IrNode *node = lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID), condition);
  IrRegion *outside = lower_enter(lw, node, 0);
  if (before)
    *before = outside;
  return node;
}

// `if (a && b) S` without else: nested ifs where b is costly, no variable.
static void lower_conjuncts(Lowering *lw, const Conjunction *all,
                            const TStmt *if_true) {
  IrRegion *outside = lw->region;
  uint32_t next = 0;
  while (next < all->count) {
    IrNode *value = lower_scalar(lw, all->conjuncts[next++]);
    while (next < all->count && lower_is_cheap(lw, all->conjuncts[next]))
      value = lower_emit2(lw, IR_AND, value->type, value,
                          lower_speculative(lw, all->conjuncts[next++]));
    if (value->op == IR_CONST && value->u.constant.bits == 0) {
      lower_leave(lw, outside);
      return;
    }
    if (value->op != IR_CONST)
      lower_stmt_open_if(lw, value, NULL);
  }
  lower_stmt(lw, if_true);
  lower_leave(lw, outside);
}

// if (present(p))
static bool is_about_present(const TExpr *condition) {
  return condition->kind == TEXPR_BUILTIN &&
         condition->u.builtin.id == BI_PRESENT;
}

static void lower_if(Lowering *lw, const TStmt *stmt) {
  const TExpr *condition = stmt->u.if_.condition;
  const TStmt *if_false = stmt->u.if_.if_false;
  Conjunction all = {.count = 0};
  if (!if_false && condition->kind == TEXPR_AND &&
      find_conjuncts(condition, &all)) {
    IrLocId outside = lw->loc;
    lw->loc = lower_loc(lw, condition->span);
    lower_conjuncts(lw, &all, stmt->u.if_.if_true);
    lw->loc = outside;
    return;
  }
  IrNode *value = lower_scalar(lw, condition);
  if (value->op == IR_CONST) {
    lower_stmt(lw, value->u.constant.bits ? stmt->u.if_.if_true : if_false);
    return;
  }
  IrRegion *before;
  IrNode *node = lower_stmt_open_if(lw, value, &before);
  if (is_about_present(condition))
    node->flags |= NODE_ELSE_RETURNS;
  lower_stmt(lw, stmt->u.if_.if_true);
  if (if_false) {
    lower_enter(lw, node, 1);
    lower_stmt(lw, if_false);
  }
  lower_leave(lw, before);
}

// --------------------------------------------------------- break, continue

static void lower_break(Lowering *lw) {
  ControlScope *scope = lw->control;
  while (scope && !scope->break_target)
    scope = scope->parent;
  HD_ASSERT(scope);
  lower_exit(lw, scope->break_target, false);
}

static void lower_continue(Lowering *lw) {
  ControlScope *scope = lw->control;
  while (scope && !scope->continue_target)
    scope = scope->parent;
  HD_ASSERT(scope);
  lower_exit(lw, scope->continue_target, scope->is_next_turn);
}

void lower_iteration_body(Lowering *lw, const TStmt *body) {
  ControlScope *outside = lw->control;
  IrNode *block = lower_open_block(lw);
  ControlScope scope = {.continue_target = block};
  lw->control = &scope;
  lower_stmt(lw, body);
  lw->control = outside;
  lower_close_block(lw, block);
}

// ---------------------------------------------------------------- dispatch

static void lower_stmt_dispatch(Lowering *lw, const TStmt *stmt) {
  switch (stmt->kind) {
  case TSTMT_EXPR:
    if (stmt->u.expr)
      (void)lower_expr(lw, stmt->u.expr);
    break;
  case TSTMT_DECL: lower_decl(lw, stmt); break;
  case TSTMT_BLOCK: lower_block(lw, stmt); break;
  case TSTMT_IF: lower_if(lw, stmt); break;
  case TSTMT_LOOP: lower_loop(lw, stmt); break;
  case TSTMT_SWITCH: lower_switch(lw, stmt); break;
  case TSTMT_BREAK: lower_break(lw); break;
  case TSTMT_CONTINUE: lower_continue(lw); break;
  case TSTMT_RETURN: lower_return(lw, stmt); break;
  case TSTMT_GROUP: lower_group_stmt(lw, stmt); break;
  case TSTMT_WITH: lower_with(lw, stmt); break;
  case TSTMT_STAGE: lower_stage(lw, stmt); break;
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR: lower_thread_loop(lw, stmt); break;
  }
}

void lower_stmt(Lowering *lw, const TStmt *stmt) {
  if (!stmt || lw->has_failed || lower_is_ended(lw))
    return;
  IrLocId before = lw->loc;
  lw->loc = lower_loc(lw, stmt->span);
  lw->depth++;
  lower_stmt_dispatch(lw, stmt);
  lw->depth--;
  lw->loc = before;
}
