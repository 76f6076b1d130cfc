// SPDX-License-Identifier: Apache-2.0
// Masks and masked loads as LLVM's code generator gets them right, after the
// passes over the module.
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

// Note [Masks cut short]
// A mask whose first 8 or 16 lanes are kept and whose others are false becomes
// KMOVB or KMOVW between mask registers, which clear the bits above. Where such
// a mask was put on the stack, LLVM 22 takes that for a copy and reloads all
// bits (findings/llvm-x86-mask-spill.sh): absent lanes run. So these shuffles
// are written as an AND of integers. AVX-512 only.
void llvm_cut_masks(Arena *arena, LLVMModuleRef module,
                    const LlvmTarget *target);

#endif
