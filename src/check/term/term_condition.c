// SPDX-License-Identifier: Apache-2.0
// Conditions: comparisons of sums with 0, and what joins them.
#include "base/bits.h"
#include "base/panic.h"
#include "check/term/term_table.h"
#include <stdlib.h>

const Term *term_true(TermTable *table) {
  return table->always;
}

const Term *term_false(TermTable *table) {
  return table->never;
}

static const Term *term_condition_known(TermTable *table, bool holds) {
  return holds ? table->always : table->never;
}

static const Term *intern1(TermTable *table, TermKind kind, const Term *arg) {
  return term_intern(table, &(Term){.kind = kind, .n_args = 1, .args = &arg});
}

const Term *term_compare_unjoined(TermTable *table, TermKind kind,
                                  const Term *sum) {
  return intern1(table, kind, sum);
}

// The sum with all coefficients and the number divided by `factor`; the
// coefficients are multiples of it, the number is given.
static const Term *divided(TermTable *table, const SumView *view,
                           int64_t factor, int64_t number) {
  TermPart parts[TERM_MAX_PARTS];
  for (uint32_t i = 0; i < view->n; i++)
    parts[i] =
        (TermPart){view->parts[i].atom, view->parts[i].coefficient / factor};
  return term_sum_make(table, number, parts, view->n);
}

static const Term *term_condition_compare(TermTable *table, TermKind kind,
                                          const Term *sum);

// c * (p ? a : b) + n compared with 0, where that is settled for a or for b:
// then the choice goes away. NULL: it isn't.
static const Term *compare_choice(TermTable *table, TermKind kind,
                                  const SumView *view) {
  if (view->n != 1 || view->parts[0].atom->kind != TERM_ITE)
    return NULL;
  const Term *choice = view->parts[0].atom, *arm[2];
  for (int i = 0; i < 2; i++)
    arm[i] =
        term_condition_compare(table, kind,
                               term_add(table,
                                        term_scale(table, choice->args[i + 1],
                                                   view->parts[0].coefficient),
                                        term_int(table, view->number)));
  if (arm[0]->kind != TERM_TRUE && arm[0]->kind != TERM_FALSE &&
      arm[1]->kind != TERM_TRUE && arm[1]->kind != TERM_FALSE)
    return NULL;
  const Term *condition = choice->args[0];
  return term_or(table, term_and(table, condition, arm[0]),
                 term_and(table, term_not(table, condition), arm[1]));
}

static const Term *compare_le(TermTable *table, const Term *sum) {
  TermRange range = term_range(sum);
  if (range.high <= 0)
    return table->always;
  if (range.low > 0)
    return table->never;
  SumView view;
  term_sum_view(sum, &view);
  int64_t gcd = (int64_t)term_sum_gcd(&view);
  if (gcd > 1) { // g * x + n <= 0  <=>  x + ceil(n / g) <= 0
    int64_t up = floor_div(view.number, gcd);
    up += view.number % gcd != 0;
    sum = divided(table, &view, gcd, up);
  }
  return intern1(table, TERM_LE, sum);
}

static const Term *compare_eq(TermTable *table, const Term *sum) {
  TermRange range = term_range(sum);
  if (range.low > 0 || range.high < 0)
    return table->never;
  SumView view;
  term_sum_view(sum, &view);
  int64_t gcd = (int64_t)term_sum_gcd(&view);
  if (view.n == 0)
    return term_condition_known(table, view.number == 0);
  if (view.number % gcd != 0)
    return table->never;
  if (view.parts[0].coefficient < 0 && view.number != INT64_MIN)
    gcd = -gcd; // x = 0 and -x = 0 are one
  if (gcd != 1)
    sum = divided(table, &view, gcd, view.number / gcd);
  return intern1(table, TERM_EQ, sum);
}

// sum without a positive factor that all of it has; NULL: there is none.
static const Term *without_common(TermTable *table, const SumView *view) {
  if (view->number != 0 || view->n == 0 ||
      view->parts[0].atom->kind != TERM_MUL)
    return NULL;
  const Term *first = view->parts[0].atom;
  for (uint32_t k = 0; k < first->n_args; k++) {
    const Term *factor = first->args[k], *sum = term_int(table, 0);
    if (term_range(factor).low < 1)
      continue;
    for (uint32_t i = 0; sum && i < view->n; i++) {
      const Term *rest =
          term_without_factor(table, view->parts[i].atom, factor);
      sum = rest ? term_add(table, sum,
                            term_scale(table, rest, view->parts[i].coefficient))
                 : NULL;
    }
    if (sum)
      return sum;
  }
  return NULL;
}

// x ^ a = y ^ a  <=>  x = y;  2^x = 2^y  <=>  x = y. NULL: something else.
static const Term *without_wrapper(TermTable *table, const SumView *view) {
  if (view->n != 2 || view->number != 0 ||
      view->parts[0].coefficient + view->parts[1].coefficient != 0)
    return NULL;
  const Term *a = view->parts[0].atom, *b = view->parts[1].atom;
  if (a->kind == TERM_SHL && b->kind == TERM_SHL)
    return term_sub(table, a->args[1], b->args[1]);
  if (a->kind != TERM_XOR || b->kind != TERM_XOR)
    return NULL;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (a->args[i] == b->args[k])
        return term_sub(table, a->args[1 - i], b->args[1 - k]);
  return NULL;
}

// c * y + n <= 0 where y <= this, for c > 0; where y >= this, for c < 0.
static int64_t term_condition_end_of(int64_t c, int64_t n) {
  int64_t size = c < 0 ? -c : c;
  HD_ASSERT(size > 0);
  return c > 0 ? floor_div(-n, size) : -floor_div(-n, size);
}

// c * 2^x + n compared with 0 says where x ends. NULL: something else.
static const Term *compare_power(TermTable *table, TermKind kind,
                                 const SumView *view) {
  if (view->n != 1 || view->parts[0].atom->kind != TERM_SHL ||
      view->number == INT64_MIN || view->parts[0].coefficient == INT64_MIN)
    return NULL;
  const Term *x = view->parts[0].atom->args[1];
  int64_t c = view->parts[0].coefficient, n = view->number;
  if (kind == TERM_EQ) {
    if (n % c != 0 || -(n / c) < 1)
      return table->never;
    int64_t power = -(n / c), exponent = bits_log2((uint64_t)power);
    return power == (int64_t)1 << exponent
               ? term_eq(table, x, term_int(table, exponent))
               : table->never;
  }
  int64_t bound = term_condition_end_of(c, n);
  if (c > 0) // 2^x <= bound
    return bound < 1
               ? table->never
               : term_le(table, x, term_int(table, bits_log2((uint64_t)bound)));
  if (bound <= 1) // 2^x >= bound
    return table->always;
  int64_t exponent = bits_log2((uint64_t)bound - 1) + 1;
  return term_le(table, term_int(table, exponent), x);
}

// Whether K / 2^x <= bound, or where `is_least` whether it is >= bound, says
// where x ends: K / 2^x >= m, for m >= 1, where 2^x <= K / m.
static const Term *compare_halves(TermTable *table, int64_t k, const Term *x,
                                  int64_t bound, bool is_least) {
  int64_t least = is_least ? bound : bound + 1;
  if (least <= 0)
    return term_condition_known(table, is_least);
  int64_t most = k / least;
  const Term *holds =
      most < 1 ? table->never
               : term_le(table, x, term_int(table, bits_log2((uint64_t)most)));
  return is_least ? holds : term_not(table, holds);
}

// c * (K / 2^x) + n <= 0. NULL: something else.
static const Term *compare_quotient(TermTable *table, const SumView *view) {
  const Term *atom = view->n == 1 ? view->parts[0].atom : NULL;
  int64_t k;
  if (!atom || atom->kind != TERM_DIV || atom->args[1]->kind != TERM_SHL ||
      !term_is_constant(atom->args[0], &k) || k < 0 ||
      view->number == INT64_MIN || view->parts[0].coefficient == INT64_MIN)
    return NULL;
  const Term *x = atom->args[1]->args[1];
  int64_t c = view->parts[0].coefficient, n = view->number;
  int64_t bound = term_condition_end_of(c, n);
  if (bound == INT64_MAX)
    return NULL;
  return compare_halves(table, k, x, bound, c < 0);
}

// (x & p) == 0 for a power of two p is a remainder; NULL: something else.
static const Term *without_mask(TermTable *table, const SumView *view) {
  if (view->n != 1 || view->number != 0 ||
      view->parts[0].atom->kind != TERM_AND)
    return NULL;
  const Term *a = view->parts[0].atom->args[0];
  const Term *b = view->parts[0].atom->args[1];
  for (int i = 0; i < 2; i++) {
    const Term *power = i ? a : b, *x = i ? b : a;
    if (power->kind == TERM_SHL ||
        (power->symbol && power->symbol->is_power_of_two))
      return term_mod(table, term_div(table, x, power), term_int(table, 2));
  }
  return NULL;
}

static const Term *term_condition_compare(TermTable *table, TermKind kind,
                                          const Term *sum) {
  SumView view;
  term_sum_view(sum, &view);
  const Term *simpler = without_common(table, &view);
  if (!simpler && kind == TERM_EQ)
    simpler = without_wrapper(table, &view);
  if (!simpler && kind == TERM_EQ)
    simpler = without_mask(table, &view);
  if (simpler)
    return term_condition_compare(table, kind, simpler);
  const Term *simple = compare_choice(table, kind, &view);
  if (!simple)
    simple = compare_power(table, kind, &view);
  if (!simple && kind == TERM_LE)
    simple = compare_quotient(table, &view);
  if (simple)
    return simple;
  return kind == TERM_LE ? compare_le(table, sum) : compare_eq(table, sum);
}

const Term *term_le(TermTable *table, const Term *a, const Term *b) {
  return term_condition_compare(table, TERM_LE, term_sub(table, a, b));
}

const Term *term_lt(TermTable *table, const Term *a, const Term *b) {
  return term_le(table, term_add(table, a, term_int(table, 1)), b);
}

const Term *term_eq(TermTable *table, const Term *a, const Term *b) {
  return term_condition_compare(table, TERM_EQ, term_sub(table, a, b));
}

const Term *term_ne(TermTable *table, const Term *a, const Term *b) {
  return term_not(table, term_eq(table, a, b));
}

// ------------------------------------------------------------------- junctions

// Nested ones of the same kind become one, up to this many.
#define MAX_FLAT TERM_MAX_ARGS

typedef struct {
  const Term *data[MAX_FLAT + 1];
  uint32_t count;
} TermList;

static void term_condition_add_flat(TermKind kind, const Term *term,
                                    TermList *list) {
  if (term->kind != kind || term->n_args + list->count > MAX_FLAT) {
    list->data[list->count++] = term;
    return;
  }
  for (uint32_t i = 0; i < term->n_args; i++)
    list->data[list->count++] = term->args[i];
}

static int term_condition_compare_ids(const void *a, const void *b) {
  const Term *const *x = a, *const *y = b;
  return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static bool has_term(const TermList *sorted, const Term *term) {
  return term && bsearch(&term, sorted->data, sorted->count, sizeof term,
                         term_condition_compare_ids) != NULL;
}

static void sort_and_drop_equals(TermList *list) {
  qsort(list->data, list->count, sizeof *list->data,
        term_condition_compare_ids);
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->count; i++)
    if (n == 0 || list->data[n - 1] != list->data[i])
      list->data[n++] = list->data[i];
  list->count = n;
}

static const Term *intern_list(TermTable *table, TermKind kind,
                               TermList *list) {
  sort_and_drop_equals(list);
  for (uint32_t i = 0; i < list->count; i++)
    if (has_term(list, term_node(list->data[i])->negation))
      return term_condition_known(table, kind == TERM_SOME);
  if (list->count == 0)
    return term_condition_known(table, kind == TERM_ALL);
  if (list->count == 1)
    return list->data[0];
  return term_intern(
      table, &(Term){.kind = kind, .n_args = list->count, .args = list->data});
}

const Term *term_junction(TermTable *table, TermKind kind,
                          const Term *const *terms, uint32_t n) {
  // What decides it alone: FALSE for all, TRUE for some.
  const Term *end = term_condition_known(table, kind == TERM_SOME);
  const Term *neutral = term_condition_known(table, kind == TERM_ALL);
  TermList list;
  list.count = 0;
  for (uint32_t i = 0; i < n; i++) {
    HD_ASSERT(!term_is_int(terms[i]));
    if (terms[i] == end)
      return end;
    if (list.count >= MAX_FLAT) { // full: what is there becomes one of them
      list.data[0] = intern_list(table, kind, &list);
      list.count = 1;
    }
    if (terms[i] != neutral)
      term_condition_add_flat(kind, terms[i], &list);
  }
  return intern_list(table, kind, &list);
}

static const Term *junction2(TermTable *table, TermKind kind, const Term *a,
                             const Term *b) {
  const Term *both[2] = {a, b};
  return a == b ? a : term_junction(table, kind, both, 2);
}

const Term *term_and(TermTable *table, const Term *a, const Term *b) {
  return junction2(table, TERM_ALL, a, b);
}

const Term *term_or(TermTable *table, const Term *a, const Term *b) {
  return junction2(table, TERM_SOME, a, b);
}

// -------------------------------------------------------------------- negation

static const Term *negate_all(TermTable *table, TermKind kind, const Term *a) {
  const Term *args[MAX_FLAT + 1];
  HD_ASSERT(a->n_args <= MAX_FLAT + 1);
  for (uint32_t i = 0; i < a->n_args; i++)
    args[i] = term_not(table, a->args[i]);
  return term_junction(table, kind, args, a->n_args);
}

static const Term *term_condition_negate(TermTable *table, const Term *a) {
  switch (a->kind) {
  case TERM_TRUE: return table->never;
  case TERM_FALSE: return table->always;
  case TERM_NOT: return a->args[0];
  case TERM_LE: // not (x <= 0)  <=>  1 - x <= 0
    return term_le(table, term_int(table, 1), a->args[0]);
  case TERM_ALL: return negate_all(table, TERM_SOME, a);
  case TERM_SOME: return negate_all(table, TERM_ALL, a);
  case TERM_EQ: return intern1(table, TERM_NOT, a);
  case TERM_SUM:
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_DIV:
  case TERM_MOD:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY: break;
  }
  HD_PANIC("negation of an integer");
}

const Term *term_not(TermTable *table, const Term *a) {
  TermNode *node = term_node(a);
  if (!node->negation) {
    node->negation = term_condition_negate(table, a);
    if (!term_node(node->negation)->negation)
      term_node(node->negation)->negation = a;
  }
  return node->negation;
}
