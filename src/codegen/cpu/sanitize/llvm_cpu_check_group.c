// SPDX-License-Identifier: Apache-2.0
// What --sanitize adds: barriers and fences, and what groups state.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

// -------------------------------------------------------------- ordering

// A number for each lane, the same in all lanes of a part of the group: its
// first thread's rank in the block.
LLVMValueRef cpu_part_numbers(CpuEmit *e, const IrGroup *group) {
  if (code_is_scattered(group)) // its lanes in the warp
    return cpu_part_mask(e, group);
  LLVMValueRef block = cpu_as_vector(e, e->ranks[GROUP_ROW_BLOCK]);
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
  return LLVMBuildSub(e->b, block, rank, CPU_NAME);
}

static void call_parts(CpuEmit *e, const IrGroup *group, size_t service) {
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->ptr};
  LLVMValueRef parts = cpu_spilled_lanes(e, cpu_part_numbers(e, group), e->i32);
  LLVMValueRef args[5] = {e->block, cpu_i32(e, group->id), lanes.warp,
                          lanes.bits, parts};
  cpu_tell_runtime(e, service, types, args, 5);
}

static void call_row(CpuEmit *e, const IrGroup *group, size_t service) {
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->i32};
  LLVMValueRef args[5] = {e->block, cpu_barrier_row(e, group), lanes.warp,
                          lanes.bits, cpu_barrier_threads(e, group)};
  cpu_tell_runtime(e, service, types, args, 5);
}

static bool check_group_is_wide(const IrGroup *group) {
  return group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER;
}

// By strands that come one after another, or by the warp.
static void tell_group(CpuEmit *e, const IrGroup *group, size_t row,
                       size_t parts) {
  if (check_group_is_wide(group))
    return; // the runtime completes these
  if (e->is_coroutine && cpu_needs_barrier(e->plan, group))
    call_row(e, group, row);
  else
    call_parts(e, group, parts);
}

void cpu_tell_block_sync(CpuEmit *e) {
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_block_sync), &e->ptr,
                   &e->block, 1);
}

void cpu_tell_sync(CpuEmit *e, const IrGroup *group) {
  tell_group(e, group, offsetof(HdCpuServices, check_arrive),
             offsetof(HdCpuServices, check_parts));
}

// Only waits for mbarriers can be left behind.
void cpu_tell_meeting(CpuEmit *e, const IrGroup *group) {
  if (ir_has_mbarriers(e->plan->kernel))
    tell_group(e, group, offsetof(HdCpuServices, check_meet),
               offsetof(HdCpuServices, check_meet_parts));
}

static void call_wide_half(CpuEmit *e, const IrGroup *group, bool is_arrival) {
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->i32};
  LLVMValueRef args[5] = {e->block, cpu_i32(e, group->kind == GROUP_GRID),
                          lanes.warp, lanes.bits, cpu_i32(e, is_arrival)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_wide_half), types, args, 5);
}

void cpu_tell_half(CpuEmit *e, const IrGroup *group, bool is_arrival) {
  if (check_group_is_wide(group))
    call_wide_half(e, group, is_arrival);
  else if (e->is_coroutine && cpu_needs_barrier(e->plan, group))
    call_row(e, group,
             is_arrival ? offsetof(HdCpuServices, check_row_arrive)
                        : offsetof(HdCpuServices, check_row_wait));
  else
    call_parts(e, group,
               is_arrival ? offsetof(HdCpuServices, check_parts_arrive)
                          : offsetof(HdCpuServices, check_parts_wait));
}

void cpu_tell_fence(CpuEmit *e, const IrNode *node) {
  int32_t kind = HD_CPU_FENCE_DEVICE;
  if (node->op == IR_FENCE_ASYNC)
    kind = HD_CPU_FENCE_ASYNC;
  else if (node->u.text.scope == SCOPE_BLOCK)
    kind = HD_CPU_FENCE_BLOCK;
  else if (node->u.text.scope == SCOPE_CLUSTER)
    kind = HD_CPU_FENCE_CLUSTER;
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[4] = {e->ptr, e->i32, e->i32, e->i32};
  LLVMValueRef args[4] = {e->block, lanes.warp, lanes.bits, cpu_i32(e, kind)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_fence), types, args, 4);
}

void cpu_tell_value(CpuEmit *e, const IrNode *node) {
  CpuLeaf holds = cpu_leaf(e, node->args[0], 0);
  LLVMValueRef missing;
  if (holds.shape.kind == CPU_UNIFORM)
    missing = cpu_splat(e, LLVMBuildNot(e->b, holds.v, CPU_NAME));
  else
    missing = LLVMBuildNot(e->b, cpu_as_vector(e, holds), CPU_NAME);
  missing = cpu_mask_and(e, e->mask, missing);
  LLVMBasicBlockRef fails = cpu_new_block(e, "no_value");
  LLVMBasicBlockRef passes = cpu_new_block(e, "has_value");
  LLVMBuildCondBr(e->b, cpu_any(e, missing), fails, passes);
  cpu_begin_block(e, fails);
  CpuTold lanes = cpu_told_lanes(e, missing);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->ptr};
  LLVMValueRef args[5] = {e->block, cpu_i32(e, cpu_loc(e, node->loc)),
                          lanes.warp, lanes.bits,
                          cpu_text(e, node->u.text.text)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_value), types, args, 5);
  LLVMBuildBr(e->b, passes);
  cpu_begin_block(e, passes);
}

// ---------------------------------------------------------------- claims

static uint32_t claim_scope(const CpuEmit *e, const IrGroup *group) {
  if (group->kind == GROUP_GRID)
    return HD_CPU_CLAIM_GRID;
  if (group->kind == GROUP_CLUSTER)
    return HD_CPU_CLAIM_CLUSTER;
  if (e->lanes == CPU_WARP && !cpu_needs_barrier(e->plan, group))
    return HD_CPU_CLAIM_STRAND;
  return code_is_scattered(group) ? HD_CPU_CLAIM_WARP : HD_CPU_CLAIM_BLOCK;
}

// "the block", "group 'tile'"
static LLVMValueRef claim_group(CpuEmit *e, const IrGroup *group) {
  bool is_implicit = group->kind == GROUP_GRID ||
                     group->kind == GROUP_CLUSTER ||
                     group->kind == GROUP_BLOCK || group->kind == GROUP_WARP;
  const char *name = group->name && group->name[0] ? group->name : "the group";
  return cpu_text(e,
                  is_implicit ? arena_printf(e->arena, "the %s", name) : name);
}

// Bits of the value in each lane, as HdCpuClaim has them.
static LLVMValueRef claim_bits(CpuEmit *e, CpuLeaf leaf, bool is_signed,
                               uint32_t *kind) {
  LLVMTypeRef numbers = cpu_vector_of(e, e->i64);
  LLVMValueRef v = cpu_as_vector(e, leaf);
  IrTypeKind type = (IrTypeKind)leaf.type.kind;
  *kind = is_signed ? HD_CPU_VALUE_INT : HD_CPU_VALUE_UNSIGNED;
  if (type == IR_TYPE_PTR) {
    *kind = HD_CPU_VALUE_POINTER;
    return LLVMBuildPtrToInt(e->b, v, numbers, CPU_NAME);
  }
  if (ir_type_is_float(leaf.type)) {
    *kind = HD_CPU_VALUE_FLOAT;
    if (type == IR_TYPE_F16 || type == IR_TYPE_BF16)
      v = cpu_to_f32(e, type, v);
    if (type != IR_TYPE_F64)
      v = LLVMBuildFPExt(e->b, v, cpu_vector_of(e, e->f64), CPU_NAME);
    return LLVMBuildBitCast(e->b, v, numbers, CPU_NAME);
  }
  return LLVMBuildIntCast2(e->b, v, numbers, is_signed && type != IR_TYPE_BOOL,
                           CPU_NAME);
}

void cpu_tell_claim(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  CpuLeaf value = cpu_leaf(e, node->args[0], 0);
  uint32_t scope = claim_scope(e, group), kind;
  if (scope == HD_CPU_CLAIM_STRAND && value.shape.kind == CPU_UNIFORM)
    return;
  bool is_signed = (node->flags & NODE_UNSIGNED) == 0;
  LLVMValueRef values =
      cpu_spilled_lanes(e, claim_bits(e, value, is_signed, &kind), e->i64);
  LLVMValueRef turns = cpu_spilled_lanes(
      e, cpu_as_vector(e, cpu_leaf(e, node->args[1], 0)), e->i64);
  bool is_one = check_group_is_wide(group) || group->kind == GROUP_BLOCK;
  LLVMValueRef parts =
      is_one ? cpu_spilled_lanes(e, LLVMConstNull(cpu_vector_of(e, e->i32)),
                                 e->i32)
             : cpu_spilled_lanes(e, cpu_part_numbers(e, group), e->i32);
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMValueRef record =
      cpu_alloca(e, LLVMArrayType2(e->i8, sizeof(HdCpuClaim)));
  LLVMSetAlignment(record, sizeof(void *));

  const struct {
    size_t offset;
    LLVMValueRef v;
  } fields[] = {
      {offsetof(HdCpuClaim, group), claim_group(e, group)},
      {offsetof(HdCpuClaim, parts), parts},
      {offsetof(HdCpuClaim, values), values},
      {offsetof(HdCpuClaim, turns), turns},
      {offsetof(HdCpuClaim, number), cpu_i32(e, node->id)},
      {offsetof(HdCpuClaim, loc), cpu_i32(e, cpu_loc(e, node->loc))},
      {offsetof(HdCpuClaim, warp), lanes.warp},
      {offsetof(HdCpuClaim, mask), lanes.bits},
      {offsetof(HdCpuClaim, scope), cpu_i32(e, scope)},
      {offsetof(HdCpuClaim, kind), cpu_i32(e, kind)},
  };

  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    cpu_set_field(e, fields[i].v, record, fields[i].offset);
  LLVMTypeRef types[2] = {e->ptr, e->ptr};
  LLVMValueRef args[2] = {e->block, record};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_claim), types, args, 2);
}
