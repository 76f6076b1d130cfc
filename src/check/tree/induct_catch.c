// SPDX-License-Identifier: Apache-2.0
// Variables of a loop inside that catches up with the loop around:
//
//   for (k = f = 0; k < n; k++) {
//     for (; f < n && f < k + S; f++, x += 2) …
//     …
//   }
//
// Note [Catching up]. A turn ends with f = max(f, min(n, k + S)): a choice that
// term_into_choice has made of the number of turns inside. Since min(n, k + S)
// only grows, f is that of the turn before, but in the first turn. Whatever
// grows with f in each turn, x by 2 for each of f here, is a sum of it.
#include "check/tree/induct.h"

// The law is `first` in turn 0 and `later`, a term of the turn, from then on.
static bool is_late_law(Induct *in, LoopVar *var, const Term *later) {
  TermTable *t = in->w->terms;
  const Term *is_first = term_eq(t, term_of(t, in->laws->turn), term_int(t, 0));
  const Term *law = term_ite(t, is_first, var->first, later);
  if (!induct_may_be_law(in, var, law))
    return false;
  induct_accept(in, var, law);
  return true;
}

// max(x, g), where g doesn't fall from one turn to the next.
bool guess_maximum(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Symbol *turn = in->laws->turn;
  const Term *head = term_of(t, var->symbol);
  if (back->kind != TERM_MAX ||
      (back->args[0] != head && back->args[1] != head))
    return false;
  const Term *goal = back->args[back->args[0] == head];
  if (!induct_is_of_turn(in, goal))
    return false;
  const Term *before = term_sub(t, term_of(t, turn), term_int(t, 1));
  const Term *later = induct_put(in->w, goal, turn, before);
  return is_late_law(in, var, later) ||
         is_late_law(in, var, term_max(t, var->first, later));
}

// min(x + c, n), c >= 0: the last step is shorter, as in `x += min(c, n - x)`.
bool guess_minimum(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol), *zero = term_int(t, 0);
  const Term *least = term_into_choice(t, back, 1, zero);
  for (int i = 0; least->kind == TERM_MIN && i < 2; i++) {
    const Term *by = term_sub(t, least->args[i], head);
    const Term *most = least->args[1 - i];
    int64_t number;
    if (!term_is_constant(by, &number) || number < 0 ||
        !induct_is_outer(in, most))
      continue;
    const Term *turns = term_scale(t, term_of(t, in->laws->turn), number);
    const Term *later = term_min(t, term_add(t, var->first, turns), most);
    const Term *starts = term_le(t, var->first, most);
    if (!solver_proves(in->w->quick, path_now(in->w), starts))
      later = term_ite(t, term_eq(t, term_of(t, in->laws->turn), zero),
                       var->first, later);
    induct_accept(in, var, later);
    return true;
  }
  return false;
}

// x + c, but in the first turn.
bool guess_late_sum(Induct *in, LoopVar *var, const Term *back) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  const Symbol *turn = in->laws->turn;
  const Term *after[2], *head = var->first;
  for (int k = 0; k < 2; k++) {
    after[k] = induct_put(w, induct_put(w, back, var->symbol, head), turn,
                          term_int(t, k));
    if (!induct_is_outer(in, after[k]))
      return false;
    head = after[k];
  }
  const Term *step = term_sub(t, after[1], after[0]);
  int64_t number;
  if (!term_is_constant(step, &number))
    return false;
  const Term *before = term_sub(t, term_of(t, turn), term_int(t, 1));
  return is_late_law(in, var,
                     term_add(t, after[0], term_scale(t, before, number)));
}

// turn >= e, where e is from outside of the loop.
static bool induct_catch_begins_at(Induct *in, const Term *condition,
                                   const Term **e) {
  TermTable *t = in->w->terms;
  int64_t factor;
  return condition->kind == TERM_LE &&
         term_split(t, condition->args[0], in->laws->turn, &factor, e) &&
         factor == -1 && induct_is_outer(in, *e);
}

// turn >= e ? (c ? x + a : x) : x, where no turn changes c: what is freed some
// turns later.
bool guess_from_turn(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol), *e, *where = term_true(t);
  if (back->kind != TERM_ITE || back->args[2] != head ||
      !induct_catch_begins_at(in, back->args[0], &e))
    return false;
  const Term *more = back->args[1];
  if (more->kind == TERM_ITE && more->args[2] == head) {
    where = more->args[0];
    more = more->args[1];
  }
  int64_t by;
  if (!term_is_constant(term_sub(t, more, head), &by) ||
      !induct_is_outer(in, where))
    return false;
  const Term *turn = term_of(t, in->laws->turn), *zero = term_int(t, 0);
  const Term *since = term_sub(t, term_max(t, term_sub(t, turn, e), zero),
                               term_max(t, term_scale(t, e, -1), zero));
  const Term *law = term_add(t, var->first, term_scale(t, since, by));
  induct_accept(in, var, term_ite(t, where, law, var->first));
  return true;
}

// ------------------------------------------------- what grows with another one

// How much more it is at the end of a turn, as a choice of sums.
static const Term *growth(const Induct *in, const LoopVar *var) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol);
  return term_into_choice(t, var->back_term, 1, term_scale(t, head, -1));
}

// The sum of what a choice chooses among.
static const Term *sum_of_leaves(TermTable *t, const Term *term, int64_t *n) {
  if (!term_is_choice(term)) {
    ++*n;
    return term;
  }
  return term_add(t, sum_of_leaves(t, term->args[term->n_args - 2], n),
                  sum_of_leaves(t, term->args[term->n_args - 1], n));
}

// x = factor * y + rest, by their leaves, which need no order for that.
static bool find_ratio(TermTable *t, const Term *x, const Term *y,
                       int64_t *factor, int64_t *rest) {
  int64_t n_x = 0, n_y = 0, other, all;
  const Term *leaves_x = sum_of_leaves(t, x, &n_x);
  const Term *leaves_y = sum_of_leaves(t, y, &n_y);
  if (n_x != n_y || n_x < 2 || leaves_x->kind != TERM_SUM ||
      leaves_y->kind != TERM_SUM || leaves_y->n_parts == 0)
    return false;
  const Term *atom = leaves_y->parts[0].atom;
  const Term *ignored;
  if (atom->kind != TERM_SYMBOL ||
      !term_split(t, leaves_x, atom->symbol, factor, &ignored) ||
      !term_split(t, leaves_y, atom->symbol, &other, &ignored) ||
      *factor % other != 0)
    return false;
  *factor /= other;
  const Term *apart = term_sub(t, leaves_x, term_scale(t, leaves_y, *factor));
  if (!term_is_constant(apart, &all) || all % n_x != 0)
    return false;
  *rest = all / n_x;
  return true;
}

static bool grows_with(Induct *in, LoopVar *var, const LoopVar *other) {
  TermTable *t = in->w->terms;
  const Term *x = growth(in, var), *y = growth(in, other);
  int64_t factor, rest;
  if (!find_ratio(t, x, y, &factor, &rest) ||
      term_into_choice(t, y, factor, term_int(t, rest)) != x)
    return false;
  const Term *since = term_sub(t, other->law_term, other->first);
  const Term *law = term_into_choice(t, since, factor, var->first);
  const Term *turns = term_scale(t, term_of(t, in->laws->turn), rest);
  induct_accept(in, var, term_into_choice(t, law, 1, turns));
  return true;
}

bool guess_alongside(Induct *in, LoopVar *var, const Term *back) {
  (void)back;
  for (uint32_t i = 0; i < in->laws->n; i++) {
    const LoopVar *other = &in->laws->vars[i];
    if (other != var && other->law_term && other->back_term &&
        grows_with(in, var, other))
      return true;
  }
  return false;
}
