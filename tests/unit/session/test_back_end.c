// SPDX-License-Identifier: Apache-2.0
// If this fails, something outside a back end's table knows a back end, or a
// table breaks its rules: a session whose only back end is the null one
// compiles, dumps, caches, loads, runs and reports with it.
#include "session/api_expect.h"
#include "session/null_back_end.h"
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "kernel void add(int n, const int x[n], int y[n])\n"
    "    grid(cdiv(n, 64)) threads(64)\n"
    "{\n"
    "    int i = block_index().x * 64 + rank();\n"
    "    if (i < n)\n"
    "        y[i] += x[i];\n"
    "}\n"
    "kernel void huge(int y[1]) grid(1) threads(1) { y[0] = 1; }\n"
    "kernel void refused(int y[1]) grid(1) threads(1) { y[0] = 1; }\n"
    "kernel void slow(int y[1]) grid(1) threads(1) { y[0] = 1; }\n";

enum { N = 100 };

static HdProgram *program;
static HdDevice *device;

static HdSessionOptions options_of_tests(void) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  return options;
}

static void begin_with(const HdSessionOptions *options,
                       const CodeBackEnds *back_ends) {
  null_counts = (NullCounts){0};
  ok(hd_session_new(options, &session));
  targets_init(session, back_ends);
  ok(hd_compile_text(session, "k.hd", source, sizeof source - 1, &program));
}

static void begin(const CodeBackEnds *back_ends) {
  HdSessionOptions options = options_of_tests();
  begin_with(&options, back_ends);
}

static void end(void) {
  hd_device_free(device);
  hd_program_free(program);
  hd_session_free(session);
  device = NULL;
  assert_int_equal(null_counts.n_compilers, 0);
}

// Of `add`, on elements that it would change.
static HdStatus launch_add(bool *is_unchanged) {
  int64_t n = N;
  int32_t data[N], after[N];
  HdBuffer *buffer;
  HdKernel *kernel;
  for (int i = 0; i < N; i++)
    data[i] = i + 1;
  ok(hd_buffer_new(device, HD_I32, 1, &n, &buffer));
  ok(hd_buffer_write(buffer, data, sizeof data));
  ok(hd_kernel_get(program, "add", NULL, 0, &kernel));
  HdBuffer *x;
  ok(hd_buffer_new(device, HD_I32, 1, &n, &x));
  ok(hd_buffer_write(x, data, sizeof data));
  HdArg values[] = {HD_INT(N), HD_BUF(x), HD_BUF(buffer)};
  HdStatus status = hd_kernel_launch(kernel, NULL, NULL, values, 3);
  ok(hd_buffer_read(buffer, after, sizeof after));
  *is_unchanged = memcmp(data, after, sizeof data) == 0;
  hd_kernel_free(kernel);
  hd_buffer_free(x);
  hd_buffer_free(buffer);
  return status;
}

static void a_kernel_runs_as_nothing(void **state) {
  (void)state;
  bool is_unchanged;
  begin(&null_back_ends);
  ok(hd_device_open(session, "cpu", &device));
  assert_string_equal(hd_device_target(device), "null");
  ok(launch_add(&is_unchanged));
  assert_true(is_unchanged);
  ok(launch_add(&is_unchanged));
  assert_int_equal(null_counts.n_compiled, 1);
  assert_int_equal(null_counts.n_loaded, 1);
  end();
}

static void no_device_loads_its_text(void **state) {
  (void)state;
  bool is_unchanged;
  begin(&null_text_back_ends);
  ok(hd_device_open(session, "cpu", &device));
  refused(launch_add(&is_unchanged), HD_ERROR_UNSUPPORTED,
          "devices of kind 'cpu' can't load code of target 'null_text'");
  assert_true(is_unchanged);
  assert_int_equal(null_counts.n_compiled, 1);
  end();
}

static void expect_dump(const char *stage, const char *target) {
  char *text;
  ok(hd_dump_for(program, "add", NULL, 0, stage, target, &text));
  assert_string_equal(text, "null add 64 1 1\n");
  hd_text_free(text);
}

static void dumps_have_its_stages(void **state) {
  (void)state;
  char *text;
  begin(&null_back_ends);
  expect_dump("null", NULL);
  expect_dump("null", "null");
  refused(hd_dump_for(program, "add", NULL, 0, "asm", NULL, &text),
          HD_ERROR_ARGUMENT,
          "no stage 'asm'; there is: tokens, ast, ir, tiles, check, layout, "
          "layout-svg, null");
  refused(hd_dump_for(program, "add", NULL, 0, "null", "cpu", &text),
          HD_ERROR_NOT_FOUND, "no target 'cpu'; there is: null");
  refused(hd_dump_for(program, "add", NULL, 0, "ir", "null", &text),
          HD_ERROR_ARGUMENT, "stage 'ir' is the same for every target");
  end();
}

static void a_stage_of_unusual_targets_needs_one(void **state) {
  (void)state;
  char *text;
  begin(&null_rare_back_ends);
  expect_dump("null", "null_rare");
  refused(hd_dump_for(program, "add", NULL, 0, "null", NULL, &text),
          HD_ERROR_ARGUMENT,
          "stage 'null' needs a target (--target); those that have it: "
          "null_rare");
  end();
}

static void what_it_refuses_is_told(void **state) {
  (void)state;
  char *text;
  begin(&null_back_ends);
  refused(hd_dump(program, "refused", NULL, 0, "null", &text),
          HD_ERROR_UNSUPPORTED,
          "kernel 'refused': the null back end refuses it");
  refused(hd_dump(program, "huge", NULL, 0, "null", &text),
          HD_ERROR_UNSUPPORTED, "1001");
  assert_non_null(strstr(hd_last_message(session), "k.hd:8:"));
  end();
}

static void code_that_does_not_load_is_told(void **state) {
  (void)state;
  bool is_unchanged;
  begin(&null_back_ends);
  null_counts.fails_to_load = true;
  ok(hd_device_open(session, "cpu", &device));
  refused(launch_add(&is_unchanged), HD_ERROR_DEVICE,
          "kernel 'add' can't be loaded: it isn't null");
  null_counts.fails_to_load = false;
  ok(launch_add(&is_unchanged));
  end();
}

static void launch_with_cache(const char *folder, int n_compiled) {
  bool is_unchanged;
  HdSessionOptions options = options_of_tests();
  options.use_disk_cache = 1;
  options.cache_dir = folder;
  begin_with(&options, &null_back_ends);
  ok(hd_device_open(session, "cpu", &device));
  ok(launch_add(&is_unchanged));
  assert_int_equal(null_counts.n_compiled, n_compiled);
  assert_int_equal(null_counts.n_loaded, 1);
  end();
}

static void its_code_is_kept_on_disk(void **state) {
  (void)state;
  char folder[] = "/tmp/heddle-null-XXXXXX";
  assert_non_null(mkdtemp(folder));
  launch_with_cache(folder, 1);
  launch_with_cache(folder, 0);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static void refuse_options(HdSessionOptions options, const char *text) {
  begin_with(&options, &null_back_ends);
  refused(hd_device_open(session, "cpu", &device), HD_ERROR_UNSUPPORTED, text);
  end();
}

static void options_that_it_lacks_are_refused(void **state) {
  (void)state;
  HdSessionOptions options = options_of_tests();
  options.sanitize = 1;
  refuse_options(options, "device 'cpu' has no checks while running");
  options.sanitize = 0;
  options.schedule = 1;
  refuse_options(options, "device 'cpu' has no chosen schedules");
  options.schedule = 0;
  options.trace = 1;
  refuse_options(options, "device 'cpu' has no timelines");
}

static void options_reach_it(void **state) {
  (void)state;
  HdSessionOptions options = options_of_tests();
  options.opt_level = 1;
  options.trace = 1;
  options.sanitize = 1;
  begin_with(&options, &null_back_ends);
  expect_dump("null", "null");
  assert_int_equal(null_counts.options.opt_level, 1);
  assert_true(null_counts.options.checks);
  assert_true(null_counts.options.schedules);
  end();
}

static void devices_need_a_back_end(void **state) {
  (void)state;
  begin(&null_back_ends);
  refused(hd_device_open(session, "cuda", &device), HD_ERROR_UNSUPPORTED,
          "no back end makes code for device 'cuda'");
  end();
}

static int count_remarks(const char *kernel) {
  HdCheck *check;
  int count = 0;
  ok(hd_check(program, kernel, NULL, 0, NULL, &check));
  for (int i = 0; i < hd_check_finding_count(check); i++) {
    HdFinding finding;
    ok(hd_check_finding(check, i, &finding));
    if (strcmp(finding.code, "HD1092") != 0)
      continue;
    assert_non_null(strstr(finding.message, "'slow' isn't null"));
    count++;
  }
  hd_check_free(check);
  return count;
}

static void its_remarks_are_findings(void **state) {
  (void)state;
  begin(&null_back_ends);
  assert_int_equal(count_remarks("slow"), 1);
  assert_int_equal(count_remarks("add"), 0);
  end();
}

// -------------------------------------------------- the tables of all others

static bool is_device_kind(const char *kind) {
  for (int i = 0; hd_device_kind(i); i++)
    if (strcmp(hd_device_kind(i), kind) == 0)
      return true;
  return false;
}

static void check_table(const CodeOps *ops) {
  assert_true(is_device_kind(ops->device));
  assert_true(ops->n_models > 0);
  assert_non_null(ops->stages[0]);
  assert_non_null(ops->open);
  assert_non_null(ops->close);
  assert_non_null(ops->compile);
  assert_non_null(ops->dump);
  for (int i = 1; i < ops->n_models; i++)
    assert_true(ops->models[i - 1].capability < ops->models[i].capability);
  int n_usual = 0;
  for (int i = 0; i < ops->n_models; i++)
    n_usual += ops->models[i].is_usual;
  if (n_usual != 1)
    fail_msg("a table of '%s' has %d usual targets (is_usual), not one",
             ops->device, n_usual);
  ops->close(NULL);
}

static void tables_keep_their_rules(void **state) {
  (void)state;
  assert_true(code_back_ends.count >= 2);
  for (int i = 0; i < code_back_ends.count; i++)
    check_table(code_back_ends.data[i]);
  begin(&code_back_ends);
  for (int i = 0; i < session->targets.count; i++) {
    CodeTarget *target = &session->targets.data[i];
    assert_ptr_equal(target_find(session, target->model->name), target);
    target_open(session, target);
    assert_non_null(strstr(target->text, target->compiler->text));
    const char *kind = target->ops->device;
    assert_ptr_equal(target_of_device(session, kind, target->model->capability),
                     target);
  }
  end();
}

static void devices_get_the_newest_target(void **state) {
  (void)state;

  static const struct {
    const char *kind;
    int capability;
    const char *name;
  } rows[] = {{"cpu", 0, "cpu"},        {"cuda", 75, NULL},
              {"cuda", 80, "sm_80"},    {"cuda", 86, "sm_80"},
              {"cuda", 90, "sm_90a"},   {"cuda", 91, "sm_80"},
              {"cuda", 100, "sm_100a"}, {"cuda", 120, "sm_80"}};

  begin(&code_back_ends);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const CodeTarget *target =
        target_of_device(session, rows[i].kind, rows[i].capability);
    assert_true((target != NULL) == (rows[i].name != NULL));
    if (target)
      assert_string_equal(target->model->name, rows[i].name);
  }
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kernel_runs_as_nothing),
      cmocka_unit_test(no_device_loads_its_text),
      cmocka_unit_test(dumps_have_its_stages),
      cmocka_unit_test(a_stage_of_unusual_targets_needs_one),
      cmocka_unit_test(what_it_refuses_is_told),
      cmocka_unit_test(code_that_does_not_load_is_told),
      cmocka_unit_test(its_code_is_kept_on_disk),
      cmocka_unit_test(options_that_it_lacks_are_refused),
      cmocka_unit_test(options_reach_it),
      cmocka_unit_test(devices_need_a_back_end),
      cmocka_unit_test(its_remarks_are_findings),
      cmocka_unit_test(tables_keep_their_rules),
      cmocka_unit_test(devices_get_the_newest_target),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
