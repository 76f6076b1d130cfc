// SPDX-License-Identifier: Apache-2.0
// Hostile sizes: each limit gives its own clear message, once, and nothing
// overflows a stack.
#include "syntax/limits.h"

#include "parse_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// `before`, then `part` n times, then `after`.
static Parsed parse_repeated(const char *before, const char *part, size_t n,
                             const char *after) {
  Arena *arena = arena_new();
  Text text = {.arena = arena};
  text_add(&text, before);
  for (size_t i = 0; i < n; i++)
    text_add(&text, part);
  text_add(&text, after);
  Parsed parsed = parse_bytes(text_cstr(&text), text.length);
  arena_free(arena);
  return parsed;
}

static void assert_first(const char *before, const char *part, size_t n,
                         const char *after, const char *code) {
  Parsed parsed = parse_repeated(before, part, n, after);
  const char *codes = codes_of(&parsed);
  assert_memory_equal(codes, code, strlen(code));
  assert_true(diag_error_count(parsed.diags) <= 2);
  parsed_free(&parsed);
}

static void nesting(void **state) {
  (void)state;
  assert_first("int x = ", "(", 100000, "1;", "HD0205");
  assert_first("int x = ", "{", 100000, "1;", "HD0205");
  assert_first("int x = ", "a[", 100000, "1;", "HD0205");
  assert_first("int x = ", "f(", 100000, "1;", "HD0205");
  assert_first("int x = ", "- ", 100000, "1;", "HD0205");
  assert_first("int x = ", "sizeof ", 100000, "1;", "HD0205");
  assert_first("int x = ", "(int)", 100000, "1;", "HD0205");
  assert_first("int x = ", "a ? b : ", 100000, "1;", "HD0205");
  assert_first("int x = ", "a = ", 100000, "1;", "HD0205");
  assert_first("int x = ", "_Generic(", 100000, "1;", "HD0205");
  assert_first("int ", "*", 100000, "x;", "HD0205");
  assert_first("int ", "(", 100000, "x;", "HD0205");
  assert_first("int x", "[2]", 100000, ";", "HD0205");
  assert_first("void f", "(int x", 100000, ";", "HD0205");
  assert_first("", "struct {", 100000, "", "HD0205");
  assert_first("void f(void) ", "{", 100000, "", "HD0205");
  assert_first("void f(void) { ", "if (x) ", 100000, "}", "HD0205");
  assert_first("void f(void) { ", "if (x) y; else ", 100000, "}", "HD0205");
  assert_first("void f(void) { ", "for (;;) ", 100000, "}", "HD0205");
  assert_first("void f(void) { ", "single_thread ", 100000, "}", "HD0205");
}

static void chains(void **state) {
  (void)state;
  assert_first("int x = a", " + a", 1000000, ";", "HD0206");
  assert_first("int x = a", ".b", 100000, ";", "HD0206");
  assert_first("int x = a", "()", 100000, ";", "HD0206");
  assert_first("int x = a", "++", 100000, ";", "HD0206");
  Parsed parsed = parse_repeated("int x = a", " + a", 998, ";");
  assert_string_equal(codes_of(&parsed), "");
  parsed_free(&parsed);
}

static void what_is_allowed(void **state) {
  (void)state;
  Parsed parsed = parse_repeated("int x = ", "(", 250, "");
  assert_null(strstr(codes_of(&parsed), "HD0205"));
  parsed_free(&parsed);
  parsed = parse_repeated("int x[] = {", "1,", 200000, "};");
  assert_string_equal(codes_of(&parsed), "");
  parsed_free(&parsed);
  parsed = parse_repeated("void f(void) { switch (x) {", "case 1:", 100000,
                          " ; } }");
  assert_string_equal(codes_of(&parsed), "");
  parsed_free(&parsed);
  parsed = parse_repeated("void f(void) {", "\n#pragma unroll\nfor (;;) ;",
                          20000, "}");
  assert_string_equal(codes_of(&parsed), "");
  parsed_free(&parsed);
}

static void nodes(void **state) {
  (void)state;
  assert_first("int x[] = {", "1,", SYNTAX_MAX_NODES + 10, "};", "HD0207");
}

static void many_errors(void **state) {
  (void)state;
  Parsed parsed = parse_repeated("void f(void) {", "x = ;\n", 5000, "}");
  uint32_t kept;
  diag_list(parsed.diags, &kept);
  assert_int_equal(diag_error_count(parsed.diags), 5000);
  assert_int_equal(kept, 20);
  parsed_free(&parsed);
}

static void cut_anywhere(void **state) {
  (void)state;
  static const char program[] =
      "#pragma heddle flops(n) bytes(2*n)\n"
      "kernel void k(int n, const float A[n][4] stride(8, 1), "
      "constexpr type T = float) grid(cdiv(n, 4)) threads(64) {\n"
      "  shared T s[4] layout(row_major); group(32) g = h;\n"
      "  thread for (int i = 0; i < n; i++) consumes(A[i:1]) {\n"
      "    s[i] = (T)A[i][1] + 'a' + 0x1p3f; }\n"
      "  switch (n) { case 1: single_warp (2) sync(); default: break; }\n"
      "  asm ptx(\"x\" : \"=r\"(n)) writes(A); do n--; while (n);\n"
      "}\nstruct S { int a : 3; } s = { .a = 1, [2] = 3 };\n";
  for (size_t n = 0; n < sizeof(program); n++) {
    Parsed parsed = parse_bytes(program, n);
    assert_true(diag_error_count(parsed.diags) <= 3);
    parsed_free(&parsed);
    parsed = parse_bytes(program + n, sizeof(program) - 1 - n);
    parsed_free(&parsed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nesting),         cmocka_unit_test(chains),
      cmocka_unit_test(what_is_allowed), cmocka_unit_test(nodes),
      cmocka_unit_test(many_errors),     cmocka_unit_test(cut_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
