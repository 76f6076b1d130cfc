// SPDX-License-Identifier: Apache-2.0
#include "codegen/cpu/llvm_masked.h"

#include "base/vec.h"
#include "codegen/llvm_arith.h"

#include <string.h>

enum { MASKED_BYTES = 32, MASKED_MOST_LANES = 512 };

typedef hd_vec(LLVMValueRef) MaskedCalls;

static const char masked_load[] = "llvm.masked.load.";

// Of 32 or 64 bits; 0: another type.
static uint32_t masked_element_bits(LLVMTypeRef element) {
  LLVMTypeKind kind = LLVMGetTypeKind(element);
  uint32_t bits = kind == LLVMFloatTypeKind     ? 32
                  : kind == LLVMDoubleTypeKind  ? 64
                  : kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(element)
                                                : 0;
  return bits == 32 || bits == 64 ? bits : 0;
}

static bool masked_is_whole(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return false;
  uint32_t bits = masked_element_bits(LLVMGetElementType(type));
  uint32_t n = LLVMGetVectorSize(type);
  return bits > 0 && n <= MASKED_MOST_LANES &&
         n * bits % (8 * MASKED_BYTES) == 0;
}

static void masked_collect(Arena *arena, LLVMValueRef function,
                           MaskedCalls *calls) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
         at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee =
          LLVMGetInstructionOpcode(at) == LLVMCall ? LLVMGetCalledValue(at) : 0;
      size_t length = 0;
      const char *name = callee && LLVMIsAFunction(callee)
                             ? LLVMGetValueName2(callee, &length)
                             : "";
      if (strncmp(name, masked_load, strlen(masked_load)) == 0 &&
          masked_is_whole(LLVMTypeOf(at)))
        VEC_PUSH(arena, calls, at);
    }
  }
}

// Lanes from `first` on, as many as a register has; zero where absent.
static LLVMValueRef masked_part(LLVMModuleRef module, LLVMBuilderRef b,
                                LLVMValueRef call, uint32_t first) {
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(call));
  LLVMContextRef cx = LLVMGetModuleContext(module);
  uint32_t bits = masked_element_bits(element), n = 8 * MASKED_BYTES / bits;
  LLVMTypeRef lane = LLVMIntTypeInContext(cx, bits);
  LLVMTypeRef lanes = LLVMVectorType(lane, n);
  LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(cx), first, false);
  LLVMValueRef pointer =
      LLVMBuildGEP2(b, element, LLVMGetOperand(call, 0), &at, 1, "");
  LLVMValueRef mask = llvm_lanes(b, LLVMGetOperand(call, 1), first, n);
  LLVMValueRef args[2] = {pointer, LLVMBuildSExt(b, mask, lanes, "")};
  LLVMValueRef v = llvm_intrinsic(b,
                                  bits == 32 ? "llvm.x86.avx2.maskload.d.256"
                                             : "llvm.x86.avx2.maskload.q.256",
                                  NULL, 0, args, 2);
  return LLVMBuildBitCast(b, v, LLVMVectorType(element, n), "");
}

static void masked_replace(LLVMModuleRef module, LLVMBuilderRef b,
                           LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  uint32_t n = LLVMGetVectorSize(type);
  uint32_t lanes =
      8 * MASKED_BYTES / masked_element_bits(LLVMGetElementType(type));
  LLVMValueRef parts[MASKED_MOST_LANES] = {NULL};
  LLVMPositionBuilderBefore(b, call);
  for (uint32_t k = 0; k < n / lanes; k++)
    parts[k] = masked_part(module, b, call, k * lanes);
  LLVMValueRef v = llvm_join(b, parts, n / lanes);
  LLVMValueRef others = LLVMGetOperand(call, 2);
  if (!LLVMIsNull(others) && !LLVMIsPoison(others) && !LLVMIsUndef(others))
    v = LLVMBuildSelect(b, LLVMGetOperand(call, 1), v, others, "");
  LLVMReplaceAllUsesWith(call, v);
  LLVMInstructionEraseFromParent(call);
}

void llvm_name_masked_loads(Arena *arena, LLVMModuleRef module,
                            const LlvmTarget *target) {
  if (!target->is_x86 || target->vector_bytes != MASKED_BYTES)
    return;
  MaskedCalls calls = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    masked_collect(arena, f, &calls);
  if (calls.count == 0)
    return;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (uint32_t i = 0; i < calls.count; i++)
    masked_replace(module, b, calls.data[i]);
  LLVMDisposeBuilder(b);
}

// -------------------------------------------------------- masks cut short

enum { MASK_LANES = 64 };

static bool masked_is_false(LLVMValueRef constant, uint32_t lane) {
  LLVMValueRef bit = LLVMGetAggregateElement(constant, lane);
  return bit && (LLVMIsNull(bit) || LLVMIsUndef(bit));
}

// Lanes of its first operand at their places, and false lanes: those, as bits.
static bool masked_kept_lanes(LLVMValueRef shuffle, uint64_t *kept) {
  LLVMValueRef from = LLVMGetOperand(shuffle, 0);
  LLVMValueRef other = LLVMGetOperand(shuffle, 1);
  uint32_t n_from = LLVMGetVectorSize(LLVMTypeOf(from));
  uint32_t n = LLVMGetNumMaskElements(shuffle);
  *kept = 0;
  if (n > MASK_LANES || n_from > MASK_LANES || !LLVMIsConstant(other))
    return false;
  for (uint32_t lane = 0; lane < n; lane++) {
    int pick = LLVMGetMaskValue(shuffle, lane);
    bool is_own = pick == (int)lane && lane < n_from;
    if (!is_own && pick != LLVMGetUndefMaskElem() &&
        (pick < (int)n_from ||
         !masked_is_false(other, (uint32_t)pick - n_from)))
      return false;
    *kept |= (uint64_t)is_own << lane;
  }
  return true;
}

// The mask as an integer, or an integer as a mask.
static LLVMValueRef masked_bits(LLVMBuilderRef b, LLVMValueRef v, uint32_t n,
                                LLVMTypeRef bit) {
  LLVMContextRef cx = LLVMGetTypeContext(bit);
  LLVMTypeRef to = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind
                       ? LLVMIntTypeInContext(cx, n)
                       : LLVMVectorType(bit, n);
  return LLVMBuildBitCast(b, v, to, "");
}

static LLVMValueRef masked_of_bits(LLVMBuilderRef b, LLVMValueRef shuffle,
                                   uint64_t kept) {
  LLVMValueRef from = LLVMGetOperand(shuffle, 0);
  uint32_t n_from = LLVMGetVectorSize(LLVMTypeOf(from));
  uint32_t n = LLVMGetNumMaskElements(shuffle);
  LLVMTypeRef bit = LLVMGetElementType(LLVMTypeOf(shuffle));
  LLVMTypeRef wide = LLVMIntTypeInContext(LLVMGetTypeContext(bit), n);
  LLVMValueRef v = masked_bits(b, from, n_from, bit);
  v = LLVMBuildIntCast2(b, v, wide, 0, "");
  v = LLVMBuildAnd(b, v, LLVMConstInt(wide, kept, 0), "");
  return masked_bits(b, v, n, bit);
}

static bool masked_is_bit(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(type) == 1;
}

static void masked_collect_shuffles(Arena *arena, LLVMValueRef function,
                                    MaskedCalls *shuffles) {
  uint64_t kept;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
         at = LLVMGetNextInstruction(at)) {
      if (LLVMGetInstructionOpcode(at) == LLVMShuffleVector &&
          masked_is_bit(LLVMGetElementType(LLVMTypeOf(at))) &&
          masked_kept_lanes(at, &kept))
        VEC_PUSH(arena, shuffles, at);
    }
  }
}

void llvm_cut_masks(Arena *arena, LLVMModuleRef module,
                    const LlvmTarget *target) {
  if (target->vector_bytes <= MASKED_BYTES)
    return;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    MaskedCalls shuffles = {0};
    masked_collect_shuffles(arena, function, &shuffles);
    for (uint32_t i = 0; i < shuffles.count; i++) {
      LLVMValueRef shuffle = shuffles.data[i];
      uint64_t kept;
      (void)masked_kept_lanes(shuffle, &kept);
      LLVMPositionBuilderBefore(b, shuffle);
      LLVMReplaceAllUsesWith(shuffle, masked_of_bits(b, shuffle, kept));
      LLVMInstructionEraseFromParent(shuffle);
    }
  }
  LLVMDisposeBuilder(b);
}
