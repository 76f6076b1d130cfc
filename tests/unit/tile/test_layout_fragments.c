// SPDX-License-Identifier: Apache-2.0
// Fragments against the formulas of the PTX ISA, "Matrix fragments for mma",
// written as they stand there: g is groupID, q threadID_in_group, i the number
// of an element of the fragment.
#include "tile/layout/layout_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include "tile/layout_check.h"

typedef struct {
  uint32_t row, column;
} Element;

typedef Element Formula(uint32_t i, uint32_t g, uint32_t q);

#define FORMULA(name, row, column)                                             \
  static Element name(uint32_t i, uint32_t g, uint32_t q) {                    \
    (void)i;                                                                   \
    (void)g;                                                                   \
    (void)q;                                                                   \
    return (Element){row, column};                                             \
  }

// m8n8k4 of double
FORMULA(a_m8n8k4_f64, g, q)
FORMULA(b_m8n8k4_f64, q, g)
// m8n8k16, m8n8k32, m8n8k128
FORMULA(a_m8n8k16, g, q * 4 + i)
FORMULA(b_m8n8k16, q * 4 + i, g)
FORMULA(a_m8n8k32, g, q * 8 + i)
FORMULA(b_m8n8k32, q * 8 + i, g)
FORMULA(a_m8n8k128, g, q * 32 + i)
FORMULA(b_m8n8k128, q * 32 + i, g)
FORMULA(c_m8n8, g, q * 2 + i)
// m16n8k4
FORMULA(a_m16n8k4, i == 0 ? g : g + 8, q)
FORMULA(b_m16n8k4, q, g)
// m16n8k8
FORMULA(a_m16n8k8_f16, i < 2 ? g : g + 8, q * 2 + (i & 1))
FORMULA(b_m16n8k8_f16, q * 2 + i, g)
FORMULA(a_m16n8k8, i == 0 || i == 2 ? g : g + 8, i < 2 ? q : q + 4)
FORMULA(b_m16n8k8, i == 0 ? q : q + 4, g)
// m16n8k16
FORMULA(a_m16n8k16_f16, i < 2 || (4 <= i && i < 6) ? g : g + 8,
        i < 4 ? q * 2 + (i & 1) : q * 2 + (i & 1) + 8)
FORMULA(b_m16n8k16_f16, i < 2 ? q * 2 + (i & 1) : q * 2 + (i & 1) + 8, g)
FORMULA(a_m16n8k16_f64, i % 2 == 0 ? g : g + 8,
        i % 2 == 0 ? i * 2 + q : i * 2 - 2 + q)
FORMULA(b_m16n8k16_f64, q + i * 4, g)
FORMULA(a_m16n8k16_s8, i < 4 ? g : g + 8, q * 4 + (i & 3))
FORMULA(b_m16n8k16_s8, q * 4 + i, g)
// m16n8k32
FORMULA(a_m16n8k32_s8, i < 4 || (8 <= i && i < 12) ? g : g + 8,
        i < 8 ? q * 4 + (i & 3) : q * 4 + (i & 3) + 16)
FORMULA(b_m16n8k32_s8, i < 4 ? q * 4 + (i & 3) : q * 4 + (i & 3) + 16, g)
FORMULA(a_m16n8k32_s4, i < 8 ? g : g + 8, q * 8 + (i & 7))
FORMULA(b_m16n8k32_s4, q * 8 + (i & 7), g)
// m16n8k64
FORMULA(a_m16n8k64, i < 8 || (16 <= i && i < 24) ? g : g + 8,
        i < 16 ? q * 8 + (i & 7) : q * 8 + (i & 7) + 32)
FORMULA(b_m16n8k64, i < 8 ? q * 8 + (i & 7) : q * 8 + (i & 7) + 32, g)
// m16n8k128, m16n8k256
FORMULA(a_m16n8k128, i < 32 ? g : g + 8, q * 32 + (i & 31))
FORMULA(b_m16n8k128, q * 32 + i, g)
FORMULA(a_m16n8k256, i < 32 || (64 <= i && i < 96) ? g : g + 8,
        i < 64 ? q * 32 + (i & 31) : q * 32 + (i & 31) + 128)
FORMULA(b_m16n8k256, i < 32 ? q * 32 + (i & 31) : q * 32 + (i & 31) + 128, g)
FORMULA(c_m16n8, i < 2 ? g : g + 8, q * 2 + (i & 1))

static const struct {
  uint32_t m, k, bits, c_bits;
  uint32_t n_a, n_b, n_c; // elements of a thread
  Formula *a, *b, *c;
} shapes[] = {
    {8, 4, 64, 64, 1, 1, 2, a_m8n8k4_f64, b_m8n8k4_f64, c_m8n8},
    {8, 16, 8, 32, 4, 4, 2, a_m8n8k16, b_m8n8k16, c_m8n8},
    {8, 32, 4, 32, 8, 8, 2, a_m8n8k32, b_m8n8k32, c_m8n8},
    {8, 128, 1, 32, 32, 32, 2, a_m8n8k128, b_m8n8k128, c_m8n8},
    {16, 4, 32, 32, 2, 1, 4, a_m16n8k4, b_m16n8k4, c_m16n8},
    {16, 4, 64, 64, 2, 1, 4, a_m16n8k4, b_m16n8k4, c_m16n8},
    {16, 8, 16, 16, 4, 2, 4, a_m16n8k8_f16, b_m16n8k8_f16, c_m16n8},
    {16, 8, 32, 32, 4, 2, 4, a_m16n8k8, b_m16n8k8, c_m16n8},
    {16, 8, 64, 64, 4, 2, 4, a_m16n8k8, b_m16n8k8, c_m16n8},
    {16, 16, 16, 32, 8, 4, 4, a_m16n8k16_f16, b_m16n8k16_f16, c_m16n8},
    {16, 16, 64, 64, 8, 4, 4, a_m16n8k16_f64, b_m16n8k16_f64, c_m16n8},
    {16, 16, 8, 32, 8, 4, 4, a_m16n8k16_s8, b_m16n8k16_s8, c_m16n8},
    {16, 32, 8, 32, 16, 8, 4, a_m16n8k32_s8, b_m16n8k32_s8, c_m16n8},
    {16, 32, 4, 32, 16, 8, 4, a_m16n8k32_s4, b_m16n8k32_s4, c_m16n8},
    {16, 64, 4, 32, 32, 16, 4, a_m16n8k64, b_m16n8k64, c_m16n8},
    {16, 128, 1, 32, 64, 32, 4, a_m16n8k128, b_m16n8k128, c_m16n8},
    {16, 256, 1, 32, 128, 64, 4, a_m16n8k256, b_m16n8k256, c_m16n8},
};

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

static TileLayout mma(MatrixOperand operand, LayoutTile tile, WarpGrid grid) {
  TileLayout layout;
  const char *why = layout_mma(arena, operand, &tile, grid, &layout);
  if (why)
    fail_msg("%s", why);
  assert_true(layout_is_complete(&layout));
  return layout;
}

static void check_index(const TileLayout *layout, uint32_t reg, uint32_t lane,
                        uint32_t warp, Element expected) {
  TileIndex index = held_at(layout, reg, lane, warp);
  if (index.of[0] != expected.row || index.of[1] != expected.column)
    fail_msg("register %u, lane %u, warp %u: (%u, %u), not (%u, %u)", reg, lane,
             warp, index.of[0], index.of[1], expected.row, expected.column);
}

static void check_formula(const TileLayout *layout, uint32_t n,
                          Formula *formula) {
  assert_int_equal(layout_count(layout, PLACE_REGISTER), n);
  assert_true(layout_is_unique(layout));
  for (uint32_t lane = 0; lane < 32; lane++)
    for (uint32_t i = 0; i < n; i++)
      check_index(layout, i, lane, 0, formula(i, lane >> 2, lane % 4));
}

static void fragments_of_one_instruction(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    uint32_t m = shapes[s].m, k = shapes[s].k, bits = shapes[s].bits;
    TileLayout a =
        mma(OPERAND_A, matrix_tile(m, k, bits, 32), (WarpGrid){0, 0});
    check_formula(&a, shapes[s].n_a, shapes[s].a);
    TileLayout b =
        mma(OPERAND_B, matrix_tile(k, 8, bits, 32), (WarpGrid){0, 0});
    check_formula(&b, shapes[s].n_b, shapes[s].b);
    TileLayout c = mma(OPERAND_C, matrix_tile(m, 8, shapes[s].c_bits, 32),
                       (WarpGrid){0, 0});
    check_formula(&c, shapes[s].n_c, shapes[s].c);
  }
}

// Three instructions along each axis of powers of two times 3, by 4 * 2 warps:
// further instructions along the last axis first, warps along rows next to each
// other, along columns apart; odd factors last.
static void several_instructions_follow_each_other(void **state) {
  (void)state;
  WarpGrid grid = {4, 2};
  TileLayout a = mma(OPERAND_A, matrix_tile(384, 96, 16, 256), grid);
  TileLayout b = mma(OPERAND_B, matrix_tile(96, 192, 16, 256), grid);
  TileLayout c = mma(OPERAND_C, matrix_tile(384, 192, 32, 256), grid);
  assert_int_equal(layout_copies(&a), 2);
  assert_int_equal(layout_copies(&b), 4);
  assert_int_equal(layout_copies(&c), 1);
  for (uint32_t thread = 0; thread < 256; thread++) {
    uint32_t lane = thread % 32, warp = thread / 32, g = lane / 4, q = lane % 4;
    uint32_t row = warp % 4, column = warp / 4, i = 0;
    for (uint32_t m3 = 0; m3 < 3; m3++)
      for (uint32_t k3 = 0; k3 < 3; k3++)
        for (uint32_t m = 0; m < 2; m++)
          for (uint32_t k = 0; k < 2; k++)
            for (uint32_t e = 0; e < 8; e++) {
              Element at = a_m16n8k16_f16(e, g, q);
              at.row += 128 * m3 + 64 * m + 16 * row;
              at.column += 32 * k3 + 16 * k;
              check_index(&a, i++, lane, warp, at);
            }
    i = 0;
    for (uint32_t k3 = 0; k3 < 3; k3++)
      for (uint32_t n3 = 0; n3 < 3; n3++)
        for (uint32_t k = 0; k < 2; k++)
          for (uint32_t n = 0; n < 4; n++)
            for (uint32_t e = 0; e < 4; e++) {
              Element at = b_m16n8k16_f16(e, g, q);
              at.row += 32 * k3 + 16 * k;
              at.column += 64 * n3 + 32 * column + 8 * n;
              check_index(&b, i++, lane, warp, at);
            }
    i = 0;
    for (uint32_t m3 = 0; m3 < 3; m3++)
      for (uint32_t n3 = 0; n3 < 3; n3++)
        for (uint32_t m = 0; m < 2; m++)
          for (uint32_t n = 0; n < 4; n++)
            for (uint32_t e = 0; e < 4; e++) {
              Element at = c_m16n8(e, g, q);
              at.row += 128 * m3 + 64 * m + 16 * row;
              at.column += 64 * n3 + 32 * column + 8 * n;
              check_index(&c, i++, lane, warp, at);
            }
  }
}

// B of m16n8k16 of double has four registers, of half two: then the next
// columns.
static void fragments_of_b_are_whole(void **state) {
  (void)state;
  WarpGrid any = {0, 0};
  TileLayout d = mma(OPERAND_B, matrix_tile(32, 16, 64, 32), any);
  TileLayout h = mma(OPERAND_B, matrix_tile(32, 16, 16, 32), any);
  for (uint32_t lane = 0; lane < 32; lane++)
    for (uint32_t i = 0; i < 16; i++) {
      Element at = b_m16n8k16_f64(i % 4, lane / 4, lane % 4);
      check_index(&d, i, lane, 0,
                  (Element){at.row + i / 8 * 16, at.column + i / 4 % 2 * 8});
      at = b_m16n8k16_f16(i % 4, lane / 4, lane % 4);
      check_index(&h, i, lane, 0,
                  (Element){at.row + i / 8 * 16, at.column + i / 4 % 2 * 8});
    }
}

// An accumulator that is cast is the first operand of the next product,
// register by register: sums of attention never leave them.
static void sums_are_the_next_operand(void **state) {
  (void)state;
  for (uint32_t warps = 1; warps <= 4; warps *= 2) {
    LayoutTile sums = matrix_tile(64, 96, 32, 32 * warps);
    LayoutTile operand = matrix_tile(64, 96, 16, 32 * warps);
    TileLayout c = mma(OPERAND_C, sums, (WarpGrid){0, 0});
    TileLayout a = mma(OPERAND_A, operand, (WarpGrid){0, 0});
    assert_int_equal(a.map.n_in, c.map.n_in);
    for (uint32_t i = 0; i < a.map.n_in; i++)
      assert_true(a.map.columns[i] == c.map.columns[i]);
  }
}

static TileLayout wgmma(MatrixOperand operand, LayoutTile tile) {
  TileLayout layout;
  const char *why = layout_wgmma(arena, operand, &tile, &layout);
  if (why)
    fail_msg("%s", why);
  return layout;
}

// PTX ISA, "Register fragments and shared memory matrix layouts" of wgmma:
// d[i] of thread t of m64nN: row 16 (t / 32) + g + 8 (i / 2 % 2), column
// 8 (i / 4) + 2 q + i % 2.
static void sums_of_wgmma(void **state) {
  (void)state;
  for (uint32_t n = 8; n <= 256; n += 8) {
    TileLayout c = wgmma(OPERAND_C, matrix_tile(64, n, 32, 128));
    assert_int_equal(layout_count(&c, PLACE_REGISTER), n / 2);
    assert_true(layout_is_unique(&c));
    for (uint32_t t = 0; t < 128; t++)
      for (uint32_t i = 0; i < n / 2; i++)
        check_index(&c, i, t % 32, t / 32,
                    (Element){16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2),
                              8 * (i / 4) + 2 * (t % 4) + i % 2});
  }
}

// Two warpgroups have rows of their own if there are some, else columns; three
// have a third of the rows each.
static void sums_of_several_warpgroups(void **state) {
  (void)state;
  TileLayout rows = wgmma(OPERAND_C, matrix_tile(256, 64, 32, 256));
  TileLayout columns = wgmma(OPERAND_C, matrix_tile(64, 192, 16, 256));
  TileLayout thirds = wgmma(OPERAND_C, matrix_tile(192, 16, 32, 384));
  for (uint32_t t = 0; t < 384; t++) {
    uint32_t lane = t % 32, warp = t / 32;
    uint32_t row = 16 * (warp % 4) + lane / 4, column = 2 * (lane % 4);
    check_index(&thirds, 0, lane, warp,
                (Element){row + 64 * (t / 128), column});
    check_index(&thirds, 7, lane, warp,
                (Element){row + 8 + 64 * (t / 128), column + 9});
    if (t >= 256)
      continue;
    check_index(&rows, 0, lane, warp, (Element){row + 64 * (t / 128), column});
    check_index(&rows, 32, lane, warp,
                (Element){row + 128 + 64 * (t / 128), column});
    check_index(&columns, 0, lane, warp,
                (Element){row, column + 32 * (t / 128)});
    check_index(&columns, 16, lane, warp,
                (Element){row, column + 64 + 32 * (t / 128)});
  }
  TileLayout twice = wgmma(OPERAND_C, matrix_tile(64, 8, 32, 384));
  assert_int_equal(layout_copies(&twice), 3);
}

// A from registers: rows 16 w of warp w as mma.sync's m16 with 256 bits of K.
static void operands_of_wgmma(void **state) {
  (void)state;

  static const struct {
    uint32_t k, bits, n;
    Formula *a;
  } forms[] = {{8, 32, 4, a_m16n8k8},
               {16, 16, 8, a_m16n8k16_f16},
               {32, 8, 16, a_m16n8k32_s8},
               {256, 1, 128, a_m16n8k256}};

  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    TileLayout a =
        wgmma(OPERAND_A, matrix_tile(64, forms[f].k, forms[f].bits, 128));
    assert_int_equal(layout_count(&a, PLACE_REGISTER), forms[f].n);
    for (uint32_t t = 0; t < 128; t++)
      for (uint32_t i = 0; i < forms[f].n; i++) {
        Element at = forms[f].a(i, t % 32 / 4, t % 4);
        at.row += 16 * (t / 32);
        check_index(&a, i, t % 32, t / 32, at);
      }
  }
}

// ----------------------------------------------------- ldmatrix and stmatrix

// Thread t of a warp and byte `byte` of register r: row and column, in bytes,
// of the matrix as it lies in memory. "m8n8": thread t has elements (t / 4, t %
// 4 * 2 + 0 and 1), transposed (t % 4 * 2 + 0 and 1, t / 4).
static void matrices_of_16_bits(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 4; n *= 2) {
    LayoutTile tile = matrix_tile(8 * n, 8, 16, 32);
    TileLayout plain, trans;
    assert_null(layout_matrices(arena, MATRIX_B16, &tile, &plain));
    assert_null(layout_matrices(arena, MATRIX_B16_TRANS, &tile, &trans));
    for (uint32_t t = 0; t < 32; t++)
      for (uint32_t i = 0; i < 2 * n; i++) {
        uint32_t top = i / 2 * 8;
        check_index(&plain, i, t, 0, (Element){top + t / 4, t % 4 * 2 + i % 2});
        check_index(&trans, i, t, 0, (Element){top + t % 4 * 2 + i % 2, t / 4});
      }
  }
}

// m16n16.trans.b8: registers 2 j and 2 j + 1 have of matrix j rows 4 q to
// 4 q + 3 of the columns g and g + 8. m8n16: row g, bytes 4 q to 4 q + 3.
// stmatrix m16n8.trans: byte 0 to 3 are rows 2 q, 2 q + 1 of column g, then of
// column g + 8.
static void matrices_of_8_bits(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 4; n *= 2) {
    LayoutTile tall = matrix_tile(16 * n, 16, 8, 32);
    LayoutTile flat = matrix_tile(8 * n, 16, 8, 32);
    TileLayout loaded, unpacked, stored;
    assert_null(layout_matrices(arena, MATRIX_LD_B8X16, &flat, &unpacked));
    assert_null(layout_matrices(arena, MATRIX_ST_B8_TRANS, &flat, &stored));
    const char *why =
        layout_matrices(arena, MATRIX_LD_B8_TRANS, &tall, &loaded);
    assert_int_equal(why != NULL, n == 4); // there is no .x4
    for (uint32_t t = 0; t < 32; t++) {
      uint32_t g = t / 4, q = t % 4;
      for (uint32_t i = 0; i < 8 * n && n < 4; i++)
        check_index(&loaded, i, t, 0,
                    (Element){i / 8 * 16 + 4 * q + i % 4, g + i / 4 % 2 * 8});
      for (uint32_t i = 0; i < 4 * n; i++) {
        check_index(&unpacked, i, t, 0,
                    (Element){i / 4 * 8 + g, 4 * q + i % 4});
        check_index(&stored, i, t, 0,
                    (Element){i / 4 * 8 + 2 * q + i % 2, g + i / 2 % 2 * 8});
      }
    }
  }
}

// ldmatrix.x4 of the four quarters of a 16 x 16 matrix is the fragment of A of
// m16n8k16, quarters from top to bottom first; .trans of the two halves of a
// 16 x 8 matrix in rows is that of B.
static void ldmatrix_makes_fragments(void **state) {
  (void)state;
  TileLayout a = mma(OPERAND_A, matrix_tile(16, 16, 16, 32), (WarpGrid){0, 0});
  TileLayout b = mma(OPERAND_B, matrix_tile(16, 8, 16, 32), (WarpGrid){0, 0});
  LayoutTile four = matrix_tile(32, 8, 16, 32),
             two = matrix_tile(16, 8, 16, 32);
  TileLayout quarters, halves;
  assert_null(layout_matrices(arena, MATRIX_B16, &four, &quarters));
  assert_null(layout_matrices(arena, MATRIX_B16_TRANS, &two, &halves));
  for (uint32_t t = 0; t < 32; t++) {
    for (uint32_t i = 0; i < 8; i++) {
      TileIndex at = held_at(&quarters, i, t, 0);
      check_index(&a, i, t, 0,
                  (Element){at.of[0] % 16, at.of[1] + at.of[0] / 16 * 8});
    }
    for (uint32_t i = 0; i < 4; i++) {
      TileIndex at = held_at(&halves, i, t, 0);
      check_index(&b, i, t, 0, (Element){at.of[0], at.of[1]});
    }
  }
}

// ------------------------------------------------------------- tensor memory

// The lane of tensor memory and the column of 32 bits, of register r of one
// instruction of thread t: PTX ISA, figures of "Data movement shape".
static Element tmem_element(TmemShape shape, uint32_t r, uint32_t t) {
  switch (shape) {
  case TMEM_32X32B: return (Element){t, r};
  case TMEM_16X64B: // threads 0, 1 and 4, 5 … have lane 0, 1 …; 2, 3 lane 8
    return (Element){t / 4 + (t & 1) * 8, r * 2 + (t >> 1 & 1)};
  case TMEM_16X128B: return (Element){t / 4 + r % 2 * 8, r / 2 * 4 + t % 4};
  case TMEM_16X256B:
    return (Element){t / 4 + r / 2 % 2 * 8, r / 4 * 8 + t % 4 * 2 + r % 2};
  }
  return (Element){0, 0};
}

static void check_tmem(TmemShape shape, uint32_t lanes, uint32_t columns) {
  LayoutTile tile = matrix_tile(lanes, columns, 32, 128);
  TileLayout layout;
  const char *why = layout_tmem(arena, shape, &tile, &layout);
  if (why)
    fail_msg("%s", why);
  assert_true(layout_is_complete(&layout) && layout_is_unique(&layout));
  uint32_t height = shape == TMEM_32X32B ? 32 : 16;
  uint32_t registers = columns * height / 32; // of one instruction
  uint32_t own = lanes / 4;                   // lanes of a warp
  for (uint32_t t = 0; t < 128; t++)
    for (uint32_t r = 0; r < registers * own / height; r++) {
      Element at = tmem_element(shape, r % registers, t % 32);
      at.row += own * (t / 32) + r / registers * height;
      check_index(&layout, r, t % 32, t / 32, at);
    }
}

static void tensor_memory(void **state) {
  (void)state;
  static const TmemShape all[] = {TMEM_32X32B, TMEM_16X64B, TMEM_16X128B,
                                  TMEM_16X256B};
  for (uint32_t i = 0; i < 4; i++)
    for (uint32_t columns = 8; columns <= 128; columns *= 2) {
      check_tmem(all[i], 128, columns);
      if (i > 0)
        check_tmem(all[i], 64, columns);
    }
}

// Elements of 16 bits: two in each column.
static void tensor_memory_of_half(void **state) {
  (void)state;
  LayoutTile words = matrix_tile(128, 16, 32, 128);
  LayoutTile halves = matrix_tile(128, 32, 16, 128);
  TileLayout word, half;
  assert_null(layout_tmem(arena, TMEM_16X256B, &words, &word));
  assert_null(layout_tmem(arena, TMEM_16X256B, &halves, &half));
  for (uint32_t t = 0; t < 128; t++)
    for (uint32_t r = 0; r < 32; r++) {
      TileIndex at = held_at(&word, r / 2, t % 32, t / 32);
      check_index(&half, r, t % 32, t / 32,
                  (Element){at.of[0], at.of[1] * 2 + r % 2});
    }
}

// -------------------------------------------------------------- what is wrong

static void check_mma_problem(MatrixOperand operand, LayoutTile tile,
                              WarpGrid grid, const char *expected) {
  TileLayout layout;
  const char *why = layout_mma(arena, operand, &tile, grid, &layout);
  assert_string_equal(why ? why : "none", expected);
}

static void check_wgmma_problem(MatrixOperand operand, LayoutTile tile,
                                const char *expected) {
  TileLayout layout;
  const char *why = layout_wgmma(arena, operand, &tile, &layout);
  assert_string_equal(why ? why : "none", expected);
}

static void fragments_that_dont_fit(void **state) {
  (void)state;
  WarpGrid any = {0, 0};
  check_mma_problem(OPERAND_A, matrix_tile(24, 16, 16, 32), any,
                    "mma_a needs a multiple of 16 elements along axis 0, not "
                    "24: bit 3 of the index doesn't fit");
  check_mma_problem(OPERAND_A, matrix_tile(16, 4, 8, 32), any,
                    "mma_a needs a multiple of 16 elements along axis 1, not "
                    "4: bits 2 to 3 of the index don't fit");
  check_mma_problem(OPERAND_B, matrix_tile(16, 4, 16, 32), any,
                    "mma_b needs a multiple of 8 elements along axis 1, not 4: "
                    "bit 2 of the index doesn't fit");
  check_mma_problem(OPERAND_C, matrix_tile(16, 8, 8, 32), any,
                    "mma_c has no fragments of elements of 8 bits");
  check_mma_problem(OPERAND_C, matrix_tile(16, 8, 32, 16), any,
                    "mma_c needs whole warps, not 16 threads: bit 4 of the "
                    "lane doesn't fit");
  check_mma_problem(OPERAND_C, matrix_tile(32, 8, 32, 128), (WarpGrid){4, 1},
                    "mma_c needs a multiple of 64 elements along axis 0, not "
                    "32: bit 5 of the index doesn't fit");
  check_mma_problem(OPERAND_C, matrix_tile(32, 8, 32, 128), (WarpGrid){2, 1},
                    "2 * 1 warps aren't the 4 of the group");
  check_mma_problem(OPERAND_C, matrix_tile(32, 8, 32, 96), (WarpGrid){3, 1},
                    "the warps along axis 0 have the odd factor 3, its 32 "
                    "elements have 1");
  check_mma_problem(OPERAND_C, (LayoutTile){3, {2, 16, 8}, 32, 32}, any,
                    "mma_c needs a tile of 2 dimensions, not 3");
  check_wgmma_problem(OPERAND_C, matrix_tile(32, 64, 32, 128),
                      "wgmma_c needs a multiple of 64 elements along axis 0, "
                      "not 32: bit 5 of the index doesn't fit");
  check_wgmma_problem(OPERAND_C, matrix_tile(64, 64, 32, 64),
                      "wgmma_c needs a multiple of 128 threads, not 64: bit 1 "
                      "of the warp doesn't fit");
  check_wgmma_problem(OPERAND_A, matrix_tile(64, 8, 16, 128),
                      "wgmma_a needs a multiple of 16 elements along axis 1, "
                      "not 8: bit 3 of the index doesn't fit");
  check_wgmma_problem(OPERAND_A, matrix_tile(64, 64, 4, 128),
                      "wgmma_a has no fragments of elements of 4 bits");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fragments_of_one_instruction),
      cmocka_unit_test(several_instructions_follow_each_other),
      cmocka_unit_test(fragments_of_b_are_whole),
      cmocka_unit_test(sums_are_the_next_operand),
      cmocka_unit_test(sums_of_wgmma),
      cmocka_unit_test(sums_of_several_warpgroups),
      cmocka_unit_test(operands_of_wgmma),
      cmocka_unit_test(matrices_of_16_bits),
      cmocka_unit_test(matrices_of_8_bits),
      cmocka_unit_test(ldmatrix_makes_fragments),
      cmocka_unit_test(tensor_memory),
      cmocka_unit_test(tensor_memory_of_half),
      cmocka_unit_test(fragments_that_dont_fit),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
