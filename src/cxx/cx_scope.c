// SPDX-License-Identifier: Apache-2.0
// What names are: types, values, namespaces, templates.
#include "cxx/cx_parser.h"

// Beyond this a scope gets a map.
enum { MAX_LISTED = 8, MAX_SEARCH_DEPTH = 32, MAX_USED = 64 };

CxScope *cx_scope_new(CxParser *cx, CxScopeKind kind, CxScope *parent) {
  CxScope *scope = ARENA_NEW(cx->arena, CxScope);
  scope->kind = kind;
  scope->parent = parent;
  scope->is_whole = kind != CX_SCOPE_NAMESPACE && kind != CX_SCOPE_BLOCK;
  return scope;
}

// Note [Names begin in the parser]
// Bodies are parsed when all of the file is known, and C++ wants to know what a
// name was where it stands: `(n) + 1` is a cast if a type n was declared
// before, a sum if it comes later. So scopes keep from where on a name is what,
// and whoever looks for one stands at the current token. Members of classes are
// known in all of the class. If nothing is found, what is declared behind
// counts, too: text that lacks its headers is read with good will.

static CxEntry *find_own(const CxScope *scope, const char *name) {
  if (scope->names.count > 0)
    return map_get(&scope->names, MAP_KEY(name));
  for (uint32_t i = 0; i < scope->entries.count; i++)
    if (scope->entries.data[i].name == name)
      return &scope->entries.data[i];
  return NULL;
}

static void put_in_map(CxParser *cx, CxScope *scope, const CxEntry *entry) {
  CxEntry *copy = ARENA_NEW(cx->arena, CxEntry);
  *copy = *entry;
  map_put(cx->arena, &scope->names, MAP_KEY(entry->name), copy);
}

// Where the current token stands in the text. 0: not in the file.
static uint32_t scope_here(const CxParser *cx) {
  return cx_token(cx)->begin;
}

static void add_to(CxEntry *entry, uint32_t is, CxScope *inside,
                   uint32_t since) {
  for (uint32_t i = 0; i < CX_NAME_BITS; i++)
    if (is & ~entry->symbol.is & (1u << i))
      entry->since[i] = since;
  entry->symbol.is |= is;
  if (inside)
    entry->symbol.inside = inside;
}

static void declare_since(CxParser *cx, CxScope *scope, const CxEntry *entry) {
  if (scope->names.count > 0) {
    put_in_map(cx, scope, entry);
    return;
  }
  VEC_PUSH(cx->arena, &scope->entries, *entry);
  if (scope->entries.count <= MAX_LISTED)
    return;
  for (uint32_t i = 0; i < scope->entries.count; i++)
    put_in_map(cx, scope, &scope->entries.data[i]);
}

void cx_scope_declare(CxParser *cx, CxScope *scope, const char *name,
                      uint32_t is, CxScope *inside) {
  if (!name)
    return;
  CxEntry *own = find_own(scope, name);
  CxEntry entry = {.name = name};
  add_to(own ? own : &entry, is, inside, scope_here(cx));
  if (!own)
    declare_since(cx, scope, &entry);
}

static void scope_add_link(CxParser *cx, CxScopeLinks *links,
                           const CxScope *scope, CxScope *to,
                           bool is_dependent) {
  if (!to || to == scope)
    return;
  for (uint32_t i = 0; i < links->count; i++)
    if (links->data[i].to == to)
      return;
  CxScopeLink link = {
      .to = to, .since = scope_here(cx), .is_dependent = is_dependent};
  VEC_PUSH(cx->arena, links, link);
}

void cx_scope_include(CxParser *cx, CxScope *scope, CxScope *part) {
  scope_add_link(cx, &scope->parts, scope, part, false);
}

void cx_scope_derive(CxParser *cx, CxScope *scope, CxScope *base,
                     bool is_dependent) {
  scope_add_link(cx, &scope->parts, scope, base, is_dependent);
}

void cx_scope_use(CxParser *cx, CxScope *scope, CxScope *used) {
  scope_add_link(cx, &scope->uses, scope, used, false);
}

// --- Finding ---------------------------------------------------------------

typedef struct {
  const char *name;
  uint32_t at; // where the name stands; 0: all that is declared counts
  int budget;  // scopes that may still be looked into, so that circles and
               // dense nets of namespaces end
} Search;

static Search search_for(const char *name, uint32_t at) {
  return (Search){.name = name, .at = at, .budget = MAX_SEARCH_DEPTH * 4};
}

static CxSymbol known_at(const CxScope *scope, const CxEntry *entry,
                         uint32_t at) {
  CxSymbol symbol = entry->symbol;
  if (!at || scope->is_whole)
    return symbol;
  for (uint32_t i = 0; i < CX_NAME_BITS; i++)
    if (entry->since[i] > at)
      symbol.is &= ~(1u << i);
  return symbol;
}

// Of `scope` and what is part of it; `is_bare`: of bases only those that depend
// on nothing.
static CxSymbol scope_find_part(Search *search, const CxScope *scope,
                                bool is_bare, int depth) {
  const CxEntry *own = find_own(scope, search->name);
  CxSymbol found = {0};
  if (own)
    found = known_at(scope, own, search->at);
  for (uint32_t i = 0; i < scope->parts.count && depth > 0 && !found.is; i++) {
    const CxScopeLink *part = &scope->parts.data[i];
    if (--search->budget < 0)
      break;
    if (!is_bare || !part->is_dependent)
      found = scope_find_part(search, part->to, false, depth - 1);
  }
  return found;
}

static CxSymbol scope_find_in(Search *search, const CxScope *scope) {
  return scope_find_part(search, scope, false, MAX_SEARCH_DEPTH);
}

static bool scope_is_in_effect(const Search *search, const CxScopeLink *use) {
  return !search->at || use->since <= search->at;
}

// Likewise; if that is nothing, of what directives name.
static CxSymbol find_through(Search *search, const CxScope *scope, int depth) {
  CxSymbol found = scope_find_in(search, scope);
  for (uint32_t i = 0; i < scope->uses.count && depth > 0 && !found.is; i++) {
    if (--search->budget < 0)
      break;
    if (scope_is_in_effect(search, &scope->uses.data[i]))
      found = find_through(search, scope->uses.data[i].to, depth - 1);
  }
  return found;
}

// Namespaces that directives on the way outwards name.
typedef struct {
  const CxScope *data[MAX_USED];
  uint32_t count;
} Used;

static bool scope_is_used(const Used *used, const CxScope *scope) {
  for (uint32_t i = 0; i < used->count; i++)
    if (used->data[i] == scope)
      return true;
  return false;
}

static void add_used(const Search *search, const CxScope *scope, Used *used,
                     int depth) {
  for (uint32_t i = 0; i < scope->uses.count && depth > 0; i++) {
    const CxScope *to = scope->uses.data[i].to;
    if (!scope_is_in_effect(search, &scope->uses.data[i]) ||
        scope_is_used(used, to) || used->count == MAX_USED)
      continue;
    used->data[used->count++] = to;
    add_used(search, to, used, depth - 1);
  }
  for (uint32_t i = 0; i < scope->parts.count && depth > 0; i++)
    add_used(search, scope->parts.data[i].to, used, depth - 1);
}

static bool cx_scope_is_inside(const CxScope *scope, const CxScope *outer) {
  while (scope && scope != outer)
    scope = scope->parent;
  return scope != NULL;
}

// What a directive names is found as if it stood in the namespace around both.
static CxSymbol find_step_outwards(Search *search, const CxScope *scope,
                                   Used *used) {
  CxSymbol found =
      scope_find_part(search, scope, search->at > 0, MAX_SEARCH_DEPTH);
  if (!found.is)
    add_used(search, scope, used, MAX_SEARCH_DEPTH);
  if (scope->kind != CX_SCOPE_NAMESPACE)
    return found;
  for (uint32_t i = 0; i < used->count && !found.is; i++)
    if (cx_scope_is_inside(used->data[i], scope))
      found = scope_find_in(search, used->data[i]);
  return found;
}

static CxSymbol find_outwards(Search *search, const CxScope *scope) {
  Used used;
  CxSymbol found = {0};
  used.count = 0;
  for (; scope && !found.is; scope = scope->parent) {
    if (scope->kind != CX_SCOPE_MEMBER)
      found = find_step_outwards(search, scope, &used);
    else // the class, and what is around it
      for (uint32_t i = 0; i < scope->parts.count && !found.is; i++)
        found = find_step_outwards(search, scope->parts.data[i].to, &used);
  }
  return found;
}

CxScope *cx_scope_space(const CxScope *scope, const char *name) {
  Search search = search_for(name, 0);
  CxSymbol found = scope_find_in(&search, scope);
  return found.is & CX_NAME_SPACE ? found.inside : NULL;
}

CxSymbol cx_scope_find_in(const CxParser *cx, const CxScope *scope,
                          const char *name) {
  Search search = search_for(name, scope_here(cx));
  CxSymbol found = find_through(&search, scope, MAX_SEARCH_DEPTH);
  if (found.is || !search.at)
    return found;
  search = search_for(name, 0);
  return find_through(&search, scope, MAX_SEARCH_DEPTH);
}

CxSymbol cx_scope_find(const CxParser *cx, const CxScope *scope,
                       const char *name) {
  Search search = search_for(name, scope_here(cx));
  CxSymbol found = find_outwards(&search, scope);
  if (found.is || !search.at)
    return found;
  search = search_for(name, 0);
  return find_outwards(&search, scope);
}

bool cx_names_parameter(const CxParser *cx, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) {
    const CxScope *scope = cx->scope;
    if (cx_kind_at(cx, i) != CX_TOK_IDENT)
      continue;
    while (scope && !find_own(scope, cx->tokens[i].u.name))
      scope = scope->parent;
    if (scope && scope->kind == CX_SCOPE_TEMPLATE)
      return true;
  }
  return false;
}

bool cx_is_type_symbol(CxSymbol symbol) {
  return (symbol.is & CX_NAME_TYPE) && !(symbol.is & CX_NAME_VALUE);
}

// What a step of a qualified name is, `before` being what stands before it.
static CxSymbol find_step(const CxParser *cx, const CxScope *scope,
                          CxSymbol before, const char *name, bool is_first) {
  if (is_first)
    return cx_scope_find(cx, scope, name);
  if (before.inside) {
    CxSymbol found = cx_scope_find_in(cx, before.inside, name);
    if (found.is || !before.inside->has_unknown_base)
      return found;
  }
  if (before.is & (CX_NAME_TYPE | CX_NAME_DEPENDENT))
    return (CxSymbol){.is = CX_NAME_DEPENDENT | CX_NAME_VALUE};
  return (CxSymbol){0};
}

CxSymbol cx_scope_find_name(const CxParser *cx, const CxScope *scope,
                            const CxName *name) {
  CxSymbol symbol = {0};
  const CxScope *from = name->is_global ? cx->file_scope : scope;
  for (uint32_t i = 0; i < name->n_parts; i++) {
    if (!name->parts[i].name)
      return (CxSymbol){.is = CX_NAME_VALUE};
    symbol = find_step(cx, from, symbol, name->parts[i].name, i == 0);
  }
  return symbol;
}
