// SPDX-License-Identifier: Apache-2.0
// From one layout of a tile to another: what has to move, and how.
#ifndef HD_TILE_LAYOUT_LAYOUT_CONVERT_H
#define HD_TILE_LAYOUT_LAYOUT_CONVERT_H

#include "tile/layout/layout_form.h"

typedef enum {
  CONVERT_NONE,      // every register stays
  CONVERT_REGISTERS, // each thread has its elements in other registers
  CONVERT_SHUFFLES,  // they are in the same warp
  CONVERT_SHARED,    // through shared memory
} ConvertKind;

// Without digits: these are registers of both layouts, or the conversion is
// through shared memory.
typedef struct {
  ConvertKind kind;
  // From the bits of the places of `to` to those of `from`: where the element
  // of each is. Not of CONVERT_SHARED.
  BitMap source;
  // Of CONVERT_SHUFFLES. A round moves 2^packed.dim elements to each lane at
  // once, which fill 32 bits or less: registers that differ by vectors of
  // `packed`. `lanes` are the places, of bits of `to`, that one round fills,
  // one for each lane that it reaches; the vectors of `rounds` tell rounds
  // apart. Registers that differ by vectors of `copies` hold the same.
  BitSpace packed, lanes, rounds, copies;
  uint32_t n_shuffles; // of 32 bits; rounds that stay in their lanes need none
} LayoutConversion;

// NULL, or why nothing can be converted, in memory of the arena: the shapes or
// groups differ, or elements would go to other blocks. Both must be complete
// and have no offsets. element_bits: those that an element takes in a register,
// a power of two from 8 to 64.
const char *layout_convert(Arena *arena, const TileLayout *from,
                           const TileLayout *to, uint32_t element_bits,
                           LayoutConversion *out);

// What a thread gets in a round below 2^rounds.dim of a conversion by shuffles:
// bits of registers, without digits. False: nothing.
typedef struct {
  uint32_t from_lane;
  uint32_t from_register, to_register; // the first of those that are packed
} LaneRound;

bool layout_round(const LayoutConversion *conversion, const TileLayout *from,
                  const TileLayout *to, uint32_t round, uint32_t warp,
                  uint32_t lane, LaneRound *out);

#endif
