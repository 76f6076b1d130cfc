// SPDX-License-Identifier: Apache-2.0
// The arguments of one launch that is tried: made of sizes, filled so that all
// that the kernel requires holds, or refused.
#ifndef HD_CHECK_RUN_TRIAL_H
#define HD_CHECK_RUN_TRIAL_H

#include "check/run/concrete.h"
#include "interp/interp.h"
#include "ir/form/host_eval.h"

enum { TRIAL_MOST_BLOCKS = 4 };

typedef struct {
  Arena *arena; // of everything here
  const IrKernel *kernel;
  const ConcreteLaunch *given;
  uint64_t *slots;
  bool *has_value;
  InterpMemory *arrays; // by parameter
  int32_t grid[3], cluster[3];
  // Of a grid that is too large for a run the blocks that run, in order; 0:
  // all.
  int64_t blocks[TRIAL_MOST_BLOCKS];
  uint32_t n_blocks;
  uint32_t n_threads; // of each block that run, given->threads; 0: all
  uint64_t n_bytes;   // of all arrays
  uint64_t n_filled;  // elements that got a value
  void **large;       // by parameter: memory of calloc, for trial_end
  const char *why;    // it was refused
} Trial;

// Values, sizes, and what is required of them, without any memory. False: no
// launch, trial->why says why not.
bool trial_shape(Trial *trial, Arena *arena, const IrKernel *kernel,
                 const ConcreteLaunch *given);
// Then the arrays. False if no contents are found that are as required. Large
// ones hold zeros, so that only what is touched takes memory.
bool trial_fill(Trial *trial);
// Frees what isn't the arena's.
void trial_end(Trial *trial);

#endif
