// SPDX-License-Identifier: Apache-2.0
// Collectives of parts of several whole warps: each warp combines its lanes,
// then every warp combines the warps' values, which it reads from scratch
// memory behind one barrier.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

typedef struct {
  const IrGroup *group;
  const NvGroupPlan *row;
  NvTeam team;         // this warp's piece of the part
  LLVMValueRef number; // of the warp in the part
  LLVMValueRef first;  // the part's first warp in the block
  LLVMValueRef n;      // warps of the part
} Wide;

NvTeam nv_whole_warp(NvEmit *e) {
  const IrGroup *warp = nv_warp_row(e);
  return (NvTeam){.group = warp,
                  .row = &e->plan->groups[warp->id],
                  .sync = nv_all_lanes(e),
                  .is_warp = true};
}

static Wide wide_begin(NvEmit *e, const IrGroup *group) {
  Wide w = {.group = group,
            .row = &e->plan->groups[group->id],
            .team = nv_whole_warp(e)};
  if (group->kind <= GROUP_BLOCK || w.row->meet == NV_MEET_BLOCK) {
    w.number = e->warp;
    w.first = nv_i32(e, 0);
  } else {
    // Equal in all lanes, so that what follows needs one register for all.
    LLVMValueRef rank = nv_group_rank(e, group);
    w.number = LLVMBuildLShr(e->b, rank, nv_i32(e, 5), NV_NAME);
    w.first = LLVMBuildSub(e->b, e->warp, w.number, NV_NAME);
  }
  w.n = nv_i32(e, w.row->n_warps);
  if (!w.row->is_even) {
    LLVMValueRef up = LLVMBuildAdd(e->b, nv_group_size(e, group),
                                   nv_i32(e, NV_WARP - 1), NV_NAME);
    w.n = LLVMBuildLShr(e->b, up, nv_i32(e, 5), NV_NAME);
  }
  return w;
}

static LLVMValueRef is_lane(NvEmit *e, LLVMValueRef lane) {
  return LLVMBuildICmp(e->b, LLVMIntEQ, e->lane, lane, NV_NAME);
}

// The values of all warps of the part, behind the barrier.
static NvScratch nvptx_wide_publish(NvEmit *e, const Wide *w,
                                    const IrNode *node, LLVMValueRef lane,
                                    const NvLeaves *value) {
  NvScratch s = nv_scratch(e, w->group);
  s.base = nv_byte_offset(e, s.base, 4 * (int64_t)w->row->first_warp_unit);
  NvIf place = nv_if(e, is_lane(e, lane));
  nv_scratch_store(e, &s, e->warp, value);
  nv_end_if(e, place);
  nv_sync_group(e, w->group, node);
  return s;
}

// Warps of a part that are read one by one, without shuffles.
enum { MAX_READ = 8 };

static void combine_read(NvEmit *e, NvFold *f, const Wide *w,
                         const NvScratch *s) {
  NvLeaves values[MAX_READ];
  uint32_t n = w->row->n_warps;
  for (uint32_t i = 0; i < n; i++)
    values[i] = f->now;
  nv_scratch_load_row(e, s, w->first, w->row->warp_align, values, n);
  for (uint32_t d = 1; d < n; d *= 2)
    for (uint32_t i = 0; i + d < n; i += 2 * d)
      values[i] = nv_apply(e, f, &values[i], &values[i + d], NULL, NULL);
  f->now = values[0];
}

// Lane i takes warp i's value.
static void load_by_lane(NvEmit *e, NvFold *f, const Wide *w,
                         const NvScratch *s) {
  LLVMValueRef last = LLVMBuildSub(e->b, w->n, nv_i32(e, 1), NV_NAME);
  LLVMValueRef args[2] = {e->lane, last};
  LLVMValueRef i = nv_intrinsic(e, "llvm.umin", &e->i32, 1, args, 2);
  nv_scratch_load(e, s, LLVMBuildAdd(e->b, w->first, i, NV_NAME), &f->now);
}

// Lanes beyond the part's warps hold what changes nothing: then the warp's
// adder does it all.
static bool combine_freely(NvEmit *e, NvFold *f, const Wide *w) {
  if (!nv_is_free(f) || w->team.row->tile != NV_WARP)
    return false;
  LLVMValueRef is_there =
      LLVMBuildICmp(e->b, LLVMIntULT, e->lane, w->n, NV_NAME);
  for (uint32_t k = 0; k < f->now.n; k++)
    f->now.v[k] =
        LLVMBuildSelect(e->b, is_there, f->now.v[k],
                        nv_identity(e, f->combine, f->now.types[k]), NV_NAME);
  nv_reduce_lanes(e, f, &w->team);
  return true;
}

// A ragged last warp may have fewer lanes than the part has warps.
static bool has_lanes(const NvEmit *e, const Wide *w) {
  uint32_t rest = e->plan->n_threads % NV_WARP;
  return rest == 0 || rest >= w->row->n_warps;
}

// One after the other, for the few that have no lane each.
static void combine_loop(NvEmit *e, NvFold *f, const Wide *w,
                         const NvScratch *s) {
  NvLeaves values[NV_WARP] = {f->now};
  uint32_t n = w->row->n_warps;
  for (uint32_t i = 0; i < n; i++) {
    values[i] = f->now;
    LLVMValueRef last = LLVMBuildSub(e->b, w->n, nv_i32(e, 1), NV_NAME);
    LLVMValueRef args[2] = {nv_i32(e, i), last};
    LLVMValueRef at = nv_intrinsic(e, "llvm.umin", &e->i32, 1, args, 2);
    nv_scratch_load(e, s, LLVMBuildAdd(e->b, w->first, at, NV_NAME),
                    &values[i]);
  }
  for (uint32_t d = 1; d < n; d *= 2)
    for (uint32_t i = 0; i + d < n; i += 2 * d) {
      LLVMValueRef is_there =
          LLVMBuildICmp(e->b, LLVMIntULT, nv_i32(e, i + d), w->n, NV_NAME);
      values[i] =
          nv_apply(e, f, &values[i], &values[i + d], is_there, &values[i]);
    }
  f->now = values[0];
}

void nv_reduce_wide(NvEmit *e, NvFold *f, const IrGroup *group) {
  Wide w = wide_begin(e, group);
  nv_reduce_lanes(e, f, &w.team);
  NvScratch s = nvptx_wide_publish(e, &w, f->node, nv_i32(e, 0), &f->now);
  if (w.row->is_even && w.row->n_warps <= MAX_READ && !f->is_operator) {
    combine_read(e, f, &w, &s);
  } else if (!has_lanes(e, &w)) {
    combine_loop(e, f, &w, &s);
  } else {
    load_by_lane(e, f, &w, &s);
    if (!combine_freely(e, f, &w))
      nv_reduce_first(e, f, w.n, w.row->n_warps);
  }
  nv_scratch_done(e, &s, group, f->node);
}

// ------------------------------------------------------------------- scans

static LLVMValueRef last_lane(NvEmit *e) {
  if (e->plan->n_threads % NV_WARP == 0)
    return nv_i32(e, NV_WARP - 1);
  return LLVMBuildSub(e->b, nv_popcount(e, nv_all_lanes(e)), nv_i32(e, 1),
                      NV_NAME);
}

// Totals of the warps below this one, scanned: in `prefix` what comes before
// it, in `before` (unless NULL) the value of its rank 0's lower neighbour. Of a
// part's first warp nothing that counts.
static void nvptx_wide_scan_totals(NvEmit *e, const NvFold *f, const Wide *w,
                                   const NvScratch *s, NvLeaves *prefix,
                                   NvLeaves *before) {
  NvFold all = *f;
  LLVMValueRef sync = nv_all_lanes(e);
  load_by_lane(e, &all, w, s);
  NvLeaves totals = all.now;
  nv_scan_first(e, &all, w->n, w->row->n_warps);
  LLVMValueRef below = LLVMBuildSub(e->b, w->number, nv_i32(e, 1), NV_NAME);
  *prefix = nv_move(e, &all.now, "idx", sync, below, NV_WARP - 1);
  if (before == NULL)
    return;
  NvLeaves lower = nv_move(e, &all.now, "up", sync, nv_i32(e, 1), 0);
  LLVMValueRef is_there =
      LLVMBuildICmp(e->b, LLVMIntULT, e->lane, w->n, NV_NAME);
  LLVMValueRef is_behind =
      LLVMBuildICmp(e->b, LLVMIntSGT, e->lane, nv_i32(e, 0), NV_NAME);
  NvLeaves ends =
      nv_apply(e, f, &lower, &totals,
               LLVMBuildAnd(e->b, is_there, is_behind, NV_NAME), &totals);
  *before = nv_move(e, &ends, "idx", sync, below, NV_WARP - 1);
}

// The same where the last warp has too few lanes: every thread for itself.
static void scan_totals_alone(NvEmit *e, const NvFold *f, const Wide *w,
                              const NvScratch *s, NvLeaves *prefix,
                              NvLeaves *before) {
  NvLeaves totals[NV_WARP], sums[NV_WARP];
  uint32_t n = w->row->n_warps;
  HD_ASSERT(n > 1);
  for (uint32_t i = 0; i < n; i++) {
    LLVMValueRef last = LLVMBuildSub(e->b, w->n, nv_i32(e, 1), NV_NAME);
    LLVMValueRef args[2] = {nv_i32(e, i), last};
    LLVMValueRef at = nv_intrinsic(e, "llvm.umin", &e->i32, 1, args, 2);
    totals[i] = f->now;
    nv_scratch_load(e, s, LLVMBuildAdd(e->b, w->first, at, NV_NAME),
                    &totals[i]);
    sums[i] = totals[i];
  }
  for (uint32_t d = 1; d < n; d *= 2)
    for (uint32_t i = n - 1; i >= d; i--)
      sums[i] = nv_apply(e, f, &sums[i - d], &sums[i], NULL, NULL);
  *prefix = sums[0];
  if (before)
    *before = totals[0];
  for (uint32_t i = 1; i + 1 < n; i++) {
    LLVMValueRef is_it =
        LLVMBuildICmp(e->b, LLVMIntEQ, w->number, nv_i32(e, i + 1), NV_NAME);
    *prefix = nv_choose(e, is_it, &sums[i], prefix);
    if (before == NULL)
      continue;
    NvLeaves end = nv_apply(e, f, &sums[i - 1], &totals[i], NULL, NULL);
    *before = nv_choose(e, is_it, &end, before);
  }
}

void nv_scan_wide(NvEmit *e, NvFold *f, const IrGroup *group, NvLeaves *lower) {
  Wide w = wide_begin(e, group);
  NvLeaves prefix, before;
  nv_scan_lanes(e, f, &w.team);
  NvScratch s = nvptx_wide_publish(e, &w, f->node, last_lane(e), &f->now);
  if (has_lanes(e, &w))
    nvptx_wide_scan_totals(e, f, &w, &s, &prefix, lower ? &before : NULL);
  else
    scan_totals_alone(e, f, &w, &s, &prefix, lower ? &before : NULL);
  nv_scratch_done(e, &s, group, f->node);
  LLVMValueRef is_behind =
      LLVMBuildICmp(e->b, LLVMIntSGT, w.number, nv_i32(e, 0), NV_NAME);
  f->now = nv_apply(e, f, &prefix, &f->now, is_behind, &f->now);
  if (lower == NULL)
    return;
  *lower = nv_lower_lane(e, &f->now, &w.team);
  LLVMValueRef is_first = is_lane(e, nv_i32(e, 0));
  *lower = nv_choose(e, is_first, &before, lower);
}
