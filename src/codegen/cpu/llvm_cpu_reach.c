// SPDX-License-Identifier: Apache-2.0
// Accesses through plain pointers stay in the memory that the launch gave.
//
// Note [Quick tests of reach]
// Whether all 32 lanes reach the array is one comparison where their addresses
// are those of a row: of its lowest address with what is left of the array
// behind the row. Lanes that aren't active count as well, so a test that fails
// says little: the runtime then looks at the active lanes one by one, and
// returns unless one of them is outside. What is computed before a loop stays
// there. Addresses are compared as the access computes them, also where an
// index has wrapped.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

typedef struct {
  const IrNode *node;
  const CpuAddress *at;
  LLVMValueRef mask;  // NULL: all lanes are active
  LLVMValueRef first; // i64: where the array begins
  LLVMValueRef room;  // i64: places that an access may begin at
} Reach;

static LLVMValueRef reach_load(CpuEmit *e, const IrObject *object,
                               uint32_t which) {
  size_t row = (size_t)cpu_array_row(e, object);
  return cpu_launch_word(e, offsetof(HdCpuLaunch, reach),
                         (row * 2 + which) * sizeof(uint64_t));
}

// a - b, or 0, both unsigned; before all else.
static LLVMValueRef less_or_none(CpuEmit *e, LLVMValueRef a, int64_t b) {
  LLVMValueRef by = cpu_i64(e, b);
  LLVMValueRef is_more = LLVMBuildICmp(e->hoist, LLVMIntUGT, a, by, CPU_NAME);
  LLVMValueRef rest = LLVMBuildSub(e->hoist, a, by, CPU_NAME);
  return LLVMBuildSelect(e->hoist, is_more, rest, cpu_i64(e, 0), CPU_NAME);
}

static LLVMValueRef cpu_reach_number_of(CpuEmit *e, LLVMValueRef pointer) {
  return LLVMBuildPtrToInt(e->b, pointer, e->i64, CPU_NAME);
}

static LLVMValueRef cpu_reach_is_in(CpuEmit *e, const Reach *reach,
                                    LLVMValueRef address, LLVMValueRef room) {
  LLVMValueRef place = LLVMBuildSub(e->b, address, reach->first, CPU_NAME);
  return LLVMBuildICmp(e->b, LLVMIntULT, place, room, CPU_NAME);
}

// Bytes from the lowest to the highest lane; *least: of the lowest.
static int64_t span(const CpuEmit *e, CpuShape shape, bool with_rows,
                    int64_t *least) {
  int64_t columns = ((int64_t)1 << shape.period_log2) - 1;
  int64_t rows = with_rows ? (int64_t)(e->lanes >> shape.period_log2) - 1 : 0;
  int64_t by_column = shape.step * columns, by_row = shape.outer * rows;
  *least = (by_column < 0 ? by_column : 0) + (by_row < 0 ? by_row : 0);
  return (by_column < 0 ? -by_column : by_column) +
         (by_row < 0 ? -by_row : by_row);
}

static LLVMValueRef test_affine(CpuEmit *e, const Reach *reach) {
  int64_t least, bytes = span(e, reach->at->shape, true, &least);
  LLVMValueRef base = cpu_reach_number_of(e, reach->at->base);
  base = LLVMBuildAdd(e->b, base, cpu_i64(e, least), CPU_NAME);
  return cpu_reach_is_in(e, reach, base, less_or_none(e, reach->room, bytes));
}

// The first and the last row, whose distance only the launch knows.
static LLVMValueRef test_ends(CpuEmit *e, const Reach *reach,
                              LLVMValueRef distance, uint32_t count,
                              CpuShape row) {
  int64_t least, bytes = span(e, row, false, &least);
  LLVMValueRef room = less_or_none(e, reach->room, bytes);
  LLVMValueRef base = cpu_reach_number_of(e, reach->at->base);
  base = LLVMBuildAdd(e->b, base, cpu_i64(e, least), CPU_NAME);
  LLVMValueRef by =
      LLVMBuildMul(e->b, distance, cpu_i64(e, count - 1), CPU_NAME);
  LLVMValueRef last = LLVMBuildAdd(e->b, base, by, CPU_NAME);
  return LLVMBuildAnd(e->b, cpu_reach_is_in(e, reach, base, room),
                      cpu_reach_is_in(e, reach, last, room), CPU_NAME);
}

static LLVMValueRef cpu_reach_all_lanes(CpuEmit *e, const Reach *reach,
                                        LLVMValueRef inside) {
  LLVMValueRef outside = LLVMBuildNot(e->b, inside, CPU_NAME);
  outside = cpu_mask_and(e, reach->mask, outside);
  return LLVMBuildNot(e->b, cpu_any(e, outside), CPU_NAME);
}

static LLVMValueRef test_lanes(CpuEmit *e, const Reach *reach) {
  LLVMValueRef pointers = cpu_address_pointers(e, reach->at, 0);
  LLVMTypeRef wide = cpu_vector_of(e, e->i64);
  LLVMValueRef v = LLVMBuildPtrToInt(e->b, pointers, wide, CPU_NAME);
  v = LLVMBuildSub(e->b, v, cpu_splat(e, reach->first), CPU_NAME);
  return cpu_reach_all_lanes(
      e, reach,
      LLVMBuildICmp(e->b, LLVMIntULT, v, cpu_splat(e, reach->room), CPU_NAME));
}

static LLVMValueRef cpu_reach_clamped(CpuEmit *e, LLVMValueRef v) {
  LLVMValueRef low[2] = {v, cpu_i64(e, INT32_MIN)};
  LLVMValueRef high[2] = {NULL, cpu_i64(e, INT32_MAX)};
  high[0] = cpu_intrinsic(e, "llvm.smax", &e->i64, 1, low, 2);
  v = cpu_intrinsic(e, "llvm.smin", &e->i64, 1, high, 2);
  return LLVMBuildTrunc(e->b, v, e->i32, CPU_NAME);
}

// Offsets of 32 bits are compared as such, in units: half the vectors. Those
// that do are lowest ... highest.
static LLVMValueRef test_small_offsets(CpuEmit *e, const Reach *reach) {
  const CpuAddress *at = reach->at;
  LLVMValueRef shift =
      cpu_i64(e, __builtin_ctz(at->unit_bytes ? at->unit_bytes : 1));
  LLVMValueRef base = LLVMBuildSub(e->b, cpu_reach_number_of(e, at->base),
                                   reach->first, CPU_NAME);
  LLVMValueRef none = cpu_i64(e, 0);
  LLVMValueRef lowest = LLVMBuildSub(
      e->b, none, LLVMBuildAShr(e->b, base, shift, CPU_NAME), CPU_NAME);
  LLVMValueRef last = LLVMBuildSub(e->b, reach->room, cpu_i64(e, 1), CPU_NAME);
  LLVMValueRef highest = LLVMBuildAShr(
      e->b, LLVMBuildSub(e->b, last, base, CPU_NAME), shift, CPU_NAME);
  LLVMValueRef is_some =
      LLVMBuildICmp(e->b, LLVMIntSLE, lowest, highest, CPU_NAME);
  lowest = cpu_reach_clamped(e, lowest);
  LLVMValueRef count =
      LLVMBuildSub(e->b, cpu_reach_clamped(e, highest), lowest, CPU_NAME);
  LLVMValueRef v =
      LLVMBuildSub(e->b, at->offsets, cpu_splat(e, lowest), CPU_NAME);
  LLVMValueRef inside =
      LLVMBuildICmp(e->b, LLVMIntULE, v, cpu_splat(e, count), CPU_NAME);
  return LLVMBuildAnd(e->b, is_some, cpu_reach_all_lanes(e, reach, inside),
                      CPU_NAME);
}

static bool has_small_offsets(CpuEmit *e, const CpuAddress *at) {
  return at->pointers == NULL && at->offsets != NULL &&
         LLVMTypeOf(at->offsets) == cpu_vector_of(e, e->i32);
}

static LLVMValueRef quick_test(CpuEmit *e, const Reach *reach) {
  const CpuAddress *at = reach->at;
  CpuShape all = {.period_log2 = 0};
  if (at->shape.kind == CPU_UNIFORM)
    return cpu_reach_is_in(e, reach, cpu_reach_number_of(e, at->base),
                           reach->room);
  if (e->lanes == 1)
    return test_lanes(e, reach);
  if (at->shape.kind == CPU_AFFINE)
    return test_affine(e, reach);
  if (at->pointers == NULL && at->lane_bytes)
    return test_ends(e, reach, at->lane_bytes, e->lanes, all);
  if (at->pointers == NULL && at->row_bytes && at->wrapped_bits == 0)
    return test_ends(e, reach, at->row_bytes, e->lanes >> at->rows.period_log2,
                     at->rows);
  return has_small_offsets(e, at) ? test_small_offsets(e, reach)
                                  : test_lanes(e, reach);
}

static void tell_reach(CpuEmit *e, const Reach *reach) {
  cpu_set_field(e, e->linear, e->block, offsetof(HdCpuBlock, linear));
  CpuTold lanes = cpu_told_lanes(e, reach->mask);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->ptr};
  LLVMValueRef args[5] = {e->block, cpu_site(e, reach->node), lanes.warp,
                          lanes.bits};
  size_t service = offsetof(HdCpuServices, reach_lanes);
  if (reach->at->shape.kind == CPU_UNIFORM) {
    service = offsetof(HdCpuServices, reach_same);
    types[4] = e->i64;
    args[4] = cpu_reach_number_of(e, reach->at->base);
  } else {
    LLVMValueRef pointers = cpu_address_pointers(e, reach->at, 0);
    LLVMTypeRef wide = cpu_vector_of(e, e->i64);
    args[4] = cpu_spilled_lanes(
        e, LLVMBuildPtrToInt(e->b, pointers, wide, CPU_NAME), e->i64);
  }
  cpu_tell_runtime(e, service, types, args, 5);
}

static void mark_unlikely_failure(CpuEmit *e, LLVMValueRef branch) {
  LLVMMetadataRef parts[3] = {
      LLVMMDStringInContext2(e->cx, "branch_weights", 14),
      LLVMValueAsMetadata(cpu_i32(e, 1 << 20)),
      LLVMValueAsMetadata(cpu_i32(e, 1))};
  LLVMMetadataRef weights = LLVMMDNodeInContext2(e->cx, parts, 3);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->cx, "prof", 4),
                  LLVMMetadataAsValue(e->cx, weights));
}

void cpu_test_reach(CpuEmit *e, const IrNode *node) {
  const IrObject *object = node->u.access.object;
  if (object == NULL || !object->is_plain_pointer || object->param < 0)
    return;
  CpuAddress at = cpu_address(e, node);
  Reach reach = {.node = node, .at = &at, .mask = e->mask};
  if (at.guard)
    reach.mask = cpu_mask_and(
        e, e->mask, at.is_guard_uniform ? cpu_splat(e, at.guard) : at.guard);
  int64_t bytes = ir_type_size(e->module, node->u.access.type);
  reach.first = reach_load(e, object, 0);
  reach.room = less_or_none(e, reach_load(e, object, 1), bytes - 1);
  LLVMBasicBlockRef inside = cpu_new_block(e, "inside");
  LLVMBasicBlockRef outside = cpu_new_block(e, "outside");
  mark_unlikely_failure(
      e, LLVMBuildCondBr(e->b, quick_test(e, &reach), inside, outside));
  cpu_begin_block(e, outside);
  tell_reach(e, &reach);
  if (reach.mask == NULL) // one of all lanes is outside
    LLVMBuildUnreachable(e->b);
  else
    LLVMBuildBr(e->b, inside);
  cpu_begin_block(e, inside);
}
