// SPDX-License-Identifier: Apache-2.0
// Positions of a kernel's nodes in program order, for analyses that ask what
// stands inside what.
#ifndef HD_IR_FORM_ORDER_H
#define HD_IR_FORM_ORDER_H

#include "base/panic.h"
#include "ir/form/ir.h"

typedef struct {
  uint32_t n_nodes;
  uint32_t n_ids;     // ids are below
  IrNode **nodes;     // by position
  uint32_t *position; // by id
  uint32_t *end;      // by id: position after the last node inside
} NodeOrder;

NodeOrder *node_order(Arena *arena, const IrKernel *kernel);

// The node stands where it did when the order was taken; the kernel wasn't
// renumbered since. Whoever asks about others gets nonsense.
static inline bool order_has(const NodeOrder *order, const IrNode *node) {
  return node->id < order->n_ids &&
         order->position[node->id] < order->n_nodes &&
         order->nodes[order->position[node->id]] == node;
}

// `inner` is `outer` or stands inside it. Both are of the order.
static inline bool order_inside(const NodeOrder *order, const IrNode *outer,
                                const IrNode *inner) {
  HD_ASSERT(order_has(order, outer) && order_has(order, inner));
  uint32_t at = order->position[inner->id];
  return order->position[outer->id] <= at && at < order->end[outer->id];
}

// `node` stands in `region` or a region nested there.
static inline bool order_in_region(const NodeOrder *order,
                                   const IrRegion *region, const IrNode *node) {
  HD_ASSERT(order_has(order, node));
  if (!region->first)
    return false;
  uint32_t at = order->position[node->id];
  return order->position[region->first->id] <= at &&
         at < order->end[region->last->id];
}

// The node whose region holds `node`; NULL in the kernel's body.
static inline IrNode *ir_node_owner(const IrNode *node) {
  return node->region ? node->region->owner : NULL;
}

// The innermost loop whose turns run `node` again and again: itself, or around
// it. NULL: none.
static inline IrNode *ir_loop_around(IrNode *node) {
  while (node && node->op != IR_LOOP && node->op != IR_FOR &&
         node->op != IR_THREAD_FOR)
    node = ir_node_owner(node);
  return node;
}

// `node` is `outer` or stands inside it; for nodes without positions.
static inline bool ir_is_inside(const IrNode *node, const IrNode *outer) {
  while (node && node != outer)
    node = ir_node_owner(node);
  return node != NULL;
}

// Stands in a group statement, thread loop or `with`.
static inline bool ir_node_in_part(const IrNode *node) {
  for (node = ir_node_owner(node); node; node = ir_node_owner(node))
    if (ir_op_info(node)->form == FORM_PART)
      return true;
  return false;
}

#endif
