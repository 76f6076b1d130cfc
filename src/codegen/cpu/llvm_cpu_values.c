// SPDX-License-Identifier: Apache-2.0
// Leaves: making vectors and scalars of them, variables, constants.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

LLVMTypeRef cpu_scalar_type(const CpuEmit *e, IrType type) {
  switch ((IrTypeKind)type.kind) {
  case IR_TYPE_BOOL: return e->i1;
  case IR_TYPE_I8:
  case IR_TYPE_E4M3:
  case IR_TYPE_E5M2: return e->i8;
  case IR_TYPE_I16:
  case IR_TYPE_F16:
  case IR_TYPE_BF16: return e->i16; // their bits
  case IR_TYPE_TOKEN:               // the number of a phase
  case IR_TYPE_I32: return e->i32;
  case IR_TYPE_I64: return e->i64;
  case IR_TYPE_F32: return e->f32;
  case IR_TYPE_F64: return e->f64;
  case IR_TYPE_PTR: return e->ptr;
  case IR_TYPE_VOID:
  IR_NARROW_CASES:
  case IR_TYPE_STRUCT:
  case IR_TYPE_TILE:
  case IR_TYPE_COUNT: break;
  }
  HD_PANIC("type %d is not a scalar", type.kind);
}

LLVMTypeRef cpu_vector_of(const CpuEmit *e, LLVMTypeRef scalar) {
  return e->lanes == 1 ? scalar : LLVMVectorType(scalar, e->lanes);
}

LLVMTypeRef cpu_vector_type(const CpuEmit *e, IrType type) {
  return cpu_vector_of(e, cpu_scalar_type(e, type));
}

LLVMValueRef cpu_i32(const CpuEmit *e, int64_t value) {
  return LLVMConstInt(e->i32, (uint64_t)value, 1);
}

LLVMValueRef cpu_i64(const CpuEmit *e, int64_t value) {
  return LLVMConstInt(e->i64, (uint64_t)value, 1);
}

LLVMValueRef cpu_const_splat(const CpuEmit *e, LLVMValueRef scalar) {
  LLVMValueRef elements[CPU_WARP];
  if (e->lanes == 1)
    return scalar;
  for (uint32_t i = 0; i < e->lanes; i++)
    elements[i] = scalar;
  return LLVMConstVector(elements, e->lanes);
}

LLVMValueRef cpu_splat(CpuEmit *e, LLVMValueRef scalar) {
  if (e->lanes == 1)
    return scalar;
  if (LLVMIsConstant(scalar))
    return cpu_const_splat(e, scalar);
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), e->lanes);
  LLVMValueRef poison = LLVMGetPoison(type);
  LLVMValueRef first =
      LLVMBuildInsertElement(e->b, poison, scalar, cpu_i32(e, 0), CPU_NAME);
  LLVMTypeRef index_type = LLVMVectorType(e->i32, e->lanes);
  return LLVMBuildShuffleVector(e->b, first, poison, LLVMConstNull(index_type),
                                CPU_NAME);
}

LLVMValueRef cpu_affine_offsets(const CpuEmit *e, LLVMTypeRef type,
                                CpuShape shape) {
  LLVMValueRef elements[CPU_WARP];
  uint32_t period = 1u << shape.period_log2;
  for (uint32_t i = 0; i < e->lanes; i++) {
    uint32_t lane = i ^ shape.flip;
    int64_t offset = shape.step * (int64_t)(lane % period) +
                     shape.outer * (int64_t)(lane / period);
    elements[i] = LLVMConstInt(type, (uint64_t)offset, 1);
  }
  return e->lanes == 1 ? elements[0] : LLVMConstVector(elements, e->lanes);
}

CpuLeaf cpu_leaf(CpuEmit *e, const IrNode *node, uint32_t index) {
  return e->values[e->plan->node_leaf[node->id] + index];
}

static LLVMValueRef affine_vector(CpuEmit *e, CpuLeaf leaf) {
  if (leaf.type.kind == IR_TYPE_PTR) {
    LLVMValueRef offsets = cpu_affine_offsets(e, e->i64, leaf.shape);
    return LLVMBuildGEP2(e->b, e->i8, leaf.v, &offsets, 1, CPU_NAME);
  }
  LLVMTypeRef type = cpu_scalar_type(e, leaf.type);
  LLVMValueRef base = leaf.v;
  if (type != e->i64)
    base = LLVMBuildTrunc(e->b, base, type, CPU_NAME);
  return LLVMBuildAdd(e->b, cpu_splat(e, base),
                      cpu_affine_offsets(e, type, leaf.shape), CPU_NAME);
}

LLVMValueRef cpu_as_vector(CpuEmit *e, CpuLeaf leaf) {
  switch ((CpuShapeKind)leaf.shape.kind) {
  case CPU_UNIFORM: return cpu_splat(e, leaf.v);
  case CPU_AFFINE: return affine_vector(e, leaf);
  case CPU_VARYING: return leaf.v;
  case CPU_NONE: break;
  }
  return LLVMConstNull(cpu_vector_type(e, leaf.type));
}

LLVMValueRef cpu_vector_arg(CpuEmit *e, const IrNode *node, uint32_t arg) {
  return cpu_as_vector(e, cpu_leaf(e, node->args[arg], 0));
}

LLVMValueRef cpu_base(CpuEmit *e, CpuLeaf leaf) {
  if (leaf.shape.kind == CPU_VARYING)
    return leaf.base;
  if (leaf.shape.kind == CPU_AFFINE || leaf.type.kind == IR_TYPE_I64 ||
      leaf.type.kind == IR_TYPE_PTR)
    return leaf.v;
  if (leaf.type.kind == IR_TYPE_BOOL)
    return LLVMBuildZExt(e->b, leaf.v, e->i64, CPU_NAME);
  return LLVMBuildSExt(e->b, leaf.v, e->i64, CPU_NAME);
}

LLVMValueRef cpu_scalar_arg(CpuEmit *e, const IrNode *node, uint32_t arg) {
  CpuLeaf leaf = cpu_leaf(e, node->args[arg], 0);
  HD_ASSERT(leaf.shape.kind == CPU_UNIFORM);
  return leaf.v;
}

CpuLeaf cpu_convert(CpuEmit *e, CpuLeaf leaf, CpuShape shape) {
  if (leaf.shape.kind == CPU_NONE && shape.kind != CPU_NONE) {
    leaf.v = LLVMConstNull(cpu_scalar_type(e, leaf.type));
    leaf.shape = cpu_uniform();
  }
  if (shape.kind == CPU_VARYING)
    leaf.v = cpu_as_vector(e, leaf);
  else if (shape.kind == CPU_AFFINE)
    leaf.v = cpu_base(e, leaf);
  leaf.shape = shape;
  return leaf;
}

static LLVMValueRef affine_at_lane(CpuEmit *e, CpuLeaf leaf,
                                   LLVMValueRef lane) {
  LLVMValueRef wide = LLVMBuildZExt(e->b, lane, e->i64, CPU_NAME);
  if (leaf.shape.flip != 0)
    wide = LLVMBuildXor(e->b, wide, cpu_i64(e, leaf.shape.flip), CPU_NAME);
  LLVMValueRef count = cpu_i64(e, leaf.shape.period_log2);
  LLVMValueRef row = LLVMBuildLShr(e->b, wide, count, CPU_NAME);
  LLVMValueRef in_row = LLVMBuildAnd(
      e->b, wide, cpu_i64(e, ((int64_t)1 << leaf.shape.period_log2) - 1),
      CPU_NAME);
  LLVMValueRef sum = LLVMBuildAdd(
      e->b, LLVMBuildMul(e->b, row, cpu_i64(e, leaf.shape.outer), CPU_NAME),
      LLVMBuildMul(e->b, in_row, cpu_i64(e, leaf.shape.step), CPU_NAME),
      CPU_NAME);
  if (leaf.type.kind == IR_TYPE_PTR)
    return LLVMBuildGEP2(e->b, e->i8, leaf.v, &sum, 1, CPU_NAME);
  sum = LLVMBuildAdd(e->b, leaf.v, sum, CPU_NAME);
  return LLVMBuildTrunc(e->b, sum, cpu_scalar_type(e, leaf.type), CPU_NAME);
}

LLVMValueRef cpu_at_lane(CpuEmit *e, CpuLeaf leaf, LLVMValueRef lane) {
  if (leaf.shape.kind == CPU_AFFINE)
    return affine_at_lane(e, leaf, lane);
  if (leaf.shape.kind == CPU_VARYING)
    return LLVMBuildExtractElement(e->b, leaf.v, lane, CPU_NAME);
  return leaf.v;
}

void cpu_set_value(CpuEmit *e, const IrNode *node, uint32_t index,
                   LLVMValueRef value) {
  uint32_t at = e->plan->node_leaf[node->id] + index, offset;
  CpuLeaf *leaf = &e->values[at];
  leaf->shape = e->plan->shapes[at];
  leaf->type = code_leaf_type(e->module, node->type, index, &offset);
  leaf->v = value;
  leaf->base = leaf->row = NULL;
}

void cpu_set_form(CpuEmit *e, const IrNode *node, LLVMValueRef base,
                  LLVMValueRef row) {
  CpuLeaf *leaf = &e->values[e->plan->node_leaf[node->id]];
  leaf->base = base;
  leaf->row = row;
}

LLVMValueRef cpu_cut(CpuEmit *e, LLVMValueRef v, uint32_t bits,
                     bool is_signed) {
  LLVMTypeRef narrow = LLVMIntTypeInContext(e->cx, bits);
  if (bits >= 64)
    return v;
  v = LLVMBuildTrunc(e->b, v, narrow, CPU_NAME);
  return LLVMBuildIntCast2(e->b, v, e->i64, is_signed, CPU_NAME);
}

// -------------------------------------------------------------- variables

LLVMValueRef cpu_alloca(CpuEmit *e, LLVMTypeRef type) {
  return LLVMBuildAlloca(e->hoist, type, CPU_NAME);
}

LLVMValueRef cpu_load_slot(CpuEmit *e, LLVMTypeRef type, LLVMValueRef slot) {
  return LLVMBuildLoad2(e->b, type, slot, CPU_NAME);
}

LLVMTypeRef cpu_slot_type(const CpuEmit *e, IrType type, uint8_t kind) {
  if (kind == CPU_VARYING)
    return cpu_vector_type(e, type);
  if (kind == CPU_AFFINE && type.kind != IR_TYPE_PTR)
    return e->i64;
  return cpu_scalar_type(e, type);
}

void cpu_store_var(CpuEmit *e, uint32_t leaf, CpuLeaf value) {
  e->env[leaf] = cpu_without_form(value.shape);
  if (value.shape.kind == CPU_NONE)
    return;
  LLVMValueRef *slot = &e->var_slots[leaf][value.shape.kind];
  if (*slot == NULL)
    *slot = cpu_alloca(e, cpu_slot_type(e, value.type, value.shape.kind));
  LLVMBuildStore(e->b, value.v, *slot);
}

CpuLeaf cpu_load_var(CpuEmit *e, uint32_t leaf, IrType type) {
  CpuLeaf value = {.shape = e->env[leaf], .type = type};
  if (value.shape.kind == CPU_NONE) {
    value.shape = cpu_uniform();
    value.v = LLVMConstNull(cpu_scalar_type(e, type));
    return value;
  }
  LLVMValueRef *slot = &e->var_slots[leaf][value.shape.kind];
  LLVMTypeRef llvm_type = cpu_slot_type(e, type, value.shape.kind);
  if (*slot == NULL)
    *slot = cpu_alloca(e, llvm_type);
  value.v = cpu_load_slot(e, llvm_type, *slot);
  return value;
}

// ------------------------------------------------------------------ LLVM

LLVMValueRef cpu_intrinsic(CpuEmit *e, const char *name,
                           const LLVMTypeRef *overloads, unsigned n_overloads,
                           LLVMValueRef *args, unsigned n_args) {
  return llvm_intrinsic(e->b, name, overloads, n_overloads, args, n_args);
}

LLVMBasicBlockRef cpu_new_block(CpuEmit *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->cx, e->function, name);
}

void cpu_begin_block(CpuEmit *e, LLVMBasicBlockRef block) {
  LLVMBasicBlockRef last = LLVMGetLastBasicBlock(e->function);
  if (last != block)
    LLVMMoveBasicBlockAfter(block, last);
  LLVMPositionBuilderAtEnd(e->b, block);
  cpu_forget_rows(e); // control may come from elsewhere
}
