// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"

#include "base/panic.h"
#include "base/rescue.h"
#include <string.h>

static uint32_t next_capacity(uint32_t capacity, uint32_t needed) {
#ifdef HD_STRESS
  // By one, so that elements move at every push; old storage stays in the
  // arena, so not for ever.
  uint64_t larger = capacity < 64 ? needed : (uint64_t)capacity / 4 * 5;
#else
  uint64_t larger = capacity < 4 ? 8 : (uint64_t)capacity * 2;
#endif
  return larger < needed ? needed : (uint32_t)larger;
}

void vec_grow(Arena *arena, void *data, uint32_t count, uint32_t *capacity,
              uint32_t needed, size_t element_bytes) {
  HD_ASSERT(count <= *capacity && needed > *capacity && element_bytes > 0);
  if (needed > UINT32_C(1) << 31)
    rescue_out_of_memory();
  uint32_t grown = next_capacity(*capacity, needed);
  void *old;
  memcpy(&old, data, sizeof(old));
  size_t size_bytes;
  if (__builtin_mul_overflow(grown, element_bytes, &size_bytes))
    rescue_out_of_memory();
  void *storage = arena_grow(arena, old, *capacity * element_bytes,
                             count * element_bytes, size_bytes);
  memcpy(data, &storage, sizeof(storage));
  *capacity = grown;
}
