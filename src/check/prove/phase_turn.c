// SPDX-License-Identifier: Apache-2.0
// In which turns of loops open touches were made, as loops begin, go on and
// end.
//
// A copy that still runs was asked for some turns ago, and a ring of S slots is
// right because it lies fewer than S turns back. Where threads make the turns
// of a loop together, `turn - k` says so of both. Elsewhere only its own thread
// counts (TURN_OWN); that tells where the loop ends which of its turns it was.
// Copies that were asked for before a loop remember its turn instead.
#include "check/prove/race.h"

bool open_turns_back(TurnState state, int64_t *k) {
  *k = (int64_t)state - TURN_SAME;
  return state >= TURN_SAME && state < TURN_EARLIER;
}

// Of copies that an mbarrier counts the order engine knows all turns at once.
static bool counts_turns(const OpenTouch *touch) {
  DoneKind done = touch->step->u.touch.touch->done;
  return touch->sets && done != DONE_BARRIER && done != DONE_TENSOR;
}

static bool phase_turn_is_own(TurnState state) {
  return state >= TURN_OWN && state <= TURN_OWN + TURN_EXACT;
}

static const OpenTouch *changed_to(const Turning *turning,
                                   const OpenTouch *touch,
                                   const OpenTouch *changed) {
  bool is_same = changed->turns == touch->turns &&
                 changed->entered == touch->entered &&
                 changed->turn == touch->turn && changed->extra == touch->extra;
  return is_same ? touch : open_intern(turning->table, changed);
}

const OpenTouch *open_with_extra(const Turning *turning, const OpenTouch *touch,
                                 const Term *condition) {
  TermTable *terms = turning->race->terms;
  OpenTouch changed = *touch;
  changed.extra =
      touch->extra ? term_and(terms, touch->extra, condition) : condition;
  if (term_and(terms, touch->step->path, changed.extra)->kind == TERM_FALSE)
    return NULL;
  return changed_to(turning, touch, &changed);
}

// Only of what means the same wherever it stands.
static const OpenTouch *with_trips(const Turning *turning,
                                   const OpenTouch *touch,
                                   const Term *condition) {
  return race_is_timeless(condition)
             ? open_with_extra(turning, touch, condition)
             : touch;
}

// Made in an earlier turn of a loop around: what is asked for ahead of a loop
// is asked for in the turn that the loop is in.
static bool is_of_earlier_turn(const OpenTouch *touch) {
  int64_t k;
  for (uint32_t d = 0; d < TURN_LOOPS; d++)
    if (open_turns_back(open_turn(touch, d), &k)
            ? k > 0
            : open_turn(touch, d) == TURN_EARLIER)
      return true;
  return false;
}

const OpenTouch *open_enter_loop(const Turning *turning, const OpenTouch *touch,
                                 uint32_t depth) {
  if (!counts_turns(touch) || touch->entered || depth >= TURN_LOOPS ||
      is_of_earlier_turn(touch))
    return touch;
  OpenTouch changed = *touch;
  changed.entered = (uint8_t)(depth + 1);
  changed.turn = 0;
  return changed_to(turning, touch, &changed);
}

static TurnState next_state(TurnState state, bool still_runs) {
  int64_t k;
  if (open_turns_back(state, &k))
    return k == 0 || (still_runs && k < TURN_EXACT) ? state + 1 : TURN_EARLIER;
  if (phase_turn_is_own(state))
    return still_runs && state < TURN_OWN + TURN_EXACT ? state + 1 : TURN_ANY;
  return state;
}

const OpenTouch *open_next_turn(const Turning *turning, const OpenTouch *touch,
                                uint32_t depth) {
  OpenTouch changed = *touch;
  changed.turns =
      open_with_turn(touch->turns, depth,
                     next_state(open_turn(touch, depth), counts_turns(touch)));
  if (touch->entered == depth + 1) {
    changed.turn = (uint8_t)(touch->turn + 1);
    if (touch->turn == TURN_EXACT)
      changed.entered = changed.turn = 0;
  }
  return changed_to(turning, touch, &changed);
}

// k turns before the last one, where that is known.
static TurnState left_state(TurnState state, bool still_runs) {
  int64_t k;
  if (phase_turn_is_own(state))
    return TURN_LAST + (state - TURN_OWN);
  if (open_turns_back(state, &k) && (k == 0 || still_runs))
    return TURN_LAST + (TurnState)k;
  return TURN_ANY;
}

static bool phase_turn_is_left(TurnState state) {
  return state == TURN_ANY || (state >= TURN_LAST && state < TURN_OWN);
}

const OpenTouch *open_leave_loops(const Turning *turning,
                                  const OpenTouch *touch, uint32_t from,
                                  const CheckLoop *left) {
  OpenTouch changed = *touch;
  for (uint32_t d = from; d < TURN_LOOPS; d++) {
    TurnState state = open_turn(touch, d);
    if (phase_turn_is_left(state))
      continue;
    bool is_end = left != NULL && d == from;
    changed.turns = open_with_turn(
        changed.turns, d,
        is_end ? left_state(state, counts_turns(touch)) : TURN_ANY);
  }
  if (touch->entered <= from)
    return changed_to(turning, touch, &changed);
  changed.entered = changed.turn = 0;
  const OpenTouch *result = changed_to(turning, touch, &changed);
  if (!left || !left->trips || left->has_exit || touch->entered != from + 1)
    return result;
  TermTable *terms = turning->race->terms;
  return with_trips(
      turning, result,
      term_eq(terms, left->trips, term_int(terms, touch->turn + 1)));
}

const OpenTouch *open_pass_loop(const Turning *turning, const OpenTouch *touch,
                                const CheckLoop *passed) {
  TermTable *terms = turning->race->terms;
  if (!counts_turns(touch) || !passed->trips || passed->has_exit)
    return touch;
  return with_trips(turning, touch,
                    term_le(terms, passed->trips, term_int(terms, 0)));
}
