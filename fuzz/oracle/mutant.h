// SPDX-License-Identifier: Apache-2.0
// Generated programs, every second one with a mistake about order.
#ifndef HD_FUZZ_ORACLE_MUTANT_H
#define HD_FUZZ_ORACLE_MUTANT_H

#include "base/arena.h"
#include "gen.h"
#include <stdint.h>

// The program of a seed, `whole`, as text; of an odd one without one statement
// that orders something, if it has any.
const char *mutant_of_seed(Arena *arena, uint64_t seed, GenProgram *whole);

#endif
