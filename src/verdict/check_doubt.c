// SPDX-License-Identifier: Apache-2.0
// Note [Guesses are doubted]
// Where nothing says how large the blocks of a CUDA kernel are, one size is
// guessed. A kernel that is wrong for it may be right for every size that it is
// ever launched with: that would be a false bug. So what is told as a bug is
// looked at again with other usual sizes. If it is proved for one of them, the
// bug is no more than a possible one, and the report names both sizes.
//
// A size that a tile of the kernel or a condition speaks for, and that the
// kernel multiplies blockIdx by, isn't doubted, nor are launch bounds: the
// report names them as what is assumed. Where the file launches the kernel with
// blocks that nobody understands, a guess never makes a bug.
#include "verdict/check_rounds.h"

#include "base/panic.h"
#include "check/report/finding.h"
#include "session/program_cuda.h"

#include <string.h>

enum { N_SIZES = 3, A_TRY_MS = 500 };

typedef struct {
  const CheckTask *task;
  const CheckRound *first;
  const CudaKernel *row;
  HdCheck *check;
} Doubt;

typedef int Block[3];

static const Block usual[3][N_SIZES] = {
    {{128, 1, 1}, {32, 1, 1}, {512, 1, 1}},
    {{8, 8, 1}, {32, 8, 1}, {32, 32, 1}},
    {{4, 4, 4}, {8, 8, 1}, {8, 8, 8}},
};

// What a launch says stays. False: it is the guess itself, or too large.
static bool make_block(const Doubt *d, const Block from, Block to) {
  for (int i = 0; i < 3; i++)
    to[i] = d->row->fixed[i] ? (int)d->row->fixed[i] : from[i];
  return memcmp(to, d->check->block, sizeof(Block)) != 0 &&
         to[0] * to[1] * to[2] <= 1024;
}

CheckTask check_task_with(const CheckTask *task, Arena *arena,
                          const int block[3]) {
  HD_ASSERT(block[0] > 0 && block[1] > 0 && block[2] > 0);
  HdEmbed *embeds = ARENA_ARRAY(arena, HdEmbed, (size_t)task->n_embeds + 3);
  int n = 0;
  for (int i = 0; i < task->n_embeds; i++)
    if (!cuda_is_block_param(task->embeds[i].name))
      embeds[n++] = task->embeds[i];
  for (int i = 0; i < 3; i++)
    embeds[n++] =
        (HdEmbed){cuda_block_param(i), arena_printf(arena, "%d", block[i])};
  CheckTask other = *task;
  other.embeds = embeds;
  other.n_embeds = n;
  return other;
}

static HdStatus check_doubt_ask(const Doubt *d, const Block block,
                                HdCheck **out) {
  CheckTask other = check_task_with(d->task, d->check->arena, block);
  CheckRound round = *d->first;
  round.only_proofs = true;
  round.time_ms = A_TRY_MS;
  return check_try_proof(&other, &round, out);
}

static const char *check_doubt_block_text(Arena *arena, const int block[3]) {
  if (block[2] > 1)
    return arena_printf(arena, "%d x %d x %d", block[0], block[1], block[2]);
  return block[1] > 1 ? arena_printf(arena, "%d x %d", block[0], block[1])
                      : arena_printf(arena, "%d", block[0]);
}

static const char *check_doubt_array_of(const Finding *finding) {
  const IrNode *node = finding->node;
  const IrObject *object = node && ir_op_info(node)->form == FORM_ACCESS
                               ? node->u.access.object
                               : NULL;
  return object ? object->name : NULL;
}

// One finding stands for all of a line about an array (check/causes.c).
static bool is_same_array(const Finding *a, const Finding *b) {
  const char *x = check_doubt_array_of(a), *y = check_doubt_array_of(b);
  return x && y && strcmp(x, y) == 0;
}

static bool check_doubt_is_at(const HdFinding *finding, int line, int column,
                              bool any_column) {
  return (finding->line == line && (any_column || finding->column == column)) ||
         (finding->other_line == line &&
          (any_column || finding->other_column == column));
}

// It didn't get to the end: what isn't told may be wrong.
static bool check_doubt_is_cut(const HdCheck *other) {
  for (uint32_t i = 0; i < other->report.findings.count; i++)
    if (other->report.findings.data[i].code == CODE_NOT_CHECKED)
      return true;
  return false;
}

// A race is told of one pair of places where several race, so that one place
// that isn't proved will do. Overflow that no run shows is trusted not to
// happen: that it isn't told says nothing.
bool check_doubt_is_gone(const HdCheck *check, uint32_t index,
                         const HdCheck *other) {
  const HdFinding *bug = &check->findings.data[index];
  if (check->report.findings.data[index].code == CODE_OVERFLOW ||
      check_doubt_is_cut(other))
    return false;
  for (uint32_t i = 0; i < other->findings.count; i++) {
    const HdFinding *finding = &other->findings.data[i];
    bool is_same = is_same_array(&check->report.findings.data[index],
                                 &other->report.findings.data[i]);
    if (finding->verdict != HD_VERDICT_PROVED &&
        strcmp(finding->code, bug->code) == 0 &&
        (check_doubt_is_at(finding, bug->line, bug->column, is_same) ||
         (bug->other_line > 0 &&
          check_doubt_is_at(finding, bug->other_line, bug->other_column,
                            is_same))))
      return false;
  }
  return true;
}

static bool check_doubt_apply(const Doubt *d, const HdCheck *other,
                              const Block block) {
  HdCheck *check = d->check;
  Arena *arena = check->arena;
  bool is_any = false;
  for (uint32_t i = 0; i < check->findings.count; i++) {
    Finding *finding = &check->report.findings.data[i];
    if (finding->verdict != VERDICT_BUG ||
        !check_doubt_is_gone(check, i, other))
      continue;
    finding->verdict = VERDICT_UNKNOWN;
    finding->reason.text = arena_printf(
        arena,
        "it is a bug with blocks of %s threads, which are a guess, but not "
        "with blocks of %s: give the size with --block",
        check_doubt_block_text(arena, check->block),
        check_doubt_block_text(arena, block));
    is_any = true;
  }
  return is_any;
}

void check_doubt_settle(const CheckTask *task, HdCheck *check) {
  CheckReport *report = &check->report;
  report->verdict = VERDICT_UNKNOWN;
  for (uint32_t i = 0; i < report->findings.count; i++)
    if (report->findings.data[i].verdict == VERDICT_BUG)
      report->verdict = VERDICT_BUG;
  check_tell(task, check);
}

// ---------------------------------------------------------------- launches

static bool says_block(const CudaLaunch *launch, int axis) {
  for (uint32_t i = 0; i < launch->exact.count; i++)
    if (launch->exact.data[i].names & (unsigned)CUDA_SIZE_BLOCK_X << axis)
      return true;
  return false;
}

// The file launches the kernel, and of no launch it is known how large its
// blocks are.
static bool is_unread(const Doubt *d) {
  const CudaKernel *row = d->row;
  uint32_t block[3];
  for (int i = 0; i < 3; i++)
    block[i] = (uint32_t)d->check->block[i];
  for (uint32_t i = 0; i < row->n_launches; i++) {
    CudaLaunch launch;
    bool is_read =
        cuda_launch_told(cuda_unit(d->task->program), row, block, i, &launch);
    for (int axis = 0; axis < 3 && is_read; axis++)
      is_read = row->fixed[axis] > 0 || says_block(&launch, axis);
    if (is_read)
      return false;
  }
  return row->n_launches > 0 && !row->is_first;
}

// The file launches the kernel, but never with what makes the bug: none of its
// launches can have blocks as large as the guess.
static bool is_of_no_launch(const Doubt *d) {
  const HdCheckOptions *options = d->task->options;
  return d->row->n_launches > 0 && options->use_launches &&
         !options->has_grid && d->check->launch_lines.count == 0;
}

// Of a size that the kernel says, not its launch.
static bool is_fixed_shared(const IrObject *object) {
  return object && object->space == SPACE_SHARED && object->rank > 0 &&
         object->extents[0] && object->extents[0]->op == HOST_CONST;
}

// A shared array that its threads leave: they are more than it is made for.
static const char *too_small(const HdCheck *check) {
  for (uint32_t i = 0; i < check->report.findings.count; i++) {
    const Finding *finding = &check->report.findings.data[i];
    const IrNode *node = finding->node;
    if (finding->verdict == VERDICT_BUG && finding->code == CODE_BOUNDS &&
        node && ir_op_info(node)->form == FORM_ACCESS &&
        is_fixed_shared(node->u.access.object))
      return node->u.access.object->name ? node->u.access.object->name : "";
  }
  return NULL;
}

// How many elements the file's array has that a bug leaves, if it may be one
// for each thread of a block: a table in constant memory, say. 0: there is
// none.
static int fitting_threads(const HdCheck *check) {
  for (uint32_t i = 0; i < check->report.findings.count; i++) {
    const Finding *finding = &check->report.findings.data[i];
    const IrNode *node = finding->node;
    const IrObject *object = node && ir_op_info(node)->form == FORM_ACCESS
                                 ? node->u.access.object
                                 : NULL;
    if (finding->verdict == VERDICT_BUG && object && object->param < 0 &&
        finding->code == CODE_BOUNDS &&
        (object->space == SPACE_CONSTANT || object->space == SPACE_GLOBAL) &&
        object->rank == 1 && object->extents[0] &&
        object->extents[0]->op == HOST_CONST &&
        object->extents[0]->number <= 1024)
      return (int)object->extents[0]->number;
  }
  return 0;
}

static void doubt_all(const Doubt *d, const char *why) {
  HdCheck *check = d->check;
  for (uint32_t i = 0; i < check->findings.count; i++) {
    Finding *finding = &check->report.findings.data[i];
    if (finding->verdict != VERDICT_BUG)
      continue;
    finding->verdict = VERDICT_UNKNOWN;
    finding->reason.text = arena_printf(
        check->arena,
        "it is a bug with blocks of %s threads, which are a guess: "
        "%s; give the size with --block",
        check_doubt_block_text(check->arena, check->block), why);
  }
  check_doubt_settle(d->task, check);
}

static int n_dims_of(const HdCheck *check) {
  return check->block[2] > 1 ? 3 : check->block[1] > 1 ? 2 : 1;
}

static bool is_refused(const HdCheck *check) {
  return !check->was_checked && check->verdict == HD_VERDICT_BUG;
}

// Another size for a guess that is refused: the first that isn't, else NULL.
static HdStatus try_others(const Doubt *d, HdCheck **found, Block block) {
  DiagEngine *diags = d->task->program->diags;
  *found = NULL;
  for (int i = 0; i < N_SIZES && !solve_is_behind(&d->first->end); i++) {
    uint32_t before = diag_round(diags);
    HdCheck *other = NULL;
    if (!make_block(d, usual[n_dims_of(d->check) - 1][i], block))
      continue;
    CheckTask again = check_task_with(d->task, d->check->arena, block);
    HD_TRY(check_round(&again, d->first, &other));
    if (other->was_checked ||
        (d->task->options->rules_only && !is_refused(other))) {
      other->block_source = HD_BLOCK_GUESS;
      *found = other;
      return HD_OK;
    }
    hd_check_free(other);
    diag_withdraw(diags, before, diag_round(diags));
  }
  return HD_OK;
}

HdStatus check_guess_again(CheckTask *task, const CheckRound *first,
                           HdCheck **check) {
  Doubt d = {.task = task, .first = first, .check = *check};
  bool is_cuda = cuda_unit(task->program) && !task->program->is_broken;
  d.row = is_cuda ? cuda_find(task->program, task->kernel) : NULL;
  if (!d.row || !is_refused(*check) ||
      cuda_block_source(task->program, task->kernel, task->embeds,
                        task->n_embeds) != HD_BLOCK_GUESS)
    return HD_OK;
  for (int i = 0; i < 3; i++)
    (*check)->block[i] = (int)d.row->block[i];
  uint32_t refused = diag_round(task->program->diags);
  HdCheck *other;
  Block block;
  HD_TRY(try_others(&d, &other, block));
  if (!other)
    return HD_OK;
  diag_withdraw(task->program->diags, first->before, refused);
  hd_check_free(*check);
  *check = other;
  *task = check_task_with(task, other->arena, block);
  return HD_OK;
}

HdStatus check_doubt(const CheckTask *task, const CheckRound *first,
                     HdCheck *check) {
  Doubt d = {.task = task, .first = first, .check = check};
  d.row = cuda_find(task->program, task->kernel);
  if (check->block_source != HD_BLOCK_GUESS || !d.row)
    return HD_OK;
  if (is_unread(&d)) {
    doubt_all(&d, "the block sizes of the launches in the file are unknown");
    return HD_OK;
  }
  if (is_of_no_launch(&d)) {
    doubt_all(&d, "the file has no launch with that size");
    return HD_OK;
  }
  if (d.row->is_shown)
    return HD_OK;
  const char *array = too_small(check);
  int n_dims = n_dims_of(check), fitting = fitting_threads(check);
  bool is_any = false, is_only = true;
  for (int i = 0; i <= N_SIZES && !solve_is_behind(&first->end); i++) {
    const Block of_array = {fitting, 1, 1};
    Block block;
    HdCheck *other;
    if (i == N_SIZES && (n_dims > 1 || fitting == 0))
      break;
    if (!make_block(&d, i < N_SIZES ? usual[n_dims - 1][i] : of_array, block) ||
        check_doubt_ask(&d, block, &other) != HD_OK)
      continue;
    if (other->was_checked && !check_is_impossible(other)) {
      is_any |= check_doubt_apply(&d, other, block);
      is_only = false;
    }
    hd_check_free(other);
  }
  bool is_late = solve_is_behind(&first->end); // others were not all asked
  if (array && (!is_only || is_late))
    doubt_all(&d,
              arena_printf(check->arena, "'%s' isn't made for so many", array));
  else if (is_any)
    check_doubt_settle(task, check);
  return HD_OK;
}
