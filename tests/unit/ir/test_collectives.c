// SPDX-License-Identifier: Apache-2.0
// Operations of groups, barriers and copies: their text, the verifier's rules,
// and the rules of the language about who gets to them.
#include "ir/analyses/analysis.h"
#include "ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// A kernel of 64 threads. %0 to %9 are values that differ or don't.
static const char *kernel_text(Arena *arena, const char *rows,
                               const char *body) {
  return arena_printf(
      arena,
      "heddle-ir 1\nmodule \"t\"\n"
      "struct \"Big\" size 40 align 8 { f64 at 0 f64 at 8 f64 at 16 f64 at 24 "
      "f64 at 32 }\n"
      "kernel \"k\" {\n  block 64 1 1\n  grid 0 _ _ _\n"
      "  group #0 grid align 1024 \"grid\"\n"
      "  group #1 cluster in #0 align 1024 \"cluster\"\n"
      "  group #2 block in #1 size 64 align 1024 \"block\"\n"
      "  group #3 warp in #2 size 32 instances 2 align 32 \"warp\"\n"
      "  group #4 thread in #2 size 1 align 1 \"thread\"\n"
      "%s"
      "  object @a global i32 of 4 extents [_] align 4 bound 0\n"
      "  object @s shared i32 of 4 extents [64] align 4 per #2\n"
      "  object @big shared struct.0 of 40 extents [4] align 8 per #2\n"
      "  object @full mbarrier shared i32 of 8 extents [2] align 8 per #2 "
      "arrivals 3\n"
      "  object @n constant i32 of 4 extents [4] align 4 initial 16 zeros\n"
      "  param \"a\" array i32 signed @a\n"
      "  var $x i32\n  var $b bool\n  var $l i32\n  var $r i32\n"
      "  var $o i32\n  var $t token\n  var $i i32\n"
      "  body {\n"
      "    %%0 = const i32 0\n    %%1 = const i32 1\n"
      "    %%2 = rank i32 #2\n    %%3 = block_index i32 [0]\n"
      "    %%4 = and i32 %%2, %%1\n    %%5 = ne bool %%4, %%0\n"
      "    %%6 = ne bool %%3, %%0\n    %%7 = const i64 4\n"
      "    %%8 = const i32 8\n    %%9 = const bool 1\n"
      "%s  }\n}\n",
      rows, body);
}

// ------------------------------------------------------------------ text

static const char all_body[] =
    "    %38 = make_group i32 ^1 #5\n"
    "    %10 = make_group i32 ^2 #6 %4\n"
    "    %11 = make_group i32 ^3 #7\n"
    "    %12 = make_group i32 ^4 #8 %1\n"
    "    %13 = arrive token #5\n    wait #5 %13\n"
    "    %14 = shfl i32 #6 %2, %1\n    %15 = shfl_up i32 #7 %2, %1\n"
    "    %16 = shfl_down i32 #8 %2, %1\n    %17 = shfl_xor i32 #2 %2, %1\n"
    "    %18 = broadcast i32 #2 %2, %0\n    %19 = any bool #2 %5\n"
    "    %20 = all bool #2 %5\n    %21 = count i32 #2 %5\n"
    "    %22 = ballot i32 #3 %5\n    %23 = match_any i32 #3 %2\n"
    "    %24 = match_all i32 #3 %2\n"
    "    %25 = reduce i32 #2 rmw xor %2\n"
    "    %26 = scan i32 #2 rmw add exclusive %2, %1\n"
    "    %27 = reduce_by i32 #2 by $l $r $o %2 {\n"
    "      %28 = get i32 $l\n      %29 = get i32 $r\n"
    "      %30 = add i32 %28, %29\n      set $o %30\n    }\n"
    "    with #5 in #2 {\n      sync #5\n    }\n"
    "    %31 = mbar_arrive token @full %0, %1\n"
    "    mbar_arrive_remote @full %0, %1\n    mbar_expect @full %0, %8\n"
    "    %32 = mbar_arrive_expect token @full %0, %8\n"
    "    mbar_arrive_expect_multicast @full %0, %8, %1\n"
    "    mbar_wait @full %0, %1\n    mbar_wait_token @full %0, %32\n"
    "    %33 = mbar_test bool @full %1, %1\n"
    "    fence_async\n"
    "    copy_async #2 @s[16] from @a[16] %0, %0\n"
    "    copy_async #2 @s[16] from @a[16] on @full %0, %0, %1\n"
    "    copy_commit\n    copy_wait [1]\n"
    "    group ^5 #9 in #2 {\n"
    "      tma_load #9 @s[8] from @a[8] on @full mask %0, %0, %1, %8\n"
    "      tma_store #9 @a[8] from @s[8] %0, %0\n"
    "      tma_commit\n      tma_wait [0]\n"
    "      semaphore_lock @a[%0] : i32 align 4 order acquire scope device = "
    "%1\n"
    "      semaphore_release @a[%0] : i32 align 4 order release scope device "
    "= %1\n"
    "    }\n"
    "    %34 = address ptr.shared @p[%0, %0] : i32 align 4\n"
    "    %35 = address ptr.global @a[%0] : i32 align 4\n"
    "    memcpy_async #2 %34, %35, %7\n    memcpy_wait #2 %7\n"
    "    %36 = map_shared ptr.shared #1 %34, %1\n"
    "    %37 = shared_rank i32 #1 %36\n";

static void test_text_reads_back(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const char *code, *message;
  const char *text = kernel_text(
      arena,
      "  group #5 tiled in #2 size 16 instances 4 align 16 \"t\" maker ^1\n"
      "  group #6 labeled in #3 align 1 \"l\" maker ^2\n"
      "  group #7 coalesced in #3 align 1 \"c\" maker ^3\n"
      "  group #8 tiled in #7 align 1 \"d\" maker ^4\n"
      "  group #9 single in #2 size 1 begin 0 align 32 \"one\" maker ^5\n"
      "  object @p shared i32 of 4 extents [8, 8] align 16 address_taken per "
      "#2\n",
      all_body);
  IrModule *module = parse_ir(arena, text, &code, &message);
  if (!module)
    fail_msg("%s: %s", code, message);
  const char *once = print_ir(arena, module);
  IrModule *again = parse_ir(arena, once, &code, &message);
  if (!again)
    fail_msg("%s: %s\n%s", code, message, once);
  assert_string_equal(once, print_ir(arena, again));
  assert_non_null(strstr(once, "tma_load #9 @s[8] from @a[8] on @full mask"));
  assert_non_null(strstr(once, "rmw add exclusive %2, %1"));
  arena_free(arena);
}

// -------------------------------------------------------------- verifier

typedef struct {
  const char *rows, *body, *fault;
} Fault;

#define TILE                                                                   \
  "  group #5 tiled in #2 size 16 instances 4 align 16 \"t\" maker ^1\n"
#define MAKE "    %10 = make_group i32 ^1 #5\n"

static const Fault faults[] = {
    {TILE, "    sync #5\n" MAKE, "doesn't exist here"},
    {TILE, "    if %5 {\n" MAKE "    }\n    sync #5\n", "doesn't exist here"},
    {TILE "  group #6 tiled in #5 size 4 align 4 \"u\" maker ^2\n",
     "    if %5 {\n" MAKE "    }\n    %11 = make_group i32 ^2 #6\n",
     "doesn't exist here"},
    {"  group #5 tiled in #2 size 16 align 16 \"t\"\n", "", "has no maker"},
    {TILE, MAKE "    %11 = make_group i32 #5\n", "is not the maker"},
    {"  group #5 tiled in #2 size 24 align 8 \"t\" maker ^1\n", MAKE,
     "can't be known to have 24"},
    {TILE, "    %10 = make_group i32 ^1 #5 %1\n", "needs an operand"},
    {"  group #5 tiled in #2 align 1 \"t\" maker ^1\n", MAKE,
     "needs an operand"},
    {"  group #5 labeled in #3 align 1 \"t\" maker ^1\n", MAKE, "no label"},
    {"  group #5 labeled in #3 align 1 \"t\" maker ^1\n",
     "    %11 = stof f32 %2\n    %10 = make_group i32 ^1 #5 %11\n",
     "can't be labeled"},
    {"", "    %10 = arrive i32 #2\n", "gives a token"},
    {"", "    wait #2 %1\n", "operand 0 can't be i32"},
    {"", "    %10 = mbar_arrive i32 @full %0, %1\n", "gives a token"},
    {"", "    mbar_wait @full %0\n", "has 1 operands, not 2"},
    {"", "    mbar_wait @s %0, %1\n", "needs an mbarrier"},
    {"", "    mbar_wait @full %0, %7\n", "another type"},
    {"", "    mbar_wait_token @full %0, %1\n", "another type"},
    {"", "    %10 = load i32 @full[%0] align 4\n", "can't be accessed"},
    {"",
     "    %10 = load struct.0 @big[%0] align 8\n    %11 = shfl struct.0 "
     "#2 %10, %1\n",
     "can't exchange"},
    {"", "    %10 = arrive token #2\n    %11 = shfl token #2 %10, %1\n",
     "can't exchange"},
    {"", "    %10 = reduce i32 #2 rmw sub %2\n", "can't combine"},
    {"", "    %10 = reduce bool #2 rmw add %5\n", "can't combine"},
    {"", "    %10 = reduce i32 #2 rmw add exclusive %2\n", "is not a scan"},
    {"", "    %10 = reduce i32 #2 rmw add %2, %1\n", "2 operands, not 1"},
    {"", "    %10 = scan_by i32 #2 by $l $r $o exclusive %2 {\n    }\n",
     "needs a first value"},
    {"", "    %10 = reduce_by i32 #2 by $l $l $o %2 {\n    }\n",
     "one variable for two"},
    {"", "    %10 = reduce_by i32 #2 by $l $b $o %2 {\n    }\n",
     "another type"},
    {"",
     "    %10 = reduce_by i32 #2 by $l $r $o %2 {\n      set $o %2\n    "
     "}\n",
     "a value from outside"},
    {"",
     "    %10 = reduce_by i32 #2 by $l $r $o %2 {\n      set $x %1\n    "
     "}\n    %11 = get i32 $x\n",
     "shares a variable"},
    {"",
     "    %10 = get i32 $l\n    %11 = reduce_by i32 #2 by $l $r $o %2 {\n"
     "    }\n",
     "shares a variable"},
    {"",
     "    block ^1 {\n      %10 = reduce_by i32 #2 by $l $r $o %2 {\n"
     "        exit ^1\n      }\n    }\n",
     "leaves a group"},
    {"", "    copy_async #2 @s[16] from @a[8] %0, %0\n", "sections differ"},
    {"", "    copy_async #2 @s[16] from @s[16] %0, %0\n", "can't copy from"},
    {"", "    copy_async #2 @s[16] from @a[16] %0\n", "is not an index"},
    {"", "    copy_async #2 @s[16] from @a[16] mask %0, %0, %1\n",
     "has no mask"},
    {"", "    tma_load #2 @s[16] from @a[16] %0, %0\n", "needs an mbarrier"},
    {"", "    tma_store #2 @a[16] from @s[16] on @full %0, %0, %1\n",
     "signals no mbarrier"},
    {"", "    tma_store #2 @n[4] from @s[4] %0, %0\n", "can't copy from"},
    {"", "    with #4 in #3 {\n    }\n", "not the current group"},
    {"  object @q mbarrier shared i32 of 8 extents [2] align 8 per #2 arrivals "
     "0\n",
     "", "is not sane"},
    {"  object @q mbarrier shared i32 of 8 extents [2] align 8 per #2 arrivals "
     "1048576\n",
     "", "is not sane"},
    {"  object @q shared i32 of 4 extents [9] align 4 per #2 hole 8 16 hole 8 "
     "20\n",
     "", "its holes are not in order"},
    {"  object @q shared i32 of 4 extents [9] align 4 per #2 hole 8 8\n", "",
     "its holes are not in order"},
};

static void test_verifier(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    Arena *arena = arena_new();
    const char *code, *message;
    const char *text = kernel_text(arena, faults[i].rows, faults[i].body);
    IrModule *module = parse_ir(arena, text, &code, &message);
    if (module)
      fail_msg("row %zu is accepted: %s", i, faults[i].body);
    assert_string_equal(code, "HD0227");
    if (!strstr(message, faults[i].fault))
      fail_msg("row %zu: '%s' is not in '%s'", i, faults[i].fault, message);
    arena_free(arena);
  }
}

// ------------------------------------------------- rules of the language

typedef struct {
  const char *rows, *body;
  const char *code;  // of the one error; NULL: none
  const char *words; // in its message
} Rule;

#define LABELED   "  group #5 labeled in #3 align 1 \"part\" maker ^1\n"
#define COALESCED "  group #5 coalesced in #3 align 1 \"c\" maker ^1\n"
#define FIRST_HALF                                                             \
  "  group #6 range in #2 size 32 begin 0 align 32 \"thread_group(0, 32)\" "   \
  "maker ^2\n"
#define WARP "  group #5 warp in #2 size 32 instances 2 align 32 \"warp\"\n"
#define FEW                                                                    \
  "  group #6 range in #2 size 16 begin 0 align 16 \"thread_group(0, 16)\" "   \
  "maker ^2\n"
#define TEST_LABEL "    %20 = get i32 $x\n    %21 = eq bool %20, %1\n"

static const Rule rules[] = {
    // Results of collectives are the same for the group, others not.
    {"",
     "    %10 = reduce i32 #2 rmw add %2\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #2\n    }\n",
     NULL, NULL},
    {"",
     "    %10 = reduce i32 #3 rmw add %2\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #2\n    }\n",
     "HD0515", "all threads of the block"},
    {"",
     "    %10 = reduce i32 #3 rmw add %2\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #3\n    }\n",
     NULL, NULL},
    {"",
     "    %10 = broadcast i32 #2 %2, %1\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #2\n    }\n",
     NULL, NULL},
    {"", "    %10 = any bool #2 %5\n    if %10 {\n      sync #2\n    }\n", NULL,
     NULL},
    {"",
     "    %10 = shfl i32 #2 %2, %1\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #2\n    }\n",
     "HD0515", "the result of shfl"},
    {"",
     "    %10 = scan i32 #2 rmw add %2\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #2\n    }\n",
     "HD0515", "the result of a scan"},
    {"",
     "    %10 = match_any i32 #3 %2\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #3\n    }\n",
     "HD0515", "the result of match_any"},
    {"", "    %10 = broadcast i32 #2 %2, %4\n", "HD0516", "the index of"},
    // meta_rank.
    {TILE,
     MAKE "    %11 = meta_rank i32 #5\n    %12 = eq bool %11, %0\n"
          "    if %12 {\n      sync #5\n    }\n",
     NULL, NULL},
    {TILE,
     MAKE "    %11 = meta_rank i32 #5\n    %12 = eq bool %11, %0\n"
          "    if %12 {\n      sync #3\n    }\n",
     "HD0515", "meta_rank()"},
    // Naming a tile hides no condition.
    {TILE, "    if %5 {\n" MAKE "      sync #5\n    }\n", "HD0515", "rank()"},
    // Labels: the variable that made the group, until it is assigned.
    {LABELED,
     "    set $x %4\n    %19 = get i32 $x\n    %10 = make_group i32 ^1 #5 "
     "%19\n" TEST_LABEL "    if %21 {\n      %22 = count i32 #5 %5\n    }\n",
     NULL, NULL},
    {LABELED,
     "    set $x %4\n    %19 = get i32 $x\n    %10 = make_group i32 ^1 #5 "
     "%19\n    set $x %2\n" TEST_LABEL
     "    if %21 {\n      %22 = count i32 #5 %5\n    }\n",
     "HD0515", "rank()"},
    {LABELED,
     "    set $x %4\n    %19 = get i32 $x\n    %10 = make_group i32 ^1 #5 "
     "%19\n" TEST_LABEL "    if %21 {\n      sync #3\n    }\n",
     "HD0515", "rank()"},
    // What was the same for last turn's parts isn't for this turn's.
    {LABELED,
     "    set $x %0\n    for $i step 1 signed %0, %8 {\n"
     "      %10 = make_group i32 ^1 #5 %4\n" TEST_LABEL
     "      if %21 {\n        sync #5\n      }\n"
     "      %22 = reduce i32 #5 rmw add %2\n      set $x %22\n    }\n",
     "HD0515", "of an earlier turn"},
    {TILE,
     "    set $x %0\n    for $i step 1 signed %0, %8 {\n" MAKE TEST_LABEL
     "      if %21 {\n        sync #5\n      }\n"
     "      %22 = reduce i32 #5 rmw add %2\n      set $x %22\n    }\n",
     NULL, NULL},
    {LABELED, "    if %5 {\n      %10 = make_group i32 ^1 #5 %4\n    }\n",
     "HD0515", "labeled_partition"},
    {"  group #5 labeled in #2 align 1 \"part\" maker ^1\n",
     "    %10 = make_group i32 ^1 #5 %4\n", "HD0521", "the block"},
    // Coalesced groups count from where they are made.
    {COALESCED, "    if %5 {\n" MAKE "      sync #5\n    }\n", NULL, NULL},
    {COALESCED,
     "    if %5 {\n" MAKE "      %11 = slt bool %2, %8\n      if %11 {\n"
     "        sync #5\n      }\n    }\n",
     "HD0515", "rank()"},
    {COALESCED,
     "    for ^9 $i step 1 signed %0, %8 {\n      if %5 {\n        exit ^9 "
     "continue\n      }\n" MAKE
     "      %11 = any bool #5 %5\n      if %11 {\n        exit ^9\n      }\n"
     "      sync #5\n    }\n",
     NULL, NULL},
    {COALESCED,
     "    loop ^9 {\n" MAKE "      if %5 {\n        exit ^9\n      }\n"
     "      sync #5\n    }\n",
     "HD0515", "rank()"},
    {COALESCED FEW, "    group ^2 #6 in #2 {\n" MAKE "      sync #5\n    }\n",
     NULL, NULL},
    {COALESCED FEW,
     "    group ^2 #6 in #2 {\n" MAKE "      %11 = reduce i32 #6 rmw add %2\n"
     "      %12 = eq bool %11, %0\n      if %12 {\n        sync #5\n      }\n"
     "    }\n",
     NULL, NULL},
    // Warps inside group statements.
    {WARP FIRST_HALF, "    group ^2 #6 in #2 {\n      sync #3\n    }\n", NULL,
     NULL},
    {WARP FIRST_HALF,
     "    group ^2 #6 in #2 {\n      %10 = reduce i32 #6 rmw add %2\n"
     "      %11 = eq bool %10, %0\n      if %11 {\n        sync #3\n      }\n"
     "    }\n",
     NULL, NULL},
    {WARP FIRST_HALF,
     "    group ^2 #6 in #2 {\n      %10 = any bool #3 %5\n      if %10 {\n"
     "        sync #3\n      }\n    }\n",
     NULL, NULL},
    {WARP FIRST_HALF,
     "    group ^2 #6 in #2 {\n      if %5 {\n        sync #3\n      }\n"
     "    }\n",
     "HD0515", "the warp"},
    {WARP FEW, "    group ^2 #6 in #2 {\n      sync #3\n    }\n", "HD0517",
     "the warp"},
    // Cluster and grid.
    {"", "    if %6 {\n      sync #2\n    }\n", NULL, NULL},
    {"", "    if %6 {\n      sync #0\n    }\n", "HD0515", "block_index().x"},
    {"", "    sync #0\n    sync #1\n", NULL, NULL},
    {WARP FEW, "    group ^2 #6 in #2 {\n      sync #0\n    }\n", "HD0517",
     "the grid"},
    // with.
    {TILE, MAKE "    with #5 in #2 {\n      sync #5\n    }\n", NULL, NULL},
    {TILE, MAKE "    with #5 in #2 {\n      sync #2\n    }\n", "HD0517",
     "the block"},
    {TILE, MAKE "    if %5 {\n      with #5 in #2 {\n      }\n    }\n",
     "HD0515", "with (t)"},
    {COALESCED,
     "    if %5 {\n" MAKE "      with #5 in #2 {\n        sync #5\n      }\n"
     "    }\n",
     NULL, NULL},
    {TILE, MAKE "    with #3 in #2 {\n      with #5 in #3 {\n      }\n    }\n",
     "HD0522", "not a part of the warp"},
    {"  group #5 tiled in #2 align 1 \"t\" maker ^1\n",
     "    %10 = make_group i32 ^1 #5 %4\n", "HD0516", "the size of the parts"},
    {"  group #5 tiled in #2 align 1 \"t\" maker ^1\n",
     "    %11 = const i32 48\n    %10 = make_group i32 ^1 #5 %11\n", "HD0539",
     "parts of 48 threads"},
    {"  group #5 tiled in #0 align 1 \"t\" maker ^1\n",
     "    %10 = make_group i32 ^1 #5 %8\n", "HD0541", "the grid"},
    // Needs.
    {"", "    %10 = ballot i32 #2 %5\n", "HD0520", "64 threads"},
    {TILE, MAKE "    %11 = match_all i32 #5 %2\n", NULL, NULL},
    {"", "    semaphore_lock @a[%0] : i32 align 4 order acquire = %1\n",
     "HD0519", "exactly one thread, but the block has 64 threads"},
    {"", "    tma_load #2 @s[8] from @a[8] on @full %0, %0, %1\n", "HD0519",
     "has 64 threads"},
    {WARP FIRST_HALF,
     "    group ^2 #6 in #2 {\n      tma_load #6 @s[8] from @a[8] on @full "
     "%0, %0, %1\n    }\n",
     NULL, NULL},
    {WARP "  group #6 range in #2 size 32 begin 16 align 16 \"thread_group(16, "
          "32)\" maker ^2\n",
     "    group ^2 #6 in #2 {\n      tma_load #6 @s[8] from @a[8] on @full "
     "%0, %0, %1\n    }\n",
     "HD0519", "32 threads, beginning at thread 16"},
    {WARP FIRST_HALF,
     "    group ^2 #6 in #2 {\n      if %5 {\n        tma_load #6 @s[8] from "
     "@a[8] on @full %0, %0, %1\n      }\n    }\n",
     "HD0515", "tma_load"},
    {WARP FEW,
     "    group ^2 #6 in #2 {\n      mbar_arrive_expect_multicast @full "
     "%0, %8, %1\n    }\n",
     NULL, NULL},
    {WARP "  group #6 range in #2 size 8 begin 0 align 32 \"few\" maker ^2\n",
     "    group ^2 #6 in #2 {\n      mbar_arrive_expect_multicast @full %0, "
     "%8, %1\n    }\n",
     "HD0519", "at least 16 threads, but few has 8 threads"},
    {"", "    copy_async #2 @s[16] from @a[16] %4, %0\n", "HD0516",
     "an index of copy_async"},
    {"",
     "    copy_async #3 @s[16] from @a[16] %0, %0\n    if %5 {\n"
     "      copy_async #3 @s[16] from @a[16] %0, %0\n    }\n",
     "HD0515", "copy_async"},
    // Operators.
    {"", "    %10 = reduce_by i32 #2 by $l $r $o %2 {\n      sync #2\n    }\n",
     "HD0523", "an operator of reduce can't contain"},
    {"",
     "    %10 = reduce_by i32 #2 by $l $r $o %2 {\n      %11 = get i32 $l\n"
     "      %12 = eq bool %11, %0\n      if %12 {\n        set $o %11\n"
     "      } else {\n        set $o %0\n      }\n    }\n"
     "    %13 = eq bool %10, %0\n    if %13 {\n      sync #2\n    }\n",
     NULL, NULL},
    // A part of one thread is one thread.
    {WARP "  group #6 single in #2 size 1 begin 0 align 32 \"one\" maker "
          "^2\n  group #7 tiled in #6 align 1 \"t\" maker ^3\n",
     "    group ^2 #6 in #2 {\n      %10 = make_group i32 ^3 #7 %8\n"
     "      sync #7\n    }\n",
     NULL, NULL},
    // What an asynchronous copy writes may change at any time.
    {"",
     "    %10 = load i32 @s[%0] align 4\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #2\n    }\n",
     NULL, NULL},
    {"",
     "    copy_async #2 @s[16] from @a[16] %0, %0\n    copy_wait [0]\n"
     "    sync #2\n"
     "    %10 = load i32 @s[%0] align 4\n    %11 = eq bool %10, %0\n"
     "    if %11 {\n      sync #2\n    }\n",
     "HD0515", "written in the same phase"},
};

static void check_rule(const Rule *rule, size_t number) {
  Arena *arena = arena_new();
  const char *code, *message;
  IrModule *module = parse_ir(arena, kernel_text(arena, rule->rows, rule->body),
                              &code, &message);
  if (!module)
    fail_msg("row %zu: %s: %s", number, code, message);
  IrKernel *kernel = module->kernels.data[0];
  DiagEngine *diags = diag_engine_new(arena, 0);
  ir_check_groups(kernel, ir_uniformity(arena, kernel), diags);
  uint32_t count;
  const Diag *const *list = diag_list(diags, &count);
  if (!rule->code) {
    if (count)
      fail_msg("row %zu: %s %s\n%s", number, diag_code(list[0]->id),
               list[0]->message, rule->body);
  } else if (count != 1 || strcmp(diag_code(list[0]->id), rule->code) != 0 ||
             !strstr(list[0]->message, rule->words)) {
    fail_msg("row %zu: %u errors, %s %s\n%s", number, count,
             count ? diag_code(list[0]->id) : "", count ? list[0]->message : "",
             rule->body);
  }
  arena_free(arena);
}

static void test_rules(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    check_rule(&rules[i], i);
}

// What passes must not do to operations that threads meet at.
static void test_passes_keep_them(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const char *code, *message;
  IrModule *module = parse_ir(
      arena,
      kernel_text(arena, TILE,
                  MAKE "    %11 = reduce i32 #2 rmw add %2\n"
                       "    %12 = reduce_by i32 #5 by $l $r $o %2 {\n"
                       "      %13 = get i32 $l\n      set $o %13\n    }\n"
                       "    if %9 {\n      %14 = shfl i32 #5 %2, %1\n    }\n"),
      &code, &message);
  assert_non_null(module);
  IrKernel *kernel = module->kernels.data[0];
  ir_split_webs(kernel);
  ir_simplify(kernel);
  assert_null(ir_verify(module));
  const char *text = print_ir(arena, module);
  static const char *const kept[] = {"make_group i32", "reduce i32 #2",
                                     "reduce_by i32 #5", "set $", "shfl i32"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (!strstr(text, kept[i]))
      fail_msg("%s is gone:\n%s", kept[i], text);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text_reads_back),
      cmocka_unit_test(test_verifier),
      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_passes_keep_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
