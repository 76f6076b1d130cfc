// SPDX-License-Identifier: Apache-2.0
// Programs that are deep, large or grow: one message, and fast.
#include "checked.h"

static Text program(Checked *holder) {
  holder->arena = arena_new();
  Text text = {.arena = holder->arena};
  return text;
}

static const char *codes_of_text(const char *text) {
  static char codes[256];
  Checked c = parse_program(text);
  sema_check_unit(c.cx, c.unit);
  strncpy(codes, codes_of(&c), sizeof(codes) - 1);
  checked_free(&c);
  return codes;
}

// f0, f1 calls f0, …; each call below `depth` additions.
static void add_chain(Text *text, int n_functions, int depth) {
  text_add(text, "int f0(int x) { return x; }\n");
  for (int i = 1; i < n_functions; i++) {
    text_printf(text, "int f%d(int x) { return ", i);
    text_printf(text, "f%d(x)", i - 1);
    for (int k = 0; k < depth; k++)
      text_add(text, " + x");
    text_add(text, "; }\n");
  }
  text_printf(text,
              "kernel void k(int n, int y[n]) grid(1) threads(32)\n"
              "{ y[0] = f%d(n); }\n",
              n_functions - 1);
}

static void test_long_chains_of_calls(void **state) {
  (void)state;
  Checked holder;
  Text text = program(&holder);
  add_chain(&text, 100, 3);
  assert_string_equal(codes_of_text(text_cstr(&text)), "");
  arena_free(holder.arena);
  text = program(&holder);
  add_chain(&text, 1000, 1);
  assert_memory_equal(codes_of_text(text_cstr(&text)), "HD0391@", 7);
  arena_free(holder.arena);
}

static void test_deep_expressions_in_a_chain_of_calls(void **state) {
  (void)state;
  Checked holder;
  Text text = program(&holder);
  add_chain(&text, 60, 900);
  assert_memory_equal(codes_of_text(text_cstr(&text)), "HD0391@", 7);
  arena_free(holder.arena);
}

static void test_calls_that_double_are_checked_once(void **state) {
  (void)state;
  Checked holder;
  Text text = program(&holder);
  text_add(&text, "int f0(int x) { return x; }\n");
  for (int i = 1; i < 100; i++)
    text_printf(&text, "int f%d(int x) { return f%d(x) + f%d(x); }\n", i, i - 1,
                i - 1);
  text_add(&text, "kernel void k(int n, int y[n]) grid(1) threads(32)\n"
                  "{ y[0] = f99(n); }\n");
  assert_string_equal(codes_of_text(text_cstr(&text)), "");
  arena_free(holder.arena);
}

static void test_large_objects(void **state) {
  (void)state;
  assert_string_equal(
      codes_of_text("kernel void k(int n, int y[n]) grid(1) threads(32)\n"
                    "{ int a[1 << 30]; a[0] = n; }\n"),
      "HD0330@2:7");
  assert_string_equal(
      codes_of_text("struct S { char a[1l << 59], b[1l << 59], c[9]; };\n"),
      "HD0330@1:1");
  assert_string_equal(codes_of_text("constant int t[1l << 40] = {1};\n"),
                      "HD0330@1:14");
}

static void test_thousands_of_initialisers(void **state) {
  (void)state;
  Checked holder;
  Text text = program(&holder);
  text_add(&text, "constant int t[] = {");
  for (int i = 0; i < 20000; i++)
    text_printf(&text, "%d,", i);
  text_add(&text, "};\nstatic_assert(sizeof(t) == 80000);\n");
  assert_string_equal(codes_of_text(text_cstr(&text)), "");
  arena_free(holder.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_long_chains_of_calls),
      cmocka_unit_test(test_deep_expressions_in_a_chain_of_calls),
      cmocka_unit_test(test_calls_that_double_are_checked_once),
      cmocka_unit_test(test_large_objects),
      cmocka_unit_test(test_thousands_of_initialisers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
