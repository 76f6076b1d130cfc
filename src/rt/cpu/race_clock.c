// SPDX-License-Identifier: Apache-2.0
// What threads know of each other, and the events that make it known.
//
// Note [Floors]
// After a barrier of a whole block every thread knows every other up to now, so
// one number replaces the clocks. Time is one counter for all blocks, so the
// floor of a grid barrier is one number for the launch. Only barriers of parts
// of a block need clocks by thread, and agents always have their own: a barrier
// does not make a pending copy known.
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

void race_release_memory(Race *race, void *memory, uint64_t bytes) {
  if (!memory)
    return;
  race->n_bytes -= bytes;
  free(memory);
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

RaceKnow *race_know_new(Race *race) {
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
  know->has_clocks = false;
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
  know->next_free = race->free_knows;
  race->free_knows = know;
}

static uint64_t slots_bytes(const Race *race, const RaceKnow *know) {
  uint64_t n = race->config.n_agents;
  n += know->has_clocks ? race->config.n_threads : 0;
  return n * sizeof(uint32_t);
}

RaceKnow *race_know_copy(Race *race, const RaceKnow *from) {
  RaceKnow *know = race_know_new(race);
  if (know == race->nothing)
    return know;
  know->floor = from->floor;
  know->has_clocks = from->has_clocks;
  memcpy(know->slots, from->slots, slots_bytes(race, from));
  know->proxy = race_know_keep(from->proxy);
  for (uint32_t i = 0; i < from->n_others; i++) {
    if (!race_reserve(race, &know->others, know->n_others,
                      &know->others_capacity, sizeof(RaceOther)))
      break;
    know->others[know->n_others] = from->others[i];
    race_know_keep(know->others[know->n_others++].know);
  }
  return know;
}

static void need_clocks(Race *race, RaceKnow *know) {
  if (know->has_clocks)
    return;
  know->has_clocks = true;
  memset(race_know_clocks(race, know), 0,
         race->config.n_threads * sizeof(uint32_t));
}

static uint32_t max_u32(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

// The part about one block.
static void join_block(Race *race, RaceKnow *into, const RaceKnow *from) {
  into->floor = max_u32(into->floor, from->floor);
  for (uint32_t i = 0; i < race->config.n_agents; i++)
    into->slots[i] = max_u32(into->slots[i], from->slots[i]);
  if (!from->has_clocks)
    return;
  need_clocks(race, into);
  const uint32_t *theirs = from->slots + race->config.n_agents;
  uint32_t *mine = race_know_clocks(race, into);
  for (uint32_t i = 0; i < race->config.n_threads; i++)
    mine[i] = max_u32(mine[i], theirs[i]);
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

static void join_proxy(Race *race, RaceKnow *into, uint32_t block,
                       RaceKnow *from, uint32_t from_block) {
  if (!from || from == into->proxy)
    return;
  RaceKnow *joined =
      into->proxy ? race_know_copy(race, into->proxy) : race_know_new(race);
  race_know_join(race, joined, block, from, from_block);
  race_know_drop(race, into->proxy);
  into->proxy = joined;
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
  join_proxy(race, into, block, from->proxy, from_block);
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

bool race_know_holds(const Race *race, const RaceKnow *know, uint32_t block,
                     const RaceEpoch *epoch) {
  if (epoch->clock <= race->grid_floor && epoch->who < race->config.n_threads)
    return true;
  if (epoch->block == block)
    return holds_in_block(race, know, epoch);
  uint32_t at = find_other(know, epoch->block);
  return at < know->n_others && know->others[at].block == epoch->block &&
         holds_in_block(race, know->others[at].know, epoch);
}

// ---------------------------------------------------------------- events

uint32_t race_tick(Race *race) {
  if (race->time == UINT32_MAX)
    race->failed = true; // four thousand million barriers
  else
    race->time++;
  return race->time;
}

static void set_know(Race *race, RaceThread *thread, RaceKnow *know) {
  race_know_keep(know);
  race_know_drop(race, thread->know);
  thread->know = know;
}

RaceKnow *race_know_own(RaceBlock *block, uint32_t thread) {
  Race *race = block->race;
  RaceThread *t = &block->threads[thread];
  RaceKnow *know = race_know_copy(race, t->know);
  if (know == race->nothing)
    return know;
  need_clocks(race, know);
  uint32_t *clocks = race_know_clocks(race, know);
  clocks[thread] = max_u32(clocks[thread], t->clock);
  return know;
}

static bool is_member(const uint32_t *members, uint32_t thread) {
  return !members || (members[thread / 32] >> thread % 32 & 1);
}

// Members mostly share what they know: each is joined once in a row.
static RaceKnow *join_members(RaceBlock *block, const uint32_t *members,
                              uint32_t first, uint32_t end) {
  Race *race = block->race;
  RaceKnow *joined = NULL;
  const RaceKnow *last = NULL;
  for (uint32_t i = first; i < end; i++) {
    RaceKnow *theirs = block->threads[i].know;
    if (!is_member(members, i) || theirs == last)
      continue;
    if (!joined)
      joined = race_know_copy(race, theirs);
    else
      race_know_join(race, joined, block->number, theirs, block->number);
    last = theirs;
  }
  return joined;
}

static bool is_whole_warp(const RaceBlock *block, const uint32_t *members,
                          uint32_t thread) {
  uint32_t left = block->race->config.n_threads - thread / 32 * 32;
  uint32_t all = left >= 32 ? UINT32_MAX : (1u << left) - 1;
  return (members[thread / 32] & all) == all;
}

static void give_to_members(RaceBlock *block, const uint32_t *members,
                            RaceKnow *know, uint32_t first, uint32_t end) {
  uint32_t clock = race_tick(block->race);
  for (uint32_t i = first; i < end; i++) {
    if (!is_member(members, i))
      continue;
    set_know(block->race, &block->threads[i], know);
    block->threads[i].clock = clock;
    block->warps[i / 32] =
        (RaceWarp){know, clock, !members || is_whole_warp(block, members, i)};
  }
}

static void sync_range(RaceBlock *block, const uint32_t *members,
                       uint32_t first, uint32_t end) {
  Race *race = block->race;
  RaceKnow *joined = join_members(block, members, first, end);
  if (!joined || joined == race->nothing) {
    race_know_drop(race, joined);
    return;
  }
  if (!members) {
    joined->floor = race->time;
    joined->has_clocks = false;
  } else {
    need_clocks(race, joined);
    uint32_t *clocks = race_know_clocks(race, joined);
    for (uint32_t i = first; i < end; i++)
      if (is_member(members, i))
        clocks[i] = max_u32(clocks[i], block->threads[i].clock);
  }
  give_to_members(block, members, joined, first, end);
  race_know_drop(race, joined);
}

void race_sync(RaceBlock *block, const uint32_t *members) {
  sync_range(block, members, 0, block->race->config.n_threads);
}

void race_sync_warp(RaceBlock *block, uint32_t warp, uint32_t mask) {
  uint32_t n_threads = block->race->config.n_threads, first = warp * 32;
  uint32_t end = n_threads - first < 32 ? n_threads : first + 32;
  uint32_t words[32] = {0}; // a block has at most 1024 threads
  words[warp] = mask;
  if ((mask & (mask - 1)) != 0) // one thread alone syncs nothing
    sync_range(block, words, first, end);
}

// Everybody knows all that the blocks did until now.
static void sync_blocks(RaceBlock *const *blocks, uint32_t n_blocks) {
  Race *race = blocks[0]->race;
  uint32_t now = race->time;
  RaceKnow *all = race_know_new(race); // agents of the first block's view
  for (uint32_t i = 0; i < n_blocks; i++) {
    RaceBlock *block = blocks[i];
    block->has_released = true;
    RaceKnow *own = join_members(block, NULL, 0, race->config.n_threads);
    own->floor = now;
    own->has_clocks = false;
    race_know_join(race, all, blocks[0]->number, own, block->number);
    race_know_drop(race, own);
  }
  for (uint32_t i = 0; i < n_blocks; i++) {
    RaceKnow *view = race_know_new(race);
    race_know_join(race, view, blocks[i]->number, all, blocks[0]->number);
    view->floor = now;
    give_to_members(blocks[i], NULL, view, 0, race->config.n_threads);
    race_know_drop(race, view);
  }
  race_know_drop(race, all);
}

void race_sync_cluster(RaceBlock *const *blocks, uint32_t n_blocks) {
  if (n_blocks == 1)
    race_sync(blocks[0], NULL);
  else if (n_blocks > 0)
    sync_blocks(blocks, n_blocks);
}

void race_sync_grid(RaceBlock *const *blocks, uint32_t n_blocks) {
  if (n_blocks == 0)
    return;
  Race *race = blocks[0]->race;
  uint32_t now = race->time;
  if (race->config.n_agents > 0) { // copies are known one by one
    race_sync_cluster(blocks, n_blocks);
  } else {
    uint32_t clock = race_tick(race);
    for (uint32_t i = 0; i < n_blocks; i++)
      for (uint32_t k = 0; k < race->config.n_threads; k++) {
        blocks[i]->threads[k].clock = clock;
        blocks[i]->warps[k / 32].clock = clock;
      }
  }
  race->grid_floor = now;
}

// -------------------------------------------------- release and acquire

void race_sync_add(RaceBlock *block, RaceKnow *own, RaceSync *sync) {
  Race *race = block->race;
  if (!sync->know) {
    *sync = (RaceSync){race_know_keep(own), block->number};
    return;
  }
  RaceKnow *joined = race_know_copy(race, sync->know);
  race_know_join(race, joined, sync->block, own, block->number);
  race_know_drop(race, sync->know);
  sync->know = joined;
}

void race_release(RaceBlock *block, uint32_t thread, RaceSync *sync) {
  block->has_released = true;
  block->warps[thread / 32].is_same = false;
  RaceKnow *own = race_know_own(block, thread);
  race_sync_add(block, own, sync);
  race_know_drop(block->race, own);
  block->threads[thread].clock = race_tick(block->race);
}

void race_acquire(RaceBlock *block, uint32_t thread, const RaceSync *sync) {
  Race *race = block->race;
  RaceThread *t = &block->threads[thread];
  if (!sync->know || sync->know == t->know)
    return;
  block->warps[thread / 32].is_same = false;
  RaceKnow *joined = race_know_copy(race, t->know);
  race_know_join(race, joined, block->number, sync->know, sync->block);
  race_know_drop(race, t->know);
  t->know = joined;
}

void race_sync_join(RaceBlock *block, RaceSync *into, const RaceSync *from) {
  Race *race = block->race;
  RaceKnow *joined =
      into->know ? race_know_copy(race, into->know) : race_know_new(race);
  uint32_t number = into->know ? into->block : block->number;
  race_know_join(race, joined, number, from->know, from->block);
  race_know_drop(race, into->know);
  *into = (RaceSync){joined, number};
}

void race_sync_clear(Race *race, RaceSync *sync) {
  race_know_drop(race, sync->know);
  *sync = (RaceSync){0};
}

static uint32_t lanes_knowing(const RaceBlock *block, uint32_t warp,
                              uint32_t mask, const RaceKnow *know) {
  uint32_t same = 0;
  for (uint32_t todo = mask; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    if (block->threads[warp * 32 + lane].know == know)
      same |= 1u << lane;
  }
  return same;
}

static uint32_t all_lanes(const RaceBlock *block, uint32_t warp) {
  uint32_t left = block->race->config.n_threads - warp * 32;
  return left >= 32 ? UINT32_MAX : (1u << left) - 1;
}

void race_release_warp(RaceBlock *block, uint32_t warp, uint32_t mask,
                       RaceSync *sync) {
  Race *race = block->race;
  RaceThread *lanes = &block->threads[warp * 32];
  block->has_released = true;
  for (uint32_t todo = mask; todo;) {
    RaceKnow *know = lanes[__builtin_ctz(todo)].know;
    uint32_t same = lanes_knowing(block, warp, todo, know);
    RaceKnow *own = race_know_copy(race, know);
    todo &= ~same;
    if (own != race->nothing) {
      need_clocks(race, own);
      uint32_t *clocks = race_know_clocks(race, own) + warp * 32;
      for (; same; same &= same - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(same);
        clocks[lane] = max_u32(clocks[lane], lanes[lane].clock);
      }
      race_sync_add(block, own, sync);
    }
    race_know_drop(race, own);
  }
  uint32_t clock = race_tick(race);
  for (uint32_t todo = mask; todo; todo &= todo - 1)
    lanes[__builtin_ctz(todo)].clock = clock;
  block->warps[warp].is_same &= mask == all_lanes(block, warp);
  block->warps[warp].clock = clock;
}

void race_acquire_warp(RaceBlock *block, uint32_t warp, uint32_t mask,
                       const RaceSync *sync) {
  Race *race = block->race;
  RaceThread *lanes = &block->threads[warp * 32];
  bool is_whole = mask == all_lanes(block, warp);
  if (!sync->know)
    return;
  for (uint32_t todo = mask; todo;) {
    RaceKnow *know = lanes[__builtin_ctz(todo)].know;
    uint32_t same = lanes_knowing(block, warp, todo, know);
    RaceKnow *joined = race_know_copy(race, know);
    race_know_join(race, joined, block->number, sync->know, sync->block);
    block->warps[warp].is_same &= is_whole && same == mask;
    block->warps[warp].know = joined;
    todo &= ~same;
    for (; same; same &= same - 1)
      set_know(race, &lanes[__builtin_ctz(same)], joined);
    race_know_drop(race, joined);
  }
}

uint32_t race_agent_clock(Race *race) {
  return race_tick(race);
}

void race_agent_release(RaceBlock *block, uint32_t agent, uint32_t clock,
                        RaceSync *sync) {
  Race *race = block->race;
  if (agent >= race->config.n_agents)
    return;
  RaceKnow *know = race_know_new(race);
  if (know != race->nothing)
    know->slots[agent] = clock;
  race_sync_add(block, know, sync);
  race_know_drop(race, know);
}

void race_agent_known(RaceBlock *block, uint32_t thread, uint32_t agent,
                      uint32_t clock) {
  Race *race = block->race;
  RaceThread *t = &block->threads[thread];
  if (agent >= race->config.n_agents || t->know->slots[agent] >= clock)
    return;
  block->warps[thread / 32].is_same = false;
  RaceKnow *know = race_know_copy(race, t->know);
  if (know != race->nothing)
    know->slots[agent] = clock;
  race_know_drop(race, t->know);
  t->know = know;
}

void race_fence(RaceBlock *block, uint32_t warp, uint32_t mask) {
  Race *race = block->race;
  block->warps[warp].is_same = false;
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t thread = warp * 32 + lane;
    if (!(mask >> lane & 1) || thread >= race->config.n_threads)
      continue;
    RaceThread *t = &block->threads[thread];
    race_acquire(block, thread, &t->fence_acquire);
    race_sync_clear(race, &t->fence_acquire);
    race_know_drop(race, t->fence_release);
    t->fence_release = race_know_own(block, thread);
    block->has_released = true;
    t->clock = race_tick(race);
  }
}

void race_fence_async(RaceBlock *block, uint32_t warp, uint32_t mask) {
  Race *race = block->race;
  block->warps[warp].is_same = false;
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t thread = warp * 32 + lane;
    if (!(mask >> lane & 1) || thread >= race->config.n_threads)
      continue;
    RaceThread *t = &block->threads[thread];
    RaceKnow *own = race_know_own(block, thread);
    RaceKnow *know = race_know_copy(race, t->know);
    if (know != race->nothing) {
      race_know_drop(race, own->proxy);
      own->proxy = NULL;
      race_know_drop(race, know->proxy);
      know->proxy = race_know_keep(own);
    }
    race_know_drop(race, own);
    race_know_drop(race, t->know);
    t->know = know;
    t->clock = race_tick(race);
  }
}
