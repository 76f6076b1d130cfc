// SPDX-License-Identifier: Apache-2.0
// Shapes, values, constants and sections of arrays.
#include "gen_state.h"

#include <math.h>
#include <string.h>

const TileElement tile_elements[TILE_TYPES] = {
    [BOOL] = {"bool", 1, false, false}, [I8] = {"i8", 1, false, true},
    [I16] = {"i16", 2, false, true},    [I32] = {"i32", 4, false, true},
    [I64] = {"i64", 8, false, true},    [F16] = {"f16", 2, true, true},
    [BF16] = {"bf16", 2, true, true},   [F32] = {"f32", 4, true, true},
    [F64] = {"f64", 8, true, true},
};

uint64_t tile_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

uint32_t gen_below(Gen *g, uint32_t n) {
  return (uint32_t)(tile_random(&g->random) % n);
}

bool gen_is_float(int type) {
  return tile_elements[type].is_float;
}

bool gen_is_int(int type) {
  return type != BOOL && !gen_is_float(type);
}

// ------------------------------------------------------------------ shapes

uint32_t gen_count_of(const Shape *shape) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < shape->rank; i++)
    n *= shape->extents[i];
  return n;
}

uint32_t gen_odd_part(uint32_t n) {
  while (n % 2 == 0)
    n /= 2;
  return n;
}

// With all elements in a row it is legal, too.
bool gen_is_legal(const Shape *shape) {
  uint32_t n = gen_count_of(shape);
  return shape->rank > 0 && n <= MOST_ELEMENTS && gen_odd_part(n) <= 31;
}

uint32_t gen_random_extent(Gen *g) {
  static const uint32_t odd[] = {1, 1, 1, 3, 5, 7, 11, 31};
  return odd[gen_below(g, 8)] << gen_below(g, 7);
}

Shape gen_random_shape(Gen *g, int type, uint32_t rank) {
  Shape shape = {.type = type, .rank = rank};
  do {
    for (uint32_t i = 0; i < rank; i++)
      shape.extents[i] = gen_random_extent(g);
  } while (!gen_is_legal(&shape));
  return shape;
}

// "tile.3": with elements of that name.
const char *gen_tile_text(Gen *g, const char *element, const Shape *shape) {
  Text text = {.arena = g->arena};
  text_printf(&text, "tile %s [", element);
  for (uint32_t i = 0; i < shape->rank; i++)
    text_printf(&text, "%s%u", i ? ", " : "", shape->extents[i]);
  text_add(&text, "]\n");
  const char *row = text_cstr(&text);
  uint32_t at = 0;
  while (at < g->n_rows && strcmp(g->rows[at], row) != 0)
    at++;
  if (at == g->n_rows) {
    g->rows[g->n_rows++] = row;
    text_add(&g->types, row);
  }
  return arena_printf(g->arena, "tile.%u", at);
}

// "tile.3", or the element's name.
const char *gen_type_text(Gen *g, const Shape *shape) {
  const char *element = tile_elements[shape->type].name;
  return shape->rank ? gen_tile_text(g, element, shape) : element;
}

// ------------------------------------------------------------------ values

static Value value_add(Gen *g, Shape shape, double bound, bool is_wild) {
  Value value = {g->n_values++, shape, bound,
                 is_wild && gen_is_float(shape.type)};
  if (shape.rank > 0)
    VEC_PUSH(g->arena, &g->values, value);
  return value;
}

// "%7 = add tile.3 " begins; the caller writes the rest of the line.
Value gen_begin(Gen *g, const char *op, Shape shape, double bound,
                bool is_wild) {
  Value value = value_add(g, shape, bound, is_wild);
  text_printf(&g->body, "%%%u = %s %s ", value.number, op,
              gen_type_text(g, &shape));
  return value;
}

Value gen_constant(Gen *g, int type, int64_t number) {
  static const char *const ones[] = {[F16] = "0x3c00",
                                     [BF16] = "0x3f80",
                                     [F32] = "0x3f800000",
                                     [F64] = "0x3ff0000000000000"};
  Value value =
      gen_begin(g, "const", (Shape){.type = type}, fabs((double)number), false);
  if (gen_is_float(type))
    text_printf(&g->body, "%s\n", number ? ones[type] : "0x0");
  else
    text_printf(&g->body, "%lld\n",
                (long long)(type == BOOL ? number & 1 : number));
  return value;
}

Value gen_broadcast_of(Gen *g, Value from, Shape shape) {
  shape.type = from.shape.type;
  Value value = gen_begin(g, "tile_broadcast", shape, from.bound, from.is_wild);
  text_printf(&g->body, "%%%u\n", from.number);
  return value;
}

static Value filled(Gen *g, Shape shape) {
  return gen_broadcast_of(g, gen_constant(g, shape.type, gen_below(g, 2)),
                          shape);
}

// Numbers from 0 up in that shape, in i32.
Value gen_counted(Gen *g, Shape shape) {
  Shape row = {.type = I32, .rank = 1, .extents = {gen_count_of(&shape)}};
  Value value = gen_begin(g, "tile_iota", row, row.extents[0], false);
  text_add(&g->body, "\n");
  shape.type = I32;
  Value moved = gen_begin(g, "tile_reshape", shape, row.extents[0], false);
  text_printf(&g->body, "%%%u\n", value.number);
  return moved;
}

static bool fits(const Value *value, int type, const Shape *shape) {
  if ((type >= 0 && value->shape.type != type) ||
      value->shape.rank != shape->rank)
    return false;
  return memcmp(value->shape.extents, shape->extents,
                shape->rank * sizeof *shape->extents) == 0;
}

// Some value of that type and shape.
Value gen_value_like(Gen *g, int type, Shape shape) {
  shape.type = type;
  uint32_t n = g->values.count, start = n ? gen_below(g, n) : 0;
  for (uint32_t i = 0; i < n; i++) {
    const Value *value = &g->values.data[(start + i) % n];
    if (fits(value, type, &shape))
      return *value;
  }
  return gen_below(g, 3) ? gen_loaded(g, shape) : filled(g, shape);
}

// Any tile whose type the filter allows.
Value gen_any_value(Gen *g, bool (*filter)(int type)) {
  uint32_t n = g->values.count, start = n ? gen_below(g, n) : 0;
  for (uint32_t i = 0; i < n; i++) {
    const Value *value = &g->values.data[(start + i) % n];
    if (!filter || filter(value->shape.type))
      return *value;
  }
  int type;
  do
    type = (int)gen_below(g, TILE_TYPES);
  while (filter && !filter(type));
  return gen_loaded(g, gen_random_shape(g, type, 1 + gen_below(g, 3)));
}

bool gen_is_number(int type) {
  return type != BOOL;
}

// --------------------------------------------------------------- sections

static int64_t random_offset(Gen *g, uint32_t extent, uint32_t length) {
  switch (gen_below(g, 8)) {
  case 0: return -(int64_t)gen_below(g, length + 3);
  case 1: return (int64_t)extent - (int64_t)gen_below(g, length + 3);
  case 2: return INT32_MAX - (int64_t)gen_below(g, 3);
  case 3: return INT32_MIN;
  default: return gen_below(g, extent);
  }
}

static uint32_t scalar_index(Gen *g, int64_t value) {
  if (gen_below(g, 40) == 0)
    return gen_constant(g, I64, gen_below(g, 2) ? INT64_MAX : INT64_MIN).number;
  return gen_constant(g, gen_below(g, 2) ? I32 : I64, value).number;
}

// [low, high) of each dimension: a part of it, all, or more than there is.
static void random_view(Gen *g, const TileArrayShape *array, uint32_t rank,
                        Text *operands) {
  for (uint32_t i = 0; i < rank; i++) {
    int64_t extent = array->extents[i], low = 0, high = extent;
    switch (gen_below(g, 6)) {
    case 0: break;
    case 1: low = -(int64_t)gen_below(g, 5); break;
    case 2: high += gen_below(g, 5); break;
    default:
      low = gen_below(g, array->extents[i] + 1);
      high = low + gen_below(g, (uint32_t)(extent - low) + 1);
      break;
    }
    uint32_t from = gen_constant(g, I64, low).number;
    text_printf(operands, ", %%%u, %%%u", from,
                gen_constant(g, I64, high).number);
  }
}

// Each dimension of the tile is a range, or its first ones are gathered.
Section gen_random_section(Gen *g, Shape shape, bool is_load,
                           bool needs_injective) {
  uint32_t rank = shape.rank, n_gathered = 0;
  bool gathers = gen_below(g, 4) == 0 || rank > TILE_RANKS;
  if (needs_injective && g->n_threads > 1 && rank <= TILE_RANKS)
    gathers = false; // groups of several threads have no scatters
  if (gathers)
    n_gathered = rank > TILE_RANKS ? rank - TILE_RANKS + 1 : 1;
  uint32_t n_ranges = rank - n_gathered, object_rank = n_ranges + gathers;
  while (object_rank < TILE_RANKS && gen_below(g, 4) == 0)
    object_rank++;
  uint32_t n_scalars = object_rank - n_ranges - gathers;
  uint32_t number = (uint32_t)shape.type * TILE_RANKS + object_rank - 1;
  const TileArrayShape *array = &g->program->arrays[number];
  Shape index_shape = {.type = I32, .rank = n_gathered};
  memcpy(index_shape.extents, shape.extents, sizeof index_shape.extents);
  uint32_t gathered = 0;
  if (gathers && needs_injective)
    gathered = gen_counted(g, index_shape).number;
  else if (gathers)
    gathered = gen_value_like(g, I32, index_shape).number;
  Text text = {.arena = g->arena}, rest = {.arena = g->arena};
  text_printf(&text, "@a%u[", number);
  uint32_t next = n_gathered;
  for (uint32_t i = 0; i < object_rank; i++) {
    text_add(&text, i ? ", " : "");
    if (i == 0 && gathers) {
      text_printf(&text, "* %%%u", gathered);
    } else if (n_scalars > 0) {
      n_scalars--;
      text_printf(&text, "%%%u",
                  scalar_index(g, random_offset(g, array->extents[i], 1)));
    } else {
      uint32_t length = shape.extents[next++];
      text_printf(&text, "%%%u : %u",
                  scalar_index(g, random_offset(g, array->extents[i], length)),
                  length);
    }
  }
  text_add(&text, "]");
  if (gen_below(g, 4) == 0) {
    text_add(&text, " view");
    random_view(g, array, object_rank, &rest);
  }
  if (gen_below(g, 5) == 0) {
    text_add(&text, " mask");
    text_printf(&rest, ", %%%u", gen_value_like(g, BOOL, shape).number);
  }
  if (is_load && gen_below(g, 4) == 0) {
    text_add(&text, " pad");
    text_printf(&rest, ", %%%u", gen_constant(g, shape.type, 1).number);
  }
  return (Section){text_cstr(&text), rest.length ? text_cstr(&rest) + 2 : "",
                   true};
}

const char *gen_behind(Gen *g, const Section *section, const char *values) {
  const char *comma = section->rest[0] && values[0] ? ", " : "";
  const char *equals = section->rest[0] || values[0] ? " = " : "";
  return arena_printf(g->arena, "%s%s%s%s", equals, section->rest, comma,
                      values);
}

const char *gen_order(Gen *g, int type, bool is_load) {
  static const char *const orders[2][2] = {{"relaxed", "release"},
                                           {"relaxed", "acquire"}};
  if (g->n_threads > 1 || type == BOOL || gen_below(g, 6) > 0)
    return "";
  return arena_printf(g->arena, " order %s scope device",
                      orders[is_load][gen_below(g, 2)]);
}

Value gen_loaded(Gen *g, Shape shape) {
  Section section = gen_random_section(g, shape, true, false);
  Value value = gen_begin(g, "tile_load", shape,
                          gen_is_float(shape.type) ? 8 : INFINITY, true);
  // what the program stored may be anything
  g->values.data[g->values.count - 1].bound = INFINITY;
  value.bound = INFINITY;
  text_printf(&g->body, "%s%s%s\n", section.text,
              gen_order(g, shape.type, true), gen_behind(g, &section, ""));
  return value;
}

// Of small integers: arrays of one dimension begin with them and are not
// written there (see step_store).
Value gen_small_integers(Gen *g, int type, Shape shape) {
  Value from = gen_counted(g, shape);
  Value seven = gen_constant(g, I32, 7);
  shape.type = I32;
  Value sevens = gen_broadcast_of(g, seven, shape);
  Value rest = gen_begin(g, "urem", shape, 6, false);
  text_printf(&g->body, "%%%u, %%%u\n", from.number, sevens.number);
  if (type == I32)
    return rest;
  shape.type = type;
  Value value = gen_begin(g,
                          gen_is_float(type) ? "stof"
                          : type == I64      ? "sext"
                                             : "trunc",
                          shape, 6, false);
  text_printf(&g->body, "%%%u\n", rest.number);
  return value;
}
