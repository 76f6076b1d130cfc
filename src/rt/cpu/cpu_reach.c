// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/cpu_reach.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint64_t first, bytes;
} Range;

// A pointer behind the last byte belongs to what ends there, unless something
// begins there. A launch that doesn't name its memories isn't tested.
static Range cpu_reach_range_of(const RtLaunch *launch, uint64_t address) {
  Range range = {address, 0};
  if (launch->n_memories == 0)
    return (Range){0, INT64_MAX};
  for (uint32_t i = 0; i < launch->n_memories; i++) {
    const RtMemory *memory = &launch->memories[i];
    uint64_t first = (uint64_t)(uintptr_t)memory->data;
    if (address - first < memory->size_bytes)
      return (Range){first, memory->size_bytes};
    if (address - first == memory->size_bytes)
      range = (Range){first, memory->size_bytes};
  }
  return range;
}

uint64_t *cpu_reach_new(CpuRun *run, const RtLaunch *launch) {
  const HdCpuKernel *kernel = run->kernel;
  if (kernel->n_arrays == 0)
    return NULL;
  uint64_t *reach = calloc(kernel->n_arrays * (size_t)2, sizeof *reach);
  if (!reach)
    cpu_run_fail(run, HD_ERROR_MEMORY, "out of memory for the launch");
  for (uint32_t i = 0; i < kernel->n_arrays && reach; i++) {
    const HdCpuArray *array = &kernel->arrays[i];
    if (array->kind != HD_CPU_ARRAY_POINTER)
      continue;
    Range range = cpu_reach_range_of(launch, launch->args[array->where]);
    reach[(size_t)2 * i] = range.first;
    reach[(size_t)2 * i + 1] = range.bytes;
  }
  run->launch.reach = reach;
  return reach;
}

// Of an array that a site names: its address and bytes.
static const uint64_t *reach_of(const HdCpuBlock *block,
                                const HdCpuSite *site) {
  return &block->launch->reach[(size_t)2 * (uint32_t)site->array];
}

static const char *cpu_reach_verb_of(const HdCpuSite *site) {
  if (site->flags & HD_CPU_RMW)
    return "updates";
  return site->flags & HD_CPU_WRITES ? "writes" : "reads";
}

// "x[-3]", in elements from where the pointer leads.
static void name_place(const HdCpuArray *array, int64_t bytes, char *text,
                       size_t size) {
  int64_t element = (int64_t)array->element_bytes;
  int64_t index = bytes / element - (bytes % element < 0);
  int64_t rest = bytes - index * element;
  if (rest != 0)
    snprintf(text, size, "%s[%" PRId64 "] (byte %" PRId64 ")", array->name,
             index, rest);
  else
    snprintf(text, size, "%s[%" PRId64 "]", array->name, index);
}

static void stop_outside(HdCpuBlock *block, uint32_t number, uint32_t thread,
                         uint64_t address) {
  CpuWorker *worker = block->worker;
  const HdCpuKernel *kernel = worker->run->kernel;
  const HdCpuSite *site = &kernel->sites[number];
  const HdCpuArray *array = &kernel->arrays[site->array];
  const uint64_t *reach = reach_of(block, site);
  uint64_t start = block->launch->args[array->where];
  uint64_t n = (reach[0] + reach[1] - start) / array->element_bytes;
  const int32_t *dim = kernel->block_dim;
  uint32_t width = (uint32_t)dim[0], height = (uint32_t)dim[1];
  int32_t index[3];
  char place[256], text[1024];
  cpu_block_index(block->launch->grid, block->linear, index);
  name_place(array, (int64_t)(address - start), place, sizeof place);
  snprintf(text, sizeof text,
           "%s: error[HD0702]: access outside of array '%s'\n"
           "  thread (%u, %u, %u) of block (%d, %d, %d) of kernel '%s' %s %s, "
           "'%s' has %" PRIu64 " element%s",
           kernel->locs[site->loc], array->name, thread % width,
           thread / width % height, thread / width / height, index[0], index[1],
           index[2], kernel->name, cpu_reach_verb_of(site), place, array->name,
           n, text_plural((int64_t)n));
  cpu_run_fail(worker->run, HD_ERROR_TRAP, text);
  longjmp(worker->escape, 1);
}

static bool cpu_reach_is_inside(const HdCpuBlock *block, const HdCpuSite *site,
                                uint64_t address) {
  const uint64_t *reach = reach_of(block, site);
  return site->size_bytes <= reach[1] &&
         address - reach[0] <= reach[1] - site->size_bytes;
}

void cpu_reach_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses) {
  const CpuWorker *worker = block->worker;
  const HdCpuSite *where = &worker->run->kernel->sites[site];
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    if (!cpu_reach_is_inside(block, where, addresses[lane]))
      stop_outside(block, site, warp * 32 + lane, addresses[lane]);
  }
}

void cpu_reach_same(HdCpuBlock *block, uint32_t site, uint32_t warp,
                    uint32_t mask, uint64_t address) {
  const CpuWorker *worker = block->worker;
  const HdCpuSite *where = &worker->run->kernel->sites[site];
  if (mask && !cpu_reach_is_inside(block, where, address))
    stop_outside(block, site, warp * 32 + (uint32_t)__builtin_ctz(mask),
                 address);
}
