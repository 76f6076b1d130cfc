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

// Element `last` of the operand's row in the bits from `shift` of a `wide`.
static IrNode *bits_shifted(Lower *t, const IrNode *node,
                            const TileIndex *index, IrNode *last, IrType wide,
                            uint32_t shift) {
  IrNode *part = bits_resized(t, tile_bits_at(t, node, index, last), wide);
  return put_two(t, IR_SHL, part, put_const(t, wide, shift));
}

static IrNode *bits_joined(Lower *t, const IrNode *node, const TileIndex *index,
                           uint32_t ratio, IrType type) {
  IrType wide = bits_int(ir_type_bits(type));
  IrNode *first = put_times(t, index->at[index->rank - 1], ratio);
  uint32_t bits = ir_type_bits(type) / ratio;
  IrNode *sum = bits_shifted(t, node, index, put_plus(t, first, 0), wide, 0);
  for (uint32_t i = 1; i < ratio; i++)
    sum = put_two(
        t, IR_OR, sum,
        bits_shifted(t, node, index, put_plus(t, first, i), wide, i * bits));
  return bits_element(t, sum, type);
}

// Element first + i of the operand's row, or its last one.
static IrNode *bits_next(Lower *t, IrNode *first, uint32_t i, IrNode *most) {
  return put_two(t, IR_SMIN, put_plus(t, first, i), most);
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
  IrNode *sum = bits_shifted(t, node, index, bits_next(t, first, 0, most),
                             put_type_i64, 0);
  for (uint32_t i = 1; i < (width + 2 * (from - 1)) / from; i++)
    sum = put_two(t, IR_OR, sum,
                  bits_shifted(t, node, index, bits_next(t, first, i, most),
                               put_type_i64, i * from));
  offset = bits_resized(t, offset, put_type_i64);
  return bits_element(t, put_two(t, IR_LSHR, sum, offset), type);
}

IrNode *tile_bits_element(Lower *t, const IrNode *node,
                          const TileIndex *index) {
  IrType from = ir_element_type(t->kernel->module, node->args[0]->type);
  IrType to = ir_element_type(t->kernel->module, node->type);
  uint32_t from_bits = ir_type_bits(from), to_bits = ir_type_bits(to);
  if (from_bits == to_bits) {
    IrNode *value = cast_physical(t, element_of(t, node->args[0], index));
    value = bits_as(t, value, bits_int(ir_type_bits(value->type)));
    return bits_element(t, value, to);
  }
  if (from_bits % to_bits == 0)
    return bits_part(t, node, index, from_bits / to_bits, to);
  if (to_bits % from_bits == 0)
    return bits_joined(t, node, index, to_bits / from_bits, to);
  return bits_crossing(t, node, index, from_bits, to);
}
