// SPDX-License-Identifier: Apache-2.0
// Ranges of memory as rectangles: exactly those elements, or none is told.
#include "base/range_box.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { RANK = 3 };

static const int64_t dense[RANK] = {12, 4, 1}, padded[RANK] = {20, 6, 1};

typedef struct {
  int64_t low[RANK], length[RANK];
} Box;

static bool make(const int64_t *strides, int64_t first, int64_t n, Box *box) {
  int64_t zeros[RANK] = {0};
  return range_box(strides, RANK, 4, zeros, first * 4, n * 4, box->low,
                   box->length);
}

static void is_box(const int64_t *strides, int64_t first, int64_t n,
                   const Box *expected) {
  Box box;
  assert_true(make(strides, first, n, &box));
  assert_memory_equal(&box, expected, sizeof box);
}

// Every range, against its elements one by one.
static void boxes_have_the_elements_of_the_range(void **state) {
  (void)state;
  int n_boxes = 0;
  for (int64_t first = 0; first < 36; first++)
    for (int64_t n = 1; n <= 36; n++) {
      Box box;
      if (!make(dense, first, n, &box))
        continue;
      n_boxes++;
      assert_int_equal(box.length[0] * box.length[1] * box.length[2], n);
      for (int64_t i = 0; i < n; i++) {
        int64_t rest = first + i;
        for (int k = 0; k < RANK; k++) {
          int64_t index = rest / dense[k];
          rest %= dense[k];
          assert_true(index >= box.low[k]);
          assert_true(index < box.low[k] + box.length[k]);
        }
      }
    }
  assert_int_equal(n_boxes, 9 * 10 + 3 * 2 + 3 * 3);
}

static void rows_and_planes_are_found(void **state) {
  (void)state;
  is_box(dense, 13, 3, &(Box){{1, 0, 1}, {1, 1, 3}});
  is_box(dense, 12, 8, &(Box){{1, 0, 0}, {1, 2, 4}});
  is_box(dense, 12, 36, &(Box){{1, 0, 0}, {3, 3, 4}});
  Box box;
  assert_false(make(dense, 13, 4, &box));
  assert_false(make(dense, 16, 12, &box));
}

// A plane of 20 has no whole number of rows of 6.
static void padding_stays_inside_a_row(void **state) {
  (void)state;
  Box box;
  is_box(padded, 27, 3, &(Box){{1, 1, 1}, {1, 1, 3}});
  assert_true(make(padded, 26, 6, &box));
  assert_false(make(padded, 20, 20, &box));
}

static void what_is_none_is_refused(void **state) {
  (void)state;
  int64_t zeros[RANK] = {0}, huge[RANK] = {INT64_MAX, 0, 0};
  int64_t gaps[RANK] = {12, 4, 2}, none[RANK] = {0, 4, 1};
  Box box;
  assert_false(make(dense, -1, 1, &box));
  assert_false(make(gaps, 0, 1, &box));
  assert_false(make(none, 0, 1, &box));
  assert_false(range_box(dense, RANK, 4, zeros, 2, 4, box.low, box.length));
  assert_false(range_box(dense, RANK, 4, zeros, 0, 6, box.low, box.length));
  assert_false(range_box(dense, RANK, 4, huge, 4, 4, box.low, box.length));
}

static void a_row_alone_has_no_end(void **state) {
  (void)state;
  int64_t one = 1, index = 2, low, length;
  assert_true(range_box(&one, 1, 4, &index, -16, 400, &low, &length));
  assert_int_equal(low, -2);
  assert_int_equal(length, 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_have_the_elements_of_the_range),
      cmocka_unit_test(rows_and_planes_are_found),
      cmocka_unit_test(padding_stays_inside_a_row),
      cmocka_unit_test(what_is_none_is_refused),
      cmocka_unit_test(a_row_alone_has_no_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
