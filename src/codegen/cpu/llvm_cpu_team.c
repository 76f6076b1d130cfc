// SPDX-License-Identifier: Apache-2.0
// Where a thread is in a group: rank, size, part. See Note [Groups by kind].
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};

static CpuLeaf uniform_leaf(LLVMValueRef v) {
  return cpu_leaf_of(cpu_uniform(), type_i32, v);
}

// A vector as a leaf of the planned shape, which is uniform or varying.
static CpuLeaf planned(CpuEmit *e, CpuShape shape, LLVMValueRef vector) {
  CpuLeaf leaf = cpu_leaf_of(shape, type_i32, vector);
  if (shape.kind == CPU_UNIFORM && e->lanes > 1)
    leaf.v =
        LLVMBuildExtractElement(e->b, vector, cpu_first_active(e), CPU_NAME);
  return leaf;
}

static LLVMValueRef cpu_team_fill(CpuEmit *e, int64_t value) {
  return cpu_const_splat(e, cpu_i32(e, value));
}

static LLVMValueRef cpu_team_popcount(CpuEmit *e, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  return cpu_intrinsic(e, "llvm.ctpop", &type, 1, &v, 1);
}

static LLVMValueRef trailing_zeros(CpuEmit *e, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMValueRef args[2] = {v, LLVMConstInt(e->i1, 0, 0)};
  return cpu_intrinsic(e, "llvm.cttz", &type, 1, args, 2);
}

// As many low bits as `n` says, below 32.
static LLVMValueRef low_bits(CpuEmit *e, LLVMValueRef n) {
  LLVMTypeRef type = LLVMTypeOf(n);
  LLVMValueRef one = llvm_fill(type, cpu_i32(e, 1));
  LLVMValueRef power = LLVMBuildShl(e->b, one, n, CPU_NAME);
  return LLVMBuildSub(e->b, power, one, CPU_NAME);
}

LLVMValueRef cpu_lane_numbers(CpuEmit *e) {
  if (e->lanes > 1)
    return e->lane_ids;
  LLVMValueRef rank = LLVMBuildTrunc(e->b, e->warp_rank, e->i32, CPU_NAME);
  return LLVMBuildAnd(e->b, rank, cpu_i32(e, CPU_WARP - 1), CPU_NAME);
}

// ------------------------------------------------------ scattered groups

// The place of the n-th bit that is set, by halving: if the lower half has
// fewer, it is in the upper one.
static LLVMValueRef cpu_team_nth_bit(CpuEmit *e, LLVMValueRef mask,
                                     LLVMValueRef n) {
  LLVMValueRef place = cpu_team_fill(e, 0);
  for (int width = CPU_WARP / 2; width > 0; width /= 2) {
    LLVMValueRef low = LLVMBuildAnd(
        e->b, mask, cpu_team_fill(e, (int64_t)((1u << width) - 1)), CPU_NAME);
    LLVMValueRef count = cpu_team_popcount(e, low);
    LLVMValueRef is_above = LLVMBuildICmp(e->b, LLVMIntUGE, n, count, CPU_NAME);
    LLVMValueRef zero = cpu_team_fill(e, 0), step = cpu_team_fill(e, width);
    LLVMValueRef rest = LLVMBuildSub(e->b, n, count, CPU_NAME);
    LLVMValueRef upper = LLVMBuildLShr(e->b, mask, step, CPU_NAME);
    n = LLVMBuildSelect(e->b, is_above, rest, n, CPU_NAME);
    mask = LLVMBuildSelect(e->b, is_above, upper, low, CPU_NAME);
    step = LLVMBuildSelect(e->b, is_above, step, zero, CPU_NAME);
    place = LLVMBuildAdd(e->b, place, step, CPU_NAME);
  }
  return place;
}

// The lanes of a piece of a scattered group: the parent's from the piece's
// first rank on, as many as the piece has threads.
static LLVMValueRef cpu_team_piece_mask(CpuEmit *e, const IrGroup *group) {
  LLVMValueRef all = cpu_part_mask(e, group->parent);
  LLVMValueRef outer = cpu_as_vector(e, cpu_group_rank(e, group->parent));
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
  LLVMValueRef size = cpu_as_vector(e, cpu_group_threads(e, group));
  LLVMValueRef first = LLVMBuildSub(e->b, outer, rank, CPU_NAME);
  LLVMValueRef end = LLVMBuildAdd(e->b, first, size, CPU_NAME);
  LLVMValueRef before = low_bits(e, cpu_team_nth_bit(e, all, first));
  LLVMValueRef upto = low_bits(e, cpu_team_nth_bit(e, all, end));
  LLVMValueRef is_last =
      LLVMBuildICmp(e->b, LLVMIntSGE, end, cpu_team_popcount(e, all), CPU_NAME);
  upto = LLVMBuildSelect(e->b, is_last, cpu_team_fill(e, -1), upto, CPU_NAME);
  LLVMValueRef from =
      LLVMBuildAnd(e->b, all, LLVMBuildNot(e->b, before, CPU_NAME), CPU_NAME);
  return LLVMBuildAnd(e->b, from, upto, CPU_NAME);
}

LLVMValueRef cpu_part_mask(CpuEmit *e, const IrGroup *group) {
  HD_ASSERT(code_is_scattered(group));
  if (code_is_lane_set(group))
    return cpu_as_vector(e, cpu_leaf(e, group->maker, 0));
  return cpu_team_piece_mask(e, group);
}

// Bits of lanes that lead a part: the lowest of theirs.
static LLVMValueRef leaders(CpuEmit *e, LLVMValueRef mask) {
  LLVMValueRef is_lowest = LLVMBuildICmp(
      e->b, LLVMIntEQ, trailing_zeros(e, mask), cpu_lane_numbers(e), CPU_NAME);
  return cpu_splat(e, cpu_mask_bits(e, is_lowest));
}

LLVMValueRef cpu_own_lanes(CpuEmit *e, const IrGroup *group) {
  if (code_is_scattered(group))
    return cpu_part_mask(e, group);
  // The part may begin in the warp before and end in a later one.
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
  LLVMValueRef size = cpu_as_vector(e, cpu_group_threads(e, group));
  LLVMValueRef first = LLVMBuildSub(e->b, cpu_lane_numbers(e), rank, CPU_NAME);
  LLVMValueRef end = LLVMBuildAdd(e->b, first, size, CPU_NAME);
  LLVMTypeRef type = LLVMTypeOf(first);
  LLVMValueRef from[2] = {first, cpu_team_fill(e, 0)},
               to[2] = {end, cpu_team_fill(e, CPU_WARP)};
  first = cpu_intrinsic(e, "llvm.smax", &type, 1, from, 2);
  end = cpu_intrinsic(e, "llvm.smin", &type, 1, to, 2);
  LLVMValueRef count = LLVMBuildSub(e->b, end, first, CPU_NAME);
  LLVMValueRef above =
      LLVMBuildSub(e->b, cpu_team_fill(e, CPU_WARP), count, CPU_NAME);
  above = LLVMBuildAnd(e->b, above, cpu_team_fill(e, CPU_WARP - 1), CPU_NAME);
  first = LLVMBuildAnd(e->b, first, cpu_team_fill(e, CPU_WARP - 1), CPU_NAME);
  LLVMValueRef bits =
      LLVMBuildLShr(e->b, cpu_team_fill(e, -1), above, CPU_NAME);
  return LLVMBuildShl(e->b, bits, first, CPU_NAME);
}

static LLVMValueRef cpu_team_labeled_part(CpuEmit *e, const IrGroup *group,
                                          bool is_count) {
  LLVMValueRef mask = cpu_part_mask(e, group);
  // Where every lane is a strand, the lowest lanes were found before.
  LLVMValueRef all =
      e->lanes == 1 ? cpu_scalar_arg(e, group->maker, 2)
                    : LLVMBuildAnd(e->b, leaders(e, mask),
                                   cpu_own_lanes(e, group->parent), CPU_NAME);
  if (is_count)
    return cpu_team_popcount(e, all);
  LLVMValueRef first = trailing_zeros(e, mask);
  first = LLVMBuildAnd(e->b, first, cpu_team_fill(e, CPU_WARP - 1), CPU_NAME);
  return cpu_team_popcount(
      e, LLVMBuildAnd(e->b, all, low_bits(e, first), CPU_NAME));
}

static LLVMValueRef scattered_rank(CpuEmit *e, const IrGroup *group) {
  LLVMValueRef below = low_bits(e, cpu_lane_numbers(e));
  LLVMValueRef mask = cpu_part_mask(e, group);
  return cpu_team_popcount(e, LLVMBuildAnd(e->b, mask, below, CPU_NAME));
}

LLVMValueRef cpu_lane_of_rank(CpuEmit *e, const IrGroup *group,
                              LLVMValueRef rank) {
  if (code_is_scattered(group))
    return cpu_team_nth_bit(e, cpu_part_mask(e, group), rank);
  LLVMValueRef own = cpu_as_vector(e, cpu_group_rank(e, group));
  LLVMValueRef first = LLVMBuildSub(e->b, cpu_lane_numbers(e), own, CPU_NAME);
  return LLVMBuildAdd(e->b, first, rank, CPU_NAME);
}

// ------------------------------------------------------------------ ranks

// The size of a tile that is only known at run time, as a vector.
static LLVMValueRef cpu_team_tile_operand(CpuEmit *e, const IrGroup *group) {
  return cpu_vector_arg(e, group->maker, 0);
}

static CpuLeaf tiled_rank(CpuEmit *e, const IrGroup *group) {
  CpuShape shape = cpu_rank_shape(e->plan, group);
  CpuLeaf outer = cpu_group_rank(e, group->parent);
  int64_t size;
  if (code_tile_size(group, &size))
    return cpu_part_of(e, outer, size, shape, false);
  LLVMValueRef less = LLVMBuildSub(e->b, cpu_team_tile_operand(e, group),
                                   cpu_team_fill(e, 1), CPU_NAME);
  return planned(e, shape,
                 LLVMBuildAnd(e->b, cpu_as_vector(e, outer), less, CPU_NAME));
}

CpuLeaf cpu_group_rank(CpuEmit *e, const IrGroup *group) {
  CpuShape shape = cpu_rank_shape(e->plan, group);
  if (!code_is_computed(group))
    return e->ranks[group->id];
  switch ((int)group->kind) {
  case GROUP_THREAD: return uniform_leaf(cpu_i32(e, 0));
  case GROUP_WARP:
    return cpu_part_of(e, cpu_group_rank(e, group->parent), CPU_WARP, shape,
                       false);
  case GROUP_TILED: return tiled_rank(e, group);
  default: return planned(e, shape, scattered_rank(e, group));
  }
}

static CpuLeaf tiled_part(CpuEmit *e, const IrGroup *group) {
  CpuShape shape = cpu_part_shape(e->plan, group);
  CpuLeaf outer = cpu_group_rank(e, group->parent);
  int64_t size;
  if (code_tile_size(group, &size))
    return cpu_part_of(e, outer, size, shape, true);
  LLVMValueRef log2 = trailing_zeros(e, cpu_team_tile_operand(e, group));
  log2 = LLVMBuildAnd(e->b, log2, cpu_team_fill(e, 31), CPU_NAME);
  return planned(e, shape,
                 LLVMBuildLShr(e->b, cpu_as_vector(e, outer), log2, CPU_NAME));
}

CpuLeaf cpu_group_part(CpuEmit *e, const IrGroup *group) {
  CpuShape shape = cpu_part_shape(e->plan, group);
  if (!code_is_computed(group))
    return e->counts[group->id];
  switch ((int)group->kind) {
  case GROUP_THREAD: return cpu_group_rank(e, group->parent);
  case GROUP_WARP:
    return cpu_part_of(e, cpu_group_rank(e, group->parent), CPU_WARP, shape,
                       true);
  case GROUP_TILED: return tiled_part(e, group);
  case GROUP_COALESCED: return uniform_leaf(cpu_i32(e, 0));
  default: return planned(e, shape, cpu_team_labeled_part(e, group, false));
  }
}

// ------------------------------------------------------------------ sizes

static LLVMValueRef full_size(CpuEmit *e, const IrGroup *group) {
  int64_t size;
  if (group->kind == GROUP_WARP)
    return cpu_team_fill(e, CPU_WARP);
  if (code_tile_size(group, &size))
    return cpu_team_fill(e, size);
  return cpu_team_tile_operand(e, group);
}

// Parts of n threads, the last of each parent ragged.
static LLVMValueRef cpu_team_ragged_size(CpuEmit *e, const IrGroup *group) {
  LLVMValueRef all = cpu_as_vector(e, cpu_group_threads(e, group->parent));
  LLVMValueRef outer = cpu_as_vector(e, cpu_group_rank(e, group->parent));
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
  LLVMValueRef first = LLVMBuildSub(e->b, outer, rank, CPU_NAME);
  LLVMValueRef left = LLVMBuildSub(e->b, all, first, CPU_NAME);
  LLVMValueRef full = full_size(e, group);
  LLVMValueRef is_less = LLVMBuildICmp(e->b, LLVMIntSLT, left, full, CPU_NAME);
  return LLVMBuildSelect(e->b, is_less, left, full, CPU_NAME);
}

static CpuLeaf grid_threads(CpuEmit *e) {
  LLVMValueRef size = cpu_i64(e, e->plan->n_threads);
  for (int k = 0; k < 3; k++)
    size = LLVMBuildMul(e->b, size,
                        LLVMBuildSExt(e->b, e->grid[k], e->i64, CPU_NAME),
                        CPU_NAME);
  return cpu_leaf_of(cpu_uniform(), ir_scalar(IR_TYPE_I64), size);
}

CpuLeaf cpu_group_threads(CpuEmit *e, const IrGroup *group) {
  int64_t size = code_part_size(e->plan->parts, group);
  CpuShape shape = cpu_size_shape(e->plan, group);
  if (group->kind == GROUP_GRID)
    return grid_threads(e);
  if (group->kind == GROUP_CLUSTER)
    return uniform_leaf(LLVMBuildMul(e->b, cpu_cluster_size(e),
                                     cpu_i32(e, e->plan->n_threads), CPU_NAME));
  if (size > 0)
    return uniform_leaf(cpu_i32(e, size));
  if (code_is_lane_set(group))
    return planned(e, shape, cpu_team_popcount(e, cpu_part_mask(e, group)));
  return planned(e, shape, cpu_team_ragged_size(e, group));
}

static CpuLeaf pieces_of(CpuEmit *e, const IrGroup *group) {
  LLVMValueRef all = cpu_as_vector(e, cpu_group_threads(e, group->parent));
  LLVMValueRef full = full_size(e, group);
  LLVMValueRef up = LLVMBuildAdd(
      e->b, all, LLVMBuildSub(e->b, full, cpu_team_fill(e, 1), CPU_NAME),
      CPU_NAME);
  LLVMValueRef log2 = trailing_zeros(e, full);
  log2 = LLVMBuildAnd(e->b, log2, cpu_team_fill(e, 31), CPU_NAME);
  return planned(e, cpu_parts_shape(e->plan, group),
                 LLVMBuildLShr(e->b, up, log2, CPU_NAME));
}

CpuLeaf cpu_group_parts_of(CpuEmit *e, const IrGroup *group) {
  if (group->kind == GROUP_GRID)
    return uniform_leaf(cpu_i32(e, 1));
  if (group->kind == GROUP_CLUSTER)
    return uniform_leaf(cpu_cluster_count(e));
  if (group->kind == GROUP_BLOCK)
    return uniform_leaf(cpu_cluster_size(e));
  if (!code_is_computed(group) && group->kind == GROUP_THREAD &&
      group->instances <= 0)
    return cpu_group_threads(e, group->parent);
  if (!code_is_computed(group) || group->kind == GROUP_COALESCED)
    return uniform_leaf(
        cpu_i32(e, group->instances > 0 ? group->instances : 1));
  if (group->kind == GROUP_THREAD)
    return cpu_group_threads(e, group->parent);
  if (group->kind == GROUP_LABELED)
    return planned(e, cpu_parts_shape(e->plan, group),
                   cpu_team_labeled_part(e, group, true));
  return pieces_of(e, group);
}

CpuLeaf cpu_group_instance(CpuEmit *e, const IrGroup *group) {
  if (group == NULL)
    return uniform_leaf(cpu_i32(e, 0));
  if (!code_is_computed(group))
    return e->instances[group->id];
  CpuShape shape = cpu_instance_shape(e->plan, group);
  CpuLeaf outer = cpu_group_instance(e, group->parent);
  CpuLeaf mine = cpu_group_part(e, group);
  int64_t most = code_most_parts(e->plan->parts, group);
  if (shape.kind != CPU_VARYING) {
    LLVMValueRef before =
        LLVMBuildMul(e->b, cpu_base(e, outer), cpu_i64(e, most), CPU_NAME);
    return cpu_position_leaf(
        e, shape, LLVMBuildAdd(e->b, before, cpu_base(e, mine), CPU_NAME),
        NULL);
  }
  LLVMValueRef before = LLVMBuildMul(e->b, cpu_as_vector(e, outer),
                                     cpu_team_fill(e, most), CPU_NAME);
  return cpu_position_leaf(
      e, shape, NULL,
      LLVMBuildAdd(e->b, before, cpu_as_vector(e, mine), CPU_NAME));
}

// ----------------------------------------------------------------- makers

static LLVMValueRef comparable(CpuEmit *e, CpuLeaf leaf) {
  LLVMValueRef v = cpu_as_vector(e, leaf);
  if (leaf.type.kind == IR_TYPE_PTR)
    return LLVMBuildPtrToInt(e->b, v, llvm_type_like(LLVMTypeOf(v), e->i64),
                             CPU_NAME);
  if (leaf.type.kind == IR_TYPE_BOOL)
    return LLVMBuildZExt(e->b, v, llvm_type_like(LLVMTypeOf(v), e->i32),
                         CPU_NAME);
  return v;
}

// Lanes of the parent with the same label: one comparison for each label.
static LLVMValueRef same_label(CpuEmit *e, const IrNode *node) {
  LLVMValueRef active = cpu_mask(e);
  LLVMValueRef label = comparable(e, cpu_leaf(e, node->args[0], 0));
  LLVMTypeRef ints = cpu_vector_of(e, e->i32);
  LLVMValueRef found = cpu_alloca(e, ints), open = cpu_alloca(e, e->i32);
  LLVMBuildStore(e->b, LLVMConstNull(ints), found);
  LLVMBuildStore(e->b, cpu_mask_bits(e, active), open);
  LLVMBasicBlockRef head = cpu_new_block(e, "label");
  LLVMBasicBlockRef end = cpu_new_block(e, "labels_end");
  LLVMBuildBr(e->b, head);
  cpu_begin_block(e, head);
  LLVMValueRef left = cpu_load_slot(e, e->i32, open);
  LLVMValueRef lane = trailing_zeros(e, left);
  LLVMValueRef one = LLVMBuildExtractElement(e->b, label, lane, CPU_NAME);
  LLVMValueRef same =
      LLVMBuildICmp(e->b, LLVMIntEQ, label, cpu_splat(e, one), CPU_NAME);
  same = cpu_mask_and(e, active, same);
  LLVMValueRef bits = cpu_mask_bits(e, same);
  LLVMValueRef old = cpu_load_slot(e, ints, found);
  LLVMBuildStore(e->b,
                 LLVMBuildSelect(e->b, same, cpu_splat(e, bits), old, CPU_NAME),
                 found);
  left = LLVMBuildAnd(e->b, left, LLVMBuildNot(e->b, bits, CPU_NAME), CPU_NAME);
  LLVMBuildStore(e->b, left, open);
  LLVMValueRef more =
      LLVMBuildICmp(e->b, LLVMIntNE, left, cpu_i32(e, 0), CPU_NAME);
  LLVMBuildCondBr(e->b, more, head, end);
  cpu_begin_block(e, end);
  return cpu_load_slot(e, ints, found);
}

static void cpu_team_check_tile(CpuEmit *e, const IrNode *node) {
  LLVMValueRef n = cpu_team_tile_operand(e, node->u.group.group);
  LLVMValueRef less = LLVMBuildSub(e->b, n, cpu_team_fill(e, 1), CPU_NAME);
  LLVMValueRef is_large =
      LLVMBuildICmp(e->b, LLVMIntUGE, less, cpu_team_fill(e, 512), CPU_NAME);
  LLVMValueRef bits = LLVMBuildAnd(e->b, n, less, CPU_NAME);
  LLVMValueRef is_odd =
      LLVMBuildICmp(e->b, LLVMIntNE, bits, cpu_team_fill(e, 0), CPU_NAME);
  cpu_fault_where(e, node, LLVMBuildOr(e->b, is_large, is_odd, CPU_NAME),
                  "the size of a tiled_partition is not a power of two from 1 "
                  "to 512");
}

// See HdCpuCoalesced: the strand waits until its group is known.
static LLVMValueRef meet_coalesced(CpuEmit *e, const IrNode *node) {
  size_t bytes = sizeof(HdCpuCoalesced) + node->n_args * sizeof(int32_t);
  LLVMValueRef record = cpu_alloca(e, LLVMArrayType2(e->i8, bytes));
  LLVMSetAlignment(record, 8);
  cpu_set_field(e, cpu_i32(e, 0), record, offsetof(HdCpuCoalesced, is_known));
  cpu_set_field(e, cpu_i32(e, node->n_args), record,
                offsetof(HdCpuCoalesced, n_keys));
  for (uint32_t i = 0; i < node->n_args; i++)
    cpu_set_field(e, cpu_scalar_arg(e, node, i), record,
                  offsetof(HdCpuCoalesced, keys) + i * sizeof(int32_t));
  CpuWaitFor wait = {
      .kind = HD_CPU_WAIT_COALESCED,
      .word = cpu_byte_offset(e, record,
                              (int64_t)offsetof(HdCpuCoalesced, is_known)),
      .object = record};
  cpu_coro_wait(e, &wait, node->loc);
  return cpu_field(e, e->i32, record, offsetof(HdCpuCoalesced, lanes));
}

void cpu_emit_make_group(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  int64_t size;
  switch ((int)group->kind) {
  case GROUP_LABELED: {
    if (node->n_args > 1) { // see expand_labels
      cpu_set_value(e, node, 0, cpu_scalar_arg(e, node, 1));
      return;
    }
    if (e->plan->has_checks)
      cpu_tell_meeting(e, group->parent);
    LLVMValueRef mask = same_label(e, node);
    if (!cpu_is_one_part(e->plan, group->parent))
      mask =
          LLVMBuildAnd(e->b, mask, cpu_own_lanes(e, group->parent), CPU_NAME);
    cpu_set_value(e, node, 0, mask);
    return;
  }
  case GROUP_COALESCED: {
    if (e->lanes == 1 && e->is_coroutine) {
      cpu_set_value(e, node, 0, meet_coalesced(e, node));
      return;
    }
    LLVMValueRef there = cpu_mask_bits(e, cpu_mask(e));
    if (!cpu_is_one_part(e->plan, group))
      there = LLVMBuildAnd(
          e->b, cpu_splat(e, there),
          cpu_own_lanes(e, ir_node_group(e->plan->kernel, node)), CPU_NAME);
    cpu_set_value(e, node, 0, there);
    return;
  }
  case GROUP_TILED:
    if (!code_tile_size(group, &size))
      cpu_team_check_tile(e, node);
    break;
  default: break;
  }
  cpu_set_value(e, node, 0, cpu_i32(e, 0));
}
