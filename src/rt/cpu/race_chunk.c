// SPDX-License-Identifier: Apache-2.0
// Plain accesses of whole warps, 32 cells at a time.
//
// Note [Chunks]
// Most accesses are those of a warp to neighbouring cells, or to one cell, and
// most cells have the history of their neighbours. So 32 cells share a list of
// entries, each the accesses that several warps made from one place of the
// program at one clock. An access meets at most a few entries; that an entry
// came before, or is the lanes' own past, is decided for all of its cells at
// once. What the entries say of one cell is what RaceCell would: at most one
// write, and the reads that no later one covers.
//
//   x[i] = a * x[i]                    one row: written by lane i of warp 3
//   s += tile[y][k] * tile2[k][x]      tile:  all lanes of warp y
//                                      tile2: lane i, of each warp so far
//
// An entry's cells never overlap those of another write. Writing takes the
// cells out of all entries, reading out of the reads that it covers. Entries of
// the same time and place are joined. Chunks for which there are too many
// entries, and those with atomic accesses, have a RaceCell for each cell.
#include "rt/cpu/race_parts.h"

typedef struct {
  RaceActor *actor;
  const RaceShadow *shadow;
  uint64_t index; // of the chunk
  const RaceEntry *now;
  const uint32_t *lanes; // of now, if RACE_EACH
} Access;

static bool is_single(uint32_t bits) {
  return (bits & (bits - 1)) == 0;
}

static uint32_t lowest(uint32_t bits) {
  return (uint32_t)__builtin_ctz(bits);
}

// ----------------------------------------------------------------- lanes

static inline uint32_t lanes_at(const RaceEntry *e, const uint32_t *each,
                                uint32_t cell) {
  uint32_t lane = cell + e->arg;
  switch (race_form(e)) {
  case RACE_ROW: return lane < 32 ? 1u << lane : 0;
  case RACE_LANES: return e->arg;
  case RACE_EACH: return each[cell];
  case RACE_AGENT:
  case RACE_WHO: break;
  }
  return 0;
}

static bool has_table(const RaceEntry *e) {
  return race_form(e) == RACE_EACH || race_form(e) == RACE_WHO;
}

static const uint32_t *each_of(const Race *race, const RaceEntry *e) {
  return has_table(e) ? race->lanes[e->arg].of : NULL;
}

// Each cell has one thread or agent, which who_at names.
static bool is_by_name(const RaceEntry *e) {
  return race_form(e) == RACE_AGENT || race_form(e) == RACE_WHO;
}

static uint32_t who_at(const RaceEntry *e, const uint32_t *each,
                       uint32_t cell) {
  return race_form(e) == RACE_WHO ? each[cell] : e->arg;
}

// Of any of the cells.
static uint32_t lanes_of(const RaceEntry *e, const uint32_t *each,
                         uint32_t cells) {
  if (race_form(e) == RACE_LANES)
    return e->arg;
  if (race_form(e) == RACE_ROW)
    return (int32_t)e->arg < 0 ? cells >> -e->arg : cells << e->arg;
  uint32_t lanes = 0;
  for (; cells; cells &= cells - 1)
    lanes |= lanes_at(e, each, lowest(cells));
  return lanes;
}

static bool same_time(const RaceEntry *a, const RaceEntry *b) {
  uint32_t whats = (a->what ^ b->what) & ((1u << RACE_WHAT_BITS) - 1);
  return (whats | (a->clock ^ b->clock) | (a->block ^ b->block)) == 0;
}

static void set_form(RaceEntry *e, RaceForm form) {
  e->what &= (1u << RACE_WHAT_BITS) - 1;
  e->what |= (uint32_t)form << RACE_WHAT_BITS;
}

static bool same_lanes(const RaceEntry *a, const RaceEntry *b) {
  return race_form(a) == race_form(b) && a->arg == b->arg && !has_table(a);
}

static RaceEpoch epoch_of(const RaceEntry *e, uint32_t who) {
  uint32_t what = e->what & ((1u << RACE_WHAT_BITS) - 1);
  return race_epoch(e->block, e->clock, what, who);
}

// ----------------------------------------------------------------- order

static bool is_known_by_name(const Access *x, const RaceKnow *know,
                             const RaceEntry *e, uint32_t cells) {
  const Race *race = x->actor->race;
  const uint32_t *each = each_of(race, e);
  const RaceKnow *about = race_know_about(know, x->now->block, e->block);
  uint32_t last = UINT32_MAX;
  if (who_at(e, each, lowest(cells)) < race->config.n_threads && about &&
      e->clock <= about->floor) // then all are threads
    return true;
  for (; cells; cells &= cells - 1) {
    uint32_t who = who_at(e, each, lowest(cells));
    RaceEpoch epoch = epoch_of(e, who);
    if (who != last && !race_know_holds(race, know, x->now->block, &epoch))
      return false;
    last = who;
  }
  return true;
}

// `know`, of the actor's block, has all of the entry on these cells.
static bool is_known(const Access *x, const RaceKnow *know, const RaceEntry *e,
                     uint32_t cells) {
  const Race *race = x->actor->race;
  uint32_t block = x->now->block;
  if (is_by_name(e))
    return is_known_by_name(x, know, e, cells);
  if (e->clock <= race->grid_floor)
    return true;
  const RaceKnow *about = race_know_about(know, block, e->block);
  if (!about || e->clock <= about->floor || !about->has_clocks)
    return about && e->clock <= about->floor;
  uint32_t lanes = lanes_of(e, each_of(race, e), cells);
  for (uint32_t todo = e->warps; todo; todo &= todo - 1)
    if (race_lanes_reaching(race, about, lowest(todo), lanes, e->clock) !=
        lanes)
      return false;
  return true;
}

// The one who accesses the cell now; UINT32_MAX: several lanes.
static uint32_t who_now(const Access *x, uint32_t cell) {
  if (race_form(x->now) == RACE_AGENT)
    return x->now->arg;
  uint32_t lanes = lanes_at(x->now, x->lanes, cell);
  return is_single(lanes) ? lowest(x->now->warps) * 32 + lowest(lanes)
                          : UINT32_MAX;
}

static bool is_own_by_name(const Access *x, const RaceEntry *e,
                           uint32_t cells) {
  const uint32_t *each = each_of(x->actor->race, e);
  for (; cells; cells &= cells - 1)
    if (who_at(e, each, lowest(cells)) != who_now(x, lowest(cells)))
      return false;
  return true;
}

// On these cells each lane meets only itself; an agent, itself.
static bool is_own(const Access *x, const RaceEntry *e, uint32_t cells) {
  const RaceEntry *now = x->now;
  if (e->block != now->block)
    return false;
  if (is_by_name(e))
    return is_own_by_name(x, e, cells);
  if (e->warps != now->warps)
    return false;
  if (race_form(e) == RACE_ROW && race_form(now) == RACE_ROW)
    return e->arg == now->arg;
  const uint32_t *each = each_of(x->actor->race, e);
  for (; cells; cells &= cells - 1) {
    uint32_t cell = lowest(cells), lanes = lanes_at(e, each, cell);
    if (lanes != lanes_at(now, x->lanes, cell) || !is_single(lanes))
      return false;
  }
  return true;
}

static bool is_behind(const Access *x, const RaceEntry *e, uint32_t cells) {
  const RaceActor *a = x->actor;
  if (e->block == x->now->block && a->thread && !is_by_name(e) &&
      e->clock <= a->know->floor)
    return true;                                         // mostly
  bool is_past = a->thread || e->clock == x->now->clock; // the same copy
  if (!is_known(x, a->know, e, cells) && !(is_past && is_own(x, e, cells)))
    return false;
  bool is_generic = (race_kind(e) & (RACE_WRITES | RACE_ASYNC)) == RACE_WRITES;
  if (a->thread || !(a->now.kind & RACE_ASYNC) || !is_generic)
    return true;
  return a->know->proxy && is_known(x, a->know->proxy, e, cells);
}

// ---------------------------------------------------------------- checks

static bool is_race(const Access *x, const RaceEpoch *before) {
  const RaceActor *a = x->actor;
  bool is_issuers =
      !a->thread && before->block == a->now.block && before->who == a->issuer;
  if (!is_issuers && !race_know_holds(a->race, a->know, a->now.block, before))
    return true;
  return (before->kind & RACE_WRITES) && !race_is_fenced(a, before);
}

static void tell(const Access *x, uint32_t cell, const RaceEpoch *before,
                 uint32_t mine) {
  RaceActor *a = x->actor;
  RaceEpoch now = a->now;
  if (a->thread)
    now.who = (lowest(x->now->warps) * 32 + lowest(mine)) & (RACE_MAX_WHO - 1);
  uint64_t index = x->index * RACE_CHUNK + cell;
  race_found(a->block, x->shadow, race_cell_address(x->shadow, index), before,
             &now);
}

static void check_by_name(const Access *x, const RaceEntry *e, uint32_t cell) {
  const RaceEntry *now = x->now;
  uint32_t who = who_at(e, each_of(x->actor->race, e), cell);
  uint32_t mine = lanes_at(now, x->lanes, cell);
  RaceEpoch before = epoch_of(e, who);
  if (!is_race(x, &before))
    return;
  if (e->block == now->block) {
    if (race_form(now) == RACE_AGENT && who == now->arg &&
        e->clock == now->clock)
      return;
    if (now->warps && who / 32 == lowest(now->warps))
      mine &= ~(1u << who % 32);
    if (now->warps && !mine)
      return; // its own
  }
  tell(x, cell, &before, mine);
}

// A lane of the entry that didn't come before another lane now.
static void check_cell(const Access *x, const RaceEntry *e, uint32_t cell) {
  const RaceEntry *now = x->now;
  uint32_t mine = lanes_at(now, x->lanes, cell);
  const uint32_t *each = each_of(x->actor->race, e);
  if (is_by_name(e)) {
    check_by_name(x, e, cell);
    return;
  }
  for (uint32_t todo = e->warps; todo; todo &= todo - 1) {
    uint32_t warp = lowest(todo), lanes = lanes_at(e, each, cell);
    bool is_mine = e->block == now->block && now->warps == 1u << warp;
    if (is_mine && is_single(mine))
      lanes &= ~mine;
    for (; lanes; lanes &= lanes - 1) {
      RaceEpoch before = epoch_of(e, warp * 32 + lowest(lanes));
      uint32_t others = is_mine ? mine & ~(lanes & -lanes) : mine;
      if (!is_race(x, &before))
        continue;
      tell(x, cell, &before, others);
      return;
    }
  }
}

static void check_cells(const Access *x, const RaceEntry *e, uint32_t cells) {
  for (; cells; cells &= cells - 1)
    check_cell(x, e, lowest(cells));
}

// --------------------------------------------------------------- entries

static void drop_entry(Race *race, const RaceShadow *shadow, RaceChunk *chunk,
                       uint32_t i) {
  RaceEntry *e = race_entry(shadow, chunk, i);
  if (has_table(e))
    race_lanes_free(race, e->arg);
  chunk->n--;
  *e = *race_entry(shadow, chunk, chunk->n);
}

// Takes cells out of an entry; true: it had no others, and is gone.
static bool take_cells(Race *race, const RaceShadow *shadow, RaceChunk *chunk,
                       uint32_t i, uint32_t cells) {
  RaceEntry *e = race_entry(shadow, chunk, i);
  e->cells &= ~cells;
  if (!e->cells) {
    drop_entry(race, shadow, chunk, i);
    return true;
  }
  for (; cells && has_table(e); cells &= cells - 1)
    race->lanes[e->arg].of[lowest(cells)] = 0;
  return false;
}

static bool has_same_lanes(const Race *race, const RaceEntry *a,
                           const RaceEntry *b) {
  if (race_form(a) != RACE_EACH || race_form(b) != RACE_EACH)
    return same_lanes(a, b);
  return memcmp(&race->lanes[a->arg], &race->lanes[b->arg],
                sizeof(RaceLanes)) == 0;
}

// Entry i has grown: another of the same time may say the same of other warps.
static void fold(Race *race, const RaceShadow *shadow, RaceChunk *chunk,
                 uint32_t i) {
  RaceEntry *e = race_entry(shadow, chunk, i);
  for (uint32_t k = 0; k < chunk->n; k++) {
    RaceEntry *other = race_entry(shadow, chunk, k);
    if (k == i || other->cells != e->cells || !same_time(other, e) ||
        !has_same_lanes(race, other, e))
      continue;
    other->warps |= e->warps;
    drop_entry(race, shadow, chunk, i);
    return;
  }
}

static void spell_lanes(const RaceEntry *e, const uint32_t *each,
                        uint32_t *out) {
  for (uint32_t todo = e->cells; todo; todo &= todo - 1)
    out[lowest(todo)] |= lanes_at(e, each, lowest(todo));
}

// The entry gets a table; false: memory is out.
static bool spell_entry(Race *race, RaceEntry *e) {
  if (race_form(e) == RACE_EACH)
    return true;
  uint32_t number = race_lanes_new(race);
  if (!number)
    return false;
  spell_lanes(e, NULL, race->lanes[number].of);
  set_form(e, RACE_EACH);
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
    who = lowest(e->warps) * 32 + lowest(e->arg);
  for (uint32_t todo = e->cells; todo; todo &= todo - 1)
    race->lanes[number].of[lowest(todo)] = who;
  set_form(e, RACE_WHO);
  e->arg = number;
  e->warps = 0;
  return true;
}

// One agent's, or one lane's of one warp.
static bool is_of_one(const RaceEntry *e) {
  return race_form(e) == RACE_AGENT ||
         (race_form(e) == RACE_LANES && is_single(e->arg) &&
          is_single(e->warps));
}

// Adds to an entry with one for each cell; false: cells have others there.
static bool join_names(const Access *x, RaceEntry *e) {
  const RaceEntry *now = x->now;
  Race *race = x->actor->race;
  bool can_be_named = race_form(e) == RACE_WHO || is_of_one(e);
  if (!is_of_one(now) || !can_be_named || (e->cells & now->cells))
    return false;
  if (!name_entry(race, e))
    return true; // the detection has failed
  e->cells |= now->cells;
  for (uint32_t todo = now->cells; todo; todo &= todo - 1)
    race->lanes[e->arg].of[lowest(todo)] = who_now(x, lowest(todo));
  return true;
}

static bool holds_lanes(const Access *x, const RaceEntry *e) {
  const uint32_t *each = each_of(x->actor->race, e);
  for (uint32_t todo = x->now->cells; todo; todo &= todo - 1) {
    uint32_t cell = lowest(todo);
    if (lanes_at(x->now, x->lanes, cell) & ~lanes_at(e, each, cell))
      return false;
  }
  return true;
}

// The entry has all that is to be added.
static bool has_all(const Access *x, const RaceEntry *e) {
  const RaceEntry *now = x->now;
  if (now->cells & ~e->cells)
    return false;
  if (is_by_name(e))
    return is_own_by_name(x, e, now->cells);
  if (now->warps & ~e->warps)
    return false;
  if (same_lanes(e, now))
    return true;
  return race_form(e) == RACE_EACH && race_form(now) != RACE_AGENT &&
         holds_lanes(x, e);
}

// Adds to an entry of the same time; false: it is of other warps.
static bool join_entry(const Access *x, RaceChunk *chunk, uint32_t i) {
  Race *race = x->actor->race;
  const RaceEntry *now = x->now;
  RaceEntry *e = race_entry(x->shadow, chunk, i);
  bool are_warps = e->warps == now->warps;
  if (same_lanes(e, now) && (are_warps || e->cells == now->cells)) {
    e->cells |= now->cells;
    e->warps |= now->warps;
  } else if (!are_warps || !e->warps) {
    return join_names(x, e);
  } else if (spell_entry(race, e)) {
    e->cells |= now->cells;
    spell_lanes(now, x->lanes, race->lanes[e->arg].of);
  }
  if (chunk->n > 1)
    fold(race, x->shadow, chunk, i);
  return true;
}

static bool append_entry(const Access *x, RaceChunk *chunk) {
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

// False: there are too many.
static bool add_entry(const Access *x, RaceChunk *chunk) {
  for (uint32_t i = 0; i < chunk->n; i++) {
    const RaceEntry *e = race_entry(x->shadow, chunk, i);
    if (same_time(e, x->now) && (has_all(x, e) || join_entry(x, chunk, i)))
      return true;
  }
  return append_entry(x, chunk);
}

// ------------------------------------------------------------------ room

// Note [Settled entries]
// What a block did to memory that is only its own before its last barrier can
// no longer race with anything: reads are forgotten, and of writes only matters
// that there were any. Copies are another matter: they need a fence.
static bool can_settle(const Race *race, const RaceShadow *shadow) {
  return shadow->owner && race->config.shared_is_private &&
         race->config.n_agents == 0;
}

static void forget_settled(Race *race, const RaceShadow *shadow,
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
    drop_entry(race, shadow, chunk, i);
  }
  if (!written)
    return;
  if (has_table(written))
    race_lanes_free(race, written->arg);
  set_form(written, RACE_LANES);
  written->arg = 1;
  written->warps = 0;
}

// Of reads that nothing will ever be ordered behind, one is enough.
static void forget_eternal(Race *race, const RaceShadow *shadow,
                           RaceChunk *chunk) {
  uint32_t cells = 0;
  for (uint32_t i = 0; i < chunk->n;) {
    RaceEntry *e = race_entry(shadow, chunk, i);
    bool is_one =
        !(race_kind(e) & RACE_WRITES) && race_is_eternal(race, e->block);
    uint32_t others = is_one ? e->cells & cells : 0;
    cells |= is_one ? e->cells : 0;
    i += !others || !take_cells(race, shadow, chunk, i, others);
  }
}

// ----------------------------------------------------------------- cells

void race_chunk_touch(Race *race, RaceChunk *chunk, uint32_t cells) {
  if (!chunk->touched)
    race->n_chunks++;
  chunk->touched |= cells;
}

static void add_to_cell(Race *race, RaceCell *cell, const RaceEntry *e,
                        uint32_t who) {
  RaceActor was = {.race = race, .now = epoch_of(e, who)};
  race_cell_add(&was, cell);
}

static void entry_to_cells(Race *race, const RaceEntry *e, RaceCell *cells) {
  const uint32_t *each = each_of(race, e);
  for (uint32_t todo = e->cells; todo; todo &= todo - 1) {
    uint32_t cell = lowest(todo), lanes = lanes_at(e, each, cell);
    if (is_by_name(e))
      add_to_cell(race, &cells[cell], e, who_at(e, each, cell));
    else if (!e->warps) // settled: anybody's
      add_to_cell(race, &cells[cell], e, 0);
    for (uint32_t w = e->warps; w; w &= w - 1)
      for (uint32_t rest = lanes; rest; rest &= rest - 1)
        add_to_cell(race, &cells[cell], e, lowest(w) * 32 + lowest(rest));
  }
}

static void clear_entries(Race *race, const RaceShadow *shadow,
                          RaceChunk *chunk) {
  while (chunk->n > 0)
    drop_entry(race, shadow, chunk, chunk->n - 1);
}

// Its owner is another: what is there is of no concern.
static void renew(Race *race, const RaceShadow *shadow, RaceChunk *chunk) {
  chunk->start = shadow->owner->start;
  clear_entries(race, shadow, chunk);
  if (!chunk->cells)
    return;
  bool has_syncs = false;
  RaceCell *cells = race->cells[chunk->cells].of;
  for (uint32_t i = 0; i < RACE_CHUNK; i++) {
    race_cell_forget(race, &cells[i]);
    has_syncs |= cells[i].sync != 0;
  }
  if (has_syncs)
    return;
  race_cells_free(race, chunk->cells);
  chunk->cells = 0;
}

static RaceChunk *chunk_at(Race *race, const RaceShadow *shadow,
                           uint64_t index) {
  RaceChunk *chunk = &shadow->chunks[index];
  if (shadow->owner && chunk->start != shadow->owner->start)
    renew(race, shadow, chunk);
  return chunk;
}

// Its words have to go, if it has any.
static void leave_words(const RaceShadow *shadow) {
  if (shadow->words && shadow->owner->quick.is_on)
    race_quick_leave(shadow->owner);
}

uint32_t race_chunk_held(const Race *race, const RaceShadow *shadow,
                         uint64_t index) {
  RaceChunk *chunk = &shadow->chunks[index];
  uint32_t held = 0;
  if (chunk->start != shadow->owner->start)
    return 0;
  for (uint32_t i = 0; i < chunk->n; i++)
    if (race_kind(race_entry(shadow, chunk, i)) & RACE_WRITES)
      held |= race_entry(shadow, chunk, i)->cells;
  for (uint32_t i = 0; i < RACE_CHUNK && chunk->cells; i++)
    held |= (uint32_t)(race->cells[chunk->cells].of[i].write.clock != 0) << i;
  return held;
}

void race_chunk_settle(Race *race, RaceShadow *shadow, uint64_t index,
                       uint32_t clock, uint32_t held) {
  RaceChunk *chunk = &shadow->chunks[index];
  held |= race_chunk_held(race, shadow, index);
  renew(race, shadow, chunk);
  if (!clock || !held)
    return;
  chunk->near[0] = (RaceEntry){.block = shadow->owner->number,
                               .clock = clock,
                               .what = race_what(0, RACE_WRITES) |
                                       RACE_LANES << RACE_WHAT_BITS,
                               .cells = held,
                               .arg = 1};
  chunk->n = 1;
}

RaceCell *race_chunk_cells(Race *race, RaceShadow *shadow, uint64_t index) {
  leave_words(shadow);
  RaceChunk *chunk = chunk_at(race, shadow, index);
  if (chunk->cells)
    return race->cells[chunk->cells].of;
  uint32_t number = race_cells_new(race);
  if (!number)
    return NULL;
  for (uint32_t i = 0; i < chunk->n; i++)
    entry_to_cells(race, race_entry(shadow, chunk, i), race->cells[number].of);
  clear_entries(race, shadow, chunk);
  chunk->cells = number & RACE_MAX_CELLS;
  return race->cells[number].of;
}

// Cells that a write of all of them made equal become entries again.
static void leave_cells(const Access *x, RaceChunk *chunk) {
  Race *race = x->actor->race;
  const RaceCell *cells = race->cells[chunk->cells].of;
  for (uint32_t i = 0; i < RACE_CHUNK; i++)
    if (cells[i].sync || cells[i].records || cells[i].other.clock)
      return;
  race_cells_free(race, chunk->cells);
  chunk->cells = 0;
  append_entry(x, chunk);
}

static void access_cells(const Access *x, RaceShadow *shadow) {
  RaceActor *a = x->actor;
  RaceCell *cells = race_chunk_cells(a->race, shadow, x->index);
  for (uint32_t todo = x->now->cells; cells && todo; todo &= todo - 1) {
    uint32_t i = lowest(todo);
    uint64_t index = x->index * RACE_CHUNK + i;
    uint32_t lanes = lanes_at(x->now, x->lanes, i);
    if (race_form(x->now) == RACE_AGENT)
      race_cell_access(a, shadow, index, &cells[i]);
    else
      race_cell_lanes(a, shadow, index, &cells[i], lowest(x->now->warps),
                      lanes);
  }
  if (cells && (race_kind(x->now) & RACE_WRITES) && x->now->cells == UINT32_MAX)
    leave_cells(x, &shadow->chunks[x->index]);
}

// ---------------------------------------------------------------- access

// It stores where another has stored with nothing in between: values decide,
// cell by cell.
static bool may_be_equal(const Access *x, RaceChunk *chunk) {
  if (!x->actor->block->store || !race_is_plain_write(race_kind(x->now)))
    return false;
  for (uint32_t i = 0; i < chunk->n; i++) {
    const RaceEntry *e = race_entry(x->shadow, chunk, i);
    uint32_t cells = e->cells & x->now->cells;
    if (cells && race_is_plain_write(race_kind(e)) && !is_behind(x, e, cells))
      return true;
  }
  return false;
}

static void write_chunk(const Access *x, RaceChunk *chunk) {
  for (uint32_t i = 0; i < chunk->n;) {
    RaceEntry *e = race_entry(x->shadow, chunk, i);
    uint32_t cells = e->cells & x->now->cells;
    if (cells && !is_behind(x, e, cells))
      check_cells(x, e, cells);
    i += !cells || !take_cells(x->actor->race, x->shadow, chunk, i, cells);
  }
}

static void tell_empty(const Access *x, uint32_t cells) {
  RaceActor *a = x->actor;
  RaceEpoch now = a->now;
  if (a->thread)
    now.who = (lowest(x->now->warps) * 32 +
               lowest(lanes_at(x->now, x->lanes, lowest(cells)))) &
              (RACE_MAX_WHO - 1);
  uint64_t index = x->index * RACE_CHUNK + lowest(cells);
  race_found_empty(a->block, x->shadow, race_cell_address(x->shadow, index),
                   &now);
}

// The later of two reads: whatever races with the earlier races with it.
static bool is_covered(const Access *x, const RaceEntry *e, uint32_t cells) {
  const RaceEntry *now = x->now;
  if (e->block == now->block && e->warps == now->warps && same_lanes(e, now))
    return true;
  return is_known(x, x->actor->know, e, cells);
}

static void read_chunk(const Access *x, RaceChunk *chunk) {
  uint32_t unknown = x->now->cells;
  for (uint32_t i = 0; i < chunk->n;) {
    RaceEntry *e = race_entry(x->shadow, chunk, i);
    uint32_t cells = e->cells & x->now->cells;
    bool is_gone = false;
    unknown &= ~cells;
    if (cells && (race_kind(e) & RACE_WRITES)) {
      if (!is_behind(x, e, cells))
        check_cells(x, e, cells);
    } else if (cells && !same_time(e, x->now) &&
               (is_own(x, e, cells) || is_covered(x, e, cells))) {
      is_gone = take_cells(x->actor->race, x->shadow, chunk, i, cells);
    }
    i += !is_gone;
  }
  if (unknown && x->shadow->info.starts_empty)
    tell_empty(x, unknown);
}

static void access_chunk(const Access *x, RaceShadow *shadow,
                         RaceChunk *chunk) {
  RaceActor *a = x->actor;
  if (chunk->n > 1 && can_settle(a->race, shadow) &&
      chunk->settled != shadow->owner->settled)
    forget_settled(a->race, shadow, chunk);
  if (may_be_equal(x, chunk)) {
    access_cells(x, shadow);
    return;
  }
  if (race_kind(x->now) & RACE_WRITES)
    write_chunk(x, chunk);
  else
    read_chunk(x, chunk);
  if (shadow->info.is_never_written || add_entry(x, chunk))
    return;
  forget_eternal(a->race, shadow, chunk);
  if (!add_entry(x, chunk))
    access_cells(x, shadow);
}

// The first access of a chunk, or the same lanes' again that nobody else came
// to: what access_chunk would do, at once.
static bool access_alone(const Access *x, RaceChunk *chunk) {
  const RaceEntry *now = x->now;
  RaceEntry *only = &chunk->near[0];
  bool writes = race_kind(now) & RACE_WRITES;
  if (chunk->n > 1 || chunk->cells || has_table(now) ||
      x->shadow->info.is_never_written)
    return false;
  if (chunk->n == 0) {
    if (!writes && x->shadow->info.starts_empty)
      return false;
    chunk->n = 1;
  } else if (race_form(now) != RACE_ROW || !x->actor->thread ||
             only->block != now->block || only->warps != now->warps ||
             only->cells != now->cells || only->arg != now->arg ||
             race_form(only) != RACE_ROW ||
             (!writes && (race_kind(only) & RACE_WRITES)) ||
             (!writes && !same_time(only, now))) {
    return false;
  }
  *only = *now;
  return true;
}

// Where in a chunk a row goes by itself: in place of the only entry, or behind
// it, as others' cells; RACE_NEAR_ENTRIES: it doesn't.
static inline uint32_t row_place(const RaceChunk *chunk, const RaceEntry *now,
                                 uint32_t cells, uint32_t arg) {
  const RaceEntry *only = &chunk->near[0];
  bool writes = race_kind(now) & RACE_WRITES;
  if (chunk->n == 0 && !chunk->cells)
    return 0;
  if (chunk->n != 1 || chunk->cells)
    return RACE_NEAR_ENTRIES;
  if (!(only->cells & cells) && !same_time(only, now))
    return 1;
  bool is_own = only->block == now->block && only->warps == now->warps &&
                only->cells == cells && only->arg == arg &&
                race_form(only) == RACE_ROW;
  bool covers =
      writes || (!(race_kind(only) & RACE_WRITES) && same_time(only, now));
  return is_own && covers ? 0 : RACE_NEAR_ENTRIES;
}

// Field by field: an entry that was just stored in parts would have to be
// waited for to be copied as a whole.
static inline void put_row(Race *race, RaceChunk *chunk, const RaceEntry *now,
                           uint32_t cells, uint32_t arg, uint32_t place) {
  RaceEntry *e = &chunk->near[place];
  if (cells & ~chunk->touched)
    race_chunk_touch(race, chunk, cells);
  chunk->n = (place + 1) & 15;
  e->block = now->block;
  e->clock = now->clock;
  e->what = now->what;
  e->cells = cells;
  e->warps = now->warps;
  e->arg = arg;
}

enum { AHEAD = 16 }; // chunks that warps to come will ask for

bool race_chunk_row(Race *race, const RaceShadow *shadow, const RaceEntry *now,
                    uint32_t lanes, int64_t first) {
  uint32_t low = (uint32_t)first & (RACE_CHUNK - 1);
  RaceChunk *chunk = shadow->chunks + (first - low) / RACE_CHUNK;
  __builtin_prefetch(chunk + AHEAD, 1);
  uint32_t cells = lanes << low, arg = -low, next_arg = RACE_CHUNK - low;
  uint32_t next_cells = low ? lanes >> (RACE_CHUNK - low) : 0;
  uint32_t place = cells ? row_place(chunk, now, cells, arg) : 0;
  uint32_t next_place =
      next_cells ? row_place(chunk + 1, now, next_cells, next_arg) : 0;
  if (place == RACE_NEAR_ENTRIES || next_place == RACE_NEAR_ENTRIES)
    return false;
  if (cells)
    put_row(race, chunk, now, cells, arg, place);
  if (next_cells)
    put_row(race, chunk + 1, now, next_cells, next_arg, next_place);
  return true;
}

void race_chunk_access(RaceActor *a, RaceShadow *shadow, uint64_t index,
                       const RaceEntry *now, const uint32_t *lanes) {
  Access x = {a, shadow, index, now, lanes};
  leave_words(shadow);
  RaceChunk *chunk = chunk_at(a->race, shadow, index);
  if (now->cells & ~chunk->touched)
    race_chunk_touch(a->race, chunk, now->cells);
  if (chunk->cells)
    access_cells(&x, shadow);
  else if (!access_alone(&x, chunk))
    access_chunk(&x, shadow, chunk);
  if (a->block->store && a->thread)
    a->block->store->done |= lanes_of(now, lanes, now->cells);
}
