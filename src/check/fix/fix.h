// SPDX-License-Identifier: Apache-2.0
// What the files about fixes share.
#ifndef HD_CHECK_FIX_FIX_H
#define HD_CHECK_FIX_FIX_H

#include "check/report/finding.h"

// Changes a copy of the kernel; false: it can't.
typedef bool (*FixChange)(IrKernel *copy, const void *context);

// With the change groups still come together, the finding isn't suspected any
// more, nothing is that wasn't before, and nothing about mbarriers: phases,
// counts and copies may be as wrong as they were while a race is hidden. False
// behind the end that the check's options have now.
bool fix_try(const Check *check, const Finding *target, FixChange change,
             const void *context);
// The copy's node; NULL: it has changed.
IrNode *fix_copy_of(IrKernel *copy, const IrNode *node);
// The first node of the statement that the node is one of; `until` isn't.
const IrNode *fix_statement(const IrKernel *kernel, const IrNode *node,
                            const IrNode *until);
// Makes them the nodes of one region that hold the two, or are they.
void fix_lift(const IrNode **a, const IrNode **b);
bool fix_same_line(const IrKernel *kernel, const IrNode *a, const IrNode *b);

// A place for a statement. FIX_AT_END: the node is the loop.
typedef struct {
  FixWhere where;
  const IrNode *node;
} FixSpot;

// What is put there, as operations and as the program says it: never where its
// language has no word for it. `group`: of those that name one; NULL: the one
// that is current there.
typedef struct {
  IrOp ops[3];
  uint32_t n_ops;
  const IrGroup *group;
  VocabularyWord word;
} FixMeans;

FixMeans fix_sync(void);
// Tries them; NULL: it doesn't help. Sets the finding's edit.
const char *fix_try_spot(const Check *check, Finding *finding,
                         const FixSpot *spot, const FixMeans *means);

// A race of an update with itself: the atomic operation that does the same, in
// words; NULL: it isn't one, or isn't mended so (fix_atomic.c).
const char *fix_atomic(Check *check, const Finding *finding);

// A race beside mbarriers: those who wait or arrive aren't those who touch. A
// sync between, or an arrival behind what it tells of (fix_near.c).
const char *fix_near_barriers(Check *check, Finding *finding);
// In kernels with mbarriers: another count, the other parity, a wait or an
// arrival that is missing (fix_barrier.c). Sets the finding's edit, if it is
// one; NULL: nothing helps.
const char *fix_barrier(Check *check, Finding *finding);

// Where the next node of a mended copy goes.
typedef struct {
  IrKernel *copy;
  IrNode *before, *last; // before: NULL: behind last
  IrLocId loc;
} FixPutter;

IrNode *fix_put(FixPutter *p, IrNode *node);

#endif
