// SPDX-License-Identifier: Apache-2.0
// Open touches, each kind once, and sets of them.
#include "check/prove/race.h"
#include <string.h>

struct OpenTable {
  Arena *arena;
  hd_vec(OpenTouch *) touches;
  Map by_hash; // -> Chain
};

typedef struct Chain {
  const OpenTouch *touch;
  struct Chain *next;
} Chain;

OpenTable *open_table_new(Arena *arena) {
  OpenTable *table = ARENA_NEW(arena, OpenTable);
  *table = (OpenTable){.arena = arena};
  return table;
}

static uint64_t touch_hash(const OpenTouch *touch) {
  uint64_t key[4] = {
      touch->step->id, touch->turns, touch->extra ? touch->extra->id + 1 : 0,
      (uint64_t)touch->entered << 40 | (uint64_t)touch->turn << 32 |
          (uint64_t)touch->sets << 16 | touch->arrived};
  return hash_bytes(key, sizeof key);
}

static bool touch_equal(const OpenTouch *a, const OpenTouch *b) {
  return a->step == b->step && a->turns == b->turns && a->extra == b->extra &&
         a->sets == b->sets && a->arrived == b->arrived &&
         a->entered == b->entered && a->turn == b->turn;
}

const OpenTouch *open_intern(OpenTable *table, const OpenTouch *model) {
  uint64_t hash = touch_hash(model);
  Chain *head = map_get(&table->by_hash, hash);
  for (Chain *c = head; c; c = c->next) {
    if (touch_equal(c->touch, model))
      return c->touch;
  }
  OpenTouch *touch = ARENA_NEW(table->arena, OpenTouch);
  *touch = *model;
  touch->id = table->touches.count;
  VEC_PUSH(table->arena, &table->touches, touch);
  Chain *chain = ARENA_NEW(table->arena, Chain);
  *chain = (Chain){.touch = touch, .next = head};
  map_put(table->arena, &table->by_hash, hash, chain);
  return touch;
}

const OpenTouch *open_get(const OpenTable *table, uint32_t id) {
  return table->touches.data[id];
}

static void open_reserve(OpenTable *table, Open *open, uint32_t n_words) {
  if (n_words <= open->n_words)
    return;
  uint32_t capacity = n_words + n_words / 2 + 2;
  uint64_t *words = ARENA_ARRAY(table->arena, uint64_t, capacity);
  memset(words, 0, capacity * sizeof *words);
  if (open->n_words)
    memcpy(words, open->words, open->n_words * sizeof *words);
  *open = (Open){.words = words, .n_words = capacity};
}

void open_add(OpenTable *table, Open *open, uint32_t id) {
  open_reserve(table, open, id / 64 + 1);
  open->words[id / 64] |= 1ull << (id % 64);
}

bool open_has(const Open *open, uint32_t id) {
  return id / 64 < open->n_words && (open->words[id / 64] >> (id % 64) & 1);
}

Open open_copy(OpenTable *table, const Open *open) {
  Open copy = {0};
  open_unite(table, &copy, open);
  return copy;
}

// Room is kept for what comes, but not copied: else it would grow with each
// copy of a copy.
bool open_unite(OpenTable *table, Open *open, const Open *other) {
  uint32_t n_words = other->n_words;
  while (n_words > 0 && !other->words[n_words - 1])
    n_words--;
  open_reserve(table, open, n_words);
  bool is_new = false;
  for (uint32_t i = 0; i < n_words; i++) {
    is_new |= (other->words[i] & ~open->words[i]) != 0;
    open->words[i] |= other->words[i];
  }
  return is_new;
}

uint32_t open_next(const Open *open, uint32_t from) {
  for (uint32_t i = from / 64; i < open->n_words; i++) {
    uint64_t word = open->words[i];
    if (i == from / 64)
      word &= ~0ull << (from % 64);
    if (word)
      return i * 64 + (uint32_t)__builtin_ctzll(word);
  }
  return UINT32_MAX;
}

TurnState open_turn(const OpenTouch *touch, uint32_t depth) {
  if (depth >= TURN_LOOPS)
    return TURN_ANY;
  return (TurnState)(touch->turns >> (depth * TURN_BITS) &
                     ((1u << TURN_BITS) - 1));
}

uint64_t open_with_turn(uint64_t turns, uint32_t depth, TurnState state) {
  if (depth >= TURN_LOOPS)
    return turns;
  uint64_t mask = ((1ull << TURN_BITS) - 1) << (depth * TURN_BITS);
  return (turns & ~mask) | (uint64_t)state << (depth * TURN_BITS);
}
