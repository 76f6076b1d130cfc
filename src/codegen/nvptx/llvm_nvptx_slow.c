// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of parts that cut warps, in shared memory: every step of
// Note [Order of reductions on a GPU] is a barrier of the group. They are rare:
// ranges whose begin only the run knows, and tiles of such.
//
// A thread's element is numbered by its rank in the block, and there are up to
// four arrays of them: two in turn for values, two for totals of 32 ranks.
#include "codegen/nvptx/llvm_nvptx_team.h"

typedef struct {
  NvEmit *e;
  NvFold *f;
  const IrGroup *group;
  NvScratch scratch;
  LLVMValueRef rank, size, base; // base: block rank of the part's first thread
} Slow;

static Slow slow_begin(NvEmit *e, NvFold *f, const IrGroup *group) {
  Slow s = {.e = e, .f = f, .group = group};
  s.scratch = nv_scratch(e, group);
  s.rank = nv_group_rank(e, group);
  s.size = nv_group_size(e, group);
  s.base = LLVMBuildSub(e->b, e->thread, s.rank, NV_NAME);
  return s;
}

static LLVMValueRef nvptx_slow_element(const Slow *s, LLVMValueRef rank,
                                       uint32_t array) {
  NvEmit *e = s->e;
  LLVMValueRef place = LLVMBuildAdd(e->b, s->base, rank, NV_NAME);
  return LLVMBuildAdd(e->b, place,
                      nv_i32(e, (int64_t)array * e->plan->n_threads), NV_NAME);
}

static void nvptx_slow_put(const Slow *s, LLVMValueRef rank, uint32_t array,
                           const NvLeaves *value) {
  nv_scratch_store(s->e, &s->scratch, nvptx_slow_element(s, rank, array),
                   value);
}

static NvLeaves nvptx_slow_get(const Slow *s, LLVMValueRef rank,
                               uint32_t array) {
  NvLeaves value = s->f->now;
  nv_scratch_load(s->e, &s->scratch, nvptx_slow_element(s, rank, array),
                  &value);
  return value;
}

static void nvptx_slow_meet(const Slow *s) {
  nv_sync_group(s->e, s->group, s->f->node);
}

static LLVMValueRef nvptx_slow_is_below(NvEmit *e, LLVMValueRef a,
                                        LLVMValueRef b) {
  return LLVMBuildICmp(e->b, LLVMIntSLT, a, b, NV_NAME);
}

void nv_reduce_slowly(NvEmit *e, NvFold *f, const IrGroup *group) {
  Slow s = slow_begin(e, f, group);
  uint32_t most = s.scratch.row->most_threads;
  nvptx_slow_put(&s, s.rank, 0, &f->now);
  nvptx_slow_meet(&s);
  for (uint32_t d = 1; d < most; d *= 2) {
    LLVMValueRef rest =
        LLVMBuildAnd(e->b, s.rank, nv_i32(e, 2 * d - 1), NV_NAME);
    LLVMValueRef above = LLVMBuildAdd(e->b, s.rank, nv_i32(e, d), NV_NAME);
    LLVMValueRef is_first =
        LLVMBuildICmp(e->b, LLVMIntEQ, rest, nv_i32(e, 0), NV_NAME);
    NvIf place =
        nv_if(e, LLVMBuildAnd(e->b, is_first,
                              nvptx_slow_is_below(e, above, s.size), NV_NAME));
    NvLeaves left = nvptx_slow_get(&s, s.rank, 0),
             right = nvptx_slow_get(&s, above, 0);
    left = nv_apply(e, f, &left, &right, NULL, NULL);
    nvptx_slow_put(&s, s.rank, 0, &left);
    nv_end_if(e, place);
    nvptx_slow_meet(&s);
  }
  f->now = nvptx_slow_get(&s, nv_i32(e, 0), 0);
  nv_scratch_done(e, &s.scratch, group, f->node);
}

// One step of doubling: rank `at` takes that of `at - d` where `takes` holds,
// from `array` of two in turn.
static void nvptx_slow_step(const Slow *s, LLVMValueRef at, uint32_t d,
                            uint32_t array, LLVMValueRef takes) {
  NvEmit *e = s->e;
  LLVMValueRef below = LLVMBuildSub(e->b, at, nv_i32(e, d), NV_NAME);
  below = LLVMBuildSelect(e->b, takes, below, at, NV_NAME);
  NvLeaves left = nvptx_slow_get(s, below, array);
  s->f->now = nv_apply(e, s->f, &left, &s->f->now, takes, &s->f->now);
}

// Within 32 ranks.
static void scan_chunks(const Slow *s) {
  NvEmit *e = s->e;
  LLVMValueRef place =
      LLVMBuildAnd(e->b, s->rank, nv_i32(e, NV_WARP - 1), NV_NAME);
  uint32_t array = 0;
  for (uint32_t d = 1; d < NV_WARP; d *= 2) {
    nvptx_slow_put(s, s->rank, array, &s->f->now);
    nvptx_slow_meet(s);
    nvptx_slow_step(
        s, s->rank, d, array,
        LLVMBuildICmp(e->b, LLVMIntSGE, place, nv_i32(e, d), NV_NAME));
    array = 1 - array;
  }
}

// The totals of chunks, by every thread of a chunk alike; *total is left as
// that of this thread's chunk with all before it.
static void nvptx_slow_scan_totals(Slow *s, LLVMValueRef chunk,
                                   uint32_t n_chunks) {
  NvEmit *e = s->e;
  LLVMValueRef end =
      LLVMBuildOr(e->b, s->rank, nv_i32(e, NV_WARP - 1), NV_NAME);
  LLVMValueRef last = LLVMBuildSub(e->b, s->size, nv_i32(e, 1), NV_NAME);
  LLVMValueRef args[2] = {end, last};
  end = nv_intrinsic(e, "llvm.smin", &e->i32, 1, args, 2);
  nvptx_slow_put(s, s->rank, 1, &s->f->now);
  nvptx_slow_meet(s);
  s->f->now = nvptx_slow_get(s, end, 1);
  uint32_t array = 2;
  for (uint32_t d = 1; d < n_chunks; d *= 2) {
    nvptx_slow_put(s, chunk, array,
                   &s->f->now); // the same value from all of the chunk
    nvptx_slow_meet(s);
    nvptx_slow_step(
        s, chunk, d, array,
        LLVMBuildICmp(e->b, LLVMIntSGE, chunk, nv_i32(e, d), NV_NAME));
    array = 5 - array;
  }
  nvptx_slow_put(s, chunk, array, &s->f->now);
  nvptx_slow_meet(s);
  LLVMValueRef before = LLVMBuildSub(e->b, chunk, nv_i32(e, 1), NV_NAME);
  LLVMValueRef zero = nv_i32(e, 0);
  LLVMValueRef limits[2] = {before, zero};
  before = nv_intrinsic(e, "llvm.smax", &e->i32, 1, limits, 2);
  s->f->now = nvptx_slow_get(s, before, array);
}

void nv_scan_slowly(NvEmit *e, NvFold *f, const IrGroup *group,
                    NvLeaves *lower) {
  Slow s = slow_begin(e, f, group);
  uint32_t n_chunks = (s.scratch.row->most_threads + NV_WARP - 1) / NV_WARP;
  scan_chunks(&s);
  if (n_chunks > 1) {
    NvLeaves own = f->now;
    LLVMValueRef chunk = LLVMBuildLShr(e->b, s.rank, nv_i32(e, 5), NV_NAME);
    nvptx_slow_scan_totals(&s, chunk, n_chunks);
    NvLeaves prefix = f->now;
    f->now = nv_apply(e, f, &prefix, &own,
                      nvptx_slow_is_below(e, nv_i32(e, 0), chunk), &own);
  }
  if (lower) {
    nvptx_slow_put(&s, s.rank, 0, &f->now);
    nvptx_slow_meet(&s);
    LLVMValueRef below = LLVMBuildSub(e->b, s.rank, nv_i32(e, 1), NV_NAME);
    LLVMValueRef limits[2] = {below, nv_i32(e, 0)};
    below = nv_intrinsic(e, "llvm.smax", &e->i32, 1, limits, 2);
    *lower = nvptx_slow_get(&s, below, 0);
  }
  nv_scratch_done(e, &s.scratch, group, f->node);
}
