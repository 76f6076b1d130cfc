// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders by constants as symbols: what occurs as x div b or
// x mod b becomes q or r, with x == b * q + r. Indices of threads then fall
// into digits that equations can be split and solved by.
#include "check/solve_parts.h"

// Digits are made in this many rounds (of what is innermost), each of so many.
#define MAX_ROUNDS 6
#define MAX_ATOMS  24

typedef struct {
  const Term *atoms[MAX_ATOMS]; // DIV and MOD without others inside
  uint32_t n;
} Atoms;

static bool is_digit(const Term *term) {
  int64_t b;
  return (term->kind == TERM_DIV || term->kind == TERM_MOD) &&
         term_is_constant(term->args[1], &b) && b > 0;
}

static void look_for_digit(const Term *term, void *context) {
  bool *found = context;
  *found = *found || is_digit(term);
}

static void note_atom(const Term *term, void *context) {
  Atoms *atoms = context;
  if (is_digit(term) && atoms->n < MAX_ATOMS)
    atoms->atoms[atoms->n++] = term;
}

static bool has_digit(TermTable *table, const Term *term) {
  bool found = false;
  term_each(term, ++table->stamp, look_for_digit, &found);
  return found;
}

const Symbol *solve_stand_in(Solver *solver, const Term *term) {
  Symbol *symbol = map_get(&solver->stand_ins, term->id);
  if (symbol)
    return symbol;
  TermRange range = term_range(term);
  Symbol model = {.kind = SYMBOL_VALUE,
                  .name = "part",
                  .low = range.low,
                  .high = range.high};
  symbol = term_symbol_new(solver->table, &model);
  map_put(solver->arena, &solver->stand_ins, term->id, symbol);
  return symbol;
}

// x, a symbol, is b * q + r from now on.
static void define_symbol(Query *query, const Symbol *x, const Term *value) {
  TermTable *table = query->table;
  query_define(query, x, value);
  if (x->low != INT64_MIN)
    query_add(query, term_le(table, term_int(table, x->low), value));
  if (x->high != INT64_MAX)
    query_add(query, term_le(table, value, term_int(table, x->high)));
}

static void take_apart(Query *query, const Term *x, int64_t b) {
  TermTable *table = query->table;
  const Term *divisor = term_int(table, b);
  const Term *div = term_intern2(table, TERM_DIV, x, divisor);
  const Term *mod = term_intern2(table, TERM_MOD, x, divisor);
  const Term *q = term_of(table, solve_stand_in(query->solver, div));
  const Term *r = term_of(table, solve_stand_in(query->solver, mod));
  const Term *value = term_add(table, term_scale(table, q, b), r);
  if (x->kind == TERM_SYMBOL && !x->symbol->is_power_of_two) {
    define_symbol(query, x->symbol, value);
    return;
  }
  query_exchange(query, div, q);
  query_exchange(query, mod, r);
  query_add(query, term_eq(table, x, value));
}

// One round. Only the first of atoms that stand over one symbol is taken: the
// others change by that.
static bool take_innermost(Query *query) {
  Atoms atoms = {.n = 0};
  query_each(query, note_atom, &atoms);
  for (uint32_t i = 0; i < atoms.n; i++) {
    const Term *x = atoms.atoms[i]->args[0];
    if (has_digit(query->table, x))
      continue;
    take_apart(query, x, atoms.atoms[i]->args[1]->number);
    return true;
  }
  return false;
}

bool solve_digits(Query *query) {
  for (int round = 0; round < MAX_ROUNDS * 4; round++) {
    if (!take_innermost(query))
      return true;
    if (!solve_reduce(query) || solve_is_late(query->solver))
      return !query->is_refuted;
  }
  return true;
}
