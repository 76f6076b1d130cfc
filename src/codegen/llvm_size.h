// SPDX-License-Identifier: Apache-2.0
// How much code a module is, and what is done about much.
//
// Note [Code of a size]
// LLVM's register allocator takes time that grows by the square of a function's
// blocks (it splits live ranges by regions). Functions with many blocks are
// generated at the lowest level instead, whose allocator goes from block to
// block; so are large modules, as the level is the target machine's. The passes
// before are the same. What is larger still is refused.
//
// The second scheduler, after register allocation, which LLVM has for some
// processors, takes time that grows by the square of a block's accesses to
// memory (it examines pairs of them). Modules with a large block are generated
// at a level that does without.
#ifndef HD_CODEGEN_LLVM_SIZE_H
#define HD_CODEGEN_LLVM_SIZE_H

#include <llvm-c/Core.h>
#include <stddef.h>

#define LLVM_MOST_INSTRUCTIONS 320000

typedef struct {
  size_t n_instructions; // of all functions
  size_t n_blocks;       // of the function that has most
  size_t n_accesses;     // to memory, about, of the block that has most
} LlvmSize;

LlvmSize llvm_size(LLVMModuleRef module);
// The level, as of -O, that its code is generated at or below.
int llvm_most_level(LlvmSize size);

#endif
