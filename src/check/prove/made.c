// SPDX-License-Identifier: Apache-2.0
// A wait_prior leaves no more copies than its group has made before.
//
// Counted are the copies that the threads at the wait have certainly asked for:
// those whose path follows from the wait's, in the same turn of the loops
// around both, and in each of the first turns of other loops. More may have
// been made.
#include "check/report/finding.h"

enum { MOST_TURNS = 8 };

typedef struct {
  Check *check;
  const Step *wait;
  const Symbol *turn[MOST_TURNS]; // of loops around what is counted
  int64_t at[MOST_TURNS];         // which turn that is
  uint32_t n_turns;
} Made;

static int64_t made_in(Made *m, const Step *first, const Term *given);

static bool made_holds(const Made *m, const Term *given,
                       const Term *condition) {
  return solver_proves(m->check->solver, given, condition);
}

static const Term *turn_number(const Symbol *symbol, void *context) {
  Made *m = context;
  for (uint32_t i = 0; i < m->n_turns; i++)
    if (m->turn[i] == symbol)
      return term_int(m->check->terms, m->at[i]);
  return NULL;
}

static const Term *made_in_turns(Made *m, const Term *term) {
  return m->n_turns ? term_replace(m->check->terms, term, turn_number, m)
                    : term;
}

// ------------------------------------------------------------------- lists

static bool made_is_counted(const Made *m, const Step *step) {
  return step->kind == STEP_TOUCH && step->u.touch.touch->is_write &&
         step->u.touch.touch->done == DONE_GROUP &&
         step->node->u.group.group == m->wait->u.sets.group;
}

static const Step *body_of(const Step *step) {
  if (step->kind == STEP_IF)
    return step->u.branch.body;
  if (step->kind == STEP_LOOP)
    return step->u.loop.body;
  return step->kind == STEP_SCOPE ? step->u.scope.body : NULL;
}

static const Step *other_of(const Step *step) {
  return step->kind == STEP_IF ? step->u.branch.other : NULL;
}

static bool is_exit(const Made *m, const Step *step) {
  (void)m;
  return step->kind == STEP_EXIT;
}

static bool made_has(const Made *m, const Step *first,
                     bool (*is)(const Made *m, const Step *step)) {
  for (const Step *step = first; step; step = step->next)
    if (is(m, step) || made_has(m, body_of(step), is) ||
        made_has(m, other_of(step), is))
      return true;
  return false;
}

static bool holds_wait(const Made *m, const Step *step) {
  const Step *outer = m->wait->parent;
  while (outer && outer != step)
    outer = outer->parent;
  return outer != NULL;
}

// ---------------------------------------------------------------- counting

static int64_t made_in_if(Made *m, const Step *step, const Term *given) {
  TermTable *t = m->check->terms;
  const Term *condition = made_in_turns(m, step->u.branch.condition);
  const Term *not = term_not(t, condition);
  if (made_holds(m, given, condition))
    return made_in(m, step->u.branch.body, given);
  if (made_holds(m, given, not ))
    return made_in(m, step->u.branch.other, given);
  int64_t a = made_in(m, step->u.branch.body, term_and(t, given, condition));
  int64_t b = made_in(m, step->u.branch.other, term_and(t, given, not ));
  return a < b ? a : b;
}

// In as many turns as are certain.
static int64_t made_in_loop(Made *m, const Step *step, const Term *given) {
  TermTable *t = m->check->terms;
  const CheckLoop *loop = step->u.loop.loop;
  int64_t made = 0;
  if (!loop->trips || loop->has_exit || m->n_turns == MOST_TURNS)
    return 0;
  const Term *trips = made_in_turns(m, loop->trips);
  uint32_t own = m->n_turns++;
  m->turn[own] = loop->turn;
  for (int64_t turn = 0;
       turn < MOST_TURNS && made < m->wait->u.sets.n_newest &&
       made_holds(m, given, term_lt(t, term_int(t, turn), trips));
       turn++) {
    m->at[own] = turn;
    made += made_in(m, step->u.loop.body, given);
  }
  m->n_turns = own;
  return made;
}

static int64_t made_in_step(Made *m, const Step *step, const Term *given) {
  if (made_is_counted(m, step))
    return made_holds(m, given, made_in_turns(m, step->u.touch.asked));
  bool is_nothing = !made_has(m, body_of(step), made_is_counted) &&
                    !made_has(m, other_of(step), made_is_counted);
  if (is_nothing)
    return 0;
  if (holds_wait(m, step)) // the same turn; its exits weren't taken
    return made_in(m, body_of(step), given) + made_in(m, other_of(step), given);
  if (made_has(m, body_of(step), is_exit) ||
      made_has(m, other_of(step), is_exit))
    return 0;
  if (step->kind == STEP_IF)
    return made_in_if(m, step, given);
  return step->kind == STEP_LOOP ? made_in_loop(m, step, given)
                                 : made_in(m, body_of(step), given);
}

static int64_t made_in(Made *m, const Step *first, const Term *given) {
  int64_t made = 0;
  for (const Step *step = first; step && step->id < m->wait->id;
       step = step->next)
    made += made_in_step(m, step, given);
  return made;
}

// ------------------------------------------------------------------- waits

static void check_wait(Check *check, const Step *step) {
  int64_t n = step->u.sets.n_newest;
  Made m = {.check = check, .wait = step};
  if (step->u.sets.done != DONE_GROUP || n == 0)
    return;
  if (made_in(&m, check->tree->first, step->path) >= n)
    check_proved(check);
  else
    check_suspect(
        check, &(Suspect){.kind = SUSPECT_COPY,
                          .a = step,
                          .reason.text =
                              "the group may have made fewer copies before"});
}

static void made_check_list(Check *check, const Step *first) {
  for (const Step *step = first; step; step = step->next) {
    if (step->kind == STEP_COPY_WAIT)
      check_wait(check, step);
    made_check_list(check, body_of(step));
    made_check_list(check, other_of(step));
  }
}

void check_waits(Check *check) {
  made_check_list(check, check->tree->first);
}
