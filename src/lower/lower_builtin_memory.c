// SPDX-License-Identifier: Apache-2.0
// Atomic operations, and loads and stores with hints.
#include "lower/lower_internal.h"

static const IrOrder orders[] = {
    [TORDER_RELAXED] = ORDER_RELAXED,
    [TORDER_ACQUIRE] = ORDER_ACQUIRE,
    [TORDER_RELEASE] = ORDER_RELEASE,
    [TORDER_ACQ_REL] = ORDER_ACQ_REL,
};

static const IrScope scopes[] = {
    [TSCOPE_BLOCK] = SCOPE_BLOCK,          [TSCOPE_CLUSTER] = SCOPE_CLUSTER,
    [TSCOPE_DEVICE] = SCOPE_DEVICE,        [TSCOPE_SYSTEM] = SCOPE_SYSTEM,
    [TSCOPE_UNLESS_SHARED] = SCOPE_SYSTEM,
};

static const IrHint hints[] = {
    [THINT_NONE] = HINT_NONE,
    [THINT_CACHED] = HINT_CACHED,
    [THINT_STREAMING] = HINT_STREAMING,
    [THINT_LAST_USE] = HINT_LAST_USE,
};

IrHint lower_hint(THint hint) {
  return hints[hint];
}

static const Type *pointee_of(const TExpr *expr) {
  return expr->u.builtin.args[0]->type->u.pointer.pointee;
}

static IrNode *builtin_memory_access_of(Lowering *lw, const TExpr *expr,
                                        IrOp op, const Type *type,
                                        const Address *address,
                                        IrNode *const *values,
                                        uint32_t n_values) {
  IrNode *node = lower_access(lw, op, address, lower_type(lw, type),
                              type->align_bytes, values, n_values);
  node->u.access.order = orders[expr->u.builtin.order];
  node->u.access.scope = scopes[expr->u.builtin.scope];
  return node;
}

static IrNode *atomic_access(Lowering *lw, const TExpr *expr, IrOp op,
                             const Address *address, IrNode *const *values,
                             uint32_t n_values) {
  return builtin_memory_access_of(lw, expr, op, pointee_of(expr), address,
                                  values, n_values);
}

// Floats know add, min, max and exch; their min and max take the signed names.
static IrRmw rmw_of(Builtin id, bool is_unsigned) {
  switch ((int)id) {
  case BI_ATOMIC_SUB: return RMW_SUB;
  case BI_ATOMIC_MIN: return is_unsigned ? RMW_UMIN : RMW_SMIN;
  case BI_ATOMIC_MAX: return is_unsigned ? RMW_UMAX : RMW_SMAX;
  case BI_ATOMIC_AND: return RMW_AND;
  case BI_ATOMIC_OR: return RMW_OR;
  case BI_ATOMIC_XOR: return RMW_XOR;
  case BI_ATOMIC_INC: return RMW_INC;
  case BI_ATOMIC_DEC: return RMW_DEC;
  case BI_ATOMIC_EXCH: return RMW_EXCH;
  default: return RMW_ADD;
  }
}

// Of half2 and bfloat162: each element by itself.
static Value add_to_pair(Lowering *lw, const TExpr *expr) {
  const Type *pair = pointee_of(expr), *element = pair->u.vector.element;
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  Value v = lower_as_leaves(lw, lower_expr(lw, expr->u.builtin.args[1]), pair);
  IrNode **old = ARENA_ARRAY(lw->scratch, IrNode *, 2);
  for (uint32_t i = 0; i < 2; i++) {
    IrNode *part = lower_leaf(&v, i);
    const Address *at =
        i == 0 ? address
               : lower_address_add(lw, address, lower_i64(lw, (int64_t)i),
                                   element->size_bytes);
    old[i] = builtin_memory_access_of(lw, expr, IR_RMW, element, at, &part, 1);
    old[i]->u.access.rmw = RMW_ADD;
  }
  return lower_value_leaves(lw, old, 2);
}

// --- of sections, element by element ---

static bool builtin_memory_is_section(const TExpr *expr) {
  return expr->u.builtin.args[0]->kind == TEXPR_SECTION;
}

// What others may see before all of it is done.
static IrNode *section_in_order(const TExpr *expr, IrNode *node) {
  node->u.section.order = orders[expr->u.builtin.order];
  node->u.section.scope = scopes[expr->u.builtin.scope];
  return node;
}

static Value update_section(Lowering *lw, const TExpr *expr) {
  TExpr *const *args = expr->u.builtin.args;
  const Type *element = type_underlying(expr->type->u.tile.element);
  bool is_cas = expr->u.builtin.id == BI_ATOMIC_CAS;
  bool is_unsigned = type_is_integer(element) && !type_is_signed(element);
  const SectionPlace *place = lower_section_place(lw, args[0]->u.section);
  IrNode *values[2];
  uint32_t n_values = is_cas ? 2 : 1;
  for (uint32_t i = 0; i < n_values; i++)
    values[i] = lower_scalar(lw, args[1 + i]);
  IrRmw rmw = is_cas ? RMW_ADD : rmw_of(expr->u.builtin.id, is_unsigned);
  if (rmw == RMW_SUB && type_is_floating(element)) {
    values[0] = lower_emit1(lw, IR_NEG, values[0]->type, values[0]);
    rmw = RMW_ADD;
  }
  IrNode *node =
      lower_section_atomic(lw, is_cas ? IR_TILE_CAS : IR_TILE_RMW,
                           lower_type(lw, expr->type), place, values, n_values);
  if (!place->object)
    return lower_value_node(node);
  node->u.section.rmw = rmw;
  return lower_value_node(section_in_order(expr, node));
}

static Value load_section(Lowering *lw, const TExpr *expr) {
  const SectionPlace *place =
      lower_section_place(lw, expr->u.builtin.args[0]->u.section);
  IrNode *node = lower_section_atomic(
      lw, IR_TILE_LOAD, lower_type(lw, expr->type), place, NULL, 0);
  return lower_value_node(place->object ? section_in_order(expr, node) : node);
}

static Value store_section(Lowering *lw, const TExpr *expr) {
  TExpr *const *args = expr->u.builtin.args;
  const SectionPlace *place = lower_section_place(lw, args[0]->u.section);
  IrNode *value = lower_scalar(lw, args[1]);
  if (place->object)
    section_in_order(expr, lower_section_atomic(lw, IR_TILE_STORE,
                                                ir_scalar(IR_TYPE_VOID), place,
                                                &value, 1));
  return lower_value_leaves(lw, NULL, 0);
}

// --- of elements ---

static Value read_modify_write(Lowering *lw, const TExpr *expr) {
  if (builtin_memory_is_section(expr))
    return update_section(lw, expr);
  const Type *type = type_underlying(pointee_of(expr));
  if (type->kind == TY_VECTOR)
    return add_to_pair(lw, expr);
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  IrNode *operand = lower_scalar(lw, expr->u.builtin.args[1]);
  bool is_unsigned = type_is_integer(type) && !type_is_signed(type);
  IrRmw rmw = rmw_of(expr->u.builtin.id, is_unsigned);
  if (rmw == RMW_SUB && type_is_floating(type)) {
    operand = lower_emit1(lw, IR_NEG, operand->type, operand);
    rmw = RMW_ADD;
  }
  IrNode *node = atomic_access(lw, expr, IR_RMW, address, &operand, 1);
  node->u.access.rmw = rmw;
  return lower_value_node(node);
}

static Value builtin_memory_compare_and_swap(Lowering *lw, const TExpr *expr) {
  if (builtin_memory_is_section(expr))
    return update_section(lw, expr);
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  IrNode *values[] = {lower_scalar(lw, expr->u.builtin.args[1]),
                      lower_scalar(lw, expr->u.builtin.args[2])};
  return lower_value_node(atomic_access(lw, expr, IR_CAS, address, values, 2));
}

static bool is_ordinary(const TExpr *expr) {
  Space space = expr->u.builtin.args[0]->type->u.pointer.space;
  return expr->u.builtin.scope == TSCOPE_UNLESS_SHARED &&
         (space == TSPACE_SHARED || space == TSPACE_LOCAL);
}

static Value builtin_memory_atomic_load(Lowering *lw, const TExpr *expr) {
  if (builtin_memory_is_section(expr))
    return load_section(lw, expr);
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  if (is_ordinary(expr))
    return lower_load_memory(lw, address, pointee_of(expr), HINT_NONE);
  return lower_value_node(atomic_access(lw, expr, IR_LOAD, address, NULL, 0));
}

static Value builtin_memory_atomic_store(Lowering *lw, const TExpr *expr) {
  if (builtin_memory_is_section(expr))
    return store_section(lw, expr);
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  if (is_ordinary(expr)) {
    Value stored = lower_expr(lw, expr->u.builtin.args[1]);
    lower_store_memory(lw, address, pointee_of(expr), stored, HINT_NONE);
    return lower_value_leaves(lw, NULL, 0);
  }
  IrNode *value = lower_scalar(lw, expr->u.builtin.args[1]);
  atomic_access(lw, expr, IR_STORE, address, &value, 1);
  return lower_value_leaves(lw, NULL, 0);
}

static Value builtin_memory_load_hint(Lowering *lw, const TExpr *expr) {
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  return lower_load_memory(lw, address, pointee_of(expr),
                           hints[expr->u.builtin.hint]);
}

static Value store_hint(Lowering *lw, const TExpr *expr) {
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  Value value = lower_expr(lw, expr->u.builtin.args[1]);
  lower_store_memory(lw, address, pointee_of(expr), value,
                     hints[expr->u.builtin.hint]);
  return lower_value_leaves(lw, NULL, 0);
}

bool lower_builtin_memory(Lowering *lw, const TExpr *expr, Value *out) {
  switch ((int)expr->u.builtin.id) {
  case BI_ATOMIC_ADD:
  case BI_ATOMIC_SUB:
  case BI_ATOMIC_MIN:
  case BI_ATOMIC_MAX:
  case BI_ATOMIC_AND:
  case BI_ATOMIC_OR:
  case BI_ATOMIC_XOR:
  case BI_ATOMIC_INC:
  case BI_ATOMIC_DEC:
  case BI_ATOMIC_EXCH: *out = read_modify_write(lw, expr); return true;
  case BI_ATOMIC_CAS:
    *out = builtin_memory_compare_and_swap(lw, expr);
    return true;
  case BI_ATOMIC_LOAD: *out = builtin_memory_atomic_load(lw, expr); return true;
  case BI_ATOMIC_STORE:
    *out = builtin_memory_atomic_store(lw, expr);
    return true;
  case BI_LOAD: *out = builtin_memory_load_hint(lw, expr); return true;
  case BI_STORE: *out = store_hint(lw, expr); return true;
  default: return false;
  }
}
