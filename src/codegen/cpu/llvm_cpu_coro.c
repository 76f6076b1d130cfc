// SPDX-License-Identifier: Apache-2.0
// Strands as coroutines (LLVM's switched-resume lowering). The frame's first
// word is its resume function, NULL once the strand ended; the runtime frees
// all frames of a block at once, so nothing is ever destroyed.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

static LLVMValueRef frame_memory(CpuEmit *e) {
  LLVMValueRef size = cpu_intrinsic(e, "llvm.coro.size", &e->i64, 1, NULL, 0);
  LLVMValueRef align = cpu_intrinsic(e, "llvm.coro.align", &e->i64, 1, NULL, 0);
  LLVMValueRef bytes = LLVMBuildAdd(e->b, size, align, CPU_NAME);
  LLVMTypeRef types[2] = {e->ptr, e->i64};
  LLVMTypeRef type = LLVMFunctionType(e->ptr, types, 2, 0);
  LLVMValueRef args[2] = {e->block, bytes};
  LLVMValueRef service =
      cpu_service(e, offsetof(HdCpuServices, frame_alloc) / sizeof(void *));
  LLVMValueRef memory = LLVMBuildCall2(e->b, type, service, args, 2, CPU_NAME);
  LLVMValueRef address = LLVMBuildPtrToInt(e->b, memory, e->i64, CPU_NAME);
  LLVMValueRef less = LLVMBuildSub(e->b, align, cpu_i64(e, 1), CPU_NAME);
  LLVMValueRef up = LLVMBuildAdd(e->b, address, less, CPU_NAME);
  LLVMValueRef mask = LLVMBuildNot(e->b, less, CPU_NAME);
  LLVMValueRef aligned = LLVMBuildAnd(e->b, up, mask, CPU_NAME);
  LLVMValueRef skip = LLVMBuildSub(e->b, aligned, address, CPU_NAME);
  return LLVMBuildGEP2(e->b, e->i8, memory, &skip, 1, CPU_NAME);
}

void cpu_coro_begin(CpuEmit *e) {
  LLVMValueRef null = LLVMConstNull(e->ptr);
  LLVMValueRef id_args[4] = {cpu_i32(e, 0), null, null, null};
  LLVMValueRef id = cpu_intrinsic(e, "llvm.coro.id", NULL, 0, id_args, 4);
  LLVMValueRef args[2] = {id, frame_memory(e)};
  e->frame = cpu_intrinsic(e, "llvm.coro.begin", NULL, 0, args, 2);
  e->suspend_block = cpu_new_block(e, "suspended");
}

static void suspend(CpuEmit *e, bool is_final) {
  LLVMValueRef args[2] = {LLVMConstNull(LLVMTokenTypeInContext(e->cx)),
                          LLVMConstInt(e->i1, is_final, 0)};
  LLVMValueRef state = cpu_intrinsic(e, "llvm.coro.suspend", NULL, 0, args, 2);
  LLVMBasicBlockRef resume = cpu_new_block(e, "resumed");
  LLVMBasicBlockRef destroy = cpu_new_block(e, "destroyed");
  LLVMValueRef choice = LLVMBuildSwitch(e->b, state, e->suspend_block, 2);
  LLVMAddCase(choice, LLVMConstInt(e->i8, 0, 0), resume);
  LLVMAddCase(choice, LLVMConstInt(e->i8, 1, 0), destroy);
  cpu_begin_block(e, destroy);
  LLVMBuildBr(e->b, e->suspend_block);
  cpu_begin_block(e, resume);
}

void cpu_count_progress(CpuEmit *e, LLVMValueRef by) {
  LLVMValueRef count =
      cpu_field(e, e->i64, e->block, offsetof(HdCpuBlock, progress));
  count = LLVMBuildAdd(e->b, count, by, CPU_NAME);
  cpu_set_field(e, count, e->block, offsetof(HdCpuBlock, progress));
}

static void suspend_and_tell(CpuEmit *e) {
  if (e->has_written) {
    cpu_count_progress(e, cpu_load_slot(e, e->i64, e->has_written));
    LLVMBuildStore(e->b, cpu_i64(e, 0), e->has_written);
  }
  suspend(e, false);
}

void cpu_coro_end(CpuEmit *e) {
  suspend(e, true);
  LLVMBuildUnreachable(e->b); // an ended strand is not resumed
  cpu_begin_block(e, e->suspend_block);
  LLVMValueRef args[3] = {e->frame, LLVMConstInt(e->i1, 0, 0),
                          LLVMConstNull(LLVMTokenTypeInContext(e->cx))};
  cpu_intrinsic(e, "llvm.coro.end", NULL, 0, args, 3);
  LLVMBuildRet(e->b, e->frame);
}

// ----------------------------------------------------------------- waits

static LLVMValueRef wait_record(CpuEmit *e) {
  LLVMValueRef waits =
      cpu_field(e, e->ptr, e->block, offsetof(HdCpuBlock, waits));
  LLVMValueRef index = LLVMBuildSExt(e->b, e->strand_index, e->i64, CPU_NAME);
  LLVMValueRef offset =
      LLVMBuildMul(e->b, index, cpu_i64(e, sizeof(HdCpuWait)), CPU_NAME);
  return LLVMBuildGEP2(e->b, e->i8, waits, &offset, 1, CPU_NAME);
}

void cpu_coro_wait(CpuEmit *e, const CpuWaitFor *wait, IrLocId loc) {
  LLVMValueRef record = wait_record(e), null = LLVMConstNull(e->ptr);
  cpu_set_field(e, wait->word ? wait->word : null, record,
                offsetof(HdCpuWait, word));
  cpu_set_field(e, wait->object ? wait->object : null, record,
                offsetof(HdCpuWait, object));
  cpu_set_field(e, wait->value ? wait->value : cpu_i32(e, 0), record,
                offsetof(HdCpuWait, value));
  cpu_set_field(e, cpu_i32(e, wait->kind), record, offsetof(HdCpuWait, kind));
  cpu_set_field(e, cpu_i32(e, cpu_loc(e, loc)), record,
                offsetof(HdCpuWait, loc));
  cpu_set_field(e, wait->row ? wait->row : cpu_i32(e, -1), record,
                offsetof(HdCpuWait, row));
  suspend_and_tell(e);
}

static bool is_in_waiting_loop(const CpuEmit *e, const IrNode *node) {
  for (node = node->region->owner; node; node = node->region->owner)
    if (cpu_flow(e->plan, node)->yields)
      return true;
  return false;
}

// What waits for nobody gets further.
void cpu_coro_turn(CpuEmit *e, const IrNode *node) {
  if (!e->is_coroutine || !e->kernel->has_lanes_apart ||
      (node->flags & NODE_OWN) != 0)
    return;
  if (!is_in_waiting_loop(e, node))
    cpu_count_progress(e, cpu_i64(e, 1));
  CpuWaitFor turn = {.kind = HD_CPU_WAIT_TURN};
  cpu_coro_wait(e, &turn, node->loc);
}

// A loop that waits for memory lets others run every so many turns.
#define TURNS_BETWEEN_YIELDS 64

void cpu_coro_yield(CpuEmit *e, const IrNode *loop) {
  LLVMBasicBlockRef yields = cpu_new_block(e, "yields");
  LLVMBasicBlockRef go = cpu_new_block(e, "goes_on");
  LLVMValueRef count = cpu_load_slot(e, e->i32, e->yield_counter);
  count = LLVMBuildAdd(e->b, count, cpu_i32(e, 1), CPU_NAME);
  LLVMBuildStore(e->b, count, e->yield_counter);
  LLVMValueRef low =
      LLVMBuildAnd(e->b, count, cpu_i32(e, TURNS_BETWEEN_YIELDS - 1), CPU_NAME);
  LLVMValueRef is_due =
      LLVMBuildICmp(e->b, LLVMIntEQ, low, cpu_i32(e, 0), CPU_NAME);
  LLVMBuildCondBr(e->b, is_due, yields, go);
  cpu_begin_block(e, yields);
  CpuWaitFor turn = {.kind = HD_CPU_WAIT_TURN};
  cpu_coro_wait(e, &turn, loop->loc);
  LLVMBuildBr(e->b, go);
  cpu_begin_block(e, go);
}
