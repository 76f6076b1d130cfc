// SPDX-License-Identifier: Apache-2.0
// What tests of layouts share. Include it after cmocka's headers.
#ifndef HD_TESTS_UNIT_TILE_LAYOUT_CHECK_H
#define HD_TESTS_UNIT_TILE_LAYOUT_CHECK_H

#include "tile/layout/layout_make.h"

#include <string.h>

static inline TileIndex held_at(const TileLayout *layout, uint32_t reg,
                                uint32_t lane, uint32_t warp) {
  LayoutPlace place = {
      {[PLACE_REGISTER] = reg, [PLACE_LANE] = lane, [PLACE_WARP] = warp}};
  return layout_at(layout, &place);
}

static inline LayoutPlace find_place(const TileLayout *layout,
                                     const TileIndex *index) {
  BitMap inverse = bit_map_invert(&layout->map);
  return layout_find(layout, &inverse, index);
}

static inline LayoutTile matrix_tile(uint32_t rows, uint32_t columns,
                                     uint32_t element_bits,
                                     uint32_t n_threads) {
  return (LayoutTile){2, {rows, columns}, element_bits, n_threads};
}

#endif
