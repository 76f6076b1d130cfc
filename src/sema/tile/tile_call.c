// SPDX-License-Identifier: Apache-2.0
// Calls of operations on tiles: which names they have where, and what their
// rules share.
#include "sema/tile.h"

#include "base/panic.h"
#include <string.h>

typedef enum { NAME_OWN, NAME_CODE, NAME_AXES } NamePlace;

typedef struct {
  Builtin id;
  NamePlace place;
  const char *name;
  TExpr *(*rule)(const BuiltinCall *call);
} TileRow;

static const TileRow rows[] = {
#define TILE_BUILTIN(id, name, rule, lower, where)                             \
  {BI_TILE_##id, NAME_##where, name, tile_rule_##rule},
#include "sema/type/tile_builtins.def"
};

// --- names ---

static const TileRow *row_named(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  return NULL;
}

bool tile_is_name(SemaContext *cx, const char *name) {
  const TileRow *row = row_named(name);
  return row && !builtin_find(cx, name);
}

static bool names_axes(const Expr *expr) {
  const Expr *callee = expr->kind == EXPR_CALL ? expr->u.call.callee : NULL;
  return callee && callee->kind == EXPR_NAME &&
         (strcmp(callee->u.name, "axis") == 0 ||
          strcmp(callee->u.name, "keep") == 0);
}

// Note [Tiles by their text]. In programs of threads, reduce, any, all,
// broadcast, min and max are operations on tiles if their first argument is
// one. Its text says that: what it names and calls.

static bool is_written_arg(SemaContext *cx, const ExprList *args,
                           uint32_t index) {
  return index < args->count && tile_is_written(cx, args->data[index]);
}

static bool is_written_index(SemaContext *cx, const Expr *expr) {
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
    const Subscript *subscript = &expr->u.index.subscripts[i];
    if (subscript->is_section ||
        (subscript->index && tile_is_written(cx, subscript->index)))
      return true;
  }
  return false;
}

static bool is_written_call(SemaContext *cx, const Expr *expr) {
  const Expr *callee = expr->u.call.callee;
  const ExprList *args = &expr->u.call.args;
  if (callee->kind != EXPR_NAME)
    return false;
  const Symbol *symbol = sema_scope_find(cx, callee->u.name);
  if (symbol)
    return symbol->kind == SYMBOL_FUNC &&
           is_tile_syntax(symbol->func->decl->type->u.function.result);
  const TileRow *row = row_named(callee->u.name);
  bool is_reduction = row && row->id >= BI_TILE_REDUCE_BY &&
                      row->id <= BI_TILE_LOGSUMEXP &&
                      row->id != BI_TILE_SCAN_BY;
  if (is_reduction && args->count == 1)
    return false; // over all axes: a scalar
  if (row && row->place == NAME_OWN)
    return true;
  for (uint32_t i = 0; i < args->count; i++)
    if (tile_is_written(cx, args->data[i]))
      return true;
  return false;
}

bool tile_is_written(SemaContext *cx, const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_NAME: {
    const Symbol *symbol = sema_scope_find(cx, expr->u.name);
    return symbol && symbol->kind == SYMBOL_VAR && symbol->var &&
           type_is(symbol->var->type, TY_TILE);
  }
  case EXPR_UNARY: return tile_is_written(cx, expr->u.unary.operand);
  case EXPR_BINARY:
    return tile_is_written(cx, expr->u.binary.left) ||
           tile_is_written(cx, expr->u.binary.right);
  case EXPR_CONDITIONAL:
    return tile_is_written(cx, expr->u.conditional.if_true) ||
           tile_is_written(cx, expr->u.conditional.if_false);
  case EXPR_CAST: return tile_is_written(cx, expr->u.cast.operand);
  case EXPR_INDEX: return is_written_index(cx, expr);
  case EXPR_MEMBER: return tile_is_written(cx, expr->u.member.base);
  case EXPR_CALL: return is_written_call(cx, expr);
  default: return false;
  }
}

static bool is_pipeline(SemaContext *cx, const ExprList *args) {
  const Expr *first = args->data[0];
  const Symbol *symbol =
      first->kind == EXPR_NAME ? sema_scope_find(cx, first->u.name) : NULL;
  return symbol && symbol->kind == SYMBOL_VAR && symbol->var &&
         type_is(type_array_base(symbol->var->type, NULL), TY_PIPELINE);
}

static bool is_tile_call(SemaContext *cx, const TileRow *row,
                         const Expr *call) {
  const ExprList *args = &call->u.call.args;
  if (row->place == NAME_OWN)
    return true;
  bool has_axes = args->count == 2 && names_axes(args->data[1]);
  if (row->place == NAME_AXES)
    return has_axes || (args->count == 1 &&
                        (is_tile_code(cx) || is_written_arg(cx, args, 0)));
  if (row->id == BI_TILE_FULL) // the barrier of a pipeline, or of its slot
    return is_tile_code(cx) || (args->count > 1 && !is_pipeline(cx, args));
  return is_tile_code(cx) || has_axes || is_written_arg(cx, args, 0);
}

TExpr *tile_check_call(SemaContext *cx, const char *name, const Expr *call) {
  const TileRow *row = row_named(name);
  if (!row || !is_tile_call(cx, row, call))
    return NULL;
  const char *what = sema_format(cx, "'%s'", name);
  if (!tile_check_place(cx, call->span, what))
    return build_poison(cx, call->span);
  BuiltinName builtin = {row->name, row->id, TY_POISON};
  BuiltinCall state = {cx,        &builtin,  call, &call->u.call.args,
                       row->name, call->span};
  // cppcheck-suppress returnDanglingLifetime ; rules keep nothing of the call
  return row->rule(&state);
}

// --- arguments ---

TExpr *tile_moved_argument(const BuiltinCall *call, uint32_t index) {
  TExpr *value =
      tile_row(call->cx, check_value(call->cx, call->args->data[index]));
  if (expr_is_poison(value))
    return NULL;
  if (is_tile(value))
    return value;
  builtin_refuse_type(call, index, value->type, "a tile");
  return NULL;
}

TExpr *tile_argument(const BuiltinCall *call, uint32_t index) {
  TExpr *value = tile_moved_argument(call, index);
  if (!value || tile_is_element(value->type->u.tile.element))
    return value;
  tile_refuse_struct_operand(call->cx, value->span, value->type->u.tile.element,
                             call->name);
  return NULL;
}

bool tile_constant(const BuiltinCall *call, uint32_t index, const char *what,
                   int64_t *out) {
  return check_const_int(call->cx, call->args->data[index], what, out);
}

bool tile_axis(const BuiltinCall *call, const Expr *expr, uint32_t rank,
               uint32_t *axis) {
  HD_ASSERT(rank > 0);
  SemaContext *cx = call->cx;
  int64_t value;
  if (!check_const_int(cx, expr, "an axis", &value))
    return false;
  if (value < -(int64_t)rank || value >= (int64_t)rank) {
    SEMA_ERROR(cx, expr->span, tile_axis, DS(call->name), DD(value), DU(rank));
    return false;
  }
  *axis = (uint32_t)(value < 0 ? value + rank : value);
  return true;
}

const Type *tile_extents(const BuiltinCall *call, uint32_t first,
                         uint32_t n_behind, const Type *element) {
  HD_ASSERT(call->args->count >= first + n_behind);
  SemaContext *cx = call->cx;
  int64_t extents[TYPE_MAX_TILE_RANK];
  Span spans[TYPE_MAX_TILE_RANK];
  uint32_t end = call->args->count - n_behind;
  for (uint32_t i = first; i < end && i - first < TYPE_MAX_TILE_RANK; i++) {
    spans[i - first] = call->args->data[i]->span;
    if (!tile_constant(call, i, "an extent of a tile", &extents[i - first]))
      return NULL;
  }
  return tile_make_type(cx, call->span,
                        sema_format(cx, "the result of '%s'", call->name),
                        element, end - first, extents, spans);
}

TExpr *tile_build(const BuiltinCall *call, const Type *type, TExpr **args,
                  uint32_t n_args, const TTileArgs *tile) {
  SemaContext *cx = call->cx;
  TExpr *expr =
      build_call_builtin(cx, call->builtin->id, type, args, n_args, call->span);
  static const TTileArgs nothing = {0};
  expr->u.builtin.tile =
      arena_copy(cx->arena, tile ? tile : &nothing, sizeof *tile);
  return expr;
}
