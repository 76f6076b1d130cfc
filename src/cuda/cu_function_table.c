// SPDX-License-Identifier: Apache-2.0
#include "cuda/cu_function_table.h"

#include "cuda/cu_function.h"
#include "cuda/cu_report.h"
#include "cuda/cu_resolve.h"
#include "cuda/cu_scope.h"
#include "cuda/cu_tree.h"
#include "cuda/cu_value.h"

enum { MOST_FUNCTIONS = 64 }; // that a call chooses from

typedef struct {
  CuEntity *entity;
  const CuType *element;
  const CxExpr *init; // INIT_LIST
} Table;

// In the scope of the variable, as the value of a pointer of type `type`.
static CuValue function_of(CuContext *cu, const CuEntity *entity,
                           const CxExpr *init, const CuType *type) {
  CuScope *before = cu->scope;
  if (entity->kind != CU_ENTITY_LOCAL)
    cu_set_scope(cu, entity->scope);
  CuValue value = cu_function_constant(cu, cu_expr(cu, init), type);
  cu_set_scope(cu, before);
  return value;
}

bool cu_known_function(CuContext *cu, CuEntity *entity, Span span,
                       CuValue *out) {
  const CxDecl *decl = entity->decl;
  if (decl->kind != CX_DECL_VAR || !decl->u.var.init ||
      cu_has_auto(decl->type) || decl->n_templates)
    return false;
  CuTrial trial = cu_trial_begin(cu);
  CuScope *before = cu_set_scope(cu, entity->scope);
  const CuType *type = cu_resolve_type(cu, decl->type);
  cu_set_scope(cu, before);
  bool fits = !cu_trial_end(cu, trial) && cu_is_function_pointer(type);
  if (!fits)
    return false;
  CuValue value = function_of(cu, entity, decl->u.var.init, type);
  if (!cu_is(value.type, CU_LAMBDA))
    return false;
  value.span = span;
  *out = value;
  return true;
}

bool cu_is_function_table(const CxDecl *decl, const CuType *type) {
  return cu_is(type, CU_ARRAY) &&
         cu_is_function_pointer(type->u.array.element) && decl->u.var.init &&
         decl->u.var.init->kind == CX_EXPR_INIT_LIST;
}

// `table[i]` or `(*table[i])`.
static const CxExpr *indexed(const CxExpr *callee) {
  while (callee->kind == CX_EXPR_UNARY && callee->u.unary.op == UNARY_DEREF)
    callee = callee->u.unary.operand;
  bool is_plain = callee->kind == CX_EXPR_INDEX &&
                  callee->u.index.base->kind == CX_EXPR_NAME;
  return is_plain ? callee : NULL;
}

static bool find_table(CuContext *cu, const CxName *name, Table *out) {
  CuEntityVec found = {0};
  CuTrial trial = cu_trial_begin(cu);
  bool fits = cu_resolve_name(cu, name, &found) && found.count == 1;
  out->entity = fits ? found.data[0] : NULL;
  fits = fits &&
         (out->entity->kind == CU_ENTITY_VAR ||
          out->entity->kind == CU_ENTITY_LOCAL) &&
         out->entity->decl && out->entity->decl->kind == CX_DECL_VAR &&
         !cu_has_auto(out->entity->decl->type);
  const CuType *type = NULL;
  if (fits) {
    CuScope *before = cu->scope;
    if (out->entity->kind == CU_ENTITY_VAR)
      cu_set_scope(cu, out->entity->scope);
    type = cu_resolve_type(cu, out->entity->decl->type);
    cu_set_scope(cu, before);
  }
  if (cu_trial_end(cu, trial) || !fits ||
      !cu_is_function_table(out->entity->decl, type))
    return false;
  out->element = cu_plain(type->u.array.element);
  out->init = out->entity->decl->u.var.init;
  return true;
}

static CuValue call_one(CuContext *cu, const Table *table, uint32_t i,
                        CuValues args, Span span) {
  CuValue function =
      function_of(cu, table->entity, table->init->u.init_list.items[i].value,
                  table->element);
  if (!cu_is(function.type, CU_LAMBDA)) {
    cu_unsupported(cu, span, "a table of functions that holds something else",
                   "name functions in its initialiser");
    return cu_poison(cu, span);
  }
  CuValues own = {ARENA_ARRAY(cu->arena, CuValue, args.count + 1), args.count};
  for (uint32_t k = 0; k < args.count; k++) {
    own.data[k] = args.data[k];
    if (own.data[k].expr)
      own.data[k].expr = cu_clone(cu, own.data[k].expr, (Span){0, 0});
  }
  return cu_call_closure(cu, cu_plain(function.type)->u.lambda, own, span);
}

static Expr *is_index(CuContext *cu, const CuValue *index, uint32_t i) {
  Span span = index->span;
  return cu_binary(cu, BINARY_EQ, cu_clone(cu, index->expr, (Span){0, 0}),
                   cu_int_literal(cu, i, span), span);
}

// Evaluated once, before the choice; where nothing may stand before it, each
// way has the arguments for itself.
static bool hold_all(CuContext *cu, CuValue *index, CuValues args) {
  if (cu->frame->is_conditional)
    return index->expr && !cu_has_effect(index->expr);
  for (uint32_t i = 0; i <= args.count; i++) {
    CuValue *value = i < args.count ? &args.data[i] : index;
    if (value->expr && !cu_is_repeatable(value->expr))
      *value = cu_temporary(cu, *value, i < args.count ? "argument" : "which");
  }
  return true;
}

// f == 0 ? a(…) : f == 1 ? b(…) : c(…)
static CuValue choose_value(CuContext *cu, const Table *table,
                            const CuValue *index, CuValues args, Span span) {
  bool before = cu->frame->is_conditional;
  cu->frame->is_conditional = true;
  uint32_t n = table->init->u.init_list.n_items;
  CuValue chosen = call_one(cu, table, n - 1, args, span);
  for (uint32_t i = n - 1; i-- > 0 && chosen.expr;) {
    CuValue one = call_one(cu, table, i, args, span);
    if (!one.expr)
      return cu_poison(cu, span);
    Expr *made = cu_new_expr(cu, EXPR_CONDITIONAL, span);
    made->u.conditional.condition = is_index(cu, index, i);
    made->u.conditional.if_true = one.expr;
    made->u.conditional.if_false = chosen.expr;
    uint16_t depth = one.expr->depth > chosen.expr->depth ? one.expr->depth
                                                          : chosen.expr->depth;
    made->depth = (uint16_t)(depth + 4);
    map_put(cu->arena, &cu->choices, MAP_KEY(made),
            (void *)(uintptr_t)cu_plain(one.type));
    chosen = cu_rvalue(cu_plain(one.type), made, span);
  }
  cu->frame->is_conditional = before;
  return chosen;
}

// if (f == 0) a(…); else if (f == 1) b(…); else c(…);
static bool choose_effect(CuContext *cu, const Table *table,
                          const CuValue *index, CuValues args, Span span) {
  Stmt *rest = NULL;
  for (uint32_t i = table->init->u.init_list.n_items; i-- > 0;) {
    CuStmtVec items = {0}, *before = cu->frame->statements;
    cu->frame->statements = &items;
    CuValue made = call_one(cu, table, i, args, span);
    if (made.expr)
      cu_add_stmt(cu, cu_expr_stmt(cu, made.expr, span));
    cu->frame->statements = before;
    if (cu_is_poisoned(&made))
      return false;
    Stmt *block = cu_block(cu, &items, span);
    if (rest) {
      Stmt *branch = cu_new_stmt(cu, STMT_IF, span, span);
      branch->u.if_stmt.condition = is_index(cu, index, i);
      branch->u.if_stmt.then_stmt = block;
      branch->u.if_stmt.else_stmt = rest;
      rest = branch;
    } else {
      rest = block;
    }
  }
  cu_add_stmt(cu, rest);
  return true;
}

static CuValue choose(CuContext *cu, const Table *table, CuValue index,
                      CuValues args, Span span) {
  const CuType *type = table->element;
  type = type->kind == CU_POINTER ? cu_plain(type->u.inner) : type;
  bool is_void = cu_is(cu_plain(type->u.function.result), CU_VOID);
  uint32_t n = table->init->u.init_list.n_items;
  if (n == 0 || n > MOST_FUNCTIONS || (is_void && cu->frame->is_conditional) ||
      !hold_all(cu, &index, args)) {
    cu_unsupported(cu, span, "this call through a table of functions",
                   "use a 'switch'");
    return cu_poison(cu, span);
  }
  if (!is_void)
    return choose_value(cu, table, &index, args, span);
  if (!choose_effect(cu, table, &index, args, span))
    return cu_poison(cu, span);
  return (CuValue){.type = cu_basic(&cu->types, CU_VOID), .span = span};
}

bool cu_call_table(CuContext *cu, const CxExpr *expr, CuValue *out) {
  const CxExpr *callee = indexed(expr->u.call.callee);
  Table table;
  if (!callee || !cu->frame ||
      !find_table(cu, callee->u.index.base->u.name, &table))
    return false;
  CuValue index = cu_decay(cu, cu_operand(cu, callee->u.index.index));
  CuValues args = cu_arguments(cu, &expr->u.call.args);
  if (cu_is_poisoned(&index)) {
    *out = cu_poison(cu, expr->span);
    return true;
  }
  int64_t n = table.init->u.init_list.n_items;
  bool is_known = index.constant.kind == CU_CONST_INT;
  if (is_known && index.constant.i >= 0 && index.constant.i < n)
    *out = call_one(cu, &table, (uint32_t)index.constant.i, args, expr->span);
  else
    *out = choose(cu, &table, index, args, expr->span);
  return true;
}
