// SPDX-License-Identifier: Apache-2.0
// Explicit conversions.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_carve.h"
#include "cuda/form/cu_derived.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

static CuValue expr_cast_refuse(CuContext *cu, const CuValue *value,
                                const CuType *to, Span span) {
  if (!cu_is_poisoned(value) && !cu_is_poison(to))
    CU_ERROR(cu, span, bad_cast, DS(CU_TEXT(cu, value->type)),
             DS(CU_TEXT(cu, to)));
  return cu_poison(cu, span);
}

static bool expr_cast_is_number(const CuType *type) {
  return cu_is_arithmetic(type) || type->kind == CU_ENUM;
}

// The expression has this type in Heddle C already.
static bool expr_cast_has_type(const CuValue *value, const CuType *type) {
  return cu_plain(value->type) == type && type->kind != CU_BOOL &&
         type->kind != CU_CHAR && type->kind != CU_ENUM;
}

static CuValue cast_scalar(CuContext *cu, CuValue value, const CuType *to,
                           Span span) {
  Expr *expr = expr_cast_has_type(&value, to)
                   ? value.expr
                   : cu_cast(cu, to, value.expr, span);
  CuValue made = cu_rvalue(to, expr, span);
  made.constant = cu_const_convert(value.constant, value.type, to);
  return made;
}

// (T *)&a, where only the launch says how long `a` is: Heddle C has no address
// of such an array, but its first element has the same.
static Expr *of_elements(const CuValue *pointer) {
  const CuType *inner = cu_plain(pointer->type)->u.inner;
  const Expr *expr = pointer->expr;
  bool is_open = inner->kind == CU_ARRAY && inner->u.array.extent < 0 &&
                 expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS;
  return is_open ? expr->u.unary.operand : pointer->expr;
}

static CuValue cast_pointer(CuContext *cu, CuValue value, const CuType *to,
                            Span span) {
  const CuType *from = cu_plain(value.type);
  CuValue barrier;
  if (cu_carve_cast(cu, &value, to, span, &barrier))
    return barrier;
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
  Expr *made =
      from == to ? value.expr : cu_cast(cu, to, of_elements(&value), span);
  CuValue out = cu_rvalue(to, made, span);
  out.spot = value.spot;
  return out;
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

// Note [Pointers from numbers]
// Heddle C makes no pointers from integers: nothing would say what such a one
// points to. In CUDA most of them are made of the bits of another pointer, to
// round it up or down. With `p` for that one,
//
//     (T *)e   is   (T *)((char *)p + (e - (uintptr_t)p))
//
// whatever `e` does with the bits: it only has to be known that they are p's.

// A pointer to (an element of) what `expr` points to, of which there may be
// two.
static const Expr *expr_cast_pointer_into(CuContext *cu, const Expr *expr) {
  if (cu_is_repeatable(expr))
    return expr;
  while (expr->kind == EXPR_CAST || expr->kind == EXPR_BINARY)
    expr = expr->kind == EXPR_CAST ? expr->u.cast.operand : expr->u.binary.left;
  if (expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS)
    expr = expr->u.unary.operand;
  while (expr->kind == EXPR_INDEX)
    expr = expr->u.index.base;
  const CuName *name =
      expr->kind == EXPR_NAME ? cu_outermost_name(cu, expr) : NULL;
  const TypeSyntax *type = name && name->decl ? name->decl->type : NULL;
  return type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)
             ? expr
             : NULL;
}

// The pointer whose bits a number has, as its cast or the declaration of the
// variable says. NULL: unknown.
static const Expr *pointer_of_bits(CuContext *cu, const Expr *expr) {
  for (uint32_t depth = 0; expr && depth < 64; depth++) {
    switch ((int)expr->kind) {
    case EXPR_CAST:
      expr = expr->u.cast.operand;
      if (map_has(&cu->notes.address_bits, MAP_KEY(expr)))
        return expr_cast_pointer_into(cu, expr);
      break;
    case EXPR_BINARY: expr = expr->u.binary.left; break;
    case EXPR_NAME: {
      const CuName *name = cu_outermost_name(cu, expr);
      const Decl *decl = name ? name->decl : NULL;
      expr = decl && decl->kind == DECL_VAR ? decl->u.var.init : NULL;
      break;
    }
    default: return NULL;
    }
  }
  return NULL;
}

static bool cast_bits(CuContext *cu, CuValue value, const CuType *to, Span span,
                      CuValue *out) {
  const Expr *known = pointer_of_bits(cu, value.expr);
  if (!known)
    return false;
  const CuType *bits = cu_basic(&cu->types, CU_ULONG);
  const CuType *bytes = cu_pointer(
      &cu->types, cu_qualified(&cu->types, cu_basic(&cu->types, CU_CHAR),
                               to->u.inner->quals & CX_QUAL_CONST));
  Expr *from = cu_cast(cu, bits, cu_clone(cu, known, span), span);
  Expr *offset =
      cu_cast(cu, cu_basic(&cu->types, CU_LONG),
              cu_binary(cu, BINARY_SUB, value.expr, from, span), span);
  Expr *pointer = cu_binary(cu, BINARY_ADD,
                            cu_cast(cu, bytes, cu_clone(cu, known, span), span),
                            offset, span);
  *out = cu_rvalue(to, cu_cast(cu, to, pointer, span), span);
  return true;
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
      return expr_cast_refuse(cu, &value, to, span);
    value = cu_call_function(cu, function, &value, (CuValues){NULL, 0}, span);
  }
  const CuType *from = cu_plain(value.type);
  if (!value.expr)
    return expr_cast_refuse(cu, &value, to, span);
  CuValue address;
  if (cu_cast_address(cu, value, target, span, &address))
    return address;
  if (target->kind == CU_POINTER && from->kind == CU_POINTER)
    return cast_pointer(cu, value, target, span);
  bool fits = (expr_cast_is_number(from) && expr_cast_is_number(target)) ||
              (target->kind == CU_POINTER &&
               (cu_is_integer(from) || from->kind == CU_NULLPTR)) ||
              (from->kind == CU_POINTER && cu_is_integer(target));
  CuValue made;
  if (from->kind == CU_POINTER && cu_is_integer(target) && cu_size(target) == 8)
    map_put(cu->arena, &cu->notes.address_bits, MAP_KEY(value.expr), cu);
  else if (target->kind == CU_POINTER && cu_is_integer(from) &&
           value.constant.kind == CU_NOT_CONST &&
           cast_bits(cu, value, target, span, &made))
    return made;
  return fits ? cast_scalar(cu, value, target, span)
              : expr_cast_refuse(cu, &value, to, span);
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
