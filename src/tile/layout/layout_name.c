// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_name.h"

#include "base/panic.h"
#include "base/text.h"

#include <string.h>

typedef const char *Maker(Arena *arena, const LayoutTile *tile,
                          const LayoutSpec *spec, TileLayout *out);

static const char *make_blocked(Arena *arena, const LayoutTile *tile,
                                const LayoutSpec *spec, TileLayout *out) {
  return spec->n_numbers == tile->rank
             ? layout_blocked(arena, tile, spec->numbers, out)
             : arena_printf(arena, "it names %u ax%s, the tile has %u",
                            spec->n_numbers, spec->n_numbers == 1 ? "is" : "es",
                            tile->rank);
}

static const char *make_mma(Arena *arena, const LayoutTile *tile,
                            const LayoutSpec *spec, MatrixOperand operand,
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
  return layout_mma(arena, operand, tile, grid, out);
}

static const char *make_mma_a(Arena *arena, const LayoutTile *tile,
                              const LayoutSpec *spec, TileLayout *out) {
  return make_mma(arena, tile, spec, OPERAND_A, out);
}

static const char *make_mma_b(Arena *arena, const LayoutTile *tile,
                              const LayoutSpec *spec, TileLayout *out) {
  return make_mma(arena, tile, spec, OPERAND_B, out);
}

static const char *make_mma_c(Arena *arena, const LayoutTile *tile,
                              const LayoutSpec *spec, TileLayout *out) {
  return make_mma(arena, tile, spec, OPERAND_C, out);
}

static const char *make_plain(Arena *arena, const LayoutTile *tile,
                              const LayoutSpec *spec, TileLayout *out) {
  const char *name = spec->name;
  if (spec->n_numbers > 0)
    return arena_printf(arena, "%s takes no numbers", name);
  if (strcmp(name, "wgmma_a") == 0)
    return layout_wgmma(arena, OPERAND_A, tile, out);
  if (strcmp(name, "wgmma_c") == 0)
    return layout_wgmma(arena, OPERAND_C, tile, out);
  bool is_bytes = tile->element_bits == 8;
  if (strcmp(name, "ldmatrix") == 0)
    return layout_matrices(arena, is_bytes ? MATRIX_LD_B8X16 : MATRIX_B16, tile,
                           out);
  if (strcmp(name, "ldmatrix_trans") == 0)
    return layout_matrices(
        arena, is_bytes ? MATRIX_LD_B8_TRANS : MATRIX_B16_TRANS, tile, out);
  HD_ASSERT(strcmp(name, "stmatrix_trans") == 0);
  return layout_matrices(
      arena, is_bytes ? MATRIX_ST_B8_TRANS : MATRIX_B16_TRANS, tile, out);
}

static const char *make_tmem(Arena *arena, const LayoutTile *tile,
                             const LayoutSpec *spec, TileLayout *out) {
  static const char *const shapes[] = {"tmem_32x32b", "tmem_16x64b",
                                       "tmem_16x128b", "tmem_16x256b"};
  TmemShape shape = TMEM_32X32B;
  while (strcmp(spec->name, shapes[shape]) != 0)
    shape++;
  return spec->n_numbers > 0
             ? arena_printf(arena, "%s takes no numbers", spec->name)
             : layout_tmem(arena, shape, tile, out);
}

static const char *make_shared(Arena *arena, const LayoutTile *tile,
                               const LayoutSpec *spec, TileLayout *out) {
  static const char *const names[] = {"row_major", "swizzle32", "swizzle64",
                                      "swizzle128"};
  uint32_t i = 0;
  while (strcmp(spec->name, names[i]) != 0)
    i++;
  return spec->n_numbers > 0
             ? arena_printf(arena, "%s takes no numbers", spec->name)
             : layout_shared(arena, tile, i ? 16U << i : 0, out);
}

static const struct {
  const char *name;
  LayoutOwner owner;
  Maker *maker;
} layout_names[] = {
    {"mma_a", LAYOUT_OF_TILE, make_mma_a},
    {"mma_b", LAYOUT_OF_TILE, make_mma_b},
    {"mma_c", LAYOUT_OF_TILE, make_mma_c},
    {"wgmma_a", LAYOUT_OF_TILE, make_plain},
    {"wgmma_c", LAYOUT_OF_TILE, make_plain},
    {"blocked", LAYOUT_OF_TILE, make_blocked},
    {"ldmatrix", LAYOUT_OF_INSTRUCTION, make_plain},
    {"ldmatrix_trans", LAYOUT_OF_INSTRUCTION, make_plain},
    {"stmatrix_trans", LAYOUT_OF_INSTRUCTION, make_plain},
    {"tmem_32x32b", LAYOUT_OF_INSTRUCTION, make_tmem},
    {"tmem_16x64b", LAYOUT_OF_INSTRUCTION, make_tmem},
    {"tmem_16x128b", LAYOUT_OF_INSTRUCTION, make_tmem},
    {"tmem_16x256b", LAYOUT_OF_INSTRUCTION, make_tmem},
    {"row_major", LAYOUT_OF_MEMORY, make_shared},
    {"swizzle32", LAYOUT_OF_MEMORY, make_shared},
    {"swizzle64", LAYOUT_OF_MEMORY, make_shared},
    {"swizzle128", LAYOUT_OF_MEMORY, make_shared},
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
  return layout_names[i].maker(arena, tile, spec, out);
}
