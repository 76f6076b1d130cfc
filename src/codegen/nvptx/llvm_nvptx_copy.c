// SPDX-License-Identifier: Apache-2.0
// copy_async and memcpy_async, and what waits for asynchronous copies.
//
// Note [Sets of copies]
// A thread has one row of cp.async groups. copy_commit closes one, and so does
// each memcpy_async: waiting until all but the newest n are done leaves at most
// the newest n of either kind under way, whatever stands between them. Copies
// that threads make by loads and stores are done at once.
#include "codegen/nvptx/llvm_nvptx.h"

NvThreads nv_threads_of(NvEmit *e, const IrGroup *group) {
  return (NvThreads){
      LLVMBuildIntCast2(e->b, nv_group_rank(e, group), e->i32, 1, NV_NAME),
      LLVMBuildIntCast2(e->b, nv_group_size(e, group), e->i32, 1, NV_NAME)};
}

static void commit(NvEmit *e) {
  nv_intrinsic(e, "llvm.nvvm.cp.async.commit.group", NULL, 0, NULL, 0);
}

// All but the newest n sets of the thread.
static void wait_sets(NvEmit *e, int64_t n) {
  LLVMValueRef count = nv_i32(e, n);
  nv_intrinsic(e, "llvm.nvvm.cp.async.wait.group", NULL, 0, &count, 1);
}

// The thread arrives, once the copies that it made have landed.
void nv_arrive_when_landed(NvEmit *e, const NvBarrier *barrier, bool is_async) {
  if (is_async && !barrier->is_counted) {
    LLVMValueRef at = barrier->at;
    nv_intrinsic(e, "llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared", NULL, 0,
                 &at, 1);
    return;
  }
  if (is_async)
    nv_intrinsic(e, "llvm.nvvm.cp.async.wait.all", NULL, 0, NULL, 0);
  nv_barrier_arrive(e, barrier, nv_i32(e, 1));
}

static void emit_copy_async(NvEmit *e, const IrNode *node) {
  const IrObject *object = node->u.copy.barrier;
  uint32_t first =
      node->u.copy.to.object->rank + node->u.copy.from.object->rank;
  NvThreads threads = nv_threads_of(e, node->u.copy.group);
  NvRows rows = nv_rows_of(e, node);
  NvBarrier barrier;
  if (object)
    barrier = nv_barrier_at(e, object, node, first);
  nv_copy_rows(e, &rows, &threads, true, object ? &barrier : NULL);
}

// ---------------------------------------------------------- rows of bytes

// A copy of bytes cut into chunks of `width` where both addresses leave the
// same rest, and what is left at its two ends.
typedef struct {
  LLVMValueRef to, from; // in shared and global memory
  LLVMValueRef n_chunks, n_head, n_tail, tail;
} Cut;

static LLVMValueRef address_i32(NvEmit *e, LLVMValueRef p) {
  p = LLVMBuildPtrToInt(e->b, p, e->i64, NV_NAME);
  return LLVMBuildTrunc(e->b, p, e->i32, NV_NAME);
}

static LLVMValueRef same_rest(NvEmit *e, LLVMValueRef differ, int64_t width) {
  LLVMValueRef low = LLVMBuildAnd(e->b, differ, nv_i32(e, width - 1), NV_NAME);
  return LLVMBuildICmp(e->b, LLVMIntEQ, low, nv_i32(e, 0), NV_NAME);
}

static LLVMValueRef smaller(NvEmit *e, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef args[2] = {a, b};
  return nv_intrinsic(e, "llvm.umin", &e->i32, 1, args, 2);
}

// Without a width all bytes are the tail.
static Cut cut_bytes(NvEmit *e, LLVMValueRef to, LLVMValueRef from,
                     LLVMValueRef n, LLVMValueRef is_16, LLVMValueRef is_4) {
  LLVMBuilderRef b = e->b;
  LLVMValueRef zero = nv_i32(e, 0);
  LLVMValueRef shift =
      LLVMBuildSelect(b, is_16, nv_i32(e, 4), nv_i32(e, 2), NV_NAME);
  LLVMValueRef mask =
      LLVMBuildSelect(b, is_16, nv_i32(e, 15), nv_i32(e, 3), NV_NAME);
  LLVMValueRef head = LLVMBuildNeg(b, address_i32(e, to), NV_NAME);
  head = smaller(e, LLVMBuildAnd(b, head, mask, NV_NAME), n);
  LLVMValueRef chunks =
      LLVMBuildLShr(b, LLVMBuildSub(b, n, head, NV_NAME), shift, NV_NAME);
  LLVMValueRef is_cut = LLVMBuildOr(b, is_16, is_4, NV_NAME);
  Cut cut = {.to = to, .from = from};
  cut.n_head = LLVMBuildSelect(b, is_cut, head, zero, NV_NAME);
  cut.n_chunks = LLVMBuildSelect(b, is_cut, chunks, zero, NV_NAME);
  cut.tail = LLVMBuildShl(b, cut.n_chunks, shift, NV_NAME);
  cut.tail = LLVMBuildAdd(b, cut.n_head, cut.tail, NV_NAME);
  cut.n_tail = LLVMBuildSub(b, n, cut.tail, NV_NAME);
  return cut;
}

static LLVMValueRef moved(NvEmit *e, LLVMValueRef p, LLVMValueRef offset) {
  offset = LLVMBuildZExt(e->b, offset, e->i64, NV_NAME);
  return LLVMBuildGEP2(e->b, e->i8, p, &offset, 1, NV_NAME);
}

static void copy_ends(NvEmit *e, const Cut *cut, const NvThreads *threads) {
  LLVMValueRef n = LLVMBuildAdd(e->b, cut->n_head, cut->n_tail, NV_NAME);
  NvTurns turns = nv_turns_begin(e, threads->rank, threads->size, n);
  LLVMValueRef i = turns.number;
  LLVMValueRef is_head =
      LLVMBuildICmp(e->b, LLVMIntULT, i, cut->n_head, NV_NAME);
  LLVMValueRef behind = LLVMBuildSub(e->b, i, cut->n_head, NV_NAME);
  behind = LLVMBuildAdd(e->b, behind, cut->tail, NV_NAME);
  LLVMValueRef at = LLVMBuildSelect(e->b, is_head, i, behind, NV_NAME);
  LLVMValueRef v =
      LLVMBuildLoad2(e->b, e->i8, moved(e, cut->from, at), NV_NAME);
  LLVMBuildStore(e->b, v, moved(e, cut->to, at));
  nv_turns_end(e, &turns);
}

static void copy_chunks(NvEmit *e, const Cut *cut, const NvThreads *threads,
                        uint32_t width, LLVMValueRef is_so) {
  NvIf place = nv_if(e, is_so);
  NvTurns turns =
      nv_turns_begin(e, threads->rank, threads->size, cut->n_chunks);
  LLVMValueRef at = LLVMBuildMul(e->b, turns.number, nv_i32(e, width), NV_NAME);
  at = LLVMBuildAdd(e->b, at, cut->n_head, NV_NAME);
  nv_cp_async(e, moved(e, cut->to, at), moved(e, cut->from, at), width, NULL);
  nv_turns_end(e, &turns);
  nv_end_if(e, place);
}

// Shared memory is smaller than 4 GiB: so is the number of bytes.
static LLVMValueRef byte_count(NvEmit *e, LLVMValueRef bytes) {
  LLVMValueRef args[2] = {bytes, nv_i64(e, 0)};
  bytes = nv_intrinsic(e, "llvm.smax", &e->i64, 1, args, 2);
  return LLVMBuildTrunc(e->b, bytes, e->i32, NV_NAME);
}

static void emit_memcpy(NvEmit *e, const IrNode *node) {
  LLVMValueRef to = LLVMBuildAddrSpaceCast(e->b, nv_arg(e, node, 0),
                                           e->ptr[NV_SPACE_SHARED], NV_NAME);
  LLVMValueRef from = LLVMBuildAddrSpaceCast(e->b, nv_arg(e, node, 1),
                                             e->ptr[NV_SPACE_GLOBAL], NV_NAME);
  NvThreads threads = nv_threads_of(e, node->u.group.group);
  LLVMValueRef differ =
      LLVMBuildXor(e->b, address_i32(e, to), address_i32(e, from), NV_NAME);
  LLVMValueRef is_16 = same_rest(e, differ, 16);
  LLVMValueRef is_4 = LLVMBuildAnd(e->b, same_rest(e, differ, 4),
                                   LLVMBuildNot(e->b, is_16, NV_NAME), NV_NAME);
  Cut cut =
      cut_bytes(e, to, from, byte_count(e, nv_arg(e, node, 2)), is_16, is_4);
  copy_chunks(e, &cut, &threads, 16, is_16);
  copy_chunks(e, &cut, &threads, 4, is_4);
  copy_ends(e, &cut, &threads);
  commit(e);
}

static void emit_memcpy_wait(NvEmit *e, const IrNode *node) {
  int64_t n = 0;
  code_const_int(node->args[0], &n);
  wait_sets(e, n > 0 ? n : 0);
  nv_sync_group(e, node->u.group.group, node);
}

// -------------------------------------------------------------- dispatch

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

void nv_emit_copy(NvEmit *e, const IrNode *node) {
  switch (node->op) {
  case IR_COPY_ASYNC: emit_copy_async(e, node); break;
  case IR_COPY_COMMIT: commit(e); break;
  case IR_COPY_WAIT: wait_sets(e, node->u.index.number); break;
  case IR_MEMCPY_ASYNC: emit_memcpy(e, node); break;
  case IR_MEMCPY_WAIT: emit_memcpy_wait(e, node); break;
  default: nv_emit_bulk(e, node); break;
  }
}

#pragma GCC diagnostic pop
