// SPDX-License-Identifier: Apache-2.0
// Operators and mathematical functions on tiles, element by element.
#include "sema/tile.h"

static TExpr *tile_operator_refuse(SemaContext *cx, const char *op,
                                   const TExpr *value, Span span) {
  const Type *element = type_tile_element(value->type);
  if (is_tile(value) && !tile_is_element(element))
    tile_refuse_struct_operand(cx, span, element, op);
  else
    SEMA_ERROR(cx, span, bad_operand, DS(op), NT(cx, value->type));
  return build_poison(cx, span);
}

static TExpr *tile_operator_make(SemaContext *cx, TOp op, TExpr *left,
                                 TExpr *right, Span span) {
  TExpr *result = build_binary(cx, op, "", left, right, span);
  if (op >= TOP_EQ)
    result->type = type_tile_of(cx->types, left->type, sema_basic(cx, TY_BOOL));
  return result;
}

// --- shifts ---

// The count keeps its type; only its shape is the value's.
static TExpr *tile_shift(SemaContext *cx, TOp op, const char *spelling,
                         TExpr *left, TExpr *right, Span span) {
  TExpr *values[2] = {left, right};
  for (int i = 0; i < 2; i++) {
    const Type *element = type_underlying(type_tile_element(values[i]->type));
    if (!type_is_integer(element) || element->kind == TY_BOOL)
      return tile_operator_refuse(cx, spelling, values[i], span);
  }
  const Type *element = type_underlying(type_tile_element(left->type));
  const Type *type = tile_common_shape(cx, spelling, values, 2, element, span);
  if (!type)
    return build_poison(cx, span);
  const Type *count = type_underlying(type_tile_element(right->type));
  left = tile_broadcast(cx, left, type);
  right = tile_broadcast(cx, right, type_tile_of(cx->types, type, count));
  return tile_operator_make(cx, op, left, right, span);
}

// --- binary ---

static bool takes_element(TOp op, const Type *element) {
  bool is_bool = element->kind == TY_BOOL;
  switch ((int)op) {
  case TOP_BIT_AND:
  case TOP_BIT_OR:
  case TOP_BIT_XOR: return type_is_integer(element);
  case TOP_REM: return type_is_integer(element) && !is_bool;
  case TOP_ADD:
  case TOP_SUB:
  case TOP_MUL:
  case TOP_DIV: return !is_bool;
  default: return true;
  }
}

TExpr *tile_check_binary(SemaContext *cx, BinaryOp written, TExpr *left,
                         TExpr *right, Span span) {
  const char *spelling;
  TOp op = check_binary_op(written, &spelling);
  if (op == TOP_SHL || op == TOP_SHR)
    return tile_shift(cx, op, spelling, left, right, span);
  TExpr *values[2] = {left, right};
  const Type *type = tile_unify(cx, spelling, values, 2, false, span);
  if (!type)
    return build_poison(cx, span);
  if (!takes_element(op, type->u.tile.element)) {
    SEMA_ERROR(cx, span, bad_operands, DS(spelling), NT(cx, left->type),
               NT(cx, right->type));
    return build_poison(cx, span);
  }
  return tile_operator_make(cx, op, values[0], values[1], span);
}

TExpr *tile_to_bool(SemaContext *cx, TExpr *value) {
  if (!tile_is_element(type_underlying(type_tile_element(value->type))))
    return convert_to_bool(cx, value);
  return tile_convert_elements(cx, value, sema_basic(cx, TY_BOOL));
}

TExpr *tile_check_logical(SemaContext *cx, const char *op, bool is_and,
                          TExpr *left, TExpr *right, Span span) {
  TExpr *values[2] = {tile_to_bool(cx, left), tile_to_bool(cx, right)};
  if (expr_is_poison(values[0]) || expr_is_poison(values[1]) ||
      !tile_unify(cx, op, values, 2, true, span))
    return build_poison(cx, span);
  return tile_operator_make(cx, is_and ? TOP_BIT_AND : TOP_BIT_OR, values[0],
                            values[1], span);
}

// --- unary ---

TExpr *tile_check_unary(SemaContext *cx, UnaryOp op, TExpr *operand,
                        Span span) {
  static const char *const spellings[] = {[UNARY_PLUS] = "+",
                                          [UNARY_MINUS] = "-",
                                          [UNARY_NOT] = "!",
                                          [UNARY_BIT_NOT] = "~"};
  const Type *element = operand->type->u.tile.element;
  if (op == UNARY_NOT)
    return build_unary(cx, TOP_NOT, tile_to_bool(cx, operand), span);
  bool is_allowed = op == UNARY_BIT_NOT ? type_is_integer(element)
                                        : type_is_arithmetic(element) &&
                                              element->kind != TY_BOOL;
  if (type_lacks_arithmetic(element))
    SEMA_ERROR(cx, span, tile_no_arithmetic, NT(cx, element),
               DS(spellings[op]));
  else if (!is_allowed)
    return tile_operator_refuse(cx, spellings[op], operand, span);
  if (!is_allowed)
    return build_poison(cx, span);
  if (op == UNARY_PLUS)
    return operand;
  bool is_not = op == UNARY_BIT_NOT && element->kind == TY_BOOL;
  return build_unary(cx,
                     op == UNARY_MINUS ? TOP_NEG
                     : is_not          ? TOP_NOT
                                       : TOP_BIT_NOT,
                     operand, span);
}

// --- mathematics ---

static bool takes_floats(BuiltinRule rule) {
  return rule >= RULE_MATH1 && rule <= RULE_MATH_ILOGB;
}

static bool takes_integers(BuiltinRule rule) {
  return rule == RULE_CDIV || rule == RULE_BITS_INT || rule == RULE_BITS ||
         rule == RULE_BITS_SHIFT;
}

// What the values are computed in: of floats as the name says, and integers
// count as double.
static const Type *computed_in(const BuiltinCall *call, BuiltinRule rule,
                               const Type *element) {
  SemaContext *cx = call->cx;
  bool is_integer = type_is_integer(element) && element->kind != TY_BOOL;
  if (takes_floats(rule) && call->builtin->forced != TY_POISON)
    return sema_basic(cx, call->builtin->forced);
  if (takes_floats(rule) && type_is_integer(element))
    return sema_basic(cx, TY_DOUBLE);
  if (takes_integers(rule) && !is_integer) {
    SEMA_ERROR(cx, call->span, bad_operand, DS(call->name), NT(cx, element));
    return NULL;
  }
  return element;
}

static const Type *math_result(SemaContext *cx, BuiltinRule rule,
                               const Type *element) {
  switch ((int)rule) {
  case RULE_MATH_CLASS: return sema_basic(cx, TY_BOOL);
  case RULE_MATH_TOINT: return sema_basic(cx, TY_LONG);
  case RULE_MATH_ILOGB:
  case RULE_BITS_INT: return sema_basic(cx, TY_INT);
  default: return element;
  }
}

// min and max of several values are chains of two.
static TExpr *tile_fold(const BuiltinCall *call, Builtin id, const Type *type,
                        TExpr **values, uint32_t count) {
  TExpr *result = values[0];
  for (uint32_t i = 1; i < count; i++) {
    TExpr *pair[2] = {result, values[i]};
    result = build_call_builtin(call->cx, id, type, pair, 2, call->span);
  }
  return result;
}

static TExpr *tile_ldexp(const BuiltinCall *call, const Type *element,
                         TExpr **values) {
  SemaContext *cx = call->cx;
  const Type *count = type_underlying(type_tile_element(values[1]->type));
  if (!type_is_integer(count))
    return builtin_refuse_type(call, 1, values[1]->type, "an integer");
  const Type *type =
      tile_common_shape(cx, call->name, values, 2, element, call->span);
  if (!type)
    return build_poison(cx, call->span);
  const Type *whole = sema_basic(cx, TY_INT);
  values[0] = tile_convert_elements(cx, values[0], element);
  values[1] = tile_convert_elements(cx, values[1], whole);
  values[0] = tile_broadcast(cx, values[0], type);
  values[1] =
      tile_broadcast(cx, values[1], type_tile_of(cx->types, type, whole));
  return build_call_builtin(cx, BI_LDEXP, type, values, 2, call->span);
}

TExpr *tile_check_math(const BuiltinCall *call, BuiltinRule rule,
                       TExpr **values) {
  SemaContext *cx = call->cx;
  uint32_t count = call->args->count;
  uint32_t n_typed = rule == RULE_MATH_INT ? 1 : count;
  const Type *element =
      tile_common_element(cx, call->name, values, n_typed, false, call->span);
  element = element ? computed_in(call, rule, element) : NULL;
  if (!element)
    return build_poison(cx, call->span);
  if (rule == RULE_MATH_INT)
    return tile_ldexp(call, element, values);
  const Type *type =
      tile_common_shape(cx, call->name, values, count, element, call->span);
  if (!type)
    return build_poison(cx, call->span);
  for (uint32_t i = 0; i < count; i++)
    values[i] =
        tile_broadcast(cx, tile_convert_elements(cx, values[i], element), type);
  Builtin id = call->builtin->id;
  if (rule == RULE_MINMAX)
    return tile_fold(call, id, type, values, count);
  if (rule == RULE_CLAMP)
    return tile_fold(
        call, BI_MIN, type,
        (TExpr *[]){tile_fold(call, BI_MAX, type, values, 2), values[2]}, 2);
  const Type *result =
      type_tile_of(cx->types, type, math_result(cx, rule, element));
  return build_call_builtin(cx, id, result, values, count, call->span);
}
