// SPDX-License-Identifier: Apache-2.0
// Whether a kernel's values tell the order in which its threads came.
#include "ir/analyses/analysis.h"

typedef struct {
  Arena *arena;
  bool *is_used; // by node id
  bool observes;
} Search;

static bool observed_order_note_uses(IrNode *node, void *context) {
  Search *search = context;
  for (uint32_t i = 0; i < node->n_args; i++)
    search->is_used[node->args[i]->id] = true;
  return true;
}

// Atomic accesses, and polls: mbarriers answer with yes or no to nothing else.
static bool tells_order(const IrNode *node) {
  return ir_op_info(node)->form == FORM_BARRIER
             ? node->type.kind == IR_TYPE_BOOL
             : ir_is_atomic(node);
}

static bool observed_order_look_at(IrNode *node, void *context) {
  Search *search = context;
  search->observes = tells_order(node) && search->is_used[node->id];
  return !search->observes;
}

bool ir_observes_order(const IrKernel *kernel) {
  Search search = {.arena = arena_new()};
  IrRegion body = kernel->body;
  search.is_used = ARENA_ARRAY(search.arena, bool, kernel->n_nodes);
  ir_walk(&body, observed_order_note_uses, &search);
  ir_walk(&body, observed_order_look_at, &search);
  arena_free(search.arena);
  return search.observes;
}
