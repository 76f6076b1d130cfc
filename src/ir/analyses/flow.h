// SPDX-License-Identifier: Apache-2.0
// The paths of a kernel as a graph of points. A plain node is one point, a
// node with regions two: where it begins (for loops also where each turn
// begins) and behind it. Threads that a group statement leaves out go from its
// beginning straight behind it.
#ifndef HD_IR_ANALYSES_FLOW_H
#define HD_IR_ANALYSES_FLOW_H

#include "ir/form/order.h"

typedef struct {
  const NodeOrder *order;
  uint32_t n_points;
  // Neighbours of point p: data[begin[p]] to data[begin[p + 1]], exclusive.
  uint32_t *next_begin, *next;
  uint32_t *previous_begin, *previous;
} Flow;

Flow *flow_new(Arena *arena, const NodeOrder *order);

static inline uint32_t flow_at(const Flow *flow, const IrNode *node) {
  return flow->order->position[node->id];
}

static inline uint32_t flow_behind(const Flow *flow, const IrNode *node) {
  return flow->order->n_nodes + flow->order->position[node->id];
}

// The node whose beginning or end the point is; *is_behind says which.
static inline const IrNode *flow_node(const Flow *flow, uint32_t point,
                                      bool *is_behind) {
  uint32_t n = flow->order->n_nodes;
  *is_behind = point >= n;
  return flow->order->nodes[point >= n ? point - n : point];
}

#endif
