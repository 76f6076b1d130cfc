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

// Of operations of the group that the node names.
static GroupSet group_base(Uniformity *u, const IrNode *node) {
  return group_set_inside(u->sets, node->u.group.group);
}

static GroupSet position_base(Uniformity *u, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  switch (ir_position_op(node->op)) {
  case POSITION_RANK:
    return group->size == 1 ? GROUP_SET_ALL : GROUP_SET_SINGLE;
  case POSITION_SIZE:
    return group->size > 0 ? GROUP_SET_ALL : group_base(u, node);
  case POSITION_META_RANK: return group_base(u, node);
  case POSITION_META_SIZE:
    return group->instances > 0 ? GROUP_SET_ALL : group_base(u, node);
  case POSITION_BLOCK_INDEX:
    return group_set_of(u->sets, u->kernel->groups.data[GROUP_ROW_BLOCK]);
  case POSITION_THREAD_INDEX:
    return u->kernel->block_dim[node->u.index.number] == 1 ? GROUP_SET_ALL
                                                           : GROUP_SET_SINGLE;
  case POSITION_GRID_DIM:
  case POSITION_BLOCK_DIM: return GROUP_SET_ALL;
  case POSITION_MAKE_GROUP: break;
  }
  return GROUP_SET_SINGLE;
}

static GroupSet memory_base(Uniformity *u, const IrNode *node) {
  switch (ir_memory_op(node->op)) {
  case MEMORY_LOAD: return load_base(u, node);
  case MEMORY_ADDRESS:
    return node->u.access.object ? object_base(u, node->u.access.object)
                                 : GROUP_SET_ALL;
  case MEMORY_STORE: // no value
  case MEMORY_PTR_ADD:
  case MEMORY_PTR_DIFF:
  case MEMORY_MAP_SHARED:
  case MEMORY_SHARED_RANK: return GROUP_SET_ALL;
  case MEMORY_RMW:
  case MEMORY_CAS: break;
  }
  return GROUP_SET_SINGLE;
}

static GroupSet reduce_base(Uniformity *u, const IrNode *node) {
  switch (ir_reduce_op(node->op)) {
  case REDUCE_REDUCE:
  case REDUCE_REDUCE_BY:
    return group_set_inside(u->sets, node->u.collective.group);
  case REDUCE_SCAN:
  case REDUCE_SCAN_BY: break;
  }
  return GROUP_SET_SINGLE;
}

// `clock64` and the like differ, as does what nobody knows.
static GroupSet effect_base(Uniformity *u, const IrNode *node) {
  if (node->op == IR_CHOICE)
    return group_base(u, node);
  return node->type.kind == IR_TYPE_VOID ? GROUP_SET_ALL : GROUP_SET_SINGLE;
}

GroupSet uniform_base(Uniformity *u, const IrNode *node) {
  switch (ir_family(node)) {
  case FAMILY_POSITION: return position_base(u, node);
  case FAMILY_MEMORY: return memory_base(u, node);
  case FAMILY_REDUCE: return reduce_base(u, node);
  case FAMILY_EFFECT: return effect_base(u, node);
  case FAMILY_EXCHANGE:
    return ir_op_info(node)->flags & OPF_ALIKE ? group_base(u, node)
                                               : GROUP_SET_SINGLE;
  case FAMILY_VALUE: // what the operands are
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH:
  case FAMILY_CLAIM:
  case FAMILY_CONTROL: return GROUP_SET_ALL;
  case FAMILY_SYNC: // tokens, and what a test found
  case FAMILY_MBARRIER:
  case FAMILY_COPY:
  case FAMILY_TILE:
  case FAMILY_COUNT: break;
  }
  return node->type.kind == IR_TYPE_VOID ? GROUP_SET_ALL : GROUP_SET_SINGLE;
}

static bool is_fixed(const Uniformity *u, const IrNode *node, uint32_t depth) {
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
    return set->op == IR_SET && is_fixed(u, set->args[0], depth - 1);
  }
  default: break;
  }
  if (!(ir_op_info(node)->flags & OPF_PURE) || node->n_args == 0)
    return false;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!is_fixed(u, node->args[i], depth - 1))
      return false;
  return true;
}

bool uniform_is_fixed(const Uniformity *u, const IrNode *node) {
  return is_fixed(u, node, 8);
}
