// SPDX-License-Identifier: Apache-2.0
// What the files about fixes share.
#ifndef HD_CHECK_FIX_H
#define HD_CHECK_FIX_H

#include "check/finding.h"

// Changes a copy of the kernel; false: it can't.
typedef bool (*FixChange)(IrKernel *copy, const void *context);

// With the change groups still come together, the finding isn't suspected any
// more, nothing is that wasn't before, and nothing about mbarriers: phases,
// counts and copies may be as wrong as they were while a race is hidden.
bool fix_try(const Check *check, const Finding *target, FixChange change,
             const void *context);
// The copy's node; NULL: it has changed.
IrNode *fix_copy_of(IrKernel *copy, const IrNode *node);
// The first node of the statement that the node is one of; `until` isn't.
const IrNode *fix_statement(const IrKernel *kernel, const IrNode *node,
                            const IrNode *until);
// In kernels with mbarriers: another count, the other parity, a wait or an
// arrival that is missing (fix_barrier.c). Sets the finding's edit, if it is
// one; NULL: nothing helps.
const char *fix_barrier(Check *check, Finding *finding, double end_ms);

#endif
