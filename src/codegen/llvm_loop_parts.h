// SPDX-License-Identifier: Apache-2.0
// Inner loops over vectors that take several registers.
//
// Expects  optimised LLVM IR.
// Gives    such loops in parts, of which each fits a register.
// Owns     nothing.
#ifndef HD_CODEGEN_LLVM_LOOP_PARTS_H
#define HD_CODEGEN_LLVM_LOOP_PARTS_H

#include "base/arena.h"

#include <llvm-c/Core.h>
#include <stdint.h>

void llvm_loop_parts(Arena *arena, LLVMModuleRef module, uint32_t vector_bytes);

#endif
