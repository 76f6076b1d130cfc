// SPDX-License-Identifier: Apache-2.0
// Kernels of several blocks that add up products over K: what runs blocks
// together (src/tile/tile_rect.c) takes most of them, and packs their operands.
#include "gen_state.h"

#include <math.h>

enum { MOST_WORK = 400 * 1000 };

typedef struct {
  Gen *g;
  uint32_t from, to; // types of the operands, of the sums
  uint32_t batches, m, n, k;
  uint32_t rows, columns, depth; // of a block
  uint32_t grid[2];              // blocks along rows, columns
  bool is_swapped;               // rows are blocks along x
  bool has_windows; // turns read other rows of operand 0, not other columns
  // Scalars.
  uint32_t row, column, batch, at;
} Product;

static uint32_t product_extent(Gen *g, uint32_t most) {
  uint32_t extent;
  do
    extent = gen_random_extent(g);
  while (extent > most);
  return extent;
}

// Of a lane that has 32 columns: what lanes without columns do counts, too.
static uint32_t product_work(const Product *p) {
  uint32_t turns = p->k / p->depth + 1;
  uint32_t block = p->rows * ((p->columns + 31) / 32) * 32 * p->depth;
  return p->batches * p->grid[0] * p->grid[1] * turns * block;
}

static void choose_product(Product *p) {
  static const uint32_t from[] = {F32, F64, F16, F16, BF16, BF16, I8, I8, I8};
  static const uint32_t to[] = {F32, F64, F16, F32, F32, F32, I32, I32, I32};
  Gen *g = p->g;
  uint32_t kind = gen_below(g, sizeof from / sizeof *from);
  p->from = from[kind];
  p->to = to[kind];
  p->batches = gen_below(g, 3) ? 1 : 1 + gen_below(g, 3);
  do {
    p->m = 1 + gen_below(g, 70);
    p->n = 1 + gen_below(g, 100);
    p->k = gen_below(g, gen_below(g, 2) ? 60 : 1500);
    p->rows = product_extent(g, 48);
    // Matrix registers take whole rows of lanes.
    p->columns = product_extent(g, 80);
    if (gen_below(g, 2))
      p->columns = 32u << gen_below(g, 2);
    p->depth = product_extent(g, 64);
    if (gen_below(g, 3) == 0) { // whole steps of products of warps
      p->rows = 16u << gen_below(g, 2);
      p->depth = 16u << gen_below(g, 2);
    }
    p->grid[0] = (p->m + p->rows - 1) / p->rows;
    p->grid[1] = (p->n + p->columns - 1) / p->columns;
  } while (product_work(p) > MOST_WORK);
  p->is_swapped = gen_below(g, 2);
  p->has_windows = gen_below(g, 3) == 0;
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

// Both operands are of one array, the result is of one with another number of
// dimensions.
static void shape_arrays(const Product *p) {
  uint32_t rank = p->batches > 1 ? 3 : 2;
  TileArrayShape *in = &p->g->program->arrays[p->from * TILE_RANKS + rank - 1];
  TileArrayShape *out = &p->g->program->arrays[p->to * TILE_RANKS + 4 - rank];
  uint32_t side = larger(larger(p->m, p->n), 1);
  uint32_t first = rank - 2;
  in->extents[0] = p->batches;
  in->extents[first] = larger(side, gen_below(p->g, 2) ? p->k : 1);
  in->extents[first + 1] = larger(side, p->k);
  out->extents[0] = rank == 3 ? p->batches * p->grid[0] * p->rows : 1;
  out->extents[rank == 3 ? 1 : 2] = p->n;
  if (rank == 2)
    out->extents[1] = p->m;
}

// ----------------------------------------------------------------- scalars

static uint32_t product_block(Gen *g, uint32_t dimension, uint32_t by) {
  uint32_t i = g->n_values++;
  text_printf(&g->body, "%%%u = block_index i32 [%u]\n", i, dimension);
  uint32_t factor = gen_constant(g, I32, by).number, at = g->n_values++;
  text_printf(&g->body, "%%%u = mul.nsw i32 %%%u, %%%u\n", at, i, factor);
  return at;
}

static void product_indices(Product *p) {
  p->row = product_block(p->g, p->is_swapped ? 0 : 1, p->rows);
  p->column = product_block(p->g, p->is_swapped ? 1 : 0, p->columns);
  if (p->batches > 1)
    p->batch = product_block(p->g, 2, 1);
}

// ---------------------------------------------------------------- operands

static Value product_one(Gen *g, const char *op, Value a, Shape shape,
                         const char *others) {
  Value value = gen_begin(g, op, shape, INFINITY, a.is_wild);
  text_printf(&g->body, "%%%u%s\n", a.number, others);
  return value;
}

// One number in all elements; `bits` of bfloat16, half, float.
static Value product_number(Gen *g, Shape shape, const char *const bits[3],
                            double most) {
  uint32_t number = g->n_values++;
  int row = shape.type == BF16 ? 0 : shape.type == F16 ? 1 : 2;
  text_printf(&g->body, "%%%u = const %s\n", number, bits[row]);
  Value value = gen_begin(g, "tile_broadcast", shape, most, false);
  text_printf(&g->body, "%%%u\n", number);
  return value;
}

// Times 3/7, as near as the type has it: sums are rounded, and it shows how.
static Value gen_spread(Gen *g, Value a) {
  static const char *const bits[] = {"bf16 0x3edb", "f16 0x36db",
                                     "f32 0x3edb6db7"};
  Value part = product_number(g, a.shape, bits, 1);
  return product_one(g, "mul", a, a.shape,
                     arena_printf(g->arena, ", %%%u", part.number));
}

Value gen_factor(Gen *g, Value a) {
  int type = a.shape.type;
  bool is_narrow = type == F16 || type == BF16 || type == F32;
  if (g->sums != SUMS_KNOWN || !is_narrow || gen_below(g, 4) == 0)
    return a;
  return gen_spread(g, a);
}

bool gen_cleans_products(const Gen *g, int type) {
  return g->sums != SUMS_KNOWN &&
         (type == BF16 || (type == F16 && g->sums == SUMS_CUT));
}

Value gen_clean(Gen *g, Value a) {
  Shape flags = a.shape;
  flags.type = BOOL;
  static const char *const bits[] = {"bf16 0x4100", "f16 0x4800",
                                     "f32 0x41000000"};
  Value eight = product_number(g, a.shape, bits, 8);
  Value zero = gen_broadcast_of(g, gen_constant(g, a.shape.type, 0), a.shape);
  Value size = product_one(g, "fabs", a, a.shape, "");
  Value is_small = product_one(g, "fle", size, flags,
                               arena_printf(g->arena, ", %%%u", eight.number));
  Value chosen = product_one(
      g, "select", is_small, a.shape,
      arena_printf(g->arena, ", %%%u, %%%u", a.number, zero.number));
  Value whole = product_one(g, "floor", chosen, a.shape, "");
  if (g->sums != SUMS_CUT)
    return whole;
  return product_one(g, "add", whole, a.shape, // -0 becomes +0
                     arena_printf(g->arena, ", %%%u", zero.number));
}

static Value product_changed(Gen *g, Value a) {
  if (gen_cleans_products(g, a.shape.type))
    a = gen_clean(g, a);
  a = gen_factor(g, a);
  switch (gen_below(g, 4)) {
  case 0: return product_one(g, "neg", a, a.shape, "");
  case 1: {
    Value one = gen_broadcast_of(g, gen_constant(g, a.shape.type, 1), a.shape);
    return product_one(g, "add", a, a.shape,
                       arena_printf(g->arena, ", %%%u", one.number));
  }
  default: return a;
  }
}

// Rows from `i` on, columns from `j` on; the array may hold them transposed.
static Value product_operand(Product *p, uint32_t i, uint32_t rows, uint32_t j,
                             uint32_t columns) {
  Gen *g = p->g;
  bool is_turned = gen_below(g, 3) == 0;
  Shape shape = {.type = (int)p->from, .rank = 2, .extents = {rows, columns}};
  Shape there = shape;
  if (is_turned) {
    there.extents[0] = columns;
    there.extents[1] = rows;
  }
  uint32_t rank = p->batches > 1 ? 3 : 2;
  Value value = gen_begin(g, "tile_load", there, INFINITY, true);
  text_printf(&g->body, "@a%u[", p->from * TILE_RANKS + rank - 1);
  if (rank == 3)
    text_printf(&g->body, "%%%u, ", p->batch);
  text_printf(&g->body, "%%%u : %u, %%%u : %u]\n", is_turned ? j : i,
              there.extents[0], is_turned ? i : j, there.extents[1]);
  if (is_turned) {
    Value turned = gen_begin(g, "tile_permute", shape, INFINITY, true);
    text_printf(&g->body, "[1, 0] %%%u\n", value.number);
    value = turned;
  }
  return product_changed(g, value);
}

// The rows of a turn begin behind those of the block.
static Value product_window(Product *p) {
  Gen *g = p->g;
  uint32_t zero = gen_constant(g, I32, 0).number, row = g->n_values++;
  text_printf(&g->body, "%%%u = add.nsw i32 %%%u, %%%u\n", row, p->row, p->at);
  return product_operand(p, row, p->rows, zero, p->depth);
}

// ------------------------------------------------------------------- loops

static void product_loop(Product *p, uint32_t acc, Shape shape) {
  Gen *g = p->g;
  uint32_t var = g->n_vars++;
  text_printf(&g->vars, "var $%u i32\n", var);
  uint32_t low = gen_constant(g, I32, gen_below(g, 4) ? 0 : 3).number;
  uint32_t high = gen_constant(g, I32, p->k).number;
  uint32_t step = p->depth + (gen_below(g, 8) == 0);
  text_printf(&g->body, "for $%u step %u signed %%%u, %%%u {\n", var, step, low,
              high);
  p->at = g->n_values++;
  text_printf(&g->body, "%%%u = get i32 $%u\n", p->at, var);
  Value a = p->has_windows
                ? product_window(p)
                : product_operand(p, p->row, p->rows, p->at, p->depth);
  Value b = product_operand(p, p->at, p->depth, p->column, p->columns);
  Value sum = gen_begin(g, "get", shape, INFINITY, true);
  text_printf(&g->body, "$%u\n", acc);
  bool is_unsigned = p->from == I8 && gen_below(g, 4) == 0;
  Value product = gen_begin(g, is_unsigned ? "tile_mma.unsigned" : "tile_mma",
                            shape, INFINITY, true);
  if (p->from == I8 && gen_below(g, 2))
    text_printf(&g->body, "[%u] ", gen_below(g, 4));
  text_printf(&g->body, "%%%u, %%%u, %%%u\nset $%u %%%u\n}\n", a.number,
              b.number, sum.number, acc, product.number);
}

static void product_store(Product *p, Value value) {
  Gen *g = p->g;
  uint32_t rank = p->batches > 1 ? 3 : 2, row = p->row;
  if (rank == 3) { // each batch has rows of its own
    uint32_t by = gen_constant(g, I32, p->grid[0] * p->rows).number;
    uint32_t first = g->n_values++;
    text_printf(&g->body, "%%%u = mul.nsw i32 %%%u, %%%u\n", first, p->batch,
                by);
    row = g->n_values++;
    text_printf(&g->body, "%%%u = add.nsw i32 %%%u, %%%u\n", row, first,
                p->row);
  }
  uint32_t zero = gen_constant(g, I32, 0).number;
  text_printf(&g->body, "tile_store @a%u[", p->to * TILE_RANKS + 4 - rank);
  if (rank == 2)
    text_printf(&g->body, "%%%u, ", zero);
  text_printf(&g->body, "%%%u : %u, %%%u : %u] = %%%u\n", row, p->rows,
              p->column, p->columns, value.number);
}

void gen_product(Gen *g) {
  Product p = {.g = g};
  choose_product(&p);
  shape_arrays(&p);
  product_indices(&p);
  Shape shape = {.type = (int)p.to, .rank = 2, .extents = {p.rows, p.columns}};
  uint32_t acc = g->n_vars++;
  text_printf(&g->vars, "var $%u %s\n", acc, gen_type_text(g, &shape));
  Value start =
      gen_broadcast_of(g, gen_constant(g, (int)p.to, gen_below(g, 2)), shape);
  text_printf(&g->body, "set $%u %%%u\n", acc, start.number);
  product_loop(&p, acc, shape);
  Value end = gen_begin(g, "get", shape, INFINITY, true);
  text_printf(&g->body, "$%u\n", acc);
  if (gen_below(g, 2))
    end = product_one(g, "neg", end, shape, "");
  product_store(&p, end);
  uint32_t *grid = g->program->grid;
  grid[p.is_swapped ? 0 : 1] = p.grid[0];
  grid[p.is_swapped ? 1 : 0] = p.grid[1];
  grid[2] = p.batches;
}
