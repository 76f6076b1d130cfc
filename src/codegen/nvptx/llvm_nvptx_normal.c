// SPDX-License-Identifier: Apache-2.0
// Roots of numbers that are never subnormal.
//
// rsqrt.approx.f32 of any number is four instructions: a comparison with the
// least normal number and two multiplications by powers of two around MUFU.RSQ.
// Where the form of the argument shows that it is normal, infinite or NaN, as
// in rsqrt(x * x + y * y + 0.01f), rsqrt.approx.ftz.f32 gives the same in one.
#include "codegen/nvptx/llvm_nvptx.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_VISITS = 64 }; // bounds the work on hostile programs

static double find_least(LLVMValueRef v, unsigned *visits);

static double least_of_constant(LLVMValueRef v) {
  LLVMBool is_inexact;
  double value = LLVMConstRealGetDouble(v, &is_inexact);
  return isnan(value) ? (double)INFINITY : value;
}

// Rounding is monotonic: what is added to a number that isn't negative is never
// less than before.
static double least_of_sum(double a, double b) {
  if (a >= 0 && b >= 0)
    return fmax(a, b);
  return -(double)INFINITY;
}

static double least_of_product(LLVMValueRef a, LLVMValueRef b,
                               unsigned *visits) {
  bool is_square = a == b;
  return is_square || (find_least(a, visits) >= 0 && find_least(b, visits) >= 0)
             ? 0
             : -(double)INFINITY;
}

static bool is_call_of(const char *name, const char *intrinsic) {
  return strncmp(name, intrinsic, strlen(intrinsic)) == 0;
}

static double least_of_call(LLVMValueRef v, unsigned *visits) {
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
  if (is_call_of(name, "llvm.fma.f"))
    return least_of_sum(
        least_of_product(LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), visits),
        find_least(LLVMGetOperand(v, 2), visits));
  bool is_positive =
      is_call_of(name, "llvm.fabs.f") || is_call_of(name, "llvm.sqrt.f") ||
      is_call_of(name, "llvm.nvvm.sqrt.") || is_call_of(name, "llvm.nvvm.ex2.");
  return is_positive ? 0 : -(double)INFINITY;
}

// A bound that the number never falls below unless it is NaN.
static double find_least(LLVMValueRef v, unsigned *visits) {
  if (LLVMIsAConstantFP(v))
    return least_of_constant(v);
  if (*visits == 0 || !LLVMIsAInstruction(v))
    return -(double)INFINITY;
  --*visits;
  switch ((int)LLVMGetInstructionOpcode(v)) {
  case LLVMFAdd:
    return least_of_sum(find_least(LLVMGetOperand(v, 0), visits),
                        find_least(LLVMGetOperand(v, 1), visits));
  case LLVMFMul:
    return least_of_product(LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), visits);
  case LLVMSelect:
    return fmin(find_least(LLVMGetOperand(v, 1), visits),
                find_least(LLVMGetOperand(v, 2), visits));
  case LLVMUIToFP: return 0;
  case LLVMCall: return least_of_call(v, visits);
  default: return -(double)INFINITY;
  }
}

static bool is_call(LLVMValueRef inst, LLVMValueRef callee) {
  return LLVMIsACallInst(inst) && LLVMGetCalledValue(inst) == callee;
}

static bool is_normal(LLVMValueRef v) {
  unsigned visits = MAX_VISITS;
  return find_least(v, &visits) >= (double)FLT_MIN;
}

static void take_normal(LLVMModuleRef module, const char *any_name,
                        const char *normal_name) {
  LLVMValueRef any = LLVMGetNamedFunction(module, any_name);
  if (any == NULL)
    return;
  LLVMValueRef normal = LLVMGetNamedFunction(module, normal_name);
  if (normal == NULL)
    normal = LLVMAddFunction(module, normal_name, LLVMGlobalGetValueType(any));
  for (LLVMUseRef use = LLVMGetFirstUse(any), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    if (is_call(call, any) && is_normal(LLVMGetOperand(call, 0)))
      LLVMSetOperand(call, 1, normal);
  }
}

void nv_take_normal_roots(LLVMModuleRef module) {
  take_normal(module, "llvm.nvvm.rsqrt.approx.f",
              "llvm.nvvm.rsqrt.approx.ftz.f");
  take_normal(module, "llvm.nvvm.sqrt.approx.f", "llvm.nvvm.sqrt.approx.ftz.f");
}
