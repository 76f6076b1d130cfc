// SPDX-License-Identifier: Apache-2.0
// The detector as a whole: its life, its blocks, and what it tells.
#include "rt/cpu/race_excerpt.h"
#include "rt/cpu/race_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------ life

Race *race_new(const RaceConfig *config) {
  bool is_small = config->n_threads <= 1024 && // warps are bits of a word
                  config->n_agents <= RACE_MAX_WHO - config->n_threads;
  Race *race = is_small ? calloc(1, sizeof *race) : NULL;
  if (!race)
    return NULL;
  race->config = *config;
  memcpy(race->grid, config->grid, sizeof race->grid);
  memcpy(race->block_dim, config->block_dim, sizeof race->block_dim);
  race->time = 1;
  race->is_wide = !config->is_narrow && race_has_wide();
  race->nothing = race_know_new(race);
  race->sites = race_alloc(race, config->n_sites * sizeof(RaceSiteState));
  if (race->nothing && race->sites)
    return race;
  free(race->nothing);
  free(race->sites);
  free(race);
  return NULL;
}

static void free_knows(Race *race) {
  free(race->nothing);
  for (RaceKnow *know = race->free_knows, *next; know; know = next) {
    next = know->next_free;
    free(know->others);
    free(know);
  }
}

static void drop_threads(RaceBlock *block) {
  Race *race = block->race;
  race_set_whole(block, race->nothing, 0);
  for (uint32_t i = 0; i < race->config.n_threads && block->has_fences; i++) {
    RaceThread *t = &block->threads[i];
    race_know_drop(race, t->fence_release);
    race_know_drop(race, t->near_release);
    race_sync_clear(race, &t->fence_acquire);
    race_sync_clear(race, &t->near_acquire);
    t->fence_release = t->near_release = NULL;
  }
  block->has_fences = false;
  for (uint32_t i = 0; i < block->near_slots && block->n_near > 0; i++) {
    race_sync_clear(race, &block->near[i].sync);
    block->near[i] = (RaceNear){0};
  }
  block->n_near = 0;
}

static void free_block(RaceBlock *block) {
  for (uint32_t i = 0; i < block->n_shadows; i++)
    race_shadow_close(block->race, &block->shadows[i]);
  free(block->shadows);
  free(block->threads);
  free(block->near);
  free(block->quick.log);
  free(block->warps);
  free(block);
}

void race_free(Race *race) {
  if (!race)
    return;
  while (race->running)
    race_block_end(race->running);
  for (RaceBlock *block = race->spare, *next; block; block = next) {
    next = block->next;
    free_block(block);
  }
  for (uint32_t i = 0; i < race->n_shadows; i++)
    race_shadow_close(race, &race->shadows[i]);
  for (uint32_t i = 1; i < race->n_syncs; i++)
    race_sync_clear(race, &race->syncs[i].wide);
  free_knows(race);
  for (uint32_t i = 0; i < race->n_texts; i++)
    free(race->texts[i].text);
  free(race->texts);
  free(race->shadows);
  free(race->eternal);
  free(race->sites);
  free(race->cells);
  free(race->lanes);
  free(race->records);
  free(race->bitmaps);
  free(race->syncs);
  free(race);
}

bool race_failed(const Race *race) {
  return race->failed;
}

uint64_t race_bytes(const Race *race) {
  return race->n_bytes + race->n_chunks * sizeof(RaceChunk) +
         race->n_far * sizeof(RaceFar);
}

static uint64_t touched_elements(const RaceShadow *shadow) {
  uint64_t cells = 0, element = shadow->info.element_bytes;
  for (uint64_t i = 0; i < shadow->n_chunks; i++)
    cells += shadow->words
                 ? race_quick_touched(shadow, i)
                 : (uint32_t)__builtin_popcount(shadow->chunks[i].touched);
  uint64_t bytes = cells << shadow->cell_log2;
  return element ? (bytes + element - 1) / element : bytes;
}

static uint64_t touched_in_block(const RaceBlock *block) {
  uint64_t elements = 0;
  for (uint32_t i = 0; i < block->n_shadows; i++)
    elements += touched_elements(&block->shadows[i]);
  return elements;
}

uint64_t race_touched_elements(const Race *race) {
  uint64_t elements = 0;
  for (uint32_t i = 0; i < race->n_shadows; i++)
    elements += touched_elements(&race->shadows[i]);
  for (const RaceBlock *b = race->running; b; b = b->next)
    elements += touched_in_block(b);
  for (const RaceBlock *b = race->spare; b; b = b->next)
    elements += touched_in_block(b);
  return elements;
}

// ---------------------------------------------------------------- blocks

static RaceBlock *block_new(Race *race, const RaceArray *arrays,
                            uint32_t n_arrays, uint64_t shared) {
  RaceBlock *block = race_alloc(race, sizeof *block);
  if (!block)
    return NULL;
  block->race = race;
  block->threads =
      race_alloc(race, race->config.n_threads * sizeof(RaceThread));
  block->shadows = race_alloc(race, n_arrays * sizeof(RaceShadow));
  uint32_t n_warps = (race->config.n_threads + 31) / 32;
  block->warps = race_alloc(race, n_warps * sizeof(RaceView));
  bool is_good = block->threads && block->shadows && block->warps;
  for (uint32_t i = 0; i < n_arrays && is_good; i++) {
    is_good = race_shadow_open(race, &block->shadows[i], &arrays[i],
                               shared + arrays[i].base, block);
    block->n_shadows += is_good;
  }
  if (is_good)
    return block;
  free_block(block);
  return NULL;
}

RaceBlock *race_block_start(Race *race, int64_t linear, uint64_t shared,
                            const RaceArray *arrays, uint32_t n_arrays) {
  RaceBlock *block = race->spare;
  if (block)
    race->spare = block->next;
  else
    block = block_new(race, arrays, n_arrays, shared);
  if (!block)
    return NULL;
  for (uint32_t i = 0; i < n_arrays; i++)
    block->shadows[i].info.base = shared + arrays[i].base;
  block->number = (uint32_t)linear;
  block->start = race_tick(race);
  block->has_released = false;
  block->settled = 0;
  race_quick_start(block);
  race_set_whole(block, race->nothing, block->start);
  block->next = race->running;
  race->running = block;
  return block;
}

static void set_eternal(Race *race, uint32_t number) {
  while (number >= race->eternal_capacity) {
    uint32_t before = race->eternal_capacity;
    if (!race_reserve(race, &race->eternal, before, &race->eternal_capacity, 1))
      return;
    memset(race->eternal + before, 0, race->eternal_capacity - before);
  }
  race->eternal[number] = 1;
}

void race_block_end(RaceBlock *block) {
  if (!block)
    return;
  Race *race = block->race;
  RaceBlock **link = &race->running;
  while (*link != block)
    link = &(*link)->next;
  *link = block->next;
  drop_threads(block);
  for (uint32_t i = 0; i < block->n_shadows; i++)
    block->shadows[i].info.base = UINT64_MAX; // holds nothing: see find()
  if (!block->has_released)
    set_eternal(race, block->number);
  block->next = race->spare;
  race->spare = block;
}

// ----------------------------------------------------------------- names

// The site's own array, unless it is shared memory: its base is relative.
static const RaceArray *array_at(const RaceBlock *block, const RaceSite *site,
                                 uint64_t address) {
  const RaceArray *own = site ? site->array : NULL;
  if (own && address - own->base < own->size_bytes)
    return own;
  const RaceShadow *shadow = race_shadow_find(block, address, 1);
  return shadow ? &shadow->info : NULL;
}

typedef struct {
  char *text;
  size_t size, length;
} Out;

__attribute__((format(printf, 2, 3))) static void
race_report_add(Out *out, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n =
      vsnprintf(out->text + out->length, out->size - out->length, format, args);
  va_end(args);
  if (n > 0)
    out->length += (size_t)n;
  if (out->length >= out->size)
    out->length = out->size - 1;
}

// From the largest stride down, each index is what goes into the rest.
static void name_indices(const RaceArray *array, int64_t element, Out *out) {
  for (uint32_t i = 0; i < array->rank; i++) {
    int64_t stride = array->strides[i] > 0 ? array->strides[i] : 1;
    int64_t index = element / stride;
    if (array->extents[i] > 0 && i > 0 && index >= array->extents[i])
      index = array->extents[i] - 1;
    element -= index * stride;
    race_report_add(out, "[%" PRId64 "]", index);
  }
}

void race_name_element(const RaceBlock *block, const RaceSite *site,
                       uint64_t address, char *text, size_t size) {
  Out out = {text, size, 0};
  const RaceArray *array = array_at(block, site, address);
  if (!array) {
    race_report_add(&out, "address 0x%" PRIx64, address);
    return;
  }
  uint64_t offset = address - array->base;
  uint32_t bytes = array->element_bytes ? array->element_bytes : 1;
  race_report_add(&out, "%s", array->name);
  name_indices(array, (int64_t)(offset / bytes), &out);
  if (offset % bytes)
    race_report_add(&out, " (byte %" PRIu64 ")", offset % bytes);
}

static void name_block(const Race *race, uint32_t block, Out *out) {
  const int32_t *grid = race->grid;
  uint32_t x = (uint32_t)(grid[0] > 0 ? grid[0] : 1);
  uint32_t y = (uint32_t)(grid[1] > 0 ? grid[1] : 1);
  race_report_add(out, "block (%u, %u, %u)", block % x, block / x % y,
                  block / x / y);
}

static void name_who(const Race *race, uint32_t block, uint32_t who, Out *out) {
  const int32_t *dim = race->block_dim;
  if (race->config.is_of_tiles) {
    name_block(race, block, out);
    return;
  }
  if (who >= race->config.n_threads) {
    race_report_add(out, "an asynchronous copy");
  } else if (dim[1] > 1 || dim[2] > 1) {
    uint32_t w = (uint32_t)dim[0], h = (uint32_t)dim[1];
    race_report_add(out, "thread %" PRIu32 " (%u, %u, %u)", who, who % w,
                    who / w % h, who / w / h);
  } else {
    race_report_add(out, "thread %" PRIu32, who);
  }
  race_report_add(out, " of ");
  name_block(race, block, out);
}

void race_name_thread_of(const Race *race, uint32_t block, uint32_t thread,
                         char *text, size_t size) {
  Out out = {text, size, 0};
  name_who(race, block, thread, &out);
}

void race_name_thread(const RaceBlock *block, uint32_t thread, char *text,
                      size_t size) {
  race_name_thread_of(block->race, block->number, thread, text, size);
}

// --------------------------------------------------------------- reports

static const char *verb(const RaceShadow *shadow, uint32_t kind) {
  if (shadow->info.marks_barrier)
    return kind & RACE_WRITES ? "initialises" : "uses";
  if (kind & RACE_RMW)
    return "updates atomically";
  if (kind & RACE_ATOMIC)
    return kind & RACE_WRITES ? "writes atomically" : "reads atomically";
  return kind & RACE_WRITES ? "writes" : "reads";
}

static const RaceSite *site_of(const Race *race, uint32_t number) {
  return &race->config.sites[number < race->config.n_sites ? number : 0];
}

// Sites at one place (of repeated code) are told once.
static uint64_t place_key(const Race *race, uint32_t site) {
  uint64_t address = (uint64_t)(uintptr_t)site_of(race, site)->place;
  return (address ^ address >> 29) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool is_told(const Race *race, uint64_t key) {
  for (uint32_t i = 0; i < race->n_texts; i++)
    if (race->texts[i].key == key)
      return true;
  return false;
}

enum { MAX_EXCERPTS_BYTES = 4096 };

void race_add_report(Race *race, uint64_t key, const char *text) {
  race->n_found++;
  if (race->n_texts >= race->config.max_reports || is_told(race, key) ||
      !race_reserve(race, &race->texts, race->n_texts, &race->text_capacity,
                    sizeof(RaceText)))
    return;
  size_t size = strlen(text) + MAX_EXCERPTS_BYTES;
  char *copy = race_alloc(race, size);
  if (!copy)
    return;
  race_add_excerpts(text, copy, size);
  race->texts[race->n_texts++] = (RaceText){key, copy};
}

bool race_has_report(const Race *race, uint64_t key) {
  return is_told(race, key);
}

static bool is_worth_telling(Race *race, uint64_t key) {
  if (race->n_texts < race->config.max_reports && !is_told(race, key))
    return true;
  race->n_found++;
  return false;
}

static void add_end(const Race *race, const RaceEpoch *epoch, Out *out) {
  race_report_add(out, "  ");
  name_block(race, epoch->block, out);
  race_report_add(out, " ends at %s\n", site_of(race, epoch->site)->place);
}

static void add_access(const RaceBlock *block, const RaceShadow *shadow,
                       const RaceEpoch *epoch, uint64_t address, Out *out) {
  const Race *race = block->race;
  if (site_of(race, epoch->site)->ends) {
    add_end(race, epoch, out);
    return;
  }
  char element[256];
  race_name_element(block, site_of(race, epoch->site), address, element,
                    sizeof element);
  race_report_add(out, "  ");
  name_who(race, epoch->block, epoch->who, out);
  race_report_add(out, " %s %s at %s\n", verb(shadow, epoch->kind), element,
                  site_of(race, epoch->site)->place);
}

// Why what looks ordered isn't, or a plain statement.
static const char *race_report_reason(const Race *race, const RaceEpoch *before,
                                      const RaceEpoch *now) {
  uint32_t both = before->kind & now->kind;
  if ((both & RACE_ATOMIC) && before->block != now->block)
    return "an atomic of block scope is atomic only within its block";
  if ((now->kind & RACE_ASYNC) && !(before->kind & RACE_ASYNC))
    return "nothing orders them for the copy engine: use a barrier, and "
           "fence_async() after the write";
  if ((before->kind | now->kind) & RACE_ASYNC)
    return "the copy is not waited for by both, or not passed on by a barrier";
  if (race->config.is_of_tiles)
    return before->block != now->block
               ? "nothing orders these two blocks"
               : "nothing says which of the two elements of the tile is stored "
                 "last";
  if (before->block != now->block)
    return "nothing orders threads of these two blocks";
  return "no barrier of a group with both threads lies between them";
}

static void race_report_add_race(const RaceShadow *shadow, const RaceSite *site,
                                 uint32_t both, bool ends, Out *out) {
  const char *name = shadow->info.name;
  race_report_add(out, "%s: error[HD0601]: ", site->place);
  if (ends)
    race_report_add(
        out, "a block may end while another block uses its shared %s '%s'\n",
        shadow->info.marks_barrier ? "mbarrier" : "array", name);
  else if (!shadow->info.marks_barrier)
    race_report_add(out, "data race on %s array '%s'\n", shadow->info.space,
                    name);
  else if (both & RACE_WRITES)
    race_report_add(out, "mbarrier '%s' is initialised by several threads\n",
                    name);
  else
    race_report_add(out, "mbarrier '%s' may be used before it is initialised\n",
                    name);
}

void race_found(RaceBlock *block, const RaceShadow *shadow, uint64_t address,
                const RaceEpoch *before, const RaceEpoch *now) {
  Race *race = block->race;
  uint64_t key = place_key(race, before->site) + place_key(race, now->site);
  if (!is_worth_telling(race, key))
    return;
  char text[2048];
  Out out = {text, sizeof text, 0};
  const RaceSite *sites[2] = {site_of(race, before->site),
                              site_of(race, now->site)};
  race_report_add_race(shadow, sites[1], before->kind & now->kind,
                       sites[0]->ends || sites[1]->ends, &out);
  add_access(block, shadow, before, address, &out);
  add_access(block, shadow, now, address, &out);
  race_report_add(&out, "  %s\n", race_report_reason(race, before, now));
  race_add_report(race, key, text);
}

void race_found_empty(RaceBlock *block, const RaceShadow *shadow,
                      uint64_t address, const RaceEpoch *now) {
  Race *race = block->race;
  uint64_t key = place_key(race, now->site) ^ 1;
  if (!is_worth_telling(race, key))
    return;
  char text[1024];
  Out out = {text, sizeof text, 0};
  const char *place = site_of(race, now->site)->place;
  if (shadow->info.marks_barrier)
    race_report_add(
        &out, "%s: error[HD0602]: nothing has initialised mbarrier '%s'\n",
        place, shadow->info.name);
  else
    race_report_add(&out,
                    "%s: error[HD0602]: an element of %s array '%s' is read "
                    "before it is written\n",
                    place, shadow->info.space, shadow->info.name);
  add_access(block, shadow, now, address, &out);
  if (!shadow->info.marks_barrier)
    race_report_add(
        &out,
        "  shared memory holds no particular values when a block starts\n");
  race_add_report(race, key, text);
}

uint32_t race_n_reports(const Race *race) {
  return race->n_texts;
}

uint64_t race_n_found(const Race *race) {
  return race->n_found;
}

const char *race_report(const Race *race, uint32_t number) {
  return number < race->n_texts ? race->texts[number].text : NULL;
}
