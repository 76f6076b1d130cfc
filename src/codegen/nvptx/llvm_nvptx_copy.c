// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/llvm_nvptx.h"

void nv_plan_copies(NvPlan *plan) {
  (void)plan;
}

void nv_emit_copy(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "asynchronous copies");
}

void nv_emit_cluster(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "clusters");
  nv_set_undefined(e, node);
}

LLVMValueRef nv_cluster_address(NvEmit *e, LLVMValueRef pointer,
                                LLVMValueRef rank) {
  (void)rank;
  nv_refuse(e->plan, 0, "memory of clusters");
  return nv_to_generic(e, pointer, NV_SPACE_SHARED);
}
