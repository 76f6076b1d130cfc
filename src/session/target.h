// SPDX-License-Identifier: Apache-2.0
// What code is made for: the targets of the back ends (codegen/code_ops.h),
// each with its compiler.
#ifndef HD_SESSION_TARGET_H
#define HD_SESSION_TARGET_H

#include "base/status.h"
#include "base/text.h"
#include "codegen/code_ops.h"

struct HdSession;

typedef struct CodeTarget {
  const CodeOps *ops;
  const CodeModel *model;
  CodeCompiler *compiler; // owns the code that it loaded; NULL: not open
  const char *text; // what its code depends on: the target, the build of Heddle
} CodeTarget;

// A session's targets, in the order of its back ends.
typedef struct {
  const CodeBackEnds *back_ends;
  CodeTarget *data;
  int count;
} CodeTargets;

// The targets of these back ends, none of them open. Tests have back ends of
// their own: they call it before the session opens a device or makes code.
void targets_init(struct HdSession *session, const CodeBackEnds *back_ends);
void targets_free(struct HdSession *session);

// Callers of these hold the lock. Compilers are made when they are first
// needed.

// By name; NULL after reporting which there are. It may not be open.
CodeTarget *target_find(struct HdSession *session, const char *name);
// Of a device by its kind and RtDevice.sm; NULL: too old. It is open.
CodeTarget *target_of_device(struct HdSession *session, const char *kind,
                             int capability);
void target_open(struct HdSession *session, CodeTarget *target);
// The back end of devices of that kind; NULL: there is none.
const CodeOps *back_end_of(const struct HdSession *session, const char *kind);

// Number of a stage of CodeOps.dump; -1: it has none of that name.
int target_stage(const CodeOps *ops, const char *stage);
// Whether a back end has the stage, for usual targets or others.
bool target_has_stage(const struct HdSession *session, const char *stage);
// The usual target that has the stage; NULL: none has.
CodeTarget *target_of_stage(struct HdSession *session, const char *stage);
// "llvm, asm, ptx": those of all targets.
const char *target_stages(const struct HdSession *session, Arena *arena);

#endif
