// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of scalars.
//
// Nothing is contracted: a product that is added is rounded, as on a CPU,
// unless the node allows approximations. LLVM then writes mul.rn and add.rn,
// which the assembler leaves apart.
#include "base/panic.h"
#include "codegen/llvm_parts.h"
#include "codegen/nvptx/llvm_nvptx.h"

static bool nvptx_arith_is_narrow_float(IrType type) {
  return type.kind == IR_TYPE_F16 || type.kind == IR_TYPE_BF16;
}

static LLVMValueRef nvptx_arith_overloaded(NvEmit *e, const char *name,
                                           LLVMValueRef *args, unsigned n) {
  LLVMTypeRef type = LLVMTypeOf(args[0]);
  return nv_intrinsic(e, name, &type, 1, args, n);
}

static LLVMValueRef with_fast_flags(const IrNode *node, LLVMValueRef v) {
  const LLVMFastMathFlags kept = LLVMFastMathNoNaNs | LLVMFastMathNoInfs;
  if ((node->flags & NODE_FAST_MATH) != 0 && LLVMIsAInstruction(v) &&
      LLVMCanValueUseFastMathFlags(v))
    LLVMSetFastMathFlags(v, LLVMFastMathAll & ~kept);
  return v;
}

static LLVMValueRef nvptx_arith_wrap(const IrNode *node, LLVMValueRef v) {
  uint32_t known = node->flags & (NODE_NO_SIGNED_WRAP | NODE_SPECULATIVE);
  if (known == NODE_NO_SIGNED_WRAP && LLVMIsAInstruction(v))
    LLVMSetNSW(v, 1);
  return v;
}

static LLVMValueRef nvptx_arith_int_like(LLVMValueRef like, int64_t value) {
  return LLVMConstInt(LLVMTypeOf(like), (uint64_t)value, 1);
}

// ---------------------------------------------------------------- division

// By zero: unsigned x/0 is all ones, signed x/0 is -1, x%0 is x; MIN/-1 is MIN
// and MIN%-1 is 0. What LLVM leaves undefined is divided by 1 instead.
static LLVMValueRef nvptx_arith_divide(NvEmit *e, const IrNode *node,
                                       LLVMValueRef a, LLVMValueRef b) {
  bool is_signed = node->op == IR_SDIV || node->op == IR_SREM;
  bool is_remainder = node->op == IR_SREM || node->op == IR_UREM;
  int64_t lowest = INT64_MIN >> (64 - ir_type_bits(node->type));
  LLVMValueRef zero =
      LLVMBuildICmp(e->b, LLVMIntEQ, b, nvptx_arith_int_like(b, 0), NV_NAME);
  LLVMValueRef is_bad = zero;
  if (is_signed) {
    LLVMValueRef down =
        LLVMBuildICmp(e->b, LLVMIntEQ, b, nvptx_arith_int_like(b, -1), NV_NAME);
    LLVMValueRef low = LLVMBuildICmp(e->b, LLVMIntEQ, a,
                                     nvptx_arith_int_like(a, lowest), NV_NAME);
    is_bad = LLVMBuildOr(e->b, zero, LLVMBuildAnd(e->b, down, low, NV_NAME),
                         NV_NAME);
  }
  LLVMValueRef by =
      LLVMBuildSelect(e->b, is_bad, nvptx_arith_int_like(b, 1), b, NV_NAME);
  LLVMValueRef v;
  if (is_signed)
    v = is_remainder ? LLVMBuildSRem(e->b, a, by, NV_NAME)
                     : LLVMBuildSDiv(e->b, a, by, NV_NAME);
  else
    v = is_remainder ? LLVMBuildURem(e->b, a, by, NV_NAME)
                     : LLVMBuildUDiv(e->b, a, by, NV_NAME);
  return LLVMBuildSelect(
      e->b, zero, is_remainder ? a : nvptx_arith_int_like(a, -1), v, NV_NAME);
}

// ---------------------------------------------------------------- integers

// Shift counts are taken modulo the width.
static LLVMValueRef nvptx_arith_shift_count(NvEmit *e, const IrNode *node,
                                            LLVMValueRef count) {
  int64_t width = ir_type_bits(node->type);
  return LLVMBuildAnd(e->b, count, nvptx_arith_int_like(count, width - 1),
                      NV_NAME);
}

static LLVMValueRef nvptx_arith_high_product(NvEmit *e, const IrNode *node,
                                             LLVMValueRef a, LLVMValueRef b) {
  bool is_signed = node->op == IR_SMULH;
  unsigned width = ir_type_bits(node->type);
  LLVMTypeRef narrow = LLVMTypeOf(a);
  LLVMTypeRef wide = LLVMIntTypeInContext(e->cx, 2 * width);
  a = LLVMBuildIntCast2(e->b, a, wide, is_signed, NV_NAME);
  b = LLVMBuildIntCast2(e->b, b, wide, is_signed, NV_NAME);
  LLVMValueRef product = LLVMBuildMul(e->b, a, b, NV_NAME);
  product = LLVMBuildLShr(e->b, product, LLVMConstInt(wide, width, 0), NV_NAME);
  return LLVMBuildTrunc(e->b, product, narrow, NV_NAME);
}

static LLVMValueRef with_flag(NvEmit *e, const char *name, LLVMValueRef v) {
  LLVMValueRef args[2] = {v, LLVMConstInt(e->i1, 0, 0)};
  return nvptx_arith_overloaded(e, name, args, 2);
}

// Zeros at the end. LLVM would branch for a value of 0, where PTX's count of
// leading zeros gives the width; narrow values get a bit behind their last.
static LLVMValueRef nvptx_arith_trailing_zeros(NvEmit *e, IrType type,
                                               LLVMValueRef v) {
  uint32_t width = ir_type_bits(type);
  if (LLVMIsConstant(v))
    return with_flag(e, "llvm.cttz", v);
  if (width < 32) {
    v = LLVMBuildZExt(e->b, v, e->i32, NV_NAME);
    v = LLVMBuildOr(e->b, v, nv_i32(e, INT64_C(1) << width), NV_NAME);
    LLVMValueRef args[2] = {v, LLVMConstInt(e->i1, 1, 0)};
    v = nvptx_arith_overloaded(e, "llvm.cttz", args, 2);
    return LLVMBuildTrunc(e->b, v, nv_scalar_type(e, type), NV_NAME);
  }
  if (width == 32)
    return nv_asm(e, e->i32, "{ .reg .b32 t; brev.b32 t, $1; clz.b32 $0, t; }",
                  "=r,r", &v, 1, false);
  v = nv_asm(e, e->i32, "{ .reg .b64 t; brev.b64 t, $1; clz.b64 $0, t; }",
             "=r,l", &v, 1, false);
  return LLVMBuildZExt(e->b, v, e->i64, NV_NAME);
}

static LLVMValueRef nvptx_arith_rotate(NvEmit *e, const char *name,
                                       LLVMValueRef v, LLVMValueRef count) {
  LLVMValueRef args[3] = {v, v, count};
  return nvptx_arith_overloaded(e, name, args, 3);
}

static LLVMValueRef nvptx_arith_integer_op(NvEmit *e, const IrNode *node,
                                           LLVMValueRef *x) {
  LLVMBuilderRef b = e->b;
  switch (ir_arithmetic_op(node->op)) {
  case IR_ADD:
    return nvptx_arith_wrap(node, LLVMBuildAdd(b, x[0], x[1], NV_NAME));
  case IR_SUB:
    return nvptx_arith_wrap(node, LLVMBuildSub(b, x[0], x[1], NV_NAME));
  case IR_MUL:
    return nvptx_arith_wrap(node, LLVMBuildMul(b, x[0], x[1], NV_NAME));
  case IR_NEG: return nvptx_arith_wrap(node, LLVMBuildNeg(b, x[0], NV_NAME));
  case IR_SDIV:
  case IR_UDIV:
  case IR_SREM:
  case IR_UREM: return nvptx_arith_divide(e, node, x[0], x[1]);
  case IR_AND: return LLVMBuildAnd(b, x[0], x[1], NV_NAME);
  case IR_OR: return LLVMBuildOr(b, x[0], x[1], NV_NAME);
  case IR_XOR: return LLVMBuildXor(b, x[0], x[1], NV_NAME);
  case IR_NOT: return LLVMBuildNot(b, x[0], NV_NAME);
  case IR_SHL:
    return LLVMBuildShl(b, x[0], nvptx_arith_shift_count(e, node, x[1]),
                        NV_NAME);
  case IR_LSHR:
    return LLVMBuildLShr(b, x[0], nvptx_arith_shift_count(e, node, x[1]),
                         NV_NAME);
  case IR_ASHR:
    return LLVMBuildAShr(b, x[0], nvptx_arith_shift_count(e, node, x[1]),
                         NV_NAME);
  case IR_ROTL: return nvptx_arith_rotate(e, "llvm.fshl", x[0], x[1]);
  case IR_ROTR: return nvptx_arith_rotate(e, "llvm.fshr", x[0], x[1]);
  case IR_SMIN: return nvptx_arith_overloaded(e, "llvm.smin", x, 2);
  case IR_SMAX: return nvptx_arith_overloaded(e, "llvm.smax", x, 2);
  case IR_UMIN: return nvptx_arith_overloaded(e, "llvm.umin", x, 2);
  case IR_UMAX: return nvptx_arith_overloaded(e, "llvm.umax", x, 2);
  case IR_SMULH:
  case IR_UMULH: return nvptx_arith_high_product(e, node, x[0], x[1]);
  case IR_SABS: return with_flag(e, "llvm.abs", x[0]);
  case IR_CLZ: return with_flag(e, "llvm.ctlz", x[0]);
  case IR_CTZ: return nvptx_arith_trailing_zeros(e, node->type, x[0]);
  case IR_POPCOUNT: return nvptx_arith_overloaded(e, "llvm.ctpop", x, 1);
  case IR_BITREVERSE: return nvptx_arith_overloaded(e, "llvm.bitreverse", x, 1);
  case IR_BYTESWAP:
    return node->type.kind == IR_TYPE_I8
               ? x[0]
               : nvptx_arith_overloaded(e, "llvm.bswap", x, 1);
  case IR_FDIV:
  case IR_FMIN:
  case IR_FMAX:
  case IR_FABS:
  case IR_FMA: break;
  }
  HD_PANIC("'%s' is no integer operation", ir_op_info(node)->text);
}

// ------------------------------------------------------------------ floats

static LLVMValueRef nvptx_arith_float_op(NvEmit *e, const IrNode *node,
                                         LLVMValueRef *x) {
  LLVMBuilderRef b = e->b;
  switch (ir_arithmetic_op(node->op)) {
  case IR_ADD: return LLVMBuildFAdd(b, x[0], x[1], NV_NAME);
  case IR_SUB: return LLVMBuildFSub(b, x[0], x[1], NV_NAME);
  case IR_MUL: return LLVMBuildFMul(b, x[0], x[1], NV_NAME);
  case IR_FDIV: return LLVMBuildFDiv(b, x[0], x[1], NV_NAME);
  case IR_FMIN: return nvptx_arith_overloaded(e, "llvm.minimumnum", x, 2);
  case IR_FMAX: return nvptx_arith_overloaded(e, "llvm.maximumnum", x, 2);
  case IR_FMA: return nvptx_arith_overloaded(e, "llvm.fma", x, 3);
  case IR_NEG: return LLVMBuildFNeg(b, x[0], NV_NAME);
  case IR_FABS: return nvptx_arith_overloaded(e, "llvm.fabs", x, 1);
  case IR_SDIV:
  case IR_UDIV:
  case IR_SREM:
  case IR_UREM:
  case IR_AND:
  case IR_OR:
  case IR_XOR:
  case IR_SHL:
  case IR_LSHR:
  case IR_ASHR:
  case IR_ROTL:
  case IR_ROTR:
  case IR_SMIN:
  case IR_SMAX:
  case IR_UMIN:
  case IR_UMAX:
  case IR_SMULH:
  case IR_UMULH:
  case IR_NOT:
  case IR_SABS:
  case IR_CLZ:
  case IR_CTZ:
  case IR_POPCOUNT:
  case IR_BITREVERSE:
  case IR_BYTESWAP: break;
  }
  HD_PANIC("'%s' is no operation of floats", ir_op_info(node)->text);
}

// A quotient of 16-bit floats is that of floats rounded again: float holds it
// well enough that rounding twice can't differ.
static LLVMValueRef narrow_quotient(NvEmit *e, const IrNode *node,
                                    LLVMValueRef *x) {
  LLVMTypeRef type = LLVMTypeOf(x[0]);
  LLVMValueRef wide[2];
  for (int i = 0; i < 2; i++)
    wide[i] = LLVMBuildFPExt(e->b, x[i], e->f32, NV_NAME);
  LLVMValueRef v =
      with_fast_flags(node, LLVMBuildFDiv(e->b, wide[0], wide[1], NV_NAME));
  return LLVMBuildFPTrunc(e->b, v, type, NV_NAME);
}

void nv_emit_arith(NvEmit *e, const IrNode *node) {
  LLVMValueRef x[4], v;
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = nv_arg(e, node, i);
  if (!ir_type_is_float(node->type))
    v = nvptx_arith_integer_op(e, node, x);
  else if (node->op == IR_FDIV && nvptx_arith_is_narrow_float(node->type))
    v = narrow_quotient(e, node, x);
  else
    v = with_fast_flags(node, nvptx_arith_float_op(e, node, x));
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
    return nvptx_arith_overloaded(e, is_real ? "llvm.minimumnum" : "llvm.smin",
                                  x, 2);
  case RMW_SMAX:
    return nvptx_arith_overloaded(e, is_real ? "llvm.maximumnum" : "llvm.smax",
                                  x, 2);
  case RMW_UMIN:
    return nvptx_arith_overloaded(e, is_real ? "llvm.minimumnum" : "llvm.umin",
                                  x, 2);
  case RMW_UMAX:
    return nvptx_arith_overloaded(e, is_real ? "llvm.maximumnum" : "llvm.umax",
                                  x, 2);
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

static LLVMValueRef nvptx_arith_classify(NvEmit *e, IrOp op, IrType type,
                                         LLVMValueRef v) {
  LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, ir_type_bits(type));
  if (op == IR_SIGNBIT)
    return LLVMBuildICmp(e->b, LLVMIntSLT,
                         LLVMBuildBitCast(e->b, v, bits, NV_NAME),
                         LLVMConstNull(bits), NV_NAME);
  if (op == IR_ISNAN)
    return LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, NV_NAME);
  LLVMValueRef magnitude = nvptx_arith_overloaded(e, "llvm.fabs", &v, 1);
  LLVMValueRef infinity = LLVMConstReal(LLVMTypeOf(v), __builtin_inf());
  return LLVMBuildFCmp(e->b, op == IR_ISINF ? LLVMRealOEQ : LLVMRealOLT,
                       magnitude, infinity, NV_NAME);
}

void nv_emit_compare(NvEmit *e, const IrNode *node) {
  IrType type = node->args[0]->type;
  LLVMValueRef v, a = nv_arg(e, node, 0);
  if (node->n_args == 1)
    v = nvptx_arith_classify(e, node->op, type, a);
  else if (ir_type_is_float(type))
    v = LLVMBuildFCmp(e->b, llvm_real_predicate(node->op), a,
                      nv_arg(e, node, 1), NV_NAME);
  else
    v = LLVMBuildICmp(e->b, llvm_int_predicate(node->op), a, nv_arg(e, node, 1),
                      NV_NAME);
  nv_set_value(e, node, 0, v);
}
