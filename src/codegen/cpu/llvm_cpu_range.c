// SPDX-License-Identifier: Apache-2.0
// The loop over a range of blocks.
//
// Note [Order of blocks]
// A range is a piece of the order in which blocks run. In one and two
// dimensions that is the linear order. In three, neighbours in z read the same
// planes, which are larger than the cache next to the core: there slabs of rows
// run one after the other, and within a slab x is fastest, then y, then z. The
// height is such that some planes of a slab fit. Blocks that wait for others
// start in linear order, but they are no ranges; a block that doesn't can't
// tell. Kernels that print or trap keep the linear order, as their output does.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

// Threads of a plane of a slab: with 4 bytes of each of ten planes in use, half
// of a cache of 1 MiB.
#define SLAB_THREADS 8192
#define LEAST_HEIGHT 4
#define MOST_HEIGHT  64

static bool find_effect(IrNode *node, void *context) {
  bool *found = context;
  *found |=
      node->op == IR_PRINTF || node->op == IR_TRAP || node->op == IR_ASSERT;
  return !*found;
}

static bool has_effects(const CpuEmit *e) {
  bool found = false;
  IrRegion body = e->kernel->body;
  ir_walk(&body, find_effect, &found);
  return found;
}

static bool runs_slabs(const CpuEmit *e) {
  return e->kernel->n_grid == 3 && !has_effects(e);
}

static LLVMValueRef cpu_range_add(CpuEmit *e, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAdd(e->b, a, b, CPU_NAME);
}

static LLVMValueRef cpu_range_least(CpuEmit *e, LLVMValueRef a,
                                    LLVMValueRef b) {
  LLVMValueRef less = LLVMBuildICmp(e->b, LLVMIntSLT, a, b, CPU_NAME);
  return LLVMBuildSelect(e->b, less, a, b, CPU_NAME);
}

static LLVMValueRef cpu_range_most(CpuEmit *e, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntSGT, a, b, CPU_NAME);
  return LLVMBuildSelect(e->b, more, a, b, CPU_NAME);
}

static LLVMValueRef new_slot(CpuEmit *e, LLVMValueRef value) {
  LLVMValueRef slot = cpu_alloca(e, LLVMTypeOf(value));
  LLVMBuildStore(e->b, value, slot);
  return slot;
}

// *rest / by, the remainder in *rest. `by` is positive.
static LLVMValueRef cpu_range_divide(CpuEmit *e, LLVMValueRef *rest,
                                     LLVMValueRef by) {
  LLVMValueRef quotient = LLVMBuildUDiv(e->b, *rest, by, CPU_NAME);
  *rest = LLVMBuildURem(e->b, *rest, by, CPU_NAME);
  return quotient;
}

// Rows of a slab: all where there are few.
static LLVMValueRef slab_height(CpuEmit *e, const LLVMValueRef extent[3]) {
  if (!runs_slabs(e))
    return extent[1];
  LLVMValueRef row =
      LLVMBuildMul(e->b, extent[0], cpu_i64(e, e->plan->n_threads), CPU_NAME);
  LLVMValueRef height =
      LLVMBuildUDiv(e->b, cpu_i64(e, SLAB_THREADS), row, CPU_NAME);
  height = cpu_range_most(e, height, cpu_i64(e, LEAST_HEIGHT));
  return cpu_range_least(e, cpu_range_least(e, height, cpu_i64(e, MOST_HEIGHT)),
                         extent[1]);
}

static LLVMValueRef cpu_range_narrow(CpuEmit *e, LLVMValueRef v) {
  return LLVMBuildTrunc(e->b, v, e->i32, CPU_NAME);
}

static void start_index(CpuEmit *e, CpuRange *range, LLVMValueRef first) {
  LLVMValueRef extent[3], one = cpu_i64(e, 1), rest = first;
  for (int k = 0; k < 3; k++)
    extent[k] = cpu_range_most(
        e, LLVMBuildSExt(e->b, e->grid[k], e->i64, CPU_NAME), one);
  LLVMValueRef height = slab_height(e, extent);
  LLVMValueRef slab =
      LLVMBuildMul(e->b, LLVMBuildMul(e->b, extent[0], extent[2], CPU_NAME),
                   height, CPU_NAME);
  LLVMValueRef low =
      LLVMBuildMul(e->b, cpu_range_divide(e, &rest, slab), height, CPU_NAME);
  LLVMValueRef high =
      cpu_range_least(e, cpu_range_add(e, low, height), extent[1]);
  LLVMValueRef rows =
      cpu_range_most(e, LLVMBuildSub(e->b, high, low, CPU_NAME), one);
  LLVMValueRef row = cpu_range_divide(e, &rest, extent[0]);
  LLVMValueRef z = cpu_range_divide(e, &row, rows);
  range->index[0] = new_slot(e, cpu_range_narrow(e, rest));
  range->index[1] =
      new_slot(e, cpu_range_narrow(e, cpu_range_add(e, low, row)));
  range->index[2] = new_slot(e, cpu_range_narrow(e, z));
  range->low_y = new_slot(e, cpu_range_narrow(e, low));
  range->high_y = new_slot(e, cpu_range_narrow(e, high));
  range->slab_height = cpu_range_narrow(e, height);
}

CpuRange cpu_range_begin(CpuEmit *e) {
  CpuRange range = {0};
  LLVMValueRef first = LLVMGetParam(e->function, 2);
  LLVMValueRef last = LLVMGetParam(e->function, 3);
  range.linear = new_slot(e, first);
  range.header = cpu_new_block(e, "block");
  range.end = cpu_new_block(e, "blocks_end");
  LLVMBasicBlockRef some = cpu_new_block(e, "some_blocks");
  LLVMValueRef any = LLVMBuildICmp(e->b, LLVMIntSLT, first, last, CPU_NAME);
  LLVMBuildCondBr(e->b, any, some, range.end);
  cpu_begin_block(e, some);
  if (e->kernel->n_grid != 1)
    start_index(e, &range, first);
  return range;
}

// The linear number of a block that isn't run in linear order.
static LLVMValueRef linear_of_index(CpuEmit *e) {
  LLVMValueRef sum = cpu_i64(e, 0);
  for (int k = 3; k-- > 0;) {
    LLVMValueRef extent = LLVMBuildSExt(e->b, e->grid[k], e->i64, CPU_NAME);
    LLVMValueRef index = LLVMBuildSExt(e->b, e->index[k], e->i64, CPU_NAME);
    sum = cpu_range_add(e, LLVMBuildMul(e->b, sum, extent, CPU_NAME), index);
  }
  return sum;
}

void cpu_range_enter(CpuEmit *e, CpuRange *range) {
  LLVMBuildBr(e->b, range->header);
  cpu_begin_block(e, range->header);
  bool is_line = e->kernel->n_grid == 1;
  e->linear = cpu_load_slot(e, e->i64, range->linear);
  for (int k = 0; k < 3; k++)
    e->index[k] =
        is_line ? cpu_i32(e, 0) : cpu_load_slot(e, e->i32, range->index[k]);
  if (is_line)
    e->index[0] = cpu_range_narrow(e, e->linear);
  if (runs_slabs(e))
    e->linear = linear_of_index(e);
  if (has_effects(e))
    cpu_set_field(e, e->linear, e->block, offsetof(HdCpuBlock, linear));
}

// `now` + 1 if `carry`; *carry: it reached `end` and starts at `begin` again.
static LLVMValueRef cpu_range_count_on(CpuEmit *e, LLVMValueRef now,
                                       LLVMValueRef *carry, LLVMValueRef begin,
                                       LLVMValueRef end) {
  LLVMValueRef by = LLVMBuildZExt(e->b, *carry, e->i32, CPU_NAME);
  LLVMValueRef next = cpu_range_add(e, now, by);
  *carry = LLVMBuildICmp(e->b, LLVMIntEQ, next, end, CPU_NAME);
  return LLVMBuildSelect(e->b, *carry, begin, next, CPU_NAME);
}

static void next_index(CpuEmit *e, CpuRange *range) {
  LLVMValueRef carry = LLVMConstInt(e->i1, 1, 0), zero = cpu_i32(e, 0);
  LLVMValueRef low = cpu_load_slot(e, e->i32, range->low_y);
  LLVMValueRef high = cpu_load_slot(e, e->i32, range->high_y);
  LLVMValueRef now[3];
  for (int k = 0; k < 3; k++)
    now[k] = cpu_load_slot(e, e->i32, range->index[k]);
  now[0] = cpu_range_count_on(e, now[0], &carry, zero, e->grid[0]);
  now[1] = cpu_range_count_on(e, now[1], &carry, low, high);
  now[2] = cpu_range_count_on(e, now[2], &carry, zero, e->grid[2]);
  if (runs_slabs(e)) {
    LLVMValueRef top = cpu_range_least(
        e, cpu_range_add(e, high, range->slab_height), e->grid[1]);
    now[1] = LLVMBuildSelect(e->b, carry, high, now[1], CPU_NAME);
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, carry, high, low, CPU_NAME),
                   range->low_y);
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, carry, top, high, CPU_NAME),
                   range->high_y);
  }
  for (int k = 0; k < 3; k++)
    LLVMBuildStore(e->b, now[k], range->index[k]);
}

void cpu_range_end(CpuEmit *e, CpuRange *range) {
  if (e->kernel->n_grid != 1)
    next_index(e, range);
  LLVMValueRef next = cpu_load_slot(e, e->i64, range->linear);
  next = LLVMBuildNUWAdd(e->b, next, cpu_i64(e, 1), CPU_NAME);
  next = cpu_hide_count(e, next, (uint64_t)1 << 63);
  LLVMBuildStore(e->b, next, range->linear);
  LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntSLT, next,
                                    LLVMGetParam(e->function, 3), CPU_NAME);
  LLVMBuildCondBr(e->b, more, range->header, range->end);
  cpu_begin_block(e, range->end);
  cpu_end_streams(e);
  cpu_end_matrix(e);
  LLVMBuildRetVoid(e->b);
}
