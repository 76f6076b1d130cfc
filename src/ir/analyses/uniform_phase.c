// SPDX-License-Identifier: Apache-2.0
// Note [Phases]
// For two threads, the syncs that order them are those of the groups that hold
// both. So a load by group G and a write by group W are judged at the level of
// the smallest group A around both: are they in one phase of A, with no sync
// of A or of a group around A in between?
//
// A write becomes one bit for each level A around it, together with the child
// of A by which it is inside (the load is judged at level A only against
// writes that come from another child). Bits flow along the paths of the
// kernel, forward from the write ("may have happened in this phase") and
// backward ("may still happen"); a sync stops the bits of its own level and of
// levels inside. Threads that go different ways at a branch may be in one
// phase without a path between them: so a branch that differs at level A sends
// what may still happen behind it forward to both sides.
#include "ir/analyses/uniform_phase.h"
#include "ir/analyses/alias.h"
#include "ir/analyses/flow.h"

#define BITS_A_CHUNK 64u
#define MAX_CHUNKS   32u
#define MAX_SWEPT    (1u << 24) // points times chunks
#define MAX_ROUNDS   12u
#define MAX_STEPS    400000000u // points looked at, in all
#define MAX_TESTS    4000000u   // writes against arrays

typedef struct {
  const IrGroup *level;
  const IrGroup *child; // of the level, towards the write; NULL: at the level
} PhaseBit;

typedef struct {
  const IrObject *object;
  const IrGroup *top; // each part of it has an instance of the array
  bool is_hopeless;   // written in ways that aren't followed
  uint32_t chunk, first_bit;
  uint32_t n_bits;
  PhaseBit bits[BITS_A_CHUNK];
} PhaseArray;

typedef struct {
  uint32_t point, array, bit;
} PhaseWrite;

struct Phases {
  Arena *scratch;
  Uniformity *u;
  const Flow *flow;
  const NodeVec *loads;
  hd_vec(PhaseArray *) arrays;
  Map array_of; // object to index + 1
  hd_vec(PhaseWrite) writes;
  hd_vec(const IrNode *) branches, barriers, parts;
  uint64_t *gen, *cut, *ahead, *past;  // by point, of one chunk
  const IrGroup *levels[BITS_A_CHUNK]; // by bit, of one chunk
  uint64_t *killed;                    // by index of load
  bool *is_queued;
  uint32_t *queue;
  uint32_t n_chunks, n_rounds, n_tests;
  uint64_t n_steps;
};

// --------------------------------------------------------------- arrays

static void uniform_phase_add_array(Phases *p, const IrObject *object) {
  if (map_has(&p->array_of, MAP_KEY(object)))
    return;
  PhaseArray *array = ARENA_NEW(p->scratch, PhaseArray);
  array->object = object;
  array->top = object->group ? object->group
                             : p->u->kernel->groups.data[GROUP_ROW_BLOCK];
  VEC_PUSH(p->scratch, &p->arrays, array);
  map_put(p->scratch, &p->array_of, MAP_KEY(object),
          (void *)(uintptr_t)p->arrays.count);
}

static void add_bit(Phases *p, uint32_t index, uint32_t point,
                    const IrGroup *level, const IrGroup *child) {
  PhaseArray *array = p->arrays.data[index];
  uint32_t bit = 0;
  while (bit < array->n_bits &&
         (array->bits[bit].level != level || array->bits[bit].child != child))
    bit++;
  if (bit == BITS_A_CHUNK) {
    array->is_hopeless = true;
    return;
  }
  if (bit == array->n_bits)
    array->bits[array->n_bits++] = (PhaseBit){level, child};
  PhaseWrite write = {point, index, bit};
  VEC_PUSH(p->scratch, &p->writes, write);
}

static void add_write(Phases *p, uint32_t index, const IrNode *node) {
  PhaseArray *array = p->arrays.data[index];
  const IrGroup *child = NULL;
  const IrGroup *group = ir_node_group(p->u->kernel, node);
  if (array->is_hopeless)
    return;
  if (!ir_group_contains(array->top, group)) {
    array->is_hopeless = true;
    return;
  }
  for (const IrGroup *level = group;; level = level->parent) {
    add_bit(p, index, flow_at(p->flow, node), level, child);
    if (level == array->top)
      return;
    child = level;
  }
}

static bool may_reach(const Phases *p, const IrNode *write,
                      const IrObject *object) {
  const IrObject *target = ir_target_object(write);
  return target ? ir_may_alias(p->u->kernel, target, object)
                : ir_pointer_may_reach(write, object);
}

static void uniform_phase_add_writes(Phases *p, const IrNode *node) {
  const IrObject *target = ir_target_object(node);
  if (target && !target->alias_class && p->u->kernel->may_alias.count == 0) {
    uintptr_t index = (uintptr_t)map_get(&p->array_of, MAP_KEY(target));
    if (index)
      add_write(p, (uint32_t)index - 1, node);
    return;
  }
  for (uint32_t i = 0; i < p->arrays.count; i++) {
    if (++p->n_tests > MAX_TESTS)
      p->arrays.data[i]->is_hopeless = true;
    else if (may_reach(p, node, p->arrays.data[i]->object))
      add_write(p, i, node);
  }
}

// Whole arrays into chunks of 64 bits, as many as there is time for.
static void uniform_phase_pack(Phases *p) {
  uint32_t used = BITS_A_CHUNK;
  uint32_t limit = 1 + MAX_SWEPT / (p->flow->n_points + 1);
  if (limit > MAX_CHUNKS)
    limit = MAX_CHUNKS;
  for (uint32_t i = 0; i < p->arrays.count; i++) {
    PhaseArray *array = p->arrays.data[i];
    if (array->is_hopeless)
      continue;
    if (used + array->n_bits > BITS_A_CHUNK) {
      if (p->n_chunks == limit) {
        array->is_hopeless = true;
        continue;
      }
      p->n_chunks++;
      used = 0;
    }
    array->chunk = p->n_chunks - 1;
    array->first_bit = used;
    used += array->n_bits;
  }
}

static void collect_control(Phases *p) {
  const NodeOrder *order = p->u->order;
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    if (node->op == IR_IF)
      VEC_PUSH(p->scratch, &p->branches, node);
    else if (ir_is_barrier(node->op))
      VEC_PUSH(p->scratch, &p->barriers, node);
    else if (node->op == IR_GROUP)
      VEC_PUSH(p->scratch, &p->parts, node);
  }
}

Phases *phases_new(Arena *scratch, Uniformity *u, const NodeVec *loads,
                   const NodeVec *writes) {
  Phases *p = ARENA_NEW(scratch, Phases);
  p->scratch = scratch;
  p->u = u;
  p->loads = loads;
  p->flow = flow_new(scratch, u->order);
  for (uint32_t i = 0; i < loads->count; i++)
    uniform_phase_add_array(p, loads->data[i]->u.access.object);
  for (uint32_t i = 0; i < writes->count; i++)
    uniform_phase_add_writes(p, writes->data[i]);
  uniform_phase_pack(p);
  collect_control(p);
  uint32_t n = p->flow->n_points;
  p->gen = ARENA_ARRAY(scratch, uint64_t, n);
  p->cut = ARENA_ARRAY(scratch, uint64_t, n);
  p->ahead = ARENA_ARRAY(scratch, uint64_t, n);
  p->past = ARENA_ARRAY(scratch, uint64_t, n);
  p->is_queued = ARENA_ARRAY(scratch, bool, n);
  p->queue = ARENA_ARRAY(scratch, uint32_t, n);
  p->killed = ARENA_ARRAY(scratch, uint64_t, loads->count);
  return p;
}

// ----------------------------------------------------------- one chunk

typedef bool (*LevelTest)(const Phases *p, const IrGroup *level,
                          const void *context);

static uint64_t levels_where(const Phases *p, uint64_t among, LevelTest test,
                             const void *context) {
  uint64_t mask = 0;
  for (uint64_t left = among; left; left &= left - 1) {
    uint32_t bit = (uint32_t)__builtin_ctzll(left);
    if (test(p, p->levels[bit], context))
      mask |= UINT64_C(1) << bit;
  }
  return mask;
}

// Notes the level of each bit of the chunk; the bits that are in use.
static uint64_t set_up_levels(Phases *p, uint32_t chunk) {
  uint64_t used = 0;
  for (uint32_t i = 0; i < p->arrays.count; i++) {
    const PhaseArray *array = p->arrays.data[i];
    if (array->chunk != chunk || array->is_hopeless)
      continue;
    for (uint32_t k = 0; k < array->n_bits; k++) {
      p->levels[array->first_bit + k] = array->bits[k].level;
      used |= UINT64_C(1) << (array->first_bit + k);
    }
  }
  return used;
}

static bool uniform_phase_is_within(const Phases *p, const IrGroup *level,
                                    const void *group) {
  (void)p;
  return ir_group_contains(group, level);
}

static bool is_split_by(const Phases *p, const IrGroup *level,
                        const void *node) {
  const IrNode *condition = ((const IrNode *)node)->args[0];
  return !uniformity_has(p->u, condition, level);
}

static void set_up_chunk(Phases *p, uint32_t chunk) {
  uint64_t used = set_up_levels(p, chunk);
  for (uint32_t i = 0; i < p->flow->n_points; i++)
    p->gen[i] = p->cut[i] = p->ahead[i] = p->past[i] = 0;
  for (uint32_t i = 0; i < p->writes.count; i++) {
    PhaseWrite write = p->writes.data[i];
    const PhaseArray *array = p->arrays.data[write.array];
    if (array->chunk == chunk && !array->is_hopeless)
      p->gen[write.point] |= UINT64_C(1) << (array->first_bit + write.bit);
  }
  for (uint32_t i = 0; i < p->barriers.count; i++) {
    const IrNode *node = p->barriers.data[i];
    p->cut[flow_at(p->flow, node)] =
        levels_where(p, used, uniform_phase_is_within, node->u.group.group);
  }
  // Threads of the group take no way around their statement: kept at its
  // beginning, which is a barrier for nothing.
  for (uint32_t i = 0; i < p->parts.count; i++) {
    const IrNode *node = p->parts.data[i];
    p->cut[flow_at(p->flow, node)] =
        levels_where(p, used, uniform_phase_is_within, node->u.part.group);
  }
}

// What goes along the edge: all but, around a group statement, its own bits.
static uint64_t along(const Phases *p, uint32_t from, uint32_t to,
                      uint64_t bits) {
  bool is_behind;
  const IrNode *node = flow_node(p->flow, from, &is_behind);
  if (node->op == IR_GROUP && !is_behind && to == flow_behind(p->flow, node) &&
      node->regions[0].first)
    return bits & ~p->cut[from];
  return bits;
}

static uint64_t stopped(const Phases *p, uint32_t point) {
  bool is_behind;
  return flow_node(p->flow, point, &is_behind)->op == IR_GROUP ? 0
                                                               : p->cut[point];
}

static uint64_t gather_ahead(const Phases *p, uint32_t point) {
  uint64_t bits = 0;
  const Flow *flow = p->flow;
  for (uint32_t i = flow->next_begin[point]; i < flow->next_begin[point + 1];
       i++)
    bits |= along(p, point, flow->next[i], p->ahead[flow->next[i]]);
  return (bits & ~stopped(p, point)) | p->gen[point];
}

// `past` is what comes out of a point.
static uint64_t into(const Phases *p, uint32_t point) {
  uint64_t bits = 0;
  const Flow *flow = p->flow;
  for (uint32_t i = flow->previous_begin[point];
       i < flow->previous_begin[point + 1]; i++)
    bits |= along(p, flow->previous[i], point, p->past[flow->previous[i]]);
  return bits;
}

static uint64_t gather_past(const Phases *p, uint32_t point) {
  return (into(p, point) & ~stopped(p, point)) | p->gen[point];
}

// To the fixpoint, from a queue of all points that starts in the given order.
static void flow_all(Phases *p, bool is_forward) {
  uint32_t n = p->flow->n_points, head = 0, count = n;
  const uint32_t *begin =
      is_forward ? p->flow->next_begin : p->flow->previous_begin;
  const uint32_t *ends = is_forward ? p->flow->next : p->flow->previous;
  uint64_t *bits = is_forward ? p->past : p->ahead;
  for (uint32_t i = 0; i < n; i++) {
    p->queue[i] = is_forward ? i : n - 1 - i;
    p->is_queued[i] = true;
  }
  while (count && p->n_steps < MAX_STEPS) {
    uint32_t point = p->queue[head];
    head = head + 1 == n ? 0 : head + 1;
    count--;
    p->n_steps++;
    p->is_queued[point] = false;
    uint64_t now = bits[point] | (is_forward ? gather_past(p, point)
                                             : gather_ahead(p, point));
    if (now == bits[point])
      continue;
    bits[point] = now;
    for (uint32_t i = begin[point]; i < begin[point + 1]; i++)
      if (!p->is_queued[ends[i]]) {
        p->is_queued[ends[i]] = true;
        uint32_t tail = head + count < n ? head + count : head + count - n;
        p->queue[tail] = ends[i];
        count++;
      }
  }
}

static void run_chunk(Phases *p, uint32_t chunk) {
  set_up_chunk(p, chunk);
  flow_all(p, false);
  for (uint32_t i = 0; i < p->branches.count; i++) {
    const IrNode *node = p->branches.data[i];
    uint32_t point = flow_at(p->flow, node);
    p->gen[point] |= levels_where(p, p->ahead[point], is_split_by, node);
  }
  flow_all(p, true);
  for (uint32_t i = 0; i < p->loads->count; i++) {
    const IrNode *load = p->loads->data[i];
    uintptr_t index =
        (uintptr_t)map_get(&p->array_of, MAP_KEY(load->u.access.object));
    uint32_t point = flow_at(p->flow, load);
    const PhaseArray *array = p->arrays.data[index - 1];
    if (!array->is_hopeless && array->chunk == chunk)
      p->killed[i] = into(p, point) | p->ahead[point];
  }
}

// --------------------------------------------------------------- loads

// Different executions of the part, or its instances side by side, may be
// different threads, which only a sync of the parent orders.
static bool is_one_set_of_threads(const Phases *p, const IrGroup *part) {
  if (part->kind != GROUP_RANGE && part->kind != GROUP_SINGLE)
    return false;
  if (!part->maker)
    return false;
  return part->begin >= 0 || part->maker->u.part.is_any ||
         (part->maker->n_args && uniform_is_fixed(p->u, part->maker->args[0]));
}

// Is the array written in the phase of the load, for the threads of `group`?
// `chain` holds the groups around the load from the array's down; the group is
// number `at`.
static bool is_killed(const Phases *p, const PhaseArray *array, uint64_t killed,
                      const IrGroup *const *chain, uint32_t at) {
  for (uint32_t k = 0; k < array->n_bits; k++) {
    if (!(killed >> (array->first_bit + k) & 1))
      continue;
    PhaseBit bit = array->bits[k];
    for (uint32_t level = 0; level <= at; level++)
      if (chain[level] == bit.level &&
          (level == at || bit.child != chain[level + 1] ||
           !is_one_set_of_threads(p, bit.child)))
        return true;
  }
  return false;
}

#define MAX_CHAIN 64u

static GroupSet uniform_phase_load_base(const Phases *p, const IrNode *load,
                                        uint64_t killed) {
  uintptr_t index =
      (uintptr_t)map_get(&p->array_of, MAP_KEY(load->u.access.object));
  const PhaseArray *array = p->arrays.data[index - 1];
  const IrGroup *group = ir_node_group(p->u->kernel, load);
  const IrGroup *chain[MAX_CHAIN];
  uint32_t n = 0, depth = 0;
  for (const IrGroup *up = group; up; up = up->parent) {
    depth++;
    if (up == array->top)
      n = depth;
  }
  if (array->is_hopeless || n == 0 || n > MAX_CHAIN)
    return GROUP_SET_SINGLE;
  for (uint32_t i = n; i-- > 0; group = group->parent)
    chain[i] = group;
  for (uint32_t i = 0; i < n; i++)
    if (!is_killed(p, array, killed, chain, i))
      return group_set_inside(p->u->sets, chain[i]);
  return GROUP_SET_SINGLE;
}

bool phases_update(Phases *p) {
  bool has_changed = false;
  if (++p->n_rounds <= MAX_ROUNDS)
    for (uint32_t i = 0; i < p->n_chunks; i++)
      run_chunk(p, i);
  bool gives_up = p->n_rounds > MAX_ROUNDS || p->n_steps >= MAX_STEPS;
  for (uint32_t i = 0; i < p->loads->count; i++) {
    const IrNode *load = p->loads->data[i];
    GroupSet *base = &p->u->base.data[load->id];
    GroupSet now = gives_up ? GROUP_SET_SINGLE
                            : uniform_phase_load_base(p, load, p->killed[i]);
    now = group_set_meet(p->u->sets, *base, now);
    has_changed |= now != *base;
    *base = now;
  }
  return has_changed;
}
