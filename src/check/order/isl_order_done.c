// SPDX-License-Identifier: Apache-2.0
// What has ended before what: nodes that follow a touch, and what was awaited
// before one.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order_done.h"
#include <isl/space.h>

isl_union_map *order_no_pairs(const Order *order) {
  return isl_union_map_empty(isl_space_params_alloc(order->ctx, 0));
}

isl_union_map *order_of_thread(const Order *order, const OrderEvent *a,
                               const OrderEvent *b) {
  return isl_union_map_from_map(graph_program_order(&order->graph, a, b));
}

static bool are_in_same_loops(const OrderEvent *a, const OrderEvent *b) {
  bool result = a->n_loops == b->n_loops;
  for (uint32_t i = 0; result && i < a->n_loops; i++)
    result = a->loops[i] == b->loops[i] && a->outer[i] == b->outer[i];
  return result;
}

// No operation of the graph is between the two, which are executed together.
static bool are_touches_alike(const Order *order, const OrderEvent *a,
                              const OrderEvent *b) {
  uint32_t first = a->position < b->position ? a->position : b->position;
  uint32_t last = a->position < b->position ? b->position : a->position;
  if (!are_in_same_loops(a, b))
    return false;
  for (uint32_t i = 0; i < order->graph.ops.count; i++) {
    uint32_t at = order->graph.ops.data[i]->event.position;
    if (first <= at && at <= last)
      return false;
  }
  return isl_set_is_equal(a->domain, b->domain) == isl_bool_true;
}

// The touch for all that are like it: of loads in a row much is asked once.
static OrderTouch *representative(Order *order, OrderTouch *touch) {
  for (uint32_t i = 0; i < order->touches.count && !touch->like; i++) {
    OrderTouch *other = &order->touches.data[i];
    if (other->like == other &&
        order_is_async(other->step) == order_is_async(touch->step) &&
        are_touches_alike(order, &touch->event, &other->event))
      touch->like = other;
  }
  if (!touch->like)
    touch->like = touch;
  return touch->like;
}

const OrderUse *order_landing(const Order *order, const Step *step) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->kind == BARRIER_LAND && use->step->node == step->node &&
        use->step->parent == step->parent)
      return use;
  }
  return NULL;
}

bool order_is_async(const Step *step) {
  return step->u.touch.touch->done != DONE_AT_ONCE;
}

// Of its phases the one in that block.
static isl_map *landing_in(const isl_map *phases, int block) {
  isl_map *map = isl_map_copy((isl_map *)(uintptr_t)phases);
  return block == ORDER_ALL_BLOCKS ? map
                                   : isl_map_fix_si(map, isl_dim_out, 0, block);
}

static isl_union_map *after_landing(const Order *order, const OrderTouch *touch,
                                    int block) {
  const OrderUse *use = order_landing(order, touch->step);
  return use && use->op.node
             ? order_split(order, landing_in(use->op.node, block))
             : order_no_pairs(order);
}

static OrderAfter *landed_in(const Order *order, OrderTouch *touch, int block) {
  if (!touch->landed)
    touch->landed =
        ARENA_ARRAY(order->arena, OrderAfter, (size_t)order->cluster.size);
  return &touch->landed[block];
}

// Of copies with sets: none here.
static isl_union_map *find_after(const Order *order, const OrderTouch *touch,
                                 int block) {
  if (!order_is_async(touch->step))
    return graph_after(&order->graph, &touch->event, NULL, ORDER_MEMORY,
                       ORDER_NEAR);
  const OrderUse *use = order_landing(order, touch->step);
  bool lands_once = use && !use->use->mask;
  return block != ORDER_ALL_BLOCKS || lands_once
             ? after_landing(order, touch, block)
             : order_no_pairs(order);
}

// Nodes that follow the end of the touch.
isl_union_map *order_after(Order *order, OrderTouch *touch, int block,
                           OrderReach reach) {
  if (!order_is_async(touch->step))
    touch = representative(order, touch);
  OrderAfter *known = block == ORDER_ALL_BLOCKS
                          ? &touch->after
                          : landed_in(order, touch, block);
  isl_union_map **nodes = known->nodes;
  if (!nodes[ORDER_NEAR])
    nodes[ORDER_NEAR] = find_after(order, touch, block);
  if (!nodes[reach] && nodes[ORDER_NEAR]) // else isl gave up
    nodes[reach] = graph_after(&order->graph, &touch->event, nodes[ORDER_NEAR],
                               ORDER_MEMORY, reach);
  return isl_union_map_copy(nodes[reach]);
}

isl_union_map *order_awaited(Order *order, OrderTouch *touch) {
  touch = representative(order, touch);
  if (!touch->awaited)
    touch->awaited = graph_awaited(&order->graph, &touch->event);
  return isl_union_map_copy(touch->awaited);
}

static bool closes(const Step *touch, const Step *commit) {
  return commit->u.sets.done == touch->u.touch.touch->done;
}

// Each takes time: a composition for a pair of commits.
enum { MOST_NEWEST = 4, MOST_COMMITS = 8 };

static bool ends_some(const Step *touch, const Step *wait) {
  bool is_group = wait->u.sets.done == DONE_GROUP;
  return wait->u.sets.done == touch->u.touch.touch->done &&
         wait->u.sets.n_newest <= (is_group ? 0 : MOST_NEWEST) &&
         !(wait->u.sets.reads_only && touch->u.touch.touch->is_write) &&
         (wait->u.sets.done != DONE_GROUP ||
          wait->u.sets.group == touch->u.touch.touch->copied_by);
}

// The commits that close sets of the touch's kind, each with its executions
// that are behind an execution of the touch and `n` commits at least.
typedef struct {
  const OrderStep *commits[MOST_COMMITS];
  isl_union_map *behind[MOST_COMMITS];
  uint32_t count;
} Closers;

static Closers closers_of(const Order *order, const OrderTouch *touch) {
  Closers closers = {.count = 0};
  for (uint32_t i = 0; i < order->commits.count; i++) {
    const OrderStep *commit = &order->commits.data[i];
    if (!commit->event.is_exact || !closes(touch->step, commit->step) ||
        closers.count == MOST_COMMITS)
      continue;
    closers.behind[closers.count] =
        order_of_thread(order, &touch->event, &commit->event);
    closers.commits[closers.count++] = commit;
  }
  return closers;
}

// Executions of the touch -> of `event`, behind any of the commits.
static isl_union_map *behind_any(const Order *order, const Closers *closers,
                                 const OrderEvent *event) {
  isl_union_map *all = order_no_pairs(order);
  for (uint32_t i = 0; i < closers->count; i++) {
    isl_union_map *next =
        order_of_thread(order, &closers->commits[i]->event, event);
    all = isl_union_map_union(
        all, isl_union_map_apply_range(isl_union_map_copy(closers->behind[i]),
                                       next));
  }
  return all;
}

// One commit more is before.
static void closers_step(const Order *order, Closers *closers) {
  isl_union_map *next[MOST_COMMITS];
  for (uint32_t i = 0; i < closers->count; i++)
    next[i] = behind_any(order, closers, &closers->commits[i]->event);
  for (uint32_t i = 0; i < closers->count; i++) {
    isl_union_map_free(closers->behind[i]);
    closers->behind[i] = next[i];
  }
}

// Executions of the touch -> of a wait of its thread for its set: behind the
// commit that closes it and as many more as the wait leaves.
static isl_union_map *ended_by(const Order *order, const OrderTouch *touch,
                               const OrderStep *wait) {
  const Step *step = touch->step;
  if (!wait->event.is_exact || !ends_some(step, wait->step))
    return order_no_pairs(order);
  if (step->u.touch.touch->done == DONE_GROUP)
    return order_of_thread(order, &touch->event, &wait->event);
  Closers closers = closers_of(order, touch);
  for (int64_t n = 0; n < wait->step->u.sets.n_newest; n++)
    closers_step(order, &closers);
  isl_union_map *all = behind_any(order, &closers, &wait->event);
  for (uint32_t i = 0; i < closers.count; i++)
    isl_union_map_free(closers.behind[i]);
  return all;
}

static bool has_sets(const Step *step) {
  DoneKind done = step->u.touch.touch->done;
  return done == DONE_SETS || done == DONE_TMA_SETS || done == DONE_MATRIX ||
         done == DONE_GROUP;
}

// Nodes that follow a commit behind the touch, and with it the touch.
static isl_union_map *after_commits(Order *order, OrderTouch *a, int block,
                                    OrderReach reach) {
  isl_union_map *nodes = order_no_pairs(order);
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->step->node->op != IR_MBAR_TENSOR || !use->op.node ||
        !use->op.event.is_exact)
      continue;
    isl_union_map *signals =
        order_split(order, landing_in(use->op.node, block));
    nodes = isl_union_map_union(
        nodes, isl_union_map_apply_range(
                   order_of_thread(order, &a->event, &use->op.event), signals));
  }
  if (reach == ORDER_NEAR)
    return nodes;
  isl_union_map *all =
      graph_after(&order->graph, &a->event, nodes, ORDER_MEMORY, reach);
  isl_union_map_free(nodes);
  return all;
}

// What the thread awaited before an event, and the event: taken.
static isl_union_map *done_before(Order *order, OrderTouch *a, int block,
                                  const OrderEvent *b, isl_union_map *awaited,
                                  OrderReach reach) {
  if (a->step->u.touch.touch->done == DONE_TENSOR)
    return isl_union_map_apply_range(after_commits(order, a, block, reach),
                                     awaited);
  isl_union_map *pairs = isl_union_map_apply_range(
      order_after(order, a, block, reach), isl_union_map_copy(awaited));
  if (!order_is_async(a->step))
    pairs = isl_union_map_union(pairs, order_of_thread(order, &a->event, b));
  for (uint32_t i = 0; has_sets(a->step) && i < order->copy_waits.count; i++) {
    const OrderStep *wait = &order->copy_waits.data[i];
    isl_union_map *ends = ended_by(order, a, wait);
    isl_union_map *rest = isl_union_map_apply_range(
        graph_after(&order->graph, &wait->event, NULL, ORDER_MEMORY, reach),
        isl_union_map_copy(awaited));
    rest = isl_union_map_union(rest, order_of_thread(order, &wait->event, b));
    pairs = isl_union_map_union(pairs, isl_union_map_apply_range(ends, rest));
  }
  isl_union_map_free(awaited);
  return pairs;
}

isl_union_map *order_before(Order *order, OrderTouch *a, int block,
                            OrderTouch *b, OrderReach reach) {
  isl_union_map *pairs =
      done_before(order, a, block, &b->event, order_awaited(order, b), reach);
  // A tensor core does what its thread asks for one after the other.
  if (a->step->u.touch.touch->done == DONE_TENSOR &&
      b->step->u.touch.touch->done == DONE_TENSOR)
    pairs = isl_union_map_union(pairs,
                                order_of_thread(order, &a->event, &b->event));
  return pairs;
}

isl_union_map *order_before_event(Order *order, OrderTouch *a,
                                  const OrderEvent *b, OrderReach reach) {
  return done_before(order, a, ORDER_ALL_BLOCKS, b,
                     graph_awaited(&order->graph, b), reach);
}

#else
typedef int OrderDoneNotBuilt; // a file can't be empty
#endif
