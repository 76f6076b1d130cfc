// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_depend.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_index.h"
#include "cuda/form/cu_resolve.h"

CuScope *cu_new_scope(CuContext *cu, CuScopeKind kind, CuScope *parent) {
  CuScope *scope = ARENA_NEW(cu->arena, CuScope);
  scope->kind = kind;
  scope->parent = parent;
  return scope;
}

static void declare_indexed(CuContext *cu, CuScope *scope, const char *name);

CuEntity *cu_named(CuContext *cu, CuScope *scope, const char *name) {
  if (scope->index)
    declare_indexed(cu, scope, name);
  return map_get(&scope->names, MAP_KEY(name));
}

CuEntity *cu_entity_of(CuContext *cu, CuScope *scope, const CxDecl *decl) {
  CuEntity *entity = decl->name ? cu_named(cu, scope, decl->name) : NULL;
  while (entity && entity->decl != decl)
    entity = entity->next;
  return entity;
}

// The scope of `using T = …` begins behind it, that of others at their name.
static uint32_t scope_begin_of(const CxDecl *decl) {
  if (decl->kind == CX_DECL_UNKNOWN || decl->kind == CX_DECL_NAMESPACE)
    return decl->span.begin;
  bool is_using = decl->kind == CX_DECL_ALIAS && decl->type &&
                  decl->type->span.end > decl->name_span.end;
  return is_using ? decl->type->span.end : decl->name_span.begin;
}

CuEntity *cu_declare(CuContext *cu, CuScope *scope, CuEntityKind kind,
                     const char *name, CxDecl *decl) {
  CuEntity *entity = ARENA_NEW(cu->arena, CuEntity);
  entity->kind = kind;
  entity->name = name;
  entity->decl = decl;
  entity->scope = scope;
  entity->begins = decl ? scope_begin_of(decl) : 0;
  if (!name)
    return entity;
  CuEntity *first = cu_named(cu, scope, name);
  if (!first) {
    map_put(cu->arena, &scope->names, MAP_KEY(name), entity);
    return entity;
  }
  while (first->next)
    first = first->next;
  first->next = entity;
  return entity;
}

CuScope *cu_set_scope(CuContext *cu, CuScope *scope) {
  CuScope *before = cu->scope;
  cu->scope = scope;
  return before;
}

void cu_push_block(CuContext *cu) {
  cu->scope = cu_new_scope(cu, CU_SCOPE_BLOCK, cu->scope);
}

void cu_pop_block(CuContext *cu) {
  cu->scope = cu->scope->parent;
}

CuScope *cu_namespace_of(CuScope *scope) {
  while (scope->kind != CU_SCOPE_NAMESPACE)
    scope = scope->parent;
  return scope;
}

static CuEntityKind bound_kind(const CuArg *arg) {
  if (arg->is_pack)
    return CU_ENTITY_PACK;
  if (arg->template)
    return CU_ENTITY_USING;
  return arg->is_type ? CU_ENTITY_TYPE : CU_ENTITY_VALUE;
}

static void set_bound(CuEntity *entity, const CuArg *arg) {
  entity->type = arg->type;
  entity->value = arg->value;
  entity->target = arg->template;
}

void cu_bind_one(CuContext *cu, CuScope *scope, CxDecl *param,
                 const CuArg *arg) {
  CuEntity *entity = cu_declare(cu, scope, bound_kind(arg), param->name, param);
  set_bound(entity, arg);
  for (uint32_t i = 0; i < arg->n_elements; i++) {
    const CuArg *one = &arg->elements[i];
    CuEntity *element = cu_declare(cu, scope, bound_kind(one), NULL, param);
    element->name = param->name;
    set_bound(element, one);
    VEC_PUSH(cu->arena, &entity->elements, element);
  }
}

void cu_bind(CuContext *cu, CuScope *scope, const CxTemplate *template,
             CuArgs args) {
  for (uint32_t i = 0; i < template->params.count && i < args.count; i++)
    cu_bind_one(cu, scope, template->params.data[i], &args.data[i]);
}

// ---------------------------------------------------------------- declaring

static CuEntity *scope_first_of(CuContext *cu, CuScope *scope,
                                CuEntityKind kind, const char *name) {
  CuEntity *entity = cu_named(cu, scope, name);
  while (entity && entity->kind != kind)
    entity = entity->next;
  return entity;
}

static const CxNamePart *last_part(const CxDecl *decl) {
  return decl->full ? &decl->full->parts[decl->full->n_parts - 1] : NULL;
}

static void declare_outside(CuContext *cu, CuScope *scope, CxDecl *decl) {
  CuEntity *entity = ARENA_NEW(cu->arena, CuEntity);
  entity->kind = CU_ENTITY_FUNCTION;
  entity->name = decl->name;
  entity->decl = decl;
  entity->scope = scope;
  VEC_PUSH(cu->arena, &cu->outside, entity);
}

// What stands for the class since it was only declared, in a block, is the one
// that is defined.
static void define_record(CuEntity *entity, CxDecl *decl) {
  entity->decl = decl;
  for (uint32_t i = 0; i < entity->records.count; i++) {
    CuRecord *record = entity->records.data[i];
    if (decl->n_templates || record->decl->u.record.is_definition)
      continue;
    record->decl = decl;
    record->is_union = decl->u.record.tag == CX_TAG_UNION;
  }
}

// Declarations of one class are one entity, specialisations belong to it.
static void declare_record(CuContext *cu, CuScope *scope, CxDecl *decl) {
  if (!decl->name || cu_is_outside_member(decl))
    return;
  CuEntity *entity = scope_first_of(cu, scope, CU_ENTITY_RECORD, decl->name);
  if (!entity)
    entity = cu_declare(cu, scope, CU_ENTITY_RECORD, decl->name, decl);
  if (last_part(decl)->has_args)
    VEC_PUSH(cu->arena, &entity->specialisations, decl);
  else if (decl->u.record.is_definition || !entity->decl)
    define_record(entity, decl);
}

static void declare_enum(CuContext *cu, CuScope *scope, CxDecl *decl) {
  if (map_has(&scope->declared, MAP_KEY(decl)))
    return; // by another of its names
  map_put(cu->arena, &scope->declared, MAP_KEY(decl), scope);
  CuEntity *entity =
      decl->name ? scope_first_of(cu, scope, CU_ENTITY_ENUM, decl->name) : NULL;
  if (!entity)
    entity = cu_declare(cu, scope, CU_ENTITY_ENUM, decl->name, decl);
  if (decl->u.enumeration.is_definition)
    entity->decl = decl;
  if (decl->u.enumeration.is_class)
    return;
  for (uint32_t i = 0; i < decl->u.enumeration.enumerators.count; i++) {
    CxDecl *enumerator = decl->u.enumeration.enumerators.data[i];
    CuEntity *value = cu_declare(cu, scope, CU_ENTITY_ENUMERATOR,
                                 enumerator->name, enumerator);
    value->enumeration = entity;
  }
}

static void scope_declare_function(CuContext *cu, CuScope *scope,
                                   CxDecl *decl) {
  if (cu_is_outside_member(decl))
    declare_outside(cu, scope, decl);
  else
    cu_declare(cu, scope, CU_ENTITY_FUNCTION, decl->name, decl);
}

static void declare_unknown(CuContext *cu, CuScope *scope, CxDecl *decl) {
  for (uint32_t i = 0; i < decl->u.unknown.n_names; i++)
    cu_declare(cu, scope, CU_ENTITY_UNKNOWN, decl->u.unknown.names[i], decl);
}

// A tag that is defined in the type of something else.
static void declare_tag(CuContext *cu, CuScope *scope, const CxDecl *decl) {
  CxDecl *tag = cu_tag_in_type(decl);
  if (!tag ||
      (tag->name && scope_first_of(cu, scope, CU_ENTITY_RECORD, tag->name)))
    return;
  if (tag->kind == CX_DECL_RECORD)
    declare_record(cu, scope, tag);
  else
    declare_enum(cu, scope, tag);
}

// extern const int n; and its definition are one variable.
static void redeclare(CuEntity *entity, CxDecl *decl) {
  bool is_definition =
      decl->u.var.init_kind != CX_INIT_NONE || !(decl->specs & CX_SPEC_EXTERN);
  if (is_definition && entity->decl->u.var.init_kind == CX_INIT_NONE)
    entity->decl = decl;
}

static void scope_declare_variable(CuContext *cu, CuScope *scope,
                                   CxDecl *decl) {
  declare_tag(cu, scope, decl);
  CuEntity *template = scope_first_of(cu, scope, CU_ENTITY_VAR, decl->name);
  if (cu_is_outside_member(decl))
    declare_outside(cu, scope, decl);
  else if (template && decl->full && last_part(decl)->has_args)
    VEC_PUSH(cu->arena, &template->specialisations, decl);
  else if (template && !decl->n_templates)
    redeclare(template, decl);
  else
    cu_declare(cu, scope, CU_ENTITY_VAR, decl->name, decl);
}

static void cu_scope_declare(CuContext *cu, CuScope *scope, CxDecl *decl);

// The name of a friend isn't known by that.
static void declare_by_friend(CuContext *cu, CuScope *space, CxDecl *decl) {
  if (decl->kind == CX_DECL_RECORD && decl->name &&
      scope_first_of(cu, space, CU_ENTITY_RECORD, decl->name))
    return;
  cu_scope_declare(cu, space, decl);
  CuEntity *entity = cu_entity_of(cu, space, decl);
  if (entity)
    entity->is_friend = true;
}

// A function whose body stands in the class sees the names of the class, and
// there is one for each instance of a class template.
static void declare_friend(CuContext *cu, CuScope *scope, CxDecl *decl) {
  CuRecord *record = scope->record;
  if (!record || decl->kind != CX_DECL_FUNCTION || !decl->u.function.has_body) {
    if (!record || record->n_args == 0)
      declare_by_friend(cu, cu_namespace_of(scope), decl);
    return;
  }
  if (!record->friends)
    record->friends = cu_new_scope(cu, CU_SCOPE_TEMPLATE, scope);
  cu_declare(cu, record->friends, CU_ENTITY_FUNCTION, decl->name, decl);
}

static void cu_scope_declare(CuContext *cu, CuScope *scope, CxDecl *decl) {
  switch (decl->kind) {
  case CX_DECL_UNKNOWN: declare_unknown(cu, scope, decl); return;
  case CX_DECL_NAMESPACE_ALIAS:
    cu_declare(cu, scope, CU_ENTITY_NAMESPACE_ALIAS, decl->name, decl);
    return;
  case CX_DECL_USING_DIRECTIVE: VEC_PUSH(cu->arena, &scope->uses, decl); return;
  case CX_DECL_USING:
    cu_declare(cu, scope, CU_ENTITY_USING, cu_using_name(decl), decl);
    return;
  case CX_DECL_ALIAS:
    declare_tag(cu, scope, decl);
    cu_declare(cu, scope, CU_ENTITY_ALIAS, decl->name, decl);
    return;
  case CX_DECL_RECORD: declare_record(cu, scope, decl); return;
  case CX_DECL_ENUM: declare_enum(cu, scope, decl); return;
  case CX_DECL_VAR: scope_declare_variable(cu, scope, decl); return;
  case CX_DECL_FUNCTION: scope_declare_function(cu, scope, decl); return;
  case CX_DECL_FRIEND: declare_friend(cu, scope, decl->u.inner); return;
  case CX_DECL_NAMESPACE: // cu_declare_file
  case CX_DECL_FIELD:     // cu_record.c
  case CX_DECL_ENUMERATOR:
  case CX_DECL_PARAM:
  case CX_DECL_TEMPLATE_PARAM:
  case CX_DECL_STATIC_ASSERT:
  case CX_DECL_INSTANTIATION:
  case CX_DECL_BINDING: return;
  }
}

void cu_declare_all(CuContext *cu, CuScope *scope, const CxDeclList *decls) {
  for (uint32_t i = 0; i < decls->count; i++)
    cu_scope_declare(cu, scope, decls->data[i]);
}

// What of `decl` has this name.
static void scope_declare_name(CuContext *cu, CuScope *scope, CxDecl *decl,
                               const char *name) {
  bool is_typed = decl->kind == CX_DECL_ALIAS || decl->kind == CX_DECL_VAR;
  if (decl->kind == CX_DECL_UNKNOWN)
    cu_declare(cu, scope, CU_ENTITY_UNKNOWN, name, decl);
  else if (is_typed && (decl->name != name || cu_is_outside_member(decl)))
    declare_tag(cu, scope, decl);
  else
    cu_scope_declare(cu, scope, decl);
}

static void declare_indexed(CuContext *cu, CuScope *scope, const char *name) {
  const CuIndexed *found = cu_indexed(scope->index, name);
  if (!found || map_has(&scope->declared, MAP_KEY(found)))
    return;
  map_put(cu->arena, &scope->declared, MAP_KEY(found), scope);
  for (uint32_t i = 0; i < found->count; i++)
    scope_declare_name(cu, scope, found->data[i], name);
}

static void declare_namespace(CuContext *cu, CuScope *parent,
                              const CuIndex *index) {
  CxDecl *decl = index->parts.data[0];
  CuScope *scope = cu_new_scope(cu, CU_SCOPE_NAMESPACE, parent);
  scope->name = decl->name;
  cu_declare(cu, parent, CU_ENTITY_NAMESPACE, decl->name, decl)->space = scope;
  scope->is_inline = decl->u.space.is_inline;
  CuUsed used = {.space = scope, .is_part = scope->is_inline};
  if (decl->u.space.is_inline || decl->u.space.is_anonymous || !decl->name)
    VEC_PUSH(cu->arena, &parent->used, used);
  for (uint32_t i = 0; i < index->parts.count; i++)
    map_put(cu->arena, &cu->spaces, MAP_KEY(index->parts.data[i]), scope);
  cu_declare_file(cu, scope, index);
}

void cu_declare_file(CuContext *cu, CuScope *scope, const CuIndex *index) {
  scope->index = index;
  for (uint32_t i = 0; i < index->namespaces.count; i++)
    declare_namespace(cu, scope, index->namespaces.data[i]);
  for (uint32_t i = 0; i < index->others.count; i++)
    cu_scope_declare(cu, scope, index->others.data[i]);
}

// ---------------------------------------------------------------- finding

// What is found out on the way has places of its own.
static uint32_t set_used_at(CuContext *cu, uint32_t at) {
  uint32_t before = cu->lookup.used_at;
  cu->lookup.used_at = at;
  return before;
}

static void resolve_uses(CuContext *cu, CuScope *scope) {
  if (scope->is_resolving)
    return;
  scope->is_resolving = true;
  CuScope *before = cu_set_scope(cu, scope);
  uint32_t at = set_used_at(cu, 0);
  for (uint32_t i = 0; i < scope->uses.count; i++) {
    const CxDecl *use = scope->uses.data[i];
    CuUsed one = {.space = cu_resolve_namespace(cu, use->u.target),
                  .at = use->span.begin};
    if (one.space)
      VEC_PUSH(cu->arena, &scope->used, one);
  }
  scope->uses.count = 0;
  set_used_at(cu, at);
  cu_set_scope(cu, before);
  scope->is_resolving = false;
}

static void add_found(CuContext *cu, CuEntity *entity, CuEntityVec *found) {
  for (uint32_t i = 0; i < found->count; i++) {
    if (found->data[i] == entity)
      return;
  }
  VEC_PUSH(cu->arena, found, entity);
}

// The scope of an enumerator begins behind its value. (Another instance of a
// template has enumerators of its own, from the same declarations.)
static bool is_later_enumerator(const CuContext *cu, const CuEntity *entity) {
  if (!cu->enumerator || entity->kind != CU_ENTITY_ENUMERATOR ||
      entity->decl->name_span.begin < cu->enumerator->name_span.begin)
    return false;
  const CuType *type = entity->enumeration->type;
  return type && type->u.enumeration == cu->enumerating;
}

// Bodies of lambdas and local classes are translated where they are needed,
// when the blocks around them have declared more than they see.
static bool is_later_local(const CuContext *cu, const CuEntity *entity) {
  return cu->lookup.is_body_later && entity->scope->kind == CU_SCOPE_BLOCK &&
         entity->decl && entity->decl->name_span.begin > cu->lookup.used_at;
}

// Note [Names begin]
// Names of a file and of its namespaces are known from their first declaration
// on, but they are declared here all at once. So whoever looks for one says
// where it stands in the text: in templates that is their definition, as C++
// has it for names that don't depend on arguments; to functions that are
// declared later only the arguments of a call lead, if it depends on parameters
// of the template (cu_depend.c). Members of classes are known in all of the
// class.
static bool is_known_at(const CuContext *cu, const CuEntity *entity,
                        uint32_t at) {
  return entity->begins <= at &&
         (!entity->is_friend || cu->lookup.is_by_arguments);
}

static bool scope_is_among(const CuEntity *entity, const CxDecl *decl) {
  for (uint32_t i = 0; i < entity->others.count; i++)
    if (entity->others.data[i] == decl)
      return true;
  return false;
}

bool cu_is_later(CuContext *cu, CuEntity *entity, uint32_t at) {
  if (!at || !entity->decl || entity->scope->kind != CU_SCOPE_NAMESPACE ||
      is_known_at(cu, entity, at))
    return false;
  if (entity->kind != CU_ENTITY_FUNCTION)
    return true;
  cu_is_repeated(cu, entity);
  CuEntity *other = map_get(&entity->scope->names, MAP_KEY(entity->name));
  for (; other; other = other->next)
    if (other->kind == CU_ENTITY_FUNCTION && is_known_at(cu, other, at) &&
        scope_is_among(entity, other->decl))
      return false;
  return true;
}

static void add_using(CuContext *cu, CuEntity *entity, CuEntityVec *found) {
  if (entity->is_resolving)
    return;
  entity->is_resolving = true;
  uint32_t at = set_used_at(cu, 0);
  cu_resolve_using(cu, entity, found);
  set_used_at(cu, at);
  entity->is_resolving = false;
}

static void scope_add_all(CuContext *cu, CuEntity *entity, CuEntityVec *found) {
  for (; entity; entity = entity->next) {
    if (is_later_enumerator(cu, entity) || is_later_local(cu, entity) ||
        (!cu->lookup.finds_later &&
         cu_is_later(cu, entity, cu->lookup.used_at)))
      continue;
    if (entity->kind != CU_ENTITY_USING)
      add_found(cu, entity, found);
    else if (entity->target)
      add_found(cu, entity->target, found);
    else
      add_using(cu, entity, found);
  }
}

static void scope_search(CuContext *cu, CuScope *scope, const char *name,
                         CuEntityVec *found);

// As they are written: of a class that wasn't laid out, as only names of it
// were asked for; in a template, those that don't depend on its parameters.
static void search_declared_bases(CuContext *cu, const CuRecord *record,
                                  const char *name, bool with_dependent,
                                  CuEntityVec *found) {
  const CxDecl *decl = record->decl;
  for (uint32_t i = 0; i < decl->u.record.n_bases; i++) {
    const CxBase *base = &decl->u.record.bases[i];
    if (base->is_expansion)
      continue;
    CuScope *before = cu_set_scope(cu, record->scope->parent);
    bool is_searched = with_dependent || !cu_type_depends(cu, base->type);
    const CuType *type =
        is_searched ? cu_plain(cu_resolve_type(cu, base->type)) : NULL;
    cu_set_scope(cu, before);
    if (is_searched && cu_is(type, CU_RECORD) &&
        cu_declare_members(cu, type->u.record))
      scope_search(cu, type->u.record->scope, name, found);
  }
}

static void search_bases(CuContext *cu, CuRecord *record, const char *name,
                         CuEntityVec *found) {
  if (record->is_declared && !record->is_complete && !record->is_completing) {
    search_declared_bases(cu, record, name, true, found);
    return;
  }
  if (!cu_complete_record(cu, record) && !record->is_poisoned)
    return;
  for (uint32_t i = 0; i < record->fields.count; i++) {
    CuRecord *base = record->fields.data[i].base;
    if (base && (cu_complete_record(cu, base) || base->is_poisoned))
      scope_search(cu, base->scope, name, found);
  }
}

// In a template a name alone isn't looked for in bases that depend on its
// parameters, as its definition doesn't know them.
static void search_all_bases(CuContext *cu, CuRecord *record, const char *name,
                             CuEntityVec *found) {
  bool is_bare = cu->lookup.is_bare_name && cu->lookup.used_at &&
                 !cu->lookup.finds_later && cu_is_of_template(record->scope);
  bool before = cu->lookup.is_bare_name;
  uint32_t at = set_used_at(cu, 0);
  cu->lookup.is_bare_name = false;
  if (is_bare)
    search_declared_bases(cu, record, name, false, found);
  else
    search_bases(cu, record, name, found);
  cu->lookup.is_bare_name = before;
  set_used_at(cu, at);
}

// What `scope` itself has.
static void scope_search(CuContext *cu, CuScope *scope, const char *name,
                         CuEntityVec *found) {
  if (scope->mark == cu->lookup.n_search)
    return;
  scope->mark = cu->lookup.n_search;
  uint32_t before = found->count;
  scope_add_all(cu, cu_named(cu, scope, name), found);
  if (scope->kind == CU_SCOPE_RECORD && found->count == before)
    search_all_bases(cu, scope->record, name, found);
  if (scope->kind != CU_SCOPE_NAMESPACE && found->count > before)
    return;
  for (uint32_t i = 0; i < scope->used.count; i++)
    if (scope->used.data[i].is_part)
      scope_search(cu, scope->used.data[i].space, name, found);
}

static bool search_alone(CuContext *cu, CuScope *scope, const char *name,
                         CuEntityVec *found) {
  uint32_t before = found->count;
  cu->lookup.n_search++;
  scope_search(cu, scope, name, found);
  return found->count > before;
}

static bool is_in_effect(const CuContext *cu, const CuUsed *used) {
  return !used->is_part &&
         (!used->at || !cu->lookup.used_at || cu->lookup.finds_later ||
          used->at < cu->lookup.used_at);
}

// What directives name is searched where there is nothing else.
static void search_through(CuContext *cu, CuScope *scope, const char *name,
                           CuEntityVec *found) {
  if (scope->used_mark == cu->lookup.n_used_search)
    return;
  scope->used_mark = cu->lookup.n_used_search;
  if (search_alone(cu, scope, name, found) || scope->kind != CU_SCOPE_NAMESPACE)
    return;
  if (scope->uses.count)
    resolve_uses(cu, scope);
  for (uint32_t i = 0; i < scope->used.count; i++)
    if (is_in_effect(cu, &scope->used.data[i]))
      search_through(cu, scope->used.data[i].space, name, found);
}

bool cu_lookup_in(CuContext *cu, CuScope *scope, const char *name,
                  CuEntityVec *found) {
  uint32_t before = found->count;
  bool was_bare = cu->lookup.is_bare_name;
  cu->lookup.is_bare_name = false;
  cu->lookup.n_used_search++;
  search_through(cu, scope, name, found);
  cu->lookup.is_bare_name = was_bare;
  return found->count > before;
}

static bool scope_is_inside(const CuScope *scope, const CuScope *outer) {
  while (scope && scope != outer)
    scope = scope->parent;
  return scope != NULL;
}

typedef hd_vec(CuScope *) ScopeVec;

static bool has_scope(const ScopeVec *scopes, const CuScope *scope) {
  for (uint32_t i = 0; i < scopes->count; i++)
    if (scopes->data[i] == scope)
      return true;
  return false;
}

// Namespaces that directives of `scope` name, and that theirs do.
static void scope_add_used(CuContext *cu, CuScope *scope, ScopeVec *out) {
  if (scope->uses.count)
    resolve_uses(cu, scope);
  for (uint32_t i = 0; i < scope->used.count; i++) {
    const CuUsed *used = &scope->used.data[i];
    CuScope *space = used->space;
    bool is_new = is_in_effect(cu, used) && !has_scope(out, space);
    if (is_new)
      VEC_PUSH(cu->arena, out, space);
    if (is_new || used->is_part)
      scope_add_used(cu, space, out);
  }
}

// What a directive names is found as if it stood in the namespace around both.
bool cu_lookup(CuContext *cu, CuScope *scope, const char *name,
               CuEntityVec *found) {
  ScopeVec used = {0};
  bool is_later = false;
  for (; scope; scope = scope->parent) {
    bool before = cu->lookup.is_body_later, was_bare = cu->lookup.is_bare_name;
    cu->lookup.is_body_later = is_later && cu->lookup.used_at;
    cu->lookup.is_bare_name = true;
    bool is_found = search_alone(cu, scope, name, found);
    cu->lookup.is_body_later = before;
    cu->lookup.is_bare_name = was_bare;
    is_later = is_later || scope->is_lambda || scope->kind == CU_SCOPE_RECORD;
    bool is_space = scope->kind == CU_SCOPE_NAMESPACE;
    if (is_space || scope->kind == CU_SCOPE_BLOCK)
      scope_add_used(cu, scope, &used);
    for (uint32_t i = 0; is_space && i < used.count; i++)
      if (scope_is_inside(used.data[i], scope))
        is_found = search_alone(cu, used.data[i], name, found) || is_found;
    if (is_found)
      return true;
  }
  return false;
}

typedef bool Lookup(CuContext *cu, CuScope *scope, const char *name,
                    CuEntityVec *found);

static bool lookup_at(CuContext *cu, Lookup *lookup, CuScope *scope,
                      const char *name, uint32_t at, CuEntityVec *found) {
  bool finds_later = cu->lookup.finds_later,
       is_by_arguments = cu->lookup.is_by_arguments;
  uint32_t before = set_used_at(cu, at);
  cu->lookup.finds_later = cu->lookup.is_by_arguments = false;
  bool is_found = lookup(cu, scope, name, found);
  if (!is_found && at) {
    cu->lookup.finds_later = true;
    is_found = lookup(cu, scope, name, found);
  }
  cu->lookup.finds_later = finds_later;
  cu->lookup.is_by_arguments = is_by_arguments;
  set_used_at(cu, before);
  return is_found;
}

bool cu_lookup_at(CuContext *cu, CuScope *scope, const char *name, uint32_t at,
                  CuEntityVec *found) {
  return lookup_at(cu, cu_lookup, scope, name, at, found);
}

bool cu_lookup_in_at(CuContext *cu, CuScope *scope, const char *name,
                     uint32_t at, CuEntityVec *found) {
  return lookup_at(cu, cu_lookup_in, scope, name, at, found);
}

void cu_lookup_by_argument(CuContext *cu, CuScope *scope, const char *name,
                           uint32_t at, CuEntityVec *found) {
  bool finds_later = cu->lookup.finds_later,
       is_by_arguments = cu->lookup.is_by_arguments;
  uint32_t before = set_used_at(cu, at);
  cu->lookup.finds_later = false;
  cu->lookup.is_by_arguments = true;
  scope = cu_namespace_of(scope);
  while (scope->is_inline && scope->parent)
    scope = scope->parent;
  search_alone(cu, scope, name, found);
  cu->lookup.finds_later = finds_later;
  cu->lookup.is_by_arguments = is_by_arguments;
  set_used_at(cu, before);
}
