// SPDX-License-Identifier: Apache-2.0
// mbarriers. All blocks of a cluster are on one worker, so plain operations
// do, also for those of another block.
#include "base/text.h"
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_worker.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = (1 << 20) - 1 };

void cpu_mbarriers_init(CpuWorker *worker, HdCpuBlock *block) {
  const HdCpuKernel *kernel = worker->run->kernel;
  for (uint32_t row = 0; row < kernel->n_mbarriers; row++) {
    const HdCpuMbarrierInfo *info = &kernel->mbarriers[row];
    char *at = block->shared + info->offset_bytes;
    HdCpuMbarrier *barrier = (HdCpuMbarrier *)(void *)at;
    for (uint32_t i = 0; i < info->n_elements; i++)
      barrier[i] = (HdCpuMbarrier){.pending = info->arrivals,
                                   .expected = info->arrivals,
                                   .row = row,
                                   .element = i};
  }
}

// Ends the phase if nothing is pending any more.
static void cpu_mbarrier_settle(HdCpuBlock *block, HdCpuMbarrier *barrier) {
  if (barrier->pending > 0 || barrier->bytes != 0)
    return;
  barrier->phase++;
  barrier->pending = barrier->expected;
  block->progress++;
  if (block->check)
    cpu_check_mbar_phase(block, barrier);
}

static void fault_count(HdCpuBlock *block, const HdCpuMbarrier *barrier,
                        int32_t count, int32_t thread, uint32_t loc) {
  const HdCpuKernel *kernel = cpu_worker_of(block)->run->kernel;
  const char *name = kernel->mbarriers[barrier->row].name;
  char text[300];
  if (count < 1)
    snprintf(text, sizeof text, "%d arrivals on mbarrier %s[%u]", count, name,
             barrier->element);
  else
    snprintf(text, sizeof text,
             "%d more arrival%s on mbarrier %s[%u], of which phase %d expects "
             "%d: %d have arrived already%s",
             count, text_plural(count), name, barrier->element, barrier->phase,
             barrier->expected, barrier->expected - barrier->pending,
             barrier->bytes != 0 ? " and it still waits for copies" : "");
  cpu_fault(block, loc, thread, text);
}

static void arrive_once(HdCpuBlock *block, HdCpuMbarrier *barrier,
                        int32_t count, int32_t drops, int32_t thread,
                        uint32_t loc) {
  if (count < 1 || count > barrier->pending)
    fault_count(block, barrier, count, thread, loc);
  barrier->pending -= count;
  barrier->expected -= drops ? count : 0;
  cpu_mbarrier_settle(block, barrier);
}

void cpu_mbar_arrive(HdCpuBlock *block, HdCpuMbarrier *barrier, int32_t count,
                     int32_t drops, uint32_t lanes, int32_t thread,
                     uint32_t loc, int32_t *tokens) {
  int32_t n = __builtin_popcount(lanes);
  if (tokens == NULL && count > 0 && (int64_t)n * count <= barrier->pending) {
    barrier->pending -= n * count;
    barrier->expected -= drops ? n * count : 0;
    cpu_mbarrier_settle(block, barrier);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    int lane = __builtin_ctz(lanes);
    if (tokens)
      tokens[lane] = barrier->phase;
    arrive_once(block, barrier, count, drops, thread + lane, loc);
  }
}

static void fault_bytes(HdCpuBlock *block, const HdCpuMbarrier *barrier,
                        int64_t bytes, int32_t thread, uint32_t loc) {
  const HdCpuKernel *kernel = cpu_worker_of(block)->run->kernel;
  char text[240];
  snprintf(text, sizeof text,
           "mbarrier %s[%u] would wait for %lld bytes: at most %d can be "
           "pending",
           kernel->mbarriers[barrier->row].name, barrier->element,
           (long long)bytes, MOST_BYTES);
  cpu_fault(block, loc, thread, text);
}

void cpu_mbar_expect(HdCpuBlock *block, HdCpuMbarrier *barrier, int32_t bytes,
                     int32_t times, int32_t thread, uint32_t loc) {
  int64_t sum = barrier->bytes + (int64_t)bytes * times;
  if (bytes < 0 || sum > MOST_BYTES || sum < -MOST_BYTES)
    fault_bytes(block, barrier, sum, thread, loc);
  barrier->bytes = (int32_t)sum;
  cpu_mbarrier_settle(block, barrier);
}

void cpu_mbar_landed(HdCpuBlock *block, HdCpuMbarrier *barrier, int64_t bytes,
                     uint32_t loc) {
  int64_t sum = barrier->bytes - bytes;
  if (sum < -MOST_BYTES)
    fault_bytes(block, barrier, sum, 0, loc);
  barrier->bytes = (int32_t)sum;
  cpu_mbarrier_settle(block, barrier);
}

int32_t cpu_mbar_poll(HdCpuBlock *block, HdCpuMbarrier *barrier) {
  if (barrier->n_copies > 0)
    cpu_copies_for(cpu_worker_of(block), barrier);
  return barrier->phase;
}

HdCpuMbarrier *cpu_mbar_remote(HdCpuBlock *block, HdCpuMbarrier *barrier,
                               int32_t rank, int32_t thread, uint32_t loc) {
  if (rank < 0 || rank >= block->cluster_size) {
    char text[120];
    snprintf(text, sizeof text, "the cluster of %d blocks has no rank %d",
             block->cluster_size, rank);
    cpu_fault(block, loc, thread, text);
  }
  int64_t by =
      (rank - (int64_t)block->cluster_rank) * (int64_t)block->shared_stride;
  return (HdCpuMbarrier *)(void *)((char *)barrier + by);
}
