// SPDX-License-Identifier: Apache-2.0
// Conversions, each rounded once. Where the machine would round twice, the
// first result is rounded to odd: what is cut off leaves its mark in the last
// bit, so that rounding again can't go wrong.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

static LLVMValueRef call1(NvEmit *e, const char *name, LLVMValueRef v) {
  return nv_intrinsic(e, name, NULL, 0, &v, 1);
}

// `near_zero` is a float rounded towards zero; is_inexact: it isn't the value.
static LLVMValueRef mark_odd(NvEmit *e, LLVMValueRef near_zero,
                             LLVMValueRef is_inexact) {
  LLVMValueRef bits = LLVMBuildBitCast(e->b, near_zero, e->i32, NV_NAME);
  LLVMValueRef mark = LLVMBuildZExt(e->b, is_inexact, e->i32, NV_NAME);
  bits = LLVMBuildOr(e->b, bits, mark, NV_NAME);
  return LLVMBuildBitCast(e->b, bits, e->f32, NV_NAME);
}

static LLVMValueRef double_to_odd(NvEmit *e, LLVMValueRef v) {
  LLVMValueRef near_zero = call1(e, "llvm.nvvm.d2f.rz", v);
  LLVMValueRef back = LLVMBuildFPExt(e->b, near_zero, e->f64, NV_NAME);
  return mark_odd(e, near_zero,
                  LLVMBuildFCmp(e->b, LLVMRealONE, back, v, NV_NAME));
}

static LLVMValueRef int_to_odd(NvEmit *e, bool is_signed, LLVMValueRef v) {
  bool is_long = LLVMTypeOf(v) == e->i64;
  const char *name =
      is_long ? (is_signed ? "llvm.nvvm.ll2f.rz" : "llvm.nvvm.ull2f.rz")
              : (is_signed ? "llvm.nvvm.i2f.rz" : "llvm.nvvm.ui2f.rz");
  const char *inverse =
      is_long ? (is_signed ? "llvm.nvvm.f2ll.rz" : "llvm.nvvm.f2ull.rz")
              : (is_signed ? "llvm.nvvm.f2i.rz" : "llvm.nvvm.f2ui.rz");
  LLVMValueRef near_zero = call1(e, name, v);
  LLVMValueRef back = call1(e, inverse, near_zero);
  return mark_odd(e, near_zero,
                  LLVMBuildICmp(e->b, LLVMIntNE, back, v, NV_NAME));
}

// -------------------------------------------------------------------- fp8

static bool nvptx_convert_is_fp8(IrTypeKind kind) {
  return kind == IR_TYPE_E4M3 || kind == IR_TYPE_E5M2;
}

// The bits of an fp8 placed in a half have its value, but for the exponent's
// bias: e5m2 is the upper half of one; e4m3 times 2^8, and its NaN.
static LLVMValueRef widen_fp8(NvEmit *e, IrTypeKind kind, LLVMValueRef v) {
  LLVMValueRef bits = LLVMBuildZExt(e->b, v, e->i16, NV_NAME);
  if (kind == IR_TYPE_E5M2) {
    bits = LLVMBuildShl(e->b, bits, LLVMConstInt(e->i16, 8, 0), NV_NAME);
    LLVMValueRef half = LLVMBuildBitCast(e->b, bits, e->f16, NV_NAME);
    return LLVMBuildFPExt(e->b, half, e->f32, NV_NAME);
  }
  LLVMValueRef low =
      LLVMBuildAnd(e->b, bits, LLVMConstInt(e->i16, 0x7f, 0), NV_NAME);
  LLVMValueRef is_nan = LLVMBuildICmp(e->b, LLVMIntEQ, low,
                                      LLVMConstInt(e->i16, 0x7f, 0), NV_NAME);
  LLVMValueRef sign = LLVMBuildShl(e->b, LLVMBuildXor(e->b, bits, low, NV_NAME),
                                   LLVMConstInt(e->i16, 8, 0), NV_NAME);
  low = LLVMBuildShl(e->b, low, LLVMConstInt(e->i16, 7, 0), NV_NAME);
  bits = LLVMBuildOr(e->b, sign, low, NV_NAME);
  LLVMValueRef half = LLVMBuildBitCast(e->b, bits, e->f16, NV_NAME);
  LLVMValueRef wide = LLVMBuildFPExt(e->b, half, e->f32, NV_NAME);
  wide = LLVMBuildFMul(e->b, wide, LLVMConstReal(e->f32, 256.0), NV_NAME);
  LLVMValueRef nan = LLVMConstReal(e->f32, __builtin_nan(""));
  return LLVMBuildSelect(e->b, is_nan, nan, wide, NV_NAME);
}

// Rounds the magnitude of a float to the format, to nearest even; beyond its
// largest number stays that.
//   normal    subtract the bias difference in the exponent, round the bits
//   subnormal add 2^k such that its last place is the format's, and take the
//             low bits of the sum: the addition rounds
static LLVMValueRef round_to_fp8(NvEmit *e, IrTypeKind kind,
                                 LLVMValueRef magnitude) {
  uint32_t mantissa = kind == IR_TYPE_E4M3 ? 3 : 2;
  uint32_t bias = kind == IR_TYPE_E4M3 ? 7 : 15, cut = 23 - mantissa;
  uint32_t largest = kind == IR_TYPE_E4M3 ? 0x7e : 0x7b;
  LLVMBuilderRef b = e->b;
  LLVMValueRef odd =
      LLVMBuildAnd(b, LLVMBuildLShr(b, magnitude, nv_i32(e, cut), NV_NAME),
                   nv_i32(e, 1), NV_NAME);
  int64_t shift = (1 << (cut - 1)) - 1 - ((int64_t)(127 - bias) << 23);
  LLVMValueRef normal = LLVMBuildAdd(b, magnitude, nv_i32(e, shift), NV_NAME);
  normal = LLVMBuildLShr(b, LLVMBuildAdd(b, normal, odd, NV_NAME),
                         nv_i32(e, cut), NV_NAME);
  LLVMValueRef anchor =
      nv_i32(e, (int64_t)(127 + 1 - bias - mantissa + 23) << 23);
  LLVMValueRef sum =
      LLVMBuildFAdd(b, LLVMBuildBitCast(b, magnitude, e->f32, NV_NAME),
                    LLVMConstBitCast(anchor, e->f32), NV_NAME);
  LLVMValueRef small = LLVMBuildSub(
      b, LLVMBuildBitCast(b, sum, e->i32, NV_NAME), anchor, NV_NAME);
  LLVMValueRef is_small =
      LLVMBuildICmp(b, LLVMIntULT, magnitude,
                    nv_i32(e, (int64_t)(127 + 1 - bias) << 23), NV_NAME);
  LLVMValueRef rounded = LLVMBuildSelect(b, is_small, small, normal, NV_NAME);
  LLVMValueRef limits[2] = {rounded, nv_i32(e, largest)};
  return nv_intrinsic(e, "llvm.umin", &e->i32, 1, limits, 2);
}

static LLVMValueRef narrow_fp8(NvEmit *e, IrTypeKind kind, LLVMValueRef v) {
  LLVMBuilderRef b = e->b;
  LLVMValueRef bits = LLVMBuildBitCast(b, v, e->i32, NV_NAME);
  LLVMValueRef magnitude =
      LLVMBuildAnd(b, bits, nv_i32(e, 0x7fffffff), NV_NAME);
  LLVMValueRef sign =
      LLVMBuildAnd(b, LLVMBuildLShr(b, bits, nv_i32(e, 24), NV_NAME),
                   nv_i32(e, 0x80), NV_NAME);
  LLVMValueRef rounded = round_to_fp8(e, kind, magnitude);
  LLVMValueRef is_nan =
      LLVMBuildICmp(b, LLVMIntUGT, magnitude, nv_i32(e, 0x7f800000), NV_NAME);
  LLVMValueRef nan = nv_i32(e, kind == IR_TYPE_E4M3 ? 0x7f : 0x7e);
  rounded = LLVMBuildSelect(b, is_nan, nan, rounded, NV_NAME);
  return LLVMBuildTrunc(b, LLVMBuildOr(b, rounded, sign, NV_NAME), e->i8,
                        NV_NAME);
}

// ------------------------------------------------------------ conversions

static LLVMValueRef nvptx_convert_float_to_float(NvEmit *e, IrTypeKind from,
                                                 IrType to, LLVMValueRef v) {
  IrTypeKind kind = (IrTypeKind)to.kind;
  LLVMTypeRef type = nv_scalar_type(e, to);
  if (from == kind)
    return v;
  if (nvptx_convert_is_fp8(from)) {
    v = widen_fp8(e, from, v);
    from = IR_TYPE_F32;
  }
  bool is_twice = from == IR_TYPE_F64 &&
                  (nvptx_convert_is_fp8(kind) || kind == IR_TYPE_BF16);
  if (is_twice || (nvptx_convert_is_fp8(kind) && from != IR_TYPE_F32)) {
    v = is_twice ? double_to_odd(e, v)
                 : LLVMBuildFPExt(e->b, v, e->f32, NV_NAME);
    from = IR_TYPE_F32;
  }
  if (nvptx_convert_is_fp8(kind))
    return narrow_fp8(e, kind, v);
  bool is_16 = from == IR_TYPE_F16 || from == IR_TYPE_BF16;
  if (is_16 && (kind == IR_TYPE_F16 || kind == IR_TYPE_BF16))
    v = LLVMBuildFPExt(e->b, v, e->f32, NV_NAME);
  return LLVMBuildFPCast(e->b, v, type, NV_NAME);
}

static LLVMValueRef nvptx_convert_int_to_float(NvEmit *e, bool is_signed,
                                               IrType from, IrType to,
                                               LLVMValueRef v) {
  LLVMTypeRef type = nv_scalar_type(e, to);
  uint32_t bits = ir_type_bits(from);
  if (to.kind == IR_TYPE_BF16 && bits > 16) {
    v = int_to_odd(e, is_signed, v);
    return LLVMBuildFPTrunc(e->b, v, type, NV_NAME);
  }
  if (to.kind == IR_TYPE_BF16) {
    v = is_signed ? LLVMBuildSIToFP(e->b, v, e->f32, NV_NAME)
                  : LLVMBuildUIToFP(e->b, v, e->f32, NV_NAME);
    return LLVMBuildFPTrunc(e->b, v, type, NV_NAME);
  }
  return is_signed ? LLVMBuildSIToFP(e->b, v, type, NV_NAME)
                   : LLVMBuildUIToFP(e->b, v, type, NV_NAME);
}

static LLVMValueRef nvptx_convert_clamp(NvEmit *e, bool is_signed,
                                        uint32_t bits, LLVMValueRef v) {
  if (!is_signed) {
    LLVMValueRef args[2] = {v, nv_i32(e, (1 << bits) - 1)};
    return nv_intrinsic(e, "llvm.umin", &e->i32, 1, args, 2);
  }
  int64_t limit = INT64_C(1) << (bits - 1);
  LLVMValueRef args[2] = {v, nv_i32(e, limit - 1)};
  v = nv_intrinsic(e, "llvm.smin", &e->i32, 1, args, 2);
  LLVMValueRef low[2] = {v, nv_i32(e, -limit)};
  return nv_intrinsic(e, "llvm.smax", &e->i32, 1, low, 2);
}

// PTX's conversions saturate, and give 0 for a NaN but to 64 bits.
static LLVMValueRef nvptx_convert_float_to_int(NvEmit *e, bool is_signed,
                                               IrTypeKind from, IrType to,
                                               LLVMValueRef v) {
  uint32_t bits = ir_type_bits(to);
  if (from != IR_TYPE_F64 && from != IR_TYPE_F32)
    v = LLVMBuildFPExt(e->b, v, e->f32, NV_NAME);
  const char *name = arena_printf(
      e->arena, "llvm.nvvm.%c2%s.rz", from == IR_TYPE_F64 ? 'd' : 'f',
      bits == 64 ? (is_signed ? "ll" : "ull") : (is_signed ? "i" : "ui"));
  LLVMValueRef n = call1(e, name, v);
  if (bits == 64) {
    LLVMValueRef is_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, NV_NAME);
    return LLVMBuildSelect(e->b, is_nan, nv_i64(e, 0), n, NV_NAME);
  }
  if (bits == 32)
    return n;
  return LLVMBuildTrunc(e->b, nvptx_convert_clamp(e, is_signed, bits, n),
                        nv_scalar_type(e, to), NV_NAME);
}

void nv_emit_convert(NvEmit *e, const IrNode *node) {
  IrType from = node->args[0]->type;
  LLVMTypeRef type = nv_scalar_type(e, node->type);
  LLVMValueRef v = nv_arg(e, node, 0);
  switch (ir_convert_op(node->op)) {
  case IR_TRUNC: v = LLVMBuildTrunc(e->b, v, type, NV_NAME); break;
  case IR_ZEXT: v = LLVMBuildZExt(e->b, v, type, NV_NAME); break;
  case IR_SEXT: v = LLVMBuildSExt(e->b, v, type, NV_NAME); break;
  case IR_STOF:
  case IR_UTOF:
    v = nvptx_convert_int_to_float(e, node->op == IR_STOF, from, node->type, v);
    break;
  case IR_FTOS:
  case IR_FTOU:
    v = nvptx_convert_float_to_int(e, node->op == IR_FTOS,
                                   (IrTypeKind)from.kind, node->type, v);
    break;
  case IR_FCAST:
    v = nvptx_convert_float_to_float(e, (IrTypeKind)from.kind, node->type, v);
    break;
  case IR_BITCAST: HD_PANIC("bits are no number"); // emit_bitcast
  }
  nv_set_value(e, node, 0, v);
}
