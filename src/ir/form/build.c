// SPDX-License-Identifier: Apache-2.0
// Making and moving nodes, and walking the tree.
#include "base/panic.h"
#include "ir/form/ir.h"
#include <string.h>

static uint8_t region_count(IrOp op) {
  if (!(ir_op_table[op].flags & OPF_REGION))
    return 0;
  return op == IR_IF ? 2 : 1;
}

static void build_append(IrRegion *region, IrNode *node) {
  node->region = region;
  node->previous = region->last;
  node->next = NULL;
  if (region->last)
    region->last->next = node;
  else
    region->first = node;
  region->last = node;
}

IrNode *ir_node_new(IrKernel *kernel, IrRegion *region, IrOp op, IrType type,
                    IrLocId loc, IrNode *const *args, uint32_t n_args) {
  HD_ASSERT(op < IR_OP_COUNT && (args || n_args == 0));
  Arena *arena = kernel->module->arena;
  IrNode *node = ARENA_NEW(arena, IrNode);
  node->op = op;
  node->id = kernel->n_nodes++;
  node->type = type;
  node->loc = loc;
  node->n_args = n_args;
  if (n_args) {
    node->args = ARENA_ARRAY(arena, IrNode *, n_args);
    memcpy(node->args, args, n_args * sizeof *args);
  }
  node->n_regions = region_count(op);
  for (uint32_t i = 0; i < node->n_regions; i++)
    node->regions[i].owner = node;
  if (region)
    build_append(region, node);
  return node;
}

void ir_node_insert_before(IrNode *position, IrNode *node) {
  HD_ASSERT(!node->region && position->region);
  node->region = position->region;
  node->next = position;
  node->previous = position->previous;
  if (position->previous)
    position->previous->next = node;
  else
    position->region->first = node;
  position->previous = node;
}

void ir_node_insert_after(IrNode *position, IrNode *node) {
  if (position->next) {
    ir_node_insert_before(position->next, node);
    return;
  }
  HD_ASSERT(!node->region && position->region);
  build_append(position->region, node);
}

IrNode *ir_place_put(IrPlace *place, IrNode *node) {
  if (place->is_after) {
    ir_node_insert_after(place->at, node);
    place->at = node;
  } else {
    ir_node_insert_before(place->at, node);
  }
  return node;
}

IrNode *ir_place_node(IrPlace *place, IrOp op, IrType type, IrNode *const *args,
                      uint32_t n_args) {
  return ir_place_put(place, ir_node_new(place->kernel, NULL, op, type,
                                         place->loc, args, n_args));
}

void ir_node_unlink(IrNode *node) {
  IrRegion *region = node->region;
  HD_ASSERT(region);
  if (node->previous)
    node->previous->next = node->next;
  else
    region->first = node->next;
  if (node->next)
    node->next->previous = node->previous;
  else
    region->last = node->previous;
  node->region = NULL;
  node->previous = node->next = NULL;
}

IrNode *ir_const_int(IrKernel *kernel, IrRegion *region, IrType type,
                     uint64_t bits, IrLocId loc) {
  IrNode *node = ir_node_new(kernel, region, IR_CONST, type, loc, NULL, 0);
  uint32_t width = ir_type_bits(type);
  if (width > 0 && width < 64)
    bits &= (UINT64_C(1) << width) - 1;
  node->u.constant.bits = bits;
  return node;
}

// ---------------------------------------------------------------- walking
// Without recursion: inlining may nest deeper than the C stack allows.

// The first node of `owner`'s regions from number `from` on, or NULL.
static IrNode *first_inside(IrNode *owner, uint32_t from) {
  for (uint32_t i = from; i < owner->n_regions; i++)
    if (owner->regions[i].first)
      return owner->regions[i].first;
  return NULL;
}

// What follows the end of `done`, without leaving `top`.
static IrNode *after_region(IrRegion *done, const IrRegion *top) {
  while (done != top) {
    HD_ASSERT(done);
    IrNode *owner = done->owner;
    if (!owner)
      return NULL;
    IrNode *inside = first_inside(owner, (uint32_t)(done - owner->regions) + 1);
    if (inside)
      return inside;
    if (owner->next)
      return owner->next;
    done = owner->region;
  }
  return NULL;
}

bool ir_is_in_operator(const IrNode *node) {
  for (const IrNode *up = node->region->owner; up; up = up->region->owner)
    if (ir_is_operator(up))
      return true;
  return false;
}

bool ir_is_collective(const IrNode *node) {
  IrFamily family = ir_family(node);
  return family == FAMILY_EXCHANGE || family == FAMILY_REDUCE ||
         (node->op == IR_MAKE_GROUP &&
          node->u.group.group->kind == GROUP_LABELED);
}

// The visitor may unlink the node that it visits (its regions are then not
// visited) and insert nodes beside it.
bool ir_walk(IrRegion *region, IrVisitor visit, void *context) {
  IrNode *node = region->first;
  while (node) {
    IrRegion *home = node->region;
    IrNode *next = node->next;
    if (!visit(node, context))
      return false;
    IrNode *inside = node->region ? first_inside(node, 0) : NULL;
    if (node->region)
      next = node->next;
    if (inside)
      node = inside;
    else
      node = next ? next : after_region(home, region);
  }
  return true;
}

static bool build_number_node(IrNode *node, void *context) {
  uint32_t *next = context;
  node->id = (*next)++;
  return true;
}

void ir_kernel_renumber(IrKernel *kernel) {
  uint32_t count = 0;
  ir_walk(&kernel->body, build_number_node, &count);
  kernel->n_nodes = count;
}
