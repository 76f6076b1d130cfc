// SPDX-License-Identifier: Apache-2.0
// Races: the sets of threads that syncs order, one walk for each.
#include "check/prove/race.h"
#include "base/panic.h"
#include "check/tree/tree.h"

// ------------------------------------------------------- what there is

static void race_gather(const Step *step, void *context) {
  Race *race = context;
  while (race->steps.count <= step->id)
    VEC_PUSH(race->arena, &race->steps, (const Step *)NULL);
  race->steps.data[step->id] = step;
}

static void measure_loops(Race *race) {
  const Tree *tree = race->tree;
  race->loop_depth =
      ARENA_ARRAY(race->arena, uint32_t, (size_t)tree->loops.count + 1);
  for (uint32_t i = 0; i < tree->loops.count; i++) {
    uint32_t depth = 0;
    for (const CheckLoop *l = tree->loops.data[i]->parent; l; l = l->parent)
      depth++;
    race->loop_depth[i] = depth;
  }
}

// Other threads may get at the memory, and something writes it.
static bool is_relevant(const Race *race, const Step *step,
                        const Step *const *writes, uint32_t n_writes) {
  IrSpace space = race_space(step);
  if (space == SPACE_LOCAL || space == SPACE_CONSTANT)
    return false;
  for (uint32_t i = 0; i < n_writes; i++) {
    if (race_may_alias(race, step, writes[i]))
      return true;
  }
  return false;
}

// One write of each object.
static uint32_t find_writes(const Race *race, const Step **writes) {
  uint32_t n = 0;
  Map seen = {0};
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_TOUCH || !step->u.touch.touch->is_write)
      continue;
    const IrObject *object = step->u.touch.touch->object;
    if (object && map_has(&seen, MAP_KEY(object)))
      continue;
    if (object)
      map_put(race->arena, &seen, MAP_KEY(object), race->arena);
    writes[n++] = step;
  }
  return n;
}

static bool race_is_remote(const Race *race, const Step *step) {
  const Touch *touch = step->u.touch.touch;
  int64_t n_blocks;
  if (!race->tree->cluster_size ||
      (term_is_constant(race->tree->cluster_size, &n_blocks) && n_blocks == 1))
    return false;
  if (touch->cluster_rank ||
      (touch->object && touch->object->is_cluster_shared))
    return true;
  return !touch->object && race_space(step) != SPACE_GLOBAL;
}

static bool is_handover(const Touch *touch) {
  return touch->is_atomic && touch->is_read && !touch->is_write;
}

static void find_relevant(Race *race) {
  uint32_t n = race->steps.count;
  race->is_relevant = ARENA_ARRAY(race->arena, bool, (size_t)n + 1);
  const Step **writes = ARENA_ARRAY(race->arena, const Step *, (size_t)n + 1);
  uint32_t n_writes = find_writes(race, writes);
  Map known = {0}; // object -> it or the race itself: relevant
  for (uint32_t i = 0; i < n; i++) {
    const Step *step = race->steps.data[i];
    race->is_relevant[i] = false;
    if (!step || step->kind != STEP_TOUCH)
      continue;
    const IrObject *object = step->u.touch.touch->object;
    void *answer = object ? map_get(&known, MAP_KEY(object)) : NULL;
    if (!answer) {
      answer = is_relevant(race, step, writes, n_writes) ? (void *)race
                                                         : (void *)race->arena;
      if (object)
        map_put(race->arena, &known, MAP_KEY(object), answer);
    }
    race->is_relevant[i] = answer == (void *)race;
    race->has_pending |= step->u.touch.touch->done != DONE_AT_ONCE;
    race->has_remote |= race_is_remote(race, step);
    race->has_handover |= is_handover(step->u.touch.touch);
  }
}

static void note_block(const Symbol *symbol, void *context) {
  bool *is_moving = context;
  *is_moving |= symbol->kind != SYMBOL_LAUNCH;
}

static void find_moving_facts(Race *race) {
  for (uint32_t i = 0; i < race->tree->facts.count; i++) {
    bool is_moving = false;
    term_symbols(race->tree->facts.data[i], note_block, &is_moving);
    if (is_moving)
      VEC_PUSH(race->arena, &race->moving_facts, race->tree->facts.data[i]);
  }
}

void race_give_up(Race *race, const Step *step, CheckReason reason) {
  if (race->gave_up)
    return;
  race->gave_up = true;
  check_suspect(
      race->check,
      &(Suspect){.kind = SUSPECT_RACE, .a = step, .b = step, .reason = reason});
}

void race_give_up_comparing(Race *race, const Step *step) {
  race_give_up(race, step,
               (CheckReason){.text = "the kernel has too many accesses between "
                                     "its syncs: not all pairs were compared"});
}

bool race_is_over(Race *race, const Step *step) {
  enum { MOST_SUSPECTS = 4000 };

  if (race->check->is_ended)
    race->gave_up = true;
  else if (solve_is_over(&race->check->options->solve))
    race_give_up(race, step, check_reason_time());
  else if (race->check->suspects.count > MOST_SUSPECTS)
    race_give_up(
        race, step,
        (CheckReason){.text = "too many pairs of accesses are open: not all "
                              "were compared"});
  return race->gave_up;
}

// ------------------------------------------------------------- the check

void check_races(Check *check) {
  HD_ASSERT(check->tree && check->solver);
  Race race = {.check = check,
               .tree = check->tree,
               .terms = check->terms,
               .arena = check->arena};
  tree_each(check->tree->first, race_gather, &race);
  measure_loops(&race);
  find_relevant(&race);
  find_moving_facts(&race);
  race_find_sets(&race);
  race_scatters(&race);
  for (uint32_t i = 0; i < race.sets.count && !race.gave_up; i++) {
    race.has_cluster_set |= race.sets.data[i]->kind == SET_CLUSTER;
    race.seen = (Map){0};
    race_flow(&race, race.sets.data[i]);
  }
}
