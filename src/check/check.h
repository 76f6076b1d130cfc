// SPDX-License-Identifier: Apache-2.0
// The static checker: decides for one kernel, before it runs and for every
// launch that its `requires` allow, whether threads can race, wait for ever,
// leave an array or miss a fence.
//
// PROVED needs a proof of every obligation. BUG needs a run of the reference
// interpreter in which it happened, at sizes that the report names. All else is
// UNKNOWN, with the reason. docs/internals/check.md has the argument.
#ifndef HD_CHECK_CHECK_H
#define HD_CHECK_CHECK_H

#include "check/report/report.h"

// All memory of the report is `arena`'s. Several threads may check different
// kernels at once, if their modules differ.
void check_kernel(Arena *arena, const IrKernel *kernel,
                  const CheckOptions *options, CheckReport *report);

#endif
