// SPDX-License-Identifier: Apache-2.0
// Leaves of values, constants, variables, and small helpers around LLVM.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

#include <string.h>

LLVMTypeRef nv_scalar_type(const NvEmit *e, IrType type) {
  switch ((IrTypeKind)type.kind) {
  case IR_TYPE_BOOL: return e->i1;
  case IR_TYPE_I8:
  case IR_TYPE_E4M3: // their bits
  case IR_TYPE_E5M2: return e->i8;
  case IR_TYPE_I16: return e->i16;
  case IR_TYPE_F16: return e->f16;
  case IR_TYPE_BF16: return e->bf16;
  case IR_TYPE_I32: return e->i32;
  case IR_TYPE_TOKEN:
  case IR_TYPE_I64: return e->i64;
  case IR_TYPE_F32: return e->f32;
  case IR_TYPE_F64: return e->f64;
  case IR_TYPE_PTR: return e->ptr[NV_SPACE_GENERIC];
  case IR_TYPE_VOID:
  IR_NARROW_CASES:
  case IR_TYPE_STRUCT:
  case IR_TYPE_TILE:
  case IR_TYPE_COUNT: break;
  }
  HD_PANIC("type %d is not a scalar", type.kind);
}

LLVMValueRef nv_i32(const NvEmit *e, int64_t value) {
  return LLVMConstInt(e->i32, (uint64_t)value, 1);
}

LLVMValueRef nv_i64(const NvEmit *e, int64_t value) {
  return LLVMConstInt(e->i64, (uint64_t)value, 1);
}

uint32_t nv_leaf_count(const NvEmit *e, const IrNode *node) {
  return e->plan->node_leaf[node->id + 1] - e->plan->node_leaf[node->id];
}

IrType nv_leaf_type(const NvEmit *e, IrType type, uint32_t index,
                    uint32_t *offset_bytes) {
  return code_leaf_type(e->module, type, index, offset_bytes);
}

LLVMValueRef nv_value(const NvEmit *e, const IrNode *node, uint32_t index) {
  LLVMValueRef v = e->values[e->plan->node_leaf[node->id] + index];
  HD_ASSERT(v != NULL);
  return v;
}

LLVMValueRef nv_arg(const NvEmit *e, const IrNode *node, uint32_t arg) {
  return nv_value(e, node->args[arg], 0);
}

void nv_set_value(NvEmit *e, const IrNode *node, uint32_t index,
                  LLVMValueRef value) {
  e->values[e->plan->node_leaf[node->id] + index] = value;
}

void nv_set_undefined(NvEmit *e, const IrNode *node) {
  uint32_t offset;
  for (uint32_t k = 0; k < nv_leaf_count(e, node); k++) {
    IrType type = nv_leaf_type(e, node->type, k, &offset);
    nv_set_value(e, node, k, LLVMConstNull(nv_scalar_type(e, type)));
  }
}

// -------------------------------------------------------------- variables

LLVMValueRef nv_alloca(NvEmit *e, LLVMTypeRef type) {
  return LLVMBuildAlloca(e->hoist, type, NV_NAME);
}

static LLVMValueRef var_slot(NvEmit *e, uint32_t leaf, IrType type) {
  if (e->var_slots[leaf] == NULL)
    e->var_slots[leaf] = nv_alloca(e, nv_scalar_type(e, type));
  return e->var_slots[leaf];
}

LLVMValueRef nv_load_var(NvEmit *e, uint32_t leaf, IrType type) {
  return LLVMBuildLoad2(e->b, nv_scalar_type(e, type), var_slot(e, leaf, type),
                        NV_NAME);
}

void nv_store_var(NvEmit *e, uint32_t leaf, IrType type, LLVMValueRef value) {
  LLVMBuildStore(e->b, value, var_slot(e, leaf, type));
}

// ------------------------------------------------------------------ LLVM

LLVMValueRef nv_intrinsic(NvEmit *e, const char *name,
                          const LLVMTypeRef *overloads, unsigned n_overloads,
                          LLVMValueRef *args, unsigned n_args) {
  return llvm_intrinsic(e->b, name, overloads, n_overloads, args, n_args);
}

static void add_call_attribute(NvEmit *e, LLVMValueRef call, const char *name,
                               uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(e->cx, kind, value));
}

LLVMValueRef nv_asm(NvEmit *e, LLVMTypeRef result, const char *text,
                    const char *constraints, LLVMValueRef *args,
                    unsigned n_args, bool touches_memory) {
  LLVMTypeRef *types = ARENA_ARRAY(e->arena, LLVMTypeRef, n_args + 1);
  for (unsigned i = 0; i < n_args; i++)
    types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n_args, 0);
  if (touches_memory)
    constraints = arena_printf(e->arena, "%s%s~{memory}", constraints,
                               *constraints ? "," : "");
  LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints,
                                       strlen(constraints), touches_memory, 0,
                                       LLVMInlineAsmDialectATT, 0);
  LLVMValueRef call = LLVMBuildCall2(e->b, type, code, args, n_args, NV_NAME);
  add_call_attribute(e, call, "convergent", 0);
  add_call_attribute(e, call, "nounwind", 0);
  if (!touches_memory) {
    add_call_attribute(e, call, "memory", 0);
    add_call_attribute(e, call, "willreturn", 0);
  }
  return call;
}

LLVMBasicBlockRef nv_new_block(NvEmit *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->cx, e->function, name);
}

void nv_begin_block(NvEmit *e, LLVMBasicBlockRef block) {
  LLVMBasicBlockRef last = LLVMGetLastBasicBlock(e->function);
  if (last != block)
    LLVMMoveBasicBlockAfter(block, last);
  LLVMPositionBuilderAtEnd(e->b, block);
}

LLVMValueRef nv_byte_offset(NvEmit *e, LLVMValueRef pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  LLVMValueRef offset = nv_i64(e, bytes);
  return LLVMBuildInBoundsGEP2(e->b, e->i8, pointer, &offset, 1, NV_NAME);
}

// ----------------------------------------------------------------- words

uint32_t nv_to_words(NvEmit *e, IrType type, LLVMValueRef v,
                     LLVMValueRef words[2]) {
  uint32_t bits = ir_type_bits(type);
  if (type.kind == IR_TYPE_TOKEN)
    bits = 64;
  LLVMTypeRef whole = LLVMIntTypeInContext(e->cx, bits);
  if (type.kind == IR_TYPE_PTR)
    v = LLVMBuildPtrToInt(e->b, v, whole, NV_NAME);
  else
    v = LLVMBuildBitCast(e->b, v, whole, NV_NAME);
  words[0] = LLVMBuildIntCast2(e->b, v, e->i32, 0, NV_NAME);
  if (bits <= 32)
    return 1;
  v = LLVMBuildLShr(e->b, v, nv_i64(e, 32), NV_NAME);
  words[1] = LLVMBuildTrunc(e->b, v, e->i32, NV_NAME);
  return 2;
}

LLVMValueRef nv_from_words(NvEmit *e, IrType type, LLVMValueRef *words) {
  uint32_t bits = ir_type_bits(type);
  if (type.kind == IR_TYPE_TOKEN)
    bits = 64;
  LLVMTypeRef whole = LLVMIntTypeInContext(e->cx, bits);
  LLVMValueRef v = LLVMBuildIntCast2(e->b, words[0], whole, 0, NV_NAME);
  if (bits > 32) {
    LLVMValueRef high = LLVMBuildZExt(e->b, words[1], whole, NV_NAME);
    high = LLVMBuildShl(e->b, high, nv_i64(e, 32), NV_NAME);
    v = LLVMBuildOr(e->b, v, high, NV_NAME);
  }
  if (type.kind == IR_TYPE_PTR)
    return LLVMBuildIntToPtr(e->b, v, nv_scalar_type(e, type), NV_NAME);
  return LLVMBuildBitCast(e->b, v, nv_scalar_type(e, type), NV_NAME);
}
