// SPDX-License-Identifier: Apache-2.0
// Reductions, places of extremes, scans, orders and histograms of random tiles,
// against loops over plain numbers.
#include "tile_kernel.h"

#include "base/float_bits.h"
#include <math.h>

enum { TRIES = 600, MOST_ELEMENTS = 1 << 13 };

// ------------------------------------------------------------------ numbers

static const struct {
  const char *name;
  uint32_t size;
  bool is_float;
  FloatFormat format;
} types[] = {
    {"i8", 1, false, 0},         {"i16", 2, false, 0},
    {"i32", 4, false, 0},        {"i64", 8, false, 0},
    {"f16", 2, true, FLOAT_F16}, {"bf16", 2, true, FLOAT_BF16},
    {"f32", 4, true, FLOAT_F32}, {"f64", 8, true, FLOAT_F64},
    {"bool", 1, false, 0},
};

enum { N_NUMBERS = 8, TYPE_BOOL = 8, N_TYPES = 9 };

static uint64_t get(int type, const void *data, uint64_t number) {
  uint64_t bits = 0;
  uint32_t size = types[type].size;
  memcpy(&bits, (const char *)data + number * size, size);
  return bits;
}

static void put(int type, void *data, uint64_t number, uint64_t bits) {
  uint32_t size = types[type].size;
  memcpy((char *)data + number * size, &bits, size);
}

static double real_of(int type, uint64_t bits) {
  return float_bits_to_double(types[type].format, bits);
}

static int64_t integer_of(int type, uint64_t bits) {
  switch (types[type].size) {
  case 1: return (int8_t)bits;
  case 2: return (int16_t)bits;
  case 4: return (int32_t)bits;
  default: return (int64_t)bits;
  }
}

static bool number_is_nan(int type, uint64_t bits) {
  return types[type].is_float && isnan(real_of(type, bits));
}

static bool same_number(int type, uint64_t a, uint64_t b) {
  return a == b || (number_is_nan(type, a) && number_is_nan(type, b));
}

// Few different ones, so that there are ties; zeros of both signs, NaNs.
static uint64_t random_number(uint64_t *random, int type) {
  static const double reals[] = {0.0, -0.0, 1.0, 1.5, -2.0, 0.1, -1e-3, 7.0};
  if (type == TYPE_BOOL)
    return next_random(random) % 2;
  if (!types[type].is_float)
    return next_random(random) % 3
               ? next_random(random) % 7
               : (uint64_t)next_random(random) << 33 | next_random(random);
  uint32_t choice = next_random(random) % 20;
  double value = choice == 19   ? NAN
                 : choice == 18 ? -INFINITY
                 : choice < 8   ? reals[choice]
                                : (double)next_random(random) / 1e9 - 1;
  return float_bits_from_double(types[type].format, value);
}

static uint64_t real_pair(IrCombine combine, int type, uint64_t a, uint64_t b) {
  double x = real_of(type, a), y = real_of(type, b);
  bool is_min = combine == COMBINE_FMIN;
  if (combine == COMBINE_ADD)
    return float_bits_from_double(types[type].format, x + y);
  if (combine == COMBINE_MUL)
    return float_bits_from_double(types[type].format, x * y);
  if (isnan(x) || isnan(y))
    return isnan(x) ? b : a;
  if (x == y)
    return (signbit(x) != 0) == is_min ? a : b;
  return (x < y) == is_min ? a : b;
}

static uint64_t pair(IrCombine combine, int type, uint64_t a, uint64_t b) {
  int64_t x = integer_of(type, a), y = integer_of(type, b);
  if (types[type].is_float)
    return real_pair(combine, type, a, b);
  switch (combine) {
  case COMBINE_ADD: return a + b;
  case COMBINE_MUL: return a * b;
  case COMBINE_SMIN: return x < y ? a : b;
  case COMBINE_SMAX: return x > y ? a : b;
  case COMBINE_UMIN: return a < b ? a : b;
  case COMBINE_UMAX: return a > b ? a : b;
  case COMBINE_AND: return a & b;
  case COMBINE_OR: return a | b;
  case COMBINE_XOR: return a ^ b;
  case COMBINE_FMIN:
  case COMBINE_FMAX: break;
  }
  return 0;
}

static const char *const combines[] = {"add",  "mul",  "smin", "smax",
                                       "umin", "umax", "fmin", "fmax",
                                       "and",  "or",   "xor"};

static IrCombine random_combine(uint64_t *random, int type) {
  static const IrCombine of_reals[] = {COMBINE_ADD, COMBINE_MUL, COMBINE_FMIN,
                                       COMBINE_FMAX};
  uint32_t choice = next_random(random);
  if (types[type].is_float)
    return of_reals[choice % 4];
  if (type == TYPE_BOOL)
    return (IrCombine)(COMBINE_AND + choice % 3);
  choice %= 9;
  return (IrCombine)(choice < 6 ? choice : choice + 2);
}

static IrCombine random_extreme(uint64_t *random, int type) {
  uint32_t choice = next_random(random);
  if (types[type].is_float)
    return choice % 2 ? COMBINE_FMIN : COMBINE_FMAX;
  return (IrCombine)(COMBINE_SMIN + choice % 4);
}

// -------------------------------------------------------------------- cases

// @a whole is %10, and the only element of @i is %12; the operation sets %11,
// which goes to @o.
typedef struct {
  Arena *arena;
  uint64_t *random;
  int type, to_type;
  uint32_t rank, extents[MOST_RANK], to_rank, to_extents[MOST_RANK];
  TypeList list;
  const char *record; // row of a struct, or NULL
  void *a, *o;
  uint64_t first[1], *want; // bits
} Case;

static Case case_new(uint64_t *random, int n_types) {
  Case c = {.arena = arena_new(), .random = random};
  c.list.arena = c.arena;
  c.type = c.to_type = (int)(next_random(random) % (uint32_t)n_types);
  c.rank = c.to_rank = random_shape(random, c.extents);
  memcpy(c.to_extents, c.extents, sizeof c.extents);
  c.a = arena_alloc(c.arena, MOST_ELEMENTS * 8);
  c.o = arena_alloc(c.arena, MOST_ELEMENTS * 8);
  c.want = ARENA_ARRAY(c.arena, uint64_t, MOST_ELEMENTS);
  for (int i = 0; i < MOST_ELEMENTS; i++)
    put(c.type, c.a, (uint64_t)i, random_number(random, c.type));
  put(c.type, c.first, 0, random_number(random, c.type));
  return c;
}

static uint64_t case_count(uint32_t rank, const uint32_t *extents) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < rank; i++)
    count *= extents[i];
  return count;
}

static const char *from_type(Case *c) {
  return type_of(&c->list, types[c->type].name, c->rank, c->extents);
}

static const char *to_type(Case *c) {
  if (c->to_rank == 0)
    return types[c->to_type].name;
  return type_of(&c->list, types[c->to_type].name, c->to_rank, c->to_extents);
}

static void case_run(Case *c, const char *operation) {
  const char *name = types[c->type].name, *to = types[c->to_type].name;
  uint32_t size = types[c->type].size, to_size = types[c->to_type].size;
  const char *store =
      c->to_rank == 0
          ? arena_printf(c->arena, "store @o[%%0] : %s align %u = %%11", to,
                         to_size)
          : arena_printf(c->arena, "tile_store @o%s = %%11",
                         whole_text(c->arena, c->to_rank, c->to_extents));
  const char *body =
      arena_printf(c->arena,
                   "%%10 = tile_load %s @a%s\n%%12 = load %s @i[%%0] align %u\n"
                   "%s\n%s",
                   from_type(c), whole_text(c->arena, c->rank, c->extents),
                   name, size, operation, store);
  TileKernel kernel = {
      .body = body,
      .arrays = {{"a", name, c->a, size, c->rank, {0}},
                 {"o", to, c->o, to_size, c->to_rank ? c->to_rank : 1, {1}},
                 {"i", name, c->first, size, 1, {1}}},
      .n_arrays = 3};
  kernel.types = c->list.text;
  if (c->record)
    kernel.types = arena_printf(c->arena, "%s%s", c->record, c->list.text);
  memcpy(kernel.arrays[0].extents, c->extents, sizeof c->extents);
  if (c->to_rank)
    memcpy(kernel.arrays[1].extents, c->to_extents, sizeof c->extents);
  expect_done(&kernel);
  for (uint64_t i = 0; i < case_count(c->to_rank, c->to_extents); i++)
    if (!same_number(c->to_type, get(c->to_type, c->o, i),
                     get(c->to_type, &c->want[i], 0)))
      fail_msg("%s: element %llu is 0x%llx, not 0x%llx", body,
               (unsigned long long)i,
               (unsigned long long)get(c->to_type, c->o, i),
               (unsigned long long)get(c->to_type, &c->want[i], 0));
  arena_free(c->arena);
}

// Takes the axes out of the result's shape.
static void take_out(Case *c, uint32_t axes) {
  c->to_rank = 0;
  for (uint32_t i = 0; i < c->rank; i++)
    if (!(axes >> i & 1))
      c->to_extents[c->to_rank++] = c->extents[i];
}

// Which result element `number` belongs to, and its place among those.
static uint64_t group_of(const Case *c, uint64_t number, uint32_t axes,
                         uint64_t *place) {
  uint64_t group = 0;
  *place = 0;
  for (uint32_t i = 0; i < c->rank; i++) {
    uint32_t at = index_of(number, c->rank, c->extents, i);
    uint64_t *to = axes >> i & 1 ? place : &group;
    *to = *to * c->extents[i] + at;
  }
  return group;
}

static uint32_t random_axes(Case *c) {
  return 1 + next_random(c->random) % ((1u << c->rank) - 1);
}

static void reduces(uint64_t *random) {
  Case c = case_new(random, N_TYPES);
  IrCombine combine = random_combine(random, c.type);
  uint32_t axes = random_axes(&c);
  take_out(&c, axes);
  for (uint64_t i = 0; i < case_count(c.rank, c.extents); i++) {
    uint64_t place, group = group_of(&c, i, axes, &place);
    uint64_t value = get(c.type, c.a, i);
    uint64_t sum = get(c.type, &c.want[group], 0);
    put(c.type, &c.want[group], 0,
        place == 0 ? value : pair(combine, c.type, sum, value));
  }
  case_run(&c, arena_printf(c.arena,
                            "%%11 = tile_reduce %s combine %s axes %u %%10",
                            to_type(&c), combines[combine], axes));
}

static bool is_before(IrCombine combine, int type, uint64_t a, uint64_t b) {
  switch ((int)combine) {
  case COMBINE_SMIN: return integer_of(type, a) < integer_of(type, b);
  case COMBINE_SMAX: return integer_of(type, a) > integer_of(type, b);
  case COMBINE_UMIN: return a < b;
  case COMBINE_UMAX: return a > b;
  case COMBINE_FMIN: return real_of(type, a) < real_of(type, b);
  default: return real_of(type, a) > real_of(type, b);
  }
}

static void finds_places(uint64_t *random) {
  Case c = case_new(random, N_NUMBERS);
  IrCombine combine = random_extreme(random, c.type);
  uint32_t axes = random_axes(&c);
  uint64_t *best = ARENA_ARRAY(c.arena, uint64_t, MOST_ELEMENTS);
  uint8_t *has = arena_alloc(c.arena, MOST_ELEMENTS);
  take_out(&c, axes);
  c.to_type = 2;
  if (next_random(random) % 8 == 0 && types[c.type].is_float)
    for (int i = 0; i < MOST_ELEMENTS; i++)
      put(c.type, c.a, (uint64_t)i,
          float_bits_from_double(types[c.type].format, NAN));
  for (uint64_t i = 0; i < case_count(c.rank, c.extents); i++) {
    uint64_t place, group = group_of(&c, i, axes, &place);
    uint64_t value = get(c.type, c.a, i);
    if (number_is_nan(c.type, value) ||
        (has[group] && !is_before(combine, c.type, value, best[group])))
      continue;
    has[group] = 1;
    best[group] = value;
    c.want[group] = place;
  }
  case_run(&c,
           arena_printf(c.arena, "%%11 = tile_arg %s combine %s axes %u %%10",
                        to_type(&c), combines[combine], axes));
}

// -------------------------------------------------------------------- scans

static uint64_t identity(IrCombine combine, int type) {
  bool is_float = types[type].is_float;
  uint64_t ones = type == TYPE_BOOL ? 1 : UINT64_MAX;
  uint64_t top = (uint64_t)1 << (types[type].size * 8 - 1);
  switch ((int)combine) {
  case COMBINE_MUL:
    return is_float ? float_bits_from_double(types[type].format, 1) : 1;
  case COMBINE_SMIN: return top - 1;
  case COMBINE_SMAX: return top;
  case COMBINE_UMIN:
  case COMBINE_AND: return ones;
  case COMBINE_FMIN:
    return float_bits_from_double(types[type].format, INFINITY);
  case COMBINE_FMAX:
    return float_bits_from_double(types[type].format, -INFINITY);
  default: return 0;
  }
}

// Number of the element that is `distance` before `number` on the way along
// the axis; -1: none.
static int64_t along(const Case *c, uint64_t number, uint32_t axis,
                     int64_t distance, bool is_reverse) {
  int64_t step = 1, at = index_of(number, c->rank, c->extents, axis);
  for (uint32_t i = axis + 1; i < c->rank; i++)
    step *= c->extents[i];
  int64_t to = is_reverse ? at + distance : at - distance;
  if (to < 0 || to >= c->extents[axis])
    return -1;
  return (int64_t)number + (to - at) * step;
}

static void scans(uint64_t *random) {
  Case c = case_new(random, N_TYPES);
  IrCombine combine = random_combine(random, c.type);
  uint32_t axis = next_random(random) % c.rank;
  bool is_reverse = next_random(random) % 2,
       has_first = next_random(random) % 2;
  bool is_exclusive = next_random(random) % 2;
  uint64_t count = case_count(c.rank, c.extents);
  for (uint64_t k = 0; k < count; k++) {
    // In the order of the scan: elements before are done.
    uint64_t i = is_reverse ? count - 1 - k : k;
    int64_t before = along(&c, i, axis, 1, is_reverse);
    uint64_t sum = before >= 0 ? get(c.type, &c.want[before], 0)
                   : has_first ? get(c.type, c.first, 0)
                               : identity(combine, c.type);
    bool is_start = before < 0 && !has_first;
    uint64_t value =
        get(c.type, c.a, is_exclusive && before >= 0 ? (uint64_t)before : i);
    if (is_exclusive && before < 0)
      put(c.type, &c.want[i], 0, sum);
    else if (is_start)
      put(c.type, &c.want[i], 0, value);
    else
      put(c.type, &c.want[i], 0, pair(combine, c.type, sum, value));
  }
  case_run(&c, arena_printf(c.arena,
                            "%%11 = tile_scan %s combine %s axis %u%s%s "
                            "%%10%s",
                            to_type(&c), combines[combine], axis,
                            is_exclusive ? " exclusive" : "",
                            is_reverse ? " reverse" : "",
                            has_first ? ", %12" : ""));
}

// ------------------------------------------------------------------- orders

// Less in ascending order with NaNs last; equal elements are not.
static bool is_less(int type, bool is_unsigned, uint64_t a, uint64_t b) {
  if (number_is_nan(type, a) || number_is_nan(type, b))
    return !number_is_nan(type, a);
  if (types[type].is_float)
    return real_of(type, a) < real_of(type, b);
  return is_unsigned ? a < b : integer_of(type, a) < integer_of(type, b);
}

static bool comes_first(int type, bool is_unsigned, bool is_falling, uint64_t a,
                        uint64_t b) {
  bool has_nan = number_is_nan(type, a) || number_is_nan(type, b);
  if (number_is_nan(type, a))
    return false;
  return is_falling && !has_nan ? is_less(type, is_unsigned, b, a)
                                : is_less(type, is_unsigned, a, b);
}

// Rank of each element in its line, by counting: number of those before it.
static uint32_t rank_in_line(const Case *c, uint64_t number, uint32_t axis,
                             bool is_unsigned, bool is_falling) {
  uint32_t rank = 0, at = index_of(number, c->rank, c->extents, axis);
  uint64_t mine = get(c->type, c->a, number);
  for (uint32_t k = 0; k < c->extents[axis]; k++) {
    int64_t there = along(c, number, axis, (int64_t)at - k, false);
    uint64_t other = get(c->type, c->a, (uint64_t)there);
    if (comes_first(c->type, is_unsigned, is_falling, other, mine))
      rank++;
    else if (k < at &&
             !comes_first(c->type, is_unsigned, is_falling, mine, other))
      rank++;
  }
  return rank;
}

typedef enum { SORT, ARGSORT, TOPK_VALUE, TOPK_INDEX } Order;

static void orders(uint64_t *random) {
  Case c = case_new(random, N_NUMBERS);
  Order order = (Order)(next_random(random) % 4);
  uint32_t axis = next_random(random) % c.rank;
  bool is_unsigned = next_random(random) % 2, is_topk = order >= TOPK_VALUE;
  const char *flag = is_unsigned ? ".unsigned" : "";
  if (is_topk)
    c.to_extents[axis] = random_extent(random, c.extents[axis]);
  if (order == ARGSORT || order == TOPK_INDEX)
    c.to_type = 2;
  for (uint64_t i = 0; i < case_count(c.rank, c.extents); i++) {
    uint32_t at[MOST_RANK] = {0};
    for (uint32_t k = 0; k < c.rank; k++)
      at[k] = index_of(i, c.rank, c.extents, k);
    uint32_t place = at[axis];
    at[axis] = rank_in_line(&c, i, axis, is_unsigned, is_topk);
    if (at[axis] < c.to_extents[axis])
      c.want[number_of(c.rank, c.to_extents, at)] =
          order == SORT || order == TOPK_VALUE ? get(c.type, c.a, i) : place;
  }
  const char *operation = arena_printf(
      c.arena, "%%11 = %s%s %s axis %u %%10",
      order == SORT ? "tile_sort" : "tile_argsort", flag, to_type(&c), axis);
  if (is_topk) {
    const char *record = type_of(&c.list, "struct.0", c.rank, c.to_extents);
    operation = arena_printf(
        c.arena,
        "%%13 = tile_topk%s %s axis %u %%10\n%%11 = extract %s [%d] "
        "%%13",
        flag, record, axis, to_type(&c), order == TOPK_INDEX);
    c.record = arena_printf(
        c.arena, "struct \"t\" size 16 align 8 { %s at 0 i32 at 8 }\n",
        types[c.type].name);
  }
  case_run(&c, operation);
}

static void histograms(uint64_t *random) {
  Case c = case_new(random, 4);
  bool is_unsigned = next_random(random) % 2;
  c.to_type = 2;
  c.to_rank = 1;
  c.to_extents[0] = random_extent(random, 31);
  for (uint64_t i = 0; i < case_count(c.rank, c.extents); i++) {
    uint64_t bits = get(c.type, c.a, i);
    int64_t value = integer_of(c.type, bits);
    if (is_unsigned && value < 0)
      value = c.type == 0 ? (int64_t)bits : INT64_MAX;
    if (value >= 0 && value < c.to_extents[0])
      c.want[value]++;
  }
  case_run(&c, arena_printf(c.arena, "%%11 = tile_histogram%s %s %%10",
                            is_unsigned ? ".unsigned" : "", to_type(&c)));
}

static void random_tiles(void **state) {
  (void)state;
  static void (*const families[])(uint64_t * random) = {
      reduces, finds_places, scans, orders, histograms};
  uint64_t random = 4;
  for (int i = 0; i < TRIES; i++)
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
      families[k](&random);
}

// ---------------------------------------------------------------- operators
// Functions x -> a x + b modulo 2^32, applied one behind the other:
// associative, and the order counts.

typedef struct {
  uint32_t a, b;
} Line;

static Line line_pair(Line left, Line right) {
  return (Line){left.a * right.a, left.b * right.a + right.b};
}

#define LINES                                                                  \
  "struct \"line\" size 8 align 4 { i32 at 0 i32 at 4 }\n"                     \
  "tile i32[3, 6, 2]\ntile struct.0[3, 6, 2]\ntile struct.0[3, 2]\n"           \
  "tile i32[3, 2]\n"
#define LINE_VARS "var $l.0 struct.0 var $r.1 struct.0 var $o.2 struct.0\n"
#define LINE_LOADS                                                             \
  "%10 = tile_load tile.0 @a[%0 : 3, %0 : 6, %0 : 2]\n"                        \
  "%11 = tile_load tile.0 @b[%0 : 3, %0 : 6, %0 : 2]\n"                        \
  "%12 = pack tile.1 %10, %11\n"
#define LINE_BODY                                                              \
  " {\n%50 = get struct.0 $l.0 %51 = get struct.0 $r.1\n"                      \
  "%52 = extract i32 [0] %50 %53 = extract i32 [1] %50\n"                      \
  "%54 = extract i32 [0] %51 %55 = extract i32 [1] %51\n"                      \
  "%56 = mul i32 %52, %54 %57 = mul i32 %53, %54 %58 = add i32 %57, %55\n"     \
  "%59 = pack struct.0 %56, %58 set $o.2 %59 }\n"

enum { LINE_COUNT = 3 * 6 * 2 };

typedef struct {
  uint32_t a[LINE_COUNT], b[LINE_COUNT], p[LINE_COUNT], q[LINE_COUNT];
} Lines;

static Lines random_lines(uint64_t *random) {
  Lines lines = {{0}, {0}, {0}, {0}};
  for (int i = 0; i < LINE_COUNT; i++) {
    lines.a[i] = next_random(random) * 2 + 1;
    lines.b[i] = next_random(random);
  }
  return lines;
}

static void lines_run(Lines *lines, const char *body, bool is_reduced) {
  TileKernel kernel = {.types = LINES,
                       .vars = LINE_VARS,
                       .body = body,
                       .arrays = {{"a", "i32", lines->a, 4, 3, {3, 6, 2}},
                                  {"b", "i32", lines->b, 4, 3, {3, 6, 2}},
                                  {"p", "i32", lines->p, 4, 3, {3, 6, 2}},
                                  {"q", "i32", lines->q, 4, 3, {3, 6, 2}}},
                       .n_arrays = 4};
  if (is_reduced)
    for (int i = 2; i < 4; i++) {
      kernel.arrays[i].rank = 2;
      kernel.arrays[i].extents[1] = 2;
    }
  expect_done(&kernel);
}

static void reduce_by_keeps_the_order(void **state) {
  (void)state;
  uint64_t random = 11;
  Lines lines = random_lines(&random);
  lines_run(&lines,
            LINE_LOADS
            "%13 = tile_reduce_by tile.2 by $l.0 $r.1 $o.2 axis 1 %12" LINE_BODY
            "%14 = extract tile.3 [0] %13 %15 = extract tile.3 [1] %13\n"
            "tile_store @p[%0 : 3, %0 : 2] = %14\n"
            "tile_store @q[%0 : 3, %0 : 2] = %15",
            true);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++) {
      Line sum = {1, 0};
      for (int n = 0; n < 6; n++) {
        int at = (i * 6 + n) * 2 + k;
        sum = line_pair(sum, (Line){lines.a[at], lines.b[at]});
      }
      assert_int_equal(lines.p[i * 2 + k], sum.a);
      assert_int_equal(lines.q[i * 2 + k], sum.b);
    }
}

static void scan_by_keeps_the_order(void **state) {
  (void)state;
  uint64_t random = 12;
  for (int form = 0; form < 6; form++) { // inclusive, with first, exclusive
    bool is_reverse = form % 2, has_first = form >= 2, is_exclusive = form >= 4;
    Lines lines = random_lines(&random);
    Arena *arena = arena_new();
    const char *body = arena_printf(
        arena,
        "%s%%7 = const i32 3 %%8 = const i32 5 %%9 = pack struct.0 %%7, %%8\n"
        "%%13 = tile_scan_by tile.1 by $l.0 $r.1 $o.2 axis 1%s%s %%12%s%s"
        "%%14 = extract tile.0 [0] %%13 %%15 = extract tile.0 [1] %%13\n"
        "tile_store @p[%%0 : 3, %%0 : 6, %%0 : 2] = %%14\n"
        "tile_store @q[%%0 : 3, %%0 : 6, %%0 : 2] = %%15",
        LINE_LOADS, is_exclusive ? " exclusive" : "",
        is_reverse ? " reverse" : "", has_first ? ", %9" : "", LINE_BODY);
    lines_run(&lines, body, false);
    for (int i = 0; i < LINE_COUNT; i++) {
      // What this prefix has, from its lowest index to its highest.
      int outer = i / 12, place = i / 2 % 6, inner = i % 2;
      Line sum = {1, 0}, first = {3, 5};
      int from = is_reverse ? place + is_exclusive : 0;
      int to = is_reverse ? 6 : place + !is_exclusive;
      if (has_first && !is_reverse)
        sum = line_pair(sum, first);
      for (int n = from; n < to; n++) {
        int at = (outer * 6 + n) * 2 + inner;
        sum = line_pair(sum, (Line){lines.a[at], lines.b[at]});
      }
      if (has_first && is_reverse)
        sum = line_pair(sum, first);
      assert_int_equal(lines.p[i], sum.a);
      assert_int_equal(lines.q[i], sum.b);
    }
    arena_free(arena);
  }
}

// |x| / 2 in double, by a branch and a loop.
static void map_has_control_flow(void **state) {
  (void)state;
  int32_t a[12];
  double o[12];
  for (int i = 0; i < 12; i++)
    a[i] = i % 2 ? -i : i;
  TileKernel kernel = {
      .types = "tile i32[12] tile f64[12]",
      .vars = "var $x i32 var $y f64 var $n.2 i32\n",
      .body = "%10 = tile_load tile.0 @a[%0 : 12]\n"
              "%11 = tile_map tile.1 by $x $x $y %10 { %50 = get i32 $x\n"
              "%51 = slt bool %50, %0 set $n.2 %50\n"
              "if %51 { %52 = neg i32 %50 set $n.2 %52 }\n"
              "%53 = get i32 $n.2 %54 = const f64 0 set $y %54\n"
              "%55 = const i32 1 for $x step 1 signed %0, %53 {\n"
              "  %56 = get f64 $y %57 = const f64 0x3fe0000000000000\n"
              "  %58 = add f64 %56, %57 set $y %58 } }\n"
              "tile_store @o[%0 : 12] = %11",
      .arrays = {{"a", "i32", a, 4, 1, {12}}, {"o", "f64", o, 8, 1, {12}}},
      .n_arrays = 2};
  expect_done(&kernel);
  for (int i = 0; i < 12; i++)
    assert_true(o[i] == i / 2.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_tiles),
      cmocka_unit_test(reduce_by_keeps_the_order),
      cmocka_unit_test(scan_by_keeps_the_order),
      cmocka_unit_test(map_has_control_flow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
