// SPDX-License-Identifier: Apache-2.0
// Products with scales: for each element of the result a chain in float for
// each block of elements that share scales, and one sum in double for the
// block, as the interpreter computes it.
#include "tile/tile_parts.h"

typedef struct {
  const IrNode *node;
  const TileHome *numbers[4]; // of operands and their scales, f32 and f64
  const TileHome *home;
  IrTileShape to;
  uint32_t depth, block;
} Scaled;

typedef struct {
  const IrNode *from;
  IrType type;
  bool is_scale;
  IrTileShape shape;
  const TileHome *to;
} Unscaling;

static const IrType scaled_single = {.kind = IR_TYPE_F32, .lanes = 1};
static const IrType scaled_double = {.kind = IR_TYPE_F64, .lanes = 1};

// ---------------------------------------------------------------- operands

static void scaled_number(Lower *t, const TileIndex *index, void *context) {
  const Unscaling *job = context;
  IrNode *value = element_of(t, job->from, index);
  IrType type = ir_element_type(t->kernel->module, job->from->type);
  value = cast_number(t, type, value, job->type);
  if (job->is_scale) // matrix units ignore the sign of e4m3 scales
    value = put_node(t, IR_FABS, job->type, 1, value);
  home_store(t, job->to, index->flat, value);
}

static void scaled_numbers_all(Lower *t, void *context) {
  const Unscaling *job = context;
  nest_over(t, &job->shape, scaled_number, context);
}

static const TileHome *scaled_operand(Lower *t, const IrNode *node,
                                      uint32_t operand) {
  const IrNode *from = node->args[operand];
  bool is_scale = operand % 2 == 1;
  Unscaling job = {from, is_scale ? scaled_double : scaled_single, is_scale,
                   tile_shape_of_node(t, from), NULL};
  uint32_t elements = ir_tile_elements(t->kernel->module, from->type);
  job.to = home_new(t, job.type, elements, node->id);
  section_emit(t, &from, 1, scaled_numbers_all, &job);
  put_sync(t);
  return job.to;
}

// ------------------------------------------------------------------ chains

// Element (row, column) of matrix `batch` of an operand.
static IrNode *scaled_at(Lower *t, const Scaled *p, uint32_t operand,
                         IrNode *batch, IrNode *row, IrNode *column) {
  IrTileShape shape = tile_shape_of_node(t, p->node->args[operand]);
  uint32_t rank = shape.rank;
  IrNode *flat = put_times(t, batch, shape.extents[rank - 2]);
  flat = put_times(t, put_add(t, flat, row), shape.extents[rank - 1]);
  return home_load(t, p->numbers[operand], put_add(t, flat, column));
}

static IrNode *scaled_batch(Lower *t, const TileIndex *index) {
  IrNode *batch = put_i32(t, 0);
  return index->rank > 2 ? index->at[0] : batch;
}

static void tile_scaled_element(Lower *t, const TileIndex *index,
                                void *context) {
  const Scaled *p = context;
  uint32_t rank = p->to.rank;
  IrNode *batch = scaled_batch(t, index), *i, *k;
  IrNode *row = index->at[rank - 2], *column = index->at[rank - 1];
  for (uint32_t axis = 1; axis + 2 < rank; axis++)
    batch =
        put_add(t, put_times(t, batch, p->to.extents[axis]), index->at[axis]);
  uint32_t acc =
      put_var(t, scaled_single, element_of(t, p->node->args[4], index));
  uint32_t sum = put_var(t, scaled_single, NULL);
  PutPlace blocks =
      put_for(t, put_i32(t, 0), put_i32(t, p->depth / p->block), 1, &i);
  put_set(t, sum, put_const(t, scaled_single, 0));
  IrNode *first = put_times(t, i, p->block);
  PutPlace chain = put_for(t, put_i32(t, 0), put_i32(t, p->block), 1, &k);
  IrNode *at = put_add(t, first, k);
  IrNode *a = scaled_at(t, p, 0, batch, row, at);
  IrNode *b = scaled_at(t, p, 2, batch, at, column);
  put_set(t, sum, put_node(t, IR_FMA, scaled_single, 3, a, b, put_get(t, sum)));
  put_end(t, chain);
  IrNode *scale = put_two(t, IR_MUL, scaled_at(t, p, 1, batch, row, i),
                          scaled_at(t, p, 3, batch, i, column));
  IrNode *part = put_node(t, IR_FCAST, scaled_double, 1, put_get(t, sum));
  part = put_two(t, IR_MUL, part, scale);
  IrNode *before = put_node(t, IR_FCAST, scaled_double, 1, put_get(t, acc));
  part = put_two(t, IR_ADD, before, part);
  put_set(t, acc, put_node(t, IR_FCAST, scaled_single, 1, part));
  put_end(t, blocks);
  home_store(t, p->home, index->flat, put_get(t, acc));
}

static void scaled_all(Lower *t, void *context) {
  const Scaled *p = context;
  nest_over(t, &p->to, tile_scaled_element, context);
}

void tile_emit_mma_scaled(Lower *t, const IrNode *node, const TileHome *home) {
  Scaled p = {.node = node, .home = home, .to = tile_shape_of_node(t, node)};
  IrTileShape a = tile_shape_of_node(t, node->args[0]);
  IrTileShape scales = tile_shape_of_node(t, node->args[1]);
  p.depth = a.extents[a.rank - 1];
  p.block = p.depth / scales.extents[scales.rank - 1];
  for (uint32_t i = 0; i < 4; i++)
    p.numbers[i] = scaled_operand(t, node, i);
  const IrNode *root = node->args[4];
  section_emit(t, &root, 1, scaled_all, &p);
  put_sync(t);
}
