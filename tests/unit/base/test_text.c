// SPDX-License-Identifier: Apache-2.0
// Text building, JSON escapes, UTF-8, near names.
#include "base/text.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void text_grows(void **state) {
  (void)state;
  Text text = {.arena = arena_new()};
  assert_string_equal(text_cstr(&text), "");
  for (int i = 0; i < 1000; i++)
    text_printf(&text, "%d,", i % 10);
  assert_int_equal(text.length, 2000);
  assert_memory_equal(text.data + 1996, "8,9,", 5);
  text_add_repeat(&text, '-', 3);
  text_add_n(&text, "\0x", 2);
  assert_memory_equal(text.data + 2000, "---\0x", 6);
  arena_free(text.arena);
}

static void check_json(const char *bytes, size_t length, const char *expected) {
  Text text = {.arena = arena_new()};
  text_add_json_n(&text, bytes, length);
  assert_string_equal(text_cstr(&text), expected);
  arena_free(text.arena);
}

static void json_is_escaped(void **state) {
  (void)state;
  check_json("plain", 5, "\"plain\"");
  check_json("\"\\/\b\f\n\r\t", 8, "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
  check_json("a\0b\x1b\x7f", 5, "\"a\\u0000b\\u001b\\u007f\"");
  check_json("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 9,
             "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
}

#define REPLACED "\xEF\xBF\xBD"

static void broken_utf8_is_replaced_in_json(void **state) {
  (void)state;
  check_json("\xFF", 1, "\"" REPLACED "\"");
  check_json("\xC3", 1, "\"" REPLACED "\"");
  check_json("\xC0\xAF", 2, "\"" REPLACED REPLACED "\"");
  check_json("\xED\xA0\x80", 3, "\"" REPLACED REPLACED REPLACED "\"");
  check_json("\xF4\x90\x80\x80", 4,
             "\"" REPLACED REPLACED REPLACED REPLACED "\"");
  check_json("a\xE2\x82"
             "b",
             4, "\"a" REPLACED REPLACED "b\"");
}

static void every_code_point_decodes_as_encoded(void **state) {
  (void)state;
  for (uint32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 61) {
    if (c >= 0xD800 && c <= 0xDFFF)
      continue;
    char bytes[4];
    size_t length = utf8_encode(c, bytes);
    Utf8Char decoded = utf8_decode(bytes, length);
    assert_true(decoded.is_valid);
    assert_int_equal(decoded.code_point, c);
    assert_int_equal(decoded.size_bytes, length);
    if (length > 1)
      assert_false(utf8_decode(bytes, length - 1).is_valid);
  }
}

static void widths_are_those_of_terminals(void **state) {
  (void)state;
  assert_int_equal(utf8_width('a'), 1);
  assert_int_equal(utf8_width(0xE9), 1);
  assert_int_equal(utf8_width(0x0301), 0);  // combining acute
  assert_int_equal(utf8_width(0x200B), 0);  // zero-width space
  assert_int_equal(utf8_width(0x4E2D), 2);  // CJK
  assert_int_equal(utf8_width(0xFF21), 2);  // fullwidth A
  assert_int_equal(utf8_width(0x1F600), 2); // emoji
  assert_int_equal(utf8_width(0x2192), 1);  // arrow
}

static void near_names_are_found(void **state) {
  (void)state;
  static const char *const names[] = {"block_index", "rank",         "size",
                                      "sync",        "thread_index", "Grid"};
  size_t count = sizeof(names) / sizeof(names[0]);
  assert_string_equal(text_nearest("blok_index", names, count), "block_index");
  assert_string_equal(text_nearest("rnak", names, count), "rank");
  assert_string_equal(text_nearest("grid", names, count), "Grid");
  assert_string_equal(text_nearest("snc", names, count), "sync");
  assert_null(text_nearest("x", names, count));
  assert_null(text_nearest("saxpy", names, count));
  assert_null(text_nearest("rank", names + 1, 1));
  assert_null(text_nearest("", names, count));
  assert_null(text_nearest("name", NULL, 0));
}

static void overlong_names_are_left_alone(void **state) {
  (void)state;
  char name[200];
  memset(name, 'a', sizeof(name));
  name[199] = '\0';
  const char *candidate = "aaaa";
  assert_null(text_nearest(name, &candidate, 1));
  candidate = name;
  assert_null(text_nearest("aaaa", &candidate, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_grows),
      cmocka_unit_test(json_is_escaped),
      cmocka_unit_test(broken_utf8_is_replaced_in_json),
      cmocka_unit_test(every_code_point_decodes_as_encoded),
      cmocka_unit_test(widths_are_those_of_terminals),
      cmocka_unit_test(near_names_are_found),
      cmocka_unit_test(overlong_names_are_left_alone),
  };
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
