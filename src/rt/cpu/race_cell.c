// SPDX-License-Identifier: Apache-2.0
// One cell by itself: an access against the last ones.
//
// Note [What a cell remembers]
// The last plain write, which everything else is ordered behind unless it was
// reported; and of reads and atomic accesses those that no later one covers: a
// later access by somebody who knows the earlier, in conflict with at least the
// same kinds, makes it superfluous, because what races with the earlier one
// races with the later. The first such access is in the cell; more are records,
// one for each (block, clock, place) with a set of threads, so that a row that
// 256 threads of a block read between two barriers is one record. Accesses of a
// block that ended without ever releasing anything are eternal: nothing will
// ever be ordered behind them, so that of such records one is enough.
//
// Note [Who updates last]
// All see one order of what happens to a place. What follows an atomic update,
// in its thread or behind a barrier, comes after all updates that it observed,
// whatever else is known of their threads. So the last of all blocks may set a
// counter back by a plain store: the newest atomic access is an update that is
// ordered before it.
#include "base/bits.h"
#include "rt/cpu/race_parts.h"
#include <stdlib.h>

// ------------------------------------------------------------- relations

static bool is_ordered(const RaceActor *a, const RaceEpoch *before) {
  if (before->block == a->now.block) {
    // Its own past; of an agent, the same copy, and its thread's past.
    if (before->who == a->now.who &&
        (a->thread || before->clock == a->now.clock))
      return true;
    if (!a->thread && before->who == a->issuer)
      return true;
    if (before->clock <= a->know->floor &&
        before->who < a->race->config.n_threads)
      return true;
  }
  return race_know_holds(a->race, a->know, a->now.block, before);
}

static bool race_cell_conflicts(const RaceEpoch *a, const RaceEpoch *b) {
  if (!((a->kind | b->kind) & RACE_WRITES))
    return false;
  if (!(a->kind & b->kind & RACE_ATOMIC) ||
      ((a->kind ^ b->kind) & RACE_ASYNC)) // atomic among themselves
    return true;
  return ((a->kind | b->kind) & RACE_BLOCK_SCOPE) && a->block != b->block;
}

// Whatever conflicts with `before` conflicts with `now`.
static bool race_cell_covers(const RaceEpoch *now, const RaceEpoch *before) {
  uint32_t n = now->kind, b = before->kind;
  if ((b & RACE_BLOCK_SCOPE) && !(n & RACE_BLOCK_SCOPE))
    return false;
  if (!(n & RACE_ATOMIC))
    return !(b & RACE_WRITES); // a plain read
  if (n & RACE_WRITES)
    return (b & RACE_ATOMIC) != 0;
  return (b & RACE_ATOMIC) && !(b & RACE_WRITES);
}

// See Note [Who updates last].
static bool follows_updates(const RaceActor *a, const RaceCell *cell) {
  return a->thread && !(a->now.kind & RACE_ATOMIC) && cell->update.clock &&
         is_ordered(a, &cell->update);
}

static void note_update(const RaceActor *a, RaceCell *cell) {
  bool is_last = (a->now.kind & RACE_RMW) ||
                 (cell->update.clock && is_ordered(a, &cell->update));
  cell->update = is_last ? a->now : (RaceEpoch){0};
}

static bool same_time(const RaceEpoch *a, const RaceRecord *r) {
  return a->block == r->block && a->clock == r->clock && a->kind == r->kind &&
         a->site == r->site;
}

// Generic writes reach the copy engine only through a fence.
bool race_is_fenced(const RaceActor *a, const RaceEpoch *before) {
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
static bool find_unordered(const RaceActor *a, const RaceRecord *record,
                           RaceEpoch *out) {
  *out = epoch_of(record, record->first);
  if (!record->members)
    return !is_ordered(a, out);
  const Race *race = a->race;
  const RaceKnow *about = race_know_about(a->know, a->now.block, record->block);
  if (record->clock <= race->grid_floor ||
      (about && record->clock <= about->floor))
    return false;
  const uint32_t *bits = race_bitmap(race, record->members);
  for (uint32_t word = 0; word * 32 < race->config.n_threads; word++) {
    uint32_t todo = bits[word];
    if (about && about->has_clocks)
      todo &= ~race_lanes_reaching(race, about, word, todo, record->clock);
    for (; todo; todo &= todo - 1) {
      uint32_t who = word * 32 + (uint32_t)__builtin_ctz(todo);
      out->who = who & (RACE_MAX_WHO - 1);
      bool is_own = who == (a->thread ? a->now.who : a->issuer);
      if (!is_own || record->block != a->now.block)
        return true;
    }
  }
  return false;
}

// `is_equal`: it stores what plain writes among them did.
static void check_records(const RaceActor *a, const RaceShadow *shadow,
                          uint64_t address, const RaceCell *cell,
                          bool is_equal) {
  bool is_after = follows_updates(a, cell);
  uint32_t next = 0;
  for (uint32_t i = cell->records; i; i = next) {
    const RaceRecord *record = &a->race->records[i];
    next = record->next;
    RaceEpoch before = epoch_of(record, record->first);
    bool is_write = race_is_plain_write(before.kind);
    if ((is_write && is_equal) || (is_after && (before.kind & RACE_ATOMIC)) ||
        !race_cell_conflicts(&before, &a->now))
      continue;
    if (find_unordered(a, record, &before) ||
        (is_write && !race_is_fenced(a, &before)))
      race_found(a->block, shadow, address, &before, &a->now);
  }
}

static void add_to_record(RaceActor *a, uint32_t number) {
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
static bool can_join(const RaceActor *a, const RaceRecord *record) {
  uint32_t n_threads = a->race->config.n_threads;
  return same_time(&a->now, record) && record->first < n_threads &&
         a->now.who < n_threads;
}

// Records that are looked at when one is added: the newest.
enum { RECENT_RECORDS = 8 };

static bool join_record(RaceActor *a, const RaceCell *cell) {
  uint32_t n = 0;
  for (uint32_t i = cell->records; i && n < RECENT_RECORDS;
       i = a->race->records[i].next, n++)
    if (can_join(a, &a->race->records[i])) {
      add_to_record(a, i);
      return true;
    }
  return false;
}

static void add_record(RaceActor *a, RaceCell *cell) {
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

static void check_other(const RaceActor *a, const RaceShadow *shadow,
                        uint64_t address, const RaceCell *cell) {
  const RaceEpoch *other = &cell->other;
  if (!other->clock || !race_cell_conflicts(other, &a->now) ||
      is_ordered(a, other))
    return;
  if (!(other->kind & RACE_ATOMIC) || !follows_updates(a, cell))
    race_found(a->block, shadow, address, other, &a->now);
}

// Nobody needs the record: the access covers it, or `eternal` does.
static bool is_superfluous(const RaceActor *a, const RaceRecord *record,
                           const RaceEpoch *eternal) {
  RaceEpoch before = epoch_of(record, record->first);
  if (eternal->clock && race_is_eternal(a->race, record->block) &&
      race_cell_covers(eternal, &before))
    return true;
  return !same_time(&a->now, record) && race_cell_covers(&a->now, &before) &&
         !find_unordered(a, record, &before);
}

// Takes superfluous ones out of the first of the list.
static void prune(RaceActor *a, RaceCell *cell) {
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
      if (!eternal.clock && race_is_eternal(race, record->block) &&
          !race_is_plain_write(record->kind))
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

static void race_cell_remember(RaceActor *a, RaceCell *cell) {
  RaceEpoch *other = &cell->other;
  if (other->clock == 0 ||
      (race_cell_covers(&a->now, other) && is_ordered(a, other))) {
    *other = a->now;
    return;
  }
  if (!cell->records || !join_record(a, cell)) {
    prune(a, cell);
    add_record(a, cell);
  }
}

void race_cell_add(RaceActor *a, RaceCell *cell) {
  if ((a->now.kind & (RACE_WRITES | RACE_ATOMIC)) == RACE_WRITES)
    cell->write = a->now;
  else if (!cell->other.clock)
    cell->other = a->now;
  else
    add_record(a, cell);
}

// ----------------------------------------------------------------- cells

// What was released into the cell orders nothing any more.
static void end_releases(Race *race, RaceCellSync *sync) {
  race_sync_clear(race, &sync->wide);
  sync->generation++;
}

void race_cell_forget(Race *race, RaceCell *cell) {
  cell->write.clock = 0;
  cell->other.clock = 0;
  cell->update.clock = 0;
  if (cell->records)
    race_records_free(race, cell);
  if (cell->sync)
    end_releases(race, &race->syncs[cell->sync]);
}

// Of the records only equal stores that aren't ordered before this one stay.
static void keep_equal(const RaceActor *a, RaceCell *cell) {
  Race *race = a->race;
  uint32_t next = 0, kept = 0;
  for (uint32_t i = cell->records; i; i = next) {
    RaceRecord *record = &race->records[i];
    RaceEpoch before = epoch_of(record, record->first);
    next = record->next;
    if (race_is_plain_write(before.kind) &&
        find_unordered(a, record, &before)) {
      record->next = kept;
      kept = i;
      continue;
    }
    RaceCell alone = {.records = i};
    record->next = 0;
    race_records_free(race, &alone);
  }
  cell->records = kept;
  cell->has_narrow = false;
  cell->has_plain = cell->has_writes = kept != 0;
}

static void keep_write(const RaceActor *a, RaceCell *cell) {
  RaceActor was = {.race = a->race, .now = cell->write};
  bool is_eternal = race_is_eternal(a->race, cell->write.block);
  for (uint32_t i = cell->records; i && is_eternal;
       i = a->race->records[i].next) // of those one is enough
    if (race_is_eternal(a->race, a->race->records[i].block))
      return;
  add_record(&was, cell);
}

static void write_cell(RaceActor *a, const RaceShadow *shadow, uint64_t address,
                       RaceCell *cell) {
  RaceEpoch *write = &cell->write;
  bool is_first = !write->clock;
  bool is_free = is_first || is_ordered(a, write);
  bool is_equal = a->block->store && !is_first &&
                  race_stores_equal(a, shadow, address, write);
  if (!is_equal && (!is_free || (!is_first && !race_is_fenced(a, write))))
    race_found(a->block, shadow, address, write, &a->now);
  check_other(a, shadow, address, cell);
  if (cell->records && (!is_equal || cell->other.clock))
    check_records(a, shadow, address, cell, is_equal);
  cell->other.clock = 0;
  if (cell->records && is_equal)
    keep_equal(a, cell);
  else if (cell->records)
    race_records_free(a->race, cell);
  if (is_equal && !is_free)
    keep_write(a, cell);
  *write = a->now;
}

static void other_cell(RaceActor *a, const RaceShadow *shadow, uint64_t address,
                       RaceCell *cell) {
  const RaceEpoch *write = &cell->write;
  if (write->clock) {
    if (!is_ordered(a, write) || !race_is_fenced(a, write))
      race_found(a->block, shadow, address, write, &a->now);
  } else if (shadow->info.starts_empty && cell->other.clock == 0 &&
             (!(a->now.kind & RACE_WRITES) || (a->now.kind & RACE_RMW))) {
    race_found_empty(a->block, shadow, address, &a->now);
  }
  if (shadow->info.is_never_written)
    return;
  check_other(a, shadow, address, cell);
  bool is_atomic = a->now.kind & RACE_ATOMIC;
  bool may_conflict = !is_atomic || cell->has_plain || cell->has_narrow ||
                      (a->now.kind & RACE_BLOCK_SCOPE);
  if (cell->records && may_conflict)
    check_records(a, shadow, address, cell, false);
  race_cell_remember(a, cell);
  if (is_atomic)
    note_update(a, cell);
}

void race_cell_access(RaceActor *a, const RaceShadow *shadow, uint64_t index,
                      RaceCell *cell) {
  uint64_t address = race_cell_address(shadow, index);
  if ((a->now.kind & (RACE_WRITES | RACE_ATOMIC)) == RACE_WRITES)
    write_cell(a, shadow, address, cell);
  else
    other_cell(a, shadow, address, cell);
}

// ----------------------------------------------------------------- lanes

// Ordered before all lanes of the actor's warp, or `who`'s own.
static inline bool is_past(const RaceActor *a, const RaceEpoch *e,
                           uint32_t who) {
  return e->clock == 0 ||
         (e->block == a->now.block && e->who < a->race->config.n_threads &&
          (e->clock <= a->know->floor || e->who == who));
}

// The newest record is of this time, too: one thread, or several, more.
static inline bool join_quickly(const RaceActor *a, const RaceCell *cell,
                                uint32_t warp, uint32_t lanes) {
  const RaceRecord *record = &a->race->records[cell->records];
  if (!same_time(&a->now, record) || !record->members || cell->has_writes ||
      (cell->other.kind & RACE_WRITES))
    return false;
  race_bitmap(a->race, record->members)[warp] |= lanes;
  return true;
}

// Most accesses are of cells that nobody touched, that their own thread
// touched, or that were touched before a barrier of the block: decided by a few
// comparisons, to what race_cell_access would come, too.
static inline bool touch_quickly(const RaceActor *a, const RaceShadow *shadow,
                                 RaceCell *cell, uint32_t warp,
                                 uint32_t lanes) {
  uint32_t who = warp * 32 + (uint32_t)__builtin_ctz(lanes);
  bool is_one = !bits_has_several(lanes);
  RaceEpoch now = race_epoch(a->now.block, a->now.clock, a->what, who);
  if (!cell->write.clock && !a->now.kind && shadow->info.starts_empty)
    return false;
  if (!is_past(a, &cell->write, is_one ? who : UINT32_MAX))
    return false;
  if (cell->records)
    return !a->now.kind && join_quickly(a, cell, warp, lanes);
  if (!is_one || !is_past(a, &cell->other, who) ||
      (!a->now.kind && (cell->other.kind & RACE_WRITES)))
    return false;
  if (a->now.kind)
    cell->other.clock = 0;
  *(a->now.kind ? &cell->write : &cell->other) = now;
  return true;
}

void race_cell_lanes(RaceActor *a, const RaceShadow *shadow, uint64_t index,
                     RaceCell *cell, uint32_t warp, uint32_t lanes) {
  bool is_plain = !(a->now.kind & ~(uint32_t)RACE_WRITES);
  if (is_plain && touch_quickly(a, shadow, cell, warp, lanes))
    return;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t who = warp * 32 + (uint32_t)__builtin_ctz(lanes);
    a->now = race_epoch(a->now.block, a->now.clock, a->what, who);
    a->thread = &a->block->threads[who];
    race_cell_access(a, shadow, index, cell);
  }
}

// --------------------------------------------------------------- atomics

static RaceCellSync *cell_sync(Race *race, RaceCell *cell) {
  if (!cell->sync) {
    if (race->n_syncs == 0)
      race->n_syncs = 1; // 0 is none
    if (race->n_syncs > RACE_MAX_SYNC)
      race->failed = true;
    if (race->failed)
      return NULL;
    if (!race_reserve(race, &race->syncs, race->n_syncs, &race->sync_capacity,
                      sizeof(RaceCellSync)))
      return NULL;
    race->syncs[race->n_syncs] = (RaceCellSync){0};
    cell->sync = race->n_syncs++ & RACE_MAX_SYNC;
  }
  return &race->syncs[cell->sync];
}

// The slot of the cell's number, or a free one.
static RaceNear *near_slot(const RaceBlock *block, uint32_t number) {
  uint32_t at = number * UINT32_C(0x9e3779b1);
  RaceNear *slot;
  do
    slot = &block->near[at++ & (block->near_slots - 1)];
  while (slot->cell_sync != 0 && slot->cell_sync != number);
  return slot;
}

static bool near_grow(RaceBlock *block) {
  RaceBlock old = *block;
  uint32_t n_slots = old.near_slots ? old.near_slots * 2 : 8;
  RaceNear *near = calloc(n_slots, sizeof *near);
  if (!near) {
    block->race->failed = true;
    return false;
  }
  block->near = near;
  block->near_slots = n_slots;
  for (uint32_t i = 0; i < old.near_slots; i++)
    if (old.near[i].cell_sync != 0)
      *near_slot(block, old.near[i].cell_sync) = old.near[i];
  free(old.near);
  return true;
}

// What threads of the block released into the cell, for each other.
static const RaceSync *near_seen(const RaceBlock *block, const RaceCell *cell) {
  static const RaceSync nothing;
  if (block->n_near == 0)
    return &nothing;
  const RaceNear *slot = near_slot(block, cell->sync);
  return slot->cell_sync != 0 &&
                 slot->generation == block->race->syncs[cell->sync].generation
             ? &slot->sync
             : &nothing;
}

static void near_publish(RaceBlock *block, RaceKnow *know,
                         const RaceCell *cell) {
  Race *race = block->race;
  if (block->n_near * 2 >= block->near_slots && !near_grow(block))
    return;
  RaceNear *slot = near_slot(block, cell->sync);
  block->n_near += slot->cell_sync == 0;
  slot->cell_sync = cell->sync;
  if (slot->generation != race->syncs[cell->sync].generation)
    race_sync_clear(race, &slot->sync);
  slot->generation = race->syncs[cell->sync].generation;
  race_sync_add(block, know, &slot->sync);
}

static void race_cell_publish(RaceActor *a, const RaceCell *cell,
                              RaceCellSync *sync) {
  uint32_t thread = a->now.who;
  if (!(a->site->kind & RACE_RMW)) // a store ends what others released
    end_releases(a->race, sync);
  if (a->site->releases) {
    RaceKnow *own = race_know_own(a->block, thread);
    near_publish(a->block, own, cell);
    race_know_drop(a->race, own);
    race_release(a->block, thread, &sync->wide);
    return;
  }
  if (a->thread->near_release)
    near_publish(a->block, a->thread->near_release, cell);
  if (a->thread->fence_release)
    race_sync_add(a->block, a->thread->fence_release, &sync->wide);
}

// Note [Fences of all] in check/run/detect_clock.c.
static void leave_fenced(const RaceActor *a, RaceSync *sync) {
  const RaceKnow *know = race_view(a->block, a->now.who).know;
  if (!know->fenced)
    return;
  RaceKnow *left =
      sync->know ? race_know_copy(a->race, sync->know) : race_know_new(a->race);
  uint32_t number = sync->know ? sync->block : a->block->number;
  if (left != a->race->nothing)
    race_know_add(a->race, &left->seen, number, know->fenced, a->block->number);
  race_know_drop(a->race, sync->know);
  *sync = (RaceSync){left, number};
}

static void see_fenced(const RaceActor *a, const RaceSync *sync) {
  if (!sync->know || !sync->know->seen)
    return;
  race_split(a->block, a->now.who / 32);
  RaceThread *t = &a->block->threads[a->now.who];
  RaceKnow *know = race_know_copy(a->race, t->know);
  if (know != a->race->nothing)
    race_know_add(a->race, &know->seen, a->block->number, sync->know->seen,
                  sync->block);
  race_know_drop(a->race, t->know);
  t->know = know;
}

static void race_cell_see(RaceActor *a, const RaceCell *cell) {
  const RaceSync *wide = &a->race->syncs[cell->sync].wide;
  const RaceSync *near = near_seen(a->block, cell);
  uint32_t thread = a->now.who;
  see_fenced(a, wide);
  if (a->site->acquires) {
    race_acquire(a->block, thread, wide);
    race_acquire(a->block, thread, near);
    return;
  }
  a->block->has_fences |= wide->know || near->know;
  if (wide->know)
    race_sync_join(a->block, &a->thread->fence_acquire, wide);
  if (near->know)
    race_sync_join(a->block, &a->thread->near_acquire, near);
}

// Orders by the atomic access of one cell. Relaxed ones order by the fences
// before and after them: those of a block's scope within it only.
void race_cell_order(RaceActor *a, RaceCell *cell) {
  bool writes = a->now.kind & RACE_WRITES;
  bool reads = !writes || (a->now.kind & RACE_RMW);
  if (reads && cell->sync)
    race_cell_see(a, cell);
  if (!writes)
    return;
  bool publishes = a->site->releases || a->thread->near_release ||
                   race_view(a->block, a->now.who).know->fenced;
  RaceCellSync *sync =
      publishes || cell->sync ? cell_sync(a->race, cell) : NULL;
  if (!sync)
    return;
  race_cell_publish(a, cell, sync);
  leave_fenced(a, &sync->wide);
}
