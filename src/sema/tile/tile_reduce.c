// SPDX-License-Identifier: Apache-2.0
// Reductions of tiles, and products.
#include "sema/tile.h"

#include <string.h>

// --- axes ---

typedef struct {
  uint32_t axes; // bit k: axis k goes
  bool keeps;    // with extent 1
} Axes;

static bool add_axes(const BuiltinCall *call, const ExprList *list,
                     uint32_t first, uint32_t rank, Axes *out) {
  SemaContext *cx = call->cx;
  for (uint32_t i = first; i < list->count; i++) {
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
static bool find_axes(const BuiltinCall *call, uint32_t rank, Axes *out) {
  *out = (Axes){0};
  const Expr *second = call->args->count == 2 ? call->args->data[1] : NULL;
  const Expr *callee =
      second && second->kind == EXPR_CALL ? second->u.call.callee : NULL;
  const char *word = callee && callee->kind == EXPR_NAME ? callee->u.name : "";
  out->keeps = strcmp(word, "keep") == 0;
  bool is_list = out->keeps || strcmp(word, "axis") == 0;
  bool is_good = is_list ? add_axes(call, &second->u.call.args, 0, rank, out)
                         : add_axes(call, call->args, 1, rank, out);
  if (out->axes == 0)
    out->axes = (1u << rank) - 1;
  return is_good;
}

static const Type *reduced_type(SemaContext *cx, const Type *type,
                                const Axes *axes, const Type *element,
                                bool keeps) {
  uint32_t extents[TYPE_MAX_TILE_RANK], rank = 0;
  for (uint32_t i = 0; i < type->u.tile.rank; i++) {
    bool goes = axes->axes >> i & 1;
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
  if (type_is_fp8(element)) {
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
  Axes axes;
  if (!value || !find_axes(call, value->type->u.tile.rank, &axes))
    return build_poison(cx, call->span);
  const Type *element =
      reduced_element(call, value->type->u.tile.element, value->span);
  if (!element)
    return build_poison(cx, call->span);
  if (is_tile_vote(call->builtin->id))
    value = tile_to_bool(cx, value);
  TTileArgs tile = {.axes = axes.axes};
  const Type *type = reduced_type(cx, value->type, &axes, element, axes.keeps);
  return tile_build(call, type, &value, 1, &tile);
}

// --- products ---

static bool is_byte(const Type *type) {
  return type_is_integer(type) && type_bits(type) == 8;
}

// What products of such elements are added up in; `acc` may be NULL. NULL:
// they can't be multiplied.
static const Type *product_element(SemaContext *cx, const Type *a,
                                   const Type *b, const Type *acc) {
  if (is_byte(a) && is_byte(b))
    return sema_basic(cx, TY_INT);
  if (type_is_fp8(a) && type_is_fp8(b))
    return sema_basic(cx, TY_FLOAT);
  if (a != b || !type_is_floating(a))
    return NULL;
  if (a->kind == TY_HALF && acc && acc->kind == TY_HALF)
    return a;
  return a->kind == TY_DOUBLE ? a : sema_basic(cx, TY_FLOAT);
}

static bool has_matrix(const BuiltinCall *call, uint32_t i,
                       const TExpr *value) {
  if (value->type->u.tile.rank >= 2)
    return true;
  SEMA_ERROR(call->cx, value->span, tile_matrix, DU(i + 1), DS(call->name),
             NT(call->cx, value->type));
  return false;
}

static uint32_t extent_from_end(const Type *type, uint32_t i) {
  return type->u.tile.extents[type->u.tile.rank - 1 - i];
}

// Leading extents of both and of the accumulator broadcast.
static bool add_leading(const BuiltinCall *call, const Type *type,
                        const Type *other, int64_t *extents, uint32_t rank) {
  for (uint32_t i = 2; i < type->u.tile.rank; i++) {
    int64_t *extent = &extents[rank - 1 - i];
    uint32_t own = extent_from_end(type, i);
    if (own == 1 || *extent == own)
      continue;
    if (*extent != 1) {
      SEMA_ERROR(call->cx, call->span, tile_shapes, DS(call->name),
                 NT(call->cx, other), NT(call->cx, type), DU(rank - 1 - i),
                 DD(*extent), DD(own));
      return false;
    }
    *extent = own;
  }
  return true;
}

static uint32_t larger_of(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static const Type *product_type(const BuiltinCall *call, const Type *a,
                                const Type *b, const Type *acc,
                                const Type *element) {
  int64_t extents[TYPE_MAX_TILE_RANK] = {1, 1, 1, 1, 1};
  uint32_t rank = larger_of(a->u.tile.rank, b->u.tile.rank);
  if (acc && acc->kind == TY_TILE)
    rank = larger_of(rank, acc->u.tile.rank);
  extents[rank - 2] = extent_from_end(a, 1);
  extents[rank - 1] = extent_from_end(b, 0);
  if (!add_leading(call, a, a, extents, rank) ||
      !add_leading(call, b, a, extents, rank) ||
      (acc && acc->kind == TY_TILE &&
       !add_leading(call, acc, a, extents, rank)))
    return NULL;
  return tile_make_type(call->cx, call->span, "this product", element, rank,
                        extents, NULL);
}

static bool takes_fast(const BuiltinCall *call, bool *is_fast) {
  *is_fast = call->args->count == 4;
  if (!*is_fast)
    return true;
  const Expr *word = call->args->data[3];
  if (word->kind == EXPR_NAME && strcmp(word->u.name, "fast_acc") == 0)
    return true;
  SEMA_ERROR(call->cx, word->span, argument_word, DU(4), DS(call->name),
             DS("fast_acc"));
  return false;
}

// The leading dimensions that an operand lacks.
static TExpr *with_leading(SemaContext *cx, TExpr *value, const Type *product) {
  const Type *type = value->type;
  uint32_t extents[TYPE_MAX_TILE_RANK], rank = product->u.tile.rank;
  for (uint32_t i = 0; i < rank; i++)
    extents[rank - 1 - i] =
        i < 2 ? extent_from_end(type, i) : extent_from_end(product, i);
  return tile_broadcast(
      cx, value, type_tile(cx->types, type->u.tile.element, rank, extents));
}

static TExpr *refuse_product(const BuiltinCall *call, TExpr **args) {
  SEMA_ERROR(call->cx, call->span, bad_operands, DS(call->name),
             NT(call->cx, args[0]->type), NT(call->cx, args[1]->type));
  return build_poison(call->cx, call->span);
}

static TExpr *make_product(const BuiltinCall *call, TExpr **args,
                           const TTileArgs *tile) {
  SemaContext *cx = call->cx;
  const Type *acc = args[2] ? args[2]->type : NULL;
  const Type *a = args[0]->type, *b = args[1]->type;
  const Type *element =
      product_element(cx, a->u.tile.element, b->u.tile.element,
                      acc ? type_tile_element(acc) : NULL);
  if (!element)
    return refuse_product(call, args);
  if (extent_from_end(a, 0) != extent_from_end(b, 1)) {
    SEMA_ERROR(cx, call->span, tile_product, DS(call->name), NT(cx, a),
               NT(cx, b), DU(extent_from_end(a, 0)), DU(extent_from_end(b, 1)));
    return build_poison(cx, call->span);
  }
  const Type *type = product_type(call, a, b, acc, element);
  if (!type)
    return build_poison(cx, call->span);
  for (uint32_t i = 0; i < 2; i++)
    args[i] = with_leading(cx, args[i], type);
  TValue zero = {.u = 0};
  args[2] = acc ? tile_assign(cx, args[2], type,
                              sema_format(cx, "argument 3 of '%s'", call->name))
                : tile_broadcast(cx, build_const(cx, element, zero, call->span),
                                 type);
  return expr_is_poison(args[2]) ? args[2]
                                 : tile_build(call, type, args, 3, tile);
}

TExpr *tile_rule_mma(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  bool is_dot = call->builtin->id == BI_TILE_DOT;
  TTileArgs tile = {0};
  if (!builtin_takes(call, is_dot ? 2 : 3, is_dot ? 2 : 4))
    return build_poison(cx, call->span);
  TExpr *args[3] = {tile_argument(call, 0), tile_argument(call, 1), NULL};
  bool is_good = args[0] && args[1] && takes_fast(call, &tile.is_fast) &&
                 has_matrix(call, 0, args[0]) && has_matrix(call, 1, args[1]);
  if (!is_dot) {
    args[2] = tile_row(cx, check_value(cx, call->args->data[2]));
    is_good &= !expr_is_poison(args[2]);
  }
  return is_good ? make_product(call, args, &tile)
                 : build_poison(cx, call->span);
}
