// SPDX-License-Identifier: Apache-2.0
// What names are: types, values, namespaces, templates.
#include "cxx/cx_parser.h"

// Beyond this a scope gets a map.
enum { MAX_LISTED = 8, MAX_SEARCH_DEPTH = 32 };

CxScope *cx_scope_new(CxParser *cx, CxScopeKind kind, CxScope *parent) {
  CxScope *scope = ARENA_NEW(cx->arena, CxScope);
  scope->kind = kind;
  scope->parent = parent;
  return scope;
}

static CxSymbol *find_own(const CxScope *scope, const char *name) {
  if (scope->names.count > 0)
    return map_get(&scope->names, MAP_KEY(name));
  for (uint32_t i = 0; i < scope->entries.count; i++)
    if (scope->entries.data[i].name == name)
      return &scope->entries.data[i].symbol;
  return NULL;
}

static void put_in_map(CxParser *cx, CxScope *scope, const char *name,
                       CxSymbol symbol) {
  CxSymbol *copy = ARENA_NEW(cx->arena, CxSymbol);
  *copy = symbol;
  map_put(cx->arena, &scope->names, MAP_KEY(name), copy);
}

void cx_scope_declare(CxParser *cx, CxScope *scope, const char *name,
                      uint32_t is, CxScope *inside) {
  if (!name)
    return;
  CxSymbol *own = find_own(scope, name);
  if (own) {
    own->is |= is;
    if (inside)
      own->inside = inside;
    return;
  }
  CxEntry entry = {.name = name, .symbol = {.is = is, .inside = inside}};
  if (scope->names.count > 0) {
    put_in_map(cx, scope, name, entry.symbol);
    return;
  }
  VEC_PUSH(cx->arena, &scope->entries, entry);
  if (scope->entries.count <= MAX_LISTED)
    return;
  for (uint32_t i = 0; i < scope->entries.count; i++)
    put_in_map(cx, scope, scope->entries.data[i].name,
               scope->entries.data[i].symbol);
}

void cx_scope_use(CxParser *cx, CxScope *scope, CxScope *used) {
  if (!used || used == scope)
    return;
  for (uint32_t i = 0; i < scope->also.count; i++)
    if (scope->also.data[i] == used)
      return;
  VEC_PUSH(cx->arena, &scope->also, used);
}

// `budget`: scopes that may still be looked into, so that circles and dense
// nets of namespaces end.
static CxSymbol find_in(const CxScope *scope, const char *name, int depth,
                        int *budget) {
  const CxSymbol *own = find_own(scope, name);
  if (own)
    return *own;
  for (uint32_t i = 0; i < scope->also.count && depth > 0; i++) {
    if (--*budget < 0)
      break;
    CxSymbol found = find_in(scope->also.data[i], name, depth - 1, budget);
    if (found.is)
      return found;
  }
  return (CxSymbol){0};
}

CxSymbol cx_scope_find_in(const CxScope *scope, const char *name) {
  int budget = MAX_SEARCH_DEPTH * 4;
  return find_in(scope, name, MAX_SEARCH_DEPTH, &budget);
}

CxSymbol cx_scope_find(const CxScope *scope, const char *name) {
  for (; scope; scope = scope->parent) {
    CxSymbol found = cx_scope_find_in(scope, name);
    if (found.is)
      return found;
  }
  return (CxSymbol){0};
}

bool cx_is_type_symbol(CxSymbol symbol) {
  return (symbol.is & CX_NAME_TYPE) && !(symbol.is & CX_NAME_VALUE);
}

// What a step of a qualified name is, `before` being what stands before it.
static CxSymbol find_step(const CxScope *scope, CxSymbol before,
                          const char *name, bool is_first) {
  if (is_first)
    return cx_scope_find(scope, name);
  if (before.inside) {
    CxSymbol found = cx_scope_find_in(before.inside, name);
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
    symbol = find_step(from, symbol, name->parts[i].name, i == 0);
  }
  return symbol;
}
