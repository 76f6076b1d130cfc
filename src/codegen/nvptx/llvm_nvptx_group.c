// SPDX-License-Identifier: Apache-2.0
// Where a thread is in a group: rank, size, part, lanes.
//
// Note [Positions]
// Everything is computed from the parent at each use, and LLVM finds what is
// the same; only what a make_group decides (labels, who came together) and the
// begins of group statements are kept, as values. A group is used only where
// these could be.
#include "base/panic.h"
#include "codegen/code_groups.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

LLVMValueRef nv_popcount(NvEmit *e, LLVMValueRef v) {
  return nv_intrinsic(e, "llvm.ctpop", &e->i32, 1, &v, 1);
}

LLVMValueRef nv_lowest_bit(NvEmit *e, LLVMValueRef v) {
  LLVMValueRef args[2] = {v, LLVMConstInt(e->i1, 1, 0)};
  return nv_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);
}

LLVMValueRef nv_low_bits(NvEmit *e, LLVMValueRef n) {
  LLVMValueRef power = LLVMBuildShl(e->b, nv_i32(e, 1), n, NV_NAME);
  return LLVMBuildSub(e->b, power, nv_i32(e, 1), NV_NAME);
}

LLVMValueRef nv_all_lanes(NvEmit *e) {
  uint32_t rest = e->plan->n_threads % NV_WARP;
  if (rest == 0)
    return nv_i32(e, -1);
  LLVMValueRef some = nv_i32(e, (int64_t)((1u << rest) - 1));
  if (e->plan->n_warps == 1)
    return some;
  LLVMValueRef is_last = LLVMBuildICmp(
      e->b, LLVMIntEQ, e->warp, nv_i32(e, e->plan->n_warps - 1), NV_NAME);
  return LLVMBuildSelect(e->b, is_last, some, nv_i32(e, -1), NV_NAME);
}

// -------------------------------------------------------- clusters, the grid

static LLVMValueRef nvptx_group_special(NvEmit *e, const char *name) {
  return nv_intrinsic(
      e, arena_printf(e->arena, "llvm.nvvm.read.ptx.sreg.cluster.%s", name),
      NULL, 0, NULL, 0);
}

LLVMValueRef nv_cluster_rank(NvEmit *e) {
  return e->sm < 90 ? nv_i32(e, 0) : nvptx_group_special(e, "ctarank");
}

LLVMValueRef nv_cluster_size(NvEmit *e) {
  const int32_t *dim = e->kernel->cluster_dim;
  if (dim[0] > 0)
    return nv_i32(e, (int64_t)dim[0] * (dim[1] > 0 ? dim[1] : 1) *
                         (dim[2] > 0 ? dim[2] : 1));
  return e->sm < 90 ? nv_i32(e, 1) : nvptx_group_special(e, "nctarank");
}

static LLVMValueRef nvptx_group_widen(NvEmit *e, LLVMValueRef v) {
  return LLVMBuildZExt(e->b, v, e->i64, NV_NAME);
}

LLVMValueRef nv_block_number(NvEmit *e) {
  LLVMValueRef n = nvptx_group_widen(e, e->index[2]);
  for (int k = 1; k >= 0; k--) {
    n = LLVMBuildMul(e->b, n, nvptx_group_widen(e, e->grid[k]), NV_NAME);
    n = LLVMBuildAdd(e->b, n, nvptx_group_widen(e, e->index[k]), NV_NAME);
  }
  return n;
}

LLVMValueRef nv_block_count(NvEmit *e) {
  LLVMValueRef n = nvptx_group_widen(e, e->grid[0]);
  for (int k = 1; k < 3; k++)
    n = LLVMBuildMul(e->b, n, nvptx_group_widen(e, e->grid[k]), NV_NAME);
  return n;
}

// Which cluster of the grid, clusters in the order of their blocks.
static LLVMValueRef cluster_number(NvEmit *e) {
  if (e->sm < 90)
    return LLVMBuildTrunc(e->b, nv_block_number(e), e->i32, NV_NAME);
  static const char *const extents[] = {"nctaid.x", "nctaid.y", "nctaid.z"};
  LLVMValueRef n = NULL;
  for (int k = 2; k >= 0; k--) {
    LLVMValueRef extent = nvptx_group_special(e, extents[k]);
    LLVMValueRef at = LLVMBuildUDiv(e->b, e->index[k], extent, NV_NAME);
    LLVMValueRef all = LLVMBuildUDiv(e->b, e->grid[k], extent, NV_NAME);
    n = n ? LLVMBuildAdd(e->b, LLVMBuildMul(e->b, n, all, NV_NAME), at, NV_NAME)
          : at;
  }
  return n;
}

static LLVMValueRef cluster_count(NvEmit *e) {
  LLVMValueRef blocks =
      LLVMBuildTrunc(e->b, nv_block_count(e), e->i32, NV_NAME);
  return LLVMBuildUDiv(e->b, blocks, nv_cluster_size(e), NV_NAME);
}

// --------------------------------------------------------- sets of lanes

// The place of the n-th bit that is set, by halving: if the lower half has
// fewer, it is in the upper one. Of the last two bits the sign of a difference
// tells, which is there sooner than a predicate would be.
static LLVMValueRef nvptx_group_nth_bit(NvEmit *e, LLVMValueRef mask,
                                        LLVMValueRef n) {
  LLVMValueRef place = nv_i32(e, 0), one = nv_i32(e, 1);
  for (int width = NV_WARP / 2; width > 1; width /= 2) {
    LLVMValueRef low = LLVMBuildAnd(
        e->b, mask, nv_i32(e, (int64_t)((1u << width) - 1)), NV_NAME);
    LLVMValueRef count = nv_popcount(e, low);
    LLVMValueRef is_above = LLVMBuildICmp(e->b, LLVMIntUGE, n, count, NV_NAME);
    LLVMValueRef rest = LLVMBuildSub(e->b, n, count, NV_NAME);
    LLVMValueRef upper = LLVMBuildLShr(e->b, mask, nv_i32(e, width), NV_NAME);
    LLVMValueRef step = LLVMBuildAdd(e->b, place, nv_i32(e, width), NV_NAME);
    n = LLVMBuildSelect(e->b, is_above, rest, n, NV_NAME);
    mask = LLVMBuildSelect(e->b, is_above, upper, mask, NV_NAME);
    place = LLVMBuildSelect(e->b, is_above, step, place, NV_NAME);
  }
  LLVMValueRef low = LLVMBuildAnd(e->b, mask, one, NV_NAME);
  LLVMValueRef less =
      LLVMBuildSub(e->b, low, LLVMBuildAdd(e->b, n, one, NV_NAME), NV_NAME);
  LLVMValueRef is_above =
      LLVMBuildLShr(e->b, less, nv_i32(e, NV_WARP - 1), NV_NAME);
  return LLVMBuildAdd(e->b, place, is_above, NV_NAME);
}

// The lanes of a piece of a set: the parent's from the piece's first rank on,
// as many as the piece has threads.
static LLVMValueRef nvptx_group_piece_mask(NvEmit *e, const IrGroup *group) {
  LLVMValueRef all = nv_group_mask(e, group->parent);
  LLVMValueRef outer = nv_group_rank(e, group->parent);
  LLVMValueRef rank = nv_group_rank(e, group);
  LLVMValueRef first = LLVMBuildSub(e->b, outer, rank, NV_NAME);
  LLVMValueRef end =
      LLVMBuildAdd(e->b, first, nv_group_size(e, group), NV_NAME);
  LLVMValueRef before = nv_low_bits(e, nvptx_group_nth_bit(e, all, first));
  LLVMValueRef upto = nv_low_bits(e, nvptx_group_nth_bit(e, all, end));
  LLVMValueRef is_last =
      LLVMBuildICmp(e->b, LLVMIntSGE, end, nv_popcount(e, all), NV_NAME);
  upto = LLVMBuildSelect(e->b, is_last, nv_i32(e, -1), upto, NV_NAME);
  LLVMValueRef from =
      LLVMBuildAnd(e->b, all, LLVMBuildNot(e->b, before, NV_NAME), NV_NAME);
  return LLVMBuildAnd(e->b, from, upto, NV_NAME);
}

// `size` lanes from `first` on, size > 0.
static LLVMValueRef lanes_from(NvEmit *e, LLVMValueRef first,
                               LLVMValueRef size) {
  LLVMValueRef above = LLVMBuildSub(e->b, nv_i32(e, NV_WARP), size, NV_NAME);
  LLVMValueRef bits = LLVMBuildLShr(e->b, nv_i32(e, -1), above, NV_NAME);
  return LLVMBuildShl(e->b, bits, first, NV_NAME);
}

LLVMValueRef nv_group_mask(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (code_is_lane_set(group))
    return e->group_made[group->id];
  if (code_is_scattered(group))
    return nvptx_group_piece_mask(e, group);
  if (row->tile == NV_WARP)
    return nv_i32(e, -1);
  if (row->tile > 0) {
    LLVMValueRef first =
        LLVMBuildAnd(e->b, e->lane, nv_i32(e, -(int64_t)row->tile), NV_NAME);
    LLVMValueRef bits = nv_i32(e, (int64_t)((1u << row->tile) - 1));
    return LLVMBuildShl(e->b, bits, first, NV_NAME);
  }
  LLVMValueRef first =
      LLVMBuildSub(e->b, e->lane, nv_group_rank(e, group), NV_NAME);
  return lanes_from(e, first, nv_group_size(e, group));
}

LLVMValueRef nv_lanes_here(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (row->in_warp)
    return nv_group_mask(e, group);
  if (group->kind <= GROUP_BLOCK || row->n_warps > 0)
    return nv_all_lanes(e);
  // From the part's first thread, or the warp's, to the last of either.
  LLVMValueRef rank = nv_group_rank(e, group), zero = nv_i32(e, 0);
  LLVMValueRef first = LLVMBuildSub(e->b, e->lane, rank, NV_NAME);
  LLVMValueRef end =
      LLVMBuildAdd(e->b, first, nv_group_size(e, group), NV_NAME);
  LLVMValueRef args[2] = {first, zero};
  first = nv_intrinsic(e, "llvm.smax", &e->i32, 1, args, 2);
  LLVMValueRef ends[2] = {end, nv_i32(e, NV_WARP)};
  end = nv_intrinsic(e, "llvm.smin", &e->i32, 1, ends, 2);
  return lanes_from(e, first, LLVMBuildSub(e->b, end, first, NV_NAME));
}

LLVMValueRef nv_lane_of_rank(NvEmit *e, const IrGroup *group,
                             LLVMValueRef rank) {
  if (code_is_scattered(group))
    return nvptx_group_nth_bit(e, nv_group_mask(e, group), rank);
  LLVMValueRef first =
      LLVMBuildSub(e->b, e->lane, nv_group_rank(e, group), NV_NAME);
  return LLVMBuildAdd(e->b, first, rank, NV_NAME);
}

// ------------------------------------------------------------------ ranks

static LLVMValueRef in_threads(NvEmit *e, LLVMValueRef blocks, LLVMTypeRef type,
                               bool is_rank) {
  LLVMValueRef n = LLVMConstInt(type, e->plan->n_threads, 0);
  n = LLVMBuildMul(e->b, blocks, n, NV_NAME);
  if (!is_rank)
    return n;
  LLVMValueRef thread = LLVMBuildZExtOrBitCast(e->b, e->thread, type, NV_NAME);
  return LLVMBuildAdd(e->b, n, thread, NV_NAME);
}

// The size of a tile: a constant, or what its maker was given.
static LLVMValueRef nvptx_group_tile_operand(NvEmit *e, const IrGroup *group) {
  int64_t size;
  return code_tile_size(group, &size) ? nv_i32(e, size)
                                      : nv_arg(e, group->maker, 0);
}

static LLVMValueRef rest_of(NvEmit *e, LLVMValueRef rank, int64_t size) {
  return LLVMBuildURem(e->b, rank, nv_i32(e, size), NV_NAME);
}

static LLVMValueRef range_rank(NvEmit *e, const IrGroup *group) {
  if (e->group_begin[group->id])
    return LLVMBuildSub(e->b, e->thread, e->group_begin[group->id], NV_NAME);
  return LLVMBuildSub(e->b, nv_group_rank(e, group->parent),
                      e->group_from[group->id], NV_NAME);
}

LLVMValueRef nv_group_rank(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (row->tile > 0 && !code_is_scattered(group))
    return LLVMBuildAnd(e->b, e->lane, nv_i32(e, row->tile - 1), NV_NAME);
  switch (group->kind) {
  case GROUP_GRID: return in_threads(e, nv_block_number(e), e->i64, true);
  case GROUP_CLUSTER: return in_threads(e, nv_cluster_rank(e), e->i32, true);
  case GROUP_BLOCK: return e->thread;
  case GROUP_WARP: return e->lane;
  case GROUP_THREAD:
  case GROUP_SINGLE: return nv_i32(e, 0);
  case GROUP_RANGE: return range_rank(e, group);
  case GROUP_SPLIT:
    return rest_of(e, nv_group_rank(e, group->parent), group->size);
  case GROUP_TILED: {
    LLVMValueRef less = LLVMBuildSub(e->b, nvptx_group_tile_operand(e, group),
                                     nv_i32(e, 1), NV_NAME);
    return LLVMBuildAnd(e->b, nv_group_rank(e, group->parent), less, NV_NAME);
  }
  case GROUP_LABELED:
  case GROUP_COALESCED: {
    LLVMValueRef below = nv_low_bits(e, e->lane);
    return nv_popcount(
        e, LLVMBuildAnd(e->b, nv_group_mask(e, group), below, NV_NAME));
  }
  case GROUP_KIND_COUNT: break;
  }
  HD_PANIC("group kind %d", (int)group->kind);
}

// ------------------------------------------------------------------ sizes

// Parts of n threads, the last of each parent ragged.
static LLVMValueRef nvptx_group_ragged_size(NvEmit *e, const IrGroup *group) {
  LLVMValueRef full = group->kind == GROUP_WARP
                          ? nv_i32(e, NV_WARP)
                          : nvptx_group_tile_operand(e, group);
  LLVMValueRef first = LLVMBuildSub(e->b, nv_group_rank(e, group->parent),
                                    nv_group_rank(e, group), NV_NAME);
  LLVMValueRef left =
      LLVMBuildSub(e->b, nv_group_size(e, group->parent), first, NV_NAME);
  LLVMValueRef args[2] = {left, full};
  return nv_intrinsic(e, "llvm.smin", &e->i32, 1, args, 2);
}

LLVMValueRef nv_group_size(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (row->tile > 0 && !code_is_scattered(group))
    return nv_i32(e, row->tile);
  switch (group->kind) {
  case GROUP_GRID: return in_threads(e, nv_block_count(e), e->i64, false);
  case GROUP_CLUSTER: return in_threads(e, nv_cluster_size(e), e->i32, false);
  case GROUP_BLOCK: return nv_i32(e, e->plan->n_threads);
  case GROUP_THREAD:
  case GROUP_SINGLE: return nv_i32(e, 1);
  case GROUP_WARP:
  case GROUP_TILED:
    return group->size > 0 ? nv_i32(e, group->size)
                           : nvptx_group_ragged_size(e, group);
  case GROUP_LABELED:
  case GROUP_COALESCED: return nv_popcount(e, nv_group_mask(e, group));
  case GROUP_RANGE:
  case GROUP_SPLIT:
  case GROUP_KIND_COUNT: break;
  }
  HD_ASSERT(group->size > 0);
  return nv_i32(e, group->size);
}

// ------------------------------------------------------------------ parts

// How many parts begin below this thread's: their lowest lanes were found
// where the group was made.
static LLVMValueRef nvptx_group_labeled_part(NvEmit *e, const IrGroup *group) {
  LLVMValueRef first = nv_lowest_bit(e, nv_group_mask(e, group));
  LLVMValueRef leaders = e->group_leaders[group->id];
  return nv_popcount(
      e, LLVMBuildAnd(e->b, leaders, nv_low_bits(e, first), NV_NAME));
}

static LLVMValueRef tile_log2(NvEmit *e, const IrGroup *group) {
  return nv_lowest_bit(e, nvptx_group_tile_operand(e, group));
}

LLVMValueRef nv_group_part(NvEmit *e, const IrGroup *group) {
  const IrGroup *parent = group->parent;
  switch (group->kind) {
  case GROUP_CLUSTER: return cluster_number(e);
  case GROUP_BLOCK: return nv_cluster_rank(e);
  case GROUP_WARP: return e->warp;
  case GROUP_THREAD: return nv_group_rank(e, parent);
  case GROUP_SPLIT:
    return LLVMBuildUDiv(e->b, nv_group_rank(e, parent), nv_i32(e, group->size),
                         NV_NAME);
  case GROUP_TILED:
    return LLVMBuildLShr(e->b, nv_group_rank(e, parent), tile_log2(e, group),
                         NV_NAME);
  case GROUP_LABELED: return nvptx_group_labeled_part(e, group);
  case GROUP_GRID:
  case GROUP_RANGE:
  case GROUP_SINGLE:
  case GROUP_COALESCED:
  case GROUP_KIND_COUNT: break;
  }
  return nv_i32(e, 0);
}

static LLVMValueRef tile_count(NvEmit *e, const IrGroup *group) {
  LLVMValueRef less = LLVMBuildSub(e->b, nvptx_group_tile_operand(e, group),
                                   nv_i32(e, 1), NV_NAME);
  LLVMValueRef up =
      LLVMBuildAdd(e->b, nv_group_size(e, group->parent), less, NV_NAME);
  return LLVMBuildLShr(e->b, up, tile_log2(e, group), NV_NAME);
}

LLVMValueRef nv_group_parts(NvEmit *e, const IrGroup *group) {
  switch (group->kind) {
  case GROUP_CLUSTER: return cluster_count(e);
  case GROUP_BLOCK: return nv_cluster_size(e);
  case GROUP_WARP: return nv_i32(e, e->plan->n_warps);
  case GROUP_THREAD: return nv_group_size(e, group->parent);
  case GROUP_LABELED: return nv_popcount(e, e->group_leaders[group->id]);
  case GROUP_TILED: return tile_count(e, group);
  case GROUP_GRID:
  case GROUP_RANGE:
  case GROUP_SINGLE:
  case GROUP_SPLIT:
  case GROUP_COALESCED:
  case GROUP_KIND_COUNT: break;
  }
  return nv_i32(e, group->instances > 0 ? group->instances : 1);
}

LLVMValueRef nv_group_instance(NvEmit *e, const IrGroup *group) {
  if (group->kind <= GROUP_BLOCK)
    return nv_i32(e, 0);
  const NvGroupPlan *row = &e->plan->groups[group->id];
  LLVMValueRef outer = nv_group_instance(e, group->parent);
  if (row->most_parts == 1)
    return outer;
  LLVMValueRef before =
      LLVMBuildMul(e->b, outer, nv_i32(e, row->most_parts), NV_NAME);
  return LLVMBuildAdd(e->b, before, nv_group_part(e, group), NV_NAME);
}

// ----------------------------------------------------------------- makers

// A ballot for each bit in which values may differ. Who has the bit clear looks
// for clear ones: "both or none" is a logical operation of three operands.
static LLVMValueRef nvptx_group_same_bits(NvEmit *e, LLVMValueRef word,
                                          LLVMValueRef sync, int64_t n_values) {
  LLVMValueRef unlike = NULL;
  for (int64_t bit = 1; bit < n_values; bit *= 2) {
    LLVMValueRef mine = LLVMBuildAnd(e->b, word, nv_i32(e, bit), NV_NAME);
    LLVMValueRef is_clear =
        LLVMBuildICmp(e->b, LLVMIntEQ, mine, nv_i32(e, 0), NV_NAME);
    LLVMValueRef own = LLVMBuildSExt(e->b, is_clear, e->i32, NV_NAME);
    LLVMValueRef those = nv_ballot(e, sync, is_clear);
    LLVMValueRef differ = LLVMBuildXor(e->b, those, own, NV_NAME);
    unlike = unlike ? LLVMBuildOr(e->b, unlike, differ, NV_NAME) : differ;
  }
  if (unlike == NULL)
    return sync;
  // LLVM would move it to where it costs an instruction.
  LLVMValueRef alike =
      nv_asm(e, e->i32, "not.b32 $0, $1;", "=r,r", &unlike, 1, false);
  return LLVMBuildAnd(e->b, sync, alike, NV_NAME);
}

LLVMValueRef nv_same_lanes(NvEmit *e, const IrNode *node, LLVMValueRef sync) {
  enum { MOST_VALUES = 256 }; // more cost more than a match

  int64_t lo, hi;
  NvLeaves value = nv_leaves(e, node);
  NvWords words = nv_pack(e, &value);
  if (value.n == 1 && nv_value_range(e, node, &lo, &hi) &&
      (uint64_t)hi - (uint64_t)lo < MOST_VALUES)
    return nvptx_group_same_bits(e, words.words[0], sync, hi - lo + 1);
  LLVMValueRef same = NULL;
  for (uint32_t i = 0; i < words.n; i += 2) {
    LLVMValueRef args[2] = {sync, words.words[i]};
    const char *name = "llvm.nvvm.match.any.sync.i32";
    if (i + 1 < words.n) {
      LLVMValueRef pair[2] = {words.words[i], words.words[i + 1]};
      args[1] = nv_from_words(e, ir_scalar(IR_TYPE_I64), pair);
      name = "llvm.nvvm.match.any.sync.i64";
    }
    LLVMValueRef one = nv_intrinsic(e, name, NULL, 0, args, 2);
    same = same ? LLVMBuildAnd(e->b, same, one, NV_NAME) : one;
  }
  return same;
}

static void nvptx_group_make_labeled(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group, *parent = group->parent;
  if (e->plan->groups[parent->id].most_threads == 1) {
    e->group_made[group->id] = e->group_leaders[group->id] =
        LLVMBuildShl(e->b, nv_i32(e, 1), e->lane, NV_NAME);
    return;
  }
  NvTeam team = nv_team(e, node, parent);
  LLVMValueRef own = nv_group_mask(e, parent);
  LLVMValueRef mask = nv_same_lanes(e, node->args[0], team.sync);
  mask = LLVMBuildAnd(e->b, mask, own, NV_NAME);
  e->group_made[group->id] = mask;
  if (!e->plan->groups[group->id].needs_parts)
    return;
  LLVMValueRef leads =
      LLVMBuildICmp(e->b, LLVMIntEQ, nv_lowest_bit(e, mask), e->lane, NV_NAME);
  e->group_leaders[group->id] =
      LLVMBuildAnd(e->b, nv_ballot(e, team.sync, leads), own, NV_NAME);
}

// See nvptx_lanes.c: no operand, the lanes that came, or lanes and a condition.
static void nvptx_group_make_coalesced(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  LLVMValueRef mask;
  if (node->n_args == 0)
    mask = nv_lanes_here(e, ir_node_group(e->kernel, node));
  else if (node->n_args == 1)
    mask = nv_arg(e, node, 0);
  else
    mask = nv_ballot(e, nv_arg(e, node, 0), nv_arg(e, node, 1));
  e->group_made[group->id] = mask;
  nv_set_value(e, node, 0, mask);
}

static void nvptx_group_check_tile(NvEmit *e, const IrNode *node) {
  LLVMValueRef n = nv_arg(e, node, 0), one = nv_i32(e, 1);
  LLVMValueRef less = LLVMBuildSub(e->b, n, one, NV_NAME);
  LLVMValueRef fits =
      LLVMBuildICmp(e->b, LLVMIntULT, less, nv_i32(e, 512), NV_NAME);
  LLVMValueRef bits = LLVMBuildAnd(e->b, n, less, NV_NAME);
  LLVMValueRef is_power =
      LLVMBuildICmp(e->b, LLVMIntEQ, bits, nv_i32(e, 0), NV_NAME);
  LLVMValueRef is_wrong =
      LLVMBuildNot(e->b, LLVMBuildAnd(e->b, fits, is_power, NV_NAME), NV_NAME);
  NvIf place = nv_if(e, is_wrong);
  nv_fault(e, HD_CUDA_FAULT_TRAP, node->loc,
           "the size of a tiled_partition is not a power of two from 1 to 512");
  nv_begin_block(e, place.after);
}

void nv_emit_make_group(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  int64_t size;
  nv_set_value(e, node, 0, nv_i32(e, 0));
  if (group->kind == GROUP_LABELED)
    nvptx_group_make_labeled(e, node);
  else if (group->kind == GROUP_COALESCED)
    nvptx_group_make_coalesced(e, node);
  else if (group->kind == GROUP_TILED && !code_tile_size(group, &size))
    nvptx_group_check_tile(e, node);
}

// -------------------------------------------------------------- positions

static LLVMValueRef nvptx_group_position(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  uint32_t number = node->u.index.number;
  switch (ir_position_op(node->op)) {
  case IR_RANK: return nv_group_rank(e, group);
  case IR_SIZE: return nv_group_size(e, group);
  case IR_META_RANK: return nv_group_part(e, group);
  case IR_META_SIZE: return nv_group_parts(e, group);
  case IR_BLOCK_INDEX: return e->index[number];
  case IR_THREAD_INDEX: return e->thread_index[number];
  case IR_GRID_DIM: return e->grid[number];
  case IR_BLOCK_DIM: return nv_i32(e, e->kernel->block_dim[number]);
  case IR_MAKE_GROUP: break; // nv_emit_make_group
  }
  HD_PANIC("'%s' is not a position", ir_op_info(node)->text);
}

void nv_emit_position(NvEmit *e, const IrNode *node) {
  LLVMTypeRef type = nv_scalar_type(e, node->type);
  LLVMValueRef v = nvptx_group_position(e, node);
  nv_set_value(e, node, 0, LLVMBuildIntCast2(e->b, v, type, 1, NV_NAME));
}
