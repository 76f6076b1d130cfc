// SPDX-License-Identifier: Apache-2.0
// Words of the parameter, bases of objects, addresses of accesses.
//
// An address is base + index, where the index into global memory is a sum of 32
// bits if all elements of the object have such numbers: one multiplication then
// makes it an address of 64 bits.
#include "base/panic.h"
#include "codegen/llvm_host.h"
#include "codegen/nvptx/llvm_nvptx.h"

// What the constant bank has room for.
#define CONSTANT_BANK_BYTES 65536

// --------------------------------------------------------------- parameter

// A word of the parameter, in the entry block: it never changes.
static LLVMValueRef load_word(NvEmit *e, LLVMTypeRef type, uint32_t word) {
  LLVMValueRef offset = nv_i64(e, (int64_t)word * 8);
  LLVMValueRef at =
      LLVMBuildInBoundsGEP2(e->hoist, e->i8, e->args, &offset, 1, NV_NAME);
  LLVMValueRef load = LLVMBuildLoad2(e->hoist, type, at, NV_NAME);
  LLVMSetAlignment(load, 8);
  LLVMSetMetadata(load, e->md_invariant,
                  LLVMMetadataAsValue(e->cx, e->md_empty));
  return load;
}

LLVMValueRef nv_slot(NvEmit *e, uint32_t slot) {
  if (e->slots[slot] == NULL)
    e->slots[slot] = load_word(e, e->i64, slot);
  return e->slots[slot];
}

LLVMValueRef nv_hidden(NvEmit *e, uint32_t word) {
  return nv_slot(e, e->kernel->n_slots + word);
}

// ------------------------------------------------------------------ extents

static LLVMValueRef nvptx_address_slot_of(void *emit, uint32_t slot) {
  return nv_slot(emit, slot);
}

// A parameter of 32 bits says more than the word that holds the extent.
static bool is_int_param(const NvEmit *e, const IrHost *host) {
  return host && host->op == HOST_PARAM &&
         e->kernel->params.data[host->number].type.kind == IR_TYPE_I32;
}

LLVMValueRef nv_extent(NvEmit *e, const IrObject *object, uint32_t dim) {
  int64_t value;
  if (code_host_const(object->extents[dim], &value))
    return nv_i64(e, value);
  if (object->param >= 0 && !is_int_param(e, object->extents[dim]))
    return nv_slot(e, e->kernel->params.data[object->param].slot + 1 + dim);
  LlvmHost host = {e->hoist, e->i64, e->f64, e->kernel, nvptx_address_slot_of,
                   e};
  return llvm_host_value(&host, object->extents[dim]);
}

// Lanes of tile kernels have neighbours in a row: where it is known that these
// lie at a multiple of 16 bytes in every row, LLVM joins them.
static LLVMValueRef nvptx_address_even(NvEmit *e, const IrObject *object,
                                       uint32_t dim, LLVMValueRef stride) {
  uint32_t bytes = object->element_bytes;
  if (!e->kernel->is_of_tiles || !(object->facts & FACT_STRIDE16) ||
      dim + 1u == object->rank || bytes == 0 || 16 % bytes)
    return stride;
  LLVMValueRef mask = nv_i64(e, -(int64_t)(16 / bytes));
  return LLVMBuildAnd(e->hoist, stride, mask, NV_NAME);
}

LLVMValueRef nv_stride(NvEmit *e, const IrObject *object, uint32_t dim) {
  int64_t value;
  if (code_stride_const(object, dim, &value))
    return nv_i64(e, value);
  if (object->param >= 0 && object->has_strides)
    return nvptx_address_even(
        e, object, dim,
        nv_slot(e, e->kernel->params.data[object->param].slot + 1 +
                       object->rank + dim));
  LLVMValueRef product = nv_i64(e, 1);
  for (uint32_t k = dim + 1; k < object->rank; k++)
    product = LLVMBuildMul(e->hoist, product, nv_extent(e, object, k), NV_NAME);
  return nvptx_address_even(e, object, dim, product);
}

// ------------------------------------------------------------ object bases

bool nv_is_kernel_object(const NvEmit *e, const IrObject *object) {
  return object->id < e->kernel->objects.count &&
         e->kernel->objects.data[object->id] == object;
}

typedef struct {
  const NvPlan *plan;
  const IrObject *object;
  bool is_uniform; // all its accesses, over the block
} ConstantUse;

static bool note_constant_use(IrNode *node, void *context) {
  ConstantUse *use = context;
  if (ir_op_info(node)->form != FORM_ACCESS ||
      node->u.access.object != use->object)
    return true;
  const NvPlan *plan = use->plan;
  const IrGroup *block = plan->kernel->groups.data[GROUP_ROW_BLOCK];
  use->is_uniform = node->op == IR_LOAD;
  for (uint32_t i = 0; i < node->n_args && use->is_uniform; i++)
    use->is_uniform = uniformity_has(plan->uniformity, node->args[i], block);
  return use->is_uniform;
}

// The constant bank reads one place for a whole warp at a time: an array that
// threads read at different places is better off in global memory.
static bool suits_constant_bank(const NvEmit *e, const IrObject *object) {
  ConstantUse use = {.plan = e->plan, .object = object, .is_uniform = true};
  IrRegion body = e->kernel->body;
  ir_walk(&body, note_constant_use, &use);
  return use.is_uniform &&
         e->constant_bytes + object->initial_bytes <= CONSTANT_BANK_BYTES;
}

// The array itself, as data of the module.
static LLVMValueRef constant_data(NvEmit *e, const IrObject *object) {
  uint64_t n = object->initial_bytes;
  unsigned space =
      suits_constant_bank(e, object) ? NV_SPACE_CONSTANT : NV_SPACE_GLOBAL;
  if (space == NV_SPACE_CONSTANT)
    e->constant_bytes += n + 16; // what alignment may cost
  LLVMValueRef bytes = LLVMConstStringInContext2(
      e->cx, object->initial ? object->initial : "", n, 1);
  LLVMValueRef data = LLVMAddGlobalInAddressSpace(e->llvm, LLVMTypeOf(bytes),
                                                  "hd_constant", space);
  LLVMSetInitializer(data, bytes);
  LLVMSetGlobalConstant(data, 1);
  LLVMSetLinkage(data, LLVMInternalLinkage);
  LLVMSetAlignment(data, 16);
  return data;
}

static bool is_module_data(const IrObject *object) {
  return object->space == SPACE_CONSTANT && object->initial != NULL &&
         object->initial_bytes > 0;
}

static LLVMValueRef file_object_base(NvEmit *e, const IrObject *object) {
  LLVMValueRef *base = &e->global_base[object->id];
  uint32_t word = e->kernel->n_slots + HD_CUDA_N_HIDDEN + object->id;
  if (*base == NULL)
    *base = is_module_data(object)
                ? constant_data(e, object)
                : load_word(e, e->ptr[NV_SPACE_GLOBAL], word);
  return *base;
}

static LLVMValueRef nvptx_address_shared_base(NvEmit *e,
                                              const IrObject *object) {
  const CodeShared *place = &e->plan->shared[object->id];
  uint64_t offset =
      place->is_dynamic ? e->plan->shared_bytes : place->offset_bytes;
  LLVMValueRef by = nv_i64(e, (int64_t)offset);
  LLVMValueRef base =
      LLVMConstInBoundsGEP2(e->i8, e->shared, &by, offset ? 1 : 0);
  if (offset == 0)
    base = e->shared;
  if (!object->is_cluster_shared)
    return base;
  LLVMBuilderRef outer = e->b;
  e->b = e->hoist;
  base = nv_cluster_address(e, base, nv_i32(e, 0));
  e->b = outer;
  return base;
}

static LLVMValueRef param_base(NvEmit *e, const IrObject *object) {
  const IrParam *param = &e->kernel->params.data[object->param];
  LLVMValueRef base = load_word(e, e->ptr[NV_SPACE_GLOBAL], param->slot);
  uint64_t align = object->facts & FACT_ALIGNED16 ? 16 : 0;
  if (align == 0)
    return base;
  LLVMMetadataRef bytes = LLVMValueAsMetadata(nv_i64(e, (int64_t)align));
  LLVMSetMetadata(
      base, LLVMGetMDKindIDInContext(e->cx, "align", 5),
      LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &bytes, 1)));
  return base;
}

LLVMValueRef nv_object_base(NvEmit *e, const IrObject *object) {
  if (!nv_is_kernel_object(e, object))
    return file_object_base(e, object);
  LLVMValueRef *base = &e->object_base[object->id];
  if (*base != NULL)
    return *base;
  if (object->space == SPACE_SHARED) {
    *base = nvptx_address_shared_base(e, object);
  } else if (object->space == SPACE_LOCAL) {
    *base = e->privates[object->id];
  } else {
    HD_ASSERT(object->param >= 0);
    *base = param_base(e, object);
  }
  return *base;
}

LLVMValueRef nv_private_array(NvEmit *e, const IrObject *object) {
  uint64_t bytes = object->element_bytes;
  for (uint32_t k = 0; k < object->rank; k++) {
    int64_t extent;
    if (!code_host_const(object->extents[k], &extent) || extent < 0 ||
        __builtin_mul_overflow(bytes, (uint64_t)extent, &bytes) ||
        bytes > (1u << 19)) {
      nv_refuse(e->plan, object->loc,
                "a thread's own array '%s' is larger than 512 KiB",
                object->name);
      bytes = 16;
      break;
    }
  }
  LLVMValueRef slot = nv_alloca(e, LLVMArrayType2(e->i8, bytes ? bytes : 1));
  LLVMSetAlignment(slot, object->align_bytes > 16 ? object->align_bytes : 16);
  return slot;
}

// --------------------------------------------------------------- pointers

LLVMValueRef nv_to_generic(NvEmit *e, LLVMValueRef pointer, unsigned space) {
  if (space == NV_SPACE_GENERIC)
    return pointer;
  return LLVMBuildAddrSpaceCast(e->b, pointer, e->ptr[NV_SPACE_GENERIC],
                                NV_NAME);
}

LLVMValueRef nv_shared_u32(NvEmit *e, LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMTypeOf(pointer);
  if (LLVMGetPointerAddressSpace(type) != NV_SPACE_SHARED)
    pointer =
        LLVMBuildAddrSpaceCast(e->b, pointer, e->ptr[NV_SPACE_SHARED], NV_NAME);
  return LLVMBuildPtrToInt(e->b, pointer, e->i32, NV_NAME);
}

// ------------------------------------------------------------- addresses

// Numbers of elements within the object fit 32 bits.
static bool nvptx_address_is_small(const IrObject *object) {
  int64_t elements = 1;
  if (object->space == SPACE_SHARED || object->space == SPACE_LOCAL ||
      (object->facts & FACT_SMALL) != 0)
    return true;
  for (uint32_t k = 0; k < object->rank; k++) {
    int64_t extent;
    if (!code_host_const(object->extents[k], &extent) ||
        __builtin_mul_overflow(elements, extent, &elements))
      return false;
  }
  return !object->is_plain_pointer && elements < INT32_MAX;
}

static LLVMValueRef resized(NvEmit *e, LLVMValueRef v, LLVMTypeRef type) {
  return LLVMBuildIntCast2(e->b, v, type, 1, NV_NAME);
}

// A 64-bit value that 32 bits are enough to compute, given that they are enough
// for the result: what isn't would have to be cut and extended again.
static bool nvptx_address_is_narrow(LLVMValueRef v, unsigned depth) {
  if (LLVMIsAConstantInt(v))
    return true;
  if (!LLVMIsAInstruction(v))
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
  if (opcode == LLVMSExt || opcode == LLVMZExt)
    return true;
  return depth > 0 &&
         (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul) &&
         nvptx_address_is_narrow(LLVMGetOperand(v, 0), depth - 1) &&
         nvptx_address_is_narrow(LLVMGetOperand(v, 1), depth - 1);
}

// Addresses of shared memory have 32 bits in the end, which the assembler
// knows; sums of 64 show LLVM that places a constant apart have a base in
// common, as the elements that a lane of a tile kernel loads have.
static LLVMTypeRef number_type(NvEmit *e, const IrObject *object,
                               const IrNode *node, uint32_t first, uint32_t n) {
  if (!nvptx_address_is_small(object) || object->space == SPACE_SHARED ||
      e->kernel->is_of_tiles)
    return e->i64;
  for (uint32_t k = 0; k < n; k++) {
    LLVMValueRef index = nv_arg(e, node, first + k);
    if (LLVMTypeOf(index) == e->i64 && !nvptx_address_is_narrow(index, 6))
      return e->i64;
  }
  return e->i32;
}

static bool nvptx_address_is_one(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == 1;
}

// The number of the element at n indices, in elements; NULL: none.
static LLVMValueRef nvptx_address_element_number(NvEmit *e,
                                                 const IrObject *object,
                                                 const IrNode *node,
                                                 uint32_t first, uint32_t n) {
  LLVMTypeRef type = number_type(e, object, node, first, n);
  LLVMValueRef sum = NULL;
  for (uint32_t k = 0; k < n; k++) {
    LLVMValueRef term = resized(e, nv_arg(e, node, first + k), type);
    LLVMValueRef stride = nv_stride(e, object, k);
    if (!nvptx_address_is_one(stride))
      term = LLVMBuildNSWMul(e->b, term, resized(e, stride, type), NV_NAME);
    sum = sum ? LLVMBuildNSWAdd(e->b, sum, term, NV_NAME) : term;
  }
  return sum;
}

static uint32_t element_bytes(const IrObject *object) {
  return object->kind == OBJECT_MBARRIER ? 8 : object->element_bytes;
}

LLVMValueRef nv_instance_base(NvEmit *e, const IrObject *object) {
  LLVMValueRef base = nv_object_base(e, object);
  if (object->space != SPACE_SHARED)
    return base;
  const CodeShared *place = &e->plan->shared[object->id];
  if (place->n_instances <= 1)
    return base;
  LLVMValueRef by =
      LLVMBuildNSWMul(e->b, nv_group_instance(e, object->group),
                      nv_i32(e, (int64_t)place->size_bytes), NV_NAME);
  return LLVMBuildInBoundsGEP2(e->b, e->i8, base, &by, 1, NV_NAME);
}

// See Note [Swizzled places].
static LLVMValueRef nvptx_address_swizzled(NvEmit *e, const IrObject *object,
                                           const IrNode *node, uint32_t first,
                                           LLVMValueRef base) {
  NvSwizzle swizzle = nv_swizzle_of(e, object);
  return nv_swizzled(e, &swizzle, base, nv_swizzle_row(e, object, node, first),
                     nv_swizzle_column(e, object, node, first));
}

LLVMValueRef nv_panel_at(NvEmit *e, const IrObject *object, const IrNode *node,
                         uint32_t first) {
  NvSwizzle swizzle = nv_swizzle_of(e, object);
  LLVMValueRef by =
      nv_swizzle_panel(e, &swizzle, nv_swizzle_row(e, object, node, first),
                       nv_swizzle_column(e, object, node, first));
  LLVMValueRef base = nv_instance_base(e, object);
  return LLVMBuildInBoundsGEP2(e->b, e->i8, base, &by, 1, NV_NAME);
}

static LLVMValueRef nvptx_address_element_at(NvEmit *e, const IrObject *object,
                                             const IrNode *node, uint32_t first,
                                             uint32_t n) {
  LLVMValueRef base = nv_instance_base(e, object);
  if (ir_swizzle_bytes(object) && n == object->rank)
    return nvptx_address_swizzled(e, object, node, first, base);
  LLVMValueRef number = nvptx_address_element_number(e, object, node, first, n);
  if (number == NULL)
    return base;
  LLVMTypeRef type = LLVMArrayType2(e->i8, element_bytes(object));
  return LLVMBuildInBoundsGEP2(e->b, type, base, &number, 1, NV_NAME);
}

LLVMValueRef nv_element(NvEmit *e, const IrObject *object, const IrNode *node,
                        uint32_t first, unsigned *space) {
  LLVMValueRef at =
      nvptx_address_element_at(e, object, node, first, object->rank);
  *space = LLVMGetPointerAddressSpace(LLVMTypeOf(at));
  return at;
}

// Kernel pointers are to global memory. Others stay generic: what looks like
// shared memory may lie in another block of the cluster.
static LLVMValueRef unknown_object(NvEmit *e, const IrNode *pointer) {
  LLVMValueRef v = nv_value(e, pointer, 0);
  if (pointer->type.space != SPACE_GLOBAL)
    return v;
  return LLVMBuildAddrSpaceCast(e->b, v, e->ptr[NV_SPACE_GLOBAL], NV_NAME);
}

LLVMValueRef nv_address(NvEmit *e, const IrNode *node, unsigned *space) {
  const IrAccess *access = &node->u.access;
  CodeOperands operand = code_operands(node);
  LLVMValueRef at =
      operand.pointer >= 0
          ? unknown_object(e, node->args[operand.pointer])
          : nvptx_address_element_at(e, access->object, node,
                                     (uint32_t)operand.index, access->n_index);
  if (operand.offset >= 0) {
    LLVMValueRef by = nv_arg(e, node, (uint32_t)operand.offset);
    at = LLVMBuildInBoundsGEP2(e->b, e->i8, at, &by, 1, NV_NAME);
  }
  *space = LLVMGetPointerAddressSpace(LLVMTypeOf(at));
  return nv_byte_offset(e, at, access->offset_bytes);
}

static LLVMValueRef nvptx_address_both(NvEmit *e, LLVMValueRef a,
                                       LLVMValueRef b) {
  return a ? LLVMBuildAnd(e->b, a, b, NV_NAME) : b;
}

LLVMValueRef nv_access_guard(NvEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  CodeOperands operand = code_operands(node);
  LLVMValueRef guard =
      operand.guard >= 0 ? nv_arg(e, node, (uint32_t)operand.guard) : NULL;
  if (access->bounds == BOUNDS_NONE)
    return guard;
  for (uint32_t k = 0; k < access->n_index; k++) {
    LLVMValueRef index = nv_arg(e, node, (uint32_t)operand.index + k);
    LLVMValueRef extent = nv_extent(e, access->object, k);
    if (access->object->facts & FACT_SMALL && LLVMTypeOf(index) == e->i32)
      extent = resized(e, extent, e->i32);
    else
      index = resized(e, index, e->i64);
    guard = nvptx_address_both(
        e, guard, LLVMBuildICmp(e->b, LLVMIntULT, index, extent, NV_NAME));
  }
  return guard;
}
