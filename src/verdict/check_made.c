// SPDX-License-Identifier: Apache-2.0
// Note [Arguments that the host computes]
// Some arguments of a launch are computed by host code in a way that isn't
// followed, or come from code that isn't in the file (cu_made.c): they have
// some values, and nobody here knows which. The same holds of all arguments of
// a kernel that nothing in the file launches. So a bug that needs other values
// of them than the host computes is none. Each bug is asked again with a value
// that they have, where a call names one, or else with a large power of two.
// Where it is proved then, it is no more than a possible bug, and the report
// names the arguments.
//
// Sizes go together: a pitch is at least as long as a row, a radius less than
// the image is wide, and the grid covers the image. So all of them are tried
// with one value and with values that fall from the first to the last or rise,
// and a grid of which nothing is known ends where the smallest does. What comes
// from outside is no power of two in that, so that a missing test for the end
// of an array stays a bug. For the same reason arguments of unseen code are
// tried a second time with numbers that are none, and the bug must be gone in
// both.
//
// Where a loop around the launch changes what it passes, its first turn is a
// launch that is made, so what is right there is no more than a possible bug.
//
// With a small number there may be only one block, or a single thread with
// something to do: that would excuse races, so it excuses accesses outside
// alone.
#include "verdict/check_rounds.h"

#include "base/panic.h"
#include "check/report/finding.h"
#include "ir/form/order.h"

#include <inttypes.h>
#include <string.h>

enum {
  MADE_TRY_MS = 500,
  LEAST_MANY = 1024,
  BLOCKS_OF_MANY = 4,
  MOST_ARGUMENTS = 12
};

typedef hd_vec(CudaMade) MadeRows;

// From one argument to the next.
typedef enum { MADE_LEVEL, MADE_FALLS, MADE_RISES } MadeSlope;

// What a trial gives the arguments.
typedef struct {
  int64_t value;
  MadeSlope slope;
  bool is_odd; // also those of unseen code
  bool is_all; // also those from outside, and the grid
} MadeTrial;

typedef struct {
  const CheckTask *task;
  const CheckRound *first;
  HdCheck *check;
  MadeRows rows;
  bool has_unseen, is_launched;
  int64_t many; // what is tried
  // By finding: it is gone with powers of two, and with other numbers.
  bool *is_gone, *is_gone_odd;
  bool was_odd_asked;
  MadeTrial shown; // the first that a bug is gone in
} MadeArgs;

// -------------------------------------------------------------- arguments

// The kernel's own conditions speak of it.
static bool made_is_stated(const HdCheck *check, const char *name) {
  for (uint32_t i = 0; i < check->ir->requirements.count; i++) {
    const IrRequire *require = &check->ir->requirements.data[i];
    if (require->text && !require->is_given &&
        check_names_word(require->text, name))
      return true;
  }
  return false;
}

// The block that is assumed says what it is.
static bool made_is_block(const HdCheck *check, const char *name) {
  const SpecLimits *limits = &check->limits;
  for (uint32_t i = 0; i < limits->n_assumptions; i++) {
    const CudaFact *fact = &limits->assumptions[i];
    if ((fact->names & CUDA_SIZE_BLOCK) && strstr(fact->text, "==") &&
        check_names_word(fact->text, name))
      return true;
  }
  return false;
}

static bool made_is_of_others(const CudaMade *row) {
  return row->origin > CUDA_ORIGIN_GIVEN && row->origin < CUDA_ORIGIN_MADE;
}

static void made_add(MadeArgs *x, CudaMade row) {
  if (x->rows.count == MOST_ARGUMENTS || made_is_stated(x->check, row.name) ||
      made_is_block(x->check, row.name))
    return;
  x->has_unseen |= made_is_of_others(&row);
  VEC_PUSH(x->check->arena, &x->rows, row);
}

// In the order of the kernel's parameters, of which the launch tells some.
static void made_find_rows(MadeArgs *x) {
  const HdCheck *check = x->check;
  const IrKernel *kernel = check->ir;
  x->is_launched = check->launch_lines.count > 0 || check->n_made > 0;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    CudaMade row = {.name = param->name, .origin = CUDA_ORIGIN_PASSED};
    bool is_told = check_is_decided(check, param->name);
    for (uint32_t k = 0; k < check->n_made; k++) {
      if (strcmp(check->made[k].name, param->name) != 0)
        continue;
      row = check->made[k];
      is_told = false;
    }
    if (check_is_argument(param) && ir_type_bits(param->type) >= 16 && !is_told)
      made_add(x, row);
  }
}

static bool made_knows_grid(const HdCheck *check, int axis) {
  const SpecLimits *limits = &check->limits;
  for (uint32_t i = 0; i < limits->n_assumptions; i++)
    if (limits->assumptions[i].names & (unsigned)CUDA_SIZE_GRID_X << axis)
      return true;
  return limits->has_grid;
}

// The kernel asks for the block's number along the axis.
static bool made_names_axis(const MadeArgs *x, int axis) {
  const NodeOrder *order = node_order(x->check->arena, x->check->ir);
  for (uint32_t i = 0; i < order->n_nodes; i++)
    if (order->nodes[i]->op == IR_BLOCK_INDEX &&
        order->nodes[i]->u.index.number == (uint32_t)axis)
      return true;
  return false;
}

// The kernel's blocks are as many as the host computes in a way that isn't
// followed.
static uint32_t made_count_open_axes(const MadeArgs *x) {
  uint32_t n = 0;
  for (int axis = 0; axis < 3; axis++)
    n += !made_knows_grid(x->check, axis) && made_names_axis(x, axis);
  return n;
}

// Nobody says how the kernel is launched.
static bool made_is_guess(const MadeArgs *x) {
  return !x->is_launched && x->check->block_source == HD_BLOCK_GUESS &&
         !x->task->options->has_grid;
}

// One number alone goes together with none, unless it is with the grid.
static bool made_is_worth_it(const MadeArgs *x) {
  uint32_t n_passed = 0, n_asked = 0;
  for (uint32_t i = 0; i < x->rows.count; i++) {
    CudaOrigin origin = x->rows.data[i].origin;
    if (origin > CUDA_ORIGIN_ASKED)
      return true;
    n_passed += origin != CUDA_ORIGIN_GIVEN;
    n_asked += origin == CUDA_ORIGIN_ASKED;
  }
  if (!x->is_launched)
    return n_passed > 1 && made_is_guess(x);
  return n_passed > 1 || (n_asked > 0 && made_count_open_axes(x) > 0);
}

// ----------------------------------------------------------------- trials

static int64_t made_value(const MadeArgs *x, uint32_t index,
                          const MadeTrial *trial) {
  const CudaMade *row = &x->rows.data[index];
  int64_t value = trial->value;
  bool is_odd = trial->is_odd ? row->origin != CUDA_ORIGIN_MADE
                              : row->origin == CUDA_ORIGIN_GIVEN;
  if (row->has_value && row->origin != CUDA_ORIGIN_GIVEN)
    return row->value;
  if (trial->slope != MADE_LEVEL) {
    uint32_t step =
        trial->slope == MADE_FALLS ? index : x->rows.count - 1 - index;
    value = step < 6 ? value * 8 >> step : value / 8;
  }
  return is_odd ? value * 3 / 2 + 1 : value;
}

static void made_assume(const MadeArgs *x, CheckRound *round,
                        const char *condition) {
  check_round_assume(x->check->arena, round, cuda_fact(condition));
}

// A few blocks, which the sizes are large enough for.
static void made_assume_grid(const MadeArgs *x, CheckRound *round) {
  for (int axis = 0; axis < 3; axis++)
    if (!made_knows_grid(x->check, axis) && made_names_axis(x, axis))
      made_assume(x, round,
                  arena_printf(x->check->arena, "gridDim.%c <= %d", "xyz"[axis],
                               BLOCKS_OF_MANY));
}

// One block along each axis that a kernel which nothing launches doesn't ask
// for. False: there is none, or nothing is open there.
static bool made_assume_idle(const MadeArgs *x, CheckRound *round) {
  bool is_any = false;
  for (int axis = 0; axis < 3 && made_is_guess(x); axis++) {
    if (made_knows_grid(x->check, axis) || made_names_axis(x, axis))
      continue;
    made_assume(x, round,
                arena_printf(x->check->arena, "gridDim.%c == 1", "xyz"[axis]));
    is_any = true;
  }
  return is_any;
}

static CheckRound made_base_round(const MadeArgs *x) {
  CheckRound round = *x->first;
  round.limits = x->check->limits;
  round.only_proofs = true;
  round.time_ms = MADE_TRY_MS;
  return round;
}

static CheckRound made_round(const MadeArgs *x, const MadeTrial *trial) {
  CheckRound round = made_base_round(x);
  for (uint32_t i = 0; i < x->rows.count; i++) {
    const CudaMade *row = &x->rows.data[i];
    int64_t value = made_value(x, i, trial);
    if (row->origin == CUDA_ORIGIN_GIVEN && !trial->is_all)
      continue;
    made_assume(
        x, &round,
        arena_printf(x->check->arena, "%s == %" PRId64, row->name, value));
  }
  made_assume_idle(x, &round);
  if (trial->is_all && (x->has_unseen || x->rows.count > 1))
    made_assume_grid(x, &round);
  return round;
}

// What is wrong for all values of all trials is left.
static void made_note(MadeArgs *x, const HdCheck *other, const MadeTrial *trial,
                      bool is_small) {
  for (uint32_t i = 0; i < x->check->findings.count; i++) {
    const Finding *finding = &x->check->report.findings.data[i];
    if (finding->verdict != VERDICT_BUG ||
        (is_small && finding->code != CODE_BOUNDS) ||
        !check_doubt_is_gone(x->check, i, other))
      continue;
    *(trial->is_odd ? &x->is_gone_odd[i] : &x->is_gone[i]) = true;
    if (!x->shown.value)
      x->shown = *trial;
  }
}

// The kernel's own conditions or the launch's facts may say what an argument
// is, or relate it to others so that nothing else is possible: NULL then, as
// where the time is over.
static HdCheck *made_ask(const MadeArgs *x, const CheckRound *round) {
  HdCheck *other;
  if (solve_is_behind(&x->first->end) ||
      check_try_proof(x->task, round, &other) != HD_OK)
    return NULL;
  if (other->was_checked && !check_is_impossible(other))
    return other;
  hd_check_free(other);
  return NULL;
}

// False: the trial is none.
static bool made_try(MadeArgs *x, MadeTrial trial, bool is_small) {
  CheckRound round = made_round(x, &trial);
  HdCheck *other = made_ask(x, &round);
  if (!other)
    return false;
  made_note(x, other, &trial, is_small);
  hd_check_free(other);
  return true;
}

static bool made_is_left(const MadeArgs *x, const bool *is_gone) {
  for (uint32_t i = 0; i < x->check->findings.count; i++)
    if (x->check->report.findings.data[i].verdict == VERDICT_BUG && !is_gone[i])
      return true;
  return false;
}

static bool made_has_all_values(const MadeArgs *x) {
  for (uint32_t i = 0; i < x->rows.count; i++)
    if (!x->rows.data[i].has_value &&
        x->rows.data[i].origin != CUDA_ORIGIN_GIVEN)
      return false;
  return true;
}

// Only numbers that other files pass: that two of them are mixed up is a bug,
// which is gone where they are equal.
static bool made_must_differ(const MadeArgs *x) {
  for (uint32_t i = 0; i < x->rows.count; i++)
    if (x->rows.data[i].origin > CUDA_ORIGIN_ASKED)
      return false;
  return x->is_launched && x->rows.count > 1;
}

// Bugs that are gone in a round are unknown, for this reason. False: none is.
static bool made_excuse(MadeArgs *x, const CheckRound *round,
                        const char *reason) {
  HdCheck *check = x->check, *other = made_ask(x, round);
  bool is_any = false;
  for (uint32_t i = 0; other && i < check->findings.count; i++) {
    Finding *finding = &check->report.findings.data[i];
    if (finding->verdict != VERDICT_BUG ||
        !check_doubt_is_gone(check, i, other))
      continue;
    finding->verdict = VERDICT_UNKNOWN;
    finding->reason.text = reason;
    is_any = true;
  }
  hd_check_free(other);
  return is_any;
}

// A loop around the launch changes what it passes: the first turn is one of
// those that there are.
static bool made_try_first(MadeArgs *x) {
  const CudaFacts *first = &x->check->first_turn;
  CheckRound round = made_base_round(x);
  for (uint32_t i = 0; i < first->count; i++)
    check_round_assume(x->check->arena, &round, first->data[i]);
  return first->count > 0 &&
         made_excuse(
             x, &round,
             "it is no bug in the first turn of the loop around the launch, "
             "and how the host computes what later turns pass isn't followed: "
             "state with --assume what holds");
}

// Products of large sizes may be more than there can be.
enum { LESS_BY = 16 };

// False: none is a trial.
static bool made_try_slopes(MadeArgs *x, bool is_odd) {
  const bool *is_gone = is_odd ? x->is_gone_odd : x->is_gone;
  bool is_any = false;
  for (MadeSlope slope = MADE_FALLS; slope <= MADE_RISES; slope++)
    for (int is_all = 1; is_all >= 0 && made_is_left(x, is_gone); is_all--) {
      MadeTrial trial = {x->many, slope, is_odd, is_all};
      if (made_try(x, trial, false)) {
        is_any = true;
        break;
      }
    }
  return is_any;
}

static void made_try_powers(MadeArgs *x) {
  bool is_asked = made_must_differ(x), has_values = made_has_all_values(x);
  for (int i = 0; i < 2 && !is_asked; i++) {
    if (i > 0)
      x->many /= LESS_BY;
    is_asked =
        made_try(x, (MadeTrial){x->many, MADE_LEVEL, false, true}, false) ||
        made_try(x, (MadeTrial){x->many, MADE_LEVEL, false, false}, false);
  }
  if (!has_values)
    made_try_slopes(x, false);
}

static void made_try_odd(MadeArgs *x) {
  x->was_odd_asked =
      !made_must_differ(x) &&
      made_try(x, (MadeTrial){x->many, MADE_LEVEL, true, true}, false);
  x->was_odd_asked |= made_try_slopes(x, true);
}

static void made_try_all(MadeArgs *x) {
  int64_t threads = x->many / BLOCKS_OF_MANY;
  made_try_powers(x);
  if (x->has_unseen) {
    made_try_odd(x);
  } else if (!made_has_all_values(x) && made_is_left(x, x->is_gone)) {
    made_try(x, (MadeTrial){threads, MADE_LEVEL, false, false}, true);
    made_try(x, (MadeTrial){1, MADE_LEVEL, false, false}, true);
  }
}

// ---------------------------------------------------------------- verdicts

// 'n' = 64 and 'm' = 1024
static const char *made_text(const MadeArgs *x) {
  Text text = {.arena = x->check->arena};
  uint32_t n = 0, n_told = 0;
  for (uint32_t i = 0; i < x->rows.count; i++)
    n += x->rows.data[i].origin != CUDA_ORIGIN_GIVEN;
  for (uint32_t i = 0; i < x->rows.count; i++) {
    const CudaMade *row = &x->rows.data[i];
    if (row->origin == CUDA_ORIGIN_GIVEN)
      continue;
    text_printf(&text, "%s'%s' = %" PRId64,
                n_told == 0      ? ""
                : n_told + 1 < n ? ", "
                                 : " and ",
                row->name, made_value(x, i, &x->shown));
    n_told++;
  }
  return arena_printf(
      x->check->arena,
      x->is_launched ? "it is a bug for some values, but not for %s, and how "
                       "the host computes %s isn't followed: state with "
                       "--assume what holds"
                     : "it is a bug for some values, but not for values like "
                       "%s, and no launch in the file says what %s: state "
                       "with --assume what holds",
      text_cstr(&text),
      x->is_launched ? n > 1 ? "them" : "it"
      : n > 1        ? "they are"
                     : "it is");
}

static bool made_apply(const MadeArgs *x) {
  HdCheck *check = x->check;
  bool is_any = false;
  for (uint32_t i = 0; i < check->findings.count; i++) {
    Finding *finding = &check->report.findings.data[i];
    if (finding->verdict != VERDICT_BUG || !x->is_gone[i] ||
        (x->was_odd_asked && !x->is_gone_odd[i]))
      continue;
    finding->verdict = VERDICT_UNKNOWN;
    finding->reason.text = made_text(x);
    is_any = true;
  }
  return is_any;
}

// ------------------------------------------------------------- single blocks

// A kernel that no launch in the file says anything of, and in which no thread
// asks for its block along an axis, was written for one block there. Its bugs
// that need a second one are none of such a launch.
static bool made_try_one_block(MadeArgs *x) {
  CheckRound round = made_base_round(x);
  return made_assume_idle(x, &round) &&
         made_excuse(
             x, &round,
             "it is a bug if there are several blocks, and no launch in the "
             "file says how many: state it with --grid, or --assume "
             "'gridDim.x == 1'");
}

HdStatus check_made(const CheckTask *task, const CheckRound *first,
                    HdCheck *check) {
  HD_ASSERT(check->ir);
  MadeArgs x = {.task = task, .first = first, .check = check};
  int64_t threads =
      (int64_t)check->block[0] * check->block[1] * check->block[2];
  made_find_rows(&x);
  if (made_try_one_block(&x))
    check_doubt_settle(task, check);
  if (!made_is_worth_it(&x))
    return HD_OK;
  x.many = threads * BLOCKS_OF_MANY;
  x.many = x.many > LEAST_MANY ? x.many : LEAST_MANY;
  x.is_gone = ARENA_ARRAY(check->arena, bool, check->findings.count + 1);
  x.is_gone_odd = ARENA_ARRAY(check->arena, bool, check->findings.count + 1);
  bool is_excused = made_try_first(&x);
  made_try_all(&x);
  if (made_apply(&x) || is_excused)
    check_doubt_settle(task, check);
  return HD_OK;
}
