// SPDX-License-Identifier: Apache-2.0
// What a body declares. A body is lowered once for each call, so what its
// variables were bound to in the call before must be forgotten.
#include "lower/lower_internal.h"

typedef struct {
  hd_vec(const TVar *) vars;
} Declared;

typedef struct {
  Lowering *lw;
  Declared *declared;
} Search;

static void lower_declared_note(const Search *search, const TStmt *stmt,
                                bool is_in_switch) {
  const TVar *var = stmt->u.decl.var;
  if (var->kind != TVAR_LOCAL)
    return;
  VEC_PUSH(search->lw->scratch, &search->declared->vars, var);
  VarUse *use = lower_use_of(search->lw, var);
  use->initial = stmt->u.decl.init;
  use->is_declared = !is_in_switch;
}

static void lower_declared_find(const Search *search, const TStmt *stmt,
                                bool is_in_switch) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case TSTMT_DECL: lower_declared_note(search, stmt, is_in_switch); break;
  case TSTMT_BLOCK:
    for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++)
      lower_declared_find(search, stmt->u.block.stmts[i], is_in_switch);
    break;
  case TSTMT_IF:
    lower_declared_find(search, stmt->u.if_.if_true, is_in_switch);
    lower_declared_find(search, stmt->u.if_.if_false, is_in_switch);
    break;
  case TSTMT_LOOP:
    lower_declared_find(search, stmt->u.loop.init, is_in_switch);
    lower_declared_find(search, stmt->u.loop.body, is_in_switch);
    break;
  case TSTMT_SWITCH:
    lower_declared_find(search, stmt->u.switch_.body, true);
    break;
  case TSTMT_GROUP:
    lower_declared_find(search, stmt->u.group.body, is_in_switch);
    break;
  case TSTMT_WITH:
    lower_declared_find(search, stmt->u.with.body, is_in_switch);
    break;
  case TSTMT_STAGE:
    lower_declared_find(search, stmt->u.stage.body, is_in_switch);
    break;
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR:
    lower_declared_find(search, stmt->u.thread_loop.body, is_in_switch);
    break;
  case TSTMT_EXPR:
  case TSTMT_RETURN:
  case TSTMT_BREAK:
  case TSTMT_CONTINUE: break;
  }
}

void lower_note_declared(Lowering *lw, const TStmt *body) {
  Declared *declared = ARENA_NEW(lw->scratch, Declared);
  map_put(lw->scratch, &lw->scanned, MAP_KEY(body), declared);
  lower_declared_find(&(Search){lw, declared}, body, false);
}

static void lower_declared_forget(Lowering *lw, const TVar *var) {
  map_put(lw->scratch, &lw->bindings, MAP_KEY(var), NULL);
  VarUse *use = lower_use_of(lw, var);
  use->root = NULL;
  use->given = NULL;
}

void lower_forget(Lowering *lw, const TFunc *func) {
  for (uint32_t i = 0; i < func->n_params; i++)
    lower_declared_forget(lw, func->params[i]);
  const Declared *declared = map_get(&lw->scanned, MAP_KEY(func->body));
  for (uint32_t i = 0; declared && i < declared->vars.count; i++)
    lower_declared_forget(lw, declared->vars.data[i]);
}
