// SPDX-License-Identifier: Apache-2.0
// What clauses of thread loops say that an iteration owns.
#include "check/walk.h"

// The loop whose iteration the clause begins, if each thread turns in it.
static const CheckLoop *own_loop(const Walk *w) {
  const Step *parent = w->parent;
  return parent && parent->kind == STEP_LOOP ? parent->u.loop.loop : NULL;
}

static const IrGroup *group_of(const Walk *w, const IrNode *node) {
  const IrNode *owner = node->region->owner;
  if (owner && owner->op == IR_THREAD_FOR)
    return owner->u.part.parent;
  return ir_node_group(w->kernel, node);
}

void walk_claim(Walk *w, const IrNode *node) {
  Step *step = step_new(w, STEP_CLAIM, node);
  if (!step)
    return;
  const IrObject *object = node->u.index.object;
  LoopClaim *claim = ARENA_NEW(w->arena, LoopClaim);
  *claim = (LoopClaim){.object = object,
                       .kind = node->op,
                       .is_uninit = node->u.index.number & CLAIM_UNINIT,
                       .is_nest = node->u.index.number & CLAIM_NEST,
                       .own = own_loop(w),
                       .n_at = ir_claim_names(node)};
  if (!claim->is_nest)
    claim->group = group_of(w, node);
  claim->at = ARENA_ARRAY(w->arena, const Term *, claim->n_at);
  for (uint32_t i = 0; i < claim->n_at; i++)
    claim->at[i] = arg_signed(w, node, i);
  for (uint32_t i = 0; object && i < object->rank; i++) {
    claim->low[i] = arg_signed(w, node, claim->n_at + 2 * i);
    claim->length[i] = arg_signed(w, node, claim->n_at + 2 * i + 1);
  }
  step->u.claim = claim;
}
