// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_convert.h"

#include "base/bits.h"

// ------------------------------------------------------------------ sources

// The bits of these places, PLACE_REGISTER up to `last`.
static uint64_t bits_up_to(const TileLayout *layout, PlaceKind last) {
  return bit_mask(layout_first_bit(layout, last) + layout->place_bits[last]);
}

// Where `to` finds the element of its bit: at `base` of `from`, and at bits of
// `mask` beside it.
static bool find_place_of(const TileLayout *from, uint64_t base, uint64_t out,
                          uint64_t mask, uint64_t *source) {
  bool is_found = bit_map_solve(&from->map, mask,
                                out ^ bit_map_apply(&from->map, base), source);
  *source ^= base;
  return is_found;
}

// With the elements of registers and of places up to `last` in any of these of
// `from`, those of other places in the same. As many as possible stay in their
// lanes. False: there is no such map; *place and *bit say what keeps from one.
static bool find_sources(const TileLayout *from, const TileLayout *to,
                         PlaceKind last, BitMap *source, PlaceKind *place,
                         uint32_t *bit) {
  *source = (BitMap){.n_in = to->map.n_in, .n_out = from->map.n_in};
  uint64_t registers = bits_up_to(from, PLACE_REGISTER);
  uint64_t mask = bits_up_to(from, last);
  uint32_t i = 0;
  for (*place = 0; *place < PLACE_OFFSET; ++*place) {
    for (*bit = 0; *bit < to->place_bits[*place]; ++*bit, i++) {
      uint64_t same = *place == PLACE_REGISTER
                          ? 0
                          : UINT64_C(1)
                                << (layout_first_bit(from, *place) + *bit);
      if (find_place_of(from, same, to->map.columns[i], registers,
                        &source->columns[i]) ||
          find_place_of(from, *place > last ? same : 0, to->map.columns[i],
                        mask, &source->columns[i]))
        continue;
      return false;
    }
  }
  return true;
}

// ----------------------------------------------------------------- problems

static const char *convert_problem(Arena *arena, const TileLayout *from,
                                   const TileLayout *to) {
  if (!layout_same_shape(from, to))
    return "the layouts are of different shapes";
  for (PlaceKind i = PLACE_LANE; i < N_PLACES; i++) {
    if (layout_count(from, i) != layout_count(to, i))
      return "the layouts are of different groups";
  }
  BitMap source;
  PlaceKind place;
  uint32_t bit;
  static const char *const names[] = {"register", "lane", "warp", "block"};
  return find_sources(from, to, PLACE_WARP, &source, &place, &bit)
             ? NULL
             : arena_printf(arena,
                            "bit %u of the %s is of elements that other blocks "
                            "hold",
                            bit, names[place]);
}

// Where digits stand is the same for both, but for the order of registers'.
static bool has_same_digits(const TileLayout *from, const TileLayout *to,
                            bool in_order) {
  if (from->n_odds != to->n_odds)
    return false;
  for (uint32_t i = 0; i < to->n_odds; i++) {
    const LayoutOdd *a = &to->odds[i];
    bool is_there = false;
    for (uint32_t k = 0; k < from->n_odds; k++) {
      const LayoutOdd *b = &from->odds[k];
      is_there |=
          a->axis == b->axis && a->place == b->place &&
          a->factor == b->factor &&
          (in_order ? k == i && a->below == b->below
                    : a->place == PLACE_REGISTER || a->below == b->below);
    }
    if (!is_there)
      return false;
  }
  return true;
}

static bool has_same_map(const TileLayout *from, const TileLayout *to) {
  bool is_same = from->map.n_in == to->map.n_in;
  for (uint32_t i = 0; is_same && i < to->map.n_in; i++)
    is_same = from->map.columns[i] == to->map.columns[i];
  return is_same;
}

// ----------------------------------------------------------------- shuffles
//
// Note [Rounds of shuffles]: in a round each lane offers one register and gets
// one. A set of places of `to` can be filled in one round if no two of them are
// registers of one lane, and no two of them have their sources in different
// registers of one lane. Places with these two properties are looked for as a
// subspace, whose cosets are then the rounds: it shares only 0 with U, the
// registers, and with V, the places whose source is in lane 0, but for those
// whose source is the same as that of place 0 (K). Any two subspaces have a
// third that is apart from both and as large as the larger one allows
// (bit_space_apart), so no fewer rounds are possible with linear ones.
//
// What is a register in both layouts (U and V) moves together, as far as it
// fits into 32 bits.

typedef struct {
  const TileLayout *from, *to;
  LayoutConversion *conversion;
  BitSpace registers, whole; // of places of `to`, without copies
  BitSpace in_lane_0;        // V
  BitSpace at_0;             // K
} ShufflePlan;

// Lanes of the sources of places.
static BitMap lanes_of_sources(const ShufflePlan *plan) {
  BitMap lanes = plan->conversion->source;
  for (uint32_t i = 0; i < lanes.n_in; i++)
    lanes.columns[i] &= layout_bits_of(plan->from, PLACE_LANE);
  return lanes;
}

static void find_meeting_places(ShufflePlan *plan) {
  BitMap lanes = lanes_of_sources(plan);
  BitSpace lane_0 = bit_map_kernel(&lanes);
  BitSpace at_0 = bit_map_kernel(&plan->conversion->source);
  plan->in_lane_0 = bit_space_meet(&lane_0, &plan->whole);
  plan->at_0 = bit_space_meet(&at_0, &plan->whole);
}

// A place that holds a copy of what place 0 holds, in a lane from which no
// place has its source.
static bool find_unused_copy(const ShufflePlan *plan, uint64_t *copy) {
  BitSpace places = bit_space_of(bits_up_to(plan->from, PLACE_LANE));
  BitSpace kernel = bit_map_kernel(&plan->from->map);
  BitSpace copies = bit_space_meet(&kernel, &places);
  BitMap lanes = lanes_of_sources(plan);
  BitSpace used = bit_map_image(&lanes, &plan->whole);
  for (uint32_t i = 0; i < copies.dim; i++) {
    uint64_t lane = copies.rows[i] & layout_bits_of(plan->from, PLACE_LANE);
    if (bit_space_reduce(&used, lane)) {
      *copy = copies.rows[i];
      return true;
    }
  }
  return false;
}

// While the sources of more places lie in one lane than registers make
// necessary, half of them are taken from copies in other lanes.
static void use_copies(ShufflePlan *plan) {
  uint64_t copy;
  while (plan->in_lane_0.dim - plan->at_0.dim > plan->registers.dim &&
         find_unused_copy(plan, &copy)) {
    BitSpace needed = bit_space_meet(&plan->in_lane_0, &plan->registers);
    needed = bit_space_sum(&needed, &plan->at_0);
    BitSpace more = bit_space_complement(&needed, &plan->in_lane_0);
    uint64_t lanes = more.rows[0] & layout_bits_of(plan->to, PLACE_LANE);
    plan->conversion->source.columns[bits_log2(lanes)] ^= copy;
    find_meeting_places(plan);
  }
}

static void find_rounds(ShufflePlan *plan, uint32_t element_bits) {
  LayoutConversion *conversion = plan->conversion;
  BitSpace common = bit_space_meet(&plan->registers, &plan->in_lane_0);
  uint32_t packed = element_bits < 32 ? bits_log2(32 / element_bits) : 0;
  conversion->packed = (BitSpace){0};
  for (uint32_t i = 0; i < common.dim && i < packed; i++)
    bit_space_add(&conversion->packed, common.rows[i]);
  BitSpace at_once = bit_space_sum(&plan->at_0, &conversion->packed);
  BitSpace registers = bit_space_sum(&plan->registers, &at_once);
  BitSpace apart = bit_space_apart(&registers, &plan->in_lane_0, &plan->whole);
  conversion->lanes = bit_space_sum(&apart, &plan->at_0);
  BitSpace round = bit_space_sum(&conversion->lanes, &conversion->packed);
  conversion->rounds = bit_space_complement(&round, &plan->whole);
}

// The lane of the place's source is another one.
static bool changes_lane(const ShufflePlan *plan, uint64_t place) {
  uint64_t source = bit_map_apply(&plan->conversion->source, place);
  return (place & layout_bits_of(plan->to, PLACE_LANE)) >>
             layout_first_bit(plan->to, PLACE_LANE) !=
         (source & layout_bits_of(plan->from, PLACE_LANE)) >>
             layout_first_bit(plan->from, PLACE_LANE);
}

static uint32_t count_shuffles(const ShufflePlan *plan, uint32_t element_bits) {
  const LayoutConversion *conversion = plan->conversion;
  bool always = false;
  for (uint32_t i = 0; i < conversion->lanes.dim; i++)
    always |= changes_lane(plan, conversion->lanes.rows[i]);
  uint64_t warps = layout_bits_of(plan->to, PLACE_WARP);
  for (; warps; warps &= warps - 1)
    always |= changes_lane(plan, bits_lowest(warps));
  uint32_t count = 0;
  for (uint64_t i = 0; i < UINT64_C(1) << conversion->rounds.dim; i++)
    count +=
        always || changes_lane(plan, bit_space_vector(&conversion->rounds, i));
  for (uint32_t i = 0; i < plan->to->n_odds; i++) {
    const LayoutOdd *odd = &plan->to->odds[i];
    count *= odd->place == PLACE_REGISTER ? odd->factor : 1;
  }
  return count * (element_bits > 32 ? element_bits / 32 : 1);
}

static void plan_shuffles(const TileLayout *from, const TileLayout *to,
                          uint32_t element_bits, LayoutConversion *out) {
  ShufflePlan plan = {.from = from, .to = to, .conversion = out};
  BitSpace registers = bit_space_of(layout_bits_of(to, PLACE_REGISTER));
  BitSpace lanes = bit_space_of(layout_bits_of(to, PLACE_LANE));
  BitSpace kernel = bit_map_kernel(&to->map);
  out->copies = bit_space_meet(&kernel, &registers);
  plan.registers = bit_space_complement(&out->copies, &registers);
  plan.whole = bit_space_sum(&plan.registers, &lanes);
  find_meeting_places(&plan);
  use_copies(&plan);
  find_rounds(&plan, element_bits);
  out->n_shuffles = count_shuffles(&plan, element_bits);
}

bool layout_round(const LayoutConversion *conversion, const TileLayout *from,
                  const TileLayout *to, uint32_t round, uint32_t warp,
                  uint32_t lane, LaneRound *out) {
  HD_ASSERT(conversion->kind == CONVERT_SHUFFLES);
  uint64_t first = bit_space_vector(&conversion->rounds, round);
  uint64_t lanes = layout_bits_of(to, PLACE_LANE);
  uint64_t wanted = (uint64_t)lane << layout_first_bit(to, PLACE_LANE);
  BitMap lane_of = {.n_in = conversion->lanes.dim, .n_out = to->map.n_in};
  for (uint32_t i = 0; i < lane_of.n_in; i++)
    lane_of.columns[i] = conversion->lanes.rows[i] & lanes;
  uint64_t number;
  if (!bit_map_solve(&lane_of, bit_mask(lane_of.n_in), wanted ^ (first & lanes),
                     &number))
    return false;
  uint64_t place = first ^ bit_space_vector(&conversion->lanes, number) ^
                   (uint64_t)warp << layout_first_bit(to, PLACE_WARP);
  uint64_t source = bit_map_apply(&conversion->source, place);
  out->to_register = (uint32_t)(place & bits_up_to(to, PLACE_REGISTER));
  out->from_register = (uint32_t)(source & bits_up_to(from, PLACE_REGISTER));
  out->from_lane = (uint32_t)((source & layout_bits_of(from, PLACE_LANE)) >>
                              layout_first_bit(from, PLACE_LANE));
  return true;
}

const char *layout_convert(Arena *arena, const TileLayout *from,
                           const TileLayout *to, uint32_t element_bits,
                           LayoutConversion *out) {
  *out = (LayoutConversion){.kind = CONVERT_SHARED};
  const char *why = convert_problem(arena, from, to);
  if (why || !has_same_digits(from, to, false))
    return why;
  PlaceKind place;
  uint32_t bit;
  if (has_same_map(from, to)) {
    out->kind =
        has_same_digits(from, to, true) ? CONVERT_NONE : CONVERT_REGISTERS;
    out->source = (BitMap){.n_in = to->map.n_in, .n_out = to->map.n_in};
    for (uint32_t i = 0; i < to->map.n_in; i++)
      out->source.columns[i] = UINT64_C(1) << i;
  } else if (find_sources(from, to, PLACE_REGISTER, &out->source, &place,
                          &bit)) {
    out->kind = CONVERT_REGISTERS;
  } else if (find_sources(from, to, PLACE_LANE, &out->source, &place, &bit)) {
    out->kind = CONVERT_SHUFFLES;
    plan_shuffles(from, to, element_bits, out);
  }
  return NULL;
}
