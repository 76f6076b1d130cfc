// SPDX-License-Identifier: Apache-2.0
// One launch of Note [Elements that no block stores to]: by the terms of the
// stores, and by a run.
#include "check/run/cover.h"

#include "interp/observe.h"
#include <string.h>

static const int64_t most_elements = 1 << 20, most_marks = 1 << 23;

enum { MOST_TIMES = 1 << 14, MOST_BOUND = COVER_SIZES + 3 + COVER_LOOPS };

// Symbols and what they are, for term_value.
typedef struct {
  const Symbol *symbols[MOST_BOUND];
  int64_t values[MOST_BOUND];
  uint32_t n;
} Bound;

typedef struct {
  const Cover *cover;
  Trial trial;
  Bound bound;
  int64_t extents[IR_MAX_RANK], n_all, n_marks;
  uint8_t *is_stored;
} Replay;

static void bound_push(Bound *bound, const Symbol *symbol, int64_t value) {
  bound->symbols[bound->n] = symbol;
  bound->values[bound->n++] = value;
}

static bool bound_value(const Bound *bound, const Term *term, int64_t *value) {
  TermModel model = {.n = bound->n,
                     .symbols = (const Symbol **)(uintptr_t)bound->symbols,
                     .values = (int64_t *)(uintptr_t)bound->values};
  return term_value(term, &model, value);
}

// ------------------------------------------------------------------- marks

typedef struct {
  int64_t begin[IR_MAX_RANK], end[IR_MAX_RANK];
} Rectangle;

static int64_t replay_element(const Replay *r, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t k = 0; k < r->cover->object->rank; k++)
    at = at * r->extents[k] + index[k];
  return at;
}

// The part of the section that is inside of the array; false: none.
static bool replay_rectangle(const Replay *r, const Step *store,
                             const Bound *bound, Rectangle *rectangle,
                             bool *is_known) {
  const Touch *touch = store->u.touch.touch;
  bool is_any = true;
  for (uint32_t k = 0; k < r->cover->object->rank; k++) {
    Bound here = *bound;
    int64_t at;
    if (cover_axis(store, k))
      bound_push(&here, cover_axis(store, k), 0);
    if (!bound_value(&here, touch->index[k], &at)) {
      *is_known = false;
      return false;
    }
    int64_t end = at + cover_length(store, k);
    rectangle->begin[k] = at < 0 ? 0 : at;
    rectangle->end[k] = end < r->extents[k] ? end : r->extents[k];
    is_any &= rectangle->begin[k] < rectangle->end[k];
  }
  return is_any;
}

static void replay_mark(Replay *r, const Rectangle *rectangle) {
  uint32_t last = r->cover->object->rank - 1u;
  int64_t index[IR_MAX_RANK];
  size_t length = (size_t)(rectangle->end[last] - rectangle->begin[last]);
  memcpy(index, rectangle->begin, sizeof index);
  for (;;) {
    memset(r->is_stored + replay_element(r, index), 1, length);
    r->n_marks += (int64_t)length;
    uint32_t k = last;
    while (k > 0 && ++index[k - 1] == rectangle->end[k - 1]) {
      index[k - 1] = rectangle->begin[k - 1];
      k--;
    }
    if (k == 0)
      return;
  }
}

// In all turns of the loops around, the outermost one first.
static bool replay_store(Replay *r, const Step *store, const CheckLoop **loops,
                         uint32_t n_loops, const Bound *bound) {
  if (n_loops == 0) {
    Rectangle rectangle;
    bool is_known = true;
    if (replay_rectangle(r, store, bound, &rectangle, &is_known))
      replay_mark(r, &rectangle);
    return is_known && r->n_marks < most_marks;
  }
  int64_t trips;
  if (!bound_value(bound, loops[0]->trips, &trips) || trips > MOST_TIMES)
    return false;
  for (int64_t turn = 0; turn < trips; turn++) {
    Bound inside = *bound;
    bound_push(&inside, loops[0]->turn, turn);
    if (!replay_store(r, store, loops + 1, n_loops - 1, &inside))
      return false;
  }
  return true;
}

static bool replay_block(Replay *r, const int64_t block[3]) {
  const Tree *tree = r->cover->check->tree;
  Bound bound = r->bound;
  for (int k = 0; k < 3; k++)
    bound_push(&bound, tree->block[k], block[k]);
  for (uint32_t i = 0; i < r->cover->stores.count; i++) {
    const Step *store = r->cover->stores.data[i];
    const CheckLoop *loops[COVER_LOOPS];
    uint32_t n = 0;
    for (const CheckLoop *loop = store->loop; loop; loop = loop->parent)
      n++;
    uint32_t at = n;
    for (const CheckLoop *loop = store->loop; loop && n <= COVER_LOOPS;
         loop = loop->parent)
      loops[--at] = loop;
    if (n > COVER_LOOPS || !replay_store(r, store, loops, n, &bound))
      return false;
  }
  return true;
}

// ------------------------------------------------------------------ launches

// The launch is one, and no extent is smaller than a section.
static bool replay_shape(Replay *r, Arena *arena,
                         const ConcreteLaunch *launch) {
  const Cover *cover = r->cover;
  const IrKernel *kernel = cover->check->kernel;
  const IrObject *object = cover->object;
  if (!trial_shape(&r->trial, arena, kernel, launch) || r->trial.n_blocks > 0)
    return false;
  uint32_t slot = kernel->params.data[object->param].slot;
  r->n_all = 1;
  for (uint32_t k = 0; k < object->rank; k++) {
    r->extents[k] = (int64_t)r->trial.slots[slot + 1 + k];
    for (uint32_t i = 0; i < cover->stores.count; i++)
      if (r->extents[k] < cover_length(cover->stores.data[i], k))
        return false;
    if (__builtin_mul_overflow(r->n_all, r->extents[k], &r->n_all))
      return false;
  }
  const int32_t *grid = r->trial.grid;
  return r->n_all > 0 && r->n_all <= most_elements &&
         (int64_t)grid[0] * grid[1] * grid[2] <= MOST_TIMES;
}

static bool replay_all(Replay *r) {
  int64_t at[3];
  const int32_t *grid = r->trial.grid;
  for (at[2] = 0; at[2] < grid[2]; at[2]++)
    for (at[1] = 0; at[1] < grid[1]; at[1]++)
      for (at[0] = 0; at[0] < grid[0]; at[0]++)
        if (!replay_block(r, at))
          return false;
  return true;
}

static Covered replay_result(const Replay *r, CoverLeft *left) {
  int64_t first = -1;
  *left = (CoverLeft){.n_all = (uint64_t)r->n_all};
  for (int64_t i = 0; i < r->n_all; i++) {
    first = first < 0 && !r->is_stored[i] ? i : first;
    left->n_left += !r->is_stored[i];
  }
  if (first < 0)
    return COVERED_ALL;
  if (first == 0)
    return COVERED_UNKNOWN;
  for (uint32_t k = r->cover->object->rank; k-- > 0;) {
    left->index[k] = first % r->extents[k];
    first /= r->extents[k];
  }
  return COVERED_PART;
}

Covered cover_replay(const Cover *cover, const ConcreteLaunch *launch,
                     CoverLeft *left) {
  Arena *scratch = arena_new();
  Replay r = {.cover = cover};
  Covered covered = COVERED_UNKNOWN;
  for (uint32_t i = 0; i < cover->n_sizes; i++)
    bound_push(&r.bound, cover->sizes[i].symbol,
               launch->scalars[cover->sizes[i].param]);
  if (replay_shape(&r, scratch, launch)) {
    r.is_stored = ARENA_ARRAY(scratch, uint8_t, (size_t)r.n_all);
    if (replay_all(&r))
      covered = replay_result(&r, left);
  }
  arena_free(scratch);
  return covered;
}

// --------------------------------------------------------------------- a run

typedef struct {
  const IrObject *object;
  uint64_t base, element; // addresses
  int64_t number;
  bool is_stored;
} Watch;

static void watch_memory(void *context, const ObservedMemory *memory) {
  Watch *watch = context;
  if (memory->object != watch->object)
    return;
  watch->base = memory->address;
  watch->element =
      memory->address + (uint64_t)watch->number * watch->object->element_bytes;
}

static void watch_access(void *context, const ObservedThread *thread,
                         const ObservedAccess *access) {
  (void)thread;
  Watch *watch = context;
  watch->is_stored |=
      access->writes &&
      access->address < watch->element + watch->object->element_bytes &&
      watch->element < access->address + access->n_bytes;
}

static bool watch_run(Trial *trial, Watch *watch, uint64_t max_steps) {
  Arena *scratch = arena_new();
  uint64_t n_steps = 0;
  InterpObserver observer = {
      .context = watch, .memory = watch_memory, .access = watch_access};
  InterpLaunch run = {.args = trial->slots,
                      .arrays = trial->arrays,
                      .max_steps = max_steps,
                      .n_steps = &n_steps,
                      .observer = &observer};
  memcpy(run.grid, trial->grid, sizeof run.grid);
  memcpy(run.cluster, trial->cluster, sizeof run.cluster);
  const char *why = NULL;
  bool is_run = interp_run(scratch, trial->kernel, &run, &why) == HD_OK;
  arena_free(scratch);
  return is_run && watch->base && !watch->is_stored;
}

bool cover_is_left(const Cover *cover, const ConcreteLaunch *launch,
                   const CoverLeft *left) {
  enum { STEPS = 8 * 1000 * 1000 };

  Arena *scratch = arena_new();
  Replay r = {.cover = cover};
  bool is_left = false;
  if (replay_shape(&r, scratch, launch) && trial_fill(&r.trial)) {
    Watch watch = {.object = cover->object,
                   .number = replay_element(&r, left->index)};
    is_left = watch_run(&r.trial, &watch, STEPS);
  }
  trial_end(&r.trial);
  arena_free(scratch);
  return is_left;
}
