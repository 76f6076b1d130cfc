// SPDX-License-Identifier: Apache-2.0
// switch: a flat row of ifs, so that a thousand cases are no deeper than two.
//
//   without fallthrough            with fallthrough
//   block {                        block {
//     if (v == 1) { S1; exit }       go = v is none of the values (default
//     here) if (v == 2) { S2; exit }       if (go | v == 1) { S1; go = true }
//     Sdefault                       if (go | v == 2) { S2; exit }
//   }                              }
//
// A few cases without fallthrough become if ... else if ..., which needs no
// exits at all.
#include "lower/lower_internal.h"

enum { MAX_ELSE_CHAIN = 16 };

typedef struct {
  const TStmt *stmt;
  IrNode *value;
  IrNode *block;
} Switch;

// ---------------------------------------------------------------- segments

static uint32_t segment_end(const TStmt *stmt, uint32_t i) {
  return i + 1 < stmt->u.switch_.n_cases
             ? stmt->u.switch_.cases[i + 1].first
             : stmt->u.switch_.body->u.block.n_stmts;
}

static bool always_leaves(const TStmt *stmt) {
  if (stmt->kind == TSTMT_BLOCK && stmt->u.block.n_stmts > 0)
    return always_leaves(stmt->u.block.stmts[stmt->u.block.n_stmts - 1]);
  return stmt->kind == TSTMT_BREAK || stmt->kind == TSTMT_CONTINUE ||
         stmt->kind == TSTMT_RETURN;
}

static bool segment_leaves(const TStmt *stmt, uint32_t i) {
  uint32_t first = stmt->u.switch_.cases[i].first, end = segment_end(stmt, i);
  return end > first &&
         always_leaves(stmt->u.switch_.body->u.block.stmts[end - 1]);
}

static bool falls_through(const TStmt *stmt) {
  for (uint32_t i = 0; i + 1 < stmt->u.switch_.n_cases; i++)
    if (!segment_leaves(stmt, i))
      return true;
  return false;
}

static void lower_segment(Lowering *lw, const TStmt *stmt, uint32_t i) {
  TStmt **stmts = stmt->u.switch_.body->u.block.stmts;
  uint32_t end = segment_end(stmt, i);
  for (uint32_t k = stmt->u.switch_.cases[i].first; k < end; k++) {
    if (lower_is_ended(lw))
      return;
    if (stmts[k]->kind == TSTMT_DECL)
      lower_decl_ahead(lw, stmts[k]);
    else
      lower_stmt(lw, stmts[k]);
  }
}

// ------------------------------------------------------------------ labels

static IrNode *lower_switch_joined(Lowering *lw, IrNode *a, IrNode *b) {
  return a ? lower_emit2(lw, IR_OR, ir_scalar(IR_TYPE_BOOL), a, b) : b;
}

static IrNode *lower_switch_matches(Lowering *lw, const Switch *sw, uint32_t i,
                                    IrNode *match) {
  const TCase *label = &sw->stmt->u.switch_.cases[i];
  for (uint32_t k = 0; k < label->n_values; k++) {
    IrNode *value =
        lower_const(lw, sw->value->type, (uint64_t)label->values[k]);
    match = lower_switch_joined(
        lw, match,
        lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), sw->value, value));
  }
  return match;
}

static uint32_t default_of(const TStmt *stmt) {
  uint32_t i = 0;
  while (i < stmt->u.switch_.n_cases && !stmt->u.switch_.cases[i].is_default)
    i++;
  return i;
}

static IrNode *lower_switch_open_if(Lowering *lw, IrNode *condition) {
  return lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID), condition);
}

// ------------------------------------------------------- without fallthrough

static void lower_else_chain(Lowering *lw, const Switch *sw) {
  uint32_t n_cases = sw->stmt->u.switch_.n_cases;
  uint32_t last = default_of(sw->stmt);
  IrRegion *outside = lw->region;
  for (uint32_t i = 0; i < n_cases; i++) {
    if (i == last)
      continue;
    IrNode *branch =
        lower_switch_open_if(lw, lower_switch_matches(lw, sw, i, NULL));
    lower_enter(lw, branch, 0);
    lower_segment(lw, sw->stmt, i);
    lower_enter(lw, branch, 1);
  }
  if (last < n_cases)
    lower_segment(lw, sw->stmt, last);
  lower_leave(lw, outside);
}

static void lower_row(Lowering *lw, const Switch *sw) {
  uint32_t n_cases = sw->stmt->u.switch_.n_cases;
  uint32_t last = default_of(sw->stmt);
  for (uint32_t i = 0; i < n_cases; i++) {
    if (i == last)
      continue;
    IrRegion *outside = lower_enter(
        lw, lower_switch_open_if(lw, lower_switch_matches(lw, sw, i, NULL)), 0);
    lower_segment(lw, sw->stmt, i);
    lower_exit(lw, sw->block, false);
    lower_leave(lw, outside);
  }
  if (last < n_cases)
    lower_segment(lw, sw->stmt, last);
}

// ---------------------------------------------------------- with fallthrough

static IrNode *matches_nothing(Lowering *lw, const Switch *sw) {
  IrNode *match = NULL;
  for (uint32_t i = 0; i < sw->stmt->u.switch_.n_cases; i++)
    match = lower_switch_matches(lw, sw, i, match);
  return match ? lower_not(lw, match) : lower_bool(lw, true);
}

static void lower_falling_row(Lowering *lw, const Switch *sw) {
  uint32_t n_cases = sw->stmt->u.switch_.n_cases;
  uint32_t last = default_of(sw->stmt);
  uint32_t go = lower_new_var(lw, NULL, ir_scalar(IR_TYPE_BOOL));
  lower_set(lw, go, lower_bool(lw, false));
  IrNode *none = last < n_cases ? matches_nothing(lw, sw) : NULL;
  for (uint32_t i = 0; i < n_cases; i++) {
    IrNode *match = lower_switch_matches(lw, sw, i, lower_get(lw, go));
    if (i == last)
      match = lower_switch_joined(lw, match, none);
    IrRegion *outside = lower_enter(lw, lower_switch_open_if(lw, match), 0);
    lower_segment(lw, sw->stmt, i);
    if (!lower_is_ended(lw) && i + 1 < n_cases)
      lower_set(lw, go, lower_bool(lw, true));
    lower_leave(lw, outside);
  }
}

// -------------------------------------------------------------------- whole

// Labels may jump over declarations of the switch's own block.
static void lower_switch_declare_all(Lowering *lw, const TStmt *body) {
  for (uint32_t i = 0; i < body->u.block.n_stmts; i++)
    if (body->u.block.stmts[i]->kind == TSTMT_DECL)
      lower_declare_ahead(lw, body->u.block.stmts[i]);
}

void lower_switch(Lowering *lw, const TStmt *stmt) {
  Switch sw = {.stmt = stmt};
  sw.value = lower_scalar(lw, stmt->u.switch_.value);
  sw.block = lower_open_block(lw);
  // Branches are decided by the value: that is the place to name.
  IrLocId outside = lw->loc;
  lw->loc = lower_loc(lw, stmt->u.switch_.value->span);
  ControlScope scope = {.parent = lw->control, .break_target = sw.block};
  lw->control = &scope;
  lower_switch_declare_all(lw, stmt->u.switch_.body);
  if (falls_through(stmt))
    lower_falling_row(lw, &sw);
  else if (stmt->u.switch_.n_cases <= MAX_ELSE_CHAIN)
    lower_else_chain(lw, &sw);
  else
    lower_row(lw, &sw);
  lw->loc = outside;
  lw->control = scope.parent;
  lower_close_block(lw, sw.block);
}
