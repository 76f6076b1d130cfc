// SPDX-License-Identifier: Apache-2.0
// Contracts: predicates inside `requires`, and sections of arrays as loop
// clauses name them.
#include "sema/tile.h"

// --- predicates ---

static const TVar *array_parameter(TExpr *value) {
  if (value->kind == TEXPR_LOAD)
    value = value->u.operand;
  if (value->kind != TEXPR_VAR)
    return NULL;
  const TVar *var = value->u.var;
  bool is_array = var->kind == TVAR_PARAM_ARRAY || var->kind == TVAR_PARAM_PTR;
  return is_array ? var : NULL;
}

static TExpr *check_array_argument(SemaContext *cx, const char *name,
                                   const Expr *call, uint32_t index) {
  const Expr *argument = call->u.call.args.data[index];
  TExpr *value = check_expr(cx, argument);
  if (expr_is_poison(value))
    return value;
  if (array_parameter(value))
    return value;
  SEMA_ERROR(cx, argument->span, argument_type, DU(index + 1), DS(name),
             DS("an array parameter of the kernel"), NT(cx, value->type));
  return build_poison(cx, argument->span);
}

static bool predicate_arity(Builtin id, uint32_t given, uint32_t *least,
                            uint32_t *most) {
  *least = *most = 2;
  bool may_lack = id == BI_INJECTIVE || id == BI_MONOTONE;
  if (id == BI_DISJOINT)
    *least = 1; // of an array of arrays
  if (id == BI_BOUNDED)
    *least = *most = 3;
  else if (may_lack)
    *least = 1, *most = 3;
  bool is_pair = may_lack && given == 2;
  return given >= *least && given <= *most && !is_pair;
}

static bool is_index_array(SemaContext *cx, Builtin id, const char *name,
                           const TExpr *value) {
  const Type *element = type_array_base(value->type, NULL);
  if (type_is(value->type, TY_POINTER))
    element = value->type->u.pointer.pointee;
  if (id == BI_DISJOINT || id == BI_ALIGNED || type_is_integer(element))
    return true;
  SEMA_ERROR(cx, value->span, argument_type, DU(1), DS(name),
             DS("an array of integers"), NT(cx, value->type));
  return false;
}

// disjoint(a) is about the members of an array of arrays, and nothing else is.
static bool suits_table(SemaContext *cx, Builtin id, const char *name,
                        const Expr *call, TExpr *value) {
  const TVar *var = array_parameter(value);
  uint32_t given = call->u.call.args.count;
  if (id == BI_DISJOINT && given == 1 && !var->is_table) {
    SEMA_ERROR(cx, call->span, argument_count, DS(name),
               DS("2 arguments, or an array of arrays"), DU(given));
    return false;
  }
  if (!var->is_table || id == BI_DISJOINT)
    return true;
  SEMA_ERROR(cx, call->span, array_table, DS(var->name),
             DS(sema_format(cx, "'%s' can't be stated of it", name)));
  return false;
}

// injective(idx[, lo, hi]), monotone(idx[, lo, hi]), bounded(idx, lo, hi),
// disjoint(a, b), aligned(a, bytes).
TExpr *check_predicate(SemaContext *cx, Builtin id, const char *name,
                       const Expr *call) {
  if (!cx->in_requires) {
    SEMA_ERROR(cx, call->span, contract_place, DS(name), DS("requires(…)"));
    return build_poison(cx, call->span);
  }
  uint32_t given = call->u.call.args.count, least, most;
  if (!predicate_arity(id, given, &least, &most)) {
    const char *expected = least < most ? "1 or 3 arguments"
                                        : sema_format(cx, "%u argument%s", most,
                                                      text_plural(most));
    SEMA_ERROR(cx, call->span, argument_count, DS(name), DS(expected),
               DU(given));
    return build_poison(cx, call->span);
  }
  TExpr *args[3] = {NULL};
  bool is_valid = true;
  for (uint32_t i = 0; i < given; i++) {
    bool is_array = i == 0 || id == BI_DISJOINT;
    args[i] = is_array ? check_array_argument(cx, name, call, i)
                       : check_host_long(cx, call->u.call.args.data[i],
                                         "a bound of a contract");
    is_valid &= !expr_is_poison(args[i]);
  }
  if (!is_valid || !suits_table(cx, id, name, call, args[0]) ||
      !is_index_array(cx, id, name, args[0]))
    return build_poison(cx, call->span);
  TExpr *result = build_call_builtin(cx, id, sema_basic(cx, TY_BOOL), args,
                                     given, call->span);
  result->is_host = id == BI_ALIGNED;
  return result;
}

// --- sections ---

static TVar *section_array(SemaContext *cx, const Expr *expr) {
  TExpr *base = check_expr(cx, expr);
  if (expr_is_poison(base))
    return NULL;
  if (base->kind == TEXPR_VAR && type_is(base->type, TY_ARRAY))
    return base->u.var;
  SEMA_ERROR(cx, expr->span, not_subscriptable, NT(cx, base->type));
  return NULL;
}

static TExpr *contract_section_number(SemaContext *cx, const Expr *expr,
                                      TExpr *value) {
  if (expr_is_poison(value))
    return value;
  if (!type_is_integer(value->type)) {
    SEMA_ERROR(cx, expr->span, subscript_type, NT(cx, value->type));
    return build_poison(cx, expr->span);
  }
  return build_convert(cx, value, sema_basic(cx, TY_LONG));
}

static TExpr *section_bound(SemaContext *cx, const Expr *expr) {
  return contract_section_number(cx, expr, check_value(cx, expr));
}

// A tile of integers may stand there, too.
static TExpr *contract_section_index(SemaContext *cx, const Expr *expr) {
  TExpr *value = check_value(cx, expr);
  TExpr *tile = tile_index(cx, value);
  return tile ? tile : contract_section_number(cx, expr, value);
}

static TExpr *whole_length(SemaContext *cx, const TVar *array, uint32_t i,
                           Span span) {
  if (array->extents && array->extents[i])
    return array->extents[i];
  const Type *type = array->type;
  for (uint32_t k = 0; k < i; k++)
    type = type->u.array.element;
  return build_int(cx, sema_basic(cx, TY_LONG), type->u.array.extent, span);
}

static bool section_dimension(SemaContext *cx, const Subscript *subscript,
                              TSection *out, uint32_t i) {
  const Type *index = sema_basic(cx, TY_LONG);
  out->is_index[i] = subscript && !subscript->is_section;
  if (out->is_index[i]) {
    out->lo[i] = contract_section_index(cx, subscript->index);
    out->length[i] = build_int(cx, index, 1, subscript->span);
  } else if (subscript && subscript->lo) {
    out->lo[i] = section_bound(cx, subscript->lo);
    out->length[i] = section_bound(cx, subscript->len);
  } else {
    Span span = subscript ? subscript->span : out->span;
    out->lo[i] = build_int(cx, index, 0, span);
    out->length[i] = whole_length(cx, out->array, i, span);
  }
  return !expr_is_poison(out->lo[i]) && !expr_is_poison(out->length[i]);
}

bool check_section(SemaContext *cx, const Expr *expr, TSection *out) {
  bool is_index = expr->kind == EXPR_INDEX;
  uint32_t given = is_index ? expr->u.index.n_subscripts : 0;
  *out = (TSection){.span = expr->span};
  out->array = section_array(cx, is_index ? expr->u.index.base : expr);
  if (!out->array)
    return false;
  out->rank = out->array->rank;
  if (given > out->rank) {
    SEMA_ERROR(cx, expr->span, subscript_count, DS(out->array->name),
               DU(out->rank), DU(given));
    return false;
  }
  out->lo = ARENA_ARRAY(cx->arena, TExpr *, out->rank);
  out->length = ARENA_ARRAY(cx->arena, TExpr *, out->rank);
  out->is_index = ARENA_ARRAY(cx->arena, bool, out->rank);
  bool is_valid = true;
  for (uint32_t i = 0; i < out->rank; i++)
    is_valid &= section_dimension(
        cx, i < given ? &expr->u.index.subscripts[i] : NULL, out, i);
  return is_valid;
}
