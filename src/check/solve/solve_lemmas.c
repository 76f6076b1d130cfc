// SPDX-License-Identifier: Apache-2.0
// What linear reasoning must be told about atoms: quotients and remainders,
// minima, bits, and products of bounds by what isn't negative.
#include "check/solve/solve_parts.h"
#include <stdlib.h>

// Atoms and lemmas in all; more are left out.
#define MAX_ATOMS  96
#define MAX_LEMMAS 128

typedef struct {
  const Query *query;
  TermTable *table;
  const Term *atoms[MAX_ATOMS];
  uint32_t n_atoms, n_done;
  TermList *lemmas;
} Lemmas;

static bool solve_lemmas_is_among(const Term *const *terms, uint32_t n,
                                  const Term *term) {
  for (uint32_t i = 0; i < n; i++)
    if (terms[i] == term)
      return true;
  return false;
}

static bool has_atom(const Lemmas *l, const Term *atom) {
  return solve_lemmas_is_among(l->atoms, l->n_atoms, atom);
}

static void note_atoms(Lemmas *l, const Term *condition) {
  if (condition->kind == TERM_ALL)
    for (uint32_t i = 0; i < condition->n_args; i++)
      note_atoms(l, condition->args[i]);
  if (condition->kind != TERM_LE && condition->kind != TERM_EQ)
    return;
  SumView view;
  term_sum_view(condition->args[0], &view);
  for (uint32_t i = 0; i < view.n; i++)
    if (l->n_atoms < MAX_ATOMS && !has_atom(l, view.parts[i].atom))
      l->atoms[l->n_atoms++] = view.parts[i].atom;
}

static bool solve_lemmas_is_full(const Lemmas *l) {
  return l->lemmas->count >= MAX_LEMMAS;
}

static void add_lemma(Lemmas *l, const Term *condition) {
  if (condition->kind == TERM_TRUE || solve_lemmas_is_full(l))
    return;
  VEC_PUSH(l->query->arena, l->lemmas, condition);
  note_atoms(l, condition);
}

static void add_le(Lemmas *l, const Term *a, const Term *b) {
  add_lemma(l, term_le(l->table, a, b));
}

// b * q <= a <= b * q + b - 1
static void say_quotient(Lemmas *l, const Term *a, const Term *b,
                         const Term *q) {
  const Term *multiple = term_mul(l->table, b, q);
  add_le(l, multiple, a);
  add_le(l, a,
         term_sub(l->table, term_add(l->table, multiple, b),
                  term_int(l->table, 1)));
}

static bool is_positive(const Term *term) {
  return term_range(term).low >= 1;
}

typedef struct {
  TermPart parts[3 * TERM_MAX_PARTS];
  uint32_t n;
  Wide number;
  bool is_lost;
} Parts;

static void add_parts(Parts *parts, const Term *term, int64_t factor) {
  SumView view;
  term_sum_view(term, &view);
  parts->number += (Wide)factor * view.number;
  for (uint32_t i = 0; i < view.n; i++) {
    TermPart part = {view.parts[i].atom, 0};
    if (__builtin_mul_overflow(view.parts[i].coefficient, factor,
                               &part.coefficient))
      parts->is_lost = true;
    parts->parts[parts->n++] = part;
  }
}

// mod + b * (a div b) - a == 0, which must not become a - a.
static void say_remainder(Lemmas *l, const Term *mod) {
  const Term *a = mod->args[0], *b = mod->args[1];
  const Term *multiple = term_mul(l->table, b, term_div(l->table, a, b));
  Parts parts = {.n = 0};
  add_parts(&parts, mod, 1);
  add_parts(&parts, multiple, 1);
  add_parts(&parts, a, -1);
  if (parts.is_lost || parts.number < INT64_MIN || parts.number > INT64_MAX)
    return;
  const Term *sum =
      term_sum_unjoined(l->table, (int64_t)parts.number, parts.parts, parts.n);
  add_lemma(l, term_compare_unjoined(l->table, TERM_EQ, sum));
  add_le(l, term_add(l->table, mod, term_int(l->table, 1)), b);
}

static void say_bits(Lemmas *l, const Term *atom) {
  const Term *a = atom->args[0], *b = atom->args[1];
  bool is_a_natural = term_range(a).low >= 0;
  bool is_b_natural = term_range(b).low >= 0;
  if (atom->kind == TERM_AND) {
    if (is_a_natural)
      add_le(l, atom, a);
    if (is_b_natural)
      add_le(l, atom, b);
    return;
  }
  if (!is_a_natural || !is_b_natural)
    return;
  add_le(l, atom, term_add(l->table, a, b));
  if (atom->kind == TERM_OR) {
    add_le(l, a, atom);
    add_le(l, b, atom);
  }
}

static void solve_lemmas_say(Lemmas *l, const Term *atom) {
  switch (atom->kind) {
  case TERM_DIV:
    if (is_positive(atom->args[1]))
      say_quotient(l, atom->args[0], atom->args[1], atom);
    return;
  case TERM_MOD:
    if (is_positive(atom->args[1]))
      say_remainder(l, atom);
    return;
  case TERM_MIN:
    add_le(l, atom, atom->args[0]);
    add_le(l, atom, atom->args[1]);
    return;
  case TERM_MAX:
    add_le(l, atom->args[0], atom);
    add_le(l, atom->args[1], atom);
    return;
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: say_bits(l, atom); return;
  case TERM_SUM:
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_ITE:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: return;
  }
}

// -------------------------------------------------------------------- products

// How many products of the sum don't occur anywhere yet.
static uint32_t count_new_products(const Lemmas *l, const Term *sum) {
  SumView view;
  term_sum_view(sum, &view);
  uint32_t n = 0;
  for (uint32_t i = 0; i < view.n; i++)
    n += view.parts[i].atom->kind == TERM_MUL &&
         !has_atom(l, view.parts[i].atom);
  return n;
}

// All of product / atom, where atom may be a product itself; NULL: no multiple.
static const Term *cofactor(TermTable *table, const Term *product,
                            const Term *atom) {
  if (atom->kind != TERM_MUL)
    return term_without_factor(table, product, atom);
  for (uint32_t i = 0; product && i < atom->n_args; i++)
    product = term_without_factor(table, product, atom->args[i]);
  return product;
}

// sum <= 0 times `factor` >= 0, if that speaks of products that occur.
static void solve_lemmas_multiply(Lemmas *l, const Term *condition,
                                  const Term *factor) {
  int64_t number;
  if (term_is_constant(factor, &number) || term_range(factor).low < 0)
    return;
  const Term *product = term_mul(l->table, condition->args[0], factor);
  if (count_new_products(l, product) > 1)
    return;
  // As it is: the common factor would be taken out again.
  const Term *lemma = term_compare_unjoined(l->table, condition->kind, product);
  for (uint32_t i = 0; i < l->lemmas->count; i++)
    if (l->lemmas->data[i] == lemma)
      return;
  add_lemma(l, lemma);
}

// From y <= H - 1 and the product y * W: (y - H + 1) * W <= 0.
static void multiply_bound(Lemmas *l, const Term *condition) {
  if (solve_lemmas_is_full(l) ||
      (condition->kind != TERM_LE && condition->kind != TERM_EQ))
    return;
  SumView view;
  term_sum_view(condition->args[0], &view);
  uint32_t n_atoms = l->n_atoms, n_tried = 0;
  const Term *tried[MAX_ATOMS]; // several products may lead to one factor
  for (uint32_t i = 0; i < view.n; i++)
    for (uint32_t k = 0; k < n_atoms; k++) {
      if (l->atoms[k]->kind != TERM_MUL)
        continue;
      const Term *factor = cofactor(l->table, l->atoms[k], view.parts[i].atom);
      if (!factor || solve_lemmas_is_among(tried, n_tried, factor))
        continue;
      if (n_tried < MAX_ATOMS)
        tried[n_tried++] = factor;
      solve_lemmas_multiply(l, condition, factor);
    }
}

static void add_product_bound(Lemmas *l, const Term *smaller,
                              const Term *larger) {
  const Term *sum = term_sub(l->table, smaller, larger);
  if (count_new_products(l, sum) <= 1)
    add_lemma(l, term_compare_unjoined(l->table, TERM_LE, sum));
}

// Bounds that are ends of an interval are no conditions: y in 0 … 1079 and the
// product y * W say 0 <= y * W <= 1079 * W.
static void multiply_interval(Lemmas *l, const Term *product) {
  for (uint32_t i = 0; i < product->n_args; i++) {
    const Term *factor = product->args[i];
    const Term *rest = cofactor(l->table, product, factor);
    TermRange range = term_range(factor);
    if (!rest || term_range(rest).low < 0)
      continue;
    if (!term_is_open(range.high))
      add_product_bound(l, product, term_scale(l->table, rest, range.high));
    if (!term_is_open(range.low) && range.low != 0)
      add_product_bound(l, term_scale(l->table, rest, range.low), product);
  }
}

// From h * q + r <= 0 with h > 0: q <= 0 where r >= 0, q <= -1 where r >= 1.
static void divide_bound(Lemmas *l, const Term *condition, const Term *h) {
  SumView view;
  term_sum_view(condition->args[0], &view);
  const Term *q = term_int(l->table, 0), *r = term_int(l->table, view.number);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *factor = term_without_factor(l->table, view.parts[i].atom, h);
    const Term **sum = factor ? &q : &r;
    *sum = term_add(l->table, *sum,
                    term_scale(l->table, factor ? factor : view.parts[i].atom,
                               view.parts[i].coefficient));
  }
  int64_t number;
  if (term_is_constant(q, &number) || term_range(r).low < 0)
    return;
  add_le(l, q, term_int(l->table, term_range(r).low >= 1 ? -1 : 0));
}

static void divide_bounds(Lemmas *l, const Term *condition) {
  if (condition->kind != TERM_LE)
    return;
  SumView view;
  term_sum_view(condition->args[0], &view);
  const Term *last = NULL;
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *atom = view.parts[i].atom;
    for (uint32_t k = 0; atom->kind == TERM_MUL && k < atom->n_args; k++) {
      if (is_positive(atom->args[k]) && atom->args[k] != last)
        divide_bound(l, condition, atom->args[k]);
      last = atom->args[k];
    }
  }
}

// The least that the sum may be without its part i; false: there is no end.
static bool least_without(const SumView *view, uint32_t i, Wide *least) {
  *least = view->number;
  for (uint32_t k = 0; k < view->n; k++) {
    TermRange range = term_range(view->parts[k].atom);
    int64_t c = view->parts[k].coefficient,
            end = c > 0 ? range.low : range.high;
    if (k == i)
      continue;
    if (term_is_open(end))
      return false;
    *least += (Wide)c * end;
    if (*least > INT64_MAX || *least < INT64_MIN)
      return false;
  }
  return true;
}

// From a + h * q <= b by the ends of a and b alone: q is at most so many, if
// h >= 1 and q >= 0. Such an end other products may be multiplied by.
static void bound_factors(Lemmas *l, const Term *condition) {
  if (condition->kind != TERM_LE)
    return;
  SumView view;
  term_sum_view(condition->args[0], &view);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *product = view.parts[i].atom;
    int64_t c = view.parts[i].coefficient;
    Wide least;
    if (product->kind != TERM_MUL || c <= 0 || !least_without(&view, i, &least))
      continue;
    int64_t most = floor_div(term_clamp(-least), c);
    for (uint32_t k = 0; k < product->n_args; k++) {
      const Term *factor = product->args[k];
      const Term *rest = cofactor(l->table, product, factor);
      if (rest && is_positive(rest) && term_range(factor).low >= 0 &&
          most < term_range(factor).high)
        add_le(l, factor, term_int(l->table, most));
    }
  }
}

static bool solve_lemmas_has_product(const Lemmas *l) {
  for (uint32_t i = 0; i < l->n_atoms; i++)
    if (l->atoms[i]->kind == TERM_MUL)
      return true;
  return false;
}

void solve_lemmas(const Query *query, const Term *const *more, uint32_t n_more,
                  TermList *lemmas) {
  Lemmas *l = ARENA_NEW(query->arena, Lemmas);
  l->query = query;
  l->table = query->table;
  l->lemmas = lemmas;
  for (uint32_t i = 0; i < n_more; i++)
    note_atoms(l, more[i]);
  for (uint32_t i = 0; i < query->all.count; i++)
    note_atoms(l, query->all.data[i]);
  while (l->n_done < l->n_atoms)
    solve_lemmas_say(l, l->atoms[l->n_done++]);
  if (!solve_lemmas_has_product(l))
    return;
  for (uint32_t i = 0; i < n_more; i++)
    bound_factors(l, more[i]);
  for (uint32_t i = 0; i < query->all.count; i++)
    bound_factors(l, query->all.data[i]);
  for (uint32_t i = 0; i < n_more; i++)
    divide_bounds(l, more[i]);
  for (uint32_t i = 0; i < query->all.count; i++)
    divide_bounds(l, query->all.data[i]);
  for (uint32_t i = 0; i < n_more; i++)
    multiply_bound(l, more[i]);
  for (uint32_t i = 0; i < query->all.count; i++)
    multiply_bound(l, query->all.data[i]);
  uint32_t n = lemmas->count;
  for (uint32_t i = 0; i < n; i++)
    multiply_bound(l, lemmas->data[i]);
  n = query->has_intervals ? l->n_atoms : 0;
  for (uint32_t i = 0; i < n; i++)
    if (l->atoms[i]->kind == TERM_MUL)
      multiply_interval(l, l->atoms[i]);
  while (l->n_done < l->n_atoms)
    solve_lemmas_say(l, l->atoms[l->n_done++]);
}
