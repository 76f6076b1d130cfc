// SPDX-License-Identifier: Apache-2.0
// Functions of the program over elements: map, reduce and scan.
//
// A function is one of elements: of scalars, or structs of them. Its instance
// is an operator's: it touches no memory but its own, and has no effect
// (src/ir/rules/check_collective.c).
#include "sema/instance.h"
#include "sema/tile.h"

#include <string.h>

static TExpr *tile_apply_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- the function ---

// What a call names as its function.
typedef struct {
  const BuiltinCall *call;
  const Expr *expr;
  FuncSymbol *symbol;
  TFunc *func;
} Applied;

static bool tile_apply_refuse(const Applied *f, const char *problem) {
  SemaContext *cx = f->call->cx;
  Diag *diag = SEMA_ERROR(cx, f->expr->span, tile_function, DS(f->symbol->name),
                          DS(f->call->name), DS(problem));
  diag_label(cx->diags, diag, sema_place(cx, f->symbol->decl->name_span),
             "'%s' is declared here", f->symbol->name);
  return false;
}

static bool find_applied(Applied *f, uint32_t index) {
  SemaContext *cx = f->call->cx;
  f->expr = f->call->args->data[index];
  Symbol *symbol =
      f->expr->kind == EXPR_NAME ? sema_scope_find(cx, f->expr->u.name) : NULL;
  if (symbol && symbol->kind == SYMBOL_FUNC) {
    f->symbol = symbol->func;
    f->symbol->is_reached = true;
    return true;
  }
  bool is_silent =
      f->expr->kind == EXPR_POISON || (symbol && symbol->kind == SYMBOL_POISON);
  if (!is_silent)
    SEMA_ERROR(cx, f->expr->span, tile_function_name, DU(index + 1),
               DS(f->call->name), DS(sema_source_text(cx, f->expr->span)));
  return false;
}

static bool takes_plain_values(const Applied *f) {
  const DeclList *params = &f->symbol->decl->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++) {
    const Decl *param = params->data[i];
    if (param->u.param.is_type || (param->storage & STORAGE_CONSTEXPR) ||
        !param->type || param->type->kind == TYPE_ARRAY ||
        is_tile_syntax(param->type))
      return false;
  }
  return true;
}

static bool has_applied_form(const Applied *f, uint32_t n_values) {
  SemaContext *cx = f->call->cx;
  const Decl *decl = f->symbol->decl;
  uint32_t n_params = decl->type->u.function.params.count;
  if (n_params != n_values)
    return tile_apply_refuse(
        f, sema_format(cx, "it must have %u parameter%s, not %u", n_values,
                       n_values == 1 ? "" : "s", n_params));
  if (!takes_plain_values(f))
    return tile_apply_refuse(f, "its parameters must be plain values");
  if (decl->type->u.function.result->kind == TYPE_TILE)
    return tile_apply_refuse(f, "its result must be a scalar, not a tile");
  if (!decl->u.function.body)
    return tile_apply_refuse(f, "it has no body");
  if (function_clause(decl, CLAUSE_THREADS))
    return tile_apply_refuse(f, "it is declared with threads(…)");
  if (f->symbol->is_active)
    return tile_apply_refuse(f, "it would call itself");
  return true;
}

static bool make_applied_instance(Applied *f, uint32_t n_values) {
  SemaContext *cx = f->call->cx;
  CallArgument *args = ARENA_ARRAY(cx->arena, CallArgument, n_values + 1);
  for (uint32_t i = 0; i < n_values; i++)
    args[i].value =
        build_expr(cx, TEXPR_AGGREGATE, sema_basic(cx, TY_INT), f->expr->span);
  const char *outer = cx->body->group.operator_of;
  cx->body->group.operator_of = sema_format(cx, "'%s'", f->call->name);
  f->func = instance_get(cx, f->symbol, args, f->expr->span);
  cx->body->group.operator_of = outer;
  return f->func != NULL;
}

static bool are_applied_types(const Applied *f) {
  SemaContext *cx = f->call->cx;
  const TFunc *func = f->func;
  for (uint32_t i = 0; i < func->n_params; i++) {
    const Type *type = func->params[i]->type;
    if (!tile_holds(cx, type_underlying(type)))
      return tile_apply_refuse(
          f, sema_format(cx, "parameter %u is '%s', which tiles don't hold",
                         i + 1, sema_type_name(cx, type)));
  }
  if (tile_holds(cx, type_underlying(func->result)))
    return true;
  return tile_apply_refuse(
      f, sema_format(cx, "its result is '%s', which tiles don't hold",
                     sema_type_name(cx, func->result)));
}

// The function that was found is one of that many elements.
static bool check_applied(Applied *f, uint32_t n_values) {
  return has_applied_form(f, n_values) && make_applied_instance(f, n_values) &&
         are_applied_types(f);
}

static TExpr *tile_apply_build(const Applied *f, const Type *type, TExpr **args,
                               uint32_t n_args, const TTileArgs *tile) {
  TExpr *expr = tile_build(f->call, type, args, n_args, tile);
  expr->u.builtin.func = f->func;
  return expr;
}

// --- map ---

enum { MOST_MAPPED = 16 };

// The values of a call, in one shape. NULL: reported.
static TExpr **mapped_values(const BuiltinCall *call, uint32_t count,
                             const Type **shape) {
  SemaContext *cx = call->cx;
  TExpr **values = ARENA_ARRAY(cx->arena, TExpr *, count);
  bool is_poison = false;
  for (uint32_t i = 0; i < count; i++) {
    values[i] = check_value(cx, call->args->data[i + 1]);
    is_poison |= expr_is_poison(values[i]);
  }
  if (is_poison)
    return NULL;
  if (!tile_is_among(cx, values, count)) {
    builtin_refuse_type(call, 1, values[0]->type, "a tile");
    return NULL;
  }
  *shape = tile_common_shape(cx, call->name, values, count,
                             sema_basic(cx, TY_INT), call->span);
  return *shape ? values : NULL;
}

// map(f, t…)
TExpr *tile_rule_map(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Applied f = {.call = call};
  const Type *shape;
  if (!builtin_takes(call, 2, 1 + MOST_MAPPED) || !find_applied(&f, 0))
    return tile_apply_poison(call);
  uint32_t count = call->args->count - 1;
  TExpr **values = mapped_values(call, count, &shape);
  if (!values || !check_applied(&f, count))
    return tile_apply_poison(call);
  for (uint32_t i = 0; i < count; i++) {
    const Type *element = type_underlying(f.func->params[i]->type);
    values[i] = tile_assign(
        cx, values[i], type_tile_of(cx->types, shape, element),
        sema_format(cx, "argument %u of '%s'", i + 1, f.symbol->name));
    if (expr_is_poison(values[i]))
      return values[i];
  }
  const Type *element = type_underlying(f.func->result);
  return tile_apply_build(&f, type_tile_of(cx->types, shape, element), values,
                          count, NULL);
}

// --- reduce and scan ---

// The operator that argument `index` names: T f(T, T).
static bool check_combining(Applied *f, uint32_t index) {
  if (!find_applied(f, index) || !check_applied(f, 2))
    return false;
  const TFunc *func = f->func;
  const Type *type = type_underlying(func->result);
  bool is_one = type_underlying(func->params[0]->type) == type &&
                type_underlying(func->params[1]->type) == type;
  return is_one || tile_apply_refuse(
                       f, "its parameters and its result must have one type");
}

// Argument 0 with the elements that the operator combines. NULL: reported.
static TExpr *combined_tile(const Applied *f, TExpr *value) {
  SemaContext *cx = f->call->cx;
  const Type *element = type_underlying(f->func->result);
  value = tile_assign(cx, value, type_tile_of(cx->types, value->type, element),
                      sema_format(cx, "argument 1 of '%s'", f->call->name));
  return expr_is_poison(value) ? NULL : value;
}

// axis, axis(k), or keep(k), whose dimension stays with extent 1.
static bool combined_axis(const BuiltinCall *call, const Type *type,
                          TTileArgs *tile, bool *keeps) {
  const Expr *expr = call->args->data[1];
  const Expr *callee = expr->kind == EXPR_CALL ? expr->u.call.callee : NULL;
  const char *word = callee && callee->kind == EXPR_NAME ? callee->u.name : "";
  *keeps = strcmp(word, "keep") == 0;
  bool is_list = *keeps || strcmp(word, "axis") == 0;
  if (is_list && expr->u.call.args.count == 1)
    expr = expr->u.call.args.data[0];
  return tile_axis(call, expr, type->u.tile.rank, &tile->axis);
}

// reduce(t, axis, f)
TExpr *tile_rule_combine(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Applied f = {.call = call};
  TTileArgs tile = {0};
  bool keeps;
  if (!builtin_takes(call, 3, 3))
    return tile_apply_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  if (!value || !combined_axis(call, value->type, &tile, &keeps) ||
      !check_combining(&f, 2))
    return tile_apply_poison(call);
  value = combined_tile(&f, value);
  if (!value)
    return tile_apply_poison(call);
  const Type *type = tile_reduced_type(cx, value->type, 1u << tile.axis,
                                       value->type->u.tile.element, keeps);
  return tile_apply_build(&f, type, &value, 1, &tile);
}

// scan(t, axis, f[, init])
TExpr *tile_rule_scan(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Applied f = {.call = call};
  TTileArgs tile = {0};
  TExpr *args[2];
  if (!builtin_takes(call, 3, 4))
    return tile_apply_poison(call);
  bool has_init = call->args->count == 4;
  args[0] = tile_moved_argument(call, 0);
  if (!args[0] ||
      !tile_directed_axis(call, call->args->data[1], args[0]->type->u.tile.rank,
                          &tile) ||
      !check_combining(&f, 2))
    return tile_apply_poison(call);
  args[0] = combined_tile(&f, args[0]);
  if (!args[0])
    return tile_apply_poison(call);
  if (has_init) {
    args[1] = tile_scalar(cx, check_value(cx, call->args->data[3]),
                          args[0]->type->u.tile.element,
                          sema_format(cx, "argument 4 of '%s'", call->name));
    if (expr_is_poison(args[1]))
      return args[1];
  }
  return tile_apply_build(&f, args[0]->type, args, has_init ? 2 : 1, &tile);
}
