// SPDX-License-Identifier: Apache-2.0
// Values, and reading and writing the storage that holds them.
#include "lower/lower_internal.h"
#include <string.h>

Value lower_value_node(IrNode *node) {
  return (Value){.kind = VALUE_LEAVES, .n_leaves = 1, .node = node};
}

Value lower_value_leaves(Lowering *lw, IrNode **leaves, uint32_t n_leaves) {
  Value value = {.kind = VALUE_LEAVES, .n_leaves = n_leaves};
  if (n_leaves == 1)
    value.node = leaves[0];
  else if (n_leaves > 1) {
    value.leaves = ARENA_ARRAY(lw->scratch, IrNode *, n_leaves);
    memcpy(value.leaves, leaves, n_leaves * sizeof *leaves);
  }
  return value;
}

Value lower_value_address(const Address *address) {
  return (Value){.kind = VALUE_POINTER, .address = address};
}

IrNode *lower_leaf(const Value *value, uint32_t i) {
  HD_ASSERT(value->kind == VALUE_LEAVES && i < value->n_leaves);
  return value->n_leaves == 1 ? value->node : value->leaves[i];
}

Value lower_as_leaves(Lowering *lw, Value value, const Type *type) {
  if (value.kind == VALUE_LEAVES)
    return value;
  if (value.kind == VALUE_MEMORY)
    return lower_load_memory(lw, value.address, type, HINT_NONE);
  IrNode *node = lower_pointer_node(lw, value.address, type->u.pointer.space);
  return lower_value_node(node);
}

Value lower_from_leaves(Lowering *lw, Value value, const Type *type) {
  if (!type_is(type, TY_POINTER) || value.kind != VALUE_LEAVES)
    return value;
  return lower_value_address(lower_address_of_node(lw, value.node));
}

Value lower_zero_value(Lowering *lw, const Type *type) {
  const TypeLayout *layout = lower_layout(lw, type);
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  HD_ASSERT(layout->is_split);
  for (uint32_t i = 0; i < layout->n_leaves; i++)
    leaves[i] = lower_zero(lw, layout->leaves[i].ir);
  Value value = lower_value_leaves(lw, leaves, layout->n_leaves);
  return lower_from_leaves(lw, value, type);
}

Value lower_part(Lowering *lw, Value whole, const Type *whole_type,
                 const Type *part_type, uint64_t offset_bytes) {
  if (whole.kind == VALUE_MEMORY) {
    const Address *at = lower_address_at(lw, whole.address, offset_bytes);
    return lower_load_memory(lw, at, part_type, HINT_NONE);
  }
  const TypeLayout *layout = lower_layout(lw, whole_type);
  uint32_t first = lower_leaf_at(layout, offset_bytes);
  uint32_t n_leaves = lower_layout(lw, part_type)->n_leaves;
  HD_ASSERT(first + n_leaves <= whole.n_leaves);
  Value part = lower_value_leaves(
      lw, whole.n_leaves == 1 ? &whole.node : whole.leaves + first, n_leaves);
  return lower_from_leaves(lw, part, part_type);
}

// ---------------------------------------------------------------- storage

static Value read_vars(Lowering *lw, const Storage *storage) {
  uint32_t n_leaves = lower_layout(lw, storage->type)->n_leaves;
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < n_leaves; i++)
    leaves[i] =
        lower_get(lw, storage->binding->first_var + storage->first_leaf + i);
  Value value = lower_value_leaves(lw, leaves, n_leaves);
  return lower_from_leaves(lw, value, storage->type);
}

static Value lower_value_read_values(Lowering *lw, const Storage *storage) {
  const Binding *binding = storage->binding;
  uint32_t n_leaves = lower_layout(lw, storage->type)->n_leaves;
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < n_leaves; i++)
    leaves[i] = lower_leaf(&binding->value, storage->first_leaf + i);
  Value value = lower_value_leaves(lw, leaves, n_leaves);
  return lower_from_leaves(lw, value, storage->type);
}

static Value read_binding(Lowering *lw, const Storage *storage) {
  const Binding *binding = storage->binding;
  switch (binding->kind) {
  case BIND_VALUES: return lower_value_read_values(lw, storage);
  case BIND_VARS: return read_vars(lw, storage);
  case BIND_POINTER: return lower_value_address(binding->address);
  case BIND_OFFSET: {
    IrNode *offset = lower_get(lw, binding->first_var);
    return lower_value_address(
        lower_offset_address(lw, binding->object, offset));
  }
  case BIND_OBJECT:
  case BIND_DENSE:
  case BIND_VIEW:
  case BIND_PLACE:
  case BIND_BARRIER:
  case BIND_PIPELINE: break;
  }
  HD_PANIC("a binding in memory was read as a variable");
}

Value lower_read(Lowering *lw, const Storage *storage) {
  if (storage->kind == STORAGE_MEMORY)
    return lower_load_memory(lw, storage->address, storage->type, HINT_NONE);
  if (storage->kind == STORAGE_SECTION)
    return lower_value_node(
        lower_section_load(lw, storage->section, storage->type));
  return read_binding(lw, storage);
}

static void write_offset(Lowering *lw, const Binding *binding, Value value) {
  HD_ASSERT(value.kind == VALUE_POINTER &&
            value.address->object == binding->object);
  lower_set(lw, binding->first_var, lower_flat_offset(lw, value.address));
}

void lower_write(Lowering *lw, const Storage *storage, Value value) {
  if (lw->has_failed)
    return;
  if (storage->kind == STORAGE_MEMORY) {
    lower_store_memory(lw, storage->address, storage->type, value, HINT_NONE);
    return;
  }
  if (storage->kind == STORAGE_SECTION) {
    lower_section_store(lw, storage->section, value.node);
    return;
  }
  const Binding *binding = storage->binding;
  if (binding->kind == BIND_OFFSET) {
    write_offset(lw, binding, value);
    return;
  }
  HD_ASSERT(binding->kind == BIND_VARS);
  value = lower_as_leaves(lw, value, storage->type);
  for (uint32_t i = 0; i < value.n_leaves; i++)
    lower_set(lw, binding->first_var + storage->first_leaf + i,
              lower_leaf(&value, i));
}
