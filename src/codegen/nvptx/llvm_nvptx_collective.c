// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes and matches. See Note [Together] for the masks.
#include "base/bits.h"
#include "codegen/code_groups.h"
#include "codegen/code_parts.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

// --------------------------------------------------------------- shuffles

static LLVMValueRef nvptx_collective_is_there(NvEmit *e, LLVMValueRef rank,
                                              LLVMValueRef size) {
  return LLVMBuildICmp(e->b, LLVMIntULT, rank, size, NV_NAME);
}

static LLVMValueRef nvptx_collective_modulo(NvEmit *e, LLVMValueRef i,
                                            LLVMValueRef size) {
  if (LLVMIsConstant(size)) {
    uint64_t n = LLVMConstIntGetZExtValue(size);
    if (!bits_has_several(n))
      return LLVMBuildAnd(e->b, i, nv_i32(e, (int64_t)n - 1), NV_NAME);
  }
  LLVMValueRef rest = LLVMBuildSRem(e->b, i, size, NV_NAME);
  LLVMValueRef is_below =
      LLVMBuildICmp(e->b, LLVMIntSLT, rest, nv_i32(e, 0), NV_NAME);
  LLVMValueRef up = LLVMBuildAdd(e->b, rest, size, NV_NAME);
  return LLVMBuildSelect(e->b, is_below, up, rest, NV_NAME);
}

// The rank that the thread reads: out of range where there is none.
static LLVMValueRef source_rank(NvEmit *e, const IrNode *node,
                                LLVMValueRef size) {
  const IrGroup *group = node->u.group.group;
  LLVMValueRef rank = nv_group_rank(e, group), by = nv_arg(e, node, 1);
  int64_t value;
  switch ((int)node->op) {
  case IR_SHFL_UP: return LLVMBuildSub(e->b, rank, by, NV_NAME);
  case IR_SHFL_DOWN: return LLVMBuildAdd(e->b, rank, by, NV_NAME);
  case IR_SHFL_XOR: return LLVMBuildXor(e->b, rank, by, NV_NAME);
  case IR_SHFL:
    if (code_is_lane_set(group))
      return by;
    break;
  case IR_BROADCAST: break;
  default: HD_PANIC("'%s' is no shuffle", ir_op_info(node)->text);
  }
  bool is_first = code_const_int(node->args[1], &value) && value == 0;
  return is_first ? by : nvptx_collective_modulo(e, by, size);
}

// Operand 1 is from 0 to n - 1, so that shfl's own arithmetic does.
static bool is_in_tile(const NvEmit *e, const IrNode *node, int64_t n) {
  int64_t lo, hi;
  return nv_value_range(e, node->args[1], &lo, &hi) && lo >= 0 && hi < n;
}

static const char *shuffle_mode(IrOp op) {
  return op == IR_SHFL_UP     ? "up"
         : op == IR_SHFL_DOWN ? "down"
         : op == IR_SHFL_XOR  ? "bfly"
                              : "idx";
}

// The same as a lane, `node` being the rank: that of the source, or this one.
// Who has `n` of the set below bit b as its rank is the lowest from b on.
static LLVMValueRef nvptx_collective_source_lane(NvEmit *e,
                                                 const IrGroup *group,
                                                 const IrNode *node) {
  int64_t value;
  if (node->op == IR_SELECT) {
    LLVMValueRef yes = nv_tested_lane(e, group, node->args[0], node->args[1]);
    if (!yes)
      yes = nvptx_collective_source_lane(e, group, node->args[1]);
    LLVMValueRef no = nvptx_collective_source_lane(e, group, node->args[2]);
    return LLVMBuildSelect(e->b, nv_arg(e, node, 0), yes, no, NV_NAME);
  }
  bool is_const = code_const_int(node, &value);
  if (is_const && (value < 0 || value >= NV_WARP))
    return e->lane;
  if (is_const && value == 0)
    return nv_lowest_bit(e, nv_group_mask(e, group));
  LLVMValueRef from = nv_value(e, node, 0), lane, there;
  if (node->op == IR_POPCOUNT &&
      nv_lanes_above(e, group, node->args[0], &lane, &there))
    return LLVMBuildSelect(e->b, there, lane, e->lane, NV_NAME);
  lane = nv_lane_of_rank(e, group, from);
  return LLVMBuildSelect(
      e->b, nvptx_collective_is_there(e, from, nv_group_size(e, group)), lane,
      e->lane, NV_NAME);
}

static NvLeaves shuffle_lanes(NvEmit *e, const IrNode *node,
                              const NvLeaves *value) {
  const IrGroup *group = node->u.group.group;
  NvTeam team = nv_team(e, node, group);
  uint32_t n = team.row->tile;
  bool is_index = node->op == IR_SHFL || node->op == IR_BROADCAST;
  if (n > 0 && (is_index || is_in_tile(e, node, n))) {
    uint32_t segment = (NV_WARP - n) << 8;
    uint32_t clamp = node->op == IR_SHFL_UP ? segment : segment | 31;
    return nv_move(e, value, shuffle_mode(node->op), team.sync,
                   nv_arg(e, node, 1), clamp);
  }
  if (node->op == IR_SHFL && code_is_lane_set(group)) {
    LLVMValueRef lane = nvptx_collective_source_lane(e, group, node->args[1]);
    return nv_move(e, value, "idx", team.sync, lane, NV_WARP - 1);
  }
  LLVMValueRef size = nv_group_size(e, group);
  LLVMValueRef from = source_rank(e, node, size);
  LLVMValueRef lane = nv_lane_of_rank(e, group, from);
  lane = LLVMBuildSelect(e->b, nvptx_collective_is_there(e, from, size), lane,
                         e->lane, NV_NAME);
  return nv_move(e, value, "idx", team.sync, lane, NV_WARP - 1);
}

// Through memory: every thread puts its value where its rank says.
static NvLeaves shuffle_wide(NvEmit *e, const IrNode *node,
                             const NvLeaves *value) {
  const IrGroup *group = node->u.group.group;
  LLVMValueRef rank = nv_group_rank(e, group), size = nv_group_size(e, group);
  LLVMValueRef from = source_rank(e, node, size);
  LLVMValueRef base = LLVMBuildSub(e->b, e->thread, rank, NV_NAME);
  NvScratch s = nv_scratch(e, group);
  if (node->op == IR_BROADCAST) { // only one is read
    NvIf place = nv_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, rank, from, NV_NAME));
    nv_scratch_store(e, &s, e->thread, value);
    nv_end_if(e, place);
  } else {
    nv_scratch_store(e, &s, e->thread, value);
  }
  nv_sync_group(e, group, node);
  from = LLVMBuildSelect(e->b, nvptx_collective_is_there(e, from, size), from,
                         rank, NV_NAME);
  NvLeaves result = *value;
  nv_scratch_load(e, &s, LLVMBuildAdd(e->b, base, from, NV_NAME), &result);
  nv_scratch_done(e, &s, group, node);
  return result;
}

static void nvptx_collective_emit_shuffle(NvEmit *e, const IrNode *node) {
  const NvGroupPlan *row = &e->plan->groups[node->u.group.group->id];
  NvLeaves value = nv_leaves(e, node->args[0]);
  if (row->in_warp && row->most_threads > 1)
    value = shuffle_lanes(e, node, &value);
  else if (row->most_threads > 1)
    value = shuffle_wide(e, node, &value);
  nv_set_leaves(e, node, &value);
}

// ------------------------------------------------------------------ votes

// Bits by lane, of one part, to bits by rank.
static LLVMValueRef nvptx_collective_by_rank(NvEmit *e, const IrGroup *group,
                                             LLVMValueRef bits) {
  uint32_t n = e->plan->groups[group->id].tile;
  if (n == NV_WARP)
    return bits;
  LLVMValueRef first =
      LLVMBuildSub(e->b, e->lane, nv_group_rank(e, group), NV_NAME);
  return LLVMBuildLShr(e->b, bits, first, NV_NAME);
}

static LLVMValueRef nvptx_collective_vote_result(NvEmit *e, IrOp op,
                                                 LLVMValueRef bits,
                                                 LLVMValueRef all) {
  if (op == IR_COUNT)
    return nv_popcount(e, bits);
  if (op == IR_ALL)
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, all, NV_NAME);
  return LLVMBuildICmp(e->b, LLVMIntNE, bits, nv_i32(e, 0), NV_NAME);
}

// Bits by rank of a set of lanes: each lane gives its own.
static LLVMValueRef ballot_by_ranks(NvEmit *e, const IrGroup *group,
                                    LLVMValueRef holds) {
  LLVMValueRef bit = LLVMBuildZExt(e->b, holds, e->i32, NV_NAME);
  bit = LLVMBuildShl(e->b, bit, nv_group_rank(e, group), NV_NAME);
  return nv_redux(e, nv_group_mask(e, group), RMW_OR, bit);
}

// The first way of a branch is the common one; it ends where both meet.
static void nvptx_collective_expect(NvEmit *e, LLVMValueRef branch) {
  static const char kind[] = "prof", name[] = "branch_weights";
  LLVMMetadataRef weights[3] = {
      LLVMMDStringInContext2(e->cx, name, sizeof name - 1),
      LLVMValueAsMetadata(nv_i32(e, 64)), LLVMValueAsMetadata(nv_i32(e, 1))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(e->cx, weights, 3);
  LLVMSetMetadata(branch,
                  LLVMGetMDKindIDInContext(e->cx, kind, sizeof kind - 1),
                  LLVMMetadataAsValue(e->cx, node));
}

// The same of the lanes that came to a place, which are neighbours where it
// lies behind a test as i < n: ranks are then lanes but for the first's, and a
// ballot is half as long as a reduction.
static LLVMValueRef ballot_of_present(NvEmit *e, const IrGroup *group,
                                      LLVMValueRef holds) {
  LLVMBasicBlockRef far = nv_new_block(e, "scattered");
  LLVMBasicBlockRef near = nv_new_block(e, "neighbours");
  LLVMBasicBlockRef end = nv_new_block(e, "ballot_end");
  LLVMValueRef own = nv_group_mask(e, group);
  LLVMValueRef first = nv_lowest_bit(e, own);
  LLVMValueRef lanes = LLVMBuildLShr(e->b, own, first, NV_NAME);
  LLVMValueRef next = LLVMBuildAdd(e->b, lanes, nv_i32(e, 1), NV_NAME);
  LLVMValueRef holes = LLVMBuildAnd(e->b, lanes, next, NV_NAME), bits[2];
  LLVMValueRef has_none =
      LLVMBuildICmp(e->b, LLVMIntEQ, holes, nv_i32(e, 0), NV_NAME);
  nvptx_collective_expect(e, LLVMBuildCondBr(e->b, has_none, near, far));
  nv_begin_block(e, near);
  bits[0] = LLVMBuildLShr(e->b, nv_ballot(e, own, holds), first, NV_NAME);
  LLVMBuildBr(e->b, end);
  nv_begin_block(e, far);
  bits[1] = ballot_by_ranks(e, group, holds);
  LLVMBuildBr(e->b, end);
  nv_begin_block(e, end);
  LLVMBasicBlockRef from[2] = {near, far};
  LLVMValueRef result = LLVMBuildPhi(e->b, e->i32, NV_NAME);
  LLVMAddIncoming(result, bits, from, 2);
  return result;
}

static LLVMValueRef vote_lanes(NvEmit *e, const IrNode *node,
                               LLVMValueRef holds) {
  const IrGroup *group = node->u.group.group;
  NvTeam team = nv_team(e, node, group);
  LLVMValueRef own = nv_group_mask(e, group);
  if (node->op == IR_BALLOT && code_is_scattered(group))
    return group->kind == GROUP_COALESCED ? ballot_of_present(e, group, holds)
                                          : ballot_by_ranks(e, group, holds);
  bool is_whole = team.row->tile == NV_WARP;
  if (is_whole && (node->op == IR_ANY || node->op == IR_ALL)) {
    LLVMValueRef args[2] = {team.sync, holds};
    const char *name = node->op == IR_ANY ? "llvm.nvvm.vote.any.sync"
                                          : "llvm.nvvm.vote.all.sync";
    return nv_intrinsic(e, name, NULL, 0, args, 2);
  }
  LLVMValueRef bits = nv_ballot(e, team.sync, holds);
  if (!is_whole)
    bits = LLVMBuildAnd(e->b, bits, own, NV_NAME);
  return node->op == IR_BALLOT
             ? nvptx_collective_by_rank(e, group, bits)
             : nvptx_collective_vote_result(e, node->op, bits, own);
}

// The barrier counts.
static LLVMValueRef vote_barrier(NvEmit *e, const IrNode *node,
                                 LLVMValueRef holds) {
  const IrGroup *group = node->u.group.group;
  const NvGroupPlan *row = &e->plan->groups[group->id];
  bool is_block = row->meet == NV_MEET_BLOCK;
  const char *kind = node->op == IR_ANY   ? "or"
                     : node->op == IR_ALL ? "and"
                                          : "popc";
  const char *name =
      arena_printf(e->arena, "llvm.nvvm.barrier.cta.red.%s%s.%s", kind,
                   nv_is_warp_converged(e, node) ? ".aligned" : "",
                   is_block ? "all" : "count");
  LLVMValueRef id = nv_i32(e, is_block ? 0 : row->barrier);
  if (!is_block && row->n_instances > 1)
    id = LLVMBuildAdd(e->b, id, nv_group_instance(e, group), NV_NAME);
  LLVMValueRef n = nv_i32(e, row->n_threads);
  if (row->n_threads == 0) {
    n = LLVMBuildAdd(e->b, nv_group_size(e, group), nv_i32(e, NV_WARP - 1),
                     NV_NAME);
    n = LLVMBuildAnd(e->b, n, nv_i32(e, -NV_WARP), NV_NAME);
  }
  LLVMValueRef args[3] = {id, is_block ? holds : n, holds};
  return nv_intrinsic(e, name, NULL, 0, args, is_block ? 2 : 3);
}

// A sum of ones.
static LLVMValueRef vote_sum(NvEmit *e, const IrNode *node,
                             LLVMValueRef holds) {
  const IrGroup *group = node->u.group.group;
  const NvGroupPlan *row = &e->plan->groups[group->id];
  NvFold f = {.node = node, .combine = RMW_ADD};
  f.now.n = 1;
  f.now.types[0] = ir_scalar(IR_TYPE_I32);
  f.now.v[0] = LLVMBuildZExt(e->b, holds, e->i32, NV_NAME);
  if (group->kind < GROUP_BLOCK)
    nv_reduce_blocks(e, &f, group);
  else if (row->n_warps > 0)
    nv_reduce_wide(e, &f, group);
  else
    nv_reduce_slowly(e, &f, group);
  LLVMValueRef count = f.now.v[0];
  if (node->op == IR_COUNT)
    return count;
  LLVMValueRef size =
      LLVMBuildIntCast2(e->b, nv_group_size(e, group), e->i32, 0, NV_NAME);
  return node->op == IR_ALL
             ? LLVMBuildICmp(e->b, LLVMIntEQ, count, size, NV_NAME)
             : LLVMBuildICmp(e->b, LLVMIntNE, count, nv_i32(e, 0), NV_NAME);
}

static void emit_vote(NvEmit *e, const IrNode *node) {
  const NvGroupPlan *row = &e->plan->groups[node->u.group.group->id];
  LLVMValueRef holds = nv_arg(e, node, 0), result = holds;
  bool is_number = node->op == IR_COUNT || node->op == IR_BALLOT;
  if (row->most_threads == 1 && row->in_warp)
    result = is_number ? LLVMBuildZExt(e->b, holds, e->i32, NV_NAME) : holds;
  else if (row->meet == NV_MEET_NAMED || row->meet == NV_MEET_BLOCK)
    result = vote_barrier(e, node, holds);
  else if (row->meet == NV_MEET_WARP)
    result = vote_lanes(e, node, holds);
  else
    result = vote_sum(e, node, holds);
  nv_set_value(e, node, 0, result);
}

// ---------------------------------------------------------------- matches

// The lanes `bits` of a set of lanes by rank: the lowest that is left has as
// many of the set below it as its rank says.
static LLVMValueRef set_by_rank(NvEmit *e, LLVMValueRef own,
                                LLVMValueRef bits) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef head = nv_new_block(e, "bit");
  LLVMBasicBlockRef end = nv_new_block(e, "bits_end");
  LLVMValueRef zero = nv_i32(e, 0);
  LLVMBuildBr(e->b, head);
  nv_begin_block(e, head);
  LLVMValueRef left = LLVMBuildPhi(e->b, e->i32, NV_NAME);
  LLVMValueRef ranks = LLVMBuildPhi(e->b, e->i32, NV_NAME);
  LLVMAddIncoming(left, &bits, &before, 1);
  LLVMAddIncoming(ranks, &zero, &before, 1);
  LLVMValueRef below = nv_low_bits(e, nv_lowest_bit(e, left));
  LLVMValueRef rank = nv_popcount(e, LLVMBuildAnd(e->b, own, below, NV_NAME));
  LLVMValueRef bit = LLVMBuildShl(e->b, nv_i32(e, 1), rank, NV_NAME);
  LLVMValueRef more = LLVMBuildOr(e->b, ranks, bit, NV_NAME);
  LLVMValueRef less = LLVMBuildSub(e->b, left, nv_i32(e, 1), NV_NAME);
  LLVMValueRef rest = LLVMBuildAnd(e->b, left, less, NV_NAME);
  LLVMAddIncoming(left, &rest, &head, 1);
  LLVMAddIncoming(ranks, &more, &head, 1);
  LLVMValueRef goes_on = LLVMBuildICmp(e->b, LLVMIntNE, rest, zero, NV_NAME);
  LLVMBuildCondBr(e->b, goes_on, head, end);
  nv_begin_block(e, end);
  return more;
}

static LLVMValueRef match_any(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  NvTeam team = nv_team(e, node, group);
  LLVMValueRef own = nv_group_mask(e, group);
  LLVMValueRef same = nv_same_lanes(e, node->args[0], team.sync);
  same = LLVMBuildAnd(e->b, same, own, NV_NAME);
  return code_is_scattered(group) ? set_by_rank(e, own, same)
                                  : nvptx_collective_by_rank(e, group, same);
}

// All have what rank 0 has.
static LLVMValueRef match_all(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  NvTeam team = nv_team(e, node, group);
  NvLeaves value = nv_leaves(e, node->args[0]);
  NvWords words = nv_pack(e, &value);
  LLVMValueRef own = nv_group_mask(e, group);
  LLVMValueRef first = nv_lane_of_rank(e, group, nv_i32(e, 0)), same = NULL;
  for (uint32_t i = 0; i < words.n; i++) {
    LLVMValueRef other =
        nv_shfl(e, "idx", team.sync, words.words[i], first, NV_WARP - 1);
    LLVMValueRef one =
        LLVMBuildICmp(e->b, LLVMIntEQ, words.words[i], other, NV_NAME);
    same = same ? LLVMBuildAnd(e->b, same, one, NV_NAME) : one;
  }
  LLVMValueRef bits =
      LLVMBuildAnd(e->b, nv_ballot(e, team.sync, same), own, NV_NAME);
  LLVMValueRef is_all = LLVMBuildICmp(e->b, LLVMIntEQ, bits, own, NV_NAME);
  LLVMValueRef above =
      LLVMBuildSub(e->b, nv_i32(e, NV_WARP), nv_group_size(e, group), NV_NAME);
  LLVMValueRef ranks = LLVMBuildLShr(e->b, nv_i32(e, -1), above, NV_NAME);
  return LLVMBuildSelect(e->b, is_all, ranks, nv_i32(e, 0), NV_NAME);
}

// Groups to 32 threads that lie in two warps: everybody looks at everybody.
static LLVMValueRef mask_slowly(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  LLVMValueRef rank = nv_group_rank(e, group), size = nv_group_size(e, group);
  LLVMValueRef base = LLVMBuildSub(e->b, e->thread, rank, NV_NAME);
  NvLeaves own = nv_leaves(e, node->args[0]);
  NvWords mine = nv_pack(e, &own);
  NvScratch s = nv_scratch(e, group);
  nv_scratch_store(e, &s, e->thread, &own);
  nv_sync_group(e, group, node);
  LLVMValueRef zero = nv_i32(e, 0), mask = zero, all = zero;
  for (uint32_t i = 0; i < NV_WARP && i < s.row->most_threads; i++) {
    LLVMValueRef at = nv_i32(e, i), in = nvptx_collective_is_there(e, at, size);
    at = LLVMBuildSelect(e->b, in, at, zero, NV_NAME);
    NvLeaves other = own;
    nv_scratch_load(e, &s, LLVMBuildAdd(e->b, base, at, NV_NAME), &other);
    NvWords theirs = nv_pack(e, &other);
    LLVMValueRef is_set = in;
    if (node->op == IR_BALLOT)
      is_set = LLVMBuildAnd(e->b, in, other.v[0], NV_NAME);
    for (uint32_t k = 0; node->op != IR_BALLOT && k < mine.n; k++)
      is_set = LLVMBuildAnd(e->b, is_set,
                            LLVMBuildICmp(e->b, LLVMIntEQ, mine.words[k],
                                          theirs.words[k], NV_NAME),
                            NV_NAME);
    LLVMValueRef bit = nv_i32(e, (int32_t)(1u << i));
    mask = LLVMBuildOr(
        e->b, mask, LLVMBuildSelect(e->b, is_set, bit, zero, NV_NAME), NV_NAME);
    all = LLVMBuildOr(e->b, all, LLVMBuildSelect(e->b, in, bit, zero, NV_NAME),
                      NV_NAME);
  }
  nv_scratch_done(e, &s, group, node);
  if (node->op != IR_MATCH_ALL)
    return mask;
  LLVMValueRef is_all = LLVMBuildICmp(e->b, LLVMIntEQ, mask, all, NV_NAME);
  return LLVMBuildSelect(e->b, is_all, mask, zero, NV_NAME);
}

static void emit_mask(NvEmit *e, const IrNode *node) {
  const NvGroupPlan *row = &e->plan->groups[node->u.group.group->id];
  LLVMValueRef result = nv_i32(e, 1);
  if (row->most_threads > 1 && !row->in_warp)
    result = mask_slowly(e, node);
  else if (row->most_threads > 1)
    result = node->op == IR_MATCH_ANY ? match_any(e, node) : match_all(e, node);
  nv_set_value(e, node, 0, result);
}

void nv_emit_exchange(NvEmit *e, const IrNode *node) {
  const NvGroupPlan *row = &e->plan->groups[node->u.group.group->id];
  switch (ir_exchange_op(node->op)) {
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR:
  case IR_BROADCAST: nvptx_collective_emit_shuffle(e, node); break;
  case IR_ANY:
  case IR_ALL:
  case IR_COUNT: emit_vote(e, node); break;
  case IR_BALLOT:
    if (row->in_warp)
      emit_vote(e, node);
    else
      emit_mask(e, node);
    break;
  case IR_MATCH_ANY:
  case IR_MATCH_ALL: emit_mask(e, node); break;
  }
}

void nv_emit_reduction(NvEmit *e, const IrNode *node) {
  switch (ir_reduce_op(node->op)) {
  case IR_REDUCE:
  case IR_REDUCE_BY: nv_emit_reduce(e, node); break;
  case IR_SCAN:
  case IR_SCAN_BY: nv_emit_scan(e, node); break;
  }
}
