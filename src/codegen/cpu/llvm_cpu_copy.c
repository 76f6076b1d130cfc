// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies: a record of what is to be copied, made for each part of
// the group (HdCpuCopy), goes to the runtime.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

// One side of a copy while it is described for a lane.
typedef struct {
  const IrSection *section;
  const CpuSpill *indices;
  bool is_global;
} Side;

static void cpu_copy_set(CpuEmit *e, LLVMValueRef record, size_t offset,
                         LLVMValueRef v) {
  cpu_set_field(e, v, record, offset);
}

static void set_row(CpuEmit *e, LLVMValueRef record, size_t offset, uint32_t k,
                    LLVMValueRef v) {
  cpu_copy_set(e, record, offset + k * sizeof(int64_t), v);
}

static LLVMValueRef index_at(CpuEmit *e, const Side *side, uint32_t k,
                             LLVMValueRef lane) {
  LLVMValueRef v = cpu_spilled_at(e, &side->indices[k], lane);
  return LLVMBuildIntCast2(e->b, v, e->i64, 1, CPU_NAME);
}

static LLVMValueRef cpu_copy_stride_bytes(CpuEmit *e, const IrObject *object,
                                          uint32_t k) {
  return LLVMBuildMul(e->b, cpu_stride(e, object, k),
                      cpu_i64(e, object->element_bytes), CPU_NAME);
}

static LLVMValueRef first_element(CpuEmit *e, const Side *side,
                                  LLVMValueRef lane) {
  const IrObject *object = side->section->object;
  LLVMValueRef offset = cpu_instance_offset(e, object, lane);
  for (uint32_t k = 0; k < object->rank; k++)
    offset = LLVMBuildAdd(e->b, offset,
                          LLVMBuildMul(e->b, index_at(e, side, k, lane),
                                       cpu_copy_stride_bytes(e, object, k),
                                       CPU_NAME),
                          CPU_NAME);
  LLVMValueRef base = cpu_object_base(e, object);
  return LLVMBuildGEP2(e->b, e->i8, base, &offset, 1, CPU_NAME);
}

static LLVMValueRef cpu_copy_limit(CpuEmit *e, LLVMValueRef v, int64_t most) {
  LLVMValueRef low[2] = {v, cpu_i64(e, 0)};
  v = cpu_intrinsic(e, "llvm.smax", &e->i64, 1, low, 2);
  LLVMValueRef high[2] = {v, cpu_i64(e, most)};
  return cpu_intrinsic(e, "llvm.smin", &e->i64, 1, high, 2);
}

// Which of the section's elements along dimension k lie inside the array.
static void cpu_copy_inside(CpuEmit *e, const Side *side, uint32_t k,
                            LLVMValueRef lane, LLVMValueRef *low,
                            LLVMValueRef *high) {
  const IrObject *object = side->section->object;
  int64_t length = side->section->length[k];
  *low = cpu_i64(e, 0);
  *high = cpu_i64(e, length);
  if (object->is_plain_pointer || object->extents[k] == NULL)
    return;
  LLVMValueRef start = index_at(e, side, k, lane);
  LLVMValueRef extent = cpu_extent(e, object, k);
  *low = cpu_copy_limit(e, LLVMBuildNeg(e->b, start, CPU_NAME), length);
  *high =
      cpu_copy_limit(e, LLVMBuildSub(e->b, extent, start, CPU_NAME), length);
}

// Dimensions of one element are left out.
static void set_strides(CpuEmit *e, const Side *side, LLVMValueRef record,
                        size_t field) {
  const IrSection *section = side->section;
  uint32_t n = 0;
  for (uint32_t k = 0; k < section->object->rank; k++)
    if (section->length[k] > 1)
      set_row(e, record, field, n++,
              cpu_copy_stride_bytes(e, section->object, k));
  if (n == 0) // a single element
    set_row(e, record, field, 0, cpu_i64(e, section->object->element_bytes));
}

// Lengths, and what lies inside the extents of the global side.
static void cpu_copy_set_shape(CpuEmit *e, const Side *global,
                               LLVMValueRef record, LLVMValueRef lane) {
  const IrSection *section = global->section;
  LLVMValueRef is_there = LLVMConstInt(e->i1, 1, 0), low, high;
  LLVMValueRef first_high = cpu_i64(e, 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < section->object->rank; k++) {
    cpu_copy_inside(e, global, k, lane, &low, &high);
    if (section->length[k] == 1) {
      LLVMValueRef is_inside =
          LLVMBuildICmp(e->b, LLVMIntSLT, low, high, CPU_NAME);
      is_there = LLVMBuildAnd(e->b, is_there, is_inside, CPU_NAME);
      continue;
    }
    set_row(e, record, offsetof(HdCpuCopy, length), n,
            cpu_i64(e, section->length[k]));
    set_row(e, record, offsetof(HdCpuCopy, low), n, low);
    set_row(e, record, offsetof(HdCpuCopy, high), n, high);
    if (n++ == 0)
      first_high = high;
  }
  if (n == 0) {
    set_row(e, record, offsetof(HdCpuCopy, length), 0, cpu_i64(e, 1));
    set_row(e, record, offsetof(HdCpuCopy, low), 0, cpu_i64(e, 0));
    n = 1;
  }
  // An index outside leaves nothing inside.
  first_high =
      LLVMBuildSelect(e->b, is_there, first_high, cpu_i64(e, 0), CPU_NAME);
  set_row(e, record, offsetof(HdCpuCopy, high), 0, first_high);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, rank), cpu_i32(e, n));
}

// ------------------------------------------------------------ who copies

static LLVMValueRef record_new(CpuEmit *e) {
  LLVMValueRef record = cpu_alloca(e, LLVMArrayType2(e->i8, sizeof(HdCpuCopy)));
  LLVMSetAlignment(record, 64);
  return record;
}

// Ranks by lane of the warp.
static void set_ranks(CpuEmit *e, const IrGroup *group, LLVMValueRef record) {
  LLVMValueRef ranks = cpu_as_vector(e, cpu_group_rank(e, group));
  ranks = LLVMBuildTrunc(e->b, ranks, cpu_vector_of(e, e->i16), CPU_NAME);
  LLVMValueRef lane = cpu_lane_number(e, cpu_i32(e, 0));
  LLVMValueRef at =
      cpu_byte_offset(e, record, (int64_t)offsetof(HdCpuCopy, ranks));
  at = LLVMBuildGEP2(e->b, e->i16, at, &lane, 1, CPU_NAME);
  LLVMValueRef store = LLVMBuildStore(e->b, ranks, at);
  LLVMSetAlignment(store, sizeof(int16_t));
}

// A loop over parts of the group, one lane for each; `is_shared_out`: every
// lane has a share.
typedef struct {
  CpuLaneLoop lanes;
  LLVMBasicBlockRef end;
  bool is_together; // one record speaks for all active lanes
} PartLoop;

static PartLoop parts_begin(CpuEmit *e, const IrGroup *group,
                            bool is_shared_out) {
  PartLoop loop = {.end = NULL};
  loop.is_together = cpu_is_one_part(e->plan, group) && is_shared_out;
  LLVMValueRef mask = e->mask;
  if (loop.is_together && e->lanes > 1) {
    LLVMValueRef bit =
        LLVMBuildShl(e->b, cpu_i32(e, 1), cpu_first_active(e), CPU_NAME);
    mask = LLVMBuildBitCast(e->b, bit, e->mask_type, CPU_NAME);
  } else if (!is_shared_out) {
    mask = cpu_leading_lanes(e, group);
    LLVMBasicBlockRef some = cpu_new_block(e, "copies");
    loop.end = cpu_new_block(e, "copies_end");
    LLVMBuildCondBr(e->b, cpu_any(e, mask), some, loop.end);
    cpu_begin_block(e, some);
  }
  loop.lanes = cpu_lanes_begin(e, mask);
  return loop;
}

static void parts_end(CpuEmit *e, PartLoop *loop) {
  cpu_lanes_end(e, &loop->lanes);
  if (loop->end == NULL)
    return;
  LLVMBuildBr(e->b, loop->end);
  cpu_begin_block(e, loop->end);
}

// What all records have.
static void set_common(CpuEmit *e, const IrNode *node, LLVMValueRef record,
                       uint32_t kind, const PartLoop *loop,
                       bool is_shared_out) {
  const IrGroup *group = cpu_node_group(node);
  LLVMValueRef lane = loop->lanes.lane;
  LLVMValueRef bit =
      LLVMBuildShl(e->b, cpu_i32(e, 1), cpu_lane_number(e, lane), CPU_NAME);
  LLVMValueRef bits = loop->is_together ? cpu_lane_bits(e, e->mask) : bit;
  LLVMValueRef size = cpu_i32(e, 1);
  if (is_shared_out)
    size = cpu_at_lane(e, cpu_group_threads(e, group), lane);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, kind), cpu_i32(e, kind));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, lanes), bits);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, strand), e->strand_index);
  uint32_t number =
      node->op == IR_MEMCPY_ASYNC ? cpu_copy_group(e->plan, group) : 0;
  cpu_copy_set(e, record, offsetof(HdCpuCopy, group), cpu_i32(e, number));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, loc),
               cpu_i32(e, cpu_loc(e, node->loc)));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, n_threads),
               LLVMBuildIntCast2(e->b, size, e->i32, 1, CPU_NAME));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, site),
               e->plan->has_checks ? cpu_site(e, node) : cpu_i32(e, 0));
  if (is_shared_out)
    set_ranks(e, group, record);
}

static void send(CpuEmit *e, LLVMValueRef record) {
  LLVMValueRef args[2] = {e->block, record};
  cpu_call_service(e, offsetof(HdCpuServices, copy), e->none, args, 2);
}

static uint32_t cpu_copy_kind_of(const IrNode *node) {
  if (node->op == IR_TMA_LOAD)
    return HD_CPU_COPY_BYTES;
  if (ir_is_tma_store(node))
    return HD_CPU_COPY_BULK;
  if (node->op == IR_WGMMA_READ)
    return HD_CPU_COPY_MATRIX;
  if (node->op == IR_TENSOR_TOUCH)
    return HD_CPU_COPY_TENSOR;
  return node->u.copy.barrier ? HD_CPU_COPY_ARRIVE : HD_CPU_COPY_SET;
}

static uint32_t cpu_copy_combine_of(IrRmw rmw) {
  switch (rmw) {
  case RMW_SMIN: return HD_CPU_COMBINE_MIN;
  case RMW_SMAX: return HD_CPU_COMBINE_MAX;
  case RMW_UMIN: return HD_CPU_COMBINE_UMIN;
  case RMW_UMAX: return HD_CPU_COMBINE_UMAX;
  case RMW_AND: return HD_CPU_COMBINE_AND;
  case RMW_OR: return HD_CPU_COMBINE_OR;
  case RMW_XOR: return HD_CPU_COMBINE_XOR;
  case RMW_ADD: // of the others nobody makes copies
  case RMW_SUB:
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  return HD_CPU_COMBINE_ADD;
}

static uint32_t combined_type(IrTypeKind kind) {
  return kind == IR_TYPE_F16    ? HD_CPU_COMBINES_F16
         : kind == IR_TYPE_BF16 ? HD_CPU_COMBINES_BF16
         : kind == IR_TYPE_F32  ? HD_CPU_COMBINES_F32
         : kind == IR_TYPE_F64  ? HD_CPU_COMBINES_F64
                                : HD_CPU_COMBINES_INTS;
}

static void set_combine(CpuEmit *e, const IrNode *node, LLVMValueRef record) {
  bool combines = node->op == IR_TMA_REDUCE;
  uint32_t number = combines ? cpu_copy_combine_of(node->u.copy.rmw) : 0;
  uint32_t type =
      combined_type((IrTypeKind)node->u.copy.to.object->element.kind);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, combine), cpu_i32(e, number));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, combines), cpu_i32(e, type));
}

static void emit_section_copy(CpuEmit *e, const IrNode *node) {
  CpuSpill *operands = ARENA_ARRAY(e->arena, CpuSpill, node->n_args + 1);
  for (uint32_t i = 0; i < node->n_args; i++)
    operands[i] = cpu_spill(e, cpu_leaf(e, node->args[i], 0));
  const IrSection *to = &node->u.copy.to, *from = &node->u.copy.from;
  const IrObject *barrier = node->u.copy.barrier;
  Side sides[2] = {
      {to, operands, to->object->space == SPACE_GLOBAL},
      {from, operands + to->object->rank, from->object->space == SPACE_GLOBAL}};
  const CpuSpill *rest = sides[1].indices + from->object->rank;
  bool is_shared_out = node->op == IR_COPY_ASYNC || node->op == IR_WGMMA_READ ||
                       node->op == IR_TENSOR_TOUCH;
  LLVMValueRef record = record_new(e);
  PartLoop loop = parts_begin(e, node->u.copy.group, is_shared_out);
  LLVMValueRef lane = loop.lanes.lane, null = LLVMConstNull(e->ptr);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, to),
               first_element(e, &sides[0], lane));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, from),
               first_element(e, &sides[1], lane));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, barrier),
               barrier ? cpu_mbarrier_at(e, barrier, rest, lane) : null);
  set_strides(e, &sides[0], record, offsetof(HdCpuCopy, to_stride));
  set_strides(e, &sides[1], record, offsetof(HdCpuCopy, from_stride));
  cpu_copy_set_shape(e, sides[0].is_global ? &sides[0] : &sides[1], record,
                     lane);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, element_bytes),
               cpu_i32(e, to->object->element_bytes));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, is_store),
               cpu_i32(e, sides[0].is_global));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, blocks),
               node->u.copy.has_mask
                   ? cpu_spilled_at(e, &rest[barrier ? barrier->rank : 0], lane)
                   : cpu_i32(e, 0));
  set_combine(e, node, record);
  set_common(e, node, record, cpu_copy_kind_of(node), &loop, is_shared_out);
  send(e, record);
  parts_end(e, &loop);
}

static uint32_t row_kind(const IrNode *node) {
  if (node->op == IR_MEMCPY_ASYNC)
    return HD_CPU_COPY_GROUP;
  if (node->op == IR_COPY_BULK)
    return HD_CPU_COPY_BYTES;
  if (node->op == IR_BULK_STORE)
    return HD_CPU_COPY_BULK;
  return node->u.copy.barrier ? HD_CPU_COPY_JOIN : HD_CPU_COPY_SET;
}

static void cpu_copy_test_16(CpuEmit *e, const IrNode *node,
                             const CpuSpill *operands, LLVMValueRef lane) {
  LLVMValueRef bits = cpu_i64(e, 0);
  for (uint32_t i = 0; i < 3; i++) {
    LLVMValueRef v = cpu_spilled_at(e, &operands[i], lane);
    if (i < 2)
      v = LLVMBuildPtrToInt(e->b, v, e->i64, CPU_NAME);
    bits = LLVMBuildOr(e->b, bits, v, CPU_NAME);
  }
  bits = LLVMBuildAnd(e->b, bits, cpu_i64(e, 15), CPU_NAME);
  cpu_fault_if(
      e, node, LLVMBuildICmp(e->b, LLVMIntNE, bits, cpu_i64(e, 0), CPU_NAME),
      lane, "both addresses and the number of bytes must be multiples of 16");
}

// memcpy_async, copy_bytes, copy_bulk and back.
static void emit_row(CpuEmit *e, const IrNode *node) {
  bool is_memcpy = node->op == IR_MEMCPY_ASYNC;
  const IrObject *barrier = is_memcpy ? NULL : node->u.copy.barrier;
  CpuSpill *operands = ARENA_ARRAY(e->arena, CpuSpill, node->n_args);
  for (uint32_t i = 0; i < node->n_args; i++)
    operands[i] = cpu_spill(e, cpu_leaf(e, node->args[i], 0));
  LLVMValueRef record = record_new(e), one = cpu_i64(e, 1);
  PartLoop loop = parts_begin(e, cpu_node_group(node), true);
  LLVMValueRef lane = loop.lanes.lane;
  if (ir_is_bulk(node))
    cpu_copy_test_16(e, node, operands, lane);
  LLVMValueRef bytes = cpu_spilled_at(e, &operands[2], lane);
  LLVMValueRef positive[2] = {bytes, cpu_i64(e, 0)};
  bytes = cpu_intrinsic(e, "llvm.smax", &e->i64, 1, positive, 2);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, to),
               cpu_spilled_at(e, &operands[0], lane));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, from),
               cpu_spilled_at(e, &operands[1], lane));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, barrier),
               barrier ? cpu_mbarrier_at(e, barrier, operands + 3, lane)
                       : LLVMConstNull(e->ptr));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, length), bytes);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, to_stride), one);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, from_stride), one);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, low), cpu_i64(e, 0));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, high), bytes);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, rank), cpu_i32(e, 1));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, element_bytes), cpu_i32(e, 1));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, is_store),
               cpu_i32(e, node->op == IR_BULK_STORE));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, blocks), cpu_i32(e, 0));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, combine), cpu_i32(e, 0));
  set_common(e, node, record, row_kind(node), &loop, true);
  send(e, record);
  parts_end(e, &loop);
}

void cpu_tell_tensor(CpuEmit *e, const IrNode *node, LLVMValueRef barrier,
                     LLVMValueRef lane) {
  LLVMValueRef record = record_new(e), zero = cpu_i32(e, 0);
  LLVMValueRef bit =
      LLVMBuildShl(e->b, cpu_i32(e, 1), cpu_lane_number(e, lane), CPU_NAME);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, barrier), barrier);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, kind),
               cpu_i32(e, HD_CPU_COPY_TENSOR));
  cpu_copy_set(e, record, offsetof(HdCpuCopy, lanes), bit);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, strand), e->strand_index);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, group), zero);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, blocks), zero);
  cpu_copy_set(e, record, offsetof(HdCpuCopy, loc),
               cpu_i32(e, cpu_loc(e, node->loc)));
  send(e, record);
}

// ----------------------------------------------------------------- waits

static void emit_commit(CpuEmit *e, uint32_t kind) {
  LLVMValueRef args[4] = {e->block, cpu_i32(e, kind), e->strand_index,
                          cpu_lane_bits(e, e->mask)};
  cpu_call_service(e, offsetof(HdCpuServices, copy_commit), e->none, args, 4);
}

static void wait_copies(CpuEmit *e, const IrNode *node, uint32_t kind,
                        uint32_t group, LLVMValueRef n) {
  LLVMValueRef args[7] = {e->block,
                          cpu_i32(e, kind),
                          e->strand_index,
                          cpu_lane_bits(e, e->mask),
                          cpu_i32(e, group),
                          n,
                          cpu_i32(e, cpu_loc(e, node->loc))};
  cpu_call_service(e, offsetof(HdCpuServices, copy_wait), e->none, args, 7);
  cpu_forget_rows(e);
}

static void emit_memcpy_wait(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  int64_t n = 0;
  code_const_int(node->args[0], &n);
  wait_copies(e, node, HD_CPU_COPY_GROUP, cpu_copy_group(e->plan, group),
              cpu_i64(e, n));
  if (e->plan->has_checks)
    cpu_tell_sync(e, group);
  cpu_sync_group(e, group, node->loc, false);
}

void cpu_emit_copy(CpuEmit *e, const IrNode *node) {
  switch (ir_copy_op(node->op)) {
  case IR_COPY_COMMIT: emit_commit(e, HD_CPU_COPY_SET); break;
  case IR_TMA_COMMIT: emit_commit(e, HD_CPU_COPY_BULK); break;
  case IR_COPY_WAIT:
    wait_copies(e, node, HD_CPU_COPY_SET, 0, cpu_i64(e, node->u.index.number));
    break;
  case IR_TMA_WAIT:
    wait_copies(e, node, HD_CPU_COPY_BULK, 0, cpu_i64(e, node->u.index.number));
    break;
  case IR_TMA_WAIT_READ:
    wait_copies(e, node, HD_CPU_COPY_SOURCE, 0,
                cpu_i64(e, node->u.index.number));
    break;
  case IR_TENSOR_FENCE:
  case IR_TENSOR_ALLOC:
  case IR_TENSOR_DEALLOC:
  case IR_WGMMA_FENCE: break;
  case IR_WGMMA_COMMIT: emit_commit(e, HD_CPU_COPY_MATRIX); break;
  case IR_WGMMA_WAIT:
    wait_copies(e, node, HD_CPU_COPY_MATRIX, 0,
                cpu_i64(e, node->u.index.number));
    break;
  case IR_COPY_BYTES:
  case IR_COPY_BULK:
  case IR_BULK_STORE:
  case IR_MEMCPY_ASYNC: emit_row(e, node); break;
  case IR_MEMCPY_WAIT: emit_memcpy_wait(e, node); break;
  case IR_COPY_ASYNC:
  case IR_WGMMA_READ:
  case IR_TENSOR_TOUCH:
  case IR_TMA_LOAD:
  case IR_TMA_STORE:
  case IR_TMA_REDUCE: emit_section_copy(e, node); break;
  }
}

// --------------------------------------------------------------- clusters

// Which block of the cluster an address of shared memory lies in.
static LLVMValueRef cpu_copy_block_of(CpuEmit *e, LLVMValueRef address) {
  LLVMValueRef base =
      cpu_field(e, e->ptr, e->block, offsetof(HdCpuBlock, cluster_shared));
  LLVMValueRef stride =
      cpu_field(e, e->i64, e->block, offsetof(HdCpuBlock, shared_stride));
  // Without shared memory there is no other block's either.
  LLVMValueRef least[2] = {stride, cpu_i64(e, 1)};
  stride = cpu_intrinsic(e, "llvm.umax", &e->i64, 1, least, 2);
  LLVMTypeRef type = llvm_type_like(LLVMTypeOf(address), e->i64);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMValueRef start = LLVMBuildPtrToInt(e->b, base, e->i64, CPU_NAME);
  LLVMValueRef at = LLVMBuildPtrToInt(e->b, address, type, CPU_NAME);
  start = is_vector ? cpu_splat(e, start) : start;
  stride = is_vector ? cpu_splat(e, stride) : stride;
  LLVMValueRef offset = LLVMBuildSub(e->b, at, start, CPU_NAME);
  return LLVMBuildUDiv(e->b, offset, stride, CPU_NAME);
}

// The same place in the shared memory of block `number` of the grid; `p` is in
// the own.
static LLVMValueRef in_grid(CpuEmit *e, LLVMValueRef p, LLVMValueRef number,
                            bool is_scalar) {
  LLVMValueRef shared =
      cpu_field(e, e->ptr, e->block, offsetof(HdCpuBlock, shared));
  LLVMValueRef table =
      cpu_field(e, e->ptr, e->launch, offsetof(HdCpuLaunch, resident));
  LLVMTypeRef ints = llvm_type_like(LLVMTypeOf(number), e->i64);
  LLVMValueRef index = LLVMBuildZExt(e->b, number, ints, CPU_NAME);
  LLVMValueRef at = LLVMBuildGEP2(e->b, e->ptr, table, &index, 1, CPU_NAME);
  LLVMValueRef base;
  if (is_scalar) {
    base = LLVMBuildLoad2(e->b, e->ptr, at, CPU_NAME);
  } else {
    LLVMTypeRef row = cpu_vector_of(e, e->ptr);
    LLVMValueRef args[3] = {at, cpu_mask(e), LLVMConstNull(row)};
    LLVMTypeRef types[2] = {row, LLVMTypeOf(at)};
    base = cpu_intrinsic(e, "llvm.masked.gather", types, 2, args, 3);
    shared = cpu_splat(e, shared);
  }
  LLVMValueRef own = LLVMBuildPtrToInt(e->b, shared, ints, CPU_NAME);
  LLVMValueRef by = LLVMBuildSub(
      e->b, LLVMBuildPtrToInt(e->b, p, ints, CPU_NAME), own, CPU_NAME);
  return LLVMBuildGEP2(e->b, e->i8, base, &by, 1, CPU_NAME);
}

void cpu_emit_cluster(CpuEmit *e, const IrNode *node) {
  bool is_scalar = cpu_node_shape(e->plan, node).kind == CPU_UNIFORM;
  LLVMValueRef p =
      is_scalar ? cpu_scalar_arg(e, node, 0) : cpu_vector_arg(e, node, 0);
  LLVMValueRef own = cpu_copy_block_of(e, p);
  LLVMTypeRef ints = llvm_type_like(LLVMTypeOf(own), e->i32);
  if (node->op == IR_SHARED_RANK) {
    cpu_set_value(e, node, 0, LLVMBuildTrunc(e->b, own, ints, CPU_NAME));
    return;
  }
  LLVMValueRef rank =
      is_scalar ? cpu_scalar_arg(e, node, 1) : cpu_vector_arg(e, node, 1);
  if (node->u.group.group->kind == GROUP_GRID) { // of an expansion
    cpu_set_value(e, node, 0, in_grid(e, p, rank, is_scalar));
    return;
  }
  LLVMValueRef size = cpu_cluster_size(e);
  LLVMValueRef stride =
      cpu_field(e, e->i64, e->block, offsetof(HdCpuBlock, shared_stride));
  if (!is_scalar) {
    size = cpu_splat(e, size);
    stride = cpu_splat(e, stride);
  }
  rank = LLVMBuildURem(e->b, rank, size, CPU_NAME);
  LLVMValueRef by =
      LLVMBuildSub(e->b, LLVMBuildZExt(e->b, rank, LLVMTypeOf(own), CPU_NAME),
                   own, CPU_NAME);
  by = LLVMBuildMul(e->b, by, stride, CPU_NAME);
  cpu_set_value(e, node, 0, LLVMBuildGEP2(e->b, e->i8, p, &by, 1, CPU_NAME));
}
