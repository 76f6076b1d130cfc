// SPDX-License-Identifier: Apache-2.0
#include "ir/form/group_set.h"
#include "ir/form/ir.h"

#include <string.h>

const IrOpInfo ir_op_table[IR_OP_COUNT] = {
#define OP(family, id, ...) [IR_##id] = {FAMILY_##family, __VA_ARGS__},
#include "ir/ops.def"
#undef OP
};

bool ir_is_of_unit(IrOp op) {
  return op == IR_WGMMA_LOAD || op == IR_WGMMA_MMA || op == IR_TILE_COLLECT ||
         op == IR_TILE_AT;
}

IrLevel ir_node_level(const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  if (node->op == IR_JOIN && node->u.group.join == JOIN_OPEN)
    return LEVEL_GROUPED;
  if (info->flags & OPF_ABOVE_TILES)
    return LEVEL_JOINED;
  bool is_tiled = info->family == FAMILY_TILE || ir_is_tile(node->type);
  for (uint32_t i = 0; i < node->n_args && !is_tiled; i++)
    is_tiled = ir_is_tile(node->args[i]->type);
  return is_tiled ? LEVEL_TILES : LEVEL_LANES;
}

bool ir_is_tensor_access(const IrNode *node) {
  return (node->op == IR_TILE_LOAD || node->op == IR_TILE_STORE) &&
         node->u.section.object->is_tensor;
}

bool ir_is_tensor_op(IrOp op) {
  return op == IR_TENSOR_READ || op == IR_TENSOR_MMA || op == IR_TENSOR_WRITE;
}

IrProxy ir_proxy(const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  bool is_tensor =
      (info->form == FORM_SECTION && node->u.section.object->is_tensor) ||
      (info->form == FORM_COPY && node->u.copy.from.object &&
       node->u.copy.from.object->is_tensor);
  return is_tensor ? PROXY_GENERIC : (IrProxy)info->proxy;
}

bool ir_fills_tensor(const IrKernel *kernel, const IrNode *node) {
  return node->op == IR_TILE_STORE && node->u.section.object->is_tensor &&
         group_is_one_thread(ir_node_group(kernel, node));
}

bool ir_signals(const IrNode *node, const IrObject *object) {
  if (ir_op_info(node)->form == FORM_COPY)
    return node->u.copy.barrier == object;
  bool arrives = ir_gives_phase(node) || node->op == IR_MBAR_TENSOR ||
                 node->op == IR_MBAR_ARRIVE_REMOTE ||
                 node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST;
  return arrives && node->u.barrier.object == object;
}

bool ir_engine_combines(IrRmw rmw, IrType element) {
  IrTypeKind kind = (IrTypeKind)element.kind;
  bool is_int = kind == IR_TYPE_I32 || kind == IR_TYPE_I64;
  bool is_half = kind == IR_TYPE_F16 || kind == IR_TYPE_BF16;
  if (element.lanes != 1)
    return false;
  switch (rmw) {
  case RMW_ADD:
    return is_int || is_half || kind == IR_TYPE_F32 || kind == IR_TYPE_F64;
  case RMW_SMIN:
  case RMW_SMAX: return is_int || is_half;
  case RMW_UMIN:
  case RMW_UMAX:
  case RMW_AND:
  case RMW_OR:
  case RMW_XOR: return is_int;
  case RMW_SUB:
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  return false;
}

bool ir_is_shown(const IrNode *node) {
  if (ir_family(node) != FAMILY_EFFECT)
    return false;
  switch (ir_effect_op(node->op)) {
  case IR_PRINTF:
  case IR_CLOCK:
  case IR_GLOBALTIMER: return true;
  case IR_TRAP: // the first one ends them all
  case IR_ASSERT:
  case IR_INSIDE:
  case IR_CHECK_VALUE:
  case IR_WAS_SET: // of programs that are checked
  case IR_SET_IF:
  case IR_UNSET:
  case IR_SET_MAX_REGS:
  case IR_CHECK_UNIFORM:
  case IR_UNKNOWN:
  case IR_CHOICE: break;
  }
  return false;
}

bool ir_has_mbarriers(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->kind == OBJECT_MBARRIER)
      return true;
  return false;
}

const char *ir_word(const IrNode *node) {
  static const char of_mbarriers[] = "mbar_";
  const char *text = ir_op_info(node)->text;
  size_t length = sizeof of_mbarriers - 1;
  return strncmp(text, of_mbarriers, length) == 0 ? text + length : text;
}
