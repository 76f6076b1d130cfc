// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_parts.h"

#include "base/panic.h"

LLVMIntPredicate llvm_int_predicate(IrOp op) {
  switch (ir_compare_op(op)) {
  case IR_EQ: return LLVMIntEQ;
  case IR_NE: return LLVMIntNE;
  case IR_SLT: return LLVMIntSLT;
  case IR_SLE: return LLVMIntSLE;
  case IR_ULT: return LLVMIntULT;
  case IR_ULE: return LLVMIntULE;
  case IR_FEQ:
  case IR_FNE:
  case IR_FLT:
  case IR_FLE:
  case IR_ISNAN:
  case IR_ISINF:
  case IR_ISFINITE:
  case IR_SIGNBIT: break;
  }
  HD_PANIC("'%s' compares no integers", ir_op_table[op].text);
}

LLVMRealPredicate llvm_real_predicate(IrOp op) {
  switch (ir_compare_op(op)) {
  case IR_FEQ: return LLVMRealOEQ;
  case IR_FNE: return LLVMRealUNE;
  case IR_FLT: return LLVMRealOLT;
  case IR_FLE: return LLVMRealOLE;
  case IR_EQ:
  case IR_NE:
  case IR_SLT:
  case IR_SLE:
  case IR_ULT:
  case IR_ULE:
  case IR_ISNAN:
  case IR_ISINF:
  case IR_ISFINITE:
  case IR_SIGNBIT: break;
  }
  HD_PANIC("'%s' compares no floats", ir_op_table[op].text);
}

LLVMIntPredicate llvm_count_predicate(bool is_down, bool is_signed,
                                      bool is_inclusive) {
  if (is_down)
    return is_signed ? (is_inclusive ? LLVMIntSGE : LLVMIntSGT)
                     : (is_inclusive ? LLVMIntUGE : LLVMIntUGT);
  return is_signed ? (is_inclusive ? LLVMIntSLE : LLVMIntSLT)
                   : (is_inclusive ? LLVMIntULE : LLVMIntULT);
}

LLVMAtomicOrdering llvm_ordering(IrOrder order) {
  switch (order) {
  case ORDER_PLAIN:
  case ORDER_RELAXED: return LLVMAtomicOrderingMonotonic;
  case ORDER_ACQUIRE: return LLVMAtomicOrderingAcquire;
  case ORDER_RELEASE: return LLVMAtomicOrderingRelease;
  case ORDER_ACQ_REL: break;
  }
  return LLVMAtomicOrderingAcquireRelease;
}
