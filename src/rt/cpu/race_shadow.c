// SPDX-License-Identifier: Apache-2.0
// Shadow memory: a cell for every few bytes of every array, mapped whole and
// filled by the system as it is touched.
#include "rt/cpu/race_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const uint64_t huge_bytes = UINT64_C(8) << 20;

static uint32_t log2_of(uint32_t value) {
  uint32_t log2 = 0;
  while (log2 < 3 && (2u << log2) <= value)
    log2++;
  return log2;
}

static bool map_cells(Race *race, RaceShadow *shadow) {
  uint64_t size = UINT64_C(1) << shadow->cell_log2;
  shadow->n_cells = (shadow->info.size_bytes + size - 1) / size;
  shadow->mapped_bytes = (shadow->n_cells + 1) * sizeof(RaceCell);
  void *memory = mmap(NULL, shadow->mapped_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    race->failed = true;
    shadow->cells = NULL;
    shadow->mapped_bytes = 0;
    return false;
  }
  if (shadow->mapped_bytes >= huge_bytes) // fewer faults
    madvise(memory, shadow->mapped_bytes, MADV_HUGEPAGE);
  shadow->cells = memory;
  return true;
}

bool race_shadow_open(Race *race, RaceShadow *shadow, const RaceArray *array,
                      uint64_t base, RaceBlock *owner) {
  *shadow = (RaceShadow){.info = *array, .owner = owner};
  shadow->info.base = base;
  shadow->cell_log2 = log2_of(array->cell_bytes);
  return map_cells(race, shadow);
}

void race_shadow_close(Race *race, RaceShadow *shadow) {
  (void)race;
  if (shadow->cells)
    munmap(shadow->cells, shadow->mapped_bytes);
  shadow->cells = NULL;
}

int32_t race_add_array(Race *race, const RaceArray *array) {
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

static bool is_inside(const RaceShadow *shadow, uint64_t address,
                      uint64_t size_bytes) {
  uint64_t offset = address - shadow->info.base;
  return address >= shadow->info.base && offset < shadow->info.size_bytes &&
         size_bytes <= shadow->info.size_bytes - offset;
}

static RaceShadow *find_in(RaceShadow *shadows, uint32_t count,
                           uint64_t address, uint64_t size_bytes) {
  for (uint32_t i = 0; i < count; i++)
    if (is_inside(&shadows[i], address, size_bytes))
      return &shadows[i];
  return NULL;
}

RaceShadow *race_shadow_find(const RaceBlock *block, uint64_t address,
                             uint64_t size_bytes) {
  Race *race = block->race;
  RaceShadow *found =
      find_in(block->shadows, block->n_shadows, address, size_bytes);
  if (!found)
    found = find_in(race->shadows, race->n_shadows, address, size_bytes);
  for (RaceBlock *b = race->running; b && !found; b = b->next)
    found = find_in(b->shadows, b->n_shadows, address, size_bytes);
  return found;
}

// ---------------------------------------------------------------- refine

// Each cell becomes several with the same history.
bool race_shadow_refine(Race *race, RaceShadow *shadow, uint32_t cell_log2) {
  RaceShadow old = *shadow;
  if (cell_log2 >= old.cell_log2)
    return true;
  shadow->cell_log2 = cell_log2;
  if (!map_cells(race, shadow)) {
    *shadow = old;
    return false;
  }
  uint64_t times = UINT64_C(1) << (old.cell_log2 - cell_log2);
  for (uint64_t i = 0; i < shadow->n_cells; i++) {
    const RaceCell *from = &old.cells[i / times];
    if (from->write.clock == 0 && from->other.clock == 0 && !from->sync)
      continue;
    shadow->cells[i] = *from;
    if (i % times != 0) // one list has one cell: the first
      shadow->cells[i].records = 0;
  }
  race_shadow_close(race, &old);
  return true;
}

// --------------------------------------------------------------- records

static void grow_records(Race *race) {
  if (race->n_records == 0)
    race->n_records = 1; // 0 is none
}

uint32_t race_record_new(Race *race) {
  uint32_t number = race->free_record;
  if (number) {
    race->free_record = race->records[number].next;
  } else {
    grow_records(race);
    if (!race_reserve(race, &race->records, race->n_records,
                      &race->record_capacity, sizeof(RaceRecord)))
      return 0;
    number = race->n_records++;
  }
  race->records[number] = (RaceRecord){0};
  return number;
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
