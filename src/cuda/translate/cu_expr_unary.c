// SPDX-License-Identifier: Apache-2.0
// Operators with one operand, and conditional expressions.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_function_table.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_stated.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"
#include "syntax/parse.h"

#include <string.h>

static CuValue expr_unary_refuse(CuContext *cu, const CxExpr *expr,
                                 const CuValue *value) {
  if (!cu_is_poisoned(value))
    CU_ERROR(cu, expr->operator_span, bad_operand,
             DS(ast_unary_spelling(expr->u.unary.op)),
             DS(CU_TEXT(cu, value->type)));
  return cu_poison(cu, expr->span);
}

CuValue cu_deref_value(CuContext *cu, CuValue pointer, Span span) {
  pointer = cu_decay(cu, pointer);
  const CuType *type = cu_plain(pointer.type);
  if (type->kind != CU_POINTER || cu_is(type->u.inner, CU_VOID)) {
    if (!cu_is_poisoned(&pointer))
      CU_ERROR(cu, span, bad_operand, DS("*"), DS(CU_TEXT(cu, pointer.type)));
    return cu_poison(cu, span);
  }
  Expr *place = cu_is_barrier_pointer(type)
                    ? cu_barrier_place(cu, pointer.expr, NULL, span)
                : cu_is_opaque(type->u.inner)
                    ? pointer.expr // named only
                    : cu_deref(cu, pointer.expr, span);
  CuValue value = cu_lvalue(type->u.inner, place, span);
  value.whole = pointer.whole;
  value.spot = cu_is(type->u.inner, CU_POINTER) ? NULL : pointer.spot;
  cu_note_volatile(cu, &value);
  return value;
}

static void mark_address_taken(CuValue *place) {
  if (place->variable)
    place->variable->is_changed = true;
}

CuValue cu_address_value(CuContext *cu, CuValue place, Span span) {
  if (cu_is_poisoned(&place))
    return place;
  if (!place.is_lvalue || !place.expr) {
    CU_ERROR(cu, span, not_a_place, DS("&"));
    return cu_poison(cu, span);
  }
  mark_address_taken(&place);
  Expr *made =
      cu_is_opaque(place.type) ? place.expr : cu_address(cu, place.expr, span);
  CuValue value = cu_rvalue(cu_pointer(&cu->types, place.type), made, span);
  value.whole = place.whole;
  value.spot = cu_is(place.type, CU_POINTER) ? NULL : place.spot;
  return value;
}

// Without a decay of its own: `s` for an array in Heddle C is the pointer.
CuValue cu_decay(CuContext *cu, CuValue value) {
  if (value.type->kind != CU_ARRAY)
    return value;
  value.type = cu_pointer(&cu->types, value.type->u.array.element);
  value.is_lvalue = false;
  value.variable = NULL;
  return value;
}

static const char *overload_name(UnaryOp op) {
  switch (op) {
  case UNARY_PLUS: return "operator+";
  case UNARY_MINUS: return "operator-";
  case UNARY_NOT: return "operator!";
  case UNARY_BIT_NOT: return "operator~";
  case UNARY_ADDRESS: return "operator&";
  case UNARY_DEREF: return "operator*";
  case UNARY_PRE_INC:
  case UNARY_POST_INC: return "operator++";
  case UNARY_PRE_DEC:
  case UNARY_POST_DEC: return "operator--";
  }
  return "";
}

static bool try_overload(CuContext *cu, const CxExpr *expr, CuValue operand,
                         CuValue *out) {
  UnaryOp op = expr->u.unary.op;
  const CuType *type = cu_plain(operand.type);
  if (type->kind != CU_RECORD && type->kind != CU_ENUM)
    return false;
  bool is_post = op == UNARY_POST_INC || op == UNARY_POST_DEC;
  CuValue args[2] = {operand};
  if (is_post) // the int parameter that tells x++ from ++x
    args[1] = cu_int_value(cu, cu_basic(&cu->types, CU_INT), 0, expr->span);
  return cu_call_operator(cu, overload_name(op),
                          (CuValues){args, is_post ? 2 : 1}, expr->span, out);
}

static CuValue step_value(CuContext *cu, const CxExpr *expr, CuValue operand) {
  const CuType *type = cu_plain(operand.type);
  if (!operand.is_lvalue || cu_is_const(operand.type) ||
      !(cu_is_arithmetic(type) || type->kind == CU_POINTER)) {
    if (cu_is_const(operand.type) && operand.is_lvalue) {
      CU_ERROR(cu, expr->span, not_assignable,
               DS(cu_source_text(cu, expr->u.unary.operand->span)),
               DS("it is const"));
      return cu_poison(cu, expr->span);
    }
    return expr_unary_refuse(cu, expr, &operand);
  }
  if (operand.variable)
    operand.variable->is_changed = true;
  UnaryOp op = expr->u.unary.op;
  Expr *made =
      cu_unary(cu, op, cu_place(cu, operand.expr, operand.span), expr->span);
  bool is_pre = op == UNARY_PRE_INC || op == UNARY_PRE_DEC;
  CuValue value = cu_rvalue(type, made, expr->span);
  value.is_lvalue = is_pre;
  return value;
}

static CuValue arithmetic_value(CuContext *cu, const CxExpr *expr,
                                CuValue operand) {
  UnaryOp op = expr->u.unary.op;
  operand = cu_decay(cu, operand);
  const CuType *type = cu_plain(operand.type);
  if (type->kind == CU_RECORD) { // through a conversion function
    CuConversion conversion =
        cu_conversion(cu, &operand, cu_basic(&cu->types, CU_DOUBLE), true);
    if (conversion.rank == CU_RANK_NONE)
      return expr_unary_refuse(cu, expr, &operand);
    operand = cu_convert(cu, operand, cu_basic(&cu->types, CU_DOUBLE), "");
    type = cu_plain(operand.type);
  }
  if (type->kind == CU_POINTER && op == UNARY_PLUS)
    return operand;
  bool fits = cu_is_arithmetic(type) || cu_is_unscoped_enum(type);
  if (!fits || (op == UNARY_BIT_NOT && cu_is_floating(type)))
    return expr_unary_refuse(cu, expr, &operand);
  const CuType *result = cu_promoted(cu, type);
  Expr *made = cu_unary(cu, op, operand.expr, expr->span);
  CuValue value = cu_rvalue(result, made, expr->span);
  value.constant = cu_fold_unary(op, &operand, result);
  return value;
}

static CuValue not_value(CuContext *cu, const CxExpr *expr, CuValue operand) {
  operand = cu_condition_of(cu, operand);
  if (cu_is_poisoned(&operand))
    return operand;
  CuValue value =
      cu_rvalue(cu_basic(&cu->types, CU_BOOL),
                cu_unary(cu, UNARY_NOT, operand.expr, expr->span), expr->span);
  value.constant = cu_fold_unary(UNARY_NOT, &operand, operand.type);
  return value;
}

CuValue cu_unary_expr(CuContext *cu, const CxExpr *expr) {
  UnaryOp op = expr->u.unary.op;
  CuValue operand = cu_expr(cu, expr->u.unary.operand);
  if (cu_is_poisoned(&operand))
    return operand;
  if (operand.overloads && op == UNARY_ADDRESS)
    return operand; // &f, for where a function may be named
  if (cu_is(operand.type, CU_LAMBDA) && operand.type->u.lambda->only &&
      op == UNARY_DEREF)
    return operand; // (*f)(x)
  if (!operand.expr)
    operand = cu_operand(cu, expr->u.unary.operand);
  CuValue value;
  if (cu_is_poisoned(&operand) || try_overload(cu, expr, operand, &value))
    return cu_is_poisoned(&operand) ? operand : value;
  switch (op) {
  case UNARY_NOT: return not_value(cu, expr, operand);
  case UNARY_DEREF: return cu_deref_value(cu, operand, expr->span);
  case UNARY_ADDRESS: return cu_address_value(cu, operand, expr->span);
  case UNARY_PRE_INC:
  case UNARY_PRE_DEC:
  case UNARY_POST_INC:
  case UNARY_POST_DEC: return step_value(cu, expr, operand);
  case UNARY_PLUS:
  case UNARY_MINUS:
  case UNARY_BIT_NOT: return arithmetic_value(cu, expr, operand);
  }
  return cu_poison(cu, expr->span);
}

// ---------------------------------------------------------------- ?:

static bool expr_unary_is_pointer(const CuType *type) {
  return type->kind == CU_POINTER || type->kind == CU_NULLPTR;
}

// The type that both sides get; NULL: they don't fit.
static const CuType *common_side(CuContext *cu, const CuValue *a,
                                 const CuValue *b) {
  const CuType *x = cu_plain(a->type), *y = cu_plain(b->type);
  if (x == y)
    return x;
  bool numbers = (cu_is_arithmetic(x) || cu_is_unscoped_enum(x)) &&
                 (cu_is_arithmetic(y) || cu_is_unscoped_enum(y));
  if (numbers)
    return cu_common_type(cu, x, y);
  if (expr_unary_is_pointer(x) && expr_unary_is_pointer(y)) {
    if (x->kind == CU_NULLPTR)
      return y;
    bool fits = cu_conversion(cu, a, y, false).rank != CU_RANK_NONE;
    return fits ? y : x;
  }
  if (cu_conversion(cu, a, y, true).rank != CU_RANK_NONE)
    return y;
  return cu_conversion(cu, b, x, true).rank != CU_RANK_NONE ? x : NULL;
}

// c ? f : g is one of them where `c` is known.
static bool choose_function(CuContext *cu, const CxExpr *expr,
                            const CuValue *condition, CuValue *out) {
  const CxExpr *a = expr->u.conditional.if_true;
  const CxExpr *b = expr->u.conditional.if_false;
  if (!cu_begins_with_function(cu, a) || !cu_begins_with_function(cu, b))
    return false;
  if (condition->constant.kind == CU_CONST_INT) {
    *out = cu_expr(cu, condition->constant.i ? a : b);
    return true;
  }
  if (!cu_is_poisoned(condition))
    cu_unsupported(cu, expr->span, "a choice of functions at run time",
                   "call it at once, or call them in branches");
  *out = cu_poison(cu, expr->span);
  return true;
}

CuValue cu_conditional_expr(CuContext *cu, const CxExpr *expr) {
  CuValue condition = cu_condition(cu, expr->u.conditional.condition);
  CuValue chosen;
  if (choose_function(cu, expr, &condition, &chosen))
    return chosen;
  if (cu->limits.constexpr_depth && condition.constant.kind == CU_CONST_INT)
    return cu_expr(cu, condition.constant.i ? expr->u.conditional.if_true
                                            : expr->u.conditional.if_false);
  CuValue a = cu_decay(cu, cu_perhaps(cu, expr->u.conditional.if_true));
  CuValue b = cu_decay(cu, cu_perhaps(cu, expr->u.conditional.if_false));
  if (cu_is_poisoned(&condition) || cu_is_poisoned(&a) || cu_is_poisoned(&b))
    return cu_poison(cu, expr->span);
  const CuType *type = common_side(cu, &a, &b);
  if (!type || !a.expr || !b.expr) {
    CU_ERROR(cu, expr->operator_span, bad_operands, DS("?:"),
             DS(CU_TEXT(cu, a.type)), DS(CU_TEXT(cu, b.type)));
    return cu_poison(cu, expr->span);
  }
  CuValue x = cu_convert(cu, a, type, "?:"), y = cu_convert(cu, b, type, "?:");
  if (cu_is_poisoned(&x) || cu_is_poisoned(&y))
    return cu_poison(cu, expr->span);
  cu_join_spaces(cu, type, expr->span, &x.expr, &y.expr);
  Expr *made = cu_new_expr(cu, EXPR_CONDITIONAL, expr->span);
  made->operator_span = expr->operator_span;
  made->u.conditional.condition = cu_stated(
      cu, condition.expr, expr->u.conditional.condition->span, expr->span);
  made->u.conditional.if_true = x.expr;
  made->u.conditional.if_false = y.expr;
  uint16_t depth =
      x.expr->depth > y.expr->depth ? x.expr->depth : y.expr->depth;
  if (condition.expr->depth > depth)
    depth = condition.expr->depth;
  made->depth = (uint16_t)(depth + 1);
  cu_texture_meet(cu, &a, &b, made);
  map_put(cu->arena, &cu->notes.choices, MAP_KEY(made),
          (void *)(uintptr_t)type);
  CuValue value = cu_rvalue(type, made, expr->span);
  if (a.is_lvalue && b.is_lvalue && a.type == b.type) {
    value.type = a.type;
    value.is_lvalue = true;
    if (a.variable)
      a.variable->is_changed = true;
    if (b.variable)
      b.variable->is_changed = true;
  }
  if (condition.constant.kind == CU_CONST_INT) {
    const CuValue *taken = condition.constant.i ? &a : &b;
    value.constant = cu_const_convert(taken->constant, taken->type, type);
  }
  return value;
}
