// SPDX-License-Identifier: Apache-2.0
#include "base/intern.h"

#include "base/map.h"
#include "base/panic.h"
#include <string.h>

typedef struct {
  const char *text; // NULL: empty slot
  size_t length;
  uint64_t hash;
} InternSlot;

struct Interner {
  Arena *arena;
  InternSlot *slots; // open addressing, linear probing
  uint32_t count;
  uint32_t capacity; // a power of two
};

enum { FIRST_CAPACITY = 256 };

Interner *intern_new(Arena *arena) {
  Interner *interner = ARENA_NEW(arena, Interner);
  interner->arena = arena;
  interner->capacity = FIRST_CAPACITY;
  interner->slots = ARENA_ARRAY(arena, InternSlot, FIRST_CAPACITY);
  return interner;
}

static bool slot_holds(const InternSlot *slot, uint64_t hash, const char *text,
                       size_t length) {
  return slot->hash == hash && slot->length == length &&
         memcmp(slot->text, text, length) == 0;
}

static void intern_grow(Interner *interner) {
  if (interner->capacity > UINT32_MAX / 4)
    HD_PANIC("more than 2^30 names");
  uint32_t capacity = interner->capacity * 2;
  InternSlot *slots = ARENA_ARRAY(interner->arena, InternSlot, capacity);
  for (uint32_t i = 0; i < interner->capacity; i++) {
    if (!interner->slots[i].text)
      continue;
    uint32_t at = (uint32_t)interner->slots[i].hash & (capacity - 1);
    while (slots[at].text)
      at = (at + 1) & (capacity - 1);
    slots[at] = interner->slots[i];
  }
  interner->slots = slots;
  interner->capacity = capacity;
}

const char *intern_text(Interner *interner, const char *text, size_t length) {
  uint64_t hash = hash_bytes(text, length);
  uint32_t mask = interner->capacity - 1;
  uint32_t at = (uint32_t)hash & mask;
  for (; interner->slots[at].text; at = (at + 1) & mask)
    if (slot_holds(&interner->slots[at], hash, text, length))
      return interner->slots[at].text;
  const char *copy = arena_strndup(interner->arena, text, length);
  interner->slots[at] = (InternSlot){copy, length, hash};
  if (++interner->count >= interner->capacity / 4 * 3)
    intern_grow(interner);
  return copy;
}

const char *intern_cstr(Interner *interner, const char *text) {
  return intern_text(interner, text, strlen(text));
}
