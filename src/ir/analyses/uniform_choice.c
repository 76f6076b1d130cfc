// SPDX-License-Identifier: Apache-2.0
// What decides by which exit a thread left, once all exits are known.
#include "ir/analyses/uniform.h"
#include "ir/analyses/uniform_walk.h"

Token uniform_choice_of(UniformWalk *w, UniformTarget *target) {
  if (target->choice == uniform_start(w->u)) {
    target->choice =
        uniform_new_token(w, TOKEN_CHOICE, target->join.node, GROUP_SET_ALL);
    target->next_asked = w->asked;
    w->asked = target;
  }
  return target->choice;
}

static void ask_about(UniformWalk *w, Token choice, UniformTarget *inner,
                      uint32_t before) {
  if (inner && inner->exits.count && inner->first_exit < before)
    uniform_depends(w, choice, uniform_choice_of(w, inner));
}

// What decides, at `node` on the way from a target to its exit at position
// `at`, whether a thread gets there.
static void uniform_choice_add_step(UniformWalk *w, Token choice,
                                    const IrNode *node, uint32_t at) {
  if (node->op == IR_IF || node->op == IR_FOR)
    for (uint32_t i = 0; i < node->n_args; i++)
      uniform_depends_on_value(w, choice, node->args[i]);
  ask_about(w, choice, w->turn_of[node->id], at);
  bool is_loop = node->op == IR_LOOP || node->op == IR_FOR;
  ask_about(w, choice, w->leave_of[node->id], is_loop ? UINT32_MAX : at);
}

static void finish_choice(UniformWalk *w, UniformTarget *target,
                          const UniformTarget **stamps) {
  const IrNode *top = target->join.node;
  Token choice = target->choice;
  if (top->op == IR_FOR && !target->is_turn)
    for (uint32_t i = 0; i < top->n_args; i++)
      uniform_depends_on_value(w, choice, top->args[i]);
  if (top->op == IR_THREAD_FOR)
    w->u->base.data[choice] = GROUP_SET_SINGLE;
  // The last exit first: what it passes covers what the others pass.
  for (uint32_t i = target->exits.count; i-- > 0;) {
    const IrNode *leaf = target->exits.data[i];
    uint32_t at = w->order->position[leaf->id];
    if (!target->is_turn)
      ask_about(w, choice, w->turn_of[top->id], at);
    for (const IrNode *node = ir_node_owner(leaf); node && node != top;
         node = ir_node_owner(node)) {
      if (stamps[node->id] == target)
        break;
      stamps[node->id] = target;
      uniform_choice_add_step(w, choice, node, at);
    }
  }
}

void uniform_finish_choices(UniformWalk *w) {
  const UniformTarget **stamps =
      ARENA_ARRAY(w->scratch, const UniformTarget *, w->order->n_ids);
  while (w->asked) {
    UniformTarget *target = w->asked;
    w->asked = target->next_asked;
    finish_choice(w, target, stamps);
  }
}
