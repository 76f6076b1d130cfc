// SPDX-License-Identifier: Apache-2.0
// Members that are defined outside of their class: T S<T>::f(int) {…}, const
// int S<T>::n = 3;, and those of one instance, template <> int S<int>::n = 4;
#include "cuda/form/cu_outside.h"

#include "cuda/form/cu_deduce.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_same.h"
#include "cuda/form/cu_scope.h"

// What stands in a definition for the classes that the member is in.
typedef struct {
  CuScope *scope;       // in which it is declared
  CuScope *names;       // binds parameters
  uint32_t n_templates; // that are left for classes
  uint32_t n_bound;     // parameters; a specialisation has fewer
} Match;

static CuScope *around(CuScope *scope) {
  scope = scope->parent;
  while (scope && scope->kind == CU_SCOPE_TEMPLATE)
    scope = scope->parent;
  return scope;
}

// A namespace whose name need not be written.
static bool is_transparent(const CuScope *scope) {
  const CuScope *parent = scope->parent;
  for (uint32_t i = 0; parent && i < parent->used.count; i++)
    if (parent->used.data[i].space == scope)
      return true;
  return false;
}

static bool match_class(CuContext *cu, const CxDecl *decl,
                        const CxNamePart *part, const CuRecord *record,
                        Match *match) {
  if (part->name != record->entity->name)
    return false;
  if (!part->has_args)
    return record->n_args == 0;
  static const CxTemplate none = {0};
  const CxTemplate *template =
      match->n_templates ? &decl->templates[--match->n_templates] : &none;
  CuDeduction deduction = cu_deduction(cu, template, match->scope);
  CuScope *before = cu_set_scope(cu, match->scope);
  bool fits = cu_deduce_args(cu, &deduction, part,
                             (CuArgs){record->args, record->n_args}, true);
  cu_set_scope(cu, before);
  for (uint32_t i = 0; i < template->params.count; i++)
    fits = fits && deduction.known[i];
  match->n_bound += template->params.count;
  if (fits)
    cu_bind(cu, match->names, template,
            (CuArgs){deduction.args, template->params.count});
  return fits;
}

// The classes and namespaces in front of the name are those around the member.
static bool match_owners(CuContext *cu, const CxDecl *decl,
                         const CuRecord *record, Match *match) {
  CuScope *at = record->scope;
  for (uint32_t i = decl->full->n_parts - 1; i-- > 0;) {
    const CxNamePart *part = &decl->full->parts[i];
    while (at && at->kind == CU_SCOPE_NAMESPACE && at->name != part->name &&
           is_transparent(at))
      at = around(at);
    if (!at || (at->kind == CU_SCOPE_RECORD
                    ? !match_class(cu, decl, part, at->record, match)
                    : at->name != part->name))
      return false;
    at = around(at);
  }
  while (at && at != match->scope && is_transparent(at))
    at = around(at);
  return at == match->scope;
}

static bool outside_has_params(CuContext *cu, const CxDecl *decl,
                               const CuFunction *function, CuScope *names) {
  const CxDeclList *params = &decl->type->u.function.params;
  if (params->count != function->n_params)
    return false;
  CuScope *before = cu_set_scope(cu, names);
  bool fits = true;
  for (uint32_t i = 0; fits && i < params->count; i++)
    fits = cu_decayed(cu, cu_resolve_type(cu, params->data[i]->type)) ==
           function->params[i].type;
  cu_set_scope(cu, before);
  return fits;
}

// Whether it defines this function: one of an instance states its types, so
// they are compared as types.
static bool is_meant(CuContext *cu, CuEntity *outside, const CuEntity *member,
                     const CuFunction *function, const Match *match) {
  const CxDecl *decl = outside->decl;
  bool is_of_instance = match->n_bound == 0 && decl->n_templates > 0;
  if (!is_of_instance)
    return !member->decl->u.function.has_body &&
           cx_same_shape(decl, member->decl);
  if (function->args.count)
    return cu_specialises(cu, outside, function);
  return decl->type->u.function.quals == member->decl->type->u.function.quals &&
         outside_has_params(cu, decl, function, match->names);
}

static Match begin_match(CuContext *cu, const CuEntity *outside,
                         const CuFunction *function, CuScope *outer) {
  const CxDecl *decl = outside->decl;
  Match match = {.scope = outside->scope, .n_templates = decl->n_templates};
  match.names = cu_new_scope(cu, CU_SCOPE_TEMPLATE, outer);
  if (function && function->args.count && match.n_templates) {
    const CxTemplate *own = &decl->templates[--match.n_templates];
    match.n_bound = own->params.count;
    cu_bind(cu, match.names, own, function->args);
  }
  return match;
}

CuScope *cu_outside(CuContext *cu, CuEntity *member, const CuFunction *function,
                    CxDecl **definition) {
  CuRecord *record = member->scope->record;
  CuScope *outer = function ? function->scope : member->scope;
  CuScope *found = NULL;
  uint32_t fewest = UINT32_MAX;
  for (uint32_t i = 0; record && i < cu->outside.count; i++) {
    CuEntity *outside = cu->outside.data[i];
    CxDecl *decl = outside->decl;
    if (decl->name != member->name || decl->kind != member->decl->kind ||
        !decl->full)
      continue;
    Match match = begin_match(cu, outside, function, outer);
    if (!match_owners(cu, decl, record, &match) || match.n_bound >= fewest ||
        (function && !is_meant(cu, outside, member, function, &match)))
      continue;
    fewest = match.n_bound;
    found = match.names;
    *definition = decl;
  }
  return found;
}
