// SPDX-License-Identifier: Apache-2.0
// Which entries are behind an access, and which lanes race with it.
#include "rt/cpu/race_entry.h"
#include "rt/cpu/race_parts.h"

// ----------------------------------------------------------------- order

static bool is_known_by_name(const RaceAccess *x, const RaceKnow *know,
                             const RaceEntry *e, uint32_t cells) {
  const Race *race = x->actor->race;
  const uint32_t *each = race_each_of(race, e);
  const RaceKnow *about = race_know_about(know, x->now->block, e->block);
  uint32_t last = UINT32_MAX;
  if (race_who_at(e, each, race_lowest(cells)) < race->config.n_threads &&
      about && e->clock <= about->floor) // then all are threads
    return true;
  for (; cells; cells &= cells - 1) {
    uint32_t who = race_who_at(e, each, race_lowest(cells));
    RaceEpoch epoch = race_entry_epoch(e, who);
    if (who != last && !race_know_holds(race, know, x->now->block, &epoch))
      return false;
    last = who;
  }
  return true;
}

// `know`, of the actor's block, has all of the entry on these cells.
static bool race_behind_is_known(const RaceAccess *x, const RaceKnow *know,
                                 const RaceEntry *e, uint32_t cells) {
  const Race *race = x->actor->race;
  uint32_t block = x->now->block;
  if (race_is_by_name(e))
    return is_known_by_name(x, know, e, cells);
  if (e->clock <= race->grid_floor)
    return true;
  const RaceKnow *about = race_know_about(know, block, e->block);
  if (!about || e->clock <= about->floor || !about->has_clocks)
    return about && e->clock <= about->floor;
  uint32_t lanes = race_lanes_of(e, race_each_of(race, e), cells);
  for (uint32_t todo = e->warps; todo; todo &= todo - 1)
    if (race_lanes_reaching(race, about, race_lowest(todo), lanes, e->clock) !=
        lanes)
      return false;
  return true;
}

uint32_t race_who_now(const RaceAccess *x, uint32_t cell) {
  if (race_form(x->now) == RACE_AGENT)
    return x->now->arg;
  uint32_t lanes = race_lanes_at(x->now, x->lanes, cell);
  return race_is_single(lanes)
             ? race_lowest(x->now->warps) * 32 + race_lowest(lanes)
             : UINT32_MAX;
}

bool race_is_own_by_name(const RaceAccess *x, const RaceEntry *e,
                         uint32_t cells) {
  const uint32_t *each = race_each_of(x->actor->race, e);
  for (; cells; cells &= cells - 1)
    if (race_who_at(e, each, race_lowest(cells)) !=
        race_who_now(x, race_lowest(cells)))
      return false;
  return true;
}

bool race_is_own(const RaceAccess *x, const RaceEntry *e, uint32_t cells) {
  const RaceEntry *now = x->now;
  if (e->block != now->block)
    return false;
  if (race_is_by_name(e))
    return race_is_own_by_name(x, e, cells);
  if (e->warps != now->warps)
    return false;
  if (race_form(e) == RACE_ROW && race_form(now) == RACE_ROW)
    return e->arg == now->arg;
  const uint32_t *each = race_each_of(x->actor->race, e);
  for (; cells; cells &= cells - 1) {
    uint32_t cell = race_lowest(cells), lanes = race_lanes_at(e, each, cell);
    if (lanes != race_lanes_at(now, x->lanes, cell) || !race_is_single(lanes))
      return false;
  }
  return true;
}

bool race_is_behind(const RaceAccess *x, const RaceEntry *e, uint32_t cells) {
  const RaceActor *a = x->actor;
  if (e->block == x->now->block && a->thread && !race_is_by_name(e) &&
      e->clock <= a->know->floor)
    return true;                                         // mostly
  bool is_past = a->thread || e->clock == x->now->clock; // the same copy
  if (!race_behind_is_known(x, a->know, e, cells) &&
      !(is_past && race_is_own(x, e, cells)))
    return false;
  bool is_generic = (race_kind(e) & (RACE_WRITES | RACE_ASYNC)) == RACE_WRITES;
  if (a->thread || !(a->now.kind & RACE_ASYNC) || !is_generic)
    return true;
  return a->know->proxy && race_behind_is_known(x, a->know->proxy, e, cells);
}

// ---------------------------------------------------------------- checks

static bool behind_is_race(const RaceAccess *x, const RaceEpoch *before) {
  const RaceActor *a = x->actor;
  bool is_issuers =
      !a->thread && before->block == a->now.block && before->who == a->issuer;
  if (!is_issuers && !race_know_holds(a->race, a->know, a->now.block, before))
    return true;
  return (before->kind & RACE_WRITES) && !race_is_fenced(a, before);
}

static void race_behind_tell(const RaceAccess *x, uint32_t cell,
                             const RaceEpoch *before, uint32_t mine) {
  RaceActor *a = x->actor;
  RaceEpoch now = a->now;
  if (a->thread)
    now.who = (race_lowest(x->now->warps) * 32 + race_lowest(mine)) &
              (RACE_MAX_WHO - 1);
  uint64_t index = x->index * RACE_CHUNK + cell;
  race_found(a->block, x->shadow, race_cell_address(x->shadow, index), before,
             &now);
}

static void check_by_name(const RaceAccess *x, const RaceEntry *e,
                          uint32_t cell) {
  const RaceEntry *now = x->now;
  uint32_t who = race_who_at(e, race_each_of(x->actor->race, e), cell);
  uint32_t mine = race_lanes_at(now, x->lanes, cell);
  RaceEpoch before = race_entry_epoch(e, who);
  if (!behind_is_race(x, &before))
    return;
  if (e->block == now->block) {
    if (race_form(now) == RACE_AGENT && who == now->arg &&
        e->clock == now->clock)
      return;
    if (now->warps && who / 32 == race_lowest(now->warps))
      mine &= ~(1u << who % 32);
    if (now->warps && !mine)
      return; // its own
  }
  race_behind_tell(x, cell, &before, mine);
}

// A lane of the entry that didn't come before another lane now.
static void check_cell(const RaceAccess *x, const RaceEntry *e, uint32_t cell) {
  const RaceEntry *now = x->now;
  uint32_t mine = race_lanes_at(now, x->lanes, cell);
  const uint32_t *each = race_each_of(x->actor->race, e);
  if (race_is_by_name(e)) {
    check_by_name(x, e, cell);
    return;
  }
  for (uint32_t todo = e->warps; todo; todo &= todo - 1) {
    uint32_t warp = race_lowest(todo), lanes = race_lanes_at(e, each, cell);
    bool is_mine = e->block == now->block && now->warps == 1u << warp;
    if (is_mine && race_is_single(mine))
      lanes &= ~mine;
    for (; lanes; lanes &= lanes - 1) {
      RaceEpoch before = race_entry_epoch(e, warp * 32 + race_lowest(lanes));
      uint32_t others = is_mine ? mine & ~(lanes & -lanes) : mine;
      if (!behind_is_race(x, &before))
        continue;
      race_behind_tell(x, cell, &before, others);
      return;
    }
  }
}

void race_check_cells(const RaceAccess *x, const RaceEntry *e, uint32_t cells) {
  for (; cells; cells &= cells - 1)
    check_cell(x, e, race_lowest(cells));
}

bool race_is_covered(const RaceAccess *x, const RaceEntry *e, uint32_t cells) {
  const RaceEntry *now = x->now;
  if (e->block == now->block && e->warps == now->warps &&
      race_same_lanes(e, now))
    return true;
  return race_behind_is_known(x, x->actor->know, e, cells);
}
