// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/cpu_worker.h"
#include "rt/cpu/cpu_check.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_ALIGN = 128 };

void cpu_worker_init(CpuWorker *worker) {
  memset(worker, 0, sizeof *worker);
  worker->block.worker = worker;
}

void cpu_worker_fini(CpuWorker *worker) {
  for (CpuChunk *chunk = worker->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk->data);
    free(chunk);
  }
  free(worker->shared);
  free(worker->barriers);
  free(worker->waits);
  free(worker->frames);
  free(worker->live);
}

static bool prepare_shared(CpuWorker *worker, uint64_t size_bytes) {
  if (size_bytes <= worker->shared_capacity)
    return true;
  free(worker->shared);
  uint64_t rounded = (size_bytes + SHARED_ALIGN - 1) & ~(SHARED_ALIGN - 1ull);
  worker->shared = aligned_alloc(SHARED_ALIGN, rounded);
  worker->shared_capacity = worker->shared ? rounded : 0;
  return worker->shared != NULL;
}

static bool prepare_barriers(CpuWorker *worker, uint32_t count) {
  if (count <= worker->barrier_capacity)
    return true;
  free(worker->barriers);
  worker->barriers = calloc(count, sizeof(HdCpuBarrier));
  worker->barrier_capacity = worker->barriers ? count : 0;
  return worker->barriers != NULL;
}

static bool prepare_strands(CpuWorker *worker, uint32_t count) {
  if (count <= worker->strand_capacity)
    return true;
  free(worker->waits);
  free(worker->frames);
  free(worker->live);
  worker->waits = calloc(count, sizeof(HdCpuWait));
  worker->frames = calloc(count, sizeof(void *));
  worker->live = calloc(count, sizeof(uint32_t));
  bool is_good = worker->waits && worker->frames && worker->live;
  worker->strand_capacity = is_good ? count : 0;
  return is_good;
}

HdStatus cpu_worker_prepare(CpuWorker *worker, CpuRun *run) {
  const HdCpuKernel *kernel = run->kernel;
  worker->run = run;
  if (!prepare_shared(worker, run->shared_bytes) ||
      !prepare_barriers(worker, kernel->n_barriers) ||
      !prepare_strands(worker, kernel->n_strands))
    return HD_ERROR_MEMORY;
  worker->block.launch = &run->launch;
  worker->block.shared = worker->shared;
  worker->block.barriers = worker->barriers;
  worker->block.waits = worker->waits;
  worker->block.progress = 0;
  return HD_OK;
}

void cpu_run_fail(CpuRun *run, HdStatus status, const char *text) {
  pthread_mutex_lock(&run->lock);
  if (run->status == HD_OK) {
    run->status = status;
    rt_error_set(&run->error, "%s", text);
  }
  pthread_mutex_unlock(&run->lock);
  __atomic_store_n(&run->launch.stop, 1, __ATOMIC_RELEASE);
}

bool cpu_run_stopped(CpuRun *run) {
  if (__atomic_load_n(&run->launch.stop, __ATOMIC_ACQUIRE))
    return true;
  if (!run->interrupt || !__atomic_load_n(run->interrupt, __ATOMIC_RELAXED))
    return false;
  cpu_run_fail(run, HD_ERROR_INTERRUPTED, "interrupted");
  return true;
}

static void run_checked(CpuWorker *worker, int64_t linear) {
  const HdCpuKernel *kernel = worker->run->kernel;
  HdCpuBlock *block = &worker->block;
  block->linear = linear;
  if (!cpu_check_block_begin(worker->run->check, block))
    cpu_run_fail(worker->run, HD_ERROR_MEMORY, "out of memory for checks");
  else if (kernel->run_range)
    kernel->run_range(&worker->run->launch, block, linear, linear + 1);
  else
    cpu_block_run(worker, linear);
  cpu_check_block_end(block);
}

static void run_blocks(CpuWorker *worker, int64_t first, int64_t last) {
  const HdCpuKernel *kernel = worker->run->kernel;
  for (int64_t b = first;
       kernel->has_checks && b < last && !cpu_run_stopped(worker->run); b++)
    run_checked(worker, b);
  if (kernel->has_checks)
    return;
  if (kernel->run_range) {
    worker->current = worker->chunks;
    for (CpuChunk *chunk = worker->chunks; chunk; chunk = chunk->next)
      chunk->used_bytes = 0;
    kernel->run_range(&worker->run->launch, &worker->block, first, last);
    return;
  }
  for (int64_t b = first; b < last && !cpu_run_stopped(worker->run); b++)
    cpu_block_run(worker, b);
}

// Chunks grow smaller towards the end, so that all workers end together.
enum { LEFT_A_CHUNK = 4, MOST_SMALLER = 16 };

// The next blocks for a worker, [*first, *last); false: none are left.
static bool take_chunk(CpuRun *run, int64_t *first, int64_t *last) {
  int64_t n_blocks = run->launch.n_blocks;
  int64_t least = (run->chunk_blocks + MOST_SMALLER - 1) / MOST_SMALLER;
  *first = atomic_load_explicit(&run->next_block, memory_order_relaxed);
  do {
    int64_t left = n_blocks - *first;
    if (left <= 0)
      return false;
    int64_t count = left / ((int64_t)LEFT_A_CHUNK * run->n_workers);
    count = count < run->chunk_blocks ? count : run->chunk_blocks;
    count = count > least ? count : least;
    *last = *first + (count < left ? count : left);
  } while (!atomic_compare_exchange_weak(&run->next_block, first, *last));
  return true;
}

static void take_chunks(CpuWorker *worker) {
  int64_t first, last;
  while (!cpu_run_stopped(worker->run) &&
         take_chunk(worker->run, &first, &last))
    run_blocks(worker, first, last);
}

void cpu_worker_run(CpuWorker *worker) {
  atomic_fetch_add(&worker->run->n_active, 1);
  // trap() and memory failures come back here; frames are dropped as they are
  // (generated code has nothing to clean up).
  if (setjmp(worker->escape) == 0)
    take_chunks(worker);
  atomic_fetch_sub(&worker->run->n_active, 1);
  atomic_fetch_add(&worker->run->epoch, 1);
}
