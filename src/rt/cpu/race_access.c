// SPDX-License-Identifier: Apache-2.0
// Accesses of warps and of agents: the array, the lanes that know the same, the
// chunks. What becomes of them is in race_chunk.c, and cell by cell in
// race_cell.c.
#include "rt/cpu/race_parts.h"

#include "base/bits.h"

// ----------------------------------------------------------------- sites

// Sites beyond what an epoch can hold are told as the last.
static uint32_t find_number(const Race *race, uint32_t index) {
  const RaceSite *sites = race->config.sites, *site = &sites[index];
  uint32_t i = 0;
  while (i < index &&
         (sites[i].place != site->place || sites[i].kind != site->kind ||
          sites[i].array != site->array))
    i++; // repeated code has many sites for one place
  return i < RACE_MAX_SITES ? i : RACE_MAX_SITES - 1;
}

static inline RaceSiteState *race_access_state_of(Race *race,
                                                  const RaceSite *site) {
  uint32_t index = (uint32_t)(site - race->config.sites);
  RaceSiteState *state = &race->sites[index];
  if (!state->is_known) {
    state->number = find_number(race, index);
    state->is_known = true;
  }
  return state;
}

static inline void actor_init(RaceActor *a, RaceBlock *block,
                              const RaceSite *site) {
  a->race = block->race;
  a->block = block;
  a->site = site;
  a->state = race_access_state_of(block->race, site);
  a->what = race_what(a->state->number, site->kind);
  a->thread = NULL;
  a->issuer = UINT32_MAX;
}

static bool race_access_holds(const RaceShadow *shadow, uint64_t address,
                              uint64_t size) {
  uint64_t offset = address - shadow->info.base;
  return address >= shadow->info.base && offset < shadow->info.size_bytes &&
         size <= shadow->info.size_bytes - offset;
}

static inline RaceShadow *race_access_find(RaceActor *a, uint64_t address,
                                           uint64_t size) {
  RaceSiteState *state = a->state;
  return state->last && race_access_holds(state->last, address, size)
             ? state->last
             : race_site_find(a->block, a->site, address, size);
}

// ---------------------------------------------------------------- actors

// Takes lanes that know the same at the same clock out of `mask`.
static inline uint32_t take_group(RaceActor *a, uint32_t warp, uint32_t *mask) {
  uint32_t all = *mask, same = 0;
  uint32_t first = warp * 32 + (uint32_t)__builtin_ctz(all);
  RaceView view = race_view(a->block, first);
  a->thread = &a->block->threads[first];
  a->know = view.know;
  a->now = race_epoch(a->block->number, view.clock, a->what, first);
  const RaceThread *lanes = &a->block->threads[warp * 32];
  for (uint32_t todo = view.is_same ? 0 : all; todo; todo &= todo - 1) {
    const RaceThread *t = &lanes[__builtin_ctz(todo)];
    if (t->know == view.know && t->clock == view.clock)
      same |= todo & -todo;
  }
  *mask = view.is_same ? 0 : all & ~same;
  return all & ~*mask;
}

// But for cells and arg.
static void entry_init(RaceEntry *now, const RaceActor *a, RaceForm form,
                       uint32_t warps) {
  now->block = a->now.block;
  now->clock = a->now.clock;
  now->what = a->what | (uint32_t)form << RACE_WHAT_BITS;
  now->warps = warps;
}

// ---------------------------------------------------------------- ranges

// `count` cells from `first` on, all by the same.
static void touch_range(RaceActor *a, RaceShadow *shadow, RaceEntry *now,
                        uint64_t first, uint64_t count) {
  while (count > 0) {
    uint32_t in_chunk = first % RACE_CHUNK;
    uint64_t n = RACE_CHUNK - in_chunk;
    if (n > count)
      n = count;
    now->cells = (uint32_t)(((UINT64_C(1) << n) - 1) << in_chunk);
    race_chunk_access(a, shadow, first / RACE_CHUNK, now, NULL);
    first += n;
    count -= n;
  }
}

static void touch_atomic(RaceActor *a, RaceShadow *shadow, uint64_t first,
                         uint64_t count) {
  RaceCell *cell = NULL;
  race_quick_forbid(shadow);
  for (uint64_t i = count; i-- > 0;) { // the first last: it keeps the order
    uint64_t index = first + i, chunk = index / RACE_CHUNK;
    cell = race_chunk_cells(a->race, shadow, chunk);
    if (!cell)
      return;
    cell += index % RACE_CHUNK;
    race_chunk_touch(a->race, &shadow->chunks[chunk], 1u << index % RACE_CHUNK);
    race_cell_access(a, shadow, index, cell);
  }
  if (cell && a->thread) // the engine's are relaxed, and acquire nothing
    race_cell_order(a, cell);
}

static bool refine(Race *race, RaceShadow *shadow, uint64_t address,
                   uint64_t size_bytes) {
  uint64_t offset = address - shadow->info.base;
  uint32_t log2 = shadow->cell_log2;
  while (log2 > 0 && ((offset | size_bytes) & ((UINT64_C(1) << log2) - 1)))
    log2--;
  return race_shadow_refine(race, shadow, log2);
}

static bool is_whole_cells(const RaceShadow *shadow, uint64_t address,
                           uint64_t size_bytes) {
  uint64_t less = (UINT64_C(1) << shadow->cell_log2) - 1;
  return (((address - shadow->info.base) | size_bytes) & less) == 0;
}

// Bytes that one thread, the lanes of a group, or an agent accesses.
static void touch_bytes(RaceActor *a, RaceShadow *shadow, RaceEntry *now,
                        uint64_t address, uint64_t size_bytes) {
  if (!is_whole_cells(shadow, address, size_bytes) &&
      !refine(a->race, shadow, address, size_bytes))
    return;
  uint64_t first = (address - shadow->info.base) >> shadow->cell_log2;
  uint64_t count = size_bytes >> shadow->cell_log2;
  if (a->now.kind & RACE_ATOMIC)
    touch_atomic(a, shadow, first, count);
  else
    touch_range(a, shadow, now, first, count);
}

// Some lanes access one address: one after the other if they may conflict with
// each other, or make each other known.
static void touch_same(RaceActor *a, RaceShadow *shadow, uint32_t warp,
                       uint32_t mask, uint64_t address) {
  bool is_read = !(a->site->kind & (RACE_WRITES | RACE_ATOMIC));
  while (mask) {
    uint32_t lane = mask & -mask, rest = is_read ? mask : lane;
    uint32_t group = take_group(a, warp, &rest);
    RaceEntry now;
    entry_init(&now, a, RACE_LANES, 1u << warp);
    now.arg = group;
    mask &= ~group;
    touch_bytes(a, shadow, &now, address, a->site->size_bytes);
  }
}

// ------------------------------------------------------------------ rows

// Lane i accesses cell first + i, which may be negative for other lanes.
static void race_access_touch_row(RaceActor *a, RaceShadow *shadow,
                                  uint32_t warp, uint32_t mask, int64_t first) {
  uint32_t low = (uint32_t)first & (RACE_CHUNK - 1);
  uint64_t chunk = (uint64_t)((first - low) / RACE_CHUNK);
  while (mask) {
    uint32_t group = take_group(a, warp, &mask);
    RaceEntry now;
    entry_init(&now, a, RACE_ROW, 1u << warp);
    now.cells = group << low;
    now.arg = -low;
    if (now.cells)
      race_chunk_access(a, shadow, chunk, &now, NULL);
    now.cells = low ? group >> (RACE_CHUNK - low) : 0;
    now.arg = RACE_CHUNK - low;
    if (now.cells)
      race_chunk_access(a, shadow, chunk + 1, &now, NULL);
  }
}

// ------------------------------------------------------------- any lanes

// The cell of each lane, 0 for lanes that aren't in `mask`; false: some are not
// in the array, or not at whole cells.
static bool find_cells(const RaceShadow *shadow, uint32_t mask, uint32_t size,
                       const uint64_t *addresses, uint64_t *cells) {
  uint64_t base = shadow->info.base, limit = shadow->info.size_bytes - size;
  uint64_t outside = limit, low = size, log2 = shadow->cell_log2;
  for (uint32_t i = 0; i < 32; i++)
    cells[i] = (mask >> i & 1 ? addresses[i] : base) - base;
  for (uint32_t i = 0; i < 32; i++) {
    outside |= cells[i] | (limit - cells[i]); // negative numbers
    low |= cells[i];
    cells[i] >>= log2;
  }
  return !(outside >> 63) && !(low & ((UINT64_C(1) << log2) - 1));
}

// Lanes i whose cell is as far from the one before as that from its one before.
static uint32_t even_steps(const uint64_t *cells) {
  uint32_t even = 0;
  for (uint32_t i = 2; i < 32; i++)
    even |= (uint32_t)(cells[i] - cells[i - 1] == cells[i - 1] - cells[i - 2])
            << i;
  return even;
}

// Cells of one chunk that neighbouring lanes access.
typedef struct {
  RaceActor *actor;
  RaceShadow *shadow;
  uint32_t warp;
  bool writes;
  uint64_t chunk;
  uint32_t cells, lanes;
  uint32_t n_rows, n_others; // of what it is made
  uint32_t shift;            // of a row
  uint32_t each[RACE_CHUNK]; // of the cells; of others anything
} Run;

static void run_init(Run *run, RaceActor *a, RaceShadow *shadow,
                     uint32_t warp) {
  run->actor = a;
  run->shadow = shadow;
  run->warp = warp;
  run->writes = a->site->kind & RACE_WRITES;
  run->cells = run->lanes = run->n_rows = run->n_others = 0;
}

static void end_run(Run *run) {
  RaceActor *a = run->actor;
  uint32_t cells = run->cells, lanes = run->lanes;
  bool is_one = !bits_has_several(cells) || !bits_has_several(lanes);
  bool is_row = run->n_rows == 1 && run->n_others == 0;
  RaceForm form = is_one ? RACE_LANES : is_row ? RACE_ROW : RACE_EACH;
  RaceEntry now;
  run->cells = run->lanes = run->n_rows = run->n_others = 0;
  if (!cells)
    return;
  entry_init(&now, a, form, 1u << run->warp);
  now.cells = cells;
  now.arg = is_one ? lanes : run->shift;
  race_chunk_access(a, run->shadow, run->chunk, &now, run->each);
}

// Room in the run for lanes of a cell; writes of one cell stay in order.
static inline void turn_to(Run *run, uint64_t at) {
  uint32_t bit = 1u << at % RACE_CHUNK;
  if (at / RACE_CHUNK != run->chunk || (run->writes && (run->cells & bit)))
    end_run(run);
  run->chunk = at / RACE_CHUNK;
}

static inline void race_access_add_lanes(Run *run, uint64_t at,
                                         uint32_t lanes) {
  uint32_t cell = at % RACE_CHUNK, bit = 1u << cell;
  turn_to(run, at);
  uint32_t before = run->cells & bit ? run->each[cell] : 0;
  run->each[cell] = before | lanes;
  run->cells |= bit;
  run->lanes |= lanes;
}

// `n` lanes from `lane` on access cells from `at` on, `step` apart.
static void add_steps(Run *run, uint64_t at, uint32_t lane, uint32_t n,
                      uint64_t step) {
  while (n > 0) {
    turn_to(run, at);
    run->n_rows += step == 1;
    run->n_others += step != 1;
    run->shift = lane - (uint32_t)at % RACE_CHUNK;
    uint64_t chunk = run->chunk;
    uint32_t cells = run->cells, first = lane;
    do {
      uint32_t cell = at % RACE_CHUNK, bit = 1u << cell;
      uint32_t before = cells & bit ? run->each[cell] : 0;
      if (before && run->writes)
        break;
      run->each[cell] = before | 1u << lane;
      cells |= bit;
      at += step;
      lane++;
    } while (--n > 0 && at / RACE_CHUNK == chunk);
    run->cells = cells;
    run->lanes |= (uint32_t)((UINT64_C(1) << lane) - (UINT64_C(1) << first));
  }
}

// Lanes that follow each other in `todo` at even steps, from its first on.
static uint32_t stretch(uint32_t todo, uint32_t even) {
  uint32_t first = (uint32_t)__builtin_ctz(todo);
  uint64_t active = ~((uint64_t)todo >> first);
  uint32_t n = (uint32_t)__builtin_ctzll(active);
  if (n <= 2)
    return n;
  uint64_t uneven = ~((uint64_t)even >> (first + 2));
  uint32_t n_even = 2 + (uint32_t)__builtin_ctzll(uneven);
  return n < n_even ? n : n_even;
}

// Lanes `todo` of the run's actor, one cell each.
static void touch_cells(Run *run, uint32_t todo, const uint64_t *cells,
                        uint32_t even) {
  while (todo) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo), n = stretch(todo, even);
    uint32_t lanes = (uint32_t)((UINT64_C(1) << n) - 1) << lane;
    uint64_t at = cells[lane], step = n > 1 ? cells[lane + 1] - at : 0;
    todo &= ~lanes;
    if (step == 0 && !run->writes) {
      race_access_add_lanes(run, at, lanes);
      run->n_others++;
    } else {
      add_steps(run, at, lane, n, step);
    }
  }
  end_run(run);
}

// The same for `count` cells each.
static void touch_several(Run *run, uint32_t todo, const uint64_t *cells,
                          uint64_t count) {
  for (; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    for (uint64_t at = cells[lane]; at < cells[lane] + count; at++)
      race_access_add_lanes(run, at, 1u << lane);
    run->n_others++;
  }
  end_run(run);
}

// Lane i accesses cell first + i * step.
static void touch_steps(RaceActor *a, RaceShadow *shadow, uint32_t warp,
                        uint32_t mask, uint64_t first, uint64_t step) {
  Run run;
  run_init(&run, a, shadow, warp);
  while (mask) {
    uint32_t group = take_group(a, warp, &mask);
    while (group) {
      uint32_t lane = (uint32_t)__builtin_ctz(group);
      uint32_t n = (uint32_t)__builtin_ctzll(~((uint64_t)group >> lane));
      add_steps(&run, first + lane * step, lane, n, step);
      group &= (uint32_t) ~(((UINT64_C(1) << n) - 1) << lane);
    }
    end_run(&run);
  }
}

// ----------------------------------------------------------------- words

static inline bool quick_same(RaceBlock *block, const RaceSite *site,
                              uint32_t warp, uint32_t mask, uint64_t address) {
  return block->race->is_wide
             ? race_wide_same(block, site, warp, mask, address)
             : race_quick_same(block, site, warp, mask, address);
}

static inline bool quick_row(RaceBlock *block, const RaceSite *site,
                             uint32_t warp, uint32_t mask, uint64_t base,
                             int64_t step) {
  return block->race->is_wide
             ? race_wide_row(block, site, warp, mask, base, step)
             : race_quick_row(block, site, warp, mask, base, step);
}

static inline bool quick_rows(RaceBlock *block, const RaceSite *site,
                              uint32_t warp, uint32_t mask,
                              const RaceRows *rows) {
  return block->race->is_wide ? race_wide_rows(block, site, warp, mask, rows)
                              : race_quick_rows(block, site, warp, mask, rows);
}

static inline bool quick_lanes(RaceBlock *block, const RaceSite *site,
                               uint32_t warp, uint32_t mask,
                               const uint64_t *addresses) {
  return block->race->is_wide
             ? race_wide_lanes(block, site, warp, mask, addresses)
             : race_quick_lanes(block, site, warp, mask, addresses);
}

// ------------------------------------------------------------ operations

// Reads of it are neither kept nor wrong.
static bool is_of_no_concern(const RaceShadow *shadow) {
  return shadow->info.is_never_written && !shadow->info.starts_empty;
}

// Anything goes: lanes outside, in several arrays, of parts of cells.
static uint32_t one_by_one(RaceActor *a, uint32_t warp, uint32_t mask,
                           const uint64_t *addresses) {
  uint32_t outside = 0, size = a->site->size_bytes;
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    RaceShadow *shadow = race_access_find(a, addresses[lane], size);
    if (!shadow)
      outside |= 1u << lane;
    else if (!is_of_no_concern(shadow))
      touch_same(a, shadow, warp, 1u << lane, addresses[lane]);
  }
  return outside;
}

static __attribute__((noinline)) uint32_t
access_lanes(RaceBlock *block, const RaceSite *site, uint32_t warp,
             uint32_t mask, const uint64_t *addresses) {
  uint64_t cells[32];
  uint32_t size = site->size_bytes;
  Run run;
  RaceActor a;
  actor_init(&a, block, site);
  RaceShadow *shadow =
      race_access_find(&a, addresses[__builtin_ctz(mask)], size);
  if (!shadow || (site->kind & RACE_ATOMIC) ||
      !find_cells(shadow, mask, size, addresses, cells))
    return one_by_one(&a, warp, mask, addresses);
  if (is_of_no_concern(shadow))
    return 0;
  run_init(&run, &a, shadow, warp);
  uint64_t count = size >> shadow->cell_log2;
  uint32_t even = count == 1 ? even_steps(cells) : 0;
  while (mask) {
    uint32_t group = take_group(&a, warp, &mask);
    if (count == 1)
      touch_cells(&run, group, cells, even);
    else
      touch_several(&run, group, cells, count);
  }
  return 0;
}

uint32_t race_access(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses) {
  if (!mask ||
      (block->quick.is_on && quick_lanes(block, site, warp, mask, addresses)))
    return 0;
  return access_lanes(block, site, warp, mask, addresses);
}

static uint32_t access_strided(RaceBlock *block, const RaceSite *site,
                               uint32_t warp, uint32_t mask, uint64_t base,
                               int64_t step) {
  uint64_t addresses[32];
  for (uint32_t i = 0; i < 32; i++)
    addresses[i] = base + (uint64_t)(i * step);
  return access_lanes(block, site, warp, mask, addresses);
}

static __attribute__((noinline)) uint32_t
rt_race_access_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                   uint32_t mask, uint64_t base, int64_t step) {
  RaceActor a;
  actor_init(&a, block, site);
  uint32_t size = site->size_bytes, first = (uint32_t)__builtin_ctz(mask);
  uint32_t count = 32 - (uint32_t)__builtin_clz(mask) - first;
  uint64_t start = base + (uint64_t)(first * step);
  if (step < size) // lanes overlap, or go down
    return access_strided(block, site, warp, mask, base, step);
  RaceShadow *shadow =
      race_access_find(&a, start, (count - 1) * (uint64_t)step + size);
  if (shadow && is_of_no_concern(shadow))
    return 0;
  if (!shadow || (site->kind & RACE_ATOMIC) ||
      size != 1u << shadow->cell_log2 || !is_whole_cells(shadow, start, size) ||
      !is_whole_cells(shadow, start, (uint64_t)step))
    return access_strided(block, site, warp, mask, base, step);
  uint64_t cell = (start - shadow->info.base) >> shadow->cell_log2;
  if (step == size)
    race_access_touch_row(&a, shadow, warp, mask, (int64_t)cell - first);
  else
    touch_steps(&a, shadow, warp, mask, cell - first * ((uint64_t)step / size),
                (uint64_t)step / size);
  return 0;
}

// Lanes of a whole array's row to which only they have come.
static inline bool row_alone(RaceBlock *block, const RaceSite *site,
                             uint32_t warp, uint32_t mask, uint64_t base,
                             int64_t step) {
  Race *race = block->race;
  const RaceSiteState *state = &race->sites[site - race->config.sites];
  const RaceShadow *shadow = state->last;
  RaceView view = block->whole.is_same ? block->whole : block->warps[warp];
  uint32_t size = site->size_bytes, first = (uint32_t)__builtin_ctz(mask);
  if (!state->is_plain || !state->is_known || !view.is_same || step != size ||
      block->store || size != 1u << shadow->cell_log2)
    return false;
  uint64_t offset = base + (uint64_t)first * size - shadow->info.base;
  uint64_t last = offset + (31 - (uint32_t)__builtin_clz(mask) - first) * size;
  uint64_t limit = shadow->info.size_bytes;
  if (offset >= limit || last >= limit || size > limit - last ||
      (offset & (size - 1)))
    return false;
  RaceEntry now = {.block = block->number,
                   .clock = view.clock,
                   .what = race_what(state->number, site->kind) |
                           RACE_ROW << RACE_WHAT_BITS,
                   .warps = 1u << warp};
  return race_chunk_row(race, shadow, &now, mask,
                        (int64_t)(offset >> shadow->cell_log2) - first);
}

uint32_t race_access_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                         uint32_t mask, uint64_t base, int64_t step) {
  if (!mask ||
      (block->quick.is_on && quick_row(block, site, warp, mask, base, step)) ||
      row_alone(block, site, warp, mask, base, step))
    return 0;
  return rt_race_access_row(block, site, warp, mask, base, step);
}

static __attribute__((noinline)) uint32_t
access_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
            uint32_t mask, uint64_t address) {
  RaceActor a;
  actor_init(&a, block, site);
  RaceShadow *shadow = race_access_find(&a, address, site->size_bytes);
  if (!shadow)
    return mask;
  if (mask && !is_of_no_concern(shadow))
    touch_same(&a, shadow, warp, mask, address);
  return 0;
}

uint32_t race_access_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                          uint32_t mask, uint64_t address) {
  if (mask && block->quick.is_on &&
      quick_same(block, site, warp, mask, address))
    return 0;
  return access_same(block, site, warp, mask, address);
}

void race_rows_addresses(const RaceRows *rows, uint64_t *addresses) {
  uint32_t period = 1u << rows->period_log2;
  for (uint32_t i = 0; i < 32; i++)
    addresses[i] = rows->base + (uint64_t)(i % period * rows->step) +
                   (uint64_t)(i / period * rows->row_bytes);
}

// Lanes first to first + n - 1 of one of the rows.
typedef struct {
  uint32_t first, n;
  uint64_t start; // address of the first
} Row;

// The row's lanes in the mask; false: they don't follow each other.
static bool take_row(const RaceRows *rows, uint32_t mask, uint32_t r,
                     Row *row) {
  uint32_t period = 1u << rows->period_log2;
  uint32_t lanes = mask >> r * period & ((1u << period) - 1);
  *row = (Row){0};
  if (!lanes)
    return true;
  uint32_t skipped = (uint32_t)__builtin_ctz(lanes);
  row->first = r * period + skipped;
  row->n = 32 - (uint32_t)__builtin_clz(lanes) - skipped;
  row->start = rows->base + (uint64_t)(r * rows->row_bytes) +
               (uint64_t)(skipped * rows->step);
  lanes >>= skipped;
  return (lanes & (lanes + 1)) == 0;
}

// All of the row's lanes in the array, at whole cells.
static bool race_access_is_in(const RaceShadow *shadow, const Row *row,
                              int64_t step, uint32_t size) {
  uint64_t far = (row->n - 1) * (uint64_t)(step < 0 ? -step : step);
  uint64_t low = step < 0 ? row->start - far : row->start;
  return race_access_holds(shadow, low, far + size) &&
         is_whole_cells(shadow, row->start, (uint64_t)step);
}

static void touch_part(Run *run, const RaceShadow *shadow, const Row *row,
                       int64_t step) {
  uint64_t at = (row->start - shadow->info.base) >> shadow->cell_log2;
  uint32_t lanes = (uint32_t)((UINT64_C(1) << row->n) - 1) << row->first;
  if (step == 0 && !run->writes) {
    race_access_add_lanes(run, at, lanes);
    run->n_others++;
  } else {
    int64_t size = (int64_t)1 << shadow->cell_log2;
    add_steps(run, at, row->first, row->n, (uint64_t)(step / size));
  }
}

static __attribute__((noinline)) bool access_rows(RaceBlock *block,
                                                  const RaceSite *site,
                                                  uint32_t warp, uint32_t mask,
                                                  const RaceRows *rows) {
  uint32_t n_rows = 32u >> rows->period_log2, size = site->size_bytes;
  Row parts[8];
  RaceActor a;
  Run run;
  actor_init(&a, block, site);
  RaceShadow *shadow = NULL;
  for (uint32_t r = 0; r < n_rows; r++) {
    if (!take_row(rows, mask, r, &parts[r]))
      return false;
    if (parts[r].n && !shadow)
      shadow = race_access_find(&a, parts[r].start, size);
    if (parts[r].n &&
        (!shadow || !race_access_is_in(shadow, &parts[r], rows->step, size)))
      return false;
  }
  if (is_of_no_concern(shadow))
    return true;
  uint32_t rest = mask;
  take_group(&a, warp, &rest);
  if (rest || (site->kind & RACE_ATOMIC) || size != 1u << shadow->cell_log2)
    return false;
  run_init(&run, &a, shadow, warp);
  for (uint32_t r = 0; r < n_rows; r++)
    if (parts[r].n)
      touch_part(&run, shadow, &parts[r], rows->step);
  end_run(&run);
  return true;
}

bool race_access_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                      uint32_t mask, const RaceRows *rows) {
  return !mask ||
         (block->quick.is_on && quick_rows(block, site, warp, mask, rows)) ||
         access_rows(block, site, warp, mask, rows);
}

bool race_access_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                       const RaceTurns *reads, uint32_t n_reads,
                       uint32_t n_turns) {
  if (!mask)
    return true;
  if (!block->quick.is_on)
    return false;
  return block->race->is_wide
             ? race_wide_turns(block, warp, mask, reads, n_reads, n_turns)
             : race_quick_turns(block, warp, mask, reads, n_reads, n_turns);
}

bool race_is_quiet(RaceBlock *block, const RaceSite *site, uint64_t address,
                   uint64_t size_bytes) {
  const RaceShadow *shadow = race_site_find(block, site, address, size_bytes);
  return shadow && is_of_no_concern(shadow);
}

// What a lane knows, and what the agent did until `before`, if it did
// something.
static RaceKnow *know_behind(Race *race, const RaceKnow *know, uint32_t agent,
                             uint32_t before) {
  RaceKnow *more = race_know_copy(race, know);
  if (more != race->nothing && agent < race->config.n_agents &&
      more->slots[agent] < before)
    more->slots[agent] = before;
  race_know_cover(race, more);
  return more;
}

// Any of the lanes may do any part: each one's knowledge must do.
bool race_access_behind(RaceBlock *block, const RaceSite *site, uint32_t warp,
                        uint32_t mask, uint32_t agent, uint32_t before,
                        uint32_t clock, uint64_t address, uint64_t size_bytes) {
  RaceActor a;
  actor_init(&a, block, site);
  RaceShadow *shadow = race_access_find(&a, address, size_bytes);
  uint32_t who = a.race->config.n_threads + agent;
  a.now = race_epoch(block->number, clock, a.what, who);
  const RaceKnow *last = NULL;
  bool is_single = !bits_has_several(mask);
  if (shadow && is_of_no_concern(shadow) && !(site->kind & RACE_WRITES))
    return true;
  for (; shadow && mask; mask &= mask - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(mask);
    RaceKnow *more = NULL;
    RaceEntry now;
    entry_init(&now, &a, RACE_AGENT, 0);
    a.know = race_view(block, thread).know;
    if (a.know == last)
      continue;
    last = a.know;
    if (before > 0)
      a.know = more = know_behind(a.race, a.know, agent, before);
    a.issuer = is_single ? thread : UINT32_MAX;
    now.arg = who;
    touch_bytes(&a, shadow, &now, address, size_bytes);
    if (more)
      race_know_drop(a.race, more);
  }
  return shadow != NULL;
}

bool race_access_agent(RaceBlock *block, const RaceSite *site, uint32_t warp,
                       uint32_t mask, uint32_t agent, uint32_t clock,
                       uint64_t address, uint64_t size_bytes) {
  return race_access_behind(block, site, warp, mask, agent, 0, clock, address,
                            size_bytes);
}
