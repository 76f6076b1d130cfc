// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/cpu_worker.h"
#include "base/bits.h"
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_trace.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_ALIGN = 128 };

void cpu_worker_init(CpuWorker *worker) {
  memset(worker, 0, sizeof *worker);
}

void cpu_worker_fini(CpuWorker *worker) {
  for (CpuChunk *chunk = worker->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk->data);
    free(chunk);
  }
  free(worker->blocks);
  free(worker->shared);
  free(worker->tables);
  free(worker->clusters);
  free(worker->live);
  free(worker->pending);
  free(worker->traced);
  free(worker->printed);
}

static bool prepare_shared(CpuWorker *worker, uint64_t size_bytes) {
  if (size_bytes <= worker->shared_capacity)
    return true;
  free(worker->shared);
  // Of tile kernels it holds sums and packed operands, megabytes of them.
  bool is_long = size_bytes >= 2 * CPU_LARGE_PAGE;
  uint64_t align = is_long ? CPU_LARGE_PAGE : SHARED_ALIGN;
  uint64_t rounded = bits_align_up(size_bytes, align);
  worker->shared = aligned_alloc(align, rounded);
  worker->shared_capacity = worker->shared ? rounded : 0;
  if (worker->shared && is_long)
    cpu_prefer_large_pages(worker->shared, rounded);
  return worker->shared != NULL;
}

static bool prepare_blocks(CpuWorker *worker, uint64_t count) {
  if (count > UINT32_MAX)
    return false;
  if (count > worker->block_capacity) {
    free(worker->blocks);
    free(worker->clusters);
    worker->blocks = calloc(count, sizeof(CpuBlock));
    worker->clusters = calloc(count, sizeof(HdCpuBarrier));
    bool is_ok = worker->blocks && worker->clusters;
    worker->block_capacity = is_ok ? (uint32_t)count : 0;
    if (!is_ok)
      return false;
  }
  worker->n_blocks = (uint32_t)count;
  return true;
}

static bool prepare_live(CpuWorker *worker, uint64_t count) {
  if (count <= worker->live_capacity)
    return true;
  free(worker->live);
  worker->live = count < UINT32_MAX / 2 ? calloc(count, sizeof(CpuLive)) : NULL;
  worker->live_capacity = worker->live ? (uint32_t)count : 0;
  return worker->live != NULL;
}

static uint64_t cpu_worker_threads_of(const HdCpuKernel *kernel) {
  return (uint64_t)kernel->block_dim[0] * (uint64_t)kernel->block_dim[1] *
         (uint64_t)kernel->block_dim[2];
}

// Bytes of one block's tables, a multiple of 16.
static uint64_t table_bytes(const HdCpuKernel *kernel) {
  uint64_t bytes = kernel->n_barriers * sizeof(HdCpuBarrier) +
                   kernel->n_strands * (sizeof(HdCpuWait) + sizeof(void *));
  if (kernel->copy_kinds != 0)
    bytes += 3 * cpu_worker_threads_of(kernel) * sizeof(int32_t);
  return bits_align_up(bytes, 16);
}

// Barriers first, so that one memset clears a block's.
static void place_tables(CpuWorker *worker) {
  const HdCpuKernel *kernel = worker->run->kernel;
  uint64_t bytes = table_bytes(kernel);
  for (uint32_t i = 0; i < worker->n_blocks; i++) {
    CpuBlock *block = &worker->blocks[i];
    char *at = worker->tables + i * bytes;
    block->abi.barriers = (HdCpuBarrier *)(void *)at;
    at += kernel->n_barriers * sizeof(HdCpuBarrier);
    block->abi.waits = (HdCpuWait *)(void *)at;
    at += kernel->n_strands * sizeof(HdCpuWait);
    block->frames = (void **)(void *)at;
    at += kernel->n_strands * sizeof(void *);
    block->sets[0] = block->sets[1] = block->sets[2] = NULL;
    if (kernel->copy_kinds == 0)
      continue;
    block->sets[0] = (int32_t *)(void *)at;
    block->sets[1] = block->sets[0] + cpu_worker_threads_of(kernel);
    block->sets[2] = block->sets[1] + cpu_worker_threads_of(kernel);
  }
}

static bool prepare_tables(CpuWorker *worker, uint64_t n_blocks) {
  uint64_t bytes = table_bytes(worker->run->kernel) * n_blocks;
  if (bytes > worker->table_capacity) {
    free(worker->tables);
    worker->tables = aligned_alloc(64, bits_align_up(bytes, 64));
    worker->table_capacity = worker->tables ? bytes : 0;
    if (!worker->tables)
      return false;
  }
  place_tables(worker);
  return true;
}

static void prepare_block(CpuWorker *worker, uint32_t i) {
  CpuRun *run = worker->run;
  HdCpuBlock *block = &worker->blocks[i].abi;
  int64_t size = run->cluster_blocks;
  block->launch = &run->launch;
  block->worker = worker;
  block->shared = worker->shared + i * run->shared_stride;
  block->progress = 0;
  block->cluster_rank = (int32_t)(i % size);
  block->cluster_size = (int32_t)size;
  block->cluster_shared =
      worker->shared + (uint64_t)(i / size * size) * run->shared_stride;
  block->shared_stride = run->shared_stride;
  block->wide[0] = &worker->clusters[i / size].generation;
  block->wide[1] = &run->grid_generation;
}

HdStatus cpu_worker_prepare(CpuWorker *worker, CpuRun *run) {
  const HdCpuKernel *kernel = run->kernel;
  uint64_t n = run->gang_blocks > 0 ? (uint64_t)run->gang_blocks : 1;
  uint64_t shared_bytes;
  worker->run = run;
  worker->random = run->seed;
  worker->n_pending = 0;
  worker->n_printed = 0;
  if (__builtin_mul_overflow(n, run->shared_stride, &shared_bytes) ||
      !prepare_shared(worker, shared_bytes) || !prepare_blocks(worker, n) ||
      !prepare_tables(worker, n) ||
      !prepare_live(worker, n * kernel->n_strands))
    return HD_ERROR_MEMORY;
  for (uint32_t i = 0; i < worker->n_blocks; i++)
    prepare_block(worker, i);
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

// SplitMix64.
uint32_t cpu_draw(CpuWorker *worker, uint32_t n) {
  uint64_t z = worker->random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return (uint32_t)((z >> 32) * n >> 32);
}

// With checks, which are told of every block.
static void run_checked(CpuWorker *worker, int64_t first, int64_t last) {
  CpuRun *run = worker->run;
  HdCpuBlock *block = &worker->blocks[0].abi;
  for (int64_t b = first; b < last && !cpu_run_stopped(run); b++) {
    block->linear = b;
    if (cpu_check_block_begin(run->check, block))
      run->kernel->run_range(&run->launch, block, b, b + 1);
    else
      cpu_run_fail(run, HD_ERROR_MEMORY, "out of memory for checks");
    cpu_check_block_end(block);
  }
}

static void cpu_worker_run_blocks(CpuWorker *worker, int64_t first,
                                  int64_t last) {
  CpuRun *run = worker->run;
  const HdCpuKernel *kernel = run->kernel;
  if (kernel->run_range) {
    worker->current = worker->chunks;
    for (CpuChunk *chunk = worker->chunks; chunk; chunk = chunk->next)
      chunk->used_bytes = 0;
    uint64_t begin = run->trace ? cpu_trace_now(run->trace) : 0;
    if (kernel->has_checks)
      run_checked(worker, first, last);
    else
      kernel->run_range(&run->launch, &worker->blocks[0].abi, first, last);
    if (run->trace)
      cpu_trace_range(run->trace, worker->number, first, last, begin);
    return;
  }
  for (int64_t b = first; b < last && !cpu_run_stopped(run);
       b += run->gang_blocks) {
    int64_t left = last - b;
    cpu_gang_run(worker, b, left < run->gang_blocks ? left : run->gang_blocks);
  }
}

// Chunks grow smaller towards the end, so that all workers end together.
enum { LEFT_A_CHUNK = 4, MOST_SMALLER = 16 };

// The next blocks for a worker, [*first, *last), whole gangs; false: none are
// left.
static bool take_chunk(CpuRun *run, int64_t *first, int64_t *last) {
  int64_t n_blocks = run->launch.n_blocks;
  int64_t least = (run->chunk_blocks + MOST_SMALLER - 1) / MOST_SMALLER;
  int64_t gang = run->gang_blocks > 0 ? run->gang_blocks : 1;
  *first = atomic_load_explicit(&run->next_block, memory_order_relaxed);
  do {
    int64_t left = n_blocks - *first;
    if (left <= 0)
      return false;
    int64_t count = left / ((int64_t)LEFT_A_CHUNK * run->n_workers);
    count = count < run->chunk_blocks ? count : run->chunk_blocks;
    count = count > least ? count : least;
    count = (int64_t)bits_align_up((uint64_t)count, (uint64_t)gang);
    *last = *first + (count < left ? count : left);
  } while (!atomic_compare_exchange_weak(&run->next_block, first, *last));
  return true;
}

static void take_chunks(CpuWorker *worker) {
  int64_t first, last;
  while (!cpu_run_stopped(worker->run) &&
         take_chunk(worker->run, &first, &last))
    cpu_worker_run_blocks(worker, first, last);
}

void cpu_worker_run(CpuWorker *worker) {
  worker->number = atomic_fetch_add(&worker->run->n_active, 1);
  // trap() and memory failures come back here; frames are dropped as they are
  // (generated code has nothing to clean up).
  if (setjmp(worker->escape) == 0)
    take_chunks(worker);
  atomic_fetch_sub(&worker->run->n_active, 1);
  atomic_fetch_add(&worker->run->epoch, 1);
}
