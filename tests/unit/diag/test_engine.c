// SPDX-License-Identifier: Apache-2.0
// The collector: limits, repetitions, order, texts and their placeholders.
#include "base/panic.h"
#include "diag/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include <ctype.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static Arena *arena;
static DiagEngine *engine;

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

static Place at(const char *file, uint32_t line, uint32_t col) {
  return (Place){file, line, col, line, col + 1, false};
}

static Diag *undeclared(const char *name, Place place) {
  return DIAG_REPORT(engine, DIAG_undeclared_name, place, DS(name));
}

static void texts_are_filled_in(void **state) {
  (void)state;
  Diag *diag = undeclared("n", at("a.hd", 1, 2));
  assert_string_equal(diag->message, "'n' is not declared");
  assert_int_equal(diag->severity, SEVERITY_ERROR);
  assert_string_equal(diag_code(diag->id), "HD0301");
  assert_string_equal(diag_name(diag->id), "undeclared_name");
  assert_string_equal(severity_name(diag->severity), "error");
  diag = DIAG_REPORT(engine, DIAG_expected, at("a.hd", 1, 9), DS("'{x:s}'"),
                     DS(NULL));
  assert_string_equal(diag->message, "expected '{x:s}', found ?");
}

static void long_values_are_cut_between_characters(void **state) {
  (void)state;
  char name[1001] = "a";
  for (size_t i = 1; i + 2 <= 1000; i += 2)
    memcpy(name + i, "\xC3\xA9", 2);
  Diag *diag = undeclared(name, at("a.hd", 1, 1));
  assert_true(strlen(diag->message) < 300);
  assert_non_null(strstr(diag->message, "\xC3\xA9...' is not declared"));
}

static void errors_over_the_limit_are_counted(void **state) {
  (void)state;
  for (uint32_t i = 1; i <= 25; i++) {
    Diag *diag = undeclared("n", at("a.hd", i, 1));
    assert_non_null(diag);
    diag_note(engine, diag, at("a.hd", i, 1), "note %u", i);
  }
  uint32_t count;
  const Diag *const *list = diag_list(engine, &count);
  assert_int_equal(count, 20);
  assert_int_equal(diag_error_count(engine), 25);
  assert_int_equal(diag_hidden_count(engine), 5);
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(list[i]->notes.count, 1);
}

static void the_same_mistake_is_kept_once(void **state) {
  (void)state;
  Diag *first = undeclared("n", at("a.hd", 1, 1));
  diag_label(engine, first, at("a.hd", 2, 1), "here");
  Diag *again = undeclared("n", at("a.hd", 1, 1));
  diag_label(engine, again, at("a.hd", 2, 1), "here");
  diag_fix(engine, again, at("a.hd", 2, 1), true, "x", "replace");
  diag_witness(engine, again, "n = 1");
  undeclared("n", at("a.hd", 1, 2));
  DIAG_REPORT(engine, DIAG_bad_character, at("a.hd", 1, 1), DS("x"));
  uint32_t count;
  diag_list(engine, &count);
  assert_int_equal(count, 3);
  assert_int_equal(diag_error_count(engine), 3);
  assert_int_equal(first->labels.count, 1);
  assert_int_equal(first->fixes.count, 0);
  assert_null(first->witness);
}

static void the_list_is_in_order(void **state) {
  (void)state;
  undeclared("e", at("b.hd", 1, 1));
  undeclared("d", at("a.hd", 2, 5));
  undeclared("b", at("a.hd", 2, 3));
  DIAG_REPORT(engine, DIAG_bad_character, at("a.hd", 2, 3), DS("c"));
  undeclared("a", (Place){0});
  uint32_t count;
  const Diag *const *list = diag_list(engine, &count);
  assert_int_equal(count, 5);
  const char *const expected[] = {"'a' is not declared", "'b' is not declared",
                                  "unexpected character c",
                                  "'d' is not declared", "'e' is not declared"};
  for (uint32_t i = 0; i < count; i++)
    assert_string_equal(list[i]->message, expected[i]);
  undeclared("0", at("a.hd", 1, 1));
  list = diag_list(engine, &count);
  assert_string_equal(list[1]->message, "'0' is not declared");
}

static void labels_without_a_place_are_notes(void **state) {
  (void)state;
  Diag *diag = undeclared("n", at("a.hd", 1, 1));
  diag_label(engine, diag, (Place){0}, "somewhere");
  assert_int_equal(diag->labels.count, 0);
  assert_int_equal(diag->notes.count, 1);
  diag_witness(engine, diag, "n = %d", 1);
  diag_witness(engine, diag, "m = %d", 2);
  assert_string_equal(diag->witness, "n = 1\nm = 2");
}

static void rounds_are_counted_by_themselves(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 3; round++) {
    if (round > 0)
      diag_begin_round(engine);
    assert_int_equal(diag_round_error_count(engine), 0);
    for (uint32_t i = 1; i <= 25; i++)
      undeclared("n", at("a.hd", i, 1 + round));
    assert_int_equal(diag_round_error_count(engine), 25);
    assert_int_equal(diag_hidden_count(engine), 5);
  }
  uint32_t count;
  diag_list(engine, &count);
  assert_int_equal(count, 60);
  assert_int_equal(diag_error_count(engine), 75);
}

// Else a second attempt at a wrong program would look right.
static void repeated_errors_count_in_their_round(void **state) {
  (void)state;
  Diag *first = undeclared("n", at("a.hd", 1, 1));
  diag_begin_round(engine);
  undeclared("n", at("a.hd", 1, 1));
  undeclared("n", at("a.hd", 1, 1));
  assert_int_equal(diag_round_error_count(engine), 1);
  assert_int_equal(first->round, diag_round(engine));
  diag_begin_round(engine);
  undeclared("m", at("a.hd", 1, 1));
  assert_int_equal(diag_round_error_count(engine), 1);
  uint32_t count;
  diag_list(engine, &count);
  assert_int_equal(count, 2);
  Text out = {.arena = arena};
  diag_render_round_text(engine, &out, false);
  assert_string_equal(text_cstr(&out), "error[HD0301]: 'm' is not declared\n"
                                       " --> a.hd:1:1\n");
}

// The checker warns of what isn't proved and tells bugs under the same code.
// 25 errors of a trial, 5 of them over the limit, and one that stood before.
static void what_is_withdrawn_was_never_said(void **state) {
  (void)state;
  undeclared("n", at("a.hd", 1, 1));
  uint32_t before = diag_round(engine);
  diag_begin_round(engine);
  undeclared("n", at("a.hd", 1, 1));
  for (uint32_t i = 0; i < 25; i++)
    undeclared("m", at("a.hd", 2 + i, 1));
  assert_int_equal(diag_error_count(engine), 26);
  diag_withdraw(engine, before, diag_round(engine));
  uint32_t count;
  const Diag *const *list = diag_list(engine, &count);
  assert_int_equal(count, 1);
  assert_int_equal(list[0]->place.line, 1);
  assert_int_equal(diag_error_count(engine), 1);
  diag_begin_round(engine);
  undeclared("m", at("a.hd", 2, 1));
  diag_list(engine, &count);
  assert_int_equal(count, 2);
}

static void errors_stand_beside_warnings_of_their_place(void **state) {
  (void)state;
  Place place = at("a.hd", 1, 1);
  diag_report_worded(engine, DIAG_undeclared_name, SEVERITY_WARNING, place,
                     "may");
  for (int i = 0; i < 2; i++)
    diag_report_worded(engine, DIAG_undeclared_name, SEVERITY_ERROR, place,
                       "does");
  diag_report_worded(engine, DIAG_undeclared_name, SEVERITY_WARNING, place,
                     "also may");
  uint32_t count;
  const Diag *const *list = diag_list(engine, &count);
  assert_int_equal(count, 2);
  assert_int_equal(diag_error_count(engine), 1);
  assert_string_equal(list[0]->message, "may");
  assert_string_equal(list[1]->message, "does");
}

static void codes_and_names_are_found(void **state) {
  (void)state;
  assert_int_equal(diag_find("HD0301"), DIAG_undeclared_name);
  assert_int_equal(diag_find("hd0301"), DIAG_undeclared_name);
  assert_int_equal(diag_find("0301"), DIAG_undeclared_name);
  assert_int_equal(diag_find("undeclared_name"), DIAG_undeclared_name);
  assert_int_equal(diag_find("HD9999"), DIAG_COUNT);
  assert_int_equal(diag_find(""), DIAG_COUNT);
  assert_int_equal(diag_family(DIAG_undeclared_name), 3);
  assert_int_equal(diag_family(DIAG_pipeline_use), 10);
}

// Codes are unique and in order; names are words, texts have no full stop.
static void the_table_is_well_formed(void **state) {
  (void)state;
  for (DiagId id = 0; id < DIAG_COUNT; id++) {
    const char *code = diag_code(id);
    assert_int_equal(strlen(code), 6);
    assert_memory_equal(code, "HD", 2);
    for (int i = 2; i < 6; i++)
      assert_true(isdigit((unsigned char)code[i]));
    if (id > 0)
      assert_true(strcmp(diag_code(id - 1), code) < 0);
    assert_int_equal(diag_find(diag_name(id)), id);
  }
}

static void pages_come_with_the_library(void **state) {
  (void)state;
  const char *page = diag_page(DIAG_undeclared_name);
  assert_non_null(page);
  assert_memory_equal(page, "# HD0301", 8);
  assert_int_equal(page[strlen(page) - 1], '\n');
  for (DiagId id = 0; id < DIAG_COUNT; id++)
    if (diag_page(id))
      assert_memory_equal(diag_page(id) + 2, diag_code(id), 6);
}

static int signal_of_bad_report(const DiagArg *args, size_t n_args) {
  pid_t child = fork();
  if (child == 0) {
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (!freopen("/dev/null", "w", stderr))
      _exit(1);
    diag_report(engine, DIAG_undeclared_name, at("a.hd", 1, 1), args, n_args);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// Nouns are in the plural unless there is one of them.
static void counted_nouns_agree(void **state) {
  (void)state;
  assert_string_equal(DIAG_REPORT(engine, DIAG_subscript_count,
                                  at("a.hd", 1, 1), DS("a"), DU(1), DU(1))
                          ->message,
                      "'a' has 1 dimension, but the access has 1 subscript");
  assert_string_equal(DIAG_REPORT(engine, DIAG_subscript_count,
                                  at("a.hd", 2, 1), DS("b"), DU(0), DU(2))
                          ->message,
                      "'b' has 0 dimensions, but the access has 2 subscripts");
  assert_string_equal(
      DIAG_REPORT(engine, DIAG_tile_split, at("a.hd", 3, 1), DU(0), DU(1),
                  DD(-1))
          ->message,
      "dimension 0 has 1 element: it can't be split into -1 equal parts");
}

static void wrong_values_are_our_mistake(void **state) {
  (void)state;
  DiagArg number[] = {DD(1)};
  DiagArg two[] = {DS("a"), DS("b")};
  assert_int_equal(signal_of_bad_report(NULL, 0), SIGABRT);
  assert_int_equal(signal_of_bad_report(number, 1), SIGABRT);
  assert_int_equal(signal_of_bad_report(two, 2), SIGABRT);
  assert_int_equal(signal_of_bad_report(two, 1), 0);
}

#define ENGINE_TEST(name)                                                      \
  cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      ENGINE_TEST(texts_are_filled_in),
      ENGINE_TEST(long_values_are_cut_between_characters),
      ENGINE_TEST(errors_over_the_limit_are_counted),
      ENGINE_TEST(the_same_mistake_is_kept_once),
      ENGINE_TEST(the_list_is_in_order),
      ENGINE_TEST(labels_without_a_place_are_notes),
      ENGINE_TEST(rounds_are_counted_by_themselves),
      ENGINE_TEST(repeated_errors_count_in_their_round),
      ENGINE_TEST(what_is_withdrawn_was_never_said),
      ENGINE_TEST(errors_stand_beside_warnings_of_their_place),
      ENGINE_TEST(codes_and_names_are_found),
      ENGINE_TEST(the_table_is_well_formed),
      ENGINE_TEST(pages_come_with_the_library),
      ENGINE_TEST(counted_nouns_agree),
      ENGINE_TEST(wrong_values_are_our_mistake),
  };
  return cmocka_run_group_tests_name("diag engine", tests, NULL, NULL);
}
