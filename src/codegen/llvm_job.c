// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_job.h"

#include "base/panic.h"
#include "codegen/deep_stack.h"

typedef struct {
  LlvmJob *job;
  HdStatus status;
} GuardedJob;

// What a fatal error left behind is never used again.
static void finish_job(LlvmJob *job) {
  if (job->unit.is_abandoned)
    job->target->machine = job->target->lower[0] = job->target->lower[1] = NULL;
  llvm_unit_fini(&job->unit);
}

static void work_on_job(void *context) {
  GuardedJob *guarded = context;
  guarded->status = guarded->job->work(guarded->job);
  finish_job(guarded->job);
}

// On the stack that LLVM runs on.
static void guard_job(void *context) {
  GuardedJob *guarded = context;
  RescueEnd end = rescue_foreign(work_on_job, guarded);
  if (end == RESCUE_DONE)
    return;
  guarded->job->unit.is_abandoned = true;
  finish_job(guarded->job);
  guarded->status = llvm_fail_foreign(end, guarded->job->why);
}

HdStatus llvm_job_run(LlvmJob *job, uint32_t n_nodes) {
  HD_ASSERT(job->target && job->work && job->why);
  HD_ASSERT(!job->unit.cx && !job->unit.is_abandoned);
  GuardedJob guarded = {job, HD_OK};
  deep_stack_run(n_nodes, guard_job, &guarded);
  return guarded.status;
}
