// SPDX-License-Identifier: Apache-2.0
// Kernels of CUDA C whose blocks wait for each other: only a cooperative launch
// makes all of them run at once. What the file's own launches say about that is
// a fact about the kernel, whatever its sizes are.
#include "verdict/check_rounds.h"

#include "session/program_cuda.h"

enum { CODE_APART = 1035 };

static const IrGroup *check_apart_group_of(const IrNode *node) {
  IrForm form = ir_op_info(node)->form;
  return form == FORM_GROUP        ? node->u.group.group
         : form == FORM_COLLECTIVE ? node->u.collective.group
                                   : NULL;
}

// The first operation at which blocks of the grid meet.
static bool check_apart_find_meeting(IrNode *node, void *context) {
  const IrNode **found = context;
  const IrGroup *group = check_apart_group_of(node);
  bool meets = node->op == IR_SYNC || node->op == IR_ARRIVE ||
               (ir_op_info(node)->flags & OPF_COLLECTIVE);
  if (!meets || !group || group->kind != GROUP_GRID)
    return true;
  *found = node;
  return false;
}

void check_apart(const CheckTask *task, HdCheck *check) {
  const HdProgram *program = task->program;
  bool is_asked = cuda_unit(program) && !program->is_broken &&
                  task->options->use_launches && !task->options->rules_only;
  const CudaKernel *row = is_asked ? cuda_find(program, task->kernel) : NULL;
  const IrNode *meeting = NULL;
  if (!row || !row->has_plain_launch || !check->ir)
    return;
  ir_walk((IrRegion *)(uintptr_t)&check->ir->body, check_apart_find_meeting,
          &meeting);
  if (!meeting)
    return;
  unsigned line = source_place(program->source, row->plain_launch).line;
  Finding bug = {
      .code = CODE_APART,
      .verdict = VERDICT_BUG,
      .node = meeting,
      .message =
          arena_printf(check->arena,
                       "the blocks of '%s' wait for each other here, but "
                       "line %u launches it without "
                       "cudaLaunchCooperativeKernel",
                       check->kernel, line),
      .notes = {[2] = "other launches don't guarantee that all blocks run at "
                      "once, so a sync of the grid fails"},
      .witness = arena_printf(check->arena, "the launch of line %u", line)};
  check->report.n_obligations++;
  check->report.verdict = VERDICT_BUG;
  VEC_PUSH(check->arena, &check->report.findings, bug);
  check_tell(task, check);
}
