// SPDX-License-Identifier: Apache-2.0
// Entries of a chunk (Note [Chunks] in race_chunk.c): of which lanes they are,
// what joins them, and which are behind an access.
#ifndef HD_RT_CPU_RACE_ENTRY_H
#define HD_RT_CPU_RACE_ENTRY_H

#include "base/bits.h"
#include "rt/cpu/race_parts.h"

typedef struct {
  RaceActor *actor;
  const RaceShadow *shadow;
  uint64_t index; // of the chunk
  const RaceEntry *now;
  const uint32_t *lanes; // of now, if RACE_EACH
} RaceAccess;

static inline bool race_is_single(uint32_t bits) {
  return !bits_has_several(bits);
}

static inline uint32_t race_lowest(uint32_t bits) {
  return (uint32_t)__builtin_ctz(bits);
}

static inline uint32_t race_lanes_at(const RaceEntry *e, const uint32_t *each,
                                     uint32_t cell) {
  uint32_t lane = cell + e->arg;
  switch (race_form(e)) {
  case RACE_ROW: return lane < 32 ? 1u << lane : 0;
  case RACE_LANES: return e->arg;
  case RACE_EACH: return each[cell];
  case RACE_AGENT:
  case RACE_WHO: break;
  }
  return 0;
}

static inline bool race_has_table(const RaceEntry *e) {
  return race_form(e) == RACE_EACH || race_form(e) == RACE_WHO;
}

static inline const uint32_t *race_each_of(const Race *race,
                                           const RaceEntry *e) {
  return race_has_table(e) ? race->lanes[e->arg].of : NULL;
}

// Each cell has one thread or agent, which race_who_at names.
static inline bool race_is_by_name(const RaceEntry *e) {
  return race_form(e) == RACE_AGENT || race_form(e) == RACE_WHO;
}

static inline uint32_t race_who_at(const RaceEntry *e, const uint32_t *each,
                                   uint32_t cell) {
  return race_form(e) == RACE_WHO ? each[cell] : e->arg;
}

static inline bool race_same_time(const RaceEntry *a, const RaceEntry *b) {
  uint32_t whats = (a->what ^ b->what) & ((1u << RACE_WHAT_BITS) - 1);
  return (whats | (a->clock ^ b->clock) | (a->block ^ b->block)) == 0;
}

static inline void race_set_form(RaceEntry *e, RaceForm form) {
  e->what &= (1u << RACE_WHAT_BITS) - 1;
  e->what |= (uint32_t)form << RACE_WHAT_BITS;
}

static inline bool race_same_lanes(const RaceEntry *a, const RaceEntry *b) {
  return race_form(a) == race_form(b) && a->arg == b->arg && !race_has_table(a);
}

static inline RaceEpoch race_entry_epoch(const RaceEntry *e, uint32_t who) {
  uint32_t what = e->what & ((1u << RACE_WHAT_BITS) - 1);
  return race_epoch(e->block, e->clock, what, who);
}

// Of any of the cells.
uint32_t race_lanes_of(const RaceEntry *e, const uint32_t *each,
                       uint32_t cells);
// The one who accesses the cell now; UINT32_MAX: several lanes.
uint32_t race_who_now(const RaceAccess *x, uint32_t cell);
bool race_is_own_by_name(const RaceAccess *x, const RaceEntry *e,
                         uint32_t cells);
// On these cells each lane meets only itself; an agent, itself.
bool race_is_own(const RaceAccess *x, const RaceEntry *e, uint32_t cells);
// All that the entry says of these cells comes before the access.
bool race_is_behind(const RaceAccess *x, const RaceEntry *e, uint32_t cells);
// Reports the lanes of the entry that race with the access.
void race_check_cells(const RaceAccess *x, const RaceEntry *e, uint32_t cells);
// The last entry takes its place.
void race_drop_entry(Race *race, const RaceShadow *shadow, RaceChunk *chunk,
                     uint32_t i);
// Takes cells out of an entry; true: it had no others, and is gone.
bool race_take_cells(Race *race, const RaceShadow *shadow, RaceChunk *chunk,
                     uint32_t i, uint32_t cells);
// False: the chunk is full.
bool race_append_entry(const RaceAccess *x, RaceChunk *chunk);
// False: there are too many.
bool race_add_entry(const RaceAccess *x, RaceChunk *chunk);
// Note [Settled entries].
bool race_can_settle(const Race *race, const RaceShadow *shadow);
// Of a memory for which race_can_settle is true.
void race_forget_settled(Race *race, const RaceShadow *shadow,
                         RaceChunk *chunk);
// Of reads that nothing will ever be ordered behind, one is enough.
void race_forget_eternal(Race *race, const RaceShadow *shadow,
                         RaceChunk *chunk);
// The later of two reads: whatever races with the earlier races with it.
bool race_is_covered(const RaceAccess *x, const RaceEntry *e, uint32_t cells);

#endif
