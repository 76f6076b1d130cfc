// SPDX-License-Identifier: Apache-2.0
// mbarriers: the runtime keeps and counts them (rt/cpu/cpu_mbarrier.c); what
// is tested most, whether a phase has ended, is tested here.
//
// Note [Waiting lane by lane]
// Lanes may wait for different barriers or parities. All look first, and those
// whose phase is still open remember it; then each of these waits until its
// barrier has left that phase. So nobody misses a phase while another lane of
// its strand waits.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

// ------------------------------------------------------------- places

LLVMValueRef cpu_lane_bits(CpuEmit *e, LLVMValueRef mask) {
  if (e->lanes > 1)
    return cpu_mask_bits(e, mask ? mask : cpu_full_mask(e));
  return LLVMBuildShl(e->b, cpu_i32(e, 1), cpu_lane_numbers(e), CPU_NAME);
}

LLVMValueRef cpu_lane_number(CpuEmit *e, LLVMValueRef lane) {
  return e->lanes > 1 ? lane : cpu_lane_numbers(e);
}

LLVMValueRef cpu_warp_thread(CpuEmit *e) {
  return LLVMBuildAnd(e->b, cpu_first_thread(e), cpu_i32(e, -CPU_WARP),
                      CPU_NAME);
}

static LLVMValueRef one_bit(CpuEmit *e, LLVMValueRef lane) {
  return LLVMBuildShl(e->b, cpu_i32(e, 1), cpu_lane_number(e, lane), CPU_NAME);
}

static int64_t cpu_mbarrier_extent_of(const IrObject *object, uint32_t dim) {
  int64_t extent = 1;
  code_host_const(object->extents[dim], &extent);
  return extent;
}

LLVMValueRef cpu_mbarrier_at(CpuEmit *e, const IrObject *object,
                             const CpuSpill *indices, LLVMValueRef lane) {
  LLVMValueRef place = cpu_i64(e, 0);
  LLVMValueRef is_outside = LLVMConstInt(e->i1, 0, 0);
  for (uint32_t k = 0; k < object->rank; k++) {
    LLVMValueRef index = cpu_spilled_at(e, &indices[k], lane);
    index = LLVMBuildIntCast2(e->b, index, e->i64, 1, CPU_NAME);
    // Other memory must not be taken for a barrier.
    LLVMValueRef is_beyond =
        LLVMBuildICmp(e->b, LLVMIntUGE, index,
                      cpu_i64(e, cpu_mbarrier_extent_of(object, k)), CPU_NAME);
    is_outside = LLVMBuildOr(e->b, is_outside, is_beyond, CPU_NAME);
    place = LLVMBuildMul(
        e->b, place, cpu_i64(e, cpu_mbarrier_extent_of(object, k)), CPU_NAME);
    place = LLVMBuildAdd(e->b, place, index, CPU_NAME);
  }
  if (!LLVMIsAConstantInt(is_outside) ||
      LLVMConstIntGetZExtValue(is_outside) != 0)
    cpu_fault_if(e, e->node, is_outside, lane,
                 "there is no such mbarrier in the array");
  place =
      LLVMBuildMul(e->b, place, cpu_i64(e, sizeof(HdCpuMbarrier)), CPU_NAME);
  place =
      LLVMBuildAdd(e->b, place, cpu_instance_offset(e, object, lane), CPU_NAME);
  LLVMValueRef base = cpu_object_base(e, object);
  return LLVMBuildGEP2(e->b, e->i8, base, &place, 1, CPU_NAME);
}

// The bytes from an object's first instance to the lane's.
LLVMValueRef cpu_instance_offset(CpuEmit *e, const IrObject *object,
                                 LLVMValueRef lane) {
  if (object->space != SPACE_SHARED ||
      e->plan->shared[object->id].n_instances <= 1)
    return cpu_i64(e, 0);
  LLVMValueRef part =
      cpu_at_lane(e, cpu_group_instance(e, object->group), lane);
  part = LLVMBuildIntCast2(e->b, part, e->i64, 1, CPU_NAME);
  int64_t bytes = (int64_t)e->plan->shared[object->id].size_bytes;
  return LLVMBuildMul(e->b, part, cpu_i64(e, bytes), CPU_NAME);
}

// One operation with its operands ready for each lane.
typedef struct {
  const IrNode *node;
  const IrObject *object;
  CpuSpill operands[IR_MAX_RANK + 2];
  bool is_uniform; // all lanes mean one barrier, with equal operands
} Use;

static Use use_begin(CpuEmit *e, const IrNode *node) {
  Use use = {.node = node, .object = node->u.barrier.object};
  use.is_uniform =
      use.object->space != SPACE_SHARED ||
      e->plan->shared[use.object->id].n_instances <= 1 ||
      cpu_instance_shape(e->plan, use.object->group).kind == CPU_UNIFORM;
  for (uint32_t i = 0; i < node->n_args && i < IR_MAX_RANK + 2; i++) {
    use.operands[i] = cpu_spill(e, cpu_leaf(e, node->args[i], 0));
    use.is_uniform &= use.operands[i].leaf.shape.kind == CPU_UNIFORM;
  }
  use.is_uniform |= e->lanes == 1;
  return use;
}

static LLVMValueRef cpu_mbarrier_place_of(CpuEmit *e, const Use *use,
                                          LLVMValueRef lane) {
  return cpu_mbarrier_at(e, use->object, use->operands, lane);
}

// Operand number i behind the indices, as i32.
static LLVMValueRef cpu_mbarrier_operand(CpuEmit *e, const Use *use, uint32_t i,
                                         LLVMValueRef lane) {
  LLVMValueRef v =
      cpu_spilled_at(e, &use->operands[use->object->rank + i], lane);
  return LLVMBuildIntCast2(e->b, v, e->i32, 1, CPU_NAME);
}

// ------------------------------------------------------------- services

LLVMValueRef cpu_call_service(CpuEmit *e, size_t offset_bytes,
                              LLVMTypeRef result, LLVMValueRef *args,
                              unsigned n_args) {
  LLVMTypeRef types[8];
  for (unsigned i = 0; i < n_args; i++)
    types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n_args, 0);
  cpu_forget_rows(e); // it may copy from or to shared memory
  LLVMValueRef service =
      cpu_service(e, (uint32_t)(offset_bytes / sizeof(void *)));
  return LLVMBuildCall2(e->b, type, service, args, n_args, CPU_NAME);
}

static void call_arrive(CpuEmit *e, const Use *use, LLVMValueRef barrier,
                        LLVMValueRef count, LLVMValueRef bits,
                        LLVMValueRef tokens) {
  LLVMValueRef args[8] = {e->block,
                          barrier,
                          count,
                          cpu_i32(e, use->node->op == IR_MBAR_ARRIVE_DROP),
                          bits,
                          cpu_warp_thread(e),
                          cpu_i32(e, cpu_loc(e, use->node->loc)),
                          tokens ? tokens : LLVMConstNull(e->ptr)};
  cpu_call_service(e, offsetof(HdCpuServices, mbar_arrive), e->none, args, 8);
}

static void call_expect(CpuEmit *e, const Use *use, LLVMValueRef barrier,
                        LLVMValueRef bytes, LLVMValueRef times,
                        LLVMValueRef lane) {
  LLVMValueRef thread = LLVMBuildAdd(e->b, cpu_warp_thread(e),
                                     cpu_lane_number(e, lane), CPU_NAME);
  LLVMValueRef args[6] = {e->block, barrier,
                          bytes,    times,
                          thread,   cpu_i32(e, cpu_loc(e, use->node->loc))};
  cpu_call_service(e, offsetof(HdCpuServices, mbar_expect), e->none, args, 6);
}

static LLVMValueRef call_remote(CpuEmit *e, const Use *use,
                                LLVMValueRef barrier, LLVMValueRef rank,
                                LLVMValueRef lane) {
  LLVMValueRef thread = LLVMBuildAdd(e->b, cpu_warp_thread(e),
                                     cpu_lane_number(e, lane), CPU_NAME);
  LLVMValueRef args[5] = {e->block, barrier, rank, thread,
                          cpu_i32(e, cpu_loc(e, use->node->loc))};
  return cpu_call_service(e, offsetof(HdCpuServices, mbar_remote), e->ptr, args,
                          5);
}

static LLVMValueRef call_poll(CpuEmit *e, LLVMValueRef barrier) {
  LLVMValueRef args[2] = {e->block, barrier};
  return cpu_call_service(e, offsetof(HdCpuServices, mbar_poll), e->i32, args,
                          2);
}

// -------------------------------------------------------------- arrivals

static LLVMValueRef tokens_new(CpuEmit *e, const IrNode *node) {
  return node->type.kind != IR_TYPE_VOID && cpu_is_used(e, node)
             ? cpu_alloca(e, LLVMArrayType2(e->i32, CPU_WARP))
             : NULL;
}

static void set_tokens(CpuEmit *e, const IrNode *node, LLVMValueRef tokens) {
  LLVMTypeRef row = cpu_vector_of(e, e->i32);
  if (node->type.kind == IR_TYPE_VOID)
    return;
  if (tokens == NULL) {
    cpu_set_value(e, node, 0, LLVMConstNull(row));
    return;
  }
  LLVMValueRef lane = cpu_lane_number(e, cpu_i32(e, 0));
  LLVMValueRef at = LLVMBuildGEP2(e->b, e->i32, tokens, &lane, 1, CPU_NAME);
  LLVMValueRef load = LLVMBuildLoad2(e->b, row, at, CPU_NAME);
  LLVMSetAlignment(load, sizeof(int32_t));
  cpu_set_value(e, node, 0, load);
}

static void cpu_mbarrier_emit_arrive(CpuEmit *e, const Use *use) {
  LLVMValueRef tokens = tokens_new(e, use->node);
  if (use->is_uniform) {
    LLVMValueRef lane = cpu_first_active(e);
    call_arrive(e, use, cpu_mbarrier_place_of(e, use, lane),
                cpu_mbarrier_operand(e, use, 0, lane),
                cpu_lane_bits(e, e->mask), tokens);
  } else {
    CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
    call_arrive(e, use, cpu_mbarrier_place_of(e, use, loop.lane),
                cpu_mbarrier_operand(e, use, 0, loop.lane),
                one_bit(e, loop.lane), tokens);
    cpu_lanes_end(e, &loop);
  }
  set_tokens(e, use->node, tokens);
}

// All that was asked for is done.
static void emit_tensor_commit(CpuEmit *e, const Use *use) {
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  LLVMValueRef barrier = cpu_mbarrier_place_of(e, use, loop.lane);
  if (e->plan->has_checks)
    cpu_tell_tensor(e, use->node, barrier, loop.lane);
  call_arrive(e, use, barrier, cpu_i32(e, 1), one_bit(e, loop.lane), NULL);
  cpu_lanes_end(e, &loop);
}

static void emit_arrive_remote(CpuEmit *e, const Use *use) {
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  LLVMValueRef barrier =
      call_remote(e, use, cpu_mbarrier_place_of(e, use, loop.lane),
                  cpu_mbarrier_operand(e, use, 0, loop.lane), loop.lane);
  call_arrive(e, use, barrier, cpu_i32(e, 1), one_bit(e, loop.lane), NULL);
  cpu_lanes_end(e, &loop);
}

static void emit_expect(CpuEmit *e, const Use *use) {
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  call_expect(e, use, cpu_mbarrier_place_of(e, use, loop.lane),
              cpu_mbarrier_operand(e, use, 0, loop.lane), cpu_i32(e, 1),
              loop.lane);
  cpu_lanes_end(e, &loop);
}

static void emit_arrive_expect(CpuEmit *e, const Use *use) {
  LLVMValueRef tokens = tokens_new(e, use->node);
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  LLVMValueRef barrier = cpu_mbarrier_place_of(e, use, loop.lane);
  call_expect(e, use, barrier, cpu_mbarrier_operand(e, use, 0, loop.lane),
              cpu_i32(e, 1), loop.lane);
  call_arrive(e, use, barrier, cpu_i32(e, 1), one_bit(e, loop.lane), tokens);
  cpu_lanes_end(e, &loop);
  set_tokens(e, use->node, tokens);
}

// Lanes that have rank 0 in the group: one speaks for all.
LLVMValueRef cpu_leading_lanes(CpuEmit *e, const IrGroup *group) {
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
  LLVMValueRef is_first = LLVMBuildICmp(
      e->b, LLVMIntEQ, rank, LLVMConstNull(LLVMTypeOf(rank)), CPU_NAME);
  return cpu_mask_and(e, e->mask, is_first);
}

// Skips what is emitted until lanes_some_end if no lane is in the mask.
static LLVMBasicBlockRef some_begin(CpuEmit *e, LLVMValueRef mask) {
  LLVMBasicBlockRef some = cpu_new_block(e, "some");
  LLVMBasicBlockRef end = cpu_new_block(e, "some_end");
  LLVMBuildCondBr(e->b, cpu_any(e, mask), some, end);
  cpu_begin_block(e, some);
  return end;
}

static void emit_multicast(CpuEmit *e, const Use *use) {
  const IrGroup *group = ir_node_group(e->kernel, use->node);
  LLVMValueRef leading = cpu_leading_lanes(e, group);
  LLVMBasicBlockRef end = some_begin(e, leading);
  CpuLaneLoop loop = cpu_lanes_begin(e, leading);
  LLVMValueRef barrier = cpu_mbarrier_place_of(e, use, loop.lane);
  LLVMValueRef bytes = cpu_mbarrier_operand(e, use, 0, loop.lane);
  LLVMValueRef slot = cpu_alloca(e, e->i32);
  LLVMBasicBlockRef head = cpu_new_block(e, "block");
  LLVMBasicBlockRef body = cpu_new_block(e, "to_block");
  LLVMBasicBlockRef done = cpu_new_block(e, "blocks_end");
  LLVMBuildStore(e->b, cpu_mbarrier_operand(e, use, 1, loop.lane), slot);
  LLVMBuildBr(e->b, head);
  cpu_begin_block(e, head);
  LLVMValueRef left = cpu_load_slot(e, e->i32, slot);
  LLVMValueRef more =
      LLVMBuildICmp(e->b, LLVMIntNE, left, cpu_i32(e, 0), CPU_NAME);
  LLVMBuildCondBr(e->b, more, body, done);
  cpu_begin_block(e, body);
  LLVMValueRef args[2] = {left, LLVMConstInt(e->i1, 0, 0)};
  LLVMValueRef rank = cpu_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);
  LLVMValueRef less = LLVMBuildSub(e->b, left, cpu_i32(e, 1), CPU_NAME);
  LLVMBuildStore(e->b, LLVMBuildAnd(e->b, left, less, CPU_NAME), slot);
  LLVMValueRef there = call_remote(e, use, barrier, rank, loop.lane);
  call_expect(e, use, there, bytes, cpu_i32(e, 1), loop.lane);
  call_arrive(e, use, there, cpu_i32(e, 1), one_bit(e, loop.lane), NULL);
  LLVMBuildBr(e->b, head);
  cpu_begin_block(e, done);
  cpu_lanes_end(e, &loop);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

// ----------------------------------------------------------------- waits

static LLVMValueRef cpu_mbarrier_phase_of(CpuEmit *e, LLVMValueRef barrier) {
  return cpu_field(e, e->i32, barrier, offsetof(HdCpuMbarrier, phase));
}

static bool by_token(const IrNode *node) {
  return node->op == IR_MBAR_WAIT_TOKEN || node->op == IR_MBAR_TEST_TOKEN;
}

// The phase that the operand names has not ended yet.
static LLVMValueRef cpu_mbarrier_is_open(CpuEmit *e, const Use *use,
                                         LLVMValueRef phase,
                                         LLVMValueRef lane) {
  LLVMValueRef wanted = cpu_mbarrier_operand(e, use, 0, lane);
  if (by_token(use->node))
    return LLVMBuildICmp(e->b, LLVMIntEQ, phase, wanted, CPU_NAME);
  LLVMValueRef differs = LLVMBuildXor(e->b, phase, wanted, CPU_NAME);
  differs = LLVMBuildAnd(e->b, differs, cpu_i32(e, 1), CPU_NAME);
  return LLVMBuildICmp(e->b, LLVMIntEQ, differs, cpu_i32(e, 0), CPU_NAME);
}

// Until the barrier has left `phase`.
static void wait_phase(CpuEmit *e, const Use *use, LLVMValueRef barrier,
                       LLVMValueRef phase) {
  LLVMBasicBlockRef waits = cpu_new_block(e, "waits");
  LLVMBasicBlockRef done = cpu_new_block(e, "phase_over");
  LLVMValueRef now = call_poll(e, barrier);
  LLVMValueRef is_same = LLVMBuildICmp(e->b, LLVMIntEQ, now, phase, CPU_NAME);
  LLVMBuildCondBr(e->b, is_same, waits, done);
  cpu_begin_block(e, waits);
  CpuWaitFor wait = {.kind = HD_CPU_WAIT_MBARRIER,
                     .word = cpu_byte_offset(
                         e, barrier, (int64_t)offsetof(HdCpuMbarrier, phase)),
                     .object = barrier,
                     .value = phase};
  cpu_coro_wait(e, &wait, use->node->loc);
  LLVMBuildBr(e->b, done);
  cpu_begin_block(e, done);
}

static void emit_wait_together(CpuEmit *e, const Use *use) {
  LLVMValueRef lane = cpu_first_active(e);
  LLVMValueRef barrier = cpu_mbarrier_place_of(e, use, lane);
  LLVMValueRef phase = cpu_mbarrier_phase_of(e, barrier);
  LLVMBasicBlockRef open = cpu_new_block(e, "open");
  LLVMBasicBlockRef end = cpu_new_block(e, "over");
  LLVMBuildCondBr(e->b, cpu_mbarrier_is_open(e, use, phase, lane), open, end);
  cpu_begin_block(e, open);
  wait_phase(e, use, barrier, phase);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

// See Note [Waiting lane by lane].
static void emit_wait_apart(CpuEmit *e, const Use *use) {
  LLVMValueRef barriers = cpu_alloca(e, LLVMArrayType2(e->ptr, CPU_WARP));
  LLVMValueRef phases = cpu_alloca(e, LLVMArrayType2(e->i32, CPU_WARP));
  LLVMValueRef open = cpu_alloca(e, e->i32);
  LLVMBuildStore(e->b, cpu_i32(e, 0), open);
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  LLVMValueRef lane = loop.lane, barrier = cpu_mbarrier_place_of(e, use, lane);
  LLVMValueRef phase = cpu_mbarrier_phase_of(e, barrier);
  LLVMBuildStore(e->b, barrier,
                 LLVMBuildGEP2(e->b, e->ptr, barriers, &lane, 1, CPU_NAME));
  LLVMBuildStore(e->b, phase,
                 LLVMBuildGEP2(e->b, e->i32, phases, &lane, 1, CPU_NAME));
  LLVMValueRef bit = LLVMBuildZExt(
      e->b, cpu_mbarrier_is_open(e, use, phase, lane), e->i32, CPU_NAME);
  bit = LLVMBuildShl(e->b, bit, lane, CPU_NAME);
  LLVMBuildStore(
      e->b, LLVMBuildOr(e->b, cpu_load_slot(e, e->i32, open), bit, CPU_NAME),
      open);
  cpu_lanes_end(e, &loop);
  LLVMValueRef left = cpu_load_slot(e, e->i32, open);
  left = LLVMBuildBitCast(e->b, left, e->mask_type, CPU_NAME);
  LLVMBasicBlockRef end = some_begin(e, left);
  loop = cpu_lanes_begin(e, left);
  lane = loop.lane;
  LLVMValueRef at = LLVMBuildGEP2(e->b, e->ptr, barriers, &lane, 1, CPU_NAME);
  barrier = LLVMBuildLoad2(e->b, e->ptr, at, CPU_NAME);
  at = LLVMBuildGEP2(e->b, e->i32, phases, &lane, 1, CPU_NAME);
  wait_phase(e, use, barrier, LLVMBuildLoad2(e->b, e->i32, at, CPU_NAME));
  cpu_lanes_end(e, &loop);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

static void emit_test(CpuEmit *e, const Use *use) {
  LLVMValueRef slot = cpu_alloca(e, e->i32);
  LLVMBuildStore(e->b, cpu_i32(e, 0), slot);
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  LLVMValueRef lane = loop.lane, barrier = cpu_mbarrier_place_of(e, use, lane);
  LLVMBasicBlockRef open = cpu_new_block(e, "open");
  LLVMBasicBlockRef end = cpu_new_block(e, "tested");
  LLVMBasicBlockRef before = NULL, polled = NULL;
  LLVMValueRef now = cpu_mbarrier_phase_of(e, barrier);
  before = LLVMGetInsertBlock(e->b);
  LLVMBuildCondBr(e->b, cpu_mbarrier_is_open(e, use, now, lane), open, end);
  cpu_begin_block(e, open);
  LLVMValueRef later = call_poll(e, barrier);
  polled = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
  LLVMValueRef phase = LLVMBuildPhi(e->b, e->i32, CPU_NAME);
  LLVMAddIncoming(phase, &now, &before, 1);
  LLVMAddIncoming(phase, &later, &polled, 1);
  LLVMValueRef over =
      LLVMBuildNot(e->b, cpu_mbarrier_is_open(e, use, phase, lane), CPU_NAME);
  LLVMValueRef bit = LLVMBuildZExt(e->b, over, e->i32, CPU_NAME);
  bit = LLVMBuildShl(e->b, bit, lane, CPU_NAME);
  LLVMBuildStore(
      e->b, LLVMBuildOr(e->b, cpu_load_slot(e, e->i32, slot), bit, CPU_NAME),
      slot);
  cpu_lanes_end(e, &loop);
  LLVMValueRef bits = cpu_load_slot(e, e->i32, slot);
  cpu_set_value(e, use->node, 0,
                e->lanes == 1
                    ? LLVMBuildTrunc(e->b, bits, e->i1, CPU_NAME)
                    : LLVMBuildBitCast(e->b, bits, e->mask_type, CPU_NAME));
}

// ---------------------------------------------------------------- checks

// The lanes of `mask` (NULL: those active) are about to wait for the phase, or
// have seen it end: calls the service at `offset`.
static LLVMValueRef tell_wait(CpuEmit *e, const Use *use, LLVMValueRef mask,
                              size_t offset) {
  const IrNode *node = use->node;
  int what = by_token(node)                  ? HD_CPU_WANTS_PHASE
             : (node->flags & NODE_OWN) != 0 ? HD_CPU_WANTS_NEWEST
                                             : HD_CPU_WANTS_PARITY;
  CpuLaneLoop loop = {0};
  LLVMValueRef lane, bits;
  if (use->is_uniform) {
    lane = cpu_first_active(e);
    bits = cpu_lane_bits(e, mask);
  } else {
    loop = cpu_lanes_begin(e, mask);
    lane = loop.lane;
    bits =
        LLVMBuildShl(e->b, cpu_i32(e, 1), cpu_lane_number(e, lane), CPU_NAME);
  }
  LLVMValueRef args[6] = {
      e->block,
      cpu_mbarrier_place_of(e, use, lane),
      LLVMBuildLShr(e->b, cpu_first_thread(e), cpu_i32(e, 5), CPU_NAME),
      bits,
      cpu_mbarrier_operand(e, use, 0, lane),
      cpu_i32(e, what)};
  bool is_before = offset == offsetof(HdCpuServices, check_waiting);
  LLVMValueRef result =
      cpu_call_service(e, offset, is_before ? e->i32 : e->none, args, 6);
  if (!use->is_uniform)
    cpu_lanes_end(e, &loop);
  return result;
}

// A wait whose phase has ended, though its parity says otherwise, is told and
// left out: what comes behind it is told, too.
static void emit_told_wait(CpuEmit *e, const Use *use) {
  LLVMValueRef is_over =
      tell_wait(e, use, e->mask, offsetof(HdCpuServices, check_waiting));
  LLVMBasicBlockRef waits = cpu_new_block(e, "is_open");
  LLVMBasicBlockRef end = cpu_new_block(e, "waited");
  LLVMValueRef zero = cpu_i32(e, 0);
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, is_over, zero, CPU_NAME),
                  end, waits);
  cpu_begin_block(e, waits);
  emit_wait_together(e, use);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

static void tell_tested(CpuEmit *e, const Use *use) {
  CpuLeaf over = cpu_leaf(e, use->node, 0);
  LLVMValueRef mask = cpu_mask_and(e, e->mask, cpu_as_vector(e, over));
  LLVMBasicBlockRef some = cpu_new_block(e, "some_over");
  LLVMBasicBlockRef end = cpu_new_block(e, "told");
  LLVMBuildCondBr(e->b, cpu_any(e, mask), some, end);
  cpu_begin_block(e, some);
  tell_wait(e, use, mask, offsetof(HdCpuServices, check_waiting));
  tell_wait(e, use, mask, offsetof(HdCpuServices, check_waited));
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

void cpu_emit_mbarrier(CpuEmit *e, const IrNode *node) {
  cpu_coro_turn(e, node);
  Use use = use_begin(e, node);
  switch (ir_mbarrier_op(node->op)) {
  case IR_MBAR_INIT: code_refuse(node); // track_inits.c
  case IR_MBAR_ARRIVE:
  case IR_MBAR_ARRIVE_DROP: cpu_mbarrier_emit_arrive(e, &use); break;
  case IR_MBAR_TENSOR: emit_tensor_commit(e, &use); break;
  case IR_MBAR_ARRIVE_REMOTE: emit_arrive_remote(e, &use); break;
  case IR_MBAR_EXPECT: emit_expect(e, &use); break;
  case IR_MBAR_ARRIVE_EXPECT: emit_arrive_expect(e, &use); break;
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST: emit_multicast(e, &use); break;
  case IR_MBAR_TEST:
  case IR_MBAR_TEST_TOKEN:
    emit_test(e, &use);
    if (e->plan->has_checks)
      tell_tested(e, &use);
    break;
  case IR_MBAR_WAIT:
  case IR_MBAR_WAIT_TOKEN:
    if (e->plan->has_checks && !use.is_uniform)
      tell_wait(e, &use, e->mask, offsetof(HdCpuServices, check_waiting));
    if (e->plan->has_checks && use.is_uniform)
      emit_told_wait(e, &use);
    else if (use.is_uniform)
      emit_wait_together(e, &use);
    else
      emit_wait_apart(e, &use);
    if (e->plan->has_checks)
      tell_wait(e, &use, e->mask, offsetof(HdCpuServices, check_waited));
    break;
  }
  cpu_forget_rows(e); // copies may have landed
}
