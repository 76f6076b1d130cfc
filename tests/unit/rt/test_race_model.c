// SPDX-License-Identifier: Apache-2.0
// The race detector against a model that remembers every access of every byte
// and compares full vector clocks: the same accesses must be the first that
// race, and what a report names must have happened.
#include "race_world.h"

// ----------------------------------------------------------------- world

static const RaceArray shared = {.name = "tile",
                                 .space = "shared",
                                 .size_bytes = SHARED_BYTES,
                                 .element_bytes = 4,
                                 .cell_bytes = 4,
                                 .rank = 1,
                                 .extents = {SHARED_BYTES / 4},
                                 .strides = {1},
                                 .starts_empty = true};

static void start_block(World *w, int b) {
  w->numbers[b] = w->n_blocks++;
  w->blocks[b] =
      race_block_start(w->race, w->numbers[b],
                       SHARED_BASE + (uint64_t)b * ADDRESS_GAP, &shared, 1);
  assert_non_null(w->blocks[b]);
  for (uint32_t i = 0; i < N_THREADS; i++)
    w->clocks[actor_of(w, b, i)][actor_of(w, b, i)] = 1;
  for (int i = 0; i < SHARED_BYTES; i++)
    w->bytes[GLOBAL_BYTES + b * SHARED_BYTES + i].count = 0;
  memset(&w->updates[GLOBAL_BYTES + b * SHARED_BYTES], 0,
         SHARED_BYTES * sizeof(Past));
  for (int i = 0; i < SHARED_BYTES / 4; i++)
    memset(w->cell_clocks[(GLOBAL_BYTES + b * SHARED_BYTES) / 4 + i], 0,
           sizeof(Clocks));
}

static World *world_new(uint32_t seed) {
  static const int32_t grid[3] = {N_BLOCKS, 1, 1};
  static const int32_t block_dim[3] = {N_THREADS, 1, 1};
  World *w = calloc(1, sizeof *w);
  assert_non_null(w);
  w->random = seed * 2654435761u;
  w->is_private = pick(w, 2);
  w->has_agents = pick(w, 3) == 0;
  w->has_atomics = pick(w, 3) == 0;
  w->has_grid = pick(w, 3) == 0;
  bool is_narrow = pick(w, 2);
  w->cell_clocks = calloc(N_BYTES / 4, sizeof *w->cell_clocks);
  RaceConfig config = {.n_threads = N_THREADS,
                       .n_agents = w->has_agents ? N_AGENTS : 0,
                       .max_reports = 20,
                       .shared_is_private = w->is_private,
                       .grid = grid,
                       .block_dim = block_dim,
                       .sites = sites,
                       .n_sites = N_SITES,
                       .is_narrow = is_narrow};
  RaceArray array = {.name = "a",
                     .space = "global",
                     .base = GLOBAL_BASE,
                     .size_bytes = GLOBAL_BYTES,
                     .element_bytes = 4,
                     .cell_bytes = 4,
                     .rank = 1,
                     .extents = {GLOBAL_BYTES / 4},
                     .strides = {1}};
  w->race = race_new(&config);
  assert_true(w->race && w->cell_clocks);
  assert_int_equal(race_add_array(w->race, &array), 0);
  start_block(w, 0);
  start_block(w, 1);
  return w;
}

static void world_free(World *w) {
  assert_false(race_failed(w->race));
  for (int i = 0; i < N_SYNCS; i++)
    race_sync_clear(w->race, &w->syncs[i]);
  race_free(w->race);
  for (int i = 0; i < N_BYTES; i++)
    free(w->bytes[i].items);
  free(w->cell_clocks);
  free(w);
}

// ---------------------------------------------------------------- access

static uint64_t address_of(uint32_t byte) {
  if (byte < GLOBAL_BYTES)
    return GLOBAL_BASE + byte;
  uint32_t rest = byte - GLOBAL_BYTES;
  return SHARED_BASE + (uint64_t)(rest / SHARED_BYTES) * ADDRESS_GAP +
         rest % SHARED_BYTES;
}

// Lanes of a warp and the first byte of each.
typedef struct {
  int b;
  uint32_t warp, mask, site;
  uint32_t first[32];
  int32_t step; // bytes, if the first are a row
  bool is_row;
  uint32_t period; // of rows that are row_bytes apart, 0: no such
  int32_t row_bytes;
} Access;

// Some pattern of programs within `size` bytes from `low` on.
static void pick_pattern(World *w, Access *x, uint32_t low, uint32_t size) {
  static const uint32_t steps[] = {1, 1, 1, 1, 0, 0, 2, 3};
  uint32_t bytes = sites[x->site].size_bytes, n = size / bytes;
  uint32_t from = pick(w, 3) ? pick(w, n / 16) * 16 : pick(w, n);
  uint32_t step = steps[pick(w, 8)], tile = 16u << pick(w, 2);
  uint32_t form = pick(w, 8);
  uint32_t skipped = form == 0 ? pick(w, 32) : 0; // lanes before the array
  x->is_row = form < 5;
  if (form == 0) {
    from = 0;
    x->mask = x->mask >> skipped << skipped;
  }
  x->step = (int32_t)(step * bytes);
  if (form == 5 && from + tile <= n) {
    x->period = tile;
    x->step = (int32_t)bytes;
  } else if (form == 6 && tile == 16 && from + 16 < n) {
    x->period = 16;
    x->step = 0;
    x->row_bytes = (int32_t)(16 * bytes);
  }
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t at = form < 5    ? from + (i - skipped) * step
                  : form == 5 ? from + i % tile
                  : form == 6
                      ? (tile == 16 ? from + i / 16 * 16 : from + 31 - i)
                      : pick(w, n);
    if (at >= n && x->is_row && i >= skipped)
      x->mask &= (1u << i) - 1; // as programs do at the end
    x->first[i] = low + at % n * bytes;
  }
}

// A plain access of what was updated last, mostly by who did so.
static bool pick_update(World *w, Access *x) {
  uint32_t byte = w->last_update & ~3u, who = w->updates[byte].actor;
  if (w->updates[byte].clock == 0 || pick(w, 12) != 0)
    return false;
  uint32_t block = who / (N_THREADS + N_AGENTS),
           thread = who % (N_THREADS + N_AGENTS);
  if (pick(w, 4) == 0)
    thread = pick(w, N_THREADS);
  *x = (Access){.b = block == w->numbers[1], .warp = thread / 32};
  x->mask = 1u << thread % 32;
  x->site = pick(w, 2);
  for (uint32_t i = 0; i < 32; i++)
    x->first[i] = byte;
  return block == w->numbers[x->b];
}

static void pick_access(World *w, Access *x) {
  if (pick_update(w, x))
    return;
  *x = (Access){.b = (int)pick(w, 2), .warp = pick(w, 3)};
  uint32_t all = x->warp == 2 ? 0xffff : UINT32_MAX;
  static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0xffff,
                                   0xffff0000};
  uint32_t form = pick(w, 8);
  x->mask = form < 5 ? masks[form] : form == 5 ? 1u << pick(w, 32) : w->random;
  x->mask &= all;
  bool is_odd = pick(w, 64) == 0;
  x->site = w->has_atomics && pick(w, 4) == 0 ? LOAD + pick(w, 5)
            : is_odd                          ? READ_PAIR + pick(w, 4)
                                              : pick(w, 4);
  bool is_global = pick(w, 2);
  int other = w->is_private ? x->b : (int)pick(w, 2);
  pick_pattern(w, x,
               is_global ? 0 : (uint32_t)(GLOBAL_BYTES + other * SHARED_BYTES),
               is_global ? GLOBAL_BYTES : SHARED_BYTES);
}

// Lanes of one plain write that meet each other.
static bool do_lanes_meet(const Access *x) {
  uint32_t bytes = sites[x->site].size_bytes;
  if ((sites[x->site].kind & ATOMIC_WRITE) != RACE_WRITES)
    return false;
  for (uint32_t i = 0; i < 32; i++)
    for (uint32_t k = 0; k < i; k++)
      if ((x->mask >> i & x->mask >> k & 1) &&
          x->first[i] < x->first[k] + bytes &&
          x->first[k] < x->first[i] + bytes)
        return true;
  return false;
}

static bool reads(uint32_t site) {
  return !(sites[site].kind & RACE_WRITES) || (sites[site].kind & RACE_RMW);
}

static bool is_wrong(const World *w, const Access *x) {
  if (do_lanes_meet(x))
    return true;
  for (uint32_t i = 0; i < 32; i++)
    for (uint32_t k = 0; k < sites[x->site].size_bytes && (x->mask >> i & 1);
         k++) {
      uint32_t actor = actor_of(w, x->b, x->warp * 32 + i);
      uint32_t byte = x->first[i] + k;
      bool is_empty = byte >= GLOBAL_BYTES && w->bytes[byte].count == 0;
      if (racing(w, byte, actor, w->clocks[actor], x->site) ||
          (is_empty && reads(x->site)))
        return true;
    }
  return false;
}

static void model_access(World *w, const Access *x) {
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t actor = actor_of(w, x->b, x->warp * 32 + i);
    if (!(x->mask >> i & 1))
      continue;
    for (uint32_t k = 0; k < sites[x->site].size_bytes; k++)
      note_update(w, x->first[i] + k, actor, x->site);
    for (uint32_t k = 0; k < sites[x->site].size_bytes; k++)
      add_past(w, x->first[i] + k,
               (Past){actor, w->clocks[actor][actor], x->site});
    if (sites[x->site].kind & RACE_ATOMIC)
      order(w, actor, x->first[i], x->site);
  }
}

static bool tell_rows(const World *w, const Access *x, uint64_t base) {
  uint32_t log2 = (uint32_t)__builtin_ctz(x->period);
  RaceRows rows = {base, x->step, x->row_bytes, log2};
  return log2 < 5 && race_access_rows(w->blocks[x->b], &sites[x->site], x->warp,
                                      x->mask, &rows);
}

static void detector_access(World *w, const Access *x) {
  uint64_t addresses[32];
  for (uint32_t i = 0; i < 32; i++)
    addresses[i] = address_of(x->first[i]);
  const RaceSite *site = &sites[x->site];
  RaceBlock *block = w->blocks[x->b];
  uint32_t outside, lane = (uint32_t)__builtin_ctz(x->mask);
  if (x->is_row && x->step == 0)
    outside = race_access_same(block, site, x->warp, x->mask, addresses[0]);
  else if (x->period && tell_rows(w, x, addresses[0]))
    outside = 0;
  else if (x->is_row)
    outside = race_access_row(
        block, site, x->warp, x->mask,
        addresses[lane] - (uint64_t)lane * (uint64_t)x->step, x->step);
  else
    outside = race_access(block, site, x->warp, x->mask, addresses);
  assert_int_equal(outside, 0);
}

// --------------------------------------------------------------- reports

// Did `thread` of `block` access the byte at line `line`?
static bool has_past(const World *w, uint32_t byte, uint32_t block,
                     uint32_t thread, int line) {
  const History *history = &w->bytes[byte];
  for (uint32_t i = 0; i < history->count; i++)
    if (history->items[i].actor == block * (N_THREADS + N_AGENTS) + thread &&
        history->items[i].site + 1 == (uint32_t)line)
      return true;
  return false;
}

// "  thread 3 of block (0, 0, 0) writes a[1] at m.hd:2:1"
static void check_line(const World *w, const char *text, uint32_t shared_low) {
  unsigned thread, block, index;
  char array[8], verb[32];
  int line;
  if (!strstr(text, "thread"))
    return; // an asynchronous copy
  const char *at = strstr(text, " at m.hd:");
  assert_non_null(at);
  assert_int_equal(sscanf(at, " at m.hd:%d:1", &line), 1);
  assert_int_equal(sscanf(text, "  thread %u of block (%u, 0, 0) %31s", &thread,
                          &block, verb),
                   3);
  const char *bracket = strchr(text, '[');
  assert_true(bracket && bracket < at);
  assert_int_equal(sscanf(bracket, "[%u]", &index), 1);
  memcpy(array, bracket - 1, 1);
  uint32_t low = array[0] == 'a' ? 0 : shared_low;
  bool is_there = false;
  for (uint32_t k = 0; k < 4; k++)
    is_there |= has_past(w, low + index * 4 + k, block, thread, line);
  assert_true(is_there);
}

// After the model has the access, too.
static void check_report(const World *w, const Access *x) {
  const char *text = race_report(w->race, 0);
  assert_non_null(text);
  uint32_t first = x->first[__builtin_ctz(x->mask)];
  uint32_t low =
      first < GLOBAL_BYTES
          ? 0
          : GLOBAL_BYTES + (first - GLOBAL_BYTES) / SHARED_BYTES * SHARED_BYTES;
  for (const char *line = strchr(text, '\n'); line && line[1];
       line = strchr(line + 1, '\n'))
    if (strstr(line, "thread") == line + 3)
      check_line(w, line + 1, low);
}

// ---------------------------------------------------------------- events

static void tick(World *w, int b, uint32_t thread) {
  uint32_t actor = actor_of(w, b, thread);
  w->clocks[actor][actor]++;
}

static void sync_members(World *w, int b, const uint32_t *members) {
  static Clocks all;
  memset(all, 0, sizeof all);
  for (uint32_t i = 0; i < N_THREADS; i++)
    if (!members || (members[i / 32] >> i % 32 & 1))
      join(all, w->clocks[actor_of(w, b, i)]);
  for (uint32_t i = 0; i < N_THREADS; i++)
    if (!members || (members[i / 32] >> i % 32 & 1)) {
      join(w->clocks[actor_of(w, b, i)], all);
      tick(w, b, i);
    }
}

static void sync_both(World *w) {
  static Clocks all;
  memset(all, 0, sizeof all);
  for (int b = 0; b < 2; b++)
    for (uint32_t i = 0; i < N_THREADS; i++)
      join(all, w->clocks[actor_of(w, b, i)]);
  for (int b = 0; b < 2; b++)
    for (uint32_t i = 0; i < N_THREADS; i++) {
      join(w->clocks[actor_of(w, b, i)], all);
      tick(w, b, i);
    }
  if (w->has_grid)
    race_sync_grid(w->blocks, 2);
  else
    race_sync_cluster(w->blocks, 2);
}

static void barrier(World *w) {
  int b = (int)pick(w, 2);
  uint32_t members[3] = {0}, warp = pick(w, 3), form = pick(w, 8);
  if (form < 3) {
    race_sync(w->blocks[b], NULL);
    sync_members(w, b, NULL);
  } else if (form == 3 && (!w->is_private || w->has_grid)) {
    sync_both(w);
  } else if (form == 4) {
    members[warp] = pick(w, 2) ? 0xffff : w->random & 0xffff;
    race_sync_warp(w->blocks[b], warp, members[warp]);
    if (members[warp] & (members[warp] - 1))
      sync_members(w, b, members);
  } else {
    for (uint32_t i = 0; i < 3; i++)
      members[i] = pick(w, 3) ? UINT32_MAX : w->random;
    members[2] &= 0xffff;
    race_sync(w->blocks[b], members);
    sync_members(w, b, members);
  }
}

static void release_or_acquire(World *w) {
  int b = (int)pick(w, 2);
  uint32_t k = pick(w, N_SYNCS), warp = pick(w, 3), thread = pick(w, N_THREADS);
  uint32_t all = warp == 2 ? 0xffff : UINT32_MAX, form = pick(w, 6);
  uint32_t mask = (pick(w, 3) ? UINT32_MAX : w->random) & all;
  if (w->is_private && !w->has_grid && b == 1)
    k = N_SYNCS - 1; // blocks that never release anything, mostly
  if (form == 0) {
    race_release(w->blocks[b], thread, &w->syncs[k]);
    join(w->sync_clocks[k], w->clocks[actor_of(w, b, thread)]);
    tick(w, b, thread);
  } else if (form == 1) {
    race_acquire(w->blocks[b], thread, &w->syncs[k]);
    join(w->clocks[actor_of(w, b, thread)], w->sync_clocks[k]);
  } else if (form < 4 && mask) {
    race_release_warp(w->blocks[b], warp, mask, &w->syncs[k]);
    for (uint32_t i = 0; i < 32; i++)
      if (mask >> i & 1)
        join(w->sync_clocks[k], w->clocks[actor_of(w, b, warp * 32 + i)]);
    for (uint32_t i = 0; i < 32; i++)
      if (mask >> i & 1)
        tick(w, b, warp * 32 + i);
  } else if (mask) {
    race_acquire_warp(w->blocks[b], warp, mask, &w->syncs[k]);
    for (uint32_t i = 0; i < 32; i++)
      if (mask >> i & 1)
        join(w->clocks[actor_of(w, b, warp * 32 + i)], w->sync_clocks[k]);
  }
}

static void next_block(World *w) {
  int b = (int)pick(w, 2);
  if (w->has_grid || w->n_blocks == N_BLOCKS)
    return;
  race_block_end(w->blocks[b]);
  start_block(w, b);
}

// Who waits for a copy knows that it came after what it replaced or, reading,
// what was read before it, but nothing else of its thread's past.
static void come_after(World *w, uint32_t byte, uint32_t site,
                       const uint32_t *clocks) {
  History *history = &w->bytes[byte];
  uint32_t n = 0;
  for (uint32_t i = 0; i < history->count; i++) {
    const Past *past = &history->items[i];
    bool is_behind = clocks[past->actor] >= past->clock;
    if (!is_behind || (!(sites[site].kind & RACE_WRITES) &&
                       (sites[past->site].kind & RACE_WRITES)))
      history->items[n++] = *past;
  }
  history->count = n;
}

// A copy that a thread asks for; it is known to who waits for it, or to all
// who acquire.
static bool copy(World *w, bool may_race) {
  int b = (int)pick(w, 2);
  uint32_t agent = pick(w, N_AGENTS), thread = pick(w, N_THREADS);
  uint32_t site = AGENT_READ + pick(w, 2), n = 4 * (1 + pick(w, 40));
  uint32_t low = pick(w, 2) ? 0 : (uint32_t)(GLOBAL_BYTES + b * SHARED_BYTES);
  uint32_t size = low ? SHARED_BYTES : GLOBAL_BYTES;
  uint32_t first = low + pick(w, (size - n) / 4) * 4;
  uint32_t actor = actor_of(w, b, N_THREADS + agent);
  const uint32_t *clocks = w->clocks[actor_of(w, b, thread)];
  bool is_race = false;
  for (uint32_t i = first; i < first + n; i++) {
    bool is_empty = low && w->bytes[i].count == 0 && site == AGENT_READ;
    is_race |= is_empty || racing(w, i, actor, clocks, site) != NULL;
  }
  if (is_race && !may_race)
    return false;
  uint32_t serial = race_agent_clock(w->race);
  assert_true(race_access_agent(w->blocks[b], &sites[site], thread / 32,
                                1u << thread % 32, agent, serial,
                                address_of(first), n));
  for (uint32_t i = first; i < first + n; i++) {
    come_after(w, i, site, clocks);
    add_past(w, i, (Past){actor, serial, site});
  }
  if (pick(w, 2)) {
    uint32_t waits = pick(w, N_THREADS), waiter = actor_of(w, b, waits);
    race_agent_known(w->blocks[b], waits, agent, serial);
    if (w->clocks[waiter][actor] < serial)
      w->clocks[waiter][actor] = serial;
  } else {
    uint32_t k = pick(w, N_SYNCS);
    race_agent_release(w->blocks[b], agent, serial, &w->syncs[k]);
    if (w->sync_clocks[k][actor] < serial)
      w->sync_clocks[k][actor] = serial;
  }
  assert_int_equal(race_n_found(w->race) > 0, is_race);
  return is_race;
}

static uint32_t n_loops; // told at once

// The access as rows; false: it isn't.
static bool as_rows(const Access *x, RaceRows *rows) {
  uint32_t lane = (uint32_t)__builtin_ctz(x->mask);
  uint64_t base = address_of(x->first[0]);
  *rows = (RaceRows){base, x->step, x->row_bytes, 5};
  if (x->period && x->period < 32) {
    rows->period_log2 = (uint32_t)__builtin_ctz(x->period);
    return rows->period_log2 >= 2;
  }
  rows->row_bytes = 0;
  if (x->step != 0)
    rows->base =
        address_of(x->first[lane]) - (uint64_t)lane * (uint64_t)x->step;
  return x->is_row;
}

// The access `bytes` further on; false: it leaves its array.
static bool move_on(Access *x, uint32_t bytes) {
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t before = x->first[i];
    x->first[i] += bytes;
    uint32_t end = before < GLOBAL_BYTES ? GLOBAL_BYTES
                   : before < GLOBAL_BYTES + SHARED_BYTES
                       ? GLOBAL_BYTES + SHARED_BYTES
                       : GLOBAL_BYTES + 2 * SHARED_BYTES;
    if ((x->mask >> i & 1) && x->first[i] + sites[x->site].size_bytes > end)
      return false;
  }
  return true;
}

// A loop of reads, told at once if the detector takes it.
static bool loop(World *w, bool may_race) {
  enum { MOST_TURNS = 4 };

  Access x[MOST_TURNS];
  RaceTurns read = {0};
  pick_access(w, &x[0]);
  uint32_t n_turns = 1, bytes = sites[x[0].site].size_bytes * pick(w, 3);
  if (x[0].mask == 0 || sites[x[0].site].kind != 0 ||
      !as_rows(&x[0], &read.rows))
    return false;
  for (; n_turns < MOST_TURNS; n_turns++) {
    x[n_turns] = x[n_turns - 1];
    if (!move_on(&x[n_turns], bytes))
      break;
  }
  bool is_race = false;
  for (uint32_t i = 0; i < n_turns; i++)
    is_race |= is_wrong(w, &x[i]);
  if (is_race && !may_race)
    return false;
  read.site = &sites[x[0].site];
  read.turn_bytes = bytes;
  bool is_told = race_access_turns(w->blocks[x[0].b], x[0].warp, x[0].mask,
                                   &read, 1, n_turns);
  n_loops += is_told;
  assert_false(is_told && is_race);
  for (uint32_t i = 0; i < n_turns; i++) {
    is_race = is_wrong(w, &x[i]);
    if (!is_told)
      detector_access(w, &x[i]);
    model_access(w, &x[i]);
    assert_int_equal(race_n_found(w->race) > 0, is_race);
    if (is_race) {
      check_report(w, &x[i]);
      return true;
    }
  }
  return false;
}

// True: there was a race, in the model and in the detector.
static bool take_step(World *w, bool may_race) {
  uint32_t what = pick(w, 24);
  if (what < 3) {
    barrier(w);
  } else if (what == 3) {
    release_or_acquire(w);
  } else if (what == 4 && pick(w, 8) == 0) {
    next_block(w);
  } else if (what == 5 && w->has_agents) {
    return copy(w, may_race);
  } else if (what < 10) {
    return loop(w, may_race);
  } else {
    Access x;
    pick_access(w, &x);
    bool is_race = is_wrong(w, &x);
    if (x.mask == 0 || (is_race && !may_race))
      return false;
    detector_access(w, &x);
    model_access(w, &x);
    assert_int_equal(race_n_found(w->race) > 0, is_race);
    if (is_race)
      check_report(w, &x);
    return is_race;
  }
  return false;
}

static void the_first_race_is_the_models(void **state) {
  (void)state;
  uint32_t n_races = 0, n_seeds = 1500;
  for (uint32_t seed = 1; seed <= n_seeds; seed++) {
    World *w = world_new(seed);
    uint32_t n_calm = pick(w, 200);
    bool is_over = false;
    for (uint32_t i = 0; i < n_calm + 20 && !is_over; i++)
      is_over = take_step(w, i >= n_calm);
    n_races += is_over;
    world_free(w);
  }
  assert_in_range(n_races, n_seeds / 2, n_seeds);
  assert_in_range(n_loops, 1, n_seeds * 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_race_is_the_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
