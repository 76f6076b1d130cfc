// SPDX-License-Identifier: Apache-2.0
// Operands of products, several elements in a word.
//
// Note [Words of products]
// Where the target has an operation that adds the products of two words, 4 of
// bytes or 2 of 16 bits, to a sum of 32 bits, neighbours along K share a word:
// the lowest bits hold the first. The sums of bytes are exact: they wrap like
// those of `mul` and `add`.
//
// dot4 takes unsigned bytes of one operand and signed ones of the other. If
// both are signed, 128 is added to the bytes of operand 0, which flips their
// highest bit: then the sum is too large by 128 times the sum of operand 1's
// bytes. That sum is computed where operand 1 is packed, for each column and
// chunk, and taken off when the chunk's sums begin. If both are unsigned, 128
// is taken off operand 0, and the sum is too small.
//
// Note [Numbers too small for fdot2]
// fdot2 takes what is subnormal for 0, but mma keeps it. If no number of the
// operands lies between 0 and 2^-56, all of them are multiples of 2^-63, and
// their products multiples of 2^-126. Then so are all sums, rounded or not,
// that begin with such multiples: none is subnormal. So numbers are looked at
// where they are packed, and sums where they begin; if one is too small, fused
// multiply-adds take the place of fdot2.
#include "tile/tile_parts.h"

#define FLIP         128
// Bits of the least bf16 and f32 that aren't too small: 2^-56, 2^-103.
#define LEAST_FACTOR 0x2380
#define LEAST_SUM    0x0c000000

bool product_is_unsigned(const IrNode *mma, uint32_t operand) {
  return mma->flags & NODE_UNSIGNED || mma->u.tile.numbers[0] >> operand & 1;
}

// ------------------------------------------------------------------- forms

static bool word_operands_are(const Lower *t, const IrNode *mma,
                              IrTypeKind kind) {
  const IrModule *module = t->kernel->module;
  return ir_element_type(module, mma->args[0]->type).kind == kind &&
         ir_element_type(module, mma->args[1]->type).kind == kind;
}

static ProductWords word_bytes(const IrNode *mma) {
  bool a = product_is_unsigned(mma, 0), b = product_is_unsigned(mma, 1);
  return (ProductWords){.link = IR_DOT4,
                        .group = 4,
                        .unit = ir_scalar(IR_TYPE_I8),
                        .word = put_type_i32,
                        .is_swapped = b,
                        .flips = a == b ? b ? FLIP : -FLIP : 0};
}

// Matrix registers take bytes of both kinds in either operand.
static ProductWords word_matrix_bytes(const IrNode *mma) {
  bool a = product_is_unsigned(mma, 0), b = product_is_unsigned(mma, 1);
  return (ProductWords){.link = a != b ? IR_DOT4
                                : a    ? IR_DOT4_U
                                       : IR_DOT4_S,
                        .group = 4,
                        .unit = ir_scalar(IR_TYPE_I8),
                        .word = put_type_i32,
                        .is_swapped = b && !a,
                        .is_matrix = true};
}

// Its nests are of whole rows of lanes.
static bool word_is_matrix(const Lower *t, const IrNode *mma) {
  const IrTileShape *to = ir_tile_shape(t->kernel->module, mma->type);
  return t->target->has_matrix &&
         ir_type_equal(product_work(to->element), to->element) &&
         to->extents[to->rank - 1] % t->lanes == 0;
}

ProductWords product_elements(IrType work) {
  return (ProductWords){.link = ir_type_is_float(work) ? IR_FMA : IR_ADD,
                        .group = 1,
                        .unit = work,
                        .word = work};
}

ProductWords product_words(const Lower *t, const IrNode *mma, uint32_t depth) {
  const IrModule *module = t->kernel->module;
  IrType work = product_work(ir_element_type(module, mma->type));
  bool is_bytes =
      work.kind == IR_TYPE_I32 && word_operands_are(t, mma, IR_TYPE_I8);
  if (is_bytes && word_is_matrix(t, mma) && depth % 4 == 0)
    return word_matrix_bytes(mma);
  if (is_bytes && t->target->has_dot4 && depth % 4 == 0)
    return word_bytes(mma);
  if (is_bytes && t->target->has_dot2 && depth % 2 == 0)
    return (ProductWords){.link = IR_DOT2,
                          .group = 2,
                          .unit = ir_scalar(IR_TYPE_I16),
                          .word = put_type_i32};
  bool is_bf16 =
      work.kind == IR_TYPE_F32 && word_operands_are(t, mma, IR_TYPE_BF16);
  if (is_bf16 && depth % 2 == 0 &&
      (t->target->has_fdot2 || word_is_matrix(t, mma)))
    return (ProductWords){.link = IR_FDOT2,
                          .group = 2,
                          .unit = ir_scalar(IR_TYPE_I16),
                          .word = put_type_i32,
                          .is_matrix = word_is_matrix(t, mma)};
  return product_elements(work);
}

// ------------------------------------------------------------------- words

IrNode *word_unit(Lower *t, const ProductWords *words, const IrNode *mma,
                  uint32_t operand, IrNode *value) {
  if (words->group == 1)
    return product_convert(t, mma, operand, value);
  value = cast_physical(t, value);
  if (words->flips && operand == 0)
    return put_two(t, IR_XOR, value, put_const(t, value->type, FLIP));
  if (ir_type_equal(value->type, words->unit))
    return value;
  if (words->link == IR_FDOT2)
    return put_node(t, IR_BITCAST, words->unit, 1, value);
  return put_node(t, product_is_unsigned(mma, operand) ? IR_ZEXT : IR_SEXT,
                  words->unit, 1, value);
}

IrNode *word_join(Lower *t, const ProductWords *words, IrNode *const *units) {
  if (words->group == 1)
    return units[0];
  uint32_t bits = ir_type_bits(words->unit);
  IrNode *word = NULL;
  for (uint32_t i = 0; i < words->group; i++) {
    IrNode *part = put_node(t, IR_ZEXT, words->word, 1, units[i]);
    if (i > 0)
      part = put_two(t, IR_SHL, part, put_i32(t, i * bits));
    word = word ? put_two(t, IR_OR, word, part) : part;
  }
  return word;
}

IrNode *word_load(Lower *t, const ProductWords *words, const TileHome *home,
                  IrNode *at) {
  IrNode *load = home_load(t, home, at);
  load->type = load->u.access.type = words->word;
  load->u.access.align_bytes = ir_type_size(t->kernel->module, words->word);
  return load;
}

void word_store(Lower *t, const ProductWords *words, const TileHome *home,
                IrNode *at, IrNode *word) {
  IrNode *store = home_store(t, home, at, word);
  store->u.access.type = words->word;
  store->u.access.align_bytes = ir_type_size(t->kernel->module, words->word);
}

IrNode *word_link(Lower *t, const ProductWords *words, IrNode *a, IrNode *b,
                  IrNode *sum) {
  if (words->group == 1)
    return product_link(t, a, b, sum);
  return words->is_swapped ? put_node(t, words->link, sum->type, 3, sum, b, a)
                           : put_node(t, words->link, sum->type, 3, sum, a, b);
}

IrNode *word_count(Lower *t, const ProductWords *words, IrNode *word,
                   IrNode *sum) {
  return word_link(t, words, put_i32(t, 0x01010101), word, sum);
}

IrNode *word_correct(Lower *t, const ProductWords *words, IrNode *sum,
                     IrNode *count) {
  IrNode *by = put_two(t, IR_MUL, count, put_i32(t, words->flips));
  return put_two(t, IR_ADD, sum, by);
}

// ------------------------------------------------------------------- nests

static void word_nest_chain(Lower *t, const ProductWords *words,
                            const ProductNest *nest, IrNode *row,
                            uint32_t sum) {
  IrNode *k;
  PutPlace place = put_for(t, put_i32(t, 0), nest->n_words, 1, &k);
  place.statement->u.loop.unroll = 1;
  k = put_wide(t, k);
  IrNode *first = put_add(t, nest->first_a, put_times(t, row, nest->row_units));
  IrNode *a = word_load(t, words, nest->a,
                        put_add(t, first, put_times(t, k, words->group)));
  IrNode *b =
      home_load(t, nest->b,
                put_add(t, nest->first_b, put_times(t, k, nest->word_columns)));
  put_set(t, sum, word_link(t, words, a, b, put_get(t, sum)));
  put_end(t, place);
}

void word_nest(Lower *t, const ProductWords *words, const ProductNest *nest) {
  IrNode *row;
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, nest->n_rows), 1, &row);
  place.statement->u.loop.unroll = 1;
  IrNode *at = put_add(t, nest->first_sum, put_times(t, row, nest->row_sums));
  IrType type = nest->sums->object->element;
  uint32_t sum = put_var(t, type,
                         nest->is_from_zero ? put_const(t, type, 0)
                                            : home_load(t, nest->sums, at));
  word_nest_chain(t, words, nest, put_wide(t, row), sum);
  home_store(t, nest->sums, at, put_get(t, sum));
  put_end(t, place);
}

// ----------------------------------------------------------- small numbers

// The half of a word as a float.
static IrNode *word_half(Lower *t, IrNode *word, uint32_t i) {
  word = i == 0 ? put_two(t, IR_SHL, word, put_i32(t, 16))
                : put_two(t, IR_AND, word, put_i32(t, -0x10000));
  return put_node(t, IR_BITCAST, ir_scalar(IR_TYPE_F32), 1, word);
}

IrNode *word_link_small(Lower *t, IrNode *a, IrNode *b, IrNode *sum) {
  for (uint32_t i = 0; i < 2; i++)
    sum = product_link(t, word_half(t, a, i), word_half(t, b, i), sum);
  return sum;
}

// The magnitude's bits less 1, so that 0 is the largest.
static IrNode *word_magnitude(Lower *t, IrNode *bits) {
  IrType type = bits->type;
  uint64_t all = (UINT64_C(1) << (ir_type_bits(type) - 1)) - 1;
  bits = put_two(t, IR_AND, bits, put_const(t, type, all));
  return put_two(t, IR_ADD, bits, put_const(t, type, UINT64_MAX));
}

void word_see(Lower *t, uint32_t least, IrNode *bits) {
  IrNode *seen = word_magnitude(t, bits);
  put_set(t, least, put_two(t, IR_UMIN, put_get(t, least), seen));
}

void word_see_sum(Lower *t, const ProductWords *words, uint32_t least,
                  IrNode *sum) {
  IrNode *bits = put_node(t, IR_BITCAST, put_type_i32, 1, sum);
  if (words->is_matrix) { // -0 counts as the smallest number
    IrNode *is = put_test(t, IR_EQ, bits, put_i32(t, INT32_MIN));
    bits = put_select(t, is, put_i32(t, 1), bits);
  }
  word_see(t, least, bits);
}

uint32_t word_least(Lower *t, IrType type) {
  return put_var(t, type, put_const(t, type, UINT64_MAX));
}

IrNode *word_any_small(Lower *t, uint32_t least) {
  IrNode *seen = put_get(t, least);
  bool is_factor = seen->type.kind == IR_TYPE_I16;
  IrNode *limit =
      put_const(t, seen->type, (is_factor ? LEAST_FACTOR : LEAST_SUM) - 1);
  IrNode *is_small = put_test(t, IR_ULT, seen, limit);
  if (!t->lane_group) // each thread makes all sums
    return is_small;
  IrNode *any = put_node(t, IR_ANY, put_bool, 1, is_small);
  any->u.group.group = t->lane_group;
  return any;
}
