// SPDX-License-Identifier: Apache-2.0
// Prefixes, orders and counts of tiles, diagonals, bits and printing.
#include "lower/lower_tile.h"

static const Type *tile_order_element(const TExpr *arg) {
  return type_underlying(type_tile_element(arg->type));
}

static IrNode *mark_unsigned(IrNode *node, const Type *element) {
  bool is_unsigned = type_is_integer(element) && !type_is_signed(element);
  node->flags |= is_unsigned ? NODE_UNSIGNED : 0;
  return node;
}

// ---------------------------------------------------------------- prefixes

// Narrow types are combined in wider ones and rounded once.
Value lower_tile_prefixes(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  const Type *from = tile_order_element(arg);
  const Type *to = type_tile_element(expr->type);
  IrNode *node = lower_tile_widened(lw, lower_scalar(lw, arg), from, to);
  node = lower_emit1(lw, IR_TILE_SCAN, node->type, node);
  node->u.tile.combine = lower_tile_combine(expr->u.builtin.id, to);
  node->u.tile.axis = (uint8_t)expr->u.builtin.tile->axis;
  node->u.tile.is_reverse = expr->u.builtin.tile->is_reverse;
  return lower_value_node(lower_tile_rounded(lw, node, to));
}

// ------------------------------------------------------------------ orders

Value lower_tile_sort(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  bool is_sort = expr->u.builtin.id == BI_TILE_SORT;
  IrNode *node = lower_emit1(lw, is_sort ? IR_TILE_SORT : IR_TILE_ARGSORT,
                             lower_type(lw, expr->type), lower_scalar(lw, arg));
  node->u.tile.axis = (uint8_t)expr->u.builtin.tile->axis;
  return lower_value_node(mark_unsigned(node, tile_order_element(arg)));
}

// The row gives structs, whose members become tiles.
Value lower_tile_topk(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  IrNode *node = lower_emit1(lw, IR_TILE_TOPK, lower_type(lw, expr->type),
                             lower_scalar(lw, arg));
  node->u.tile.axis = (uint8_t)expr->u.builtin.tile->axis;
  mark_unsigned(node, tile_order_element(arg));
  return lower_unpack(lw, node, expr->type);
}

Value lower_tile_histogram(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  IrNode *node = lower_emit1(lw, IR_TILE_HISTOGRAM, lower_type(lw, expr->type),
                             lower_scalar(lw, arg));
  return lower_value_node(mark_unsigned(node, tile_order_element(arg)));
}

// --------------------------------------------------------------- diagonals

// 0, 1, … along the axis that is `from_end` before the last.
static IrNode *along_axis(Lowering *lw, IrType type, uint32_t from_end) {
  const IrTileShape *shape = ir_tile_shape(lw->module, type);
  uint32_t extents[2] = {shape->extents[shape->rank - 1 - from_end], 1};
  IrType i32 = ir_scalar(IR_TYPE_I32);
  IrNode *node = lower_emit(lw, IR_TILE_IOTA,
                            ir_tile_type(lw->module, i32, 1, extents), NULL, 0);
  if (from_end)
    node = lower_emit1(lw, IR_TILE_RESHAPE,
                       ir_tile_type(lw->module, i32, 2, extents), node);
  return lower_emit1(lw, IR_TILE_BROADCAST, ir_tile_of(lw->module, type, i32),
                     node);
}

Value lower_tile_eye(Lowering *lw, const TExpr *expr) {
  IrType type = lower_type(lw, expr->type);
  IrNode *row = along_axis(lw, type, 1), *column = along_axis(lw, type, 0);
  IrNode *is_on = lower_emit2(
      lw, IR_EQ, lower_shaped(lw, row, ir_scalar(IR_TYPE_BOOL)), row, column);
  const Type bool_type = {.kind = TY_BOOL};
  return lower_value_node(lower_convert_scalar(lw, is_on, &bool_type,
                                               type_tile_element(expr->type)));
}

// Diagonals beyond all tiles are as good as any other beyond.
static IrNode *tile_diagonal(Lowering *lw, const TExpr *expr, IrType type) {
  IrNode *k = lower_scalar(lw, expr);
  k = lower_emit2(lw, IR_SMAX, k->type, k,
                  lower_i64(lw, -2 * (int64_t)TYPE_MAX_TILE_ELEMENTS));
  k = lower_emit2(lw, IR_SMIN, k->type, k,
                  lower_i64(lw, 2 * (int64_t)TYPE_MAX_TILE_ELEMENTS));
  IrType i32 = ir_scalar(IR_TYPE_I32);
  return lower_emit1(lw, IR_TILE_BROADCAST, ir_tile_of(lw->module, type, i32),
                     lower_emit1(lw, IR_TRUNC, i32, k));
}

Value lower_tile_triangle(Lowering *lw, const TExpr *expr) {
  IrNode *value = lower_scalar(lw, expr->u.builtin.args[0]);
  IrNode *k = tile_diagonal(lw, expr->u.builtin.args[1], value->type);
  IrNode *row = along_axis(lw, value->type, 1);
  IrNode *column = along_axis(lw, value->type, 0);
  IrNode *at = lower_emit2(lw, IR_SUB, k->type, column, row);
  bool is_low = expr->u.builtin.id == BI_TILE_TRIL;
  IrNode *is_kept =
      lower_emit2(lw, IR_SLE, lower_shaped(lw, at, ir_scalar(IR_TYPE_BOOL)),
                  is_low ? at : k, is_low ? k : at);
  return lower_value_node(lower_emit3(lw, IR_SELECT, value->type, is_kept,
                                      value, lower_zero(lw, value->type)));
}

// -------------------------------------------------------------------- bits

Value lower_tile_bitcast(Lowering *lw, const TExpr *expr) {
  IrNode *node = lower_scalar(lw, expr->u.builtin.args[0]);
  IrType type = lower_type(lw, expr->type);
  if (ir_type_equal(type, node->type))
    return lower_value_node(node);
  bool is_narrow = ir_type_is_narrow(ir_element_type(lw->module, type)) ||
                   ir_type_is_narrow(ir_element_type(lw->module, node->type));
  IrOp op = is_narrow ? IR_TILE_BITCAST : IR_BITCAST;
  return lower_value_node(lower_emit1(lw, op, type, node));
}

Value lower_tile_regroup(Lowering *lw, const TExpr *expr) {
  return lower_value_node(
      lower_emit1(lw, IR_TILE_BITCAST, lower_type(lw, expr->type),
                  lower_scalar(lw, expr->u.builtin.args[0])));
}

// ---------------------------------------------------------------- printing

static uint32_t unsigned_members(const Type *element) {
  uint32_t bits = 0;
  for (uint32_t i = 0;
       type_is(element, TY_STRUCT) && i < element->u.record.n_fields; i++) {
    const Type *type = type_underlying(element->u.record.fields[i].type);
    if (type_is_integer(type) && !type_is_signed(type))
      bits |= 1u << i;
  }
  return bits;
}

Value lower_tile_print(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  const Type *element = tile_order_element(arg);
  IrNode *value = lower_pack(lw, lower_expr(lw, arg), arg->type);
  if (type_is_narrow(element)) {
    IrType wide =
        ir_scalar(type_is_packed_int(element) ? IR_TYPE_I32 : IR_TYPE_F32);
    value = lower_emit1(lw, IR_TILE_CAST, lower_shaped(lw, value, wide), value);
  }
  IrNode *node = lower_emit1(lw, IR_TILE_PRINT, ir_scalar(IR_TYPE_VOID), value);
  node->u.text.text = arena_strdup(lw->module->arena, expr->u.builtin.text);
  mark_unsigned(node, element);
  bool is_record =
      ir_element_type(lw->module, value->type).kind == IR_TYPE_STRUCT;
  node->u.text.unsigned_leaves = is_record ? unsigned_members(element) : 0;
  return lower_value_leaves(lw, NULL, 0);
}
