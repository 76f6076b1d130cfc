// SPDX-License-Identifier: Apache-2.0
// The statements of a program.
#include "gen_state.h"

#include <math.h>
#include <string.h>

// Threads of a group touch elements of others only behind a sync.
void gen_sync(Gen *g) {
  if (g->n_threads > 1)
    text_add(&g->body, "sync #2\n");
}

static void step_load(Gen *g) {
  int type = (int)gen_below(g, TILE_TYPES);
  gen_loaded(g, gen_random_shape(g, type, 1 + gen_below(g, 4)));
}

static void step_store(Gen *g) {
  Value value = gen_any_value(g, NULL);
  if (g->n_threads > 1 && value.shape.rank > TILE_RANKS)
    return; // it would be a scatter
  Section section = gen_random_section(g, value.shape, false, true);
  gen_sync(g);
  text_printf(
      &g->body, "tile_store %s%s%s\n", section.text,
      gen_order(g, value.shape.type, false),
      gen_behind(g, &section, arena_printf(g->arena, "%%%u", value.number)));
  gen_sync(g);
}

static bool is_atomic(int type) {
  return type == I32 || type == I64;
}

static void step_atomic(Gen *g) {
  if (g->n_threads > 1) // groups of several have none
    return;
  Value value = gen_any_value(g, is_atomic);
  bool is_cas = gen_below(g, 3) == 0;
  Section section = gen_random_section(g, value.shape, false, true);
  Value other =
      is_cas ? gen_value_like(g, value.shape.type, value.shape) : value;
  static const char *const rmw[] = {"add",  "sub", "smin", "smax", "umin",
                                    "umax", "and", "or",   "xor",  "exch"};
  const char *how =
      arena_printf(g->arena, " order relaxed scope device%s%s",
                   is_cas ? "" : " rmw ", is_cas ? "" : rmw[gen_below(g, 10)]);
  gen_begin(g, is_cas ? "tile_cas" : "tile_rmw", value.shape, INFINITY, false);
  const char *values =
      is_cas ? arena_printf(g->arena, "%%%u, %%%u", other.number, value.number)
             : arena_printf(g->arena, "%%%u", value.number);
  text_printf(&g->body, "%s%s%s\n", section.text, how,
              gen_behind(g, &section, values));
}

// ----------------------------------------------------------- element-wise

static void step_arithmetic(Gen *g) {
  static const char *const of_ints[] = {
      "add", "sub", "mul",  "sdiv", "udiv", "srem", "urem", "and",  "or",
      "xor", "shl", "lshr", "ashr", "smin", "smax", "umin", "umax", "smulh"};
  static const char *const of_floats[] = {"add",  "sub",  "mul",
                                          "fdiv", "fmin", "fmax"};
  Value a = gen_any_value(g, gen_is_number);
  Value b = gen_value_like(g, a.shape.type, a.shape);
  bool is_real = gen_is_float(a.shape.type);
  uint32_t op = gen_below(g, is_real ? 6 : 18);
  double bound = INFINITY;
  if (is_real && op < 2)
    bound = a.bound + b.bound;
  if (is_real && op == 2)
    bound = a.bound * b.bound;
  if (!(bound < 1e30))
    bound = INFINITY;
  gen_begin(g, is_real ? of_floats[op] : of_ints[op], a.shape, bound, true);
  text_printf(&g->body, "%%%u, %%%u\n", a.number, b.number);
}

static void step_compare(Gen *g) {
  static const char *const of_ints[] = {"eq", "ne", "slt", "sle", "ult", "ule"};
  static const char *const of_floats[] = {"feq", "fne", "flt", "fle"};
  Value a = gen_any_value(g, gen_is_number);
  Value b = gen_value_like(g, a.shape.type, a.shape);
  Shape shape = a.shape;
  shape.type = BOOL;
  gen_begin(g,
            gen_is_float(a.shape.type) ? of_floats[gen_below(g, 4)]
                                       : of_ints[gen_below(g, 6)],
            shape, 1, false);
  text_printf(&g->body, "%%%u, %%%u\n", a.number, b.number);
}

static void step_convert(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Shape shape = a.shape;
  int from = a.shape.type, to;
  do
    to = (int)gen_below(g, TILE_TYPES);
  while (to == from || to == BOOL);
  shape.type = to;
  uint32_t a_bytes = tile_elements[from].bytes, bytes = tile_elements[to].bytes;
  const char *op = gen_is_float(from) ? gen_is_float(to)  ? "fcast"
                                        : gen_below(g, 2) ? "ftos"
                                                          : "ftou"
                   : from == BOOL     ? gen_is_float(to) ? "utof" : "zext"
                   : gen_is_float(to) ? gen_below(g, 2) ? "stof" : "utof"
                   : bytes < a_bytes  ? "trunc"
                   : bytes == a_bytes ? NULL
                   : gen_below(g, 2)  ? "sext"
                                      : "zext";
  if (!op)
    return;
  gen_begin(g, op, shape, a.bound < 2048 ? a.bound : INFINITY, a.is_wild);
  text_printf(&g->body, "%%%u\n", a.number);
}

static void step_select(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Value b = gen_value_like(g, a.shape.type, a.shape);
  Value c = gen_value_like(g, BOOL, a.shape);
  gen_begin(g, "select", a.shape, fmax(a.bound, b.bound), true);
  text_printf(&g->body, "%%%u, %%%u, %%%u\n", c.number, a.number, b.number);
}

// ---------------------------------------------------------------- movement

static void step_broadcast(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Shape shape = a.shape;
  bool is_longer = shape.rank < MOST_RANK && gen_below(g, 2);
  if (is_longer) {
    memmove(shape.extents + 1, shape.extents,
            shape.rank++ * sizeof *shape.extents);
    shape.extents[0] = gen_random_extent(g);
  }
  for (uint32_t i = is_longer; i < shape.rank; i++)
    if (shape.extents[i] == 1)
      shape.extents[i] = gen_random_extent(g);
  if (gen_is_legal(&shape))
    gen_broadcast_of(g, a, shape);
}

static void step_reshape(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Shape shape = {.type = a.shape.type};
  uint32_t rest = gen_count_of(&a.shape);
  shape.rank = 1 + gen_below(g, MOST_RANK);
  for (uint32_t i = 0; i + 1 < shape.rank; i++) {
    uint32_t part =
        gen_below(g, 3) ? 1u << gen_below(g, 4) : gen_odd_part(rest);
    shape.extents[i] = rest % part == 0 ? part : 1;
    rest /= shape.extents[i];
  }
  shape.extents[shape.rank - 1] = rest;
  gen_begin(g, "tile_reshape", shape, a.bound, a.is_wild);
  text_printf(&g->body, "%%%u\n", a.number);
}

static void step_permute(Gen *g) {
  Value a = gen_any_value(g, NULL);
  uint32_t order[MOST_RANK];
  for (uint32_t i = 0; i < a.shape.rank; i++) {
    uint32_t k = gen_below(g, i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  Shape shape = a.shape;
  Text text = {.arena = g->arena};
  for (uint32_t i = 0; i < shape.rank; i++) {
    shape.extents[i] = a.shape.extents[order[i]];
    text_printf(&text, "%s%u", i ? ", " : "", order[i]);
  }
  gen_begin(g, "tile_permute", shape, a.bound, a.is_wild);
  text_printf(&g->body, "[%s] %%%u\n", text_cstr(&text), a.number);
}

static const char *part_at(Gen *g, const Shape *whole, const Shape *part) {
  Text text = {.arena = g->arena};
  for (uint32_t i = 0; i < whole->rank; i++)
    text_printf(&text, "%s%u", i ? ", " : "[",
                gen_below(g, whole->extents[i] - part->extents[i] + 1));
  text_add(&text, "]");
  return text_cstr(&text);
}

// Of the same rank, within.
static Shape smaller(Gen *g, Shape shape) {
  Shape part = shape;
  do
    for (uint32_t i = 0; i < shape.rank; i++)
      do
        part.extents[i] = 1 + gen_below(g, shape.extents[i]);
      while (gen_odd_part(part.extents[i]) > 31);
  while (!gen_is_legal(&part));
  return part;
}

static void step_extract(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Shape part = smaller(g, a.shape);
  gen_begin(g, "tile_extract", part, a.bound, a.is_wild);
  text_printf(&g->body, "%s %%%u\n", part_at(g, &a.shape, &part), a.number);
}

static void step_insert(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Value b = gen_value_like(g, a.shape.type, smaller(g, a.shape));
  gen_begin(g, "tile_insert", a.shape, fmax(a.bound, b.bound), true);
  text_printf(&g->body, "%s %%%u, %%%u\n", part_at(g, &a.shape, &b.shape),
              a.number, b.number);
}

static void step_pad(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Shape shape = a.shape;
  for (uint32_t i = 0; i < shape.rank; i++)
    if (gen_below(g, 2))
      shape.extents[i] *= 2;
  if (!gen_is_legal(&shape))
    return;
  Value value = gen_constant(g, shape.type, 1);
  gen_begin(g, "tile_pad", shape, fmax(a.bound, 1), a.is_wild);
  text_printf(&g->body, "%%%u, %%%u\n", a.number, value.number);
}

static const char *axis_text(Gen *g, uint32_t axis) {
  return axis ? arena_printf(g->arena, "axis %u ", axis) : "";
}

static void step_cat(Gen *g) {
  Value a = gen_any_value(g, NULL);
  Value b = gen_value_like(g, a.shape.type, a.shape);
  Shape shape = a.shape;
  uint32_t axis = gen_below(g, shape.rank), n = 2 + gen_below(g, 2);
  shape.extents[axis] *= n;
  if (!gen_is_legal(&shape))
    return;
  gen_begin(g, "tile_cat", shape, fmax(a.bound, b.bound), true);
  text_printf(&g->body, "%s%%%u, %%%u", axis_text(g, axis), a.number, b.number);
  text_printf(&g->body, n > 2 ? ", %%%u\n" : "\n", a.number);
}

static void step_flip(Gen *g) {
  Value a = gen_any_value(g, NULL);
  uint32_t axis = gen_below(g, a.shape.rank);
  bool rolls = gen_below(g, 2);
  gen_begin(g, rolls ? "tile_roll" : "tile_flip", a.shape, a.bound, a.is_wild);
  text_add(&g->body, axis_text(g, axis));
  if (rolls)
    text_printf(&g->body, "[%d] ", (int)gen_below(g, 100) - 50);
  text_printf(&g->body, "%%%u\n", a.number);
}

static void step_bitcast(Gen *g) {
  Value a = gen_any_value(g, gen_is_int);
  Shape shape = a.shape;
  shape.type = I8 + (int)gen_below(g, TILE_TYPES - 1);
  uint32_t *last = &shape.extents[shape.rank - 1];
  uint32_t bytes = *last * tile_elements[a.shape.type].bytes;
  if (bytes % tile_elements[shape.type].bytes != 0)
    return;
  *last = bytes / tile_elements[shape.type].bytes;
  if (!gen_is_legal(&shape))
    return;
  gen_begin(g, "tile_bitcast", shape, INFINITY, true);
  text_printf(&g->body, "%%%u\n", a.number);
}

// --------------------------------------------------------------- combining

// Sums and products that any order gives.
static bool sums_exactly(const Value *value, uint32_t n) {
  double most = value->shape.type == BF16  ? 0x1p8
                : value->shape.type == F16 ? 0x1p11
                                           : 0x1p24;
  return !gen_is_float(value->shape.type) || value->bound * n <= most;
}

static const char *random_combine(Gen *g, const Value *value, uint32_t n,
                                  double *bound) {
  static const char *const of_bools[] = {"and", "or", "xor"};
  static const char *const of_ints[] = {"add",  "mul", "smin", "smax", "umin",
                                        "umax", "and", "or",   "xor"};
  *bound = value->bound;
  if (value->shape.type == BOOL)
    return of_bools[gen_below(g, 3)];
  if (!gen_is_float(value->shape.type)) {
    *bound = INFINITY;
    return of_ints[gen_below(g, 9)];
  }
  if (gen_below(g, 2) && sums_exactly(value, n)) {
    *bound *= n;
    return "add";
  }
  return gen_below(g, 2) ? "fmin" : "fmax";
}

static Value combined_value(Gen *g) {
  if (gen_below(g, 2))
    return gen_any_value(g, NULL);
  int type = I8 + (int)gen_below(g, TILE_TYPES - 1);
  return gen_small_integers(g, type,
                            gen_random_shape(g, type, 1 + gen_below(g, 4)));
}

static Shape without(const Shape *shape, uint32_t axes) {
  Shape rest = {.type = shape->type};
  for (uint32_t i = 0; i < shape->rank; i++)
    if (!(axes >> i & 1))
      rest.extents[rest.rank++] = shape->extents[i];
  return rest;
}

// A scalar is given to a tile, so that it shows.
static void show_scalar(Gen *g, Value value) {
  if (value.shape.rank == 0)
    gen_broadcast_of(g, value, (Shape){.rank = 1, .extents = {4}});
}

static const char *combine_text(Gen *g, const char *combine) {
  return strcmp(combine, "add") == 0
             ? ""
             : arena_printf(g->arena, "combine %s ", combine);
}

static void step_reduce(Gen *g) {
  Value a = combined_value(g);
  uint32_t axes = 1 + gen_below(g, (1u << a.shape.rank) - 1);
  double bound;
  const char *combine = random_combine(g, &a, gen_count_of(&a.shape), &bound);
  Value value =
      gen_begin(g, "tile_reduce", without(&a.shape, axes), bound, a.is_wild);
  text_printf(&g->body, "%saxes %u %%%u\n", combine_text(g, combine), axes,
              a.number);
  show_scalar(g, value);
}

static void step_arg(Gen *g) {
  Value a = gen_any_value(g, gen_is_number);
  uint32_t axes = 1 + gen_below(g, (1u << a.shape.rank) - 1);
  static const char *const ints[] = {"smin", "smax", "umin", "umax"};
  const char *combine = gen_is_float(a.shape.type)
                            ? (gen_below(g, 2) ? "fmin" : "fmax")
                            : ints[gen_below(g, 4)];
  Shape shape = without(&a.shape, axes);
  shape.type = I32;
  Value value = gen_begin(g, "tile_arg", shape, INFINITY, false);
  text_printf(&g->body, "combine %s axes %u %%%u\n", combine, axes, a.number);
  show_scalar(g, value);
}

static void step_scan(Gen *g) {
  Value a = combined_value(g);
  uint32_t axis = gen_below(g, a.shape.rank);
  double bound;
  const char *combine = random_combine(g, &a, a.shape.extents[axis], &bound);
  bool is_exclusive = gen_below(g, 2), has_first = gen_below(g, 3) == 0;
  Value first = {0};
  if (has_first && (!gen_is_float(a.shape.type) ||
                    sums_exactly(&a, gen_count_of(&a.shape) + 1)))
    first = gen_constant(g, a.shape.type, 1);
  else
    has_first = false;
  if (is_exclusive && gen_is_float(a.shape.type))
    bound = INFINITY; // it may begin with an infinity
  gen_begin(g, "tile_scan", a.shape, has_first ? bound + 1 : bound, a.is_wild);
  text_printf(&g->body, "%s%s%s%s%%%u", combine_text(g, combine),
              axis_text(g, axis), is_exclusive ? "exclusive " : "",
              gen_below(g, 2) ? "reverse " : "", a.number);
  text_printf(&g->body, has_first ? ", %%%u\n" : "\n", first.number);
}

static uint32_t new_var(Gen *g, const Shape *shape) {
  text_printf(&g->vars, "var $%u %s\n", g->n_vars, gen_type_text(g, shape));
  return g->n_vars++;
}

// An associative operator that isn't commutative: the left one unless it is 0;
// or the polynomial a + b + ab of integers.
static void step_operator(Gen *g) {
  Value a = gen_any_value(g, gen_is_int);
  Shape element = {.type = a.shape.type};
  uint32_t axis = gen_below(g, a.shape.rank), kind = gen_below(g, 3);
  uint32_t left = new_var(g, &element), result = new_var(g, &element);
  uint32_t right = kind ? new_var(g, &element) : left;
  Value first = gen_constant(g, element.type, 1);
  Shape shape = kind == 1 ? without(&a.shape, 1u << axis) : a.shape;
  Value value = gen_begin(g,
                          kind == 0   ? "tile_map"
                          : kind == 1 ? "tile_reduce_by"
                                      : "tile_scan_by",
                          shape, INFINITY, false);
  text_printf(&g->body, "by $%u $%u $%u %s", left, right, result,
              kind ? axis_text(g, axis) : "");
  bool has_first = kind == 2 && gen_below(g, 2);
  if (has_first && gen_below(g, 2))
    text_add(&g->body, "exclusive ");
  if (kind == 2 && gen_below(g, 2))
    text_add(&g->body, "reverse ");
  text_printf(&g->body, "%%%u", a.number);
  text_printf(&g->body, has_first ? ", %%%u {\n" : " {\n", first.number);
  const char *type = tile_elements[element.type].name;
  uint32_t n = g->n_values;
  g->n_values += 5;
  text_printf(&g->body, "%%%u = get %s $%u %%%u = get %s $%u\n", n, type, left,
              n + 1, type, right);
  if (gen_below(g, 2))
    text_printf(&g->body,
                "%%%u = const %s 0 %%%u = ne bool %%%u, %%%u\n"
                "%%%u = select %s %%%u, %%%u, %%%u\n",
                n + 2, type, n + 3, n, n + 2, n + 4, type, n + 3, n, n + 1);
  else
    text_printf(&g->body,
                "%%%u = mul %s %%%u, %%%u %%%u = add %s %%%u, %%%u\n"
                "%%%u = add %s %%%u, %%%u\n",
                n + 2, type, n, n + 1, n + 3, type, n, n + 1, n + 4, type,
                n + 2, n + 3);
  text_printf(&g->body, "set $%u %%%u }\n", result, n + 4);
  show_scalar(g, value);
}

// ---------------------------------------------------------------- ordering

static void step_sort(Gen *g) {
  Value a = gen_any_value(g, gen_is_number);
  uint32_t axis = gen_below(g, a.shape.rank);
  bool gives_indices = gen_below(g, 2);
  Shape shape = a.shape;
  shape.type = gives_indices ? I32 : shape.type;
  const char *is_unsigned =
      gen_below(g, 2) && gen_is_int(a.shape.type) ? ".unsigned" : "";
  gen_begin(g,
            arena_printf(g->arena, "%s%s",
                         gives_indices ? "tile_argsort" : "tile_sort",
                         is_unsigned),
            shape, a.bound, a.is_wild);
  text_printf(&g->body, "%s%%%u\n", axis_text(g, axis), a.number);
}

// Structs of a value and its index; one of the two is taken out again.
static void step_topk(Gen *g) {
  Value a = gen_any_value(g, gen_is_number);
  uint32_t axis = gen_below(g, a.shape.rank), leaf = gen_below(g, 2);
  Shape shape = a.shape;
  do
    shape.extents[axis] = 1 + gen_below(g, a.shape.extents[axis]);
  while (!gen_is_legal(&shape));
  const char *element = arena_printf(g->arena, "struct.%d", a.shape.type);
  uint32_t number = g->n_values++;
  text_printf(&g->body, "%%%u = tile_topk%s %s %s%%%u\n", number,
              gen_below(g, 2) && gen_is_int(a.shape.type) ? ".unsigned" : "",
              gen_tile_text(g, element, &shape), axis_text(g, axis), a.number);
  shape.type = leaf ? I32 : a.shape.type;
  gen_begin(g, "extract", shape, leaf ? INFINITY : a.bound, a.is_wild);
  text_printf(&g->body, "[%u] %%%u\n", leaf, number);
}

static void step_histogram(Gen *g) {
  Value a = gen_any_value(g, gen_is_int);
  Shape shape = {.type = I32, .rank = 1, .extents = {gen_random_extent(g)}};
  if (!gen_is_legal(&shape))
    return;
  gen_begin(g,
            arena_printf(g->arena, "tile_histogram%s",
                         gen_below(g, 2) ? ".unsigned" : ""),
            shape, INFINITY, false);
  text_printf(&g->body, "%%%u\n", a.number);
}

// ---------------------------------------------------------------- products

static void step_mma(Gen *g) {
  static const int from[] = {F32, F64, F16, F16, BF16, I8};
  static const int to[] = {F32, F64, F16, F32, F32, I32};
  uint32_t kind = gen_below(g, 6), batch = gen_below(g, 3);
  bool is_of_unit = g->sums == SUMS_KNOWN && gen_below(g, 2);
  if (is_of_unit)
    batch = 0;
  Shape a = {.type = from[kind], .rank = batch + 2}, b, c;
  do {
    for (uint32_t i = 0; i < batch; i++)
      a.extents[i] = 1 + gen_below(g, 3);
    for (uint32_t i = batch; i < a.rank; i++)
      a.extents[i] = is_of_unit ? 16u << gen_below(g, 3) : gen_random_extent(g);
    c = b = a;
    b.extents[batch] = a.extents[batch + 1];
    b.extents[batch + 1] =
        is_of_unit ? 8u << gen_below(g, 3) : gen_random_extent(g);
    c.extents[batch + 1] = b.extents[batch + 1];
    c.type = to[kind];
  } while (!gen_is_legal(&a) || !gen_is_legal(&b) || !gen_is_legal(&c));
  Value x = gen_value_like(g, a.type, a), y = gen_value_like(g, b.type, b);
  Value z = gen_value_like(g, c.type, c);
  if (gen_cleans_products(g, from[kind])) {
    x = gen_clean(g, x);
    y = gen_clean(g, y);
    z = gen_clean(g, z);
  }
  x = gen_factor(g, x);
  y = gen_factor(g, y);
  z = gen_factor(g, z);
  gen_begin(
      g, kind == 5 && gen_below(g, 3) == 0 ? "tile_mma.unsigned" : "tile_mma",
      c, INFINITY, true);
  if (kind == 5 && gen_below(g, 2))
    text_printf(&g->body, "[%u] ", gen_below(g, 4));
  text_printf(&g->body, "%%%u, %%%u, %%%u\n", x.number, y.number, z.number);
}

// ----------------------------------------------------------------- control

static void steps(Gen *g);

static void step_set(Gen *g) {
  if (g->variables.count == 0)
    return;
  const Variable *var = &g->variables.data[gen_below(g, g->variables.count)];
  Value value = gen_value_like(g, var->shape.type, var->shape);
  text_printf(&g->body, "set $%u %%%u\n", var->var, value.number);
}

static void step_get(Gen *g) {
  if (g->variables.count == 0)
    return;
  const Variable *var = &g->variables.data[gen_below(g, g->variables.count)];
  gen_begin(g, "get", var->shape, INFINITY, true);
  text_printf(&g->body, "$%u\n", var->var);
}

static void new_variable(Gen *g) {
  Value value = gen_any_value(g, NULL);
  Variable var = {new_var(g, &value.shape), value.shape};
  text_printf(&g->body, "set $%u %%%u\n", var.var, value.number);
  VEC_PUSH(g->arena, &g->variables, var);
}

static void inside(Gen *g) {
  uint32_t n_values = g->values.count, n_variables = g->variables.count;
  g->depth++;
  steps(g);
  g->depth--;
  g->values.count = n_values;
  g->variables.count = n_variables;
}

static void step_loop(Gen *g) {
  if (g->depth >= 2)
    return;
  uint32_t var = new_var(g, &(Shape){.type = I32});
  uint32_t low = gen_constant(g, I32, 0).number;
  uint32_t high = gen_constant(g, I32, 1 + gen_below(g, 3)).number;
  text_printf(&g->body, "for $%u step 1 signed %%%u, %%%u {\n", var, low, high);
  uint32_t i = g->n_values++;
  text_printf(&g->body, "%%%u = get i32 $%u\n", i, var);
  inside(g);
  text_add(&g->body, "}\n");
}

static void step_if(Gen *g) {
  if (g->depth >= 2)
    return;
  uint32_t condition = gen_constant(g, BOOL, gen_below(g, 2)).number;
  text_printf(&g->body, "if %%%u {\n", condition);
  inside(g);
  text_add(&g->body, "} else {\n");
  inside(g);
  text_add(&g->body, "}\n");
}

typedef void (*GenStep)(Gen *g);

static const GenStep all_steps[] = {
    step_load,        step_load,       step_store,      step_store,
    step_atomic,      step_convert,    step_select,     step_broadcast,
    step_reshape,     step_permute,    step_extract,    step_insert,
    step_pad,         step_cat,        step_flip,       step_bitcast,
    step_reduce,      step_reduce,     step_arg,        step_scan,
    step_scan,        step_sort,       step_histogram,  step_topk,
    step_mma,         step_mma,        step_set,        step_set,
    step_get,         step_get,        new_variable,    step_loop,
    step_if,          step_operator,   step_compare,    step_arithmetic,
    step_arithmetic,  step_arithmetic, step_arithmetic, gen_step_cast,
    gen_step_cast,    gen_step_bits,   gen_step_packed, gen_step_packed,
    gen_step_scaled,  gen_step_apply,  gen_step_assert, gen_step_threads,
    gen_step_threads,
};

static void steps(Gen *g) {
  uint32_t n = g->depth ? 1 + gen_below(g, 5) : g->budget;
  for (uint32_t i = 0; i < n && g->n_rows + 40 < MOST_TILE_TYPES; i++)
    all_steps[gen_below(g, sizeof all_steps / sizeof *all_steps)](g);
}

// Every value that is left, in a row.
static void show_all(Gen *g) {
  uint32_t count = g->values.count;
  for (uint32_t i = count > 8 ? count - 8 : 0; i < count; i++) {
    Value value = g->values.data[i];
    Shape row = {.type = value.shape.type, .rank = 1};
    row.extents[0] = gen_count_of(&value.shape);
    Value moved = gen_begin(g, "tile_reshape", row, INFINITY, true);
    text_printf(&g->body, "%%%u\n", value.number);
    uint32_t at = gen_constant(g, I32, gen_below(g, 2048)).number;
    gen_sync(g);
    text_printf(&g->body, "tile_store @a%u[%%%u : %u] = %%%u\n",
                (uint32_t)row.type * TILE_RANKS, at, row.extents[0],
                moved.number);
  }
}

// ----------------------------------------------------------------- programs

static void choose_arrays(Gen *g) {
  for (uint32_t i = 0; i < TILE_ARRAYS; i++) {
    TileArrayShape *array = &g->program->arrays[i];
    array->rank = i % TILE_RANKS + 1;
    array->extents[0] =
        array->rank == 1 ? TILE_ROW_LENGTH : 1 + gen_below(g, 40);
    array->extents[1] = 1 + gen_below(g, 60);
    array->extents[2] = 1 + gen_below(g, 12);
  }
}

// One for each element type, by its number.
static const char *struct_rows(Gen *g) {
  Text text = {.arena = g->arena};
  for (uint32_t i = 0; i < TILE_TYPES; i++) {
    uint32_t align = tile_elements[i].bytes == 8 ? 8 : 4;
    text_printf(&text, "struct \"%s\" size %u align %u { %s at 0 i32 at %u }\n",
                tile_elements[i].name, 2 * align, align, tile_elements[i].name,
                align);
  }
  return text_cstr(&text);
}

static const char *module_text(Gen *g) {
  Text text = {.arena = g->arena};
  text_printf(&text,
              "heddle-ir 1\nmodule \"tiles.hd\"\n%s%s\nkernel \"k\" {\n"
              "block %u 1 1\ngrid 3 %u %u %u\n"
              "group #0 grid align 1024 \"grid\"\n"
              "group #1 cluster in #0 align 1024 \"cluster\"\n"
              "group #2 block in #1 size %u align 1024 \"block\"\n",
              struct_rows(g), text_cstr(&g->types), g->n_threads,
              g->program->grid[0], g->program->grid[1], g->program->grid[2],
              g->n_threads);
  for (uint32_t i = 0; i < TILE_ARRAYS; i++) {
    const TileElement *element = &tile_elements[i / TILE_RANKS];
    const TileArrayShape *array = &g->program->arrays[i];
    text_printf(&text, "object @a%u global %s of %u extents [", i,
                element->name, element->bytes);
    for (uint32_t k = 0; k < array->rank; k++)
      text_printf(&text, "%s%u", k ? ", " : "", array->extents[k]);
    text_printf(&text, "] align %u bound %u\n", element->bytes, i);
  }
  for (uint32_t i = 0; i < TILE_ARRAYS; i++)
    text_printf(&text, "param \"a%u\" array %s signed @a%u\n", i,
                tile_elements[i / TILE_RANKS].name, i);
  text_printf(&text, "%sbody {\n%s}\n}\n", text_cstr(&g->vars),
              text_cstr(&g->body));
  return text_cstr(&text);
}

TileProgram tile_generate(Arena *arena, uint64_t seed, uint32_t budget,
                          TileSums sums) {
  TileProgram program = {.grid = {1, 1, 1}};
  Gen g = {.arena = arena,
           .random = seed * 2 + 1,
           .types = {.arena = arena},
           .vars = {.arena = arena},
           .body = {.arena = arena},
           .program = &program,
           .n_threads = seed % 4 == 1 ? 8u << seed / 4 % 4 : 1,
           .budget = budget,
           .sums = sums};
  choose_arrays(&g);
  if (seed % 4 == 3) {
    gen_product(&g);
  } else {
    steps(&g);
    show_all(&g);
  }
  program.text = module_text(&g);
  return program;
}
