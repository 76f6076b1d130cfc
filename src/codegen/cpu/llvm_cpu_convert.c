// SPDX-License-Identifier: Apache-2.0
// Conversions. 16- and 8-bit floats are bits; they are widened and rounded
// with integer operations, but for half where the target has instructions.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

#include <string.h>

static LLVMTypeRef cpu_convert_element_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type)
                                                     : type;
}

static LLVMValueRef cpu_convert_int_like(LLVMValueRef like, uint64_t value) {
  LLVMTypeRef type = LLVMTypeOf(like);
  return llvm_fill(type, LLVMConstInt(cpu_convert_element_of(type), value, 0));
}

static LLVMValueRef real_like(LLVMValueRef like, double value) {
  LLVMTypeRef type = LLVMTypeOf(like);
  return llvm_fill(type, LLVMConstReal(cpu_convert_element_of(type), value));
}

static LLVMValueRef cast(CpuEmit *e, LLVMValueRef v, LLVMTypeRef scalar) {
  return LLVMBuildBitCast(e->b, v, llvm_type_like(LLVMTypeOf(v), scalar),
                          CPU_NAME);
}

static LLVMValueRef resize(CpuEmit *e, LLVMValueRef v, LLVMTypeRef scalar) {
  return LLVMBuildIntCast2(e->b, v, llvm_type_like(LLVMTypeOf(v), scalar), 0,
                           CPU_NAME);
}

static LLVMValueRef shl(CpuEmit *e, LLVMValueRef v, unsigned n) {
  return LLVMBuildShl(e->b, v, cpu_convert_int_like(v, n), CPU_NAME);
}

static LLVMValueRef lshr(CpuEmit *e, LLVMValueRef v, unsigned n) {
  return LLVMBuildLShr(e->b, v, cpu_convert_int_like(v, n), CPU_NAME);
}

static LLVMValueRef and_bits(CpuEmit *e, LLVMValueRef v, uint64_t bits) {
  return LLVMBuildAnd(e->b, v, cpu_convert_int_like(v, bits), CPU_NAME);
}

typedef struct {
  unsigned exponent_bits, mantissa_bits;
  bool has_infinity, saturates;
} Format;

static Format cpu_convert_format_of(IrTypeKind kind) {
  switch ((int)kind) {
  case IR_TYPE_F16: return (Format){5, 10, true, false};
  case IR_TYPE_E4M3: return (Format){4, 3, false, true};
  case IR_TYPE_E5M2: return (Format){5, 2, true, true};
  default: return (Format){8, 7, true, false};
  }
}

// --------------------------------------------------------------- widening

// Bits to float: the fields are moved into place and the exponent is
// rescaled by a multiplication, which is exact, subnormals included.
static LLVMValueRef widen_bits(CpuEmit *e, Format f, LLVMValueRef v) {
  unsigned total = 1 + f.exponent_bits + f.mantissa_bits;
  LLVMValueRef bits = resize(e, v, e->i32);
  LLVMValueRef sign = shl(e, and_bits(e, bits, 1u << (total - 1)), 32 - total);
  LLVMValueRef magnitude = and_bits(e, bits, (1u << (total - 1)) - 1);
  LLVMValueRef placed =
      cast(e, shl(e, magnitude, 23 - f.mantissa_bits), e->f32);
  int bias = (1 << (f.exponent_bits - 1)) - 1;
  double factor = 1.0;
  for (int i = bias; i < 127; i++)
    factor *= 2.0;
  LLVMValueRef scaled =
      LLVMBuildFMul(e->b, placed, real_like(placed, factor), CPU_NAME);
  LLVMValueRef wide = cast(e, scaled, e->i32);
  // Infinities and NaNs.
  uint64_t top = (1u << f.exponent_bits) - 1;
  uint64_t limit =
      f.has_infinity ? top << f.mantissa_bits
                     : (top << f.mantissa_bits) + ((1u << f.mantissa_bits) - 1);
  LLVMValueRef is_special =
      LLVMBuildICmp(e->b, LLVMIntUGE, magnitude,
                    cpu_convert_int_like(magnitude, limit), CPU_NAME);
  LLVMValueRef rest = and_bits(e, magnitude, (1u << f.mantissa_bits) - 1);
  LLVMValueRef special =
      LLVMBuildOr(e->b, shl(e, rest, 23 - f.mantissa_bits),
                  cpu_convert_int_like(magnitude, 0x7f800000), CPU_NAME);
  wide = LLVMBuildSelect(e->b, is_special, special, wide, CPU_NAME);
  return cast(e, LLVMBuildOr(e->b, wide, sign, CPU_NAME), e->f32);
}

LLVMValueRef cpu_to_f32(CpuEmit *e, IrTypeKind kind, LLVMValueRef v) {
  if (kind == IR_TYPE_BF16)
    return cast(e, shl(e, resize(e, v, e->i32), 16), e->f32);
  if (kind == IR_TYPE_F16 && e->target->has_f16c)
    return LLVMBuildFPExt(e->b, cast(e, v, e->f16),
                          llvm_type_like(LLVMTypeOf(v), e->f32), CPU_NAME);
  return widen_bits(e, cpu_convert_format_of(kind), v);
}

// -------------------------------------------------------------- narrowing

// Rounds the magnitude of a float to the format, to nearest even.
//   normal    subtract the bias difference in the exponent, round the bits
//   subnormal add 2^k such that its last place is the format's, and take the
//             low bits of the sum: the addition rounds
static LLVMValueRef round_magnitude(CpuEmit *e, Format f, LLVMValueRef bits) {
  unsigned cut = 23 - f.mantissa_bits;
  int bias = (1 << (f.exponent_bits - 1)) - 1;
  LLVMValueRef odd = and_bits(e, lshr(e, bits, cut), 1);
  uint64_t rebias = ((uint64_t)(127 - bias) << 23);
  LLVMValueRef normal =
      LLVMBuildSub(e->b, bits, cpu_convert_int_like(bits, rebias), CPU_NAME);
  normal =
      LLVMBuildAdd(e->b, normal,
                   cpu_convert_int_like(bits, (1u << (cut - 1)) - 1), CPU_NAME);
  normal = lshr(e, LLVMBuildAdd(e->b, normal, odd, CPU_NAME), cut);
  // 2^(1 - bias - mantissa_bits) is the last place; 2^23 times that is added.
  uint64_t magic = (uint64_t)(127 + 1 - bias - (int)f.mantissa_bits + 23) << 23;
  LLVMValueRef anchor = cast(e, cpu_convert_int_like(bits, magic), e->f32);
  LLVMValueRef sum =
      LLVMBuildFAdd(e->b, cast(e, bits, e->f32), anchor, CPU_NAME);
  LLVMValueRef subnormal = LLVMBuildSub(
      e->b, cast(e, sum, e->i32), cpu_convert_int_like(bits, magic), CPU_NAME);
  uint64_t smallest = (uint64_t)(127 + 1 - bias) << 23;
  LLVMValueRef is_small = LLVMBuildICmp(
      e->b, LLVMIntULT, bits, cpu_convert_int_like(bits, smallest), CPU_NAME);
  return LLVMBuildSelect(e->b, is_small, subnormal, normal, CPU_NAME);
}

static LLVMValueRef narrow_bits(CpuEmit *e, Format f, LLVMValueRef v) {
  unsigned total = 1 + f.exponent_bits + f.mantissa_bits;
  LLVMValueRef bits = cast(e, v, e->i32);
  LLVMValueRef magnitude = and_bits(e, bits, 0x7fffffff);
  LLVMValueRef sign = lshr(e, and_bits(e, bits, 0x80000000u), 32 - total);
  LLVMValueRef rounded = round_magnitude(e, f, magnitude);
  uint64_t top = ((1u << f.exponent_bits) - 1) << f.mantissa_bits;
  uint64_t nan = f.has_infinity ? top | 1u << (f.mantissa_bits - 1)
                                : top | ((1u << f.mantissa_bits) - 1);
  uint64_t largest = f.has_infinity ? top - 1 : nan - 1;
  uint64_t overflow = f.saturates ? largest : largest + 1;
  // The comparison is on the float: far too large ones wrap in `rounded`.
  int bias = (1 << (f.exponent_bits - 1)) - 1;
  int top_exponent = f.has_infinity ? bias + 1 : bias + 2;
  uint64_t beyond = (uint64_t)(127 + top_exponent) << 23;
  LLVMValueRef is_over = LLVMBuildOr(
      e->b,
      LLVMBuildICmp(e->b, LLVMIntUGT, rounded,
                    cpu_convert_int_like(rounded, largest), CPU_NAME),
      LLVMBuildICmp(e->b, LLVMIntUGE, magnitude,
                    cpu_convert_int_like(magnitude, beyond), CPU_NAME),
      CPU_NAME);
  LLVMValueRef is_nan =
      LLVMBuildICmp(e->b, LLVMIntUGT, magnitude,
                    cpu_convert_int_like(magnitude, 0x7f800000), CPU_NAME);
  rounded =
      LLVMBuildSelect(e->b, is_over, cpu_convert_int_like(rounded, overflow),
                      rounded, CPU_NAME);
  rounded = LLVMBuildSelect(e->b, is_nan, cpu_convert_int_like(rounded, nan),
                            rounded, CPU_NAME);
  LLVMValueRef result = LLVMBuildOr(e->b, rounded, sign, CPU_NAME);
  return resize(e, result, total == 8 ? e->i8 : e->i16);
}

static LLVMValueRef narrow_bf16(CpuEmit *e, LLVMValueRef v) {
  LLVMValueRef bits = cast(e, v, e->i32);
  LLVMValueRef odd = and_bits(e, lshr(e, bits, 16), 1);
  LLVMValueRef up =
      LLVMBuildAdd(e->b, bits, cpu_convert_int_like(bits, 0x7fff), CPU_NAME);
  LLVMValueRef rounded = lshr(e, LLVMBuildAdd(e->b, up, odd, CPU_NAME), 16);
  LLVMValueRef sign = and_bits(e, lshr(e, bits, 16), 0x8000);
  LLVMValueRef nan =
      LLVMBuildOr(e->b, sign, cpu_convert_int_like(bits, 0x7fc0), CPU_NAME);
  LLVMValueRef is_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, CPU_NAME);
  return resize(e, LLVMBuildSelect(e->b, is_nan, nan, rounded, CPU_NAME),
                e->i16);
}

LLVMValueRef cpu_from_f32(CpuEmit *e, IrTypeKind kind, LLVMValueRef v) {
  if (kind == IR_TYPE_BF16)
    return narrow_bf16(e, v);
  if (kind == IR_TYPE_F16 && e->target->has_f16c) {
    LLVMTypeRef half = llvm_type_like(LLVMTypeOf(v), e->f16);
    return cast(e, LLVMBuildFPTrunc(e->b, v, half, CPU_NAME), e->i16);
  }
  return narrow_bits(e, cpu_convert_format_of(kind), v);
}

// Double to float rounded to odd: what is cut off leaves its mark in the last
// bit, so rounding the result again can't go wrong.
static LLVMValueRef to_odd_f32(CpuEmit *e, LLVMValueRef v) {
  LLVMTypeRef single = llvm_type_like(LLVMTypeOf(v), e->f32);
  LLVMValueRef near = LLVMBuildFPTrunc(e->b, v, single, CPU_NAME);
  LLVMValueRef back = LLVMBuildFPExt(e->b, near, LLVMTypeOf(v), CPU_NAME);
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMValueRef fabs_near = cpu_intrinsic(e, "llvm.fabs", &type, 1, &back, 1);
  LLVMValueRef fabs_exact = cpu_intrinsic(e, "llvm.fabs", &type, 1, &v, 1);
  LLVMValueRef is_above =
      LLVMBuildFCmp(e->b, LLVMRealOGT, fabs_near, fabs_exact, CPU_NAME);
  LLVMValueRef is_inexact = LLVMBuildFCmp(e->b, LLVMRealONE, back, v, CPU_NAME);
  LLVMValueRef bits = cast(e, near, e->i32);
  LLVMValueRef below =
      LLVMBuildSub(e->b, bits, cpu_convert_int_like(bits, 1), CPU_NAME);
  bits = LLVMBuildSelect(e->b, is_above, below, bits, CPU_NAME);
  LLVMValueRef odd =
      LLVMBuildOr(e->b, bits, cpu_convert_int_like(bits, 1), CPU_NAME);
  bits = LLVMBuildSelect(e->b, is_inexact, odd, bits, CPU_NAME);
  return cast(e, bits, e->f32);
}

LLVMValueRef cpu_from_f64(CpuEmit *e, IrTypeKind kind, LLVMValueRef v) {
  if (kind == IR_TYPE_F64)
    return v;
  if (kind == IR_TYPE_F32)
    return LLVMBuildFPTrunc(e->b, v, llvm_type_like(LLVMTypeOf(v), e->f32),
                            CPU_NAME);
  return cpu_from_f32(e, kind, to_odd_f32(e, v));
}

// ------------------------------------------------------------ conversions

static bool cpu_convert_is_small(IrTypeKind kind) {
  return kind == IR_TYPE_F16 || kind == IR_TYPE_BF16 || kind == IR_TYPE_E4M3 ||
         kind == IR_TYPE_E5M2;
}

static LLVMValueRef cpu_convert_float_to_float(CpuEmit *e, IrTypeKind from,
                                               IrTypeKind to, LLVMValueRef v) {
  if (from == to)
    return v;
  if (cpu_convert_is_small(from)) {
    v = cpu_to_f32(e, from, v);
    from = IR_TYPE_F32;
  }
  if (from == to)
    return v;
  if (to == IR_TYPE_F64)
    return LLVMBuildFPExt(e->b, v, llvm_type_like(LLVMTypeOf(v), e->f64),
                          CPU_NAME);
  return from == IR_TYPE_F64 ? cpu_from_f64(e, from == to ? from : to, v)
                             : cpu_from_f32(e, to, v);
}

// Integers to 16-bit floats go through float if they fit, else through double
// rounded to odd; 64-bit ones are cut to what decides first.
static LLVMValueRef int_to_float(CpuEmit *e, bool is_signed, IrTypeKind from,
                                 IrTypeKind to, LLVMValueRef v) {
  LLVMTypeRef shape = LLVMTypeOf(v);
  LLVMTypeRef type = llvm_type_like(shape, to == IR_TYPE_F32 ? e->f32 : e->f64);
  LLVMValueRef real = NULL;
  if (!cpu_convert_is_small(to))
    return is_signed ? LLVMBuildSIToFP(e->b, v, type, CPU_NAME)
                     : LLVMBuildUIToFP(e->b, v, type, CPU_NAME);
  if (from == IR_TYPE_I64) {
    // Beyond 2^52 round to odd at bit 12: double then holds it exactly.
    LLVMValueRef low = and_bits(e, v, 0xfff);
    LLVMValueRef sticky =
        LLVMBuildICmp(e->b, LLVMIntNE, low, LLVMConstNull(shape), CPU_NAME);
    LLVMValueRef cut = LLVMBuildOr(
        e->b, and_bits(e, v, ~0xfffull),
        shl(e, LLVMBuildZExt(e->b, sticky, shape, CPU_NAME), 12), CPU_NAME);
    LLVMValueRef high =
        LLVMBuildAShr(e->b, v, cpu_convert_int_like(v, 52), CPU_NAME);
    LLVMValueRef zero = LLVMConstNull(shape);
    LLVMValueRef fits = LLVMBuildICmp(e->b, LLVMIntEQ, high, zero, CPU_NAME);
    if (is_signed)
      fits = LLVMBuildOr(e->b, fits,
                         LLVMBuildICmp(e->b, LLVMIntEQ, high,
                                       LLVMConstAllOnes(shape), CPU_NAME),
                         CPU_NAME);
    v = LLVMBuildSelect(e->b, fits, v, cut, CPU_NAME);
  }
  LLVMTypeRef wide = llvm_type_like(shape, e->f64);
  real = is_signed ? LLVMBuildSIToFP(e->b, v, wide, CPU_NAME)
                   : LLVMBuildUIToFP(e->b, v, wide, CPU_NAME);
  return cpu_from_f64(e, to, real);
}

static LLVMValueRef float_to_int(CpuEmit *e, bool is_signed, IrTypeKind from,
                                 IrType to, LLVMValueRef v) {
  if (cpu_convert_is_small(from))
    v = cpu_to_f32(e, from, v);
  LLVMTypeRef types[2] = {llvm_type_like(LLVMTypeOf(v), cpu_scalar_type(e, to)),
                          LLVMTypeOf(v)};
  return cpu_intrinsic(e, is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat",
                       types, 2, &v, 1);
}

static LLVMValueRef codegen_llvm_cpu_convert(CpuEmit *e, const IrNode *node,
                                             LLVMValueRef v) {
  IrTypeKind from = (IrTypeKind)node->args[0]->type.kind;
  IrTypeKind to = (IrTypeKind)node->type.kind;
  LLVMTypeRef type =
      llvm_type_like(LLVMTypeOf(v), cpu_scalar_type(e, node->type));
  switch (ir_convert_op(node->op)) {
  case IR_TRUNC: return LLVMBuildTrunc(e->b, v, type, CPU_NAME);
  case IR_ZEXT: return LLVMBuildZExt(e->b, v, type, CPU_NAME);
  case IR_SEXT: return LLVMBuildSExt(e->b, v, type, CPU_NAME);
  case IR_STOF: return int_to_float(e, true, from, to, v);
  case IR_UTOF: return int_to_float(e, false, from, to, v);
  case IR_FTOS: return float_to_int(e, true, from, node->type, v);
  case IR_FTOU: return float_to_int(e, false, from, node->type, v);
  case IR_FCAST: return cpu_convert_float_to_float(e, from, to, v);
  case IR_BITCAST: break; // emit_bitcast
  }
  HD_PANIC("'%s' converts no numbers", ir_op_info(node)->text);
}

// The base of a conversion that keeps a value affine.
static LLVMValueRef cpu_convert_affine_base(CpuEmit *e, const IrNode *node,
                                            CpuLeaf from) {
  LLVMValueRef base = cpu_base(e, from);
  if (cpu_may_wrap(e->plan, node))
    return cpu_cut(e, base, 32, true);
  bool is_unsigned = node->op == IR_ZEXT && !from.shape.is_nonneg;
  return is_unsigned ? cpu_cut(e, base, 32, false) : base;
}

void cpu_emit_convert(CpuEmit *e, const IrNode *node) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  CpuLeaf from = cpu_leaf(e, node->args[0], 0);
  if (shape.kind == CPU_AFFINE)
    cpu_set_value(e, node, 0, cpu_convert_affine_base(e, node, from));
  else if (shape.kind == CPU_UNIFORM)
    cpu_set_value(e, node, 0, codegen_llvm_cpu_convert(e, node, from.v));
  else
    cpu_set_value(e, node, 0,
                  codegen_llvm_cpu_convert(e, node, cpu_as_vector(e, from)));
  if (shape.form_bits > 0)
    cpu_set_form(e, node, cpu_base(e, from), from.row);
}
