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
#include "rt/cpu/race_entry.h"
#include "rt/cpu/race_parts.h"

// ----------------------------------------------------------------- cells

void race_chunk_touch(Race *race, RaceChunk *chunk, uint32_t cells) {
  if (!chunk->touched)
    race->n_chunks++;
  chunk->touched |= cells;
}

static void add_to_cell(Race *race, RaceCell *cell, const RaceEntry *e,
                        uint32_t who) {
  RaceActor was = {.race = race, .now = race_entry_epoch(e, who)};
  race_cell_add(&was, cell);
}

static void entry_to_cells(Race *race, const RaceEntry *e, RaceCell *cells) {
  const uint32_t *each = race_each_of(race, e);
  for (uint32_t todo = e->cells; todo; todo &= todo - 1) {
    uint32_t cell = race_lowest(todo), lanes = race_lanes_at(e, each, cell);
    if (race_is_by_name(e))
      add_to_cell(race, &cells[cell], e, race_who_at(e, each, cell));
    else if (!e->warps) // settled: anybody's
      add_to_cell(race, &cells[cell], e, 0);
    for (uint32_t w = e->warps; w; w &= w - 1)
      for (uint32_t rest = lanes; rest; rest &= rest - 1)
        add_to_cell(race, &cells[cell], e,
                    race_lowest(w) * 32 + race_lowest(rest));
  }
}

static void clear_entries(Race *race, const RaceShadow *shadow,
                          RaceChunk *chunk) {
  while (chunk->n > 0)
    race_drop_entry(race, shadow, chunk, chunk->n - 1);
}

// Its owner is another: what is there is of no concern.
static void race_chunk_renew(Race *race, const RaceShadow *shadow,
                             RaceChunk *chunk) {
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
    race_chunk_renew(race, shadow, chunk);
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
  race_chunk_renew(race, shadow, chunk);
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
static void leave_cells(const RaceAccess *x, RaceChunk *chunk) {
  Race *race = x->actor->race;
  const RaceCell *cells = race->cells[chunk->cells].of;
  for (uint32_t i = 0; i < RACE_CHUNK; i++)
    if (cells[i].sync || cells[i].records || cells[i].other.clock)
      return;
  race_cells_free(race, chunk->cells);
  chunk->cells = 0;
  race_append_entry(x, chunk);
}

static void access_cells(const RaceAccess *x, RaceShadow *shadow) {
  RaceActor *a = x->actor;
  RaceCell *cells = race_chunk_cells(a->race, shadow, x->index);
  for (uint32_t todo = x->now->cells; cells && todo; todo &= todo - 1) {
    uint32_t i = race_lowest(todo);
    uint64_t index = x->index * RACE_CHUNK + i;
    uint32_t lanes = race_lanes_at(x->now, x->lanes, i);
    if (race_form(x->now) == RACE_AGENT)
      race_cell_access(a, shadow, index, &cells[i]);
    else
      race_cell_lanes(a, shadow, index, &cells[i], race_lowest(x->now->warps),
                      lanes);
  }
  if (cells && (race_kind(x->now) & RACE_WRITES) && x->now->cells == UINT32_MAX)
    leave_cells(x, &shadow->chunks[x->index]);
}

// ---------------------------------------------------------------- access

// It stores where another has stored with nothing in between: values decide,
// cell by cell.
static bool may_be_equal(const RaceAccess *x, RaceChunk *chunk) {
  if (!x->actor->block->store || !race_is_plain_write(race_kind(x->now)))
    return false;
  for (uint32_t i = 0; i < chunk->n; i++) {
    const RaceEntry *e = race_entry(x->shadow, chunk, i);
    uint32_t cells = e->cells & x->now->cells;
    if (cells && race_is_plain_write(race_kind(e)) &&
        !race_is_behind(x, e, cells))
      return true;
  }
  return false;
}

static void write_chunk(const RaceAccess *x, RaceChunk *chunk) {
  for (uint32_t i = 0; i < chunk->n;) {
    RaceEntry *e = race_entry(x->shadow, chunk, i);
    uint32_t cells = e->cells & x->now->cells;
    if (cells && !race_is_behind(x, e, cells))
      race_check_cells(x, e, cells);
    i += !cells || !race_take_cells(x->actor->race, x->shadow, chunk, i, cells);
  }
}

static void tell_empty(const RaceAccess *x, uint32_t cells) {
  RaceActor *a = x->actor;
  RaceEpoch now = a->now;
  if (a->thread)
    now.who =
        (race_lowest(x->now->warps) * 32 +
         race_lowest(race_lanes_at(x->now, x->lanes, race_lowest(cells)))) &
        (RACE_MAX_WHO - 1);
  uint64_t index = x->index * RACE_CHUNK + race_lowest(cells);
  race_found_empty(a->block, x->shadow, race_cell_address(x->shadow, index),
                   &now);
}

static void read_chunk(const RaceAccess *x, RaceChunk *chunk) {
  uint32_t unknown = x->now->cells;
  for (uint32_t i = 0; i < chunk->n;) {
    RaceEntry *e = race_entry(x->shadow, chunk, i);
    uint32_t cells = e->cells & x->now->cells;
    bool is_gone = false;
    unknown &= ~cells;
    if (cells && (race_kind(e) & RACE_WRITES)) {
      if (!race_is_behind(x, e, cells))
        race_check_cells(x, e, cells);
    } else if (cells && !race_same_time(e, x->now) &&
               (race_is_own(x, e, cells) || race_is_covered(x, e, cells))) {
      is_gone = race_take_cells(x->actor->race, x->shadow, chunk, i, cells);
    }
    i += !is_gone;
  }
  if (unknown && x->shadow->info.starts_empty)
    tell_empty(x, unknown);
}

static void access_chunk(const RaceAccess *x, RaceShadow *shadow,
                         RaceChunk *chunk) {
  RaceActor *a = x->actor;
  if (chunk->n > 1 && race_can_settle(a->race, shadow) &&
      chunk->settled != shadow->owner->settled)
    race_forget_settled(a->race, shadow, chunk);
  if (may_be_equal(x, chunk)) {
    access_cells(x, shadow);
    return;
  }
  if (race_kind(x->now) & RACE_WRITES)
    write_chunk(x, chunk);
  else
    read_chunk(x, chunk);
  if (shadow->info.is_never_written || race_add_entry(x, chunk))
    return;
  race_forget_eternal(a->race, shadow, chunk);
  if (!race_add_entry(x, chunk))
    access_cells(x, shadow);
}

// The first access of a chunk, or the same lanes' again that nobody else came
// to: what access_chunk would do, at once.
static bool access_alone(const RaceAccess *x, RaceChunk *chunk) {
  const RaceEntry *now = x->now;
  RaceEntry *only = &chunk->near[0];
  bool writes = race_kind(now) & RACE_WRITES;
  if (chunk->n > 1 || chunk->cells || race_has_table(now) ||
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
             (!writes && !race_same_time(only, now))) {
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
  if (!(only->cells & cells) && !race_same_time(only, now))
    return 1;
  bool race_is_own = only->block == now->block && only->warps == now->warps &&
                     only->cells == cells && only->arg == arg &&
                     race_form(only) == RACE_ROW;
  bool covers =
      writes || (!(race_kind(only) & RACE_WRITES) && race_same_time(only, now));
  return race_is_own && covers ? 0 : RACE_NEAR_ENTRIES;
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
  RaceAccess x = {a, shadow, index, now, lanes};
  leave_words(shadow);
  RaceChunk *chunk = chunk_at(a->race, shadow, index);
  if (now->cells & ~chunk->touched)
    race_chunk_touch(a->race, chunk, now->cells);
  if (chunk->cells)
    access_cells(&x, shadow);
  else if (!access_alone(&x, chunk))
    access_chunk(&x, shadow, chunk);
  if (a->block->store && a->thread)
    a->block->store->done |= race_lanes_of(now, lanes, now->cells);
}
