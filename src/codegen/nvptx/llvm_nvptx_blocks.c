// SPDX-License-Identifier: Apache-2.0
// Reductions and scans over the blocks of a cluster or of the grid: each block
// combines its threads and publishes one value; behind the barrier every warp
// reads the values of all blocks, a lane each, and combines them from the first
// to the last. A cluster's values lie in the blocks' shared memory, the grid's
// in the workspace, by block.
#include "codegen/nvptx/llvm_nvptx_team.h"

typedef struct {
  NvEmit *e;
  const IrGroup *group;
  const NvGroupPlan *row;
  LLVMValueRef number, count; // of the block, of all blocks; i32
  NvScratch scratch;          // of a cluster
  LLVMValueRef workspace;     // of the grid: block 0's value
} Blocks;

static LLVMValueRef workspace_values(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  LLVMValueRef address = nv_hidden(e, HD_CUDA_HIDDEN_WORKSPACE);
  uint64_t before =
      sizeof(HdCudaWorkspace) + e->plan->workspace_bytes + row->scratch_offset;
  address = LLVMBuildAdd(e->b, address, nv_i64(e, (int64_t)before), NV_NAME);
  address = LLVMBuildAdd(e->b, address, nv_scratch_turn(e, group), NV_NAME);
  return LLVMBuildIntToPtr(e->b, address, e->ptr[NV_SPACE_GLOBAL], NV_NAME);
}

static Blocks nvptx_blocks_begin(NvEmit *e, const IrGroup *group) {
  Blocks b = {.e = e, .group = group, .row = &e->plan->groups[group->id]};
  if (group->kind == GROUP_CLUSTER) {
    b.scratch = nv_scratch(e, group);
    b.number = nv_cluster_rank(e);
    b.count = nv_cluster_size(e);
    return b;
  }
  b.number = LLVMBuildTrunc(e->b, nv_block_number(e), e->i32, NV_NAME);
  b.count = LLVMBuildTrunc(e->b, nv_block_count(e), e->i32, NV_NAME);
  b.workspace = workspace_values(e, group);
  return b;
}

// Word `word` of a block's value.
static LLVMValueRef nvptx_blocks_word_of(const Blocks *b, LLVMValueRef block,
                                         uint32_t word) {
  NvEmit *e = b->e;
  if (b->workspace == NULL) {
    LLVMValueRef offset = nv_i64(e, (int64_t)word * b->row->scratch_units * 4);
    LLVMValueRef own = LLVMBuildInBoundsGEP2(e->b, e->i8, b->scratch.base,
                                             &offset, 1, NV_NAME);
    if (e->sm < 90)
      return own;
    LLVMValueRef args[2] = {own, block};
    return nv_intrinsic(e, "llvm.nvvm.mapa.shared.cluster", NULL, 0, args, 2);
  }
  LLVMValueRef offset = LLVMBuildZExt(e->b, block, e->i64, NV_NAME);
  offset =
      LLVMBuildMul(e->b, offset,
                   nv_i64(e, (int64_t)e->plan->workspace_block_bytes), NV_NAME);
  offset = LLVMBuildAdd(e->b, offset, nv_i64(e, (int64_t)word * 4), NV_NAME);
  return LLVMBuildInBoundsGEP2(e->b, e->i8, b->workspace, &offset, 1, NV_NAME);
}

// At device scope: nothing stale from a nearer cache.
static void at_device(NvEmit *e, LLVMValueRef access) {
  static const char scope[] = "device";
  LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
  LLVMSetAtomicSyncScopeID(access,
                           LLVMGetSyncScopeID(e->cx, scope, sizeof scope - 1));
  LLVMSetAlignment(access, 4);
}

static void nvptx_blocks_put(const Blocks *b, const NvLeaves *value) {
  NvEmit *e = b->e;
  NvWords words = nv_pack(e, value);
  for (uint32_t i = 0; i < words.n; i++) {
    LLVMValueRef place;
    if (b->workspace) {
      place = nvptx_blocks_word_of(b, b->number, i);
    } else {
      LLVMValueRef offset = nv_i64(e, (int64_t)i * b->row->scratch_units * 4);
      place = LLVMBuildInBoundsGEP2(e->b, e->i8, b->scratch.base, &offset, 1,
                                    NV_NAME);
    }
    LLVMValueRef store = LLVMBuildStore(e->b, words.words[i], place);
    if (b->workspace)
      at_device(e, store);
  }
}

static NvLeaves nvptx_blocks_get(const Blocks *b, LLVMValueRef block,
                                 const NvLeaves *like) {
  NvEmit *e = b->e;
  NvLeaves value = *like;
  NvWords words = nv_pack(e, like);
  for (uint32_t i = 0; i < words.n; i++) {
    words.words[i] = LLVMBuildLoad2(e->b, e->i32,
                                    nvptx_blocks_word_of(b, block, i), NV_NAME);
    if (b->workspace)
      at_device(e, words.words[i]);
  }
  nv_unpack(e, &words, &value);
  return value;
}

static void nvptx_blocks_publish(const Blocks *b, LLVMValueRef thread,
                                 const NvFold *f) {
  NvEmit *e = b->e;
  NvIf place =
      nv_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, e->thread, thread, NV_NAME));
  nvptx_blocks_put(b, &f->now);
  nv_end_if(e, place);
  nv_sync_group(e, b->group, f->node);
}

// ------------------------------------------------------------------ folding

static LLVMValueRef nvptx_blocks_least(NvEmit *e, LLVMValueRef a,
                                       LLVMValueRef b) {
  LLVMValueRef args[2] = {a, b};
  return nv_intrinsic(e, "llvm.smin", &e->i32, 1, args, 2);
}

// Lanes of the warp that surely exist.
static uint32_t sure_lanes(const NvEmit *e) {
  uint32_t rest = e->plan->n_threads % NV_WARP;
  return rest == 0 ? NV_WARP : rest;
}

// A value in memory of its own, for loops.
typedef struct {
  LLVMValueRef slots[NV_MAX_LEAVES];
} Kept;

static Kept keep_new(NvEmit *e, const NvLeaves *like) {
  Kept kept = {0};
  for (uint32_t k = 0; k < like->n; k++)
    kept.slots[k] = nv_alloca(e, LLVMTypeOf(like->v[k]));
  return kept;
}

static void nvptx_blocks_keep(NvEmit *e, const Kept *kept,
                              const NvLeaves *value) {
  for (uint32_t k = 0; k < value->n; k++)
    LLVMBuildStore(e->b, value->v[k], kept->slots[k]);
}

static NvLeaves kept_value(NvEmit *e, const Kept *kept, const NvLeaves *like) {
  NvLeaves value = *like;
  for (uint32_t k = 0; k < value.n; k++)
    value.v[k] =
        LLVMBuildLoad2(e->b, LLVMTypeOf(like->v[k]), kept->slots[k], NV_NAME);
  return value;
}

// Onto the sum from the left: one lane after the other.
static void fold_in_order(NvEmit *e, const NvFold *f, const Kept *sum,
                          const NvLeaves *value, LLVMValueRef at,
                          LLVMValueRef end, uint32_t width) {
  LLVMValueRef sync = nv_all_lanes(e);
  LLVMValueRef is_begin =
      LLVMBuildICmp(e->b, LLVMIntEQ, at, nv_i32(e, 0), NV_NAME);
  for (uint32_t i = 0; i < width; i++) {
    NvLeaves one = nv_move(e, value, "idx", sync, nv_i32(e, i), NV_WARP - 1);
    NvLeaves before = kept_value(e, sum, value), otherwise = before;
    LLVMValueRef there = LLVMBuildAdd(e->b, at, nv_i32(e, i), NV_NAME);
    LLVMValueRef takes = LLVMBuildICmp(e->b, LLVMIntSLT, there, end, NV_NAME);
    if (i == 0) { // the very first has nothing on its left
      otherwise = nv_choose(e, is_begin, &one, &before);
      takes = LLVMBuildAnd(e->b, takes, LLVMBuildNot(e->b, is_begin, NV_NAME),
                           NV_NAME);
    }
    before = nv_apply(e, f, &before, &one, takes, &otherwise);
    nvptx_blocks_keep(e, sum, &before);
  }
}

// In any order: lanes beyond the end hold what changes nothing.
static void fold_freely(NvEmit *e, const NvFold *f, const Kept *sum,
                        const NvLeaves *value, LLVMValueRef is_in) {
  NvFold part = *f;
  NvTeam team = nv_whole_warp(e);
  NvLeaves none = nv_identities(e, f), before = kept_value(e, sum, value);
  part.now = nv_choose(e, is_in, value, &none);
  nv_reduce_lanes(e, &part, &team);
  part.now = nv_apply(e, f, &before, &part.now, NULL, NULL);
  nvptx_blocks_keep(e, sum, &part.now);
}

static bool is_free(const NvEmit *e, const NvFold *f) {
  return nv_is_free(f) && e->plan->n_threads % NV_WARP == 0;
}

// A chunk of blocks, a lane each.
static void fold_chunk(const Blocks *b, const NvFold *f, const Kept *sum,
                       LLVMValueRef at, LLVMValueRef end, uint32_t width) {
  NvEmit *e = b->e;
  LLVMValueRef mine = LLVMBuildAdd(e->b, at, e->lane, NV_NAME);
  LLVMValueRef last = LLVMBuildSub(e->b, b->count, nv_i32(e, 1), NV_NAME);
  NvLeaves value =
      nvptx_blocks_get(b, nvptx_blocks_least(e, mine, last), &f->now);
  LLVMValueRef is_in = LLVMBuildICmp(e->b, LLVMIntSLT, mine, end, NV_NAME);
  if (is_free(e, f))
    fold_freely(e, f, sum, &value, is_in);
  else
    fold_in_order(e, f, sum, &value, at, end, width);
}

enum { OPERATOR_WIDTH = 4 }; // bodies of the program's operator in a row

static uint32_t width_of(const Blocks *b, const NvFold *f, LLVMValueRef end) {
  uint32_t width = sure_lanes(b->e);
  if (is_free(b->e, f))
    return width;
  if (LLVMIsConstant(end) && LLVMConstIntGetZExtValue(end) < width)
    width = (uint32_t)LLVMConstIntGetZExtValue(end);
  if (b->group->kind == GROUP_CLUSTER && width > 16)
    width = 16; // no cluster is larger
  return f->is_operator && width > OPERATOR_WIDTH ? OPERATOR_WIDTH : width;
}

// f->now = the values of blocks [0, end), end > 0, from the first to the last.
static void nvptx_fold_blocks(const Blocks *b, NvFold *f, LLVMValueRef end) {
  NvEmit *e = b->e;
  uint32_t width = width_of(b, f, end);
  Kept sum = keep_new(e, &f->now);
  NvLeaves start = f->now;
  if (is_free(e, f))
    start = nv_identities(e, f);
  nvptx_blocks_keep(e, &sum, &start);
  LLVMValueRef counter = nv_alloca(e, e->i32);
  LLVMBuildStore(e->b, nv_i32(e, 0), counter);
  LLVMBasicBlockRef head = nv_new_block(e, "blocks");
  LLVMBasicBlockRef body = nv_new_block(e, "chunk");
  LLVMBasicBlockRef done = nv_new_block(e, "all_blocks");
  LLVMBuildBr(e->b, head);
  nv_begin_block(e, head);
  LLVMValueRef at = LLVMBuildLoad2(e->b, e->i32, counter, NV_NAME);
  LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntSLT, at, end, NV_NAME);
  LLVMBuildCondBr(e->b, more, body, done);
  nv_begin_block(e, body);
  fold_chunk(b, f, &sum, at, end, width);
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, at, nv_i32(e, width), NV_NAME),
                 counter);
  LLVMBuildBr(e->b, head);
  nv_begin_block(e, done);
  f->now = kept_value(e, &sum, &f->now);
}

// ------------------------------------------------------------------ results

static const IrGroup *nvptx_blocks_block_row(const NvEmit *e) {
  return e->kernel->groups.data[GROUP_ROW_BLOCK];
}

void nv_reduce_blocks(NvEmit *e, NvFold *f, const IrGroup *group) {
  const NvGroupPlan *block = &e->plan->groups[GROUP_ROW_BLOCK];
  if (block->in_warp) {
    NvTeam team = nv_team(e, f->node, nvptx_blocks_block_row(e));
    nv_reduce_lanes(e, f, &team);
  } else {
    nv_reduce_wide(e, f, nvptx_blocks_block_row(e));
  }
  Blocks b = nvptx_blocks_begin(e, group);
  nvptx_blocks_publish(&b, nv_i32(e, 0), f);
  nvptx_fold_blocks(&b, f, b.count);
}

static void scan_block(NvEmit *e, NvFold *f, NvLeaves *lower) {
  if (!e->plan->groups[GROUP_ROW_BLOCK].in_warp) {
    nv_scan_wide(e, f, nvptx_blocks_block_row(e), lower);
    return;
  }
  NvTeam team = nv_team(e, f->node, nvptx_blocks_block_row(e));
  nv_scan_lanes(e, f, &team);
  if (lower)
    *lower = nv_lower_lane(e, &f->now, &team);
}

void nv_scan_blocks(NvEmit *e, NvFold *f, const IrGroup *group,
                    NvLeaves *lower) {
  NvLeaves below = f->now;
  scan_block(e, f, lower ? &below : NULL);
  NvLeaves own = f->now;
  Blocks b = nvptx_blocks_begin(e, group);
  nvptx_blocks_publish(&b, nv_i32(e, e->plan->n_threads - 1), f);
  LLVMValueRef zero = nv_i32(e, 0);
  LLVMValueRef is_behind =
      LLVMBuildICmp(e->b, LLVMIntSGT, b.number, zero, NV_NAME);
  nvptx_fold_blocks(&b, f, b.number); // of block 0: not looked at
  NvLeaves prefix = f->now;
  f->now = nv_apply(e, f, &prefix, &own, is_behind, &own);
  if (lower == NULL)
    return;
  LLVMValueRef is_inside =
      LLVMBuildICmp(e->b, LLVMIntSGT, e->thread, zero, NV_NAME);
  NvLeaves inside =
      nv_apply(e, f, &prefix, &below,
               LLVMBuildAnd(e->b, is_behind, is_inside, NV_NAME), &below);
  LLVMValueRef is_edge = LLVMBuildAnd(
      e->b, is_behind, LLVMBuildNot(e->b, is_inside, NV_NAME), NV_NAME);
  *lower = nv_choose(e, is_edge, &prefix, &inside);
}
