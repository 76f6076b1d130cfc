// SPDX-License-Identifier: Apache-2.0
// Products of tiles: their types, operands that are split into parts, scales.
#include "sema/tile.h"

#include <string.h>

// --- what can be multiplied ---

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
  if (a == b && a->kind == TY_TF32)
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

// --- operands that are split ---

// Operands as sums of bfloat16: of split2(a) two, of split3(a) three. The other
// operand is split, too, or has bfloat16 elements: then it is one part.
static uint32_t parts_named(SemaContext *cx, const Expr *expr) {
  const Expr *callee = expr->kind == EXPR_CALL ? expr->u.call.callee : NULL;
  const char *name = callee && callee->kind == EXPR_NAME ? callee->u.name : "";
  uint32_t n = strcmp(name, "split2") == 0   ? 2
               : strcmp(name, "split3") == 0 ? 3
                                             : 0;
  return n && !sema_scope_find(cx, name) ? n : 0;
}

// The operand; of split2(a) it is a.
static TExpr *split_operand(const BuiltinCall *call, uint32_t i,
                            TTileArgs *tile) {
  SemaContext *cx = call->cx;
  const Expr *written = call->args->data[i];
  uint32_t n_parts = parts_named(cx, written);
  if (!n_parts)
    return tile_argument(call, i);
  const ExprList *args = &written->u.call.args;
  const char *name = written->u.call.callee->u.name;
  BuiltinName builtin = {name, BI_TILE_SPLIT2, TY_POISON};
  BuiltinCall split = {cx, &builtin, written, args, name, written->span};
  TExpr *value = builtin_takes(&split, 1, 1) ? tile_argument(&split, 0) : NULL;
  if (!value)
    return NULL;
  if (value->type->u.tile.element->kind != TY_FLOAT) {
    (void)builtin_refuse_type(&split, 0, value->type, "a tile of float");
    return NULL;
  }
  tile->numbers[i] = n_parts;
  tile->n_numbers = 2;
  return value;
}

// split2(a), split3(a) elsewhere.
TExpr *tile_rule_split_parts(const BuiltinCall *call) {
  SEMA_ERROR(
      call->cx, call->span, tile_place,
      DS(sema_format(call->cx, "'%s'", call->name)),
      DS("it is an operand of 'mma' or 'dot' alone, which multiplies its "
         "parts"));
  return build_poison(call->cx, call->span);
}

// The type of elements as products have them; of split ones that of the parts.
static const Type *part_element(SemaContext *cx, const TExpr *value,
                                int64_t n_parts) {
  return n_parts ? sema_basic(cx, TY_BFLOAT16) : value->type->u.tile.element;
}

// --- products ---

static TExpr *make_product(const BuiltinCall *call, TExpr **args,
                           const TTileArgs *tile) {
  SemaContext *cx = call->cx;
  const Type *acc = args[2] ? args[2]->type : NULL;
  const Type *a = args[0]->type, *b = args[1]->type;
  const Type *element =
      product_element(cx, part_element(cx, args[0], tile->numbers[0]),
                      part_element(cx, args[1], tile->numbers[1]),
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
  tile_check_consumers(cx, type, call->span);
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
  TExpr *args[3] = {split_operand(call, 0, &tile),
                    split_operand(call, 1, &tile), NULL};
  bool is_good = args[0] && args[1] && takes_fast(call, &tile.is_fast) &&
                 has_matrix(call, 0, args[0]) && has_matrix(call, 1, args[1]);
  if (!is_dot) {
    args[2] = tile_row(cx, check_value(cx, call->args->data[2]));
    is_good &= !expr_is_poison(args[2]);
  }
  return is_good ? make_product(call, args, &tile)
                 : build_poison(cx, call->span);
}

// --- products with scales ---

static TExpr *refuse_scales(const BuiltinCall *call, const char *problem) {
  SEMA_ERROR(call->cx, call->span, tile_scales, DS(problem));
  return build_poison(call->cx, call->span);
}

static bool product_has_scales(const Type *type) {
  return type_is_fp8(type) || type->kind == TY_FP4_E2M1 ||
         type->kind == TY_FP6_E2M3 || type->kind == TY_FP6_E3M2;
}

// Elements along K that share a scale; 0: there are no such products. As
// matrix units have it: OCP's MX formats, and NVFP4.
static uint32_t scale_block(const Type *a, const Type *b, const Type *scales) {
  if (!product_has_scales(a) || !product_has_scales(b))
    return 0;
  if (scales->kind == TY_FP8_E8M0)
    return 32;
  bool are_four_bits = a->kind == TY_FP4_E2M1 && b->kind == TY_FP4_E2M1;
  return scales->kind == TY_FP8_E4M3 && are_four_bits ? 16 : 0;
}

// The scales of an operand: its shape, but along K, `from_end` axes before the
// last, an element for each block. NULL: reported.
static TExpr *check_scales(const BuiltinCall *call, TExpr *scales,
                           const Type *operand, uint32_t from_end,
                           uint32_t block, uint32_t number) {
  SemaContext *cx = call->cx;
  const Type *have = scales->type;
  uint32_t extents[TYPE_MAX_TILE_RANK] = {0}, rank = operand->u.tile.rank;
  uint32_t axis = rank - 1 - from_end;
  for (uint32_t i = 0; i < rank; i++)
    extents[i] = operand->u.tile.extents[i];
  bool is_whole = extents[axis] % block == 0;
  extents[axis] /= block;
  const Type *want =
      is_whole ? type_tile(cx->types, have->u.tile.element, rank, extents)
               : NULL;
  if (want == have)
    return scales;
  const char *problem =
      is_whole
          ? sema_format(cx,
                        "argument %u is '%s': scales of '%s' are '%s', one for "
                        "%u elements along dimension %u",
                        number, sema_type_name(cx, have),
                        sema_type_name(cx, operand), sema_type_name(cx, want),
                        block, axis)
          : sema_format(
                cx,
                "dimension %u of '%s' is not a multiple of the %u elements "
                "that share a scale",
                axis, sema_type_name(cx, operand), block);
  (void)refuse_scales(call, problem);
  return NULL;
}

static TExpr *make_scaled(const BuiltinCall *call, TExpr **args) {
  SemaContext *cx = call->cx;
  const Type *a = args[0]->type, *b = args[2]->type, *acc = args[4]->type;
  const Type *scales = args[1]->type->u.tile.element;
  uint32_t block = scale_block(a->u.tile.element, b->u.tile.element, scales);
  if (!block || scales != args[3]->type->u.tile.element)
    return refuse_scales(
        call, sema_format(cx,
                          "'%s' by '%s' with scales '%s' and '%s': operands "
                          "have fp8, fp6 or fp4 elements and scales fp8_e8m0; "
                          "of fp4 they may be fp8_e4m3",
                          sema_type_name(cx, a), sema_type_name(cx, b),
                          sema_type_name(cx, args[1]->type),
                          sema_type_name(cx, args[3]->type)));
  if (extent_from_end(a, 0) != extent_from_end(b, 1)) {
    SEMA_ERROR(cx, call->span, tile_product, DS(call->name), NT(cx, a),
               NT(cx, b), DU(extent_from_end(a, 0)), DU(extent_from_end(b, 1)));
    return build_poison(cx, call->span);
  }
  if (!check_scales(call, args[1], a, 0, block, 2) ||
      !check_scales(call, args[3], b, 1, block, 4))
    return build_poison(cx, call->span);
  const Type *type = product_type(call, a, b, acc, sema_basic(cx, TY_FLOAT));
  if (!type)
    return build_poison(cx, call->span);
  for (uint32_t i = 0; i < 4; i++)
    args[i] = with_leading(cx, args[i], type);
  args[4] = tile_assign(cx, args[4], type, "argument 5 of 'mma_scaled'");
  return expr_is_poison(args[4]) ? args[4]
                                 : tile_build(call, type, args, 5, NULL);
}

// mma_scaled(a, scales of a, b, scales of b, acc)
TExpr *tile_rule_mma_scaled(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 5, 5))
    return build_poison(cx, call->span);
  TExpr *args[5];
  bool is_good = true;
  for (uint32_t i = 0; i < 4; i++) {
    args[i] = tile_argument(call, i);
    is_good = is_good && args[i] && has_matrix(call, i, args[i]);
  }
  args[4] = tile_row(cx, check_value(cx, call->args->data[4]));
  is_good = is_good && !expr_is_poison(args[4]);
  return is_good ? make_scaled(call, args) : build_poison(cx, call->span);
}
