// SPDX-License-Identifier: Apache-2.0
// Inner loops over vectors that take several registers.
//
// Expects  optimised LLVM IR.
// Gives    loops that have too few registers in parts, of which each fits one.
// Owns     nothing.
#ifndef HD_CODEGEN_LLVM_LOOP_PARTS_H
#define HD_CODEGEN_LLVM_LOOP_PARTS_H

#include "base/arena.h"
#include "codegen/llvm_target.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// The block is a loop of its own, entered from *before only. *leaves: the
// number of the successor behind it.
bool llvm_loop_is_single(LLVMBasicBlockRef block, LLVMBasicBlockRef *before,
                         unsigned *leaves);

void llvm_loop_parts(Arena *arena, LLVMModuleRef module,
                     const LlvmTarget *target);

#endif
