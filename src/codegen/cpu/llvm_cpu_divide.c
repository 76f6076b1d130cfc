// SPDX-License-Identifier: Apache-2.0
// Integer division and remainder. By zero: unsigned x/0 is all ones, signed
// x/0 is -1, x%0 is x; MIN/-1 is MIN and MIN%-1 is 0. Nothing traps.
//
// Note [Division through double]
// A quotient of 32-bit numbers is the truncated quotient of doubles: two
// different ratios a/b differ from an integer by at least 1/b, far more than
// double's rounding. By a uniform divisor d it is the truncated product with
// 1/d rounded up a little: a * (1/d)(1 + t) stays below the next integer as
// long as a * t < 1, and exact multiples never fall below theirs.
#include "codegen/cpu/llvm_cpu.h"

static LLVMValueRef cpu_divide_real(const CpuEmit *e, LLVMTypeRef type,
                                    double value) {
  return llvm_fill(type, LLVMConstReal(e->f64, value));
}

typedef struct {
  bool is_signed, is_remainder;
  unsigned width;
  LLVMValueRef a, b;
} Division;

static LLVMValueRef cpu_divide_equals(CpuEmit *e, LLVMValueRef v,
                                      int64_t value) {
  return LLVMBuildICmp(e->b, LLVMIntEQ, v, llvm_int_like(v, value), CPU_NAME);
}

// Divisors that would trap become 1: the results for -1 follow from it but
// for the sign, those for 0 are put in afterwards.
static LLVMValueRef machine_quotient(CpuEmit *e, const Division *d) {
  LLVMValueRef one = llvm_int_like(d->b, 1), b = d->b;
  b = LLVMBuildSelect(e->b, cpu_divide_equals(e, b, 0), one, b, CPU_NAME);
  if (!d->is_signed)
    return LLVMBuildUDiv(e->b, d->a, b, CPU_NAME);
  LLVMValueRef is_minus = cpu_divide_equals(e, d->b, -1);
  b = LLVMBuildSelect(e->b, is_minus, one, b, CPU_NAME);
  LLVMValueRef q = LLVMBuildSDiv(e->b, d->a, b, CPU_NAME);
  LLVMValueRef negated = LLVMBuildNeg(e->b, d->a, CPU_NAME);
  return LLVMBuildSelect(e->b, is_minus, negated, q, CPU_NAME);
}

static LLVMValueRef to_double(CpuEmit *e, const Division *d, LLVMValueRef v) {
  LLVMTypeRef wide = llvm_type_like(LLVMTypeOf(v), e->f64);
  return d->is_signed ? LLVMBuildSIToFP(e->b, v, wide, CPU_NAME)
                      : LLVMBuildUIToFP(e->b, v, wide, CPU_NAME);
}

// Up to 2^32 / 1 fits a signed 64-bit integer, and targets convert to those
// best through 32 bits where it is known to fit.
static LLVMValueRef from_double(CpuEmit *e, const Division *d, LLVMValueRef q) {
  LLVMTypeRef type = LLVMTypeOf(d->a);
  LLVMTypeRef scalar = type;
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    scalar = LLVMGetElementType(type);
  (void)scalar;
  return d->is_signed ? LLVMBuildFPToSI(e->b, q, type, CPU_NAME)
                      : LLVMBuildFPToUI(e->b, q, type, CPU_NAME);
}

// Divisor 0 and the overflowing MIN/-1 would make an unspecified conversion:
// they divide by 1 instead.
static LLVMValueRef double_quotient(CpuEmit *e, const Division *d,
                                    LLVMValueRef reciprocal) {
  if (reciprocal != NULL) {
    LLVMValueRef a = to_double(e, d, d->a);
    LLVMValueRef by = cpu_splat(e, reciprocal);
    return from_double(e, d, LLVMBuildFMul(e->b, a, by, CPU_NAME));
  }
  LLVMValueRef b = d->b, one = llvm_int_like(b, 1);
  LLVMValueRef bad = cpu_divide_equals(e, b, 0);
  LLVMValueRef is_minus = NULL;
  if (d->is_signed) {
    is_minus = cpu_divide_equals(e, b, -1);
    bad = LLVMBuildOr(e->b, bad, is_minus, CPU_NAME);
  }
  b = LLVMBuildSelect(e->b, bad, one, b, CPU_NAME);
  LLVMValueRef q =
      LLVMBuildFDiv(e->b, to_double(e, d, d->a), to_double(e, d, b), CPU_NAME);
  q = from_double(e, d, q);
  if (!is_minus)
    return q;
  LLVMValueRef negated = LLVMBuildNeg(e->b, d->a, CPU_NAME);
  return LLVMBuildSelect(e->b, is_minus, negated, q, CPU_NAME);
}

// The factor for a uniform divisor, rounded away from zero by some units.
static LLVMValueRef reciprocal_of(CpuEmit *e, const Division *d,
                                  LLVMValueRef divisor) {
  LLVMValueRef one = LLVMConstInt(LLVMTypeOf(divisor), 1, 0);
  LLVMValueRef bad = cpu_divide_equals(e, divisor, 0);
  LLVMValueRef b = LLVMBuildSelect(e->b, bad, one, divisor, CPU_NAME);
  LLVMValueRef wide = to_double(e, d, b);
  LLVMValueRef inverse =
      LLVMBuildFDiv(e->b, cpu_divide_real(e, e->f64, 1.0), wide, CPU_NAME);
  return LLVMBuildFMul(e->b, inverse, cpu_divide_real(e, e->f64, 1.0 + 0x1p-50),
                       CPU_NAME);
}

static LLVMValueRef cpu_divide_finish(CpuEmit *e, const Division *d,
                                      LLVMValueRef q) {
  LLVMValueRef is_zero = cpu_divide_equals(e, d->b, 0);
  if (!d->is_remainder)
    return LLVMBuildSelect(e->b, is_zero, llvm_int_like(d->a, -1), q, CPU_NAME);
  LLVMValueRef product = LLVMBuildMul(e->b, q, d->b, CPU_NAME);
  return LLVMBuildSub(e->b, d->a, product, CPU_NAME);
}

static LLVMValueRef by_constant(CpuEmit *e, const Division *d) {
  if (d->is_signed)
    return d->is_remainder ? LLVMBuildSRem(e->b, d->a, d->b, CPU_NAME)
                           : LLVMBuildSDiv(e->b, d->a, d->b, CPU_NAME);
  return d->is_remainder ? LLVMBuildURem(e->b, d->a, d->b, CPU_NAME)
                         : LLVMBuildUDiv(e->b, d->a, d->b, CPU_NAME);
}

// Widens 8- and 16-bit operands to 32 bits.
static void cpu_divide_widen(CpuEmit *e, Division *d) {
  LLVMTypeRef type = llvm_type_like(LLVMTypeOf(d->a), e->i32);
  d->a = LLVMBuildIntCast2(e->b, d->a, type, d->is_signed, CPU_NAME);
  d->b = LLVMBuildIntCast2(e->b, d->b, type, d->is_signed, CPU_NAME);
}

LLVMValueRef cpu_emit_divide(CpuEmit *e, const IrNode *node) {
  bool is_scalar = cpu_node_shape(e->plan, node).kind == CPU_UNIFORM;
  Division d = {.width = ir_type_bits(node->type)};
  d.is_signed = node->op == IR_SDIV || node->op == IR_SREM;
  d.is_remainder = node->op == IR_SREM || node->op == IR_UREM;
  d.a = is_scalar ? cpu_scalar_arg(e, node, 0) : cpu_vector_arg(e, node, 0);
  d.b = is_scalar ? cpu_scalar_arg(e, node, 1) : cpu_vector_arg(e, node, 1);
  LLVMTypeRef type = LLVMTypeOf(d.a);
  int64_t value;
  if (code_const_int(node->args[1], &value) && value != 0 && value != -1)
    return by_constant(e, &d);
  if (is_scalar || d.width == 64)
    return cpu_divide_finish(e, &d, machine_quotient(e, &d));
  CpuLeaf divisor = cpu_leaf(e, node->args[1], 0);
  LLVMValueRef narrow_zero = d.b, reciprocal = NULL;
  if (d.width < 32)
    cpu_divide_widen(e, &d);
  if (divisor.shape.kind == CPU_UNIFORM) {
    LLVMValueRef scalar =
        LLVMBuildIntCast2(e->b, divisor.v, e->i32, d.is_signed, CPU_NAME);
    reciprocal = reciprocal_of(e, &d, scalar);
  }
  (void)narrow_zero;
  LLVMValueRef v = cpu_divide_finish(e, &d, double_quotient(e, &d, reciprocal));
  return LLVMBuildIntCast2(e->b, v, type, 0, CPU_NAME);
}
