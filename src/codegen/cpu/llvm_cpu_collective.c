// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes and matches of groups that lie within a strand.
//
// Note [Collectives within a strand]
// The threads of a group reach a collective together, so the lanes of its part
// are all active; what other lanes hold is not looked at. Groups of more than
// one strand were rewritten before (cpu_expand.c). Where each lane's rank is a
// constant (tiles of whole warps, say), moves are shuffles with constant
// places; elsewhere lanes are computed. With one lane a strand what is left
// are groups of one thread.
#include "codegen/cpu/llvm_cpu.h"

#include "base/bits.h"

static LLVMValueRef cpu_collective_fill(CpuEmit *e, int64_t value) {
  return cpu_const_splat(e, cpu_i32(e, value));
}

static uint32_t cpu_collective_leaf_count(const CpuEmit *e,
                                          const IrNode *node) {
  return e->plan->node_leaf[node->id + 1] - e->plan->node_leaf[node->id];
}

// Sets a leaf from a vector that holds the result in every active lane.
static void set_vector(CpuEmit *e, const IrNode *node, uint32_t k,
                       LLVMValueRef v) {
  CpuShape shape = e->plan->shapes[e->plan->node_leaf[node->id] + k];
  if (shape.kind == CPU_UNIFORM && e->lanes > 1)
    v = LLVMBuildExtractElement(e->b, v, cpu_first_active(e), CPU_NAME);
  cpu_set_value(e, node, k, v);
}

// --------------------------------------------------------------- shuffles

static LLVMValueRef cpu_collective_modulo(CpuEmit *e, const IrGroup *group,
                                          LLVMValueRef i, LLVMValueRef size) {
  int64_t n = code_part_size(e->plan->parts, group);
  if (is_power_of_two(n))
    return LLVMBuildAnd(e->b, i, cpu_collective_fill(e, n - 1), CPU_NAME);
  // Lanes that aren't active may hold a size of 0.
  LLVMValueRef one = cpu_collective_fill(e, 1);
  LLVMValueRef is_none = LLVMBuildICmp(e->b, LLVMIntSLT, size, one, CPU_NAME);
  size = LLVMBuildSelect(e->b, is_none, one, size, CPU_NAME);
  LLVMValueRef rest = LLVMBuildSRem(e->b, i, size, CPU_NAME);
  LLVMValueRef is_below = LLVMBuildICmp(e->b, LLVMIntSLT, rest,
                                        cpu_collective_fill(e, 0), CPU_NAME);
  LLVMValueRef up = LLVMBuildAdd(e->b, rest, size, CPU_NAME);
  return LLVMBuildSelect(e->b, is_below, up, rest, CPU_NAME);
}

// Rank of the source, before it is tested.
static LLVMValueRef cpu_collective_source_rank(CpuEmit *e, const IrNode *node,
                                               LLVMValueRef rank,
                                               LLVMValueRef by) {
  switch ((int)node->op) {
  case IR_SHFL_UP: return LLVMBuildSub(e->b, rank, by, CPU_NAME);
  case IR_SHFL_DOWN: return LLVMBuildAdd(e->b, rank, by, CPU_NAME);
  case IR_SHFL_XOR: return LLVMBuildXor(e->b, rank, by, CPU_NAME);
  default: return by;
  }
}

// The lane that each lane reads, a vector of i32.
static LLVMValueRef cpu_collective_source_lane(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
  LLVMValueRef size = cpu_as_vector(e, cpu_group_threads(e, group));
  LLVMValueRef by = cpu_vector_arg(e, node, 1);
  LLVMValueRef from = cpu_collective_source_rank(e, node, rank, by);
  bool is_modulo = node->op == IR_BROADCAST ||
                   (node->op == IR_SHFL && !code_is_lane_set(group));
  if (is_modulo)
    return cpu_lane_of_rank(e, group,
                            cpu_collective_modulo(e, group, from, size));
  LLVMValueRef lane = cpu_lane_of_rank(e, group, from);
  LLVMValueRef is_there = LLVMBuildICmp(e->b, LLVMIntULT, from, size, CPU_NAME);
  return LLVMBuildSelect(e->b, is_there, lane, cpu_lane_numbers(e), CPU_NAME);
}

// Constant places: tiles of n threads and a constant operand.
static bool constant_lanes(CpuEmit *e, const IrNode *node, int *lanes) {
  int64_t by;
  bool is_even;
  uint32_t n = cpu_lane_pattern(e->plan, node->u.group.group, &is_even);
  if (n == 0 || !is_even || !code_const_int(node->args[1], &by))
    return false;
  for (int64_t lane = 0; lane < CPU_WARP; lane++) {
    int64_t rank = lane % n, from = by;
    if (node->op == IR_SHFL_UP)
      from = (int32_t)((uint32_t)rank - (uint32_t)by);
    else if (node->op == IR_SHFL_DOWN)
      from = (int32_t)((uint32_t)rank + (uint32_t)by);
    else if (node->op == IR_SHFL_XOR)
      from = (int32_t)((uint32_t)rank ^ (uint32_t)by);
    if (node->op == IR_SHFL || node->op == IR_BROADCAST)
      from &= n - 1;
    bool is_there = from >= 0 && from < n;
    lanes[lane] = (int)(is_there ? lane - rank + from : lane);
  }
  return true;
}

// See Note [Shuffles of who is present].
static void emit_present(CpuEmit *e, const IrNode *node,
                         const CpuPresent *present) {
  LLVMValueRef lane = cpu_as_vector(e, cpu_leaf(e, present->lane, 0));
  LLVMValueRef is_there = cpu_as_vector(e, cpu_leaf(e, present->is_there, 0));
  for (uint32_t k = 0; k < cpu_collective_leaf_count(e, node); k++) {
    LLVMValueRef v = cpu_as_vector(e, cpu_leaf(e, node->args[0], k));
    LLVMValueRef moved = cpu_permute(e, v, lane);
    set_vector(e, node, k, LLVMBuildSelect(e->b, is_there, moved, v, CPU_NAME));
  }
}

static void emit_shuffle(CpuEmit *e, const IrNode *node) {
  CpuPresent present;
  if (cpu_find_present(e, node, &present)) {
    emit_present(e, node, &present);
    return;
  }
  int lanes[CPU_WARP];
  bool is_constant = constant_lanes(e, node, lanes);
  LLVMValueRef from = NULL;
  for (uint32_t k = 0; k < cpu_collective_leaf_count(e, node); k++) {
    CpuLeaf leaf = cpu_leaf(e, node->args[0], k);
    if (leaf.shape.kind == CPU_UNIFORM) {
      cpu_set_value(e, node, k, leaf.v);
      continue;
    }
    LLVMValueRef v = cpu_as_vector(e, leaf);
    if (!is_constant && from == NULL)
      from = cpu_collective_source_lane(e, node);
    set_vector(e, node, k,
               is_constant ? cpu_shuffle(e, v, lanes)
                           : cpu_permute(e, v, from));
  }
}

// One lane's value for all.
static void emit_broadcast(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  CpuLeaf by = cpu_leaf(e, node->args[1], 0);
  if (!cpu_is_one_part(e->plan, group) || by.shape.kind != CPU_UNIFORM ||
      e->lanes == 1) {
    emit_shuffle(e, node);
    return;
  }
  LLVMValueRef lane = LLVMBuildExtractElement(
      e->b, cpu_collective_source_lane(e, node), cpu_first_active(e), CPU_NAME);
  lane = LLVMBuildAnd(e->b, lane, cpu_i32(e, CPU_WARP - 1), CPU_NAME);
  for (uint32_t k = 0; k < cpu_collective_leaf_count(e, node); k++)
    cpu_set_value(e, node, k,
                  cpu_at_lane(e, cpu_leaf(e, node->args[0], k), lane));
}

// ------------------------------------------------------------------ votes

// Bits of active lanes for which a bool (leaf 0 of argument 0) holds.
static LLVMValueRef vote_bits(CpuEmit *e, const IrNode *node) {
  LLVMValueRef holds = cpu_vector_arg(e, node, 0);
  return cpu_mask_bits(e, cpu_mask_and(e, e->mask, holds));
}

static LLVMValueRef cpu_collective_popcount(CpuEmit *e, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  return cpu_intrinsic(e, "llvm.ctpop", &type, 1, &v, 1);
}

// Bits by lane to bits by rank, for every lane's part.
static LLVMValueRef by_rank(CpuEmit *e, const IrGroup *group,
                            LLVMValueRef bits) {
  LLVMValueRef result = cpu_collective_fill(e, 0),
               one = cpu_collective_fill(e, 1);
  if (!code_is_scattered(group)) {
    LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
    LLVMValueRef first =
        LLVMBuildSub(e->b, cpu_lane_numbers(e), rank, CPU_NAME);
    first = LLVMBuildAnd(e->b, first, cpu_collective_fill(e, CPU_WARP - 1),
                         CPU_NAME);
    return LLVMBuildLShr(e->b, bits, first, CPU_NAME);
  }
  // The lowest lane that is left has the next rank.
  LLVMValueRef left = cpu_part_mask(e, group);
  for (int rank = 0; rank < CPU_WARP; rank++) {
    LLVMValueRef minus = LLVMBuildNeg(e->b, left, CPU_NAME);
    LLVMValueRef lowest = LLVMBuildAnd(e->b, left, minus, CPU_NAME);
    LLVMValueRef hit = LLVMBuildAnd(e->b, bits, lowest, CPU_NAME);
    LLVMValueRef is_set = LLVMBuildICmp(e->b, LLVMIntNE, hit,
                                        cpu_collective_fill(e, 0), CPU_NAME);
    LLVMValueRef bit = LLVMBuildSelect(
        e->b, is_set,
        LLVMBuildShl(e->b, one, cpu_collective_fill(e, rank), CPU_NAME),
        cpu_collective_fill(e, 0), CPU_NAME);
    result = LLVMBuildOr(e->b, result, bit, CPU_NAME);
    left = LLVMBuildXor(e->b, left, lowest, CPU_NAME);
  }
  return result;
}

static LLVMValueRef vote_result(CpuEmit *e, IrOp op, LLVMValueRef holds,
                                LLVMValueRef all) {
  if (op == IR_COUNT)
    return cpu_collective_popcount(e, holds);
  if (op == IR_ALL)
    return LLVMBuildICmp(e->b, LLVMIntEQ, holds, all, CPU_NAME);
  return LLVMBuildICmp(e->b, LLVMIntNE, holds, LLVMConstNull(LLVMTypeOf(holds)),
                       CPU_NAME);
}

// All active lanes are one part: the answer is a scalar.
static void emit_vote_of_one(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  LLVMValueRef holds = vote_bits(e, node);
  if (node->op != IR_BALLOT) {
    LLVMValueRef all = cpu_mask_bits(e, cpu_mask(e));
    cpu_set_value(e, node, 0, vote_result(e, node->op, holds, all));
    return;
  }
  bool is_even;
  bool is_whole = cpu_lane_pattern(e->plan, group, &is_even) == CPU_WARP;
  if (!is_whole && code_is_scattered(group)) {
    LLVMValueRef ranks = by_rank(e, group, cpu_splat(e, holds));
    holds = LLVMBuildExtractElement(e->b, ranks, cpu_first_active(e), CPU_NAME);
  } else if (!is_whole) {
    holds = LLVMBuildLShr(e->b, holds, cpu_first_active(e), CPU_NAME);
  }
  cpu_set_value(e, node, 0, holds);
}

static void cpu_collective_emit_vote(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  if (e->lanes == 1) {
    LLVMValueRef holds = cpu_vector_arg(e, node, 0);
    bool is_number = node->op == IR_COUNT || node->op == IR_BALLOT;
    cpu_set_value(e, node, 0,
                  is_number ? LLVMBuildZExt(e->b, holds, e->i32, CPU_NAME)
                            : holds);
    return;
  }
  if (cpu_is_one_part(e->plan, group)) {
    emit_vote_of_one(e, node);
    return;
  }
  LLVMValueRef own = cpu_own_lanes(e, group);
  LLVMValueRef holds = cpu_splat(e, vote_bits(e, node));
  holds = LLVMBuildAnd(e->b, holds, own, CPU_NAME);
  if (node->op == IR_BALLOT)
    cpu_set_value(e, node, 0, by_rank(e, group, holds));
  else
    cpu_set_value(e, node, 0, vote_result(e, node->op, holds, own));
}

// ---------------------------------------------------------------- matches

// The bits of a leaf as integers, lane by lane.
static LLVMValueRef leaf_bits(CpuEmit *e, CpuLeaf leaf) {
  LLVMValueRef v = cpu_as_vector(e, leaf);
  if (leaf.type.kind == IR_TYPE_PTR)
    return LLVMBuildPtrToInt(e->b, v, cpu_vector_of(e, e->i64), CPU_NAME);
  if (leaf.type.kind == IR_TYPE_BOOL)
    return LLVMBuildZExt(e->b, v, cpu_vector_of(e, e->i32), CPU_NAME);
  LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, ir_type_bits(leaf.type));
  return LLVMBuildBitCast(e->b, v, cpu_vector_of(e, bits), CPU_NAME);
}

// Active lanes that have all leaves as lane `lane` has them: bits.
static LLVMValueRef same_as(CpuEmit *e, const IrNode *node, LLVMValueRef *rows,
                            LLVMValueRef lane) {
  LLVMValueRef same = e->mask;
  for (uint32_t k = 0; k < cpu_collective_leaf_count(e, node->args[0]); k++) {
    LLVMValueRef one = LLVMBuildExtractElement(e->b, rows[k], lane, CPU_NAME);
    LLVMValueRef equal =
        LLVMBuildICmp(e->b, LLVMIntEQ, rows[k], cpu_splat(e, one), CPU_NAME);
    same = cpu_mask_and(e, equal, same);
  }
  return same ? same : cpu_full_mask(e);
}

// For each lane the active lanes with its value: one turn for each value.
static LLVMValueRef same_lanes(CpuEmit *e, const IrNode *node) {
  LLVMTypeRef ints = cpu_vector_of(e, e->i32);
  LLVMValueRef rows[CPU_MAX_LEAVES];
  for (uint32_t k = 0; k < cpu_collective_leaf_count(e, node->args[0]); k++)
    rows[k] = leaf_bits(e, cpu_leaf(e, node->args[0], k));
  LLVMValueRef found = cpu_alloca(e, ints), open = cpu_alloca(e, e->i32);
  LLVMBuildStore(e->b, LLVMConstNull(ints), found);
  LLVMBuildStore(e->b, cpu_mask_bits(e, cpu_mask(e)), open);
  LLVMBasicBlockRef head = cpu_new_block(e, "value");
  LLVMBasicBlockRef end = cpu_new_block(e, "values_end");
  LLVMBuildBr(e->b, head);
  cpu_begin_block(e, head);
  LLVMValueRef left = cpu_load_slot(e, e->i32, open);
  LLVMValueRef args[2] = {left, LLVMConstInt(e->i1, 1, 0)};
  LLVMValueRef lane = cpu_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);
  LLVMValueRef same = same_as(e, node, rows, lane);
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

static void emit_match(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  if (e->lanes == 1) {
    cpu_set_value(e, node, 0, cpu_i32(e, 1));
    return;
  }
  LLVMValueRef own = cpu_own_lanes(e, group);
  LLVMValueRef same = LLVMBuildAnd(e->b, same_lanes(e, node), own, CPU_NAME);
  if (node->op == IR_MATCH_ANY) {
    set_vector(e, node, 0, by_rank(e, group, same));
    return;
  }
  LLVMValueRef is_all = LLVMBuildICmp(e->b, LLVMIntEQ, same, own, CPU_NAME);
  LLVMValueRef ranks = by_rank(e, group, own);
  set_vector(e, node, 0,
             LLVMBuildSelect(e->b, is_all, ranks, cpu_collective_fill(e, 0),
                             CPU_NAME));
}

static void tell_meeting(CpuEmit *e, const IrNode *node) {
  if (e->plan->has_checks)
    cpu_tell_meeting(e, cpu_node_group(node));
}

void cpu_emit_exchange(CpuEmit *e, const IrNode *node) {
  tell_meeting(e, node);
  switch (ir_exchange_op(node->op)) {
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR: emit_shuffle(e, node); break;
  case IR_BROADCAST: emit_broadcast(e, node); break;
  case IR_ANY:
  case IR_ALL:
  case IR_COUNT:
  case IR_BALLOT: cpu_collective_emit_vote(e, node); break;
  case IR_MATCH_ANY:
  case IR_MATCH_ALL: emit_match(e, node); break;
  }
}

void cpu_emit_reduction(CpuEmit *e, const IrNode *node) {
  tell_meeting(e, node);
  switch (ir_reduce_op(node->op)) {
  case IR_REDUCE:
  case IR_REDUCE_BY: cpu_emit_reduce(e, node); break;
  case IR_SCAN:
  case IR_SCAN_BY: cpu_emit_scan(e, node); break;
  }
}
