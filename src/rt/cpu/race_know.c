// SPDX-License-Identifier: Apache-2.0
// What is known of threads and agents, as values: made, copied, joined, asked.
#include "rt/cpu/race_parts.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- memory

void *race_alloc(Race *race, uint64_t bytes) {
  void *memory = calloc(bytes ? bytes : 1, 1);
  if (!memory)
    race->failed = true;
  else
    race->n_bytes += bytes;
  return memory;
}

bool race_reserve(Race *race, void *data, uint32_t count, uint32_t *capacity,
                  uint64_t element_bytes) {
  if (count < *capacity)
    return true;
  void *old;
  memcpy(&old, data, sizeof old);
  uint64_t grown = *capacity ? (uint64_t)*capacity * 2 : 16;
  if (grown > UINT32_MAX)
    grown = 0;
  void *memory = grown ? realloc(old, grown * element_bytes) : NULL;
  if (!memory) {
    race->failed = true;
    return false;
  }
  race->n_bytes += (grown - *capacity) * element_bytes;
  memcpy(data, &memory, sizeof memory);
  *capacity = (uint32_t)grown;
  return true;
}

// ----------------------------------------------------------------- knows

static uint64_t know_bytes(const Race *race) {
  uint64_t n_slots = (uint64_t)race->config.n_agents + race->config.n_threads;
  return sizeof(RaceKnow) + n_slots * sizeof(uint32_t);
}

// But for its slots.
static RaceKnow *know_alone(Race *race) {
  RaceKnow *know = race->free_knows;
  if (know)
    race->free_knows = know->next_free;
  else
    know = race_alloc(race, know_bytes(race));
  if (!know)
    return race_know_keep(race->nothing); // failed: results are incomplete
  know->refs = 1;
  know->floor = 0;
  know->n_others = 0;
  know->proxy = NULL;
  know->causes = NULL;
  know->fenced = know->seen = know->base = NULL;
  know->has_clocks = false;
  return know;
}

RaceKnow *race_know_new(Race *race) {
  RaceKnow *know = know_alone(race);
  if (know && know != race->nothing)
    memset(know->slots, 0, race->config.n_agents * sizeof(uint32_t));
  return know;
}

RaceKnow *race_know_keep(RaceKnow *know) {
  if (know)
    know->refs++;
  return know;
}

static void drop_others(Race *race, RaceKnow *know) {
  for (uint32_t i = 0; i < know->n_others; i++)
    race_know_drop(race, know->others[i].know);
  know->n_others = 0;
}

void race_know_drop(Race *race, RaceKnow *know) {
  if (!know || --know->refs > 0)
    return;
  drop_others(race, know);
  race_know_drop(race, know->proxy);
  know->proxy = NULL;
  race_know_drop(race, know->causes);
  know->causes = NULL;
  race_know_drop(race, know->fenced);
  race_know_drop(race, know->seen);
  race_know_drop(race, know->base);
  know->fenced = know->seen = know->base = NULL;
  know->next_free = race->free_knows;
  race->free_knows = know;
}

static uint64_t slots_bytes(const Race *race, const RaceKnow *know) {
  uint64_t n = race->config.n_agents;
  n += know->has_clocks ? race->config.n_threads : 0;
  return n * sizeof(uint32_t);
}

RaceKnow *race_know_copy(Race *race, const RaceKnow *from) {
  RaceKnow *know = know_alone(race);
  if (know == race->nothing)
    return know;
  know->floor = from->floor;
  know->has_clocks = from->has_clocks;
  memcpy(know->slots, from->slots, slots_bytes(race, from));
  know->proxy = race_know_keep(from->proxy);
  know->causes = race_know_keep(from->causes);
  know->fenced = race_know_keep(from->fenced);
  know->seen = race_know_keep(from->seen);
  for (uint32_t i = 0; i < from->n_others; i++) {
    if (!race_reserve(race, &know->others, know->n_others,
                      &know->others_capacity, sizeof(RaceOther)))
      break;
    know->others[know->n_others] = from->others[i];
    race_know_keep(know->others[know->n_others++].know);
  }
  return know;
}

void race_know_need_clocks(Race *race, RaceKnow *know) {
  if (know->has_clocks)
    return;
  know->has_clocks = true;
  memset(race_know_clocks(race, know), 0,
         race->config.n_threads * sizeof(uint32_t));
}

static uint32_t race_know_max_u32(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static inline uint32_t later(uint32_t a, uint32_t b) {
  return (int32_t)a > (int32_t)b ? a : b; // no clock is beyond RACE_LAST_TIME
}

// In parts of a constant size, which compilers vectorise.
__attribute__((always_inline)) static inline void
raise_parts(uint32_t *restrict into, const uint32_t *restrict from,
            uint32_t n) {
  enum { PART = 16 };

  for (; n >= PART; n -= PART, into += PART, from += PART)
    for (int k = 0; k < PART; k++)
      into[k] = later(into[k], from[k]);
  for (uint32_t k = 0; k < n; k++)
    into[k] = later(into[k], from[k]);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void
raise_parts_avx2(uint32_t *restrict into, const uint32_t *restrict from,
                 uint32_t n) {
  raise_parts(into, from, n);
}
#endif

static void raise_slots(uint32_t *restrict into, const uint32_t *restrict from,
                        uint32_t n) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    raise_parts_avx2(into, from, n);
    return;
  }
#endif
  raise_parts(into, from, n);
}

// The part about one block.
static void join_block(Race *race, RaceKnow *into, const RaceKnow *from) {
  uint32_t n_agents = race->config.n_agents;
  if (into == from)
    return;
  into->floor = race_know_max_u32(into->floor, from->floor);
  raise_slots(into->slots, from->slots, n_agents);
  if (!from->has_clocks)
    return;
  race_know_need_clocks(race, into);
  raise_slots(race_know_clocks(race, into), from->slots + n_agents,
              race->config.n_threads);
}

static uint32_t find_other(const RaceKnow *know, uint32_t block) {
  uint32_t low = 0, high = know->n_others;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (know->others[middle].block < block)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void join_other(Race *race, RaceKnow *into, uint32_t block,
                       RaceKnow *from) {
  uint32_t at = find_other(into, block);
  if (at < into->n_others && into->others[at].block == block) {
    if (into->others[at].know == from)
      return;
    RaceKnow *joined = race_know_copy(race, into->others[at].know);
    if (joined != race->nothing)
      join_block(race, joined, from);
    race_know_drop(race, into->others[at].know);
    into->others[at].know = joined;
    return;
  }
  if (!race_reserve(race, &into->others, into->n_others, &into->others_capacity,
                    sizeof(RaceOther)))
    return;
  memmove(into->others + at + 1, into->others + at,
          (into->n_others - at) * sizeof(RaceOther));
  into->others[at] = (RaceOther){block, race_know_keep(from)};
  into->n_others++;
}

void race_know_add(Race *race, RaceKnow **into, uint32_t block,
                   const RaceKnow *from, uint32_t from_block) {
  if (!from || from == *into)
    return;
  RaceKnow *joined = *into ? race_know_copy(race, *into) : race_know_new(race);
  race_know_join(race, joined, block, from, from_block);
  race_know_drop(race, *into);
  *into = joined;
}

RaceKnow *race_know_plain(Race *race, const RaceKnow *know) {
  RaceKnow *copy = race_know_copy(race, know);
  if (copy == race->nothing)
    return copy;
  RaceKnow **parts[] = {&copy->causes, &copy->proxy, &copy->fenced,
                        &copy->seen};
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    race_know_drop(race, *parts[i]);
    *parts[i] = NULL;
  }
  return copy;
}

void race_know_add_causes(Race *race, RaceKnow *into, uint32_t block,
                          const RaceKnow *from, uint32_t from_block) {
  if (into == race->nothing)
    return;
  RaceKnow *joined = race_know_plain(race, into->causes ? into->causes : into);
  race_know_join(race, joined, block, from->causes ? from->causes : from,
                 from_block);
  race_know_drop(race, into->causes);
  into->causes = joined;
}

void race_know_cover(Race *race, RaceKnow *know) {
  if (!know->causes)
    return;
  RaceKnow *causes = race_know_plain(race, know->causes);
  if (causes != race->nothing)
    join_block(race, causes, know);
  race_know_drop(race, know->causes);
  know->causes = causes;
}

void race_know_join(Race *race, RaceKnow *into, uint32_t block,
                    const RaceKnow *from, uint32_t from_block) {
  if (into == from || into == race->nothing)
    return;
  if (block == from_block) {
    join_block(race, into, from);
  } else {
    // Only the own part of an entry counts, so the whole may stand for it.
    RaceKnow *shared = race_know_copy(race, from);
    join_other(race, into, from_block, shared);
    race_know_drop(race, shared);
  }
  for (uint32_t i = 0; i < from->n_others; i++) {
    if (from->others[i].block == block)
      join_block(race, into, from->others[i].know);
    else
      join_other(race, into, from->others[i].block, from->others[i].know);
  }
  race_know_add(race, &into->proxy, block, from->proxy, from_block);
  race_know_add(race, &into->fenced, block, from->fenced, from_block);
  race_know_add(race, &into->seen, block, from->seen, from_block);
  if ((into->causes || from->causes) && into->causes != from->causes)
    race_know_add_causes(race, into, block, from, from_block);
}

static bool holds_in_block(const Race *race, const RaceKnow *know,
                           const RaceEpoch *epoch) {
  uint32_t n_threads = race->config.n_threads;
  if (epoch->who >= n_threads)
    return know->slots[epoch->who - n_threads] >= epoch->clock;
  if (epoch->clock <= know->floor)
    return true;
  const uint32_t *clocks = know->slots + race->config.n_agents;
  return know->has_clocks && clocks[epoch->who] >= epoch->clock;
}

const RaceKnow *race_know_about(const RaceKnow *know, uint32_t block,
                                uint32_t other) {
  if (other == block)
    return know;
  uint32_t at = find_other(know, other);
  bool is_there = at < know->n_others && know->others[at].block == other;
  return is_there ? know->others[at].know : NULL;
}

uint32_t race_lanes_reaching(const Race *race, const RaceKnow *about,
                             uint32_t warp, uint32_t lanes, uint32_t clock) {
  const uint32_t *clocks = about->slots + race->config.n_agents + warp * 32;
  uint32_t reaching = 0;
  if (lanes == UINT32_MAX) {
    uint32_t n_less = 0;
    for (uint32_t k = 0; k < 32; k++)
      n_less += clocks[k] < clock;
    if (n_less == 0)
      return lanes;
  }
  for (; lanes; lanes &= lanes - 1)
    reaching |= clocks[__builtin_ctz(lanes)] >= clock ? lanes & -lanes : 0;
  return reaching;
}

bool race_know_holds(const Race *race, const RaceKnow *know, uint32_t block,
                     const RaceEpoch *epoch) {
  if (epoch->clock <= race->grid_floor && epoch->who < race->config.n_threads)
    return true;
  const RaceKnow *about = race_know_about(know, block, epoch->block);
  return about && holds_in_block(race, about, epoch);
}
