// SPDX-License-Identifier: Apache-2.0
// The scheduler: strands of the blocks that one worker runs together (a gang),
// resumed round robin. A gang is one block, the blocks of a cluster, or, in a
// kernel that syncs the grid, the worker's share of it.
//
//   start every strand, each runs until it suspends or ends
//   while strands live:
//     for each, in order: resume it if what it waits for has happened
//     a whole round in which nobody got further: stuck
//
// Note [Stuck workers]
// A strand that waits for a barrier of its block or cluster can only be
// released by its own gang; one that looks at memory, or waits for a semaphore
// or the grid, by another worker too. So a gang whose strands all wait for
// barriers of their own is deadlocked at once. Otherwise the worker counts
// itself as stuck and goes on polling; a deadlock is only when all workers
// that have a gang are stuck, and nobody got further (`epoch`) for a number of
// rounds and some time. Trace of why the epoch is needed:
//
//   worker A: round without progress, n_stuck = 1
//   worker B: writes the flag, ends its block, n_active = 1
//   worker A: n_stuck == n_active, but epoch has changed: starts counting
//             again, sees the flag, goes on
//
// Note [Schedules]
// Under a schedule one worker runs everything; the order of strands in each
// round, who of those that could go on does, and when pending copies land are
// drawn from the seed. So a run is repeated exactly by its seed. A few blocks
// run together, started in increasing order. In half of the runs one strand is
// late: what goes wrong only where others get far ahead of one shows so.
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_trace.h"
#include "rt/cpu/cpu_worker.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A loop that polls is suspended in every TURNS_A_ROUND-th turn, or, where
// lanes run apart, in every one.
enum { STUCK_ROUNDS = 256, SPIN_ROUNDS = 128, TURNS_A_ROUND = 64 };

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

static void resume_strand(CpuWorker *worker, CpuLive live) {
  void *frame = worker->blocks[live.block].frames[live.strand];
  if (!worker->run->trace) {
    frame_resume(frame);
    return;
  }
  cpu_trace_run(worker, live);
  frame_resume(frame);
  cpu_trace_stop(worker, live, frame_is_done(frame));
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

// ------------------------------------------------------------------ stuck

// What a worker remembers while its gang gets no further.
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

static void spin(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static int32_t threads_of_block(const HdCpuKernel *kernel) {
  return kernel->block_dim[0] * kernel->block_dim[1] * kernel->block_dim[2];
}

static int stuck_rounds(const CpuRun *run) {
  const HdCpuKernel *kernel = run->kernel;
  bool is_apart = run->is_scheduled &&
                  kernel->n_strands == (uint32_t)threads_of_block(kernel);
  return is_apart ? STUCK_ROUNDS * TURNS_A_ROUND : STUCK_ROUNDS;
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
  if (stuck->rounds < SPIN_ROUNDS)
    spin();
  else
    sched_yield();
  bool all_run = run->n_gangs == 0 ||
                 atomic_load(&run->next_block) >= run->launch.n_blocks;
  return ++stuck->rounds > stuck_rounds(run) && all_run &&
         atomic_load(&run->n_stuck) >= atomic_load(&run->n_active) &&
         now_ns() - stuck->since_ns > stuck_ns;
}

// ------------------------------------------------------------------ rounds

static bool wait_is_over(CpuWorker *worker, const HdCpuWait *wait) {
  if (!wait->word)
    return true;
  if (wait->kind == HD_CPU_WAIT_MBARRIER) {
    HdCpuMbarrier *barrier = wait->object;
    if (barrier->n_copies > 0)
      cpu_copies_for(worker, barrier);
  }
  int32_t now = __atomic_load_n(wait->word, __ATOMIC_ACQUIRE);
  return wait->kind == HD_CPU_WAIT_SEMAPHORE ? now == wait->value
                                             : now != wait->value;
}

// Others than this gang may end the wait.
static bool is_outside(const HdCpuWait *wait) {
  return wait->kind == HD_CPU_WAIT_TURN || wait->kind == HD_CPU_WAIT_GRID ||
         wait->kind == HD_CPU_WAIT_SEMAPHORE;
}

// Resumes whoever can go on; keeps those that live, in order.
typedef struct {
  bool advanced;   // a wait ended or a strand ended
  bool is_outside; // somebody waits for what others may do
} Round;

static Round cpu_gang_run_round(CpuWorker *worker) {
  Round round = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < worker->n_live; i++) {
    CpuLive live = worker->live[i];
    CpuBlock *block = &worker->blocks[live.block];
    HdCpuWait *wait = &block->abi.waits[live.strand];
    if (wait_is_over(worker, wait)) {
      round.advanced |= wait->word != NULL;
      resume_strand(worker, live);
      if (frame_is_done(block->frames[live.strand])) {
        round.advanced = true;
        continue;
      }
    }
    round.is_outside |= is_outside(wait);
    worker->live[kept++] = live;
  }
  worker->n_live = kept;
  return round;
}

static void cpu_gang_shuffle(CpuWorker *worker) {
  for (uint32_t i = worker->n_live; i > 1; i--) {
    uint32_t k = cpu_draw(worker, i);
    CpuLive live = worker->live[k];
    worker->live[k] = worker->live[i - 1];
    worker->live[i - 1] = live;
  }
}

static void draw_late(CpuWorker *worker) {
  uint32_t n = worker->run->kernel->n_strands;
  worker->is_late_drawn = n > 1 && cpu_draw(worker, 2) == 0;
  if (worker->is_late_drawn)
    worker->late =
        (CpuLive){cpu_draw(worker, worker->n_blocks), cpu_draw(worker, n)};
}

static bool is_resumed(CpuWorker *worker, CpuLive live) {
  bool is_late = worker->is_late_drawn && live.block == worker->late.block &&
                 live.strand == worker->late.strand;
  return is_late ? cpu_draw(worker, 16) == 0 : cpu_draw(worker, 4) != 0;
}

// As cpu_gang_run_round, in an order and with pauses that are drawn.
static Round run_scheduled(CpuWorker *worker) {
  Round round = {0};
  uint32_t kept = 0;
  cpu_gang_shuffle(worker);
  for (uint32_t i = 0; i < worker->n_live; i++) {
    CpuLive live = worker->live[i];
    CpuBlock *block = &worker->blocks[live.block];
    HdCpuWait *wait = &block->abi.waits[live.strand];
    if (worker->n_pending > 0)
      cpu_copies_some(worker);
    if (wait_is_over(worker, wait)) {
      round.advanced |= wait->word != NULL;
      if (is_resumed(worker, live))
        resume_strand(worker, live);
      if (frame_is_done(block->frames[live.strand])) {
        round.advanced = true;
        continue;
      }
    }
    round.is_outside |= is_outside(wait);
    worker->live[kept++] = live;
  }
  worker->n_live = kept;
  return round;
}

// -------------------------------------------------------------- coalesced

static HdCpuCoalesced *coalesced_of(const CpuWorker *worker, CpuLive live) {
  const HdCpuWait *wait = &worker->blocks[live.block].abi.waits[live.strand];
  HdCpuCoalesced *record = wait->object;
  return wait->kind == HD_CPU_WAIT_COALESCED && !record->is_known ? record
                                                                  : NULL;
}

static int compare_keys(const HdCpuCoalesced *a, const HdCpuCoalesced *b) {
  uint32_t n = a->n_keys < b->n_keys ? a->n_keys : b->n_keys;
  for (uint32_t i = 0; i < n; i++)
    if (a->keys[i] != b->keys[i])
      return a->keys[i] < b->keys[i] ? -1 : 1;
  return a->n_keys < b->n_keys ? -1 : a->n_keys > b->n_keys;
}

static bool same_warp(const CpuWorker *worker, CpuLive a, CpuLive b) {
  const HdCpuStrand *strands = worker->run->kernel->strands;
  return a.block == b.block && strands[a.strand].warp == strands[b.strand].warp;
}

// Those of the first one's warp that are at the earliest place.
static void join_earliest(CpuWorker *worker, CpuLive first) {
  const HdCpuStrand *strands = worker->run->kernel->strands;
  const HdCpuCoalesced *least = NULL;
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < worker->n_live; i++) {
    CpuLive live = worker->live[i];
    const HdCpuCoalesced *record = coalesced_of(worker, live);
    if (!record || !same_warp(worker, live, first))
      continue;
    int order = least ? compare_keys(record, least) : -1;
    if (order > 0)
      continue;
    lanes = order < 0 ? 0 : lanes;
    least = record;
    lanes |= UINT32_C(1) << strands[live.strand].lane_begin;
  }
  for (uint32_t i = 0; i < worker->n_live; i++) {
    CpuLive live = worker->live[i];
    HdCpuCoalesced *record = coalesced_of(worker, live);
    if (!record || !same_warp(worker, live, first) ||
        (lanes >> strands[live.strand].lane_begin & 1) == 0)
      continue;
    record->lanes = lanes;
    record->is_known = 1;
  }
}

// Some of its warp have been told and haven't gone on yet: they may still come
// to where others wait.
static bool cpu_gang_is_joined(const CpuWorker *worker, CpuLive warp) {
  for (uint32_t i = 0; i < worker->n_live; i++) {
    CpuLive live = worker->live[i];
    const HdCpuWait *wait = &worker->blocks[live.block].abi.waits[live.strand];
    if (wait->kind == HD_CPU_WAIT_COALESCED && !coalesced_of(worker, live) &&
        same_warp(worker, live, warp))
      return true;
  }
  return false;
}

// Nobody can go on: of the threads of each warp that wait for their group to be
// known, those at the earliest place are told.
static bool join_coalesced(CpuWorker *worker) {
  CpuLive last = {0}; // whose warp was joined
  bool found = false;
  for (uint32_t i = 0; i < worker->n_live; i++) {
    CpuLive live = worker->live[i];
    if (!coalesced_of(worker, live) ||
        (found &&
         (same_warp(worker, live, last) || cpu_gang_is_joined(worker, live))))
      continue;
    join_earliest(worker, live);
    last = live;
    found = true;
  }
  return found;
}

// ------------------------------------------------------------------ blocks

static int64_t block_of_cluster(const HdCpuLaunch *launch, int64_t number,
                                int64_t rank) {
  const int32_t *grid = launch->grid, *by = launch->cluster;
  int32_t of[3] = {grid[0] / by[0], grid[1] / by[1], grid[2] / by[2]};
  int32_t cluster[3], inside[3];
  cpu_block_index(of, number, cluster);
  cpu_block_index(by, rank, inside);
  int64_t at[3];
  for (int k = 0; k < 3; k++)
    at[k] = (int64_t)cluster[k] * by[k] + inside[k];
  return at[0] + grid[0] * (at[1] + grid[1] * at[2]);
}

// False: out of memory, which the run has been told.
static bool begin_block(CpuWorker *worker, uint32_t i, int64_t position) {
  CpuRun *run = worker->run;
  const HdCpuKernel *kernel = run->kernel;
  CpuBlock *block = &worker->blocks[i];
  int64_t size = run->cluster_blocks;
  block->abi.cluster_number = position / size;
  block->abi.linear =
      size == 1
          ? position
          : block_of_cluster(&run->launch, position / size, position % size);
  cpu_block_index(run->launch.grid, block->abi.linear, block->abi.index);
  if (run->launch.resident)
    run->launch.resident[block->abi.linear] = block->abi.shared;
  if (kernel->n_barriers > 0)
    memset(block->abi.barriers, 0, kernel->n_barriers * sizeof(HdCpuBarrier));
  if (kernel->copy_kinds != 0) {
    size_t threads = (size_t)kernel->block_dim[0] *
                     (size_t)kernel->block_dim[1] *
                     (size_t)kernel->block_dim[2];
    memset(block->sets[0], 0, 3 * threads * sizeof(int32_t));
  }
  if (kernel->n_mbarriers > 0)
    cpu_mbarriers_init(worker, &block->abi);
  if (!kernel->has_checks || cpu_check_block_begin(run->check, &block->abi))
    return true;
  cpu_run_fail(run, HD_ERROR_MEMORY, "out of memory for checks");
  return false;
}

static uint64_t frame_bytes(const CpuWorker *worker) {
  uint64_t bytes = 0;
  for (const CpuChunk *chunk = worker->chunks; chunk; chunk = chunk->next)
    bytes += chunk->used_bytes;
  return bytes;
}

// Blocks that must all be there: refused by what the first one took.
static bool fits_memory(CpuWorker *worker) {
  CpuRun *run = worker->run;
  uint64_t one = frame_bytes(worker) + run->shared_stride, all;
  bool overflows =
      __builtin_mul_overflow(one, (uint64_t)run->launch.n_blocks, &all);
  if (!overflows && all <= run->resident_limit_bytes)
    return true;
  char text[400];
  snprintf(text, sizeof text,
           "kernel '%s' syncs the grid, so its %" PRId64
           " blocks must all be resident at once: at %" PRIu64
           " bytes a block that is more than the %" PRIu64
           " bytes (a quarter of the memory) that may be used",
           run->kernel->name, run->launch.n_blocks, one,
           run->resident_limit_bytes);
  cpu_run_fail(run, HD_ERROR_LAUNCH, text);
  return false;
}

static void start_strand(CpuWorker *worker, uint32_t block, uint32_t strand) {
  CpuRun *run = worker->run;
  CpuBlock *at = &worker->blocks[block];
  CpuLive live = {block, strand};
  if (run->trace)
    cpu_trace_run(worker, live);
  void *frame = run->kernel->start(&run->launch, &at->abi, (int32_t)strand);
  bool has_ended = !frame || frame_is_done(frame);
  if (run->trace)
    cpu_trace_stop(worker, live, has_ended);
  at->frames[strand] = frame;
  if (!has_ended)
    worker->live[worker->n_live++] = live;
}

// In order, or from a drawn strand on: nobody waits for a strand to start.
static void cpu_gang_start_block(CpuWorker *worker, uint32_t block) {
  uint32_t n = worker->run->kernel->n_strands, first = 0, step = 1;
  if (worker->run->is_scheduled) {
    first = cpu_draw(worker, n);
    step = cpu_draw(worker, 2) ? 1 : n - 1;
  }
  for (uint32_t s = 0, at = first; s < n; s++, at = (at + step) % n)
    start_strand(worker, block, n > 1 ? at : 0);
}

static bool begin_blocks(CpuWorker *worker, int64_t first, int64_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!begin_block(worker, i, first + i))
      return false;
  return true;
}

static bool start_blocks(CpuWorker *worker, int64_t n) {
  CpuRun *run = worker->run;
  for (uint32_t i = 0; i < (n + run->cluster_blocks - 1) / run->cluster_blocks;
       i++)
    worker->clusters[i] = (HdCpuBarrier){0};
  for (CpuChunk *chunk = worker->chunks; chunk; chunk = chunk->next)
    chunk->used_bytes = 0;
  worker->current = worker->chunks;
  worker->n_live = 0;
  worker->n_pending = 0;
  if (run->trace)
    cpu_trace_gang(worker);
  worker->grid_threads = 0;
  for (uint32_t i = 0; i < n; i++) {
    cpu_gang_start_block(worker, i);
    if (i == 0 && run->kernel->syncs_grid && !fits_memory(worker))
      return false;
  }
  return true;
}

static uint64_t total_progress(const CpuWorker *worker, int64_t n) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += worker->blocks[i].abi.progress;
  return sum;
}

// See Note [Schedules].
static bool draws_order(const CpuRun *run) {
#ifdef HD_STRESS
  (void)run;
  return true;
#else
  return run->is_scheduled;
#endif
}

static void seed_gang(CpuWorker *worker, int64_t first) {
  uint64_t seed = worker->run->seed;
#ifdef HD_STRESS
  const char *text = getenv("HD_SEED");
  if (!worker->run->is_scheduled && text)
    seed = strtoull(text, NULL, 10) << 32;
#endif
  worker->random = seed ^ (uint64_t)first * UINT64_C(0xd1342543de82ef95);
}

static void fail_deadlock(CpuWorker *worker) {
  RtError error;
  cpu_report_deadlock(worker, &error);
  cpu_run_fail(worker->run, HD_ERROR_DEADLOCK, error.text);
}

// Blocks that have begun, to their end or that of the run.
static void run_blocks(CpuWorker *worker, int64_t n) {
  CpuRun *run = worker->run;
  if (!start_blocks(worker, n))
    return;
  if (draws_order(run))
    draw_late(worker);
  Stuck stuck = {0};
  while (worker->n_live > 0 && !cpu_run_stopped(run)) {
    uint64_t before = total_progress(worker, n);
    Round round =
        draws_order(run) ? run_scheduled(worker) : cpu_gang_run_round(worker);
    if (round.advanced || total_progress(worker, n) != before) {
      stuck_leave(run, &stuck);
    } else if (join_coalesced(worker)) {
      continue;
    } else if (!round.is_outside || stuck_round(run, &stuck)) {
      fail_deadlock(worker);
      break;
    }
  }
  stuck_leave(run, &stuck);
  if (worker->n_pending > 0)
    cpu_copies_end(worker);
}

void cpu_gang_run(CpuWorker *worker, int64_t first, int64_t n) {
  CpuRun *run = worker->run;
  worker->n_blocks = (uint32_t)n;
  seed_gang(worker, first);
  if (begin_blocks(worker, first, n))
    run_blocks(worker, n);
  for (int64_t i = 0; run->kernel->has_checks && i < n; i++) {
    if (!cpu_run_stopped(run))
      cpu_check_mbarriers_end(&worker->blocks[i].abi);
    cpu_check_block_end(&worker->blocks[i].abi);
  }
}

// ------------------------------------------------------------ wide barriers

static void tell_wide(CpuWorker *worker, uint32_t first, uint32_t n,
                      bool is_grid, bool is_own) {
  HdCpuBlock **blocks = calloc(n, sizeof(HdCpuBlock *));
  for (uint32_t i = 0; i < n && blocks; i++)
    blocks[i] = &worker->blocks[first + i].abi;
  if (blocks)
    cpu_check_wide(blocks, n, is_grid, is_own);
  free(blocks);
}

static int32_t arrive_cluster(HdCpuBlock *block, int32_t threads, bool is_own) {
  CpuWorker *worker = cpu_worker_of(block);
  int64_t size = worker->run->cluster_blocks;
  CpuBlock *own = (CpuBlock *)(void *)block; // its first member
  HdCpuBarrier *barrier = &worker->clusters[(own - worker->blocks) / size];
  int32_t generation = barrier->generation;
  barrier->arrived += threads;
  if (barrier->arrived == size * threads_of_block(worker->run->kernel)) {
    barrier->arrived = 0;
    barrier->generation++;
    block->progress++;
    int64_t first = (own - worker->blocks) / size * size;
    if (block->check)
      tell_wide(worker, (uint32_t)first, (uint32_t)size, false, is_own);
  }
  return generation;
}

// The last strand of a gang speaks for it.
static int32_t arrive_grid(HdCpuBlock *block, int32_t threads, bool is_own) {
  CpuWorker *worker = cpu_worker_of(block);
  CpuRun *run = worker->run;
  int32_t generation = __atomic_load_n(&run->grid_generation, __ATOMIC_ACQUIRE);
  worker->grid_threads += threads;
  int64_t all = (int64_t)worker->n_blocks * threads_of_block(run->kernel);
  if (worker->grid_threads < all)
    return generation;
  worker->grid_threads = 0;
  if (block->check) // then this worker has all blocks
    tell_wide(worker, 0, worker->n_blocks, true, is_own);
  if (atomic_fetch_add(&run->grid_arrived, 1) + 1 == run->n_gangs) {
    atomic_store(&run->grid_arrived, 0);
    __atomic_store_n(&run->grid_generation, generation + 1, __ATOMIC_RELEASE);
  }
  block->progress++;
  return generation;
}

int32_t cpu_wide_arrive(HdCpuBlock *block, uint32_t which, int32_t threads) {
  bool is_own = (which & HD_CPU_WIDE_OWN) != 0;
  return which & HD_CPU_WIDE_GRID ? arrive_grid(block, threads, is_own)
                                  : arrive_cluster(block, threads, is_own);
}
