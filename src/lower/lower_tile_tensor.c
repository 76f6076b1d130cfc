// SPDX-License-Identifier: Apache-2.0
// Tensor memory. What the tensor core does, the first thread of a warp asks
// for; its operands are sections that are read later.
#include "lower/lower_barrier.h"
#include "lower/lower_tile.h"

static Value tensor_nothing(const Lowering *lw) {
  (void)lw;
  return (Value){0};
}

static const SectionPlace *lower_tensor_place(Lowering *lw, const TExpr *expr,
                                              uint32_t i) {
  return lower_section_place(lw, expr->u.builtin.args[i]->u.section);
}

static IrNode *tensor_read(Lowering *lw, const TExpr *expr, uint32_t i,
                           const SectionPlace *place) {
  IrType type = lower_type(lw, expr->u.builtin.args[i]->type);
  return place->object
             ? lower_section_node(lw, IR_TENSOR_READ, type, place, NULL, 0)
             : lower_zero(lw, type);
}

static void tensor_write(Lowering *lw, const SectionPlace *place,
                         IrNode *value) {
  lower_section_node(lw, IR_TENSOR_WRITE, ir_scalar(IR_TYPE_VOID), place,
                     &value, 1);
}

// What is there when memory is taken: nothing that a program could want.
static void tensor_fill(Lowering *lw, const TExpr *expr,
                        const SectionPlace *place) {
  IrType tile = lower_type(lw, expr->u.builtin.args[0]->type);
  IrNode *bits = lower_const(lw, place->element, UINT32_MAX);
  SingleThread saved = lower_begin_first(lw);
  IrNode *value = lower_emit(lw, IR_TILE_BROADCAST, tile, &bits, 1);
  lower_section_store(lw, place, value);
  lower_end_single(lw, saved);
}

Value lower_tile_tensor_array(Lowering *lw, const TExpr *expr) {
  bool allocates = expr->u.builtin.id == BI_TILE_TENSOR_ALLOC;
  const SectionPlace *place = lower_tensor_place(lw, expr, 0);
  if (!place->object)
    return tensor_nothing(lw);
  if (!allocates)
    tensor_fill(lw, expr, place);
  lower_index_op(lw, allocates ? IR_TENSOR_ALLOC : IR_TENSOR_DEALLOC,
                 ir_scalar(IR_TYPE_VOID), 0, place->object);
  if (allocates)
    tensor_fill(lw, expr, place);
  return tensor_nothing(lw);
}

Value lower_tile_tensor_mma(Lowering *lw, const TExpr *expr) {
  const SectionPlace *d = lower_tensor_place(lw, expr, 0);
  const SectionPlace *a = lower_tensor_place(lw, expr, 1);
  const SectionPlace *b = lower_tensor_place(lw, expr, 2);
  IrNode *accumulates = lower_scalar(lw, expr->u.builtin.args[3]);
  if (!d->object || !a->object || !b->object)
    return tensor_nothing(lw);
  SingleThread saved = lower_begin_first(lw);
  IrNode *args[] = {tensor_read(lw, expr, 1, a), tensor_read(lw, expr, 2, b),
                    tensor_read(lw, expr, 0, d), accumulates};
  IrNode *node = lower_emit(lw, IR_TENSOR_MMA, args[2]->type, args, 4);
  const int64_t *numbers = expr->u.builtin.tile->numbers;
  node->u.tile.numbers[0] = (int32_t)numbers[0] |
                            (numbers[1] & 1 ? WGMMA_TURNS_A : 0) |
                            (numbers[1] & 2 ? WGMMA_TURNS_B : 0);
  node->u.tile.n_numbers = node->u.tile.numbers[0] != 0;
  tensor_write(lw, d, node);
  lower_end_single(lw, saved);
  return tensor_nothing(lw);
}

Value lower_tile_tensor_cp(Lowering *lw, const TExpr *expr) {
  const SectionPlace *to = lower_tensor_place(lw, expr, 0);
  const SectionPlace *from = lower_tensor_place(lw, expr, 1);
  if (!to->object || !from->object)
    return tensor_nothing(lw);
  SingleThread saved = lower_begin_first(lw);
  tensor_write(lw, to, tensor_read(lw, expr, 1, from));
  lower_end_single(lw, saved);
  return tensor_nothing(lw);
}

Value lower_tile_tensor_ld(Lowering *lw, const TExpr *expr) {
  return lower_value_node(
      lower_section_load(lw, lower_tensor_place(lw, expr, 0), expr->type));
}

Value lower_tile_tensor_st(Lowering *lw, const TExpr *expr) {
  const SectionPlace *place = lower_tensor_place(lw, expr, 0);
  lower_section_store(lw, place, lower_scalar(lw, expr->u.builtin.args[1]));
  return tensor_nothing(lw);
}
