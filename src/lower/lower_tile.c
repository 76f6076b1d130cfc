// SPDX-License-Identifier: Apache-2.0
// Operations that move elements of tiles, and products; reductions have a file
// of their own. Element-wise operators are lowered as those on scalars are.
#include "lower/lower_tile.h"

#include <string.h>

// ------------------------------------------------------------- the table

typedef Value (*TileHandler)(Lowering *lw, const TExpr *expr);

static const struct {
  Builtin id;
  TileHandler handler;
} handlers[] = {

#define TILE_BUILTIN(id, name, rule, lower, where)                             \
  {BI_TILE_##id, lower_tile_##lower},
#include "sema/type/tile_builtins.def"
};

bool lower_builtin_tile(Lowering *lw, const TExpr *expr, Value *out) {
  for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
    if (handlers[i].id == expr->u.builtin.id) {
      *out = handlers[i].handler(lw, expr);
      return true;
    }
  return false;
}

// ------------------------------------------------------------ the nodes

// With the numbers of the call.
static IrNode *tile_node_of(Lowering *lw, IrOp op, const TExpr *expr,
                            IrType type, IrNode **args, uint32_t n_args) {
  const TTileArgs *tile = expr->u.builtin.tile;
  IrNode *node = lower_emit(lw, op, type, args, n_args);
  node->u.tile.axis = (uint8_t)tile->axis;
  node->u.tile.is_fast = tile->is_fast;
  node->u.tile.n_numbers = (uint8_t)tile->n_numbers;
  for (uint32_t i = 0; i < tile->n_numbers; i++)
    node->u.tile.numbers[i] = (int32_t)tile->numbers[i];
  return node;
}

// Of the arguments.
static IrNode *tile_node(Lowering *lw, IrOp op, const TExpr *expr) {
  uint32_t n_args = expr->u.builtin.n_args;
  IrNode **args = ARENA_ARRAY(lw->scratch, IrNode *, n_args + 1);
  for (uint32_t i = 0; i < n_args; i++)
    args[i] = lower_scalar(lw, expr->u.builtin.args[i]);
  return tile_node_of(lw, op, expr, lower_type(lw, expr->type), args, n_args);
}

// ------------------------------------------------------ tiles of structs

Value lower_tile_leaves(Lowering *lw, const TExpr *expr, TExpr *const *args,
                        uint32_t n_args, TileLeaf leaf) {
  const TypeLayout *layout = lower_layout(lw, expr->type);
  Value *values = ARENA_ARRAY(lw->scratch, Value, n_args + 1);
  IrNode **parts = ARENA_ARRAY(lw->scratch, IrNode *, n_args + 1);
  IrNode **leaves = ARENA_ARRAY(lw->scratch, IrNode *, layout->n_leaves);
  for (uint32_t i = 0; i < n_args; i++)
    values[i] = lower_as_leaves(lw, lower_expr(lw, args[i]), args[i]->type);
  for (uint32_t k = 0; k < layout->n_leaves; k++) {
    for (uint32_t i = 0; i < n_args; i++)
      parts[i] = lower_leaf(&values[i], values[i].n_leaves == 1 ? 0 : k);
    leaves[k] = leaf(lw, expr, layout->leaves[k].ir, parts, n_args);
  }
  return lower_value_leaves(lw, leaves, layout->n_leaves);
}

static IrNode *repeated_leaf(Lowering *lw, const TExpr *expr, IrType type,
                             IrNode **args, uint32_t n_args) {
  (void)expr;
  return lower_emit(lw, IR_TILE_BROADCAST, type, args, n_args);
}

Value lower_tile_repeated(Lowering *lw, const TExpr *expr) {
  return lower_tile_leaves(lw, expr, &expr->u.operand, 1, repeated_leaf);
}

// Operations that are one row, by what the program calls them.
static IrOp tile_plain_op(Builtin id) {
  switch ((int)id) {
  case BI_TILE_RESHAPE:
  case BI_TILE_EXPAND: return IR_TILE_RESHAPE;
  case BI_TILE_PERMUTE:
  case BI_TILE_TRANSPOSE: return IR_TILE_PERMUTE;
  case BI_TILE_CAT:
  case BI_TILE_STACK: return IR_TILE_CAT;
  case BI_TILE_SPLIT:
  case BI_TILE_EXTRACT: return IR_TILE_EXTRACT;
  case BI_TILE_INSERT: return IR_TILE_INSERT;
  case BI_TILE_FLIP: return IR_TILE_FLIP;
  case BI_TILE_ROLL: return IR_TILE_ROLL;
  case BI_TILE_PAD_TO: return IR_TILE_PAD;
  case BI_TILE_ARANGE: return IR_TILE_IOTA;
  default: break;
  }
  HD_PANIC("the built-in %s has no lowering", lower_builtin_text(id));
}

static IrNode *plain_leaf(Lowering *lw, const TExpr *expr, IrType type,
                          IrNode **args, uint32_t n_args) {
  return tile_node_of(lw, tile_plain_op(expr->u.builtin.id), expr, type, args,
                      n_args);
}

Value lower_tile_plain(Lowering *lw, const TExpr *expr) {
  return lower_tile_leaves(lw, expr, expr->u.builtin.args,
                           expr->u.builtin.n_args, plain_leaf);
}

Value lower_tile_none(Lowering *lw, const TExpr *expr) {
  (void)lw;
  HD_PANIC("tile operation %d has no node", (int)expr->u.builtin.id);
}

static IrNode *where_leaf(Lowering *lw, const TExpr *expr, IrType type,
                          IrNode **args, uint32_t n_args) {
  (void)expr;
  return lower_emit(lw, IR_SELECT, type, args, n_args);
}

Value lower_tile_where(Lowering *lw, const TExpr *expr) {
  return lower_tile_leaves(lw, expr, expr->u.builtin.args, 3, where_leaf);
}

// -------------------------------------------------------------- products

static bool lower_tile_is_unsigned(const TExpr *operand) {
  const Type *element = type_underlying(type_tile_element(operand->type));
  return type_is_integer(element) && !type_is_signed(element);
}

static IrNode *mma_node(Lowering *lw, const TExpr *expr, IrNode *a, IrNode *b,
                        IrNode *acc) {
  IrNode *args[] = {a, b, acc};
  IrNode *node = lower_emit(lw, IR_TILE_MMA, acc->type, args, 3);
  node->u.tile.is_fast = expr->u.builtin.tile->is_fast;
  return node;
}

// The largest bfloat16 as a float, and the least, where the value is beyond.
static IrNode *bounded_by_bf16(Lowering *lw, IrNode *value) {
  static const uint64_t most[] = {0x7f7f0000, 0xff7f0000};
  for (uint32_t i = 0; i < 2; i++) {
    IrNode *limit = lower_const(lw, ir_scalar(IR_TYPE_F32), most[i]);
    limit = lower_emit1(lw, IR_TILE_BROADCAST, value->type, limit);
    value = lower_emit2(lw, i ? IR_FMAX : IR_FMIN, value->type, value, limit);
  }
  return value;
}

// Each part is what is left, rounded; all but the last stay finite, so that
// numbers near the largest float are not lost.
static void lower_split_parts(Lowering *lw, IrNode *value, uint32_t n,
                              IrNode **out) {
  IrType type = value->type;
  IrType part = lower_shaped(lw, value, ir_scalar(IR_TYPE_BF16));
  for (uint32_t i = 0; i < n; i++) {
    bool is_last = i + 1 == n;
    IrNode *near = is_last ? value : bounded_by_bf16(lw, value);
    out[i] = lower_emit1(lw, IR_FCAST, part, near);
    if (!is_last)
      value = lower_emit2(lw, IR_SUB, type, value,
                          lower_emit1(lw, IR_FCAST, type, out[i]));
  }
}

// The sum of the products of parts, the smallest first, without those that are
// as small as what the parts leave out.
static Value mma_of_parts(Lowering *lw, const TExpr *expr) {
  IrNode *parts[2][3];
  uint32_t n[2];
  for (uint32_t i = 0; i < 2; i++) {
    IrNode *value = lower_scalar(lw, expr->u.builtin.args[i]);
    n[i] = (uint32_t)expr->u.builtin.tile->numbers[i];
    if (n[i])
      lower_split_parts(lw, value, n[i], parts[i]);
    else
      parts[i][0] = value;
    n[i] = n[i] ? n[i] : 1;
  }
  IrNode *sum = lower_scalar(lw, expr->u.builtin.args[2]);
  uint32_t most = n[0] == 1 || (n[1] != 1 && n[1] < n[0]) ? n[1] : n[0];
  for (uint32_t order = most; order-- > 0;)
    for (uint32_t i = 0; i < n[0]; i++)
      if (order >= i && order - i < n[1])
        sum = mma_node(lw, expr, parts[0][i], parts[1][order - i], sum);
  return lower_value_node(sum);
}

Value lower_tile_mma(Lowering *lw, const TExpr *expr) {
  if (expr->u.builtin.tile->n_numbers)
    return mma_of_parts(lw, expr);
  IrNode *node = tile_node(lw, IR_TILE_MMA, expr);
  int32_t unsigned_bits = 0;
  for (uint32_t i = 0; i < 2; i++)
    if (lower_tile_is_unsigned(expr->u.builtin.args[i]))
      unsigned_bits |= 1 << i;
  node->u.tile.numbers[0] = unsigned_bits;
  node->u.tile.n_numbers = unsigned_bits != 0;
  return lower_value_node(node);
}

Value lower_tile_mma_scaled(Lowering *lw, const TExpr *expr) {
  return lower_value_node(tile_node(lw, IR_TILE_MMA_SCALED, expr));
}

// ------------------------------------------------------------------- casts

Value lower_tile_cast(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[0];
  IrNode *node = tile_node(lw, IR_TILE_CAST, expr);
  bool is_unsigned =
      lower_tile_is_unsigned(arg) || lower_tile_is_unsigned(expr);
  node->flags |= is_unsigned ? NODE_UNSIGNED : 0;
  while (node->u.tile.n_numbers &&
         node->u.tile.numbers[node->u.tile.n_numbers - 1] == 0)
    node->u.tile.n_numbers--;
  return lower_value_node(node);
}
