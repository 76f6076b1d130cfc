// SPDX-License-Identifier: Apache-2.0
// Conversions.
#include "lower/lower_internal.h"

static bool is_unsigned_number(const Type *type) {
  return type_is_integer(type) && !type_is_signed(type);
}

// From or to a narrow type.
static IrNode *convert_narrow(Lowering *lw, IrNode *node, const Type *from,
                              const Type *to, IrType type) {
  node = lower_emit1(lw, IR_TILE_CAST, lower_shaped(lw, node, type), node);
  if (is_unsigned_number(from) || is_unsigned_number(to))
    node->flags |= NODE_UNSIGNED;
  return node;
}

static IrNode *to_bool(Lowering *lw, IrNode *node, const Type *from) {
  if (type_is(from, TY_BOOL))
    return node;
  if (type_is_narrow(from))
    node = convert_narrow(
        lw, node, from, from,
        ir_scalar(type_is_packed_int(from) ? IR_TYPE_I32 : IR_TYPE_F32));
  if (type_is_fp8(from))
    node = lower_emit1(lw, IR_FCAST,
                       lower_shaped(lw, node, ir_scalar(IR_TYPE_F32)), node);
  IrType element = ir_element_type(lw->module, node->type);
  return lower_emit2(lw, ir_type_is_float(element) ? IR_FNE : IR_NE,
                     lower_shaped(lw, node, ir_scalar(IR_TYPE_BOOL)), node,
                     lower_zero(lw, node->type));
}

static IrNode *int_to_int(Lowering *lw, IrNode *node, const Type *from,
                          IrType to) {
  uint32_t have = lower_element_bits(lw, node), want = ir_type_bits(to);
  if (have == want)
    return node;
  to = lower_shaped(lw, node, to);
  if (want < have)
    return lower_emit1(lw, IR_TRUNC, to, node);
  bool is_signed = type_is_signed(from) && !type_is(from, TY_BOOL);
  const Map *known = is_signed ? &lw->wide : &lw->wide_unsigned;
  IrNode *wide = want == 64 ? map_get(known, MAP_KEY(node)) : NULL;
  return wide ? wide : lower_emit1(lw, is_signed ? IR_SEXT : IR_ZEXT, to, node);
}

static IrNode *to_float(Lowering *lw, IrNode *node, const Type *from,
                        IrType to) {
  bool is_signed = type_is_signed(from) && !type_is(from, TY_BOOL);
  return lower_emit1(lw, is_signed ? IR_STOF : IR_UTOF,
                     lower_shaped(lw, node, to), node);
}

static IrNode *float_to_float(Lowering *lw, IrNode *node, IrType to) {
  to = lower_shaped(lw, node, to);
  return ir_type_equal(node->type, to) ? node
                                       : lower_emit1(lw, IR_FCAST, to, node);
}

static IrNode *from_integer(Lowering *lw, IrNode *node, const Type *from,
                            const Type *to, IrType type) {
  if (type_is_floating(to))
    return to_float(lw, node, from, type);
  if (type_is_fp8(to)) // integers up to 2^24 are exact on the way
    return float_to_float(lw, to_float(lw, node, from, ir_scalar(IR_TYPE_F32)),
                          type);
  return int_to_int(lw, node, from, type);
}

static IrNode *from_float(Lowering *lw, IrNode *node, const Type *from,
                          const Type *to, IrType type) {
  if (!type_is_integer(to))
    return float_to_float(lw, node, type);
  if (type_is_fp8(from))
    node = float_to_float(lw, node, ir_scalar(IR_TYPE_F32));
  return lower_emit1(lw, type_is_signed(to) ? IR_FTOS : IR_FTOU,
                     lower_shaped(lw, node, type), node);
}

IrNode *lower_convert_scalar(Lowering *lw, IrNode *node, const Type *from,
                             const Type *to) {
  from = type_underlying(type_tile_element(from));
  to = type_underlying(type_tile_element(to));
  IrType type = lower_type(lw, to);
  if (type_is(to, TY_BOOL))
    return to_bool(lw, node, from);
  if (type_is_narrow(from) || type_is_narrow(to))
    return convert_narrow(lw, node, from, to, type);
  if (type_is_integer(from))
    return from_integer(lw, node, from, to, type);
  return from_float(lw, node, from, to, type);
}

// --------------------------------------------------------------- pointers

static Value expr_convert_pointer_to(Lowering *lw, Value value,
                                     const Type *from, const Type *to) {
  if (type_is(to, TY_POINTER)) {
    Space space = to->u.pointer.space;
    if (value.address->object || space == from->u.pointer.space)
      return value;
    IrNode *node = lower_pointer_node(lw, value.address, space);
    return lower_value_address(lower_address_of_node(lw, node));
  }
  IrNode *node = lower_pointer_node(lw, value.address, from->u.pointer.space);
  if (type_is(to, TY_BOOL))
    return lower_value_node(lower_emit2(lw, IR_NE, ir_scalar(IR_TYPE_BOOL),
                                        node, lower_zero(lw, node->type)));
  IrNode *bits = lower_emit1(lw, IR_BITCAST, ir_scalar(IR_TYPE_I64), node);
  IrType type = lower_type(lw, to);
  return lower_value_node(
      ir_type_bits(type) < 64 ? lower_emit1(lw, IR_TRUNC, type, bits) : bits);
}

static Value to_pointer(Lowering *lw, Value value, const Type *from,
                        const Type *to) {
  IrNode *bits = value.node;
  if (ir_type_bits(bits->type) < 64)
    bits = lower_emit1(lw, lower_type_is_signed(from) ? IR_SEXT : IR_ZEXT,
                       ir_scalar(IR_TYPE_I64), bits);
  IrNode *node = lower_emit1(lw, IR_BITCAST, lower_type(lw, to), bits);
  return lower_value_address(lower_address_of_node(lw, node));
}

static Value convert_vector(Lowering *lw, Value value, const Type *from,
                            const Type *to) {
  IrNode *leaves[4];
  for (uint32_t i = 0; i < to->u.vector.count; i++)
    leaves[i] =
        lower_convert_scalar(lw, lower_leaf(&value, i), from->u.vector.element,
                             to->u.vector.element);
  return lower_value_leaves(lw, leaves, to->u.vector.count);
}

Value lower_convert(Lowering *lw, Value value, const Type *from,
                    const Type *to) {
  if (from == to || type_is(to, TY_VOID))
    return value;
  if (type_is(from, TY_POINTER))
    return expr_convert_pointer_to(lw, value, from, to);
  if (type_is(to, TY_POINTER))
    return to_pointer(lw, value, from, to);
  if (type_is(from, TY_VECTOR) && type_is(to, TY_VECTOR))
    return convert_vector(lw, value, from, to);
  if (type_is_record(from))
    return value;
  return lower_value_node(lower_convert_scalar(lw, value.node, from, to));
}
