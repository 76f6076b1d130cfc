// SPDX-License-Identifier: Apache-2.0
// Places: lines, line markers, columns behind macros, lines to quote.
#include "diag/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include <unistd.h>

static Arena *arena;

static int set_up(void **state) {
  (void)state;
  arena = arena_new();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static SourceText *plain(const char *text) {
  return source_new(arena, "a.hd", text, strlen(text), false);
}

// `written` is what the user wrote in a.hd, `text` what the preprocessor made.
static SourceText *preprocessed(const char *written, const char *text) {
  SourceText *source = source_new(arena, "a.hd", text, strlen(text), true);
  source_set_original(source, written, strlen(written));
  return source;
}

// The place of the first `what` in the text that the lexer reads.
static Place place_of(SourceText *source, const char *what) {
  const char *text = source_text(source);
  const char *found = strstr(text, what);
  assert_non_null(found);
  uint32_t begin = (uint32_t)(found - text);
  return source_place(source, (Span){begin, begin + (uint32_t)strlen(what)});
}

static void assert_place(Place place, uint32_t line, uint32_t col,
                         uint32_t end_line, uint32_t end_col) {
  assert_int_equal(place.line, line);
  assert_int_equal(place.col, col);
  assert_int_equal(place.end_line, end_line);
  assert_int_equal(place.end_col, end_col);
}

static void places_of_plain_text(void **state) {
  (void)state;
  SourceText *source = plain("one\n  two three\r\nfour");
  Place place = place_of(source, "two");
  assert_string_equal(place.file, "a.hd");
  assert_place(place, 2, 3, 2, 6);
  assert_place(place_of(source, "three"), 2, 7, 2, 12);
  assert_place(place_of(source, "four"), 3, 1, 3, 5);
  assert_place(place_of(source, "one\n  two"), 1, 1, 2, 6);
  assert_place(source_place(source, (Span){0, 0}), 1, 1, 1, 1);
  assert_place(source_place(source, (Span){21, 21}), 3, 5, 3, 5);
}

static void spans_outside_are_clamped(void **state) {
  (void)state;
  SourceText *source = plain("ab");
  assert_place(source_place(source, (Span){100, 200}), 1, 3, 1, 3);
  assert_place(source_place(source, (Span){1, 200}), 1, 2, 1, 3);
  assert_place(source_place(source, (Span){2, 1}), 1, 3, 1, 3);
  assert_place(source_place(plain(""), (Span){0, 5}), 1, 1, 1, 1);
}

static void assert_line(SourceText *source, const char *file, uint32_t line,
                        const char *expected) {
  size_t length = 99;
  const char *text = source_line(source, file, line, &length);
  if (!expected) {
    assert_null(text);
    return;
  }
  assert_non_null(text);
  assert_int_equal(length, strlen(expected));
  assert_memory_equal(text, expected, length);
}

static void lines_come_without_their_ends(void **state) {
  (void)state;
  SourceText *source = plain("one\r\n\ntwo\n");
  assert_line(source, "a.hd", 1, "one");
  assert_line(source, "a.hd", 2, "");
  assert_line(source, "a.hd", 3, "two");
  assert_line(source, "a.hd", 4, "");
  assert_line(source, "a.hd", 5, NULL);
  assert_line(source, "a.hd", 0, NULL);
  assert_line(source, NULL, 1, NULL);
  assert_line(source, "no-such-file.hd", 1, NULL);
}

static void markers_name_files_and_lines(void **state) {
  (void)state;
  SourceText *source = preprocessed("x\n", "# 1 \"a.hd\"\n"
                                           "# 1 \"inc.hd\" 1\n"
                                           "first\n"
                                           "second\n"
                                           "# 7 \"a.hd\" 2\n"
                                           "third\n"
                                           "#line 40\n"
                                           "fourth\n"
                                           "  # 9 \"q\\\"\\\\\\101.hd\"\n"
                                           "fifth\n");
  Place second = place_of(source, "second");
  assert_string_equal(second.file, "inc.hd");
  assert_place(second, 2, 1, 2, 7);
  Place third = place_of(source, "third");
  assert_string_equal(third.file, "a.hd");
  assert_int_equal(third.line, 7);
  Place fourth = place_of(source, "fourth");
  assert_string_equal(fourth.file, "a.hd");
  assert_int_equal(fourth.line, 40);
  Place fifth = place_of(source, "fifth");
  assert_string_equal(fifth.file, "q\"\\A.hd");
  assert_int_equal(fifth.line, 9);
  assert_ptr_equal(third.file, fourth.file);
}

// Only files in the folder itself are Heddle's, whatever others are called.
static void own_headers_are_those_of_the_folder(void **state) {
  (void)state;
  const char *text = "a\n# 1 \"/p/heddle/cuda/x.h\" 1\nb\n"
                     "# 1 \"/q/heddle/cuda/x.h\" 1\nc\n"
                     "# 1 \"/p/heddle/cuda2/x.h\" 1\nd\n";
  SourceText *source = source_new(arena, "a.cu", text, strlen(text), true);
  source_set_own(source, NULL);
  assert_false(place_of(source, "b\n").is_own);
  source_set_own(source, "/p/heddle/cuda");
  assert_false(place_of(source, "a\n").is_own);
  assert_true(place_of(source, "b\n").is_own);
  assert_false(place_of(source, "c\n").is_own);
  assert_false(place_of(source, "d\n").is_own);
}

static void markers_are_text_without_a_preprocessor(void **state) {
  (void)state;
  SourceText *source = plain("# 7 \"b.hd\"\nx\n");
  Place place = place_of(source, "x");
  assert_string_equal(place.file, "a.hd");
  assert_int_equal(place.line, 2);
}

static void what_only_looks_like_a_marker(void **state) {
  (void)state;
  SourceText *source = preprocessed("", "#pragma unroll\n"
                                        "# x\n"
                                        "#line\n"
                                        "# 99999999999 \"b.hd\"\n"
                                        "# 5 \"unclosed\n"
                                        "here\n");
  Place place = place_of(source, "here");
  assert_string_equal(place.file, "unclosed");
  assert_int_equal(place.line, 5);
  Place before = place_of(source, "99999999999");
  assert_string_equal(before.file, "a.hd");
  assert_int_equal(before.line, 4);
}

static void columns_behind_macros(void **state) {
  (void)state;
  // clang-format off
  SourceText *source = preprocessed(
      "#define N (1 + 2)\n"
      "int a[N], b[N], c; /* and */ int   d;  // end\n"
      "int e = MADE(1);\n",
      "# 1 \"a.hd\"\n"
      "\n"
      "int a[(1 + 2)], b[(1 + 2)], c; int d;\n"
      "int e = made_up;\n");
  // clang-format on
  assert_place(place_of(source, "int a"), 2, 1, 2, 6);
  assert_place(place_of(source, "b["), 2, 11, 2, 13);
  assert_place(place_of(source, "c;"), 2, 17, 2, 19);
  assert_place(place_of(source, "d;"), 2, 36, 2, 38);
  assert_place(place_of(source, "int d"), 2, 30, 2, 37);
  // Not on the line: all of it.
  assert_place(place_of(source, "made_up"), 3, 1, 3, 17);
}

static void parts_of_words_do_not_match(void **state) {
  (void)state;
  SourceText *source =
      preprocessed("  M index + i;\n", "# 1 \"a.hd\"\n  1 index + i;\n");
  const char *text = source_text(source);
  uint32_t at = (uint32_t)(strstr(text, "i;") - text);
  assert_place(source_place(source, (Span){at, at + 1}), 1, 13, 1, 14);
}

static void included_files_are_read_from_disk(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-test-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, "first\nsecond\n", 13), 13);
  close(fd);
  char *text = arena_printf(arena, "# 1 \"%s\" 1\nfirst\nsecond\n", path);
  SourceText *source = preprocessed("", text);
  Place place = place_of(source, "second");
  assert_string_equal(place.file, path);
  assert_line(source, path, 2, "second");
  remove(path);
  assert_line(source, path, 1, "first"); // read once
}

static void pipes_and_devices_are_never_read(void **state) {
  (void)state;
  SourceText *source =
      preprocessed("", "# 1 \"/dev/zero\"\nx\n# 1 \"-\"\ny\n# 1 \"/tmp\"\nz\n");
  assert_line(source, "/dev/zero", 1, NULL);
  assert_line(source, "-", 1, NULL);
  assert_line(source, "/tmp", 1, NULL);
  assert_int_equal(place_of(source, "y").col, 1);
}

static void many_lines_are_found_fast(void **state) {
  (void)state;

  enum { N = 200000 };

  char *text = arena_alloc(arena, (size_t)N * 2 + 1);
  for (size_t i = 0; i < N; i++)
    memcpy(text + 2 * i, "x\n", 2);
  SourceText *source = source_new(arena, "a.hd", text, (size_t)N * 2, false);
  for (uint32_t i = 0; i < N; i++) {
    Place place = source_place(source, (Span){2 * i, 2 * i + 1});
    assert_int_equal(place.line, i + 1);
  }
}

#define SOURCE_TEST(name)                                                      \
  cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      SOURCE_TEST(places_of_plain_text),
      SOURCE_TEST(spans_outside_are_clamped),
      SOURCE_TEST(lines_come_without_their_ends),
      SOURCE_TEST(markers_name_files_and_lines),
      SOURCE_TEST(own_headers_are_those_of_the_folder),
      SOURCE_TEST(markers_are_text_without_a_preprocessor),
      SOURCE_TEST(what_only_looks_like_a_marker),
      SOURCE_TEST(columns_behind_macros),
      SOURCE_TEST(parts_of_words_do_not_match),
      SOURCE_TEST(included_files_are_read_from_disk),
      SOURCE_TEST(pipes_and_devices_are_never_read),
      SOURCE_TEST(many_lines_are_found_fast),
  };
  return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
