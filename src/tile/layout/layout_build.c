// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_build.h"

#include "base/bits.h"

LayoutBuild build_begin(Arena *arena, const char *name,
                        const LayoutTile *tile) {
  LayoutBuild build = {
      .arena = arena, .name = name, .tile = tile, .layout = layout_begin(tile)};
  for (uint32_t i = 0; i < tile->rank; i++) {
    build.end[i] = build.layout.bits[i];
    build.is_counted[i] = build.layout.odd[i] == 1;
  }
  return build;
}

void build_take(LayoutBuild *build, PlaceKind place, uint32_t axis,
                uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    HD_ASSERT(build->next[axis] < build->end[axis]);
    layout_add_bit(&build->layout, place,
                   layout_axis_bit(&build->layout, axis, build->next[axis]++));
  }
}

void build_take_high(LayoutBuild *build, PlaceKind place, uint32_t axis,
                     uint32_t n) {
  HD_ASSERT(build->next[axis] + n <= build->end[axis]);
  build->end[axis] -= n;
  for (uint32_t i = 0; i < n; i++)
    layout_add_bit(&build->layout, place,
                   layout_axis_bit(&build->layout, axis, build->end[axis] + i));
}

uint32_t build_take_some(LayoutBuild *build, PlaceKind place, uint32_t axis,
                         uint32_t n) {
  uint32_t left = build->end[axis] - build->next[axis];
  n = n < left ? n : left;
  build_take(build, place, axis, n);
  return n;
}

void build_copies(LayoutBuild *build, PlaceKind place, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    layout_add_bit(&build->layout, place, 0);
}

bool build_count(LayoutBuild *build, PlaceKind place, uint32_t factor,
                 uint32_t axis) {
  if (build->is_counted[axis] || build->layout.odd[axis] != factor)
    return false;
  build->is_counted[axis] = true;
  layout_add_odd(&build->layout, place, factor, (int)axis);
  return true;
}

void build_rest(LayoutBuild *build) {
  uint32_t rank = build->layout.rank;
  for (uint32_t i = rank; i-- > 0;)
    build_take_some(build, PLACE_REGISTER, i, BIT_MAP_MAX);
  for (uint32_t i = rank; i-- > 0;)
    build_count(build, PLACE_REGISTER, build->layout.odd[i], i);
}

// ------------------------------------------------------------------- groups

uint32_t build_lane_bits(const LayoutTile *tile) {
  return tile->n_threads < 32 ? bits_log2(tile->n_threads) : 5;
}

static uint32_t build_warps(const LayoutTile *tile) {
  return tile->n_threads < 32 ? 1 : tile->n_threads / 32;
}

uint32_t build_warp_bits(const LayoutTile *tile) {
  return bits_log2(bits_lowest(build_warps(tile)));
}

uint32_t build_warp_odd(const LayoutTile *tile) {
  return build_warps(tile) / (uint32_t)bits_lowest(build_warps(tile));
}

// ----------------------------------------------------------------- problems

// "bit 3 of the lane doesn't fit", "bits 3 to 5 …": those from `have` on and
// below `need`.
static const char *bits_that_dont_fit(Arena *arena, uint32_t have,
                                      uint32_t need, const char *what) {
  return need - have == 1
             ? arena_printf(arena, "bit %u of %s doesn't fit", have, what)
             : arena_printf(arena, "bits %u to %u of %s don't fit", have,
                            need - 1, what);
}

const char *build_needs_extent(const LayoutBuild *build, uint32_t axis,
                               uint32_t n_bits) {
  uint32_t have = build->layout.bits[axis];
  return have >= n_bits
             ? NULL
             : arena_printf(
                   build->arena,
                   "%s needs a multiple of %u elements along axis %u, "
                   "not %u: %s",
                   build->name, 1U << n_bits, axis, build->tile->extents[axis],
                   bits_that_dont_fit(build->arena, have, n_bits, "the index"));
}

const char *build_needs_rank(const LayoutBuild *build, uint32_t rank) {
  return build->tile->rank == rank
             ? NULL
             : arena_printf(build->arena,
                            "%s needs a tile of %u dimensions, not %u",
                            build->name, rank, build->tile->rank);
}

const char *build_needs_warps(const LayoutBuild *build, uint32_t n) {
  uint32_t threads = build->tile->n_threads;
  if (threads < 32)
    return arena_printf(
        build->arena, "%s needs whole warps, not %u thread%s: %s", build->name,
        threads, threads == 1 ? "" : "s",
        bits_that_dont_fit(build->arena, bits_log2(threads), 5, "the lane"));
  uint32_t have = build_warp_bits(build->tile), need = bits_log2(n);
  return have >= need
             ? NULL
             : arena_printf(
                   build->arena,
                   "%s needs a multiple of %u threads, not %u: %s", build->name,
                   32 * n, threads,
                   bits_that_dont_fit(build->arena, have, need, "the warp"));
}
