// SPDX-License-Identifier: Apache-2.0
// Barriers of strands and of parts of warps; fences.
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_check_parts.h"

#include <string.h>

// Lanes come to a barrier of several strands. When all are there: the members;
// else NULL.
static uint32_t *check_barrier_add_members(CpuCheckBlock *mine, uint32_t row,
                                           uint32_t warp, uint32_t mask,
                                           uint32_t n_threads) {
  uint32_t *members = mine->members + (uint64_t)row * mine->n_words;
  members[warp] |= mask;
  mine->counts[row] +=
      mask == UINT32_MAX ? 32 : (uint32_t)__builtin_popcount(mask);
  return mine->counts[row] < n_threads ? NULL : members;
}

static void clear_members(CpuCheckBlock *mine, uint32_t row,
                          uint32_t *members) {
  memset(members, 0, mine->n_words * sizeof *members);
  mine->counts[row] = 0;
}

void cpu_check_block_sync(HdCpuBlock *block) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  race_sync(mine->race, NULL);
}

void cpu_check_arrive(HdCpuBlock *block, uint32_t row, uint32_t warp,
                      uint32_t mask, uint32_t n_threads) {
  CpuCheckBlock *mine = block->check;
  uint32_t *members =
      check_barrier_add_members(mine, row, warp, mask, n_threads);
  if (!members)
    return;
  bool is_block = n_threads == mine->check->n_threads;
  race_sync(mine->race, is_block ? NULL : members);
  clear_members(mine, row, members);
}

void cpu_check_meet(HdCpuBlock *block, uint32_t row, uint32_t warp,
                    uint32_t mask, uint32_t n_threads) {
  CpuCheckBlock *mine = block->check;
  uint32_t *members =
      check_barrier_add_members(mine, row, warp, mask, n_threads);
  if (!members)
    return;
  race_meet(&mine->race, 1, members);
  clear_members(mine, row, members);
}

// Lanes of the mask that are in the same part as its first.
static uint32_t first_part(uint32_t mask, const int32_t *parts) {
  int32_t part = parts[__builtin_ctz(mask)];
  uint32_t members = 0;
  for (uint32_t todo = mask; todo; todo &= todo - 1)
    if (parts[__builtin_ctz(todo)] == part)
      members |= todo & -todo;
  return members;
}

void cpu_check_parts(HdCpuBlock *block, uint32_t group, uint32_t warp,
                     uint32_t mask, const int32_t *parts) {
  CpuCheckBlock *mine = block->check;
  (void)group;
  for (uint32_t members; mask; mask &= ~members) {
    members = first_part(mask, parts);
    race_sync_warp(mine->race, warp, members);
  }
}

void cpu_check_meet_parts(HdCpuBlock *block, uint32_t group, uint32_t warp,
                          uint32_t mask, const int32_t *parts) {
  CpuCheckBlock *mine = block->check;
  (void)group;
  for (uint32_t members; mask; mask &= ~members) {
    members = first_part(mask, parts);
    race_meet_warp(mine->race, warp, members);
  }
}

void cpu_check_fence(HdCpuBlock *block, uint32_t warp, uint32_t mask,
                     int32_t kind) {
  CpuCheckBlock *mine = block->check;
  bool is_near = kind == HD_CPU_FENCE_BLOCK ||
                 (kind == HD_CPU_FENCE_CLUSTER && block->cluster_size <= 1);
  if (kind == HD_CPU_FENCE_ASYNC)
    race_fence_async(mine->race, warp, mask);
  else if (kind == HD_CPU_FENCE_DEVICE)
    race_fence_all(mine->race, warp, mask);
  else
    race_fence(mine->race, warp, mask, is_near);
}
