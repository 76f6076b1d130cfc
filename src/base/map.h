// SPDX-License-Identifier: Apache-2.0
// Hash maps from 64-bit keys (pointers of interned strings and nodes, ids) to
// pointers, whose storage lives in an arena. There is no iteration: the order
// would differ from run to run. Keep a vector beside the map where one is
// needed. Also the hashes of bytes that the whole compiler uses.
#ifndef HD_BASE_MAP_H
#define HD_BASE_MAP_H

#include "base/arena.h"
#include <stdbool.h>

// Zero-initialise, then use. `arena` is passed to every call that may grow.
typedef struct {
  struct MapSlot *slots;
  uint32_t count;
  uint32_t capacity;
} Map;

// The value stored for `key`, or NULL.
void *map_get(const Map *map, uint64_t key);
bool map_has(const Map *map, uint64_t key);
// Replaces a value that is there already.
void map_put(Arena *arena, Map *map, uint64_t key, void *value);

#define MAP_KEY(pointer) ((uint64_t)(uintptr_t)(pointer))

// 64-bit hash of bytes (XXH3); one of eight in the stress build.
uint64_t hash_bytes(const void *data, size_t size_bytes);
// The same hash in every build, for those who compare it in place of the bytes:
// other bytes have the same one by a chance of 2^-64.
uint64_t fingerprint_bytes(const void *data, size_t size_bytes);

// 128-bit content hash for cache keys; the same in every build.
typedef struct {
  uint64_t low, high;
} Hash128;

typedef struct HashState HashState;
HashState *hash_new(void);
void hash_free(HashState *state);
void hash_add(HashState *state, const void *data, size_t size_bytes);
// Adds the length too, so that ("ab","c") and ("a","bc") differ.
void hash_add_text(HashState *state, const char *text);
void hash_add_u64(HashState *state, uint64_t value);
Hash128 hash_result(const HashState *state);

#endif
