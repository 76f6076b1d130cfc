// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/llvm_nvptx.h"

void nv_emit_atomic(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "atomic operations");
  nv_set_undefined(e, node);
}

void nv_emit_fence(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "fences");
}
