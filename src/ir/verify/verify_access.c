// SPDX-License-Identifier: Apache-2.0
// The rules for memory accesses.
#include "ir/verify/verify_parts.h"

#include "base/bits.h"
#include "ir/form/swizzle.h"

static uint32_t n_values(const IrNode *node) {
  switch ((int)node->op) {
  case IR_CAS: return 2;
  case IR_STORE:
  case IR_RMW:
  case IR_SEMAPHORE_LOCK:
  case IR_SEMAPHORE_RELEASE: return 1;
  default: return 0;
  }
}

static bool verify_counts(Verifier *v, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  uint32_t rank = access->object ? access->object->rank : 0;
  if (access->n_index && access->n_index != rank)
    return verify_fail(v, node,
                       "has %u indices, but its object has %u dimension%s",
                       access->n_index, rank, text_plural(rank));
  if (access->object && access->object->is_table && !access->n_index)
    return verify_fail(v, node, "doesn't say which of several arrays");
  uint32_t wanted = (access->object ? 0u : 1u) + access->n_index +
                    access->has_offset + access->has_guard + n_values(node);
  return node->n_args == wanted ||
         verify_fail(v, node, "has %u operands, not %u", node->n_args, wanted);
}

bool verify_is_index(IrType type) {
  return type.lanes == 1 &&
         (type.kind == IR_TYPE_I32 || type.kind == IR_TYPE_I64);
}

// The operands that make the address and the guard; the values follow.
static bool verify_address(Verifier *v, const IrNode *node, uint32_t *next) {
  const IrAccess *access = &node->u.access;
  IrNode *const *args = node->args;
  if (!access->object && args[(*next)++]->type.kind != IR_TYPE_PTR)
    return verify_fail(v, node, "its address is not a pointer");
  for (uint32_t i = 0; i < access->n_index; i++)
    if (!verify_is_index(args[(*next)++]->type))
      return verify_fail(v, node, "index %u is neither i32 nor i64", i);
  if (access->has_offset && args[(*next)++]->type.kind != IR_TYPE_I64)
    return verify_fail(v, node, "its offset is not i64");
  if (access->has_guard && args[(*next)++]->type.kind != IR_TYPE_BOOL)
    return verify_fail(v, node, "its guard is not bool");
  return true;
}

static bool is_memory_type(const Verifier *v, IrType type) {
  return verify_type(v, type) && type.kind != IR_TYPE_VOID &&
         type.kind != IR_TYPE_TOKEN && type.kind != IR_TYPE_TILE;
}

static bool verify_moved(Verifier *v, const IrNode *node, uint32_t first) {
  IrType type = node->u.access.type;
  if (!is_memory_type(v, type))
    return verify_fail(v, node, "can't move a value of that type");
  bool has_result =
      node->op == IR_LOAD || node->op == IR_RMW || node->op == IR_CAS;
  if (has_result && !ir_type_equal(type, node->type))
    return verify_fail(v, node, "moves %s, but its result is %s",
                       verify_type_text(v, type),
                       verify_type_text(v, node->type));
  for (uint32_t i = first; i < node->n_args; i++)
    if (!ir_type_equal(node->args[i]->type, type))
      return verify_fail(v, node, "moves %s, but the value is %s",
                         verify_type_text(v, type),
                         verify_type_text(v, node->args[i]->type));
  return true;
}

bool verify_is_atomic_type(IrType type) {
  return type.lanes == 1 &&
         (type.kind == IR_TYPE_I16 || type.kind == IR_TYPE_I32 ||
          type.kind == IR_TYPE_I64 || type.kind == IR_TYPE_F16 ||
          type.kind == IR_TYPE_BF16 || type.kind == IR_TYPE_F32 ||
          type.kind == IR_TYPE_F64);
}

bool verify_is_float_rmw(IrRmw rmw) {
  return rmw == RMW_ADD || rmw == RMW_SUB || rmw == RMW_SMIN ||
         rmw == RMW_SMAX || rmw == RMW_EXCH;
}

static bool verify_atomic(Verifier *v, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  bool must = node->op == IR_RMW || node->op == IR_CAS;
  if (access->order == ORDER_PLAIN)
    return !must || verify_fail(v, node, "has no memory order");
  if (node->op == IR_ADDRESS)
    return verify_fail(v, node, "has an order but is not an access");
  bool is_byte =
      !must && access->type.kind == IR_TYPE_I8 && access->type.lanes == 1;
  if (!is_byte && !verify_is_atomic_type(access->type))
    return verify_fail(v, node, "has no atomic type");
  if (access->align_bytes < ir_type_size(v->module, access->type))
    return verify_fail(v, node, "an atomic access is aligned to its size");
  if (node->op == IR_RMW && ir_type_is_float(access->type) &&
      !verify_is_float_rmw(access->rmw))
    return verify_fail(v, node, "has no such form for floats");
  return true;
}

static bool verify_semaphore(Verifier *v, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  if (node->op != IR_SEMAPHORE_LOCK && node->op != IR_SEMAPHORE_RELEASE)
    return true;
  return (access->type.kind == IR_TYPE_I32 && access->order != ORDER_PLAIN &&
          access->bounds == BOUNDS_NONE && !access->has_guard) ||
         verify_fail(v, node, "a semaphore is an atomic i32");
}

static bool verify_attributes(Verifier *v, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  if (access->bounds > BOUNDS_DROP || access->order > ORDER_ACQ_REL ||
      access->scope > SCOPE_SYSTEM || access->hint > HINT_LAST_USE ||
      access->rmw > RMW_EXCH)
    return verify_fail(v, node, "has an unknown attribute");
  if (node->op != IR_RMW && access->rmw)
    return verify_fail(v, node, "is not a read-modify-write");
  if (!bits_is_power(access->align_bytes))
    return verify_fail(v, node, "its alignment is not a power of two");
  return true;
}

static bool verify_target(Verifier *v, const IrNode *node) {
  const IrObject *object = node->u.access.object;
  if (!object)
    return true;
  if (!verify_has_object(v, object) || object->kind != OBJECT_ARRAY)
    return verify_fail(v, node, "its object can't be accessed");
  if (ir_swizzle_bytes(object) &&
      (node->op == IR_ADDRESS || ir_leaves_element(v->module, &node->u.access)))
    return verify_fail(v, node,
                       "goes beyond an element of '%s', which is "
                       "swizzled",
                       object->name);
  bool writes = ir_op_info(node)->memory & MEM_WRITE;
  if (writes && (object->is_const || object->space == SPACE_CONSTANT))
    return verify_fail(v, node, "'%s' can't be written", object->name);
  return true;
}

bool verify_access(Verifier *v, const IrNode *node) {
  uint32_t next = 0;
  return verify_target(v, node) && verify_attributes(v, node) &&
         verify_counts(v, node) && verify_address(v, node, &next) &&
         verify_moved(v, node, next) && verify_atomic(v, node) &&
         verify_semaphore(v, node);
}
