// SPDX-License-Identifier: Apache-2.0
// Joins of fork-join loops that a kernel is provably right without.
#ifndef HD_CHECK_JOINS_H
#define HD_CHECK_JOINS_H

#include "check/check.h"

typedef struct {
  uint32_t n_kept;   // joins that are barriers, in program order
  bool *is_unneeded; // by join: none of these is needed, all at once
  bool is_proved;    // as it is; else nothing is said about joins
} UnneededJoins;

// Takes a check of the kernel for each join. Nothing is run and no fix sought,
// whatever the options say.
void check_unneeded_joins(Arena *arena, const IrKernel *kernel,
                          const CheckOptions *options, UnneededJoins *out);

#endif
