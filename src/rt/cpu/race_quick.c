// SPDX-License-Identifier: Apache-2.0
// Plain accesses of a block's own shared memory between two of its barriers.
//
// Note [Quick words]
// Most accesses are those of a block to shared memory that only it can reach,
// and most blocks meet at barriers of all their threads alone. What came before
// the last barrier is behind everything, so that of each cell one word says
// all that decides whether there is a race: which thread touched it since then,
// whether it wrote, and whether there were several. The interval is part of the
// word, so that a barrier is one addition.
//
//   s[t] = x[i];           word t:     t, wrote
//   sync();                            (another interval)
//   s[t] += s[t + 128];    word t:     t, wrote; word t + 128: t, read
//
// Words don't say from where. So the block keeps a list of what it did since
// the barrier, and as soon as something may be wrong (two threads of which one
// writes, a cell that nothing was written to), or is none of this file's
// concern (an order between some threads only, an atomic access), the list is
// done once more by the chunks (race_chunk.c), which then go on until the next
// barrier of all. They say what they would have said without words: of what
// came before the barrier they have to know no more than which cells hold
// something. Launches in which this happens often do without.
#include "rt/cpu/race_quick.h"

#include <stdlib.h>

// Launches may leave the words so often, and once in so many intervals.
enum { FREE_LEAVES = 16 };

// ------------------------------------------------------------------ life

bool race_quick_open(Race *race, RaceShadow *shadow) {
  bool is_fit = shadow->owner && race->config.shared_is_private &&
                race->config.n_agents == 0 && !shadow->info.marks_barrier;
  if (!is_fit || shadow->info.size_bytes > UINT32_MAX)
    return true;
  // One chunk more than there are, for vectors.
  uint64_t n = (shadow->n_chunks + 1) * RACE_CHUNK;
  shadow->words = race_alloc(race, n * sizeof(uint32_t));
  return shadow->words != NULL;
}

void race_quick_close(RaceShadow *shadow) {
  free(shadow->words);
  shadow->words = NULL;
}

uint64_t race_quick_touched(const RaceShadow *shadow, uint64_t chunk) {
  const uint32_t *words = shadow->words + chunk * RACE_CHUNK;
  uint32_t touched = shadow->chunks[chunk].touched;
  for (uint32_t i = 0; i < RACE_CHUNK; i++)
    touched |= (uint32_t)((words[i] & WORD_TOUCHED) != 0) << i;
  return (uint32_t)__builtin_popcount(touched);
}

bool race_quick_grow(RaceBlock *block, uint32_t n) {
  RaceQuick *quick = &block->quick;
  while (n > quick->log_capacity)
    if (quick->log_capacity >= MOST_LOGGED ||
        !race_reserve(block->race, &quick->log, quick->log_capacity,
                      &quick->log_capacity, sizeof *quick->log))
      return false;
  return true;
}

static void keep_bits(RaceBlock *block, uint32_t bits) {
  for (uint32_t i = 0; i < block->n_shadows; i++) {
    uint32_t *words = block->shadows[i].words;
    uint64_t n = words ? block->shadows[i].n_chunks * RACE_CHUNK : 0;
    for (uint64_t k = 0; k < n; k++)
      words[k] &= bits;
  }
}

static void race_quick_find_words(RaceBlock *block) {
  block->quick.has_words = false;
  for (uint32_t i = 0; i < block->n_shadows; i++) {
    RaceShadow *shadow = &block->shadows[i];
    if (i < 64 && block->race->unfit >> i & 1)
      race_quick_close(shadow);
    block->quick.has_words |= shadow->words != NULL;
  }
}

void race_quick_start(RaceBlock *block) {
  race_quick_find_words(block);
  keep_bits(block, WORD_TOUCHED);
  block->quick.time = 0;
  block->quick.was_left = false;
}

// Cells that the chunks know to hold something do so for the words.
static void take_from_chunks(RaceBlock *block) {
  for (uint32_t i = 0; i < block->n_shadows; i++) {
    const RaceShadow *shadow = &block->shadows[i];
    for (uint64_t k = 0; shadow->words && k < shadow->n_chunks; k++)
      for (uint32_t held = race_chunk_held(block->race, shadow, k); held;
           held &= held - 1)
        shadow->words[k * RACE_CHUNK + (uint32_t)__builtin_ctz(held)] |=
            WORD_HELD;
  }
}

void race_quick_interval(RaceBlock *block) {
  RaceQuick *quick = &block->quick;
  Race *race = block->race;
  race->n_intervals++;
  quick->n_logged = 0;
  quick->is_on = quick->has_words &&
                 race->n_left <= FREE_LEAVES + race->n_intervals / FREE_LEAVES;
  if (quick->is_on && quick->was_left)
    take_from_chunks(block);
  quick->was_left = !quick->is_on;
  if (quick->time == LAST_TIME) {
    keep_bits(block, WORD_TOUCHED | WORD_HELD);
    quick->time = 0;
  }
  quick->time++;
}

// ------------------------------------------------------------------ leave

// What the words know of times before this interval goes to the chunks.
static void give_to_chunks(RaceBlock *block) {
  Race *race = block->race;
  uint32_t clock =
      block->settled > race->grid_floor ? block->settled : race->grid_floor;
  if (clock < block->start)
    clock = 0; // there is nothing before it
  for (uint32_t i = 0; i < block->n_shadows; i++) {
    RaceShadow *shadow = &block->shadows[i];
    for (uint64_t k = 0; shadow->words && k < shadow->n_chunks; k++) {
      const uint32_t *words = shadow->words + k * RACE_CHUNK;
      uint32_t held = 0;
      for (uint32_t c = 0; c < RACE_CHUNK; c++)
        held |= (uint32_t)((words[c] & WORD_HELD) != 0) << c;
      race_chunk_settle(race, shadow, k, clock, held);
    }
  }
}

static void repeat_lanes(RaceBlock *block, const RaceSite *site, uint32_t warp,
                         uint32_t mask, const uint64_t *rest) {
  uint64_t addresses[32];
  uint32_t offsets[32];
  memcpy(offsets, rest + 1, sizeof offsets);
  for (uint32_t i = 0; i < 32; i++)
    addresses[i] = rest[0] + offsets[i];
  race_access(block, site, warp, mask, addresses);
}

static void repeat_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                        uint32_t mask, const RaceRows *rows) {
  uint64_t addresses[32];
  if (race_access_rows(block, site, warp, mask, rows))
    return;
  race_rows_addresses(rows, addresses);
  race_access(block, site, warp, mask, addresses);
}

// In the order in which the loop makes them.
static uint32_t repeat_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                             const uint64_t *rest) {
  uint32_t n_reads = (uint32_t)rest[0], n_turns = (uint32_t)(rest[0] >> 32);
  for (uint32_t turn = 0; turn < n_turns; turn++)
    for (uint32_t i = 0; i < n_reads; i++) {
      const uint64_t *of = rest + 1 + (size_t)i * TURN_WORDS;
      const RaceSite *site = &block->race->config.sites[(uint32_t)of[0]];
      RaceRows rows = {of[1] + turn * of[4], (int64_t)of[2], (int64_t)of[3],
                       (uint32_t)(of[0] >> 32)};
      if (rows.period_log2 < 5)
        repeat_rows(block, site, warp, mask, &rows);
      else if (rows.step == 0)
        race_access_same(block, site, warp, mask, rows.base);
      else
        race_access_row(block, site, warp, mask, rows.base, rows.step);
    }
  return HEAD_WORDS + 1 + n_reads * TURN_WORDS;
}

// Its words.
static uint32_t repeat_item(RaceBlock *block, const uint64_t *item) {
  const RaceSite *site = &block->race->config.sites[(uint32_t)item[0]];
  uint32_t mask = (uint32_t)(item[0] >> 32), warp = item[1] & 0xffff;
  const uint64_t *rest = item + HEAD_WORDS;
  switch ((LogForm)(item[1] >> 16 & 0xff)) {
  case LOG_SAME:
    race_access_same(block, site, warp, mask, rest[0]);
    return HEAD_WORDS + 1;
  case LOG_ROW:
    race_access_row(block, site, warp, mask, rest[0], (int64_t)rest[1]);
    return HEAD_WORDS + 2;
  case LOG_ROWS:
    repeat_rows(block, site, warp, mask,
                &(RaceRows){rest[0], (int64_t)rest[1], (int64_t)rest[2],
                            (uint32_t)(item[1] >> 24)});
    return HEAD_WORDS + 3;
  case LOG_TURNS: return repeat_turns(block, warp, mask, rest);
  case LOG_LANES: repeat_lanes(block, site, warp, mask, rest); break;
  }
  return HEAD_WORDS + LANES_WORDS;
}

void race_quick_leave(RaceBlock *block) {
  RaceQuick *quick = &block->quick;
  RaceStore *store = block->store;
  quick->is_on = false;
  quick->was_left = true;
  block->race->n_left++;
  give_to_chunks(block);
  block->store = NULL; // none of them met another: their values don't matter
  for (uint32_t at = 0; at < quick->n_logged;)
    at += repeat_item(block, quick->log + at);
  block->store = store;
  quick->n_logged = 0;
}

void race_quick_forbid(RaceShadow *shadow) {
  RaceBlock *block = shadow->owner;
  if (!shadow->words)
    return;
  if (block->quick.is_on)
    race_quick_leave(block);
  uint32_t number = (uint32_t)(shadow - block->shadows);
  if (number < 64)
    block->race->unfit |= UINT64_C(1) << number;
  race_quick_close(shadow);
  race_quick_find_words(block);
}

// -------------------------------------------------------------- the list

bool race_quick_log_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                          const RaceTurns *reads, uint32_t n_reads,
                          uint32_t n_turns) {
  const RaceSite *sites = block->race->config.sites;
  uint64_t *rest = quick_log(block, sites, warp, mask, LOG_TURNS, 0,
                             1 + n_reads * TURN_WORDS);
  if (!rest)
    return false;
  *rest++ = n_reads | (uint64_t)n_turns << 32;
  for (uint32_t i = 0; i < n_reads; i++, rest += TURN_WORDS) {
    const RaceRows *rows = &reads[i].rows;
    rest[0] = (uint64_t)(reads[i].site - sites) | (uint64_t)rows->period_log2
                                                      << 32;
    rest[1] = rows->base;
    rest[2] = (uint64_t)rows->step;
    rest[3] = (uint64_t)rows->row_bytes;
    rest[4] = (uint64_t)reads[i].turn_bytes;
  }
  return true;
}

// ----------------------------------------------------------------- words

// As read_word for PART neighbours, without branches: what compilers vectorise.
enum { PART = 8 };

__attribute__((always_inline)) static inline uint32_t
race_quick_read_part(const Quick *q, uint32_t *words, uint32_t who) {
  uint32_t wrong = 0, now = q->now, needs = q->needs;
  for (uint32_t i = 0; i < PART; i++) {
    uint32_t w = words[i], mine = who + i;
    uint32_t is_now = (w & WORD_TIME) == now ? UINT32_MAX : 0;
    uint32_t is_other = (w & WORD_WHO) == mine ? 0 : UINT32_MAX;
    uint32_t first = now | (w & WORD_HELD) | WORD_TOUCHED | mine;
    wrong |= (~w & needs) | (is_now & is_other & w & WORD_WROTE);
    words[i] = (is_now & (w | (is_other & WORD_MANY))) | (~is_now & first);
  }
  return wrong;
}

__attribute__((always_inline)) static inline uint32_t
write_part(const Quick *q, uint32_t *words, uint32_t who) {
  uint32_t wrong = 0, now = q->now;
  for (uint32_t i = 0; i < PART; i++) {
    uint32_t w = words[i], mine = who + i;
    uint32_t is_now = (w & WORD_TIME) == now ? UINT32_MAX : 0;
    uint32_t is_mine = (w & (WORD_WHO | WORD_MANY)) == mine ? UINT32_MAX : 0;
    wrong |= is_now & ~is_mine;
    words[i] = now | WORD_WROTE | WORD_HELD | WORD_TOUCHED | mine;
  }
  return wrong;
}

// Threads from `who` on access a cell each, one after the other.
__attribute__((always_inline)) static inline uint32_t
touch_parts(const Quick *q, uint32_t *words, uint32_t who, uint32_t n) {
  uint32_t wrong = 0;
  for (; n >= PART && q->writes; n -= PART, words += PART, who += PART)
    wrong |= write_part(q, words, who);
  for (; n >= PART; n -= PART, words += PART, who += PART)
    wrong |= race_quick_read_part(q, words, who);
  for (uint32_t i = 0; i < n; i++)
    wrong |= q->writes ? write_word(q, &words[i], who + i)
                       : read_word(q, &words[i], who + i);
  return wrong;
}

#if defined(__x86_64__)
// The library is for any x86-64; most have vectors of 8 words.
__attribute__((target("avx2"))) static uint32_t
touch_parts_avx2(const Quick *q, uint32_t *words, uint32_t who, uint32_t n) {
  return touch_parts(q, words, who, n);
}
#endif

static uint32_t touch_neighbours(const Quick *q, uint32_t *words, uint32_t who,
                                 uint32_t n) {
#if defined(__x86_64__)
  if (n >= PART && __builtin_cpu_supports("avx2"))
    return touch_parts_avx2(q, words, who, n);
#endif
  return touch_parts(q, words, who, n);
}

// Each lane of `todo`, which is on from lane `lane`, its element; they are
// `step` cells apart.
static uint32_t race_quick_touch_steps(const Quick *q, uint64_t cell,
                                       uint64_t step, uint32_t lane,
                                       uint32_t todo) {
  uint32_t wrong = 0, n = 32 - (uint32_t)__builtin_clz(todo);
  uint32_t *words = q->words + cell, who = q->who + lane;
  bool is_plain = q->n_cells == 1 && (todo & (todo + 1)) == 0; // mostly
  for (uint32_t i = 0; i < n && is_plain && q->writes; i++, words += step)
    wrong |= write_word(q, words, who + i);
  for (uint32_t i = 0; i < n && is_plain && !q->writes; i++, words += step)
    wrong |= read_word(q, words, who + i);
  for (; todo && !is_plain; todo &= todo - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(todo);
    wrong |= touch_element(q, cell + i * step, lane + i);
  }
  return wrong;
}

static uint32_t touch_anywhere(const Quick *q, const uint32_t *offsets,
                               uint32_t todo) {
  uint32_t wrong = 0;
  if (q->n_cells == 1 && todo == UINT32_MAX) {
    for (uint32_t i = 0; i < 32 && q->writes; i++)
      wrong |= write_word(q, &q->words[offsets[i] >> q->log2], q->who + i);
    for (uint32_t i = 0; i < 32 && !q->writes; i++)
      wrong |= read_word(q, &q->words[offsets[i] >> q->log2], q->who + i);
    return wrong;
  }
  for (; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    wrong |= touch_element(q, offsets[lane] >> q->log2, lane);
  }
  return wrong;
}

// -------------------------------------------------------------- accesses

bool race_quick_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, uint64_t address) {
  Quick q;
  if (!quick_begin(&q, block, site, warp, address))
    return false;
  uint64_t offset = address - q.base;
  if (offset > q.limit || (offset & q.less) ||
      touch_together(&q, offset >> q.log2, mask))
    return false;
  return quick_log_same(block, site, warp, mask, address);
}

// Lanes of `mask`, `step` bytes apart, from `offset` (of lane `lane`) on.
static inline bool race_quick_touch_row(const Quick *q, uint64_t offset,
                                        int64_t step, uint32_t lane,
                                        uint32_t mask) {
  uint32_t skipped = (uint32_t)__builtin_ctz(mask);
  uint32_t n = 32 - (uint32_t)__builtin_clz(mask) - skipped;
  uint32_t lanes = mask >> skipped;
  uint64_t first = offset + skipped * (uint64_t)step;
  uint64_t last = first + (n - 1) * (uint64_t)step;
  if (first > q->limit || last > q->limit ||
      ((first | (uint64_t)step) & q->less))
    return false;
  if (step == 0)
    return touch_together(q, first >> q->log2, mask << lane) == 0;
  if (step == INT64_C(1) << q->log2 && q->n_cells == 1 &&
      (lanes & (lanes + 1)) == 0)
    return touch_neighbours(q, q->words + (first >> q->log2),
                            q->who + lane + skipped, n) == 0;
  return race_quick_touch_steps(q, first >> q->log2,
                                (uint64_t)(step >> q->log2), lane + skipped,
                                lanes) == 0;
}

bool race_quick_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                    uint32_t mask, uint64_t base, int64_t step) {
  Quick q;
  uint64_t first = base + (uint64_t)__builtin_ctz(mask) * (uint64_t)step;
  if (!quick_begin(&q, block, site, warp, first) ||
      !race_quick_touch_row(&q, base - q.base, step, 0, mask))
    return false;
  return quick_log_row(block, site, warp, mask, base, step);
}

static bool race_quick_touch_rows(const Quick *q, const RaceRows *rows,
                                  uint32_t mask) {
  uint32_t n = 1u << rows->period_log2;
  uint64_t offset = rows->base - q->base;
  uint32_t one_row = (uint32_t)((UINT64_C(1) << n) - 1);
  for (uint32_t lane = 0; lane < 32; lane += n) {
    uint32_t lanes = mask >> lane & one_row;
    if (lanes && !race_quick_touch_row(q, offset, rows->step, lane, lanes))
      return false;
    offset += (uint64_t)rows->row_bytes;
  }
  return true;
}

bool race_quick_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                      const RaceTurns *reads, uint32_t n_reads,
                      uint32_t n_turns) {
  Quick q;
  for (uint32_t i = 0; i < n_reads; i++) {
    RaceRows rows = reads[i].rows;
    if (!quick_begin(&q, block, reads[i].site, warp, rows_start(&rows, mask)) ||
        q.writes)
      return false;
    for (uint32_t turn = 0; turn < n_turns; turn++) {
      if (!race_quick_touch_rows(&q, &rows, mask))
        return false;
      rows.base += (uint64_t)reads[i].turn_bytes;
    }
  }
  return race_quick_log_turns(block, warp, mask, reads, n_reads, n_turns);
}

bool race_quick_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, const RaceRows *rows) {
  Quick q;
  if (!quick_begin(&q, block, site, warp, rows_start(rows, mask)) ||
      !race_quick_touch_rows(&q, rows, mask))
    return false;
  return quick_log_rows(block, site, warp, mask, rows);
}

bool race_quick_lanes(RaceBlock *block, const RaceSite *site, uint32_t warp,
                      uint32_t mask, const uint64_t *addresses) {
  Quick q;
  uint32_t offsets[32];
  uint64_t outside = 0, low = 0;
  if (!quick_begin(&q, block, site, warp, addresses[__builtin_ctz(mask)]))
    return false;
  for (uint32_t i = 0; i < 32; i++) {
    uint64_t offset = mask >> i & 1 ? addresses[i] - q.base : 0;
    outside |= offset | (q.limit - offset); // negative numbers
    low |= offset;
    offsets[i] = (uint32_t)offset;
  }
  if (outside >> 63 || (low & q.less))
    return false;
  if (touch_anywhere(&q, offsets, mask))
    return false;
  return quick_log_lanes(block, site, warp, mask, q.base, offsets);
}
