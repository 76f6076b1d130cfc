// SPDX-License-Identifier: Apache-2.0
// Expressions: which file lowers which kind.
#include "lower/lower_internal.h"
#include "sema/type/constants.h"
#include <string.h>

// --------------------------------------------------------------- constants

static uint64_t lower_expr_constant_bits(const Type *type, TValue value) {
  uint8_t bytes[8] = {0};
  uint64_t bits = 0;
  value_store(type, value, bytes);
  memcpy(&bits, bytes, sizeof bits);
  return bits;
}

static Value lower_constant(Lowering *lw, const TExpr *expr) {
  const Type *type = type_underlying(expr->type);
  IrNode *node = lower_const(lw, lower_type(lw, type),
                             lower_expr_constant_bits(type, expr->u.value));
  return lower_from_leaves(lw, lower_value_node(node), type);
}

// ---------------------------------------------------------- small kinds

static Value lower_load(Lowering *lw, const TExpr *expr) {
  Storage storage = lower_storage(lw, expr->u.operand);
  return lower_read(lw, &storage);
}

static Value lower_address_of(Lowering *lw, const TExpr *expr) {
  Storage storage = lower_addressed(lw, expr->u.operand);
  return lower_value_address(lower_storage_address(lw, &storage));
}

static Value lower_broadcast(Lowering *lw, const TExpr *expr) {
  IrNode *leaves[4];
  if (type_is(expr->type, TY_TILE))
    return lower_tile_repeated(lw, expr);
  IrNode *node = lower_scalar(lw, expr->u.operand);
  uint32_t count = expr->type->u.vector.count;
  for (uint32_t i = 0; i < count; i++)
    leaves[i] = node;
  return lower_value_leaves(lw, leaves, count);
}

static Value lower_comma(Lowering *lw, const TExpr *expr) {
  (void)lower_expr(lw, expr->u.binary.left);
  return lower_expr(lw, expr->u.binary.right);
}

// A member of a value, or of a place read without a LOAD above it.
static Value lower_member(Lowering *lw, const TExpr *expr) {
  Value value;
  if (lower_position(lw, expr, &value))
    return value;
  Storage storage = lower_storage(lw, expr);
  return lower_read(lw, &storage);
}

// ---------------------------------------------------------------- dispatch

static Value lower_expr_dispatch(Lowering *lw, const TExpr *expr) {
  switch (expr->kind) {
  case TEXPR_CONST: return lower_constant(lw, expr);
  case TEXPR_LOAD: return lower_load(lw, expr);
  case TEXPR_ADDR: return lower_address_of(lw, expr);
  case TEXPR_PTR_ADD: return lower_pointer_add(lw, expr);
  case TEXPR_PTR_DIFF: return lower_pointer_difference(lw, expr);
  case TEXPR_UNARY: return lower_unary(lw, expr);
  case TEXPR_BINARY: return lower_binary(lw, expr);
  case TEXPR_AND:
  case TEXPR_OR: return lower_logic(lw, expr);
  case TEXPR_CONDITIONAL: return lower_conditional(lw, expr);
  case TEXPR_COMMA: return lower_comma(lw, expr);
  case TEXPR_ASSIGN: return lower_assign(lw, expr);
  case TEXPR_ASSIGN_OP: return lower_assign_op(lw, expr);
  case TEXPR_INC_DEC: return lower_inc_dec(lw, expr);
  case TEXPR_CONVERT:
    return lower_convert(lw, lower_expr(lw, expr->u.operand),
                         expr->u.operand->type, expr->type);
  case TEXPR_BROADCAST: return lower_broadcast(lw, expr);
  case TEXPR_AGGREGATE: return lower_aggregate(lw, expr);
  case TEXPR_CALL: return lower_call(lw, expr);
  case TEXPR_BUILTIN: return lower_builtin(lw, expr);
  case TEXPR_VAR:
  case TEXPR_INDEX:
  case TEXPR_DEREF:
  case TEXPR_MEMBER:
  case TEXPR_COMPONENT: return lower_member(lw, expr);
  case TEXPR_GROUP:
  case TEXPR_SECTION: break;
  }
  HD_PANIC("a group used as a value");
}

static Value failed_value(Lowering *lw, const Type *type) {
  if (type_is(type, TY_VOID) || lower_layout(lw, type)->is_split)
    return lower_zero_value(lw, type);
  IrObject *object =
      lower_local_object(lw, "temporary", type, type->align_bytes);
  return (Value){.kind = VALUE_MEMORY,
                 .address = lower_object_address(lw, object)};
}

static void report_too_deep(Lowering *lw, Span span) {
  lw->has_failed = true;
  DIAG_REPORT(lw->diags, DIAG_calls_too_deep, lower_place(lw, span),
              DS(lw->frame->func ? lw->frame->func->name : lw->tree->name));
}

Value lower_expr(Lowering *lw, const TExpr *expr) {
  if (lw->depth >= LOWER_MAX_DEPTH && !lw->has_failed)
    report_too_deep(lw, expr->span);
  if (lw->has_failed)
    return failed_value(lw, expr->type);
  IrLocId before = lw->loc;
  lw->loc = lower_loc(lw, expr->span);
  lw->depth++;
  Value value = lower_expr_dispatch(lw, expr);
  lw->depth--;
  lw->loc = before;
  return value;
}

IrNode *lower_scalar(Lowering *lw, const TExpr *expr) {
  Value value = lower_expr(lw, expr);
  HD_ASSERT(value.kind == VALUE_LEAVES && value.n_leaves == 1);
  return value.node;
}

const Address *lower_pointer(Lowering *lw, const TExpr *expr) {
  Value value = lower_expr(lw, expr);
  HD_ASSERT(value.kind == VALUE_POINTER);
  return value.address;
}
