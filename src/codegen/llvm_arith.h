// SPDX-License-Identifier: Apache-2.0
// Arithmetic that every back end emits alike, of scalars or, element by
// element, of short vectors. Instructions go where `b` stands, in a function.
#ifndef HD_CODEGEN_LLVM_ARITH_H
#define HD_CODEGEN_LLVM_ARITH_H

#include "ir/form/ir.h"
#include <llvm-c/Core.h>

// The most elements of a vector that llvm_fill makes.
enum { LLVM_MOST_LANES = 128 };

// A vector of `type` whose elements are all this constant; the constant itself
// where `type` is a scalar's.
LLVMValueRef llvm_fill(LLVMTypeRef type, LLVMValueRef constant);
// The integer, sign extended, of the type of `like`.
LLVMValueRef llvm_int_like(LLVMValueRef like, int64_t value);
// `scalar`, or the vector of it with as many elements as `shape` has.
LLVMTypeRef llvm_type_like(LLVMTypeRef shape, LLVMTypeRef scalar);

// `n` lanes of a vector, from `first` on; those beyond its end are poison. At
// most 2048.
LLVMValueRef llvm_lanes(LLVMBuilderRef b, LLVMValueRef v, uint32_t first,
                        uint32_t n);
// `n` > 0 vectors of one type, one after the other; at most 2048 lanes in all.
LLVMValueRef llvm_join(LLVMBuilderRef b, const LLVMValueRef *parts, uint32_t n);
// A call of the intrinsic, which LLVM must have. At most four types name the
// variant.
LLVMValueRef llvm_intrinsic(LLVMBuilderRef b, const char *name,
                            const LLVMTypeRef *overloads, unsigned n_overloads,
                            LLVMValueRef *args, unsigned n_args);
// Of one whose variants are named by the type of its first operand.
LLVMValueRef llvm_overloaded(LLVMBuilderRef b, const char *name,
                             LLVMValueRef *args, unsigned n_args);

// f16 and bf16, which not all machines compute in.
static inline bool llvm_is_narrow(IrType type) {
  return type.kind == IR_TYPE_F16 || type.kind == IR_TYPE_BF16;
}

// The operation of the node, of the family arithmetic and of integers or bools,
// on operands `x` as the node has them. Not divisions: what back ends do about
// zeros differs. `trusts_wrap`: that the node doesn't overflow where it says so
// may be used.
LLVMValueRef llvm_integer_op(LLVMBuilderRef b, const IrNode *node,
                             LLVMValueRef *x, bool trusts_wrap);
// Likewise of floats, which may be wider than the node's.
LLVMValueRef llvm_float_op(LLVMBuilderRef b, const IrNode *node,
                           LLVMValueRef *x);
// Lets LLVM approximate `v` where the node allows it.
LLVMValueRef llvm_with_fast_flags(const IrNode *node, LLVMValueRef v);
// isnan, isinf, isfinite, signbit of `v`, a float.
LLVMValueRef llvm_classify(LLVMBuilderRef b, IrOp op, LLVMValueRef v);

#endif
