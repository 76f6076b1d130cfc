// SPDX-License-Identifier: Apache-2.0
// One worker: the thread-owned state in which blocks run, and the services
// that generated code calls.
#ifndef HD_RT_CPU_CPU_WORKER_H
#define HD_RT_CPU_CPU_WORKER_H

#include "abi/cpu.h"
#include "rt/device.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

typedef struct CpuCheck CpuCheck;
typedef struct CpuTrace CpuTrace;

// What all workers of one launch share.
typedef struct {
  const HdCpuKernel *kernel;
  HdCpuLaunch launch;
  uint64_t shared_bytes;
  CpuCheck *check; // of kernels compiled with checks (cpu_check.h), or NULL
  CpuTrace *trace; // a timeline (cpu_trace.h), or NULL
  uint64_t shared_stride; // from block to block of a gang
  const int32_t *interrupt;
  int64_t chunk_blocks; // most at a time
  int n_workers;
  _Atomic int64_t next_block;
  // Blocks that one worker runs together (see cpu_gang.c); 0: run_range.
  int64_t gang_blocks;
  int64_t cluster_blocks; // of one cluster
  // Grid barriers: every worker takes one gang and they all run at once.
  int32_t n_gangs;
  _Atomic int32_t grid_arrived; // gangs
  int32_t grid_generation;      // read and raised atomically
  uint64_t resident_limit_bytes;
  bool is_scheduled; // order and moments are drawn from `seed`
  uint64_t seed;
  // Deadlock detection, see Note [Stuck workers] in cpu_gang.c.
  _Atomic int32_t n_active, n_stuck;
  _Atomic uint64_t epoch;
  // The first failure wins.
  pthread_mutex_t lock;
  HdStatus status;
  RtError error;
} CpuRun;

// Memory for coroutine frames: chunks that are reused gang after gang.
typedef struct CpuChunk {
  struct CpuChunk *next;
  uint64_t size_bytes, used_bytes;
  char *data;
} CpuChunk;

// A block of a gang.
typedef struct {
  HdCpuBlock abi;   // the first member: what generated code has a pointer to
  void **frames;    // by strand
  int32_t *sets[3]; // by thread: sets closed, HD_CPU_COPY_SET, _BULK, _MATRIX
} CpuBlock;

typedef struct {
  uint32_t block, strand;
} CpuLive;

// A copy that nobody has waited for yet.
typedef struct {
  HdCpuCopy copy; // lanes: those whose part hasn't landed
  CpuBlock *block;
  int32_t set; // number of its lanes' set
  // Of a group's copy: lanes that haven't waited for it. Such a copy is kept
  // when it has landed early, as it is one of the newest that were made.
  uint32_t unwaited;
} CpuPending;

typedef struct CpuWorker {
  CpuRun *run;
  int number; // among those of the run
  CpuChunk *chunks, *current;
  CpuBlock *blocks;
  uint32_t n_blocks, block_capacity;
  char *shared; // all blocks', one behind the other
  uint64_t shared_capacity;
  char *tables; // barriers, wait records, frames, sets of all blocks
  uint64_t table_capacity;
  HdCpuBarrier *clusters; // barrier of each cluster of the gang
  uint32_t cluster_capacity;
  CpuLive *live; // strands that have not ended, in order
  uint32_t n_live, live_capacity;
  CpuPending *pending; // in the order they were asked for
  uint32_t n_pending, pending_capacity;
  int64_t grid_threads; // of the gang that wait at the grid's barrier
  uint64_t random;      // state of the schedule's generator
  CpuLive late;         // seldom resumed, if is_late_drawn
  bool is_late_drawn;
  struct CpuTraceStrand *traced; // by block and strand, with a timeline
  CpuLive traced_now;            // the strand that runs
  jmp_buf escape;                // where trap() goes
  // What prints with HD_CPU_PRINT_MORE have left.
  char *printed;
  size_t n_printed, printed_capacity;
} CpuWorker;

// Long arrays in large pages: walks of the page tables cost a fifth of the
// bandwidth otherwise, and more where rows are far apart. Only advice, and none
// for less than two such pages. In cpu_device.c.
#define CPU_LARGE_PAGE ((uintptr_t)2 << 20)
void cpu_prefer_large_pages(char *memory, uint64_t size_bytes);

void cpu_worker_init(CpuWorker *worker);
void cpu_worker_fini(CpuWorker *worker);
// Makes shared memory and tables large enough for `n_blocks` at a time.
HdStatus cpu_worker_prepare(CpuWorker *worker, CpuRun *run);
// Runs blocks until there are none left or the run stops.
void cpu_worker_run(CpuWorker *worker);

// --- cpu_gang.c
// Runs `n` blocks from linear number `first` of the order of clusters on, all
// together, to their end.
void cpu_gang_run(CpuWorker *worker, int64_t first, int64_t n);
// Services.
int32_t cpu_wide_arrive(HdCpuBlock *block, uint32_t which, int32_t threads);

// --- cpu_mbarrier.c
void cpu_mbarriers_init(CpuWorker *worker, HdCpuBlock *block);
void cpu_mbar_arrive(HdCpuBlock *block, HdCpuMbarrier *barrier, int32_t count,
                     int32_t drops, uint32_t lanes, int32_t thread,
                     uint32_t loc, int32_t *tokens);
void cpu_mbar_expect(HdCpuBlock *block, HdCpuMbarrier *barrier, int32_t bytes,
                     int32_t times, int32_t thread, uint32_t loc);
// Bytes of a copy have landed.
void cpu_mbar_landed(HdCpuBlock *block, HdCpuMbarrier *barrier, int64_t bytes,
                     uint32_t loc);
int32_t cpu_mbar_poll(HdCpuBlock *block, HdCpuMbarrier *barrier);
HdCpuMbarrier *cpu_mbar_remote(HdCpuBlock *block, HdCpuMbarrier *barrier,
                               int32_t rank, int32_t thread, uint32_t loc);

// --- cpu_combine.c
// Combines one element of a copy with what is there, atomically.
void cpu_copy_combine(const HdCpuCopy *copy, char *target, const char *source);

// --- cpu_copy.c
int64_t cpu_copy_count(const HdCpuCopy *copy); // elements
// Elements [first, end) in row-major order, by rows along the last dimension:
// `n` neighbours from element at[] on.
void cpu_copy_rows(const HdCpuCopy *copy, int64_t first, int64_t end,
                   void (*row)(void *context, const int64_t *at, int64_t n),
                   void *context);
void cpu_copy(HdCpuBlock *block, const HdCpuCopy *copy);
void cpu_copy_commit(HdCpuBlock *block, uint32_t kind, uint32_t strand,
                     uint32_t lanes);
void cpu_copy_wait(HdCpuBlock *block, uint32_t kind, uint32_t strand,
                   uint32_t lanes, uint32_t group, int64_t n, uint32_t loc);
// Performs what was asked for to signal the barrier.
void cpu_copies_for(CpuWorker *worker, HdCpuMbarrier *barrier);
// A random part of what is pending lands.
void cpu_copies_some(CpuWorker *worker);
// The blocks have ended: stores land, the rest is dropped.
void cpu_copies_end(CpuWorker *worker);

// --- cpu_services.c
// Stops the launch with a place and a reason; does not return.
void cpu_fault(HdCpuBlock *block, uint32_t loc, int32_t thread,
               const char *text) __attribute__((noreturn));
void cpu_memory_failed(CpuWorker *worker, const char *what)
    __attribute__((noreturn));

// Records the first failure and stops the run; the worker goes on until it
// sees launch.stop.
void cpu_run_fail(CpuRun *run, HdStatus status, const char *text);
bool cpu_run_stopped(CpuRun *run);

// Block index of a linear number, x fastest.
void cpu_block_index(const int32_t grid[3], int64_t linear, int32_t index[3]);

// A number from the schedule, below `n`.
uint32_t cpu_draw(CpuWorker *worker, uint32_t n);

// The text of a deadlock in this worker's blocks: who waits where for what.
void cpu_report_deadlock(CpuWorker *worker, RtError *error);

extern const HdCpuServices cpu_services;

static inline CpuWorker *cpu_worker_of(const HdCpuBlock *block) {
  return block->worker;
}

#endif
