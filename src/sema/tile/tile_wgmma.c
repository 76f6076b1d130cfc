// SPDX-License-Identifier: Apache-2.0
// Products that matrix units of warpgroups add up while threads go on:
//   acc = wgmma_mma(acc, a, b);
#include "sema/tile.h"

#include <string.h>

enum { TURNED_BITS = 16 };

static TExpr *wgmma_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

bool tile_engine_refuse(const BuiltinCall *call, Span span,
                        const char *problem) {
  SEMA_ERROR(call->cx, span, wgmma_operand, DS(call->name), DS(problem));
  return false;
}

static const char *wgmma_name(const Expr *expr) {
  return expr->kind == EXPR_NAME ? expr->u.name : NULL;
}

// The call is the right side of an assignment to its first argument.
static bool wgmma_is_in_place(const BuiltinCall *call) {
  const Expr *assignment = call->cx->assignment;
  const char *acc = wgmma_name(call->args->data[0]);
  const char *to = assignment && assignment->u.assign.right == call->call &&
                           !assignment->u.assign.is_compound
                       ? wgmma_name(assignment->u.assign.left)
                       : NULL;
  if (acc && to && strcmp(acc, to) == 0)
    return true;
  SEMA_ERROR0(call->cx, call->span, wgmma_target);
  return false;
}

// --- operands ---

// Of transpose(x) the x.
static const Expr *wgmma_turned(SemaContext *cx, const Expr *expr) {
  const Expr *callee = expr->kind == EXPR_CALL ? expr->u.call.callee : NULL;
  const char *name = callee ? wgmma_name(callee) : NULL;
  bool is_turned = name && strcmp(name, "transpose") == 0 &&
                   expr->u.call.args.count == 1 && !sema_scope_find(cx, name);
  return is_turned ? expr->u.call.args.data[0] : NULL;
}

// The section as one that lies in its array, which is owed.
static bool wgmma_take_section(const BuiltinCall *call, TExpr *place,
                               EngineOperand *operand) {
  const TSection *from = place->u.section;
  if (sema_var_space(from->array) != TSPACE_SHARED)
    return tile_engine_refuse(
        call, place->span, "matrix units read sections of shared arrays only");
  if (from->mask || from->outside || from->load_hint || from->store_hint)
    return tile_engine_refuse(
        call, place->span,
        "matrix units read whole sections: without a mask, a "
        "value outside or a hint");
  for (uint32_t i = 0; i < from->rank; i++)
    if (type_is(from->lo[i]->type, TY_TILE))
      return tile_engine_refuse(call, place->span,
                                "matrix units don't gather what they read");
  operand->value = tile_around(call, place);
  operand->value->u.section->is_unchecked = true;
  operand->is_shared = true;
  return true;
}

bool tile_engine_take(const BuiltinCall *call, uint32_t i, bool may_be_tile,
                      EngineOperand *operand) {
  SemaContext *cx = call->cx;
  const Expr *written = call->args->data[i],
             *turned = wgmma_turned(cx, written);
  TExpr *place = check_expr(cx, turned ? turned : written);
  *operand = (EngineOperand){.value = place, .is_turned = turned != NULL};
  if (expr_is_poison(place))
    return false;
  operand->type = place->type;
  if (place->kind == TEXPR_SECTION && place->is_lvalue)
    return wgmma_take_section(call, place, operand);
  if (!may_be_tile || turned)
    return tile_engine_refuse(
        call, place->span,
        sema_format(cx,
                    turned ? "only sections are read transposed"
                           : "operand %u is a section of a shared array, as "
                             "in s[k][:][:]",
                    i + 1));
  operand->value = convert_to_value(cx, place);
  operand->type = operand->value->type;
  if (expr_is_poison(operand->value) || is_tile(operand->value))
    return !expr_is_poison(operand->value);
  (void)builtin_refuse_type(call, i, operand->type, "a tile");
  return false;
}

// --- types and shapes ---

bool tile_engine_multiplies(const Type *a, const Type *b, const Type *to) {
  bool are_bytes = type_is_integer(a) && type_is_integer(b) &&
                   type_bits(a) == 8 && type_bits(b) == 8;
  if (are_bytes)
    return to->kind == TY_INT;
  if (type_is_fp8(a) && type_is_fp8(b))
    return to->kind == TY_FLOAT;
  if (a != b)
    return false;
  bool is_short = a->kind == TY_HALF || a->kind == TY_BFLOAT16;
  return (to->kind == TY_FLOAT && (is_short || a->kind == TY_TF32)) ||
         (to->kind == TY_HALF && a->kind == TY_HALF);
}

uint32_t tile_engine_extent(const EngineOperand *operand, uint32_t i) {
  return operand->type->u.tile.extents[i != operand->is_turned];
}

static bool wgmma_check_types(const BuiltinCall *call, const Type *acc,
                              const EngineOperand *a, const EngineOperand *b) {
  SemaContext *cx = call->cx;
  const Type *x = type_underlying(a->type->u.tile.element);
  const Type *y = type_underlying(b->type->u.tile.element);
  if (!tile_engine_multiplies(x, y, acc->u.tile.element)) {
    SEMA_ERROR(cx, call->span, bad_operands, DS(call->name), NT(cx, a->type),
               NT(cx, b->type));
    return false;
  }
  return !a->is_turned || type_bits(x) == TURNED_BITS ||
         tile_engine_refuse(call, call->span,
                            "only elements of 16 bits are read transposed as "
                            "the left operand");
}

static bool wgmma_check_shapes(const BuiltinCall *call, const Type *acc,
                               const EngineOperand *a, const EngineOperand *b) {
  SemaContext *cx = call->cx;
  uint32_t rows = tile_engine_extent(a, 0), depth = tile_engine_extent(a, 1);
  uint32_t columns = tile_engine_extent(b, 1);
  if (depth != tile_engine_extent(b, 0)) {
    SEMA_ERROR(cx, call->span, tile_product, DS(call->name), NT(cx, a->type),
               NT(cx, b->type), DU(depth), DU(tile_engine_extent(b, 0)));
    return false;
  }
  const uint32_t *extents = acc->u.tile.extents;
  if (extents[0] != rows || extents[1] != columns)
    return tile_engine_refuse(
        call, call->span,
        sema_format(cx,
                    "'%s' by '%s' has %u rows and %u columns, but the "
                    "accumulator is '%s'",
                    sema_type_name(cx, a->type), sema_type_name(cx, b->type),
                    rows, columns, sema_type_name(cx, acc)));
  const Type *element = type_underlying(a->type->u.tile.element);
  bool is_int = type_is_integer(element);
  uint32_t step = 256 / (uint32_t)type_bits(element);
  if (rows % 64 != 0)
    return tile_engine_refuse(
        call, call->span,
        sema_format(cx, "%u rows: matrix units make multiples of 64", rows));
  if (columns % 8 != 0 || columns > 256 ||
      (is_int && columns > 24 && columns % 16 != 0))
    return tile_engine_refuse(
        call, call->span,
        sema_format(cx,
                    "%u columns: matrix units make multiples of %u up to "
                    "256",
                    columns, is_int && columns > 24 ? 16 : 8));
  return depth % step == 0 ||
         tile_engine_refuse(
             call, call->span,
             sema_format(cx,
                         "rows of %u elements '%s': matrix units "
                         "multiply multiples of %u",
                         depth, sema_type_name(cx, element), step));
}

// --- the rule ---

static bool wgmma_is_matrix(const BuiltinCall *call, uint32_t i,
                            const Type *type) {
  if (type->kind == TY_TILE && type->u.tile.rank == 2)
    return true;
  return tile_engine_refuse(call, call->args->data[i]->span,
                            sema_format(call->cx,
                                        "argument %u is '%s': it needs two "
                                        "dimensions",
                                        i + 1, sema_type_name(call->cx, type)));
}

// Numbers, bits by operand: unsigned, transposed.
void tile_engine_numbers(const EngineOperand *a, const EngineOperand *b,
                         TTileArgs *tile) {
  const EngineOperand *operands[] = {a, b};
  tile->n_numbers = 2;
  for (uint32_t i = 0; i < 2; i++) {
    const Type *element = type_underlying(operands[i]->type->u.tile.element);
    if (type_is_integer(element) && !type_is_signed(element))
      tile->numbers[0] |= 1 << i;
    if (operands[i]->is_turned)
      tile->numbers[1] |= 1 << i;
  }
}

// wgmma_mma(acc, a, b)
TExpr *tile_rule_wgmma_mma(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  EngineOperand a, b;
  if (!builtin_takes(call, 3, 3) || !wgmma_is_in_place(call))
    return wgmma_poison(call);
  TExpr *acc = check_value(cx, call->args->data[0]);
  if (expr_is_poison(acc) || !wgmma_is_matrix(call, 0, acc->type) ||
      !tile_engine_take(call, 1, true, &a) ||
      !tile_engine_take(call, 2, false, &b) ||
      !wgmma_is_matrix(call, 1, a.type) || !wgmma_is_matrix(call, 2, b.type) ||
      !wgmma_check_types(call, acc->type, &a, &b) ||
      !wgmma_check_shapes(call, acc->type, &a, &b))
    return wgmma_poison(call);
  TExpr *args[] = {acc, a.value, b.value};
  TTileArgs tile = {0};
  tile_engine_numbers(&a, &b, &tile);
  return tile_build(call, acc->type, args, 3, &tile);
}
