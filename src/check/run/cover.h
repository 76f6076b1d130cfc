// SPDX-License-Identifier: Apache-2.0
// What the files of Note [Elements that no block stores to] share.
#ifndef HD_CHECK_RUN_COVER_H
#define HD_CHECK_RUN_COVER_H

#include "check/report/finding.h"
#include "check/run/trial.h"

enum { COVER_SIZES = 12, COVER_LOOPS = 6 };

// A parameter that the stores, their loops, the grid or the extents name.
typedef struct {
  const Symbol *symbol;
  uint32_t param;
  bool is_extent; // an extent of the array names it
} CoverSize;

// An array that is only written, by stores of sections that nothing but the
// launch decides about.
typedef struct {
  Check *check;
  const IrObject *object;
  hd_vec(const Step *) stores;
  CoverSize sizes[COVER_SIZES];
  uint32_t n_sizes;
} Cover;

typedef enum {
  COVERED_ALL,
  COVERED_PART,    // but for `left`
  COVERED_UNKNOWN, // no launch, too large, or meant to leave something out
} Covered;

// An element that this launch leaves.
typedef struct {
  int64_t index[IR_MAX_RANK];
  uint64_t n_left, n_all;
} CoverLeft;

// cover_replay.c: where all blocks of the launch store to, by the terms.
Covered cover_replay(const Cover *cover, const ConcreteLaunch *launch,
                     CoverLeft *left);
// The interpreter runs the launch, and doesn't store to the element either.
bool cover_is_left(const Cover *cover, const ConcreteLaunch *launch,
                   const CoverLeft *left);
// Along dimension k the store takes so many elements.
int64_t cover_length(const Step *store, uint32_t k);
// The own index of the element in dimension k, or NULL: one index.
const Symbol *cover_axis(const Step *store, uint32_t k);

#endif
