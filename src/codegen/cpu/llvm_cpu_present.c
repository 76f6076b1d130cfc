// SPDX-License-Identifier: Apache-2.0
// Note [Shuffles of who is present]
// decide_lanes.c makes shuffles of a warp, some of whose threads may be gone,
// shuffles of coalesced_threads() by the rank there of a rank in the warp:
//
//   L = reduce(here, 1 << rank(warp), bit_or)
//   b = r & 31
//   is_there = (L >> b & 1) != 0 && r < 32
//   shfl(here, v, is_there ? popcount(L & (1 << b) - 1) : 32)
//
// L is the mask that `here` is, and the thread of that rank is lane b. So the
// row is permuted by b, as that of a whole warp, and who isn't there is passed
// over by is_there. Where the nodes have another form the general way is taken.
#include "codegen/cpu/llvm_cpu.h"

static bool cpu_present_is_binary(const IrNode *node, IrOp op) {
  return node->op == op && node->n_args == 2;
}

static bool cpu_present_is_number(const IrNode *node, int64_t wanted) {
  int64_t value;
  return code_const_int(node, &value) && value == wanted;
}

static bool is_here(const CpuEmit *e, const IrGroup *group) {
  return e->lanes == CPU_WARP && group->kind == GROUP_COALESCED &&
         group->maker && group->parent && group->parent->kind == GROUP_WARP &&
         cpu_is_one_part(e->plan, group);
}

static bool is_warp_bit(const IrNode *node, const IrGroup *warp) {
  return cpu_present_is_binary(node, IR_SHL) &&
         cpu_present_is_number(node->args[0], 1) &&
         node->args[1]->op == IR_RANK &&
         node->args[1]->u.group.group->kind == GROUP_WARP &&
         node->args[1]->u.group.group->parent == warp->parent;
}

bool cpu_is_lanes_here(const CpuEmit *e, const IrNode *node) {
  if (node->op != IR_REDUCE || node->u.collective.combine != RMW_OR ||
      node->type.kind != IR_TYPE_I32 || node->type.lanes != 1)
    return false;
  const IrGroup *here = node->u.collective.group;
  return is_here(e, here) && is_warp_bit(node->args[0], here->parent);
}

LLVMValueRef cpu_lanes_here(CpuEmit *e, const IrGroup *here) {
  return cpu_leaf(e, here->maker, 0).v;
}

// (1 << b) - 1
static bool cpu_present_is_below(const IrNode *node, const IrNode *b) {
  const IrNode *bit = node->args[0];
  return cpu_present_is_binary(node, IR_SUB) &&
         cpu_present_is_number(node->args[1], 1) &&
         cpu_present_is_binary(bit, IR_SHL) &&
         cpu_present_is_number(bit->args[0], 1) && bit->args[1] == b;
}

// (L >> b & 1) != 0
static bool cpu_present_is_set(const IrNode *node, const IrNode *lanes,
                               const IrNode *b) {
  const IrNode *low = node->args[0];
  return cpu_present_is_binary(node, IR_NE) &&
         cpu_present_is_number(node->args[1], 0) &&
         cpu_present_is_binary(low, IR_AND) &&
         cpu_present_is_number(low->args[1], 1) &&
         cpu_present_is_binary(low->args[0], IR_LSHR) &&
         low->args[0]->args[0] == lanes && low->args[0]->args[1] == b;
}

// is_there, which also says that r is b
static bool tells_presence(const IrNode *node, const IrNode *lanes,
                           const IrNode *b) {
  const IrNode *below = node->args[1];
  return cpu_present_is_binary(node, IR_AND) &&
         cpu_present_is_set(node->args[0], lanes, b) &&
         cpu_present_is_binary(below, IR_ULT) && below->args[0] == b->args[0] &&
         cpu_present_is_number(below->args[1], CPU_WARP);
}

bool cpu_find_present(const CpuEmit *e, const IrNode *shuffle,
                      CpuPresent *out) {
  const IrNode *rank = shuffle->args[1];
  if (shuffle->op != IR_SHFL || !is_here(e, shuffle->u.group.group) ||
      rank->op != IR_SELECT || !cpu_present_is_number(rank->args[2], CPU_WARP))
    return false;
  const IrNode *count = rank->args[1];
  const IrNode *before = count->op == IR_POPCOUNT ? count->args[0] : NULL;
  const IrNode *lanes =
      before && cpu_present_is_binary(before, IR_AND) ? before->args[0] : NULL;
  if (!lanes || !cpu_is_lanes_here(e, lanes) ||
      lanes->u.collective.group != shuffle->u.group.group ||
      !cpu_present_is_binary(before->args[1], IR_SUB) ||
      !cpu_present_is_binary(before->args[1]->args[0], IR_SHL))
    return false;
  const IrNode *b = before->args[1]->args[0]->args[1];
  if (!cpu_present_is_binary(b, IR_AND) ||
      !cpu_present_is_number(b->args[1], CPU_WARP - 1) ||
      !cpu_present_is_below(before->args[1], b) ||
      !tells_presence(rank->args[0], lanes, b))
    return false;
  *out = (CpuPresent){.lane = b, .is_there = rank->args[0]};
  return true;
}
