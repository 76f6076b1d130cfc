// SPDX-License-Identifier: Apache-2.0
// Wrong programs: which messages, where, and that one mistake gives one.
#include "syntax/parse.h"

#include "parse_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void assert_codes(const char *text, const char *expected) {
  Parsed parsed = parse_text(text);
  assert_string_equal(codes_of(&parsed), expected);
  assert_int_equal(parsed.unit->has_errors, diag_error_count(parsed.diags) > 0);
  parsed_free(&parsed);
}

static const Diag *first_diag(const Parsed *parsed) {
  uint32_t count;
  const Diag *const *list = diag_list(parsed->diags, &count);
  assert_true(count > 0);
  return list[0];
}

static void assert_message(const char *text, const char *expected) {
  Parsed parsed = parse_text(text);
  const char *message = first_diag(&parsed)->message;
  if (!strstr(message, expected))
    assert_string_equal(message, expected);
  parsed_free(&parsed);
}

static void assert_note(const char *text, const char *expected) {
  Parsed parsed = parse_text(text);
  const Diag *diag = first_diag(&parsed);
  assert_true(diag->notes.count > 0);
  if (!strstr(diag->notes.data[0].text, expected))
    assert_string_equal(diag->notes.data[0].text, expected);
  parsed_free(&parsed);
}

static void one_mistake_one_message(void **state) {
  (void)state;
  assert_codes("void f(void) { x = ; y = 1; }", "HD0201@1:20");
  assert_codes("void f(void) { if (x { y; } }", "HD0202@1:22");
  assert_codes("void f(void) { for (int i = 0, i < n; i++) x; }",
               "HD0201@1:34");
  assert_codes("void f(void) { if (a b) x; }", "HD0202@1:22");
  assert_codes("void f(void) { f(a b); }", "HD0202@1:20");
  assert_codes("void f(void) { a[1; }", "HD0202@1:19");
  assert_codes("void f(void) { int 3x; }", "HD0201@1:20");
  assert_codes("void f(void) { 08; }", "HD0104@1:16");
  assert_codes("void f(void) { \"abc; }\n", "HD0103@1:16");
  assert_codes("flaot f(void) { return 1; }", "HD0303@1:1");
  assert_codes("x = 3 + y;", "HD0201@1:1");
  assert_codes("while (x) y;", "HD0201@1:1");
  assert_codes("int x = 1", "HD0201@1:10");
  assert_codes("void f(void) { int; }", "HD0214@1:16");
  assert_codes("}", "HD0211@1:1");
  assert_codes("kernel k(int n) { n; }", "HD0201@1:8");
  assert_codes("void f(int n; float x) { n; }", "HD0201@1:13");
  assert_codes("void f(float *__restrict__ x) { x; }", "HD0203@1:15");
  assert_codes("int f(int) int x; { return 1; }", "HD0201@1:12");
  assert_codes("void f(void) { return }", "HD0201@1:22");
  assert_codes("{ x; }", "HD0201@1:1");
  assert_codes("void f(void) { else x; }", "HD0212@1:16");
}

static void errors_do_not_hide_others(void **state) {
  (void)state;
  assert_codes("kernel void k(int n,, float x) { a = ; }",
               "HD0201@1:21 HD0201@1:38");
  assert_codes("kernel void k(foo x, bar y) { z = ; }",
               "HD0303@1:15 HD0303@1:22 HD0201@1:35");
  assert_codes("kernel void k(int n) grid(1 threads(2) { x = ; }",
               "HD0202@1:29 HD0201@1:46");
  assert_codes("void f(void) {\n x = ;\n if (y { z = ; }\n}\nint g = ;\n",
               "HD0201@2:6 HD0202@3:8 HD0201@3:14 HD0201@5:9");
  assert_codes("struct S { int a b; float c };", "HD0201@1:18 HD0201@1:28");
  assert_codes("void f(void) { while (a b) c = ; }", "HD0202@1:25 HD0201@1:32");
}

static void missing_braces_end_at_the_next_kernel(void **state) {
  (void)state;
  assert_codes("kernel void a(int n) {\n if (n) {\n}\n"
               "kernel void b(int n) { x = ; }\n",
               "HD0202@4:1 HD0201@4:28");
  Parsed parsed = parse_text("kernel void a(int n) {\n if (n) {\n x;\n");
  assert_string_equal(codes_of(&parsed), "HD0202@4:1");
  assert_int_equal(first_diag(&parsed)->labels.data[0].place.line, 2);
  parsed_free(&parsed);
}

static void a_missing_semicolon_is_put_in(void **state) {
  (void)state;
  Parsed parsed = parse_text("void f(void) {\n  a = b\n  c = d;\n}\n");
  assert_string_equal(codes_of(&parsed), "HD0201@2:8");
  const Diag *diag = first_diag(&parsed);
  assert_int_equal(diag->fixes.count, 1);
  assert_string_equal(diag->fixes.data[0].replacement, ";");
  assert_true(diag->fixes.data[0].is_certain);
  parsed_free(&parsed);
}

static void words_of_other_languages(void **state) {
  (void)state;
  assert_message("__global__ void k(int n) { }", "kernel void name");
  assert_codes("__global__ void k(int n) { x = ; }", "HD0203@1:1 HD0201@1:32");
  assert_codes("void f(void) { __shared__ float a[3]; a[0] = 1; }",
               "HD0203@1:16");
  assert_codes("template <typename T> void f(int x) { x; }", "HD0203@1:1");
  assert_codes("void f(void) { auto x = 1; x; }", "HD0203@1:16");
  assert_codes("class C { int x; };\nint y;", "HD0203@1:1");
  assert_codes("__launch_bounds__(128) void f(void) { }", "HD0203@1:1");
  assert_note("void f(void) { uint x = 1; }", "unsigned");
  assert_note("void f(void) { flaot x = 1; }", "did you mean 'float'?");
  // As names of one's own they are fine.
  assert_codes("void f(int class) { int template = class; }", "");
}

static void what_heddle_c_lacks(void **state) {
  (void)state;
  assert_codes("void f(void) { x = ({ 1; }); }", "HD0209@1:20");
  assert_codes("void f(void) { a[i, j] = 1; }", "HD0209@1:19");
  assert_codes("void f(void) { y = float(x); }", "HD0209@1:20");
  assert_codes("void f(void) { switch (x) { case 1 ... 3: ; } }",
               "HD0209@1:36");
  assert_codes("float _Complex x;", "HD0209@1:7");
  assert_codes("void f(void) { void g(void) { } }", "HD0209@1:21");
  assert_codes("void f(void) { asm ptx(\"x\" : : : \"m\"); }", "HD0209@1:32");
}

static void specifiers(void **state) {
  (void)state;
  assert_codes("unsigned float x;", "HD0204@1:10");
  assert_codes("int float x;", "HD0204@1:5");
  assert_codes("struct S int x;", "HD0204@1:10");
  assert_codes("shared global float x;", "HD0204@1:8");
  assert_codes("void f(void) { x = (static int)y; }", "HD0201@1:21");
  assert_codes("void f(void) { x = (int static)y; }", "HD0215@1:25");
  assert_codes("const x;", "HD0201@1:7");
}

static void clauses_and_pragmas(void **state) {
  (void)state;
  assert_codes("void f(void) grid(3) { }", "HD0208@1:14");
  assert_codes("kernel void k(void) host { }", "HD0208@1:21");
  assert_codes("kernel void k(void) treads(3) { }", "HD0201@1:21");
  assert_codes("void f(void) { thread for (;;) grid(2) ; }", "HD0208@1:32");
  assert_codes("#pragma unroll 4\nint x;", "HD0210@1:1");
  assert_codes("#pragma heddle fast\nint x;", "HD0210@1:16");
  assert_codes("#pragma heddle flops(3)\nvoid f(void) { }", "HD0210@1:22");
  assert_codes("#pragma STDC FP_CONTRACT MAYBE\nint x;", "HD0210@1:26");
  assert_codes("#pragma STDC FENV_ACCESS ON\nint x;", "HD0111@1:14");
  assert_codes("#pragma unroll ) (\nint x = ;", "HD0201@1:16 HD0201@2:9");
}

static void sections(void **state) {
  (void)state;
  assert_codes("void f(void) { a[1:]; }", "HD0213@1:19");
  assert_codes("void f(void) { a[:3]; }", "HD0213@1:18");
  assert_codes("void f(void) { a[::]; }", "HD0213@1:18");
}

static void literals(void **state) {
  (void)state;
  assert_codes("int x = 0x;", "HD0104@1:9");
  assert_codes("int x = 0b12;", "HD0104@1:9");
  assert_codes("int x = 1f;", "HD0104@1:9");
  assert_codes("int x = 1.5q;", "HD0104@1:9");
  assert_codes("int x = 0x1.8;", "HD0104@1:9");
  assert_codes("int x = 1e;", "HD0104@1:9");
  assert_codes("int x = 18446744073709551616u;", "HD0105@1:9");
  assert_codes("int x = 9223372036854775808;", "HD0105@1:9");
  assert_codes("int x = 1e999;", "HD0105@1:9");
  assert_codes("int x = 1e39f;", "HD0105@1:9");
  assert_codes("int x = '';", "HD0107@1:9");
  assert_codes("int x = 'ab';", "HD0107@1:9");
  assert_codes("int x = '\xc3\xa9';", "HD0107@1:9");
  assert_codes("int x = '\\q';", "HD0106@1:10");
  assert_codes("int x = '\\x100';", "HD0106@1:10");
  assert_codes("int x = \"\\xg\" \"\\u12\";", "HD0106@1:10 HD0106@1:16");
  assert_codes("int x = u\"a\" U\"b\";", "HD0107@1:14");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_mistake_one_message),
      cmocka_unit_test(errors_do_not_hide_others),
      cmocka_unit_test(missing_braces_end_at_the_next_kernel),
      cmocka_unit_test(a_missing_semicolon_is_put_in),
      cmocka_unit_test(words_of_other_languages),
      cmocka_unit_test(what_heddle_c_lacks),
      cmocka_unit_test(specifiers),
      cmocka_unit_test(clauses_and_pragmas),
      cmocka_unit_test(sections),
      cmocka_unit_test(literals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
