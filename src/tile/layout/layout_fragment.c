// SPDX-License-Identifier: Apache-2.0
// Fragments of mma.sync and wgmma: PTX ISA, "Matrix fragments for mma" and
// "Register fragments for wgmma".
//
// Note [Fragments]: in all of them but m8n8k4 of half, which is not here, four
// neighbouring lanes share a row of A or C, or a column of B, and eight such
// groups the rows or columns. A lane has neighbours along K that fill 32 bits,
// or one of 64 bits; of C it has two columns. Four lanes together are a chunk.
// Registers go on with the row 8 further down, then with further chunks, of B
// with these at once. So one rule makes the fragments of all shapes.
#include "tile/layout/layout_build.h"
#include "tile/layout/layout_make.h"

#include "base/bits.h"

static const char *const operand_names[] = {
    [OPERAND_A] = "mma_a", [OPERAND_B] = "mma_b", [OPERAND_C] = "mma_c"};
static const char *const wgmma_names[] = {
    [OPERAND_A] = "wgmma_a", [OPERAND_B] = "wgmma_b", [OPERAND_C] = "wgmma_c"};

// log2 of the neighbours that a lane has: those along K that fill 32 bits, two
// columns of C.
static uint32_t neighbour_bits(const LayoutTile *tile, MatrixOperand operand) {
  if (operand == OPERAND_C)
    return 1;
  return tile->element_bits < 32 ? bits_log2(32 / tile->element_bits) : 0;
}

// ----------------------------------------------------------------- problems

static const char *type_problem(const LayoutBuild *build,
                                MatrixOperand operand) {
  uint32_t bits = build->tile->element_bits;
  bool is_right = bits_is_power(bits) && bits <= 64 &&
                  (operand == OPERAND_C ? bits >= 16 : bits != 2);
  return is_right ? NULL
                  : arena_printf(build->arena,
                                 "%s has no fragments of elements of %u bits",
                                 build->name, bits);
}

// Shapes with 8 rows: integers of sm_75, and double.
static bool may_have_8_rows(const LayoutTile *tile, MatrixOperand operand) {
  uint32_t bits = tile->element_bits;
  return operand == OPERAND_C ? bits != 16 : bits != 16 && bits != 32;
}

static const char *mma_problem(const LayoutBuild *build,
                               MatrixOperand operand) {
  const LayoutTile *tile = build->tile;
  const char *why = build_needs_rank(build, 2);
  if (!why)
    why = type_problem(build, operand);
  if (!why)
    why = build_needs_warps(build, 1);
  uint32_t k = neighbour_bits(tile, operand) + 2;
  uint32_t rows = may_have_8_rows(tile, operand) ? 3 : 4;
  if (!why)
    why = build_needs_extent(build, 0, operand == OPERAND_B ? k : rows);
  return why ? why : build_needs_extent(build, 1, operand == OPERAND_A ? k : 3);
}

static const char *wgmma_problem(const LayoutBuild *build,
                                 MatrixOperand operand) {
  const LayoutTile *tile = build->tile;
  uint32_t bits = tile->element_bits;
  const char *why = build_needs_rank(build, 2);
  if (!why)
    why = type_problem(build, operand);
  if (!why && (bits == 64 || (operand == OPERAND_A && bits == 4)))
    why =
        arena_printf(build->arena, "%s has no fragments of elements of %u bits",
                     build->name, bits);
  if (!why)
    why = build_needs_warps(build, 4);
  if (!why)
    why = build_needs_extent(build, 0, 6);
  uint32_t columns =
      operand == OPERAND_C ? 3 : neighbour_bits(tile, operand) + 3;
  return why ? why : build_needs_extent(build, 1, columns);
}

// -------------------------------------------------------------------- warps

// Of the group's warps: those that share rows, those that share columns, and
// those that hold copies. Odd factors apart.
typedef struct {
  uint32_t row_bits, column_bits, copy_bits;
  uint32_t row_odd, column_odd;
} WarpShare;

static uint32_t bits_left(const LayoutBuild *build, uint32_t axis) {
  return build->end[axis] - build->next[axis];
}

// As many warps as there are rows for, the others along columns of C.
static WarpShare share_freely(const LayoutBuild *build, MatrixOperand operand) {
  uint32_t left = build_warp_bits(build->tile),
           odd = build_warp_odd(build->tile);
  WarpShare share = {.row_odd = 1, .column_odd = 1};
  if (operand != OPERAND_B) {
    share.row_bits = left < bits_left(build, 0) ? left : bits_left(build, 0);
    share.row_odd = build->layout.odd[0] == odd ? odd : 1;
    left -= share.row_bits;
  }
  if (operand == OPERAND_C) {
    uint32_t columns = build->layout.bits[1] - 3;
    share.column_bits = left < columns ? left : columns;
    left -= share.column_bits;
    if (share.row_odd == 1 && build->layout.odd[1] == odd)
      share.column_odd = odd;
  }
  share.copy_bits = left;
  return share;
}

static const char *share_as_told(const LayoutBuild *build, WarpGrid grid,
                                 MatrixOperand operand, WarpShare *share) {
  uint32_t warps = build->tile->n_threads / 32;
  if ((uint64_t)grid.rows * grid.columns != warps)
    return arena_printf(build->arena,
                        "%u * %u warps aren't the %u of the group", grid.rows,
                        grid.columns, warps);
  *share = (WarpShare){bits_log2(bits_lowest(grid.rows)),
                       bits_log2(bits_lowest(grid.columns)), 0,
                       grid.rows / (uint32_t)bits_lowest(grid.rows),
                       grid.columns / (uint32_t)bits_lowest(grid.columns)};
  const char *why = NULL;
  if (operand != OPERAND_B)
    why = build_needs_extent(build, 0, build->next[0] + share->row_bits);
  if (!why && operand != OPERAND_A)
    why = build_needs_extent(build, 1, 3 + share->column_bits);
  return why;
}

// The odd factor of a grid's side counts that of the axis, or copies of an
// operand that doesn't have this side.
static const char *place_odd(LayoutBuild *build, uint32_t odd, bool has_side,
                             uint32_t axis) {
  if (odd == 1)
    return NULL;
  if (!has_side)
    layout_add_odd(&build->layout, PLACE_WARP, odd, -1);
  else if (!build_count(build, PLACE_WARP, odd, axis))
    return arena_printf(build->arena,
                        "the warps along axis %u have the odd factor %u, its "
                        "%u elements have %u",
                        axis, odd, build->tile->extents[axis],
                        build->layout.odd[axis]);
  return NULL;
}

static const char *place_warps(LayoutBuild *build, WarpGrid grid,
                               MatrixOperand operand) {
  bool is_told = grid.rows > 0;
  WarpShare share;
  const char *why = NULL;
  if (is_told)
    why = share_as_told(build, grid, operand, &share);
  else
    share = share_freely(build, operand);
  if (why)
    return why;
  if (operand == OPERAND_B)
    build_copies(build, PLACE_WARP, share.row_bits);
  else
    build_take(build, PLACE_WARP, 0, share.row_bits);
  if (operand == OPERAND_A)
    build_copies(build, PLACE_WARP, share.column_bits);
  else
    build_take_high(build, PLACE_WARP, 1, share.column_bits);
  build_copies(build, PLACE_WARP, share.copy_bits);
  why = place_odd(build, share.row_odd, operand != OPERAND_B, 0);
  if (!why)
    why = place_odd(build, share.column_odd, operand != OPERAND_A, 1);
  uint32_t odd = build_warp_odd(build->tile);
  if (!why && !is_told && share.row_odd * share.column_odd != odd)
    layout_add_odd(&build->layout, PLACE_WARP, odd, -1);
  return why;
}

// ---------------------------------------------------------------- fragments

static const char *make_fragment(LayoutBuild *build, MatrixOperand operand,
                                 WarpGrid grid, TileLayout *out) {
  uint32_t k = operand == OPERAND_B ? 0 : 1; // of C: columns
  uint32_t groups = 1 - k;
  build_take(build, PLACE_REGISTER, k, neighbour_bits(build->tile, operand));
  build_take(build, PLACE_LANE, k, 2);
  build_take(build, PLACE_LANE, groups, 3);
  if (operand == OPERAND_B)
    build_take_some(build, PLACE_REGISTER, k,
                    build->tile->element_bits == 64 ? 2 : 1);
  else
    build_take_some(build, PLACE_REGISTER, groups, 1);
  const char *why = place_warps(build, grid, operand);
  build_rest(build);
  *out = build->layout;
  return why;
}

const char *layout_mma(Arena *arena, MatrixOperand operand,
                       const LayoutTile *tile, WarpGrid grid, TileLayout *out) {
  LayoutBuild build = build_begin(arena, operand_names[operand], tile);
  const char *why = mma_problem(&build, operand);
  return why ? why : make_fragment(&build, operand, grid, out);
}

const char *layout_wgmma(Arena *arena, MatrixOperand operand,
                         const LayoutTile *tile, TileLayout *out) {
  HD_ASSERT(operand != OPERAND_B); // wgmma reads it from shared memory
  LayoutBuild build = build_begin(arena, wgmma_names[operand], tile);
  const char *why = wgmma_problem(&build, operand);
  return why ? why : make_fragment(&build, operand, (WarpGrid){0, 0}, out);
}
