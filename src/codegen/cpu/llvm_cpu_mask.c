// SPDX-License-Identifier: Apache-2.0
// Masks, and loops over the lanes of a mask.
#include "codegen/cpu/llvm_cpu.h"

#include "base/bits.h"

LLVMValueRef cpu_full_mask(const CpuEmit *e) {
  return LLVMConstAllOnes(e->mask_type);
}

LLVMValueRef cpu_no_mask(const CpuEmit *e) {
  return LLVMConstNull(e->mask_type);
}

LLVMValueRef cpu_mask(const CpuEmit *e) {
  return e->mask ? e->mask : cpu_full_mask(e);
}

// Not an `and`: in lanes that `a` leaves out, `b` may come from a load that
// these didn't make. That is poison to LLVM, and poison and false is poison.
LLVMValueRef cpu_mask_and(CpuEmit *e, LLVMValueRef a, LLVMValueRef b) {
  if (a == NULL)
    return b;
  if (b == NULL)
    return a;
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(b));
  return LLVMBuildSelect(e->b, a, b, none, CPU_NAME);
}

LLVMValueRef cpu_mask_or_none(CpuEmit *e, LLVMValueRef a, LLVMValueRef b) {
  if (a == NULL || b == NULL)
    return a ? a : b;
  return LLVMBuildOr(e->b, a, b, CPU_NAME);
}

LLVMValueRef cpu_mask_without(CpuEmit *e, LLVMValueRef mask, LLVMValueRef bad) {
  return bad ? cpu_mask_and(e, mask, LLVMBuildNot(e->b, bad, CPU_NAME)) : mask;
}

LLVMValueRef cpu_mask_bits(CpuEmit *e, LLVMValueRef mask) {
  if (e->lanes == 1)
    return LLVMBuildZExt(e->b, mask, e->i32, CPU_NAME);
  return LLVMBuildBitCast(e->b, mask, e->i32, CPU_NAME);
}

LLVMValueRef cpu_any(CpuEmit *e, LLVMValueRef mask) {
  if (mask == NULL)
    return LLVMConstInt(e->i1, 1, 0);
  if (e->lanes == 1)
    return mask;
  LLVMValueRef bits = cpu_mask_bits(e, mask);
  return LLVMBuildICmp(e->b, LLVMIntNE, bits, cpu_i32(e, 0), CPU_NAME);
}

static LLVMValueRef lowest_bit(CpuEmit *e, LLVMValueRef bits) {
  LLVMValueRef args[2] = {bits, LLVMConstInt(e->i1, 1, 0)};
  return cpu_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);
}

LLVMValueRef cpu_first_active(CpuEmit *e) {
  if (e->mask == NULL)
    return cpu_i32(e, 0);
  return lowest_bit(e, cpu_mask_bits(e, e->mask));
}

LLVMValueRef cpu_select(CpuEmit *e, LLVMValueRef mask, LLVMValueRef yes,
                        LLVMValueRef no) {
  if (mask == NULL)
    return yes;
  return LLVMBuildSelect(e->b, mask, yes, no, CPU_NAME);
}

uint32_t cpu_first_lanes(LLVMValueRef mask) {
  uint32_t n = 0;
  if (!LLVMIsConstant(mask) ||
      LLVMGetTypeKind(LLVMTypeOf(mask)) != LLVMVectorTypeKind)
    return 0;
  for (uint32_t i = 0; i < LLVMGetVectorSize(LLVMTypeOf(mask)); i++) {
    LLVMValueRef bit = LLVMGetAggregateElement(mask, i);
    if (bit == NULL || !LLVMIsAConstantInt(bit))
      return 0;
    bool is_set = LLVMConstIntGetZExtValue(bit) != 0;
    if (is_set && n < i)
      return 0;
    n += is_set;
  }
  return bits_is_power(n) ? n : 0;
}

CpuLaneLoop cpu_lanes_begin(CpuEmit *e, LLVMValueRef mask) {
  CpuLaneLoop loop = {0};
  if (e->lanes == 1) {
    loop.lane = cpu_i32(e, 0);
    return loop;
  }
  LLVMValueRef bits = cpu_mask_bits(e, mask ? mask : cpu_full_mask(e));
  loop.bits_slot = cpu_alloca(e, e->i32);
  LLVMBuildStore(e->b, bits, loop.bits_slot);
  loop.head = cpu_new_block(e, "lane");
  loop.end = cpu_new_block(e, "lanes_end");
  LLVMBuildBr(e->b, loop.head);
  cpu_begin_block(e, loop.head);
  LLVMValueRef left = cpu_load_slot(e, e->i32, loop.bits_slot);
  loop.lane = lowest_bit(e, left);
  return loop;
}

void cpu_lanes_end(CpuEmit *e, CpuLaneLoop *loop) {
  if (e->lanes == 1)
    return;
  LLVMValueRef left = cpu_load_slot(e, e->i32, loop->bits_slot);
  LLVMValueRef below = LLVMBuildSub(e->b, left, cpu_i32(e, 1), CPU_NAME);
  LLVMValueRef rest = LLVMBuildAnd(e->b, left, below, CPU_NAME);
  LLVMBuildStore(e->b, rest, loop->bits_slot);
  LLVMValueRef more =
      LLVMBuildICmp(e->b, LLVMIntNE, rest, cpu_i32(e, 0), CPU_NAME);
  LLVMBuildCondBr(e->b, more, loop->head, loop->end);
  cpu_begin_block(e, loop->end);
}

CpuSpill cpu_spill(CpuEmit *e, CpuLeaf leaf) {
  CpuSpill spill = {.leaf = leaf};
  if (leaf.shape.kind != CPU_VARYING)
    return spill;
  LLVMTypeRef type = cpu_memory_type(e, leaf.type);
  LLVMValueRef v = cpu_to_memory(e, leaf.type, leaf.v);
  spill.memory = cpu_alloca(e, LLVMVectorType(type, e->lanes));
  LLVMBuildStore(e->b, v, spill.memory);
  return spill;
}

LLVMValueRef cpu_spilled_at(CpuEmit *e, const CpuSpill *spill,
                            LLVMValueRef lane) {
  if (spill->memory == NULL)
    return cpu_at_lane(e, spill->leaf, lane);
  LLVMTypeRef type = cpu_memory_type(e, spill->leaf.type);
  LLVMValueRef at =
      LLVMBuildGEP2(e->b, type, spill->memory, &lane, 1, CPU_NAME);
  return cpu_from_memory(e, spill->leaf.type,
                         LLVMBuildLoad2(e->b, type, at, CPU_NAME));
}
