// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison. An operation is emitted once, on scalars where
// its result is uniform, on bases where it is affine, else on vectors.
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/llvm_parts.h"

// Signs of 16-bit floats are bits.
static LLVMValueRef narrow_sign_op(CpuEmit *e, const IrNode *node,
                                   LLVMValueRef v) {
  if (node->op == IR_NEG)
    return LLVMBuildXor(e->b, v, llvm_int_like(v, 0x8000), CPU_NAME);
  return LLVMBuildAnd(e->b, v, llvm_int_like(v, 0x7fff), CPU_NAME);
}

// `v` unless `a` is a NaN, then `b`.
static LLVMValueRef past_nan(CpuEmit *e, LLVMValueRef a, LLVMValueRef b,
                             LLVMValueRef v) {
  LLVMValueRef is_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, a, a, CPU_NAME);
  return LLVMBuildSelect(e->b, is_nan, b, v, CPU_NAME);
}

// Where a scalar is known not to be a NaN, LLVM 22 takes the other one with
// AVX-512 even if that is a NaN (findings/llvm-x86-maximumnum.sh). So scalars
// are looked at before.
LLVMValueRef cpu_extreme(CpuEmit *e, bool is_min, LLVMValueRef a,
                         LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef args[2] = {a, b};
  if (!e->target->is_x86 || LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    return cpu_intrinsic(e, is_min ? "llvm.minimumnum" : "llvm.maximumnum",
                         &type, 1, args, 2);
  LLVMValueRef v = cpu_intrinsic(e, is_min ? "llvm.minimum" : "llvm.maximum",
                                 &type, 1, args, 2);
  return past_nan(e, a, b, past_nan(e, b, a, v));
}

static LLVMValueRef cpu_float_op(CpuEmit *e, const IrNode *node,
                                 LLVMValueRef *x) {
  return node->op == IR_FMIN || node->op == IR_FMAX
             ? cpu_extreme(e, node->op == IR_FMIN, x[0], x[1])
             : llvm_float_op(e->b, node, x);
}

// 16-bit floats are computed wide and rounded once: float holds sums,
// products, quotients and roots well enough that rounding twice can't differ;
// fma needs double.
static LLVMValueRef narrow_float_op(CpuEmit *e, const IrNode *node,
                                    LLVMValueRef *x) {
  IrTypeKind kind = (IrTypeKind)node->type.kind;
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = cpu_to_f32(e, kind, x[i]);
  if (node->op != IR_FMA)
    return cpu_from_f32(e, kind, cpu_float_op(e, node, x));
  LLVMTypeRef wide = llvm_type_like(LLVMTypeOf(x[0]), e->f64);
  for (uint32_t i = 0; i < 3; i++)
    x[i] = LLVMBuildFPExt(e->b, x[i], wide, CPU_NAME);
  return cpu_from_f64(e, kind, llvm_float_op(e->b, node, x));
}

static LLVMValueRef cpu_arith_apply(CpuEmit *e, const IrNode *node,
                                    LLVMValueRef *x) {
  IrType type = node->type;
  LLVMValueRef dot = cpu_dot(e, node, x);
  if (dot)
    return dot;
  if (!ir_type_is_float(type))
    // With checks it may wrap: that is told, and the run goes on.
    return llvm_integer_op(e->b, node, x, !e->plan->has_checks);
  if (llvm_is_narrow(type))
    return node->op == IR_NEG || node->op == IR_FABS
               ? narrow_sign_op(e, node, x[0])
               : narrow_float_op(e, node, x);
  return llvm_with_fast_flags(node, cpu_float_op(e, node, x));
}

// --------------------------------------------------------- affine results

static LLVMValueRef pointer_sum(CpuEmit *e, LLVMValueRef pointer,
                                LLVMValueRef offset) {
  return LLVMBuildGEP2(e->b, e->i8, pointer, &offset, 1, CPU_NAME);
}

static LLVMValueRef affine_bits(CpuEmit *e, const IrNode *node,
                                LLVMValueRef base) {
  int64_t value = 0;
  code_const_int(node->args[1], &value);
  bool is_unsigned = (node->op == IR_LSHR && value > 0) ||
                     (node->op == IR_UDIV && value > 1) || node->op == IR_UREM;
  if (is_unsigned && !cpu_node_shape(e->plan, node->args[0]).is_nonneg)
    base = cpu_cut(e, base, 32, false);
  switch ((int)node->op) {
  case IR_AND: return LLVMBuildAnd(e->b, base, cpu_i64(e, value), CPU_NAME);
  case IR_LSHR:
  case IR_ASHR: return LLVMBuildAShr(e->b, base, cpu_i64(e, value), CPU_NAME);
  case IR_SDIV:
  case IR_UDIV:
    return LLVMBuildAShr(
        e->b, base, cpu_i64(e, __builtin_ctzll((uint64_t)value)), CPU_NAME);
  default: break;
  }
  return LLVMBuildAnd(e->b, base, cpu_i64(e, value - 1), CPU_NAME);
}

// An operation on bases, in i64 without wrapping.
static LLVMValueRef cpu_arith_base_of(CpuEmit *e, const IrNode *node) {
  LLVMValueRef a = cpu_base(e, cpu_leaf(e, node->args[0], 0)), b = NULL;
  if (node->n_args > 1)
    b = cpu_base(e, cpu_leaf(e, node->args[1], 0));
  switch ((int)node->op) {
  case IR_PTR_ADD: return pointer_sum(e, a, b);
  case IR_ADD: return LLVMBuildAdd(e->b, a, b, CPU_NAME);
  case IR_SUB: return LLVMBuildSub(e->b, a, b, CPU_NAME);
  case IR_NEG: return LLVMBuildNeg(e->b, a, CPU_NAME);
  case IR_MUL: return LLVMBuildMul(e->b, a, b, CPU_NAME);
  case IR_SHL: return LLVMBuildShl(e->b, a, b, CPU_NAME);
  case IR_XOR:
    // What it does to the lanes is in the shape.
    b = LLVMBuildAnd(e->b, b, cpu_i64(e, -(int64_t)CPU_WARP), CPU_NAME);
    return LLVMBuildXor(e->b, a, b, CPU_NAME);
  default: break;
  }
  return affine_bits(e, node, a);
}

static LLVMValueRef cpu_arith_affine_base(CpuEmit *e, const IrNode *node) {
  LLVMValueRef base = cpu_arith_base_of(e, node);
  return cpu_may_wrap(e->plan, node) ? cpu_cut(e, base, 32, true) : base;
}

// What lane / period counts in a factor: constant and scalar part.
static LLVMValueRef whole_row(CpuEmit *e, CpuLeaf leaf) {
  LLVMValueRef outer = cpu_i64(e, leaf.shape.outer);
  return leaf.row ? LLVMBuildAdd(e->b, leaf.row, outer, CPU_NAME) : outer;
}

// The scalar part of the row of a form, NULL where it has none.
static LLVMValueRef form_row(CpuEmit *e, const IrNode *node) {
  CpuLeaf a = cpu_leaf(e, node->args[0], 0), b = {.v = NULL};
  LLVMValueRef zero = cpu_i64(e, 0);
  int64_t factor;
  if (!cpu_node_shape(e->plan, node).has_row)
    return NULL;
  if (node->n_args > 1)
    b = cpu_leaf(e, node->args[1], 0);
  switch ((int)node->op) {
  case IR_ADD:
    return LLVMBuildAdd(e->b, a.row ? a.row : zero, b.row ? b.row : zero,
                        CPU_NAME);
  case IR_SUB:
    return LLVMBuildSub(e->b, a.row ? a.row : zero, b.row ? b.row : zero,
                        CPU_NAME);
  case IR_NEG: return LLVMBuildNeg(e->b, a.row, CPU_NAME);
  case IR_SHL: return LLVMBuildShl(e->b, a.row, cpu_base(e, b), CPU_NAME);
  default: break;
  }
  bool is_left = a.shape.kind == CPU_UNIFORM;
  CpuLeaf rows = is_left ? b : a, by = is_left ? a : b;
  bool is_const = code_const_int(node->args[is_left ? 0 : 1], &factor);
  return LLVMBuildMul(e->b, is_const ? rows.row : whole_row(e, rows),
                      cpu_base(e, by), CPU_NAME);
}

// Cut where 32 bits are all that is known, so that LLVM computes in 32.
static void set_form(CpuEmit *e, const IrNode *node) {
  LLVMValueRef base = cpu_arith_base_of(e, node), row = form_row(e, node);
  if (cpu_node_shape(e->plan, node).form_bits == 32) {
    base = cpu_cut(e, base, 32, true);
    row = row ? cpu_cut(e, row, 32, true) : NULL;
  }
  cpu_set_form(e, node, base, row);
}

// Some of the bits in which the lanes of a warp differ, of an aligned lane.
static bool is_lane_bits(const CpuEmit *e, const IrNode *node) {
  int64_t value;
  if (node->op != IR_AND || e->lanes == 1 ||
      cpu_node_shape(e->plan, node).kind != CPU_VARYING ||
      !code_const_int(node->args[1], &value))
    return false;
  CpuShape a = cpu_node_shape(e->plan, node->args[0]);
  return a.kind == CPU_AFFINE && a.period_log2 == CPU_WARP_LOG2 &&
         a.step == 1 && a.align_log2 >= CPU_WARP_LOG2 && value >= 0 &&
         value < CPU_WARP;
}

static LLVMValueRef lane_bits(CpuEmit *e, const IrNode *node) {
  int64_t value = 0;
  code_const_int(node->args[1], &value);
  LLVMTypeRef type = cpu_scalar_type(e, node->type);
  LLVMValueRef lanes =
      cpu_affine_offsets(e, type, cpu_node_shape(e->plan, node->args[0]));
  LLVMValueRef bits = LLVMConstInt(type, (uint64_t)value, 1);
  return LLVMBuildAnd(e->b, lanes, cpu_const_splat(e, bits), CPU_NAME);
}

void cpu_emit_arith(CpuEmit *e, const IrNode *node) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  LLVMValueRef x[4];
  if (e->plan->has_checks)
    cpu_tell_overflow(e, node);
  if (shape.kind == CPU_AFFINE) {
    cpu_set_value(e, node, 0, cpu_arith_affine_base(e, node));
    return;
  }
  if (shape.kind == CPU_UNIFORM && node->n_args == 2) {
    // Of an affine and a constant: rank / 32 and the like.
    CpuLeaf a = cpu_leaf(e, node->args[0], 0);
    if (a.shape.kind == CPU_AFFINE) {
      LLVMValueRef v = affine_bits(e, node, a.v);
      LLVMTypeRef type = cpu_scalar_type(e, node->type);
      cpu_set_value(e, node, 0, LLVMBuildIntCast2(e->b, v, type, 1, CPU_NAME));
      return;
    }
  }
  if (is_lane_bits(e, node)) {
    cpu_set_value(e, node, 0, lane_bits(e, node));
    return;
  }
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = shape.kind == CPU_UNIFORM ? cpu_scalar_arg(e, node, i)
                                     : cpu_vector_arg(e, node, i);
  cpu_set_value(e, node, 0, cpu_arith_apply(e, node, x));
  if (shape.form_bits > 0)
    set_form(e, node);
}

// ------------------------------------------------------------ comparison

// 16-bit floats are their bits.
static LLVMValueRef classify_leaf(CpuEmit *e, IrOp op, IrType type,
                                  LLVMValueRef v) {
  if (!llvm_is_narrow(type))
    return llvm_classify(e->b, op, v);
  if (op == IR_SIGNBIT)
    return LLVMBuildICmp(e->b, LLVMIntSLT, v, LLVMConstNull(LLVMTypeOf(v)),
                         CPU_NAME);
  return llvm_classify(e->b, op, cpu_to_f32(e, (IrTypeKind)type.kind, v));
}

static LLVMValueRef cpu_arith_compare(CpuEmit *e, const IrNode *node,
                                      LLVMValueRef *x) {
  IrType type = node->args[0]->type;
  if (node->n_args == 1)
    return classify_leaf(e, node->op, type, x[0]);
  if (!ir_type_is_float(type))
    return LLVMBuildICmp(e->b, llvm_int_predicate(node->op), x[0], x[1],
                         CPU_NAME);
  if (llvm_is_narrow(type)) {
    x[0] = cpu_to_f32(e, (IrTypeKind)type.kind, x[0]);
    x[1] = cpu_to_f32(e, (IrTypeKind)type.kind, x[1]);
  }
  return LLVMBuildFCmp(e->b, llvm_real_predicate(node->op), x[0], x[1],
                       CPU_NAME);
}

void cpu_emit_compare(CpuEmit *e, const IrNode *node) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  LLVMValueRef x[2] = {NULL, NULL};
  bool is_linear = false;
  for (uint32_t i = 0; i < node->n_args; i++)
    is_linear |= cpu_leaf(e, node->args[i], 0).shape.kind == CPU_AFFINE;
  if (shape.kind == CPU_UNIFORM && is_linear) {
    // Lanes on one side of a multiple of 32: their first decides.
    for (uint32_t i = 0; i < 2; i++)
      x[i] = cpu_base(e, cpu_leaf(e, node->args[i], 0));
    cpu_set_value(e, node, 0,
                  LLVMBuildICmp(e->b, llvm_int_predicate(node->op), x[0], x[1],
                                CPU_NAME));
    return;
  }
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = shape.kind == CPU_UNIFORM ? cpu_scalar_arg(e, node, i)
                                     : cpu_vector_arg(e, node, i);
  cpu_set_value(e, node, 0, cpu_arith_compare(e, node, x));
}
