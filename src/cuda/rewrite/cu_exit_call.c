// SPDX-License-Identifier: Apache-2.0
// Calls that hold a barrier of the block, made by all threads: votes count who
// is active, and a function is translated once more with one parameter in
// front, which says it, and rewritten as the kernel is.
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_walk.h"
#include "cuda/rewrite/cu_exit_rewrite.h"

#include <string.h>

typedef struct {
  CuWalk walk;
  CuExits *cx;
  CuExprVec calls;
} CallWalk;

static bool is_vote(const CuExits *cx, const Expr *call) {
  const char *name = cu_exit_callee(call);
  return name && call->u.call.args.count == 2 &&
         cu_exit_is_wide(&cx->facts, call->u.call.args.data[0]) &&
         (strcmp(name, "any") == 0 || strcmp(name, "all") == 0 ||
          strcmp(name, "count") == 0);
}

static CuFunction *function_of(const CuExits *cx, const Expr *call) {
  const CuName *name =
      map_get(&cx->cu->output.named, MAP_KEY(call->u.call.callee));
  return name ? name->function : NULL;
}

static void exit_call_look_at(CuWalk *walk, const Expr *expr) {
  CallWalk *at = (CallWalk *)walk;
  const CuExits *cx = at->cx;
  if (expr->kind == EXPR_CALL &&
      cu_exit_expr_barrier(&cx->facts, expr) != CU_BARRIER_NONE)
    VEC_PUSH(cx->cu->arena, &at->calls, (Expr *)(uintptr_t)expr);
}

// --- what is put in its place ---

// any(g, active && p)  or  all(g, !active || p)
static Expr *make_vote(CuExits *cx, const Expr *call) {
  CuContext *cu = cx->cu;
  Span span = call->span;
  bool is_all = strcmp(cu_exit_callee(call), "all") == 0;
  Expr *who = cu_exit_active(cx, span);
  Expr **args = ARENA_ARRAY(cu->arena, Expr *, 2);
  args[0] = call->u.call.args.data[0];
  args[1] = cu_binary(cu, is_all ? BINARY_LOG_OR : BINARY_LOG_AND,
                      is_all ? cu_unary(cu, UNARY_NOT, who, span) : who,
                      call->u.call.args.data[1], span);
  return cu_call(cu, call->u.call.callee, args, 2, span);
}

static Expr *zero_of(CuContext *cu, const TypeSyntax *type, Span span) {
  return type->kind == TYPE_BUILTIN ? cu_int_literal(cu, 0, span) : NULL;
}

// if (active) name = value;
static void add_set(CuExits *cx, CuLine *line, CuName *name, Expr *value) {
  CuContext *cu = cx->cu;
  Span span = value->span;
  CuStmtVec set = {0};
  Expr *place = cu_name_expr(cu, name, span);
  VEC_PUSH(cu->arena, &set,
           cu_expr_stmt(cu, cu_assign(cu, place, value, span), span));
  VEC_PUSH(cu->arena, &line->out,
           cu_exit_if(cx, cu_present(cx, span), &set, span));
}

// T name = 0; if (active) name = value;
static CuName *add_guarded(CuExits *cx, CuLine *line, const char *wanted,
                           const TypeSyntax *type, Expr *value) {
  CuContext *cu = cx->cu;
  Span span = value->span;
  CuName *name = cu_exit_add_variable(cx, line, wanted, type,
                                      zero_of(cu, type, span), span);
  add_set(cx, line, name, value);
  cu_exit_guard_name(&cx->facts, name->wanted);
  return name;
}

// What only active threads evaluate goes to a variable.
static Expr *make_argument(CuExits *cx, CuLine *line, Expr *value,
                           const Decl *param) {
  if (cu_exit_is_pure(&cx->facts, value))
    return value;
  if (param->type->kind == TYPE_GROUP || param->type->kind == TYPE_ARRAY)
    cx->has_failed = true;
  CuName *name = add_guarded(cx, line, param->name, param->type, value);
  return cu_name_expr(cx->cu, name, value->span);
}

// --- functions ---

static CuFunction *translate_again(CuContext *cu, const CuFunction *function,
                                   Span call) {
  CuFunction *again = ARENA_NEW(cu->arena, CuFunction);
  *again = *function;
  again->name = NULL;
  again->emitted = NULL;
  again->is_translated = again->is_translating = false;
  memset(&again->needs, 0, sizeof again->needs);
  return cu_translate_function(cu, again, call) ? again : NULL;
}

static void rename_function(CuContext *cu, CuFunction *function) {
  CuName *name = function->name;
  name->wanted =
      intern_cstr(cu->names, cu_format(cu, "%s_active", name->wanted));
  for (uint32_t i = 0; i < name->slots.count; i++)
    *name->slots.data[i] = name->wanted;
}

static void add_active_param(CuExits *inner, Decl *function) {
  CuContext *cu = inner->cu;
  Span span = function->name_span;
  DeclList *params = &function->type->u.function.params;
  Decl **data = ARENA_ARRAY(cu->arena, Decl *, params->count + 1);
  Decl *decl = cu_new_decl(cu, DECL_PARAM, inner->active, span, span);
  decl->type = cu_emit_type(cu, cu_basic(&cu->types, CU_BOOL), span);
  data[0] = decl;
  for (uint32_t i = 0; i < params->count; i++)
    data[i + 1] = params->data[i];
  *params = (DeclList){data, params->count + 1};
}

// return e;  becomes  if (active) result = e; return result;
static void exit_call_add_result(CuExits *inner, CuLine *line,
                                 const Decl *function, const Stmt *last) {
  CuContext *cu = inner->cu;
  Expr *value = cu_exit_hoist_from(inner, line, last->u.expr);
  if (inner->result) {
    add_set(inner, line, inner->result, value);
    value = cu_name_expr(cu, inner->result, last->span);
  } else if (!cu_exit_is_pure(&inner->facts, value)) {
    CuName *name = add_guarded(inner, line, "result",
                               function->type->u.function.result, value);
    value = cu_name_expr(cu, name, last->span);
  }
  VEC_PUSH(cu->arena, &line->out, cu_return_stmt(cu, value, last->span));
}

// Behind the last barrier, where some return:
// if (!active) return result;  and the rest as it was.
static void add_rest(CuExits *inner, CuLine *line, const Decl *function,
                     uint32_t tail) {
  CuContext *cu = inner->cu;
  Span span = line->items->data[tail]->span;
  const TypeSyntax *type = function->type->u.function.result;
  Expr *value = NULL;
  if (inner->result)
    value = cu_name_expr(cu, inner->result, span);
  else if (line->returns_value)
    value = cu_name_expr(cu,
                         cu_exit_add_variable(inner, line, "result", type,
                                              zero_of(cu, type, span), span),
                         span);
  CuStmtVec leave = {0};
  VEC_PUSH(cu->arena, &leave, cu_return_stmt(cu, value, span));
  Expr *is_gone = cu_unary(cu, UNARY_NOT, cu_exit_active(inner, span), span);
  VEC_PUSH(cu->arena, &line->out, cu_exit_if(inner, is_gone, &leave, span));
  for (uint32_t i = tail; i < line->items->count; i++)
    VEC_PUSH(cu->arena, &line->out, line->items->data[i]);
}

static bool is_void(const TypeSyntax *type) {
  return type->kind == TYPE_BUILTIN && type->u.builtin == BUILTIN_VOID;
}

static bool returns_within(const StmtList *items, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    if (cu_exit_has_return(items->data[i]))
      return true;
  return false;
}

static void rewrite_body(CuExits *inner, Decl *function) {
  CuContext *cu = inner->cu;
  Stmt *body = function->u.function.body;
  StmtList items = body->u.compound.items;
  const Stmt *last = items.count ? items.data[items.count - 1] : NULL;
  bool has_result = last && last->kind == STMT_RETURN;
  uint32_t end = items.count - has_result;
  uint32_t tail = cu_exit_tail(&inner->facts, items);
  CuLine line = {.items = &items, .end = end};
  line.returns_value = !is_void(function->type->u.function.result) &&
                       cu_exit_returns_value(body);
  bool has_rest = tail < items.count && returns_within(&items, tail, end);
  if (has_rest)
    line.end = tail;
  if (line.returns_value && returns_within(&items, 0, line.end)) {
    const TypeSyntax *type = function->type->u.function.result;
    inner->result =
        cu_exit_add_variable(inner, &line, "result", type,
                             zero_of(cu, type, body->span), body->span);
  }
  cu_exit_rewrite_line(inner, &line);
  if (has_rest)
    add_rest(inner, &line, function, tail);
  else if (has_result && last->u.expr)
    exit_call_add_result(inner, &line, function, last);
  else if (inner->result)
    VEC_PUSH(cu->arena, &line.out,
             cu_return_stmt(cu, cu_name_expr(cu, inner->result, body->span),
                            body->span));
  function->u.function.body = cu_block(cu, &line.out, body->span);
}

static void remove_decl(CuContext *cu, const Decl *decl) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < cu->output.decls.count; i++)
    if (cu->output.decls.data[i] != decl)
      cu->output.decls.data[n++] = cu->output.decls.data[i];
  cu->output.decls.count = n;
}

// Nobody calls the function as it was; other kernels translate it anew.
static void drop_unused(CuContext *cu, CuFunction *function) {
  CuName *name = function->name;
  if (name->slots.count != 1)
    return;
  remove_decl(cu, function->emitted);
  name->slots.count = 0;
  function->is_translated = false;
  function->needs.count = 0;
}

static Expr *make_call(CuExits *cx, CuLine *line, const Expr *call) {
  CuContext *cu = cx->cu;
  uint32_t first_name = cu->output.all_names.count;
  CuFunction *function = function_of(cx, call);
  CuFunction *again =
      function ? translate_again(cu, function, call->span) : NULL;
  ExprList given = call->u.call.args;
  if (!again || again->emitted->type->u.function.params.count != given.count) {
    cx->has_failed = true;
    return NULL;
  }
  rename_function(cu, again);
  CuExits inner = {.cu = cu,
                   .is_tail = true,
                   .is_function = true,
                   .may_leave =
                       cx->is_tail && (!cx->is_function || cx->may_leave),
                   .first_name = first_name};
  inner.active = cu_exit_name(&inner, "active");
  cu_exit_facts_of_call(&inner.facts, &cx->facts, again->emitted, &given);
  DeclList params = again->emitted->type->u.function.params;
  Expr **args = ARENA_ARRAY(cu->arena, Expr *, given.count + 1);
  args[0] = cu_exit_active(cx, call->span);
  for (uint32_t i = 0; i < given.count; i++) {
    args[i + 1] = make_argument(cx, line, given.data[i], params.data[i]);
    if (args[i + 1] != given.data[i])
      cu_exit_guard_name(&inner.facts, params.data[i]->name);
  }
  add_active_param(&inner, again->emitted);
  rewrite_body(&inner, again->emitted);
  remove_decl(cu, again->emitted); // to stand behind what it calls
  VEC_PUSH(cu->arena, &cu->output.decls, again->emitted);
  cx->has_failed |= inner.has_failed;
  cu_name_unspelled(cu, call->u.call.callee);
  drop_unused(cu, function);
  return cu_call(cu, cu_name_expr(cu, again->name, call->span), args,
                 given.count + 1, call->span);
}

// --- statements ---

void cu_exit_become_name(CuContext *cu, Expr *expr, CuName *name) {
  expr->kind = EXPR_NAME;
  expr->u.name = name->wanted;
  cu_name_spelled(cu, name, &expr->u.name);
  map_put(cu->arena, &cu->output.named, MAP_KEY(expr), name);
}

static Decl *result_of(const CuExits *cx, const Expr *call) {
  const CuFunction *function = function_of(cx, call);
  return function ? function->emitted : NULL;
}

// The value of a call, in a variable; it is the same for all only of votes.
static void exit_call_hold(CuExits *cx, CuLine *line, Expr *call, Expr *made) {
  CuContext *cu = cx->cu;
  const Decl *function = result_of(cx, call);
  CuTypeKind kind =
      is_vote(cx, call) && strcmp(cu_exit_callee(call), "count") == 0 ? CU_INT
                                                                      : CU_BOOL;
  const TypeSyntax *type =
      function ? function->type->u.function.result
               : cu_emit_type(cu, cu_basic(&cu->types, kind), call->span);
  CuName *name = cu_exit_add_variable(cx, line, "met", type, made, call->span);
  if (function)
    cu_exit_guard_name(&cx->facts, name->wanted);
  cu_exit_become_name(cu, call, name);
}

static void hoist_call(CuExits *cx, CuLine *line, Stmt *stmt, Expr *call,
                       bool wants_value) {
  Expr *made =
      is_vote(cx, call) ? make_vote(cx, call) : make_call(cx, line, call);
  if (!made)
    return;
  if (wants_value || stmt->kind != STMT_EXPR || stmt->u.expr != call) {
    exit_call_hold(cx, line, call, made);
    return;
  }
  VEC_PUSH(cx->cu->arena, &line->out, cu_expr_stmt(cx->cu, made, stmt->span));
  stmt->kind = STMT_EMPTY;
}

// Nothing is done behind a call that is all of a statement behind which nothing
// is.
static void exit_call_hoist(CuExits *cx, CuLine *line, Stmt *stmt,
                            bool wants_value) {
  bool is_tail = cx->is_tail;
  bool has_lowered = cu_exit_lower_choices(cx, line, stmt);
  CallWalk at = {.walk = {.on_expr = exit_call_look_at}, .cx = cx};
  cu_walk_stmt(&at.walk, stmt);
  cx->has_failed |= at.calls.count == 0 && !has_lowered;
  for (uint32_t i = at.calls.count; i-- > 0 && !cx->has_failed;) {
    cx->is_tail = is_tail && !wants_value && stmt->kind == STMT_EXPR &&
                  stmt->u.expr == at.calls.data[i];
    hoist_call(cx, line, stmt, at.calls.data[i], wants_value);
  }
  cx->is_tail = is_tail;
}

void cu_exit_hoist(CuExits *cx, CuLine *line, Stmt *stmt) {
  exit_call_hoist(cx, line, stmt, false);
}

Expr *cu_exit_hoist_from(CuExits *cx, CuLine *line, Expr *expr) {
  Stmt *stmt = cu_expr_stmt(cx->cu, expr, expr->span);
  cu_exit_flush(cx, line);
  if (cu_exit_expr_barrier(&cx->facts, expr) != CU_BARRIER_NONE)
    exit_call_hoist(cx, line, stmt, true);
  return expr;
}
