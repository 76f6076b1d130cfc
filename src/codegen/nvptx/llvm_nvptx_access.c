// SPDX-License-Identifier: Apache-2.0
// Plain loads and stores, leaf by leaf: LLVM joins neighbours into accesses of
// up to 16 bytes, as far as their alignment is known.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

LLVMTypeRef nv_memory_type(const NvEmit *e, IrType type) {
  return type.kind == IR_TYPE_BOOL ? e->i8 : nv_scalar_type(e, type);
}

LLVMValueRef nv_to_memory(NvEmit *e, IrType type, LLVMValueRef v) {
  return type.kind == IR_TYPE_BOOL ? LLVMBuildZExt(e->b, v, e->i8, NV_NAME) : v;
}

LLVMValueRef nv_from_memory(NvEmit *e, IrType type, LLVMValueRef v) {
  if (type.kind != IR_TYPE_BOOL)
    return v;
  return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)),
                       NV_NAME);
}

void nv_mark_access(NvEmit *e, LLVMValueRef access, const IrObject *object) {
  if (object == NULL || !nv_is_kernel_object(e, object) ||
      e->scopes[object->id] == NULL)
    return;
  LLVMSetMetadata(access, e->md_scope, e->scopes[object->id]);
  if (e->no_scopes[object->id])
    LLVMSetMetadata(access, e->md_noalias, e->no_scopes[object->id]);
}

// Nothing writes the array while the kernel runs.
static bool nvptx_access_is_fixed(const NvEmit *e, const IrObject *object) {
  if (object == NULL || object->space == SPACE_CONSTANT)
    return object != NULL;
  if (object->space != SPACE_GLOBAL || object->param < 0 || !object->is_const)
    return false;
  for (uint32_t i = 0; i < e->kernel->objects.count; i++) {
    const IrObject *other = e->kernel->objects.data[i];
    if (object->alias_class != 0 && !other->is_const &&
        other->alias_class == object->alias_class)
      return false;
  }
  return true;
}

typedef struct {
  const IrNode *node;
  const IrAccess *access;
  LLVMValueRef at;
  uint32_t n_leaves;
  uint32_t align; // what the address of the element is a multiple of
  bool is_fixed;
} Access;

// What the address of any element is a multiple of, given where its array lies.
static uint32_t nvptx_access_element_align(const IrAccess *access) {
  const IrObject *object = access->object;
  if (object == NULL || access->has_offset || object->element_bytes == 0 ||
      (object->space == SPACE_GLOBAL && !(object->facts & FACT_ALIGNED16)) ||
      object->space == SPACE_CONSTANT || object->space == SPACE_GENERIC)
    return 1;
  uint32_t bits = object->element_bytes | access->offset_bytes | 16;
  return bits & (0u - bits);
}

// What the address of the element is a multiple of: chunks of swizzled arrays
// are aligned, and LLVM doesn't see through the swizzle.
static uint32_t nvptx_access_known_align(const IrNode *node) {
  const IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  uint32_t align = nvptx_access_element_align(access);
  if (align == 1 || !ir_swizzle_bytes(object) ||
      access->n_index != object->rank)
    return align;
  uint32_t last = (uint32_t)code_operands(node).index + access->n_index - 1u;
  for (uint32_t zeros = nv_zero_bits_at_once(node->args[last]);
       zeros > 0 && align < SWIZZLE_CHUNK_BYTES; zeros--)
    align *= 2;
  return align;
}

static unsigned nvptx_access_leaf_align(const Access *a, uint32_t offset_bytes,
                                        uint32_t size_bytes) {
  const IrAccess *access = a->access;
  unsigned align = access->align_bytes ? access->align_bytes : size_bytes;
  uint32_t element = a->align;
  if (element > align)
    align = element;
  while (align > 1 && offset_bytes % align != 0)
    align /= 2;
  return align;
}

static LLVMValueRef nvptx_access_load_leaf(NvEmit *e, const Access *a,
                                           uint32_t index) {
  uint32_t offset;
  IrType type = nv_leaf_type(e, a->access->type, index, &offset);
  LLVMValueRef at = nv_byte_offset(e, a->at, offset);
  LLVMValueRef load =
      LLVMBuildLoad2(e->b, nv_memory_type(e, type), at, NV_NAME);
  LLVMSetAlignment(
      load, nvptx_access_leaf_align(a, offset, ir_type_size(e->module, type)));
  nv_mark_access(e, load, a->access->object);
  if (a->is_fixed)
    LLVMSetMetadata(load, e->md_invariant,
                    LLVMMetadataAsValue(e->cx, e->md_empty));
  return nv_from_memory(e, type, load);
}

static bool is_hinted(const Access *a) {
  return a->access->hint != HINT_NONE &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(a->at)) == NV_SPACE_GLOBAL;
}

static LLVMValueRef *load_leaves(NvEmit *e, const Access *a) {
  LLVMValueRef *v = ARENA_ARRAY(e->arena, LLVMValueRef, a->n_leaves + 1);
  if (is_hinted(a))
    nv_load_hinted(e, a->access, a->at, a->is_fixed, v);
  else
    for (uint32_t k = 0; k < a->n_leaves; k++)
      v[k] = nvptx_access_load_leaf(e, a, k);
  return v;
}

static void load_guarded(NvEmit *e, const Access *a, LLVMValueRef guard) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  NvIf place = nv_if(e, guard);
  LLVMValueRef *v = load_leaves(e, a);
  LLVMBasicBlockRef inside = LLVMGetInsertBlock(e->b);
  nv_end_if(e, place);
  for (uint32_t k = 0; k < a->n_leaves; k++) {
    LLVMTypeRef type = LLVMTypeOf(v[k]);
    LLVMValueRef phi = LLVMBuildPhi(e->b, type, NV_NAME);
    LLVMValueRef from[2] = {v[k], LLVMConstNull(type)};
    LLVMBasicBlockRef blocks[2] = {inside, before};
    LLVMAddIncoming(phi, from, blocks, 2);
    nv_set_value(e, a->node, k, phi);
  }
}

static void emit_load(NvEmit *e, const Access *a, LLVMValueRef guard) {
  if (guard) {
    load_guarded(e, a, guard);
    return;
  }
  LLVMValueRef *v = load_leaves(e, a);
  for (uint32_t k = 0; k < a->n_leaves; k++)
    nv_set_value(e, a->node, k, v[k]);
}

static void nvptx_access_store_leaf(NvEmit *e, const Access *a,
                                    const IrNode *value, uint32_t index) {
  uint32_t offset;
  IrType type = nv_leaf_type(e, a->access->type, index, &offset);
  LLVMValueRef v = nv_to_memory(e, type, nv_value(e, value, index));
  LLVMValueRef store =
      LLVMBuildStore(e->b, v, nv_byte_offset(e, a->at, offset));
  LLVMSetAlignment(
      store, nvptx_access_leaf_align(a, offset, ir_type_size(e->module, type)));
  nv_mark_access(e, store, a->access->object);
}

static void emit_store(NvEmit *e, const Access *a, LLVMValueRef guard) {
  const IrNode *value = a->node->args[code_operands(a->node).value];
  NvIf place = {NULL};
  if (guard)
    place = nv_if(e, guard);
  if (is_hinted(a))
    nv_store_hinted(e, a->access, a->at, value);
  else
    for (uint32_t k = 0; k < a->n_leaves; k++)
      nvptx_access_store_leaf(e, a, value, k);
  if (guard)
    nv_end_if(e, place);
}

void nv_emit_access(NvEmit *e, const IrNode *node) {
  if (node->u.access.order != ORDER_PLAIN) {
    nv_emit_atomic(e, node);
    return;
  }
  unsigned space;
  LLVMValueRef guard = nv_access_guard(e, node);
  Access a = {.node = node, .access = &node->u.access};
  a.at = nv_address(e, node, &space);
  a.align = nvptx_access_known_align(node);
  a.n_leaves = code_leaf_count(e->module, node->u.access.type);
  a.is_fixed = nvptx_access_is_fixed(e, node->u.access.object);
  if (node->op == IR_LOAD)
    emit_load(e, &a, guard);
  else
    emit_store(e, &a, guard);
}
