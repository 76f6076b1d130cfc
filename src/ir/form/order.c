// SPDX-License-Identifier: Apache-2.0
#include "ir/form/order.h"

typedef struct {
  NodeOrder *order;
} Numbering;

static bool place_node(IrNode *node, void *context) {
  NodeOrder *order = ((Numbering *)context)->order;
  order->position[node->id] = order->n_nodes;
  order->nodes[order->n_nodes++] = node;
  return true;
}

NodeOrder *node_order(Arena *arena, const IrKernel *kernel) {
  NodeOrder *order = ARENA_NEW(arena, NodeOrder);
  order->n_ids = kernel->n_nodes;
  order->nodes = ARENA_ARRAY(arena, IrNode *, kernel->n_nodes);
  order->position = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes);
  order->end = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes);
  Numbering numbering = {order};
  ir_walk((IrRegion *)&((IrKernel *)(uintptr_t)kernel)->body, place_node,
          &numbering);
  for (uint32_t i = order->n_nodes; i-- > 0;) {
    const IrNode *node = order->nodes[i];
    uint32_t *end = &order->end[node->id];
    if (*end < i + 1)
      *end = i + 1;
    const IrNode *owner = ir_node_owner(node);
    if (owner && order->end[owner->id] < *end)
      order->end[owner->id] = *end;
  }
  return order;
}
