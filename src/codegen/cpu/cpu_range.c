// SPDX-License-Identifier: Apache-2.0
// Conditions on the rank that all threads of some warps agree on.
#include "codegen/cpu/cpu_plan.h"

// Ranks and what is added to them here stay far from where 32 bits wrap.
#define MOST_OFFSET (1 << 30)

// `value` is the block rank plus a constant.
static bool cpu_range_is_rank(const IrNode *value, int64_t *offset) {
  int64_t term;
  *offset = 0;
  if ((value->op == IR_ADD || value->op == IR_SUB) &&
      code_const_int(value->args[1], &term) && term < MOST_OFFSET &&
      term > -MOST_OFFSET) {
    *offset = value->op == IR_ADD ? term : -term;
    value = value->args[0];
  }
  return value->op == IR_RANK && value->type.kind == IR_TYPE_I32 &&
         value->u.group.group->kind == GROUP_BLOCK;
}

// A comparison as `rank < bound`, or (is_negated) `rank >= bound`.
static bool rank_bound(const IrNode *node, int64_t *bound, bool *is_negated) {
  bool is_unsigned = node->op == IR_ULT || node->op == IR_ULE;
  bool is_less = node->op == IR_SLT || node->op == IR_ULT;
  bool is_upto = node->op == IR_SLE || node->op == IR_ULE;
  int64_t offset;
  if ((!is_less && !is_upto) || node->args[0]->type.kind != IR_TYPE_I32)
    return false;
  *is_negated = !cpu_range_is_rank(node->args[0], &offset);
  const IrNode *other = node->args[*is_negated ? 0 : 1];
  if ((*is_negated && !cpu_range_is_rank(node->args[1], &offset)) ||
      !code_const_int(other, bound))
    return false;
  // Of nonnegative numbers the order is the same.
  if (is_unsigned && (offset < 0 || *bound < 0))
    return false;
  *bound -= offset;
  // rank + o <= c: rank < c - o + 1. c < rank + o: rank >= c - o + 1.
  *bound += is_upto != *is_negated;
  return true;
}

bool cpu_known_condition(const IrNode *node, CpuRanks ranks, bool *value) {
  bool is_negated, other;
  int64_t bound;
  switch ((int)node->op) {
  case IR_CONST: *value = node->u.constant.bits != 0; return true;
  case IR_NOT:
    if (!cpu_known_condition(node->args[0], ranks, &other))
      return false;
    *value = !other;
    return true;
  case IR_AND:
  case IR_OR: {
    bool decides = node->op == IR_OR, known[2];
    for (uint32_t i = 0; i < 2; i++) {
      known[i] = cpu_known_condition(node->args[i], ranks, value);
      if (known[i] && *value == decides)
        return true;
    }
    return known[0] && known[1];
  }
  default: break;
  }
  if (!rank_bound(node, &bound, &is_negated) ||
      (ranks.first < bound && ranks.last >= bound))
    return false;
  *value = (ranks.first < bound) != is_negated;
  return true;
}

// Ranks of the members in the block, if they are constant.
static bool member_ranks(const IrNode *node, CpuRanks *members) {
  const IrGroup *group = node->u.part.group;
  int64_t begin = group->begin < 0 ? 0 : group->begin;
  if (node->u.part.parent->kind != GROUP_BLOCK || group->size <= 0 ||
      (node->n_args > 0 && !code_const_int(node->args[0], &begin)))
    return false;
  *members = (CpuRanks){begin, begin + group->size - 1};
  return begin >= 0 && begin <= CPU_MAX_BLOCK;
}

bool cpu_known_member(const IrNode *node, CpuRanks ranks, bool *value) {
  CpuRanks members;
  if (!member_ranks(node, &members))
    return false;
  *value = ranks.first >= members.first && ranks.last <= members.last;
  return *value || ranks.last < members.first || ranks.first > members.last;
}

static void add_edge(CpuEdges *edges, int64_t warp) {
  if (warp <= 0 || warp >= edges->n_warps || edges->count == CPU_MOST_EDGES)
    return;
  uint32_t at = edges->count;
  for (uint32_t i = 0; i < edges->count; i++)
    if (edges->warps[i] == warp)
      return;
  for (; at > 0 && edges->warps[at - 1] > warp; at--)
    edges->warps[at] = edges->warps[at - 1];
  edges->warps[at] = (uint32_t)warp;
  edges->count++;
}

// Warps around a rank at which a condition changes.
static void add_rank(CpuEdges *edges, int64_t rank) {
  if (rank <= 0 || rank > CPU_MAX_BLOCK)
    return;
  add_edge(edges, rank / CPU_WARP);
  add_edge(edges, (rank + CPU_WARP - 1) / CPU_WARP);
}

void cpu_add_member_edges(const IrNode *node, CpuEdges *edges) {
  CpuRanks members;
  if (!member_ranks(node, &members))
    return;
  add_rank(edges, members.first);
  add_rank(edges, members.last + 1);
}

void cpu_add_edges(const IrNode *condition, CpuEdges *edges) {
  bool is_negated;
  int64_t bound;
  switch ((int)condition->op) {
  case IR_NOT: cpu_add_edges(condition->args[0], edges); return;
  case IR_AND:
  case IR_OR:
    cpu_add_edges(condition->args[0], edges);
    cpu_add_edges(condition->args[1], edges);
    return;
  default: break;
  }
  if (rank_bound(condition, &bound, &is_negated))
    add_rank(edges, bound);
}
