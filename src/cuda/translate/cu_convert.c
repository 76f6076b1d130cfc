// SPDX-License-Identifier: Apache-2.0
// Implicit conversions: which there are, how good they are, and doing them.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

// ---------------------------------------------------------------- arithmetic

const CuType *cu_promoted(CuContext *cu, const CuType *type) {
  type = cu_plain(type);
  if (type->kind == CU_ENUM)
    type = type->u.enumeration->underlying;
  return cu_is_integer(type) && type->kind < CU_INT
             ? cu_basic(&cu->types, CU_INT)
             : type;
}

const CuType *cu_common_type(CuContext *cu, const CuType *a, const CuType *b) {
  a = cu_promoted(cu, a);
  b = cu_promoted(cu, b);
  if (cu_is_floating(a) || cu_is_floating(b)) {
    if (!cu_is_floating(a) || !cu_is_floating(b))
      return cu_is_floating(a) ? a : b;
    bool mixes = a != b && a->kind <= CU_BFLOAT16 && b->kind <= CU_BFLOAT16;
    if (mixes)
      return NULL;
    return a->kind > b->kind ? a : b;
  }
  if (a->kind < b->kind) {
    const CuType *swap = a;
    a = b;
    b = swap;
  }
  // `a` has the higher rank, or is the unsigned type of the same rank.
  bool loses = cu_is_signed(a) && !cu_is_signed(b) && cu_size(a) == cu_size(b);
  return loses ? cu_basic(&cu->types, (CuTypeKind)(a->kind + 1)) : a;
}

// ---------------------------------------------------------------- ranks

static const CuConversion none = {.rank = CU_RANK_NONE};

static CuConversion convert_ranked(CuRank rank) {
  return (CuConversion){.rank = rank};
}

static bool is_null_constant(const CuValue *value) {
  return cu_is(cu_plain(value->type), CU_NULLPTR) ||
         (value->constant.kind == CU_CONST_INT && value->constant.i == 0 &&
          value->expr && value->expr->kind == EXPR_INT);
}

static CuConversion to_base(CuContext *cu, const CuType *from,
                            const CuType *to) {
  uint32_t path[16], n = 0;
  if (from->kind != CU_RECORD || to->kind != CU_RECORD ||
      !cu_find_base(cu, from->u.record, to->u.record, path, &n))
    return none;
  return (CuConversion){.rank = n ? CU_RANK_CONVERSION : CU_RANK_EXACT,
                        .n_up = n};
}

static bool has_quals(const CuType *to, const CuType *from) {
  return (to->quals & from->quals) == from->quals;
}

static CuConversion rank_pointers(CuContext *cu, const CuType *from,
                                  const CuType *to) {
  const CuType *a = from->u.inner, *b = to->u.inner;
  if (a == b)
    return convert_ranked(CU_RANK_EXACT);
  bool keeps =
      a->kind == CU_ARRAY ? cu_is_const(b) || !cu_is_const(a) : has_quals(b, a);
  if (!keeps)
    return none;
  bool is_same = cu_plain(a) == cu_plain(b) ||
                 (a->kind == CU_ARRAY && b->kind == CU_ARRAY &&
                  cu_plain(cu_array_base(a)) == cu_plain(cu_array_base(b)) &&
                  cu_size(a) == cu_size(b));
  if (is_same)
    return convert_ranked(CU_RANK_QUALIFICATION);
  if (b->kind == CU_VOID)
    return convert_ranked(CU_RANK_CONVERSION);
  if (a->kind == CU_POINTER && b->kind == CU_POINTER &&
      (b->quals & CX_QUAL_CONST))
    return rank_pointers(cu, cu_plain(a), cu_plain(b));
  return to_base(cu, cu_plain(a), cu_plain(b));
}

static bool is_promotion(CuContext *cu, const CuType *from, const CuType *to) {
  if (from->kind == CU_FLOAT)
    return to->kind == CU_DOUBLE;
  bool is_small =
      from->kind == CU_ENUM || (cu_is_integer(from) && from->kind < CU_INT);
  return is_small && cu_promoted(cu, from) == to;
}

static CuConversion rank_scalars(CuContext *cu, const CuValue *value,
                                 const CuType *from, const CuType *to) {
  bool is_number = cu_is_arithmetic(from) || cu_is_unscoped_enum(from);
  if (is_number && cu_is_arithmetic(to))
    return convert_ranked(is_promotion(cu, from, to) ? CU_RANK_PROMOTION
                                                     : CU_RANK_CONVERSION);
  if (to->kind == CU_POINTER && from->kind == CU_POINTER)
    return rank_pointers(cu, from, to);
  if (to->kind == CU_POINTER && is_null_constant(value))
    return convert_ranked(CU_RANK_CONVERSION);
  if (to->kind == CU_BOOL && from->kind == CU_POINTER)
    return convert_ranked(CU_RANK_CONVERSION);
  return none;
}

static CuConversion rank_user(CuContext *cu, const CuValue *value,
                              const CuType *to) {
  if (value->type->kind == CU_OVERLOADS)
    return none;
  CuValue args[1] = {*value};
  if (to->kind == CU_RECORD &&
      cu_find_constructor(cu, to->u.record, (CuValues){args, 1}, (Span){0, 0}))
    return convert_ranked(CU_RANK_USER);
  const CuFunction *by = cu_is(cu_plain(value->type), CU_RECORD)
                             ? cu_find_conversion(cu, value, to, false)
                             : NULL;
  if (!by)
    return none;
  CuConversion made = {.rank = CU_RANK_USER, .by = by};
  const CuType *given = by->result ? cu_plain(cu_referred(by->result)) : to;
  if (given != to) {
    CuValue result = {.type = given, .is_lvalue = true};
    made.then = rank_scalars(cu, &result, given, to).rank;
  }
  return made;
}

static CuConversion rank_value(CuContext *cu, const CuValue *value,
                               const CuType *to, bool with_user) {
  if (value->type->kind == CU_LIST) {
    bool fits = to->kind == CU_RECORD || to->kind == CU_ARRAY ||
                value->list->u.init_list.n_items <= 1;
    return fits && with_user ? convert_ranked(CU_RANK_USER) : none;
  }
  const CuType *from = cu_plain(cu_decayed(cu, value->type));
  to = cu_plain(to);
  if (from == to)
    return convert_ranked(CU_RANK_EXACT);
  CuRank kept = cu_rank_kept(from, to);
  if (kept != CU_RANK_NONE || cu_is_number(from))
    return convert_ranked(kept);
  CuConversion conversion = rank_scalars(cu, value, from, to);
  if (conversion.rank == CU_RANK_NONE)
    conversion = to_base(cu, from, to);
  if (conversion.rank == CU_RANK_NONE && with_user)
    conversion = rank_user(cu, value, to);
  return conversion;
}

// Arrays of the same form, whose elements may differ in const.
static bool convert_is_same_array(const CuType *from, const CuType *to) {
  while (from->kind == CU_ARRAY && to->kind == CU_ARRAY &&
         from->u.array.extent == to->u.array.extent) {
    from = from->u.array.element;
    to = to->u.array.element;
  }
  return from->kind != CU_ARRAY && to->kind != CU_ARRAY &&
         cu_plain(from) == cu_plain(to);
}

// The reference binds to the value itself, without a temporary.
static CuConversion rank_binding(CuContext *cu, const CuValue *value,
                                 const CuType *inner) {
  if (cu_plain(value->type) == cu_plain(inner) || value->type == inner)
    return convert_ranked(value->type == inner ? CU_RANK_EXACT
                                               : CU_RANK_QUALIFICATION);
  if (cu_is_bound_word(value->type, inner))
    return convert_ranked(CU_RANK_EXACT);
  if (value->type->kind == CU_ARRAY &&
      convert_is_same_array(value->type, inner))
    return convert_ranked(CU_RANK_QUALIFICATION);
  return to_base(cu, cu_plain(value->type), cu_plain(inner));
}

static CuConversion rank_reference(CuContext *cu, const CuValue *value,
                                   const CuType *to, bool with_user) {
  const CuType *inner = to->u.inner;
  CuConversion direct = rank_binding(cu, value, inner);
  bool keeps = value->type->kind == CU_ARRAY
                   ? cu_is_const(inner) || !cu_is_const(value->type)
                   : has_quals(inner, value->type);
  if (direct.rank != CU_RANK_NONE) {
    bool takes_lvalues = !to->is_rvalue;
    bool takes_rvalues = to->is_rvalue || cu_is_const(inner);
    if (!keeps || !(value->is_lvalue ? takes_lvalues : takes_rvalues))
      return none;
    direct.binds_rvalue = to->is_rvalue;
    direct.is_bound = true;
    return direct;
  }
  if (!to->is_rvalue && !cu_is_const(inner))
    return none;
  return rank_value(cu, value, inner, with_user);
}

CuConversion cu_conversion(CuContext *cu, const CuValue *value,
                           const CuType *to, bool with_user) {
  if (cu_is_poisoned(value) || cu_is_poison(to))
    return convert_ranked(CU_RANK_EXACT);
  return to->kind == CU_REFERENCE ? rank_reference(cu, value, to, with_user)
                                  : rank_value(cu, value, to, with_user);
}

// ---------------------------------------------------------------- doing it

CuValue cu_upcast(CuContext *cu, CuValue object, CuRecord *base, Span span) {
  uint32_t path[16], n = 0;
  CuRecord *record = cu_plain(object.type)->u.record;
  if (!cu_find_base(cu, record, base, path, &n) || n == 0)
    return object;
  CuValue *whole = ARENA_NEW(cu->arena, CuValue);
  *whole = object;
  for (uint32_t i = 0; i < n; i++) {
    CuRecord *here = cu_plain(object.type)->u.record;
    object = cu_field_value(cu, object, here, path[i], span);
  }
  object.whole = whole->whole ? whole->whole : whole;
  return object;
}

static CuValue convert_refuse(CuContext *cu, const CuValue *value,
                              const CuType *to, const char *what) {
  if (!cu_is_poisoned(value) && !cu_is_poison(to))
    CU_ERROR(cu, value->span, cannot_convert, DS(what),
             DS(CU_TEXT(cu, value->type)), DS(CU_TEXT(cu, to)));
  return cu_poison(cu, value->span);
}

static CuValue by_user(CuContext *cu, CuValue value, const CuType *to,
                       const char *what) {
  CuValue args[1] = {value};
  if (to->kind == CU_RECORD &&
      cu_find_constructor(cu, to->u.record, (CuValues){args, 1}, value.span))
    return cu_construct(cu, to, (CuValues){args, 1}, false, value.span);
  CuFunction *function = cu_is(cu_plain(value.type), CU_RECORD)
                             ? cu_find_conversion(cu, &value, to, false)
                             : NULL;
  if (!function)
    return convert_refuse(cu, &value, to, what);
  CuValue made =
      cu_call_function(cu, function, &value, (CuValues){NULL, 0}, value.span);
  return cu_convert(cu, made, to, what);
}

static CuValue pointer_to_base(CuContext *cu, CuValue value, const CuType *to) {
  Span span = value.span;
  CuValue object = cu_deref_value(cu, value, span);
  object = cu_upcast(cu, object, to->u.inner->plain->u.record, span);
  return cu_address_value(cu, object, span);
}

// An empty base isn't in the object: it is made.
static CuValue base_value(CuContext *cu, CuValue value, const CuType *to) {
  CuValue base = cu_upcast(cu, value, to->u.record, value.span);
  if (base.expr != value.expr || cu_is_opaque(to)) // a group is a thread_group
    return base;
  base = cu_construct(cu, to, (CuValues){NULL, 0}, true, value.span);
  if (base.expr && (cu_has_effect(value.expr) || cu_reads_memory(value.expr)))
    base.expr = cu_comma(cu, value.expr, base.expr, value.span);
  return base;
}

static CuValue convert_value(CuContext *cu, CuValue value, const CuType *to,
                             const char *what) {
  const CuType *target = cu_plain(to);
  if (value.type->kind == CU_LIST)
    return cu_from_list(cu, target, value.list, value.span);
  CuConversion conversion = rank_value(cu, &value, target, true);
  if (conversion.rank == CU_RANK_NONE || !value.expr)
    return value.type->kind == CU_LAMBDA && value.type == target
               ? value
               : convert_refuse(cu, &value, to, what);
  bool copies = target->kind == CU_RECORD && value.is_lvalue &&
                cu_plain(value.type) == target && target->u.record->has_copy;
  if (copies) {
    CuValue args[1] = {value};
    CuFunction *function = cu_find_constructor(cu, target->u.record,
                                               (CuValues){args, 1}, value.span);
    if (function)
      return cu_call_function(cu, function, NULL, (CuValues){args, 1},
                              value.span);
  }
  if (conversion.rank == CU_RANK_USER)
    return by_user(cu, value, target, what);
  value = cu_decay(cu, value);
  if (cu_keep(cu, &value, target))
    return value;
  if (conversion.n_up && target->kind == CU_POINTER)
    value = pointer_to_base(cu, value, target);
  else if (conversion.n_up)
    value = base_value(cu, value, target);
  CuValue made = cu_rvalue(target, value.expr, value.span);
  made.constant = cu_const_convert(value.constant, value.type, target);
  if (target->kind == CU_POINTER)
    made.spot = value.spot;
  return made;
}

CuValue cu_convert(CuContext *cu, CuValue value, const CuType *to,
                   const char *what) {
  if (cu_is_poisoned(&value) || cu_is_poison(to))
    return cu_poison(cu, value.span);
  if (to->kind != CU_REFERENCE)
    return convert_value(cu, value, to, what);
  CuConversion conversion = rank_reference(cu, &value, to, true);
  if (conversion.rank == CU_RANK_NONE)
    return convert_refuse(cu, &value, to, what);
  const CuType *inner = to->u.inner;
  CuConversion direct = rank_binding(cu, &value, inner);
  if (direct.rank == CU_RANK_NONE)
    return convert_value(cu, value, inner, what);
  if (direct.n_up)
    value = cu_upcast(cu, value, cu_plain(inner)->u.record, value.span);
  value.type = inner;
  return value;
}

// Heddle C's comparisons are int.
static bool is_truth(const Expr *expr) {
  bool is_not = expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_NOT;
  bool compares =
      expr->kind == EXPR_BINARY &&
      (expr->u.binary.op <= BINARY_NE ? expr->u.binary.op >= BINARY_LT
                                      : expr->u.binary.op >= BINARY_LOG_AND);
  return is_not || compares;
}

CuValue cu_convert_exactly(CuContext *cu, CuValue value, const CuType *to,
                           const char *what) {
  const CuType *from = cu_plain(cu_decayed(cu, value.type));
  value = cu_convert(cu, value, to, what);
  const CuType *target = cu_plain(cu_referred(to));
  bool is_scalar = cu_is_scalar(from) && cu_is_scalar(target);
  if (cu_is_poisoned(&value) || from == target || !is_scalar ||
      cu_rank_kept(from, target) != CU_RANK_NONE)
    return value;
  if (from->kind == CU_BOOL && target->kind == CU_INT && is_truth(value.expr))
    return value;
  if (target->kind == CU_POINTER && from->kind == CU_POINTER &&
      cu_plain(from->u.inner) == cu_plain(target->u.inner))
    return value;
  Expr *expr = value.expr;
  bool is_literal = expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT;
  if (is_literal && value.constant.kind == CU_CONST_INT &&
      target->kind >= CU_INT && target->kind <= CU_ULLONG)
    value.expr = cu_int_expr(cu, target, value.constant.i, value.span);
  else if (is_literal && value.constant.kind == CU_CONST_FLOAT &&
           (target->kind == CU_FLOAT || target->kind == CU_DOUBLE))
    value.expr = cu_float_expr(cu, target, value.constant.f, value.span);
  else
    value.expr = cu_cast(cu, target, expr, value.span);
  return value;
}

// A class that takes part in arithmetic: the number that it converts to.
CuValue cu_convert_number(CuContext *cu, CuValue value) {
  CuFunction *function = cu_find_number(cu, &value);
  if (!function)
    return value;
  return cu_call_function(cu, function, &value, (CuValues){NULL, 0},
                          value.span);
}
