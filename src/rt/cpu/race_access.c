// SPDX-License-Identifier: Apache-2.0
// One access after the other against the last ones of its cells.
//
// Note [What a cell remembers]
// The last plain write, which everything else is ordered behind unless it was
// reported; and of reads and atomic accesses those that no later one covers: a
// later access by somebody who knows the earlier, in conflict with at least the
// same kinds, makes it superfluous, because what races with the earlier one
// races with the later. The first such access is in the cell; more are records,
// one for each (block, clock, kind) with a set of threads, so that a row that
// 256 threads of a block read between two barriers is one record. Accesses of a
// block that ended without ever releasing anything are eternal: nothing will
// ever be ordered behind them, so that of such records one is enough.
#include "rt/cpu/race_parts.h"

typedef struct {
  Race *race;
  RaceBlock *block;
  const RaceSite *site;
  RaceEpoch now;
  const RaceKnow *know;
  RaceThread *thread; // NULL: an agent
} Actor;

// ------------------------------------------------------------- relations

static bool is_ordered(const Actor *a, const RaceEpoch *before) {
  if (before->block == a->now.block) {
    // Its own past; of an agent, the same copy.
    if (before->who == a->now.who &&
        (a->thread || before->clock == a->now.clock))
      return true;
    if (before->clock <= a->know->floor &&
        before->who < a->race->config.n_threads)
      return true;
  }
  return race_know_holds(a->race, a->know, a->now.block, before);
}

static bool conflicts(const RaceEpoch *a, const RaceEpoch *b) {
  if (!((a->kind | b->kind) & RACE_WRITES))
    return false;
  if (!(a->kind & b->kind & RACE_ATOMIC))
    return true;
  return ((a->kind | b->kind) & RACE_BLOCK_SCOPE) && a->block != b->block;
}

// Whatever conflicts with `before` conflicts with `now`.
static bool covers(const RaceEpoch *now, const RaceEpoch *before) {
  uint32_t n = now->kind, b = before->kind;
  if ((b & RACE_BLOCK_SCOPE) && !(n & RACE_BLOCK_SCOPE))
    return false;
  if (!(n & RACE_ATOMIC))
    return !(b & RACE_WRITES); // a plain read
  if (n & RACE_WRITES)
    return (b & RACE_ATOMIC) != 0;
  return (b & RACE_ATOMIC) && !(b & RACE_WRITES);
}

static bool same_time(const RaceEpoch *a, const RaceRecord *r) {
  return a->block == r->block && a->clock == r->clock && a->kind == r->kind;
}

// Generic writes reach the copy engine only through a fence.
static bool is_fenced(const Actor *a, const RaceEpoch *before) {
  if (a->thread || (before->kind & RACE_ASYNC) || !(a->now.kind & RACE_ASYNC) ||
      before->clock <= a->race->grid_floor)
    return true;
  return a->know->proxy &&
         race_know_holds(a->race, a->know->proxy, a->now.block, before);
}

// --------------------------------------------------------------- records

static RaceEpoch epoch_of(const RaceRecord *record, uint32_t who) {
  return (RaceEpoch){.block = record->block,
                     .clock = record->clock,
                     .site = record->site & (RACE_MAX_SITES - 1),
                     .kind = record->kind & (uint32_t)RACE_KINDS,
                     .who = who & (RACE_MAX_WHO - 1)};
}

// The first of its threads that is not ordered before the access.
static bool find_unordered(const Actor *a, const RaceRecord *record,
                           RaceEpoch *out) {
  *out = epoch_of(record, record->first);
  if (!record->members)
    return !is_ordered(a, out);
  const Race *race = a->race;
  if (record->block == a->now.block && record->clock <= a->know->floor)
    return false;
  const uint32_t *bits = race_bitmap(race, record->members);
  for (uint32_t i = 0; i < race->config.n_threads; i++) {
    out->who = i & (RACE_MAX_WHO - 1);
    if ((bits[i / 32] >> i % 32 & 1) && !is_ordered(a, out))
      return true;
  }
  return false;
}

static void check_records(const Actor *a, const RaceShadow *shadow,
                          uint64_t address, const RaceCell *cell) {
  uint32_t next = 0;
  for (uint32_t i = cell->records; i; i = next) {
    const RaceRecord *record = &a->race->records[i];
    next = record->next;
    RaceEpoch before = epoch_of(record, record->first);
    if (conflicts(&before, &a->now) && find_unordered(a, record, &before))
      race_found(a->block, shadow, address, &before, &a->now);
  }
}

static void add_to_record(Actor *a, uint32_t number) {
  Race *race = a->race;
  RaceRecord *record = &race->records[number];
  if (!record->members) {
    if (record->first == a->now.who)
      return;
    uint32_t bitmap = race_bitmap_new(race);
    if (!bitmap)
      return;
    uint32_t first = record->first;
    race_bitmap(race, bitmap)[first / 32] |= 1u << first % 32;
    record->members = bitmap;
  }
  uint32_t *bits = race_bitmap(race, record->members);
  bits[a->now.who / 32] |= 1u << a->now.who % 32;
}

// Agents have records of their own: bitmaps are of threads.
static bool can_join(const Actor *a, const RaceRecord *record) {
  uint32_t n_threads = a->race->config.n_threads;
  return same_time(&a->now, record) && record->first < n_threads &&
         a->now.who < n_threads;
}

// Records that are looked at when one is added: the newest.
enum { RECENT_RECORDS = 8 };

static bool join_record(Actor *a, const RaceCell *cell) {
  uint32_t n = 0;
  for (uint32_t i = cell->records; i && n < RECENT_RECORDS;
       i = a->race->records[i].next, n++)
    if (can_join(a, &a->race->records[i])) {
      add_to_record(a, i);
      return true;
    }
  return false;
}

static void add_record(Actor *a, RaceCell *cell) {
  Race *race = a->race;
  if (join_record(a, cell))
    return;
  uint32_t number = race_record_new(race);
  if (!number)
    return;
  race->records[number] = (RaceRecord){.next = cell->records,
                                       .block = a->now.block,
                                       .clock = a->now.clock,
                                       .site = a->now.site,
                                       .kind = a->now.kind,
                                       .first = a->now.who};
  cell->records = number;
  cell->has_plain |= !(a->now.kind & RACE_ATOMIC);
  cell->has_narrow |= (a->now.kind & RACE_BLOCK_SCOPE) != 0;
  cell->has_writes |= (a->now.kind & RACE_WRITES) != 0;
}

// Nobody needs the record: the access covers it, or `eternal` does.
static bool is_superfluous(const Actor *a, const RaceRecord *record,
                           const RaceEpoch *eternal) {
  RaceEpoch before = epoch_of(record, record->first);
  if (eternal->clock && race_is_eternal(a->race, record->block) &&
      covers(eternal, &before))
    return true;
  return !same_time(&a->now, record) && covers(&a->now, &before) &&
         !find_unordered(a, record, &before);
}

// Takes superfluous ones out of the first of the list.
static void prune(Actor *a, RaceCell *cell) {
  Race *race = a->race;
  RaceEpoch eternal = {0};
  if (race_is_eternal(race, cell->other.block))
    eternal = cell->other;
  uint32_t last = 0, next = 0, n = 0;
  for (uint32_t i = cell->records; i && n < RECENT_RECORDS; i = next, n++) {
    RaceRecord *record = &race->records[i];
    next = record->next;
    if (!is_superfluous(a, record, &eternal)) {
      last = i;
      if (!eternal.clock && race_is_eternal(race, record->block))
        eternal = epoch_of(record, record->first);
      continue;
    }
    if (last)
      race->records[last].next = next;
    else
      cell->records = next;
    RaceCell alone = {.records = i};
    record->next = 0;
    race_records_free(race, &alone);
  }
}

static void remember(Actor *a, RaceCell *cell) {
  RaceEpoch *other = &cell->other;
  bool is_free =
      other->clock == 0 || (covers(&a->now, other) && is_ordered(a, other));
  if (is_free)
    *other = a->now;
  if (cell->records)
    prune(a, cell);
  if (!is_free)
    add_record(a, cell);
}

// ----------------------------------------------------------------- cells

static void forget_older(Race *race, RaceCell *cell, uint32_t start) {
  if (cell->write.clock < start)
    cell->write.clock = 0;
  if (cell->other.clock < start) {
    cell->other.clock = 0;
    if (cell->records)
      race_records_free(race, cell);
    if (cell->sync && cell->write.clock == 0)
      race_sync_clear(race, &race->syncs[cell->sync]);
  }
}

static void write_cell(Actor *a, RaceShadow *shadow, uint64_t address,
                       RaceCell *cell) {
  RaceEpoch *write = &cell->write;
  if (write->clock && (!is_ordered(a, write) || !is_fenced(a, write)))
    race_found(a->block, shadow, address, write, &a->now);
  if (cell->other.clock) {
    if (!is_ordered(a, &cell->other))
      race_found(a->block, shadow, address, &cell->other, &a->now);
    cell->other.clock = 0;
    if (cell->records) {
      check_records(a, shadow, address, cell);
      race_records_free(a->race, cell);
    }
  }
  *write = a->now;
}

static void other_cell(Actor *a, RaceShadow *shadow, uint64_t address,
                       RaceCell *cell) {
  const RaceEpoch *write = &cell->write;
  if (write->clock) {
    if (!is_ordered(a, write) || !is_fenced(a, write))
      race_found(a->block, shadow, address, write, &a->now);
  } else if (shadow->info.starts_empty && cell->other.clock == 0) {
    race_found_empty(a->block, shadow, address, &a->now);
  }
  if (shadow->info.is_never_written)
    return;
  if (cell->other.clock && conflicts(&cell->other, &a->now) &&
      !is_ordered(a, &cell->other))
    race_found(a->block, shadow, address, &cell->other, &a->now);
  bool is_atomic = a->now.kind & RACE_ATOMIC;
  bool may_conflict = !is_atomic || cell->has_plain || cell->has_narrow ||
                      (a->now.kind & RACE_BLOCK_SCOPE);
  if (cell->records && may_conflict)
    check_records(a, shadow, address, cell);
  remember(a, cell);
}

static void touch_cell(Actor *a, RaceShadow *shadow, uint64_t index) {
  RaceCell *cell = &shadow->cells[index];
  uint64_t address = shadow->info.base + (index << shadow->cell_log2);
  if (shadow->owner)
    forget_older(a->race, cell, shadow->owner->start);
  if (!cell->write.clock && !cell->other.clock)
    a->race->n_touched++;
  if ((a->now.kind & (RACE_WRITES | RACE_ATOMIC)) == RACE_WRITES)
    write_cell(a, shadow, address, cell);
  else
    other_cell(a, shadow, address, cell);
}

// --------------------------------------------------------------- atomics

static RaceSync *cell_sync(Race *race, RaceCell *cell) {
  if (!cell->sync) {
    if (race->n_syncs == 0)
      race->n_syncs = 1; // 0 is none
    if (race->n_syncs > RACE_MAX_SYNC)
      race->failed = true;
    if (race->failed)
      return NULL;
    if (!race_reserve(race, &race->syncs, race->n_syncs, &race->sync_capacity,
                      sizeof(RaceSync)))
      return NULL;
    race->syncs[race->n_syncs] = (RaceSync){0};
    cell->sync = race->n_syncs++ & RACE_MAX_SYNC;
  }
  return &race->syncs[cell->sync];
}

static void publish(Actor *a, RaceSync *sync) {
  uint32_t thread = a->now.who;
  RaceKnow *fenced = a->thread->fence_release;
  if (!(a->site->kind & RACE_RMW))
    race_sync_clear(a->race, sync); // a store ends what others released
  if (a->site->releases)
    race_release(a->block, thread, sync);
  else if (fenced)
    race_sync_add(a->block, fenced, sync);
}

// Orders by the atomic access of one cell. Relaxed ones order by the fences
// before and after them.
static void order_atomic(Actor *a, RaceCell *cell) {
  bool writes = a->now.kind & RACE_WRITES;
  bool reads = !writes || (a->now.kind & RACE_RMW);
  uint32_t thread = a->now.who;
  if (reads && cell->sync) {
    RaceSync *sync = &a->race->syncs[cell->sync];
    if (a->site->acquires)
      race_acquire(a->block, thread, sync);
    else if (sync->know) {
      a->block->has_fences = true;
      race_sync_join(a->block, &a->thread->fence_acquire, sync);
    }
  }
  if (!writes)
    return;
  bool publishes = a->site->releases || a->thread->fence_release;
  RaceSync *sync = publishes || cell->sync ? cell_sync(a->race, cell) : NULL;
  if (sync)
    publish(a, sync);
}

// ------------------------------------------------------------ operations

static bool refine(Race *race, RaceShadow *shadow, uint64_t address,
                   uint64_t size_bytes) {
  uint64_t offset = address - shadow->info.base;
  uint32_t log2 = shadow->cell_log2;
  while (log2 > 0 && ((offset | size_bytes) & ((UINT64_C(1) << log2) - 1)))
    log2--;
  return race_shadow_refine(race, shadow, log2);
}

static void touch(Actor *a, RaceShadow *shadow, uint64_t address,
                  uint64_t size_bytes) {
  uint64_t less = (UINT64_C(1) << shadow->cell_log2) - 1;
  uint64_t offset = address - shadow->info.base;
  if (((offset | size_bytes) & less) &&
      !refine(a->race, shadow, address, size_bytes))
    return;
  uint64_t first = offset >> shadow->cell_log2;
  uint64_t count = size_bytes >> shadow->cell_log2;
  for (uint64_t i = 0; i < count; i++)
    touch_cell(a, shadow, first + i);
  if (a->thread && (a->now.kind & RACE_ATOMIC))
    order_atomic(a, &shadow->cells[first]);
}

// Sites beyond what an epoch can hold are told as the last.
static uint32_t site_number(const Race *race, const RaceSite *site) {
  uint64_t number = (uint64_t)(site - race->config.sites);
  return number < RACE_MAX_SITES ? (uint32_t)number : RACE_MAX_SITES - 1;
}

static Actor actor_new(RaceBlock *block, const RaceSite *site) {
  return (Actor){
      .race = block->race,
      .block = block,
      .site = site,
      .now = {.block = block->number,
              .site = site_number(block->race, site) & (RACE_MAX_SITES - 1),
              .kind = site->kind & RACE_KINDS},
  };
}

static void become(Actor *a, uint32_t thread) {
  RaceView view = race_view(a->block, thread);
  a->thread = &a->block->threads[thread];
  a->know = view.know;
  a->now.who = thread & (RACE_MAX_WHO - 1);
  a->now.clock = view.clock;
}

static bool holds(const RaceShadow *shadow, uint64_t address, uint64_t size) {
  uint64_t offset = address - shadow->info.base;
  return address >= shadow->info.base && offset < shadow->info.size_bytes &&
         size <= shadow->info.size_bytes - offset;
}

// `shadow` is the array of the lane before, if any.
static bool access_lane(Actor *a, RaceShadow **shadow, uint64_t address) {
  uint32_t size = a->site->size_bytes;
  if (!*shadow || !holds(*shadow, address, size))
    *shadow = race_shadow_find(a->block, address, size);
  if (!*shadow)
    return false;
  touch(a, *shadow, address, size);
  return true;
}

// Note [Rows without surprises]
// Most accesses are rows of cells that nobody touched, that their own thread
// touched, or that were touched before a barrier of the block. These are
// decided here, a few comparisons a cell; everything else is done again by
// `touch`, which comes to the same result for what was done already.
typedef struct {
  uint32_t block, clock, floor, start, n_threads;
  uint32_t what; // the third word of an epoch, but for the thread
} Quick;

static inline bool is_past(const Quick *q, const RaceEpoch *e, uint32_t who) {
  return e->clock < q->start || e->clock == 0 ||
         (e->block == q->block && e->who < q->n_threads &&
          (e->clock <= q->floor || e->who == who));
}

// By words: parts would be stored, and then the whole waited for.
static inline void put_epoch(const Quick *q, RaceEpoch *out, uint32_t who) {
  uint32_t *words = (uint32_t *)(void *)out;
  words[0] = q->block;
  words[1] = q->clock;
  words[2] = q->what | who << 20;
}

static inline bool write_quickly(const Quick *q, RaceCell *cell, uint32_t who) {
  if (cell->records || !is_past(q, &cell->write, who) ||
      !is_past(q, &cell->other, who))
    return false;
  put_epoch(q, &cell->write, who);
  cell->other.clock = 0;
  return true;
}

// The newest record is of this time, too: one thread, or several, more.
static inline bool join_quickly(const Quick *q, Race *race,
                                const RaceCell *cell, uint32_t word,
                                uint32_t bits) {
  const RaceRecord *record = &race->records[cell->records];
  if (record->block != q->block || record->clock != q->clock ||
      record->kind != 0 || !record->members || cell->has_writes ||
      (cell->other.kind & RACE_WRITES))
    return false;
  race_bitmap(race, record->members)[word] |= bits;
  return true;
}

static inline bool read_quickly(const Quick *q, Race *race,
                                const RaceShadow *shadow, RaceCell *cell,
                                uint32_t who) {
  const RaceEpoch *write = &cell->write;
  if (write->clock < q->start || !write->clock
          ? shadow->info.starts_empty || shadow->owner
          : !is_past(q, write, who))
    return false;
  if (shadow->info.is_never_written)
    return true;
  if (cell->records)
    return join_quickly(q, race, cell, who / 32, 1u << who % 32);
  if (!is_past(q, &cell->other, who) || (cell->other.kind & RACE_WRITES))
    return false;
  put_epoch(q, &cell->other, who);
  return true;
}

static Quick quick_new(const Actor *a, const RaceShadow *shadow,
                       const RaceView *w) {
  return (Quick){.block = a->block->number,
                 .clock = w->clock,
                 .floor = w->know->floor,
                 .n_threads = a->race->config.n_threads,
                 .start = shadow->owner ? shadow->owner->start : 0,
                 .what = race_epoch_word(&a->now)};
}

static inline bool touch_quickly(const Actor *a, const Quick *q,
                                 const RaceShadow *shadow, RaceCell *cell,
                                 uint32_t who) {
  bool is_new = !cell->write.clock && !cell->other.clock;
  bool is_done = a->site->kind ? write_quickly(q, cell, who)
                               : read_quickly(q, a->race, shadow, cell, who);
  a->race->n_touched += is_done && is_new;
  return is_done;
}

static bool is_quick(const Actor *a, const RaceView *w) {
  return w->is_same && !(a->site->kind & ~(uint32_t)RACE_WRITES);
}

// The lanes that are left to do.
static uint32_t row_quickly(const Actor *a, RaceShadow *shadow, uint32_t warp,
                            uint32_t mask, uint64_t address) {
  RaceView view = race_view(a->block, warp * 32), *w = &view;
  if (!is_quick(a, w))
    return mask;
  Quick q = quick_new(a, shadow, w);
  RaceCell *row =
      &shadow->cells[(address - shadow->info.base) >> shadow->cell_log2];
  uint32_t left = 0;
  for (uint32_t todo = mask; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    if (!touch_quickly(a, &q, shadow, &row[lane], warp * 32 + lane))
      left |= 1u << lane;
  }
  return left;
}

// Lanes from `lane` on that follow each other in `todo` with its address.
static inline uint32_t same_address(uint32_t todo, uint32_t lane,
                                    const uint64_t *addresses) {
  uint32_t same = 1u << lane;
  for (uint32_t k = lane + 1;
       k < 32 && (todo >> k & 1) != 0 && addresses[k] == addresses[lane]; k++)
    same |= 1u << k;
  return same;
}

// Written by a thread of the block before its last barrier.
static inline bool is_old_write(const Quick *q, const RaceEpoch *write) {
  return write->clock >= q->start && write->clock != 0 &&
         write->block == q->block && write->clock <= q->floor &&
         write->who < q->n_threads;
}

static uint32_t lanes_quickly(const Actor *a, uint32_t warp, uint32_t mask,
                              const uint64_t *addresses) {
  RaceView view = race_view(a->block, warp * 32), *w = &view;
  uint32_t size = a->site->size_bytes, left = 0;
  uint64_t first = addresses[__builtin_ctz(mask)];
  RaceShadow *shadow = race_shadow_find(a->block, first, size);
  if (!is_quick(a, w) || !shadow || size != 1u << shadow->cell_log2)
    return mask;
  Quick q = quick_new(a, shadow, w);
  for (uint32_t todo = mask; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    uint64_t offset = addresses[lane] - shadow->info.base;
    RaceCell *cell = &shadow->cells[offset >> shadow->cell_log2];
    uint32_t same = same_address(todo, lane, addresses);
    if (a->site->kind == 0 && same != 1u << lane &&
        holds(shadow, addresses[lane], size) && (offset & (size - 1)) == 0 &&
        is_old_write(&q, &cell->write) && cell->records &&
        join_quickly(&q, a->race, cell, warp, same)) {
      todo &= ~(same & (same - 1)); // the first goes with the loop
      continue;
    }
    if (!holds(shadow, addresses[lane], size) || (offset & (size - 1)) != 0 ||
        !touch_quickly(a, &q, shadow, cell, warp * 32 + lane))
      left |= 1u << lane;
    if (left && a->site->kind)
      return todo; // writes of one cell stay in order
  }
  return left;
}

uint32_t race_access(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses) {
  Actor a = actor_new(block, site);
  RaceShadow *shadow = NULL;
  uint32_t outside = 0;
  if (mask)
    mask = lanes_quickly(&a, warp, mask, addresses);
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    become(&a, warp * 32 + lane);
    if (!access_lane(&a, &shadow, addresses[lane]))
      outside |= 1u << lane;
  }
  return outside;
}

uint32_t race_access_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                         uint32_t mask, uint64_t base, int64_t step) {
  Actor a = actor_new(block, site);
  RaceShadow *shadow = NULL;
  uint32_t outside = 0;
  if (mask && step == site->size_bytes) {
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint32_t last = 31 - (uint32_t)__builtin_clz(mask);
    uint64_t bytes = (uint64_t)(last - first + 1) * site->size_bytes;
    uint64_t start = base + first * (uint64_t)step;
    shadow = race_shadow_find(block, start, bytes);
    bool is_cells = shadow && site->size_bytes == 1u << shadow->cell_log2 &&
                    (start - shadow->info.base) % site->size_bytes == 0;
    if (is_cells && base >= shadow->info.base)
      mask = row_quickly(&a, shadow, warp, mask, base);
  }
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    become(&a, warp * 32 + lane);
    if (!access_lane(&a, &shadow, base + (uint64_t)(lane * step)))
      outside |= 1u << lane;
  }
  return outside;
}

// Several threads of a warp as one record; false: one by one.
static bool read_together(Actor *a, RaceShadow *shadow, uint32_t warp,
                          uint32_t mask, uint64_t index) {
  RaceView view = race_view(a->block, warp * 32), *w = &view;
  RaceCell *cell = &shadow->cells[index];
  uint32_t first = warp * 32 + (uint32_t)__builtin_ctz(mask);
  Quick q = {.block = a->block->number, .floor = w->know->floor};
  q.start = shadow->owner ? shadow->owner->start : 0;
  q.n_threads = a->race->config.n_threads;
  if (!w->is_same || !is_old_write(&q, &cell->write))
    return false;
  q.clock = w->clock;
  if (cell->records && join_quickly(&q, a->race, cell, warp, mask))
    return true;
  become(a, first);
  touch_cell(a, shadow, index);
  if ((mask & (mask - 1)) == 0 || shadow->info.is_never_written)
    return true;
  become(a, 31 - (uint32_t)__builtin_clz(mask) + warp * 32);
  touch_cell(a, shadow, index); // makes the record, if it is not there
  for (uint32_t i = cell->records; i; i = a->race->records[i].next) {
    RaceRecord *record = &a->race->records[i];
    if (!can_join(a, record))
      continue;
    become(a, first);
    add_to_record(a, i);
    if (record->members)
      race_bitmap(a->race, record->members)[warp] |= mask;
    return record->members != 0;
  }
  return false;
}

uint32_t race_access_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                          uint32_t mask, uint64_t address) {
  Actor a = actor_new(block, site);
  RaceShadow *shadow = race_shadow_find(block, address, site->size_bytes);
  if (!shadow)
    return mask;
  bool is_cell = site->size_bytes == 1u << shadow->cell_log2 &&
                 (address - shadow->info.base) % site->size_bytes == 0;
  uint64_t index = (address - shadow->info.base) >> shadow->cell_log2;
  if (mask && is_cell && site->kind == 0 && !shadow->info.starts_empty &&
      shadow->info.is_never_written)
    return 0;
  if (mask && is_cell && site->kind == 0 &&
      read_together(&a, shadow, warp, mask, index))
    return 0;
  for (; mask; mask &= mask - 1) {
    become(&a, warp * 32 + (uint32_t)__builtin_ctz(mask));
    touch(&a, shadow, address, site->size_bytes);
  }
  return 0;
}

// Any of the lanes may do any part: each one's knowledge must do.
bool race_access_agent(RaceBlock *block, const RaceSite *site, uint32_t warp,
                       uint32_t mask, uint32_t agent, uint32_t clock,
                       uint64_t address, uint64_t size_bytes) {
  RaceShadow *shadow = race_shadow_find(block, address, size_bytes);
  Actor a = actor_new(block, site);
  a.now.who = (a.race->config.n_threads + agent) & (RACE_MAX_WHO - 1);
  a.now.clock = clock;
  const RaceKnow *last = NULL;
  bool is_single = (mask & (mask - 1)) == 0;
  for (; shadow && mask; mask &= mask - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(mask);
    RaceKnow *know = race_view(block, thread).know;
    if (know == last)
      continue;
    last = know;
    RaceKnow *own =
        is_single ? race_know_own(block, thread) : race_know_keep(know);
    a.know = own;
    touch(&a, shadow, address, size_bytes);
    race_know_drop(a.race, own);
  }
  return shadow != NULL;
}
