// SPDX-License-Identifier: Apache-2.0
// Launches that the checker tried, made with --sanitize through the API.
#ifndef HD_FUZZ_ORACLE_LAUNCHES_H
#define HD_FUZZ_ORACLE_LAUNCHES_H

#include "check/run/concrete.h"
#include "heddle/heddle.h"

// A session, and one kernel of a program in it with its IR.
typedef struct {
  HdSession *session;
  HdProgram *program;
  HdDevice *device;
  HdKernel *kernel;
  const IrKernel *ir;
} Subject;

// Sanitized and scheduled, without a disk cache.
HdSession *launches_session(void);

typedef enum {
  LAUNCH_SILENT,
  LAUNCH_FOUND,   // an error was told: hd_last_message
  LAUNCH_NONE,    // no contents are as required, an assumption is false
  LAUNCH_REFUSED, // the runtime takes no such launch: hd_last_message
  LAUNCH_ENDLESS, // it was interrupted
} LaunchResult;

LaunchResult launches_run(const Subject *subject, const ConcreteLaunch *launch,
                          uint64_t schedule);

// Shapes of launches of a kernel, up to `most`.
typedef hd_vec(ConcreteLaunch) LaunchList;
void launches_of(Arena *arena, const IrKernel *kernel, uint32_t most,
                 LaunchList *out);

#endif
