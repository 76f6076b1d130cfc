// SPDX-License-Identifier: Apache-2.0
// Threads with nothing left to do count as returned, as in
//
//   if (i < n) { …; sync(whole_warp()); … } }
//
// where the others are at the kernel's end, and in a loop that ends the kernel,
// which threads leave one after the other.
#include "ir/passes/decide_lanes.h"

static bool has_end(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR || node->op == IR_BLOCK ||
         node->op == IR_CALL;
}

static bool decide_ends_leaves(const IrNode *exit, const IrNode *node) {
  bool is_loop = node->op == IR_LOOP || node->op == IR_FOR;
  return exit->op == IR_EXIT && exit->u.exit.target == node &&
         !(is_loop && exit->u.exit.is_continue);
}

static void mark_exits(IrRegion *region, const IrNode *node) {
  for (IrNode *at = region->first; at; at = at->next) {
    if (decide_ends_leaves(at, node))
      at->flags |= NODE_RETURNS;
    for (uint32_t i = 0; i < at->n_regions; i++)
      mark_exits(&at->regions[i], node);
  }
}

static void mark_end(IrRegion *region) {
  IrNode *last = region->last;
  if (!last)
    return;
  if (last->op == IR_IF) {
    if (!last->regions[0].first)
      last->flags |= NODE_THEN_RETURNS;
    if (!last->regions[1].first)
      last->flags |= NODE_ELSE_RETURNS;
    mark_end(&last->regions[0]);
    mark_end(&last->regions[1]);
  }
  if (!has_end(last))
    return;
  mark_exits(&last->regions[0], last);
  if (last->op == IR_FOR)
    last->flags |= NODE_RETURNS;
  if (last->op == IR_BLOCK || last->op == IR_CALL)
    mark_end(&last->regions[0]);
}

static bool has_other_exit(const IrRegion *region) {
  for (const IrNode *at = region->first; at; at = at->next) {
    if (at->op == IR_EXIT && !(at->flags & NODE_RETURNS))
      return true;
    for (uint32_t i = 0; i < at->n_regions; i++)
      if (has_other_exit(&at->regions[i]))
        return true;
  }
  return false;
}

// All that run the region return.
static bool returns(const IrRegion *region) {
  return region->last && region->last->op == IR_EXIT && !has_other_exit(region);
}

static bool mark_if(IrNode *node, void *context) {
  (void)context;
  if (node->op != IR_IF)
    return true;
  if (returns(&node->regions[0]))
    node->flags |= NODE_THEN_RETURNS;
  if (returns(&node->regions[1]))
    node->flags |= NODE_ELSE_RETURNS;
  return true;
}

void decide_ends(IrKernel *kernel) {
  mark_end(&kernel->body);
  ir_walk(&kernel->body, mark_if, NULL);
}
