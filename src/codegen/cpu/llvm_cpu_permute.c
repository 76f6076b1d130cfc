// SPDX-License-Identifier: Apache-2.0
// Moving values between lanes. Where the processor permutes whole registers by
// an index vector its instructions are named; elsewhere a row goes through
// memory.
#include "codegen/cpu/llvm_cpu.h"

#include <string.h>

LLVMValueRef cpu_shuffle(CpuEmit *e, LLVMValueRef v, const int *indices) {
  LLVMValueRef numbers[CPU_WARP];
  if (e->lanes == 1)
    return v;
  for (uint32_t i = 0; i < e->lanes; i++)
    numbers[i] = cpu_i32(e, indices[i] & (CPU_WARP - 1));
  return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(numbers, e->lanes), CPU_NAME);
}

LLVMValueRef cpu_slice(CpuEmit *e, LLVMValueRef v, uint32_t first, uint32_t n) {
  LLVMValueRef picks[CPU_WARP];
  for (uint32_t i = 0; i < n; i++)
    picks[i] = cpu_i32(e, first + i);
  return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(picks, n), CPU_NAME);
}

static bool cpu_permute_has_feature(const CpuEmit *e, const char *name) {
  return e->target->is_x86 && e->target->vector_bytes >= 64 &&
         e->target->features && strstr(e->target->features, name) != NULL;
}

static LLVMValueRef cpu_permute_part(CpuEmit *e, LLVMValueRef v, unsigned first,
                                     unsigned n) {
  LLVMValueRef numbers[CPU_WARP];
  for (unsigned i = 0; i < n; i++)
    numbers[i] = cpu_i32(e, first + i);
  return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(numbers, n), CPU_NAME);
}

// Both halves, one behind the other.
static LLVMValueRef cpu_permute_both(CpuEmit *e, LLVMValueRef low,
                                     LLVMValueRef high) {
  LLVMValueRef numbers[CPU_WARP];
  unsigned n = 2 * LLVMGetVectorSize(LLVMTypeOf(low));
  for (unsigned i = 0; i < n; i++)
    numbers[i] = cpu_i32(e, i);
  return LLVMBuildShuffleVector(e->b, low, high, LLVMConstVector(numbers, n),
                                CPU_NAME);
}

static LLVMValueRef cpu_permute_call(CpuEmit *e, const char *name,
                                     LLVMValueRef *args, unsigned n) {
  return cpu_intrinsic(e, name, NULL, 0, args, n);
}

static LLVMValueRef permute_bytes(CpuEmit *e, LLVMValueRef v, LLVMValueRef at) {
  LLVMTypeRef row = LLVMVectorType(e->i8, CPU_WARP);
  LLVMValueRef args[2] = {v, LLVMBuildTrunc(e->b, at, row, CPU_NAME)};
  return cpu_permute_call(e, "llvm.x86.avx512.permvar.qi.256", args, 2);
}

static LLVMValueRef permute_words(CpuEmit *e, LLVMValueRef v, LLVMValueRef at) {
  LLVMTypeRef row = LLVMVectorType(e->i16, CPU_WARP);
  LLVMValueRef args[2] = {v, LLVMBuildTrunc(e->b, at, row, CPU_NAME)};
  return cpu_permute_call(e, "llvm.x86.avx512.permvar.hi.512", args, 2);
}

static LLVMValueRef permute_dwords(CpuEmit *e, LLVMValueRef v,
                                   LLVMValueRef at) {
  LLVMValueRef low = cpu_permute_part(e, v, 0, 16),
               high = cpu_permute_part(e, v, 16, 16), half[2];
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef args[3] = {low, cpu_permute_part(e, at, 16 * i, 16), high};
    half[i] = cpu_permute_call(e, "llvm.x86.avx512.vpermi2var.d.512", args, 3);
  }
  return cpu_permute_both(e, half[0], half[1]);
}

// Of sixteen candidates each, bit 4 of the index picks the pair.
static LLVMValueRef permute_qwords(CpuEmit *e, LLVMValueRef v,
                                   LLVMValueRef at) {
  LLVMValueRef from[4], to[4];
  for (unsigned i = 0; i < 4; i++)
    from[i] = cpu_permute_part(e, v, 8 * i, 8);
  for (unsigned i = 0; i < 4; i++) {
    LLVMValueRef narrow = cpu_permute_part(e, at, 8 * i, 8);
    LLVMTypeRef wide = LLVMVectorType(e->i64, 8);
    LLVMValueRef index = LLVMBuildZExt(e->b, narrow, wide, CPU_NAME);
    LLVMValueRef first[3] = {from[0], index, from[1]};
    LLVMValueRef second[3] = {from[2], index, from[3]};
    LLVMValueRef bit = llvm_fill(LLVMTypeOf(narrow), cpu_i32(e, 16));
    LLVMValueRef is_high = LLVMBuildICmp(
        e->b, LLVMIntNE, LLVMBuildAnd(e->b, narrow, bit, CPU_NAME),
        LLVMConstNull(LLVMTypeOf(narrow)), CPU_NAME);
    const char *name = "llvm.x86.avx512.vpermi2var.q.512";
    to[i] = LLVMBuildSelect(e->b, is_high, cpu_permute_call(e, name, second, 3),
                            cpu_permute_call(e, name, first, 3), CPU_NAME);
  }
  return cpu_permute_both(e, cpu_permute_both(e, to[0], to[1]),
                          cpu_permute_both(e, to[2], to[3]));
}

// Through memory: a gather where there is one.
static LLVMValueRef permute_stored(CpuEmit *e, LLVMValueRef v,
                                   LLVMValueRef at) {
  LLVMTypeRef type = LLVMTypeOf(v), scalar = LLVMGetElementType(type);
  LLVMValueRef row = cpu_alloca(e, type);
  LLVMBuildStore(e->b, v, row);
  LLVMTypeRef wide = LLVMVectorType(e->i64, CPU_WARP);
  LLVMValueRef index = LLVMBuildZExt(e->b, at, wide, CPU_NAME);
  LLVMValueRef pointers = LLVMBuildGEP2(e->b, scalar, row, &index, 1, CPU_NAME);
  LLVMValueRef args[3] = {pointers,
                          LLVMConstAllOnes(LLVMVectorType(e->i1, CPU_WARP)),
                          LLVMGetPoison(type)};
  LLVMTypeRef types[2] = {type, LLVMTypeOf(pointers)};
  return cpu_intrinsic(e, "llvm.masked.gather", types, 2, args, 3);
}

static LLVMValueRef permute_integers(CpuEmit *e, LLVMValueRef v,
                                     LLVMValueRef at, unsigned bits) {
  if (bits == 8 && cpu_permute_has_feature(e, "+avx512vbmi") &&
      cpu_permute_has_feature(e, "+avx512vl"))
    return permute_bytes(e, v, at);
  if (bits == 16 && cpu_permute_has_feature(e, "+avx512bw"))
    return permute_words(e, v, at);
  if (bits == 32 && cpu_permute_has_feature(e, "+avx512f"))
    return permute_dwords(e, v, at);
  if (bits == 64 && cpu_permute_has_feature(e, "+avx512f"))
    return permute_qwords(e, v, at);
  return permute_stored(e, v, at);
}

// Bools: a bit of the mask for each lane.
static LLVMValueRef permute_bits(CpuEmit *e, LLVMValueRef v, LLVMValueRef at) {
  LLVMValueRef bits = cpu_splat(e, cpu_mask_bits(e, v));
  LLVMValueRef moved = LLVMBuildLShr(e->b, bits, at, CPU_NAME);
  return LLVMBuildTrunc(e->b, moved, e->mask_type, CPU_NAME);
}

LLVMValueRef cpu_permute(CpuEmit *e, LLVMValueRef v, LLVMValueRef indices) {
  if (e->lanes == 1)
    return v;
  LLVMTypeRef type = LLVMTypeOf(v), scalar = LLVMGetElementType(type);
  LLVMValueRef most = cpu_const_splat(e, cpu_i32(e, CPU_WARP - 1));
  LLVMValueRef at = LLVMBuildAnd(e->b, indices, most, CPU_NAME);
  if (scalar == e->i1)
    return permute_bits(e, v, at);
  bool is_pointer = LLVMGetTypeKind(scalar) == LLVMPointerTypeKind;
  unsigned bits = scalar == e->f64 || is_pointer ? 64
                  : scalar == e->f32             ? 32
                                                 : LLVMGetIntTypeWidth(scalar);
  LLVMTypeRef whole =
      LLVMVectorType(LLVMIntTypeInContext(e->cx, bits), CPU_WARP);
  v = is_pointer ? LLVMBuildPtrToInt(e->b, v, whole, CPU_NAME)
                 : LLVMBuildBitCast(e->b, v, whole, CPU_NAME);
  v = permute_integers(e, v, at, bits);
  return is_pointer ? LLVMBuildIntToPtr(e->b, v, type, CPU_NAME)
                    : LLVMBuildBitCast(e->b, v, type, CPU_NAME);
}
