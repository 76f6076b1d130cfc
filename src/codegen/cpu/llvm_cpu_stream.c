// SPDX-License-Identifier: Apache-2.0
// Note [Stores past the caches]
// A store brings its line into the cache first, and a long result pushes out
// what is still wanted; both cost as much as writing it. So full rows of
// arrays that a kernel only writes go past the caches where the array is
// larger than what a core has of them (known when the launch starts; of
// restrict pointers by a fact of the variant), as do stores that ask for it
// (`streaming`). Only whole lines do: a row is tested for its alignment, others
// take the usual way. Such stores are ordered by nothing but a fence, which
// comes before whatever releases memory to others and at the end.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

#define LINE_BYTES 64

// Results of this size don't stay in the caches that a core has for itself or
// shares with few.
#define STREAM_BYTES ((int64_t)16 << 20)

#define PREFETCH_AHEAD_BYTES 512

// What is only written has no loads that would bring its lines near. Calls of
// the checks keep later warps' loads from being begun early.
void cpu_prefetch_ahead(CpuEmit *e, LLVMValueRef first, uint32_t bytes) {
  for (uint32_t at = 0; at < bytes; at += LINE_BYTES) {
    LLVMValueRef args[4] = {
        cpu_byte_offset(e, first, PREFETCH_AHEAD_BYTES + (int64_t)at),
        cpu_i32(e, 1), cpu_i32(e, 3), cpu_i32(e, 1)};
    cpu_intrinsic(e, "llvm.prefetch", &e->ptr, 1, args, 4);
  }
}

// What an address of the object must have in common with 0 for a store past
// the caches: the bits within a line, or, where the array is small, all.
static LLVMValueRef line_mask(CpuEmit *e, const IrObject *object) {
  LLVMValueRef mask = e->line_masks[object->id];
  if (mask)
    return mask;
  if (object->is_plain_pointer) // known to be long
    return cpu_i64(e, LINE_BYTES - 1);
  LLVMValueRef bytes = cpu_i64(e, object->element_bytes);
  for (uint32_t k = 0; k < object->rank; k++)
    bytes = LLVMBuildMul(e->hoist, bytes, cpu_extent(e, object, k), CPU_NAME);
  LLVMValueRef is_long = LLVMBuildICmp(e->hoist, LLVMIntUGE, bytes,
                                       cpu_i64(e, STREAM_BYTES), CPU_NAME);
  mask = LLVMBuildSelect(e->hoist, is_long, cpu_i64(e, LINE_BYTES - 1),
                         cpu_i64(e, -1), CPU_NAME);
  e->line_masks[object->id] = mask;
  return mask;
}

static void store_past(CpuEmit *e, const CpuAddress *at, LLVMValueRef v,
                       LLVMValueRef first) {
  LLVMValueRef store = LLVMBuildStore(e->b, v, first);
  LLVMSetAlignment(store, LINE_BYTES);
  cpu_mark_access(e, store, at->object);
  LLVMMetadataRef one = LLVMValueAsMetadata(cpu_i32(e, 1));
  unsigned kind = LLVMGetMDKindIDInContext(e->cx, "nontemporal", 11);
  LLVMSetMetadata(
      store, kind,
      LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &one, 1)));
}

void cpu_store_row(CpuEmit *e, const CpuAddress *at, LLVMValueRef v,
                   LLVMValueRef first, uint32_t bytes, unsigned align) {
  const IrObject *object = at->object;
  bool is_asked = at->hint == HINT_STREAMING &&
                  (object == NULL || object->space == SPACE_GLOBAL);
  bool is_written_only = object && cpu_is_kernel_object(e, object) &&
                         e->plan->is_only_written[object->id];
  LLVMBasicBlockRef done = NULL;
  uint32_t n_rows = e->n_rows;
  if (e->target->is_x86 && bytes % LINE_BYTES == 0 &&
      (is_asked || is_written_only)) {
    LLVMValueRef mask =
        is_asked ? cpu_i64(e, LINE_BYTES - 1) : line_mask(e, object);
    LLVMValueRef address = LLVMBuildPtrToInt(e->b, first, e->i64, CPU_NAME);
    LLVMValueRef low = LLVMBuildAnd(e->b, address, mask, CPU_NAME);
    LLVMValueRef is_past =
        LLVMBuildICmp(e->b, LLVMIntEQ, low, cpu_i64(e, 0), CPU_NAME);
    LLVMBasicBlockRef past = cpu_new_block(e, "past_caches");
    LLVMBasicBlockRef usual = cpu_new_block(e, "cached");
    done = cpu_new_block(e, "stored");
    LLVMBuildCondBr(e->b, is_past, past, usual);
    cpu_begin_block(e, past);
    store_past(e, at, v, first);
    LLVMBuildBr(e->b, done);
    cpu_begin_block(e, usual);
  }
  if (is_written_only)
    cpu_prefetch_ahead(e, first, bytes);
  LLVMValueRef store = LLVMBuildStore(e->b, v, first);
  LLVMSetAlignment(store, align);
  cpu_mark_access(e, store, object);
  if (done == NULL)
    return;
  LLVMBuildBr(e->b, done);
  cpu_begin_block(e, done);
  e->n_rows = n_rows; // both ways keep what is known
}

void cpu_end_streams(CpuEmit *e) {
  if (e->plan->may_stream && e->target->is_x86)
    cpu_intrinsic(e, "llvm.x86.sse.sfence", NULL, 0, NULL, 0);
}
