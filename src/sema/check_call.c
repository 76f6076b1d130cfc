// SPDX-License-Identifier: Apache-2.0
// Calls: what the callee is, and calls of user functions. The instances of
// functions are made in instance.c.
#include "sema/instance.h"

#include "sema/tile.h"
#include <string.h>

static void check_arguments_quietly(SemaContext *cx, const Expr *call) {
  for (uint32_t i = 0; i < call->u.call.args.count; i++)
    if (call->u.call.args.data[i]->kind != EXPR_TYPE &&
        call->u.call.args.data[i]->kind != EXPR_STRING)
      check_value(cx, call->u.call.args.data[i]);
}

// --- make_float4(x, y, z, w) ---

static const Type *made_vector(SemaContext *cx, const char *name) {
  if (strncmp(name, "make_", 5) != 0)
    return NULL;
  const Type *type = sema_builtin_type(cx, intern_cstr(cx->names, name + 5));
  return type && type->kind == TY_VECTOR ? type : NULL;
}

static TExpr *check_make_vector(SemaContext *cx, const Type *type,
                                const char *name, const Expr *call) {
  const ExprList *args = &call->u.call.args;
  uint32_t count = type->u.vector.count;
  if (args->count != count) {
    SEMA_ERROR(cx, call->span, argument_count, DS(name),
               DS(sema_format(cx, "%u arguments", count)), DU(args->count));
    return build_poison(cx, call->span);
  }
  const Type *element = type->u.vector.element;
  TExpr *result = build_expr(cx, TEXPR_AGGREGATE, type, call->span);
  result->u.aggregate.parts = ARENA_ARRAY(cx->arena, TInit, count);
  result->u.aggregate.n_parts = count;
  for (uint32_t i = 0; i < count; i++) {
    TExpr *value = check_value(cx, args->data[i]);
    value = convert_assign(cx, value, element,
                           sema_format(cx, "argument %u of '%s'", i + 1, name));
    if (expr_is_poison(value))
      return value;
    result->u.aggregate.parts[i].offset_bytes = i * element->size_bytes;
    result->u.aggregate.parts[i].value = value;
  }
  return result;
}

// --- what is called ---

static TExpr *refuse_callee(SemaContext *cx, const Expr *call,
                            const char *what) {
  SEMA_ERROR(cx, call->u.call.callee->span, not_callable, DS(what));
  return build_poison(cx, call->span);
}

static TExpr *call_symbol(SemaContext *cx, Symbol *symbol, const Expr *call) {
  switch (symbol->kind) {
  case SYMBOL_FUNC: return check_user_call(cx, symbol, call);
  case SYMBOL_KERNEL: return refuse_callee(cx, call, "kernel");
  case SYMBOL_VAR:
    return refuse_callee(cx, call, sema_type_name(cx, symbol->var->type));
  case SYMBOL_LAYOUT: return refuse_callee(cx, call, "layout");
  case SYMBOL_CONST:
  case SYMBOL_TYPE:
    return refuse_callee(cx, call, sema_type_name(cx, symbol->type.type));
  case SYMBOL_TAG:
  case SYMBOL_POISON: break;
  }
  check_arguments_quietly(cx, call);
  return build_poison(cx, call->span);
}

static TExpr *call_outer_name(SemaContext *cx, const char *name,
                              const Expr *call) {
  Span span = call->u.call.callee->span;
  TExpr *tile = tile_check_call(cx, name, call);
  if (tile)
    return tile;
  const BuiltinName *builtin = builtin_find(cx, name);
  if (builtin)
    return check_builtin_call(cx, builtin, call);
  const Type *vector = made_vector(cx, name);
  if (vector)
    return check_make_vector(cx, vector, name, call);
  const RefusedName *refused = refused_find(cx, name);
  const char *later = later_find(cx, name);
  if (refused)
    SEMA_ERROR(cx, span, not_in_kernels, DS(refused->what),
               DS(refused->instead));
  else if (is_operator_name(name))
    SEMA_ERROR(cx, span, not_a_value, DS(name),
               DS("an operator of 'reduce' and similar functions"));
  else if (later)
    sema_not_available(cx, span, later);
  else
    sema_scope_undeclared(cx, span, name);
  if (!later)
    check_arguments_quietly(cx, call);
  return build_poison(cx, call->span);
}

TExpr *check_call(SemaContext *cx, const Expr *expr) {
  const Expr *callee = expr->u.call.callee;
  if (callee->kind == EXPR_NAME) {
    Symbol *symbol = sema_scope_find(cx, callee->u.name);
    return symbol ? call_symbol(cx, symbol, expr)
                  : call_outer_name(cx, callee->u.name, expr);
  }
  TExpr *value = check_expr(cx, callee);
  if (!expr_is_poison(value))
    refuse_callee(cx, expr, sema_type_name(cx, value->type));
  check_arguments_quietly(cx, expr);
  return build_poison(cx, expr->span);
}

// --- calls of user functions ---

bool check_embedded_argument(SemaContext *cx, const Decl *param,
                             const char *name, const Expr *expr,
                             uint32_t number, CallArgument *out) {
  out->is_embedded = true;
  if (!param->u.param.is_type) {
    out->value = check_value(cx, expr);
    if (expr_is_poison(out->value) || expr_is_const(out->value))
      return !expr_is_poison(out->value);
    SEMA_ERROR(cx, expr->span, embedded_argument, DU(number), DS(name),
               DS("constant after specialisation"));
    return false;
  }
  Symbol *symbol =
      expr->kind == EXPR_NAME ? sema_scope_find(cx, expr->u.name) : NULL;
  if (expr->kind == EXPR_TYPE)
    out->type = sema_resolve_type(cx, expr->u.type, NULL).type;
  else if (symbol && symbol->kind == SYMBOL_TYPE)
    out->type = symbol->type.type;
  else
    SEMA_ERROR(cx, expr->span, embedded_argument, DU(number), DS(name),
               DS("a type"));
  return out->type && !type_is_poison(out->type);
}

static bool is_array_parameter(const Decl *param) {
  return param->type && param->type->kind == TYPE_ARRAY &&
         !is_tile_syntax(param->type);
}

// A whole array keeps its place; everything else is a value.
static uint32_t array_parameter_rank(const Decl *param) {
  uint32_t rank = 0;
  for (const TypeSyntax *at = param->type; at->kind == TYPE_ARRAY;
       at = at->u.array.element)
    rank++;
  return rank;
}

// In tile code array parameters are views. Whole arrays and rows of another
// rank are the pointers that they are elsewhere.
static TExpr *view_argument(SemaContext *cx, const Decl *param, TExpr *raw) {
  uint32_t rank;
  TExpr *view = is_array_parameter(param) ? tile_row_view(cx, raw) : NULL;
  if (!view || expr_is_poison(view))
    return view;
  type_array_base(view->type, &rank);
  return rank == array_parameter_rank(param) ? view : NULL;
}

static bool plain_argument(SemaContext *cx, const Decl *param, const Expr *expr,
                           CallArgument *out) {
  if (is_tile_code(cx) && is_array_parameter(param) && has_section(expr)) {
    out->value = tile_check_view(cx, expr);
    out->is_view = true;
    return !expr_is_poison(out->value);
  }
  TExpr *raw = check_expr(cx, expr);
  TExpr *view = view_argument(cx, param, raw);
  if (view) {
    out->value = view;
    out->is_view = true;
    return !expr_is_poison(view);
  }
  out->is_barrier = is_barrier_place(raw);
  out->value = raw;
  if (out->is_barrier)
    return true;
  if (type_is(raw->type, TY_TOKEN))
    return sema_may_be(cx, expr->span, raw->type, "passed to a function");
  bool is_whole = is_array_parameter(param) && raw->kind == TEXPR_VAR &&
                  type_is(raw->type, TY_ARRAY);
  bool is_kept = is_whole || raw->kind == TEXPR_GROUP;
  out->is_whole_array = is_whole;
  out->value = is_kept ? raw : convert_to_value(cx, raw);
  if (is_tile_syntax(param->type))
    out->value = tile_row(cx, out->value);
  return !expr_is_poison(out->value);
}

static const char *parameter_count(SemaContext *cx, uint32_t count) {
  if (count == 0)
    return "no arguments";
  return sema_format(cx, "%u argument%s", count, text_plural(count));
}

static CallArgument *check_arguments(SemaContext *cx, const Decl *decl,
                                     const Expr *call) {
  const DeclList *params = &decl->type->u.function.params;
  const ExprList *args = &call->u.call.args;
  if (args->count != params->count) {
    Diag *diag =
        SEMA_ERROR(cx, call->span, argument_count, DS(decl_told(decl)),
                   DS(parameter_count(cx, params->count)), DU(args->count));
    diag_label(cx->diags, diag, sema_place(cx, decl->name_span),
               "'%s' is declared here", decl->name);
    return NULL;
  }
  CallArgument *out = ARENA_ARRAY(cx->arena, CallArgument, args->count + 1);
  bool is_valid = true;
  for (uint32_t i = 0; i < args->count; i++) {
    const Decl *param = params->data[i];
    is_valid &= is_embedded_param(param)
                    ? check_embedded_argument(cx, param, decl->name,
                                              args->data[i], i + 1, &out[i])
                    : plain_argument(cx, param, args->data[i], &out[i]);
  }
  return is_valid ? out : NULL;
}

// A part of an array with strides is not dense, as the parameter would be.
static bool is_strided_part(const TExpr *value) {
  while (value->kind == TEXPR_CONVERT)
    value = value->u.operand;
  if (value->kind != TEXPR_ADDR || value->u.operand->kind != TEXPR_INDEX)
    return false;
  const TExpr *base = value->u.operand->u.index.base;
  return base->kind == TEXPR_VAR && base->u.var->strides;
}

static bool is_row_dense(const TExpr *value, const TVar *param) {
  while (value->kind == TEXPR_CONVERT)
    value = value->u.operand;
  const TVar *array = value->u.operand->u.index.base->u.var;
  const TExpr *inner = array->strides[array->rank - 1];
  return param->rank == 1 && expr_is_const(inner) && inner->u.value.i == 1;
}

// The value to pass for a parameter of the instance.
static TExpr *pass_argument(SemaContext *cx, const TFunc *func, uint32_t index,
                            uint32_t number, const CallArgument *argument) {
  const TVar *param = func->params[index];
  TExpr *value = argument->value;
  const char *what = sema_format(cx, "argument %u of '%s'", number, func->name);
  if (param->kind == TVAR_ARG_GROUP && value->kind != TEXPR_GROUP) {
    SEMA_ERROR(cx, value->span, not_a_group, DS(what),
               DS(sema_format(cx, "'%s'", sema_type_name(cx, value->type))));
    return build_poison(cx, value->span);
  }
  if (param->kind == TVAR_ARG_GROUP)
    return value;
  if (value->kind == TEXPR_GROUP)
    return convert_to_value(cx, value);
  if (argument->is_barrier)
    return pass_barrier(cx, param, value, what);
  if (argument->is_view)
    return tile_pass_view(cx, param, value, what);
  if (param->kind == TVAR_ARG_ARRAY && param->is_alias) {
    if (!value->is_const_place || param->is_const)
      return value;
    SEMA_ERROR(cx, value->span, drops_const, DS(what), NT(cx, value->type),
               NT(cx, param->type));
    return build_poison(cx, value->span);
  }
  if (argument->is_whole_array)
    value = convert_to_value(cx, value);
  if (param->kind != TVAR_ARG_ARRAY)
    return convert_assign(cx, value, param->type, what);
  if (is_strided_part(value) && !is_row_dense(value, param)) {
    sema_not_available(cx, value->span,
                       "a part of a strided array as an array argument");
    return build_poison(cx, value->span);
  }
  const Type *pointer =
      type_pointer(cx->types, param->element, param->space, param->is_const);
  return convert_assign(cx, value, pointer, what);
}

static TExpr *check_call_make(SemaContext *cx, TFunc *func, const Decl *decl,
                              const CallArgument *args, Span span) {
  const DeclList *params = &decl->type->u.function.params;
  TExpr *result = build_expr(cx, TEXPR_CALL, func->result, span);
  result->u.call.func = func;
  result->u.call.args = ARENA_ARRAY(cx->arena, TExpr *, func->n_params + 1);
  bool is_valid = true;
  for (uint32_t i = 0; i < params->count; i++) {
    if (args[i].is_embedded)
      continue;
    uint32_t index = result->u.call.n_args++;
    TExpr *value = pass_argument(cx, func, index, i + 1, &args[i]);
    is_valid &= !expr_is_poison(value);
    result->u.call.args[index] = value;
  }
  return is_valid ? result : build_poison(cx, span);
}

static void report_recursion(SemaContext *cx, const FuncSymbol *symbol,
                             Span span) {
  Text through = {.arena = cx->arena};
  for (const Body *at = cx->body; at && at->symbol != symbol; at = at->caller)
    text_printf(&through, "%s'%s'", through.length ? " and " : " through ",
                at->name);
  SEMA_ERROR(cx, span, recursion, DS(symbol->name), DS(text_cstr(&through)));
}

// The function declares a barrier, once for each place that calls it.
static bool check_call_note_barrier(SemaContext *cx, const TFunc *func,
                                    Span span) {
  cx->body->barrier = func->barrier;
  if (!sema_is_in_loop(cx))
    return true;
  Diag *diag = SEMA_ERROR(
      cx, span, barrier_place, DS(func->name),
      DS("declares a barrier and is called in a loop: barriers are initialised "
         "once, before the kernel starts"));
  diag_label(cx->diags, diag, sema_place(cx, func->barrier->span),
             "'%s' is declared here", func->barrier->name);
  return false;
}

TExpr *check_user_call(SemaContext *cx, Symbol *name, const Expr *call) {
  FuncSymbol *symbol = name->func;
  symbol->is_reached = true;
  if (!cx->body || cx->in_clause) {
    SEMA_ERROR(cx, call->span, misplaced, DS(symbol->name),
               DS("the body of a kernel or function"));
    return build_poison(cx, call->span);
  }
  if (symbol->is_active) {
    report_recursion(cx, symbol, call->span);
    return build_poison(cx, call->span);
  }
  CallArgument *args = check_arguments(cx, symbol->decl, call);
  if (!args)
    return build_poison(cx, call->span);
  if (!symbol->decl->u.function.body && !has_contract(symbol->decl)) {
    Diag *diag = SEMA_ERROR(cx, call->span, no_contract, DS(symbol->name));
    diag_label(cx->diags, diag, sema_place(cx, symbol->decl->name_span),
               "'%s' is declared here", symbol->name);
    diag_note(cx->diags, diag, (Place){0},
              "define it; or, in programs that are only checked, state what it "
              "does: reads(…) writes(…) syncs(…)");
    return build_poison(cx, call->span);
  }
  if (!check_function_group(cx, symbol, call->span))
    return build_poison(cx, call->span);
  TFunc *func = instance_get(cx, symbol, args, call->span);
  if (!func)
    return build_poison(cx, call->span);
  if (func->barrier && !check_call_note_barrier(cx, func, call->span))
    return build_poison(cx, call->span);
  return check_call_make(cx, func, symbol->decl, args, call->span);
}
