// SPDX-License-Identifier: Apache-2.0
// Note [Sums of units] against the PTX ISA, "Register fragments and shared
// memory matrix layouts" of wgmma: d[i] of thread t of m64nN is in row
// 16 (t / 32) + t % 32 / 4 + 8 (i / 2 % 2) and column 8 (i / 4) + 2 (t % 4) + i
// % 2.
#include "tile/tile_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void is_as_the_isa_says(uint32_t rows, uint32_t columns) {
  TileSpread s = {.shape = {.rank = 2, .extents = {rows, columns}},
                  .lanes = 128};
  assert_true(unit_spread(&s));
  for (uint32_t t = 0; t < 128; t++)
    for (uint32_t i = 0; i < rows * columns / 128; i++) {
      uint32_t at[2], own = columns / 2, d = i % own;
      unit_slot(&s, i, at);
      for (uint32_t k = 0; k < s.n_terms; k++) {
        const SpreadTerm *term = &s.terms[k];
        at[term->dimension] += t / term->divisor % term->count * term->step;
      }
      assert_int_equal(at[0], 64 * (i / own) + 16 * (t / 32) + t % 32 / 4 +
                                  8 * (d / 2 % 2));
      assert_int_equal(at[1], 8 * (d / 4) + 2 * (t % 4) + d % 2);
    }
}

static void threads_hold_sums(void **state) {
  (void)state;
  for (uint32_t columns = 8; columns <= 256; columns += 8) {
    is_as_the_isa_says(64, columns);
    is_as_the_isa_says(192, columns);
  }
}

static void others_have_none(void **state) {
  (void)state;

  static const TileSpread others[] = {
      {.shape = {.rank = 2, .extents = {32, 8}}, .lanes = 128},
      {.shape = {.rank = 2, .extents = {64, 4}}, .lanes = 128},
      {.shape = {.rank = 2, .extents = {64, 8}}, .lanes = 64},
      {.shape = {.rank = 1, .extents = {64}}, .lanes = 128}};

  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    TileSpread s = others[i];
    assert_false(unit_spread(&s));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_hold_sums),
                                     cmocka_unit_test(others_have_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
