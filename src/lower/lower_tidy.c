// SPDX-License-Identifier: Apache-2.0
// After lowering: an `if` whose only content is in its else branch gets the
// opposite condition. Early exits leave many of those (Note [Early exits]).
#include "lower/lower_internal.h"

// Integer comparisons have an opposite; those of floats don't, for NaN.
static bool lower_tidy_opposite(IrOp op, IrOp *out, bool *is_swapped) {
  *is_swapped = true;
  switch ((int)op) {
  case IR_SLT: *out = IR_SLE; return true;
  case IR_SLE: *out = IR_SLT; return true;
  case IR_ULT: *out = IR_ULE; return true;
  case IR_ULE: *out = IR_ULT; return true;
  default: break;
  }
  *is_swapped = false;
  *out = op == IR_EQ ? IR_NE : IR_EQ;
  return op == IR_EQ || op == IR_NE;
}

static IrNode *negation(Lowering *lw, IrNode *condition) {
  IrType type = ir_scalar(IR_TYPE_BOOL);
  IrNode *const *args = condition->args;
  IrOp op;
  bool is_swapped;
  if (condition->op == IR_NOT)
    return args[0];
  if (!lower_tidy_opposite(condition->op, &op, &is_swapped)) {
    IrLocId loc = condition->loc;
    return ir_node_new(lw->kernel, NULL, IR_NOT, type, loc, &condition, 1);
  }
  IrNode *turned[] = {args[is_swapped], args[!is_swapped]};
  return ir_node_new(lw->kernel, NULL, op, type, condition->loc, turned, 2);
}

static void move_branch(IrNode *branch) {
  branch->regions[0].first = branch->regions[1].first;
  branch->regions[0].last = branch->regions[1].last;
  branch->regions[1].first = branch->regions[1].last = NULL;
  for (IrNode *node = branch->regions[0].first; node; node = node->next)
    node->region = &branch->regions[0];
}

static bool tidy_node(IrNode *node, void *context) {
  if (node->op != IR_IF || node->regions[0].first || !node->regions[1].first)
    return true;
  IrNode *condition = negation(context, node->args[0]);
  if (!condition->region)
    ir_node_insert_before(node, condition);
  node->args[0] = condition;
  move_branch(node);
  if (node->flags & NODE_THEN_RETURNS)
    node->flags ^= NODE_THEN_RETURNS | NODE_ELSE_RETURNS;
  return true;
}

void lower_tidy(Lowering *lw) {
  ir_walk(&lw->kernel->body, tidy_node, lw);
}
