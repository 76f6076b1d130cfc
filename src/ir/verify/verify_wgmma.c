// SPDX-License-Identifier: Apache-2.0
// Products of matrix units, and what these read.
#include "ir/verify/verify_parts.h"

bool verify_multiplies(IrType a, IrType b, IrType to) {
  if (verify_is_fp8(a) && verify_is_fp8(b))
    return to.kind == IR_TYPE_F32;
  if (a.kind != b.kind)
    return false;
  switch ((int)a.kind) {
  case IR_TYPE_F16: return to.kind == IR_TYPE_F16 || to.kind == IR_TYPE_F32;
  case IR_TYPE_BF16:
  case IR_TYPE_TF32: return to.kind == IR_TYPE_F32;
  case IR_TYPE_F32:
  case IR_TYPE_F64: return to.kind == a.kind;
  case IR_TYPE_I8: return to.kind == IR_TYPE_I32;
  default: return false;
  }
}

bool ir_wgmma_is_good(const IrTileShape *to, uint32_t depth, IrType element) {
  uint32_t columns = to->extents[1], bits = ir_type_bits(element);
  bool is_int = ir_type_is_int(element);
  return to->rank == 2 && to->extents[0] % 64 == 0 && columns <= 256 &&
         columns % 8 == 0 && (!is_int || columns % 16 == 0 || columns <= 24) &&
         (uint64_t)depth * bits % 256 == 0;
}

static bool verify_engine_product(Verifier *v, const IrNode *node,
                                  const IrTileShape *a, const IrTileShape *b,
                                  int32_t numbers) {
  const IrTileShape *to = ir_tile_shape(v->module, node->type);
  bool a_is_turned = numbers & WGMMA_TURNS_A,
       b_is_turned = numbers & WGMMA_TURNS_B;
  uint32_t depth = a->extents[!a_is_turned];
  if (a->extents[a_is_turned] != to->extents[0] ||
      b->extents[!b_is_turned] != to->extents[1] ||
      b->extents[b_is_turned] != depth ||
      !ir_wgmma_is_good(to, depth, a->element))
    return verify_fail(v, node, "its result has another shape");
  bool may_turn = ir_type_bits(a->element) == 16;
  if (a_is_turned && (!may_turn || (node->args[0]->op != IR_WGMMA_LOAD &&
                                    node->op != IR_TENSOR_MMA)))
    return verify_fail(v, node, "can't transpose such operands");
  return true;
}

static bool verify_tensor_product(Verifier *v, const IrNode *node) {
  for (uint32_t i = 0; i < 3; i++)
    if (node->args[i]->op != IR_TENSOR_READ ||
        node->args[i]->u.section.object->is_tensor != (i == 2))
      return verify_fail(v, node, "operand %u is no section for it", i);
  return ir_type_equal(node->args[3]->type, ir_scalar(IR_TYPE_BOOL)) ||
         verify_fail(v, node, "operand 3 is not bool");
}

bool verify_tensor_operands(Verifier *v, const IrNode *node) {
  for (uint32_t i = 0; i < node->n_args; i++) {
    IrOp op = node->args[i]->op;
    bool is_good = node->op == IR_TENSOR_WRITE ||
                   (node->op == IR_TENSOR_MMA && op == IR_TENSOR_READ);
    if ((op == IR_TENSOR_READ || op == IR_TENSOR_MMA) && !is_good)
      return verify_fail(v, node, "has an operand of the tensor core");
  }
  if (node->op != IR_TENSOR_WRITE)
    return true;
  IrOp value = node->args[node->n_args - 1]->op;
  return ((value == IR_TENSOR_READ || value == IR_TENSOR_MMA) &&
          node->u.section.object->is_tensor) ||
         verify_fail(v, node, "writes what the tensor core doesn't have");
}

bool verify_wgmma(Verifier *v, const IrNode *node) {
  const IrTileShape *a = ir_tile_shape(v->module, node->args[0]->type),
                    *b = ir_tile_shape(v->module, node->args[1]->type);
  const IrTileShape *to = ir_tile_shape(v->module, node->type);
  if (!a || !b || !to || a->rank != 2 || b->rank != 2 || to->rank != 2 ||
      !ir_type_equal(node->type, node->args[2]->type))
    return verify_fail(v, node, "its result has another shape");
  if (!verify_multiplies(a->element, b->element, to->element) ||
      a->element.kind == IR_TYPE_F32 || a->element.kind == IR_TYPE_F64)
    return verify_fail(v, node, "can't multiply such elements");
  if (node->u.tile.n_numbers > 1 ||
      node->u.tile.numbers[0] & ~(WGMMA_TURNS_B * 2 - 1))
    return verify_fail(v, node, "has unknown numbers");
  if (node->op == IR_TENSOR_MMA && !verify_tensor_product(v, node))
    return false;
  if (node->op == IR_WGMMA_MMA && node->args[1]->op != IR_WGMMA_LOAD)
    return verify_fail(v, node, "operand 1 is no section");
  return verify_engine_product(
      v, node, a, b, node->u.tile.n_numbers ? node->u.tile.numbers[0] : 0);
}

// A section that a matrix unit reads lies whole in shared memory.
bool verify_engine_section(Verifier *v, const IrNode *node) {
  bool is_plain = !node->u.section.has_view && !node->u.section.has_mask &&
                  !node->u.section.has_pad && node->u.section.is_unchecked &&
                  node->u.section.hint == HINT_NONE && !ir_is_atomic(node) &&
                  !node->u.section.is_update &&
                  node->u.section.object->space == SPACE_SHARED;
  for (uint32_t i = 0; is_plain && i < node->u.section.object->rank; i++)
    is_plain = node->u.section.kind[i] != SECTION_GATHER;
  return is_plain || verify_fail(v, node, "is no plain section");
}
