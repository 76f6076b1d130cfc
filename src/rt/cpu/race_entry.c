// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/race_entry.h"
#include "rt/cpu/race_parts.h"

uint32_t race_lanes_of(const RaceEntry *e, const uint32_t *each,
                       uint32_t cells) {
  if (race_form(e) == RACE_LANES)
    return e->arg;
  if (race_form(e) == RACE_ROW)
    return (int32_t)e->arg < 0 ? cells >> -e->arg : cells << e->arg;
  uint32_t lanes = 0;
  for (; cells; cells &= cells - 1)
    lanes |= race_lanes_at(e, each, race_lowest(cells));
  return lanes;
}

// --------------------------------------------------------------- entries

void race_drop_entry(Race *race, const RaceShadow *shadow, RaceChunk *chunk,
                     uint32_t i) {
  RaceEntry *e = race_entry(shadow, chunk, i);
  if (race_has_table(e))
    race_lanes_free(race, e->arg);
  chunk->n--;
  *e = *race_entry(shadow, chunk, chunk->n);
}

bool race_take_cells(Race *race, const RaceShadow *shadow, RaceChunk *chunk,
                     uint32_t i, uint32_t cells) {
  RaceEntry *e = race_entry(shadow, chunk, i);
  e->cells &= ~cells;
  if (!e->cells) {
    race_drop_entry(race, shadow, chunk, i);
    return true;
  }
  for (; cells && race_has_table(e); cells &= cells - 1)
    race->lanes[e->arg].of[race_lowest(cells)] = 0;
  return false;
}

static bool has_same_lanes(const Race *race, const RaceEntry *a,
                           const RaceEntry *b) {
  if (race_form(a) != RACE_EACH || race_form(b) != RACE_EACH)
    return race_same_lanes(a, b);
  return memcmp(&race->lanes[a->arg], &race->lanes[b->arg],
                sizeof(RaceLanes)) == 0;
}

// Entry i has grown: another of the same time may say the same of other warps.
static void race_entry_fold(Race *race, const RaceShadow *shadow,
                            RaceChunk *chunk, uint32_t i) {
  RaceEntry *e = race_entry(shadow, chunk, i);
  for (uint32_t k = 0; k < chunk->n; k++) {
    RaceEntry *other = race_entry(shadow, chunk, k);
    if (k == i || other->cells != e->cells || !race_same_time(other, e) ||
        !has_same_lanes(race, other, e))
      continue;
    other->warps |= e->warps;
    race_drop_entry(race, shadow, chunk, i);
    return;
  }
}

static void spell_lanes(const RaceEntry *e, const uint32_t *each,
                        uint32_t *out) {
  for (uint32_t todo = e->cells; todo; todo &= todo - 1)
    out[race_lowest(todo)] |= race_lanes_at(e, each, race_lowest(todo));
}

// The entry gets a table; false: memory is out.
static bool spell_entry(Race *race, RaceEntry *e) {
  if (race_form(e) == RACE_EACH)
    return true;
  uint32_t number = race_lanes_new(race);
  if (!number)
    return false;
  spell_lanes(e, NULL, race->lanes[number].of);
  race_set_form(e, RACE_EACH);
  e->arg = number;
  return true;
}

static bool name_entry(Race *race, RaceEntry *e) {
  if (race_form(e) == RACE_WHO)
    return true;
  uint32_t number = race_lanes_new(race);
  if (!number)
    return false;
  uint32_t who = e->arg; // an agent, or one lane
  if (race_form(e) == RACE_LANES)
    who = race_lowest(e->warps) * 32 + race_lowest(e->arg);
  for (uint32_t todo = e->cells; todo; todo &= todo - 1)
    race->lanes[number].of[race_lowest(todo)] = who;
  race_set_form(e, RACE_WHO);
  e->arg = number;
  e->warps = 0;
  return true;
}

// One agent's, or one lane's of one warp.
static bool is_of_one(const RaceEntry *e) {
  return race_form(e) == RACE_AGENT ||
         (race_form(e) == RACE_LANES && race_is_single(e->arg) &&
          race_is_single(e->warps));
}

// Adds to an entry with one for each cell; false: cells have others there.
static bool join_names(const RaceAccess *x, RaceEntry *e) {
  const RaceEntry *now = x->now;
  Race *race = x->actor->race;
  bool can_be_named = race_form(e) == RACE_WHO || is_of_one(e);
  if (!is_of_one(now) || !can_be_named || (e->cells & now->cells))
    return false;
  if (!name_entry(race, e))
    return true; // the detection has failed
  e->cells |= now->cells;
  for (uint32_t todo = now->cells; todo; todo &= todo - 1)
    race->lanes[e->arg].of[race_lowest(todo)] =
        race_who_now(x, race_lowest(todo));
  return true;
}

static bool holds_lanes(const RaceAccess *x, const RaceEntry *e) {
  const uint32_t *each = race_each_of(x->actor->race, e);
  for (uint32_t todo = x->now->cells; todo; todo &= todo - 1) {
    uint32_t cell = race_lowest(todo);
    if (race_lanes_at(x->now, x->lanes, cell) & ~race_lanes_at(e, each, cell))
      return false;
  }
  return true;
}

// The entry has all that is to be added.
static bool race_entry_has_all(const RaceAccess *x, const RaceEntry *e) {
  const RaceEntry *now = x->now;
  if (now->cells & ~e->cells)
    return false;
  if (race_is_by_name(e))
    return race_is_own_by_name(x, e, now->cells);
  if (now->warps & ~e->warps)
    return false;
  if (race_same_lanes(e, now))
    return true;
  return race_form(e) == RACE_EACH && race_form(now) != RACE_AGENT &&
         holds_lanes(x, e);
}

// Adds to an entry of the same time; false: it is of other warps.
static bool join_entry(const RaceAccess *x, RaceChunk *chunk, uint32_t i) {
  Race *race = x->actor->race;
  const RaceEntry *now = x->now;
  RaceEntry *e = race_entry(x->shadow, chunk, i);
  bool are_warps = e->warps == now->warps;
  if (race_same_lanes(e, now) && (are_warps || e->cells == now->cells)) {
    e->cells |= now->cells;
    e->warps |= now->warps;
  } else if (!are_warps || !e->warps) {
    return join_names(x, e);
  } else if (spell_entry(race, e)) {
    e->cells |= now->cells;
    spell_lanes(now, x->lanes, race->lanes[e->arg].of);
  }
  if (chunk->n > 1)
    race_entry_fold(race, x->shadow, chunk, i);
  return true;
}

bool race_append_entry(const RaceAccess *x, RaceChunk *chunk) {
  if (chunk->n == RACE_ENTRIES)
    return false;
  RaceEntry *e = race_entry(x->shadow, chunk, chunk->n);
  if (chunk->n == RACE_NEAR_ENTRIES && !chunk->has_far) {
    chunk->has_far = true;
    x->actor->race->n_far++;
  }
  *e = *x->now;
  if (race_form(e) == RACE_EACH) {
    e->arg = race_lanes_new(x->actor->race);
    if (!e->arg)
      return true; // the detection has failed
    spell_lanes(x->now, x->lanes, x->actor->race->lanes[e->arg].of);
  }
  chunk->n++;
  return true;
}

bool race_add_entry(const RaceAccess *x, RaceChunk *chunk) {
  for (uint32_t i = 0; i < chunk->n; i++) {
    const RaceEntry *e = race_entry(x->shadow, chunk, i);
    if (race_same_time(e, x->now) &&
        (race_entry_has_all(x, e) || join_entry(x, chunk, i)))
      return true;
  }
  return race_append_entry(x, chunk);
}

// ------------------------------------------------------------------ room

// Note [Settled entries]
// What a block did to memory that is only its own before its last barrier can
// no longer race with anything: reads are forgotten, and of writes only matters
// that there were any. Copies are another matter: they need a fence.
bool race_can_settle(const Race *race, const RaceShadow *shadow) {
  return shadow->owner && race->config.shared_is_private &&
         race->config.n_agents == 0;
}

void race_forget_settled(Race *race, const RaceShadow *shadow,
                         RaceChunk *chunk) {
  RaceEntry *written = NULL;
  uint32_t settled = shadow->owner->settled;
  chunk->settled = settled;
  for (uint32_t i = 0; i < chunk->n;) {
    RaceEntry *e = race_entry(shadow, chunk, i);
    bool writes = race_kind(e) & RACE_WRITES, is_settled = e->clock <= settled;
    if (!is_settled || (writes && !written)) {
      if (is_settled)
        written = e;
      i++;
      continue;
    }
    if (writes)
      written->cells |= e->cells;
    race_drop_entry(race, shadow, chunk, i);
  }
  if (!written)
    return;
  if (race_has_table(written))
    race_lanes_free(race, written->arg);
  race_set_form(written, RACE_LANES);
  written->arg = 1;
  written->warps = 0;
}

void race_forget_eternal(Race *race, const RaceShadow *shadow,
                         RaceChunk *chunk) {
  uint32_t cells = 0;
  for (uint32_t i = 0; i < chunk->n;) {
    RaceEntry *e = race_entry(shadow, chunk, i);
    bool is_one =
        !(race_kind(e) & RACE_WRITES) && race_is_eternal(race, e->block);
    uint32_t others = is_one ? e->cells & cells : 0;
    cells |= is_one ? e->cells : 0;
    i += !others || !race_take_cells(race, shadow, chunk, i, others);
  }
}
