// SPDX-License-Identifier: Apache-2.0
// The exact detector: one launch of a small program, and what is found in it.
#include "check/run/concrete.h"
#include "compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { SEEDS = 6, MOST_SCALARS = 4 };

// `kinds`: what must be found, a letter each: r race, f fence, o bounds,
// v overflow, a assert, g range, u uniform, d deadlock, b barrier, c copy.
// Each of them in every order of threads, but for those behind a bar; nothing
// else in any.
typedef struct {
  const char *name, *kinds, *source;
  int64_t scalars[MOST_SCALARS];
  ConcreteFill fill;
} Case;

static const char letters[] = {
    [EVENT_FOUND_RACE] = 'r',    [EVENT_FOUND_FENCE] = 'f',
    [EVENT_FOUND_BOUNDS] = 'o',  [EVENT_FOUND_OVERFLOW] = 'v',
    [EVENT_FOUND_ASSERT] = 'a',  [EVENT_FOUND_RANGE] = 'g',
    [EVENT_FOUND_UNIFORM] = 'u', [EVENT_FOUND_DEADLOCK] = 'd',
    [EVENT_FOUND_BARRIER] = 'b', [EVENT_FOUND_COPY] = 'c'};

// Scalars come first in all of these kernels.
static void run_case(const Case *c) {
  Arena *arena = arena_new();
  const char *why;
  IrKernel *kernel = compile_kernel(arena, c->source, NULL, &why);
  if (!kernel)
    fail_msg("%s: %s", c->name, why);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    ConcreteLaunch launch = {.scalars = c->scalars,
                             .grid = {1, 1, 1},
                             .fill = c->fill,
                             .seed = seed};
    ConcreteResult result;
    concrete_run(arena, kernel, &launch, &result);
    if (!result.ran || !result.finished)
      fail_msg("%s: not run: %s", c->name, result.why ? result.why : "");
    bool seen[256] = {false};
    for (uint32_t i = 0; i < result.found.count; i++) {
      const ConcreteFinding *found = &result.found.data[i];
      seen[(int)letters[found->kind]] = true;
      if (!strchr(c->kinds, letters[found->kind]))
        fail_msg("%s, seed %d: unexpected %c at lines %u and %u: %s", c->name,
                 (int)seed, letters[found->kind],
                 line_of(kernel, found->a.node), line_of(kernel, found->b.node),
                 fact_text(arena, kernel->module, &found->fact));
    }
    for (const char *p = c->kinds; *p && *p != '|'; p++)
      if (!seen[(int)*p])
        fail_msg("%s, seed %d: no %c is found", c->name, (int)seed, *p);
  }
  arena_free(arena);
}

#define ONE_BLOCK " grid(1) threads(64) "

static const Case syncs[] = {
    {"no sync",
     "r",
     "kernel void k(int y[64])" ONE_BLOCK "{ shared int s[64];\n"
     "s[rank()] = 1; y[rank()] = s[63 - rank()]; }",
     {0},
     FILL_ZEROS},
    {"sync",
     "",
     "kernel void k(int y[64])" ONE_BLOCK "{ shared int s[64];\n"
     "s[rank()] = 1; sync(); y[rank()] = s[63 - rank()]; }",
     {0},
     FILL_ZEROS},
    {"sync of the wrong half",
     "r",
     "kernel void k(int y[64])" ONE_BLOCK "{ shared int s[64];\n"
     "s[rank()] = 1; thread_group (32, 32) { sync(); }\n"
     "thread_group (0, 32) y[rank()] = s[31 - rank()]; }",
     {0},
     FILL_ZEROS},
    {"sync of the right half",
     "",
     "kernel void k(int y[64])" ONE_BLOCK "{ shared int s[64];\n"
     "s[rank()] = 1; thread_group (0, 32) { sync(); y[rank()] = s[31 - "
     "rank()]; } }",
     {0},
     FILL_ZEROS},
    {"next turn of a loop around a part",
     "r",
     "kernel void k(int n, int y[64])" ONE_BLOCK "{ shared int a[64]; int x = "
     "0;\nfor (int k = 0; k < n; k++) thread_group (0, 64) {\n a[rank()] = k;\n"
     " sync();\n x += a[63 - rank()]; }\n y[rank()] = x; }",
     {2},
     FILL_ZEROS},
    {"one turn of it",
     "",
     "kernel void k(int n, int y[64])" ONE_BLOCK "{ shared int a[64]; int x = "
     "0;\nfor (int k = 0; k < n; k++) thread_group (0, 64) {\n a[rank()] = k;\n"
     " sync();\n x += a[63 - rank()]; }\n y[rank()] = x; }",
     {1},
     FILL_ZEROS},
    {"same value",
     "r",
     "kernel void k(int y[1])" ONE_BLOCK "{ y[0] = 1; }",
     {0},
     FILL_ZEROS},
    {"halves of a split barrier",
     "",
     "kernel void k(int y[64])" ONE_BLOCK "{ shared int s[64];\n"
     "s[rank()] = 1; token t = arrive(); wait(t); y[rank()] = s[63 - rank()]; "
     "}",
     {0},
     FILL_ZEROS},
    {"between the halves",
     "r",
     "kernel void k(int y[64])" ONE_BLOCK "{ shared int s[64];\n"
     "token t = arrive(); s[rank()] = 1; wait(t); y[rank()] = s[63 - rank()]; "
     "}",
     {0},
     FILL_ZEROS},
    {"blocks",
     "r",
     "kernel void k(int y[64]) grid(2) threads(32)\n{ y[rank()] = 1; }",
     {0},
     FILL_ZEROS},
    {"grid sync",
     "",
     "kernel void k(int y[64], int z[64]) grid(2) threads(32)\n"
     "{ int i = block_index().x * 32 + rank(); y[i] = 1;\n"
     "sync(this_grid()); z[i] = y[63 - i]; }",
     {0},
     FILL_ZEROS},
    {"bytes of one element",
     "",
     "kernel void k(unsigned char y[64])" ONE_BLOCK "{ y[rank()] = 1; }",
     {0},
     FILL_ZEROS},
};

static const Case atomics[] = {
    {"device scope",
     "",
     "kernel void k(int y[1]) grid(2) threads(32) { atomic_add(&y[0], 1); }",
     {0},
     FILL_ZEROS},
    {"block scope",
     "r",
     "kernel void k(int y[1]) grid(2) threads(32)\n"
     "{ atomic_add(&y[0], 1, relaxed, block); }",
     {0},
     FILL_ZEROS},
    {"plain beside atomic",
     "r",
     "kernel void k(int y[1])" ONE_BLOCK
     "{ if (rank() == 0) y[0] = 1; else atomic_add(&y[0], 1); }",
     {0},
     FILL_ZEROS},
    {"the last block reads",
     "",
     "kernel void k(int c[1], int x[3], int y[1]) grid(3) threads(32)\n"
     "{ single_thread { x[block_index().x] = 1; fence(device);\n"
     "if (atomic_add(&c[0], 1) == 2) { fence(device); y[0] = x[0] + x[1] + "
     "x[2]; } } }",
     {0},
     FILL_ZEROS},
    {"the last block reads without fences",
     "r",
     "kernel void k(int c[1], int x[3], int y[1]) grid(3) threads(32)\n"
     "{ single_thread { x[block_index().x] = 1;\n"
     "if (atomic_add(&c[0], 1, relaxed) == 2) y[0] = x[0] + x[1] + x[2]; } }",
     {0},
     FILL_ZEROS},
};

#define RING(WAIT, ARRIVE, PARITY, COUNT)                                      \
  "kernel void k(int n, const int x[n][32], int y[n][32]) grid(1) "            \
  "threads(64)\n{ shared int slot[2][32];\n"                                   \
  "shared mbarrier(32) full[2]; shared mbarrier(" COUNT ") empty[2];\n"        \
  "thread_group (0, 32) for (int k = 0; k < n; k++) {\n" WAIT                  \
  "slot[k % 2][rank()] = x[k][rank()]; arrive(full[k % 2]); }\n"               \
  "thread_group (32, 32) for (int k = 0; k < n; k++) {\n"                      \
  "wait(full[k % 2], " PARITY ");\n"                                           \
  "y[k][rank()] = slot[k % 2][31 - rank()];\n" ARRIVE "} }"
#define WAIT_EMPTY   "wait(empty[k % 2], (k / 2 & 1) ^ 1);\n"
#define ARRIVE_EMPTY "arrive(empty[k % 2]);\n"

static const Case barriers[] = {
    {"ring",
     "",
     RING(WAIT_EMPTY, ARRIVE_EMPTY, "k / 2 & 1", "32"),
     {7},
     FILL_ZEROS},
    {"ring that isn't lapped",
     "",
     RING("", "", "k / 2 & 1", "32"),
     {2},
     FILL_ZEROS},
    {"wrong parity",
     "b|rd",
     RING(WAIT_EMPTY, ARRIVE_EMPTY, "(k / 2 & 1) ^ 1", "32"),
     {1},
     FILL_ZEROS},
    {"count too high",
     "d",
     RING(WAIT_EMPTY, ARRIVE_EMPTY, "k / 2 & 1", "33"),
     {5},
     FILL_ZEROS},
    {"wrong first parity",
     "d",
     RING("wait(empty[k % 2], k / 2 & 1);\n", ARRIVE_EMPTY, "k / 2 & 1", "32"),
     {3},
     FILL_ZEROS},
    {"only one speaks for all",
     "rb",
     RING(WAIT_EMPTY, "single_thread arrive(empty[k % 2]);\n", "k / 2 & 1",
          "1"),
     {5},
     FILL_ZEROS},
    {"one speaks after a sync",
     "",
     RING(WAIT_EMPTY, "sync(); single_thread arrive(empty[k % 2]);\n",
          "k / 2 & 1", "1"),
     {5},
     FILL_ZEROS},
};

static const Case copies[] = {
    {"set",
     "",
     "kernel void k(const int x[256], int y[256])" ONE_BLOCK
     "{ shared int s[256]; copy_async(s, x); copy_commit(); copy_wait(0); "
     "sync();\nfor (int i = rank(); i < 256; i += 64) y[i] = s[i]; }",
     {0},
     FILL_IOTA},
    {"set without sync",
     "r",
     "kernel void k(const int x[256], int y[256])" ONE_BLOCK
     "{ shared int s[256]; copy_async(s, x); copy_commit(); copy_wait(0);\n"
     "for (int i = rank(); i < 256; i += 64) y[i] = s[i]; }",
     {0},
     FILL_IOTA},
    {"wait for too few",
     "r",
     "kernel void k(const int x[256], int y[256])" ONE_BLOCK
     "{ shared int s[256]; copy_async(s, x); copy_commit(); copy_wait(1); "
     "sync();\nfor (int i = rank(); i < 256; i += 64) y[i] = s[i];\n"
     "copy_wait(0); }",
     {0},
     FILL_IOTA},
    {"the newest is still pending",
     "",
     "kernel void k(const int x[256], int y[256])" ONE_BLOCK
     "{ shared int s[256], t[256]; copy_async(s, x); copy_commit();\n"
     "copy_async(t, x); copy_commit(); copy_wait(1); sync();\n"
     "for (int i = rank(); i < 256; i += 64) y[i] = s[i];\ncopy_wait(0); }",
     {0},
     FILL_IOTA},
    {"two into one buffer",
     "r",
     "kernel void k(const int x[256], int y[256])" ONE_BLOCK
     "{ shared int s[256]; copy_async(s, x); copy_commit();\n"
     "copy_async(s, x); copy_commit(); copy_wait(0); sync();\n"
     "for (int i = rank(); i < 256; i += 64) y[i] = s[i]; }",
     {0},
     FILL_IOTA},
    {"group",
     "",
     "kernel void k(const int x[64], int y[64])" ONE_BLOCK
     "{ shared int s[64]; group b = this_block();\n"
     "memcpy_async(b, &s[0], &x[0], 256); wait(b); y[rank()] = s[63 - rank()]; "
     "}",
     {0},
     FILL_IOTA},
    {"copies that arrive by themselves",
     "",
     "kernel void k(const float x[5][32], float y[32]) grid(1) threads(32)\n"
     "{ shared float s[2][32]; shared mbarrier(32) b[2]; float sum = 0;\n"
     "copy_async(s[0], x[0], b[0]);\nfor (int i = 0; i < 5; i++) {\n"
     "if (i + 1 < 5) copy_async(s[(i + 1) % 2], x[i + 1], b[(i + 1) % 2]);\n"
     "wait(b[i % 2], i / 2 & 1); sum += s[i % 2][rank()]; sync(); }\n"
     "y[rank()] = sum; }",
     {0},
     FILL_IOTA},
    {"more than were made",
     "c",
     "kernel void k(int n, const int x[64], int y[64])" ONE_BLOCK
     "{ shared int s[64]; group b = this_block();\n"
     "for (int i = 0; i < n; i++) memcpy_async(b, &s[0], &x[0], 256);\n"
     "wait_prior(b, 2); wait(b); y[rank()] = s[63 - rank()]; }",
     {1},
     FILL_IOTA},
};

#define ENGINE(FENCE, BYTES)                                                   \
  "kernel void k(const float x[64], float y[64])" ONE_BLOCK                    \
  "{ shared float s[64]; shared mbarrier(1) here;\n"                           \
  "single_thread { arrive_expect(here, " BYTES "); tma_load(s, x, here); }\n"  \
  "wait(here, 0); s[rank()] = s[rank()] * 2;\n" FENCE "sync();\n"              \
  "single_thread { tma_store(y, s); tma_commit(); tma_wait(0); } }"

static const Case engines[] = {
    {"fence", "", ENGINE("fence_async();\n", "256"), {0}, FILL_IOTA},
    {"no fence", "f", ENGINE("", "256"), {0}, FILL_IOTA},
    {"bytes that don't come",
     "d",
     ENGINE("fence_async();\n", "260"),
     {0},
     FILL_IOTA},
};

static const Case values[] = {
    {"outside",
     "o",
     "kernel void k(int n, int y[n])" ONE_BLOCK "{ y[rank()] = 1; }",
     {63},
     FILL_ZEROS},
    {"inside",
     "",
     "kernel void k(int n, int y[n])" ONE_BLOCK "{ y[rank()] = 1; }",
     {64},
     FILL_ZEROS},
    {"two places outside",
     "o",
     "kernel void k(int n, const int x[n], int y[n])" ONE_BLOCK
     "{ y[rank()] = x[rank()]; }",
     {5},
     FILL_ZEROS},
    {"overflow",
     "v",
     "kernel void k(int n, int y[64])" ONE_BLOCK "{ y[rank()] = n + rank(); }",
     {INT32_MAX},
     FILL_ZEROS},
    {"no overflow",
     "",
     "kernel void k(int n, int y[64])" ONE_BLOCK "{ y[rank()] = n + rank(); }",
     {INT32_MAX - 63},
     FILL_ZEROS},
    {"assertion",
     "a",
     "kernel void k(int n, int y[64])" ONE_BLOCK
     "{ assert(n > 3); y[rank()] = 1; }",
     {3},
     FILL_ZEROS},
    {"a false claim",
     "u",
     "kernel void k(const int x[64], int y[64])" ONE_BLOCK
     "{ int a = uniform(this_block(), x[rank()]); y[rank()] = a; }",
     {0},
     FILL_IOTA},
    {"a true claim",
     "",
     "kernel void k(const int x[64], int y[64])" ONE_BLOCK
     "{ for (int i = 0; i < 3; i++) {\n"
     "int a = uniform(this_block(), x[i]); y[rank()] = a; } }",
     {0},
     FILL_IOTA},
    {"a group beyond the block",
     "g",
     "kernel void k(int n, int y[64])" ONE_BLOCK
     "{ thread_group (n, 32) y[rank()] = 1; }",
     {33},
     FILL_ZEROS},
};

static void run_cases(const Case *cases, size_t count) {
  for (size_t i = 0; i < count; i++)
    run_case(&cases[i]);
}

#define RUN(CASES) run_cases(CASES, sizeof CASES / sizeof *CASES)

static void test_syncs(void **state) {
  (void)state;
  RUN(syncs);
}

static void test_atomics(void **state) {
  (void)state;
  RUN(atomics);
}

static void test_barriers(void **state) {
  (void)state;
  RUN(barriers);
}

static void test_copies(void **state) {
  (void)state;
  RUN(copies);
}

static void test_engines(void **state) {
  (void)state;
  RUN(engines);
}

static void test_values(void **state) {
  (void)state;
  RUN(values);
}

// ---------------------------------------------------------------- launches

static void expect_refused(const char *source, const int64_t *scalars,
                           const char *why) {
  Arena *arena = arena_new();
  const char *error;
  IrKernel *kernel = compile_kernel(arena, source, NULL, &error);
  if (!kernel)
    fail_msg("%s", error);
  ConcreteLaunch launch = {.scalars = scalars, .grid = {1, 1, 1}};
  ConcreteResult result;
  concrete_run(arena, kernel, &launch, &result);
  assert_false(result.ran);
  assert_int_equal(result.found.count, 0);
  if (!result.why || !strstr(result.why, why))
    fail_msg("'%s' doesn't say '%s'", result.why ? result.why : "", why);
  arena_free(arena);
}

// What isn't a launch is never evidence.
static void test_refused(void **state) {
  (void)state;
  int64_t three[] = {3}, minus[] = {-1}, large[] = {1 << 30};
  const char *checked = "kernel void k(int n, int y[n])" ONE_BLOCK
                        "requires(n % 64 == 0) { y[rank()] = 1; }";
  const char *plain =
      "kernel void k(int n, int y[n])" ONE_BLOCK "{ y[rank()] = 1; }";
  const char *twice =
      "kernel void k(int n, long y[n][n])" ONE_BLOCK "{ y[0][rank()] = 1; }";
  expect_refused(checked, three, "requires n % 64 == 0");
  expect_refused(plain, minus, "extent");
  expect_refused(twice, large, "too large");
  expect_refused("kernel void k(int n, int y[1]) grid(1) threads(32)\n"
                 "{ assume(n > 3); y[0] = 1; }",
                 three, "assumption");
  expect_refused("kernel void k(int n, const int x[n]) grid(1) threads(32)\n"
                 "requires(injective(x), bounded(x, 0, 2)) { }",
                 three, "contents");
}

// Contents are as required, whatever the filling.
static void test_contents(void **state) {
  (void)state;
  static const Case cases[] = {
      {"injective",
       "",
       "kernel void k(int n, const int x[n], int y[n])" ONE_BLOCK
       "requires(injective(x, 0, n)) { if (rank() < n) y[x[rank()]] = 1; }",
       {40},
       FILL_RANDOM},
      {"bounded",
       "",
       "kernel void k(int n, const short x[n], int y[64])" ONE_BLOCK
       "requires(bounded(x, -3, 5)) { if (rank() < n) assert(x[rank()] >= -3 "
       "&& x[rank()] < 5); }",
       {40},
       FILL_RANDOM},
      {"monotone",
       "",
       "kernel void k(int n, const int x[n], int y[64])" ONE_BLOCK
       "requires(monotone(x) && bounded(x, 0, 9))\n"
       "{ if (rank() + 1 < n) assert(x[rank()] <= x[rank() + 1]); }",
       {40},
       FILL_RANDOM},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Case c = cases[i];
    for (int fill = FILL_ZEROS; fill <= FILL_RANDOM; fill++) {
      c.fill = (ConcreteFill)fill;
      run_case(&c);
    }
  }
}

// Both threads, the places and the element.
static void test_report(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const char *why;
  IrKernel *kernel =
      compile_kernel(arena,
                     "kernel void k(int n, float a[n]) grid(cdiv(n, 128)) "
                     "threads(128)\n{ int b = block_index().x * 128;\n"
                     "a[b + rank()] = 1;\na[b + 127 - rank()] += 1; }",
                     NULL, &why);
  assert_non_null(kernel);
  int64_t scalars[] = {256, 0};
  ConcreteLaunch launch = {.scalars = scalars};
  ConcreteResult result;
  concrete_run(arena, kernel, &launch, &result);
  assert_true(result.ran && result.finished);
  assert_true(result.found.count >= 1);
  const ConcreteFinding *found = &result.found.data[0];
  assert_int_equal(found->kind, EVENT_FOUND_RACE);
  assert_string_equal(found->object->name, "a");
  assert_int_equal(found->n_index, 1);
  assert_int_equal(found->a.block[0], found->b.block[0]);
  int sum = found->a.thread + found->b.thread;
  assert_int_equal(sum, 127);
  uint32_t lines =
      line_of(kernel, found->a.node) + line_of(kernel, found->b.node);
  assert_int_equal(lines, 7);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_syncs),    cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_barriers), cmocka_unit_test(test_copies),
      cmocka_unit_test(test_engines),  cmocka_unit_test(test_values),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_contents),
      cmocka_unit_test(test_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
