// SPDX-License-Identifier: Apache-2.0
// What tensor cores do, before anything is planned.
//
// Note [Tensor cores at once]
// It may be done at any time from where it is asked for to the arrival of the
// commit for it. Here it is done where it is asked for: what is left is an
// ordinary product of loads of its sections, and a store. Who runs with checks
// is told that sections are read and written until then: `tcgen05_touch` says
// so, and accesses at once are nobody's.
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

void tile_tensor_at_once(Lower *t) {
  Cores cores = {.t = t};
  ir_walk(&t->kernel->body, core_note, &cores);
  t->region = NULL;
  for (uint32_t i = 0; i < cores.nodes.count; i++)
    core_do(t, cores.nodes.data[i]);
}
