// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/bit_map.h"

#include "base/bits.h"

#include <string.h>

// ------------------------------------------------------------------- spaces

uint64_t bit_space_reduce(const BitSpace *space, uint64_t vector) {
  for (uint32_t i = 0; i < space->dim; i++) {
    uint64_t row = space->rows[i];
    if (vector >> bits_log2(row) & 1)
      vector ^= row;
  }
  return vector;
}

bool bit_space_add(BitSpace *space, uint64_t vector) {
  vector = bit_space_reduce(space, vector);
  if (!vector)
    return false;
  for (uint32_t i = 0; i < space->dim; i++) {
    if (space->rows[i] >> bits_log2(vector) & 1)
      space->rows[i] ^= vector;
  }
  space->rows[space->dim++] = vector;
  return true;
}

BitSpace bit_space_of(uint64_t mask) {
  BitSpace space = {0};
  for (; mask; mask &= mask - 1)
    space.rows[space.dim++] = bits_lowest(mask);
  return space;
}

BitSpace bit_space_sum(const BitSpace *a, const BitSpace *b) {
  BitSpace sum = *a;
  for (uint32_t i = 0; i < b->dim; i++)
    bit_space_add(&sum, b->rows[i]);
  return sum;
}

// Independent vectors together with how they are a sum of `parts`.
typedef struct {
  uint32_t n;
  uint64_t rows[BIT_MAP_MAX], parts[BIT_MAP_MAX];
} TracedRows;

// What is left of *vector, and in *part what was added on the way.
static void traced_reduce(const TracedRows *traced, uint64_t *vector,
                          uint64_t *part) {
  for (uint32_t i = 0; i < traced->n; i++) {
    if (*vector >> bits_log2(traced->rows[i]) & 1) {
      *vector ^= traced->rows[i];
      *part ^= traced->parts[i];
    }
  }
}

// False: the vector is a sum of the rows, and *part says of which parts.
static bool traced_add(TracedRows *traced, uint64_t vector, uint64_t *part) {
  traced_reduce(traced, &vector, part);
  if (!vector)
    return false;
  for (uint32_t i = 0; i < traced->n; i++) {
    if (traced->rows[i] >> bits_log2(vector) & 1) {
      traced->rows[i] ^= vector;
      traced->parts[i] ^= *part;
    }
  }
  traced->rows[traced->n] = vector;
  traced->parts[traced->n++] = *part;
  return true;
}

// Zassenhaus' algorithm: the part of a sum of both that is a's, where the sum
// is 0.
BitSpace bit_space_meet(const BitSpace *a, const BitSpace *b) {
  TracedRows traced = {0};
  BitSpace meet = {0};
  for (uint32_t i = 0; i < a->dim; i++) {
    uint64_t part = a->rows[i];
    traced_add(&traced, a->rows[i], &part);
  }
  for (uint32_t i = 0; i < b->dim; i++) {
    uint64_t part = 0;
    if (!traced_add(&traced, b->rows[i], &part))
      bit_space_add(&meet, part);
  }
  return meet;
}

BitSpace bit_space_complement(const BitSpace *part, const BitSpace *whole) {
  BitSpace all = *part, rest = {0};
  for (uint32_t i = 0; i < whole->dim; i++) {
    if (bit_space_add(&all, whole->rows[i]))
      bit_space_add(&rest, whole->rows[i]);
  }
  return rest;
}

// Note [Apart from two parts]: take a1, a2, … and b1, b2, … that complete the
// meet of both parts to each of them. Then a1 + b1, a2 + b2, … are apart from
// both: a sum of these that lay in a would have a sum of b1, b2, … in a, hence
// in the meet. What neither part nor a sum of them reaches is apart, too. So
// the dimension is what `whole` has beyond the larger part.
BitSpace bit_space_apart(const BitSpace *a, const BitSpace *b,
                         const BitSpace *whole) {
  BitSpace meet = bit_space_meet(a, b);
  BitSpace a_own = bit_space_complement(&meet, a);
  BitSpace b_own = bit_space_complement(&meet, b);
  BitSpace both = bit_space_sum(a, b);
  BitSpace apart = bit_space_complement(&both, whole);
  for (uint32_t i = 0; i < a_own.dim && i < b_own.dim; i++)
    bit_space_add(&apart, a_own.rows[i] ^ b_own.rows[i]);
  return apart;
}

uint64_t bit_space_vector(const BitSpace *space, uint64_t i) {
  uint64_t vector = 0;
  for (uint32_t k = 0; k < space->dim; k++)
    vector ^= i >> k & 1 ? space->rows[k] : 0;
  return vector;
}

// --------------------------------------------------------------------- maps

uint64_t bit_map_apply(const BitMap *map, uint64_t in) {
  uint64_t out = 0;
  for (; in; in &= in - 1)
    out ^= map->columns[__builtin_ctzll(in)];
  return out;
}

BitMap bit_map_compose(const BitMap *outer, const BitMap *inner) {
  HD_ASSERT(inner->n_out == outer->n_in);
  BitMap map = {.n_in = inner->n_in, .n_out = outer->n_out};
  for (uint32_t i = 0; i < inner->n_in; i++)
    map.columns[i] = bit_map_apply(outer, inner->columns[i]);
  return map;
}

BitSpace bit_map_image(const BitMap *map, const BitSpace *in) {
  BitSpace image = {0};
  for (uint32_t i = 0; i < in->dim; i++)
    bit_space_add(&image, bit_map_apply(map, in->rows[i]));
  return image;
}

BitSpace bit_map_preimage(const BitMap *map, const BitSpace *out) {
  TracedRows traced = {0};
  BitSpace in = {0};
  for (uint32_t i = 0; i < out->dim; i++) {
    uint64_t part = 0;
    traced_add(&traced, out->rows[i], &part);
  }
  for (uint32_t i = 0; i < map->n_in; i++) {
    uint64_t part = UINT64_C(1) << i;
    if (!traced_add(&traced, map->columns[i], &part))
      bit_space_add(&in, part);
  }
  return in;
}

BitSpace bit_map_kernel(const BitMap *map) {
  BitSpace nothing = {0};
  return bit_map_preimage(map, &nothing);
}

bool bit_map_solve(const BitMap *map, uint64_t mask, uint64_t out,
                   uint64_t *in) {
  TracedRows traced = {0};
  for (uint32_t i = 0; i < map->n_in; i++) {
    uint64_t part = UINT64_C(1) << i;
    if (mask & part)
      traced_add(&traced, map->columns[i], &part);
  }
  *in = 0;
  traced_reduce(&traced, &out, in);
  return out == 0;
}

BitMap bit_map_invert(const BitMap *map) {
  TracedRows traced = {0};
  for (uint32_t i = 0; i < map->n_in; i++) {
    uint64_t part = UINT64_C(1) << i;
    traced_add(&traced, map->columns[i], &part);
  }
  BitMap inverse = {.n_in = map->n_out, .n_out = map->n_in};
  for (uint32_t i = 0; i < map->n_out; i++) {
    uint64_t out = UINT64_C(1) << i;
    traced_reduce(&traced, &out, &inverse.columns[i]);
  }
  return inverse;
}
