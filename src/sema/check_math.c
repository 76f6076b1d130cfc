// SPDX-License-Identifier: Apache-2.0
// Mathematics: <math.h> for every floating-point type, and arithmetic that C
// has no operator for.
#include "sema/tile.h"

#include "sema/type/constants.h"

static TExpr *check_math_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- floating point ---

// The type that a call works in: stated by the name (sinf), else the common
// type of the arguments, in which integers count as double.
static const Type *math_type(const BuiltinCall *call, TExpr **values,
                             uint32_t count) {
  SemaContext *cx = call->cx;
  if (call->builtin->forced != TY_POISON)
    return sema_basic(cx, call->builtin->forced);
  const Type *result = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const Type *type = values[i]->type;
    if (type_is_integer(type))
      type = sema_basic(cx, TY_DOUBLE);
    const Type *common = result ? convert_common_type(cx, result, type) : type;
    if (!common) {
      SEMA_ERROR(cx, call->span, mixed_halves, NT(cx, result), NT(cx, type));
      return NULL;
    }
    result = common;
  }
  return result;
}

static bool are_numbers(const BuiltinCall *call, TExpr **values,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!type_is_arithmetic(values[i]->type)) {
      builtin_refuse_type(call, i, values[i]->type, "a number");
      return false;
    }
  return true;
}

static uint32_t math_arity(BuiltinRule rule) {
  if (rule == RULE_MATH3)
    return 3;
  return rule == RULE_MATH2 || rule == RULE_MATH_INT ? 2 : 1;
}

static TExpr *check_ldexp(const BuiltinCall *call, TExpr **values,
                          const Type *type) {
  SemaContext *cx = call->cx;
  if (!type_is_integer(values[1]->type))
    return builtin_refuse_type(call, 1, values[1]->type, "an integer");
  values[0] = build_convert(cx, values[0], type);
  values[1] = build_convert(cx, values[1], sema_basic(cx, TY_INT));
  return build_call_builtin(cx, BI_LDEXP, type, values, 2, call->span);
}

TExpr *check_math_call(const BuiltinCall *call, BuiltinRule rule) {
  SemaContext *cx = call->cx;
  uint32_t arity = math_arity(rule);
  if (!builtin_takes(call, arity, arity))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  if (values && tile_is_among(call->cx, values, arity))
    return tile_check_math(call, rule, values);
  if (!values || !are_numbers(call, values, arity))
    return check_math_poison(call);
  const Type *type = math_type(call, values, rule == RULE_MATH_INT ? 1 : arity);
  if (!type)
    return check_math_poison(call);
  if (rule == RULE_MATH_INT)
    return check_ldexp(call, values, type);
  for (uint32_t i = 0; i < arity; i++)
    values[i] = build_convert(cx, values[i], type);
  const Type *result = type;
  if (rule == RULE_MATH_CLASS)
    result = sema_basic(cx, TY_BOOL);
  else if (rule == RULE_MATH_TOINT)
    result = sema_basic(cx, TY_LONG);
  else if (rule == RULE_MATH_ILOGB)
    result = sema_basic(cx, TY_INT);
  TExpr *value = build_call_builtin(cx, call->builtin->id, result, values,
                                    arity, call->span);
  if (rule == RULE_MATH_CLASS)
    return build_convert(cx, value, sema_basic(cx, TY_INT));
  return value;
}

// The pointer through which a second result goes; NULL when it was refused.
static const Type *out_type(const BuiltinCall *call, TExpr *pointer,
                            uint32_t index) {
  bool is_modf = call->builtin->id == BI_MODF;
  const Type *type = pointer->type;
  const Type *to = type_is(type, TY_POINTER) ? type->u.pointer.pointee : NULL;
  bool is_right = to && (is_modf ? type_is_floating(to) : type_is(to, TY_INT));
  if (is_right && is_modf && call->builtin->forced != TY_POISON)
    is_right = type_is(to, call->builtin->forced);
  if (is_right && !type->u.pointer.to_const)
    return to;
  builtin_refuse_type(call, index, type,
                      !is_modf ? "a pointer to int"
                      : call->builtin->forced == TY_FLOAT
                          ? "a pointer to float"
                          : "a pointer to a floating-point type");
  return NULL;
}

// frexp, modf, remquo. The type of modf is what its pointer points to.
TExpr *check_math_out(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t n_numbers = call->builtin->id == BI_REMQUO ? 2 : 1;
  if (!builtin_takes(call, n_numbers + 1, n_numbers + 1))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  if (!values || !are_numbers(call, values, n_numbers))
    return check_math_poison(call);
  const Type *out = out_type(call, values[n_numbers], n_numbers);
  if (!out)
    return check_math_poison(call);
  const Type *type =
      call->builtin->id == BI_MODF ? out : math_type(call, values, n_numbers);
  if (!type)
    return check_math_poison(call);
  for (uint32_t i = 0; i < n_numbers; i++)
    values[i] = build_convert(cx, values[i], type);
  return build_call_builtin(cx, call->builtin->id, type, values, n_numbers + 1,
                            call->span);
}

// --- min, max, clamp, abs, cdiv ---

// All arguments in their common type; NULL when there is none.
static const Type *unify(const BuiltinCall *call, TExpr **values,
                         uint32_t count) {
  SemaContext *cx = call->cx;
  const Type *type = values[0]->type;
  for (uint32_t i = 0; i < count; i++) {
    const Type *common = convert_common_type(cx, type, values[i]->type);
    if (!common) {
      SEMA_ERROR(cx, call->span, mixed_halves, NT(cx, type),
                 NT(cx, values[i]->type));
      return NULL;
    }
    type = common;
  }
  for (uint32_t i = 0; i < count; i++)
    values[i] = build_convert(cx, values[i], type);
  return type;
}

static bool all_const(TExpr **values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!expr_is_const(values[i]))
      return false;
  return true;
}

static bool check_math_is_less(const Type *type, TValue a, TValue b) {
  FoldProblem problem;
  return value_binary(TOP_LT, type, a, type, b, &problem).u != 0;
}

static TExpr *make_pure(const BuiltinCall *call, Builtin id, const Type *type,
                        TExpr **values, uint32_t count) {
  TExpr *expr =
      build_call_builtin(call->cx, id, type, values, count, call->span);
  expr->is_host = true;
  for (uint32_t i = 0; i < count; i++)
    expr->is_host &= values[i]->is_host;
  return expr;
}

static TExpr *check_math_pick(const BuiltinCall *call, Builtin id,
                              const Type *type, TExpr *a, TExpr *b) {
  TExpr *pair[2] = {a, b};
  if (!all_const(pair, 2))
    return make_pure(call, id, type, pair, 2);
  bool takes_b = id == BI_MIN
                     ? check_math_is_less(type, b->u.value, a->u.value)
                     : check_math_is_less(type, a->u.value, b->u.value);
  return build_const(call->cx, type, (takes_b ? b : a)->u.value, call->span);
}

static TExpr *check_minmax(const BuiltinCall *call) {
  if (!builtin_takes(call, 2, 8))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  uint32_t count = call->args->count;
  if (values && tile_is_among(call->cx, values, count))
    return tile_check_math(call, RULE_MINMAX, values);
  if (!values || !are_numbers(call, values, count))
    return check_math_poison(call);
  const Type *type = unify(call, values, count);
  if (!type)
    return check_math_poison(call);
  TExpr *result = values[0];
  for (uint32_t i = 1; i < count; i++)
    result = check_math_pick(call, call->builtin->id, type, result, values[i]);
  return result;
}

static TExpr *check_clamp(const BuiltinCall *call) {
  if (!builtin_takes(call, 3, 3))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  if (values && tile_is_among(call->cx, values, 3))
    return tile_check_math(call, RULE_CLAMP, values);
  if (!values || !are_numbers(call, values, 3))
    return check_math_poison(call);
  const Type *type = unify(call, values, 3);
  if (!type)
    return check_math_poison(call);
  TExpr *low = check_math_pick(call, BI_MAX, type, values[0], values[1]);
  return check_math_pick(call, BI_MIN, type, low, values[2]);
}

static TExpr *check_abs(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  if (values && tile_is_among(call->cx, values, 1))
    return tile_check_math(call, RULE_ABS, values);
  if (!values || !are_numbers(call, values, 1))
    return check_math_poison(call);
  TExpr *value = convert_promote(cx, values[0]);
  if (call->builtin->forced != TY_POISON)
    value = build_convert(cx, value, sema_basic(cx, call->builtin->forced));
  const Type *type = value->type;
  if (type_is_integer(type) && !type_is_signed(type))
    return value;
  if (expr_is_const(value)) {
    TValue zero = {.u = 0};
    return check_math_is_less(type, value->u.value, zero)
               ? build_unary(cx, TOP_NEG, value, call->span)
               : value;
  }
  return make_pure(call, BI_ABS, type, &value, 1);
}

static bool are_integers(const BuiltinCall *call, TExpr **values,
                         uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!type_is_integer(values[i]->type)) {
      builtin_refuse_type(call, i, values[i]->type, "an integer");
      return false;
    }
  return true;
}

static TExpr *fold_cdiv(const BuiltinCall *call, const Type *type, TExpr *a,
                        TExpr *b) {
  SemaContext *cx = call->cx;
  TExpr *quotient = build_binary(cx, TOP_DIV, "/", a, b, call->span);
  TExpr *rest = build_binary(cx, TOP_REM, "%", a, b, call->span);
  if (!expr_is_const(quotient) || !expr_is_const(rest))
    return quotient;
  bool is_signed = type_is_signed(type);
  bool same_sign = !is_signed || (a->u.value.i < 0) == (b->u.value.i < 0);
  int64_t up = rest->u.value.u != 0 && same_sign;
  return build_int(cx, type, quotient->u.value.i + up, call->span);
}

static TExpr *check_cdiv(const BuiltinCall *call) {
  if (!builtin_takes(call, 2, 2))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  if (values && tile_is_among(call->cx, values, 2))
    return tile_check_math(call, RULE_CDIV, values);
  if (!values || !are_integers(call, values, 2))
    return check_math_poison(call);
  const Type *type = unify(call, values, 2);
  if (!type)
    return check_math_poison(call);
  if (all_const(values, 2))
    return fold_cdiv(call, type, values[0], values[1]);
  return make_pure(call, BI_CDIV, type, values, 2);
}

// grouped(t, nm, nn, g): four ints.
static TExpr *check_grouped(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const Type *number = sema_basic(cx, TY_INT);
  if (!builtin_takes(call, 4, 4))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  if (!values || !are_integers(call, values, 4))
    return check_math_poison(call);
  for (uint32_t i = 0; i < 4; i++) {
    if (type_bits(values[i]->type) > 32 && !expr_is_const(values[i]))
      return builtin_refuse_type(call, i, values[i]->type, "an int");
    values[i] = build_convert(cx, values[i], number);
  }
  return build_call_builtin(cx, BI_GROUPED, type_vector(cx->types, number, 2),
                            values, 4, call->span);
}

// --- bits ---

static uint64_t check_math_bits_of(const Type *type, TValue value) {
  uint32_t unused = 64 - type_bits(type);
  return value.u << unused >> unused;
}

static TExpr *fold_bits(const BuiltinCall *call, const Type *type,
                        TExpr *value) {
  SemaContext *cx = call->cx;
  uint64_t bits = check_math_bits_of(type, value->u.value);
  int width = (int)type_bits(type), result;
  if (call->builtin->id == BI_POPCOUNT)
    result = __builtin_popcountll(bits);
  else if (bits == 0)
    result = width;
  else if (call->builtin->id == BI_CLZ)
    result = __builtin_clzll(bits) - (64 - width);
  else
    result = __builtin_ctzll(bits);
  return build_int(cx, sema_basic(cx, TY_INT), result, call->span);
}

static TExpr *check_math_bits(const BuiltinCall *call, BuiltinRule rule) {
  SemaContext *cx = call->cx;
  uint32_t arity = rule == RULE_BITS_SHIFT ? 2 : 1;
  if (!builtin_takes(call, arity, arity))
    return check_math_poison(call);
  TExpr **values = builtin_values(call);
  if (values && tile_is_among(call->cx, values, arity))
    return tile_check_math(call, rule, values);
  if (!values || !are_integers(call, values, arity))
    return check_math_poison(call);
  values[0] = convert_promote(cx, values[0]);
  const Type *type = values[0]->type;
  if (arity == 2)
    values[1] = build_convert(cx, values[1], type);
  if (rule == RULE_BITS_INT && expr_is_const(values[0]))
    return fold_bits(call, type, values[0]);
  const Type *result = rule == RULE_BITS_INT ? sema_basic(cx, TY_INT) : type;
  return build_call_builtin(cx, call->builtin->id, result, values, arity,
                            call->span);
}

TExpr *check_integer_call(const BuiltinCall *call, BuiltinRule rule) {
  if (rule == RULE_MINMAX)
    return check_minmax(call);
  if (rule == RULE_CLAMP)
    return check_clamp(call);
  if (rule == RULE_ABS)
    return check_abs(call);
  if (rule == RULE_CDIV)
    return check_cdiv(call);
  if (rule == RULE_GROUPED)
    return check_grouped(call);
  return check_math_bits(call, rule);
}
