// SPDX-License-Identifier: Apache-2.0
// Sets of lanes by the ranks that they have in the warp or a tile.
//
// Note [Lanes that are left]
// ir_decide_whole makes an operation of a warp one of the lanes that are left
// of it: src/ir/passes/decide_lanes.c. Who they are is a union of bits there,
//
//   reduce(here, or, 1 << rank(warp))           the set
//   reduce(here, or, p ? 1 << rank(warp) : 0)   a ballot
//   popcount(set & (1 << b) - 1)                the rank in `here` of lane b
//
// The set is the mask that the group has anyway, the second is a vote, and from
// the third back to the lane nothing needs to be searched. So neither costs
// more for being about a part of the warp. (Of a tile, `here` is the part of
// the coalesced lanes that is labeled with where the tile begins.)
#include "codegen/code_groups.h"
#include "codegen/code_parts.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

static const IrGroup *nvptx_present_ranked(const IrNode *node) {
  return node->op == IR_RANK ? node->u.group.group : NULL;
}

// Is the group the part of a tile, labeled rank(warp) - rank(tile)?
static bool is_of_tile(const IrGroup *group, const IrGroup *tile) {
  if (group->kind != GROUP_LABELED || group->maker->n_args == 0)
    return false;
  const IrNode *label = group->maker->args[0];
  if (label->op != IR_SUB)
    return false;
  const IrGroup *outer = nvptx_present_ranked(label->args[0]);
  return outer && outer->kind == GROUP_WARP &&
         nvptx_present_ranked(label->args[1]) == tile;
}

// 1 << rank(warp), or of the tile: the group whose ranks they are.
static const IrGroup *group_of_bit(const IrGroup *here, const IrNode *bit) {
  int64_t one;
  if (bit->op != IR_SHL || !code_const_int(bit->args[0], &one) || one != 1)
    return NULL;
  const IrGroup *group = nvptx_present_ranked(bit->args[1]);
  bool is_known = group && ir_type_bits(bit->type) == 32 &&
                  (group->kind == GROUP_WARP || is_of_tile(here, group));
  return is_known ? group : NULL;
}

// The group whose ranks are in the union; *condition: NULL, or who is in it.
static const IrGroup *group_of_union(const IrNode *node,
                                     const IrNode **condition) {
  if (node->op != IR_REDUCE || node->u.collective.combine != RMW_OR)
    return NULL;
  const IrGroup *here = node->u.collective.group;
  const IrNode *bit = node->args[0];
  int64_t zero;
  *condition = NULL;
  if (!code_is_lane_set(here))
    return NULL;
  if (bit->op == IR_SELECT) {
    if (!code_const_int(bit->args[2], &zero) || zero != 0)
      return NULL;
    *condition = bit->args[0];
    bit = bit->args[1];
  }
  return group_of_bit(here, bit);
}

static LLVMValueRef first_lane(NvEmit *e, const IrGroup *group) {
  return group->kind == GROUP_WARP
             ? nv_i32(e, 0)
             : LLVMBuildSub(e->b, e->lane, nv_group_rank(e, group), NV_NAME);
}

bool nv_emit_lanes(NvEmit *e, const IrNode *node) {
  const IrNode *condition;
  const IrGroup *group = group_of_union(node, &condition);
  if (!group)
    return false;
  const IrGroup *here = node->u.collective.group;
  LLVMValueRef lanes = nv_group_mask(e, here);
  if (condition) {
    NvTeam team = nv_team(e, node, here);
    LLVMValueRef holds = nv_ballot(e, team.sync, nv_value(e, condition, 0));
    lanes = LLVMBuildAnd(e->b, holds, lanes, NV_NAME);
  }
  lanes = LLVMBuildLShr(e->b, lanes, first_lane(e, group), NV_NAME);
  nv_set_value(e, node, 0, lanes);
  return true;
}

static bool is_low_bits(const IrNode *node) {
  int64_t value;
  if (code_const_int(node, &value))
    return ((uint32_t)value & ((uint32_t)value + 1)) == 0;
  return node->op == IR_SUB && code_const_int(node->args[1], &value) &&
         value == 1 && node->args[0]->op == IR_SHL &&
         code_const_int(node->args[0]->args[0], &value) && value == 1;
}

bool nv_lanes_above(NvEmit *e, const IrGroup *here, const IrNode *node,
                    LLVMValueRef *lane, LLVMValueRef *is_there) {
  if (node->op != IR_AND)
    return false;
  for (uint32_t i = 0; i < 2; i++) {
    const IrNode *set = node->args[i], *below = node->args[1 - i];
    const IrNode *condition;
    const IrGroup *group = group_of_union(set, &condition);
    if (!group || condition || set->u.collective.group != here ||
        !is_low_bits(below))
      continue;
    LLVMValueRef rest = LLVMBuildNot(e->b, nv_value(e, below, 0), NV_NAME);
    rest = LLVMBuildAnd(e->b, nv_value(e, set, 0), rest, NV_NAME);
    *lane = LLVMBuildAdd(e->b, first_lane(e, group), nv_lowest_bit(e, rest),
                         NV_NAME);
    *is_there = LLVMBuildICmp(e->b, LLVMIntNE, rest, nv_i32(e, 0), NV_NAME);
    return true;
  }
  return false;
}

// Is it (set >> bit & 1) != 0, with bit < 32? Then *set and *bit.
static bool is_bit_test(const IrNode *node, const IrNode **set,
                        const IrNode **bit) {
  int64_t value;
  if (node->op != IR_NE || !code_const_int(node->args[1], &value) || value != 0)
    return false;
  node = node->args[0];
  if (node->op != IR_AND || !code_const_int(node->args[1], &value) ||
      value != 1 || node->args[0]->op != IR_LSHR)
    return false;
  *set = node->args[0]->args[0];
  *bit = node->args[0]->args[1];
  return (*bit)->op == IR_AND && code_const_int((*bit)->args[1], &value) &&
         value == NV_WARP - 1;
}

// The rank of lane `bit` of the set?
static bool is_rank_of(const IrNode *node, const IrNode *set,
                       const IrNode *bit) {
  if (node->op != IR_POPCOUNT || node->args[0]->op != IR_AND)
    return false;
  const IrNode *both = node->args[0], *below = both->args[1];
  return both->args[0] == set && below->op == IR_SUB && is_low_bits(below) &&
         below->args[0]->args[1] == bit;
}

LLVMValueRef nv_tested_lane(NvEmit *e, const IrGroup *here,
                            const IrNode *condition, const IrNode *rank) {
  const IrNode *set, *bit, *members;
  if (condition->op == IR_AND) {
    LLVMValueRef lane = nv_tested_lane(e, here, condition->args[0], rank);
    return lane ? lane : nv_tested_lane(e, here, condition->args[1], rank);
  }
  if (!is_bit_test(condition, &set, &bit) || !is_rank_of(rank, set, bit))
    return NULL;
  const IrGroup *group = group_of_union(set, &members);
  if (!group || members || set->u.collective.group != here)
    return NULL;
  return LLVMBuildAdd(e->b, first_lane(e, group), nv_value(e, bit, 0), NV_NAME);
}
