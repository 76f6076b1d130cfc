// SPDX-License-Identifier: Apache-2.0
// Scans: within a warp by doubling, and what the ends of a scan are.
//
// In step d = 1, 2, 4, … every rank from d on takes rank - d's value from the
// left. Where ranks follow lanes, it lies d lanes down; in a set of lanes a
// pointer leads there, as in Note [Order of reductions on a GPU].
#include "codegen/code_groups.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

static LLVMValueRef nvptx_scan_at_least(NvEmit *e, LLVMValueRef rank,
                                        uint32_t d) {
  return LLVMBuildICmp(e->b, LLVMIntSGE, rank, nv_i32(e, d), NV_NAME);
}

static void scan_range(NvEmit *e, NvFold *f, LLVMValueRef sync,
                       LLVMValueRef rank, LLVMValueRef end, uint32_t most) {
  for (uint32_t d = 1; d < most && d < NV_WARP; d *= 2) {
    NvLeaves left = nv_move(e, &f->now, "up", sync, nv_i32(e, d), 0);
    LLVMValueRef takes = nvptx_scan_at_least(e, rank, d);
    if (end)
      takes = LLVMBuildAnd(e->b, takes,
                           LLVMBuildICmp(e->b, LLVMIntSLT, rank, end, NV_NAME),
                           NV_NAME);
    f->now = nv_apply(e, f, &left, &f->now, takes, &f->now);
  }
}

void nv_scan_first(NvEmit *e, NvFold *f, LLVMValueRef n, uint32_t most) {
  scan_range(e, f, nv_all_lanes(e), e->lane, f->is_operator ? n : NULL, most);
}

// The lane of the rank below; rank 0: its own.
static LLVMValueRef previous_lane(NvEmit *e, const IrGroup *group) {
  LLVMValueRef below = LLVMBuildAnd(e->b, nv_group_mask(e, group),
                                    nv_low_bits(e, e->lane), NV_NAME);
  LLVMValueRef args[2] = {below, LLVMConstInt(e->i1, 1, 0)};
  LLVMValueRef zeros = nv_intrinsic(e, "llvm.ctlz", &e->i32, 1, args, 2);
  LLVMValueRef lane =
      LLVMBuildSub(e->b, nv_i32(e, NV_WARP - 1), zeros, NV_NAME);
  LLVMValueRef is_first =
      LLVMBuildICmp(e->b, LLVMIntEQ, below, nv_i32(e, 0), NV_NAME);
  return LLVMBuildSelect(e->b, is_first, e->lane, lane, NV_NAME);
}

static void scan_set(NvEmit *e, NvFold *f, const NvTeam *team) {
  LLVMValueRef rank = nv_group_rank(e, team->group);
  LLVMValueRef lane = previous_lane(e, team->group);
  for (uint32_t d = 1; d < team->row->most_threads && d < NV_WARP; d *= 2) {
    NvLeaves left = nv_move(e, &f->now, "idx", team->sync, lane, NV_WARP - 1);
    if (2 * d < NV_WARP)
      lane = nv_shfl(e, "idx", team->sync, lane, lane, NV_WARP - 1);
    f->now = nv_apply(e, f, &left, &f->now, nvptx_scan_at_least(e, rank, d),
                      &f->now);
  }
}

void nv_scan_lanes(NvEmit *e, NvFold *f, const NvTeam *team) {
  if (code_is_scattered(team->group))
    scan_set(e, f, team);
  else
    scan_range(e, f, team->sync, nv_group_rank(e, team->group), NULL,
               team->row->most_threads);
}

NvLeaves nv_lower_lane(NvEmit *e, const NvLeaves *value, const NvTeam *team) {
  if (!code_is_scattered(team->group))
    return nv_move(e, value, "up", team->sync, nv_i32(e, 1), 0);
  LLVMValueRef lane = previous_lane(e, team->group);
  return nv_move(e, value, "idx", team->sync, lane, NV_WARP - 1);
}

// ----------------------------------------------------------------- results

// The sum below is the sum less the own value, for free.
static bool undoes(const NvFold *f) {
  return nv_is_free(f) && (f->combine == RMW_ADD || f->combine == RMW_XOR);
}

static NvLeaves undo(NvEmit *e, const NvFold *f, const NvLeaves *own) {
  NvLeaves lower = f->now;
  for (uint32_t k = 0; k < lower.n; k++)
    lower.v[k] = f->combine == RMW_ADD
                     ? LLVMBuildSub(e->b, lower.v[k], own->v[k], NV_NAME)
                     : LLVMBuildXor(e->b, lower.v[k], own->v[k], NV_NAME);
  return lower;
}

static void scan_within(NvEmit *e, NvFold *f, const IrGroup *group,
                        NvLeaves *lower) {
  NvTeam team = nv_team(e, f->node, group);
  if (team.row->most_threads > 1)
    nv_scan_lanes(e, f, &team);
  if (lower)
    *lower =
        team.row->most_threads > 1 ? nv_lower_lane(e, &f->now, &team) : f->now;
}

static void nvptx_scan(NvEmit *e, NvFold *f, const IrGroup *group,
                       NvLeaves *lower) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (group->kind < GROUP_BLOCK)
    nv_scan_blocks(e, f, group, lower);
  else if (row->in_warp)
    scan_within(e, f, group, lower);
  else if (row->n_warps > 0)
    nv_scan_wide(e, f, group, lower);
  else
    nv_scan_slowly(e, f, group, lower);
}

// What operand 1 holds is combined from the left, last of all.
static NvLeaves exclusive(NvEmit *e, const NvFold *f, const IrGroup *group,
                          const NvLeaves *init, const NvLeaves *lower) {
  LLVMValueRef rank = nv_group_rank(e, group);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(rank));
  LLVMValueRef is_behind = LLVMBuildICmp(e->b, LLVMIntNE, rank, zero, NV_NAME);
  if (init)
    return nv_apply(e, f, init, lower, is_behind, init);
  NvLeaves none = nv_identities(e, f);
  return nv_choose(e, is_behind, lower, &none);
}

void nv_emit_scan(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.collective.group;
  NvFold f = nv_fold(e, node);
  NvLeaves own = f.now, init, lower = f.now;
  bool has_init = node->n_args > 1;
  if (has_init)
    init = nv_leaves(e, node->args[1]);
  if (!node->u.collective.is_exclusive) {
    nvptx_scan(e, &f, group, NULL);
    if (has_init)
      f.now = nv_apply(e, &f, &init, &f.now, NULL, NULL);
  } else if (undoes(&f)) {
    nvptx_scan(e, &f, group, NULL);
    f.now = undo(e, &f, &own);
    if (has_init)
      f.now = nv_apply(e, &f, &init, &f.now, NULL, NULL);
  } else {
    nvptx_scan(e, &f, group, &lower);
    f.now = exclusive(e, &f, group, has_init ? &init : NULL, &lower);
  }
  nv_set_leaves(e, node, &f.now);
}
