// SPDX-License-Identifier: Apache-2.0
// Quick words sixteen at a time, by AVX-512: Note [Quick words] in
// race_quick.c. What comes most is done here, each access by one function
// without calls; what doesn't is race_quick.c's, which says the same.
#include "rt/cpu/race_quick.h"

#include "base/bits.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define WIDE __attribute__((target("avx512f")))
#define WIDE_INLINE                                                            \
  __attribute__((target("avx512f"), always_inline)) static inline

enum { HALF = 16 };

// Steps between lanes are numbers of 32 bits.
enum { MOST_CELLS = 1 << 26 };

bool race_has_wide(void) {
  return __builtin_cpu_supports("avx512f");
}

WIDE_INLINE __m512i all(uint32_t value) {
  return _mm512_set1_epi32((int)value);
}

WIDE_INLINE __m512i lane_numbers(void) {
  return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                           15);
}

// What words w become, which threads `mine` access, as read_word and write_word
// have it. The lanes where something may be wrong.
WIDE_INLINE __mmask16 next_words(const Quick *q, __m512i w, __m512i mine,
                                 __mmask16 lanes, __m512i *next) {
  __m512i now = all(q->now), time = _mm512_and_epi32(w, all(WORD_TIME));
  __mmask16 is_now = _mm512_mask_cmpeq_epi32_mask(lanes, time, now);
  __m512i first = _mm512_or_epi32(mine, all(q->now | WORD_TOUCHED));
  if (q->writes) {
    __m512i who = _mm512_and_epi32(w, all(WORD_WHO | WORD_MANY));
    *next = _mm512_or_epi32(first, all(WORD_WROTE | WORD_HELD));
    return _mm512_mask_cmpneq_epi32_mask(is_now, who, mine);
  }
  __m512i who = _mm512_and_epi32(w, all(WORD_WHO));
  __mmask16 is_other = _mm512_mask_cmpneq_epi32_mask(is_now, who, mine);
  __mmask16 wrong = _mm512_mask_test_epi32_mask(is_other, w, all(WORD_WROTE));
  wrong |= _mm512_mask_cmpneq_epi32_mask(
      lanes, _mm512_and_epi32(w, all(q->needs)), all(q->needs));
  first = _mm512_or_epi32(first, _mm512_and_epi32(w, all(WORD_HELD)));
  *next = _mm512_mask_or_epi32(_mm512_mask_mov_epi32(first, is_now, w),
                               is_other, w, all(WORD_MANY));
  return wrong;
}

// Whole vectors, because what is stored in parts has to be waited for to be
// read; there is room behind the last word.
WIDE_INLINE uint32_t touch_next(const Quick *q, uint32_t *words, uint32_t who,
                                uint32_t lanes) {
  uint32_t wrong = 0;
  for (; lanes; lanes >>= HALF, words += HALF, who += HALF) {
    __mmask16 some = (__mmask16)lanes;
    __m512i mine = _mm512_add_epi32(all(who), lane_numbers()), next;
    __m512i w = _mm512_loadu_si512(words);
    wrong |= next_words(q, w, mine, some, &next);
    _mm512_storeu_si512(words, _mm512_mask_mov_epi32(w, some, next));
  }
  return wrong;
}

// The words that rows of `lanes` read, all rows the same ones; the first's
// lane 0 is `who`.
WIDE_INLINE uint32_t touch_often(const Quick *q, uint32_t *words, uint32_t who,
                                 uint32_t lanes) {
  __mmask16 some = (__mmask16)lanes;
  __m512i mine = _mm512_add_epi32(all(who), lane_numbers()), next;
  __m512i w = _mm512_loadu_si512(words);
  __m512i time = _mm512_and_epi32(w, all(WORD_TIME));
  __mmask16 is_now = _mm512_mask_cmpeq_epi32_mask(some, time, all(q->now));
  __mmask16 wrong = _mm512_mask_test_epi32_mask(is_now, w, all(WORD_WROTE));
  wrong |= _mm512_mask_cmpneq_epi32_mask(
      some, _mm512_and_epi32(w, all(q->needs)), all(q->needs));
  next = _mm512_or_epi32(mine, all(q->now | WORD_TOUCHED));
  next = _mm512_or_epi32(next, _mm512_and_epi32(w, all(WORD_HELD)));
  next = _mm512_mask_mov_epi32(next, is_now, w);
  next = _mm512_or_epi32(next, all(WORD_MANY));
  _mm512_storeu_si512(words, _mm512_mask_mov_epi32(w, some, next));
  return wrong;
}

// Lane i the word `step` times i from `words` on; no two of them the same.
WIDE_INLINE uint32_t touch_apart(const Quick *q, uint32_t *words, int64_t step,
                                 uint32_t who, uint32_t lanes) {
  __m512i at = _mm512_mullo_epi32(lane_numbers(), all((uint32_t)step));
  uint32_t wrong = 0;
  for (; lanes; lanes >>= HALF, words += HALF * step, who += HALF) {
    __mmask16 some = (__mmask16)lanes;
    __m512i mine = _mm512_add_epi32(all(who), lane_numbers()), next;
    __m512i w = _mm512_mask_i32gather_epi32(mine, some, at, words, 4);
    wrong |= next_words(q, w, mine, some, &next);
    _mm512_mask_i32scatter_epi32(words, some, at, next, 4);
  }
  return wrong;
}

// Half of a warp's lanes, each the word `at`. Several of one word: nothing was
// done, and `is_same` is set.
WIDE_INLINE uint32_t touch_half(const Quick *q, __m512i at, uint32_t who,
                                __mmask16 some, bool *is_same) {
  __m512i mine = _mm512_add_epi32(all(who), lane_numbers()), next;
  __m512i w = _mm512_mask_i32gather_epi32(mine, some, at, q->words, 4);
  // Each one's number, so that it finds another's where it isn't the last.
  _mm512_mask_i32scatter_epi32(q->words, some, at, mine, 4);
  __m512i last = _mm512_mask_i32gather_epi32(mine, some, at, q->words, 4);
  *is_same = _mm512_mask_cmpneq_epi32_mask(some, last, mine) != 0;
  uint32_t wrong = next_words(q, w, mine, some, &next);
  _mm512_mask_i32scatter_epi32(q->words, some, at, *is_same ? w : next, 4);
  return *is_same ? 0 : wrong;
}

// Lanes of one element, of one cell.
WIDE_INLINE uint32_t touch_cell(const Quick *q, uint32_t *word, uint32_t who,
                                uint32_t lanes) {
  if (!bits_has_several(lanes)) {
    who += (uint32_t)__builtin_ctz(lanes);
    return q->writes ? write_word(q, word, who) : read_word(q, word, who);
  }
  return q->writes ? 1 : read_word_by_many(q, word);
}

// Lanes from `who` on, `step` bytes apart, from `offset` on; lane 0 is one.
WIDE_INLINE bool quick_wide_touch_row(const Quick *q, uint64_t offset,
                                      int64_t step, uint32_t who,
                                      uint32_t lanes) {
  uint32_t n = 32 - (uint32_t)__builtin_clz(lanes);
  uint64_t last = offset + (n - 1) * (uint64_t)step;
  if (offset > q->limit || last > q->limit ||
      ((offset | (uint64_t)step) & q->less))
    return false;
  uint32_t *words = q->words + (offset >> q->log2);
  if (step == INT64_C(1) << q->log2)
    return touch_next(q, words, who, lanes) == 0;
  if (step == 0 || n == 1)
    return touch_cell(q, words, who, lanes) == 0;
  return touch_apart(q, words, step >> q->log2, who, lanes) == 0;
}

WIDE_INLINE bool is_fit(const Quick *q) {
  return q->n_cells == 1 && q->limit >> q->log2 < MOST_CELLS;
}

WIDE bool race_wide_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                         uint32_t mask, uint64_t address) {
  Quick q;
  if (!quick_begin(&q, block, site, warp, address))
    return false;
  if (!is_fit(&q))
    return race_quick_same(block, site, warp, mask, address);
  uint64_t offset = address - q.base;
  if (offset > q.limit || (offset & q.less) ||
      touch_cell(&q, q.words + (offset >> q.log2), q.who, mask))
    return false;
  return quick_log_same(block, site, warp, mask, address);
}

WIDE bool race_wide_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                        uint32_t mask, uint64_t base, int64_t step) {
  Quick q;
  uint32_t first = (uint32_t)__builtin_ctz(mask);
  uint64_t start = base + first * (uint64_t)step;
  if (!quick_begin(&q, block, site, warp, start))
    return false;
  if (!is_fit(&q))
    return race_quick_row(block, site, warp, mask, base, step);
  if (!quick_wide_touch_row(&q, start - q.base, step, q.who + first,
                            mask >> first))
    return false;
  return quick_log_row(block, site, warp, mask, base, step);
}

// All rows the same words, one behind the other, as they are of columns of a
// block of threads in two dimensions.
WIDE_INLINE bool are_same_rows(const Quick *q, const RaceRows *rows,
                               uint32_t mask) {
  return rows->row_bytes == 0 && rows->step == INT64_C(1) << q->log2 &&
         rows->period_log2 < 5 && mask == UINT32_MAX && !q->writes;
}

WIDE_INLINE bool quick_wide_touch_rows(const Quick *q, const RaceRows *rows,
                                       uint32_t mask) {
  uint32_t n = 1u << rows->period_log2;
  uint32_t one_row = (uint32_t)((UINT64_C(1) << n) - 1);
  uint64_t offset = rows->base - q->base, size = (n - 1) << q->log2;
  if (are_same_rows(q, rows, mask))
    return (offset & q->less) == 0 && offset + size <= q->limit &&
           !touch_often(q, q->words + (offset >> q->log2), q->who, one_row);
  for (uint32_t lane = 0; lane < 32; lane += n) {
    uint32_t lanes = mask >> lane & one_row;
    uint32_t first = lanes ? (uint32_t)__builtin_ctz(lanes) : 0;
    if (lanes && !quick_wide_touch_row(q, offset + first * (uint64_t)rows->step,
                                       rows->step, q->who + lane + first,
                                       lanes >> first))
      return false;
    offset += (uint64_t)rows->row_bytes;
  }
  return true;
}

WIDE bool race_wide_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                         uint32_t mask, const RaceRows *rows) {
  Quick q;
  if (!quick_begin(&q, block, site, warp, rows_start(rows, mask)))
    return false;
  if (!is_fit(&q))
    return race_quick_rows(block, site, warp, mask, rows);
  if (!quick_wide_touch_rows(&q, rows, mask))
    return false;
  return quick_log_rows(block, site, warp, mask, rows);
}

WIDE bool race_wide_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                          const RaceTurns *reads, uint32_t n_reads,
                          uint32_t n_turns) {
  Quick q;
  for (uint32_t i = 0; i < n_reads; i++) {
    RaceRows rows = reads[i].rows;
    if (!quick_begin(&q, block, reads[i].site, warp, rows_start(&rows, mask)) ||
        q.writes)
      return false;
    if (!is_fit(&q))
      return race_quick_turns(block, warp, mask, reads, n_reads, n_turns);
    for (uint32_t turn = 0; turn < n_turns; turn++) {
      if (!quick_wide_touch_rows(&q, &rows, mask))
        return false;
      rows.base += (uint64_t)reads[i].turn_bytes;
    }
  }
  return race_quick_log_turns(block, warp, mask, reads, n_reads, n_turns);
}

// How far 16 lanes are behind q's base, 0 for those that aren't there; not 0
// in `wrong`: outside, or not at whole cells.
WIDE_INLINE __m512i find_offsets(const Quick *q, const uint64_t *addresses,
                                 __mmask16 some, uint32_t *wrong) {
  __m512i base = _mm512_set1_epi64((long long)q->base);
  __m512i limit = _mm512_set1_epi64((long long)q->limit);
  __m512i less = _mm512_set1_epi64((long long)q->less);
  __mmask8 low = (__mmask8)some, high = (__mmask8)(some >> 8);
  __m512i a = _mm512_maskz_sub_epi64(low, _mm512_loadu_si512(addresses), base);
  __m512i b =
      _mm512_maskz_sub_epi64(high, _mm512_loadu_si512(addresses + 8), base);
  *wrong |= _mm512_cmpgt_epu64_mask(a, limit);
  *wrong |= _mm512_cmpgt_epu64_mask(b, limit);
  *wrong |= _mm512_test_epi64_mask(_mm512_or_epi64(a, b), less);
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(a)),
                            _mm512_cvtepi64_epi32(b), 1);
}

WIDE bool race_wide_lanes(RaceBlock *block, const RaceSite *site, uint32_t warp,
                          uint32_t mask, const uint64_t *addresses) {
  Quick q;
  uint32_t wrong = 0;
  bool is_same = false;
  if (!quick_begin(&q, block, site, warp, addresses[__builtin_ctz(mask)]))
    return false;
  if (!is_fit(&q))
    return race_quick_lanes(block, site, warp, mask, addresses);
  __mmask16 low = (__mmask16)mask, high = (__mmask16)(mask >> HALF);
  __m512i offsets[2] = {find_offsets(&q, addresses, low, &wrong),
                        find_offsets(&q, addresses + HALF, high, &wrong)};
  if (wrong)
    return false;
  __m128i shift = _mm_cvtsi32_si128((int)q.log2);
  __m512i at = _mm512_srl_epi32(offsets[0], shift);
  wrong = touch_half(&q, at, q.who, low, &is_same);
  if (is_same) // nothing was done yet
    return race_quick_lanes(block, site, warp, mask, addresses);
  at = _mm512_srl_epi32(offsets[1], shift);
  wrong |= touch_half(&q, at, q.who + HALF, high, &is_same);
  if (wrong)
    return false;
  if (is_same) // reads of the others once more change nothing
    return race_quick_lanes(block, site, warp, mask, addresses);
  return quick_log_lanes(block, site, warp, mask, q.base, offsets);
}

#else

bool race_has_wide(void) {
  return false;
}

bool race_wide_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                    uint32_t mask, uint64_t address) {
  return race_quick_same(block, site, warp, mask, address);
}

bool race_wide_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                   uint32_t mask, uint64_t base, int64_t step) {
  return race_quick_row(block, site, warp, mask, base, step);
}

bool race_wide_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                    uint32_t mask, const RaceRows *rows) {
  return race_quick_rows(block, site, warp, mask, rows);
}

bool race_wide_lanes(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses) {
  return race_quick_lanes(block, site, warp, mask, addresses);
}

bool race_wide_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                     const RaceTurns *reads, uint32_t n_reads,
                     uint32_t n_turns) {
  return race_quick_turns(block, warp, mask, reads, n_reads, n_turns);
}

#endif
