// SPDX-License-Identifier: Apache-2.0
// switch: its labels stand in the braces of its body, and in plain blocks
// there, whose items then become items of the body. Labels inside other
// statements are refused.
#include "sema/context.h"

#include "sema/type/constants.h"

typedef struct {
  SemaContext *cx;
  const Type *type;
  Map seen; // value + 1 or so -> the label's statement
  const Stmt *otherwise;
  hd_vec(TCase) cases;
  hd_vec(int64_t) values; // of the case that is being collected
  bool has_default;
  Jump jump;
  // A constant value selects one label; what it doesn't reach is dropped.
  bool is_known, is_live, is_over;
  TValue value;
  const Stmt *selected;
  uint32_t first_live;
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

static void check_switch_add_label(Switch *state, const Stmt *label) {
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

// --- constant switches ---

static bool selects(Switch *state, const Stmt *label) {
  SemaContext *cx = state->cx;
  int64_t value;
  if (label->kind != STMT_CASE ||
      !check_const_int(cx, label->u.expr, "a case", &value))
    return false;
  TValue held = {.i = value};
  held = value_convert(state->type, sema_basic(cx, TY_LONG), held, NULL);
  return held.u == state->value.u;
}

static bool check_switch_has_label(const Stmt *stmt);

static bool check_switch_is_label(const Stmt *stmt) {
  return stmt->kind == STMT_CASE || stmt->kind == STMT_DEFAULT;
}

// Its items belong to the switch: a label with what it marks, or a block with
// labels.
static bool is_dissolved(const Stmt *stmt) {
  return stmt->kind == STMT_COMPOUND &&
         (stmt->u.compound.is_implicit || check_switch_has_label(stmt));
}

static bool check_switch_has_label(const Stmt *stmt) {
  const StmtList *items = &stmt->u.compound.items;
  for (uint32_t i = 0; i < items->count; i++)
    if (check_switch_is_label(items->data[i]) || is_dissolved(items->data[i]))
      return true;
  return false;
}

// The label that the value goes to: the case that it equals, else `default`.
static void select_label(Switch *state, const StmtList *items) {
  for (uint32_t i = 0; i < items->count; i++) {
    const Stmt *stmt = items->data[i];
    if (is_dissolved(stmt))
      select_label(state, &stmt->u.compound.items);
    else if (stmt->kind == STMT_DEFAULT && !state->selected)
      state->selected = stmt;
    else if (selects(state, stmt))
      state->selected = stmt;
  }
}

static void check_one(Switch *state, Stmt *stmt, StmtBuilder *out) {
  StmtList one = {&stmt, 1};
  check_items(state->cx, &one, out);
}

// Declarations stay visible behind code that is never reached.
static void check_unreached(Switch *state, Stmt *stmt, StmtBuilder *out) {
  StmtBuilder dropped = {0};
  state->cx->unevaluated++;
  check_one(state, stmt, &dropped);
  state->cx->unevaluated--;
  for (uint32_t i = 0; i < dropped.list.count; i++) {
    TStmt *kept = dropped.list.data[i];
    if (kept->kind != TSTMT_DECL)
      continue;
    kept->u.decl.init = NULL;
    VEC_PUSH(state->cx->arena, &out->list, kept);
  }
}

static void check_reached(Switch *state, Stmt *stmt, StmtBuilder *out) {
  uint32_t before = out->list.count;
  check_one(state, stmt, out);
  for (uint32_t i = before; i < out->list.count; i++)
    if (!stmt_falls_through(out->list.data[i]))
      state->is_over = true;
}

static void check_known_item(Switch *state, Stmt *stmt, StmtBuilder *out) {
  if (state->is_live && !state->is_over)
    check_reached(state, stmt, out);
  else
    check_unreached(state, stmt, out);
}

// --- the items ---

// One label at the first statement that the value reaches.
static void close_known(Switch *state) {
  state->values.count = 0;
  state->has_default = state->is_live;
  close_labels(state, state->first_live);
}

static void check_switch_items(Switch *state, const StmtList *items,
                               StmtBuilder *out);

static void check_dissolved(Switch *state, const Stmt *stmt, StmtBuilder *out) {
  Body *body = state->cx->body;
  bool fp_contract = body->fp_contract;
  bool is_block = !stmt->u.compound.is_implicit;
  if (is_block)
    sema_scope_push(state->cx, &body->scope);
  check_switch_items(state, &stmt->u.compound.items, out);
  if (is_block) {
    sema_scope_pop(state->cx, &body->scope);
    body->fp_contract = fp_contract;
  }
}

static void check_switch_items(Switch *state, const StmtList *items,
                               StmtBuilder *out) {
  for (uint32_t i = 0; i < items->count; i++) {
    const Stmt *stmt = items->data[i];
    if (check_switch_is_label(stmt)) {
      check_switch_add_label(state, stmt);
      if (state->is_known && stmt == state->selected) {
        state->is_live = true;
        state->first_live = out->list.count;
      }
    } else if (is_dissolved(stmt)) {
      check_dissolved(state, stmt, out);
    } else if (state->is_known) {
      check_known_item(state, items->data[i], out);
    } else {
      close_labels(state, out->list.count);
      check_one(state, items->data[i], out);
    }
  }
}

// NULL: it was wrong; the body is checked all the same.
static TExpr *switch_value(SemaContext *cx, const Stmt *stmt) {
  TExpr *value = check_value(cx, stmt->u.switch_stmt.condition);
  if (expr_is_poison(value))
    return NULL;
  if (type_is_integer(value->type))
    return convert_promote(cx, value);
  SEMA_ERROR(cx, value->span, bad_type, DS("the value of a switch"),
             NT(cx, value->type));
  return NULL;
}

static void check_switch_body(Switch *state, Stmt *body, StmtBuilder *items) {
  SemaContext *cx = state->cx;
  StmtList single = {&body, 1};
  const StmtList *list =
      body->kind == STMT_COMPOUND ? &body->u.compound.items : &single;
  state->jump = (Jump){.outer = cx->body->jump, .kind = JUMP_SWITCH};
  cx->body->jump = &state->jump;
  sema_scope_push(cx, &cx->body->scope);
  if (state->is_known)
    select_label(state, list);
  check_switch_items(state, list, items);
  if (state->is_known)
    close_known(state);
  else
    close_labels(state, items->list.count);
  sema_scope_pop(cx, &cx->body->scope);
  cx->body->jump = state->jump.outer;
}

// A group exists from its declaration on, so no label may skip that.
static void check_jumped_groups(const Switch *state, const StmtBuilder *items) {
  if (state->is_known || state->cases.count == 0)
    return;
  uint32_t last = state->cases.data[state->cases.count - 1].first;
  for (uint32_t i = 0; i < items->list.count && i < last; i++) {
    const TStmt *item = items->list.data[i];
    if (item->kind == TSTMT_DECL && item->u.decl.var->kind == TVAR_GROUP)
      SEMA_ERROR(state->cx, item->span, group_jumped,
                 DS(item->u.decl.var->name));
  }
}

TStmt *check_switch(SemaContext *cx, const Stmt *stmt) {
  TExpr *value = switch_value(cx, stmt);
  Switch state = {.cx = cx, .is_known = value && expr_is_const(value)};
  if (!value)
    value = build_int(cx, sema_basic(cx, TY_LONG), 0, stmt->span);
  state.type = value->type;
  state.value = value->u.value;
  StmtBuilder items = {0};
  Stmt *body = stmt->u.switch_stmt.body;
  check_switch_body(&state, body, &items);
  check_jumped_groups(&state, &items);
  TStmt *result = build_stmt(cx, TSTMT_SWITCH, stmt->span);
  result->u.switch_.value = value;
  result->u.switch_.body = build_block(cx, &items, body->span);
  result->u.switch_.cases = state.cases.data;
  result->u.switch_.n_cases = state.cases.count;
  return result;
}
