// SPDX-License-Identifier: Apache-2.0
// mbarriers, semaphores, fences of the asynchronous proxy, and loops that wait.
#include "codegen/nvptx/llvm_nvptx.h"

#include "base/panic.h"
#include <stddef.h>

// ------------------------------------------------------ loops that wait

enum { TURNS_PER_LOOK = 2048 };

NvSpin nv_spin_begin(NvEmit *e) {
  NvSpin spin = {.head = nv_new_block(e, "spin"),
                 .turns = nv_alloca(e, e->i32)};
  LLVMBuildStore(e->b, nv_i32(e, 0), spin.turns);
  LLVMBuildBr(e->b, spin.head);
  nv_begin_block(e, spin.head);
  return spin;
}

// Nobody ends such a loop from outside if the program waits for what never
// comes: now and then it looks whether the host wants the kernel to end.
void nv_spin_turn(NvEmit *e, const NvSpin *spin) {
  LLVMBasicBlockRef look = nv_new_block(e, "look");
  LLVMBasicBlockRef leave = nv_new_block(e, "leave");
  LLVMValueRef turn = LLVMBuildLoad2(e->b, e->i32, spin->turns, NV_NAME);
  turn = LLVMBuildAdd(e->b, turn, nv_i32(e, 1), NV_NAME);
  LLVMBuildStore(e->b, turn, spin->turns);
  LLVMValueRef low =
      LLVMBuildAnd(e->b, turn, nv_i32(e, TURNS_PER_LOOK - 1), NV_NAME);
  LLVMBuildCondBr(e->b,
                  LLVMBuildICmp(e->b, LLVMIntEQ, low, nv_i32(e, 0), NV_NAME),
                  look, spin->head);
  nv_begin_block(e, look);
  LLVMValueRef at = LLVMBuildAdd(
      e->b, nv_hidden(e, HD_CUDA_HIDDEN_FAULT),
      nv_i64(e, (int64_t)offsetof(HdCudaFault, interrupt)), NV_NAME);
  LLVMValueRef asked = nv_asm(e, e->i32, "ld.relaxed.sys.global.u32 $0, [$1];",
                              "=r,l", &at, 1, true);
  LLVMBuildCondBr(e->b,
                  LLVMBuildICmp(e->b, LLVMIntEQ, asked, nv_i32(e, 0), NV_NAME),
                  spin->head, leave);
  nv_begin_block(e, leave);
  nv_fault(e, HD_CUDA_FAULT_INTERRUPTED, e->node ? e->node->loc : 0, NULL);
}

void nv_spin_end(NvEmit *e, const NvSpin *spin, LLVMValueRef is_over) {
  LLVMBasicBlockRef again = nv_new_block(e, "again");
  LLVMBasicBlockRef over = nv_new_block(e, "over");
  LLVMBuildCondBr(e->b, is_over, over, again);
  nv_begin_block(e, again);
  nv_spin_turn(e, spin);
  nv_begin_block(e, over);
}

// ------------------------------------------- mbarriers of the own block

LLVMValueRef nv_mbarrier_arrive(NvEmit *e, LLVMValueRef at) {
  if (e->sm < 90)
    return nv_intrinsic(e, "llvm.nvvm.mbarrier.arrive.shared", NULL, 0, &at, 1);
  LLVMValueRef args[2] = {at, nv_i32(e, 1)};
  return nv_intrinsic(e, "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta", NULL,
                      0, args, 2);
}

static LLVMValueRef is_not_0(NvEmit *e, LLVMValueRef v) {
  return LLVMBuildICmp(e->b, LLVMIntNE, v, nv_i32(e, 0), NV_NAME);
}

static LLVMValueRef old_test_parity(NvEmit *e, LLVMValueRef at,
                                    LLVMValueRef parity) {
  LLVMValueRef args[2] = {nv_shared_u32(e, at), parity};
  return is_not_0(
      e, nv_asm(e, e->i32,
                "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [$1], "
                "$2; selp.u32 $0, 1, 0, p; }",
                "=r,r,r", args, 2, true));
}

// Whether the phase of a token (i64) or parity (i32) is over. `try` may suspend
// the thread for a while first.
static LLVMValueRef phase_is_over(NvEmit *e, LLVMValueRef at,
                                  LLVMValueRef wanted, bool may_suspend,
                                  bool is_released) {
  bool is_token = LLVMTypeOf(wanted) == e->i64;
  LLVMValueRef args[2] = {at, wanted};
  if (e->sm < 90 && !is_token)
    return old_test_parity(e, at, wanted);
  if (e->sm < 90)
    return nv_intrinsic(e, "llvm.nvvm.mbarrier.test.wait.shared", NULL, 0, args,
                        2);
  const char *name =
      arena_printf(e->arena, "llvm.nvvm.mbarrier.%s.wait%s.scope.%s.space.cta",
                   may_suspend ? "try" : "test", is_token ? "" : ".parity",
                   is_released ? "cluster" : "cta");
  return nv_intrinsic(e, name, NULL, 0, args, 2);
}

void nv_mbarrier_wait(NvEmit *e, LLVMValueRef at, LLVMValueRef token) {
  NvSpin spin = nv_spin_begin(e);
  nv_spin_end(e, &spin, phase_is_over(e, at, token, true, false));
}

// On sm_80 an arrival has no count, but may leave out the test whether it is
// the last one: the program makes no more arrivals than the phase expects.
static LLVMValueRef arrive_times(NvEmit *e, LLVMValueRef at, LLVMValueRef n) {
  LLVMValueRef args[2] = {at, n};
  if (e->sm >= 90)
    return nv_intrinsic(e, "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta",
                        NULL, 0, args, 2);
  args[1] = LLVMBuildSub(e->b, n, nv_i32(e, 1), NV_NAME);
  LLVMValueRef zero = nv_i32(e, 0);
  NvIf more = nv_if(e, LLVMBuildICmp(e->b, LLVMIntSGT, args[1], zero, NV_NAME));
  nv_intrinsic(e, "llvm.nvvm.mbarrier.arrive.noComplete.shared", NULL, 0, args,
               2);
  nv_end_if(e, more);
  return nv_mbarrier_arrive(e, at);
}

// ------------------------------------------ Note [Counted mbarriers]

enum { COUNT_BITS = 20, BYTE_BITS = 22, PHASE_SHIFT = NV_NEXT_COUNT_SHIFT };

static uint32_t phase_shift(const NvBarrier *barrier) {
  return barrier->is_dropped ? PHASE_SHIFT + COUNT_BITS : PHASE_SHIFT;
}

static LLVMValueRef nvptx_mbarrier_phase_of(NvEmit *e, const NvBarrier *barrier,
                                            LLVMValueRef state) {
  return LLVMBuildLShr(e->b, state, nv_i64(e, phase_shift(barrier)), NV_NAME);
}

// The arrivals that the next phase needs, at their place in the low bits.
static LLVMValueRef counted_expected(NvEmit *e, const NvBarrier *barrier,
                                     LLVMValueRef state) {
  if (!barrier->is_dropped)
    return nv_i64(e, barrier->object->arrivals);
  LLVMValueRef count =
      LLVMBuildLShr(e->b, state, nv_i64(e, PHASE_SHIFT), NV_NAME);
  return LLVMBuildAnd(e->b, count, nv_i64(e, (1 << COUNT_BITS) - 1), NV_NAME);
}

// The state with so many arrivals fewer and bytes more; the next phase where
// nothing is missing.
static LLVMValueRef counted_next(NvEmit *e, const NvBarrier *barrier,
                                 LLVMValueRef state, LLVMValueRef arrivals,
                                 LLVMValueRef bytes) {
  LLVMBuilderRef b = e->b;
  int64_t count_mask = (1 << COUNT_BITS) - 1, byte_mask = (1 << BYTE_BITS) - 1;
  LLVMValueRef count = LLVMBuildAnd(b, state, nv_i64(e, count_mask), NV_NAME);
  count = LLVMBuildSub(b, count, arrivals, NV_NAME);
  count = LLVMBuildAnd(b, count, nv_i64(e, count_mask), NV_NAME);
  LLVMValueRef sum = LLVMBuildLShr(b, state, nv_i64(e, COUNT_BITS), NV_NAME);
  sum = LLVMBuildAdd(b, sum, bytes, NV_NAME);
  sum = LLVMBuildAnd(b, sum, nv_i64(e, byte_mask), NV_NAME);
  sum = LLVMBuildShl(b, sum, nv_i64(e, COUNT_BITS), NV_NAME);
  LLVMValueRef missing = LLVMBuildOr(b, count, sum, NV_NAME);
  LLVMValueRef kept =
      LLVMBuildAnd(b, state, nv_i64(e, -((int64_t)1 << PHASE_SHIFT)), NV_NAME);
  LLVMValueRef one = nv_i64(e, (int64_t)1 << phase_shift(barrier));
  LLVMValueRef next = LLVMBuildAdd(b, kept, one, NV_NAME);
  next = LLVMBuildOr(b, next, counted_expected(e, barrier, state), NV_NAME);
  LLVMValueRef is_over =
      LLVMBuildICmp(b, LLVMIntEQ, missing, nv_i64(e, 0), NV_NAME);
  return LLVMBuildSelect(b, is_over, next,
                         LLVMBuildOr(b, kept, missing, NV_NAME), NV_NAME);
}

static const char *nvptx_mbarrier_scope_of(const NvEmit *e) {
  return e->sm >= 90 ? "cluster" : "cta";
}

static LLVMValueRef counted_load(NvEmit *e, LLVMValueRef at, const char *how) {
  const char *text = arena_printf(e->arena, "ld.%s.%s.b64 $0, [$1];", how,
                                  nvptx_mbarrier_scope_of(e));
  return nv_asm(e, e->i64, text, "=l,l", &at, 1, true);
}

// Changes a counted barrier at a generic address: the phase before. With
// `drops` so many arrivals fewer are expected later.
static LLVMValueRef counted_change(NvEmit *e, const NvBarrier *barrier,
                                   LLVMValueRef arrivals, LLVMValueRef bytes,
                                   bool drops) {
  arrivals = LLVMBuildSExt(e->b, arrivals, e->i64, NV_NAME);
  bytes = LLVMBuildSExt(e->b, bytes, e->i64, NV_NAME);
  LLVMValueRef fewer =
      drops ? LLVMBuildShl(e->b, arrivals, nv_i64(e, PHASE_SHIFT), NV_NAME)
            : nv_i64(e, 0);
  LLVMValueRef seen = nv_alloca(e, e->i64);
  LLVMBuildStore(e->b, counted_load(e, barrier->at, "relaxed"), seen);
  const char *text =
      arena_printf(e->arena, "atom.acq_rel.%s.cas.b64 $0, [$1], $2, $3;",
                   nvptx_mbarrier_scope_of(e));
  NvSpin spin = nv_spin_begin(e);
  LLVMValueRef old = LLVMBuildLoad2(e->b, e->i64, seen, NV_NAME);
  LLVMValueRef left = LLVMBuildSub(e->b, old, fewer, NV_NAME);
  LLVMValueRef args[3] = {barrier->at, old,
                          counted_next(e, barrier, left, arrivals, bytes)};
  LLVMValueRef now = nv_asm(e, e->i64, text, "=l,l,l,l", args, 3, true);
  LLVMBuildStore(e->b, now, seen);
  nv_spin_end(e, &spin, LLVMBuildICmp(e->b, LLVMIntEQ, now, old, NV_NAME));
  return nvptx_mbarrier_phase_of(e, barrier,
                                 LLVMBuildLoad2(e->b, e->i64, seen, NV_NAME));
}

static LLVMValueRef counted_is_over(NvEmit *e, const NvBarrier *barrier,
                                    LLVMValueRef wanted) {
  LLVMValueRef phase = nvptx_mbarrier_phase_of(
      e, barrier, counted_load(e, barrier->at, "acquire"));
  if (LLVMTypeOf(wanted) == e->i64)
    return LLVMBuildICmp(e->b, LLVMIntNE, phase, wanted, NV_NAME);
  LLVMValueRef parity = LLVMBuildTrunc(e->b, phase, e->i32, NV_NAME);
  parity = LLVMBuildXor(e->b, parity, wanted, NV_NAME);
  return is_not_0(e, LLVMBuildAnd(e->b, parity, nv_i32(e, 1), NV_NAME));
}

// ------------------------------------------------------------ operations

static bool is_far(LLVMValueRef at) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(at)) == NV_SPACE_CLUSTER;
}

// Addresses in other blocks have 32 bits as well.
static LLVMValueRef far_u32(NvEmit *e, LLVMValueRef at) {
  return LLVMBuildPtrToInt(e->b, at, e->i32, NV_NAME);
}

NvBarrier nv_barrier_at(NvEmit *e, const IrObject *object, const IrNode *node,
                        uint32_t first) {
  const NvBarrierPlan *row = &e->plan->barriers[object->id];
  unsigned space;
  NvBarrier barrier = {.object = object,
                       .is_counted = row->is_counted,
                       .is_dropped = row->is_dropped,
                       .is_released = row->is_released};
  barrier.at = nv_element(e, object, node, first, &space);
  if (row->is_counted)
    barrier.at = nv_to_generic(e, barrier.at, space);
  return barrier;
}

LLVMValueRef nv_barrier_arrive(NvEmit *e, const NvBarrier *barrier,
                               LLVMValueRef n) {
  if (barrier->is_counted)
    return counted_change(e, barrier, n, nv_i32(e, 0), false);
  return arrive_times(e, barrier->at, n);
}

// Likewise; later phases expect n arrivals fewer.
static LLVMValueRef arrive_drop(NvEmit *e, const NvBarrier *barrier,
                                LLVMValueRef n) {
  if (barrier->is_counted)
    return counted_change(e, barrier, n, nv_i32(e, 0), true);
  LLVMValueRef args[2] = {nv_shared_u32(e, barrier->at), n};
  if (e->sm >= 90)
    return nv_asm(e, e->i64, "mbarrier.arrive_drop.shared.b64 $0, [$1], $2;",
                  "=l,r,r", args, 2, true);
  args[1] = LLVMBuildSub(e->b, n, nv_i32(e, 1), NV_NAME);
  LLVMValueRef zero = nv_i32(e, 0);
  NvIf more = nv_if(e, LLVMBuildICmp(e->b, LLVMIntSGT, args[1], zero, NV_NAME));
  nv_asm(e, e->i64, "mbarrier.arrive_drop.noComplete.shared.b64 $0, [$1], $2;",
         "=l,r,r", args, 2, true);
  nv_end_if(e, more);
  return nv_asm(e, e->i64, "mbarrier.arrive_drop.shared.b64 $0, [$1];", "=l,r",
                args, 1, true);
}

// Bytes of a copy that the threads made themselves have landed. Relaxed like
// what the engine does, so that a fence orders the bytes before it.
void nv_barrier_landed(NvEmit *e, const NvBarrier *barrier,
                       LLVMValueRef bytes) {
  if (barrier->is_counted) {
    counted_change(e, barrier, nv_i32(e, 0), LLVMBuildNeg(e->b, bytes, NV_NAME),
                   false);
    return;
  }
  bool goes_far = is_far(barrier->at);
  LLVMValueRef args[2] = {goes_far ? far_u32(e, barrier->at)
                                   : nv_shared_u32(e, barrier->at),
                          bytes};
  nv_asm(e, e->none,
         goes_far
             ? "fence.acq_rel.cluster; "
               "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 "
               "[$0], $1;"
             : "fence.acq_rel.cta; "
               "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [$0], $1;",
         "r,r", args, 2, true);
}

void nv_barrier_expect(NvEmit *e, const NvBarrier *barrier,
                       LLVMValueRef bytes) {
  if (barrier->is_counted) {
    counted_change(e, barrier, nv_i32(e, 0), bytes, false);
    return;
  }
  LLVMValueRef args[2] = {nv_shared_u32(e, barrier->at), bytes};
  nv_asm(e, e->none, "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], $1;",
         "r,r", args, 2, true);
}

static LLVMValueRef arrive_expect(NvEmit *e, const NvBarrier *barrier,
                                  LLVMValueRef bytes) {
  if (barrier->is_counted)
    return counted_change(e, barrier, nv_i32(e, 1), bytes, false);
  LLVMValueRef args[2] = {barrier->at, bytes};
  return nv_intrinsic(e,
                      "llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta",
                      NULL, 0, args, 2);
}

// See Note [Arrivals on other blocks].
static void arrive_elsewhere(NvEmit *e, const NvBarrier *barrier,
                             LLVMValueRef rank, LLVMValueRef bytes) {
  if (e->sm < 90) { // each block is a cluster
    if (bytes)
      arrive_expect(e, barrier, bytes);
    else
      nv_barrier_arrive(e, barrier, nv_i32(e, 1));
    return;
  }
  LLVMValueRef args[2] = {far_u32(e, nv_in_cluster(e, barrier->at, rank)),
                          bytes};
  const char *text = arena_printf(
      e->arena, "mbarrier.arrive%s%s.shared::cluster.b64 _, [$0]%s;",
      bytes ? ".expect_tx" : "", barrier->is_released ? ".release.cluster" : "",
      bytes ? ", $1" : "");
  nv_asm(e, e->none, text, bytes ? "r,r" : "r", args, bytes ? 2 : 1, true);
}

enum { MOST_BLOCKS = 16 }; // of a cluster

// Threads 0 to 15 of the group each serve a block.
static void arrive_multicast(NvEmit *e, const NvBarrier *barrier,
                             LLVMValueRef bytes, LLVMValueRef mask) {
  const IrGroup *group = ir_node_group(e->kernel, e->node);
  LLVMValueRef rank = nv_group_rank(e, group);
  LLVMValueRef is_one =
      LLVMBuildICmp(e->b, LLVMIntULT, rank, nv_i32(e, MOST_BLOCKS), NV_NAME);
  LLVMValueRef low =
      LLVMBuildAnd(e->b, rank, nv_i32(e, MOST_BLOCKS - 1), NV_NAME);
  LLVMValueRef bit = LLVMBuildLShr(e->b, mask, low, NV_NAME);
  bit = LLVMBuildTrunc(e->b, bit, e->i1, NV_NAME);
  NvIf named = nv_if(e, LLVMBuildAnd(e->b, is_one, bit, NV_NAME));
  arrive_elsewhere(e, barrier, low, bytes);
  nv_end_if(e, named);
}

static LLVMValueRef nvptx_mbarrier_is_over(NvEmit *e, const NvBarrier *barrier,
                                           LLVMValueRef wanted,
                                           bool may_suspend) {
  if (barrier->is_counted)
    return counted_is_over(e, barrier, wanted);
  return phase_is_over(e, barrier->at, wanted, may_suspend,
                       barrier->is_released);
}

static void nvptx_mbarrier_emit_wait(NvEmit *e, const NvBarrier *barrier,
                                     LLVMValueRef wanted) {
  NvSpin spin = nv_spin_begin(e);
  nv_spin_end(e, &spin, nvptx_mbarrier_is_over(e, barrier, wanted, true));
}

static void nvptx_mbarrier_set_token(NvEmit *e, const IrNode *node,
                                     LLVMValueRef token) {
  if (node->type.kind != IR_TYPE_VOID)
    nv_set_value(e, node, 0, token);
}

void nv_emit_mbarrier(NvEmit *e, const IrNode *node) {
  const IrObject *object = node->u.barrier.object;
  NvBarrier barrier = nv_barrier_at(e, object, node, 0);
  LLVMValueRef v =
      node->op == IR_MBAR_TENSOR ? nv_i32(e, 1) : nv_arg(e, node, object->rank);
  switch (ir_mbarrier_op(node->op)) {
  case IR_MBAR_TENSOR: nv_tensor_commit(e, node, &barrier); break;
  case IR_MBAR_ARRIVE:
    nvptx_mbarrier_set_token(e, node, nv_barrier_arrive(e, &barrier, v));
    break;
  case IR_MBAR_ARRIVE_DROP:
    nvptx_mbarrier_set_token(e, node, arrive_drop(e, &barrier, v));
    break;
  case IR_MBAR_ARRIVE_REMOTE: arrive_elsewhere(e, &barrier, v, NULL); break;
  case IR_MBAR_EXPECT: nv_barrier_expect(e, &barrier, v); break;
  case IR_MBAR_ARRIVE_EXPECT:
    nvptx_mbarrier_set_token(e, node, arrive_expect(e, &barrier, v));
    break;
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST:
    arrive_multicast(e, &barrier, v, nv_arg(e, node, object->rank + 1));
    break;
  case IR_MBAR_WAIT:
  case IR_MBAR_WAIT_TOKEN: nvptx_mbarrier_emit_wait(e, &barrier, v); break;
  case IR_MBAR_TEST:
  case IR_MBAR_TEST_TOKEN:
    nv_set_value(e, node, 0, nvptx_mbarrier_is_over(e, &barrier, v, false));
    break;
  case IR_MBAR_INIT: code_refuse(node); // track_inits.c
  }
}

// ---------------------------------------------------- semaphores, fences

void nv_emit_semaphore(NvEmit *e, const IrNode *node) {
  unsigned space;
  LLVMValueRef at = nv_address(e, node, &space);
  LLVMValueRef args[2] = {nv_to_generic(e, at, space),
                          nv_arg(e, node, (uint32_t)code_operands(node).value)};
  if (node->op == IR_SEMAPHORE_RELEASE) {
    nv_asm(e, e->none, "st.release.gpu.u32 [$0], $1;", "l,r", args, 2, true);
    return;
  }
  NvSpin spin = nv_spin_begin(e);
  LLVMValueRef now =
      nv_asm(e, e->i32, "ld.acquire.gpu.u32 $0, [$1];", "=r,l", args, 1, true);
  nv_spin_end(e, &spin, LLVMBuildICmp(e->b, LLVMIntEQ, now, args[1], NV_NAME));
}

// Before sm_90 all copies are ordinary accesses.
void nv_emit_fence_async(NvEmit *e, const IrNode *node) {
  (void)node;
  if (e->sm < 90) {
    nv_asm(e, e->none, "", "", NULL, 0, true);
    return;
  }
  bool is_wide = e->plan->writes_remote || e->plan->fences_global;
  nv_intrinsic(e,
               is_wide ? "llvm.nvvm.fence.proxy.async"
                       : "llvm.nvvm.fence.proxy.async.shared_cta",
               NULL, 0, NULL, 0);
}
