// SPDX-License-Identifier: Apache-2.0
// What the checker proves of kernels with tiles, for all sizes, and what it
// must not.
#include "../ir/ir_text.h"
#include "check/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// Sizes are params 0 to 2: n, m, k. Of each array the contents are zeros or
// whatever: nothing is run.
static const char before[] =
    "heddle-ir 1\nmodule \"t.hd\"\n"
    "struct \"pair\" size 8 align 4 { f32 at 0 i32 at 4 }\n"
    "tile f32[64]\n"        // tile.0
    "tile i32[64]\n"        // tile.1
    "tile bool[64]\n"       // tile.2
    "tile f32[64, 32]\n"    // tile.3
    "tile f32[32, 64]\n"    // tile.4
    "tile f32[64, 64]\n"    // tile.5
    "tile f32[1, 64]\n"     // tile.6
    "tile i32[8, 8]\n"      // tile.7
    "tile f32[8, 8]\n"      // tile.8
    "tile bool[8, 8]\n"     // tile.9
    "tile i32[128]\n"       // tile.10
    "tile f32[128]\n"       // tile.11
    "tile i32[32]\n"        // tile.12
    "tile f32[1, 64, 32]\n" // tile.13
    "tile f32[64, 64, 4]\n" // tile.14
    "tile i32[64, 64]\n"    // tile.15
    "tile struct.0[64]\n"   // tile.16
    "tile f32[32]\n";       // tile.17

static const char tables[] =
    "  group #0 grid align 1024 \"grid\"\n"
    "  group #1 cluster in #0 align 1024 \"cluster\"\n"
    "  group #2 block in #1 size 1 align 1024 \"block\"\n"
    "  object @x global f32 of 4 extents [(param 0)] align 4 const bound 3\n"
    "  object @y global f32 of 4 extents [(param 0)] align 4 bound 4\n"
    "  object @a global f32 of 4 extents [(param 0), (param 2)] align 4 const "
    "bound 5\n"
    "  object @b global f32 of 4 extents [(param 2), (param 1)] align 4 const "
    "bound 6\n"
    "  object @c global f32 of 4 extents [(param 0), (param 1)] align 4 bound "
    "7\n"
    "  object @t global f32 of 4 extents [(param 1), (param 0)] align 4 bound "
    "8\n"
    "  object @rows global i32 of 4 extents [(param 0)] align 4 const bound 9\n"
    "  object @bins global i32 of 4 extents [(param 1)] align 4 bound 10\n"
    "  object @d global f32 of 4 extents [(param 2), (param 0), (param 1)] "
    "align 4 bound 11\n"
    "  param \"n\" scalar i32 signed\n  param \"m\" scalar i32 signed\n"
    "  param \"k\" scalar i32 signed\n"
    "  param \"x\" array f32 @x\n  param \"y\" array f32 @y\n"
    "  param \"a\" array f32 @a\n  param \"b\" array f32 @b\n"
    "  param \"c\" array f32 @c\n  param \"t\" array f32 @t\n"
    "  param \"rows\" array i32 signed @rows\n"
    "  param \"bins\" array i32 signed @bins\n"
    "  param \"d\" array f32 @d\n";

static const char vars[] =
    "  var $i.0 i32\n  var $acc.1 tile.5\n  var $at.2 tile.1\n"
    "  var $l.3 i32\n  var $r.4 i32\n  var $o.5 i32\n  var $j.6 i32\n";

#define GRID_N  "1 (div (add (param 0) 63) 64) _ _"
#define GRID_NM "2 (div (add (param 0) 63) 64) (div (add (param 1) 63) 64) _"
#define GRID_NMK                                                               \
  "3 (div (add (param 0) 63) 64) (div (add (param 1) 63) 64) (param 2)"

// %0, %1: the first row and column of the block's tile.
#define PLACE                                                                  \
  "%90 = block_index i32 [0] %91 = block_index i32 [1]\n"                      \
  "%92 = const i32 64 %0 = mul.nsw i32 %90, %92\n"                             \
  "%1 = mul.nsw i32 %91, %92 %95 = const i32 0 %96 = const i32 1\n"            \
  "%97 = param i32 [0] %98 = param i32 [1] %99 = param i32 [2]\n"

#define SMALL                                                                  \
  "  require host (le (param 0) 1000000) \"n <= 1000000\"\n"                   \
  "  require host (le (param 1) 1000000) \"m <= 1000000\"\n"
#define INJECTIVE                                                              \
  "  require contents (injective @rows _ _) \"injective(rows)\"\n"

typedef struct {
  const char *name, *grid, *requires, *body;
  Verdict verdict;
  const char *reason; // of the first finding, a part of it; NULL: any
} Case;

static CheckReport checked(Arena *arena, const Case *c, bool has_runs) {
  Text text = {.arena = arena};
  const char *code, *message;
  text_printf(&text,
              "%s\nkernel \"k\" {\n  block 1 1 1\n  grid %s\n%s%s%s"
              "  body {\n%s%s\n  }\n}\nlocations {\n}\n",
              before, c->grid, tables, c->requires ? c->requires : "", vars,
              PLACE, c->body);
  IrModule *module = parse_ir(arena, text_cstr(&text), &code, &message);
  if (!module)
    fail_msg("%s: %s: %s", c->name, code, message);
  CheckOptions options = {.no_search = !has_runs, .no_fixes = true};
  CheckReport report;
  check_kernel(arena, module->kernels.data[0], &options, &report);
  return report;
}

static bool is_as_said(const Case *c) {
  Arena *arena = arena_new();
  CheckReport report = checked(arena, c, false);
  const char *reason = "";
  for (uint32_t i = 0; i < report.findings.count; i++) {
    const Finding *finding = &report.findings.data[i];
    if (finding->verdict == VERDICT_UNKNOWN && !*reason)
      reason = finding->reason.text;
  }
  bool is_good =
      report.verdict == c->verdict && (!c->reason || strstr(reason, c->reason));
  if (!is_good)
    print_error("%s: verdict %d, %u of %u proved: %s\n", c->name,
                (int)report.verdict, report.n_proved, report.n_obligations,
                reason);
  arena_free(arena);
  return is_good;
}

static void check_all(const Case *cases, size_t n) {
  uint32_t n_bad = 0;
  for (size_t i = 0; i < n; i++)
    n_bad += !is_as_said(&cases[i]);
  assert_int_equal(n_bad, 0);
}

#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

// ------------------------------------------------------------- proved

#define LOOP(first, last, step, body)                                          \
  "for ^80 $i.0 step " step " signed " first ", " last " {\n"                  \
  "%70 = get i32 $i.0\n" body "}\n"
#define ZEROS(tile) "%60 = const f32 0 %61 = tile_broadcast " tile " %60\n"

#define PRODUCT                                                                \
  ZEROS("tile.5")                                                              \
  "set $acc.1 %61\n" LOOP("%95", "%99", "32",                                  \
                          "%71 = tile_load tile.3 @a[%0 : 64, %70 : 32]\n"     \
                          "%72 = tile_load tile.4 @b[%70 : 32, %1 : 64]\n"     \
                          "%73 = get tile.5 $acc.1\n"                          \
                          "%74 = tile_mma tile.5 %71, %72, %73 set $acc.1 "    \
                          "%74\n") "%75 = get tile.5 $acc.1\n"

// %73: the first element of the tile that is this block's turn.
#define PERSISTENT(body)                                                       \
  "%2 = grid_dim i32 [0] %3 = const i32 63 %4 = add.nsw i32 %97, %3\n"         \
  "%5 = sdiv i32 %4, %92 set $i.0 %90\n"                                       \
  "loop ^80 {\n%70 = get i32 $i.0 %71 = slt bool %70, %5\n"                    \
  "%72 = not bool %71 if %72 { exit ^80 }\n"                                   \
  "%73 = mul.nsw i32 %70, %92\n" body                                          \
  "%78 = get i32 $i.0 %79 = add.nsw i32 %78, %2 set $i.0 %79 }\n"

static void test_proved(void **state) {
  (void)state;
  static const Case cases[] = {
      {"vector add", GRID_N, NULL,
       "%2 = tile_load tile.0 @x[%0 : 64] %3 = tile_load tile.0 @y[%0 : 64]\n"
       "%4 = add tile.0 %2, %3 tile_store @y[%0 : 64] = %4",
       VERDICT_PROVED, NULL},
      {"transpose", GRID_NM, NULL,
       "%2 = tile_load tile.5 @c[%0 : 64, %1 : 64]\n"
       "%3 = tile_permute tile.5 [1, 0] %2\n"
       "tile_store @t[%1 : 64, %0 : 64] = %3",
       VERDICT_PROVED, NULL},
      {"product", GRID_NM, NULL,
       PRODUCT "tile_store @c[%0 : 64, %1 : 64] = %75", VERDICT_PROVED, NULL},
      {"rows", "1 (param 0) _ _", SMALL,
       "%2 = tile_load tile.0 @a[%90, %95 : 64]\n"
       "%3 = tile_reduce f32 combine fmax axes 1 %2\n"
       "%4 = tile_broadcast tile.0 %3 %5 = sub tile.0 %2, %4\n"
       "tile_store @c[%90, %95 : 64] = %5",
       VERDICT_PROVED, NULL},
      {"batched", GRID_NMK, NULL,
       "%2 = block_index i32 [2] %3 = tile_load tile.5 @d[%2, %0 : 64, %1 : 64]"
       " tile_store @d[%2, %0 : 64, %1 : 64] = %3",
       VERDICT_PROVED, NULL},
      {"split-K", GRID_NMK, NULL,
       PRODUCT "%76 = tile_rmw tile.5 @c[%0 : 64, %1 : 64] order relaxed scope "
               "device rmw add = %75",
       VERDICT_PROVED, NULL},
      {"persistent", "1 (param 1) _ _", SMALL,
       PERSISTENT("%74 = tile_load tile.0 @x[%73 : 64]\n"
                  "tile_store @y[%73 : 64] = %74\n"),
       VERDICT_PROVED, NULL},
      {"gather", GRID_N, NULL,
       "%2 = tile_load tile.1 @rows[%0 : 64]\n"
       "%3 = tile_load tile.3 @a[* %2, %95 : 32]\n"
       "tile_store @c[%0 : 64, %95 : 32] = %3",
       VERDICT_PROVED, NULL},
      {"scatter of an injective table", GRID_N, INJECTIVE,
       "%2 = tile_load tile.1 @rows[%0 : 64] %3 = const i32 -1\n"
       "%4 = tile_load tile.1 @rows[%0 : 64] pad = %3\n"
       "%5 = tile_load tile.0 @x[%0 : 64]\n"
       "tile_store @y[* %4] = %5",
       VERDICT_PROVED, NULL},
      {"scatter of a mask", GRID_N, INJECTIVE,
       "%2 = tile_load tile.1 @rows[%0 : 64] %3 = tile_iota tile.1\n"
       "%4 = tile_broadcast tile.1 %0 %5 = add tile.1 %3, %4\n"
       "%6 = tile_broadcast tile.1 %97 %7 = slt tile.2 %5, %6\n"
       "%8 = tile_load tile.0 @x[%0 : 64]\n"
       "tile_store @y[* %2] mask = %7, %8",
       VERDICT_PROVED, NULL},
      {"scatter by arithmetic", GRID_N, NULL,
       "%2 = tile_iota tile.1 %3 = tile_broadcast tile.1 %0\n"
       "%4 = add tile.1 %2, %3 %5 = tile_load tile.0 @x[%0 : 64]\n"
       "tile_store @y[* %4] = %5",
       VERDICT_PROVED, NULL},
      {"scatter of a moved index", GRID_N, NULL,
       "%2 = tile_iota tile.1 %3 = tile_reshape tile.7 %2\n"
       "%4 = tile_permute tile.7 [1, 0] %3 %5 = tile_flip tile.7 axis 1 %4\n"
       "%6 = tile_roll tile.7 axis 0 [-3] %5\n"
       "%7 = tile_broadcast tile.7 %0 %8 = add tile.7 %6, %7\n"
       "%10 = const f32 0 %9 = tile_broadcast tile.8 %10 tile_store @y[* %8] = "
       "%9",
       VERDICT_PROVED, NULL},
      {"views that are apart", GRID_N, NULL,
       "%2 = const i32 32 %3 = mul.nsw i32 %90, %2 %4 = add.nsw i32 %3, %2\n"
       "%5 = sext i64 %3 %6 = sext i64 %4 %7 = tile_load tile.0 @x[%3 : 64]\n"
       "%8 = const i32 0 tile_store @y[%8 : 64] view = %5, %6, %7",
       VERDICT_PROVED, NULL},
      {"masks that are apart", "1 2 _ _", NULL,
       "%2 = tile_iota tile.1 %3 = const i32 32 %4 = tile_broadcast tile.1 %3\n"
       "%5 = slt tile.2 %2, %4 %6 = eq bool %90, %95\n"
       "%7 = tile_broadcast tile.2 %6 %8 = eq tile.2 %5, %7\n"
       "%9 = tile_load tile.0 @x[%95 : 64]\n"
       "tile_store @y[%95 : 64] mask = %8, %9",
       VERDICT_PROVED, NULL},
      {"unchecked, a multiple", "1 (div (param 0) 64) _ _",
       "  require host (eq (rem (param 0) 64) 0) \"n % 64 == 0\"\n",
       "%2 = tile_load tile.0 @x[%0 : 64] unchecked\n"
       "tile_store @y[%0 : 64] unchecked = %2",
       VERDICT_PROVED, NULL},
      {"tiles that advance", "1 1 _ _", NULL,
       "%2 = tile_iota tile.1 set $at.2 %2\n" LOOP(
           "%95", "%97", "64",
           "%71 = get tile.1 $at.2 %72 = tile_load tile.0 @x[* %71]\n"
           "tile_store @y[* %71] = %72\n"
           "%73 = tile_broadcast tile.1 %92 %74 = add tile.1 %71, %73\n"
           "set $at.2 %74\n"),
       VERDICT_PROVED, NULL},
  };
  CHECK_ALL(cases);
}

// ------------------------------------------------------------- not proved

#define LOAD_X       "%2 = tile_load tile.0 @x[%0 : 64]\n"
#define TWO_BLOCKS   "two blocks may touch the same element"
#define TWO_ELEMENTS "two elements of the tile may be stored to one element"
#define LOADED                                                                 \
  "%2 = tile_load tile.1 @rows[%0 : 64] %3 = tile_load tile.0 "                \
  "@x[%0 : 64]\n"

static void test_suspected(void **state) {
  (void)state;
  static const Case cases[] = {
      {"offset in tiles", GRID_N, NULL, LOAD_X "tile_store @y[%90 : 64] = %2",
       VERDICT_UNKNOWN, TWO_BLOCKS},
      {"swapped indices", GRID_NM, NULL,
       "%2 = tile_load tile.5 @c[%0 : 64, %1 : 64]\n"
       "tile_store @c[%1 : 64, %0 : 64] = %2",
       VERDICT_UNKNOWN, TWO_BLOCKS},
      {"the same tile in all blocks of a row", GRID_NM, NULL,
       "%2 = tile_load tile.5 @t[%1 : 64, %0 : 64]\n"
       "tile_store @c[%0 : 64, %95 : 64] = %2",
       VERDICT_UNKNOWN, TWO_BLOCKS},
      {"sections longer than their step", GRID_N, NULL,
       "%4 = const i32 32 %3 = mul.nsw i32 %90, %4\n" LOAD_X
       "tile_store @y[%3 : 64] = %2",
       VERDICT_UNKNOWN, NULL},
      {"split-K without atomics", GRID_NMK, NULL,
       PRODUCT "%76 = tile_load tile.5 @c[%0 : 64, %1 : 64]\n"
               "%77 = add tile.5 %76, %75\n"
               "tile_store @c[%0 : 64, %1 : 64] = %77",
       VERDICT_UNKNOWN, TWO_BLOCKS},
      {"persistent, all from the start", "1 (param 1) _ _", SMALL,
       "%73 = const i32 0 %74 = tile_load tile.0 @x[%73 : 64]\n"
       "tile_store @y[%73 : 64] = %74\n",
       VERDICT_UNKNOWN, TWO_BLOCKS},
      {"neighbours", GRID_N, NULL,
       "%3 = add.nsw i32 %0, %96 %2 = tile_load tile.0 @y[%3 : 64]\n"
       "tile_store @y[%0 : 64] = %2",
       VERDICT_UNKNOWN, TWO_BLOCKS},
      {"scatter of any table", GRID_N, NULL, LOADED "tile_store @y[* %2] = %3",
       VERDICT_UNKNOWN, "injective(rows)"},
      {"scatter of outside", GRID_N, INJECTIVE,
       LOADED "tile_store @y[* %2] = %3", VERDICT_UNKNOWN, NULL},
      {"scatter of halves", "1 1 _ _", NULL,
       "%2 = tile_iota tile.1 %3 = tile_broadcast tile.1 %96\n"
       "%4 = lshr tile.1 %2, %3 %5 = tile_load tile.0 @x[%0 : 64]\n"
       "tile_store @y[* %4] = %5",
       VERDICT_UNKNOWN, TWO_ELEMENTS},
      {"scatter to one row", "1 1 _ _", NULL,
       "%2 = tile_broadcast tile.1 %95 %3 = tile_load tile.0 @x[%0 : 64]\n"
       "tile_store @y[* %2] = %3",
       VERDICT_UNKNOWN, TWO_ELEMENTS},
      {"scatter of a tile twice", "1 1 _ _", NULL,
       "%2 = tile_iota tile.1 %3 = tile_cat tile.10 axis 0 %2, %2\n"
       "%4 = const f32 0 %5 = tile_broadcast tile.11 %4\n"
       "tile_store @y[* %3] = %5",
       VERDICT_UNKNOWN, TWO_ELEMENTS},
      {"scatter of sorted numbers", "1 1 _ _", NULL,
       LOADED "%4 = tile_sort tile.1 %2 tile_store @y[* %4] = %3",
       VERDICT_UNKNOWN, NULL},
      {"a scatter of what another moves", "1 1 _ _", NULL,
       "%2 = tile_load tile.1 @bins[%0 : 64] %3 = tile_flip tile.1 %2\n"
       "%4 = tile_broadcast tile.1 %95 %5 = sub tile.1 %2, %3\n"
       "%6 = tile_iota tile.1 %7 = add tile.1 %5, %6\n"
       "%8 = tile_load tile.0 @x[%0 : 64] tile_store @bins[* %7] = %6",
       VERDICT_UNKNOWN, NULL},
      {"unchecked", GRID_N, NULL,
       "%2 = tile_load tile.0 @x[%0 : 64] unchecked\n"
       "tile_store @y[%0 : 64] = %2",
       VERDICT_UNKNOWN, NULL},
      {"what an operator gives", "1 1 _ _", NULL,
       "%2 = tile_iota tile.1 %3 = tile_map tile.1 by $l.3 $l.3 $o.5 %2 {\n"
       "%50 = get i32 $l.3 %51 = const i32 3 %52 = sdiv i32 %50, %51\n"
       "set $o.5 %52 }\n"
       "%5 = tile_load tile.0 @x[%0 : 64] tile_store @y[* %3] = %5",
       VERDICT_UNKNOWN, TWO_ELEMENTS},
      {"what an operator gives, and is not said", "1 1 _ _", NULL,
       "%2 = tile_iota tile.1 %3 = tile_map tile.1 by $l.3 $l.3 $o.5 %2 {\n"
       "%50 = get i32 $l.3 %51 = popcount i32 %50 set $o.5 %51 }\n"
       "%4 = add tile.1 %2, %3\n"
       "%5 = tile_load tile.0 @x[%0 : 64] tile_store @y[* %4] = %5",
       VERDICT_UNKNOWN, NULL},
      {"an update beside a store", GRID_N, NULL,
       "%2 = tile_iota tile.1 tile_store @bins[%95 : 64] = %2\n"
       "%3 = tile_rmw tile.1 @bins[%95 : 64] order relaxed scope device rmw "
       "add = %2",
       VERDICT_UNKNOWN, NULL},
      {"updates in a block's scope", GRID_N, NULL,
       "%2 = tile_iota tile.1 %3 = tile_rmw tile.1 @bins[%95 : 64] order "
       "relaxed scope block rmw add = %2",
       VERDICT_UNKNOWN, NULL},
  };
  CHECK_ALL(cases);
}

// ------------------------------------------------------------------ refuted

typedef struct {
  const char *name, *grid, *body;
  uint32_t code;
  const char *witness; // a part of it
} Bug;

static bool is_refuted(const Bug *bug) {
  Arena *arena = arena_new();
  const Case c = {bug->name, bug->grid, NULL, bug->body, VERDICT_BUG, NULL};
  CheckReport report = checked(arena, &c, true);
  const Finding *found = NULL;
  for (uint32_t i = 0; i < report.findings.count && !found; i++)
    if (report.findings.data[i].verdict == VERDICT_BUG)
      found = &report.findings.data[i];
  bool is_good =
      found && found->code == bug->code && strstr(found->witness, bug->witness);
  if (!is_good)
    print_error("%s: %u of %u proved, %u: %s\n", bug->name, report.n_proved,
                report.n_obligations, found ? found->code : 0,
                found ? found->witness : "no bug");
  arena_free(arena);
  return is_good;
}

static void test_refuted(void **state) {
  (void)state;
  static const Bug bugs[] = {
      {"offset in tiles", GRID_N, LOAD_X "tile_store @y[%90 : 64] = %2", 601,
       "block 0 writes y[1]; block 1 writes y[1]"},
      {"swapped indices", GRID_NM,
       "%2 = tile_load tile.5 @c[%0 : 64, %1 : 64]\n"
       "tile_store @c[%1 : 64, %0 : 64] = %2",
       601, "block ("},
      {"split-K without atomics", GRID_NMK,
       PRODUCT "%76 = tile_load tile.5 @c[%0 : 64, %1 : 64]\n"
               "%77 = add tile.5 %76, %75\n"
               "tile_store @c[%0 : 64, %1 : 64] = %77",
       601, "block (0, 0, 1) reads c[0][0]; block (0, 0, 0) writes c[0][0]"},
      {"scatter of halves", "1 1 _ _",
       "%2 = tile_iota tile.1 %3 = tile_broadcast tile.1 %96\n"
       "%4 = lshr tile.1 %2, %3 %5 = tile_load tile.0 @x[%0 : 64]\n"
       "tile_store @y[* %4] = %5",
       601, "block 0 writes y[0] twice"},
      {"scatter of any table", GRID_N, LOADED "tile_store @y[* %2] = %3", 601,
       "writes y["},
      {"unchecked", GRID_N,
       "%2 = tile_load tile.0 @x[%0 : 64] unchecked\n"
       "tile_store @y[%0 : 64] = %2",
       702, "n=1"},
  };
  uint32_t n_bad = 0;
  for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++)
    n_bad += !is_refuted(&bugs[i]);
  assert_int_equal(n_bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_proved),
      cmocka_unit_test(test_suspected),
      cmocka_unit_test(test_refuted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
