// SPDX-License-Identifier: Apache-2.0
// What --sanitize tests of an access before it asks the runtime: each index
// against its extent, and the bytes of a thread's own variables, which the
// runtime doesn't know, against their size.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

// Tells of the lanes of `bad`, if any; `v` are their indices of the dimension.
static void tell_where(CpuEmit *e, const IrNode *node, LLVMValueRef bad,
                       uint32_t dim, LLVMValueRef v, LLVMValueRef extent) {
  LLVMBasicBlockRef outside = cpu_new_block(e, "outside");
  LLVMBasicBlockRef inside = cpu_new_block(e, "inside");
  LLVMBuildCondBr(e->b, cpu_any(e, bad), outside, inside);
  cpu_begin_block(e, outside);
  CpuTold lanes = cpu_told_lanes(e, bad);
  LLVMTypeRef types[7] = {e->ptr, e->i32, e->i32, e->i32,
                          e->i32, e->ptr, e->i64};
  LLVMValueRef args[7] = {e->block,        cpu_site(e, node),
                          lanes.warp,      lanes.bits,
                          cpu_i32(e, dim), cpu_spilled_lanes(e, v, e->i64),
                          extent};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_outside), types, args, 7);
  LLVMBuildBr(e->b, inside);
  cpu_begin_block(e, inside);
}

// The index of a dimension; returns the lanes that are outside.
static LLVMValueRef check_index(CpuEmit *e, const IrNode *node,
                                LLVMValueRef mask, uint32_t dim,
                                CpuLeaf index) {
  LLVMValueRef extent = cpu_extent(e, node->u.access.object, dim);
  LLVMTypeRef wide = cpu_vector_of(e, e->i64);
  LLVMValueRef v, bad;
  if (index.shape.kind == CPU_UNIFORM) {
    LLVMValueRef one = cpu_base(e, index);
    bad = LLVMBuildICmp(e->b, LLVMIntUGE, one, extent, CPU_NAME);
    v = cpu_splat(e, one);
    bad = cpu_splat(e, bad);
  } else {
    v = LLVMBuildSExt(e->b, cpu_as_vector(e, index), wide, CPU_NAME);
    bad = LLVMBuildICmp(e->b, LLVMIntUGE, v, cpu_splat(e, extent), CPU_NAME);
  }
  bad = cpu_mask_and(e, mask, bad);
  tell_where(e, node, bad, dim, v, extent);
  return bad;
}

LLVMValueRef cpu_check_indices(CpuEmit *e, const IrNode *node,
                               LLVMValueRef mask) {
  const IrAccess *access = &node->u.access;
  if (access->object == NULL || access->bounds != BOUNDS_NONE ||
      access->object->is_plain_pointer)
    return NULL;
  uint32_t first = (uint32_t)code_operands(node).index;
  LLVMValueRef outside = NULL;
  for (uint32_t k = 0; k < access->n_index; k++) {
    CpuLeaf index = cpu_leaf(e, node->args[first + k], 0);
    LLVMValueRef rest = cpu_mask_without(e, mask, outside);
    LLVMValueRef bad = check_index(e, node, rest, k, index);
    outside = cpu_mask_or_none(e, outside, bad);
  }
  return outside;
}

// ------------------------------------------------------------ own variables

// Of a thread's own variable, in bytes.
typedef struct {
  int64_t size, row, element; // a row: all elements of one first index
} OwnBytes;

static OwnBytes cpu_bounds_own_bytes(const IrObject *object) {
  OwnBytes own = {.element = object->element_bytes};
  own.size = own.row = own.element;
  for (uint32_t k = object->rank; k-- > 0;) {
    int64_t extent = 1;
    code_host_const(object->extents[k], &extent);
    own.row = own.size;
    own.size *= extent;
  }
  return own;
}

// Where an access begins, from the variable's beginning; i64 in each lane.
static LLVMValueRef own_offset(CpuEmit *e, const IrNode *node, OwnBytes own) {
  const IrAccess *access = &node->u.access;
  CodeOperands at = code_operands(node);
  LLVMTypeRef wide = cpu_vector_of(e, e->i64);
  LLVMValueRef sum = LLVMConstNull(wide);
  for (uint32_t k = 0; k < access->n_index; k++) {
    CpuLeaf leaf = cpu_leaf(e, node->args[(uint32_t)at.index + k], 0);
    LLVMValueRef index =
        LLVMBuildSExt(e->b, cpu_as_vector(e, leaf), wide, CPU_NAME);
    LLVMValueRef extent = cpu_splat(e, cpu_extent(e, access->object, k));
    sum = LLVMBuildMul(e->b, sum, extent, CPU_NAME);
    sum = LLVMBuildAdd(e->b, sum, index, CPU_NAME);
  }
  LLVMValueRef bytes = cpu_splat(e, cpu_i64(e, own.element));
  sum = LLVMBuildMul(e->b, sum, bytes, CPU_NAME);
  if (!access->has_offset)
    return sum;
  CpuLeaf more = cpu_leaf(e, node->args[at.offset], 0);
  return LLVMBuildAdd(e->b, sum, cpu_as_vector(e, more), CPU_NAME);
}

LLVMValueRef cpu_check_own_bytes(CpuEmit *e, const IrNode *node,
                                 LLVMValueRef mask) {
  const IrAccess *access = &node->u.access;
  if (access->object == NULL || access->bounds != BOUNDS_NONE)
    return NULL;
  OwnBytes own = cpu_bounds_own_bytes(access->object);
  int64_t size = ir_type_size(e->module, access->type);
  if (!access->has_offset && size <= own.element)
    return NULL; // its indices say all
  LLVMValueRef begin = own_offset(e, node, own);
  LLVMValueRef most = cpu_splat(e, cpu_i64(e, own.size - size));
  LLVMValueRef row = cpu_splat(e, cpu_i64(e, own.row));
  LLVMValueRef before = LLVMBuildICmp(
      e->b, LLVMIntSLT, begin, LLVMConstNull(LLVMTypeOf(begin)), CPU_NAME);
  LLVMValueRef behind = LLVMBuildICmp(e->b, LLVMIntSGT, begin, most, CPU_NAME);
  // The first index that is outside, of an element that is reached in part too.
  LLVMValueRef from =
      LLVMBuildSelect(e->b, before, cpu_splat(e, cpu_i64(e, 1 - own.row)),
                      cpu_splat(e, cpu_i64(e, size - 1)), CPU_NAME);
  LLVMValueRef index = LLVMBuildSDiv(
      e->b, LLVMBuildAdd(e->b, begin, from, CPU_NAME), row, CPU_NAME);
  LLVMValueRef bad = LLVMBuildOr(e->b, before, behind, CPU_NAME);
  bad = cpu_mask_and(e, mask, bad);
  tell_where(e, node, bad, 0, index, cpu_i64(e, own.size / own.row));
  return bad;
}
