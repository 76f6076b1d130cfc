// SPDX-License-Identifier: Apache-2.0
// hd_check as a host program uses it: verdicts, findings, options, wrong use,
// handles freed in any order, several threads.
#include "heddle/heddle.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const char source[] =
    "kernel void right(int n, float x[n]) grid(cdiv(n, 64)) threads(64)\n"
    "{\n"
    "    int i = block_index().x * 64 + rank();\n"
    "    if (i < n)\n"
    "        x[i] = 1;\n"
    "}\n"
    "kernel void racy(float x[64]) grid(1) threads(64)\n"
    "{\n"
    "    shared float s[64];\n"
    "    s[rank()] = x[rank()];\n"
    "    x[rank()] = s[63 - rank()];\n"
    "}\n"
    "kernel void refused(float x[64]) grid(1) threads(64)\n"
    "{\n"
    "    if (rank() < 3) sync();\n"
    "    x[rank()] = 1;\n"
    "}\n"
    "kernel void open(constexpr int T, float x[64]) grid(1) threads(64)\n"
    "{\n"
    "    x[rank()] = T;\n"
    "}\n"
    "kernel void same(float x[1]) grid(1) threads(64) { x[0] = 1; }\n"
    "kernel void trusts(int n, const int at[64], float x[n]) grid(1) "
    "threads(64)\n"
    "    requires(bounded(at, 0, n)) requires(injective(at, 0, 64))\n"
    "{\n"
    "    x[at[rank()]] = 1;\n"
    "}\n"
    "kernel void guesses(int n, const int at[64], float x[n]) grid(1) "
    "threads(64)\n"
    "    requires(bounded(at, 0, n))\n"
    "{\n"
    "    x[at[rank()]] = rank();\n"
    "}\n";

static HdSession *session_new(void) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  HdSession *session;
  options.use_disk_cache = 0;
  assert_int_equal(hd_session_new(&options, &session), HD_OK);
  return session;
}

static HdProgram *compile(HdSession *session, const char *text) {
  HdProgram *program;
  assert_int_equal(
      hd_compile_text(session, "t.hd", text, strlen(text), &program), HD_OK);
  return program;
}

static HdCheck *check(HdProgram *program, const char *name,
                      const HdCheckOptions *options) {
  HdCheck *result;
  assert_int_equal(hd_check(program, name, NULL, 0, options, &result), HD_OK);
  assert_string_equal(hd_check_kernel(result), name);
  return result;
}

static HdVerdict verdict_of(HdProgram *program, const char *name,
                            const HdCheckOptions *options) {
  HdCheck *result = check(program, name, options);
  HdVerdict verdict = hd_check_verdict(result);
  hd_check_free(result);
  return verdict;
}

static void test_verdicts(void **state) {
  (void)state;
  HdSession *session = session_new();
  HdProgram *program = compile(session, source);
  assert_int_equal(verdict_of(program, "right", NULL), HD_VERDICT_PROVED);
  assert_int_equal(verdict_of(program, "racy", NULL), HD_VERDICT_BUG);
  assert_int_equal(verdict_of(program, "refused", NULL), HD_VERDICT_BUG);
  assert_int_equal(verdict_of(program, "open", NULL), HD_VERDICT_UNKNOWN);
  HdEmbed embed = {"T", "3"};
  HdCheck *given;
  assert_int_equal(hd_check(program, "open", &embed, 1, NULL, &given), HD_OK);
  assert_int_equal(hd_check_verdict(given), HD_VERDICT_PROVED);
  assert_int_equal(hd_check_finding_count(given), 0);
  hd_check_free(given);
  // A kernel that is refused leaves the others as they were.
  assert_int_equal(verdict_of(program, "right", NULL), HD_VERDICT_PROVED);
  hd_program_free(program);
  hd_session_free(session);
}

static void test_finding(void **state) {
  (void)state;
  HdSession *session = session_new();
  HdProgram *program = compile(session, source);
  HdCheck *racy = check(program, "racy", NULL);
  HdFinding finding;
  assert_int_equal(hd_check_finding_count(racy), 1);
  assert_int_equal(hd_check_finding(racy, 0, &finding), HD_OK);
  assert_string_equal(finding.code, "HD0601");
  assert_int_equal(finding.verdict, HD_VERDICT_BUG);
  assert_string_equal(finding.file, "t.hd");
  assert_true((finding.line == 10 && finding.other_line == 11) ||
              (finding.line == 11 && finding.other_line == 10));
  assert_non_null(finding.witness);
  assert_null(finding.reason);
  assert_int_equal(hd_check_finding(racy, 1, &finding), HD_ERROR_ARGUMENT);
  assert_int_equal(hd_check_finding(racy, -1, &finding), HD_ERROR_ARGUMENT);
  assert_non_null(strstr(hd_check_report(racy, HD_FORMAT_TEXT), "t.hd:1"));
  assert_non_null(
      strstr(hd_check_report(racy, HD_FORMAT_JSON), "\"verdict\": \"bug\""));
  assert_non_null(strstr(hd_check_diagnostics(racy), "\"HD0601\""));
  HdCheckCost cost;
  hd_check_cost(racy, &cost);
  assert_true(cost.n_obligations > cost.n_proved && cost.n_runs > 0);
  hd_check_free(racy);
  hd_program_free(program);
  hd_session_free(session);
}

// What the reason of an open finding says would help, by itself.
static void test_needs(void **state) {
  (void)state;
  HdSession *session = session_new();
  HdProgram *program = compile(session, source);
  HdCheckOptions options = HD_CHECK_OPTIONS_INIT;
  options.no_search = 1; // a run would show a bug
  HdCheck *guesses = check(program, "guesses", &options);
  HdFinding finding;
  assert_int_equal(hd_check_finding_count(guesses), 1);
  assert_int_equal(hd_check_finding(guesses, 0, &finding), HD_OK);
  assert_int_equal(finding.verdict, HD_VERDICT_UNKNOWN);
  assert_string_equal(finding.needs, "requires(injective(at))");
  assert_non_null(strstr(finding.reason, finding.needs));
  assert_false(finding.needs_time);
  hd_check_free(guesses);
  HdCheck *racy = check(program, "racy", NULL);
  assert_int_equal(hd_check_finding(racy, 0, &finding), HD_OK);
  assert_null(finding.needs);
  hd_check_free(racy);
  hd_program_free(program);
  hd_session_free(session);
}

static void test_options(void **state) {
  (void)state;
  HdSession *session = session_new();
  HdProgram *program = compile(session, source);
  HdCheckOptions options = HD_CHECK_OPTIONS_INIT;
  options.no_search = 1;
  assert_int_equal(verdict_of(program, "racy", &options), HD_VERDICT_UNKNOWN);
  options.no_search = 0;
  options.rules_only = 1;
  assert_int_equal(verdict_of(program, "right", &options), HD_VERDICT_UNKNOWN);
  assert_int_equal(verdict_of(program, "refused", &options), HD_VERDICT_BUG);
  options.rules_only = 0;
  assert_int_equal(verdict_of(program, "same", &options), HD_VERDICT_BUG);
  options.allow_same_value = 1;
  assert_int_equal(verdict_of(program, "same", &options), HD_VERDICT_PROVED);
  HdCheckOptions shorter = {.size_bytes = sizeof(size_t), .rules_only = 1};
  assert_int_equal(verdict_of(program, "right", &shorter), HD_VERDICT_PROVED);
  HdCheckOptions empty = {0};
  HdCheck *result;
  assert_int_equal(hd_check(program, "right", NULL, 0, &empty, &result),
                   HD_ERROR_ARGUMENT);
  assert_null(result);
  hd_program_free(program);
  hd_session_free(session);
}

static void test_trusted(void **state) {
  (void)state;
  HdSession *session = session_new();
  HdProgram *program = compile(session, source);
  HdCheck *result = check(program, "trusts", NULL);
  bool has_bounded = false;
  assert_int_equal(hd_check_verdict(result), HD_VERDICT_PROVED);
  for (int i = 0; i < hd_check_trusted_count(result); i++)
    has_bounded |= strstr(hd_check_trusted(result, i), "bounded(at") != NULL;
  assert_true(has_bounded);
  assert_null(hd_check_trusted(result, 100));
  assert_null(hd_check_trusted(result, -1));
  // The check keeps its program, and that its session.
  hd_program_free(program);
  hd_session_free(session);
  assert_non_null(strstr(hd_check_report(result, HD_FORMAT_JSON), "trusts"));
  hd_check_free(result);
  hd_check_free(NULL);
}

static void test_wrong_use(void **state) {
  (void)state;
  HdSession *session = session_new();
  HdProgram *program = compile(session, source);
  HdCheck *result;
  assert_int_equal(hd_check(program, "nobody", NULL, 0, NULL, &result),
                   HD_ERROR_NOT_FOUND);
  assert_int_equal(hd_check(program, NULL, NULL, 0, NULL, &result),
                   HD_ERROR_NOT_FOUND);
  HdEmbed embed = {"T", "nonsense"};
  assert_int_not_equal(hd_check(program, "open", &embed, 1, NULL, &result),
                       HD_OK);
  assert_null(result);
  hd_program_free(program);
  hd_session_free(session);
}

static void test_broken_file(void **state) {
  (void)state;
  static const char text[] =
      "kernel void bad(float x[64]) grid(1) threads(64) { x[0] = y; }\n"
      "kernel void good(float x[64]) grid(1) threads(64) { x[rank()] = 1; }\n";
  HdSession *session = session_new();
  HdProgram *program;
  assert_int_equal(
      hd_compile_text(session, "b.hd", text, strlen(text), &program),
      HD_ERROR_PROGRAM);
  assert_int_equal(verdict_of(program, "bad", NULL), HD_VERDICT_BUG);
  assert_int_equal(verdict_of(program, "good", NULL), HD_VERDICT_UNKNOWN);
  hd_program_free(program);
  hd_session_free(session);
}

static void *check_all(void *context) {
  HdProgram *program = context;

  static const struct {
    const char *name;
    HdVerdict verdict;
  } rows[] = {{"right", HD_VERDICT_PROVED},
              {"racy", HD_VERDICT_BUG},
              {"refused", HD_VERDICT_BUG},
              {"trusts", HD_VERDICT_PROVED}};

  for (int i = 0; i < 8; i++) {
    HdCheck *result;
    if (hd_check(program, rows[i % 4].name, NULL, 0, NULL, &result) != HD_OK ||
        hd_check_verdict(result) != rows[i % 4].verdict)
      return program;
    hd_check_free(result);
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  pthread_t threads[4];
  HdSession *sessions[2] = {session_new(), session_new()};
  HdProgram *programs[2] = {compile(sessions[0], source),
                            compile(sessions[1], source)};
  for (int i = 0; i < 4; i++)
    assert_int_equal(
        pthread_create(&threads[i], NULL, check_all, programs[i % 2]), 0);
  for (int i = 0; i < 4; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    assert_null(failed);
  }
  for (int i = 0; i < 2; i++) {
    hd_program_free(programs[i]);
    hd_session_free(sessions[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verdicts),    cmocka_unit_test(test_finding),
      cmocka_unit_test(test_needs),       cmocka_unit_test(test_options),
      cmocka_unit_test(test_trusted),     cmocka_unit_test(test_wrong_use),
      cmocka_unit_test(test_broken_file), cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
