// SPDX-License-Identifier: Apache-2.0
// What --sanitize adds to signed arithmetic: a quick test, which may say yes
// for lanes that don't count; the runtime then looks at each.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

static bool is_in_operator(const IrNode *node) {
  for (const IrNode *up = node->region->owner; up; up = up->region->owner)
    if (ir_is_operator(up))
      return true;
  return false;
}

static int service_op(IrOp op) {
  switch ((int)op) {
  case IR_ADD: return HD_CPU_ADD;
  case IR_SUB: return HD_CPU_SUB;
  case IR_MUL: return HD_CPU_MUL;
  case IR_NEG: return HD_CPU_NEG;
  case IR_SHL: return HD_CPU_SHL;
  default: return -1;
  }
}

// ------------------------------------------------------------ quick tests

// Numbers of which some affine value's lanes are at most away from its base.
static void offset_range(const CpuEmit *e, CpuShape shape, int64_t *low,
                         int64_t *high) {
  uint32_t period = 1u << shape.period_log2;
  *low = *high = 0;
  for (uint32_t i = 0; i < e->lanes; i++) {
    uint32_t lane = i ^ shape.flip;
    int64_t offset = shape.step * (int64_t)(lane % period) +
                     shape.outer * (int64_t)(lane / period);
    *low = offset < *low ? offset : *low;
    *high = offset > *high ? offset : *high;
  }
}

// Bases are exact in 64 bits, so up to 32 the result's tells all.
static LLVMValueRef is_beyond_range(CpuEmit *e, LLVMValueRef base,
                                    CpuShape shape, uint32_t bits) {
  int64_t low, high, half = INT64_C(1) << (bits - 1);
  offset_range(e, shape, &low, &high);
  if (high - low >= half)
    return LLVMConstInt(e->i1, 1, 0);
  base = LLVMBuildAdd(e->b, base, cpu_i64(e, low + half), CPU_NAME);
  return LLVMBuildICmp(e->b, LLVMIntUGT, base,
                       cpu_i64(e, 2 * half - 1 - (high - low)), CPU_NAME);
}

static LLVMValueRef affine_sum(CpuEmit *e, const IrNode *node) {
  LLVMValueRef a = cpu_base(e, cpu_leaf(e, node->args[0], 0));
  LLVMValueRef b =
      node->n_args > 1 ? cpu_base(e, cpu_leaf(e, node->args[1], 0)) : NULL;
  switch ((int)node->op) {
  case IR_ADD: return LLVMBuildAdd(e->b, a, b, CPU_NAME);
  case IR_SUB: return LLVMBuildSub(e->b, a, b, CPU_NAME);
  case IR_MUL: return LLVMBuildMul(e->b, a, b, CPU_NAME);
  case IR_NEG: return LLVMBuildNeg(e->b, a, CPU_NAME);
  default: return LLVMBuildShl(e->b, a, b, CPU_NAME);
  }
}

static LLVMValueRef second_result(CpuEmit *e, const char *name, LLVMValueRef a,
                                  LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef args[2] = {a, b};
  LLVMValueRef both = cpu_intrinsic(e, name, &type, 1, args, 2);
  return LLVMBuildExtractValue(e->b, both, 1, CPU_NAME);
}

// Of scalars or vectors: where the operation overflows.
static LLVMValueRef cpu_overflow_overflows(CpuEmit *e, const IrNode *node,
                                           LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  switch ((int)node->op) {
  case IR_ADD: return second_result(e, "llvm.sadd.with.overflow", a, b);
  case IR_SUB: return second_result(e, "llvm.ssub.with.overflow", a, b);
  case IR_MUL: return second_result(e, "llvm.smul.with.overflow", a, b);
  case IR_NEG:
    return second_result(e, "llvm.ssub.with.overflow", LLVMConstNull(type), a);
  default: break;
  }
  LLVMTypeRef scalar = cpu_scalar_type(e, node->type);
  LLVMValueRef less =
      LLVMConstInt(scalar, ir_type_bits(node->type) - UINT64_C(1), 0);
  LLVMValueRef count = LLVMBuildAnd(e->b, b, llvm_fill(type, less), CPU_NAME);
  LLVMValueRef v = LLVMBuildShl(e->b, a, count, CPU_NAME);
  v = LLVMBuildAShr(e->b, v, count, CPU_NAME);
  return LLVMBuildICmp(e->b, LLVMIntNE, v, a, CPU_NAME);
}

// i1: it may overflow in some active lane.
static LLVMValueRef may_overflow(CpuEmit *e, const IrNode *node) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  uint32_t bits = ir_type_bits(node->type);
  if (shape.kind == CPU_AFFINE && bits <= 32)
    return is_beyond_range(e, affine_sum(e, node), shape, bits);
  bool is_scalar = true;
  for (uint32_t i = 0; i < node->n_args; i++)
    is_scalar &= cpu_leaf(e, node->args[i], 0).shape.kind == CPU_UNIFORM;
  LLVMValueRef x[2] = {NULL, NULL};
  for (uint32_t i = 0; i < node->n_args; i++)
    x[i] = is_scalar ? cpu_scalar_arg(e, node, i) : cpu_vector_arg(e, node, i);
  LLVMValueRef where = cpu_overflow_overflows(e, node, x[0], x[1]);
  return is_scalar ? where : cpu_any(e, cpu_mask_and(e, e->mask, where));
}

// ------------------------------------------------------------------ telling

static LLVMValueRef spilled_arg(CpuEmit *e, const IrNode *node, uint32_t arg) {
  LLVMTypeRef wide = cpu_vector_of(e, e->i64);
  LLVMValueRef v =
      arg < node->n_args ? cpu_vector_arg(e, node, arg) : LLVMConstNull(wide);
  v = LLVMBuildIntCast2(e->b, v, wide, 1, CPU_NAME);
  return cpu_spilled_lanes(e, v, e->i64);
}

bool cpu_may_tell_overflow(const IrNode *node) {
  uint32_t flags = NODE_NO_SIGNED_WRAP | NODE_OWN | NODE_SPECULATIVE;
  return service_op(node->op) >= 0 &&
         (node->flags & flags) == NODE_NO_SIGNED_WRAP &&
         ir_type_is_int(node->type) && !is_in_operator(node);
}

void cpu_tell_overflow(CpuEmit *e, const IrNode *node) {
  int op = service_op(node->op);
  if (e->is_ahead || !cpu_may_tell_overflow(node))
    return;
  LLVMValueRef may = may_overflow(e, node);
  if (LLVMIsAConstantInt(may) && LLVMConstIntGetZExtValue(may) == 0)
    return;
  LLVMBasicBlockRef beyond = cpu_new_block(e, "beyond");
  LLVMBasicBlockRef fits = cpu_new_block(e, "fits");
  LLVMBuildCondBr(e->b, may, beyond, fits);
  cpu_begin_block(e, beyond);
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[8] = {e->ptr, e->i32, e->i32, e->i32,
                          e->i32, e->i32, e->ptr, e->ptr};
  LLVMValueRef args[8] = {e->block,
                          cpu_i32(e, cpu_loc(e, node->loc)),
                          lanes.warp,
                          lanes.bits,
                          cpu_i32(e, op),
                          cpu_i32(e, ir_type_bits(node->type)),
                          spilled_arg(e, node, 0),
                          spilled_arg(e, node, 1)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_overflow), types, args, 8);
  LLVMBuildBr(e->b, fits);
  cpu_begin_block(e, fits);
}
