// SPDX-License-Identifier: Apache-2.0
// Blocks of neighbours, and layouts given bit by bit.
#include "tile/layout/layout_build.h"
#include "tile/layout/layout_make.h"

#include "base/bits.h"
#include "base/text.h"

// ------------------------------------------------------------------- blocks

static const char *block_problem(const LayoutBuild *build, uint32_t axis,
                                 uint32_t n) {
  if (!bits_is_power(n))
    return arena_printf(build->arena,
                        "%u elements a thread along axis %u aren't a power of "
                        "two",
                        n, axis);
  return build_needs_extent(build, axis, bits_log2(n));
}

// n bits of the place, along the last axis first; else copies.
static void fill_place(LayoutBuild *build, PlaceKind place, uint32_t n) {
  for (uint32_t i = build->layout.rank; i-- > 0;)
    n -= build_take_some(build, place, i, n);
  build_copies(build, place, n);
}

// The odd factor of the warps counts that of an axis, the last one first; else
// it tells copies apart.
static void fill_warp_odd(LayoutBuild *build) {
  uint32_t odd = build_warp_odd(build->tile);
  if (odd == 1)
    return;
  for (uint32_t i = build->layout.rank; i-- > 0;) {
    if (build_count(build, PLACE_WARP, odd, i))
      return;
  }
  layout_add_odd(&build->layout, PLACE_WARP, odd, -1);
}

const char *layout_blocked(Arena *arena, const LayoutTile *tile,
                           const uint32_t per_thread[LAYOUT_MAX_RANK],
                           TileLayout *out) {
  LayoutBuild build = build_begin(arena, "blocked", tile);
  for (uint32_t i = 0; i < tile->rank; i++) {
    const char *why = block_problem(&build, i, per_thread[i]);
    if (why)
      return why;
  }
  for (uint32_t i = tile->rank; i-- > 0;)
    build_take(&build, PLACE_REGISTER, i, bits_log2(per_thread[i]));
  fill_place(&build, PLACE_LANE, build_lane_bits(tile));
  fill_place(&build, PLACE_WARP, build_warp_bits(tile));
  fill_warp_odd(&build);
  build_rest(&build);
  *out = build.layout;
  return NULL;
}

// --------------------------------------------------------------- bit by bit

static const char *const place_names[N_PLACES] = {[PLACE_REGISTER] = "reg",
                                                  [PLACE_LANE] = "lane",
                                                  [PLACE_WARP] = "warp",
                                                  [PLACE_BLOCK] = "block",
                                                  [PLACE_OFFSET] = "offset"};

// What an offset adds, as a vector of the map's output. False: it is beyond
// the bits of the axis.
static bool offset_vector(const TileLayout *layout, const TileIndex *offset,
                          uint64_t *out, uint32_t *axis) {
  *out = 0;
  for (*axis = 0; *axis < layout->rank; ++*axis) {
    uint32_t bits = layout->bits[*axis], part = offset->of[*axis];
    if (part > bit_mask(bits))
      return false;
    for (uint32_t k = 0; k < bits; k++)
      *out |= part >> k & 1 ? layout_axis_bit(layout, *axis, k) : 0;
  }
  return true;
}

static const char *place_bits_problem(LayoutBuild *build, PlaceKind place,
                                      uint32_t have) {
  uint32_t need = place == PLACE_LANE   ? build_lane_bits(build->tile)
                  : place == PLACE_WARP ? build_warp_bits(build->tile)
                                        : have;
  return have == need
             ? NULL
             : arena_printf(build->arena,
                            "%s has %u bit%s, a group of %u threads has %u",
                            place_names[place], have, text_plural(have),
                            build->tile->n_threads, need);
}

static const char *add_place_bits(LayoutBuild *build, PlaceKind place,
                                  const LayoutBits *bits) {
  const char *why = place_bits_problem(build, place, bits->n);
  for (uint32_t i = 0; !why && i < bits->n; i++) {
    uint64_t out;
    uint32_t axis;
    if (offset_vector(&build->layout, &bits->offsets[i], &out, &axis))
      layout_add_bit(&build->layout, place, out);
    else
      why = arena_printf(build->arena,
                         "bit %u of %s adds %u along axis %u, whose %u "
                         "elements are %u times bits 0 to %d",
                         i, place_names[place], bits->offsets[i].of[axis], axis,
                         build->tile->extents[axis], build->layout.odd[axis],
                         (int)build->layout.bits[axis] - 1);
  }
  return why;
}

static const char *add_digit(LayoutBuild *build, PlaceKind place, int axis) {
  if (axis < 0)
    return NULL;
  uint32_t i = (uint32_t)axis;
  if (i >= build->tile->rank || build->is_counted[i])
    return arena_printf(build->arena,
                        "axis %u has no odd factor that %s could count", i,
                        place_names[place]);
  uint32_t odd = build->layout.odd[i];
  if (place == PLACE_WARP && odd != build_warp_odd(build->tile))
    return arena_printf(build->arena,
                        "the warps have the odd factor %u, axis %u has %u",
                        build_warp_odd(build->tile), i, odd);
  if (place != PLACE_WARP && place != PLACE_REGISTER)
    return arena_printf(build->arena, "%s has no odd factor",
                        place_names[place]);
  build_count(build, place, odd, i);
  return NULL;
}

// The lowest bit of an index that no sum of places reaches.
static const char *missing_bit(const LayoutBuild *build) {
  const TileLayout *layout = &build->layout;
  for (uint32_t i = 0; i < layout->rank; i++) {
    if (!build->is_counted[i])
      return arena_printf(build->arena,
                          "nothing counts the odd factor %u of axis %u",
                          layout->odd[i], i);
    for (uint32_t k = 0; k < layout->bits[i]; k++) {
      uint64_t in;
      if (!bit_map_solve(&layout->map, bit_mask(layout->map.n_in),
                         layout_axis_bit(layout, i, k), &in))
        return arena_printf(build->arena,
                            "no place reaches bit %u of the index along axis "
                            "%u",
                            k, i);
    }
  }
  return NULL;
}

const char *layout_of_bits(Arena *arena, const LayoutTile *tile,
                           const LayoutBits bits[N_PLACES], TileLayout *out) {
  LayoutBuild build = build_begin(arena, "it", tile);
  uint32_t n = 0;
  for (PlaceKind i = 0; i < N_PLACES; i++)
    n += bits[i].n;
  if (n > BIT_MAP_MAX)
    return arena_printf(arena, "it has %u bits: the limit is %d", n,
                        BIT_MAP_MAX);
  const char *why = NULL;
  for (PlaceKind i = 0; !why && i < N_PLACES; i++) {
    why = add_place_bits(&build, i, &bits[i]);
    if (!why)
      why = add_digit(&build, i, bits[i].odd_axis);
  }
  if (!why && bits[PLACE_WARP].odd_axis < 0 && build_warp_odd(tile) > 1)
    layout_add_odd(&build.layout, PLACE_WARP, build_warp_odd(tile), -1);
  *out = build.layout;
  return why ? why : missing_bit(&build);
}
