// SPDX-License-Identifier: Apache-2.0
// Requirements that no launch meets, and those that add nothing.
#include "check/report/finding.h"
#include "check/tree/walk.h"

// Everything follows from requirements that no launch meets.
void check_requirements(Check *check) {
  const Tree *tree = check->tree;
  SolveAnswer answer =
      solver_ask(check->solver, tree->facts.data, tree->facts.count);
  check->is_impossible = answer.status == SOLVE_UNSAT;
  if (!check->is_impossible)
    return;
  Finding finding = {
      .code = CODE_NO_LAUNCH,
      .verdict = VERDICT_UNKNOWN,
      .message = "no launch satisfies the requirements of this kernel",
      .reason.text = check_word(check, WORD_contradiction, NULL, NULL)};
  VEC_PUSH(check->arena, &check->report->findings, finding);
}

// -------------------------------------------------- those that add nothing
//
// What is asked is whether a launch could meet all others and not this one. So
// nothing that the checker takes for granted may be used here, such as limits
// of sizes: only types, extents, which aren't negative, and the others that the
// file states.

typedef struct {
  Check *check;
  Walk walk; // as far as host_condition needs one
  const Term **conditions;
  bool *is_idle;
} Requires;

// Evaluated for a launch, the expression has its value as a mathematical
// number: nothing goes over in between, and nothing is divided by 0.
static bool is_exact(Requires *r, const IrHost *host, uint32_t depth) {
  static const int64_t most = INT64_C(1) << 62;
  int64_t low, high;
  if (!host)
    return true;
  if (host->is_float || depth > 30)
    return false;
  for (int i = 0; i < host->n_args; i++)
    if (!is_exact(r, host->args[i], depth + 1))
      return false;
  if (host->op >= HOST_EQ && host->op <= HOST_LE)
    return true;
  const Term *term = host_term(&r->walk, host);
  if (!term)
    return host_condition(&r->walk, host) != NULL;
  term_interval(r->walk.terms, term, &low, &high);
  return low > -most && high < most;
}

// A condition of constants is about embedded parameters, of which others may be
// given: it isn't idle.
static bool names_argument(const IrHost *host, uint32_t depth) {
  if (!host || host->op == HOST_CONST)
    return false;
  bool is_argument = host->n_args == 0 || depth > 30;
  for (int i = 0; i < host->n_args && !is_argument; i++)
    is_argument = names_argument(host->args[i], depth + 1);
  return is_argument;
}

// Own tier only: the question must cost nothing.
static Solver *small_solver(const Requires *r) {
  enum { QUERY_MS = 20, KERNEL_MS = 100 };

  SolveOptions options = {.query_ms = QUERY_MS, .kernel_ms = KERNEL_MS};
  options.tiers_off[TIER_ISL] = true;
  options.tiers_off[TIER_Z3_LINEAR] = true;
  options.tiers_off[TIER_Z3_BITS] = true;
  options.tiers_off[TIER_SPLIT] = true;
  return solver_new(r->walk.arena, r->walk.terms, &options);
}

static void assume_extents(Requires *r, Solver *solver) {
  TermTable *t = r->walk.terms;
  const IrKernel *kernel = r->check->kernel;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    for (int k = 0; object->param >= 0 && k < object->rank; k++) {
      const Term *extent = is_exact(r, object->extents[k], 0)
                               ? host_term(&r->walk, object->extents[k])
                               : NULL;
      if (extent)
        solver_assume(solver, term_le(t, term_int(t, 0), extent));
    }
  }
}

static bool adds_nothing(Requires *r, uint32_t row) {
  const IrKernel *kernel = r->check->kernel;
  TermTable *t = r->walk.terms;
  Solver *solver = small_solver(r);
  assume_extents(r, solver);
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    if (i != row && !r->is_idle[i] && r->conditions[i])
      solver_assume(solver, r->conditions[i]);
  const Term *broken = term_not(t, r->conditions[row]);
  bool is_idle = solver_ask(solver, &broken, 1).status == SOLVE_UNSAT;
  solver_free(solver);
  return is_idle;
}

static void find_idle(Requires *r) {
  Check *check = r->check;
  const IrKernel *kernel = check->kernel;
  // The last one that repeats something is the one that is told.
  for (uint32_t i = kernel->requirements.count; i-- > 0;) {
    const IrRequire *row = &kernel->requirements.data[i];
    if (!r->conditions[i] || !adds_nothing(r, i))
      continue;
    r->is_idle[i] = true;
    Finding finding = {
        .code = CODE_IDLE,
        .verdict = VERDICT_PROVED,
        .loc = row->loc,
        .message = arena_printf(check->arena,
                                "the requirement '%s' is redundant", row->text),
        .notes = {[2] = "it follows from the other requirements, the types, "
                        "and the extents, which are never negative"}};
    VEC_PUSH(check->arena, &check->report->findings, finding);
  }
}

void check_idle_requirements(Check *check) {
  enum { MOST = 64 };

  const IrKernel *kernel = check->kernel;
  uint32_t n = kernel->requirements.count;
  if (check->is_impossible || n == 0 || n > MOST)
    return;
  Arena *scratch = arena_new();
  Requires r = {.check = check};
  r.walk = (Walk){
      .arena = scratch, .terms = term_table_new(scratch), .kernel = kernel};
  r.conditions = ARENA_ARRAY(scratch, const Term *, n);
  r.is_idle = ARENA_ARRAY(scratch, bool, n);
  for (uint32_t i = 0; i < n; i++) {
    const IrRequire *row = &kernel->requirements.data[i];
    if (row->kind == REQUIRE_HOST && row->text && !row->is_given &&
        names_argument(row->condition, 0) && is_exact(&r, row->condition, 0))
      r.conditions[i] = host_condition(&r.walk, row->condition);
  }
  find_idle(&r);
  arena_free(scratch);
}
