// SPDX-License-Identifier: Apache-2.0
// Types of operands and results, from the letters of the instruction table.
#include "base/panic.h"
#include "ir/verify/verify_parts.h"
#include <string.h>

static bool is_kind(IrType type, IrTypeKind kind) {
  return type.kind == kind && type.lanes == 1;
}

bool verify_is_fp8(IrType type) {
  return is_kind(type, IR_TYPE_E4M3) || is_kind(type, IR_TYPE_E5M2);
}

static bool fits_class(char letter, IrType type) {
  bool is_bool = is_kind(type, IR_TYPE_BOOL);
  bool is_int = ir_type_is_int(type), is_float = ir_type_is_float(type);
  switch (letter) {
  case 'b': return is_bool;
  case 'i': return is_int;
  case 'j': return is_int || is_bool;
  case 'f': return is_float;
  case 'g': return is_float || verify_is_fp8(type);
  case 'n': return is_int || is_float;
  case 'q': return is_int || is_bool || type.kind == IR_TYPE_PTR;
  case 'v': return type.kind != IR_TYPE_VOID;
  case 'p': return type.kind == IR_TYPE_PTR;
  case 'x': return is_kind(type, IR_TYPE_I32) || is_kind(type, IR_TYPE_I64);
  case 'l': return is_kind(type, IR_TYPE_I64);
  case 's': return is_kind(type, IR_TYPE_I32);
  case 't': return is_kind(type, IR_TYPE_TOKEN);
  default: HD_PANIC("ops.def has operand class '%c'", letter);
  }
}

// Of an operation that works element by element: tiles of one shape.
static bool verify_lifted(Verifier *v, const IrNode *node) {
  IrType first = node->n_args ? node->args[0]->type : node->type;
  for (uint32_t i = 1; i < node->n_args; i++)
    if (!ir_same_extents(v->module, first, node->args[i]->type))
      return verify_fail(v, node, "its operands are tiles of several shapes");
  return ir_same_extents(v->module, first, node->type) ||
         verify_fail(v, node, "its result has another shape");
}

bool verify_operand_types(Verifier *v, const IrNode *node) {
  const char *letters = ir_op_info(node)->args;
  bool lifts = ir_lifts(node->op);
  if (lifts && !verify_lifted(v, node))
    return false;
  if (letters[0] == '*')
    return true;
  if (node->n_args != strlen(letters))
    return verify_fail(v, node, "has %u operands, not %zu", node->n_args,
                       strlen(letters));
  for (uint32_t i = 0; i < node->n_args; i++) {
    IrType type = node->args[i]->type;
    char letter = letters[i];
    bool fits;
    if (letter == '=' || letter == '2')
      fits = ir_type_equal(type, node->args[letter == '=' ? 0 : 1]->type);
    else if (lifts)
      fits = fits_class(letter, ir_element_type(v->module, type));
    else
      fits =
          fits_class(letter, type) && (!ir_is_tile(type) || node->op == IR_SET);
    if (!fits)
      return verify_fail(v, node, "operand %u can't be %s", i,
                         verify_type_text(v, type));
  }
  return true;
}

// ---------------------------------------------------- parts of aggregates

// Type of leaf `number` of a short vector or struct; false: there is none.
static bool leaf_type(const Verifier *v, IrType whole, uint32_t number,
                      IrType *out) {
  if (whole.kind == IR_TYPE_STRUCT) {
    const IrStruct *record = v->module->structs.data[whole.index];
    if (number >= record->leaves.count)
      return false;
    *out = record->leaves.data[number].type;
    return true;
  }
  *out = ir_scalar((IrTypeKind)whole.kind);
  return whole.lanes > 1 && number < whole.lanes;
}

static uint32_t n_leaves(const Verifier *v, IrType whole) {
  if (whole.kind == IR_TYPE_STRUCT)
    return v->module->structs.data[whole.index]->leaves.count;
  return whole.lanes > 1 ? whole.lanes : 0;
}

static bool verify_pack(Verifier *v, const IrNode *node) {
  IrType whole = ir_element_type(v->module, node->type);
  uint32_t count = n_leaves(v, whole);
  if (!count || node->n_args != count)
    return verify_fail(v, node, "has %u operands for %u leaves", node->n_args,
                       count);
  for (uint32_t i = 0; i < count; i++) {
    IrType leaf;
    if (!leaf_type(v, whole, i, &leaf) ||
        !ir_type_equal(leaf, ir_element_type(v->module, node->args[i]->type)))
      return verify_fail(v, node, "operand %u has not its leaf's type", i);
  }
  return true;
}

static bool verify_leaf(Verifier *v, const IrNode *node, IrType given) {
  IrType leaf, whole = ir_element_type(v->module, node->args[0]->type);
  given = ir_element_type(v->module, given);
  if (!leaf_type(v, whole, node->u.index.number, &leaf))
    return verify_fail(v, node, "there is no leaf %u", node->u.index.number);
  return ir_type_equal(leaf, given) ||
         verify_fail(v, node, "leaf %u has another type", node->u.index.number);
}

// ----------------------------------------------------------- conversions

static bool is_wider(IrType from, IrType to) {
  return ir_type_is_int(to) && ir_type_bits(to) > ir_type_bits(from);
}

static bool is_narrower(IrType from, IrType to) {
  return (ir_type_is_int(to) || is_kind(to, IR_TYPE_BOOL)) &&
         ir_type_bits(to) < ir_type_bits(from);
}

// Bits must mean something in either type: no structs, and no bool, which is
// 0 or 1.
static bool fits_bitcast(const Verifier *v, IrType from, IrType to) {
  bool is_good = ir_type_bits(from) > 1 && ir_type_bits(to) > 1;
  return is_good &&
         ir_type_size(v->module, from) == ir_type_size(v->module, to);
}

static bool fits_conversion(const Verifier *v, const IrNode *node) {
  if (ir_family(node) != FAMILY_CONVERT)
    return true;
  IrType from = ir_element_type(v->module, node->args[0]->type);
  IrType to = ir_element_type(v->module, node->type);
  switch (ir_convert_op(node->op)) {
  case IR_TRUNC: return is_narrower(from, to);
  case IR_ZEXT:
  case IR_SEXT: return is_wider(from, to);
  case IR_STOF:
  case IR_UTOF: return ir_type_is_float(to);
  case IR_FTOS:
  case IR_FTOU: return ir_type_is_int(to);
  case IR_FCAST: return ir_type_is_float(to) || verify_is_fp8(to);
  case IR_BITCAST: return fits_bitcast(v, from, to);
  }
  return false;
}

// -------------------------------------------------------------- results

static bool verify_stated_type(Verifier *v, const IrNode *node) {
  if (node->type.kind == IR_TYPE_VOID)
    return verify_fail(v, node, "has no result type");
  if (node->op == IR_PACK)
    return verify_pack(v, node);
  if (node->op == IR_EXTRACT)
    return verify_leaf(v, node, node->type);
  return fits_conversion(v, node) ||
         verify_fail(v, node, "can't give %s", verify_type_text(v, node->type));
}

static IrType wanted_type(const IrNode *node, char letter) {
  switch (letter) {
  case '=': return node->args[0]->type;
  case 'v': return node->args[1]->type;
  case 'b': return ir_scalar(IR_TYPE_BOOL);
  case 's': return ir_scalar(IR_TYPE_I32);
  case 'l': return ir_scalar(IR_TYPE_I64);
  case '-': return ir_scalar(IR_TYPE_VOID);
  default: HD_PANIC("ops.def has result class '%c'", letter);
  }
}

bool verify_result_type(Verifier *v, const IrNode *node) {
  char letter = ir_op_info(node)->result[0];
  if (letter == '@')
    return verify_stated_type(v, node);
  if (letter == 'p')
    return node->type.kind == IR_TYPE_PTR ||
           verify_fail(v, node, "its result is a pointer");
  IrType wanted = wanted_type(node, letter), given = node->type;
  if (ir_lifts(node->op) &&
      !ir_is_tile(wanted)) // its shape is known to be right
    given = ir_element_type(v->module, given);
  if (!ir_type_equal(wanted, given))
    return verify_fail(v, node, "its result is %s, not %s",
                       verify_type_text(v, wanted),
                       verify_type_text(v, node->type));
  return node->op != IR_INSERT || verify_leaf(v, node, node->args[1]->type);
}
