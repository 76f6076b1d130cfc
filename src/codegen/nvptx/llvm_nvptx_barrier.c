// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/llvm_nvptx.h"

void nv_plan_barriers(NvPlan *plan) {
  (void)plan;
}

void nv_sync_group(NvEmit *e, const IrGroup *group, const IrNode *node) {
  LLVMValueRef zero = nv_i32(e, 0);
  if (group->kind == GROUP_BLOCK)
    nv_intrinsic(e, "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, 0, &zero,
                 1);
  else if (group->size != 1)
    nv_unsupported(e, node, "a sync of '%s'", group->name);
}

void nv_emit_barrier(NvEmit *e, const IrNode *node) {
  if (node->op == IR_SYNC ||
      (node->op == IR_JOIN && node->u.group.join == JOIN_KEPT))
    nv_sync_group(e, node->u.group.group, node);
  else if (node->op != IR_JOIN)
    nv_unsupported(e, node, "split barriers");
  nv_set_undefined(e, node);
}

void nv_begin_barriers(NvEmit *e) {
  (void)e;
}

void nv_end_barriers(NvEmit *e) {
  (void)e;
}
