// SPDX-License-Identifier: Apache-2.0
// What a single thread owes: touches inside their arrays and aligned, sums
// without overflow, groups inside their parents, assertions that hold. And that
// the kernel's requirements can hold at all.
#include "check/prove/bounds.h"

#include "base/panic.h"
#include "check/prove/bounds_parts.h"
#include "check/prove/decisive.h"
#include "check/prove/input.h"
#include "check/prove/rows.h"

#include <string.h>

// ------------------------------------------------------- asking

static bool was_proved(Bounds *b, const Term *condition) {
  uint64_t key = (uint64_t)b->step->path->id << 32 | condition->id;
  return map_has(&b->proved, key);
}

static void bounds_remember(Bounds *b, const Term *condition) {
  uint64_t key = (uint64_t)b->step->path->id << 32 | condition->id;
  map_put(b->check->arena, &b->proved, key, b);
}

static CheckReason answer_reason(Bounds *b, const SolveAnswer *answer,
                                 CheckReason vague, const char *plain) {
  if (vague.text)
    return vague;
  if (answer->status == SOLVE_UNKNOWN)
    plain =
        arena_printf(b->check->arena, "the solvers can't decide: %s",
                     answer->reason ? answer->reason : "they give no reason");
  return (CheckReason){.text = plain};
}

bool bounds_holds(Bounds *b, SuspectKind kind, const Term *condition,
                  CheckReason vague, const char *plain) {
  if (condition->kind == TERM_TRUE || was_proved(b, condition))
    return true;
  const Term *all[2] = {b->step->path, term_not(b->terms, condition)};
  SolveAnswer answer = solver_ask(b->check->solver, all, 2);
  if (answer.status == SOLVE_UNSAT) {
    bounds_remember(b, condition);
    return true;
  }
  if (kind == SUSPECT_OVERFLOW && rows_prove(b->check, b->step, condition))
    return true;
  bool is_of_input = kind == SUSPECT_BOUNDS &&
                     (check_input(b->check, condition, INPUT_BOUNDS) ||
                      check_input_turns(b->check, condition, INPUT_BOUNDS));
  Suspect suspect = {.kind = kind,
                     .a = b->step,
                     .reason = answer_reason(b, &answer, vague, plain),
                     .has_model = answer.status == SOLVE_SAT,
                     .is_for_none = is_of_input,
                     .is_of_input = is_of_input,
                     .model = answer.model,
                     .queries = {term_and(b->terms, all[0], all[1])},
                     .n_queries = is_of_input ? 0 : 1};
  check_suspect(b->check, &suspect);
  return false;
}

void bounds_tell(Bounds *b, SuspectKind kind, CheckReason reason) {
  check_suspect(b->check,
                &(Suspect){.kind = kind, .a = b->step, .reason = reason});
}

// ------------------------------------------------------- trust

static const char data_text[] =
    "signed arithmetic on the contents of arrays doesn't overflow";
static const char all_text[] = "signed arithmetic doesn't overflow";

void bounds_trust(Bounds *b, const char *text) {
  CheckReport *report = b->check->report;
  for (uint32_t i = 0; i < report->trusted.count; i++) {
    if (report->trusted.data[i] == text)
      return;
  }
  VEC_PUSH(b->check->arena, &report->trusted, text);
}

// ------------------------------------------------------- other obligations

// Sums of what memory holds: no bound of them can follow from the launch.
static bool is_of_data(const Term *condition) {
  CheckVague vague = {0};
  check_vague(condition, &vague);
  if (vague.table)
    return true;
  const IrNode *origin = vague.value ? vague.value->origin : NULL;
  return origin && ((ir_op_info(origin)->memory & MEM_READ) ||
                    (ir_op_info(origin)->flags & OPF_COLLECTIVE));
}

static void check_condition(Bounds *b, SuspectKind kind, const char *plain) {
  const Term *condition = b->step->u.obligation.condition;
  if (!condition) {
    bounds_tell(
        b, kind,
        (CheckReason){.text = "the condition to prove is too complicated for "
                              "the checker"});
    return;
  }
  if (kind == SUSPECT_OVERFLOW && is_of_data(condition)) {
    const Term *all[2] = {b->step->path, term_not(b->terms, condition)};
    if (solver_ask(b->check->solver, all, 2).status != SOLVE_UNSAT)
      bounds_trust(b, data_text);
    check_proved(b->check);
    return;
  }
  CheckVague vague = {0};
  check_vague(condition, &vague);
  CheckReason reason = {0};
  if (vague.value)
    reason.text = check_vague_value(b->check->arena, vague.value,
                                    "the condition to prove");
  if (bounds_holds(b, kind, condition, reason, plain))
    check_proved(b->check);
}

// An assertion of the program about what the host puts into memory: in CUDA C
// nothing can say that it holds, so that zeros there are no counterexample.
static bool is_of_input(const Bounds *b) {
  const IrNode *node = b->step->node;
  const Term *condition = b->step->u.obligation.condition;
  if (!check_has(b->check, CHECK_OPEN_INPUT) || !condition ||
      node->op != IR_ASSERT || (node->flags & NODE_OBLIGATION))
    return false;
  CheckVague vague = {0};
  check_vague(condition, &vague);
  const IrNode *origin = vague.value ? vague.value->origin : NULL;
  bool is_load = origin && origin->op == IR_LOAD;
  return vague.table ||
         (is_load && check_is_input(b->check, origin->u.access.object));
}

typedef struct {
  const IrKernel *kernel;
  bool is_found, is_stated;
  bool has_open_extent; // of an array, of which nothing is stated
} Launch;

static bool bounds_names(const IrKernel *kernel, const IrHost *host,
                         const Symbol *symbol, uint32_t depth) {
  if (!host || depth > 100)
    return false;
  if (host->op == HOST_PARAM &&
      strcmp(kernel->params.data[host->number].name, symbol->name) == 0)
    return true;
  for (uint32_t i = 0; i < host->n_args; i++)
    if (bounds_names(kernel, host->args[i], symbol, depth + 1))
      return true;
  return false;
}

static bool is_extent(const IrKernel *kernel, const Symbol *symbol) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *p = &kernel->params.data[i];
    for (int k = 0; p->kind == PARAM_ARRAY && k < p->object->rank; k++)
      if (bounds_names(kernel, p->object->extents[k], symbol, 0))
        return true;
  }
  return false;
}

static void note_launch(const Symbol *symbol, void *context) {
  Launch *launch = context;
  if (symbol->kind != SYMBOL_LAUNCH)
    return;
  const IrKernel *kernel = launch->kernel;
  bool is_stated = false;
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    is_stated |=
        symbol->name &&
        bounds_names(kernel, kernel->requirements.data[i].condition, symbol, 0);
  launch->is_found = true;
  launch->is_stated |= is_stated;
  launch->has_open_extent |=
      !is_stated && symbol->name && is_extent(kernel, symbol);
}

// What a kernel of CUDA C asserts of its arguments and its grid is what it asks
// of whoever launches it, as it has no other word for that: no counterexample
// where nothing is known of launches, and nothing stated of what it names. Nor
// does a launch of the file tell how large the array behind a surface is.
static bool is_of_launch(const Bounds *b) {
  const IrNode *node = b->step->node;
  const Term *condition = b->step->u.obligation.condition;
  Launch launch = {.kernel = b->check->kernel};
  if (!check_has(b->check, CHECK_OPEN_INPUT) || !condition ||
      node->op != IR_ASSERT || (node->flags & NODE_OBLIGATION))
    return false;
  CheckVague vague = {0};
  check_vague(condition, &vague);
  term_symbols(condition, note_launch, &launch);
  bool is_open = launch.has_open_extent ||
                 (!launch.is_stated && !b->check->options->has_launch);
  return launch.is_found && is_open && !vague.value && !vague.table;
}

static void check_assertion(Bounds *b) {
  const Term *condition = b->step->u.obligation.condition;
  bool is_launch = is_of_launch(b);
  if ((!is_launch && !is_of_input(b)) ||
      solver_proves(b->check->solver, b->step->path, condition)) {
    check_condition(b, SUSPECT_ASSERT, "the condition may be false");
    return;
  }
  Suspect suspect = {.kind = SUSPECT_ASSERT,
                     .a = b->step,
                     .is_for_none = true,
                     .is_of_input = true,
                     .reason.text = is_launch
                                        ? "the condition is a requirement on "
                                          "the launch: state it with --assume"
                                        : "the condition depends on the "
                                          "contents of memory when the "
                                          "kernel starts"};
  check_suspect(b->check, &suspect);
}

// Sums of data that no subscript and no condition depends on: what memory gave
// may be anything, so that nothing could be proved of them. Not an obligation.
static bool is_data(const Bounds *b) {
  const Step *step = b->step;
  CheckVague vague = {0};
  if (!step->node || decisive_has(b->decisive, step->node))
    return false;
  if (!step->u.obligation.condition)
    return true;
  check_vague(step->u.obligation.condition, &vague);
  return vague.value || vague.table;
}

// Everything follows from an assumption that contradicts what holds here.
static void check_possible(Bounds *b) {
  const Step *step = b->step;
  const Term *all[2] = {step->path, step->u.obligation.condition};
  if (!all[1] || solver_ask(b->check->solver, all, 2).status != SOLVE_UNSAT ||
      solver_ask(b->check->solver, all, 1).status == SOLVE_UNSAT)
    return;
  Finding finding = {.code = CODE_NO_LAUNCH,
                     .verdict = VERDICT_UNKNOWN,
                     .node = step->node,
                     .message = "no launch satisfies this assumption",
                     .reason.text =
                         "it contradicts the other conditions here, so "
                         "everything would follow from it"};
  VEC_PUSH(b->check->arena, &b->check->report->findings, finding);
}

typedef struct {
  const Decisive *decisive;
  bool is_found;
} DataSearch;

static bool find_decisive(IrNode *node, void *context) {
  DataSearch *search = context;
  bool is_data =
      ir_op_info(node)->form == FORM_ACCESS || node->op == IR_UNKNOWN;
  search->is_found |= is_data && decisive_has(search->decisive, node);
  return true;
}

// Something that memory holds decides where threads go, or what they touch.
static bool is_led_by_data(const Bounds *b) {
  DataSearch search = {.decisive = b->decisive};
  ir_walk((IrRegion *)(uintptr_t)&b->check->kernel->body, find_decisive,
          &search);
  return search.is_found;
}

// Which lanes are there is a union of bits, any number here (decide_lanes.c). A
// run shows it, where data decide nothing.
static void check_lanes(Bounds *b) {
  const Step *step = b->step;
  const Term *condition = step->u.obligation.condition;
  if (condition && solver_proves(b->check->solver, step->path, condition)) {
    check_proved(b->check);
    return;
  }
  Suspect suspect = {
      .kind = SUSPECT_VALUE,
      .a = step,
      .is_of_input = is_led_by_data(b),
      .reason.text = "the lane that the shuffle reads may not take part in it"};
  check_suspect(b->check, &suspect);
}

// Where memory or a variable without a law decides who sets the variable and
// who reads it, the two may agree by what nothing here follows: a remark.
static void check_value(Bounds *b) {
  const Term *condition = b->step->u.obligation.condition;
  CheckVague vague = {0};
  if (ir_is_of_lanes(b->step->node)) {
    check_lanes(b);
    return;
  }
  if (condition)
    check_vague(condition, &vague);
  if (condition && !vague.value && !vague.table) {
    check_condition(b, SUSPECT_VALUE, "a path that doesn't set it leads here");
    return;
  }
  if (condition && solver_proves(b->check->solver, b->step->path, condition)) {
    check_proved(b->check);
    return;
  }
  Suspect suspect = {.kind = SUSPECT_VALUE,
                     .a = b->step,
                     .is_remark = true,
                     .is_of_input = check_has(b->check, CHECK_OPEN_INPUT),
                     .reason.text =
                         "the condition under which it is set is too "
                         "complicated for the checker"};
  check_suspect(b->check, &suspect);
}

// Nobody comes here with a null pointer, unless what the host program puts into
// memory leads here.
static void check_pointer(Bounds *b) {
  const Term *path = b->step->path;
  if (solver_proves(b->check->solver, path, term_false(b->terms))) {
    check_proved(b->check);
    return;
  }
  CheckVague vague = {0};
  check_vague(path, &vague);
  bool is_of_input = check_input(b->check, path, INPUT_BOUNDS);
  Suspect suspect = {
      .kind = SUSPECT_BOUNDS,
      .a = b->step,
      .is_for_none = is_of_input,
      .is_of_input = is_of_input,
      .reason.text =
          vague.value || vague.table
              ? "whether it is null here depends on what is in memory"
              : "on some way to here the pointer is null"};
  check_suspect(b->check, &suspect);
}

static void check_obligation(Bounds *b) {
  switch (b->step->u.obligation.kind) {
  case OBLIGATION_OVERFLOW:
    if (is_data(b))
      break;
    // CUDA C says nothing of sizes, so nothing could be proved of products.
    if (check_has(b->check, CHECK_TRUST_SIZES)) {
      Suspect suspect = {.kind = SUSPECT_OVERFLOW,
                         .a = b->step,
                         .is_for_none = true,
                         .is_trusted = true};
      bounds_trust(b, all_text);
      check_suspect(b->check, &suspect);
      break;
    }
    check_condition(b, SUSPECT_OVERFLOW,
                    "the result may be too large for its type; a smaller limit "
                    "on sizes in `requires` would help");
    break;
  case OBLIGATION_GROUP_RANGE:
    check_condition(b, SUSPECT_RANGE,
                    "the threads may not all belong to the current group");
    break;
  case OBLIGATION_ASSERT: check_assertion(b); break;
  case OBLIGATION_OWN:
    check_condition(b, SUSPECT_ASSERT, "the condition may be false");
    break;
  case OBLIGATION_INSIDE:
    check_condition(b, SUSPECT_BOUNDS, "the index may be outside of the array");
    break;
  case OBLIGATION_POINTER: check_pointer(b); break;
  case OBLIGATION_VALUE: check_value(b); break;
  case OBLIGATION_POSSIBLE: check_possible(b); break;
  case OBLIGATION_UNIFORM: check_claim(b->check, b->step); break;
  }
}

static void check_step(const Step *step, void *context) {
  Bounds *b = context;
  b->step = step;
  if (b->check->is_ended)
    return;
  if (step->kind == STEP_TOUCH)
    bounds_check_touch(b);
  else if (step->kind == STEP_OBLIGATION)
    check_obligation(b);
}

void check_bounds(Check *check) {
  HD_ASSERT(check->tree && check->solver);
  Bounds b = {.check = check,
              .tree = check->tree,
              .terms = check->terms,
              .decisive = decisive_new(check->arena, check->kernel)};
  tree_each(check->tree->first, check_step, &b);
}
