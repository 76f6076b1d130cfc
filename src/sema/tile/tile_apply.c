// SPDX-License-Identifier: Apache-2.0
// Functions of the program over elements: map, reduce and scan.
//
// A function is one of elements: of scalars, or structs of them. Its instance
// is an operator's: it touches no memory but its own, and has no effect
// (src/ir/rules/check_collective.c).
#include "sema/instance.h"
#include "sema/tile.h"

static TExpr *tile_apply_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- the function ---

// What a call names as its function.
typedef struct {
  const BuiltinCall *call;
  const Expr *expr;
  FuncSymbol *symbol;
  bool takes_constants; // a parameter may be constexpr
  CallArgument *args;   // one a parameter; NULL: all are elements
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
    bool is_constant = is_embedded_param(param);
    if (is_constant && f->takes_constants)
      continue;
    if (is_constant || !param->type || param->type->kind == TYPE_ARRAY ||
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
                       text_plural(n_values), n_params));
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

// An element, of which the instance knows nothing.
static CallArgument element_argument(const Applied *f) {
  SemaContext *cx = f->call->cx;
  return (CallArgument){.value =
                            build_expr(cx, TEXPR_AGGREGATE,
                                       sema_basic(cx, TY_INT), f->expr->span)};
}

static bool make_applied_instance(Applied *f, uint32_t n_values) {
  SemaContext *cx = f->call->cx;
  CallArgument *args = f->args;
  if (!args) {
    args = ARENA_ARRAY(cx->arena, CallArgument, n_values + 1);
    for (uint32_t i = 0; i < n_values; i++)
      args[i] = element_argument(f);
  }
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

// The function, which has the form, is one of elements.
static bool check_applied(Applied *f, uint32_t n_values) {
  return make_applied_instance(f, n_values) && are_applied_types(f);
}

static TExpr *tile_apply_build(const Applied *f, const Type *type, TExpr **args,
                               uint32_t n_args, const TTileArgs *tile) {
  TExpr *expr = tile_build(f->call, type, args, n_args, tile);
  expr->u.builtin.func = f->func;
  return expr;
}

// --- map ---

enum { MOST_MAPPED = 16 };

// The values of a call, each with the number of its parameter.
typedef struct {
  TExpr *values[MOST_MAPPED];
  uint32_t numbers[MOST_MAPPED];
  uint32_t count;
} Mapped;

// The arguments after the function, of whose parameters some are constants:
// those become what the instance has, the others values. False: reported.
static bool mapped_arguments(Applied *f, Mapped *mapped) {
  SemaContext *cx = f->call->cx;
  const DeclList *params = &f->symbol->decl->type->u.function.params;
  bool is_good = true;
  f->args = ARENA_ARRAY(cx->arena, CallArgument, params->count + 1);
  for (uint32_t i = 0; i < params->count; i++) {
    const Expr *expr = f->call->args->data[i + 1];
    if (is_embedded_param(params->data[i])) {
      is_good &= check_embedded_argument(cx, params->data[i], f->symbol->name,
                                         expr, i + 1, &f->args[i]);
      continue;
    }
    TExpr *value = check_value(cx, expr);
    is_good &= !expr_is_poison(value);
    mapped->values[mapped->count] = value;
    mapped->numbers[mapped->count++] = i + 1;
    f->args[i] = element_argument(f);
  }
  return is_good;
}

// The shape of all values. NULL: reported.
static const Type *mapped_shape(const BuiltinCall *call, Mapped *mapped) {
  SemaContext *cx = call->cx;
  const Type *number = sema_basic(cx, TY_INT);
  if (tile_is_among(cx, mapped->values, mapped->count))
    return tile_common_shape(cx, call->name, mapped->values, mapped->count,
                             number, call->span);
  builtin_refuse_type(call, mapped->count ? mapped->numbers[0] : 1,
                      mapped->count ? mapped->values[0]->type : number,
                      "a tile");
  return NULL;
}

// map(f, t…)
TExpr *tile_rule_map(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Applied f = {.call = call, .takes_constants = true};
  Mapped mapped = {.count = 0};
  if (!builtin_takes(call, 2, 1 + MOST_MAPPED) || !find_applied(&f, 0) ||
      !has_applied_form(&f, call->args->count - 1) ||
      !mapped_arguments(&f, &mapped))
    return tile_apply_poison(call);
  const Type *shape = mapped_shape(call, &mapped);
  if (!shape || !check_applied(&f, mapped.count))
    return tile_apply_poison(call);
  for (uint32_t i = 0; i < mapped.count; i++) {
    const Type *element = type_underlying(f.func->params[i]->type);
    mapped.values[i] = tile_assign(
        cx, mapped.values[i], type_tile_of(cx->types, shape, element),
        sema_format(cx, "argument %u of '%s'", mapped.numbers[i],
                    f.symbol->name));
    if (expr_is_poison(mapped.values[i]))
      return mapped.values[i];
  }
  const Type *element = type_underlying(f.func->result);
  return tile_apply_build(&f, type_tile_of(cx->types, shape, element),
                          mapped.values, mapped.count, NULL);
}

// --- reduce and scan ---

// The operator that argument `index` names: T f(T, T).
static bool check_combining(Applied *f, uint32_t index) {
  if (!find_applied(f, index) || !has_applied_form(f, 2) ||
      !check_applied(f, 2))
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

// reduce(t, axis…, f), reduce(t, keep(axis…), f)
TExpr *tile_rule_combine(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Applied f = {.call = call};
  TileAxes axes;
  if (!builtin_takes(call, 2, 2 + TYPE_MAX_TILE_RANK))
    return tile_apply_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  if (!value || !tile_axes(call, 1, value->type->u.tile.rank, &axes) ||
      !check_combining(&f, call->args->count - 1))
    return tile_apply_poison(call);
  value = combined_tile(&f, value);
  if (!value)
    return tile_apply_poison(call);
  TTileArgs tile = {.axes = axes.axes};
  const Type *type = tile_reduced_type(cx, value->type, axes.axes,
                                       value->type->u.tile.element, axes.keeps);
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
