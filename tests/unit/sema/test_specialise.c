// SPDX-License-Identifier: Apache-2.0
// Embedded values, repeated checks of one unit, whole units.
#include "checked.h"

static const char program[] =
    "kernel void k(int n, float y[n], constexpr int T = 32,\n"
    "              constexpr type E = float, constexpr int U)\n"
    "    grid(1) threads(T) {\n"
    "  shared E s[T * U];\n"
    "  static_assert(T <= 512, \"T\");\n"
    "  s[rank()] = y[0];\n"
    "}\n";

static void test_values_are_part_of_the_kernel(void **state) {
  (void)state;
  Checked c = parse_program(program);
  SpecValue values[3] = {spec_int("U", 2), spec_int("T", 64),
                         spec_type("E", "double")};
  SpecValues spec = {values, 3};
  const TKernel *kernel = check_k(&c, &spec);
  assert_int_equal(kernel->block[0], 64);
  assert_int_equal(kernel->n_params, 2);
  assert_int_equal(kernel->n_embedded, 3);
  const TVar *s = kernel->body->u.block.stmts[0]->u.decl.var;
  assert_int_equal(s->type->size_bytes, 128 * 8);
  checked_free(&c);
}

static void test_one_unit_gives_many_kernels(void **state) {
  (void)state;
  Checked c = parse_program(program);
  for (int i = 1; i <= 20; i++) {
    SpecValue values[2] = {spec_int("U", i), spec_int("T", 32 * i)};
    SpecValues spec = {values, 2};
    TKernel *kernel = sema_check_kernel(c.cx, c.unit, "k", &spec);
    assert_int_equal(kernel != NULL, i <= 16);
  }
  // All wrong ones are wrong in the same way at the same place.
  assert_string_equal(codes_of(&c), "HD0339@5:3");
  checked_free(&c);
}

static void test_missing_and_inexact_values(void **state) {
  (void)state;
  Checked c = parse_program(program);
  assert_null(sema_check_kernel(c.cx, c.unit, "k", NULL));
  assert_string_equal(codes_of(&c), "HD0802@2:55");
  checked_free(&c);
  c = parse_program(program);
  SpecValue half = {.name = "U", .kind = SPEC_FLOAT, .u.f = 0.5};
  SpecValues spec = {&half, 1};
  assert_null(sema_check_kernel(c.cx, c.unit, "k", &spec));
  assert_string_equal(codes_of(&c), "HD0803@2:55");
  checked_free(&c);
}

static void test_exact_values_convert(void **state) {
  (void)state;
  Checked c = parse_program(program);
  SpecValue two = {.name = "U", .kind = SPEC_FLOAT, .u.f = 2.0};
  SpecValues spec = {&two, 1};
  check_k(&c, &spec);
  checked_free(&c);
}

static void test_whole_units(void **state) {
  (void)state;
  Checked c = parse_program(program);
  // A value is missing: nothing can be said against the kernel.
  assert_true(sema_check_unit(c.cx, c.unit));
  checked_free(&c);
  c = parse_program("float f(int n) { return nothing; }\n"
                    "kernel void a(int n, constexpr int T) grid(1) threads(T)\n"
                    "{ int x = T; x.y = 1; int z = wrong; }\n");
  assert_false(sema_check_unit(c.cx, c.unit));
  assert_string_equal(codes_of(&c), "HD0301@1:25 HD0318@3:14 HD0301@3:31");
  checked_free(&c);
}

static void test_the_index_lists_parameters(void **state) {
  (void)state;
  Checked c = parse_program(program);
  SemaIndex index;
  sema_index_unit(c.cx, c.unit, &index);
  assert_int_equal(index.n_kernels, 1);
  const IndexKernel *kernel = &index.kernels[0];
  assert_int_equal(kernel->n_params, 5);
  assert_int_equal(kernel->params[0].kind, INDEX_SCALAR);
  assert_int_equal(kernel->params[1].kind, INDEX_ARRAY);
  assert_int_equal(kernel->params[1].rank, 1);
  assert_int_equal(kernel->params[2].kind, INDEX_EMBEDDED);
  assert_true(kernel->params[2].has_default);
  assert_int_equal(kernel->params[3].kind, INDEX_TYPE);
  assert_false(kernel->params[4].has_default);
  checked_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_are_part_of_the_kernel),
      cmocka_unit_test(test_one_unit_gives_many_kernels),
      cmocka_unit_test(test_missing_and_inexact_values),
      cmocka_unit_test(test_exact_values_convert),
      cmocka_unit_test(test_whole_units),
      cmocka_unit_test(test_the_index_lists_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
