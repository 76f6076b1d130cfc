// SPDX-License-Identifier: Apache-2.0
// One finding for each cause, in program order.
#ifndef HD_CHECK_CAUSES_H
#define HD_CHECK_CAUSES_H

#include "check/check.h"

// Sorts the report's findings by place, and drops what is but another sign of
// one that stays. The verdict stays what it was.
void causes_merge(Arena *arena, const IrKernel *kernel, CheckReport *report);

#endif
