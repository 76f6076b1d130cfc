// SPDX-License-Identifier: Apache-2.0
// Loops that aren't counted, but start with a test of what is linear in the
// turn, run a number of turns that a term can say.
#include "check/walk.h"

typedef struct {
  const CheckLoop *loop;
  bool is_outer;
} Outside;

static void see_symbol(const Symbol *symbol, void *context) {
  Outside *outside = context;
  if (symbol->loop == outside->loop ||
      loop_is_inside(symbol->loop, outside->loop))
    outside->is_outer = false;
}

// sum = factor * turn + rest, where rest is from outside of the loop.
static bool split_turn(Walk *w, const CheckLoop *loop, const Term *sum,
                       int64_t *factor, const Term **rest) {
  const Term *turn = term_of(w->terms, loop->turn);
  *factor = sum == turn;
  for (uint32_t i = 0; sum->kind == TERM_SUM && i < sum->n_parts; i++)
    if (sum->parts[i].atom == turn)
      *factor = sum->parts[i].coefficient;
  *rest = term_sub(w->terms, sum, term_scale(w->terms, turn, *factor));
  Outside outside = {loop, true};
  term_symbols(*rest, see_symbol, &outside);
  return *factor != 0 && outside.is_outer;
}

// Turns for which `stay` holds from the first on; NULL: not known.
static const Term *count(Walk *w, const CheckLoop *loop, const Term *stay) {
  TermTable *t = w->terms;
  int64_t factor;
  const Term *rest;
  if (stay->kind == TERM_LE &&
      split_turn(w, loop, stay->args[0], &factor, &rest)) {
    if (factor < 0)
      return NULL; // it holds for ever, or at once not
    const Term *last =
        term_div(t, term_scale(t, rest, -1), term_int(t, factor));
    return term_add(t, last, term_int(t, 1));
  }
  if (stay->kind != TERM_NOT || stay->args[0]->kind != TERM_EQ ||
      !split_turn(w, loop, stay->args[0]->args[0], &factor, &rest) ||
      (factor != 1 && factor != -1))
    return NULL;
  // Until the turn that is equal, if that is not behind already.
  const Term *turns = term_scale(t, rest, -factor);
  bool comes =
      solver_proves(w->quick, path_now(w), term_le(t, term_int(t, 0), turns));
  return comes ? turns : NULL;
}

void count_while(Walk *w, Step *step, const Join *join) {
  CheckLoop *loop = step->u.loop.loop;
  Step *first = step->u.loop.body;
  if (loop->trips || !tree_has_head_test(step))
    return;
  loop->trips = count(w, loop, term_not(w->terms, first->u.branch.condition));
  if (!loop->trips)
    return;
  step->u.loop.body = first->next;
  loop->has_exit = join->exits.count > 1 || join->has_escape;
}
