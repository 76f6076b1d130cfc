// SPDX-License-Identifier: Apache-2.0
// The cells of a picture of a layout.
#ifndef HD_TILE_LAYOUT_LAYOUT_CELL_H
#define HD_TILE_LAYOUT_LAYOUT_CELL_H

#include "tile/layout/layout_draw.h"

enum { DRAWN_ROWS = 128, DRAWN_COLUMNS = 128, DRAWN_PLANES = 4 };

// A tile as planes of rows of columns: of the leading axes, and the last two.
typedef struct {
  const LayoutPicture *picture;
  BitMap inverse;
  uint32_t n_planes, n_rows, n_columns; // of the tile
  uint32_t planes, rows, columns;       // that are drawn
} LayoutTable;

LayoutTable table_of(const LayoutPicture *picture);
// The indices of the leading axes: "[1][0]", in memory of the arena.
const char *table_plane(Arena *arena, const LayoutTable *table, uint32_t plane);
LayoutPlace table_place(const LayoutTable *table, uint32_t plane, uint32_t row,
                        uint32_t column);
const char *table_cell(Arena *arena, const LayoutTable *table,
                       const LayoutPlace *place);

// Threads of the group, from 0 on.
uint32_t picture_thread(const TileLayout *layout, const LayoutPlace *place);
// In bytes; in elements where these have fewer than 8 bits.
uint64_t picture_offset(const LayoutPicture *picture, const LayoutPlace *place);

#endif
