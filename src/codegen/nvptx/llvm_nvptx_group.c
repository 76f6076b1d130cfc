// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/llvm_nvptx.h"

static NvMeet meet_of(const IrGroup *group) {
  if (group->kind == GROUP_GRID)
    return NV_MEET_GRID;
  if (group->kind == GROUP_CLUSTER)
    return NV_MEET_CLUSTER;
  if (group->kind == GROUP_BLOCK)
    return NV_MEET_BLOCK;
  if (ir_group_most(group) == 1)
    return NV_MEET_NONE;
  return ir_group_in_warp(group) ? NV_MEET_WARP : NV_MEET_ARRAY;
}

void nv_plan_groups(NvPlan *plan) {
  for (uint32_t i = 0; i < plan->kernel->groups.count; i++) {
    const IrGroup *group = plan->kernel->groups.data[i];
    plan->groups[i].meet = meet_of(group);
    plan->groups[i].n_instances =
        group->instances > 0 ? (uint32_t)group->instances : 1;
  }
}

LLVMValueRef nv_group_rank(NvEmit *e, const IrGroup *group) {
  switch ((int)group->kind) {
  case GROUP_BLOCK: return e->thread;
  case GROUP_THREAD:
  case GROUP_SINGLE: return nv_i32(e, 0);
  case GROUP_WARP: return e->lane;
  case GROUP_RANGE:
    return LLVMBuildSub(e->b, nv_group_rank(e, group->parent),
                        e->group_from[group->id], NV_NAME);
  case GROUP_SPLIT:
    return LLVMBuildURem(e->b, nv_group_rank(e, group->parent),
                         nv_i32(e, group->size), NV_NAME);
  default: break;
  }
  nv_refuse(e->plan, 0, "ranks of '%s'", group->name);
  return nv_i32(e, 0);
}

LLVMValueRef nv_group_size(NvEmit *e, const IrGroup *group) {
  if (group->kind == GROUP_BLOCK)
    return nv_i32(e, e->plan->n_threads);
  return nv_i32(e, group->size > 0 ? group->size : 1);
}

LLVMValueRef nv_group_part(NvEmit *e, const IrGroup *group) {
  if (group->size <= 0)
    return nv_i32(e, 0);
  return LLVMBuildUDiv(e->b, nv_group_rank(e, group->parent),
                       nv_i32(e, group->size), NV_NAME);
}

LLVMValueRef nv_group_parts(NvEmit *e, const IrGroup *group) {
  return nv_i32(e, group->instances > 0 ? group->instances : 1);
}

LLVMValueRef nv_group_instance(NvEmit *e, const IrGroup *group) {
  return nv_group_part(e, group);
}

LLVMValueRef nv_group_mask(NvEmit *e, const IrGroup *group) {
  (void)group;
  return nv_i32(e, -1);
}

bool nv_is_warp_converged(const NvEmit *e, const IrNode *node) {
  (void)e;
  (void)node;
  return false;
}

void nv_emit_position(NvEmit *e, const IrNode *node) {
  uint32_t number = node->u.index.number;
  LLVMTypeRef type = nv_scalar_type(e, node->type);
  LLVMValueRef v = NULL;
  switch ((int)node->op) {
  case IR_RANK: v = nv_group_rank(e, node->u.group.group); break;
  case IR_SIZE: v = nv_group_size(e, node->u.group.group); break;
  case IR_META_RANK: v = nv_group_part(e, node->u.group.group); break;
  case IR_META_SIZE: v = nv_group_parts(e, node->u.group.group); break;
  case IR_BLOCK_INDEX: v = e->index[number]; break;
  case IR_GRID_DIM: v = e->grid[number]; break;
  case IR_THREAD_INDEX: v = e->thread_index[number]; break;
  default: v = nv_i32(e, e->kernel->block_dim[number]); break;
  }
  nv_set_value(e, node, 0, LLVMBuildIntCast2(e->b, v, type, 1, NV_NAME));
}

void nv_emit_make_group(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "groups made at run time");
  nv_set_undefined(e, node);
}
