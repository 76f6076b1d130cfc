// SPDX-License-Identifier: Apache-2.0
// Unary and binary operators.
#include "sema/tile.h"

static const struct {
  TOp op;
  const char *spelling;
} binary_ops[] = {
    [BINARY_MUL] = {TOP_MUL, "*"},
    [BINARY_DIV] = {TOP_DIV, "/"},
    [BINARY_REM] = {TOP_REM, "%"},
    [BINARY_ADD] = {TOP_ADD, "+"},
    [BINARY_SUB] = {TOP_SUB, "-"},
    [BINARY_SHL] = {TOP_SHL, "<<"},
    [BINARY_SHR] = {TOP_SHR, ">>"},
    [BINARY_LT] = {TOP_LT, "<"},
    [BINARY_LE] = {TOP_LE, "<="},
    [BINARY_GT] = {TOP_GT, ">"},
    [BINARY_GE] = {TOP_GE, ">="},
    [BINARY_EQ] = {TOP_EQ, "=="},
    [BINARY_NE] = {TOP_NE, "!="},
    [BINARY_BIT_AND] = {TOP_BIT_AND, "&"},
    [BINARY_BIT_XOR] = {TOP_BIT_XOR, "^"},
    [BINARY_BIT_OR] = {TOP_BIT_OR, "|"},
    [BINARY_LOG_AND] = {TOP_EQ, "&&"},
    [BINARY_LOG_OR] = {TOP_EQ, "||"},
};

TOp check_binary_op(BinaryOp op, const char **spelling) {
  *spelling = binary_ops[op].spelling;
  return binary_ops[op].op;
}

// --- unary ---

static TExpr *refuse_operand(SemaContext *cx, const char *op, TExpr *operand,
                             Span span) {
  if (!expr_is_poison(operand))
    SEMA_ERROR(cx, span, bad_operand, DS(op), NT(cx, operand->type));
  return build_poison(cx, span);
}

static TExpr *check_not(SemaContext *cx, TExpr *operand, Span span) {
  operand = tile_row(cx, operand);
  if (is_tile(operand))
    return tile_check_unary(cx, UNARY_NOT, operand, span);
  if (!type_is_scalar(operand->type))
    return refuse_operand(cx, "!", operand, span);
  TExpr *result = build_unary(cx, TOP_NOT, convert_to_bool(cx, operand), span);
  return build_convert(cx, result, sema_basic(cx, TY_INT));
}

static const Type *lane_type(const Type *type) {
  return type->kind == TY_VECTOR ? type->u.vector.element : type;
}

static TExpr *check_arithmetic(SemaContext *cx, UnaryOp op, TExpr *operand,
                               Span span) {
  static const char *const spellings[] = {
      [UNARY_PLUS] = "+", [UNARY_MINUS] = "-", [UNARY_BIT_NOT] = "~"};
  operand = tile_row(cx, operand);
  if (is_tile(operand))
    return tile_check_unary(cx, op, operand, span);
  const Type *lane = lane_type(operand->type);
  bool is_allowed =
      op == UNARY_BIT_NOT ? type_is_integer(lane) : type_is_arithmetic(lane);
  if (!is_allowed)
    return refuse_operand(cx, spellings[op], operand, span);
  if (operand->type->kind != TY_VECTOR)
    operand = convert_promote(cx, operand);
  if (op == UNARY_PLUS)
    return operand;
  return build_unary(cx, op == UNARY_MINUS ? TOP_NEG : TOP_BIT_NOT, operand,
                     span);
}

static TExpr *address_of(SemaContext *cx, TExpr *place, Span span) {
  if (!type_is(place->type, TY_ARRAY))
    return build_addr(cx, place, span);
  if (!type_is_complete(place->type)) {
    SEMA_ERROR(cx, span, incomplete_type, NT(cx, place->type));
    return build_poison(cx, span);
  }
  return convert_array_address(cx, place);
}

static TExpr *check_address(SemaContext *cx, const Expr *expr) {
  bool outer = cx->in_address;
  const Expr *outer_literal = cx->wanted_literal;
  cx->in_address = true;
  cx->wanted_literal = check_literal_below(expr->u.unary.operand);
  TExpr *place = check_expr(cx, expr->u.unary.operand);
  cx->in_address = outer;
  cx->wanted_literal = outer_literal;
  if (expr_is_poison(place))
    return place;
  if (type_is(place->type, TY_GROUP)) {
    SEMA_ERROR0(cx, expr->span, group_pointed);
    return build_poison(cx, expr->span);
  }
  if (!place->is_lvalue) {
    SEMA_ERROR(cx, expr->span, not_a_place, DS("&"));
    return build_poison(cx, expr->span);
  }
  TVar *root = expr_root(place);
  if (root && root->kind == TVAR_INDUCTION) {
    SEMA_ERROR(cx, expr->span, thread_loop_variable, DS(root->name),
               DS(root->loop_word));
    return build_poison(cx, expr->span);
  }
  if (!sema_may_lie(cx, expr->span, type_array_base(place->type, NULL),
                    "pointed to"))
    return build_poison(cx, expr->span);
  return address_of(cx, place, expr->span);
}

static TExpr *check_deref(SemaContext *cx, const Expr *expr) {
  TExpr *pointer = check_value(cx, expr->u.unary.operand);
  if (!type_is(pointer->type, TY_POINTER))
    return refuse_operand(cx, "*", pointer, expr->span);
  return check_pointee(cx, pointer, expr->span);
}

// The place that a pointer points to.
TExpr *check_pointee(SemaContext *cx, TExpr *pointer, Span span) {
  const Type *pointee = pointer->type->u.pointer.pointee;
  if (pointee->kind == TY_VOID || !type_is_complete(pointee)) {
    if (!type_is_poison(pointee))
      SEMA_ERROR(cx, span, incomplete_type, NT(cx, pointee));
    return build_poison(cx, span);
  }
  return build_deref(cx, pointer, span);
}

TExpr *check_unary(SemaContext *cx, const Expr *expr) {
  UnaryOp op = expr->u.unary.op;
  switch (op) {
  case UNARY_ADDRESS: return check_address(cx, expr);
  case UNARY_DEREF: return check_deref(cx, expr);
  case UNARY_PRE_INC:
  case UNARY_PRE_DEC:
  case UNARY_POST_INC:
  case UNARY_POST_DEC: return check_inc_dec(cx, expr);
  case UNARY_NOT:
  case UNARY_PLUS:
  case UNARY_MINUS:
  case UNARY_BIT_NOT: break;
  }
  const Expr *written = expr->u.unary.operand;
  TExpr *operand = op == UNARY_NOT && written->kind == EXPR_STRING
                       ? check_condition(cx, written) // assert(!"reached")
                       : check_value(cx, written);
  if (op == UNARY_NOT)
    return check_not(cx, operand, expr->span);
  return check_arithmetic(cx, op, operand, expr->span);
}

// --- binary ---

static TExpr *refuse_operands(SemaContext *cx, const char *op, TExpr *left,
                              TExpr *right, Span span) {
  if (!expr_is_poison(left) && !expr_is_poison(right))
    SEMA_ERROR(cx, span, bad_operands, DS(op), NT(cx, left->type),
               NT(cx, right->type));
  return build_poison(cx, span);
}

static TExpr *as_int(SemaContext *cx, TExpr *boolean) {
  if (expr_is_poison(boolean))
    return boolean;
  return build_convert(cx, boolean, sema_basic(cx, TY_INT));
}

static TExpr *check_shift(SemaContext *cx, TOp op, const char *spelling,
                          TExpr *left, TExpr *right, Span span) {
  bool is_vector = left->type->kind == TY_VECTOR;
  if (is_vector || right->type->kind == TY_VECTOR) {
    if (!is_vector || !type_is_integer(lane_type(left->type)) ||
        !convert_usual(cx, spelling, &left, &right, span))
      return refuse_operands(cx, spelling, left, right, span);
    return build_binary(cx, op, spelling, left, right, span);
  }
  if (!type_is_integer(left->type) || !type_is_integer(right->type))
    return refuse_operands(cx, spelling, left, right, span);
  return build_binary(cx, op, spelling, convert_promote(cx, left),
                      convert_promote(cx, right), span);
}

// The distance as a long, negated for subtraction.
static TExpr *step_pointer(SemaContext *cx, TExpr *pointer, TExpr *count,
                           bool is_subtraction, Span span) {
  const Type *pointee = pointer->type->u.pointer.pointee;
  if (pointee->kind == TY_VOID || !type_is_complete(pointee)) {
    SEMA_ERROR(cx, span, incomplete_type, NT(cx, pointee));
    return build_poison(cx, span);
  }
  count = build_convert(cx, count, sema_basic(cx, TY_LONG));
  if (is_subtraction)
    count = build_unary(cx, TOP_NEG, count, count->span);
  return build_ptr_add(cx, pointer, count, span);
}

// Both as pointers of one type: to const if either is, generic if either is.
static bool unify_pointers(SemaContext *cx, TExpr **left, TExpr **right) {
  const Type *a = (*left)->type, *b = (*right)->type;
  Space x = a->u.pointer.space, y = b->u.pointer.space, space = x;
  if (x == TSPACE_UNKNOWN || y == TSPACE_GENERIC)
    space = y;
  bool is_apart = x != y && x != TSPACE_UNKNOWN && y != TSPACE_UNKNOWN &&
                  space != TSPACE_GENERIC;
  if (is_apart)
    return false;
  const Type *pointee = a->u.pointer.pointee->kind == TY_VOID
                            ? b->u.pointer.pointee
                            : a->u.pointer.pointee;
  const Type *common =
      type_pointer(cx->types, pointee, space,
                   a->u.pointer.to_const || b->u.pointer.to_const);
  *left = build_convert(cx, *left, common);
  *right = build_convert(cx, *right, common);
  return true;
}

static TExpr *subtract_pointers(SemaContext *cx, TExpr *left, TExpr *right,
                                Span span) {
  const Type *a = left->type->u.pointer.pointee;
  if (a != right->type->u.pointer.pointee || !type_is_complete(a) ||
      !unify_pointers(cx, &left, &right))
    return refuse_operands(cx, "-", left, right, span);
  TExpr *result = build_expr(cx, TEXPR_PTR_DIFF, sema_basic(cx, TY_LONG), span);
  result->u.binary.left = left;
  result->u.binary.right = right;
  return result;
}

static TExpr *compare_pointers(SemaContext *cx, TOp op, const char *spelling,
                               TExpr *left, TExpr *right, Span span) {
  const Type *a = left->type, *b = right->type;
  bool is_equality = op == TOP_EQ || op == TOP_NE;
  if (is_equality && expr_is_null(right) && a->kind == TY_POINTER)
    right = build_int(cx, a, 0, right->span);
  else if (is_equality && expr_is_null(left) && b->kind == TY_POINTER)
    left = build_int(cx, b, 0, left->span);
  else if (a->kind != TY_POINTER || b->kind != TY_POINTER)
    return refuse_operands(cx, spelling, left, right, span);
  const Type *x = left->type, *y = right->type;
  bool is_void = x->u.pointer.pointee->kind == TY_VOID ||
                 y->u.pointer.pointee->kind == TY_VOID;
  bool is_comparable = is_void || x->u.pointer.pointee == y->u.pointer.pointee;
  if (!is_comparable || !unify_pointers(cx, &left, &right))
    return refuse_operands(cx, spelling, left, right, span);
  return as_int(cx, build_binary(cx, op, spelling, left, right, span));
}

static TExpr *check_pointers(SemaContext *cx, TOp op, const char *spelling,
                             TExpr *left, TExpr *right, Span span) {
  bool left_points = left->type->kind == TY_POINTER;
  bool right_points = right->type->kind == TY_POINTER;
  if (op >= TOP_EQ)
    return compare_pointers(cx, op, spelling, left, right, span);
  if (op == TOP_SUB && left_points && right_points)
    return subtract_pointers(cx, left, right, span);
  if ((op == TOP_ADD || op == TOP_SUB) && left_points &&
      type_is_integer(right->type))
    return step_pointer(cx, left, right, op == TOP_SUB, span);
  if (op == TOP_ADD && right_points && type_is_integer(left->type))
    return step_pointer(cx, right, left, false, span);
  return refuse_operands(cx, spelling, left, right, span);
}

static bool takes_integers_only(TOp op) {
  return op == TOP_REM || op == TOP_BIT_AND || op == TOP_BIT_OR ||
         op == TOP_BIT_XOR;
}

TExpr *check_binary_values(SemaContext *cx, BinaryOp written, TExpr *left,
                           TExpr *right, Span span) {
  const char *spelling;
  TOp op = check_binary_op(written, &spelling);
  if (expr_is_poison(left) || expr_is_poison(right))
    return build_poison(cx, span);
  left = tile_row(cx, left);
  right = tile_row(cx, right);
  if (is_tile(left) || is_tile(right))
    return tile_check_binary(cx, written, left, right, span);
  if (left->type->kind == TY_POINTER || right->type->kind == TY_POINTER)
    return check_pointers(cx, op, spelling, left, right, span);
  if (op == TOP_SHL || op == TOP_SHR)
    return check_shift(cx, op, spelling, left, right, span);
  if (takes_integers_only(op) && (!type_is_integer(lane_type(left->type)) ||
                                  !type_is_integer(lane_type(right->type))))
    return refuse_operands(cx, spelling, left, right, span);
  bool is_vector =
      left->type->kind == TY_VECTOR || right->type->kind == TY_VECTOR;
  if (is_vector && op >= TOP_EQ)
    return refuse_operands(cx, spelling, left, right, span);
  if (!convert_usual(cx, spelling, &left, &right, span))
    return build_poison(cx, span);
  TExpr *result = build_binary(cx, op, spelling, left, right, span);
  return op >= TOP_EQ ? as_int(cx, result) : result;
}

// --- && and || ---

static TExpr *check_logical_tiles(SemaContext *cx, const Expr *expr,
                                  TExpr *left, TExpr *right) {
  bool is_and = expr->u.binary.op == BINARY_LOG_AND;
  if (expr_is_poison(left) || expr_is_poison(right))
    return build_poison(cx, expr->span);
  return tile_check_logical(cx, is_and ? "&&" : "||", is_and, left, right,
                            expr->span);
}

static TExpr *check_logical(SemaContext *cx, const Expr *expr) {
  bool is_and = expr->u.binary.op == BINARY_LOG_AND;
  TExpr *left = check_operand(cx, expr->u.binary.left);
  if (is_tile(left))
    return check_logical_tiles(cx, expr, left,
                               check_value(cx, expr->u.binary.right));
  bool is_known = expr_is_const(left);
  bool decides = is_known && (left->u.value.u != 0) != is_and;
  cx->unevaluated += decides;
  TExpr *right = check_operand(cx, expr->u.binary.right);
  cx->unevaluated -= decides;
  if (is_tile(right))
    return check_logical_tiles(cx, expr, left, right);
  if (expr_is_poison(left) || expr_is_poison(right))
    return build_poison(cx, expr->span);
  if (is_known)
    return as_int(cx, decides ? left : right);
  TExpr *result = build_expr(cx, is_and ? TEXPR_AND : TEXPR_OR,
                             sema_basic(cx, TY_BOOL), expr->span);
  result->u.binary.left = left;
  result->u.binary.right = right;
  result->is_host = left->is_host && right->is_host;
  return as_int(cx, result);
}

TExpr *check_binary(SemaContext *cx, const Expr *expr) {
  BinaryOp op = expr->u.binary.op;
  if (op == BINARY_LOG_AND || op == BINARY_LOG_OR)
    return check_logical(cx, expr);
  TExpr *left = check_value(cx, expr->u.binary.left);
  TExpr *right = check_value(cx, expr->u.binary.right);
  return check_binary_values(cx, op, left, right, expr->span);
}
