// SPDX-License-Identifier: Apache-2.0
// Variables in their own initialisers.
//
// Note [Own initialisers]
// A name means its variable right behind the declarator, so in the initialiser,
// too (C++20 [basic.scope.pdecl]). There its size and its address are known,
// and a member or element that was initialised before has its value. Where the
// initialiser uses more than the size, the variable is declared without it and
// assigned, part by part, behind its declaration: Heddle C refuses the value of
// a variable in its own initialiser. Nothing set what is read too early, which
// is the checker's business.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"

void cu_declare_early(CuContext *cu, CxDecl *decl, const CuType *type) {
  CuVariable *early = ARENA_NEW(cu->arena, CuVariable);
  early->type = type ? type : cu_basic(&cu->types, CU_POISON);
  early->own = CU_OWN_TYPE;
  cu_declare_local(cu, early, decl->name, decl);
}

static CuValue local_own_part(CuContext *cu, CuValue whole, uint32_t i,
                              Span span) {
  whole.expr = cu_clone(cu, whole.expr, (Span){0, 0});
  if (!cu_is(whole.type, CU_ARRAY))
    return cu_field_value(cu, whole, cu_plain(whole.type)->u.record, i, span);
  CuValue index = cu_int_value(cu, cu_basic(&cu->types, CU_INT), i, span);
  return cu_index_of(cu, whole, index, span);
}

static void assign_parts(CuContext *cu, CuValue place, Expr *init, Span span);

// Parts that no item is for are zero.
static void assign_items(CuContext *cu, CuValue place, const Expr *list,
                         Span span) {
  enum { MOST_PARTS = 1024 };

  const CuType *type = cu_plain(place.type);
  const CuRecord *record = type->kind == CU_RECORD ? type->u.record : NULL;
  int64_t n = !record            ? type->u.array.extent
              : record->is_union ? 1
                                 : (int64_t)record->fields.count;
  if (n > MOST_PARTS) {
    cu_unsupported(cu, span,
                   "so large an array that is read in its own initialiser",
                   "assign its elements in a loop");
    return;
  }
  uint32_t at = 0;
  for (uint32_t i = 0; i < (uint32_t)n; i++) {
    const CuField *field = record ? &record->fields.data[i] : NULL;
    if (field && field->base && !field->emitted)
      continue;
    CuValue part = local_own_part(cu, place, i, span);
    if (at < list->u.init_list.n_items) {
      assign_parts(cu, part, list->u.init_list.items[at++].value, span);
      continue;
    }
    CuValue zero = cu_zero(cu, cu_plain(part.type), span);
    if (zero.expr && zero.expr->kind == EXPR_COMPOUND)
      zero.expr = zero.expr->u.compound.init;
    assign_parts(cu, part, zero.expr, span);
  }
}

static void assign_parts(CuContext *cu, CuValue place, Expr *init, Span span) {
  if (!init || !place.expr)
    return;
  const CuType *type = cu_plain(place.type);
  bool is_whole = type->kind != CU_ARRAY && type->kind != CU_RECORD;
  if (init->kind == EXPR_INIT_LIST && is_whole)
    init = init->u.init_list.n_items ? init->u.init_list.items[0].value
                                     : cu_zero(cu, type, span).expr;
  if (init->kind == EXPR_INIT_LIST)
    assign_items(cu, place, init, span);
  else
    cu_add_stmt(cu,
                cu_expr_stmt(cu, cu_assign(cu, place.expr, init, span), span));
}

Decl *cu_add_split(CuContext *cu, CuVariable *variable, Expr *init, Span span) {
  const CuType *type = variable->type;
  if (type->kind != CU_ARRAY)
    variable->type = cu_plain(type);
  Decl *made = cu_add_local(cu, variable, NULL, span);
  made->type = cu_without_const(cu, made->type);
  assign_parts(cu, cu_variable_value(cu, variable, span), init, span);
  variable->type = type;
  return made;
}
