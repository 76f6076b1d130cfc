// SPDX-License-Identifier: Apache-2.0
// Which threads execute a step, as sets of ranks.
#include "check/order/ring.h"

#include <string.h>

// ------------------------------------------------------------------ algebra

bool ring_is_within(const RingSet *a, const RingSet *b) {
  for (int i = 0; i < RING_WORDS; i++)
    if (a->bits[i] & ~b->bits[i])
      return false;
  return !b->one || (a->one == b->one && ring_is_equal(a, b));
}

bool ring_is_apart(const RingSet *a, const RingSet *b) {
  for (int i = 0; i < RING_WORDS; i++)
    if (a->bits[i] & b->bits[i])
      return false;
  return true;
}

bool ring_is_equal(const RingSet *a, const RingSet *b) {
  return a->one == b->one && memcmp(a->bits, b->bits, sizeof a->bits) == 0;
}

static bool ring_sets_has(const RingSet *set, int64_t thread) {
  return set->bits[thread / 64] >> (thread % 64) & 1;
}

static void ring_sets_put(RingSet *set, int64_t thread) {
  set->bits[thread / 64] |= (uint64_t)1 << (thread % 64);
}

static void ring_sets_narrow(RingSet *set, const RingSet *by) {
  for (int i = 0; i < RING_WORDS; i++)
    set->bits[i] &= by->bits[i];
}

// --------------------------------------------------------------- conditions

typedef struct {
  const Symbol *thread;
  bool has_thread, has_other;
  const Symbol *other;
  uint32_t n_others;
} Seen;

static void ring_sets_see(const Symbol *symbol, void *context) {
  Seen *seen = context;
  if (symbol == seen->thread) {
    seen->has_thread = true;
    return;
  }
  seen->has_other = true;
  seen->other = symbol;
  seen->n_others++;
}

static Seen ring_sets_look(const Rings *rings, const Term *term) {
  Seen seen = {.thread = rings->tree->thread};
  term_symbols(term, ring_sets_see, &seen);
  return seen;
}

bool ring_is_of_rank(const Rings *rings, const Term *term) {
  Seen seen = ring_sets_look(rings, term);
  return seen.has_thread && !seen.has_other;
}

bool ring_truth(Rings *rings, const Term *condition, RingSet *set) {
  const RingSet *known = map_get(&rings->truths, MAP_KEY(condition));
  if (known) {
    *set = *known;
    return true;
  }
  *set = (RingSet){0};
  for (int64_t i = 0; i < rings->tree->n_threads; i++) {
    const Symbol *symbol = rings->tree->thread;
    TermModel model = {1, &symbol, &i};
    int64_t value;
    if (!term_value(condition, &model, &value))
      return false;
    if (value)
      ring_sets_put(set, i);
  }
  RingSet *kept = ARENA_NEW(rings->arena, RingSet);
  *kept = *set;
  map_put(rings->arena, &rings->truths, MAP_KEY(condition), kept);
  return true;
}

// ------------------------------------------------------------------- groups

static const GroupView *view_of(const Rings *rings, const IrGroup *group) {
  if (!group || group->id >= rings->tree->groups.count)
    return NULL;
  const GroupView *view = &rings->tree->groups.data[group->id];
  return view->is_known ? view : NULL;
}

bool ring_group_set(Rings *rings, const IrGroup *group, RingSet *set) {
  const GroupView *view = view_of(rings, group);
  return view && ring_truth(rings, view->member, set);
}

// The instance's number for the thread; false: not by the rank alone.
static bool instance_of(const Rings *rings, const GroupView *view,
                        int64_t thread, int64_t *instance) {
  const Symbol *symbol = rings->tree->thread;
  TermModel model = {1, &symbol, &thread};
  return term_value(view->instance, &model, instance);
}

bool ring_has_one_each(Rings *rings, const IrGroup *group, const RingSet *by,
                       const RingSet *cover) {
  const GroupView *view = view_of(rings, group);
  if (!view)
    return false;
  int64_t n = rings->tree->n_threads, only;
  bool is_alone = term_is_constant(view->instance, &only);
  if (is_alone || by->one) // one of each instance of its group
    return is_alone || by->one_in == group;
  bool *is_served = ARENA_ARRAY(rings->arena, bool, (size_t)n);
  for (int pass = 0; pass < 2; pass++)
    for (int64_t i = 0; i < n; i++) {
      int64_t instance;
      const RingSet *set = pass == 0 ? by : cover;
      if (!ring_sets_has(set, i))
        continue;
      if (!instance_of(rings, view, i, &instance) || instance < 0 ||
          instance >= n)
        return false;
      if (pass == 0)
        is_served[instance] = true;
      else if (!is_served[instance])
        return false;
    }
  return true;
}

int64_t ring_size(Rings *rings, const RingSet *set) {
  int64_t n = 0;
  const GroupView *view = set->one ? view_of(rings, set->one_in) : NULL;
  if (set->one && !view)
    return 0;
  bool *is_seen =
      ARENA_ARRAY(rings->arena, bool, (size_t)rings->tree->n_threads);
  for (int64_t i = 0; i < rings->tree->n_threads; i++) {
    int64_t instance;
    if (!ring_sets_has(set, i))
      continue;
    if (!set->one) {
      n++;
      continue;
    }
    if (!instance_of(rings, view, i, &instance) || instance < 0 ||
        instance >= rings->tree->n_threads)
      return 0;
    n += !is_seen[instance];
    is_seen[instance] = true;
  }
  return n;
}

// -------------------------------------------------------------------- steps

static bool ring_sets_is_in_list(const Step *step, const Step *list) {
  for (; list; list = list->next)
    if (list == step)
      return true;
  return false;
}

const Term *ring_entry(const Rings *rings, const Step *step) {
  const Step *parent = step->parent;
  TermTable *terms = rings->terms;
  if (!parent)
    return NULL;
  if (parent->kind == STEP_IF) {
    const Term *condition = parent->u.branch.condition;
    return ring_sets_is_in_list(step, parent->u.branch.body)
               ? condition
               : term_not(terms, condition);
  }
  if (parent->kind != STEP_SCOPE || parent->node->op != IR_GROUP)
    return NULL;
  const GroupView *view = view_of(rings, parent->node->u.part.group);
  return view ? view->member
              : term_of(terms, term_copy_symbol(terms, rings->tree->thread));
}

static bool is_elected(const Step *scope) {
  return scope->kind == STEP_SCOPE && scope->node->op == IR_GROUP &&
         scope->node->u.part.group->kind == GROUP_SINGLE &&
         scope->node->u.part.is_any;
}

// One conjunct of a condition that leads to the step.
static bool ring_sets_narrow_by(Rings *rings, const Step *parent,
                                const Term *condition, RingSet *set) {
  Seen seen = ring_sets_look(rings, condition);
  RingSet truth;
  if (!seen.has_thread)
    return true; // the same for all, or nobody's way alone: fewer at most
  if (!seen.has_other) {
    if (!ring_truth(rings, condition, &truth))
      return false;
    ring_sets_narrow(set, &truth);
    return true;
  }
  if (!is_elected(parent) || seen.n_others != 1 || seen.other->loop ||
      condition->kind != TERM_EQ || set->one)
    return false;
  set->one = seen.other;
  set->one_in = parent->node->u.part.parent;
  return true;
}

static bool narrow_all(Rings *rings, const Step *parent, const Term *condition,
                       RingSet *set) {
  bool is_known = true;
  if (condition->kind != TERM_ALL)
    return ring_sets_narrow_by(rings, parent, condition, set);
  for (uint32_t i = 0; i < condition->n_args && is_known; i++)
    is_known = ring_sets_narrow_by(rings, parent, condition->args[i], set);
  return is_known;
}

typedef struct {
  const Rings *rings;
  const Term *thread;
} AtThread;

static const Term *at_thread(const Symbol *symbol, void *context) {
  const AtThread *at = context;
  return symbol == at->rings->tree->thread ? at->thread : NULL;
}

// Without those that make no turn.
static void narrow_by_turns(Rings *rings, const CheckLoop *loop, RingSet *set) {
  TermTable *t = rings->terms;
  if (!loop->trips || !ring_sets_look(rings, loop->trips).has_thread)
    return;
  for (int64_t i = 0; i < rings->tree->n_threads; i++) {
    AtThread at = {rings, term_int(t, i)};
    int64_t low, high;
    term_interval(t, term_replace(t, loop->trips, at_thread, &at), &low, &high);
    if (high <= 0)
      set->bits[i / 64] &= ~((uint64_t)1 << (i % 64));
  }
}

bool ring_set_of(Rings *rings, const Step *step, RingSet *set) {
  *set = (RingSet){0};
  for (int64_t i = 0; i < rings->tree->n_threads; i++)
    ring_sets_put(set, i);
  RingSet elected_of = {0};
  for (const Step *at = step; at->parent; at = at->parent) {
    const Term *condition = ring_entry(rings, at);
    const Symbol *before = set->one;
    if (condition && !narrow_all(rings, at->parent, condition, set))
      return false;
    if (set->one != before && !ring_group_set(rings, set->one_in, &elected_of))
      return false;
    if (at->parent->kind != STEP_LOOP)
      continue;
    if (at->parent->u.loop.loop->is_thread_loop)
      return false;
    narrow_by_turns(rings, at->parent->u.loop.loop, set);
  }
  // It is one of all in its group, unless more is asked of it.
  return !set->one || memcmp(set->bits, elected_of.bits, sizeof set->bits) == 0;
}

const Term *ring_membership(const Rings *rings, const Step *step) {
  const Term *all = term_true(rings->terms);
  for (const Step *at = step; at->parent; at = at->parent) {
    const Term *condition = ring_entry(rings, at);
    if (condition && ring_sets_look(rings, condition).has_thread)
      all = term_and(rings->terms, all, condition);
  }
  return all;
}
