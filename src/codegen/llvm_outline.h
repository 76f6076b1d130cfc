// SPDX-License-Identifier: Apache-2.0
#ifndef HD_CODEGEN_LLVM_OUTLINE_H
#define HD_CODEGEN_LLVM_OUTLINE_H

#include "base/arena.h"
#include <llvm-c/Core.h>

// Takes masked gathers and scatters out of functions that have very many: see
// the source. For optimised modules; what is taken out isn't inlined again.
void llvm_outline(Arena *arena, LLVMModuleRef module);

#endif
