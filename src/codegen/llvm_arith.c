// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_arith.h"

#include "base/panic.h"
#include <string.h>

#define NO_NAME ""

static LLVMTypeRef scalar_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type)
                                                     : type;
}

LLVMValueRef llvm_fill(LLVMTypeRef type, LLVMValueRef constant) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return constant;
  LLVMValueRef elements[LLVM_MOST_LANES];
  unsigned n = LLVMGetVectorSize(type);
  HD_ASSERT(n <= LLVM_MOST_LANES && LLVMIsConstant(constant));
  for (unsigned i = 0; i < n; i++)
    elements[i] = constant;
  return LLVMConstVector(elements, n);
}

LLVMValueRef llvm_int_like(LLVMValueRef like, int64_t value) {
  LLVMTypeRef type = LLVMTypeOf(like);
  return llvm_fill(type, LLVMConstInt(scalar_of(type), (uint64_t)value, 1));
}

LLVMTypeRef llvm_type_like(LLVMTypeRef shape, LLVMTypeRef scalar) {
  if (LLVMGetTypeKind(shape) != LLVMVectorTypeKind)
    return scalar;
  return LLVMVectorType(scalar, LLVMGetVectorSize(shape));
}

// ------------------------------------------------------------------- lanes

enum { MOST_JOINED = 2048 };

static LLVMValueRef arith_picks(LLVMValueRef v, uint32_t first, uint32_t n,
                                uint32_t end) {
  HD_ASSERT(n > 0 && n <= MOST_JOINED);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
  LLVMValueRef picks[MOST_JOINED];
  for (uint32_t i = 0; i < n; i++)
    picks[i] =
        first + i < end ? LLVMConstInt(i32, first + i, 0) : LLVMGetPoison(i32);
  return LLVMConstVector(picks, n);
}

LLVMValueRef llvm_lanes(LLVMBuilderRef b, LLVMValueRef v, uint32_t first,
                        uint32_t n) {
  LLVMTypeRef type = LLVMTypeOf(v);
  return LLVMBuildShuffleVector(
      b, v, LLVMGetPoison(type),
      arith_picks(v, first, n, LLVMGetVectorSize(type)), NO_NAME);
}

LLVMValueRef llvm_join(LLVMBuilderRef b, const LLVMValueRef *parts,
                       uint32_t n) {
  HD_ASSERT(n > 0);
  if (n == 1)
    return parts[0];
  uint32_t half = (n + 1) / 2;
  LLVMValueRef low = llvm_join(b, parts, half);
  LLVMValueRef high = llvm_join(b, parts + half, n - half);
  uint32_t n_low = LLVMGetVectorSize(LLVMTypeOf(low));
  uint32_t n_high = LLVMGetVectorSize(LLVMTypeOf(high));
  if (n_high < n_low)
    high = llvm_lanes(b, high, 0, n_low);
  uint32_t all = n_low + n_high;
  return LLVMBuildShuffleVector(b, low, high, arith_picks(low, 0, all, all),
                                NO_NAME);
}

// -------------------------------------------------------------- intrinsics

LLVMValueRef llvm_intrinsic(LLVMBuilderRef b, const char *name,
                            const LLVMTypeRef *overloads, unsigned n_overloads,
                            LLVMValueRef *args, unsigned n_args) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMTypeRef types[4];
  if (id == 0)
    HD_PANIC("LLVM has no intrinsic %s", name);
  HD_ASSERT(n_overloads <= sizeof types / sizeof types[0]);
  if (n_overloads > 0)
    memcpy(types, overloads, n_overloads * sizeof *overloads);
  LLVMModuleRef module =
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
  LLVMValueRef callee =
      LLVMGetIntrinsicDeclaration(module, id, types, n_overloads);
  LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id,
                                          types, n_overloads);
  return LLVMBuildCall2(b, type, callee, args, n_args, NO_NAME);
}

LLVMValueRef llvm_overloaded(LLVMBuilderRef b, const char *name,
                             LLVMValueRef *args, unsigned n_args) {
  LLVMTypeRef type = LLVMTypeOf(args[0]);
  return llvm_intrinsic(b, name, &type, 1, args, n_args);
}

// Of those whose second operand, false, leaves nothing undefined.
static LLVMValueRef defined_op(LLVMBuilderRef b, const char *name,
                               LLVMValueRef v) {
  LLVMTypeRef flag = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
  LLVMValueRef args[2] = {v, LLVMConstInt(flag, 0, 0)};
  return llvm_overloaded(b, name, args, 2);
}

// ---------------------------------------------------------------- integers

static LLVMValueRef mark_wrap(const IrNode *node, LLVMValueRef v,
                              bool trusts_wrap) {
  uint32_t known = node->flags & (NODE_NO_SIGNED_WRAP | NODE_SPECULATIVE);
  if (known == NODE_NO_SIGNED_WRAP && trusts_wrap && LLVMIsAInstruction(v))
    LLVMSetNSW(v, 1);
  return v;
}

// Shift counts are taken modulo the width.
static LLVMValueRef masked_count(LLVMBuilderRef b, const IrNode *node,
                                 LLVMValueRef count) {
  int64_t width = ir_type_bits(node->type);
  return LLVMBuildAnd(b, count, llvm_int_like(count, width - 1), NO_NAME);
}

static LLVMValueRef upper_product(LLVMBuilderRef b, const IrNode *node,
                                  LLVMValueRef *x) {
  bool is_signed = node->op == IR_SMULH;
  unsigned width = ir_type_bits(node->type);
  LLVMTypeRef narrow = LLVMTypeOf(x[0]);
  LLVMTypeRef wide = llvm_type_like(
      narrow, LLVMIntTypeInContext(LLVMGetTypeContext(narrow), 2 * width));
  LLVMValueRef left = LLVMBuildIntCast2(b, x[0], wide, is_signed, NO_NAME);
  LLVMValueRef right = LLVMBuildIntCast2(b, x[1], wide, is_signed, NO_NAME);
  LLVMValueRef product = LLVMBuildMul(b, left, right, NO_NAME);
  product = LLVMBuildLShr(b, product, llvm_int_like(product, width), NO_NAME);
  return LLVMBuildTrunc(b, product, narrow, NO_NAME);
}

static LLVMValueRef funnel_shift(LLVMBuilderRef b, const char *name,
                                 LLVMValueRef *x) {
  LLVMValueRef args[3] = {x[0], x[0], x[1]};
  return llvm_overloaded(b, name, args, 3);
}

// x[0] and the products of the parts of x[1] and x[2], as the row says.
static LLVMValueRef arith_dot(LLVMBuilderRef b, IrOp op, LLVMValueRef *x) {
  LLVMValueRef sum = x[0];
  int64_t bits = op == IR_DOT2 ? 16 : 8;
  for (int64_t at = 0; at < 32; at += bits) {
    LLVMValueRef up = llvm_int_like(sum, 32 - bits - at);
    LLVMValueRef down = llvm_int_like(sum, 32 - bits);
    LLVMValueRef left = LLVMBuildShl(b, x[1], up, NO_NAME);
    LLVMValueRef right = LLVMBuildShl(b, x[2], up, NO_NAME);
    left = op == IR_DOT4 || op == IR_DOT4_U
               ? LLVMBuildLShr(b, left, down, NO_NAME)
               : LLVMBuildAShr(b, left, down, NO_NAME);
    right = op == IR_DOT4_U ? LLVMBuildLShr(b, right, down, NO_NAME)
                            : LLVMBuildAShr(b, right, down, NO_NAME);
    sum = LLVMBuildAdd(b, sum, LLVMBuildMul(b, left, right, NO_NAME), NO_NAME);
  }
  return sum;
}

// Likewise, of halves that are the upper ones of floats.
static LLVMValueRef arith_float_dot(LLVMBuilderRef b, LLVMValueRef *x) {
  LLVMTypeRef type = LLVMTypeOf(x[0]);
  LLVMValueRef sum = x[0];
  for (int i = 0; i < 2; i++) {
    LLVMValueRef args[3] = {NULL, NULL, sum};
    for (int k = 0; k < 2; k++) {
      LLVMValueRef word = x[k + 1];
      word = i == 0
                 ? LLVMBuildShl(b, word, llvm_int_like(word, 16), NO_NAME)
                 : LLVMBuildAnd(b, word, llvm_int_like(word, -65536), NO_NAME);
      args[k] = LLVMBuildBitCast(b, word, type, NO_NAME);
    }
    sum = llvm_overloaded(b, "llvm.fma", args, 3);
  }
  return sum;
}

LLVMValueRef llvm_integer_op(LLVMBuilderRef b, const IrNode *node,
                             LLVMValueRef *x, bool trusts_wrap) {
  switch (ir_arithmetic_op(node->op)) {
  case IR_ADD:
    return mark_wrap(node, LLVMBuildAdd(b, x[0], x[1], NO_NAME), trusts_wrap);
  case IR_SUB:
    return mark_wrap(node, LLVMBuildSub(b, x[0], x[1], NO_NAME), trusts_wrap);
  case IR_MUL:
    return mark_wrap(node, LLVMBuildMul(b, x[0], x[1], NO_NAME), trusts_wrap);
  case IR_NEG:
    return mark_wrap(node, LLVMBuildNeg(b, x[0], NO_NAME), trusts_wrap);
  case IR_AND: return LLVMBuildAnd(b, x[0], x[1], NO_NAME);
  case IR_OR: return LLVMBuildOr(b, x[0], x[1], NO_NAME);
  case IR_XOR: return LLVMBuildXor(b, x[0], x[1], NO_NAME);
  case IR_NOT: return LLVMBuildNot(b, x[0], NO_NAME);
  case IR_SHL:
    return LLVMBuildShl(b, x[0], masked_count(b, node, x[1]), NO_NAME);
  case IR_LSHR:
    return LLVMBuildLShr(b, x[0], masked_count(b, node, x[1]), NO_NAME);
  case IR_ASHR:
    return LLVMBuildAShr(b, x[0], masked_count(b, node, x[1]), NO_NAME);
  case IR_ROTL: return funnel_shift(b, "llvm.fshl", x);
  case IR_ROTR: return funnel_shift(b, "llvm.fshr", x);
  case IR_SMIN: return llvm_overloaded(b, "llvm.smin", x, 2);
  case IR_SMAX: return llvm_overloaded(b, "llvm.smax", x, 2);
  case IR_UMIN: return llvm_overloaded(b, "llvm.umin", x, 2);
  case IR_UMAX: return llvm_overloaded(b, "llvm.umax", x, 2);
  case IR_SMULH:
  case IR_UMULH: return upper_product(b, node, x);
  case IR_SABS: return defined_op(b, "llvm.abs", x[0]);
  case IR_CLZ: return defined_op(b, "llvm.ctlz", x[0]);
  case IR_CTZ: return defined_op(b, "llvm.cttz", x[0]);
  case IR_POPCOUNT: return llvm_overloaded(b, "llvm.ctpop", x, 1);
  case IR_BITREVERSE: return llvm_overloaded(b, "llvm.bitreverse", x, 1);
  case IR_BYTESWAP:
    return node->type.kind == IR_TYPE_I8
               ? x[0]
               : llvm_overloaded(b, "llvm.bswap", x, 1);
  case IR_SDIV:
  case IR_UDIV:
  case IR_SREM:
  case IR_UREM:
  case IR_FDIV:
  case IR_FMIN:
  case IR_FMAX:
  case IR_FABS:
  case IR_FMA:
  case IR_FDOT2: break;
  case IR_DOT4:
  case IR_DOT4_S:
  case IR_DOT4_U:
  case IR_DOT2: return arith_dot(b, node->op, x);
  }
  HD_PANIC("'%s' is not an integer operation", ir_op_info(node)->text);
}

// ------------------------------------------------------------------ floats

LLVMValueRef llvm_float_op(LLVMBuilderRef b, const IrNode *node,
                           LLVMValueRef *x) {
  switch (ir_arithmetic_op(node->op)) {
  case IR_ADD: return LLVMBuildFAdd(b, x[0], x[1], NO_NAME);
  case IR_SUB: return LLVMBuildFSub(b, x[0], x[1], NO_NAME);
  case IR_MUL: return LLVMBuildFMul(b, x[0], x[1], NO_NAME);
  case IR_FDIV: return LLVMBuildFDiv(b, x[0], x[1], NO_NAME);
  case IR_FMIN: return llvm_overloaded(b, "llvm.minimumnum", x, 2);
  case IR_FMAX: return llvm_overloaded(b, "llvm.maximumnum", x, 2);
  case IR_FMA: return llvm_overloaded(b, "llvm.fma", x, 3);
  case IR_NEG: return LLVMBuildFNeg(b, x[0], NO_NAME);
  case IR_FABS: return llvm_overloaded(b, "llvm.fabs", x, 1);
  case IR_FDOT2: return arith_float_dot(b, x);
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
  case IR_BYTESWAP:
  case IR_DOT4:
  case IR_DOT4_S:
  case IR_DOT4_U:
  case IR_DOT2: break;
  }
  HD_PANIC("'%s' is not an operation of floats", ir_op_info(node)->text);
}

LLVMValueRef llvm_with_fast_flags(const IrNode *node, LLVMValueRef v) {
  const LLVMFastMathFlags kept = LLVMFastMathNoNaNs | LLVMFastMathNoInfs;
  if ((node->flags & NODE_FAST_MATH) != 0 && LLVMIsAInstruction(v) &&
      LLVMCanValueUseFastMathFlags(v))
    LLVMSetFastMathFlags(v, LLVMFastMathAll & ~kept);
  return v;
}

static unsigned float_width(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(scalar_of(type))) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind: return 16;
  case LLVMFloatTypeKind: return 32;
  case LLVMDoubleTypeKind: return 64;
  default: HD_PANIC("classes are of floats");
  }
}

// By the order of the bits.
LLVMValueRef llvm_classify(LLVMBuilderRef b, IrOp op, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMTypeRef bits = llvm_type_like(
      type, LLVMIntTypeInContext(LLVMGetTypeContext(type), float_width(type)));
  if (op == IR_SIGNBIT)
    return LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildBitCast(b, v, bits, NO_NAME),
                         LLVMConstNull(bits), NO_NAME);
  if (op == IR_ISNAN)
    return LLVMBuildFCmp(b, LLVMRealUNO, v, v, NO_NAME);
  LLVMValueRef magnitude = llvm_overloaded(b, "llvm.fabs", &v, 1);
  LLVMValueRef infinity =
      llvm_fill(type, LLVMConstReal(scalar_of(type), __builtin_inf()));
  return LLVMBuildFCmp(b, op == IR_ISINF ? LLVMRealOEQ : LLVMRealOLT, magnitude,
                       infinity, NO_NAME);
}
