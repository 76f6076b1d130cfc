// SPDX-License-Identifier: Apache-2.0
// What --sanitize adds: the runtime is told of every access and barrier before
// it happens. Which array an address is in, and what came before, is the
// runtime's to know; llvm_cpu_bounds.c compares indices with their extents.
#include "codegen/cpu/llvm_cpu.h"

#include "base/bits.h"
#include <stddef.h>

// ----------------------------------------------------------------- calls

LLVMValueRef cpu_ask_runtime(CpuEmit *e, LLVMTypeRef result,
                             size_t offset_bytes, LLVMTypeRef *types,
                             LLVMValueRef *args, uint32_t n) {
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMValueRef service =
      cpu_service(e, (uint32_t)(offset_bytes / sizeof(void *)));
  return LLVMBuildCall2(e->b, type, service, args, n, CPU_NAME);
}

void cpu_tell_runtime(CpuEmit *e, size_t offset_bytes, LLVMTypeRef *types,
                      LLVMValueRef *args, uint32_t n) {
  cpu_ask_runtime(e, e->none, offset_bytes, types, args, n);
}

CpuTold cpu_told_lanes(CpuEmit *e, LLVMValueRef mask) {
  LLVMValueRef rank = LLVMBuildTrunc(e->b, e->warp_rank, e->i32, CPU_NAME);
  CpuTold lanes;
  lanes.warp = LLVMBuildLShr(e->b, rank, cpu_i32(e, 5), CPU_NAME);
  lanes.bits = cpu_mask_bits(e, mask ? mask : cpu_mask(e));
  if (e->lanes == 1) {
    LLVMValueRef lane = LLVMBuildAnd(e->b, rank, cpu_i32(e, 31), CPU_NAME);
    lanes.bits = LLVMBuildShl(e->b, lanes.bits, lane, CPU_NAME);
  }
  return lanes;
}

// The value in all lanes, also where code is made for one.
static LLVMValueRef cpu_check_all_lanes(CpuEmit *e, LLVMValueRef v,
                                        LLVMTypeRef scalar) {
  if (e->lanes != 1)
    return v;
  LLVMTypeRef type = LLVMVectorType(scalar, CPU_WARP);
  LLVMValueRef one = LLVMBuildInsertElement(e->b, LLVMGetPoison(type), v,
                                            cpu_i32(e, 0), CPU_NAME);
  LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(e->i32, CPU_WARP));
  return LLVMBuildShuffleVector(e->b, one, LLVMGetPoison(type), zeros,
                                CPU_NAME);
}

LLVMValueRef cpu_spilled_lanes(CpuEmit *e, LLVMValueRef v, LLVMTypeRef scalar) {
  LLVMValueRef slot = cpu_alloca(e, LLVMVectorType(scalar, CPU_WARP));
  LLVMBuildStore(e->b, cpu_check_all_lanes(e, v, scalar), slot);
  return slot;
}

// -------------------------------------------------------------- accesses

static LLVMValueRef address_number(CpuEmit *e, LLVMValueRef pointer) {
  return LLVMBuildPtrToInt(e->b, pointer, e->i64, CPU_NAME);
}

// A thread's own variables, by name or through a pointer, are nobody else's.
static bool is_own_memory(const IrNode *node) {
  const IrObject *object = node->u.access.object;
  if (object)
    return object->space == SPACE_LOCAL;
  return node->args[0]->type.space == SPACE_LOCAL;
}

static bool may_be_own_memory(const IrNode *node) {
  return !node->u.access.object && node->args[0]->type.space == SPACE_GENERIC;
}

bool cpu_told_rows(CpuEmit *e, const CpuAddress *at, CpuRows *rows) {
  CpuShape shape = cpu_rows(at);
  if (e->lanes != CPU_WARP || at->pointers)
    return false;
  *rows = (CpuRows){at->lane_bytes, cpu_i64(e, shape.outer), CPU_WARP_LOG2};
  if (at->shape.kind == CPU_VARYING && rows->step)
    return true;
  rows->step = cpu_i64(e, shape.step);
  rows->period_log2 = shape.period_log2;
  if (at->row_bytes)
    rows->row_bytes = at->row_bytes;
  else if (shape.kind != CPU_AFFINE)
    return false;
  return shape.flip == 0 && shape.period_log2 >= 2;
}

static LLVMValueRef tell_lanes(CpuEmit *e, const CpuAddress *at,
                               LLVMTypeRef *types, LLVMValueRef *args) {
  LLVMValueRef pointers = cpu_address_pointers(e, at, 0);
  LLVMTypeRef numbers = cpu_vector_of(e, e->i64);
  types[4] = e->ptr;
  args[4] = cpu_spilled_lanes(
      e, LLVMBuildPtrToInt(e->b, pointers, numbers, CPU_NAME), e->i64);
  return cpu_ask_runtime(e, e->i32, offsetof(HdCpuServices, check_lanes), types,
                         args, 5);
}

// Parts of one size, one behind the other; 0: the element isn't made so.
static uint32_t part_bytes(const CpuEmit *e, IrType type, uint32_t n) {
  uint32_t offset, size = 0;
  for (uint32_t k = 0; k < n; k++) {
    IrType leaf = code_leaf_type(e->module, type, k, &offset);
    uint32_t bytes = ir_type_size(e->module, leaf);
    if (leaf.kind == IR_TYPE_PTR || (k > 0 && bytes != size) ||
        offset != k * bytes)
      return 0;
    size = bytes;
  }
  return size;
}

// What a plain store stores, so that equal values can be told.
static void tell_stored(CpuEmit *e, const IrNode *node, LLVMValueRef bits) {
  IrType type = node->u.access.type;
  uint32_t n = code_leaf_count(e->module, type), size = part_bytes(e, type, n);
  if (node->op != IR_STORE || node->u.access.order != ORDER_PLAIN || n > 4 ||
      size == 0)
    return;
  const IrNode *value = node->args[code_operands(node).value];
  LLVMBasicBlockRef compares = cpu_new_block(e, "compares");
  LLVMBasicBlockRef stores = cpu_new_block(e, "stores");
  LLVMValueRef does =
      cpu_launch_number(e, offsetof(HdCpuLaunch, compares_stores));
  does = LLVMBuildICmp(e->hoist, LLVMIntNE, does, cpu_i32(e, 0), CPU_NAME);
  LLVMBuildCondBr(e->b, does, compares, stores);
  cpu_begin_block(e, compares);
  uint64_t all = (uint64_t)CPU_WARP * size * n;
  LLVMValueRef values = cpu_alloca(e, LLVMArrayType2(e->i8, all));
  LLVMSetAlignment(values, 8);
  for (uint32_t k = 0; k < n; k++) {
    CpuLeaf leaf = cpu_leaf(e, value, k);
    LLVMValueRef v = cpu_to_memory(e, leaf.type, cpu_as_vector(e, leaf));
    LLVMValueRef row = cpu_check_all_lanes(e, v, cpu_memory_type(e, leaf.type));
    LLVMSetAlignment(
        LLVMBuildStore(
            e->b, row,
            cpu_byte_offset(e, values, (int64_t)k * CPU_WARP * size)),
        8);
  }
  LLVMTypeRef types[4] = {e->ptr, e->i32, e->ptr, e->i32};
  LLVMValueRef args[4] = {e->block, bits, values, cpu_i32(e, size)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_stored), types, args, 4);
  LLVMBuildBr(e->b, stores);
  cpu_begin_block(e, stores);
}

// Returns the bits of the lanes that are outside.
static LLVMValueRef call_access(CpuEmit *e, const IrNode *node,
                                const CpuAddress *at, LLVMValueRef mask) {
  CpuTold lanes = cpu_told_lanes(e, mask);
  tell_stored(e, node, lanes.bits);
  LLVMTypeRef types[8] = {e->ptr, e->i32, e->i32, e->i32,
                          e->i64, e->i64, e->i64, e->i32};
  LLVMValueRef args[8] = {e->block, cpu_site(e, node), lanes.warp, lanes.bits};
  CpuRows rows;
  size_t service = offsetof(HdCpuServices, check_same);
  uint32_t n_args = 5;
  if (at->shape.kind == CPU_UNIFORM) {
    args[4] = address_number(e, at->base);
  } else if (cpu_told_rows(e, at, &rows)) {
    bool is_one = rows.period_log2 == CPU_WARP_LOG2;
    args[4] = address_number(e, at->base);
    args[5] = rows.step;
    args[6] = rows.row_bytes;
    args[7] = cpu_i32(e, rows.period_log2);
    service = is_one ? offsetof(HdCpuServices, check_row)
                     : offsetof(HdCpuServices, check_rows);
    n_args = is_one ? 6 : 8;
  } else {
    return tell_lanes(e, at, types, args);
  }
  return cpu_ask_runtime(e, e->i32, service, types, args, n_args);
}

// A load of an element whose indices have been tested, from an array that the
// kernel doesn't write to: HdCpuLaunch.quiet knows whether it has to be told.
static bool may_be_quiet(CpuEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  if (node->op != IR_LOAD || access->order != ORDER_PLAIN || !object ||
      object->is_plain_pointer || object->space == SPACE_SHARED ||
      access->n_index != object->rank || access->has_offset ||
      ir_type_size(e->module, access->type) > object->element_bytes ||
      cpu_clause_loops(e, node) != 0)
    return false;
  uint32_t align = (uint32_t)bits_lowest(object->element_bytes);
  return access->align_bytes <= align && cpu_array_row(e, object) >= 0 &&
         cpu_is_never_written(e, object);
}

static LLVMValueRef cpu_check_is_told(CpuEmit *e, const IrNode *node) {
  size_t row = (size_t)cpu_array_row(e, node->u.access.object);
  LLVMValueRef quiet =
      cpu_launch_word(e, offsetof(HdCpuLaunch, quiet), row * sizeof(uint64_t));
  return LLVMBuildICmp(e->hoist, LLVMIntEQ, quiet, cpu_i64(e, 0), CPU_NAME);
}

enum { MOST_PREFETCHED = 8 }; // bytes of a lane

// A row without gaps: of the next warps.
static void prefetch_row(CpuEmit *e, const CpuAddress *at) {
  CpuShape shape = cpu_rows(at);
  if (e->lanes == CPU_WARP && !at->pointers && shape.kind == CPU_AFFINE &&
      shape.flip == 0 && shape.period_log2 == CPU_WARP_LOG2 && shape.step > 0 &&
      shape.step <= MOST_PREFETCHED)
    cpu_prefetch_ahead(e, at->base, CPU_WARP * (uint32_t)shape.step);
}

// The same, where a launch may be quiet about it.
static LLVMValueRef call_if_told(CpuEmit *e, const IrNode *node,
                                 const CpuAddress *at, LLVMValueRef mask) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef tells = cpu_new_block(e, "tells");
  LLVMBasicBlockRef told = cpu_new_block(e, "told");
  LLVMBuildCondBr(e->b, cpu_check_is_told(e, node), tells, told);
  cpu_begin_block(e, tells);
  LLVMValueRef bits[2] = {cpu_i32(e, 0), call_access(e, node, at, mask)};
  LLVMBasicBlockRef blocks[2] = {before, LLVMGetInsertBlock(e->b)};
  LLVMBuildBr(e->b, told);
  cpu_begin_block(e, told);
  LLVMValueRef phi = LLVMBuildPhi(e->b, e->i32, CPU_NAME);
  LLVMAddIncoming(phi, bits, blocks, 2);
  prefetch_row(e, at);
  return phi;
}

// The loop around may have told the reads of all its turns.
static bool may_be_told(const CpuEmit *e, const IrNode *node) {
  return e->told_turns && node->op == IR_LOAD && node->u.access.object &&
         node->u.access.object->space == SPACE_SHARED;
}

typedef struct {
  LLVMValueRef outside; // lanes by their indices, NULL: none
  LLVMValueRef bits;    // i32: lanes of the others, by the runtime
} Outside;

static Outside test_access(CpuEmit *e, const IrNode *node, const CpuAddress *at,
                           LLVMValueRef mask) {
  LLVMValueRef outside = cpu_check_indices(e, node, mask);
  mask = cpu_mask_without(e, mask, outside);
  if (may_be_own_memory(node))
    mask = cpu_mask_without(
        e, mask,
        cpu_lanes_at_own(e, cpu_address_pointers(e, at, 0),
                         ir_type_size(e->module, node->u.access.type)));
  LLVMValueRef bits = may_be_quiet(e, node) ? call_if_told(e, node, at, mask)
                                            : call_access(e, node, at, mask);
  return (Outside){outside, bits};
}

// The same, unless the loop has told it.
static Outside test_unless_told(CpuEmit *e, const IrNode *node,
                                const CpuAddress *at, LLVMValueRef mask) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef tells = cpu_new_block(e, "tells");
  LLVMBasicBlockRef told = cpu_new_block(e, "told");
  LLVMBuildCondBr(e->b, e->told_turns, told, tells);
  cpu_begin_block(e, tells);
  Outside of = test_access(e, node, at, mask);
  LLVMBasicBlockRef blocks[2] = {before, LLVMGetInsertBlock(e->b)};
  LLVMBuildBr(e->b, told);
  cpu_begin_block(e, told);
  LLVMValueRef bits[2] = {cpu_i32(e, 0), of.bits};
  of.bits = LLVMBuildPhi(e->b, e->i32, CPU_NAME);
  LLVMAddIncoming(of.bits, bits, blocks, 2);
  if (of.outside) {
    LLVMValueRef lanes[2] = {LLVMConstNull(LLVMTypeOf(of.outside)), of.outside};
    of.outside = LLVMBuildPhi(e->b, LLVMTypeOf(of.outside), CPU_NAME);
    LLVMAddIncoming(of.outside, lanes, blocks, 2);
  }
  return of;
}

// Lanes of `outside` (NULL: none) and of the runtime's bits don't access.
static void cpu_check_set_inside(CpuEmit *e, LLVMValueRef outside,
                                 LLVMValueRef bits, bool is_uniform) {
  LLVMValueRef none =
      LLVMBuildICmp(e->b, LLVMIntEQ, bits, cpu_i32(e, 0), CPU_NAME);
  e->is_inside_uniform = is_uniform;
  if (is_uniform)
    e->inside =
        outside
            ? LLVMBuildAnd(e->b, none,
                           LLVMBuildNot(e->b, cpu_any(e, outside), CPU_NAME),
                           CPU_NAME)
            : none;
  else
    e->inside = cpu_mask_without(
        e,
        LLVMBuildBitCast(e->b, LLVMBuildNot(e->b, bits, CPU_NAME), e->mask_type,
                         CPU_NAME),
        outside);
}

void cpu_tell_access(CpuEmit *e, const IrNode *node) {
  cpu_access_end(e);
  if (node->flags & NODE_OWN)
    return;
  if (is_own_memory(node)) {
    LLVMValueRef bad = cpu_check_indices(e, node, e->mask);
    LLVMValueRef rest = cpu_mask_without(e, e->mask, bad);
    bad = cpu_mask_or_none(e, bad, cpu_check_own_bytes(e, node, rest));
    e->inside = cpu_mask_without(e, NULL, bad);
    return;
  }
  CpuAddress at = cpu_address(e, node);
  LLVMValueRef mask = e->mask;
  if (at.guard)
    mask = cpu_mask_and(
        e, mask, at.is_guard_uniform ? cpu_splat(e, at.guard) : at.guard);
  Outside of = may_be_told(e, node) ? test_unless_told(e, node, &at, mask)
                                    : test_access(e, node, &at, mask);
  cpu_check_set_inside(e, of.outside, of.bits, at.shape.kind == CPU_UNIFORM);
}

void cpu_access_end(CpuEmit *e) {
  e->inside = NULL;
  e->is_inside_uniform = false;
}
