// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of scalars.
//
// Nothing is contracted: a product that is added is rounded, as on a CPU,
// unless the node allows approximations. LLVM then writes mul.rn and add.rn,
// which the assembler leaves apart.
#include "base/panic.h"
#include "codegen/llvm_parts.h"
#include "codegen/nvptx/llvm_nvptx.h"

// ---------------------------------------------------------------- division

// By zero: unsigned x/0 is all ones, signed x/0 is -1, x%0 is x; MIN/-1 is MIN
// and MIN%-1 is 0. What LLVM leaves undefined is divided by 1 instead.
static LLVMValueRef nvptx_arith_divide(NvEmit *e, const IrNode *node,
                                       LLVMValueRef a, LLVMValueRef b) {
  bool is_signed = node->op == IR_SDIV || node->op == IR_SREM;
  bool is_remainder = node->op == IR_SREM || node->op == IR_UREM;
  int64_t lowest = INT64_MIN >> (64 - ir_type_bits(node->type));
  LLVMValueRef zero =
      LLVMBuildICmp(e->b, LLVMIntEQ, b, llvm_int_like(b, 0), NV_NAME);
  LLVMValueRef is_bad = zero;
  if (is_signed) {
    LLVMValueRef down =
        LLVMBuildICmp(e->b, LLVMIntEQ, b, llvm_int_like(b, -1), NV_NAME);
    LLVMValueRef low =
        LLVMBuildICmp(e->b, LLVMIntEQ, a, llvm_int_like(a, lowest), NV_NAME);
    is_bad = LLVMBuildOr(e->b, zero, LLVMBuildAnd(e->b, down, low, NV_NAME),
                         NV_NAME);
  }
  LLVMValueRef by =
      LLVMBuildSelect(e->b, is_bad, llvm_int_like(b, 1), b, NV_NAME);
  LLVMValueRef v;
  if (is_signed)
    v = is_remainder ? LLVMBuildSRem(e->b, a, by, NV_NAME)
                     : LLVMBuildSDiv(e->b, a, by, NV_NAME);
  else
    v = is_remainder ? LLVMBuildURem(e->b, a, by, NV_NAME)
                     : LLVMBuildUDiv(e->b, a, by, NV_NAME);
  return LLVMBuildSelect(e->b, zero, is_remainder ? a : llvm_int_like(a, -1), v,
                         NV_NAME);
}

// ---------------------------------------------------------------- integers

// Zeros at the end. LLVM would branch for a value of 0, where PTX's count of
// leading zeros gives the width; narrow values get a bit behind their last.
static LLVMValueRef nvptx_arith_trailing_zeros(NvEmit *e, IrType type,
                                               LLVMValueRef v) {
  uint32_t width = ir_type_bits(type);
  if (width < 32) {
    v = LLVMBuildZExt(e->b, v, e->i32, NV_NAME);
    v = LLVMBuildOr(e->b, v, nv_i32(e, INT64_C(1) << width), NV_NAME);
    LLVMValueRef args[2] = {v, LLVMConstInt(e->i1, 1, 0)};
    v = llvm_overloaded(e->b, "llvm.cttz", args, 2);
    return LLVMBuildTrunc(e->b, v, nv_scalar_type(e, type), NV_NAME);
  }
  if (width == 32)
    return nv_asm(e, e->i32, "{ .reg .b32 t; brev.b32 t, $1; clz.b32 $0, t; }",
                  "=r,r", &v, 1, false);
  v = nv_asm(e, e->i32, "{ .reg .b64 t; brev.b64 t, $1; clz.b64 $0, t; }",
             "=r,l", &v, 1, false);
  return LLVMBuildZExt(e->b, v, e->i64, NV_NAME);
}

static bool nvptx_arith_is_division(IrOp op) {
  return op == IR_SDIV || op == IR_UDIV || op == IR_SREM || op == IR_UREM;
}

static LLVMValueRef nvptx_arith_integer_op(NvEmit *e, const IrNode *node,
                                           LLVMValueRef *x) {
  if (nvptx_arith_is_division(node->op))
    return nvptx_arith_divide(e, node, x[0], x[1]);
  if (node->op == IR_CTZ && !LLVMIsConstant(x[0]))
    return nvptx_arith_trailing_zeros(e, node->type, x[0]);
  return llvm_integer_op(e->b, node, x, true);
}

// A quotient of 16-bit floats is that of floats rounded again: float holds it
// well enough that rounding twice can't differ.
static LLVMValueRef narrow_quotient(NvEmit *e, const IrNode *node,
                                    LLVMValueRef *x) {
  LLVMTypeRef type = LLVMTypeOf(x[0]);
  LLVMValueRef wide[2];
  for (int i = 0; i < 2; i++)
    wide[i] = LLVMBuildFPExt(e->b, x[i], e->f32, NV_NAME);
  LLVMValueRef v = llvm_with_fast_flags(
      node, LLVMBuildFDiv(e->b, wide[0], wide[1], NV_NAME));
  return LLVMBuildFPTrunc(e->b, v, type, NV_NAME);
}

void nv_emit_arith(NvEmit *e, const IrNode *node) {
  LLVMValueRef x[4], v;
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = nv_arg(e, node, i);
  if (!ir_type_is_float(node->type))
    v = nvptx_arith_integer_op(e, node, x);
  else if (node->op == IR_FDIV && llvm_is_narrow(node->type))
    v = narrow_quotient(e, node, x);
  else
    v = llvm_with_fast_flags(node, llvm_float_op(e->b, node, x));
  nv_set_value(e, node, 0, v);
}

LLVMValueRef nv_combine(NvEmit *e, IrRmw combine, IrType type,
                        LLVMValueRef left, LLVMValueRef right) {
  LLVMValueRef x[2] = {left, right};
  bool is_real = ir_type_is_float(type);
  switch (combine) {
  case RMW_ADD:
    return is_real ? LLVMBuildFAdd(e->b, left, right, NV_NAME)
                   : LLVMBuildAdd(e->b, left, right, NV_NAME);
  case RMW_SMIN:
    return llvm_overloaded(e->b, is_real ? "llvm.minimumnum" : "llvm.smin", x,
                           2);
  case RMW_SMAX:
    return llvm_overloaded(e->b, is_real ? "llvm.maximumnum" : "llvm.smax", x,
                           2);
  case RMW_UMIN:
    return llvm_overloaded(e->b, is_real ? "llvm.minimumnum" : "llvm.umin", x,
                           2);
  case RMW_UMAX:
    return llvm_overloaded(e->b, is_real ? "llvm.maximumnum" : "llvm.umax", x,
                           2);
  case RMW_AND: return LLVMBuildAnd(e->b, left, right, NV_NAME);
  case RMW_OR: return LLVMBuildOr(e->b, left, right, NV_NAME);
  case RMW_XOR: return LLVMBuildXor(e->b, left, right, NV_NAME);
  case RMW_SUB:
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  HD_PANIC("operator %d doesn't combine values", (int)combine);
}

// ------------------------------------------------------------ comparison

void nv_emit_compare(NvEmit *e, const IrNode *node) {
  IrType type = node->args[0]->type;
  LLVMValueRef v, a = nv_arg(e, node, 0);
  if (node->n_args == 1)
    v = llvm_classify(e->b, node->op, a);
  else if (ir_type_is_float(type))
    v = LLVMBuildFCmp(e->b, llvm_real_predicate(node->op), a,
                      nv_arg(e, node, 1), NV_NAME);
  else
    v = LLVMBuildICmp(e->b, llvm_int_predicate(node->op), a, nv_arg(e, node, 1),
                      NV_NAME);
  nv_set_value(e, node, 0, v);
}
