// SPDX-License-Identifier: Apache-2.0
// Scratch memory of groups: see Note [Scratch of groups].
#include "codegen/nvptx/llvm_nvptx_team.h"

// The variable that holds the offset of this turn's buffer.
static LLVMValueRef nvptx_scratch_turn_of(NvEmit *e, const IrGroup *group) {
  LLVMValueRef *turn = &e->group_turn[group->id];
  if (*turn == NULL) {
    *turn = nv_alloca(e, e->i32);
    LLVMBuildStore(e->hoist, nv_i32(e, 0), *turn);
  }
  return *turn;
}

LLVMValueRef nv_scratch_turn(NvEmit *e, const IrGroup *group) {
  LLVMValueRef turn = nvptx_scratch_turn_of(e, group);
  LLVMValueRef now = LLVMBuildLoad2(e->b, e->i32, turn, NV_NAME);
  int64_t bytes = e->plan->groups[group->id].scratch_bytes;
  LLVMBuildStore(e->b, LLVMBuildXor(e->b, now, nv_i32(e, bytes), NV_NAME),
                 turn);
  return LLVMBuildZExt(e->b, now, e->i64, NV_NAME);
}

NvScratch nv_scratch(NvEmit *e, const IrGroup *group) {
  NvScratch s = {.row = &e->plan->groups[group->id]};
  LLVMValueRef offset = nv_i64(e, (int64_t)s.row->scratch_offset);
  s.base = LLVMBuildInBoundsGEP2(e->b, e->i8, e->shared, &offset, 1, NV_NAME);
  if (s.row->is_moving)
    return s;
  LLVMValueRef turn = nv_scratch_turn(e, group);
  s.base = LLVMBuildInBoundsGEP2(e->b, e->i8, s.base, &turn, 1, NV_NAME);
  return s;
}

static LLVMValueRef nvptx_scratch_word_at(NvEmit *e, const NvScratch *s,
                                          LLVMValueRef element, uint32_t word) {
  LLVMValueRef index = LLVMBuildAdd(
      e->b, element, nv_i32(e, (int64_t)word * s->row->scratch_units), NV_NAME);
  index = LLVMBuildZExt(e->b, index, e->i64, NV_NAME);
  return LLVMBuildInBoundsGEP2(e->b, e->i32, s->base, &index, 1, NV_NAME);
}

void nv_scratch_store(NvEmit *e, const NvScratch *s, LLVMValueRef element,
                      const NvLeaves *value) {
  NvWords words = nv_pack(e, value);
  for (uint32_t i = 0; i < words.n; i++)
    LLVMBuildStore(e->b, words.words[i],
                   nvptx_scratch_word_at(e, s, element, i));
}

void nv_scratch_load(NvEmit *e, const NvScratch *s, LLVMValueRef element,
                     NvLeaves *value) {
  NvWords words = nv_pack(e, value);
  for (uint32_t i = 0; i < words.n; i++)
    words.words[i] = LLVMBuildLoad2(
        e->b, e->i32, nvptx_scratch_word_at(e, s, element, i), NV_NAME);
  nv_unpack(e, &words, value);
}

// Neighbours at constant distances, for LLVM to read several at once.
void nv_scratch_load_row(NvEmit *e, const NvScratch *s, LLVMValueRef first,
                         uint32_t align, NvLeaves *values, uint32_t n) {
  LLVMValueRef start = nvptx_scratch_word_at(e, s, first, 0);
  for (uint32_t i = 0; i < n; i++) {
    NvWords words = nv_pack(e, &values[i]);
    for (uint32_t k = 0; k < words.n; k++) {
      uint32_t place = k * s->row->scratch_units + i;
      uint32_t bits = place | align | 4;
      LLVMValueRef at = nv_byte_offset(e, start, 4 * (int64_t)place);
      words.words[k] = LLVMBuildLoad2(e->b, e->i32, at, NV_NAME);
      LLVMSetAlignment(words.words[k], 4 * (bits & (0 - bits)));
    }
    nv_unpack(e, &words, &values[i]);
  }
}

void nv_scratch_done(NvEmit *e, const NvScratch *s, const IrGroup *group,
                     const IrNode *node) {
  if (s->row->is_moving)
    nv_sync_group(e, group, node);
}
