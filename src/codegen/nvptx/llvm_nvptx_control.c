// SPDX-License-Identifier: Apache-2.0
// Control: regions become blocks. Which threads are together behind a branch is
// the hardware's business; what needs them together says so (convergent).
#include "base/panic.h"
#include "codegen/llvm_parts.h"
#include "codegen/nvptx/llvm_nvptx.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

NvIf nv_if(NvEmit *e, LLVMValueRef condition) {
  LLVMBasicBlockRef inside = nv_new_block(e, "then");
  NvIf place = {nv_new_block(e, "end")};
  LLVMBuildCondBr(e->b, condition, inside, place.after);
  nv_begin_block(e, inside);
  return place;
}

void nv_end_if(NvEmit *e, NvIf place) {
  LLVMBuildBr(e->b, place.after);
  nv_begin_block(e, place.after);
}

// ------------------------------------------------------------------ exits

static bool nvptx_control_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR || node->op == IR_THREAD_FOR;
}

void nv_emit_exit(NvEmit *e, const IrNode *node) {
  NvTarget *target = &e->targets[node->u.exit.target->id];
  if (node->u.exit.is_continue && nvptx_control_is_loop(node->u.exit.target)) {
    LLVMBuildBr(e->b, target->latch);
    return;
  }
  target->is_left = true;
  LLVMBuildBr(e->b, target->after);
}

static NvTarget *begin_target(NvEmit *e, const IrNode *node, bool has_turns) {
  NvTarget *target = &e->targets[node->id];
  *target = (NvTarget){.after = nv_new_block(e, "after")};
  if (has_turns)
    target->latch = nv_new_block(e, "latch");
  return target;
}

bool nv_enter_after(NvEmit *e, const IrNode *node, bool goes_on) {
  NvTarget *target = &e->targets[node->id];
  if (goes_on)
    LLVMBuildBr(e->b, target->after);
  nv_begin_block(e, target->after);
  if (goes_on || target->is_left)
    return true;
  LLVMBuildUnreachable(e->b);
  return false;
}

// ---------------------------------------------------------------- if, block

static bool emit_if(NvEmit *e, const IrNode *node) {
  LLVMBasicBlockRef yes = nv_new_block(e, "then");
  LLVMBasicBlockRef end = nv_new_block(e, "end");
  bool has_else = node->n_regions > 1 && node->regions[1].first != NULL;
  LLVMBasicBlockRef no = has_else ? nv_new_block(e, "else") : end;
  LLVMBuildCondBr(e->b, nv_arg(e, node, 0), yes, no);
  nv_begin_block(e, yes);
  bool goes_on = nv_emit_region(e, &node->regions[0]);
  if (goes_on)
    LLVMBuildBr(e->b, end);
  if (has_else) {
    nv_begin_block(e, no);
    bool comes = nv_emit_region(e, &node->regions[1]);
    if (comes)
      LLVMBuildBr(e->b, end);
    goes_on |= comes;
  } else {
    goes_on = true;
  }
  nv_begin_block(e, end);
  if (!goes_on)
    LLVMBuildUnreachable(e->b);
  return goes_on;
}

static bool emit_block(NvEmit *e, const IrNode *node) {
  begin_target(e, node, false);
  bool goes_on = nv_emit_region(e, &node->regions[0]);
  return nv_enter_after(e, node, goes_on);
}

// ------------------------------------------------------------------ loops

static LLVMMetadataRef loop_hint(NvEmit *e, const char *name, int32_t count) {
  LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(e->cx, name, strlen(name)),
                              NULL};
  if (count > 0)
    parts[1] = LLVMValueAsMetadata(nv_i32(e, count));
  return LLVMMDNodeInContext2(e->cx, parts, count > 0 ? 2 : 1);
}

static const char *unroll_name(int32_t unroll) {
  if (unroll < 0)
    return "llvm.loop.unroll.full";
  return unroll == 1 ? "llvm.loop.unroll.disable" : "llvm.loop.unroll.count";
}

void nv_branch_back(NvEmit *e, LLVMBasicBlockRef head, int32_t unroll) {
  LLVMValueRef branch = LLVMBuildBr(e->b, head);
  if (unroll == 0)
    return;
  LLVMMetadataRef hint =
      loop_hint(e, unroll_name(unroll), unroll > 1 ? unroll : 0);
  // The first operand of a loop's identity is itself.
  LLVMMetadataRef self = LLVMTemporaryMDNode(e->cx, NULL, 0);
  LLVMMetadataRef parts[2] = {self, hint};
  LLVMMetadataRef loop = LLVMMDNodeInContext2(e->cx, parts, 2);
  LLVMMetadataReplaceAllUsesWith(self, loop);
  LLVMSetMetadata(branch, e->md_loop, LLVMMetadataAsValue(e->cx, loop));
}

// What another thread may decide is tested in it.
static bool nvptx_control_may_wait(IrNode *node, void *context) {
  bool *found = context;
  bool is_atomic = ir_op_info(node)->form == FORM_ACCESS &&
                   node->u.access.order != ORDER_PLAIN;
  *found |= is_atomic && node->type.kind != IR_TYPE_VOID;
  return !*found;
}

static bool emit_loop(NvEmit *e, const IrNode *node) {
  NvTarget *target = begin_target(e, node, true);
  IrRegion body = node->regions[0];
  bool waits = false;
  ir_walk(&body, nvptx_control_may_wait, &waits);
  NvSpin spin = nv_spin_begin(e);
  if (nv_emit_region(e, &node->regions[0]))
    LLVMBuildBr(e->b, target->latch);
  nv_begin_block(e, target->latch);
  if (waits)
    nv_spin_turn(e, &spin);
  else
    nv_branch_back(e, spin.head, node->u.loop.unroll);
  return nv_enter_after(e, node, false);
}

// Of a loop that is repeated whole: turns are counted from 0.
LLVMValueRef nv_count_turn(NvEmit *e, NvWhole turns, LLVMValueRef slot) {
  LLVMValueRef now = LLVMBuildLoad2(e->b, e->i32, slot, NV_NAME);
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, now, nv_i32(e, 1), NV_NAME), slot);
  return LLVMBuildICmp(e->b, LLVMIntULT, now, nv_i32(e, turns.most), NV_NAME);
}

LLVMValueRef nv_turn_slot(NvEmit *e, NvWhole turns) {
  if (turns.most == 0)
    return NULL;
  LLVMValueRef slot = nv_alloca(e, e->i32);
  LLVMBuildStore(e->b, nv_i32(e, 0), slot);
  return slot;
}

// Goes on in a new block where `condition` holds, else at `end`.
static void go_on_if(NvEmit *e, LLVMValueRef condition, LLVMBasicBlockRef end) {
  LLVMBasicBlockRef body = nv_new_block(e, "body");
  LLVMBuildCondBr(e->b, condition, body, end);
  nv_begin_block(e, body);
}

// The count is a variable of its own: the program's is set at each turn. In a
// last turn that only some threads have others skip the body.
static bool nvptx_control_emit_for(NvEmit *e, const IrNode *node) {
  IrType type = node->args[0]->type;
  LLVMTypeRef llvm_type = nv_scalar_type(e, type);
  NvWhole turns = nv_whole_turns(e->plan, node);
  int64_t step = node->u.loop.step;
  LLVMValueRef slot = nv_alloca(e, llvm_type), turn = nv_turn_slot(e, turns);
  NvTarget *target = begin_target(e, node, true);
  LLVMBasicBlockRef head = nv_new_block(e, "turn");
  LLVMBuildStore(e->b, nv_arg(e, node, 0), slot);
  LLVMBuildBr(e->b, head);
  nv_begin_block(e, head);
  LLVMValueRef now = LLVMBuildLoad2(e->b, llvm_type, slot, NV_NAME);
  nv_store_var(e, e->plan->var_leaf[node->u.loop.var], type, now);
  LLVMBasicBlockRef again = nv_new_block(e, "again");
  if (turn)
    go_on_if(e, nv_count_turn(e, turns, turn), target->after);
  LLVMIntPredicate goes_on = llvm_count_predicate(
      step < 0, node->u.loop.is_signed, node->u.loop.is_inclusive);
  if (!turn || !turns.is_exact)
    go_on_if(e, LLVMBuildICmp(e->b, goes_on, now, nv_arg(e, node, 1), NV_NAME),
             turn ? again : target->after);
  target->is_left = true;
  if (nv_emit_region(e, &node->regions[0]))
    LLVMBuildBr(e->b, target->latch);
  nv_begin_block(e, target->latch);
  LLVMValueRef by = LLVMConstInt(llvm_type, (uint64_t)step, 1);
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, now, by, NV_NAME), slot);
  LLVMBuildBr(e->b, again);
  nv_begin_block(e, again);
  nv_branch_back(e, head, turn ? -1 : node->u.loop.unroll);
  return nv_enter_after(e, node, false);
}

// ---------------------------------------------------------------- dispatch

bool nv_emit_region(NvEmit *e, const IrRegion *region) {
  LLVMMetadataRef outer = LLVMGetCurrentDebugLocation2(e->b);
  const IrNode *node = region->first;
  while (node && nv_emit_node(e, node))
    node = node->next;
  LLVMSetCurrentDebugLocation2(e->b, outer);
  return node == NULL;
}

static bool nvptx_control_emit(NvEmit *e, const IrNode *node) {
  switch (ir_control_op(node->op)) {
  case IR_IF: return emit_if(e, node);
  case IR_LOOP: return emit_loop(e, node);
  case IR_FOR: return nvptx_control_emit_for(e, node);
  case IR_BLOCK: return emit_block(e, node);
  case IR_CALL: return nv_emit_product(e, node) || emit_block(e, node);
  case IR_EXIT: nv_emit_exit(e, node); return false;
  case IR_GROUP: nv_emit_group(e, node); return true;
  case IR_WITH: return nv_emit_region(e, &node->regions[0]);
  case IR_THREAD_FOR: return nv_emit_thread_for(e, node);
  }
  code_refuse(node);
}

bool nv_emit_node(NvEmit *e, const IrNode *node) {
  e->node = node;
  nv_set_line(e, node->loc);
  if (ir_family(node) == FAMILY_CONTROL)
    return nvptx_control_emit(e, node);
  nv_emit_value(e, node);
  return true;
}
