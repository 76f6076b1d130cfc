// SPDX-License-Identifier: Apache-2.0
// Loops that aren't counted, but start with a test of what is linear in the
// turn, run a number of turns that a term can say.
#include "check/tree/walk.h"

typedef struct {
  const CheckLoop *loop;
  bool is_outer;
  const Symbol *but;
} Outside;

static void see_symbol(const Symbol *symbol, void *context) {
  Outside *outside = context;
  if (symbol == outside->but)
    return;
  if (symbol->loop == outside->loop ||
      loop_is_inside(symbol->loop, outside->loop))
    outside->is_outer = false;
}

// sum = factor * turn + rest, where rest is from outside of the loop.
static bool split_turn(Walk *w, const CheckLoop *loop, const Term *sum,
                       int64_t *factor, const Term **rest) {
  bool has_turn = term_split(w->terms, sum, loop->turn, factor, rest);
  Outside outside = {loop, true, NULL};
  term_symbols(*rest, see_symbol, &outside);
  return has_turn && outside.is_outer;
}

bool walk_is_of_turn(const CheckLoop *loop, const Term *term) {
  Outside outside = {loop, true, loop->turn};
  term_symbols(term, see_symbol, &outside);
  return outside.is_outer;
}

// Turns for which `stay` holds from the first on; NULL: not known.
static const Term *walk_while_count(Walk *w, const CheckLoop *loop,
                                    const Term *stay) {
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

static bool only_leaves(const IrNode *node, const IrNode *loop) {
  const IrNode *exit = node->regions[0].first;
  return exit && !exit->next && exit->op == IR_EXIT &&
         exit->u.exit.target == loop && !exit->u.exit.is_continue &&
         !node->regions[1].first;
}

bool walk_is_head_test(const IrNode *node) {
  const IrNode *loop = node->region->owner;
  if (!loop || loop->op != IR_LOOP)
    return false;
  // What is set before all of them is the same wherever the loop is left.
  bool sets = false;
  for (; node; node = node->previous) {
    bool is_silent = !node->n_regions &&
                     (ir_op_info(node)->flags & OPF_PURE || node->op == IR_GET);
    bool is_test = !sets && node->op == IR_IF && only_leaves(node, loop);
    sets |= node->op == IR_SET;
    if (!is_silent && !is_test && node->op != IR_SET)
      return false;
  }
  return true;
}

// One test more of those that tell how often the loop turns.
static void add_trips(Walk *w, CheckLoop *loop, const Term *trips) {
  loop->trips = loop->trips ? term_min(w->terms, loop->trips, trips) : trips;
}

void count_while_dry(Walk *w, CheckLoop *loop, const Join *join) {
  uint32_t n_counted = 0;
  for (uint32_t i = 0; i < join->stays.count; i++) {
    const Term *trips = walk_while_count(w, loop, join->stays.data[i]);
    if (!trips)
      continue;
    add_trips(w, loop, trips);
    n_counted++;
  }
  loop->has_exit = join->exits.count > n_counted || join->has_escape;
}

// What tests owe, at the head of turn t: they are evaluated where all tests of
// the turns before held, so that t is at most the number of turns. That these
// tests were what their terms say is owed of the turns before: the first turn
// in which something that is owed doesn't hold has only such turns before it.
static void bound_tests(Walk *w, Step *step) {
  TermTable *t = w->terms;
  const CheckLoop *loop = step->u.loop.loop;
  const Term *most = term_max(t, loop->trips, term_int(t, 0));
  const Term *bound = term_le(t, term_of(t, loop->turn), most);
  for (Step *at = step->u.loop.body; at; at = at->next) {
    if (at->kind == STEP_OBLIGATION)
      at->path = term_and(t, at->path, bound);
    else if (at->kind != STEP_IF || !walk_is_head_test(at->node))
      return;
  }
}

void count_while(Walk *w, Step *step, const Join *join) {
  CheckLoop *loop = step->u.loop.loop;
  if (loop->trips)
    return;
  uint32_t n_counted = 0;
  Step **at = &step->u.loop.body;
  while (*at) {
    Step *test = *at;
    bool is_test = test->kind == STEP_IF && walk_is_head_test(test->node);
    if (!is_test && test->kind != STEP_OBLIGATION)
      break;
    const Term *trips =
        is_test ? walk_while_count(w, loop,
                                   term_not(w->terms, test->u.branch.condition))
                : NULL;
    if (trips) {
      add_trips(w, loop, trips);
      *at = test->next;
      n_counted++;
    } else {
      at = &test->next;
    }
  }
  if (!loop->trips)
    return;
  loop->has_exit = join->exits.count > n_counted || join->has_escape;
  bound_tests(w, step);
}
