// SPDX-License-Identifier: Apache-2.0
// What tensor cores do, before anything is planned.
//
// Note [Tensor cores at once]
// It may be done at any time from where it is asked for to the arrival of the
// commit for it. Here it is done where it is asked for: what is left is an
// ordinary product of loads of its sections, and a store. Who runs with checks
// is told that sections are read and written until then: `tcgen05_touch` says
// so, and accesses at once are nobody's.
//
// GPUs without tensor memory have its arrays in shared memory. There the warp
// that asks for something does it, all of its threads together: what stands in
// the statement for its first thread moves out of it.
#include "tile/tile_parts.h"

typedef struct {
  Lower *t;
  hd_vec(IrNode *) nodes;
} Cores;

static bool core_note(IrNode *node, void *context) {
  Cores *cores = context;
  if (ir_is_tensor_op(node->op))
    VEC_PUSH(cores->t->scratch, &cores->nodes, node);
  return true;
}

static IrNode *core_repeated(Lower *t, IrType tile, IrType element,
                             IrNode *value) {
  const IrTileShape *shape = ir_tile_shape(t->kernel->module, tile);
  IrType type =
      ir_tile_type(t->kernel->module, element, shape->rank, shape->extents);
  return put_node_of(t, IR_TILE_BROADCAST, type, &value, 1);
}

// Zeros, unless operand 3 says that sums go on.
static IrNode *core_sums(Lower *t, const IrNode *node) {
  IrNode *sums = node->args[2], *goes_on = node->args[3];
  IrType element = ir_element_type(t->kernel->module, node->type);
  if (goes_on->op == IR_CONST && goes_on->u.constant.bits)
    return sums;
  IrNode *zeros =
      core_repeated(t, node->type, element, put_const(t, element, 0));
  IrNode *args[] = {core_repeated(t, node->type, put_bool, goes_on), sums,
                    zeros};
  return put_node_of(t, IR_SELECT, node->type, args, 3);
}

static void core_do(Lower *t, IrNode *node) {
  t->before = node;
  t->loc = node->loc;
  if (node->op == IR_TENSOR_MMA) {
    node->args[2] = core_sums(t, node);
    node->n_args = 3;
    tile_product_at_once(t, node);
    return;
  }
  bool is_write = node->op == IR_TENSOR_WRITE;
  bool is_told = t->target->shows_engines;
  if (is_told && (is_write || !node->u.section.object->is_tensor))
    section_tell(t, IR_TENSOR_TOUCH, node);
  if (is_told)
    node->flags |= NODE_OWN;
  node->op = is_write ? IR_TILE_STORE : IR_TILE_LOAD;
}

// ------------------------------------------------------- in shared memory

static bool core_note_step(IrNode *node, void *context) {
  Cores *cores = context;
  bool is_step = node->op == IR_TENSOR_ALLOC || node->op == IR_TENSOR_DEALLOC ||
                 node->op == IR_TENSOR_FENCE ||
                 ir_fills_tensor(cores->t->kernel, node);
  if (is_step)
    VEC_PUSH(cores->t->scratch, &cores->nodes, node);
  return true;
}

// What is in memory that was just taken is no number that programs use.
static void core_drop_steps(Lower *t, bool only_fills) {
  Cores cores = {.t = t};
  ir_walk(&t->kernel->body, core_note_step, &cores);
  for (uint32_t i = 0; i < cores.nodes.count; i++)
    if (!only_fills || cores.nodes.data[i]->op == IR_TILE_STORE)
      ir_node_unlink(cores.nodes.data[i]);
}

static void core_do_by_warp(IrNode *node) {
  IrNode *statement = node->region->owner;
  if (node->op != IR_TENSOR_WRITE || !statement || statement->op != IR_GROUP)
    return;
  for (IrNode *inner = statement->regions[0].first, *next; inner;
       inner = next) {
    next = inner->next;
    ir_node_unlink(inner);
    ir_node_insert_before(statement, inner);
  }
}

static void core_in_shared_memory(Lower *t, const Cores *cores) {
  core_drop_steps(t, false);
  for (uint32_t i = 0; i < cores->nodes.count; i++)
    core_do_by_warp(cores->nodes.data[i]);
  for (uint32_t i = 0; i < t->kernel->objects.count; i++) {
    IrObject *object = t->kernel->objects.data[i];
    object->was_tensor = object->is_tensor;
    object->is_tensor = false;
  }
}

void tile_tensor_at_once(Lower *t) {
  Cores cores = {.t = t};
  if (tensor_makes_all(t)) {
    core_drop_steps(t, true);
    return;
  }
  ir_walk(&t->kernel->body, core_note, &cores);
  t->region = NULL;
  if (t->target->takes_all)
    core_in_shared_memory(t, &cores);
  for (uint32_t i = 0; i < cores.nodes.count; i++)
    core_do(t, cores.nodes.data[i]);
}
