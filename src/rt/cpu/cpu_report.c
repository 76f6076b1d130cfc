// SPDX-License-Identifier: Apache-2.0
// The text of a deadlock: each waiting group of threads, its line, and what it
// waits for.
#include "rt/cpu/cpu_worker.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 16 };

void rt_error_set(RtError *error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
}

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

static bool same_wait(const HdCpuWait *a, const HdCpuWait *b) {
  return a->loc == b->loc && a->barrier == b->barrier;
}

static void add_wait(const CpuWorker *worker, int first, int last,
                     const HdCpuWait *wait, RtError *error) {
  const HdCpuKernel *kernel = worker->run->kernel;
  const char *place = kernel->locs[wait->loc < kernel->n_locs ? wait->loc : 0];
  if (first == last)
    error_add(error, "\n  thread %d waits at %s ", first, place);
  else
    error_add(error, "\n  threads %d to %d wait at %s ", first, last, place);
  if (wait->barrier >= kernel->n_barriers) {
    error_add(error, "in a loop for memory that nobody writes");
    return;
  }
  const HdCpuBarrierInfo *info = &kernel->barriers[wait->barrier];
  error_add(error, "for the barrier of %s: %d of its %d threads have arrived",
            info->group, worker->block.barriers[wait->barrier].arrived,
            info->size);
}

void cpu_report_deadlock(const CpuWorker *worker, uint32_t n_live,
                         RtError *error) {
  const HdCpuKernel *kernel = worker->run->kernel;
  const int32_t *index = worker->block.index;
  rt_error_set(error,
               "deadlock in kernel '%s', block (%d, %d, %d): no thread can go "
               "on",
               kernel->name, index[0], index[1], index[2]);
  int lines = 0;
  for (uint32_t i = 0; i < n_live && lines < MOST_LINES; lines++) {
    const HdCpuStrand *strand = &kernel->strands[worker->live[i]];
    const HdCpuWait *wait = &worker->waits[worker->live[i]];
    int first = strand_first(strand), last = strand_last(strand);
    for (i++; i < n_live; i++) {
      const HdCpuStrand *next = &kernel->strands[worker->live[i]];
      if (strand_first(next) != last + 1 ||
          !same_wait(wait, &worker->waits[worker->live[i]]))
        break;
      last = strand_last(next);
    }
    add_wait(worker, first, last, wait, error);
  }
}
