// SPDX-License-Identifier: Apache-2.0
// The conditions of a question and what is done to all of them.
#include "check/solve/solve_parts.h"

void query_init(Query *query, Solver *solver, Arena *arena) {
  *query = (Query){.solver = solver, .table = solver->table, .arena = arena};
}

void query_copy(Query *to, const Query *from) {
  *to = *from;
  to->all = (TermList){0};
  for (uint32_t i = 0; i < from->all.count; i++)
    VEC_PUSH(to->arena, &to->all, from->all.data[i]);
  Query empty = {0};
  to->definitions = empty.definitions;
  for (uint32_t i = 0; i < from->definitions.count; i++)
    VEC_PUSH(to->arena, &to->definitions, from->definitions.data[i]);
}

void query_add(Query *query, const Term *condition) {
  if (condition->kind == TERM_ALL) {
    for (uint32_t i = 0; i < condition->n_args; i++)
      query_add(query, condition->args[i]);
    return;
  }
  if (condition->kind == TERM_FALSE)
    query->is_refuted = true;
  if (condition->kind != TERM_TRUE)
    VEC_PUSH(query->arena, &query->all, condition);
}

typedef struct {
  TermTable *table;
  TermMap map; // or NULL and
  void *context;
  const Term *from, *to;
} Rewriting;

// Here a lost symbol stays the one that it is.
static const Term *map_or_keep(const Symbol *symbol, void *context) {
  const Rewriting *rewriting = context;
  const Term *image = rewriting->map(symbol, rewriting->context);
  if (!image && symbol->is_lost)
    image = term_of(rewriting->table, symbol);
  return image;
}

static void solve_query_rewrite(Query *query, Rewriting *rewriting) {
  TermList old = query->all;
  query->all = (TermList){0};
  for (uint32_t i = 0; i < old.count && !query->is_refuted; i++) {
    const Term *term = old.data[i];
    query_add(query,
              rewriting->map
                  ? term_replace(query->table, term, map_or_keep, rewriting)
                  : term_exchange(query->table, term, rewriting->from,
                                  rewriting->to));
  }
}

void query_replace(Query *query, TermMap map, void *context) {
  solve_query_rewrite(
      query,
      &(Rewriting){.table = query->table, .map = map, .context = context});
}

static const Term *map_definition(const Symbol *symbol, void *context) {
  const Definition *definition = context;
  return symbol == definition->symbol ? definition->value : NULL;
}

void query_define(Query *query, const Symbol *symbol, const Term *value) {
  Definition definition = {symbol, value};
  VEC_PUSH(query->arena, &query->definitions, definition);
  query_replace(query, map_definition, &definition);
}

void query_exchange(Query *query, const Term *from, const Term *to) {
  solve_query_rewrite(query, &(Rewriting){.from = from, .to = to});
}

void query_each(const Query *query, void (*visit)(const Term *, void *),
                void *context) {
  uint32_t stamp = ++query->table->stamp;
  for (uint32_t i = 0; i < query->all.count; i++)
    term_each(query->all.data[i], stamp, visit, context);
}

typedef struct {
  Arena *arena;
  SymbolList *symbols;
} Collecting;

static void solve_query_collect(const Term *term, void *context) {
  Collecting *c = context;
  if (term->symbol)
    VEC_PUSH(c->arena, c->symbols, term->symbol);
}

void query_symbols(const Query *query, SymbolList *symbols) {
  Collecting collecting = {query->arena, symbols};
  query_each(query, solve_query_collect, &collecting);
}

typedef struct {
  bool (*is_one)(const Term *);
  bool found;
} Search;

static void solve_query_look(const Term *term, void *context) {
  Search *search = context;
  search->found = search->found || search->is_one(term);
}

bool query_has(const Query *query, bool (*is_one)(const Term *)) {
  Search search = {is_one, false};
  query_each(query, solve_query_look, &search);
  return search.found;
}
