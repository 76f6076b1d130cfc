// SPDX-License-Identifier: Apache-2.0
// Sums of products that lie in memory between loops.
//
// Expects  optimised LLVM IR, before llvm_loop_parts.
// Gives    the same with prefetches.
// Owns     nothing.
#ifndef HD_CODEGEN_LLVM_SUMS_AHEAD_H
#define HD_CODEGEN_LLVM_SUMS_AHEAD_H

#include <llvm-c/Core.h>

void llvm_sums_ahead(LLVMModuleRef module);

#endif
