// SPDX-License-Identifier: Apache-2.0
// Assignments.
#include "lower/lower_internal.h"

// Only array literals are assigned whole, and to memory.
static Value expr_assign_fill_array(Lowering *lw, const TExpr *expr) {
  const Binding *binding = lower_binding(lw, expr->u.binary.left->u.var);
  lower_init_object(lw, binding->object, expr->u.binary.right);
  return lower_value_leaves(lw, NULL, 0);
}

Value lower_assign(Lowering *lw, const TExpr *expr) {
  const TExpr *left = expr->u.binary.left;
  if (left->kind == TEXPR_VAR && left->u.var->kind == TVAR_ARRAY)
    return expr_assign_fill_array(lw, expr);
  Storage storage = lower_storage(lw, expr->u.binary.left);
  Value value = lower_expr(lw, expr->u.binary.right);
  lower_write(lw, &storage, value);
  return value;
}

// ------------------------------------------------------------- compound

static Value pointer_moved(Lowering *lw, TOp op, Value pointer,
                           const Type *type, IrNode *index) {
  if (op == TOP_SUB) {
    IrNode *wide = lower_to_i64(lw, index);
    index = lower_emit1(lw, IR_NEG, wide->type, wide);
    index->flags |= NODE_NO_SIGNED_WRAP | NODE_OWN;
  }
  uint64_t size_bytes = type->u.pointer.pointee->size_bytes;
  return lower_value_address(
      lower_address_add(lw, pointer.address, index, size_bytes));
}

static const Type *expr_assign_element_of(const Type *type) {
  return type_is(type, TY_VECTOR) ? type->u.vector.element : type;
}

// x += a*b and x -= a*b.
static bool may_fuse(const TExpr *expr) {
  const TExpr *right = expr->u.assign.right;
  return expr->may_contract &&
         (expr->u.assign.op == TOP_ADD || expr->u.assign.op == TOP_SUB) &&
         type_is_floating(
             expr_assign_element_of(expr->u.assign.compute_type)) &&
         right->kind == TEXPR_BINARY && right->u.binary.op == TOP_MUL;
}

static Value expr_assign_fused(Lowering *lw, const TExpr *expr, Value old) {
  const TExpr *product = expr->u.assign.right;
  const Type *type = expr->u.assign.compute_type;
  Value a = lower_expr(lw, product->u.binary.left);
  Value b = lower_expr(lw, product->u.binary.right);
  if (expr->u.assign.op == TOP_SUB) {
    IrNode *leaves[4];
    for (uint32_t i = 0; i < a.n_leaves; i++)
      leaves[i] =
          lower_emit1(lw, IR_NEG, lower_leaf(&a, i)->type, lower_leaf(&a, i));
    a = lower_value_leaves(lw, leaves, a.n_leaves);
  }
  return lower_multiply_add(lw, type, a, b, old);
}

static Value expr_assign_combined(Lowering *lw, const TExpr *expr,
                                  Storage *storage) {
  const TExpr *right = expr->u.assign.right;
  const Type *type = expr->u.assign.compute_type;
  TOp op = expr->u.assign.op;
  if (type_is(type, TY_POINTER)) {
    IrNode *index = lower_index(lw, right);
    return pointer_moved(lw, op, lower_read(lw, storage), type, index);
  }
  if (may_fuse(expr)) {
    Value read = lower_read(lw, storage);
    return expr_assign_fused(lw, expr,
                             lower_convert(lw, read, storage->type, type));
  }
  Value operand = lower_expr(lw, right);
  Value old = lower_convert(lw, lower_read(lw, storage), storage->type, type);
  return lower_operate(lw, op, type, old, operand, right->type);
}

Value lower_assign_op(Lowering *lw, const TExpr *expr) {
  Storage storage = lower_storage(lw, expr->u.assign.place);
  if (storage.kind == STORAGE_SECTION) {
    SectionPlace *place = ARENA_NEW(lw->scratch, SectionPlace);
    *place = *storage.section;
    place->is_update = true;
    storage.section = place;
  }
  Value value = expr_assign_combined(lw, expr, &storage);
  value = lower_convert(lw, value, expr->u.assign.compute_type, storage.type);
  lower_write(lw, &storage, value);
  return value;
}

// -------------------------------------------------------------- ++ and --

static IrNode *expr_assign_one(Lowering *lw, IrType type) {
  switch ((int)type.kind) {
  case IR_TYPE_F16: return lower_const(lw, type, 0x3c00);
  case IR_TYPE_BF16: return lower_const(lw, type, 0x3f80);
  case IR_TYPE_F32: return lower_const(lw, type, 0x3f800000);
  case IR_TYPE_F64: return lower_const(lw, type, UINT64_C(0x3ff) << 52);
  default: return lower_const(lw, type, 1);
  }
}

static IrNode *widened(Lowering *lw, IrNode *node, const Type *type) {
  IrType i32 = ir_scalar(IR_TYPE_I32);
  if (ir_type_is_float(node->type) || ir_type_bits(node->type) >= 32)
    return node;
  bool is_signed = lower_type_is_signed(type) && !type_is(type, TY_BOOL);
  return lower_emit1(lw, is_signed ? IR_SEXT : IR_ZEXT, i32, node);
}

static IrNode *expr_assign_narrowed(Lowering *lw, IrNode *node, IrType type) {
  if (node->type.kind == type.kind)
    return node;
  if (type.kind == IR_TYPE_BOOL)
    return lower_emit2(lw, IR_NE, type, node, lower_zero(lw, node->type));
  return lower_emit1(lw, IR_TRUNC, type, node);
}

// Computed in the promoted type, as C does.
static Value stepped(Lowering *lw, const Type *type, Value old, bool is_up) {
  IrNode *node = widened(lw, old.node, type);
  IrNode *next = lower_emit2(lw, is_up ? IR_ADD : IR_SUB, node->type, node,
                             expr_assign_one(lw, node->type));
  bool is_promoted = node != old.node;
  if (ir_type_is_int(next->type) && (is_promoted || lower_type_is_signed(type)))
    next->flags |= lower_no_wrap(lw);
  return lower_value_node(expr_assign_narrowed(lw, next, old.node->type));
}

Value lower_inc_dec(Lowering *lw, const TExpr *expr) {
  Storage storage = lower_storage(lw, expr->u.inc_dec.place);
  bool is_up = expr->u.inc_dec.is_increment;
  Value old = lower_read(lw, &storage), next;
  if (old.kind == VALUE_POINTER)
    next = pointer_moved(lw, TOP_ADD, old, storage.type,
                         lower_i64(lw, is_up ? 1 : -1));
  else
    next = stepped(lw, storage.type, old, is_up);
  lower_write(lw, &storage, next);
  return expr->u.inc_dec.is_prefix ? next : old;
}
