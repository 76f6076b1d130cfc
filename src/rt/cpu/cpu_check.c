// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_check_parts.h"
#include "rt/cpu/cpu_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPORTS = 20 };

// A launch that makes so many accesses outside of arrays is stopped: what it
// reads there may be what would end it.
enum { MOST_OUTSIDE = 1 << 20 };

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

static void dense_strides(RaceArray *array) {
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

static RaceArray describe(const CpuRun *run, const RtLaunch *launch,
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
  dense_strides(&array);
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

static bool overlap(const RaceArray *a, const RaceArray *b) {
  return a->base < b->base + b->size_bytes && b->base < a->base + a->size_bytes;
}

// Arrays that overlap have one history: they are joined.
static uint32_t join_overlapping(RaceArray *arrays, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count;) {
      RaceArray *a = &arrays[i], *b = &arrays[k];
      if (!overlap(a, b)) {
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
static uint64_t alignment_of(const RaceArray *array) {
  uint64_t bytes = array->element_bytes ? array->element_bytes : 1;
  return bytes & -bytes;
}

// Of the ranges that arrays were joined to.
static void find_quiet(CpuCheck *check, const RaceArray *ranges, uint32_t n) {
  const HdCpuKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < kernel->n_arrays; i++) {
    const RaceArray *array = &check->arrays[i];
    if (kernel->arrays[i].kind == HD_CPU_ARRAY_SHARED ||
        array->base % alignment_of(array) != 0)
      continue;
    for (uint32_t k = 0; k < n; k++)
      if (array->base - ranges[k].base < ranges[k].size_bytes)
        check->quiet[i] = ranges[k].is_never_written;
  }
}

static bool add_globals(CpuCheck *check) {
  const HdCpuKernel *kernel = check->kernel;
  RaceArray *ranges = calloc(kernel->n_arrays + 1u, sizeof *ranges);
  uint32_t n = 0;
  for (uint32_t i = 0; i < kernel->n_arrays && ranges; i++)
    if (kernel->arrays[i].kind != HD_CPU_ARRAY_SHARED &&
        check->arrays[i].size_bytes > 0)
      ranges[n++] = check->arrays[i];
  n = join_overlapping(ranges, n);
  bool is_good = ranges != NULL;
  if (is_good)
    find_quiet(check, ranges, n);
  for (uint32_t i = 0; i < n && is_good; i++)
    is_good = race_add_array(check->race, &ranges[i]) >= 0;
  free(ranges);
  return is_good;
}

static bool list_shared(CpuCheck *check) {
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

static void list_sites(CpuCheck *check) {
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

// ------------------------------------------------------------------ life

static void clear_phases(Race *race, CheckPhases *phases, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    race_sync_clear(race, &phases[i].open);
    race_sync_clear(race, &phases[i].asked);
    for (uint32_t k = 0; k < KEPT_PHASES && k < phases[i].n_ended; k++)
      race_sync_clear(race, &phases[i].ended[k]);
  }
}

static void check_free(CpuCheck *check) {
  if (check->race)
    clear_phases(check->race, &check->grid, 1);
  race_free(check->race);
  for (CpuCheckBlock *mine = check->spare, *next; mine; mine = next) {
    next = mine->next;
    free(mine);
  }
  free(check->sites);
  free(check->arrays);
  free(check->quiet);
  free(check->shared);
  free(check->first_mbarrier);
  free(check->claims.slots);
  check_own_free(check->own);
  free(check);
}

static bool number_mbarriers(CpuCheck *check) {
  const HdCpuKernel *kernel = check->kernel;
  check->first_mbarrier =
      calloc(kernel->n_mbarriers + 1u, sizeof *check->first_mbarrier);
  for (uint32_t i = 0; i < kernel->n_mbarriers && check->first_mbarrier; i++) {
    check->first_mbarrier[i] = check->n_mbarriers;
    check->n_mbarriers += kernel->mbarriers[i].n_elements;
  }
  check->n_agents =
      check_agent_count(kernel, check->n_threads, check->n_mbarriers);
  return check->first_mbarrier != NULL;
}

// Memory for `count` elements behind what was taken so far; NULL for `memory`
// only counts.
static void *take(char *memory, size_t *used, size_t count, size_t size) {
  void *at = memory ? memory + *used : NULL;
  *used += (count * size + 15) / 16 * 16;
  return at;
}

// A block's tables lie behind it. The bytes of all.
static size_t lay_out(const CpuCheck *check, CpuCheckBlock *mine) {
  CpuCheckBlock none = {0}, *out = mine ? mine : &none;
  char *memory = (char *)mine;
  size_t used = (sizeof *mine + 15) / 16 * 16, n_mbarriers = check->n_mbarriers;
  size_t n_rows = check->kernel->n_barriers, n_agents = check->n_agents;
  size_t n_waits = n_mbarriers * check->n_threads;
  size_t n_words = (check->n_threads + 31) / 32;
  out->n_words = (uint32_t)n_words;
  out->counts = take(memory, &used, n_rows, sizeof *out->counts);
  out->members = take(memory, &used, n_rows * n_words, sizeof *out->members);
  out->rows = take(memory, &used, n_rows, sizeof *out->rows);
  out->mbarriers = take(memory, &used, n_mbarriers, sizeof *out->mbarriers);
  out->seen = take(memory, &used, n_waits, sizeof *out->seen);
  out->waits = take(memory, &used, n_waits, sizeof *out->waits);
  out->serials = take(memory, &used, n_agents, sizeof *out->serials);
  out->marks = take(memory, &used, n_agents, sizeof *out->marks);
  return used;
}

CpuCheck *cpu_check_new(CpuRun *run, const RtLaunch *launch,
                        RaceMemory *memory) {
  const HdCpuKernel *kernel = run->kernel;
  CpuCheck *check = calloc(1, sizeof *check);
  if (!check)
    return NULL;
  check->kernel = kernel;
  check->allows_equal = launch->allows_equal_stores;
  check->interrupt = run->interrupt;
  check->sites = calloc(kernel->n_sites + 1u, sizeof *check->sites);
  check->arrays = calloc(kernel->n_arrays + 1u, sizeof *check->arrays);
  check->quiet = calloc(kernel->n_arrays + 1u, sizeof *check->quiet);
  run->launch.quiet = check->quiet;
  run->launch.compares_stores = launch->allows_equal_stores;
  const int32_t *dim = kernel->block_dim;
  check->n_threads = (uint32_t)(dim[0] * dim[1] * dim[2]);
  if (!number_mbarriers(check)) {
    check_free(check);
    return NULL;
  }
  RaceConfig config = {.n_threads = check->n_threads,
                       .n_agents = check->n_agents,
                       .max_reports = MOST_REPORTS,
                       .shared_is_private = run->cluster_blocks == 1,
                       .grid = run->launch.grid,
                       .block_dim = dim,
                       .sites = check->sites,
                       .n_sites = kernel->n_sites,
                       .memory = memory};
  check->race = race_new(&config);
  if (!check->race || !check->sites || !check->arrays || !check->quiet) {
    check_free(check);
    return NULL;
  }
  for (uint32_t i = 0; i < kernel->n_arrays; i++)
    check->arrays[i] = describe(run, launch, &kernel->arrays[i]);
  list_sites(check);
  check->block_bytes = lay_out(check, NULL);
  if (list_shared(check) && add_globals(check))
    return check;
  check_free(check);
  return NULL;
}

// All reports behind what the error says already, as many as fit.
static void tell_reports(const Race *race, RtError *error) {
  uint32_t n = race_n_reports(race), i = 0;
  size_t size = sizeof error->text, length = strlen(error->text);
  for (; i < n; i++) {
    const char *report = race_report(race, i);
    size_t needed = strlen(report) + 2;
    if (length + needed + 64 > size)
      break;
    length += (size_t)snprintf(error->text + length, size - length, "%s%s",
                               length ? "\n" : "", report);
  }
  if (i < n)
    snprintf(error->text + length, size - length,
             "\n%" PRIu32 " more reports are left out", n - i);
  else if (length > 0 && error->text[length - 1] == '\n')
    error->text[length - 1] = 0;
}

void cpu_check_end(CpuCheck *check, CpuRun *run) {
  if (!check)
    return;
  const Race *race = check->race;
  if (run->trace)
    cpu_trace_checks(run->trace, race_bytes(race), race_touched_elements(race));
  if (race_n_reports(race) > 0 && run->status == HD_OK)
    cpu_run_fail(run, HD_ERROR_CHECK, "");
  if (run->status == HD_ERROR_CHECK)
    run->error.text[0] = 0; // it is among the reports
  if (run->status != HD_OK)
    tell_reports(race, &run->error);
  else if (race_failed(race))
    cpu_run_fail(run, HD_ERROR_MEMORY,
                 "out of memory for the records of --sanitize");
  check_free(check);
}

bool cpu_check_block_begin(CpuCheck *check, HdCpuBlock *block) {
  CpuCheckBlock *mine = check->spare;
  if (mine)
    check->spare = mine->next;
  else
    mine = malloc(check->block_bytes);
  block->check = mine;
  if (!mine)
    return false;
  memset(mine, 0, check->block_bytes);
  lay_out(check, mine);
  mine->check = check;
  mine->interrupt = check->interrupt;
  mine->sites = check->kernel->sites;
  mine->race = race_block_start(check->race, block->linear,
                                (uint64_t)(uintptr_t)block->shared,
                                check->shared, check->n_shared);
  return mine->race != NULL;
}

void cpu_check_block_end(HdCpuBlock *block) {
  CpuCheckBlock *mine = block->check;
  if (!mine)
    return;
  Race *race = mine->check->race;
  clear_phases(race, mine->rows, mine->check->kernel->n_barriers);
  clear_phases(race, mine->mbarriers, mine->check->n_mbarriers);
  clear_phases(race, &mine->cluster, 1);
  for (uint32_t i = 0; i < mine->n_parts; i++)
    race_sync_clear(race, &mine->parts[i].sync);
  for (uint32_t i = 0; i < mine->check->n_agents; i++)
    free(mine->marks[i].serials);
  race_block_end(mine->race);
  free(mine->parts);
  free(mine->claims.slots);
  free(mine->cluster_claims.slots);
  free(mine->latest);
  mine->next = mine->check->spare;
  mine->check->spare = mine;
  block->check = NULL;
}

// -------------------------------------------------------------- services

void check_leave(const HdCpuBlock *block) {
  CpuWorker *worker = block->worker;
  if (cpu_run_stopped(worker->run))
    longjmp(worker->escape, 1);
}

// Stops the launch with a report about a lane.
void check_stop(HdCpuBlock *block, const char *text) {
  CpuWorker *worker = block->worker;
  CpuCheckBlock *mine = block->check;
  race_add_report(mine->check->race, UINT64_MAX, text);
  cpu_run_fail(worker->run, HD_ERROR_CHECK, text);
  longjmp(worker->escape, 1);
}

// Operations of one expression may begin at one place: told once.
static uint64_t place_hash(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text && *text != ' '; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

// Of accesses outside of arrays, each place is told once.
static uint64_t outside_key(const char *place) {
  return ~place_hash(place);
}

// The launch goes on behind an access outside of arrays, which isn't made. The
// place is new: it is to be told.
static bool counts_outside(HdCpuBlock *block, const RaceSite *where) {
  CpuCheckBlock *mine = block->check;
  CpuWorker *worker = block->worker;
  uint32_t n = __atomic_add_fetch(&mine->check->n_outside, 1, __ATOMIC_RELAXED);
  if (n >= MOST_OUTSIDE) {
    cpu_run_fail(worker->run, HD_ERROR_CHECK, "");
    longjmp(worker->escape, 1);
  }
  return !race_has_report(mine->check->race, outside_key(where->place));
}

// From the start of the array that the place names. Shared ones begin in the
// memory of the block.
static int64_t byte_of(const HdCpuBlock *block, uint32_t site,
                       uint64_t address) {
  const CpuCheck *check = ((const CpuCheckBlock *)block->check)->check;
  int32_t row = check->kernel->sites[site].array;
  uint64_t base = check->sites[site].array->base;
  if (row >= 0 && check->kernel->arrays[row].kind == HD_CPU_ARRAY_SHARED)
    base += (uint64_t)(uintptr_t)block->shared;
  return (int64_t)(address - base);
}

static void tell_outside(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t lanes, uint64_t address) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  char who[128], text[1024];
  if (!counts_outside(block, where))
    return;
  uint32_t lane = (uint32_t)__builtin_ctz(lanes);
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  const char *verb = where->kind & RACE_WRITES ? "writes" : "reads";
  if (where->array)
    snprintf(text, sizeof text,
             "%s: error[HD0702]: access outside of array '%s'\n"
             "  %s %s %" PRIu32 " bytes at byte %" PRId64
             " of '%s', which has %" PRIu64 "\n",
             where->place, where->array->name, who, verb, where->size_bytes,
             byte_of(block, site, address), where->array->name,
             where->array->size_bytes);
  else
    snprintf(text, sizeof text,
             "%s: error[HD0702]: access outside of all arrays\n"
             "  %s %s %" PRIu32 " bytes at address 0x%" PRIx64
             ", which no array of the launch holds\n",
             where->place, who, verb, where->size_bytes, address);
  race_add_report(mine->check->race, outside_key(where->place), text);
}

static void stop_misaligned(HdCpuBlock *block, uint32_t site, uint32_t warp,
                            uint32_t lane, uint64_t address) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  uint32_t align = mine->check->kernel->sites[site].align_bytes;
  char who[128], element[256], text[1024];
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  race_name_element(mine->race, where, address, element, sizeof element);
  snprintf(text, sizeof text,
           "%s: error[HD0703]: misaligned access\n"
           "  %s %s %s, an address that is no multiple of %" PRIu32,
           where->place, who, where->kind & RACE_WRITES ? "writes" : "reads",
           element, align);
  check_stop(block, text);
}

static void test_alignment(HdCpuBlock *block, uint32_t site, uint32_t warp,
                           uint32_t mask, uint64_t address, int64_t step) {
  CpuCheckBlock *mine = block->check;
  uint64_t less = mine->check->kernel->sites[site].align_bytes - 1u;
  if (((address | (uint64_t)step) & less) == 0)
    return;
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint64_t at = address + lane * (uint64_t)step;
    if (at & less)
      stop_misaligned(block, site, warp, lane, at);
  }
}

void cpu_check_stored(HdCpuBlock *block, uint32_t mask, const void *values,
                      uint32_t part_bytes) {
  CpuCheckBlock *mine = block->check;
  if (!mine->check->allows_equal || mask == 0)
    return; // nobody makes the access
  mine->store.values = values;
  mine->store.part_bytes = part_bytes;
}

// Where the lanes store, if the values are known.
static void begin_store(CpuCheckBlock *mine, const RaceRows *rows) {
  if (!mine->store.values)
    return;
  race_rows_addresses(rows, mine->store.addresses);
  race_store_begin(mine->race, &mine->store);
}

static void end_store(CpuCheckBlock *mine) {
  if (!mine->store.values)
    return;
  race_store_begin(mine->race, NULL);
  mine->store.values = NULL;
}

// Nothing but races and arrays is to be looked at: no clauses, no values, and
// `bits` of the addresses say that they are aligned.
static inline bool is_simple(const CpuCheckBlock *mine, uint32_t site,
                             uint64_t bits) {
  const HdCpuSite *from = &mine->sites[site];
  return (bits & (from->align_bytes - 1u)) == 0 && from->loops == 0 &&
         !mine->store.values;
}

uint32_t cpu_check_same(HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint64_t address) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  if (mask == 0)
    return 0;
  bool is_more = !is_simple(mine, site, address);
  if (is_more) {
    test_alignment(block, site, warp, mask, address, 0);
    begin_store(mine, &(RaceRows){address, 0, 0, 5});
  }
  uint32_t outside = race_access_same(mine->race, &mine->check->sites[site],
                                      warp, mask, address);
  if (is_more)
    end_store(mine);
  if (outside)
    tell_outside(block, site, warp, outside, address);
  if (is_more)
    check_own_bytes(block, site, warp, mask & ~outside, address,
                    mine->sites[site].size_bytes);
  return outside;
}

static bool has_owners(const CpuCheckBlock *mine, uint32_t site) {
  return mine->sites[site].loops != 0;
}

static void check_owned_row(HdCpuBlock *block, uint32_t site, uint32_t warp,
                            uint32_t mask, uint64_t address, int64_t step) {
  uint64_t addresses[32];
  for (uint32_t i = 0; i < 32; i++)
    addresses[i] = address + i * (uint64_t)step;
  check_own_lanes(block, site, warp, mask, addresses);
}

uint32_t cpu_check_row(HdCpuBlock *block, uint32_t site, uint32_t warp,
                       uint32_t mask, uint64_t address, int64_t step) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  if (mask == 0)
    return 0;
  // The access itself comes next, and would wait for its memory alone.
  __builtin_prefetch((const char *)(uintptr_t)address);
  __builtin_prefetch((const char *)(uintptr_t)(address + 31 * (uint64_t)step));
  bool is_more = !is_simple(mine, site, address | (uint64_t)step);
  if (is_more) {
    test_alignment(block, site, warp, mask, address, step);
    begin_store(mine, &(RaceRows){address, step, 0, 5});
  }
  uint32_t outside = race_access_row(mine->race, &mine->check->sites[site],
                                     warp, mask, address, step);
  if (is_more)
    end_store(mine);
  if (outside)
    tell_outside(block, site, warp, outside,
                 address + (uint64_t)__builtin_ctz(outside) * (uint64_t)step);
  if (is_more && has_owners(mine, site))
    check_owned_row(block, site, warp, mask & ~outside, address, step);
  return outside;
}

uint32_t cpu_check_rows(HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint64_t address, int64_t step,
                        int64_t row_bytes, uint32_t period_log2) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  RaceRows rows = {address, step, row_bytes, period_log2};
  if (is_simple(mine, site, address | (uint64_t)step | (uint64_t)row_bytes) &&
      race_access_rows(mine->race, &mine->check->sites[site], warp, mask,
                       &rows))
    return 0;
  uint64_t addresses[32];
  race_rows_addresses(&rows, addresses);
  return cpu_check_lanes(block, site, warp, mask, addresses);
}

uint32_t cpu_check_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t mask, const uint64_t *addresses) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  if (mask == 0)
    return 0;
  uint64_t all = 0;
  for (uint32_t i = 0; i < 32; i++)
    all |= mask >> i & 1 ? addresses[i] : 0;
  uint64_t less = mine->check->kernel->sites[site].align_bytes - 1u;
  for (uint32_t todo = all & less ? mask : 0; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    test_alignment(block, site, warp, 1u << lane, addresses[lane], 0);
  }
  if (mine->store.values) {
    memcpy(mine->store.addresses, addresses, sizeof mine->store.addresses);
    race_store_begin(mine->race, &mine->store);
  }
  uint32_t outside =
      race_access(mine->race, &mine->check->sites[site], warp, mask, addresses);
  end_store(mine);
  if (outside)
    tell_outside(block, site, warp, outside, addresses[__builtin_ctz(outside)]);
  if (has_owners(mine, site))
    check_own_lanes(block, site, warp, mask & ~outside, addresses);
  return outside;
}

uint32_t cpu_check_turns(HdCpuBlock *block, uint32_t warp, uint32_t mask,
                         uint32_t n_turns, uint32_t n_reads,
                         const HdCpuTurns *reads) {
  CpuCheckBlock *mine = block->check;
  RaceTurns turns[HD_CPU_MOST_TURNS];
  check_interrupt(block);
  if (n_turns == 0)
    return 0;
  for (uint32_t i = 0; i < n_reads; i++) {
    const HdCpuTurns *r = &reads[i];
    uint64_t bits = r->address | (uint64_t)r->step | (uint64_t)r->row_bytes |
                    (uint64_t)r->turn_bytes;
    if (!is_simple(mine, r->site, bits))
      return 0;
    turns[i] = (RaceTurns){&mine->check->sites[r->site],
                           {r->address, r->step, r->row_bytes, r->period_log2},
                           r->turn_bytes};
  }
  return race_access_turns(mine->race, warp, mask, turns, n_reads, n_turns);
}

void cpu_check_stop_copy(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t lanes, uint64_t address, uint64_t bytes) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  char who[128], text[1024];
  uint32_t lane = (uint32_t)__builtin_ctz(lanes);
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  snprintf(text, sizeof text,
           "%s: error[HD0702]: a copy leads outside of all arrays\n"
           "  asked for by %s, it %s %" PRIu64 " bytes from address 0x%" PRIx64,
           where->place, who, where->kind & RACE_WRITES ? "writes" : "reads",
           bytes, address);
  check_stop(block, text);
}

void cpu_check_outside(HdCpuBlock *block, uint32_t site, uint32_t warp,
                       uint32_t mask, uint32_t dim, const int64_t *indices,
                       int64_t extent) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  if (!counts_outside(block, where))
    return;
  uint32_t lane = mask ? (uint32_t)__builtin_ctz(mask) : 0;
  char who[128], text[1024], what[256] = "a private array";
  if (where->array)
    snprintf(what, sizeof what, "array '%s'", where->array->name);
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  snprintf(text, sizeof text,
           "%s: error[HD0702]: access outside of %s\n"
           "  %s %s element %" PRId64 " of dimension %" PRIu32
           ", which has %" PRId64 "\n",
           where->place, what, who,
           where->kind & RACE_WRITES ? "writes" : "reads", indices[lane], dim,
           extent);
  race_add_report(mine->check->race, outside_key(where->place), text);
}

// Lanes come to a barrier of several strands. When all are there: the members;
// else NULL.
static uint32_t *add_members(CpuCheckBlock *mine, uint32_t row, uint32_t warp,
                             uint32_t mask, uint32_t n_threads) {
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
  uint32_t *members = add_members(mine, row, warp, mask, n_threads);
  if (!members)
    return;
  bool is_block = n_threads == mine->check->n_threads;
  race_sync(mine->race, is_block ? NULL : members);
  clear_members(mine, row, members);
}

void cpu_check_meet(HdCpuBlock *block, uint32_t row, uint32_t warp,
                    uint32_t mask, uint32_t n_threads) {
  CpuCheckBlock *mine = block->check;
  uint32_t *members = add_members(mine, row, warp, mask, n_threads);
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

void cpu_check_value(HdCpuBlock *block, uint32_t loc, uint32_t warp,
                     uint32_t mask, const char *name) {
  CpuCheckBlock *mine = block->check;
  const char *place = mine->check->kernel->locs[loc];
  char who[128], text[512];
  // What wasn't read, being outside of a private array, needs no value.
  if (mask == 0 || race_has_report(mine->check->race, outside_key(place)))
    return;
  uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(mask);
  race_name_thread(mine->race, thread, who, sizeof who);
  snprintf(text, sizeof text,
           "%s: error[HD0603]: '%s' is read before it has a value\n"
           "  by %s\n",
           place, name, who);
  race_add_report(mine->check->race, UINT64_C(3) << 62 | loc, text);
}

// ----------------------------------------------------------- arithmetic

static bool fits_bits(int64_t value, uint32_t bits) {
  int64_t half = INT64_C(1) << (bits - 1 < 62 ? bits - 1 : 62);
  return bits >= 64 || (value >= -half && value < half);
}

// The exact result of the operation doesn't fit.
static bool is_beyond(uint32_t op, uint32_t bits, int64_t x, int64_t y) {
  int64_t result = 0;
  bool is_lost = false;
  uint64_t count = (uint64_t)y % bits;
  switch (op) {
  case HD_CPU_ADD: is_lost = __builtin_add_overflow(x, y, &result); break;
  case HD_CPU_SUB: is_lost = __builtin_sub_overflow(x, y, &result); break;
  case HD_CPU_MUL: is_lost = __builtin_mul_overflow(x, y, &result); break;
  case HD_CPU_NEG: is_lost = __builtin_sub_overflow(0, x, &result); break;
  default: // a power of two; 2^63 is told by the sign
    result = (int64_t)((uint64_t)x << count);
    is_lost = result >> count != x;
    break;
  }
  return is_lost || !fits_bits(result, bits);
}

void cpu_check_overflow(HdCpuBlock *block, uint32_t loc, uint32_t warp,
                        uint32_t mask, uint32_t op, uint32_t bits,
                        const int64_t *a, const int64_t *b) {
  static const char *const signs[] = {"+", "-", "*", "-", "<<"};
  CpuCheckBlock *mine = block->check;
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    int64_t x = a[lane], y = b[lane];
    if (!is_beyond(op, bits, x, y))
      continue;
    char who[128], sum[64], text[512];
    if (op == HD_CPU_NEG)
      snprintf(sum, sizeof sum, "-(%" PRId64 ")", x);
    else
      snprintf(sum, sizeof sum, "%" PRId64 " %s %" PRId64, x, signs[op], y);
    race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
    snprintf(text, sizeof text,
             "%s: error[HD0704]: signed overflow: the result has more than "
             "%" PRIu32 " bits\n"
             "  %s computes %s\n",
             mine->check->kernel->locs[loc], bits, who, sum);
    race_add_report(mine->check->race, place_hash(text), text);
    return;
  }
}
