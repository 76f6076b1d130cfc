// SPDX-License-Identifier: Apache-2.0
// Subscripts. An access to an array keeps its array and all its subscripts, so
// rows that are subscripted further are merged with what gave the row.
#include "sema/tile.h"

static TExpr *check_subscript_value(SemaContext *cx, TExpr *index) {
  if (is_tile_code(cx))
    index = tile_row(cx, index);
  if (expr_is_poison(index) || is_tile(index))
    return index;
  if (!type_is_integer(index->type)) {
    SEMA_ERROR(cx, index->span, subscript_type, NT(cx, index->type));
    return build_poison(cx, index->span);
  }
  bool is_wide_unsigned =
      !type_is_signed(index->type) && type_bits(index->type) == 64;
  return build_convert(cx, index,
                       sema_basic(cx, is_wide_unsigned ? TY_ULONG : TY_LONG));
}

static TExpr *check_subscript(SemaContext *cx, const Subscript *subscript) {
  return check_subscript_value(cx, check_value(cx, subscript->index));
}

static bool is_subscriptable(const TExpr *base) {
  return type_is(base->type, TY_ARRAY) || type_is(base->type, TY_POINTER);
}

// In `i[a]`, which is a[i], the base and the subscript change places.
static TExpr *check_first_subscript(SemaContext *cx, const Subscript *subscript,
                                    TExpr **base) {
  if (expr_is_poison(*base) || !type_is_integer((*base)->type))
    return check_subscript(cx, subscript);
  TExpr *other = check_expr(cx, subscript->index);
  if (!is_subscriptable(other))
    return check_subscript_value(cx, convert_to_value(cx, other));
  TExpr *index = convert_to_value(cx, *base);
  *base = other;
  return check_subscript_value(cx, index);
}

static const char *check_index_array_name(SemaContext *cx, TExpr *array) {
  const TVar *root = expr_root(array);
  return root && array->kind != TEXPR_MEMBER
             ? root->name
             : sema_source_text(cx, array->span);
}

// The extent of the dimension that the next subscript of `array` selects: from
// its type, or from a variable's constant extents.
static int64_t next_extent(const TExpr *array) {
  return array->type->u.array.extent;
}

static bool check_index_range(SemaContext *cx, TExpr *array, TExpr *index) {
  int64_t extent = next_extent(array);
  if (!expr_is_const(index) || extent < 0 || cx->unevaluated)
    return true;
  int64_t value = index->u.value.i;
  if (value >= 0 && (value < extent || (cx->in_address && value == extent)))
    return true;
  SEMA_ERROR(cx, index->span, subscript_range, DD(value),
             DS(check_index_array_name(cx, array)), DD(extent));
  return false;
}

TExpr *build_index(SemaContext *cx, TExpr *array, TExpr *index, Span span) {
  bool is_row = array->kind == TEXPR_INDEX;
  uint32_t n_given = is_row ? array->u.index.n_indices : 0;
  TExpr *result =
      build_expr(cx, TEXPR_INDEX, array->type->u.array.element, span);
  result->is_lvalue = array->is_lvalue;
  result->is_const_place = array->is_const_place;
  result->u.index.base = is_row ? array->u.index.base : array;
  result->u.index.n_indices = result->u.index.n_written = n_given + 1;
  result->u.index.indices = ARENA_ARRAY(cx->arena, TExpr *, n_given + 1);
  for (uint32_t i = 0; i < n_given; i++)
    result->u.index.indices[i] = array->u.index.indices[i];
  result->u.index.indices[n_given] = index;
  return result;
}

static TExpr *refuse_base(SemaContext *cx, TExpr *base, Span span) {
  SEMA_ERROR(cx, span, not_subscriptable, NT(cx, base->type));
  return build_poison(cx, span);
}

static TExpr *apply_subscript(SemaContext *cx, TExpr *base, TExpr *index,
                              Span span) {
  if (expr_is_poison(base) || expr_is_poison(index))
    return build_poison(cx, span);
  if (base->type->kind == TY_ARRAY) {
    if (!base->is_lvalue)
      return refuse_base(cx, base, span);
    if (!check_index_range(cx, base, index))
      return build_poison(cx, span);
    return build_index(cx, base, index, span);
  }
  TExpr *pointer = convert_to_value(cx, base);
  if (pointer->type->kind != TY_POINTER)
    return refuse_base(cx, base, span);
  const Type *pointee = pointer->type->u.pointer.pointee;
  if (pointee->kind == TY_VOID || !type_is_complete(pointee)) {
    SEMA_ERROR(cx, span, incomplete_type, NT(cx, pointee));
    return build_poison(cx, span);
  }
  index = build_convert(cx, index, sema_basic(cx, TY_LONG));
  return check_pointee(cx, build_ptr_add(cx, pointer, index, span), span);
}

static bool has_rank(SemaContext *cx, const Expr *expr, TExpr *base) {
  if (base->type->kind != TY_ARRAY)
    return true;
  uint32_t rank;
  const Type *element = type_array_base(base->type, &rank);
  uint32_t given = expr->u.index.n_subscripts;
  if (given <= rank || element->kind == TY_POINTER)
    return true;
  SEMA_ERROR(cx, expr->span, subscript_count,
             DS(check_index_array_name(cx, base)), DU(rank), DU(given));
  return false;
}

bool has_section(const Expr *expr) {
  if (expr->kind != EXPR_INDEX)
    return false;
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++)
    if (expr->u.index.subscripts[i].is_section)
      return true;
  return false;
}

// What gathers or scatters.
static bool has_index_tile(TExpr **indices, uint32_t count) {
  bool is_any = false;
  for (uint32_t i = 0; i < count; i++)
    is_any |= is_tile(indices[i]);
  return is_any;
}

TExpr *check_index(SemaContext *cx, const Expr *expr) {
  if (has_section(expr))
    return tile_check_section(cx, expr);
  bool in_address = cx->in_address;
  cx->in_address = false;
  TExpr *base = check_expr(cx, expr->u.index.base);
  if (is_tile(base))
    return tile_refuse_element(cx, expr, base);
  uint32_t count = expr->u.index.n_subscripts;
  TExpr **indices = ARENA_ARRAY(cx->arena, TExpr *, count);
  for (uint32_t i = 0; i < count; i++)
    indices[i] =
        i == 0 ? check_first_subscript(cx, &expr->u.index.subscripts[0], &base)
               : check_subscript(cx, &expr->u.index.subscripts[i]);
  cx->in_address = in_address;
  if (!expr_is_poison(base) && has_index_tile(indices, count))
    return tile_check_section(cx, expr);
  if (expr_is_poison(base) || !has_rank(cx, expr, base))
    return build_poison(cx, expr->span);
  TExpr *held =
      count == 1 ? tile_local_element(cx, base, indices[0], expr->span) : NULL;
  if (held)
    return held;
  TExpr *fill = NULL;
  if (type_is(base->type, TY_ARRAY) && !base->is_lvalue && cx->body)
    fill = check_materialise(cx, &base);
  for (uint32_t i = 0; i < count; i++) {
    Span span = {expr->span.begin, expr->u.index.subscripts[i].span.end};
    cx->in_address = in_address && i + 1 == count;
    base = apply_subscript(cx, base, indices[i], span);
  }
  cx->in_address = in_address;
  if (convert_is_lone(cx, base, expr->span, expr->u.index.base->span))
    return build_poison(cx, expr->span);
  if (!fill)
    return base;
  return check_after_fill(cx, fill, convert_to_value(cx, base));
}
