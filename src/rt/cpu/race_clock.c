// SPDX-License-Identifier: Apache-2.0
// The events that make threads known to each other.
//
// Note [Floors]
// After a barrier of a whole block every thread knows every other up to now, so
// one number replaces the clocks. Time is one counter for all blocks, so the
// floor of a grid barrier is one number for the launch. Only barriers of parts
// of a block need clocks by thread, and agents always have their own: a barrier
// does not make a pending copy known.
//
// Note [Shared views]
// After a barrier all its threads know the same, at the same clock. This is
// written down once for the block, or once for each whole warp, and only when
// one thread learns or releases something alone is it copied to the warp's
// threads (race_split). So a barrier of a block costs the same for 32 threads
// and for 1024, and a warp's access is compared once.
#include "rt/cpu/race_parts.h"

#include "base/bits.h"

static uint32_t max_u32(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

// ----------------------------------------------------------------- views

static uint32_t n_warps(const RaceBlock *block) {
  return (block->race->config.n_threads + 31) / 32;
}

uint32_t race_all_lanes(const RaceBlock *block, uint32_t warp) {
  uint32_t left = block->race->config.n_threads - warp * 32;
  return left >= 32 ? UINT32_MAX : (1u << left) - 1;
}

static void race_clock_set_view(Race *race, RaceView *view, RaceKnow *know,
                                uint32_t clock) {
  race_know_keep(know);
  if (view->is_same)
    race_know_drop(race, view->know);
  *view = (RaceView){know, clock, true};
}

static void clear_view(Race *race, RaceView *view) {
  if (view->is_same)
    race_know_drop(race, view->know);
  *view = (RaceView){0};
}

static void race_clock_set_know(Race *race, RaceThread *thread,
                                RaceKnow *know) {
  race_know_keep(know);
  race_know_drop(race, thread->know);
  thread->know = know;
}

// The threads of a warp hold nothing.
static void clear_threads(RaceBlock *block, uint32_t warp) {
  RaceThread *lanes = &block->threads[warp * 32];
  for (uint32_t todo = race_all_lanes(block, warp); todo; todo &= todo - 1)
    race_clock_set_know(block->race, &lanes[__builtin_ctz(todo)], NULL);
}

void race_set_whole(RaceBlock *block, RaceKnow *know, uint32_t clock) {
  Race *race = block->race;
  bool was_whole = block->whole.is_same;
  race_clock_set_view(race, &block->whole, know, clock);
  for (uint32_t i = 0; i < n_warps(block) && !was_whole; i++) {
    if (!block->warps[i].is_same)
      clear_threads(block, i);
    clear_view(race, &block->warps[i]);
  }
  race_quick_interval(block);
}

static void split_block(RaceBlock *block) {
  Race *race = block->race;
  if (!block->whole.is_same)
    return;
  if (block->quick.is_on)
    race_quick_leave(block);
  for (uint32_t i = 0; i < n_warps(block); i++)
    race_clock_set_view(race, &block->warps[i], block->whole.know,
                        block->whole.clock);
  clear_view(race, &block->whole);
}

static void set_warp(RaceBlock *block, uint32_t warp, RaceKnow *know,
                     uint32_t clock) {
  split_block(block);
  if (!block->warps[warp].is_same)
    clear_threads(block, warp);
  race_clock_set_view(block->race, &block->warps[warp], know, clock);
}

void race_split(RaceBlock *block, uint32_t warp) {
  split_block(block);
  RaceView *view = &block->warps[warp];
  RaceThread *lanes = &block->threads[warp * 32];
  if (!view->is_same)
    return;
  for (uint32_t todo = race_all_lanes(block, warp); todo; todo &= todo - 1) {
    RaceThread *t = &lanes[__builtin_ctz(todo)];
    race_clock_set_know(block->race, t, view->know);
    t->clock = view->clock;
  }
  clear_view(block->race, view);
}

// Of some lanes of a warp.
static void set_lanes(RaceBlock *block, uint32_t warp, uint32_t mask,
                      RaceKnow *know, uint32_t clock) {
  if (mask == race_all_lanes(block, warp)) {
    set_warp(block, warp, know, clock);
    return;
  }
  race_split(block, warp);
  for (; mask; mask &= mask - 1) {
    RaceThread *t = &block->threads[warp * 32 + (uint32_t)__builtin_ctz(mask)];
    race_clock_set_know(block->race, t, know);
    t->clock = clock;
  }
}

// Those of `mask` that know the same as its first, at any clock.
static uint32_t lanes_knowing(const RaceBlock *block, uint32_t warp,
                              uint32_t mask, const RaceKnow *know) {
  if (block->whole.is_same || block->warps[warp].is_same)
    return mask;
  uint32_t same = 0;
  for (uint32_t todo = mask; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    if (block->threads[warp * 32 + lane].know == know)
      same |= 1u << lane;
  }
  return same;
}

// ---------------------------------------------------------------- events

uint32_t race_tick(Race *race) {
  if (race->time == RACE_LAST_TIME)
    race->failed = true; // two thousand million barriers
  else
    race->time++;
  return race->time;
}

RaceKnow *race_know_own(RaceBlock *block, uint32_t thread) {
  Race *race = block->race;
  RaceView view = race_view(block, thread);
  RaceKnow *know = race_know_copy(race, view.know);
  if (know == race->nothing)
    return know;
  race_know_need_clocks(race, know);
  uint32_t *clocks = race_know_clocks(race, know);
  clocks[thread] = max_u32(clocks[thread], view.clock);
  race_know_cover(race, know);
  return know;
}

// Members of a barrier: a word for each warp; NULL: all.
static uint32_t members_of(const RaceBlock *block, const uint32_t *members,
                           uint32_t warp) {
  uint32_t all = race_all_lanes(block, warp);
  return members ? members[warp] & all : all;
}

// Adds what a member knows, if `last` was added before it. Members mostly know
// the same, or the same but for one agent each.
static void join_member(RaceBlock *block, RaceKnow *joined,
                        const RaceKnow *theirs, const RaceKnow *last) {
  const RaceKnow *base = theirs->base;
  if (base && (base == last || base == last->base) && !joined->causes)
    joined->slots[theirs->more] =
        max_u32(joined->slots[theirs->more], theirs->slots[theirs->more]);
  else
    race_know_join(block->race, joined, block->number, theirs, block->number);
}

// Members mostly share what they know: each is joined once in a row.
static RaceKnow *join_members(RaceBlock *block, const uint32_t *members) {
  Race *race = block->race;
  RaceKnow *joined = NULL;
  const RaceKnow *last = NULL;
  for (uint32_t warp = 0; warp < n_warps(block); warp++) {
    uint32_t todo = members_of(block, members, warp);
    while (todo) {
      uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(todo);
      RaceKnow *theirs = race_view(block, thread).know;
      todo &=
          theirs->base ? todo - 1 : ~lanes_knowing(block, warp, todo, theirs);
      if (theirs == last)
        continue;
      if (!joined)
        joined = race_know_copy(race, theirs);
      else if (joined != race->nothing)
        join_member(block, joined, theirs, last);
      last = theirs;
    }
    if (!members && block->whole.is_same)
      break;
  }
  return joined;
}

// Its members' own past.
static void race_clock_add_members(RaceBlock *block, const uint32_t *members,
                                   RaceKnow *know) {
  race_know_need_clocks(block->race, know);
  uint32_t *clocks = race_know_clocks(block->race, know);
  for (uint32_t warp = 0; warp < n_warps(block); warp++)
    for (uint32_t todo = members[warp]; todo; todo &= todo - 1) {
      uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(todo);
      if (thread < block->race->config.n_threads)
        clocks[thread] =
            max_u32(clocks[thread], race_view(block, thread).clock);
    }
  race_know_cover(block->race, know);
}

static void sync_all(RaceBlock *block) {
  Race *race = block->race;
  RaceKnow *joined = join_members(block, NULL);
  if (joined != race->nothing) {
    joined->floor = race->time;
    joined->has_clocks = false;
    race_know_cover(race, joined);
    block->settled = race->time;
    race_set_whole(block, joined, race_tick(race));
  }
  race_know_drop(race, joined);
}

void race_sync(RaceBlock *block, const uint32_t *members) {
  if (!members) {
    sync_all(block);
    return;
  }
  Race *race = block->race;
  RaceKnow *joined = join_members(block, members);
  if (joined && joined != race->nothing) {
    race_clock_add_members(block, members, joined);
    uint32_t clock = race_tick(race);
    for (uint32_t warp = 0; warp < n_warps(block); warp++) {
      uint32_t mask = members_of(block, members, warp);
      if (mask)
        set_lanes(block, warp, mask, joined, clock);
    }
  }
  race_know_drop(race, joined);
}

void race_sync_warp(RaceBlock *block, uint32_t warp, uint32_t mask) {
  uint32_t words[32] = {0}; // a block has at most 1024 threads
  words[warp] = mask;
  if (bits_has_several(mask)) // one thread alone syncs nothing
    race_sync(block, words);
}

// Everybody knows all that the blocks did until now.
static void sync_blocks(RaceBlock *const *blocks, uint32_t n_blocks) {
  Race *race = blocks[0]->race;
  uint32_t now = race->time;
  RaceKnow *all = race_know_new(race); // agents of the first block's view
  for (uint32_t i = 0; i < n_blocks; i++) {
    RaceBlock *block = blocks[i];
    block->has_released = true;
    RaceKnow *own = join_members(block, NULL);
    own->floor = now;
    own->has_clocks = false;
    race_know_cover(race, own);
    race_know_join(race, all, blocks[0]->number, own, block->number);
    race_know_drop(race, own);
  }
  for (uint32_t i = 0; i < n_blocks; i++) {
    RaceKnow *view = race_know_new(race);
    race_know_join(race, view, blocks[i]->number, all, blocks[0]->number);
    view->floor = now;
    race_know_cover(race, view);
    blocks[i]->settled = now;
    race_set_whole(blocks[i], view, race_tick(race));
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
  for (uint32_t i = 0; i < n_blocks; i++)
    blocks[i]->has_released = true;
  if (race->config.n_agents > 0) { // copies are known one by one
    race_sync_cluster(blocks, n_blocks);
  } else { // the launch's floor says it all
    uint32_t clock = race_tick(race);
    for (uint32_t i = 0; i < n_blocks; i++)
      race_set_whole(blocks[i], race->nothing, clock);
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
  race_split(block, thread / 32);
  RaceKnow *own = race_know_own(block, thread);
  race_sync_add(block, own, sync);
  race_know_drop(block->race, own);
  block->threads[thread].clock = race_tick(block->race);
}

void race_acquire(RaceBlock *block, uint32_t thread, const RaceSync *sync) {
  Race *race = block->race;
  RaceThread *t = &block->threads[thread];
  if (!sync->know || sync->know == race_view(block, thread).know)
    return;
  race_split(block, thread / 32);
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

// Lanes add what they know, and their own past; what they do next is later.
static void race_clock_add_lanes(RaceBlock *block, uint32_t warp, uint32_t mask,
                                 RaceSync *sync) {
  Race *race = block->race;
  for (uint32_t todo = mask; todo;) {
    uint32_t first = warp * 32 + (uint32_t)__builtin_ctz(todo);
    RaceKnow *know = race_view(block, first).know;
    uint32_t same = lanes_knowing(block, warp, todo, know);
    RaceKnow *own = race_know_copy(race, know);
    todo &= ~same;
    if (own != race->nothing) {
      race_know_need_clocks(race, own);
      uint32_t *clocks = race_know_clocks(race, own);
      for (; same; same &= same - 1) {
        uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(same);
        clocks[thread] =
            max_u32(clocks[thread], race_view(block, thread).clock);
      }
      race_know_cover(race, own);
      race_sync_add(block, own, sync);
    }
    race_know_drop(race, own);
  }
  uint32_t clock = race_tick(race);
  split_block(block);
  if (mask == race_all_lanes(block, warp) && block->warps[warp].is_same) {
    block->warps[warp].clock = clock;
    return;
  }
  race_split(block, warp);
  for (; mask; mask &= mask - 1)
    block->threads[warp * 32 + (uint32_t)__builtin_ctz(mask)].clock = clock;
}

void race_release_warp(RaceBlock *block, uint32_t warp, uint32_t mask,
                       RaceSync *sync) {
  block->has_released = true;
  race_clock_add_lanes(block, warp, mask, sync);
}

// Lanes that share what they know learn it together, each at its own clock:
// all, or only that it has happened.
static void learn_lanes(RaceBlock *block, uint32_t warp, uint32_t mask,
                        const RaceSync *sync, bool is_cause) {
  Race *race = block->race;
  if (!sync->know)
    return;
  while (mask) {
    uint32_t first = warp * 32 + (uint32_t)__builtin_ctz(mask);
    RaceKnow *know = race_view(block, first).know;
    uint32_t same = lanes_knowing(block, warp, mask, know);
    RaceKnow *joined = race_know_copy(race, know);
    if (is_cause)
      race_know_add_causes(race, joined, block->number, sync->know,
                           sync->block);
    else
      race_know_join(race, joined, block->number, sync->know, sync->block);
    mask &= ~same;
    split_block(block);
    if (same == race_all_lanes(block, warp) && block->warps[warp].is_same) {
      set_warp(block, warp, joined, block->warps[warp].clock);
    } else {
      race_split(block, warp);
      for (; same; same &= same - 1)
        race_clock_set_know(
            race, &block->threads[warp * 32 + (uint32_t)__builtin_ctz(same)],
            joined);
    }
    race_know_drop(race, joined);
  }
}

void race_acquire_warp(RaceBlock *block, uint32_t warp, uint32_t mask,
                       const RaceSync *sync) {
  learn_lanes(block, warp, mask, sync, false);
}

void race_meet(RaceBlock *const *blocks, uint32_t n_blocks,
               const uint32_t *members) {
  RaceSync all = {0};
  for (uint32_t i = 0; i < n_blocks; i++)
    for (uint32_t warp = 0; warp < n_warps(blocks[i]); warp++) {
      uint32_t mask = members_of(blocks[i], members, warp);
      if (mask)
        race_clock_add_lanes(blocks[i], warp, mask, &all);
    }
  for (uint32_t i = 0; i < n_blocks; i++)
    for (uint32_t warp = 0; warp < n_warps(blocks[i]); warp++)
      learn_lanes(blocks[i], warp, members_of(blocks[i], members, warp), &all,
                  true);
  if (n_blocks > 0)
    race_sync_clear(blocks[0]->race, &all);
}

void race_meet_warp(RaceBlock *block, uint32_t warp, uint32_t mask) {
  RaceSync all = {0};
  if (!bits_has_several(mask)) // one thread alone meets nobody
    return;
  race_clock_add_lanes(block, warp, mask, &all);
  learn_lanes(block, warp, mask, &all, true);
  race_sync_clear(block->race, &all);
}

void race_sync_cause(RaceBlock *block, RaceSync *sync, const RaceSync *from) {
  Race *race = block->race;
  if (!from->know)
    return;
  RaceKnow *joined =
      sync->know ? race_know_copy(race, sync->know) : race_know_new(race);
  uint32_t number = sync->know ? sync->block : block->number;
  race_know_add_causes(race, joined, number, from->know, from->block);
  race_know_drop(race, sync->know);
  *sync = (RaceSync){joined, number};
}

// What has happened before, as far as is known.
static const RaceKnow *causes_of(const RaceKnow *know) {
  return know->causes ? know->causes : know;
}

// What `about` says of the threads and agents of `number`.
static bool knows_block(const RaceBlock *block, uint32_t thread,
                        const RaceKnow *about, uint32_t number) {
  const Race *race = block->race;
  uint32_t n_agents = race->config.n_agents, n = race->config.n_threads;
  RaceView view = race_view(block, thread);
  for (uint32_t i = 0; i < n + n_agents; i++) {
    uint32_t clock = i >= n              ? about->slots[i - n]
                     : about->has_clocks ? about->slots[n_agents + i]
                                         : 0;
    if (i < n)
      clock = max_u32(clock, about->floor);
    RaceEpoch epoch = race_epoch(number, clock, 0, i);
    bool is_own = number == block->number && i == thread;
    if (clock > 0 && !(is_own && clock <= view.clock) &&
        !race_know_holds(race, causes_of(view.know), block->number, &epoch))
      return false;
  }
  return true;
}

bool race_knows(const RaceBlock *block, uint32_t thread, const RaceSync *sync) {
  const RaceKnow *know = sync->know ? causes_of(sync->know) : NULL;
  bool knows = !know || knows_block(block, thread, know, sync->block);
  for (uint32_t i = 0; knows && know && i < know->n_others; i++)
    knows =
        knows_block(block, thread, know->others[i].know, know->others[i].block);
  return knows;
}

uint32_t race_thread_clock(const RaceBlock *block, uint32_t thread) {
  return race_view(block, thread).clock;
}

bool race_sync_is_after(const RaceBlock *block, const RaceSync *sync,
                        uint32_t thread, uint32_t clock) {
  RaceEpoch then = race_epoch(block->number, clock, 0, thread);
  return sync->know && race_know_holds(block->race, causes_of(sync->know),
                                       sync->block, &then);
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
  if (agent >= race->config.n_agents ||
      race_view(block, thread).know->slots[agent] >= clock)
    return;
  race_split(block, thread / 32);
  RaceKnow *know = race_know_copy(race, t->know), *base = t->know;
  if (know != race->nothing)
    know->slots[agent] = clock;
  race_know_cover(race, know);
  if (base->base && base->more == agent)
    base = base->base;
  if (know != race->nothing && !base->base && !know->causes) {
    know->base = race_know_keep(base);
    know->more = agent;
  }
  race_know_drop(race, t->know);
  t->know = know;
}

void race_fence(RaceBlock *block, uint32_t warp, uint32_t mask, bool is_near) {
  Race *race = block->race;
  race_split(block, warp);
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t thread = warp * 32 + lane;
    if (!(mask >> lane & 1) || thread >= race->config.n_threads)
      continue;
    RaceThread *t = &block->threads[thread];
    block->has_fences = true;
    race_acquire(block, thread, &t->near_acquire);
    race_sync_clear(race, &t->near_acquire);
    if (!is_near) {
      race_acquire(block, thread, &t->fence_acquire);
      race_sync_clear(race, &t->fence_acquire);
    }
    race_know_drop(race, t->near_release);
    t->near_release = race_know_own(block, thread);
    if (!is_near) {
      race_know_drop(race, t->fence_release);
      t->fence_release = race_know_keep(t->near_release);
    }
    block->has_released = true;
    t->clock = race_tick(race);
  }
}

// Note [Fences of all] in check/run/detect_clock.c: what the flags that were
// read left is known from now on, and all that is known was before this fence.
static void fence_all(RaceBlock *block, uint32_t thread) {
  Race *race = block->race;
  RaceThread *t = &block->threads[thread];
  RaceKnow *know = race_know_copy(race, t->know);
  if (know != race->nothing && know->seen) {
    race_know_join(race, know, block->number, know->seen, block->number);
    race_know_drop(race, know->seen);
    know->seen = NULL;
    race_know_cover(race, know);
  }
  race_clock_set_know(race, t, know);
  RaceKnow *own = race_know_own(block, thread);
  RaceKnow *before = race_know_plain(race, own);
  if (know != race->nothing)
    race_know_add(race, &know->fenced, block->number, before, block->number);
  race_know_drop(race, before);
  race_know_drop(race, own);
  race_know_drop(race, know);
}

void race_fence_all(RaceBlock *block, uint32_t warp, uint32_t mask) {
  race_split(block, warp);
  for (uint32_t todo = mask & race_all_lanes(block, warp); todo;
       todo &= todo - 1)
    fence_all(block, warp * 32 + (uint32_t)__builtin_ctz(todo));
  race_fence(block, warp, mask, false);
}

void race_fence_async(RaceBlock *block, uint32_t warp, uint32_t mask) {
  Race *race = block->race;
  race_split(block, warp);
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
