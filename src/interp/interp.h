// SPDX-License-Identifier: Apache-2.0
// The reference interpreter: one thread at a time, exact, slow. Every back end
// is tested against it and the checker replays its witnesses here.
//
// Threads of a block are run round robin from barrier to barrier; blocks in
// increasing order, those of a cluster together, and all of the grid together
// where it is synchronised. All memory accesses are bounds-checked.
#ifndef HD_INTERP_INTERP_H
#define HD_INTERP_INTERP_H

#include "base/status.h"
#include "base/text.h"
#include "ir/form/ir.h"

// Memory of one array argument or global object, in bytes from its base.
typedef struct {
  void *data;
  uint64_t size_bytes;
} InterpMemory;

typedef struct {
  const uint64_t *args;        // slots, see IrParam; array bases are addresses
  const InterpMemory *arrays;  // by parameter index; unused for scalars
  const InterpMemory *globals; // by global object id
  int32_t grid[3];
  int32_t cluster[3]; // where the kernel leaves it open; 0: one block
  // Linear indices of the blocks that run, in this order; NULL: all of them.
  // An observer is told their positions in the list. Not where blocks meet.
  const int64_t *blocks;
  uint32_t n_blocks;
  // Ranks of the threads of each block that run, if n_threads isn't 0: the
  // others count as ended. For kernels whose threads never meet.
  const uint32_t *threads;
  uint32_t n_threads;
  // 0: threads in order, copies at the last moment. Else a random order of
  // threads, and copies at random moments: the same for the same number.
  uint64_t seed;
  uint64_t max_steps; // 0: no limit; else HD_ERROR_DEADLOCK beyond, said in why
  const bool *stop;   // true: the run ends so, too; or NULL
  uint64_t *n_steps;  // how many were made, or NULL: nobody asks
  Text *printed;      // printf output, or NULL: dropped
  // By node: the ProductUnit whose sums products have (tensor_sum.h), as
  // tile_lower told it. NULL: what operations.md says of the operation.
  const uint8_t *units;
  const struct InterpObserver *observer; // observe.h; NULL: nobody
} InterpLaunch;

// HD_ERROR_TRAP (assert, trap, out-of-bounds access), HD_ERROR_DEADLOCK and
// their text in *why (from `arena`), else HD_OK.
__attribute__((warn_unused_result)) HdStatus
interp_run(Arena *arena, const IrKernel *kernel, const InterpLaunch *given,
           const char **why);

#endif
