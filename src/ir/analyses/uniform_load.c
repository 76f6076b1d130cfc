// SPDX-License-Identifier: Apache-2.0
#include "ir/analyses/uniform_load.h"
#include "ir/analyses/alias.h"
#include "ir/analyses/uniform_phase.h"

// Beyond this many pairs of arrays every load is taken to be written.
#define MAX_ALIAS_TESTS 4000000u
// Beyond this many asynchronous copies every shared array is copied to.
#define MAX_COPIES      1000u

struct UniformLoads {
  Arena *scratch;
  Uniformity *u;
  NodeVec all_writes;
  NodeVec writes;  // one for each object written, and those of unknown objects
  Map written;     // object to its first write
  Map answers;     // loaded object to 1 (free) or 2 (written)
  NodeVec copies;  // asynchronous ones
  Map copied;      // shared object to 1 (never) or 2 (by a copy)
  bool has_remote; // pointers to another block's shared memory
  NodeVec shared;  // loads of shared arrays that are written somewhere
  NodeVec judged;  // those of them that aren't hopeless anyway
  Phases *phases;  // made when there are such
  uint32_t n_tests;
};

static void collect_write(UniformLoads *l, const IrNode *node) {
  const IrObject *object = ir_target_object(node);
  if (object) {
    if (map_has(&l->written, MAP_KEY(object)))
      return;
    map_put(l->scratch, &l->written, MAP_KEY(object), (void *)(uintptr_t)node);
  }
  VEC_PUSH(l->scratch, &l->writes, node);
}

static bool write_may_reach(const UniformLoads *l, const IrNode *write,
                            const IrObject *object) {
  const IrObject *target = ir_target_object(write);
  return target ? ir_may_alias(l->u->kernel, target, object)
                : ir_pointer_may_reach(write, object);
}

static bool uniform_load_find_write(UniformLoads *l, const IrObject *object) {
  if (object->space == SPACE_CONSTANT)
    return false;
  if (map_has(&l->written, MAP_KEY(object)))
    return true;
  for (uint32_t i = 0; i < l->writes.count; i++)
    if (++l->n_tests > MAX_ALIAS_TESTS ||
        write_may_reach(l, l->writes.data[i], object))
      return true;
  return false;
}

static bool uniform_load_is_written(UniformLoads *l, const IrObject *object) {
  uintptr_t answer = (uintptr_t)map_get(&l->answers, MAP_KEY(object));
  if (!answer) {
    answer = uniform_load_find_write(l, object) ? 2 : 1;
    map_put(l->scratch, &l->answers, MAP_KEY(object), (void *)answer);
  }
  return answer == 2;
}

// A copy lands at any time up to its wait, whatever syncs lie between.
static bool is_copied_to(UniformLoads *l, const IrObject *object) {
  uintptr_t answer = (uintptr_t)map_get(&l->copied, MAP_KEY(object));
  if (answer)
    return answer == 2;
  bool is_copied = l->copies.count > MAX_COPIES;
  for (uint32_t i = 0; i < l->copies.count && !is_copied; i++)
    is_copied = write_may_reach(l, l->copies.data[i], object);
  map_put(l->scratch, &l->copied, MAP_KEY(object),
          (void *)(uintptr_t)(is_copied ? 2 : 1));
  return is_copied;
}

// Another block of the cluster may have a pointer to it.
static bool is_reached_from_afar(const UniformLoads *l,
                                 const IrObject *object) {
  return l->has_remote && object->address_taken;
}

// Another block may write global memory, and another block of the cluster
// shared memory of the cluster, at any time; a block's own shared memory is
// written in phases. A thread's own is judged in uniform_local.c.
static void judge_load(UniformLoads *l, const IrNode *node) {
  const IrObject *object = node->u.access.object;
  GroupSet *base = &l->u->base.data[node->id];
  if (!object || object->space == SPACE_LOCAL || *base == GROUP_SET_SINGLE ||
      !uniform_load_is_written(l, object))
    return;
  if (object->space == SPACE_SHARED && !object->is_cluster_shared &&
      !is_reached_from_afar(l, object) && !is_copied_to(l, object))
    VEC_PUSH(l->scratch, &l->shared, node);
  else
    *base = GROUP_SET_SINGLE;
}

UniformLoads *uniform_loads_new(Arena *scratch, Uniformity *u) {
  UniformLoads *l = ARENA_NEW(scratch, UniformLoads);
  const NodeOrder *order = u->order;
  l->scratch = scratch;
  l->u = u;
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    l->has_remote |= node->op == IR_MAP_SHARED;
    if (ir_is_async_copy(node) && l->copies.count <= MAX_COPIES)
      VEC_PUSH(scratch, &l->copies, node);
    if (ir_is_write(node)) {
      VEC_PUSH(scratch, &l->all_writes, node);
      collect_write(l, node);
    }
  }
  for (uint32_t i = 0; i < order->n_nodes; i++)
    if (order->nodes[i]->op == IR_LOAD)
      judge_load(l, order->nodes[i]);
  return l;
}

bool uniform_loads_update(UniformLoads *l) {
  if (!l->phases) {
    for (uint32_t i = 0; i < l->shared.count; i++)
      if (l->u->set[l->shared.data[i]->id] != GROUP_SET_SINGLE)
        VEC_PUSH(l->scratch, &l->judged, l->shared.data[i]);
    if (l->judged.count == 0)
      return false;
    l->phases = phases_new(l->scratch, l->u, &l->judged, &l->all_writes);
  }
  return phases_update(l->phases);
}
