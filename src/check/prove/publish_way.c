// SPDX-License-Identifier: Apache-2.0
// What lies between two steps of which each execution of one comes before each
// of the other.
#include "check/prove/publish.h"

// ------------------------------------------------------- places in the tree

static bool publish_way_holds(const Step *outer, const Step *step) {
  for (; step; step = step->parent)
    if (step == outer)
      return true;
  return false;
}

// A thread that has passed step number `from` may leave before it gets to
// `to`.
static bool may_leave(const Race *race, uint32_t from, const Step *to) {
  for (uint32_t i = from; i < to->id; i++) {
    const Step *step = race->steps.data[i];
    if (step && step->kind == STEP_EXIT &&
        (!step->u.exit.target || publish_way_holds(step->u.exit.target, to)))
      return true;
  }
  return false;
}

static bool is_in_loop(const Step *step) {
  for (step = step->parent; step; step = step->parent)
    if (step->kind == STEP_LOOP)
      return true;
  return false;
}

static bool publish_way_is_in_list(const Step *list, const Step *step) {
  for (; list; list = list->next)
    if (list == step)
      return true;
  return false;
}

// The list that the step stands in.
static const Step *publish_way_list_of(const Race *race, const Step *step) {
  const Step *parent = step->parent;
  if (!parent)
    return race->tree->first;
  switch (parent->kind) {
  case STEP_IF:
    return publish_way_is_in_list(parent->u.branch.body, step)
               ? parent->u.branch.body
               : parent->u.branch.other;
  case STEP_LOOP: return parent->u.loop.body;
  case STEP_SCOPE: return parent->u.scope.body;
  case STEP_TOUCH:
  case STEP_EXIT:
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT:
  case STEP_BARRIER:
  case STEP_COLLECTIVE:
  case STEP_COMMIT:
  case STEP_COPY_WAIT:
  case STEP_FENCE_ASYNC:
  case STEP_FENCE:
  case STEP_OBLIGATION:
  case STEP_CLAIM: break;
  }
  return NULL;
}

static bool publish_way_is_of_block(const Race *race, const Step *step) {
  if (step->kind != STEP_SYNC)
    return false;
  const GroupView *view = tree_group(race->tree, step->u.meet.group);
  return view && view_is_of_block(view);
}

static bool is_fence(const Step *step) {
  return step->kind == STEP_FENCE && ir_fences_all(step->node);
}

// ------------------------------------------------------- what lies between

typedef enum { PASSED_BY_FIRST = 1, PASSED_BY_SECOND = 2 } PassedBy;

typedef struct {
  const Step *step;
  int passed; // PassedBy, together
} Between;

typedef struct {
  const Race *race;
  const Step *x;
  hd_vec(Between) list;
} Walk;

// Syncs and fences from `first` to `end`, also in parts that are run once.
static void publish_way_look(Walk *walk, const Step *first, const Step *end,
                             int passed) {
  const Race *race = walk->race;
  for (const Step *s = first; s && s != end; s = s->next) {
    bool is_one = is_fence(s) || publish_way_is_of_block(race, s);
    if (is_one && !may_leave(race, walk->x ? walk->x->id : 0, s))
      VEC_PUSH(race->arena, &walk->list, ((Between){s, passed}));
    if (s->kind == STEP_SCOPE)
      publish_way_look(walk, s->u.scope.body, NULL, passed);
    if (s->kind == STEP_IF && s->u.branch.condition->kind == TERM_TRUE)
      publish_way_look(walk, s->u.branch.body, NULL, passed);
  }
}

// The steps that hold x and y in one list, that of x first; false: none.
static bool publish_way_meet(const Step **x, const Step **y) {
  for (const Step *a = *x; a; a = a->parent)
    for (const Step *b = *y; b; b = b->parent)
      if (a != b && a->parent == b->parent && publish_way_is_in_list(a, b)) {
        *x = a;
        *y = b;
        return true;
      }
  return false;
}

// What every thread passes that gets to `step`, from the list in which
// `outermost` stands on, in program order.
static void look_before(Walk *walk, const Step *step, const Step *outermost) {
  if (step != outermost && step->parent)
    look_before(walk, step->parent, outermost);
  if (step != outermost)
    publish_way_look(walk, publish_way_list_of(walk->race, step), step,
                     PASSED_BY_SECOND);
}

static Way summary(const Walk *walk) {
  Way way = {.is_before = true};
  uint32_t first = UINT32_MAX, last = 0;
  for (uint32_t i = 0; i < walk->list.count; i++) {
    const Step *step = walk->list.data[i].step;
    if (step->kind != STEP_SYNC)
      continue;
    way.is_synced = true;
    first = step->id < first ? step->id : first;
    last = step->id > last ? step->id : last;
  }
  for (uint32_t i = 0; i < walk->list.count; i++) {
    const Between *at = &walk->list.data[i];
    if (at->step->kind != STEP_FENCE)
      continue;
    way.is_fenced = true;
    way.is_fenced_first |=
        (at->passed & PASSED_BY_FIRST) && at->step->id < last;
    way.is_fenced_last |=
        (at->passed & PASSED_BY_SECOND) && at->step->id > first;
  }
  return way;
}

Way way_between(const Race *race, const Step *x, const Step *y) {
  const Step *a = x, *b = y;
  if (x->id >= y->id || !publish_way_meet(&a, &b) || is_in_loop(a))
    return (Way){.is_before = false};
  Walk walk = {.race = race, .x = x};
  for (const Step *s = x; s != a; s = s->parent)
    publish_way_look(&walk, s->next, NULL, PASSED_BY_FIRST);
  publish_way_look(&walk, a->next, b, PASSED_BY_FIRST | PASSED_BY_SECOND);
  look_before(&walk, y, b);
  return summary(&walk);
}

const Step *way_last_sync(const Race *race, const Step *step) {
  Walk walk = {.race = race};
  const Step *found = NULL;
  for (const Step *s = step; s; s = s->parent)
    publish_way_look(&walk, publish_way_list_of(race, s), s, PASSED_BY_SECOND);
  for (uint32_t i = 0; i < walk.list.count; i++) {
    const Step *one = walk.list.data[i].step;
    if (one->kind == STEP_SYNC && !is_in_loop(one) &&
        (!found || one->id > found->id))
      found = one;
  }
  return found;
}
