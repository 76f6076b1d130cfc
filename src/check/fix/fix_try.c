// SPDX-License-Identifier: Apache-2.0
// One attempt at a fix. The run that showed what is wrong is made again with
// the change, which refutes most attempts in no time; only a check proves one.
#include "base/panic.h"
#include "check/fix/fix.h"

#include "check/run/search.h"

// ------------------------------------------------------------------ copies

typedef struct {
  uint32_t id;
  IrNode *found;
} ById;

static bool has_id(IrNode *node, void *context) {
  ById *by_id = context;
  if (node->id == by_id->id)
    by_id->found = node;
  return !by_id->found;
}

// Ids of a copy are those of the kernel, which is numbered in program order.
IrNode *fix_copy_of(IrKernel *copy, const IrNode *node) {
  ById by_id = {node->id, NULL};
  (void)ir_walk(&copy->body, has_id, &by_id);
  return by_id.found && by_id.found->op == node->op ? by_id.found : NULL;
}

// ------------------------------------------------------------------ proving

typedef struct {
  const Check *check;
  const Finding *target;
} Attempt;

typedef bool (*SameNode)(const IrKernel *kernel, const IrNode *a,
                         const IrNode *b);

static bool fix_try_is_same(const IrKernel *kernel, const Finding *a,
                            const Finding *b, SameNode same) {
  const IrNode *p = a->node, *q = a->other ? a->other : p;
  const IrNode *r = b->node, *s = b->other ? b->other : r;
  if (a->code != b->code || !p || !r)
    return a->code == b->code && p == r;
  return (same(kernel, p, r) && same(kernel, q, s)) ||
         (same(kernel, p, s) && same(kernel, q, r));
}

static bool same_id(const IrKernel *kernel, const IrNode *a, const IrNode *b) {
  (void)kernel;
  return a->id == b->id;
}

// Phases, counts, copies: a barrier of a group elsewhere may hide a race and
// leave these as wrong as they were.
static bool is_about_barriers(uint32_t code) {
  return code >= 1000;
}

// Open before, too.
static bool was_open(const Check *check, const Finding *finding) {
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    Finding before = search_unknown(check, &check->suspects.data[i]);
    if (fix_try_is_same(check->kernel, &before, finding, same_id))
      return true;
  }
  return false;
}

// What shows that the change isn't a fix. Of several findings with the same
// lines a report has one (causes.c), and a fix is for all of them: for the
// target lines count.
static bool fix_try_is_left(const Check *check, const Finding *target,
                            const Finding *finding) {
  return is_about_barriers(finding->code) ||
         fix_try_is_same(check->kernel, target, finding, fix_same_line) ||
         !was_open(check, finding);
}

// What decides, whichever findings are merged later: those have the same lines.
static bool is_decided(const void *context, const IrKernel *kernel,
                       const Finding *open) {
  const Attempt *attempt = context;
  const Check *check = attempt->check;
  bool was_there = false;
  if (is_about_barriers(open->code) ||
      fix_try_is_same(kernel, attempt->target, open, fix_same_line))
    return true;
  for (uint32_t i = 0; i < check->suspects.count && !was_there; i++) {
    Finding before = search_unknown(check, &check->suspects.data[i]);
    was_there = fix_try_is_same(kernel, &before, open, fix_same_line);
  }
  return !was_there;
}

// ------------------------------------------------------------------- runs

// What a run finds and a proof would find, too, so that no fix is lost.
static bool is_believed(const Check *check, const ConcreteFinding *found) {
  bool is_wrong = true;
  switch ((int)found->kind) {
  case EVENT_FOUND_RACE:
  case EVENT_FOUND_FENCE:
    is_wrong =
        !found->is_same_value || (!check_has(check, CHECK_REMARK_SAME_VALUE) &&
                                  !check->options->allow_same_value);
    break;
  case EVENT_FOUND_DEADLOCK:
  case EVENT_FOUND_BARRIER:
  case EVENT_FOUND_COPY: break;
  default: is_wrong = false;
  }
  return is_wrong && !found->is_after_fault;
}

static bool shows_mistake(const Check *check, const Finding *target,
                          const ConcreteResult *result) {
  for (uint32_t i = 0; i < result->found.count; i++) {
    const ConcreteFinding *found = &result->found.data[i];
    Finding finding = {.code = search_code(found),
                       .node = found->a.node,
                       .other = found->b.node};
    if (is_believed(check, found) && fix_try_is_left(check, target, &finding))
      return true;
  }
  return false;
}

static bool fails(const Check *check, const Finding *target,
                  const IrKernel *copy, const ConcreteLaunch *launch) {
  Arena *arena = arena_new();
  ConcreteLaunch own = *launch;
  ConcreteResult result;
  own.wants_chain = false;
  own.end = check->options->solve.end;
  concrete_run(arena, copy, &own, &result);
  bool is_wrong = shows_mistake(check, target, &result);
  arena_free(arena);
  return is_wrong;
}

// A launch with larger sizes, if there is one: rings go round, and a phase that
// was the last one isn't.
static bool fails_larger(const Check *check, const Finding *target,
                         const IrKernel *copy) {
  enum { TIMES = 2, MORE = 3, MOST_SIZE = 64, FEW_STEPS = 200000 };

  Arena *arena = arena_new();
  uint32_t n = copy->params.count;
  int64_t *scalars = ARENA_ARRAY(arena, int64_t, n + 1);
  ConcreteLaunch launch = *target->launch;
  for (uint32_t i = 0; i < n; i++) {
    int64_t size = launch.scalars[i];
    bool is_size = copy->params.data[i].kind == PARAM_SCALAR &&
                   ir_type_is_int(copy->params.data[i].type) && size > 0 &&
                   size <= MOST_SIZE;
    scalars[i] = is_size ? TIMES * size + MORE : size;
  }
  launch.scalars = scalars;
  launch.max_steps = FEW_STEPS;
  launch.has_pair = launch.only_pair = false; // deadlocks count
  bool is_wrong = fails(check, target, copy, &launch);
  arena_free(arena);
  return is_wrong;
}

// The launch that showed the finding, and where barriers are in the kernel a
// few orders of its threads and a larger one.
static bool fails_again(const Check *check, const Finding *target,
                        const IrKernel *copy) {
  enum { ORDERS = 4 };

  ConcreteLaunch launch = *target->launch;
  if (!check->has_order)
    return fails(check, target, copy, &launch);
  for (int i = 0; i < ORDERS; i++, launch.seed++)
    if (fails(check, target, copy, &launch))
      return true;
  return fails_larger(check, target, copy);
}

// ----------------------------------------------------------------- proofs

static bool is_convergent(Arena *arena, const IrKernel *kernel) {
  DiagEngine *diags = diag_engine_new(arena, 0);
  ir_check_groups(kernel, ir_uniformity(arena, kernel), diags);
  return diag_error_count(diags) == 0;
}

static bool fix_try_is_proved(const Check *check, const Finding *target,
                              Arena *arena, const IrKernel *copy) {
  enum { FIX_MS = 1000 };

  CheckOptions options = *check->options;
  options.no_search = options.no_fixes = options.no_remarks = true;
  options.is_retry = true;
  options.stop = (CheckStop){is_decided, &(Attempt){check, target}};
  options.solve.kernel_ms = FIX_MS;
  CheckReport report;
  check->check_copy(arena, copy, &options, &report);
  if (report.is_stopped)
    return false;
  for (uint32_t i = 0; i < report.findings.count; i++)
    if (fix_try_is_left(check, target, &report.findings.data[i]))
      return false;
  return true;
}

bool fix_try(const Check *check, const Finding *target, FixChange change,
             const void *context) {
  HD_ASSERT(target->verdict == VERDICT_BUG);
  if (solve_is_over(&check->options->solve))
    return false;
  Arena *arena = arena_new();
  IrKernel *copy = ir_clone_kernel(arena, check->kernel);
  bool is_mended = change(copy, context) && is_convergent(arena, copy) &&
                   !fails_again(check, target, copy) &&
                   fix_try_is_proved(check, target, arena, copy);
  arena_free(arena);
  return is_mended;
}
