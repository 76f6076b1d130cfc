// SPDX-License-Identifier: Apache-2.0
// Conditions that a template's arguments or a macro decide: in `512u >= 64`
// nothing is left to ask.
#include "convert/convert_tidy.h"

static bool read_operator(BinaryOp op, int64_t a, int64_t b, int64_t *out) {
  switch ((int)op) {
  case BINARY_ADD: *out = a + b; break;
  case BINARY_SUB: *out = a - b; break;
  case BINARY_MUL: *out = a * b; break;
  case BINARY_DIV:
    if (b == 0)
      return false;
    *out = a / b;
    break;
  case BINARY_REM:
    if (b == 0)
      return false;
    *out = a % b;
    break;
  case BINARY_LT: *out = a < b; break;
  case BINARY_LE: *out = a <= b; break;
  case BINARY_GT: *out = a > b; break;
  case BINARY_GE: *out = a >= b; break;
  case BINARY_EQ: *out = a == b; break;
  case BINARY_NE: *out = a != b; break;
  case BINARY_BIT_AND: *out = a & b; break;
  case BINARY_LOG_AND: *out = a && b; break;
  case BINARY_LOG_OR: *out = a || b; break;
  default: return false;
  }
  return true;
}

// Made of numbers from 0 to 2^31 - 1, which have the same value in every type.
static bool read_constant(const Expr *expr, int64_t *out) {
  int64_t a, b;
  bool is_known = false;
  switch ((int)expr->kind) {
  case EXPR_INT:
    if (expr->u.int_lit.value > INT32_MAX)
      return false;
    *out = (int64_t)expr->u.int_lit.value;
    return true;
  case EXPR_BOOL: *out = expr->u.bool_value; return true;
  case EXPR_UNARY:
    is_known = expr->u.unary.op == UNARY_NOT &&
               read_constant(expr->u.unary.operand, &a);
    *out = is_known && !a;
    return is_known;
  case EXPR_BINARY:
    is_known = read_constant(expr->u.binary.left, &a) &&
               read_constant(expr->u.binary.right, &b) &&
               read_operator(expr->u.binary.op, a, b, out);
    return is_known && *out >= 0 && *out <= INT32_MAX;
  default: return false;
  }
}

static void set_bool(Expr *expr, bool value) {
  expr->kind = EXPR_BOOL;
  expr->u.bool_value = value;
}

// `true && c` is c; what stands behind a constant that decides isn't evaluated.
void tidy_condition(Expr *expr) {
  int64_t value;
  if (read_constant(expr, &value)) {
    set_bool(expr, value != 0);
    return;
  }
  bool is_and =
      expr->kind == EXPR_BINARY && expr->u.binary.op == BINARY_LOG_AND;
  bool is_or = expr->kind == EXPR_BINARY && expr->u.binary.op == BINARY_LOG_OR;
  if (!is_and && !is_or)
    return;
  Expr *left = expr->u.binary.left, *right = expr->u.binary.right;
  tidy_condition(left);
  tidy_condition(right);
  if (left->kind == EXPR_BOOL && left->u.bool_value == is_and)
    *expr = *right;
  else if (left->kind == EXPR_BOOL)
    set_bool(expr, is_or);
  else if (right->kind == EXPR_BOOL && right->u.bool_value == is_and)
    *expr = *left;
  else if (right->kind == EXPR_BOOL && tidy_is_pure(left))
    set_bool(expr, is_or);
}

Stmt *tidy_chosen(Stmt *stmt) {
  while (stmt && stmt->kind == STMT_IF &&
         stmt->u.if_stmt.condition->kind == EXPR_BOOL)
    stmt = stmt->u.if_stmt.condition->u.bool_value ? stmt->u.if_stmt.then_stmt
                                                   : stmt->u.if_stmt.else_stmt;
  return stmt;
}
