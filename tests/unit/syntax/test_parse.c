// SPDX-License-Identifier: Apache-2.0
// What the parser makes of right programs, seen through the printer, which
// puts parentheses around every operation. Each result is parsed and printed
// again and must not change.
#include "syntax/parse.h"

#include "parse_text.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void assert_unit(const char *text, const char *expected) {
  Parsed parsed = parse_text(text);
  assert_string_equal(codes_of(&parsed), "");
  assert_string_equal(printed(&parsed), expected);
  Parsed again = parse_text(expected);
  assert_string_equal(codes_of(&again), "");
  assert_string_equal(printed(&again), expected);
  parsed_free(&again);
  parsed_free(&parsed);
}

// `text` as the initialiser of a variable.
static void assert_expr(const char *text, const char *expected) {
  char unit[512];
  char wanted[512];
  snprintf(unit, sizeof(unit), "int x = %s;", text);
  snprintf(wanted, sizeof(wanted), "int x = %s;\n", expected);
  assert_unit(unit, wanted);
}

// `text` as the body of a function.
static void assert_stmt(const char *text, const char *expected) {
  char unit[1024];
  char wanted[1024];
  snprintf(unit, sizeof(unit), "void f(void) { %s }", text);
  snprintf(wanted, sizeof(wanted), "void f(void) {\n%s}\n", expected);
  assert_unit(unit, wanted);
}

static void precedence(void **state) {
  (void)state;
  assert_expr("a + b * c - d", "(a + (b * c)) - d");
  assert_expr("a - b - c", "(a - b) - c");
  assert_expr("a << b + c < d == e & f ^ g | h && i || j",
              "(((((((a << (b + c)) < d) == e) & f) ^ g) | h) && i) || j");
  assert_expr("a ? b : c ? d : e", "a ? b : (c ? d : e)");
  assert_expr("a ? b, c : d", "a ? (b, c) : d");
  assert_expr("a = b += c", "a = (b += c)");
  assert_expr("-a * !b", "(-a) * (!b)");
  assert_expr("- - a", "-(-a)");
  assert_expr("*p++", "*(p++)");
  assert_expr("&a[1]", "&a[1]");
  assert_expr("(a, b)", "(a, b)");
  assert_expr("sizeof a + 1", "(sizeof (a)) + 1");
  assert_expr("sizeof(int) * 2", "(sizeof(int)) * 2");
  assert_expr("(float)a / b", "((float)a) / b");
  assert_expr("(float)-a", "(float)(-a)");
  assert_expr("(a)-b", "a - b");
}

static void postfix(void **state) {
  (void)state;
  assert_expr("f(a, b)(c).d->e[1][2]", "f(a, b)(c).d->e[1][2]");
  assert_expr("(a[1])[2]", "(a[1])[2]");
  assert_expr("(float4){1, 2}.x", "(float4){1, 2}.x");
  assert_expr("sizeof (float4){1}.x", "sizeof ((float4){1}.x)");
  assert_expr("A[i:64][k + 1:n][:][j]", "A[i:64][(k + 1):n][:][j]");
  assert_expr("A[a ? b : c : 4]", "A[(a ? b : c):4]");
  assert_expr("f(float, int *, x)", "f(float, int *, x)");
  assert_expr("_Generic(x, int: 1, default: 2)",
              "_Generic(x, int: 1, default: 2)");
  assert_expr("__builtin_offsetof(struct S, a.b[2])",
              "__builtin_offsetof(struct S, a.b[2])");
  assert_expr("{1, .a = 2, [3] = {4}, .b[1].c = 5,}",
              "{1, .a = 2, [3] = {4}, .b[1].c = 5}");
}

static void literals(void **state) {
  (void)state;
  assert_expr("0x1FuLL", "0x1full");
  assert_expr("0b1'01", "0b101");
  assert_expr("017", "017");
  assert_expr("0", "0");
  assert_expr("18446744073709551615u", "18446744073709551615u");
  assert_expr("1'0.5e+3f", "10.5e+3f");
  assert_expr("0x1.8p-3", "0x1.8p-3");
  assert_expr(".5bf16 + 1.F16", ".5bf16 + 1.f16");
  assert_expr("'\\n'", "'\\xa'");
  assert_expr("'\\377'", "'\\xff'");
  assert_expr("U'\xf0\x9f\x98\x80'", "U'\\x1f600'");
  assert_expr("\"a\" \"\\x41\\0\"", "\"aA\\000\"");
  assert_expr("u\"\\u00e9\"", "u\"\xc3\xa9\"");
}

static const Expr *only_init(const Parsed *parsed) {
  return parsed->unit->decls.data[0]->u.var.init;
}

static void values_of_literals(void **state) {
  (void)state;
  Parsed parsed = parse_text("int x = 0xffffffffffffffff;");
  assert_true(only_init(&parsed)->u.int_lit.value == UINT64_MAX);
  parsed_free(&parsed);
  // A float is rounded once, from its digits: this one lies just above the
  // middle of two floats, and in double precision exactly on it.
  parsed = parse_text("int x = 1.00000005960464477540f;");
  assert_true(only_init(&parsed)->u.float_lit.value == 1.0 + ldexp(1, -23));
  parsed_free(&parsed);
  parsed = parse_text("int x = '\\xff';");
  assert_int_equal(only_init(&parsed)->u.char_lit.value, 0xffffffff);
  parsed_free(&parsed);
}

static void declarations(void **state) {
  (void)state;
  assert_unit("int a, *b, c[3] = {1}, (*d)[4], *(*e)(int, float *);",
              "int a, *b, c[3] = {1}, (*d)[4], *(*e)(int, float *);\n");
  assert_unit("unsigned long int long a; long unsigned b; short int c;",
              "unsigned long long a;\nunsigned long b;\nshort c;\n");
  assert_unit("static const int a = 1; constexpr int b = 2;",
              "static const int a = 1;\nconstexpr int b = 2;\n");
  assert_unit("struct S { int a, b : 3; struct { float c; }; } s; struct S t;",
              "struct S { int a, b : 3; struct { float c; }; } s;\n"
              "struct S t;\n");
  assert_unit("enum E { A, B = 2, } e; union U;",
              "enum E { A, B = 2 } e;\nunion U;\n");
  assert_unit("typedef int T; T a; typedef T *P;",
              "typedef int T;\nT a;\ntypedef T *P;\n");
  assert_unit("_Alignas(16) _Alignas(float) int a;",
              "_Alignas(16) _Alignas(float) int a;\n");
  assert_unit("_Static_assert(1 == 1, \"x\"); static_assert(2);",
              "static_assert(1 == 1, \"x\");\nstatic_assert(2);\n");
  assert_unit("int f(), g(void), h(int, ...);",
              "int f(), g(void), h(int, ...);\n");
  assert_unit("void f(int a[static const 3], int b[*], int c[]);",
              "void f(int a[static const 3], int b[*], int c[]);\n");
  assert_unit("global float v[4]; constant int t[] = {1};",
              "global float v[4];\nconstant int t[] = {1};\n");
  assert_unit("void f(global float *shared p, float *const global q);",
              "void f(global float *shared p, float *global const q);\n");
}

static void kernels(void **state) {
  (void)state;
  assert_unit(
      "kernel void k(int n, const float A[n][4] stride(8, 1), "
      "constexpr int B = 2, constexpr type T = float, T x) "
      "threads(B) grid(cdiv(n, B), 2) requires(n > 0) may_alias(A, A);",
      "kernel void k(int n, const float A[n][4] stride(8, 1), "
      "constexpr int B = 2, constexpr type T = float, T x) "
      "threads(B) grid(cdiv(n, B), 2) requires(n > 0) may_alias(A, A);\n");
  assert_unit("float f(float x) threads(32) host { return x; }",
              "float f(float x) threads(32) host {\n  return x;\n}\n");
  assert_unit("tile float f(tile float x[n], constexpr int n) tile;",
              "tile float f(tile float x[n], constexpr int n) tile;\n");
  assert_unit("kernel void k() tile(warps(4) order(grouped(8)) pingpong)"
              " tune(A: 1, 2) tune((A, B): (1, 2), (3, 4); A < B);",
              "kernel void k() tile(warps(4) order(grouped(8)) pingpong)"
              " tune(A: 1, 2) tune((A, B): (1, 2), (3, 4); A < B);\n");
  assert_unit("#pragma heddle flops(2*n) bytes(n)\n"
              "kernel void k(int n) { }",
              "#pragma heddle flops(2 * n) bytes(n)\n"
              "kernel void k(int n) {\n}\n");
  assert_unit("#pragma heddle fast_math\n#pragma STDC FP_CONTRACT OFF\n",
              "#pragma heddle fast_math\n#pragma STDC FP_CONTRACT OFF\n");
}

static void statements(void **state) {
  (void)state;
  assert_stmt("if (a) if (b) x; else y;",
              "  if (a) {\n    if (b) {\n      x;\n    } else {\n      y;\n"
              "    }\n  }\n");
  assert_stmt("for (int i = 0, j = 1; i < n; i++, j--) ;",
              "  for (int i = 0, j = 1; i < n; i++, j--) {\n    ;\n  }\n");
  assert_stmt("constexpr for (int i = 8; i; i /= 2) break;",
              "  constexpr for (int i = 8; i; i /= 2) {\n    break;\n  }\n");
  assert_stmt("for (;;) break;", "  for (;;) {\n    break;\n  }\n");
  assert_stmt("do continue; while (x);",
              "  do {\n    continue;\n  } while (x);\n");
  assert_stmt("switch (x) case 1: case 2: f();",
              "  switch (x) {\n    case 1:\n    case 2:\n    f();\n  }\n");
  assert_stmt("switch (x) { case 1: int y; default: }",
              "  switch (x) {\n    case 1:\n    int y;\n    default:\n  }\n");
  assert_stmt("l: goto l; { ; }", "  l:\n  goto l;\n  {\n    ;\n  }\n");
  assert_stmt("\n#pragma unroll 4\nfor (;;) ;\n#pragma unroll\nwhile (x) ;",
              "#pragma unroll 4\n  for (;;) {\n    ;\n  }\n"
              "#pragma unroll\n  while (x) {\n    ;\n  }\n");
  assert_stmt("asm ptx(\"x\" : \"=r\"(a) : [b] \"r\"(c)) reads(d) group(32);",
              "  asm ptx(\"x\" : \"=r\"(a) : [b] \"r\"(c)) reads(d) "
              "group(32);\n");
}

static void thread_constructs(void **state) {
  (void)state;
  assert_stmt("thread_group (0, 32) single_warp { single_thread (3) x; }",
              "  thread_group (0, 32) {\n    single_warp {\n"
              "      single_thread (3) {\n        x;\n      }\n    }\n  }\n");
  assert_stmt("parallel for (int b = 0; b < n; b++) consumes(A[b:1]) "
              "produces(uninit(B[b][:])) thread for (;;) ;",
              "  parallel for (int b = 0; b < n; b++) consumes(A[b:1]) "
              "produces(uninit(B[b][:])) {\n    thread for (;;) {\n"
              "      ;\n    }\n  }\n");
  assert_stmt("parallel(block) for (;;) ;",
              "  parallel (block) for (;;) {\n    ;\n  }\n");
  assert_stmt("with (g) sync(); produce (p, k) x; consume (p, k) y;",
              "  with (g) {\n    sync();\n  }\n  produce (p, k) {\n    x;\n"
              "  }\n  consume (p, k) {\n    y;\n  }\n");
  assert_stmt("shared mbarrier(32) full[3]; pipeline(2) p; group(32) g = h; "
              "group i = g; token t = arrive(g); tile float a[4][4] = 0;",
              "  shared mbarrier(32) full[3];\n  pipeline(2) p;\n"
              "  group(32) g = h;\n  group i = g;\n  token t = arrive(g);\n"
              "  tile float a[4][4] = 0;\n");
  assert_stmt("cluster shared half a[4] layout(swizzle128), b;",
              "  cluster shared half a[4] layout(swizzle128), b;\n");
}

static void words_are_names_elsewhere(void **state) {
  (void)state;
  assert_stmt("int thread = 1, tile, group, token, shared; thread = tile; "
              "group(token); shared * tile; grid = threads; block.x = stride;",
              "  int thread = 1, tile, group, token, shared;\n"
              "  thread = tile;\n  group(token);\n  shared * tile;\n"
              "  grid = threads;\n  block.x = stride;\n");
  assert_stmt("(shared) + 1; f(tile, global); local: x;",
              "  shared + 1;\n  f(tile, global);\n  local:\n  x;\n");
}

static void names_hide_types(void **state) {
  (void)state;
  assert_stmt("int half = 1; half * x; { typedef int x; x * y; } x * y;",
              "  int half = 1;\n  half * x;\n  {\n    typedef int x;\n"
              "    x *y;\n  }\n  x * y;\n");
  assert_unit("typedef int T; void f(int T) { T * T; } T *g;",
              "typedef int T;\nvoid f(int T) {\n  T * T;\n}\nT *g;\n");
  assert_unit("typedef int T; void f(T T, int x[(T)+1]);",
              "typedef int T;\nvoid f(T T, int x[T + 1]);\n");
}

static void ids_are_dense(void **state) {
  (void)state;
  Parsed parsed = parse_text("kernel void k(int n) { if (n) n = n + 1; }");
  uint32_t highest = parsed.unit->decls.data[0]->id;
  assert_true(highest >= 1 && highest <= parsed.unit->n_nodes);
  assert_true(parsed.unit->n_nodes > 10 && parsed.unit->n_nodes < 30);
  parsed_free(&parsed);
}

static void spans_cover_the_text(void **state) {
  (void)state;
  Parsed parsed = parse_text("int x = (a + b) * c[1].d;");
  const Expr *expr = only_init(&parsed);
  assert_int_equal(expr->span.begin, 8);
  assert_int_equal(expr->span.end, 24);
  assert_int_equal(expr->operator_span.begin, 16);
  const Expr *sum = expr->u.binary.left;
  assert_true(sum->has_parens);
  assert_int_equal(sum->span.begin, 9);
  assert_int_equal(sum->span.end, 14);
  parsed_free(&parsed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(precedence),
      cmocka_unit_test(postfix),
      cmocka_unit_test(literals),
      cmocka_unit_test(values_of_literals),
      cmocka_unit_test(declarations),
      cmocka_unit_test(kernels),
      cmocka_unit_test(statements),
      cmocka_unit_test(thread_constructs),
      cmocka_unit_test(words_are_names_elsewhere),
      cmocka_unit_test(names_hide_types),
      cmocka_unit_test(ids_are_dense),
      cmocka_unit_test(spans_cover_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
