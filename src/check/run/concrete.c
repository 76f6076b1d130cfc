// SPDX-License-Identifier: Apache-2.0
#include "check/run/concrete.h"
#include "base/panic.h"
#include "check/run/detect.h"
#include "check/run/trial.h"
#include <string.h>

enum {
  MOST_CELL_LOG2 = 4,
  COMPARED_A_STEP = 4,
  JOINED_A_STEP = 64,
  FILLED_A_STEP = 8
};

static const uint64_t default_steps = 2 * 1000 * 1000;

static uint32_t smaller_log2(uint32_t log2, uint64_t bytes) {
  while (bytes & ((UINT64_C(1) << log2) - 1))
    log2--;
  return log2;
}

static bool find_cell(IrNode *node, void *context) {
  uint32_t *log2 = context;
  if (ir_op_info(node)->form == FORM_SECTION)
    *log2 = smaller_log2(*log2, node->u.section.object->element_bytes);
  if (ir_op_info(node)->form != FORM_ACCESS)
    return true;
  const IrAccess *access = &node->u.access;
  if (access->object && access->object->space == SPACE_LOCAL)
    return true;
  *log2 = smaller_log2(*log2, access->offset_bytes);
  if (access->align_bytes) // vectors and structs may lie at their alignment
    *log2 = smaller_log2(*log2, access->align_bytes);
  if (access->object)
    *log2 = smaller_log2(*log2, access->object->element_bytes);
  return true;
}

// Bytes that are always accessed together, as far as the program tells; the
// size of an access is looked at when it happens.
static uint32_t cell_log2(const IrKernel *kernel) {
  uint32_t log2 = MOST_CELL_LOG2;
  ir_walk((IrRegion *)(uintptr_t)&kernel->body, find_cell, &log2);
  return log2;
}

// False: cells must be smaller.
static bool run_trial(Arena *arena, const Trial *trial, uint32_t log2,
                      ConcreteResult *result) {
  Detect detect;
  Arena *scratch = arena_new();
  detect_begin(&detect, arena, trial->kernel, trial, log2, result);
  detect.owner_strict = trial->given->owner_strict;
  detect.trusts_overflow = trial->given->trusts_overflow;
  detect.open_shifts = trial->given->open_shifts;
  detect.end = trial->given->end;
  detect_own_begin(&detect);
  if (!trial->given->wants_chain)
    detect.observer.ahead = NULL;
  uint64_t steps = trial->given->max_steps;
  detect.most_compared = COMPARED_A_STEP * (steps ? steps : default_steps);
  InterpLaunch launch = {.args = trial->slots,
                         .arrays = trial->arrays,
                         .seed = trial->given->seed,
                         .max_steps = steps ? steps : default_steps,
                         .n_steps = &result->n_steps,
                         .stop = &detect.is_over,
                         .blocks = detect.blocks,
                         .n_blocks = trial->n_blocks,
                         .threads = trial->given->threads,
                         .n_threads = trial->n_threads,
                         .observer = &detect.observer};
  memcpy(launch.grid, trial->grid, sizeof launch.grid);
  memcpy(launch.cluster, trial->cluster, sizeof launch.cluster);
  const char *why = NULL;
  result->finished = true;
  HdStatus status = interp_run(scratch, trial->kernel, &launch, &why);
  bool is_run =
      status == HD_OK || status == HD_ERROR_TRAP || status == HD_ERROR_DEADLOCK;
  result->ran = is_run && !detect.is_assumption;
  if (!is_run)
    result->why =
        arena_strdup(arena, why ? why : "the interpreter can't run it");
  else if (detect.is_assumption)
    result->why = "an assumption is false";
  result->n_steps += detect.n_compared / COMPARED_A_STEP;
  result->n_steps += detect.n_joined / JOINED_A_STEP;
  result->finished &= !detect.is_too_much && !detect.is_over;
  bool is_fine = !detect.is_too_coarse;
  detect_end(&detect);
  arena_free(scratch);
  return is_fine;
}

static bool concrete_is_of_block(IrNode *node, void *context) {
  (void)context;
  const IrOpInfo *info = ir_op_info(node);
  const IrGroup *group = info->form == FORM_GROUP ? node->u.group.group : NULL;
  bool is_wide =
      group && (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER);
  return !is_wide && !ir_is_atomic(node) && info->waits != EVENT_SEMAPHORE;
}

// Whether a block goes on is decided by itself, if nothing is wrong.
static bool blocks_are_alone(const IrKernel *kernel) {
  for (int k = 0; k < 3; k++)
    if (kernel->cluster_dim[k] > 1)
      return false;
  IrRegion body = kernel->body;
  return ir_walk(&body, concrete_is_of_block, NULL);
}

// Blocks that didn't run are waited for in vain.
static void drop_deadlocks(ConcreteResult *result) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < result->found.count; i++)
    if (result->found.data[i].kind != EVENT_FOUND_DEADLOCK)
      result->found.data[n_kept++] = result->found.data[i];
  result->found.count = n_kept;
}

void concrete_run(Arena *arena, const IrKernel *kernel,
                  const ConcreteLaunch *launch, ConcreteResult *result) {
  HD_ASSERT(launch->scalars || kernel->params.count == 0);
  HD_ASSERT(launch->n_threads <=
            sizeof launch->threads / sizeof launch->threads[0]);
  *result = (ConcreteResult){0};
  Arena *scratch = arena_new();
  Trial trial;
  uint32_t log2 = cell_log2(kernel);
  for (;;) {
    // Anew each time: a run changes the arrays.
    ArenaMark mark = arena_mark(scratch);
    *result = (ConcreteResult){0};
    bool is_fine = true;
    if (trial_shape(&trial, scratch, kernel, launch) && trial_fill(&trial))
      is_fine = run_trial(arena, &trial, log2, result);
    else
      result->why = arena_strdup(arena, trial.why);
    result->n_steps += trial.n_filled / FILLED_A_STEP;
    trial_end(&trial);
    if (is_fine || log2 == 0)
      break;
    log2 = 0;
    arena_release(scratch, mark);
  }
  if (!result->ran)
    result->found.count = result->remarks.count = 0;
  if (trial.n_blocks > 0 && !blocks_are_alone(kernel))
    drop_deadlocks(result);
  arena_free(scratch);
}
