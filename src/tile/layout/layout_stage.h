// SPDX-License-Identifier: Apache-2.0
// Tiles that go from one layout to another through shared memory, and the banks
// that this takes.
#ifndef HD_TILE_LAYOUT_LAYOUT_STAGE_H
#define HD_TILE_LAYOUT_LAYOUT_STAGE_H

#include "tile/layout/layout_form.h"

// A layout of offsets in which both accesses are free of conflicts of banks,
// and how many elements each access moves: powers of two, 16 bytes at most.
typedef struct {
  TileLayout shared;
  uint32_t store_elements, load_elements;
} LayoutStage;

// For layouts of one shape, both complete and without offsets. element_bits:
// those of an element in memory, a power of two from 8 to 64.
LayoutStage layout_stage(const TileLayout *from, const TileLayout *to,
                         uint32_t element_bits);

typedef struct {
  uint32_t n_accesses; // instructions of a thread
  uint32_t n_parts;    // of a warp: what banks could do at once
  uint32_t n_turns;    // what they take; n_parts if there are no conflicts
} BankCount;

// Enumerates the banks of all accesses of warp 0 with which registers are
// stored to offsets, or loaded from there, `elements` at a time. A part of an
// access is 32 lanes with 4 bytes each or less, 16 with 8, 8 with 16. Lanes of
// a part that need different words of one bank take turns; of one word they
// don't. False: there are no registers for so many neighbours.
bool layout_count_banks(const TileLayout *layout, const TileLayout *shared,
                        uint32_t element_bits, uint32_t elements,
                        BankCount *out);

#endif
