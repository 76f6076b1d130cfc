// SPDX-License-Identifier: Apache-2.0
// Barriers of groups: sync and its two halves, up to the cluster and grid.
//
// A barrier of a part of the block is a row in HdCpuBlock.barriers that its
// strands count in place; those of cluster and grid are counted by the
// runtime. A token is the generation before the arrival.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

static LLVMValueRef strand_value(CpuEmit *e, CpuLeaf leaf) {
  LLVMValueRef lane = e->first_lane ? e->first_lane : cpu_i32(e, 0);
  LLVMValueRef v = cpu_at_lane(e, leaf, lane);
  return LLVMBuildIntCast2(e->b, v, e->i32, 1, CPU_NAME);
}

// Block rank of the first thread of the strand's part.
static LLVMValueRef first_of_part(CpuEmit *e, const IrGroup *group) {
  if (code_is_scattered(group)) {
    LLVMValueRef mask = cpu_part_mask(e, group);
    LLVMValueRef args[2] = {mask, LLVMConstInt(e->i1, 1, 0)};
    LLVMValueRef lane = cpu_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);
    LLVMValueRef warp = LLVMBuildAnd(e->b, cpu_first_thread(e),
                                     cpu_i32(e, -CPU_WARP), CPU_NAME);
    return LLVMBuildAdd(e->b, warp, lane, CPU_NAME);
  }
  return LLVMBuildSub(e->b, strand_value(e, e->ranks[GROUP_ROW_BLOCK]),
                      strand_value(e, cpu_group_rank(e, group)), CPU_NAME);
}

// 2 * log2 of the next power of two, less 1 if the size is none: 0 for 1, 2 for
// 2, 3 for 3, 4 for 4, 5 for 5 to 7.
static LLVMValueRef cpu_barrier_level_of_size(CpuEmit *e, LLVMValueRef size) {
  LLVMValueRef less = LLVMBuildSub(e->b, size, cpu_i32(e, 1), CPU_NAME);
  LLVMValueRef args[2] = {less, LLVMConstInt(e->i1, 0, 0)};
  LLVMValueRef zeros = cpu_intrinsic(e, "llvm.ctlz", &e->i32, 1, args, 2);
  LLVMValueRef log2 = LLVMBuildSub(e->b, cpu_i32(e, 32), zeros, CPU_NAME);
  LLVMValueRef common = LLVMBuildAnd(e->b, size, less, CPU_NAME);
  LLVMValueRef is_between =
      LLVMBuildICmp(e->b, LLVMIntNE, common, cpu_i32(e, 0), CPU_NAME);
  return LLVMBuildSub(e->b, LLVMBuildShl(e->b, log2, cpu_i32(e, 1), CPU_NAME),
                      LLVMBuildZExt(e->b, is_between, e->i32, CPU_NAME),
                      CPU_NAME);
}

LLVMValueRef cpu_barrier_row(CpuEmit *e, const IrGroup *group) {
  const CpuBarrierRows *rows = &e->plan->barriers[group->id];
  LLVMValueRef row = cpu_i32(e, 0);
  if (rows->is_by_begin) {
    row = first_of_part(e, group);
    // A begin before the first thread is the program's mistake; the barrier
    // stays one of ours.
    LLVMValueRef zero = cpu_i32(e, 0);
    LLVMValueRef is_before =
        LLVMBuildICmp(e->b, LLVMIntSLT, row, zero, CPU_NAME);
    row = LLVMBuildSelect(e->b, is_before, zero, row, CPU_NAME);
    row = LLVMBuildLShr(e->b, row, cpu_i32(e, rows->shift), CPU_NAME);
    if (rows->n_levels > 1) {
      LLVMValueRef level =
          cpu_barrier_level_of_size(e, cpu_barrier_threads(e, group));
      LLVMValueRef by = cpu_i32(e, rows->n_rows / rows->n_levels);
      level = LLVMBuildMul(e->b, level, by, CPU_NAME);
      row = LLVMBuildAdd(e->b, row, level, CPU_NAME);
    }
  } else if (rows->n_rows > 1) {
    row = strand_value(e, cpu_group_instance(e, group));
  }
  return LLVMBuildAdd(e->b, row, cpu_i32(e, rows->first), CPU_NAME);
}

// Some strands hold whole parts of the group, and others are pieces of one:
// tiles of a size that is known at run time, and groups that others cut. NULL:
// all are pieces.
static LLVMValueRef reaches_over(CpuEmit *e, const IrGroup *group) {
  int64_t size;
  bool is_moving = group->kind == GROUP_TILED && !code_tile_size(group, &size);
  if (e->lanes == 1 || group->kind <= GROUP_BLOCK)
    return NULL;
  if (is_moving) {
    LLVMValueRef n = strand_value(e, cpu_leaf(e, group->maker->args[0], 0));
    return LLVMBuildICmp(e->b, LLVMIntSGT, n, cpu_i32(e, CPU_WARP), CPU_NAME);
  }
  if (code_parts_of(e->plan->parts, group) == NULL ||
      cpu_is_one_part(e->plan, group))
    return NULL;
  LLVMValueRef n = strand_value(e, cpu_group_threads(e, group));
  return LLVMBuildICmp(e->b, LLVMIntSGT, n, e->n_active, CPU_NAME);
}

// Goes to the block that is returned unless the group's barrier is needed;
// NULL: it always is.
static LLVMBasicBlockRef skip_if_within(CpuEmit *e, const IrGroup *group) {
  LLVMValueRef is_needed = reaches_over(e, group);
  if (is_needed == NULL)
    return NULL;
  LLVMBasicBlockRef meets = cpu_new_block(e, "meets");
  LLVMBasicBlockRef end = cpu_new_block(e, "met");
  LLVMBuildCondBr(e->b, is_needed, meets, end);
  cpu_begin_block(e, meets);
  return end;
}

static void cpu_barrier_skip_end(CpuEmit *e, LLVMBasicBlockRef end) {
  if (end == NULL)
    return;
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

typedef struct {
  uint32_t kind;
  bool is_own; // orders nothing that the program can see
  LLVMValueRef row, word, generation;
  LLVMValueRef barrier;
} Barrier;

static Barrier wide_barrier(CpuEmit *e, const IrGroup *group) {
  bool is_grid = group->kind == GROUP_GRID;
  size_t field = offsetof(HdCpuBlock, wide) + is_grid * sizeof(void *);
  return (Barrier){.kind = is_grid ? HD_CPU_WAIT_GRID : HD_CPU_WAIT_CLUSTER,
                   .word = cpu_field(e, e->ptr, e->block, field)};
}

static Barrier cpu_barrier_of(CpuEmit *e, const IrGroup *group) {
  if (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER)
    return wide_barrier(e, group);
  Barrier b = {.kind = HD_CPU_WAIT_BARRIER};
  b.row = cpu_barrier_row(e, group);
  LLVMValueRef barriers =
      cpu_field(e, e->ptr, e->block, offsetof(HdCpuBlock, barriers));
  LLVMValueRef offset =
      LLVMBuildMul(e->b, LLVMBuildSExt(e->b, b.row, e->i64, CPU_NAME),
                   cpu_i64(e, sizeof(HdCpuBarrier)), CPU_NAME);
  b.barrier = LLVMBuildGEP2(e->b, e->i8, barriers, &offset, 1, CPU_NAME);
  b.word = cpu_byte_offset(e, b.barrier,
                           (int64_t)offsetof(HdCpuBarrier, generation));
  return b;
}

static LLVMValueRef load_generation(CpuEmit *e, const Barrier *b) {
  LLVMValueRef load = LLVMBuildLoad2(e->b, e->i32, b->word, CPU_NAME);
  if (b->barrier == NULL) { // other workers raise it
    LLVMSetOrdering(load, LLVMAtomicOrderingAcquire);
    LLVMSetAlignment(load, sizeof(int32_t));
  }
  return load;
}

static LLVMValueRef wide_arrive(CpuEmit *e, const Barrier *b) {
  cpu_end_streams(e);
  LLVMTypeRef types[3] = {e->ptr, e->i32, e->i32};
  LLVMTypeRef type = LLVMFunctionType(e->i32, types, 3, 0);
  int which = b->kind == HD_CPU_WAIT_GRID ? HD_CPU_WIDE_GRID : 0;
  which |= b->is_own ? HD_CPU_WIDE_OWN : 0;
  LLVMValueRef args[3] = {e->block, cpu_i32(e, which), e->n_active};
  LLVMValueRef service =
      cpu_service(e, offsetof(HdCpuServices, wide_arrive) / sizeof(void *));
  return LLVMBuildCall2(e->b, type, service, args, 3, CPU_NAME);
}

LLVMValueRef cpu_barrier_threads(CpuEmit *e, const IrGroup *group) {
  uint32_t n = e->plan->barriers[group->id].n_threads;
  return n > 0 ? cpu_i32(e, n) : strand_value(e, cpu_group_threads(e, group));
}

static LLVMValueRef count_of_part(CpuEmit *e, const IrGroup *group,
                                  const Barrier *b) {
  LLVMValueRef size = cpu_barrier_threads(e, group);
  if (e->plan->barriers[group->id].n_threads > 0)
    return size;
  cpu_set_field(e, size, b->barrier, offsetof(HdCpuBarrier, expected));
  return size;
}

// The strand's threads arrive. Ends in a block for those that have to wait;
// `together` is where the last one goes on, and is not begun yet.
static LLVMBasicBlockRef cpu_barrier_arrive(CpuEmit *e, const IrGroup *group,
                                            Barrier *b) {
  LLVMBasicBlockRef last = cpu_new_block(e, "last");
  LLVMBasicBlockRef waits = cpu_new_block(e, "waits");
  LLVMBasicBlockRef together = cpu_new_block(e, "together");
  if (b->barrier == NULL) {
    b->generation = wide_arrive(e, b);
    LLVMValueRef is_last = LLVMBuildICmp(e->b, LLVMIntNE, b->generation,
                                         load_generation(e, b), CPU_NAME);
    LLVMDeleteBasicBlock(last);
    LLVMBuildCondBr(e->b, is_last, together, waits);
    cpu_begin_block(e, waits);
    return together;
  }
  LLVMValueRef arrived =
      cpu_field(e, e->i32, b->barrier, offsetof(HdCpuBarrier, arrived));
  arrived = LLVMBuildAdd(e->b, arrived, e->n_active, CPU_NAME);
  b->generation = load_generation(e, b);
  LLVMValueRef is_last = LLVMBuildICmp(e->b, LLVMIntEQ, arrived,
                                       count_of_part(e, group, b), CPU_NAME);
  LLVMBuildCondBr(e->b, is_last, last, waits);
  cpu_begin_block(e, last);
  cpu_set_field(e, cpu_i32(e, 0), b->barrier, offsetof(HdCpuBarrier, arrived));
  LLVMBuildStore(e->b,
                 LLVMBuildAdd(e->b, b->generation, cpu_i32(e, 1), CPU_NAME),
                 b->word);
  cpu_count_progress(e, cpu_i64(e, 1));
  LLVMBuildBr(e->b, together);
  cpu_begin_block(e, waits);
  cpu_set_field(e, arrived, b->barrier, offsetof(HdCpuBarrier, arrived));
  return together;
}

static void wait_for(CpuEmit *e, const Barrier *b, uint32_t kind,
                     LLVMValueRef generation, IrLocId loc) {
  CpuWaitFor wait = {.kind = kind, .word = b->word, .value = generation};
  wait.row = b->row;
  cpu_coro_wait(e, &wait, loc);
}

void cpu_sync_group(CpuEmit *e, const IrGroup *group, IrLocId loc,
                    bool is_own) {
  // Within a strand program order is enough.
  if (!e->is_coroutine || !cpu_needs_barrier(e->plan, group))
    return;
  LLVMBasicBlockRef end = skip_if_within(e, group);
  Barrier b = cpu_barrier_of(e, group);
  b.is_own = is_own;
  LLVMBasicBlockRef together = cpu_barrier_arrive(e, group, &b);
  wait_for(e, &b, b.kind, b.generation, loc);
  LLVMBuildBr(e->b, together);
  cpu_begin_block(e, together);
  cpu_barrier_skip_end(e, end);
}

static void emit_arrive(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  LLVMValueRef token = cpu_i32(e, 0);
  if (e->is_coroutine && cpu_needs_barrier(e->plan, group)) {
    LLVMValueRef slot = cpu_alloca(e, e->i32);
    LLVMBuildStore(e->b, token, slot);
    LLVMBasicBlockRef end = skip_if_within(e, group);
    Barrier b = cpu_barrier_of(e, group);
    LLVMBasicBlockRef together = cpu_barrier_arrive(e, group, &b);
    LLVMBuildBr(e->b, together);
    cpu_begin_block(e, together);
    LLVMBuildStore(e->b, b.generation, slot);
    cpu_barrier_skip_end(e, end);
    token = cpu_load_slot(e, e->i32, slot);
  }
  bool is_scalar = cpu_node_shape(e->plan, node).kind == CPU_UNIFORM;
  cpu_set_value(e, node, 0, is_scalar ? token : cpu_splat(e, token));
}

static void emit_wait(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  if (!e->is_coroutine || !cpu_needs_barrier(e->plan, group))
    return;
  LLVMBasicBlockRef end = skip_if_within(e, group);
  Barrier b = cpu_barrier_of(e, group);
  LLVMValueRef token = strand_value(e, cpu_leaf(e, node->args[0], 0));
  LLVMBasicBlockRef waits = cpu_new_block(e, "waits");
  LLVMBasicBlockRef together = cpu_new_block(e, "together");
  LLVMValueRef is_open =
      LLVMBuildICmp(e->b, LLVMIntEQ, token, load_generation(e, &b), CPU_NAME);
  LLVMBuildCondBr(e->b, is_open, waits, together);
  cpu_begin_block(e, waits);
  uint32_t kind =
      b.kind == HD_CPU_WAIT_BARRIER ? (uint32_t)HD_CPU_WAIT_TOKEN : b.kind;
  wait_for(e, &b, kind, token, node->loc);
  LLVMBuildBr(e->b, together);
  cpu_begin_block(e, together);
  cpu_barrier_skip_end(e, end);
}

void cpu_emit_barrier(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  bool has_checks = e->plan->has_checks;
  bool is_own = (node->flags & NODE_OWN) != 0;
  if (cpu_is_kept_sync(node) && has_checks)
    (is_own ? cpu_tell_meeting : cpu_tell_sync)(e, group);
  if (node->op == IR_ARRIVE && has_checks)
    cpu_tell_half(e, group, true);
  if (node->op == IR_ARRIVE)
    emit_arrive(e, node);
  else if (node->op == IR_WAIT)
    emit_wait(e, node);
  if (node->op == IR_WAIT && has_checks)
    cpu_tell_half(e, group, false);
  if (cpu_is_kept_sync(node))
    cpu_sync_group(e, node->u.group.group, node->loc, is_own);
}
