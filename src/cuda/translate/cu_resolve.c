// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_resolve.h"

#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"
#include "cxx/cx_missing.h"
#include "cxx/cx_parse.h"

#include <string.h>

// ---------------------------------------------------------------- names

static CuScope *alias_target(CuContext *cu, CuEntity *entity) {
  if (entity->is_resolving)
    return NULL;
  if (!entity->space) {
    entity->is_resolving = true;
    CuScope *before = cu_set_scope(cu, entity->scope);
    entity->space = cu_resolve_namespace(cu, entity->decl->u.target);
    cu_set_scope(cu, before);
    entity->is_resolving = false;
  }
  return entity->space;
}

static CuScope *scope_of_type(CuContext *cu, const CuType *type) {
  type = cu_plain(cu_referred(type));
  if (type->kind == CU_ENUM)
    return type->u.enumeration->scope;
  if (type->kind != CU_RECORD)
    return NULL;
  // A class with an error keeps the names that it declares.
  CuRecord *record = type->u.record;
  return cu_declare_members(cu, record) ? record->scope : NULL;
}

// The scope that `part` of a qualified name leads into; NULL: none.
static CuScope *scope_of_part(CuContext *cu, const CuEntityVec *found,
                              const CxNamePart *part) {
  for (uint32_t i = 0; i < found->count; i++) {
    CuEntity *entity = found->data[i];
    if (entity->kind == CU_ENTITY_NAMESPACE)
      return entity->space;
    if (entity->kind == CU_ENTITY_NAMESPACE_ALIAS)
      return alias_target(cu, entity);
    const CuType *type = cu_entity_type(cu, entity, part);
    if (type)
      return scope_of_type(cu, type);
  }
  return NULL;
}

static const char *part_name(const CxNamePart *part) {
  return part->name ? part->name : "";
}

// All parts but the last. NULL: not found. *is_qualified: there were some.
static CuScope *qualifier(CuContext *cu, const CxName *name) {
  CuScope *scope = name->is_global ? cu->global : NULL;
  for (uint32_t i = 0; i + 1 < name->n_parts; i++) {
    const CxNamePart *part = &name->parts[i];
    CuEntityVec found = {0};
    if (part->kind == CX_PART_TYPE) {
      scope = scope_of_type(cu, cu_resolve_type(cu, part->conversion));
    } else {
      uint32_t at = part->span.begin;
      if (scope)
        cu_lookup_in_at(cu, scope, part_name(part), at, &found);
      else
        cu_lookup_at(cu, cu->scope, part_name(part), at, &found);
      scope = scope_of_part(cu, &found, part);
    }
    if (!scope)
      return NULL;
  }
  return scope;
}

bool cu_resolve_name(CuContext *cu, const CxName *name, CuEntityVec *found) {
  const CxNamePart *last = &name->parts[name->n_parts - 1];
  uint32_t at = last->span.begin;
  if (name->n_parts == 1 && !name->is_global)
    return cu_lookup_at(cu, cu->scope, part_name(last), at, found);
  CuScope *scope = qualifier(cu, name);
  return scope && cu_lookup_in_at(cu, scope, part_name(last), at, found);
}

CuScope *cu_resolve_namespace(CuContext *cu, const CxName *name) {
  CuEntityVec found = {0};
  if (!cu_resolve_name(cu, name, &found))
    return NULL;
  for (uint32_t i = 0; i < found.count; i++) {
    if (found.data[i]->kind == CU_ENTITY_NAMESPACE)
      return found.data[i]->space;
    if (found.data[i]->kind == CU_ENTITY_NAMESPACE_ALIAS)
      return alias_target(cu, found.data[i]);
  }
  return NULL;
}

void cu_resolve_using(CuContext *cu, CuEntity *entity, CuEntityVec *found) {
  CuScope *before = cu_set_scope(cu, entity->scope);
  const CxName *name = entity->decl->u.target;
  CuScope *scope = qualifier(cu, name);
  const CxNamePart *last = &name->parts[name->n_parts - 1];
  if (scope)
    cu_lookup_in_at(cu, scope, last->name, last->span.begin, found);
  cu_set_scope(cu, before);
}

// What stands in front of the last part is a type with an error of its own.
static bool is_of_poison(CuContext *cu, const CxName *name) {
  CxName front = *name;
  front.n_parts--;
  const CuType *type = front.n_parts > 0 ? cu_name_type(cu, &front) : NULL;
  type = type ? cu_plain(cu_referred(type)) : NULL;
  if (type && type->kind == CU_RECORD) // that it was only looked into
    cu_complete_record(cu, type->u.record);
  return type && (cu_is_poison(type) ||
                  (type->kind == CU_RECORD && type->u.record->is_poisoned));
}

// What isn't in the file has no text there: its parts stand for it.
static const char *written_name(CuContext *cu, const CxName *name) {
  if (name->n_parts == 1 && name->parts[0].name)
    return name->parts[0].name;
  if (name->span.end > name->span.begin)
    return cu_source_text(cu, name->span);
  Text text = {.arena = cu->arena};
  for (uint32_t i = 0; i < name->n_parts; i++)
    text_printf(&text, "%s%s", i ? "::" : "",
                name->parts[i].name ? name->parts[i].name : "");
  return text_cstr(&text);
}

void cu_report_unknown(CuContext *cu, const CxName *name,
                       const CuEntityVec *found) {
  for (uint32_t i = 0; i < found->count; i++) {
    CxDecl *decl = found->data[i]->decl;
    if (found->data[i]->kind == CU_ENTITY_UNKNOWN && !cu->reports.silent)
      cx_report_problems(cu->tree, decl->u.unknown.problem);
    if (found->data[i]->kind != CU_ENTITY_UNKNOWN)
      continue;
    cu->reports.failed = true;
    cu->reports.n_errors += cu->reports.silent ? 0 : 1;
    return;
  }
  const char *library = cx_library_of(name);
  if (is_of_poison(cu, name))
    cu->reports.failed = true;
  else if (library)
    cu_unsupported(cu, name->span,
                   cu_format(cu, "the library %s in a kernel", library),
                   strcmp(library, "CUB") == 0
                       ? "#include <cub/cub.cuh> declares what is"
                       : "write it out, or use cooperative groups");
  else
    cu_undeclared(cu, name->span, written_name(cu, name));
}

// ---------------------------------------------------------------- types

static const CuType *alias_type(CuContext *cu, CuEntity *entity,
                                const CxNamePart *part) {
  const CxDecl *decl = entity->decl;
  bool is_template = decl->n_templates > 0;
  if (entity->type && !is_template)
    return entity->type;
  Span span = part ? part->span : decl->name_span;
  if (entity->is_resolving || cu_refuse_unsupported(cu, decl, span))
    return cu_basic(&cu->types, CU_POISON);
  CuScope *inside = entity->scope;
  if (is_template) {
    CuArgs args;
    if (!part ||
        !cu_resolve_args(cu, part, &decl->templates[0], entity->scope, &args))
      return cu_basic(&cu->types, CU_POISON);
    inside = cu_new_scope(cu, CU_SCOPE_TEMPLATE, entity->scope);
    cu_bind(cu, inside, &decl->templates[0], args);
  }
  entity->is_resolving = true;
  CuScope *before = cu_set_scope(cu, inside);
  const CuType *type = cu_resolve_type(cu, decl->type);
  cu_set_scope(cu, before);
  entity->is_resolving = false;
  if (!is_template)
    entity->type = type;
  return type;
}

static const CuType *record_type(CuContext *cu, CuEntity *entity,
                                 const CxNamePart *part) {
  CuArgs args = {NULL, 0};
  const CxDecl *decl = entity->decl;
  Span span = part ? part->span : decl->name_span;
  if (cu_attribute(decl, "__heddle_unsupported")) {
    cu_refuse_unsupported(cu, decl, span);
    return cu_basic(&cu->types, CU_POISON);
  }
  if (decl->n_templates > 0 || entity->specialisations.count) {
    if (!part || decl->n_templates == 0)
      return NULL;
    if (!cu_resolve_args(cu, part, &decl->templates[decl->n_templates - 1],
                         entity->scope, &args))
      return cu_basic(&cu->types, CU_POISON);
  }
  CuRecord *record = cu_record_of(cu, entity, args, span);
  return record ? record->type : cu_basic(&cu->types, CU_POISON);
}

const CuType *cu_entity_type(CuContext *cu, CuEntity *entity,
                             const CxNamePart *part) {
  switch ((int)entity->kind) {
  case CU_ENTITY_TYPE:
    if (part && part->has_args && cu_is(cu_plain(entity->type), CU_RECORD))
      return record_type(cu, cu_plain(entity->type)->u.record->entity, part);
    return entity->type;
  case CU_ENTITY_ALIAS: return alias_type(cu, entity, part);
  case CU_ENTITY_RECORD: return record_type(cu, entity, part);
  case CU_ENTITY_ENUM: return cu_enum_type(cu, entity);
  default: return NULL;
  }
}

static const CuType *found_type(CuContext *cu, const CxName *name,
                                const CuEntityVec *found) {
  for (uint32_t i = 0; i < found->count; i++) {
    const CuType *type =
        cu_entity_type(cu, found->data[i], &name->parts[name->n_parts - 1]);
    if (type)
      return type;
  }
  return NULL;
}

const CuType *cu_name_type(CuContext *cu, const CxName *name) {
  CuEntityVec found = {0};
  return cu_resolve_name(cu, name, &found) ? found_type(cu, name, &found)
                                           : NULL;
}

// struct S: what isn't a type doesn't hide one that is around it.
static const CuType *resolve_tagged_type(CuContext *cu, const CxName *name) {
  const CxNamePart *part = &name->parts[0];
  const CuType *meant = NULL;
  if (name->n_parts > 1 || !part->name)
    return NULL;
  for (CuScope *scope = cu->scope; scope && !meant; scope = scope->parent) {
    CuEntityVec found = {0};
    cu_lookup_in_at(cu, scope, part->name, part->span.begin, &found);
    meant = found_type(cu, name, &found);
  }
  return meant;
}

static const CuType *resolve_named_type(CuContext *cu, const CxType *type) {
  const CxName *name = type->u.named.name;
  CuEntityVec found = {0};
  cu_resolve_name(cu, name, &found);
  const CuType *meant = found_type(cu, name, &found);
  if (!meant && type->u.named.tag != CX_TAG_NONE)
    meant = resolve_tagged_type(cu, name);
  if (meant)
    return meant;
  bool is_known = found.count && found.data[0]->kind != CU_ENTITY_UNKNOWN;
  if (is_known)
    CU_ERROR(cu, name->span, unknown_type, DS(cu_source_text(cu, name->span)));
  else
    cu_report_unknown(cu, name, &found);
  return cu_basic(&cu->types, CU_POISON);
}

const CuEntity *cu_open_class(CuContext *cu, const CxType *type) {
  const CxName *name = type->kind == CX_TYPE_NAMED ? type->u.named.name : NULL;
  CuEntityVec found = {0};
  if (!name || name->parts[name->n_parts - 1].has_args ||
      !cu_resolve_name(cu, name, &found))
    return NULL;
  const CuEntity *entity = found.data[0];
  return entity->kind == CU_ENTITY_RECORD && entity->decl->n_templates > 0
             ? entity
             : NULL;
}

static const CuTypeKind builtins[] = {
    [CX_BUILTIN_VOID] = CU_VOID,         [CX_BUILTIN_BOOL] = CU_BOOL,
    [CX_BUILTIN_CHAR] = CU_CHAR,         [CX_BUILTIN_SCHAR] = CU_SCHAR,
    [CX_BUILTIN_UCHAR] = CU_UCHAR,       [CX_BUILTIN_SHORT] = CU_SHORT,
    [CX_BUILTIN_USHORT] = CU_USHORT,     [CX_BUILTIN_INT] = CU_INT,
    [CX_BUILTIN_UINT] = CU_UINT,         [CX_BUILTIN_LONG] = CU_LONG,
    [CX_BUILTIN_ULONG] = CU_ULONG,       [CX_BUILTIN_LLONG] = CU_LLONG,
    [CX_BUILTIN_ULLONG] = CU_ULLONG,     [CX_BUILTIN_HALF] = CU_HALF,
    [CX_BUILTIN_BFLOAT16] = CU_BFLOAT16, [CX_BUILTIN_FLOAT] = CU_FLOAT,
    [CX_BUILTIN_DOUBLE] = CU_DOUBLE,     [CX_BUILTIN_LDOUBLE] = CU_POISON,
    [CX_BUILTIN_INT128] = CU_POISON,     [CX_BUILTIN_UINT128] = CU_POISON,
    [CX_BUILTIN_CHAR8] = CU_UCHAR,       [CX_BUILTIN_CHAR16] = CU_USHORT,
    [CX_BUILTIN_CHAR32] = CU_UINT,       [CX_BUILTIN_WCHAR] = CU_INT,
};

static const CuType *builtin_type(CuContext *cu, const CxType *type) {
  CuTypeKind kind = builtins[type->u.builtin];
  if (kind == CU_POISON)
    cu_unsupported(cu, type->span,
                   cu_format(cu, "'%s'", cx_builtin_spelling(type->u.builtin)),
                   "use 'double' or 'long long'");
  return cu_basic(&cu->types, kind);
}

static const CuType *resolve_array_type(CuContext *cu, const CxType *type) {
  const CuType *element = cu_resolve_type(cu, type->u.array.element);
  int64_t extent = -1;
  if (type->u.array.extent &&
      !cu_constant_int(cu, type->u.array.extent, "an array extent", &extent))
    return cu_basic(&cu->types, CU_POISON);
  if (type->u.array.extent && extent <= 0) {
    CU_ERROR(cu, type->u.array.extent->span, array_extent, DD(extent));
    return cu_basic(&cu->types, CU_POISON);
  }
  return cu_array(&cu->types, element, extent);
}

const CuType *cu_decayed(CuContext *cu, const CuType *type) {
  if (type->kind == CU_ARRAY)
    return cu_pointer(&cu->types, type->u.array.element);
  if (type->kind == CU_FUNCTION)
    return cu_pointer(&cu->types, type);
  return type;
}

static const CuType *function_type(CuContext *cu, const CxType *type) {
  CuFunction shape = {0};
  cu_add_params(cu, &type->u.function.params, &shape);
  const CuType **params =
      ARENA_ARRAY(cu->arena, const CuType *, shape.n_params + 1);
  for (uint32_t i = 0; i < shape.n_params; i++)
    params[i] = cu_plain(shape.params[i].type);
  return cu_function(&cu->types, cu_resolve_type(cu, type->u.function.result),
                     params, shape.n_params);
}

static const CuType *decltype_type(CuContext *cu, const CxType *type) {
  if (!type->u.expr) {
    cu_unsupported(cu, type->span, "'decltype(auto)'", "write the type");
    return cu_basic(&cu->types, CU_POISON);
  }
  return cu_decltype(cu, type->u.expr);
}

// A type that is defined in place, in a template, is another one in each
// instance of it: whose scope isn't around here isn't meant.
static bool is_of_here(const CuContext *cu, const CuEntity *entity) {
  const CuScope *scope = cu->scope;
  if (!entity || entity->scope->kind == CU_SCOPE_NAMESPACE)
    return entity != NULL;
  while (scope && scope != entity->scope)
    scope = scope->parent;
  return scope != NULL;
}

static const CuType *definition_type(CuContext *cu, CxDecl *definition) {
  CuEntity *entity = map_get(&cu->definitions, MAP_KEY(definition));
  if (!is_of_here(cu, entity)) {
    CuScope *scope = cu->scope;
    bool is_record = definition->kind == CX_DECL_RECORD;
    CuEntity *named =
        definition->name ? cu_named(cu, scope, definition->name) : NULL;
    entity = named && named->decl == definition
                 ? named
                 : cu_declare(cu, scope,
                              is_record ? CU_ENTITY_RECORD : CU_ENTITY_ENUM,
                              definition->name, definition);
    map_put(cu->arena, &cu->definitions, MAP_KEY(definition), entity);
  }
  return cu_entity_type(cu, entity, NULL);
}

static const CuType *resolve_bare_type(CuContext *cu, const CxType *type) {
  switch (type->kind) {
  case CX_TYPE_POISON: cu->reports.failed = true; break;
  case CX_TYPE_UNSUPPORTED:
    cu_unsupported(cu, type->span, type->u.what, NULL);
    break;
  case CX_TYPE_BUILTIN: return builtin_type(cu, type);
  case CX_TYPE_NAMED: return resolve_named_type(cu, type);
  case CX_TYPE_AUTO:
    cu_unsupported(cu, type->span, "'auto' here", "write the type");
    break;
  case CX_TYPE_DECLTYPE: return decltype_type(cu, type);
  case CX_TYPE_DEFINITION: return definition_type(cu, type->u.definition);
  case CX_TYPE_POINTER: {
    const CuType *to = cu_resolve_type(cu, type->u.inner);
    return cu_pointer(&cu->types, cu_referred(to));
  }
  case CX_TYPE_REFERENCE:
  case CX_TYPE_RVALUE_REFERENCE:
    return cu_reference(&cu->types, cu_resolve_type(cu, type->u.inner),
                        type->kind == CX_TYPE_RVALUE_REFERENCE);
  case CX_TYPE_ARRAY: return resolve_array_type(cu, type);
  case CX_TYPE_FUNCTION: return function_type(cu, type);
  }
  return cu_basic(&cu->types, CU_POISON);
}

const CuType *cu_resolve_type(CuContext *cu, const CxType *type) {
  if (!cu_enter(cu, type->span))
    return cu_basic(&cu->types, CU_POISON);
  const CuType *meant = resolve_bare_type(cu, type);
  cu_leave(cu);
  return cu_qualified(&cu->types, meant, type->quals);
}

// ---------------------------------------------------------------- auto

bool cu_is_decltype_auto(const CxType *type) {
  return type->kind == CX_TYPE_DECLTYPE && !type->u.expr;
}

bool cu_has_auto(const CxType *type) {
  while (type->kind == CX_TYPE_POINTER || type->kind == CX_TYPE_REFERENCE ||
         type->kind == CX_TYPE_RVALUE_REFERENCE)
    type = type->u.inner;
  return type->kind == CX_TYPE_AUTO;
}

const CuType *cu_deduce_auto(CuContext *cu, const CxType *written,
                             const CuType *type, bool is_lvalue) {
  CuTypes *types = &cu->types;
  switch ((int)written->kind) {
  case CX_TYPE_REFERENCE: {
    const CxType *inner = written->u.inner;
    if (inner->kind == CX_TYPE_AUTO) // const and arrays stay
      return cu_reference(types, cu_qualified(types, type, inner->quals),
                          false);
    return cu_reference(types, cu_deduce_auto(cu, inner, type, true), false);
  }
  case CX_TYPE_RVALUE_REFERENCE: return cu_reference(types, type, !is_lvalue);
  case CX_TYPE_POINTER: {
    const CuType *pointer = cu_plain(cu_decayed(cu, type));
    if (pointer->kind != CU_POINTER)
      return cu_basic(types, CU_POISON);
    const CxType *inner = written->u.inner;
    const CuType *to = inner->kind == CX_TYPE_AUTO
                           ? cu_qualified(types, pointer->u.inner, inner->quals)
                           : cu_deduce_auto(cu, inner, pointer->u.inner, true);
    return cu_qualified(types, cu_pointer(types, to), written->quals);
  }
  default:
    return cu_qualified(types, cu_plain(cu_decayed(cu, type)), written->quals);
  }
}
