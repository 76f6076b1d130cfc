// SPDX-License-Identifier: Apache-2.0
// A deadlock: who waits where for what, and who could have released it. Groups,
// objects and nodes are the kernel's, and live as long as it does.
#ifndef HD_INTERP_STUCK_H
#define HD_INTERP_STUCK_H

#include "base/text.h"
#include "ir/form/ir.h"

enum { STUCK_MOST_WAITS = 16, STUCK_MOST_PLACES = 4 };

typedef enum {
  STUCK_MEMORY,  // in a loop
  STUCK_BARRIER, // of `group`
  STUCK_MEETING, // for another operation of `group`
  STUCK_MBARRIER,
  STUCK_SEMAPHORE,
  STUCK_COALESCED,
} StuckKind;

typedef enum { ABSENT_ENDED, ABSENT_WAITING, ABSENT_BUSY } AbsentKind;

// Threads of a group, by ranks in the block, that haven't come to its barrier.
typedef struct {
  uint32_t first, last;
  AbsentKind kind;
  const IrNode *node; // where they are; NULL: not known
} StuckAbsent;

// Threads of one block, by ranks, that wait for the same.
typedef struct {
  int32_t block[3];
  uint32_t first, last;
  StuckKind kind;
  const IrNode *node; // NULL: not known
  // BARRIER, MEETING
  const IrGroup *group;
  uint32_t n_arrived, size;
  const IrNode *arrival; // of a barrier in halves, or NULL
  StuckAbsent absent[STUCK_MOST_PLACES];
  uint32_t n_absent;
  // MBARRIER: what the phase has seen, and the bytes that are missing, or
  // (negative) too many.
  const IrObject *object;
  uint32_t element, seen, count;
  uint64_t phase;
  int64_t bytes;
  uint64_t value; // SEMAPHORE
  // MBARRIER, SEMAPHORE: operations that could release them.
  const IrNode *releases[STUCK_MOST_PLACES];
  uint32_t n_releases;
} StuckWait;

typedef struct {
  const IrKernel *kernel;
  int64_t n_blocks; // of the launch
  int32_t block[3]; // the first of those that ran together
  StuckWait waits[STUCK_MOST_WAITS];
  uint32_t n_waits;
} StuckReport;

void stuck_report_text(Text *out, const StuckReport *report);

#endif
