// SPDX-License-Identifier: Apache-2.0
// Counters that go on through all tiles and steps, and numbers of tiles that
// are products, overflow only where an array would have more rows than memory
// has room for. Nothing is assumed where that isn't needed.
#include "check/prove/rows.h"

#include <string.h>

#define MOST_ROWS ((int64_t)1 << 30)

// The product of an array's extents but the last, if two of them are the
// launch's; NULL: it isn't, or is seen to be small.
static const Term *rows_of(const Check *check, const IrObject *object) {
  TermTable *t = check->terms;
  const Term *rows = term_int(t, 1);
  uint32_t n_open = 0;
  for (int k = 0; k + 1 < object->rank; k++) {
    const Term *extent = tree_extent(check->tree, object, k);
    int64_t number;
    if (!extent)
      return NULL;
    n_open += !term_is_constant(extent, &number);
    rows = term_mul(t, rows, extent);
  }
  int64_t low, high;
  term_interval(t, rows, &low, &high);
  return n_open > 1 && high > MOST_ROWS ? rows : NULL;
}

static void rows_trust(Check *check, const Term *rows) {
  CheckReport *report = check->report;
  Text text = {.arena = check->arena};
  term_print(rows, &text);
  text_add(&text, " <= 2^30");
  for (uint32_t i = 0; i < report->trusted.count; i++)
    if (strcmp(report->trusted.data[i], text_cstr(&text)) == 0)
      return;
  VEC_PUSH(check->arena, &report->trusted, text_cstr(&text));
}

bool rows_prove(Check *check, const Step *step, const Term *condition) {
  TermTable *t = check->terms;
  const IrKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    const Term *rows = object->param >= 0 ? rows_of(check, object) : NULL;
    if (!rows)
      continue;
    const Term *given = term_le(t, rows, term_int(t, MOST_ROWS));
    if (!solver_proves(check->solver, term_and(t, step->path, given),
                       condition))
      continue;
    rows_trust(check, rows);
    return true;
  }
  return false;
}
