// SPDX-License-Identifier: Apache-2.0
// What was found, said once for each pair of places.
#include "check/run/detect.h"
#include <string.h>

void detect_block_index(const Detect *d, int64_t linear, int32_t out[3]) {
  if (d->blocks)
    linear = d->blocks[linear];
  for (int i = 0; i < 3; i++) {
    out[i] = (int32_t)(linear % d->grid[i]);
    linear /= d->grid[i];
  }
}

uint32_t detect_cluster_of(const Detect *d, int64_t block) {
  int32_t at[3];
  uint32_t number = 0;
  detect_block_index(d, block, at);
  for (int i = 2; i >= 0; i--)
    number = number * (uint32_t)(d->grid[i] / d->cluster[i]) +
             (uint32_t)(at[i] / d->cluster[i]);
  return number;
}

// What was told of a place, and of which thread; -1: of none.
typedef struct {
  uint32_t found;
  int64_t thread;
} ToldEvent;

// Of accesses outside of arrays the one of the lowest thread is kept. Behind
// the first one a run isn't exact any more, but for more of the same place,
// which need nothing of what that one would have done.
static bool is_lower(const Detect *d, ConcreteKind kind, const ToldEvent *told,
                     const IrNode *node, int64_t thread) {
  return kind == EVENT_FOUND_BOUNDS && d->tainted_by == node && thread >= 0 &&
         thread < told->thread;
}

static uint64_t told_key(ConcreteKind kind, const IrNode *a, const IrNode *b) {
  const IrNode *first = a, *second = b;
  if (b && b->id < a->id) {
    first = b;
    second = a;
  }
  return (uint64_t)kind << 48 ^ (uint64_t)(first->id + 1) << 24 ^
         (second ? second->id + 1 : 0);
}

bool detect_is_told(const Detect *d, ConcreteKind kind,
                    const ObservedThread *thread, const IrNode *node,
                    const IrNode *other) {
  int64_t number = thread ? (int64_t)thread->number : -1;
  const ToldEvent *told = map_get(&d->told, told_key(kind, node, other));
  return told && !is_lower(d, kind, told, node, number);
}

// NULL: it was told, of a thread that is as good.
static ConcreteFinding *found_new(Detect *d, ConcreteKind kind, const IrNode *a,
                                  const IrNode *b, int64_t thread) {
  uint64_t key = told_key(kind, a, b);
  ToldEvent *told = map_get(&d->told, key);
  if (told && !is_lower(d, kind, told, a, thread))
    return NULL;
  if (told) {
    told->thread = thread;
    return &d->out->found.data[told->found];
  }
  told = ARENA_NEW(d->arena, ToldEvent);
  *told = (ToldEvent){d->out->found.count, thread};
  map_put(d->arena, &d->told, key, told);
  ConcreteFinding found = {.kind = kind};
  if (kind == EVENT_FOUND_PARTIAL) {
    VEC_PUSH(d->result, &d->out->remarks, found);
    return &VEC_LAST(&d->out->remarks);
  }
  VEC_PUSH(d->result, &d->out->found, found);
  return &VEC_LAST(&d->out->found);
}

static ConcreteSide side_of(const Detect *d, const IrNode *node,
                            int64_t thread) {
  ConcreteSide side = {.node = node, .thread = -1};
  if (thread >= 0) {
    side.thread = (int32_t)(thread % d->n_threads);
    detect_block_index(d, thread / d->n_threads, side.block);
  }
  return side;
}

ConcreteFinding *detect_found(Detect *d, ConcreteKind kind,
                              const ObservedThread *thread, const IrNode *node,
                              const IrNode *other, const Fact *fact) {
  int64_t number = thread ? (int64_t)thread->number : -1;
  ConcreteFinding *found = found_new(d, kind, node, other, number);
  if (!found)
    return NULL;
  found->a = side_of(d, node, number);
  if (other)
    found->b = side_of(d, other, -1);
  found->fact = *fact;
  return found;
}

// ------------------------------------------------------------------ races

static void detect_report_name_element(Detect *d, ConcreteFinding *found,
                                       uint64_t address) {
  const DetectArray *array = detect_find_array(d, address);
  const IrObject *object = found->object = array->object;
  int64_t rest = (int64_t)((address - array->base) /
                           (object->element_bytes ? object->element_bytes : 1));
  found->n_index = array->strides ? object->rank : 1;
  for (uint32_t i = 0; i < found->n_index; i++) {
    int64_t stride = array->strides ? array->strides[i] : 1;
    found->index[i] = rest / (stride > 0 ? stride : 1);
    rest -= found->index[i] * stride;
  }
}

// Nodes by id, made once.
typedef struct {
  const IrNode **nodes;
} NodeTable;

static bool note_node(IrNode *node, void *context) {
  NodeTable *table = context;
  table->nodes[node->id] = node;
  return true;
}

static const IrNode *node_of(Detect *d, uint32_t id, bool is_copy,
                             uint32_t who) {
  if (is_copy)
    return d->copies.data[who]->node;
  if (!d->nodes) {
    NodeTable table = {
        ARENA_ARRAY(d->arena, const IrNode *, d->kernel->n_nodes)};
    ir_walk((IrRegion *)(uintptr_t)&d->kernel->body, note_node, &table);
    d->nodes = table.nodes;
  }
  return d->nodes[id];
}

static ConcreteSide side_from(Detect *d, uint32_t node, uint32_t who,
                              uint8_t kind) {
  bool is_copy = kind & KIND_COPY;
  ConcreteSide side =
      side_of(d, node_of(d, node, is_copy, who), is_copy ? -1 : (int64_t)who);
  if (is_copy)
    detect_block_index(d, d->copies.data[who]->block, side.block);
  side.is_copy = is_copy;
  side.is_write = kind & KIND_WRITES;
  side.is_atomic = kind & KIND_ATOMIC;
  return side;
}

static FactKind detect_report_reason(const Detect *d,
                                     const ConcreteFinding *found,
                                     uint32_t both_atomic) {
  const ConcreteSide *a = &found->a, *b = &found->b;
  if (found->kind == EVENT_FOUND_FENCE)
    return FACT_NO_FENCE;
  if (both_atomic)
    return FACT_NARROW_SCOPE;
  if (a->is_copy || b->is_copy)
    return FACT_COPY_RACES;
  bool is_one_block = memcmp(a->block, b->block, sizeof a->block) == 0;
  if (is_one_block && a->thread == b->thread)
    return FACT_ONE_TILE;
  if (!is_one_block)
    return d->kernel->cluster_dim[0] > 0 ? FACT_CLUSTER_BLOCKS
                                         : FACT_TWO_BLOCKS;
  return FACT_NO_BARRIER;
}

// Of each pair of places the race of the lowest threads is kept: the lower one
// decides, then the other.
typedef struct {
  uint32_t found, low, high;
} ToldRace;

// Its number among what was found; UINT32_MAX: lower threads were told.
static uint32_t place_of_race(Detect *d, uint64_t key, uint32_t a, uint32_t b) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  ToldRace *told = map_get(&d->told, key);
  if (told && (told->low < low || (told->low == low && told->high <= high)))
    return UINT32_MAX;
  if (!told) {
    told = ARENA_NEW(d->arena, ToldRace);
    told->found = d->out->found.count;
    map_put(d->arena, &d->told, key, told);
    VEC_PUSH(d->result, &d->out->found, (ConcreteFinding){0});
  }
  told->low = low;
  told->high = high;
  return told->found;
}

void detect_race(Detect *d, const Actor *actor, const Record *record,
                 uint32_t who, uint64_t address, bool is_fence) {
  if (d->is_order_lost)
    return;
  // Ids tell places apart cheaply; the nodes are looked up for what is new.
  uint64_t low = actor->node, high = record->node;
  if (low > high) {
    low = record->node;
    high = actor->node;
  }
  bool is_same =
      d->reads_own || (record->value && record->value == actor->value);
  uint64_t key = UINT64_C(1) << 63 | (uint64_t)is_fence << 62 |
                 (uint64_t)is_same << 61 | (uint64_t)d->is_tainted << 60 |
                 high << 30 | low;
  uint32_t number = place_of_race(d, key, who, actor->who);
  if (number == UINT32_MAX)
    return;
  ConcreteFinding found = {.kind =
                               is_fence ? EVENT_FOUND_FENCE : EVENT_FOUND_RACE,
                           .is_same_value = is_same,
                           .is_after_fault = d->is_tainted};
  found.is_owner =
      (record->kind & actor->kind & KIND_ATOMIC) && d->owner_strict;
  found.a = side_from(d, record->node, who, record->kind);
  found.b = side_from(d, actor->node, actor->who, actor->kind);
  detect_report_name_element(d, &found, address);
  found.fact.kind =
      detect_report_reason(d, &found, record->kind & actor->kind & KIND_ATOMIC);
  d->out->found.data[number] = found;
}
