// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders by constants as symbols: what occurs as x div b or
// x mod b becomes q or r, with x == b * q + r. Indices of threads then fall
// into digits that equations can be split and solved by.
#include "check/solve/solve_parts.h"

// Digits of this many are made, of so many at a time to choose from.
#define MAX_ROUNDS 24
#define MAX_ATOMS  24

typedef struct {
  const Term *atoms[MAX_ATOMS]; // DIV and MOD without others inside
  uint32_t n;
  bool with_symbols; // divisors that aren't constant, too
} Atoms;

static bool solve_digits_is_digit(const Term *term, bool with_symbols) {
  int64_t b;
  if (term->kind != TERM_DIV && term->kind != TERM_MOD)
    return false;
  return term_is_constant(term->args[1], &b)
             ? b > 0
             : with_symbols && term_range(term->args[1]).low >= 1;
}

static void note_atom(const Term *term, void *context) {
  Atoms *atoms = context;
  if (solve_digits_is_digit(term, atoms->with_symbols) && atoms->n < MAX_ATOMS)
    atoms->atoms[atoms->n++] = term;
}

static bool has_digit(TermTable *table, const Term *term, bool with_symbols) {
  Atoms inside = {.with_symbols = with_symbols};
  term_each(term, ++table->stamp, note_atom, &inside);
  return inside.n > 0;
}

typedef struct {
  const Symbol *symbol;
  bool is_found;
} Occurrence;

static void look_for_symbol(const Symbol *symbol, void *context) {
  Occurrence *o = context;
  o->is_found = o->is_found || symbol == o->symbol;
}

static bool occurs_in(const Symbol *symbol, const Term *term) {
  Occurrence o = {symbol, false};
  term_symbols(term, look_for_symbol, &o);
  return o.is_found;
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

static void take_apart(Query *query, const Term *x, const Term *b) {
  TermTable *table = query->table;
  const Term *div = term_intern2(table, TERM_DIV, x, b);
  const Term *mod = term_intern2(table, TERM_MOD, x, b);
  const Term *q = term_of(table, solve_stand_in(query->solver, div));
  const Term *r = term_of(table, solve_stand_in(query->solver, mod));
  const Term *value = term_add(table, term_mul(table, b, q), r);
  query_exchange(query, div, q);
  query_exchange(query, mod, r);
  if (x->kind == TERM_SYMBOL && !x->symbol->is_power_of_two &&
      !occurs_in(x->symbol, b))
    define_symbol(query, x->symbol, value);
  else
    query_add(query, term_eq(table, x, value));
  query_add(query, term_lt(table, r, b));
}

// A symbol of the sum that is there once, alone, and has no other symbol's
// number in it.
static const TermPart *own_part(const SumView *sum) {
  for (uint32_t i = 0; i < sum->n; i++) {
    const TermPart *part = &sum->parts[i];
    bool is_own = part->atom->kind == TERM_SYMBOL &&
                  !part->atom->symbol->is_power_of_two &&
                  (part->coefficient == 1 || part->coefficient == -1);
    for (uint32_t k = 0; k < sum->n && is_own; k++)
      is_own = k == i || !occurs_in(part->atom->symbol, sum->parts[k].atom);
    if (is_own)
      return part;
  }
  return NULL;
}

// Divisors are positive. One that is a sum, of which no interval says that, is
// a symbol from now on: n - 8 * g is d, and n is d + 8 * g.
static bool name_divisor(Query *query, const Term *b) {
  TermTable *table = query->table;
  SumView sum;
  term_sum_view(b, &sum);
  const TermPart *part = own_part(&sum);
  if (b->kind != TERM_SUM || term_range(b).low >= 1 || !part)
    return false;
  const Term *natural = term_max(table, b, term_int(table, 1));
  const Term *d = term_of(table, solve_stand_in(query->solver, natural));
  const Term *rest =
      term_sub(table, b, term_scale(table, part->atom, part->coefficient));
  define_symbol(query, part->atom->symbol,
                term_scale(table, term_sub(table, d, rest), part->coefficient));
  return true;
}

static void note_divisor(const Term *term, void *context) {
  Atoms *atoms = context;
  int64_t number;
  if ((term->kind == TERM_DIV || term->kind == TERM_MOD) &&
      !term_is_constant(term->args[1], &number) && atoms->n < MAX_ATOMS)
    atoms->atoms[atoms->n++] = term->args[1];
}

static bool name_divisors(Query *query) {
  Atoms divisors = {.n = 0};
  query_each(query, note_divisor, &divisors);
  for (uint32_t i = 0; i < divisors.n; i++)
    if (!has_digit(query->table, divisors.atoms[i], true) &&
        name_divisor(query, divisors.atoms[i]))
      return true;
  return false;
}

// A divisor that is a product, where one of its factors divides the same number
// by itself.
typedef struct {
  const Term *atom, *factor, *rest; // divisor: factor * rest
} ProductDivisor;

// All other factors than the i-th.
static const Term *other_factors(TermTable *table, const Term *product,
                                 uint32_t i) {
  const Term *rest = term_int(table, 1);
  for (uint32_t k = 0; k < product->n_args; k++)
    if (k != i)
      rest = term_mul(table, rest, product->args[k]);
  return rest;
}

static bool find_product_divisor(Query *query, ProductDivisor *found) {
  Atoms atoms = {.with_symbols = true};
  query_each(query, note_atom, &atoms);
  for (uint32_t i = 0; i < atoms.n; i++) {
    const Term *atom = atoms.atoms[i], *product = atom->args[1];
    for (uint32_t k = 0; product->kind == TERM_MUL && k < product->n_args; k++)
      for (uint32_t j = 0; j < atoms.n; j++) {
        const Term *rest = other_factors(query->table, product, k);
        if (atoms.atoms[j]->args[0] != atom->args[0] ||
            atoms.atoms[j]->args[1] != product->args[k] ||
            term_range(rest).low < 1)
          continue;
        *found = (ProductDivisor){atom, product->args[k], rest};
        return true;
      }
  }
  return false;
}

// x div (a * b) is (x div a) div b, and x mod (a * b) is x mod a + a * ((x div
// a) mod b): where x div a or x mod a occurs, too, as in the digits of an index
// of three dimensions. Of other products nothing is known here.
static bool split_product(Query *query) {
  TermTable *table = query->table;
  ProductDivisor of;
  if (!find_product_divisor(query, &of))
    return false;
  const Term *x = of.atom->args[0];
  const Term *above = term_div(table, x, of.factor);
  const Term *to = of.atom->kind == TERM_DIV
                       ? term_div(table, above, of.rest)
                       : term_add(table, term_mod(table, x, of.factor),
                                  term_mul(table, of.factor,
                                           term_mod(table, above, of.rest)));
  query_exchange(query, of.atom, to);
  return true;
}

// The next atom to take: one without others inside; with a symbol as divisor
// before others, since what is a multiple of that makes the others simpler.
static const Term *innermost(Query *query, bool with_symbols) {
  Atoms atoms = {.with_symbols = with_symbols};
  query_each(query, note_atom, &atoms);
  const Term *best = NULL;
  for (uint32_t i = 0; i < atoms.n; i++) {
    const Term *x = atoms.atoms[i]->args[0], *b = atoms.atoms[i]->args[1];
    int64_t number;
    bool is_constant = term_is_constant(b, &number);
    if ((!best || !is_constant) && !has_digit(query->table, x, with_symbols) &&
        !has_digit(query->table, b, with_symbols))
      best = atoms.atoms[i];
  }
  return best;
}

// One round. Only one atom is taken: the others may change by that.
static bool take_innermost(Query *query, bool with_symbols) {
  const Term *atom = innermost(query, with_symbols);
  if (atom)
    take_apart(query, atom->args[0], atom->args[1]);
  return atom != NULL;
}

bool solve_digits(Query *query, bool with_symbols) {
  for (int round = 0; round < MAX_ROUNDS; round++) {
    if (!(with_symbols && (split_product(query) || name_divisors(query))) &&
        !take_innermost(query, with_symbols))
      return true;
    if (!solve_reduce(query) || solve_is_late(query->solver))
      return !query->is_refuted;
  }
  return true;
}
