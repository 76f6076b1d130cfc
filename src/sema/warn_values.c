// SPDX-License-Identifier: Apache-2.0
// Warnings about the variables of a checked body: never used, or read before
// anything was stored to them.
//
// Note [Read before a value]
// Statements are walked in the order in which they run, loops once, so that
// what a loop stores comes too late for its own first turn. Behind an `if` or
// `switch` a variable counts as stored if any branch stores it: conditions
// that exclude each other are the program's business, and a warning that is
// wrong helps nobody. For the same reason a read under a condition in a loop
// passes if the loop assigns the variable: `if (i > 0) use(q); q = …;`.
// Variables whose address is taken aren't looked at, nor are arrays.
#include "sema/context.h"

#include <string.h>

typedef hd_vec(uint32_t) IdVec;

typedef struct {
  SemaContext *cx;
  uint8_t *is_set; // by id
  IdVec set_log;   // ids in the order in which they were set
  uint32_t n_vars;
  uint8_t *assigned;   // by id: by the loops around
  IdVec assigned_log;  // likewise
  uint32_t n_branches; // between here and the innermost loop
  bool is_collecting;  // what a loop assigns
} Walk;

static void walk_expr(Walk *w, const TExpr *expr);
static void walk_stmt(Walk *w, const TStmt *stmt);

// The variable that a place lies in; NULL where a pointer or array leads there.
static TVar *warn_values_root_of(const TExpr *place) {
  while (place->kind == TEXPR_MEMBER || place->kind == TEXPR_COMPONENT)
    place = place->u.member.base;
  return place->kind == TEXPR_VAR ? place->u.var : NULL;
}

static bool warn_values_is_followed(const Walk *w, const TVar *var) {
  return var && var->kind == TVAR_LOCAL && var->id < w->n_vars &&
         !type_is(var->type, TY_TOKEN) && !type_is(var->type, TY_TILE) &&
         !var->is_address_taken && var->is_declared;
}

static void warn_values_mark(Walk *w, uint8_t *flags, IdVec *log, uint32_t id) {
  if (flags[id])
    return;
  flags[id] = 1;
  VEC_PUSH(w->cx->arena, log, id);
}

// Takes back what was marked since the log had `first` entries.
static void unmark(uint8_t *flags, IdVec *log, uint32_t first) {
  for (uint32_t i = first; i < log->count; i++)
    flags[log->data[i]] = 0;
  log->count = first;
}

static void store(Walk *w, const TExpr *place) {
  TVar *var = warn_values_root_of(place);
  if (warn_values_is_followed(w, var))
    warn_values_mark(w, w->is_set, &w->set_log, var->id);
}

static void warn_values_assign(Walk *w, const TExpr *place) {
  TVar *var = warn_values_root_of(place);
  if (w->is_collecting && warn_values_is_followed(w, var))
    warn_values_mark(w, w->assigned, &w->assigned_log, var->id);
}

static void read(Walk *w, const TExpr *place, Span span) {
  TVar *var = warn_values_root_of(place);
  if (!warn_values_is_followed(w, var) || w->is_set[var->id] ||
      w->is_collecting)
    return;
  warn_values_mark(w, w->is_set, &w->set_log, var->id); // told once
  if (w->n_branches > 0 && w->assigned[var->id])
    return;
  SEMA_ERROR(w->cx, span, read_unset, DS(var->name));
}

static void walk_exprs(Walk *w, TExpr **list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i])
      walk_expr(w, list[i]);
}

// What evaluating the place itself reads: indices and pointers.
static void walk_place(Walk *w, const TExpr *place) {
  while (place->kind == TEXPR_MEMBER || place->kind == TEXPR_COMPONENT)
    place = place->u.member.base;
  if (place->kind != TEXPR_VAR)
    walk_expr(w, place);
}

static void walk_changed(Walk *w, const TExpr *place) {
  walk_place(w, place);
  read(w, place, place->span);
  store(w, place);
}

static void walk_builtin(Walk *w, const TExpr *expr) {
  walk_exprs(w, expr->u.builtin.args, expr->u.builtin.n_args);
}

static void walk_section(Walk *w, const TSection *section) {
  walk_exprs(w, section->lo, section->rank);
  walk_exprs(w, section->length, section->rank);
  walk_expr(w, section->mask);
  walk_expr(w, section->outside);
}

static void walk_choice(Walk *w, const TExpr *condition, const TExpr *a,
                        const TExpr *b) {
  walk_expr(w, condition);
  walk_expr(w, a);
  walk_expr(w, b);
}

static void walk_expr(Walk *w, const TExpr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case TEXPR_CONST:
  case TEXPR_VAR: return;
  case TEXPR_LOAD:
    walk_place(w, expr->u.operand);
    read(w, expr->u.operand, expr->span);
    return;
  case TEXPR_GROUP:
    walk_expr(w, expr->u.group.parent);
    walk_expr(w, expr->u.group.operand);
    return;
  case TEXPR_DEREF:
  case TEXPR_ADDR:
  case TEXPR_CONVERT:
  case TEXPR_BROADCAST: walk_expr(w, expr->u.operand); return;
  case TEXPR_INDEX:
    walk_expr(w, expr->u.index.base);
    walk_exprs(w, expr->u.index.indices, expr->u.index.n_indices);
    return;
  case TEXPR_MEMBER:
  case TEXPR_COMPONENT: walk_expr(w, expr->u.member.base); return;
  case TEXPR_UNARY: walk_expr(w, expr->u.unary.operand); return;
  case TEXPR_PTR_ADD:
  case TEXPR_PTR_DIFF:
  case TEXPR_BINARY:
  case TEXPR_AND:
  case TEXPR_OR:
  case TEXPR_COMMA:
    walk_expr(w, expr->u.binary.left);
    walk_expr(w, expr->u.binary.right);
    return;
  case TEXPR_ASSIGN:
    walk_place(w, expr->u.binary.left);
    walk_expr(w, expr->u.binary.right);
    store(w, expr->u.binary.left);
    warn_values_assign(w, expr->u.binary.left);
    return;
  case TEXPR_CONDITIONAL:
    walk_choice(w, expr->u.conditional.condition, expr->u.conditional.if_true,
                expr->u.conditional.if_false);
    return;
  case TEXPR_ASSIGN_OP:
    walk_expr(w, expr->u.assign.right);
    walk_changed(w, expr->u.assign.place);
    return;
  case TEXPR_INC_DEC: walk_changed(w, expr->u.inc_dec.place); return;
  case TEXPR_AGGREGATE:
    for (uint32_t i = 0; i < expr->u.aggregate.n_parts; i++)
      walk_expr(w, expr->u.aggregate.parts[i].value);
    return;
  case TEXPR_CALL:
    walk_exprs(w, expr->u.call.args, expr->u.call.n_args);
    return;
  case TEXPR_BUILTIN: walk_builtin(w, expr); return;
  case TEXPR_SECTION: walk_section(w, expr->u.section); return;
  }
}

static void walk_decl(Walk *w, const TStmt *stmt) {
  const TVar *var = stmt->u.decl.var;
  walk_expr(w, stmt->u.decl.init);
  if (var->id < w->n_vars)
    w->is_set[var->id] = stmt->u.decl.init || !var->is_declared;
}

// Adds what the loop assigns.
static void warn_values_collect(Walk *w, const TStmt *body, const TExpr *step) {
  if (w->is_collecting)
    return;
  uint32_t n_set = w->set_log.count;
  w->is_collecting = true;
  walk_stmt(w, body);
  walk_expr(w, step);
  w->is_collecting = false;
  unmark(w->is_set, &w->set_log, n_set);
}

static void warn_values_walk_loop(Walk *w, const TStmt *stmt) {
  walk_stmt(w, stmt->u.loop.init);
  uint32_t n_assigned = w->assigned_log.count;
  uint32_t n_branches = w->n_branches;
  warn_values_collect(w, stmt->u.loop.body, stmt->u.loop.step);
  w->n_branches = 0;
  if (!stmt->u.loop.is_post_tested)
    walk_expr(w, stmt->u.loop.condition);
  walk_stmt(w, stmt->u.loop.body);
  walk_expr(w, stmt->u.loop.step);
  if (stmt->u.loop.is_post_tested)
    walk_expr(w, stmt->u.loop.condition);
  w->n_branches = n_branches;
  if (!w->is_collecting)
    unmark(w->assigned, &w->assigned_log, n_assigned);
}

// Each branch from the state before; behind them what any of them stored.
static void walk_branches(Walk *w, const TStmt *a, const TStmt *b) {
  uint32_t before = w->set_log.count;
  w->n_branches++;
  walk_stmt(w, a);
  uint32_t after_a = w->set_log.count;
  for (uint32_t i = before; i < after_a; i++)
    w->is_set[w->set_log.data[i]] = 0;
  walk_stmt(w, b);
  w->n_branches--;
  for (uint32_t i = before; i < after_a; i++)
    w->is_set[w->set_log.data[i]] = 1;
}

// Cases in order, each after what those before it stored: optimistic, too.
static void walk_switch(Walk *w, const TStmt *stmt) {
  walk_expr(w, stmt->u.switch_.value);
  w->n_branches++;
  walk_stmt(w, stmt->u.switch_.body);
  w->n_branches--;
}

static void walk_thread_loop(Walk *w, const TStmt *stmt) {
  walk_expr(w, stmt->u.thread_loop.lo);
  walk_expr(w, stmt->u.thread_loop.hi);
  walk_stmt(w, stmt->u.thread_loop.body);
}

static void walk_stmt(Walk *w, const TStmt *stmt) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case TSTMT_EXPR:
  case TSTMT_RETURN: walk_expr(w, stmt->u.expr); return;
  case TSTMT_DECL: walk_decl(w, stmt); return;
  case TSTMT_BLOCK:
    for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++)
      walk_stmt(w, stmt->u.block.stmts[i]);
    return;
  case TSTMT_IF:
    walk_expr(w, stmt->u.if_.condition);
    walk_branches(w, stmt->u.if_.if_true, stmt->u.if_.if_false);
    return;
  case TSTMT_LOOP: warn_values_walk_loop(w, stmt); return;
  case TSTMT_SWITCH: walk_switch(w, stmt); return;
  case TSTMT_BREAK:
  case TSTMT_CONTINUE: return;
  case TSTMT_GROUP:
    walk_expr(w, stmt->u.group.begin);
    walk_stmt(w, stmt->u.group.body);
    return;
  case TSTMT_WITH:
    walk_expr(w, stmt->u.with.group);
    walk_stmt(w, stmt->u.with.body);
    return;
  case TSTMT_STAGE:
    walk_expr(w, stmt->u.stage.k);
    walk_stmt(w, stmt->u.stage.body);
    return;
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR: walk_thread_loop(w, stmt); return;
  }
}

static void warn_unused(SemaContext *cx, TVar *const *vars, uint32_t n_vars) {
  for (uint32_t i = 0; i < n_vars; i++) {
    const TVar *var = vars[i];
    bool is_local = var->kind == TVAR_LOCAL || var->kind == TVAR_ARRAY ||
                    var->kind == TVAR_SHARED;
    if (is_local && var->is_declared && !var->is_mentioned &&
        !var->is_file_scope && !type_is(var->type, TY_TOKEN))
      SEMA_ERROR(cx, var->span, unused_variable, DS(var->name));
  }
}

void sema_warn_values(SemaContext *cx, const TStmt *body, TVar *const *vars,
                      uint32_t n_vars) {
  if ((cx->options.policy & SEMA_NO_HABITS) || !body || cx->is_partial)
    return; // what isn't known yet isn't checked, so uses are missing
  Walk walk = {.cx = cx, .n_vars = n_vars};
  walk.is_set = ARENA_ARRAY(cx->arena, uint8_t, n_vars + 1);
  walk.assigned = ARENA_ARRAY(cx->arena, uint8_t, n_vars + 1);
  memset(walk.is_set, 1, n_vars);
  memset(walk.assigned, 0, n_vars);
  walk_stmt(&walk, body);
  warn_unused(cx, vars, n_vars);
}
