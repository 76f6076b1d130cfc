// SPDX-License-Identifier: Apache-2.0
// A thread's own arrays: see Note [Private arrays] in cpu_layout.c.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

// Arrays larger than this don't go on the stack.
#define CPU_STACK_BYTES (64 * 1024)

static LLVMValueRef private_memory(CpuEmit *e, const IrObject *object) {
  return e->privates[object->id];
}

// Byte offset within one thread's array, as a leaf: i64 if uniform, else a
// vector of i32.
typedef struct {
  bool is_uniform;
  LLVMValueRef v;
} Offset;

static Offset offset_of(CpuEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  CodeOperands operand = code_operands(node);
  Offset sum = {true, cpu_i64(e, access->offset_bytes)};
  for (uint32_t k = 0; k < access->n_index + (operand.offset >= 0 ? 1u : 0u);
       k++) {
    bool is_index = k < access->n_index;
    int at = is_index ? operand.index + (int)k : operand.offset;
    CpuLeaf index = cpu_leaf(e, node->args[at], 0);
    int64_t stride = 1;
    if (is_index) {
      bool is_const = code_stride_const(object, k, &stride);
      HD_ASSERT(is_const);
      stride *= object->element_bytes;
    }
    bool is_uniform = index.shape.kind == CPU_UNIFORM;
    if (sum.is_uniform && !is_uniform) {
      sum.v = cpu_splat(e, LLVMBuildTrunc(e->b, sum.v, e->i32, CPU_NAME));
      sum.is_uniform = false;
    }
    LLVMValueRef term = NULL;
    if (sum.is_uniform) {
      term =
          LLVMBuildMul(e->b, cpu_base(e, index), cpu_i64(e, stride), CPU_NAME);
    } else {
      LLVMTypeRef type = cpu_vector_of(e, e->i32);
      term =
          LLVMBuildIntCast2(e->b, cpu_as_vector(e, index), type, 1, CPU_NAME);
      term = LLVMBuildMul(e->b, term, cpu_const_splat(e, cpu_i32(e, stride)),
                          CPU_NAME);
    }
    sum.v = LLVMBuildAdd(e->b, sum.v, term, CPU_NAME);
  }
  return sum;
}

// Address of the vector that holds all lanes' unit at a uniform offset.
static LLVMValueRef row_address(CpuEmit *e, const IrObject *object,
                                LLVMValueRef offset, uint32_t leaf_offset) {
  LLVMValueRef bytes =
      LLVMBuildAdd(e->b, offset, cpu_i64(e, leaf_offset), CPU_NAME);
  bytes = LLVMBuildMul(e->b, bytes, cpu_i64(e, e->lanes), CPU_NAME);
  LLVMValueRef memory = private_memory(e, object);
  return LLVMBuildGEP2(e->b, e->i8, memory, &bytes, 1, CPU_NAME);
}

// Addresses of each lane's own element.
static LLVMValueRef lane_addresses(CpuEmit *e, const IrObject *object,
                                   Offset offset, uint32_t leaf_offset) {
  const CpuPrivate *own = &e->plan->privates[object->id];
  LLVMValueRef v = offset.v;
  if (offset.is_uniform)
    v = cpu_splat(e, LLVMBuildTrunc(e->b, v, e->i32, CPU_NAME));
  LLVMValueRef leaf = cpu_const_splat(e, cpu_i32(e, leaf_offset));
  v = LLVMBuildAdd(e->b, v, leaf, CPU_NAME);
  LLVMValueRef lane_step =
      cpu_i32(e, own->unit_bytes ? own->unit_bytes : (int64_t)own->size_bytes);
  LLVMValueRef lanes =
      LLVMBuildMul(e->b, e->lane_ids, cpu_const_splat(e, lane_step), CPU_NAME);
  if (own->unit_bytes)
    v = LLVMBuildMul(e->b, v, cpu_const_splat(e, cpu_i32(e, e->lanes)),
                     CPU_NAME);
  v = LLVMBuildAdd(e->b, v, lanes, CPU_NAME);
  return LLVMBuildGEP2(e->b, e->i8, private_memory(e, object), &v, 1, CPU_NAME);
}

LLVMValueRef cpu_lanes_at_own(CpuEmit *e, LLVMValueRef pointers,
                              int64_t bytes) {
  LLVMValueRef own = NULL;
  LLVMTypeRef numbers = cpu_vector_of(e, e->i64);
  LLVMValueRef at = LLVMBuildPtrToInt(e->b, pointers, numbers, CPU_NAME);
  for (uint32_t i = 0; i < e->kernel->objects.count; i++) {
    const IrObject *object = e->kernel->objects.data[i];
    if (object->space != SPACE_LOCAL || !object->address_taken)
      continue;
    int64_t room = (int64_t)e->plan->privates[i].exact_bytes - bytes;
    LLVMValueRef first = LLVMBuildPtrToInt(
        e->b, lane_addresses(e, object, (Offset){true, cpu_i64(e, 0)}, 0),
        numbers, CPU_NAME);
    LLVMValueRef lies =
        LLVMBuildICmp(e->b, LLVMIntULE, LLVMBuildSub(e->b, at, first, CPU_NAME),
                      cpu_splat(e, cpu_i64(e, room)), CPU_NAME);
    if (room >= 0)
      own = own ? LLVMBuildOr(e->b, own, lies, CPU_NAME) : lies;
  }
  return own;
}

static LLVMValueRef lane_load(CpuEmit *e, LLVMTypeRef memory,
                              LLVMValueRef pointers, unsigned align) {
  if (e->lanes == 1)
    return LLVMBuildLoad2(e->b, memory, pointers, CPU_NAME);
  LLVMTypeRef type = cpu_vector_of(e, memory);
  LLVMTypeRef types[2] = {type, LLVMTypeOf(pointers)};
  LLVMValueRef args[3] = {pointers, cpu_mask(e), LLVMGetPoison(type)};
  LLVMValueRef load = cpu_intrinsic(e, "llvm.masked.gather", types, 2, args, 3);
  LLVMSetInstrParamAlignment(load, 1, align);
  return load;
}

static void lane_store(CpuEmit *e, LLVMValueRef v, LLVMValueRef pointers,
                       unsigned align) {
  if (e->lanes == 1) {
    if (e->mask)
      v = cpu_select(e, e->mask, v,
                     LLVMBuildLoad2(e->b, LLVMTypeOf(v), pointers, CPU_NAME));
    LLVMBuildStore(e->b, v, pointers);
    return;
  }
  LLVMTypeRef types[2] = {LLVMTypeOf(v), LLVMTypeOf(pointers)};
  LLVMValueRef args[3] = {v, pointers, cpu_mask(e)};
  LLVMValueRef store =
      cpu_intrinsic(e, "llvm.masked.scatter", types, 2, args, 3);
  LLVMSetInstrParamAlignment(store, 2, align);
}

// A guard or a bounds check of a thread's own array is a plain condition.
static LLVMValueRef guard_of(CpuEmit *e, const IrNode *node) {
  CodeOperands operand = code_operands(node);
  if (operand.guard < 0)
    return NULL;
  return cpu_vector_arg(e, node, (uint32_t)operand.guard);
}

// What --sanitize leaves of the access: the others go to the first byte, and
// are masked.
static Offset inside_of(CpuEmit *e, Offset offset) {
  if (e->inside == NULL)
    return offset;
  LLVMValueRef inside = e->inside;
  if (offset.is_uniform)
    inside = LLVMBuildNot(
        e->b, cpu_any(e, LLVMBuildNot(e->b, inside, CPU_NAME)), CPU_NAME);
  LLVMValueRef first = LLVMConstNull(LLVMTypeOf(offset.v));
  offset.v = LLVMBuildSelect(e->b, inside, offset.v, first, CPU_NAME);
  return offset;
}

static void emit_leaf(CpuEmit *e, const IrNode *node, uint32_t k,
                      Offset offset) {
  const IrObject *object = node->u.access.object;
  uint32_t leaf_offset;
  IrType type = code_leaf_type(e->module, node->u.access.type, k, &leaf_offset);
  LLVMTypeRef memory = cpu_memory_type(e, type);
  unsigned size = ir_type_size(e->module, type);
  unsigned align =
      node->u.access.align_bytes && node->u.access.align_bytes < size
          ? node->u.access.align_bytes
          : size;
  bool is_row =
      offset.is_uniform && e->plan->privates[object->id].unit_bytes == size;
  LLVMValueRef at = is_row ? row_address(e, object, offset.v, leaf_offset)
                           : lane_addresses(e, object, offset, leaf_offset);
  bool is_store = node->op == IR_STORE;
  if (!is_store) {
    LLVMValueRef v;
    if (is_row) {
      v = LLVMBuildLoad2(e->b, cpu_vector_of(e, memory), at, CPU_NAME);
      LLVMSetAlignment(v, size);
    } else {
      v = lane_load(e, memory, at, align);
    }
    cpu_set_value(e, node, k, cpu_from_memory(e, type, v));
    return;
  }
  CpuLeaf value = cpu_leaf(e, node->args[code_operands(node).value], k);
  LLVMValueRef v = cpu_to_memory(e, type, cpu_as_vector(e, value));
  if (!is_row) {
    lane_store(e, v, at, align);
    return;
  }
  if (e->mask) {
    // The row is the lanes' own: those that aren't active keep theirs.
    LLVMValueRef old = LLVMBuildLoad2(e->b, LLVMTypeOf(v), at, CPU_NAME);
    LLVMSetAlignment(old, size);
    v = cpu_select(e, e->mask, v, old);
  }
  LLVMSetAlignment(LLVMBuildStore(e->b, v, at), size);
}

void cpu_emit_private(CpuEmit *e, const IrNode *node) {
  Offset offset = offset_of(e, node);
  if (node->op == IR_ADDRESS) {
    LLVMValueRef at = lane_addresses(e, node->u.access.object, offset, 0);
    if (e->lanes == 1 && LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVectorTypeKind)
      HD_PANIC("an address of one lane is a vector");
    cpu_set_value(e, node, 0, at);
    return;
  }
  LLVMValueRef outer = e->mask;
  LLVMValueRef guard = cpu_mask_and(e, guard_of(e, node), e->inside);
  offset = inside_of(e, offset);
  uint32_t n = code_leaf_count(e->module, node->u.access.type);
  e->mask = cpu_mask_and(e, e->mask, guard);
  for (uint32_t k = 0; k < n; k++)
    emit_leaf(e, node, k, offset);
  e->mask = outer;
  if (guard == NULL || node->op != IR_LOAD)
    return;
  for (uint32_t k = 0; k < n; k++) {
    LLVMValueRef v = cpu_leaf(e, node, k).v;
    v = LLVMBuildSelect(e->b, guard, v, LLVMConstNull(LLVMTypeOf(v)), CPU_NAME);
    cpu_set_value(e, node, k, v);
  }
}
