// SPDX-License-Identifier: Apache-2.0
// What --sanitize makes of barriers and copies: who knows of whom.
//
// A barrier, split or not, and an mbarrier is a pair of what was released:
// into the phase that is open, and by the phases that ended, by parity.
//
// Note [Agents]
// What a copy accesses is accessed by an agent: for sets of copies one of each
// thread, for copies of each group another, where the kernel has such copies,
// for what an mbarrier waits for one of the barrier. Its copies have serial
// numbers, which are the agent's clock; a wait makes an agent known up to the
// serial of the newest copy it waits for.
#include "rt/cpu/cpu_check_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_lane(uint32_t mask, uint32_t lane) {
  return mask >> lane & 1;
}

// --------------------------------------------------- barriers of groups

void cpu_check_row_arrive(HdCpuBlock *block, uint32_t row, uint32_t warp,
                          uint32_t mask, uint32_t n_threads) {
  CpuCheckBlock *mine = block->check;
  CheckPhases *phases = &mine->rows[row];
  race_release_warp(mine->race, warp, mask, &phases->open);
  mine->counts[row] += (uint32_t)__builtin_popcount(mask);
  if (mine->counts[row] < n_threads)
    return;
  mine->counts[row] = 0;
  check_phases_turn(mine->check->race, phases);
}

// A group has one token out at a time: the phase that ended last.
void cpu_check_row_wait(HdCpuBlock *block, uint32_t row, uint32_t warp,
                        uint32_t mask, uint32_t n_threads) {
  CpuCheckBlock *mine = block->check;
  CheckPhases *phases = &mine->rows[row];
  (void)n_threads;
  race_acquire_warp(mine->race, warp, mask,
                    &phases->ended[(phases->n_ended - 1) % KEPT_PHASES]);
}

void check_phases_turn(Race *race, CheckPhases *phases) {
  RaceSync *ended = &phases->ended[phases->n_ended % KEPT_PHASES];
  race_sync_clear(race, ended);
  *ended = phases->open;
  phases->open = (RaceSync){0};
  phases->n_ended++;
}

// Parts within a strand: found by group and first thread.
static RaceSync *part_sync(CpuCheckBlock *mine, uint32_t group, uint32_t warp,
                           int32_t part) {
  uint64_t key = (uint64_t)group << 40 ^ (uint64_t)warp << 34 ^ (uint32_t)part;
  for (uint32_t i = 0; i < mine->n_parts; i++)
    if (mine->parts[i].key == key)
      return &mine->parts[i].sync;
  if (mine->n_parts == mine->part_capacity) {
    uint32_t capacity = mine->part_capacity * 2 + 16;
    CheckPart *grown = realloc(mine->parts, capacity * sizeof *grown);
    if (!grown)
      return NULL;
    mine->parts = grown;
    mine->part_capacity = capacity;
  }
  mine->parts[mine->n_parts] = (CheckPart){.key = key};
  return &mine->parts[mine->n_parts++].sync;
}

void cpu_check_parts_arrive(HdCpuBlock *block, uint32_t group, uint32_t warp,
                            uint32_t mask, const int32_t *parts) {
  CpuCheckBlock *mine = block->check;
  for (uint32_t todo = mask; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo), before = 0;
    for (uint32_t k = 0; k < lane; k++)
      before |= has_lane(mask, k) && parts[k] == parts[lane];
    RaceSync *sync = part_sync(mine, group, warp, parts[lane]);
    if (!sync)
      return;
    if (!before) // the first of its part
      race_sync_clear(mine->check->race, sync);
    race_release(mine->race, warp * 32 + lane, sync);
  }
}

void cpu_check_parts_wait(HdCpuBlock *block, uint32_t group, uint32_t warp,
                          uint32_t mask, const int32_t *parts) {
  CpuCheckBlock *mine = block->check;
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    RaceSync *sync = part_sync(mine, group, warp, parts[lane]);
    if (sync)
      race_acquire(mine->race, warp * 32 + lane, sync);
  }
}

// All blocks of a cluster stand side by side.
static CheckPhases *wide_phases(HdCpuBlock *block, bool is_grid) {
  CpuBlock *first = (CpuBlock *)(void *)block - block->cluster_rank;
  CpuCheckBlock *mine = first->abi.check;
  return is_grid ? &mine->check->grid : &mine->cluster;
}

// Everybody is about to arrive, or is behind the wait: a group has one token
// out at a time, so that the phase that ended last is meant.
void cpu_check_wide_half(HdCpuBlock *block, uint32_t is_grid, uint32_t warp,
                         uint32_t mask, int32_t is_arrival) {
  CpuCheckBlock *mine = block->check;
  CheckPhases *phases = wide_phases(block, is_grid != 0);
  if (is_arrival)
    race_release_warp(mine->race, warp, mask, &phases->open);
  else
    race_acquire_warp(mine->race, warp, mask,
                      &phases->ended[(phases->n_ended - 1) % KEPT_PHASES]);
}

void cpu_check_wide(HdCpuBlock *const *blocks, uint32_t n, bool is_grid,
                    bool is_own) {
  CpuCheckBlock *first = blocks[0]->check;
  CheckPhases *phases = wide_phases(blocks[0], is_grid);
  if (!is_own && phases->open.know) { // these have arrived, and will wait
    check_phases_turn(first->check->race, phases);
    return;
  }
  RaceBlock **races = calloc(n + 1u, sizeof *races);
  if (!races)
    return;
  for (uint32_t i = 0; i < n; i++)
    races[i] = ((CpuCheckBlock *)blocks[i]->check)->race;
  if (is_own)
    race_meet(races, n, NULL);
  else if (is_grid)
    race_sync_grid(races, n);
  else
    race_sync_cluster(races, n);
  free(races);
}

// ------------------------------------------------------------- mbarriers

// The block of the gang in whose shared memory the barrier is.
static CpuCheckBlock *owner_of(HdCpuBlock *block,
                               const HdCpuMbarrier *barrier) {
  CpuWorker *worker = block->worker;
  uint64_t offset = (uint64_t)((const char *)barrier - worker->shared);
  uint64_t stride = worker->run->shared_stride ? worker->run->shared_stride : 1;
  uint64_t number = offset / stride;
  if (number >= worker->n_blocks)
    return block->check;
  return worker->blocks[number].abi.check;
}

static uint32_t check_sync_number_of(const CpuCheckBlock *mine,
                                     const HdCpuMbarrier *barrier) {
  return mine->check->first_mbarrier[barrier->row] + barrier->element;
}

static CheckPhases *phases_of(HdCpuBlock *block, const HdCpuMbarrier *barrier) {
  CpuCheckBlock *owner = owner_of(block, barrier);
  return &owner->mbarriers[check_sync_number_of(owner, barrier)];
}

void cpu_check_mbar_arrive(HdCpuBlock *block, const HdCpuMbarrier *barrier,
                           uint32_t lanes, int32_t thread) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  CheckPhases *phases = phases_of(block, barrier);
  uint32_t first = (uint32_t)thread; // of lane 0: a warp's, or a lone lane's
  race_release_warp(mine->race, first / 32, lanes << first % 32, &phases->open);
}

// Note [The phase that is meant]
// A wait names a parity. Threads mostly wait for one phase after the other, so
// of the phases with that parity the next one that the thread has not waited
// for is meant, and only what was released up to it is known then, even if
// later ones have ended by now: that they have is chance, or a mistake. Where
// the parity isn't that of the next phase, the newest one is meant.
static int32_t meant_phase(int32_t seen, int32_t wanted, int32_t open) {
  int32_t newest = open - ((open ^ wanted) & 1);
  int32_t next = seen;
  if (seen == 0 && (wanted & 1) != 0) // "the phase before the first"
    next = open == 0 ? -1 : 1;
  return ((next ^ wanted) & 1) == 0 && next < newest ? next : newest;
}

static uint64_t check_sync_place_of(const CpuCheckBlock *mine,
                                    const HdCpuMbarrier *barrier,
                                    uint32_t thread) {
  return (uint64_t)check_sync_number_of(mine, barrier) *
             mine->check->n_threads +
         thread;
}

// `text`: what follows the thread's name.
static void tell_out_of_phase(const CpuCheckBlock *mine,
                              const HdCpuMbarrier *barrier, uint32_t thread,
                              const char *what) {
  const HdCpuMbarrierInfo *info = &mine->check->kernel->mbarriers[barrier->row];
  char who[128], text[640];
  race_name_thread(mine->race, thread, who, sizeof who);
  snprintf(text, sizeof text,
           "%s: error[HD1030]: wait for mbarrier '%s[%u]' is out of phase\n"
           "  %s %s: a parity distinguishes only neighbouring phases\n",
           mine->check->kernel->locs[info->loc], info->name, barrier->element,
           who, what);
  race_add_report(mine->check->race, UINT64_C(5) << 61 | barrier->row, text);
}

static void tell_late(const CpuCheckBlock *mine, const HdCpuMbarrier *barrier,
                      uint32_t thread, int32_t meant) {
  char what[120];
  snprintf(what, sizeof what,
           "waits for phase %d, but the barrier is already in phase %d", meant,
           barrier->phase);
  tell_out_of_phase(mine, barrier, thread, what);
}

// Note [Left behind]
// Lanes of a warp wait by themselves: while one has gone on, another may not
// have looked yet. So the end of phase p must come after every return of a wait
// that means p - 1, by arrivals or by what made a thread ask for a copy that
// lands. Such causes are kept apart from what is known: a copy that has landed
// makes nothing else visible.
static bool is_left_behind(const CpuCheckBlock *owner, uint32_t thread,
                           const CheckWait *wait, int32_t meant,
                           const RaceSync *ended) {
  bool was_before = wait->meant == meant + 1 && wait->before > 0;
  uint32_t clock = was_before ? wait->before : wait->clock;
  if (!wait->is_begun || (wait->meant != meant && !was_before))
    return false;
  return clock == 0 || !race_sync_is_after(owner->race, ended, thread, clock);
}

static void tell_left_behind(const CpuCheckBlock *owner,
                             const HdCpuMbarrier *barrier,
                             const RaceSync *ended) {
  int32_t meant = barrier->phase - 2;
  for (uint32_t i = 0; i < owner->check->n_threads; i++) {
    const CheckWait *wait =
        &owner->waits[check_sync_place_of(owner, barrier, i)];
    if (!is_left_behind(owner, i, wait, meant, ended))
      continue;
    char what[160];
    snprintf(
        what, sizeof what,
        "waits for phase %d, but phase %d can complete before the wait returns",
        meant, meant + 1);
    tell_out_of_phase(owner, barrier, i, what);
    return;
  }
}

void cpu_check_mbar_phase(HdCpuBlock *block, const HdCpuMbarrier *barrier) {
  CpuCheckBlock *owner = owner_of(block, barrier);
  CheckPhases *phases = phases_of(block, barrier);
  check_phases_turn(owner->check->race, phases);
  tell_left_behind(owner, barrier,
                   &phases->ended[(phases->n_ended - 1) % KEPT_PHASES]);
}

static void begin_wait(CheckWait *wait, int32_t meant) {
  bool is_next = wait->is_begun && wait->meant == meant - 1;
  *wait = (CheckWait){
      .meant = meant, .before = is_next ? wait->clock : 0, .is_begun = true};
}

// What the phase released, if it is still kept.
static const RaceSync *released_by(const CheckPhases *phases, int64_t phase) {
  static const RaceSync nothing;
  bool is_kept = phase >= 0 && phase < phases->n_ended &&
                 phase + KEPT_PHASES >= phases->n_ended;
  return is_kept ? &phases->ended[phase % KEPT_PHASES] : &nothing;
}

// Phases that the thread has learnt of without waiting for them are behind it,
// too. Asked only where several phases could be meant.
static void skip_learnt(HdCpuBlock *block, const HdCpuMbarrier *barrier,
                        uint32_t thread) {
  CpuCheckBlock *mine = block->check;
  const CheckPhases *phases = phases_of(block, barrier);
  int32_t *seen = &mine->seen[check_sync_place_of(mine, barrier, thread)];
  while (*seen < barrier->phase &&
         race_knows(mine->race, thread, released_by(phases, *seen)))
    (*seen)++;
}

int32_t cpu_check_waiting(HdCpuBlock *block, HdCpuMbarrier *barrier,
                          uint32_t warp, uint32_t mask, int32_t wanted,
                          int32_t what) {
  CpuCheckBlock *mine = block->check;
  if (what != HD_CPU_WANTS_PARITY || owner_of(block, barrier) != mine)
    return 0;
  int32_t are_over = 1;
  for (; mask; mask &= mask - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(mask);
    uint64_t at = check_sync_place_of(mine, barrier, thread);
    if (mine->seen[at] + 1 < barrier->phase)
      skip_learnt(block, barrier, thread);
    int32_t meant = meant_phase(mine->seen[at], wanted, barrier->phase);
    if (meant >= 0 && barrier->phase >= meant + 2)
      tell_late(mine, barrier, thread, meant);
    are_over &= meant < barrier->phase;
    begin_wait(&mine->waits[at], meant);
    if (mine->seen[at] < meant + 1)
      mine->seen[at] = meant + 1;
  }
  return are_over;
}

static void note_back(CpuCheckBlock *mine, const HdCpuMbarrier *barrier,
                      uint32_t warp, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(mask);
    mine->waits[check_sync_place_of(mine, barrier, thread)].clock =
        race_thread_clock(mine->race, thread);
  }
}

void cpu_check_waited(HdCpuBlock *block, HdCpuMbarrier *barrier, uint32_t warp,
                      uint32_t mask, int32_t wanted, int32_t what) {
  CpuCheckBlock *mine = block->check;
  const CheckPhases *phases = phases_of(block, barrier);
  bool is_followed =
      what == HD_CPU_WANTS_PARITY && owner_of(block, barrier) == mine;
  int32_t newest = barrier->phase - 1;
  newest -= (newest ^ wanted) & 1;
  while (mask) { // those with the same target together
    uint32_t first = warp * 32 + (uint32_t)__builtin_ctz(mask), same = 0;
    int32_t target =
        what == HD_CPU_WANTS_PHASE ? wanted
        : is_followed
            ? mine->waits[check_sync_place_of(mine, barrier, first)].meant
            : newest;
    for (uint32_t todo = mask; todo; todo &= todo - 1) {
      uint32_t lane = (uint32_t)__builtin_ctz(todo);
      if (!is_followed ||
          mine->waits[check_sync_place_of(mine, barrier, warp * 32 + lane)]
                  .meant == target)
        same |= 1u << lane;
    }
    race_acquire_warp(mine->race, warp, same, released_by(phases, target));
    if (is_followed)
      note_back(mine, barrier, warp, same);
    mask &= ~same;
  }
}

// ---------------------------------------------------------------- agents

// What is waited for by threads, as bits. SOURCE: an agent that reads the
// sources of BULK, in kernels that wait for these alone.
enum {
  THREAD_KINDS = 1 << HD_CPU_COPY_SET | 1 << HD_CPU_COPY_BULK |
                 1 << HD_CPU_COPY_SOURCE | 1 << HD_CPU_COPY_MATRIX |
                 1 << HD_CPU_COPY_TENSOR | 1 << HD_CPU_COPY_GROUP
};

// Agents of each thread; of kinds before `kind`. Every group that copies has
// one, behind the others.
static uint32_t kinds_before(const HdCpuKernel *kernel, uint32_t kind) {
  uint32_t before = (UINT32_C(1) << kind) - 1;
  return (uint32_t)__builtin_popcount(kernel->copy_kinds & THREAD_KINDS &
                                      before);
}

static uint32_t kind_count(const HdCpuKernel *kernel) {
  return kinds_before(kernel, HD_CPU_COPY_GROUP) + kernel->n_copy_groups;
}

uint32_t check_agent_count(const HdCpuKernel *kernel, uint32_t n_threads,
                           uint32_t n_mbarriers) {
  return kernel->copy_kinds ? kind_count(kernel) * n_threads + n_mbarriers : 0;
}

// That of the block's first thread; the others' are behind it.
static uint32_t first_agent(const CpuCheckBlock *mine, uint32_t copy_kind,
                            uint32_t group) {
  const CpuCheck *check = mine->check;
  uint32_t kind = kinds_before(check->kernel, copy_kind);
  kind += copy_kind == HD_CPU_COPY_GROUP ? group : 0;
  return kind * check->n_threads;
}

static uint32_t thread_agent(const CpuCheckBlock *mine, uint32_t copy_kind,
                             uint32_t group, uint32_t thread) {
  return first_agent(mine, copy_kind, group) + thread;
}

static bool has_source_agents(const CpuCheckBlock *mine) {
  return mine->check->kernel->copy_kinds >> HD_CPU_COPY_SOURCE & 1;
}

static uint32_t barrier_agent(const CpuCheckBlock *mine,
                              const HdCpuMbarrier *barrier) {
  return kind_count(mine->check->kernel) * mine->check->n_threads +
         check_sync_number_of(mine, barrier);
}

// ---------------------------------------------------------------- copies

typedef struct {
  HdCpuBlock *block;
  const HdCpuCopy *copy;
  uint32_t warp, lane_mask; // who asked for this part
  uint32_t agent, serial;
  uint32_t reader, reader_serial; // the agent that reads the source
  uint32_t before; // TENSOR: what the agent did last, it does this behind that
  bool is_quiet;   // the source is of no concern
} Part;

static void access_side(const Part *part, uint32_t site, uint32_t agent,
                        uint32_t serial, const char *memory, uint64_t bytes) {
  CpuCheckBlock *mine = part->block->check;
  uint64_t address = (uint64_t)(uintptr_t)memory;
  bool is_tensor = part->copy->kind == HD_CPU_COPY_TENSOR;
  if (!race_access_behind(mine->race, &mine->check->sites[site], part->warp,
                          part->lane_mask, agent, is_tensor ? part->before : 0,
                          serial, address, bytes))
    cpu_check_stop_copy(part->block, site, part->warp, part->lane_mask, address,
                        bytes);
  if (mine->sites[site].loops != 0)
    check_own_bytes(part->block, site, part->warp, part->lane_mask, address,
                    bytes);
}

static void access_run(const Part *part, const char *to, const char *from,
                       uint64_t bytes, bool is_there) {
  uint32_t site = part->copy->site;
  if (is_there && !part->is_quiet)
    access_side(part, site, part->reader, part->reader_serial, from, bytes);
  if (part->copy->kind != HD_CPU_COPY_MATRIX &&
      part->copy->kind != HD_CPU_COPY_TENSOR &&
      (is_there || !part->copy->is_store))
    access_side(part, site + 1, part->agent, part->serial, to, bytes);
}

// One row of neighbours along the last dimension, in pieces that are wholly
// inside the extents or outside.
static void access_row(void *context, const int64_t *at, int64_t n) {
  const Part *part = context;
  const HdCpuCopy *copy = part->copy;
  uint32_t last = copy->rank - 1;
  const char *to = copy->to, *from = copy->from;
  bool is_inside = true;
  for (uint32_t k = 0; k < last; k++) {
    to += at[k] * copy->to_stride[k];
    from += at[k] * copy->from_stride[k];
    is_inside &= at[k] >= copy->low[k] && at[k] < copy->high[k];
  }
  bool is_dense = copy->to_stride[last] == copy->element_bytes &&
                  copy->from_stride[last] == copy->element_bytes;
  for (int64_t i = at[last], end = at[last] + n; i < end;) {
    bool is_there = is_inside && i >= copy->low[last] && i < copy->high[last];
    int64_t next = i + 1;
    if (is_dense)
      next = is_there                           ? copy->high[last]
             : is_inside && i < copy->low[last] ? copy->low[last]
                                                : end;
    if (next > end)
      next = end;
    access_run(part, to + i * copy->to_stride[last],
               from + i * copy->from_stride[last],
               (uint64_t)(next - i) * copy->element_bytes, is_there);
    i = next;
  }
}

static void access_elements(Part *part, int64_t first, int64_t end) {
  cpu_copy_rows(part->copy, first, end, access_row, part);
}

static uint32_t next_serial(CpuCheckBlock *mine, uint32_t agent) {
  return mine->serials[agent] = race_agent_clock(mine->check->race);
}

// The agent's newest copy ends a set.
static void add_mark(CpuCheckBlock *mine, uint32_t agent) {
  CheckMarks *marks = &mine->marks[agent];
  if (marks->count == marks->capacity) {
    uint32_t capacity = marks->capacity * 2 + 8;
    uint32_t *grown = realloc(marks->serials, capacity * sizeof *grown);
    if (!grown)
      return;
    marks->serials = grown;
    marks->capacity = capacity;
  }
  marks->serials[marks->count++] = mine->serials[agent];
}

static void copy_once(Part *part) {
  CpuCheckBlock *mine = part->block->check;
  const HdCpuCopy *copy = part->copy;
  part->lane_mask &= -part->lane_mask;
  uint32_t thread = part->warp * 32 + (uint32_t)__builtin_ctz(part->lane_mask);
  part->agent = copy->barrier ? barrier_agent(mine, copy->barrier)
                              : thread_agent(mine, copy->kind, 0, thread);
  part->reader = part->agent;
  if (copy->kind == HD_CPU_COPY_BULK && has_source_agents(mine))
    part->reader = thread_agent(mine, HD_CPU_COPY_SOURCE, 0, thread);
  part->reader_serial = next_serial(mine, part->reader);
  part->serial = part->reader == part->agent ? part->reader_serial
                                             : next_serial(mine, part->agent);
  access_elements(part, 0, cpu_copy_count(copy));
}

// Where a share of n begins. Those of bytes don't divide elements.
static int64_t share_start(const HdCpuCopy *copy, int64_t count,
                           int64_t share) {
  int64_t start = count * share / copy->n_threads;
  return copy->element_bytes == 1 && share < copy->n_threads ? start & ~15
                                                             : start;
}

// All that a copy of neighbours reads is in an array that nobody writes.
static bool has_quiet_source(const Part *part) {
  const HdCpuCopy *copy = part->copy;
  const CpuCheckBlock *mine = part->block->check;
  int64_t size = copy->element_bytes, low = copy->low[0], high = copy->high[0];
  low = low > 0 ? low : 0;
  high = high < copy->length[0] ? high : copy->length[0];
  if (copy->rank != 1 || copy->from_stride[0] != size || low >= high ||
      mine->sites[copy->site].loops != 0)
    return false;
  return race_is_quiet(mine->race, &mine->check->sites[copy->site],
                       (uint64_t)(uintptr_t)copy->from + (uint64_t)(low * size),
                       (uint64_t)((high - low) * size));
}

// Which thread copies what is the implementation's: here each thread copies
// its neighbour's share, so that nobody can rely on it.
static void copy_shares(Part *part, uint32_t lanes) {
  CpuCheckBlock *mine = part->block->check;
  const HdCpuCopy *copy = part->copy;
  int64_t count = cpu_copy_count(copy), n = copy->n_threads;
  uint32_t agents =
      copy->barrier ? 0 : first_agent(mine, copy->kind, copy->group);
  part->serial = race_agent_clock(mine->check->race);
  part->is_quiet = has_quiet_source(part);
  for (; lanes; lanes &= lanes - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    part->lane_mask = 1u << lane;
    part->agent = copy->barrier ? barrier_agent(mine, copy->barrier)
                                : agents + part->warp * 32 + lane;
    part->before = mine->serials[part->agent];
    mine->serials[part->agent] = part->serial;
    part->reader = part->agent;
    part->reader_serial = part->serial;
    if (copy->kind == HD_CPU_COPY_GROUP)
      add_mark(mine, part->agent);
    int64_t share = (copy->ranks[lane] + 1) % n;
    access_elements(part, share_start(copy, count, share),
                    share_start(copy, count, share + 1));
  }
}

void cpu_check_copy(HdCpuBlock *block, HdCpuCopy *copy) {
  CpuCheckBlock *mine = block->check;
  bool is_once =
      copy->kind == HD_CPU_COPY_BULK || copy->kind == HD_CPU_COPY_BYTES;
  uint32_t warp = (uint32_t)mine->check->kernel->strands[copy->strand].warp;
  Part part = {
      .block = block, .copy = copy, .warp = warp, .lane_mask = copy->lanes};
  if (copy->lanes == 0)
    return;
  if (copy->barrier)
    race_release_warp(mine->race, warp, copy->lanes,
                      &phases_of(block, copy->barrier)->asked);
  if (is_once)
    copy_once(&part);
  else
    copy_shares(&part, copy->lanes);
  copy->serial = part.serial;
}

void cpu_check_tensor(HdCpuBlock *block, HdCpuCopy *copy) {
  CpuCheckBlock *mine = block->check;
  uint32_t warp = (uint32_t)mine->check->kernel->strands[copy->strand].warp;
  if (!copy->barrier) {
    cpu_check_copy(block, copy);
    return;
  }
  if (!(mine->check->kernel->copy_kinds >> HD_CPU_COPY_TENSOR & 1))
    return; // the kernel has commits only
  for (uint32_t lanes = copy->lanes; lanes; lanes &= lanes - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(lanes);
    uint32_t agent = thread_agent(mine, HD_CPU_COPY_TENSOR, 0, thread);
    race_agent_release(mine->race, agent, mine->serials[agent],
                       &phases_of(block, copy->barrier)->open);
  }
}

void cpu_check_landed(HdCpuBlock *block, const HdCpuCopy *copy) {
  CpuCheckBlock *mine = block->check;
  CheckPhases *phases = phases_of(block, copy->barrier);
  race_agent_release(mine->race, barrier_agent(mine, copy->barrier),
                     copy->serial, &phases->open);
  race_sync_cause(mine->race, &phases->open, &phases->asked);
}

// ------------------------------------------------------------------ sets

void cpu_check_commit(HdCpuBlock *block, uint32_t kind, uint32_t strand,
                      uint32_t lanes) {
  CpuCheckBlock *mine = block->check;
  uint32_t warp = (uint32_t)mine->check->kernel->strands[strand].warp;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(lanes);
    add_mark(mine, thread_agent(mine, kind, 0, thread));
    if (kind == HD_CPU_COPY_BULK && has_source_agents(mine))
      add_mark(mine, thread_agent(mine, HD_CPU_COPY_SOURCE, 0, thread));
  }
}

// All but the newest n sets of each lane; each copy of a group is a set.
void cpu_check_copies_waited(HdCpuBlock *block, uint32_t kind, uint32_t strand,
                             uint32_t lanes, uint32_t group, int64_t n) {
  CpuCheckBlock *mine = block->check;
  uint32_t warp = (uint32_t)mine->check->kernel->strands[strand].warp;
  if (kind == HD_CPU_COPY_BULK && has_source_agents(mine))
    cpu_check_copies_waited(block, HD_CPU_COPY_SOURCE, strand, lanes, group, n);
  uint32_t agents = first_agent(mine, kind, group);
  for (; lanes; lanes &= lanes - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(lanes);
    uint32_t agent = agents + thread;
    const CheckMarks *marks = &mine->marks[agent];
    int64_t last = (int64_t)marks->count - n - 1;
    if (last >= 0)
      race_agent_known(mine->race, thread, agent, marks->serials[last]);
  }
}

void cpu_check_copies_left(HdCpuBlock *block, uint32_t strand, uint32_t lanes,
                           uint32_t group, int64_t n, uint32_t loc) {
  CpuCheckBlock *mine = block->check;
  uint32_t warp = (uint32_t)mine->check->kernel->strands[strand].warp;
  for (; lanes && n > 0; lanes &= lanes - 1) {
    uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(lanes);
    uint32_t made =
        mine->marks[thread_agent(mine, HD_CPU_COPY_GROUP, group, thread)].count;
    if ((int64_t)made >= n)
      continue;
    char who[128], text[512];
    race_name_thread(mine->race, thread, who, sizeof who);
    snprintf(text, sizeof text,
             "%s: error[HD1016]: 'wait_prior' leaves the newest %lld copies "
             "pending, but the group has made %u\n"
             "  %s has waited for nothing",
             mine->check->kernel->locs[loc], (long long)n, made, who);
    check_stop(block, text);
  }
}

// ------------------------------------------------------------------- end

void cpu_check_lost_copy(HdCpuBlock *block, const HdCpuCopy *copy) {
  CpuCheckBlock *mine = block->check;
  const char *place = mine->check->kernel->locs[copy->loc];
  char text[512];
  snprintf(text, sizeof text,
           "%s: error[HD1031]: an asynchronous copy is never waited for\n"
           "  block (%d, %d, %d) ends while it may still be under way\n",
           place, block->index[0], block->index[1], block->index[2]);
  race_add_report(mine->check->race, UINT64_C(7) << 61 | copy->loc, text);
}

// An mbarrier that still expects bytes when its block ends.
void cpu_check_mbarriers_end(HdCpuBlock *block) {
  CpuCheckBlock *mine = block->check;
  const HdCpuKernel *kernel = mine->check->kernel;
  for (uint32_t row = 0; row < kernel->n_mbarriers; row++) {
    const HdCpuMbarrierInfo *info = &kernel->mbarriers[row];
    const HdCpuMbarrier *barriers =
        (const HdCpuMbarrier *)(const void *)(block->shared +
                                              info->offset_bytes);
    for (uint32_t i = 0; i < info->n_elements; i++) {
      if (barriers[i].bytes == 0)
        continue;
      char text[512];
      snprintf(text, sizeof text,
               "%s: error[HD1032]: mbarrier '%s[%u]' ends with %d bytes %s\n"
               "  the bytes expected in phase %d are not those of the copies\n",
               kernel->locs[info->loc], info->name, i,
               barriers[i].bytes < 0 ? -barriers[i].bytes : barriers[i].bytes,
               barriers[i].bytes < 0 ? "that were never expected"
                                     : "still expected",
               barriers[i].phase);
      race_add_report(mine->check->race, UINT64_C(13) << 60 | row, text);
    }
  }
}
