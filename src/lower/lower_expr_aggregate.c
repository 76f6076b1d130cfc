// SPDX-License-Identifier: Apache-2.0
// Initialisers of structs, unions, vectors and arrays.
#include "lower/lower_internal.h"

enum {
  // Larger arrays are cleared by loops.
  MAX_STRAIGHT_ELEMENTS = 64,
};

// ---------------------------------------------------------------- memory

// Memory that an initialiser fills: an object, or a place in one.
typedef struct {
  IrObject *object;       // NULL: at `address`
  const Address *address; // object == NULL
} Target;

static void set_indices(Lowering *lw, Address *address, uint64_t element) {
  const IrObject *object = address->object;
  for (uint32_t i = object->rank; i-- > 0;) {
    uint64_t extent = (uint64_t)object->extents[i]->number;
    address->indices[i] = lower_i32(lw, (int64_t)(element % extent));
    element /= extent;
  }
}

static const Address *target_at(Lowering *lw, const Target *target,
                                uint64_t offset_bytes) {
  if (!target->object)
    return lower_address_at(lw, target->address, offset_bytes);
  Address *address = lower_address_new(lw, NULL);
  address->object = target->object;
  address->n_index = address->n_given = target->object->rank;
  if (address->n_index > 0) {
    set_indices(lw, address, offset_bytes / target->object->element_bytes);
    offset_bytes %= target->object->element_bytes;
  }
  address->offset_bytes = (int64_t)offset_bytes;
  return address;
}

static bool is_nested(Lowering *lw, const TExpr *value) {
  return value->kind == TEXPR_AGGREGATE &&
         (type_is(value->type, TY_ARRAY) ||
          !lower_layout(lw, value->type)->is_split);
}

static void store_parts(Lowering *lw, const Target *target,
                        const TExpr *aggregate, uint64_t base_bytes) {
  for (uint32_t i = 0; i < aggregate->u.aggregate.n_parts; i++) {
    const TInit *part = &aggregate->u.aggregate.parts[i];
    uint64_t at = base_bytes + part->offset_bytes;
    if (is_nested(lw, part->value)) {
      store_parts(lw, target, part->value, at);
      continue;
    }
    Value value = lower_expr(lw, part->value);
    lower_store_memory(lw, target_at(lw, target, at), part->value->type, value,
                       HINT_NONE);
  }
}

// Bytes that the parts give, nested ones included.
static uint64_t covered_bytes(Lowering *lw, const TExpr *aggregate) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < aggregate->u.aggregate.n_parts; i++) {
    const TExpr *value = aggregate->u.aggregate.parts[i].value;
    bytes += is_nested(lw, value) ? covered_bytes(lw, value)
                                  : value->type->size_bytes;
  }
  return bytes;
}

// ---------------------------------------------------------------- clearing

static void clear_at(Lowering *lw, const Address *address, const Type *type) {
  if (lower_layout(lw, type)->is_split)
    lower_store_memory(lw, address, type, lower_zero_value(lw, type),
                       HINT_NONE);
  else
    lower_zero_bytes(lw, address, type);
}

static void clear_in_loops(Lowering *lw, Address *address, uint32_t dim,
                           const Type *type) {
  IrObject *object = address->object;
  if (dim == object->rank) {
    clear_at(lw, lower_address_new(lw, address), type);
    return;
  }
  uint32_t var = lower_new_var(lw, NULL, ir_scalar(IR_TYPE_I64));
  IrNode *loop =
      lower_emit2(lw, IR_FOR, ir_scalar(IR_TYPE_VOID), lower_i64(lw, 0),
                  lower_i64(lw, object->extents[dim]->number));
  loop->u.loop.var = var;
  loop->u.loop.step = 1;
  loop->u.loop.is_signed = true;
  IrRegion *before = lower_enter(lw, loop, 0);
  address->indices[dim] = lower_get(lw, var);
  clear_in_loops(lw, address, dim + 1, type);
  lower_leave(lw, before);
}

static bool expr_aggregate_is_given(const TExpr *aggregate, uint64_t begin,
                                    uint64_t end) {
  for (uint32_t i = 0; i < aggregate->u.aggregate.n_parts; i++) {
    const TInit *part = &aggregate->u.aggregate.parts[i];
    if (part->offset_bytes <= begin &&
        part->offset_bytes + part->value->type->size_bytes >= end &&
        part->value->kind != TEXPR_AGGREGATE)
      return true;
  }
  return false;
}

static void clear_object(Lowering *lw, IrObject *object,
                         const TExpr *aggregate) {
  const Type *element = type_array_base(aggregate->type, &(uint32_t){0});
  uint64_t size = element->size_bytes;
  uint64_t n_elements = size ? aggregate->type->size_bytes / size : 0;
  Target target = {object, NULL};
  if (n_elements > MAX_STRAIGHT_ELEMENTS) {
    clear_in_loops(lw, lower_object_address(lw, object), 0, element);
    return;
  }
  for (uint64_t i = 0; i < n_elements; i++)
    if (!expr_aggregate_is_given(aggregate, i * size, (i + 1) * size))
      clear_at(lw, target_at(lw, &target, i * size), element);
}

void lower_init_object(Lowering *lw, IrObject *object, const TExpr *aggregate) {
  Target target = {object, NULL};
  if (covered_bytes(lw, aggregate) < aggregate->type->size_bytes)
    clear_object(lw, object, aggregate);
  store_parts(lw, &target, aggregate, 0);
}

void lower_init_memory(Lowering *lw, const Address *address,
                       const TExpr *aggregate) {
  Target target = {NULL, address};
  if (covered_bytes(lw, aggregate) < aggregate->type->size_bytes)
    lower_zero_bytes(lw, address, aggregate->type);
  store_parts(lw, &target, aggregate, 0);
}

// ----------------------------------------------------------------- values

static Value aggregate_in_memory(Lowering *lw, const TExpr *expr) {
  IrObject *object =
      lower_local_object(lw, "temporary", expr->type, expr->type->align_bytes);
  lower_init_object(lw, object, expr);
  return (Value){.kind = VALUE_MEMORY,
                 .address = lower_object_address(lw, object)};
}

Value lower_aggregate(Lowering *lw, const TExpr *expr) {
  const TypeLayout *layout = lower_layout(lw, expr->type);
  if (!layout->is_split)
    return aggregate_in_memory(lw, expr);
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4] = {0};
  for (uint32_t i = 0; i < expr->u.aggregate.n_parts; i++) {
    const TInit *part = &expr->u.aggregate.parts[i];
    const Type *type = part->value->type;
    Value value = lower_as_leaves(lw, lower_expr(lw, part->value), type);
    uint32_t first = lower_leaf_at(layout, part->offset_bytes);
    for (uint32_t k = 0; k < value.n_leaves; k++)
      leaves[first + k] = lower_leaf(&value, k);
  }
  for (uint32_t i = 0; i < layout->n_leaves; i++)
    if (!leaves[i])
      leaves[i] = lower_zero(lw, layout->leaves[i].ir);
  return lower_value_leaves(lw, leaves, layout->n_leaves);
}
