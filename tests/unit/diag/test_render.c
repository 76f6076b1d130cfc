// SPDX-License-Identifier: Apache-2.0
// What people and tools are shown.
#include "diag/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static Arena *arena;
static DiagEngine *engine;
static SourceText *source;

static int set_up(void **state) {
  (void)state;
  arena = arena_new();
  engine = diag_engine_new(arena, 0);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static void use_source_n(const char *text, size_t length) {
  source = source_new(arena, "a.hd", text, length, false);
  diag_engine_set_source(engine, source);
}

static void use_source(const char *text) {
  use_source_n(text, strlen(text));
}

// The place of the first `what` in the source.
static Place where(const char *what) {
  const char *text = source_text(source);
  const char *found = strstr(text, what);
  assert_non_null(found);
  uint32_t begin = (uint32_t)(found - text);
  return source_place(source, (Span){begin, begin + (uint32_t)strlen(what)});
}

static Diag *undeclared(const char *name, Place place) {
  return DIAG_REPORT(engine, DIAG_undeclared_name, place, DS(name));
}

static const char *text_of(void) {
  Text out = {.arena = arena};
  diag_render_text(engine, &out, false);
  return text_cstr(&out);
}

static const char *json_of(void) {
  Text out = {.arena = arena};
  diag_render_json(engine, &out);
  return text_cstr(&out);
}

static void one_caret_line(void **state) {
  (void)state;
  use_source("int x;\n  y[i] = nn;\n");
  undeclared("nn", where("nn"));
  assert_string_equal(text_of(), "error[HD0301]: 'nn' is not declared\n"
                                 " --> a.hd:2:10\n"
                                 "  |\n"
                                 "2 |   y[i] = nn;\n"
                                 "  |          ^^\n");
}

static void labels_notes_witness_and_fixes(void **state) {
  (void)state;
  use_source("\n\n\n\n\n\n\n\n\n\n\n"
             "    buf[lane] = in[base + lane];\n"
             "\n"
             "    out[base + lane] = buf[lane ^ 1];\n");
  Diag *diag = undeclared("buf", where("buf[lane ^ 1]"));
  diag_label(engine, diag, where("buf[lane]"), "thread 0 writes buf[0] here");
  diag_label(engine, diag, where("buf[lane ^ 1]"), "thread 1 reads buf[0]");
  diag_note(engine, diag, (Place){0}, "first line\nsecond line");
  diag_note(engine, diag, where("out"), "elsewhere");
  diag_witness(engine, diag, "block 0, threads 0 and 1");
  diag_fix(engine, diag, where("out"), true, "sync();\n",
           "insert before line %d", 14);
  assert_string_equal(
      text_of(),
      "error[HD0301]: 'buf' is not declared\n"
      "  --> a.hd:14:24\n"
      "   |\n"
      "12 |     buf[lane] = in[base + lane];\n"
      "   |     --------- thread 0 writes buf[0] here\n"
      "14 |     out[base + lane] = buf[lane ^ 1];\n"
      "   |                        ^^^^^^^^^^^^^ thread 1 reads buf[0]\n"
      "   = note: first line\n"
      "           second line\n"
      "   = note: a.hd:14:5: elsewhere\n"
      "   = witness: block 0, threads 0 and 1\n"
      "   = fix: insert before line 14:  sync();\n");
}

static void fixes_say_what_to_write_once(void **state) {
  (void)state;
  Diag *diag = undeclared("n", (Place){0});
  diag_fix(engine, diag, (Place){0}, false, "m", "did you mean 'm'?");
  diag_fix(engine, diag, (Place){0}, false, "m", "rename");
  diag_fix(engine, diag, (Place){0}, false, "two\nlines", "insert");
  diag_fix(engine, diag, (Place){0}, false, "", "remove it");
  assert_string_equal(text_of(), "error[HD0301]: 'n' is not declared\n"
                                 "  = fix: did you mean 'm'?\n"
                                 "  = fix: rename:  m\n"
                                 "  = fix: insert\n"
                                 "  = fix: remove it\n");
}

static void several_marks_on_one_line(void **state) {
  (void)state;
  use_source("aa = bb + cc;\n");
  Diag *diag = undeclared("bb", where("bb"));
  diag_label(engine, diag, where("bb"), "second");
  diag_label(engine, diag, where("aa"), "first");
  diag_label(engine, diag, where("cc"), "third");
  assert_string_equal(text_of(), "error[HD0301]: 'bb' is not declared\n"
                                 " --> a.hd:1:6\n"
                                 "  |\n"
                                 "1 | aa = bb + cc;\n"
                                 "  | --   ^^   -- third\n"
                                 "  | |    second\n"
                                 "  | first\n");
}

static void far_lines_are_left_out(void **state) {
  (void)state;
  use_source("first\n2\n3\n4\nlast\n");
  Diag *diag = undeclared("last", where("last"));
  diag_label(engine, diag, where("first"), "declared here");
  assert_string_equal(text_of(), "error[HD0301]: 'last' is not declared\n"
                                 " --> a.hd:5:1\n"
                                 "  |\n"
                                 "1 | first\n"
                                 "  | ----- declared here\n"
                                 "  |\n"
                                 "5 | last\n"
                                 "  | ^^^^\n");
}

static void spans_of_several_lines(void **state) {
  (void)state;
  use_source("x = f(1,\n  2,\n  3) + 4;\n");
  Diag *diag = undeclared("f", where("f(1,\n  2,\n  3)"));
  diag_label(engine, diag, where("f(1,\n  2,\n  3)"), "this call");
  assert_string_equal(text_of(), "error[HD0301]: 'f' is not declared\n"
                                 " --> a.hd:1:5\n"
                                 "  |\n"
                                 "1 | x = f(1,\n"
                                 "  |     ^^^^\n"
                                 "3 |   3) + 4;\n"
                                 "  |   ^^ this call\n");
}

static void tabs_and_wide_characters_keep_carets_in_place(void **state) {
  (void)state;
  use_source("\tx\t= \"\xE4\xB8\xAD\xE6\x96\x87\" + e\xCC\x81 + nn;\n");
  undeclared("nn", where("nn"));
  assert_string_equal(
      text_of(),
      "error[HD0301]: 'nn' is not declared\n"
      " --> a.hd:1:18\n"
      "  |\n"
      "1 |     x   = \"\xE4\xB8\xAD\xE6\x96\x87\" + e\xCC\x81 + nn;\n"
      "  |                        ^^\n");
}

static void hostile_characters_are_escaped(void **state) {
  (void)state;
  const char text[] = "a\0b\x1b[31m\xFF\xE2\x80\xAE nn\n";
  use_source_n(text, sizeof(text) - 1);
  undeclared("\x1b]0;\xFF\n", (Place){"a.hd", 1, 14, 1, 16, false});
  assert_string_equal(text_of(),
                      "error[HD0301]: '\\x1b]0;\\xff\\x0a' is not declared\n"
                      " --> a.hd:1:12\n"
                      "  |\n"
                      "1 | a\\x00b\\x1b[31m\\xff\\u{202e} nn\n"
                      "  |                            ^^\n");
}

static void the_end_of_a_line_and_of_the_file(void **state) {
  (void)state;
  use_source("int x\n");
  Place line_end = {"a.hd", 1, 6, 1, 6, false};
  Place file_end = {"a.hd", 2, 1, 2, 1, false};
  DIAG_REPORT(engine, DIAG_expected, line_end, DS("';'"), DS("the end"));
  DIAG_REPORT(engine, DIAG_expected, file_end, DS("'}'"), DS("the end"));
  assert_string_equal(text_of(), "error[HD0201]: expected ';', found the end\n"
                                 " --> a.hd:1:6\n"
                                 "  |\n"
                                 "1 | int x\n"
                                 "  |      ^\n"
                                 "\n"
                                 "error[HD0201]: expected '}', found the end\n"
                                 " --> a.hd:2:1\n"
                                 "  |\n"
                                 "2 |\n"
                                 "  | ^\n");
}

static void very_long_lines_are_cut_around_the_mark(void **state) {
  (void)state;

  enum { SIZE = 1 << 20 };

  char *text = arena_alloc(arena, SIZE + 1);
  memset(text, 'x', SIZE);
  memcpy(text + SIZE / 2, " nn ", 4);
  use_source_n(text, SIZE);
  Diag *diag = undeclared("nn", where("nn"));
  diag_label(engine, diag, (Place){"a.hd", 1, 1, 1, 2, false},
             "far to the left");
  const char *shown = text_of();
  assert_true(strlen(shown) < 600);
  assert_non_null(strstr(shown, "1 | ...xxx"));
  assert_non_null(strstr(shown, "xxx...\n"));
  const char *caret = strstr(shown, "^^");
  assert_non_null(caret);
  const char *quoted = strstr(shown, " nn ") + 1;
  const char *quoted_line = strstr(shown, "1 | ...");
  const char *caret_line = strchr(quoted, '\n') + 1;
  assert_int_equal(quoted - quoted_line, caret - caret_line);
}

static void cuts_do_not_split_characters(void **state) {
  (void)state;
  char *text = arena_alloc(arena, 3001);
  for (size_t i = 0; i < 3000; i += 3)
    memcpy(text + i, "\xE4\xB8\xAD", 3);
  use_source_n(text, 3000);
  for (uint32_t col = 1; col < 3000; col += 77)
    undeclared("n", (Place){"a.hd", 1, col, 1, col + 3, false});
  assert_null(strstr(text_of(), "\\x"));
}

static void other_files_have_their_own_snippet(void **state) {
  (void)state;
  const char *text = "# 1 \"a.hd\"\nint n;\n# 1 \"gone.hd\"\nint n;\n";
  source = source_new(arena, "a.hd", text, strlen(text), true);
  source_set_original(source, "int n;\n", 7);
  diag_engine_set_source(engine, source);
  Diag *diag = undeclared("n", (Place){"gone.hd", 1, 5, 1, 6, false});
  diag_label(engine, diag, (Place){"a.hd", 1, 5, 1, 6, false}, "first here");
  diag_label(engine, diag, (Place){"lost.hd", 3, 4, 3, 5, false}, "and here");
  assert_string_equal(text_of(), "error[HD0301]: 'n' is not declared\n"
                                 " --> gone.hd:1:5\n"
                                 " ::: a.hd:1:5\n"
                                 "  |\n"
                                 "1 | int n;\n"
                                 "  |     - first here\n"
                                 "  = note: lost.hd:3:4: and here\n");
}

static void nothing_known_nothing_quoted(void **state) {
  (void)state;
  Diag *diag = undeclared("n", (Place){0});
  diag_note(engine, diag, (Place){0}, "why");
  undeclared("m", (Place){"a.hd", 3, 4, 3, 5, false});
  assert_string_equal(text_of(), "error[HD0301]: 'n' is not declared\n"
                                 "  = note: why\n"
                                 "\n"
                                 "error[HD0301]: 'm' is not declared\n"
                                 " --> a.hd:3:4\n");
}

static void what_is_not_shown_is_counted(void **state) {
  (void)state;
  for (uint32_t i = 1; i <= 21; i++)
    undeclared("n", (Place){"a.hd", i, 1, i, 1, false});
  assert_non_null(strstr(text_of(), "\n1 more message is not shown\n"));
}

static void colours_only_when_asked(void **state) {
  (void)state;
  use_source("nn\n");
  undeclared("nn", where("nn"));
  assert_null(strchr(text_of(), '\033'));
  Text out = {.arena = arena};
  diag_render_text(engine, &out, true);
  assert_non_null(strstr(text_cstr(&out), "\033[1;31m^^\033[0m"));
}

static void json_holds_everything(void **state) {
  (void)state;
  use_source("\xC3\xA9 = nn;\n");
  Diag *diag = undeclared("nn", where("nn"));
  diag_label(engine, diag, where("="), "a \"label\"");
  diag_note(engine, diag, (Place){0}, "a note");
  diag_fix(engine, diag, where("nn"), false, "n", "did you mean 'n'?");
  assert_string_equal(
      json_of(),
      "[{\"code\":\"HD0301\",\"severity\":\"error\",\"id\":\"undeclared_name\","
      "\"message\":\"'nn' is not declared\",\"file\":\"a.hd\",\"line\":1,"
      "\"column\":5,\"end_line\":1,\"end_column\":7,"
      "\"labels\":[{\"text\":\"a \\\"label\\\"\",\"file\":\"a.hd\",\"line\":1,"
      "\"column\":3,\"end_line\":1,\"end_column\":4}],"
      "\"notes\":[{\"text\":\"a note\",\"file\":null,\"line\":0,\"column\":0,"
      "\"end_line\":0,\"end_column\":0}],"
      "\"fixes\":[{\"text\":\"did you mean 'n'?\",\"replacement\":\"n\","
      "\"certain\":false,\"file\":\"a.hd\",\"line\":1,\"column\":5,"
      "\"end_line\":1,\"end_column\":7}],\"witness\":null}]\n");
}

static void json_of_nothing_is_an_empty_array(void **state) {
  (void)state;
  assert_string_equal(json_of(), "[]\n");
  assert_string_equal(text_of(), "");
}

// Random bytes as source, random places: rendering ends and is printable.
static void garbage_is_rendered_safely(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int round = 0; round < 200; round++) {
    char *text = arena_alloc(arena, 400);
    for (size_t i = 0; i < 399; i++) {
      seed = seed * 1664525u + 1013904223u;
      text[i] = (char)(seed >> 24);
    }
    engine = diag_engine_new(arena, 0);
    source = source_new(arena, "a.hd", text, 399, round % 2 == 0);
    diag_engine_set_source(engine, source);
    for (uint32_t i = 0; i < 5; i++) {
      uint32_t begin = (seed >> i) % 420;
      Diag *diag = undeclared(
          text + i, source_place(source, (Span){begin, begin + i * 9}));
      diag_label(engine, diag, source_place(source, (Span){i, i + 40}), "%s",
                 text + 50);
    }
    for (const char *c = text_of(); *c; c++)
      assert_true(*c == '\n' || (unsigned char)*c >= 0x20);
    assert_non_null(strstr(json_of(), "undeclared_name"));
  }
}

#define RENDER_TEST(name)                                                      \
  cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      RENDER_TEST(one_caret_line),
      RENDER_TEST(labels_notes_witness_and_fixes),
      RENDER_TEST(fixes_say_what_to_write_once),
      RENDER_TEST(several_marks_on_one_line),
      RENDER_TEST(far_lines_are_left_out),
      RENDER_TEST(spans_of_several_lines),
      RENDER_TEST(tabs_and_wide_characters_keep_carets_in_place),
      RENDER_TEST(hostile_characters_are_escaped),
      RENDER_TEST(the_end_of_a_line_and_of_the_file),
      RENDER_TEST(very_long_lines_are_cut_around_the_mark),
      RENDER_TEST(cuts_do_not_split_characters),
      RENDER_TEST(other_files_have_their_own_snippet),
      RENDER_TEST(nothing_known_nothing_quoted),
      RENDER_TEST(what_is_not_shown_is_counted),
      RENDER_TEST(colours_only_when_asked),
      RENDER_TEST(json_holds_everything),
      RENDER_TEST(json_of_nothing_is_an_empty_array),
      RENDER_TEST(garbage_is_rendered_safely),
  };
  return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
