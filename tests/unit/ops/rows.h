// SPDX-License-Identifier: Apache-2.0
// The smallest kernel for each row of ops.def, as IR text. What a row's columns
// say decides it; rows of which they don't say enough stand in `by_hand`.
#ifndef HD_TESTS_OPS_ROWS_H
#define HD_TESTS_OPS_ROWS_H

#include "../ir/ir_text.h"
#include "base/float_bits.h"
#include <math.h>
#include <stdlib.h>

// A block of one warp. Values that operands may have are the parameters 2k and
// 2k + 1, of type row_types[k]; behind them stand the arrays @out and @in.
enum { ROW_THREADS = 32, ROW_ELEMENTS = 64, ROW_PARAMS = 22 };

static const struct {
  const char *name;
  uint64_t values[2]; // the bits
} row_types[ROW_PARAMS / 2] = {
    {"bool", {1, 0}},
    {"i8", {6, 3}},
    {"i16", {100, 7}},
    {"i32", {5, 3}},
    {"i64", {40, 6}},
    {"f16", {0x3e00, 0x3c00}},
    {"bf16", {0x3fc0, 0x3f80}},
    {"f32", {0x3f400000, 0x3f000000}},
    {"f64", {0x3fe8000000000000, 0x3fe0000000000000}},
    {"e4m3", {0x3c, 0x38}},
    {"e5m2", {0x3e, 0x3c}},
};

// What the parameters hold: what the table above says, or what operations that
// are defined for all values have special rules for.
typedef enum {
  ROUND_TABLE,
  ROUND_LEAST, // the least integer and -1, -0 and infinity
  ROUND_ZERO,  // 0 and 0, NaN and a fraction
  ROUND_COUNT
} RowRound;

static uint64_t row_value(RowRound round, int param) {
  static const double reals[ROUND_COUNT][2] = {
      [ROUND_LEAST] = {-0.0, INFINITY}, [ROUND_ZERO] = {NAN, -2.75}};
  const char *type = row_types[param / 2].name;
  int which = param % 2;
  if (round == ROUND_TABLE || type[0] == 'e')
    return row_types[param / 2].values[which];
  int width =
      type[0] == 'b' && type[1] == 'o' ? 1 : atoi(strpbrk(type, "1368"));
  uint64_t ones = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  if (width == 1)
    return round == ROUND_LEAST;
  if (type[0] == 'i')
    return round == ROUND_ZERO ? 0 : which ? ones : ones ^ ones >> 1;
  FloatFormat format = type[0] == 'b' ? FLOAT_BF16
                       : width == 16  ? FLOAT_F16
                       : width == 32  ? FLOAT_F32
                                      : FLOAT_F64;
  return float_bits_from_double(format, reals[round][which]);
}

// One kernel. `types` names the operands' type where the row leaves a choice.
typedef struct {
  IrOp op;
  const char *variant;
  bool is_constant;  // operands are constants, not parameters
  bool is_divergent; // only half of the threads get there
  bool is_unwrapped; // the whole block does what one thread has to
  bool is_varied;    // operand 0 is another one in each thread
  bool is_wide;      // the block has two warps
} RowKernel;

// --------------------------------------------------------------- by hand

typedef struct {
  IrOp op;
  const char *why;    // its columns don't say it
  const char *groups; // rows of its own, from #3 on
  const char *body;   // %0 to %9 are there: see `given`
} RowByHand;

// #G is the group that does it, single where the row needs that.
static const char row_given[] = "%0 = param i32 [6] %1 = const i32 0\n"
                                "%2 = const i32 1 %3 = const i64 16\n"
                                "%4 = param i64 [8] %5 = param f32 [14]\n"
                                "%6 = param bool [0]\n";

#define STATED "the type of its result is stated"
#define ACCESS "its operands are those of an access"
#define PARTS  "its operands are as many as the type has parts"
#define ANY    "it takes any number of operands"
#define SLOT   "its operands are those of an element of an mbarrier"
#define COPY   "its operands are those of a copy"
#define REGION "it has regions, groups or labels of its own"
#define TOKENS "somebody has to wait for its token"

#define POINTERS                                                               \
  "%10 = address ptr.shared @s : i32 align 16\n"                               \
  "%11 = address ptr.global @in : i32 align 16\n"
#define WAIT_SETS   "copy_commit copy_wait [0]\n"
#define WAIT_TMA    "tma_commit tma_wait [0]\n"
#define WAIT_ENGINE "wgmma_commit wgmma_wait [0]\n"
#define EXPECT                                                                 \
  "%20 = const i32 16\n"                                                       \
  "%21 = mbar_arrive_expect token @bar %1, %20\n"
#define WAIT_BARRIER "mbar_wait_token @bar %1, %21\n"
#define EACH         "group #3 thread in #2 size 1 align 1 \"t\" maker ^40"
#define EACH_FOR     "thread_for ^40 #3 in #2 $v.0 step 1 count 1 %1, %2 {\n"
#define THEIR_TURN   "%10 = get i32 $v.0\n"

#define TILES "it works on tiles"
// Types of tiles that bodies have.
#define ROW_TILES                                                              \
  "struct \"pair\" size 8 align 4 { i32 at 0 i32 at 4 }\n"                     \
  "tile i32[8] tile i32[2, 4] tile i32[4, 2] tile i32[16] tile i32[2] "        \
  "tile struct.0[4] tile i16[16] tile f32[2, 4] tile f32[4, 2] "               \
  "tile f32[2, 2] tile bool[8] tile i32[4] tile e2m1[8] "                      \
  "tile e4m3[2, 32] tile e8m0[2, 1] tile e2m3[32, 2] tile e8m0[1, 2] "         \
  "tile f16[64, 16] tile f16[16, 8] tile f32[64, 8] "                          \
  "tile f16[128, 16] tile f16[16, 16] tile f32[128, 16]\n"
#define IOTA   "%20 = tile_iota tile.0\n"
#define MATRIX IOTA "%21 = tile_reshape tile.1 %20\n"
#define ENGINE                                                                 \
  "%20 = wgmma_load tile.17 @sa[%1 : 64, %1 : 16] unchecked\n"                 \
  "%21 = wgmma_load tile.18 @sb[%1 : 16, %1 : 8] unchecked\n"                  \
  "%22 = tile_broadcast tile.19 %5 wgmma_fence\n"                              \
  "%23 = wgmma_mma tile.19 %20, %21, %22 " WAIT_ENGINE
#define ONE                                                                    \
  "group #3 single in #2 size 1 begin 0 instances 1 align 32 \"one\" maker "   \
  "^40"
#define TENSOR                                                                 \
  "tcgen05_alloc @td[0] group ^40 #3 in #2 {\n"                                \
  "%20 = tcgen05_read tile.20 @ta[%1 : 128, %1 : 16] unchecked\n"              \
  "%21 = tcgen05_read tile.21 @tb[%1 : 16, %1 : 16] unchecked\n"               \
  "%22 = tcgen05_read tile.22 @td[%1 : 128, %1 : 16] unchecked\n"              \
  "%23 = tcgen05_mma tile.22 %20, %21, %22, %6\n"                              \
  "tcgen05_write @td[%1 : 128, %1 : 16] unchecked = %23 } tcgen05_dealloc "    \
  "@td[0]\n"
#define BY "by $l.1 $r.2 $o.3"
#define PRODUCT                                                                \
  "{ %50 = get i32 $l.1 %51 = get i32 $r.2 %52 = mul i32 %50, %51\n"           \
  "set $o.3 %52 }"

static const RowByHand row_by_hand[] = {
    {IR_TILE_BROADCAST, TILES, "", "%100 = tile_broadcast tile.1 %0"},
    {IR_TILE_IOTA, TILES, "", "%100 = tile_iota tile.0"},
    {IR_TILE_RESHAPE, TILES, "", IOTA "%100 = tile_reshape tile.2 %20"},
    {IR_TILE_PERMUTE, TILES, "",
     MATRIX "%100 = tile_permute tile.2 [1, 0] %21"},
    {IR_TILE_CAT, TILES, "", IOTA "%100 = tile_cat tile.3 %20, %20"},
    {IR_TILE_EXTRACT, TILES, "", IOTA "%100 = tile_extract tile.4 [3] %20"},
    {IR_TILE_INSERT, TILES, "",
     IOTA "%22 = tile_iota tile.4 %100 = tile_insert tile.0 [6] %20, %22"},
    {IR_TILE_FLIP, TILES, "", MATRIX "%100 = tile_flip tile.1 axis 1 %21"},
    {IR_TILE_ROLL, TILES, "", MATRIX "%100 = tile_roll tile.1 axis 1 [-3] %21"},
    {IR_TILE_PAD, TILES, "", IOTA "%100 = tile_pad tile.3 %20, %0"},
    {IR_TILE_MAP, TILES, "",
     IOTA "%100 = tile_map tile.0 by $l.1 $l.1 $o.3 %20 {\n"
          "%50 = get i32 $l.1 %52 = mul i32 %50, %50 set $o.3 %52 }"},
    {IR_TILE_REDUCE, TILES, "", MATRIX "%100 = tile_reduce tile.4 axes 2 %21"},
    {IR_TILE_ARG, TILES, "",
     MATRIX "%100 = tile_arg tile.4 combine smax axes 2 %21"},
    {IR_TILE_REDUCE_BY, TILES, "",
     MATRIX "%100 = tile_reduce_by tile.4 " BY " axis 1 %21 " PRODUCT},
    {IR_TILE_SCAN, TILES, "",
     MATRIX "%100 = tile_scan tile.1 axis 1 exclusive reverse %21, %0"},
    {IR_TILE_SCAN_BY, TILES, "",
     MATRIX "%100 = tile_scan_by tile.1 " BY " axis 1 %21 " PRODUCT},
    {IR_TILE_SORT, TILES, "", IOTA "%100 = tile_sort tile.0 %20"},
    {IR_TILE_ARGSORT, TILES, "", IOTA "%100 = tile_argsort tile.0 %20"},
    {IR_TILE_TOPK, TILES, "", IOTA "%100 = tile_topk tile.5 %20"},
    {IR_TILE_HISTOGRAM, TILES, "", IOTA "%100 = tile_histogram tile.0 %20"},
    {IR_TILE_BITCAST, TILES, "", IOTA "%100 = tile_bitcast tile.6 %20"},
    {IR_TILE_MMA, TILES, "",
     MATRIX "%22 = stof tile.7 %21 %23 = tile_permute tile.8 [1, 0] %22\n"
            "%24 = tile_broadcast tile.9 %5\n"
            "%100 = tile_mma tile.9 %22, %23, %24"},
    {IR_TILE_CAST, TILES, "",
     IOTA "%22 = tile_cast tile.12 [2] %20\n%100 = tile_cast tile.0 %22"},
    {IR_TILE_MMA_SCALED, TILES, "",
     "%29 = const e4m3 0x38 %22 = tile_broadcast tile.13 %29\n"
     "%23 = const e8m0 0x7f\n"
     "%24 = tile_broadcast tile.14 %23\n%25 = const e2m3 0x8\n"
     "%26 = tile_broadcast tile.15 %25\n%27 = tile_broadcast tile.16 %23\n"
     "%28 = tile_broadcast tile.9 %5\n"
     "%100 = tile_mma_scaled tile.9 %22, %24, %26, %27, %28"},
    {IR_TILE_AT, TILES, "",
     MATRIX "%22 = const i32 1 %100 = tile_at i32 %21, %22, %22"},
    {IR_TILE_COLLECT, TILES, "", "%100 = tile_collect tile.4 %0, %1, %2, %2"},
    {IR_TILE_LOAD, TILES, "", "%100 = tile_load tile.0 @in[%0 : 8]"},
    {IR_WGMMA_LOAD, TILES, "", ENGINE},
    {IR_WGMMA_MMA, TILES, "", ENGINE},
    {IR_TENSOR_READ, TILES, ONE, TENSOR},
    {IR_TENSOR_MMA, TILES, ONE, TENSOR},
    {IR_TENSOR_WRITE, TILES, ONE, TENSOR},
    {IR_TILE_STORE, TILES, "",
     IOTA "%22 = tile_broadcast tile.10 %6\n"
          "tile_store @in[* %20] mask = %22, %20"},
    {IR_TILE_RMW, TILES, "",
     IOTA "%100 = tile_rmw tile.0 @in[%0 : 8] view order relaxed scope device "
          "rmw add = %3, %4, %20"},
    {IR_TILE_CAS, TILES, "",
     IOTA "%22 = tile_broadcast tile.0 %0\n"
          "%100 = tile_cas tile.0 @in[%0 : 8] order relaxed scope device = "
          "%20, %22"},
    {IR_TILE_PRINT, TILES, "", IOTA "tile_print \"t\" %20"},
    {IR_TILE_ASSERT, TILES, "",
     "%20 = tile_broadcast tile.10 %6 tile_assert \"t\" %20"},
    {IR_ASSERT, "its operands are a bool and an index", "",
     "assert \"t\" %6, %0"},
    {IR_INSIDE, "its operands are numbers of one array", "",
     "inside \"t\" %3, %3, %4"},
    {IR_CONST, STATED, "", "%100 = const i32 7"},
    {IR_PARAM, STATED, "", "%100 = param i32 [6]"},
    {IR_EXTENT, "its number is of a dimension", "", "%100 = extent i64 @in[0]"},
    {IR_STRIDE, "its number is of a dimension", "", "%100 = stride i64 @in[0]"},
    {IR_GET, STATED, "", "set $v.0 %0 %100 = get i32 $v.0"},
    {IR_SET, "its variable has a type", "", "set $v.0 %0"},
    {IR_PACK, PARTS, "", "%100 = pack i32x2 %0, %1"},
    {IR_EXTRACT, PARTS, "",
     "%10 = pack i32x2 %0, %1 %100 = extract i32 [1] %10"},
    {IR_INSERT, PARTS, "",
     "%10 = pack i32x2 %0, %1 %100 = insert i32x2 [1] %10, %0"},
    {IR_TRUNC, STATED, "", "%100 = trunc i8 %0"},
    {IR_ZEXT, STATED, "", "%100 = zext i64 %0"},
    {IR_SEXT, STATED, "", "%100 = sext i64 %0"},
    {IR_STOF, STATED, "", "%100 = stof f32 %0"},
    {IR_UTOF, STATED, "", "%100 = utof f32 %0"},
    {IR_FTOS, STATED, "", "%100 = ftos i32 %5"},
    {IR_FTOU, STATED, "", "%100 = ftou i32 %5"},
    {IR_FCAST, STATED, "", "%100 = fcast f64 %5"},
    {IR_BITCAST, STATED, "", "%100 = bitcast f32 %0"},
    {IR_FDOT2, "it is of f32 only", "", "%100 = fdot2 f32 %5, %0, %1"},
    {IR_RANK, STATED, "", "%100 = rank i32 #2"},
    {IR_SIZE, STATED, "", "%100 = size i32 #2"},
    {IR_MAKE_GROUP, REGION,
     "group #3 tiled in #2 size 16 instances 2 align 16 \"t\" maker ^40",
     "%100 = make_group i32 ^40 #3"},
    {IR_LOAD, ACCESS, "", "%100 = load i32 @in[%0] align 4"},
    {IR_STORE, ACCESS, "", "store @out[%0] : i32 align 4 = %2"},
    {IR_RMW, ACCESS, "",
     "%100 = rmw i32 @in[%0] align 4 order relaxed scope device rmw add = %2"},
    {IR_CAS, ACCESS, "",
     "%100 = cas i32 @in[%0] align 4 order relaxed scope device = %1, %0"},
    {IR_ADDRESS, ACCESS, "", "%100 = address ptr.global @in[%0] : i32 align 4"},
    {IR_FENCE, "its order and scope are attributes", "",
     "fence order acq_rel scope device"},
    {IR_JOIN, "it has been decided", "", "join #G join kept"},
    {IR_ARRIVE, TOKENS, "", "%99 = arrive token #G wait #G %99"},
    {IR_WAIT, TOKENS, "", "%99 = arrive token #G wait #G %99"},
    {IR_REDUCE, STATED, "", "%100 = reduce i32 #G rmw add %0"},
    {IR_REDUCE_BY, REGION, "",
     "%100 = reduce_by i32 #G by $l.1 $r.2 $o.3 %0 { %50 = get i32 $l.1\n"
     "%51 = get i32 $r.2 %52 = mul i32 %50, %51 set $o.3 %52 }"},
    {IR_SCAN, STATED, "", "%100 = scan i32 #G rmw add %0"},
    {IR_SCAN_BY, REGION, "",
     "%100 = scan_by i32 #G by $l.1 $r.2 $o.3 %0 { %50 = get i32 $l.1\n"
     "%51 = get i32 $r.2 %52 = mul i32 %50, %51 set $o.3 %52 }"},
    {IR_MBAR_INIT, SLOT, "", "mbar_init @bar %1"},
    {IR_MBAR_ARRIVE, SLOT, "", "%99 = mbar_arrive token @bar %1, %2"},
    {IR_MBAR_ARRIVE_DROP, SLOT, "", "%99 = mbar_arrive_drop token @bar %1, %2"},
    {IR_MBAR_ARRIVE_REMOTE, SLOT, "", "mbar_arrive_remote @bar %1, %1"},
    {IR_MBAR_EXPECT, SLOT, "", "mbar_expect @bar %1, %1"},
    {IR_MBAR_ARRIVE_EXPECT, SLOT, "",
     "%99 = mbar_arrive_expect token @bar %1, %1"},
    {IR_MBAR_ARRIVE_EXPECT_MULTICAST, SLOT, "",
     "mbar_arrive_expect_multicast @bar %1, %1, %2"},
    {IR_MBAR_TENSOR, SLOT, ONE,
     "group ^40 #3 in #2 { tcgen05_commit @bar %1 }"},
    {IR_MBAR_WAIT, SLOT, "", "mbar_wait @bar %1, %2"},
    {IR_MBAR_WAIT_TOKEN, SLOT, "",
     "%99 = mbar_arrive token @bar %1, %2 mbar_wait_token @bar %1, %99"},
    {IR_MBAR_TEST, SLOT, "", "%100 = mbar_test bool @bar %1, %1"},
    {IR_MBAR_TEST_TOKEN, SLOT, "",
     "%99 = mbar_arrive token @bar %1, %2\n"
     "%100 = mbar_test_token bool @bar %1, %99"},
    {IR_SEMAPHORE_LOCK, ACCESS, "",
     "semaphore_lock @in[%1] : i32 align 4 order acquire scope device = %1"},
    {IR_SEMAPHORE_RELEASE, ACCESS, "",
     "semaphore_release @in[%1] : i32 align 4 order release scope device = %2"},
    {IR_COPY_ASYNC, COPY, "",
     "copy_async #G @s[64] from @in[64] %1, %1 " WAIT_SETS},
    {IR_COPY_BYTES, COPY, "",
     POINTERS "copy_bytes #G align 16 %10, %11, %3 " WAIT_SETS},
    {IR_COPY_BULK, COPY, EACH,
     POINTERS EACH_FOR EXPECT
     "copy_bulk #3 align 16 on @bar %10, %11, %3, %1\n" WAIT_BARRIER "}"},
    {IR_BULK_STORE, COPY, EACH,
     POINTERS EACH_FOR "bulk_store #3 align 16 %11, %10, %3 " WAIT_TMA "}"},
    {IR_COPY_WAIT, "its number is of sets", "", "copy_wait [0]"},
    {IR_TMA_LOAD, COPY, "",
     "%20 = const i32 256 %21 = mbar_arrive_expect token @bar %1, %20\n"
     "tma_load #G @s[64] from @in[64] on @bar %1, %1, %1 " WAIT_BARRIER},
    {IR_TMA_STORE, COPY, "",
     "tma_store #G @in[64] from @s[64] %1, %1 " WAIT_TMA},
    {IR_TMA_REDUCE, COPY, "",
     "tma_reduce #G @in[64] from @s[64] rmw add %1, %1 " WAIT_TMA},
    {IR_WGMMA_WAIT, "its number is of sets", "", "wgmma_wait [0]"},
    {IR_WGMMA_READ, COPY, "",
     "wgmma_read #G @s[64] from @s[64] %1, %1 " WAIT_ENGINE},
    {IR_TENSOR_ALLOC, "its object is tensor memory", "",
     "tcgen05_alloc @td[0] tcgen05_dealloc @td[0]"},
    {IR_TENSOR_DEALLOC, "its object is tensor memory", "",
     "tcgen05_alloc @td[0] tcgen05_dealloc @td[0]"},
    {IR_TENSOR_TOUCH, COPY, "",
     "tcgen05_touch #G @td[128, 16] from @td[128, 16] %1, %1, %1, %1\n"},
    {IR_TMA_WAIT, "its number is of sets", "", "tma_wait [0]"},
    {IR_TMA_WAIT_READ, "its number is of sets", "", "tma_wait_read [0]"},
    {IR_MEMCPY_ASYNC, "its pointers have spaces", "",
     POINTERS "memcpy_async #G %10, %11, %3 %30 = const i64 0\n"
              "memcpy_wait #G %30"},
    {IR_MEMCPY_WAIT, "its number is constant", "",
     POINTERS "memcpy_async #G %10, %11, %3 %30 = const i64 0\n"
              "memcpy_wait #G %30"},
    {IR_MAP_SHARED, "its pointer has a space", "",
     POINTERS "%100 = map_shared ptr.shared #1 %10, %1"},
    {IR_SHARED_RANK, "its pointer has a space", "",
     POINTERS "%100 = shared_rank i32 #1 %10"},
    {IR_PRINTF, ANY, "", "printf \"%d\\n\" %0"},
    {IR_WAS_SET, "its operand is a load", "",
     "%10 = load i32 @in[%0] align 4 %100 = was_set bool %10"},
    {IR_SET_IF, "it stands behind a store", "",
     "store @out[%0] : i32 align 4 = %0 set_if %6"},
    {IR_UNSET, "its object is a thread's own",
     "object @own local i32 of 4 extents [4] align 4", "unset @own[0]"},
    {IR_SET_MAX_REGS, "its number is of registers", "", "set_max_regs [40]"},
    {IR_CHOICE, "its range isn't empty", "", "%100 = choice i64 #2 %3, %4"},
    {IR_UNKNOWN, STATED, "", "%100 = unknown i32 \"f\""},
    {IR_CONSUMES, ANY, EACH,
     EACH_FOR THEIR_TURN "consumes @in[0] %10, %10, %2 }"},
    {IR_PRODUCES, ANY, EACH,
     EACH_FOR THEIR_TURN "produces @in[0] %10, %10, %2 }"},
    {IR_PRESERVES, ANY, EACH,
     EACH_FOR THEIR_TURN "preserves @in[0] %10, %10, %2 }"},
    {IR_READS, ANY, EACH, EACH_FOR THEIR_TURN "reads @in[0] %10, %10, %2 }"},
    {IR_IF, REGION, "",
     "if %6 { store @out[%0] : i32 align 4 = %0 } else { set $v.0 %0 }"},
    {IR_LOOP, REGION, "",
     "loop ^40 { store @out[%0] : i32 align 4 = %0 exit ^40 }"},
    {IR_FOR, REGION, "",
     "for $v.0 step 1 signed %1, %0 { store @out[%0] : i32 align 4 = %0 }"},
    {IR_BLOCK, REGION, "",
     "block ^40 { store @out[%0] : i32 align 4 = %0 exit ^40 }"},
    {IR_CALL, REGION, "",
     "call \"f\" %0 { store @out[%0] : i32 align 4 = %0 }"},
    {IR_EXIT, REGION, "",
     "block ^40 { store @out[%0] : i32 align 4 = %0 exit ^40 }"},
    {IR_GROUP, REGION,
     "group #3 range in #2 size 16 begin 0 instances 1 "
     "align 16 \"g\" maker ^40",
     "group ^40 #3 in #2 { sync #3 }"},
    {IR_THREAD_FOR, REGION, EACH,
     EACH_FOR "store @out[%0] : i32 align 4 = %0 }"},
    {IR_WITH, REGION,
     "group #3 tiled in #2 size 16 instances 2 align 16 \"t\" maker ^40",
     "%10 = make_group i32 ^40 #3 with #3 in #2 { sync #3 }"},
};

static const RowByHand *row_written(IrOp op) {
  for (size_t i = 0; i < sizeof row_by_hand / sizeof *row_by_hand; i++)
    if (row_by_hand[i].op == op)
      return &row_by_hand[i];
  return NULL;
}

// ------------------------------------------------------- from the columns

// The types that stand for a class of operands; NULL: none is built.
static const char *const *row_class(char letter) {
  static const char *const boolean[] = {"bool", NULL};
  static const char *const integer[] = {"i32", "i8", "i16", "i64", NULL};
  static const char *const integral[] = {"i32", "bool", "i64", NULL};
  static const char *const real[] = {"f32", "f64", "f16", "bf16", NULL};
  static const char *const number[] = {"i32", "f32", "i16", "f64", NULL};
  static const char *const word[] = {"i32", NULL};
  static const char *const wide[] = {"i64", NULL};
  static const char *const any[] = {"i32", "f64", NULL};
  static const char *const pointer[] = {"ptr.global", NULL};
  switch (letter) {
  case 0:
  case 's':
  case 'x': return word;
  case 'b': return boolean;
  case 'i': return integer;
  case 'j':
  case 'q': return integral;
  case 'f':
  case 'g': return real;
  case 'n': return number;
  case 'v': return any;
  case 'l': return wide;
  case 'p': return pointer;
  default: return NULL;
  }
}

// Types of operand 0 that its kernels have, up to NULL.
static const char *const *row_variants(IrOp op) {
  static const char *const one[] = {"i32", NULL};
  return row_written(op) ? one : row_class(ir_op_table[op].args[0]);
}

// Another value of the type in each thread, or in half of them.
static void row_vary(Text *text, const char *type, int number) {
  const char *by = strcmp(type, "bool") == 0  ? "slt bool %8, %9"
                   : strcmp(type, "i32") == 0 ? "add i32 %8, %1"
                   : strcmp(type, "i64") == 0 ? "sext i64 %8"
                   : type[0] == 'i'           ? "trunc"
                                              : "stof";
  text_printf(text, "%%8 = rank i32 #2 %%9 = const i32 16\n%%%d = %s", number,
              by);
  if (!strchr(by, ' '))
    text_printf(text, " %s %%8", type);
  text_add(text, "\n");
}

static void row_operand(Text *text, const RowKernel *row, const char *type,
                        int number, int which) {
  if (strcmp(type, "ptr.global") == 0) {
    text_printf(text, "%%%d = address ptr.global @in : i32 align 4\n", number);
    return;
  }
  if (row->is_varied && which == 0) {
    row_vary(text, type, number);
    return;
  }
  for (int i = 0; i < ROW_PARAMS / 2; i++) {
    if (strcmp(row_types[i].name, type) != 0)
      continue;
    uint64_t bits = row_types[i].values[which % 2];
    bool is_int = type[0] == 'i';
    if (row->is_constant)
      text_printf(
          text, is_int ? "%%%d = const %s %llu\n" : "%%%d = const %s 0x%llx\n",
          number, type, (unsigned long long)bits);
    else
      text_printf(text, "%%%d = param %s [%d]\n", number, type,
                  2 * i + which % 2);
  }
}

static const char *row_attributes(IrForm form) {
  switch (form) {
  case FORM_PLAIN: return "";
  case FORM_VAR: return "$v.0";
  case FORM_INDEX: return "[0]";
  case FORM_GROUP: return "#G";
  case FORM_TEXT: return "\"t\"";
  case FORM_CONST:
  case FORM_ACCESS:
  case FORM_LOOP:
  case FORM_PART:
  case FORM_EXIT:
  case FORM_COLLECTIVE:
  case FORM_BARRIER:
  case FORM_COPY:
  case FORM_TILE:
  case FORM_SECTION: break;
  }
  return NULL;
}

// False: the columns don't say enough.
static bool row_build(Text *text, const RowKernel *row) {
  const IrOpInfo *info = &ir_op_table[row->op];
  const char *attributes = row_attributes(info->form);
  if (!attributes || strchr(info->args, '*') || strchr(info->args, 't'))
    return false;
  const char *types[8];
  int count = (int)strlen(info->args);
  for (int i = 0; i < count; i++) {
    char letter = info->args[i];
    const char *const *fitting = row_class(letter);
    types[i] = letter == '=' || i == 0 ? row->variant
               : letter == '2'         ? types[1]
                                       : fitting[0];
    row_operand(text, row, types[i], 10 + i, i);
  }
  const char *result = "";
  switch (info->result[0]) {
  case '-': break;
  case '=': result = types[0]; break;
  case 'v': result = types[1]; break;
  case 'b': result = "bool"; break;
  case 's': result = "i32"; break;
  case 'l': result = "i64"; break;
  case 'p': result = "ptr.global"; break;
  default: return false;
  }
  text_printf(text, "%s%s %s %s", *result ? "%100 = " : "", info->text, result,
              attributes);
  for (int i = 0; i < count; i++)
    text_printf(text, "%s %%%d", i ? "," : "", 10 + i);
  text_add(text, "\n");
  return true;
}

// ------------------------------------------------------------ whole kernels

static bool row_is_of_one(const RowKernel *row) {
  IrNeed need = ir_op_table[row->op].need;
  return !row->is_unwrapped &&
         (need == NEED_SINGLE || need == NEED_SINGLE_OR_WARP);
}

// The text of the body with the group for #G.
static void row_add_body(Text *text, const RowKernel *row, const char *body) {
  for (const char *at = body; *at; at++) {
    bool is_group = at[0] == '#' && at[1] == 'G';
    if (is_group)
      text_add(text, row_is_of_one(row) ? "#3" : "#2");
    else
      text_add_char(text, *at);
    at += is_group;
  }
}

static const char *row_body(Arena *arena, const RowKernel *row) {
  const RowByHand *by_hand = row_written(row->op);
  if (by_hand)
    return by_hand->body;
  Text text = {.arena = arena};
  return row_build(&text, row) ? text_cstr(&text) : NULL;
}

// Operations on tiles stand in kernels of one thread a block.
static bool row_has_tiles(const RowKernel *row) {
  return ir_op_table[row->op].family == FAMILY_TILE;
}

static bool row_is_of_engine(const RowKernel *row) {
  return ir_op_table[row->op].need == NEED_WARPGROUP ||
         ir_op_table[row->op].need == NEED_WARPGROUPS ||
         row->op == IR_WGMMA_READ;
}

// Matrix units are those of warpgroups.
static int row_threads(const RowKernel *row) {
  if (row_is_of_engine(row))
    return 128;
  return row_has_tiles(row) && !ir_is_tensor_op(row->op)
             ? 1
             : ROW_THREADS << row->is_wide;
}

static void row_add_tables(Text *text, const RowKernel *row, const char *body) {
  const RowByHand *by_hand = row_written(row->op);
  int n_threads = row_threads(row);
  text_printf(text,
              "heddle-ir 1\nmodule \"m.hd\" %s kernel \"k\" {\n"
              "block %d 1 1 grid 1 _ _ _\n"
              "group #0 grid align 1024 \"grid\"\n"
              "group #1 cluster in #0 align 1024 \"cluster\"\n"
              "group #2 block in #1 size %d align 1024 \"block\"\n",
              row_has_tiles(row) ? ROW_TILES : "", n_threads, n_threads);
  if (by_hand)
    text_add(text, by_hand->groups);
  if (row_is_of_one(row))
    text_add(text, "group #3 single in #2 size 1 align 1 \"one\" maker ^41\n");
  text_printf(text,
              "\nobject @out global i64 of 8 extents [64] align 16 bound %d\n"
              "object @in global i32 of 4 extents [64] align 16 bound %d\n",
              ROW_PARAMS, ROW_PARAMS + 1);
  if (strstr(body, "@ta"))
    text_add(text, "object @ta shared f16 of 2 extents [128, 16] align 128 "
                   "per #2 object @tb shared f16 of 2 extents [16, 16] "
                   "align 128 per #2\n");
  if (strstr(body, "@td"))
    text_add(text, "object @td shared f32 of 4 extents [128, 16] align 128 "
                   "tensor_memory per #2\n");
  if (strstr(body, "@sa"))
    text_add(text, "object @sa shared f16 of 2 extents [64, 16] align 128 "
                   "per #2 object @sb shared f16 of 2 extents [16, 8] "
                   "align 128 per #2\n");
  else if (strstr(body, "@s"))
    text_add(text, "object @s shared i32 of 4 extents [64] align 128 "
                   "address_taken per #2\n");
  if (strstr(body, "@bar"))
    text_printf(text,
                "object @bar mbarrier shared void of 8 extents [1] align 8 "
                "per #2 arrivals %d\n",
                row_is_of_one(row) || strstr(body, "copy_bulk") ||
                        strstr(body, "tcgen05_commit") ||
                        strstr(body, "multicast")
                    ? 1
                    : n_threads);
  for (int i = 0; i < ROW_PARAMS; i++)
    text_printf(text, "param \"p%d\" scalar %s\n", i, row_types[i / 2].name);
  text_add(text, "param \"out\" array void @out param \"in\" array void @in\n"
                 "var $v.0 i32 var $l.1 i32 var $r.2 i32 var $o.3 i32\n");
}

// The kernel's text; NULL: nobody has said how the row is built.
static const char *row_text(Arena *arena, const RowKernel *row) {
  const char *body = row_body(arena, row);
  if (!body)
    return NULL;
  Text text = {.arena = arena};
  row_add_tables(&text, row, body);
  text_printf(&text, "body {\n%s", row_given);
  if (row->is_divergent)
    text_add(&text, "%7 = rank i32 #2 %8 = const i32 16\n"
                    "%9 = slt bool %7, %8 if %9 {\n");
  if (row_is_of_one(row))
    text_add(&text, "group ^41 #3 in #2 any {\n");
  row_add_body(&text, row, body);
  text_add(&text, row_is_of_one(row) ? "}\n" : "\n");
  text_add(&text,
           row->is_divergent ? "}\n} } locations {}" : "} } locations {}");
  return text_cstr(&text);
}

#endif
