// SPDX-License-Identifier: Apache-2.0
// Products where each lane has a square of the result in registers.
//
// Note [Squares of products]
// The result is spread over both of its axes (Note [Spreads]): a lane's rows
// and columns share the elements of the operands, which lie in memory that all
// lanes see. Each element is the chain acc = fma(a, b, acc), k ascending, as
// everywhere. Some steps of k stand in one turn, so that the elements of a row
// of operand 0 are loaded together; its rows lie a little apart, so that those
// of several lanes are in different banks.
#include "tile/tile_parts.h"

enum { MOST_STEPS = 4, ROW_GAP = 4 };

typedef struct {
  const IrNode *node;
  IrType work;
  const TileSpread *spread;
  const TileHome *home;
  SpreadBase base;
  uint32_t depth, n_columns, n_rows;
  uint32_t own_rows, own_columns; // of a lane
  const TileHome *packed[2];      // NULL: the operand itself is in memory
  uint32_t row_step;              // elements between rows of operand 0
  uint32_t *sums;                 // variables, by slot
} SquareProduct;

// ---------------------------------------------------------------- operands

typedef struct {
  const SquareProduct *product;
  uint32_t operand, row_step;
  IrTileShape shape;
  const TileHome *to;
} SquarePacking;

static void square_pack_element(Lower *t, const TileIndex *index,
                                void *context) {
  const SquarePacking *job = context;
  const IrNode *node = job->product->node;
  IrNode *value = element_of(t, node->args[job->operand], index);
  IrNode *flat =
      put_add(t, put_times(t, index->at[0], job->row_step), index->at[1]);
  home_store(t, job->to, flat, product_convert(t, node, job->operand, value));
}

static void square_pack_all(Lower *t, void *context) {
  const SquarePacking *job = context;
  nest_over(t, &job->shape, square_pack_element, context);
}

static void square_pack(Lower *t, SquareProduct *p, uint32_t operand) {
  const IrNode *from = p->node->args[operand];
  IrTileShape shape = tile_shape_of_node(t, from);
  bool is_there = t->homes[from->id] || from->op == IR_GET;
  uint32_t row_step = shape.extents[1] + (operand == 0 ? ROW_GAP : 0);
  if (is_there && ir_type_equal(shape.element, p->work))
    return;
  const TileHome *to =
      home_new(t, p->work, shape.extents[0] * row_step, p->node->id);
  SquarePacking job = {p, operand, row_step, shape, to};
  section_emit(t, &from, 1, square_pack_all, &job);
  p->packed[operand] = to;
  if (operand == 0)
    p->row_step = row_step;
}

static IrNode *square_load(Lower *t, const SquareProduct *p, uint32_t operand,
                           IrNode *flat) {
  if (p->packed[operand])
    return home_load(t, p->packed[operand], flat);
  TileIndex index = {.flat = flat};
  return element_of(t, p->node->args[operand], &index);
}

// ------------------------------------------------------------------- chains

static IrNode *square_at(Lower *t, const SquareProduct *p, uint32_t dimension,
                         uint32_t slot) {
  uint32_t more = p->spread->slots[slot][dimension];
  IrNode *base = p->base.at[dimension];
  return base ? put_plus(t, base, more) : put_i32(t, more);
}

static void square_step(Lower *t, const SquareProduct *p, IrNode *k) {
  IrNode **b = ARENA_ARRAY(t->scratch, IrNode *, p->own_columns);
  IrNode *row = put_times(t, k, p->n_columns);
  for (uint32_t j = 0; j < p->own_columns; j++)
    b[j] = square_load(t, p, 1, put_add(t, row, square_at(t, p, 1, j)));
  for (uint32_t i = 0; i < p->own_rows; i++) {
    uint32_t first = i * p->own_columns;
    IrNode *at = put_times(t, square_at(t, p, 0, first), p->row_step);
    IrNode *a = square_load(t, p, 0, put_add(t, at, k));
    for (uint32_t j = 0; j < p->own_columns; j++) {
      uint32_t sum = p->sums[first + j];
      put_set(t, sum, product_link(t, a, b[j], put_get(t, sum)));
    }
  }
}

static void square_chains(Lower *t, const SquareProduct *p) {
  IrNode *k;
  int64_t steps = MOST_STEPS;
  while (p->depth % steps)
    steps /= 2;
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, p->depth), steps, &k);
  for (int64_t i = 0; i < steps; i++)
    square_step(t, p, put_plus(t, k, i));
  put_end(t, place);
}

static void square_all(Lower *t, void *context) {
  SquareProduct *p = context;
  p->base = spread_base(t, p->spread);
  spread_load_sums(t, p->node->args[2], p->spread, &p->base, p->work, p->sums);
  square_chains(t, p);
  spread_store_sums(t, p->home, p->spread, &p->base, p->node->type, p->sums);
}

bool square_emit_mma(Lower *t, const IrNode *node, const TileHome *home) {
  IrTileShape to = tile_shape_of_node(t, node);
  const TileSpread *spread = to.rank == 2 ? spread_of(t, &to) : NULL;
  if (!spread || spread->is_of_unit)
    return false;
  if (spread->n_across > 0) {
    warp_emit_mma(t, node, spread, home);
    return true;
  }
  SquareProduct p = {.node = node, .spread = spread, .home = home};
  p.work = product_work(to.element);
  p.depth = tile_shape_of_node(t, node->args[0]).extents[1];
  p.n_rows = to.extents[0];
  p.n_columns = to.extents[1];
  p.own_rows = p.n_rows / spread->along[0];
  p.own_columns = p.n_columns / spread->along[1];
  p.row_step = p.depth;
  p.sums = ARENA_ARRAY(t->scratch, uint32_t, spread->n_slots);
  for (uint32_t i = 0; i < 2; i++)
    square_pack(t, &p, i);
  if (p.packed[0] || p.packed[1])
    put_sync(t);
  const IrNode *root = node->args[2];
  section_emit(t, &root, 1, square_all, &p);
  put_sync(t);
  return true;
}
