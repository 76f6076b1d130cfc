// SPDX-License-Identifier: Apache-2.0
// C++ types in Heddle C.
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

static const BuiltinType words[] = {
    [CU_VOID] = BUILTIN_VOID,     [CU_BOOL] = BUILTIN_BOOL,
    [CU_CHAR] = BUILTIN_CHAR,     [CU_SCHAR] = BUILTIN_SCHAR,
    [CU_UCHAR] = BUILTIN_UCHAR,   [CU_SHORT] = BUILTIN_SHORT,
    [CU_USHORT] = BUILTIN_USHORT, [CU_INT] = BUILTIN_INT,
    [CU_UINT] = BUILTIN_UINT,     [CU_LONG] = BUILTIN_LONG,
    [CU_ULONG] = BUILTIN_ULONG,   [CU_LLONG] = BUILTIN_LLONG,
    [CU_ULLONG] = BUILTIN_ULLONG, [CU_HALF] = BUILTIN_HALF,
    [CU_FLOAT] = BUILTIN_FLOAT,   [CU_DOUBLE] = BUILTIN_DOUBLE,
};

static TypeSyntax *emit_type_named(CuContext *cu, CuName *name, Span span) {
  TypeSyntax *type = cu_new_type_syntax(cu, TYPE_NAMED, span);
  cu_name_spelled(cu, name, &type->u.named);
  return type;
}

// Nothing that a kernel may have: so it has an error, reported or not.
static TypeSyntax *emit_type_poison(CuContext *cu, Span span) {
  cu_poison(cu, span);
  return cu_new_type_syntax(cu, TYPE_POISON, span);
}

// Members that are pointers name the tag: their class may hold this one.
static bool is_tag_enough(const CuContext *cu, const CuType *type) {
  const CuRecord *record = type->kind == CU_RECORD ? type->u.record : NULL;
  return record && !record->opaque && !record->heddle &&
         (record->is_emitting || !record->decl->u.record.is_definition ||
          (cu->output.n_emitting > 0 && !record->is_emitted));
}

static TypeSyntax *tagged_type(CuContext *cu, CuRecord *record, Span span) {
  if (!record->is_emitted && record->decl->u.record.is_definition)
    VEC_PUSH(cu->arena, &cu->output.tagged, record);
  cu_name_record(cu, record);
  TypeSyntax *type =
      cu_new_type_syntax(cu, record->is_union ? TYPE_UNION : TYPE_STRUCT, span);
  cu_name_spelled(cu, record->name, &type->u.record.tag);
  type->u.record.tag_span = span;
  return type;
}

static TypeSyntax *emit_type_record(CuContext *cu, CuRecord *record,
                                    Span span) {
  switch (record->opaque) {
  case CU_OPAQUE_GROUP: return cu_new_type_syntax(cu, TYPE_GROUP, span);
  case CU_OPAQUE_TOKEN: return cu_new_type_syntax(cu, TYPE_TOKEN, span);
  case CU_OPAQUE_BARRIER: return cu_new_type_syntax(cu, TYPE_MBARRIER, span);
  case CU_OPAQUE_NONE: break;
  }
  if (record->heddle)
    return cu_word_type(cu, record->heddle, span);
  cu_emit_record(cu, record, span);
  return record->name ? emit_type_named(cu, record->name, span)
                      : emit_type_poison(cu, span);
}

static TypeSyntax *array_type(CuContext *cu, const CuType *type, Span span) {
  Expr *extent = NULL;
  if (type->u.array.extent >= 0)
    extent = cu_int_literal(cu, type->u.array.extent, span);
  return cu_array_type(cu, cu_emit_type(cu, type->u.array.element, span),
                       extent, span);
}

// Heddle C has no mutable members.
static bool stays_const(const CuType *type) {
  return (type->quals & CX_QUAL_CONST) &&
         !(type->kind == CU_RECORD && type->u.record->has_mutable);
}

static TypeSyntax *target_type(CuContext *cu, const CuType *type, Span span) {
  if (!is_tag_enough(cu, type))
    return cu_emit_type(cu, type, span);
  TypeSyntax *made = tagged_type(cu, type->u.record, span);
  if (stays_const(type))
    made->quals |= QUAL_CONST;
  return made;
}

static TypeSyntax *bare_type(CuContext *cu, const CuType *type, Span span) {
  switch ((int)type->kind) {
  case CU_POINTER:
  case CU_REFERENCE:
    if (cu_is_opaque(type->u.inner)) // by name
      return cu_emit_type(cu, cu_plain(type->u.inner), span);
    return cu_pointer_type(cu, target_type(cu, type->u.inner, span), span);
  case CU_ARRAY: return array_type(cu, type, span);
  case CU_RECORD: return emit_type_record(cu, type->u.record, span);
  case CU_ENUM:
    cu_emit_enum(cu, type->u.enumeration, span);
    return emit_type_named(cu, type->u.enumeration->name, span);
  case CU_BFLOAT16: return cu_word_type(cu, "bfloat16", span);
  case CU_NULLPTR:
    return bare_type(cu, cu_pointer(&cu->types, cu_basic(&cu->types, CU_VOID)),
                     span);
  default: break;
  }
  if (type->kind < CU_VOID || type->kind > CU_DOUBLE)
    return emit_type_poison(cu, span);
  TypeSyntax *made = cu_new_type_syntax(cu, TYPE_BUILTIN, span);
  made->u.builtin = words[type->kind];
  return made;
}

TypeSyntax *cu_emit_type(CuContext *cu, const CuType *type, Span span) {
  TypeSyntax *made = bare_type(cu, type, span);
  if (stays_const(type))
    made->quals |= QUAL_CONST;
  return made;
}
