// SPDX-License-Identifier: Apache-2.0
// Functions of the program over elements. The function is inlined in the body
// of the operation, which has the element as a variable; where it takes
// several, as a struct with a leaf for each.
#include "lower/lower_tile.h"

#include "base/bits.h"
#include <string.h>

// ------------------------------------------------------------- many values

static bool has_leaves(const IrStruct *record, const IrType *types,
                       uint32_t n_types) {
  bool is_same =
      strcmp(record->name, "arguments") == 0 && record->leaves.count == n_types;
  for (uint32_t i = 0; is_same && i < n_types; i++)
    is_same = ir_type_equal(record->leaves.data[i].type, types[i]);
  return is_same;
}

// The struct with these leaves, one row for all that are alike.
static IrType arguments_type(Lowering *lw, const IrType *types,
                             uint32_t n_types) {
  IrType made = {.kind = IR_TYPE_STRUCT, .lanes = 1};
  for (; made.index < lw->module->structs.count; made.index++)
    if (has_leaves(lw->module->structs.data[made.index], types, n_types))
      return made;
  uint32_t offset = 0, align = 1;
  made.index = ir_struct_new(lw->module, "arguments", 0, 1);
  IrStruct *record = lw->module->structs.data[made.index];
  for (uint32_t i = 0; i < n_types; i++) {
    uint32_t size = ir_type_size(lw->module, types[i]);
    offset = (uint32_t)bits_align_up(offset, size);
    align = size > align ? size : align;
    IrLeaf leaf = {types[i], offset};
    VEC_PUSH(lw->module->arena, &record->leaves, leaf);
    offset += size;
  }
  record->size_bytes = (uint32_t)bits_align_up(offset, align);
  record->align_bytes = align;
  return made;
}

// Tiles of one shape as one tile, of structs if they are several.
static IrNode *packed_tiles(Lowering *lw, IrNode *const *tiles,
                            uint32_t n_tiles) {
  if (n_tiles == 1)
    return tiles[0];
  IrType *types = ARENA_ARRAY(lw->scratch, IrType, n_tiles);
  for (uint32_t i = 0; i < n_tiles; i++)
    types[i] = ir_element_type(lw->module, tiles[i]->type);
  IrType element = arguments_type(lw, types, n_tiles);
  return lower_emit(lw, IR_PACK, lower_shaped(lw, tiles[0], element), tiles,
                    n_tiles);
}

// Leaves `first`, … of an element, which make a value of the type.
static Value element_value(Lowering *lw, IrNode *element, const Type *type,
                           uint32_t first) {
  const TypeLayout *layout = lower_layout(lw, type);
  IrNode **leaves = ARENA_ARRAY(lw->scratch, IrNode *, layout->n_leaves);
  for (uint32_t k = 0; k < layout->n_leaves; k++) {
    leaves[k] = element;
    if (element->type.kind != IR_TYPE_STRUCT)
      continue;
    leaves[k] = lower_emit1(lw, IR_EXTRACT, layout->leaves[k].ir, element);
    leaves[k]->u.index.number = first + k;
  }
  return lower_value_leaves(lw, leaves, layout->n_leaves);
}

// The values of an element: its parts, those of one parameter of `func` after
// those of the other.
static Value *element_values(Lowering *lw, IrNode *element, const TFunc *func) {
  Value *values = ARENA_ARRAY(lw->scratch, Value, func->n_params + 1);
  uint32_t first = 0;
  for (uint32_t i = 0; i < func->n_params; i++) {
    values[i] = element_value(lw, element, func->params[i]->type, first);
    first += values[i].n_leaves;
  }
  return values;
}

// ---------------------------------------------------------------- operators

// Makes the body of `node` current, which nothing outside encloses.
typedef struct {
  ControlScope *control;
  IrRegion *region;
} OperatorPlace;

static OperatorPlace enter_operator(Lowering *lw, IrNode *node) {
  OperatorPlace place = {.control = lw->control};
  lw->control = NULL;
  place.region = lower_enter(lw, node, 0);
  return place;
}

static void leave_operator(Lowering *lw, OperatorPlace place) {
  lower_leave(lw, place.region);
  lw->control = place.control;
}

static void give_result(Lowering *lw, const TExpr *expr, const IrNode *node,
                        const Value *values, uint32_t n_values) {
  TFunc *func = expr->u.builtin.func;
  Value result = lower_call_with(lw, func, expr->span, values, n_values);
  lower_set(lw, node->u.by.result, lower_pack(lw, result, func->result));
}

// --------------------------------------------------------------------- map

// All operands, structs member by member, as one tile.
static IrNode *mapped_tiles(Lowering *lw, const TExpr *expr) {
  hd_vec(IrNode *) tiles = {0};
  for (uint32_t i = 0; i < expr->u.builtin.n_args; i++) {
    Value value = lower_expr(lw, expr->u.builtin.args[i]);
    for (uint32_t k = 0; k < value.n_leaves; k++)
      VEC_PUSH(lw->scratch, &tiles, lower_leaf(&value, k));
  }
  return packed_tiles(lw, tiles.data, tiles.count);
}

Value lower_tile_map(Lowering *lw, const TExpr *expr) {
  const TFunc *func = expr->u.builtin.func;
  IrNode *all = mapped_tiles(lw, expr);
  IrType element = ir_element_type(lw->module, all->type);
  IrType type = lower_type(lw, expr->type);
  IrNode *node = lower_emit1(lw, IR_TILE_MAP, type, all);
  node->u.by.left = node->u.by.right = lower_new_var(lw, "element", element);
  node->u.by.result =
      lower_new_var(lw, "result", ir_element_type(lw->module, type));
  OperatorPlace place = enter_operator(lw, node);
  IrNode *given = lower_get(lw, node->u.by.left);
  Value *values = element_values(lw, given, func);
  give_result(lw, expr, node, values, func->n_params);
  leave_operator(lw, place);
  return lower_unpack(lw, node, expr->type);
}

// --------------------------------------------------------- reduce and scan

static void combine_by(Lowering *lw, const TExpr *expr, uint32_t axis,
                       IrNode *node) {
  const Type *type = expr->u.builtin.func->result;
  IrType element = ir_element_type(lw->module, node->args[0]->type);
  node->u.by.left = lower_new_var(lw, "left", element);
  node->u.by.right = lower_new_var(lw, "right", element);
  node->u.by.result = lower_new_var(lw, "result", element);
  node->u.tile.axis = (uint8_t)axis;
  OperatorPlace place = enter_operator(lw, node);
  Value values[2];
  values[0] = lower_unpack(lw, lower_get(lw, node->u.by.left), type);
  values[1] = lower_unpack(lw, lower_get(lw, node->u.by.right), type);
  give_result(lw, expr, node, values, 2);
  leave_operator(lw, place);
}

static IrNode *packed_operand(Lowering *lw, const TExpr *expr, uint32_t i) {
  const TExpr *arg = expr->u.builtin.args[i];
  return lower_pack(lw, lower_expr(lw, arg), arg->type);
}

static IrNode *combined_along(Lowering *lw, const TExpr *expr, IrNode *tile,
                              uint32_t axis) {
  const IrTileShape *from = ir_tile_shape(lw->module, tile->type);
  uint32_t extents[IR_MAX_TILE_RANK], rank = 0;
  for (uint32_t i = 0; i < from->rank; i++)
    if (i != axis)
      extents[rank++] = from->extents[i];
  IrType reduced = ir_tile_type(lw->module, from->element, rank, extents);
  IrNode *node = lower_emit1(lw, IR_TILE_REDUCE_BY, reduced, tile);
  combine_by(lw, expr, axis, node);
  return node;
}

// From the last axis to the first, which combines neighbours in row-major
// order.
Value lower_tile_reduce_by(Lowering *lw, const TExpr *expr) {
  IrNode *node = packed_operand(lw, expr, 0);
  for (uint32_t axis = IR_MAX_TILE_RANK; axis-- > 0;)
    if (expr->u.builtin.tile->axes >> axis & 1)
      node = combined_along(lw, expr, node, axis);
  Value value = lower_tile_reduced(lw, node, expr->type);
  return lower_unpack(lw, lower_leaf(&value, 0), expr->type);
}

Value lower_tile_scan_by(Lowering *lw, const TExpr *expr) {
  uint32_t n_args = expr->u.builtin.n_args;
  IrNode *args[2];
  for (uint32_t i = 0; i < n_args; i++)
    args[i] = packed_operand(lw, expr, i);
  IrNode *node = lower_emit(lw, IR_TILE_SCAN_BY, args[0]->type, args, n_args);
  node->u.tile.is_exclusive = n_args == 2;
  node->u.tile.is_reverse = expr->u.builtin.tile->is_reverse;
  combine_by(lw, expr, expr->u.builtin.tile->axis, node);
  return lower_unpack(lw, node, expr->type);
}
