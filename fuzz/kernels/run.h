// SPDX-License-Identifier: Apache-2.0
// Running one generated program on the CPU back end and in the interpreter.
#ifndef HD_FUZZ_KERNELS_RUN_H
#define HD_FUZZ_KERNELS_RUN_H

#include "gen.h"

typedef enum {
  OUTCOME_SAME,
  OUTCOME_REFUSED, // the compiler doesn't take it: the generator is wrong
  OUTCOME_FAILED,  // a trap, deadlock or error of one of the two
  OUTCOME_DIFFERS,
  OUTCOME_CRASHED, // or didn't end in time
} Outcome;

// The interpreter runs the IR as lowered, the CPU what all passes made of it,
// so a pass that is wrong shows too.
//
// In a process of its own: fills the arrays from `seed`, runs `source` (which
// may be a smaller form of program->source) both ways and compares all arrays.
// *why says what happened unless it is OUTCOME_SAME.
Outcome run_both(Arena *arena, const GenProgram *program, const char *source,
                 uint64_t seed, const char **why);

#endif
