// SPDX-License-Identifier: Apache-2.0
// Making a failing program smaller.
#ifndef HD_FUZZ_KERNELS_REDUCE_H
#define HD_FUZZ_KERNELS_REDUCE_H

#include "run.h"

// The smallest program found that gives the same outcome (a crash or an error:
// with the same text), by taking away runs of lines with balanced braces. What
// stands in a block marked "//=" goes as a whole or not at all.
const char *reduce_program(Arena *arena, const GenProgram *program,
                           uint64_t seed, Outcome outcome, const char *why);

#endif
