// SPDX-License-Identifier: Apache-2.0
// The block scheduler: strands of one block, resumed round robin.
//
//   start every strand, each runs until it suspends or ends
//   while strands live:
//     for each, in order: resume it if what it waits for has happened
//     a whole round in which nobody got further: stuck
//
// Note [Stuck workers]
// A strand that waits for a barrier can only be released by its own block, one
// that yields waits for memory that another block may write. So a block whose
// strands all wait for barriers is deadlocked at once. If some yield, the
// worker counts itself as stuck and goes on polling; a deadlock is only when
// all workers that have a block are stuck, and nobody got further (`epoch`)
// for a number of rounds and some time. Trace of why the epoch is needed:
//
//   worker A: round without progress, n_stuck = 1
//   worker B: writes the flag, ends its block, n_active = 1
//   worker A: n_stuck == n_active, but epoch has changed: starts counting
//             again, sees the flag, goes on
//
// Note [Seeded schedules]
// In the stress build strands are resumed in another order each round, and in
// every fourth round some are left out. $HD_SEED and the block's number decide,
// so a failure comes again with the seed.
#include "rt/cpu/cpu_worker.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STUCK_ROUNDS = 256 };

static const int64_t stuck_ns = INT64_C(100000000);

typedef void (*ResumeFunction)(void *frame);

static bool frame_is_done(void *frame) {
  ResumeFunction resume;
  memcpy(&resume, frame, sizeof resume);
  return resume == NULL;
}

static void frame_resume(void *frame) {
  ResumeFunction resume;
  memcpy(&resume, frame, sizeof resume);
  resume(frame);
}

void cpu_block_index(const int32_t grid[3], int64_t linear, int32_t index[3]) {
  index[0] = (int32_t)(linear % grid[0]);
  index[1] = (int32_t)(linear / grid[0] % grid[1]);
  index[2] = (int32_t)(linear / grid[0] / grid[1]);
}

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// What a worker remembers while its block gets no further.
typedef struct {
  bool is_stuck;
  int rounds;
  uint64_t epoch;
  int64_t since_ns;
} Stuck;

static void stuck_leave(CpuRun *run, Stuck *stuck) {
  if (!stuck->is_stuck)
    return;
  atomic_fetch_sub(&run->n_stuck, 1);
  atomic_fetch_add(&run->epoch, 1);
  *stuck = (Stuck){0};
}

// One more round without progress. True: nobody will ever get further.
static bool stuck_round(CpuRun *run, Stuck *stuck) {
  uint64_t epoch = atomic_load(&run->epoch);
  if (!stuck->is_stuck) {
    *stuck = (Stuck){true, 0, epoch, now_ns()};
    atomic_fetch_add(&run->n_stuck, 1);
  }
  if (epoch != stuck->epoch) {
    stuck->rounds = 0;
    stuck->epoch = epoch;
    stuck->since_ns = now_ns();
  }
  sched_yield();
  return ++stuck->rounds > STUCK_ROUNDS &&
         atomic_load(&run->n_stuck) >= atomic_load(&run->n_active) &&
         now_ns() - stuck->since_ns > stuck_ns;
}

static bool wait_is_over(const HdCpuWait *wait) {
  return !wait->word ||
         __atomic_load_n(wait->word, __ATOMIC_ACQUIRE) != wait->value;
}

// ----------------------------------------------- Note [Seeded schedules]

#ifdef HD_STRESS
static uint64_t roll(CpuWorker *worker) { // SplitMix64
  uint64_t x = worker->dice += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

static void seed_schedule(CpuWorker *worker, int64_t linear) {
  const char *seed = getenv("HD_SEED");
  worker->dice = (seed ? strtoull(seed, NULL, 10) : 0) << 32;
  worker->dice ^= (uint64_t)linear;
}

static void shuffle(CpuWorker *worker, uint32_t n_live) {
  for (uint32_t i = n_live; i > 1; i--) {
    uint32_t other = (uint32_t)(roll(worker) % i);
    uint32_t strand = worker->live[i - 1];
    worker->live[i - 1] = worker->live[other];
    worker->live[other] = strand;
  }
}

static int compare_strands(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort_live(CpuWorker *worker, uint32_t n_live) {
  qsort(worker->live, n_live, sizeof(uint32_t), compare_strands);
}
#else
static uint64_t roll(CpuWorker *worker) {
  (void)worker;
  return 1;
}

static void seed_schedule(CpuWorker *worker, int64_t linear) {
  (void)worker, (void)linear;
}

static void shuffle(CpuWorker *worker, uint32_t n_live) {
  (void)worker, (void)n_live;
}

static void sort_live(CpuWorker *worker, uint32_t n_live) {
  (void)worker, (void)n_live;
}
#endif

// ------------------------------------------------------------------ rounds

// Resumes whoever can go on; keeps those that live, in order.
typedef struct {
  bool advanced;   // a wait ended or a strand ended
  bool yields;     // somebody waits for memory
  bool is_partial; // some were left out
} Round;

static Round run_round(CpuWorker *worker, uint32_t *n_live) {
  Round round = {.is_partial = roll(worker) % 4 == 0};
  uint32_t kept = 0;
  shuffle(worker, *n_live);
  for (uint32_t i = 0; i < *n_live; i++) {
    uint32_t strand = worker->live[i];
    HdCpuWait *wait = &worker->waits[strand];
    bool is_left_out = round.is_partial && roll(worker) % 2 == 0;
    if (!is_left_out && wait_is_over(wait)) {
      round.advanced |= wait->word != NULL;
      frame_resume(worker->frames[strand]);
      if (frame_is_done(worker->frames[strand])) {
        round.advanced = true;
        continue;
      }
    }
    round.yields |= wait->word == NULL;
    worker->live[kept++] = strand;
  }
  *n_live = kept;
  return round;
}

static uint32_t start_strands(CpuWorker *worker) {
  const HdCpuKernel *kernel = worker->run->kernel;
  uint32_t n_live = 0;
  for (uint32_t s = 0; s < kernel->n_strands; s++) {
    worker->frames[s] =
        kernel->start(&worker->run->launch, &worker->block, (int32_t)s);
    if (worker->frames[s] && !frame_is_done(worker->frames[s]))
      worker->live[n_live++] = s;
  }
  return n_live;
}

static void begin_block(CpuWorker *worker, int64_t linear) {
  const HdCpuKernel *kernel = worker->run->kernel;
  worker->block.linear = linear;
  cpu_block_index(worker->run->launch.grid, linear, worker->block.index);
  seed_schedule(worker, linear);
  if (kernel->n_barriers > 0)
    memset(worker->barriers, 0, kernel->n_barriers * sizeof(HdCpuBarrier));
  for (CpuChunk *chunk = worker->chunks; chunk; chunk = chunk->next)
    chunk->used_bytes = 0;
  worker->current = worker->chunks;
}

static void fail_deadlock(CpuWorker *worker, uint32_t n_live) {
  RtError error;
  sort_live(worker, n_live);
  cpu_report_deadlock(worker, n_live, &error);
  cpu_run_fail(worker->run, HD_ERROR_DEADLOCK, error.text);
}

void cpu_block_run(CpuWorker *worker, int64_t linear) {
  CpuRun *run = worker->run;
  begin_block(worker, linear);
  uint32_t n_live = start_strands(worker);
  Stuck stuck = {0};
  while (n_live > 0 && !cpu_run_stopped(run)) {
    uint64_t before = worker->block.progress;
    Round round = run_round(worker, &n_live);
    if (round.advanced || worker->block.progress != before) {
      stuck_leave(run, &stuck);
    } else if (round.is_partial) {
      continue;
    } else if (!round.yields || stuck_round(run, &stuck)) {
      fail_deadlock(worker, n_live);
      break;
    }
  }
  stuck_leave(run, &stuck);
}
