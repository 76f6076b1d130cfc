// SPDX-License-Identifier: Apache-2.0
// Lvalues: which variables or which memory an expression names.
#include "lower/lower_view.h"

// ------------------------------------------------------------- subscripts

// The value before a widening to 64 bits, if that is what `expr` is and the
// operand is a signed 32-bit value or narrower. Subscripts combine in 64 bits,
// so the widening itself need not be seen.
static const TExpr *narrow_operand(const TExpr *expr) {
  if (expr->kind != TEXPR_CONVERT)
    return NULL;
  const TExpr *operand = expr->u.operand;
  const Type *type = type_underlying(operand->type);
  if (!type_is_integer(type))
    return NULL;
  uint32_t bits = type_bits(type);
  return bits < 32 || (bits == 32 && type_is_signed(type)) ? operand : NULL;
}

IrNode *lower_index(Lowering *lw, const TExpr *expr) {
  const TExpr *narrow = narrow_operand(expr);
  if (narrow) {
    IrNode *node = lower_scalar(lw, narrow);
    IrNode *wide = map_get(&lw->wide, MAP_KEY(node));
    if (wide)
      return wide;
    if (node->type.kind == IR_TYPE_I32)
      return node;
    bool is_signed = lower_type_is_signed(narrow->type);
    return lower_emit1(lw, is_signed ? IR_SEXT : IR_ZEXT,
                       ir_scalar(IR_TYPE_I32), node);
  }
  if (expr->kind == TEXPR_CONST && expr->u.value.i >= INT32_MIN &&
      expr->u.value.i <= INT32_MAX && type_is_integer(expr->type) &&
      (type_is_signed(expr->type) || expr->u.value.u <= INT32_MAX))
    return lower_i32(lw, expr->u.value.i);
  return lower_scalar(lw, expr);
}

// ------------------------------------------------------------- variables

static Storage memory_at(const Type *type, const Address *address) {
  return (Storage){.kind = STORAGE_MEMORY, .type = type, .address = address};
}

static Storage storage_of_var(Lowering *lw, const TExpr *expr) {
  const Binding *binding = lower_binding(lw, expr->u.var);
  if (!binding)
    HD_PANIC("'%s' is used before it exists", expr->u.var->name);
  if (binding->kind == BIND_OBJECT)
    return memory_at(expr->type, lower_object_address(lw, binding->object));
  if (binding->kind == BIND_DENSE)
    return memory_at(expr->type, binding->address);
  if (binding->kind == BIND_VIEW)
    return memory_at(expr->type, lower_view_address(lw, binding->view));
  return (Storage){
      .kind = STORAGE_BINDING, .type = expr->type, .binding = binding};
}

// ------------------------------------------------------ parts of a place

static Storage lower_place_part_of(Lowering *lw, const Storage *base,
                                   const Type *type, uint64_t offset_bytes) {
  Storage part = *base;
  part.type = type;
  if (base->kind == STORAGE_MEMORY)
    part.address = lower_address_at(lw, base->address, offset_bytes);
  else
    part.first_leaf +=
        lower_leaf_at(lower_layout(lw, base->type), offset_bytes);
  return part;
}

static uint64_t member_offset(const TExpr *expr) {
  if (expr->kind == TEXPR_COMPONENT)
    return expr->u.member.component * expr->type->size_bytes;
  return expr->u.member.offset_bytes;
}

static Storage storage_of_member(Lowering *lw, const TExpr *expr) {
  Storage base = lower_storage(lw, expr->u.member.base);
  return lower_place_part_of(lw, &base, expr->type, member_offset(expr));
}

// --------------------------------------------------------------- elements

// Byte offset of constant subscripts into a variable that was split.
static uint64_t constant_offset(const TExpr *expr) {
  const Type *type = expr->u.index.base->type;
  uint64_t offset = 0;
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++) {
    type = type->u.array.element;
    offset += expr->u.index.indices[i]->u.value.u * type->size_bytes;
  }
  return offset;
}

// All subscripts of a whole object become the access's index vector.
static bool fills_indices(const Address *address, uint32_t n_indices) {
  return address->object && address->n_index > 0 && !address->offset &&
         address->offset_bytes == 0 && address->n_given == 0 &&
         n_indices <= address->n_index;
}

static const Address *with_indices(Lowering *lw, const Address *address,
                                   const TExpr *expr) {
  Address *element = lower_address_new(lw, address);
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++)
    element->indices[i] = lower_index(lw, expr->u.index.indices[i]);
  element->n_given = (uint8_t)expr->u.index.n_indices;
  return element;
}

// An array inside something else: constant extents, a dynamic byte offset.
static const Address *with_byte_offset(Lowering *lw, const Address *address,
                                       const TExpr *expr, bool is_addressed) {
  Address *element = lower_address_new(lw, address);
  const Type *type = expr->u.index.base->type;
  IrNode **indices =
      ARENA_ARRAY(lw->scratch, IrNode *, expr->u.index.n_indices);
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++)
    indices[i] = lower_index(lw, expr->u.index.indices[i]);
  if (is_addressed)
    lower_note_inside(lw, element, expr->u.index.base);
  else
    lower_owe_subscripts(lw, expr, indices);
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++) {
    type = type->u.array.element;
    int64_t size_bytes = (int64_t)type->size_bytes, value, sum;
    IrNode *index = indices[i];
    if (lower_is_const(index, &value) &&
        !__builtin_mul_overflow(value, size_bytes, &sum) &&
        !__builtin_add_overflow(element->offset_bytes, sum, &sum)) {
      element->offset_bytes = sum;
      lower_move_inside(lw, element, NULL, value * size_bytes);
      continue;
    }
    IrNode *part = lower_scale64(lw, index, size_bytes);
    element->offset =
        element->offset ? lower_add64(lw, element->offset, part) : part;
    lower_move_inside(lw, element, part, 0);
  }
  return element;
}

// An array parameter that is a pointer to dense rows: one flat element index.
static const Address *dense_element(Lowering *lw, const Binding *binding,
                                    const TExpr *expr) {
  IrNode *flat = NULL;
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++) {
    if (flat)
      flat = lower_mul64(lw, lower_to_i64(lw, flat), binding->extents[i]);
    IrNode *index = lower_index(lw, expr->u.index.indices[i]);
    if (i > 0)
      lower_owe_below(lw, index, binding->extents[i],
                      expr->u.index.base->u.var->name);
    flat = flat ? lower_add64(lw, flat, lower_to_i64(lw, index)) : index;
  }
  for (uint32_t i = expr->u.index.n_indices;
       i < expr->u.index.base->u.var->rank; i++)
    flat = lower_mul64(lw, lower_to_i64(lw, flat), binding->extents[i]);
  return lower_address_add(lw, binding->address, flat,
                           expr->u.index.base->u.var->element->size_bytes);
}

// A copy in memory of a value that a subscript takes an element of.
static Storage spilled(Lowering *lw, const Storage *value) {
  IrObject *object = lower_local_object(lw, "temporary", value->type,
                                        value->type->align_bytes);
  const Address *address = lower_object_address(lw, object);
  lower_store_memory(lw, address, value->type, lower_read(lw, value),
                     HINT_NONE);
  return memory_at(value->type, address);
}

// `is_addressed`: it is the operand of &, so that nothing is accessed yet.
static Storage storage_of_element(Lowering *lw, const TExpr *expr,
                                  bool is_addressed) {
  const TExpr *base_expr = expr->u.index.base;
  if (base_expr->kind == TEXPR_VAR) {
    const Binding *binding = lower_binding(lw, base_expr->u.var);
    if (binding && binding->kind == BIND_DENSE)
      return memory_at(expr->type, dense_element(lw, binding, expr));
    if (binding && binding->kind == BIND_VIEW)
      return memory_at(expr->type, lower_view_element(lw, binding->view, expr));
  }
  Storage base = lower_storage(lw, base_expr);
  if (base.kind == STORAGE_BINDING && lower_is_fixed_element(expr))
    return lower_place_part_of(lw, &base, expr->type, constant_offset(expr));
  if (base.kind == STORAGE_BINDING)
    base = spilled(lw, &base);
  if (base_expr->kind == TEXPR_VAR &&
      fills_indices(base.address, expr->u.index.n_indices))
    return memory_at(expr->type, with_indices(lw, base.address, expr));
  return memory_at(expr->type,
                   with_byte_offset(lw, base.address, expr, is_addressed));
}

// ------------------------------------------------------------------ any

// A value that isn't an lvalue, as something to take parts of.
static Storage storage_of_value(Lowering *lw, const TExpr *expr) {
  Value value = lower_expr(lw, expr);
  if (value.kind == VALUE_MEMORY)
    return memory_at(expr->type, value.address);
  Binding *binding = ARENA_NEW(lw->scratch, Binding);
  binding->type = expr->type;
  if (value.kind == VALUE_POINTER) {
    binding->kind = BIND_POINTER;
    binding->address = value.address;
  } else {
    binding->kind = BIND_VALUES;
    binding->value = value;
  }
  return (Storage){
      .kind = STORAGE_BINDING, .type = expr->type, .binding = binding};
}

Storage lower_storage(Lowering *lw, const TExpr *expr) {
  switch ((int)expr->kind) {
  case TEXPR_VAR: return storage_of_var(lw, expr);
  case TEXPR_INDEX: return storage_of_element(lw, expr, false);
  case TEXPR_DEREF: {
    const Storage *place = lower_pointed_place(lw, expr->u.operand);
    return place ? *place
                 : memory_at(expr->type, lower_pointer(lw, expr->u.operand));
  }
  case TEXPR_MEMBER:
  case TEXPR_COMPONENT: return storage_of_member(lw, expr);
  case TEXPR_SECTION:
    return (Storage){.kind = STORAGE_SECTION,
                     .type = expr->type,
                     .section = lower_section_place(lw, expr->u.section)};
  default: return storage_of_value(lw, expr);
  }
}

Storage lower_addressed(Lowering *lw, const TExpr *expr) {
  return expr->kind == TEXPR_INDEX ? storage_of_element(lw, expr, true)
                                   : lower_storage(lw, expr);
}

const Address *lower_storage_address(Lowering *lw, const Storage *storage) {
  (void)lw;
  if (storage->kind != STORAGE_MEMORY)
    HD_PANIC("the address of a variable that is not in memory");
  return storage->address;
}
