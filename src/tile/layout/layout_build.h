// SPDX-License-Identifier: Apache-2.0
// Layouts in the making: which bits of each axis have no place yet.
#ifndef HD_TILE_LAYOUT_LAYOUT_BUILD_H
#define HD_TILE_LAYOUT_LAYOUT_BUILD_H

#include "tile/layout/layout_form.h"

typedef struct {
  Arena *arena;     // of texts
  const char *name; // of the layout, for texts
  const LayoutTile *tile;
  TileLayout layout;
  // Bits of an axis from next on and below end have no place.
  uint32_t next[LAYOUT_MAX_RANK], end[LAYOUT_MAX_RANK];
  bool is_counted[LAYOUT_MAX_RANK]; // the odd factor has a digit
} LayoutBuild;

LayoutBuild build_begin(Arena *arena, const char *name, const LayoutTile *tile);
// The next n bits of the axis go to the place; they must be there.
void build_take(LayoutBuild *build, PlaceKind place, uint32_t axis, uint32_t n);
// The highest n, likewise.
void build_take_high(LayoutBuild *build, PlaceKind place, uint32_t axis,
                     uint32_t n);
// Up to n, and how many they were.
uint32_t build_take_some(LayoutBuild *build, PlaceKind place, uint32_t axis,
                         uint32_t n);
// n bits that tell copies apart.
void build_copies(LayoutBuild *build, PlaceKind place, uint32_t n);
// A digit of the place that counts the axis' odd factor, if that is `factor`
// and not counted yet. Else false.
bool build_count(LayoutBuild *build, PlaceKind place, uint32_t factor,
                 uint32_t axis);
// What is left over goes to registers, the last axis first.
void build_rest(LayoutBuild *build);

// log2 of the group's lanes and warps, the odd factor of the latter.
uint32_t build_lane_bits(const LayoutTile *tile);
uint32_t build_warp_bits(const LayoutTile *tile);
uint32_t build_warp_odd(const LayoutTile *tile);

// NULL, or that the axis has no multiple of 2^n_bits elements.
const char *build_needs_extent(const LayoutBuild *build, uint32_t axis,
                               uint32_t n_bits);
const char *build_needs_rank(const LayoutBuild *build, uint32_t rank);
// NULL, or that the group isn't whole warps, n at least and a multiple of them.
const char *build_needs_warps(const LayoutBuild *build, uint32_t n);

#endif
