// SPDX-License-Identifier: Apache-2.0
// Members and subscripts.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_carve.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"
#include "cuda/form/cu_word_class.h"

// ---------------------------------------------------------------- fields

// (uint3)e of a vector: the member of the cast is the cast of the member.
static Expr *member_of_cast(CuContext *cu, Expr *base, const CuType *type,
                            const char *name, Span span) {
  Expr *member = cu_member(cu, base->u.cast.operand, name, span);
  return cu_cast(cu, type, member, span);
}

CuValue cu_field_value(CuContext *cu, CuValue object, CuRecord *record,
                       uint32_t index, Span span) {
  const CuField *field = &record->fields.data[index];
  const CuType *type = field->type;
  CuValue barrier;
  if (cu_is_word_class(object.type))
    return cu_word_of(cu, object, field, span);
  if (cu_member_barrier(cu, &object, field, span, &barrier))
    return barrier;
  if (type->kind == CU_REFERENCE) {
    CuValue place = object;
    place.expr = cu_member(cu, object.expr, field->emitted, span);
    return cu_lvalue(type->u.inner, cu_deref(cu, place.expr, span), span);
  }
  bool is_mutable = field->decl && (field->decl->specs & CX_SPEC_MUTABLE);
  uint8_t quals =
      (uint8_t)(object.type->quals & (is_mutable ? CX_QUAL_VOLATILE : ~0));
  type = cu_qualified(&cu->types, type, quals);
  CuValue value = {.type = type, .span = span, .is_lvalue = object.is_lvalue};
  if (!cu_is(type, CU_POINTER))
    value.spot = cu_spot_moved(cu, object.spot, (int64_t)field->offset_bytes);
  if (field->base && !field->emitted) { // an empty base: nothing of it is used
    value.expr = object.expr;
    return value;
  }
  const char *name = field->emitted;
  if (!name)
    name = intern_cstr(cu->names, cu_format(cu, "unnamed_%u", index));
  bool is_cast = record->heddle && object.expr->kind == EXPR_CAST;
  value.expr = is_cast ? member_of_cast(cu, object.expr, type, name, span)
                       : cu_member(cu, object.expr, name, span);
  cu_note_volatile(cu, &value);
  if (field->decl)
    cu_texture_place(cu, type, value.expr, field->decl);
  return value;
}

// The way from `from` to the record that `field` is in, through bases and
// anonymous members.
static bool find_field(CuContext *cu, CuValue object, const CuEntity *field,
                       Span span, CuValue *out) {
  CuRecord *record = cu_plain(object.type)->u.record;
  if (record->scope == field->scope) {
    *out = cu_field_value(cu, object, record, field->field, span);
    return true;
  }
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *inner = &record->fields.data[i];
    bool is_through = inner->base || !inner->name;
    if (!is_through || !cu_is(cu_plain(inner->type), CU_RECORD))
      continue;
    CuValue step = cu_field_value(cu, object, record, i, span);
    if (find_field(cu, step, field, span, out))
      return true;
  }
  return false;
}

CuValue cu_member_of_object(CuContext *cu, CuValue object, CuEntity *field,
                            Span span) {
  CuValue value;
  if (find_field(cu, object, field, span, &value))
    return value;
  CU_ERROR(cu, span, no_member, DS(CU_TEXT(cu, object.type)),
           DS(field->name ? field->name : ""));
  return cu_poison(cu, span);
}

// ---------------------------------------------------------------- a.b, p->b

static CuValue expr_member_object_of(CuContext *cu, const CxExpr *expr) {
  CuValue object = cu_operand(cu, expr->u.member.base);
  if (cu_is_poisoned(&object) || !expr->u.member.is_arrow)
    return object;
  if (cu_is(cu_plain(object.type), CU_RECORD)) {
    CuValue pointer, args[1] = {object};
    if (cu_call_operator(cu, "operator->", (CuValues){args, 1}, expr->span,
                         &pointer))
      object = pointer;
  }
  return cu_deref_value(cu, object, expr->span);
}

static CuValue method_value(CuContext *cu, const CxExpr *expr, CuValue object,
                            CuEntityVec *found) {
  const CxName *name = expr->u.member.name;
  CuOverloads *set = ARENA_NEW(cu->arena, CuOverloads);
  set->found = *found;
  set->part = &name->parts[name->n_parts - 1];
  set->has_args = set->part->has_args;
  set->is_qualified = true;
  CuValue *kept = ARENA_NEW(cu->arena, CuValue);
  *kept = object;
  return (CuValue){.type = cu_basic(&cu->types, CU_OVERLOADS),
                   .span = expr->span,
                   .overloads = set,
                   .object = kept};
}

static CuValue no_member(CuContext *cu, const CuValue *object,
                         const CxName *name) {
  const CxNamePart *last = &name->parts[name->n_parts - 1];
  const CuType *type = cu_plain(object->type);
  bool is_record = type->kind == CU_RECORD;
  bool is_told = is_record && type->u.record->is_poisoned;
  const char *shown =
      last->kind == CX_PART_IDENT ? last->name : cu_source_text(cu, last->span);
  if (is_told) // what is wrong with the class
    cu->reports.failed = true;
  else if (is_record && !cu_complete_record(cu, type->u.record))
    CU_ERROR(cu, name->span, incomplete_type, DS(CU_TEXT(cu, type)));
  else if (is_record)
    CU_ERROR(cu, last->span, no_member, DS(CU_TEXT(cu, type)), DS(shown));
  else
    CU_ERROR(cu, name->span, member_of, DS("."), DS(shown),
             DS(CU_TEXT(cu, type)));
  return cu_poison(cu, name->span);
}

static CuValue member_value(CuContext *cu, const CxExpr *expr, CuValue object,
                            CuEntityVec *found) {
  CuEntity *first = found->data[0];
  switch ((int)first->kind) {
  case CU_ENTITY_FIELD:
    return cu_member_of_object(cu, object, first, expr->span);
  case CU_ENTITY_FUNCTION: return method_value(cu, expr, object, found);
  case CU_ENTITY_VAR:
  case CU_ENTITY_ENUMERATOR: {
    CuScope *before = cu_set_scope(cu, first->scope);
    CxNamePart part = {.name = first->name, .span = expr->span};
    CxName name = {.span = expr->span, .parts = &part, .n_parts = 1};
    CuValue value = cu_name_value(cu, &name, expr->span);
    cu_set_scope(cu, before);
    return value;
  }
  default: return no_member(cu, &object, expr->u.member.name);
  }
}

CuValue cu_member_expr(CuContext *cu, const CxExpr *expr) {
  CuValue object = expr_member_object_of(cu, expr);
  if (cu_is_poisoned(&object))
    return object;
  const CxName *name = expr->u.member.name;
  const CuType *type = cu_plain(object.type);
  const CxNamePart *last = &name->parts[name->n_parts - 1];
  if (type->kind != CU_RECORD || !cu_complete_record(cu, type->u.record) ||
      !last->name)
    return no_member(cu, &object, name);
  CuEntityVec found = {0};
  if (name->n_parts > 1) {
    CuScope *before = cu_set_scope(cu, type->u.record->scope);
    cu_resolve_name(cu, name, &found);
    cu_set_scope(cu, before);
  } else {
    cu_lookup_in(cu, type->u.record->scope, last->name, &found);
  }
  return found.count ? member_value(cu, expr, object, &found)
                     : no_member(cu, &object, name);
}

// ---------------------------------------------------------------- subscripts

static Expr *barrier_element(CuContext *cu, CuValue pointer, const CuSpot *spot,
                             Expr *index, Span span) {
  pointer.spot = spot;
  bool is_moved = cu_carve_moved(cu, &pointer);
  return cu_barrier_place(cu, pointer.expr, is_moved ? NULL : index, span);
}

CuValue cu_index_of(CuContext *cu, CuValue base, CuValue index, Span span) {
  if (cu_is_poisoned(&base) || cu_is_poisoned(&index))
    return cu_poison(cu, span);
  if (cu_is(cu_plain(base.type), CU_RECORD)) {
    CuValue args[2] = {base, index}, value;
    if (cu_call_operator(cu, "operator[]", (CuValues){args, 2}, span, &value))
      return value;
  }
  bool is_array = cu_is(base.type, CU_ARRAY);
  bool joins = is_array && base.expr->kind == EXPR_INDEX;
  CuValue pointer = cu_decay(cu, base);
  const CuType *type = cu_plain(pointer.type);
  if (cu_is_integer(type)) { // 3[a]
    CuValue other = cu_decay(cu, index);
    if (cu_is(cu_plain(other.type), CU_POINTER))
      return cu_index_of(cu, index, base, span);
  }
  if (type->kind != CU_POINTER || cu_is(type->u.inner, CU_VOID)) {
    CU_ERROR(cu, span, not_subscriptable, DS(CU_TEXT(cu, base.type)));
    return cu_poison(cu, span);
  }
  const CuType *counts = cu_plain(index.type);
  if (counts->kind == CU_RECORD) {
    index = cu_convert(cu, index, cu_basic(&cu->types, CU_LONG), "a subscript");
    counts = cu_plain(index.type);
  }
  if (!cu_is_integer(counts) && !cu_is_unscoped_enum(counts)) {
    CU_ERROR(cu, index.span, subscript_type, DS(CU_TEXT(cu, index.type)));
    return cu_poison(cu, span);
  }
  const CuSpot *spot = cu_spot_element(cu, &base, &index);
  if (!spot)
    spot = cu_spot_indexed(cu, pointer.spot, type->u.inner, &index, BINARY_ADD);
  Expr *place = cu_is_barrier_pointer(type)
                    ? barrier_element(cu, pointer, spot, index.expr, span)
                    : cu_subscript(cu, pointer.expr, index.expr, joins, span);
  CuValue value = cu_lvalue(type->u.inner, place, span);
  value.spot = cu_is(type->u.inner, CU_POINTER) ? NULL : spot;
  cu_note_volatile(cu, &value);
  cu_texture_element(cu, &base, &value);
  return value;
}

CuValue cu_index_expr(CuContext *cu, const CxExpr *expr) {
  CuValue base = cu_operand(cu, expr->u.index.base);
  CuValue index = cu_operand(cu, expr->u.index.index);
  return cu_index_of(cu, base, index, expr->span);
}
