// SPDX-License-Identifier: Apache-2.0
// Note [Lives of shared arrays]
// X and Y may lie in the same bytes if both hold:
//
// 1. No thread touches X while another may touch Y. All threads of the block
//    pass its syncs together, so a touch of the one and a touch of the other
//    need a sync of the block between them. The points of the kernel
//    (ir/analyses/flow.h) without the syncs fall into parts: what a path of any
//    direction connects is one part, so that the two sides of a branch on which
//    threads differ are. Branches and loops with such a sync inside are passed
//    by all threads together, too, and go one way for all of them: a part ends
//    there, and only the direction of paths leads on. X and Y are apart if a
//    part with one leads, without a sync, to a part with the other, or is it.
// 2. No touch of Y stands where X still holds a value that is read: behind a
//    write of X on some path, and before a read of X on some path. Paths go
//    through the ends of loops to the next turn. That the elements read are the
//    ones written is not asked.
//
// A thread's asynchronous copy touches its array until the thread has committed
// it and waited for all of its sets. Arrays stay alone which pointers, other
// blocks, mbarriers or the copy engine reach, whose size is not constant, or
// whose first touch in program order is a read: what they hold may come from
// somewhere that the paths don't show. Syncs of smaller groups, arrivals and
// syncs of the compiler's own are not counted as syncs.
#include "ir/analyses/shared_life.h"

#include "ir/analyses/analysis.h"
#include "ir/analyses/flow.h"
#include "ir/analyses/touches.h"

// Of larger kernels nothing is shared.
#define MOST_NODES 200000u
#define NO_ROW     SHARED_LIFE_ROWS

typedef struct {
  Arena *scratch;
  const IrKernel *kernel;
  SharedLives *lives;
  const NodeOrder *order;
  const Flow *flow;
  bool *is_alone;   // by object id
  bool *is_touched; // by object id
  uint32_t n_rows;
  // By point, bits by row.
  uint64_t *touches, *reads, *writes;
  bool *is_sync, *is_head;  // by point
  uint32_t *part;           // by point: a point of its part, towards the root
  uint64_t *inside, *ahead; // by root: touched in the part; or behind it
  const IrNode *node;       // whose touches are noted
} LifeMaker;

// -------------------------------------------------------------- candidates

bool ir_object_bytes(const IrObject *object, uint32_t element_bytes,
                     uint64_t ceiling, uint64_t *bytes) {
  *bytes = element_bytes;
  for (uint32_t k = 0; k < object->rank; k++) {
    const IrHost *extent = object->extents[k];
    if (!extent || extent->op != HOST_CONST || extent->is_float ||
        extent->number < 0)
      return false;
    if (__builtin_mul_overflow(*bytes, (uint64_t)extent->number, bytes) ||
        *bytes > ceiling)
      *bytes = ceiling;
  }
  return true;
}

static bool life_is_own(const LifeMaker *m, const IrObject *object) {
  return object && object->id < m->kernel->objects.count &&
         m->kernel->objects.data[object->id] == object;
}

static bool life_may_share(const LifeMaker *m, const IrObject *object) {
  const IrGroup *block = m->kernel->groups.data[GROUP_ROW_BLOCK];
  uint64_t bytes;
  return object->space == SPACE_SHARED && object->kind == OBJECT_ARRAY &&
         !object->is_cluster_shared && !object->is_uninitialised_ok &&
         !object->is_scratch && !object->is_tensor && !object->marks_barrier &&
         !object->is_table && object->alias_class == 0 &&
         object->holes.count == 0 && object->group &&
         ir_group_contains(block, object->group) &&
         ir_object_bytes(object, object->element_bytes, UINT64_MAX, &bytes);
}

// A thread copies its part, and can wait for it.
static bool life_is_plain_copy(const IrNode *node) {
  return node->op == IR_COPY_ASYNC && !node->u.copy.barrier &&
         !node->u.copy.has_mask;
}

static bool life_note_candidate(const IrTouch *touch, void *context) {
  LifeMaker *m = context;
  if (touch->kind != IR_TOUCH_MEMORY || !life_is_own(m, touch->object))
    return true;
  uint32_t id = touch->object->id;
  bool is_followed = (touch->shape == IR_TOUCH_ELEMENT && !touch->goes_on) ||
                     life_is_plain_copy(m->node);
  if (!is_followed || touch->proxy != PROXY_GENERIC ||
      (m->node->flags & NODE_OWN) || (!m->is_touched[id] && touch->is_read))
    m->is_alone[id] = true;
  m->is_touched[id] = true;
  return true;
}

// Rows for those that may share; false: fewer than two.
static bool life_find_rows(LifeMaker *m) {
  uint32_t n = m->kernel->objects.count;
  m->is_alone = ARENA_ARRAY(m->scratch, bool, n);
  m->is_touched = ARENA_ARRAY(m->scratch, bool, n);
  for (uint32_t i = 0; i < m->order->n_nodes; i++) {
    m->node = m->order->nodes[i];
    if (m->node->op == IR_ADDRESS && life_is_own(m, m->node->u.access.object))
      m->is_alone[m->node->u.access.object->id] = true;
    ir_touches(m->node, life_note_candidate, m);
  }
  for (uint32_t i = 0; i < n; i++) {
    bool is_row = m->n_rows < SHARED_LIFE_ROWS && !m->is_alone[i] &&
                  life_may_share(m, m->kernel->objects.data[i]);
    m->lives->row[i] = (uint8_t)(is_row ? m->n_rows++ : NO_ROW);
  }
  return m->n_rows > 1;
}

// ------------------------------------------------------------------- points

static bool life_note_touch(const IrTouch *touch, void *context) {
  LifeMaker *m = context;
  if (touch->kind != IR_TOUCH_MEMORY || !life_is_own(m, touch->object) ||
      m->lives->row[touch->object->id] == NO_ROW)
    return true;
  uint32_t point = flow_at(m->flow, m->node);
  uint64_t bit = UINT64_C(1) << m->lives->row[touch->object->id];
  m->touches[point] |= bit;
  m->reads[point] |= touch->is_read ? bit : 0;
  m->writes[point] |= touch->is_write ? bit : 0;
  return true;
}

static bool life_is_block_sync(const LifeMaker *m, const IrNode *node,
                               const Uniformity *uniformity) {
  bool is_kept = node->op == IR_SYNC ||
                 (node->op == IR_JOIN && node->u.group.join == JOIN_KEPT);
  const IrGroup *block = m->kernel->groups.data[GROUP_ROW_BLOCK];
  return is_kept && !(node->flags & NODE_OWN) &&
         ir_group_contains(node->u.group.group, block) &&
         uniformity_converged(uniformity, node, block);
}

static bool life_find_syncs(LifeMaker *m) {
  const Uniformity *uniformity = ir_uniformity(m->scratch, m->kernel);
  bool has_syncs = false;
  for (uint32_t i = 0; i < m->order->n_nodes; i++) {
    const IrNode *node = m->order->nodes[i];
    if (!life_is_block_sync(m, node, uniformity))
      continue;
    has_syncs = m->is_sync[flow_at(m->flow, node)] = true;
    for (const IrNode *up = ir_node_owner(node); up; up = ir_node_owner(up))
      if (up->op == IR_IF || up->op == IR_LOOP || up->op == IR_FOR)
        m->is_head[flow_at(m->flow, up)] = true;
  }
  return has_syncs;
}

static void life_find_points(LifeMaker *m) {
  uint32_t n = m->flow->n_points;
  m->touches = ARENA_ARRAY(m->scratch, uint64_t, n);
  m->reads = ARENA_ARRAY(m->scratch, uint64_t, n);
  m->writes = ARENA_ARRAY(m->scratch, uint64_t, n);
  for (uint32_t i = 0; i < m->order->n_nodes; i++) {
    m->node = m->order->nodes[i];
    ir_touches(m->node, life_note_touch, m);
  }
}

// ---------------------------------------------------------------- spreading

typedef struct {
  uint32_t *data;
  bool *is_in;
  uint32_t count;
} LifeStack;

static LifeStack life_stack(Arena *arena, uint32_t n) {
  LifeStack stack = {ARENA_ARRAY(arena, uint32_t, n),
                     ARENA_ARRAY(arena, bool, n), 0};
  return stack;
}

static void life_push(LifeStack *stack, uint32_t point) {
  if (!stack->is_in[point])
    stack->data[stack->count++] = point;
  stack->is_in[point] = true;
}

static uint32_t life_pop(LifeStack *stack) {
  uint32_t point = stack->data[--stack->count];
  stack->is_in[point] = false;
  return point;
}

// The bits of each point and of all points from which a path leads there; or,
// backwards, to which one leads.
static uint64_t *life_spread(const LifeMaker *m, const uint64_t *bits,
                             bool is_forward) {
  const Flow *flow = m->flow;
  const uint32_t *begin = is_forward ? flow->next_begin : flow->previous_begin;
  const uint32_t *ends = is_forward ? flow->next : flow->previous;
  LifeStack stack = life_stack(m->scratch, flow->n_points);
  uint64_t *all = ARENA_ARRAY(m->scratch, uint64_t, flow->n_points);
  for (uint32_t p = 0; p < flow->n_points; p++) {
    all[p] = bits[p];
    if (bits[p])
      life_push(&stack, p);
  }
  while (stack.count) {
    uint32_t p = life_pop(&stack);
    for (uint32_t i = begin[p]; i < begin[p + 1]; i++) {
      if ((all[p] & ~all[ends[i]]) == 0)
        continue;
      all[ends[i]] |= all[p];
      life_push(&stack, ends[i]);
    }
  }
  return all;
}

// ------------------------------------------------------------------- copies

typedef struct {
  uint64_t open, closed; // copies that aren't committed, and that are
} LifeCopies;

static LifeCopies life_copies_behind(const LifeMaker *m, uint32_t point,
                                     LifeCopies copies) {
  bool is_behind;
  const IrNode *node = flow_node(m->flow, point, &is_behind);
  if (is_behind)
    return copies;
  if (life_is_plain_copy(node))
    copies.open |= m->touches[point] & (m->reads[point] | m->writes[point]);
  if (node->op == IR_COPY_COMMIT)
    copies = (LifeCopies){0, copies.open | copies.closed};
  if (node->op == IR_COPY_WAIT && node->u.index.number == 0)
    copies.closed = 0;
  return copies;
}

// Copies under way touch their arrays.
static void life_follow_copies(LifeMaker *m) {
  const Flow *flow = m->flow;
  LifeStack stack = life_stack(m->scratch, flow->n_points);
  LifeCopies *before = ARENA_ARRAY(m->scratch, LifeCopies, flow->n_points);
  for (uint32_t i = 0; i < m->order->n_nodes; i++)
    if (life_is_plain_copy(m->order->nodes[i]))
      life_push(&stack, flow_at(flow, m->order->nodes[i]));
  while (stack.count) {
    uint32_t p = life_pop(&stack);
    LifeCopies behind = life_copies_behind(m, p, before[p]);
    for (uint32_t i = flow->next_begin[p]; i < flow->next_begin[p + 1]; i++) {
      LifeCopies *next = &before[flow->next[i]];
      if ((behind.open & ~next->open) == 0 &&
          (behind.closed & ~next->closed) == 0)
        continue;
      next->open |= behind.open;
      next->closed |= behind.closed;
      life_push(&stack, flow->next[i]);
    }
  }
  for (uint32_t p = 0; p < flow->n_points; p++)
    m->touches[p] |= before[p].open | before[p].closed;
}

// -------------------------------------------------------------------- parts

static uint32_t life_root(const LifeMaker *m, uint32_t point) {
  while (m->part[point] != point)
    point = m->part[point] = m->part[m->part[point]];
  return point;
}

static bool life_is_end(const LifeMaker *m, uint32_t point) {
  return m->is_sync[point] || m->is_head[point];
}

static void life_find_parts(LifeMaker *m) {
  const Flow *flow = m->flow;
  m->part = ARENA_ARRAY(m->scratch, uint32_t, flow->n_points);
  m->inside = ARENA_ARRAY(m->scratch, uint64_t, flow->n_points);
  m->ahead = ARENA_ARRAY(m->scratch, uint64_t, flow->n_points);
  for (uint32_t p = 0; p < flow->n_points; p++)
    m->part[p] = p;
  for (uint32_t p = 0; p < flow->n_points; p++)
    for (uint32_t i = flow->next_begin[p]; i < flow->next_begin[p + 1]; i++)
      if (!life_is_end(m, p) && !life_is_end(m, flow->next[i]))
        m->part[life_root(m, p)] = life_root(m, flow->next[i]);
  for (uint32_t p = 0; p < flow->n_points; p++)
    m->inside[life_root(m, p)] |= m->touches[p];
  for (uint32_t p = 0; p < flow->n_points; p++)
    m->ahead[p] = m->inside[p];
}

static bool life_add_ahead(LifeMaker *m, uint32_t from, uint32_t to) {
  uint32_t a = life_root(m, from), b = life_root(m, to);
  if (m->is_sync[from] || m->is_sync[to] || (m->ahead[b] & ~m->ahead[a]) == 0)
    return false;
  m->ahead[a] |= m->ahead[b];
  return true;
}

// Parts meet at heads of branches and loops only.
static void life_find_ahead(LifeMaker *m) {
  const Flow *flow = m->flow;
  bool has_changed;
  do {
    has_changed = false;
    for (uint32_t p = flow->n_points; p-- > 0;) {
      if (!m->is_head[p])
        continue;
      for (uint32_t i = flow->next_begin[p]; i < flow->next_begin[p + 1]; i++)
        has_changed |= life_add_ahead(m, p, flow->next[i]);
      for (uint32_t i = flow->previous_begin[p];
           i < flow->previous_begin[p + 1]; i++)
        has_changed |= life_add_ahead(m, flow->previous[i], p);
    }
  } while (has_changed);
}

// -------------------------------------------------------------------- result

// Each row of the one set is apart from all of the other.
static void life_part_rows(SharedLives *lives, uint64_t a, uint64_t b) {
  for (uint32_t i = 0; i < SHARED_LIFE_ROWS; i++) {
    if (a >> i & 1)
      lives->apart[i] |= b;
    if (b >> i & 1)
      lives->apart[i] |= a;
  }
}

static void life_find_apart(LifeMaker *m) {
  const uint64_t *past = life_spread(m, m->writes, true);
  const uint64_t *coming = life_spread(m, m->reads, false);
  for (uint32_t p = 0; p < m->flow->n_points; p++) {
    if (m->inside[p])
      life_part_rows(m->lives, m->inside[p], m->ahead[p]);
    if (m->touches[p])
      life_part_rows(m->lives, m->touches[p], past[p] & coming[p]);
  }
  uint64_t no_row = m->n_rows < SHARED_LIFE_ROWS ? UINT64_MAX << m->n_rows : 0;
  for (uint32_t i = 0; i < m->n_rows; i++)
    m->lives->apart[i] |= no_row | UINT64_C(1) << i;
}

static bool life_has_pairs(const LifeMaker *m) {
  for (uint32_t i = 0; i < m->n_rows; i++)
    if (m->lives->apart[i] != UINT64_MAX)
      return true;
  return false;
}

static bool life_find(LifeMaker *m) {
  if (m->kernel->n_nodes > MOST_NODES || m->kernel->objects.count < 2)
    return false;
  m->order = node_order(m->scratch, m->kernel);
  if (!life_find_rows(m))
    return false;
  m->flow = flow_new(m->scratch, m->order);
  m->is_sync = ARENA_ARRAY(m->scratch, bool, m->flow->n_points);
  m->is_head = ARENA_ARRAY(m->scratch, bool, m->flow->n_points);
  if (!life_find_syncs(m))
    return false;
  life_find_points(m);
  life_follow_copies(m);
  life_find_parts(m);
  life_find_ahead(m);
  life_find_apart(m);
  return life_has_pairs(m);
}

SharedLives *ir_shared_lives(Arena *arena, const IrKernel *kernel) {
  LifeMaker m = {.scratch = arena_new(), .kernel = kernel};
  m.lives = ARENA_NEW(arena, SharedLives);
  m.lives->row = ARENA_ARRAY(arena, uint8_t, kernel->objects.count + 1);
  bool has_pairs = life_find(&m);
  arena_free(m.scratch);
  return has_pairs ? m.lives : NULL;
}
