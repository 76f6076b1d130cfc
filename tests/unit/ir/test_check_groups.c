// SPDX-License-Identifier: Apache-2.0
// The diagnostics about who reaches what: code, line, the value named, labels.
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const Diag *const *check(Make *m, uint32_t *count) {
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  DiagEngine *diags = diag_engine_new(m->arena, 0);
  ir_check_groups(m->kernel, u, diags);
  return diag_list(diags, count);
}

static uint32_t line_of(const Make *m, const IrNode *node) {
  return m->module->locs.data[node->loc].place.line;
}

static void assert_clean(Make *m) {
  uint32_t count;
  const Diag *const *list = check(m, &count);
  if (count)
    print_error("%s\n", list[0]->message);
  assert_int_equal(count, 0);
  make_free(m);
}

static bool has_label(const Diag *diag, uint32_t line, const char *text) {
  for (uint32_t i = 0; i < diag->labels.count; i++)
    if (diag->labels.data[i].place.line == line &&
        strstr(diag->labels.data[i].text, text))
      return true;
  return false;
}

// Exactly one error: at `node`, with the words of `text`.
static const Diag *assert_error(Make *m, DiagId id, const IrNode *node,
                                const char *text) {
  uint32_t count;
  const Diag *const *list = check(m, &count);
  assert_int_equal(count, 1);
  assert_int_equal(list[0]->id, id);
  assert_int_equal(list[0]->place.line, line_of(m, node));
  if (!strstr(list[0]->message, text))
    fail_msg("'%s' is not in '%s'", text, list[0]->message);
  return list[0];
}

static void test_sync_under_condition(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *condition = make_below(&m, 16);
  make_if(&m, condition);
  IrNode *sync = make_sync(&m);
  make_end(&m);
  const Diag *diag =
      assert_error(&m, DIAG_not_together, sync, "rank() differs");
  assert_true(has_label(diag, line_of(&m, condition),
                        "decides which threads get there"));
  assert_true(has_label(diag, line_of(&m, condition->args[0]),
                        "rank() differs between the threads of the block"));
  make_free(&m);
}

static void test_sync_in_group_is_accepted(void **state) {
  (void)state;
  Make m = make_kernel(64);
  make_group(&m, NULL, 0, 16);
  make_sync(&m);
  make_end(&m);
  make_sync(&m);
  assert_clean(&m);
}

static void test_sync_under_variable(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  IrNode *cause = make_below(&m, 16);
  make_if(&m, cause);
  make_set_int(&m, x, 1);
  make_end(&m);
  make_if(&m, make_test(&m, x));
  IrNode *sync = make_sync(&m);
  make_end(&m);
  const Diag *diag =
      assert_error(&m, DIAG_not_together, sync, "rank() differs");
  assert_true(has_label(diag, line_of(&m, cause), "the value of 'x' depends"));
  make_free(&m);
}

// One early return, three syncs behind it: one message.
static void test_one_cause_one_message(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *call = make_open(&m, IR_BLOCK, NULL, NULL);
  make_if(&m, make_below(&m, 16));
  IrNode *leave = make_exit(&m, call, false);
  make_end(&m);
  IrNode *first = make_sync(&m);
  make_sync(&m);
  make_sync(&m);
  make_end(&m);
  const Diag *diag = assert_error(&m, DIAG_not_together, first, "rank()");
  assert_true(has_label(diag, line_of(&m, leave), "some threads leave here"));
  make_free(&m);
}

static void test_outer_sync(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *group = make_group(&m, NULL, 0, 16);
  IrNode *sync = make_sync_of(&m, make_block_group(&m));
  make_end(&m);
  const Diag *diag =
      assert_error(&m, DIAG_outer_collective, sync, "all threads of the block");
  assert_true(has_label(diag, line_of(&m, group), "only the threads"));
  make_free(&m);
}

static void test_group_statement_under_condition(void **state) {
  (void)state;
  Make m = make_kernel(64);
  make_if(&m, make_below(&m, 16));
  IrNode *group = make_group(&m, NULL, 0, 8);
  make_end(&m);
  make_end(&m);
  assert_error(&m, DIAG_not_together, group, "rank() differs");
  make_free(&m);
}

static void test_group_begin_differs(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *begin = make_rank(&m);
  make_group(&m, begin, 0, 8);
  make_end(&m);
  assert_error(&m, DIAG_differing_operand, begin, "rank() differs");
  make_free(&m);
}

static void test_group_range(void **state) {
  (void)state;
  Make m = make_kernel(128);
  IrNode *begin = make_int(&m, 100);
  IrNode *group = make_group(&m, begin, 0, 64);
  make_end(&m);
  const Diag *diag = assert_error(&m, DIAG_group_range, group, "100 to 163");
  assert_non_null(strstr(diag->message, "128"));
  make_free(&m);
  m = make_kernel(128);
  group = make_group(&m, make_int(&m, -1), 0, 64);
  make_end(&m);
  assert_error(&m, DIAG_group_begin, group, "-1");
  make_free(&m);
}

static void test_thread_loop_bound_differs(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t i = make_var(&m, "i");
  IrNode *bound = make_rank(&m);
  make_thread_for(&m, i, bound, 0);
  make_end(&m);
  assert_error(&m, DIAG_differing_operand, bound, "rank() differs");
  make_free(&m);
}

static void test_repeated_effect(void **state) {
  (void)state;
  for (int how = 0; how < 3; how++) {
    Make m = make_kernel(64);
    uint32_t w = make_var(&m, "w");
    IrObject *a = make_array(&m, "a");
    make_thread_for(&m, w, NULL, 2);
    if (how == 1)
      make_group(&m, NULL, 0, 1);
    IrNode *index = how == 2 ? make_rank(&m) : make_get(&m, w);
    IrNode *store = make_store(&m, a, index, make_int(&m, 1));
    if (how == 1)
      make_end(&m);
    make_end(&m);
    if (how) {
      assert_clean(&m);
      continue;
    }
    assert_error(&m, DIAG_repeated_effect, store, "'a' would happen 32 times");
    make_free(&m);
  }
}

static void test_call_is_named(void **state) {
  (void)state;
  Make m = make_kernel(64);
  make_if(&m, make_below(&m, 16));
  IrNode *sync = make_sync(&m);
  Place place = {"test.hd", 77, 1, 77, 2, false};
  IrLocId caller = ir_loc_intern(m.module, &(IrLoc){.place = place});
  Place inside = {"test.hd", 5, 1, 5, 2, false};
  sync->loc = ir_loc_intern(
      m.module, &(IrLoc){.place = inside, .parent = caller, .callee = "help"});
  make_end(&m);
  const Diag *diag = assert_error(&m, DIAG_not_together, sync, "rank()");
  bool is_found = false;
  for (uint32_t i = 0; i < diag->notes.count; i++)
    if (diag->notes.data[i].place.line == 77 &&
        strstr(diag->notes.data[i].text, "help"))
      is_found = true;
  assert_true(is_found);
  make_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sync_under_condition),
      cmocka_unit_test(test_sync_in_group_is_accepted),
      cmocka_unit_test(test_sync_under_variable),
      cmocka_unit_test(test_one_cause_one_message),
      cmocka_unit_test(test_outer_sync),
      cmocka_unit_test(test_group_statement_under_condition),
      cmocka_unit_test(test_group_begin_differs),
      cmocka_unit_test(test_group_range),
      cmocka_unit_test(test_thread_loop_bound_differs),
      cmocka_unit_test(test_repeated_effect),
      cmocka_unit_test(test_call_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
