// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_host.h"

#include "base/panic.h"

#define NAME "" // LLVM numbers what has no name

static LLVMValueRef host_emit(const LlvmHost *h, const IrHost *host);

static LLVMValueRef llvm_host_number(const LlvmHost *h, int64_t value) {
  return LLVMConstInt(h->i64, (uint64_t)value, 1);
}

static LLVMValueRef as_real(const LlvmHost *h, LLVMValueRef v) {
  if (LLVMTypeOf(v) == h->f64)
    return v;
  return LLVMBuildSIToFP(h->b, v, h->f64, NAME);
}

static LLVMValueRef host_operand(const LlvmHost *h, const IrHost *host,
                                 uint32_t index, bool is_float) {
  LLVMValueRef v = host_emit(h, host->args[index]);
  return is_float ? as_real(h, v) : v;
}

static LLVMValueRef host_is_true(const LlvmHost *h, const IrHost *host) {
  LLVMValueRef v = host_emit(h, host), zero = LLVMConstNull(LLVMTypeOf(v));
  return host->is_float ? LLVMBuildFCmp(h->b, LLVMRealUNE, v, zero, NAME)
                        : LLVMBuildICmp(h->b, LLVMIntNE, v, zero, NAME);
}

static LLVMValueRef of_truth(const LlvmHost *h, LLVMValueRef truth) {
  return LLVMBuildZExt(h->b, truth, h->i64, NAME);
}

// ------------------------------------------------------------- parameters

static LLVMValueRef real_param(const LlvmHost *h, IrType type,
                               LLVMValueRef word) {
  LLVMContextRef cx = LLVMGetTypeContext(h->i64);
  LLVMTypeRef real = NULL;
  switch ((int)type.kind) {
  case IR_TYPE_F16: real = LLVMHalfTypeInContext(cx); break;
  case IR_TYPE_BF16: real = LLVMBFloatTypeInContext(cx); break;
  case IR_TYPE_F32: real = LLVMFloatTypeInContext(cx); break;
  default: return LLVMBuildBitCast(h->b, word, h->f64, NAME);
  }
  LLVMTypeRef bits = LLVMIntTypeInContext(cx, ir_type_bits(type));
  LLVMValueRef narrow = LLVMBuildTrunc(h->b, word, bits, NAME);
  LLVMValueRef v = LLVMBuildBitCast(h->b, narrow, real, NAME);
  return LLVMBuildFPExt(h->b, v, h->f64, NAME);
}

static LLVMValueRef host_param_value(const LlvmHost *h, const IrHost *host) {
  const IrParam *param = &h->kernel->params.data[host->number];
  LLVMValueRef word = h->slot(h->emit, param->slot);
  uint32_t bits = ir_type_bits(param->type);
  if (ir_type_is_float(param->type))
    return real_param(h, param->type, word);
  if (bits == 64)
    return word;
  LLVMTypeRef type = LLVMIntTypeInContext(LLVMGetTypeContext(h->i64), bits);
  LLVMValueRef narrow = LLVMBuildTrunc(h->b, word, type, NAME);
  return LLVMBuildIntCast2(h->b, narrow, h->i64, param->is_signed, NAME);
}

// --------------------------------------------------------------- integers

// A divisor of 0 refuses the launch, but not if it is in the branch that a
// condition doesn't take; there, and for the quotient of the least number by
// -1, the instruction would trap.
static LLVMValueRef host_divide(const LlvmHost *h, IrHostOp op, LLVMValueRef a,
                                LLVMValueRef b) {
  LLVMBuilderRef build = h->b;
  LLVMValueRef zero = llvm_host_number(h, 0), minus = llvm_host_number(h, -1);
  LLVMValueRef is_zero = LLVMBuildICmp(build, LLVMIntEQ, b, zero, NAME);
  LLVMValueRef is_minus = LLVMBuildICmp(build, LLVMIntEQ, b, minus, NAME);
  LLVMValueRef is_odd = LLVMBuildOr(build, is_zero, is_minus, NAME);
  LLVMValueRef safe =
      LLVMBuildSelect(build, is_odd, llvm_host_number(h, 1), b, NAME);
  LLVMValueRef rest = LLVMBuildSRem(build, a, safe, NAME);
  if (op == HOST_REM)
    return rest;
  LLVMValueRef quotient = LLVMBuildSDiv(build, a, safe, NAME);
  quotient = LLVMBuildSelect(build, is_minus, LLVMBuildNeg(build, a, NAME),
                             quotient, NAME);
  if (op == HOST_DIV)
    return quotient;
  LLVMValueRef signs = LLVMBuildXor(build, a, b, NAME);
  LLVMValueRef are_equal = LLVMBuildICmp(build, LLVMIntSGE, signs, zero, NAME);
  LLVMValueRef is_left = LLVMBuildICmp(build, LLVMIntNE, rest, zero, NAME);
  LLVMValueRef is_up = LLVMBuildAnd(build, are_equal, is_left, NAME);
  return LLVMBuildAdd(build, quotient, of_truth(h, is_up), NAME);
}

static LLVMValueRef host_integer_op(const LlvmHost *h, const IrHost *host) {
  LLVMBuilderRef build = h->b;
  LLVMValueRef a = host_emit(h, host->args[0]);
  if (host->op == HOST_BIT_NOT)
    return LLVMBuildNot(build, a, NAME);
  LLVMValueRef b = host_emit(h, host->args[1]);
  switch ((int)host->op) {
  case HOST_REM:
  case HOST_CDIV: return host_divide(h, host->op, a, b);
  case HOST_BIT_AND: return LLVMBuildAnd(build, a, b, NAME);
  case HOST_BIT_OR: return LLVMBuildOr(build, a, b, NAME);
  case HOST_BIT_XOR: return LLVMBuildXor(build, a, b, NAME);
  case HOST_SHL: return LLVMBuildShl(build, a, b, NAME);
  default: return LLVMBuildAShr(build, a, b, NAME);
  }
}

// ---------------------------------------------------------------- numbers

static LLVMValueRef host_less(const LlvmHost *h, LLVMValueRef a,
                              LLVMValueRef b) {
  return LLVMTypeOf(a) == h->f64 ? LLVMBuildFCmp(h->b, LLVMRealOLT, a, b, NAME)
                                 : LLVMBuildICmp(h->b, LLVMIntSLT, a, b, NAME);
}

static LLVMValueRef host_negate(const LlvmHost *h, LLVMValueRef v) {
  return LLVMTypeOf(v) == h->f64 ? LLVMBuildFNeg(h->b, v, NAME)
                                 : LLVMBuildNeg(h->b, v, NAME);
}

static LLVMValueRef host_absolute(const LlvmHost *h, LLVMValueRef v) {
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
  return LLVMBuildSelect(h->b, host_less(h, v, zero), host_negate(h, v), v,
                         NAME);
}

// As fmin and fmax: a number before what is none.
static LLVMValueRef host_smaller(const LlvmHost *h, bool is_max, LLVMValueRef a,
                                 LLVMValueRef b) {
  LLVMValueRef takes_a = is_max ? host_less(h, b, a) : host_less(h, a, b);
  if (LLVMTypeOf(a) == h->f64) {
    LLVMValueRef is_none = LLVMBuildFCmp(h->b, LLVMRealUNO, b, b, NAME);
    takes_a = LLVMBuildOr(h->b, takes_a, is_none, NAME);
  }
  return LLVMBuildSelect(h->b, takes_a, a, b, NAME);
}

static LLVMValueRef number_op(const LlvmHost *h, const IrHost *host) {
  LLVMBuilderRef build = h->b;
  bool is_float = host->is_float;
  LLVMValueRef a = host_operand(h, host, 0, is_float);
  if (host->op == HOST_NEG)
    return host_negate(h, a);
  if (host->op == HOST_ABS)
    return host_absolute(h, a);
  LLVMValueRef b = host_operand(h, host, 1, is_float);
  switch ((int)host->op) {
  case HOST_ADD:
    return is_float ? LLVMBuildFAdd(build, a, b, NAME)
                    : LLVMBuildAdd(build, a, b, NAME);
  case HOST_SUB:
    return is_float ? LLVMBuildFSub(build, a, b, NAME)
                    : LLVMBuildSub(build, a, b, NAME);
  case HOST_MUL:
    return is_float ? LLVMBuildFMul(build, a, b, NAME)
                    : LLVMBuildMul(build, a, b, NAME);
  case HOST_DIV:
    return is_float ? LLVMBuildFDiv(build, a, b, NAME)
                    : host_divide(h, HOST_DIV, a, b);
  default: return host_smaller(h, host->op == HOST_MAX, a, b);
  }
}

// ----------------------------------------------------------------- truths

static LLVMValueRef host_compare(const LlvmHost *h, const IrHost *host) {
  bool is_float = host->args[0]->is_float || host->args[1]->is_float;
  LLVMValueRef a = host_operand(h, host, 0, is_float);
  LLVMValueRef b = host_operand(h, host, 1, is_float);
  LLVMRealPredicate real = LLVMRealOEQ;
  LLVMIntPredicate integer = LLVMIntEQ;
  switch ((int)host->op) {
  case HOST_NE: real = LLVMRealUNE, integer = LLVMIntNE; break;
  case HOST_LT: real = LLVMRealOLT, integer = LLVMIntSLT; break;
  case HOST_LE: real = LLVMRealOLE, integer = LLVMIntSLE; break;
  default: break;
  }
  return is_float ? LLVMBuildFCmp(h->b, real, a, b, NAME)
                  : LLVMBuildICmp(h->b, integer, a, b, NAME);
}

// The branch that isn't taken may be poison: LLVM's `select` doesn't look at
// it, its `and` and `or` would.
static LLVMValueRef host_connect(const LlvmHost *h, const IrHost *host) {
  LLVMValueRef first = host_is_true(h, host->args[0]);
  LLVMValueRef second = host_is_true(h, host->args[1]);
  LLVMValueRef fixed =
      LLVMConstInt(LLVMTypeOf(first), host->op == HOST_LOGICAL_OR, 0);
  return host->op == HOST_LOGICAL_OR
             ? LLVMBuildSelect(h->b, first, fixed, second, NAME)
             : LLVMBuildSelect(h->b, first, second, fixed, NAME);
}

static LLVMValueRef to_int(const LlvmHost *h, const IrHost *host) {
  LLVMValueRef v = host_emit(h, host->args[0]);
  return LLVMTypeOf(v) == h->f64 ? LLVMBuildFPToSI(h->b, v, h->i64, NAME) : v;
}

static LLVMValueRef host_choose(const LlvmHost *h, const IrHost *host) {
  LLVMValueRef condition = host_is_true(h, host->args[0]);
  LLVMValueRef a = host_emit(h, host->args[1]), b = host_emit(h, host->args[2]);
  return LLVMBuildSelect(h->b, condition, a, b, NAME);
}

static LLVMValueRef host_emit(const LlvmHost *h, const IrHost *host) {
  switch (host->op) {
  case HOST_CONST:
    return host->is_float ? LLVMConstReal(h->f64, host->real)
                          : llvm_host_number(h, host->number);
  case HOST_PARAM: return host_param_value(h, host);
  case HOST_ADD:
  case HOST_SUB:
  case HOST_MUL:
  case HOST_DIV:
  case HOST_NEG:
  case HOST_MIN:
  case HOST_MAX:
  case HOST_ABS: return number_op(h, host);
  case HOST_REM:
  case HOST_CDIV:
  case HOST_BIT_AND:
  case HOST_BIT_OR:
  case HOST_BIT_XOR:
  case HOST_BIT_NOT:
  case HOST_SHL:
  case HOST_SHR: return host_integer_op(h, host);
  case HOST_EQ:
  case HOST_NE:
  case HOST_LT:
  case HOST_LE: return of_truth(h, host_compare(h, host));
  case HOST_LOGICAL_AND:
  case HOST_LOGICAL_OR: return of_truth(h, host_connect(h, host));
  case HOST_LOGICAL_NOT: {
    LLVMValueRef truth = host_is_true(h, host->args[0]);
    return of_truth(h, LLVMBuildNot(h->b, truth, NAME));
  }
  case HOST_COND: return host_choose(h, host);
  case HOST_TO_FLOAT: return host_operand(h, host, 0, true);
  case HOST_TO_INT: return to_int(h, host);
  case HOST_EXTENT:
  case HOST_ALIGNED:
  case HOST_INJECTIVE:
  case HOST_BOUNDED:
  case HOST_MONOTONE:
  case HOST_DISJOINT:
  case HOST_OP_COUNT: break;
  }
  HD_PANIC("host expression %d in the shape of an array", (int)host->op);
}

LLVMValueRef llvm_host_value(const LlvmHost *h, const IrHost *host) {
  return host ? host_emit(h, host) : llvm_host_number(h, 1);
}
