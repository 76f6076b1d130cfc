// SPDX-License-Identifier: Apache-2.0
// Functions over tiles: shapes that calls decide.
#include "sema/tile.h"

// --- parameters ---

// An extent that is a name which nothing declares.
static bool is_open_extent(SemaContext *cx, const Expr *extent) {
  return extent && extent->kind == EXPR_NAME &&
         !sema_scope_find(cx, extent->u.name);
}

static void declare_extent(SemaContext *cx, const Expr *extent,
                           const uint32_t *value) {
  Symbol *symbol = sema_scope_declare(cx, value ? SYMBOL_CONST : SYMBOL_POISON,
                                      extent->u.name, extent->span);
  if (!symbol || !value)
    return;
  symbol->type = sema_plain(sema_basic(cx, TY_INT));
  symbol->value.i = *value;
}

static uint32_t written_rank(const TypeSyntax *syntax, const Expr **open,
                             SemaContext *cx) {
  uint32_t rank = 0;
  for (*open = NULL; syntax->kind == TYPE_ARRAY;
       syntax = syntax->u.array.element, rank++)
    if (!*open && is_open_extent(cx, syntax->u.array.extent))
      *open = syntax->u.array.extent;
  return rank;
}

bool tile_declare_extents(SemaContext *cx, const Decl *param,
                          const TExpr *argument) {
  const Expr *open;
  uint32_t rank = written_rank(param->type, &open, cx);
  if (!open)
    return true;
  bool is_known =
      argument && is_tile(argument) && argument->type->u.tile.rank == rank;
  if (argument && !is_known) {
    uint32_t given = is_tile(argument) ? argument->type->u.tile.rank : 0;
    SEMA_ERROR(cx, argument->span, tile_open_extent, DS(open->u.name),
               DS(decl_told(param)), DU(rank), NT(cx, argument->type),
               DU(given));
  }
  const TypeSyntax *at = param->type;
  for (uint32_t i = 0; i < rank; i++, at = at->u.array.element)
    if (is_open_extent(cx, at->u.array.extent))
      declare_extent(cx, at->u.array.extent,
                     is_known ? &argument->type->u.tile.extents[i] : NULL);
  return is_known;
}

// A constant is an `int`, as those of tiles are, if it fits.
static void declare_view_extent(SemaContext *cx, const Expr *extent,
                                int64_t value, uint32_t dimension,
                                OpenExtents *open) {
  const Type *type = sema_basic(cx, TY_LONG);
  bool is_constant = value > 0; // arrays of no elements have no type
  Symbol *symbol =
      sema_scope_declare(cx, is_constant ? SYMBOL_CONST : SYMBOL_VAR,
                         extent->u.name, extent->span);
  if (!symbol)
    return;
  if (is_constant) {
    symbol->type =
        sema_plain(value <= INT32_MAX ? sema_basic(cx, TY_INT) : type);
    symbol->value.i = value;
    return;
  }
  symbol->var =
      build_variable(cx, TVAR_ARG, extent->u.name, type, extent->span);
  symbol->var->is_const = true;
  VEC_PUSH(cx->arena, open,
           ((TOpenExtent){.var = symbol->var, .dimension = dimension}));
}

bool tile_declare_view_extents(SemaContext *cx, const Decl *param,
                               const TExpr *view, OpenExtents *open) {
  const Expr *first;
  uint32_t rank = written_rank(param->type, &first, cx), given = 0;
  if (!first || !is_tile_code(cx))
    return true;
  if (view)
    type_array_base(view->type, &given);
  const TypeSyntax *at = param->type;
  const Type *type = view ? view->type : NULL;
  for (uint32_t i = 0; i < rank; i++, at = at->u.array.element) {
    if (is_open_extent(cx, at->u.array.extent)) {
      if (i < given)
        declare_view_extent(cx, at->u.array.extent, type->u.array.extent, i,
                            open);
      else
        declare_extent(cx, at->u.array.extent, NULL);
    }
    type = i < given ? type->u.array.element : NULL;
  }
  return given == rank;
}

// --- results ---

TExpr *tile_check_returned(SemaContext *cx, TExpr *value, Span span) {
  Body *body = cx->body;
  const Type *element = type_tile_element(body->result);
  const Type *type = type_tile_of(cx->types, value->type, element);
  const char *what = sema_format(cx, "result of '%s'", body->name);
  if (!body->has_result) {
    body->result = type;
    body->has_result = true;
  } else if (!type_same_extents(type, body->result)) {
    SEMA_ERROR(cx, span, tile_returns, DS(body->name), NT(cx, type),
               NT(cx, body->result));
    return NULL;
  }
  value = is_tile(value) ? tile_assign(cx, value, type, what)
                         : tile_scalar(cx, value, element, what);
  return expr_is_poison(value) ? NULL : value;
}
