// SPDX-License-Identifier: Apache-2.0
// Tile variables are assigned on every path before they are read.
//
// Note [Definite assignment]
// As in Java: statements are walked in the order in which they run, with the
// set of variables that have a value on every path to that place. Where paths
// meet, only what all of them assigned counts; the paths that `break`,
// `continue` and `return` leave by don't arrive at what follows. Values of
// conditions aren't looked at, but for constants, which sema folded.
//
// A variable has a slot from its declaration to the end of the block, so that a
// state is as large as what can be named, however often a loop was unrolled.
#include "sema/tile.h"

typedef struct {
  hd_vec(uint8_t) values; // by slot; what isn't there has no value
  bool is_dead;           // no path leads here
} State;

// Where `break` and `continue` lead: the meeting of all paths to there.
typedef struct Exit {
  struct Exit *outer;
  bool is_loop; // else a switch, where `continue` is the loop's outside
  State state, next;
} Exit;

typedef struct {
  SemaContext *cx;
  uint32_t *slots; // by id of a variable
  uint32_t n_vars, n_slots;
  State now;
  Exit *exit;
} Assigned;

static void assigned_expr(Assigned *a, const TExpr *expr);
static void assigned_stmt(Assigned *a, const TStmt *stmt);

// --- states ---

static bool state_has(const State *state, uint32_t slot) {
  return slot < state->values.count && state->values.data[slot];
}

static void state_set(Assigned *a, State *state, uint32_t slot, bool value) {
  while (state->values.count <= slot)
    VEC_PUSH(a->cx->arena, &state->values, 0);
  state->values.data[slot] = value;
}

static State state_copy(Assigned *a, const State *from) {
  State copy = {.is_dead = from->is_dead};
  for (uint32_t i = 0; i < from->values.count && i < a->n_slots; i++)
    VEC_PUSH(a->cx->arena, &copy.values, from->values.data[i]);
  return copy;
}

static void meet(Assigned *a, State *into, const State *other) {
  if (other->is_dead)
    return;
  if (into->is_dead) {
    *into = state_copy(a, other);
    return;
  }
  for (uint32_t i = 0; i < into->values.count; i++)
    into->values.data[i] &= (uint8_t)state_has(other, i);
}

// --- expressions ---

static const TVar *tile_var(const Assigned *a, const TExpr *place) {
  const TVar *var = place->kind == TEXPR_VAR ? place->u.var : NULL;
  bool is_followed = var && var->kind == TVAR_LOCAL && var->id < a->n_vars &&
                     type_is(var->type, TY_TILE);
  return is_followed ? var : NULL;
}

static void assigned_read(Assigned *a, const TExpr *place, Span span) {
  const TVar *var = tile_var(a, place);
  if (!var || a->now.is_dead || state_has(&a->now, a->slots[var->id]))
    return;
  Diag *diag = SEMA_ERROR(a->cx, span, tile_unset, DS(var->name));
  diag_label(a->cx->diags, diag, sema_place(a->cx, var->span),
             "'%s' is declared here without a value", var->name);
  state_set(a, &a->now, a->slots[var->id], true); // told once
}

static void assigned_list(Assigned *a, TExpr *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    assigned_expr(a, list[i]);
}

static void assigned_place(Assigned *a, const TExpr *place) {
  if (place->kind != TEXPR_VAR)
    assigned_expr(a, place);
}

static void assigned_store(Assigned *a, const TExpr *place) {
  const TVar *var = tile_var(a, place);
  if (var)
    state_set(a, &a->now, a->slots[var->id], true);
}

// The right side may not be evaluated.
static void assigned_maybe(Assigned *a, const TExpr *always,
                           const TExpr *maybe) {
  assigned_expr(a, always);
  State before = state_copy(a, &a->now);
  assigned_expr(a, maybe);
  meet(a, &a->now, &before);
}

static void assigned_choice(Assigned *a, const TExpr *expr) {
  assigned_expr(a, expr->u.conditional.condition);
  State before = state_copy(a, &a->now);
  assigned_expr(a, expr->u.conditional.if_true);
  State after = a->now;
  a->now = before;
  assigned_expr(a, expr->u.conditional.if_false);
  meet(a, &a->now, &after);
}

static void assigned_below(Assigned *a, const TExpr *expr) {
  switch ((int)expr->kind) {
  case TEXPR_DEREF:
  case TEXPR_ADDR:
  case TEXPR_CONVERT:
  case TEXPR_BROADCAST: assigned_expr(a, expr->u.operand); return;
  case TEXPR_INDEX:
    assigned_expr(a, expr->u.index.base);
    assigned_list(a, expr->u.index.indices, expr->u.index.n_indices);
    return;
  case TEXPR_MEMBER:
  case TEXPR_COMPONENT: assigned_expr(a, expr->u.member.base); return;
  case TEXPR_UNARY: assigned_expr(a, expr->u.unary.operand); return;
  case TEXPR_AGGREGATE:
    for (uint32_t i = 0; i < expr->u.aggregate.n_parts; i++)
      assigned_expr(a, expr->u.aggregate.parts[i].value);
    return;
  case TEXPR_CALL:
    assigned_list(a, expr->u.call.args, expr->u.call.n_args);
    return;
  case TEXPR_BUILTIN:
    assigned_list(a, expr->u.builtin.args, expr->u.builtin.n_args);
    return;
  case TEXPR_SECTION:
    assigned_list(a, expr->u.section->lo, expr->u.section->rank);
    assigned_list(a, expr->u.section->length, expr->u.section->rank);
    assigned_expr(a, expr->u.section->mask);
    assigned_expr(a, expr->u.section->outside);
    return;
  default:
    assigned_expr(a, expr->u.binary.left);
    assigned_expr(a, expr->u.binary.right);
    return;
  }
}

static void assigned_expr(Assigned *a, const TExpr *expr) {
  if (!expr)
    return;
  switch ((int)expr->kind) {
  case TEXPR_CONST:
  case TEXPR_VAR:
  case TEXPR_GROUP: return;
  case TEXPR_LOAD:
    assigned_place(a, expr->u.operand);
    assigned_read(a, expr->u.operand, expr->span);
    return;
  case TEXPR_ASSIGN:
    assigned_place(a, expr->u.binary.left);
    assigned_expr(a, expr->u.binary.right);
    assigned_store(a, expr->u.binary.left);
    return;
  case TEXPR_ASSIGN_OP:
    assigned_place(a, expr->u.assign.place);
    assigned_expr(a, expr->u.assign.right);
    assigned_read(a, expr->u.assign.place, expr->u.assign.place->span);
    return;
  case TEXPR_INC_DEC: assigned_place(a, expr->u.inc_dec.place); return;
  case TEXPR_AND:
  case TEXPR_OR:
    assigned_maybe(a, expr->u.binary.left, expr->u.binary.right);
    return;
  case TEXPR_CONDITIONAL: assigned_choice(a, expr); return;
  default: assigned_below(a, expr); return;
  }
}

// --- statements ---

static void assigned_if(Assigned *a, const TStmt *stmt) {
  assigned_expr(a, stmt->u.if_.condition);
  State other = state_copy(a, &a->now);
  assigned_stmt(a, stmt->u.if_.if_true);
  State after = a->now;
  a->now = other;
  assigned_stmt(a, stmt->u.if_.if_false);
  meet(a, &a->now, &after);
}

static Exit assigned_exit(Assigned *a, bool is_loop) {
  Exit exit = {a->exit, is_loop, {.is_dead = true}, {.is_dead = true}};
  return exit;
}

static void assigned_loop(Assigned *a, const TStmt *stmt) {
  bool is_post = stmt->u.loop.is_post_tested;
  const TExpr *condition = stmt->u.loop.condition;
  uint32_t n_slots = a->n_slots;
  assigned_stmt(a, stmt->u.loop.init);
  Exit exit = assigned_exit(a, true);
  if (!is_post)
    assigned_expr(a, condition);
  State at_end = state_copy(a, &a->now); // where the condition is false
  at_end.is_dead |= is_post || !condition;
  a->exit = &exit;
  assigned_stmt(a, stmt->u.loop.body);
  a->exit = exit.outer;
  meet(a, &a->now, &exit.next);
  assigned_expr(a, stmt->u.loop.step);
  if (is_post) {
    assigned_expr(a, condition);
    meet(a, &at_end, &a->now);
  }
  meet(a, &at_end, &exit.state);
  a->now = at_end;
  a->n_slots = n_slots;
}

static void assigned_switch(Assigned *a, const TStmt *stmt) {
  const TStmt *body = stmt->u.switch_.body;
  bool has_default = false;
  uint32_t next = 0, n_slots = a->n_slots;
  assigned_expr(a, stmt->u.switch_.value);
  State before = state_copy(a, &a->now);
  Exit exit = assigned_exit(a, false);
  // cppcheck-suppress autoVariables ; put back below
  a->exit = &exit;
  a->now = (State){.is_dead = true};
  for (uint32_t i = 0; i < body->u.block.n_stmts; i++) {
    for (; next < stmt->u.switch_.n_cases &&
           stmt->u.switch_.cases[next].first == i;
         next++) {
      meet(a, &a->now, &before);
      has_default |= stmt->u.switch_.cases[next].is_default;
    }
    assigned_stmt(a, body->u.block.stmts[i]);
  }
  a->exit = exit.outer;
  bool reaches_end = next < stmt->u.switch_.n_cases;
  for (; next < stmt->u.switch_.n_cases; next++)
    has_default |= stmt->u.switch_.cases[next].is_default;
  if (reaches_end || !has_default)
    meet(a, &a->now, &before);
  meet(a, &a->now, &exit.state);
  a->n_slots = n_slots;
}

static void assigned_block(Assigned *a, const TStmt *stmt) {
  uint32_t n_slots = a->n_slots;
  for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++)
    assigned_stmt(a, stmt->u.block.stmts[i]);
  a->n_slots = n_slots;
}

static void assigned_break(Assigned *a) {
  if (a->exit)
    meet(a, &a->exit->state, &a->now);
  a->now.is_dead = true;
}

static void assigned_continue(Assigned *a) {
  Exit *exit = a->exit;
  while (exit && !exit->is_loop)
    exit = exit->outer;
  if (exit)
    meet(a, &exit->next, &a->now);
  a->now.is_dead = true;
}

static void assigned_decl(Assigned *a, const TStmt *stmt) {
  const TVar *var = stmt->u.decl.var;
  assigned_expr(a, stmt->u.decl.init);
  if (var->id >= a->n_vars || !type_is(var->type, TY_TILE))
    return;
  a->slots[var->id] = a->n_slots++;
  state_set(a, &a->now, a->slots[var->id], stmt->u.decl.init != NULL);
}

static void assigned_stmt(Assigned *a, const TStmt *stmt) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case TSTMT_EXPR: assigned_expr(a, stmt->u.expr); return;
  case TSTMT_DECL: assigned_decl(a, stmt); return;
  case TSTMT_BLOCK: assigned_block(a, stmt); return;
  case TSTMT_IF: assigned_if(a, stmt); return;
  case TSTMT_LOOP: assigned_loop(a, stmt); return;
  case TSTMT_SWITCH: assigned_switch(a, stmt); return;
  case TSTMT_BREAK: assigned_break(a); return;
  case TSTMT_CONTINUE: assigned_continue(a); return;
  case TSTMT_RETURN:
    assigned_expr(a, stmt->u.expr);
    a->now.is_dead = true;
    return;
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR: assigned_stmt(a, stmt->u.thread_loop.body); return;
  case TSTMT_GROUP: assigned_stmt(a, stmt->u.group.body); return;
  case TSTMT_WITH: assigned_stmt(a, stmt->u.with.body); return;
  case TSTMT_STAGE: assigned_stmt(a, stmt->u.stage.body); return;
  }
}

void tile_check_assigned(SemaContext *cx, const TStmt *body, TVar *const *vars,
                         uint32_t n_vars) {
  bool has_tile = false;
  for (uint32_t i = 0; i < n_vars; i++)
    has_tile |= type_is(vars[i]->type, TY_TILE);
  if (!has_tile || !body)
    return;
  Assigned a = {.cx = cx, .n_vars = n_vars};
  a.slots = ARENA_ARRAY(cx->arena, uint32_t, n_vars);
  assigned_stmt(&a, body);
}
