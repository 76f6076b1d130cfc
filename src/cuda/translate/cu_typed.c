// SPDX-License-Identifier: Apache-2.0
// Types of expressions in host functions, whose bodies are not translated: each
// variable and type that an expression names is looked for alone.
#include "cuda/form/cu_deduce.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"
#include "cuda/host/cu_hosts.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_dispatch.h"

#include <string.h>

enum { MOST_NAMES = 64, MOST_DEPTH = 8 };

static const CxDecl *typed_find_param(const CxDecl *function,
                                      const char *name) {
  const CxDeclList *params = &function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == name)
      return params->data[i];
  return NULL;
}

// A frame of nothing, as for constants.
typedef struct {
  CuFrame apart, *before;
  CuScope *scope;
  CuStmtVec dropped;
  CuTrial trial;
} Aside;

// The object whose members a member function names; NULL: there is none.
static CuVariable *object_around(CuContext *cu, const CuScope *scope) {
  while (scope && scope->kind != CU_SCOPE_RECORD)
    scope = scope->parent;
  if (!scope)
    return NULL;
  CuVariable *self = ARENA_NEW(cu->arena, CuVariable);
  self->type = scope->record->type;
  self->holds = CU_HOLDS_VALUE;
  self->name = cu_new_name(cu, "self", true);
  return self;
}

static void begin_aside(CuContext *cu, Aside *aside, CuScope *scope) {
  *aside = (Aside){.before = cu->frame};
  aside->trial = cu_trial_begin(cu);
  aside->apart = cu_apart_frame(cu, &aside->dropped);
  aside->apart.self = object_around(cu, scope);
  cu->frame = &aside->apart;
  aside->scope = cu_set_scope(cu, scope);
}

static bool end_aside(CuContext *cu, Aside *aside) {
  cu_set_scope(cu, aside->scope);
  cu->frame = aside->before;
  return !cu_trial_end(cu, aside->trial);
}

static const CuType *declared_type(CuContext *cu, const CxDecl *decl) {
  if (cu_has_auto(decl->type)) {
    const CxExpr *init =
        decl->u.var.init_kind == CX_INIT_EQUAL ? decl->u.var.init : NULL;
    CuValue value = init ? cu_expr(cu, init) : (CuValue){0};
    return init ? cu_deduce_auto(cu, decl->type, value.type, value.is_lvalue)
                : NULL;
  }
  return cu_resolve_type(cu, decl->type);
}

// const int n = 256; names of the initialiser are declared.
static CuConst typed_constant_of(CuContext *cu, const CxDecl *decl,
                                 const CuType *type) {
  const CuConst none = {.kind = CU_NOT_CONST};
  const CxExpr *init =
      decl->u.var.init_kind == CX_INIT_EQUAL ? decl->u.var.init : NULL;
  bool is_const = cu_is_const(type) || (decl->specs & CX_SPEC_CONSTEXPR);
  if (!init || !is_const || !cu_is_integer(type))
    return none;
  return cu_convert(cu, cu_expr(cu, init), type, "initialisation").constant;
}

static void typed_declare(CuContext *cu, CuScope *scope, const CxDecl *decl,
                          bool is_param) {
  Aside aside;
  begin_aside(cu, &aside, scope);
  const CuType *type = declared_type(cu, decl);
  if (type && is_param)
    type = cu_decayed(cu, type);
  if (type && cu_is(type, CU_REFERENCE))
    type = type->u.inner;
  bool is_known = type && !cu_is_poison(type) && !cu_is(type, CU_VOID);
  CuVariable *variable = is_known ? cu_new_local(cu, decl->name, type) : NULL;
  if (variable) {
    variable->frame = NULL; // there is no function: seen from everywhere
    cu_declare_local(cu, variable, decl->name, NULL);
    if (!is_param)
      variable->constant = typed_constant_of(cu, decl, type);
  }
  end_aside(cu, &aside);
}

typedef struct {
  CuContext *cu;
  CxDecl *function;
  CuScope *scope;
  bool is_types;      // only types
  const char *except; // isn't asked for
} Declaring;

static void declare_all(const Declaring *d, CxTokens names, uint32_t at,
                        uint32_t depth);

static bool declare_type(const Declaring *d, const char *name,
                         const CuType *type) {
  if (!type || cu_is_poison(type))
    return false;
  cu_declare(d->cu, d->scope, CU_ENTITY_TYPE, name, NULL)->type = type;
  return true;
}

// What `using T = …` or the type of `const T *x = …` names.
static void declare_inside(const Declaring *d, const CxDecl *local,
                           bool is_types, uint32_t depth) {
  CxTokens tokens = cx_tokens_of(d->cu->tree, local->span);
  Declaring inside = *d;
  inside.except = local->name;
  inside.is_types = is_types;
  if (depth < MOST_DEPTH)
    declare_all(&inside, tokens, tokens.begin, depth + 1);
}

// using T = float;
static bool declare_alias(const Declaring *d, const CxDecl *local,
                          uint32_t depth) {
  CuContext *cu = d->cu;
  if (local->n_templates > 0 || depth >= MOST_DEPTH)
    return false;
  declare_inside(d, local, d->is_types, depth);
  Aside aside;
  begin_aside(cu, &aside, d->scope);
  const CuType *type = cu_resolve_type(cu, local->type);
  return end_aside(cu, &aside) && declare_type(d, local->name, type);
}

// What a macro declares that nobody sees: one of its types.
static void declare_chosen(const Declaring *d, const char *name, uint32_t at) {
  CuContext *cu = d->cu;
  CxChosen chosen = cx_chosen_type(cu->tree, name, at);
  CuTypeKind kind = chosen == CX_CHOSEN_INT ? CU_INT : CU_FLOAT;
  if (chosen != CX_CHOSEN_NONE)
    declare_type(d, name, cu_basic(&cu->types, kind));
}

// A constant needs what its initialiser names.
static void declare_local(const Declaring *d, const CxDecl *local,
                          uint32_t depth) {
  bool is_const = (local->specs & CX_SPEC_CONSTEXPR) ||
                  (local->type->quals & CX_QUAL_CONST);
  if (is_const && local->u.var.init && depth < MOST_DEPTH) {
    CxTokens init = cx_tokens_of(d->cu->tree, local->u.var.init->span);
    declare_all(d, init, cx_tokens_of(d->cu->tree, local->name_span).begin,
                depth + 1);
  }
  declare_inside(d, local, true, depth);
  typed_declare(d->cu, d->scope, local, false);
}

static void typed_declare_name(const Declaring *d, const char *name,
                               uint32_t at, uint32_t depth) {
  const CxDecl *param = typed_find_param(d->function, name);
  const CxDecl *local = cx_find_local(d->cu->tree, d->function, name, at);
  bool is_alias = local && local->kind == CX_DECL_ALIAS;
  CuEntityVec found = {0};
  if (name == d->except || map_has(&d->scope->names, MAP_KEY(name)) ||
      (is_alias && declare_alias(d, local, depth)))
    return;
  if (is_alias ||
      (!local && !param && !cu_lookup(d->cu, d->scope->parent, name, &found)))
    declare_chosen(d, name, at);
  else if (local && !d->is_types)
    declare_local(d, local, depth);
  else if (param && !d->is_types)
    typed_declare(d->cu, d->scope, param, true);
}

static void declare_all(const Declaring *d, CxTokens names, uint32_t at,
                        uint32_t depth) {
  const char *found[MOST_NAMES];
  uint32_t n = cx_names_in(d->cu->tree, names, MOST_NAMES, found);
  for (uint32_t i = 0; i < n; i++)
    typed_declare_name(d, found[i], at, depth);
}

static CuScope *scope_with(CuContext *cu, CxDecl *function, CuScope *outer,
                           CxTokens names, uint32_t at, bool is_types) {
  Declaring d = {.cu = cu,
                 .function = function,
                 .scope = cu_new_scope(cu, CU_SCOPE_BLOCK, outer),
                 .is_types = is_types};
  declare_all(&d, names, at, 0);
  return d.scope;
}

CuScope *cu_typed_scope(CuContext *cu, CxDecl *function, CuScope *outer,
                        CxTokens names, uint32_t at) {
  return scope_with(cu, function, outer, names, at, false);
}

CuScope *cu_types_scope(CuContext *cu, CxDecl *function, CuScope *outer,
                        CxTokens names, uint32_t at) {
  return scope_with(cu, function, outer, names, at, true);
}

static bool typed_is_word(const char *name, const char *word) {
  return name && strcmp(name, word) == 0;
}

// x.data_ptr<T>() of whatever x is; NULL: it is something else.
static const CxType *typed_element_type(const CxExpr *expr, bool *is_const) {
  const CxExpr *callee =
      expr->kind == CX_EXPR_CALL ? expr->u.call.callee : NULL;
  if (!callee || callee->kind != CX_EXPR_MEMBER || expr->u.call.args.count)
    return NULL;
  const CxName *member = callee->u.member.name;
  const CxNamePart *part = &member->parts[member->n_parts - 1];
  *is_const = typed_is_word(part->name, "const_data_ptr");
  bool is_data = *is_const || typed_is_word(part->name, "data_ptr") ||
                 typed_is_word(part->name, "data") ||
                 typed_is_word(part->name, "mutable_data_ptr");
  return is_data && part->n_args == 1 ? part->args[0].type : NULL;
}

// What is written says it.
static const CuType *said_type(CuContext *cu, const CxExpr *expr) {
  bool is_const = false;
  const CxType *element = typed_element_type(expr, &is_const);
  const CuType *type = element ? cu_resolve_type(cu, element) : NULL;
  if (type && !cu_is_poison(type))
    return cu_pointer(&cu->types, cu_qualified(&cu->types, type,
                                               is_const ? CX_QUAL_CONST : 0));
  return expr->kind == CX_EXPR_CAST ? cu_resolve_type(cu, expr->u.cast.type)
                                    : NULL;
}

bool cu_typed_value(CuContext *cu, CuScope *scope, const CxExpr *expr,
                    CuValue *out) {
  Aside aside;
  begin_aside(cu, &aside, scope);
  *out = cu_expr(cu, expr);
  bool is_poisoned = cu_is_poisoned(out);
  if (end_aside(cu, &aside) && !is_poisoned)
    return true;
  begin_aside(cu, &aside, scope);
  const CuType *type = said_type(cu, expr);
  *out = (CuValue){.type = type, .span = expr->span};
  return end_aside(cu, &aside) && type && !cu_is_poison(type);
}

// ---------------------------------------------------------------- arguments

// A class has nothing to deduce from: what it is made of is given to one of its
// constructors.
static bool deduce_values(CuContext *cu, CuDeduction *deduction,
                          const CxDecl *decl, CuValues values,
                          const bool *known) {
  if (decl->kind != CX_DECL_FUNCTION)
    return true;
  const CxDeclList *params = &decl->type->u.function.params;
  for (uint32_t i = 0; i < values.count && i < params->count; i++) {
    const CxDecl *param = params->data[i];
    for (uint32_t k = i; param->u.var.is_pack && k < values.count; k++)
      if (!known[k])
        return false;
    if (param->u.var.is_pack)
      return cu_deduce_pack(cu, deduction, param->type,
                            (CuValues){values.data + i, values.count - i});
    if (known[i] &&
        !cu_deduce_param(cu, deduction, param->type, &values.data[i]) &&
        !deduction->is_explicit)
      return false;
  }
  return true;
}

bool cu_called_args(CuContext *cu, CuScope *scope, const CuEntity *entity,
                    const CxNamePart *part, CuValues values, const bool *known,
                    CuArgs *out) {
  const CxDecl *decl = entity->decl;
  const CxTemplate *template = &decl->templates[decl->n_templates - 1];
  CuDeduction deduction = cu_deduction(cu, template, entity->scope);
  CuScope *before = cu_set_scope(cu, scope);
  CuTrial trial = cu_trial_begin(cu);
  deduction.is_explicit = part && part->has_args;
  bool fits = (!deduction.is_explicit ||
               cu_written_args(cu, part, template, deduction.outer,
                               deduction.args, deduction.known)) &&
              deduce_values(cu, &deduction, decl, values, known) &&
              cu_default_args(cu, template, entity->scope, deduction.args,
                              deduction.known, decl->name_span);
  bool is_wrong = cu_trial_end(cu, trial);
  cu_set_scope(cu, before);
  *out = (CuArgs){deduction.args, template->params.count};
  return fits && !is_wrong;
}

bool cu_declared_args(CuContext *cu, const CuEntity *entity,
                      const CxDecl *instantiation, CuArgs *out) {
  const CxDecl *decl = entity->decl;
  const CxTemplate *template = &decl->templates[decl->n_templates - 1];
  const CxDeclList *params = &decl->type->u.function.params;
  const CxDeclList *given = &instantiation->type->u.function.params;
  CuDeduction deduction = cu_deduction(cu, template, entity->scope);
  CuScope *before = cu_set_scope(cu, entity->scope);
  CuTrial trial = cu_trial_begin(cu);
  bool fits = params->count == given->count;
  for (uint32_t i = 0; i < params->count && fits; i++)
    fits = !cu_mentions(params->data[i]->type, template) ||
           cu_deduce(cu, &deduction, params->data[i]->type,
                     cu_resolve_type(cu, given->data[i]->type));
  fits = fits && cu_default_args(cu, template, entity->scope, deduction.args,
                                 deduction.known, decl->name_span);
  bool is_wrong = cu_trial_end(cu, trial);
  cu_set_scope(cu, before);
  *out = (CuArgs){deduction.args, template->params.count};
  return fits && !is_wrong;
}
