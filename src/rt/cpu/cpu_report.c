// SPDX-License-Identifier: Apache-2.0
// The text of a deadlock: each waiting group of threads, its line, what it
// waits for, and who could have released it.
#include "rt/cpu/cpu_worker.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 16, MOST_SOURCES = 4 };

static void error_add(RtError *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void error_add(RtError *error, const char *format, ...) {
  size_t used = strlen(error->text);
  va_list args;
  va_start(args, format);
  vsnprintf(error->text + used, sizeof error->text - used, format, args);
  va_end(args);
}

static int strand_first(const HdCpuStrand *strand) {
  return strand->warp * 32 + strand->lane_begin;
}

static int strand_last(const HdCpuStrand *strand) {
  return strand->warp * 32 + strand->lane_end - 1;
}

static const char *cpu_report_place(const HdCpuKernel *kernel, uint32_t loc) {
  return kernel->locs[loc < kernel->n_locs ? loc : 0];
}

static bool cpu_report_same_wait(const HdCpuWait *a, const HdCpuWait *b) {
  return a->loc == b->loc && a->row == b->row && a->object == b->object &&
         a->kind == b->kind;
}

static void add_threads(RtError *error, int first, int last) {
  if (first == last)
    error_add(error, "thread %d", first);
  else
    error_add(error, "threads %d to %d", first, last);
}

// ---------------------------------------------------------------- barriers

// Threads of the barrier's part that wait elsewhere or have ended: only a
// part at a constant place can be looked through.
static void cpu_report_add_missing(const CpuWorker *worker, uint32_t b,
                                   const HdCpuWait *wait, RtError *error) {
  const HdCpuKernel *kernel = worker->run->kernel;
  const HdCpuBarrierInfo *info = &kernel->barriers[wait->row];
  int begin = info->begin, end = info->begin + info->size, n = 0;
  for (uint32_t s = 0; s < kernel->n_strands && info->size > 0; s++) {
    int first = strand_first(&kernel->strands[s]);
    int last = strand_last(&kernel->strands[s]);
    if (begin < 0 || first < begin || last >= end)
      continue;
    const HdCpuWait *other = NULL;
    for (uint32_t i = 0; i < worker->n_live; i++)
      if (worker->live[i].block == b && worker->live[i].strand == s)
        other = &worker->blocks[b].abi.waits[s];
    if (other && other->row == wait->row &&
        (other->kind == HD_CPU_WAIT_BARRIER ||
         other->kind == HD_CPU_WAIT_TOKEN))
      continue;
    if (n++ == MOST_SOURCES) {
      error_add(error, ", …");
      return;
    }
    error_add(error, n == 1 ? "; missing: " : ", ");
    add_threads(error, first, last);
    if (other)
      error_add(error, " (at %s)", cpu_report_place(kernel, other->loc));
    else
      error_add(error, " (ended)");
  }
}

static void cpu_report_add_barrier(const CpuWorker *worker, uint32_t b,
                                   const HdCpuWait *wait, RtError *error) {
  const HdCpuKernel *kernel = worker->run->kernel;
  const HdCpuBarrierInfo *info = &kernel->barriers[wait->row];
  const HdCpuBarrier *barrier = &worker->blocks[b].abi.barriers[wait->row];
  error_add(error, "for the %s of %s: %d of its %d threads have arrived",
            wait->kind == HD_CPU_WAIT_TOKEN ? "split barrier" : "barrier",
            info->group, barrier->arrived,
            info->size > 0 ? info->size : barrier->expected);
  cpu_report_add_missing(worker, b, wait, error);
}

static void cpu_report_add_cluster(const CpuWorker *worker, uint32_t b,
                                   RtError *error) {
  const CpuRun *run = worker->run;
  const HdCpuKernel *kernel = run->kernel;
  int64_t threads = (int64_t)kernel->block_dim[0] * kernel->block_dim[1] *
                    kernel->block_dim[2] * run->cluster_blocks;
  error_add(error,
            "for the barrier of the cluster: %d of its %lld threads have "
            "arrived",
            worker->clusters[b / run->cluster_blocks].arrived,
            (long long)threads);
}

// --------------------------------------------------------------- mbarriers

static void cpu_report_add_mbarrier(const CpuWorker *worker,
                                    const HdCpuWait *wait, RtError *error) {
  const HdCpuKernel *kernel = worker->run->kernel;
  const HdCpuMbarrier *barrier = wait->object;
  const HdCpuMbarrierInfo *info = &kernel->mbarriers[barrier->row];
  error_add(error, "for mbarrier %s", info->name);
  if (info->n_elements > 1 || info->rank > 0)
    error_add(error, "[%u]", barrier->element);
  error_add(error, ", phase %d: %d of %d arrivals seen", barrier->phase,
            barrier->expected - barrier->pending, barrier->expected);
  if (barrier->bytes != 0)
    error_add(error, ", %d bytes of copies pending", barrier->bytes);
  for (uint32_t i = 0; i < info->n_sources && i <= MOST_SOURCES; i++) {
    if (i == MOST_SOURCES)
      error_add(error, ", …");
    else
      error_add(error, "%s%s", i == 0 ? "; it could be released at " : ", ",
                cpu_report_place(kernel, info->sources[i]));
  }
  if (info->n_sources == 0)
    error_add(error, "; nothing in the kernel arrives on it");
}

static void add_reason(const CpuWorker *worker, uint32_t b,
                       const HdCpuWait *wait, RtError *error) {
  switch (wait->kind) {
  case HD_CPU_WAIT_BARRIER:
  case HD_CPU_WAIT_TOKEN:
    cpu_report_add_barrier(worker, b, wait, error);
    return;
  case HD_CPU_WAIT_MBARRIER:
    cpu_report_add_mbarrier(worker, wait, error);
    return;
  case HD_CPU_WAIT_CLUSTER: cpu_report_add_cluster(worker, b, error); return;
  case HD_CPU_WAIT_GRID:
    error_add(error, "for the barrier of the grid, which other threads never "
                     "reach");
    return;
  case HD_CPU_WAIT_SEMAPHORE:
    error_add(
        error,
        "for a semaphore to become %d: it is %d, and no thread releases it",
        wait->value, __atomic_load_n(wait->word, __ATOMIC_ACQUIRE));
    return;
  default:
    error_add(error, "in a loop for memory that no thread writes");
    return;
  }
}

// ------------------------------------------------------------------ report

static const HdCpuWait *wait_of(const CpuWorker *worker, CpuLive live) {
  return &worker->blocks[live.block].abi.waits[live.strand];
}

// Strands [first, …) of the sorted list that wait alike; where the next do.
static uint32_t add_group(const CpuWorker *worker, const CpuLive *live,
                          uint32_t i, RtError *error) {
  const HdCpuKernel *kernel = worker->run->kernel;
  const HdCpuWait *wait = wait_of(worker, live[i]);
  int first = strand_first(&kernel->strands[live[i].strand]);
  int last = strand_last(&kernel->strands[live[i].strand]);
  uint32_t block = live[i].block;
  for (i++; i < worker->n_live && live[i].block == block; i++) {
    const HdCpuStrand *next = &kernel->strands[live[i].strand];
    if (strand_first(next) != last + 1 ||
        !cpu_report_same_wait(wait, wait_of(worker, live[i])))
      break;
    last = strand_last(next);
  }
  error_add(error, "\n  ");
  add_threads(error, first, last);
  if (worker->run->gang_blocks > 1) {
    const int32_t *at = worker->blocks[block].abi.index;
    error_add(error, " of block (%d, %d, %d)", at[0], at[1], at[2]);
  }
  error_add(error, " wait%s at %s ", first == last ? "s" : "",
            cpu_report_place(kernel, wait->loc));
  add_reason(worker, block, wait, error);
  return i;
}

// A schedule leaves them in any order.
static void sort_live(CpuWorker *worker) {
  for (uint32_t i = 1; i < worker->n_live; i++) {
    CpuLive live = worker->live[i];
    uint32_t k = i;
    for (; k > 0; k--) {
      CpuLive before = worker->live[k - 1];
      if (before.block < live.block ||
          (before.block == live.block && before.strand < live.strand))
        break;
      worker->live[k] = before;
    }
    worker->live[k] = live;
  }
}

void cpu_report_deadlock(CpuWorker *worker, RtError *error) {
  const HdCpuKernel *kernel = worker->run->kernel;
  sort_live(worker);
  const int32_t *index = worker->blocks[worker->live[0].block].abi.index;
  rt_error_set(error,
               "deadlock in kernel '%s', block (%d, %d, %d): no thread can go "
               "on",
               kernel->name, index[0], index[1], index[2]);
  uint32_t i = 0;
  for (int lines = 0; i < worker->n_live && lines < MOST_LINES; lines++)
    i = add_group(worker, worker->live, i, error);
  if (i < worker->n_live)
    error_add(error, "\n  and %u more", worker->n_live - i);
}
