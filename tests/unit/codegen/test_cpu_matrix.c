// SPDX-License-Identifier: Apache-2.0
// Nests of products for matrix registers, on any machine: which loops are, and
// what is one no longer with one piece changed.
#include "../ir/ir_text.h"
#include "base/text.h"
#include "codegen/cpu/matrix/cpu_matrix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const char nest_text[] =
    "heddle-ir 1\nmodule \"t.hd\"\n"
    "kernel \"k\" { level thread block 32 1 1 grid 1 _ _ _\n"
    "group #0 grid align 1024 \"g\"\n"
    "group #1 cluster in #0 align 1024 \"c\"\n"
    "group #2 block in #1 size 32 align 1024 \"b\"\n"
    "object @s shared i32 of 4 extents [4096] align 128 per #2 "
    "layout row_major\n"
    "object @a shared i8 of 1 extents [8192] align 128 per #2 "
    "layout row_major\n"
    "object @b shared i32 of 4 extents [4096] align 128 per #2 "
    "layout row_major\n"
    "var $row.0 i32 var $k.1 i32 var $sum.2 i32 var $base.3 i32\n"
    "body {\n"
    "%0 = const i32 0 %1 = const i32 20 %2 = const i32 7 %3 = rank i32 #2\n"
    "%4 = block_index i32 [0] set $base.3 %4\n"
    "%5 = const i32 64 %6 = const i32 4 %7 = const i32 32\n"
    "for $row.0 step 1 signed unroll 1 %0, %1 {\n"
    "  %10 = get i32 $row.0 %11 = get i32 $base.3\n"
    "  %12 = mul.nsw i32 %10, %5 %13 = add.nsw i32 %12, %3\n"
    "  %14 = add.nsw i32 %13, %11\n"
    "  %15 = load i32 @s[%14] align 4 set $sum.2 %15\n"
    "  for $k.1 step 1 signed unroll 1 %0, %2 {\n"
    "    %20 = get i32 $k.1 %21 = mul.nsw i32 %20, %6\n"
    "    %22 = add.nsw i32 %12, %21 %23 = load i32 @a[%22] align 4\n"
    "    %24 = mul.nsw i32 %20, %7 %25 = add.nsw i32 %24, %3\n"
    "    %26 = load i32 @b[%25] align 4 %27 = get i32 $sum.2\n"
    "    %28 = dot4 i32 %27, %23, %26 set $sum.2 %28\n"
    "  }\n"
    "  %30 = get i32 $sum.2 store @s[%14] : i32 align 4 = %30\n"
    "}\n"
    "} } locations {}";

static bool find_first_loop(IrNode *node, void *context) {
  IrNode **found = context;
  if (node->op == IR_FOR && *found == NULL)
    *found = node;
  return *found == NULL;
}

// Whether the loop is a nest after `from` has become `to`.
static bool nest_is_found(const char *from, const char *to, CpuMatrix *out) {
  Arena *arena = arena_new();
  const char *at = strstr(nest_text, from), *code, *message;
  assert_non_null(at);
  Text text = {.arena = arena};
  text_add_n(&text, nest_text, (size_t)(at - nest_text));
  text_add(&text, to);
  text_add(&text, at + strlen(from));
  IrModule *module = parse_ir(arena, text_cstr(&text), &code, &message);
  if (!module)
    fail_msg("%s: %s", code, message);
  IrKernel *kernel = module->kernels.data[0];
  IrNode *loop = NULL;
  ir_walk(&kernel->body, find_first_loop, &loop);
  const char *why;
  CpuPlan *plan = cpu_plan_new(arena, module, kernel, false, false, &why);
  assert_non_null(plan);
  bool is_found = cpu_matrix_find(plan, loop, out);
  arena_free(arena);
  return is_found;
}

static void nests_have_places_in_bytes(void **state) {
  (void)state;
  CpuMatrix nest;
  assert_true(nest_is_found("dot4", "dot4", &nest));
  assert_int_equal(nest.link, IR_DOT4);
  assert_int_equal(nest.n_rows, 20);
  assert_int_equal(nest.n_words.constant, 7);
  assert_false(nest.is_swapped);
  assert_false(nest.is_from_zero);
  assert_int_equal(nest.sums.at.row, 256);
  assert_int_equal(nest.sums.at.lane, 4);
  assert_int_equal(nest.sums.at.n_terms, 2); // the rank, and $base
  assert_int_equal(nest.a.at.row, 64);
  assert_int_equal(nest.a.at.k, 4);
  assert_int_equal(nest.b.at.k, 128);
  assert_int_equal(nest.b.at.row, 0);
}

static void other_links_and_starts_are_nests(void **state) {
  (void)state;
  CpuMatrix nest;
  assert_true(
      nest_is_found("dot4 i32 %27, %23, %26", "dot4 i32 %27, %26, %23", &nest));
  assert_true(nest.is_swapped);
  assert_true(nest_is_found("dot4 i32", "dot4_s i32", &nest));
  assert_int_equal(nest.link, IR_DOT4_S);
  assert_true(nest_is_found("dot4 i32", "dot4_u i32", &nest));
  assert_true(nest_is_found("%15 = load i32 @s[%14] align 4 set $sum.2 %15",
                            "set $sum.2 %0", &nest));
  assert_true(nest.is_from_zero);
}

static void one_change_makes_it_a_loop(void **state) {
  (void)state;
  static const char *const changes[][2] = {
      {"dot4 i32", "dot2 i32"},
      // Sums begin elsewhere, or with a number, or are stored before.
      {"load i32 @s[%14]", "load i32 @s[%12]"},
      {"load i32 @s[%14]", "load i32 @b[%14]"},
      {"%15 = load i32 @s[%14] align 4 set $sum.2 %15", "set $sum.2 %1"},
      {"  for $k.1", "  %31 = get i32 $sum.2 "
                     "store @s[%14] : i32 align 4 = %31\n  for $k.1"},
      {"%30 = get i32 $sum.2 ", "%30 = get i32 $base.3 "},
      // Indices: not linear, may wrap, of other places.
      {"%12 = mul.nsw i32 %10, %5", "%12 = mul.nsw i32 %10, %10"},
      {"%12 = mul.nsw i32 %10, %5", "%12 = mul i32 %10, %5"},
      {"%21 = mul.nsw i32 %20, %6", "%21 = mul.nsw i32 %20, %5"},
      {"%24 = mul.nsw i32 %20, %7 %25 = add.nsw i32 %24, %3",
       "%24 = mul.nsw i32 %20, %7 %25 = add.nsw i32 %24, %13"},
      {"%24 = mul.nsw i32 %20, %7 %25 = add.nsw i32 %24, %3",
       "%24 = mul.nsw i32 %20, %7 %25 = add.nsw i32 %24, %12"},
      {"load i32 @b[%25]", "load i32 @s[%25]"},
      {"load i32 @a[%22]", "load i32 @b[%22]"},
      // Loops, and what else is there.
      {"signed unroll 1 %0, %2", "signed unroll 1 %6, %2"},
      {"signed unroll 1 %0, %2", "signed unroll 1 %0, %3"},
      {"for $k.1 step 1", "for $k.1 step 2"},
      {"signed unroll 1 %0, %1", "signed unroll 1 %0, %4"},
      {"set $sum.2 %28", "set $sum.2 %28 set $base.3 %20"},
      {"%30 = get", "store @b[%14] : i32 align 4 = %0 %30 = get"},
      {"} } locations",
       "%40 = get i32 $sum.2 store @s[%0] : i32 align 4 = %40 } } locations"},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    CpuMatrix nest;
    if (nest_is_found(changes[i][0], changes[i][1], &nest))
      fail_msg("a nest with '%s'", changes[i][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nests_have_places_in_bytes),
      cmocka_unit_test(other_links_and_starts_are_nests),
      cmocka_unit_test(one_change_makes_it_a_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
