// SPDX-License-Identifier: Apache-2.0
// One call of a back end: what LLVM does for it is guarded, and runs on a stack
// that is deep enough.
#ifndef HD_CODEGEN_LLVM_JOB_H
#define HD_CODEGEN_LLVM_JOB_H

#include "codegen/llvm_target.h"

// Begins the struct of a back end's own jobs. `work` and what it needs are set
// by the caller, the rest is zero.
typedef struct LlvmJob {
  LlvmTarget *target;
  HdStatus (*work)(struct LlvmJob *job);
  const char **why; // it failed
  LlvmUnit unit;    // that `work` may make; freed behind it
} LlvmJob;

// job->work(job), for a kernel of so many nodes. A failure that LLVM can't go
// on from becomes a status: what it left behind is abandoned, job->target's
// machines too.
__attribute__((warn_unused_result)) HdStatus llvm_job_run(LlvmJob *job,
                                                          uint32_t n_nodes);

#endif
