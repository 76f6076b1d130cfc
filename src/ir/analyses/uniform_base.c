// SPDX-License-Identifier: Apache-2.0
// What each operation contributes by itself, before its operands.
#include "ir/analyses/uniform.h"

// The value of an access that all threads of a group make at one address is
// one value only where they all mean the same memory.
static GroupSet object_base(Uniformity *u, const IrObject *object) {
  switch (object->space) {
  case SPACE_GLOBAL:
  case SPACE_CONSTANT: return GROUP_SET_ALL;
  case SPACE_SHARED:
    if (object->is_cluster_shared)
      return group_set_of(u->sets, u->kernel->groups.data[GROUP_ROW_CLUSTER]);
    return group_set_inside(
        u->sets, object->group ? object->group
                               : u->kernel->groups.data[GROUP_ROW_BLOCK]);
  case SPACE_LOCAL:
  case SPACE_GENERIC: break;
  }
  return GROUP_SET_SINGLE;
}

static GroupSet load_base(Uniformity *u, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  if (access->order != ORDER_PLAIN || !access->object)
    return GROUP_SET_SINGLE;
  return object_base(u, access->object);
}

static GroupSet group_base(Uniformity *u, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  switch ((int)node->op) {
  case IR_RANK: return group->size == 1 ? GROUP_SET_ALL : GROUP_SET_SINGLE;
  case IR_SIZE:
    if (group->size > 0)
      return GROUP_SET_ALL;
    break;
  case IR_META_SIZE:
    if (group->instances > 0)
      return GROUP_SET_ALL;
    break;
  default: break;
  }
  return group_set_inside(u->sets, group);
}

// These have no operands that could say it.
static GroupSet position_base(Uniformity *u, const IrNode *node) {
  switch (ir_position_op(node->op)) {
  case IR_RANK:
  case IR_SIZE:
  case IR_META_RANK:
  case IR_META_SIZE: return group_base(u, node);
  case IR_BLOCK_INDEX:
    return group_set_of(u->sets, u->kernel->groups.data[GROUP_ROW_BLOCK]);
  case IR_THREAD_INDEX:
    return u->kernel->block_dim[node->u.index.number] == 1 ? GROUP_SET_ALL
                                                           : GROUP_SET_SINGLE;
  case IR_GRID_DIM:
  case IR_BLOCK_DIM: return GROUP_SET_ALL;
  case IR_MAKE_GROUP: break;
  }
  return GROUP_SET_SINGLE;
}

GroupSet uniform_base(Uniformity *u, const IrNode *node) {
  if (ir_family(node) == FAMILY_POSITION)
    return position_base(u, node);
  switch ((int)node->op) {
  case IR_BROADCAST:
  case IR_ANY:
  case IR_ALL:
  case IR_COUNT:
  case IR_BALLOT:
  case IR_MATCH_ALL:
  case IR_CHOICE: return group_base(u, node);
  case IR_REDUCE:
  case IR_REDUCE_BY: return group_set_inside(u->sets, node->u.collective.group);
  case IR_SCAN_BY: return GROUP_SET_SINGLE;
  case IR_TILE_MAP: // the group does these once, with operands that agree
  case IR_TILE_REDUCE_BY:
  case IR_TILE_SCAN_BY:
  case IR_TILE_COLLECT:
  case IR_TILE_LOAD:
  case IR_WGMMA_LOAD:
  case IR_WGMMA_MMA:
  case IR_TENSOR_READ:
  case IR_TENSOR_MMA:
  case IR_TILE_RMW:
  case IR_TILE_CAS:
    return group_set_inside(u->sets, ir_node_group(u->kernel, node));
  case IR_LOAD: return load_base(u, node);
  case IR_ADDRESS:
    return node->u.access.object ? object_base(u, node->u.access.object)
                                 : GROUP_SET_ALL;
  case IR_GET:
  case IR_SET:
  case IR_UNIFORM: return GROUP_SET_ALL;
  default: break;
  }
  if (node->n_regions || node->type.kind == IR_TYPE_VOID)
    return GROUP_SET_ALL;
  return ir_op_info(node)->flags & OPF_PURE ? GROUP_SET_ALL : GROUP_SET_SINGLE;
}

static bool uniform_base_is_fixed(const Uniformity *u, const IrNode *node,
                                  uint32_t depth) {
  if (depth == 0)
    return false;
  switch ((int)node->op) {
  case IR_CONST:
  case IR_PARAM:
  case IR_EXTENT:
  case IR_STRIDE:
  case IR_BLOCK_INDEX:
  case IR_GRID_DIM:
  case IR_BLOCK_DIM: return true;
  case IR_SIZE: return node->u.group.group->kind < GROUP_TILED;
  case IR_GET: {
    Token version = u->version[node->id];
    if (version >= u->order->n_ids)
      return false;
    const IrNode *set = u->tokens.data[version].node;
    return set->op == IR_SET &&
           uniform_base_is_fixed(u, set->args[0], depth - 1);
  }
  default: break;
  }
  if (!(ir_op_info(node)->flags & OPF_PURE) || node->n_args == 0)
    return false;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!uniform_base_is_fixed(u, node->args[i], depth - 1))
      return false;
  return true;
}

bool uniform_is_fixed(const Uniformity *u, const IrNode *node) {
  return uniform_base_is_fixed(u, node, 8);
}
