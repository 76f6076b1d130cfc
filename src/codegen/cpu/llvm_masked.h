// SPDX-License-Identifier: Apache-2.0
// Masked loads in the instructions of AVX, after the passes over the module.
#ifndef HD_CODEGEN_CPU_LLVM_MASKED_H
#define HD_CODEGEN_CPU_LLVM_MASKED_H

#include "codegen/llvm_target.h"

// Note [Masked loads]
// Where vectors are 32 bytes, LLVM 22 cuts a masked load that is wider, and
// parts whose lanes turn out to be absent are loaded without a mask, or end the
// compiler (findings/llvm-x86-masked-load.sh). So loads of whole registers of
// 4- and 8-byte elements are written as the processor's instruction, which
// LLVM doesn't look into. It would do so in its passes: this comes after them.
//
// Nothing happens for other processors.
void llvm_name_masked_loads(Arena *arena, LLVMModuleRef module,
                            const LlvmTarget *target);

#endif
