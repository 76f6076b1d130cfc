// SPDX-License-Identifier: Apache-2.0
#include "ir/form/host_eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka last: it needs the headers above.
#include <cmocka.h>

static IrHost number(int64_t value) {
  return (IrHost){.op = HOST_CONST, .number = value};
}

static const char *run(IrHostOp op, IrHost *a, IrHost *b, int64_t *out) {
  static char buffer[256];
  IrHost x = {.op = op, .n_args = b ? 2 : 1, .args = {a, b}};
  HostScope scope = {0};
  return host_eval_int(&scope, &x, out, buffer);
}

static int64_t value(IrHostOp op, int64_t a, int64_t b) {
  IrHost x = number(a), y = number(b);
  int64_t out = 0;
  assert_null(run(op, &x, &y, &out));
  return out;
}

static void refused(IrHostOp op, int64_t a, int64_t b, const char *why) {
  IrHost x = number(a), y = number(b);
  int64_t out = 0;
  const char *said = run(op, &x, &y, &out);
  assert_non_null(said);
  assert_non_null(strstr(said, why));
}

static void integers_are_exact(void **state) {
  (void)state;
  assert_int_equal(value(HOST_ADD, INT64_MAX, -1), INT64_MAX - 1);
  assert_int_equal(value(HOST_MUL, 1 << 30, 1 << 30), (int64_t)1 << 60);
  refused(HOST_ADD, INT64_MAX, 1, "64 bits");
  refused(HOST_SUB, INT64_MIN, 1, "64 bits");
  refused(HOST_MUL, INT64_MAX, 2, "64 bits");
  refused(HOST_DIV, INT64_MIN, -1, "64 bits");
}

static void division_truncates_and_cdiv_rounds_up(void **state) {
  (void)state;
  assert_int_equal(value(HOST_DIV, -7, 2), -3);
  assert_int_equal(value(HOST_REM, -7, 2), -1);
  assert_int_equal(value(HOST_CDIV, 7, 2), 4);
  assert_int_equal(value(HOST_CDIV, 8, 2), 4);
  assert_int_equal(value(HOST_CDIV, -7, 2), -3);
  assert_int_equal(value(HOST_CDIV, 0, 2), 0);
  refused(HOST_DIV, 1, 0, "division by zero");
  refused(HOST_CDIV, 1, 0, "division by zero");
}

static void shifts_have_a_range(void **state) {
  (void)state;
  assert_int_equal(value(HOST_SHL, -1, 3), -8);
  assert_int_equal(value(HOST_SHR, -8, 1), -4);
  refused(HOST_SHL, 1, 64, "shift count");
  refused(HOST_SHL, 1, 63, "64 bits");
}

// The right side of `n != 0 && 10 / n > 1` has no value for n = 0.
static void logic_stops_early(void **state) {
  (void)state;
  IrHost zero = number(0), ten = number(10);
  IrHost divide = {.op = HOST_DIV, .n_args = 2, .args = {&ten, &zero}};
  int64_t out = 5;
  assert_null(run(HOST_LOGICAL_AND, &zero, &divide, &out));
  assert_int_equal(out, 0);
  assert_null(run(HOST_LOGICAL_OR, &ten, &divide, &out));
  assert_int_equal(out, 1);
}

static void floats_mix_with_integers(void **state) {
  (void)state;
  char buffer[256];
  IrHost half = {.op = HOST_CONST, .is_float = true, .real = 0.5};
  IrHost three = number(3);
  IrHost product = {.op = HOST_MUL, .n_args = 2, .args = {&half, &three}};
  HostScope scope = {0};
  HostValue out;
  int64_t integer;
  assert_null(host_eval(&scope, &product, &out, buffer));
  assert_true(out.is_float && out.real == 1.5);
  assert_non_null(host_eval_int(&scope, &product, &integer, buffer));
}

static void a_missing_parameter_is_named(void **state) {
  (void)state;
  IrParam params[] = {{.name = "rows",
                       .kind = PARAM_SCALAR,
                       .type = {.kind = IR_TYPE_I32, .lanes = 1},
                       .is_signed = true}};
  IrKernel kernel = {.params = {.data = params, .count = 1}};
  uint64_t slots[] = {(uint64_t)-3};
  bool has_value[] = {false};
  HostScope scope = {&kernel, slots, has_value};
  IrHost rows = {.op = HOST_PARAM};
  char buffer[256];
  int64_t out;
  assert_true(host_is_open(&scope, &rows));
  assert_string_equal(host_eval_int(&scope, &rows, &out, buffer),
                      "the value of 'rows' is not known");
  has_value[0] = true;
  assert_null(host_eval_int(&scope, &rows, &out, buffer));
  assert_int_equal(out, -3);
  assert_false(host_is_open(&scope, &rows));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_are_exact),
      cmocka_unit_test(division_truncates_and_cdiv_rounds_up),
      cmocka_unit_test(shifts_have_a_range),
      cmocka_unit_test(logic_stops_early),
      cmocka_unit_test(floats_mix_with_integers),
      cmocka_unit_test(a_missing_parameter_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
