// SPDX-License-Identifier: Apache-2.0
// How many elements a plain pointer has, as far as the kernel shows it.
#ifndef HD_CHECK_GUESS_H
#define HD_CHECK_GUESS_H

#include "base/vec.h"
#include "ir/form/ir.h"

enum { GUESS_FACTORS = 3 };

// Every access through the pointer is below the product of these integer
// parameters, if none of them is negative and none too large for a size.
typedef struct {
  uint32_t param; // the pointer
  uint32_t n_factors;
  uint32_t factors[GUESS_FACTORS];
} ExtentGuess;

typedef hd_vec(ExtentGuess) ExtentGuesses;

// For plain pointers that are parameters, at most one guess each: of the fewest
// factors, those declared first before others. Whether launches keep to it only
// their authors know. The kernel is spoiled: it requires sizes afterwards.
void guess_extents(Arena *arena, IrKernel *kernel, ExtentGuesses *out);

#endif
