// SPDX-License-Identifier: Apache-2.0
// Names and their scopes. A table holds the innermost symbol of each name;
// symbols chain to what they shadow, so leaving a scope restores the table.
#include "sema/context.h"
#include "syntax/parse.h"

#include <string.h>

ScopeTable *sema_scope_current(SemaContext *cx) {
  return cx->body ? &cx->body->scope : &cx->unit->scope;
}

void sema_scope_push(SemaContext *cx, ScopeTable *table) {
  VEC_PUSH(cx->arena, &table->scopes, NULL);
}

void sema_scope_pop(SemaContext *cx, ScopeTable *table) {
  for (Symbol *at = VEC_LAST(&table->scopes); at; at = at->next) {
    Map *map = at->kind == SYMBOL_TAG ? &table->tags : &table->names;
    map_put(cx->arena, map, MAP_KEY(at->name), at->shadowed);
  }
  table->scopes.count--;
}

static Symbol *scope_add_symbol(SemaContext *cx, SymbolKind kind, Map *map,
                                const char *name, Span span) {
  ScopeTable *table = sema_scope_current(cx);
  Symbol *symbol = ARENA_NEW(cx->arena, Symbol);
  symbol->kind = kind;
  symbol->name = name;
  symbol->span = span;
  symbol->order = cx->unit->order;
  symbol->depth = table->scopes.count - 1;
  symbol->shadowed = map_get(map, MAP_KEY(name));
  symbol->next = VEC_LAST(&table->scopes);
  symbol->type.type = type_basic(cx->types, TY_POISON);
  VEC_LAST(&table->scopes) = symbol;
  map_put(cx->arena, map, MAP_KEY(name), symbol);
  return symbol;
}

Symbol *sema_scope_find_here(SemaContext *cx, const char *name, bool is_tag) {
  ScopeTable *table = sema_scope_current(cx);
  Map *map = is_tag ? &table->tags : &table->names;
  Symbol *symbol = map_get(map, MAP_KEY(name));
  bool is_here = symbol && symbol->depth == table->scopes.count - 1;
  return is_here ? symbol : NULL;
}

Symbol *sema_scope_declare(SemaContext *cx, SymbolKind kind, const char *name,
                           Span span) {
  Symbol *before = sema_scope_find_here(cx, name, false);
  if (!before)
    return scope_add_symbol(cx, kind, &sema_scope_current(cx)->names, name,
                            span);
  if (before->kind != SYMBOL_POISON && kind != SYMBOL_POISON) {
    Diag *diag = SEMA_ERROR(cx, span, redeclared, DS(name));
    diag_label(cx->diags, diag, sema_place(cx, before->span),
               "'%s' is declared here", name);
  }
  return NULL;
}

Symbol *sema_scope_declare_tag(SemaContext *cx, const char *name, Span span) {
  return scope_add_symbol(cx, SYMBOL_TAG, &sema_scope_current(cx)->tags, name,
                          span);
}

// File scope as the body sees it: only what was declared before it.
static Symbol *find_in_unit(SemaContext *cx, const Map *map, const char *name) {
  Symbol *symbol = map_get(map, MAP_KEY(name));
  uint32_t limit = cx->body ? cx->body->visible_order : UINT32_MAX;
  return symbol && symbol->order <= limit ? symbol : NULL;
}

Symbol *sema_scope_find(SemaContext *cx, const char *name) {
  Symbol *symbol =
      cx->body ? map_get(&cx->body->scope.names, MAP_KEY(name)) : NULL;
  if (symbol && symbol->kind == SYMBOL_VAR)
    symbol->var->is_mentioned = true;
  return symbol ? symbol : find_in_unit(cx, &cx->unit->scope.names, name);
}

Symbol *sema_scope_find_tag(SemaContext *cx, const char *name) {
  Symbol *symbol =
      cx->body ? map_get(&cx->body->scope.tags, MAP_KEY(name)) : NULL;
  return symbol ? symbol : find_in_unit(cx, &cx->unit->scope.tags, name);
}

// --- names that don't exist ---

typedef hd_vec(const char *) NameList;

static void add_table_names(SemaContext *cx, const ScopeTable *table,
                            NameList *out) {
  for (uint32_t i = 0; i < table->scopes.count; i++)
    for (Symbol *at = table->scopes.data[i]; at; at = at->next)
      if (at->kind != SYMBOL_TAG && at->name)
        VEC_PUSH(cx->arena, out, at->name);
}

static const char *nearest_name(SemaContext *cx, const char *name) {
  NameList names = {0};
  if (cx->body)
    add_table_names(cx, &cx->body->scope, &names);
  add_table_names(cx, &cx->unit->scope, &names);
  const char *const *builtins;
  uint32_t n_builtins = builtin_name_list(&builtins);
  for (uint32_t i = 0; i < n_builtins; i++)
    VEC_PUSH(cx->arena, &names, builtins[i]);
  return text_nearest(name, names.data, names.count);
}

void sema_scope_undeclared(SemaContext *cx, Span span, const char *name) {
  Map *reported = cx->body ? &cx->body->undeclared : &cx->unit->undeclared;
  if (map_has(reported, MAP_KEY(name))) {
    cx->n_errors++;
    return;
  }
  map_put(cx->arena, reported, MAP_KEY(name), reported);
  Diag *diag = SEMA_ERROR(cx, span, undeclared_name, DS(name));
  const char *hint =
      cx->options.policy & SEMA_NO_SPELLINGS ? NULL : syntax_foreign_hint(name);
  if (hint) {
    diag_note(cx->diags, diag, (Place){0}, "%s", hint);
    return;
  }
  const char *nearest = nearest_name(cx, name);
  if (nearest && diag->fixes.count == 0)
    diag_fix(cx->diags, diag, sema_place(cx, span), false, nearest,
             "did you mean '%s'?", nearest);
}
