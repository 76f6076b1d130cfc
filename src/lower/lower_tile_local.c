// SPDX-License-Identifier: Apache-2.0
// What a thread holds of a tile: where its elements stand is arithmetic on the
// number of the register and the rank of the thread, as the layout says.
#include "lower/lower_tile.h"

// The place of an element: register, lane and warp, i32.
typedef struct {
  const TileLayout *layout;
  IrNode *at[N_PLACES];
} HeldPlace;

Value lower_tile_relayout(Lowering *lw, const TExpr *expr) {
  return lower_expr(lw, expr->u.builtin.args[0]);
}

// ------------------------------------------------------------------- numbers

static IrNode *held_two(Lowering *lw, IrOp op, IrNode *a, int64_t b) {
  bool is_same = (op == IR_UDIV || op == IR_MUL) && b == 1;
  return is_same ? a : lower_emit2(lw, op, a->type, a, lower_i32(lw, b));
}

static IrNode *held_sum(Lowering *lw, IrOp op, IrNode *a, IrNode *b) {
  if (!a || !b)
    return a ? a : b;
  return lower_emit2(lw, op, a->type, a, b);
}

// ((number / 2^from) % below) * factor
static IrNode *held_digit(Lowering *lw, IrNode *number, uint32_t from,
                          uint32_t below, uint32_t factor) {
  IrNode *digit = held_two(lw, IR_UDIV, number, INT64_C(1) << from);
  return held_two(lw, IR_MUL, held_two(lw, IR_UREM, digit, below), factor);
}

// What bit `bit` of the place adds to the index along the axis.
static uint32_t held_offset(const TileLayout *layout, PlaceKind place,
                            uint32_t bit, uint32_t axis) {
  LayoutPlace one = {{0}};
  one.of[place] = 1u << bit;
  return layout_at(layout, &one).of[axis];
}

// Bits of places that add the same bit to an index: then they are not summed
// but exclusive-ored.
static bool held_overlaps(const TileLayout *layout, uint32_t axis) {
  uint32_t seen = 0;
  for (PlaceKind i = PLACE_REGISTER; i <= PLACE_WARP; i++)
    for (uint32_t bit = 0; bit < layout->place_bits[i]; bit++) {
      uint32_t offset = held_offset(layout, i, bit, axis);
      if (seen & offset)
        return true;
      seen |= offset;
    }
  return false;
}

// The part of an index that the bits of a place give. Neighbouring bits that
// double it are one digit.
static IrNode *held_bits(Lowering *lw, const HeldPlace *p, PlaceKind place,
                         uint32_t axis, IrOp join) {
  IrNode *sum = NULL;
  uint32_t n = p->layout->place_bits[place];
  for (uint32_t bit = 0, next; bit < n; bit = next) {
    uint32_t offset = held_offset(p->layout, place, bit, axis);
    next = bit + 1;
    if (offset == 0)
      continue;
    while (next < n &&
           held_offset(p->layout, place, next, axis) == offset << (next - bit))
      next++;
    sum =
        held_sum(lw, join, sum,
                 held_digit(lw, p->at[place], bit, 1u << (next - bit), offset));
  }
  return sum;
}

// The digits of odd factors stand above all bits of their place.
static IrNode *held_odds(Lowering *lw, const HeldPlace *p, uint32_t axis) {
  IrNode *sum = NULL;
  uint32_t step[N_PLACES] = {1, 1, 1, 1, 1};
  for (uint32_t i = 0; i < p->layout->n_odds; i++) {
    const LayoutOdd *odd = &p->layout->odds[i];
    IrNode *above = held_two(lw, IR_UDIV, p->at[odd->place],
                             (INT64_C(1) << odd->below) * step[odd->place]);
    step[odd->place] *= odd->factor;
    if (odd->axis == (int)axis)
      sum = held_sum(
          lw, IR_ADD, sum,
          held_digit(lw, above, 0, odd->factor, 1u << p->layout->bits[axis]));
  }
  return sum;
}

static IrNode *held_index(Lowering *lw, const HeldPlace *p, uint32_t axis) {
  IrOp join = held_overlaps(p->layout, axis) ? IR_XOR : IR_ADD;
  IrNode *sum = NULL;
  for (PlaceKind i = PLACE_REGISTER; i <= PLACE_WARP; i++)
    sum = held_sum(lw, join, sum, held_bits(lw, p, i, axis, join));
  sum = held_sum(lw, IR_ADD, sum, held_odds(lw, p, axis));
  return sum ? sum : lower_i32(lw, 0);
}

// The place of register `reg` of the calling thread.
static HeldPlace held_place(Lowering *lw, const TileLayout *layout,
                            IrNode *reg) {
  enum { WARP = 32 };

  IrNode *rank = lower_rank(lw, lw->group);
  HeldPlace place = {.layout = layout};
  place.at[PLACE_REGISTER] = reg;
  place.at[PLACE_LANE] =
      lw->group->size > WARP ? held_two(lw, IR_UREM, rank, WARP) : rank;
  place.at[PLACE_WARP] = held_two(lw, IR_UDIV, rank, WARP);
  return place;
}

// The register that a program names, and that it exists is owed.
static IrNode *held_register(Lowering *lw, const TExpr *index,
                             const TileLayout *layout) {
  IrNode *reg = lower_scalar(lw, index);
  IrNode *count = lower_i64(lw, layout_count(layout, PLACE_REGISTER));
  lower_owe_below(lw, reg, count, "local");
  return reg->type.kind == IR_TYPE_I64
             ? lower_emit1(lw, IR_TRUNC, ir_scalar(IR_TYPE_I32), reg)
             : reg;
}

// ---------------------------------------------------------------- operations

Value lower_tile_local(Lowering *lw, const TExpr *expr) {
  const TileLayout *layout = expr->u.builtin.tile->layout;
  IrNode *args[1 + LAYOUT_MAX_RANK];
  args[0] = lower_scalar(lw, expr->u.builtin.args[0]);
  IrNode *reg = held_register(lw, expr->u.builtin.args[1], layout);
  HeldPlace place = held_place(lw, layout, reg);
  for (uint32_t i = 0; i < layout->rank; i++)
    args[1 + i] = held_index(lw, &place, i);
  return lower_value_node(lower_emit(lw, IR_TILE_AT, lower_type(lw, expr->type),
                                     args, 1 + layout->rank));
}

Value lower_tile_local_index(Lowering *lw, const TExpr *expr) {
  const TileLayout *layout = expr->u.builtin.tile->layout;
  IrNode *reg = held_register(lw, expr->u.builtin.args[0], layout);
  HeldPlace place = held_place(lw, layout, reg);
  return lower_value_node(held_index(lw, &place, expr->u.builtin.tile->axis));
}

// All bits of the two are equal.
static IrNode *held_is_same(Lowering *lw, IrNode *a, IrNode *b) {
  IrType type = a->type, is_same = ir_scalar(IR_TYPE_BOOL);
  if (ir_type_is_int(type) || type.kind == IR_TYPE_BOOL)
    return lower_emit2(lw, IR_EQ, is_same, a, b);
  uint32_t bits = ir_type_bits(type);
  IrType whole = ir_scalar(bits == 64   ? IR_TYPE_I64
                           : bits == 32 ? IR_TYPE_I32
                           : bits == 16 ? IR_TYPE_I16
                                        : IR_TYPE_I8);
  return lower_emit2(lw, IR_EQ, is_same, lower_emit1(lw, IR_BITCAST, whole, a),
                     lower_emit1(lw, IR_BITCAST, whole, b));
}

// Who holds copies of an element owes that they are equal.
static void held_owe_copies(Lowering *lw, IrNode *tile, IrNode *const *args,
                            uint32_t n_args, uint32_t rank) {
  IrNode *at[1 + LAYOUT_MAX_RANK] = {tile};
  for (uint32_t i = 0; i < n_args; i += 1 + rank) {
    for (uint32_t k = 0; k < rank; k++)
      at[1 + k] = args[i + 1 + k];
    IrNode *element = lower_emit(lw, IR_TILE_AT, args[i]->type, at, 1 + rank);
    IrNode *node = lower_emit1(lw, IR_ASSERT, ir_scalar(IR_TYPE_VOID),
                               held_is_same(lw, element, args[i]));
    node->flags |= NODE_OBLIGATION;
    node->u.text.text = "threads that hold one element have the same value";
  }
}

Value lower_tile_from_local(Lowering *lw, const TExpr *expr) {
  const TileLayout *layout = expr->u.builtin.tile->layout;
  uint32_t n = expr->u.builtin.n_args, rank = layout->rank, count = 0;
  IrNode **args = ARENA_ARRAY(lw->scratch, IrNode *, n * (1 + rank));
  for (uint32_t i = 0; i < n; i++) {
    args[count++] = lower_scalar(lw, expr->u.builtin.args[i]);
    HeldPlace place = held_place(lw, layout, lower_i32(lw, i));
    for (uint32_t k = 0; k < rank; k++)
      args[count++] = held_index(lw, &place, k);
  }
  IrNode *tile =
      lower_emit(lw, IR_TILE_COLLECT, lower_type(lw, expr->type), args, count);
  if (!layout_is_unique(layout))
    held_owe_copies(lw, tile, args, count, rank);
  return lower_value_node(tile);
}
