// SPDX-License-Identifier: Apache-2.0
#include "ir/analyses/flow.h"

typedef struct {
  uint32_t from, to;
} FlowEdge;

typedef struct {
  Arena *scratch;
  Flow *flow;
  hd_vec(FlowEdge) edges;
} FlowMaker;

static void flow_connect(FlowMaker *f, uint32_t from, uint32_t to) {
  FlowEdge edge = {from, to};
  VEC_PUSH(f->scratch, &f->edges, edge);
}

static bool flow_is_repeated(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR || ir_is_operator(node) ||
         (node->op == IR_THREAD_FOR && !node->u.part.is_split);
}

// From `from` to what follows the end of the region.
static void connect_end(FlowMaker *f, uint32_t from, const IrRegion *region) {
  const IrNode *owner = region->owner;
  if (!owner)
    return;
  flow_connect(f, from,
               flow_is_repeated(owner) ? flow_at(f->flow, owner)
                                       : flow_behind(f->flow, owner));
}

static void connect_next(FlowMaker *f, uint32_t from, const IrNode *node) {
  if (node->next)
    flow_connect(f, from, flow_at(f->flow, node->next));
  else
    connect_end(f, from, node->region);
}

static void connect_exit(FlowMaker *f, const IrNode *node) {
  const IrNode *target = node->u.exit.target;
  bool is_turn = node->u.exit.is_continue && flow_is_repeated(target);
  flow_connect(f, flow_at(f->flow, node),
               is_turn ? flow_at(f->flow, target)
                       : flow_behind(f->flow, target));
}

static void connect_node(FlowMaker *f, const IrNode *node) {
  uint32_t at = flow_at(f->flow, node);
  if (node->op == IR_EXIT) {
    connect_exit(f, node);
    return;
  }
  if (node->n_regions == 0) {
    connect_next(f, at, node);
    return;
  }
  uint32_t behind = flow_behind(f->flow, node);
  for (uint32_t i = 0; i < node->n_regions; i++) {
    const IrRegion *region = &node->regions[i];
    if (region->first)
      flow_connect(f, at, flow_at(f->flow, region->first));
    else
      connect_end(f, at, region);
  }
  if (node->op == IR_GROUP || (flow_is_repeated(node) && node->op != IR_LOOP))
    flow_connect(f, at, behind);
  connect_next(f, behind, node);
}

static uint32_t *sorted_ends(Arena *arena, const FlowMaker *f, bool is_next,
                             uint32_t **begin) {
  uint32_t n = f->flow->n_points;
  uint32_t *starts = ARENA_ARRAY(arena, uint32_t, n + 2);
  uint32_t *ends = ARENA_ARRAY(arena, uint32_t, f->edges.count);
  for (uint32_t i = 0; i < f->edges.count; i++) {
    FlowEdge edge = f->edges.data[i];
    starts[(is_next ? edge.from : edge.to) + 2]++;
  }
  for (uint32_t i = 2; i < n + 2; i++)
    starts[i] += starts[i - 1];
  for (uint32_t i = 0; i < f->edges.count; i++) {
    FlowEdge edge = f->edges.data[i];
    uint32_t *slot = &starts[(is_next ? edge.from : edge.to) + 1];
    ends[(*slot)++] = is_next ? edge.to : edge.from;
  }
  *begin = starts;
  return ends;
}

Flow *flow_new(Arena *arena, const NodeOrder *order) {
  FlowMaker f = {.scratch = arena_new(), .flow = ARENA_NEW(arena, Flow)};
  f.flow->order = order;
  f.flow->n_points = 2 * order->n_nodes;
  for (uint32_t i = 0; i < order->n_nodes; i++)
    connect_node(&f, order->nodes[i]);
  f.flow->next = sorted_ends(arena, &f, true, &f.flow->next_begin);
  f.flow->previous = sorted_ends(arena, &f, false, &f.flow->previous_begin);
  arena_free(f.scratch);
  return f.flow;
}
