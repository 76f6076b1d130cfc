// SPDX-License-Identifier: Apache-2.0
// Reductions of tiles: what they are computed in, and dimensions that stay.
#include "lower/lower_tile.h"

// ------------------------------------------------------------ one reduction

static IrType reduced_ir_type(Lowering *lw, const IrNode *operand,
                              uint32_t axes) {
  const IrTileShape *from = ir_tile_shape(lw->module, operand->type);
  uint32_t extents[IR_MAX_TILE_RANK], rank = 0;
  for (uint32_t i = 0; i < from->rank; i++)
    if (!(axes >> i & 1))
      extents[rank++] = from->extents[i];
  return ir_tile_type(lw->module, from->element, rank, extents);
}

static IrNode *tile_reduce_by(Lowering *lw, IrOp op, IrCombine combine,
                              IrNode *operand, uint32_t axes) {
  IrType type = reduced_ir_type(lw, operand, axes);
  if (op == IR_TILE_ARG)
    type = ir_tile_of(lw->module, type, ir_scalar(IR_TYPE_I32));
  IrNode *node = lower_emit1(lw, op, type, operand);
  node->u.tile.combine = combine;
  node->u.tile.axes = (uint8_t)axes;
  return node;
}

// With extents of 1 where the program keeps them.
Value lower_tile_reduced(Lowering *lw, IrNode *node, const Type *type) {
  IrType wanted = lower_type(lw, type);
  if (ir_type_equal(node->type, wanted))
    return lower_value_node(node);
  IrOp op = ir_is_tile(node->type) ? IR_TILE_RESHAPE : IR_TILE_BROADCAST;
  return lower_value_node(lower_emit1(lw, op, wanted, node));
}

// -------------------------------------------------------- operators, types

static IrCombine extreme_of(const Type *element, bool is_min) {
  if (type_is_floating(element))
    return is_min ? COMBINE_FMIN : COMBINE_FMAX;
  if (type_is_signed(element))
    return is_min ? COMBINE_SMIN : COMBINE_SMAX;
  return is_min ? COMBINE_UMIN : COMBINE_UMAX;
}

IrCombine lower_tile_combine(Builtin id, const Type *element) {
  switch ((int)id) {
  case BI_TILE_CUMPROD:
  case BI_TILE_PROD: return COMBINE_MUL;
  case BI_TILE_MIN:
  case BI_TILE_ARGMIN: return extreme_of(element, true);
  case BI_TILE_CUMMAX:
  case BI_TILE_MAX:
  case BI_TILE_ARGMAX: return extreme_of(element, false);
  case BI_TILE_ANY: return COMBINE_OR;
  case BI_TILE_ALL: return COMBINE_AND;
  default: return COMBINE_ADD;
  }
}

static bool is_narrow_float(const Type *element) {
  return type_is(element, TY_HALF) || type_is(element, TY_BFLOAT16);
}

static IrNode *tile_as_f32(Lowering *lw, IrNode *node) {
  return lower_emit1(lw, IR_FCAST,
                     lower_shaped(lw, node, ir_scalar(IR_TYPE_F32)), node);
}

IrNode *lower_tile_widened(Lowering *lw, IrNode *node, const Type *from,
                           const Type *to) {
  return is_narrow_float(from) ? tile_as_f32(lw, node)
                               : lower_convert_scalar(lw, node, from, to);
}

IrNode *lower_tile_rounded(Lowering *lw, IrNode *node, const Type *element) {
  if (!is_narrow_float(element))
    return node;
  return lower_emit1(lw, IR_FCAST,
                     lower_shaped(lw, node, lower_type(lw, element)), node);
}

// Sums of narrow types are made in wider ones and rounded once.
static IrNode *tile_sum_of(Lowering *lw, Builtin id, IrNode *operand,
                           const Type *from, const Type *to, uint32_t axes) {
  return tile_reduce_by(lw, IR_TILE_REDUCE, lower_tile_combine(id, to),
                        lower_tile_widened(lw, operand, from, to), axes);
}

// ---------------------------------------------------------------- handlers

Value lower_tile_reduce(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  const Type *from = type_underlying(type_tile_element(arg->type));
  const Type *to = type_tile_element(expr->type);
  uint32_t axes = expr->u.builtin.tile->axes;
  Builtin id = expr->u.builtin.id;
  IrNode *node = lower_scalar(lw, arg);
  if (id == BI_TILE_SUM || id == BI_TILE_PROD)
    node =
        lower_tile_rounded(lw, tile_sum_of(lw, id, node, from, to, axes), to);
  else
    node = tile_reduce_by(lw, IR_TILE_REDUCE, lower_tile_combine(id, from),
                          node, axes);
  return lower_tile_reduced(lw, node, expr->type);
}

Value lower_tile_arg(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  const Type *from = type_underlying(type_tile_element(arg->type));
  IrNode *node = tile_reduce_by(
      lw, IR_TILE_ARG, lower_tile_combine(expr->u.builtin.id, from),
      lower_scalar(lw, arg), expr->u.builtin.tile->axes);
  return lower_tile_reduced(lw, node, expr->type);
}

static IrNode *lower_tile_count(Lowering *lw, const IrNode *sum,
                                uint64_t count) {
  IrNode *number = lower_const(lw, ir_scalar(IR_TYPE_I32), count);
  IrType element = ir_element_type(lw->module, sum->type);
  number = lower_emit1(lw, IR_STOF, element, number);
  return ir_is_tile(sum->type)
             ? lower_emit1(lw, IR_TILE_BROADCAST, sum->type, number)
             : number;
}

Value lower_tile_mean(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  const Type *element = type_tile_element(expr->type);
  IrNode *sum = tile_sum_of(lw, BI_TILE_SUM, lower_scalar(lw, arg), element,
                            element, expr->u.builtin.tile->axes);
  uint32_t count =
      type_tile_count(arg->type) / ir_tile_elements(lw->module, sum->type);
  IrNode *mean = lower_emit2(lw, IR_FDIV, sum->type, sum,
                             lower_tile_count(lw, sum, count));
  return lower_tile_reduced(lw, lower_tile_rounded(lw, mean, element),
                            expr->type);
}

// sqrt(sum(t * t))
Value lower_tile_norm2(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  const Type *element = type_tile_element(expr->type);
  IrNode *node =
      lower_tile_widened(lw, lower_scalar(lw, arg), element, element);
  node = lower_emit2(lw, IR_MUL, node->type, node, node);
  node = tile_reduce_by(lw, IR_TILE_REDUCE, COMBINE_ADD, node,
                        expr->u.builtin.tile->axes);
  node = lower_emit1(lw, IR_SQRT, node->type, node);
  return lower_tile_reduced(lw, lower_tile_rounded(lw, node, element),
                            expr->type);
}

// What was reduced over the axes, repeated along them.
static IrNode *repeated_along(Lowering *lw, IrNode *node, IrType type,
                              uint32_t axes) {
  const IrTileShape *shape = ir_tile_shape(lw->module, type);
  uint32_t extents[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < shape->rank; i++)
    extents[i] = axes >> i & 1 ? 1 : shape->extents[i];
  IrType kept = ir_tile_type(lw->module, shape->element, shape->rank, extents);
  if (ir_is_tile(node->type))
    node = lower_emit1(lw, IR_TILE_RESHAPE, kept, node);
  return lower_emit1(lw, IR_TILE_BROADCAST, type, node);
}

// log(sum(exp(t - m))) + m, where m is the largest element, or 0 where that is
// infinite: of minus infinities alone the sum is 0.
Value lower_tile_logsumexp(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  const Type *element = type_tile_element(expr->type);
  uint32_t axes = expr->u.builtin.tile->axes;
  IrNode *node =
      lower_tile_widened(lw, lower_scalar(lw, arg), element, element);
  IrNode *most = tile_reduce_by(lw, IR_TILE_REDUCE, COMBINE_FMAX, node, axes);
  IrType truth = lower_shaped(lw, most, ir_scalar(IR_TYPE_BOOL));
  most = lower_emit3(lw, IR_SELECT, most->type,
                     lower_emit1(lw, IR_ISFINITE, truth, most), most,
                     lower_zero(lw, most->type));
  IrType type = node->type;
  node =
      lower_emit2(lw, IR_SUB, type, node, repeated_along(lw, most, type, axes));
  node = lower_emit1(lw, IR_EXP, type, node);
  node = tile_reduce_by(lw, IR_TILE_REDUCE, COMBINE_ADD, node, axes);
  node = lower_emit1(lw, IR_LOG, node->type, node);
  node = lower_emit2(lw, IR_ADD, node->type, node, most);
  return lower_tile_reduced(lw, lower_tile_rounded(lw, node, element),
                            expr->type);
}
