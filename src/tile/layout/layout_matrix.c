// SPDX-License-Identifier: Apache-2.0
// What ldmatrix and stmatrix leave in registers or take from there, and
// tcgen05.ld and tcgen05.st: PTX ISA, "Warp-level matrix load instruction",
// "Warp-level matrix store instruction", "Data movement shape".
#include "tile/layout/layout_build.h"
#include "tile/layout/layout_make.h"

#include "base/bits.h"

// ----------------------------------------------------------------- matrices

static const struct {
  const char *name;
  uint32_t element_bits, rows; // of a matrix; its rows have 16 bytes
  uint32_t most;               // matrices
  // log2 of the neighbours in 32 bits: along a column, along a row.
  uint32_t row_neighbours, column_neighbours;
  bool is_transposed; // four neighbouring lanes share a column, else a row
} matrix_forms[N_MATRIX_FORMS] = {
    [MATRIX_B16] = {"ldmatrix", 16, 8, 4, 0, 1, false},
    [MATRIX_B16_TRANS] = {"ldmatrix_trans", 16, 8, 4, 1, 0, true},
    [MATRIX_LD_B8_TRANS] = {"ldmatrix_trans", 8, 16, 2, 2, 0, true},
    [MATRIX_LD_B8X16] = {"ldmatrix", 8, 8, 4, 0, 2, false},
    [MATRIX_ST_B8_TRANS] = {"stmatrix_trans", 8, 8, 4, 1, 0, true},
};

static const char *matrices_problem(const LayoutBuild *build, MatrixForm form) {
  const LayoutTile *tile = build->tile;
  const char *why = build_needs_rank(build, 2);
  if (!why && tile->element_bits != matrix_forms[form].element_bits)
    why = arena_printf(build->arena, "%s has elements of %u bits, not %u",
                       build->name, matrix_forms[form].element_bits,
                       tile->element_bits);
  if (!why)
    why = build_needs_warps(build, 1);
  if (!why)
    why = build_needs_extent(build, 0, bits_log2(matrix_forms[form].rows));
  uint32_t columns = 128 / matrix_forms[form].element_bits;
  if (!why && tile->extents[1] != columns)
    why = arena_printf(build->arena, "%s has rows of %u elements, not %u",
                       build->name, columns, tile->extents[1]);
  uint32_t most = matrix_forms[form].most * matrix_forms[form].rows;
  if (!why && (tile->extents[0] > most || build->layout.odd[0] > 1))
    why = arena_printf(build->arena,
                       "%s has %u rows at most, a power of two, not %u",
                       build->name, most, tile->extents[0]);
  return why || tile->n_threads == 32
             ? why
             : arena_printf(build->arena, "%s is of one warp, not %u threads",
                            build->name, tile->n_threads);
}

const char *layout_matrices(Arena *arena, MatrixForm form,
                            const LayoutTile *tile, TileLayout *out) {
  HD_ASSERT(form < N_MATRIX_FORMS);
  LayoutBuild build = build_begin(arena, matrix_forms[form].name, tile);
  const char *why = matrices_problem(&build, form);
  if (why)
    return why;
  bool is_transposed = matrix_forms[form].is_transposed;
  build_take(&build, PLACE_REGISTER, 0, matrix_forms[form].row_neighbours);
  build_take(&build, PLACE_REGISTER, 1, matrix_forms[form].column_neighbours);
  build_take(&build, PLACE_LANE, is_transposed ? 0 : 1, 2);
  build_take(&build, PLACE_LANE, is_transposed ? 1 : 0, 3);
  build_rest(&build);
  *out = build.layout;
  return NULL;
}

// ------------------------------------------------------------ tensor memory

static const char *const tmem_names[] = {[TMEM_32X32B] = "tmem_32x32b",
                                         [TMEM_16X64B] = "tmem_16x64b",
                                         [TMEM_16X128B] = "tmem_16x128b",
                                         [TMEM_16X256B] = "tmem_16x256b"};

static const char *tmem_problem(const LayoutBuild *build, TmemShape shape) {
  const LayoutTile *tile = build->tile;
  const char *why = build_needs_rank(build, 2);
  if (!why && tile->n_threads != 128)
    why = arena_printf(build->arena,
                       "%s is of a warpgroup of 128 threads, not %u",
                       build->name, tile->n_threads);
  if (!why && (tile->element_bits < 8 || tile->element_bits > 32))
    why = arena_printf(build->arena,
                       "%s has no elements of %u bits: columns have 32",
                       build->name, tile->element_bits);
  uint32_t rows = tile->rank == 2 ? tile->extents[0] : 0;
  if (!why && rows != 128 && (rows != 64 || shape == TMEM_32X32B))
    why = arena_printf(build->arena, "%s has 128%s lanes, not %u", build->name,
                       shape == TMEM_32X32B ? "" : " or 64", rows);
  if (why)
    return why;
  uint32_t packed = bits_log2(32 / tile->element_bits);
  uint32_t columns = shape == TMEM_32X32B ? 0 : (uint32_t)shape;
  return build_needs_extent(build, 1, packed + columns);
}

// The 16 lanes of one instruction and its lowest columns.
static void take_tmem_rows(LayoutBuild *build, TmemShape shape) {
  switch (shape) {
  case TMEM_32X32B: build_take(build, PLACE_LANE, 0, 5); break;
  case TMEM_16X64B: {
    uint64_t half = layout_axis_bit(&build->layout, 0, 3);
    layout_add_bit(&build->layout, PLACE_LANE, half);
    build_take(build, PLACE_LANE, 1, 1);
    build_take(build, PLACE_LANE, 0, 3);
    build->next[0]++;
    break;
  }
  case TMEM_16X128B:
    build_take(build, PLACE_LANE, 1, 2);
    build_take(build, PLACE_LANE, 0, 3);
    build_take(build, PLACE_REGISTER, 0, 1);
    break;
  case TMEM_16X256B:
    build_take(build, PLACE_REGISTER, 1, 1);
    build_take(build, PLACE_LANE, 1, 2);
    build_take(build, PLACE_LANE, 0, 3);
    build_take(build, PLACE_REGISTER, 0, 1);
    break;
  }
}

const char *layout_tmem(Arena *arena, TmemShape shape, const LayoutTile *tile,
                        TileLayout *out) {
  LayoutBuild build = build_begin(arena, tmem_names[shape], tile);
  const char *why = tmem_problem(&build, shape);
  if (why)
    return why;
  build_take(&build, PLACE_REGISTER, 1, bits_log2(32 / tile->element_bits));
  take_tmem_rows(&build, shape);
  build_take_high(&build, PLACE_WARP, 0, 2); // each warp has 32 lanes, or 16
  build_rest(&build);
  *out = build.layout;
  return NULL;
}
