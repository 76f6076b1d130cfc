// SPDX-License-Identifier: Apache-2.0
// What is wrong or unknown: one mistake gives one message, at its place, when
// it matters; the rest of the file is understood; hostile sizes end.
#include "parse_cuda.h"
#include "syntax/limits.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void assert_codes(const char *text, const char *expected) {
  Parsed parsed = parse_cuda(text);
  assert_string_equal(codes_of(&parsed), expected);
  parsed_free(&parsed);
}

static const char *messages(const char *text, Parsed *parsed) {
  *parsed = parse_cuda(text);
  codes_of(parsed);
  Text out = {.arena = parsed->arena};
  diag_render_text(parsed->diags, &out, false);
  return text_cstr(&out);
}

// --- Errors ----------------------------------------------------------------

static void one_mistake_one_message(void **state) {
  (void)state;
  assert_codes("void f() { x = 1\n y = 2; }", "HD0201@1:17");
  assert_codes("void f() { x = (1 + ; y = 2; z = 3 }",
               "HD0201@1:21 HD0201@1:35");
  assert_codes("void f() { a[3 = 4; }\nvoid g() { ok(); }", "HD0202@1:19");
  assert_codes("void f() { if (x { y(); } }", "HD0202@1:23");
  assert_codes("void f() { for (int i = 0; i < n) { } }", "HD0201@1:33");
  assert_codes("void f() { int 3x = 4; y(); }", "HD0201@1:16");
  assert_codes("void f() { x = 09; }", "HD0104@1:16");
  assert_codes("void f() { x = \"open\n; }", "HD0103@1:16");
  assert_codes("void f() { x = 3 @ 4; }", "HD0101@1:18");
  assert_codes("void f() { x = '\\q'; y = ''; }", "HD0106@1:16 HD0107@1:26");
}

static void text_of_messages(void **state) {
  (void)state;
  Parsed parsed;
  assert_string_equal(
      messages("__global__ void k(int *x) {\n  x[0] = 1\n}\n", &parsed),
      "error[HD0201]: expected ';' after an expression, found '}'\n"
      " --> t.cu:2:11\n"
      "  |\n"
      "2 |   x[0] = 1\n"
      "  |           ^\n"
      "  = fix: add the ';'\n");
  parsed_free(&parsed);
  assert_string_equal(messages("void f() { g(1, 2; }\n", &parsed),
                      "error[HD0202]: expected ')' to close '(', found ';'\n"
                      " --> t.cu:1:18\n"
                      "  |\n"
                      "1 | void f() { g(1, 2; }\n"
                      "  |             -    ^\n"
                      "  |             opened here\n");
  parsed_free(&parsed);
}

static void told_at_every_call(void **state) {
  (void)state;
  Parsed parsed = parse_cuda("void f() { x = ; }");
  CxDecl *function = parsed.unit->decls.data[0];
  assert_int_equal(diag_error_count(parsed.diags), 0);
  assert_true(cx_parse_body(parsed.unit, function)->has_errors);
  assert_int_equal(diag_round_error_count(parsed.diags), 1);
  diag_begin_round(parsed.diags);
  assert_int_equal(diag_round_error_count(parsed.diags), 0);
  assert_true(cx_parse_body(parsed.unit, function)->has_errors);
  assert_int_equal(diag_round_error_count(parsed.diags), 1);
  parsed_free(&parsed);
}

// --- What isn't understood -------------------------------------------------

static void unknown_declarations(void **state) {
  (void)state;
  Parsed parsed =
      parse_cuda("BENCHMARK(x)->Range(1, 2);\n"
                 "concept C = odd_name { x; };\n"
                 "struct S { int a; int what that thing; int b; };\n"
                 "void k() {}\n");
  assert_string_equal(tree_of(&parsed),
                      "unknown BENCHMARK Range\n"
                      "unknown C odd_name\n"
                      "record S {\n  field a: int\n  unknown thing\n"
                      "  field b: int\n}\n"
                      "function k() -> void {\n}\n");
  assert_int_equal(diag_error_count(parsed.diags), 0);
  assert_int_equal(parsed.unit->n_unknowns, 3);
  assert_string_equal(codes_of(&parsed), "HD0201@1:15 HD0202@2:25 HD0201@3:28");
  parsed_free(&parsed);
}

static void host_code_is_not_read(void **state) {
  (void)state;
  Parsed parsed = parse_cuda(
      "template <class R, std::enable_if_t<(sizeof(R) > 2), int> = 0>\n"
      "std::vector<std::pair<R, int>> h(std::function<void(R &&)> f = [] {}) "
      "{ return <- anything; @ R\"x(})x\"; }\n"
      "MISSING_MACRO int g() { }\n"
      "template <class T, unknown_t<T> * = nullptr> struct Q : ns::B<T>, "
      "A<int>::template C<T> { using B<T>::B; };\n");
  assert_int_equal(parsed.unit->n_unknowns, 0);
  assert_int_equal(parsed.unit->decls.count, 3);
  parsed_free(&parsed);
}

static void missing_headers(void **state) {
  (void)state;
  Parsed parsed =
      parse_cuda("#pragma heddle missing_header vec/tor\n"
                 "#pragma once\n#pragma nv_diag_suppress 3\nint x;");
  assert_int_equal(parsed.unit->n_missing, 1);
  assert_string_equal(parsed.unit->missing[0].name, "vec/tor");
  assert_string_equal(tree_of(&parsed), "var x: int\n");
  parsed_free(&parsed);
}

static void brackets(void **state) {
  (void)state;
  assert_codes("void f() { }\n}\nint x;", "HD0211@2:1 HD0201@2:1");
  assert_codes("namespace a {\nint x;", "HD0202@2:7");
  // Parentheses that stay open swallow one declaration.
  assert_codes("int f(int x { }\n__global__ void k() { x = ; }",
               "HD0202@1:13 HD0201@2:27");
}

// --- Limits ----------------------------------------------------------------

static void assert_limit(const char *before, const char *part,
                         const char *after, const char *code) {
  Text text = {.arena = arena_new()};
  text_add(&text, before);
  for (int i = 0; i < 20000; i++)
    text_add(&text, part);
  text_add(&text, after);
  Parsed parsed = parse_cuda(text_cstr(&text));
  if (!strstr(codes_of(&parsed), code))
    fail_msg("%s %s: %s", before, part, codes_of(&parsed));
  assert_true(diag_error_count(parsed.diags) <= 3);
  parsed_free(&parsed);
  arena_free(text.arena);
}

static void nesting(void **state) {
  (void)state;
  assert_limit("int x = ", "(", "1;", "HD0205");
  assert_limit("void f() { x = ", "(", "1; }", "HD0205");
  assert_limit("void f() { x = ", "{", "1; }", "HD0205");
  assert_limit("void f() { x = ", "a[", "1; }", "HD0205");
  assert_limit("void f() { x = ", "(int)", "1; }", "HD0205");
  assert_limit("void f() { x = ", "- ", "1; }", "HD0205");
  assert_limit("void f() { x = ", "a ? b : ", "1; }", "HD0205");
  assert_limit("void f() { x = ", "1 + ", "1; }", "HD0206");
  assert_limit("void f() { x = a", ".b", "; }", "HD0206");
  assert_limit("void f() { ", "if (x) ", "; }", "HD0205");
  assert_limit("void f() { ", "{", "; }", "HD0205");
  assert_limit("void f() { x = ", "[] { y = ", "1; }", "HD0205");
  assert_limit("int ", "*", "x;", "HD0205");
  assert_limit("int x", "[2]", ";", "HD0205");
  assert_limit("int x", "(int y", ";", "HD0205");
  assert_limit("", "namespace a {", "", "HD0205");
  assert_limit("", "struct a {", "", "HD0205");
  assert_limit("template <class T> struct S; ", "S<", "int> x;", "HD0205");
  assert_limit("", "template <class T> ", "int x;", "");
  assert_limit("namespace a", "::b", "{ }", "HD0205");
}

// Each level asks whether it is a type before it is an expression.
static void attempts_end(void **state) {
  (void)state;
  assert_limit("template <class T> struct S; void f() { x = ", "(S<", "1; }",
               "HD0");
  assert_limit("struct T {}; void f() { x = ", "(T(", "1; }", "HD0");
  assert_limit("struct T {}; void f() { x = ", "sizeof(T[", "1; }", "HD0");
  assert_limit("struct T {}; ", "void f(T(*", ") { }", "HD0");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_mistake_one_message),
                                     cmocka_unit_test(text_of_messages),
                                     cmocka_unit_test(told_at_every_call),
                                     cmocka_unit_test(unknown_declarations),
                                     cmocka_unit_test(host_code_is_not_read),
                                     cmocka_unit_test(missing_headers),
                                     cmocka_unit_test(brackets),
                                     cmocka_unit_test(nesting),
                                     cmocka_unit_test(attempts_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
