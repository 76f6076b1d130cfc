// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/llvm_nvptx.h"

void nv_emit_mbarrier(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "mbarriers");
  nv_set_undefined(e, node);
}

void nv_emit_semaphore(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "semaphores");
}

void nv_emit_fence_async(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "fence_async");
}
