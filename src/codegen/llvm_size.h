// SPDX-License-Identifier: Apache-2.0
// How much code a module is, and what is done about much.
//
// Note [Code of a size]
// LLVM's register allocator takes time that grows by the square of a function's
// blocks (it splits live ranges by regions). Functions with many blocks are
// generated at the lowest level instead, whose allocator goes from block to
// block; so are large modules, as the level is the target machine's. The passes
// before are the same. What is larger still is refused.
#ifndef HD_CODEGEN_LLVM_SIZE_H
#define HD_CODEGEN_LLVM_SIZE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#define LLVM_MOST_INSTRUCTIONS 320000

typedef struct {
  size_t n_instructions; // of all functions
  size_t n_blocks;       // of the function that has most
} LlvmSize;

LlvmSize llvm_size(LLVMModuleRef module);
bool llvm_is_quick(LlvmSize size);

#endif
