// SPDX-License-Identifier: Apache-2.0
#include "ir/uniform_load.h"
#include "ir/alias.h"

// Beyond this many pairs of arrays every load is taken to be written.
#define MAX_ALIAS_TESTS 4000000u

struct UniformLoads {
  Arena *scratch;
  Uniformity *u;
  hd_vec(const IrNode *) writes; // one for each object written, or unknown
  Map written;                   // object to its first write
  Map answers;                   // loaded object to 1 (free) or 2 (written)
  uint32_t n_tests;
};

static void collect_write(UniformLoads *l, const IrNode *node) {
  const IrObject *object =
      ir_op_info(node)->form == FORM_ACCESS ? node->u.access.object : NULL;
  if (object) {
    if (map_has(&l->written, MAP_KEY(object)))
      return;
    map_put(l->scratch, &l->written, MAP_KEY(object), (void *)(uintptr_t)node);
  }
  VEC_PUSH(l->scratch, &l->writes, node);
}

static bool write_may_reach(const UniformLoads *l, const IrNode *write,
                            const IrObject *object) {
  const IrObject *target =
      ir_op_info(write)->form == FORM_ACCESS ? write->u.access.object : NULL;
  return target ? ir_may_alias(l->u->kernel, target, object)
                : ir_pointer_may_reach(write, object);
}

static bool find_write(UniformLoads *l, const IrObject *object) {
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

static bool is_written(UniformLoads *l, const IrObject *object) {
  uintptr_t answer = (uintptr_t)map_get(&l->answers, MAP_KEY(object));
  if (!answer) {
    answer = find_write(l, object) ? 2 : 1;
    map_put(l->scratch, &l->answers, MAP_KEY(object), (void *)answer);
  }
  return answer == 2;
}

UniformLoads *uniform_loads_new(Arena *scratch, Uniformity *u) {
  UniformLoads *l = ARENA_NEW(scratch, UniformLoads);
  l->scratch = scratch;
  l->u = u;
  for (uint32_t i = 0; i < u->order->n_nodes; i++)
    if (ir_is_write(u->order->nodes[i]))
      collect_write(l, u->order->nodes[i]);
  for (uint32_t i = 0; i < u->order->n_nodes; i++) {
    const IrNode *node = u->order->nodes[i];
    if (node->op == IR_LOAD && node->u.access.object &&
        u->base.data[node->id] != GROUP_SET_SINGLE &&
        is_written(l, node->u.access.object))
      u->base.data[node->id] = GROUP_SET_SINGLE;
  }
  return l;
}

bool uniform_loads_update(UniformLoads *loads) {
  (void)loads;
  return false;
}
