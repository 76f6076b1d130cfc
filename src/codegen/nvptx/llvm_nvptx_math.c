// SPDX-License-Identifier: Apache-2.0
// Mathematics.
#include "codegen/nvptx/llvm_nvptx.h"

void nv_emit_math(NvEmit *e, const IrNode *node) {
  LLVMTypeRef type = nv_scalar_type(e, node->type);
  LLVMValueRef x[2];
  for (uint32_t i = 0; i < node->n_args && i < 2; i++)
    x[i] = nv_arg(e, node, i);
  if (node->op == IR_SQRT) {
    nv_set_value(e, node, 0, nv_intrinsic(e, "llvm.sqrt", &type, 1, x, 1));
    return;
  }
  nv_unsupported(e, node, "'%s'", ir_op_info(node)->text);
  nv_set_undefined(e, node);
}
