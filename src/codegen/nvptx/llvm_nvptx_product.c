// SPDX-License-Identifier: Apache-2.0
// Products of warps: a call that Note [Products of warps] in
// tile/tile_mma_warp.c describes is one instruction.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

#include <string.h>

enum { WORDS = 6, SUMS = 4 };

static const struct {
  const char *call, *types; // of the result, of operands 0 and 1, of the sums
  bool is_real;
} products[] = {
    {".mma.f16", "m16n8k16.row.col.f32.f16.f16.f32", true},
    {".mma.bf16", "m16n8k16.row.col.f32.bf16.bf16.f32", true},
    {".mma.tf32", "m16n8k8.row.col.f32.tf32.tf32.f32", true},
    {".mma.s8.s8", "m16n8k32.row.col.s32.s8.s8.s32", false},
    {".mma.s8.u8", "m16n8k32.row.col.s32.s8.u8.s32", false},
    {".mma.u8.s8", "m16n8k32.row.col.s32.u8.s8.s32", false},
    {".mma.u8.u8", "m16n8k32.row.col.s32.u8.u8.s32", false},
};

static void product_instruction(NvEmit *e, const IrNode *call, uint32_t which) {
  LLVMValueRef args[WORDS + SUMS];
  for (uint32_t i = 0; i < WORDS + SUMS; i++)
    args[i] = nv_arg(e, call, i);
  LLVMTypeRef type = products[which].is_real ? e->f32 : e->i32;
  LLVMTypeRef types[SUMS] = {type, type, type, type};
  LLVMTypeRef all = LLVMStructTypeInContext(e->cx, types, SUMS, 0);
  const char *text = arena_printf(
      e->arena,
      "mma.sync.aligned.%s {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
      "{$10, $11, $12, $13};",
      products[which].types);
  LLVMValueRef sums =
      nv_asm(e, all, text,
             products[which].is_real ? "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
                                     : "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r",
             args, WORDS + SUMS, false);
  const IrNode *set = call->regions[0].first;
  for (uint32_t i = 0; i < SUMS; i++, set = set->next) {
    HD_ASSERT(set && set->op == IR_SET);
    nv_store_var(e, e->plan->var_leaf[set->u.variable.var], set->args[0]->type,
                 LLVMBuildExtractValue(e->b, sums, i, NV_NAME));
  }
}

bool nv_emit_product(NvEmit *e, const IrNode *call) {
  const char *name = call->u.loop.callee;
  if (!e->kernel->has_warp_products || !name || name[0] != '.')
    return false;
  for (uint32_t i = 0; i < sizeof products / sizeof products[0]; i++)
    if (strcmp(products[i].call, name) == 0) {
      product_instruction(e, call, i);
      return true;
    }
  HD_PANIC("no product '%s'", name);
}
