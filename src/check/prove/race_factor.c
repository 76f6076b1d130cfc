// SPDX-License-Identifier: Apache-2.0
// Note [Symbolic digits]
// Of an equation h * q + r == 0, where q and r are differences of what the two
// sides have and h is a size, r may hold a part of q: (w + 1) * q + x is
// w * q + (q + x). With h' = h + k and x = r - k * q it is h' * q + x == 0. If
// -h' < x < h' that is so only where q == 0 and x == 0: two digits, like those
// of race_owner.c, but with a base that only the launch knows.
#include "check/prove/race.h"
#include "check/term/term_table.h"

typedef struct {
  const Term *base, *high, *low; // base * high + low
} Digits;

// What a factor is multiplied by in the sum, and the rest of it.
static Digits by_factor(TermTable *t, const SumView *view, const Term *factor) {
  Digits d = {factor, term_int(t, 0), term_int(t, view->number)};
  for (uint32_t i = 0; i < view->n; i++) {
    const Term *atom = view->parts[i].atom;
    const Term *rest =
        atom->kind == TERM_MUL ? term_without_factor(t, atom, factor) : NULL;
    const Term **sum = rest ? &d.high : &d.low;
    *sum = term_add(
        t, *sum, term_scale(t, rest ? rest : atom, view->parts[i].coefficient));
  }
  return d;
}

// How often the sum holds the other one, by its first part.
static int64_t times(const Term *sum, const Term *other) {
  SumView view, part;
  term_sum_view(sum, &view);
  term_sum_view(other, &part);
  for (uint32_t i = 0; i < view.n && part.n > 0; i++)
    if (view.parts[i].atom == part.parts[0].atom &&
        part.parts[0].coefficient != 0 &&
        view.parts[i].coefficient % part.parts[0].coefficient == 0)
      return view.parts[i].coefficient / part.parts[0].coefficient;
  return 0;
}

static bool are_digits(const Pair *pair, Digits *d) {
  TermTable *t = pair->race->terms;
  int64_t number, k = times(d->low, d->high);
  if (term_is_constant(d->high, &number) || k == 0 || k == INT64_MIN)
    return false;
  d->base = term_add(t, d->base, term_int(t, k));
  d->low = term_sub(t, d->low, term_scale(t, d->high, k));
  const Term *above = term_lt(t, term_sub(t, term_int(t, 0), d->base), d->low);
  const Term *below = term_lt(t, d->low, d->base);
  return solver_proves(pair->race->check->solver, NULL,
                       term_and(t, above, below));
}

// The digits of one equation are 0.
static void race_factor_split(const Pair *pair, const Term *zero,
                              TermList *list) {
  TermTable *t = pair->race->terms;
  const Term *none = term_int(t, 0), *last = NULL;
  SumView view;
  term_sum_view(zero, &view);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *atom = view.parts[i].atom;
    for (uint32_t k = 0; atom->kind == TERM_MUL && k < atom->n_args; k++) {
      const Term *factor = atom->args[k];
      if (factor == last || factor->kind != TERM_SYMBOL ||
          factor->symbol->kind != SYMBOL_LAUNCH)
        continue;
      last = factor;
      Digits d = by_factor(t, &view, factor);
      if (!are_digits(pair, &d))
        continue;
      VEC_PUSH(pair->race->arena, list, term_eq(t, d.high, none));
      VEC_PUSH(pair->race->arena, list, term_eq(t, d.low, none));
      return;
    }
  }
}

void race_split_digits(const Pair *pair, const TermList *zeros,
                       TermList *list) {
  for (uint32_t i = 0; i < zeros->count; i++)
    race_factor_split(pair, zeros->data[i], list);
}
