// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/cpu_check.h"
#include "base/bits.h"
#include "rt/cpu/cpu_check_parts.h"
#include "rt/cpu/cpu_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPORTS = 20 };

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
  free(check->names);
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
static void *cpu_check_take(char *memory, size_t *used, size_t count,
                            size_t size) {
  void *at = memory ? memory + *used : NULL;
  *used += bits_align_up(count * size, 16);
  return at;
}

// A block's tables lie behind it. The bytes of all.
static size_t lay_out(const CpuCheck *check, CpuCheckBlock *mine) {
  CpuCheckBlock none = {0}, *out = mine ? mine : &none;
  char *memory = (char *)mine;
  size_t used = bits_align_up(sizeof *mine, 16),
         n_mbarriers = check->n_mbarriers;
  size_t n_rows = check->kernel->n_barriers, n_agents = check->n_agents;
  size_t n_waits = n_mbarriers * check->n_threads;
  size_t n_words = (check->n_threads + 31) / 32;
  out->n_words = (uint32_t)n_words;
  out->counts = cpu_check_take(memory, &used, n_rows, sizeof *out->counts);
  out->members =
      cpu_check_take(memory, &used, n_rows * n_words, sizeof *out->members);
  out->rows = cpu_check_take(memory, &used, n_rows, sizeof *out->rows);
  out->mbarriers =
      cpu_check_take(memory, &used, n_mbarriers, sizeof *out->mbarriers);
  out->seen = cpu_check_take(memory, &used, n_waits, sizeof *out->seen);
  out->waits = cpu_check_take(memory, &used, n_waits, sizeof *out->waits);
  out->serials = cpu_check_take(memory, &used, n_agents, sizeof *out->serials);
  out->marks = cpu_check_take(memory, &used, n_agents, sizeof *out->marks);
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
                       .is_of_tiles = kernel->is_of_tiles,
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
    check->arrays[i] = check_describe_array(run, launch, &kernel->arrays[i]);
  check_list_sites(check);
  check->block_bytes = lay_out(check, NULL);
  if (check_list_shared(check) && check_add_globals(check, launch))
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
