// SPDX-License-Identifier: Apache-2.0
// Which shared arrays of a kernel may lie in the same bytes, and where all of
// them lie then.
#ifndef HD_IR_ANALYSES_SHARED_LIFE_H
#define HD_IR_ANALYSES_SHARED_LIFE_H

#include "ir/form/ir.h"

#define SHARED_LIFE_ROWS 64

typedef struct {
  uint8_t *row; // by object id; SHARED_LIFE_ROWS: shares with none
  // By row: bit k, it needs other bytes than row k, or is row k, or there is no
  // such row.
  uint64_t apart[SHARED_LIFE_ROWS];
} SharedLives;

// See Note [Lives of shared arrays]. NULL: no two arrays may share. Expects a
// kernel whose joins are decided.
SharedLives *ir_shared_lives(Arena *arena, const IrKernel *kernel);

// Two different objects of the kernel may lie in the same bytes.
static inline bool shared_lives_may_share(const SharedLives *lives, uint32_t a,
                                          uint32_t b) {
  return lives && lives->row[a] < SHARED_LIFE_ROWS &&
         lives->row[b] < SHARED_LIFE_ROWS &&
         !(lives->apart[lives->row[a]] >> lives->row[b] & 1);
}

typedef struct {
  uint32_t object; // id
  uint64_t bytes, align_bytes;
  uint64_t offset_bytes; // the result
} SharedSpan;

// Gives every span its offset from `begin` on. Those that share with none lie
// one behind the other, in the order given; behind them the others, the largest
// first, each at the lowest place that is free of what it must not overlap.
// Returns the end of all. Sums stop at `ceiling` instead of wrapping.
uint64_t shared_lives_place(const SharedLives *lives, SharedSpan *spans,
                            uint32_t n, uint64_t begin, uint64_t ceiling);

// Bytes of the object's elements, up to `ceiling`; false: its extents aren't
// constant.
bool ir_object_bytes(const IrObject *object, uint32_t element_bytes,
                     uint64_t ceiling, uint64_t *bytes);

#endif
