// SPDX-License-Identifier: Apache-2.0
// Mathematical functions.
//
//   in one or a few instructions   sqrt, floor, copysign, …
//   glibc's vector library         exp, sin, pow, … in chunks of the target's
//                                  width; lanes that aren't active get 1.0
//   else                           the C library, lane by lane
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  bool is_vector; // glibc has it for vectors
} LibraryName;

static LibraryName library_name(IrOp op) {
  switch ((int)op) {
  case IR_CBRT: return (LibraryName){"cbrt", true};
  case IR_EXP: return (LibraryName){"exp", true};
  case IR_EXP2: return (LibraryName){"exp2", true};
  case IR_EXP10: return (LibraryName){"exp10", true};
  case IR_EXPM1: return (LibraryName){"expm1", true};
  case IR_LOG: return (LibraryName){"log", true};
  case IR_LOG2: return (LibraryName){"log2", true};
  case IR_LOG10: return (LibraryName){"log10", true};
  case IR_LOG1P: return (LibraryName){"log1p", true};
  case IR_SIN: return (LibraryName){"sin", true};
  case IR_COS: return (LibraryName){"cos", true};
  case IR_TAN: return (LibraryName){"tan", true};
  case IR_ASIN: return (LibraryName){"asin", true};
  case IR_ACOS: return (LibraryName){"acos", true};
  case IR_ATAN: return (LibraryName){"atan", true};
  case IR_SINH: return (LibraryName){"sinh", true};
  case IR_COSH: return (LibraryName){"cosh", true};
  case IR_TANH: return (LibraryName){"tanh", true};
  case IR_ASINH: return (LibraryName){"asinh", true};
  case IR_ACOSH: return (LibraryName){"acosh", true};
  case IR_ATANH: return (LibraryName){"atanh", true};
  case IR_ERF: return (LibraryName){"erf", true};
  case IR_ERFC: return (LibraryName){"erfc", true};
  case IR_POW: return (LibraryName){"pow", true};
  case IR_ATAN2: return (LibraryName){"atan2", true};
  case IR_HYPOT: return (LibraryName){"hypot", true};
  case IR_TGAMMA: return (LibraryName){"tgamma", false};
  case IR_LGAMMA: return (LibraryName){"lgamma_r", false};
  case IR_NEXTAFTER: return (LibraryName){"nextafter", false};
  case IR_REMAINDER: return (LibraryName){"remainder", false};
  case IR_FREM: return (LibraryName){"fmod", false};
  case IR_LDEXP: return (LibraryName){"ldexp", false};
  case IR_ILOGB: return (LibraryName){"ilogb", false};
  default: break;
  }
  HD_PANIC("operation %d is not a library function", (int)op);
}

static bool is_double(LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static LLVMValueRef cpu_math_number(CpuEmit *e, LLVMValueRef like,
                                    double value) {
  LLVMTypeRef scalar = is_double(like) ? e->f64 : e->f32;
  return llvm_fill(LLVMTypeOf(like), LLVMConstReal(scalar, value));
}

// Attribute `memory`: nothing, or writes through pointer arguments.
enum { MEMORY_NONE = 0, MEMORY_ARGUMENTS_WRITE = 2 };

static LLVMValueRef cpu_math_declare(CpuEmit *e, const char *name,
                                     LLVMTypeRef type, uint64_t effects) {
  LLVMValueRef function = LLVMGetNamedFunction(e->llvm, name);
  if (function)
    return function;
  static const char *const attributes[] = {"nounwind", "willreturn",
                                           "nocallback"};
  function = LLVMAddFunction(e->llvm, name, type);
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
    unsigned kind =
        LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
    LLVMAddAttributeAtIndex(function,
                            (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->cx, kind, 0));
  }
  unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(e->cx, memory, effects));
  return function;
}

static LLVMValueRef cpu_math_call(CpuEmit *e, const char *name,
                                  LLVMTypeRef result, LLVMValueRef *args,
                                  unsigned n) {
  LLVMTypeRef types[3];
  for (unsigned i = 0; i < n; i++)
    types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMValueRef function = cpu_math_declare(e, name, type, MEMORY_NONE);
  return LLVMBuildCall2(e->b, type, function, args, n, CPU_NAME);
}

// ------------------------------------------------------- the C library

// lgamma itself writes the process's `signgam`, which workers would race for.
static LLVMValueRef log_gamma(CpuEmit *e, LLVMTypeRef result, LLVMValueRef x) {
  const char *name = is_double(x) ? "lgamma_r" : "lgammaf_r";
  LLVMValueRef args[2] = {x, cpu_alloca(e, e->i32)};
  LLVMTypeRef types[2] = {LLVMTypeOf(x), LLVMTypeOf(args[1])};
  LLVMTypeRef type = LLVMFunctionType(result, types, 2, 0);
  LLVMValueRef function =
      cpu_math_declare(e, name, type, MEMORY_ARGUMENTS_WRITE);
  return LLVMBuildCall2(e->b, type, function, args, 2, CPU_NAME);
}

static LLVMValueRef scalar_call(CpuEmit *e, const char *base,
                                LLVMTypeRef result, LLVMValueRef *args,
                                unsigned n) {
  if (strcmp(base, "lgamma_r") == 0)
    return log_gamma(e, result, args[0]);
  const char *name =
      arena_printf(e->arena, "%s%s", base, is_double(args[0]) ? "" : "f");
  return cpu_math_call(e, name, result, args, n);
}

static LLVMValueRef lane_calls(CpuEmit *e, const char *base, LLVMTypeRef result,
                               LLVMValueRef *args, unsigned n) {
  LLVMValueRef memory[3];
  LLVMTypeRef row = LLVMVectorType(result, e->lanes);
  LLVMValueRef out = cpu_alloca(e, row);
  LLVMBuildStore(e->b, LLVMConstNull(row), out);
  for (unsigned i = 0; i < n; i++) {
    memory[i] = cpu_alloca(e, LLVMTypeOf(args[i]));
    LLVMBuildStore(e->b, args[i], memory[i]);
  }
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  LLVMValueRef one[3];
  for (unsigned i = 0; i < n; i++) {
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(args[i]));
    LLVMValueRef at =
        LLVMBuildGEP2(e->b, type, memory[i], &loop.lane, 1, CPU_NAME);
    one[i] = LLVMBuildLoad2(e->b, type, at, CPU_NAME);
  }
  LLVMValueRef v = scalar_call(e, base, result, one, n);
  LLVMValueRef at = LLVMBuildGEP2(e->b, result, out, &loop.lane, 1, CPU_NAME);
  LLVMBuildStore(e->b, v, at);
  cpu_lanes_end(e, &loop);
  return LLVMBuildLoad2(e->b, row, out, CPU_NAME);
}

// ------------------------------------------------------ the vector library

static LLVMValueRef vector_calls(CpuEmit *e, const char *base,
                                 LLVMValueRef *args, unsigned n) {
  bool wide = is_double(args[0]);
  uint32_t width = e->target->vector_bytes / (wide ? 8 : 4);
  const char *name =
      arena_printf(e->arena, "_ZGV%cN%u%s_%s%s", e->target->mvec_letter, width,
                   n == 2 ? "vv" : "v", base, wide ? "" : "f");
  LLVMTypeRef type = LLVMVectorType(wide ? e->f64 : e->f32, width);
  LLVMValueRef parts[CPU_WARP];
  if (e->mask)
    for (unsigned i = 0; i < n; i++)
      args[i] =
          cpu_select(e, e->mask, args[i], cpu_math_number(e, args[i], 1.0));
  for (uint32_t c = 0; c < e->lanes / width; c++) {
    LLVMValueRef chunk[2];
    for (unsigned i = 0; i < n; i++)
      chunk[i] = cpu_slice(e, args[i], c * width, width);
    parts[c] = cpu_math_call(e, name, type, chunk, n);
  }
  return llvm_join(e->b, parts, e->lanes / width);
}

static LLVMValueRef cpu_math_library(CpuEmit *e, IrOp op, LLVMValueRef *args,
                                     unsigned n, LLVMTypeRef result) {
  LibraryName name = library_name(op);
  bool is_vector = LLVMGetTypeKind(LLVMTypeOf(args[0])) == LLVMVectorTypeKind;
  if (!is_vector)
    return scalar_call(e, name.name, result, args, n);
  if (name.is_vector && e->target->mvec_letter)
    return vector_calls(e, name.name, args, n);
  return lane_calls(e, name.name, result, args, n);
}

// ------------------------------------------------------------- in place

static LLVMValueRef fast_flags(const IrNode *node, LLVMValueRef v) {
  if ((node->flags & NODE_FAST_MATH) != 0 && LLVMIsAInstruction(v) &&
      LLVMCanValueUseFastMathFlags(v))
    LLVMSetFastMathFlags(
        v, LLVMFastMathAllowReassoc | LLVMFastMathAllowReciprocal |
               LLVMFastMathAllowContract | LLVMFastMathApproxFunc);
  return v;
}

// C's fdim: x - y where x > y, NaN if one is, else 0.
static LLVMValueRef cpu_math_positive_difference(CpuEmit *e, LLVMValueRef *x) {
  LLVMValueRef d = LLVMBuildFSub(e->b, x[0], x[1], CPU_NAME);
  LLVMValueRef below = LLVMBuildFCmp(e->b, LLVMRealOLE, x[0], x[1], CPU_NAME);
  return LLVMBuildSelect(e->b, below, cpu_math_number(e, d, 0.0), d, CPU_NAME);
}

// sin or cos of pi * x: the nearest integer is taken off exactly first.
static LLVMValueRef of_turns(CpuEmit *e, IrOp op, LLVMValueRef x) {
  LLVMValueRef whole = llvm_overloaded(e->b, "llvm.rint", &x, 1);
  LLVMValueRef rest = LLVMBuildFSub(e->b, x, whole, CPU_NAME);
  if (op == IR_COSPI) { // cos(pi t) = sin(pi (1/2 - |t|))
    LLVMValueRef size = llvm_overloaded(e->b, "llvm.fabs", &rest, 1);
    rest = LLVMBuildFSub(e->b, cpu_math_number(e, x, 0.5), size, CPU_NAME);
  }
  LLVMValueRef angle =
      LLVMBuildFMul(e->b, rest, cpu_math_number(e, x, M_PI), CPU_NAME);
  LLVMTypeRef scalar = is_double(x) ? e->f64 : e->f32;
  LLVMValueRef v = cpu_math_library(e, IR_SIN, &angle, 1, scalar);
  // Odd numbers of half turns change the sign.
  LLVMValueRef half =
      LLVMBuildFMul(e->b, whole, cpu_math_number(e, x, 0.5), CPU_NAME);
  LLVMValueRef floor_half = llvm_overloaded(e->b, "llvm.floor", &half, 1);
  LLVMValueRef odd =
      LLVMBuildFCmp(e->b, LLVMRealUNE, half, floor_half, CPU_NAME);
  return LLVMBuildSelect(e->b, odd, LLVMBuildFNeg(e->b, v, CPU_NAME), v,
                         CPU_NAME);
}

static LLVMValueRef sigmoid(CpuEmit *e, LLVMValueRef x) {
  LLVMValueRef negative = LLVMBuildFNeg(e->b, x, CPU_NAME);
  LLVMTypeRef scalar = is_double(x) ? e->f64 : e->f32;
  LLVMValueRef power = cpu_math_library(e, IR_EXP, &negative, 1, scalar);
  LLVMValueRef one = cpu_math_number(e, x, 1.0);
  return LLVMBuildFDiv(e->b, one, LLVMBuildFAdd(e->b, one, power, CPU_NAME),
                       CPU_NAME);
}

static LLVMValueRef cpu_math_root(CpuEmit *e, const IrNode *node,
                                  LLVMValueRef x) {
  LLVMValueRef v = fast_flags(node, llvm_overloaded(e->b, "llvm.sqrt", &x, 1));
  if (node->op == IR_SQRT)
    return v;
  return fast_flags(
      node, LLVMBuildFDiv(e->b, cpu_math_number(e, x, 1.0), v, CPU_NAME));
}

// Functions of f32 or f64 vectors or scalars.
static LLVMValueRef cpu_math_compute(CpuEmit *e, const IrNode *node,
                                     LLVMValueRef *x) {
  LLVMTypeRef result = is_double(x[0]) ? e->f64 : e->f32;
  switch (ir_math_op(node->op)) {
  case IR_SQRT:
  case IR_RSQRT: return cpu_math_root(e, node, x[0]);
  case IR_FLOOR: return llvm_overloaded(e->b, "llvm.floor", x, 1);
  case IR_CEIL: return llvm_overloaded(e->b, "llvm.ceil", x, 1);
  case IR_FTRUNC: return llvm_overloaded(e->b, "llvm.trunc", x, 1);
  case IR_ROUND: return llvm_overloaded(e->b, "llvm.round", x, 1);
  case IR_RINT: return llvm_overloaded(e->b, "llvm.rint", x, 1);
  case IR_COPYSIGN: return llvm_overloaded(e->b, "llvm.copysign", x, 2);
  case IR_FDIM: return cpu_math_positive_difference(e, x);
  case IR_SIGMOID: return sigmoid(e, x[0]);
  case IR_SINPI:
  case IR_COSPI: return of_turns(e, node->op, x[0]);
  case IR_ILOGB: return cpu_math_library(e, node->op, x, 1, e->i32);
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
  case IR_FAST_DIV:
    return cpu_emit_fast(e, node->op, x[0], node->n_args > 1 ? x[1] : NULL);
  case IR_EXP:
  case IR_LOG:
  case IR_EXP2:
  case IR_LOG2:
    return result == e->f32
               ? cpu_emit_fast(e, node->op, x[0], NULL)
               : cpu_math_library(e, node->op, x, node->n_args, result);
  case IR_FREM:
  case IR_CBRT:
  case IR_EXP10:
  case IR_EXPM1:
  case IR_LOG10:
  case IR_LOG1P:
  case IR_SIN:
  case IR_COS:
  case IR_TAN:
  case IR_ASIN:
  case IR_ACOS:
  case IR_ATAN:
  case IR_SINH:
  case IR_COSH:
  case IR_TANH:
  case IR_ASINH:
  case IR_ACOSH:
  case IR_ATANH:
  case IR_ERF:
  case IR_ERFC:
  case IR_TGAMMA:
  case IR_LGAMMA:
  case IR_POW:
  case IR_ATAN2:
  case IR_HYPOT:
  case IR_NEXTAFTER:
  case IR_REMAINDER:
  case IR_LDEXP: return cpu_math_library(e, node->op, x, node->n_args, result);
  }
  code_refuse(node);
}

static bool cpu_math_is_narrow(IrTypeKind kind) {
  return kind == IR_TYPE_F16 || kind == IR_TYPE_BF16;
}

// The neighbour of a 16-bit float towards another: one step in its bits.
static LLVMValueRef cpu_math_narrow_neighbour(CpuEmit *e, IrTypeKind kind,
                                              LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef one = llvm_fill(type, LLVMConstInt(e->i16, 1, 0));
  LLVMValueRef sign = llvm_fill(type, LLVMConstInt(e->i16, 0x8000, 0));
  LLVMValueRef low = llvm_fill(type, LLVMConstInt(e->i16, 0x7fff, 0));
  LLVMValueRef x = cpu_to_f32(e, kind, a), y = cpu_to_f32(e, kind, b);
  LLVMValueRef zero = cpu_math_number(e, x, 0.0);
  LLVMValueRef up = LLVMBuildFCmp(e->b, LLVMRealOLT, x, y, CPU_NAME);
  LLVMValueRef negative = LLVMBuildFCmp(e->b, LLVMRealOLT, x, zero, CPU_NAME);
  LLVMValueRef grows = LLVMBuildXor(e->b, up, negative, CPU_NAME);
  LLVMValueRef v =
      LLVMBuildSelect(e->b, grows, LLVMBuildAdd(e->b, a, one, CPU_NAME),
                      LLVMBuildSub(e->b, a, one, CPU_NAME), CPU_NAME);
  LLVMValueRef from_zero = LLVMBuildOr(
      e->b, one, LLVMBuildSelect(e->b, up, LLVMConstNull(type), sign, CPU_NAME),
      CPU_NAME);
  LLVMValueRef is_zero = LLVMBuildFCmp(e->b, LLVMRealOEQ, x, zero, CPU_NAME);
  v = LLVMBuildSelect(e->b, is_zero, from_zero, v, CPU_NAME);
  LLVMValueRef same = LLVMBuildFCmp(e->b, LLVMRealOEQ, x, y, CPU_NAME);
  v = LLVMBuildSelect(e->b, same, b, v, CPU_NAME);
  LLVMValueRef bad = LLVMBuildFCmp(e->b, LLVMRealUNO, x, y, CPU_NAME);
  return LLVMBuildSelect(e->b, bad, low, v, CPU_NAME);
}

void cpu_emit_math(CpuEmit *e, const IrNode *node) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  IrTypeKind kind = (IrTypeKind)node->args[0]->type.kind;
  LLVMValueRef x[3] = {NULL, NULL, NULL};
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = shape.kind == CPU_UNIFORM ? cpu_scalar_arg(e, node, i)
                                     : cpu_vector_arg(e, node, i);
  if (cpu_math_is_narrow(kind) && node->op == IR_NEXTAFTER) {
    cpu_set_value(e, node, 0, cpu_math_narrow_neighbour(e, kind, x[0], x[1]));
    return;
  }
  for (uint32_t i = 0; cpu_math_is_narrow(kind) && i < node->n_args; i++)
    if (cpu_math_is_narrow((IrTypeKind)node->args[i]->type.kind))
      x[i] = cpu_to_f32(e, kind, x[i]);
  LLVMValueRef v = cpu_math_compute(e, node, x);
  if (cpu_math_is_narrow((IrTypeKind)node->type.kind))
    v = cpu_from_f32(e, kind, v);
  cpu_set_value(e, node, 0, v);
}
