// SPDX-License-Identifier: Apache-2.0
// Groups, collectives, barriers, copies and clusters in the interpreter, in
// order and in random orders.
#include "run_kernel.h"

// ------------------------------------------------------------- reductions

static void test_reduce_order(void **state) {
  (void)state;
  static const int sizes[] = {1, 5, 32, 33, 64, 100, 256};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k], left = n;
    float x[N];
    int32_t want[N];
    for (int i = 0; i < n; i++)
      x[i] = input(i);
    for (; left > 1; left = (left + 1) / 2)
      for (int i = 0; i < (left + 1) / 2; i++)
        x[i] = 2 * i + 1 < left ? x[2 * i] + x[2 * i + 1] : x[2 * i];
    for (int i = 0; i < n; i++)
      want[i] = bits_of(x[0]);
    Kernel kernel = {n, 1, 0, "",
                     "    %20 = reduce f32 #2 rmw add %3\n" STORE_FLOAT("%20")};
    expect(&kernel, n, want);
  }
}

// Inclusive, in chunks of 32 and then over the totals.
static void scan(float *x, int n) {
  float totals[8];
  for (int first = 0; first < n; first += 32) {
    int count = n - first < 32 ? n - first : 32;
    for (int d = 1; d < count; d *= 2)
      for (int i = count - 1; i >= d; i--)
        x[first + i] = x[first + i - d] + x[first + i];
    totals[first / 32] = x[first + count - 1];
  }
  int n_totals = (n + 31) / 32;
  for (int d = 1; d < n_totals; d *= 2)
    for (int i = n_totals - 1; i >= d; i--)
      totals[i] = totals[i - d] + totals[i];
  for (int i = 32; i < n; i++)
    x[i] = totals[i / 32 - 1] + x[i];
}

static void test_scan_order(void **state) {
  (void)state;
  static const int sizes[] = {1, 7, 32, 33, 100, 256};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k];
    float x[N];
    int32_t want[N];
    for (int i = 0; i < n; i++)
      x[i] = input(i);
    scan(x, n);
    for (int i = 0; i < n; i++)
      want[i] = bits_of(x[i]);
    Kernel inclusive = {
        n, 1, 0, "", "    %20 = scan f32 #2 rmw add %3\n" STORE_FLOAT("%20")};
    expect(&inclusive, n, want);
    for (int i = 0; i < n; i++)
      want[i] = bits_of(i ? x[i - 1] : 0);
    Kernel exclusive = {
        n, 1, 0, "",
        "    %20 = scan f32 #2 rmw add exclusive %3\n" STORE_FLOAT("%20")};
    expect(&exclusive, n, want);
    for (int i = 0; i < n; i++)
      want[i] = bits_of(i ? 0.3f + x[i - 1] : 0.3f);
    Kernel with_first = {n, 1, 0, "",
                         "    %21 = const f32 0x3e99999a\n"
                         "    %20 = scan f32 #2 rmw add exclusive %3, "
                         "%21\n" STORE_FLOAT("%20")};
    expect(&with_first, n, want);
  }
}

// An operator that neither commutes nor associates: the order shows.
static void test_operator_order(void **state) {
  (void)state;
  int n = 37, left = n;
  float x[N];
  int32_t want[N];
  for (int i = 0; i < n; i++)
    x[i] = input(i);
  for (; left > 1; left = (left + 1) / 2)
    for (int i = 0; i < (left + 1) / 2; i++)
      x[i] = 2 * i + 1 < left ? x[2 * i] * 2.0f - x[2 * i + 1] : x[2 * i];
  for (int i = 0; i < n; i++)
    want[i] = bits_of(x[0]);
  Kernel kernel = {n, 1, 0, "",
                   "    %20 = reduce_by f32 #2 by $a $b $c %3 {\n"
                   "      %21 = get f32 $a\n      %22 = get f32 $b\n"
                   "      %23 = const f32 0x40000000\n"
                   "      %24 = mul f32 %21, %23\n"
                   "      %25 = sub f32 %24, %22\n      set $c %25\n"
                   "    }\n" STORE_FLOAT("%20")};
  expect(&kernel, n, want);
}

static void test_identities(void **state) {
  (void)state;
  static const char *const ops[] = {"add",  "smin", "smax", "umin",
                                    "umax", "and",  "or",   "xor"};
  static const int32_t want[] = {0, INT32_MAX, INT32_MIN, -1, 0, -1, 0, 0};
  for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
    char body[200];
    snprintf(body, sizeof body,
             "    %%20 = scan i32 #2 rmw %s exclusive %%2\n"
             "    store @out[%%2] : i32 align 4 = %%20\n",
             ops[k]);
    Kernel kernel = {4, 1, 0, "", body};
    expect(&kernel, 1, &want[k]);
  }
}

// Blocks of a grid are combined from the first to the last.
static void test_above_a_block(void **state) {
  (void)state;
  float sum = 0, x[6];
  for (int b = 0; b < 3; b++) {
    float block = input(4 * b) + input(4 * b + 1);
    block = block + (input(4 * b + 2) + input(4 * b + 3));
    sum = b ? sum + block : block;
    x[b] = sum;
  }
  int32_t want[12];
  for (int i = 0; i < 12; i++)
    want[i] = bits_of(sum);
#define GRID_RANK "    %20 = rank i64 #0\n    %21 = load f32 @in[%20] align 4\n"
#define GRID_STORE                                                             \
  "    %23 = bitcast i32 %22\n    store @out[%20] : i32 align 4 = %23\n"
  Kernel grid = {4, 3, 0, "",
                 GRID_RANK "    %22 = reduce f32 #0 rmw add %21\n" GRID_STORE};
  expect(&grid, 12, want);
  for (int i = 0; i < 12; i++) {
    float own[4];
    for (int k = 0; k < 4; k++)
      own[k] = input(i / 4 * 4 + k);
    scan(own, 4);
    want[i] = bits_of(i < 4 ? own[i % 4] : x[i / 4 - 1] + own[i % 4]);
  }
  // What came before a block is what its predecessors' scans end with.
  float before = 0;
  for (int b = 0; b < 3; b++) {
    float own[4];
    for (int k = 0; k < 4; k++)
      own[k] = input(4 * b + k);
    scan(own, 4);
    for (int k = 0; k < 4; k++)
      want[4 * b + k] = bits_of(b ? before + own[k] : own[k]);
    before = b ? before + own[3] : own[3];
  }
  Kernel scans = {4, 3, 0, "",
                  GRID_RANK "    %22 = scan f32 #0 rmw add %21\n" GRID_STORE};
  expect(&scans, 12, want);
}

// ------------------------------------------------------------------ groups

static void test_tiles(void **state) {
  (void)state;
  // 10 threads in tiles of 4: the last has 2.
  int32_t want[10];
  for (int i = 0; i < 10; i++) {
    int size = i / 4 < 2 ? 4 : 2;
    want[i] = i % 4 + 10 * size + 100 * (i / 4) + 1000 * 3;
  }
#define PLACE                                                                  \
  "    %21 = rank i32 #4\n    %22 = size i32 #4\n"                             \
  "    %23 = meta_rank i32 #4\n    %24 = meta_size i32 #4\n"                   \
  "    %25 = const i32 10\n    %26 = mul i32 %24, %25\n"                       \
  "    %27 = add i32 %26, %23\n    %28 = mul i32 %27, %25\n"                   \
  "    %29 = add i32 %28, %22\n    %30 = mul i32 %29, %25\n"                   \
  "    %31 = add i32 %30, %21\n" OUT("%31")
#define RAGGED "  group #4 tiled in #2 align 1 \"t\" maker ^1\n"
  Kernel kernel = {10, 1, 0, RAGGED,
                   "    %20 = make_group i32 ^1 #4 %4\n" PLACE};
  expect(&kernel, 10, want);
  // Tiles of two warps, and a sum over each.
  for (int i = 0; i < 128; i++)
    want[i % 10] = 0;
  int32_t sums[128];
  for (int i = 0; i < 128; i++)
    sums[i] = i < 64 ? 2016 : 2016 + 64 * 64;
  Kernel wide = {128, 1, 0,
                 "  group #4 tiled in #2 size 64 instances 2 align 64 \"t\" "
                 "maker ^1\n",
                 "    %20 = make_group i32 ^1 #4\n"
                 "    %21 = reduce i32 #4 rmw add %2\n" OUT("%21")};
  expect(&wide, 128, sums);
}

static void test_labels(void **state) {
  (void)state;
  // Labels 0 1 1 0 1 1 …: parts are numbered by their lowest rank.
  int32_t want[9];
  for (int i = 0; i < 9; i++) {
    bool is_first = i % 3 == 0;
    int rank = 0;
    for (int k = 0; k < i; k++)
      rank += (k % 3 == 0) == is_first;
    want[i] = rank + 10 * (is_first ? 3 : 6) + 100 * !is_first + 2000;
  }
#define LABELED "  group #4 labeled in #3 align 1 \"l\" maker ^1\n"
  Kernel kernel = {9, 1, 0, LABELED,
                   "    %18 = const i32 3\n    %19 = urem i32 %2, %18\n"
                   "    %17 = ne bool %19, %0\n"
                   "    %20 = make_group i32 ^1 #4 %17\n" PLACE};
  expect(&kernel, 9, want);
}

static void test_coalesced(void **state) {
  (void)state;
  // for (i = 0; i < rank; i++) if ((i ^ rank) & 1) x += size(coalesced).
  int32_t want[40] = {0};
  for (int r = 0; r < 40; r++)
    for (int i = 0; i < r; i++)
      if ((i ^ r) & 1)
        for (int u = r / 32 * 32; u < 40 && u < r / 32 * 32 + 32; u++)
          want[r] += i < u && ((i ^ u) & 1);
  Kernel kernel = {
      40, 1, 0, "  group #4 coalesced in #3 align 1 \"c\" maker ^1\n",
      "    for ^2 $i step 1 signed %0, %2 {\n      %20 = get i32 $i\n"
      "      %21 = xor i32 %20, %2\n      %22 = and i32 %21, %1\n"
      "      %23 = eq bool %22, %0\n      if %23 {\n        exit ^2 "
      "continue\n      }\n"
      "      %24 = make_group i32 ^1 #4\n      %25 = size i32 #4\n"
      "      sync #4\n      %26 = get i32 $x\n      %27 = add i32 %26, %25\n"
      "      set $x %27\n    }\n    %28 = get i32 $x\n" OUT("%28")};
  expect(&kernel, 40, want);
  // Half a warp in a group statement: the other half doesn't come.
  for (int i = 0; i < 32; i++)
    want[i] = i < 16 ? 8 : 0;
  Kernel half = {32, 1, 0,
                 "  group #4 coalesced in #3 align 1 \"c\" maker ^1\n"
                 "  group #5 range in #2 size 16 begin 0 align 16 \"g\" maker "
                 "^2\n",
                 "    %18 = const i32 8\n    group ^2 #5 in #2 {\n"
                 "      if %7 {\n        %20 = make_group i32 ^1 #4\n"
                 "        %21 = size i32 #4\n        set $x %21\n"
                 "      } else {\n        set $x %18\n      }\n    }\n"
                 "    %22 = get i32 $x\n" OUT("%22")};
  expect(&half, 32, want);
}

static void test_shuffles(void **state) {
  (void)state;
  // Tiles of 4 of 10 threads: up, down, xor by 1, modulo, all votes.
  int32_t want[10];
  for (int i = 0; i < 10; i++) {
    int base = i / 4 * 4, size = base < 8 ? 4 : 2, r = i - base;
    int up = r >= 1 ? i - 1 : i, down = r + 1 < size ? i + 1 : i;
    int other = (r ^ 1) < size ? base + (r ^ 1) : i;
    int shfl = base + 5 % size, mask = 0;
    for (int k = 0; k < size; k++)
      mask |= ((base + k) & 1) << k;
    want[i] = up + 16 * down + 256 * other + 4096 * shfl + 65536 * mask;
  }
  Kernel kernel = {10, 1, 0, RAGGED,
                   "    %20 = make_group i32 ^1 #4 %4\n"
                   "    %19 = const i32 5\n    %21 = shfl_up i32 #4 %2, %1\n"
                   "    %22 = shfl_down i32 #4 %2, %1\n"
                   "    %23 = shfl_xor i32 #4 %2, %1\n"
                   "    %24 = shfl i32 #4 %2, %19\n"
                   "    %25 = ballot i32 #4 %7\n    %26 = mul i32 %25, %5\n"
                   "    %27 = add i32 %26, %24\n    %28 = mul i32 %27, %5\n"
                   "    %29 = add i32 %28, %23\n    %30 = mul i32 %29, %5\n"
                   "    %31 = add i32 %30, %22\n    %32 = mul i32 %31, %5\n"
                   "    %33 = add i32 %32, %21\n" OUT("%33")};
  expect(&kernel, 10, want);
  for (int i = 0; i < 6; i++)
    want[i] = (i & 1 ? 0x2a : 0x15) + 64 * 3;
  Kernel match = {6, 1, 0, "",
                  "    %20 = match_any i32 #3 %6\n    %21 = match_all i32 #3 "
                  "%6\n    %22 = count i32 #2 %7\n    %23 = const i32 64\n"
                  "    %24 = mul i32 %22, %23\n    %25 = add i32 %24, %20\n"
                  "    %26 = add i32 %25, %21\n" OUT("%26")};
  expect(&match, 6, want);
}

// ---------------------------------------------------------------- barriers

static void test_split_barrier(void **state) {
  (void)state;
  int32_t want[64];
  for (int i = 0; i < 64; i++)
    want[i] = 63 - i + 1;
  Kernel kernel = {64, 1, 0, "",
                   "    store @s[%2] : i32 align 4 = %2\n"
                   "    %20 = arrive token #2\n    set $t %20\n"
                   "    %21 = const i32 63\n    %22 = sub i32 %21, %2\n"
                   "    %23 = get token $t\n    wait #2 %23\n"
                   "    %24 = load i32 @s[%22] align 4\n"
                   "    %25 = add i32 %24, %1\n" OUT("%25")};
  expect(&kernel, 64, want);
}

#define ROLES                                                                  \
  "  group #4 range in #2 size 1 begin 0 align 1 \"producer\" maker ^1\n"      \
  "  group #5 range in #2 size 1 begin 1 align 1 \"consumer\" maker ^2\n"

// Twenty items through a ring of four slots; both roles are in one warp.
static const char ring[] =
    "    %10 = const i32 20\n    %11 = const i32 3\n    %12 = const i32 2\n"
    "    group ^1 #4 in #2 {\n"
    "      for $i step 1 signed %0, %10 {\n        %20 = get i32 $i\n"
    "        %21 = and i32 %20, %11\n        %22 = lshr i32 %20, %12\n"
    "        %23 = and i32 %22, %1\n        %24 = xor i32 %23, %1\n"
    "        mbar_wait @empty %21, %24 !1\n"
    "        store @s[%21] : i32 align 4 = %20\n"
    "        %25 = mbar_arrive token @full %21, %1 !2\n      }\n    }\n"
    "    group ^2 #5 in #2 {\n"
    "      for $z step 1 signed %0, %10 {\n        %30 = get i32 $z\n"
    "        %31 = and i32 %30, %11\n        %32 = lshr i32 %30, %12\n"
    "        %33 = and i32 %32, %1\n"
    "        mbar_wait @full %31, %33 !3\n"
    "        %34 = load i32 @s[%31] align 4\n"
    "        store @out[%30] : i32 align 4 = %34\n"
    "        %35 = mbar_arrive token @empty %31, %1\n      }\n    }\n";

static void test_ring(void **state) {
  (void)state;
  int32_t want[20];
  for (int i = 0; i < 20; i++)
    want[i] = i;
  Kernel kernel = {2, 1, 0, ROLES, ring};
  expect(&kernel, 20, want);
}

static void test_deadlock_names_the_barrier(void **state) {
  (void)state;
  // The type counts three arrivals, the threads make two.
  static const char *const words[] = {"no thread can go on",   "at a.hd:10:1",
                                      "phase 0 of 'three[0]'", "seen 2 of 3",
                                      "a.hd:20:1 (arrive)",    NULL};
  Kernel kernel = {2, 1, 0, "",
                   "    %20 = mbar_arrive token @three %0, %1 !2\n"
                   "    mbar_wait @three %0, %0 !1\n"};
  expect_failure(&kernel, HD_ERROR_DEADLOCK, words);
  static const char *const bytes[] = {"bytes are missing", "16", NULL};
  Kernel missing = {1, 1, 0, "",
                    "    %20 = mbar_arrive_expect token @full %0, %5\n"
                    "    mbar_wait @full %0, %0 !1\n"};
  expect_failure(&missing, HD_ERROR_DEADLOCK, bytes);
  static const char *const sync[] = {
      "threads 0 to 1 wait at a.hd:10:1 for the barrier of block: 2 of its 3 "
      "threads have arrived",
      "not there: thread 2, waiting at a.hd:20:1", NULL};
  Kernel halves = {3, 1, 0, "",
                   "    %20 = const i32 2\n    %21 = slt bool %2, %20\n"
                   "    if %21 {\n      sync #2 !1\n    } else {\n"
                   "      mbar_wait @full %0, %0 !2\n    }\n"};
  expect_failure(&halves, HD_ERROR_DEADLOCK, sync);
}

static void test_traps(void **state) {
  (void)state;

  static const struct {
    const char *rows, *body;
    const char *words[3];
  } rows[] = {
      {"",
       "    %20 = mbar_arrive token @full %0, %4 !1\n",
       {"4 arrivals on 'full[0]'", "seen 0 of 1", NULL}},
      {"",
       "    %20 = mbar_arrive token @full %5, %1 !1\n",
       {"index 16 is outside 'full'", "a.hd:10:1", NULL}},
      {"",
       "    mbar_arrive_remote @full %0, %4 !1\n",
       {"no block 4 in a cluster of 1", NULL}},
      {RAGGED,
       "    %19 = add i32 %6, %4\n    %18 = add i32 %19, %1\n"
       "    %20 = make_group i32 ^1 #4 %18 !1\n",
       {"parts of 5 threads", "a.hd:10:1", NULL}},
      {"",
       "    %20 = get token $t\n    wait #2 %20\n",
       {"the token doesn't come from an arrive(block)", NULL}},
      {"",
       "    %20 = mbar_arrive token @full %0, %1\n    wait #2 %20\n",
       {"the token doesn't come from an arrive(block)", NULL}},
      {"",
       "    %20 = arrive token #2\n    mbar_wait_token @full %0, %20\n",
       {"the token doesn't come from an arrival on 'full[0]'", NULL}},
      {"",
       "    %20 = const i64 2\n    memcpy_wait #2 %20 !1\n",
       {"wait_prior(block, 2): the number of copies made is 0", NULL}},
      {"",
       "    copy_async #2 @f[64] from @in[64] %1, %0 !1\n",
       {"elements 1 to 64 are outside dimension 0 of 'f'", NULL}},
  };

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Kernel kernel = {1, 1, 0, rows[i].rows, rows[i].body};
    expect_failure(&kernel, HD_ERROR_TRAP, rows[i].words);
  }
}

// A semaphore that blocks pass on in turn.
static void test_semaphore(void **state) {
  (void)state;
  int32_t want[2] = {4, 0 + 1 + 2 + 3};
  Kernel kernel = {
      1, 4, 0, "",
      "    %20 = block_index i32 [0]\n"
      "    semaphore_lock @out[%0] : i32 align 4 order acquire = %20\n"
      "    %21 = load i32 @out[%1] align 4\n    %22 = add i32 %21, %20\n"
      "    store @out[%1] : i32 align 4 = %22\n    %23 = add i32 %20, %1\n"
      "    semaphore_release @out[%0] : i32 align 4 order release = %23\n"};
  expect(&kernel, 2, want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reduce_order),
      cmocka_unit_test(test_scan_order),
      cmocka_unit_test(test_operator_order),
      cmocka_unit_test(test_identities),
      cmocka_unit_test(test_above_a_block),
      cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_labels),
      cmocka_unit_test(test_coalesced),
      cmocka_unit_test(test_shuffles),
      cmocka_unit_test(test_split_barrier),
      cmocka_unit_test(test_ring),
      cmocka_unit_test(test_deadlock_names_the_barrier),
      cmocka_unit_test(test_traps),
      cmocka_unit_test(test_semaphore),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
