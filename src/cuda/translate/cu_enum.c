// SPDX-License-Identifier: Apache-2.0
// Enumerations. Those whose type is written become that integer type with
// constants beside it.
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

// ---------------------------------------------------------------- the type

static void declare_scoped(CuContext *cu, CuEnum *enumeration,
                           CuEntity *entity) {
  const CxDeclList *list = &enumeration->decl->u.enumeration.enumerators;
  for (uint32_t i = 0; i < list->count; i++) {
    CuEntity *value = cu_declare(cu, enumeration->scope, CU_ENTITY_ENUMERATOR,
                                 list->data[i]->name, list->data[i]);
    value->enumeration = entity;
  }
}

static bool enum_value_of(CuContext *cu, CuEnum *enumeration, uint32_t index,
                          int64_t *out) {
  const CxDeclList *list = &enumeration->decl->u.enumeration.enumerators;
  uint32_t from = index;
  while (from > 0 && !list->data[from]->u.enumerator.value)
    from--;
  int64_t value = 0;
  const CxExpr *written = list->data[from]->u.enumerator.value;
  if (written) {
    CuScope *before = cu_set_scope(cu, enumeration->scope);
    const CxDecl *around = cu->enumerator;
    const CuEnum *instance = cu->enumerating;
    cu->enumerator = list->data[from];
    cu->enumerating = enumeration;
    bool is_constant = cu_constant_int(cu, written, "an enumerator", &value);
    cu->enumerator = around;
    cu->enumerating = instance;
    cu_set_scope(cu, before);
    if (!is_constant)
      return false;
  }
  *out = value + (int64_t)(index - from);
  return true;
}

// int, if it holds all values.
static const CuType *needed_type(CuContext *cu, CuEnum *enumeration) {
  const CxDeclList *list = &enumeration->decl->u.enumeration.enumerators;
  bool is_negative = false, is_big = false, is_wide = false;
  for (uint32_t i = 0; i < list->count; i++) {
    int64_t value = 0;
    CuTrial trial = cu_trial_begin(cu);
    bool is_known = enum_value_of(cu, enumeration, i, &value);
    if (cu_trial_end(cu, trial) || !is_known)
      continue;
    is_negative = is_negative || value < 0;
    is_big = is_big || value > INT32_MAX;
    is_wide = is_wide || value > UINT32_MAX || value < INT32_MIN;
  }
  CuTypeKind kind = !is_big && !is_wide      ? CU_INT
                    : is_wide || is_negative ? CU_LONG
                                             : CU_UINT;
  return cu_basic(&cu->types, kind);
}

const CuType *cu_enum_type(CuContext *cu, CuEntity *entity) {
  if (entity->type)
    return entity->type;
  CuEnum *enumeration = ARENA_NEW(cu->arena, CuEnum);
  CuType *type = cu_new_type(&cu->types, CU_ENUM);
  type->u.enumeration = enumeration;
  entity->type = type;
  CxDecl *decl = entity->decl;
  const char *name = cu_class_name(entity);
  enumeration->type = type;
  enumeration->decl = decl;
  enumeration->outer = entity->scope;
  enumeration->is_scoped = decl->u.enumeration.is_class;
  const CuRecord *owner = entity->scope->record;
  enumeration->shown = cu_full_name(cu, entity, name);
  enumeration->suffix =
      owner ? cu_format(cu, "%s_%s", owner->suffix, name) : name;
  enumeration->underlying = cu_basic(&cu->types, CU_INT);
  enumeration->scope = cu_new_scope(cu, CU_SCOPE_BLOCK, entity->scope);
  declare_scoped(cu, enumeration, entity);
  if (decl->u.enumeration.underlying) {
    CuScope *before = cu_set_scope(cu, entity->scope);
    const CuType *under =
        cu_plain(cu_resolve_type(cu, decl->u.enumeration.underlying));
    cu_set_scope(cu, before);
    enumeration->has_underlying = true;
    enumeration->underlying = under;
  } else {
    enumeration->underlying = needed_type(cu, enumeration);
  }
  return type;
}

CuEnum *cu_enum_of_enumerator(CuContext *cu, CuEntity *entity) {
  const CuType *type = cu_enum_type(cu, entity->enumeration);
  return cu_is_poison(type) ? NULL : type->u.enumeration;
}

// ---------------------------------------------------------------- values

static uint32_t enum_index_of(const CuEnum *enumeration, const CxDecl *decl) {
  const CxDeclList *list = &enumeration->decl->u.enumeration.enumerators;
  uint32_t i = 0;
  while (i + 1 < list->count && list->data[i] != decl)
    i++;
  return i;
}

CuValue cu_enumerator(CuContext *cu, CuEnum *enumeration, CuEntity *entity,
                      Span span) {
  if (entity->value.kind == CU_NOT_CONST) {
    if (entity->is_resolving) {
      CU_ERROR(cu, span, own_initialiser, DS(entity->name));
      return cu_poison(cu, span);
    }
    int64_t value = 0;
    entity->is_resolving = true;
    bool is_right = enum_value_of(
        cu, enumeration, enum_index_of(enumeration, entity->decl), &value);
    entity->is_resolving = false;
    if (!is_right)
      return cu_poison(cu, span);
    entity->value = cu_const_int(value);
  }
  cu_emit_enum(cu, enumeration, span);
  uint32_t index = enum_index_of(enumeration, entity->decl);
  if (enumeration->names)
    enumeration->names[index]->constant = entity->value;
  CuValue made = {
      .type = enumeration->type, .span = span, .constant = entity->value};
  made.expr =
      enumeration->names
          ? cu_name_expr(cu, enumeration->names[index], span)
          : cu_int_expr(cu, enumeration->underlying, entity->value.i, span);
  return made;
}

const char *cu_enumerator_name(CuContext *cu, CuEnum *enumeration,
                               int64_t value) {
  const CxDeclList *list = &enumeration->decl->u.enumeration.enumerators;
  const char *scope = NULL;
  for (const CuScope *at = enumeration->outer; at; at = at->parent)
    if ((at->kind == CU_SCOPE_NAMESPACE && at->name) || at->record)
      return NULL; // a longer name than is worth it
  if (enumeration->is_scoped)
    scope = enumeration->shown;
  for (uint32_t i = 0; i < list->count; i++) {
    int64_t one = 0;
    if (enum_value_of(cu, enumeration, i, &one) && one == value)
      return scope ? cu_format(cu, "%s::%s", scope, list->data[i]->name)
                   : list->data[i]->name;
  }
  return NULL;
}

// 2^k - 1, the smallest that isn't below `value`.
static int64_t all_ones(int64_t value) {
  uint64_t ones = 0;
  while (ones < (uint64_t)value)
    ones = ones << 1 | 1;
  return (int64_t)ones;
}

bool cu_enum_range(CuContext *cu, CuEnum *enumeration, int64_t *low,
                   int64_t *high) {
  const CxDecl *decl = enumeration->decl;
  uint32_t n = decl->u.enumeration.enumerators.count;
  if (enumeration->is_scoped || enumeration->has_underlying || n == 0 ||
      !decl->u.enumeration.is_definition)
    return false;
  int64_t least = 0, most = 0;
  for (uint32_t i = 0; i < n; i++) {
    int64_t value = 0;
    CuTrial trial = cu_trial_begin(cu);
    bool is_known = enum_value_of(cu, enumeration, i, &value);
    if (cu_trial_end(cu, trial) || !is_known || value != (int32_t)value)
      return false;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  *high = all_ones(-least - 1 > most ? -least - 1 : most);
  *low = least < 0 ? -*high - 1 : 0;
  return true;
}

// ---------------------------------------------------------------- in Heddle C

static Decl *emit_constants(CuContext *cu, CuEnum *enumeration) {
  const CxDecl *decl = enumeration->decl;
  const CxDeclList *list = &decl->u.enumeration.enumerators;
  enumeration->names = ARENA_ARRAY(cu->arena, CuName *, list->count + 1);
  Decl **made = ARENA_ARRAY(cu->arena, Decl *, list->count + 1);
  bool has_prefix = enumeration->is_scoped || enumeration->outer->record;
  for (uint32_t i = 0; i < list->count; i++) {
    const CxDecl *from = list->data[i];
    const char *wanted =
        has_prefix ? cu_format(cu, "%s_%s", enumeration->suffix, from->name)
                   : from->name;
    enumeration->names[i] = cu_new_name(cu, wanted, false);
    made[i] = cu_new_decl(cu, DECL_ENUMERATOR, enumeration->names[i],
                          from->span, from->name_span);
    int64_t value = 0;
    if (from->u.enumerator.value && enum_value_of(cu, enumeration, i, &value))
      made[i]->u.enumerator.value = cu_int_expr(
          cu, cu_basic(&cu->types, value == (int32_t)value ? CU_INT : CU_LONG),
          value, from->span);
  }
  TypeSyntax *type = cu_new_type_syntax(cu, TYPE_ENUM, decl->span);
  type->u.enumeration.is_definition = true;
  type->u.enumeration.enumerators = (DeclList){made, list->count};
  Decl *tag = cu_new_decl(cu, DECL_TAG, NULL, decl->span, decl->name_span);
  tag->type = type;
  return tag;
}

void cu_emit_enum(CuContext *cu, CuEnum *enumeration, Span span) {
  (void)span;
  if (enumeration->name)
    return;
  const CxDecl *decl = enumeration->decl;
  enumeration->name = cu_new_name(cu, enumeration->suffix, false);
  enumeration->name->is_type = true;
  TypeSyntax *underlying =
      cu_emit_type(cu, enumeration->underlying, decl->span);
  if (decl->u.enumeration.enumerators.count)
    VEC_PUSH(cu->arena, &cu->output.decls, emit_constants(cu, enumeration));
  Decl *made = cu_new_decl(cu, DECL_TYPEDEF, enumeration->name, decl->span,
                           decl->name_span);
  made->type = underlying;
  made->storage = STORAGE_TYPEDEF;
  VEC_PUSH(cu->arena, &cu->output.decls, made);
}
