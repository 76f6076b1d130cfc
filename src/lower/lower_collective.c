// SPDX-License-Identifier: Apache-2.0
// Collective operations: values travel leaf by leaf; only operators that are
// functions see whole records.
#include "lower/lower_internal.h"

static IrGroup *lower_collective_group_of(Lowering *lw, const TExpr *expr) {
  return lower_group_ref(lw, expr->u.builtin.args[0]);
}

static IrNode *lower_collective_emit_for(Lowering *lw, IrOp op, IrType type,
                                         IrGroup *group, IrNode *const *args,
                                         uint32_t n_args) {
  IrNode *node = lower_emit(lw, op, type, args, n_args);
  node->u.group.group = group;
  return node;
}

// ------------------------------------------------------- shuffles and votes

// Every leaf from the same thread.
static Value lower_collective_exchange(Lowering *lw, IrOp op, IrGroup *group,
                                       Value value, IrNode *index) {
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < value.n_leaves; i++) {
    IrNode *args[] = {lower_leaf(&value, i), index};
    leaves[i] =
        lower_collective_emit_for(lw, op, args[0]->type, group, args, 2);
  }
  return lower_value_leaves(lw, leaves, value.n_leaves);
}

// CUDA counts lanes modulo the tile that the last one is a part of.
static IrNode *lower_collective_source_rank(Lowering *lw, IrOp op,
                                            const IrGroup *group,
                                            IrNode *index) {
  int64_t nominal = ir_group_nominal(group);
  bool is_modulo = op == IR_SHFL || op == IR_BROADCAST;
  if (!lw->module->has_open_lanes || !is_modulo || nominal == SIZE_UNKNOWN ||
      nominal == group->size)
    return index;
  return lower_emit2(lw, IR_AND, index->type, index,
                     lower_const(lw, index->type, (uint64_t)nominal - 1));
}

static bool lower_collective_shuffle(Lowering *lw, const TExpr *expr, IrOp op,
                                     Value *out) {
  IrGroup *group = lower_collective_group_of(lw, expr);
  const TExpr *arg = expr->u.builtin.args[1];
  Value value = lower_as_leaves(lw, lower_expr(lw, arg), arg->type);
  IrNode *index = lower_scalar(lw, expr->u.builtin.args[2]);
  index = lower_collective_source_rank(lw, op, group, index);
  *out = lower_from_leaves(
      lw, lower_collective_exchange(lw, op, group, value, index), expr->type);
  return true;
}

static bool lower_collective_vote(Lowering *lw, const TExpr *expr, IrOp op,
                                  Value *out) {
  IrGroup *group = lower_collective_group_of(lw, expr);
  const TExpr *arg = expr->u.builtin.args[1];
  Value value = lower_as_leaves(lw, lower_expr(lw, arg), arg->type);
  IrNode *operand = lower_leaf(&value, 0);
  *out = lower_value_node(lower_collective_emit_for(
      lw, op, lower_type(lw, expr->type), group, &operand, 1));
  return true;
}

// -------------------------------------------------------- one for all

static IrNode *lower_collective_is_rank(Lowering *lw, IrGroup *group,
                                        int64_t rank) {
  IrNode *own = lower_rank(lw, group);
  return lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), own,
                     lower_const(lw, own->type, (uint64_t)rank));
}

IrRegion *lower_enter_first(Lowering *lw, IrGroup *group) {
  IrNode *is_first = lower_collective_is_rank(lw, group, 0);
  if (group->is_whole)
    is_first->flags |= NODE_RETURNS;
  IrNode *branch = lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID), is_first);
  return lower_enter(lw, branch, 0);
}

// The cluster and the grid have no shuffles: the bits of the first thread's
// value are combined with the zeros of all others.
static IrNode *broadcast_bits(Lowering *lw, IrGroup *group, IrNode *value) {
  bool is_float = ir_type_is_float(value->type);
  IrType type = value->type;
  IrType bits = type;
  if (is_float)
    bits = ir_scalar(ir_type_bits(type) == 64 ? IR_TYPE_I64 : IR_TYPE_I32);
  IrNode *image = is_float ? lower_emit1(lw, IR_BITCAST, bits, value) : value;
  image =
      lower_emit3(lw, IR_SELECT, bits, lower_collective_is_rank(lw, group, 0),
                  image, lower_zero(lw, bits));
  IrNode *all = lower_emit1(lw, IR_REDUCE, bits, image);
  all->u.collective.group = group;
  all->u.collective.combine = RMW_OR;
  return is_float ? lower_emit1(lw, IR_BITCAST, type, all) : all;
}

IrNode *lower_broadcast_first(Lowering *lw, IrGroup *group, IrNode *value) {
  if (group->size == 1)
    return value;
  if (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER)
    return broadcast_bits(lw, group, value);
  IrNode *args[] = {value, lower_i32(lw, 0)};
  return lower_collective_emit_for(lw, IR_BROADCAST, value->type, group, args,
                                   2);
}

static Value invoke_one(Lowering *lw, const TExpr *expr) {
  IrGroup *group = lower_collective_group_of(lw, expr);
  IrRegion *before = lower_enter_first(lw, group);
  (void)lower_expr(lw, expr->u.builtin.args[1]);
  lower_leave(lw, before);
  return lower_value_leaves(lw, NULL, 0);
}

static Value invoke_one_broadcast(Lowering *lw, const TExpr *expr) {
  IrGroup *group = lower_collective_group_of(lw, expr);
  const TExpr *arg = expr->u.builtin.args[1];
  const TypeLayout *layout = lower_layout(lw, arg->type);
  uint32_t first = lw->kernel->vars.count;
  for (uint32_t i = 0; i < layout->n_leaves; i++) {
    uint32_t var = lower_new_var(lw, NULL, layout->leaves[i].ir);
    lower_set(lw, var, lower_zero(lw, layout->leaves[i].ir));
  }
  IrRegion *before = lower_enter_first(lw, group);
  Value value = lower_as_leaves(lw, lower_expr(lw, arg), arg->type);
  for (uint32_t i = 0; i < value.n_leaves; i++)
    lower_set(lw, first + i, lower_leaf(&value, i));
  lower_leave(lw, before);
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < layout->n_leaves; i++)
    leaves[i] = lower_broadcast_first(lw, group, lower_get(lw, first + i));
  return lower_from_leaves(lw, lower_value_leaves(lw, leaves, layout->n_leaves),
                           expr->type);
}

// ----------------------------------------------------------------- dispatch

bool lower_builtin_collective(Lowering *lw, const TExpr *expr, Value *out) {
  switch ((int)expr->u.builtin.id) {
  case BI_SHFL: return lower_collective_shuffle(lw, expr, IR_SHFL, out);
  case BI_SHFL_UP: return lower_collective_shuffle(lw, expr, IR_SHFL_UP, out);
  case BI_SHFL_DOWN:
    return lower_collective_shuffle(lw, expr, IR_SHFL_DOWN, out);
  case BI_SHFL_XOR: return lower_collective_shuffle(lw, expr, IR_SHFL_XOR, out);
  case BI_BROADCAST:
    return lower_collective_shuffle(lw, expr, IR_BROADCAST, out);
  case BI_ANY: return lower_collective_vote(lw, expr, IR_ANY, out);
  case BI_ALL: return lower_collective_vote(lw, expr, IR_ALL, out);
  case BI_COUNT: return lower_collective_vote(lw, expr, IR_COUNT, out);
  case BI_BALLOT: return lower_collective_vote(lw, expr, IR_BALLOT, out);
  case BI_MATCH_ANY: return lower_collective_vote(lw, expr, IR_MATCH_ANY, out);
  case BI_MATCH_ALL: return lower_collective_vote(lw, expr, IR_MATCH_ALL, out);
  case BI_INVOKE_ONE: *out = invoke_one(lw, expr); return true;
  case BI_INVOKE_ONE_BROADCAST:
    *out = invoke_one_broadcast(lw, expr);
    return true;
  case BI_REDUCE: *out = lower_reduce(lw, expr); return true;
  case BI_INCLUSIVE_SCAN:
  case BI_EXCLUSIVE_SCAN: *out = lower_prefix(lw, expr); return true;
  case BI_REDUCE_UPDATE:
  case BI_SCAN_UPDATE: *out = lower_update(lw, expr); return true;
  default: return false;
  }
}
