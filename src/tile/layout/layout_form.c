// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_form.h"

#include "base/bits.h"

// ------------------------------------------------------------------- making

static const char *extent_problem(Arena *arena, const LayoutTile *tile,
                                  uint32_t axis) {
  uint32_t extent = tile->extents[axis];
  if (extent == 0)
    return arena_printf(arena, "axis %u has no elements", axis);
  uint32_t odd = extent / (uint32_t)bits_lowest(extent);
  return odd <= LAYOUT_MAX_FACTOR
             ? NULL
             : arena_printf(arena,
                            "the %u of axis %u has the odd factor %u: the "
                            "limit is %d",
                            extent, axis, odd, LAYOUT_MAX_FACTOR);
}

static const char *group_problem(Arena *arena, uint32_t n_threads) {
  if (n_threads == 0 ||
      (n_threads < 32 ? !bits_is_power(n_threads) : n_threads % 32 != 0))
    return arena_printf(arena,
                        "a group of %u threads is neither a power of two of "
                        "them nor whole warps",
                        n_threads);
  return n_threads <= 1024
             ? NULL
             : arena_printf(arena, "a group has %u threads: the limit is 1024",
                            n_threads);
}

const char *layout_tile_problem(Arena *arena, const LayoutTile *tile) {
  if (tile->rank > LAYOUT_MAX_RANK)
    return arena_printf(arena, "a tile has %u axes: the limit is %d",
                        tile->rank, LAYOUT_MAX_RANK);
  uint64_t elements = 1;
  for (uint32_t i = 0; i < tile->rank; i++) {
    const char *why = extent_problem(arena, tile, i);
    if (why)
      return why;
    elements *= tile->extents[i];
    if (elements > 1 << 20)
      return "a tile has more than 2^20 elements";
  }
  if (!bits_is_power(tile->element_bits) || tile->element_bits > 64)
    return arena_printf(arena,
                        "elements of %u bits aren't a power of two of bits",
                        tile->element_bits);
  return group_problem(arena, tile->n_threads);
}

TileLayout layout_begin(const LayoutTile *tile) {
  TileLayout layout = {.rank = tile->rank};
  for (uint32_t i = 0; i < tile->rank; i++) {
    uint32_t power = (uint32_t)bits_lowest(tile->extents[i]);
    layout.odd[i] = tile->extents[i] / power;
    layout.bits[i] = bits_log2(power);
    layout.map.n_out += layout.bits[i];
  }
  return layout;
}

// Where the bits of the axis begin in the map's output.
static uint32_t first_axis_bit(const TileLayout *layout, uint32_t axis) {
  uint32_t first = 0;
  for (uint32_t i = axis + 1; i < layout->rank; i++)
    first += layout->bits[i];
  return first;
}

uint64_t layout_axis_bit(const TileLayout *layout, uint32_t axis,
                         uint32_t bit) {
  HD_ASSERT(axis < layout->rank && bit < layout->bits[axis]);
  return UINT64_C(1) << (first_axis_bit(layout, axis) + bit);
}

void layout_add_bit(TileLayout *layout, PlaceKind place, uint64_t out) {
  BitMap *map = &layout->map;
  HD_ASSERT(map->n_in < BIT_MAP_MAX);
  uint32_t at = layout_first_bit(layout, place) + layout->place_bits[place];
  for (uint32_t i = map->n_in; i > at; i--)
    map->columns[i] = map->columns[i - 1];
  map->columns[at] = out;
  map->n_in++;
  layout->place_bits[place]++;
}

void layout_add_odd(TileLayout *layout, PlaceKind place, uint32_t factor,
                    int axis) {
  HD_ASSERT(layout->n_odds < LAYOUT_MAX_ODDS);
  layout->odds[layout->n_odds++] =
      (LayoutOdd){place, layout->place_bits[place], factor, axis};
}

// -------------------------------------------------------------------- using

uint32_t layout_first_bit(const TileLayout *layout, PlaceKind place) {
  uint32_t first = 0;
  for (PlaceKind i = 0; i < place; i++)
    first += layout->place_bits[i];
  return first;
}

uint64_t layout_bits_of(const TileLayout *layout, PlaceKind place) {
  return bit_mask(layout->place_bits[place]) << layout_first_bit(layout, place);
}

uint32_t layout_count(const TileLayout *layout, PlaceKind place) {
  uint32_t count = 1U << layout->place_bits[place];
  for (uint32_t i = 0; i < layout->n_odds; i++)
    count *= layout->odds[i].place == place ? layout->odds[i].factor : 1;
  return count;
}

uint32_t layout_extent(const TileLayout *layout, uint32_t axis) {
  return layout->odd[axis] << layout->bits[axis];
}

bool layout_same_shape(const TileLayout *a, const TileLayout *b) {
  bool is_same = a->rank == b->rank;
  for (uint32_t i = 0; is_same && i < a->rank; i++)
    is_same = a->bits[i] == b->bits[i] && a->odd[i] == b->odd[i];
  return is_same;
}

// The digits of a place, its bits in *bits from bit `at` on.
static void place_split(const TileLayout *layout, PlaceKind place,
                        uint32_t value, uint32_t at, uint64_t *bits,
                        uint32_t digits[LAYOUT_MAX_ODDS]) {
  uint32_t done = 0;
  for (uint32_t i = 0; i < layout->n_odds; i++) {
    const LayoutOdd *odd = &layout->odds[i];
    if (odd->place != place)
      continue;
    uint32_t width = odd->below - done;
    *bits |= (value & bit_mask(width)) << (at + done);
    value >>= width;
    digits[i] = value % odd->factor;
    value /= odd->factor;
    done = odd->below;
  }
  *bits |= (uint64_t)value << (at + done);
}

static uint32_t place_join(const TileLayout *layout, PlaceKind place,
                           uint64_t bits,
                           const uint32_t digits[LAYOUT_MAX_ODDS]) {
  uint32_t at = layout_first_bit(layout, place), done = 0;
  uint64_t value = 0, weight = 1;
  for (uint32_t i = 0; i < layout->n_odds; i++) {
    const LayoutOdd *odd = &layout->odds[i];
    if (odd->place != place)
      continue;
    uint32_t width = odd->below - done;
    value += (bits >> (at + done) & bit_mask(width)) * weight;
    weight <<= width;
    value += digits[i] * weight;
    weight *= odd->factor;
    done = odd->below;
  }
  uint64_t rest =
      bits >> (at + done) & bit_mask(layout->place_bits[place] - done);
  return (uint32_t)(value + rest * weight);
}

TileIndex layout_at(const TileLayout *layout, const LayoutPlace *place) {
  uint64_t bits = 0;
  uint32_t digits[LAYOUT_MAX_ODDS] = {0};
  uint32_t at = 0;
  for (PlaceKind i = 0; i < N_PLACES; at += layout->place_bits[i++])
    place_split(layout, i, place->of[i], at, &bits, digits);
  uint64_t out = bit_map_apply(&layout->map, bits);
  TileIndex index = {0};
  for (uint32_t i = layout->rank; i-- > 0;) {
    index.of[i] = (uint32_t)(out & bit_mask(layout->bits[i]));
    out >>= layout->bits[i];
  }
  for (uint32_t i = 0; i < layout->n_odds; i++) {
    int axis = layout->odds[i].axis;
    if (axis >= 0)
      index.of[axis] += digits[i] << layout->bits[axis];
  }
  return index;
}

LayoutPlace layout_find(const TileLayout *layout, const BitMap *inverse,
                        const TileIndex *index) {
  uint64_t out = 0;
  for (uint32_t i = 0; i < layout->rank; i++)
    out = out << layout->bits[i] | (index->of[i] & bit_mask(layout->bits[i]));
  uint64_t bits = bit_map_apply(inverse, out);
  uint32_t digits[LAYOUT_MAX_ODDS] = {0};
  for (uint32_t i = 0; i < layout->n_odds; i++) {
    int axis = layout->odds[i].axis;
    if (axis >= 0)
      digits[i] = index->of[axis] >> layout->bits[axis];
  }
  LayoutPlace place;
  for (PlaceKind i = 0; i < N_PLACES; i++)
    place.of[i] = place_join(layout, i, bits, digits);
  return place;
}

// ---------------------------------------------------------------- questions

static uint32_t map_rank(const TileLayout *layout) {
  return layout->map.n_in - bit_map_kernel(&layout->map).dim;
}

static bool has_axis_digit(const TileLayout *layout, uint32_t axis) {
  for (uint32_t i = 0; i < layout->n_odds; i++) {
    if (layout->odds[i].axis == (int)axis)
      return true;
  }
  return layout->odd[axis] == 1;
}

bool layout_is_complete(const TileLayout *layout) {
  for (uint32_t i = 0; i < layout->rank; i++) {
    if (!has_axis_digit(layout, i))
      return false;
  }
  return map_rank(layout) == layout->map.n_out;
}

bool layout_is_unique(const TileLayout *layout) {
  for (uint32_t i = 0; i < layout->n_odds; i++) {
    if (layout->odds[i].axis < 0)
      return false;
  }
  return map_rank(layout) == layout->map.n_in;
}

uint32_t layout_copies(const TileLayout *layout) {
  uint32_t copies = 1U << (layout->map.n_in - map_rank(layout));
  for (uint32_t i = 0; i < layout->n_odds; i++)
    copies *= layout->odds[i].axis < 0 ? layout->odds[i].factor : 1;
  return copies;
}

uint64_t layout_copy_bits(const TileLayout *layout, PlaceKind place) {
  uint32_t first = layout_first_bit(layout, place);
  uint64_t bits = 0;
  for (uint32_t i = 0; i < layout->place_bits[place]; i++) {
    if (layout->map.columns[first + i] == 0)
      bits |= UINT64_C(1) << i;
  }
  return bits;
}

uint32_t layout_run(const TileLayout *layout) {
  uint64_t registers = layout_bits_of(layout, PLACE_REGISTER), in;
  uint32_t run = 0, row_bits = 0;
  for (uint32_t i = layout->rank; i-- > 0;) {
    row_bits += layout->bits[i];
    if (layout->odd[i] != 1)
      break;
  }
  while (run < row_bits &&
         bit_map_solve(&layout->map, registers, UINT64_C(1) << run, &in))
    run++;
  return 1U << run;
}

// ------------------------------------------------------------------ algebra

// A vector of a factor's output as one of the product's: the factor has the
// high bits of each axis, or the low ones.
static uint64_t layout_widen(const TileLayout *from, const TileLayout *to,
                             uint64_t out, bool is_high) {
  uint64_t result = 0;
  for (uint32_t i = 0; i < from->rank; i++) {
    uint64_t part = out >> first_axis_bit(from, i) & bit_mask(from->bits[i]);
    uint32_t shift = is_high ? to->bits[i] - from->bits[i] : 0;
    result |= part << (first_axis_bit(to, i) + shift);
  }
  return result;
}

// Undoes it. False: there are bits outside of that.
static bool layout_narrow(const TileLayout *to, const TileLayout *from,
                          uint64_t out, bool is_high, uint64_t *result) {
  *result = 0;
  for (uint32_t i = 0; i < to->rank; i++) {
    uint32_t shift = is_high ? from->bits[i] - to->bits[i] : 0;
    uint64_t part = out >> (first_axis_bit(from, i) + shift);
    *result |= (part & bit_mask(to->bits[i])) << first_axis_bit(to, i);
  }
  return layout_widen(to, from, *result, is_high) == out;
}

static void layout_add_factor(TileLayout *product, const TileLayout *factor,
                              bool is_high) {
  for (PlaceKind place = 0; place < N_PLACES; place++) {
    uint32_t first = layout_first_bit(factor, place);
    for (uint32_t i = 0; i < factor->place_bits[place]; i++)
      layout_add_bit(product, place,
                     layout_widen(factor, product,
                                  factor->map.columns[first + i], is_high));
  }
}

TileLayout layout_product(const TileLayout *low, const TileLayout *high) {
  HD_ASSERT(low->rank == high->rank && low->n_odds == 0);
  TileLayout product = {.rank = low->rank};
  for (uint32_t i = 0; i < low->rank; i++) {
    HD_ASSERT(low->odd[i] == 1);
    product.odd[i] = high->odd[i];
    product.bits[i] = low->bits[i] + high->bits[i];
    product.map.n_out += product.bits[i];
  }
  layout_add_factor(&product, low, false);
  layout_add_factor(&product, high, true);
  for (uint32_t i = 0; i < high->n_odds; i++) {
    product.odds[i] = high->odds[i];
    product.odds[i].below += low->place_bits[high->odds[i].place];
  }
  product.n_odds = high->n_odds;
  return product;
}

// Fills in what is left of the whole; where its bits begin in each place.
static bool shape_quotient(const TileLayout *whole, const TileLayout *factor,
                           TileLayout *quotient) {
  *quotient = (TileLayout){.rank = whole->rank};
  if (whole->rank != factor->rank)
    return false;
  for (uint32_t i = 0; i < whole->rank; i++) {
    if (factor->bits[i] > whole->bits[i])
      return false;
    quotient->bits[i] = whole->bits[i] - factor->bits[i];
    quotient->odd[i] = 1;
    quotient->map.n_out += quotient->bits[i];
  }
  for (PlaceKind i = 0; i < N_PLACES; i++) {
    if (factor->place_bits[i] > whole->place_bits[i])
      return false;
  }
  return true;
}

// The bits of each place that the factor doesn't have: the low ones, or those
// above its.
static bool take_quotient(const TileLayout *whole, const TileLayout *factor,
                          bool is_high, TileLayout *quotient) {
  for (PlaceKind place = 0; place < N_PLACES; place++) {
    uint32_t first = layout_first_bit(whole, place) +
                     (is_high ? factor->place_bits[place] : 0);
    uint32_t n = whole->place_bits[place] - factor->place_bits[place];
    for (uint32_t i = 0; i < n; i++) {
      uint64_t out;
      if (!layout_narrow(quotient, whole, whole->map.columns[first + i],
                         is_high, &out))
        return false;
      layout_add_bit(quotient, place, out);
    }
  }
  return true;
}

static bool is_same_layout(const TileLayout *a, const TileLayout *b) {
  bool is_same = layout_same_shape(a, b) && a->map.n_in == b->map.n_in &&
                 a->n_odds == b->n_odds;
  for (PlaceKind i = 0; is_same && i < N_PLACES; i++)
    is_same = a->place_bits[i] == b->place_bits[i];
  for (uint32_t i = 0; is_same && i < a->map.n_in; i++)
    is_same = a->map.columns[i] == b->map.columns[i];
  for (uint32_t i = 0; is_same && i < a->n_odds; i++)
    is_same = a->odds[i].place == b->odds[i].place &&
              a->odds[i].below == b->odds[i].below &&
              a->odds[i].factor == b->odds[i].factor &&
              a->odds[i].axis == b->odds[i].axis;
  return is_same;
}

bool layout_divide_low(const TileLayout *whole, const TileLayout *low,
                       TileLayout *high) {
  if (low->n_odds > 0 || !shape_quotient(whole, low, high) ||
      !take_quotient(whole, low, true, high))
    return false;
  for (uint32_t i = 0; i < whole->rank; i++) {
    if (low->odd[i] != 1)
      return false;
    high->odd[i] = whole->odd[i];
  }
  for (uint32_t i = 0; i < whole->n_odds; i++) {
    LayoutOdd odd = whole->odds[i];
    if (odd.below < low->place_bits[odd.place])
      return false;
    odd.below -= low->place_bits[odd.place];
    high->odds[high->n_odds++] = odd;
  }
  TileLayout product = layout_product(low, high);
  return is_same_layout(&product, whole);
}

bool layout_divide_high(const TileLayout *whole, const TileLayout *high,
                        TileLayout *low) {
  if (!shape_quotient(whole, high, low) ||
      !take_quotient(whole, high, false, low))
    return false;
  TileLayout product = layout_product(low, high);
  return is_same_layout(&product, whole);
}
