// SPDX-License-Identifier: Apache-2.0
// Structs, unions and enums.
#include "sema/context.h"

#include "sema/type/constants.h"

static QualType resolve_record_poison_type(SemaContext *cx) {
  return sema_plain(sema_basic(cx, TY_POISON));
}

static Map *definitions(SemaContext *cx) {
  return cx->body ? &cx->body->definitions : &cx->unit->definitions;
}

static const char *kind_word(const Type *type) {
  if (type->kind == TY_STRUCT)
    return "a struct";
  return type->kind == TY_UNION ? "a union" : "an enum";
}

// The type that a tag names. A definition makes a new one unless the tag was
// declared in this scope and is still open.
static Type *find_tag(SemaContext *cx, const char *tag, Span span,
                      TypeKind kind, bool is_definition, bool *is_wrong) {
  *is_wrong = false;
  if (!tag)
    return NULL;
  Symbol *symbol = is_definition ? sema_scope_find_here(cx, tag, true)
                                 : sema_scope_find_tag(cx, tag);
  if (!symbol)
    return NULL;
  if (symbol->tag_type->kind != kind) {
    Diag *diag = SEMA_ERROR(cx, span, other_tag, DS(tag),
                            DS(kind_word(symbol->tag_type)));
    diag_label(cx->diags, diag, sema_place(cx, symbol->span), "here");
    *is_wrong = true;
    return NULL;
  }
  if (is_definition && type_is_complete(symbol->tag_type)) {
    Diag *diag = SEMA_ERROR(cx, span, redeclared, DS(tag));
    diag_label(cx->diags, diag, sema_place(cx, symbol->span),
               "'%s' is declared here", tag);
    *is_wrong = true;
    return NULL;
  }
  return symbol->tag_type;
}

static void resolve_record_declare_tag(SemaContext *cx, const char *tag,
                                       Span span, Type *type) {
  if (!tag)
    return;
  Symbol *symbol = sema_scope_declare_tag(cx, tag, span);
  symbol->tag_type = type;
}

// --- fields ---

static bool is_field_type(SemaContext *cx, const Decl *decl, QualType type) {
  if (type_is_poison(type.type))
    return false;
  if (type.space) {
    SEMA_ERROR(cx, decl->span, bad_qualifier, DS(space_name(type.space)),
               DS("a member is in the memory of its struct"));
    return false;
  }
  if (type_is(type.type, TY_GROUP)) {
    SEMA_ERROR(cx, decl->name_span, group_stored, DS("a member of a struct"));
    return false;
  }
  if (!type_is_complete(type.type)) {
    SEMA_ERROR(cx, decl->name_span, incomplete_type, NT(cx, type.type));
    return false;
  }
  if (!sema_may_lie(cx, decl->name_span, type_array_base(type.type, NULL),
                    "stored in a struct"))
    return false;
  return true;
}

typedef struct {
  hd_vec(Field) list;
  Map names;
} FieldList;

// Names of anonymous members are members of the whole.
static bool add_field_names(SemaContext *cx, FieldList *fields,
                            const Field *field, Span span) {
  if (!field->name) {
    if (!type_is_record(field->type))
      return true;
    for (uint32_t i = 0; i < field->type->u.record.n_fields; i++)
      if (!add_field_names(cx, fields, &field->type->u.record.fields[i], span))
        return false;
    return true;
  }
  if (map_has(&fields->names, MAP_KEY(field->name))) {
    SEMA_ERROR(cx, span, redeclared, DS(field->name));
    return false;
  }
  map_put(cx->arena, &fields->names, MAP_KEY(field->name), fields);
  return true;
}

static bool resolve_record_add_field(SemaContext *cx, const Decl *decl,
                                     FieldList *fields) {
  if (decl->u.field.bit_width) // a whole member from here on
    SEMA_ERROR(cx, decl->span, not_in_kernels, DS("a bit-field"),
               DS("use a whole integer, shifts and masks"));
  QualType type = sema_resolve_type(cx, decl->type, NULL);
  if (!is_field_type(cx, decl, type))
    return false;
  if (type.takes_space && type.type->kind == TY_POINTER)
    type.type = type_pointer(cx->types, type.type->u.pointer.pointee,
                             TSPACE_GLOBAL, type.type->u.pointer.to_const);
  Field field = {.name = decl->name, .type = type.type, .span = decl->span};
  field.is_const = type.is_const;
  field.align_bytes = sema_resolve_alignment(cx, decl, type.type);
  Span span = decl->name ? decl->name_span : decl->span;
  if (!add_field_names(cx, fields, &field, span))
    return false;
  VEC_PUSH(cx->arena, &fields->list, field);
  return true;
}

static void complete_record(SemaContext *cx, const TypeSyntax *syntax,
                            Type *type) {
  FieldList fields = {0};
  const DeclList *decls = &syntax->u.record.fields;
  bool is_valid = true;
  for (uint32_t i = 0; i < decls->count; i++) {
    const Decl *decl = decls->data[i];
    if (decl->kind == DECL_STATIC_ASSERT)
      check_static_assert(cx, decl);
    else if (decl->kind == DECL_FIELD)
      is_valid &= resolve_record_add_field(cx, decl, &fields);
    else
      is_valid = false;
  }
  if (is_valid && fields.list.count == 0) {
    SEMA_ERROR(cx, syntax->span, bad_type, DS("an object"),
               DS("struct without members"));
    is_valid = false;
  }
  if (!type_complete_record(cx->types, type, fields.list.data,
                            fields.list.count))
    SEMA_ERROR(cx, syntax->span, too_large, DS("this type"),
               DU((uint64_t)1 << 60));
  type->u.record.is_poisoned = !is_valid;
}

QualType sema_resolve_record(SemaContext *cx, const TypeSyntax *syntax) {
  Type *known = map_get(definitions(cx), syntax->id);
  if (known)
    return sema_plain(known);
  const char *tag = syntax->u.record.tag;
  TypeKind kind = syntax->kind == TYPE_STRUCT ? TY_STRUCT : TY_UNION;
  bool is_definition = syntax->u.record.is_definition, is_wrong;
  Type *type = find_tag(cx, tag, syntax->span, kind, is_definition, &is_wrong);
  if (is_wrong)
    return resolve_record_poison_type(cx);
  if (!type) {
    type = type_new_record(cx->types, kind, tag, syntax->span);
    resolve_record_declare_tag(cx, tag, syntax->u.record.tag_span, type);
  }
  if (is_definition) {
    map_put(cx->arena, definitions(cx), syntax->id, type);
    complete_record(cx, syntax, type);
  }
  return sema_plain(type);
}

// --- enums ---

typedef struct {
  bool is_signed;
  TValue value;
} EnumValue;

// int if all values fit, else the first wider type that holds all.
static TypeKind enum_type(const EnumValue *values, uint32_t count) {
  int64_t low = 0;
  uint64_t high = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (values[i].is_signed && values[i].value.i < 0) {
      low = values[i].value.i < low ? values[i].value.i : low;
    } else {
      high = values[i].value.u > high ? values[i].value.u : high;
    }
  }
  if (low >= INT32_MIN && high <= INT32_MAX)
    return TY_INT;
  if (low == 0 && high <= UINT32_MAX)
    return TY_UINT;
  return high <= INT64_MAX ? TY_LONG : TY_ULONG;
}

static bool resolve_record_next_value(SemaContext *cx, const Decl *decl,
                                      EnumValue *value) {
  const Expr *written = decl->u.enumerator.value;
  if (!written) {
    bool overflows = value->is_signed ? value->value.i == INT64_MAX
                                      : value->value.u == UINT64_MAX;
    value->value.u++;
    if (overflows && value->is_signed)
      value->is_signed = false;
    else if (overflows)
      SEMA_ERROR(cx, decl->span, enumerator_value, DS(decl_told(decl)));
    return !overflows || !value->is_signed;
  }
  TExpr *expr = check_value(cx, written);
  if (expr_is_poison(expr))
    return false;
  if (!expr_is_const(expr) || !type_is_integer(expr->type)) {
    SEMA_ERROR(cx, written->span, not_constant, DS("an enumerator"));
    return false;
  }
  value->is_signed = type_is_signed(expr->type);
  value->value = expr->u.value;
  return true;
}

static void declare_enumerators(SemaContext *cx, const TypeSyntax *syntax,
                                Type *type) {
  const DeclList *decls = &syntax->u.enumeration.enumerators;
  EnumValue *values = ARENA_ARRAY(cx->arena, EnumValue, decls->count);
  EnumValue value = {true, {.i = -1}};
  for (uint32_t i = 0; i < decls->count; i++) {
    const Decl *decl = decls->data[i];
    bool is_valid = decl->kind == DECL_ENUMERATOR &&
                    resolve_record_next_value(cx, decl, &value);
    values[i] = value;
    Symbol *symbol =
        sema_scope_declare(cx, is_valid ? SYMBOL_CONST : SYMBOL_POISON,
                           decl->name, decl->name_span);
    if (!symbol)
      continue;
    TypeKind kind = enum_type(&value, 1);
    symbol->type = sema_plain(sema_basic(cx, kind));
    symbol->value = value.value;
  }
  type_complete_enum(type, sema_basic(cx, enum_type(values, decls->count)));
}

QualType sema_resolve_enum(SemaContext *cx, const TypeSyntax *syntax) {
  Type *known = map_get(definitions(cx), syntax->id);
  if (known)
    return sema_plain(known);
  const char *tag = syntax->u.enumeration.tag;
  bool is_definition = syntax->u.enumeration.is_definition, is_wrong;
  Type *type =
      find_tag(cx, tag, syntax->span, TY_ENUM, is_definition, &is_wrong);
  if (is_wrong)
    return resolve_record_poison_type(cx);
  if (!type && !is_definition) {
    SEMA_ERROR(cx, syntax->span, incomplete_type,
               DS(sema_format(cx, "enum %s", tag ? tag : "(unnamed)")));
    return resolve_record_poison_type(cx);
  }
  if (!type) {
    type = type_new_enum(cx->types, tag, syntax->span);
    resolve_record_declare_tag(cx, tag, syntax->u.enumeration.tag_span, type);
  }
  if (is_definition) {
    map_put(cx->arena, definitions(cx), syntax->id, type);
    declare_enumerators(cx, syntax, type);
  }
  return sema_plain(type);
}
