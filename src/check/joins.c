// SPDX-License-Identifier: Apache-2.0
// Joins that aren't needed are found by trying: without the join the kernel
// must still be proved. Each that was found stays away while the next is tried,
// so that what is found holds for all of them together.
#include "check/joins.h"

#include "ir/analyses/analysis.h"

typedef struct {
  Arena *arena;
  hd_vec(IrNode *) joins;
} JoinList;

static bool add_kept(IrNode *node, void *context) {
  JoinList *list = context;
  if (node->op == IR_JOIN && node->u.group.join == JOIN_KEPT)
    VEC_PUSH(list->arena, &list->joins, node);
  return true;
}

static bool joins_is_proved(const IrKernel *kernel,
                            const CheckOptions *options) {
  Arena *arena = arena_new();
  CheckReport report;
  check_kernel(arena, kernel, options, &report);
  Verdict verdict = report.verdict;
  arena_free(arena);
  return verdict == VERDICT_PROVED;
}

void check_unneeded_joins(Arena *arena, const IrKernel *kernel,
                          const CheckOptions *options, UnneededJoins *out) {
  CheckOptions proofs = *options;
  proofs.no_search = true;
  proofs.no_fixes = true;
  proofs.no_remarks = true;
  proofs.is_retry = true;
  IrKernel *clone = ir_clone_kernel(arena, kernel);
  JoinList list = {.arena = arena};
  ir_walk(&clone->body, add_kept, &list);
  *out = (UnneededJoins){.n_kept = list.joins.count};
  out->is_unneeded = ARENA_ARRAY(arena, bool, (size_t)list.joins.count + 1);
  if (list.joins.count == 0 || !joins_is_proved(clone, &proofs))
    return;
  out->is_proved = true;
  for (uint32_t i = 0; i < list.joins.count; i++) {
    IrNode *join = list.joins.data[i];
    join->u.group.join = JOIN_DROPPED_DISJOINT;
    out->is_unneeded[i] = joins_is_proved(clone, &proofs);
    if (!out->is_unneeded[i])
      join->u.group.join = JOIN_KEPT;
  }
}
