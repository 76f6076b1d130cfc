// SPDX-License-Identifier: Apache-2.0
// Runs that decide suspects.
//
// A few small launches come first; then those that are aimed at suspects, with
// sizes of the solver's models; then more small ones, smallest first, other
// contents, orders of threads and moments at which copies land. It ends when
// every suspect is decided or the budget is used up. A kernel without suspects
// is run a few times: an error that shows there would be a mistake of the
// proof.
#include "check/run/search.h"

#include "base/panic.h"
#include "check/prove/decisive.h"
#include "check/prove/extents.h"
#include "check/run/search_parts.h"
#include "check/run/trial.h"
#include <string.h>

// What runs cost is counted in steps of the interpreter, so that what is found
// doesn't depend on how fast the machine is: about 40 a microsecond.
enum {
  BUDGET = 40 * 1000 * 1000,
  BLIND = BUDGET / 2, // where no suspect has a model
  BEHIND_BUG = 5 * 1000 * 1000,
  REMARKS = 2 * 1000 * 1000, // where no more than remarks are open
  SMOKE = 800 * 1000,
  SMOKE_RUNS = 6,
  A_RUN = 10 * 1000, // to begin one
  LONGEST_MS = 2500,
  USUAL_MS = 10000, // of a kernel
  MOST_STEPS = 400 * 1000,
  AIM_MS = 400, // for sizes of models
  N_PASSES = 5,
  MOST_SEEDS = 16, // where there are few launches
};

// Who gives more time than usual wants it spent.
static uint64_t search_scaled(const Check *check, uint64_t budget) {
  uint64_t ms = check->options->solve.kernel_ms;
  return ms > USUAL_MS ? budget / USUAL_MS * ms : budget;
}

static double spent(const Search *s) {
  if (solve_is_behind(&s->end))
    return 2;
  return (double)s->used / (double)s->budget;
}

// --------------------------------------------------------------- matching

static bool same_pair(const Suspect *suspect, const IrNode *a,
                      const IrNode *b) {
  const IrNode *p = suspect->a->node;
  const IrNode *q = suspect->b ? suspect->b->node : p;
  return (p == a && q == b) || (p == b && q == a);
}

static bool is_about_barrier(const Suspect *suspect, const IrNode *node) {
  const IrObject *object = search_barrier(node);
  return suspect->a->node == node ||
         (object && (search_object(suspect->a) == object ||
                     search_barrier(suspect->a->node) == object));
}

bool search_is_null(const ConcreteFinding *found) {
  return found->fact.kind == FACT_FAULT &&
         found->fact.fault == FAULT_CODE_NULL_POINTER;
}

bool search_of_pointer(const Suspect *suspect) {
  return suspect->a->kind == STEP_OBLIGATION &&
         suspect->a->u.obligation.kind == OBLIGATION_POINTER;
}

// A pointer may be null or lead out of one of several arrays.
static bool is_same_fault(const ConcreteFinding *found,
                          const Suspect *suspect) {
  bool is_to_array =
      suspect->a->kind == STEP_TOUCH && search_object(suspect->a);
  return search_is_null(found) ? !is_to_array : !search_of_pointer(suspect);
}

// The run has shown what the suspect was about.
bool search_decides(const ConcreteFinding *found, const Suspect *suspect) {
  const IrNode *a = found->a.node, *b = found->b.node;
  switch (suspect->kind) {
  case SUSPECT_RACE:
    return (found->kind == EVENT_FOUND_RACE ||
            found->kind == EVENT_FOUND_FENCE) &&
           same_pair(suspect, a, b);
  case SUSPECT_FENCE:
    return (found->kind == EVENT_FOUND_FENCE ||
            found->kind == EVENT_FOUND_RACE) &&
           same_pair(suspect, a, b);
  case SUSPECT_BOUNDS:
    return found->kind == EVENT_FOUND_BOUNDS && suspect->a->node == a &&
           is_same_fault(found, suspect);
  case SUSPECT_OVERFLOW:
    return found->kind == EVENT_FOUND_OVERFLOW && suspect->a->node == a;
  case SUSPECT_RANGE:
    return found->kind == EVENT_FOUND_RANGE && suspect->a->node == a;
  case SUSPECT_UNIFORM:
    return found->kind == EVENT_FOUND_UNIFORM && suspect->a->node == a;
  case SUSPECT_ASSERT:
    return found->kind == EVENT_FOUND_ASSERT && suspect->a->node == a;
  case SUSPECT_VALUE:
    return found->kind == EVENT_FOUND_VALUE && suspect->a->node == a;
  case SUSPECT_BARRIER:
    return (found->kind == EVENT_FOUND_DEADLOCK ||
            found->kind == EVENT_FOUND_BARRIER) &&
           (is_about_barrier(suspect, a) || is_about_barrier(suspect, b));
  case SUSPECT_PARTIAL:
    return found->kind == EVENT_FOUND_PARTIAL &&
           search_object(suspect->a) == found->object;
  case SUSPECT_COPY:
    if (found->kind == EVENT_FOUND_RACE)
      return (found->a.is_copy || found->b.is_copy) &&
             (suspect->a->node == a || suspect->a->node == b);
    return found->kind == EVENT_FOUND_COPY && suspect->a->node == a;
  case SUSPECT_TWO_OWNERS:
    return found->kind == EVENT_FOUND_TWO_OWNERS && same_pair(suspect, a, b);
  case SUSPECT_NOT_OWNED:
    return found->kind == EVENT_FOUND_NOT_OWNED && suspect->a->node == a;
  case SUSPECT_NO_CONTENTS:
    return found->kind == EVENT_FOUND_NO_CONTENTS && suspect->a->node == a;
  }
  return false;
}

// Reported before, or only another sign of what was.
static bool search_is_known(const Search *s, const Finding *bug) {
  const CheckReport *report = s->check->report;
  for (uint32_t i = 0; i < report->findings.count; i++) {
    const Finding *other = &report->findings.data[i];
    bool same = other->node == bug->node && other->other == bug->other;
    bool swapped = other->node == bug->other && other->other == bug->node;
    if (other->code == bug->code && other->verdict == VERDICT_BUG &&
        (same || swapped))
      return true;
  }
  return false;
}

static bool is_sign(const ConcreteFinding *found) {
  return found->kind == EVENT_FOUND_DEADLOCK ||
         found->kind == EVENT_FOUND_BARRIER || found->kind == EVENT_FOUND_COPY;
}

static bool has_pointer(const IrModule *module, IrType type) {
  if (type.kind != IR_TYPE_STRUCT)
    return type.kind == IR_TYPE_PTR;
  const IrStruct *members = module->structs.data[type.index];
  for (uint32_t i = 0; i < members->leaves.count; i++)
    if (members->leaves.data[i].type.kind == IR_TYPE_PTR)
      return true;
  return false;
}

// The kernel itself makes the pointer null; one from memory that the host
// program fills isn't.
static bool is_made_null(const Check *check, const ConcreteFinding *found) {
  for (uint32_t i = 0; i < check->suspects.count; i++)
    if (search_of_pointer(&check->suspects.data[i]) &&
        search_decides(found, &check->suspects.data[i]))
      return true;
  return false;
}

// What is outside is known: of arrays, not of plain pointers, to which a run
// gives some memory, nor of those in memory that the host program fills.
static bool has_extents(const Check *check, const IrNode *node) {
  const IrKernel *kernel = check->kernel;
  if (ir_op_info(node)->form != FORM_ACCESS)
    return true;
  if (node->u.access.object)
    return !extents_are_open(kernel, node->u.access.object);
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (extents_are_open(kernel, kernel->objects.data[i]))
      return false;
  for (uint32_t i = 0; i < kernel->module->globals.count; i++)
    if (has_pointer(kernel->module, kernel->module->globals.data[i]->element))
      return false;
  return true;
}

// In CUDA C no race: only a run that stores different values shows one.
static void note_equal(Search *s, const ConcreteFinding *found) {
  const Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count; i++)
    s->is_equal[i] |= search_decides(found, &check->suspects.data[i]);
}

// Several suspects of the same places are inlined calls: one that a run may
// decide will do.
static bool search_is_of_input(const Search *s, const ConcreteFinding *found) {
  const Check *check = s->check;
  bool is_across =
      memcmp(found->a.block, found->b.block, sizeof found->a.block) != 0;
  bool is_any = false;
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    if (!search_decides(found, suspect))
      continue;
    bool is_race = suspect->kind == SUSPECT_RACE;
    if (!(is_race && is_across ? suspect->is_of_input_across
                               : suspect->is_of_input))
      return false;
    is_any = true;
  }
  return is_any;
}

// What is proved where others hold, in a run that went on behind one of those
// that contents decide: an assertion, which is what the kernel asks of its
// launch, or an access by an index that was outside before.
static bool follows_input(const Search *s, const ConcreteFinding *found) {
  const Check *check = s->check;
  bool is_any = false, is_bounds = found->kind == EVENT_FOUND_BOUNDS;
  if (found->kind != EVENT_FOUND_ASSERT && !is_bounds)
    return false;
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    if (search_decides(found, suspect))
      return false;
    is_any |= suspect->kind == (is_bounds ? SUSPECT_BOUNDS : SUSPECT_ASSERT) &&
              suspect->is_of_input;
  }
  return is_any;
}

static bool has_remark(const CheckReport *report, const Finding *remark) {
  for (uint32_t i = 0; i < report->findings.count; i++) {
    const Finding *other = &report->findings.data[i];
    if (other->code == remark->code &&
        search_barrier(other->node) == search_barrier(remark->node))
      return true;
  }
  return false;
}

// Once for each array of barriers.
static void take_remark(Search *s, const ConcreteLaunch *launch,
                        const ConcreteFinding *found) {
  Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    if (s->is_decided[i] || !search_decides(found, &check->suspects.data[i]))
      continue;
    s->is_decided[i] = true;
    s->n_remarks--;
  }
  Finding finding = search_bug(check, launch, found);
  finding.verdict = VERDICT_PROVED;
  if (!check->options->no_remarks && !has_remark(check->report, &finding))
    VEC_PUSH(check->arena, &check->report->findings, finding);
}

static bool search_is_plain(IrNode *node, void *context) {
  const IrObject *object = node->op == IR_LOAD ? node->u.access.object : NULL;
  bool is_of_host = object && (object->space == SPACE_GLOBAL ||
                               object->space == SPACE_CONSTANT);
  (void)context;
  return !is_of_host || !ir_type_is_int(node->type);
}

// The time was over before the kernel was followed: whether the place depends
// on numbers that the host put into memory isn't known, but it may.
static bool is_unfollowed(const Check *check, const ConcreteFinding *found) {
  bool is_of_place =
      found->kind == EVENT_FOUND_BOUNDS || found->kind == EVENT_FOUND_RACE;
  return is_of_place && check->tree->is_unfinished &&
         check_has(check, CHECK_OPEN_INPUT) &&
         !ir_walk((IrRegion *)(uintptr_t)&check->kernel->body, search_is_plain,
                  NULL);
}

// Nothing that the run can know, or nothing that is asked.
static bool is_ignored(const Search *s, const ConcreteFinding *found) {
  const Check *check = s->check;
  return (found->kind == EVENT_FOUND_BOUNDS &&
          !has_extents(check, found->a.node) && !is_made_null(check, found)) ||
         is_unfollowed(check, found) || search_is_of_input(s, found) ||
         follows_input(s, found) ||
         (found->is_same_value && (check->options->allow_same_value ||
                                   check_has(check, CHECK_REMARK_SAME_VALUE)));
}

static bool is_shown(const ConcreteFinding *found, const Suspect *suspect) {
  return search_decides(found, suspect) &&
         (!found->is_after_fault || suspect->has_model);
}

// Of a deadlock the first wait stands for all.
static void take_event(Search *s, const ConcreteLaunch *launch,
                       const ConcreteFinding *found) {
  Check *check = s->check;
  uint32_t wanted = UINT32_MAX;
  if (is_ignored(s, found)) {
    if (found->is_same_value && check_has(check, CHECK_REMARK_SAME_VALUE))
      note_equal(s, found);
    return;
  }
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    if (s->is_decided[i] || !is_shown(found, suspect))
      continue;
    s->is_decided[i] = true;
    s->used_at_last = s->used;
    s->n_remarks -= suspect->is_remark;
    s->n_open -= !suspect->is_remark && !suspect->is_for_none;
    if (wanted == UINT32_MAX || suspect->n_queries > 0)
      wanted = i;
  }
  bool is_wanted = wanted != UINT32_MAX;
  // Behind a fault only what the solver sees as well is believed.
  if (found->is_after_fault && !is_wanted)
    return;
  // Arithmetic on what memory gave is no obligation (bounds.c).
  if (!is_wanted && found->kind == EVENT_FOUND_OVERFLOW)
    return;
  // One mistake with barriers shows in many places.
  if (s->has_bug && is_sign(found))
    return;
  if (!is_wanted && s->has_bug && found->kind != EVENT_FOUND_RACE &&
      found->kind != EVENT_FOUND_BOUNDS)
    return;
  Finding bug = search_bug(check, launch, found);
  if (search_is_known(s, &bug))
    return;
  s->has_bug = true;
  s->used_at_last = s->used;
  if (is_wanted)
    VEC_PUSH(check->arena, &s->shown,
             ((ShownBug){check->report->findings.count, wanted}));
  VEC_PUSH(check->arena, &check->report->findings, bug);
}

static void take_events(Search *s, const ConcreteLaunch *launch,
                        const ConcreteResult *result) {
  for (uint32_t i = 0; i < result->found.count && spent(s) < 2; i++)
    take_event(s, launch, &result->found.data[i]);
  for (uint32_t i = 0; i < result->remarks.count && spent(s) < 2; i++)
    take_remark(s, launch, &result->remarks.data[i]);
}

// ------------------------------------------------------------------- runs

// No size of data: what overflows for it is nothing that CUDA C's programs
// guard against.
static bool has_large_number(const IrKernel *kernel,
                             const ConcreteLaunch *launch) {
  enum { LARGE = 1 << 16 };

  for (uint32_t i = 0; i < kernel->params.count; i++)
    if (kernel->params.data[i].kind == PARAM_SCALAR &&
        ir_type_is_int(kernel->params.data[i].type) &&
        (launch->scalars[i] > LARGE || launch->scalars[i] < -LARGE))
      return true;
  return false;
}

void search_try(Search *s, const ConcreteLaunch *given) {
  ConcreteResult result;
  ConcreteLaunch copy = *given, *launch = &copy;
  ArenaMark mark = arena_mark(s->check->arena);
  launch->owner_strict = s->check->options->owner_strict;
  launch->wants_chain = !s->has_bug;
  launch->end = s->end;
  if (has_large_number(s->check->kernel, launch))
    launch->trusts_overflow = s->trusts_overflow;
  launch->open_shifts = s->open_shifts;
  concrete_run(s->check->arena, s->check->kernel, launch, &result);
  const CheckReport *report = s->check->report;
  uint32_t n_findings = report->findings.count;
  s->check->report->n_runs += result.ran;
  s->used += A_RUN + result.n_steps;
  if (result.ran)
    take_events(s, launch, &result);
  if (report->findings.count == n_findings) // else its texts are in use
    arena_release(s->check->arena, mark);
}

bool search_shows(Search *s, const ConcreteLaunch *given,
                  const Suspect *suspect, Finding *bug) {
  ConcreteResult result;
  ConcreteLaunch launch = *given;
  Check *check = s->check;
  launch.owner_strict = check->options->owner_strict;
  launch.wants_chain = true;
  launch.end = s->end;
  concrete_run(check->arena, check->kernel, &launch, &result);
  check->report->n_runs += result.ran;
  s->used += A_RUN + result.n_steps;
  for (uint32_t i = 0; i < result.found.count && result.ran; i++) {
    const ConcreteFinding *found = &result.found.data[i];
    if (is_ignored(s, found) || !is_shown(found, suspect))
      continue;
    *bug = search_bug(check, &launch, found);
    return true;
  }
  return false;
}

// Behind a bug what is still open isn't worth all of the time: it gets some
// steps since the last one that was decided. All parts of the search have their
// share of them, since some bugs show in other orders and contents only.
static bool search_is_stale(const Search *s, double share) {
  const double FIRST_PART = 0.45;

  double part = FIRST_PART + (1 - FIRST_PART) * share;
  return s->has_bug && (double)(s->used - s->used_at_last) > part * BEHIND_BUG;
}

bool search_is_over(const Search *s, double share) {
  bool is_done = s->n_open == 0 && (s->n_remarks == 0 || s->used > REMARKS);
  return is_done || spent(s) > share || search_is_stale(s, share);
}

// Who runs ahead search_decides whether threads race or only get out of step:
// small launches of kernels with mbarriers are run in a few orders at once, so
// that a race is shown at the smallest sizes that have it.
static void try_orders(Search *s, ConcreteLaunch *launch, double share) {
  enum { ORDERS = 4 };

  for (uint64_t seed = 1; seed <= ORDERS && !search_is_over(s, share); seed++) {
    launch->seed = seed;
    search_try(s, launch);
  }
}

static void go_on(Search *s, Sizes *sizes, ConcreteFill fill, uint64_t seed,
                  bool overlap, double share) {
  enum { SMALL_ONES = 16 };

  ConcreteLaunch launch;
  for (uint32_t i = 0; !search_is_over(s, share) && sizes_next(sizes, &launch);
       i++) {
    launch.fill = fill;
    launch.seed = seed;
    launch.max_steps = MOST_STEPS;
    launch.overlap = overlap;
    search_try(s, &launch);
    if (seed == 0 && s->check->has_order && i < SMALL_ONES)
      try_orders(s, &launch, share);
  }
}

static void try_sizes(Search *s, Sizes *sizes, ConcreteFill fill, uint64_t seed,
                      bool overlap, double share) {
  sizes_restart(sizes);
  go_on(s, sizes, fill, seed, overlap, share);
}

// ------------------------------------------------------------------ whole

static bool can_be_one(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->may_alias.count; i++)
    if (!kernel->may_alias.data[i].begins_elsewhere)
      return true;
  return false;
}

static void check_run_search(Search *s) {
  // Of all runs, before sizes are looked for: what shows at once.
  const double FIRST = 0.02;

  static const ConcreteFill fills[N_PASSES] = {
      FILL_IOTA, FILL_RANDOM, FILL_ZEROS, FILL_RANDOM, FILL_RANDOM};
  Sizes *sizes = sizes_new(s->check->arena, s->check->kernel, 0);
  try_sizes(s, sizes, fills[0], 0, false, FIRST);
  search_aim_at_suspects(s, 0.5);
  if (!search_is_over(s, 0.5))
    search_aim_at_turns(s, 0.5);
  go_on(s, sizes, fills[0], 0, false, 0.3);
  search_try_models(s, 0.5);
  if (can_be_one(s->check->kernel))
    try_sizes(s, sizes, fills[0], 0, true, 0.6);
  for (int pass = 1; pass < N_PASSES; pass++)
    try_sizes(s, sizes, fills[pass], (uint64_t)pass, false,
              0.5 + 0.4 * pass / (N_PASSES - 1));
  for (uint64_t seed = N_PASSES; seed < MOST_SEEDS; seed++)
    try_sizes(s, sizes, FILL_RANDOM, seed, false, 1);
}

static void search_aimed(Search *s) {
  s->aim = aim_new(s->check, (uint32_t)search_scaled(s->check, AIM_MS));
  check_run_search(s);
  search_show_plainly(s);
  aim_free(s->aim);
}

// Proved: an error would be ours, and still one, but for what memory holds
// before it is written: Note [What memory holds before it is written].
static void smoke(Search *s) {
  enum { MEMORY_RUNS = 2 };

  Check *check = s->check;
  const IrKernel *proved = check->kernel, *followed = proved;
  Sizes *sizes = sizes_new(check->arena, proved, 0);
  ConcreteLaunch launch;
  if (check->suspects.count == 0) // they name nodes of the other
    followed = search_follow_memory(check);
  if (followed != proved)
    s->trusts_overflow = s->open_shifts = NULL;
  for (int i = 0; i < SMOKE_RUNS && spent(s) < 1 && sizes_next(sizes, &launch);
       i++) {
    bool is_cheap = s->used < SMOKE / 16;
    check->kernel = i < MEMORY_RUNS && is_cheap ? followed : proved;
    launch.fill = i % 2 ? FILL_RANDOM : FILL_IOTA;
    launch.seed = (uint64_t)i;
    launch.max_steps = MOST_STEPS / 4;
    search_try(s, &launch);
  }
  if (followed != proved)
    search_for_unfilled(s, followed);
  check->kernel = proved;
}

static void count_open(Search *s) {
  const Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    bool is_remark = suspect->kind == SUSPECT_PARTIAL || suspect->is_remark;
    s->n_remarks += is_remark;
    s->n_open += !is_remark && !suspect->is_for_none;
  }
}

static uint64_t budget_of(const Search *s) {
  const Check *check = s->check;
  if (s->n_open == 0)
    return s->n_remarks > 0 ? REMARKS : SMOKE;
  for (uint32_t i = 0; i < check->suspects.count; i++)
    if (check->suspects.data[i].has_model)
      return search_scaled(check, BUDGET);
  return search_scaled(check, BLIND);
}

// A quarter of the kernel's time from now on.
static SolveEnd search_end_of(const Check *check) {
  const SolveOptions *solve = &check->options->solve;
  return solve_end_of_part(solve->kernel_ms ? solve->kernel_ms / 4 : LONGEST_MS,
                           &solve->end);
}

// A wait that was shown to fail explains what is open about its barrier.
static bool is_explained(const Search *s, const Suspect *suspect) {
  const CheckReport *report = s->check->report;
  if (suspect->kind != SUSPECT_BARRIER && suspect->kind != SUSPECT_COPY)
    return false;
  for (uint32_t i = 0; i < report->findings.count; i++)
    if (report->findings.data[i].verdict == VERDICT_BUG &&
        report->findings.data[i].code >= 1000)
      return true;
  return false;
}

void check_search(Check *check) {
  HD_ASSERT(check->tree && check->report);
  Search s = {.check = check, .end = search_end_of(check)};
  count_open(&s);
  s.budget = budget_of(&s);
  if (check_has(check, CHECK_TRUST_SIZES))
    s.trusts_overflow = s.open_shifts =
        decisive_new(check->arena, check->kernel);
  s.is_decided = ARENA_ARRAY(check->arena, bool, check->suspects.count + 1);
  s.is_aimed = ARENA_ARRAY(check->arena, bool, check->suspects.count + 1);
  s.is_equal = ARENA_ARRAY(check->arena, bool, check->suspects.count + 1);
  const char *unknown = search_unknown_function(check->arena, check->kernel);
  bool may_run = !check->options->no_search && !unknown;
  bool is_open = s.n_open > 0 || s.n_remarks > 0;
  if (may_run && is_open && !check->options->only_proofs)
    search_aimed(&s);
  else if (may_run && !is_open)
    smoke(&s);
  search_fold_races(check);
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    if (suspect->kind == SUSPECT_PARTIAL) {
      check->report->n_obligations--; // remarks are none
      continue;
    }
    if (s.is_decided[i] || is_explained(&s, suspect))
      continue;
    if (suspect->is_trusted || suspect->is_remark)
      check->report->n_obligations--;
    if (suspect->is_trusted ||
        (suspect->is_remark && check->options->no_remarks))
      continue;
    Finding open = search_unknown(check, suspect);
    if (unknown)
      open.reason.text =
          arena_printf(check->arena,
                       "%s; nothing was run: the result of '%s', which has no "
                       "body, decides which elements are touched",
                       open.reason.text, unknown);
    else if (s.is_equal[i])
      open.reason.text =
          arena_printf(check->arena, "%s; in the runs they stored equal values",
                       open.reason.text);
    VEC_PUSH(check->arena, &check->report->findings, open);
  }
  search_drop_signs(check->report);
}
