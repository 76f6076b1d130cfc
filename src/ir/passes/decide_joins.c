// SPDX-License-Identifier: Apache-2.0
// Which starts and ends of fork-join loops need a barrier.
//
// Note [Deciding joins]
// A join may go if no two accesses on a path through it need it: one before it
// and one behind it, at least one a write, that may touch the same memory and
// aren't known to have one owner (see owner_map.c). Joins are decided in
// program order. Before a join everything counts that gets there without a
// barrier that is certain: syncs and joins that were kept; joins not decided
// yet are taken to be dropped. Behind it everything counts up to the next
// barrier or join. So for two accesses with several dropped joins between
// them, the last of these joins was judged with exactly this pair.
#include "base/panic.h"
#include "ir/analyses/alias.h"
#include "ir/analyses/flow.h"
#include "ir/analyses/owner_map.h"
#include "ir/analyses/touches.h"

// Beyond these bounds the remaining joins are kept.
#define MAX_PAIRS  20000u    // of one join
#define MAX_VISITS 20000000u // of all searches

typedef struct {
  const IrKernel *kernel;
  const Flow *flow;
  Arena *scratch;
  OwnerMaps *maps;
  uint32_t *stamp, clock; // by point
  hd_vec(uint32_t) stack;
  uint32_t n_visits;
  const IrGroup *group; // of the join under decision
  bool has_copies;      // asynchronous ones, which write between any two nodes
} Decider;

typedef hd_vec(const IrNode *) NodeList;

// Orders all threads of the group.
static bool orders(const Decider *d, const IrNode *node) {
  return ir_is_barrier(node->op) &&
         ir_group_contains(node->u.group.group, d->group);
}

static bool is_certain(const IrNode *node) {
  return node->op != IR_JOIN || node->u.group.join == JOIN_KEPT;
}

static bool is_out_of_reach(const IrTouch *touch, void *context) {
  (void)context;
  return touch->kind != IR_TOUCH_MEMORY ||
         (touch->object && (touch->object->space == SPACE_LOCAL ||
                            touch->object->space == SPACE_CONSTANT));
}

// Memory that other threads can touch and somebody may write.
static bool touches_memory(const IrNode *node) {
  return !ir_touches(node, is_out_of_reach, NULL);
}

static void decide_joins_push(Decider *d, uint32_t point) {
  if (d->stamp[point] == d->clock)
    return;
  d->stamp[point] = d->clock;
  VEC_PUSH(d->scratch, &d->stack, point);
}

// Collects what is reached from the join; `is_forward` says which way. Stops at
// barriers that are certain, or (forward) at any.
static void decide_joins_collect(Decider *d, const IrNode *join,
                                 bool is_forward, NodeList *found) {
  const Flow *flow = d->flow;
  const uint32_t *begin = is_forward ? flow->next_begin : flow->previous_begin;
  const uint32_t *ends = is_forward ? flow->next : flow->previous;
  d->clock++;
  d->stack.count = 0;
  found->count = 0;
  uint32_t point = flow_at(flow, join);
  for (;;) {
    for (uint32_t i = begin[point]; i < begin[point + 1]; i++)
      decide_joins_push(d, ends[i]);
    bool is_behind = true, is_cut = true;
    while (is_cut) {
      if (d->stack.count == 0 || ++d->n_visits > MAX_VISITS)
        return;
      point = VEC_POP(&d->stack);
      const IrNode *node = flow_node(flow, point, &is_behind);
      is_cut =
          !is_behind && orders(d, node) && (is_forward || is_certain(node));
      if (!is_behind && touches_memory(node))
        VEC_PUSH(d->scratch, found, node);
    }
  }
}

static bool may_touch_same(const Decider *d, const IrNode *a, const IrNode *b) {
  const IrObject *x = ir_target_object(a), *y = ir_target_object(b);
  if (x && y)
    return ir_may_alias(d->kernel, x, y);
  if (x || y)
    return ir_pointer_may_reach(x ? b : a, x ? x : y);
  return true;
}

static void decide_joins_keep(IrNode *join, const char *reason,
                              const IrObject *object) {
  join->u.group.join = JOIN_KEPT;
  join->u.group.reason = reason;
  join->u.group.array = object ? object->name : NULL;
}

// False where the pair needs the barrier.
static bool decide_joins_is_harmless(Decider *d, const IrNode *join,
                                     const IrNode *a, const IrNode *b,
                                     const IrObject **owned) {
  if ((!ir_is_write(a) && !ir_is_write(b)) || !may_touch_same(d, a, b))
    return true;
  const IrObject *object = ir_target_object(a);
  if (!object || object != ir_target_object(b) ||
      !owner_maps_same(d->maps, a, b, d->group, join))
    return false;
  *owned = object;
  return true;
}

static void decide_one_join(Decider *d, IrNode *join) {
  d->group = join->u.group.group;
  if (d->has_copies) {
    decide_joins_keep(join, "an asynchronous copy may be under way", NULL);
    return;
  }
  NodeList before = {0}, behind = {0};
  decide_joins_collect(d, join, false, &before);
  decide_joins_collect(d, join, true, &behind);
  if (d->n_visits > MAX_VISITS ||
      (uint64_t)before.count * behind.count > MAX_PAIRS) {
    decide_joins_keep(join, "there is too much before and after it to compare",
                      NULL);
    return;
  }
  const IrObject *owned = NULL;
  for (uint32_t i = 0; i < before.count; i++)
    for (uint32_t k = 0; k < behind.count; k++)
      if (!decide_joins_is_harmless(d, join, before.data[i], behind.data[k],
                                    &owned)) {
        const IrObject *object = ir_target_object(before.data[i]);
        decide_joins_keep(
            join, "another thread may touch the same element of this array",
            object ? object : ir_target_object(behind.data[k]));
        return;
      }
  join->u.group.join = owned ? JOIN_DROPPED_SAME_OWNER : JOIN_DROPPED_DISJOINT;
  join->u.group.reason =
      owned ? "each element belongs to the same thread before and after it"
            : "nothing that is written on one side is touched on the other";
  join->u.group.array = owned ? owned->name : NULL;
}

void ir_decide_joins(IrKernel *kernel, const Uniformity *uniformity) {
  HD_ASSERT(uniformity->kernel == kernel);
  Arena *scratch = arena_new();
  const NodeOrder *order = uniformity->order;
  Decider d = {.kernel = kernel, .scratch = scratch};
  for (uint32_t i = 0; i < order->n_nodes; i++)
    d.has_copies |= ir_is_async_copy(order->nodes[i]);
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    IrNode *node = order->nodes[i];
    if (node->op != IR_JOIN || node->u.group.join != JOIN_OPEN)
      continue;
    if (!d.flow) {
      d.flow = flow_new(scratch, order);
      d.maps = owner_maps_new(scratch, uniformity);
      d.stamp = ARENA_ARRAY(scratch, uint32_t, d.flow->n_points);
    }
    decide_one_join(&d, node);
  }
  arena_free(scratch);
}
