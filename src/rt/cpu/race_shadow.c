// SPDX-License-Identifier: Apache-2.0
// Shadow memory: a chunk for every 32 cells of every array, mapped whole and
// filled by the system as it is touched.
#include "rt/cpu/race_parts.h"

#include "base/bits.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Large arrays take large pages: fewer faults.
static const uint64_t huge_bytes = UINT64_C(2) << 20;

// Cells have at most 8 bytes.
static uint32_t cell_log2_of(uint32_t value) {
  uint32_t log2 = bits_log2(value | 1);
  return log2 < 3 ? log2 : 3;
}

// ---------------------------------------------------------------- memory

// Zeroed; NULL: there is none. `bytes` are whole pages. From half a large page
// on it begins at one.
static char *map_memory(uint64_t bytes) {
  bool is_large = bytes >= huge_bytes / 2;
  uint64_t more = is_large ? huge_bytes : 0;
  char *memory = mmap(NULL, bytes + more, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  if (!is_large)
    return memory;
  uint64_t before = -(uint64_t)(uintptr_t)memory & (huge_bytes - 1);
  if (before > 0)
    munmap(memory, before);
  if (before < more)
    munmap(memory + before + bytes, more - before);
  return memory + before;
}

// Pages cost more than what is written to them, so launches that follow each
// other keep theirs.
static char *take_kept(RaceMemory *kept, uint64_t bytes) {
  for (uint32_t i = 0; kept && i < kept->count; i++) {
    char *memory = kept->maps[i].memory;
    if (kept->maps[i].bytes != bytes)
      continue;
    kept->bytes -= bytes;
    kept->count--;
    memmove(&kept->maps[i], &kept->maps[i + 1],
            (kept->count - i) * sizeof kept->maps[0]);
    return memory;
  }
  return NULL;
}

static void drop_oldest(RaceMemory *kept) {
  RaceMap *oldest = &kept->maps[0];
  kept->bytes -= oldest->bytes;
  munmap(oldest->memory, oldest->bytes);
  kept->count--;
  memmove(oldest, oldest + 1, kept->count * sizeof *oldest);
}

static void give_back(RaceMemory *kept, char *memory, uint64_t bytes) {
  if (!kept || bytes > RACE_KEPT_BYTES) {
    munmap(memory, bytes);
    return;
  }
  while (kept->count == RACE_KEPT_MAPS || kept->bytes + bytes > RACE_KEPT_BYTES)
    drop_oldest(kept);
  kept->maps[kept->count++] = (RaceMap){memory, bytes};
  kept->bytes += bytes;
}

void race_memory_fini(RaceMemory *kept) {
  while (kept->count > 0)
    drop_oldest(kept);
}

static uint64_t whole_pages(uint64_t bytes) {
  uint64_t page = bytes >= huge_bytes / 2 ? huge_bytes : 4096;
  return bits_align_up(bytes, page);
}

// Chunks, and behind them what most of them never need, which isn't looked at
// before it is written.
static bool map_chunks(Race *race, RaceShadow *shadow) {
  uint64_t size = UINT64_C(1) << (shadow->cell_log2 + RACE_CHUNK_LOG2);
  shadow->n_chunks = (shadow->info.size_bytes + size - 1) / size;
  uint64_t n = shadow->n_chunks + 1;
  uint64_t chunk_bytes = whole_pages(n * sizeof(RaceChunk));
  shadow->mapped_bytes = chunk_bytes + whole_pages(n * sizeof(RaceFar));
  char *memory = take_kept(race->config.memory, shadow->mapped_bytes);
  if (memory) {
    memset(memory, 0, n * sizeof(RaceChunk));
  } else {
    memory = map_memory(shadow->mapped_bytes);
    if (memory && chunk_bytes >= huge_bytes)
      madvise(memory, chunk_bytes, MADV_HUGEPAGE);
  }
  race->failed |= memory == NULL;
  shadow->chunks = (RaceChunk *)(void *)memory;
  shadow->far = (RaceFar *)(void *)(memory ? memory + chunk_bytes : NULL);
  return memory != NULL;
}

bool race_shadow_open(Race *race, RaceShadow *shadow, const RaceArray *array,
                      uint64_t base, RaceBlock *owner) {
  *shadow = (RaceShadow){.info = *array, .owner = owner};
  shadow->info.base = base;
  shadow->cell_log2 = cell_log2_of(array->cell_bytes);
  return map_chunks(race, shadow) && race_quick_open(race, shadow);
}

void race_shadow_close(Race *race, RaceShadow *shadow) {
  if (shadow->chunks)
    give_back(race->config.memory, (char *)shadow->chunks,
              shadow->mapped_bytes);
  shadow->chunks = NULL;
  race_quick_close(shadow);
}

int32_t race_add_array(Race *race, const RaceArray *array) {
  for (uint32_t i = 0; i < race->config.n_sites; i++)
    race->sites[i] = (RaceSiteState){0}; // they may move
  if (!race_reserve(race, &race->shadows, race->n_shadows,
                    &race->shadow_capacity, sizeof(RaceShadow)))
    return -1;
  uint32_t at = race->n_shadows;
  while (at > 0 && race->shadows[at - 1].info.base > array->base)
    at--;
  memmove(race->shadows + at + 1, race->shadows + at,
          (race->n_shadows - at) * sizeof(RaceShadow));
  if (!race_shadow_open(race, &race->shadows[at], array, array->base, NULL)) {
    memmove(race->shadows + at, race->shadows + at + 1,
            (race->n_shadows - at) * sizeof(RaceShadow));
    return -1;
  }
  return (int32_t)race->n_shadows++;
}

// ------------------------------------------------------------------ find

static bool race_shadow_is_inside(const RaceShadow *shadow, uint64_t address,
                                  uint64_t size_bytes) {
  uint64_t offset = address - shadow->info.base;
  return address >= shadow->info.base && offset < shadow->info.size_bytes &&
         size_bytes <= shadow->info.size_bytes - offset;
}

static RaceShadow *race_shadow_find_in(RaceShadow *shadows, uint32_t count,
                                       uint64_t address, uint64_t size_bytes) {
  for (uint32_t i = 0; i < count; i++)
    if (race_shadow_is_inside(&shadows[i], address, size_bytes))
      return &shadows[i];
  return NULL;
}

RaceShadow *race_shadow_find(const RaceBlock *block, uint64_t address,
                             uint64_t size_bytes) {
  Race *race = block->race;
  RaceShadow *found = race_shadow_find_in(block->shadows, block->n_shadows,
                                          address, size_bytes);
  if (!found)
    found = race_shadow_find_in(race->shadows, race->n_shadows, address,
                                size_bytes);
  for (RaceBlock *b = race->running; b && !found; b = b->next)
    found = race_shadow_find_in(b->shadows, b->n_shadows, address, size_bytes);
  return found;
}

RaceShadow *race_site_find(const RaceBlock *block, const RaceSite *site,
                           uint64_t address, uint64_t size_bytes) {
  RaceSiteState *state = &block->race->sites[site - block->race->config.sites];
  RaceShadow *shadow = race_shadow_find(block, address, size_bytes);
  state->last = shadow;
  state->is_plain = shadow && !(site->kind & ~(uint32_t)RACE_WRITES) &&
                    !shadow->owner && !shadow->info.is_never_written &&
                    !shadow->info.starts_empty;
  return shadow;
}

// ---------------------------------------------------------------- refine

static uint32_t copy_records(Race *race, uint32_t from) {
  uint32_t first = 0, last = 0;
  uint64_t bytes = (race->config.n_threads + 31) / 32 * sizeof(uint32_t);
  for (; from; from = race->records[from].next) {
    uint32_t copy = race_record_new(race), members = 0;
    if (!copy)
      break;
    if (race->records[from].members)
      members = race_bitmap_new(race);
    race->records[copy] = race->records[from];
    race->records[copy].next = 0;
    race->records[copy].members = members;
    if (members)
      memcpy(race_bitmap(race, members),
             race_bitmap(race, race->records[from].members), bytes);
    if (last)
      race->records[last].next = copy;
    else
      first = copy;
    last = copy;
  }
  return first;
}

// Cell `i` of the old ones becomes several with the same history.
static bool spread_cell(Race *race, RaceShadow *shadow, const RaceCell *from,
                        uint64_t i, uint64_t times) {
  for (uint64_t k = 0; k < times; k++) {
    uint64_t at = i * times + k;
    RaceCell *to = race_chunk_cells(race, shadow, at / RACE_CHUNK);
    if (!to)
      return false;
    to += at % RACE_CHUNK;
    *to = *from;
    if (k > 0)
      to->records = copy_records(race, from->records);
    race_chunk_touch(race, &shadow->chunks[at / RACE_CHUNK],
                     UINT32_C(1) << at % RACE_CHUNK);
  }
  return true;
}

static bool spread_chunk(Race *race, RaceShadow *shadow, RaceShadow *old,
                         uint64_t index, uint64_t times) {
  if (!race_chunk_cells(race, old, index))
    return false;
  uint32_t number = old->chunks[index].cells;
  uint64_t n_cells = shadow->n_chunks * RACE_CHUNK;
  bool is_good = true;
  for (uint32_t k = 0; k < RACE_CHUNK && is_good; k++) {
    RaceCell cell = race->cells[number].of[k]; // it moves when there are more
    uint64_t i = index * RACE_CHUNK + k;
    if ((cell.write.clock || cell.other.clock || cell.sync) &&
        (i + 1) * times <= n_cells)
      is_good = spread_cell(race, shadow, &cell, i, times);
  }
  race_cells_free(race, number);
  return is_good;
}

bool race_shadow_refine(Race *race, RaceShadow *shadow, uint32_t cell_log2) {
  if (cell_log2 >= shadow->cell_log2)
    return true;
  race_quick_forbid(shadow);
  RaceShadow old = *shadow;
  shadow->cell_log2 = cell_log2;
  if (!map_chunks(race, shadow)) {
    *shadow = old;
    return false;
  }
  uint64_t times = UINT64_C(1) << (old.cell_log2 - cell_log2);
  bool is_good = true;
  for (uint64_t i = 0; i < old.n_chunks && is_good; i++)
    if (old.chunks[i].n > 0 || old.chunks[i].cells)
      is_good = spread_chunk(race, shadow, &old, i, times);
  race_shadow_close(race, &old);
  return is_good;
}

// --------------------------------------------------------------- records

// The next of a growing array, 0 is none; 0: memory is out.
static uint32_t next_number(Race *race, void *data, uint32_t *count,
                            uint32_t *capacity, uint64_t element_bytes) {
  if (*count == 0)
    *count = 1;
  if (!race_reserve(race, data, *count, capacity, element_bytes))
    return 0;
  return (*count)++;
}

uint32_t race_record_new(Race *race) {
  uint32_t number = race->free_record;
  if (number)
    race->free_record = race->records[number].next;
  else
    number = next_number(race, &race->records, &race->n_records,
                         &race->record_capacity, sizeof(RaceRecord));
  if (number)
    race->records[number] = (RaceRecord){0};
  return number;
}

uint32_t race_cells_new(Race *race) {
  uint32_t number = race->free_cells;
  if (race->n_cells > RACE_MAX_CELLS) {
    race->failed = true;
    return 0;
  }
  if (number)
    race->free_cells = race->cells[number].of[0].records;
  else
    number = next_number(race, &race->cells, &race->n_cells,
                         &race->cells_capacity, sizeof(RaceCells));
  if (number)
    memset(&race->cells[number], 0, sizeof(RaceCells));
  return number;
}

void race_cells_free(Race *race, uint32_t number) {
  race->cells[number].of[0].records = race->free_cells;
  race->free_cells = number;
}

uint32_t race_lanes_new(Race *race) {
  uint32_t number = race->free_lanes;
  if (number)
    race->free_lanes = race->lanes[number].of[0];
  else
    number = next_number(race, &race->lanes, &race->n_lanes,
                         &race->lanes_capacity, sizeof(RaceLanes));
  if (number)
    memset(&race->lanes[number], 0, sizeof(RaceLanes));
  return number;
}

void race_lanes_free(Race *race, uint32_t number) {
  race->lanes[number].of[0] = race->free_lanes;
  race->free_lanes = number;
}

uint32_t race_bitmap_new(Race *race) {
  uint32_t words = (race->config.n_threads + 31) / 32;
  uint32_t number = race->free_bitmap;
  if (number) {
    race->free_bitmap = *race_bitmap(race, number);
  } else {
    if (race->n_bitmaps == 0)
      race->n_bitmaps = 1;
    if (!race_reserve(race, &race->bitmaps, race->n_bitmaps,
                      &race->bitmap_capacity, words * sizeof(uint32_t)))
      return 0;
    number = race->n_bitmaps++;
  }
  memset(race_bitmap(race, number), 0, words * sizeof(uint32_t));
  return number;
}

void race_records_free(Race *race, RaceCell *cell) {
  uint32_t number = cell->records;
  cell->records = 0;
  cell->has_plain = cell->has_narrow = cell->has_writes = false;
  while (number) {
    RaceRecord *record = &race->records[number];
    uint32_t next = record->next;
    if (record->members) {
      *race_bitmap(race, record->members) = race->free_bitmap;
      race->free_bitmap = record->members;
    }
    record->next = race->free_record;
    race->free_record = number;
    number = next;
  }
}
