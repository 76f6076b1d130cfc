// SPDX-License-Identifier: Apache-2.0
// The arrays and places of a launch as the detector sees them.
#include "rt/cpu/cpu_check_parts.h"

#include "base/bits.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- arrays

static uint64_t span_bytes(const RaceArray *array) {
  int64_t last = 0;
  for (uint32_t i = 0; i < array->rank; i++) {
    if (array->extents[i] <= 0)
      return 0;
    last += (array->extents[i] - 1) * array->strides[i];
  }
  return ((uint64_t)last + 1) * array->element_bytes;
}

static void check_arrays_dense_strides(RaceArray *array) {
  int64_t stride = 1;
  for (uint32_t i = array->rank; i-- > 0;) {
    array->strides[i] = stride;
    stride *= array->extents[i] > 0 ? array->extents[i] : 1;
  }
}

static uint64_t memory_end(const RtLaunch *launch, uint64_t address) {
  for (uint32_t i = 0; i < launch->n_memories; i++) {
    uint64_t base = (uint64_t)(uintptr_t)launch->memories[i].data;
    if (address >= base && address - base < launch->memories[i].size_bytes)
      return base + launch->memories[i].size_bytes;
  }
  return address;
}

RaceArray check_describe_array(const CpuRun *run, const RtLaunch *launch,
                               const HdCpuArray *row) {
  RaceArray array = {.name = row->name,
                     .space = "global",
                     .element_bytes = row->element_bytes,
                     .cell_bytes = row->cell_bytes,
                     .rank = row->rank,
                     .size_bytes = row->size_bytes,
                     .is_never_written = row->is_never_written != 0,
                     .marks_barrier = row->marks_barrier != 0};
  memcpy(array.extents, row->extents, sizeof array.extents);
  check_arrays_dense_strides(&array);
  const uint64_t *slots = launch->args + row->where;
  switch ((HdCpuArrayKind)row->kind) {
  case HD_CPU_ARRAY_PARAM:
    array.base = slots[0];
    for (uint32_t i = 0; i < row->rank; i++) {
      array.extents[i] = (int64_t)slots[1 + i];
      array.strides[i] = (int64_t)slots[1 + row->rank + i];
    }
    array.size_bytes = span_bytes(&array);
    break;
  case HD_CPU_ARRAY_TABLE: // each of its arrays is one: see add_members
    array.extents[0] = (int64_t)slots[1];
    array.size_bytes = 0;
    break;
  case HD_CPU_ARRAY_POINTER:
    array.base = slots[0];
    array.rank = 1;
    array.strides[0] = 1;
    array.size_bytes = memory_end(launch, array.base) - array.base;
    break;
  case HD_CPU_ARRAY_SHARED:
    array.space = "shared";
    array.base = row->where;
    array.starts_empty = true;
    if (row->size_bytes == UINT64_MAX)
      array.size_bytes = run->shared_bytes - row->where;
    break;
  case HD_CPU_ARRAY_GLOBAL:
    array.base = (uint64_t)(uintptr_t)launch->globals[row->where];
    break;
  }
  return array;
}

static bool check_arrays_overlap(const RaceArray *a, const RaceArray *b) {
  return a->base < b->base + b->size_bytes && b->base < a->base + a->size_bytes;
}

// Arrays that overlap have one history: they are joined.
static uint32_t join_overlapping(RaceArray *arrays, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count;) {
      RaceArray *a = &arrays[i], *b = &arrays[k];
      if (!check_arrays_overlap(a, b)) {
        k++;
        continue;
      }
      uint64_t base = a->base < b->base ? a->base : b->base;
      uint64_t a_end = a->base + a->size_bytes, b_end = b->base + b->size_bytes;
      a->size_bytes = (a_end > b_end ? a_end : b_end) - base;
      a->base = base;
      a->is_never_written = a->is_never_written && b->is_never_written;
      if (b->cell_bytes < a->cell_bytes)
        a->cell_bytes = b->cell_bytes;
      arrays[k] = arrays[--count];
      k = i + 1;
    }
  return count;
}

// What the widest access to one element can ask for.
static uint64_t check_arrays_alignment_of(const RaceArray *array) {
  return array->element_bytes ? bits_lowest(array->element_bytes) : 1;
}

// Of the ranges that arrays were joined to.
static void find_quiet(CpuCheck *check, const RaceArray *ranges, uint32_t n) {
  const HdCpuKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < kernel->n_arrays; i++) {
    const RaceArray *array = &check->arrays[i];
    if (kernel->arrays[i].kind == HD_CPU_ARRAY_SHARED ||
        kernel->arrays[i].kind == HD_CPU_ARRAY_TABLE ||
        array->base % check_arrays_alignment_of(array) != 0)
      continue;
    for (uint32_t k = 0; k < n; k++)
      if (array->base - ranges[k].base < ranges[k].size_bytes)
        check->quiet[i] = ranges[k].is_never_written;
  }
}

static uint32_t count_members(const CpuCheck *check) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < check->kernel->n_arrays; i++)
    if (check->kernel->arrays[i].kind == HD_CPU_ARRAY_TABLE)
      n += (uint32_t)check->arrays[i].extents[0];
  return n;
}

enum { MOST_NAME = 96 };

// The arrays of table `row`, by names that the check holds.
static uint32_t add_members(CpuCheck *check, const RtLaunch *launch,
                            uint32_t row, RaceArray *ranges, char **name) {
  const HdCpuArray *from = &check->kernel->arrays[row];
  const uint64_t *slots = launch->args + from->where;
  const uint64_t *table = (const uint64_t *)(uintptr_t)slots[0];
  RaceArray member = check->arrays[row];
  uint32_t n = (uint32_t)member.extents[0], added = 0;
  member.rank--;
  for (uint32_t i = 0; i < member.rank; i++) {
    member.extents[i] = (int64_t)slots[2 + i];
    member.strides[i] = (int64_t)slots[2 + from->rank + i];
  }
  member.size_bytes = span_bytes(&member);
  for (uint32_t i = 0; i < n && member.size_bytes > 0; i++) {
    snprintf(*name, MOST_NAME, "%.64s[%" PRIu32 "]", from->name, i);
    member.name = *name;
    member.base = table[i];
    ranges[added++] = member;
    *name += MOST_NAME;
  }
  return added;
}

bool check_add_globals(CpuCheck *check, const RtLaunch *launch) {
  const HdCpuKernel *kernel = check->kernel;
  uint32_t n_members = count_members(check), n = 0;
  RaceArray *ranges = calloc(kernel->n_arrays + n_members + 1u, sizeof *ranges);
  char *name = check->names = calloc(n_members + 1u, MOST_NAME);
  for (uint32_t i = 0; i < kernel->n_arrays && ranges && name; i++)
    if (kernel->arrays[i].kind == HD_CPU_ARRAY_TABLE)
      n += add_members(check, launch, i, &ranges[n], &name);
  for (uint32_t i = 0; i < kernel->n_arrays && ranges; i++)
    if (kernel->arrays[i].kind != HD_CPU_ARRAY_SHARED &&
        check->arrays[i].size_bytes > 0)
      ranges[n++] = check->arrays[i];
  n = join_overlapping(ranges, n);
  bool is_good = ranges != NULL && check->names != NULL;
  if (is_good)
    find_quiet(check, ranges, n);
  for (uint32_t i = 0; i < n && is_good; i++)
    is_good = race_add_array(check->race, &ranges[i]) >= 0;
  free(ranges);
  return is_good;
}

bool check_list_shared(CpuCheck *check) {
  const HdCpuKernel *kernel = check->kernel;
  uint32_t n = 0;
  for (uint32_t i = 0; i < kernel->n_arrays; i++)
    n += kernel->arrays[i].kind == HD_CPU_ARRAY_SHARED
             ? kernel->arrays[i].n_instances
             : 0;
  check->shared = calloc(n + 1u, sizeof *check->shared);
  for (uint32_t i = 0; i < kernel->n_arrays && check->shared; i++) {
    const HdCpuArray *row = &kernel->arrays[i];
    if (row->kind != HD_CPU_ARRAY_SHARED)
      continue;
    for (uint32_t k = 0; k < row->n_instances; k++) {
      RaceArray *array = &check->shared[check->n_shared++];
      *array = check->arrays[i];
      array->base += k * array->size_bytes;
    }
  }
  return check->shared != NULL;
}

// ----------------------------------------------------------------- sites

void check_list_sites(CpuCheck *check) {
  const HdCpuKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < kernel->n_sites; i++) {
    const HdCpuSite *from = &kernel->sites[i];
    check->sites[i] = (RaceSite){
        .place = kernel->locs[from->loc],
        .kind = from->flags & (HD_CPU_WRITES | HD_CPU_ATOMIC |
                               HD_CPU_BLOCK_SCOPE | HD_CPU_ASYNC | HD_CPU_RMW),
        .size_bytes = from->size_bytes,
        .acquires = (from->flags & HD_CPU_ACQUIRES) != 0,
        .releases = (from->flags & HD_CPU_RELEASES) != 0,
        .ends = (from->flags & HD_CPU_ENDS) != 0,
        .array = from->array >= 0 ? &check->arrays[from->array] : NULL};
  }
}

_Static_assert((int)HD_CPU_WRITES == (int)RACE_WRITES &&
                   (int)HD_CPU_ATOMIC == (int)RACE_ATOMIC &&
                   (int)HD_CPU_BLOCK_SCOPE == (int)RACE_BLOCK_SCOPE &&
                   (int)HD_CPU_ASYNC == (int)RACE_ASYNC &&
                   (int)HD_CPU_RMW == (int)RACE_RMW,
               "the bits of sites are those of the detector");
