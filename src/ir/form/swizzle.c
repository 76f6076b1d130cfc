// SPDX-License-Identifier: Apache-2.0
#include "ir/form/swizzle.h"

#include "ir/form/host_eval.h"

uint32_t ir_layout_bytes(IrLayoutKind layout) {
  switch (layout) {
  case LAYOUT_SWIZZLE32: return 32;
  case LAYOUT_SWIZZLE64: return 64;
  case LAYOUT_SWIZZLE128: return 128;
  case LAYOUT_UNDECIDED:
  case LAYOUT_ROW_MAJOR:
  case LAYOUT_LINEAR: break;
  }
  return 0;
}

uint32_t ir_swizzle_bytes(const IrObject *object) {
  return ir_layout_bytes(object->layout);
}

uint64_t ir_swizzle_align(const IrObject *object) {
  uint64_t bytes = ir_swizzle_bytes(object);
  return bytes ? bytes * SWIZZLE_ROWS : 1;
}

uint64_t ir_row_bytes(const IrObject *object) {
  const IrHost *row = object->rank ? object->extents[object->rank - 1] : NULL;
  if (!row || row->op != HOST_CONST || row->is_float || row->number <= 0)
    return 0;
  return (uint64_t)row->number * object->element_bytes;
}

const char *ir_swizzle_problem(const IrObject *object, uint32_t bytes) {
  uint64_t row = ir_row_bytes(object);
  if (object->kind != OBJECT_ARRAY || object->space != SPACE_SHARED)
    return "it is no shared array";
  if (object->rank < 2)
    return "it has no rows";
  if (object->element_bytes == 0 ||
      SWIZZLE_CHUNK_BYTES % object->element_bytes != 0)
    return "its elements don't divide 16 bytes";
  if (row == 0 || row % bytes != 0)
    return "its rows aren't whole panels";
  return NULL;
}

bool ir_leaves_element(const IrModule *module, const IrAccess *access) {
  const IrObject *object = access->object;
  return access->n_index != object->rank || access->has_offset ||
         access->offset_bytes + ir_type_size(module, access->type) >
             object->element_bytes;
}
