// SPDX-License-Identifier: Apache-2.0
// Addresses of memory accesses: operands, strides, shapes.
#include "codegen/cpu/cpu_plan.h"

bool cpu_object_is_small(const CpuPlan *plan, const IrObject *object) {
  (void)plan;
  if (object == NULL)
    return false;
  if (object->space == SPACE_SHARED || object->space == SPACE_LOCAL ||
      (object->facts & FACT_SMALL) != 0)
    return true;
  int64_t elements = 1;
  for (uint32_t k = 0; k < object->rank; k++) {
    int64_t extent;
    if (!code_host_const(object->extents[k], &extent) ||
        __builtin_mul_overflow(elements, extent, &elements))
      return false;
  }
  return !object->is_plain_pointer && elements < INT32_MAX;
}

#define BYTES_LIMIT ((int64_t)1 << 40)

static bool scale(int64_t *value, int64_t factor) {
  return !__builtin_mul_overflow(*value, factor, value) &&
         *value<BYTES_LIMIT && * value> - BYTES_LIMIT;
}

// Adds index * stride (bytes) to the shape of an address.
static CpuShape add_index(CpuShape sum, CpuShape index, bool is_const,
                          int64_t stride_bytes) {
  if (sum.kind == CPU_VARYING || index.kind == CPU_VARYING)
    return cpu_varying();
  if (index.kind != CPU_AFFINE)
    return sum;
  if (!is_const || !index.is_exact || !scale(&index.step, stride_bytes) ||
      !scale(&index.outer, stride_bytes))
    return cpu_varying();
  if (sum.kind != CPU_AFFINE) {
    sum.kind = CPU_AFFINE;
    sum.flip = index.flip;
    sum.period_log2 = CPU_WARP_LOG2;
    sum.step = sum.outer = 0;
  }
  if (sum.flip != index.flip || !cpu_shape_align_periods(&sum, &index))
    return cpu_varying();
  sum.step += index.step;
  sum.outer += index.outer;
  sum.is_exact = true;
  return sum;
}

CpuShape cpu_access_shape(const CpuPlan *plan, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  CodeOperands at = code_operands(node);
  CpuShape sum = cpu_uniform();
  if (at.pointer >= 0)
    sum = cpu_node_shape(plan, node->args[at.pointer]);
  sum.align_log2 = 0;
  sum.is_nonneg = false;
  for (uint32_t k = 0; k < access->n_index; k++) {
    int64_t stride = 0;
    bool is_const = code_stride_const(access->object, k, &stride) &&
                    scale(&stride, access->object->element_bytes);
    const IrNode *index = node->args[(uint32_t)at.index + k];
    sum = add_index(sum, cpu_node_shape(plan, index), is_const, stride);
  }
  if (access->object && access->object->space == SPACE_SHARED &&
      plan->shared[access->object->id].n_instances > 1)
    sum = add_index(sum, cpu_instance_shape(plan, access->object->group), true,
                    (int64_t)plan->shared[access->object->id].size_bytes);
  if (at.offset >= 0)
    sum = add_index(sum, cpu_node_shape(plan, node->args[at.offset]), true, 1);
  if (sum.kind == CPU_NONE)
    sum.kind = CPU_UNIFORM;
  return plan->lanes == 1 ? cpu_uniform() : sum;
}
