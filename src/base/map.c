// SPDX-License-Identifier: Apache-2.0
#include "base/map.h"

#include "base/rescue.h"

// Open addressing with linear probing, at most three quarters full.
struct MapSlot {
  uint64_t key;
  void *value;
  bool is_used;
};

enum { FIRST_CAPACITY = 8 };

// Keys are often pointers: spread their few varying bits over the word.
static uint64_t map_mix(uint64_t key) {
  key ^= key >> 32;
  key *= UINT64_C(0xd6e8feb86659fd93);
  key ^= key >> 32;
  key *= UINT64_C(0xd6e8feb86659fd93);
  key ^= key >> 32;
#ifdef HD_STRESS
  key = (key & 7) * UINT64_C(0x9E3779B97F4A7C15); // collisions everywhere
#endif
  return key;
}

// The slot of `key`, or the empty one where it belongs. Needs a free slot.
static struct MapSlot *find_slot(const Map *map, uint64_t key) {
  uint32_t mask = map->capacity - 1;
  uint32_t at = (uint32_t)map_mix(key) & mask;
  while (map->slots[at].is_used && map->slots[at].key != key)
    at = (at + 1) & mask;
  return &map->slots[at];
}

void *map_get(const Map *map, uint64_t key) {
  return map->capacity ? find_slot(map, key)->value : NULL;
}

bool map_has(const Map *map, uint64_t key) {
  return map->capacity && find_slot(map, key)->is_used;
}

static void map_grow(Arena *arena, Map *map) {
  if (map->capacity > UINT32_MAX / 4)
    rescue_out_of_memory();
  Map grown = {.capacity = map->capacity ? map->capacity * 2 : FIRST_CAPACITY,
               .count = map->count};
  grown.slots = ARENA_ARRAY(arena, struct MapSlot, grown.capacity);
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->slots[i].is_used)
      *find_slot(&grown, map->slots[i].key) = map->slots[i];
  *map = grown;
}

void map_put(Arena *arena, Map *map, uint64_t key, void *value) {
  if (map->count >= map->capacity / 4 * 3)
    map_grow(arena, map);
  struct MapSlot *slot = find_slot(map, key);
  map->count += slot->is_used ? 0 : 1;
  *slot = (struct MapSlot){.key = key, .value = value, .is_used = true};
}
