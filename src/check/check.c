// SPDX-License-Identifier: Apache-2.0
// The stages of a check, in order, and what is made of their results.
#include "check/check.h"

#include "base/panic.h"
#include "check/causes.h"
#include "check/prove/own.h"
#include "check/report/finding.h"
#include "check/run/search.h"
#include "ir/analyses/alias.h"
#include "ir/passes/passes.h"

#include <string.h>
#include <time.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// ------------------------------------------------------------ obligations

static bool is_enough(const Check *check, const Suspect *suspect) {
  const CheckStop *stop = &check->options->stop;
  bool is_told = suspect->kind != SUSPECT_PARTIAL && !suspect->is_trusted &&
                 !suspect->is_remark;
  if (!stop->is_enough || !is_told)
    return false;
  Finding open = search_unknown(check, suspect);
  return stop->is_enough(stop->context, check->kernel, &open);
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

static bool are_trusted_apart(const IrKernel *kernel, const IrObject *a,
                              const IrObject *b) {
  bool are_global = a->space == SPACE_GLOBAL && b->space == SPACE_GLOBAL;
  if (ir_is_alias_pair(kernel, a, b))
    return false;
  return are_global && (a->param >= 0 || b->param >= 0) && !a->is_restrict &&
         !b->is_restrict && !(a->is_const && b->is_const);
}

// Parameters of CUDA C are pointers, also where an assumption says how many
// elements they lead to: two, or one and a `__device__` array, of which the
// kernel may write one.
static bool has_trusted_pointers(const Check *check) {
  const IrKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (are_trusted_apart(kernel, kernel->objects.data[i],
                            kernel->objects.data[k]))
        return check_has(check, CHECK_TRUST_APART);
  return false;
}

// CUDA C++ has no contracts for functions that are only declared.
static bool add_giver(IrNode *node, void *context) {
  Check *check = context;
  if (node->op != IR_UNKNOWN || !node->u.text.text)
    return true;
  const char *what =
      arena_printf(check->arena, "'%s' touches no memory", node->u.text.text);
  for (uint32_t i = 0; i < check->report->trusted.count; i++)
    if (strcmp(check->report->trusted.data[i], what) == 0)
      return true;
  VEC_PUSH(check->arena, &check->report->trusted, what);
  return true;
}

static void add_trusted(Check *check) {
  const Tree *tree = check->tree;
  if (has_trusted_pointers(check))
    VEC_PUSH(check->arena, &check->report->trusted, "pointers don't overlap");
  for (uint32_t i = 0; i < tree->trusted.count; i++)
    VEC_PUSH(check->arena, &check->report->trusted, tree->trusted.data[i]);
  const IrKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->loses_const)
      VEC_PUSH(check->arena, &check->report->trusted,
               arena_printf(check->arena,
                            "'%s' may be written, though it is const here",
                            kernel->objects.data[i]->name));
  IrRegion body = kernel->body;
  if (check_has(check, CHECK_TRUST_UNKNOWN))
    ir_walk(&body, add_giver, check);
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
                  .reason.text = "the checker lost it (please report)"};
  VEC_PUSH(check->arena, &report->findings, lost);
}

static void finish_report(Check *check) {
  CheckReport *report = check->report;
  causes_merge(check->arena, check->kernel, report);
  tell_lost(check);
  report->verdict = verdict_of(report);
  report->is_stopped = check->is_ended;
  if (check->tree)
    add_trusted(check);
  for (int tier = 0; tier < TIER_COUNT && check->solver; tier++)
    report->answers[tier] = solver_count(check->solver, (SolveTier)tier);
}

// ----------------------------------------------------------------- stages

// Nothing is known of what wasn't followed.
static void tell_unfollowed(Check *check) {
  Finding finding = {.code = CODE_NOT_CHECKED,
                     .verdict = VERDICT_UNKNOWN,
                     .node = check->kernel->body.first,
                     .message =
                         "the checker didn't get to the end of the kernel",
                     .reason = check_reason_time()};
  check->report->n_obligations++;
  VEC_PUSH(check->arena, &check->report->findings, finding);
}

static void check_prove(Check *check) {
  check_requirements(check);
  if (check->tree->is_unfinished) {
    tell_unfollowed(check);
    return;
  }
  check_bounds(check);
  if (check->options->bounds_only || check->is_ended)
    return;
  check_ownership(check);
  check_waits(check);
  if (!check->options->no_remarks)
    order_remarks(check);
  if (check->is_ended)
    return;
  check->order = order_build(check);
  check->has_order = check->order || check->rings;
  if (!check->is_ended)
    check_races(check);
  check_filled(check);
  order_free(check->order); // isl's part of it is large
  check->order = NULL;
}

// What each stage leaves for those behind it, in percent of all the time. What
// it takes is bounded by its work, which is less where a machine isn't slow.
enum { PROOFS = 75, RUNS = 90, ALL = 100 };

typedef struct {
  SolveEnd begin, end;
} Allowance;

static uint64_t check_part(uint64_t begin_us, uint64_t end_us,
                           uint32_t percent) {
  return begin_us < end_us ? begin_us + (end_us - begin_us) / 100 * percent
                           : end_us;
}

static void set_end(CheckOptions *options, const Allowance *all,
                    uint32_t percent) {
  const SolveEnd *begin = &all->begin, *end = &all->end;
  options->solve.end =
      (SolveEnd){check_part(begin->cpu_us, end->cpu_us, percent),
                 check_part(begin->wall_us, end->wall_us, percent)};
}

// Note [Less is required]
// A requirement more is one more fact for the solvers, and one that a proof by
// rewriting, or isl with its budget, may stumble over. What is proved without
// it is proved with it. So what is unknown is asked again with each requirement
// left out, the last one first: who adds one to a kernel that is proved loses
// nothing.
enum { MOST_LEFT_OUT = 6 };

static IrKernel *without(Arena *arena, const IrKernel *kernel, uint32_t left) {
  IrKernel *less = ir_clone_kernel(arena, kernel);
  less->requirements.data = NULL; // the clone shares them
  less->requirements.count = less->requirements.capacity = 0;
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    if (i != left)
      VEC_PUSH(arena, &less->requirements, kernel->requirements.data[i]);
  return less;
}

// What is trusted of memory in the copy of the kernel is trusted here.
static void take_unfilled(const Check *check, const CheckReport *other) {
  CheckReport *report = check->report;
  for (uint32_t i = 0; i < other->n_unfilled; i++)
    VEC_PUSH(check->arena, &report->trusted,
             arena_printf(check->arena, "%s", other->trusted.data[i]));
}

static bool is_proved_without(const Check *check, uint32_t left) {
  CheckOptions options = *check->options;
  CheckReport report;
  Arena *arena = arena_new();
  options.no_search = options.no_fixes = options.no_remarks = true;
  options.is_retry = true;
  options.n_shared = 0; // the kernel has them
  check_kernel(arena, without(arena, check->kernel, left), &options, &report);
  bool is_proved = report.verdict == VERDICT_PROVED;
  if (is_proved)
    take_unfilled(check, &report);
  arena_free(arena);
  return is_proved;
}

// A run has shown a bug, or nothing that is required can matter.
static bool may_need_less(const Check *check) {
  for (uint32_t i = 0; i < check->report->findings.count; i++) {
    const Finding *finding = &check->report->findings.data[i];
    if (finding->verdict == VERDICT_BUG || finding->code == CODE_NO_LAUNCH ||
        finding->is_of_extent)
      return false;
  }
  return !check->is_impossible && !check->options->is_retry &&
         verdict_of(check->report) == VERDICT_UNKNOWN;
}

static void ask_with_less(Check *check) {
  CheckReport *report = check->report;
  uint32_t n = check->kernel->requirements.count, n_kept = 0;
  bool is_proved = false;
  if (!may_need_less(check))
    return;
  for (uint32_t k = 0; k < n && k < MOST_LEFT_OUT && !is_proved; k++)
    is_proved = !solve_is_over(&check->options->solve) &&
                is_proved_without(check, n - 1 - k);
  for (uint32_t i = 0; i < report->findings.count; i++)
    if (!is_proved || report->findings.data[i].verdict == VERDICT_PROVED)
      report->findings.data[n_kept++] = report->findings.data[i];
  report->findings.count = n_kept;
  if (is_proved)
    report->n_proved = report->n_obligations;
}

static void check_coverage(Check *check) {
  if (check->is_impossible || check->tree->is_unfinished)
    return;
  check_products(check);
  check_cover(check);
}

static void end_stages(Check *check, CheckOptions *options,
                       const Allowance *all) {
  set_end(options, all, RUNS);
  check_search(check);
  if (options->bounds_only)
    return;
  causes_merge(check->arena, check->kernel, check->report);
  set_end(options, all, ALL);
  check_tell_filled(check);
  ask_with_less(check);
  if (!options->no_fixes && !solve_is_over(&options->solve))
    check_fixes(check);
  if (!options->no_remarks && !solve_is_over(&options->solve)) {
    check_idle_requirements(check);
    check_coverage(check);
  }
}

// In the clone, which shares those of the file.
static IrObject *check_own_object(const IrKernel *own, IrObject *object) {
  return object->param < 0 ? object : own->objects.data[object->id];
}

// With may_alias of what launches are said to share.
static const IrKernel *with_shared(Arena *arena, const IrKernel *kernel,
                                   const CheckOptions *options) {
  if (options->n_shared == 0)
    return kernel;
  IrKernel *own = ir_clone_kernel(arena, kernel);
  for (uint32_t i = 0; i < options->n_shared; i++) {
    const CheckShared *pair = &options->shared[i];
    IrAliasPair said = {check_own_object(own, pair->a),
                        check_own_object(own, pair->b), pair->begins_elsewhere,
                        pair->is_one};
    VEC_PUSH(arena, &own->may_alias, said);
  }
  return own;
}

void check_kernel(Arena *arena, const IrKernel *kernel,
                  const CheckOptions *given, CheckReport *report) {
  HD_ASSERT(kernel->level <= LEVEL_THREAD &&
            (given->shared || given->n_shared == 0));
  double start_ms = now_ms(), begin_ms = solve_now_ms();
  PanicContext before = hd_panic_context((PanicContext){"check", kernel->name});
  *report = (CheckReport){0};
  CheckOptions options = *given;
  const IrKernel *plain = with_shared(arena, kernel, given);
  kernel = ir_follow_values(arena, plain, NULL);
  pass_done(PASS_FOLLOW_VALUES, kernel, kernel != plain);
  const Allowance all = {solve_end_in(0, &given->solve.end),
                         solve_end(&given->solve)};
  Check check = {.check_copy = check_kernel,
                 .is_decided = is_enough,
                 .arena = arena,
                 .kernel = kernel,
                 .plain = plain,
                 .options = &options,
                 .report = report};
  set_end(&options, &all, PROOFS);
  check.terms = term_table_new(arena);
  check.solver = solver_new(arena, check.terms, &options.solve);
  check.tree =
      tree_build(arena, kernel, ir_uniformity(arena, kernel), check.terms,
                 check.solver, check_has(&check, CHECK_TRUST_SIZES));
  solver_spend_ms(check.solver, solve_now_ms() - begin_ms);
  check_prove(&check);
  end_stages(&check, &options, &all);
  finish_report(&check);
  solver_free(check.solver);
  report->time_ms = now_ms() - start_ms;
  hd_panic_context(before);
}
