// SPDX-License-Identifier: Apache-2.0
// Counters that start over (stage) and bits that turn when they do (phase):
//
//   if (++stage == S) { stage = 0; phase ^= 1; }
//   stage = (stage + 1) % S;
//   stage ^= 1;
//
// are stage = (first + turn) mod S and phase = ((first + turn) div S + p)
// mod 2. The same with a period that only the launch knows,
//
//   if (++k == n) { k = 0; t += c; }
//
// k = (first + turn) mod n and t = its first + c * ((first + turn) div n).
#include "check/tree/induct.h"

enum { MAX_PERIODS = INDUCT_PERIODS, MAX_PERIOD = 4096 };

typedef struct {
  int64_t data[MAX_PERIODS];
  uint32_t n;
} Periods;

static void add_period(Periods *periods, int64_t period) {
  if (period < 2 || period > MAX_PERIOD || periods->n == MAX_PERIODS)
    return;
  for (uint32_t i = 0; i < periods->n; i++)
    if (periods->data[i] == period)
      return;
  periods->data[periods->n++] = period;
}

// Numbers in conditions on sums, and moduli.
static void find_periods(const Term *term, Periods *periods, uint32_t depth) {
  int64_t number;
  if (depth > 12)
    return;
  if (term->kind == TERM_MOD && term_is_constant(term->args[1], &number))
    add_period(periods, number);
  if ((term->kind == TERM_EQ || term->kind == TERM_LE) &&
      term->args[0]->kind == TERM_SUM) {
    number = term->args[0]->number;
    number = number < 0 ? -number : number;
    for (int64_t k = 0; k <= 2; k++)
      add_period(periods, number < MAX_PERIOD ? number + k : 0);
  }
  for (uint32_t i = 0; i < term->n_args; i++)
    find_periods(term->args[i], periods, depth + 1);
  for (uint32_t i = 0; term->kind == TERM_SUM && i < term->n_parts; i++)
    find_periods(term->parts[i].atom, periods, depth + 1);
}

uint32_t induct_periods(const Term *back, int64_t *numbers) {
  Periods periods = {.n = 0};
  find_periods(back, &periods, 0);
  for (uint32_t i = 0; i < periods.n; i++)
    numbers[i] = periods.data[i];
  return periods.n;
}

static const Term *induct_period_count_symbol(Induct *in, LoopVar *var,
                                              const Term *step) {
  TermTable *t = in->w->terms;
  int64_t low, high, least;
  term_interval(t, var->first, &least, &high);
  term_interval(t, step, &low, &high);
  Symbol model = *in->laws->turn;
  model.kind = SYMBOL_VALUE;
  model.name = "count";
  model.low = low >= 0 && least >= 0 ? 0 : INT64_MIN;
  model.high = INT64_MAX;
  var->count = term_symbol_new(t, &model);
  return term_of(t, var->count);
}

// A number, or what a loop around changes: of other values nothing is assumed.
static bool may_be_in(const Induct *in, const Term *first, int64_t period) {
  int64_t low, high;
  term_interval(in->w->terms, first, &low, &high);
  return first->kind == TERM_SYMBOL || (low >= 0 && high < period) ||
         in->w->dry == 0;
}

static bool accept_period(Induct *in, LoopVar *var, const Term *step,
                          int64_t period) {
  TermTable *t = in->w->terms;
  const Term *turn = term_of(t, in->laws->turn);
  const Term *by = term_int(t, period);
  const Term *law =
      term_mod(t, term_add(t, var->first, term_mul(t, step, turn)), by);
  if (!may_be_in(in, var->first, period) || !induct_may_be_law(in, var, law))
    return false;
  const Term *count = induct_period_count_symbol(in, var, step);
  if (!induct_proves_short(in, var, term_mod(t, count, by),
                           term_mod(t, term_add(t, count, step), by)))
    return false;
  const Term *in_range = term_and(t, term_le(t, term_int(t, 0), var->first),
                                  term_lt(t, var->first, by));
  if (!induct_proves_at_start(in, in_range)) {
    var->short_law = NULL;
    return false;
  }
  var->step = step;
  var->period = period;
  if (step == term_int(t, 1))
    var->period_term = by;
  induct_accept(in, var, law);
  return true;
}

// (x + c) mod S as it is
static bool induct_period_is_remainder(Induct *in, LoopVar *var,
                                       const Term *back, const Term **step,
                                       int64_t *period) {
  if (back->kind != TERM_MOD || !term_is_constant(back->args[1], period) ||
      *period > MAX_PERIOD)
    return false;
  TermTable *t = in->w->terms;
  *step = term_sub(t, back->args[0], term_of(t, var->symbol));
  return induct_is_outer(in, *step);
}

bool guess_period(Induct *in, LoopVar *var, const Term *back) {
  const Term *step;
  int64_t period;
  if (induct_period_is_remainder(in, var, back, &step, &period) &&
      accept_period(in, var, step, period))
    return true;
  Periods periods = {.n = 0};
  add_period(&periods, 2);
  find_periods(back, &periods, 0);
  // How far the first turn goes: 1 for most.
  const Term *first_turn =
      induct_put(in->w, back, var->symbol, term_int(in->w->terms, 0));
  int64_t by;
  if (!term_is_constant(first_turn, &by) || by == 0)
    by = 1;
  for (uint32_t i = 0; i < periods.n; i++)
    if (accept_period(in, var, term_int(in->w->terms, by), periods.data[i]))
      return true;
  return false;
}

// rounds of the stage + p, modulo 2
static const Term *induct_period_phase(TermTable *t, const LoopVar *stage,
                                       const Term *sum, const Term *start) {
  const Term *rounds = term_div(t, sum, term_int(t, stage->period));
  return term_mod(t, term_add(t, rounds, start), term_int(t, 2));
}

// The bit counts how often the other variable started over.
static bool accept_phase(Induct *in, LoopVar *var, const LoopVar *stage) {
  TermTable *t = in->w->terms;
  const Term *turn = term_of(t, in->laws->turn);
  const Term *sum = term_add(t, stage->first, term_mul(t, stage->step, turn));
  const Term *law = induct_period_phase(t, stage, sum, var->first);
  if (!induct_may_be_law(in, var, law))
    return false;
  Symbol model = {.kind = SYMBOL_VALUE, .name = "phase", .high = 1};
  const Term *start = term_of(t, term_symbol_new(t, &model));
  const Term *count = term_of(t, stage->count);
  if (!induct_proves_short(in, var, induct_period_phase(t, stage, count, start),
                           induct_period_phase(t, stage,
                                               term_add(t, count, stage->step),
                                               start)))
    return false;
  const Term *is_bit = term_and(t, term_le(t, term_int(t, 0), var->first),
                                term_le(t, var->first, term_int(t, 1)));
  if (!induct_proves_at_start(in, is_bit)) {
    var->short_law = NULL;
    return false;
  }
  induct_accept(in, var, law);
  return true;
}

bool guess_phase(Induct *in, LoopVar *var, const Term *back) {
  (void)back;
  for (uint32_t i = 0; i < in->laws->n; i++) {
    const LoopVar *stage = &in->laws->vars[i];
    if (stage != var && stage->law && stage->period > 0 &&
        accept_phase(in, var, stage))
      return true;
  }
  return false;
}

// ----------------------------------------------- a period that is a term

// Where x, below n, starts over: x + 1 == n, or what says the same of it.
static bool starts_over(TermTable *t, const Term *condition, const Term *x,
                        const Term *n) {
  const Term *next = term_add(t, x, term_int(t, 1));
  return condition == term_eq(t, next, n) || condition == term_le(t, n, next) ||
         condition == term_not(t, term_lt(t, next, n));
}

// c ? a : b, or the same with the opposite of c.
static bool is_either(TermTable *t, const Term *choice, bool is_opposite,
                      const Term *parts[3]) {
  if (choice->kind != TERM_ITE)
    return false;
  parts[0] = is_opposite ? term_not(t, choice->args[0]) : choice->args[0];
  parts[1] = choice->args[is_opposite ? 2 : 1];
  parts[2] = choice->args[is_opposite ? 1 : 2];
  return true;
}

// What a condition compares the head with; NULL: it is not about it alone.
static const Term *find_period(Induct *in, const LoopVar *var,
                               const Term *condition) {
  TermTable *t = in->w->terms;
  const Term *rest;
  int64_t factor;
  if (condition->kind == TERM_NOT)
    condition = condition->args[0];
  if ((condition->kind != TERM_EQ && condition->kind != TERM_LE) ||
      !term_split(t, condition->args[0], var->symbol, &factor, &rest) ||
      (factor != 1 && factor != -1) || !induct_is_outer(in, rest))
    return NULL;
  return term_scale(t, rest, -factor);
}

static bool accept_term_period(Induct *in, LoopVar *var, const Term *n) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  const Term *divisor = walk_divisor(w, n);
  const Term *in_range = term_and(t, term_le(t, term_int(t, 0), var->first),
                                  term_lt(t, var->first, n));
  if (!divisor || !induct_proves_at_start(in, in_range))
    return false;
  const Term *turn = term_of(t, in->laws->turn);
  var->period_term = divisor;
  induct_accept(in, var, term_mod(t, term_add(t, var->first, turn), divisor));
  return true;
}

// Note: no proof is needed. It starts in 0 … n - 1 and stays there: it is n - 1
// where it starts over, and else one more.
bool guess_term_period(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol);
  const Term *next = term_add(t, head, term_int(t, 1));
  for (int i = 0; i < 2; i++) {
    const Term *parts[3];
    if (!is_either(t, back, i, parts) || parts[1] != term_int(t, 0) ||
        parts[2] != next)
      continue;
    const Term *apart = find_period(in, var, parts[0]);
    for (int64_t k = 0; apart && k <= 2; k++) {
      const Term *n = term_add(t, apart, term_int(t, k));
      if (starts_over(t, parts[0], head, n) && accept_term_period(in, var, n))
        return true;
    }
  }
  return false;
}

// x + c where another variable starts over, else x.
bool guess_rounds(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol),
             *turn = term_of(t, in->laws->turn);
  for (uint32_t k = 0; k < 2 * in->laws->n; k++) {
    const LoopVar *other = &in->laws->vars[k / 2];
    const Term *parts[3];
    if (other == var || !other->law_term || !other->period_term ||
        !is_either(t, back, k % 2, parts) || parts[2] != head ||
        !starts_over(t, parts[0], other->law_term, other->period_term))
      continue;
    const Term *by = term_sub(t, parts[1], head);
    const Term *rounds =
        term_div(t, term_add(t, other->first, turn), other->period_term);
    if (!induct_is_outer(in, by))
      continue;
    induct_accept(in, var, term_add(t, var->first, term_mul(t, by, rounds)));
    return true;
  }
  return false;
}

const Term *induct_period_bound(Induct *in, LoopVar *var, const Term *back) {
  Periods periods = {.n = 0};
  find_periods(back, &periods, 0);
  for (uint32_t i = 0; i < periods.n; i++)
    if (induct_stays_below(in, var, back, periods.data[i]))
      return term_int(in->w->terms, periods.data[i] - 1);
  return NULL;
}
