// SPDX-License-Identifier: Apache-2.0
// One access after the other against the earlier ones of its cells.
//
// Note [What a cell remembers]
// A list of records. An access takes out the records of its own node that it
// covers: those it knows of, and that conflict with nothing that it doesn't
// conflict with. Records of other nodes stay although nothing new would be
// found to race: it would with another pair of places, and each pair is an
// obligation of its own. Long lists are cut to what is needed to find any race.
#include "check/run/detect.h"
#include "check/solve/solve.h"
#include <stdlib.h>
#include <string.h>

// Records of a cell above which those of other nodes are dropped, too; and of
// a launch.
enum { LONG_LIST = 24, MOST_RECORDS = 1 << 21 };

enum { MANY_CELLS = 1 << 18 };

// ----------------------------------------------------------------- arrays

static uint32_t detect_shadow_position_of(const Detect *d, uint64_t address) {
  uint32_t low = 0, high = d->arrays.count;
  while (low < high) { // first with base > address
    uint32_t middle = (low + high) / 2;
    if (d->arrays.data[middle].base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void detect_add_array(Detect *d, const ObservedMemory *memory) {
  if (memory->size_bytes == 0)
    return;
  uint32_t at = detect_shadow_position_of(d, memory->address);
  DetectArray array = {.object = memory->object,
                       .base = memory->address,
                       .size_bytes = memory->size_bytes,
                       .block = memory->block,
                       .strides = memory->strides};
  array.n_cells = (memory->size_bytes >> d->cell_log2) + 1;
  VEC_RESERVE(d->arena, &d->arrays, d->arrays.count + 1);
  if (array.n_cells >= MANY_CELLS) // only those in use take memory
    array.cells = array.large = calloc(array.n_cells, sizeof(uint32_t));
  else
    array.cells = ARENA_ARRAY(d->arena, uint32_t, array.n_cells);
  if (!array.cells) {
    d->is_too_much = true;
    return;
  }
  VEC_PUSH(d->arena, &d->arrays, array);
  for (uint32_t i = d->arrays.count - 1; i > at; i--)
    d->arrays.data[i] = d->arrays.data[i - 1];
  d->arrays.data[at] = array;
  d->last_array = at;
}

static void free_list(Detect *d, uint32_t number) {
  while (number) {
    Record *record = &d->records.data[number];
    uint32_t next = record->next;
    if (record->members) {
      d->bitmaps.data[record->members] = d->free_bitmap;
      d->free_bitmap = record->members;
    }
    record->next = d->free_record;
    d->free_record = number;
    number = next;
  }
}

void detect_drop_shared(Detect *d) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < d->arrays.count; i++) {
    DetectArray *array = &d->arrays.data[i];
    if (array->block < 0) {
      d->arrays.data[kept++] = *array;
      continue;
    }
    for (uint64_t k = 0; k < array->n_cells; k++)
      free_list(d, array->cells[k]);
    free(array->large);
  }
  d->arrays.count = kept;
  d->last_array = 0;
}

const DetectArray *detect_find_array(Detect *d, uint64_t address) {
  if (d->last_array < d->arrays.count) {
    const DetectArray *array = &d->arrays.data[d->last_array];
    if (address - array->base < array->size_bytes)
      return array;
  }
  uint32_t at = detect_shadow_position_of(d, address);
  if (at == 0 || address - d->arrays.data[at - 1].base >=
                     d->arrays.data[at - 1].size_bytes)
    return NULL;
  d->last_array = at - 1;
  return &d->arrays.data[at - 1];
}

// ---------------------------------------------------------------- records

static uint32_t detect_shadow_record_new(Detect *d) {
  uint32_t number = d->free_record;
  if (number) {
    d->free_record = d->records.data[number].next;
    return number;
  }
  if (d->records.count >= MOST_RECORDS) {
    d->is_too_much = true;
    return 0;
  }
  Record none = {0};
  VEC_PUSH(d->arena, &d->records, none);
  return d->records.count - 1;
}

static uint32_t bitmap_words(const Detect *d) {
  return (d->n_threads + 63) / 64;
}

static uint32_t bitmap_new(Detect *d) {
  uint32_t number = d->free_bitmap, n = bitmap_words(d);
  if (number) {
    d->free_bitmap = (uint32_t)d->bitmaps.data[number];
    memset(&d->bitmaps.data[number], 0, n * sizeof(uint64_t));
    return number;
  }
  number = d->bitmaps.count;
  for (uint32_t i = 0; i < n; i++)
    VEC_PUSH(d->arena, &d->bitmaps, 0);
  return number;
}

static void set_member(Detect *d, uint32_t members, uint32_t who) {
  uint32_t rank = who % d->n_threads;
  d->bitmaps.data[members + rank / 64] |= UINT64_C(1) << rank % 64;
}

static void add_member(Detect *d, Record *record, uint32_t who) {
  if (record->who == who)
    return;
  if (!record->members) {
    uint32_t members = bitmap_new(d);
    set_member(d, members, record->who);
    record->members = members;
  }
  set_member(d, record->members, who);
}

// -------------------------------------------------------------- relations

static bool detect_shadow_conflicts(const Detect *d, const Actor *a,
                                    const Record *r) {
  if (!((a->kind | r->kind) & KIND_WRITES))
    return false;
  if (!(a->kind & r->kind & KIND_ATOMIC) || d->owner_strict ||
      ((a->kind ^ r->kind) & KIND_ASYNC)) // atomic among themselves
    return true;
  int scope = r->kind >> KIND_SCOPE;
  if ((int)a->scope < scope)
    scope = (int)a->scope;
  uint32_t mine = a->who / d->n_threads, theirs = r->who / d->n_threads;
  if (scope == SCOPE_BLOCK)
    return mine != theirs;
  return scope == SCOPE_CLUSTER &&
         detect_cluster_of(d, mine) != detect_cluster_of(d, theirs);
}

// Whatever conflicts with the record conflicts with the access.
static bool detect_shadow_covers(const Actor *a, const Record *r) {
  if ((a->kind & KIND_ATOMIC) && !(r->kind & KIND_ATOMIC))
    return false;
  if ((a->kind & KIND_ATOMIC) && (int)a->scope > r->kind >> KIND_SCOPE)
    return false;
  return (a->kind & KIND_WRITES) || !(r->kind & KIND_WRITES);
}

static bool knows_thread(const Actor *a, uint32_t who, uint32_t clock) {
  return (int64_t)who == a->thread ||
         a->know->clocks[HALF_GENERIC][who] >= clock;
}

// The first thread of the record that the actor doesn't know of, or -1.
static int64_t detect_shadow_find_unordered(const Detect *d, const Actor *a,
                                            const Record *r) {
  if (r->kind & KIND_COPY) {
    bool is_same = a->thread < 0 && a->who == r->who;
    return is_same ||
                   know_has_copy(a->know, HALF_GENERIC, d->copies.data[r->who],
                                 r->kind & KIND_WRITES)
               ? -1
               : (int64_t)r->who;
  }
  if (!r->members)
    return knows_thread(a, r->who, r->clock) ? -1 : (int64_t)r->who;
  uint32_t block = r->who / d->n_threads, first = block * d->n_threads;
  if (a->know->floors[block] >= r->clock)
    return -1;
  for (uint32_t i = 0; i < bitmap_words(d); i++)
    for (uint64_t bits = d->bitmaps.data[r->members + i]; bits;
         bits &= bits - 1) {
      uint32_t who = first + i * 64 + (uint32_t)__builtin_ctzll(bits);
      if (!knows_thread(a, who, r->clock))
        return who;
    }
  return -1;
}

// Ordinary writes reach the copy engine only through a fence. The thread whose
// write didn't, or -1.
static int64_t find_unfenced(const Detect *d, const Actor *a, const Record *r) {
  if (!(a->kind & KIND_ASYNC) || (r->kind & KIND_ASYNC) ||
      !(r->kind & KIND_WRITES))
    return -1;
  if (r->kind & KIND_COPY)
    return know_has_copy(a->know, HALF_ASYNC, d->copies.data[r->who],
                         r->kind & KIND_WRITES)
               ? -1
               : (int64_t)r->who;
  const uint32_t *clocks = a->know->clocks[HALF_ASYNC];
  if (!r->members)
    return clocks[r->who] >= r->clock ? -1 : (int64_t)r->who;
  uint32_t first = r->who / d->n_threads * d->n_threads;
  for (uint32_t i = 0; i < bitmap_words(d); i++)
    for (uint64_t bits = d->bitmaps.data[r->members + i]; bits;
         bits &= bits - 1) {
      uint32_t who = first + i * 64 + (uint32_t)__builtin_ctzll(bits);
      if (clocks[who] < r->clock)
        return who;
    }
  return -1;
}

// ------------------------------------------------------------------ cells

static bool is_same_row(const Detect *d, const Actor *a, const Record *r) {
  return a->thread >= 0 && !(r->kind & KIND_COPY) && r->node == a->node &&
         r->value == a->value && r->kind == a->kind && r->clock == a->clock &&
         r->who / d->n_threads == a->who / d->n_threads;
}

static void detect_shadow_add_record(Detect *d, const Actor *a,
                                     uint32_t *cell) {
  uint32_t number = detect_shadow_record_new(d);
  if (!number)
    return;
  d->records.data[number] = (Record){.next = *cell,
                                     .node = a->node,
                                     .clock = a->clock,
                                     .who = a->who,
                                     .value = a->value,
                                     .kind = a->kind};
  *cell = number;
}

static void unlink_record(Detect *d, uint32_t *cell, uint32_t before,
                          uint32_t number) {
  Record *record = &d->records.data[number];
  if (before)
    d->records.data[before].next = record->next;
  else
    *cell = record->next;
  record->next = 0;
  free_list(d, number);
}

static bool shadow_is_by(const Detect *d, const Record *r, uint32_t who) {
  uint32_t rank = who % d->n_threads;
  if (!r->members)
    return r->who == who;
  return r->who / d->n_threads == who / d->n_threads &&
         d->bitmaps.data[r->members + rank / 64] >> rank % 64 & 1;
}

// An update of the thread itself, which came after older records, or may have
// come after the other threads' of its own row; or one that is known. What the
// thread does next at that place comes after them, too: all see one order of
// what happens there, whatever else they know of each other. So the last of all
// blocks may set a counter back by a plain store.
static bool is_past_update(const Detect *d, const Actor *a, const Record *r,
                           bool is_known) {
  if (a->thread < 0 || r->kind & KIND_COPY || !(r->kind & KIND_ATOMIC) ||
      !(r->kind & KIND_WRITES))
    return false;
  return is_known || shadow_is_by(d, r, a->who);
}

// One of the two reads what it has stored itself, as all others have who store
// there: in whichever order, it reads that value.
static bool shadow_reads_own(const Detect *d, const Actor *a, const Record *r,
                             uint32_t who, const uint32_t *cell) {
  bool is_actor = !(a->kind & KIND_WRITES);
  uint32_t value = is_actor ? r->value : a->value;
  uint32_t reader = is_actor ? a->who : who;
  bool is_own = false;
  if (value == 0 || a->thread < 0 || r->kind & KIND_COPY ||
      (!is_actor && r->kind & KIND_WRITES))
    return false;
  for (uint32_t i = *cell; i; i = d->records.data[i].next) {
    const Record *other = &d->records.data[i];
    if (!(other->kind & KIND_WRITES))
      continue;
    if (other->value != value)
      return false;
    is_own |= shadow_is_by(d, other, reader);
  }
  return is_own;
}

// Of each access some comparisons are part of its step.
enum { FEW = 8 };

static void detect_shadow_touch_cell(Detect *d, const Actor *a, uint32_t *cell,
                                     uint64_t address) {
  uint32_t same = 0, before = 0, next = 0, n = 0;
  bool is_updated = false;
  for (uint32_t i = *cell; i; i = next, n++) {
    Record *r = &d->records.data[i];
    next = r->next;
    int64_t who = detect_shadow_find_unordered(d, a, r);
    is_updated |= is_past_update(d, a, r, who < 0);
    bool is_after = is_updated && r->kind & KIND_ATOMIC && !d->owner_strict;
    bool can_conflict = detect_shadow_conflicts(d, a, r) && !is_after;
    if (who >= 0 && can_conflict) {
      d->reads_own = shadow_reads_own(d, a, r, (uint32_t)who, cell);
      detect_race(d, a, r, (uint32_t)who, address, false);
      d->reads_own = false;
    } else if (can_conflict) {
      int64_t unfenced = find_unfenced(d, a, r);
      if (unfenced >= 0)
        detect_race(d, a, r, (uint32_t)unfenced, address, true);
    }
    bool is_same = is_same_row(d, a, r);
    if (is_same)
      same = i;
    if (!is_same && who < 0 && detect_shadow_covers(a, r) &&
        (r->node == a->node || n > LONG_LIST))
      unlink_record(d, cell, before, i);
    else
      before = i;
  }
  if (n > FEW)
    d->n_compared += n - FEW;
  if (same)
    add_member(d, &d->records.data[same], a->who);
  else
    detect_shadow_add_record(d, a, cell);
}

static void look_at_limits(Detect *d) {
  enum { TOUCHES_A_LOOK = 512 };

  d->is_over |= d->most_compared > 0 && d->n_compared > d->most_compared;
  if (d->n_touched++ % TOUCHES_A_LOOK == 0)
    d->is_over |= solve_is_behind(&d->end);
}

void detect_touch(Detect *d, const Actor *actor, uint64_t address,
                  uint64_t n_bytes) {
  const DetectArray *array = detect_find_array(d, address);
  if (!array || n_bytes == 0 ||
      n_bytes > array->size_bytes - (address - array->base))
    return; // told as outside
  uint64_t offset = address - array->base, less = (1u << d->cell_log2) - 1;
  if ((offset | n_bytes) & less) {
    d->is_too_coarse = true;
    return;
  }
  uint64_t first = offset >> d->cell_log2, count = n_bytes >> d->cell_log2;
  look_at_limits(d);
  for (uint64_t i = 0; i < count && !d->is_too_much && !d->is_over; i++)
    detect_shadow_touch_cell(d, actor, &array->cells[first + i],
                             address + (i << d->cell_log2));
}
