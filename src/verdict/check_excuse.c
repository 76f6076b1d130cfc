// SPDX-License-Identifier: Apache-2.0
// Simple assumptions about sizes, tried one after the other: the first that
// excludes the run that showed the bug, and with which the kernel is proved.
#include "verdict/check_rounds.h"

#include <inttypes.h>
#include <string.h>

enum { BUDGET_MS = 600, A_TRY_MS = 400, MOST_PARAMS = 6 };

typedef struct {
  const CheckTask *task;
  const CheckRound *first;
  HdCheck *check;
  const ConcreteLaunch *run; // that showed the bug
  const char *names[MOST_PARAMS];
  int64_t values[MOST_PARAMS]; // in that run
  int n_params;
  SolveEnd end;
} Excuse;

static void find_params(Excuse *x) {
  const IrKernel *kernel = x->check->ir;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (!check_is_argument(param) || x->n_params == MOST_PARAMS)
      continue;
    x->names[x->n_params] = param->name;
    x->values[x->n_params++] = x->run->scalars[i];
  }
}

static const HdFinding *first_bug(const HdCheck *check,
                                  const ConcreteLaunch **run) {
  for (uint32_t i = 0; i < check->report.findings.count; i++) {
    *run = check->report.findings.data[i].launch;
    if (check->report.findings.data[i].verdict == VERDICT_BUG && *run)
      return &check->findings.data[i];
  }
  return NULL;
}

// With this condition, in the words of a proof.
static bool is_proved_with(Excuse *x, const char *condition) {
  CheckRound round = *x->first;
  check_round_assume(x->check->arena, &round, cuda_fact(condition));
  round.time_ms = A_TRY_MS;
  HdCheck *tried;
  if (check_try_proof(x->task, &round, &tried) != HD_OK)
    return false;
  bool is_proved = tried->was_checked && check_is_clean(tried) &&
                   !check_is_impossible(tried);
  hd_check_free(tried);
  return is_proved;
}

// `is_excluded`: the run doesn't satisfy it.
static bool tries(Excuse *x, bool is_excluded, const char *shown,
                  const char *condition) {
  if (!is_excluded || x->check->excuse || solve_is_behind(&x->end) ||
      !is_proved_with(x, condition))
    return false;
  x->check->excuse = shown;
  return true;
}

#define TEXT(...) arena_printf(x->check->arena, __VA_ARGS__)

static void try_positive(Excuse *x, int p) {
  const char *text = TEXT("%s > 0", x->names[p]);
  tries(x, x->values[p] <= 0, text, text);
}

static void try_multiple(Excuse *x, int p) {
  const char *name = x->names[p];
  int64_t value = x->values[p];
  for (int k = 0; k < 2; k++) {
    int threads = x->check->block[k];
    const char *text = TEXT("%s %% %d == 0", name, threads);
    if (k == 0 || threads != x->check->block[0])
      tries(x, value % threads != 0, text, text);
  }
}

// All threads of the grid in x, or in x and y, and no more.
static void try_grid(Excuse *x, int p, int q) {
  const int *block = x->check->block;
  int64_t in_x = (int64_t)x->run->grid[0] * block[0];
  int64_t in_y = (int64_t)x->run->grid[1] * block[1];
  const char *shown = TEXT("%s == gridDim.x * blockDim.x", x->names[p]);
  const char *condition =
      TEXT("%s == (long long)gridDim.x * %d", x->names[p], block[0]);
  if (q < 0) {
    tries(x, x->values[p] != in_x, shown, condition);
    return;
  }
  tries(x, x->values[p] != in_x || x->values[q] != in_y,
        TEXT("%s && %s == gridDim.y * blockDim.y", shown, x->names[q]),
        TEXT("%s && %s == (long long)gridDim.y * %d", condition, x->names[q],
             block[1]));
}

// Rows of `bytes` times q lie in the pitch p.
static void try_pitch(Excuse *x, int bytes) {
  for (int p = 0; p < x->n_params; p++) {
    for (int q = 0; q < x->n_params; q++) {
      const char *text =
          bytes == 1 ? TEXT("%s >= %s", x->names[p], x->names[q])
                     : TEXT("%s >= %d * %s", x->names[p], bytes, x->names[q]);
      tries(x, p != q && x->values[p] < bytes * x->values[q], text, text);
    }
  }
}

void check_find_excuse(const CheckTask *task, const CheckRound *first,
                       HdCheck *check) {
  Excuse x = {.task = task, .first = first, .check = check};
  const HdFinding *bug = first_bug(check, &x.run);
  if (!bug || task->options->no_search)
    return;
  x.end = solve_end_of_part(BUDGET_MS, &first->end);
  find_params(&x);
  for (int p = 0; p < x.n_params; p++)
    try_positive(&x, p);
  for (int p = 0; p < x.n_params; p++)
    try_multiple(&x, p);
  try_pitch(&x, 1);
  for (int p = 0; p < x.n_params; p++)
    try_grid(&x, p, -1);
  tries(&x, x.run->grid[0] > 1, "gridDim.x == 1", "gridDim.x == 1");
  for (int p = 0; p < x.n_params; p++)
    for (int q = 0; q < x.n_params && check->block[1] > 1; q++)
      if (q != p)
        try_grid(&x, p, q);
  for (int bytes = 4; bytes <= 16; bytes *= 2)
    try_pitch(&x, bytes);
}
