// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_function_table.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

enum { MOST_FUNCTIONS = 64 }; // that a call chooses from

typedef struct {
  CuEntity *entity;
  const CuType *element;
  const CxExpr *init; // INIT_LIST
  uint32_t n;
  const CuValue *functions; // of a variable of a function; or NULL
} Table;

typedef hd_vec(CuValue) Functions;

// In the scope of the variable, as the value of a pointer of type `type`.
static CuValue function_table_of(CuContext *cu, const CuEntity *entity,
                                 const CxExpr *init, const CuType *type) {
  CuScope *before = cu_set_scope(cu, entity->scope);
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
  CuValue value = function_table_of(cu, entity, decl->u.var.init, type);
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

void cu_hold_functions(CuContext *cu, const CxDecl *decl, const CuType *type,
                       CuVariable *variable) {
  const CxExpr *list = cu_expanded_init(cu, decl->u.var.init);
  uint32_t n = list->u.init_list.n_items;
  CuValue *functions = ARENA_ARRAY(cu->arena, CuValue, n + 1);
  for (uint32_t i = 0; i < n; i++)
    functions[i] =
        cu_function_constant(cu, cu_expr(cu, list->u.init_list.items[i].value),
                             cu_plain(type->u.array.element));
  variable->functions = functions;
  variable->n_functions = n;
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
  out->init = cu_expanded_init(cu, out->entity->decl->u.var.init);
  out->n = out->init->u.init_list.n_items;
  const CuVariable *local =
      out->entity->kind == CU_ENTITY_LOCAL ? out->entity->variable : NULL;
  out->functions = local ? local->functions : NULL;
  if (local)
    out->n = local->n_functions;
  return true;
}

static CuValue call_one(CuContext *cu, const Table *table, uint32_t i,
                        CuValues args, Span span) {
  CuValue function =
      table->functions
          ? table->functions[i]
          : function_table_of(cu, table->entity,
                              table->init->u.init_list.items[i].value,
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
  uint32_t n = table->n;
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
    map_put(cu->arena, &cu->notes.choices, MAP_KEY(made),
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
  for (uint32_t i = table->n; i-- > 0;) {
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

static CuValue function_table_choose(CuContext *cu, const Table *table,
                                     CuValue index, CuValues args, Span span) {
  const CuType *type = table->element;
  type = type->kind == CU_POINTER ? cu_plain(type->u.inner) : type;
  bool is_void = cu_is(cu_plain(type->u.function.result), CU_VOID);
  uint32_t n = table->n;
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

// ---------------------------------------------------------------- c ? f : g

// Only one name is looked at, so that nested choices take no longer.
bool cu_begins_with_function(CuContext *cu, const CxExpr *expr) {
  while (expr->kind == CX_EXPR_CONDITIONAL ||
         (expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS))
    expr = expr->kind == CX_EXPR_CONDITIONAL ? expr->u.conditional.if_true
                                             : expr->u.unary.operand;
  if (expr->kind != CX_EXPR_NAME)
    return false;
  CuTrial trial = cu_trial_begin(cu);
  CuValue value = cu_expr(cu, expr);
  if (cu_trial_end(cu, trial))
    return false;
  const CuType *type = cu_plain(value.type);
  return value.overloads ||
         (cu_is(type, CU_LAMBDA) && type->u.lambda->only != NULL);
}

// Numbers the functions of a choice from 0; `index` becomes the number of the
// chosen one. *type: of a pointer to them; NULL: as the first one says.
static bool function_table_number(CuContext *cu, const CxExpr *expr,
                                  const CuType **type, Functions *functions,
                                  CuValue *index) {
  if (expr->kind != CX_EXPR_CONDITIONAL) {
    CuValue one = cu_function_constant(cu, cu_expr(cu, expr), *type);
    const CuType *signature = cu_signature(cu, one.type);
    if (!cu_is(cu_plain(one.type), CU_LAMBDA) || !signature)
      return false;
    if (!*type)
      *type = cu_pointer(&cu->types, signature);
    *index = cu_int_value(cu, cu_basic(&cu->types, CU_INT), functions->count,
                          expr->span);
    VEC_PUSH(cu->arena, functions, one);
    return true;
  }
  CuValue condition = cu_condition(cu, expr->u.conditional.condition);
  const CxExpr *a = expr->u.conditional.if_true;
  const CxExpr *b = expr->u.conditional.if_false;
  if (cu_is_poisoned(&condition))
    return false;
  if (condition.constant.kind == CU_CONST_INT)
    return function_table_number(cu, condition.constant.i ? a : b, type,
                                 functions, index);
  bool before = cu->frame->is_conditional;
  cu->frame->is_conditional = true;
  CuValue x, y;
  bool fits = function_table_number(cu, a, type, functions, &x) &&
              function_table_number(cu, b, type, functions, &y);
  cu->frame->is_conditional = before;
  if (!fits)
    return false;
  Expr *made = cu_new_expr(cu, EXPR_CONDITIONAL, expr->span);
  made->u.conditional.condition = condition.expr;
  made->u.conditional.if_true = x.expr;
  made->u.conditional.if_false = y.expr;
  uint16_t depth =
      x.expr->depth > y.expr->depth ? x.expr->depth : y.expr->depth;
  if (condition.expr->depth > depth)
    depth = condition.expr->depth;
  made->depth = (uint16_t)(depth + 1);
  map_put(cu->arena, &cu->notes.choices, MAP_KEY(made),
          (void *)(uintptr_t)cu_basic(&cu->types, CU_INT));
  *index = cu_rvalue(cu_basic(&cu->types, CU_INT), made, expr->span);
  return true;
}

static bool function_table_is_choice(CuContext *cu, const CxExpr *expr) {
  return expr && expr->kind == CX_EXPR_CONDITIONAL && cu->frame &&
         cu_begins_with_function(cu, expr->u.conditional.if_true) &&
         cu_begins_with_function(cu, expr->u.conditional.if_false);
}

bool cu_declare_choice(CuContext *cu, CxDecl *decl, const CuType *type) {
  if (decl->u.var.init_kind != CX_INIT_EQUAL ||
      (decl->specs & (CX_SPEC_STATIC | CX_SPEC_CONSTEXPR)) ||
      !function_table_is_choice(cu, decl->u.var.init))
    return false;
  cu_declare_early(cu, decl, type);
  Functions functions = {0};
  CuValue index;
  if (!function_table_number(cu, decl->u.var.init, &type, &functions, &index) ||
      functions.count < 2)
    return false;
  const CuType *of_index = cu_basic(&cu->types, CU_INT);
  CuVariable *which = cu_new_local(cu, "which", of_index);
  cu_add_local(cu, which, index.expr, decl->span);
  CuVariable *variable = cu_new_local(cu, decl->name, type);
  variable->holds = CU_HOLDS_CLOSURE;
  variable->functions = functions.data;
  variable->n_functions = functions.count;
  variable->which = which;
  cu_declare_local(cu, variable, decl->name, decl);
  return true;
}

// The variable that chooses between functions and that `callee` names, or NULL.
static const CuVariable *named_choice(CuContext *cu, const CxExpr *callee) {
  CuEntityVec found = {0};
  if (callee->kind != CX_EXPR_NAME)
    return NULL;
  CuTrial trial = cu_trial_begin(cu);
  bool fits = cu_resolve_name(cu, callee->u.name, &found) &&
              found.data[0]->kind == CU_ENTITY_LOCAL;
  if (cu_trial_end(cu, trial) || !fits || !found.data[0]->variable->which)
    return NULL;
  return found.data[0]->variable;
}

static bool call_choice(CuContext *cu, const CxExpr *expr, CuValue *out) {
  const CxExpr *callee = expr->u.call.callee;
  while (callee->kind == CX_EXPR_UNARY && callee->u.unary.op == UNARY_DEREF)
    callee = callee->u.unary.operand;
  Table table = {0};
  CuValue index = {0};
  const CuVariable *variable = named_choice(cu, callee);
  if (variable) {
    CuVariable *which = cu_seen_from_here(cu, variable->which, callee->span);
    index = which ? cu_variable_value(cu, which, callee->span)
                  : cu_poison(cu, callee->span);
    table.element = variable->type;
    table.functions = variable->functions;
    table.n = variable->n_functions;
  } else {
    Functions functions = {0};
    if (!function_table_is_choice(cu, callee))
      return false;
    if (!function_table_number(cu, callee, &table.element, &functions, &index))
      return false;
    table.functions = functions.data;
    table.n = functions.count;
  }
  CuValues args = cu_arguments(cu, &expr->u.call.args);
  if (cu_is_poisoned(&index))
    *out = cu_poison(cu, expr->span);
  else if (table.n == 1)
    *out = call_one(cu, &table, 0, args, expr->span);
  else
    *out = function_table_choose(cu, &table, index, args, expr->span);
  return true;
}

// ---------------------------------------------------------------- calls

bool cu_call_table(CuContext *cu, const CxExpr *expr, CuValue *out) {
  if (cu->frame && call_choice(cu, expr, out))
    return true;
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
  int64_t n = table.n;
  bool is_known = index.constant.kind == CU_CONST_INT;
  if (is_known && index.constant.i >= 0 && index.constant.i < n)
    *out = call_one(cu, &table, (uint32_t)index.constant.i, args, expr->span);
  else
    *out = function_table_choose(cu, &table, index, args, expr->span);
  return true;
}
