// SPDX-License-Identifier: Apache-2.0
// A model of the race detector: it remembers every access of every byte, with
// full vector clocks.
#ifndef HD_TESTS_UNIT_RT_RACE_WORLD_H
#define HD_TESTS_UNIT_RT_RACE_WORLD_H

#include "rt/cpu/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka last: it needs the headers above.
#include <cmocka.h>

enum {
  N_THREADS = 80, // two warps and a half
  N_AGENTS = 2,
  N_BLOCKS = 6, // that ever run, two at a time
  N_ACTORS = N_BLOCKS * (N_THREADS + N_AGENTS),
  N_SYNCS = 3,
  GLOBAL_BYTES = 640,
  SHARED_BYTES = 320,
  N_BYTES = GLOBAL_BYTES + 2 * SHARED_BYTES,
  GLOBAL_BASE = 0x1000,
  SHARED_BASE = 0x10000, // and twice that
  ADDRESS_GAP = 0x10000,
};

enum {
  READ,
  WRITE,
  READ_AGAIN,
  WRITE_AGAIN,
  READ_PAIR,
  WRITE_PAIR,
  READ_BYTE,
  WRITE_BYTE,
  LOAD,
  STORE,
  UPDATE,
  ACQUIRE,
  RELEASE,
  AGENT_READ,
  AGENT_WRITE,
  N_SITES
};

#define ATOMIC_WRITE (RACE_ATOMIC | RACE_WRITES)

static const RaceSite sites[N_SITES] = {
    [READ] = {.place = "m.hd:1:1", .size_bytes = 4},
    [WRITE] = {.place = "m.hd:2:1", .kind = RACE_WRITES, .size_bytes = 4},
    [READ_AGAIN] = {.place = "m.hd:3:1", .size_bytes = 4},
    [WRITE_AGAIN] = {.place = "m.hd:4:1", .kind = RACE_WRITES, .size_bytes = 4},
    [READ_PAIR] = {.place = "m.hd:5:1", .size_bytes = 8},
    [WRITE_PAIR] = {.place = "m.hd:6:1", .kind = RACE_WRITES, .size_bytes = 8},
    [READ_BYTE] = {.place = "m.hd:7:1", .size_bytes = 1},
    [WRITE_BYTE] = {.place = "m.hd:8:1", .kind = RACE_WRITES, .size_bytes = 1},
    [LOAD] = {.place = "m.hd:9:1", .kind = RACE_ATOMIC, .size_bytes = 4},
    [STORE] = {.place = "m.hd:10:1", .kind = ATOMIC_WRITE, .size_bytes = 4},
    [UPDATE] = {.place = "m.hd:11:1",
                .kind = ATOMIC_WRITE | RACE_RMW,
                .size_bytes = 4},
    [ACQUIRE] = {.place = "m.hd:12:1",
                 .kind = RACE_ATOMIC,
                 .size_bytes = 4,
                 .acquires = true},
    [RELEASE] = {.place = "m.hd:13:1",
                 .kind = ATOMIC_WRITE,
                 .size_bytes = 4,
                 .releases = true},
    [AGENT_READ] = {.place = "m.hd:14:1", .size_bytes = 1},
    [AGENT_WRITE] = {.place = "m.hd:15:1",
                     .kind = RACE_WRITES,
                     .size_bytes = 1},
};

// ----------------------------------------------------------------- model

typedef struct {
  uint32_t actor, clock, site;
} Past;

typedef struct {
  Past *items;
  uint32_t count, capacity;
} History;

typedef uint32_t Clocks[N_ACTORS];

typedef struct {
  Race *race;
  RaceBlock *blocks[2];
  uint32_t numbers[2]; // of the two that run
  uint32_t n_blocks;   // that ever ran
  uint32_t random;
  bool is_private, has_agents, has_atomics, has_grid;
  RaceSync syncs[N_SYNCS];
  Clocks sync_clocks[N_SYNCS];
  Clocks clocks[N_ACTORS];
  Clocks *cell_clocks; // of each aligned 4 bytes: what atomics released
  History bytes[N_BYTES];
  Past updates[N_BYTES]; // the newest atomic access, if it observed all others
  uint32_t last_update;  // byte
} World;

static inline uint32_t pick(World *w, uint32_t n) {
  w->random = w->random * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)(w->random >> 4) * n >> 28);
}

static inline uint32_t actor_of(const World *w, int b, uint32_t who) {
  return w->numbers[b] * (N_THREADS + N_AGENTS) + who;
}

static inline bool is_agent(uint32_t actor) {
  return actor % (N_THREADS + N_AGENTS) >= N_THREADS;
}

static inline void join(uint32_t *into, const uint32_t *from) {
  for (uint32_t i = 0; i < N_ACTORS; i++)
    into[i] = into[i] > from[i] ? into[i] : from[i];
}

static inline bool do_conflict(uint32_t a, uint32_t b) {
  uint32_t kinds = sites[a].kind | sites[b].kind;
  return (kinds & RACE_WRITES) &&
         !(sites[a].kind & sites[b].kind & RACE_ATOMIC);
}

// All atomic accesses of the byte come before.
static inline bool follows_updates(const World *w, uint32_t byte,
                                   uint32_t actor, const uint32_t *clocks,
                                   uint32_t site) {
  const Past *update = &w->updates[byte];
  return !(sites[site].kind & RACE_ATOMIC) && !is_agent(actor) &&
         update->clock > 0 &&
         (update->actor == actor || clocks[update->actor] >= update->clock);
}

static inline const Past *racing(const World *w, uint32_t byte, uint32_t actor,
                                 const uint32_t *clocks, uint32_t site) {
  const History *history = &w->bytes[byte];
  bool is_after = follows_updates(w, byte, actor, clocks, site);
  for (uint32_t i = history->count; i-- > 0;) {
    const Past *past = &history->items[i];
    bool is_own = past->actor == actor && !is_agent(actor);
    is_own |= is_after && (sites[past->site].kind & RACE_ATOMIC);
    if (do_conflict(past->site, site) && !is_own &&
        clocks[past->actor] < past->clock)
      return past;
  }
  return NULL;
}

static inline void add_past(World *w, uint32_t byte, Past past) {
  History *history = &w->bytes[byte];
  for (uint32_t i = 0; i < history->count; i++)
    if (memcmp(&history->items[i], &past, sizeof past) == 0)
      return;
  if (history->count == history->capacity) {
    history->capacity = history->capacity * 2 + 16;
    history->items =
        realloc(history->items, history->capacity * sizeof *history->items);
    assert_non_null(history->items);
  }
  history->items[history->count++] = past;
}

// What comes after a write that came after atomic accesses does so, too.
static inline void drop_atomics(History *history) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < history->count; i++)
    if (!(sites[history->items[i].site].kind & RACE_ATOMIC))
      history->items[n++] = history->items[i];
  history->count = n;
}

// Before the access is added.
static inline void note_update(World *w, uint32_t byte, uint32_t actor,
                               uint32_t site) {
  const uint32_t *clocks = w->clocks[actor];
  Past *update = &w->updates[byte];
  bool is_behind =
      update->clock > 0 &&
      (update->actor == actor || clocks[update->actor] >= update->clock);
  if (sites[site].kind & RACE_ATOMIC) {
    bool is_last = (sites[site].kind & RACE_RMW) || is_behind;
    *update = is_last ? (Past){actor, clocks[actor], site} : (Past){0};
    w->last_update = is_last ? byte : w->last_update;
  } else if (is_behind && (sites[site].kind & RACE_WRITES)) {
    drop_atomics(&w->bytes[byte]);
  }
}

// What the atomic access of a thread orders.
static inline void order(World *w, uint32_t actor, uint32_t byte,
                         uint32_t site) {
  uint32_t *mine = w->clocks[actor], *cell = w->cell_clocks[byte / 4];
  if (sites[site].acquires)
    join(mine, cell);
  if (site == STORE || site == RELEASE)
    memset(cell, 0, sizeof(Clocks));
  if (sites[site].releases) {
    join(cell, mine);
    mine[actor]++;
  }
}

#endif
