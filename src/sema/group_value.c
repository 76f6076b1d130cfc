// SPDX-License-Identifier: Apache-2.0
// Groups as values: what names one, what is known of it, and `with`.
#include "sema/builtin_table.h"

#include <string.h>

// --- what is known ---

TGroupFacts current_group_facts(const SemaContext *cx) {
  const GroupState *group = &cx->body->group;
  TGroupFacts facts = {.ref = group->ref,
                       .size = group->size,
                       .max_size = group->max_size,
                       .parts = group->parts,
                       .is_open = group->is_open};
  if (group->size > 0)
    facts.max_size = group->size;
  return facts;
}

const char *group_size_text(SemaContext *cx, int64_t size) {
  return size > 0 ? sema_format(cx, "%lld", (long long)size)
                  : "no constant number";
}

// While a loop kernel's block size is still open nothing is wrong yet.
bool check_stated_size(SemaContext *cx, const char *name, int64_t needed,
                       const TExpr *group) {
  int64_t size = group->u.group.facts.size;
  bool is_open = size == 0 && !sema_sizes_are_final(cx);
  if (needed == 0 || size == needed || is_open || cx->unevaluated)
    return true;
  SEMA_ERROR(cx, group->span, group_size, DS(name), DD(needed),
             DS(group_size_text(cx, size)));
  return false;
}

// --- expressions ---

bool is_group_expr(SemaContext *cx, const Expr *expr) {
  if (expr->kind == EXPR_NAME) {
    Symbol *symbol = sema_scope_find(cx, expr->u.name);
    return symbol && symbol->kind == SYMBOL_VAR &&
           type_is(symbol->var->type, TY_GROUP);
  }
  if (expr->kind != EXPR_CALL || expr->u.call.callee->kind != EXPR_NAME ||
      sema_scope_find(cx, expr->u.call.callee->u.name))
    return false;
  const BuiltinName *builtin = builtin_find(cx, expr->u.call.callee->u.name);
  return builtin && builtin_rule(builtin->id) == RULE_MAKE_GROUP;
}

TExpr *check_group_expr(SemaContext *cx, const Expr *expr, const char *where) {
  if (expr->kind == EXPR_INIT_LIST || expr->kind == EXPR_TYPE) {
    SEMA_ERROR(cx, expr->span, not_a_group, DS(where),
               DS(sema_format(cx, "'%s'", sema_source_text(cx, expr->span))));
    return build_poison(cx, expr->span);
  }
  TExpr *group = check_expr(cx, expr);
  if (expr_is_poison(group) || group->kind == TEXPR_GROUP)
    return group;
  SEMA_ERROR(cx, expr->span, not_a_group, DS(where),
             DS(sema_format(cx, "'%s'", sema_type_name(cx, group->type))));
  return build_poison(cx, expr->span);
}

TExpr *build_named_group(SemaContext *cx, TVar *var, Span span) {
  TExpr *expr =
      build_expr(cx, TEXPR_GROUP, type_basic(cx->types, TY_GROUP), span);
  expr->u.group.ref = TGROUP_NAMED;
  expr->u.group.var = var;
  expr->u.group.facts = var->facts;
  return expr;
}

// A name whose declaration was wrong, or has an open embedded value: it may
// have been a group.
static bool is_poison_name(SemaContext *cx, const Expr *expr) {
  if (expr->kind != EXPR_NAME)
    return expr->kind == EXPR_POISON;
  Symbol *symbol = sema_scope_find(cx, expr->u.name);
  return symbol && symbol->kind == SYMBOL_POISON;
}

TExpr *take_group_argument(const BuiltinCall *call, uint32_t most,
                           uint32_t *n_taken) {
  SemaContext *cx = call->cx;
  const ExprList *args = call->args;
  *n_taken = 0;
  if (args->count > 0 && is_poison_name(cx, args->data[0]))
    return NULL;
  bool is_group = args->count > 0 && is_group_expr(cx, args->data[0]);
  if (!is_group && args->count < most)
    return build_current_group(cx, call->span);
  *n_taken = 1;
  const char *where = sema_format(cx, "argument 1 of '%s'", call->name);
  TExpr *group = check_group_expr(cx, args->data[0], where);
  return expr_is_poison(group) ? NULL : group;
}

// --- with (g) stmt ---

static TStmt *check_with_body(SemaContext *cx, const Stmt *stmt,
                              const TGroupFacts *facts) {
  Body *body = cx->body;
  Jump jump = {.outer = body->jump, .kind = JUMP_GROUP, .construct = "with"};
  GroupState outer = body->group;
  int64_t product = body->thread_product;
  body->jump = &jump;
  body->group = (GroupState){.number = ++cx->n_groups,
                             .size = facts->size,
                             .max_size = facts->max_size,
                             .parts = facts->parts,
                             .is_open = facts->is_open,
                             .ref = facts->ref};
  body->thread_product = 0;
  TStmt *result = check_block(cx, stmt->u.group.body);
  body->thread_product = product;
  body->group = outer;
  body->jump = jump.outer;
  return result;
}

static bool is_below_block(SemaContext *cx, const TExpr *group) {
  TGroupRef ref = group->u.group.facts.ref;
  if (ref != TGROUP_GRID && ref != TGROUP_CLUSTER)
    return true;
  SEMA_ERROR(cx, group->span, group_level, DS("with"),
             DS(ref == TGROUP_GRID ? "the grid" : "the cluster"));
  return false;
}

TStmt *check_with(SemaContext *cx, const Stmt *stmt) {
  const ExprList *args = &stmt->u.group.args;
  TGroupFacts unknown = {0};
  TExpr *group = NULL;
  if (args->count == 1)
    group = check_group_expr(cx, args->data[0], "'with'");
  else
    SEMA_ERROR(cx, stmt->keyword, argument_count, DS("with"),
               DS("1 argument, a group"), DU(args->count));
  bool is_valid = check_no_operator(cx, stmt->keyword, "'with'") && group &&
                  !expr_is_poison(group) && is_below_block(cx, group);
  TStmt *body =
      check_with_body(cx, stmt, is_valid ? &group->u.group.facts : &unknown);
  if (!is_valid)
    return NULL;
  TStmt *result = build_stmt(cx, TSTMT_WITH, stmt->span);
  result->u.with.group = group;
  result->u.with.body = body;
  return result;
}
