// SPDX-License-Identifier: Apache-2.0
// Sums and products: integer terms in their normal form.
#include "base/panic.h"
#include "check/term/term_table.h"
#include <stdlib.h>
#include <string.h>

void term_sum_view(const Term *term, SumView *view) {
  if (term->kind == TERM_SUM) {
    view->number = term->number;
    view->n = term->n_parts;
    view->parts = term->parts;
    return;
  }
  view->number = 0;
  view->n = 1;
  view->own = (TermPart){term, 1};
  view->parts = &view->own;
}

uint64_t term_gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint64_t term_sum_gcd(const SumView *view) {
  uint64_t gcd = 0;
  for (uint32_t i = 0; i < view->n; i++) {
    int64_t c = view->parts[i].coefficient;
    gcd = term_gcd(gcd, c < 0 ? 0 - (uint64_t)c : (uint64_t)c);
  }
  return gcd;
}

const Term *term_int(TermTable *table, int64_t number) {
  return term_intern(table, &(Term){.kind = TERM_SUM, .number = number});
}

static int compare_parts(const void *a, const void *b) {
  const TermPart *x = a, *y = b;
  return x->atom->id < y->atom->id ? -1 : x->atom->id > y->atom->id;
}

static const Term *rejoin(TermTable *table, int64_t number,
                          const TermPart *parts, uint32_t n);

const Term *term_sum_unjoined(TermTable *table, int64_t number, TermPart *parts,
                              uint32_t n) {
  qsort(parts, n, sizeof *parts, compare_parts);
  uint32_t n_left = 0;
  for (uint32_t i = 0; i < n; i++) {
    TermPart part = parts[i];
    while (i + 1 < n && parts[i + 1].atom == part.atom)
      if (__builtin_add_overflow(part.coefficient, parts[++i].coefficient,
                                 &part.coefficient))
        return term_lost(table);
    if (part.coefficient == INT64_MIN || n_left == TERM_MAX_PARTS)
      return term_lost(table);
    if (part.coefficient)
      parts[n_left++] = part;
  }
  return term_intern(table, &(Term){.kind = TERM_SUM,
                                    .number = number,
                                    .n_parts = n_left,
                                    .parts = parts});
}

const Term *term_sum_make(TermTable *table, int64_t number, TermPart *parts,
                          uint32_t n) {
  if (n > TERM_MAX_PARTS)
    return term_lost(table);
  bool is_sorted = true;
  for (uint32_t i = 0; i < n; i++) {
    if (parts[i].coefficient == INT64_MIN)
      return term_lost(table);
    is_sorted =
        is_sorted && (i == 0 || parts[i - 1].atom->id < parts[i].atom->id);
  }
  if (!is_sorted)
    qsort(parts, n, sizeof *parts, compare_parts);
  const Term *joined = n > 1 ? rejoin(table, number, parts, n) : NULL;
  if (joined)
    return joined;
  if (n == 1 && number == 0 && parts[0].coefficient == 1)
    return parts[0].atom;
  return term_intern(table, &(Term){.kind = TERM_SUM,
                                    .number = number,
                                    .n_parts = n,
                                    .parts = parts});
}

// ------------------------------------------------------ quotient and remainder

static int64_t coefficient_of(const TermPart *parts, uint32_t n,
                              const Term *atom) {
  for (uint32_t i = 0; i < n; i++)
    if (parts[i].atom == atom)
      return parts[i].coefficient;
  return 0;
}

// The sum without the atoms a and b, plus `factor` * `term`.
static const Term *term_sum_exchange(TermTable *table, int64_t number,
                                     const TermPart *parts, uint32_t n,
                                     const Term *a, const Term *b,
                                     int64_t factor, const Term *term) {
  TermPart rest[TERM_MAX_PARTS];
  uint32_t n_rest = 0;
  for (uint32_t i = 0; i < n; i++)
    if (parts[i].atom != a && parts[i].atom != b)
      rest[n_rest++] = parts[i];
  return term_add(table, term_sum_make(table, number, rest, n_rest),
                  term_scale(table, term, factor));
}

// x mod b where the atom is `x mod b > 0 ? 1 : 0`, else NULL.
static const Term *rounding_of(TermTable *table, const Term *atom) {
  int64_t yes, no;
  if (atom->kind != TERM_ITE || !term_is_constant(atom->args[1], &yes) ||
      !term_is_constant(atom->args[2], &no))
    return NULL;
  const Term *condition = atom->args[0], *rest;
  if (condition->kind == TERM_EQ && yes == 0 && no == 1) {
    rest = condition->args[0];
  } else if (condition->kind == TERM_LE && yes == 1 && no == 0) {
    rest = term_sub(table, term_int(table, 1), condition->args[0]);
  } else {
    return NULL;
  }
  return rest->kind == TERM_MOD ? rest : NULL;
}

// c * (x mod b) + c * b * (x div b)             ->  c * x
// c * x - c * b * (x div b)                     ->  c * (x mod b), x an atom
// c * (x div b) + c * (x mod b > 0 ? 1 : 0)     ->  c * ((x + b - 1) div b)
// for constant b; NULL where none is there.
static const Term *rejoin(TermTable *table, int64_t number,
                          const TermPart *parts, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const Term *atom = parts[i].atom;
    int64_t c = parts[i].coefficient, b, whole;
    const Term *rounding = rounding_of(table, atom);
    if (rounding && term_is_constant(rounding->args[1], &b)) {
      const Term *x = rounding->args[0], *divisor = rounding->args[1];
      const Term *quotient = term_div(table, x, divisor);
      const Term *above = term_add(table, x, term_int(table, b - 1));
      if (coefficient_of(parts, n, quotient) == c)
        return term_sum_exchange(table, number, parts, n, atom, quotient, c,
                                 term_div(table, above, divisor));
    }
    if ((atom->kind != TERM_MOD && atom->kind != TERM_DIV) ||
        !term_is_constant(atom->args[1], &b))
      continue;
    const Term *x = atom->args[0];
    if (atom->kind == TERM_MOD) {
      if (__builtin_mul_overflow(c, b, &whole))
        continue;
      const Term *quotient = term_div(table, x, atom->args[1]);
      if (coefficient_of(parts, n, quotient) == whole)
        return term_sum_exchange(table, number, parts, n, atom, quotient, c, x);
    } else if (x->kind != TERM_SUM && c % b == 0 &&
               coefficient_of(parts, n, x) == -(c / b)) {
      const Term *rest = term_mod(table, x, atom->args[1]);
      return term_sum_exchange(table, number, parts, n, atom, x, -(c / b),
                               rest);
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ arithmetic

// a + factor * b; parts has room for both. False: overflow.
static bool merge(const SumView *a, const SumView *b, int64_t factor,
                  TermPart *parts, uint32_t *n, int64_t *number) {
  int64_t scaled;
  if (__builtin_mul_overflow(b->number, factor, &scaled) ||
      __builtin_add_overflow(a->number, scaled, number))
    return false;
  uint32_t i = 0, k = 0;
  *n = 0;
  while (i < a->n || k < b->n) {
    TermPart part = {0};
    bool take_a =
        i < a->n && (k == b->n || a->parts[i].atom->id <= b->parts[k].atom->id);
    bool take_b =
        k < b->n && (i == a->n || b->parts[k].atom->id <= a->parts[i].atom->id);
    if (take_a)
      part = a->parts[i++];
    if (take_b) {
      part.atom = b->parts[k].atom;
      if (__builtin_mul_overflow(b->parts[k++].coefficient, factor, &scaled) ||
          __builtin_add_overflow(part.coefficient, scaled, &part.coefficient))
        return false;
    }
    if (part.coefficient)
      parts[(*n)++] = part;
  }
  return true;
}

static const Term *add_scaled(TermTable *table, const Term *a, const Term *b,
                              int64_t factor) {
  HD_ASSERT(term_is_int(a) && term_is_int(b));
  SumView x, y;
  term_sum_view(a, &x);
  term_sum_view(b, &y);
  TermPart parts[2 * TERM_MAX_PARTS];
  uint32_t n;
  int64_t number;
  if (!merge(&x, &y, factor, parts, &n, &number))
    return term_lost(table);
  return term_sum_make(table, number, parts, n);
}

const Term *term_add(TermTable *table, const Term *a, const Term *b) {
  return add_scaled(table, a, b, 1);
}

const Term *term_sub(TermTable *table, const Term *a, const Term *b) {
  return add_scaled(table, a, b, -1);
}

const Term *term_scale(TermTable *table, const Term *a, int64_t factor) {
  HD_ASSERT(term_is_int(a));
  if (factor == 1)
    return a;
  return add_scaled(table, term_int(table, 0), a, factor);
}

// -------------------------------------------------------------------- products

#define MAX_FACTORS 16

static int compare_terms(const void *a, const void *b) {
  const Term *const *x = a, *const *y = b;
  return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static void add_factors(const Term *atom, const Term **factors, uint32_t *n) {
  if (atom->kind != TERM_MUL) {
    factors[(*n)++] = atom;
    return;
  }
  memcpy(factors + *n, atom->args, atom->n_args * sizeof *atom->args);
  *n += atom->n_args;
}

static uint32_t count_factors(const Term *atom) {
  return atom->kind == TERM_MUL ? atom->n_args : 1;
}

// Product of two that aren't constant, unexpanded.
static const Term *multiply_atoms(TermTable *table, const Term *a,
                                  const Term *b) {
  if (count_factors(a) + count_factors(b) > MAX_FACTORS)
    return term_lost(table);
  const Term *factors[MAX_FACTORS];
  uint32_t n = 0;
  add_factors(a, factors, &n);
  add_factors(b, factors, &n);
  qsort(factors, n, sizeof *factors, compare_terms);
  return term_intern(table,
                     &(Term){.kind = TERM_MUL, .n_args = n, .args = factors});
}

// sum + part i of x * part k of y, where the part after the last is the number.
static const Term *term_sum_add_product(TermTable *table, const Term *sum,
                                        const SumView *x, uint32_t i,
                                        const SumView *y, uint32_t k) {
  int64_t c = i == x->n ? x->number : x->parts[i].coefficient;
  int64_t d = k == y->n ? y->number : y->parts[k].coefficient;
  int64_t product;
  if (__builtin_mul_overflow(c, d, &product))
    return term_lost(table);
  if (product == 0)
    return sum;
  const Term *atom;
  if (i == x->n)
    atom = y->parts[k].atom;
  else if (k == y->n)
    atom = x->parts[i].atom;
  else
    atom = multiply_atoms(table, x->parts[i].atom, y->parts[k].atom);
  return add_scaled(table, sum, atom, product);
}

// Expanded, so that equal polynomials are equal; large ones stay as they are.
#define MAX_EXPANDED 64

const Term *term_mul(TermTable *table, const Term *a, const Term *b) {
  HD_ASSERT(term_is_int(a) && term_is_int(b));
  int64_t number;
  if (term_is_constant(a, &number))
    return term_scale(table, b, number);
  if (term_is_constant(b, &number))
    return term_scale(table, a, number);
  SumView x, y;
  term_sum_view(a, &x);
  term_sum_view(b, &y);
  if (x.n * y.n > MAX_EXPANDED)
    return multiply_atoms(table, a, b);
  Wide constant = (Wide)x.number * y.number;
  if (constant < INT64_MIN || constant > INT64_MAX)
    return term_lost(table);
  const Term *sum = term_int(table, (int64_t)constant);
  for (uint32_t i = 0; i <= x.n; i++)
    for (uint32_t k = 0; k <= y.n; k++)
      if (i < x.n || k < y.n)
        sum = term_sum_add_product(table, sum, &x, i, &y, k);
  return sum;
}
