// SPDX-License-Identifier: Apache-2.0
// What a thread tells the host: printf and faults; the clock, assumptions.
//
// Note [Faults]
// A thread that fails fills in HdCudaFault, asks others to end and exits; those
// that come second just exit. All places that may fail jump to one block, whose
// variables say which it was. Threads that wait for one that is gone go on:
// those of blocks, warps and clusters because the hardware counts only threads
// that are still there, others because they look at `interrupt`. But a barrier
// with a number of its own counts threads whether they are there or not:
// kernels that may fail have none (nvptx_meet.c). Those that can only be
// interrupted keep theirs, and end unless somebody waits at one just then. None
// traps: that would lose the context and, as the driver goes, the device for
// this process.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"
#include "ir/form/format.h"

#include <stddef.h>
#include <string.h>

// ------------------------------------------------------------------ faults

static void set_field(NvEmit *e, LLVMValueRef record, size_t offset_bytes,
                      LLVMValueRef v) {
  LLVMValueRef at = nv_byte_offset(e, record, (int64_t)offset_bytes);
  LLVMValueRef store = LLVMBuildStore(e->b, v, at);
  LLVMSetVolatile(store, 1);
}

static LLVMValueRef fault_slot(NvEmit *e, uint32_t number) {
  if (e->fault_slots[number] == NULL)
    e->fault_slots[number] = nv_alloca(e, e->i32);
  return e->fault_slots[number];
}

void nv_fault(NvEmit *e, uint32_t kind, IrLocId loc, const char *text) {
  uint32_t values[NV_N_FAULT_SLOTS] = {kind, nv_loc(e, loc),
                                       text ? nv_text(e, text) : UINT32_MAX};
  for (uint32_t i = 0; i < NV_N_FAULT_SLOTS; i++)
    LLVMBuildStore(e->b, nv_i32(e, (int32_t)values[i]), fault_slot(e, i));
  if (e->fault_block == NULL)
    e->fault_block = nv_new_block(e, "fault");
  LLVMBuildBr(e->b, e->fault_block);
}

static void write_fault(NvEmit *e, LLVMValueRef record) {
  static const size_t fields[NV_N_FAULT_SLOTS] = {offsetof(HdCudaFault, kind),
                                                  offsetof(HdCudaFault, loc),
                                                  offsetof(HdCudaFault, text)};
  for (uint32_t i = 0; i < NV_N_FAULT_SLOTS; i++)
    set_field(e, record, fields[i],
              LLVMBuildLoad2(e->b, e->i32, e->fault_slots[i], NV_NAME));
  for (uint32_t i = 0; i < NV_N_ELEMENT_SLOTS; i++) {
    LLVMValueRef slot = e->fault_slots[NV_N_FAULT_SLOTS + i];
    if (slot)
      set_field(e, record, offsetof(HdCudaFault, n_index) + i * 4,
                LLVMBuildLoad2(e->b, e->i32, slot, NV_NAME));
  }
  for (uint32_t k = 0; k < 3; k++)
    set_field(e, record, offsetof(HdCudaFault, block) + k * sizeof(int32_t),
              e->index[k]);
  set_field(e, record, offsetof(HdCudaFault, thread), e->thread);
  nv_asm(e, e->none, "fence.acq_rel.sys;", "", NULL, 0, true);
  set_field(e, record, offsetof(HdCudaFault, state), nv_i32(e, 2));
  set_field(e, record, offsetof(HdCudaFault, interrupt), nv_i32(e, 1));
}

// Only threads of this GPU want to be first, though the record is the host's.
// See Note [Faults].
void nv_end_faults(NvEmit *e) {
  if (e->fault_block == NULL)
    return;
  nv_begin_block(e, e->fault_block);
  LLVMValueRef record =
      LLVMBuildIntToPtr(e->b, nv_hidden(e, HD_CUDA_HIDDEN_FAULT),
                        e->ptr[NV_SPACE_GLOBAL], NV_NAME);
  LLVMValueRef args[3] = {
      nv_byte_offset(e, record, offsetof(HdCudaFault, state)), nv_i32(e, 0),
      nv_i32(e, 1)};
  LLVMValueRef old =
      nv_asm(e, e->i32, "atom.relaxed.gpu.global.cas.b32 $0, [$1], $2, $3;",
             "=r,l,r,r", args, 3, true);
  LLVMValueRef is_first =
      LLVMBuildICmp(e->b, LLVMIntEQ, old, nv_i32(e, 0), NV_NAME);
  NvIf place = nv_if(e, is_first);
  write_fault(e, record);
  nv_end_if(e, place);
  nv_asm(e, e->none, "exit;", "", NULL, 0, true);
  LLVMBuildUnreachable(e->b);
}

static void nvptx_effect_emit_assert(NvEmit *e, const IrNode *node) {
  LLVMBasicBlockRef fails = nv_new_block(e, "assert_fails");
  LLVMBasicBlockRef passes = nv_new_block(e, "assert_holds");
  LLVMBuildCondBr(e->b, nv_arg(e, node, 0), passes, fails);
  nv_begin_block(e, fails);
  uint32_t n_index = node->n_args - 1;
  if (n_index > HD_CUDA_MAX_TILE_RANK)
    n_index = 0;
  if (n_index > 0)
    LLVMBuildStore(e->b, nv_i32(e, (int32_t)n_index),
                   fault_slot(e, NV_N_FAULT_SLOTS));
  for (uint32_t i = 0; i < n_index; i++)
    LLVMBuildStore(e->b, nv_arg(e, node, 1 + i),
                   fault_slot(e, NV_N_FAULT_SLOTS + 1 + i));
  nv_fault(e, n_index > 0 ? HD_CUDA_FAULT_ASSERT_ELEMENT : HD_CUDA_FAULT_ASSERT,
           node->loc, node->u.text.text ? node->u.text.text : "");
  nv_begin_block(e, passes);
}

// What follows is never reached, but has values.
static void nvptx_effect_emit_trap(NvEmit *e, const IrNode *node) {
  nv_fault(e, HD_CUDA_FAULT_TRAP, node->loc, NULL);
  nv_begin_block(e, nv_new_block(e, "after_trap"));
}

// ---------------------------------------------------------------- printf

// The format as the device's own printf reads it: 64-bit numbers have "ll",
// others no length.
static void nvptx_effect_add_part(Text *out, const IrFormatPart *part) {
  for (size_t i = 0; i + 1 < part->length; i++)
    if (!strchr("hlzjtLq", part->begin[i]))
      text_add_char(out, part->begin[i]);
  if (part->type == IR_TYPE_I64 && part->letter != 'c')
    text_add(out, "ll");
  text_add_char(out, part->letter);
}

// What h and hh leave of an int.
static LLVMValueRef nvptx_effect_narrowed(NvEmit *e, const IrFormatPart *part,
                                          LLVMValueRef v) {
  size_t n_h = 0;
  for (size_t i = 0; i < part->length; i++)
    n_h += part->begin[i] == 'h';
  if (n_h == 0)
    return v;
  bool is_signed = part->letter == 'd' || part->letter == 'i';
  LLVMTypeRef narrow = n_h == 1 ? e->i16 : e->i8;
  v = LLVMBuildTrunc(e->b, v, narrow, NV_NAME);
  return LLVMBuildIntCast2(e->b, v, e->i32, is_signed, NV_NAME);
}

static LLVMValueRef nvptx_effect_print_argument(NvEmit *e,
                                                const IrFormatPart *part,
                                                IrType type, LLVMValueRef v) {
  bool is_signed = part->letter == 'd' || part->letter == 'i';
  if (part->type == IR_TYPE_PTR)
    return LLVMBuildPtrToInt(e->b, v, e->i64, NV_NAME);
  if (part->type == IR_TYPE_F64)
    return LLVMBuildFPCast(e->b, v, e->f64, NV_NAME);
  bool is_wide = part->type == IR_TYPE_I64 && part->letter != 'c';
  v = LLVMBuildIntCast2(e->b, v, is_wide ? e->i64 : e->i32,
                        is_signed && type.kind != IR_TYPE_BOOL, NV_NAME);
  return is_wide ? v : nvptx_effect_narrowed(e, part, v);
}

static LLVMValueRef text_data(NvEmit *e, const char *text) {
  LLVMValueRef bytes = LLVMConstStringInContext2(e->cx, text, strlen(text), 0);
  LLVMValueRef data = LLVMAddGlobalInAddressSpace(e->llvm, LLVMTypeOf(bytes),
                                                  "hd_text", NV_SPACE_GLOBAL);
  LLVMSetInitializer(data, bytes);
  LLVMSetGlobalConstant(data, 1);
  LLVMSetLinkage(data, LLVMInternalLinkage);
  LLVMSetAlignment(data, 1);
  return LLVMConstAddrSpaceCast(data, e->ptr[NV_SPACE_GENERIC]);
}

static void call_vprintf(NvEmit *e, const char *format, LLVMValueRef buffer) {
  LLVMTypeRef generic = e->ptr[NV_SPACE_GENERIC];
  LLVMTypeRef types[2] = {generic, generic};
  LLVMTypeRef type = LLVMFunctionType(e->i32, types, 2, 0);
  LLVMValueRef callee = LLVMGetNamedFunction(e->llvm, "vprintf");
  if (callee == NULL)
    callee = LLVMAddFunction(e->llvm, "vprintf", type);
  LLVMValueRef args[2] = {text_data(e, format), buffer};
  LLVMBuildCall2(e->b, type, callee, args, 2, NV_NAME);
}

// Arguments lie in a struct in memory, each at a multiple of its size.
typedef struct {
  NvEmit *e;
  LLVMValueRef buffer;
  int64_t offset;
} PrintBuffer;

static void print_push(PrintBuffer *p, LLVMValueRef v) {
  int64_t size = LLVMTypeOf(v) == p->e->i32 ? 4 : 8;
  p->offset = (p->offset + size - 1) / size * size;
  LLVMBuildStore(p->e->b, v, nv_byte_offset(p->e, p->buffer, p->offset));
  p->offset += size;
}

// The driver that prints what vprintf left takes '*' for a width only.
static bool has_precision_star(const IrFormatPart *part) {
  for (size_t i = 1; i < part->length; i++)
    if (part->begin[i] == '*' && part->begin[i - 1] == '.')
      return true;
  return false;
}

static void nvptx_effect_emit_printf(NvEmit *e, const IrNode *node) {
  const char *text = node->u.text.text ? node->u.text.text : "", *at = text;
  Text format = {.arena = e->arena};
  LLVMTypeRef type = LLVMArrayType2(e->i64, node->n_args + 1);
  PrintBuffer p = {.e = e, .buffer = nv_alloca(e, type)};
  LLVMSetAlignment(p.buffer, 8);
  IrFormatPart part;
  for (uint32_t i = 0; ir_format_next(&at, &part);) {
    text_add_n(&format, text, (size_t)(part.begin - text));
    text = at;
    nvptx_effect_add_part(&format, &part);
    if (part.letter == '%')
      continue;
    if (has_precision_star(&part)) {
      nv_unsupported(e, node,
                     "a precision that an argument gives ('.*') can't be "
                     "printed by the driver: write the number");
      return;
    }
    for (uint32_t k = 0; k < part.n_stars; k++)
      print_push(&p, nv_value(e, node->args[i++], 0));
    const IrNode *arg = node->args[i++];
    print_push(&p, nvptx_effect_print_argument(e, &part, arg->type,
                                               nv_value(e, arg, 0)));
  }
  text_add(&format, text);
  call_vprintf(e, text_cstr(&format),
               node->n_args > 0 ? p.buffer
                                : LLVMConstNull(e->ptr[NV_SPACE_GENERIC]));
}

// ---------------------------------------------------------------- dispatch

void nv_emit_assume(NvEmit *e, const IrNode *node) {
  LLVMValueRef holds = nv_arg(e, node, 0);
  nv_intrinsic(e, "llvm.assume", NULL, 0, &holds, 1);
}

static void emit_clock(NvEmit *e, const IrNode *node, const char *intrinsic) {
  nv_set_value(e, node, 0, nv_intrinsic(e, intrinsic, NULL, 0, NULL, 0));
}

// Which instruction it is follows from how many a thread has when it begins.
static void emit_registers(NvEmit *e, const IrNode *node) {
  if (e->sm < 90)
    return;
  uint32_t number = node->u.index.number;
  LLVMValueRef count = nv_i32(e, number);
  nv_intrinsic(e,
               number <= (uint32_t)nv_registers(e->kernel)
                   ? "llvm.nvvm.setmaxnreg.dec.sync.aligned.u32"
                   : "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32",
               NULL, 0, &count, 1);
}

// Obligations and values are tested by devices that run with checks.
void nv_emit_effect(NvEmit *e, const IrNode *node) {
  switch (ir_effect_op(node->op)) {
  case IR_PRINTF: nvptx_effect_emit_printf(e, node); break;
  case IR_TRAP: nvptx_effect_emit_trap(e, node); break;
  case IR_ASSERT:
    if (!(node->flags & NODE_OBLIGATION))
      nvptx_effect_emit_assert(e, node);
    break;
  case IR_INSIDE:
  case IR_CHECK_VALUE:
  case IR_CHECK_UNIFORM: break;
  case IR_SET_MAX_REGS: emit_registers(e, node); break;
  case IR_CLOCK: emit_clock(e, node, "llvm.nvvm.read.ptx.sreg.clock64"); break;
  case IR_GLOBALTIMER:
    emit_clock(e, node, "llvm.nvvm.read.ptx.sreg.globaltimer");
    break;
  case IR_WAS_SET:
  case IR_SET_IF:
  case IR_UNSET:
  case IR_UNKNOWN:
  case IR_CHOICE: code_refuse(node); // only checks and runs know them
  }
}
