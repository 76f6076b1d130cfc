// SPDX-License-Identifier: Apache-2.0
// Random kernels of the level TILES, as IR text.
#ifndef HD_FUZZ_TILES_GEN_H
#define HD_FUZZ_TILES_GEN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define TILE_TYPES      9 // element types
#define TILE_RANKS      3 // an array of each type has 1, 2 and 3 dimensions
#define TILE_ARRAYS     (TILE_TYPES * TILE_RANKS)
#define TILE_ROW_LENGTH 4096 // of the arrays of one dimension

typedef struct {
  const char *name; // "f32"
  uint32_t bytes;
  bool is_float, is_signed;
} TileElement;

extern const TileElement tile_elements[TILE_TYPES];

// Parameter i is an array of type i / TILE_RANKS with i % TILE_RANKS + 1
// dimensions.
typedef struct {
  uint32_t rank;
  uint32_t extents[TILE_RANKS];
} TileArrayShape;

typedef struct {
  const char *text; // the module; its kernel is "k"
  TileArrayShape arrays[TILE_ARRAYS];
  uint32_t grid[3];
} TileProgram;

// What the target's products of narrow floats are.
typedef enum {
  SUMS_CHAINED, // those of half; bfloat16 may be rounded before it is added
  SUMS_CUT, // tensor cores add: operands are small integers and no -0, and all
            // sums exact
  SUMS_KNOWN, // they add, and it is known how: any operands
} TileSums;

// At most `budget` statements; every fourth program is a loop of products in
// several blocks instead, in every fourth the block's threads hold the tiles.
// Every float that is combined in an order that is left open is an integer, so
// that the order doesn't show.
TileProgram tile_generate(Arena *arena, uint64_t seed, uint32_t budget,
                          TileSums sums);

uint64_t tile_random(uint64_t *state);

#endif
