// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_size.h"

#define QUICK_BLOCKS       1500
#define QUICK_INSTRUCTIONS 40000
#define PLAIN_ACCESSES     2000

static size_t size_lanes(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                     : 1;
}

// About how many instructions of the processor access memory for this one: a
// masked call (of as many numbers as its result or first argument has) may have
// one for each number, a vector one for eight.
static size_t size_accesses(LLVMValueRef at) {
  switch ((int)LLVMGetInstructionOpcode(at)) {
  case LLVMLoad: return (size_lanes(LLVMTypeOf(at)) + 7) / 8;
  case LLVMStore:
    return (size_lanes(LLVMTypeOf(LLVMGetOperand(at, 0))) + 7) / 8;
  case LLVMCall: {
    size_t result = size_lanes(LLVMTypeOf(at));
    size_t given = LLVMGetNumArgOperands(at) > 0
                       ? size_lanes(LLVMTypeOf(LLVMGetOperand(at, 0)))
                       : 0;
    return result > given ? result : given;
  }
  default: return 0;
  }
}

static void size_add_block(LlvmSize *size, LLVMBasicBlockRef block) {
  size_t n_accesses = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
       at = LLVMGetNextInstruction(at)) {
    size->n_instructions++;
    n_accesses += size_accesses(at);
  }
  if (n_accesses > size->n_accesses)
    size->n_accesses = n_accesses;
}

LlvmSize llvm_size(LLVMModuleRef module) {
  LlvmSize size = {0};
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    size_t n_blocks = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block), n_blocks++)
      size_add_block(&size, block);
    if (n_blocks > size.n_blocks)
      size.n_blocks = n_blocks;
  }
  return size;
}

int llvm_most_level(LlvmSize size) {
  if (size.n_blocks > QUICK_BLOCKS || size.n_instructions > QUICK_INSTRUCTIONS)
    return 0;
  return size.n_accesses > PLAIN_ACCESSES ? 1 : 3;
}
