// SPDX-License-Identifier: Apache-2.0
// Blocks, layouts given by bits, and tiles in shared memory, against formulas.
#include "tile/layout/layout_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include "tile/layout_check.h"

static Arena *arena;

static int open_arena(void **state) {
  (void)state;
  arena = arena_new();
  return 0;
}

static int close_arena(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

// ------------------------------------------------------------------- blocks

static TileLayout blocked(LayoutTile tile, uint32_t a, uint32_t b, uint32_t c) {
  TileLayout layout;
  const char *why =
      layout_blocked(arena, &tile, (uint32_t[]){a, b, c, 0, 0}, &layout);
  if (why)
    fail_msg("%s", why);
  assert_true(layout_is_complete(&layout));
  return layout;
}

// Thread t has block t of the row-major grid of blocks, and that many further
// on again.
static void blocks_go_along_the_last_axis(void **state) {
  (void)state;

  static const struct {
    uint32_t rows, columns, a, b, threads;
  } all[] = {{16, 64, 1, 4, 32},   {64, 64, 2, 8, 128}, {8, 8, 1, 1, 32},
             {128, 16, 4, 2, 256}, {32, 256, 1, 8, 32}, {4, 4, 2, 2, 4},
             {1, 512, 1, 4, 128},  {64, 1, 2, 1, 32}};

  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    uint32_t rows = all[i].rows, columns = all[i].columns;
    uint32_t a = all[i].a, b = all[i].b, threads = all[i].threads;
    TileLayout layout =
        blocked(matrix_tile(rows, columns, 32, threads), a, b, 0);
    assert_int_equal(layout_count(&layout, PLACE_REGISTER),
                     rows * columns / threads);
    assert_int_equal(layout_run(&layout) % b, 0);
    for (uint32_t t = 0; t < threads; t++)
      for (uint32_t r = 0; r < rows * columns / threads; r++) {
        uint32_t block = t + r / (a * b) * threads;
        TileIndex at = held_at(&layout, r, t % 32, t / 32);
        assert_int_equal(at.of[0], block / (columns / b) * a + r % (a * b) / b);
        assert_int_equal(at.of[1], block % (columns / b) * b + r % b);
      }
  }
}

static void blocks_of_few_elements_are_copied(void **state) {
  (void)state;
  TileLayout layout = blocked(matrix_tile(4, 8, 32, 256), 1, 2, 0);
  assert_int_equal(layout_copies(&layout), 16);
  assert_int_equal(layout_count(&layout, PLACE_REGISTER), 2);
  assert_int_equal(layout_copy_bits(&layout, PLACE_LANE), 1 << 4);
  assert_int_equal(layout_copy_bits(&layout, PLACE_WARP), 7);
  for (uint32_t t = 0; t < 256; t++) {
    TileIndex at = held_at(&layout, 1, t % 32, t / 32);
    assert_int_equal(at.of[0], t % 16 / 4);
    assert_int_equal(at.of[1], t % 4 * 2 + 1);
  }
}

// Odd factors are the last registers; three warps take that of an axis.
static void blocks_have_odd_factors(void **state) {
  (void)state;
  TileLayout layout = blocked((LayoutTile){3, {3, 20, 8}, 32, 32}, 1, 1, 4);
  assert_int_equal(layout_count(&layout, PLACE_REGISTER), 4 * 15);
  assert_int_equal(layout_copies(&layout), 4);
  for (uint32_t t = 0; t < 32; t++)
    for (uint32_t r = 0; r < 60; r++) {
      TileIndex at = held_at(&layout, r, t, 0);
      assert_int_equal(at.of[0], r / 20);
      assert_int_equal(at.of[1], t / 2 % 4 + 4 * (r / 4 % 5));
      assert_int_equal(at.of[2], t % 2 * 4 + r % 4);
    }
  layout = blocked(matrix_tile(32, 96, 32, 96), 1, 1, 0);
  for (uint32_t t = 0; t < 96; t++) {
    TileIndex at = held_at(&layout, 3, t % 32, t / 32);
    assert_int_equal(at.of[0], 3);
    assert_int_equal(at.of[1], t);
  }
  layout = blocked(matrix_tile(32, 64, 32, 96), 1, 1, 0);
  assert_int_equal(layout_copies(&layout), 3);
}

static void check_blocked_problem(LayoutTile tile, uint32_t a, uint32_t b,
                                  const char *expected) {
  TileLayout layout;
  const char *why =
      layout_blocked(arena, &tile, (uint32_t[]){a, b, 0, 0, 0}, &layout);
  assert_string_equal(why ? why : "none", expected);
}

static void blocks_that_dont_fit(void **state) {
  (void)state;
  LayoutTile tile = matrix_tile(12, 64, 32, 32);
  check_blocked_problem(tile, 3, 1,
                        "3 elements a thread along axis 0 aren't a power of "
                        "two");
  check_blocked_problem(tile, 0, 1,
                        "0 elements a thread along axis 0 aren't a power of "
                        "two");
  check_blocked_problem(tile, 8, 1,
                        "blocked needs a multiple of 8 elements along axis 0, "
                        "not 12: bit 2 of the index doesn't fit");
  check_blocked_problem(tile, 1, 256,
                        "blocked needs a multiple of 256 elements along axis "
                        "1, not 64: bits 6 to 7 of the index don't fit");
}

static void check_tile_problem(LayoutTile tile, const char *expected) {
  const char *why = layout_tile_problem(arena, &tile);
  assert_string_equal(why ? why : "none", expected);
}

static void tiles_without_layouts(void **state) {
  (void)state;
  check_tile_problem(matrix_tile(64, 64, 16, 128), "none");
  check_tile_problem(matrix_tile(64, 31, 16, 96), "none");
  check_tile_problem(matrix_tile(64, 33, 16, 128),
                     "the 33 of axis 1 has the odd factor 33: the limit is 31");
  check_tile_problem(matrix_tile(64, 0, 16, 128), "axis 1 has no elements");
  check_tile_problem(matrix_tile(2048, 1024, 16, 128),
                     "a tile has more than 2^20 elements");
  check_tile_problem(matrix_tile(64, 64, 6, 128),
                     "elements of 6 bits aren't a power of two of bits");
  check_tile_problem(matrix_tile(64, 64, 16, 24),
                     "a group of 24 threads is neither a power of two of them "
                     "nor whole warps");
  check_tile_problem(matrix_tile(64, 64, 16, 48),
                     "a group of 48 threads is neither a power of two of them "
                     "nor whole warps");
  check_tile_problem(matrix_tile(64, 64, 16, 0),
                     "a group of 0 threads is neither a power of two of them "
                     "nor whole warps");
  check_tile_problem(matrix_tile(64, 64, 16, 2048),
                     "a group has 2048 threads: the limit is 1024");
  check_tile_problem((LayoutTile){6, {1, 1, 1, 1, 1}, 32, 32},
                     "a tile has 6 axes: the limit is 5");
}

// --------------------------------------------------------------- bit by bit

// mma_c of [16][8] in the words of the language: reg((0,1), (8,0))
// lane((0,2), (0,4), (1,0), (2,0), (4,0)).
static void mma_c_bits(LayoutBits bits[N_PLACES]) {
  memset(bits, 0, N_PLACES * sizeof *bits);
  for (PlaceKind i = 0; i < N_PLACES; i++)
    bits[i].odd_axis = -1;
  bits[PLACE_REGISTER].n = 2;
  bits[PLACE_REGISTER].offsets[0] = (TileIndex){{0, 1}};
  bits[PLACE_REGISTER].offsets[1] = (TileIndex){{8, 0}};
  bits[PLACE_LANE].n = 5;
  for (uint32_t i = 0; i < 5; i++)
    bits[PLACE_LANE].offsets[i] =
        i < 2 ? (TileIndex){{0, 2U << i}} : (TileIndex){{1U << (i - 2), 0}};
}

static void bits_are_taken_as_given(void **state) {
  (void)state;
  LayoutBits bits[N_PLACES];
  mma_c_bits(bits);
  LayoutTile tile = matrix_tile(16, 8, 32, 32);
  TileLayout given, named;
  assert_null(layout_of_bits(arena, &tile, bits, &given));
  assert_null(layout_mma(arena, OPERAND_C, &tile, (WarpGrid){0, 0}, &named));
  for (uint32_t i = 0; i < named.map.n_in; i++)
    assert_true(given.map.columns[i] == named.map.columns[i]);
  // of 48 rows: a last register entry counts the factor
  tile.extents[0] = 48;
  bits[PLACE_REGISTER].odd_axis = 0;
  assert_null(layout_of_bits(arena, &tile, bits, &given));
  assert_null(layout_mma(arena, OPERAND_C, &tile, (WarpGrid){0, 0}, &named));
  for (uint32_t r = 0; r < 12; r++) {
    TileIndex a = held_at(&given, r, 17, 0), b = held_at(&named, r, 17, 0);
    assert_memory_equal(&a, &b, sizeof a);
  }
}

static void check_bits_problem(LayoutTile tile, const LayoutBits *bits,
                               const char *expected) {
  TileLayout layout;
  const char *why = layout_of_bits(arena, &tile, bits, &layout);
  assert_string_equal(why ? why : "none", expected);
}

static void bits_that_dont_fit(void **state) {
  (void)state;
  LayoutBits bits[N_PLACES];
  mma_c_bits(bits);
  check_bits_problem(matrix_tile(16, 16, 32, 32), bits,
                     "no place reaches bit 3 of the index along axis 1");
  check_bits_problem(matrix_tile(8, 8, 32, 32), bits,
                     "bit 1 of reg adds 8 along axis 0, whose 8 elements are 1 "
                     "times bits 0 to 2");
  check_bits_problem(matrix_tile(16, 8, 32, 64), bits,
                     "warp has 0 bits, a group of 64 threads has 1");
  check_bits_problem(matrix_tile(16, 8, 32, 16), bits,
                     "lane has 5 bits, a group of 16 threads has 4");
  check_bits_problem(matrix_tile(48, 8, 32, 32), bits,
                     "nothing counts the odd factor 3 of axis 0");
  bits[PLACE_REGISTER].odd_axis = 1;
  check_bits_problem(matrix_tile(48, 8, 32, 32), bits,
                     "axis 1 has no odd factor that reg could count");
  bits[PLACE_REGISTER].odd_axis = -1;
  bits[PLACE_LANE].odd_axis = 0;
  check_bits_problem(matrix_tile(48, 8, 32, 32), bits,
                     "lane has no odd factor");
  bits[PLACE_LANE].odd_axis = -1;
  bits[PLACE_WARP].odd_axis = 0;
  check_bits_problem(matrix_tile(48, 8, 32, 32), bits,
                     "the warps have the odd factor 1, axis 0 has 3");
  check_bits_problem(matrix_tile(48, 8, 32, 96), bits, "none");
}

// ------------------------------------------------------------ shared memory

// What TMA writes, measured on an H200: the byte offset of the element in row r
// and column k (r and k index, R rows) of a matrix of 16 bits, K-major.
static uint32_t measured_128(uint32_t r, uint32_t k, uint32_t rows) {
  return k / 64 * rows * 128 + r / 8 * 1024 + r % 8 * 128 +
         ((k % 64 / 8) ^ (r % 8)) * 16 + k % 8 * 2;
}

static uint32_t measured_64(uint32_t r, uint32_t k, uint32_t rows) {
  uint32_t p = r % 8 * 64 + k % 32 * 2;
  p ^= (p >> 7 & 3) << 4;
  return k / 32 * (rows / 8) * 512 + r / 8 * 512 + p;
}

static uint32_t measured_32(uint32_t r, uint32_t k, uint32_t rows) {
  uint32_t p = r % 8 * 32 + k % 16 * 2;
  p ^= (p >> 7 & 1) << 4;
  return k / 16 * (rows / 8) * 256 + r / 8 * 256 + p;
}

static TileLayout shared_tile(LayoutTile tile, uint32_t swizzle_bytes) {
  TileLayout layout;
  const char *why = layout_shared(arena, &tile, swizzle_bytes, &layout);
  if (why)
    fail_msg("%s", why);
  assert_true(layout_is_complete(&layout) && layout_is_unique(&layout));
  return layout;
}

static void check_measured(uint32_t rows, uint32_t columns, uint32_t bytes,
                           uint32_t (*measured)(uint32_t, uint32_t, uint32_t)) {
  TileLayout layout = shared_tile(matrix_tile(rows, columns, 16, 1), bytes);
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t k = 0; k < columns; k++) {
      TileIndex index = {{r, k}};
      uint32_t offset = find_place(&layout, &index).of[PLACE_OFFSET];
      assert_int_equal(2 * offset, measured(r, k, rows));
      LayoutPlace place = {{[PLACE_OFFSET] = offset}};
      TileIndex back = layout_at(&layout, &place);
      assert_memory_equal(&back, &index, sizeof back);
    }
}

// Rows and panels may have odd factors.
static void swizzles_are_those_of_tma(void **state) {
  (void)state;
  static const uint32_t rows[] = {8, 16, 24, 64, 176}, panels[] = {1, 2, 3, 4};
  for (uint32_t i = 0; i < 5; i++)
    for (uint32_t k = 0; k < 4; k++) {
      check_measured(rows[i], 64 * panels[k], 128, measured_128);
      check_measured(rows[i], 32 * panels[k], 64, measured_64);
      check_measured(rows[i], 16 * panels[k], 32, measured_32);
    }
}

// A transposed operand, MN-major: its rows are columns of memory (k), panels of
// 64 or 32 of r; LBO is K * 128 or K * 64 bytes.
static void swizzles_of_transposed_operands(void **state) {
  (void)state;
  uint32_t depth = 32, rows = 128;
  TileLayout wide = shared_tile(matrix_tile(depth, rows, 16, 1), 128);
  TileLayout narrow = shared_tile(matrix_tile(depth, rows, 16, 1), 64);
  for (uint32_t k = 0; k < depth; k++)
    for (uint32_t r = 0; r < rows; r++) {
      TileIndex index = {{k, r}};
      assert_int_equal(2 * find_place(&wide, &index).of[PLACE_OFFSET],
                       r / 64 * depth * 128 + k / 8 * 1024 + k % 8 * 128 +
                           ((r % 64 / 8) ^ (k % 8)) * 16 + r % 8 * 2);
      uint32_t p = k % 8 * 64 + r % 32 * 2;
      p ^= (p >> 7 & 3) << 4;
      assert_int_equal(2 * find_place(&narrow, &index).of[PLACE_OFFSET],
                       r / 32 * depth * 64 + k / 8 * 512 + p);
    }
}

// Of any type, bits 4 to 6 of the address are exclusive-ored with bits 7 to 9:
// in row-major panels, the address before is the one of rows.
static void swizzles_of_all_types(void **state) {
  (void)state;
  for (uint32_t bits = 1; bits <= 64; bits *= 2)
    for (uint32_t bytes = 32; bytes <= 128; bytes *= 2) {
      uint32_t columns = 2 * bytes * 8 / bits;
      LayoutTile tile = {3, {3, 16, columns}, bits, 1};
      TileLayout layout = shared_tile(tile, bytes);
      for (uint32_t s = 0; s < 3; s++)
        for (uint32_t r = 0; r < 16; r++)
          for (uint32_t c = 0; c < columns; c++) {
            uint32_t bit = c * bits % (bytes * 8);
            uint32_t panel = c * bits / (bytes * 8);
            uint32_t address =
                (s * 2 + panel) * 16 * bytes + r * bytes + bit / 8;
            address ^= (address >> 7 & (bytes / 16 - 1)) << 4;
            TileIndex index = {{s, r, c}};
            uint32_t offset = find_place(&layout, &index).of[PLACE_OFFSET];
            assert_int_equal(offset * bits / 8, address);
            assert_int_equal(offset * bits % 8, bit % 8);
          }
    }
}

static void row_major_is_row_major(void **state) {
  (void)state;
  LayoutTile tile = {4, {3, 4, 5, 24}, 8, 1};
  TileLayout layout = shared_tile(tile, 0);
  for (uint32_t i = 0; i < 3 * 4 * 5 * 24; i++) {
    LayoutPlace place = {{[PLACE_OFFSET] = i}};
    TileIndex at = layout_at(&layout, &place);
    assert_int_equal(((at.of[0] * 4 + at.of[1]) * 5 + at.of[2]) * 24 + at.of[3],
                     i);
  }
}

static void check_shared_problem(LayoutTile tile, uint32_t bytes,
                                 const char *expected) {
  TileLayout layout;
  const char *why = layout_shared(arena, &tile, bytes, &layout);
  assert_string_equal(why ? why : "none", expected);
}

static void swizzles_that_dont_fit(void **state) {
  (void)state;
  check_shared_problem(matrix_tile(64, 16, 16, 1), 64,
                       "swizzle64 needs a multiple of 32 elements along axis "
                       "1, not 16: bit 4 of the index doesn't fit");
  check_shared_problem(matrix_tile(64, 16, 64, 1), 128, "none");
  check_shared_problem(matrix_tile(64, 16, 32, 1), 128,
                       "swizzle128 needs a multiple of 32 elements along axis "
                       "1, not 16: bit 4 of the index doesn't fit");
  check_shared_problem((LayoutTile){1, {64}, 16, 1}, 128,
                       "swizzle128 needs a tile of two dimensions or more, "
                       "not 1");
  check_shared_problem((LayoutTile){3, {3, 4, 64}, 16, 1}, 128,
                       "swizzle128 repeats every 1024 bytes: the odd factor 3 "
                       "of axis 0 comes after 256 elements");
  check_shared_problem((LayoutTile){3, {2, 4, 64}, 16, 1}, 128, "none");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_go_along_the_last_axis),
      cmocka_unit_test(blocks_of_few_elements_are_copied),
      cmocka_unit_test(blocks_have_odd_factors),
      cmocka_unit_test(blocks_that_dont_fit),
      cmocka_unit_test(tiles_without_layouts),
      cmocka_unit_test(bits_are_taken_as_given),
      cmocka_unit_test(bits_that_dont_fit),
      cmocka_unit_test(swizzles_are_those_of_tma),
      cmocka_unit_test(swizzles_of_transposed_operands),
      cmocka_unit_test(swizzles_of_all_types),
      cmocka_unit_test(row_major_is_row_major),
      cmocka_unit_test(swizzles_that_dont_fit),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
