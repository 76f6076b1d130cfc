// SPDX-License-Identifier: Apache-2.0
// Maps and spaces of bits against enumeration of all their vectors.
#include "tile/layout/bit_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { MOST = 6, VECTORS = 1 << MOST, MAPS = 10000 };

static uint64_t seed;

static uint64_t draw(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed * UINT64_C(0x2545F4914F6CDD1D) >> 20;
}

static uint32_t draw_below(uint32_t n) {
  return (uint32_t)(draw() % n);
}

static BitMap random_map(uint32_t n_in, uint32_t n_out) {
  BitMap map = {.n_in = n_in, .n_out = n_out};
  for (uint32_t i = 0; i < n_in; i++) // often dependent, often 0
    map.columns[i] = draw() & draw() & bit_mask(n_out);
  return map;
}

static uint64_t by_columns(const BitMap *map, uint64_t in) {
  uint64_t out = 0;
  for (uint32_t i = 0; i < map->n_in; i++)
    out ^= (in >> i & 1) * map->columns[i];
  return out;
}

// Bit v of a set: vector v is a member.
static uint64_t members(const BitSpace *space) {
  uint64_t set = 0;
  for (uint64_t i = 0; i < UINT64_C(1) << space->dim; i++) {
    uint64_t v = bit_space_vector(space, i);
    assert_false(set >> v & 1);
    set |= UINT64_C(1) << v;
  }
  return set;
}

static BitSpace random_space(uint32_t n) {
  BitSpace space = {0};
  for (uint32_t left = draw_below(n + 1); left > 0; left--)
    bit_space_add(&space, draw() & bit_mask(n));
  return space;
}

static void maps_apply_and_compose(void **state) {
  (void)state;
  seed = 1;
  for (int turn = 0; turn < MAPS; turn++) {
    uint32_t n[3] = {draw_below(MOST + 1), draw_below(MOST + 1),
                     draw_below(MOST + 1)};
    BitMap inner = random_map(n[0], n[1]), outer = random_map(n[1], n[2]);
    BitMap both = bit_map_compose(&outer, &inner);
    for (uint64_t v = 0; v < UINT64_C(1) << n[0]; v++) {
      assert_int_equal(bit_map_apply(&inner, v), by_columns(&inner, v));
      assert_int_equal(bit_map_apply(&both, v),
                       by_columns(&outer, by_columns(&inner, v)));
    }
  }
}

// All solutions are looked for by trying every vector.
static void maps_are_solved_and_inverted(void **state) {
  (void)state;
  seed = 2;
  for (int turn = 0; turn < MAPS; turn++) {
    uint32_t n_in = draw_below(MOST + 1), n_out = draw_below(MOST + 1);
    BitMap map = random_map(n_in, n_out), inverse = bit_map_invert(&map);
    assert_int_equal(inverse.n_in, n_out);
    assert_int_equal(inverse.n_out, n_in);
    uint64_t mask = draw() & bit_mask(n_in), reached = 0, reached_all = 0;
    for (uint64_t v = 0; v < UINT64_C(1) << n_in; v++) {
      reached_all |= UINT64_C(1) << by_columns(&map, v);
      reached |= v & ~mask ? 0 : UINT64_C(1) << by_columns(&map, v);
    }
    uint64_t solutions[VECTORS];
    for (uint64_t out = 0; out < UINT64_C(1) << n_out; out++) {
      bool is_solved = bit_map_solve(&map, mask, out, &solutions[out]);
      assert_int_equal(is_solved, reached >> out & 1);
      if (is_solved) {
        assert_int_equal(solutions[out] & ~mask, 0);
        assert_int_equal(by_columns(&map, solutions[out]), out);
      }
      if (reached_all >> out & 1)
        assert_int_equal(by_columns(&map, by_columns(&inverse, out)), out);
    }
    for (uint64_t a = 0; a < UINT64_C(1) << n_out; a++) { // linear
      for (uint64_t b = 0; b < a; b++) {
        if (reached >> a & reached >> b & 1)
          assert_int_equal(solutions[a ^ b], solutions[a] ^ solutions[b]);
      }
    }
  }
}

static void maps_have_kernels_and_images(void **state) {
  (void)state;
  seed = 3;
  for (int turn = 0; turn < MAPS; turn++) {
    uint32_t n_in = draw_below(MOST + 1), n_out = draw_below(MOST + 1);
    BitMap map = random_map(n_in, n_out);
    BitSpace in = random_space(n_in), out = random_space(n_out);
    uint64_t in_set = members(&in), out_set = members(&out);
    uint64_t image = 0, preimage = 0, kernel = 0;
    for (uint64_t v = 0; v < UINT64_C(1) << n_in; v++) {
      uint64_t to = by_columns(&map, v);
      image |= (in_set >> v & 1) << to;
      preimage |= (out_set >> to & 1) << v;
      kernel |= (uint64_t)(to == 0) << v;
    }
    BitSpace got = bit_map_image(&map, &in);
    assert_true(members(&got) == image);
    got = bit_map_preimage(&map, &out);
    assert_true(members(&got) == preimage);
    got = bit_map_kernel(&map);
    assert_true(members(&got) == kernel);
  }
}

static uint64_t sum_set(uint64_t a, uint64_t b) {
  uint64_t sums = 0;
  for (uint32_t i = 0; i < VECTORS; i++)
    for (uint32_t k = 0; k < VECTORS; k++)
      sums |= (a >> i & b >> k & 1) << (i ^ k);
  return sums;
}

static void spaces_are_added_met_and_completed(void **state) {
  (void)state;
  seed = 4;
  for (int turn = 0; turn < MAPS; turn++) {
    BitSpace whole = random_space(MOST);
    BitSpace a = {0}, b = {0};
    for (uint32_t i = draw_below(5); i > 0; i--)
      bit_space_add(&a, bit_space_vector(&whole, draw_below(VECTORS)));
    for (uint32_t i = draw_below(5); i > 0; i--)
      bit_space_add(&b, bit_space_vector(&whole, draw_below(VECTORS)));
    uint64_t a_set = members(&a), b_set = members(&b);
    BitSpace sum = bit_space_sum(&a, &b), meet = bit_space_meet(&a, &b);
    assert_true(members(&sum) == sum_set(a_set, b_set));
    assert_true(members(&meet) == (a_set & b_set));
    for (uint64_t v = 0; v < VECTORS; v++)
      assert_int_equal(bit_space_reduce(&a, v) == 0, a_set >> v & 1);

    BitSpace rest = bit_space_complement(&a, &whole);
    assert_true((members(&rest) & a_set) == 1);
    assert_true(sum_set(members(&rest), a_set) == members(&whole));
    BitSpace apart = bit_space_apart(&a, &b, &whole);
    uint32_t larger = a.dim > b.dim ? a.dim : b.dim;
    assert_int_equal(apart.dim, whole.dim - larger);
    assert_true((members(&apart) & a_set) == 1);
    assert_true((members(&apart) & b_set) == 1);
    assert_true((members(&apart) & ~members(&whole)) == 0);
  }
}

static void wide_vectors_work(void **state) {
  (void)state;
  seed = 5;
  BitMap map = {.n_in = 64, .n_out = 64};
  do
    for (uint32_t i = 0; i < 64; i++)
      map.columns[i] = draw() ^ draw() << 32;
  while (bit_map_kernel(&map).dim > 0);
  BitMap inverse = bit_map_invert(&map);
  BitMap one = bit_map_compose(&inverse, &map);
  for (uint32_t i = 0; i < 64; i++)
    assert_true(one.columns[i] == UINT64_C(1) << i);
  BitSpace all = bit_space_of(UINT64_MAX), image = bit_map_image(&map, &all);
  assert_int_equal(image.dim, 64);
  assert_true(bit_mask(0) == 0 && bit_mask(63) == UINT64_MAX >> 1 &&
              bit_mask(64) == UINT64_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_apply_and_compose),
      cmocka_unit_test(maps_are_solved_and_inverted),
      cmocka_unit_test(maps_have_kernels_and_images),
      cmocka_unit_test(spaces_are_added_met_and_completed),
      cmocka_unit_test(wide_vectors_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
