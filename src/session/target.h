// SPDX-License-Identifier: Apache-2.0
// What code is made for: this machine's CPU, or a generation of NVIDIA GPUs.
#ifndef HD_SESSION_TARGET_H
#define HD_SESSION_TARGET_H

#include "base/status.h"
#include "base/text.h"
#include "ir/form/ir.h"

struct CpuCompiler;
struct HdSession;
struct NvptxCompiler;

typedef struct CodeTarget {
  const char *name; // "cpu", "sm_90a"
  int sm;           // of NvptxOptions; 0: the CPU
  const char *text; // what its code depends on: the target, the build of Heddle
  struct CpuCompiler *cpu;     // owns the code that it loaded
  struct NvptxCompiler *nvptx; // the other one is NULL
} CodeTarget;

// The CPU and sm_80, sm_90a, sm_100a.
enum { CPU_TARGET, N_TARGETS = 4 };

// By name; NULL after telling which there are. The caller holds the lock.
CodeTarget *target_find(struct HdSession *session, const char *name);
// Of a device's compute capability (major * 10 + minor; 0: a CPU); NULL: too
// old. The caller holds the lock.
CodeTarget *target_of_device(struct HdSession *session, int sm);
void targets_free(struct HdSession *session);

// Text of what a kernel becomes: LLVM IR, or what the target assembles.
// *why is from the text's arena.
HdStatus target_dump(CodeTarget *target, const IrModule *module,
                     const IrKernel *kernel, bool as_assembly, Text *text,
                     const char **why);

#endif
