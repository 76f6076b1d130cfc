// SPDX-License-Identifier: Apache-2.0
// Note [Launches of a check]
// What isn't proved for all launches of a CUDA kernel is asked again of those
// that the file makes. Three rounds, each only if the one before leaves
// something open:
//
//   1. all launches with the block size; nothing is run yet
//   2. for each launch, with what it says (cu_facts.h): proved, or refuted by a
//      run that satisfies it, is the verdict
//   3. launches like it, of other sizes: constants are replaced by how they
//      relate (CudaLaunch.like). A run of the second round may not exist, as
//      constants are large; a bug that one shows here is one of this launch if
//      the second round leaves it open, too
//
// Where a launch passes pointers into one array, what is proved of pointers
// that don't overlap says nothing of it. So such launches are asked whatever
// the others say, those with another block, too, and those that the user's
// block or grid replaces (ask_joined): each with its own block or the given
// one. If one is worse, it is the verdict.
//
// A block that is a mere guess is doubted last: check_doubt.c.
//
// What is trusted is listed, and the lines are part of the verdict. Without
// launches there is one round, with all that it takes.
#include "verdict/check_rounds.h"

#include "base/panic.h"
#include "session/program_cuda.h"

#include <string.h>

// As a check's options have them.
#define DEFAULT_MS 10000u

enum { MOST_LAUNCHES = 4, LEAST_MS = 500 };

typedef struct {
  const CheckTask *task;
  const CudaKernel *row;
  CheckRound first;
  HdCheck *general;
  double used_ms;
  uint32_t asked[MOST_LAUNCHES]; // numbers of launches in the unit's list
  uint32_t n_asked;
} Rounds;

bool check_is_clean(const HdCheck *check) {
  for (uint32_t i = 0; i < check->report.findings.count; i++) {
    const Finding *finding = &check->report.findings.data[i];
    if (finding->verdict != VERDICT_PROVED && !finding->is_of_extent)
      return false;
  }
  return true;
}

static int check_rounds_count_open(const HdCheck *check) {
  int n = 0;
  for (uint32_t i = 0; i < check->report.findings.count; i++)
    n += check->report.findings.data[i].verdict != VERDICT_PROVED;
  return n;
}

bool check_is_impossible(const HdCheck *check) {
  for (uint32_t i = 0; i < check->findings.count; i++)
    if (strcmp(check->findings.data[i].code, diag_code(DIAG_no_launch)) == 0)
      return true;
  return false;
}

HdStatus check_try_proof(const CheckTask *task, const CheckRound *round,
                         HdCheck **out) {
  HdCheckOptions options = *task->options;
  options.no_search = 1;
  CheckTask only = *task;
  only.options = &options;
  return check_try(&only, round, out);
}

bool check_is_argument(const IrParam *param) {
  return param->kind == PARAM_SCALAR && ir_type_is_int(param->type) &&
         strcmp(param->name, "dynamic_shared_bytes") != 0 &&
         !strchr(param->name, '(');
}

// ----------------------------------------------------------------- limits

static bool has_param(const Rounds *r, const char *name) {
  const IndexKernel *index = program_index(r->task->program, r->task->kernel);
  for (uint32_t i = 0; index && i < index->n_params; i++)
    if (strcmp(index->params[i].name, name) == 0)
      return true;
  return false;
}

static bool is_given(const Rounds *r, unsigned size) {
  const SpecLimits *limits = &r->first.limits;
  for (uint32_t i = 0; i < limits->n_assumptions; i++)
    if (limits->assumptions[i].names & size)
      return true;
  return false;
}

static bool check_rounds_is_usable(const Rounds *r, const CudaFact *fact,
                                   bool has_grid) {
  if (fact->sets == CUDA_SIZE_SHARED)
    return has_param(r, "dynamic_shared_bytes") &&
           !is_given(r, CUDA_SIZE_SHARED);
  return !has_grid || !(fact->names & CUDA_SIZE_GRID);
}

void check_round_assume(Arena *arena, CheckRound *round, CudaFact fact) {
  HD_ASSERT(round->n_given <= round->limits.n_assumptions);
  SpecLimits *limits = &round->limits;
  CudaFact *all = ARENA_ARRAY(arena, CudaFact, limits->n_assumptions + 1);
  for (uint32_t i = 0; i < limits->n_assumptions; i++)
    all[i] = limits->assumptions[i];
  all[limits->n_assumptions++] = fact;
  limits->assumptions = all;
}

static CheckRound round_of(const Rounds *r, Arena *arena,
                           const CudaLaunch *launch, bool is_loose) {
  CheckRound out = r->first;
  SpecLimits *limits = &out.limits;
  const CudaFacts *facts = is_loose ? &launch->like : &launch->exact;
  if (!r->task->options->has_grid) {
    limits->has_grid = launch->has_grid && !is_loose;
    for (int i = 0; i < 3; i++)
      limits->grid[i] = launch->grid[i];
  }
  for (uint32_t i = 0; i < facts->count; i++)
    if (check_rounds_is_usable(r, &facts->data[i], limits->has_grid))
      check_round_assume(arena, &out, facts->data[i]);
  out.only_proofs = false;
  out.shared = launch->shared;
  out.overlapping = launch->overlapping;
  return out;
}

static uint32_t limit_ms(const CheckTask *task) {
  uint32_t limit = task->options->time_limit_ms;
  return limit ? limit : DEFAULT_MS;
}

static bool check_rounds_is_over(const Rounds *r) {
  return solve_is_behind(&r->first.end);
}

static uint32_t time_left(const Rounds *r) {
  double left = limit_ms(r->task) - r->used_ms;
  return left < LEAST_MS ? LEAST_MS : (uint32_t)left;
}

static HdStatus run_round(Rounds *r, CheckRound *round, HdCheck **out) {
  round->time_ms = time_left(r);
  HdStatus status = check_round(r->task, round, out);
  if (status == HD_OK)
    r->used_ms += (*out)->report.time_ms;
  return status;
}

// ------------------------------------------------------------------ rounds

// A race has two places, whichever comes first; of one place it has one.
static bool check_rounds_is_same_place(const HdFinding *a, const HdFinding *b) {
  bool has_two = b->other_line > 0;
  int line = has_two ? b->other_line : b->line;
  int column = has_two ? b->other_column : b->column;
  int a_line = a->other_line > 0 ? a->other_line : a->line;
  int a_column = a->other_line > 0 ? a->other_column : a->column;
  bool is_same = a->line == b->line && a->column == b->column &&
                 a_line == line && a_column == column;
  bool is_swapped = a->line == line && a->column == column &&
                    a_line == b->line && a_column == b->column;
  return strcmp(a->code, b->code) == 0 && (is_same || is_swapped);
}

// The bug stands at the same places as one that isn't proved in `check`.
static bool leaves_open(const HdCheck *check, const HdFinding *bug) {
  for (uint32_t i = 0; i < check->findings.count; i++)
    if (check->findings.data[i].verdict != HD_VERDICT_PROVED &&
        check_rounds_is_same_place(&check->findings.data[i], bug))
      return true;
  return false;
}

// Every bug of `like` is open in `strict`, too.
static bool is_confirmed(const HdCheck *strict, const HdCheck *like) {
  for (uint32_t i = 0; i < like->findings.count; i++)
    if (like->findings.data[i].verdict == HD_VERDICT_BUG &&
        !leaves_open(strict, &like->findings.data[i]))
      return false;
  return like->verdict == HD_VERDICT_BUG;
}

static HdStatus ask_like(Rounds *r, const CudaLaunch *launch, HdCheck **check) {
  HdCheck *like = NULL;
  if (check_rounds_is_over(r))
    return HD_OK;
  CheckRound round = round_of(r, (*check)->arena, launch, true);
  HD_TRY(run_round(r, &round, &like));
  HdCheck *other = like;
  if (is_confirmed(*check, like)) {
    other = *check;
    *check = like;
  }
  hd_check_free(other);
  return HD_OK;
}

static void rounds_note_made(HdCheck *check, const CudaLaunch *launch) {
  check->made = launch->made;
  check->n_made = launch->n_made;
  check->first_turn = launch->first;
}

static HdStatus ask_launch(Rounds *r, const CudaLaunch *launch, HdCheck **out) {
  CheckRound round = round_of(r, r->general->arena, launch, false);
  if (round.limits.n_assumptions == round.n_given && !round.limits.has_grid &&
      !round.shared && !round.overlapping)
    return HD_OK;
  HD_TRY(run_round(r, &round, out));
  if (!(*out)->was_checked || check_is_impossible(*out)) {
    hd_check_free(*out);
    *out = NULL;
    return HD_OK;
  }
  if ((*out)->verdict == HD_VERDICT_UNKNOWN && !check_is_clean(*out) &&
      !r->task->options->no_search)
    HD_TRY(ask_like(r, launch, out));
  rounds_note_made(*out, launch);
  return HD_OK;
}

static int rank(const HdCheck *check) {
  if (check->verdict == HD_VERDICT_BUG)
    return 3;
  if (check->verdict == HD_VERDICT_PROVED)
    return 0;
  return check_is_clean(check) ? 1 : 2;
}

// ----------------------------------------------------------------- results

static const char *facts_text(Arena *arena, int line,
                              const CudaLaunch *launch) {
  Text text = {.arena = arena};
  text_printf(&text, "the launch of line %d", line);
  for (uint32_t i = 0; i < launch->shown.count; i++)
    text_printf(&text, "%s%s", i ? ", " : ": ", launch->shown.data[i].text);
  return text_cstr(&text);
}

static const char *otherwise_text(const HdCheck *check,
                                  const HdCheck *general) {
  const HdFinding *first = NULL;
  for (uint32_t i = 0; i < general->findings.count && !first; i++)
    if (general->findings.data[i].verdict != HD_VERDICT_PROVED &&
        !general->report.findings.data[i].is_of_extent)
      first = &general->findings.data[i];
  if (!first || check->verdict == HD_VERDICT_BUG)
    return NULL;
  return arena_printf(check->arena, "line %d: %s", first->line, first->message);
}

static int check_rounds_line_of(const Rounds *r, const CudaLaunch *launch) {
  return (int)source_place(r->task->program->source, launch->span).line;
}

// Takes `general` or `found`, frees the other. `is_other`: what is said of all
// launches doesn't hold of the one found, whose pointers overlap.
static HdCheck *check_rounds_choose(HdCheck *general, HdCheck *found,
                                    bool is_other) {
  bool is_better = found && (is_other || rank(found) < rank(general) ||
                             found->verdict == HD_VERDICT_BUG ||
                             check_rounds_count_open(found) <
                                 check_rounds_count_open(general));
  HdCheck *chosen = is_better ? found : general;
  if (is_better)
    found->otherwise = otherwise_text(found, general);
  hd_check_free(is_better ? general : found);
  return chosen;
}

static void list_launches(const Rounds *r, HdCheck *check,
                          const CudaLaunch *launches, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    int line = check_rounds_line_of(r, &launches[i]);
    VEC_PUSH(check->arena, &check->launch_lines, line);
    VEC_PUSH(check->arena, &check->report.trusted,
             facts_text(check->arena, line, &launches[i]));
  }
}

// The first round again, with runs.
static HdStatus ask_all(Rounds *r, HdCheck **out) {
  CheckRound round = r->first;
  round.only_proofs = false;
  if (check_rounds_is_over(r)) {
    *out = r->general;
    return HD_OK;
  }
  HD_TRY(run_round(r, &round, out));
  hd_check_free(r->general);
  return HD_OK;
}

// Of all launches, where this one says nothing, or is asked too late.
static HdStatus ask_instead(Rounds *r, const CudaLaunch *launch,
                            HdCheck **out) {
  HD_TRY(ask_all(r, out));
  rounds_note_made(*out, launch);
  return HD_OK;
}

// Pointers of it may lead into one array.
static bool is_joined(const CudaLaunch *launch) {
  return launch->shared || launch->overlapping;
}

// The worst of the launches is the verdict about them. Where all launches are
// proved, those that give one pointer twice are none of them: only these are
// asked, all of them.
static HdStatus ask_launches(Rounds *r, HdCheck **out) {
  CudaLaunch launches[MOST_LAUNCHES];
  uint32_t n = 0, block[3];
  bool is_other = false, is_refuted = false;
  bool is_proved = r->general->verdict == HD_VERDICT_PROVED;
  HdCheck *worst = NULL;
  for (int i = 0; i < 3; i++)
    block[i] = (uint32_t)r->general->block[i];
  for (uint32_t i = 0; i < r->row->n_launches && n < MOST_LAUNCHES; i++) {
    HdCheck *check = NULL;
    if (!cuda_launch_told(cuda_unit(r->task->program), r->row, block, i,
                          &launches[n]))
      continue;
    if (is_proved && !is_joined(&launches[n]))
      continue;
    bool is_late = check_rounds_is_over(r) && !is_joined(&launches[n]);
    HdStatus status = is_late ? HD_OK : ask_launch(r, &launches[n], &check);
    if (status == HD_OK && !check && is_proved) // no launch
      continue;
    if (status == HD_OK && !check && r->row->is_guess) { // none of that size
      is_refuted = true;
      continue;
    }
    if (status != HD_OK || !check) {
      hd_check_free(worst);
      return status == HD_OK ? ask_instead(r, &launches[n], out) : status;
    }
    is_other |= is_joined(&launches[n]);
    r->asked[r->n_asked++] = r->row->launches[i];
    n++;
    bool is_worse = !worst || rank(check) > rank(worst);
    hd_check_free(is_worse ? worst : check);
    worst = is_worse ? check : worst;
  }
  if (worst && is_refuted && worst->verdict == HD_VERDICT_PROVED) {
    hd_check_free(worst); // of the others nothing is known
    worst = NULL;
  }
  if (!worst && is_proved)
    return HD_OK;
  if (!worst)
    return ask_all(r, out);
  *out = check_rounds_choose(r->general, worst, is_other);
  if (*out == worst)
    list_launches(r, worst, launches, n);
  (*out)->report.time_ms = r->used_ms;
  return HD_OK;
}

static void set_given(const CheckTask *task, Arena *arena, CheckRound *round) {
  const HdCheckOptions *options = task->options;
  SpecLimits *limits = &round->limits;
  limits->has_grid = options->has_grid != 0;
  memcpy(limits->grid, options->grid, sizeof limits->grid);
  const char *const *given = options->assumptions;
  for (uint32_t i = 0; given && given[i]; i++)
    check_round_assume(arena, round, cuda_fact(given[i]));
  round->n_given = limits->n_assumptions;
  round->end = solve_end_in(limit_ms(task), &(SolveEnd){0});
}

// ---------------------------------------------------------- joined launches

static void show_joins(Arena *arena, const CudaLaunch *launch,
                       CudaFacts *facts) {
  hd_vec(CudaFact) shown = {0};
  const char *const *same = launch->shared, *const *other = launch->overlapping;
  for (uint32_t i = 0; i < facts->count; i++)
    VEC_PUSH(arena, &shown, facts->data[i]);
  if (launch->has_grid)
    VEC_PUSH(arena, &shown, cuda_fact("gridDim == 1"));
  for (; same && same[0]; same += 2)
    VEC_PUSH(arena, &shown,
             cuda_fact(arena_printf(arena, "%s == %s", same[1], same[0])));
  for (; other && other[0]; other += 2)
    VEC_PUSH(arena, &shown,
             cuda_fact(
                 arena_printf(arena, "%s may overlap %s", other[1], other[0])));
  *facts = (CudaFacts){shown.data, shown.count};
}

// How its pointers share arrays, and nothing else.
static CudaLaunch only_joins(Arena *arena, const CudaLaunch *launch) {
  CudaLaunch joins = {.span = launch->span,
                      .shared = launch->shared,
                      .overlapping = launch->overlapping};
  show_joins(arena, &joins, &joins.shown);
  return joins;
}

static void leave_grid(Arena *arena, CudaFacts *facts) {
  hd_vec(CudaFact) kept = {0};
  for (uint32_t i = 0; i < facts->count; i++)
    if (!(facts->data[i].names & CUDA_SIZE_GRID))
      VEC_PUSH(arena, &kept, facts->data[i]);
  *facts = (CudaFacts){kept.data, kept.count};
}

static bool has_own_block(const CudaLaunch *launch) {
  return launch->block[0] && launch->block[1] && launch->block[2];
}

static bool has_other_block(const CudaLaunch *launch, const int block[3]) {
  for (int i = 0; i < 3; i++)
    if (launch->block[i] && launch->block[i] != (uint32_t)block[i])
      return true;
  return false;
}

static bool has_one_block(const CudaLaunch *launch) {
  return launch->has_grid && launch->grid[0] == 1 && launch->grid[1] == 1 &&
         launch->grid[2] == 1;
}

// Sizes count with the block and the grid that they go with: with others it is
// a launch like it. That there is one block may stand.
static void fit_sizes(const Rounds *r, Arena *arena, const int block[3],
                      CudaLaunch *launch) {
  bool is_given = r->task->options->has_grid;
  if (!is_given && !has_other_block(launch, block))
    return;
  leave_grid(arena, &launch->like);
  launch->exact = launch->shown = launch->like;
  launch->has_grid = !is_given && has_one_block(launch);
  show_joins(arena, launch, &launch->shown);
}

static bool was_asked(const Rounds *r, uint32_t number) {
  for (uint32_t i = 0; i < r->n_asked; i++)
    if (r->asked[i] == number)
      return true;
  return false;
}

// What the launch says may contradict what the user does: then its pointers
// alone count. NULL in *out: it can't be checked.
static HdStatus ask_one_joined(Rounds *r, CudaLaunch *launch, HdCheck **out) {
  HD_TRY(ask_launch(r, launch, out));
  if (*out)
    return HD_OK;
  *launch = only_joins(r->general->arena, launch);
  return ask_launch(r, launch, out);
}

// The worse one of *out and `check`, which names the launch.
static void take_joined(const Rounds *r, const CudaLaunch *launch,
                        HdCheck *check, HdCheck **out) {
  if (rank(check) > rank(*out)) {
    list_launches(r, check, launch, 1);
    hd_check_free(*out);
    *out = check;
    return;
  }
  VEC_PUSH((*out)->arena, &(*out)->report.trusted,
           facts_text((*out)->arena, check_rounds_line_of(r, launch), launch));
  hd_check_free(check);
}

// Of one launch: with its own block, if the user gives none. *task becomes what
// was asked for *out.
static HdStatus ask_number(Rounds *r, uint32_t number, CheckTask *task,
                           HdCheck **out) {
  DiagEngine *diags = task->program->diags;
  CheckTask asked = *task;
  HdCheck *check = NULL;
  CudaLaunch launch;
  uint32_t block[3];
  for (int i = 0; i < 3; i++)
    block[i] = (uint32_t)(*out)->block[i];
  if (!cuda_any_launch_told(cuda_unit(task->program), r->row, block, number,
                            &launch) ||
      !is_joined(&launch))
    return HD_OK;
  bool is_own = (*out)->block_source != HD_BLOCK_GIVEN &&
                has_own_block(&launch) &&
                has_other_block(&launch, (*out)->block);
  const int own[3] = {(int)launch.block[0], (int)launch.block[1],
                      (int)launch.block[2]};
  if (is_own)
    asked = check_task_with(task, task->program->arena, own);
  r->general = *out;
  fit_sizes(r, (*out)->arena, is_own ? own : (*out)->block, &launch);
  r->task = &asked;
  uint32_t before = diag_round(diags);
  HdStatus status = ask_one_joined(r, &launch, &check);
  r->task = task;
  if (!check || rank(check) <= rank(*out)) // it isn't told
    diag_withdraw(diags, before, diag_round(diags));
  if (status != HD_OK || !check)
    return status;
  if (is_own)
    check->block_source = HD_BLOCK_LAUNCH;
  if (rank(check) > rank(*out))
    *task = asked;
  take_joined(r, &launch, check, out);
  (*out)->report.time_ms = r->used_ms;
  return HD_OK;
}

// All that weren't asked yet. Where the time is over, the next one is open and
// so are all of them.
static HdStatus ask_joined(Rounds *r, CheckTask *task, HdCheck **out) {
  for (uint32_t i = 0; i < r->row->n_all; i++) {
    bool is_open =
        (*out)->verdict == HD_VERDICT_UNKNOWN && check_rounds_is_over(r);
    if ((*out)->verdict == HD_VERDICT_BUG || is_open)
      return HD_OK;
    if (!was_asked(r, r->row->all[i]))
      HD_TRY(ask_number(r, r->row->all[i], task, out));
  }
  return HD_OK;
}

// -------------------------------------------------------------- all rounds

// A block that the user gives is another one than that of launches, but for
// those whose block isn't constant.
static bool may_have_block(const CheckTask *task, const CudaKernel *row) {
  return row->is_guess || row->is_bound ||
         cuda_block_source(task->program, task->kernel, task->embeds,
                           task->n_embeds) != HD_BLOCK_GIVEN;
}

static HdStatus ask_rounds(CheckTask *task, const CheckRound *first,
                           HdCheck **out) {
  Rounds r = {.task = task, .first = *first};
  const HdProgram *program = task->program;
  bool is_cuda = cuda_unit(program) && !program->is_broken;
  r.row = is_cuda ? cuda_find(program, task->kernel) : NULL;
  if (is_cuda) // doubts about bugs have the rest
    r.first.end = solve_end_in(limit_ms(task) / 8 * 7, &first->end);
  bool uses_launches =
      r.row && task->options->use_launches && !task->options->rules_only;
  bool has_launches = uses_launches && r.row->n_launches > 0 &&
                      !task->options->has_grid && may_have_block(task, r.row);
  r.first.only_proofs = has_launches;
  CheckRound general = r.first;
  if (has_launches) // they have the rest
    general.end = solve_end_in(limit_ms(task) / 2, &r.first.end);
  HD_TRY(check_round(task, &general, &r.general));
  r.used_ms = r.general->report.time_ms;
  *out = r.general;
  if (!uses_launches || !r.general->was_checked ||
      check_is_impossible(r.general))
    return HD_OK;
  if (has_launches)
    HD_TRY(ask_launches(&r, out));
  return ask_joined(&r, task, out);
}

// `arena` has what the first round is given.
static HdStatus check_in(const CheckTask *asked, Arena *arena, HdCheck **out) {
  CheckTask task = *asked;
  CheckRound first = {0};
  set_given(&task, arena, &first);
  first.before = diag_round(task.program->diags);
  HD_TRY(ask_rounds(&task, &first, out));
  first.shared = (*out)->shared;
  first.overlapping = (*out)->overlapping;
  HD_TRY(check_guess_again(&task, &first, out));
  bool is_open = (*out)->verdict == HD_VERDICT_BUG && (*out)->was_checked &&
                 cuda_unit(task.program);
  if (is_open)
    HD_TRY(check_doubt(&task, &first, *out));
  if (is_open && (*out)->verdict == HD_VERDICT_BUG) // not told undoubted
    first.end = solve_end_in(limit_ms(&task) / 4, &(SolveEnd){0});
  if (is_open && (*out)->verdict == HD_VERDICT_BUG)
    HD_TRY(check_made(&task, &first, *out));
  if (is_open && (*out)->verdict == HD_VERDICT_BUG)
    HD_TRY(check_free(&task, &first, *out));
  if (is_open && (*out)->verdict == HD_VERDICT_BUG)
    check_find_excuse(&task, &first, *out);
  check_apart(&task, *out);
  return HD_OK;
}

HdStatus check_rounds(const CheckTask *asked, HdCheck **out) {
  Arena *arena = arena_new();
  HdStatus status = check_in(asked, arena, out);
  arena_free(arena);
  return status;
}
