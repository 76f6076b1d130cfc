// SPDX-License-Identifier: Apache-2.0
// Operations of tiles that move elements, on random shapes: compared with loops
// that compute each element's indices by division.
#include "tile_kernel.h"

enum { MOST_ELEMENTS = 1 << 17, TRIES = 60 };

// A kernel that loads @a (i32) whole as %10, makes %11 and stores it to @o.
// %9 is -7.
typedef struct {
  Arena *arena;
  uint32_t rank, extents[MOST_RANK];       // of @a
  uint32_t to_rank, to_extents[MOST_RANK]; // of @o
  TypeList types;
  int32_t *a, *o, *want;
} Moved;

static Moved moved_new(uint64_t *random) {
  Moved moved = {.arena = arena_new()};
  moved.types.arena = moved.arena;
  moved.rank = moved.to_rank = random_shape(random, moved.extents);
  memcpy(moved.to_extents, moved.extents, sizeof moved.extents);
  moved.a = ARENA_ARRAY(moved.arena, int32_t, MOST_ELEMENTS);
  moved.o = ARENA_ARRAY(moved.arena, int32_t, MOST_ELEMENTS);
  moved.want = ARENA_ARRAY(moved.arena, int32_t, MOST_ELEMENTS);
  for (int i = 0; i < MOST_ELEMENTS; i++)
    moved.a[i] = (int32_t)next_random(random);
  return moved;
}

static const char *type_from(Moved *moved) {
  return type_of(&moved->types, "i32", moved->rank, moved->extents);
}

static const char *type_to(Moved *moved) {
  return type_of(&moved->types, "i32", moved->to_rank, moved->to_extents);
}

static uint64_t count_to(const Moved *moved) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < moved->to_rank; i++)
    count *= moved->to_extents[i];
  return count;
}

static void moved_run(Moved *moved, const char *operation) {
  Arena *arena = moved->arena;
  TileKernel kernel = {
      .body = arena_printf(
          arena,
          "%%9 = const i32 -7 %%10 = tile_load %s @a%s\n"
          "%s\n tile_store @o%s = %%11",
          type_from(moved), whole_text(arena, moved->rank, moved->extents),
          operation, whole_text(arena, moved->to_rank, moved->to_extents)),
      .arrays = {{"a", "i32", moved->a, 4, moved->rank, {0}},
                 {"o", "i32", moved->o, 4, moved->to_rank, {0}}},
      .n_arrays = 2};
  kernel.types = moved->types.text;
  memcpy(kernel.arrays[0].extents, moved->extents, sizeof moved->extents);
  memcpy(kernel.arrays[1].extents, moved->to_extents, sizeof moved->extents);
  expect_done(&kernel);
  expect_bytes(kernel.body, moved->o, moved->want, count_to(moved), 4);
  arena_free(arena);
}

// Indices of element `number` of the result.
static void moved_at(const Moved *moved, uint64_t number, uint32_t *at) {
  for (uint32_t i = 0; i < moved->to_rank; i++)
    at[i] = index_of(number, moved->to_rank, moved->to_extents, i);
}

static int32_t moved_from(const Moved *moved, const uint32_t *at) {
  return moved->a[number_of(moved->rank, moved->extents, at)];
}

static void permutes(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t order[MOST_RANK] = {0, 1, 2, 3, 4};
  for (uint32_t i = moved.rank - 1; i > 0; i--) {
    uint32_t k = next_random(random) % (i + 1), swapped = order[i];
    order[i] = order[k];
    order[k] = swapped;
  }
  for (uint32_t i = 0; i < moved.rank; i++)
    moved.to_extents[i] = moved.extents[order[i]];
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    uint32_t at[MOST_RANK], from[MOST_RANK];
    moved_at(&moved, i, at);
    for (uint32_t k = 0; k < moved.rank; k++)
      from[order[k]] = at[k];
    moved.want[i] = moved_from(&moved, from);
  }
  moved_run(&moved, arena_printf(moved.arena, "%%11 = tile_permute %s %s %%10",
                                 type_to(&moved),
                                 shape_text(moved.arena, moved.rank, order)));
}

static void flips(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t axis = next_random(random) % moved.rank;
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    uint32_t at[MOST_RANK];
    moved_at(&moved, i, at);
    at[axis] = moved.extents[axis] - 1 - at[axis];
    moved.want[i] = moved_from(&moved, at);
  }
  moved_run(&moved,
            arena_printf(moved.arena, "%%11 = tile_flip %s axis %u %%10",
                         type_to(&moved), axis));
}

static void rolls(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t axis = next_random(random) % moved.rank, n = moved.extents[axis];
  int32_t distance = (int32_t)(next_random(random) % 200) - 100;
  if (next_random(random) % 8 == 0)
    distance = next_random(random) % 2 ? INT32_MIN : INT32_MAX;
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    uint32_t at[MOST_RANK];
    moved_at(&moved, i, at);
    int64_t place = ((int64_t)at[axis] - distance) % n;
    at[axis] = (uint32_t)(place < 0 ? place + n : place);
    moved.want[i] = moved_from(&moved, at);
  }
  moved_run(&moved,
            arena_printf(moved.arena, "%%11 = tile_roll %s axis %u [%d] %%10",
                         type_to(&moved), axis, distance));
}

// A random part of all indices.
static void random_part(uint64_t *random, const Moved *moved, uint32_t *part,
                        uint32_t *begin) {
  for (uint32_t i = 0; i < moved->rank; i++) {
    part[i] = random_extent(random, moved->extents[i]);
    begin[i] = next_random(random) % (moved->extents[i] - part[i] + 1);
  }
}

static void extracts(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t begin[MOST_RANK];
  random_part(random, &moved, moved.to_extents, begin);
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    uint32_t at[MOST_RANK];
    moved_at(&moved, i, at);
    for (uint32_t k = 0; k < moved.rank; k++)
      at[k] += begin[k];
    moved.want[i] = moved_from(&moved, at);
  }
  moved_run(&moved, arena_printf(moved.arena, "%%11 = tile_extract %s %s %%10",
                                 type_to(&moved),
                                 shape_text(moved.arena, moved.rank, begin)));
}

static void inserts(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t part[MOST_RANK], begin[MOST_RANK];
  random_part(random, &moved, part, begin);
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    bool is_inside = true;
    for (uint32_t k = 0; k < moved.rank; k++) {
      uint32_t at = index_of(i, moved.rank, moved.extents, k);
      is_inside &= at >= begin[k] && at < begin[k] + part[k];
    }
    moved.want[i] = is_inside ? -7 : moved.a[i];
  }
  moved_run(&moved, arena_printf(moved.arena,
                                 "%%12 = tile_broadcast %s %%9\n"
                                 "%%11 = tile_insert %s %s %%10, %%12",
                                 type_of(&moved.types, "i32", moved.rank, part),
                                 type_to(&moved),
                                 shape_text(moved.arena, moved.rank, begin)));
}

// The smaller shape is loaded.
static void pads(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t begin[MOST_RANK];
  random_part(random, &moved, moved.extents, begin);
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    uint32_t at[MOST_RANK];
    moved_at(&moved, i, at);
    moved.want[i] = -7;
    bool is_inside = true;
    for (uint32_t k = 0; k < moved.rank; k++)
      is_inside &= at[k] < moved.extents[k];
    if (is_inside)
      moved.want[i] = moved_from(&moved, at);
  }
  moved_run(&moved, arena_printf(moved.arena, "%%11 = tile_pad %s %%10, %%9",
                                 type_to(&moved)));
}

// Three operands along an axis: the whole, -7 and the whole again.
static void cats(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t axis = next_random(random) % moved.rank, middle[MOST_RANK];
  memcpy(middle, moved.extents, sizeof middle);
  moved.extents[axis] = middle[axis] = 1u << next_random(random) % 4;
  middle[axis] *= next_random(random) % 2 ? 1 : 3;
  moved.to_extents[axis] = 2 * moved.extents[axis] + middle[axis];
  if (!ir_tile_extent_fits(moved.to_extents[axis]))
    moved.to_extents[axis] =
        2 * moved.extents[axis] + (middle[axis] = moved.extents[axis]);
  uint32_t n = moved.extents[axis];
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    uint32_t at[MOST_RANK];
    moved_at(&moved, i, at);
    bool is_middle = at[axis] >= n && at[axis] < n + middle[axis];
    at[axis] = at[axis] < n ? at[axis] : at[axis] - n - middle[axis];
    moved.want[i] = is_middle ? -7 : moved_from(&moved, at);
  }
  moved_run(&moved,
            arena_printf(moved.arena,
                         "%%12 = tile_broadcast %s %%9\n"
                         "%%11 = tile_cat %s axis %u %%10, %%12, %%10",
                         type_of(&moved.types, "i32", moved.rank, middle),
                         type_to(&moved), axis));
}

// Axes of extent 1 grow, and new ones come before.
static void broadcasts(uint64_t *random) {
  Moved moved = moved_new(random);
  uint32_t left_out = next_random(random) % moved.rank;
  moved.rank -= left_out;
  for (uint32_t i = 0; i < moved.rank; i++)
    moved.extents[i] =
        next_random(random) % 2 ? 1 : moved.to_extents[left_out + i];
  for (uint64_t i = 0; i < count_to(&moved); i++) {
    uint32_t at[MOST_RANK], from[MOST_RANK];
    moved_at(&moved, i, at);
    for (uint32_t k = 0; k < moved.rank; k++)
      from[k] = moved.extents[k] == 1 ? 0 : at[left_out + k];
    moved.want[i] = moved_from(&moved, from);
  }
  moved_run(&moved, arena_printf(moved.arena, "%%11 = tile_broadcast %s %%10",
                                 type_to(&moved)));
}

// All dimensions become one, and are taken apart in the order from the end.
static void reshapes(uint64_t *random) {
  Moved moved = moved_new(random);
  for (uint32_t i = 0; i < moved.rank; i++)
    moved.to_extents[i] = moved.extents[moved.rank - 1 - i];
  memcpy(moved.want, moved.a, count_to(&moved) * sizeof *moved.a);
  moved_run(&moved, arena_printf(moved.arena, "%%11 = tile_reshape %s %%10",
                                 type_to(&moved)));
}

static void random_moves(void **state) {
  (void)state;
  static void (*const moves[])(uint64_t * random) = {
      permutes, flips, rolls,      extracts, inserts,
      pads,     cats,  broadcasts, reshapes,
  };
  uint64_t random = 25;
  for (int i = 0; i < TRIES; i++)
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++)
      moves[k](&random);
}

static void iota_and_a_million_elements(void **state) {
  (void)state;
  int32_t *o = calloc(1 << 20, sizeof *o);
  TileKernel kernel = {
      .types = "tile i32[1048576] tile i32[1024, 1024]",
      .body = "%9 = tile_iota tile.0 %10 = tile_reshape tile.1 %9\n"
              "%11 = tile_permute tile.1 [1, 0] %10 %12 = add tile.1 %11, %10\n"
              "tile_store @o[%0 : 1024, %0 : 1024] = %12",
      .arrays = {{"o", "i32", o, 4, 2, {1024, 1024}}},
      .n_arrays = 1};
  expect_done(&kernel);
  for (int i = 0; i < 1 << 20; i++) {
    int row = i / 1024, column = i % 1024;
    if (o[i] != (row + column) * 1025)
      fail_msg("o[%d][%d] is %d", row, column, o[i]);
  }
  free(o);
}

// ---------------------------------------------------------------- bitcasts

static void bitcasts_are_little_endian(void **state) {
  (void)state;
  static const uint8_t bytes[16] = {1, 2,  3,  4,  5,  6,  7,  8,
                                    9, 10, 11, 12, 13, 14, 15, 16};

  static const struct {
    const char *type;
    uint32_t size;
  } types[] = {{"i8", 1},   {"i16", 2}, {"i32", 4}, {"i64", 8},  {"f16", 2},
               {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"e4m3", 1}, {"e5m2", 1}};

  enum { COUNT = sizeof types / sizeof *types };

  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < COUNT; k++) {
      Arena *arena = arena_new();
      TypeList list = {.arena = arena};
      uint32_t from[] = {2, 8 / types[i].size}, to[] = {2, 8 / types[k].size};
      uint8_t o[16] = {0}, a[16];
      memcpy(a, bytes, sizeof a);
      const char *body = arena_printf(
          arena,
          "%%10 = tile_load %s @a%s %%11 = tile_bitcast %s %%10\n"
          "tile_store @o%s = %%11",
          type_of(&list, types[i].type, 2, from), whole_text(arena, 2, from),
          type_of(&list, types[k].type, 2, to), whole_text(arena, 2, to));
      TileKernel kernel = {
          .types = list.text,
          .body = body,
          .arrays =
              {{"a", types[i].type, a, types[i].size, 2, {from[0], from[1]}},
               {"o", types[k].type, o, types[k].size, 2, {to[0], to[1]}}},
          .n_arrays = 2};
      expect_done(&kernel);
      assert_memory_equal(o, bytes, sizeof o);
      arena_free(arena);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_moves),
      cmocka_unit_test(iota_and_a_million_elements),
      cmocka_unit_test(bitcasts_are_little_endian),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
