// SPDX-License-Identifier: Apache-2.0
// Words of shared memory between barriers say what chunks would: Note [Quick
// words] in race_quick.c. test_race_model.c compares both by chance.
#include "rt/cpu/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka last: it needs the headers above.
#include <cmocka.h>

enum { N_THREADS = 96, SHARED = 0x10000 };

enum { READ, WRITE, READ2, RMW, READ16, N_SITES };

static const RaceSite sites[N_SITES] = {
    [READ] = {.place = "k.hd:1:1", .size_bytes = 4},
    [WRITE] = {.place = "k.hd:2:1", .kind = RACE_WRITES, .size_bytes = 4},
    [READ2] = {.place = "k.hd:3:1", .size_bytes = 4},
    [RMW] = {.place = "k.hd:4:1",
             .kind = RACE_ATOMIC | RACE_WRITES | RACE_RMW,
             .size_bytes = 4},
    [READ16] = {.place = "k.hd:5:1", .size_bytes = 16},
};

static const int32_t grid[3] = {1, 1, 1}, block_dim[3] = {N_THREADS, 1, 1};

static const RaceArray tile = {.name = "tile",
                               .space = "shared",
                               .size_bytes = 1024,
                               .element_bytes = 4,
                               .cell_bytes = 4,
                               .rank = 1,
                               .extents = {256},
                               .strides = {1},
                               .starts_empty = true};

typedef struct {
  Race *race;
  RaceBlock *block;
} World;

static bool is_narrow; // without AVX-512

static World world_new(void) {
  RaceConfig config = {.n_threads = N_THREADS,
                       .max_reports = 20,
                       .shared_is_private = true,
                       .grid = grid,
                       .block_dim = block_dim,
                       .sites = sites,
                       .n_sites = N_SITES,
                       .is_narrow = is_narrow};
  World w = {.race = race_new(&config)};
  assert_non_null(w.race);
  w.block = race_block_start(w.race, 0, SHARED, &tile, 1);
  assert_non_null(w.block);
  return w;
}

// Ends the test: so much was found.
static void expect(World *w, uint64_t n_found) {
  assert_false(race_failed(w->race));
  assert_int_equal(race_n_found(w->race), n_found);
  race_free(w->race);
}

// Lane i of the warp accesses element first + i * step.
static void row(World *w, int site, uint32_t warp, uint32_t mask,
                uint32_t first, int64_t step) {
  assert_int_equal(race_access_row(w->block, &sites[site], warp, mask,
                                   SHARED + first * 4, step * 4),
                   0);
}

// A thread accesses an element.
static void one(World *w, int site, uint32_t thread, uint32_t index) {
  assert_int_equal(race_access_same(w->block, &sites[site], thread / 32,
                                    1u << thread % 32, SHARED + index * 4),
                   0);
}

static void sync_all(World *w) {
  race_sync(w->block, NULL);
}

static void sync_warp(World *w) {
  race_sync_warp(w->block, 0, UINT32_MAX);
}

static void fill(World *w) {
  for (uint32_t warp = 0; warp < 3; warp++)
    row(w, WRITE, warp, UINT32_MAX, warp * 32, 1);
}

static void assert_told(const World *w, uint32_t number, const char *a,
                        const char *b) {
  const char *text = race_report(w->race, number);
  assert_non_null(text);
  assert_non_null(strstr(text, a));
  assert_non_null(strstr(text, b));
}

static void test_barriers_order(void **state) {
  (void)state;
  World w = world_new();
  for (int turn = 0; turn < 4; turn++) {
    fill(&w);
    row(&w, READ, 1, UINT32_MAX, 32, 1); // its own
    sync_all(&w);
    for (uint32_t warp = 0; warp < 3; warp++) {
      row(&w, READ, warp, UINT32_MAX, 0, 1);
      row(&w, READ, warp, 0xff, 0, 8);
      row(&w, READ16, warp, UINT32_MAX, 0, 0);
    }
    sync_all(&w);
  }
  expect(&w, 0);
}

static void test_both_places_are_told(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  sync_all(&w);
  one(&w, READ, 3, 17);
  one(&w, READ2, 5, 17);
  one(&w, WRITE, 70, 17);
  assert_told(&w, 0, "thread 3 of", "tile[17] at k.hd:1:1");
  assert_told(&w, 0, "thread 70 of", "tile[17] at k.hd:2:1");
  assert_told(&w, 1, "thread 5 of", "tile[17] at k.hd:3:1");
  expect(&w, 2);
}

static void test_writes_of_one_warp(void **state) {
  (void)state;
  World w = world_new();
  row(&w, WRITE, 0, 3, 9, 0);
  assert_told(&w, 0, "thread 0 of", "thread 1 of");
  expect(&w, 1);
}

static void test_read_after_write(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  row(&w, READ, 0, UINT32_C(1) << 31, 1, 1); // what the next warp wrote
  assert_told(&w, 0, "thread 32 of", "thread 31 of");
  expect(&w, 1);
}

static void test_nothing_was_written(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  sync_all(&w);
  row(&w, READ, 2, UINT32_MAX, 65, 1);
  assert_told(&w, 0, "HD0602", "tile[96]");
  expect(&w, 1);
}

// What chunks have seen is known when words go on, and the other way.
static void test_there_and_back(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  sync_all(&w);
  sync_warp(&w); // the words are left
  row(&w, WRITE, 0, UINT32_MAX, 100, 1);
  sync_all(&w);
  row(&w, READ, 1, UINT32_MAX, 100, 1);
  row(&w, READ, 2, UINT32_MAX, 0, 1);
  sync_warp(&w);
  row(&w, READ, 0, UINT32_MAX, 64, 1);
  assert_int_equal(race_n_found(w.race), 0);
  one(&w, WRITE, 0, 100); // warp 1 has read it, before and in this interval
  expect(&w, 1);
}

static void test_time_wraps(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  one(&w, READ, 0, 0);
  for (int i = 0; i < 70000; i++)
    sync_all(&w);
  one(&w, WRITE, 1, 0); // not in the interval of the read
  row(&w, READ, 2, UINT32_MAX, 32, 1);
  assert_int_equal(race_n_found(w.race), 0);
  one(&w, WRITE, 1, 32);
  expect(&w, 1);
}

// More than the list of an interval holds.
static void test_long_intervals(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  sync_all(&w);
  for (int i = 0; i < 70000; i++)
    row(&w, READ, 1, UINT32_MAX, 0, 1);
  assert_int_equal(race_n_found(w.race), 0);
  one(&w, WRITE, 0, 31);
  assert_told(&w, 0, "thread 63 of", "thread 0 of");
  expect(&w, 1);
}

static void test_atomic_accesses(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  sync_all(&w);
  one(&w, RMW, 1, 5);
  one(&w, RMW, 2, 5);
  sync_all(&w);
  one(&w, WRITE, 3, 6);
  one(&w, RMW, 4, 6);
  assert_told(&w, 0, "updates atomically tile[6]", "thread 3 of");
  expect(&w, 1);
}

// Lane i reads element first + i, the next one in each of four turns, and then
// element 17; true: told at once.
static bool loop(World *w, uint32_t warp, uint32_t first) {
  RaceTurns reads[2] = {
      {&sites[READ], {SHARED + first * 4, 4, 0, 5}, 4},
      {&sites[READ2], {SHARED + 17 * 4, 0, 0, 5}, 0},
  };
  return race_access_turns(w->block, warp, UINT32_MAX, reads, 2, 4);
}

static void test_loops_of_reads(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  assert_false(loop(&w, 1, 32)); // what others wrote
  sync_all(&w);
  assert_true(loop(&w, 1, 32));
  assert_false(loop(&w, 2, 64));  // the last turn reads what nobody wrote
  assert_false(loop(&w, 2, 250)); // outside
  assert_int_equal(race_n_found(w.race), 0);
  sync_all(&w);
  assert_true(loop(&w, 1, 61));
  one(&w, WRITE, 0, 95); // lane 31's in turn 3, lane 30's one later
  assert_told(&w, 0, "tile[95] at k.hd:1:1", "thread 0 of");
  one(&w, WRITE, 3, 17);
  assert_told(&w, 1, "tile[17] at k.hd:3:1", "thread 3 of");
  expect(&w, 2);
}

// Reads and turns that take the list further than it goes.
static void test_long_loops(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  sync_all(&w);
  uint32_t n_told = 0;
  for (int i = 0; i < 9000; i++)
    n_told += loop(&w, 1, 0);
  assert_in_range(n_told, 1, 8999);
  row(&w, READ, 1, UINT32_MAX, 0, 1);
  one(&w, WRITE, 0, 31);
  assert_told(&w, 0, "tile[31]", "thread 0 of");
  expect(&w, 1);
}

// The next block at the same addresses knows nothing of the last.
static void test_blocks_follow(void **state) {
  (void)state;
  World w = world_new();
  fill(&w);
  sync_all(&w);
  race_block_end(w.block);
  w.block = race_block_start(w.race, 1, SHARED, &tile, 1);
  one(&w, WRITE, 40, 3);
  one(&w, READ, 40, 3);
  assert_int_equal(race_n_found(w.race), 0);
  one(&w, READ, 40, 4);
  assert_told(&w, 0, "HD0602", "tile[4]");
  expect(&w, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_barriers_order),
      cmocka_unit_test(test_both_places_are_told),
      cmocka_unit_test(test_writes_of_one_warp),
      cmocka_unit_test(test_read_after_write),
      cmocka_unit_test(test_nothing_was_written),
      cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_time_wraps),
      cmocka_unit_test(test_long_intervals),
      cmocka_unit_test(test_atomic_accesses),
      cmocka_unit_test(test_loops_of_reads),
      cmocka_unit_test(test_long_loops),
      cmocka_unit_test(test_blocks_follow),
  };
  int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
  is_narrow = true;
  return n_failed + cmocka_run_group_tests(tests, NULL, NULL);
}
