// SPDX-License-Identifier: Apache-2.0
// The order of nodes: one step through a thread, and its closure.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order_graph.h"

// Which steps count.
typedef enum { STEPS_SEEN, STEPS_MUST, STEPS_MAY } StepsKind;

static isl_union_map *order_graph_no_pairs(const OrderGraph *graph) {
  return isl_union_map_empty(isl_space_params_alloc(graph->ctx, 0));
}

// Without what the context says anyway, so that pieces fit together.
static isl_map *simplify(const OrderGraph *graph, isl_map *map) {
  if (graph->context)
    map = isl_map_gist_params(map, isl_set_copy(graph->context));
  return isl_map_coalesce(map);
}

static uint32_t common_loops(const OrderEvent *a, const OrderEvent *b) {
  uint32_t n = 0;
  while (n < a->n_loops && n < b->n_loops && a->loops[n] == b->loops[n])
    n++;
  return n;
}

bool graph_are_apart(const OrderEvent *a, const OrderEvent *b) {
  uint32_t n = common_loops(a, b);
  return n < a->n_loops && n < b->n_loops && a->outer[n] &&
         a->outer[n] == b->outer[n];
}

isl_map *graph_program_order(const OrderGraph *graph, const OrderEvent *a,
                             const OrderEvent *b) {
  uint32_t n_lead = graph->n_lead, n_common = common_loops(a, b);
  isl_space *space =
      isl_space_alloc(graph->ctx, 0, n_lead + a->n_loops, n_lead + b->n_loops);
  isl_map *same = isl_map_universe(isl_space_copy(space));
  isl_map *result = isl_map_empty(space);
  if (graph_are_apart(a, b)) {
    isl_map_free(same);
    return result;
  }
  for (uint32_t i = 0; i < n_lead; i++)
    same = isl_map_equate(same, isl_dim_in, (int)i, isl_dim_out, (int)i);
  for (uint32_t i = 0; i < n_common; i++) {
    int k = (int)(n_lead + i);
    result =
        isl_map_union(result, isl_map_order_lt(isl_map_copy(same), isl_dim_in,
                                               k, isl_dim_out, k));
    same = isl_map_equate(same, isl_dim_in, k, isl_dim_out, k);
  }
  if (a->position < b->position)
    result = isl_map_union(result, same);
  else
    isl_map_free(same);
  result = isl_map_intersect_domain(result, isl_set_copy(a->domain));
  return isl_map_intersect_range(result, isl_set_copy(b->domain));
}

// Before an operation that is done once for several threads: what comes before
// it in each of them. `before` is node -> event of `to`.
static isl_map *before_all(const OrderGraph *graph, isl_map *before,
                           const OrderOp *to) {
  // The events of one execution by the group, its other threads included.
  isl_map *key = isl_set_identity(isl_set_copy(to->event.domain));
  key = isl_map_project_out(key, isl_dim_out, graph->n_lead - 1, 1);
  isl_map *back = isl_map_reverse(isl_map_copy(key));
  isl_map *together = isl_map_apply_range(key, back);
  isl_map *wanted =
      isl_map_apply_range(isl_map_copy(before), isl_map_copy(together));
  isl_map *missing = isl_map_subtract(wanted, isl_map_copy(before));
  return isl_map_subtract(before, isl_map_apply_range(missing, together));
}

// Node awaited by `from`, then node signalled by the same thread.
static isl_map *step_between(const OrderGraph *graph, const OrderOp *from,
                             const OrderOp *to, StepsKind kind) {
  isl_map *step = graph_program_order(graph, &from->event, &to->event);
  step = isl_map_apply_domain(step, isl_map_copy(from->node));
  if (to->is_once && kind != STEPS_MAY)
    step = before_all(graph, step, to);
  return isl_map_apply_range(step, isl_map_copy(to->node));
}

static bool takes_part(const OrderOp *op, StepsKind kind) {
  bool is_sure = op->event.is_exact && !op->is_loose;
  return op->node && (is_sure || kind == STEPS_MAY) &&
         !(op->is_silent && kind == STEPS_SEEN);
}

// Both sides order memory.
static bool is_seen(const OrderOp *from, const OrderOp *to) {
  return !from->is_silent &&
         (!to->is_silent || (to->hands_on && from->is_of_barrier));
}

static isl_union_map *with_follows(const OrderGraph *graph,
                                   isl_union_map *steps) {
  if (graph->follows)
    steps = isl_union_map_union(steps, isl_union_map_copy(graph->follows));
  return isl_union_map_coalesce(steps);
}

// `silent`: gets those that don't order memory; NULL: all are asked for.
static isl_union_map *steps(const OrderGraph *graph, StepsKind kind,
                            isl_union_map **silent) {
  isl_union_map *all = order_graph_no_pairs(graph);
  for (uint32_t i = 0; i < graph->ops.count; i++) {
    const OrderOp *from = graph->ops.data[i];
    if (!from->awaits || !takes_part(from, kind))
      continue;
    for (uint32_t k = 0; k < graph->ops.count; k++) {
      const OrderOp *to = graph->ops.data[k];
      if (!to->signals || to->block != from->block || !takes_part(to, kind))
        continue;
      isl_map *step = simplify(graph, step_between(graph, from, to, kind));
      isl_union_map **into = silent && !is_seen(from, to) ? silent : &all;
      *into = isl_union_map_union(*into, isl_union_map_from_map(step));
    }
  }
  return all;
}

static isl_stat add_pieces(isl_map *map, void *context) {
  int *n = (int *)context;
  *n += isl_map_n_basic_map(map);
  isl_map_free(map);
  return isl_stat_ok;
}

static int count_pieces(isl_union_map *pairs) {
  int n = 0;
  isl_union_map_foreach_map(pairs, add_pieces, &n);
  return n;
}

// Squares until nothing is new, or often enough for any chain worth having.
static isl_union_map *close_pairs(isl_union_map *pairs, bool *is_closed) {
  enum { MAX_ROUNDS = 4, MAX_PIECES = 300 };

  *is_closed = false;
  for (int i = 0; i < MAX_ROUNDS && !*is_closed; i++) {
    if (count_pieces(pairs) > MAX_PIECES)
      break;
    isl_union_map *longer = isl_union_map_apply_range(
        isl_union_map_copy(pairs), isl_union_map_copy(pairs));
    *is_closed = isl_union_map_is_subset(longer, pairs) == isl_bool_true;
    if (*is_closed)
      isl_union_map_free(longer);
    else
      pairs = isl_union_map_coalesce(isl_union_map_union(pairs, longer));
  }
  return pairs;
}

static bool all_sure(const OrderGraph *graph) {
  for (uint32_t i = 0; i < graph->ops.count; i++)
    if (!graph->ops.data[i]->event.is_exact || graph->ops.data[i]->is_loose ||
        graph->ops.data[i]->is_once)
      return false;
  return true;
}

static void drop_pairs(OrderGraph *graph) {
  isl_union_map_free(graph->must);
  isl_union_map_free(graph->seen);
  isl_union_map_free(graph->must_steps);
  isl_union_map_free(graph->seen_steps);
  graph->must = graph->seen = graph->must_steps = graph->seen_steps = NULL;
}

void graph_clear(OrderGraph *graph) {
  drop_pairs(graph);
  isl_union_map_free(graph->follows);
  graph->follows = NULL;
}

void graph_close(OrderGraph *graph) {
  drop_pairs(graph);
  isl_union_map *silent = order_graph_no_pairs(graph);
  isl_union_map *seen = steps(graph, STEPS_MUST, &silent);
  graph->has_silent = isl_union_map_is_empty(silent) != isl_bool_true;
  isl_union_map *must = isl_union_map_union(isl_union_map_copy(seen), silent);
  graph->seen_steps = with_follows(graph, seen);
  graph->must_steps = with_follows(graph, must);
  graph->must = close_pairs(isl_union_map_copy(graph->must_steps),
                            &graph->is_must_closed);
}

void graph_see(OrderGraph *graph) {
  bool is_closed;
  isl_union_map_free(graph->seen);
  graph->seen =
      graph->has_silent
          ? close_pairs(isl_union_map_copy(graph->seen_steps), &is_closed)
          : isl_union_map_copy(graph->must);
}

static isl_union_map *signals_of(const OrderGraph *graph,
                                 const OrderEvent *event, StepsKind kind) {
  isl_union_map *all = order_graph_no_pairs(graph);
  for (uint32_t i = 0; i < graph->ops.count; i++) {
    const OrderOp *op = graph->ops.data[i];
    if (!op->signals || op->is_once || !takes_part(op, kind))
      continue;
    isl_map *map = isl_map_apply_range(
        graph_program_order(graph, event, &op->event), isl_map_copy(op->node));
    all =
        isl_union_map_union(all, isl_union_map_from_map(simplify(graph, map)));
  }
  return all;
}

static isl_union_map *awaited_by(const OrderGraph *graph,
                                 const OrderEvent *event, StepsKind kind) {
  isl_union_map *all = order_graph_no_pairs(graph);
  for (uint32_t i = 0; i < graph->ops.count; i++) {
    const OrderOp *op = graph->ops.data[i];
    if (!op->awaits || !takes_part(op, kind))
      continue;
    isl_map *map = isl_map_apply_domain(
        graph_program_order(graph, &op->event, event), isl_map_copy(op->node));
    all =
        isl_union_map_union(all, isl_union_map_from_map(simplify(graph, map)));
  }
  return all;
}

isl_union_map *graph_awaited(const OrderGraph *graph, const OrderEvent *event) {
  return awaited_by(graph, event, STEPS_SEEN);
}

static isl_union_map *must_pairs(const OrderGraph *graph, OrderReach reach) {
  return reach == ORDER_FAR ? graph->must : graph->must_steps;
}

static isl_union_map *seen_pairs(const OrderGraph *graph, OrderReach reach) {
  return reach == ORDER_FAR ? graph->seen : graph->seen_steps;
}

isl_union_map *graph_after(const OrderGraph *graph, const OrderEvent *event,
                           const isl_union_map *own, OrderSense sense,
                           OrderReach reach) {
  bool is_time = sense == ORDER_TIME;
  isl_union_map *first =
      own ? isl_union_map_copy((isl_union_map *)(uintptr_t)own)
          : signals_of(graph, event, is_time ? STEPS_MUST : STEPS_SEEN);
  if (reach == ORDER_NEAR)
    return isl_union_map_coalesce(first);
  isl_union_map *more =
      is_time ? must_pairs(graph, reach) : seen_pairs(graph, reach);
  isl_union_map *rest = isl_union_map_apply_range(isl_union_map_copy(first),
                                                  isl_union_map_copy(more));
  return isl_union_map_coalesce(isl_union_map_union(first, rest));
}

isl_union_map *graph_ahead(const OrderGraph *graph, const OrderEvent *event,
                           const isl_union_map *own, OrderReach reach) {
  isl_union_map *last =
      own ? isl_union_map_copy((isl_union_map *)(uintptr_t)own)
          : awaited_by(graph, event, STEPS_MUST);
  if (reach == ORDER_NEAR)
    return isl_union_map_coalesce(last);
  isl_union_map *rest = isl_union_map_apply_range(
      isl_union_map_copy(must_pairs(graph, reach)), isl_union_map_copy(last));
  return isl_union_map_coalesce(isl_union_map_union(last, rest));
}

// At least those pairs of nodes that are in order in time.
static isl_union_map *may_pairs(const OrderGraph *graph) {
  bool is_closed = graph->is_must_closed;
  isl_union_map *pairs =
      all_sure(graph)
          ? isl_union_map_copy(graph->must)
          : close_pairs(with_follows(graph, steps(graph, STEPS_MAY, NULL)),
                        &is_closed);
  return pairs && !is_closed ? isl_union_map_transitive_closure(pairs, NULL)
                             : pairs;
}

bool graph_is_acyclic(const OrderGraph *graph) {
  isl_union_map *pairs = may_pairs(graph);
  isl_union_map *self =
      isl_union_set_identity(isl_union_map_domain(isl_union_map_copy(pairs)));
  self = isl_union_map_intersect(self, pairs);
  bool is_empty = isl_union_map_is_empty(self) == isl_bool_true;
  isl_union_map_free(self);
  return is_empty;
}

#else
typedef int OrderGraphNotBuilt; // a file can't be empty
#endif
