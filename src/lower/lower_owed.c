// SPDX-License-Identifier: Apache-2.0
// What operations owe that only a launch can tell: assertions that are tested
// under --sanitize and in the interpreter, looked at by the checker, and left
// out of other code.
#include "lower/lower_internal.h"

void lower_owe(Lowering *lw, IrNode *condition, const char *text) {
  IrNode *node = lower_emit1(lw, IR_ASSERT, ir_scalar(IR_TYPE_VOID), condition);
  node->flags |= NODE_OBLIGATION;
  node->u.text.text = text;
}

static IrNode *lower_owed_cluster_blocks(Lowering *lw) {
  IrGroup *block = lw->kernel->groups.data[GROUP_ROW_BLOCK];
  if (block->instances != SIZE_UNKNOWN)
    return lower_i32(lw, block->instances);
  IrNode *node = lower_emit(lw, IR_META_SIZE, ir_scalar(IR_TYPE_I32), NULL, 0);
  node->u.group.group = block;
  return node;
}

void lower_owe_rank(Lowering *lw, IrNode *rank) {
  IrType type = ir_scalar(IR_TYPE_BOOL);
  IrNode *is_low = lower_emit2(lw, IR_SLE, type, lower_i32(lw, 0), rank);
  IrNode *is_high =
      lower_emit2(lw, IR_SLT, type, rank, lower_owed_cluster_blocks(lw));
  lower_owe(lw, lower_emit2(lw, IR_AND, type, is_low, is_high),
            "the cluster has a block of this rank");
}

void lower_owe_mask(Lowering *lw, IrNode *mask) {
  IrNode *rest = lower_emit2(lw, IR_LSHR, ir_scalar(IR_TYPE_I32), mask,
                             lower_owed_cluster_blocks(lw));
  lower_owe(
      lw,
      lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), rest, lower_i32(lw, 0)),
      "the cluster has all blocks of the mask");
}

void lower_owe_tile(Lowering *lw, IrNode *size) {
  enum { MOST = 512 };

  IrType word = ir_scalar(IR_TYPE_I32), type = ir_scalar(IR_TYPE_BOOL);
  IrNode *below = lower_emit2(lw, IR_SUB, word, size, lower_i32(lw, 1));
  IrNode *bits = lower_emit2(lw, IR_AND, word, size, below);
  IrNode *is_power = lower_emit2(lw, IR_EQ, type, bits, lower_i32(lw, 0));
  IrNode *fits = lower_emit2(lw, IR_ULT, type, below, lower_i32(lw, MOST));
  lower_owe(lw, lower_emit2(lw, IR_AND, type, is_power, fits),
            "the size of a tile is a power of two, at most 512");
}

void lower_owe_bytes(Lowering *lw, IrNode *n_bytes) {
  int64_t n;
  if (lower_is_const(n_bytes, &n) && n >= 0)
    return;
  lower_owe(lw,
            lower_emit2(lw, IR_SLE, ir_scalar(IR_TYPE_BOOL), lower_i64(lw, 0),
                        n_bytes),
            "the number of bytes isn't negative");
}

void lower_owe_16_bytes(Lowering *lw, IrNode *n_bytes) {
  int64_t n;
  if (lower_is_const(n_bytes, &n))
    return;
  IrNode *rest = lower_emit2(lw, IR_AND, ir_scalar(IR_TYPE_I64), n_bytes,
                             lower_i64(lw, 15));
  lower_owe(
      lw,
      lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), rest, lower_i64(lw, 0)),
      "copy_bulk copies a multiple of 16 bytes");
}
