// SPDX-License-Identifier: Apache-2.0
// Layouts as programs and the command line name them.
#ifndef HD_TILE_LAYOUT_LAYOUT_NAME_H
#define HD_TILE_LAYOUT_LAYOUT_NAME_H

#include "tile/layout/layout_make.h"

// A name with numbers, such as blocked(1, 8) or mma_c(2, 2); or bits of places.
typedef struct {
  const char *name; // NULL: by bits
  uint32_t n_numbers;
  uint32_t numbers[LAYOUT_MAX_RANK];
  LayoutBits bits[N_PLACES];
} LayoutSpec;

// Who has the layout.
typedef enum {
  LAYOUT_OF_TILE,        // registers of threads
  LAYOUT_OF_INSTRUCTION, // likewise, of what one instruction moves
  LAYOUT_OF_MEMORY,      // shared arrays
} LayoutOwner;

// Name i, and whose it is; NULL: there are no more. Bits are of tiles.
const char *layout_name(uint32_t i, LayoutOwner *owner);

// As the functions of layout_make.h. The name must be one of the above.
const char *layout_named(Arena *arena, const LayoutTile *tile,
                         const LayoutSpec *spec, TileLayout *out);

#endif
