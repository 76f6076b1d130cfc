// SPDX-License-Identifier: Apache-2.0
// Types of tiles: which shapes there are.
#include "sema/type/types.h"

#include <string.h>

const Type *type_tile_of(TypeTable *table, const Type *type,
                         const Type *element) {
  if (type->kind != TY_TILE)
    return element;
  return type_tile(table, element, type->u.tile.rank, type->u.tile.extents);
}

const Type *type_tile_element(const Type *type) {
  return type->kind == TY_TILE ? type->u.tile.element : type;
}

uint32_t type_tile_count(const Type *type) {
  uint32_t count = 1;
  for (uint32_t i = 0; type->kind == TY_TILE && i < type->u.tile.rank; i++)
    count *= type->u.tile.extents[i];
  return count;
}

bool type_same_extents(const Type *a, const Type *b) {
  if (a->kind != TY_TILE || b->kind != TY_TILE)
    return a->kind != TY_TILE && b->kind != TY_TILE;
  return a->u.tile.rank == b->u.tile.rank &&
         memcmp(a->u.tile.extents, b->u.tile.extents,
                a->u.tile.rank * sizeof *a->u.tile.extents) == 0;
}

bool type_tile_extent_fits(int64_t extent) {
  if (extent < 1 || extent > TYPE_MAX_TILE_ELEMENTS)
    return false;
  while (extent % 2 == 0)
    extent /= 2;
  return extent <= TYPE_MAX_TILE_FACTOR;
}

void type_tile_near_extents(int64_t extent, int64_t *below, int64_t *above) {
  *below = extent < TYPE_MAX_TILE_ELEMENTS ? extent : TYPE_MAX_TILE_ELEMENTS;
  while (*below > 0 && !type_tile_extent_fits(*below))
    --*below;
  *below = *below > 0 ? *below : 0;
  *above = extent > 1 ? extent : 1;
  while (*above <= TYPE_MAX_TILE_ELEMENTS && !type_tile_extent_fits(*above))
    ++*above;
  *above = *above <= TYPE_MAX_TILE_ELEMENTS ? *above : 0;
}
