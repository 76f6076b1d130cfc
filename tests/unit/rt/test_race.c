// SPDX-License-Identifier: Apache-2.0
// The race detector by itself: pairs of accesses, ordered and not.
#include "rt/cpu/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka last: it needs the headers above.
#include <cmocka.h>

enum { N_THREADS = 96, N_AGENTS = 4 };

enum {
  READ,
  WRITE,
  LOAD,
  STORE,
  RMW,
  ACQUIRE,
  RELEASE,
  BLOCK_RMW,
  READ2,
  TMA,
  WRITE1,
  N_SITES
};

static const RaceSite sites[N_SITES] = {
    [READ] = {.place = "k.hd:1:1", .size_bytes = 4},
    [WRITE] = {.place = "k.hd:2:1", .kind = RACE_WRITES, .size_bytes = 4},
    [LOAD] = {.place = "k.hd:3:1", .kind = RACE_ATOMIC, .size_bytes = 4},
    [STORE] = {.place = "k.hd:4:1",
               .kind = RACE_ATOMIC | RACE_WRITES,
               .size_bytes = 4},
    [RMW] = {.place = "k.hd:5:1",
             .kind = RACE_ATOMIC | RACE_WRITES | RACE_RMW,
             .size_bytes = 4},
    [ACQUIRE] = {.place = "k.hd:6:1",
                 .kind = RACE_ATOMIC,
                 .size_bytes = 4,
                 .acquires = true},
    [RELEASE] = {.place = "k.hd:7:1",
                 .kind = RACE_ATOMIC | RACE_WRITES,
                 .size_bytes = 4,
                 .releases = true},
    [BLOCK_RMW] = {.place = "k.hd:8:1",
                   .kind =
                       RACE_ATOMIC | RACE_WRITES | RACE_RMW | RACE_BLOCK_SCOPE,
                   .size_bytes = 4},
    [READ2] = {.place = "k.hd:9:1", .size_bytes = 4},
    [TMA] = {.place = "k.hd:10:1",
             .kind = RACE_WRITES | RACE_ASYNC,
             .size_bytes = 4},
    [WRITE1] = {.place = "k.hd:11:1", .kind = RACE_WRITES, .size_bytes = 1},
};

static const int32_t grid[3] = {8, 1, 1}, block_dim[3] = {N_THREADS, 1, 1};

// Two blocks, a global array at 4096 and a shared one at 0 of each block.
typedef struct {
  Race *race;
  RaceBlock *a, *b;
} World;

static const RaceArray shared = {.name = "tile",
                                 .space = "shared",
                                 .size_bytes = 1024,
                                 .element_bytes = 4,
                                 .cell_bytes = 4,
                                 .rank = 1,
                                 .extents = {256},
                                 .strides = {1},
                                 .starts_empty = true};

enum { GLOBAL_BASE = 4096, SHARED_A = 0x10000, SHARED_B = 0x20000 };

static World world_new(void) {
  RaceConfig config = {.n_threads = N_THREADS,
                       .n_agents = N_AGENTS,
                       .max_reports = 20,
                       .grid = grid,
                       .block_dim = block_dim,
                       .sites = sites,
                       .n_sites = N_SITES};
  World w = {.race = race_new(&config)};
  RaceArray array = {.name = "a",
                     .space = "global",
                     .base = GLOBAL_BASE,
                     .size_bytes = 4096,
                     .element_bytes = 4,
                     .cell_bytes = 4,
                     .rank = 2,
                     .extents = {32, 32},
                     .strides = {32, 1}};
  assert_non_null(w.race);
  assert_int_equal(race_add_array(w.race, &array), 0);
  w.a = race_block_start(w.race, 0, SHARED_A, &shared, 1);
  w.b = race_block_start(w.race, 1, SHARED_B, &shared, 1);
  assert_true(w.a && w.b);
  return w;
}

static void world_free(World *w) {
  assert_false(race_failed(w->race));
  race_free(w->race);
}

// Thread `thread` accesses element `index` of the global array.
static void at(RaceBlock *block, int site, uint32_t thread, uint32_t index) {
  uint64_t addresses[32];
  for (int i = 0; i < 32; i++)
    addresses[i] = GLOBAL_BASE + index * 4;
  assert_int_equal(race_access(block, &sites[site], thread / 32,
                               1u << thread % 32, addresses),
                   0);
}

static uint64_t found(World *w) {
  return race_n_found(w->race);
}

static void a_pair_without_order_is_a_race(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, WRITE, 3, 36);
  at(w.a, READ, 4, 36);
  assert_int_equal(race_n_reports(w.race), 1);
  assert_string_equal(
      race_report(w.race, 0),
      "k.hd:1:1: error[HD0601]: data race on global array 'a'\n"
      "  thread 3 of block (0, 0, 0) writes a[1][4] at k.hd:2:1\n"
      "  thread 4 of block (0, 0, 0) reads a[1][4] at k.hd:1:1\n"
      "  no barrier of a group with both threads lies between them\n");
  world_free(&w);
}

static void kinds_of_conflict(void **state) {
  (void)state;

  static const struct {
    int first, second;
    bool is_race;
  } rows[] = {
      {READ, READ, false}, {READ, WRITE, true},
      {WRITE, READ, true}, {WRITE, WRITE, true},
      {LOAD, READ, false}, {LOAD, WRITE, true},
      {STORE, READ, true}, {RMW, RMW, false},
      {RMW, STORE, false}, {RMW, LOAD, false},
      {RMW, READ, true},   {READ, RMW, true},
      {WRITE, RMW, true},  {RMW, WRITE, true},
      {LOAD, LOAD, false}, {BLOCK_RMW, BLOCK_RMW, false},
  };

  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    World w = world_new();
    at(w.a, rows[i].first, 1, 0);
    at(w.a, rows[i].second, 1, 0); // its own past
    assert_int_equal(found(&w), 0);
    at(w.a, rows[i].second, 40, 0);
    assert_int_equal(found(&w) > 0, rows[i].is_race);
    world_free(&w);
    w = world_new();
    at(w.a, rows[i].first, 1, 0);
    race_sync(w.a, NULL);
    at(w.a, rows[i].second, 40, 0);
    assert_int_equal(found(&w), 0);
    world_free(&w);
  }
}

static void block_scope_is_not_enough_between_blocks(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, RMW, 1, 0);
  at(w.b, RMW, 1, 0);
  assert_int_equal(found(&w), 0);
  at(w.a, BLOCK_RMW, 1, 1);
  at(w.b, RMW, 1, 1);
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

static void a_barrier_of_others_orders_nothing(void **state) {
  (void)state;
  World w = world_new();
  uint32_t members[3] = {0x0000000f, 0, 0x1};
  at(w.a, WRITE, 2, 0);
  at(w.a, WRITE, 5, 1);
  race_sync(w.a, members);
  at(w.a, READ, 64, 0); // thread 64 and 2 were members
  assert_int_equal(found(&w), 0);
  at(w.a, READ, 64, 1); // thread 5 wasn't
  assert_int_equal(found(&w), 1);
  at(w.a, READ2, 4, 0); // nor was thread 4
  assert_int_equal(found(&w), 2);
  world_free(&w);
}

static void lanes_are_not_ordered_by_lockstep(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, WRITE, 0, 0);
  race_sync_warp(w.a, 0, 0x3);
  at(w.a, READ, 1, 0);
  assert_int_equal(found(&w), 0);
  at(w.a, READ, 2, 0);
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

// The write comes after both readers' barrier with it, or after one's.
static void all_readers_count(void **state) {
  (void)state;
  World w = world_new();
  for (uint32_t t = 0; t < N_THREADS; t++)
    at(w.a, READ, t, 7);
  uint32_t members[3] = {0xffffffff, 0xffffffff, 0x7fffffff};
  race_sync(w.a, members);
  at(w.a, READ2, 0, 7); // must not hide thread 95
  at(w.a, WRITE, 0, 7);
  assert_int_equal(found(&w), 1);
  assert_non_null(strstr(race_report(w.race, 0), "thread 95"));
  world_free(&w);
  w = world_new();
  for (uint32_t t = 0; t < N_THREADS; t++)
    at(w.a, READ, t, 7);
  race_sync(w.a, NULL);
  at(w.a, WRITE, 0, 7);
  assert_int_equal(found(&w), 0);
  world_free(&w);
}

static void order_passes_on(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, WRITE, 0, 0);
  race_sync_warp(w.a, 0, 0x3);                // 0 and 1
  race_sync(w.a, (uint32_t[3]){0x2, 0x1, 0}); // 1 and 32
  race_sync(w.a, (uint32_t[3]){0, 0x1, 0x1}); // 32 and 64
  at(w.a, WRITE, 64, 0);
  assert_int_equal(found(&w), 0);
  at(w.a, READ, 0, 0);
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

static bool is_before(World *w, uint32_t thread, uint32_t clock,
                      uint32_t releaser) {
  RaceSync sync = {0};
  race_release(w->a, releaser, &sync);
  bool result = race_sync_is_after(w->a, &sync, thread, clock);
  race_sync_clear(w->race, &sync);
  return result;
}

// Threads of a collective have waited for each other, and learnt nothing.
static void a_meeting_orders_time_only(void **state) {
  (void)state;
  World w = world_new();
  uint32_t clock = race_thread_clock(w.a, 0);
  at(w.a, WRITE, 0, 0);
  assert_false(is_before(&w, 0, clock, 1));
  race_meet_warp(w.a, 0, 0x3);
  assert_true(is_before(&w, 0, clock, 1));
  assert_false(is_before(&w, 0, clock, 2)); // wasn't there
  assert_false(is_before(&w, 0, race_thread_clock(w.a, 0), 1));
  race_meet(&w.a, 1, (uint32_t[3]){0x2, 0x1, 0}); // 1 and 32
  assert_true(is_before(&w, 0, clock, 32));
  assert_false(is_before(&w, 0, clock, 64));
  at(w.a, READ, 32, 0);
  assert_int_equal(found(&w), 1);
  at(w.a, READ2, 1, 0);
  assert_int_equal(found(&w), 2);
  race_sync(w.a, NULL); // time passes on where memory does
  assert_true(is_before(&w, 0, clock, 64));
  world_free(&w);
}

static void a_meeting_of_blocks_orders_time_only(void **state) {
  (void)state;
  World w = world_new();
  uint32_t clock = race_thread_clock(w.a, 3);
  RaceSync sync = {0};
  at(w.a, WRITE, 3, 5);
  race_meet((RaceBlock *[2]){w.a, w.b}, 2, NULL);
  race_release(w.b, 40, &sync);
  assert_true(race_sync_is_after(w.a, &sync, 3, clock));
  race_sync_clear(w.race, &sync);
  at(w.b, READ, 40, 5);
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

// A phase that others waited for is over for those who have met them.
static void what_is_over_is_passed_on_by_meetings(void **state) {
  (void)state;
  World w = world_new();
  RaceSync sync = {0};
  race_agent_release(w.a, 1, race_agent_clock(w.race), &sync);
  race_release(w.a, 70, &sync);
  assert_false(race_knows(w.a, 2, &sync));
  race_acquire(w.a, 1, &sync);
  assert_true(race_knows(w.a, 1, &sync));
  race_meet_warp(w.a, 0, 0x6);
  assert_true(race_knows(w.a, 2, &sync));
  assert_false(race_knows(w.a, 3, &sync));
  race_sync_clear(w.race, &sync);
  world_free(&w);
}

static void blocks_are_ordered_by_atomics_and_grid(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, WRITE, 5, 0);
  at(w.a, RELEASE, 5, 1);
  at(w.b, LOAD, 9, 1); // relaxed: nothing is acquired
  at(w.b, ACQUIRE, 8, 1);
  at(w.b, READ, 8, 0);
  assert_int_equal(found(&w), 0);
  at(w.b, READ, 9, 0);
  assert_int_equal(found(&w), 1);
  world_free(&w);
  w = world_new();
  at(w.a, WRITE, 5, 0);
  race_sync_grid((RaceBlock *[]){w.a, w.b}, 2);
  at(w.b, WRITE, 9, 0);
  assert_int_equal(found(&w), 0);
  at(w.a, READ, 5, 0);
  assert_int_equal(found(&w), 1);
  world_free(&w);
  w = world_new();
  at(w.a, WRITE, 5, 0);
  race_sync_cluster((RaceBlock *[]){w.a, w.b}, 2);
  at(w.b, WRITE, 9, 0);
  assert_int_equal(found(&w), 0);
  world_free(&w);
}

static void fences_make_relaxed_atomics_order(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, WRITE, 5, 0);
  race_fence(w.a, 0, 1u << 5, false);
  at(w.a, STORE, 5, 1);
  at(w.b, LOAD, 8, 1);
  at(w.b, READ, 9, 2);
  race_fence(w.b, 0, 1u << 8, false);
  at(w.b, READ, 8, 0);
  assert_int_equal(found(&w), 0);
  world_free(&w);
  w = world_new();
  at(w.a, WRITE, 5, 0);
  at(w.a, STORE, 5, 1); // no fence before it
  at(w.b, LOAD, 8, 1);
  race_fence(w.b, 0, 1u << 8, false);
  at(w.b, READ, 8, 0);
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

// Writer and reader in blocks; either one's fence may be of its block only.
static uint64_t handed_over(bool is_other_block, bool is_near_release,
                            bool is_near_acquire) {
  World w = world_new();
  RaceBlock *reader = is_other_block ? w.b : w.a;
  at(w.a, WRITE, 5, 0);
  race_fence(w.a, 0, 1u << 5, is_near_release);
  at(w.a, STORE, 5, 1);
  at(reader, LOAD, 8, 1);
  race_fence(reader, 0, 1u << 8, is_near_acquire);
  at(reader, READ, 8, 0);
  uint64_t n = found(&w);
  world_free(&w);
  return n;
}

static void fences_of_a_block_order_nothing_else(void **state) {
  (void)state;
  for (int near = 0; near < 4; near++) {
    assert_int_equal(handed_over(false, near & 1, near & 2), 0);
    assert_int_equal(handed_over(true, near & 1, near & 2), near != 0);
  }
}

// A store in between ends a release sequence, an update goes on with it.
static void release_sequences(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, WRITE, 5, 0);
  at(w.a, RELEASE, 5, 1);
  at(w.a, RMW, 6, 1);
  at(w.b, ACQUIRE, 8, 1);
  at(w.b, READ, 8, 0);
  assert_int_equal(found(&w), 0);
  world_free(&w);
  w = world_new();
  at(w.a, WRITE, 5, 0);
  at(w.a, RELEASE, 5, 1);
  at(w.a, STORE, 6, 1);
  at(w.b, ACQUIRE, 8, 1);
  at(w.b, READ, 8, 0);
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

static void arrivals_order_waiters(void **state) {
  (void)state;
  World w = world_new();
  RaceSync phase = {0};
  at(w.a, WRITE, 5, 0);
  race_release(w.a, 5, &phase);
  at(w.a, WRITE, 6, 1);
  race_release(w.a, 6, &phase);
  at(w.a, WRITE, 6, 2); // after its arrival
  race_acquire(w.a, 70, &phase);
  at(w.a, WRITE, 70, 0);
  at(w.a, WRITE, 70, 1);
  assert_int_equal(found(&w), 0);
  at(w.a, READ, 70, 2);
  assert_int_equal(found(&w), 1);
  race_sync_clear(w.race, &phase);
  world_free(&w);
}

static void shared_memory_starts_empty_in_every_block(void **state) {
  (void)state;
  World w = world_new();
  uint64_t row = SHARED_A;
  assert_int_equal(race_access_row(w.a, &sites[WRITE], 0, 0xffffffff, row, 4),
                   0);
  assert_int_equal(race_access_row(w.a, &sites[READ], 0, 0xffffffff, row, 4),
                   0);
  assert_int_equal(found(&w), 0);
  race_access_row(w.a, &sites[READ], 0, 1, row + 400, 4);
  assert_int_equal(found(&w), 1);
  assert_non_null(strstr(race_report(w.race, 0), "tile[100]"));
  race_block_end(w.a);
  w.a = race_block_start(w.race, 2, SHARED_A, &shared, 1);
  race_access_row(w.a, &sites[READ2], 1, 1, row, 4);
  assert_int_equal(found(&w), 2); // not a race with the block before
  assert_non_null(strstr(race_report(w.race, 1), "HD0602"));
  world_free(&w);
}

// Whole rows take another way than single lanes: the same must come out.
static void rows_and_lanes_agree(void **state) {
  (void)state;
  static const int kinds[] = {READ, WRITE, RMW};
  for (uint32_t seed = 1; seed < 2000; seed++) {
    World w = world_new(), v = world_new();
    uint32_t random = seed * 2654435761u;
    for (int i = 0; i < 12; i++) {
      random = random * 1664525 + 1013904223;
      uint32_t warp = random >> 8 & 1, from = random >> 10 & 7;
      uint32_t mask = random >> 27 & 1 ? 0xffffffff : random | 1;
      const RaceSite *site = &sites[kinds[(random >> 14) % 3]];
      uint64_t base = SHARED_A + from * 4, step = random >> 20 & 1 ? 4 : 0;
      uint64_t addresses[32];
      for (uint32_t k = 0; k < 32; k++)
        addresses[k] = base + k * step;
      if (step)
        race_access_row(w.a, site, warp, mask, base, 4);
      else
        race_access_same(w.a, site, warp, mask, base);
      race_access(v.a, site, warp, mask, addresses);
      assert_int_equal(race_n_reports(w.race), race_n_reports(v.race));
      if ((random >> 22 & 3) == 0) {
        race_sync(w.a, NULL);
        race_sync(v.a, NULL);
      } else if ((random >> 22 & 3) == 1) {
        race_sync_warp(w.a, warp, random);
        race_sync_warp(v.a, warp, random);
      }
    }
    world_free(&w);
    world_free(&v);
  }
}

static void outside_is_told_by_lane(void **state) {
  (void)state;
  World w = world_new();
  uint32_t outside =
      race_access_row(w.a, &sites[WRITE], 0, 0xf, GLOBAL_BASE + 4096 - 8, 4);
  assert_int_equal(outside, 0xc);
  outside = race_access_row(w.a, &sites[WRITE], 0, 0x1, GLOBAL_BASE - 2, 4);
  assert_int_equal(outside, 0x1);
  world_free(&w);
}

static void bytes_of_an_element_are_apart(void **state) {
  (void)state;
  World w = world_new();
  at(w.a, WRITE, 0, 1);
  race_sync(w.a, NULL);
  uint64_t base = GLOBAL_BASE + 4;
  race_access_row(w.a, &sites[WRITE1], 0, 0xf, base, 1); // lanes 0 to 3
  assert_int_equal(found(&w), 0);
  race_access_row(w.a, &sites[WRITE1], 1, 0x1, base + 3, 1);
  assert_int_equal(found(&w), 1);
  at(w.a, READ, 0, 0); // other elements have kept their past
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

static void copies_are_known_by_their_wait(void **state) {
  (void)state;
  World w = world_new();
  uint64_t address = GLOBAL_BASE;
  RaceSync phase = {0};
  assert_true(race_access_agent(w.a, &sites[TMA], 0, 1, 0, 1, address, 64));
  race_sync(w.a, NULL); // a barrier doesn't wait for copies
  at(w.a, READ, 0, 3);
  assert_int_equal(found(&w), 1);
  world_free(&w);
  w = world_new();
  race_access_agent(w.a, &sites[TMA], 0, 1, 0, 1, address, 64);
  race_agent_release(w.a, 0, 1, &phase);
  race_acquire(w.a, 40, &phase);
  at(w.a, READ, 40, 3);
  assert_int_equal(found(&w), 0);
  // Refilled while another thread may still read it.
  race_acquire(w.a, 0, &phase);
  race_access_agent(w.a, &sites[TMA], 0, 1, 0, 2, address, 64);
  assert_int_equal(found(&w), 1);
  race_sync_clear(w.race, &phase);
  world_free(&w);
}

static void the_copy_engine_needs_fences(void **state) {
  (void)state;
  World w = world_new();
  static const RaceSite *tma = &sites[TMA];
  at(w.a, WRITE, 3, 0);
  race_fence_async(w.a, 0, 1u << 3);
  race_sync(w.a, NULL);
  race_access_agent(w.a, tma, 0, 1, 0, 1, GLOBAL_BASE, 4);
  assert_int_equal(found(&w), 0);
  at(w.a, WRITE, 3, 4);
  race_sync(w.a, NULL);
  race_access_agent(w.a, tma, 0, 1, 0, 1, GLOBAL_BASE + 16, 4);
  assert_int_equal(found(&w), 1);
  assert_non_null(strstr(race_report(w.race, 0), "fence_async()"));
  race_fence_async(w.a, 0, 1); // by the issuer, after the barrier
  at(w.a, WRITE, 3, 8);
  race_sync(w.a, NULL);
  race_fence_async(w.a, 0, 1);
  race_access_agent(w.a, tma, 0, 1, 1, 1, GLOBAL_BASE + 32, 4);
  assert_int_equal(found(&w), 1);
  world_free(&w);
}

// 32 elements of each warp; the records of one, and of all, take few bytes.
static void records_are_small(void **state) {
  (void)state;
  World w = world_new();
  assert_int_equal(race_touched_elements(w.race), 0);
  uint64_t empty = race_bytes(w.race);
  for (uint32_t i = 0; i < 1024; i += 32) {
    uint64_t base = GLOBAL_BASE + i * 4;
    race_access_row(w.a, &sites[READ], 0, UINT32_MAX, base, 4);
    race_access_row(w.a, &sites[WRITE], 0, UINT32_MAX, base, 4);
  }
  race_access_row(w.a, &sites[READ], 0, UINT32_MAX, GLOBAL_BASE, 4); // again
  assert_int_equal(race_touched_elements(w.race), 1024);
  assert_true(race_bytes(w.race) - empty <= UINT64_C(1024) * 16);
  assert_int_equal(found(&w), 0);
  world_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pair_without_order_is_a_race),
      cmocka_unit_test(kinds_of_conflict),
      cmocka_unit_test(block_scope_is_not_enough_between_blocks),
      cmocka_unit_test(a_barrier_of_others_orders_nothing),
      cmocka_unit_test(lanes_are_not_ordered_by_lockstep),
      cmocka_unit_test(all_readers_count),
      cmocka_unit_test(order_passes_on),
      cmocka_unit_test(a_meeting_orders_time_only),
      cmocka_unit_test(a_meeting_of_blocks_orders_time_only),
      cmocka_unit_test(what_is_over_is_passed_on_by_meetings),
      cmocka_unit_test(blocks_are_ordered_by_atomics_and_grid),
      cmocka_unit_test(fences_make_relaxed_atomics_order),
      cmocka_unit_test(fences_of_a_block_order_nothing_else),
      cmocka_unit_test(release_sequences),
      cmocka_unit_test(arrivals_order_waiters),
      cmocka_unit_test(shared_memory_starts_empty_in_every_block),
      cmocka_unit_test(rows_and_lanes_agree),
      cmocka_unit_test(outside_is_told_by_lane),
      cmocka_unit_test(bytes_of_an_element_are_apart),
      cmocka_unit_test(copies_are_known_by_their_wait),
      cmocka_unit_test(the_copy_engine_needs_fences),
      cmocka_unit_test(records_are_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
