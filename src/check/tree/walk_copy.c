// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies: what they read and write is said with symbols of their
// own that range over the section.
#include "check/tree/walk.h"
#include "ir/analyses/touches.h"

static DoneKind done_of(const IrNode *node) {
  if (ir_is_tma_store(node) || node->op == IR_BULK_STORE)
    return DONE_TMA_SETS;
  if (node->op == IR_WGMMA_READ)
    return DONE_MATRIX;
  if (node->op == IR_TENSOR_TOUCH)
    return DONE_TENSOR;
  if (node->op == IR_MEMCPY_ASYNC)
    return DONE_GROUP;
  return node->op == IR_TMA_LOAD || node->u.copy.barrier ? DONE_BARRIER
                                                         : DONE_SETS;
}

// The two sides of a copy.
typedef struct {
  IrTouch read, write;
} Sides;

static bool walk_copy_add_side(const IrTouch *touch, void *context) {
  Sides *sides = context;
  if (touch->kind == IR_TOUCH_MEMORY)
    *(touch->is_write ? &sides->write : &sides->read) = *touch;
  return true;
}

static Sides sides_of(const IrNode *node) {
  Sides sides = {0};
  ir_touches(node, walk_copy_add_side, &sides);
  return sides;
}

static Step *copy_step(Walk *w, const IrNode *node, Touch *touch,
                       const IrTouch *side) {
  touch->is_write = side->is_write;
  touch->is_read = side->is_read;
  touch->is_atomic = side->is_atomic;
  touch->scope = side->scope;
  touch->done = done_of(node);
  touch->copied_by = side->group->size == 1 ? NULL : side->group;
  touch->proxy = side->proxy;
  Step *step = step_new(w, STEP_TOUCH, node);
  step->u.touch.touch = touch;
  return step;
}

// ---------------------------------------------------------------- sections

// The element of the section at one of the copy's own symbols.
static Touch *section_touch(Walk *w, const IrNode *node, const IrTouch *side) {
  TermTable *t = w->terms;
  const IrObject *object = side->object;
  uint32_t first_arg = (uint32_t)(side->index - node->args);
  Touch *touch = ARENA_NEW(w->arena, Touch);
  touch->object = object;
  touch->n_index = object->rank;
  touch->byte = term_int(t, 0);
  touch->n_bytes = object->element_bytes;
  touch->may_miss = side->bounds != BOUNDS_NONE;
  for (uint32_t k = 0; k < object->rank; k++) {
    touch->index[k] = arg_signed(w, node, first_arg + k);
    if (side->length[k] == 1)
      continue;
    const Symbol *symbol =
        walk_symbol(w, "part", node, NULL, 0, side->length[k] - 1);
    touch->index[k] = term_add(t, touch->index[k], term_of(t, symbol));
  }
  return touch;
}

static int64_t section_bytes(const IrSection *section) {
  int64_t n = section->object->element_bytes;
  for (uint32_t k = 0; k < section->object->rank; k++)
    if (__builtin_mul_overflow(n, section->length[k], &n))
      return INT64_MAX;
  return n;
}

// Multicast: the section lands in several blocks; in which ones isn't said.
static void walk_copy_spread(Walk *w, const IrNode *node, Touch *touch) {
  int64_t low, high;
  term_interval(w->terms, w->tree->cluster_size, &low, &high);
  const Symbol *symbol =
      walk_symbol(w, "block of cluster", node, NULL, 0, high - 1);
  touch->cluster_rank = term_of(w->terms, symbol);
}

static void walk_sections(Walk *w, const IrNode *node) {
  const IrSection *to = &node->u.copy.to, *from = &node->u.copy.from;
  uint32_t n_to = to->object->rank, n_from = from->object->rank;
  Sides sides = sides_of(node);
  if (!sides.write.object || !sides.read.object) { // of a matrix unit
    const IrTouch *side = sides.read.object ? &sides.read : &sides.write;
    copy_step(w, node, section_touch(w, node, side), side);
    return;
  }
  Touch *read = section_touch(w, node, &sides.read);
  Touch *write = section_touch(w, node, &sides.write);
  BarrierUse *use = NULL;
  if (node->u.copy.barrier) {
    use = barrier_use(w, node->u.copy.barrier, node, n_to + n_from);
    use->bytes = term_int(w->terms, section_bytes(to));
    // Each thread of a copy_async arrives once when its part has landed.
    use->count = term_int(w->terms, node->op == IR_COPY_ASYNC);
  }
  if (node->u.copy.has_mask) {
    walk_copy_spread(w, node, write);
    if (use)
      use->mask = arg_signed(w, node, node->n_args - 1);
  }
  copy_step(w, node, read, &sides.read)->u.touch.copy_barrier = use;
  copy_step(w, node, write, &sides.write)->u.touch.copy_barrier = use;
}

// ------------------------------------------------------------------- bytes

static Touch *bytes_touch(Walk *w, const IrNode *node, const Value *pointer,
                          const Term *n_bytes) {
  TermTable *t = w->terms;
  Touch *touch = ARENA_NEW(w->arena, Touch);
  touch->n_bytes = 1;
  touch->byte = term_int(t, 0);
  int64_t low, high;
  term_interval(t, n_bytes, &low, &high);
  const Symbol *symbol =
      walk_symbol(w, "byte", node, NULL, 0,
                  high < 1 || high == INT64_MAX ? INT64_MAX : high - 1);
  const Term *at = term_of(t, symbol);
  path_push(w, term_lt(t, at, n_bytes));
  if (pointer->kind != VALUE_POINTER || !pointer->object)
    return touch;
  touch->object = pointer->object;
  touch->n_index = pointer->n_index;
  for (uint32_t i = 0; i < pointer->n_index; i++)
    touch->index[i] = pointer->index[i];
  touch->start = pointer->term;
  touch->byte = term_add(t, pointer->term, at);
  touch->cluster_rank = pointer->cluster_rank;
  return touch;
}

static void row_touch(Walk *w, const IrNode *node, const IrTouch *side,
                      const Value *pointer, BarrierUse *use) {
  uint32_t mark = w->path.count;
  const Term *asked = path_now(w);
  Touch *touch = bytes_touch(w, node, pointer, arg_signed(w, node, 2));
  Step *step = copy_step(w, node, touch, side);
  step->u.touch.copy_barrier = use;
  step->u.touch.asked = asked;
  path_pop(w, mark);
}

// Where barriers and groups count copies, one stays one: of a choice between
// arrays nothing is known there.
static void row_touches(Walk *w, const IrNode *node, const IrTouch *side,
                        BarrierUse *use) {
  ValueChoices choices;
  const Value *pointer = walk_arg(w, node, side->is_write ? 0 : 1);
  (void)value_choices(w, pointer, &choices); // as many as when it was made
  if (use || done_of(node) != DONE_SETS)
    choices = (ValueChoices){1, {{term_true(w->terms), pointer}}};
  for (uint32_t i = 0; i < choices.n; i++) {
    uint32_t mark = w->path.count;
    path_push(w, choices.data[i].condition);
    row_touch(w, node, side, choices.data[i].value, use);
    path_pop(w, mark);
  }
}

// The phase of a barrier waits for all parts: nobody expects or counts them,
// but for those of copy_bulk.
void walk_row(Walk *w, const IrNode *node) {
  if (w->dry)
    return;
  const IrObject *object =
      ir_op_info(node)->form == FORM_COPY ? node->u.copy.barrier : NULL;
  BarrierUse *use = object ? barrier_use(w, object, node, 3) : NULL;
  if (node->op == IR_COPY_BULK)
    use->bytes = arg_signed(w, node, 2);
  Sides sides = sides_of(node);
  row_touches(w, node, &sides.read, use);
  row_touches(w, node, &sides.write, use);
}

void walk_copy(Walk *w, const IrNode *node) {
  if (ir_copies_bytes(node))
    walk_row(w, node);
  else if (!w->dry)
    walk_sections(w, node);
  counts_add(w, node);
}
