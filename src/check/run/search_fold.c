// SPDX-License-Identifier: Apache-2.0
// Findings that have one cause become one message.
#include "check/run/search.h"

static bool search_fold_is_race(const Finding *finding) {
  return finding->verdict == VERDICT_BUG && finding->code == CODE_RACE;
}

static bool share_place(const Finding *a, const Finding *b) {
  const IrNode *x = a->other ? a->other : a->node;
  const IrNode *y = b->other ? b->other : b->node;
  return a->node == b->node || a->node == y || x == b->node || x == y;
}

static bool search_fold_comes_before(const Finding *a, const Finding *b) {
  if (a->node->id != b->node->id)
    return a->node->id < b->node->id;
  return a->other && (!b->other || a->other->id > b->other->id);
}

// Races that share a place have one cause, mostly: the first in the program
// stands for all, with their number.
void search_fold_races(Check *check) {
  CheckReport *report = check->report;
  uint32_t n = report->findings.count, n_kept = 0;
  uint32_t *cause = ARENA_ARRAY(check->arena, uint32_t, n + 1);
  uint32_t *count = ARENA_ARRAY(check->arena, uint32_t, n + 1);
  Finding *all = report->findings.data;
  for (uint32_t i = 0; i < n; i++)
    cause[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < n && search_fold_is_race(&all[i]); k++)
        if (search_fold_is_race(&all[k]) && share_place(&all[i], &all[k]) &&
            search_fold_comes_before(&all[cause[k]], &all[cause[i]])) {
          cause[i] = cause[k];
          changed = true;
        }
  }
  for (uint32_t i = 0; i < n; i++)
    count[cause[i]]++;
  for (uint32_t i = 0; i < n; i++) {
    if (cause[i] != i)
      continue;
    if (count[i] > 1)
      all[i].notes[2] = arena_printf(
          check->arena, "%s; %u more pair%s of accesses race with these places",
          all[i].notes[2], count[i] - 1, count[i] == 2 ? "" : "s");
    all[n_kept++] = all[i];
  }
  report->findings.count = n_kept;
}

static bool is_of_barrier(const Finding *finding) {
  return finding->verdict == VERDICT_BUG && finding->code >= CODE_PHASE;
}

// A barrier that gets out of step is why threads race, or the other way: the
// race says more. What is wrong with a barrier says more than how it ends.
void search_drop_signs(CheckReport *report) {
  bool has_race = false, has_barrier = false;
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < report->findings.count; i++) {
    has_race |= search_fold_is_race(&report->findings.data[i]);
    has_barrier |= is_of_barrier(&report->findings.data[i]);
  }
  for (uint32_t i = 0; i < report->findings.count; i++) {
    const Finding *finding = &report->findings.data[i];
    bool is_dropped = finding->verdict == VERDICT_BUG
                          ? has_race && finding->code == CODE_PHASE
                          : has_barrier && finding->code == CODE_PARTIAL;
    if (!is_dropped)
      report->findings.data[n_kept++] = *finding;
  }
  report->findings.count = n_kept;
}
