// SPDX-License-Identifier: Apache-2.0
// copy_async, copy_bytes and memcpy_async, and what waits for asynchronous
// copies.
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

static void nvptx_copy_commit(NvEmit *e) {
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

static LLVMValueRef nvptx_copy_smaller(NvEmit *e, LLVMValueRef a,
                                       LLVMValueRef b) {
  LLVMValueRef args[2] = {a, b};
  return nv_intrinsic(e, "llvm.umin", &e->i32, 1, args, 2);
}

// Which chunks a copy may have, from what is known of both addresses.
typedef struct {
  LLVMValueRef is_16, is_4;
  uint32_t align_bytes;
} Widths;

static Widths widths_of(NvEmit *e, LLVMValueRef to, LLVMValueRef from,
                        uint32_t align_bytes) {
  LLVMValueRef yes = LLVMConstInt(e->i1, 1, 0);
  LLVMValueRef differ =
      LLVMBuildXor(e->b, address_i32(e, to), address_i32(e, from), NV_NAME);
  LLVMValueRef is_16 = align_bytes >= 16 ? yes : same_rest(e, differ, 16);
  LLVMValueRef is_4 = align_bytes >= 4 ? yes : same_rest(e, differ, 4);
  is_4 = LLVMBuildAnd(e->b, is_4, LLVMBuildNot(e->b, is_16, NV_NAME), NV_NAME);
  return (Widths){is_16, is_4, align_bytes};
}

// Without a width all bytes are the tail.
static Cut cut_bytes(NvEmit *e, LLVMValueRef to, LLVMValueRef from,
                     LLVMValueRef n, const Widths *widths) {
  LLVMBuilderRef b = e->b;
  LLVMValueRef zero = nv_i32(e, 0), is_16 = widths->is_16;
  int64_t unit = widths->align_bytes;
  LLVMValueRef shift =
      LLVMBuildSelect(b, is_16, nv_i32(e, 4), nv_i32(e, 2), NV_NAME);
  LLVMValueRef mask = LLVMBuildSelect(b, is_16, nv_i32(e, 15 & -unit),
                                      nv_i32(e, 3 & -unit), NV_NAME);
  LLVMValueRef head = LLVMBuildNeg(b, address_i32(e, to), NV_NAME);
  head = nvptx_copy_smaller(e, LLVMBuildAnd(b, head, mask, NV_NAME), n);
  LLVMValueRef chunks =
      LLVMBuildLShr(b, LLVMBuildSub(b, n, head, NV_NAME), shift, NV_NAME);
  LLVMValueRef is_cut = LLVMBuildOr(b, is_16, widths->is_4, NV_NAME);
  Cut cut = {.to = to, .from = from};
  cut.n_head = LLVMBuildSelect(b, is_cut, head, zero, NV_NAME);
  cut.n_chunks = LLVMBuildSelect(b, is_cut, chunks, zero, NV_NAME);
  cut.tail = LLVMBuildShl(b, cut.n_chunks, shift, NV_NAME);
  cut.tail = LLVMBuildAdd(b, cut.n_head, cut.tail, NV_NAME);
  cut.n_tail = LLVMBuildSub(b, n, cut.tail, NV_NAME);
  return cut;
}

static LLVMValueRef nvptx_copy_moved(NvEmit *e, LLVMValueRef p,
                                     LLVMValueRef offset) {
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
      LLVMBuildLoad2(e->b, e->i8, nvptx_copy_moved(e, cut->from, at), NV_NAME);
  LLVMBuildStore(e->b, v, nvptx_copy_moved(e, cut->to, at));
  nv_turns_end(e, &turns);
}

static void copy_chunks(NvEmit *e, const Cut *cut, const NvThreads *threads,
                        uint32_t width, LLVMValueRef is_so) {
  NvIf place = nv_if(e, is_so);
  NvTurns turns =
      nv_turns_begin(e, threads->rank, threads->size, cut->n_chunks);
  LLVMValueRef at = LLVMBuildMul(e->b, turns.number, nv_i32(e, width), NV_NAME);
  at = LLVMBuildAdd(e->b, at, cut->n_head, NV_NAME);
  nv_cp_async(e, nvptx_copy_moved(e, cut->to, at),
              nvptx_copy_moved(e, cut->from, at), width, NULL);
  nv_turns_end(e, &turns);
  nv_end_if(e, place);
}

// Shared memory is smaller than 4 GiB: so is the number of bytes.
static LLVMValueRef byte_count(NvEmit *e, LLVMValueRef bytes) {
  LLVMValueRef args[2] = {bytes, nv_i64(e, 0)};
  bytes = nv_intrinsic(e, "llvm.smax", &e->i64, 1, args, 2);
  return LLVMBuildTrunc(e->b, bytes, e->i32, NV_NAME);
}

static LLVMValueRef to_shared(NvEmit *e, const IrNode *node) {
  return LLVMBuildAddrSpaceCast(e->b, nv_arg(e, node, 0),
                                e->ptr[NV_SPACE_SHARED], NV_NAME);
}

static LLVMValueRef from_global(NvEmit *e, const IrNode *node) {
  return LLVMBuildAddrSpaceCast(e->b, nv_arg(e, node, 1),
                                e->ptr[NV_SPACE_GLOBAL], NV_NAME);
}

// The bytes at the ends that were copied by loads and stores.
static LLVMValueRef copy_row(NvEmit *e, const IrNode *node,
                             const NvThreads *threads, uint32_t align_bytes) {
  LLVMValueRef to = to_shared(e, node), from = from_global(e, node);
  Widths widths = widths_of(e, to, from, align_bytes);
  Cut cut = cut_bytes(e, to, from, byte_count(e, nv_arg(e, node, 2)), &widths);
  copy_chunks(e, &cut, threads, 16, widths.is_16);
  copy_chunks(e, &cut, threads, 4, widths.is_4);
  copy_ends(e, &cut, threads);
  return LLVMBuildAdd(e->b, cut.n_head, cut.n_tail, NV_NAME);
}

static void emit_memcpy(NvEmit *e, const IrNode *node) {
  NvThreads threads = nv_threads_of(e, node->u.group.group);
  (void)copy_row(e, node, &threads, 1);
  nvptx_copy_commit(e);
}

// ---------------------------------------------- copies that one thread makes

// All bytes at once by a single cp.async: 4, 8 or 16 of them, on addresses that
// are multiples of that.
static int64_t width_at_once(const IrNode *node) {
  int64_t n = 0;
  bool is_one =
      node->u.copy.group->size == 1 && code_const_int(node->args[2], &n);
  return is_one && (n == 4 || n == 8 || n == 16) ? n : 0;
}

static void copy_each_byte(NvEmit *e, LLVMValueRef to, LLVMValueRef from,
                           int64_t n) {
  LLVMValueRef bytes[16];
  for (int64_t i = 0; i < n; i++)
    bytes[i] = LLVMBuildLoad2(e->b, e->i8,
                              nvptx_copy_moved(e, from, nv_i32(e, i)), NV_NAME);
  for (int64_t i = 0; i < n; i++)
    LLVMBuildStore(e->b, bytes[i], nvptx_copy_moved(e, to, nv_i32(e, i)));
}

static void fence_block(NvEmit *e) {
  nv_asm(e, e->none, "fence.acq_rel.cta;", "", NULL, 0, true);
}

// Without the alignment that its type has, a test decides.
static void copy_at_once(NvEmit *e, const IrNode *node, int64_t n) {
  LLVMValueRef to = to_shared(e, node), from = from_global(e, node);
  if (node->u.copy.align_bytes >= n) {
    nv_cp_async(e, to, from, (uint32_t)n, NULL);
    return;
  }
  LLVMValueRef bits =
      LLVMBuildOr(e->b, address_i32(e, to), address_i32(e, from), NV_NAME);
  LLVMValueRef is_aligned = same_rest(e, bits, n);
  NvIf wide = nv_if(e, is_aligned);
  nv_cp_async(e, to, from, (uint32_t)n, NULL);
  nv_end_if(e, wide);
  NvIf narrow = nv_if(e, LLVMBuildNot(e->b, is_aligned, NV_NAME));
  copy_each_byte(e, to, from, n);
  if (node->u.copy.barrier)
    fence_block(e);
  nv_end_if(e, narrow);
}

// The phase that is current waits for what the thread has copied so far. What
// it stored itself it may publish by nothing else.
static void join_phase(NvEmit *e, const NvBarrier *barrier) {
  if (barrier->is_counted) {
    nv_intrinsic(e, "llvm.nvvm.cp.async.wait.all", NULL, 0, NULL, 0);
    nv_barrier_landed(e, barrier, nv_i32(e, 1));
    return;
  }
  LLVMValueRef at = barrier->at;
  nv_intrinsic(e, "llvm.nvvm.cp.async.mbarrier.arrive.shared", NULL, 0, &at, 1);
}

static void emit_copy_bytes(NvEmit *e, const IrNode *node) {
  enum { FIRST_INDEX = 3 };

  const IrObject *object = node->u.copy.barrier;
  NvBarrier barrier;
  if (object) {
    barrier = nv_barrier_at(e, object, node, FIRST_INDEX);
    if (barrier.is_counted)
      nv_barrier_expect(e, &barrier, nv_i32(e, 1));
  }
  int64_t width = width_at_once(node);
  if (width) {
    copy_at_once(e, node, width);
  } else {
    NvThreads threads = nv_threads_of(e, node->u.copy.group);
    LLVMValueRef n_ends = copy_row(e, node, &threads, node->u.copy.align_bytes);
    if (object) {
      NvIf stored = nv_if(
          e, LLVMBuildICmp(e->b, LLVMIntNE, n_ends, nv_i32(e, 0), NV_NAME));
      fence_block(e);
      nv_end_if(e, stored);
    }
  }
  if (object)
    join_phase(e, &barrier);
}

// Otherwise the hardware would end all that runs on the device.
static void nvptx_copy_test_16(NvEmit *e, const IrNode *node, LLVMValueRef to,
                               LLVMValueRef from, LLVMValueRef n_bytes) {
  LLVMValueRef bits = LLVMBuildOr(
      e->b, LLVMBuildTrunc(e->b, from, e->i32, NV_NAME), to, NV_NAME);
  bits = LLVMBuildAnd(e->b, LLVMBuildOr(e->b, bits, n_bytes, NV_NAME),
                      nv_i32(e, 15), NV_NAME);
  NvIf place =
      nv_if(e, LLVMBuildICmp(e->b, LLVMIntNE, bits, nv_i32(e, 0), NV_NAME));
  nv_fault(e, HD_CUDA_FAULT_TRAP, node->loc,
           "both addresses and the number of bytes must be multiples of 16");
  nv_begin_block(e, place.after);
}

// The engine; without it, the thread itself.
static void emit_copy_bulk(NvEmit *e, const IrNode *node) {
  enum { FIRST_INDEX = 3 };

  NvBarrier barrier = nv_barrier_at(e, node->u.copy.barrier, node, FIRST_INDEX);
  LLVMValueRef n = byte_count(e, nv_arg(e, node, 2));
  LLVMValueRef to = nv_shared_u32(e, to_shared(e, node));
  LLVMValueRef from =
      LLVMBuildPtrToInt(e->b, from_global(e, node), e->i64, NV_NAME);
  nvptx_copy_test_16(e, node, to, from, n);
  if (barrier.is_counted) {
    NvThreads alone = {nv_i32(e, 0), nv_i32(e, 1)};
    (void)copy_row(e, node, &alone, node->u.copy.align_bytes);
    nv_intrinsic(e, "llvm.nvvm.cp.async.wait.all", NULL, 0, NULL, 0);
    if (e->sm >= 90)
      nv_intrinsic(e, "llvm.nvvm.fence.proxy.async", NULL, 0, NULL, 0);
    nv_barrier_landed(e, &barrier, n);
    return;
  }
  LLVMValueRef args[4] = {to, from, n, nv_shared_u32(e, barrier.at)};
  nv_asm(e, e->none,
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
         "[$0], [$1], $2, [$3];",
         "r,l,r,r", args, 4, true);
}

// Without the engine, the thread itself: 16 bytes at a time.
static void store_by_thread(NvEmit *e, LLVMValueRef to, LLVMValueRef from,
                            LLVMValueRef n_bytes) {
  LLVMTypeRef four = LLVMVectorType(e->i32, 4);
  LLVMValueRef n = LLVMBuildLShr(e->b, n_bytes, nv_i32(e, 4), NV_NAME);
  NvTurns turns = nv_turns_begin(e, nv_i32(e, 0), nv_i32(e, 1), n);
  LLVMValueRef at = LLVMBuildShl(e->b, turns.number, nv_i32(e, 4), NV_NAME);
  LLVMValueRef v =
      LLVMBuildLoad2(e->b, four, nvptx_copy_moved(e, from, at), NV_NAME);
  LLVMBuildStore(e->b, v, nvptx_copy_moved(e, to, at));
  nv_turns_end(e, &turns);
}

static void emit_bulk_store(NvEmit *e, const IrNode *node) {
  LLVMValueRef n = byte_count(e, nv_arg(e, node, 2));
  LLVMValueRef to = LLVMBuildAddrSpaceCast(e->b, nv_arg(e, node, 0),
                                           e->ptr[NV_SPACE_GLOBAL], NV_NAME);
  LLVMValueRef from = LLVMBuildAddrSpaceCast(e->b, nv_arg(e, node, 1),
                                             e->ptr[NV_SPACE_SHARED], NV_NAME);
  LLVMValueRef shared = nv_shared_u32(e, from);
  LLVMValueRef global = LLVMBuildPtrToInt(e->b, to, e->i64, NV_NAME);
  nvptx_copy_test_16(e, node, shared, global, n);
  if (e->sm < 90) {
    store_by_thread(e, to, from, n);
    return;
  }
  LLVMValueRef args[3] = {global, shared, n};
  nv_asm(e, e->none,
         "cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;", "l,r,r",
         args, 3, true);
}

static void nvptx_copy_emit_memcpy_wait(NvEmit *e, const IrNode *node) {
  int64_t n = 0;
  code_const_int(node->args[0], &n);
  wait_sets(e, n > 0 ? n : 0);
  nv_sync_group(e, node->u.group.group, node);
}

// -------------------------------------------------------------- dispatch

void nv_emit_copy(NvEmit *e, const IrNode *node) {
  switch (ir_copy_op(node->op)) {
  case IR_COPY_ASYNC: emit_copy_async(e, node); break;
  case IR_COPY_BULK: emit_copy_bulk(e, node); break;
  case IR_BULK_STORE: emit_bulk_store(e, node); break;
  case IR_COPY_BYTES: emit_copy_bytes(e, node); break;
  case IR_COPY_COMMIT: nvptx_copy_commit(e); break;
  case IR_COPY_WAIT: wait_sets(e, node->u.index.number); break;
  case IR_WGMMA_FENCE: nv_unit_fence(e, node); break;
  case IR_WGMMA_COMMIT: nv_unit_commit(e); break;
  case IR_WGMMA_WAIT: nv_unit_wait(e, node); break;
  case IR_WGMMA_READ: break; // products are made by threads
  case IR_TENSOR_FENCE: nv_tensor_fence(e); break;
  case IR_TENSOR_ALLOC: nv_tensor_alloc(e, node); break;
  case IR_TENSOR_DEALLOC: nv_tensor_dealloc(e, node); break;
  case IR_TENSOR_TOUCH: break; // of runs with checks
  case IR_MEMCPY_ASYNC: emit_memcpy(e, node); break;
  case IR_MEMCPY_WAIT: nvptx_copy_emit_memcpy_wait(e, node); break;
  case IR_TMA_LOAD:
  case IR_TMA_STORE:
  case IR_TMA_REDUCE:
  case IR_TMA_COMMIT:
  case IR_TMA_WAIT:
  case IR_TMA_WAIT_READ: nv_emit_bulk(e, node); break;
  }
}
