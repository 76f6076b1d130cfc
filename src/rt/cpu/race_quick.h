// SPDX-License-Identifier: Apache-2.0
// What files of the quick words share: Note [Quick words] in race_quick.c.
#ifndef HD_RT_CPU_RACE_QUICK_H
#define HD_RT_CPU_RACE_QUICK_H

#include "base/bits.h"
#include "rt/cpu/race_parts.h"
#include <string.h>

enum {
  WORD_WHO = (1 << 10) - 1,
  WORD_WROTE = 1 << 10,   // in this interval
  WORD_MANY = 1 << 11,    // several threads have read in this interval
  WORD_HELD = 1 << 12,    // something was written since the block began
  WORD_TOUCHED = 1 << 13, // ever
  WORD_TIME_SHIFT = 16,
  LAST_TIME = (1 << 16) - 1,
#ifdef HD_STRESS
  MOST_LOGGED = 64,
#else
  MOST_LOGGED = 1 << 16, // 8 bytes each
#endif
};

#define WORD_TIME UINT32_C(0xffff0000)

// Forms of the list's items, and how many words are behind their two of head:
// site and mask; warp, form and period of rows.
typedef enum {
  LOG_SAME,  // the address
  LOG_ROW,   // the address of lane 0, the step
  LOG_ROWS,  // RaceRows, but for period_log2
  LOG_LANES, // an address, and how far each lane is behind it, by 32 bits
  LOG_TURNS, // reads and turns; of each read RaceTurns
} LogForm;

enum { HEAD_WORDS = 2, LANES_WORDS = 1 + 16, TURN_WORDS = 5 };

// ----------------------------------------------------------------- words

// One access, of whom, and what it needs.
typedef struct {
  uint32_t *words;      // of its array
  uint64_t base, limit; // of the array; where its last element can begin
  uint32_t log2, less;  // bytes of a cell; less 1
  uint32_t now;         // time of this interval, as words have it
  uint32_t needs;       // of a cell that is read: WORD_HELD, or nothing
  uint32_t who;         // thread of lane 0
  uint32_t n_cells;     // of an element
  bool writes;
} Quick;

// Thread `who` alone reads it. Not 0: something may be wrong.
__attribute__((always_inline)) static inline uint32_t
read_word(const Quick *q, uint32_t *word, uint32_t who) {
  uint32_t w = *word, is_other = (w & WORD_WHO) != who;
  uint32_t wrong = ~w & q->needs;
  if ((w & WORD_TIME) != q->now) {
    *word = q->now | (w & WORD_HELD) | WORD_TOUCHED | who;
    return wrong;
  }
  *word = is_other ? w | WORD_MANY : w;
  return wrong | (is_other ? w & WORD_WROTE : 0);
}

__attribute__((always_inline)) static inline uint32_t
write_word(const Quick *q, uint32_t *word, uint32_t who) {
  uint32_t w = *word;
  uint32_t is_now = (w & WORD_TIME) == q->now;
  uint32_t is_mine = (w & (WORD_WHO | WORD_MANY)) == who;
  *word = q->now | WORD_WROTE | WORD_HELD | WORD_TOUCHED | who;
  return is_now & !is_mine;
}

// Several lanes do.
static inline uint32_t read_word_by_many(const Quick *q, uint32_t *word) {
  uint32_t w = *word, wrong = ~w & q->needs;
  if ((w & WORD_TIME) == q->now) {
    *word = w | WORD_MANY;
    return wrong | (w & WORD_WROTE);
  }
  *word = q->now | (w & WORD_HELD) | WORD_TOUCHED | WORD_MANY | q->who;
  return wrong;
}

// The cells of the lane's element.
static inline uint32_t touch_element(const Quick *q, uint64_t cell,
                                     uint32_t lane) {
  uint32_t wrong = 0;
  for (uint32_t k = 0; k < q->n_cells; k++)
    wrong |= q->writes ? write_word(q, &q->words[cell + k], q->who + lane)
                       : read_word(q, &q->words[cell + k], q->who + lane);
  return wrong;
}

// Lanes of `mask` access one element; by writing only one can.
static inline uint32_t touch_together(const Quick *q, uint64_t cell,
                                      uint32_t mask) {
  uint32_t wrong = 0;
  if (!bits_has_several(mask))
    return touch_element(q, cell, (uint32_t)__builtin_ctz(mask));
  if (q->writes)
    return 1;
  for (uint32_t k = 0; k < q->n_cells; k++)
    wrong |= read_word_by_many(q, &q->words[cell + k]);
  return wrong;
}

// -------------------------------------------------------------- the list

// Makes room for an item of `n` words; false: the list is full.
bool race_quick_grow(RaceBlock *block, uint32_t n);

// Where the words behind its head go; NULL: the list is full.
static inline uint64_t *quick_log(RaceBlock *block, const RaceSite *site,
                                  uint32_t warp, uint32_t mask, LogForm form,
                                  uint32_t period_log2, uint32_t n_words) {
  RaceQuick *quick = &block->quick;
  uint32_t at = quick->n_logged, n = at + HEAD_WORDS + n_words;
  if (n > quick->log_capacity && !race_quick_grow(block, n))
    return NULL;
  uint64_t *item = quick->log + at;
  item[0] = (uint64_t)(site - block->race->config.sites) | (uint64_t)mask << 32;
  item[1] = warp | (uint64_t)form << 16 | (uint64_t)period_log2 << 24;
  quick->n_logged = n;
  return item + HEAD_WORDS;
}

// One access, whose words are as repeat_item reads them; false: the list is
// full.
static inline bool quick_log_same(RaceBlock *block, const RaceSite *site,
                                  uint32_t warp, uint32_t mask,
                                  uint64_t address) {
  uint64_t *rest = quick_log(block, site, warp, mask, LOG_SAME, 0, 1);
  if (rest)
    rest[0] = address;
  return rest != NULL;
}

static inline bool quick_log_row(RaceBlock *block, const RaceSite *site,
                                 uint32_t warp, uint32_t mask, uint64_t base,
                                 int64_t step) {
  uint64_t *rest = quick_log(block, site, warp, mask, LOG_ROW, 0, 2);
  if (!rest)
    return false;
  rest[0] = base;
  rest[1] = (uint64_t)step;
  return true;
}

static inline bool quick_log_rows(RaceBlock *block, const RaceSite *site,
                                  uint32_t warp, uint32_t mask,
                                  const RaceRows *rows) {
  uint64_t *rest =
      quick_log(block, site, warp, mask, LOG_ROWS, rows->period_log2, 3);
  if (!rest)
    return false;
  rest[0] = rows->base;
  rest[1] = (uint64_t)rows->step;
  rest[2] = (uint64_t)rows->row_bytes;
  return true;
}

// `offsets`: 32 numbers of 32 bits, from `base`.
static inline bool quick_log_lanes(RaceBlock *block, const RaceSite *site,
                                   uint32_t warp, uint32_t mask, uint64_t base,
                                   const void *offsets) {
  uint64_t *rest =
      quick_log(block, site, warp, mask, LOG_LANES, 0, LANES_WORDS);
  if (!rest)
    return false;
  rest[0] = base;
  memcpy(rest + 1, offsets, 32 * sizeof(uint32_t));
  return true;
}

// The turns' reads, none of which can be wrong; false: the list is full.
bool race_quick_log_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                          const RaceTurns *reads, uint32_t n_reads,
                          uint32_t n_turns);

// -------------------------------------------------------------- accesses

// The address of the first of the lanes.
static inline uint64_t rows_start(const RaceRows *rows, uint32_t mask) {
  uint32_t lane = (uint32_t)__builtin_ctz(mask);
  uint32_t row = lane >> rows->period_log2;
  return rows->base + row * (uint64_t)rows->row_bytes +
         (lane - (row << rows->period_log2)) * (uint64_t)rows->step;
}

// The words have the access' first byte; false: it isn't theirs.
static inline bool quick_begin(Quick *q, RaceBlock *block, const RaceSite *site,
                               uint32_t warp, uint64_t address) {
  RaceSiteState *state = &block->race->sites[site - block->race->config.sites];
  RaceShadow *shadow = state->last;
  uint32_t size = site->size_bytes;
  if ((site->kind & ~(uint32_t)RACE_WRITES) != 0)
    return false;
  if (!shadow || address - shadow->info.base >= shadow->info.size_bytes)
    shadow = race_site_find(block, site, address, 1);
  if (!shadow || !shadow->words || shadow->owner != block)
    return false;
  q->words = shadow->words;
  q->base = shadow->info.base;
  q->log2 = shadow->cell_log2;
  q->limit = shadow->info.size_bytes - size;
  q->now = block->quick.time << WORD_TIME_SHIFT;
  q->needs = shadow->info.starts_empty ? WORD_HELD : 0;
  q->who = warp * 32;
  q->n_cells = size >> shadow->cell_log2;
  q->less = (1u << shadow->cell_log2) - 1;
  q->writes = site->kind & RACE_WRITES;
  return (size & q->less) == 0 && size <= shadow->info.size_bytes;
}

#endif
