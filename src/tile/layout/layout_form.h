// SPDX-License-Identifier: Apache-2.0
// Layouts: which thread holds which element of a tile in which register, or at
// which offset of shared memory it lies.
//
// A layout maps places to elements. A place is a register, a lane, a warp and
// a block, or an offset; an element is an index along each axis of the tile.
// The bits of places are mapped to bits of indices, linearly over GF(2): the
// index is the exclusive or of what the bits that are set are mapped to. An
// extent is m * 2^k with m odd, and an index along it is o * 2^k + x with a
// digit o below m and k bits x: the bits take part in the map, the digit is
// counted by a digit of the place, in most layouts by the highest one of the
// register.
//
// A layout is a value: nothing to free. It is complete if each element has a
// place. Several places may hold one element: its copies.
#ifndef HD_TILE_LAYOUT_LAYOUT_FORM_H
#define HD_TILE_LAYOUT_LAYOUT_FORM_H

#include "base/arena.h"
#include "tile/layout/bit_map.h"

enum {
  LAYOUT_MAX_RANK = 5,
  LAYOUT_MAX_ODDS = 8, // digits
  LAYOUT_MAX_FACTOR = 31,
};

// Registers count the elements that a thread holds, whatever their size; an
// offset counts elements, too.
typedef enum {
  PLACE_REGISTER,
  PLACE_LANE,
  PLACE_WARP,
  PLACE_BLOCK, // of a cluster
  PLACE_OFFSET,
  N_PLACES
} PlaceKind;

// A digit of a place that isn't a bit.
typedef struct {
  PlaceKind place;
  uint32_t below;  // how many bits of its place are below it
  uint32_t factor; // odd, at least 3: the digit is less
  int axis;        // whose digit it is, or -1: it tells copies apart
} LayoutOdd;

typedef struct {
  uint32_t rank;
  uint32_t odd[LAYOUT_MAX_RANK]; // of each extent, the first axis first
  uint32_t bits[LAYOUT_MAX_RANK];
  uint32_t place_bits[N_PLACES];
  uint32_t n_odds;
  LayoutOdd odds[LAYOUT_MAX_ODDS]; // those of one place from low to high
  // From the bits of all places, PLACE_REGISTER's lowest, to those of all axes,
  // the last axis' lowest.
  BitMap map;
} TileLayout;

// What a layout is asked for: the tile and who holds it.
typedef struct {
  uint32_t rank;
  uint32_t extents[LAYOUT_MAX_RANK];
  uint32_t element_bits; // a power of two up to 64
  uint32_t n_threads;    // a power of two up to 32, or whole warps
} LayoutTile;

typedef struct {
  uint32_t of[N_PLACES];
} LayoutPlace;

typedef struct {
  uint32_t of[LAYOUT_MAX_RANK];
} TileIndex;

// NULL: a layout can be made for it; else why not, in memory of the arena.
const char *layout_tile_problem(Arena *arena, const LayoutTile *tile);

// ------------------------------------------------------------------- making

// Of the tile's shape, without any place: bits and digits are added from low
// to high.
TileLayout layout_begin(const LayoutTile *tile);
// Bit `bit` of the index along the axis, as a vector of the map's output.
uint64_t layout_axis_bit(const TileLayout *layout, uint32_t axis, uint32_t bit);
// The next bit of the place, which is mapped to `out`; 0: it tells copies
// apart.
void layout_add_bit(TileLayout *layout, PlaceKind place, uint64_t out);
// The next digit of the place; axis -1 as in LayoutOdd.
void layout_add_odd(TileLayout *layout, PlaceKind place, uint32_t factor,
                    int axis);

// -------------------------------------------------------------------- using

// Where the bits of the place begin in the map's input.
uint32_t layout_first_bit(const TileLayout *layout, PlaceKind place);
// All its bits, there.
uint64_t layout_bits_of(const TileLayout *layout, PlaceKind place);
// Registers, lanes …: 1 where the layout has none.
uint32_t layout_count(const TileLayout *layout, PlaceKind place);
uint32_t layout_extent(const TileLayout *layout, uint32_t axis);
bool layout_same_shape(const TileLayout *a, const TileLayout *b);
// The element at a place, each part of which is below its count.
TileIndex layout_at(const TileLayout *layout, const LayoutPlace *place);
// A place of the element, of a complete layout: the same one of all copies.
// `inverse` is bit_map_invert of the layout's map.
LayoutPlace layout_find(const TileLayout *layout, const BitMap *inverse,
                        const TileIndex *index);

// ---------------------------------------------------------------- questions

// Each element has a place.
bool layout_is_complete(const TileLayout *layout);
// No element has two.
bool layout_is_unique(const TileLayout *layout);
// How many places hold an element of a complete layout.
uint32_t layout_copies(const TileLayout *layout);
// The bits of a place that are mapped to 0, counted from its lowest.
uint64_t layout_copy_bits(const TileLayout *layout, PlaceKind place);
// The longest run of neighbours along the rows that each thread holds, aligned
// to its length: a power of two. What one access can move, if it is not too
// long for it. Rows run together where an axis has no odd factor.
uint32_t layout_run(const TileLayout *layout);

// ------------------------------------------------------------------ algebra

// Places of `low` count first, those of `high` go on: each axis has the bits
// of low's index below those of high's. low has no digits.
TileLayout layout_product(const TileLayout *low, const TileLayout *high);
// The other factor of a product. False: there is none.
bool layout_divide_low(const TileLayout *whole, const TileLayout *low,
                       TileLayout *high);
bool layout_divide_high(const TileLayout *whole, const TileLayout *high,
                        TileLayout *low);

#endif
