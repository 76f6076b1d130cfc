// SPDX-License-Identifier: Apache-2.0
// Products in the matrix units of warps: half, bfloat16, tf32, fp8 (as half,
// which has all of its numbers) and bytes.
//
// Note [Fragments]
// A warp multiplies 16 rows of words of operand 0 with 8 columns of words of
// operand 1, 8 words deep; a word is as many neighbours along K as 32 bits
// hold. Lane 4 g + c has, of operand 0, words c and c + 4 of rows g and g + 8;
// of operand 1, those of column g; of the sums, columns 2 c and 2 c + 1 of rows
// g and g + 8. Results of such products are spread in that way, so that sums
// stay in registers. Operands lie in memory that all lanes see, as words:
// operand 0 in rows along K, operand 1 in rows along N, each row as far from
// the next as keeps the 32 lanes in 32 banks.
//
// Note [Products of warps]
// One such step is a call whose body computes it by shuffles and fused
// multiply-adds, as any back end can; its operands are the words and the sums,
// and its body begins by setting the four variables of the sums. A back end
// that has the instruction makes one of it (IrKernel.has_warp_products).
#include "base/panic.h"
#include "tile/tile_parts.h"

enum { ROWS = 16, COLUMNS = 8, DEPTH = 8, WARP = 32, SUMS = 4, OPERANDS = 10 };

typedef struct {
  const char *name;   // of the call
  uint32_t in_word;   // elements
  IrTypeKind unit;    // integer of an element's bits
  IrTypeKind element; // what it is, if not an integer
} WarpForm;

typedef struct {
  const IrNode *node;
  WarpForm form;
  IrType work;
  const TileSpread *spread;
  const TileHome *home, *words[2];
  IrGroup *warp;
  SpreadBase base;
  IrNode *group, *column; // g and c of the lane
  IrNode *columns_at;     // the first column of the warp, plus g
  uint32_t n_rows, n_columns, n_words;
  uint32_t row_step[2];
  uint32_t *sums; // variables, by slot
} WarpProduct;

// ------------------------------------------------------------------- forms

static IrTypeKind warp_element(const Lower *t, const IrNode *mma, uint32_t i) {
  return (IrTypeKind)ir_element_type(t->kernel->module, mma->args[i]->type)
      .kind;
}

static bool warp_is_fp8(IrTypeKind kind) {
  return kind == IR_TYPE_E4M3 || kind == IR_TYPE_E5M2;
}

static bool warp_form(const Lower *t, const IrNode *mma, WarpForm *out) {
  static const char *const bytes[2][2] = {{".mma.s8.s8", ".mma.s8.u8"},
                                          {".mma.u8.s8", ".mma.u8.u8"}};
  IrTypeKind a = warp_element(t, mma, 0), b = warp_element(t, mma, 1);
  IrType work = product_work(ir_element_type(t->kernel->module, mma->type));
  *out = (WarpForm){NULL, 2, IR_TYPE_I16, a};
  if (work.kind == IR_TYPE_I32 && a == IR_TYPE_I8 && b == IR_TYPE_I8)
    *out = (WarpForm){
        bytes[product_is_unsigned(mma, 0)][product_is_unsigned(mma, 1)], 4,
        IR_TYPE_I8, IR_TYPE_I8};
  if (work.kind == IR_TYPE_F32 && a == b && a == IR_TYPE_F16)
    out->name = ".mma.f16";
  if (work.kind == IR_TYPE_F32 && a == b && a == IR_TYPE_BF16)
    out->name = ".mma.bf16";
  if (work.kind == IR_TYPE_F32 && a == b && a == IR_TYPE_TF32)
    *out = (WarpForm){".mma.tf32", 1, IR_TYPE_I32, IR_TYPE_F32};
  if (work.kind == IR_TYPE_F32 && warp_is_fp8(a) && warp_is_fp8(b))
    *out = (WarpForm){".mma.f16", 2, IR_TYPE_I16, IR_TYPE_F16};
  return out->name != NULL;
}

bool warp_takes(const Lower *t, const IrNode *mma) {
  const IrModule *module = t->kernel->module;
  const IrTileShape *a = ir_tile_shape(module, mma->args[0]->type);
  const IrTileShape *to = ir_tile_shape(module, mma->type);
  WarpForm form;
  return to->rank == 2 && warp_form(t, mma, &form) &&
         to->extents[0] % ROWS == 0 && to->extents[1] % COLUMNS == 0 &&
         a->extents[1] % (DEPTH * form.in_word) == 0;
}

// ------------------------------------------------------------------ packing

typedef struct {
  const WarpProduct *product;
  uint32_t operand;
  bool is_turned;    // neighbours along K are so in memory (operand 1), or not
  IrTileShape shape; // of words
  const TileHome *to;
} WarpPacking;

// The bits of an element as the unit takes them.
static IrNode *warp_unit(Lower *t, const WarpProduct *p, IrNode *value) {
  IrType unit = ir_scalar(p->form.unit);
  value = cast_physical(t, value);
  if (warp_is_fp8((IrTypeKind)value->type.kind))
    value = put_node(t, IR_FCAST, ir_scalar(IR_TYPE_F16), 1, value);
  if (ir_type_equal(value->type, unit))
    return value;
  return put_node(t, IR_BITCAST, unit, 1, value);
}

static void warp_pack_word(Lower *t, const TileIndex *index, void *context) {
  const WarpPacking *job = context;
  const WarpProduct *p = job->product;
  const IrNode *from = p->node->args[job->operand];
  IrTileShape shape = tile_shape_of_node(t, from);
  uint32_t in_word = p->form.in_word, bits = 32 / in_word;
  // Words are (row, q) of operand 0 and (q, column) of operand 1.
  uint32_t along = job->operand == 0 ? 1 : 0;
  IrNode *at[2] = {index->at[job->is_turned], index->at[!job->is_turned]};
  IrNode *to =
      put_add(t, put_times(t, at[0], p->row_step[job->operand]), at[1]);
  IrNode *first = put_times(t, at[along], in_word), *word = NULL;
  for (uint32_t i = 0; i < in_word; i++) {
    at[along] = put_plus(t, first, i);
    TileIndex element = nest_index(t, &shape, at);
    IrNode *part = warp_unit(t, p, element_of(t, from, &element));
    if (in_word > 1)
      part = put_node(t, IR_ZEXT, put_type_i32, 1, part);
    if (i > 0)
      part = put_two(t, IR_SHL, part, put_i32(t, i * bits));
    word = word ? put_two(t, IR_OR, word, part) : part;
  }
  home_store(t, job->to, to, word);
}

static void warp_pack_all(Lower *t, void *context) {
  const WarpPacking *job = context;
  nest_over(t, &job->shape, warp_pack_word, context);
}

// Its rows are columns in memory.
static bool warp_is_permuted(const IrNode *node) {
  bool is_permuted = false;
  while (node->op == IR_TILE_PERMUTE || node->op == IR_TILE_CAST) {
    is_permuted ^= node->op == IR_TILE_PERMUTE;
    node = node->args[0];
  }
  return is_permuted;
}

static void warp_pack(Lower *t, WarpProduct *p, uint32_t operand) {
  const IrNode *from = p->node->args[operand];
  WarpPacking job = {.product = p, .operand = operand};
  uint32_t rows = operand == 0 ? p->n_rows : p->n_words;
  uint32_t row = operand == 0 ? p->n_words : p->n_columns;
  // Rows of operand 0 begin 4 banks apart, those of operand 1 8.
  p->row_step[operand] = operand == 0 ? row + 4 : row + (row % 16 ? 0 : 8);
  job.is_turned = warp_is_permuted(from);
  job.shape = (IrTileShape){.rank = 2, .element = put_type_i32};
  job.shape.extents[job.is_turned] = rows;
  job.shape.extents[!job.is_turned] = row;
  job.to = home_new(t, put_type_i32, rows * p->row_step[operand], p->node->id);
  p->words[operand] = job.to;
  section_emit(t, &from, 1, warp_pack_all, &job);
}

// --------------------------------------------------------------------- a step

static IrNode *step_shuffle(Lower *t, const WarpProduct *p, IrNode *value,
                            IrNode *lane) {
  IrNode *made = put_node(t, IR_SHFL, value->type, 2, value, lane);
  made->u.group.group = p->warp;
  return made;
}

// Element `i` of a word, as one of the sums.
static IrNode *step_element(Lower *t, const WarpProduct *p, uint32_t operand,
                            IrNode *word, uint32_t i) {
  uint32_t bits = 32 / p->form.in_word;
  IrType element = ir_scalar(p->form.element);
  if (i > 0)
    word = put_two(t, IR_LSHR, word, put_i32(t, i * bits));
  if (bits < 32)
    word = put_node(t, IR_TRUNC, ir_scalar(p->form.unit), 1, word);
  if (p->form.unit == IR_TYPE_I8)
    return put_node(t,
                    product_is_unsigned(p->node, operand) ? IR_ZEXT : IR_SEXT,
                    p->work, 1, word);
  word = put_node(t, IR_BITCAST, element, 1, word);
  return bits == 32 ? word : put_node(t, IR_FCAST, p->work, 1, word);
}

// What lanes of column `c` of the fragments have, words of their half.
static void step_words(Lower *t, const WarpProduct *p, IrNode *const *words,
                       IrNode *is_high, IrNode *c, const uint32_t *sums) {
  IrNode *a[2], *b[2];
  for (uint32_t i = 0; i < 2; i++) {
    IrNode *own = put_select(t, is_high, words[2 + i], words[i]);
    IrNode *lane = put_add(t, put_times(t, p->group, 4), c);
    a[i] = step_shuffle(t, p, own, lane);
    own = put_select(t, is_high, words[5], words[4]);
    lane = put_plus(t, put_times(t, p->column, 2), i);
    b[i] = step_shuffle(t, p, own, put_add(t, put_times(t, lane, 4), c));
  }
  for (uint32_t k = 0; k < SUMS; k++)
    for (uint32_t i = 0; i < p->form.in_word; i++) {
      IrNode *left = step_element(t, p, 0, a[k / 2], i);
      IrNode *right = step_element(t, p, 1, b[k % 2], i);
      put_set(t, sums[k], product_link(t, left, right, put_get(t, sums[k])));
    }
}

static void step_body(Lower *t, const WarpProduct *p, IrNode *const *operands,
                      const uint32_t *sums) {
  IrNode *k;
  for (uint32_t i = 0; i < SUMS; i++)
    put_set(t, sums[i], operands[OPERANDS - SUMS + i]);
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, DEPTH), 1, &k);
  place.statement->u.loop.unroll = 1;
  IrNode *is_high = put_test(t, IR_SLE, put_i32(t, DEPTH / 2), k);
  IrNode *c = put_two(t, IR_AND, k, put_i32(t, DEPTH / 2 - 1));
  step_words(t, p, operands, is_high, c, sums);
  put_end(t, place);
}

static void warp_step(Lower *t, const WarpProduct *p, IrNode *const *words,
                      const uint32_t *sums) {
  IrNode *operands[OPERANDS];
  for (uint32_t i = 0; i < OPERANDS - SUMS; i++)
    operands[i] = words[i];
  for (uint32_t i = 0; i < SUMS; i++)
    operands[OPERANDS - SUMS + i] = put_get(t, sums[i]);
  IrNode *call = put_node_of(t, IR_CALL, put_void, operands, OPERANDS);
  call->u.loop.callee = p->form.name;
  PutPlace place = {t->region, t->before, call};
  t->region = &call->regions[0];
  step_body(t, p, operands, sums);
  put_end(t, place);
}

// --------------------------------------------------------------------- all

static IrNode *warp_word(Lower *t, const WarpProduct *p, uint32_t operand,
                         IrNode *row, IrNode *at) {
  IrNode *flat = put_add(t, put_times(t, row, p->row_step[operand]), at);
  return home_load(t, p->words[operand], flat);
}

// Words of the rows of operand 0 that begin at slot `slot`.
static void warp_load_rows(Lower *t, const WarpProduct *p, uint32_t slot,
                           IrNode *q, IrNode **words) {
  IrNode *row = put_plus(t, p->base.at[0], p->spread->slots[slot][0]);
  for (uint32_t i = 0; i < 4; i++)
    words[i] = warp_word(t, p, 0, put_plus(t, row, i % 2 * (ROWS / 2)),
                         put_plus(t, q, i / 2 * (DEPTH / 2)));
}

static void warp_load_columns(Lower *t, const WarpProduct *p, uint32_t slot,
                              IrNode *q, IrNode **words) {
  IrNode *column = put_plus(t, p->columns_at, p->spread->slots[slot][1]);
  for (uint32_t i = 0; i < 2; i++)
    words[i] = warp_word(t, p, 1, put_plus(t, q, i * (DEPTH / 2)), column);
}

// Slots go through the columns of a row of fragments first.
static void warp_chains(Lower *t, const WarpProduct *p) {
  IrNode *k;
  uint32_t n_across = p->spread->n_across;
  uint32_t n_down = p->spread->n_slots / SUMS / n_across;
  IrNode **b = ARENA_ARRAY(t->scratch, IrNode *, 2 * n_across);
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, p->n_words), DEPTH, &k);
  IrNode *q = put_add(t, k, p->column);
  for (uint32_t j = 0; j < n_across; j++)
    warp_load_columns(t, p, j * SUMS, q, &b[2 * j]);
  for (uint32_t i = 0; i < n_down; i++) {
    IrNode *words[6];
    warp_load_rows(t, p, i * n_across * SUMS, q, words);
    for (uint32_t j = 0; j < n_across; j++) {
      words[4] = b[2 * j];
      words[5] = b[2 * j + 1];
      warp_step(t, p, words, &p->sums[(i * n_across + j) * SUMS]);
    }
  }
  put_end(t, place);
}

static void warp_lanes(Lower *t, WarpProduct *p) {
  IrNode *lane = put_two(t, IR_UREM, t->rank, put_i32(t, WARP));
  p->base = spread_base(t, p->spread);
  p->group = put_two(t, IR_UDIV, lane, put_i32(t, 4));
  p->column = put_two(t, IR_UREM, lane, put_i32(t, 4));
  // Of the sums, the lane's columns begin at 2 c; operand 1 asks for g.
  IrNode *own = put_times(t, p->column, 2);
  p->columns_at = put_two(t, IR_SUB, p->base.at[1], own);
  p->columns_at = put_add(t, p->columns_at, p->group);
}

static void warp_all(Lower *t, void *context) {
  WarpProduct *p = context;
  warp_lanes(t, p);
  spread_load_sums(t, p->node->args[2], p->spread, &p->base, p->work, p->sums);
  warp_chains(t, p);
  spread_store_sums(t, p->home, p->spread, &p->base, p->node->type, p->sums);
}

void warp_emit_mma(Lower *t, const IrNode *node, const TileSpread *spread,
                   const TileHome *home) {
  IrTileShape to = tile_shape_of_node(t, node);
  WarpProduct p = {.node = node, .spread = spread, .home = home};
  bool is_warp = warp_form(t, node, &p.form);
  HD_ASSERT(is_warp && spread->n_across > 0);
  p.work = product_work(to.element);
  p.n_rows = to.extents[0];
  p.n_columns = to.extents[1];
  p.n_words = tile_shape_of_node(t, node->args[0]).extents[1] / p.form.in_word;
  p.sums = ARENA_ARRAY(t->scratch, uint32_t, spread->n_slots);
  t->kernel->has_warp_products = true;
  tile_tell_unit(t, node, PRODUCT_MMA_SYNC);
  for (uint32_t i = 0; i < 2; i++)
    warp_pack(t, &p, i);
  put_sync(t);
  p.warp = put_near_lanes(t, WARP);
  const IrNode *root = node->args[2];
  section_emit(t, &root, 1, warp_all, &p);
  put_sync(t);
}
