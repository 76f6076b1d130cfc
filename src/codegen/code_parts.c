// SPDX-License-Identifier: Apache-2.0
#include "codegen/code_parts.h"

#include "base/panic.h"

// ---------------------------------------------------------------- leaves

uint32_t code_leaf_count(const IrModule *module, IrType type) {
  if (type.kind == IR_TYPE_VOID)
    return 0;
  if (type.kind == IR_TYPE_TILE) // of a thread: Note [Sums of units]
    return ir_tile_elements(module, type) / CODE_WARPGROUP;
  if (type.kind != IR_TYPE_STRUCT)
    return type.lanes;
  const IrStruct *record = module->structs.data[type.index];
  uint32_t count = 0;
  for (uint32_t i = 0; i < record->leaves.count; i++)
    count += record->leaves.data[i].type.lanes;
  return count;
}

IrType code_leaf_type(const IrModule *module, IrType type, uint32_t index,
                      uint32_t *offset_bytes) {
  HD_ASSERT(index < code_leaf_count(module, type));
  if (type.kind == IR_TYPE_TILE)
    type = ir_element_type(module, type);
  uint32_t start = 0;
  if (type.kind == IR_TYPE_STRUCT) {
    const IrStruct *record = module->structs.data[type.index];
    for (uint32_t i = 0; i < record->leaves.count; i++) {
      const IrLeaf *leaf = &record->leaves.data[i];
      if (index < leaf->type.lanes) {
        type = leaf->type;
        start = leaf->offset_bytes;
        break;
      }
      index -= leaf->type.lanes;
    }
  }
  type.lanes = 1;
  *offset_bytes = start + index * ir_type_size(module, type);
  return type;
}

uint32_t code_leaf_of_member(const IrModule *module, IrType type,
                             uint32_t number) {
  if (type.kind != IR_TYPE_STRUCT)
    return number;
  const IrStruct *record = module->structs.data[type.index];
  uint32_t first = 0;
  for (uint32_t i = 0; i < number && i < record->leaves.count; i++)
    first += record->leaves.data[i].type.lanes;
  return first;
}

// ------------------------------------------------------------- accesses

CodeOperands code_operands(const IrNode *node) {
  const IrAccess *access = &node->u.access;
  CodeOperands at = {-1, -1, -1, -1, -1, -1};
  int next = 0;
  if (access->object == NULL)
    at.pointer = next++;
  if (access->n_index > 0) {
    at.index = next;
    next += access->n_index;
  }
  if (access->has_offset)
    at.offset = next++;
  if (access->has_guard)
    at.guard = next++;
  if (node->op == IR_CAS)
    at.compare = next++;
  if (next < (int)node->n_args)
    at.value = next;
  return at;
}

bool code_host_const(const IrHost *host, int64_t *value) {
  if (host == NULL || host->op != HOST_CONST || host->is_float)
    return false;
  *value = host->number;
  return true;
}

bool code_stride_const(const IrObject *object, uint32_t dim, int64_t *value) {
  if (object->has_strides && object->strides[dim] != NULL)
    return code_host_const(object->strides[dim], value);
  int64_t product = 1;
  for (uint32_t k = dim + 1; k < object->rank; k++) {
    int64_t extent;
    if (!code_host_const(object->extents[k], &extent) ||
        __builtin_mul_overflow(product, extent, &product))
      return false;
  }
  *value = product;
  return true;
}

// ------------------------------------------------------------ constants

bool code_const_int(const IrNode *node, int64_t *value) {
  if (node->op != IR_CONST || node->type.lanes != 1)
    return false;
  uint64_t bits = node->u.constant.bits;
  switch ((IrTypeKind)node->type.kind) {
  case IR_TYPE_BOOL: *value = (int64_t)(bits & 1); return true;
  case IR_TYPE_I8: *value = (int8_t)bits; return true;
  case IR_TYPE_I16: *value = (int16_t)bits; return true;
  case IR_TYPE_I32: *value = (int32_t)bits; return true;
  case IR_TYPE_I64: *value = (int64_t)bits; return true;
  case IR_TYPE_VOID:
  case IR_TYPE_F16:
  case IR_TYPE_BF16:
  case IR_TYPE_F32:
  case IR_TYPE_F64:
  case IR_TYPE_E4M3:
  case IR_TYPE_E5M2:
  IR_NARROW_CASES:
  case IR_TYPE_PTR:
  case IR_TYPE_STRUCT:
  case IR_TYPE_TOKEN:
  case IR_TYPE_TILE:
  case IR_TYPE_COUNT: break;
  }
  return false;
}

void code_refuse(const IrNode *node) {
  HD_PANIC("no back end has '%s'", ir_op_info(node)->text);
}
