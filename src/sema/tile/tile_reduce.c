// SPDX-License-Identifier: Apache-2.0
// Reductions of tiles.
#include "sema/tile.h"

#include "base/panic.h"
#include <string.h>

// --- axes ---

static bool add_axes(const BuiltinCall *call, const ExprList *list,
                     uint32_t first, uint32_t end, uint32_t rank,
                     TileAxes *out) {
  SemaContext *cx = call->cx;
  for (uint32_t i = first; i < end; i++) {
    uint32_t axis;
    if (!tile_axis(call, list->data[i], rank, &axis))
      return false;
    if (out->axes >> axis & 1) {
      SEMA_ERROR(cx, list->data[i]->span, tile_axis_twice, DS(call->name),
                 DU(axis));
      return false;
    }
    out->axes |= 1u << axis;
  }
  return true;
}

// sum(t), sum(t, 0, 2), sum(t, axis(0, 2)), sum(t, keep(0, 2)), sum(t, keep())
bool tile_axes(const BuiltinCall *call, uint32_t n_behind, uint32_t rank,
               TileAxes *out) {
  *out = (TileAxes){0};
  uint32_t end = call->args->count - n_behind;
  const Expr *second = end == 2 ? call->args->data[1] : NULL;
  const Expr *callee =
      second && second->kind == EXPR_CALL ? second->u.call.callee : NULL;
  const char *word = callee && callee->kind == EXPR_NAME ? callee->u.name : "";
  out->keeps = strcmp(word, "keep") == 0;
  bool is_list = out->keeps || strcmp(word, "axis") == 0;
  const ExprList *list = is_list ? &second->u.call.args : call->args;
  bool is_good = add_axes(call, list, is_list ? 0 : 1,
                          is_list ? list->count : end, rank, out);
  if (out->axes == 0)
    out->axes = (1u << rank) - 1;
  return is_good;
}

const Type *tile_reduced_type(SemaContext *cx, const Type *type, uint32_t axes,
                              const Type *element, bool keeps) {
  HD_ASSERT(axes >> type->u.tile.rank == 0);
  uint32_t extents[TYPE_MAX_TILE_RANK], rank = 0;
  for (uint32_t i = 0; i < type->u.tile.rank; i++) {
    bool goes = axes >> i & 1;
    if (!goes || keeps)
      extents[rank++] = goes ? 1 : type->u.tile.extents[i];
  }
  return rank ? type_tile(cx->types, element, rank, extents) : element;
}

// --- reductions ---

static bool tile_sums(Builtin id) {
  return id == BI_TILE_SUM || id == BI_TILE_PROD;
}

static bool is_tile_vote(Builtin id) {
  return id == BI_TILE_ANY || id == BI_TILE_ALL;
}

static bool takes_floats_only(Builtin id) {
  return id == BI_TILE_MEAN || id == BI_TILE_NORM2 || id == BI_TILE_LOGSUMEXP;
}

const Type *tile_sum_element(SemaContext *cx, const Type *element) {
  if (!type_is_integer(element) || type_bits(element) >= 32)
    return element;
  bool is_signed = type_is_signed(element) || element->kind == TY_BOOL;
  return sema_basic(cx, is_signed ? TY_INT : TY_UINT);
}

// What results from elements of that type; NULL: reported.
static const Type *reduced_element(const BuiltinCall *call, const Type *element,
                                   Span span) {
  SemaContext *cx = call->cx;
  Builtin id = call->builtin->id;
  if (is_tile_vote(id))
    return sema_basic(cx, TY_BOOL);
  if (type_lacks_arithmetic(element)) {
    SEMA_ERROR(cx, span, tile_no_arithmetic, NT(cx, element), DS(call->name));
    return NULL;
  }
  bool is_wrong = takes_floats_only(id)
                      ? !type_is_floating(element)
                      : !tile_sums(id) && element->kind == TY_BOOL;
  if (is_wrong) {
    SEMA_ERROR(cx, span, bad_operand, DS(call->name), NT(cx, element));
    return NULL;
  }
  if (id == BI_TILE_ARGMIN || id == BI_TILE_ARGMAX)
    return sema_basic(cx, TY_INT);
  return tile_sums(id) ? tile_sum_element(cx, element) : element;
}

TExpr *tile_rule_reduce(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1 + TYPE_MAX_TILE_RANK))
    return build_poison(cx, call->span);
  TExpr *value = tile_argument(call, 0);
  TileAxes axes;
  if (!value || !tile_axes(call, 0, value->type->u.tile.rank, &axes))
    return build_poison(cx, call->span);
  const Type *element =
      reduced_element(call, value->type->u.tile.element, value->span);
  if (!element)
    return build_poison(cx, call->span);
  if (is_tile_vote(call->builtin->id))
    value = tile_to_bool(cx, value);
  TTileArgs tile = {.axes = axes.axes};
  const Type *type =
      tile_reduced_type(cx, value->type, axes.axes, element, axes.keeps);
  return tile_build(call, type, &value, 1, &tile);
}
