// SPDX-License-Identifier: Apache-2.0
// C's loops and switch, and where control falls out of statements.
#include "sema/context.h"

#include "sema/constants.h"

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
             DS("it must lie between 1 and 4096"));
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

static TExpr *check_step(SemaContext *cx, const Expr *step) {
  if (!step)
    return NULL;
  TExpr *value = check_expr(cx, step);
  return expr_is_poison(value) ? NULL : convert_to_value(cx, value);
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
    result->u.loop.step = check_step(cx, stmt->u.loop.step);
    cx->unevaluated -= is_dead;
  }
  result->u.loop.body = check_body(cx, stmt->u.loop.body, is_dead);
  if (is_do)
    result->u.loop.condition = check_condition(cx, stmt->u.loop.condition);
  sema_scope_pop(cx, &cx->body->scope);
  return result;
}

// --- switch ---

typedef struct {
  SemaContext *cx;
  const Type *type;
  Map seen; // value + 1 or so -> the label's statement
  const Stmt *otherwise;
  hd_vec(TCase) cases;
  hd_vec(int64_t) values; // of the case that is being collected
  bool has_default;
  Jump jump;
} Switch;

static void report_twice(Switch *state, const Stmt *label, const Stmt *first,
                         const char *what) {
  SemaContext *cx = state->cx;
  Diag *diag = SEMA_ERROR(cx, label->span, duplicate_case, DS(what));
  diag_label(cx->diags, diag, sema_place(cx, first->span), "first here");
}

static void add_case(Switch *state, const Stmt *label) {
  SemaContext *cx = state->cx;
  int64_t value;
  if (!check_const_int(cx, label->u.expr, "a case", &value))
    return;
  TValue held = {.i = value};
  held = value_convert(state->type, sema_basic(cx, TY_LONG), held, NULL);
  // Keys differ for all values; 0 is a key as any other.
  const Stmt *const *first = map_get(&state->seen, held.u);
  if (first) {
    report_twice(
        state, label, *first,
        sema_format(cx, "case %s", value_text(cx->arena, state->type, held)));
    return;
  }
  map_put(cx->arena, &state->seen, held.u,
          arena_copy(cx->arena, &label, sizeof(label)));
  VEC_PUSH(cx->arena, &state->values, held.i);
}

static void add_label(Switch *state, const Stmt *label) {
  if (label->kind == STMT_CASE) {
    add_case(state, label);
    return;
  }
  if (state->otherwise)
    report_twice(state, label, state->otherwise, "default");
  state->otherwise = label;
  state->has_default = true;
}

static void close_labels(Switch *state, uint32_t position) {
  if (state->values.count == 0 && !state->has_default)
    return;
  TCase entry = {.values = state->values.data,
                 .n_values = state->values.count,
                 .is_default = state->has_default,
                 .first = position};
  VEC_PUSH(state->cx->arena, &state->cases, entry);
  state->values.data = NULL;
  state->values.count = state->values.capacity = 0;
  state->has_default = false;
}

static bool is_label(const Stmt *stmt) {
  return stmt->kind == STMT_CASE || stmt->kind == STMT_DEFAULT;
}

// Labels may stand in front of a statement (an implicit compound holds both).
static void check_switch_items(Switch *state, const StmtList *items,
                               StmtBuilder *out) {
  for (uint32_t i = 0; i < items->count; i++) {
    const Stmt *stmt = items->data[i];
    bool is_labelled =
        stmt->kind == STMT_COMPOUND && stmt->u.compound.is_implicit;
    if (is_label(stmt)) {
      add_label(state, stmt);
    } else if (is_labelled) {
      check_switch_items(state, &stmt->u.compound.items, out);
    } else {
      close_labels(state, out->list.count);
      StmtList one = {(Stmt **)&items->data[i], 1};
      check_items(state->cx, &one, out);
    }
  }
}

TStmt *check_switch(SemaContext *cx, const Stmt *stmt) {
  TExpr *value = check_value(cx, stmt->u.switch_stmt.condition);
  bool is_valid = !expr_is_poison(value);
  if (is_valid && !type_is_integer(value->type)) {
    SEMA_ERROR(cx, value->span, bad_type, DS("the value of a switch"),
               NT(cx, value->type));
    is_valid = false;
  }
  value = is_valid ? convert_promote(cx, value)
                   : build_int(cx, sema_basic(cx, TY_LONG), 0, stmt->span);
  Switch state = {.cx = cx, .type = value->type};
  state.jump = (Jump){.outer = cx->body->jump, .kind = JUMP_SWITCH};
  cx->body->jump = &state.jump;
  sema_scope_push(cx, &cx->body->scope);
  StmtBuilder items = {0};
  Stmt *body = stmt->u.switch_stmt.body;
  StmtList single = {&body, 1};
  check_switch_items(
      &state, body->kind == STMT_COMPOUND ? &body->u.compound.items : &single,
      &items);
  close_labels(&state, items.list.count);
  sema_scope_pop(cx, &cx->body->scope);
  cx->body->jump = state.jump.outer;
  TStmt *result = build_stmt(cx, TSTMT_SWITCH, stmt->span);
  result->u.switch_.value = value;
  result->u.switch_.body = build_block(cx, &items, body->span);
  result->u.switch_.cases = state.cases.data;
  result->u.switch_.n_cases = state.cases.count;
  return result;
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
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR: return true;
  }
  return true;
}
