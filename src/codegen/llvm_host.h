// SPDX-License-Identifier: Apache-2.0
// Host expressions as code, for shapes that a kernel needs again: the extents
// of a shared array that is sized at launch. They give what host_eval gives,
// which refused the launch where they have no value.
#ifndef HD_CODEGEN_LLVM_HOST_H
#define HD_CODEGEN_LLVM_HOST_H

#include "ir/form/ir.h"
#include <llvm-c/Core.h>

typedef struct {
  LLVMBuilderRef b;
  LLVMTypeRef i64, f64;
  const IrKernel *kernel;
  // The word of 64 bits that holds a parameter.
  LLVMValueRef (*slot)(void *emit, uint32_t slot);
  void *emit;
} LlvmHost;

// An i64; 1 for NULL. No extents or predicates are in it (verify_host.c).
LLVMValueRef llvm_host_value(const LlvmHost *h, const IrHost *host);

#endif
