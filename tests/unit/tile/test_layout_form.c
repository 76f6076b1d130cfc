// SPDX-License-Identifier: Apache-2.0
// Layouts against tables of where every element is: random ones, with odd
// factors, their products and quotients.
#include "tile/layout/layout_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include "tile/layout_check.h"

enum { LAYOUTS = 10000 };

static uint64_t seed;

static uint32_t draw(uint32_t below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed * UINT64_C(0x2545F4914F6CDD1D) >> 33) % below;
}

static LayoutTile random_tile(bool with_odds) {
  static const uint32_t factors[] = {1, 1, 3, 5};
  LayoutTile tile = {.rank = draw(4), .element_bits = 32, .n_threads = 32};
  for (uint32_t i = 0; i < tile.rank; i++)
    tile.extents[i] = factors[with_odds ? draw(4) : 0] << draw(3);
  return tile;
}

// Places of random bits. Digits stand between them.
static TileLayout random_layout(bool with_odds) {
  LayoutTile tile = random_tile(with_odds);
  TileLayout layout = layout_begin(&tile);
  bool is_counted[LAYOUT_MAX_RANK] = {false};
  for (uint32_t n = draw(9); n > 0; n--) {
    PlaceKind place = draw(N_PLACES);
    uint32_t axis = tile.rank ? draw(tile.rank) : 0;
    if (tile.rank && !is_counted[axis] && layout.odd[axis] > 1 && draw(2)) {
      layout_add_odd(&layout, place, layout.odd[axis], (int)axis);
      is_counted[axis] = true;
    } else if (with_odds && draw(12) == 0) {
      layout_add_odd(&layout, place, 3, -1);
      break;
    } else {
      uint64_t out = draw(1 << 16) & bit_mask(layout.map.n_out);
      layout_add_bit(&layout, place, draw(4) ? out & draw(1 << 16) : 0);
    }
  }
  return layout;
}

// Moves on to the next place; false after the last.
static bool next_place(const TileLayout *layout, LayoutPlace *place) {
  for (PlaceKind i = 0; i < N_PLACES; i++) {
    if (++place->of[i] < layout_count(layout, i))
      return true;
    place->of[i] = 0;
  }
  return false;
}

static uint32_t row_major(const TileLayout *layout, const TileIndex *index) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < layout->rank; i++) {
    assert_true(index->of[i] < layout_extent(layout, i));
    at = at * layout_extent(layout, i) + index->of[i];
  }
  return at;
}

// The index by its definition: digits are peeled off the numbers of the place.
static TileIndex index_by_digits(const TileLayout *layout,
                                 const LayoutPlace *place) {
  uint64_t out = 0;
  TileIndex index = {0};
  uint32_t column = 0;
  for (PlaceKind kind = 0; kind < N_PLACES; kind++) {
    uint32_t value = place->of[kind];
    for (uint32_t bit = 0; bit <= layout->place_bits[kind]; bit++) {
      for (uint32_t i = 0; i < layout->n_odds; i++) {
        const LayoutOdd *odd = &layout->odds[i];
        if (odd->place != kind || odd->below != bit)
          continue;
        if (odd->axis >= 0)
          index.of[odd->axis] += value % odd->factor << layout->bits[odd->axis];
        value /= odd->factor;
      }
      if (bit < layout->place_bits[kind]) {
        out ^= value & 1 ? layout->map.columns[column] : 0;
        column++;
        value /= 2;
      }
    }
    assert_int_equal(value, 0);
  }
  for (uint32_t i = layout->rank; i-- > 0;) {
    index.of[i] += (uint32_t)(out & bit_mask(layout->bits[i]));
    out >>= layout->bits[i];
  }
  return index;
}

static void questions_are_answered_as_by_counting(void **state) {
  (void)state;
  seed = 11;
  static uint32_t holders[20 * 20 * 20];
  for (int turn = 0; turn < LAYOUTS; turn++) {
    TileLayout layout = random_layout(true);
    uint32_t n = 1, most = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < layout.rank; i++)
      n *= layout_extent(&layout, i);
    memset(holders, 0, n * sizeof *holders);
    LayoutPlace place = {0};
    do {
      TileIndex index = layout_at(&layout, &place);
      TileIndex expected = index_by_digits(&layout, &place);
      assert_memory_equal(&index, &expected, sizeof index);
      holders[row_major(&layout, &index)]++;
    } while (next_place(&layout, &place));
    for (uint32_t i = 0; i < n; i++) {
      most = holders[i] > most ? holders[i] : most;
      least = holders[i] < least ? holders[i] : least;
    }
    assert_int_equal(layout_is_complete(&layout), least > 0);
    assert_int_equal(layout_is_unique(&layout), most <= 1);
    if (least == 0)
      continue;
    assert_int_equal(layout_copies(&layout), most);
    assert_int_equal(least, most);
    do {
      TileIndex index = layout_at(&layout, &place);
      LayoutPlace found = find_place(&layout, &index);
      TileIndex again = layout_at(&layout, &found);
      assert_memory_equal(&again, &index, sizeof index);
    } while (next_place(&layout, &place));
  }
}

// The registers of thread 0 hold elements 0 to run - 1 of the tile in
// row-major order, and so do those of all others with an aligned run.
static bool has_run(const TileLayout *layout, uint32_t run) {
  uint32_t n = layout_count(layout, PLACE_REGISTER);
  LayoutPlace place = {0};
  do {
    if (place.of[PLACE_REGISTER] != 0)
      continue;
    static bool held[1 << 12];
    memset(held, 0, sizeof held);
    LayoutPlace mine = place;
    for (uint32_t r = 0; r < n; r++) {
      mine.of[PLACE_REGISTER] = r;
      TileIndex index = layout_at(layout, &mine);
      held[row_major(layout, &index)] = true;
    }
    TileIndex first = layout_at(layout, &place);
    uint32_t at = row_major(layout, &first) / run * run;
    for (uint32_t i = 0; i < run; i++) {
      if (!held[at + i])
        return false;
    }
  } while (next_place(layout, &place));
  return true;
}

static void runs_are_the_longest(void **state) {
  (void)state;
  seed = 12;
  for (int turn = 0; turn < LAYOUTS; turn++) {
    TileLayout layout = random_layout(false);
    uint32_t run = layout_run(&layout), n = 1;
    for (uint32_t i = 0; i < layout.rank; i++)
      n *= layout_extent(&layout, i);
    assert_true(has_run(&layout, run));
    assert_true(2 * run > n || !has_run(&layout, 2 * run));
  }
  LayoutTile tile = {2, {4, 3 << 2}, 32, 1};
  TileLayout odd;
  assert_null(layout_blocked(NULL, &tile, (uint32_t[]){4, 4, 0, 0, 0}, &odd));
  assert_int_equal(layout_run(&odd), 4); // rows of 12
}

static void copy_bits_are_those_that_move_nothing(void **state) {
  (void)state;
  seed = 13;
  for (int turn = 0; turn < LAYOUTS; turn++) {
    TileLayout layout = random_layout(false);
    for (PlaceKind kind = 0; kind < N_PLACES; kind++) {
      uint64_t bits = layout_copy_bits(&layout, kind);
      for (uint32_t i = 0; i < layout.place_bits[kind]; i++) {
        LayoutPlace place = {0};
        TileIndex at_0 = layout_at(&layout, &place);
        place.of[kind] = 1U << i;
        TileIndex at = layout_at(&layout, &place);
        assert_int_equal(bits >> i & 1, memcmp(&at, &at_0, sizeof at) == 0);
      }
      assert_true(bits >> layout.place_bits[kind] == 0);
    }
  }
}

// low counts first: place p of the product is place p % n of low and p / n of
// high, for the n of low; and so for indices.
static void check_product(const TileLayout *low, const TileLayout *high,
                          const TileLayout *product) {
  LayoutPlace place = {0};
  do {
    LayoutPlace inner, outer;
    for (PlaceKind i = 0; i < N_PLACES; i++) {
      inner.of[i] = place.of[i] % layout_count(low, i);
      outer.of[i] = place.of[i] / layout_count(low, i);
    }
    TileIndex index = layout_at(product, &place);
    TileIndex at_low = layout_at(low, &inner);
    TileIndex at_high = layout_at(high, &outer);
    for (uint32_t i = 0; i < low->rank; i++)
      assert_int_equal(index.of[i],
                       at_low.of[i] + at_high.of[i] * layout_extent(low, i));
  } while (next_place(product, &place));
}

static void products_are_divided(void **state) {
  (void)state;
  seed = 14;
  int n_products = 0;
  while (n_products < LAYOUTS / 20) {
    TileLayout low = random_layout(false), high = random_layout(true), got;
    if (low.rank != high.rank)
      continue;
    n_products++;
    TileLayout product = layout_product(&low, &high);
    check_product(&low, &high, &product);
    assert_true(layout_divide_low(&product, &low, &got));
    check_product(&low, &got, &product);
    assert_true(layout_divide_high(&product, &high, &got));
    check_product(&got, &high, &product);
  }
}

// By enumeration: the index of each place is that of its low part plus a
// multiple that depends on its high part only.
static bool is_multiple(const TileLayout *whole, const TileLayout *low) {
  LayoutPlace place = {0};
  do {
    LayoutPlace inner, outer;
    for (PlaceKind i = 0; i < N_PLACES; i++) {
      inner.of[i] = place.of[i] % layout_count(low, i);
      outer.of[i] = place.of[i] - inner.of[i];
    }
    TileIndex index = layout_at(whole, &place);
    TileIndex at_low = layout_at(low, &inner);
    TileIndex at_high = layout_at(whole, &outer);
    for (uint32_t i = 0; i < whole->rank; i++) {
      uint32_t n = layout_extent(low, i);
      if (index.of[i] % n != at_low.of[i] ||
          index.of[i] / n != at_high.of[i] / n)
        return false;
    }
  } while (next_place(whole, &place));
  return true;
}

// low could be a factor by its size; no digit stands among its bits.
static bool is_smaller(const TileLayout *low, const TileLayout *whole) {
  bool is_smaller = low->rank == whole->rank;
  for (uint32_t i = 0; is_smaller && i < low->rank; i++)
    is_smaller = low->bits[i] <= whole->bits[i];
  for (PlaceKind i = 0; i < N_PLACES; i++)
    is_smaller = is_smaller && low->place_bits[i] <= whole->place_bits[i];
  for (uint32_t i = 0; i < whole->n_odds; i++)
    is_smaller = is_smaller &&
                 whole->odds[i].below >= low->place_bits[whole->odds[i].place];
  return is_smaller;
}

static void only_products_are_divided(void **state) {
  (void)state;
  seed = 15;
  int n_found = 0, n_refused = 0;
  while (n_found < LAYOUTS / 20 || n_refused < LAYOUTS) {
    TileLayout whole = random_layout(true), low = random_layout(false), got;
    bool divides = is_smaller(&low, &whole) && is_multiple(&whole, &low);
    assert_int_equal(layout_divide_low(&whole, &low, &got), divides);
    if (divides)
      check_product(&low, &got, &whole);
    TileLayout high = random_layout(true);
    if (layout_divide_high(&whole, &high, &got))
      check_product(&got, &high, &whole);
    n_found += divides && low.map.n_in > 0;
    n_refused += !divides;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(questions_are_answered_as_by_counting),
      cmocka_unit_test(runs_are_the_longest),
      cmocka_unit_test(copy_bits_are_those_that_move_nothing),
      cmocka_unit_test(products_are_divided),
      cmocka_unit_test(only_products_are_divided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
