// SPDX-License-Identifier: Apache-2.0
// heddle.h as a host program uses it: views, memory of the host, shapes.
#include "api_set_up.h"

static void a_view_is_a_part_with_strides(void **state) {
  (void)state;
  int64_t whole[2] = {6, 10}, part[2] = {3, 4}, strides[2] = {20, 1};
  HdBuffer *a, *view, *wrong;
  ok(hd_buffer_new(device, HD_I32, 2, whole, &a));
  ok(hd_buffer_view(a, 12, 2, part, strides, &view)); // rows 1, 3, 5
  assert_int_equal(hd_buffer_stride(view, 0), 20);
  assert_int_equal(hd_buffer_extent(view, 2), 0);
  ok(hd_launch(program, "rows", NULL, HD_INT(3), HD_INT(4), HD_INT(20),
               HD_BUF(view), HD_END));
  const int32_t *data = hd_buffer_data(a);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 10; j++) {
      bool is_in = i % 2 == 1 && j >= 2 && j < 6;
      assert_int_equal(data[i * 10 + j], is_in ? i / 2 * 100 + j - 2 : 0);
    }
  }
  refused(hd_launch(program, "rows", NULL, HD_INT(3), HD_INT(4), HD_INT(10),
                    HD_BUF(view), HD_END),
          HD_ERROR_LAUNCH, "stride 0 is 20, but the kernel states 10");
  int32_t numbers[12];
  ok(hd_buffer_read(view, numbers, sizeof numbers));
  for (int i = 0; i < 12; i++)
    assert_int_equal(numbers[i], i / 4 * 100 + i % 4);
  for (int i = 0; i < 12; i++)
    numbers[i] = -i;
  ok(hd_buffer_write(view, numbers, 10 * sizeof numbers[0]));
  assert_int_equal(data[1 * 10 + 2], 0);
  assert_int_equal(data[5 * 10 + 3], -9);
  assert_int_equal(data[5 * 10 + 4], 202); // not given
  assert_int_equal(data[5 * 10 + 1], 0);   // a gap
  ok(hd_launch(program, "rows", NULL, HD_INT(3), HD_INT(4), HD_INT(20),
               HD_BUF(view), HD_END));
  refused(hd_buffer_view(a, 13, 2, part, (int64_t[]){23, 1}, &wrong),
          HD_ERROR_ARGUMENT, "beyond");
  assert_null(wrong);
  refused(hd_buffer_view(a, -1, 2, part, strides, &wrong), HD_ERROR_ARGUMENT,
          "beyond");
  refused(hd_buffer_view(a, 0, 2, part, (int64_t[]){-1, 1}, &wrong),
          HD_ERROR_ARGUMENT, "negative");
  refused(hd_buffer_view(a, INT64_MAX, 1, part, NULL, &wrong),
          HD_ERROR_ARGUMENT, "beyond");
  hd_buffer_free(a); // the view keeps the memory
  assert_int_equal(((int32_t *)hd_buffer_data(view))[21], 101);
  hd_buffer_free(view);
}

static void a_view_without_strides_is_dense(void **state) {
  (void)state;
  HdBuffer *a = iota(device, N), *view;
  ok(hd_buffer_view(a, 100, 2, (int64_t[]){3, 5}, NULL, &view));
  int32_t numbers[15];
  ok(hd_buffer_read(view, numbers, sizeof numbers));
  assert_int_equal(numbers[14], 114);
  refused(hd_buffer_read(view, numbers, sizeof numbers + 1), HD_ERROR_ARGUMENT,
          "do not fit");
  hd_buffer_free(view);
  hd_buffer_free(a);
}

static void memory_of_the_host_is_used_in_place(void **state) {
  (void)state;
  int32_t memory[40] = {0};
  HdBuffer *a, *wrong;
  ok(hd_buffer_wrap(device, memory, HD_I32, 2, (int64_t[]){4, 5},
                    (int64_t[]){10, 1}, &a));
  ok(hd_launch(program, "rows", NULL, HD_INT(4), HD_INT(5), HD_INT(10),
               HD_BUF(a), HD_END));
  assert_int_equal(memory[34], 304);
  assert_int_equal(memory[35], 0);
  hd_buffer_free(a);
  assert_int_equal(memory[4], 4);
  refused(hd_buffer_wrap(device, NULL, HD_I32, 1, (int64_t[]){4}, NULL, &wrong),
          HD_ERROR_ARGUMENT, "address");
  ok(hd_buffer_wrap(device, NULL, HD_I32, 1, (int64_t[]){0}, NULL, &a));
  HdBuffer *empty = new_ints(device, 0);
  ok(hd_launch(program, "add", NULL, HD_INT(0), HD_BUF(a), HD_BUF(empty),
               HD_END));
  hd_buffer_free(a);
  hd_buffer_free(empty);
}

static void unaligned_memory_is_refused(void **state) {
  (void)state;
  _Alignas(16) char memory[64] = {0};
  HdBuffer *a, *b = new_ints(device, 4);
  ok(hd_buffer_wrap(device, memory + 2, HD_I32, 1, (int64_t[]){4}, NULL, &a));
  refused(
      hd_launch(program, "add", NULL, HD_INT(4), HD_BUF(a), HD_BUF(b), HD_END),
      HD_ERROR_LAUNCH, "'x'");
  hd_buffer_free(a);
  hd_buffer_free(b);
}

static void overlapping_arrays_are_refused(void **state) {
  (void)state;
  HdBuffer *a = iota(device, N), *view;
  ok(hd_buffer_view(a, 10, 1, (int64_t[]){N - 10}, NULL, &view));
  refused(
      hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(a), HD_BUF(a), HD_END),
      HD_ERROR_LAUNCH, "may_alias");
  refused(hd_launch(program, "move", NULL, HD_INT(1), HD_BUF(a), HD_BUF(view),
                    HD_END),
          HD_ERROR_LAUNCH, "restrict");
  HdBuffer *head;
  ok(hd_buffer_view(a, 0, 1, (int64_t[]){10}, NULL, &head));
  HdBuffer *next;
  ok(hd_buffer_view(view, 0, 1, (int64_t[]){10}, NULL, &next));
  ok(hd_launch(program, "add", NULL, HD_INT(10), HD_BUF(head), HD_BUF(next),
               HD_END));
  const int32_t *data = hd_buffer_data(a);
  assert_int_equal(data[13], 16);
  hd_buffer_free(a);
  hd_buffer_free(view);
  hd_buffer_free(head);
  hd_buffer_free(next);
}

static void impossible_shapes_are_refused(void **state) {
  (void)state;
  HdBuffer *a;
  refused(hd_buffer_new(device, HD_I32, 0, NULL, &a), HD_ERROR_ARGUMENT,
          "1 to 8");
  refused(hd_buffer_new(device, HD_I32, 9, NULL, &a), HD_ERROR_ARGUMENT,
          "1 to 8");
  refused(hd_buffer_new(device, HD_I32, 1, (int64_t[]){-1}, &a),
          HD_ERROR_ARGUMENT, "negative");
  refused(hd_buffer_new(device, HD_I64, 2,
                        (int64_t[]){INT64_C(1) << 40, INT64_C(1) << 40}, &a),
          HD_ERROR_MEMORY, "address space");
  refused(hd_buffer_new(device, HD_STRUCT, 1, (int64_t[]){1}, &a),
          HD_ERROR_ARGUMENT, "scalar");
  refused(hd_buffer_new_bytes(device, 0, 1, (int64_t[]){1}, &a),
          HD_ERROR_ARGUMENT, "one byte");
  assert_null(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_view_is_a_part_with_strides),
      cmocka_unit_test(a_view_without_strides_is_dense),
      cmocka_unit_test(memory_of_the_host_is_used_in_place),
      cmocka_unit_test(unaligned_memory_is_refused),
      cmocka_unit_test(overlapping_arrays_are_refused),
      cmocka_unit_test(impossible_shapes_are_refused),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
