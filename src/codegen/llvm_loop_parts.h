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

void llvm_loop_parts(Arena *arena, LLVMModuleRef module,
                     const LlvmTarget *target);

#endif
