// SPDX-License-Identifier: Apache-2.0
// Instances of functions and their signatures.
#include "cuda/form/cu_call.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_outside.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_same.h"
#include "cuda/form/cu_scope.h"
#include "cxx/cx_parse.h"

#include <string.h>

// --- several declarations ---

static bool is_definition(const CuEntity *entity) {
  return entity->decl->u.function.has_body ||
         cu_attribute(entity->decl, "__heddle") != NULL;
}

bool cu_is_repeated(CuContext *cu, CuEntity *entity) {
  if (entity->is_linked)
    return entity->is_repeated;
  CuEntity *first = map_get(&entity->scope->names, MAP_KEY(entity->name));
  for (CuEntity *a = first; a; a = a->next) {
    a->is_linked = true;
    for (CuEntity *b = first; b && a->kind == CU_ENTITY_FUNCTION; b = b->next) {
      if (b == a || b->kind != CU_ENTITY_FUNCTION ||
          !cx_same_function(a->decl, b->decl))
        continue;
      VEC_PUSH(cu->arena, &a->others, b->decl);
      bool b_stands = is_definition(b) && !is_definition(a);
      bool b_is_last = is_definition(a) == is_definition(b) && !b->is_linked;
      if (b_stands || b_is_last)
        a->is_repeated = true;
    }
  }
  return entity->is_repeated;
}

// --- scopes ---

// The function's own template<…> is the last.
static const CxTemplate *function_template(const CuEntity *entity) {
  const CxDecl *decl = entity->decl;
  return decl->n_templates ? &decl->templates[decl->n_templates - 1] : NULL;
}

static CuScope *signature_scope(CuContext *cu, CuEntity *entity, CuArgs args) {
  if (!args.count)
    return entity->scope;
  CuScope *scope = cu_new_scope(cu, CU_SCOPE_TEMPLATE, entity->scope);
  cu_bind(cu, scope, function_template(entity), args);
  return scope;
}

// --- signatures ---

// The object, for what a trailing type says of members.
static CuVariable *unnamed_self(CuContext *cu, const CuFunction *function) {
  CuVariable *self = ARENA_NEW(cu->arena, CuVariable);
  self->type = function->record->type;
  if (function->is_const_member)
    self->type = cu_qualified(&cu->types, self->type, CX_QUAL_CONST);
  self->name = cu_new_name(cu, "self", true);
  return self;
}

// auto f(A a, B b) -> decltype(a + b)
static const CuType *type_over_params(CuContext *cu, const CuFunction *function,
                                      const CxType *result) {
  CuStmtVec dropped = {0};
  CuFrame apart = cu_apart_frame(cu, &dropped), *frame = cu->frame;
  apart.self = function->record ? unnamed_self(cu, function) : NULL;
  cu->frame = &apart;
  cu_push_block(cu);
  cu_declare_packs(cu, &function->entity->decl->type->u.function.params);
  for (uint32_t i = 0; i < function->n_params; i++) {
    CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
    variable->type = function->params[i].type;
    const char *name = function->params[i].name;
    variable->name = cu_new_name(cu, name ? name : "unnamed", true);
    bool is_lambda = cu_is(cu_plain(cu_referred(variable->type)), CU_LAMBDA);
    variable->holds = is_lambda ? CU_HOLDS_CLOSURE : CU_HOLDS_VALUE;
    cu_declare_param(cu, variable, name, &function->params[i], NULL);
  }
  const CuType *type = cu_resolve_type(cu, result);
  cu_pop_block(cu);
  cu->frame = frame;
  return type;
}

// decltype(auto) f(A a) { return e; }: decltype(e), where parameters have it
// all; NULL: the first return decides.
static const CuType *returned_type(CuContext *cu, const CuFunction *function,
                                   const CxType *result) {
  CxDecl *decl = function->entity->decl;
  const CxBody *body =
      decl->u.function.has_body ? cx_parse_body(cu->tree, decl) : NULL;
  const CxExpr *expr = body && !body->has_errors ? cu_only_return(body) : NULL;
  if (!expr)
    return NULL;
  CxType type = *result;
  CxExpr copy = *expr;
  type.u.expr = &copy;
  return type_over_params(cu, function, &type);
}

static bool resolve_signature(CuContext *cu, CuFunction *function) {
  const CxDecl *decl = function->entity->decl;
  const CxType *type = decl->type;
  function->is_variadic = type->u.function.is_variadic;
  function->is_const_member = (type->u.function.quals & CX_QUAL_CONST) != 0;
  if (decl->u.function.kind != CX_FUNCTION_ORDINARY && !function->record) {
    // __global__ k(…): without a result it reads as a constructor
    CU_ERROR(cu, decl->name_span, expected, DS("the type of the result"),
             DS(cu_format(cu, "'%s'", decl->name ? decl->name : "")));
    return false;
  }
  if (decl->unsupported)
    cu_refuse_unsupported(cu, decl, decl->name_span);
  if (decl->unsupported ||
      !cu_add_params(cu, &type->u.function.params, function))
    return false;
  CxFunctionKind kind = decl->u.function.kind;
  const CxType *result = type->u.function.result;
  if (kind == CX_FUNCTION_CONSTRUCTOR)
    function->result = function->record->type;
  else if (kind == CX_FUNCTION_DESTRUCTOR)
    function->result = cu_basic(&cu->types, CU_VOID);
  else if (kind == CX_FUNCTION_CONVERSION && cu_has_auto(result))
    function->result = cu_resolve_type(
        cu, decl->full->parts[decl->full->n_parts - 1].conversion);
  else if (cu_is_decltype_auto(result))
    function->result = returned_type(cu, function, result);
  else if (result->kind == CX_TYPE_DECLTYPE)
    function->result = type_over_params(cu, function, result);
  else if (!cu_has_auto(result))
    function->result = cu_resolve_type(cu, result);
  return !function->result || !cu_is_poison(function->result);
}

// template<> T f<int>(…) among declarations of the same name.
static CxDecl *specialised(CuContext *cu, const CuFunction *function) {
  CuEntity *entity =
      map_get(&function->entity->scope->names, MAP_KEY(function->entity->name));
  for (; entity; entity = entity->next) {
    const CxDecl *decl = entity->decl;
    bool is_one = entity->kind == CU_ENTITY_FUNCTION && decl->n_templates &&
                  decl->templates[0].params.count == 0;
    if (is_one && cu_specialises(cu, entity, function))
      return entity->decl;
  }
  return NULL;
}

static void choose_body(CuContext *cu, CuFunction *function) {
  CuEntity *entity = function->entity;
  function->decl = entity->decl;
  if (function->args.count) {
    CxDecl *special = specialised(cu, function);
    if (special) {
      function->decl = special;
      return;
    }
  }
  CxDecl *outside;
  CuScope *scope = cu_outside(cu, entity, function, &outside);
  if (scope) {
    function->decl = outside;
    function->scope = scope;
  }
}

static CuFunction *new_function(CuContext *cu, CuEntity *entity, CuArgs args) {
  CuFunction *function = ARENA_NEW(cu->arena, CuFunction);
  function->entity = entity;
  function->args = args;
  function->returns_param = -1;
  const CuRecord *record = entity->scope->record;
  bool is_static = (entity->decl->specs & CX_SPEC_STATIC) != 0;
  if (record && !is_static)
    function->record = entity->scope->record;
  function->shown =
      cu_shown_args(cu, entity->name ? entity->name : "operator", args);
  function->scope = signature_scope(cu, entity, args);
  CuScope *before = cu_set_scope(cu, function->scope);
  function->is_resolved = resolve_signature(cu, function);
  cu_set_scope(cu, before);
  choose_body(cu, function);
  return function;
}

CuFunction *cu_instance(CuContext *cu, CuEntity *entity, CuArgs args) {
  for (uint32_t i = 0; i < entity->functions.count; i++) {
    CuFunction *function = entity->functions.data[i];
    if (cu_args_equal(function->args, args))
      return function;
  }
  if (entity->functions.count >= CU_MAX_INSTANCES) {
    cu->limits.spent = CU_SPENT_INSTANCES;
    cu_tell_spent(cu, entity->decl->name_span);
    return NULL;
  }
  uint32_t before = cu->reports.silent;
  CuFunction *function = new_function(cu, entity, args);
  // What failed in a trial is told when it is really meant.
  if (function->is_resolved || before == 0)
    VEC_PUSH(cu->arena, &entity->functions, function);
  return function->is_resolved ? function : NULL;
}

CuFunction *cu_variant(CuContext *cu, CuFunction *function,
                       uint64_t by_pointer) {
  CuFunction *same = function;
  for (; same; same = same->variants) {
    if (same->by_pointer == by_pointer)
      return same;
  }
  bool is_fresh = !function->is_translated && !function->is_translating;
  if (is_fresh) {
    function->by_pointer = by_pointer;
    return function;
  }
  CuFunction *made = ARENA_NEW(cu->arena, CuFunction);
  *made = *function;
  made->by_pointer = by_pointer;
  made->is_translated = made->is_translating = made->is_failed = false;
  made->name = NULL;
  made->emitted = NULL;
  made->needs.data = NULL;
  made->needs.count = made->needs.capacity = 0;
  function->variants = made;
  return made;
}

// --- defaults ---

// Not what a declaration behind the call adds.
static const CxExpr *default_in(CuContext *cu, CuEntity *entity,
                                const CxDecl *decl, uint32_t index) {
  bool is_later =
      cu->lookup.called_at && decl->name_span.begin > cu->lookup.called_at &&
      entity->scope->kind == CU_SCOPE_NAMESPACE && !decl->n_templates;
  if (is_later && !cu_is_later(cu, entity, cu->lookup.called_at))
    return NULL;
  const CxDeclList *params = &decl->type->u.function.params;
  return index < params->count ? params->data[index]->u.var.init : NULL;
}

const CxExpr *cu_default_argument(CuContext *cu, const CuFunction *function,
                                  uint32_t index) {
  CuEntity *entity = function->entity;
  if (!entity)
    return NULL;
  index = function->params[index].written;
  const CxExpr *found = default_in(cu, entity, entity->decl, index);
  cu_is_repeated(cu, entity);
  for (uint32_t i = 0; !found && i < entity->others.count; i++)
    found = default_in(cu, entity, entity->others.data[i], index);
  return found;
}

uint32_t cu_required_count(CuContext *cu, const CuFunction *function) {
  uint32_t n = function->n_params;
  while (n > 0 && cu_default_argument(cu, function, n - 1))
    n--;
  return n;
}
