// SPDX-License-Identifier: Apache-2.0
// Powers of two, their logarithms and multiples, against a search.
#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static uint32_t bits_set_in(uint64_t n) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < 64; k++)
    count += (uint32_t)(n >> k & 1);
  return count;
}

static void sets_are_told_by_their_members(void **state) {
  (void)state;
  for (uint64_t n = 0; n < 4096; n++) {
    assert_int_equal(bits_has_several(n), bits_set_in(n) > 1);
    assert_int_equal(bits_is_power(n), bits_set_in(n) == 1);
    assert_int_equal(is_power_of_two((int64_t)n), bits_set_in(n) == 1);
    assert_false(is_power_of_two(-(int64_t)n));
  }
  assert_true(bits_is_power(UINT64_C(1) << 63));
  assert_false(bits_is_power(UINT64_C(3) << 62));
  assert_false(is_power_of_two(INT64_MIN));
  assert_true(is_power_of_two(INT64_C(1) << 62));
  assert_true(bits_has_several(UINT64_C(1) << 63 | 1));
}

static void logarithms_enclose_their_number(void **state) {
  (void)state;
  for (uint64_t n = 1; n < 4096; n++) {
    uint32_t down = bits_log2(n), up = bits_log2_up(n);
    assert_true(UINT64_C(1) << down <= n && n < UINT64_C(2) << down);
    assert_true(UINT64_C(1) << up >= n);
    assert_true(up == 0 || UINT64_C(1) << (up - 1) < n);
  }
  assert_int_equal(bits_log2_up(0), 0);
  assert_int_equal(bits_log2(UINT64_MAX), 63);
  assert_int_equal(bits_log2_up(UINT64_C(1) << 63), 63);
  assert_int_equal(bits_log2_up(UINT64_MAX), 64);
}

static void lowest_bits_divide(void **state) {
  (void)state;
  assert_int_equal(bits_lowest(0), 0);
  for (uint64_t n = 1; n < 4096; n++) {
    uint64_t unit = bits_lowest(n);
    assert_true(bits_is_power(unit));
    assert_int_equal(n % unit, 0);
    assert_int_not_equal(n % (2 * unit), 0);
  }
  assert_true(bits_lowest(UINT64_C(5) << 61) == UINT64_C(1) << 61);
}

static void multiples_are_the_next(void **state) {
  (void)state;
  for (uint64_t unit = 1; unit < 70; unit++)
    for (uint64_t n = 0; n < 300; n++) {
      uint64_t up = bits_align_up(n, unit);
      assert_int_equal(up % unit, 0);
      assert_true(up >= n && up - n < unit);
    }
  assert_true(bits_align_up((UINT64_C(1) << 48) + 1, 4096) ==
              (UINT64_C(1) << 48) + 4096);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_are_told_by_their_members),
      cmocka_unit_test(logarithms_enclose_their_number),
      cmocka_unit_test(lowest_bits_divide),
      cmocka_unit_test(multiples_are_the_next),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
