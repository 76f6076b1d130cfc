// SPDX-License-Identifier: Apache-2.0
// Copies and clusters in the interpreter, in order and in random orders.
#include "run_kernel.h"

static void test_copies_land_late(void **state) {
  (void)state;
  // Before the wait there are still zeros.
  Run run;
  Kernel early = {4, 1, 0, "",
                  "    copy_async #2 @f[8] from @in[8] %0, %1\n"
                  "    copy_commit\n    sync #2\n"
                  "    %20 = load f32 @f[%2] align 4\n"
                  "    copy_wait [0]\n    sync #2\n" STORE_FLOAT("%20")};
  run_seed(&run, &early, 0);
  assert_int_equal(run.status, HD_OK);
  assert_int_equal(run.out[0], 0);
  arena_free(run.arena);
  int32_t want[8];
  for (int i = 0; i < 4; i++)
    want[i] = bits_of(input(i + 1));
  Kernel kernel = {4, 1, 0, "",
                   "    copy_async #2 @f[8] from @in[8] %0, %1\n"
                   "    copy_commit\n    copy_wait [0]\n    sync #2\n"
                   "    %20 = load f32 @f[%2] align 4\n" STORE_FLOAT("%20")};
  expect(&kernel, 4, want);
  // Each of four threads arrives when its part has landed.
  Kernel barrier = {3, 1, 0, "",
                    "    copy_async #2 @f[8] from @in[8] on @three %0, %1, "
                    "%0\n    mbar_wait @three %0, %0\n"
                    "    %20 = load f32 @f[%2] align 4\n" STORE_FLOAT("%20")};
  expect(&barrier, 3, want);
  // The newest set may still be under way.
  Run newest;
  Kernel sets = {1, 1, 0, "",
                 "    copy_async #2 @f[1] from @in[1] %0, %1\n"
                 "    copy_commit\n"
                 "    copy_async #2 @f[1] from @in[1] %1, %4\n"
                 "    copy_commit\n    copy_wait [1]\n"
                 "    %20 = load f32 @f[%0] align 4\n"
                 "    %21 = load f32 @f[%1] align 4\n"
                 "    %22 = bitcast i32 %21\n"
                 "    store @out[%1] : i32 align 4 = %22\n" STORE_FLOAT("%20")};
  run_seed(&newest, &sets, 0);
  assert_int_equal(newest.status, HD_OK);
  assert_int_equal(newest.out[0], bits_of(input(1)));
  assert_int_equal(newest.out[1], 0);
  arena_free(newest.arena);
}

static void test_tma(void **state) {
  (void)state;
  // Elements -2 to 5: those outside are zero, all bytes count.
  int32_t want[8] = {0, 0};
  for (int i = 2; i < 8; i++)
    want[i] = bits_of(input(i - 2));
  Kernel load = {8, 1, 0,
                 "  group #4 single in #2 size 1 begin 0 align 32 \"one\" "
                 "maker ^1\n",
                 "    %20 = const i32 -2\n    %21 = const i32 32\n"
                 "    store @f[%2] : f32 align 4 = %3\n    sync #2\n"
                 "    group ^1 #4 in #2 {\n"
                 "      %22 = mbar_arrive_expect token @full %0, %21\n"
                 "      tma_load #4 @f[8] from @in[8] on @full %0, %20, %0\n"
                 "    }\n    mbar_wait @full %0, %0\n"
                 "    %23 = load f32 @f[%2] align 4\n" STORE_FLOAT("%23")};
  expect(&load, 8, want);
  // Elements 252 to 259: four are dropped.
  int32_t stored[N] = {0};
  for (int i = 252; i < N; i++)
    stored[i] = i - 252;
  Kernel store = {8, 1, 0,
                  "  group #4 single in #2 size 1 begin 0 align 32 \"one\" "
                  "maker ^1\n",
                  "    %20 = const i32 252\n"
                  "    store @s[%2] : i32 align 4 = %2\n    fence_async\n"
                  "    sync #2\n    group ^1 #4 in #2 {\n"
                  "      tma_store #4 @out[8] from @s[8] %20, %0\n"
                  "      tma_commit\n      tma_wait [0]\n    }\n"};
  expect(&store, N, stored);
}

static void test_memcpy(void **state) {
  (void)state;
  int32_t want[4];
  for (int i = 0; i < 4; i++)
    want[i] = bits_of(input(i + 1)) ^ bits_of(input(i + 4));
  Kernel kernel = {
      4, 1, 0, "",
      "    %20 = address ptr.shared @f[%0] : f32 align 4\n"
      "    %21 = address ptr.shared @f[%5] : f32 align 4\n"
      "    %22 = address ptr.global @in[%1] : f32 align 4\n"
      "    %23 = address ptr.global @in[%4] : f32 align 4\n"
      "    %24 = const i64 16\n    %25 = const i64 1\n"
      "    memcpy_async #2 %20, %22, %24\n    memcpy_async #2 %21, %23, %24\n"
      "    memcpy_wait #2 %25\n    %26 = load f32 @f[%2] align 4\n"
      "    memcpy_wait #2 %8\n    %27 = add i32 %2, %5\n"
      "    %28 = load f32 @f[%27] align 4\n    %29 = bitcast i32 %26\n"
      "    %30 = bitcast i32 %28\n    %31 = xor i32 %29, %30\n" OUT("%31")};
  expect(&kernel, 4, want);
}

// ---------------------------------------------------------------- clusters

static void test_cluster(void **state) {
  (void)state;
  // Each block reads its neighbour's shared memory.
  int32_t want[4] = {101, 100, 103, 102};
  Kernel kernel = {
      1, 4, 2, "",
      "    %20 = block_index i32 [0]\n    %21 = const i32 100\n"
      "    %22 = add i32 %20, %21\n    store @s[%0] : i32 align 4 = %22\n"
      "    sync #1\n    %23 = address ptr.shared @s[%0] : i32 align 4\n"
      "    %24 = meta_rank i32 #2\n    %25 = xor i32 %24, %1\n"
      "    %26 = map_shared ptr.shared #1 %23, %25\n"
      "    %27 = load i32 *%26 : i32 align 4\n"
      "    %28 = shared_rank i32 #1 %26\n    %29 = eq bool %28, %25\n"
      "    assert \"rank\" %29\n    sync #1\n"
      "    store @out[%20] : i32 align 4 = %27\n"};
  expect(&kernel, 4, want);
  // A multicast load and arrivals from afar.
  int32_t loaded[4];
  for (int i = 0; i < 4; i++)
    loaded[i] = bits_of(input(i / 2 * 4));
  Kernel multicast = {
      1, 4, 2, "",
      "    %20 = block_index i32 [0]\n    %21 = meta_rank i32 #2\n"
      "    %22 = mbar_arrive_expect token @full %0, %4\n    sync #1\n"
      "    %23 = eq bool %21, %0\n    %24 = const i32 3\n"
      "    %25 = const i32 -2\n    %29 = and i32 %20, %25\n"
      "    %30 = add i32 %29, %29\n"
      "    if %23 {\n      tma_load #2 @f[1] from @in[1] on @full mask %0, "
      "%30, %0, %24\n    }\n    mbar_wait @full %0, %0\n"
      "    %26 = load f32 @f[%0] align 4\n    %27 = bitcast i32 %26\n"
      "    %28 = xor i32 %21, %1\n    mbar_arrive_remote @empty %0, %28\n"
      "    mbar_wait @empty %0, %0\n"
      "    store @out[%20] : i32 align 4 = %27\n"};
  expect(&multicast, 4, loaded);
}

static void test_grid_sync(void **state) {
  (void)state;
  int32_t want[16];
  for (int i = 0; i < 8; i++)
    want[i] = 7 - i;
  for (int i = 8; i < 16; i++)
    want[i] = i - 8;
  Kernel kernel = {2, 4, 0, "",
                   "    %20 = rank i64 #0\n    %21 = trunc i32 %20\n"
                   "    %22 = const i64 8\n    %23 = add i64 %20, %22\n"
                   "    store @out[%23] : i32 align 4 = %21\n    sync #0\n"
                   "    %24 = const i64 15\n    %25 = sub i64 %24, %20\n"
                   "    %26 = load i32 @out[%25] align 4\n"
                   "    store @out[%20] : i32 align 4 = %26\n"};
  expect(&kernel, 16, want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies_land_late), cmocka_unit_test(test_tma),
      cmocka_unit_test(test_memcpy),           cmocka_unit_test(test_cluster),
      cmocka_unit_test(test_grid_sync),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
