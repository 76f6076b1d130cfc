// SPDX-License-Identifier: Apache-2.0
#include "check/causes.h"

#include "check/report/finding.h"

#include <stdlib.h>
#include <string.h>

// A finding and where its places are.
typedef struct {
  Finding finding;
  const Place *place, *other;
  uint32_t serial;
  bool is_dropped;
} Cause;

static const Place *causes_place_of(const IrKernel *kernel,
                                    const IrNode *node) {
  static const Place unknown = {0};
  const IrModule *module = kernel->module;
  if (!node || node->loc >= module->locs.count)
    return &unknown;
  return &module->locs.data[node->loc].place;
}

static int compare_files(const Place *a, const Place *b) {
  if (!a->file || !b->file)
    return (a->file != NULL) - (b->file != NULL);
  return strcmp(a->file, b->file);
}

static int compare_lines(const Place *a, const Place *b) {
  int order = compare_files(a, b);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_places(const Place *a, const Place *b) {
  int order = compare_lines(a, b);
  return order ? order : (a->col > b->col) - (a->col < b->col);
}

static int compare_causes(const void *left, const void *right) {
  const Cause *a = left, *b = right;
  int order = compare_places(a->place, b->place);
  if (order == 0)
    order = (int)a->finding.code - (int)b->finding.code;
  if (order == 0)
    order = compare_places(a->other, b->other);
  return order ? order : (a->serial > b->serial) - (a->serial < b->serial);
}

// ---------------------------------------------------------------- merging

static const Place *second_place(const Cause *cause) {
  return cause->finding.other ? cause->other : cause->place;
}

static bool same_lines(const Cause *a, const Cause *b) {
  const Place *a2 = second_place(a), *b2 = second_place(b);
  return (compare_lines(a->place, b->place) == 0 &&
          compare_lines(a2, b2) == 0) ||
         (compare_lines(a->place, b2) == 0 && compare_lines(a2, b->place) == 0);
}

static bool is_bug(const Cause *cause) {
  return cause->finding.verdict == VERDICT_BUG;
}

static const IrObject *array_of(const Cause *cause) {
  const IrNode *node = cause->finding.node;
  return node && ir_op_info(node)->form == FORM_ACCESS ? node->u.access.object
                                                       : NULL;
}

// Arrays end one by one, a missing barrier concerns all that a line touches.
static bool same_array(const Cause *a, const Cause *b) {
  return a->finding.code != CODE_BOUNDS || array_of(a) == array_of(b);
}

// `kept` says all that `cause` would: same code, same lines, and no less sure.
static bool causes_covers(const Cause *kept, const Cause *cause) {
  return kept != cause && !kept->is_dropped &&
         kept->finding.verdict != VERDICT_PROVED &&
         kept->finding.code == cause->finding.code &&
         (is_bug(kept) || !is_bug(cause)) && same_lines(kept, cause) &&
         same_array(kept, cause);
}

static bool causes_touches(const Cause *cause, const Place *place) {
  return compare_lines(cause->place, place) == 0 ||
         compare_lines(second_place(cause), place) == 0;
}

static bool causes_is_race(const Cause *cause) {
  return is_bug(cause) && cause->finding.code == CODE_RACE;
}

// A race of lines that both race with others already: where three touches have
// no barrier between them, two pairs tell it.
static bool is_third(const Cause *causes, uint32_t index) {
  const Cause *cause = &causes[index];
  const Place *a = cause->place, *b = second_place(cause);
  bool has_a = false, has_b = false;
  if (!causes_is_race(cause) || compare_lines(a, b) == 0)
    return false;
  for (uint32_t i = 0; i < index; i++) {
    if (causes[i].is_dropped || !causes_is_race(&causes[i]))
      continue;
    has_a |= causes_touches(&causes[i], a);
    has_b |= causes_touches(&causes[i], b);
  }
  return has_a && has_b;
}

static void drop_repetitions(Cause *causes, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    bool is_covered = false;
    for (uint32_t k = 0; k < n && !is_covered; k++)
      is_covered = causes_covers(&causes[k], &causes[i]);
    causes[i].is_dropped = is_covered;
  }
  for (uint32_t i = 0; i < n; i++)
    causes[i].is_dropped = causes[i].is_dropped || is_third(causes, i);
}

static const Place *causes_first_place(const IrKernel *kernel,
                                       const Finding *finding) {
  if (!finding->node && finding->loc)
    return &kernel->module->locs.data[finding->loc].place;
  return causes_place_of(kernel, finding->node);
}

void causes_merge(Arena *arena, const IrKernel *kernel, CheckReport *report) {
  uint32_t n = report->findings.count, n_kept = 0;
  Cause *causes = ARENA_ARRAY(arena, Cause, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const Finding *finding = &report->findings.data[i];
    causes[i] = (Cause){*finding, causes_first_place(kernel, finding),
                        causes_place_of(kernel, finding->other), i, false};
  }
  qsort(causes, n, sizeof *causes, compare_causes);
  drop_repetitions(causes, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!causes[i].is_dropped)
      report->findings.data[n_kept++] = causes[i].finding;
  }
  report->findings.count = n_kept;
}
