// SPDX-License-Identifier: Apache-2.0
// tma_load and tma_store, by the copy engine or else by the threads that issue
// them; addresses in other blocks of the cluster.
//
// Note [Copies instead of the engine]
// Where the engine can't do a copy (nvptx_copy_plan.c), the thread or warp that
// issues it copies by loads and stores. For the program nothing changes: the
// bytes are counted on the barrier once they are there, and a fence of the
// asynchronous proxy lets the engine and the matrix unit read them, as the
// program need not fence what a tma_load brought.
#include "codegen/nvptx/llvm_nvptx.h"

enum { MOST_BLOCKS = 16 }; // of a cluster

// ---------------------------------------------------------------- clusters

LLVMValueRef nv_in_cluster(NvEmit *e, LLVMValueRef at, LLVMValueRef rank) {
  LLVMValueRef args[2] = {at, rank};
  return nv_intrinsic(e, "llvm.nvvm.mapa.shared.cluster", NULL, 0, args, 2);
}

LLVMValueRef nv_cluster_address(NvEmit *e, LLVMValueRef at, LLVMValueRef rank) {
  if (e->sm < 90)
    return nv_to_generic(e, at, NV_SPACE_SHARED);
  at = nv_in_cluster(e, at, rank);
  return nv_to_generic(e, at, NV_SPACE_CLUSTER);
}

void nv_emit_cluster(NvEmit *e, const IrNode *node) {
  LLVMValueRef args[2] = {nv_arg(e, node, 0)};
  LLVMValueRef v;
  if (node->op == IR_MAP_SHARED) {
    args[1] = nv_arg(e, node, 1);
    v = e->sm < 90 ? args[0]
                   : nv_intrinsic(e, "llvm.nvvm.mapa", NULL, 0, args, 2);
  } else {
    v = e->sm < 90 ? nv_i32(e, 0)
                   : nv_intrinsic(e, "llvm.nvvm.getctarank", NULL, 0, args, 1);
  }
  nv_set_value(e, node, 0, v);
}

// ------------------------------------------------------------- operands

typedef struct {
  const IrNode *node;
  const IrSection *global, *shared;
  uint32_t global_first, shared_first, rest; // operands
  bool is_load;
} Bulk;

static Bulk bulk_of(const IrNode *node) {
  const IrSection *to = &node->u.copy.to, *from = &node->u.copy.from;
  Bulk bulk = {.node = node, .is_load = node->op == IR_TMA_LOAD};
  uint32_t second = to->object->rank;
  bulk.global = bulk.is_load ? from : to;
  bulk.shared = bulk.is_load ? to : from;
  bulk.global_first = bulk.is_load ? second : 0;
  bulk.shared_first = bulk.is_load ? 0 : second;
  bulk.rest = second + from->object->rank;
  return bulk;
}

static LLVMValueRef nvptx_bulk_mask_of(NvEmit *e, const Bulk *bulk) {
  const IrObject *barrier = bulk->node->u.copy.barrier;
  if (!bulk->node->u.copy.has_mask)
    return NULL;
  return nv_arg(e, bulk->node, bulk->rest + (barrier ? barrier->rank : 0));
}

// The engine's coordinates have 32 bits; whatever has more is outside.
static LLVMValueRef coordinate(NvEmit *e, LLVMValueRef v, int64_t offset) {
  if (offset == 0 && LLVMTypeOf(v) == e->i32)
    return v;
  v = LLVMBuildIntCast2(e->b, v, e->i64, 1, NV_NAME);
  v = LLVMBuildAdd(e->b, v, nv_i64(e, offset), NV_NAME);
  LLVMValueRef low[2] = {v, nv_i64(e, INT32_MIN)};
  v = nv_intrinsic(e, "llvm.smax", &e->i64, 1, low, 2);
  LLVMValueRef high[2] = {v, nv_i64(e, INT32_MAX)};
  v = nv_intrinsic(e, "llvm.smin", &e->i64, 1, high, 2);
  return LLVMBuildTrunc(e->b, v, e->i32, NV_NAME);
}

// ------------------------------------------------------------- the engine

typedef struct {
  const Bulk *bulk;
  const NvBulk *plan;
  LLVMValueRef map, shared, barrier, mask;
} Engine;

static LLVMValueRef bit(NvEmit *e, bool value) {
  return LLVMConstInt(e->i1, value, 0);
}

static void load_box(NvEmit *e, const Engine *engine, LLVMValueRef to,
                     LLVMValueRef *place, uint32_t rank) {
  LLVMValueRef args[14];
  unsigned n = 0;
  LLVMTypeRef far = e->ptr[NV_SPACE_CLUSTER];
  args[n++] = LLVMBuildAddrSpaceCast(e->b, to, far, NV_NAME);
  args[n++] = engine->barrier;
  args[n++] = engine->map;
  for (uint32_t k = 0; k < rank; k++)
    args[n++] = place[k];
  args[n++] = engine->mask ? LLVMBuildTrunc(e->b, engine->mask, e->i16, NV_NAME)
                           : LLVMConstInt(e->i16, 0, 0);
  args[n++] = nv_i64(e, 0);
  args[n++] = bit(e, engine->mask != NULL);
  args[n++] = bit(e, false);
  args[n++] = nv_i32(e, 0);
  nv_intrinsic(e,
               arena_printf(e->arena,
                            "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.%ud",
                            rank),
               NULL, 0, args, n);
}

static const char *reduced_by(const IrNode *node) {
  switch (node->u.copy.rmw) {
  case RMW_SMIN:
  case RMW_UMIN: return "reduce.min";
  case RMW_SMAX:
  case RMW_UMAX: return "reduce.max";
  case RMW_AND: return "reduce.and";
  case RMW_OR: return "reduce.or";
  case RMW_XOR: return "reduce.xor";
  case RMW_ADD: // of the others nobody makes copies
  case RMW_SUB:
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  return "reduce.add";
}

static void store_box(NvEmit *e, const Engine *engine, LLVMValueRef from,
                      LLVMValueRef *place, uint32_t rank) {
  LLVMValueRef args[14];
  unsigned n = 0;
  args[n++] = from;
  args[n++] = engine->map;
  for (uint32_t k = 0; k < rank; k++)
    args[n++] = place[k];
  args[n++] = nv_i64(e, 0);
  args[n++] = bit(e, false);
  const IrNode *node = engine->bulk->node;
  bool combines = node->op == IR_TMA_REDUCE;
  nv_intrinsic(e,
               arena_printf(e->arena,
                            "llvm.nvvm.cp.async.bulk.tensor.%s.tile.%ud",
                            combines ? reduced_by(node) : "s2g", rank),
               NULL, 0, args, n);
}

// Box number `piece`, the innermost dimension counting first.
static void move_box(NvEmit *e, const Engine *engine, uint32_t piece) {
  const Bulk *bulk = engine->bulk;
  uint32_t rank = bulk->global->object->rank;
  LLVMValueRef place[5];
  int64_t bytes = 0;
  for (uint32_t k = rank; k-- > 0;) {
    int64_t i = piece % engine->plan->pieces[k];
    piece /= engine->plan->pieces[k];
    bytes += i * engine->plan->step_bytes[k];
    place[rank - 1 - k] =
        coordinate(e, nv_arg(e, bulk->node, bulk->global_first + k),
                   i * engine->plan->box[k]);
  }
  LLVMValueRef at = nv_byte_offset(e, engine->shared, bytes);
  if (bulk->is_load)
    load_box(e, engine, at, place, rank);
  else
    store_box(e, engine, at, place, rank);
}

static NvIf begin_issue(NvEmit *e, const Bulk *bulk) {
  const IrGroup *group = bulk->node->u.copy.group;
  if (group->size == 1)
    return (NvIf){0};
  LLVMValueRef rank = nv_threads_of(e, group).rank;
  return nv_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, rank, nv_i32(e, 0), NV_NAME));
}

static void end_issue(NvEmit *e, NvIf issue) {
  if (issue.after)
    nv_end_if(e, issue);
}

static void issue(NvEmit *e, const Bulk *bulk, const NvBulk *plan) {
  Engine engine = {
      .bulk = bulk, .plan = plan, .mask = nvptx_bulk_mask_of(e, bulk)};
  const IrObject *barrier = bulk->node->u.copy.barrier;
  unsigned space;
  uint32_t n_pieces = 1;
  for (uint32_t k = 0; k < bulk->global->object->rank; k++)
    n_pieces *= plan->pieces[k];
  engine.map = LLVMGetParam(e->function, plan->map + 1);
  engine.shared =
      ir_swizzle_bytes(bulk->shared->object)
          ? nv_panel_at(e, bulk->shared->object, bulk->node, bulk->shared_first)
          : nv_element(e, bulk->shared->object, bulk->node, bulk->shared_first,
                       &space);
  if (barrier)
    engine.barrier = nv_barrier_at(e, barrier, bulk->node, bulk->rest).at;
  NvIf one = begin_issue(e, bulk);
  for (uint32_t piece = 0; piece < n_pieces; piece++)
    move_box(e, &engine, piece);
  end_issue(e, one);
}

// --------------------------- Note [Copies instead of the engine]

static uint32_t nvptx_bulk_section_bytes(const IrSection *section) {
  int64_t bytes = section->object->element_bytes;
  for (uint32_t k = 0; k < section->object->rank; k++)
    bytes *= section->length[k];
  return (uint32_t)bytes;
}

// All threads that copied have written.
static void nvptx_bulk_publish(NvEmit *e, const Bulk *bulk, bool is_async) {
  if (is_async)
    nv_intrinsic(e, "llvm.nvvm.cp.async.wait.all", NULL, 0, NULL, 0);
  if (e->sm >= 90)
    nv_intrinsic(e, "llvm.nvvm.fence.proxy.async", NULL, 0, NULL, 0);
  if (bulk->node->u.copy.group->size != 1)
    nv_sync_group(e, bulk->node->u.copy.group, bulk->node);
}

static void load_by_threads(NvEmit *e, const Bulk *bulk, const NvRows *rows,
                            const NvThreads *threads,
                            const NvBarrier *barrier) {
  nv_copy_rows(e, rows, threads, rows->is_async, NULL);
  nvptx_bulk_publish(e, bulk, rows->is_async);
  NvIf one = begin_issue(e, bulk);
  nv_barrier_landed(e, barrier,
                    nv_i32(e, nvptx_bulk_section_bytes(bulk->shared)));
  end_issue(e, one);
}

// To the same place of each block in the mask.
static void multicast_by_threads(NvEmit *e, const Bulk *bulk, NvRows rows,
                                 const NvThreads *threads, NvBarrier barrier,
                                 LLVMValueRef mask) {
  LLVMValueRef to = rows.to, at = barrier.at;
  rows.is_async = false;
  NvTurns turns =
      nv_turns_begin(e, nv_i32(e, 0), nv_i32(e, 1), nv_i32(e, MOST_BLOCKS));
  LLVMValueRef named = LLVMBuildLShr(e->b, mask, turns.number, NV_NAME);
  NvIf place = nv_if(e, LLVMBuildTrunc(e->b, named, e->i1, NV_NAME));
  rows.to = nv_in_cluster(e, to, turns.number);
  barrier.at = nv_in_cluster(e, at, turns.number);
  load_by_threads(e, bulk, &rows, threads, &barrier);
  nv_end_if(e, place);
  nv_turns_end(e, &turns);
}

static void copy_by_threads(NvEmit *e, const Bulk *bulk) {
  const IrObject *object = bulk->node->u.copy.barrier;
  NvThreads threads = nv_threads_of(e, bulk->node->u.copy.group);
  NvRows rows = nv_rows_of(e, bulk->node);
  LLVMValueRef mask = nvptx_bulk_mask_of(e, bulk);
  if (!bulk->is_load) {
    nv_copy_rows(e, &rows, &threads, false, NULL);
    if (e->sm >= 90) // the engine may read it without a fence of the program
      nv_intrinsic(e, "llvm.nvvm.fence.proxy.async.global", NULL, 0, NULL, 0);
    return;
  }
  NvBarrier barrier = nv_barrier_at(e, object, bulk->node, bulk->rest);
  if (mask && e->sm >= 90)
    multicast_by_threads(e, bulk, rows, &threads, barrier, mask);
  else
    load_by_threads(e, bulk, &rows, &threads, &barrier);
}

// --------------------------------------------------------------- dispatch

// The box begins at a multiple of 16 bytes of its row, as i1.
static LLVMValueRef nvptx_bulk_begins_aligned(NvEmit *e, const Bulk *bulk) {
  const IrObject *object = bulk->global->object;
  LLVMValueRef v = nv_arg(e, bulk->node, bulk->global_first + object->rank - 1);
  v = LLVMBuildIntCast2(e->b, v, e->i32, 1, NV_NAME);
  v = LLVMBuildMul(e->b, v, nv_i32(e, object->element_bytes), NV_NAME);
  v = LLVMBuildAnd(e->b, v, nv_i32(e, NV_ENGINE_UNIT - 1), NV_NAME);
  return LLVMBuildICmp(e->b, LLVMIntEQ, v, nv_i32(e, 0), NV_NAME);
}

// All boxes begin inside the array, as i1.
static LLVMValueRef begins_inside(NvEmit *e, const Bulk *bulk,
                                  const NvBulk *plan) {
  LLVMValueRef all = bit(e, true);
  for (uint32_t k = 0; k < bulk->global->object->rank; k++) {
    LLVMValueRef v = nv_arg(e, bulk->node, bulk->global_first + k);
    v = LLVMBuildIntCast2(e->b, v, e->i64, 1, NV_NAME);
    int64_t last = (int64_t)(plan->pieces[k] - 1) * plan->box[k];
    LLVMValueRef n = LLVMBuildSub(e->b, nv_extent(e, bulk->global->object, k),
                                  nv_i64(e, last), NV_NAME);
    LLVMValueRef is_from_0 =
        LLVMBuildICmp(e->b, LLVMIntSGE, v, nv_i64(e, 0), NV_NAME);
    LLVMValueRef is_within = LLVMBuildICmp(e->b, LLVMIntSLT, v, n, NV_NAME);
    all = LLVMBuildAnd(e->b, all, is_from_0, NV_NAME);
    all = LLVMBuildAnd(e->b, all, is_within, NV_NAME);
  }
  return all;
}

// The engine takes the boxes where they are, as i1. What it doesn't take is an
// illegal instruction: boxes from within 16 bytes on, and stores of boxes that
// begin outside of the array.
static LLVMValueRef is_for_engine(NvEmit *e, const Bulk *bulk,
                                  const NvBulk *plan) {
  LLVMValueRef is_taken = bit(e, true);
  if (!plan->is_aligned)
    is_taken = nvptx_bulk_begins_aligned(e, bulk);
  if (!bulk->is_load)
    is_taken =
        LLVMBuildAnd(e->b, is_taken, begins_inside(e, bulk, plan), NV_NAME);
  return is_taken;
}

static void emit_tma(NvEmit *e, const IrNode *node) {
  Bulk bulk = bulk_of(node);
  const NvBulk *plan = e->plan->bulk[node->id];
  if (plan == NULL) {
    copy_by_threads(e, &bulk);
    return;
  }
  if (plan->is_aligned && bulk.is_load) {
    issue(e, &bulk, plan);
    return;
  }
  LLVMBasicBlockRef engine = nv_new_block(e, "engine");
  LLVMBasicBlockRef threads = nv_new_block(e, "threads");
  LLVMBasicBlockRef end = nv_new_block(e, "copied");
  LLVMBuildCondBr(e->b, is_for_engine(e, &bulk, plan), engine, threads);
  nv_begin_block(e, engine);
  issue(e, &bulk, plan);
  LLVMBuildBr(e->b, end);
  nv_begin_block(e, threads);
  copy_by_threads(e, &bulk);
  LLVMBuildBr(e->b, end);
  nv_begin_block(e, end);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

// Stores by threads are done when they were issued.
void nv_emit_bulk(NvEmit *e, const IrNode *node) {
  LLVMValueRef n = nv_i32(e, 0);
  bool has_sets = e->plan->has_bulk_stores;
  switch (node->op) {
  case IR_TMA_COMMIT:
    if (has_sets)
      nv_intrinsic(e, "llvm.nvvm.cp.async.bulk.commit.group", NULL, 0, NULL, 0);
    break;
  case IR_TMA_WAIT:
    n = nv_i32(e, node->u.index.number);
    if (has_sets)
      nv_intrinsic(e, "llvm.nvvm.cp.async.bulk.wait.group", NULL, 0, &n, 1);
    break;
  case IR_TMA_WAIT_READ:
    n = nv_i32(e, node->u.index.number);
    if (has_sets)
      nv_intrinsic(e, "llvm.nvvm.cp.async.bulk.wait.group.read", NULL, 0, &n,
                   1);
    break;
  default: emit_tma(e, node); break;
  }
}

#pragma GCC diagnostic pop
