// SPDX-License-Identifier: Apache-2.0
// What IR operations are called in LLVM, for every back end.
#ifndef HD_CODEGEN_LLVM_PARTS_H
#define HD_CODEGEN_LLVM_PARTS_H

#include "ir/form/ir.h"
#include <llvm-c/Core.h>

LLVMIntPredicate llvm_int_predicate(IrOp op);
LLVMRealPredicate llvm_real_predicate(IrOp op);
// Under which a counted loop goes on.
LLVMIntPredicate llvm_count_predicate(bool is_down, bool is_signed,
                                      bool is_inclusive);
LLVMAtomicOrdering llvm_ordering(IrOrder order);

#endif
