// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_exit.h"

#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/rewrite/cu_exit_rewrite.h"

// --- Returns ---------------------------------------------------------------

static bool is_plain_return(const Stmt *stmt) {
  return stmt->kind == STMT_RETURN && !stmt->u.expr;
}

// What stands before the return of an exit, and what becomes of its value.
static CuStmtVec before_return(CuExits *cx, const Stmt *exit) {
  CuContext *cu = cx->cu;
  CuStmtVec out = {0};
  Stmt *then_stmt = exit->u.if_stmt.then_stmt;
  StmtList list = cu_exit_list(then_stmt, &then_stmt);
  for (uint32_t i = 0; i + 1 < list.count; i++)
    VEC_PUSH(cu->arena, &out, list.data[i]);
  const Stmt *last = list.data[list.count - 1];
  Expr *value = last->u.expr;
  if (value && cx->result)
    value = cu_assign(cu, cu_name_expr(cu, cx->result, last->span), value,
                      last->span);
  if (value)
    VEC_PUSH(cu->arena, &out, cu_expr_stmt(cu, value, last->span));
  return out;
}

Stmt *cu_exit_if(CuExits *cx, Expr *condition, const CuStmtVec *items,
                 Span span) {
  Stmt *stmt = cu_new_stmt(cx->cu, STMT_IF, span, span);
  stmt->u.if_stmt.condition = condition;
  stmt->u.if_stmt.then_stmt = cu_block(cx->cu, items, span);
  return stmt;
}

Expr *cu_exit_active(const CuExits *cx, Span span) {
  return cu_name_expr(cx->cu, cx->active, span);
}

// present(active), where somebody may ask who is.
Expr *cu_present(CuExits *cx, Span span) {
  static const char *const askers[] = {"whole_warp", "whole_partition",
                                       "present_lanes"};
  Expr *active = cu_exit_active(cx, span);
  bool is_asked = false;
  for (size_t i = 0; i < sizeof(askers) / sizeof(askers[0]); i++)
    is_asked |= map_has(&cx->cu->output.builtins,
                        MAP_KEY(intern_cstr(cx->cu->names, askers[i])));
  return is_asked ? cu_word_call(cx->cu, "present", active, NULL, span)
                  : active;
}

// if (c) { …; active = false; }
static Stmt *make_inactive(CuExits *cx, const Stmt *exit) {
  CuStmtVec items = before_return(cx, exit);
  Span span = exit->span;
  Expr *off = cu_assign(cx->cu, cu_exit_active(cx, span),
                        cu_bool_expr(cx->cu, false, span), span);
  VEC_PUSH(cx->cu->arena, &items, cu_expr_stmt(cx->cu, off, span));
  Expr *condition = cu_exit_without_statement(exit->u.if_stmt.condition);
  return cu_exit_if(cx, condition, &items, span);
}

// Without an exit: bool active = true;
// bool active = !(c);  or  bool active = true; if (c) { …; active = false; }
static void begin_active(CuExits *cx, const Stmt *exit, Span span,
                         CuStmtVec *out) {
  CuContext *cu = cx->cu;
  bool is_plain = exit && before_return(cx, exit).count == 0;
  Decl *decl = cu_new_decl(cu, DECL_VAR, cx->active, span, span);
  decl->type = cu_emit_type(cu, cu_basic(&cu->types, CU_BOOL), span);
  decl->u.var.init =
      is_plain
          ? cu_unary(cu, UNARY_NOT,
                     cu_exit_without_statement(exit->u.if_stmt.condition), span)
          : cu_bool_expr(cu, true, span);
  VEC_PUSH(cu->arena, out, cu_decl_stmt(cu, decl));
  if (exit && !is_plain)
    VEC_PUSH(cu->arena, out, make_inactive(cx, exit));
}

// --- Declarations in what is guarded ---------------------------------------

static bool is_used_later(const CuLine *line, const char *name) {
  for (uint32_t i = line->at; i < line->items->count; i++)
    if (cu_exit_uses(line->items->data[i], name))
      return true;
  return false;
}

static CuName *exit_name_of(const CuContext *cu, const Decl *decl) {
  for (uint32_t i = cu->output.all_names.count; i > 0; i--) {
    CuName *name = cu->output.all_names.data[i - 1];
    for (uint32_t k = 0; k < name->slots.count; k++)
      if (name->slots.data[k] == &decl->name)
        return name;
  }
  return NULL;
}

// Declares before the guard what is used behind it, and sets it inside. A
// group or an array can't be set later.
static void exit_hoist(CuExits *cx, Decl *decl, CuStmtVec *out,
                       CuStmtVec *inner) {
  CuContext *cu = cx->cu;
  Expr *init = decl->u.var.init;
  CuName *name = exit_name_of(cu, decl);
  bool is_settable = decl->type->kind != TYPE_GROUP &&
                     decl->type->kind != TYPE_ARRAY && name &&
                     (!init || init->kind != EXPR_INIT_LIST);
  if (init && !is_settable) {
    cx->has_failed = true;
    return;
  }
  Decl *bare = cu_new_decl(cu, DECL_VAR, name, decl->span, decl->name_span);
  bare->type = init ? cu_without_const(cu, decl->type) : decl->type;
  bare->aligns = decl->aligns;
  bare->n_aligns = decl->n_aligns;
  bare->u.var.holes = decl->u.var.holes;
  bare->u.var.n_holes = decl->u.var.n_holes;
  VEC_PUSH(cu->arena, out, cu_decl_stmt(cu, bare));
  if (!init)
    return;
  Expr *place = cu_name_expr(cu, name, decl->name_span);
  Expr *set = cu_assign(cu, place, init, decl->span);
  VEC_PUSH(cu->arena, inner, cu_expr_stmt(cu, set, decl->span));
}

static void guard_decls(CuExits *cx, CuLine *line, const Stmt *stmt,
                        CuStmtVec *inner) {
  for (uint32_t i = 0; i < stmt->u.decls.count; i++) {
    Decl *decl = stmt->u.decls.data[i];
    bool is_needed = decl->kind == DECL_VAR && is_used_later(line, decl->name);
    if (is_needed)
      exit_hoist(cx, decl, &line->out, inner);
    else
      VEC_PUSH(cx->cu->arena, inner, cu_decl_stmt(cx->cu, decl));
  }
}

// Ends the run: if (active) { … }
void cu_exit_flush(CuExits *cx, CuLine *line) {
  CuContext *cu = cx->cu;
  CuStmtVec inner = {0};
  if (line->run.count == 0)
    return;
  for (uint32_t i = 0; i < line->run.count; i++) {
    Stmt *stmt = line->run.data[i];
    if (stmt->kind == STMT_DECL)
      guard_decls(cx, line, stmt, &inner);
    else
      VEC_PUSH(cu->arena, &inner, stmt);
  }
  Span span = line->run.data[0]->span;
  if (inner.count > 0)
    VEC_PUSH(cu->arena, &line->out,
             cu_exit_if(cx, cu_present(cx, span), &inner, span));
  line->run = (CuStmtVec){0};
}

// --- Statements with a barrier ---------------------------------------------

static Stmt *rewrite_inside(CuExits *cx, Stmt *stmt) {
  return stmt ? cu_exit_rewrite_list(cx, cu_exit_list(stmt, &stmt), stmt->span)
              : NULL;
}

bool cu_exit_is_pure_step(const CuExitFacts *facts, const Expr *expr) {
  if (expr && expr->kind == EXPR_ASSIGN)
    return cu_exit_target(expr->u.assign.left) &&
           cu_exit_is_pure(facts, expr->u.assign.left) &&
           cu_exit_is_pure(facts, expr->u.assign.right);
  if (expr && expr->kind == EXPR_UNARY && expr->u.unary.op >= UNARY_PRE_INC)
    return cu_exit_target(expr->u.unary.operand) &&
           cu_exit_is_pure(facts, expr->u.unary.operand);
  return cu_exit_is_pure(facts, expr);
}

static bool are_pure_decls(const CuExitFacts *facts, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.decls.count; i++) {
    const Decl *decl = stmt->u.decls.data[i];
    if (decl->kind == DECL_VAR && !cu_exit_is_pure(facts, decl->u.var.init))
      return false;
  }
  return true;
}

static bool is_pure_init(const CuExitFacts *facts, const Stmt *init) {
  if (!init || init->kind == STMT_EMPTY)
    return true;
  if (init->kind == STMT_DECL)
    return are_pure_decls(facts, init);
  return init->kind == STMT_EXPR && cu_exit_is_pure_step(facts, init->u.expr);
}

static bool is_pure_loop(const CuExits *cx, const Stmt *loop) {
  return is_pure_init(&cx->facts, loop->u.loop.init) &&
         cu_exit_is_pure(&cx->facts, loop->u.loop.condition) &&
         cu_exit_is_pure_step(&cx->facts, loop->u.loop.step) &&
         !cu_exit_sets(loop->u.loop.body, loop->u.loop.condition) &&
         !cu_exit_sets(loop->u.loop.body, loop->u.loop.step);
}

// while (true) { …; if (c) return; … }
static bool ends_by_returns(const Stmt *loop) {
  const Expr *condition = loop->u.loop.condition;
  bool is_endless =
      !condition || condition->kind == EXPR_BOOL || condition->kind == EXPR_INT;
  return is_endless && cu_exit_has_return(loop->u.loop.body);
}

// A loop that all threads go through: nothing that only active threads set may
// decide how often, or these vote.
static Stmt *rewrite_loop(CuExits *cx, Stmt *loop) {
  bool votes = cx->votes, is_tail = cx->is_tail;
  cx->is_tail = false;
  cx->votes = !is_pure_loop(cx, loop) || ends_by_returns(loop);
  Stmt *made = loop;
  if (cx->votes)
    made = cu_exit_vote_loop(cx, loop);
  else
    loop->u.loop.body = rewrite_inside(cx, loop->u.loop.body);
  cx->votes = votes;
  cx->is_tail = is_tail;
  return made;
}

// More barriers follow in what the condition decides about.
static Expr *rewrite_condition(CuExits *cx, CuLine *line, const Stmt *stmt) {
  Expr *condition = stmt->u.if_stmt.condition;
  bool is_tail = cx->is_tail;
  if (cu_exit_is_pure(&cx->facts, condition))
    return condition;
  cx->is_tail = false;
  Expr *vote = cu_exit_vote(cx, line, condition);
  cx->is_tail = is_tail;
  return vote;
}

static Stmt *rewrite_around(CuExits *cx, CuLine *line, Stmt *stmt) {
  Stmt *copy = cu_copy_stmt(cx->cu, stmt);
  switch ((int)stmt->kind) {
  case STMT_COMPOUND: return rewrite_inside(cx, stmt);
  case STMT_FOR:
  case STMT_WHILE:
  case STMT_DO: return rewrite_loop(cx, copy);
  case STMT_IF:
    copy->u.if_stmt.condition = rewrite_condition(cx, line, stmt);
    copy->u.if_stmt.then_stmt = rewrite_inside(cx, stmt->u.if_stmt.then_stmt);
    copy->u.if_stmt.else_stmt = rewrite_inside(cx, stmt->u.if_stmt.else_stmt);
    return copy;
  default: cx->has_failed = true; return stmt;
  }
}

// --- Lists -----------------------------------------------------------------

// Whether all threads may run the declaration here.
static bool may_stand_bare(const CuExits *cx, const Stmt *stmt) {
  return stmt->kind == STMT_DECL && are_pure_decls(&cx->facts, stmt);
}

static void add_to_run(CuExits *cx, CuLine *line, Stmt *stmt) {
  cu_exit_guard(&cx->facts, stmt);
  VEC_PUSH(cx->cu->arena, &line->run, stmt);
}

// if (c) { …; break; } with a barrier in the loop around it.
static bool is_jump(const CuExits *cx, const Stmt *stmt) {
  if (stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE)
    return true;
  if (stmt->kind != STMT_IF || stmt->u.if_stmt.else_stmt ||
      cu_exit_barrier(&cx->facts, stmt) != CU_BARRIER_NONE)
    return false;
  Stmt *then_stmt = stmt->u.if_stmt.then_stmt;
  StmtList list = cu_exit_list(then_stmt, &then_stmt);
  StmtKind last = list.count ? list.data[list.count - 1]->kind : STMT_EMPTY;
  for (uint32_t i = 0; i + 1 < list.count; i++)
    if (cu_exit_has_jump(list.data[i]) || cu_exit_has_return(list.data[i]))
      return false;
  return last == STMT_BREAK || (last == STMT_CONTINUE && !cx->votes);
}

// All go the way that those who are active go.
static void rewrite_jump(CuExits *cx, CuLine *line, Stmt *stmt) {
  CuContext *cu = cx->cu;
  cu_exit_flush(cx, line);
  if (stmt->kind != STMT_IF) {
    VEC_PUSH(cu->arena, &line->out, stmt);
    return;
  }
  Expr *condition = stmt->u.if_stmt.condition;
  Stmt *then_stmt = stmt->u.if_stmt.then_stmt;
  StmtList list = cu_exit_list(then_stmt, &then_stmt);
  CuLine inner = {.items = &list, .end = list.count - 1};
  if (!cu_exit_is_pure(&cx->facts, condition))
    condition = cu_exit_vote_out(cx, line, condition);
  cu_exit_rewrite_line(cx, &inner);
  VEC_PUSH(cu->arena, &inner.out, list.data[list.count - 1]);
  VEC_PUSH(cu->arena, &line->out,
           cu_exit_if(cx, condition, &inner.out, stmt->span));
}

static bool is_region(const Stmt *stmt) {
  return stmt->kind == STMT_COMPOUND || stmt->kind == STMT_IF ||
         stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE ||
         stmt->kind == STMT_DO;
}

static void rewrite_region(CuExits *cx, CuLine *line, Stmt *stmt) {
  Stmt *made = rewrite_around(cx, line, stmt); // which may add to the line
  VEC_PUSH(cx->cu->arena, &line->out, made);
}

// if (f() < x) y;  where y holds no barrier: nothing need be the same for all.
static void rewrite_test(CuExits *cx, CuLine *line, Stmt *stmt) {
  Stmt *copy = cu_copy_stmt(cx->cu, stmt);
  copy->u.if_stmt.condition =
      cu_exit_hoist_from(cx, line, stmt->u.if_stmt.condition);
  if (!cx->has_failed)
    cu_exit_rewrite_item(cx, line, copy);
}

static bool decides_about_barrier(const CuExits *cx, const Stmt *stmt) {
  const Stmt *arms[] = {stmt->u.if_stmt.then_stmt, stmt->u.if_stmt.else_stmt};
  for (int i = 0; i < 2; i++)
    if (arms[i] && cu_exit_barrier(&cx->facts, arms[i]) != CU_BARRIER_NONE)
      return true;
  return false;
}

static void rewrite_calls(CuExits *cx, CuLine *line, Stmt *stmt) {
  cu_exit_hoist(cx, line, stmt);
  if (stmt->kind != STMT_EMPTY && !cx->has_failed)
    cu_exit_rewrite_item(cx, line, stmt);
}

// All return, or none:
// if (c) { if (active) { …; result = e; } return result; }
static void rewrite_common_exit(CuExits *cx, CuLine *line, const Stmt *stmt) {
  CuContext *cu = cx->cu;
  Span span = stmt->span;
  CuStmtVec items = before_return(cx, stmt);
  StmtList list = {items.data, items.count};
  CuLine inner = {.items = &list, .end = list.count};
  cu_exit_flush(cx, line);
  for (uint32_t i = 0; i < list.count; i++)
    add_to_run(cx, &inner, list.data[i]);
  inner.at = inner.end;
  cu_exit_flush(cx, &inner);
  Expr *value = cx->result ? cu_name_expr(cu, cx->result, span) : NULL;
  VEC_PUSH(cu->arena, &inner.out, cu_return_stmt(cu, value, span));
  VEC_PUSH(cu->arena, &line->out,
           cu_exit_if(cx, stmt->u.if_stmt.condition, &inner.out, span));
}

// A return from a function behind whose call nothing is done: one that leaves
// is as good as gone.
static void rewrite_exit(CuExits *cx, CuLine *line, Stmt *stmt) {
  const Expr *condition = stmt->u.if_stmt.condition;
  if (cx->is_function && !cx->may_leave) {
    if (cu_exit_varies(&cx->facts, condition) ||
        !cu_exit_is_pure(&cx->facts, condition))
      cx->has_failed = true;
    else
      rewrite_common_exit(cx, line, stmt);
    return;
  }
  add_to_run(cx, line, make_inactive(cx, stmt));
  cu_exit_flush(cx, line);
}

void cu_exit_rewrite_item(CuExits *cx, CuLine *line, Stmt *stmt) {
  CuContext *cu = cx->cu;
  CuBarrier barrier = cu_exit_barrier(&cx->facts, stmt);
  if (cu_exit_is_exit(&cx->facts, stmt)) {
    rewrite_exit(cx, line, stmt);
  } else if (is_jump(cx, stmt)) {
    rewrite_jump(cx, line, stmt);
  } else if (barrier == CU_BARRIER_NONE &&
             (cu_exit_has_return(stmt) || cu_exit_has_jump(stmt))) {
    cx->has_failed = true;
  } else if (barrier != CU_BARRIER_NONE) {
    cu_exit_flush(cx, line);
    if (cu_exit_is_sync(&cx->facts, stmt))
      VEC_PUSH(cu->arena, &line->out, stmt);
    else if (stmt->kind == STMT_IF && !decides_about_barrier(cx, stmt))
      rewrite_test(cx, line, stmt);
    else if (is_region(stmt))
      rewrite_region(cx, line, stmt);
    else
      rewrite_calls(cx, line, stmt);
  } else if (may_stand_bare(cx, stmt)) {
    VEC_PUSH(cu->arena, &line->out, stmt);
  } else {
    add_to_run(cx, line, stmt);
  }
}

static bool ends_behind(const CuLine *line) {
  for (uint32_t i = line->at + 1; i < line->items->count; i++)
    if (!is_plain_return(line->items->data[i]) &&
        line->items->data[i]->kind != STMT_EMPTY)
      return false;
  return true;
}

void cu_exit_rewrite_line(CuExits *cx, CuLine *line) {
  bool is_tail = cx->is_tail;
  for (; line->at < line->end && !cx->has_failed; line->at++) {
    cx->is_tail = is_tail && ends_behind(line);
    cu_exit_rewrite_item(cx, line, line->items->data[line->at]);
  }
  cx->is_tail = is_tail;
  cu_exit_flush(cx, line);
}

Stmt *cu_exit_rewrite_list(CuExits *cx, StmtList items, Span span) {
  CuLine line = {.items = &items, .end = items.count};
  cu_exit_rewrite_line(cx, &line);
  return cu_block(cx->cu, &line.out, span);
}

// --- The kernel ------------------------------------------------------------

// By the kernel itself, whose names begin at `first`, or at file scope.
static bool is_taken(const CuContext *cu, const char *name, uint32_t first) {
  const char *interned = intern_cstr(cu->names, name);
  for (uint32_t i = 0; i < cu->output.all_names.count; i++) {
    const CuName *other = cu->output.all_names.data[i];
    if (other->wanted == interned && (i >= first || !other->is_local))
      return true;
  }
  return false;
}

CuName *cu_exit_name(const CuExits *cx, const char *wanted) {
  const char *name = wanted;
  for (int i = 2; is_taken(cx->cu, name, cx->first_name); i++)
    name = cu_format(cx->cu, "%s_%d", wanted, i);
  return cu_new_name(cx->cu, name, true);
}

CuName *cu_exit_add_variable(CuExits *cx, CuLine *line, const char *wanted,
                             const TypeSyntax *type, Expr *init, Span span) {
  CuContext *cu = cx->cu;
  CuName *name = cu_exit_name(cx, wanted);
  Decl *decl = cu_new_decl(cu, DECL_VAR, name, span, span);
  decl->type = cu_without_const(cu, type);
  decl->u.var.init = init;
  VEC_PUSH(cu->arena, &line->out, cu_decl_stmt(cu, decl));
  return name;
}

// Behind the last barrier: if (!active) return; and the rest as it was.
static void add_tail(CuExits *cx, const CuStmtVec *items, uint32_t tail,
                     CuStmtVec *out) {
  CuContext *cu = cx->cu;
  bool is_empty = tail == items->count || (tail + 1 == items->count &&
                                           is_plain_return(items->data[tail]));
  if (is_empty)
    return;
  Span span = items->data[tail]->span;
  Stmt *leave = cu_new_stmt(cu, STMT_IF, span, span);
  leave->u.if_stmt.condition =
      cu_unary(cu, UNARY_NOT, cu_exit_active(cx, span), span);
  leave->u.if_stmt.then_stmt = cu_return_stmt(cu, NULL, span);
  VEC_PUSH(cu->arena, out, leave);
  for (uint32_t i = tail; i < items->count; i++)
    VEC_PUSH(cu->arena, out, items->data[i]);
}

void cu_rewrite_exits(CuContext *cu, uint32_t first_name, CuStmtVec *items) {
  CuExits cx = {.cu = cu, .first_name = first_name, .is_tail = true};
  if (cu->asked.keeps_exits || cu->reports.failed)
    return;
  cu_exit_facts_init(&cx.facts, cu, items);
  StmtList all = {items->data, items->count};
  uint32_t tail = cu_exit_tail(&cx.facts, all);
  uint32_t first = cu_exit_find(&cx.facts, all, tail);
  if (first == tail)
    return;
  cx.active = cu_exit_name(&cx, "active");
  bool is_plain = cu_exit_is_exit(&cx.facts, items->data[first]);
  CuLine line = {.items = &all, .at = first + is_plain, .end = tail};
  for (uint32_t i = 0; i < first; i++)
    VEC_PUSH(cu->arena, &line.out, items->data[i]);
  begin_active(&cx, is_plain ? items->data[first] : NULL,
               items->data[first]->span, &line.out);
  cu_exit_rewrite_line(&cx, &line);
  add_tail(&cx, items, tail, &line.out);
  *items = line.out;
  cu->asked.keeps_exits = cx.has_failed;
}
