// SPDX-License-Identifier: Apache-2.0
// Programs with one mistake about order.
#ifndef HD_FUZZ_ORACLE_MUTANT_H
#define HD_FUZZ_ORACLE_MUTANT_H

#include "base/arena.h"
#include <stdint.h>

// The text without the statement of number `choice` among those that order
// something; the text itself if it has none.
const char *mutant(Arena *arena, const char *text, uint64_t choice);

#endif
