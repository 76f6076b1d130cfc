// SPDX-License-Identifier: Apache-2.0
// Variables that go with a counter of barriers (walk_count.c): stages and
// phases of rings, whatever the loops around them do.
//
// Note [Following]. Let H be what the counter is at the head of a turn, any
// number that it may be. The law of another variable may be a term of H,
//
//   stage = (H + c) mod S      phase = ((H + c) div S + p) mod 2      H + c
//   e ? H + c : start, where no turn changes e
//
// which is right if it holds before the loop, where H is what the counter
// starts with, and if from a turn at whose head it holds the variable ends with
// the law's value at what the counter ends with. So it holds at every head, the
// one behind the last turn too. Where the counter has a law of the turn, that
// is put in H's place; the proof needs nothing of it, so it is short. Where it
// has none, because a loop inside makes another number of turns each time, or
// only some turns go on, H stays, a symbol of the turn.
#include "check/tree/induct.h"

typedef struct {
  Induct *in;
  LoopVar *counter;
  const Symbol *symbol;           // H
  const Term *start, *now, *next; // of the counter: `now` is H
} Follow;

// ------------------------------------------------------------- what is equal

static const Term *remainder_of(TermTable *t, const Term *count, int64_t c,
                                int64_t period) {
  return term_mod(t, term_add(t, count, term_int(t, c)), term_int(t, period));
}

// x div S, where x = a mod S + b, for a part `a div S` beside it.
static const Term *induct_follow_joined(TermTable *t, const Term *quotient,
                                        const Term *whole) {
  const Term *by = quotient->args[1], *x = quotient->args[0];
  if (whole->args[1] != by || x->kind != TERM_SUM)
    return NULL;
  const Term *rest = term_mod(t, whole->args[0], by);
  for (uint32_t i = 0; i < x->n_parts; i++)
    if (x->parts[i].atom == rest && x->parts[i].coefficient == 1)
      return term_div(t, term_add(t, term_sub(t, x, rest), whole->args[0]), by);
  return NULL;
}

// (a mod S + b) div S + a div S is (a + b) div S.
static const Term *join_quotients(TermTable *t, const Term *sum) {
  for (uint32_t i = 0; sum->kind == TERM_SUM && i < sum->n_parts; i++)
    for (uint32_t k = 0; k < sum->n_parts; k++) {
      const TermPart *a = &sum->parts[i], *b = &sum->parts[k];
      if (i == k || a->atom->kind != TERM_DIV || b->atom->kind != TERM_DIV ||
          a->coefficient != 1 || b->coefficient != 1)
        continue;
      const Term *one = induct_follow_joined(t, a->atom, b->atom);
      if (one)
        return join_quotients(
            t,
            term_add(t, one, term_sub(t, sum, term_add(t, a->atom, b->atom))));
    }
  return sum;
}

static bool is_remainder(const Term *term, int64_t *period) {
  return term->kind == TERM_MOD && term_is_constant(term->args[1], period);
}

// Of remainders their form decides, without a proof.
static bool induct_follow_are_equal(Follow *f, const Term *a, const Term *b) {
  TermTable *t = f->in->w->terms;
  int64_t period, other, apart;
  if (a == b)
    return true;
  if (is_remainder(a, &period) && is_remainder(b, &other) && period == other) {
    const Term *x = join_quotients(t, a->args[0]);
    const Term *y = join_quotients(t, b->args[0]);
    return term_is_constant(term_sub(t, x, y), &apart) && apart % period == 0;
  }
  return induct_proves_at_back(f->in, term_eq(t, a, b));
}

// ----------------------------------------------------------------------- laws

// The variable is `law` at a head, starts with `at_start`, and is `next` at the
// turn's end.
typedef struct {
  const Term *at_start, *law, *next;
} FollowLaw;

// Nothing is assumed of a loop around: it might not be so.
static bool starts_so(Follow *f, const LoopVar *var, const FollowLaw *law) {
  Walk *w = f->in->w;
  int64_t a, b;
  if (law->at_start == var->first)
    return true;
  bool are_numbers =
      term_is_constant(law->at_start, &a) && term_is_constant(var->first, &b);
  if (are_numbers || w->dry > 1)
    return false;
  return solver_proves(w->quick, path_now(w),
                       term_eq(w->terms, law->at_start, var->first));
}

static bool induct_follow_holds(Follow *f, LoopVar *var, const FollowLaw *law) {
  Induct *in = f->in;
  if (!starts_so(f, var, law))
    return false;
  var->law_term = law->law;
  const Term *after =
      term_replace(in->w->terms, var->back_term, induct_replace, in->laws);
  bool is_right = induct_follow_are_equal(f, after, law->next);
  var->law_term = NULL;
  if (is_right)
    induct_accept(in, var, law->law);
  return is_right;
}

// Small numbers don't show that it isn't.
static bool may_be_sum(Follow *f, LoopVar *var, const FollowLaw *law) {
  enum { COUNTS = 8 };

  Walk *w = f->in->w;
  var->law_term = law->law;
  const Term *after =
      term_replace(w->terms, var->back_term, induct_replace, f->in->laws);
  var->law_term = NULL;
  const Term *apart = term_sub(w->terms, after, law->next);
  for (int64_t n = 0; n < COUNTS; n++) {
    int64_t by;
    const Term *at = induct_put(w, apart, f->symbol, term_int(w->terms, n));
    if (term_is_constant(at, &by) && by != 0)
      return false;
  }
  return true;
}

// A choice that no turn changes, between the head and something else: NULL, or
// when it is something else.
static const Term *find_part(const Follow *f, const Term *term,
                             const Term *head, uint32_t depth) {
  enum { MAX_DEPTH = 4 };

  if (term->kind != TERM_ITE || depth > MAX_DEPTH)
    return NULL;
  const Term *condition = term->args[0];
  bool is_part = term->args[1] == head || term->args[2] == head;
  if (is_part && induct_is_outer(f->in, condition))
    return term->args[2] == head ? condition
                                 : term_not(f->in->w->terms, condition);
  const Term *found = find_part(f, term->args[1], head, depth + 1);
  return found ? found : find_part(f, term->args[2], head, depth + 1);
}

// Of a counter that only some threads change: which ones; no turn changes that.
static const Term *changed_where(Follow *f, LoopVar *var) {
  Induct *in = f->in;
  TermTable *t = in->w->terms;
  const Term *back = term_replace(t, var->back_term, induct_replace, in->laws);
  const Term *where = walk_is_counter(in->w, var->var)
                          ? find_part(f, back, term_of(t, var->symbol), 0)
                          : NULL;
  return where ? where : term_true(t);
}

// The law, and what is next, are what it started with plus `law` and `next`.
static bool adds(Follow *f, LoopVar *var, const Term *law, const Term *next) {
  TermTable *t = f->in->w->terms;
  const Term *where = changed_where(f, var), *first = var->first;
  FollowLaw sum = {first, term_ite(t, where, term_add(t, first, law), first),
                   term_ite(t, where, term_add(t, first, next), first)};
  return may_be_sum(f, var, &sum) && induct_follow_holds(f, var, &sum);
}

// counter + c, where c is what they differ by before the loop.
static bool follow_sum(Follow *f, LoopVar *var) {
  TermTable *t = f->in->w->terms;
  return induct_is_outer(f->in, var->first) &&
         adds(f, var, term_sub(t, f->now, f->start),
              term_sub(t, f->next, f->start));
}

// What must be added to the counter's start, modulo the period.
static bool find_offset(const Follow *f, const LoopVar *var, int64_t period,
                        int64_t *c) {
  TermTable *t = f->in->w->terms;
  const Term *first = var->first;
  if (first->kind == TERM_MOD)
    first = first->args[0];
  if (!term_is_constant(term_sub(t, first, f->start), c))
    return false;
  *c = ((*c % period) + period) % period;
  return true;
}

static bool follow_period(Follow *f, LoopVar *var) {
  TermTable *t = f->in->w->terms;
  int64_t periods[INDUCT_PERIODS], c;
  uint32_t n = induct_periods(var->back_term, periods);
  for (uint32_t i = 0; i < n; i++) {
    if (!find_offset(f, var, periods[i], &c))
      continue;
    FollowLaw law = {remainder_of(t, f->start, c, periods[i]),
                     remainder_of(t, f->now, c, periods[i]),
                     remainder_of(t, f->next, c, periods[i])};
    if (!induct_follow_holds(f, var, &law))
      continue;
    var->followed = periods[i];
    var->follows_from = c;
    return true;
  }
  return false;
}

static const Term *induct_follow_phase_of(TermTable *t, const Term *count,
                                          const LoopVar *stage, int64_t p) {
  const Term *rounds =
      term_div(t, term_add(t, count, term_int(t, stage->follows_from)),
               term_int(t, stage->followed));
  return remainder_of(t, rounds, p, 2);
}

static bool follow_phase(Follow *f, LoopVar *var) {
  TermTable *t = f->in->w->terms;
  const LoopLaws *laws = f->in->laws;
  for (uint32_t i = 0; i < laws->n; i++) {
    const LoopVar *stage = &laws->vars[i];
    for (int64_t p = 0; stage->law && stage->followed > 0 && p < 2; p++) {
      FollowLaw law = {induct_follow_phase_of(t, f->start, stage, p),
                       induct_follow_phase_of(t, f->now, stage, p),
                       induct_follow_phase_of(t, f->next, stage, p)};
      if (induct_follow_holds(f, var, &law))
        return true;
    }
  }
  return false;
}

static const Term *beyond(const Follow *f, const Term *count, int64_t c) {
  TermTable *t = f->in->w->terms;
  return term_max(t, term_sub(t, count, term_int(t, c)), term_int(t, 0));
}

// By as much as max(counter - c, 0) grows: what goes on c turns later.
static bool follow_late(Follow *f, LoopVar *var) {
  enum { MOST = 4 };

  TermTable *t = f->in->w->terms;
  for (int64_t c = 1; c <= MOST; c++) {
    const Term *start = beyond(f, f->start, c);
    if (adds(f, var, term_sub(t, beyond(f, f->now, c), start),
             term_sub(t, beyond(f, f->next, c), start)))
      return true;
  }
  return false;
}

// ------------------------------------------------------------------ followers

static bool induct_follow_is_open(const LoopVar *var) {
  return !var->law && var->back_term && var->head->kind == VALUE_INT;
}

// Laws in H become laws of the turn.
static void put_law(const Follow *f, const Term *law) {
  Induct *in = f->in;
  for (uint32_t i = 0; i < in->laws->n; i++) {
    LoopVar *var = &in->laws->vars[i];
    if (var->law && var->law_term && var->follows)
      induct_accept(in, var, induct_put(in->w, var->law_term, f->symbol, law));
  }
  induct_accept(in, f->counter, law);
}

// Stages, phases, then what differs by a number: other variables than counters
// only where the counter has no law, or they are as long as it is; counters
// last, whose choices may be by these.
static void find_followers(Follow *f, bool is_counted) {
  enum { PROOFS = 12 };

  Induct *in = f->in;
  uint32_t n_proofs = in->n_proofs;
  in->n_proofs = PROOFS;
  for (int round = 0; round < 4; round++)
    for (uint32_t i = 0; i < in->laws->n; i++) {
      LoopVar *var = &in->laws->vars[i];
      if (!induct_follow_is_open(var))
        continue;
      bool is_counter = walk_is_counter(in->w, var->var);
      bool is_long = !is_counted || var->head->bits >= 64;
      if (round == 0)
        var->follows = !is_counter && follow_period(f, var);
      else if (round == 1)
        var->follows = !is_counter && follow_phase(f, var);
      else if (round == 2)
        var->follows = !is_counter && is_long && follow_sum(f, var);
      else
        var->follows =
            is_counter && (follow_sum(f, var) || follow_late(f, var));
    }
  in->n_proofs = n_proofs;
}

static void check_induct_follow(Induct *in, LoopVar *counter) {
  Walk *w = in->w;
  const Term *law = counter->law ? counter->law_term : NULL;
  Symbol model = {
      .kind = SYMBOL_VALUE, .name = "count", .loop = in->laws->loop};
  counts_range(w, counter->var, &model.low, &model.high);
  Follow f = {.in = in, .counter = counter, .start = counter->first};
  f.symbol = term_symbol_new(w->terms, &model);
  f.now = term_of(w->terms, f.symbol);
  induct_accept(in, counter, f.now);
  f.next = term_replace(w->terms, counter->back_term, induct_replace, in->laws);
  if (f.next != f.now) // it changes
    find_followers(&f, law != NULL);
  if (law)
    put_law(&f, law);
  else
    in->laws->has_follower = true;
  for (uint32_t i = 0; i < in->laws->n; i++) {
    in->laws->vars[i].followed = 0;
    in->laws->vars[i].follows = false;
  }
}

void induct_follow(Induct *in, bool has_law) {
  for (uint32_t i = 0; i < in->laws->n; i++) {
    LoopVar *var = &in->laws->vars[i];
    if (walk_is_counter(in->w, var->var) && var->back_term &&
        walk_leads(in->w, var->var) && has_law == (var->law != NULL))
      check_induct_follow(in, var);
  }
}
