// SPDX-License-Identifier: Apache-2.0
// Arithmetic on constants: widths, overflow, rounding of small floats.
#include "sema/type/constants.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static Arena *arena;
static TypeTable *table;

static int begin(void **state) {
  (void)state;
  arena = arena_new();
  table = type_table_new(arena);
  return 0;
}

static int end(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static const Type *basic(TypeKind kind) {
  return type_basic(table, kind);
}

static TValue of_int(int64_t value) {
  TValue out = {.i = value};
  return out;
}

static TValue of_float(double value) {
  TValue out = {.f = value};
  return out;
}

static int64_t narrow(TypeKind to, int64_t value, bool *is_exact) {
  return value_convert(basic(to), basic(TY_LONG), of_int(value), is_exact).i;
}

static void test_integers_wrap_to_their_width(void **state) {
  (void)state;
  bool exact;
  assert_int_equal(narrow(TY_CHAR, 200, &exact), -56);
  assert_false(exact);
  assert_int_equal(narrow(TY_UCHAR, -1, &exact), 255);
  assert_false(exact);
  assert_int_equal(narrow(TY_USHORT, 65535, &exact), 65535);
  assert_true(exact);
  assert_int_equal(narrow(TY_BOOL, 256, &exact), 1);
  assert_false(exact);
  TValue big = {.u = UINT64_MAX};
  value_convert(basic(TY_LONG), basic(TY_ULONG), big, &exact);
  assert_false(exact);
}

static FoldProblem fold(TOp op, TypeKind kind, int64_t a, int64_t b,
                        int64_t *out) {
  FoldProblem problem;
  const Type *type = basic(kind);
  *out = value_binary(op, type, of_int(a), type, of_int(b), &problem).i;
  return problem;
}

static void test_signed_overflow_is_seen(void **state) {
  (void)state;
  int64_t out;
  assert_int_equal(fold(TOP_ADD, TY_INT, INT32_MAX, 1, &out), FOLD_OVERFLOW);
  assert_int_equal(out, INT32_MIN);
  assert_int_equal(fold(TOP_MUL, TY_LONG, INT64_MAX, 2, &out), FOLD_OVERFLOW);
  assert_int_equal(fold(TOP_DIV, TY_INT, INT32_MIN, -1, &out), FOLD_OVERFLOW);
  assert_int_equal(fold(TOP_DIV, TY_LONG, INT64_MIN, -1, &out), FOLD_OVERFLOW);
  assert_int_equal(fold(TOP_REM, TY_INT, 5, 0, &out), FOLD_DIVIDE_BY_ZERO);
  assert_int_equal(fold(TOP_ADD, TY_UINT, 0xffffffff, 1, &out), FOLD_OK);
  assert_int_equal(out, 0);
  assert_int_equal(fold(TOP_SUB, TY_INT, INT32_MIN, 0, &out), FOLD_OK);
}

static void test_shift_counts_are_taken_modulo_the_width(void **state) {
  (void)state;
  int64_t out;
  assert_int_equal(fold(TOP_SHL, TY_INT, 1, 33, &out), FOLD_OK);
  assert_int_equal(out, 2);
  fold(TOP_SHR, TY_INT, -8, 1, &out);
  assert_int_equal(out, -4);
  fold(TOP_SHR, TY_UINT, 0x80000000, 31, &out);
  assert_int_equal(out, 1);
}

static double to_half(double value) {
  return value_round(basic(TY_HALF), value);
}

// Every finite half is its own value, and between neighbours the even one wins.
static void test_half_rounds_to_nearest_even(void **state) {
  (void)state;
  for (int bits = 0; bits < 0x7bff; bits++) {
    int exponent = bits >> 10, fraction = bits & 1023;
    double unit = ldexp(1, (exponent ? exponent : 1) - 25);
    double low = unit * (fraction + (exponent ? 1024 : 0));
    double high = low + unit;
    double tie = low + unit / 2;
    assert_true(to_half(low) == low);
    assert_true(to_half(tie) == (fraction % 2 ? high : low));
    assert_true(to_half(-nextafter(tie, high)) == -high);
  }
  assert_true(isinf(to_half(65520.0)));
  assert_true(to_half(65519.9) == 65504.0);
  assert_true(isnan(to_half(NAN)));
}

static void test_large_integers_round_once(void **state) {
  (void)state;
  // A tie of bfloat16 and one more: the nearest double alone hides the one.
  int64_t value = (((int64_t)1 << 61) + ((int64_t)1 << 53)) + 1;
  TValue out =
      value_convert(basic(TY_BFLOAT16), basic(TY_LONG), of_int(value), NULL);
  assert_true(out.f == ldexp(1, 61) + ldexp(1, 54));
}

static void test_floats_become_integers_as_the_target_does(void **state) {
  (void)state;
  bool exact;
  const Type *f64 = basic(TY_DOUBLE);
  assert_int_equal(value_convert(basic(TY_INT), f64, of_float(1e10), &exact).i,
                   INT32_MAX);
  assert_false(exact);
  assert_int_equal(value_convert(basic(TY_INT), f64, of_float(NAN), &exact).i,
                   0);
  assert_int_equal(value_convert(basic(TY_INT), f64, of_float(-2.9), &exact).i,
                   -2);
  assert_int_equal(value_convert(basic(TY_UINT), f64, of_float(-5), &exact).i,
                   0);
  assert_true(value_convert(basic(TY_ULONG), f64, of_float(0x1p63), &exact).u ==
              (uint64_t)1 << 63);
  assert_true(exact);
}

static void check_bytes(TypeKind kind, double value, unsigned expected) {
  uint8_t bytes[8] = {0};
  value_store(basic(kind), of_float(value_round(basic(kind), value)), bytes);
  assert_int_equal(bytes[0] | bytes[1] << 8, expected);
}

static void test_bytes_of_small_floats(void **state) {
  (void)state;
  check_bytes(TY_HALF, 1.0, 0x3c00);
  check_bytes(TY_HALF, -2.5, 0xc100);
  check_bytes(TY_HALF, 0x1p-24, 0x0001);
  check_bytes(TY_HALF, 1e9, 0x7c00);
  check_bytes(TY_BFLOAT16, 1.0, 0x3f80);
  check_bytes(TY_BFLOAT16, 3.14159, 0x4049);
  check_bytes(TY_FP8_E4M3, 448.0, 0x7e);
  check_bytes(TY_FP8_E4M3, 1e9, 0x7e);
  check_bytes(TY_FP8_E4M3, 0x1p-9, 0x01);
  check_bytes(TY_FP8_E5M2, 1.0, 0x3c);
  check_bytes(TY_FP8_E5M2, -57344.0, 0xfb);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_integers_wrap_to_their_width),
      TEST(test_signed_overflow_is_seen),
      TEST(test_shift_counts_are_taken_modulo_the_width),
      TEST(test_half_rounds_to_nearest_even),
      TEST(test_large_integers_round_once),
      TEST(test_floats_become_integers_as_the_target_does),
      TEST(test_bytes_of_small_floats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
