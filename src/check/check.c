// SPDX-License-Identifier: Apache-2.0
// The stages of a check, in order, and what is made of their results.
#include "check/check.h"

#include "base/panic.h"
#include "check/causes.h"
#include "check/finding.h"
#include "check/own.h"

#include <time.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// ------------------------------------------------------------ obligations

void check_proved(Check *check) {
  check->report->n_obligations++;
  check->report->n_proved++;
}

static bool is_same_suspect(const Suspect *a, const Suspect *b) {
  return a->kind == b->kind && a->a == b->a && a->b == b->b;
}

void check_suspect(Check *check, const Suspect *suspect) {
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    if (is_same_suspect(&check->suspects.data[i], suspect))
      return;
  }
  check->report->n_obligations++;
  VEC_PUSH(check->arena, &check->suspects, *suspect);
}

// --------------------------------------------------------------- findings

static Verdict verdict_of(const CheckReport *report) {
  Verdict verdict = VERDICT_PROVED;
  for (uint32_t i = 0; i < report->findings.count; i++) {
    if (report->findings.data[i].verdict == VERDICT_BUG)
      return VERDICT_BUG;
    if (report->findings.data[i].verdict == VERDICT_UNKNOWN)
      verdict = VERDICT_UNKNOWN;
  }
  return verdict;
}

// A pointer and another array, one of which the kernel may write.
static bool has_trusted_pointers(const Check *check) {
  uint32_t n_arrays = 0, n_pointers = 0, n_written = 0;
  for (uint32_t i = 0; i < check->kernel->objects.count; i++) {
    const IrObject *object = check->kernel->objects.data[i];
    if (object->space != SPACE_GLOBAL)
      continue;
    n_arrays++;
    n_pointers += object->is_plain_pointer;
    n_written += !object->is_const;
  }
  return check->options->is_cuda && n_pointers > 0 && n_arrays > 1 &&
         n_written > 0;
}

static void add_trusted(Check *check) {
  const Tree *tree = check->tree;
  if (has_trusted_pointers(check))
    VEC_PUSH(check->arena, &check->report->trusted, "pointers don't overlap");
  for (uint32_t i = 0; i < tree->trusted.count; i++)
    VEC_PUSH(check->arena, &check->report->trusted, tree->trusted.data[i]);
}

// A proof is a claim about every obligation: one that was neither proved nor
// told is a mistake of ours, and never a proof.
static void tell_lost(Check *check) {
  CheckReport *report = check->report;
  if (verdict_of(report) != VERDICT_PROVED ||
      report->n_proved == report->n_obligations)
    return;
  Finding lost = {.code = CODE_NOT_CHECKED,
                  .verdict = VERDICT_UNKNOWN,
                  .message = "an obligation was left open",
                  .reason = "the checker lost it (please report)"};
  VEC_PUSH(check->arena, &report->findings, lost);
}

static void finish_report(Check *check) {
  CheckReport *report = check->report;
  causes_merge(check->arena, check->kernel, report);
  tell_lost(check);
  report->verdict = verdict_of(report);
  if (check->tree)
    add_trusted(check);
  for (int tier = 0; tier < TIER_COUNT && check->solver; tier++)
    report->answers[tier] = solver_count(check->solver, (SolveTier)tier);
}

// ----------------------------------------------------------------- stages

static void run_stages(Check *check) {
  check_requirements(check);
  check_bounds(check);
  if (check->options->bounds_only) {
    check_search(check);
    return;
  }
  check_ownership(check);
  check->order = order_build(check);
  check_races(check);
  check_search(check);
  causes_merge(check->arena, check->kernel, check->report);
  if (!check->options->no_fixes)
    check_fixes(check);
  if (!check->options->no_remarks)
    check_idle_requirements(check);
}

void check_kernel(Arena *arena, const IrKernel *kernel,
                  const CheckOptions *options, CheckReport *report) {
  double start_ms = now_ms(), begin_ms = solve_now_ms();
  PanicContext before = hd_panic_context((PanicContext){"check", kernel->name});
  *report = (CheckReport){0};
  Check check = {
      .arena = arena, .kernel = kernel, .options = options, .report = report};
  check.terms = term_table_new(arena);
  check.solver = solver_new(arena, check.terms, &options->solve);
  check.tree = tree_build(arena, kernel, ir_uniformity(arena, kernel),
                          check.terms, check.solver, options->is_cuda);
  solver_spend_ms(check.solver, solve_now_ms() - begin_ms);
  run_stages(&check);
  finish_report(&check);
  order_free(check.order);
  solver_free(check.solver);
  report->time_ms = now_ms() - start_ms;
  hd_panic_context(before);
}
