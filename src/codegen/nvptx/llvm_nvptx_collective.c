// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/llvm_nvptx.h"

void nv_emit_collective(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "'%s'", ir_op_info(node)->text);
  nv_set_undefined(e, node);
}
