// SPDX-License-Identifier: Apache-2.0
// Mathematics.
//
//   in one or a few instructions   sqrt, floor, copysign, …
//   PTX's approximations           fast_exp, … of float; rsqrt of float
//   else                           src/devicemath, linked in
//
// 16-bit floats are computed in float. The errors are those that
// docs/reference/accuracy.md states.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

#include <math.h>
#include <string.h>

static bool nvptx_math_is_narrow(IrType type) {
  return type.kind == IR_TYPE_F16 || type.kind == IR_TYPE_BF16;
}

static bool nvptx_math_is_double(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMDoubleTypeKind;
}

static LLVMValueRef nvptx_math_number(LLVMValueRef like, double value) {
  return LLVMConstReal(LLVMTypeOf(like), value);
}

static LLVMValueRef nvptx_math_mul(NvEmit *e, LLVMValueRef v, double factor) {
  return LLVMBuildFMul(e->b, v, nvptx_math_number(v, factor), NV_NAME);
}

static LLVMValueRef nvptx_math_fma3(NvEmit *e, LLVMValueRef a, double b,
                                    LLVMValueRef c) {
  LLVMValueRef args[3] = {a, nvptx_math_number(a, b), c};
  return llvm_overloaded(e->b, "llvm.fma", args, 3);
}

static LLVMValueRef nvptx_math_library(NvEmit *e, IrOp op, LLVMValueRef *x,
                                       unsigned n) {
  const char *name = arena_printf(e->arena, "%s_%s", ir_op_table[op].text,
                                  nvptx_math_is_double(x[0]) ? "f64" : "f32");
  LLVMTypeRef result = op == IR_ILOGB ? e->i32 : LLVMTypeOf(x[0]);
  return nv_call_library(e, name, result, x, n);
}

// ------------------------------------------------------- approximations

static LLVMValueRef approximate(NvEmit *e, const char *name, LLVMValueRef x) {
  return nv_intrinsic(e, name, NULL, 0, &x, 1);
}

static LLVMValueRef exp2_approximate(NvEmit *e, LLVMValueRef x) {
  return llvm_overloaded(e->b, "llvm.nvvm.ex2.approx.ftz", &x, 1);
}

static LLVMValueRef log2_approximate(NvEmit *e, LLVMValueRef x) {
  return approximate(e, "llvm.nvvm.lg2.approx.ftz.f", x);
}

// Whole turns are taken off first: the instruction is good within one.
static LLVMValueRef of_turn(NvEmit *e, const char *name, LLVMValueRef x) {
  LLVMValueRef turns = nvptx_math_mul(e, x, 0.5 * M_1_PI);
  LLVMValueRef n = llvm_overloaded(e->b, "llvm.rint", &turns, 1);
  x = nvptx_math_fma3(e, n, -6.28125, x); // few bits: exact
  x = nvptx_math_fma3(e, n, -(2 * M_PI - 6.28125), x);
  return approximate(e, name, x);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static LLVMValueRef fast_single(NvEmit *e, IrOp op, LLVMValueRef *x) {
  switch (op) {
  case IR_FAST_EXP:
    return exp2_approximate(e, nvptx_math_mul(e, x[0], M_LOG2E));
  case IR_FAST_EXP2: return exp2_approximate(e, x[0]);
  case IR_FAST_LOG: return nvptx_math_mul(e, log2_approximate(e, x[0]), M_LN2);
  case IR_FAST_LOG2: return log2_approximate(e, x[0]);
  case IR_FAST_SIN: return of_turn(e, "llvm.nvvm.sin.approx.ftz.f", x[0]);
  case IR_FAST_COS: return of_turn(e, "llvm.nvvm.cos.approx.ftz.f", x[0]);
  case IR_FAST_TANH:
    return nv_asm(e, e->f32, "tanh.approx.f32 $0, $1;", "=f,f", x, 1, false);
  case IR_FAST_RSQRT:
    return approximate(e, "llvm.nvvm.rsqrt.approx.ftz.f", x[0]);
  case IR_FAST_RCP: return approximate(e, "llvm.nvvm.rcp.approx.ftz.f", x[0]);
  case IR_FAST_SQRT: return approximate(e, "llvm.nvvm.sqrt.approx.ftz.f", x[0]);
  case IR_FAST_DIV:
    return nv_intrinsic(e, "llvm.nvvm.div.approx.ftz.f", NULL, 0, x, 2);
  case IR_FAST_POW: {
    LLVMValueRef power =
        LLVMBuildFMul(e->b, x[1], log2_approximate(e, x[0]), NV_NAME);
    return exp2_approximate(e, power);
  }
  default: HD_PANIC("operation %d has no approximation", (int)op);
  }
}

static LLVMValueRef nvptx_math_reciprocal_root(NvEmit *e, LLVMValueRef x) {
  if (!nvptx_math_is_double(x))
    return approximate(e, "llvm.nvvm.rsqrt.approx.f", x);
  LLVMValueRef root = llvm_overloaded(e->b, "llvm.sqrt", &x, 1);
  return LLVMBuildFDiv(e->b, nvptx_math_number(x, 1.0), root, NV_NAME);
}

// The hardware approximates floats; doubles are as accurate as ever.
static LLVMValueRef fast(NvEmit *e, IrOp op, LLVMValueRef *x) {
  if (!nvptx_math_is_double(x[0]))
    return fast_single(e, op, x);
  switch (op) {
  case IR_FAST_EXP: return nvptx_math_library(e, IR_EXP, x, 1);
  case IR_FAST_EXP2: return nvptx_math_library(e, IR_EXP2, x, 1);
  case IR_FAST_LOG: return nvptx_math_library(e, IR_LOG, x, 1);
  case IR_FAST_LOG2: return nvptx_math_library(e, IR_LOG2, x, 1);
  case IR_FAST_SIN: return nvptx_math_library(e, IR_SIN, x, 1);
  case IR_FAST_COS: return nvptx_math_library(e, IR_COS, x, 1);
  case IR_FAST_TANH: return nvptx_math_library(e, IR_TANH, x, 1);
  case IR_FAST_POW: return nvptx_math_library(e, IR_POW, x, 2);
  case IR_FAST_RSQRT: return nvptx_math_reciprocal_root(e, x[0]);
  case IR_FAST_RCP:
    return LLVMBuildFDiv(e->b, nvptx_math_number(x[0], 1.0), x[0], NV_NAME);
  case IR_FAST_SQRT: return llvm_overloaded(e->b, "llvm.sqrt", x, 1);
  case IR_FAST_DIV: return LLVMBuildFDiv(e->b, x[0], x[1], NV_NAME);
  default: HD_PANIC("operation %d has no approximation", (int)op);
  }
}

// ------------------------------------------------------------- in place

// C's fdim: x - y where x > y, NaN if one is, else 0.
static LLVMValueRef nvptx_math_positive_difference(NvEmit *e, LLVMValueRef *x) {
  LLVMValueRef d = LLVMBuildFSub(e->b, x[0], x[1], NV_NAME);
  LLVMValueRef below = LLVMBuildFCmp(e->b, LLVMRealOLE, x[0], x[1], NV_NAME);
  return LLVMBuildSelect(e->b, below, nvptx_math_number(d, 0.0), d, NV_NAME);
}

static LLVMValueRef nvptx_math_root(NvEmit *e, const IrNode *node,
                                    LLVMValueRef x) {
  bool is_loose =
      (node->flags & NODE_FAST_MATH) != 0 && !nvptx_math_is_double(x);
  return is_loose ? approximate(e, "llvm.nvvm.sqrt.approx.f", x)
                  : llvm_overloaded(e->b, "llvm.sqrt", &x, 1);
}

// Of floats and doubles.
static LLVMValueRef nvptx_math_compute(NvEmit *e, const IrNode *node,
                                       LLVMValueRef *x) {
  switch (ir_math_op(node->op)) {
#define FUNCTION(op, text, kind, family) case IR_##op:
#include "devicemath/devicemath.def"
#undef FUNCTION
    return nvptx_math_library(e, node->op, x, node->n_args);
  case IR_SQRT: return nvptx_math_root(e, node, x[0]);
  case IR_RSQRT: return nvptx_math_reciprocal_root(e, x[0]);
  case IR_FLOOR: return llvm_overloaded(e->b, "llvm.floor", x, 1);
  case IR_CEIL: return llvm_overloaded(e->b, "llvm.ceil", x, 1);
  case IR_FTRUNC: return llvm_overloaded(e->b, "llvm.trunc", x, 1);
  case IR_ROUND: return llvm_overloaded(e->b, "llvm.round", x, 1);
  case IR_RINT: return llvm_overloaded(e->b, "llvm.rint", x, 1);
  case IR_COPYSIGN: return llvm_overloaded(e->b, "llvm.copysign", x, 2);
  case IR_FDIM: return nvptx_math_positive_difference(e, x);
  case IR_FAST_EXP:
  case IR_FAST_EXP2:
  case IR_FAST_LOG:
  case IR_FAST_LOG2:
  case IR_FAST_SIN:
  case IR_FAST_COS:
  case IR_FAST_TANH:
  case IR_FAST_RSQRT:
  case IR_FAST_RCP:
  case IR_FAST_SQRT:
  case IR_FAST_POW:
  case IR_FAST_DIV: return fast(e, node->op, x);
  }
  code_refuse(node);
}

#pragma GCC diagnostic pop

static LLVMValueRef nvptx_math_narrow_neighbour(NvEmit *e, IrType type,
                                                LLVMValueRef *x) {
  uint64_t infinity = type.kind == IR_TYPE_F16 ? 0x7c00 : 0x7f80;
  LLVMValueRef args[3] = {LLVMBuildBitCast(e->b, x[0], e->i16, NV_NAME),
                          LLVMBuildBitCast(e->b, x[1], e->i16, NV_NAME),
                          LLVMConstInt(e->i16, infinity, 0)};
  LLVMValueRef bits = nv_call_library(e, "nextafter_16", e->i16, args, 3);
  return LLVMBuildBitCast(e->b, bits, nv_scalar_type(e, type), NV_NAME);
}

void nv_emit_math(NvEmit *e, const IrNode *node) {
  LLVMValueRef x[2] = {NULL, NULL};
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = nv_arg(e, node, i);
  if (nvptx_math_is_narrow(node->type) && node->op == IR_NEXTAFTER) {
    nv_set_value(e, node, 0, nvptx_math_narrow_neighbour(e, node->type, x));
    return;
  }
  for (uint32_t i = 0; i < node->n_args; i++)
    if (nvptx_math_is_narrow(node->args[i]->type))
      x[i] = LLVMBuildFPExt(e->b, x[i], e->f32, NV_NAME);
  LLVMValueRef v = nvptx_math_compute(e, node, x);
  if (nvptx_math_is_narrow(node->type))
    v = LLVMBuildFPTrunc(e->b, v, nv_scalar_type(e, node->type), NV_NAME);
  nv_set_value(e, node, 0, v);
}
