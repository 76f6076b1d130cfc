// SPDX-License-Identifier: Apache-2.0
// The C++ tree of what CUDA files hold, as the printer shows it.
#include "parse_cuda.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void assert_tree(const char *text, const char *expected) {
  Parsed parsed = parse_cuda(text);
  assert_string_equal(tree_of(&parsed), expected);
  assert_string_equal(codes_of(&parsed), "");
  parsed_free(&parsed);
}

// The statements of a body, one a line; `before` are declarations.
static void assert_body(const char *before, const char *text,
                        const char *expected) {
  Parsed parsed = parse_cuda("");
  const char *whole =
      arena_printf(parsed.arena, "%s void f() { %s }", before, text);
  Parsed inner = parse_cuda(whole);
  const char *tree = strstr(tree_of(&inner), "function f() -> void {\n  ");
  assert_non_null(tree);
  tree += strlen("function f() -> void {\n  ");
  size_t n = strlen(tree) - strlen("\n}\n");
  assert_string_equal(arena_strndup(inner.arena, tree, n), expected);
  assert_string_equal(codes_of(&inner), "");
  parsed_free(&inner);
  parsed_free(&parsed);
}

// --- Declarations ----------------------------------------------------------

static void types(void **state) {
  (void)state;
  assert_tree("unsigned long long int const x;",
              "var x: const unsigned long long\n");
  assert_tree("float *const *a[2][3];",
              "var a: array[2] of array[3] of float* const*\n");
  assert_tree("int (*p)[4], (&r)[2] = q, *f(int), (*g)(float, ...);",
              "var p: array[4] of int*\n"
              "var r: array[2] of int& = q\n"
              "function f(int) -> int*;\n"
              "var g: function(float, ...) -> int*\n");
  assert_tree("const float *__restrict__ p; int &&r = 3;",
              "var p: const float* restrict\nvar r: int&& = 3\n");
  assert_tree("alignas(16) __shared__ volatile int s[3];",
              "__shared__ var s: array[3] of volatile int align(16)\n");
  assert_tree("typedef struct { int x; } T; T t{1};",
              "typedef record {} {\n  field x: int\n}\n"
              "typedef alias T: record {}\nvar t: T {1}\n");
  assert_tree("int S::*p;", "var p: unsupported(pointers to members)\n");
  assert_tree("decltype(auto) x = 1; auto y = 2;",
              "var x: decltype(auto) = 1\nvar y: auto = 2\n");
}

static void functions(void **state) {
  (void)state;
  assert_tree("__global__ void __launch_bounds__(128, 2) k(int *x, int n = 3);",
              "__global__ function k(int* x, int n = 3) -> void "
              "launch_bounds(128, 2);\n");
  assert_tree("extern \"C\" { __device__ int f(void); int x; }",
              "__device__ extern \"C\" function f() -> int;\n"
              "extern \"C\" var x: int\n");
  assert_tree("auto f(int a) -> decltype(a + 1) { return a; }",
              "function f(int a) -> decltype((a + 1)) {\n  return a;\n}\n");
  assert_tree("int popc(unsigned x) __heddle(\"popcount(x)\");",
              "function popc(unsigned int x) -> int __heddle(\"popcount(x)\");"
              "\n");
  assert_tree("__global__ void k(int n) __requires(n > 0) { }",
              "__global__ function k(int n) -> void @requires(n > 0) {\n}\n");
  assert_tree("void v(int a, ...); template <class... T> void w(T... t);",
              "function v(int a, ...) -> void;\n"
              "template<type... T> function w(T... t) -> void;\n");
}

static void classes(void **state) {
  (void)state;
  assert_tree("struct A { int x = 1; }; class B : public A { B(int n) : A{n}, "
              "y(n) {} float y; public: operator float() const { return y; } "
              "static const int k = 3; };",
              "record A {\n  field x: int = 1\n}\n"
              "record B : public A {\n"
              "  function B(int n) -> auto A{n} y(n) {\n  }\n"
              "  field y: float\n"
              "  function operator float() const -> float {\n"
              "    return y;\n  }\n"
              "  static var k: const int = 3\n}\n");
  assert_tree("union U { int i; struct { float x, y; }; };",
              "record U {\n  field i: int\n  field {}: record {}\n}\n");
  assert_tree("enum class E : unsigned { A, B = 1 << 2, };",
              "enum E class : unsigned int {\n  enumerator A\n"
              "  enumerator B = (1 << 2)\n}\n");
  assert_tree("struct S { S &operator[](int); bool operator()() const; S "
              "operator>>(int); ~S() = default; virtual void f() = 0; };",
              "record S {\n"
              "  function operator[](int) -> S&;\n"
              "  function operator()() const -> bool;\n"
              "  function operator>>(int) -> S;\n"
              "  function ~S() -> auto default;\n"
              "  virtual function f() -> void unsupported(virtual functions);"
              "\n}\n");
}

static void templates(void **state) {
  (void)state;
  assert_tree("template <typename T, int N = (4 > 2)> struct V { T v[N]; }; "
              "V<V<int, 2>, 3> x;",
              "template<type T, int N = (4 > 2)> record V {\n"
              "  field v: array[N] of T\n}\n"
              "var x: V<V<int, 2>, 3>\n");
  assert_tree("template <class T> struct S { T f(T); struct I { int q; }; }; "
              "template <class T> T S<T>::f(T a) { I i; return a; }",
              "template<type T> record S {\n  function f(T) -> T;\n"
              "  record I {\n    field q: int\n  }\n}\n"
              "template<type T> function S<T>::f(T a) -> T {\n"
              "  var i: I\n  return a;\n}\n");
  assert_tree("template <class T> void f(T); template <> void f<int>(int); "
              "template void f<float>(float);",
              "template<type T> function f(T) -> void;\n"
              "template<> function f<int>(int) -> void;\n"
              "instantiation function f<float>(float) -> void;\n");
  assert_tree("template <class T> using P = T *; P<int> p;",
              "template<type T> alias P: T*\nvar p: P<int>\n");
}

static void namespaces(void **state) {
  (void)state;
  assert_tree("namespace a::b { struct S {}; int n; } namespace c = a::b; "
              "using namespace c; S s; using a::b::n;",
              "namespace a {\n  namespace b {\n    record S {\n    }\n"
              "    var n: int\n  }\n}\n"
              "namespace_alias c = a::b\nusing_directive {} = c\n"
              "var s: S\nusing n = a::b::n\n");
}

// --- Statements and expressions --------------------------------------------

static void declaration_or_expression(void **state) {
  (void)state;
  const char *names = "struct T { int x; }; template <int N> int g(int); "
                      "int a, b, c;";
  assert_body(names, "T * p;", "var p: T*");
  assert_body(names, "a * b;", "(a * b);");
  assert_body(names, "T(3);", "new:T(3);");
  assert_body(names, "T x(a);", "var x: T (a)");
  assert_body(names, "a < b, b > (c);", "((a < b), (b > c));");
  assert_body(names, "g<3>(a);", "g<3>(a);");
  assert_body(names, "unknown<int> *p = 0; other q;",
              "var p: unknown<int>* = 0\n  var q: other");
  assert_body(names, "T{1}.x; int(a) ;", "new:T{1}.x;\n  new:int(a);");
  assert_body(names, "int T = 1; T * a;", "var T: int = 1\n  (T * a);");
}

static void expressions(void **state) {
  (void)state;
  assert_body("", "x = a + b * c << 1 >> 2 & ~d;",
              "(x = ((((a + (b * c)) << 1) >> 2) & (~d)));");
  assert_body("", "x >>= 1, y = a > b ? c : d;",
              "((x >>= 1), (y = ((a > b) ? c : d)));");
  assert_body("struct S;", "y = (float)x + (S *)p->q + (unknown)z;",
              "(y = ((cast<float>(x) + cast<S*>(p->q)) + cast<unknown>(z)));");
  assert_body("", "static_cast<const int &>(x).y; a.template g<2>(1);",
              "static_cast<const int&>(x).y;\n  a.g<2>(1);");
  assert_body("struct S { template <int N> int g(); } s;",
              "s.g<2>() > s.x < 3;", "((s.g<2>() > s.x) < 3);");
}

static void lambdas(void **state) {
  (void)state;
  assert_body("",
              "auto f = [=, &n, k = 2] __device__ (int a) mutable -> float { "
              "return a; };",
              "var f: auto = [=, &n, k = 2](int a) -> float mutable {\n"
              "    return a;\n  }");
}

static void statements(void **state) {
  (void)state;
  assert_body("", "if (int i = f(); i > 1) a(); else if constexpr (b) c();",
              "if (var i: int = f() (i > 1))\n    a();\n  else\n"
              "    if constexpr (b)\n      c();");
  assert_body("", "for (auto &e : s) e = 0;",
              "for (var e: auto& : s)\n    (e = 0);");
  assert_body("", "auto &[a, b] = s; auto [c] = t;",
              "binding& [a, b] = s\n  binding [c] = t");
  assert_body("", "\n#pragma unroll 4\nfor (;;) break;",
              "unroll(4) for (empty; ; )\n    break;");
  assert_body("int N;", "__heddle_unroll(N * 2) while (x) { }",
              "unroll((N * 2)) while (x) {\n  }");
  assert_body("", "asm volatile(\"bar.sync %0;\" :: \"r\"(n) : \"memory\");",
              "asm volatile \"bar.sync %0;\" : : \"r\"(n) : \"memory\"");
  assert_body("", "switch (x) { case 1: default: y(); }",
              "switch (x) {\n    case 1:\n    default;\n    y();\n  }");
  assert_body("", "try { throw 1; } catch (...) { } k<<<1, 2>>>(x);",
              "unsupported(exceptions);\n  k<<<1, 2>>>(x);");
}

static void literals(void **state) {
  (void)state;
  assert_body("", "x = 1'000u + 0x1fll + 1.5f + 'a' + R\"d(a\"b)d\"[0];",
              "(x = ((((1000u + 31ll) + 1.5f) + char(97)) + \"a\\\"b\"[0]));");
  assert_body("", "x = 3_km;",
              "(x = unsupported(literals with a user-defined suffix));");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types),
      cmocka_unit_test(functions),
      cmocka_unit_test(classes),
      cmocka_unit_test(templates),
      cmocka_unit_test(namespaces),
      cmocka_unit_test(declaration_or_expression),
      cmocka_unit_test(expressions),
      cmocka_unit_test(lambdas),
      cmocka_unit_test(statements),
      cmocka_unit_test(literals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
