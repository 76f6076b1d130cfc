// SPDX-License-Identifier: Apache-2.0
#include "cuda/rewrite/cu_exit_facts.h"

#include "cuda/form/cu_walk.h"
#include <string.h>

// --- Words of the language -------------------------------------------------

static bool exit_facts_is_among(const char *name, const char *const *words,
                                size_t n) {
  for (size_t i = 0; name && i < n; i++)
    if (strcmp(name, words[i]) == 0)
      return true;
  return false;
}

#define IS_AMONG(name, words)                                                  \
  exit_facts_is_among((name), (words), sizeof(words) / sizeof((words)[0]))

// The same for all threads of a block.
static const char *const uniform_words[] = {
    "block_index",  "block_dim",  "grid_dim", "this_grid",
    "this_cluster", "this_block", "size"};
// Without effects, but not the same.
static const char *const pure_words[] = {
    "thread_index", "rank",       "meta_rank",   "meta_size",
    "this_warp",    "whole_warp", "this_thread", "tiled_partition",
    "min",          "max",        "cdiv"};
// Nobody waits there; but who has left has no part in what it states.
static const char *const stating_words[] = {"uniform"};
static const char *const wide_words[] = {"this_grid", "this_cluster",
                                         "this_block"};

const char *cu_exit_callee(const Expr *call) {
  const Expr *callee = call->u.call.callee;
  return callee->kind == EXPR_NAME ? callee->u.name : NULL;
}

static bool exit_facts_is_stated(const Expr *expr) {
  return expr->kind == EXPR_CALL && expr->u.call.args.count == 2 &&
         IS_AMONG(cu_exit_callee(expr), stating_words);
}

static bool has_name(const Map *names, const char *name) {
  return name && map_has(names, MAP_KEY(name));
}

static void exit_facts_add_name(CuExitFacts *facts, Map *names,
                                const char *name) {
  if (name)
    map_put(facts->cu->arena, names, MAP_KEY(name), facts);
}

bool cu_exit_is_wide(const CuExitFacts *facts, const Expr *expr) {
  if (expr->kind == EXPR_NAME)
    return has_name(&facts->wide, expr->u.name);
  return expr->kind == EXPR_CALL && IS_AMONG(cu_exit_callee(expr), wide_words);
}

const char *cu_exit_target(const Expr *place) {
  for (;;) {
    if (place->kind == EXPR_NAME)
      return place->u.name;
    if (place->kind != EXPR_MEMBER || place->u.member.is_arrow)
      return NULL;
    place = place->u.member.base;
  }
}

Expr *cu_exit_without_statement(Expr *expr) {
  bool is_logical =
      expr->kind == EXPR_BINARY && (expr->u.binary.op == BINARY_LOG_AND ||
                                    expr->u.binary.op == BINARY_LOG_OR);
  if (is_logical) {
    expr->u.binary.left = cu_exit_without_statement(expr->u.binary.left);
    expr->u.binary.right = cu_exit_without_statement(expr->u.binary.right);
  }
  if (expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_NOT)
    expr->u.unary.operand = cu_exit_without_statement(expr->u.unary.operand);
  return exit_facts_is_stated(expr) ? expr->u.call.args.data[1] : expr;
}

// --- Barriers --------------------------------------------------------------

typedef struct {
  CuWalk walk;
  const CuExitFacts *facts;
  CuBarrier found;
  bool is_callee; // inside a function that is called: any group may be wide
  Map *seen;      // functions that were looked into
} BarrierWalk;

const Decl *cu_exit_function(const CuContext *cu, const char *name) {
  for (uint32_t i = 0; i < cu->output.decls.count; i++) {
    const Decl *decl = cu->output.decls.data[i];
    if (decl->kind == DECL_FUNCTION && decl->name == name &&
        decl->u.function.body)
      return decl;
  }
  return NULL;
}

static void note_barrier(BarrierWalk *at, CuBarrier barrier) {
  if (at->is_callee)
    barrier = CU_BARRIER_OTHER;
  if (barrier > at->found)
    at->found = barrier;
}

static void look_at_call(CuWalk *walk, const Expr *expr) {
  BarrierWalk *at = (BarrierWalk *)walk;
  if (expr->kind != EXPR_CALL)
    return;
  const char *name = cu_exit_callee(expr);
  const Expr *first =
      expr->u.call.args.count ? expr->u.call.args.data[0] : NULL;
  bool is_block = !first || cu_exit_is_wide(at->facts, first) ||
                  (at->is_callee && first->kind == EXPR_NAME);
  if (name && strcmp(name, "sync") == 0) {
    if (is_block)
      note_barrier(at, CU_BARRIER_SYNC);
    return;
  }
  bool is_harmless = IS_AMONG(name, uniform_words) ||
                     IS_AMONG(name, pure_words) ||
                     IS_AMONG(name, stating_words);
  if (first && cu_exit_is_wide(at->facts, first) && !is_harmless)
    note_barrier(at, CU_BARRIER_OTHER);
  const Decl *function = name ? cu_exit_function(at->facts->cu, name) : NULL;
  if (!function || map_has(at->seen, MAP_KEY(function)))
    return;
  map_put(at->facts->cu->arena, at->seen, MAP_KEY(function), at);
  BarrierWalk inner = *at;
  inner.is_callee = true;
  cu_walk_stmt(&inner.walk, function->u.function.body);
  at->found = inner.found > at->found ? inner.found : at->found;
}

CuBarrier cu_exit_barrier(const CuExitFacts *facts, const Stmt *stmt) {
  Map seen = {0};
  BarrierWalk at = {
      .walk = {.on_expr = look_at_call}, .facts = facts, .seen = &seen};
  cu_walk_stmt(&at.walk, stmt);
  return at.found;
}

CuBarrier cu_exit_expr_barrier(const CuExitFacts *facts, const Expr *expr) {
  Map seen = {0};
  BarrierWalk at = {
      .walk = {.on_expr = look_at_call}, .facts = facts, .seen = &seen};
  cu_walk_expr(&at.walk, expr);
  return at.found;
}

uint32_t cu_exit_tail(const CuExitFacts *facts, StmtList items) {
  uint32_t last = items.count;
  while (last > 0 &&
         cu_exit_barrier(facts, items.data[last - 1]) == CU_BARRIER_NONE)
    last--;
  return last;
}

bool cu_exit_is_sync(const CuExitFacts *facts, const Stmt *stmt) {
  const Expr *call = stmt->kind == STMT_EXPR ? stmt->u.expr : NULL;
  return call && call->kind == EXPR_CALL && cu_exit_callee(call) &&
         strcmp(cu_exit_callee(call), "sync") == 0 &&
         cu_exit_barrier(facts, stmt) == CU_BARRIER_SYNC;
}

// --- Values ----------------------------------------------------------------

typedef struct {
  CuWalk walk;
  const CuExitFacts *facts;
  bool varies;
} VaryWalk;

static void look_at_value(CuWalk *walk, const Expr *expr) {
  VaryWalk *at = (VaryWalk *)walk;
  if (expr->kind == EXPR_NAME)
    at->varies |= has_name(&at->facts->varies, expr->u.name);
  else if (expr->kind == EXPR_CALL)
    at->varies |= !IS_AMONG(cu_exit_callee(expr), uniform_words);
  else if (expr->kind == EXPR_INDEX)
    at->varies = true;
  else if (expr->kind == EXPR_UNARY)
    at->varies |= expr->u.unary.op == UNARY_DEREF;
  else if (expr->kind == EXPR_MEMBER)
    at->varies |= expr->u.member.is_arrow;
}

bool cu_exit_varies(const CuExitFacts *facts, const Expr *expr) {
  VaryWalk at = {.walk = {.on_expr = look_at_value}, .facts = facts};
  cu_walk_expr(&at.walk, expr);
  return at.varies;
}

static bool is_pure_place(const CuExitFacts *facts, const Expr *place) {
  if (place->kind == EXPR_NAME)
    return true;
  if (place->kind == EXPR_MEMBER)
    return !place->u.member.is_arrow &&
           is_pure_place(facts, place->u.member.base);
  if (place->kind != EXPR_INDEX || !is_pure_place(facts, place->u.index.base))
    return false;
  for (uint32_t i = 0; i < place->u.index.n_subscripts; i++)
    if (place->u.index.subscripts[i].is_section ||
        !cu_exit_is_pure(facts, place->u.index.subscripts[i].index))
      return false;
  return true;
}

static bool is_pure_unary(const CuExitFacts *facts, const Expr *expr) {
  switch (expr->u.unary.op) {
  case UNARY_PLUS:
  case UNARY_MINUS:
  case UNARY_NOT:
  case UNARY_BIT_NOT: return cu_exit_is_pure(facts, expr->u.unary.operand);
  case UNARY_ADDRESS: return is_pure_place(facts, expr->u.unary.operand);
  case UNARY_DEREF:
  case UNARY_PRE_INC:
  case UNARY_PRE_DEC:
  case UNARY_POST_INC:
  case UNARY_POST_DEC: break;
  }
  return false;
}

// A division may trap in a thread that was to be gone.
static bool is_pure_binary(const CuExitFacts *facts, const Expr *expr) {
  const Expr *right = expr->u.binary.right;
  bool may_trap =
      expr->u.binary.op == BINARY_DIV || expr->u.binary.op == BINARY_REM;
  if (may_trap && (right->kind != EXPR_INT || right->u.int_lit.value == 0))
    return false;
  return cu_exit_is_pure(facts, expr->u.binary.left) &&
         cu_exit_is_pure(facts, right);
}

static bool is_pure_call(const CuExitFacts *facts, const Expr *expr) {
  if (!IS_AMONG(cu_exit_callee(expr), uniform_words) &&
      !IS_AMONG(cu_exit_callee(expr), pure_words))
    return false;
  for (uint32_t i = 0; i < expr->u.call.args.count; i++)
    if (!cu_exit_is_pure(facts, expr->u.call.args.data[i]))
      return false;
  return true;
}

bool cu_exit_is_pure(const CuExitFacts *facts, const Expr *expr) {
  if (!expr)
    return true;
  switch ((int)expr->kind) {
  case EXPR_INT:
  case EXPR_FLOAT:
  case EXPR_CHAR:
  case EXPR_BOOL:
  case EXPR_SIZEOF_TYPE: return true;
  case EXPR_NAME: return !has_name(&facts->guarded, expr->u.name);
  case EXPR_UNARY: return is_pure_unary(facts, expr);
  case EXPR_BINARY: return is_pure_binary(facts, expr);
  case EXPR_CAST: return cu_exit_is_pure(facts, expr->u.cast.operand);
  case EXPR_CALL: return is_pure_call(facts, expr);
  case EXPR_MEMBER:
    return !expr->u.member.is_arrow &&
           cu_exit_is_pure(facts, expr->u.member.base);
  case EXPR_CONDITIONAL:
    return cu_exit_is_pure(facts, expr->u.conditional.condition) &&
           cu_exit_is_pure(facts, expr->u.conditional.if_true) &&
           cu_exit_is_pure(facts, expr->u.conditional.if_false);
  case EXPR_INIT_LIST:
    for (uint32_t i = 0; i < expr->u.init_list.n_items; i++)
      if (!cu_exit_is_pure(facts, expr->u.init_list.items[i].value))
        return false;
    return true;
  default: return false;
  }
}

// --- Variables -------------------------------------------------------------

// What is set again may be set by some threads only, so it varies whatever the
// value: to call too much varying costs nothing but a test.

typedef struct {
  CuWalk walk;
  CuExitFacts *facts;
  bool has_changed;
  bool is_guard; // collect what is set, else what varies
} SetWalk;

static void note_set(SetWalk *at, const char *name, const Expr *value) {
  Map *names = at->is_guard ? &at->facts->guarded : &at->facts->varies;
  if (!name || has_name(names, name))
    return;
  if (!at->is_guard && value && !cu_exit_varies(at->facts, value))
    return;
  exit_facts_add_name(at->facts, names, name);
  at->has_changed = true;
}

// The variable that the expression sets, or takes the address of: someone may
// write through it.
static const char *changed_by(const Expr *expr) {
  if (expr->kind == EXPR_ASSIGN)
    return cu_exit_target(expr->u.assign.left);
  bool may_set =
      expr->kind == EXPR_UNARY &&
      (expr->u.unary.op >= UNARY_PRE_INC || expr->u.unary.op == UNARY_ADDRESS);
  return may_set ? cu_exit_target(expr->u.unary.operand) : NULL;
}

static void look_at_set(CuWalk *walk, const Expr *expr) {
  SetWalk *at = (SetWalk *)walk;
  note_set(at, changed_by(expr), NULL);
}

static void look_at_decl(CuWalk *walk, const Decl *decl) {
  SetWalk *at = (SetWalk *)walk;
  if (decl->kind != DECL_VAR || !decl->name)
    return;
  if (!at->is_guard && decl->type->kind == TYPE_GROUP && decl->u.var.init &&
      cu_exit_is_wide(at->facts, decl->u.var.init))
    exit_facts_add_name(at->facts, &at->facts->wide, decl->name);
  if (decl->u.var.init || at->is_guard)
    note_set(at, decl->name, decl->u.var.init);
}

static void exit_facts_find_sets(CuExitFacts *facts, StmtList items) {
  SetWalk at = {.walk = {.on_expr = look_at_set, .on_decl = look_at_decl},
                .facts = facts};
  do {
    at.has_changed = false;
    for (uint32_t i = 0; i < items.count; i++)
      cu_walk_stmt(&at.walk, items.data[i]);
  } while (at.has_changed);
}

void cu_exit_facts_init(CuExitFacts *facts, CuContext *cu,
                        const CuStmtVec *items) {
  *facts = (CuExitFacts){.cu = cu};
  exit_facts_find_sets(facts, (StmtList){items->data, items->count});
}

void cu_exit_facts_of_call(CuExitFacts *facts, const CuExitFacts *caller,
                           const Decl *function, const ExprList *args) {
  DeclList params = function->type->u.function.params;
  *facts = (CuExitFacts){.cu = caller->cu, .n_calls = caller->n_calls + 1};
  for (uint32_t i = 0; i < params.count; i++) {
    const char *name = params.data[i]->name;
    if (params.data[i]->type->kind == TYPE_GROUP)
      exit_facts_add_name(facts, &facts->wide, name);
    else if (i >= args->count || cu_exit_varies(caller, args->data[i]))
      exit_facts_add_name(facts, &facts->varies, name);
  }
  exit_facts_find_sets(facts, function->u.function.body->u.compound.items);
}

void cu_exit_guard_name(CuExitFacts *facts, const char *name) {
  if (name && !has_name(&facts->guarded, name))
    exit_facts_add_name(facts, &facts->guarded, name);
}

void cu_exit_guard(CuExitFacts *facts, const Stmt *stmt) {
  SetWalk at = {.walk = {.on_expr = look_at_set, .on_decl = look_at_decl},
                .facts = facts,
                .is_guard = true};
  cu_walk_stmt(&at.walk, stmt);
}

// --- Jumps and uses --------------------------------------------------------

typedef struct {
  CuWalk walk;
  const char *name;
  bool is_found;
} FindWalk;

static void look_for_return(CuWalk *walk, const Stmt *stmt) {
  FindWalk *at = (FindWalk *)walk;
  at->is_found |= stmt->kind == STMT_RETURN || stmt->kind == STMT_GOTO;
}

bool cu_exit_has_return(const Stmt *stmt) {
  FindWalk at = {.walk = {.on_stmt = look_for_return}};
  cu_walk_stmt(&at.walk, stmt);
  return at.is_found;
}

static void look_for_value(CuWalk *walk, const Stmt *stmt) {
  FindWalk *at = (FindWalk *)walk;
  at->is_found |= stmt->kind == STMT_RETURN && stmt->u.expr;
}

bool cu_exit_returns_value(const Stmt *stmt) {
  FindWalk at = {.walk = {.on_stmt = look_for_value}};
  cu_walk_stmt(&at.walk, stmt);
  return at.is_found;
}

bool cu_exit_has_jump(const Stmt *stmt) {
  if (!stmt)
    return false;
  switch ((int)stmt->kind) {
  case STMT_BREAK:
  case STMT_CONTINUE: return true;
  case STMT_IF:
    return cu_exit_has_jump(stmt->u.if_stmt.then_stmt) ||
           cu_exit_has_jump(stmt->u.if_stmt.else_stmt);
  case STMT_SWITCH: return cu_exit_has_jump(stmt->u.switch_stmt.body);
  case STMT_COMPOUND:
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
      if (cu_exit_has_jump(stmt->u.compound.items.data[i]))
        return true;
    return false;
  default: return false;
  }
}

static void exit_facts_look_for_name(CuWalk *walk, const Expr *expr) {
  FindWalk *at = (FindWalk *)walk;
  at->is_found |= expr->kind == EXPR_NAME && expr->u.name == at->name;
}

bool cu_exit_uses(const Stmt *stmt, const char *name) {
  FindWalk at = {.walk = {.on_expr = exit_facts_look_for_name}, .name = name};
  cu_walk_stmt(&at.walk, stmt);
  return at.is_found;
}

typedef struct {
  CuWalk walk;
  const Stmt *stmt;
  bool is_set;
} SetsWalk;

static void look_for_change(CuWalk *walk, const Expr *expr) {
  FindWalk *at = (FindWalk *)walk;
  const char *name = changed_by(expr);
  at->is_found |= name && name == at->name;
}

static void look_at_used(CuWalk *walk, const Expr *expr) {
  SetsWalk *at = (SetsWalk *)walk;
  if (expr->kind != EXPR_NAME)
    return;
  FindWalk find = {.walk = {.on_expr = look_for_change}, .name = expr->u.name};
  cu_walk_stmt(&find.walk, at->stmt);
  at->is_set |= find.is_found;
}

bool cu_exit_sets(const Stmt *stmt, const Expr *used) {
  SetsWalk at = {.walk = {.on_expr = look_at_used}, .stmt = stmt};
  cu_walk_expr(&at.walk, used);
  return at.is_set;
}
