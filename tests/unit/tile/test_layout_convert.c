// SPDX-License-Identifier: Apache-2.0
// Conversions between layouts, carried out: random ones, and all pairs of those
// that occur. What is shuffled obeys the rules of shuffles, and no access to
// shared memory has conflicts of banks.
#include "tile/layout/layout_convert.h"
#include "tile/layout/layout_stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include "tile/layout_check.h"

enum { PAIRS = 10000, MOST_ELEMENTS = 1 << 14, MOST_REGISTERS = 1 << 10 };

static Arena *arena;
static uint64_t seed;

static int open_arena(void **state) {
  (void)state;
  arena = arena_new();
  return 0;
}

static int close_arena(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static uint32_t draw(uint32_t below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed * UINT64_C(0x2545F4914F6CDD1D) >> 33) % below;
}

static uint32_t number_of(const TileLayout *layout, const TileIndex *index) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < layout->rank; i++)
    at = at * layout_extent(layout, i) + index->of[i];
  return at;
}

// The element that each register of each lane of a warp holds.
static void hold(const TileLayout *layout, uint32_t warp,
                 uint32_t held[32][MOST_REGISTERS]) {
  uint32_t n = layout_count(layout, PLACE_REGISTER);
  assert_true(n <= MOST_REGISTERS);
  for (uint32_t lane = 0; lane < layout_count(layout, PLACE_LANE); lane++)
    for (uint32_t r = 0; r < n; r++) {
      TileIndex index = held_at(layout, r, lane, warp);
      held[lane][r] = number_of(layout, &index);
    }
}

// What a conversion of the two warps needs at least, by looking for elements.
static ConvertKind least_kind(const TileLayout *from, const TileLayout *to,
                              uint32_t had[32][MOST_REGISTERS],
                              uint32_t wanted[32][MOST_REGISTERS]) {
  static uint32_t in_lane[MOST_ELEMENTS], in_warp[MOST_ELEMENTS];
  static uint32_t stamp;
  uint32_t n_had = layout_count(from, PLACE_REGISTER);
  uint32_t n = layout_count(to, PLACE_REGISTER);
  uint32_t lanes = layout_count(to, PLACE_LANE), warp_stamp = ++stamp;
  ConvertKind kind = n == n_had ? CONVERT_NONE : CONVERT_REGISTERS;
  for (uint32_t lane = 0; lane < lanes; lane++)
    for (uint32_t r = 0; r < n_had; r++)
      in_warp[had[lane][r]] = warp_stamp;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    stamp++;
    for (uint32_t r = 0; r < n_had; r++)
      in_lane[had[lane][r]] = stamp;
    for (uint32_t r = 0; r < n; r++) {
      uint32_t element = wanted[lane][r];
      ConvertKind least = in_warp[element] != warp_stamp ? CONVERT_SHARED
                          : in_lane[element] != stamp    ? CONVERT_SHUFFLES
                          : r >= n_had || had[lane][r] != element
                              ? CONVERT_REGISTERS
                              : CONVERT_NONE;
      kind = least > kind ? least : kind;
    }
  }
  return kind;
}

// Registers of `from` whose digits count as those of `to` do.
static uint32_t digits_of(const TileLayout *from, const TileLayout *to,
                          uint32_t number) {
  uint32_t digits[LAYOUT_MAX_RANK] = {0}, result = 0, weight = 1;
  for (uint32_t i = 0; i < to->n_odds; i++) {
    if (to->odds[i].place != PLACE_REGISTER)
      continue;
    digits[to->odds[i].axis] = number % to->odds[i].factor;
    number /= to->odds[i].factor;
  }
  for (uint32_t i = 0; i < from->n_odds; i++) {
    if (from->odds[i].place != PLACE_REGISTER)
      continue;
    result += digits[from->odds[i].axis] * weight;
    weight *= from->odds[i].factor;
  }
  return result << from->place_bits[PLACE_REGISTER];
}

static uint32_t got[32][MOST_REGISTERS];
static uint32_t had[32][MOST_REGISTERS];
static uint32_t wanted[32][MOST_REGISTERS];

static void check_wanted(const TileLayout *to) {
  for (uint32_t lane = 0; lane < layout_count(to, PLACE_LANE); lane++)
    for (uint32_t r = 0; r < layout_count(to, PLACE_REGISTER); r++)
      assert_int_equal(got[lane][r], wanted[lane][r]);
}

static void move_in_threads(const LayoutConversion *conversion,
                            const TileLayout *from, const TileLayout *to,
                            uint32_t warp) {
  uint32_t bits = to->place_bits[PLACE_REGISTER];
  for (uint32_t lane = 0; lane < layout_count(to, PLACE_LANE); lane++)
    for (uint32_t r = 0; r < layout_count(to, PLACE_REGISTER); r++) {
      uint64_t place = (r & bit_mask(bits)) |
                       (uint64_t)lane << layout_first_bit(to, PLACE_LANE) |
                       (uint64_t)warp << layout_first_bit(to, PLACE_WARP);
      uint64_t source = bit_map_apply(&conversion->source, place);
      uint32_t n = from->place_bits[PLACE_REGISTER];
      assert_int_equal(source >> n, place >> bits); // lane, warp
      got[lane][r] =
          had[lane][(source & bit_mask(n)) + digits_of(from, to, r >> bits)];
    }
}

// All lanes that read a lane in one round read one register of it.
static bool move_in_round(const LayoutConversion *conversion,
                          const TileLayout *from, const TileLayout *to,
                          uint32_t warp, uint32_t round, uint32_t digit) {
  uint32_t offered[32];
  bool is_offered[32] = {false}, crosses = false;
  for (uint32_t lane = 0; lane < layout_count(to, PLACE_LANE); lane++) {
    LaneRound move;
    if (!layout_round(conversion, from, to, round, warp, lane, &move))
      continue;
    crosses |= move.from_lane != lane;
    if (is_offered[move.from_lane])
      assert_int_equal(offered[move.from_lane], move.from_register);
    is_offered[move.from_lane] = true;
    offered[move.from_lane] = move.from_register;
    for (uint32_t i = 0; i < 1U << conversion->packed.dim; i++)
      for (uint32_t k = 0; k < 1U << conversion->copies.dim; k++) {
        uint64_t packed = bit_space_vector(&conversion->packed, i);
        uint64_t copy = bit_space_vector(&conversion->copies, k);
        uint64_t source = bit_map_apply(&conversion->source, packed);
        uint32_t to_register = (uint32_t)(move.to_register ^ packed ^ copy);
        uint32_t from_register = (uint32_t)(move.from_register ^ source);
        got[lane][to_register + (digit << to->place_bits[PLACE_REGISTER])] =
            had[move.from_lane][from_register + digits_of(from, to, digit)];
      }
  }
  return crosses;
}

static uint32_t move_in_rounds(const LayoutConversion *conversion,
                               const TileLayout *from, const TileLayout *to,
                               uint32_t warp, bool *crosses) {
  memset(got, 0xff, sizeof got);
  uint32_t digits =
      layout_count(to, PLACE_REGISTER) >> to->place_bits[PLACE_REGISTER];
  uint32_t n = 0;
  for (uint32_t digit = 0; digit < digits; digit++)
    for (uint32_t i = 0; i < 1U << conversion->rounds.dim; i++, n++)
      crosses[n] |= move_in_round(conversion, from, to, warp, i, digit);
  return n;
}

static ConvertKind check_conversion(const TileLayout *from,
                                    const TileLayout *to,
                                    uint32_t element_bits) {
  LayoutConversion conversion;
  const char *why = layout_convert(arena, from, to, element_bits, &conversion);
  if (why)
    fail_msg("%s", why);
  ConvertKind least = CONVERT_NONE;
  static bool crosses[1 << 16];
  memset(crosses, 0, sizeof crosses);
  uint32_t n_rounds = 0, n_shuffles = 0;
  for (uint32_t warp = 0; warp < layout_count(to, PLACE_WARP); warp++) {
    hold(from, warp, had);
    hold(to, warp, wanted);
    ConvertKind kind = least_kind(from, to, had, wanted);
    least = kind > least ? kind : least;
    if (conversion.kind == CONVERT_REGISTERS || conversion.kind == CONVERT_NONE)
      move_in_threads(&conversion, from, to, warp);
    if (conversion.kind == CONVERT_SHUFFLES)
      n_rounds = move_in_rounds(&conversion, from, to, warp, crosses);
    if (conversion.kind != CONVERT_SHARED)
      check_wanted(to);
  }
  assert_int_equal(conversion.kind, least);
  // Without copies each round fills a register, or those that are packed.
  if (conversion.kind == CONVERT_SHUFFLES && layout_is_unique(from) &&
      layout_is_unique(to))
    assert_int_equal(n_rounds << conversion.packed.dim,
                     layout_count(to, PLACE_REGISTER));
  for (uint32_t i = 0; i < n_rounds; i++)
    n_shuffles += crosses[i] ? (element_bits > 32 ? 2 : 1) : 0;
  assert_int_equal(conversion.n_shuffles, n_shuffles);
  return conversion.kind;
}

// ------------------------------------------------------------------- banks

// The turns of one part of an access by the rules: how many different words of
// one bank the lanes need.
static uint32_t turns_by_rule(const uint32_t *addresses, uint32_t n_lanes,
                              uint32_t bytes) {
  static uint32_t seen[1 << 18], stamp;
  uint32_t counts[32] = {0}, most = 1;
  stamp++;
  for (uint32_t lane = 0; lane < n_lanes; lane++)
    for (uint32_t byte = 0; byte < bytes; byte++) {
      uint32_t word = (addresses[lane] + byte) / 4;
      if (seen[word] == stamp)
        continue;
      seen[word] = stamp;
      uint32_t n = ++counts[word % 32];
      most = n > most ? n : most;
    }
  return most;
}

// Every register of every lane, warp and digit with its vector: no part has a
// conflict, the vectors are aligned and complete.
static void check_accesses(const TileLayout *layout, const TileLayout *shared,
                           uint32_t element_bits, uint32_t elements) {
  uint32_t bytes = elements * element_bits / 8;
  uint32_t part = bytes <= 4 ? 32 : 128 / bytes;
  uint32_t lanes = layout_count(layout, PLACE_LANE);
  part = part < lanes ? part : lanes;
  BitMap offsets = bit_map_invert(&shared->map);
  offsets = bit_map_compose(&offsets, &layout->map);
  uint32_t n = layout_count(layout, PLACE_REGISTER);
  for (uint32_t warp = 0; warp < layout_count(layout, PLACE_WARP); warp++)
    for (uint32_t r = 0; r < n; r++)
      for (uint32_t first = 0; first < lanes; first += part) {
        uint32_t addresses[32];
        for (uint32_t i = 0; i < part; i++) {
          uint64_t place =
              (r & bit_mask(layout->place_bits[PLACE_REGISTER])) |
              (uint64_t)(first + i) << layout_first_bit(layout, PLACE_LANE) |
              (uint64_t)(warp & bit_mask(layout->place_bits[PLACE_WARP]))
                  << layout_first_bit(layout, PLACE_WARP);
          uint64_t offset = bit_map_apply(&offsets, place);
          addresses[i] =
              (uint32_t)(offset & ~(uint64_t)(elements - 1)) * element_bits / 8;
        }
        assert_int_equal(turns_by_rule(addresses, part, bytes), 1);
      }
  // What an access moves, its thread has in registers.
  for (uint32_t i = 0; i < elements; i++) {
    LayoutPlace at = {{[PLACE_OFFSET] = i}};
    TileIndex index = layout_at(shared, &at);
    bool is_held = false;
    for (uint32_t r = 0; r < n && !is_held; r++) {
      TileIndex mine = held_at(layout, r, 0, 0);
      is_held = memcmp(&mine, &index, sizeof mine) == 0;
    }
    assert_true(is_held);
  }
}

static void check_stage(const TileLayout *from, const TileLayout *to,
                        uint32_t element_bits) {
  LayoutStage stage = layout_stage(from, to, element_bits);
  assert_true(layout_is_complete(&stage.shared));
  assert_true(layout_is_unique(&stage.shared));
  check_accesses(from, &stage.shared, element_bits, stage.store_elements);
  check_accesses(to, &stage.shared, element_bits, stage.load_elements);
  const TileLayout *sides[] = {from, to};
  const uint32_t elements[] = {stage.store_elements, stage.load_elements};
  for (int i = 0; i < 2; i++) {
    BankCount count;
    assert_true(layout_count_banks(sides[i], &stage.shared, element_bits,
                                   elements[i], &count));
    assert_int_equal(count.n_turns, count.n_parts);
    uint32_t distinct = layout_count(sides[i], PLACE_REGISTER);
    uint32_t most = 16 * 8 / element_bits;
    assert_true(elements[i] <= most);
    assert_true(count.n_accesses * elements[i] <= distinct);
  }
}

// ------------------------------------------------------------------- random

// A complete layout of bits in any order, mixed, with copies here and there.
static TileLayout random_complete(const LayoutTile *tile, bool keeps_warps) {
  for (;;) {
    TileLayout layout = layout_begin(tile);
    uint32_t n_bits = layout.map.n_out, lanes = 0, warps = 0;
    while (1U << lanes < (tile->n_threads < 32 ? tile->n_threads : 32))
      lanes++;
    while (32U << warps < tile->n_threads)
      warps++;
    uint64_t mask = bit_mask(n_bits);
    for (uint32_t i = 0; i < lanes; i++)
      layout_add_bit(&layout, PLACE_LANE,
                     draw(8) == 0 ? 0 : (1U << draw(n_bits + 1)) & mask);
    for (uint32_t i = 0; i < warps; i++)
      layout_add_bit(&layout, PLACE_WARP,
                     keeps_warps ? (1U << i) & mask : draw(1 << n_bits));
    for (uint32_t i = draw(n_bits + 2); i > 0; i--)
      layout_add_bit(&layout, PLACE_REGISTER, draw(1U << draw(n_bits + 1)));
    for (uint32_t i = 0; i < layout.map.n_in && draw(2); i++)
      layout.map.columns[draw(layout.map.n_in)] ^=
          keeps_warps ? 0 : draw(1U << n_bits);
    for (uint32_t i = tile->rank; i-- > 0;) {
      if (layout.odd[i] > 1)
        layout_add_odd(&layout, PLACE_REGISTER, layout.odd[i], (int)i);
    }
    if (layout_is_complete(&layout))
      return layout;
  }
}

static void random_conversions(void **state) {
  (void)state;
  seed = 21;
  uint32_t kinds[4] = {0};
  for (int turn = 0; turn < PAIRS; turn++) {
    static const uint32_t factors[] = {1, 1, 1, 3}, widths[] = {8, 16, 32, 64};
    LayoutTile tile = {
        2,
        {factors[draw(4)] << draw(4), factors[draw(4)] << draw(3)},
        widths[draw(4)],
        1U << draw(9)};
    bool keeps_warps = draw(4) > 0;
    TileLayout from = random_complete(&tile, keeps_warps);
    TileLayout to = draw(8) == 0 ? from : random_complete(&tile, keeps_warps);
    kinds[check_conversion(&from, &to, tile.element_bits)]++;
    check_stage(&from, &to, tile.element_bits);
  }
  for (int i = 0; i < 4; i++)
    fprintf(stderr, "%u ", kinds[i]);
  for (int i = 0; i < 4; i++)
    assert_true(kinds[i] > PAIRS / 50);
}

// Lanes 0 and 1 have a pair of elements each, lanes 2 and 3 copies. Four lanes
// want one each: lanes 2 and 3 get theirs from the copies, so one shuffle is
// enough.
static void copies_save_rounds(void **state) {
  (void)state;
  LayoutTile tile = matrix_tile(2, 2, 32, 4);
  TileLayout from = layout_begin(&tile), to = layout_begin(&tile);
  layout_add_bit(&from, PLACE_REGISTER, layout_axis_bit(&from, 1, 0));
  layout_add_bit(&from, PLACE_LANE, layout_axis_bit(&from, 0, 0));
  layout_add_bit(&from, PLACE_LANE, 0);
  layout_add_bit(&to, PLACE_LANE, layout_axis_bit(&to, 1, 0));
  layout_add_bit(&to, PLACE_LANE, layout_axis_bit(&to, 0, 0));
  assert_int_equal(check_conversion(&from, &to, 32), CONVERT_SHUFFLES);
  LayoutConversion conversion;
  assert_null(layout_convert(arena, &from, &to, 32, &conversion));
  assert_int_equal(conversion.rounds.dim, 0);
  assert_int_equal(conversion.n_shuffles, 1);
}

// Eight lanes have an element each, four of them are to have two, the others
// copies of these: two lanes read one at once, so a round fills a register.
static void copies_are_read_at_once(void **state) {
  (void)state;
  LayoutTile tile = matrix_tile(1, 8, 32, 8);
  TileLayout from = layout_begin(&tile), to = layout_begin(&tile);
  for (uint32_t i = 0; i < 3; i++) {
    layout_add_bit(&from, PLACE_LANE, layout_axis_bit(&from, 1, i));
    layout_add_bit(&to, PLACE_LANE, i < 2 ? layout_axis_bit(&to, 1, i) : 0);
  }
  layout_add_bit(&to, PLACE_REGISTER, layout_axis_bit(&to, 1, 2));
  assert_int_equal(check_conversion(&from, &to, 32), CONVERT_SHUFFLES);
  LayoutConversion conversion;
  assert_null(layout_convert(arena, &from, &to, 32, &conversion));
  assert_int_equal(conversion.rounds.dim, 1);
  assert_int_equal(conversion.n_shuffles, 2);
}

// A register and a lane trade places: half of the elements stay.
static void elements_that_stay_are_free(void **state) {
  (void)state;
  LayoutTile tile = matrix_tile(2, 16, 32, 16);
  TileLayout from = layout_begin(&tile), to = layout_begin(&tile);
  layout_add_bit(&from, PLACE_REGISTER, layout_axis_bit(&from, 0, 0));
  layout_add_bit(&to, PLACE_REGISTER, layout_axis_bit(&to, 1, 0));
  for (uint32_t i = 0; i < 4; i++) {
    layout_add_bit(&from, PLACE_LANE, layout_axis_bit(&from, 1, i));
    layout_add_bit(&to, PLACE_LANE,
                   i ? layout_axis_bit(&to, 1, i) : layout_axis_bit(&to, 0, 0));
  }
  LayoutConversion conversion;
  assert_null(layout_convert(arena, &from, &to, 32, &conversion));
  assert_int_equal(conversion.rounds.dim, 1);
  assert_int_equal(conversion.n_shuffles, 1);
  // of half, pairs can't move together: each round has one of each
  assert_null(layout_convert(arena, &from, &to, 16, &conversion));
  assert_int_equal(conversion.n_shuffles, 1);
  assert_null(layout_convert(arena, &from, &to, 64, &conversion));
  assert_int_equal(conversion.n_shuffles, 2);
}

static void what_isnt_converted_says_why(void **state) {
  (void)state;
  LayoutTile tile = matrix_tile(16, 16, 16, 32);
  TileLayout a, b, c = layout_begin(&tile), d = c;
  LayoutConversion conversion;
  assert_null(layout_mma(arena, OPERAND_A, &tile, (WarpGrid){0, 0}, &a));
  tile.extents[1] = 32;
  assert_null(layout_mma(arena, OPERAND_A, &tile, (WarpGrid){0, 0}, &b));
  assert_string_equal(layout_convert(arena, &a, &b, 16, &conversion),
                      "the layouts are of different shapes");
  tile = matrix_tile(16, 16, 16, 64);
  assert_null(layout_mma(arena, OPERAND_A, &tile, (WarpGrid){0, 0}, &b));
  assert_string_equal(layout_convert(arena, &a, &b, 16, &conversion),
                      "the layouts are of different groups");
  for (uint32_t i = 0; i < 8; i++) { // the row's low bit, or its high one
    PlaceKind place = i == 0 ? PLACE_BLOCK : PLACE_REGISTER;
    layout_add_bit(&c, place, UINT64_C(1) << i);
    layout_add_bit(&d, place, UINT64_C(1) << (7 - i));
  }
  assert_string_equal(layout_convert(arena, &c, &d, 16, &conversion),
                      "bit 6 of the register is of elements that other blocks "
                      "hold");
  assert_null(layout_convert(arena, &c, &c, 16, &conversion));
  assert_int_equal(conversion.kind, CONVERT_NONE);
}

// --------------------------------------------------------- those that occur

typedef struct {
  uint32_t n;
  TileLayout layouts[24];
} LayoutSet;

static void add_layout(LayoutSet *set, const char *why,
                       const TileLayout *layout) {
  if (!why)
    set->layouts[set->n++] = *layout;
}

static void add_blocks(LayoutSet *set, const LayoutTile *tile) {
  TileLayout layout;
  static const uint32_t blocks[][LAYOUT_MAX_RANK] = {
      {1, 1}, {1, 2}, {1, 4}, {1, 8}, {1, 16}, {2, 2}, {4, 1}, {8, 1}, {4, 4}};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    add_layout(set, layout_blocked(arena, tile, blocks[i], &layout), &layout);
}

static LayoutSet layouts_of(const LayoutTile *tile) {
  LayoutSet set = {0};
  TileLayout layout;
  WarpGrid any = {0, 0};
  add_blocks(&set, tile);
  for (MatrixOperand i = OPERAND_A; i <= OPERAND_C; i++) {
    const char *why = layout_mma(arena, i, tile, any, &layout);
    add_layout(&set, why, &layout);
  }
  uint32_t warps = tile->n_threads / 32;
  for (MatrixOperand i = OPERAND_A; i <= OPERAND_C; i++) {
    WarpGrid grid = {warps / 2, 2};
    add_layout(&set, layout_mma(arena, i, tile, grid, &layout), &layout);
  }
  add_layout(&set, layout_wgmma(arena, OPERAND_A, tile, &layout), &layout);
  add_layout(&set, layout_wgmma(arena, OPERAND_C, tile, &layout), &layout);
  for (TmemShape i = TMEM_32X32B; i <= TMEM_16X256B; i++)
    add_layout(&set, layout_tmem(arena, i, tile, &layout), &layout);
  return set;
}

static void conversions_that_occur(void **state) {
  (void)state;
  static const LayoutTile tiles[] = {
      {2, {16, 16}, 16, 32},    {2, {16, 64}, 32, 32},   {2, {64, 64}, 16, 128},
      {2, {64, 96}, 16, 128},   {2, {128, 64}, 32, 128}, {2, {64, 128}, 8, 128},
      {2, {128, 128}, 16, 256}, {2, {48, 32}, 64, 32},   {2, {32, 32}, 8, 64},
      {2, {64, 64}, 64, 256}};
  uint32_t n_pairs = 0, kinds[4] = {0};
  for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++) {
    LayoutSet set = layouts_of(&tiles[t]);
    assert_true(set.n >= 9);
    for (uint32_t i = 0; i < set.n; i++)
      for (uint32_t k = 0; k < set.n; k++, n_pairs++) {
        ConvertKind kind = check_conversion(&set.layouts[i], &set.layouts[k],
                                            tiles[t].element_bits);
        kinds[kind]++;
        assert_true(i != k || kind == CONVERT_NONE);
        check_stage(&set.layouts[i], &set.layouts[k], tiles[t].element_bits);
      }
  }
  assert_true(n_pairs > 1000);
  for (int i = 0; i < 4; i++)
    assert_true(kinds[i] > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_conversions),
      cmocka_unit_test(copies_save_rounds),
      cmocka_unit_test(copies_are_read_at_once),
      cmocka_unit_test(elements_that_stay_are_free),
      cmocka_unit_test(what_isnt_converted_says_why),
      cmocka_unit_test(conversions_that_occur),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
