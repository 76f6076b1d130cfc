// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_size.h"

#define QUICK_BLOCKS       1500
#define QUICK_INSTRUCTIONS 40000

static size_t count_instructions(LLVMBasicBlockRef block) {
  size_t n = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
       at = LLVMGetNextInstruction(at))
    n++;
  return n;
}

LlvmSize llvm_size(LLVMModuleRef module) {
  LlvmSize size = {0};
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    size_t n_blocks = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block), n_blocks++)
      size.n_instructions += count_instructions(block);
    if (n_blocks > size.n_blocks)
      size.n_blocks = n_blocks;
  }
  return size;
}

bool llvm_is_quick(LlvmSize size) {
  return size.n_blocks > QUICK_BLOCKS ||
         size.n_instructions > QUICK_INSTRUCTIONS;
}
