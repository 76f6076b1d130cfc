// SPDX-License-Identifier: Apache-2.0
// Roots and inverses of numbers that are never subnormal.
//
// rsqrt.approx.f32 of any number is four instructions: a comparison with the
// least normal number and two multiplications by powers of two around MUFU.RSQ.
// Where the form of the argument shows that it is normal, infinite or NaN, as
// in rsqrt(x * x + y * y + 0.01f), rsqrt.approx.ftz.f32 gives the same in one.
//
// Note [Inverses without a test]
// rcp.rn.f32 is ten instructions of ptxas: a test whether the number or its
// inverse is subnormal, a branch to where such are done, and
//
//   r = MUFU.RCP(x)   e = 1 - x r   r + e r
//
// which is what remains where all that x can be lies between the least normal
// number and 2^126, as in 1 / (1 + 0.2f * abs(x)). Infinity has r = 0 and NaN
// for e: a maximum takes that away, and no e of other numbers is as small as
// -1.
#include "codegen/nvptx/llvm_nvptx.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_VISITS = 64 }; // bounds the work on hostile programs

// A number that isn't NaN is never below `least`, nor above `most` unless it is
// infinite.
typedef struct {
  double least, most;
} Bounds;

static const Bounds anything = {-(double)INFINITY, (double)FLT_MAX};
static const Bounds positive = {0, (double)FLT_MAX};

static Bounds find_bounds(LLVMValueRef v, unsigned *visits);

static Bounds bounds_of_constant(LLVMValueRef v) {
  LLVMBool is_inexact;
  double value = LLVMConstRealGetDouble(v, &is_inexact);
  return isfinite(value) ? (Bounds){value, value} : anything;
}

// As floats add: rounding is monotonic, so that bounds give a bound.
static double nvptx_normal_add(double a, double b) {
  return (double)((float)a + (float)b);
}

static Bounds bounds_of_sum(Bounds a, Bounds b) {
  return (Bounds){nvptx_normal_add(a.least, b.least),
                  fmin(nvptx_normal_add(a.most, b.most), (double)FLT_MAX)};
}

// Of finite ones.
static double most_magnitude(Bounds a) {
  return fmin(fmax(fabs(a.least), fabs(a.most)), (double)FLT_MAX);
}

static Bounds bounds_of_product(LLVMValueRef a, LLVMValueRef b,
                                unsigned *visits) {
  bool is_square = a == b;
  Bounds x = find_bounds(a, visits);
  Bounds y = is_square ? x : find_bounds(b, visits);
  float most = (float)most_magnitude(x) * (float)most_magnitude(y);
  bool is_positive = is_square || (x.least >= 0 && y.least >= 0);
  return (Bounds){is_positive ? 0 : anything.least,
                  fmin((double)most, (double)FLT_MAX)};
}

static bool nvptx_normal_is_call_of(const char *name, const char *intrinsic) {
  return strncmp(name, intrinsic, strlen(intrinsic)) == 0;
}

static Bounds bounds_of_call(LLVMValueRef v, unsigned *visits) {
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
  if (nvptx_normal_is_call_of(name, "llvm.fma.f"))
    return bounds_of_sum(
        bounds_of_product(LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), visits),
        find_bounds(LLVMGetOperand(v, 2), visits));
  if (nvptx_normal_is_call_of(name, "llvm.fabs.f"))
    return (Bounds){0,
                    most_magnitude(find_bounds(LLVMGetOperand(v, 0), visits))};
  bool is_positive = nvptx_normal_is_call_of(name, "llvm.sqrt.f") ||
                     nvptx_normal_is_call_of(name, "llvm.nvvm.sqrt.") ||
                     nvptx_normal_is_call_of(name, "llvm.nvvm.ex2.");
  return is_positive ? positive : anything;
}

static Bounds find_bounds(LLVMValueRef v, unsigned *visits) {
  if (LLVMIsAConstantFP(v))
    return bounds_of_constant(v);
  if (*visits == 0 || !LLVMIsAInstruction(v))
    return anything;
  --*visits;
  switch ((int)LLVMGetInstructionOpcode(v)) {
  case LLVMFAdd:
    return bounds_of_sum(find_bounds(LLVMGetOperand(v, 0), visits),
                         find_bounds(LLVMGetOperand(v, 1), visits));
  case LLVMFMul:
    return bounds_of_product(LLVMGetOperand(v, 0), LLVMGetOperand(v, 1),
                             visits);
  case LLVMSelect: {
    Bounds a = find_bounds(LLVMGetOperand(v, 1), visits);
    Bounds b = find_bounds(LLVMGetOperand(v, 2), visits);
    return (Bounds){fmin(a.least, b.least), fmax(a.most, b.most)};
  }
  case LLVMUIToFP: return positive;
  case LLVMCall: return bounds_of_call(v, visits);
  default: return anything;
  }
}

static bool is_call(LLVMValueRef inst, LLVMValueRef callee) {
  return LLVMIsACallInst(inst) && LLVMGetCalledValue(inst) == callee;
}

static Bounds bounds_of(LLVMValueRef v) {
  unsigned visits = MAX_VISITS;
  return find_bounds(v, &visits);
}

static bool is_normal(LLVMValueRef v) {
  return bounds_of(v).least >= (double)FLT_MIN;
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

// Whether the inverse is a normal number, too, or the number infinite or NaN.
static bool has_normal_inverse(LLVMValueRef v) {
  Bounds bounds = bounds_of(v);
  return bounds.least >= (double)FLT_MIN && bounds.most <= 0x0.fffp126;
}

static bool is_inverse(LLVMValueRef inst) {
  if (LLVMGetInstructionOpcode(inst) != LLVMFDiv ||
      LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMFloatTypeKind)
    return false;
  LLVMValueRef one = LLVMGetOperand(inst, 0);
  LLVMBool is_inexact;
  return LLVMIsAConstantFP(one) &&
         LLVMConstRealGetDouble(one, &is_inexact) == 1 &&
         has_normal_inverse(LLVMGetOperand(inst, 1));
}

static LLVMValueRef nvptx_normal_call(LLVMModuleRef module, LLVMBuilderRef b,
                                      const char *name, LLVMValueRef *args,
                                      unsigned n) {
  LLVMTypeRef type = LLVMTypeOf(args[0]), types[3] = {type, type, type};
  LLVMTypeRef function = LLVMFunctionType(type, types, n, 0);
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  if (callee == NULL)
    callee = LLVMAddFunction(module, name, function);
  return LLVMBuildCall2(b, function, callee, args, n, NV_NAME);
}

// Note [Inverses without a test].
static void invert(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef inst) {
  LLVMValueRef one = LLVMGetOperand(inst, 0), x = LLVMGetOperand(inst, 1);
  LLVMPositionBuilderBefore(b, inst);
  LLVMValueRef r =
      nvptx_normal_call(module, b, "llvm.nvvm.rcp.approx.ftz.f", &x, 1);
  LLVMValueRef rest[3] = {LLVMBuildFNeg(b, x, NV_NAME), r, one};
  LLVMValueRef limits[2] = {
      nvptx_normal_call(module, b, "llvm.fma.f32", rest, 3),
      LLVMConstReal(LLVMTypeOf(x), -1)};
  LLVMValueRef sum[3] = {
      r, nvptx_normal_call(module, b, "llvm.maxnum.f32", limits, 2), r};
  LLVMReplaceAllUsesWith(inst,
                         nvptx_normal_call(module, b, "llvm.fma.f32", sum, 3));
  LLVMInstructionEraseFromParent(inst);
}

static void invert_in(LLVMModuleRef module, LLVMBuilderRef b,
                      LLVMBasicBlockRef block) {
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst;
       inst = next) {
    next = LLVMGetNextInstruction(inst);
    if (is_inverse(inst))
      invert(module, b, inst);
  }
}

void nv_take_normal(LLVMModuleRef module) {
  take_normal(module, "llvm.nvvm.rsqrt.approx.f",
              "llvm.nvvm.rsqrt.approx.ftz.f");
  take_normal(module, "llvm.nvvm.sqrt.approx.f", "llvm.nvvm.sqrt.approx.ftz.f");
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      invert_in(module, b, block);
  LLVMDisposeBuilder(b);
}
