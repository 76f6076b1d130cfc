// SPDX-License-Identifier: Apache-2.0
// Linear maps and subspaces over bits (GF(2)): a number is a vector of bits,
// its sum with another is their exclusive or.
//
// All are values: nothing to free. Of a map's or a space's vectors the bits
// above its width are 0.
#ifndef HD_TILE_LAYOUT_BIT_MAP_H
#define HD_TILE_LAYOUT_BIT_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum { BIT_MAP_MAX = 64 }; // bits of a vector

// The numbers with bits below n.
static inline uint64_t bit_mask(uint32_t n) {
  return n >= BIT_MAP_MAX ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

// ------------------------------------------------------------------- spaces

// The sums of its rows, which are independent. No row has the highest bit of
// another, so that a vector has one form modulo the space.
typedef struct {
  uint32_t dim;
  uint64_t rows[BIT_MAP_MAX];
} BitSpace;

// What is left of the vector modulo the space: 0 if it lies in it.
uint64_t bit_space_reduce(const BitSpace *space, uint64_t vector);
// False: the vector lay in the space already.
bool bit_space_add(BitSpace *space, uint64_t vector);
// All vectors of the bits of the mask.
BitSpace bit_space_of(uint64_t mask);
BitSpace bit_space_sum(const BitSpace *a, const BitSpace *b);
BitSpace bit_space_meet(const BitSpace *a, const BitSpace *b);
// With `part` it makes up `whole`, of which part is a part, and shares 0 with
// it. Its rows are rows of `whole`.
BitSpace bit_space_complement(const BitSpace *part, const BitSpace *whole);
// As large as possible within `whole`, and shares only 0 with each of the two
// parts of it: its dimension is that of `whole` less the larger part's.
BitSpace bit_space_apart(const BitSpace *a, const BitSpace *b,
                         const BitSpace *whole);
// Number i, below 2^dim, of its vectors; number 0 is 0.
uint64_t bit_space_vector(const BitSpace *space, uint64_t i);

// --------------------------------------------------------------------- maps

typedef struct {
  uint32_t n_in, n_out;          // bits
  uint64_t columns[BIT_MAP_MAX]; // n_in of them: what each bit is mapped to
} BitMap;

uint64_t bit_map_apply(const BitMap *map, uint64_t in);
// inner, then outer. Needs inner's n_out to be outer's n_in.
BitMap bit_map_compose(const BitMap *outer, const BitMap *inner);
// What the vectors of a space are mapped to; which are mapped into one.
BitSpace bit_map_image(const BitMap *map, const BitSpace *in);
BitSpace bit_map_preimage(const BitMap *map, const BitSpace *out);
// The vectors that are mapped to 0.
BitSpace bit_map_kernel(const BitMap *map);
// False: no vector of the bits of `mask` is mapped to `out`. Of several it
// gives one that depends linearly on `out`.
bool bit_map_solve(const BitMap *map, uint64_t mask, uint64_t out,
                   uint64_t *in);
// x with map(x(v)) = v for all v that the map reaches, and 0 for vectors that
// complete these: the inverse of a bijection, from the right of a surjection,
// from the left of an injection.
BitMap bit_map_invert(const BitMap *map);

#endif
