// SPDX-License-Identifier: Apache-2.0
// Forms that ptxas reads wrongly or makes worse code of.
//
// Note [Truncating stores]
// A store of the low bits of a register, as `st.shared.b32 [p], %rd1`, is what
// LLVM makes of a truncation that is only stored. ptxas (13.0) takes it for a
// conversion of the number to an integer where an instruction on
// floating-point numbers made the register, and F2I is what is stored. A move
// between the two hides from ptxas what the register holds, and costs nothing.
//
// Note [Sums as or]
// A sum whose operands have no bit in common is an `or` for LLVM. ptxas makes
// two instructions of a shift and an `or`, one of a shift and an addition, and
// sums of three operands are one. The code generator would make an `or` of the
// addition again if it knew how large an index can be. That shortens what comes
// before the first loads; in loops ptxas schedules either form by luck, and the
// matrix product of 8 x 8 a thread was 2 % slower, so kernels with loops keep
// the `or`.
#include "codegen/nvptx/llvm_nvptx.h"

#include <string.h>

static bool nvptx_bits_is_float(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
         kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static bool is_truncated(LLVMValueRef v) {
  for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
    if (LLVMIsATruncInst(LLVMGetUser(use)))
      return true;
  return false;
}

static LLVMValueRef move(LLVMBuilderRef b, LLVMValueRef bits) {
  LLVMTypeRef type = LLVMTypeOf(bits);
  unsigned width = LLVMGetIntTypeWidth(type);
  const char *text = width == 64   ? "mov.b64 $0, $1;"
                     : width == 32 ? "mov.b32 $0, $1;"
                                   : "mov.b16 $0, $1;";
  const char *constraints = width == 64   ? "=l,l"
                            : width == 32 ? "=r,r"
                                          : "=h,h";
  LLVMTypeRef function = LLVMFunctionType(type, &type, 1, 0);
  LLVMValueRef code =
      LLVMGetInlineAsm(function, text, strlen(text), constraints,
                       strlen(constraints), 0, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(b, function, code, &bits, 1, NV_NAME);
}

static void hide(LLVMBuilderRef b, LLVMValueRef cast) {
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(cast));
  LLVMValueRef moved = move(b, cast);
  for (LLVMUseRef use = LLVMGetFirstUse(cast), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsATruncInst(user))
      LLVMSetOperand(user, 0, moved);
  }
}

static void hide_if_truncated(LLVMBuilderRef b, LLVMValueRef inst) {
  if (LLVMIsABitCastInst(inst) &&
      LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind &&
      nvptx_bits_is_float(LLVMTypeOf(LLVMGetOperand(inst, 0))) &&
      is_truncated(inst))
    hide(b, inst);
}

static bool is_sum(LLVMValueRef inst) {
  return LLVMGetInstructionOpcode(inst) == LLVMOr && LLVMGetIsDisjoint(inst) &&
         LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(inst)) >= 32;
}

// An addition in the place of the instruction, which is removed.
static void nvptx_bits_add(LLVMBuilderRef b, LLVMValueRef inst) {
  LLVMPositionBuilderBefore(b, inst);
  LLVMValueRef sum = LLVMBuildNUWAdd(b, LLVMGetOperand(inst, 0),
                                     LLVMGetOperand(inst, 1), NV_NAME);
  LLVMReplaceAllUsesWith(inst, sum);
  LLVMInstructionEraseFromParent(inst);
}

static void forget_range(LLVMValueRef call) {
  LLVMRemoveCallSiteEnumAttribute(call,
                                  (LLVMAttributeIndex)LLVMAttributeReturnIndex,
                                  LLVMGetEnumAttributeKindForName("range", 5));
}

static bool nvptx_bits_is_no_loop(IrNode *node, void *unused) {
  (void)unused;
  return node->op != IR_LOOP && node->op != IR_FOR && node->op != IR_THREAD_FOR;
}

static void mend(LLVMBuilderRef b, LLVMValueRef inst, bool has_loops) {
  if (!has_loops && LLVMIsACallInst(inst))
    forget_range(inst);
  else if (!has_loops && is_sum(inst))
    nvptx_bits_add(b, inst);
  else
    hide_if_truncated(b, inst);
}

void nv_mend_forms(LLVMModuleRef module, const IrKernel *kernel) {
  IrRegion body = kernel->body;
  bool has_loops = !ir_walk(&body, nvptx_bits_is_no_loop, NULL);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        mend(b, i, has_loops);
      }
  LLVMDisposeBuilder(b);
}
