// SPDX-License-Identifier: Apache-2.0
// Note [Guesses are doubted]
// Where nothing says how large the blocks of a CUDA kernel are, one size is
// guessed. A kernel that is wrong for it may be right for every size that it is
// ever launched with: that would be a false bug. So what is told as a bug is
// looked at again with other usual sizes. If it is proved for one of them, the
// bug is no more than a possible one, and the report names both sizes.
//
// Sizes that tiles of the kernel, launch bounds or conditions speak for are not
// doubted: the report names them as what is assumed.
#include "session/check_rounds.h"

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

static HdStatus ask(const Doubt *d, const Block block, HdCheck **out) {
  static const char *const names[] = {"block_dim_x", "block_dim_y",
                                      "block_dim_z"};
  const CheckTask *task = d->task;
  Arena *arena = d->check->arena;
  HdCheckOptions options = *task->options;
  options.no_search = 1;
  HdEmbed *embeds = ARENA_ARRAY(arena, HdEmbed, (size_t)task->n_embeds + 3);
  for (int i = 0; i < task->n_embeds; i++)
    embeds[i] = task->embeds[i];
  for (int i = 0; i < 3; i++)
    embeds[task->n_embeds + i] =
        (HdEmbed){names[i], arena_printf(arena, "%d", block[i])};
  CheckTask other = *task;
  other.embeds = embeds;
  other.n_embeds += 3;
  other.options = &options;
  CheckRound round = *d->first;
  round.only_proofs = true;
  round.time_ms = A_TRY_MS;
  return check_round(&other, &round, out);
}

static const char *block_text(Arena *arena, const int block[3]) {
  if (block[2] > 1)
    return arena_printf(arena, "%d x %d x %d", block[0], block[1], block[2]);
  return block[1] > 1 ? arena_printf(arena, "%d x %d", block[0], block[1])
                      : arena_printf(arena, "%d", block[0]);
}

static const char *array_of(const Finding *finding) {
  const IrNode *node = finding->node;
  const IrObject *object = node && ir_op_info(node)->form == FORM_ACCESS
                               ? node->u.access.object
                               : NULL;
  return object ? object->name : NULL;
}

// One finding stands for all of a line about an array (check/causes.c).
static bool is_same_array(const Finding *a, const Finding *b) {
  const char *x = array_of(a), *y = array_of(b);
  return x && y && strcmp(x, y) == 0;
}

static bool is_at(const HdFinding *finding, int line, int column,
                  bool any_column) {
  return (finding->line == line && (any_column || finding->column == column)) ||
         (finding->other_line == line &&
          (any_column || finding->other_column == column));
}

// A race is told of one pair of places where several race, so that one place
// that isn't proved will do. Overflow that no run shows is trusted not to
// happen: that it isn't told says nothing.
static bool is_doubtful(const HdCheck *check, uint32_t index,
                        const HdCheck *other) {
  const HdFinding *bug = &check->findings.data[index];
  if (strcmp(bug->code, "HD0704") == 0)
    return false;
  for (uint32_t i = 0; i < other->findings.count; i++) {
    const HdFinding *finding = &other->findings.data[i];
    bool is_same = is_same_array(&check->report.findings.data[index],
                                 &other->report.findings.data[i]);
    if (finding->verdict != HD_VERDICT_PROVED &&
        strcmp(finding->code, bug->code) == 0 &&
        (is_at(finding, bug->line, bug->column, is_same) ||
         (bug->other_line > 0 &&
          is_at(finding, bug->other_line, bug->other_column, is_same))))
      return false;
  }
  return true;
}

static bool apply(const Doubt *d, const HdCheck *other, const Block block) {
  HdCheck *check = d->check;
  Arena *arena = check->arena;
  bool is_any = false;
  for (uint32_t i = 0; i < check->findings.count; i++) {
    Finding *finding = &check->report.findings.data[i];
    if (finding->verdict != VERDICT_BUG || !is_doubtful(check, i, other))
      continue;
    finding->verdict = VERDICT_UNKNOWN;
    finding->reason = arena_printf(
        arena,
        "it is a bug in blocks of %s threads, which are a guess, and none in "
        "blocks of %s: --block says the size",
        block_text(arena, check->block), block_text(arena, block));
    is_any = true;
  }
  return is_any;
}

static void settle(const Doubt *d) {
  CheckReport *report = &d->check->report;
  report->verdict = VERDICT_UNKNOWN;
  for (uint32_t i = 0; i < report->findings.count; i++)
    if (report->findings.data[i].verdict == VERDICT_BUG)
      report->verdict = VERDICT_BUG;
  check_tell(d->task, d->check);
}

HdStatus check_doubt(const CheckTask *task, const CheckRound *first,
                     HdCheck *check) {
  Doubt d = {.task = task, .first = first, .check = check};
  d.row = cuda_find(task->program, task->kernel);
  if (check->block_source != HD_BLOCK_GUESS || !d.row || !d.row->is_any)
    return HD_OK;
  int n_dims = check->block[2] > 1 ? 3 : check->block[1] > 1 ? 2 : 1;
  bool is_any = false;
  for (int i = 0; i < N_SIZES && !solve_is_behind(&first->end); i++) {
    Block block;
    HdCheck *other;
    if (!make_block(&d, usual[n_dims - 1][i], block) ||
        ask(&d, block, &other) != HD_OK)
      continue;
    if (other->was_checked && !check_is_impossible(other))
      is_any |= apply(&d, other, block);
    hd_check_free(other);
  }
  if (is_any)
    settle(&d);
  return HD_OK;
}
