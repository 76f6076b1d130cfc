// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/llvm_nvptx.h"

void nv_emit_effect(NvEmit *e, const IrNode *node) {
  nv_unsupported(e, node, "effects");
  nv_set_undefined(e, node);
}

void nv_fault(NvEmit *e, uint32_t kind, IrLocId loc, const char *text) {
  (void)kind;
  (void)text;
  nv_refuse(e->plan, loc, "faults");
}
