// SPDX-License-Identifier: Apache-2.0
// What is read of host code: launches, with the variables that they name; and
// the texts that aren't of the file: annotations, names, assumptions.
#include "parse_cuda.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const char *tokens_text(const Parsed *parsed, CxTokens tokens) {
  return span_text(parsed, cx_tokens_span(parsed->unit, tokens));
}

// "k<int>: grid | block | shared", then " name=init" for each variable.
static const char *launches_of(const Parsed *parsed) {
  Text out = {.arena = parsed->arena};
  for (uint32_t i = 0; i < parsed->unit->n_launches; i++) {
    const CxLaunch *launch = &parsed->unit->launches[i];
    text_printf(
        &out, "%s: %s | %s | %s", span_text(parsed, launch->kernel->span),
        tokens_text(parsed, launch->grid), tokens_text(parsed, launch->block),
        launch->shared.end ? tokens_text(parsed, launch->shared) : "");
    for (uint32_t k = 0; k < launch->n_vars; k++)
      text_printf(&out, " %s=%s", launch->vars[k].name,
                  tokens_text(parsed, launch->vars[k].init));
    text_add(&out, "\n");
  }
  return text_cstr(&out);
}

static void assert_launches(const char *text, const char *expected) {
  Parsed parsed = parse_cuda(text);
  assert_string_equal(launches_of(&parsed), expected);
  parsed_free(&parsed);
}

static void configurations(void **state) {
  (void)state;
  assert_launches("void h() { k<<<1, 2>>>(); }", "k: 1 | 2 | \n");
  assert_launches("void h() { ns::k<float, (3 > 2), A<B<int>>>"
                  "<<<dim3(1, 2), dim3{3, 4}, n * sizeof(int), s>>>(a); }",
                  "ns::k<float, (3 > 2), A<B<int>>>: dim3(1, 2) | dim3{3, 4} | "
                  "n * sizeof(int)\n");
  assert_launches("void h() { if (a) k<<<(n + 1) / 2, f<2, 3>(4)>>>(); }",
                  "k: (n + 1) / 2 | f<2, 3>(4) | \n");
  assert_launches("void h() { cout << 1 << 2; a <<< b; (*p)<<<1, 2>>>(); }",
                  "");
  assert_launches("struct S { void m() { ::k<<<g, b>>>(1); } };",
                  "::k: g | b | \n");
}

static void variables(void **state) {
  (void)state;
  assert_launches(
      "void h(int n) { const int t = 8 * 4, u = 2; std::vector<int> v(9);\n"
      "unsigned int w{3}; dim3 b(t, u), g = dim3(n / t); auto q = f(1, 2);\n"
      "k<<<g, b>>>(); int late = 1; k<<<1, late>>>(); }",
      "k: g | b |  t=8 * 4 u=2 w=3 b=t, u g=dim3(n / t) q=f(1, 2)\n"
      "k: 1 | late |  t=8 * 4 u=2 w=3 b=t, u g=dim3(n / t) q=f(1, 2) late=1\n");
}

static void pieces(void **state) {
  (void)state;
  Parsed parsed =
      parse_cuda("const int N = 4; template <class T> struct S {}; "
                 "template <int B, class T> __global__ void k(T *x, "
                 "int n) {} void h() { k<32, int><<<1, N * 8>>>(0); "
                 "}");
  CxUnit *unit = parsed.unit;
  CxExpr *block = cx_parse_tokens(unit, NULL, unit->launches[0].block);
  assert_int_equal(block->kind, CX_EXPR_BINARY);
  const char *why = NULL;
  const CxName *name = cx_parse_name_text(unit, "ns::k<4, S<int>>", &why);
  assert_int_equal(name->n_parts, 2);
  assert_int_equal(name->parts[1].n_args, 2);
  assert_null(name->parts[1].args[0].type);
  assert_non_null(name->parts[1].args[1].type);
  assert_null(cx_parse_name_text(unit, "k<4", &why));
  assert_string_equal(why, "expected '>' to close '<', found the end");
  assert_null(cx_parse_name_text(unit, "", &why));
  Span span = unit->decls.data[0]->span;
  CxExpr *expr = cx_parse_text(unit, unit->decls.data[2],
                               "n <= len(x) * \"s\"[0]", span, &why);
  assert_int_equal(expr->kind, CX_EXPR_BINARY);
  assert_memory_equal(&expr->u.binary.right->span, &span, sizeof span);
  assert_null(cx_parse_text(unit, NULL, "n <=", span, &why));
  assert_string_equal(why, "expected an expression, found the end");
  assert_null(cx_parse_text(unit, NULL, "a b", span, &why));
  assert_int_equal(diag_error_count(parsed.diags), 0);
  parsed_free(&parsed);
}

static void annotations(void **state) {
  (void)state;
  Parsed parsed = parse_cuda(
      "int n __heddle_comment(requires n > 0);\n"
      "__global__ void f() { g(__heddle_comment(assume a == (1 + 2)) 3); }\n"
      "struct S { __heddle_comment(requires x) void m() {} };\n"
      "__heddle_comment(requires nothing)\n");
  assert_string_equal(tree_of(&parsed),
                      "var n: int\n"
                      "__global__ function f() -> void @requires(n > 0) "
                      "@assume(a == (1 + 2)) {\n  g(3);\n}\n"
                      "record S {\n"
                      "  function m() -> void {\n  }\n}\n");
  assert_string_equal(codes_of(&parsed), "HD1160@3:12 HD1160@4:1");
  parsed_free(&parsed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(configurations), cmocka_unit_test(variables),
      cmocka_unit_test(pieces), cmocka_unit_test(annotations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
