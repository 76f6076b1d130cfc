// SPDX-License-Identifier: Apache-2.0
// Calls of the runtime: traps, assertions, printf; the clock.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"
#include "ir/form/format.h"

#include <stddef.h>
#include <string.h>

LLVMValueRef cpu_field(CpuEmit *e, LLVMTypeRef type, LLVMValueRef record,
                       size_t offset_bytes) {
  LLVMValueRef at = cpu_byte_offset(e, record, (int64_t)offset_bytes);
  return LLVMBuildLoad2(e->b, type, at, CPU_NAME);
}

void cpu_set_field(CpuEmit *e, LLVMValueRef value, LLVMValueRef record,
                   size_t offset_bytes) {
  LLVMValueRef at = cpu_byte_offset(e, record, (int64_t)offset_bytes);
  LLVMBuildStore(e->b, value, at);
}

LLVMValueRef cpu_service(CpuEmit *e, uint32_t number) {
  LLVMValueRef services =
      cpu_field(e, e->ptr, e->launch, offsetof(HdCpuLaunch, services));
  return cpu_field(e, e->ptr, services, number * sizeof(void *));
}

LLVMValueRef cpu_text(CpuEmit *e, const char *text) {
  LLVMValueRef bytes = LLVMConstStringInContext2(e->cx, text, strlen(text), 0);
  LLVMValueRef global = LLVMAddGlobal(e->llvm, LLVMTypeOf(bytes), "text");
  LLVMSetInitializer(global, bytes);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(global, 1);
  return global;
}

uint32_t cpu_loc(CpuEmit *e, IrLocId loc) {
  if (loc == 0)
    return 0;
  if (e->loc_number[loc] == 0) {
    VEC_PUSH(e->arena, &e->locs, loc);
    e->loc_number[loc] = e->locs.count;
  }
  return e->loc_number[loc];
}

LLVMValueRef cpu_first_thread(CpuEmit *e) {
  return LLVMBuildTrunc(e->b, e->warp_rank, e->i32, CPU_NAME);
}

static LLVMValueRef cpu_effect_thread_of(CpuEmit *e, LLVMValueRef lane) {
  return LLVMBuildAdd(e->b, cpu_first_thread(e), lane, CPU_NAME);
}

// Ends the path; the service does not return.
static void call_stop(CpuEmit *e, const IrNode *node, LLVMValueRef lane,
                      const char *text, size_t service_offset) {
  LLVMTypeRef types[4] = {e->ptr, e->i32, e->i32, e->ptr};
  LLVMTypeRef type = LLVMFunctionType(e->none, types, 4, 0);
  LLVMValueRef args[4] = {e->block, cpu_i32(e, cpu_loc(e, node->loc)),
                          cpu_effect_thread_of(e, lane),
                          text ? cpu_text(e, text) : LLVMConstNull(e->ptr)};
  LLVMValueRef service =
      cpu_service(e, (uint32_t)(service_offset / sizeof(void *)));
  LLVMBuildCall2(e->b, type, service, args, 4, CPU_NAME);
  LLVMBuildUnreachable(e->b);
}

static void call_trap(CpuEmit *e, const IrNode *node, LLVMValueRef lane,
                      const char *text) {
  call_stop(e, node, lane, text, offsetof(HdCpuServices, trap));
}

// With the index of the element that the assertion is about.
static void call_trap_element(CpuEmit *e, const IrNode *node,
                              LLVMValueRef lane) {
  LLVMTypeRef types[6] = {e->ptr, e->i32, e->i32, e->ptr, e->ptr, e->i32};
  LLVMTypeRef type = LLVMFunctionType(e->none, types, 6, 0);
  uint32_t rank = node->n_args - 1;
  LLVMValueRef index = cpu_alloca(e, LLVMArrayType2(e->i32, rank));
  for (uint32_t i = 0; i < rank; i++) {
    LLVMValueRef at = cpu_as_vector(e, cpu_leaf(e, node->args[1 + i], 0));
    at = LLVMBuildExtractElement(e->b, at, lane, CPU_NAME);
    LLVMBuildStore(e->b, at, cpu_byte_offset(e, index, (int64_t)i * 4));
  }
  LLVMValueRef args[6] = {e->block,
                          cpu_i32(e, cpu_loc(e, node->loc)),
                          cpu_effect_thread_of(e, lane),
                          cpu_text(e, node->u.text.text),
                          index,
                          cpu_i32(e, (int32_t)rank)};
  LLVMValueRef service = cpu_service(
      e, (uint32_t)(offsetof(HdCpuServices, trap_element) / sizeof(void *)));
  LLVMBuildCall2(e->b, type, service, args, 6, CPU_NAME);
  LLVMBuildUnreachable(e->b);
}

static LLVMValueRef lowest_lane(CpuEmit *e, LLVMValueRef mask) {
  if (e->lanes == 1)
    return cpu_i32(e, 0);
  LLVMValueRef args[2] = {cpu_mask_bits(e, mask), LLVMConstInt(e->i1, 1, 0)};
  return cpu_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);
}

void cpu_fault_if(CpuEmit *e, const IrNode *node, LLVMValueRef condition,
                  LLVMValueRef lane, const char *text) {
  LLVMBasicBlockRef fails = cpu_new_block(e, "fault");
  LLVMBasicBlockRef passes = cpu_new_block(e, "no_fault");
  LLVMBuildCondBr(e->b, condition, fails, passes);
  cpu_begin_block(e, fails);
  call_stop(e, node, lane, text, offsetof(HdCpuServices, fault));
  cpu_begin_block(e, passes);
}

void cpu_fault_where(CpuEmit *e, const IrNode *node, LLVMValueRef mask,
                     const char *text) {
  LLVMBasicBlockRef fails = cpu_new_block(e, "fault");
  LLVMBasicBlockRef passes = cpu_new_block(e, "no_fault");
  mask = cpu_mask_and(e, e->mask, mask);
  LLVMBuildCondBr(e->b, cpu_any(e, mask), fails, passes);
  cpu_begin_block(e, fails);
  call_stop(e, node, lowest_lane(e, mask), text,
            offsetof(HdCpuServices, fault));
  cpu_begin_block(e, passes);
}

static void emit_assert(CpuEmit *e, const IrNode *node) {
  CpuLeaf holds = cpu_leaf(e, node->args[0], 0);
  LLVMBasicBlockRef fails = cpu_new_block(e, "assert_fails");
  LLVMBasicBlockRef passes = cpu_new_block(e, "assert_holds");
  LLVMValueRef failing, lane;
  if (holds.shape.kind == CPU_UNIFORM) {
    LLVMBuildCondBr(e->b, holds.v, passes, fails);
    failing = cpu_mask(e);
  } else {
    failing = cpu_mask_and(
        e, e->mask, LLVMBuildNot(e->b, cpu_as_vector(e, holds), CPU_NAME));
    LLVMBuildCondBr(e->b, cpu_any(e, failing), fails, passes);
  }
  cpu_begin_block(e, fails);
  lane = lowest_lane(e, failing);
  const char *text = node->u.text.text ? node->u.text.text : "";
  if (node->flags & NODE_INSIDE)
    call_stop(e, node, lane,
              arena_printf(e->arena,
                           "error[HD0702]: access outside of array '%s'", text),
              offsetof(HdCpuServices, fault));
  else if (node->n_args > 1)
    call_trap_element(e, node, lane);
  else
    call_trap(e, node, lane, text);
  cpu_begin_block(e, passes);
}

// Some lane's elements are outside: told of the lowest one.
static void tell_not_inside(CpuEmit *e, const IrNode *node, LLVMValueRef lane) {
  LLVMTypeRef types[8] = {e->ptr, e->i32, e->i32, e->ptr,
                          e->i32, e->i64, e->i64, e->i64};
  LLVMTypeRef type = LLVMFunctionType(e->none, types, 8, 0);
  LLVMValueRef args[8] = {e->block, cpu_i32(e, cpu_loc(e, node->loc)),
                          cpu_effect_thread_of(e, lane),
                          cpu_text(e, node->u.text.text),
                          cpu_i32(e, (node->flags & NODE_INSIDE) != 0)};
  for (uint32_t i = 0; i < 3; i++)
    args[5 + i] = LLVMBuildExtractElement(
        e->b, cpu_as_vector(e, cpu_leaf(e, node->args[i], 0)), lane, CPU_NAME);
  LLVMValueRef service = cpu_service(
      e, (uint32_t)(offsetof(HdCpuServices, outside) / sizeof(void *)));
  LLVMBuildCall2(e->b, type, service, args, 8, CPU_NAME);
  LLVMBuildUnreachable(e->b);
}

static void emit_inside(CpuEmit *e, const IrNode *node) {
  LLVMValueRef of[3];
  for (uint32_t i = 0; i < 3; i++)
    of[i] = cpu_as_vector(e, cpu_leaf(e, node->args[i], 0));
  // As unsigned numbers: first <= extent, count <= extent - first.
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(of[2]));
  LLVMValueRef room = LLVMBuildSub(e->b, of[2], of[0], CPU_NAME);
  LLVMValueRef bad = LLVMBuildOr(
      e->b, LLVMBuildICmp(e->b, LLVMIntUGT, of[0], of[2], CPU_NAME),
      LLVMBuildICmp(e->b, LLVMIntUGT, of[1], room, CPU_NAME), CPU_NAME);
  bad = LLVMBuildOr(e->b, bad,
                    LLVMBuildICmp(e->b, LLVMIntSLT, of[2], zero, CPU_NAME),
                    CPU_NAME);
  bad = cpu_mask_and(e, e->mask, bad);
  LLVMBasicBlockRef outside = cpu_new_block(e, "outside");
  LLVMBasicBlockRef inside = cpu_new_block(e, "inside");
  LLVMBuildCondBr(e->b, cpu_any(e, bad), outside, inside);
  cpu_begin_block(e, outside);
  tell_not_inside(e, node, lowest_lane(e, bad));
  cpu_begin_block(e, inside);
}

static void emit_trap(CpuEmit *e, const IrNode *node) {
  call_trap(e, node, lowest_lane(e, cpu_mask(e)), NULL);
  cpu_begin_block(e, cpu_new_block(e, "after_trap"));
}

void cpu_emit_assume(CpuEmit *e, const IrNode *node) {
  CpuLeaf holds = cpu_leaf(e, node->args[0], 0);
  if (e->plan->has_checks)
    cpu_fault_where(e, node,
                    LLVMBuildNot(e->b, cpu_as_vector(e, holds), CPU_NAME),
                    arena_printf(e->arena, "an assumption is false: '%s'",
                                 node->u.text.text ? node->u.text.text : ""));
  else if (holds.shape.kind == CPU_UNIFORM)
    cpu_intrinsic(e, "llvm.assume", NULL, 0, &holds.v, 1);
}

static void cpu_effect_emit_clock(CpuEmit *e, const IrNode *node) {
  cpu_set_value(e, node, 0,
                cpu_intrinsic(e, "llvm.readcyclecounter", NULL, 0, NULL, 0));
}

static void emit_globaltimer(CpuEmit *e, const IrNode *node) {
  cpu_set_value(e, node, 0,
                cpu_call_service(e, offsetof(HdCpuServices, nanoseconds),
                                 e->i64, NULL, 0));
}

// ---------------------------------------------------------------- printf

// The conversion letter of argument `number` of a format, 'd' of a '*', 0 if
// none.
static char conversion_of(const char *format, uint32_t number) {
  IrFormatPart part;
  while (ir_format_next(&format, &part)) {
    if (number < part.n_stars)
      return 'd';
    number -= part.n_stars;
    if (part.letter != '%' && number-- == 0)
      return part.letter;
  }
  return 0;
}

static LLVMValueRef cpu_effect_print_argument(CpuEmit *e, IrType type,
                                              LLVMValueRef v, char letter) {
  switch ((IrTypeKind)type.kind) {
  case IR_TYPE_F64: return LLVMBuildBitCast(e->b, v, e->i64, CPU_NAME);
  case IR_TYPE_F32:
  case IR_TYPE_F16:
  case IR_TYPE_BF16:
  case IR_TYPE_E4M3:
  case IR_TYPE_E5M2:
    if (type.kind != IR_TYPE_F32)
      v = cpu_to_f32(e, (IrTypeKind)type.kind, v);
    v = LLVMBuildFPExt(e->b, v, e->f64, CPU_NAME);
    return LLVMBuildBitCast(e->b, v, e->i64, CPU_NAME);
  case IR_TYPE_PTR: return LLVMBuildPtrToInt(e->b, v, e->i64, CPU_NAME);
  case IR_TYPE_BOOL: return LLVMBuildZExt(e->b, v, e->i64, CPU_NAME);
  case IR_TYPE_I8:
  case IR_TYPE_I16:
  case IR_TYPE_I32:
  case IR_TYPE_I64: break;
  case IR_TYPE_VOID:
  IR_NARROW_CASES:
  case IR_TYPE_STRUCT:
  case IR_TYPE_TOKEN:
  case IR_TYPE_TILE:
  case IR_TYPE_COUNT: HD_PANIC("printf of a value that is not a scalar");
  }
  bool is_signed = letter == 'd' || letter == 'i' || letter == 'c';
  return LLVMBuildIntCast2(e->b, v, e->i64, is_signed, CPU_NAME);
}

static void emit_printf(CpuEmit *e, const IrNode *node) {
  const char *format = node->u.text.text ? node->u.text.text : "";
  uint32_t n = node->n_args;
  CpuSpill *spills = ARENA_ARRAY(e->arena, CpuSpill, n);
  for (uint32_t i = 0; i < n; i++)
    spills[i] = cpu_spill(e, cpu_leaf(e, node->args[i], 0));
  LLVMValueRef buffer = cpu_alloca(e, LLVMArrayType2(e->i64, n ? n : 1));
  LLVMValueRef text = cpu_text(e, format);
  CpuLaneLoop loop = cpu_lanes_begin(e, e->mask);
  for (uint32_t i = 0; i < n; i++) {
    LLVMValueRef v = cpu_spilled_at(e, &spills[i], loop.lane);
    v = cpu_effect_print_argument(e, spills[i].leaf.type, v,
                                  conversion_of(format, i));
    LLVMBuildStore(e->b, v, cpu_byte_offset(e, buffer, (int64_t)i * 8));
  }
  LLVMTypeRef types[4] = {e->ptr, e->ptr, e->ptr, e->i32};
  LLVMTypeRef type = LLVMFunctionType(e->none, types, 4, 0);
  uint32_t more = node->flags & NODE_MORE ? HD_CPU_PRINT_MORE : 0;
  LLVMValueRef args[4] = {e->block, text, buffer, cpu_i32(e, n | more)};
  LLVMValueRef service =
      cpu_service(e, offsetof(HdCpuServices, print) / sizeof(void *));
  LLVMBuildCall2(e->b, type, service, args, 4, CPU_NAME);
  cpu_lanes_end(e, &loop);
}

void cpu_emit_effect(CpuEmit *e, const IrNode *node) {
  switch (ir_effect_op(node->op)) {
  case IR_PRINTF: emit_printf(e, node); break;
  case IR_TRAP: emit_trap(e, node); break;
  case IR_INSIDE:
    if (e->plan->has_checks)
      emit_inside(e, node);
    break;
  case IR_CHECK_VALUE:
    if (e->plan->has_checks)
      cpu_tell_value(e, node);
    break;
  case IR_CHECK_UNIFORM:
    if (e->plan->has_checks)
      cpu_tell_claim(e, node);
    break;
  case IR_ASSERT:
    if (!(node->flags & NODE_OBLIGATION) || e->plan->has_checks)
      emit_assert(e, node);
    break;
  case IR_SET_MAX_REGS: break;
  case IR_CLOCK: cpu_effect_emit_clock(e, node); break;
  case IR_GLOBALTIMER: emit_globaltimer(e, node); break;
  case IR_WAS_SET:
  case IR_SET_IF:
  case IR_UNSET:
  case IR_UNKNOWN:
  case IR_CHOICE: code_refuse(node); // only checks and runs know them
  }
}
