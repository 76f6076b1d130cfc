// SPDX-License-Identifier: Apache-2.0
// A host asks for kernels with values that make the program wrong, again and
// again: every answer is about that attempt alone.
#include "heddle/heddle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const char divergent[] =
    "kernel void k(constexpr int T, float y[64]) grid(1) threads(64)\n"
    "{\n"
    "    if (T > 40)\n"
    "        if (rank() < T)\n"
    "            sync();\n"
    "    y[rank()] = 1;\n"
    "}\n";

static HdSession *session;
static HdProgram *program;

static int set_up(void **state) {
  (void)state;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  assert_int_equal(hd_session_new(&options, &session), HD_OK);
  assert_int_equal(
      hd_compile_text(session, "a.hd", divergent, strlen(divergent), &program),
      HD_OK);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  hd_program_free(program);
  hd_session_free(session);
  return 0;
}

static HdStatus get(const char *value) {
  HdEmbed embed = {"T", value};
  HdKernel *kernel = NULL;
  HdStatus status = hd_kernel_get(program, "k", &embed, 1, &kernel);
  assert_int_equal(kernel != NULL, status == HD_OK);
  hd_kernel_free(kernel);
  return status;
}

static void a_wrong_program_stays_wrong(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(get("48"), HD_ERROR_PROGRAM);
    assert_non_null(strstr(hd_last_message(session), "HD0515"));
    assert_int_equal(get("32"), HD_OK);
  }
}

static void messages_are_about_the_last_attempt(void **state) {
  (void)state;
  assert_int_equal(get("2.5"), HD_ERROR_LAUNCH);
  assert_non_null(strstr(hd_last_message(session), "2.5 is not exactly"));
  assert_int_equal(get("3.5"), HD_ERROR_LAUNCH);
  assert_non_null(strstr(hd_last_message(session), "3.5 is not exactly"));
  assert_null(strstr(hd_last_message(session), "2.5"));
  assert_int_equal(get("48"), HD_ERROR_PROGRAM);
  assert_null(strstr(hd_last_message(session), "not exactly"));
}

static void a_hundred_attempts_all_have_a_message(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    char value[16];
    snprintf(value, sizeof(value), "%d.5", i);
    assert_int_equal(get(value), HD_ERROR_LAUNCH);
    assert_non_null(strstr(hd_last_message(session), value));
  }
}

#define SESSION_TEST(name)                                                     \
  cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      SESSION_TEST(a_wrong_program_stays_wrong),
      SESSION_TEST(messages_are_about_the_last_attempt),
      SESSION_TEST(a_hundred_attempts_all_have_a_message),
  };
  return cmocka_run_group_tests_name("wrong values", tests, NULL, NULL);
}
