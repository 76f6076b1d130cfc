// SPDX-License-Identifier: Apache-2.0
// Note [Spreads of results]
// What a reduction along the last axis leaves of a spread tile is in the lanes
// that share a result, in all of them once they have combined what they have.
// So tiles of the shape of such results have a spread that is that of the tile
// that was reduced, without its last axis: lanes that differ in their place
// along that axis alone are alike, and each has all of the rows that it has
// something of. What is computed from results, and from the tile and its
// results, stays where it is: a softmax of sums of products needs no memory.
//
// All lanes that are alike compute what they keep in variables; what others
// see, the first of them does (spread_nest).
#include "base/bits.h"
#include "tile/tile_parts.h"

enum { WARP = 32, MOST_ALIKE_SLOTS = 16 };

// The lanes that share a result are all, or neighbours in a warp.
static bool alike_is_near(const TileSpread *of, uint32_t gone) {
  uint32_t near = 1, n_gone = 1;
  bool is_of_all = true;
  for (uint32_t i = 0; i < of->n_terms; i++) {
    const SpreadTerm *term = &of->terms[i];
    if (term->dimension != gone) {
      is_of_all = false;
      continue;
    }
    if (term->divisor == near)
      near *= term->count;
    n_gone *= term->count;
  }
  return is_of_all || (near == n_gone && near <= WARP && bits_is_power(near));
}

// The slot that begins with these places; n_slots: none does.
static uint32_t alike_row(const TileSpread *s, const uint32_t *row,
                          uint32_t rank) {
  for (uint32_t k = 0; k < s->n_slots; k++) {
    uint32_t n = 0;
    while (n < rank && s->slots[k][n] == row[n])
      n++;
    if (n == rank)
      return k;
  }
  return s->n_slots;
}

bool alike_spread(Lower *t, TileSpread *s, const TileSpread *of) {
  uint32_t gone = of->shape.rank - 1u;
  if (of->n_alike > 0 || !alike_is_near(of, gone))
    return false;
  s->slots = arena_alloc(t->scratch, of->n_slots * sizeof *s->slots);
  for (uint32_t slot = 0; slot < of->n_slots; slot++) {
    if (alike_row(s, of->slots[slot], gone) < s->n_slots)
      continue;
    for (uint32_t i = 0; i < s->shape.rank; i++)
      s->slots[s->n_slots][i] = i < gone ? of->slots[slot][i] : 0;
    s->n_slots++;
  }
  if (s->n_slots > MOST_ALIKE_SLOTS) {
    s->n_slots = 0;
    return false;
  }
  s->of = of;
  for (uint32_t i = 0; i < of->n_terms; i++)
    if (of->terms[i].dimension == gone)
      s->alike[s->n_alike++] = of->terms[i];
    else
      s->terms[s->n_terms++] = of->terms[i];
  return true;
}

uint32_t alike_slot(const TileSpread *s, uint32_t slot) {
  return alike_row(s, s->of->slots[slot], s->of->shape.rank - 1u);
}

IrNode *alike_is_first(Lower *t, const TileSpread *s) {
  IrNode *is_first = NULL;
  for (uint32_t i = 0; i < s->n_alike; i++) {
    IrNode *at = spread_digit(t, s, &s->alike[i]);
    is_first = put_and(t, is_first, put_test(t, IR_EQ, at, put_i32(t, 0)));
  }
  return is_first;
}

const TileSpread *alike_result(Lower *t, const IrNode *node) {
  if (node->op != IR_TILE_REDUCE)
    return NULL;
  IrTileShape shape = tile_shape_of_node(t, node);
  IrTileShape from = tile_shape_of_node(t, node->args[0]);
  const TileSpread *s = shape.rank ? spread_of(t, &shape) : NULL;
  return s && s->of && s->of == spread_of(t, &from) ? s : NULL;
}

// ------------------------------------------------------------ slots of others

static uint32_t alike_terms_of(const TileSpread *s, uint32_t dimension,
                               const SpreadTerm **terms) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->n_terms; i++)
    if (s->terms[i].dimension == dimension)
      terms[n++] = &s->terms[i];
  return n;
}

// A lane's own index along the two dimensions is the same.
static bool alike_has_same_base(const TileSpread *a, uint32_t of_a,
                                const TileSpread *b, uint32_t of_b) {
  const SpreadTerm *x[MOST_SPREAD_TERMS], *y[MOST_SPREAD_TERMS];
  uint32_t n = alike_terms_of(a, of_a, x);
  if (n != alike_terms_of(b, of_b, y))
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (x[i]->divisor != y[i]->divisor || x[i]->count != y[i]->count ||
        x[i]->step != y[i]->step)
      return false;
  return true;
}

typedef struct {
  const TileSpread *to, *spread;
  const int32_t *from, *by;
  uint32_t slot; // of `to`
} AlikeSearch;

static bool alike_has_bases(const AlikeSearch *a) {
  if (a->to->lanes != a->spread->lanes)
    return false;
  for (uint32_t i = 0; i < a->spread->shape.rank; i++) {
    const SpreadTerm *none[MOST_SPREAD_TERMS];
    bool is_same =
        a->from[i] < 0
            ? alike_terms_of(a->spread, i, none) == 0
            : alike_has_same_base(a->to, (uint32_t)a->from[i], a->spread, i);
    if (!is_same)
      return false;
  }
  return true;
}

static bool alike_is_at(const AlikeSearch *a, uint32_t at) {
  for (uint32_t i = 0; i < a->spread->shape.rank; i++) {
    int64_t own =
        a->from[i] < 0 ? 0 : a->to->slots[a->slot][(uint32_t)a->from[i]];
    if (own + (a->by ? a->by[i] : 0) != a->spread->slots[at][i])
      return false;
  }
  return true;
}

void alike_find(Lower *t, const TileIndex *index, const int32_t *from,
                const int32_t *by, const IrTileShape *shape, TileIndex *own) {
  AlikeSearch search = {.to = index->spread, .from = from, .by = by};
  search.slot = index->slot;
  search.spread = search.to ? spread_of(t, shape) : NULL;
  if (!search.spread || !alike_has_bases(&search))
    return;
  for (uint32_t at = 0; at < search.spread->n_slots && !own->spread; at++)
    if (alike_is_at(&search, at)) {
      own->spread = search.spread;
      own->slot = at;
    }
}
