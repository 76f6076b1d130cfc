// SPDX-License-Identifier: Apache-2.0
// Operators on scalars and short vectors, and the forming of fma.
#include "lower/lower_internal.h"

typedef enum { CLASS_SIGNED, CLASS_UNSIGNED, CLASS_FLOAT } OperandClass;

static OperandClass class_of(const Type *type) {
  type = type_underlying(type_tile_element(type));
  if (type_is_floating(type))
    return CLASS_FLOAT;
  return type_is_signed(type) && !type_is(type, TY_BOOL) ? CLASS_SIGNED
                                                         : CLASS_UNSIGNED;
}

// ------------------------------------------------------------ one scalar

static IrOp arithmetic_op(TOp op, OperandClass class) {
  bool is_float = class == CLASS_FLOAT, is_signed = class == CLASS_SIGNED;
  switch ((int)op) {
  case TOP_ADD: return IR_ADD;
  case TOP_SUB: return IR_SUB;
  case TOP_MUL: return IR_MUL;
  case TOP_DIV: return is_float ? IR_FDIV : is_signed ? IR_SDIV : IR_UDIV;
  case TOP_REM: return is_float ? IR_FREM : is_signed ? IR_SREM : IR_UREM;
  case TOP_SHL: return IR_SHL;
  case TOP_SHR: return is_signed ? IR_ASHR : IR_LSHR;
  case TOP_BIT_AND: return IR_AND;
  case TOP_BIT_OR: return IR_OR;
  case TOP_BIT_XOR: return IR_XOR;
  default: break;
  }
  HD_PANIC("operator %d is not arithmetic", (int)op);
}

static IrOp comparison_op(TOp op, OperandClass class) {
  bool is_float = class == CLASS_FLOAT, is_signed = class == CLASS_SIGNED;
  switch ((int)op) {
  case TOP_EQ: return is_float ? IR_FEQ : IR_EQ;
  case TOP_NE: return is_float ? IR_FNE : IR_NE;
  case TOP_LT:
  case TOP_GT: return is_float ? IR_FLT : is_signed ? IR_SLT : IR_ULT;
  default: return is_float ? IR_FLE : is_signed ? IR_SLE : IR_ULE;
  }
}

static bool expr_arith_is_comparison(TOp op) {
  return op >= TOP_EQ;
}

// The count has another integer type; modulo the width only its low bits
// matter.
static IrNode *expr_arith_shift_count(Lowering *lw, IrNode *count,
                                      IrType type) {
  uint32_t have = lower_element_bits(lw, count);
  uint32_t want = ir_type_bits(ir_element_type(lw->module, type));
  if (have == want)
    return count;
  return lower_emit1(lw, have > want ? IR_TRUNC : IR_ZEXT, type, count);
}

static IrNode *bools_as_ints(Lowering *lw, IrNode *node) {
  if (ir_element_type(lw->module, node->type).kind != IR_TYPE_BOOL)
    return node;
  return lower_emit1(lw, IR_ZEXT, lower_shaped(lw, node, ir_scalar(IR_TYPE_I8)),
                     node);
}

static IrNode *expr_arith_compare(Lowering *lw, TOp op, OperandClass class,
                                  IrNode *a, IrNode *b) {
  bool is_ordering = op != TOP_EQ && op != TOP_NE;
  if (is_ordering) {
    a = bools_as_ints(lw, a);
    b = bools_as_ints(lw, b);
  }
  bool is_swapped = op == TOP_GT || op == TOP_GE;
  return lower_emit2(lw, comparison_op(op, class),
                     lower_shaped(lw, a, ir_scalar(IR_TYPE_BOOL)),
                     is_swapped ? b : a, is_swapped ? a : b);
}

static bool may_assume_no_wrap(TOp op, OperandClass class) {
  return class == CLASS_SIGNED &&
         (op == TOP_ADD || op == TOP_SUB || op == TOP_MUL || op == TOP_SHL);
}

uint32_t lower_no_wrap(const Lowering *lw) {
  return NODE_NO_SIGNED_WRAP | (lw->n_speculative ? NODE_SPECULATIVE : 0u);
}

static IrNode *expr_arith_operate(Lowering *lw, TOp op, OperandClass class,
                                  IrNode *a, IrNode *b) {
  if (expr_arith_is_comparison(op))
    return expr_arith_compare(lw, op, class, a, b);
  if (op == TOP_SHL || op == TOP_SHR)
    b = expr_arith_shift_count(lw, b, a->type);
  IrNode *node = lower_emit2(lw, arithmetic_op(op, class), a->type, a, b);
  if (may_assume_no_wrap(op, class) && !ir_is_tile(node->type))
    node->flags |= lower_no_wrap(lw);
  return node;
}

// --------------------------------------------------- scalars and vectors

static const Type *expr_arith_element_of(const Type *type) {
  return type_is(type, TY_VECTOR) ? type->u.vector.element
                                  : type_tile_element(type);
}

static uint32_t lanes_of(const Type *type) {
  return type_is(type, TY_VECTOR) ? type->u.vector.count : 1;
}

// A scalar beside a vector stands for all of its elements.
static IrNode *expr_arith_lane(const Value *value, uint32_t i) {
  return lower_leaf(value, value->n_leaves == 1 ? 0 : i);
}

Value lower_operate(Lowering *lw, TOp op, const Type *type, Value left,
                    Value right, const Type *right_type) {
  (void)right_type;
  OperandClass class = class_of(expr_arith_element_of(type));
  IrNode *leaves[4];
  uint32_t n_lanes = lanes_of(type);
  for (uint32_t i = 0; i < n_lanes; i++)
    leaves[i] = expr_arith_operate(lw, op, class, expr_arith_lane(&left, i),
                                   expr_arith_lane(&right, i));
  return lower_value_leaves(lw, leaves, n_lanes);
}

Value lower_multiply_add(Lowering *lw, const Type *type, Value a, Value b,
                         Value c) {
  IrNode *leaves[4];
  uint32_t n_lanes = lanes_of(type);
  for (uint32_t i = 0; i < n_lanes; i++)
    leaves[i] = lower_emit3(lw, IR_FMA, expr_arith_lane(&a, i)->type,
                            expr_arith_lane(&a, i), expr_arith_lane(&b, i),
                            expr_arith_lane(&c, i));
  return lower_value_leaves(lw, leaves, n_lanes);
}

static Value expr_arith_negated(Lowering *lw, const Type *type, Value value) {
  IrNode *leaves[4];
  uint32_t n_lanes = lanes_of(type);
  bool is_signed = class_of(expr_arith_element_of(type)) == CLASS_SIGNED;
  for (uint32_t i = 0; i < n_lanes; i++) {
    leaves[i] = lower_emit1(lw, IR_NEG, expr_arith_lane(&value, i)->type,
                            expr_arith_lane(&value, i));
    if (is_signed && !ir_is_tile(leaves[i]->type))
      leaves[i]->flags |= lower_no_wrap(lw);
  }
  return lower_value_leaves(lw, leaves, n_lanes);
}

// ------------------------------------------------------------ contraction

static bool expr_arith_is_product(const TExpr *expr) {
  return expr->kind == TEXPR_BINARY && expr->u.binary.op == TOP_MUL;
}

static bool may_contract(const TExpr *expr) {
  TOp op = expr->u.binary.op;
  return expr->may_contract && (op == TOP_ADD || op == TOP_SUB) &&
         type_is_floating(expr_arith_element_of(expr->type)) &&
         (expr_arith_is_product(expr->u.binary.left) ||
          expr_arith_is_product(expr->u.binary.right));
}

// a*b + c, a*b - c, c + a*b, c - a*b; of two products the left one is fused.
static Value contracted(Lowering *lw, const TExpr *expr) {
  const TExpr *left = expr->u.binary.left, *right = expr->u.binary.right;
  bool is_left = expr_arith_is_product(left);
  const TExpr *product = is_left ? left : right;
  Value addend = {0};
  if (!is_left)
    addend = lower_expr(lw, left);
  Value a = lower_expr(lw, product->u.binary.left);
  Value b = lower_expr(lw, product->u.binary.right);
  if (is_left)
    addend = lower_expr(lw, right);
  if (expr->u.binary.op == TOP_SUB && is_left)
    addend = expr_arith_negated(lw, expr->type, addend);
  else if (expr->u.binary.op == TOP_SUB)
    a = expr_arith_negated(lw, expr->type, a);
  return lower_multiply_add(lw, expr->type, a, b, addend);
}

// -------------------------------------------------------------- operators

Value lower_binary(Lowering *lw, const TExpr *expr) {
  const TExpr *left = expr->u.binary.left, *right = expr->u.binary.right;
  if (may_contract(expr))
    return contracted(lw, expr);
  Value a = lower_expr(lw, left);
  Value b = lower_expr(lw, right);
  if (a.kind == VALUE_POINTER)
    return lower_value_node(
        lower_pointer_compare(lw, expr->u.binary.op, a, b, left->type));
  return lower_operate(lw, expr->u.binary.op, left->type, a, b, right->type);
}

Value lower_unary(Lowering *lw, const TExpr *expr) {
  const TExpr *operand = expr->u.unary.operand;
  Value value = lower_expr(lw, operand);
  if (expr->u.unary.op == TOP_NEG)
    return expr_arith_negated(lw, operand->type, value);
  IrNode *leaves[4];
  uint32_t n_lanes = lanes_of(operand->type);
  for (uint32_t i = 0; i < n_lanes; i++) {
    IrNode *node = expr_arith_lane(&value, i);
    leaves[i] = expr->u.unary.op == TOP_NOT
                    ? lower_not(lw, node)
                    : lower_emit1(lw, IR_NOT, node->type, node);
  }
  return lower_value_leaves(lw, leaves, n_lanes);
}
