// SPDX-License-Identifier: Apache-2.0
// Tiles in shared memory, row-major or as TMA writes them: PTX ISA, "Tensor
// swizzling modes".
#include "tile/layout/layout_build.h"
#include "tile/layout/layout_make.h"

#include "base/bits.h"

enum {
  CHUNK_BIT = 4,   // of a byte's address: swizzles move chunks of 16 bytes
  PATTERN_BIT = 7, // by the bits from here on
};

// All that is left of the axis.
static void take_axis(LayoutBuild *build, uint32_t axis) {
  build_take_some(build, PLACE_OFFSET, axis, BIT_MAP_MAX);
  build_count(build, PLACE_OFFSET, build->layout.odd[axis], axis);
}

// The bit of an offset that is bit `bit` of a byte's address.
static uint32_t offset_bit(const LayoutTile *tile, uint32_t bit) {
  return bit + 3 - bits_log2(tile->element_bits);
}

static const char *swizzle_problem(const LayoutBuild *build, uint32_t bytes) {
  const LayoutTile *tile = build->tile;
  if (bytes != 0 && bytes != 32 && bytes != 64 && bytes != 128)
    return arena_printf(build->arena, "there is no swizzle of %u bytes", bytes);
  if (bytes == 0)
    return NULL;
  if (tile->rank < 2)
    return arena_printf(build->arena,
                        "%s needs a tile of two dimensions or more, not %u",
                        build->name, tile->rank);
  uint32_t row = tile->rank - 1;
  return build_needs_extent(build, row, offset_bit(tile, bits_log2(bytes)));
}

// Odd factors whose digits stand below a bit of the pattern make it another bit
// of the address.
static const char *digit_problem(const LayoutBuild *build, uint32_t bytes) {
  uint32_t pattern =
      offset_bit(build->tile, PATTERN_BIT + bits_log2(bytes / 16));
  for (uint32_t i = 0; i < build->layout.n_odds; i++) {
    const LayoutOdd *odd = &build->layout.odds[i];
    if (odd->below < pattern)
      return arena_printf(build->arena,
                          "%s repeats every %u bytes: the odd factor %u of "
                          "axis %d comes after %u elements",
                          build->name, 8 * bytes, odd->factor, odd->axis,
                          1U << odd->below);
  }
  return NULL;
}

// Bit `bit` of a byte's address is exclusive-ored into bit `to`: so what lies
// at an offset with it is what lay where the other bit is the other way.
static void swizzle_bit(TileLayout *layout, const LayoutTile *tile,
                        uint32_t bit, uint32_t to) {
  uint32_t from = offset_bit(tile, bit);
  if (from < layout->place_bits[PLACE_OFFSET])
    layout->map.columns[from] ^= layout->map.columns[offset_bit(tile, to)];
}

const char *layout_shared(Arena *arena, const LayoutTile *tile,
                          uint32_t swizzle_bytes, TileLayout *out) {
  const char *name = swizzle_bytes == 32    ? "swizzle32"
                     : swizzle_bytes == 64  ? "swizzle64"
                     : swizzle_bytes == 128 ? "swizzle128"
                                            : "row_major";
  LayoutBuild build = build_begin(arena, name, tile);
  const char *why = swizzle_problem(&build, swizzle_bytes);
  if (why)
    return why;
  uint32_t rank = tile->rank, first = rank;
  if (swizzle_bytes) {
    uint32_t panel = offset_bit(tile, bits_log2(swizzle_bytes));
    build_take(&build, PLACE_OFFSET, rank - 1, panel);
    take_axis(&build, rank - 2);
    take_axis(&build, rank - 1);
    first = rank - 2;
  }
  for (uint32_t i = first; i-- > 0;)
    take_axis(&build, i);
  for (uint32_t i = 0; 16U << i < swizzle_bytes; i++)
    swizzle_bit(&build.layout, tile, PATTERN_BIT + i, CHUNK_BIT + i);
  *out = build.layout;
  return swizzle_bytes ? digit_problem(&build, swizzle_bytes) : NULL;
}
