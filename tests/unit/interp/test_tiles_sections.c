// SPDX-License-Identifier: Apache-2.0
// Sections of arrays as tiles: random ones of each kind of index against loops
// with 128-bit indices, and the edges by hand.
#include "tile_kernel.h"

enum { TRIES = 2000 };

__extension__ typedef __int128 Wide;

static const struct {
  const char *name, *outside;
  uint32_t size;
  uint64_t bits; // of `outside`
} types[] = {
    {"bool", "1", 1, 1},
    {"i8", "-3", 1, 0xfd},
    {"i16", "-3", 2, 0xfffd},
    {"i32", "-3", 4, 0xfffffffd},
    {"i64", "-3", 8, 0xfffffffffffffffd},
    {"f16", "0x7e00", 2, 0x7e00},
    {"bf16", "0x3fc0", 2, 0x3fc0},
    {"f32", "0xff800000", 4, 0xff800000},
    {"f64", "0x3ff8000000000000", 8, 0x3ff8000000000000},
    {"e4m3", "0x7f", 1, 0x7f},
    {"e5m2", "0x3c", 1, 0x3c},
};

enum { TYPES = sizeof types / sizeof *types };

// ---------------------------------------------------------- random sections

typedef enum { LOADS, STORES, ADDS, SWAPS } Action;

typedef struct {
  Arena *arena;
  uint64_t random;
  int type;
  Action action;
  TypeList list;
  uint32_t array_rank, array_extents[MOST_RANK];
  IrSectionKind kind[MOST_RANK];
  int64_t first[MOST_RANK], low[MOST_RANK], high[MOST_RANK];
  uint32_t index_bits[MOST_RANK];
  uint32_t gather_rank, gather_extents[MOST_RANK];
  uint32_t rank, extents[MOST_RANK + 2]; // of the tile; one that fits has 5
  uint32_t axis[MOST_RANK];              // of a range; of the first gathered
  uint64_t gather_count, count;
  bool has_view, has_mask, has_pad;
  int64_t *gathered; // [dimension][element]
  uint8_t *a, *o, *other, *mask, *want_a, *want_o;
} Case;

static uint32_t pick(Case *c, uint32_t n) {
  return next_random(&c->random) % n;
}

// Around both ends of the array, or somewhere far away.
static int64_t random_index(Case *c, uint32_t bits, uint32_t extent) {
  static const int64_t far[] = {INT64_MIN,        INT64_MIN + 2,      INT64_MAX,
                                INT64_MAX - 2,    INT32_MIN,          INT32_MAX,
                                (int64_t)1 << 32, -((int64_t)1 << 32)};
  int64_t value = (int64_t)pick(c, extent + 8) - 5;
  if (pick(c, 12) == 0)
    value = far[pick(c, 8)];
  if (bits < 64) // as it is in the narrower type
    value = (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
  return value;
}

static void add_axes(Case *c, uint32_t count, const uint32_t *extents) {
  for (uint32_t i = 0; i < count; i++)
    c->extents[c->rank++] = extents[i];
}

static void choose_dimensions(Case *c) {
  bool has_gathered = false;
  c->rank = 0;
  for (uint32_t i = 0; i < c->array_rank; i++) {
    c->kind[i] = (IrSectionKind)pick(c, 3);
    c->index_bits[i] =
        c->kind[i] != SECTION_GATHER ? 32u << pick(c, 2) : 8u << pick(c, 4);
    c->first[i] = random_index(c, c->index_bits[i], c->array_extents[i]);
    c->axis[i] = c->rank;
    if (c->kind[i] == SECTION_RANGE)
      add_axes(c, 1, (uint32_t[]){random_extent(&c->random, 7)});
    if (c->kind[i] == SECTION_GATHER && !has_gathered) {
      has_gathered = true;
      add_axes(c, c->gather_rank, c->gather_extents);
    }
  }
}

static uint8_t *random_bytes(Case *c, uint64_t size) {
  uint8_t *bytes = arena_alloc(c->arena, size);
  for (uint64_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(next_random(&c->random) >> 5);
  return bytes;
}

static void choose_contents(Case *c) {
  uint64_t n_array = 1;
  c->count = c->gather_count = 1;
  for (uint32_t i = 0; i < c->rank; i++)
    c->count *= c->extents[i];
  for (uint32_t i = 0; i < c->gather_rank; i++)
    c->gather_count *= c->gather_extents[i];
  for (uint32_t i = 0; i < c->array_rank; i++)
    n_array *= c->array_extents[i];
  c->gathered = ARENA_ARRAY(c->arena, int64_t, MOST_RANK * c->gather_count);
  for (uint32_t i = 0; i < c->array_rank; i++)
    for (uint64_t k = 0; k < c->gather_count; k++)
      c->gathered[i * c->gather_count + k] =
          random_index(c, c->index_bits[i], c->array_extents[i]);
  uint32_t size = types[c->type].size;
  c->a = random_bytes(c, n_array * size);
  c->o = random_bytes(c, c->count * size);
  c->other = random_bytes(c, c->count * size);
  for (uint64_t i = 0; i < c->count * size && c->action == SWAPS; i++)
    c->o[i] = c->a[i % (n_array * size)]; // some compare equal
  c->mask = random_bytes(c, c->count);
  for (uint64_t i = 0; i < c->count; i++)
    c->mask[i] = c->mask[i] % 4 ? c->mask[i] | 1 : 0;
  c->want_a = arena_copy(c->arena, c->a, n_array * size);
  c->want_o = arena_alloc(c->arena, c->count * size);
}

static Case random_case(uint64_t seed) {
  Case c = {.arena = arena_new(), .random = seed * 977 + 5};
  c.list.arena = c.arena;
  c.action = (Action)pick(&c, 4);
  c.type = (int)pick(&c, TYPES);
  if (c.action >= ADDS)
    c.type = pick(&c, 2) ? 3 : 4;
  c.array_rank = 1 + pick(&c, MOST_RANK);
  for (uint32_t i = 0; i < c.array_rank; i++)
    c.array_extents[i] = 1 + pick(&c, 6);
  c.gather_rank = 1 + pick(&c, 2);
  for (uint32_t i = 0; i < c.gather_rank; i++)
    c.gather_extents[i] = random_extent(&c.random, 6);
  do
    choose_dimensions(&c);
  while (c.rank == 0 || c.rank > MOST_RANK);
  c.has_view = pick(&c, 2);
  c.has_mask = pick(&c, 2);
  c.has_pad = c.action == LOADS && pick(&c, 2);
  for (uint32_t i = 0; i < c.array_rank; i++) {
    c.low[i] = c.has_view ? random_index(&c, 64, c.array_extents[i]) : 0;
    c.high[i] = c.has_view ? random_index(&c, 64, c.array_extents[i])
                           : c.array_extents[i];
  }
  choose_contents(&c);
  return c;
}

// ------------------------------------------------------------------- oracle

// Where element `number` of the tile is; -1: outside or masked.
static int64_t place_of(const Case *c, uint64_t number) {
  Wide place = 0;
  if (c->has_mask && !c->mask[number])
    return -1;
  for (uint32_t i = 0; i < c->array_rank; i++) {
    Wide index = c->first[i];
    if (c->kind[i] == SECTION_RANGE)
      index += index_of(number, c->rank, c->extents, c->axis[i]);
    if (c->kind[i] == SECTION_GATHER) {
      uint32_t first = 0; // gathered dimension
      while (c->kind[first] != SECTION_GATHER)
        first++;
      uint64_t among = 0;
      for (uint32_t k = 0; k < c->gather_rank; k++)
        among = among * c->gather_extents[k] +
                index_of(number, c->rank, c->extents, c->axis[first] + k);
      index = c->gathered[i * c->gather_count + among];
    }
    if (c->has_view)
      index += c->low[i];
    if (index < 0 || index >= c->array_extents[i] || index < c->low[i] ||
        index >= c->high[i])
      return -1;
    place = place * c->array_extents[i] + index;
  }
  return (int64_t)place;
}

static void update(const Case *c, uint64_t number, int64_t place) {
  uint32_t size = types[c->type].size;
  uint64_t old = 0, given = 0, other = 0;
  uint8_t *at = c->want_a + (uint64_t)place * size;
  memcpy(&old, at, size);
  memcpy(&given, c->o + number * size, size);
  memcpy(&other, c->other + number * size, size);
  memcpy(c->want_o + number * size, &old, size);
  uint64_t made = c->action == ADDS ? old + given : old == given ? other : old;
  memcpy(at, &made, size);
}

static void compute(const Case *c) {
  uint32_t size = types[c->type].size;
  bool is_bool = c->type == 0;
  for (uint64_t i = 0; i < c->count; i++) {
    int64_t place = place_of(c, i);
    uint8_t *out = c->want_o + i * size;
    if (c->action >= ADDS && place >= 0) {
      update(c, i, place);
    } else if (c->action == STORES) {
      memcpy(out, c->o + i * size, size);
      if (place >= 0)
        memcpy(c->want_a + (uint64_t)place * size, out, size);
      if (place >= 0 && is_bool)
        c->want_a[place] = *out != 0;
    } else if (place >= 0) {
      memcpy(out, c->a + (uint64_t)place * size, size);
      *out = is_bool ? *out != 0 : *out;
    } else if (c->has_pad) {
      memcpy(out, &types[c->type].bits, size);
    }
  }
}

// --------------------------------------------------------------------- text

static void add_index_nodes(Case *c, Text *text) {
  for (uint32_t i = 0; i < c->array_rank; i++) {
    if (c->kind[i] != SECTION_GATHER) {
      text_printf(text, "%%%u = const i%u %lld\n", 20 + i, c->index_bits[i],
                  (long long)c->first[i]);
      continue;
    }
    uint32_t wide = c->index_bits[i] == 64 ? 20 + i : 30 + i;
    text_printf(text, "%%%u = const i32 %u\n", 40 + i, i);
    text_printf(text, "%%%u = tile_load %s @g[%%%u, %s\n", wide,
                type_of(&c->list, "i64", c->gather_rank, c->gather_extents),
                40 + i,
                whole_text(c->arena, c->gather_rank, c->gather_extents) + 1);
    const char *narrow = arena_printf(c->arena, "i%u", c->index_bits[i]);
    if (c->index_bits[i] != 64)
      text_printf(text, "%%%u = trunc %s %%%u\n", 20 + i,
                  type_of(&c->list, narrow, c->gather_rank, c->gather_extents),
                  wide);
  }
  for (uint32_t i = 0; i < 2 * c->array_rank && c->has_view; i++)
    text_printf(text, "%%%u = const i64 %lld\n", 50 + i,
                (long long)(i % 2 ? c->high : c->low)[i / 2]);
}

static void add_section(Case *c, Text *text) {
  for (uint32_t i = 0; i < c->array_rank; i++) {
    text_printf(text, "%s%s%%%u", i ? ", " : "@a[",
                c->kind[i] == SECTION_GATHER ? "* " : "", 20 + i);
    if (c->kind[i] == SECTION_RANGE)
      text_printf(text, " : %u", c->extents[c->axis[i]]);
  }
  text_printf(text, "]%s%s%s", c->has_view ? " view" : "",
              c->has_mask ? " mask" : "", c->has_pad ? " pad" : "");
  if (c->action >= ADDS)
    text_printf(text, " order relaxed scope device%s",
                c->action == ADDS ? " rmw add" : "");
  const char *separator = " = ";
  for (uint32_t i = 0; i < 2 * c->array_rank && c->has_view; i++) {
    text_printf(text, "%s%%%u", separator, 50 + i);
    separator = ", ";
  }
  if (c->has_mask)
    text_printf(text, "%s%%11", separator);
  separator = c->has_mask ? ", " : separator;
  if (c->has_pad)
    text_printf(text, "%s%%12", separator);
  if (c->action != LOADS)
    text_printf(text, "%s%%10", separator);
  if (c->action == SWAPS)
    text_add(text, ", %13");
  text_add(text, "\n");
}

static const char *case_body(Case *c) {
  Text text = {.arena = c->arena};
  const char *whole = whole_text(c->arena, c->rank, c->extents);
  const char *name = types[c->type].name;
  const char *type = type_of(&c->list, name, c->rank, c->extents);
  text_printf(&text, "%%10 = tile_load %s @o%s\n", type, whole);
  text_printf(&text, "%%11 = tile_load %s @m%s\n",
              type_of(&c->list, "bool", c->rank, c->extents), whole);
  text_printf(&text, "%%12 = const %s %s\n", name, types[c->type].outside);
  text_printf(&text, "%%13 = tile_load %s @n%s\n", type, whole);
  add_index_nodes(c, &text);
  static const char *const words[] = {"tile_load", "tile_store", "tile_rmw",
                                      "tile_cas"};
  if (c->action == STORES)
    text_add(&text, "tile_store ");
  else
    text_printf(&text, "%%14 = %s %s ", words[c->action], type);
  add_section(c, &text);
  if (c->action != STORES)
    text_printf(&text, "tile_store @o%s = %%14\n", whole);
  return text_cstr(&text);
}

static void run_case(uint64_t seed) {
  Case c = random_case(seed);
  compute(&c);
  const char *body = case_body(&c);
  uint32_t size = types[c.type].size;
  const char *name = types[c.type].name;
  TileKernel kernel = {
      .types = c.list.text,
      .body = body,
      .arrays = {{"a", name, c.a, size, c.array_rank, {0}},
                 {"o", name, c.o, size, c.rank, {0}},
                 {"n", name, c.other, size, c.rank, {0}},
                 {"m", "bool", c.mask, 1, c.rank, {0}},
                 {"g", "i64", c.gathered, 8, 1 + c.gather_rank, {MOST_RANK}}},
      .n_arrays = c.gather_rank < MOST_RANK ? 5 : 4};
  memcpy(kernel.arrays[0].extents, c.array_extents, sizeof c.array_extents);
  for (int i = 1; i < 4; i++)
    memcpy(kernel.arrays[i].extents, c.extents, MOST_RANK * sizeof *c.extents);
  for (uint32_t i = 0; i < c.gather_rank; i++)
    kernel.arrays[4].extents[1 + i] = c.gather_extents[i];
  expect_done(&kernel);
  expect_bytes(body, c.a, c.want_a, array_count(&kernel.arrays[0]), size);
  if (c.action != STORES)
    expect_bytes(body, c.o, c.want_o, c.count, size);
  arena_free(c.arena);
}

static void random_sections(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < TRIES; seed++)
    run_case(seed);
}

// ------------------------------------------------------------------ by hand

#define ROW                                                                    \
  .types = "tile i32[4] tile bool[4]",                                         \
  .arrays = {{"a", "i32", a, 4, 1, {4}}, {"o", "i32", o, 4, 1, {4}}},          \
  .n_arrays = 2

static void unchecked_sections_fault(void **state) {
  (void)state;
  int32_t a[4] = {1, 2, 3, 4}, o[4] = {0};

  static const struct {
    const char *body, *words;
  } wrong[] = {
      {"%9 = const i32 1 %10 = tile_load tile.0 @a[%9 : 4] unchecked !1",
       "index 4 is outside dimension 0 of 'a', which has 4 elements"},
      {"%9 = const i64 -1 %10 = tile_load tile.0 @a[%9 : 4] unchecked !1",
       "index -1 is outside dimension 0 of 'a', which has 4 elements"},
      {"%9 = const i64 9223372036854775806 %10 = tile_iota tile.0\n"
       "tile_store @a[%9 : 4] unchecked = %10 !1",
       "index 9223372036854775806 is outside dimension 0 of 'a'"},
      {"%9 = const i64 1 %8 = const i64 3 %7 = const i32 -1\n"
       "%10 = tile_load tile.0 @a[%7 : 4] view unchecked = %9, %8 !1",
       "index 0 is outside dimension 0 of a view of 'a', which has the "
       "elements from 1 up to, not with, 3"},
      {"%9 = const i32 2 %7 = tile_iota tile.0 %8 = tile_broadcast tile.0 %9\n"
       "%6 = mul tile.0 %7, %8 %10 = tile_load tile.0 @a[* %6] unchecked !1",
       "index 4 is outside dimension 0 of 'a'"},
  };

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    TileKernel kernel = {ROW, .body = wrong[i].body};
    TileRun run = run_tiles(&kernel);
    assert_int_equal(run.status, HD_ERROR_TRAP);
    if (!strstr(run.why, wrong[i].words) || !strstr(run.why, "a.hd:3:5"))
      fail_msg("'%s' doesn't say '%s'", run.why, wrong[i].words);
    arena_free(run.arena);
  }
  // Masked elements are nowhere.
  TileKernel kernel = {
      ROW, .body = "%9 = const i32 1 %8 = tile_iota tile.0\n"
                   "%7 = const i32 3 %6 = tile_broadcast tile.0 %7\n"
                   "%5 = slt tile.1 %8, %6\n"
                   "%10 = tile_load tile.0 @a[%9 : 4] mask unchecked = %5\n"
                   "tile_store @o[%0 : 4] = %10"};
  expect_done(&kernel);
  assert_memory_equal(o, ((int32_t[]){2, 3, 4, 0}), sizeof o);
}

// An observer goes on, for which elements outside are as in checked sections.
typedef struct {
  int n_faults, n_reads, n_writes, n_atomic;
  uint64_t first, last;
} Seen;

static bool see_fault(void *context, const Fault *fault,
                      const ObservedThread *thread, const IrNode *node) {
  (void)thread;
  (void)node;
  Seen *seen = context;
  seen->n_faults += fault_kind(fault->code) == FAULT_BOUNDS;
  return true;
}

static void see_access(void *context, const ObservedThread *thread,
                       const ObservedAccess *access) {
  Seen *seen = context;
  assert_int_equal(thread->number, 0);
  assert_int_equal(access->n_bytes, 4);
  seen->n_reads += access->reads;
  seen->n_writes += access->writes;
  seen->n_atomic += access->is_atomic;
  if (!seen->first)
    seen->first = access->address;
  seen->last = access->address;
}

static void observers_see_elements(void **state) {
  (void)state;
  int32_t a[4] = {1, 2, 3, 4}, o[4] = {0};
  Seen seen = {0};
  InterpObserver observer = {
      .context = &seen, .fault = see_fault, .access = see_access};
  TileKernel kernel = {
      ROW, .observer = &observer,
      .body = "%9 = const i32 2 %10 = tile_load tile.0 @a[%9 : 4] unchecked\n"
              "tile_store @o[%0 : 4] = %10\n"
              "%11 = tile_rmw tile.0 @o[%9 : 4] order acq_rel scope device "
              "rmw add = %10"};
  expect_done(&kernel);
  assert_memory_equal(o, ((int32_t[]){3, 4, 3, 4}), sizeof o);
  assert_int_equal(seen.n_faults, 2);
  assert_int_equal(seen.n_reads, 2 + 2);
  assert_int_equal(seen.n_writes, 4 + 2);
  assert_int_equal(seen.n_atomic, 2);
  assert_int_equal(seen.first, (uint64_t)(uintptr_t)&a[2]);
  assert_int_equal(seen.last, (uint64_t)(uintptr_t)&o[3]);
}

// 0 to 255 as i8: from 128 on they are negative, which is outside.
static void index_tiles_are_signed(void **state) {
  (void)state;
  int32_t a[256], o[256];
  for (int i = 0; i < 256; i++)
    a[i] = i + 1;
  TileKernel kernel = {
      .types = "tile i32[256] tile i8[256]",
      .body = "%9 = tile_iota tile.0 %10 = trunc tile.1 %9\n"
              "%11 = tile_load tile.0 @a[* %10]\n"
              "tile_store @o[%0 : 256] = %11",
      .arrays = {{"a", "i32", a, 4, 1, {256}}, {"o", "i32", o, 4, 1, {256}}},
      .n_arrays = 2};
  expect_done(&kernel);
  for (int i = 0; i < 256; i++)
    assert_int_equal(o[i], i < 128 ? i + 1 : 0);
}

// Each block adds to the same elements; the grid's blocks come in order.
static void atomics_of_blocks(void **state) {
  (void)state;
  int32_t a[4] = {0}, o[4] = {0};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    memset(a, 0, sizeof a);
    TileKernel kernel = {
        ROW, .seed = seed, .n_blocks = 7,
        .body = "%9 = tile_iota tile.0 %10 = tile_broadcast tile.0 %2\n"
                "%11 = tile_rmw tile.0 @a[%0 : 4] order relaxed scope device "
                "rmw add = %10\n tile_store @o[%0 : 4] = %11"};
    expect_done(&kernel);
    for (int i = 0; i < 4; i++)
      assert_int_equal(a[i], 21);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_sections),
      cmocka_unit_test(unchecked_sections_fault),
      cmocka_unit_test(observers_see_elements),
      cmocka_unit_test(index_tiles_are_signed),
      cmocka_unit_test(atomics_of_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
