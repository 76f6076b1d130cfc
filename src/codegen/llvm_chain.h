// SPDX-License-Identifier: Apache-2.0
#ifndef HD_CODEGEN_LLVM_CHAIN_H
#define HD_CODEGEN_LLVM_CHAIN_H

#include "base/arena.h"
#include <llvm-c/Core.h>

// Bounds what coroutines compute again behind each suspension: see the source.
// For modules before coro-split.
void llvm_cut_chains(Arena *arena, LLVMModuleRef module);

#endif
