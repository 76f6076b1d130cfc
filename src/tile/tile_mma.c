// SPDX-License-Identifier: Apache-2.0
// Products of matrices.
//
// Note [Blocks of the product]
// A block of the result is some rows and as many neighbouring columns as there
// are lanes, so that one row of it is a vector. It is in variables while k goes
// from 0 up: a vector of operand 1 and a scalar of each row of operand 0 make
// the next link of the chains, acc = fma(a, b, acc). Operands that aren't in
// memory in the type of the sums are copied there first, or as words (Note
// [Words of products]): operand 0 lies there as it did, neighbours along K
// being words, operand 1 has a row of words for some rows of elements.
#include "tile/tile_parts.h"

#define MOST_ROWS 14

typedef struct {
  const IrNode *node;
  IrType work; // of the sums
  IrTileShape to, batch, columns;
  uint32_t n_rows, n_columns, depth;
  ProductWords words;
  const TileHome *packed[2]; // NULL: the operand is loaded itself
  const TileHome *counts;    // see word_count: by batch and column
  uint32_t least[2];         // variables: see word_least
  const TileHome *home;
  // State.
  IrNode *batch_at[IR_MAX_TILE_RANK], *batch_flat;
  IrNode *first_row;
  uint32_t rows;  // of the block
  bool has_small; // numbers are too small for fdot2
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

// An element of operand 0, or a word of it; likewise of operand 1.
static IrNode *product_load(Lower *t, const Product *p, uint32_t operand,
                            IrNode *flat) {
  if (operand == 0 && p->words.group > 1)
    return word_load(t, &p->words, p->packed[0], flat);
  if (p->packed[operand])
    return home_load(t, p->packed[operand], flat);
  TileIndex index = {.flat = flat};
  return element_of(t, p->node->args[operand], &index);
}

static IrNode *matrix_at(Lower *t, const Product *p, IrNode *row,
                         uint32_t n_rows, IrNode *column, uint32_t n_columns) {
  IrNode *flat = put_add(t, put_times(t, row, n_columns), column);
  if (!p->batch_flat)
    return flat;
  return put_add(t, put_times(t, p->batch_flat, (int64_t)n_rows * n_columns),
                 flat);
}

// ------------------------------------------------------------------- words

static IrNode *product_unit(Lower *t, const Product *p, uint32_t operand,
                            const TileIndex *index) {
  IrNode *value = element_of(t, p->node->args[operand], index);
  IrNode *unit = word_unit(t, &p->words, p->node, operand, value);
  if (p->words.link == IR_FDOT2)
    word_see(t, p->least[operand], unit);
  return unit;
}

static void product_pack_unit(Lower *t, const TileIndex *index, void *context) {
  const Product *p = context;
  home_store(t, p->packed[0], index->flat, product_unit(t, p, 0, index));
}

static void product_pack_units(Lower *t, void *context) {
  const Product *p = context;
  IrTileShape shape = tile_shape_of_node(t, p->node->args[0]);
  nest_over(t, &shape, product_pack_unit, context);
}

// Word `q` of a column of operand 1, whose place without K is `index`.
static IrNode *product_word(Lower *t, const Product *p, const TileIndex *index,
                            IrNode *q) {
  IrTileShape shape = tile_shape_of_node(t, p->node->args[1]);
  IrNode *units[MOST_GROUP], *at[IR_MAX_TILE_RANK];
  uint32_t rank = shape.rank;
  for (uint32_t i = 0; i + 2 < rank; i++)
    at[i] = index->at[i];
  at[rank - 1] = index->at[rank - 2];
  for (uint32_t i = 0; i < p->words.group; i++) {
    at[rank - 2] = put_plus(t, put_times(t, q, p->words.group), i);
    TileIndex element = nest_index(t, &shape, at);
    units[i] = product_unit(t, p, 1, &element);
  }
  return word_join(t, &p->words, units);
}

static void product_pack_column(Lower *t, const TileIndex *index,
                                void *context) {
  Product p = *(const Product *)context;
  uint32_t n = p.depth / p.words.group, count = 0;
  IrNode *q, *column = index->at[p.batch.rank];
  p.batch_flat = p.batch.rank ? nest_index(t, &p.batch, index->at).flat : NULL;
  if (p.counts)
    count = put_var(t, p.words.word, put_i32(t, 0));
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, n), 1, &q);
  IrNode *word = product_word(t, &p, index, q);
  home_store(t, p.packed[1], matrix_at(t, &p, q, n, column, p.n_columns), word);
  if (p.counts)
    put_set(t, count, word_count(t, &p.words, word, put_get(t, count)));
  put_end(t, place);
  if (p.counts)
    home_store(t, p.counts, index->flat, put_get(t, count));
}

static void product_pack_columns(Lower *t, void *context) {
  const Product *p = context;
  IrTileShape shape = tile_shape_of_node(t, p->node->args[1]);
  IrTileShape columns = nest_part(&shape, 1u << (shape.rank - 2), false);
  nest_over(t, &columns, product_pack_column, context);
}

static void product_pack_words(Lower *t, Product *p) {
  const IrModule *module = t->kernel->module;
  uint32_t last = p->node->id, elements[2];
  for (uint32_t i = 0; i < 2; i++) {
    elements[i] = ir_tile_elements(module, p->node->args[i]->type);
    if (p->words.link == IR_FDOT2)
      p->least[i] = word_least(t, p->words.unit);
  }
  p->packed[0] = home_new(t, p->words.unit, elements[0], last);
  p->packed[1] = home_new(t, p->words.word, elements[1] / p->words.group, last);
  if (p->words.flips)
    p->counts = home_new(t, p->words.word, elements[1] / p->depth, last);
  for (uint32_t i = 0; i < 2; i++) {
    const IrNode *from = p->node->args[i];
    section_emit(t, &from, 1, i ? product_pack_columns : product_pack_units, p);
  }
  put_sync(t);
}

static IrNode *product_word_link(Lower *t, const Product *p, IrNode *a,
                                 IrNode *b, IrNode *sum) {
  return p->has_small ? word_link_small(t, a, b, sum)
                      : word_link(t, &p->words, a, b, sum);
}

// What the sums begin with.
static IrNode *product_start(Lower *t, const Product *p,
                             const TileIndex *index) {
  IrNode *start = element_of(t, p->node->args[2], index);
  if (!ir_type_equal(start->type, p->work))
    start = put_node(t, IR_FCAST, p->work, 1, start);
  if (!p->counts)
    return start;
  IrNode *at = index->at[index->rank - 1];
  if (p->batch_flat)
    at = put_add(t, put_times(t, p->batch_flat, p->n_columns), at);
  return word_correct(t, &p->words, start, home_load(t, p->counts, at));
}

// ------------------------------------------------------------------ blocks

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
  uint32_t n = p->depth / p->words.group;
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, n), 1, &k);
  IrNode *b =
      product_load(t, p, 1, matrix_at(t, p, k, n, column, p->n_columns));
  k = put_times(t, k, p->words.group);
  for (uint32_t i = 0; i < p->rows; i++) {
    IrNode *row = put_plus(t, p->first_row, i);
    IrNode *a =
        product_load(t, p, 0, matrix_at(t, p, row, p->n_rows, k, p->depth));
    IrNode *sum = put_get(t, sums[i]);
    put_set(t, sums[i], product_word_link(t, p, a, b, sum));
  }
  put_end(t, place);
}

static void block_columns(Lower *t, const TileIndex *columns, void *context) {
  const Product *p = context;
  IrNode *column = columns->at[0];
  uint32_t sums[MOST_ROWS];
  for (uint32_t i = 0; i < p->rows; i++) {
    TileIndex index = product_index(t, p, i, column);
    sums[i] = put_var(t, p->work, product_start(t, p, &index));
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

// Rows from `first` to below `end`, `rows` at a time.
static void product_row_blocks(Lower *t, Product *p, uint32_t first,
                               uint32_t end, uint32_t rows) {
  if (first == end)
    return;
  IrNode *row;
  PutPlace place = put_for(t, put_i32(t, first), put_i32(t, end), rows, &row);
  product_rows(t, p, row, rows);
  put_end(t, place);
}

// In blocks of two sizes, one row apart.
static void product_matrix(Lower *t, const TileIndex *batch, void *context) {
  Product *p = context;
  for (uint32_t i = 0; i < batch->rank; i++)
    p->batch_at[i] = batch->at[i];
  p->batch_flat = batch->rank ? batch->flat : NULL;
  uint32_t most = product_rows_most(t, p->work, p->words.group > 1);
  uint32_t n = (p->n_rows + most - 1) / most, step = (p->n_rows + n - 1) / n;
  uint32_t n_less = n * step - p->n_rows, full = (n - n_less) * step;
  product_row_blocks(t, p, 0, full, step);
  product_row_blocks(t, p, full, p->n_rows, step - 1);
}

static void product_all(Lower *t, void *context) {
  const Product *p = context;
  nest_serial(t, &p->batch, product_matrix, context);
}

// ----------------------------------------------------------- small numbers

static void product_see_sum(Lower *t, const TileIndex *index, void *context) {
  const Product *p = context;
  IrNode *sum = element_of(t, p->node->args[2], index);
  word_see_sum(t, &p->words, p->least[0], sum);
}

// Whether an operand or a sum is too small for fdot2.
static IrNode *product_any_small(Lower *t, const Product *p) {
  Product sums = *p;
  sums.least[0] = word_least(t, put_type_i32);
  nest_over(t, &p->to, product_see_sum, &sums);
  IrNode *any = word_any_small(t, sums.least[0]);
  for (uint32_t i = 0; i < 2; i++)
    any = put_two(t, IR_OR, any, word_any_small(t, p->least[i]));
  return any;
}

// It costs little to look at the sums before they are needed.
static bool sums_are_there(const Lower *t, const IrNode *acc) {
  return acc->op == IR_GET || t->homes[acc->id] ||
         (acc->op == IR_TILE_BROADCAST && !ir_is_tile(acc->args[0]->type));
}

// ------------------------------------------------------------------- nests

static void product_start_element(Lower *t, const TileIndex *index,
                                  void *context) {
  const Product *p = context;
  home_store(t, p->home, index->flat, element_of(t, p->node->args[2], index));
}

static void product_start_all(Lower *t, void *context) {
  const Product *p = context;
  nest_over(t, &p->to, product_start_element, context);
}

static void product_nest_matrix(Lower *t, const TileIndex *batch,
                                void *context) {
  const Product *p = context;
  IrNode *panel, *flat = batch->rank ? batch->flat : put_i32(t, 0);
  uint32_t n_words = p->depth / p->words.group;
  PutPlace place =
      put_for(t, put_i32(t, 0), put_i32(t, p->n_columns / t->lanes), 1, &panel);
  place.statement->u.loop.unroll = 1;
  IrNode *column = put_add(t, put_times(t, panel, t->lanes), t->rank);
  IrNode *sums = put_times(t, flat, (int64_t)p->n_rows * p->n_columns);
  IrNode *b = put_times(t, flat, (int64_t)n_words * p->n_columns);
  ProductNest nest = {
      .sums = p->home,
      .a = p->packed[0],
      .b = p->packed[1],
      .n_rows = p->n_rows,
      .row_units = p->depth,
      .row_sums = p->n_columns,
      .word_columns = p->n_columns,
      .first_sum = put_add(t, sums, column),
      .first_a = put_wide(t, put_times(t, flat, (int64_t)p->n_rows * p->depth)),
      .first_b = put_wide(t, put_add(t, b, column)),
      .n_words = put_i32(t, n_words)};
  word_nest(t, &p->words, &nest);
  put_end(t, place);
}

// Sums are in memory, where nests add to them.
static void product_nests(Lower *t, Product *p) {
  const IrNode *acc = p->node->args[2];
  bool is_there =
      acc->op == IR_GET && t->var_homes[acc->u.variable.var] == p->home;
  if (!is_there)
    section_emit(t, &acc, 1, product_start_all, p);
  put_sync(t);
  nest_serial(t, &p->batch, product_nest_matrix, p);
}

// --------------------------------------------------------------------- all

static void product_emit(Lower *t, Product *p) {
  const IrNode *root = p->node->args[2];
  section_emit(t, &root, 1, product_all, p);
}

static void product_emit_words(Lower *t, Product *p) {
  void (*emit)(Lower * t, Product * p) =
      p->words.is_matrix ? product_nests : product_emit;
  product_pack_words(t, p);
  if (p->words.link != IR_FDOT2) {
    emit(t, p);
    return;
  }
  PutPlace place = put_if(t, product_any_small(t, p));
  p->has_small = true;
  product_emit(t, p);
  put_else(t, &place);
  p->has_small = false;
  emit(t, p);
  put_end(t, place);
}

void tile_emit_mma(Lower *t, const IrNode *node, const TileHome *home) {
  if (t->rect && t->rect->mma == node) {
    panel_emit_mma(t, home);
    return;
  }
  if (square_emit_mma(t, node, home))
    return;
  Product p = {.node = node, .home = home, .to = tile_shape_of_node(t, node)};
  uint32_t rank = p.to.rank;
  p.work = product_work(p.to.element);
  p.batch = nest_part(&p.to, 3u << (rank - 2), false);
  p.columns = nest_part(&p.to, 1u << (rank - 1), true);
  p.n_rows = p.to.extents[rank - 2];
  p.n_columns = p.to.extents[rank - 1];
  p.depth = tile_shape_of_node(t, node->args[0]).extents[rank - 1];
  p.words = product_words(t, node, p.depth);
  if (p.words.link == IR_FDOT2 && !sums_are_there(t, node->args[2]))
    p.words = product_elements(p.work);
  if (p.words.group > 1) {
    product_emit_words(t, &p);
  } else {
    for (uint32_t i = 0; i < 2; i++)
      p.packed[i] = pack_operand(t, &p, i);
    product_emit(t, &p);
  }
  put_sync(t);
}
