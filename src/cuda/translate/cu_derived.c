// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_derived.h"

#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

static bool is_derived(CuContext *cu, CuRecord *from, const CuRecord *base) {
  uint32_t path[16], n = 0;
  return cu_find_base(cu, from, base, path, &n) && n > 0;
}

CuRecord *cu_whole_class(CuContext *cu, const CuRecord *record) {
  for (uint32_t i = 0; i < record->n_args; i++) {
    const CuArg *arg = &record->args[i];
    if (!arg->is_type || arg->is_pack || arg->template)
      continue;
    const CuType *type = cu_plain(arg->type);
    if (cu_is(type, CU_RECORD) && !type->u.record->opaque &&
        type->u.record->is_complete && is_derived(cu, type->u.record, record))
      return type->u.record;
  }
  return NULL;
}

const CuType *cu_passed_type(CuContext *cu, const CuType *type) {
  const CuType *plain = cu_plain(type);
  CuRecord *whole =
      plain->kind == CU_RECORD ? cu_whole_class(cu, plain->u.record) : NULL;
  return whole ? cu_qualified(&cu->types, whole->type, type->quals) : type;
}

static CuValue derived_refuse(CuContext *cu, const CuValue *value, Span span) {
  if (!cu_is_poisoned(value))
    cu_unsupported(cu, span, "a base whose derived object isn't known here",
                   "pass the object by a reference of its own type");
  return cu_poison(cu, span);
}

// The object that `value` is a base of, as a `record`.
static bool whole_as(CuContext *cu, const CuValue *value, CuRecord *record,
                     CuValue *out) {
  if (!value->whole)
    return false;
  CuRecord *whole = cu_plain(value->whole->type)->u.record;
  if (whole != record && !is_derived(cu, whole, record))
    return false;
  *out = *value->whole;
  out->expr = cu_clone(cu, out->expr, (Span){0, 0});
  *out = cu_upcast(cu, *out, record, value->span);
  return true;
}

// A base without members isn't in the object: one is made, or seen there.
static void pass_empty(CuContext *cu, CuValue *object) {
  const CuType *type = cu_plain(object->type);
  if (!object->is_lvalue) {
    *object = cu_construct(cu, type, (CuValues){NULL, 0}, true, object->span);
    return;
  }
  Span span = object->span;
  const CuType *pointer = cu_pointer(&cu->types, object->type);
  CuValue address = cu_address_value(cu, *object, span);
  object->expr = cu_deref(cu, cu_cast(cu, pointer, address.expr, span), span);
}

bool cu_pass_whole(CuContext *cu, CuValue *object, const CuType *type) {
  const CuType *passed = cu_plain(cu_passed_type(cu, type));
  bool is_empty = passed == cu_plain(type) && object->whole &&
                  passed->kind == CU_RECORD && passed->u.record->is_empty;
  if (is_empty && !cu_is_poisoned(object))
    pass_empty(cu, object);
  if (passed == cu_plain(type) || cu_plain(object->type) == passed ||
      cu_is_poisoned(object))
    return true;
  CuValue whole;
  if (!whole_as(cu, object, passed->u.record, &whole)) {
    derived_refuse(cu, object, object->span);
    return false;
  }
  whole.type = cu_qualified(&cu->types, passed, type->quals);
  *object = whole;
  return true;
}

// A copy that was made for this function: nothing is around it.
static bool derived_is_copy(const CuContext *cu, const Expr *expr) {
  while (expr->kind == EXPR_UNARY || expr->kind == EXPR_MEMBER)
    expr =
        expr->kind == EXPR_UNARY ? expr->u.unary.operand : expr->u.member.base;
  const CuName *name = expr->kind == EXPR_NAME
                           ? map_get(&cu->output.named, MAP_KEY(expr))
                           : NULL;
  return name && name->is_local && name->decl && name->decl->type &&
         name->decl->type->kind != TYPE_POINTER;
}

bool cu_cast_down(CuContext *cu, CuValue value, const CuType *type, Span span,
                  CuValue *out) {
  const CuType *from = cu_plain(value.type), *to = cu_plain(type);
  if (from->kind != CU_RECORD || to->kind != CU_RECORD || from == to ||
      !is_derived(cu, to->u.record, from->u.record))
    return false;
  if (whole_as(cu, &value, to->u.record, out)) {
    out->type = type;
    out->span = span;
    return true;
  }
  uint32_t path[16], n = 0;
  cu_find_base(cu, to->u.record, from->u.record, path, &n);
  bool is_at_start = !from->u.record->is_empty;
  for (CuRecord *here = to->u.record; n > 0 && here != from->u.record;
       here = here->fields.data[0].base)
    if (!here->fields.count || here->fields.data[0].base == NULL) {
      is_at_start = false;
      break;
    }
  if (is_at_start && value.expr && !derived_is_copy(cu, value.expr))
    return false; // where the base is, the object is
  *out = derived_refuse(cu, &value, span);
  return true;
}
