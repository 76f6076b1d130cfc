// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies. One is kept as it was asked for and performed when
// somebody waits for it or looks whether it is done, so that a wait that is
// missing shows: what it would have brought isn't there. Under a schedule it
// may land earlier.
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_trace.h"
#include "rt/cpu/cpu_worker.h"

#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------- rectangles

int64_t cpu_copy_count(const HdCpuCopy *copy) {
  int64_t count = 1;
  for (uint32_t k = 0; k < copy->rank; k++)
    count *= copy->length[k];
  return count;
}

// `n` neighbours along the last dimension, from element at[] on.
static void copy_run(const HdCpuCopy *copy, const int64_t *at, int64_t n) {
  uint32_t last = copy->rank - 1;
  size_t size = copy->element_bytes;
  char *to = copy->to;
  const char *from = copy->from;
  bool is_inside = true;
  for (uint32_t k = 0; k < last; k++) {
    to += at[k] * copy->to_stride[k];
    from += at[k] * copy->from_stride[k];
    is_inside &= at[k] >= copy->low[k] && at[k] < copy->high[k];
  }
  for (int64_t i = at[last]; i < at[last] + n; i++) {
    bool is_there = is_inside && i >= copy->low[last] && i < copy->high[last];
    char *target = to + i * copy->to_stride[last];
    if (is_there && copy->combine)
      cpu_copy_combine(copy, target, from + i * copy->from_stride[last]);
    else if (is_there)
      memcpy(target, from + i * copy->from_stride[last], size);
    else if (!copy->is_store)
      memset(target, 0, size);
  }
}

// The whole of a run at once, where neighbours lie side by side.
static bool copy_dense(const HdCpuCopy *copy, const int64_t *at, int64_t n) {
  uint32_t last = copy->rank - 1;
  int64_t size = copy->element_bytes;
  if (copy->to_stride[last] != size || copy->from_stride[last] != size ||
      at[last] < copy->low[last] || at[last] + n > copy->high[last])
    return false;
  char *to = copy->to + at[last] * size;
  const char *from = copy->from + at[last] * size;
  for (uint32_t k = 0; k < last; k++) {
    if (at[k] < copy->low[k] || at[k] >= copy->high[k])
      return false;
    to += at[k] * copy->to_stride[k];
    from += at[k] * copy->from_stride[k];
  }
  memcpy(to, from, (size_t)(n * size));
  return true;
}

void cpu_copy_rows(const HdCpuCopy *copy, int64_t first, int64_t end,
                   void (*row)(void *context, const int64_t *at, int64_t n),
                   void *context) {
  uint32_t last = copy->rank - 1;
  while (first < end) {
    int64_t at[8] = {0}, rest = first;
    for (uint32_t k = last; k > 0; k--) {
      at[k] = rest % copy->length[k];
      rest /= copy->length[k];
    }
    at[0] = rest; // elements of a copy end within it
    int64_t n = copy->length[last] - at[last];
    if (n > end - first)
      n = end - first;
    row(context, at, n);
    first += n;
  }
}

static void cpu_copy_row(void *context, const int64_t *at, int64_t n) {
  const HdCpuCopy *copy = context;
  if (copy->combine || !copy_dense(copy, at, n))
    copy_run(copy, at, n);
}

static void copy_elements(HdCpuCopy *copy, int64_t first, int64_t end) {
  cpu_copy_rows(copy, first, end, cpu_copy_row, copy);
}

// The parts of `lanes`: neighbours' are performed together.
static void copy_lanes(HdCpuCopy *copy, uint32_t lanes) {
  int64_t count = cpu_copy_count(copy), n = copy->n_threads;
  while (lanes != 0) {
    int lane = __builtin_ctz(lanes);
    int64_t first = copy->ranks[lane], end = first;
    while (lane < 32 && (lanes >> lane & 1) != 0 && copy->ranks[lane] == end) {
      lanes &= ~(UINT32_C(1) << lane);
      end++;
      lane++;
    }
    copy_elements(copy, count * first / n, count * end / n);
  }
}

// ------------------------------------------------------------------ landing

static void land_once(CpuPending *pending) {
  HdCpuCopy *copy = &pending->copy;
  copy_elements(copy, 0, cpu_copy_count(copy));
  if (copy->kind == HD_CPU_COPY_BYTES)
    cpu_mbar_landed(&pending->block->abi, copy->barrier,
                    cpu_copy_count(copy) * copy->element_bytes, copy->loc);
}

static void cpu_copy_land(CpuPending *pending, uint32_t lanes) {
  HdCpuCopy *copy = &pending->copy;
  CpuWorker *worker = cpu_worker_of(&pending->block->abi);
  lanes &= copy->lanes;
  copy->lanes &= ~lanes;
  if (worker->run->trace)
    cpu_trace_landed(worker, copy);
  bool is_whole =
      copy->kind == HD_CPU_COPY_BULK || copy->kind == HD_CPU_COPY_BYTES;
  if (copy->barrier)
    copy->barrier->n_copies--;
  if (copy->barrier && pending->block->abi.check)
    cpu_check_landed(&pending->block->abi, copy);
  if (is_whole)
    land_once(pending);
  else if (copy->kind != HD_CPU_COPY_MATRIX)
    copy_lanes(copy, lanes);
  if (copy->kind == HD_CPU_COPY_ARRIVE)
    cpu_mbar_arrive(&pending->block->abi, copy->barrier, 1, 0, lanes, 0,
                    copy->loc, NULL);
  if (copy->kind == HD_CPU_COPY_JOIN)
    cpu_mbar_landed(&pending->block->abi, copy->barrier,
                    __builtin_popcount(lanes), copy->loc);
}

// Drops those that have landed, but for what waits still count.
static void cpu_copy_sweep(CpuWorker *worker) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < worker->n_pending; i++) {
    if ((worker->pending[i].copy.lanes | worker->pending[i].unwaited) == 0)
      continue;
    if (kept != i)
      worker->pending[kept] = worker->pending[i];
    kept++;
  }
  worker->n_pending = kept;
}

static void land_at(CpuWorker *worker, uint32_t i) {
  cpu_copy_land(&worker->pending[i], worker->pending[i].copy.lanes);
}

void cpu_copies_for(CpuWorker *worker, HdCpuMbarrier *barrier) {
  for (uint32_t i = 0; i < worker->n_pending && barrier->n_copies > 0; i++)
    if (worker->pending[i].copy.barrier == barrier)
      land_at(worker, i);
  cpu_copy_sweep(worker);
}

void cpu_copies_some(CpuWorker *worker) {
  for (uint32_t i = 0; i < worker->n_pending; i++)
    if (worker->pending[i].copy.lanes != 0 && cpu_draw(worker, 8) == 0)
      land_at(worker, i);
  cpu_copy_sweep(worker);
}

void cpu_copies_end(CpuWorker *worker) {
  for (uint32_t i = 0; i < worker->n_pending; i++) {
    const CpuPending *pending = &worker->pending[i];
    bool is_empty = pending->copy.length[0] == 0;
    bool has_landed = pending->copy.lanes == 0;
    if (pending->block->abi.check && !is_empty && !has_landed)
      cpu_check_lost_copy(&pending->block->abi, &pending->copy);
    if (pending->copy.kind == HD_CPU_COPY_BULK)
      land_at(worker, i);
  }
  worker->n_pending = 0;
}

// ------------------------------------------------------------------- asking

static void add_pending(CpuWorker *worker, const CpuPending *pending) {
  if (worker->n_pending == worker->pending_capacity) {
    uint32_t capacity = worker->pending_capacity * 2 + 64;
    CpuPending *data =
        realloc(worker->pending, capacity * sizeof(*worker->pending));
    if (!data)
      cpu_memory_failed(worker, "copies that are never waited for");
    worker->pending = data;
    worker->pending_capacity = capacity;
  }
  CpuPending *added = &worker->pending[worker->n_pending++];
  *added = *pending;
  if (pending->copy.kind == HD_CPU_COPY_GROUP)
    added->unwaited = pending->copy.lanes;
  if (pending->block->abi.check)
    cpu_check_copy(&pending->block->abi, &added->copy);
  if (worker->run->trace)
    cpu_trace_copy(worker, &added->copy);
  if (pending->copy.barrier)
    pending->copy.barrier->n_copies++;
  if (pending->copy.kind == HD_CPU_COPY_JOIN)
    pending->copy.barrier->bytes += __builtin_popcount(pending->copy.lanes);
}

static int32_t *cpu_copy_sets_of(CpuBlock *block, uint32_t kind,
                                 uint32_t strand) {
  const HdCpuKernel *kernel = cpu_worker_of(&block->abi)->run->kernel;
  uint32_t row = kind == HD_CPU_COPY_MATRIX ? 2 : kind == HD_CPU_COPY_BULK;
  return block->sets[row] + kernel->strands[strand].warp * 32;
}

// Lanes with the lowest lane's count of closed sets.
static uint32_t same_set(const int32_t *sets, uint32_t lanes) {
  int first = __builtin_ctz(lanes);
  uint32_t same = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (sets[lane] == sets[first])
      same |= UINT32_C(1) << lane;
  }
  return same;
}

static void add_sets(CpuBlock *block, const HdCpuCopy *copy) {
  CpuWorker *worker = cpu_worker_of(&block->abi);
  const int32_t *sets = cpu_copy_sets_of(block, copy->kind, copy->strand);
  for (uint32_t left = copy->lanes; left != 0;) {
    CpuPending pending = {.copy = *copy, .block = block};
    pending.copy.lanes = same_set(sets, left);
    pending.set = sets[__builtin_ctz(left)];
    left &= ~pending.copy.lanes;
    add_pending(worker, &pending);
  }
}

// To the same place in each block of the cluster that the mask names.
static void add_multicast(CpuBlock *block, const HdCpuCopy *copy) {
  CpuWorker *worker = cpu_worker_of(&block->abi);
  for (uint32_t left = copy->blocks; left != 0; left &= left - 1) {
    int32_t rank = __builtin_ctz(left);
    if (rank >= block->abi.cluster_size)
      cpu_fault(&block->abi, copy->loc, 0,
                "the mask of a copy names a block that the cluster doesn't "
                "have");
    int64_t by = (rank - (int64_t)block->abi.cluster_rank) *
                 (int64_t)block->abi.shared_stride;
    CpuPending pending = {.copy = *copy, .block = block};
    pending.copy.to += by;
    pending.copy.barrier =
        (HdCpuMbarrier *)(void *)((char *)copy->barrier + by);
    add_pending(worker, &pending);
  }
}

void cpu_copy(HdCpuBlock *abi, const HdCpuCopy *copy) {
  CpuBlock *block = (CpuBlock *)(void *)abi; // its first member
  if (copy->kind == HD_CPU_COPY_TENSOR) {
    HdCpuCopy told = *copy;
    if (abi->check)
      cpu_check_tensor(abi, &told);
  } else if (copy->kind == HD_CPU_COPY_SET || copy->kind == HD_CPU_COPY_BULK ||
             copy->kind == HD_CPU_COPY_MATRIX) {
    add_sets(block, copy);
  } else if (copy->blocks != 0) {
    add_multicast(block, copy);
  } else {
    CpuPending pending = {.copy = *copy, .block = block};
    add_pending(cpu_worker_of(abi), &pending);
  }
}

void cpu_copy_commit(HdCpuBlock *abi, uint32_t kind, uint32_t strand,
                     uint32_t lanes) {
  CpuBlock *block = (CpuBlock *)(void *)abi;
  int32_t *sets = cpu_copy_sets_of(block, kind, strand);
  if (abi->check)
    cpu_check_commit(abi, kind, strand, lanes);
  for (; lanes != 0; lanes &= lanes - 1)
    sets[__builtin_ctz(lanes)]++;
}

// ------------------------------------------------------------------ waiting

// Lanes whose set is not among their newest n closed ones.
static uint32_t due_lanes(const int32_t *sets, const CpuPending *pending,
                          uint32_t lanes, int64_t n) {
  uint32_t due = 0;
  for (uint32_t left = lanes & pending->copy.lanes; left != 0;
       left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (pending->set < sets[lane] - n)
      due |= UINT32_C(1) << lane;
  }
  return due;
}

static bool cpu_copy_is_of(const CpuPending *pending, const CpuBlock *block,
                           uint32_t kind, uint32_t strand) {
  return pending->block == block && pending->copy.kind == kind &&
         pending->copy.strand == strand;
}

static void cpu_copy_wait_sets(CpuBlock *block, uint32_t kind, uint32_t strand,
                               uint32_t lanes, int64_t n) {
  CpuWorker *worker = cpu_worker_of(&block->abi);
  const int32_t *sets = cpu_copy_sets_of(block, kind, strand);
  for (uint32_t i = 0; i < worker->n_pending; i++) {
    CpuPending *pending = &worker->pending[i];
    if (!cpu_copy_is_of(pending, block, kind, strand))
      continue;
    uint32_t due = due_lanes(sets, pending, lanes, n);
    if (due != 0)
      cpu_copy_land(pending, due);
  }
}

// From the newest on that it has made, n of each lane's stay.
static void cpu_copy_wait_group(CpuBlock *block, uint32_t strand,
                                uint32_t lanes, uint32_t group, int64_t n) {
  CpuWorker *worker = cpu_worker_of(&block->abi);
  int64_t newer[32] = {0};
  uint32_t first = worker->n_pending;
  for (uint32_t i = worker->n_pending; i-- > 0;) {
    CpuPending *pending = &worker->pending[i];
    if (!cpu_copy_is_of(pending, block, HD_CPU_COPY_GROUP, strand) ||
        pending->copy.group != group)
      continue;
    uint32_t stays = 0;
    for (uint32_t left = pending->unwaited & lanes; left != 0;
         left &= left - 1) {
      int lane = __builtin_ctz(left);
      if (newer[lane]++ < n)
        stays |= UINT32_C(1) << lane;
    }
    // Marked here, and performed in the order they were asked for.
    pending->set = (int32_t)(pending->copy.lanes & lanes & ~stays);
    pending->unwaited &= ~lanes | stays;
    first = i;
  }
  for (uint32_t i = first; i < worker->n_pending; i++) {
    CpuPending *pending = &worker->pending[i];
    if (cpu_copy_is_of(pending, block, HD_CPU_COPY_GROUP, strand) &&
        pending->copy.group == group && pending->set != 0)
      cpu_copy_land(pending, (uint32_t)pending->set);
  }
}

void cpu_copy_wait(HdCpuBlock *abi, uint32_t kind, uint32_t strand,
                   uint32_t lanes, uint32_t group, int64_t n, uint32_t loc) {
  CpuBlock *block = (CpuBlock *)(void *)abi;
  if (n < 0)
    n = 0;
  if (abi->check && kind == HD_CPU_COPY_GROUP)
    cpu_check_copies_left(abi, strand, lanes, group, n, loc);
  if (kind == HD_CPU_COPY_GROUP)
    cpu_copy_wait_group(block, strand, lanes, group, n);
  else
    cpu_copy_wait_sets(block,
                       kind == HD_CPU_COPY_SOURCE ? HD_CPU_COPY_BULK : kind,
                       strand, lanes, n);
  cpu_copy_sweep(cpu_worker_of(abi));
  if (abi->check)
    cpu_check_copies_waited(abi, kind, strand, lanes,
                            kind == HD_CPU_COPY_GROUP ? group : 0, n);
}
