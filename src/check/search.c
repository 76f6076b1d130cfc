// SPDX-License-Identifier: Apache-2.0
// Runs that decide suspects.
//
// Small launches come first, smallest first, so that what is found is shown at
// the smallest sizes; then those that the solver's models ask for; then other
// contents, orders of threads and moments at which copies land. It ends when
// every suspect is decided or the budget is used up. A kernel without suspects
// is run a few times: an error that shows there would be a mistake of the
// proof.
#include "check/search.h"
#include "check/decisive.h"
#include "check/extents.h"
#include "check/trial.h"
#include <string.h>

// What runs cost is counted in steps of the interpreter, so that what is found
// doesn't depend on how fast the machine is: about 40 a microsecond.
enum {
  BUDGET = 40 * 1000 * 1000,
  BLIND = BUDGET / 2, // where no suspect has a model
  AFTER_BUG = 12 * 1000 * 1000,
  REMARKS = 2 * 1000 * 1000, // where no more than remarks are open
  SMOKE = 800 * 1000,
  SMOKE_RUNS = 6,
  A_RUN = 10 * 1000, // to begin one
  LONGEST_MS = 2500,
  MOST_STEPS = 400 * 1000,
  MODEL_STEPS = 10 * MOST_STEPS, // sizes aren't chosen to make it short
  N_PASSES = 5,
  MOST_SEEDS = 16, // where there are few launches
};

typedef struct {
  Check *check;
  bool *is_decided; // by suspect
  bool *is_equal;   // by suspect: threads stored one value at one place
  uint32_t n_open, n_remarks; // that a run may decide; remarks apart
  bool has_bug;
  uint64_t budget, used, used_at_bug; // when the first was found
  SolveEnd end;
  const Decisive *trusts_overflow;
} Search;

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

// The run has shown what the suspect was about.
static bool decides(const ConcreteFinding *found, const Suspect *suspect) {
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
    return found->kind == EVENT_FOUND_BOUNDS && suspect->a->node == a;
  case SUSPECT_OVERFLOW:
    return found->kind == EVENT_FOUND_OVERFLOW && suspect->a->node == a;
  case SUSPECT_RANGE:
    return found->kind == EVENT_FOUND_RANGE && suspect->a->node == a;
  case SUSPECT_UNIFORM:
    return found->kind == EVENT_FOUND_UNIFORM && suspect->a->node == a;
  case SUSPECT_ASSERT:
    return found->kind == EVENT_FOUND_ASSERT && suspect->a->node == a;
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
static bool is_known(const Search *s, const Finding *bug) {
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
    s->is_equal[i] |= decides(found, &check->suspects.data[i]);
}

static bool is_of_input(const Search *s, const ConcreteFinding *found) {
  const Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count; i++)
    if (check->suspects.data[i].is_of_input &&
        decides(found, &check->suspects.data[i]))
      return true;
  return false;
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
    if (s->is_decided[i] || !decides(found, &check->suspects.data[i]))
      continue;
    s->is_decided[i] = true;
    s->n_remarks--;
  }
  Finding finding = search_bug(check, launch, found);
  finding.verdict = VERDICT_PROVED;
  if (!check->options->no_remarks && !has_remark(check->report, &finding))
    VEC_PUSH(check->arena, &check->report->findings, finding);
}

// Of a deadlock the first wait stands for all.
static void take_event(Search *s, const ConcreteLaunch *launch,
                       const ConcreteFinding *found) {
  Check *check = s->check;
  bool is_wanted = false;
  if (found->kind == EVENT_FOUND_BOUNDS && !has_extents(check, found->a.node))
    return;
  if (is_of_input(s, found))
    return;
  if (found->is_same_value && check->options->allow_same_value)
    return;
  if (found->is_same_value && check->options->is_cuda) {
    note_equal(s, found);
    return;
  }
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    if (s->is_decided[i] || !decides(found, suspect) ||
        (found->is_after_fault && !suspect->has_model))
      continue;
    s->is_decided[i] = true;
    s->n_open -= !suspect->is_for_none;
    is_wanted = true;
  }
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
  if (is_known(s, &bug))
    return;
  if (!s->has_bug)
    s->used_at_bug = s->used;
  s->has_bug = true;
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

static void try_launch(Search *s, const ConcreteLaunch *given) {
  ConcreteResult result;
  ConcreteLaunch copy = *given, *launch = &copy;
  ArenaMark mark = arena_mark(s->check->arena);
  launch->owner_strict = s->check->options->owner_strict;
  launch->wants_chain = !s->has_bug;
  launch->end = s->end;
  if (has_large_number(s->check->kernel, launch))
    launch->trusts_overflow = s->trusts_overflow;
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

// Behind the first bug what is still open isn't worth all of the time.
static bool is_over(const Search *s, double share) {
  bool is_done = s->n_open == 0 && (s->n_remarks == 0 || s->used > REMARKS);
  return is_done || spent(s) > share ||
         (s->has_bug && s->used - s->used_at_bug > AFTER_BUG);
}

// Who runs ahead decides whether threads race or only get out of step: small
// launches of kernels with mbarriers are run in a few orders at once, so that a
// race is shown at the smallest sizes that have it.
static void try_orders(Search *s, ConcreteLaunch *launch, double share) {
  enum { ORDERS = 4 };

  for (uint64_t seed = 1; seed <= ORDERS && !is_over(s, share); seed++) {
    launch->seed = seed;
    try_launch(s, launch);
  }
}

static void try_sizes(Search *s, Sizes *sizes, ConcreteFill fill, uint64_t seed,
                      bool overlap, double share) {
  enum { SMALL_ONES = 16 };

  ConcreteLaunch launch;
  sizes_restart(sizes);
  for (uint32_t i = 0; !is_over(s, share) && sizes_next(sizes, &launch); i++) {
    launch.fill = fill;
    launch.seed = seed;
    launch.max_steps = MOST_STEPS;
    launch.overlap = overlap;
    try_launch(s, &launch);
    if (seed == 0 && s->check->has_order && i < SMALL_ONES)
      try_orders(s, &launch, share);
  }
}

// ----------------------------------------------------------------- models

static int64_t model_value(const TermModel *model, const char *name,
                           int64_t otherwise) {
  for (uint32_t i = 0; i < model->n; i++)
    if (model->symbols[i]->kind == SYMBOL_LAUNCH && model->symbols[i]->name &&
        strcmp(model->symbols[i]->name, name) == 0)
      return model->values[i];
  return otherwise;
}

static void model_grid(const Search *s, const TermModel *model,
                       ConcreteLaunch *launch) {
  const Tree *tree = s->check->tree;
  for (int i = 0; i < 3; i++) {
    int64_t blocks = 1, least = 0;
    if (!tree->grid[i] || !term_value(tree->grid[i], model, &blocks))
      blocks = 1;
    for (uint32_t k = 0; k < model->n; k++) {
      const Symbol *symbol = model->symbols[k];
      const Symbol *origin = symbol->copy_of ? symbol->copy_of : symbol;
      if (origin == tree->block[i] && model->values[k] + 1 > least)
        least = model->values[k] + 1;
    }
    if (blocks < least)
      blocks = least;
    launch->grid[i] = blocks < 1 ? 1 : blocks > 64 ? 64 : (int32_t)blocks;
    launch->cluster[i] = 1;
  }
}

// The blocks of both sides; of one where the model speaks of one.
static void model_pair(const Search *s, const TermModel *model,
                       ConcreteLaunch *launch) {
  const Tree *tree = s->check->tree;
  for (int i = 0; i < 3; i++) {
    bool has_side[2] = {false};
    for (uint32_t k = 0; k < model->n; k++) {
      const Symbol *symbol = model->symbols[k];
      bool is_copy = symbol->copy_of == tree->block[i];
      if (symbol != tree->block[i] && !is_copy)
        continue;
      launch->pair[is_copy][i] = (int32_t)model->values[k];
      has_side[is_copy] = true;
    }
    if (has_side[0] != has_side[1])
      launch->pair[has_side[0]][i] = launch->pair[!has_side[0]][i];
  }
  launch->has_pair = true;
}

// With values up to `most`, which makes the launch small enough.
static bool model_launch(const Search *s, const TermModel *model, int64_t most,
                         int64_t *scalars, ConcreteLaunch *launch) {
  const IrKernel *kernel = s->check->kernel;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    int64_t value;
    scalars[i] = model_value(model, kernel->params.data[i].name, 1);
    scalars[i] = scalars[i] > most ? most : scalars[i];
    if (sizes_required(s->check->arena, kernel, i, &value))
      scalars[i] = value;
  }
  int open = extents_open_param(kernel);
  if (open >= 0)
    scalars[open] = SIZES_OPEN_SHARED;
  *launch = (ConcreteLaunch){.scalars = scalars, .max_steps = MODEL_STEPS};
  model_grid(s, model, launch);
  model_pair(s, model, launch);
  Trial trial;
  Arena *scratch = arena_new();
  bool is_launch = trial_shape(&trial, scratch, kernel, launch);
  arena_free(scratch);
  return is_launch;
}

static void try_model(Search *s, const TermModel *model) {
  static const int64_t most[] = {INT64_MAX, 4096, 1024, 512, 256, 128, 64};
  const IrKernel *kernel = s->check->kernel;
  int64_t *scalars =
      ARENA_ARRAY(s->check->arena, int64_t, kernel->params.count + 1);
  for (uint32_t i = 0; i < sizeof most / sizeof *most; i++) {
    ConcreteLaunch launch;
    if (!model_launch(s, model, most[i], scalars, &launch))
      continue;
    launch.fill = FILL_IOTA;
    try_launch(s, &launch);
    launch.fill = FILL_RANDOM;
    launch.seed = 1;
    try_launch(s, &launch);
    return;
  }
}

static void try_models(Search *s, double share) {
  const Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count && !is_over(s, share); i++)
    if (!s->is_decided[i] && check->suspects.data[i].has_model)
      try_model(s, &check->suspects.data[i].model);
}

// ------------------------------------------------------------------ whole

static bool can_be_one(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->may_alias.count; i++)
    if (!kernel->may_alias.data[i].begins_elsewhere)
      return true;
  return false;
}

static void search(Search *s) {
  static const ConcreteFill fills[N_PASSES] = {
      FILL_IOTA, FILL_RANDOM, FILL_ZEROS, FILL_RANDOM, FILL_RANDOM};
  Sizes *sizes = sizes_new(s->check->arena, s->check->kernel, 0);
  try_sizes(s, sizes, fills[0], 0, false, 0.3);
  try_models(s, 0.5);
  if (can_be_one(s->check->kernel))
    try_sizes(s, sizes, fills[0], 0, true, 0.6);
  for (int pass = 1; pass < N_PASSES; pass++)
    try_sizes(s, sizes, fills[pass], (uint64_t)pass, false,
              0.5 + 0.4 * pass / (N_PASSES - 1));
  for (uint64_t seed = N_PASSES; seed < MOST_SEEDS; seed++)
    try_sizes(s, sizes, FILL_RANDOM, seed, false, 1);
}

// Proved: an error would be ours, and still one.
static void smoke(Search *s) {
  Sizes *sizes = sizes_new(s->check->arena, s->check->kernel, 0);
  ConcreteLaunch launch;
  for (int i = 0; i < SMOKE_RUNS && spent(s) < 1 && sizes_next(sizes, &launch);
       i++) {
    launch.fill = i % 2 ? FILL_RANDOM : FILL_IOTA;
    launch.seed = (uint64_t)i;
    launch.max_steps = MOST_STEPS / 4;
    try_launch(s, &launch);
  }
}

static void count_open(Search *s) {
  const Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    bool is_remark = suspect->kind == SUSPECT_PARTIAL;
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
      return BUDGET;
  return BLIND;
}

// A quarter of the kernel's time from now on.
static SolveEnd end_of(const Check *check) {
  const SolveOptions *solve = &check->options->solve;
  return solve_end_of_part(solve->kernel_ms ? solve->kernel_ms / 4 : LONGEST_MS,
                           &solve->end);
}

// ----------------------------------------------------------- one message

static bool is_race(const Finding *finding) {
  return finding->verdict == VERDICT_BUG && finding->code == CODE_RACE;
}

static bool share_place(const Finding *a, const Finding *b) {
  const IrNode *x = a->other ? a->other : a->node;
  const IrNode *y = b->other ? b->other : b->node;
  return a->node == b->node || a->node == y || x == b->node || x == y;
}

static bool comes_before(const Finding *a, const Finding *b) {
  if (a->node->id != b->node->id)
    return a->node->id < b->node->id;
  return a->other && (!b->other || a->other->id > b->other->id);
}

// Races that share a place have one cause, mostly: the first in the program
// stands for all, with their number.
static void fold_races(Check *check) {
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
      for (uint32_t k = 0; k < n && is_race(&all[i]); k++)
        if (is_race(&all[k]) && share_place(&all[i], &all[k]) &&
            comes_before(&all[cause[k]], &all[cause[i]])) {
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
static void drop_signs(CheckReport *report) {
  bool has_race = false, has_barrier = false;
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < report->findings.count; i++) {
    has_race |= is_race(&report->findings.data[i]);
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
  Search s = {.check = check, .end = end_of(check)};
  count_open(&s);
  s.budget = budget_of(&s);
  if (check->options->is_cuda)
    s.trusts_overflow = decisive_new(check->arena, check->kernel);
  s.is_decided = ARENA_ARRAY(check->arena, bool, check->suspects.count + 1);
  s.is_equal = ARENA_ARRAY(check->arena, bool, check->suspects.count + 1);
  const char *unknown = search_unknown_function(check->arena, check->kernel);
  bool may_run = !check->options->no_search && !unknown;
  bool is_open = s.n_open > 0 || s.n_remarks > 0;
  if (may_run && is_open && !check->options->only_proofs)
    search(&s);
  else if (may_run && !is_open)
    smoke(&s);
  fold_races(check);
  for (uint32_t i = 0; i < check->suspects.count; i++) {
    const Suspect *suspect = &check->suspects.data[i];
    if (suspect->kind == SUSPECT_PARTIAL) {
      check->report->n_obligations--; // remarks are none
      continue;
    }
    if (s.is_decided[i] || is_explained(&s, suspect))
      continue;
    if (suspect->is_trusted) {
      check->report->n_obligations--;
      continue;
    }
    Finding open = search_unknown(check, suspect);
    if (unknown)
      open.reason = arena_printf(check->arena,
                                 "%s; nothing was run: what '%s' gives, which "
                                 "has no body, decides what is touched",
                                 open.reason, unknown);
    else if (s.is_equal[i])
      open.reason =
          arena_printf(check->arena, "%s; in the runs they stored equal values",
                       open.reason);
    VEC_PUSH(check->arena, &check->report->findings, open);
  }
  drop_signs(check->report);
}
