// SPDX-License-Identifier: Apache-2.0
// Tables of faults, facts and words: each row can be rendered, and its code is
// that of its kind.
#include "check/report/finding.h"
#include "check/run/fact.h"
#include "diag/vocabulary.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static IrNode place;
static IrModule in_heddle = {.language = LANGUAGE_HEDDLE};
static IrKernel kernel = {.name = "k", .module = &in_heddle};
static const StuckReport stuck = {
    .kernel = &kernel,
    .n_blocks = 1,
    .waits = {{.first = 3, .last = 5, .kind = STUCK_MEMORY}},
    .n_waits = 1};

static const FaultArgs some_args = {.name = "a",
                                    .other = "b",
                                    .place = &place,
                                    .stuck = &stuck,
                                    .numbers = {1, 2, 3, 4, 5},
                                    .index = {6, 7},
                                    .n_index = 2};

static void expect_text(const Fact *fact, const char *expected) {
  Arena *arena = arena_new();
  IrModule *module = ir_module_new(arena, "k.hd");
  assert_string_equal(fact_text(arena, module, fact), expected);
  arena_free(arena);
}

static void test_rows(void **state) {
  (void)state;
  Arena *arena = arena_new();
  IrModule *module = ir_module_new(arena, "k.hd");
  for (int i = 0; i < FAULT_CODE_COUNT + FACT_COUNT; i++) {
    Fact fact = {.kind = FACT_FAULT, .args = some_args};
    if (i < FAULT_CODE_COUNT)
      fact.fault = (FaultCode)i;
    else
      fact.kind = (FactKind)(i - FAULT_CODE_COUNT);
    const char *text = fact_text(arena, module, &fact);
    assert_true(text && *text);
    assert_null(strchr(text, '{'));
    assert_true(fact_code(&fact) > 0);
  }
  arena_free(arena);
}

static void test_placeholders(void **state) {
  (void)state;
  expect_text(&(Fact){.kind = FACT_HALF_FILLED, .args = some_args},
              "phase 1 of 'a[6][7]' has 2 of 3 arrivals when the kernel ends");
  expect_text(&(Fact){.kind = FACT_OTHER_PHASE, .args = some_args},
              "the wait is for phase 1, but phase 2 can complete before it "
              "returns, and then the parity is that of another phase");
  expect_text(&(Fact){.kind = FACT_STUCK, .args = some_args},
              "deadlock in kernel 'k', block (0, 0, 0): no thread can go on\n"
              "  threads 3 to 5 wait at unknown place in a loop for memory "
              "that no thread writes");
  expect_text(&(Fact){.fault = FAULT_CODE_ARRIVALS, .args = some_args},
              "1 arrival on 'a[2]': phase 3 has seen 4 of 5");
}

// In the words of the program's language.
static void test_words(void **state) {
  (void)state;
  Arena *arena = arena_new();
  IrModule *module = ir_module_new(arena, "k.hd");
  for (int language = 0; language < 2; language++) {
    Text text = {.arena = arena};
    module->language = (Language)language;
    fault_fill(&text, module, "{word sync} {word block_index}.{0}", &some_args);
    assert_string_equal(text_cstr(&text), language == LANGUAGE_CUDA
                                              ? "__syncthreads(); blockIdx.1"
                                              : "sync(); block_index().1");
  }
  assert_int_equal(vocabulary_find("sync_cluster", 12), WORD_sync_cluster);
  assert_int_equal(vocabulary_find("sync_cluster", 4), WORD_sync);
  assert_int_equal(vocabulary_find("synch", 5), WORD_COUNT);
  arena_free(arena);
}

// A name that only begins as one that is known stands for nothing.
static void test_exact(void **state) {
  static const char *const wrong[] = {"{nam}", "{}",       "{names}",
                                      "{5}",   "{word x}", "{word sy}"};

  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      Arena *arena = arena_new();
      Text text = {.arena = arena};
      signal(SIGABRT, SIG_DFL);
      if (!freopen("/dev/null", "w", stderr))
        _exit(2);
      fault_fill(&text, ir_module_new(arena, "k.hd"), wrong[i], &some_args);
      _exit(0); // it was taken for a name
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  }
}

static void test_codes(void **state) {
  static const struct {
    FaultCode fault;
    uint32_t code;
  } rows[] = {
      {FAULT_CODE_INDEX, CODE_BOUNDS},
      {FAULT_CODE_COPY_BOX, CODE_BOUNDS},
      {FAULT_CODE_ADDRESS, CODE_ALIGNMENT},
      {FAULT_CODE_EXPECTED, CODE_BYTES},
      {FAULT_CODE_ARRIVALS, CODE_ARRIVALS},
      {FAULT_CODE_TOKEN, CODE_PHASE},
      {FAULT_CODE_MEETING_TOKEN, CODE_PHASE},
      {FAULT_CODE_COPIES, CODE_WAITS},
      {FAULT_CODE_OTHER_PLACE, CODE_DEADLOCK},
  };

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(fact_code(&(Fact){.fault = rows[i].fault}), rows[i].code);
}

static void test_vocabulary(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (int i = 0; i < WORD_COUNT; i++) {
    assert_true(vocabulary_word(LANGUAGE_HEDDLE, (VocabularyWord)i) ||
                vocabulary_word(LANGUAGE_CUDA, (VocabularyWord)i));
    for (int language = 0; language < 2; language++)
      if (vocabulary_word((Language)language, (VocabularyWord)i))
        assert_null(strchr(vocabulary_text(arena, (Language)language,
                                           (VocabularyWord)i, "a", "b"),
                           '{'));
  }
  assert_string_equal(
      vocabulary_text(arena, LANGUAGE_CUDA, WORD_state_length, "p", "4 * n"),
      "--assume '4 * n <= len(p)'");
  assert_string_equal(vocabulary_word(LANGUAGE_CUDA, WORD_sync),
                      "__syncthreads();");
  assert_null(vocabulary_word(LANGUAGE_CUDA, WORD_single_thread));
  arena_free(arena);
}

// What would help, alone, stands in the reason that says so.
static void test_needs(void **state) {
  static const VocabularyWord pairs[][2] = {
      {WORD_state_table_bounded, WORD_need_bounded},
      {WORD_state_table_injective, WORD_need_injective},
      {WORD_state_disjoint, WORD_need_disjoint},
      {WORD_state_members, WORD_need_members},
      {WORD_state_length, WORD_need_length},
      {WORD_state_shared_bytes, WORD_need_shared_bytes}};

  (void)state;
  Arena *arena = arena_new();
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (int k = 0; k < 2; k++) {
      Language language = (Language)k;
      if (!vocabulary_word(language, pairs[i][1]))
        continue;
      const char *reason =
          vocabulary_text(arena, language, pairs[i][0], "a", "b");
      assert_non_null(strstr(
          reason, vocabulary_text(arena, language, pairs[i][1], "a", "b")));
    }
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),  cmocka_unit_test(test_placeholders),
      cmocka_unit_test(test_words), cmocka_unit_test(test_exact),
      cmocka_unit_test(test_codes), cmocka_unit_test(test_vocabulary),
      cmocka_unit_test(test_needs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
