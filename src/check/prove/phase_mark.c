// SPDX-License-Identifier: Apache-2.0
// What stands inside a step: where nothing does, its touches are all open
// together, in whatever order and number of turns they are made.
#include "check/prove/race.h"
#include <string.h>

typedef struct {
  const SyncSet *set;
  uint8_t *marks;
} Marker;

static uint8_t mark_touch(const Marker *m, const Step *step,
                          const Step *before) {
  const Touch *touch = step->u.touch.touch;
  if (touch->done == DONE_AT_ONCE)
    return 0;
  uint8_t mark = 0;
  if (m->set->kind == SET_THREAD || touch->done == DONE_GROUP)
    mark |= MARK_ASYNC;
  if (!before || before->node != step->node)
    mark |= MARK_FIRST;
  return mark;
}

static uint8_t mark_list(Marker *m, const Step *first);

static uint8_t mark_step(Marker *m, const Step *step, const Step *before) {
  switch (step->kind) {
  case STEP_TOUCH: return mark_touch(m, step, before);
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT:
    return m->set->ordered_by[step->u.meet.group->id] ? MARK_SYNC : 0;
  case STEP_COMMIT:
  case STEP_COPY_WAIT: return MARK_ASYNC;
  case STEP_IF:
    return (uint8_t)(mark_list(m, step->u.branch.body) |
                     mark_list(m, step->u.branch.other));
  case STEP_LOOP: return mark_list(m, step->u.loop.body);
  case STEP_SCOPE: return mark_list(m, step->u.scope.body);
  case STEP_EXIT:
  case STEP_BARRIER:
  case STEP_FENCE_ASYNC:
  case STEP_COLLECTIVE:
  case STEP_CLAIM:
  case STEP_FENCE:
  case STEP_OBLIGATION: break;
  }
  return 0;
}

static uint8_t mark_list(Marker *m, const Step *first) {
  uint8_t all = 0;
  const Step *before = NULL;
  for (const Step *step = first; step; before = step, step = step->next) {
    m->marks[step->id] = mark_step(m, step, before);
    all |= m->marks[step->id] & (MARK_SYNC | MARK_ASYNC);
  }
  return all;
}

// Ways out of steps to targets that hold something.
static void phase_mark_exits(Marker *m, const Race *race) {
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_EXIT)
      continue;
    const Step *target = step->u.exit.target;
    if (target && !(m->marks[target->id] & (MARK_SYNC | MARK_ASYNC)))
      continue;
    for (const Step *s = step; s && s != target; s = s->parent)
      m->marks[s->id] |= MARK_EXIT;
  }
}

uint8_t *race_mark(Race *race, Arena *arena, const SyncSet *set) {
  Marker m = {.set = set,
              .marks = ARENA_ARRAY(arena, uint8_t, race->tree->n_steps + 1)};
  memset(m.marks, 0, race->tree->n_steps + 1);
  mark_list(&m, race->tree->first);
  phase_mark_exits(&m, race);
  return m.marks;
}
