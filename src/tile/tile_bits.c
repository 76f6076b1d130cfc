// SPDX-License-Identifier: Apache-2.0
// tile_bitcast: elements as the bits of others along the last dimension.
#include "base/panic.h"
#include "tile/tile_parts.h"

static IrType bits_int(uint32_t bits) {
  return ir_scalar(bits <= 8    ? IR_TYPE_I8
                   : bits <= 16 ? IR_TYPE_I16
                   : bits <= 32 ? IR_TYPE_I32
                                : IR_TYPE_I64);
}

static IrNode *bits_as(Lower *t, IrNode *value, IrType type) {
  return ir_type_equal(value->type, type)
             ? value
             : put_node(t, IR_BITCAST, type, 1, value);
}

// An integer as another one, zeros in.
static IrNode *bits_resized(Lower *t, IrNode *value, IrType type) {
  uint32_t have = ir_type_bits(value->type), want = ir_type_bits(type);
  if (have == want)
    return value;
  return put_node(t, want < have ? IR_TRUNC : IR_ZEXT, type, 1, value);
}

// Element `last` of the row of the operand, as an integer; those of packed
// types have zeros above their bits.
static IrNode *tile_bits_at(Lower *t, const IrNode *node,
                            const TileIndex *index, IrNode *last) {
  IrTileShape shape = tile_shape_of_node(t, node->args[0]);
  TileIndex own = *index;
  own.at[index->rank - 1] = last;
  own = nest_index(t, &shape, own.at);
  IrNode *value = cast_physical(t, element_of(t, node->args[0], &own));
  return bits_as(t, value, bits_int(ir_type_bits(value->type)));
}

// An integer that has the element's bits, and perhaps more, as the element.
static IrNode *bits_element(Lower *t, IrNode *value, IrType type) {
  uint32_t width = ir_type_bits(type);
  value = bits_resized(t, value, bits_int(width));
  if (ir_type_is_packed(type))
    return width == 8 ? value
                      : put_two(t, IR_AND, value,
                                put_const(t, value->type, (1u << width) - 1));
  if (type.kind == IR_TYPE_TF32)
    return cast_without_low(t, bits_as(t, value, ir_scalar(IR_TYPE_F32)));
  return bits_as(t, value, type);
}

// `ratio` elements of the result are one of the operand.
static IrNode *bits_part(Lower *t, const IrNode *node, const TileIndex *index,
                         uint32_t ratio, IrType type) {
  IrNode *last = index->at[index->rank - 1], *count = put_i32(t, ratio);
  IrNode *whole =
      tile_bits_at(t, node, index, put_two(t, IR_UDIV, last, count));
  IrNode *number = put_two(t, IR_UREM, last, count);
  IrNode *shift = put_times(t, number, ir_type_bits(type));
  shift = bits_resized(t, shift, whole->type);
  return bits_element(t, put_two(t, IR_LSHR, whole, shift), type);
}

static IrNode *bits_joined(Lower *t, const IrNode *node, const TileIndex *index,
                           uint32_t ratio, IrType type) {
  IrType wide = bits_int(ir_type_bits(type));
  IrNode *first = put_times(t, index->at[index->rank - 1], ratio);
  IrNode *sum = NULL;
  uint32_t bits = ir_type_bits(type) / ratio;
  for (uint32_t i = 0; i < ratio; i++) {
    IrNode *part = bits_resized(
        t, tile_bits_at(t, node, index, put_plus(t, first, i)), wide);
    part = put_two(t, IR_SHL, part, put_const(t, wide, (uint64_t)i * bits));
    sum = sum ? put_two(t, IR_OR, sum, part) : part;
  }
  return bits_element(t, sum, type);
}

// Neither type has a multiple of the other's bits; both have up to 32, so that
// all elements which one of the result has parts of fit in 64 bits.
static IrNode *bits_crossing(Lower *t, const IrNode *node,
                             const TileIndex *index, uint32_t from,
                             IrType type) {
  uint32_t width = ir_type_bits(type);
  IrTileShape shape = tile_shape_of_node(t, node->args[0]);
  IrNode *most = put_i32(t, (int64_t)shape.extents[shape.rank - 1] - 1);
  IrNode *bit = put_times(t, index->at[index->rank - 1], width);
  IrNode *first = put_two(t, IR_UDIV, bit, put_i32(t, from));
  IrNode *offset = put_two(t, IR_UREM, bit, put_i32(t, from));
  IrNode *sum = NULL;
  for (uint32_t i = 0; i < (width + 2 * (from - 1)) / from; i++) {
    IrNode *at = put_two(t, IR_SMIN, put_plus(t, first, i), most);
    IrNode *part =
        bits_resized(t, tile_bits_at(t, node, index, at), put_type_i64);
    part = put_two(t, IR_SHL, part, put_i64(t, (int64_t)i * from));
    sum = sum ? put_two(t, IR_OR, sum, part) : part;
  }
  offset = bits_resized(t, offset, put_type_i64);
  return bits_element(t, put_two(t, IR_LSHR, sum, offset), type);
}

IrNode *tile_bits_element(Lower *t, const IrNode *node,
                          const TileIndex *index) {
  IrType from = ir_element_type(t->kernel->module, node->args[0]->type);
  IrType to = ir_element_type(t->kernel->module, node->type);
  uint32_t from_bits = ir_type_bits(from), to_bits = ir_type_bits(to);
  if (from_bits == to_bits)
    return bits_element(
        t, tile_bits_at(t, node, index, index->at[index->rank - 1]), to);
  if (from_bits % to_bits == 0)
    return bits_part(t, node, index, from_bits / to_bits, to);
  if (to_bits % from_bits == 0)
    return bits_joined(t, node, index, to_bits / from_bits, to);
  return bits_crossing(t, node, index, from_bits, to);
}
