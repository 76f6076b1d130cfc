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

static bool cpu_access_scale(int64_t *value, int64_t factor) {
  return !__builtin_mul_overflow(*value, factor, value) &&
         *value<BYTES_LIMIT && * value> - BYTES_LIMIT;
}

// Bits that tell apart all offsets of elements (or bytes) within the object,
// and their sign.
static uint32_t offset_bits(const CpuPlan *plan, const IrObject *object,
                            bool is_bytes) {
  uint32_t bits = 32;
  if (!cpu_object_is_small(plan, object))
    return 64;
  while (is_bytes && object->element_bytes > (UINT64_C(1) << (bits - 32)))
    bits++;
  return bits;
}

// The lanes of a form (of a row, where those lie anywhere) are so near to each
// other that their distances need no more than half of its bits' range.
static bool is_near(CpuShape form) {
  int64_t rows = ((int64_t)CPU_WARP >> form.period_log2) - 1;
  int64_t columns = ((int64_t)1 << form.period_log2) - 1;
  int64_t step = form.step < 0 ? -form.step : form.step;
  int64_t outer = form.outer < 0 ? -form.outer : form.outer;
  int64_t span = step * columns + (form.has_row ? 0 : outer * rows);
  return span < (int64_t)1 << (form.form_bits - 2);
}

CpuShape cpu_index_shape(const CpuPlan *plan, const IrNode *node,
                         const IrNode *index, bool is_offset) {
  const IrAccess *access = &node->u.access;
  CpuShape shape = cpu_node_shape(plan, index), form = shape;
  bool is_exact = shape.kind == CPU_AFFINE && shape.is_exact;
  if (shape.kind == CPU_UNIFORM || is_exact)
    return shape;
  // Only one of an index and an offset is known to lie within the object, and
  // neither where nothing is accessed yet.
  bool is_inside = node->op != IR_ADDRESS &&
                   (code_operands(node).offset < 0 || access->n_index == 0);
  if (plan->has_checks || !is_inside || !cpu_as_form(index->type, &form) ||
      form.form_bits < offset_bits(plan, access->object, is_offset) ||
      !is_near(form))
    return cpu_varying();
  if (form.has_row) {
    form.kind = CPU_VARYING;
    return form;
  }
  form.kind = CPU_AFFINE;
  form.is_exact = true;
  return form;
}

// Adds index * stride (bytes) to the shape of an address.
static CpuShape add_index(CpuShape sum, CpuShape index, bool is_const,
                          int64_t stride_bytes) {
  if (sum.kind == CPU_VARYING || index.kind == CPU_VARYING)
    return cpu_varying();
  if (index.kind != CPU_AFFINE)
    return sum;
  if (!is_const || !index.is_exact ||
      !cpu_access_scale(&index.step, stride_bytes) ||
      !cpu_access_scale(&index.outer, stride_bytes))
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
  bool is_table = access->object && access->object->is_table;
  if (is_table && plan->lanes > 1 &&
      cpu_node_shape(plan, node->args[(uint32_t)at.index]).kind != CPU_UNIFORM)
    return cpu_varying(); // each lane's array may be another one
  for (uint32_t k = is_table; k < access->n_index; k++) {
    int64_t stride = 0;
    bool is_const = code_stride_const(access->object, k, &stride) &&
                    cpu_access_scale(&stride, access->object->element_bytes);
    const IrNode *index = node->args[(uint32_t)at.index + k];
    CpuShape shape = cpu_index_shape(plan, node, index, false);
    sum = add_index(sum, shape, is_const, stride);
  }
  if (access->object && access->object->space == SPACE_SHARED &&
      plan->shared[access->object->id].n_instances > 1)
    sum = add_index(sum, cpu_instance_shape(plan, access->object->group), true,
                    (int64_t)plan->shared[access->object->id].size_bytes);
  if (at.offset >= 0)
    sum = add_index(
        sum, cpu_index_shape(plan, node, node->args[at.offset], true), true, 1);
  if (sum.kind == CPU_NONE)
    sum.kind = CPU_UNIFORM;
  return plan->lanes == 1 ? cpu_uniform() : sum;
}
