// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_hosts.h"

#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_parse.h"

#include <string.h>

enum { MOST_INSTANCES = 16, MOST_VALUES = 64 };

// ------------------------------------------------------------------- texts

// Of "<float, 4>"; false: they aren't right.
static bool args_of_text(CuContext *cu, const char *text,
                         const CxTemplate *template, CuScope *outer,
                         CuArgs *out) {
  const char *why = NULL;
  const CxName *name =
      cx_parse_name_text(cu->tree, cu_format(cu, "x%s", text), &why);
  CuScope *before = cu_set_scope(cu, cu->global);
  CuTrial trial = cu_trial_begin(cu);
  bool is_right =
      name && cu_resolve_args(cu, &name->parts[0], template, outer, out);
  bool is_wrong = cu_trial_end(cu, trial);
  cu_set_scope(cu, before);
  return is_right && !is_wrong;
}

static const CxTemplate *own_template(const CxDecl *decl) {
  const CxTemplate *last =
      decl->n_templates ? &decl->templates[decl->n_templates - 1] : NULL;
  return last && last->params.count > 0 ? last : NULL;
}

// ------------------------------------------------------------------ scopes

static CuScope *scope_of_record(CuContext *cu, CuEntity *entity,
                                const char *text) {
  CuArgs args = {NULL, 0};
  const CxTemplate *template = own_template(entity->decl);
  if (entity->kind != CU_ENTITY_RECORD ||
      (template &&
       (!text || !args_of_text(cu, text, template, entity->scope, &args))))
    return NULL;
  CuTrial trial = cu_trial_begin(cu);
  CuRecord *record = cu_record_of(cu, entity, args, entity->decl->name_span);
  if (record)
    cu_complete_record(cu, record); // as far as it can be
  cu_trial_end(cu, trial);
  return record ? record->scope : NULL;
}

typedef struct {
  CuContext *cu;
  const CuHostFunction *host;
  CuEntity *record; // the class that it is in
  CuScope *scope;
} Finder;

static bool hosts_find_in(Finder *f, CuScope *scope, const CxDeclList *decls);

static bool find_inside(Finder *f, CuScope *scope, const CxDecl *decl) {
  if (decl == f->host->function) {
    f->scope = scope;
    return true;
  }
  if (decl->kind == CX_DECL_NAMESPACE) {
    CuScope *inner = map_get(&f->cu->spaces, MAP_KEY(decl));
    return inner && hosts_find_in(f, inner, &decl->u.space.decls);
  }
  CuEntity *entity = cu_entity_of(f->cu, scope, decl);
  if (decl->kind != CX_DECL_RECORD || !entity)
    return false;
  f->record = entity;
  CuScope *inner = scope_of_record(f->cu, entity, f->host->record);
  return inner && hosts_find_in(f, inner, &decl->u.record.members);
}

static bool hosts_find_in(Finder *f, CuScope *scope, const CxDeclList *decls) {
  Span place = f->host->function->span;
  for (uint32_t i = 0; i < decls->count; i++) {
    Span span = decls->data[i]->span;
    bool is_around = span.begin <= place.begin && place.end <= span.end;
    if (is_around && find_inside(f, scope, decls->data[i]))
      return true;
  }
  return false;
}

// void S<T>::f() outside of the class: the entity of S.
static CuEntity *record_of_member(CuContext *cu, const CxDecl *function,
                                  CuScope *scope) {
  const CxName *full = function->full;
  if (!full || full->n_parts < 2)
    return NULL;
  CxNamePart parts[8];
  CxName owner = *full;
  owner.n_parts--;
  if (owner.n_parts > 8)
    return NULL;
  memcpy(parts, full->parts, owner.n_parts * sizeof *parts);
  parts[owner.n_parts - 1].has_args = false;
  owner.parts = parts;
  CuEntityVec found = {0};
  CuScope *before = cu_set_scope(cu, scope);
  cu_resolve_name(cu, &owner, &found);
  cu_set_scope(cu, before);
  for (uint32_t i = 0; i < found.count; i++)
    if (found.data[i]->kind == CU_ENTITY_RECORD)
      return found.data[i];
  return NULL;
}

static CuScope *hosts_bound(CuContext *cu, CuScope *scope,
                            const CxTemplate *template, const char *text) {
  CuArgs args;
  if (!template || !text || !args_of_text(cu, text, template, scope, &args))
    return scope;
  CuScope *inner = cu_new_scope(cu, CU_SCOPE_TEMPLATE, scope);
  cu_bind(cu, inner, template, args);
  return inner;
}

// *record: the class that it is a member of, NULL: none.
static CuScope *outer_scope(CuContext *cu, const CuHostFunction *host,
                            CuEntity **record) {
  const CxDecl *function = host->function;
  Finder f = {.cu = cu, .host = host};
  *record = NULL;
  bool is_found = hosts_find_in(&f, cu->global, &cu->tree->decls);
  *record = f.record;
  CuEntity *owner = is_found ? record_of_member(cu, function, f.scope) : NULL;
  if (!owner)
    return is_found ? f.scope : NULL;
  *record = owner;
  CuScope *inside = scope_of_record(cu, owner, host->record);
  bool has_header = own_template(owner->decl) && function->n_templates > 0;
  return inside && has_header
             ? hosts_bound(cu, inside, &function->templates[0], host->record)
             : inside;
}

CuScope *cu_host_scope(CuContext *cu, const CuHostFunction *host) {
  CuEntity *record;
  CuScope *scope = outer_scope(cu, host, &record);
  return scope
             ? hosts_bound(cu, scope, own_template(host->function), host->args)
             : NULL;
}

// --------------------------------------------------------------- instances

typedef struct {
  const char *data[MOST_INSTANCES];
  uint32_t count;
} Texts;

static void hosts_add_text(Texts *texts, const char *text) {
  for (uint32_t i = 0; i < texts->count; i++)
    if (strcmp(texts->data[i], text) == 0)
      return;
  if (texts->count < MOST_INSTANCES)
    texts->data[texts->count++] = text;
}

// What is known of functions so far: one that asks for itself has no instances
// yet.
typedef struct {
  CuContext *cu;
  Map known; // CxDecl -> CuHostFunctions
} Hosts;

static CuHostFunctions functions_of(Hosts *hosts, CxDecl *function);

// Mentions of a function template, or (`is_call` false) of a class template.
typedef struct {
  Hosts *hosts;
  CuContext *cu;
  CuEntity *entity;
  bool is_call;
  Texts *texts;
} Mentions;

static void add_args(const Mentions *m, CuArgs args) {
  hosts_add_text(m->texts, cu_shown_args(m->cu, "", args));
}

// The arguments of a call, whose `(` is at token `open`.
static void add_called(const Mentions *m, CxDecl *function, CuScope *scope,
                       const CxNamePart *part, CxTokens tokens) {
  CuContext *cu = m->cu;
  CuValue data[MOST_VALUES] = {0};
  bool known[MOST_VALUES] = {false};
  CuArgs args;
  const CxExpr *all = cx_parse_part(cu->tree, function, tokens);
  bool is_list = all && all->kind == CX_EXPR_COMMA && !all->has_parens;
  uint32_t n = is_list ? all->u.list.count : all != NULL;
  CuScope *typed = cu_typed_scope(cu, function, scope, tokens, tokens.begin);
  for (uint32_t i = 0; i < n && i < MOST_VALUES; i++)
    known[i] = cu_typed_value(cu, typed, is_list ? all->u.list.data[i] : all,
                              &data[i]);
  CuValues values = {data, n < MOST_VALUES ? n : MOST_VALUES};
  if (cu_called_args(cu, scope, m->entity, part, values, known, &args))
    add_args(m, args);
}

static void add_mention(const Mentions *m, CxDecl *around, CuScope *scope,
                        uint32_t at) {
  CuContext *cu = m->cu;
  uint32_t behind = at + 1;
  CuArgs args;
  const CxTemplate *template = own_template(m->entity->decl);
  const CxName *name = cx_name_at(cu->tree, around, at, &behind);
  const CxNamePart *part = name ? &name->parts[name->n_parts - 1] : NULL;
  if (part) {
    CuScope *inside =
        cu_typed_scope(cu, around, scope, (CxTokens){at + 1, behind}, at);
    CuScope *before = cu_set_scope(cu, inside);
    CuTrial trial = cu_trial_begin(cu);
    bool is_right =
        cu_resolve_args(cu, part, template, m->entity->scope, &args);
    bool is_wrong = cu_trial_end(cu, trial);
    cu_set_scope(cu, before);
    if (is_right && !is_wrong) {
      add_args(m, args);
      return;
    }
  }
  CxTokens call;
  if (m->is_call && cx_arguments_at(cu->tree, part ? behind : at + 1, &call))
    add_called(m, around, scope, part, call);
}

static void add_mentions(const Mentions *m) {
  CuContext *cu = m->cu;
  for (uint32_t at = 0; cx_next_mention(cu->tree, m->entity->name, &at); at++) {
    CxDecl *around = cx_function_at(cu->tree, at);
    if (!around || around == m->entity->decl ||
        m->texts->count == MOST_INSTANCES)
      continue;
    CuHostFunctions callers = functions_of(m->hosts, around);
    for (uint32_t i = 0; i < callers.count; i++) {
      CuScope *scope = cu_host_scope(cu, &callers.data[i]);
      if (scope)
        add_mention(m, around, scope, at);
    }
  }
}

// The arguments that a declaration of an instance names, or whose parameters
// it has.
static bool args_of_instance(CuContext *cu, const CuEntity *entity,
                             const CxDecl *decl, CuArgs *args) {
  const CxName *full = decl->full;
  const CxNamePart *part = full ? &full->parts[full->n_parts - 1] : NULL;
  const CuValues none = {NULL, 0};
  if (decl->name != entity->name)
    return false;
  if (part && part->has_args)
    return cu_called_args(cu, entity->scope, entity, part, none, NULL, args);
  return decl->kind == CX_DECL_FUNCTION &&
         cu_declared_args(cu, entity, decl, args);
}

// template void f(float *); template class C<int>;
static void add_declared(const Mentions *m, const CxDeclList *decls) {
  for (uint32_t i = 0; i < decls->count; i++) {
    const CxDecl *decl = decls->data[i];
    CuArgs args;
    if (decl->kind == CX_DECL_NAMESPACE)
      add_declared(m, &decl->u.space.decls);
    if (decl->kind == CX_DECL_INSTANTIATION &&
        args_of_instance(m->cu, m->entity, decl->u.inner, &args))
      add_args(m, args);
  }
}

// What has a definition of its own is no instance.
static void drop_special(const Mentions *m) {
  Texts *texts = m->texts;
  const CuEntity *other =
      map_get(&m->entity->scope->names, MAP_KEY(m->entity->name));
  for (; other; other = other->next) {
    const CxDecl *decl = other->decl;
    CuArgs args;
    if (!decl || other->kind != CU_ENTITY_FUNCTION || !decl->n_templates ||
        own_template(decl) || !args_of_instance(m->cu, m->entity, decl, &args))
      continue;
    const char *special = cu_shown_args(m->cu, "", args);
    for (uint32_t i = 0; i < texts->count; i++)
      if (strcmp(texts->data[i], special) == 0)
        texts->data[i--] = texts->data[--texts->count];
  }
}

// The function as an entity, which deduction asks for.
static CuEntity *as_entity(CuContext *cu, CxDecl *function, CuScope *scope) {
  CuEntity *entity = ARENA_NEW(cu->arena, CuEntity);
  *entity = (CuEntity){.kind = CU_ENTITY_FUNCTION,
                       .name = function->name,
                       .decl = function,
                       .scope = scope};
  return entity;
}

static void hosts_find_own(Hosts *hosts, CxDecl *function, CuScope *scope,
                           Texts *out) {
  CuContext *cu = hosts->cu;
  Mentions m = {.hosts = hosts,
                .cu = cu,
                .entity = as_entity(cu, function, scope),
                .is_call = true,
                .texts = out};
  add_mentions(&m);
  add_declared(&m, &cu->tree->decls);
  drop_special(&m);
}

typedef hd_vec(CuHostFunction) HostVec;

static void hosts_add_own(Hosts *hosts, CuHostFunction host, HostVec *out) {
  CuContext *cu = hosts->cu;
  Texts own = {.count = 0};
  CuEntity *record;
  CuScope *scope = outer_scope(cu, &host, &record);
  if (own_template(host.function) && scope)
    hosts_find_own(hosts, host.function, scope, &own);
  for (uint32_t i = 0; i < own.count; i++) {
    host.args = own.data[i];
    VEC_PUSH(cu->arena, out, host);
  }
  if (own.count == 0)
    VEC_PUSH(cu->arena, out, host);
}

static void find_functions(Hosts *hosts, CxDecl *function, HostVec *out) {
  CuContext *cu = hosts->cu;
  CuHostFunction host = {.function = function};
  Texts records = {.count = 0};
  CuEntity *record;
  outer_scope(cu, &host, &record);
  if (record && own_template(record->decl)) {
    Mentions m = {
        .hosts = hosts, .cu = cu, .entity = record, .texts = &records};
    add_mentions(&m);
    add_declared(&m, &cu->tree->decls);
  }
  for (uint32_t i = 0; i < records.count; i++) {
    host.record = records.data[i];
    hosts_add_own(hosts, host, out);
  }
  if (records.count == 0)
    hosts_add_own(hosts, host, out);
}

static CuHostFunctions functions_of(Hosts *hosts, CxDecl *function) {
  Arena *arena = hosts->cu->arena;
  CuHostFunctions *known = map_get(&hosts->known, MAP_KEY(function));
  if (known)
    return *known;
  known = ARENA_NEW(arena, CuHostFunctions);
  map_put(arena, &hosts->known, MAP_KEY(function), known);
  HostVec out = {0};
  find_functions(hosts, function, &out);
  *known = (CuHostFunctions){out.data, out.count};
  return *known;
}

CuHostFunctions cu_host_functions(CuContext *cu, CxDecl *function) {
  Hosts hosts = {.cu = cu};
  return functions_of(&hosts, function);
}
