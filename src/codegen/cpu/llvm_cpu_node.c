// SPDX-License-Identifier: Apache-2.0
// Nodes that are no control: dispatch, and values that are moved as they are.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

#include <string.h>

static uint32_t leaf_count(const CpuEmit *e, const IrNode *node) {
  return e->plan->node_leaf[node->id + 1] - e->plan->node_leaf[node->id];
}

static void emit_const(CpuEmit *e, const IrNode *node) {
  uint64_t bits = node->u.constant.bits;
  LLVMTypeRef type = cpu_scalar_type(e, node->type);
  LLVMValueRef v;
  if (node->type.kind == IR_TYPE_F32 || node->type.kind == IR_TYPE_F64) {
    bool is_single = node->type.kind == IR_TYPE_F32;
    LLVMValueRef raw = LLVMConstInt(is_single ? e->i32 : e->i64, bits, 0);
    v = LLVMConstBitCast(raw, type);
  } else if (node->type.kind == IR_TYPE_PTR) {
    v = LLVMConstIntToPtr(LLVMConstInt(e->i64, bits, 0), type);
  } else {
    v = LLVMConstInt(type, bits, 0);
  }
  for (uint32_t k = 0; k < leaf_count(e, node); k++)
    cpu_set_value(e, node, k, v);
}

// A leaf of a parameter from the 64-bit slots that hold its bytes.
static LLVMValueRef cpu_node_param_leaf(CpuEmit *e, const IrParam *param,
                                        uint32_t index) {
  uint32_t offset;
  IrType leaf = code_leaf_type(e->module, param->type, index, &offset);
  LLVMValueRef slot = cpu_slot(e, param->slot + offset / 8);
  if (offset % 8 != 0)
    slot = LLVMBuildLShr(e->hoist, slot, cpu_i64(e, offset % 8 * 8), CPU_NAME);
  if (leaf.kind == IR_TYPE_PTR)
    return LLVMBuildIntToPtr(e->hoist, slot, e->ptr, CPU_NAME);
  LLVMTypeRef type = cpu_scalar_type(e, leaf);
  LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, ir_type_bits(leaf));
  if (bits != e->i64)
    slot = LLVMBuildTrunc(e->hoist, slot, bits, CPU_NAME);
  return bits == type ? slot : LLVMBuildBitCast(e->hoist, slot, type, CPU_NAME);
}

static void emit_param(CpuEmit *e, const IrNode *node) {
  const IrParam *param = &e->kernel->params.data[node->u.index.number];
  for (uint32_t k = 0; k < leaf_count(e, node); k++)
    cpu_set_value(e, node, k, cpu_node_param_leaf(e, param, k));
}

// Copies leaf `k` of `from` in the shape planned for leaf `index`.
static void copy_leaf(CpuEmit *e, const IrNode *node, uint32_t index,
                      CpuLeaf from) {
  CpuShape shape = e->plan->shapes[e->plan->node_leaf[node->id] + index];
  cpu_set_value(e, node, index, cpu_convert(e, from, shape).v);
}

static void emit_pack(CpuEmit *e, const IrNode *node) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < node->n_args; i++)
    for (uint32_t k = 0; k < leaf_count(e, node->args[i]); k++)
      copy_leaf(e, node, at++, cpu_leaf(e, node->args[i], k));
}

static void emit_extract(CpuEmit *e, const IrNode *node) {
  uint32_t first =
      code_leaf_of_member(e->module, node->args[0]->type, node->u.index.number);
  for (uint32_t k = 0; k < leaf_count(e, node); k++)
    copy_leaf(e, node, k, cpu_leaf(e, node->args[0], first + k));
}

static void emit_insert(CpuEmit *e, const IrNode *node) {
  uint32_t first =
      code_leaf_of_member(e->module, node->args[0]->type, node->u.index.number);
  uint32_t n = leaf_count(e, node->args[1]);
  for (uint32_t k = 0; k < leaf_count(e, node); k++) {
    bool is_new = k >= first && k < first + n;
    copy_leaf(e, node, k,
              is_new ? cpu_leaf(e, node->args[1], k - first)
                     : cpu_leaf(e, node->args[0], k));
  }
}

static void select_leaf(CpuEmit *e, const IrNode *node, uint32_t k) {
  CpuShape shape = e->plan->shapes[e->plan->node_leaf[node->id] + k];
  CpuLeaf condition = cpu_leaf(e, node->args[0], 0);
  CpuLeaf yes = cpu_leaf(e, node->args[1], k);
  CpuLeaf no = cpu_leaf(e, node->args[2], k);
  LLVMValueRef c = condition.v;
  if (condition.shape.kind != CPU_UNIFORM)
    c = cpu_as_vector(e, condition);
  yes = cpu_convert(e, yes, shape);
  no = cpu_convert(e, no, shape);
  cpu_set_value(e, node, k, LLVMBuildSelect(e->b, c, yes.v, no.v, CPU_NAME));
}

static void emit_get(CpuEmit *e, const IrNode *node) {
  uint32_t leaf = e->plan->var_leaf[node->u.variable.var], offset;
  for (uint32_t k = 0; k < leaf_count(e, node); k++) {
    IrType type = code_leaf_type(e->module, node->type, k, &offset);
    CpuShape shape = e->plan->shapes[e->plan->node_leaf[node->id] + k];
    CpuLeaf now = cpu_load_var(e, leaf + k, type);
    if (now.shape.kind != shape.kind)
      HD_PANIC("node %u: variable %u is %d here, planned %d", node->id,
               node->u.variable.var, now.shape.kind, shape.kind);
    cpu_set_value(e, node, k, now.v);
  }
}

static void emit_set(CpuEmit *e, const IrNode *node) {
  uint32_t leaf = e->plan->var_leaf[node->u.variable.var];
  for (uint32_t k = 0; k < leaf_count(e, node->args[0]); k++)
    cpu_store_var(e, leaf + k, cpu_leaf(e, node->args[0], k));
}

// The value of some active lane, where the program says all have the same.
static void cpu_node_emit_uniform(CpuEmit *e, const IrNode *node) {
  for (uint32_t k = 0; k < leaf_count(e, node); k++) {
    CpuLeaf from = cpu_leaf(e, node->args[0], k);
    CpuShape shape = e->plan->shapes[e->plan->node_leaf[node->id] + k];
    if (shape.kind == CPU_UNIFORM && from.shape.kind != CPU_UNIFORM) {
      LLVMValueRef lane =
          e->first_lane && !e->mask ? e->first_lane : cpu_first_active(e);
      cpu_set_value(e, node, k, cpu_at_lane(e, from, lane));
    } else {
      copy_leaf(e, node, k, from);
    }
  }
}

// ------------------------------------------------------- same bits, new type

// All leaves as one integer of the value's bits. LLVM integers take a whole
// short vector; larger structs don't occur.
static LLVMValueRef cpu_node_join_bits(CpuEmit *e, const IrNode *node,
                                       bool is_scalar, unsigned total) {
  LLVMTypeRef shape = is_scalar ? e->i1 : cpu_vector_of(e, e->i1);
  LLVMTypeRef whole = llvm_type_like(shape, LLVMIntTypeInContext(e->cx, total));
  LLVMValueRef bits = LLVMConstNull(whole);
  for (uint32_t k = 0; k < leaf_count(e, node); k++) {
    CpuLeaf leaf = cpu_leaf(e, node, k);
    uint32_t offset;
    code_leaf_type(e->module, node->type, k, &offset);
    LLVMValueRef v = is_scalar ? leaf.v : cpu_as_vector(e, leaf);
    LLVMTypeRef narrow = llvm_type_like(
        shape, LLVMIntTypeInContext(e->cx, ir_type_bits(leaf.type)));
    v = leaf.type.kind == IR_TYPE_PTR
            ? LLVMBuildPtrToInt(e->b, v, narrow, CPU_NAME)
            : LLVMBuildBitCast(e->b, v, narrow, CPU_NAME);
    v = LLVMBuildIntCast2(e->b, v, whole, 0, CPU_NAME);
    LLVMValueRef by = llvm_fill(
        whole, LLVMConstInt(LLVMIntTypeInContext(e->cx, total), offset * 8, 0));
    bits =
        LLVMBuildOr(e->b, bits, LLVMBuildShl(e->b, v, by, CPU_NAME), CPU_NAME);
  }
  return bits;
}

static void emit_bitcast(CpuEmit *e, const IrNode *node) {
  const IrNode *from = node->args[0];
  unsigned total = ir_type_size(e->module, node->type) * 8;
  bool is_scalar = cpu_node_shape(e->plan, node).kind == CPU_UNIFORM;
  if (from->type.kind == IR_TYPE_BOOL || node->type.kind == IR_TYPE_BOOL)
    total = 8;
  LLVMValueRef bits = cpu_node_join_bits(e, from, is_scalar, total);
  LLVMTypeRef shape = LLVMTypeOf(bits);
  for (uint32_t k = 0; k < leaf_count(e, node); k++) {
    uint32_t offset;
    IrType leaf = code_leaf_type(e->module, node->type, k, &offset);
    LLVMValueRef by = llvm_fill(
        shape, LLVMConstInt(LLVMIntTypeInContext(e->cx, total), offset * 8, 0));
    LLVMValueRef v = LLVMBuildLShr(e->b, bits, by, CPU_NAME);
    LLVMTypeRef narrow =
        llvm_type_like(shape, LLVMIntTypeInContext(e->cx, ir_type_bits(leaf)));
    LLVMTypeRef type = llvm_type_like(shape, cpu_scalar_type(e, leaf));
    v = LLVMBuildIntCast2(e->b, v, narrow, 0, CPU_NAME);
    v = leaf.kind == IR_TYPE_PTR ? LLVMBuildIntToPtr(e->b, v, type, CPU_NAME)
                                 : LLVMBuildBitCast(e->b, v, type, CPU_NAME);
    cpu_set_value(e, node, k, v);
  }
}

static void emit_pointer_difference(CpuEmit *e, const IrNode *node) {
  bool is_scalar = cpu_node_shape(e->plan, node).kind == CPU_UNIFORM;
  LLVMValueRef x[2];
  LLVMTypeRef type = is_scalar ? e->i64 : cpu_vector_of(e, e->i64);
  for (uint32_t i = 0; i < 2; i++) {
    x[i] = is_scalar ? cpu_scalar_arg(e, node, i) : cpu_vector_arg(e, node, i);
    x[i] = LLVMBuildPtrToInt(e->b, x[i], type, CPU_NAME);
  }
  cpu_set_value(e, node, 0, LLVMBuildSub(e->b, x[0], x[1], CPU_NAME));
}

static void emit_pointer_sum(CpuEmit *e, const IrNode *node) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  if (shape.kind == CPU_AFFINE) {
    cpu_emit_arith(e, node);
    return;
  }
  bool is_scalar = shape.kind == CPU_UNIFORM;
  LLVMValueRef p =
      is_scalar ? cpu_scalar_arg(e, node, 0) : cpu_vector_arg(e, node, 0);
  LLVMValueRef by =
      is_scalar ? cpu_scalar_arg(e, node, 1) : cpu_vector_arg(e, node, 1);
  cpu_set_value(e, node, 0, LLVMBuildGEP2(e->b, e->i8, p, &by, 1, CPU_NAME));
}

static void emit_address(CpuEmit *e, const IrNode *node) {
  if (node->u.access.object && node->u.access.object->space == SPACE_LOCAL) {
    cpu_emit_private(e, node);
    return;
  }
  CpuAddress at = cpu_address(e, node);
  if (at.shape.kind == CPU_VARYING)
    cpu_set_value(e, node, 0, cpu_address_pointers(e, &at, 0));
  else
    cpu_set_value(e, node, 0, at.base);
}

static bool cpu_node_is_private(const IrNode *node) {
  return node->u.access.object && node->u.access.object->space == SPACE_LOCAL;
}

static void emit_access(CpuEmit *e, const IrNode *node) {
  bool is_atomic = node->u.access.order != ORDER_PLAIN;
  if (is_atomic)
    cpu_coro_turn(e, node);
  if (e->plan->has_checks)
    cpu_tell_access(e, node);
  else
    cpu_test_reach(e, node);
  if (node->op == IR_RMW || node->op == IR_CAS)
    cpu_emit_rmw(e, node);
  else if (cpu_node_is_private(node))
    cpu_emit_private(e, node);
  else if (node->op == IR_LOAD && is_atomic)
    cpu_emit_atomic_load(e, node);
  else if (node->op == IR_LOAD)
    cpu_emit_load(e, node);
  else if (is_atomic)
    cpu_emit_atomic_store(e, node);
  else
    cpu_emit_store(e, node);
  cpu_access_end(e);
}

static void emit_value_op(CpuEmit *e, const IrNode *node) {
  const IrObject *object = node->u.index.object;
  switch (ir_value_op(node->op)) {
  case IR_CONST: emit_const(e, node); break;
  case IR_PARAM: emit_param(e, node); break;
  case IR_EXTENT:
    cpu_set_value(e, node, 0, cpu_extent(e, object, node->u.index.number));
    break;
  case IR_STRIDE:
    cpu_set_value(e, node, 0, cpu_stride(e, object, node->u.index.number));
    break;
  case IR_GET: emit_get(e, node); break;
  case IR_SET: emit_set(e, node); break;
  case IR_PACK: emit_pack(e, node); break;
  case IR_EXTRACT: emit_extract(e, node); break;
  case IR_INSERT: emit_insert(e, node); break;
  case IR_SELECT:
    for (uint32_t k = 0; k < leaf_count(e, node); k++)
      select_leaf(e, node, k);
    break;
  }
}

static void emit_arithmetic(CpuEmit *e, const IrNode *node) {
  bool is_affine = cpu_leaf(e, node->args[0], 0).shape.kind == CPU_AFFINE &&
                   cpu_node_shape(e->plan, node).kind != CPU_VARYING;
  if (ir_divides(node->op) && !is_affine)
    cpu_set_value(e, node, 0, cpu_emit_divide(e, node));
  else
    cpu_emit_arith(e, node);
}

static void emit_memory(CpuEmit *e, const IrNode *node) {
  switch (ir_memory_op(node->op)) {
  case IR_LOAD:
  case IR_STORE:
  case IR_RMW:
  case IR_CAS: emit_access(e, node); break;
  case IR_ADDRESS: emit_address(e, node); break;
  case IR_PTR_ADD: emit_pointer_sum(e, node); break;
  case IR_PTR_DIFF: emit_pointer_difference(e, node); break;
  case IR_MAP_SHARED:
  case IR_SHARED_RANK: cpu_emit_cluster(e, node); break;
  }
}

static void emit_sync(CpuEmit *e, const IrNode *node) {
  switch (ir_sync_op(node->op)) {
  case IR_SYNC:
  case IR_JOIN:
  case IR_ARRIVE:
  case IR_WAIT: cpu_emit_barrier(e, node); break;
  case IR_FENCE:
    if (e->plan->has_checks)
      cpu_tell_fence(e, node);
    cpu_emit_fence(e, node);
    break;
  case IR_FENCE_ASYNC: // copies read what has been written
    if (e->plan->has_checks)
      cpu_tell_fence(e, node);
    break;
  case IR_SEMAPHORE_LOCK:
  case IR_SEMAPHORE_RELEASE: cpu_emit_semaphore(e, node); break;
  }
}

static void emit_claim(CpuEmit *e, const IrNode *node) {
  switch (ir_claim_op(node->op)) {
  case IR_UNIFORM: cpu_node_emit_uniform(e, node); break;
  case IR_ASSUME: cpu_emit_assume(e, node); break;
  case IR_CONSUMES:
  case IR_PRODUCES:
  case IR_PRESERVES:
  case IR_READS: cpu_tell_clause(e, node); break;
  }
}

static void emit_convert(CpuEmit *e, const IrNode *node) {
  if (node->op == IR_BITCAST)
    emit_bitcast(e, node);
  else
    cpu_emit_convert(e, node);
}

void cpu_emit_value(CpuEmit *e, const IrNode *node) {
  switch (ir_family(node)) {
  case FAMILY_VALUE: emit_value_op(e, node); break;
  case FAMILY_ARITHMETIC: emit_arithmetic(e, node); break;
  case FAMILY_COMPARE: cpu_emit_compare(e, node); break;
  case FAMILY_CONVERT: emit_convert(e, node); break;
  case FAMILY_MATH: cpu_emit_math(e, node); break;
  case FAMILY_POSITION: cpu_emit_position(e, node); break;
  case FAMILY_MEMORY: emit_memory(e, node); break;
  case FAMILY_SYNC: emit_sync(e, node); break;
  case FAMILY_EXCHANGE: cpu_emit_exchange(e, node); break;
  case FAMILY_REDUCE: cpu_emit_reduction(e, node); break;
  case FAMILY_MBARRIER: cpu_emit_mbarrier(e, node); break;
  case FAMILY_COPY: cpu_emit_copy(e, node); break;
  case FAMILY_CLAIM: emit_claim(e, node); break;
  case FAMILY_EFFECT: cpu_emit_effect(e, node); break;
  case FAMILY_CONTROL: // cpu_emit_node
  case FAMILY_TILE:
  case FAMILY_COUNT: code_refuse(node);
  }
}
