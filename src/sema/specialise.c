// SPDX-License-Identifier: Apache-2.0
// Embedded parameters: their values, given or by default.
#include "sema/kernel.h"

#include "base/panic.h"
#include "sema/type/constants.h"
#include <string.h>

static const SpecValue *given_value(const SpecValues *spec, const char *name) {
  for (uint32_t i = 0; spec && i < spec->count; i++)
    if (strcmp(spec->values[i].name, name) == 0)
      return &spec->values[i];
  return NULL;
}

static bool is_embedded_name(const Decl *kernel, const char *name) {
  const DeclList *params = &kernel->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (is_embedded_param(params->data[i]) && params->data[i]->name &&
        strcmp(params->data[i]->name, name) == 0)
      return true;
  return false;
}

void check_given_names(const Decl *kernel, const SpecValues *spec) {
  for (uint32_t i = 0; spec && i < spec->count; i++)
    HD_ASSERT(is_embedded_name(kernel, spec->values[i].name));
}

bool is_embedded_param(const Decl *param) {
  return param->u.param.is_type || (param->storage & STORAGE_CONSTEXPR) != 0;
}

// --- types by name ---

static const struct {
  const char *name;
  TypeKind kind;
} type_words[] = {

#define SCALAR(kind, text, size, class) {text, kind},
#include "sema/type/scalars.def"
#undef SCALAR
    {"unsigned", TY_UINT},
    {"long int", TY_LONG},
    {"unsigned long int", TY_ULONG},
    {"short int", TY_SHORT},
    {"signed", TY_INT},
    {"_Float16", TY_HALF},
    {"_Bool", TY_BOOL},
};

static const Type *type_by_name(SemaContext *cx, const char *name) {
  for (size_t i = 0; i < sizeof(type_words) / sizeof(*type_words); i++)
    if (strcmp(type_words[i].name, name) == 0)
      return sema_basic(cx, type_words[i].kind);
  const char *interned = intern_cstr(cx->names, name);
  Symbol *symbol = sema_scope_find(cx, interned);
  if (symbol)
    return symbol->kind == SYMBOL_TYPE ? symbol->type.type : NULL;
  return sema_builtin_type(cx, interned);
}

static bool is_embeddable(const Type *type) {
  return type &&
         (type_is_scalar(type) || type->kind == TY_VECTOR ||
          type_is_record(type)) &&
         type->kind != TY_POINTER;
}

// --- values ---

static void refuse_kind(SemaContext *cx, const Decl *param, const char *wanted,
                        const char *given) {
  SEMA_ERROR(cx, param->name_span, embedded_kind, DS(param->name), DS(wanted),
             DS(given));
}

static const char *given_text(SemaContext *cx, const SpecValue *given) {
  switch (given->kind) {
  case SPEC_SIGNED: return sema_format(cx, "%lld", (long long)given->u.i);
  case SPEC_UNSIGNED:
    return sema_format(cx, "%llu", (unsigned long long)given->u.u);
  case SPEC_FLOAT: return sema_format(cx, "%.17g", given->u.f);
  case SPEC_TYPE: return sema_format(cx, "'%s'", given->u.type);
  }
  return "?";
}

static bool convert_given(SemaContext *cx, const Decl *param,
                          const SpecValue *given, const Type *type,
                          TValue *out) {
  static const TypeKind kinds[] = {[SPEC_SIGNED] = TY_LONG,
                                   [SPEC_UNSIGNED] = TY_ULONG,
                                   [SPEC_FLOAT] = TY_DOUBLE};
  if (given->kind == SPEC_TYPE) {
    refuse_kind(cx, param, "a value", "a type");
    return false;
  }
  TValue value = {.i = given->u.i};
  if (given->kind == SPEC_FLOAT)
    value.f = given->u.f;
  bool is_exact;
  *out =
      value_convert(type, sema_basic(cx, kinds[given->kind]), value, &is_exact);
  if (!is_exact)
    SEMA_ERROR(cx, param->name_span, embedded_inexact, DS(param->name),
               DS(given_text(cx, given)), NT(cx, type));
  return is_exact;
}

static const Type *specialise_value_type(SemaContext *cx, const Decl *param) {
  QualType type = sema_resolve_type(cx, param->type, NULL);
  if (type_is_poison(type.type))
    return NULL;
  if (type_is_arithmetic(type.type) && !type.space)
    return type.type;
  SEMA_ERROR(cx, param->span, parameter_type, DS(param->name),
             NT(cx, type.type), DS("embedded values are numbers"));
  return NULL;
}

static void add_embedded(KernelCheck *check, TEmbedded embedded) {
  VEC_PUSH(check->cx->arena, &check->embedded, embedded);
}

static void specialise_report_missing(KernelCheck *check, const Decl *param) {
  if (check->is_partial) {
    check->is_open = true;
    check->cx->is_partial = true;
    return;
  }
  SEMA_ERROR(check->cx, param->name_span, embedded_missing, DS(param->name),
             DS(check->decl->name));
}

static bool decide_value(KernelCheck *check, const Decl *param,
                         const Type *type, TValue *out) {
  SemaContext *cx = check->cx;
  const SpecValue *given = given_value(check->spec, param->name);
  if (given)
    return convert_given(cx, param, given, type, out);
  if (!param->u.param.init) {
    specialise_report_missing(check, param);
    return false;
  }
  TExpr *value =
      check_const_value(cx, param->u.param.init, type,
                        sema_format(cx, "the default of '%s'", param->name));
  if (expr_is_poison(value))
    return false;
  *out = value->u.value;
  return true;
}

static void specialise_declare_value(KernelCheck *check, const Decl *param) {
  SemaContext *cx = check->cx;
  TValue value = {.u = 0};
  const Type *type = specialise_value_type(cx, param);
  bool is_known = type && decide_value(check, param, type, &value);
  Symbol *symbol =
      sema_scope_declare(cx, is_known ? SYMBOL_CONST : SYMBOL_POISON,
                         param->name, param->name_span);
  if (!symbol || !is_known)
    return;
  symbol->type = sema_plain(type);
  symbol->value = value;
  add_embedded(check,
               (TEmbedded){param->name, false, type, value, param->name_span});
}

static const Type *decide_type(KernelCheck *check, const Decl *param) {
  SemaContext *cx = check->cx;
  const SpecValue *given = given_value(check->spec, param->name);
  if (!given) {
    if (param->u.param.default_type)
      return sema_resolve_type(cx, param->u.param.default_type, NULL).type;
    specialise_report_missing(check, param);
    return NULL;
  }
  if (given->kind != SPEC_TYPE) {
    refuse_kind(cx, param, "a type", given_text(cx, given));
    return NULL;
  }
  const Type *type = type_by_name(cx, given->u.type);
  if (is_embeddable(type))
    return type;
  refuse_kind(cx, param, "a type", given_text(cx, given));
  return NULL;
}

static void specialise_declare_type(KernelCheck *check, const Decl *param) {
  SemaContext *cx = check->cx;
  const Type *type = decide_type(check, param);
  bool is_known = type && !type_is_poison(type);
  Symbol *symbol =
      sema_scope_declare(cx, is_known ? SYMBOL_TYPE : SYMBOL_POISON,
                         param->name, param->name_span);
  if (!symbol || !is_known)
    return;
  symbol->type = sema_plain(type);
  TEmbedded embedded = {param->name, true, type, {.u = 0}, param->name_span};
  add_embedded(check, embedded);
}

void declare_embedded_params(KernelCheck *check) {
  const DeclList *params = &check->decl->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++) {
    const Decl *param = params->data[i];
    if (!is_embedded_param(param) || !param->name)
      continue;
    if (param->u.param.is_type)
      specialise_declare_type(check, param);
    else
      specialise_declare_value(check, param);
  }
}
