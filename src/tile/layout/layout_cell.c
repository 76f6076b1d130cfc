// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_cell.h"

static uint32_t drawn_of(uint32_t n, uint32_t most) {
  return n < most ? n : most;
}

LayoutTable table_of(const LayoutPicture *picture) {
  const TileLayout *layout = &picture->layout;
  LayoutTable table = {.picture = picture,
                       .inverse = bit_map_invert(&layout->map),
                       .n_planes = 1,
                       .n_rows = 1,
                       .n_columns = 1};
  for (uint32_t i = 0; i < layout->rank; i++) {
    uint32_t *n = i + 1 == layout->rank   ? &table.n_columns
                  : i + 2 == layout->rank ? &table.n_rows
                                          : &table.n_planes;
    *n *= layout_extent(layout, i);
  }
  table.planes = drawn_of(table.n_planes, DRAWN_PLANES);
  table.rows = drawn_of(table.n_rows, DRAWN_ROWS);
  table.columns = drawn_of(table.n_columns, DRAWN_COLUMNS);
  return table;
}

static TileIndex table_index(const LayoutTable *table, uint32_t plane,
                             uint32_t row, uint32_t column) {
  const TileLayout *layout = &table->picture->layout;
  TileIndex index = {0};
  uint32_t rank = layout->rank;
  if (rank > 0)
    index.of[rank - 1] = column;
  if (rank > 1)
    index.of[rank - 2] = row;
  for (uint32_t i = rank; i-- > 2;) {
    index.of[i - 2] = plane % layout_extent(layout, i - 2);
    plane /= layout_extent(layout, i - 2);
  }
  return index;
}

const char *table_plane(Arena *arena, const LayoutTable *table,
                        uint32_t plane) {
  TileIndex index = table_index(table, plane, 0, 0);
  Text text = {.arena = arena};
  for (uint32_t i = 0; i + 2 < table->picture->layout.rank; i++)
    text_printf(&text, "[%u]", index.of[i]);
  return text_cstr(&text);
}

LayoutPlace table_place(const LayoutTable *table, uint32_t plane, uint32_t row,
                        uint32_t column) {
  TileIndex index = table_index(table, plane, row, column);
  return layout_find(&table->picture->layout, &table->inverse, &index);
}

uint32_t picture_thread(const TileLayout *layout, const LayoutPlace *place) {
  return place->of[PLACE_WARP] * layout_count(layout, PLACE_LANE) +
         place->of[PLACE_LANE];
}

uint64_t picture_offset(const LayoutPicture *picture,
                        const LayoutPlace *place) {
  uint32_t bits = picture->element_bits;
  return (uint64_t)place->of[PLACE_OFFSET] * (bits < 8 ? 1 : bits / 8);
}

const char *table_cell(Arena *arena, const LayoutTable *table,
                       const LayoutPlace *place) {
  const TileLayout *layout = &table->picture->layout;
  if (table->picture->is_memory)
    return arena_printf(
        arena, "%llu",
        (unsigned long long)picture_offset(table->picture, place));
  return arena_printf(arena, "%u:%u", picture_thread(layout, place),
                      place->of[PLACE_REGISTER]);
}
