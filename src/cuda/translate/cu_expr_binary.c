// SPDX-License-Identifier: Apache-2.0
// Operators with two operands, and assignments.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_carve.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_stated.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"
#include "syntax/parse.h"

static CuValue expr_binary_refuse(CuContext *cu, const char *op,
                                  const CuValue *left, const CuValue *right,
                                  Span span) {
  if (!cu_is_poisoned(left) && !cu_is_poisoned(right))
    CU_ERROR(cu, span, bad_operands, DS(op), DS(CU_TEXT(cu, left->type)),
             DS(CU_TEXT(cu, right->type)));
  return cu_poison(cu, span);
}

static bool may_overload(const CuType *type) {
  type = cu_plain(type);
  return type->kind == CU_RECORD || type->kind == CU_ENUM;
}

// ---------------------------------------------------------------- pointers

static bool expr_binary_is_pointer(const CuType *type) {
  return type->kind == CU_POINTER;
}

static bool is_comparison(BinaryOp op) {
  return op >= BINARY_LT && op <= BINARY_NE;
}

static CuValue made_binary(CuContext *cu, BinaryOp op, const CuType *type,
                           const CuValue *left, const CuValue *right,
                           Span span) {
  return cu_rvalue(type, cu_binary(cu, op, left->expr, right->expr, span),
                   span);
}

static CuValue pointer_value(CuContext *cu, BinaryOp op, CuValue left,
                             CuValue right, Span span) {
  const CuType *a = cu_plain(left.type), *b = cu_plain(right.type);
  bool a_counts = cu_is_integer(a) || cu_is_unscoped_enum(a);
  bool b_counts = cu_is_integer(b) || cu_is_unscoped_enum(b);
  const CuType *result = NULL;
  if (is_comparison(op))
    result = cu_basic(&cu->types, CU_BOOL);
  else if (expr_binary_is_pointer(a) && b_counts &&
           (op == BINARY_ADD || op == BINARY_SUB))
    result = a;
  else if (expr_binary_is_pointer(b) && a_counts && op == BINARY_ADD)
    result = b;
  else if (expr_binary_is_pointer(a) && expr_binary_is_pointer(b) &&
           op == BINARY_SUB)
    result = cu_basic(&cu->types, CU_LONG);
  if (!result)
    return expr_binary_refuse(cu, ast_binary_spelling(op), &left, &right, span);
  CuValue value = made_binary(cu, op, result, &left, &right, span);
  if (result == a)
    value.spot = cu_spot_indexed(cu, left.spot, a->u.inner, &right, op);
  else if (result == b)
    value.spot = cu_spot_indexed(cu, right.spot, b->u.inner, &left, op);
  (void)cu_carve_moved(cu, &value);
  return value;
}

// ---------------------------------------------------------------- arithmetic

// Classes take part through a conversion function.
static CuValue as_number(CuContext *cu, CuValue value) {
  const CuType *type = cu_plain(value.type);
  if (type->kind != CU_RECORD || !value.expr)
    return value;
  static const CuTypeKind kinds[] = {CU_DOUBLE, CU_BOOL};
  for (int i = 0; i < 2; i++) {
    const CuType *to = cu_basic(&cu->types, kinds[i]);
    if (cu_conversion(cu, &value, to, true).rank == CU_RANK_USER)
      return cu_convert_number(cu, value);
  }
  return value;
}

static CuValue logic_value(CuContext *cu, BinaryOp op, CuValue left,
                           CuValue right, Span span) {
  left = cu_condition_of(cu, left);
  right = cu_condition_of(cu, right);
  if (cu_is_poisoned(&left) || cu_is_poisoned(&right))
    return cu_poison(cu, span);
  CuValue value =
      made_binary(cu, op, cu_basic(&cu->types, CU_BOOL), &left, &right, span);
  const CuConst *a = &left.constant, *b = &right.constant;
  bool decides =
      a->kind == CU_CONST_INT && (a->i != 0) == (op == BINARY_LOG_OR);
  if (decides)
    value.constant = cu_const_int(op == BINARY_LOG_OR);
  else if (a->kind == CU_CONST_INT && b->kind == CU_CONST_INT)
    value.constant = cu_const_int(b->i != 0);
  return value;
}

static bool expr_binary_is_number(const CuType *type) {
  return cu_is_arithmetic(type) || cu_is_unscoped_enum(type);
}

static bool needs_integers(BinaryOp op) {
  switch ((int)op) {
  case BINARY_REM:
  case BINARY_SHL:
  case BINARY_SHR:
  case BINARY_BIT_AND:
  case BINARY_BIT_OR:
  case BINARY_BIT_XOR: return true;
  default: return false;
  }
}

static CuValue same_enums(CuContext *cu, BinaryOp op, const CuValue *left,
                          const CuValue *right, Span span) {
  CuValue value =
      made_binary(cu, op, cu_basic(&cu->types, CU_BOOL), left, right, span);
  value.constant =
      cu_fold_binary(op, left->constant, right->constant, left->type);
  return value;
}

// Is no bit of a number of this type moved into the sign, or out at the top?
static bool stays_positive(const CuType *from, const CuType *type,
                           const CuConst *by) {
  return by->kind == CU_CONST_INT && by->i >= 0 && cu_is_integer(from) &&
         !cu_is_signed(from) && cu_bits(from) + by->i < cu_bits(type);
}

// For C++ a shift to the left moves bits, and what is left of them is the
// result, as in `1 << 31`. In Heddle C a signed one overflows, so the bits of
// the unsigned type are moved.
static Expr *shifted_left(CuContext *cu, const CuType *type, CuValue left,
                          const CuValue *right, Span span) {
  const CuType *bits = cu_basic(&cu->types, type->kind + 1);
  const CuConst *number = &left.constant;
  bool is_literal = left.expr->kind == EXPR_INT && number->kind == CU_CONST_INT;
  left.expr = is_literal ? cu_int_expr(cu, bits, number->i, left.span)
                         : cu_cast(cu, bits, left.expr, left.span);
  Expr *moved = cu_binary(cu, BINARY_SHL, left.expr, right->expr, span);
  return cu_cast(cu, type, moved, span);
}

// `(1 << n) - 1`, the n lowest bits: 1 from the moved bits, as every C++
// compiler has it, also where they are the sign alone. NULL: it is no such sum.
static Expr *lowest_bits(CuContext *cu, BinaryOp op, const CuType *type,
                         const CuValue *left, const CuValue *right, Span span) {
  const CuConst *one = &right->constant;
  if (op != BINARY_SUB || one->kind != CU_CONST_INT || one->i != 1 ||
      cu_plain(left->type) != type || left->expr->kind != EXPR_CAST)
    return NULL;
  Expr *moved = left->expr->u.cast.operand;
  if (moved->kind != EXPR_BINARY || moved->u.binary.op != BINARY_SHL)
    return NULL;
  const CuType *bits = cu_basic(&cu->types, type->kind + 1);
  Expr *less = cu_binary(cu, BINARY_SUB, moved,
                         cu_int_expr(cu, bits, 1, right->span), span);
  return cu_cast(cu, type, less, span);
}

static CuValue combined_value(CuContext *cu, BinaryOp op, const CuType *type,
                              const CuValue *left, const CuValue *right,
                              Span span) {
  bool is_constant = left->constant.kind == CU_CONST_INT &&
                     right->constant.kind == CU_CONST_INT;
  if (!cu_is_signed(type) || is_constant)
    return made_binary(cu, op, type, left, right, span);
  Expr *lowest = lowest_bits(cu, op, type, left, right, span);
  if (lowest)
    return cu_rvalue(type, lowest, span);
  if (op != BINARY_SHL ||
      stays_positive(cu_plain(left->type), type, &right->constant))
    return made_binary(cu, op, type, left, right, span);
  return cu_rvalue(type, shifted_left(cu, type, *left, right, span), span);
}

static CuValue number_value(CuContext *cu, BinaryOp op, CuValue left,
                            CuValue right, Span span) {
  const CuType *a = cu_plain(left.type), *b = cu_plain(right.type);
  if (a == b && a->kind == CU_ENUM && is_comparison(op))
    return same_enums(cu, op, &left, &right, span);
  if (!expr_binary_is_number(a) || !expr_binary_is_number(b) ||
      (needs_integers(op) && (cu_is_floating(a) || cu_is_floating(b))))
    return expr_binary_refuse(cu, ast_binary_spelling(op), &left, &right, span);
  bool is_shift = op == BINARY_SHL || op == BINARY_SHR;
  const CuType *common =
      is_shift ? cu_promoted(cu, a) : cu_common_type(cu, a, b);
  if (!common)
    return expr_binary_refuse(cu, ast_binary_spelling(op), &left, &right, span);
  const CuType *type =
      is_comparison(op) ? cu_basic(&cu->types, CU_BOOL) : common;
  CuValue value = combined_value(cu, op, type, &left, &right, span);
  CuConst x = cu_const_convert(left.constant, a, common);
  CuConst y =
      is_shift ? right.constant : cu_const_convert(right.constant, b, common);
  value.constant = cu_fold_binary(op, x, y, common);
  return value;
}

CuValue cu_binary_of(CuContext *cu, BinaryOp op, CuValue left, CuValue right,
                     Span span) {
  if (cu_is_poisoned(&left) || cu_is_poisoned(&right))
    return cu_poison(cu, span);
  if (may_overload(left.type) || may_overload(right.type)) {
    CuValue args[2] = {left, right}, value;
    const char *name = cu_format(cu, "operator%s", ast_binary_spelling(op));
    if (cu_call_operator(cu, name, (CuValues){args, 2}, span, &value))
      return value;
  }
  if (op == BINARY_LOG_AND || op == BINARY_LOG_OR)
    return logic_value(cu, op, left, right, span);
  left = cu_decay(cu, as_number(cu, left));
  right = cu_decay(cu, as_number(cu, right));
  if (!left.expr || !right.expr)
    return expr_binary_refuse(cu, ast_binary_spelling(op), &left, &right, span);
  const CuType *a = cu_plain(left.type), *b = cu_plain(right.type);
  if (cu_is_number(a) || cu_is_number(b))
    return cu_address_binary(cu, op, left, right, span);
  bool has_pointer = expr_binary_is_pointer(a) || expr_binary_is_pointer(b) ||
                     a->kind == CU_NULLPTR || b->kind == CU_NULLPTR;
  return has_pointer ? pointer_value(cu, op, left, right, span)
                     : number_value(cu, op, left, right, span);
}

CuValue cu_binary_expr(CuContext *cu, const CxExpr *expr) {
  CuValue left = cu_operand(cu, expr->u.binary.left);
  BinaryOp op = expr->u.binary.op;
  bool is_logic = op == BINARY_LOG_AND || op == BINARY_LOG_OR;
  if (cu->limits.constexpr_depth && is_logic &&
      left.constant.kind == CU_CONST_INT &&
      (left.constant.i != 0) == (op == BINARY_LOG_OR))
    return left;
  CuValue right = is_logic ? cu_perhaps(cu, expr->u.binary.right)
                           : cu_operand(cu, expr->u.binary.right);
  if (is_logic)
    left.expr = cu_stated_before(cu, left.expr, right.expr,
                                 expr->u.binary.left->span, expr->span);
  CuValue value = cu_binary_of(cu, expr->u.binary.op, left, right, expr->span);
  if (value.expr && value.expr->kind == EXPR_BINARY)
    value.expr->operator_span = expr->operator_span;
  return value;
}

// ---------------------------------------------------------------- assignment

static bool check_place(CuContext *cu, const CuValue *left, const char *op,
                        Span span) {
  if (cu_is(left->type, CU_LAMBDA)) {
    cu_unsupported(cu, span, "a pointer to a function that changes",
                   "call the functions by 'if' or 'switch'");
    return false;
  }
  if (!left->is_lvalue && cu_is_barrier_pointer(cu_plain(left->type))) {
    cu_unsupported(cu, span, "assigning a pointer to a barrier",
                   "index an array of barriers");
    return false;
  }
  if (!left->is_lvalue || !left->expr || cu_is(left->type, CU_ARRAY)) {
    CU_ERROR(cu, left->span, not_a_place, DS(op));
    return false;
  }
  if (cu_is_const(left->type)) {
    CU_ERROR(cu, span, not_assignable, DS(cu_source_text(cu, left->span)),
             DS("it is const"));
    return false;
  }
  const CuType *type = cu_plain(left->type);
  if (cu_is_opaque(type) && type->u.record->opaque != CU_OPAQUE_TOKEN) {
    cu_unsupported(cu, span, "assigning a group or a barrier",
                   "initialise a new variable");
    return false;
  }
  if (left->variable)
    left->variable->is_changed = true;
  return true;
}

static CuValue expr_binary_assigned(CuContext *cu, const CuValue *left,
                                    Expr *made, Span span) {
  CuValue value = cu_rvalue(cu_plain(left->type), made, span);
  value.type = left->type;
  value.is_lvalue = true;
  (void)cu;
  return value;
}

static bool try_operator(CuContext *cu, const char *op, CuValue left,
                         CuValue right, Span span, CuValue *out) {
  if (!may_overload(left.type) && !may_overload(right.type))
    return false;
  CuValue args[2] = {left, right};
  return cu_call_operator(cu, cu_format(cu, "operator%s", op),
                          (CuValues){args, 2}, span, out);
}

// (c ? a : b).m = x, f(x) = y: through a pointer.
Expr *cu_place(CuContext *cu, Expr *expr, Span span) {
  switch ((int)expr->kind) {
  case EXPR_CONDITIONAL:
  case EXPR_COMMA:
  case EXPR_ASSIGN:
    return cu_unary(cu, UNARY_DEREF, cu_address(cu, expr, span), span);
  case EXPR_MEMBER: {
    Expr *base = cu_place(cu, expr->u.member.base, span);
    bool is_same = base == expr->u.member.base || expr->u.member.is_arrow;
    return is_same ? expr : cu_member(cu, base, expr->u.member.name, span);
  }
  case EXPR_INDEX: {
    Expr *base = cu_place(cu, expr->u.index.base, span);
    if (base == expr->u.index.base)
      return expr;
    Expr *made =
        cu_subscript(cu, base, expr->u.index.subscripts[0].index, false, span);
    for (uint32_t i = 1; i < expr->u.index.n_subscripts; i++)
      made =
          cu_subscript(cu, made, expr->u.index.subscripts[i].index, true, span);
    return made;
  }
  default: return expr;
  }
}

// address += bytes
static CuValue step_address(CuContext *cu, BinaryOp op, CuValue left,
                            CuValue right, Span span) {
  CuValue sum = cu_address_binary(cu, op, left, right, span);
  if (cu_is_poisoned(&sum) || !check_place(cu, &left, "+=", span) ||
      !cu_keep(cu, &sum, cu_plain(left.type)))
    return cu_poison(cu, span);
  Expr *place = cu_clone(cu, left.expr, (Span){0, 0});
  return expr_binary_assigned(cu, &left, cu_assign(cu, place, sum.expr, span),
                              span);
}

static CuValue compound_value(CuContext *cu, const CxExpr *expr, CuValue left,
                              CuValue right) {
  BinaryOp op = expr->u.assign.op;
  Span span = expr->span;
  const char *spelling = cu_format(cu, "%s=", ast_binary_spelling(op));
  CuValue value;
  if (try_operator(cu, spelling, left, right, span, &value))
    return value;
  left.constant.kind = CU_NOT_CONST;
  right = as_number(cu, cu_decay(cu, right));
  const CuType *a = cu_plain(left.type), *b = cu_plain(right.type);
  if (cu_is_number(a) || cu_is_number(b))
    return step_address(cu, op, left, right, span);
  bool steps = expr_binary_is_pointer(a) &&
               (op == BINARY_ADD || op == BINARY_SUB) &&
               (cu_is_integer(b) || cu_is_unscoped_enum(b));
  bool fits =
      steps ||
      (cu_is_arithmetic(a) && expr_binary_is_number(b) &&
       !(needs_integers(op) && (cu_is_floating(a) || cu_is_floating(b))));
  if (!fits)
    return expr_binary_refuse(cu, spelling, &left, &right, span);
  if (!check_place(cu, &left, spelling, span))
    return cu_poison(cu, span);
  Expr *place = cu_place(cu, left.expr, left.span);
  bool is_shift = op == BINARY_SHL && cu_is_signed(cu_promoted(cu, a));
  if (is_shift && place->kind == EXPR_NAME) {
    CuValue old = left;
    old.expr = cu_clone(cu, place, left.span);
    CuValue moved =
        combined_value(cu, op, cu_promoted(cu, a), &old, &right, span);
    return expr_binary_assigned(cu, &left,
                                cu_assign(cu, place, moved.expr, span), span);
  }
  return expr_binary_assigned(
      cu, &left, cu_compound_assign(cu, op, place, right.expr, span), span);
}

static CuValue plain_value(CuContext *cu, const CxExpr *expr, CuValue left,
                           CuValue right) {
  CuValue value;
  if (cu_is(cu_plain(left.type), CU_RECORD) &&
      try_operator(cu, "=", left, right, expr->span, &value))
    return value;
  if (left.variable && cu_adopt(cu, left.variable, &right, expr->span)) {
    if (left.variable->holds == CU_HOLDS_SUBSTITUTE)
      return cu_rvalue(cu_basic(&cu->types, CU_VOID), NULL, expr->span);
    left.type = left.variable->type;
  }
  if (!check_place(cu, &left, "=", expr->span))
    return cu_poison(cu, expr->span);
  if (cu_is(right.type, CU_LIST))
    right = cu_from_list(cu, cu_plain(left.type), right.list, right.span);
  else
    right = cu_convert(cu, right, cu_plain(left.type), "assignment");
  if (cu_is_poisoned(&right))
    return right;
  if (cu_is_integer(cu_plain(left.type)) && right.expr &&
      !cu_is_arithmetic(cu_plain(right.type)))
    return cu_refuse_kept(cu, &right);
  if (left.variable && left.variable->name && right.expr)
    cu_note_spaces(cu, left.variable->name, right.expr);
  else if (cu_is(cu_plain(left.type), CU_POINTER) && left.expr && right.expr)
    cu_note_element_spaces(cu, left.expr, right.expr);
  return expr_binary_assigned(
      cu, &left,
      cu_assign(cu, cu_place(cu, left.expr, left.span), right.expr, expr->span),
      expr->span);
}

CuValue cu_assign_expr(CuContext *cu, const CxExpr *expr) {
  CuValue left = cu_operand(cu, expr->u.assign.left);
  bool is_list = expr->u.assign.right->kind == CX_EXPR_INIT_LIST &&
                 !expr->u.assign.is_compound;
  CuValue right = is_list ? cu_expr(cu, expr->u.assign.right)
                          : cu_operand(cu, expr->u.assign.right);
  if (cu_is_poisoned(&left) || cu_is_poisoned(&right))
    return cu_poison(cu, expr->span);
  cu_texture_meet(cu, &left, &right, NULL);
  CuValue value = expr->u.assign.is_compound
                      ? compound_value(cu, expr, left, right)
                      : plain_value(cu, expr, left, right);
  if (value.expr && value.expr->kind == EXPR_ASSIGN)
    value.expr->operator_span = expr->operator_span;
  return value;
}
