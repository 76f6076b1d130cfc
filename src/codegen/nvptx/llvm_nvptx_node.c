// SPDX-License-Identifier: Apache-2.0
// Nodes that are no control: dispatch, and values that are moved as they are.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

static void nvptx_node_emit_const(NvEmit *e, const IrNode *node) {
  uint32_t offset;
  IrType leaf = nv_leaf_type(e, node->type, 0, &offset);
  LLVMTypeRef type = nv_scalar_type(e, leaf);
  LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, ir_type_bits(leaf));
  LLVMValueRef raw = LLVMConstInt(bits, node->u.constant.bits, 0);
  LLVMValueRef v = leaf.kind == IR_TYPE_PTR ? LLVMConstIntToPtr(raw, type)
                   : bits == type           ? raw
                                            : LLVMConstBitCast(raw, type);
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++)
    nv_set_value(e, node, k, v);
}

// A leaf of a parameter from the 64-bit slots that hold its bytes.
static LLVMValueRef nvptx_node_param_leaf(NvEmit *e, const IrParam *param,
                                          uint32_t index) {
  uint32_t offset;
  IrType leaf = nv_leaf_type(e, param->type, index, &offset);
  LLVMValueRef slot = nv_slot(e, param->slot + offset / 8);
  if (offset % 8 != 0)
    slot = LLVMBuildLShr(e->hoist, slot, nv_i64(e, offset % 8 * 8), NV_NAME);
  LLVMTypeRef type = nv_scalar_type(e, leaf);
  if (leaf.kind == IR_TYPE_PTR)
    return LLVMBuildIntToPtr(e->hoist, slot, type, NV_NAME);
  LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, ir_type_bits(leaf));
  if (bits != e->i64)
    slot = LLVMBuildTrunc(e->hoist, slot, bits, NV_NAME);
  return bits == type ? slot : LLVMBuildBitCast(e->hoist, slot, type, NV_NAME);
}

static void nvptx_node_emit_param(NvEmit *e, const IrNode *node) {
  const IrParam *param = &e->kernel->params.data[node->u.index.number];
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++)
    nv_set_value(e, node, k, nvptx_node_param_leaf(e, param, k));
}

static void nvptx_node_emit_pack(NvEmit *e, const IrNode *node) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < node->n_args; i++)
    for (uint32_t k = 0; k < nv_leaf_count(e, node->args[i]); k++)
      nv_set_value(e, node, at++, nv_value(e, node->args[i], k));
}

static void nvptx_node_emit_extract(NvEmit *e, const IrNode *node) {
  uint32_t first =
      code_leaf_of_member(e->module, node->args[0]->type, node->u.index.number);
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++)
    nv_set_value(e, node, k, nv_value(e, node->args[0], first + k));
}

static void nvptx_node_emit_insert(NvEmit *e, const IrNode *node) {
  uint32_t first =
      code_leaf_of_member(e->module, node->args[0]->type, node->u.index.number);
  uint32_t n = nv_leaf_count(e, node->args[1]);
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++) {
    bool is_new = k >= first && k < first + n;
    nv_set_value(e, node, k,
                 is_new ? nv_value(e, node->args[1], k - first)
                        : nv_value(e, node->args[0], k));
  }
}

static void emit_select(NvEmit *e, const IrNode *node) {
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++)
    nv_set_value(e, node, k,
                 LLVMBuildSelect(e->b, nv_arg(e, node, 0),
                                 nv_value(e, node->args[1], k),
                                 nv_value(e, node->args[2], k), NV_NAME));
}

static void nvptx_node_emit_get(NvEmit *e, const IrNode *node) {
  uint32_t leaf = e->plan->var_leaf[node->u.variable.var], offset;
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++) {
    IrType type = nv_leaf_type(e, node->type, k, &offset);
    nv_set_value(e, node, k, nv_load_var(e, leaf + k, type));
  }
}

static void nvptx_node_emit_set(NvEmit *e, const IrNode *node) {
  uint32_t leaf = e->plan->var_leaf[node->u.variable.var], offset;
  for (uint32_t k = 0; k < nv_leaf_count(e, node->args[0]); k++) {
    IrType type = nv_leaf_type(e, node->args[0]->type, k, &offset);
    nv_store_var(e, leaf + k, type, nv_value(e, node->args[0], k));
  }
}

static void nvptx_node_emit_uniform(NvEmit *e, const IrNode *node) {
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++)
    nv_set_value(e, node, k, nv_value(e, node->args[0], k));
}

// ------------------------------------------------------- same bits, new type

// All leaves as one integer of the value's bits.
static LLVMValueRef nvptx_node_join_bits(NvEmit *e, const IrNode *node,
                                         unsigned total) {
  LLVMTypeRef whole = LLVMIntTypeInContext(e->cx, total);
  LLVMValueRef bits = LLVMConstNull(whole);
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++) {
    uint32_t offset;
    IrType leaf = nv_leaf_type(e, node->type, k, &offset);
    LLVMTypeRef narrow = LLVMIntTypeInContext(e->cx, ir_type_bits(leaf));
    LLVMValueRef v = nv_value(e, node, k);
    v = leaf.kind == IR_TYPE_PTR ? LLVMBuildPtrToInt(e->b, v, narrow, NV_NAME)
                                 : LLVMBuildBitCast(e->b, v, narrow, NV_NAME);
    v = LLVMBuildIntCast2(e->b, v, whole, 0, NV_NAME);
    v = LLVMBuildShl(e->b, v, LLVMConstInt(whole, offset * 8, 0), NV_NAME);
    bits = LLVMBuildOr(e->b, bits, v, NV_NAME);
  }
  return bits;
}

static void nvptx_node_emit_bitcast(NvEmit *e, const IrNode *node) {
  const IrNode *from = node->args[0];
  unsigned total = ir_type_size(e->module, node->type) * 8;
  if (from->type.kind == IR_TYPE_BOOL || node->type.kind == IR_TYPE_BOOL)
    total = 8;
  LLVMValueRef bits = nvptx_node_join_bits(e, from, total);
  LLVMTypeRef whole = LLVMTypeOf(bits);
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++) {
    uint32_t offset;
    IrType leaf = nv_leaf_type(e, node->type, k, &offset);
    LLVMTypeRef type = nv_scalar_type(e, leaf);
    LLVMTypeRef narrow = LLVMIntTypeInContext(e->cx, ir_type_bits(leaf));
    LLVMValueRef v =
        LLVMBuildLShr(e->b, bits, LLVMConstInt(whole, offset * 8, 0), NV_NAME);
    v = LLVMBuildIntCast2(e->b, v, narrow, 0, NV_NAME);
    v = leaf.kind == IR_TYPE_PTR ? LLVMBuildIntToPtr(e->b, v, type, NV_NAME)
                                 : LLVMBuildBitCast(e->b, v, type, NV_NAME);
    nv_set_value(e, node, k, v);
  }
}

static void nvptx_node_emit_pointer_difference(NvEmit *e, const IrNode *node) {
  LLVMValueRef x[2];
  for (uint32_t i = 0; i < 2; i++)
    x[i] = LLVMBuildPtrToInt(e->b, nv_arg(e, node, i), e->i64, NV_NAME);
  nv_set_value(e, node, 0, LLVMBuildSub(e->b, x[0], x[1], NV_NAME));
}

static void nvptx_node_emit_pointer_sum(NvEmit *e, const IrNode *node) {
  LLVMValueRef by = nv_arg(e, node, 1);
  nv_set_value(e, node, 0,
               LLVMBuildGEP2(e->b, e->i8, nv_arg(e, node, 0), &by, 1, NV_NAME));
}

static void nvptx_node_emit_address(NvEmit *e, const IrNode *node) {
  unsigned space;
  LLVMValueRef at = nv_address(e, node, &space);
  nv_set_value(e, node, 0, nv_to_generic(e, at, space));
}

static void nvptx_node_emit_value_op(NvEmit *e, const IrNode *node) {
  const IrObject *object = node->u.index.object;
  switch (ir_value_op(node->op)) {
  case IR_CONST: nvptx_node_emit_const(e, node); break;
  case IR_PARAM: nvptx_node_emit_param(e, node); break;
  case IR_EXTENT:
    nv_set_value(e, node, 0, nv_extent(e, object, node->u.index.number));
    break;
  case IR_STRIDE:
    nv_set_value(e, node, 0, nv_stride(e, object, node->u.index.number));
    break;
  case IR_GET: nvptx_node_emit_get(e, node); break;
  case IR_SET: nvptx_node_emit_set(e, node); break;
  case IR_PACK: nvptx_node_emit_pack(e, node); break;
  case IR_EXTRACT: nvptx_node_emit_extract(e, node); break;
  case IR_INSERT: nvptx_node_emit_insert(e, node); break;
  case IR_SELECT: emit_select(e, node); break;
  }
}

static void nvptx_node_emit_memory(NvEmit *e, const IrNode *node) {
  switch (ir_memory_op(node->op)) {
  case IR_LOAD:
  case IR_STORE: nv_emit_access(e, node); break;
  case IR_RMW:
  case IR_CAS: nv_emit_atomic(e, node); break;
  case IR_ADDRESS: nvptx_node_emit_address(e, node); break;
  case IR_PTR_ADD: nvptx_node_emit_pointer_sum(e, node); break;
  case IR_PTR_DIFF: nvptx_node_emit_pointer_difference(e, node); break;
  case IR_MAP_SHARED:
  case IR_SHARED_RANK: nv_emit_cluster(e, node); break;
  }
}

static void nvptx_node_emit_sync(NvEmit *e, const IrNode *node) {
  switch (ir_sync_op(node->op)) {
  case IR_SYNC:
  case IR_JOIN:
  case IR_ARRIVE:
  case IR_WAIT: nv_emit_barrier(e, node); break;
  case IR_FENCE: nv_emit_fence(e, node); break;
  case IR_FENCE_ASYNC: nv_emit_fence_async(e, node); break;
  case IR_SEMAPHORE_LOCK:
  case IR_SEMAPHORE_RELEASE: nv_emit_semaphore(e, node); break;
  }
}

static void nvptx_node_emit_claim(NvEmit *e, const IrNode *node) {
  switch (ir_claim_op(node->op)) {
  case IR_UNIFORM: nvptx_node_emit_uniform(e, node); break;
  case IR_ASSUME: nv_emit_assume(e, node); break;
  case IR_CONSUMES:
  case IR_PRODUCES:
  case IR_PRESERVES:
  case IR_READS: break; // for the checker
  }
}

static void nvptx_node_emit_convert(NvEmit *e, const IrNode *node) {
  if (node->op == IR_BITCAST)
    nvptx_node_emit_bitcast(e, node);
  else
    nv_emit_convert(e, node);
}

static void emit_position(NvEmit *e, const IrNode *node) {
  if (node->op == IR_MAKE_GROUP)
    nv_emit_make_group(e, node);
  else
    nv_emit_position(e, node);
}

void nv_emit_value(NvEmit *e, const IrNode *node) {
  switch (ir_family(node)) {
  case FAMILY_VALUE: nvptx_node_emit_value_op(e, node); break;
  case FAMILY_ARITHMETIC: nv_emit_arith(e, node); break;
  case FAMILY_COMPARE: nv_emit_compare(e, node); break;
  case FAMILY_CONVERT: nvptx_node_emit_convert(e, node); break;
  case FAMILY_MATH: nv_emit_math(e, node); break;
  case FAMILY_POSITION: emit_position(e, node); break;
  case FAMILY_MEMORY: nvptx_node_emit_memory(e, node); break;
  case FAMILY_SYNC: nvptx_node_emit_sync(e, node); break;
  case FAMILY_EXCHANGE: nv_emit_exchange(e, node); break;
  case FAMILY_REDUCE: nv_emit_reduction(e, node); break;
  case FAMILY_MBARRIER: nv_emit_mbarrier(e, node); break;
  case FAMILY_COPY: nv_emit_copy(e, node); break;
  case FAMILY_CLAIM: nvptx_node_emit_claim(e, node); break;
  case FAMILY_EFFECT: nv_emit_effect(e, node); break;
  case FAMILY_TILE: nv_emit_unit(e, node); break;
  case FAMILY_CONTROL: // nv_emit_node
  case FAMILY_COUNT: code_refuse(node);
  }
}
