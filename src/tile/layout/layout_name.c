// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_name.h"

#include "base/panic.h"
#include "base/text.h"

#include <string.h>

typedef const char *Maker(Arena *arena, const LayoutTile *tile,
                          const LayoutSpec *spec, uint32_t which,
                          TileLayout *out);

static const char *make_blocked(Arena *arena, const LayoutTile *tile,
                                const LayoutSpec *spec, uint32_t which,
                                TileLayout *out) {
  (void)which;
  return spec->n_numbers == tile->rank
             ? layout_blocked(arena, tile, spec->numbers, out)
             : arena_printf(arena, "it names %u ax%s, the tile has %u",
                            spec->n_numbers, spec->n_numbers == 1 ? "is" : "es",
                            tile->rank);
}

static const char *make_mma(Arena *arena, const LayoutTile *tile,
                            const LayoutSpec *spec, uint32_t operand,
                            TileLayout *out) {
  if (spec->n_numbers != 0 && spec->n_numbers != 2)
    return arena_printf(arena,
                        "%s takes the warps along rows and along columns, not "
                        "%u number%s",
                        spec->name, spec->n_numbers,
                        text_plural(spec->n_numbers));
  WarpGrid grid = {spec->numbers[0], spec->numbers[1]};
  if (spec->n_numbers == 2 && grid.rows == 0)
    return "0 warps hold nothing";
  return layout_mma(arena, (MatrixOperand)operand, tile, grid, out);
}

// The others take no numbers.

static const char *make_wgmma(Arena *arena, const LayoutTile *tile,
                              const LayoutSpec *spec, uint32_t operand,
                              TileLayout *out) {
  (void)spec;
  return layout_wgmma(arena, (MatrixOperand)operand, tile, out);
}

// For elements of 16 bits, and of 8.
static const struct {
  MatrixForm of_words, of_bytes;
} matrix_forms[] = {
    {MATRIX_B16, MATRIX_LD_B8X16},
    {MATRIX_B16_TRANS, MATRIX_LD_B8_TRANS},
    {MATRIX_B16_TRANS, MATRIX_ST_B8_TRANS},
};

static const char *make_matrices(Arena *arena, const LayoutTile *tile,
                                 const LayoutSpec *spec, uint32_t row,
                                 TileLayout *out) {
  (void)spec;
  return layout_matrices(arena,
                         tile->element_bits == 8 ? matrix_forms[row].of_bytes
                                                 : matrix_forms[row].of_words,
                         tile, out);
}

static const char *make_tmem(Arena *arena, const LayoutTile *tile,
                             const LayoutSpec *spec, uint32_t shape,
                             TileLayout *out) {
  (void)spec;
  return layout_tmem(arena, (TmemShape)shape, tile, out);
}

static const char *make_shared(Arena *arena, const LayoutTile *tile,
                               const LayoutSpec *spec, uint32_t swizzle_bytes,
                               TileLayout *out) {
  (void)spec;
  return layout_shared(arena, tile, swizzle_bytes, out);
}

static const struct {
  const char *name;
  LayoutOwner owner;
  Maker *maker;
  bool has_numbers;
  uint32_t which; // for the maker
} layout_names[] = {
    {"mma_a", LAYOUT_OF_TILE, make_mma, true, OPERAND_A},
    {"mma_b", LAYOUT_OF_TILE, make_mma, true, OPERAND_B},
    {"mma_c", LAYOUT_OF_TILE, make_mma, true, OPERAND_C},
    {"wgmma_a", LAYOUT_OF_TILE, make_wgmma, false, OPERAND_A},
    {"wgmma_c", LAYOUT_OF_TILE, make_wgmma, false, OPERAND_C},
    {"blocked", LAYOUT_OF_TILE, make_blocked, true, 0},
    {"ldmatrix", LAYOUT_OF_INSTRUCTION, make_matrices, false, 0},
    {"ldmatrix_trans", LAYOUT_OF_INSTRUCTION, make_matrices, false, 1},
    {"stmatrix_trans", LAYOUT_OF_INSTRUCTION, make_matrices, false, 2},
    {"tmem_32x32b", LAYOUT_OF_INSTRUCTION, make_tmem, false, TMEM_32X32B},
    {"tmem_16x64b", LAYOUT_OF_INSTRUCTION, make_tmem, false, TMEM_16X64B},
    {"tmem_16x128b", LAYOUT_OF_INSTRUCTION, make_tmem, false, TMEM_16X128B},
    {"tmem_16x256b", LAYOUT_OF_INSTRUCTION, make_tmem, false, TMEM_16X256B},
    {"row_major", LAYOUT_OF_MEMORY, make_shared, false, 0},
    {"swizzle32", LAYOUT_OF_MEMORY, make_shared, false, 32},
    {"swizzle64", LAYOUT_OF_MEMORY, make_shared, false, 64},
    {"swizzle128", LAYOUT_OF_MEMORY, make_shared, false, 128},
};

enum { N_NAMES = sizeof layout_names / sizeof *layout_names };

const char *layout_name(uint32_t i, LayoutOwner *owner) {
  if (i >= N_NAMES)
    return NULL;
  *owner = layout_names[i].owner;
  return layout_names[i].name;
}

const char *layout_named(Arena *arena, const LayoutTile *tile,
                         const LayoutSpec *spec, TileLayout *out) {
  if (!spec->name)
    return layout_of_bits(arena, tile, spec->bits, out);
  uint32_t i = 0;
  while (i < N_NAMES && strcmp(spec->name, layout_names[i].name) != 0)
    i++;
  HD_ASSERT(i < N_NAMES);
  if (spec->n_numbers > 0 && !layout_names[i].has_numbers)
    return arena_printf(arena, "%s takes no numbers", spec->name);
  return layout_names[i].maker(arena, tile, spec, layout_names[i].which, out);
}
