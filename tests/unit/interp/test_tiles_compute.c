// SPDX-License-Identifier: Apache-2.0
// Products, rows of other families element by element, variables, printing, and
// what long runs keep.
#include "tile_kernel.h"

#include "base/float_bits.h"
#include <math.h>

// ----------------------------------------------------------------- products

static const struct {
  const char *a, *b, *to;
  uint32_t a_size, b_size, to_size;
  FloatFormat a_format, b_format, to_format;
} products[] = {
    {"f32", "f32", "f32", 4, 4, 4, FLOAT_F32, FLOAT_F32, FLOAT_F32},
    {"f64", "f64", "f64", 8, 8, 8, FLOAT_F64, FLOAT_F64, FLOAT_F64},
    {"f16", "f16", "f32", 2, 2, 4, FLOAT_F16, FLOAT_F16, FLOAT_F32},
    {"f16", "f16", "f16", 2, 2, 2, FLOAT_F16, FLOAT_F16, FLOAT_F16},
    {"bf16", "bf16", "f32", 2, 2, 4, FLOAT_BF16, FLOAT_BF16, FLOAT_F32},
    {"e4m3", "e4m3", "f32", 1, 1, 4, FLOAT_E4M3, FLOAT_E4M3, FLOAT_F32},
    {"e5m2", "e4m3", "f32", 1, 1, 4, FLOAT_E5M2, FLOAT_E4M3, FLOAT_F32},
    {"e5m2", "e5m2", "f32", 1, 1, 4, FLOAT_E5M2, FLOAT_E5M2, FLOAT_F32},
};

enum { MOST = 1 << 14, TRIES = 40 };

typedef struct {
  Arena *arena;
  uint32_t batch, m, k, n; // batch 0: no such dimension
  TypeList list;
  void *a, *b, *acc, *o;
} Product;

static Product product_new(uint64_t *random) {
  Product p = {.arena = arena_new()};
  p.list.arena = p.arena;
  p.batch = next_random(random) % 3;
  p.m = random_extent(random, 24);
  p.k = random_extent(random, 31);
  p.n = random_extent(random, 24);
  p.a = arena_alloc(p.arena, MOST);
  p.b = arena_alloc(p.arena, MOST);
  p.acc = arena_alloc(p.arena, MOST);
  p.o = arena_alloc(p.arena, MOST);
  return p;
}

static uint32_t batches(const Product *p) {
  return p->batch ? p->batch : 1;
}

static void product_run(Product *p, const char *a, uint32_t a_size,
                        const char *b, uint32_t b_size, const char *to,
                        uint32_t to_size, const char *flag,
                        const char *numbers) {
  uint32_t rank = p->batch ? 3 : 2, skip = p->batch ? 0 : 1;
  uint32_t a_shape[] = {p->batch, p->m, p->k},
           b_shape[] = {p->batch, p->k, p->n};
  uint32_t o_shape[] = {p->batch, p->m, p->n};
  const char *o_type = type_of(&p->list, to, rank, o_shape + skip);
  const char *body = arena_printf(
      p->arena,
      "%%10 = tile_load %s @a%s %%11 = tile_load %s @b%s\n"
      "%%12 = tile_load %s @c%s %%13 = tile_mma%s %s%s %%10, %%11, %%12\n"
      "tile_store @o%s = %%13",
      type_of(&p->list, a, rank, a_shape + skip),
      whole_text(p->arena, rank, a_shape + skip),
      type_of(&p->list, b, rank, b_shape + skip),
      whole_text(p->arena, rank, b_shape + skip), o_type,
      whole_text(p->arena, rank, o_shape + skip), flag, o_type, numbers,
      whole_text(p->arena, rank, o_shape + skip));
  TileKernel kernel = {.body = body,
                       .arrays = {{"a", a, p->a, a_size, rank, {0}},
                                  {"b", b, p->b, b_size, rank, {0}},
                                  {"c", to, p->acc, to_size, rank, {0}},
                                  {"o", to, p->o, to_size, rank, {0}}},
                       .n_arrays = 4};
  kernel.types = p->list.text;
  const uint32_t *shapes[] = {a_shape, b_shape, o_shape, o_shape};
  for (int i = 0; i < 4; i++)
    memcpy(kernel.arrays[i].extents, shapes[i] + skip, rank * 4);
  expect_done(&kernel);
}

static uint64_t bits_at(const void *data, uint64_t number, uint32_t size) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)data + number * size, size);
  return bits;
}

static void fill_floats(uint64_t *random, void *data, uint32_t size,
                        FloatFormat format) {
  for (uint32_t i = 0; i < MOST / size; i++) {
    double value = ((double)next_random(random) / (1u << 30) - 1) *
                   (next_random(random) % 3 ? 1 : 8);
    uint64_t bits = float_bits_from_double(format, value);
    memcpy((char *)data + (size_t)i * size, &bits, size);
  }
}

static void check_floats(const Product *p, int row) {
  uint32_t a_size = products[row].a_size, b_size = products[row].b_size;
  uint32_t to_size = products[row].to_size;
  bool is_double = products[row].to_format == FLOAT_F64;
  for (uint32_t batch = 0; batch < batches(p); batch++)
    for (uint32_t i = 0; i < p->m; i++)
      for (uint32_t j = 0; j < p->n; j++) {
        uint64_t at = ((uint64_t)batch * p->m + i) * p->n + j;
        double start = float_bits_to_double(products[row].to_format,
                                            bits_at(p->acc, at, to_size));
        double wide = start;
        float sum = (float)start;
        for (uint32_t k = 0; k < p->k; k++) {
          uint64_t a_at = ((uint64_t)batch * p->m + i) * p->k + k;
          uint64_t b_at = ((uint64_t)batch * p->k + k) * p->n + j;
          double x = float_bits_to_double(products[row].a_format,
                                          bits_at(p->a, a_at, a_size));
          double y = float_bits_to_double(products[row].b_format,
                                          bits_at(p->b, b_at, b_size));
          wide = fma(x, y, wide);
          sum = fmaf((float)x, (float)y, sum);
        }
        uint64_t want = float_bits_from_double(products[row].to_format,
                                               is_double ? wide : (double)sum);
        assert_int_equal(bits_at(p->o, at, to_size), want);
      }
}

static void float_products(void **state) {
  (void)state;
  uint64_t random = 3;
  for (int i = 0; i < TRIES; i++)
    for (int row = 0; row < (int)(sizeof products / sizeof *products); row++) {
      Product p = product_new(&random);
      fill_floats(&random, p.a, products[row].a_size, products[row].a_format);
      fill_floats(&random, p.b, products[row].b_size, products[row].b_format);
      fill_floats(&random, p.acc, products[row].to_size,
                  products[row].to_format);
      product_run(&p, products[row].a, products[row].a_size, products[row].b,
                  products[row].b_size, products[row].to, products[row].to_size,
                  "", "");
      check_floats(&p, row);
      arena_free(p.arena);
    }
}

// Modulo 2^32, whatever operand is unsigned.
static void integer_products(void **state) {
  (void)state;
  static const char *const numbers[] = {"", " [1]", " [2]", " [3]", ""};
  uint64_t random = 9;
  for (int i = 0; i < TRIES; i++) {
    int form = i % 5;
    bool a_unsigned = form == 1 || form >= 3, b_unsigned = form >= 2;
    Product p = product_new(&random);
    for (int k = 0; k < MOST; k++) {
      ((uint8_t *)p.a)[k] = (uint8_t)(next_random(&random) >> 3);
      ((uint8_t *)p.b)[k] = (uint8_t)(next_random(&random) >> 3);
      ((uint8_t *)p.acc)[k] = (uint8_t)(k % 4 == 3 ? 0x7f : 0xff);
    }
    product_run(&p, "i8", 1, "i8", 1, "i32", 4, form == 4 ? ".unsigned" : "",
                numbers[form]);
    for (uint32_t at = 0; at < batches(&p) * p.m * p.n; at++) {
      uint32_t column = at % p.n, row = at / p.n, batch = row / p.m;
      int64_t sum = INT32_MAX;
      for (uint32_t k = 0; k < p.k; k++) {
        uint8_t x = ((uint8_t *)p.a)[row * p.k + k];
        uint8_t y = ((uint8_t *)p.b)[(batch * p.k + k) * p.n + column];
        sum += (a_unsigned ? x : (int8_t)x) * (b_unsigned ? y : (int8_t)y);
      }
      assert_int_equal(((uint32_t *)p.o)[at], (uint32_t)sum);
    }
    arena_free(p.arena);
  }
}

// The order and the fused rounding: ones around 2^24, and a product whose
// low half only fma sees.
static void products_are_ascending_chains(void **state) {
  (void)state;
  float a[4] = {1, 1, 16777216, 1}, b[4] = {1, 1, 1, 1}, c[1] = {0}, o[1];
  TileKernel kernel = {.types = "tile f32[1, 4] tile f32[4, 1] tile f32[1, 1]",
                       .body = "%10 = tile_load tile.0 @a[%0 : 1, %0 : 4]\n"
                               "%11 = tile_load tile.1 @b[%0 : 4, %0 : 1]\n"
                               "%12 = tile_load tile.2 @c[%0 : 1, %0 : 1]\n"
                               "%13 = tile_mma tile.2 fast_acc %10, %11, %12\n"
                               "tile_store @o[%0 : 1, %0 : 1] = %13",
                       .arrays = {{"a", "f32", a, 4, 2, {1, 4}},
                                  {"b", "f32", b, 4, 2, {4, 1}},
                                  {"c", "f32", c, 4, 2, {1, 1}},
                                  {"o", "f32", o, 4, 2, {1, 1}}},
                       .n_arrays = 4};
  expect_done(&kernel);
  assert_true(o[0] == 16777220.0f); // (1 + 1 + 2^24) + 1, to even
  a[0] = 1 + 0x1p-12f;
  b[0] = 1 - 0x1p-12f;
  c[0] = -1;
  a[1] = a[2] = a[3] = 0;
  expect_done(&kernel);
  assert_true(o[0] == -0x1p-24f);
}

// -------------------------------------------------------- other families

// A row, by the tile and by scalars of each element: the same bits.
static const struct {
  const char *row, *from, *to; // %s: type
  int n_args;
} lifted[] = {
    {"add", "i8", "i8", 2},       {"sub", "i16", "i16", 2},
    {"mul", "i64", "i64", 2},     {"sdiv", "i8", "i8", 2},
    {"urem", "i32", "i32", 2},    {"ashr", "i16", "i16", 2},
    {"and", "bool", "bool", 2},   {"not", "bool", "bool", 1},
    {"smulh", "i8", "i8", 2},     {"popcount", "i16", "i16", 1},
    {"add", "f16", "f16", 2},     {"mul", "bf16", "bf16", 2},
    {"fdiv", "f32", "f32", 2},    {"fmin", "f64", "f64", 2},
    {"fmax", "f16", "f16", 2},    {"fma", "bf16", "bf16", 3},
    {"fma", "f32", "f32", 3},     {"neg", "f64", "f64", 1},
    {"eq", "i8", "bool", 2},      {"slt", "i16", "bool", 2},
    {"ult", "i64", "bool", 2},    {"flt", "f16", "bool", 2},
    {"isnan", "bf16", "bool", 1}, {"signbit", "f32", "bool", 1},
    {"trunc", "i32", "i8", 1},    {"zext", "i8", "i64", 1},
    {"zext", "bool", "i32", 1},   {"sext", "i8", "i64", 1},
    {"stof", "i64", "f16", 1},    {"utof", "i16", "bf16", 1},
    {"ftos", "f32", "i8", 1},     {"ftou", "bf16", "i64", 1},
    {"fcast", "f32", "e4m3", 1},  {"fcast", "e5m2", "f16", 1},
    {"fcast", "f64", "bf16", 1},  {"bitcast", "f32", "i32", 1},
    {"bitcast", "e4m3", "i8", 1}, {"sqrt", "f16", "f16", 1},
    {"exp", "f32", "f32", 1},     {"pow", "f64", "f64", 2},
    {"frem", "f32", "f32", 2},    {"nextafter", "f16", "f16", 2},
};

static uint32_t size_of(const char *type) {
  static const char *const names[] = {"bool", "e4m3", "e5m2", "i8",
                                      "i16",  "f16",  "bf16", "i32",
                                      "f32",  "i64",  "f64"};
  static const uint32_t sizes[] = {1, 1, 1, 1, 2, 2, 2, 4, 4, 8, 8};
  for (int i = 0; i < 11; i++)
    if (strcmp(names[i], type) == 0)
      return sizes[i];
  fail_msg("no type %s", type);
  return 0;
}

static void rows_lift(void **state) {
  (void)state;

  enum { COUNT = 48 };

  uint64_t random = 77;
  for (size_t i = 0; i < sizeof lifted / sizeof *lifted; i++) {
    Arena *arena = arena_new();
    const char *from = lifted[i].from, *to = lifted[i].to;
    uint32_t size = size_of(from), to_size = size_of(to);
    uint8_t a[3 * COUNT * 8], o[COUNT * 8], p[COUNT * 8];
    for (size_t k = 0; k < sizeof a; k++)
      a[k] = (uint8_t)(next_random(&random) >> 4);
    Text args = {.arena = arena}, scalars = {.arena = arena};
    Text loads = {.arena = arena}, reads = {.arena = arena};
    for (int k = 0; k < lifted[i].n_args; k++) {
      text_printf(&loads,
                  "%%%d = const i32 %d %%%d = tile_load tile.0 "
                  "@a[%%%d, %%0 : 3, %%0 : 16]\n",
                  20 + k, k, 10 + k, 20 + k);
      text_printf(&reads, "%%%d = load %s @a[%%%d, %%40, %%41] align %u\n",
                  30 + k, from, 20 + k, size);
      text_printf(&args, "%s %%%d", k ? "," : "", 10 + k);
      text_printf(&scalars, "%s %%%d", k ? "," : "", 30 + k);
    }
    const char *types =
        strcmp(from, to) == 0
            ? arena_printf(arena, "tile %s[3, 16]", from)
            : arena_printf(arena, "tile %s[3, 16] tile %s[3, 16]", from, to);
    const char *body = arena_printf(
        arena,
        "%s%%15 = %s tile.%d%s\ntile_store @o[%%0 : 3, %%0 : 16] = %%15\n"
        "%%16 = const i32 3 %%17 = const i32 16\n"
        "for $i.0 step 1 signed %%0, %%16 { for $j.1 step 1 signed %%0, %%17 "
        "{\n"
        "%%40 = get i32 $i.0 %%41 = get i32 $j.1\n%s%%42 = %s %s%s\n"
        "store @p[%%40, %%41] : %s align %u = %%42 } }",
        text_cstr(&loads), lifted[i].row, strcmp(from, to) != 0,
        text_cstr(&args), text_cstr(&reads), lifted[i].row, to,
        text_cstr(&scalars), to, to_size);
    TileKernel kernel = {.types = types,
                         .vars = "var $i.0 i32 var $j.1 i32",
                         .body = body,
                         .arrays = {{"a", from, a, size, 3, {3, 3, 16}},
                                    {"o", to, o, to_size, 2, {3, 16}},
                                    {"p", to, p, to_size, 2, {3, 16}}},
                         .n_arrays = 3};
    expect_done(&kernel);
    expect_bytes(body, o, p, COUNT, to_size);
    arena_free(arena);
  }
}

// select, insert, pack and extract of structs with a hole between the members.
static void members_of_structs(void **state) {
  (void)state;
  int32_t a[4] = {5, -6, 7, -8}, o[4];
  double p[4];
  TileKernel kernel = {
      .types = "struct \"s\" size 16 align 8 { i8 at 0 f64 at 8 }\n"
               "tile i32[4] tile i8[4] tile f64[4] tile struct.0[4] "
               "tile bool[4]",
      .vars = "var $t.0 tile.3",
      .body = "%10 = tile_load tile.0 @a[%0 : 4] %11 = trunc tile.1 %10\n"
              "%12 = stof tile.2 %10 %13 = pack tile.3 %11, %12\n"
              "%14 = tile_iota tile.0 %15 = stof tile.2 %14\n"
              "%16 = insert tile.3 [1] %13, %15\n"
              "%17 = tile_broadcast tile.0 %0 %18 = slt tile.4 %10, %17\n"
              "%19 = select tile.3 %18, %16, %13 set $t.0 %19\n"
              "%20 = get tile.3 $t.0 %21 = tile_flip tile.3 %20\n"
              "%22 = extract tile.1 [0] %21 %23 = extract tile.2 [1] %21\n"
              "%24 = sext tile.0 %22 tile_store @o[%0 : 4] = %24\n"
              "tile_store @p[%0 : 4] = %23",
      .arrays = {{"a", "i32", a, 4, 1, {4}},
                 {"o", "i32", o, 4, 1, {4}},
                 {"p", "f64", p, 8, 1, {4}}},
      .n_arrays = 3};
  expect_done(&kernel);
  assert_memory_equal(o, ((int32_t[]){-8, 7, -6, 5}), sizeof o);
  assert_memory_equal(p, ((double[]){3, 7, 1, 5}), sizeof p);
}

// --------------------------------------------------------- variables, memory

// Never set: zeros, in every block anew.
static void variables_begin_as_zeros(void **state) {
  (void)state;
  int32_t o[3][4];
  memset(o, -1, sizeof o);
  TileKernel kernel = {
      .types = "tile i32[4]",
      .vars = "var $t.0 tile.0",
      .n_blocks = 3,
      .body = "%10 = get tile.0 $t.0 tile_store @o[%2, %0 : 4] = %10\n"
              "%11 = tile_iota tile.0 set $t.0 %11",
      .arrays = {{"o", "i32", o, 4, 2, {3, 4}}},
      .n_arrays = 1};
  expect_done(&kernel);
  for (int i = 0; i < 12; i++)
    assert_int_equal(o[i / 4][i % 4], 0);
}

// Turns that leave their loop in the middle, and go on early: each has values
// of 256 MB, of which little is touched, and a run may have 2 GB.
static void loops_keep_one_turn(void **state) {
  (void)state;
  int32_t o[1] = {0};
  TileKernel kernel = {
      .types = "struct \"w\" size 16777216 align 1 { i8 at 0 }\n"
               "tile struct.0[16] tile i8[16]",
      .vars = "var $t.0 tile.0 var $i.1 i32 var $n.2 i32",
      .body = "%10 = const i32 200 %11 = const i32 1 %12 = const i8 1\n"
              "%13 = tile_broadcast tile.1 %12\n"
              "for ^1 $i.1 step 1 signed %0, %10 { %20 = get i32 $i.1\n"
              "  %21 = pack tile.0 %13 set $t.0 %21\n"
              "  loop ^2 { %22 = pack tile.0 %13\n"
              "    block ^3 { %23 = pack tile.0 %13\n"
              "      %24 = and i32 %20, %11 %25 = eq bool %24, %0\n"
              "      if %25 { %26 = pack tile.0 %13 exit ^1 continue }\n"
              "      else { exit ^2 }\n"
              "      set $t.0 %23 }\n"
              "    set $t.0 %22 }\n"
              "  %28 = get i32 $n.2 %29 = add i32 %28, %11 set $n.2 %29 }\n"
              "%30 = get i32 $n.2 store @o[%0] : i32 align 4 = %30",
      .arrays = {{"o", "i32", o, 4, 1, {1}}},
      .n_arrays = 1};
  expect_done(&kernel);
  assert_int_equal(o[0], 100);
}

// Values that nobody uses any more are gone: 600 of 8 MB, one behind the other.
static void straight_code_keeps_what_is_used(void **state) {
  (void)state;
  Arena *arena = arena_new();
  int64_t o[1] = {0};
  Text body = {.arena = arena};
  text_add(&body, "%9 = const i64 1 %10 = tile_broadcast tile.0 %9\n"
                  "%11 = tile_reshape tile.0 %10\n");
  for (int i = 11; i < 611; i++)
    text_printf(&body, "%%%d = tile_reshape tile.0 %%%d\n", i + 1, i);
  text_add(&body, "%700 = tile_reduce i64 axes 1 %611\n"
                  "store @o[%0] : i64 align 8 = %700");
  TileKernel kernel = {.types = "tile i64[1048576]",
                       .body = text_cstr(&body),
                       .arrays = {{"o", "i64", o, 8, 1, {1}}},
                       .n_arrays = 1};
  expect_done(&kernel);
  assert_int_equal(o[0], 1 << 20);
  arena_free(arena);
}

static void too_many_tiles_are_no_memory(void **state) {
  (void)state;
  // Two values of 4 GB, of which only the members are ever touched.
  TileKernel kernel = {.types = "struct \"w\" size 1048576 align 8 { i8 at 0 "
                                "f64 at 8 }\n"
                                "tile struct.0[4096] tile i8[4096] "
                                "tile f64[4096]",
                       .body = "%9 = const i8 1 %10 = const f64 0\n"
                               "%11 = tile_broadcast tile.1 %9\n"
                               "%12 = tile_broadcast tile.2 %10\n"
                               "%13 = pack tile.0 %11, %12\n"
                               "%14 = pack tile.0 %11, %12\n"
                               "%15 = extract tile.1 [0] %13"};
  expect_fault(&kernel, HD_ERROR_MEMORY, "no memory for a tile");
}

// ------------------------------------------------------------------- limits

static void steps_count_elements(void **state) {
  (void)state;
  TileKernel kernel = {
      .types = "tile i32[1048576] tile f32[1024, 1024] tile f32[1048576]",
      .max_steps = 10 * 1000 * 1000,
      .vars = "var $i.0 i32",
      .body = "loop { %9 = tile_iota tile.0 }"};
  expect_fault(&kernel, HD_ERROR_DEADLOCK, "no end after 10000000 steps");
  kernel.body = "%9 = tile_iota tile.0 %10 = stof tile.2 %9\n"
                "%11 = tile_reshape tile.1 %10\n"
                "%12 = tile_mma tile.1 %11, %11, %11";
  expect_fault(&kernel, HD_ERROR_DEADLOCK, "no end after 10000000 steps");
  kernel.body = "%9 = tile_iota tile.0 %10 = tile_map tile.0 by $i.0 $i.0 $i.0 "
                "%9 { loop { set $i.0 %0 } }";
  expect_fault(&kernel, HD_ERROR_DEADLOCK, "no end after 10000000 steps");
  kernel.max_steps = 0;
  kernel.body = "%9 = tile_iota tile.0 %10 = tile_sort tile.0 %9";
  TileRun run = run_tiles(&kernel);
  assert_int_equal(run.status, HD_OK);
  assert_in_range(run.n_steps, 21 << 20, 23 << 20);
  arena_free(run.arena);
}

// ----------------------------------------------------------------- printing

static void expect_printed(const char *types, const char *body,
                           const char *want) {
  TileKernel kernel = {.types = types, .body = body};
  TileRun run = run_tiles(&kernel);
  if (run.status != HD_OK)
    fail_msg("%s", run.why);
  assert_string_equal(text_cstr(&run.printed), want);
  arena_free(run.arena);
}

static void tiles_are_printed(void **state) {
  (void)state;
  expect_printed("tile i32[3]", "%9 = tile_iota tile.0 tile_print \"t\" %9",
                 "t = [0 1 2]\n");
  expect_printed("tile i32[12] tile i32[2, 2, 3]",
                 "%9 = tile_iota tile.0 %10 = tile_reshape tile.1 %9\n"
                 "tile_print \"name\" %10",
                 "name = [[[0 1 2]\n"
                 "         [3 4 5]]\n"
                 "        [[6 7 8]\n"
                 "         [9 10 11]]]\n");
  expect_printed("tile i8[2] tile bool[2] tile bf16[2] tile e4m3[1]",
                 "%9 = const i8 -1 %10 = tile_broadcast tile.0 %9\n"
                 "tile_print \"a\" %10 tile_print.unsigned \"b\" %10\n"
                 "%11 = const bool 1 %12 = tile_broadcast tile.1 %11\n"
                 "tile_print \"c\" %12\n"
                 "%13 = const bf16 0x3fc0 %14 = tile_broadcast tile.2 %13\n"
                 "tile_print \"d\" %14\n"
                 "%15 = const e4m3 0x7e %16 = tile_broadcast tile.3 %15\n"
                 "tile_print \"e\" %16 tile_print \"f\" %9",
                 "a = [-1 -1]\nb = [255 255]\nc = [1 1]\nd = [1.5 1.5]\n"
                 "e = [448]\nf = -1\n");
  expect_printed("struct \"p\" size 16 align 8 { i32 at 0 f64 at 8 }\n"
                 "tile struct.0[2]",
                 "%9 = const i32 7 %10 = const f64 0x4004000000000000\n"
                 "%11 = pack struct.0 %9, %10\n"
                 "%12 = tile_broadcast tile.0 %11 tile_print \"p\" %12",
                 "p = [(7, 2.5) (7, 2.5)]\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(float_products),
      cmocka_unit_test(integer_products),
      cmocka_unit_test(products_are_ascending_chains),
      cmocka_unit_test(rows_lift),
      cmocka_unit_test(members_of_structs),
      cmocka_unit_test(variables_begin_as_zeros),
      cmocka_unit_test(loops_keep_one_turn),
      cmocka_unit_test(straight_code_keeps_what_is_used),
      cmocka_unit_test(too_many_tiles_are_no_memory),
      cmocka_unit_test(steps_count_elements),
      cmocka_unit_test(tiles_are_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
