// SPDX-License-Identifier: Apache-2.0
// Explicit conversions.
#include "cuda/cu_address.h"
#include "cuda/cu_derived.h"
#include "cuda/cu_function.h"
#include "cuda/cu_local.h"
#include "cuda/cu_report.h"
#include "cuda/cu_resolve.h"
#include "cuda/cu_tree.h"
#include "cuda/cu_value.h"

static CuValue refuse(CuContext *cu, const CuValue *value, const CuType *to,
                      Span span) {
  if (!cu_is_poisoned(value) && !cu_is_poison(to))
    CU_ERROR(cu, span, bad_cast, DS(CU_TEXT(cu, value->type)),
             DS(CU_TEXT(cu, to)));
  return cu_poison(cu, span);
}

static bool is_number(const CuType *type) {
  return cu_is_arithmetic(type) || type->kind == CU_ENUM;
}

// The expression has this type in Heddle C already.
static bool has_type(const CuValue *value, const CuType *type) {
  return cu_plain(value->type) == type && type->kind != CU_BOOL &&
         type->kind != CU_CHAR && type->kind != CU_ENUM;
}

static CuValue cast_scalar(CuContext *cu, CuValue value, const CuType *to,
                           Span span) {
  if (has_type(&value, to))
    return cu_rvalue(to, value.expr, span);
  CuValue made = cu_rvalue(to, cu_cast(cu, to, value.expr, span), span);
  made.constant = cu_const_convert(value.constant, value.type, to);
  return made;
}

static CuValue cast_pointer(CuContext *cu, CuValue value, const CuType *to,
                            Span span) {
  const CuType *from = cu_plain(value.type);
  uint32_t path[16], n = 0;
  bool goes_up = cu_plain(from->u.inner)->kind == CU_RECORD &&
                 cu_plain(to->u.inner)->kind == CU_RECORD &&
                 cu_find_base(cu, cu_plain(from->u.inner)->u.record,
                              cu_plain(to->u.inner)->u.record, path, &n) &&
                 n > 0;
  if (goes_up)
    return cu_convert(cu, value, to, "cast");
  CuValue down;
  if (!goes_up && cu_plain(from->u.inner)->kind == CU_RECORD &&
      cu_cast_down(cu, cu_deref_value(cu, value, span), to->u.inner, span,
                   &down))
    return cu_address_value(cu, down, span);
  CuValue made = cu_rvalue(
      to, from == to ? value.expr : cu_cast(cu, to, value.expr, span), span);
  made.spot = value.spot;
  return made;
}

// (T &)x: the same place seen as another type.
static CuValue cast_reference(CuContext *cu, CuValue value, const CuType *to,
                              Span span) {
  const CuType *inner = to->u.inner;
  CuConversion direct = cu_conversion(cu, &value, to, false);
  bool is_same = cu_plain(value.type) == cu_plain(inner);
  if (direct.rank != CU_RANK_NONE || is_same) {
    if (!is_same)
      value = cu_convert(cu, value, to, "cast");
    value.type = inner;
    value.is_lvalue = value.is_lvalue && !to->is_rvalue;
    return value;
  }
  CuValue down;
  if (cu_cast_down(cu, value, inner, span, &down))
    return down;
  CuValue address = cu_address_value(cu, value, span);
  if (cu_is_poisoned(&address))
    return address;
  return cu_deref_value(
      cu, cast_pointer(cu, address, cu_pointer(&cu->types, inner), span), span);
}

static CuValue cast_value(CuContext *cu, CuValue value, const CuType *to,
                          Span span) {
  CuValue args[1] = {value};
  const CuType *target = cu_plain(to);
  if (target->kind == CU_RECORD) {
    if (cu_plain(value.type) == target)
      return value;
    return cu_construct(cu, target, (CuValues){args, 1}, false, span);
  }
  value = cu_decay(cu, value);
  if (cu_is(cu_plain(value.type), CU_RECORD)) {
    CuFunction *function = cu_find_conversion(cu, &value, target, true);
    if (!function)
      return refuse(cu, &value, to, span);
    value = cu_call_function(cu, function, &value, (CuValues){NULL, 0}, span);
  }
  const CuType *from = cu_plain(value.type);
  if (!value.expr)
    return refuse(cu, &value, to, span);
  CuValue address;
  if (cu_cast_address(cu, value, target, span, &address))
    return address;
  if (target->kind == CU_POINTER && from->kind == CU_POINTER)
    return cast_pointer(cu, value, target, span);
  bool fits = (is_number(from) && is_number(target)) ||
              (target->kind == CU_POINTER &&
               (cu_is_integer(from) || from->kind == CU_NULLPTR)) ||
              (from->kind == CU_POINTER && cu_is_integer(target));
  return fits ? cast_scalar(cu, value, target, span)
              : refuse(cu, &value, to, span);
}

static CuValue cast_to(CuContext *cu, CuValue value, const CuType *to,
                       Span span) {
  if (cu_is_poisoned(&value) || cu_is_poison(to))
    return cu_poison(cu, span);
  if (to->kind == CU_REFERENCE)
    return cast_reference(cu, value, to, span);
  if (value.type->kind == CU_LIST)
    return cu_from_list(cu, cu_plain(to), value.list, span);
  return cast_value(cu, value, to, span);
}

CuValue cu_cast_expr(CuContext *cu, const CxExpr *expr) {
  if (expr->u.cast.kind == CX_CAST_DYNAMIC) {
    cu_unsupported(cu, expr->span, "'dynamic_cast'", "use static_cast");
    return cu_poison(cu, expr->span);
  }
  const CuType *to = cu_resolve_type(cu, expr->u.cast.type);
  if (cu_is(to, CU_VOID)) {
    Expr *left = cu_discarded(cu, expr->u.cast.operand);
    return cu_rvalue(to, left ? cu_cast(cu, to, left, expr->span) : NULL,
                     expr->span);
  }
  CuValue value = cu_expr(cu, expr->u.cast.operand);
  if (!value.list)
    value = value.expr || value.type->kind == CU_LAMBDA
                ? value
                : cu_operand(cu, expr->u.cast.operand);
  return cast_to(cu, value, to, expr->span);
}

// T(x), T(x, y), T{…}, T()
CuValue cu_construct_expr(CuContext *cu, const CxExpr *expr) {
  const CuType *type = cu_resolve_type(cu, expr->u.construct.type);
  CuValues args = cu_arguments(cu, &expr->u.construct.args);
  cu_refuse_destructor(cu, cu_referred(type), expr->span);
  return cu_construct_of(cu, type, args, expr->u.construct.is_braced,
                         expr->span);
}

CuValue cu_construct_of(CuContext *cu, const CuType *type, CuValues args,
                        bool is_braced, Span span) {
  if (cu_is_poison(type))
    return cu_poison(cu, span);
  if (args.count == 1 && !is_braced && !args.data[0].list)
    return cast_to(cu, args.data[0], type, span);
  return cu_construct(cu, cu_plain(type), args, is_braced, span);
}
