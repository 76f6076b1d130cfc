// SPDX-License-Identifier: Apache-2.0
// Small launches of a kernel, smallest first: every combination of values that
// are likely to matter (small ones, edges of blocks, warps and of the constants
// that the kernel and its requirements name), as far as it is a launch.
#ifndef HD_CHECK_RUN_SIZES_H
#define HD_CHECK_RUN_SIZES_H

#include "check/run/concrete.h"

// Bytes where a kernel leaves it to the launch how much shared memory it has.
#define SIZES_OPEN_SHARED 49152

typedef struct Sizes Sizes;

// `at_most`: no value is larger; 0: only what makes arrays too large is.
Sizes *sizes_new(Arena *arena, const IrKernel *kernel, int64_t at_most);
// The next launch, whose numbers stay as they are until the next call. False:
// there is none.
bool sizes_next(Sizes *sizes, ConcreteLaunch *out);
void sizes_restart(Sizes *sizes);
// `requires` says that the parameter is one number.
bool sizes_required(Arena *arena, const IrKernel *kernel, uint32_t param,
                    int64_t *value);
// "n=3, m=1, grid 2x1x1", only what the launch is free in.
const char *sizes_text(Arena *arena, const IrKernel *kernel,
                       const ConcreteLaunch *launch);

#endif
