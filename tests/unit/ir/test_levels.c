// SPDX-License-Identifier: Apache-2.0
// Passes and levels: rows of passes.def fit together, and what a pass takes
// away is refused behind it.
#include "ir/form/words.h"
#include "ir/passes/passes.h"
#include "ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// ------------------------------------------------------------------- rows

// Whatever kernels are for: who leaves a row out still arrives at the level of
// the next one. Only kernels with tiles stop before the level thread.
static void test_rows_fit(void **state) {
  (void)state;
  IrLevel level = LEVEL_SOURCE;
  for (int i = 0; i < PASS_COUNT; i++) {
    const PassInfo *row = &pass_table[i];
    assert_true(row->before <= row->after);
    if (row->stage != STAGE_KERNEL) {
      assert_true(row->before == LEVEL_THREAD ||
                  (row->before == LEVEL_TILES && row->after == LEVEL_THREAD));
      continue;
    }
    assert_int_equal(row->before, level);
    assert_true(row->before == row->after || row->when == PASS_ALWAYS ||
                row->when == PASS_UNTILED);
    level = row->after;
  }
  assert_int_equal(level, LEVEL_THREAD);
}

static void test_names(void **state) {
  (void)state;
  for (int i = 0; i < PASS_COUNT; i++)
    assert_int_equal(pass_find(pass_table[i].name), i);
  assert_int_equal(pass_find("no_such_pass"), PASS_COUNT);
}

// The page has each row, with its levels.
static void test_page(void **state) {
  (void)state;

  enum { MOST_BYTES = 100000 };

  static char page[MOST_BYTES];
  FILE *file = fopen("docs/internals/passes.md", "r");
  assert_non_null(file);
  page[fread(page, 1, sizeof page - 1, file)] = 0;
  fclose(file);
  static const char *const of[] = {"all", "checker", "CPU", "GPU"};
  for (int i = 0; i < PASS_COUNT; i++) {
    const PassInfo *row = &pass_table[i];
    char line[500];
    snprintf(line, sizeof line, "| `%s` | %s | %s | %s |", row->name,
             of[row->stage], ir_words_level[row->before],
             ir_words_level[row->after]);
    const char *at = strstr(page, line);
    if (!at)
      fail_msg("docs/internals/passes.md has no row that begins '%s'", line);
    const char *doc = strstr(at, row->doc);
    if (!doc || doc > strchr(at, '\n'))
      fail_msg("docs/internals/passes.md: the row of '%s' doesn't say '%s'",
               row->name, row->doc);
  }
}

// ------------------------------------------------------------------ levels

// A block of 64 threads with a mbarrier; `body` stands in it.
static const char *program(char *text, size_t size, const char *level,
                           const char *rows, const char *body) {
  snprintf(text, size,
           "heddle-ir 1\nmodule \"t.hd\"\ntile i32[8]\n"
           "kernel \"k\" {\n  %s\n  block 64 1 1\n  grid 1 1 _ _\n"
           "  group #0 grid align 1024 \"grid\"\n"
           "  group #1 cluster in #0 align 1024 \"cluster\"\n"
           "  group #2 block in #1 size 64 align 1024 \"block\"\n"
           "  group #3 warp in #2 size 32 instances 2 align 32 \"warp\"\n"
           "%s"
           "  object @b mbarrier shared void of 8 extents [1] align 8 per #2 "
           "arrivals 64\n"
           "  body {\n%s  }\n}\nlocations {\n}\n",
           level, rows, body);
  return text;
}

static void expect(const char *rows, const char *body, IrLevel last,
                   const char *why) {
  for (int i = 0; i < LEVEL_COUNT; i++) {
    Arena *arena = arena_new();
    char level[32], text[2000];
    const char *code, *message;
    snprintf(level, sizeof level, "level %s", ir_words_level[i]);
    const IrModule *module = parse_ir(
        arena, program(text, sizeof text, level, rows, body), &code, &message);
    if (i <= (int)last) {
      assert_string_equal(message, "");
      assert_int_equal(module->kernels.data[0]->level, i);
    } else {
      assert_null(module);
      assert_string_equal(code, "HD0227");
      assert_non_null(strstr(message, why));
    }
    arena_free(arena);
  }
}

static void test_open_joins(void **state) {
  (void)state;
  expect("", "    join #2 join open reason \"\" array \"\"\n", LEVEL_GROUPED,
         "does not stand at the level");
  expect("", "    join #2 join kept reason \"\" array \"\"\n", LEVEL_LANES, "");
}

static void test_initialisations(void **state) {
  (void)state;
  expect("", "    %0 = const i32 0\n    mbar_init @b %0\n", LEVEL_JOINED,
         "does not stand at the level");
}

static void test_tiles(void **state) {
  (void)state;
  expect("", "    %0 = tile_iota tile.0\n", LEVEL_TILES,
         "does not stand at the level");
  expect("", "    %0 = tile_iota tile.0\n    %1 = add tile.0 %0, %0\n",
         LEVEL_TILES, "does not stand at the level");
}

static void test_whole_groups(void **state) {
  (void)state;
  Arena *arena = arena_new();
  char text[2000];
  const char *code, *message;
  IrModule *module =
      parse_ir(arena, program(text, sizeof text, "", "", ""), &code, &message);
  IrKernel *kernel = module->kernels.data[0];
  kernel->groups.data[3]->is_whole = true;
  assert_null(ir_verify(module));
  kernel->level = LEVEL_GROUPED;
  assert_non_null(strstr(ir_verify(module), "is a whole one"));
  arena_free(arena);
}

// Masks of lanes are for one back end alone.
static void test_masks(void **state) {
  (void)state;
  static const char rows[] = "  group #4 coalesced in #3 align 1 \"lanes\"\n";
  static const char body[] = "    %0 = make_group i32 #4\n"
                             "    %1 = const bool 0x1\n"
                             "    %2 = make_group i32 #4 %0, %1\n";
  Arena *arena = arena_new();
  char text[2000];
  const char *code, *message;
  const IrModule *module =
      parse_ir(arena, program(text, sizeof text, "level lanes", rows, body),
               &code, &message);
  assert_string_equal(message, "");
  assert_non_null(strstr(print_ir(arena, module), "level lanes"));
  assert_null(parse_ir(arena,
                       program(text, sizeof text, "level thread", rows, body),
                       &code, &message));
  assert_non_null(strstr(message, "has no maker"));
  arena_free(arena);
}

static void test_run(void **state) {
  (void)state;
  Arena *arena = arena_new();
  char text[2000];
  const char *code, *message;
  IrModule *module =
      parse_ir(arena,
               program(text, sizeof text, "", "",
                       "    %0 = const i32 0\n    mbar_init @b %0\n"
                       "    join #2 join open reason \"\" array \"\"\n"),
               &code, &message);
  assert_string_equal(message, "");
  Text shown = {.arena = arena};
  const PassWatch watch = {false, PASS_DECIDE_JOINS, &shown};
  module->watch = &watch;
  PassRun run = {.kernel = module->kernels.data[0],
                 .when = PASS_RUN | PASS_UNTILED,
                 .diags = diag_engine_new(arena, 0),
                 .arena = arena};
  passes_run(&run);
  assert_int_equal(run.kernel->level, LEVEL_THREAD);
  assert_non_null(strstr(text_cstr(&shown), "level joined"));
  assert_non_null(strstr(text_cstr(&shown), "mbar_init"));
  assert_null(strstr(print_ir(arena, module), "mbar_init"));
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_fit),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_page),
      cmocka_unit_test(test_open_joins),
      cmocka_unit_test(test_initialisations),
      cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_whole_groups),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
