// SPDX-License-Identifier: Apache-2.0
// Places for shared arrays, some of which may lie in the same bytes.
#include "base/bits.h"
#include "ir/analyses/shared_life.h"

typedef struct {
  const SharedLives *lives;
  SharedSpan *spans;
  uint32_t sharing[SHARED_LIFE_ROWS]; // indices of spans, the largest first
  uint32_t n_sharing;
} SharedPlacer;

static bool place_has_partner(const SharedPlacer *p, uint32_t object) {
  uint32_t row = p->lives ? p->lives->row[object] : SHARED_LIFE_ROWS;
  return row < SHARED_LIFE_ROWS && p->lives->apart[row] != UINT64_MAX;
}

static void place_insert(SharedPlacer *p, uint32_t index) {
  uint32_t at = p->n_sharing++;
  for (; at > 0 && p->spans[p->sharing[at - 1]].bytes < p->spans[index].bytes;
       at--)
    p->sharing[at] = p->sharing[at - 1];
  p->sharing[at] = index;
}

static bool place_collides(const SharedPlacer *p, const SharedSpan *a,
                           const SharedSpan *b) {
  return !shared_lives_may_share(p->lives, a->object, b->object) &&
         a->offset_bytes < b->offset_bytes + b->bytes &&
         b->offset_bytes < a->offset_bytes + a->bytes;
}

// At the lowest offset, of those at and above `lowest`, that collides with none
// of the `n_placed` first ones.
static void place_fit(SharedPlacer *p, SharedSpan *span, uint32_t n_placed,
                      uint64_t lowest) {
  span->offset_bytes = bits_align_up(lowest, span->align_bytes);
  for (uint32_t i = 0; i < n_placed; i++) {
    const SharedSpan *other = &p->spans[p->sharing[i]];
    if (!place_collides(p, span, other))
      continue;
    span->offset_bytes =
        bits_align_up(other->offset_bytes + other->bytes, span->align_bytes);
    i = UINT32_MAX; // from the first on
  }
}

uint64_t shared_lives_place(const SharedLives *lives, SharedSpan *spans,
                            uint32_t n, uint64_t begin, uint64_t ceiling) {
  SharedPlacer p = {.lives = lives, .spans = spans};
  uint64_t end = begin;
  for (uint32_t i = 0; i < n; i++) {
    if (place_has_partner(&p, spans[i].object)) {
      place_insert(&p, i);
      continue;
    }
    spans[i].offset_bytes = bits_align_up(end, spans[i].align_bytes);
    end = spans[i].offset_bytes + spans[i].bytes;
    end = end > ceiling ? ceiling : end;
  }
  uint64_t lowest = end;
  for (uint32_t i = 0; i < p.n_sharing; i++) {
    SharedSpan *span = &spans[p.sharing[i]];
    place_fit(&p, span, i, lowest);
    if (span->offset_bytes + span->bytes > end)
      end = span->offset_bytes + span->bytes;
  }
  return end > ceiling ? ceiling : end;
}
