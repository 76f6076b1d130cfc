// SPDX-License-Identifier: Apache-2.0
// Kernels as IR text, run by the reference interpreter.
#include "../ir/ir_text.h"
#include "interp/interp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { N = 64 };

typedef struct {
  Arena *arena;
  int32_t out[N];
  HdStatus status;
  const char *why;
  Text printed;
} Run;

// A block of `threads` threads with `int out[64]`, `int n` = 5, a shared array
// s[64] and a private array p[4]; groups from #3 on, variables and body as
// given.
static void run_text(Run *run, int threads, const char *tables,
                     const char *body, uint64_t max_steps) {
  run->arena = arena_new();
  Arena *arena = run->arena;
  const char *text = arena_printf(
      arena,
      "heddle-ir 1\nmodule \"m.hd\"\n"
      "struct \"Pair\" size 16 align 8 { i32 at 0 f64 at 8 }\n"
      "global @table constant i32 of 4 extents [3] align 4 initial 12 {\n"
      "  x0a0000000b0000000c000000 }\n"
      "kernel \"k\" { block %d 1 1 grid 1 _ _ _\n"
      "group #0 grid align 1 \"grid\" group #1 cluster in #0 align 1 \"c\"\n"
      "group #2 block in #1 size %d align 32 \"block\"\n%s\n"
      "object @out global i32 of 4 extents [64] align 4 bound 1\n"
      "object @s shared i32 of 4 extents [64] align 4 per #2\n"
      "object @p local i32 of 4 extents [4] align 4\n"
      "object @q local struct.0 of 16 extents [] align 8\n"
      "param \"n\" scalar i32 signed param \"out\" array void @out\n"
      "var $i.0 i32 var $f.1 f32 var $j.2 i32 body {\n%s\n} }\n"
      "locations { !1 \"a.hd\" 3:5 3:9 !2 \"a.hd\" 7:1 7:9 in !1 \"f\" }",
      threads, threads, tables, body);
  const char *code, *message;
  IrModule *module = parse_ir(arena, text, &code, &message);
  if (!module)
    fail_msg("%s: %s\n%s", code, message, text);
  memset(run->out, 0, sizeof run->out);
  uint64_t args[4] = {5, (uint64_t)(uintptr_t)run->out, N, 1};
  InterpMemory arrays[2] = {{0}, {run->out, sizeof run->out}};
  run->printed = (Text){.arena = arena};
  InterpLaunch launch = {.args = args,
                         .arrays = arrays,
                         .grid = {1, 1, 1},
                         .max_steps = max_steps,
                         .printed = &run->printed};
  run->status = interp_run(arena, module->kernels.data[0], &launch, &run->why);
}

static void expect_out(Run *run, int count, const int32_t *want) {
  if (run->status != HD_OK)
    fail_msg("%s", run->why);
  for (int i = 0; i < count; i++)
    if (run->out[i] != want[i])
      fail_msg("out[%d] is %d, not %d", i, run->out[i], want[i]);
  arena_free(run->arena);
}

static void expect_failure(Run *run, HdStatus status, const char *text) {
  assert_int_equal(run->status, status);
  if (!strstr(run->why, text))
    fail_msg("'%s' doesn't say '%s'", run->why, text);
  arena_free(run->arena);
}

static void loops_and_exits(void **state) {
  (void)state;
  Run run;
  // sum of the odd i in [0, rank), without those above 4
  run_text(&run, 8, "",
           "%0 = rank i32 #2 %1 = const i32 0 %2 = const i32 1\n"
           "%3 = const i32 4 set $j.2 %1\n"
           "for ^6 $i.0 step 1 signed %1, %0 {\n"
           "  %5 = get i32 $i.0 %7 = and i32 %5, %2 %8 = eq bool %7, %1\n"
           "  if %8 { exit ^6 continue }\n"
           "  %9 = slt bool %3, %5 if %9 { exit ^6 }\n"
           "  %10 = get i32 $j.2 %11 = add i32 %10, %5 set $j.2 %11 }\n"
           "%12 = get i32 $j.2 store @out[%0] : i32 align 4 = %12",
           0);
  expect_out(&run, 8, (int32_t[]){0, 0, 1, 1, 4, 4, 4, 4});
  // counts down with a while loop and an inlined call that returns early
  run_text(&run, 4, "",
           "%0 = rank i32 #2 %1 = const i32 0 %2 = const i32 1 set $i.0 %0\n"
           "loop ^1 { %3 = get i32 $i.0 %4 = eq bool %3, %1\n"
           "  call ^2 \"f\" %3 { if %4 { exit ^1 } else { exit ^2 } }\n"
           "  %5 = sub i32 %3, %2 set $i.0 %5\n"
           "  %6 = load i32 @out[%0] align 4 %7 = add i32 %6, %3\n"
           "  store @out[%0] : i32 align 4 = %7 }",
           0);
  expect_out(&run, 5, (int32_t[]){0, 1, 3, 6, 0});
  // inclusive, downwards, unsigned
  run_text(&run, 1, "",
           "%0 = const i32 -3 %1 = const i32 -1 %2 = const i32 0\n"
           "for $i.0 step -1 inclusive %1, %0 { %3 = load i32 @out align 4\n"
           "  %4 = const i32 1 %5 = add i32 %3, %4\n"
           "  store @out : i32 align 4 = %5 }",
           0);
  expect_out(&run, 1, (int32_t[]){3});
}

static void aggregates(void **state) {
  (void)state;
  Run run;
  run_text(&run, 1, "",
           "%0 = const i32 7 %1 = const f64 0x4000000000000000\n"
           "%2 = pack struct.0 %0, %1 store @q : struct.0 align 8 = %2\n"
           "%3 = load struct.0 @q align 8 %4 = extract f64 [1] %3\n"
           "%5 = ftos i32 %4 %6 = const i32 0 %7 = const i32 1\n"
           "store @out[%6] : i32 align 4 = %5\n"
           "%8 = const i32 2 %9 = load i32 @table[%8] align 4\n"
           "store @out[%7] : i32 align 4 = %9\n"
           "%10 = const i16 258 %11 = const i16 772\n"
           "%12 = pack i16x2 %10, %11 %13 = bitcast i32 %12\n"
           "store @out[%8] : i32 align 4 = %13\n"
           "%14 = insert i16x2 [0] %12, %11 %15 = bitcast i32 %14\n"
           "%16 = const i32 3 store @out[%16] : i32 align 4 = %15\n"
           "%17 = const bool 0 %18 = load i32 @out[%8] align 4 if %17\n"
           "%19 = const i32 4 store @out[%19] : i32 align 4 = %18\n"
           "%20 = address ptr.local @p[%7] align 4 %21 = const i64 4\n"
           "store *%20 + %21 : i32 align 4 = %0\n"
           "%22 = load i32 @p[%8] align 4 %23 = const i32 5\n"
           "store @out[%23] : i32 align 4 = %22\n"
           "%24 = const i32 -1 %25 = load i32 @out[%24] align 4 bounds zero\n"
           "store @out[%24] : i32 align 4 bounds drop = %0\n"
           "%26 = param i32 [0] %27 = add i32 %25, %26 %28 = const i32 6\n"
           "store @out[%28] : i32 align 4 = %27\n"
           "%29 = extent i64 @out[0] %30 = trunc i32 %29 %31 = const i32 7\n"
           "store @out[%31] : i32 align 4 = %30",
           0);
  expect_out(&run, 8, (int32_t[]){2, 12, 0x03040102, 0x03040304, 0, 7, 5, 64});
}

// A tree reduction: log2(64) rounds with a barrier each.
static void barriers_order_memory(void **state) {
  (void)state;
  Run run;
  run_text(&run, 64, "",
           "%0 = rank i32 #2 store @s[%0] : i32 align 4 = %0 sync #2\n"
           "%1 = const i32 32 %2 = const i32 1 %3 = const i32 0\n"
           "set $i.0 %1 loop ^1 { %4 = get i32 $i.0 %5 = eq bool %4, %3\n"
           "  if %5 { exit ^1 } %6 = slt bool %0, %4\n"
           "  if %6 { %7 = add i32 %0, %4 %8 = load i32 @s[%7] align 4\n"
           "    %9 = load i32 @s[%0] align 4 %10 = add i32 %8, %9\n"
           "    store @s[%0] : i32 align 4 = %10 }\n"
           "  sync #2 %11 = lshr i32 %4, %2 set $i.0 %11 }\n"
           "%12 = load i32 @s[%3] align 4 store @out[%0] : i32 align 4 = %12",
           0);
  expect_out(&run, 2, (int32_t[]){2016, 2016});
}

// Each thread writes its rank in the group to its place in the block.
static void groups_have_ranks(void **state) {
  (void)state;
  Run run;
  run_text(&run, 16,
           "group #3 range in #2 size 8 begin 4 align 4 \"g\"\n"
           "group #4 single in #3 size 1 align 1 \"s\"\n"
           "group #5 range in #2 size 3 align 1 \"dynamic\"\n",
           "%0 = rank i32 #2 %9 = const i32 100\n"
           "group #3 in #2 { %1 = rank i32 #3 %2 = size i32 #3\n"
           "  %3 = add i32 %1, %2 store @out[%0] : i32 align 4 = %3\n"
           "  sync #3\n"
           "  %4 = const i32 2 group #4 in #3 %4 { %5 = rank i32 #4\n"
           "    %6 = add i32 %5, %9 store @out[%0] : i32 align 4 = %6 } }\n"
           "%10 = param i32 [0] %11 = const i32 8 %12 = add i32 %10, %11\n"
           "group #5 in #2 %12 { %13 = meta_size i32 #5 sync #5\n"
           "  %14 = add i32 %13, %9 store @out[%0] : i32 align 4 = %14 }",
           0);
  expect_out(
      &run, 16,
      (int32_t[]){0, 0, 0, 0, 8, 9, 100, 11, 12, 13, 14, 15, 0, 101, 101, 101});
}

static void thread_loops(void **state) {
  (void)state;
  Run run;
  run_text(&run, 12,
           "group #3 split in #2 size 3 instances 4 align 1 \"part\"\n"
           "group #4 thread in #2 size 1 align 1 \"thread\"\n",
           "%0 = const i32 10 %1 = const i32 18 %2 = const i32 12\n"
           "thread_for #3 in #2 $i.0 step 2 count 4 split %0, %1 {\n"
           "  %3 = get i32 $i.0 %4 = rank i32 #3 %5 = mul i32 %3, %0\n"
           "  %6 = add i32 %5, %4 %7 = rank i32 #2\n"
           "  store @out[%7] : i32 align 4 = %6 sync #3 }\n"
           "%8 = const i32 40\n"
           "thread_for #4 in #2 $j.2 step 3 %2, %8 {\n"
           "  %9 = get i32 $j.2 %10 = rank i32 #2\n"
           "  store @out[%9] : i32 align 4 = %10 }",
           0);
  if (run.status != HD_OK)
    fail_msg("%s", run.why);
  for (int i = 0; i < 12; i++)
    assert_int_equal(run.out[i], (10 + i / 3 * 2) * 10 + i % 3);
  for (int i = 12; i < 40; i++)
    assert_int_equal(run.out[i], i % 3 == 0 ? i / 3 - 4 : 0);
  arena_free(run.arena);
}

// Overlapping groups with a begin that changes from turn to turn: threads that
// are ahead must not be counted for the group behind.
static void groups_that_move(void **state) {
  (void)state;
  Run run;
  run_text(&run, 40, "group #3 range in #2 size 8 align 1 \"moving\"\n",
           "%0 = const i32 0 %1 = const i32 32 %2 = const i32 1\n"
           "%3 = rank i32 #2 store @s[%3] : i32 align 4 = %3 sync #2\n"
           "for $i.0 step 1 signed %0, %1 { %4 = get i32 $i.0\n"
           "  group #3 in #2 %4 { %5 = rank i32 #3 %6 = const i32 7\n"
           "    %7 = add i32 %4, %6 %8 = load i32 @s[%7] align 4\n"
           "    sync #3 %9 = add i32 %8, %2\n"
           "    store @s[%3] : i32 align 4 = %9 sync #3 } }\n"
           "sync #2 %10 = load i32 @s[%3] align 4\n"
           "store @out[%3] : i32 align 4 = %10",
           0);
  if (run.status != HD_OK)
    fail_msg("%s", run.why);
  // Turn i gives s[i..i+7] = s[i+7] + 1, where s[i+7] was i+7 and one more.
  int32_t s[40];
  for (int i = 0; i < 40; i++)
    s[i] = i;
  for (int i = 0; i < 32; i++) {
    int32_t value = s[i + 7] + 1;
    for (int k = 0; k < 8; k++)
      s[i + k] = value;
  }
  for (int i = 0; i < 40; i++)
    assert_int_equal(run.out[i], s[i]);
  arena_free(run.arena);
}

static void threads_may_wait_for_memory(void **state) {
  (void)state;
  Run run;
  static const char tables[] =
      "group #3 range in #2 size 4 begin 0 align 1 \"a\"\n"
      "group #4 range in #2 size 4 begin 4 align 1 \"b\"\n";
  run_text(&run, 8, tables,
           "%0 = const i32 0 %1 = const i32 1\n"
           "group #3 in #2 { loop ^1 !2 {\n"
           "  %2 = load i32 @s[%0] align 4 order acquire\n"
           "  %3 = ne bool %2, %0 if %3 { exit ^1 } } }\n"
           "group #4 in #2 { store @s[%0] : i32 align 4 order release = %1 }\n"
           "%4 = rmw i32 @out[%0] align 4 order relaxed rmw add = %1",
           0);
  expect_out(&run, 1, (int32_t[]){8});
  run_text(&run, 8, tables,
           "%0 = const i32 0 group #3 in #2 { loop ^1 {\n"
           "  %2 = load i32 @s[%0] align 4 order acquire !2\n"
           "  %3 = ne bool %2, %0 !2 if %3 !2 { exit ^1 !2 } } }",
           0);
  expect_failure(&run, HD_ERROR_DEADLOCK, "memory that no thread writes");
}

static void deadlocks_are_told(void **state) {
  (void)state;
  Run run;
  run_text(&run, 8, "",
           "%0 = rank i32 #2 %1 = const i32 3 %2 = slt bool %0, %1\n"
           "if %2 { sync #2 !2 }",
           0);
  expect_failure(&run, HD_ERROR_DEADLOCK,
                 "threads 0 to 2 wait at a.hd:7:1 (in f, called at a.hd:3:5) "
                 "for the barrier of block: 3 of its 8 threads have arrived");
  run_text(&run, 8, "",
           "%0 = rank i32 #2 %1 = const i32 3 %2 = slt bool %0, %1\n"
           "if %2 { sync #2 !2 } else { sync #2 !1 }",
           0);
  expect_failure(&run, HD_ERROR_DEADLOCK, "different places");
  run_text(&run, 2, "", "loop ^1 { }", 10000);
  expect_failure(&run, HD_ERROR_DEADLOCK, "no end after 10000 steps");
}

static void wrong_accesses_trap(void **state) {
  (void)state;
  Run run;
  static const char *const cases[][2] = {
      {"%0 = const i32 64 %1 = load i32 @out[%0] align 4 !1",
       "index 64 is outside dimension 0 of 'out', which has 64 elements in "
       "kernel 'k' at a.hd:3:5, block (0, 0, 0), thread 0"},
      {"%0 = const i32 -1 store @p[%0] : i32 align 4 = %0", "index -1"},
      {"%0 = const i64 254 %1 = load i32 @out + %0 align 1",
       "4 bytes at offset 254"},
      {"%0 = const i64 2 %1 = load i32 @out + %0 align 4",
       "not a multiple of 4"},
      {"%0 = const i64 -8 %1 = load i32 @out + %0 align 1", "offset -8"},
      {"%0 = const ptr.generic 0x0 %1 = load i32 *%0 align 1",
       "an access of 4 bytes through a null pointer"},
      {"%0 = const i32 5 %1 = address ptr.local @p[%0] align 4 %2 = const i64 "
       "65536\n"
       "%3 = ptr_add ptr.local %1, %2 %4 = load i32 *%3 align 4",
       "points into no object"},
      {"trap !1", "trap() in kernel 'k' at a.hd:3:5"},
      {"%0 = const bool 0 assert \"x < 3\" %0 !1",
       "assertion failed: 'x < 3' in kernel 'k' at a.hd:3:5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_text(&run, 2, "", cases[i][0], 0);
    expect_failure(&run, HD_ERROR_TRAP, cases[i][1]);
  }
  run_text(&run, 8, "group #3 range in #2 size 6 align 1 \"part\"\n",
           "%0 = param i32 [0] group #3 in #2 %0 { }", 0);
  expect_failure(&run, HD_ERROR_TRAP,
                 "part: 6 threads from rank 5 must be inside a group of 8");
}

static void printing(void **state) {
  (void)state;
  Run run;
  run_text(&run, 2, "",
           "%0 = rank i32 #2 %1 = const i32 -5 %2 = const i64 -6\n"
           "%3 = const f64 0x3ff8000000000000\n"
           "printf \"%d: %d %u %ld %5.2f%% %x %hhd|%-4d|\\n\" "
           "%0, %1, %1, %2, %3, %1, %1, %0",
           0);
  assert_int_equal(run.status, HD_OK);
  assert_string_equal(text_cstr(&run.printed),
                      "0: -5 4294967291 -6  1.50% fffffffb -5|0   |\n"
                      "1: -5 4294967291 -6  1.50% fffffffb -5|1   |\n");
  arena_free(run.arena);
}

// One instance of a shared array for each part of a thread loop.
static void shared_instances(void **state) {
  (void)state;
  Run run;
  run_text(&run, 8,
           "group #3 split in #2 size 2 instances 4 align 1 \"part\"\n"
           "object @t shared i32 of 4 extents [2] align 32 per #3\n",
           "%0 = const i32 0 %1 = const i32 4 %9 = const i32 1\n"
           "thread_for #3 in #2 $i.0 step 1 count 4 split %0, %1 {\n"
           "  %2 = rank i32 #3 %3 = rank i32 #2\n"
           "  store @t[%2] : i32 align 4 = %3 sync #3\n"
           "  %4 = xor i32 %2, %9 %5 = load i32 @t[%4] align 4\n"
           "  store @out[%3] : i32 align 4 = %5 }",
           0);
  expect_out(&run, 8, (int32_t[]){1, 0, 3, 2, 5, 4, 7, 6});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_and_exits),
      cmocka_unit_test(aggregates),
      cmocka_unit_test(barriers_order_memory),
      cmocka_unit_test(groups_have_ranks),
      cmocka_unit_test(thread_loops),
      cmocka_unit_test(groups_that_move),
      cmocka_unit_test(threads_may_wait_for_memory),
      cmocka_unit_test(deadlocks_are_told),
      cmocka_unit_test(wrong_accesses_trap),
      cmocka_unit_test(printing),
      cmocka_unit_test(shared_instances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
