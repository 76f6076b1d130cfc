// SPDX-License-Identifier: Apache-2.0
// Proofs against runs: random programs that are proved mustn't race in any
// launch. Runs are exact about races whatever the schedule was, so that each
// program is decided at every size that it allows.
#include "check/check.h"
#include "check/run/concrete.h"
#include "compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { MAX_DEPTH = 3, MAX_NAMES = 12, MAX_N = 3 };

static uint64_t random_state;

static uint32_t pick(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

#define PICK(texts) ((texts)[pick(sizeof(texts) / sizeof *(texts))])

// ------------------------------------------------------------- the program

typedef struct {
  Text text;
  uint32_t n_names; // of variables so far
  uint32_t loops[MAX_NAMES], n_loops;
  uint32_t values[MAX_NAMES], n_values;
  bool in_block;  // the current group is the block
  bool may_sync;  // all of the current group are here
  bool may_leave; // a loop is around, and all of its group are here
} Program;

static void add_list(Program *p, uint32_t depth);

static void add_index(Program *p) {
  static const char *const ranks[] = {"t",
                                      "t",
                                      "t",
                                      "t",
                                      "t",
                                      "t",
                                      "t",
                                      "t",
                                      "15 - t",
                                      "(t + 1) % 16",
                                      "(t + 8) % 16",
                                      "(t ^ 1)",
                                      "t ^ 4",
                                      "t / 2",
                                      "t / 4 * 4",
                                      "3",
                                      "t % 4",
                                      "t * 2",
                                      "t + 16",
                                      "(t + 3) % 16"};
  const char *rank = PICK(ranks);
  uint32_t loop = p->n_loops ? p->loops[pick(p->n_loops)] : 0;
  uint32_t form = pick(10);
  if (p->n_values && form < 2)
    text_printf(&p->text, form ? "(t + v%u) %% 16" : "v%u %% 2 * 16 + t",
                p->values[pick(p->n_values)]);
  else if (p->n_loops && form < 4)
    text_printf(&p->text, "i%u %% 2 * 16 + (%s)", loop, rank);
  else if (p->n_loops && form < 5)
    text_printf(&p->text, "(i%u + 1) %% 2 * 16 + (%s)", loop, rank);
  else if (p->n_loops && form < 6)
    text_printf(&p->text, "(%s) + i%u %% 3", rank, loop);
  else
    text_add(&p->text, rank);
}

static void add_access(Program *p) {
  const char *array = pick(3) ? "s" : "q";
  uint32_t form = pick(20);
  text_printf(&p->text,
              form < 9    ? "%s["
              : form < 18 ? "x += %s["
                          : "atomic_add(&%s[",
              array);
  add_index(p);
  text_add(&p->text, form < 9 ? "] = t;\n" : form < 18 ? "];\n" : "], 1u);\n");
}

static void add_sync(Program *p) {
  uint32_t form = p->in_block ? pick(8) : 0;
  if (form < 5) {
    text_add(&p->text, "sync();\n");
  } else if (form < 7) {
    text_add(&p->text, form == 5 ? "sync(g4);\n" : "sync(g8);\n");
  } else {
    uint32_t token = p->n_names++;
    text_printf(&p->text, "token k%u = arrive(this_block());\n", token);
    if (pick(2))
      add_access(p);
    text_printf(&p->text, "wait(this_block(), k%u);\n", token);
  }
}

static void add_copy(Program *p) {
  static const char *const texts[] = {
      "memcpy_async(this_block(), s, src, 64);\n",
      "memcpy_async(this_block(), &s[16], src, 64);\n",
      "wait(this_block());\n",
      "wait_prior(this_block(), 1);\n",
      "copy_async(s[0:16], src[0:16]);\ncopy_commit();\n",
      "copy_async(q[16:16], src[0:16]);\ncopy_commit();\n",
      "copy_wait(0);\n",
      "copy_wait(1);\n"};
  text_add(&p->text, PICK(texts));
}

static void add_value(Program *p) {
  static const char *const texts[] = {"q[1]",
                                      "src[5]",
                                      "src[t]",
                                      "src[t / 4]",
                                      "s[2]",
                                      "(unsigned)n",
                                      "q[t]",
                                      "atomic_add(&q[63], 1u)",
                                      "atomic_add(&q[62], 1u)"};
  static const char *const together[] = {"(unsigned)any(x > 3)",
                                         "reduce((unsigned)(t < 3), plus)",
                                         "broadcast(x, 0)"};
  if (p->n_values == MAX_NAMES)
    return;
  uint32_t value = p->n_names++;
  text_printf(&p->text, "unsigned v%u = %s;\n", value,
              p->may_sync && pick(3) == 0 ? PICK(together) : PICK(texts));
  p->values[p->n_values++] = value;
}

// A condition that all threads of the block agree on, or any.
static void add_condition(Program *p, bool is_uniform) {
  static const char *const uniform[] = {"n > 1", "n > 0", "n % 2 == 0"};
  static const char *const any[] = {"t < 8",      "t % 2 == 0", "t == 0",
                                    "t / 4 == 1", "t + n > 5",  "t < 4"};
  uint32_t form = pick(3);
  if (p->n_loops && form == 0)
    text_printf(&p->text, is_uniform ? "i%u %% 2 == 0" : "t > i%u",
                p->loops[pick(p->n_loops)]);
  else if (p->n_values && !is_uniform && form == 1)
    text_printf(&p->text, "v%u %% 2 == 0", p->values[pick(p->n_values)]);
  else
    text_add(&p->text, is_uniform ? PICK(uniform) : PICK(any));
}

static void add_if(Program *p, uint32_t depth) {
  Program before = *p;
  bool is_uniform = p->may_sync && pick(5) < 3;
  text_add(&p->text, "if (");
  add_condition(p, is_uniform);
  text_add(&p->text, ") {\n");
  p->may_sync &= is_uniform;
  p->may_leave &= is_uniform;
  add_list(p, depth + 1);
  if (p->may_leave && pick(2))
    text_add(&p->text, pick(2) ? "break;\n" : "continue;\n");
  if (pick(5) < 2) {
    text_add(&p->text, "} else {\n");
    add_list(p, depth + 1);
  }
  text_add(&p->text, "}\n");
  p->may_sync = before.may_sync;
  p->may_leave = before.may_leave;
}

static void add_loop(Program *p, uint32_t depth) {
  static const char *const ends[] = {"n", "n", "2", "3", "n + 1"};
  bool may_leave = p->may_leave;
  if (p->n_loops == MAX_NAMES)
    return;
  uint32_t loop = p->n_names++;
  text_printf(&p->text, "for (int i%u = 0; i%u < %s; i%u++) {\n", loop, loop,
              PICK(ends), loop);
  p->loops[p->n_loops++] = loop;
  p->may_leave = p->may_sync;
  add_list(p, depth + 1);
  p->may_leave = may_leave;
  p->n_loops--;
  text_add(&p->text, "}\n");
}

static void add_part(Program *p, uint32_t depth) {
  static const char *const parts[] = {"thread_group (0, 8)",
                                      "thread_group (8, 8)",
                                      "thread_group (4, 8)",
                                      "thread_group (0, 12)",
                                      "thread_group (6, 4)",
                                      "thread_group (0, 16)",
                                      "thread for (int j = 0; j < 4; j++)",
                                      "single_thread"};
  bool may_leave = p->may_leave;
  text_printf(&p->text, "%s {\n", PICK(parts));
  p->in_block = p->may_leave = false;
  add_list(p, depth + 1);
  p->in_block = true;
  p->may_leave = may_leave;
  text_add(&p->text, "}\n");
}

static void add_statement(Program *p, uint32_t depth) {
  uint32_t form = pick(100);
  if (form < 12)
    add_value(p);
  else if (form < 45 || depth >= MAX_DEPTH)
    add_access(p);
  else if (form < 68)
    p->may_sync ? add_sync(p) : add_access(p);
  else if (form < 80)
    add_if(p, depth);
  else if (form < 90)
    add_loop(p, depth);
  else if (p->in_block && p->may_sync && form < 96)
    add_part(p, depth);
  else if (p->in_block && p->may_sync)
    add_copy(p);
  else
    add_access(p);
}

static void add_list(Program *p, uint32_t depth) {
  uint32_t n_values = p->n_values;
  for (uint32_t n = 1 + pick(4); n > 0; n--)
    add_statement(p, depth);
  p->n_values = n_values;
}

static const char *random_program(Arena *arena) {
  Program p = {.text = {.arena = arena}, .in_block = true, .may_sync = true};
  text_add(&p.text,
           "kernel void k(int n, const unsigned src[16], unsigned out[16])\n"
           "    grid(1) threads(16) requires(n >= 0 && n <= 3)\n{\n"
           "shared unsigned s[64], q[64];\nint t = rank();\nunsigned x = 0;\n"
           "group g4 = tiled_partition(this_block(), 4);\n"
           "group g8 = tiled_partition(this_block(), 8);\n");
  add_list(&p, 0);
  text_add(&p.text, "copy_wait(0);\nwait(this_block());\nout[t] = x;\n}\n");
  return text_cstr(&p.text);
}

// ------------------------------------------------------------- the test

static void expect_no_race(Arena *arena, const IrKernel *kernel, int64_t n,
                           uint64_t seed, const char *source) {
  const int64_t scalars[] = {n, 0, 0};
  ConcreteLaunch launch = {
      .scalars = scalars, .grid = {1, 1, 1}, .fill = FILL_RANDOM, .seed = seed};
  ConcreteResult result;
  concrete_run(arena, kernel, &launch, &result);
  for (uint32_t i = 0; i < result.found.count; i++) {
    const ConcreteFinding *found = &result.found.data[i];
    if (found->kind != EVENT_FOUND_RACE && found->kind != EVENT_FOUND_BOUNDS &&
        found->kind != EVENT_FOUND_COPY)
      continue;
    fail_msg("proved, but with n = %lld: %s\n%s", (long long)n,
             fact_text(arena, kernel->module, &found->fact), source);
  }
}

static Verdict check_one(uint64_t seed) {
  Arena *arena = arena_new();
  random_state = seed * 7919 + 13;
  const char *source = random_program(arena), *why;
  const IrKernel *kernel = compile_kernel(arena, source, NULL, &why);
  Verdict verdict = VERDICT_UNKNOWN;
  if (kernel) { // else refused: threads may not meet like that
    CheckOptions options = {.no_search = true, .no_fixes = true};
    CheckReport report;
    check_kernel(arena, kernel, &options, &report);
    verdict = report.verdict;
  }
  for (int64_t n = 0; n <= MAX_N && verdict == VERDICT_PROVED; n++)
    expect_no_race(arena, kernel, n, seed, source);
  arena_free(arena);
  return verdict;
}

static void test_proofs(void **state) {
  (void)state;
  const char *text = getenv("HD_TEST_SEEDS");
  uint64_t n = text ? strtoull(text, NULL, 10) : 150, n_proved = 0;
  for (uint64_t seed = 0; seed < n; seed++)
    n_proved += check_one(seed) == VERDICT_PROVED;
  printf("%llu of %llu programs proved\n", (unsigned long long)n_proved,
         (unsigned long long)n);
  // Without isl and Z3 less is proved; nothing at all would test nothing.
  assert_true(n_proved * 10 > n);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_proofs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
