// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies, and pointers into other blocks' shared memory.
#include "lower/lower_barrier.h"

static Value no_value(Lowering *lw) {
  return lower_value_leaves(lw, NULL, 0);
}

// ----------------------------------------------------------------- sections

typedef struct {
  IrNode *args[3 * IR_MAX_RANK + 1];
  uint32_t n_args;
} CopyArgs;

static uint64_t section_bytes(const IrSection *section) {
  uint64_t bytes = section->object->element_bytes;
  for (uint32_t i = 0; i < section->object->rank; i++)
    bytes *= (uint64_t)section->length[i];
  return bytes;
}

static Value copy(Lowering *lw, const TExpr *expr, IrOp op) {
  CopyArgs args = {.n_args = 0};
  IrSection to = {0}, from = {0};
  bool fills = op != IR_COPY_ASYNC;
  if (!lower_section(lw, expr->u.builtin.args[0]->u.section, fills, &to,
                     args.args, &args.n_args) ||
      !lower_section(lw, expr->u.builtin.args[1]->u.section, fills, &from,
                     args.args, &args.n_args))
    return no_value(lw);
  IrObject *object = NULL;
  bool has_mask = expr->u.builtin.n_args > 3;
  if (expr->u.builtin.n_args > 2) {
    BarrierPlace place = lower_barrier_place(lw, expr->u.builtin.args[2]);
    for (uint32_t i = 0; i < place.n_indices; i++)
      args.args[args.n_args++] = place.indices[i];
    object = place.object;
    lower_count_copy(lw, &place, section_bytes(&to), op == IR_TMA_LOAD);
  }
  if (has_mask)
    args.args[args.n_args++] = lower_scalar(lw, expr->u.builtin.args[3]);
  IrNode *node =
      lower_emit(lw, op, ir_scalar(IR_TYPE_VOID), args.args, args.n_args);
  node->u.copy.group = lw->group;
  node->u.copy.to = to;
  node->u.copy.from = from;
  node->u.copy.barrier = object;
  node->u.copy.has_mask = has_mask;
  return no_value(lw);
}

// COPY_WAIT, TMA_WAIT with their number; the others have none.
static Value step(Lowering *lw, const TExpr *expr, IrOp op) {
  if (expr->u.builtin.n_args == 0)
    lower_emit(lw, op, ir_scalar(IR_TYPE_VOID), NULL, 0);
  else
    lower_index_op(lw, op, ir_scalar(IR_TYPE_VOID),
                   (uint32_t)expr->u.builtin.args[0]->u.value.u, NULL);
  return no_value(lw);
}

// -------------------------------------------------------------------- bytes

static IrNode *pointer_node(Lowering *lw, const TExpr *expr) {
  return lower_pointer_node(lw, lower_pointer(lw, expr),
                            expr->type->u.pointer.space);
}

static Value copy_bytes(Lowering *lw, const TExpr *expr) {
  TExpr *const *args = expr->u.builtin.args;
  IrGroup *group = lower_group_ref(lw, args[0]);
  IrNode *operands[] = {pointer_node(lw, args[1]), pointer_node(lw, args[2]),
                        lower_scalar(lw, args[3])};
  IrNode *node =
      lower_emit(lw, IR_MEMCPY_ASYNC, ir_scalar(IR_TYPE_VOID), operands, 3);
  node->u.group.group = group;
  return no_value(lw);
}

static Value wait_for_bytes(Lowering *lw, const TExpr *expr) {
  IrGroup *group = lower_group_ref(lw, expr->u.builtin.args[0]);
  IrNode *newest = lower_scalar(lw, expr->u.builtin.args[1]);
  IrNode *node =
      lower_emit1(lw, IR_MEMCPY_WAIT, ir_scalar(IR_TYPE_VOID), newest);
  node->u.group.group = group;
  return no_value(lw);
}

// ----------------------------------------------------------------- clusters

static Value map_shared(Lowering *lw, const TExpr *expr) {
  IrNode *operands[] = {pointer_node(lw, expr->u.builtin.args[1]),
                        lower_scalar(lw, expr->u.builtin.args[2])};
  IrNode *node = lower_emit(lw, IR_MAP_SHARED, operands[0]->type, operands, 2);
  node->u.group.group = lw->kernel->groups.data[GROUP_ROW_CLUSTER];
  return lower_from_leaves(lw, lower_value_node(node), expr->type);
}

static Value shared_rank(Lowering *lw, const TExpr *expr) {
  IrNode *pointer = pointer_node(lw, expr->u.builtin.args[1]);
  IrNode *node =
      lower_emit1(lw, IR_SHARED_RANK, ir_scalar(IR_TYPE_I32), pointer);
  node->u.group.group = lw->kernel->groups.data[GROUP_ROW_CLUSTER];
  return lower_value_node(node);
}

bool lower_builtin_copy(Lowering *lw, const TExpr *expr, Value *out) {
  switch ((int)expr->u.builtin.id) {
  case BI_COPY_ASYNC: *out = copy(lw, expr, IR_COPY_ASYNC); return true;
  case BI_TMA_LOAD: *out = copy(lw, expr, IR_TMA_LOAD); return true;
  case BI_TMA_STORE: *out = copy(lw, expr, IR_TMA_STORE); return true;
  case BI_COPY_COMMIT: *out = step(lw, expr, IR_COPY_COMMIT); return true;
  case BI_COPY_WAIT: *out = step(lw, expr, IR_COPY_WAIT); return true;
  case BI_TMA_COMMIT: *out = step(lw, expr, IR_TMA_COMMIT); return true;
  case BI_TMA_WAIT: *out = step(lw, expr, IR_TMA_WAIT); return true;
  case BI_MEMCPY_ASYNC: *out = copy_bytes(lw, expr); return true;
  case BI_MEMCPY_WAIT: *out = wait_for_bytes(lw, expr); return true;
  case BI_MAP_SHARED: *out = map_shared(lw, expr); return true;
  case BI_SHARED_RANK: *out = shared_rank(lw, expr); return true;
  default: return false;
  }
}
