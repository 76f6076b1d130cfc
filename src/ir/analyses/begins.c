// SPDX-License-Identifier: Apache-2.0
// Where variables and a thread's own objects begin without a value: with the
// kernel, or, where a loop's body declares them, with each of its turns.
//
//   for (…) {
//     int x;                  no value, whatever the turn before has set
//     if (c) x = 1;
//     y = x;
//   }
#include "ir/analyses/analysis.h"
#include "ir/form/order.h"

typedef struct {
  const IrKernel *kernel;
  Begins found;
} BeginsSearch;

// The node of the loop's region that is `node` or holds it, unless an earlier
// one is known.
static void note_first(IrNode **first, IrNode *node, const IrNode *loop) {
  if (*first || !loop)
    return;
  while (node && ir_node_owner(node) != loop)
    node = ir_node_owner(node);
  *first = node;
}

static bool begins_note_use(IrNode *node, void *context) {
  const BeginsSearch *s = context;
  const IrKernel *kernel = s->kernel;
  if (node->op == IR_GET || node->op == IR_SET) {
    uint32_t var = node->u.variable.var;
    note_first(&s->found.vars[var], node, kernel->vars.data[var].loop);
  }
  const IrObject *object =
      ir_op_info(node)->form == FORM_ACCESS ? node->u.access.object : NULL;
  if (object && object->space == SPACE_LOCAL && object->lifetime &&
      object->id < kernel->objects.count &&
      kernel->objects.data[object->id] == object)
    note_first(&s->found.objects[object->id], node,
               ir_loop_around(object->lifetime));
  return true;
}

Begins ir_begins(Arena *arena, IrKernel *kernel) {
  BeginsSearch s = {
      .kernel = kernel,
      .found = {ARENA_ARRAY(arena, IrNode *, kernel->vars.count),
                ARENA_ARRAY(arena, IrNode *, kernel->objects.count)}};
  ir_walk(&kernel->body, begins_note_use, &s);
  return s.found;
}

bool ir_var_may_lack(const IrKernel *kernel, const Liveness *liveness,
                     const Begins *begins, uint32_t var) {
  const IrNode *first = begins->vars[var];
  return liveness_at_entry(liveness, &kernel->body, var) ||
         (first && liveness_at_entry(liveness, first->region, var));
}
