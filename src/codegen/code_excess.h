// SPDX-License-Identifier: Apache-2.0
// Kernels whose code is too much, and what of them it is.
#ifndef HD_CODEGEN_CODE_EXCESS_H
#define HD_CODEGEN_CODE_EXCESS_H

#include "base/arena.h"
#include "base/status.h"
#include "ir/form/ir.h"
#include <stddef.h>

// Code that was refused as too much: the place is what most of it comes from.
typedef struct {
  size_t n_operations; // 0: it wasn't
  size_t most;
  IrLocId place;
} CodeExcess;

// HD_ERROR_UNSUPPORTED with *why and *excess where there are more operations
// than LLVM_MOST_INSTRUCTIONS. `emitted` is what code was made of: the kernel,
// or its copy with loops repeated.
__attribute__((warn_unused_result)) HdStatus
code_excess_check(Arena *arena, const IrKernel *kernel, const IrKernel *emitted,
                  size_t n_operations, CodeExcess *excess, const char **why);

#endif
