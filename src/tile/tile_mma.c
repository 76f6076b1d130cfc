// SPDX-License-Identifier: Apache-2.0
// Products of matrices.
//
// Note [Blocks of the product]
// A block of the result is some rows and as many neighbouring columns as there
// are lanes, so that one row of it is a vector. It is in variables while k goes
// from 0 up: a vector of operand 1 and a scalar of each row of operand 0 make
// the next link of the chains, acc = fma(a, b, acc). Operands that aren't in
// memory in the type of the sums are copied there first.
#include "tile/tile_parts.h"

#define MOST_ROWS 14

typedef struct {
  const IrNode *node;
  IrType work; // of the sums
  IrTileShape to, batch, columns;
  uint32_t n_rows, n_columns, depth;
  const TileHome *packed[2]; // NULL: the operand is loaded itself
  const TileHome *home;
  // State.
  IrNode *batch_at[IR_MAX_TILE_RANK], *batch_flat;
  IrNode *first_row;
  uint32_t rows; // of the block
} Product;

// ---------------------------------------------------------------- operands

IrType product_work(IrType result) {
  bool is_narrow = result.kind == IR_TYPE_F16 || result.kind == IR_TYPE_BF16;
  return is_narrow ? ir_scalar(IR_TYPE_F32) : result;
}

IrNode *product_convert(Lower *t, const IrNode *mma, uint32_t operand,
                        IrNode *value) {
  IrType work = product_work(ir_element_type(t->kernel->module, mma->type));
  value = cast_physical(t, value); // tf32 is cut where it is made
  if (ir_type_equal(value->type, work))
    return value;
  if (!ir_type_is_int(value->type))
    return put_node(t, IR_FCAST, work, 1, value);
  return put_node(t, product_is_unsigned(mma, operand) ? IR_ZEXT : IR_SEXT,
                  work, 1, value);
}

typedef struct {
  const Product *product;
  uint32_t operand;
  IrTileShape shape;
  const TileHome *to;
} Packing;

static void product_pack_element(Lower *t, const TileIndex *index,
                                 void *context) {
  const Packing *job = context;
  const Product *p = job->product;
  IrNode *value = element_of(t, p->node->args[job->operand], index);
  home_store(t, job->to, index->flat,
             product_convert(t, p->node, job->operand, value));
}

static void pack_all(Lower *t, void *context) {
  const Packing *job = context;
  nest_over(t, &job->shape, product_pack_element, context);
}

static const TileHome *pack_operand(Lower *t, const Product *p,
                                    uint32_t operand) {
  const IrNode *from = p->node->args[operand];
  IrTileShape shape = tile_shape_of_node(t, from);
  bool is_there = t->homes[from->id] || from->op == IR_GET;
  if (is_there && ir_type_equal(shape.element, p->work))
    return NULL;
  uint32_t elements = ir_tile_elements(t->kernel->module, from->type);
  Packing job = {p, operand, shape,
                 home_new(t, p->work, elements, p->node->id)};
  section_emit(t, &from, 1, pack_all, &job);
  put_sync(t);
  return job.to;
}

static IrNode *product_load(Lower *t, const Product *p, uint32_t operand,
                            IrNode *flat) {
  if (p->packed[operand])
    return home_load(t, p->packed[operand], flat);
  TileIndex index = {.flat = flat};
  return element_of(t, p->node->args[operand], &index);
}

// ------------------------------------------------------------------ blocks

static IrNode *matrix_at(Lower *t, const Product *p, IrNode *row,
                         uint32_t n_rows, IrNode *column, uint32_t n_columns) {
  IrNode *flat = put_add(t, put_times(t, row, n_columns), column);
  if (!p->batch_flat)
    return flat;
  return put_add(t, put_times(t, p->batch_flat, (int64_t)n_rows * n_columns),
                 flat);
}

static TileIndex product_index(Lower *t, const Product *p, uint32_t row,
                               IrNode *column) {
  IrNode *at[IR_MAX_TILE_RANK];
  uint32_t rank = p->to.rank;
  for (uint32_t i = 0; i + 2 < rank; i++)
    at[i] = p->batch_at[i];
  at[rank - 2] = put_plus(t, p->first_row, row);
  at[rank - 1] = column;
  return nest_index(t, &p->to, at);
}

IrNode *product_link(Lower *t, IrNode *a, IrNode *b, IrNode *sum) {
  if (ir_type_is_float(sum->type))
    return put_node(t, IR_FMA, sum->type, 3, a, b, sum);
  return put_two(t, IR_ADD, put_two(t, IR_MUL, a, b), sum);
}

static void block_chain(Lower *t, const Product *p, IrNode *column,
                        const uint32_t *sums) {
  IrNode *k;
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, p->depth), 1, &k);
  IrNode *b =
      product_load(t, p, 1, matrix_at(t, p, k, p->depth, column, p->n_columns));
  for (uint32_t i = 0; i < p->rows; i++) {
    IrNode *row = put_plus(t, p->first_row, i);
    IrNode *a =
        product_load(t, p, 0, matrix_at(t, p, row, p->n_rows, k, p->depth));
    put_set(t, sums[i], product_link(t, a, b, put_get(t, sums[i])));
  }
  put_end(t, place);
}

static void block_columns(Lower *t, const TileIndex *columns, void *context) {
  const Product *p = context;
  IrNode *column = columns->at[0];
  uint32_t sums[MOST_ROWS];
  for (uint32_t i = 0; i < p->rows; i++) {
    TileIndex index = product_index(t, p, i, column);
    IrNode *start = element_of(t, p->node->args[2], &index);
    if (!ir_type_equal(start->type, p->work))
      start = put_node(t, IR_FCAST, p->work, 1, start);
    sums[i] = put_var(t, p->work, start);
  }
  block_chain(t, p, column, sums);
  for (uint32_t i = 0; i < p->rows; i++) {
    TileIndex index = product_index(t, p, i, column);
    IrNode *sum = put_get(t, sums[i]);
    if (!ir_type_equal(p->to.element, p->work))
      sum = put_node(t, IR_FCAST, p->to.element, 1, sum);
    home_store(t, p->home, index.flat, sum);
  }
}

static void product_rows(Lower *t, Product *p, IrNode *first, uint32_t rows) {
  p->first_row = first;
  p->rows = rows;
  nest_over(t, &p->columns, block_columns, p);
}

// As many rows as leave registers for a row of operand 1 and an element of
// operand 0, or for an element of each row and a part of a row. Links of words
// aren't taken by parts, and may need a register for what is added.
uint32_t product_rows_most(const Lower *t, IrType type, bool has_words) {
  uint32_t bytes = ir_type_size(t->kernel->module, type) * t->lanes;
  uint32_t a_row =
      (bytes + t->target->vector_bytes - 1) / t->target->vector_bytes;
  uint32_t n = t->target->n_vectors, others = a_row + 1 + has_words;
  uint32_t by_rows = n > others ? (n - others) / a_row : 0;
  uint32_t by_parts = n > 1 && !has_words ? (n - 1) / (a_row + 1) : 0;
  uint32_t rows = by_rows > by_parts ? by_rows : by_parts;
  return rows > MOST_ROWS ? MOST_ROWS : rows > 0 ? rows : 1;
}

static void product_matrix(Lower *t, const TileIndex *batch, void *context) {
  Product *p = context;
  for (uint32_t i = 0; i < batch->rank; i++)
    p->batch_at[i] = batch->at[i];
  p->batch_flat = batch->rank ? batch->flat : NULL;
  uint32_t step = product_rows_most(t, p->work, false);
  uint32_t rest = p->n_rows % step, full = p->n_rows - rest;
  if (full > 0) {
    IrNode *row;
    PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, full), step, &row);
    product_rows(t, p, row, step);
    put_end(t, place);
  }
  if (rest > 0)
    product_rows(t, p, put_i32(t, full), rest);
}

static void product_all(Lower *t, void *context) {
  const Product *p = context;
  nest_serial(t, &p->batch, product_matrix, context);
}

void tile_emit_mma(Lower *t, const IrNode *node, const TileHome *home) {
  if (t->rect && t->rect->mma == node) {
    panel_emit_mma(t, home);
    return;
  }
  Product p = {.node = node, .home = home, .to = tile_shape_of_node(t, node)};
  uint32_t rank = p.to.rank;
  p.work = product_work(p.to.element);
  p.batch = nest_part(&p.to, 3u << (rank - 2), false);
  p.columns = nest_part(&p.to, 1u << (rank - 1), true);
  p.n_rows = p.to.extents[rank - 2];
  p.n_columns = p.to.extents[rank - 1];
  p.depth = tile_shape_of_node(t, node->args[0]).extents[rank - 1];
  for (uint32_t i = 0; i < 2; i++)
    p.packed[i] = pack_operand(t, &p, i);
  const IrNode *root = node->args[2];
  section_emit(t, &root, 1, product_all, &p);
  put_sync(t);
}
