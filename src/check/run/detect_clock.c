// SPDX-License-Identifier: Apache-2.0
// What threads know of each other, and the events that make it known. Time is
// one counter for the launch; a thread's clock is the time of its last release.
#include "base/bits.h"
#include "base/rescue.h"
#include "check/run/detect.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- storage

static uint32_t words_log2(const Detect *d) {
  return bits_log2_up((d->n_bits + 63) / 64);
}

static Know *know_new(Detect *d) {
  uint32_t log2 = words_log2(d);
  Know *know = d->free_knows[log2];
  if (know) {
    d->free_knows[log2] = know->next_free;
    know->refs = 1;
    return know;
  }
  know = ARENA_NEW(d->arena, Know);
  know->refs = 1;
  know->n_words = UINT32_C(1) << log2;
  for (int i = 0; i < HALF_COUNT; i++) {
    if (!d->keeps[i])
      continue;
    know->clocks[i] = ARENA_ARRAY(d->arena, uint32_t, d->n_all);
    know->copies[i] = ARENA_ARRAY(d->arena, uint64_t, know->n_words);
  }
  know->floors = ARENA_ARRAY(d->arena, uint32_t, d->n_blocks);
  return know;
}

Know *know_keep(Know *know) {
  know->refs++;
  return know;
}

void know_drop(Detect *d, Know *know) {
  if (!know || --know->refs > 0)
    return;
  uint32_t log2 = bits_log2(know->n_words);
  know->next_free = d->free_knows[log2];
  d->free_knows[log2] = know;
}

Know *know_copy(Detect *d, const Know *from) {
  Know *know = know_new(d);
  for (int i = 0; i < HALF_COUNT; i++) {
    if (!d->keeps[i])
      continue;
    memcpy(know->clocks[i], from->clocks[i], d->n_all * sizeof(uint32_t));
    memset(know->copies[i], 0, know->n_words * sizeof(uint64_t));
    memcpy(know->copies[i], from->copies[i], from->n_words * sizeof(uint64_t));
  }
  memcpy(know->floors, from->floors, d->n_blocks * sizeof(uint32_t));
  return know;
}

// -------------------------------------------------------------- combining

// `into` is the newer one, or as new: its sets of copies are large enough.
// Four at a time, which compilers don't do at -O2 by themselves. Clocks count
// events of a run, which are fewer than 2^31.
typedef int32_t Clocks __attribute__((vector_size(16)));

static void take_later(uint32_t *into, const uint32_t *from, uint32_t n) {
  enum { LANES = sizeof(Clocks) / sizeof *into };

  uint32_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    Clocks a, b;
    memcpy(&a, into + i, sizeof a);
    memcpy(&b, from + i, sizeof b);
    Clocks is_later = a > b;
    a = (a & is_later) | (b & ~is_later);
    memcpy(into + i, &a, sizeof a);
  }
  for (; i < n; i++)
    into[i] = into[i] > from[i] ? into[i] : from[i];
}

static void join_half(Detect *d, int half, Know *into, const Know *from) {
  take_later(into->clocks[half], from->clocks[half], d->n_all);
  d->n_joined += d->n_all;
  for (uint32_t i = 0; i < from->n_words && i < into->n_words; i++)
    into->copies[half][i] |= from->copies[half][i];
}

void know_join(Detect *d, Know *into, const Know *from) {
  for (int half = 0; half < HALF_COUNT; half++)
    if (d->keeps[half])
      join_half(d, half, into, from);
}

void know_meet(const Detect *d, Know *into, const Know *from) {
  for (int half = 0; half < HALF_COUNT; half++) {
    if (!d->keeps[half])
      continue;
    uint32_t *a = into->clocks[half];
    const uint32_t *b = from->clocks[half];
    for (uint32_t i = 0; i < d->n_all; i++)
      a[i] = a[i] < b[i] ? a[i] : b[i];
    for (uint32_t i = 0; i < into->n_words; i++)
      into->copies[half][i] &= i < from->n_words ? from->copies[half][i] : 0;
  }
}

void know_seal(const Detect *d, Know *know) {
  const uint32_t *clocks = know->clocks[HALF_GENERIC];
  for (uint32_t b = 0; b < d->n_blocks; b++, clocks += d->n_threads) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < d->n_threads; i++)
      least = clocks[i] < least ? clocks[i] : least;
    know->floors[b] = least;
  }
}

void know_add_bit(const Detect *d, Know *know, uint32_t bit) {
  uint64_t one = UINT64_C(1) << bit % 64;
  know->copies[HALF_GENERIC][bit / 64] |= one;
  know->copies[know_cause(d)][bit / 64] |= one;
}

bool know_has_copy(const Know *know, int half, const DetectCopy *copy,
                   bool is_written) {
  uint32_t first = is_written ? copy->written_bit : copy->first_bit;
  const uint64_t *set = know->copies[half];
  for (uint32_t i = 0; i < copy->n_bits; i++) {
    uint32_t bit = first + i;
    if (bit / 64 >= know->n_words || !(set[bit / 64] >> bit % 64 & 1))
      return false;
  }
  return true;
}

bool know_has_all(const Detect *d, const DetectThread *t, uint32_t number,
                  const Know *what) {
  const uint32_t *mine = t->know->clocks[know_cause(d)];
  const uint32_t *theirs = what->clocks[know_cause(d)];
  for (uint32_t i = 0; i < d->n_all; i++)
    if (theirs[i] > mine[i] && i != number)
      return false;
  const uint64_t *done = t->know->copies[know_cause(d)];
  for (uint32_t i = 0; i < what->n_words; i++) {
    uint64_t has = i < t->know->n_words ? done[i] : 0;
    if (what->copies[know_cause(d)][i] & ~has)
      return false;
  }
  return theirs[number] <= t->clock;
}

// ----------------------------------------------------------------- events

static uint32_t tick(Detect *d) {
  return ++d->time;
}

static void set_know(Detect *d, DetectThread *t, Know *know) {
  know_drop(d, t->know);
  t->know = know;
}

static void detect_clock_add_own(const Detect *d, Know *know, uint32_t thread,
                                 uint32_t clock) {
  uint32_t *own = &know->clocks[HALF_GENERIC][thread];
  uint32_t *cause = &know->clocks[know_cause(d)][thread];
  *own = *own < clock ? clock : *own;
  *cause = *cause < clock ? clock : *cause;
}

Know *know_own(Detect *d, uint32_t thread) {
  Know *know = know_copy(d, d->threads[thread].know);
  detect_clock_add_own(d, know, thread, d->threads[thread].clock);
  return know;
}

void detect_release(Detect *d, uint32_t thread, Know **into) {
  DetectThread *t = &d->threads[thread];
  if (!*into) {
    *into = know_own(d, thread);
  } else {
    if ((*into)->n_words < t->know->n_words || (*into)->refs > 1) {
      Know *grown = know_copy(d, *into);
      know_drop(d, *into);
      *into = grown;
    }
    know_join(d, *into, t->know);
    detect_clock_add_own(d, *into, thread, t->clock);
  }
  t->clock = tick(d);
}

// Threads of a group mostly know the same and acquire the same.
void detect_acquire(Detect *d, uint32_t thread, Know *from) {
  DetectThread *t = &d->threads[thread];
  if (!from)
    return;
  if (!d->acquired || d->acquired_by != t->know || d->acquired_from != from) {
    Know *joined = know_copy(d, t->know);
    know_join(d, joined, from);
    know_seal(d, joined);
    know_drop(d, d->acquired);
    know_drop(d, d->acquired_by);
    know_drop(d, d->acquired_from);
    d->acquired = joined;
    d->acquired_by = know_keep(t->know); // kept, so that they stay as they are
    d->acquired_from = know_keep(from);
  }
  set_know(d, t, know_keep(d->acquired));
}

void detect_sync(Detect *d, const ObservedThread *threads, uint32_t n,
                 bool is_grid) {
  if (n < 2)
    return;
  const Know *last = d->threads[threads[0].number].know;
  Know *joined = know_copy(d, last);
  for (uint32_t i = 1; i < n; i++) {
    const Know *theirs = d->threads[threads[i].number].know;
    if (theirs != last)
      know_join(d, joined, theirs);
    last = theirs;
  }
  for (uint32_t i = 0; i < n; i++)
    detect_clock_add_own(d, joined, (uint32_t)threads[i].number,
                         d->threads[threads[i].number].clock);
  if (is_grid && d->keeps[HALF_ASYNC]) {
    memcpy(joined->clocks[HALF_ASYNC], joined->clocks[HALF_GENERIC],
           d->n_all * sizeof(uint32_t));
    memcpy(joined->copies[HALF_ASYNC], joined->copies[HALF_GENERIC],
           joined->n_words * sizeof(uint64_t));
  }
  know_seal(d, joined);
  uint32_t clock = tick(d);
  for (uint32_t i = 0; i < n; i++) {
    DetectThread *t = &d->threads[threads[i].number];
    set_know(d, t, know_keep(joined));
    t->clock = clock;
  }
  know_drop(d, joined);
}

// What has happened before each of the threads goes on.
static Know *join_past(Detect *d, const ObservedThread *threads, uint32_t n) {
  const Know *last = d->threads[threads[0].number].know;
  Know *joined = know_copy(d, last);
  for (uint32_t i = 0; i < n; i++) {
    const DetectThread *t = &d->threads[threads[i].number];
    if (t->know != last)
      join_half(d, HALF_CAUSE, joined, t->know);
    last = t->know;
    detect_clock_add_own(d, joined, (uint32_t)threads[i].number, t->clock);
  }
  return joined;
}

// Threads mostly know the same, so the next one may share what this one has.
void detect_meet(Detect *d, const ObservedThread *threads, uint32_t n) {
  if (n < 2 || !d->keeps[HALF_CAUSE])
    return;
  Know *past = join_past(d, threads, n), *before = NULL, *behind = NULL;
  uint32_t clock = tick(d);
  for (uint32_t i = 0; i < n; i++) {
    DetectThread *t = &d->threads[threads[i].number];
    if (!behind || t->know != before) {
      know_drop(d, before);
      know_drop(d, behind);
      before = know_keep(t->know);
      behind = know_copy(d, before);
      join_half(d, HALF_CAUSE, behind, past);
    }
    set_know(d, t, know_keep(behind));
    t->clock = clock;
  }
  know_drop(d, before);
  know_drop(d, behind);
  know_drop(d, past);
}

// ----------------------------------------------------------------- fences

// Note [Fences of all]
// Of two fences that are sequentially consistent one is before the other, and
// what comes before one is known behind the later one (PTX: Fence-SC). Take an
// atomic read that gives what an atomic write left, a fence G that comes behind
// the read, and a fence F that comes before the write, each in any thread, by
// barriers or whatever else orders. If G were before F, the read would be
// before the write. So F is before G. HALF_FENCED is what was before some such
// F; a write leaves that at its place, a read takes it into HALF_SEEN, and G
// makes it known.

static void join_halves(Detect *d, Know *into, int half, const Know *from,
                        int from_half) {
  take_later(into->clocks[half], from->clocks[from_half], d->n_all);
  d->n_joined += d->n_all;
  for (uint32_t i = 0; i < from->n_words && i < into->n_words; i++)
    into->copies[half][i] |= from->copies[from_half][i];
}

void detect_fence_all(Detect *d, uint32_t thread) {
  DetectThread *t = &d->threads[thread];
  Know *know = know_copy(d, t->know);
  join_halves(d, know, HALF_GENERIC, know, HALF_SEEN);
  if (d->keeps[HALF_CAUSE])
    join_halves(d, know, HALF_CAUSE, know, HALF_SEEN);
  join_halves(d, know, HALF_FENCED, know, HALF_GENERIC);
  uint32_t *own = &know->clocks[HALF_FENCED][thread];
  *own = *own < t->clock ? t->clock : *own;
  know_seal(d, know);
  set_know(d, t, know);
  t->clock = tick(d);
  d->has_fenced = true;
}

void detect_leave_fenced(Detect *d, uint32_t thread, Know **at) {
  const Know *know = d->threads[thread].know;
  if (!d->has_fenced)
    return;
  Know *left = know_copy(d, *at ? *at : d->nothing);
  join_halves(d, left, HALF_SEEN, know, HALF_FENCED);
  know_drop(d, *at);
  *at = left;
}

void detect_see_fenced(Detect *d, uint32_t thread, const Know *at) {
  DetectThread *t = &d->threads[thread];
  if (!d->has_fenced)
    return;
  Know *know = know_copy(d, t->know);
  join_halves(d, know, HALF_SEEN, at, HALF_SEEN);
  set_know(d, t, know);
}

// ------------------------------------------------------------------- life

typedef struct {
  bool copies_async, lands, meets, waits; // waits: for a parity
  bool fences, fences_near;
} Kinds;

static bool find_kinds(IrNode *node, void *context) {
  Kinds *kinds = context;
  bool is_copy = ir_op_info(node)->form == FORM_COPY;
  bool is_engine = node->op == IR_WGMMA_LOAD || ir_is_tensor_op(node->op);
  kinds->copies_async |=
      (is_copy || is_engine) && ir_proxy(node) == PROXY_ASYNC;
  kinds->lands |=
      (is_copy && node->u.copy.barrier) || node->op == IR_MBAR_TENSOR;
  kinds->meets |= ir_is_collective(node);
  kinds->waits |= node->op == IR_MBAR_WAIT;
  kinds->fences |= node->op == IR_FENCE;
  kinds->fences_near |= detect_is_near(node);
  return true;
}

static void keep_kinds(Detect *d) {
  Kinds kinds = {0};
  ir_walk((IrRegion *)(uintptr_t)&d->kernel->body, find_kinds, &kinds);
  d->keeps[HALF_GENERIC] = true;
  d->keeps[HALF_ASYNC] = kinds.copies_async;
  d->keeps[HALF_CAUSE] = kinds.lands || (kinds.meets && kinds.waits);
  d->keeps[HALF_FENCED] = d->keeps[HALF_SEEN] = kinds.fences;
  d->has_near_fences = kinds.fences_near;
}

static void free_large(void *detect) {
  const Detect *d = detect;
  for (uint32_t i = 0; i < d->arrays.count; i++)
    free(d->arrays.data[i].large);
}

void detect_begin(Detect *d, Arena *result, const IrKernel *kernel,
                  const Trial *trial, uint32_t cell_log2, ConcreteResult *out) {
  *d = (Detect){.arena = arena_new(),
                .result = result,
                .kernel = kernel,
                .out = out,
                .cell_log2 = cell_log2,
                .time = 1};
  rescue_owe(free_large, d);
  const int32_t *dim = kernel->block_dim;
  const int32_t *grid = trial->grid;
  memcpy(d->grid, grid, sizeof d->grid);
  memcpy(d->cluster, trial->cluster, sizeof d->cluster);
  d->n_threads = (uint32_t)(dim[0] * dim[1] * dim[2]);
  d->blocks = trial->n_blocks ? trial->blocks : NULL;
  d->n_blocks = trial->n_blocks ? trial->n_blocks
                                : (uint32_t)(grid[0] * grid[1] * grid[2]);
  d->n_all = d->n_threads * d->n_blocks;
  keep_kinds(d);
  d->nothing = know_new(d);
  know_seal(d, d->nothing);
  d->threads = ARENA_ARRAY(d->arena, DetectThread, d->n_all);
  for (uint32_t i = 0; i < d->n_all; i++)
    d->threads[i] = (DetectThread){.know = know_keep(d->nothing), .clock = 1};
  Record none = {0};
  VEC_PUSH(d->arena, &d->records, none); // 0 is none
  VEC_PUSH(d->arena, &d->bitmaps, 0);
  VEC_PUSH(d->arena, &d->parts, 0);
  VEC_PUSH(d->arena, &d->askers, NULL);
  d->observer = detect_observer(d);
}

void detect_end(Detect *d) {
  rescue_paid(d);
  detect_drop_shared(d);
  free_large(d);
  arena_free(d->arena);
}
