// SPDX-License-Identifier: Apache-2.0
// Note [Tensor memory]
// Arrays in tensor memory are taken and given back by one warp, once on every
// path, and used in between. What a thread does there is ordered with what it
// waits for, and with what it signals, only by a fence of its own kind. Both is
// asked of every path, whatever the conditions are: no run can show what is
// wrong then. That uses come after the taking and before the giving back in
// time is a matter of races, as both write all of the array.
//
// A state is a row of bits: for each array where it may stand, and what may
// have happened since the last fence. Where paths meet, all of it may be.
#include "ir/rules/check_rules.h"

enum { HELD_NOT = 1, HELD_NOW = 2, HELD_NO_MORE = 4 };

enum { COLUMNS_ALL = 512, COLUMNS_LEAST = 32 };

typedef struct TensorLeaving {
  const IrNode *target;
  uint8_t *leave, *again; // joined of all exits; NULL: none yet
  struct TensorLeaving *outer;
} TensorLeaving;

typedef struct {
  Checker *c;
  const IrObject **objects;
  const IrNode **allocs;
  bool *is_told;
  uint32_t n, waited, used; // arrays, and where the state has these bits
  uint8_t *at_end;
  TensorLeaving *inner;
  Map told;
} Tensors;

// ------------------------------------------------------------------ states

static uint8_t *tensors_copy(const Tensors *p, const uint8_t *from) {
  return arena_copy(p->c->arena, from, p->n + 2);
}

// Whether `into` changed; its room is made if there is none.
static bool tensors_join(const Tensors *p, uint8_t **into,
                         const uint8_t *from) {
  bool changes = false;
  if (from && !*into) {
    *into = tensors_copy(p, from);
    return true;
  }
  for (uint32_t i = 0; from && i < p->n + 2; i++) {
    changes |= (from[i] & ~(*into)[i]) != 0;
    (*into)[i] |= from[i];
  }
  return changes;
}

static uint32_t tensors_number(const Tensors *p, const IrObject *object) {
  uint32_t i = 0;
  while (i < p->n && p->objects[i] != object)
    i++;
  return i;
}

// ------------------------------------------------------------------ reports

static void report_held(Tensors *p, const IrNode *node, uint32_t i,
                        const char *problem) {
  Checker *c = p->c;
  if (p->is_told[i])
    return;
  p->is_told[i] = true;
  check_finish(c,
               DIAG_REPORT(c->diags, DIAG_tensor_held,
                           blame_place(c->blamer, node),
                           DS(check_text(c, node)), DS(p->objects[i]->name),
                           DS(problem)),
               node);
}

static void report_tensor_open(Tensors *p, const IrNode *node,
                               const char *first, const char *second) {
  Checker *c = p->c;
  if (map_has(&p->told, MAP_KEY(node)))
    return;
  map_put(c->arena, &p->told, MAP_KEY(node), p);
  check_finish(c,
               DIAG_REPORT(c->diags, DIAG_tensor_unfenced,
                           blame_place(c->blamer, node),
                           DS(check_text(c, node)), DS(first), DS(second)),
               node);
}

// ------------------------------------------------------------------- nodes

static void tensors_alloc(Tensors *p, uint8_t *state, const IrNode *node,
                          uint32_t i) {
  const IrGroup *group = ir_node_group(p->c->kernel, node);
  if (state[i] != HELD_NOT)
    report_held(p, node, i, "it may have been allocated before");
  if (ir_group_block_begin(group) == SIZE_UNKNOWN)
    report_held(p, node, i,
                "one warp of the block does it, which must be known at compile "
                "time");
  state[i] = HELD_NOW;
  if (!p->allocs[i])
    p->allocs[i] = node;
}

static void tensors_dealloc(Tensors *p, uint8_t *state, const IrNode *node,
                            uint32_t i) {
  const IrKernel *kernel = p->c->kernel;
  if (state[i] != HELD_NOW)
    report_held(p, node, i, "it isn't allocated on every path to here");
  else if (ir_group_block_begin(ir_node_group(kernel, node)) !=
           ir_group_block_begin(ir_node_group(kernel, p->allocs[i])))
    report_held(p, node, i, "another warp has allocated it");
  if (state[p->waited])
    report_tensor_open(p, node, "a wait or sync", "it");
  state[i] = HELD_NO_MORE;
}

static void tensors_use(Tensors *p, uint8_t *state, const IrNode *node) {
  uint32_t i = tensors_number(p, node->u.section.object);
  if (i == p->n || ir_fills_tensor(p->c->kernel, node))
    return;
  if (state[i] != HELD_NOW)
    report_held(p, node, i, "it isn't allocated on every path to here");
  if (state[p->waited])
    report_tensor_open(p, node, "a wait or sync", "it");
  if (!ir_is_tensor_op(node->op))
    state[p->used] = 1;
}

// Nobody else of a warp does anything in tensor memory.
static bool is_in_warp(const IrNode *node) {
  return ir_op_info(node)->form == FORM_GROUP && node->u.group.group &&
         ir_group_in_warp(node->u.group.group);
}

static void tensors_event(Tensors *p, uint8_t *state, const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  IrFamily family = ir_family(node);
  if ((family != FAMILY_SYNC && family != FAMILY_MBARRIER) ||
      !(info->memory & MEM_ORDER) || is_in_warp(node))
    return;
  if (info->signals != EVENT_NONE && state[p->used])
    report_tensor_open(p, node, "what the thread did in tensor memory", "it");
  if (info->waits != EVENT_NONE)
    state[p->waited] = 1;
}

static void tensors_node(Tensors *p, uint8_t *state, const IrNode *node) {
  if (node->op == IR_TENSOR_ALLOC)
    tensors_alloc(p, state, node, tensors_number(p, node->u.index.object));
  else if (node->op == IR_TENSOR_DEALLOC)
    tensors_dealloc(p, state, node, tensors_number(p, node->u.index.object));
  else if (node->op == IR_TENSOR_FENCE)
    state[p->waited] = state[p->used] = 0;
  else if (ir_op_info(node)->form == FORM_SECTION)
    tensors_use(p, state, node);
  else
    tensors_event(p, state, node);
}

// ----------------------------------------------------------------- control

// NULL: control doesn't get to the end.
static uint8_t *tensors_region(Tensors *p, const IrRegion *region,
                               uint8_t *state);

// The end of the kernel, of threads among which those are that allocate.
static void tensors_return(Tensors *p, const IrNode *node,
                           const uint8_t *state) {
  const IrKernel *kernel = p->c->kernel;
  const IrGroup *group = ir_node_group(kernel, node);
  for (uint32_t i = 0; i < p->n; i++)
    if (p->allocs[i] &&
        ir_group_contains(group, ir_node_group(kernel, p->allocs[i])))
      p->at_end[i] |= state[i];
}

static void tensors_exit(Tensors *p, const IrNode *node, const uint8_t *state) {
  TensorLeaving *leaving = p->inner;
  while (leaving && leaving->target != node->u.exit.target)
    leaving = leaving->outer;
  if (!leaving)
    tensors_return(p, node, state);
  else
    tensors_join(
        p, node->u.exit.is_continue ? &leaving->again : &leaving->leave, state);
}

static uint8_t *tensors_loop(Tensors *p, const IrNode *node, uint8_t *state,
                             bool repeats, bool may_end) {
  uint8_t *head = tensors_copy(p, state), *end = NULL;
  TensorLeaving leaving = {.target = node, .outer = p->inner};
  p->inner = &leaving;
  for (bool changes = true; changes;) {
    leaving.again = NULL;
    end = tensors_region(p, &node->regions[0], tensors_copy(p, head));
    changes = false;
    if (repeats) {
      changes |= tensors_join(p, &head, end);
      changes |= tensors_join(p, &head, leaving.again);
    }
  }
  p->inner = leaving.outer;
  uint8_t *behind = leaving.leave;
  if (may_end)
    tensors_join(p, &behind, repeats ? head : end);
  return behind;
}

static uint8_t *tensors_if(Tensors *p, const IrNode *node, uint8_t *state) {
  uint8_t *other = tensors_copy(p, state);
  uint8_t *end = tensors_region(p, &node->regions[0], state);
  if (node->n_regions > 1)
    other = tensors_region(p, &node->regions[1], other);
  tensors_join(p, &end, other);
  return end;
}

// Where the arrays stand is what its threads have done; the others may have
// waited before.
static uint8_t *tensors_part(Tensors *p, const IrNode *node, uint8_t *state) {
  uint8_t *around = tensors_copy(p, state);
  uint8_t *end = tensors_region(p, &node->regions[0], state);
  if (!end)
    return around;
  end[p->waited] |= around[p->waited];
  end[p->used] |= around[p->used];
  return end;
}

static uint8_t *tensors_control(Tensors *p, const IrNode *node,
                                uint8_t *state) {
  switch ((int)node->op) {
  case IR_IF: return tensors_if(p, node, state);
  case IR_LOOP: return tensors_loop(p, node, state, true, false);
  case IR_FOR:
  case IR_THREAD_FOR: return tensors_loop(p, node, state, true, true);
  case IR_BLOCK:
  case IR_CALL: return tensors_loop(p, node, state, false, true);
  case IR_GROUP:
  case IR_WITH: return tensors_part(p, node, state);
  default: return state;
  }
}

static uint8_t *tensors_region(Tensors *p, const IrRegion *region,
                               uint8_t *state) {
  for (const IrNode *node = region->first; node && state; node = node->next) {
    if (node->op == IR_EXIT) {
      tensors_exit(p, node, state);
      return NULL;
    }
    tensors_node(p, state, node);
    if (node->n_regions)
      state = tensors_control(p, node, state);
  }
  return state;
}

// --------------------------------------------------------------------- all

// Whole powers of two are taken.
static int64_t tensors_columns(const IrObject *object) {
  int64_t taken = COLUMNS_LEAST;
  while (taken < object->extents[1]->number)
    taken *= 2;
  return taken;
}

static void tensors_end(Tensors *p, const uint8_t *state) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    uint8_t last = (uint8_t)(p->at_end[i] | (state ? state[i] : 0));
    if (!p->allocs[i])
      continue;
    sum += tensors_columns(p->objects[i]);
    if (sum > COLUMNS_ALL)
      report_held(p, p->allocs[i], i,
                  arena_printf(p->c->arena,
                               "the arrays of a block take %d columns "
                               "together, powers of two from 32, and there are "
                               "512",
                               (int)sum));
    if (last & HELD_NOW)
      report_held(p, p->allocs[i], i,
                  "it isn't deallocated on every path to the end");
  }
}

void check_tensor(Checker *c) {
  const IrKernel *kernel = c->kernel;
  IrRegion *body = (IrRegion *)(uintptr_t)&kernel->body;
  uint32_t n = kernel->objects.count;
  if (c->n_errors)
    return;
  Tensors p = {.c = c};
  p.objects = ARENA_ARRAY(c->arena, const IrObject *, n + 1);
  p.allocs = ARENA_ARRAY(c->arena, const IrNode *, n + 1);
  p.is_told = ARENA_ARRAY(c->arena, bool, n + 1);
  for (uint32_t i = 0; i < n; i++)
    if (kernel->objects.data[i]->is_tensor)
      p.objects[p.n++] = kernel->objects.data[i];
  if (p.n == 0)
    return;
  p.waited = p.n;
  p.used = p.n + 1;
  p.at_end = ARENA_ARRAY(c->arena, uint8_t, p.n + 2);
  uint8_t *state = ARENA_ARRAY(c->arena, uint8_t, p.n + 2);
  for (uint32_t i = 0; i < p.n; i++)
    state[i] = HELD_NOT;
  tensors_end(&p, tensors_region(&p, body, state));
}
