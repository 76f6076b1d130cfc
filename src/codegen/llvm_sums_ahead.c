// SPDX-License-Identifier: Apache-2.0
// Note [The next sums]
// A loop that adds up products begins with a block of sums from memory, row by
// row, and nothing can be added before they are there. Where they come from a
// cache that all cores share, that is a time in which a hundred products could
// have been added. The next block of rows follows in memory: as far behind as
// all rows of this one are long. So before the loop its lines are asked for,
// which costs nothing where there are none.
#include "codegen/llvm_sums_ahead.h"

#include "codegen/llvm_arith.h"
#include "codegen/llvm_loop_parts.h"

enum { SUMS_LEAST = 2, SUMS_MOST = 64, SUMS_LINE_BYTES = 64 };

typedef struct {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMTypeRef i64, i8;
  LLVMValueRef pointers[SUMS_MOST]; // of the rows
  uint32_t n, row_bytes;
} SumsAhead;

// The load that a sum begins with, or to which something was added; else NULL.
static LLVMValueRef sums_load(LLVMValueRef value) {
  if (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd)
    value = LLVMGetOperand(value, 0);
  bool is_load = LLVMIsAInstruction(value) &&
                 LLVMGetInstructionOpcode(value) == LLVMLoad &&
                 !LLVMGetVolatile(value);
  return is_load ? value : NULL;
}

static uint32_t sums_bytes(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return 0;
  LLVMTypeRef element = LLVMGetElementType(type);
  LLVMTypeKind kind = LLVMGetTypeKind(element);
  uint32_t bytes =
      kind == LLVMDoubleTypeKind ? 8
      : kind == LLVMFloatTypeKind || (kind == LLVMIntegerTypeKind &&
                                      LLVMGetIntTypeWidth(element) == 32)
          ? 4
          : 0;
  return bytes * LLVMGetVectorSize(type);
}

// The rows of sums of a loop, all of one length.
static bool sums_find(SumsAhead *s, LLVMBasicBlockRef block,
                      LLVMBasicBlockRef before) {
  s->n = s->row_bytes = 0;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block);
       LLVMIsAPHINode(phi) && s->n < SUMS_MOST;
       phi = LLVMGetNextInstruction(phi)) {
    uint32_t bytes = sums_bytes(LLVMTypeOf(phi));
    unsigned outside = LLVMGetIncomingBlock(phi, 0) == before ? 0 : 1;
    LLVMValueRef load =
        bytes ? sums_load(LLVMGetIncomingValue(phi, outside)) : NULL;
    if (!load)
      continue;
    if (s->n > 0 && bytes != s->row_bytes)
      return false;
    s->row_bytes = bytes;
    s->pointers[s->n++] = LLVMGetOperand(load, 0);
  }
  return s->n >= SUMS_LEAST;
}

static void sums_prefetch(SumsAhead *s, LLVMValueRef pointer, uint32_t at) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(s->module));
  LLVMValueRef offset = LLVMConstInt(s->i64, at, 0);
  LLVMValueRef args[4] = {LLVMBuildGEP2(s->b, s->i8, pointer, &offset, 1, ""),
                          LLVMConstInt(i32, 1, 0), // to be written
                          LLVMConstInt(i32, 3, 0), // near
                          LLVMConstInt(i32, 1, 0)};
  LLVMTypeRef type = LLVMTypeOf(pointer);
  llvm_intrinsic(s->b, "llvm.prefetch", &type, 1, args, 4);
}

static void sums_ask(SumsAhead *s, LLVMBasicBlockRef before) {
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(before));
  LLVMValueRef ends[2];
  for (uint32_t i = 0; i < 2; i++)
    ends[i] = LLVMBuildPtrToInt(s->b, s->pointers[i], s->i64, "");
  LLVMValueRef row = LLVMBuildSub(s->b, ends[1], ends[0], "");
  LLVMValueRef ahead =
      LLVMBuildMul(s->b, row, LLVMConstInt(s->i64, s->n, 0), "");
  for (uint32_t i = 0; i < s->n; i++) {
    LLVMValueRef next =
        LLVMBuildGEP2(s->b, s->i8, s->pointers[i], &ahead, 1, "");
    for (uint32_t at = 0; at < s->row_bytes; at += SUMS_LINE_BYTES)
      sums_prefetch(s, next, at);
  }
}

void llvm_sums_ahead(LLVMModuleRef module) {
  LLVMContextRef cx = LLVMGetModuleContext(module);
  SumsAhead s = {.module = module,
                 .b = LLVMCreateBuilderInContext(cx),
                 .i64 = LLVMInt64TypeInContext(cx),
                 .i8 = LLVMInt8TypeInContext(cx)};
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
      LLVMBasicBlockRef before;
      unsigned leaves;
      if (llvm_loop_is_single(block, &before, &leaves) &&
          sums_find(&s, block, before))
        sums_ask(&s, before);
    }
  LLVMDisposeBuilder(s.b);
}
